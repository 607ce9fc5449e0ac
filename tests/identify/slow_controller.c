/* Parameters with an identified controller, compared with those with the true one. */
#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "support.h"

#define N BENCH_JOINTS

/* recorded positions and torques as a motion */
static rbv_motion *motion_of(const rbv_sim_trace *t, const rbv_model *m, ptrdiff_t count) {
  static const char *const names[] = {"t",    "q1",   "q2",   "q3",   "q4",   "q5",  "q6",
                                      "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  const size_t block = (size_t)count * N;
  double *A = malloc((2 * block + (size_t)count) * sizeof *A);
  assert_non_null(A);
  for (ptrdiff_t k = 0; k < count; k++) A[k] = (double)k / BENCH_RATE;
  memcpy(A + count, t->recorded_q, block * sizeof *A);
  memcpy(A + count + block, t->recorded_tau, block * sizeof *A);
  rbv_log *log;
  rbv_motion *motion;
  assert_ok(rbv_log_new(&log, "loop", names, 1 + 2 * N, A, count, count));
  const rbv_differentiate_options o = {.cutoff_hz = 50};
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_log_free(log);
  free(A);
  return motion;
}

static rbv_estimate *estimate_with(const rbv_control *c, const char *method, const rbv_model *m,
                                   rbv_motion *motion, const rbv_sim_trace *t, ptrdiff_t count) {
  bool columns[128] = {false};
  rbv_sim_reference reference = {.count = count, .ld = t->ld, .q = t->qr};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = c;
  loop.reference = &reference;
  loop.start = rbv_model_parameters(m);
  rbv_identify_options how = rbv_identify_defaults();
  how.method = method;
  how.filter.decimate = 125;
  for (int i = 0; i < BENCH_TRUE; i++) columns[rbv_model_find(m, bench_true[i])] = true;
  how.columns = columns;
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &how));
  assert_true(e->converged);
  return e;
}

/* each parameter agrees within 1 % or one sigma with that of the true controller */
static void compare_estimates(const rbv_estimate *a, const rbv_estimate *b, const char *mode) {
  double sigmas = 0, share = 0;
  for (int k = 0; k < a->base->count; k++) {
    const double sigma = sqrt(a->covariance[k + (ptrdiff_t)k * a->base->count]);
    const double moved = fabs(a->value[k] - b->value[k]);
    sigmas = fmax(sigmas, moved / sigma);
    if (!(moved <= sigma)) share = fmax(share, moved / fabs(a->value[k]));
  }
  print_message("%s, %s: parameters move by %.2g sigma at most; beyond one sigma by %.2g %%\n",
                mode, a->method, sigmas, 100 * share);
  assert_true(share < 0.01);
}

/* mode inloop: the controller uses the recorded positions; offline: the recorder has its own
 * encoder */
static void compare(bool inloop) {
  rbv_model *m = bench_model();
  rbv_control_joint law[N];
  loop_tune(law, m, inloop ? 1 : 2, inloop ? 0.1 : 0.2, inloop ? 3 : 10);
  rbv_control *truth, *c;
  assert_ok(rbv_control_new(&truth, "truth", BENCH_RATE, RBV_FEEDFORWARD_NONE, law, N));
  const loop_options how = {.count = BENCH_SAMPLES,
                            .loop_counts = inloop ? 3600 : 0,
                            .record_counts = inloop ? 0 : 3600,
                            .disturbance = 0.02,
                            .seed = 1};
  rbv_sim_trace t;
  loop_run(&t, m, truth, &how);
  const rbv_control_record r = loop_record(&t, how.count);
  rbv_control_id_options o = rbv_control_id_defaults();
  o.rate_hz = BENCH_RATE;
  rbv_control_found f[N];
  assert_ok(rbv_control_identify(&c, f, N, &r, 1, &o));
  assert_non_null(c);
  rbv_motion *motion = motion_of(&t, m, how.count);
  const char *const methods[] = {"iv", "piv"};
  for (int i = 0; i < 2; i++) {
    rbv_estimate *a = estimate_with(truth, methods[i], m, motion, &t, how.count);
    rbv_estimate *b = estimate_with(c, methods[i], m, motion, &t, how.count);
    compare_estimates(a, b, inloop ? "inloop" : "offline");
    rbv_estimate_free(a);
    rbv_estimate_free(b);
  }
  rbv_motion_free(motion);
  rbv_control_free(c);
  rbv_control_free(truth);
  rbv_sim_trace_free(&t);
  rbv_model_free(m);
}

static void test_inloop(void **state) {
  (void)state;
  compare(true);
}

static void test_offline(void **state) {
  (void)state;
  compare(false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_inloop), cmocka_unit_test(test_offline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
