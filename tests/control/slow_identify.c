/* Controller identification in the modes `offline` and `inloop` over several seeds: chosen method
 * and gains. (inloop: the controller uses the recorded positions; offline: the recorder has its
 * own, coarse encoder.) */
#include <math.h>
#include <roberval/sys/control.h>
#include <string.h>

#include "loops.h"
#include "support.h"

#define N BENCH_JOINTS
#define SEEDS 6

static double gain_of(const rbv_control_found *f, const char *name) {
  for (int i = 0; i < f->ngain; i++)
    if (strcmp(f->gain[i].name, name) == 0) return f->gain[i].value;
  return NAN;
}

static void run_mode(bool inloop, double bound) {
  rbv_model *m = bench_model();
  rbv_control_joint law[N];
  loop_tune(law, m, inloop ? 1 : 2, inloop ? 0.1 : 0.2, inloop ? 3 : 10);
  rbv_control *truth;
  assert_ok(rbv_control_new(&truth, "truth", BENCH_RATE, RBV_FEEDFORWARD_NONE, law, N));
  rbv_control_id_options o = rbv_control_id_defaults();
  o.rate_hz = BENCH_RATE;
  double worst[3] = {0}, sum[3] = {0};
  int right = 0, filters = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    const loop_options how = {.count = BENCH_SAMPLES,
                              .loop_counts = inloop ? 3600 : 0,
                              .record_counts = inloop ? 0 : 3600,
                              .disturbance = 0.02,
                              .seed = seed};
    rbv_sim_trace t;
    loop_run(&t, m, truth, &how);
    const rbv_control_record r = loop_record(&t, how.count);
    rbv_control_found f[N];
    rbv_control *c;
    assert_ok(rbv_control_identify(&c, f, N, &r, 1, &o));
    for (int j = 0; j < N; j++) {
      const double want[] = {law[j].k_p, law[j].k_i, law[j].k_d};
      const char *const name[] = {"k_p", "k_i", "k_d"};
      for (int i = 0; i < 3; i++) {
        const double error = fabs(gain_of(&f[j], name[i]) / want[i] - 1);
        if (!(error <= worst[i])) worst[i] = error;
        sum[i] += error * error / (N * SEEDS);
      }
      right += f[j].method == (inloop ? RBV_CONTROL_ID_LS : RBV_CONTROL_ID_SRIV) &&
               f[j].explained && f[j].backwards == !inloop;
      filters += strstr(f[j].structure, "filter") != NULL;
      if (!(fabs(gain_of(&f[j], "k_p") / want[0] - 1) < bound))
        print_message("seed %d joint %d: %s, delay %d, k_p %g for %g\n", (int)seed, j + 1,
                      f[j].structure, f[j].law.delay, gain_of(&f[j], "k_p"), want[0]);
    }
    rbv_control_free(c);
    rbv_sim_trace_free(&t);
  }
  print_message(
      "%s: right method for %d of %d, filter found %d; error of k_p, k_i, k_d in %%: rms "
      "%.2g %.2g %.2g, worst %.2g %.2g %.2g\n",
      inloop ? "inloop" : "offline", right, N * SEEDS, filters, 100 * sqrt(sum[0]),
      100 * sqrt(sum[1]), 100 * sqrt(sum[2]), 100 * worst[0], 100 * worst[1], 100 * worst[2]);
  assert_int_equal(right, N * SEEDS);
  for (int i = 0; i < 3; i++) assert_true(worst[i] < bound);
  rbv_control_free(truth);
  rbv_model_free(m);
}

static void test_inloop(void **state) {
  (void)state;
  run_mode(true, 1e-6);
}

/* one encoder count is 1.7 mrad, the tracking error about as large */
static void test_offline(void **state) {
  (void)state;
  run_mode(false, 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_inloop), cmocka_unit_test(test_offline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
