/*
 * Closed-loop output error: cost and reach of the search. TX40 with 30 unknowns from 50 % wrong
 * values and from 20 random starts; a pendulum against Levenberg-Marquardt with finite differences
 * and against an evolution strategy, which use the same simulation; delay and Stribeck friction
 * together.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

/* ---- a recording of our own ---- */

typedef struct {
  rbv_model *m;
  int n;
  ptrdiff_t count;
  double rate_hz;
  double *reference;  // count x n
  rbv_control *control;
  rbv_motion *motion;
  double *q;  // count x n: recorded
} setup;

typedef struct {
  double delay_s, bias;  // of all joints, of joint 2
  double counts;
  double disturbance;  // share of a torque of 1 N m
  uint64_t seed;
} truth;

static void record(setup *s, const truth *t) {
  double *delay = calloc((size_t)s->n, sizeof *delay), *bias = calloc((size_t)s->n, sizeof *bias);
  double *noise = calloc((size_t)s->n, sizeof *noise);
  for (int j = 0; j < s->n; j++) {
    delay[j] = t->delay_s;
    noise[j] = t->disturbance;
  }
  bias[s->n > 1 ? 1 : 0] = t->bias;
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  o.defects.record_counts = t->counts;
  if (t->disturbance > 0) o.defects.disturbance = noise;
  rbv_sim *sim;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&sim, s->m, s->control, &o, 1));
  const rbv_sim_lane lane = {.delay = delay, .bias = bias, .seed = t->seed};
  const rbv_sim_reference r = {.count = s->count, .ld = s->count, .q = s->reference};
  assert_ok(rbv_sim_set(sim, 0, &lane));
  assert_ok(rbv_sim_trace_new(&trace, s->n, s->count));
  assert_ok(rbv_sim_run(&outcome, sim, &r, &trace));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  const rbv_motion_info info = {.name = "recording",
                                .njoint = s->n,
                                .ntorque = s->n,
                                .count = s->count,
                                .rate_hz = s->rate_hz};
  const rbv_samples samples = {
      .ld = s->count, .q = trace.recorded_q, .dq = trace.dq, .ddq = trace.ddq, .torque = trace.tau};
  assert_ok(rbv_motion_from_arrays(&s->motion, &info, &samples));
  const size_t bytes = (size_t)(s->count * s->n) * sizeof *s->q;
  s->q = malloc(bytes);
  memcpy(s->q, trace.recorded_q, bytes);
  rbv_sim_trace_free(&trace);
  rbv_sim_free(sim);
  free(noise);
  free(bias);
  free(delay);
}

static void forget(setup *s) {
  rbv_motion_free(s->motion);
  free(s->q);
}

static rbv_estimate *fit(const setup *s, const rbv_unknown *unknown, int nunknown, double factor,
                         int starts, const bool *columns) {
  const int nc = rbv_model_column_count(s->m);
  double *start = malloc((size_t)nc * sizeof *start);
  for (int c = 0; c < nc; c++) start[c] = factor * rbv_model_parameters(s->m)[c];
  const rbv_sim_reference r = {.count = s->count, .ld = s->count, .q = s->reference};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = s->control;
  loop.reference = &r;
  loop.start = start;
  loop.skip = (ptrdiff_t)(0.4 * s->rate_hz);
  loop.unknown = unknown;
  loop.nunknown = nunknown;
  loop.longest_delay_s = 0.02;
  loop.starts = starts;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  o.columns = columns;
  o.filter.decimate = (int)(s->rate_hz / 200);
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, s->m, &s->motion, 1, &o));
  free(start);
  return e;
}

/* ---- TX40, 30 unknowns ---- */

static void tx40_new(setup *s, double rate_hz) {
  *s = (setup){0};
  rbv_model_options smooth = rbv_model_defaults();
  smooth.gamma = 150;  // the law of the sensitivities is that of the simulation
  assert_ok(rbv_model_load(&s->m, "tx40", &smooth));
  double *q, rate, J[6];
  ptrdiff_t count;
  assert_ok(rbv_sim_reference_builtin(&q, &count, &s->n, &rate, "tx40"));
  const ptrdiff_t step = (ptrdiff_t)(rate / rate_hz + 0.5);
  s->rate_hz = rate_hz;
  s->count = count / step;
  s->reference = malloc((size_t)(s->count * s->n) * sizeof *s->reference);
  for (int j = 0; j < s->n; j++)
    for (ptrdiff_t k = 0; k < s->count; k++)
      s->reference[k + j * s->count] = q[k * step + j * count];
  rbv_sim_reference_release(q);
  const rbv_sim_reference r = {.count = s->count, .ld = s->count, .q = s->reference};
  static const double hertz[] = {4, 4, 5, 8, 8, 12};
  rbv_control_joint joint[6];
  assert_ok(rbv_sim_inertia(J, s->m, rbv_model_parameters(s->m), false, &r, 50));
  for (int j = 0; j < 6; j++) joint[j] = rbv_control_tune(J[j], 2 * M_PI * hertz[j], 0, 5);
  assert_ok(rbv_control_new(&s->control, "pd", rate_hz, RBV_FEEDFORWARD_NONE, joint, 6));
}

static void setup_free(setup *s) {
  rbv_control_free(s->control);
  free(s->reference);
  rbv_model_free(s->m);
}

/* base parameters that the robot file gives: 28 */
static bool *given_columns(const rbv_model *m) {
  const int nc = rbv_model_column_count(m);
  bool *columns = malloc((size_t)nc * sizeof *columns);
  for (int c = 0; c < nc; c++) columns[c] = rbv_model_parameters(m)[c] != 0;
  return columns;
}

static const rbv_unknown delay_and_bias[] = {{.kind = RBV_UNKNOWN_DELAY, .joint = -1},
                                             {.kind = RBV_UNKNOWN_BIAS, .joint = 1}};

static void report(const setup *s, const rbv_estimate *e, const truth *t, double *worst) {
  *worst = 0;
  for (int k = 0; k < e->base->count; k++) {
    const double value = rbv_model_parameters(s->m)[e->base->kept[k]];
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
    if (isfinite(sigma)) *worst = fmax(*worst, fabs(e->value[k] - value) / sigma);
  }
  print_message(
      "%d unknowns: %d iterations, %d simulations, converged %d, worst error %.1f sigma, "
      "delay %.2g s off\n",
      e->active + e->loop.nunknown, e->iterations, e->loop.simulations, e->converged, *worst,
      e->loop.unknown[0].value - t->delay_s);
}

static void test_tx40_time(void **state) {
  (void)state;
  setup s;
  tx40_new(&s, 5000);
  const truth t = {.delay_s = 0.0023, .bias = 0.01, .counts = 1e5, .seed = 1};
  record(&s, &t);
  bool *columns = given_columns(s.m);
  const clock_t before = clock();
  rbv_estimate *e = fit(&s, delay_and_bias, 2, 1.5, 1, columns);
  print_message("%.2f s of processor time\n", (double)(clock() - before) / CLOCKS_PER_SEC);
  double worst;
  report(&s, e, &t, &worst);
  assert_true(e->converged);
  // 30 values; 1 in 1000 is larger by chance
  assert_true(worst < 4.5);
  rbv_estimate_free(e);
  free(columns);
  forget(&s);
  setup_free(&s);
}

static void test_tx40_starts(void **state) {
  (void)state;
  setup s;
  tx40_new(&s, 1000);
  const truth t = {.delay_s = 0.0023, .bias = 0.01, .counts = 1e5, .seed = 1};
  record(&s, &t);
  bool *columns = given_columns(s.m);
  const clock_t before = clock();
  rbv_estimate *e = fit(&s, delay_and_bias, 2, 1, 20, columns);
  print_message(
      "%d of %d starts reach the best optimum, %d simulations, %.1f s of processor time\n",
      e->loop.reached, e->loop.starts, e->loop.simulations,
      (double)(clock() - before) / CLOCKS_PER_SEC);
  assert_true(e->loop.starts == 20 && e->loop.reached >= 19);
  rbv_estimate_free(e);
  free(columns);
  forget(&s);
  setup_free(&s);
}

/* ---- a pendulum, against other optimisers ---- */

static void pendulum_new(setup *s, bool stribeck) {
  char text[512];
  snprintf(text, sizeof text,
           "joints:\n"
           "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc%s]}\n"
           "friction: {smooth: 0.002%s}\n"
           "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, Fv1: "
           "0.1, Fc1: 0.3%s}\n",
           stribeck ? ", Fs" : "", stribeck ? ", stribeck: 0.1" : "",
           stribeck ? ", Fs1: 0.12" : "");
  *s = (setup){.m = load_robot(temp_file("pendulum.yaml", text), -1, false), .n = 1};
  s->count = 5000;
  s->rate_hz = 500;
  s->reference = malloc((size_t)s->count * sizeof *s->reference);
  for (ptrdiff_t k = 0; k < s->count; k++) {
    const double time = (double)k / s->rate_hz;
    s->reference[k] = 0.5 + 0.4 * sin(2 * M_PI * 0.7 * time) * (1 - exp(-time)) +
                      0.15 * sin(9 * time) + 0.2 * sin(1.1 * time);
  }
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 60;
  j.k_d = 6;
  j.filter_s = 2e-3;
  assert_ok(rbv_control_new(&s->control, "pd", s->rate_hz, RBV_FEEDFORWARD_NONE, &j, 1));
}

#define UNKNOWNS 5  // ZZ1R, MX1, Fv1, Fc1, delay

typedef struct {
  const setup *s;
  int columns[UNKNOWNS - 1];
  double scale[UNKNOWNS];  // the true values: unknowns are relative to them
  int simulations;
  double *q;  // count
} problem;

/* positions with x; false: the loop diverges */
static bool run(problem *p, const double *x) {
  const setup *s = p->s;
  double *chi = calloc((size_t)rbv_model_column_count(s->m), sizeof *chi);
  for (int i = 0; i < UNKNOWNS - 1; i++) chi[p->columns[i]] = x[i] * p->scale[i];
  const double delay = fmin(fmax(x[UNKNOWNS - 1] * p->scale[UNKNOWNS - 1], 0), 0.02);
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = 0.02;
  rbv_sim *sim;
  rbv_sim_outcome outcome;
  const rbv_sim_lane lane = {.chi = chi, .delay = &delay};
  const rbv_sim_reference r = {.count = s->count, .ld = s->count, .q = s->reference, .q0 = s->q};
  const rbv_sim_trace trace = {.ld = s->count, .q = p->q};
  p->simulations++;
  assert_ok(rbv_sim_new(&sim, s->m, s->control, &o, 1));
  bool done = rbv_sim_set(sim, 0, &lane) == RBV_OK;
  if (done) assert_ok(rbv_sim_run(&outcome, sim, &r, &trace));
  done = done && outcome.verdict == RBV_SIM_DONE;
  rbv_sim_free(sim);
  free(chi);
  return done;
}

/* sum of squares of the position error, behind the transient */
static double cost_of(problem *p, const double *x) {
  if (!run(p, x)) return INFINITY;
  double sum = 0;
  for (ptrdiff_t k = 200; k < p->s->count; k++) sum += pow(p->q[k] - p->s->q[k], 2);
  return sum;
}

/* solve the normal equations of a few unknowns by Gauss */
static void solve(double *x, double A[UNKNOWNS][UNKNOWNS + 1]) {
  for (int k = 0; k < UNKNOWNS; k++)
    for (int i = k + 1; i < UNKNOWNS; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j <= UNKNOWNS; j++) A[i][j] -= factor * A[k][j];
    }
  for (int k = UNKNOWNS - 1; k >= 0; k--) {
    x[k] = A[k][UNKNOWNS];
    for (int j = k + 1; j < UNKNOWNS; j++) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

/* JtJ and Jt r of the rows behind the transient */
static void normal_equations(double A[UNKNOWNS][UNKNOWNS + 1], const double *J, const double *r,
                             ptrdiff_t count) {
  for (int i = 0; i < UNKNOWNS; i++)
    for (int j = 0; j <= UNKNOWNS; j++) {
      const double *other = j < UNKNOWNS ? J + j * count : r;
      A[i][j] = 0;
      for (ptrdiff_t k = 200; k < count; k++) A[i][j] += J[k + i * count] * other[k];
    }
}

/* largest step without damping in its sigma, as the library stops */
static double largest_step(double A[UNKNOWNS][UNKNOWNS + 1], double cost, ptrdiff_t rows) {
  double B[UNKNOWNS][UNKNOWNS + 1], step[UNKNOWNS], column[UNKNOWNS], largest = 0;
  memcpy(B, A, sizeof B);
  solve(step, B);
  for (int i = 0; i < UNKNOWNS; i++) {
    memcpy(B, A, sizeof B);
    for (int j = 0; j < UNKNOWNS; j++) B[j][UNKNOWNS] = i == j;
    solve(column, B);
    largest = fmax(largest, fabs(step[i]) / sqrt(column[i] * cost / (double)rows));
  }
  return largest;
}

/* Levenberg-Marquardt as in the library, with finite differences and the same rule to stop: a full
 * step moves no unknown by more than 0.1 sigma. Returns simulations; `to_goal`: until the cost is
 * within 1e-4 of `goal`. */
static int finite_differences(problem *p, double factor, double goal, int *to_goal) {
  const ptrdiff_t count = p->s->count;
  double x[UNKNOWNS], damping = 1e-3, A[UNKNOWNS][UNKNOWNS + 1];
  double *J = malloc((size_t)(count * (UNKNOWNS + 1)) * sizeof *J), *r = J + count * UNKNOWNS;
  for (int i = 0; i < UNKNOWNS; i++) x[i] = factor;
  p->simulations = *to_goal = 0;
  double cost = cost_of(p, x);
  bool done = false;
  for (int round = 0; round < 50 && !done; round++) {
    // p->q is that of x: its last simulation was accepted
    for (ptrdiff_t k = 0; k < count; k++) r[k] = p->s->q[k] - p->q[k];
    for (int i = 0; i < UNKNOWNS; i++) {
      double y[UNKNOWNS];
      memcpy(y, x, sizeof y);
      y[i] += 1e-5;
      assert_true(run(p, y));
      for (ptrdiff_t k = 0; k < count; k++)
        J[k + i * count] = (p->q[k] - (p->s->q[k] - r[k])) / 1e-5;
    }
    normal_equations(A, J, r, count);
    done = largest_step(A, cost, count - 200) <= 0.1;
    for (bool better = false; !better && !done && damping < 1e6; damping *= better ? 0.1 : 10) {
      double B[UNKNOWNS][UNKNOWNS + 1], step[UNKNOWNS], y[UNKNOWNS];
      memcpy(B, A, sizeof B);
      for (int i = 0; i < UNKNOWNS; i++) B[i][i] *= 1 + damping;
      solve(step, B);
      for (int i = 0; i < UNKNOWNS; i++) y[i] = x[i] + step[i];
      y[UNKNOWNS - 1] = fmin(fmax(y[UNKNOWNS - 1], 0), 0.02 / p->scale[UNKNOWNS - 1]);
      const double now = cost_of(p, y);
      better = now < cost;
      if (!better) continue;
      memcpy(x, y, sizeof x);
      cost = now;
    }
    if (*to_goal == 0 && cost <= goal * (1 + 1e-4)) *to_goal = p->simulations;
  }
  free(J);
  assert_true(done && *to_goal > 0);
  return p->simulations;
}

/* Evolution strategy with covariance matrix adaptation (Hansen 2016, rank one and rank mu), from
 * the same start, until the cost is within 1 % of `goal`. Returns simulations. */
static int evolution(problem *p, double factor, double goal, uint64_t seed, int most) {
  enum { N = UNKNOWNS, LAMBDA = 8, MU = 4 };
  const double mueff = 2.6, cc = 4.0 / (N + 4), cs = (mueff + 2) / (N + mueff + 5);
  const double c1 = 2 / (pow(N + 1.3, 2) + mueff);
  const double cmu = fmin(1 - c1, 2 * (mueff - 2 + 1 / mueff) / (pow(N + 2, 2) + mueff));
  const double damps = 1 + cs, chi = sqrt(N) * (1 - 1.0 / (4 * N) + 1.0 / (21 * N * N));
  static const double weight[MU] = {0.53, 0.27, 0.14, 0.06};
  double m[N], C[N][N] = {{0}}, pc[N] = {0}, ps[N] = {0}, sigma = 0.3, best = INFINITY;
  uint64_t at = 0;
  for (int i = 0; i < N; i++) {
    m[i] = factor;
    C[i][i] = 1;
  }
  p->simulations = 0;
  while (best > goal * 1.01 && p->simulations < most) {
    double L[N][N] = {{0}}, x[LAMBDA][N], y[LAMBDA][N], z[LAMBDA][N], cost[LAMBDA];
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++) {
        double sum = C[i][j];
        for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
        L[i][j] = i == j ? sqrt(fmax(sum, 1e-20)) : sum / L[j][j];
      }
    int order[LAMBDA];
    for (int l = 0; l < LAMBDA; l++) {
      for (int i = 0; i < N; i++) z[l][i] = rbv_random_normal(seed, 1, at++);
      for (int i = 0; i < N; i++) {
        y[l][i] = 0;
        for (int j = 0; j <= i; j++) y[l][i] += L[i][j] * z[l][j];
        x[l][i] = m[i] + sigma * y[l][i];
      }
      cost[l] = cost_of(p, x[l]);
      best = fmin(best, cost[l]);
      int k = l;
      for (; k > 0 && cost[order[k - 1]] > cost[l]; k--) order[k] = order[k - 1];
      order[k] = l;
    }
    double step[N] = {0}, normal[N] = {0}, length = 0;
    for (int k = 0; k < MU; k++)
      for (int i = 0; i < N; i++) {
        step[i] += weight[k] * y[order[k]][i];
        normal[i] += weight[k] * z[order[k]][i];
      }
    for (int i = 0; i < N; i++) {
      m[i] += sigma * step[i];
      ps[i] = (1 - cs) * ps[i] + sqrt(cs * (2 - cs) * mueff) * normal[i];
      pc[i] = (1 - cc) * pc[i] + sqrt(cc * (2 - cc) * mueff) * step[i];
      length = hypot(length, ps[i]);
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double rank = 0;
        for (int k = 0; k < MU; k++) rank += weight[k] * y[order[k]][i] * y[order[k]][j];
        C[i][j] = (1 - c1 - cmu) * C[i][j] + c1 * pc[i] * pc[j] + cmu * rank;
      }
    sigma *= exp(cs / damps * (length / chi - 1));
  }
  print_message("evolution: cost %.4g, optimum %.4g\n", best, goal);
  return p->simulations;
}

static void test_other_optimisers(void **state) {
  (void)state;
  setup s;
  pendulum_new(&s, false);
  const truth t = {.delay_s = 0.0033, .counts = 65536, .seed = 1};
  record(&s, &t);
  const int nc = rbv_model_column_count(s.m);
  bool *columns = malloc((size_t)nc * sizeof *columns);
  for (int c = 0; c < nc; c++) columns[c] = strcmp(rbv_model_column(s.m, c)->name, "MY1") != 0;
  rbv_estimate *e = fit(&s, delay_and_bias, 1, 1.5, 1, columns);
  assert_true(e->converged);
  static const char *const name[] = {"ZZ1", "MX1", "Fv1", "Fc1"};
  static const double value[] = {0.2602, 0.6, 0.1, 0.3};
  problem p = {.s = &s, .q = malloc((size_t)s.count * sizeof *p.q)};
  for (int i = 0; i < 4; i++) {
    p.columns[i] = rbv_model_find(s.m, name[i]);
    p.scale[i] = value[i];
  }
  p.scale[4] = t.delay_s;
  // the optimum: from the true values by differences of the same simulation
  double best = INFINITY;
  const double one[UNKNOWNS] = {1, 1, 1, 1, 1};
  best = cost_of(&p, one);
  int to_goal;
  const int differences = finite_differences(&p, 1.5, best, &to_goal);
  const int strategy = evolution(&p, 1.5, best, 1, 4000);
  print_message(
      "simulations: %d with sensitivities, %d with finite differences (%d to the cost of the true "
      "values), %d by evolution\n",
      e->loop.simulations, differences, to_goal, strategy);
  assert_true(differences >= 5 * e->loop.simulations);
  assert_true(strategy >= 30 * e->loop.simulations);
  free(p.q);
  rbv_estimate_free(e);
  free(columns);
  forget(&s);
  setup_free(&s);
}

/* ---- delay and Stribeck friction together ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* an arm of three joints with Stribeck friction at all of them, links unknown */
static void arm_new(setup *s) {
  static const char text[] =
      "joints:\n"
      "  - {mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fs]}\n"
      "  - {mdh: {alpha: pi/2, d: 0, theta: -pi/2, r: 0.0955}, drive: [Ia, Fv, Fc, Fs]}\n"
      "  - {mdh: {alpha: 0, d: 0.213, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fs]}\n"
      "friction: {smooth: 0.002, stribeck: 0.1}\n"
      "parameters: {M1: 0.68, MY1: 0.003, MZ1: -0.002, XX1: 0.0006, YY1: 0.0005, ZZ1: 0.0006,\n"
      "  Ia1: 0.012, Fv1: 0.08, Fc1: 0.22, Fs1: 0.08,\n"
      "  M2: 1.15, MX2: 0.038, MY2: 0.004, MZ2: -0.027, XX2: 0.0021, YY2: 0.0092, ZZ2: 0.0083,\n"
      "  XZ2: 0.0009, Ia2: 0.012, Fv2: 0.06, Fc2: 0.25, Fs2: 0.1,\n"
      "  M3: 0.24, MX3: 0.031, MY3: 0.001, XX3: 0.0002, YY3: 0.0060, ZZ3: 0.0060,\n"
      "  Ia3: 0.025, Fv3: 0.05, Fc3: 0.18, Fs3: 0.07}\n";
  *s = (setup){.m = load_robot(temp_file("arm.yaml", text), -1, false), .n = 3};
  s->count = 6000;
  s->rate_hz = 500;
  s->reference = malloc((size_t)(s->count * s->n) * sizeof *s->reference);
  rbv_control_joint joint[3];
  for (int j = 0; j < s->n; j++) {
    for (ptrdiff_t k = 0; k < s->count; k++) {
      const double t = (double)k / s->rate_hz;
      double sum = 0;
      for (int i = 0; i < 6; i++)
        sum += sin(2 * M_PI * (0.25 + 0.4 * i + 0.07 * j) * t + i + 2 * j) / (1 + 0.5 * i);
      s->reference[k + j * s->count] = 0.3 + 0.3 * (1 - exp(-2 * t * t)) * sum;
    }
    joint[j] = rbv_control_joint_defaults();
    joint[j].k_p = 25;
    joint[j].k_d = 0.9;
    joint[j].filter_s = 4e-3;
  }
  assert_ok(rbv_control_new(&s->control, "pd", s->rate_hz, RBV_FEEDFORWARD_NONE, joint, 3));
}

/* Errors over many runs with another delay each: the median of those of friction and inertia, and
 * the share of all values that 1.96 sigma covers. */
static void study_stribeck(setup *s, int runs, double disturbance) {
  const int nc = rbv_model_column_count(s->m);
  bool *columns = malloc((size_t)nc * sizeof *columns);
  // the bias is not asked for: all base parameters are determined, except the zero of a pendulum
  for (int c = 0; c < nc; c++)
    columns[c] = s->n > 1 || strcmp(rbv_model_column(s->m, c)->name, "MY1") != 0;
  double *error = malloc((size_t)(runs * nc) * sizeof *error),
         *truth_of = malloc((size_t)nc * sizeof *truth_of);
  int count = 0, values = 0, covered = 0;
  double worst_sigma = 0;
  for (int run = 0; run < runs; run++) {
    const truth t = {.delay_s = 0.001 + 0.0004 * run,
                     .counts = 65536,
                     .disturbance = disturbance,
                     .seed = (uint64_t)run + 1};
    record(s, &t);
    rbv_estimate *e = fit(s, delay_and_bias, 1, 1.5, 1, columns);
    assert_true(e->converged);
    rbv_base_values(truth_of, e->base, rbv_model_parameters(s->m));
    for (int k = 0; k < e->base->count; k++) {
      const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      const double off = fabs(e->value[k] - truth_of[k]);
      if (!(sigma > 0 && isfinite(sigma))) continue;
      values++;
      covered += off <= 1.96 * sigma;
      worst_sigma = fmax(worst_sigma, off / sigma);
      const rbv_column *c = rbv_model_column(s->m, e->base->kept[k]);
      const bool drive = c->basis != RBV_BASIS_INERTIAL;
      if (s->n == 1 || drive) error[count++] = off / fabs(truth_of[k]);
      if (drive && off > 0.05 * fabs(truth_of[k]))
        print_message("run %d: %s %.5f +- %.2g, true %.5f\n", run, e->base->name[k], e->value[k],
                      sigma, truth_of[k]);
    }
    rbv_estimate_free(e);
    forget(s);
  }
  qsort(error, (size_t)count, sizeof *error, by_size);
  print_message(
      "median error %.3f %%, largest %.2f %% of %d values; 1.96 sigma cover %.1f %% of %d, the "
      "largest error is %.1f sigma\n",
      100 * error[count / 2], 100 * error[count - 1], count, 100.0 * covered / values, values,
      worst_sigma);
  assert_true(error[count / 2] < 0.003);
  // 100 or more values that are not independent
  assert_true(covered >= 0.9 * values);
  free(truth_of);
  free(error);
  free(columns);
}

static void test_delay_and_stribeck(void **state) {
  (void)state;
  setup s;
  pendulum_new(&s, true);
  study_stribeck(&s, 20, 0.02);
  setup_free(&s);
}

/* an arm: disturbances are smaller, because its torques are */
static void test_delay_and_stribeck_of_arm(void **state) {
  (void)state;
  setup s;
  arm_new(&s);
  study_stribeck(&s, 10, 0.002);
  setup_free(&s);
}

/* argument: name of one test */
int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_other_optimisers),
      cmocka_unit_test(test_delay_and_stribeck),
      cmocka_unit_test(test_delay_and_stribeck_of_arm),
      cmocka_unit_test(test_tx40_time),
      cmocka_unit_test(test_tx40_starts),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
