#include "loops.h"

#include <math.h>
#include <stdlib.h>

#include "base/support.h"
#include "support.h"

#define N BENCH_JOINTS

void loop_tune(rbv_control_joint joint[N], const rbv_model *m, double bandwidth, double integral,
               double roll_off) {
  static const double base_hz[N] = {6, 6, 8, 12, 12, 20};
  double *q = bench_reference(), J[N];
  const rbv_sim_reference r = {.count = BENCH_SAMPLES, .ld = BENCH_SAMPLES, .q = q};
  assert_ok(rbv_sim_inertia(J, m, rbv_model_parameters(m), false, &r, 50));
  for (int j = 0; j < N; j++)
    joint[j] = rbv_control_tune(J[j], 2 * RBV_PI * base_hz[j] * bandwidth, integral, roll_off);
  free(q);
}

static void run(const rbv_sim_trace *t, const rbv_model *m, const rbv_control *c,
                const rbv_sim_options *so, const rbv_sim_lane *lane, ptrdiff_t count) {
  double *q = bench_reference();
  const rbv_sim_reference r = {.count = count, .ld = BENCH_SAMPLES, .q = q};
  rbv_sim *s;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&s, m, c, so, 1));
  assert_ok(rbv_sim_set(s, 0, lane));
  assert_ok(rbv_sim_run(&outcome, s, &r, t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_sim_free(s);
  free(q);
}

void loop_run(rbv_sim_trace *out, const rbv_model *m, const rbv_control *c, const loop_options *o) {
  rbv_sim_options so = rbv_sim_defaults();
  double shift[N] = {0}, disturbance[N], noise[N];
  rbv_sim_lane lane = {.shift = shift, .seed = o->seed};
  assert_ok(rbv_sim_trace_new(out, N, o->count));
  if (o->disturbance > 0 || o->torque_noise > 0) {
    // they are relative to the torque of an undisturbed run
    run(out, m, c, &so, &lane, o->count);
    rbv_sim_deviation(disturbance, out, N, o->count);
    for (int j = 0; j < N; j++) {
      noise[j] = o->torque_noise * disturbance[j];
      disturbance[j] *= o->disturbance;
    }
    so.defects.disturbance = disturbance;
    so.defects.disturbance_hz = 20;
    so.defects.torque_noise = noise;
    so.defects.torque_noise_hz = o->noise_hz;
  }
  so.defects.record_counts = o->record_counts;
  so.defects.loop_counts = o->loop_counts;
  const double counts = fmax(o->record_counts, o->loop_counts);
  for (int j = 0; j < N && counts > 0; j++)
    shift[j] = (rbv_random_uniform(o->seed, 1, (uint64_t)j) - 0.5) * 2 * RBV_PI / counts;
  run(out, m, c, &so, &lane, o->count);
}

rbv_control_record loop_record(const rbv_sim_trace *t, ptrdiff_t count) {
  return (rbv_control_record){.name = "loop",
                              .count = count,
                              .ld = t->ld,
                              .qr = t->qr,
                              .qm = t->recorded_q,
                              .tau = t->recorded_tau};
}
