#include "tool.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "document/document.h"
#include "support.h"

static outcome run(const char *format, va_list args) {
  char arguments[2048], command[4096];
  vsnprintf(arguments, sizeof arguments, format, args);
  const char *dir = temp_directory();
  snprintf(command, sizeof command, "cd '%s' && >.out 2>.err SOURCE_DATE_EPOCH=86400 '%s' %s", dir,
           ROBERVAL_TOOL, arguments);
  const int status = system(command);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 128)
    fail_msg("killed by a signal: roberval %s", arguments);
  outcome o = {.code = WEXITSTATUS(status)};
  o.out = read_text(temp_file(".out", NULL), NULL);
  o.err = read_text(temp_file(".err", NULL), NULL);
  return o;
}

outcome tool(const char *arguments, ...) {
  va_list args;
  va_start(args, arguments);
  const outcome o = run(arguments, args);
  va_end(args);
  return o;
}

int run_in_temp(const char *command) {
  char text[1024];
  snprintf(text, sizeof text, "cd '%s' && %s", temp_directory(), command);
  const int status = system(text);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void outcome_free(outcome *o) {
  free(o->out);
  free(o->err);
}

/* The verdict "do not use" is exit code 1 and an answer: recordings with random parameters get it.
 * Tests of the verdict use tool(). A failure with this code writes nothing, which the caller sees.
 */
static bool is_answer(const char *format, int code) {
  return code == 0 || (code == 1 && (strncmp(format, "identify ", 9) == 0 ||
                                     strncmp(format, "report ", 7) == 0));
}

static char *text_of(const char *format, va_list args) {
  outcome o = run(format, args);
  if (!is_answer(format, o.code)) fail_msg("roberval %s: exit code %d: %s", format, o.code, o.err);
  free(o.err);
  return o.out;
}

char *tool_text(const char *arguments, ...) {
  va_list args;
  va_start(args, arguments);
  char *text = text_of(arguments, args);
  va_end(args);
  return text;
}

rbv_document *tool_json(const char *arguments, ...) {
  va_list args;
  va_start(args, arguments);
  char *text = text_of(arguments, args);
  va_end(args);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", text, strlen(text)));
  // it must be JSON, not only YAML
  assert_int_equal(text[0], '{');
  free(text);
  return doc;
}

csv tool_table(const char *arguments, ...) {
  va_list args;
  va_start(args, arguments);
  char *text = text_of(arguments, args);
  va_end(args);
  return csv_parse(text);
}

/* ---- tables ---- */

csv csv_parse(char *text) {
  csv t = {.text = text};
  char *line, *lines = text, *cell, *cells;
  line = strtok_r(lines, "\n", &lines);
  for (cell = strtok_r(line, ",", &cells); cell; cell = strtok_r(NULL, ",", &cells)) {
    t.name = realloc(t.name, (size_t)(t.ncolumn + 1) * sizeof *t.name);
    t.name[t.ncolumn++] = cell;
  }
  while ((line = strtok_r(NULL, "\n", &lines))) {
    if (*line == '#') continue;
    t.value = realloc(t.value, (size_t)((t.nrow + 1) * t.ncolumn) * sizeof *t.value);
    int c = 0;
    for (cell = strtok_r(line, ",", &cells); cell; cell = strtok_r(NULL, ",", &cells)) {
      char *end;
      if (c == t.ncolumn) fail_msg("row %d is too long", t.nrow + 1);
      t.value[t.nrow * t.ncolumn + c++] = strtod(cell, &end);
      if (*end) fail_msg("'%s' is not a number", cell);
    }
    if (c != t.ncolumn) fail_msg("row %d has %d of %d numbers", t.nrow + 1, c, t.ncolumn);
    t.nrow++;
  }
  return t;
}

void csv_free(csv *t) {
  free(t->name);
  free(t->value);
  free(t->text);
}

int csv_find(const csv *t, const char *name) {
  for (int c = 0; c < t->ncolumn; c++)
    if (strcmp(t->name[c], name) == 0) return c;
  fail_msg("column %s not found", name);
  return -1;
}

/* ---- refusals ---- */

void tool_refuses(int code, const char *message, const char *arguments, ...) {
  va_list args;
  va_start(args, arguments);
  outcome o = run(arguments, args);
  va_end(args);
  // other messages may come first; the error is the last line
  const size_t length = strlen(o.err);
  size_t last = length > 0 ? length - 1 : 0;
  while (last > 0 && o.err[last - 1] != '\n') last--;
  const bool one_line =
      length > 0 && o.err[length - 1] == '\n' && strncmp(o.err + last, "roberval", 8) == 0;
  if (o.code != code || o.out[0] || !one_line || !strstr(o.err, message)) {
    print_error("roberval %s\nexit code %d, want %d\nstdout: %s\nstderr: %s\nwant: %s\n", arguments,
                o.code, code, o.out, o.err, message);
    fail();
  }
  outcome_free(&o);
}

rbv_result *tool_result(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", temp_directory(), name);
  rbv_result *r;
  assert_ok(rbv_result_load(&r, path));
  return r;
}

const rbv_parameter *parameter_of(const rbv_result *r, const char *name) {
  for (int k = 0; k < r->estimate.count; k++)
    if (strcmp(r->estimate.item[k].name, name) == 0) return &r->estimate.item[k];
  fail_msg("no parameter %s", name);
  return NULL;
}
