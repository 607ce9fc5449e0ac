#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"

/* ---- errors ---- */

static void print_error(const char *before, const char *sentence) {
  fprintf(stderr, "%sroberval%s:%s %s\n", cli_colour(stderr, CLI_ERROR), before,
          cli_colour(stderr, CLI_USUAL), sentence);
}

void cli_error(const char *format, ...) {
  char sentence[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  rbv_clean(sentence);
  print_error("", sentence);
}

int cli_out_of_memory(void) {
  print_error("", "out of memory");
  return EXIT_FAILED;
}

int cli_fail(rbv_status status) {
  if (status == RBV_EMEM) return cli_out_of_memory();
  char sentence[1200];
  const char *option = rbv_message_option();
  snprintf(sentence, sizeof sentence, option ? "%s (see --%s)" : "%s", rbv_message(), option);
  print_error("", sentence);
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

int cli_fail_in(const char *command, rbv_status status) {
  const char *option = rbv_message_option();
  if (status == RBV_EDATA) {
    cli_fail(status);
    return EXIT_NO;
  }
  if (status != RBV_EOPTION) return cli_fail(status);
  // a sentence that begins with the name of the option
  if (option && strncmp(rbv_message(), option, strlen(option)) == 0)
    return cli_usage(command, "--%s", rbv_message());
  return option ? cli_usage(command, "%s (--%s)", rbv_message(), option)
                : cli_usage(command, "%s", rbv_message());
}

void cli_note(void *self, const char *sentence, const char *option) {
  const cli_common *common = self;
  const bool detail = option && strcmp(option, RBV_NOTE_DETAIL) == 0;
  if (detail && common->verbose) cli_message(common, "%s\n", sentence);
  if (detail) return;
  cli_message(common, option ? "%s (see --%s)\n" : "%s\n", sentence, option);
}

rbv_notes cli_notes(const cli_common *common) {
  return (rbv_notes){cli_note, (void *)(uintptr_t)common};
}

int cli_usage(const char *command, const char *format, ...) {
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  // an argument may contain control characters; the message must stay one line
  rbv_clean(sentence);
  char whole[1200], before[32];
  snprintf(before, sizeof before, " %s", command);
  snprintf(whole, sizeof whole, "%s; see roberval %s --help", sentence, command);
  print_error(before, whole);
  return EXIT_USAGE;
}

/* ---- messages, output ---- */

void cli_message(const cli_common *common, const char *format, ...) {
  if (common->quiet) return;
  char *text = NULL;
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  if (length >= 0) text = malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  // clean every line for itself
  for (char *line = text, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    const bool ends = *end != 0;
    *end = 0;
    rbv_clean(line);
    fprintf(stderr, ends ? "%s\n" : "%s", line);
    end += ends;
  }
  free(text);
}

const char *cli_plain(char out[CLI_PLAIN_MAX], const char *text) {
  snprintf(out, CLI_PLAIN_MAX, "%s", text);
  rbv_clean(out);
  return out;
}

const char *cli_number(char out[CLI_NUMBER_MAX], char kind, int digits, double x) {
  if (isfinite(x))
    snprintf(out, CLI_NUMBER_MAX, kind == 'f' ? "%.*f" : "%.*g", digits, x);
  else
    snprintf(out, CLI_NUMBER_MAX, "-");
  return out;
}

int cli_write(const char *path, const char *text, size_t size) {
  if (path) {
    const rbv_status status = rbv_file_write(path, text, size);
    return status == RBV_OK ? EXIT_DONE : cli_fail(status);
  }
  if (fwrite(text, 1, size, stdout) == size) return EXIT_DONE;
  cli_error("the output cannot be written: %s", strerror(errno));
  return EXIT_FAILED;
}

int cli_write_text(const char *text) { return cli_write(NULL, text, strlen(text)); }

int cli_make_directory(const char *directory) {
  const rbv_status status = rbv_directory_make(directory);
  return status == RBV_OK ? -1 : cli_fail(status);
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
  const rbv_notes notes = cli_notes(common);
  const rbv_status status = rbv_robot_load(out, path, robot, &notes);
  return status == RBV_OK ? -1 : cli_fail_in(command, status);
}

int cli_name_width(const rbv_model *model) {
  int width = 14;
  for (int j = 0; j < rbv_model_joint_count(model); j++) {
    const int length = (int)strlen(rbv_model_joint(model, j)->name);
    if (length > width) width = length;
  }
  return width;
}
