/* The F-statistic over many disturbances of the closed-loop bench. */
#include <stdio.h>

#include "bench.h"
#include "support.h"

#define RUNS 20

static void test_essential_parameters_in_every_run(void **state) {
  (void)state;
  rbv_model *m = bench_model();
  bench_options o = bench_defaults();
  o.counts = 3600;
  o.disturbance = 0.02;
  int most = 0;
  for (int i = 0; i < RUNS; i++) {
    o.seed = (uint64_t)(1 + i);
    bench_run r;
    bench_new(&r, m, BENCH_SAMPLES, &o);
    rbv_motion *motion = bench_motion(&r, m, 50);
    rbv_identify_options identify = rbv_identify_defaults();
    identify.filter.decimate = 125;
    identify.essential = true;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, m, &motion, 1, &identify));
    const int lost = bench_lost(e, m), spurious = e->active - (BENCH_TRUE - lost);
    if (lost > 0 || spurious > 5)
      print_error("seed %d: %d lost, %d spurious\n", i + 1, lost, spurious);
    assert_int_equal(lost, 0);
    if (spurious > most) most = spurious;
    rbv_estimate_free(e);
    rbv_motion_free(motion);
    bench_free(&r);
  }
  print_message("at most %d spurious parameters in %d runs\n", most, RUNS);
  assert_in_range(most, 0, 5);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_essential_parameters_in_every_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
