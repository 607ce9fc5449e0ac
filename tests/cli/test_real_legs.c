/*
 * roberval identify --method cloe on the four legs of a real quadruped that records no torque, with
 * the default start and the gains of their makers.
 */
#include "real_positions.h"

static int prepare(void **state) {
  (void)state;
  write_real_laws();
  return 0;
}

/* (largest - smallest) over the mean of four values */
static double spread(const double x[4]) {
  double low = x[0], high = x[0], sum = 0;
  for (int i = 0; i < 4; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
    sum += x[i] / 4;
  }
  return (high - low) / sum;
}

static double value_of(const rbv_result *r, const char *name) {
  for (int i = 0; i < r->loop.nunknown; i++)
    if (strcmp(r->loop.unknown[i].name, name) == 0) return r->loop.unknown[i].value;
  return parameter_of(r, name)->value;
}

/* identified from one recording, simulated along two others; equal motors have equal values */
static void test_legs(void **state) {
  (void)state;
  static const char *const leg[] = {"FL", "FR", "RL", "RR"};
  double calf[4], thigh[4], friction[4];
  char file[2048], log_path[2048], others[2][2048];
  strcpy(file, recording("legs_go2/go2.xml"));
  strcpy(log_path, recording("legs_go2/go2_0.csv.gz"));
  strcpy(others[0], recording("legs_go2/go2_2.csv.gz"));
  strcpy(others[1], recording("legs_go2/go2_4.csv.gz"));
  for (int i = 0; i < 4; i++) {
    const double before = used_s();
    free(
        tool_text("identify '%s' '%s' --root base --tip %s_calf -m cloe --controller go2.yaml "
                  "--known-links --unknown delay -q -o leg.json",
                  file, log_path, leg[i]));
    const double span = used_s() - before;
    print_message("%s: %.2f s\n", leg[i], span);
    assert_true(span <= 3);
    check_free_run("leg.json", others[0], "", 4e-3);
    check_free_run("leg.json", others[1], "", 4e-3);
    rbv_result *r = tool_result("leg.json");
    calf[i] = value_of(r, "Ia3");
    thigh[i] = value_of(r, "Ia2");
    friction[i] = value_of(r, "Fv3");
    rbv_result_free(r);
  }
  print_message("spread of Ia: calf %.1f %%, thigh %.1f %%; Fv: calf %.1f %%\n", 100 * spread(calf),
                100 * spread(thigh), 100 * spread(friction));
  assert_true(spread(calf) <= 0.1 && spread(thigh) <= 0.1 && spread(friction) <= 0.1);
}

int main(void) {
  (void)recording("legs_go2/go2.xml");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_legs)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
