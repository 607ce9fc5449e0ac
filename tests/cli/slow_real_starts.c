/*
 * The real arm from ten random starts: rotor inertias and friction within a factor of ten of those
 * of the robot file, delays up to 20 ms. Nine or more reach the same optimum.
 */
#include "real_positions.h"

#define STARTS 10

/* a parameter file with values of the robot file times a factor of 0.1 to 10 */
static void draw_start(const rbv_model *m, const double *chi, int start) {
  rbv_text t = {0};
  rbv_text_put(&t, "{");
  for (int c = 0, count = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    double value = chi[c];
    if (column->basis != RBV_BASIS_INERTIAL)
      value *= pow(10, 2 * rbv_random_uniform(1, (uint64_t)start, (uint64_t)c) - 1);
    rbv_text_print(&t, "%s%s: %.17g", count++ ? ", " : "", column->name, value);
  }
  rbv_text_put(&t, "}\n");
  (void)temp_file("start.yaml", t.data);
  rbv_text_free(&t);
}

/* -2 log(likelihood) of the positions, and its rows */
static double cost_of(const rbv_result *r, double *rows) {
  double cost = 0;
  *rows = 0;
  for (int j = 0; j < r->loop.noutput; j++) {
    const rbv_output_fit *f = &r->loop.output[j];
    cost += (double)f->rows * log((double)f->rows * f->rms * f->rms);
    *rows += (double)f->rows;
  }
  return cost;
}

static void test_starts(void **state) {
  (void)state;
  char robot[2048], log_path[2048];
  strcpy(robot, recording("arm_z1/z1.xml"));
  strcpy(log_path, recording("arm_z1/z1_8s.csv.gz"));
  write_real_laws();
  rbv_model *m;
  rbv_model_options part = rbv_model_defaults();
  part.tip = "link06";
  assert_ok(rbv_model_load(&m, robot, &part));
  double cost[STARTS], rows = 0, best = INFINITY;
  for (int i = 0; i < STARTS; i++) {
    draw_start(m, rbv_model_parameters(m), i);
    const double before = used_s();
    outcome o = tool(
        "identify '%s' '%s' --tip link06 -m cloe --controller z1.yaml --known-links --unknown "
        "delay --start start.yaml --actuator-delay %.4f -q -o start.json",
        robot, log_path, 0.02 * rbv_random_uniform(2, (uint64_t)i, 0));
    assert_in_range(o.code, 0, 1);
    outcome_free(&o);
    rbv_result *r = tool_result("start.json");
    cost[i] = cost_of(r, &rows);
    print_message("start %d: cost %.1f, %d simulations, %.1f s, delay %.2f ms\n", i, cost[i],
                  r->loop.simulations, used_s() - before, 1e3 * r->loop.unknown[0].value);
    best = fmin(best, cost[i]);
    rbv_result_free(r);
  }
  int reached = 0;
  // the search ends where the error changes by less than 0.01 %
  for (int i = 0; i < STARTS; i++) reached += cost[i] - best <= 5e-4 * rows;
  print_message("%d of %d starts reached the same cost\n", reached, STARTS);
  assert_true(reached >= 9);
  rbv_model_free(m);
}

int main(void) {
  (void)recording("arm_z1/z1.xml");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_starts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
