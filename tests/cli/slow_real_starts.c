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

/* rms of all positions [rad] */
static double error_of(const rbv_result *r) {
  double sum = 0;
  for (int j = 0; j < r->loop.noutput; j++) sum += r->loop.output[j].rms * r->loop.output[j].rms;
  return sqrt(sum / r->loop.noutput);
}

/* largest difference of two results in the sigma of the first */
static double distance(const rbv_result *a, const rbv_result *b) {
  double largest = 0;
  for (int k = 0; k < a->estimate.count; k++) {
    const rbv_parameter *p = &a->estimate.item[k];
    if (p->sigma > 0 && isfinite(p->sigma) && p->status != RBV_STATUS_PRIOR)
      largest = fmax(largest, fabs(p->value - b->estimate.item[k].value) / p->sigma);
  }
  return largest;
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
  rbv_result *all[STARTS];
  int best = 0, reached = 0;
  for (int i = 0; i < STARTS; i++) {
    draw_start(m, rbv_model_parameters(m), i);
    const double before = used_s();
    outcome o = tool(
        "identify '%s' '%s' --tip link06 -m cloe --controller z1.yaml --known-links --unknown "
        "delay --start start.yaml --actuator-delay %.4f -q -o start.json",
        robot, log_path, 0.02 * rbv_random_uniform(2, (uint64_t)i, 0));
    assert_in_range(o.code, 0, 1);
    outcome_free(&o);
    all[i] = tool_result("start.json");
    if (error_of(all[i]) < error_of(all[best])) best = i;
    print_message("start %d: %.4f mrad, %d simulations, %.1f s\n", i, 1e3 * error_of(all[i]),
                  all[i]->loop.simulations, used_s() - before);
  }
  for (int i = 0; i < STARTS; i++) {
    const double away = distance(all[best], all[i]),
                 more = error_of(all[i]) / error_of(all[best]) - 1;
    print_message("start %d: error %.2f %% larger than the best, parameters within %.2f sigma\n", i,
                  100 * more, away);
    reached += more < 5e-3 && away < 1;
  }
  print_message("%d of %d starts reached the same optimum\n", reached, STARTS);
  assert_true(reached >= 9);
  for (int i = 0; i < STARTS; i++) rbv_result_free(all[i]);
  rbv_model_free(m);
}

int main(void) {
  (void)recording("arm_z1/z1.xml");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_starts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
