/* Design, play, record, identify and follow of a simulated robot, by its topics alone: one script. */
#include <math.h>

#include "nodes.h"
#include "robot_process.h"

static int prepare(void **state) {
  (void)state;
  return run_in_temp("echo > start.txt");
}

static void test_round_trip(void **state) {
  (void)state;
  char command[2048];
  const pid_t robot = start_robot("none");
  snprintf(command, sizeof command,
           "LIVE='--network lo --domain %d' PATIENT='" PATIENT "' sh '" ROBERVAL_SOURCE
           "/tests/topic/round_trip.sh' '%s' tx40 '" LIMITS "' 2> why.txt",
           robot_domain(), ROBERVAL_TOOL);
  const int code = run_in_temp(command);
  end_process(robot, SIGTERM);
  assert_int_equal(code, 0);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("record.json", NULL)));
  assert_near(real_at(rbv_document_root(doc), "lost"), 0, 0, 0);
  assert_true(isfinite(real_at(rbv_document_root(doc), "enough_after_s")));
  rbv_document_free(doc);
  assert_ok(rbv_document_load(&doc, temp_file("follow.json", NULL)));
  // the second motion and the way to its start: 13 s and more
  assert_true(real_at(rbv_document_root(doc), "samples") > 500 * 13);
  assert_near(real_at(rbv_document_root(doc), "bad_rows.not_finite"), 0, 0, 0);
  // nobody touches the robot
  assert_near(real_at(rbv_document_root(doc), "contacts"), 0, 0, 0);
  rbv_document_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
