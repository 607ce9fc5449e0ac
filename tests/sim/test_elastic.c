/*
 * Elastic joints: a pendulum and an arm of two joints with springs between motors and links,
 * against an integration of the equations by hand, in the limit of stiff springs, and their
 * sensitivities against differences of the simulation.
 */
#include <math.h>
#include <roberval/sys/sim.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RATE 500.0
#define COUNT 500  // 1 s
#define MOST 2

static const char pendulum[] =
    "joints:\n"
    "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "friction: {smooth: 0.05}\n"
    "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.1, Fv1: 0.4, "
    "Fc1: 0.3}\n";

static const char arm[] =
    "joints:\n"
    "  - {name: a, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: b, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "friction: {smooth: 0.05}\n"
    "parameters: {XX1: 0.01, YY1: 0.3, ZZ1: 0.3, MX1: 0.8, M1: 4, Ia1: 0.2, Fv1: 0.6, Fc1: 0.5,\n"
    "  XX2: 0.004, YY2: 0.08, ZZ2: 0.08, MX2: 0.3, M2: 1.5, Ia2: 0.05, Fv2: 0.2, Fc2: 0.2}\n";

/* A loop of one robot. */
typedef struct {
  rbv_model *m;
  int n;
  double k_p, k_d;
  double reference[MOST * COUNT];
  double stiffness[MOST], damping[MOST], delay[MOST], bias[MOST], chi[64];
  bool rigid;
  int substeps;
} setup;

static void set_up(setup *s, const char *robot) {
  *s = (setup){.k_p = 150, .k_d = 12};
  s->m = load_robot(temp_file("robot.yaml", robot), -1, false);
  s->n = rbv_model_joint_count(s->m);
  memcpy(s->chi, rbv_model_parameters(s->m), (size_t)rbv_model_column_count(s->m) * sizeof *s->chi);
  for (int j = 0; j < s->n; j++) {
    s->stiffness[j] = 400;
    s->damping[j] = 1.5;
    s->delay[j] = 0.0033;
    s->bias[j] = 0.01;
    for (int k = 0; k < COUNT; k++) {
      const double t = k / RATE;
      s->reference[k + j * COUNT] = 0.5 + 0.3 * (1 - cos((7 + j) * t)) * (1 - exp(-4 * t));
    }
  }
}

static rbv_sim_reference reference_of(const setup *s) {
  return (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = s->reference};
}

static rbv_control *law(const setup *s) {
  rbv_control_joint j[MOST];
  for (int i = 0; i < s->n; i++) {
    j[i] = rbv_control_joint_defaults();
    j[i].k_p = s->k_p;
    j[i].k_d = s->k_d;
    j[i].filter_s = 2e-3;
  }
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", RATE, RBV_FEEDFORWARD_NONE, j, s->n));
  return c;
}

static rbv_sim_options options_of(const setup *s) {
  rbv_sim_options o = rbv_sim_defaults();
  o.elastic = !s->rigid;
  o.substeps = s->substeps;
  o.longest_delay_s = 0.02;
  return o;
}

static rbv_sim_lane lane_of(const setup *s) {
  return (rbv_sim_lane){.chi = s->chi,
                        .delay = s->delay,
                        .bias = s->bias,
                        .stiffness = s->stiffness,
                        .damping = s->damping};
}

static rbv_sim_trace run(const setup *s) {
  rbv_control *c = law(s);
  rbv_sim *sim;
  rbv_sim_outcome outcome;
  rbv_sim_trace t;
  const rbv_sim_options o = options_of(s);
  const rbv_sim_lane lane = lane_of(s);
  const rbv_sim_reference r = reference_of(s);
  assert_ok(rbv_sim_new(&sim, s->m, c, &o, 1));
  assert_ok(rbv_sim_set(sim, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, s->n, COUNT));
  assert_ok(rbv_sim_run(&outcome, sim, &r, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_sim_free(sim);
  rbv_control_free(c);
  return t;
}

/* ---- against the equations by hand ---- */

/* theta, dtheta, q, dq of the pendulum under a torque: the derivative */
static void derivative(double out[4], const double x[4], double torque, const setup *s) {
  const double spring = s->stiffness[0] * (x[0] - x[2]) + s->damping[0] * (x[1] - x[3]);
  const double sign = x[1] / sqrt(x[1] * x[1] + 0.05 * 0.05);
  out[0] = x[1];
  out[1] = (torque - spring - 0.4 * x[1] - 0.3 * sign) / 0.1;
  out[2] = x[3];
  out[3] = (spring - 0.6 * 9.81 * cos(x[2])) / 0.2402;
}

/* the torques of the run drive an integration of order 4 with steps of 4 us */
static void test_equations(void **state) {
  (void)state;
  setup s;
  set_up(&s, pendulum);
  s.delay[0] = 0;
  s.substeps = 16;
  rbv_sim_trace t = run(&s);
  double x[4] = {t.q[0], t.dq[0], t.link_q[0], t.link_dq[0]}, worst = 0, deflection = 0;
  // springs start at rest
  assert_near(400 * (x[0] - x[2]), 0.6 * 9.81 * cos(x[2]), 1e-9, 1e-9);
  const int fine = 500;
  const double h = 1 / (RATE * fine);
  for (int k = 0; k + 1 < COUNT; k++) {
    for (int i = 0; i < fine; i++) {
      double a[4], b[4], c[4], d[4], y[4];
      derivative(a, x, t.applied[k], &s);
      for (int v = 0; v < 4; v++) y[v] = x[v] + h / 2 * a[v];
      derivative(b, y, t.applied[k], &s);
      for (int v = 0; v < 4; v++) y[v] = x[v] + h / 2 * b[v];
      derivative(c, y, t.applied[k], &s);
      for (int v = 0; v < 4; v++) y[v] = x[v] + h * c[v];
      derivative(d, y, t.applied[k], &s);
      for (int v = 0; v < 4; v++) x[v] += h / 6 * (a[v] + 2 * b[v] + 2 * c[v] + d[v]);
    }
    worst = fmax(worst, fmax(fabs(x[0] - t.q[k + 1]), fabs(x[2] - t.link_q[k + 1])));
    deflection = fmax(deflection, fabs(x[0] - x[2]));
  }
  print_message("largest deflection %.4f rad, error %.2e rad\n", deflection, worst);
  // steps of 0.125 ms, order 3, and the sign of friction within 0.05 rad/s
  assert_true(deflection > 0.02);
  assert_near(worst, 0, 1e-6, 0);
  rbv_sim_trace_free(&t);
  rbv_model_free(s.m);
}

/* stiff springs: the motors move as those of the rigid robot, with an error in proportion to 1/k */
static void test_stiff_limit(void **state) {
  (void)state;
  setup s;
  set_up(&s, arm);
  s.rigid = true;
  rbv_sim_trace rigid = run(&s);
  s.rigid = false;
  double error[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < s.n; j++) {
      s.stiffness[j] = i ? 8e5 : 2e5;
      s.damping[j] = i ? 200 : 100;
    }
    const rbv_sim_lane lane = lane_of(&s);
    assert_ok(rbv_sim_elastic_substeps(&s.substeps, s.m, s.chi, false, lane.stiffness, s.reference,
                                       RATE));
    rbv_sim_trace t = run(&s);
    for (int k = 0; k < s.n * COUNT; k++) error[i] = fmax(error[i], fabs(t.q[k] - rigid.q[k]));
    rbv_sim_trace_free(&t);
  }
  print_message("distance from the rigid robot %.2e and %.2e rad\n", error[0], error[1]);
  assert_true(error[0] < 5e-4 && error[1] < 0.4 * error[0]);
  rbv_sim_trace_free(&rigid);
  rbv_model_free(s.m);
}

/* ---- sensitivities ---- */

static int column(const rbv_model *m, const char *name) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (strcmp(rbv_model_column(m, c)->name, name) == 0) return c;
  fail_msg("no column %s", name);
  return -1;
}

static double *value_of(setup *s, const rbv_unknown *u) {
  switch (u->kind) {
    case RBV_UNKNOWN_COLUMN: return &s->chi[u->column];
    case RBV_UNKNOWN_BIAS: return &s->bias[u->joint];
    case RBV_UNKNOWN_DELAY: return &s->delay[u->joint];
    case RBV_UNKNOWN_STIFFNESS: return &s->stiffness[u->joint];
    case RBV_UNKNOWN_DAMPING: return &s->damping[u->joint];
    default: return NULL;
  }
}

/*
 * Differences of order 2 with steps of 1e-4 of a value, for drives, links, springs, bias and delay.
 * The sensitivities have order 2: with steps of 1/16 ms an error of 1e-4 of the largest one.
 */
static void test_sensitivities(void **state) {
  (void)state;
  setup s;
  set_up(&s, arm);
  s.substeps = 32;
  const rbv_unknown u[] = {
      {.kind = RBV_UNKNOWN_STIFFNESS, .joint = 0}, {.kind = RBV_UNKNOWN_STIFFNESS, .joint = 1},
      {.kind = RBV_UNKNOWN_DAMPING, .joint = 0},   {.kind = RBV_UNKNOWN_DAMPING, .joint = 1},
      {.kind = RBV_UNKNOWN_BIAS, .joint = 1},      {.kind = RBV_UNKNOWN_DELAY, .joint = 0},
      {.kind = RBV_UNKNOWN_COLUMN, .column = -1},  {.kind = RBV_UNKNOWN_COLUMN, .column = -2},
      {.kind = RBV_UNKNOWN_COLUMN, .column = -3},
  };
  static const char *const names[] = {"Ia2", "Fc1", "ZZ2"};
  enum { UNKNOWNS = RBV_COUNT(u) };
  rbv_unknown own[UNKNOWNS];
  for (int i = 0; i < UNKNOWNS; i++) {
    own[i] = u[i];
    if (u[i].kind == RBV_UNKNOWN_COLUMN) own[i].column = column(s.m, names[-1 - u[i].column]);
  }
  rbv_sim_trace t = run(&s);
  rbv_control *c = law(&s);
  rbv_sensitivities *d;
  const rbv_sim_options o = options_of(&s);
  const rbv_sim_lane lane = lane_of(&s);
  rbv_sim_reference r = reference_of(&s);
  static double S[COUNT][MOST * UNKNOWNS];
  assert_ok(rbv_sensitivities_new(&d, s.m, c, &o, own, UNKNOWNS));
  assert_ok(rbv_sensitivities_start(d, &lane, &r, &t));
  for (int k = 0; k < COUNT; k++) rbv_sensitivities_next(S[k], NULL, d);
  rbv_sensitivities_free(d);
  bool good = true;
  for (int i = 0; i < UNKNOWNS; i++) {
    double *x = value_of(&s, &own[i]), step = 1e-4 * fabs(*x), worst = 0, largest = 0;
    rbv_sim_trace side[2];
    for (int k = 0; k < 2; k++) {
      *x += k ? -2 * step : step;
      side[k] = run(&s);
    }
    *x += step;
    for (int k = 0; k < COUNT; k++)
      for (int j = 0; j < s.n; j++) {
        const ptrdiff_t at = k + j * COUNT;
        const double want = (side[0].recorded_q[at] - side[1].recorded_q[at]) / (2 * step);
        worst = fmax(worst, fabs(S[k][j * UNKNOWNS + i] - want));
        largest = fmax(largest, fabs(want));
      }
    print_message("unknown %d: error %.2e of the largest sensitivity\n", i, worst / largest);
    good = good && worst < 5e-4 * largest;
    for (int k = 0; k < 2; k++) rbv_sim_trace_free(&side[k]);
  }
  assert_true(good);
  rbv_control_free(c);
  rbv_sim_trace_free(&t);
  rbv_model_free(s.m);
}

static void test_refusals(void **state) {
  (void)state;
  setup s;
  set_up(&s, pendulum);
  rbv_control *c = law(&s);
  rbv_sim *sim;
  rbv_sensitivities *d;
  rbv_sim_options o = options_of(&s);
  rbv_sim_lane lane = lane_of(&s);
  int steps;
  assert_ok(rbv_sim_new(&sim, s.m, c, &o, 1));
  s.stiffness[0] = 0;
  assert_refused(rbv_sim_set(sim, 0, &lane), RBV_EARG, "the stiffness of joint 1");
  rbv_sim_free(sim);
  o.elastic = false;
  const rbv_unknown u = {.kind = RBV_UNKNOWN_STIFFNESS, .joint = 0};
  assert_refused(rbv_sensitivities_new(&d, s.m, c, &o, &u, 1), RBV_EARG, "not elastic");
  s.chi[column(s.m, "Ia1")] = 0;
  s.stiffness[0] = 400;
  assert_refused(
      rbv_sim_elastic_substeps(&steps, s.m, s.chi, false, s.stiffness, s.reference, RATE),
      RBV_EINPUT, "joint 1 is elastic");
  s.chi[column(s.m, "Ia1")] = 0.1;
  s.stiffness[0] = 1e12;
  assert_refused(
      rbv_sim_elastic_substeps(&steps, s.m, s.chi, false, s.stiffness, s.reference, RATE),
      RBV_EUNSUPPORTED, "treat this joint as rigid");
  rbv_control_free(c);
  rbv_model_free(s.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equations),
      cmocka_unit_test(test_stiff_limit),
      cmocka_unit_test(test_sensitivities),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
