/* Formats of trajectories: every row of the table writes, and the texts agree with the curve. */
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trajectory/trajectory.h"

#include "base/support.h"
#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define NJOINT 6
#define RATE_HZ 50

static rbv_trajectory *new_curve(int njoint) {
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = njoint;
  s.count = 2;
  s.duration_s = 2;
  s.blend_s = 0.5;
  double x[5 * (NJOINT + 1)];
  for (int i = 0; i < 5 * njoint; i++) x[i] = 0.1 * (i % 7) - 0.3;
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, &s, x));
  return t;
}

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
static const rbv_trajectory_use use = {
    .joints = names, .rate_hz = RATE_HZ, .provenance = "{\n  \"version\": \"x\"\n}\n"};

/* number of the row with this name */
static int find(const char *name) {
  for (int i = 0; rbv_trajectory_format_at(i); i++)
    if (strcmp(rbv_trajectory_format_at(i)->name, name) == 0) return i;
  fail_msg("there is no format %s", name);
  return -1;
}

static void test_every_row_writes(void **state) {
  (void)state;
  rbv_trajectory *t = new_curve(NJOINT);
  int count = 0;
  for (const rbv_trajectory_format *f; (f = rbv_trajectory_format_at(count)); count++) {
    assert_true(f->name[0] && f->extension[0] == '.' && f->text[0]);
    char *text;
    size_t size;
    assert_ok(rbv_trajectory_format_write(&text, &size, count, t, &use));
    assert_int_equal(strlen(text), size);
    assert_true(size > 0);
    rbv_text_release(text);
    assert_ok(rbv_trajectory_format_write(&text, &size, count, t, NULL));
    rbv_text_release(text);
  }
  assert_true(count >= 4);
  char *text;
  size_t size;
  assert_refused(rbv_trajectory_format_write(&text, &size, count, t, &use), RBV_EARG, "no traj");
  rbv_trajectory_free(t);
}

/* 3 s at 50 Hz are 151 samples, since the curve does not repeat; sample 75 is at 1.5 s */
static void test_texts_are_the_curve(void **state) {
  (void)state;
  rbv_trajectory *t = new_curve(NJOINT), *back;
  double q[NJOINT], ddq[NJOINT];
  rbv_trajectory_eval(q, NULL, ddq, NULL, t, 1.5);
  char *text;
  size_t size;
  assert_ok(rbv_trajectory_format_write(&text, &size, 0, t, &use));
  char *copy = malloc(size + 1);
  memcpy(copy, text, size + 1);
  csv table = csv_parse(copy);
  assert_int_equal(table.nrow, 151);
  assert_near(table.value[75 * table.ncolumn + csv_find(&table, "q3")], q[2], 1e-12, 0);
  assert_near(table.value[75 * table.ncolumn + csv_find(&table, "ddq6")], ddq[5], 1e-11, 0);
  csv_free(&table);
  rbv_text_release(text);

  assert_ok(rbv_trajectory_format_write(&text, &size, find("coefficients"), t, &use));
  assert_ok(rbv_trajectory_parse(&back, "x.yaml", text, size));
  double same[NJOINT];
  rbv_trajectory_eval(same, NULL, NULL, NULL, back, 1.5);
  assert_memory_equal(same, q, sizeof q);
  assert_non_null(strstr(text, "provenance:\n  {\n    \"version\": \"x\"\n"));
  rbv_trajectory_free(back);
  rbv_text_release(text);

  assert_ok(rbv_trajectory_format_write(&text, &size, find("ros"), t, &use));
  rbv_document *ros;
  assert_ok(rbv_document_parse(&ros, "ros", text, size));
  const rbv_node *root = rbv_document_root(ros);
  text_at(root, "joint_names.1", "b");
  assert_int_equal(rbv_node_count(node_at(root, "points")), 151);
  // nine decimals are written
  assert_near(real_at(root, "points.75.positions.2"), q[2], 6e-10, 0);
  assert_near(real_at(root, "points.75.time_from_start.nanosec"), 5e8, 1, 0);
  rbv_document_free(ros);
  rbv_text_release(text);
  rbv_trajectory_free(t);
}

static void test_refusals(void **state) {
  (void)state;
  char *text;
  size_t size;
  rbv_trajectory *t = new_curve(NJOINT + 1);
  assert_refused(rbv_trajectory_format_write(&text, &size, find("urscript"), t, &use),
                 RBV_EUNSUPPORTED, "6 joints, the robot has 7");
  assert_null(text);
  const rbv_trajectory_use stopped = {.rate_hz = 0};
  assert_refused(rbv_trajectory_format_write(&text, &size, 0, t, &stopped), RBV_EARG, "rate");
  rbv_trajectory_free(t);
}

static rbv_status write_all(void *state) {
  for (int i = 0; rbv_trajectory_format_at(i); i++) {
    char *text;
    size_t size;
    RBV_TRY(rbv_trajectory_format_write(&text, &size, i, state, &use));
    rbv_text_release(text);
  }
  return RBV_OK;
}

static void test_allocations_fail_well(void **state) {
  (void)state;
  rbv_trajectory *t = new_curve(NJOINT);
  fail_each_allocation(write_all, t);
  rbv_trajectory_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_row_writes),
      cmocka_unit_test(test_texts_are_the_curve),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_allocations_fail_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
