/*
 * roberval identify --method cloe on a real robot that records no torque, with the default start
 * and the gains of their makers: a six-axis arm.
 */
#include "real_positions.h"

#define ARM "--tip link06 -m cloe --controller z1.yaml --unknown delay -q"

static char robot[2048], log_path[2048];

static int prepare(void **state) {
  (void)state;
  write_real_laws();
  strcpy(robot, recording("arm_z1/z1.xml"));
  strcpy(log_path, recording("arm_z1/z1_8s.csv.gz"));
  return 0;
}

/* identified from 8 s, and from the first 5 s; processor time on one core */
static void identify_arm(const char *links, double most_s) {
  const double before = used_s();
  free(tool_text("identify '%s' '%s' " ARM " %s -o arm.json", robot, log_path, links));
  const double span = used_s() - before;
  print_message("%.2f s\n", span);
  assert_true(span <= most_s);
  check_free_run("arm.json", log_path, "", 5.5e-3);
  free(tool_text("identify '%s' '%s' " ARM " %s --to 5 -o part.json", robot, log_path, links));
  check_free_run("part.json", log_path, "--from 5", 8e-3);
  rbv_result *r = tool_result("arm.json");
  assert_true(r->converged && !r->loop.stopped);
  rbv_result_free(r);
}

static void test_arm(void **state) {
  (void)state;
  identify_arm("--known-links", 6);
}

/* The slow motion does not determine all links: where it does not, those of the file are used, and
 * the search ends. */
static void test_arm_with_unknown_links(void **state) {
  (void)state;
  identify_arm("", 30);
  rbv_result *r = tool_result("arm.json");
  assert_true(r->loop.near_links);
  int of_file = 0;
  for (int k = 0; k < r->estimate.count; k++) {
    const rbv_parameter *p = &r->estimate.item[k];
    of_file += p->status == RBV_STATUS_PRIOR;
    // rotor inertias and friction are never those of the file
    if (p->name[0] == 'F' || strncmp(p->name, "Ia", 2) == 0)
      assert_int_not_equal(p->status, RBV_STATUS_PRIOR);
  }
  assert_true(of_file > 0);
  rbv_result_free(r);
}

int main(void) {
  (void)recording("arm_z1/z1.xml");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arm),
                                     cmocka_unit_test(test_arm_with_unknown_links)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
