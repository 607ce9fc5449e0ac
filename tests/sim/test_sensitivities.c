/*
 * Sensitivities of the closed loop of the TX40 against differences of order 4 of the simulation
 * itself, for every kind of unknown.
 */
#include <math.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "bench.h"
#include "control/control.h"
#include "support.h"

#define N BENCH_JOINTS
#define TICKS 600  // 0.12 s: every joint starts to move, with stiff friction

typedef struct {
  rbv_model *m;
  rbv_control_joint joint[N];
  double *reference, *chi;
  double delay[N], bias[N], integral[N];
  int substeps;
  rbv_feedforward feedforward;
} fixture;

static rbv_sim_reference reference_of(const fixture *f) {
  return (rbv_sim_reference){.count = TICKS, .ld = BENCH_SAMPLES, .q = f->reference};
}

static int set_up(void **state) {
  static const double base_hz[N] = {6, 6, 8, 12, 12, 20};
  static fixture f;
  double J[N];
  f.m = bench_model();
  f.reference = bench_reference();
  const rbv_sim_reference all = {.count = BENCH_SAMPLES, .ld = BENCH_SAMPLES, .q = f.reference};
  const int nc = rbv_model_column_count(f.m);
  f.chi = malloc((size_t)nc * sizeof *f.chi);
  memcpy(f.chi, rbv_model_parameters(f.m), (size_t)nc * sizeof *f.chi);
  assert_ok(rbv_sim_inertia(J, f.m, f.chi, false, &all, 50));
  for (int j = 0; j < N; j++) {
    f.joint[j] = rbv_control_tune(J[j], 4 * M_PI * base_hz[j], 0.2, 10);
    f.delay[j] = 0.43e-3;  // not a whole number of ticks of 0.2 ms
    f.bias[j] = 0.01 * (j + 1);
    f.integral[j] = 0.2 * (j + 1);
  }
  // one joint with another law: the cascade of the same gains, with feed-forward
  f.joint[2].kind = RBV_CONTROL_CASCADE;
  f.joint[2].k_x = 40;
  f.joint[2].k_p = f.joint[2].k_d;
  f.joint[2].k_i = 20 * f.joint[2].k_d;
  f.joint[3].velocity_gain = 0.1;
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  free(f->chi);
  free(f->reference);
  rbv_model_free(f->m);
  return 0;
}

static rbv_sim_options options_of(const fixture *f) {
  rbv_sim_options o = rbv_sim_defaults();
  o.substeps = f->substeps;
  o.longest_delay_s = 2e-3;
  return o;
}

/* measured positions, then torques, of a run with unknown u changed by `step` */
static rbv_sim_trace run(const fixture *f, const rbv_unknown *u, double step) {
  double q0[N], delay[N], bias[N], integral[N];
  rbv_control_joint joint[N];
  const int nc = rbv_model_column_count(f->m);
  double *chi = malloc((size_t)nc * sizeof *chi);
  memcpy(chi, f->chi, (size_t)nc * sizeof *chi);
  memcpy(joint, f->joint, sizeof joint);
  if (u && u->kind == RBV_UNKNOWN_COLUMN) chi[u->column] += step;
  for (int j = 0; j < N; j++) {
    const bool own = u && (u->joint < 0 || u->joint == j);
    delay[j] = f->delay[j] + (own && u->kind == RBV_UNKNOWN_DELAY ? step : 0);
    bias[j] = f->bias[j] + (own && u->kind == RBV_UNKNOWN_BIAS ? step : 0);
    integral[j] = f->integral[j] + (own && u->kind == RBV_UNKNOWN_INTEGRAL ? step : 0);
    q0[j] = f->reference[j * BENCH_SAMPLES] + 1e-4 - bias[j];
    double *gain = own && u->kind == RBV_UNKNOWN_GAIN ? rbv_gain_of(&joint[j], u->gain) : NULL;
    if (gain) *gain += u->joint < 0 ? *gain * step : step;
  }
  const bool shaped = u && u->kind == RBV_UNKNOWN_SHAPE;
  const double shape = shaped ? rbv_model_shape(f->m, u->joint, u->shape) : 0;
  rbv_model *m = rbv_model_retain(f->m);
  if (shaped) {
    const rbv_shape_value moved = {u->joint, u->shape, shape + step};
    rbv_model_terms terms = rbv_model_get_terms(f->m);
    terms.shape = &moved;
    terms.nshape = 1;
    rbv_model_free(m);
    assert_ok(rbv_model_variant(&m, f->m, &terms));
  }
  rbv_control *c;
  rbv_sim *s;
  rbv_sim_outcome outcome;
  rbv_sim_trace t;
  rbv_sim_reference r = reference_of(f);
  r.q0 = q0;
  const rbv_sim_options o = options_of(f);
  assert_ok(rbv_control_new(&c, "loop", BENCH_RATE, f->feedforward, joint, N));
  assert_ok(rbv_sim_new(&s, m, c, &o, 1));
  const rbv_sim_lane lane = {
      .chi = chi, .known = f->chi, .delay = delay, .bias = bias, .integral = integral};
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, N, TICKS));
  assert_ok(rbv_sim_run(&outcome, s, &r, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_sim_free(s);
  rbv_model_free(m);
  rbv_control_free(c);
  free(chi);
  return t;
}

#define MOST 20
static double Sq[TICKS][N * MOST], St[TICKS][N * MOST];

static void sensitivities(const fixture *f, const rbv_unknown *u, int count) {
  rbv_control *c;
  rbv_sensitivities *s;
  double q0[N];
  for (int j = 0; j < N; j++) q0[j] = f->reference[j * BENCH_SAMPLES] + 1e-4 - f->bias[j];
  rbv_sim_reference r = reference_of(f);
  r.q0 = q0;
  rbv_sim_trace t = run(f, NULL, 0);
  const rbv_sim_options o = options_of(f);
  assert_ok(rbv_control_new(&c, "loop", BENCH_RATE, f->feedforward, f->joint, N));
  assert_ok(rbv_sensitivities_new(&s, f->m, c, &o, u, count));
  const rbv_sim_lane lane = {
      .chi = f->chi, .known = f->chi, .delay = f->delay, .bias = f->bias, .integral = f->integral};
  assert_ok(rbv_sensitivities_start(s, &lane, &r, &t));
  for (int k = 0; k < TICKS; k++) rbv_sensitivities_next(Sq[k], St[k], s);
  rbv_sensitivities_free(s);
  rbv_control_free(c);
  rbv_sim_trace_free(&t);
}

/* largest error of the sensitivities of unknown i, over the largest sensitivity */
static double error_of(const fixture *f, const rbv_unknown *u, int i, int count, double step,
                       bool torque) {
  static const double weight[] = {8.0 / 12, -1.0 / 12};
  rbv_sim_trace t[4];
  for (int k = 0; k < 2; k++)
    for (int side = 0; side < 2; side++)
      t[2 * k + side] = run(f, &u[i], (side ? -1 : 1) * (k + 1) * step);
  double worst = 0, largest = 0;
  for (int k = 0; k < TICKS; k++)
    for (int j = 0; j < N; j++) {
      double want = 0;
      for (int a = 0; a < 2; a++) {
        const double *x = torque ? t[2 * a].tau : t[2 * a].recorded_q;
        const double *y = torque ? t[2 * a + 1].tau : t[2 * a + 1].recorded_q;
        want += weight[a] * (x[k + j * TICKS] - y[k + j * TICKS]) / step;
      }
      const double got = (torque ? St : Sq)[k][j * count + i];
      if (!(fabs(got - want) <= worst)) worst = fabs(got - want);
      largest = fmax(largest, fabs(want));
    }
  for (int k = 0; k < 4; k++) rbv_sim_trace_free(&t[k]);
  return worst / largest;
}

static int column(const rbv_model *m, const char *name) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (strcmp(rbv_model_column(m, c)->name, name) == 0) return c;
  fail_msg("no column %s", name);
  return -1;
}

static double step_of(const fixture *f, const rbv_unknown *u) {
  // a hundredth of a tick, so that the interpolation stays between the same two ticks
  if (u->kind == RBV_UNKNOWN_DELAY) return 2e-6;
  if (u->kind != RBV_UNKNOWN_GAIN || u->joint < 0) return 1e-4;
  rbv_control_joint law = f->joint[u->joint];
  return (u->gain == RBV_GAIN_VELOCITY ? 1e-2 : 1e-4) * *rbv_gain_of(&law, u->gain);
}

/*
 * Both sides converge to the same derivative, the sensitivities with order 2. Their error is
 * largest where friction changes within a few ticks: with two steps per tick below 1e-3 of the
 * largest sensitivity, with 8 steps 16 times less.
 */
static void test_against_differences(void **state) {
  fixture *f = *state;
  const rbv_unknown u[] = {
      {.kind = RBV_UNKNOWN_COLUMN, .column = column(f->m, "ZZ1")},
      {.kind = RBV_UNKNOWN_COLUMN, .column = column(f->m, "MX2")},
      {.kind = RBV_UNKNOWN_COLUMN, .column = column(f->m, "Ia3")},
      {.kind = RBV_UNKNOWN_COLUMN, .column = column(f->m, "Fc5")},
      {.kind = RBV_UNKNOWN_DELAY, .joint = -1},
      {.kind = RBV_UNKNOWN_BIAS, .joint = 1},
      {.kind = RBV_UNKNOWN_INTEGRAL, .joint = 1},
      {.kind = RBV_UNKNOWN_INTEGRAL, .joint = 2},
      {.kind = RBV_UNKNOWN_GAIN, .joint = 0, .gain = RBV_GAIN_KP},
      {.kind = RBV_UNKNOWN_GAIN, .joint = 1, .gain = RBV_GAIN_KI},
      {.kind = RBV_UNKNOWN_GAIN, .joint = 1, .gain = RBV_GAIN_KD},
      {.kind = RBV_UNKNOWN_GAIN, .joint = 2, .gain = RBV_GAIN_KX},
      {.kind = RBV_UNKNOWN_GAIN, .joint = 3, .gain = RBV_GAIN_VELOCITY},
      {.kind = RBV_UNKNOWN_GAIN, .joint = -1, .gain = RBV_GAIN_KP},
  };
  const int count = (int)(sizeof u / sizeof *u);
  for (int steps = SANITIZED ? 8 : 2; steps <= 8; steps *= 4) {
    f->substeps = steps;
    sensitivities(f, u, count);
    for (int i = 0; i < count; i++) {
      const double bound = 3e-3 / (steps * steps), step = step_of(f, &u[i]);
      const double q = error_of(f, u, i, count, step, false);
      const double tau = error_of(f, u, i, count, step, true);
      print_message("%d steps, unknown %d: position %.2e, torque %.2e\n", steps, i, q, tau);
      assert_near(q, 0, bound, 0);
      assert_near(tau, 0, bound, 0);
    }
  }
}

/* shape parameters of every law that has a derivative by one; two laws share that of a ripple */
static void test_shapes(void **state) {
  fixture f = *(fixture *)*state;
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 150;
  o.friction = "Fs1=0.1,Fd2=0.4,Fsq3=0.05,Frs4=40,Frc4=40";
  assert_ok(rbv_model_load(&f.m, "tx40", &o));
  const int nc = rbv_model_column_count(f.m);
  f.chi = malloc((size_t)nc * sizeof *f.chi);
  memcpy(f.chi, rbv_model_parameters(f.m), (size_t)nc * sizeof *f.chi);
  static const char *const added[] = {"Fs1", "Fd2", "Fsq3", "Frs4", "Frc4"};
  for (int i = 0; i < RBV_COUNT(added); i++) f.chi[column(f.m, added[i])] = 3;
  const rbv_unknown u[] = {
      {.kind = RBV_UNKNOWN_SHAPE, .joint = 0, .shape = "stribeck"},
      {.kind = RBV_UNKNOWN_COLUMN, .column = column(f.m, "Fs1")},
      {.kind = RBV_UNKNOWN_SHAPE, .joint = 1, .shape = "power"},
      {.kind = RBV_UNKNOWN_SHAPE, .joint = 2, .shape = "knee"},
      {.kind = RBV_UNKNOWN_SHAPE, .joint = 3, .shape = "ripple"},
  };
  f.substeps = 8;
  sensitivities(&f, u, RBV_COUNT(u));
  for (int i = 0; i < RBV_COUNT(u); i++) {
    const double value = u[i].shape ? rbv_model_shape(f.m, u[i].joint, u[i].shape) : 3;
    const double q = error_of(&f, u, i, RBV_COUNT(u), 1e-3 * value, false);
    const double tau = error_of(&f, u, i, RBV_COUNT(u), 1e-3 * value, true);
    print_message("unknown %d: position %.2e, torque %.2e\n", i, q, tau);
    assert_near(q, 0, 3e-3 / 64, 0);
    assert_near(tau, 0, 3e-3 / 64, 0);
  }
  free(f.chi);
  rbv_model_free(f.m);
}

/* a feed-forward of the controller's own model does not depend on the parameters of the robot */
static void test_feed_forward(void **state) {
  fixture *f = *state;
  const rbv_unknown u[] = {{.kind = RBV_UNKNOWN_COLUMN, .column = column(f->m, "Fv1")},
                           {.kind = RBV_UNKNOWN_GAIN, .joint = 1, .gain = RBV_GAIN_KP}};
  f->substeps = 8;
  f->feedforward = RBV_FEEDFORWARD_MODEL;
  sensitivities(f, u, 2);
  for (int i = 0; i < 2; i++)
    assert_near(error_of(f, u, i, 2, step_of(f, &u[i]), false), 0, 3e-3 / 64, 0);
  f->feedforward = RBV_FEEDFORWARD_NONE;
}

/* a whole number of ticks of delay is the delay of the control law, in motion and torque */
static void test_delay_of_whole_ticks(void **state) {
  fixture f = *(fixture *)*state;
  f.substeps = 1;
  for (int j = 0; j < N; j++) f.delay[j] = 3.0 / BENCH_RATE;
  rbv_sim_trace late = run(&f, NULL, 0);
  for (int j = 0; j < N; j++) {
    f.delay[j] = 0;
    f.joint[j].delay = 3;
  }
  rbv_sim_trace other = run(&f, NULL, 0);
  // the law's own delay starts with zero torque, the other with the first torque
  for (ptrdiff_t k = 3; k < TICKS; k++)
    for (int j = 0; j < N; j++)
      assert_near(late.applied[k + j * TICKS], late.tau[k - 3 + j * TICKS], 1e-9, 1e-12);
  assert_near(other.tau[0], 0, 0, 0);
  rbv_sim_trace_free(&late);
  rbv_sim_trace_free(&other);
}

static void test_refusals(void **state) {
  fixture *f = *state;
  rbv_control *c;
  rbv_sensitivities *s;
  assert_ok(rbv_control_new(&c, "loop", BENCH_RATE, RBV_FEEDFORWARD_NONE, f->joint, N));
  const rbv_unknown wrong[] = {{.kind = RBV_UNKNOWN_COLUMN, .column = 1000},
                               {.kind = RBV_UNKNOWN_DELAY, .joint = N},
                               {.kind = RBV_UNKNOWN_GAIN, .joint = 0, .gain = RBV_GAIN_KX},
                               {.kind = RBV_UNKNOWN_SHAPE, .joint = 0, .shape = "stribeck"}};
  assert_refused(rbv_sensitivities_new(&s, f->m, c, NULL, &wrong[0], 1), RBV_EARG, "column 1000");
  assert_refused(rbv_sensitivities_new(&s, f->m, c, NULL, &wrong[1], 1), RBV_EARG, "joint 7");
  assert_refused(rbv_sensitivities_new(&s, f->m, c, NULL, &wrong[2], 1), RBV_EINPUT,
                 "(pid) has no gain k_x");
  assert_refused(rbv_sensitivities_new(&s, f->m, c, NULL, &wrong[3], 1), RBV_EARG,
                 "no friction of joint 1 has the shape parameter stribeck");
  assert_refused(rbv_sensitivities_new(&s, f->m, NULL, NULL, wrong, 1), RBV_EARG, "a controller");
  rbv_sim *sim;
  const double late[N] = {1e-3};
  const rbv_sim_lane lane = {.delay = late};
  assert_ok(rbv_sim_new(&sim, f->m, c, NULL, 1));
  assert_refused(rbv_sim_set(sim, 0, &lane), RBV_EARG, "the delay of joint 1");
  rbv_sim_free(sim);
  rbv_control_free(c);
}

static rbv_status create(void *state) {
  fixture *f = state;
  rbv_control *c = NULL;
  rbv_sensitivities *s = NULL;
  const rbv_unknown u = {.kind = RBV_UNKNOWN_GAIN, .joint = 0, .gain = RBV_GAIN_KP};
  rbv_status status = rbv_control_new(&c, "loop", BENCH_RATE, RBV_FEEDFORWARD_MODEL, f->joint, N);
  if (status == RBV_OK) status = rbv_sensitivities_new(&s, f->m, c, NULL, &u, 1);
  rbv_sensitivities_free(s);
  rbv_control_free(c);
  return status;
}

static void test_memory(void **state) { fail_each_allocation(create, *state); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_differences),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_feed_forward),
      cmocka_unit_test(test_delay_of_whole_ticks),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
