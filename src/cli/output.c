#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

/* ---- failing ---- */

static _Thread_local struct {
  char *to;  // NULL: stderr
  size_t size;
} sentence_kept;

void cli_keep_sentence(char *to, size_t size) {
  sentence_kept.to = to;
  sentence_kept.size = size;
  if (to && size > 0) *to = 0;
}

/* the first one counts: what fails later fails because of it */
static void tell(const char *before, const char *sentence) {
  if (!sentence_kept.to)
    fprintf(stderr, "roberval%s: %s\n", before, sentence);
  else if (!*sentence_kept.to)
    snprintf(sentence_kept.to, sentence_kept.size, "%s", sentence);
}

void cli_complain(const char *format, ...) {
  char sentence[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  tell("", sentence);
}

int cli_out_of_memory(void) {
  tell("", "out of memory");
  return EXIT_FAILED;
}

int cli_fail(rbv_status status) {
  if (status == RBV_EMEM) return cli_out_of_memory();
  char sentence[1200];
  const char *option = rbv_message_option();
  snprintf(sentence, sizeof sentence, option ? "%s (see --%s)" : "%s", rbv_message(), option);
  tell("", sentence);
  switch (status) {
    case RBV_OK: return EXIT_DONE;
    case RBV_EOPTION: return EXIT_USAGE;
    case RBV_EDIM:
    case RBV_EREAD:
    case RBV_EINPUT:
    case RBV_EUNSUPPORTED: return EXIT_INPUT;
    default: return EXIT_FAILED;
  }
}

int cli_usage(const char *command, const char *format, ...) {
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  // what an argument holds must not break the line
  for (char *c = sentence; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  char whole[1200], before[32];
  snprintf(before, sizeof before, " %s", command);
  snprintf(whole, sizeof whole, "%s; see roberval %s --help", sentence, command);
  tell(before, whole);
  return EXIT_USAGE;
}

/* ---- words, output ---- */

void cli_say(const cli_common *common, const char *format, ...) {
  if (common->quiet) return;
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
}

int cli_write(const char *path, const char *text, size_t size) {
  if (path) {
    const rbv_status status = rbv_file_write(path, text, size);
    return status == RBV_OK ? EXIT_DONE : cli_fail(status);
  }
  if (fwrite(text, 1, size, stdout) == size) return EXIT_DONE;
  cli_complain("the output cannot be written: %s", strerror(errno));
  return EXIT_FAILED;
}

int cli_make_directory(const char *directory) {
  if (mkdir(directory, 0777) == 0 || errno == EEXIST) return -1;
  cli_complain("the directory '%s' cannot be made: %s", directory, strerror(errno));
  return EXIT_FAILED;
}

int cli_write_into(const char *directory, const char *name, const char *text, size_t size) {
  const size_t length = strlen(directory) + strlen(name) + 2;
  char *path = malloc(length);
  if (!path) return cli_out_of_memory();
  snprintf(path, length, "%s/%s", directory, name);
  const int code = cli_write(path, text, size);
  free(path);
  return code;
}

int cli_write_json(const char *path, rbv_json *json) {
  const char *text;
  size_t size;
  const rbv_status status = rbv_json_finish(&text, &size, json);
  const int code = status == RBV_OK ? cli_write(path, text, size) : cli_fail(status);
  rbv_json_free(json);
  return code;
}

int cli_load_robot(rbv_model **out, const char *command, cli_robot *robot, const char *path,
                   const cli_common *common) {
  *out = NULL;
  if (robot->sensing) {
    rbv_sensing sensing;
    if (!rbv_sensing_parse(&sensing, robot->sensing))
      return cli_usage(command, "--sensing can be motor, joint, both or difference, not '%s'",
                       robot->sensing);
    robot->model.sensing = (int)sensing;
  }
  const rbv_status status = rbv_model_load(out, path, &robot->model);
  if (status != RBV_OK) return cli_fail(status);
  const int snapped = rbv_model_snap_count(*out);
  double largest = 0;
  for (int i = 0; i < snapped; i++) {
    const rbv_snap *s = rbv_model_snap(*out, i);
    const double change = s->used > s->given ? s->used - s->given : s->given - s->used;
    if (change > largest) largest = change;
  }
  // what everybody's eleven digits of pi/2 lose is not worth a word
  if (largest > 1e-9 || (snapped && common->verbose))
    cli_say(common,
            "%s: %d angles or axes taken for the exact ones that they approximate (largest "
            "change %.1e); --no-snap keeps them\n",
            path, snapped, largest);
  for (int i = 0; i < rbv_model_note_count(*out); i++)
    cli_say(common, "%s: %s\n", path, rbv_model_note(*out, i));
  return -1;
}

int cli_name_width(const rbv_model *model) {
  int width = 14;
  for (int j = 0; j < rbv_model_joint_count(model); j++) {
    const int length = (int)strlen(rbv_model_joint(model, j)->name);
    if (length > width) width = length;
  }
  return width;
}
