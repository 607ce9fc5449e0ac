/* The closed loop of the TX40 beside the numbers of an independent program, and its integrators. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "bench.h"
#include "control/control.h"
#include "document/document.h"
#include "nodes.h"
#include "sim/sim_each.h"
#include "support.h"

#define N BENCH_JOINTS
#define SHORT 6000  // what the other program has written down

typedef struct {
  rbv_model *m;
  rbv_control *control;
  double *reference;
  double J[N];
} fixture;

static rbv_sim_reference reference_of(const fixture *f, ptrdiff_t count) {
  return (rbv_sim_reference){.count = count, .ld = BENCH_SAMPLES, .q = f->reference};
}

/* the stiff loop of the bench */
static rbv_control *stiff(const double *J) {
  static const double base_hz[N] = {6, 6, 8, 12, 12, 20};
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++) joint[j] = rbv_control_tune(J[j], 4 * M_PI * base_hz[j], 0.2, 10);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "stiff", BENCH_RATE, RBV_FEEDFORWARD_NONE, joint, N));
  return c;
}

static int set_up(void **state) {
  static fixture f;
  f.m = bench_model();
  f.reference = bench_reference();
  const rbv_sim_reference all = reference_of(&f, BENCH_SAMPLES);
  assert_ok(rbv_sim_inertia(f.J, f.m, rbv_model_parameters(f.m), false, &all, 50));
  f.control = stiff(f.J);
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rbv_control_free(f->control);
  free(f->reference);
  rbv_model_free(f->m);
  return 0;
}

static rbv_sim_trace run(const fixture *f, ptrdiff_t count, rbv_integrator integrator,
                         int substeps) {
  rbv_sim_options o = rbv_sim_defaults();
  o.integrator = integrator;
  o.substeps = substeps;
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  const rbv_sim_reference r = reference_of(f, count);
  assert_ok(rbv_sim_new(&s, f->m, f->control, &o, 1));
  assert_ok(rbv_sim_trace_new(&t, N, count));
  assert_ok(rbv_sim_run(&outcome, s, &r, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  assert_int_equal(outcome.samples, count);
  rbv_sim_free(s);
  return t;
}

static double largest_difference(const double *a, const double *b, ptrdiff_t count) {
  double worst = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= worst)) worst = fabs(a[i] - b[i]);
  return worst;
}

/* ---- the other program, and the integrators ---- */

static double distance(const rbv_node *root, const char *key, const double *mine) {
  const rbv_node *rows = node_at(root, key);
  double worst = 0;
  assert_int_equal(rbv_node_count(rows), 300);
  for (int i = 0; i < 300; i++) {
    double want[N];
    assert_ok(rbv_node_reals(want, N, rbv_node_at(rows, i)));
    for (int j = 0; j < N; j++) {
      const double error = fabs(mine[20 * i + j * SHORT] - want[j]);
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

static void test_loop_is_that_of_the_other_program(void **state) {
  const fixture *f = *state;
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/tx40_closed_loop.json"));
  rbv_sim_trace t = run(f, SHORT, RBV_INTEGRATOR_RK4, 4);
  assert_near(distance(rbv_document_root(doc), "q", t.q), 0, 1e-8, 0);
  assert_near(distance(rbv_document_root(doc), "tau", t.tau), 0, 1e-5, 0);
  // accelerations see the friction's pole at 27 600 1/s
  assert_near(distance(rbv_document_root(doc), "qd", t.dq), 0, 1e-6, 0);
  assert_near(distance(rbv_document_root(doc), "qdd", t.ddq), 0, 1e-2, 0);
  rbv_sim_trace_free(&t);
  rbv_document_free(doc);
}

/* the default is of order 3 and within 1e-6 rad of a solution that is exact for this purpose */
static void test_default_integrator(void **state) {
  const fixture *f = *state;
  const ptrdiff_t size = SHORT * N;
  rbv_sim_trace exact = run(f, SHORT, RBV_INTEGRATOR_RK4, 64), t;
  double error[3];
  for (int i = 0; i < 3; i++) {
    t = run(f, SHORT, RBV_INTEGRATOR_ROSENBROCK, 1 << i);
    error[i] = largest_difference(t.q, exact.q, size);
    rbv_sim_trace_free(&t);
  }
  assert_near(error[0], 0, 1e-6, 0);
  for (int i = 0; i < 2; i++) assert_true(error[i] / error[i + 1] > 5 && error[i + 1] > 0);
  // by default at 5 kHz: one step
  t = run(f, SHORT, RBV_INTEGRATOR_ROSENBROCK, 0);
  assert_near(largest_difference(t.q, exact.q, size), error[0], 0, 0);
  rbv_sim_trace_free(&t);
  rbv_sim_trace_free(&exact);
}

/*
 * Two evaluations instead of four: order 2, and at one step of 5 kHz not farther from the exact
 * solution than a tenth of a step of an encoder of 20 bit (6e-6 rad)
 */
static void test_two_stages(void **state) {
  const fixture *f = *state;
  const ptrdiff_t size = SHORT * N;
  rbv_sim_trace exact = run(f, SHORT, RBV_INTEGRATOR_RK4, 64), t;
  double error[4];
  for (int i = 0; i < 4; i++) {
    t = run(f, SHORT, RBV_INTEGRATOR_ROS2, 1 << i);
    error[i] = largest_difference(t.q, exact.q, size);
    rbv_sim_trace_free(&t);
  }
  assert_near(error[0], 0, 6e-7, 0);
  // 4 for order 2; the friction is stiff, so that 4 is reached for small steps only
  for (int i = 0; i < 3; i++) assert_true(error[i] / error[i + 1] > 3.4 && error[i + 1] > 0);
  // by default at 5 kHz: one step
  t = run(f, SHORT, RBV_INTEGRATOR_ROS2, 0);
  assert_near(largest_difference(t.q, exact.q, size), error[0], 0, 0);
  rbv_sim_trace_free(&t);
  rbv_sim_trace_free(&exact);
}

/* the automatic choice keeps its promise on the whole motion, and needs to know the encoder */
static void test_choice(void **state) {
  const fixture *f = *state;
  const rbv_sim_reference r = reference_of(f, SHORT);
  const rbv_sim_lane lane = {0};
  const double step = 2 * M_PI / 20000;
  double error;
  rbv_sim_options o = rbv_sim_defaults();
  assert_ok(rbv_sim_choose_integrator(&o, &error, f->m, f->control, &lane, &r, step));
  assert_int_equal(o.integrator, RBV_INTEGRATOR_ROS2);
  assert_int_equal(o.substeps, 1);
  rbv_sim_trace exact = run(f, SHORT, RBV_INTEGRATOR_RK4, 64);
  rbv_sim_trace t = run(f, SHORT, o.integrator, o.substeps);
  const double real = largest_difference(t.q, exact.q, SHORT * N);
  assert_true(error > 0 && real <= step / 10);
  // the windows contain the places that matter: what is promised is four times their error
  assert_true(real <= 4 * error);
  rbv_sim_trace_free(&t);
  rbv_sim_trace_free(&exact);
  // too fine, or not known
  o = rbv_sim_defaults();
  assert_ok(rbv_sim_choose_integrator(&o, &error, f->m, f->control, &lane, &r, real));
  assert_int_equal(o.integrator, RBV_INTEGRATOR_ROSENBROCK);
  assert_int_equal(o.substeps, 0);
  assert_ok(rbv_sim_choose_integrator(&o, &error, f->m, f->control, &lane, &r, 0));
  assert_int_equal(o.integrator, RBV_INTEGRATOR_ROSENBROCK);
  assert_true(isnan(error));
}

/* at one step per tick the explicit scheme is beyond its limit, the others are not */
static void test_stiff_friction(void **state) {
  const fixture *f = *state;
  enum { TICKS = 500 };
  double *still = malloc(TICKS * N * sizeof *still);
  for (int j = 0; j < N; j++)
    for (int k = 0; k < TICKS; k++) still[k + j * TICKS] = f->reference[j * BENCH_SAMPLES];
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = still};
  static const rbv_integrator scheme[] = {RBV_INTEGRATOR_ROSENBROCK, RBV_INTEGRATOR_RK4,
                                          RBV_INTEGRATOR_ROS2};
  double rough[3];
  for (int i = 0; i < 3; i++) {
    rbv_sim_options o = rbv_sim_defaults();
    o.integrator = scheme[i];
    o.substeps = 1;
    rbv_sim *s;
    rbv_sim_trace t;
    rbv_sim_outcome outcome;
    assert_ok(rbv_sim_new(&s, f->m, f->control, &o, 1));
    assert_ok(rbv_sim_trace_new(&t, N, TICKS));
    assert_ok(rbv_sim_run(&outcome, s, &r, &t));
    // the wrist chatters, or stands
    rough[i] = 0;
    for (int k = TICKS / 2; k < TICKS; k++) rough[i] = fmax(rough[i], fabs(t.dq[k + 5 * TICKS]));
    rbv_sim_trace_free(&t);
    rbv_sim_free(s);
  }
  assert_true(rough[0] < 1e-3);
  assert_true(rough[2] < 1e-3);
  assert_true(rough[1] > 20 * rough[0]);
  free(still);
}

/* ---- identities ---- */

/* applied = W chi for every sample, on models with all that a robot file can say */
static void check_identity(const rbv_model *m, const double *chi, bool loaded, uint64_t seed,
                           rbv_integrator integrator) {
  enum { TICKS = 400 };
  const int n = rbv_model_joint_count(m);
  double *q = malloc((size_t)(TICKS * n) * sizeof *q), J[16], noise[16];
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < TICKS; k++) q[k + j * TICKS] = 0.2 * j + 0.1 * sin(0.004 * (j + 1) * k);
    noise[j] = 0.1;
  }
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = q};
  assert_ok(rbv_sim_inertia(J, m, chi, loaded, &r, 1));
  rbv_control_joint joint[16];
  for (int j = 0; j < n; j++) joint[j] = rbv_control_tune(J[j], 60, 0.1, 5);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, NULL, 1000, RBV_FEEDFORWARD_NONE, joint, n));
  rbv_sim_options o = rbv_sim_defaults();
  o.loaded = loaded;
  o.defects.disturbance = noise;
  rbv_sim_trace t[2];
  rbv_sim_outcome outcome;
  for (int i = 0; i < 2; i++) {
    o.integrator = i ? RBV_INTEGRATOR_RK4 : integrator;
    o.substeps = i ? 64 : 32;
    rbv_sim *s;
    assert_ok(rbv_sim_new(&s, m, c, &o, 1));
    const rbv_sim_lane lane = {.chi = chi, .seed = seed};
    assert_ok(rbv_sim_set(s, 0, &lane));
    assert_ok(rbv_sim_trace_new(&t[i], n, TICKS));
    assert_ok(rbv_sim_run(&outcome, s, &r, &t[i]));
    assert_int_equal(outcome.verdict, RBV_SIM_DONE);
    rbv_sim_free(s);
  }
  // two schemes, one motion: the steps are 31 and 16 microseconds
  assert_near(largest_difference(t[0].q, t[1].q, TICKS * n), 0, 1e-6, 0);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  const int nrow = rbv_model_row_count(m), ncol = rbv_model_column_count(m);
  double *W = malloc((size_t)(nrow * ncol) * sizeof *W), x[3][16];
  for (int k = 0; k < TICKS; k++) {
    for (int j = 0; j < n; j++) {
      x[0][j] = t[0].q[k + j * TICKS];
      x[1][j] = t[0].dq[k + j * TICKS];
      x[2][j] = t[0].ddq[k + j * TICKS];
    }
    rbv_regressor_eval(W, d, x[0], x[1], x[2], loaded);
    for (int j = 0; j < n; j++) {
      double sum = 0, size = 0;
      for (int i = 0; i < ncol; i++) {
        sum += W[j + i * nrow] * chi[i];
        size += fabs(W[j + i * nrow] * chi[i]);
      }
      // M of condition 1e3 to 1e4 was solved: 1e4 eps of the terms
      assert_near(t[0].applied[k + j * TICKS], sum, 1e-11 * (1 + size), 0);
    }
  }
  free(W);
  rbv_dynamics_free(d);
  for (int i = 0; i < 2; i++) rbv_sim_trace_free(&t[i]);
  rbv_control_free(c);
  free(q);
}

static void test_torque_is_regressor_times_parameters(void **state) {
  const fixture *f = *state;
  check_identity(f->m, rbv_model_parameters(f->m), false, 1, RBV_INTEGRATOR_ROSENBROCK);
  check_identity(f->m, rbv_model_parameters(f->m), false, 1, RBV_INTEGRATOR_ROS2);
}

/* an arm with every friction form, a coupling, a payload, a slide and columns of its own */
static const char own_arm[] =
    "name: own\n"
    "friction: {gamma: 80, stribeck: 0.2}\n"
    "joints:\n"
    "  - {name: a, mdh: {alpha: 0, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, off]}\n"
    "  - {name: b, mdh: {alpha: -pi/2, d: 0.1, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fcu, off]}\n"
    "  - {name: c, type: prismatic, mdh: {alpha: pi/2, d: 0.2, theta: 0, r: 0.1},\n"
    "     drive: [Ia, Fv, Fsq, Fcp, Fcn]}\n"
    "transmission: {couplings: [{motor: 2, joint: 1, ratio: 0.5}]}\n"
    "columns:\n"
    "  - {name: spring, unit: N m/rad, joint: a, expression: q1 + 0.1*q2}\n"
    "  - {name: Fo, unit: N m, joint: b, expression: tanh(100*dq2)}\n";

static void test_models_with_everything(void **state) {
  (void)state;
  rbv_model_options o = rbv_model_defaults();
  o.payload = true;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "own", own_arm, sizeof own_arm - 1, &o));
  double chi[128];
  const int n = rbv_model_column_count(m);
  assert_in_range(n, 40, 60);
  for (int c = 0; c < n; c++) {
    const rbv_column *column = rbv_model_column(m, c);
    // three bodies and a payload that could exist, and friction that brakes
    static const double body[] = {0.05, 0.01, 0, 0.06, 0, 0.04, 0.02, 0.03, 0.01, 1.5};
    chi[c] = column->basis == RBV_BASIS_INERTIAL ? body[column->component]
             : rbv_column_has_law(column, "Ia")  ? 0.2
                                                 : 0.3 + 0.1 * (c % 5);
  }
  check_identity(m, chi, true, 2, RBV_INTEGRATOR_ROSENBROCK);
  check_identity(m, chi, false, 2, RBV_INTEGRATOR_ROSENBROCK);
  check_identity(m, chi, true, 2, RBV_INTEGRATOR_ROS2);
  rbv_model_free(m);
}

/* ---- lanes ---- */

static void check_lanes(const fixture *f, rbv_integrator integrator) {
  enum { LANES = 5, TICKS = 1000 };
  const double noise[N] = {1, 1, 0.5, 0.2, 0.2, 0.1};
  const int ncol = rbv_model_column_count(f->m);
  double *chi = malloc((size_t)(LANES * ncol) * sizeof *chi);
  double scale[LANES][N], shift[LANES][N];
  rbv_sim_lane lane[LANES];
  for (int l = 0; l < LANES; l++) {
    for (int c = 0; c < ncol; c++)
      chi[l * ncol + c] = rbv_model_parameters(f->m)[c] * (1 + 0.02 * l);
    for (int j = 0; j < N; j++) scale[l][j] = 1 + 0.01 * l, shift[l][j] = 1e-3 * l;
    lane[l] = (rbv_sim_lane){
        .chi = chi + l * ncol, .scale = scale[l], .shift = shift[l], .seed = (uint64_t)(l + 3)};
  }
  rbv_sim_options o = rbv_sim_defaults();
  o.integrator = integrator;
  o.defects = (rbv_sim_defects){.loop_counts = 3600,
                                .loop_noise = 1e-4,
                                .disturbance = noise,
                                .disturbance_hz = 20,
                                .torque_noise = noise,
                                .jitter_s = 1e-5,
                                .drop = 0.1,
                                .torque_delay = 2,
                                .loop_delay = 1,
                                .drift = -0.2,
                                .drift_s = 0.1};
  // a lane of an encoder can fall to the other side of a count by rounding: keep it continuous
  o.defects.loop_counts = 0;
  const rbv_sim_reference r = reference_of(f, TICKS);
  rbv_sim *all, *one;
  rbv_sim_trace t[LANES], alone;
  rbv_sim_outcome outcome[LANES], single;
  assert_ok(rbv_sim_new(&all, f->m, f->control, &o, LANES));
  assert_int_equal(rbv_sim_lanes(all), LANES);
  for (int l = 0; l < LANES; l++) {
    assert_ok(rbv_sim_set(all, l, &lane[l]));
    assert_ok(rbv_sim_trace_new(&t[l], N, TICKS));
  }
  const long before = rbv_alloc_count();
  assert_ok(rbv_sim_run(outcome, all, &r, t));
  assert_int_equal(rbv_alloc_count(), before);
  assert_ok(rbv_sim_new(&one, f->m, f->control, &o, 1));
  assert_int_equal(rbv_sim_width(one), 1);
  assert_ok(rbv_sim_trace_new(&alone, N, TICKS));
  for (int l = 0; l < LANES; l++) {
    assert_ok(rbv_sim_set(one, 0, &lane[l]));
    assert_ok(rbv_sim_run(&single, one, &r, &alone));
    assert_int_equal(outcome[l].verdict, RBV_SIM_DONE);
    // fused and plain arithmetic differ by rounding, which the loop keeps small
    assert_near(largest_difference(t[l].q, alone.q, TICKS * N), 0, 1e-11, 0);
    assert_near(largest_difference(t[l].recorded_tau, alone.recorded_tau, TICKS * N), 0, 1e-6, 0);
    assert_memory_equal(t[l].kept, alone.kept, TICKS * sizeof *alone.kept);
    assert_memory_equal(t[l].recorded_t, alone.recorded_t, TICKS * sizeof *alone.recorded_t);
  }
  // the same seed, the same numbers, to the bit, wherever the lane stands
  rbv_sim_trace again[LANES];
  for (int l = 0; l < LANES; l++) {
    assert_ok(rbv_sim_set(all, l, &lane[LANES - 1 - l]));
    assert_ok(rbv_sim_trace_new(&again[l], N, TICKS));
  }
  assert_ok(rbv_sim_run(outcome, all, &r, again));
  for (int l = 0; l < LANES; l++) {
    assert_near(largest_difference(again[l].q, t[LANES - 1 - l].q, TICKS * N), 0, 0, 0);
    rbv_sim_trace_free(&again[l]);
  }
  for (int l = 0; l < LANES; l++) rbv_sim_trace_free(&t[l]);
  rbv_sim_trace_free(&alone);
  rbv_sim_free(all);
  rbv_sim_free(one);
  free(chi);
}

static void test_lanes_are_single_runs(void **state) {
  check_lanes(*state, RBV_INTEGRATOR_ROSENBROCK);
  check_lanes(*state, RBV_INTEGRATOR_ROS2);
}

/* lanes of one robot, each from its own place of the reference and from its own state */
static void test_lanes_with_own_references(void **state) {
  enum { LANES = 11, TICKS = 300, APART = 400 };
  const fixture *f = *state;
  double start[LANES][2 * N];
  rbv_sim_reference r[LANES];
  rbv_sim *all, *one;
  rbv_sim_trace t[LANES], alone;
  rbv_sim_outcome outcome[LANES], single;
  assert_ok(rbv_sim_new(&all, f->m, f->control, NULL, LANES + 1));
  assert_ok(rbv_sim_new(&one, f->m, f->control, NULL, 1));
  assert_ok(rbv_sim_trace_new(&alone, N, TICKS));
  for (int l = 0; l < LANES; l++) {
    r[l] = reference_of(f, TICKS);
    r[l].q += (ptrdiff_t)APART * l;
    for (int j = 0; j < N; j++) {
      start[l][j] = r[l].q[j * r[l].ld] + 1e-3 * l;
      start[l][N + j] = 0.01 * l;
    }
    r[l].q0 = start[l];
    r[l].dq0 = start[l] + N;
    assert_ok(rbv_sim_trace_new(&t[l], N, TICKS));
  }
  assert_ok(rbv_sim_run_each(outcome, all, r, t, LANES));
  for (int l = 0; l < LANES; l++) {
    assert_ok(rbv_sim_run(&single, one, &r[l], &alone));
    assert_int_equal(outcome[l].verdict, RBV_SIM_DONE);
    assert_int_equal(single.verdict, RBV_SIM_DONE);
    assert_near(largest_difference(t[l].q, alone.q, TICKS * N), 0, 1e-11, 0);
    assert_near(largest_difference(t[l].qr, alone.qr, TICKS * N), 0, 0, 0);
  }
  // the lanes are not the same run
  assert_true(largest_difference(t[0].q, t[1].q, TICKS * N) > 1e-3);
  assert_refused(rbv_sim_run_each(outcome, all, r, t, LANES + 2), RBV_EARG, "1 to 12 lanes");
  r[1].count--;
  assert_refused(rbv_sim_run_each(outcome, all, r, t, LANES), RBV_EDIM, "different lengths");
  for (int l = 0; l < LANES; l++) rbv_sim_trace_free(&t[l]);
  rbv_sim_trace_free(&alone);
  rbv_sim_free(all);
  rbv_sim_free(one);
}

/* ---- feed-forward ---- */

static double worst_error(const fixture *f, rbv_feedforward kind, bool still) {
  enum { TICKS = 4000 };
  rbv_control_joint joint[N];
  double q[TICKS * N], worst = 0;
  for (int j = 0; j < N; j++) {
    joint[j] = rbv_control_tune(f->J[j], 40, 0, 10);
    for (int k = 0; k < TICKS; k++)
      q[k + j * TICKS] = f->reference[(still ? 0 : k) + j * BENCH_SAMPLES];
  }
  rbv_control *c;
  assert_ok(rbv_control_new(&c, NULL, BENCH_RATE, kind, joint, N));
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = q};
  assert_ok(rbv_sim_new(&s, f->m, c, NULL, 1));
  assert_ok(rbv_sim_trace_new(&t, N, TICKS));
  assert_ok(rbv_sim_run(&outcome, s, &r, &t));
  worst = largest_difference(t.q, t.qr, TICKS * N);
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  rbv_control_free(c);
  return worst;
}

/* a controller that knows the robot: at rest gravity is all, in motion nothing is missing */
static void test_model_feed_forward(void **state) {
  const fixture *f = *state;
  assert_true(worst_error(f, RBV_FEEDFORWARD_NONE, true) > 1e-3);
  assert_near(worst_error(f, RBV_FEEDFORWARD_GRAVITY, true), 0, 1e-10, 0);
  assert_true(worst_error(f, RBV_FEEDFORWARD_MODEL, false) <
              0.02 * worst_error(f, RBV_FEEDFORWARD_NONE, false));
}

/* ---- divergence ---- */

static rbv_sim_outcome diverge(const fixture *f, const rbv_control *c, const double *chi,
                               char *sentence, size_t size) {
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  const rbv_sim_reference r = reference_of(f, SHORT);
  assert_ok(rbv_sim_new(&s, f->m, c, NULL, 1));
  const rbv_sim_lane lane = {.chi = chi};
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, N, SHORT));
  assert_ok(rbv_sim_run(&outcome, s, &r, &t));
  rbv_sim_describe(sentence, size, s, &outcome);
  for (ptrdiff_t k = 0; k < SHORT; k++) {
    assert_int_equal(isfinite(t.q[k]) != 0, k < outcome.samples);
    assert_int_equal(t.kept[k], k < outcome.samples);
  }
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  return outcome;
}

static void test_divergence_is_named(void **state) {
  const fixture *f = *state;
  char says[512];
  // joint 3 with its gain the wrong way round
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++) joint[j] = *rbv_control_get_joint(f->control, j);
  joint[2].k_p *= -1;
  joint[2].k_i *= -1;
  joint[2].k_d *= -1;
  rbv_control *c;
  assert_ok(rbv_control_new(&c, NULL, BENCH_RATE, RBV_FEEDFORWARD_NONE, joint, N));
  const rbv_sim_outcome away = diverge(f, c, NULL, says, sizeof says);
  assert_true(away.verdict == RBV_SIM_FAST || away.verdict == RBV_SIM_AWAY);
  assert_int_equal(away.joint, 2);
  assert_near(away.time_s, (double)away.samples / BENCH_RATE, 0, 1e-12);
  assert_non_null(strstr(says, "joint 3 (joint3)"));
  assert_non_null(strstr(says, "lower the gains"));
  rbv_control_free(c);

  // a robot that cannot be
  double chi[128] = {0};
  const rbv_sim_outcome no = diverge(f, f->control, chi, says, sizeof says);
  assert_int_equal(no.verdict, RBV_SIM_SINGULAR);
  assert_int_equal(no.samples, 0);
  assert_non_null(strstr(says, "not positive definite"));
}

/* one lane falls, its neighbours do not notice */
static void test_a_lane_diverges_alone(void **state) {
  const fixture *f = *state;
  enum { TICKS = 2000 };
  const double wrong[N] = {1, -1, 1, 1, 1, 1};
  rbv_sim *s;
  rbv_sim_trace t[4], alone[4];
  rbv_sim_outcome outcome[4];
  const rbv_sim_reference r = reference_of(f, TICKS);
  assert_ok(rbv_sim_new(&s, f->m, f->control, NULL, 4));
  for (int l = 0; l < 4; l++) {
    assert_ok(rbv_sim_trace_new(&t[l], N, TICKS));
    assert_ok(rbv_sim_trace_new(&alone[l], N, TICKS));
  }
  assert_ok(rbv_sim_run(outcome, s, &r, alone));
  const rbv_sim_lane bad = {.scale = wrong};
  assert_ok(rbv_sim_set(s, 1, &bad));
  assert_ok(rbv_sim_run(outcome, s, &r, t));
  for (int l = 0; l < 4; l++) {
    assert_int_equal(outcome[l].verdict == RBV_SIM_DONE, l != 1);
    if (l != 1) assert_near(largest_difference(t[l].q, alone[l].q, TICKS * N), 0, 0, 0);
  }
  assert_int_equal(outcome[1].joint, 1);
  for (int l = 0; l < 4; l++) {
    rbv_sim_trace_free(&t[l]);
    rbv_sim_trace_free(&alone[l]);
  }
  rbv_sim_free(s);
}

/* ---- refusals, memory ---- */

static void test_refusals(void **state) {
  const fixture *f = *state;
  rbv_sim *s;
  rbv_sim_options o = rbv_sim_defaults();
  o.substeps = -1;
  assert_refused(rbv_sim_new(&s, f->m, f->control, &o, 1), RBV_EARG, "steps per tick");
  o = rbv_sim_defaults();
  o.defects.drop = 1;
  assert_refused(rbv_sim_new(&s, f->m, f->control, &o, 1), RBV_EARG, "dropped");
  o = rbv_sim_defaults();
  o.defects.drift = 0.1;
  assert_refused(rbv_sim_new(&s, f->m, f->control, &o, 1), RBV_EARG, "drift_s");
  o = rbv_sim_defaults();
  o.defects.loop_delay = -1;
  assert_refused(rbv_sim_new(&s, f->m, f->control, &o, 1), RBV_EARG, "delay");
  assert_refused(rbv_sim_new(&s, f->m, f->control, NULL, 0), RBV_EARG, "lanes");
  const rbv_control_joint joint = rbv_control_tune(1, 1, 0, 1);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, NULL, 100, RBV_FEEDFORWARD_NONE, &joint, 1));
  assert_refused(rbv_sim_new(&s, f->m, c, NULL, 1), RBV_EDIM, "1 joints, the robot 6");
  rbv_control_free(c);
  assert_ok(rbv_sim_new(&s, f->m, f->control, NULL, 1));
  rbv_sim_outcome outcome;
  double q[2 * N] = {0};
  rbv_sim_trace t = {.ld = 1};
  rbv_sim_reference r = {.count = 2, .ld = 2, .q = q};
  assert_refused(rbv_sim_run(&outcome, s, &r, &t), RBV_EDIM, "room for 1");
  t.ld = 2;
  q[3] = NAN;
  assert_refused(rbv_sim_run(&outcome, s, &r, &t), RBV_EINPUT, "reference of joint 2");
  rbv_sim_free(s);
}

static rbv_status everything(void *state) {
  const fixture *f = state;
  rbv_sim *s = NULL;
  rbv_sim_trace t = {0};
  rbv_sim_outcome outcome;
  rbv_motion *motion = NULL;
  rbv_log *log = NULL;
  double J[N];
  const rbv_sim_reference r = reference_of(f, 20);
  rbv_status status = rbv_sim_inertia(J, f->m, rbv_model_parameters(f->m), false, &r, 5);
  if (status == RBV_OK) status = rbv_sim_new(&s, f->m, f->control, NULL, 1);
  if (status == RBV_OK) status = rbv_sim_trace_new(&t, N, 20);
  if (status == RBV_OK) status = rbv_sim_run(&outcome, s, &r, &t);
  if (status == RBV_OK) status = rbv_sim_motion(&motion, s, 0, &t, &outcome);
  if (status == RBV_OK) status = rbv_sim_log(&log, s, 0, &t, &outcome, NULL);
  rbv_log_free(log);
  rbv_motion_free(motion);
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  return status;
}

static void test_allocations_fail(void **state) { fail_each_allocation(everything, *state); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loop_is_that_of_the_other_program),
      cmocka_unit_test(test_default_integrator),
      cmocka_unit_test(test_two_stages),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_stiff_friction),
      cmocka_unit_test(test_torque_is_regressor_times_parameters),
      cmocka_unit_test(test_models_with_everything),
      cmocka_unit_test(test_lanes_are_single_runs),
      cmocka_unit_test(test_lanes_with_own_references),
      cmocka_unit_test(test_model_feed_forward),
      cmocka_unit_test(test_divergence_is_named),
      cmocka_unit_test(test_a_lane_diverges_alone),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_allocations_fail),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
