/* The command that repeats a result: its inputs, and the options that differ from their defaults.
 */
#include <math.h>
#include <roberval/sys/identification.h>
#include <string.h>

#include "report/report_internal.h"

static bool is_plain(const char *text) {
  static const char allowed[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:+=@%-";
  return *text && text[strspn(text, allowed)] == 0;
}

/* A word as a shell reads it; NULL: a result that was not read from files. A file whose name begins
 * with a dash is no option. */
static void put_word(rbv_text *out, const char *text, bool file) {
  if (!text) text = "-";
  rbv_text_put(out, file && text[0] == '-' && text[1] ? " ./" : " ");
  if (is_plain(text)) {
    rbv_text_put(out, text);
    return;
  }
  rbv_text_put(out, "'");
  for (const char *c = text; *c; c++) {
    const char one[2] = {*c, 0};
    rbv_text_put(out, *c == '\'' ? "'\\''" : one);
  }
  rbv_text_put(out, "'");
}

static void put_option(rbv_text *out, const char *name, const char *value) {
  rbv_text_print(out, " --%s", name);
  put_word(out, value, false);
}

static bool is_default(const rbv_setting *s, const rbv_setting *usual, int count) {
  if ((s->flag && s->number == 0) || (!s->text && !isfinite(s->number))) return true;
  for (int i = 0; i < count; i++)
    if (strcmp(usual[i].key, s->key) == 0)
      return s->text && usual[i].text ? strcmp(s->text, usual[i].text) == 0
                                      : !s->text && !usual[i].text && s->number == usual[i].number;
  return false;
}

/* the options of a file of unknown origin: those that the tables have */
static void put_options(rbv_text *out, const rbv_result *e, const rbv_option_group *groups,
                        const rbv_setting *usual, int count) {
  void *unused;
  for (int i = 0; i < e->nsetting; i++) {
    const rbv_setting *s = &e->setting[i];
    if (is_default(s, usual, count) || !rbv_option_find(&unused, groups, s->key)) continue;
    rbv_text_print(out, " --%s", s->key);
    if (s->text)
      put_word(out, s->text, false);
    else if (!s->flag)
      rbv_text_print(out, " %.10g", s->number);
  }
}

void rbv_report_command(rbv_text *out, const rbv_result *e) {
  rbv_identification_options options = rbv_identification_defaults();
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_groups(groups, &options);
  const int most = rbv_option_record(NULL, groups);
  rbv_setting *usual = rbv_alloc((size_t)(most + 1) * sizeof *usual);
  if (!usual) {
    out->failed = true;
    return;
  }
  const int count = rbv_option_record(usual, groups);
  rbv_text_put(out, "roberval identify");
  put_word(out, e->robot_file.path, true);
  for (int i = 0; i < e->ninput; i++)
    if (!e->input[i].loaded) put_word(out, e->input[i].path, true);
  for (int i = 0; i < e->ninput; i++)
    if (e->input[i].loaded) put_option(out, "loaded", e->input[i].path);
  for (int i = 0; i < e->nvalidation_input; i++)
    put_option(out, "validate", e->validation_input[i].path);
  put_options(out, e, groups, usual, count);
  rbv_free(usual);
}
