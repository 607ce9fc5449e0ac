/* Commands of the page: which are accepted, and their run in a child process. */
#define _GNU_SOURCE  // pipe2
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <roberval/robot.h>
#include <roberval/task.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "document/document.h"
#include "studio/studio_internal.h"

#define OUTPUT_MOST ((size_t)64 << 20)  // bytes of JSON; a command that prints more is ended
#define MESSAGES_MOST ((size_t)1 << 20)

/* commands that write only where their outputs say */
static const char *const kinds[] = {"map",     "check",   "identify", "validate",
                                    "payload", "compare", "excite",   "export"};

typedef struct {
  char *text;                    // the words, with zeros between them
  char *word[STUDIO_WORDS + 2];  // the tool, the words, NULL
  int count;
  char folder[STUDIO_PATH];  // of the outputs, relative; empty: none
} command;

/* ---- acceptance ---- */

static const char *const plain_flags[] = {"json", "quiet", "verbose"};

static bool is_one_of(const char *word, const char *const *list, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0) return true;
  return false;
}

/* a file of the folder, one that was given, or a built-in robot */
static bool is_input(const studio *s, const char *word) {
  char path[STUDIO_PATH];
  for (int i = 0; i < s->ngiven; i++)
    if (strcmp(s->given[i], word) == 0) return true;
  for (int i = 0; rbv_model_builtin(i); i++)
    if (strcmp(rbv_model_builtin(i), word) == 0) return true;
  return studio_find(path, s, word);
}

static const char *option_kind(const char *task, const char *name) {
  const char *own;
  for (int i = 0; (own = rbv_task_option_name(task, i)); i++)
    if (strcmp(own, name) == 0) return rbv_task_option_kind(task, i);
  return NULL;
}

/* outputs of a command are files of one new folder: runs/NAME/... */
static rbv_status accept_output(command *c, const char *value) {
  const char *slash = strncmp(value, "runs/", 5) == 0 ? strchr(value + 5, '/') : NULL;
  if (!slash || !studio_plain_path(value))
    return rbv_fail(RBV_EOPTION, "an output is a file in a folder of runs, not '%s'", value);
  const size_t n = (size_t)(slash - value);
  if (*c->folder && (strlen(c->folder) != n || strncmp(c->folder, value, n) != 0))
    return rbv_fail(RBV_EOPTION, "the outputs of a command are in one folder");
  memcpy(c->folder, value, n);
  c->folder[n] = 0;
  return RBV_OK;
}

static rbv_status accept_value(command *c, const studio *s, const char *kind, const char *value) {
  if (strcmp(kind, "output") == 0) return accept_output(c, value);
  const bool file = strcmp(kind, "file") == 0 || strcmp(kind, "files") == 0;
  // other values may name a file where they have a slash
  if ((file || strchr(value, '/')) && !is_input(s, value))
    return rbv_fail(RBV_EOPTION, "'%s' is no file of the folder", value);
  return RBV_OK;
}

static rbv_status accept(command *c, const studio *s) {
  if (c->count < 2 || !is_one_of(c->word[1], kinds, RBV_COUNT(kinds)))
    return rbv_fail(RBV_EOPTION, "the studio does not run '%s'", c->count < 2 ? "" : c->word[1]);
  for (int i = 2; i < c->count; i++) {
    const char *word = c->word[i];
    if (strncmp(word, "--", 2) != 0) {
      if (!is_input(s, word)) return rbv_fail(RBV_EOPTION, "'%s' is no file of the folder", word);
      continue;
    }
    if (is_one_of(word + 2, plain_flags, RBV_COUNT(plain_flags))) continue;
    const char *kind = option_kind(c->word[1], word + 2);
    if (!kind) return rbv_fail(RBV_EOPTION, "%s has no option '%s'", c->word[1], word);
    if (strcmp(kind, "flag") == 0) continue;
    if (++i == c->count) return rbv_fail(RBV_EOPTION, "the option '%s' needs a value", word);
    RBV_TRY(accept_value(c, s, kind, c->word[i]));
  }
  return RBV_OK;
}

static rbv_status split(command *c, const studio *s, const char *words, size_t size) {
  if (strlen(words) != size)
    return rbv_fail(RBV_EOPTION, "a command has a character that ends texts");
  c->text = rbv_strndup(words, size);
  if (!c->text) return RBV_EMEM;
  c->word[c->count++] = (char *)(uintptr_t)s->program;
  for (char *at = c->text, *end; *at; at = end) {
    end = at + strcspn(at, "\n");
    if (*end) *end++ = 0;
    for (const unsigned char *u = (unsigned char *)at; *u; u++)
      if (*u < 32 || *u == 127) return rbv_fail(RBV_EOPTION, "a word has a control character");
    if (!*at || c->count > STUDIO_WORDS)
      return rbv_fail(RBV_EOPTION, "a command has 1 to %d words that are not empty", STUDIO_WORDS);
    c->word[c->count++] = at;
  }
  return RBV_OK;
}

/* ---- the command line for people ---- */

static void put_shell(rbv_text *out, const char *word) {
  static const char safe[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,=:@%";
  if (*word && strspn(word, safe) == strlen(word)) {
    rbv_text_put(out, word);
    return;
  }
  rbv_text_put(out, "'");
  for (const char *c = word; *c; c++)
    if (*c == '\'')
      rbv_text_put(out, "'\\''");
    else
      rbv_text_add(out, c, 1);
  rbv_text_put(out, "'");
}

static void put_line(rbv_text *out, const command *c) {
  rbv_text_put(out, "roberval");
  for (int i = 1; i < c->count; i++) {
    rbv_text_put(out, " ");
    put_shell(out, c->word[i]);
  }
}

/* ---- the run ---- */

/* the child ends with the server, and has its signals back */
static void become(const studio *s, const command *c, int out, int err) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int in = open("/dev/null", O_RDONLY);
  if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 || chdir(s->folder) != 0)
    _exit(4);
  execv(s->program, c->word);
  _exit(4);
}

/* what a pipe has now; false: it is at its end, or has given too much */
static bool take(rbv_text *to, int fd, size_t most) {
  char block[65536];
  const ssize_t n = read(fd, block, sizeof block);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0 || to->size + (size_t)n > most) return false;
  rbv_text_add(to, block, (size_t)n);
  return !to->failed;
}

static void collect(rbv_text text[2], const int fd[2]) {
  struct pollfd p[2] = {{fd[0], POLLIN, 0}, {fd[1], POLLIN, 0}};
  while (p[0].fd >= 0 || p[1].fd >= 0) {
    if (poll(p, 2, -1) < 0 && errno != EINTR) return;
    for (int i = 0; i < 2; i++)
      if (p[i].fd >= 0 && p[i].revents &&
          !take(&text[i], p[i].fd, i == 0 ? OUTPUT_MOST : MESSAGES_MOST))
        p[i].fd = -1;
  }
}

static rbv_status spawn(int *code, rbv_text text[2], const studio *s, const command *c) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return rbv_fail(RBV_EWRITE, "no pipe: %s", strerror(errno));
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]), close(out[1]);
    return rbv_fail(RBV_EWRITE, "no pipe: %s", strerror(errno));
  }
  const pid_t child = fork();
  if (child == 0) become(s, c, out[1], err[1]);
  close(out[1]), close(err[1]);
  if (child > 0) collect(text, (const int[2]){out[0], err[0]});
  // a child that still writes gets an error, and ends
  close(out[0]), close(err[0]);
  if (child < 0) return rbv_fail(RBV_EWRITE, "no process: %s", strerror(errno));
  int how;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
  *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  return RBV_OK;
}

static rbv_status write_file(const studio *s, const command *c, const char *name,
                             const rbv_text *text) {
  char path[3 * STUDIO_PATH];
  snprintf(path, sizeof path, "%s/%s/%s", s->folder, c->folder, name);
  return rbv_file_write(path, text->data ? text->data : "", text->size);
}

/* a new folder: two pages that choose the same name do not overwrite each other */
static rbv_status make_folder(const studio *s, const command *c) {
  char path[2 * STUDIO_PATH];
  snprintf(path, sizeof path, "%s/%s", s->folder, c->folder);
  if (mkdir(path, 0777) == 0) return RBV_OK;
  return rbv_fail(errno == EEXIST ? RBV_EOPTION : RBV_EWRITE, "%s: %s", c->folder, strerror(errno));
}

static rbv_status put_answer(rbv_text *out, const command *c, int code, const rbv_text text[2]) {
  rbv_json *json;
  const char *made;
  size_t size;
  rbv_text line = {0};
  RBV_TRY(rbv_json_new(&json));
  put_line(&line, c);
  rbv_json_map(json);
  rbv_json_put_string(json, "command", rbv_text_string(&line));
  rbv_json_put_int(json, "exit", code);
  rbv_json_put_string(json, "output", rbv_text_string(&text[0]));
  rbv_json_put_string(json, "messages", rbv_text_string(&text[1]));
  rbv_json_end(json);
  const rbv_status status = line.failed ? RBV_EMEM : rbv_json_finish(&made, &size, json);
  if (status == RBV_OK) rbv_text_add(out, made, size);
  rbv_json_free(json);
  rbv_text_free(&line);
  return status == RBV_OK && out->failed ? RBV_EMEM : status;
}

static rbv_status run(rbv_text *out, studio *s, const command *c, rbv_text text[2]) {
  rbv_text line = {0};
  int code = 0;
  if (*c->folder) RBV_TRY(make_folder(s, c));
  while (sem_wait(&s->jobs) != 0) continue;
  rbv_status status = spawn(&code, text, s, c);
  sem_post(&s->jobs);
  put_line(&line, c);
  rbv_text_put(&line, "\n");
  if (status == RBV_OK && *c->folder) status = write_file(s, c, "command.txt", &line);
  if (status == RBV_OK && *c->folder) status = write_file(s, c, "messages.txt", &text[1]);
  rbv_text_free(&line);
  return status == RBV_OK ? put_answer(out, c, code, text) : status;
}

rbv_status studio_command(rbv_text *out, studio *s, const char *words, size_t size) {
  RBV_NEW(command, c, 1);
  rbv_text text[2] = {{0}, {0}};
  rbv_status status = split(c, s, words, size);
  if (status == RBV_OK) status = accept(c, s);
  if (status == RBV_OK) status = run(out, s, c, text);
  rbv_text_free(&text[0]);
  rbv_text_free(&text[1]);
  rbv_free(c->text);
  rbv_free(c);
  return status;
}
