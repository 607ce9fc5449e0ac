/*
 * One judgement: check and identify, exit code, last line, JSON, result file and page say the same
 * of recordings with and without an error. tests/python/test_identify.py adds Python.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"

#include "base/support.h"
#include "support.h"
#include "tool.h"

#define N 6
#define ROBOT ROBERVAL_SOURCE "/examples/ur_class.yaml"

static int prepare(void **state) {
  (void)state;
  free(tool_text("excite " ROBOT " --period 8 --rate 200 --harmonics 4 --starts 1 --budget 0 "
                 "--seed 7 -q -o motion.csv"));
  free(tool_text("simulate " ROBOT " motion.csv --rate 500 --bandwidth 4 --encoder 100000 "
                 "--torque-noise 1%% -q -o truth.csv"));
  return 0;
}

typedef struct {
  const char *title, *options, *code, *level;  // code of the first reason; NULL: none
  double scale;                                // of the torques
  int turned, late, held;  // joint with the wrong sign; rows of delay; rows per value
} spoiling;

static const spoiling spoilings[] = {
    {"clean", "", NULL, "usable", 1, 0, 0, 1},
    {"torques x 0.1", "", "torque-unit", "do not use", 0.1, 0, 0, 1},
    {"torques x 1.4", "", "torque-unit", "with care", 1.4, 0, 0, 1},
    {"torques x 0.1, accepted", "--unchecked", "torque-unit", "with care", 0.1, 0, 0, 1},
    {"sign of joint 3", "", "sign", "do not use", 1, 3, 0, 1},
    {"the robot on a wall", "--mount wall", "gravity", "do not use", 1, 0, 0, 1},
    {"torques 50 ms late", "", "delay", "with care", 1, 0, 25, 1},
    {"values three times", "", NULL, "usable", 1, 0, 0, 3},
};

static void write_spoiled(const spoiling *s) {
  csv t = csv_parse(read_text(temp_file("truth.csv", NULL), NULL));
  FILE *out = fopen(temp_file("log.csv", NULL), "w");
  assert_non_null(out);
  fprintf(out, "t");
  for (int j = 1; j <= N; j++) fprintf(out, ",q%d", j);
  for (int j = 1; j <= N; j++) fprintf(out, ",tau%d", j);
  for (int k = s->late; k < t.nrow; k++) {
    const int at = k / s->held * s->held;
    const double *row = t.value + (ptrdiff_t)at * t.ncolumn;
    const double *before = row - (ptrdiff_t)s->late * t.ncolumn;
    fprintf(out, "\n%.9g", t.value[(ptrdiff_t)k * t.ncolumn]);
    for (int j = 0; j < N; j++) fprintf(out, ",%.12g", row[1 + j]);
    for (int j = 0; j < N; j++)
      fprintf(out, ",%.12g", s->scale * (s->turned == j + 1 ? -1 : 1) * before[1 + N + j]);
  }
  fputc('\n', out);
  assert_int_equal(fclose(out), 0);
  csv_free(&t);
}

static const rbv_node *verdict_of(const rbv_document *d) {
  const rbv_node *v = rbv_node_find(rbv_document_root(d), "verdict");
  assert_non_null(v);
  return v;
}

static const char *text_of(const rbv_node *map, const char *key) {
  return rbv_node_text(rbv_node_find(map, key));
}

/* Every reason of a that is not "usable" stands in b with the same level and sentence. */
static void assert_contained(const char *title, const rbv_node *a, const rbv_node *b) {
  const rbv_node *all = rbv_node_find(a, "reasons"), *more = rbv_node_find(b, "reasons");
  for (int i = 0; i < rbv_node_count(all); i++) {
    const rbv_node *r = rbv_node_at(all, i);
    if (strcmp(text_of(r, "level"), "usable") == 0) continue;
    bool found = false;
    for (int k = 0; k < rbv_node_count(more); k++) {
      const rbv_node *o = rbv_node_at(more, k);
      found |= strcmp(text_of(r, "sentence"), text_of(o, "sentence")) == 0 &&
               strcmp(text_of(r, "level"), text_of(o, "level")) == 0;
    }
    if (!found) fail_msg("%s: only one of them says '%s'", title, text_of(r, "sentence"));
  }
}

/* the last line of the tool begins with the level and has the first reason */
static void assert_last_line(const char *title, const outcome *o, const rbv_node *verdict) {
  const char *level = text_of(verdict, "level"), *last = o->err;
  for (const char *p = o->err; *p; p++)
    if (*p == '\n' && p[1]) last = p + 1;
  if (!strstr(last, level)) fail_msg("%s: '%s' does not say %s", title, last, level);
  if (strcmp(level, "usable") == 0) return;
  const rbv_node *first = rbv_node_at(rbv_node_find(verdict, "reasons"), 0);
  if (!strstr(last, text_of(first, "sentence"))) fail_msg("%s: '%s'", title, last);
}

static void try_one(const spoiling *s) {
  static const char *const pages[][2] = {
      {"usable", "verdict good"}, {"with care", "verdict care"}, {"do not use", "verdict bad"}};
  write_spoiled(s);
  const bool accepted = strstr(s->options, "unchecked");
  outcome fit = tool("identify " ROBOT " log.csv %s -o out.json --report out.html", s->options);
  rbv_document *result, *check = NULL;
  assert_ok(rbv_document_load(&result, temp_file("out.json", NULL)));
  const rbv_node *verdict = verdict_of(result);
  const char *level = text_of(verdict, "level");
  if (strcmp(level, s->level) != 0) fail_msg("%s: %s\n%s", s->title, level, fit.err);
  assert_int_equal(fit.code, strcmp(level, "do not use") == 0);
  assert_last_line(s->title, &fit, verdict);
  if (s->code) {
    const rbv_node *first = rbv_node_at(rbv_node_find(verdict, "reasons"), 0);
    assert_string_equal(text_of(first, "code"), s->code);
  }
  // the page
  char *page = read_text(temp_file("out.html", NULL), NULL);
  for (int i = 0; i < RBV_COUNT(pages); i++)
    if ((strcmp(pages[i][0], level) == 0) != (strstr(page, pages[i][1]) != NULL))
      fail_msg("%s: the page", s->title);
  free(page);
  // the same by --json
  outcome json = tool("identify " ROBOT " log.csv %s --json", s->options);
  assert_int_equal(json.code, fit.code);
  rbv_document *printed;
  assert_ok(rbv_document_parse(&printed, "stdout", json.out, strlen(json.out)));
  assert_string_equal(text_of(verdict_of(printed), "level"), level);
  assert_contained(s->title, verdict, verdict_of(printed));
  // what check says of the recording the fit says too
  if (!accepted) {
    outcome own = tool("check " ROBOT " log.csv %s --json", s->options);
    assert_ok(rbv_document_parse(&check, "stdout", own.out, strlen(own.out)));
    assert_string_equal(text_of(verdict_of(check), "level"), level);
    assert_int_equal(own.code, fit.code);
    assert_contained(s->title, verdict_of(check), verdict);
    outcome words = tool("check " ROBOT " log.csv %s", s->options);
    assert_last_line(s->title, &words, verdict);
    outcome_free(&words);
    outcome_free(&own);
    rbv_document_free(check);
  }
  rbv_document_free(printed);
  rbv_document_free(result);
  outcome_free(&json);
  outcome_free(&fit);
}

static void test_same_verdict(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(spoilings); i++) try_one(&spoilings[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_verdict)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
