#include "bench.h"

#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/log.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#define N BENCH_JOINTS
#define SUBSTEPS 4
#define GAMMA 150

const char *const bench_true[BENCH_TRUE] = {"ZZ1", "Fv1", "Fc1", "XX2", "XZ2", "ZZ2",  "MX2",
                                            "Fv2", "Fc2", "XX3", "ZZ3", "MY3", "Ia3",  "Fv3",
                                            "Fc3", "MX4", "Ia4", "Fv4", "Fc4", "MY5",  "Ia5",
                                            "Fv5", "Fc5", "Ia6", "Fv6", "Fc6", "fvm6", "fcm6"};

bench_options bench_defaults(void) {
  return (bench_options){.bandwidth = 2, .integral = 0.2, .roll_off = 10};
}

bench_options bench_offline(uint64_t seed) {
  bench_options o = bench_defaults();
  o.counts = 3600;
  o.disturbance = 0.02;
  o.seed = seed;
  return o;
}

static bench_options soft(uint64_t seed) {
  return (bench_options){.bandwidth = 1, .integral = 0.1, .roll_off = 3, .seed = seed};
}

bench_options bench_in_loop(uint64_t seed) {
  bench_options o = soft(seed);
  o.counts = 3600;
  o.in_loop = true;
  o.disturbance = 0.02;
  return o;
}

bench_options bench_white(uint64_t seed) {
  bench_options o = soft(seed);
  o.loop_noise = 1e-4;
  return o;
}

rbv_model *bench_model(void) {
  rbv_model_options o = rbv_model_defaults();
  o.gamma = GAMMA;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", &o));
  return m;
}

double *bench_reference(void) {
  double *built_in, *q = malloc(BENCH_SAMPLES * N * sizeof *q), rate_hz;
  ptrdiff_t count;
  int njoint;
  assert_ok(rbv_sim_reference_builtin(&built_in, &count, &njoint, &rate_hz, "tx40"));
  assert_true(q && count == BENCH_SAMPLES && njoint == N && rate_hz == BENCH_RATE);
  memcpy(q, built_in, BENCH_SAMPLES * N * sizeof *q);
  rbv_sim_reference_release(built_in);
  return q;
}

/* ---- one run ---- */

rbv_control *bench_control(const double inertia[N], const bench_options *o) {
  static const double base_hz[N] = {6, 6, 8, 12, 12, 20};
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++)
    joint[j] = rbv_control_tune(inertia[j], 2 * RBV_PI * base_hz[j] * o->bandwidth, o->integral,
                                o->roll_off);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "bench", BENCH_RATE, RBV_FEEDFORWARD_NONE, joint, N));
  return c;
}

/* disturbance, noise: standard deviations per joint [N m] */
static void run(bench_run *r, const rbv_model *m, const rbv_sim_reference *reference,
                const double *shift, const double *disturbance, const double *noise,
                const bench_options *o) {
  rbv_control *c = bench_control(r->inertia, o);
  rbv_sim_options so = rbv_sim_defaults();
  so.integrator = RBV_INTEGRATOR_RK4;
  so.substeps = SUBSTEPS;
  so.defects.record_counts = o->in_loop ? 0 : o->counts;
  so.defects.loop_counts = o->in_loop ? o->counts : 0;
  so.defects.loop_noise = o->loop_noise;
  so.defects.disturbance = disturbance;
  so.defects.disturbance_hz = 20;
  so.defects.torque_noise = noise;
  so.defects.torque_noise_hz = o->torque_noise_hz;
  const rbv_sim_lane lane = {.chi = o->chi, .shift = shift, .seed = o->seed};
  const rbv_sim_trace trace = {.ld = r->count,
                               .q = r->q,
                               .dq = r->dq,
                               .ddq = r->ddq,
                               .tau = r->tau,
                               .qr = r->reference,
                               .recorded_q = r->recorded,
                               .recorded_tau = r->recorded_tau};
  rbv_sim *s;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&s, m, c, &so, 1));
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_run(&outcome, s, reference, &trace));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_sim_free(s);
  rbv_control_free(c);
}

void bench_new(bench_run *out, const rbv_model *m, ptrdiff_t count, const bench_options *o) {
  *out = (bench_run){.count = count};
  double **block[] = {&out->q,        &out->dq,           &out->ddq,      &out->tau,
                      &out->recorded, &out->recorded_tau, &out->reference};
  for (int i = 0; i < RBV_COUNT(block); i++) {
    *block[i] = malloc((size_t)count * N * sizeof(double));
    assert_non_null(*block[i]);
  }
  double *q = bench_reference(), shift[N] = {0}, disturbance[N] = {0}, noise[N] = {0};
  rbv_sim_reference reference = {.count = BENCH_SAMPLES, .ld = BENCH_SAMPLES, .q = q};
  // every 50th sample, as in the program that made the reference values: all samples would give
  // 1e-4 more
  assert_ok(rbv_sim_inertia(out->inertia, m, rbv_model_parameters(m), false, &reference, 50));
  reference.count = count;
  if (o->disturbance > 0 || o->torque_noise > 0) {
    // they are relative to the torque of an undisturbed run
    const bench_options clean = {
        .bandwidth = o->bandwidth, .integral = o->integral, .roll_off = o->roll_off, .chi = o->chi};
    run(out, m, &reference, shift, NULL, NULL, &clean);
    const rbv_sim_trace exact = {.ld = count, .tau = out->tau};
    rbv_sim_deviation(disturbance, &exact, N, count);
    for (int j = 0; j < N; j++) {
      noise[j] = disturbance[j] * o->torque_noise;
      disturbance[j] *= o->disturbance;
      if (o->counts > 0)
        shift[j] = (rbv_random_uniform(o->seed, 1, (uint64_t)j) - 0.5) * 2 * RBV_PI / o->counts;
    }
  }
  run(out, m, &reference, shift, disturbance, noise, o);
  free(q);
}

void bench_free(bench_run *r) {
  free(r->q);
  free(r->dq);
  free(r->ddq);
  free(r->tau);
  free(r->recorded);
  free(r->recorded_tau);
  free(r->reference);
  *r = (bench_run){0};
}

rbv_motion *bench_motion(const bench_run *r, const rbv_model *m, double cutoff_hz) {
  static const char *const names[] = {"t",    "q1",   "q2",   "q3",   "q4",   "q5",  "q6",
                                      "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  const size_t block = (size_t)r->count * N;
  double *A = malloc((block * 2 + (size_t)r->count) * sizeof *A);
  for (ptrdiff_t k = 0; k < r->count; k++) A[k] = (double)k / BENCH_RATE;
  memcpy(A + r->count, r->recorded, block * sizeof *A);
  memcpy(A + r->count + block, r->recorded_tau, block * sizeof *A);
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "bench", names, 1 + 2 * N, A, r->count, r->count));
  free(A);
  const rbv_differentiate_options o = {.cutoff_hz = cutoff_hz};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_log_free(log);
  return motion;
}

rbv_motion *bench_exact_motion(const bench_run *r) {
  const rbv_motion_info info = {
      .name = "exact", .njoint = N, .ntorque = N, .count = r->count, .rate_hz = BENCH_RATE};
  const rbv_samples samples = {
      .ld = r->count, .q = r->q, .dq = r->dq, .ddq = r->ddq, .torque = r->recorded_tau};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  return motion;
}

int bench_lost(const rbv_estimate *e, const rbv_model *m) {
  int lost = BENCH_TRUE;
  for (int i = 0; i < BENCH_TRUE; i++) {
    bool there = false;
    for (int k = 0; k < e->base->count; k++)
      there = there || (e->base->kept[k] == rbv_model_find(m, bench_true[i]) &&
                        e->status[k] != RBV_STATUS_NOT_IDENTIFIABLE);
    if (!there) print_error("lost: %s\n", bench_true[i]);
    lost -= there;
  }
  return lost;
}

/* ---- run with its closed loop ---- */

/* wrong inertias, from which an identification starts */
static double *first_guess(const rbv_model *m, uint64_t seed) {
  const int nc = rbv_model_column_count(m);
  double *chi = calloc((size_t)nc, sizeof *chi);
  for (int c = 0; c < nc; c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis == RBV_BASIS_INERTIAL || rbv_column_has_law(column, "Ia"))
      chi[c] =
          rbv_model_parameters(m)[c] * (0.8 + 0.45 * rbv_random_uniform(seed, 77, (uint64_t)c));
  }
  return chi;
}

void bench_loop_new(bench_loop *b, ptrdiff_t count, const bench_options *o, double cutoff_hz) {
  *b = (bench_loop){.m = bench_model()};
  bench_new(&b->run, b->m, count, o);
  b->control = bench_control(b->run.inertia, o);
  b->reference = (rbv_sim_reference){.count = count, .ld = count, .q = b->run.reference};
  b->motion = cutoff_hz > 0 ? bench_motion(&b->run, b->m, cutoff_hz) : bench_exact_motion(&b->run);
  b->start = first_guess(b->m, o->seed);
  b->columns = calloc((size_t)rbv_model_column_count(b->m), sizeof *b->columns);
  for (int i = 0; i < BENCH_TRUE; i++) b->columns[rbv_model_find(b->m, bench_true[i])] = true;
  b->loop = rbv_closed_loop_defaults();
  b->loop.control = b->control;
  b->loop.reference = &b->reference;
  b->loop.start = b->start;
  b->how = rbv_identify_defaults();
  b->how.filter.decimate = 125;
  b->how.columns = b->columns;
  b->how.loop = &b->loop;
}

void bench_loop_free(bench_loop *b) {
  free(b->columns);
  free(b->start);
  rbv_motion_free(b->motion);
  rbv_control_free(b->control);
  bench_free(&b->run);
  rbv_model_free(b->m);
}

double bench_error(const rbv_estimate *e, const rbv_model *m, int i) {
  const int c = rbv_model_find(m, bench_true[i]);
  const double truth = rbv_model_parameters(m)[c];
  return (e->chi[c] - truth) / fabs(truth);
}

double bench_worst_error(const rbv_estimate *e, const rbv_model *m) {
  double worst = 0;
  for (int i = 0; i < BENCH_TRUE; i++) {
    const double error = fabs(bench_error(e, m, i));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}
