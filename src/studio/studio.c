/* The folder of the work, the token, and the life of the server. */
#define _GNU_SOURCE  // getrandom
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <roberval/robot.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/document.h"
#include "studio/studio_internal.h"

/* ---- paths ---- */

bool studio_plain_path(const char *path) {
  bool first = true;
  if (!*path || strlen(path) >= 256) return false;
  for (const char *c = path; *c; c++) {
    const unsigned char u = (unsigned char)*c;
    // a component is not hidden, is no option and does not lead upwards
    if (u < 32 || u == 127 || u == '\\' || (first && (u == '.' || u == '-' || u == '/')))
      return false;
    first = u == '/';
  }
  return !first;
}

bool studio_find(char out[STUDIO_PATH], const studio *s, const char *path) {
  char joined[2 * STUDIO_PATH], real[PATH_MAX];
  if (!studio_plain_path(path)) return false;
  snprintf(joined, sizeof joined, "%s/%s", s->folder, path);
  const size_t n = strlen(s->folder);
  if (!realpath(joined, real) || strncmp(real, s->folder, n) != 0 || real[n] != '/') return false;
  if (strlen(real) >= STUDIO_PATH) return false;
  strcpy(out, real);
  return true;
}

/* ---- the state ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **name, int count) {
  for (int i = 0; i < count; i++) rbv_free(name[i]);
  rbv_free(name);
}

/* names in a folder in order, without hidden ones; -1: no memory */
static int list_names(char ***out, const char *folder) {
  int count = 0, room = 0;
  *out = NULL;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (!studio_plain_path(e->d_name)) continue;
    char **grown = rbv_grow(*out, count, &room, sizeof *grown);
    if (grown) *out = grown;
    if (!grown || !(grown[count] = rbv_strdup(e->d_name))) {
      free_names(*out, count);
      *out = NULL;
      count = -1;
      break;
    }
    count++;
  }
  if (d) closedir(d);
  if (count > 0) qsort(*out, (size_t)count, sizeof **out, by_name);
  return count;
}

static void put_command(rbv_json *json, const char *folder) {
  char path[2 * STUDIO_PATH + 32], text[STUDIO_BODY];
  snprintf(path, sizeof path, "%s/command.txt", folder);
  FILE *f = fopen(path, "r");
  const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  text[n] = 0;
  if (f) fclose(f);
  text[strcspn(text, "\n")] = 0;
  rbv_json_put_string(json, "command", text);
}

static rbv_status put_folder(rbv_json *json, const char *key, const char *folder, bool runs) {
  char **name, **file;
  const int count = list_names(&name, folder);
  if (count < 0) return RBV_EMEM;
  rbv_json_put_list(json, key);
  for (int i = 0; i < count; i++) {
    char path[2 * STUDIO_PATH];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", folder, name[i]);
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode) != (runs ? 1 : 0)) continue;
    rbv_json_map(json);
    rbv_json_put_string(json, "name", name[i]);
    if (!runs) rbv_json_put_int(json, "bytes", (long long)st.st_size);
    if (runs) put_command(json, path);
    const int nfile = runs ? list_names(&file, path) : 0;
    if (runs) rbv_json_put_flat_list(json, "files");
    for (int k = 0; k < nfile; k++) rbv_json_string(json, file[k]);
    if (runs) rbv_json_end(json);
    if (nfile > 0) free_names(file, nfile);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  free_names(name, count);
  return RBV_OK;
}

rbv_status studio_state(rbv_text *out, const studio *s) {
  rbv_json *json;
  const char *text;
  size_t size;
  char runs[STUDIO_PATH + 8];
  RBV_TRY(rbv_json_new(&json));
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.studio/1");
  rbv_json_put_string(json, "folder", s->folder);
  rbv_json_put_list(json, "given");
  for (int i = 0; i < s->ngiven; i++) rbv_json_string(json, s->given[i]);
  rbv_json_end(json);
  rbv_json_put_flat_list(json, "given_bytes");
  for (int i = 0; i < s->ngiven; i++) {
    struct stat st;
    rbv_json_int(json, stat(s->given[i], &st) == 0 ? (long long)st.st_size : 0);
  }
  rbv_json_end(json);
  rbv_json_put_flat_list(json, "builtin");
  for (int i = 0; rbv_model_builtin(i); i++) rbv_json_string(json, rbv_model_builtin(i));
  rbv_json_end(json);
  snprintf(runs, sizeof runs, "%s/runs", s->folder);
  rbv_status status = put_folder(json, "files", s->folder, false);
  if (status == RBV_OK) status = put_folder(json, "runs", runs, true);
  rbv_json_end(json);
  if (status == RBV_OK) status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK) rbv_text_add(out, text, size);
  rbv_json_free(json);
  return status == RBV_OK && out->failed ? RBV_EMEM : status;
}

/* ---- life ---- */

static rbv_status make_token(char token[STUDIO_TOKEN + 1]) {
  unsigned char bytes[STUDIO_TOKEN / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return rbv_fail(RBV_EWRITE, "the system gave no random numbers for the token");
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return RBV_OK;
}

static rbv_status open_folder(studio *s, const char *folder) {
  char runs[STUDIO_PATH + 8], real[PATH_MAX];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return rbv_fail(RBV_EWRITE, "%s: %s", folder, strerror(errno));
  if (!realpath(folder, real) || strlen(real) + 8 >= STUDIO_PATH)
    return rbv_fail(RBV_EWRITE, "%s: %s", folder, strerror(errno));
  strcpy(s->folder, real);
  snprintf(runs, sizeof runs, "%s/runs", s->folder);
  if (mkdir(runs, 0777) != 0 && errno != EEXIST)
    return rbv_fail(RBV_EWRITE, "%s: %s", runs, strerror(errno));
  const ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
  if (n <= 0) return rbv_fail(RBV_EWRITE, "the path of the tool is not known: %s", strerror(errno));
  s->program[n] = 0;
  return RBV_OK;
}

/* absolute paths, because commands run in the folder; a built-in robot has a name */
static rbv_status take_given(studio *s, const studio_options *o) {
  s->given = rbv_alloc((size_t)(o->ngiven + 1) * sizeof *s->given);
  if (!s->given) return RBV_EMEM;
  for (int i = 0; i < o->ngiven; i++) {
    char real[PATH_MAX];
    bool builtin = false;
    for (int k = 0; i == 0 && rbv_model_builtin(k); k++)
      builtin = builtin || strcmp(rbv_model_builtin(k), o->given[i]) == 0;
    if (!builtin && !realpath(o->given[i], real))
      return rbv_fail(RBV_EREAD, "%s: %s", o->given[i], strerror(errno));
    s->given[i] = rbv_strdup(builtin ? o->given[i] : real);
    if (!s->given[i]) return RBV_EMEM;
    s->ngiven++;
  }
  return RBV_OK;
}

static rbv_status start(studio *s, const studio_options *o) {
  RBV_TRY(open_folder(s, o->folder));
  RBV_TRY(take_given(s, o));
  RBV_TRY(make_token(s->token));
  s->most_bytes = o->most_mib * 1024 * 1024;
  s->has_jobs = sem_init(&s->jobs, 0, STUDIO_JOBS) == 0;
  if (!s->has_jobs) return rbv_fail(RBV_EWRITE, "there is no semaphore: %s", strerror(errno));
  return studio_start(s, o->port);
}

rbv_status studio_new(studio **out, const studio_options *options) {
  *out = NULL;
  RBV_NEW(studio, s, 1);
  const rbv_status status = start(s, options);
  if (status == RBV_OK)
    *out = s;
  else
    studio_free(s);
  return status;
}

const char *studio_url(const studio *s) { return s->url; }
const char *studio_folder(const studio *s) { return s->folder; }

void studio_free(studio *s) {
  if (!s) return;
  studio_stop(s);
  if (s->has_jobs) sem_destroy(&s->jobs);
  free_names(s->given, s->ngiven);
  rbv_free(s);
}
