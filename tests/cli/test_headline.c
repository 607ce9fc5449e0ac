/*
 * "error on ...: robot file x %, identified y %": the numbers of recorded robots against an own
 * count. It reads the recording itself, differentiates smoothed positions, evaluates the inverse
 * dynamics, and compares what a windowed sinc leaves below 5 Hz.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identification.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tool.h"

#define SMOOTH_HZ 20.0  // of positions, before they are differentiated
#define BAND_HZ 5.625   // middle between 5 Hz and the Nyquist frequency of the tool's rows, 6.25 Hz
#define HALF_S 0.66     // half length of the sinc: its transition is 2.5 Hz wide
#define GAP 5           // periods without a sample
#define GAP_S 0.3       // samples nearer to a gap are left out
#define ROBOTS_DOF 8

typedef struct {
  ptrdiff_t count;
  int njoint;
  double dt;
  double *q, *tau;  // count x njoint
  bool *gap;        // samples near a gap are not compared
} recorded;

/* value of a column at time t, between two samples; *row is a row before t */
static double at_time(const csv *table, int column, int time, double t, ptrdiff_t *row) {
  const double *v = table->value;
  const ptrdiff_t n = table->ncolumn;
  while (*row < table->nrow - 2 && v[(*row + 1) * n + time] <= t) (*row)++;
  const double *a = v + *row * n, *b = a + n;
  return a[column] + (b[column] - a[column]) * (t - a[time]) / (b[time] - a[time]);
}

/* on a regular grid of time */
static recorded read_recording(const char *path, int njoint) {
  csv t = csv_parse(read_text(path, NULL));
  recorded r = {.count = t.nrow, .njoint = njoint};
  r.q = malloc((size_t)(t.nrow * njoint) * sizeof *r.q);
  r.tau = malloc((size_t)(t.nrow * njoint) * sizeof *r.tau);
  r.gap = calloc((size_t)t.nrow, sizeof *r.gap);
  const int time = csv_find(&t, "t");
  const double first = t.value[time];
  r.dt = (t.value[(t.nrow - 1) * t.ncolumn + time] - first) / (t.nrow - 1);
  for (int j = 0; j < njoint; j++) {
    char name[16];
    snprintf(name, sizeof name, "q%d", j + 1);
    const int q = csv_find(&t, name);
    snprintf(name, sizeof name, "tau%d", j + 1);
    const int tau = csv_find(&t, name);
    ptrdiff_t row = 0;
    for (ptrdiff_t k = 0; k < r.count; k++) {
      r.q[k + j * r.count] = at_time(&t, q, time, first + (double)k * r.dt, &row);
      r.tau[k + j * r.count] = at_time(&t, tau, time, first + (double)k * r.dt, &row);
    }
  }
  for (int i = 0; i + 1 < t.nrow; i++) {
    const double from = t.value[i * t.ncolumn + time], to = t.value[(i + 1) * t.ncolumn + time];
    if (to - from < GAP * r.dt) continue;
    for (ptrdiff_t k = 0; k < r.count; k++) {
      const double now = first + (double)k * r.dt;
      r.gap[k] = r.gap[k] || (now > from - GAP_S && now < to + GAP_S);
    }
  }
  csv_free(&t);
  return r;
}

/* symmetric filter of 2 half + 1 taps at every step-th sample; the end values are repeated beyond
 * the ends */
static void convolve(double *out, const double *x, ptrdiff_t n, const double *tap, ptrdiff_t half,
                     ptrdiff_t step) {
  for (ptrdiff_t k = 0; k < n; k += step) {
    double sum = tap[0] * x[k];
    for (ptrdiff_t i = 1; i <= half; i++)
      sum += tap[i] * (x[k - i < 0 ? 0 : k - i] + x[k + i >= n ? n - 1 : k + i]);
    out[k] = sum;
  }
}

static void normalise(double *tap, ptrdiff_t half) {
  double sum = tap[0];
  for (ptrdiff_t i = 1; i <= half; i++) sum += 2 * tap[i];
  for (ptrdiff_t i = 0; i <= half; i++) tap[i] /= sum;
}

/* Gaussian with -3 dB at SMOOTH_HZ */
static void smooth(double *out, const double *x, ptrdiff_t n, double dt) {
  const double sigma = sqrt(log(2)) / (2 * acos(-1) * SMOOTH_HZ) / dt;
  const ptrdiff_t half = (ptrdiff_t)ceil(4 * sigma);
  double *tap = malloc((size_t)(half + 1) * sizeof *tap);
  for (ptrdiff_t i = 0; i <= half; i++) tap[i] = exp(-0.5 * pow((double)i / sigma, 2));
  normalise(tap, half);
  convolve(out, x, n, tap, half, 1);
  free(tap);
}

/* samples between two that are compared: 20 ms, two of them in a period of 25 Hz */
static ptrdiff_t compared_step(double dt) { return dt < 0.02 ? (ptrdiff_t)(0.02 / dt) : 1; }

/* sinc with a Hamming window */
static void low_pass(double *out, const double *x, ptrdiff_t n, double dt) {
  const ptrdiff_t half = (ptrdiff_t)(HALF_S / dt);
  const double pi = acos(-1);
  double *tap = malloc((size_t)(half + 1) * sizeof *tap);
  for (ptrdiff_t i = 0; i <= half; i++) {
    const double t = (double)i * dt, window = 0.54 + 0.46 * cos(pi * (double)i / (double)half);
    tap[i] = (i == 0 ? 2 * BAND_HZ : sin(2 * pi * BAND_HZ * t) / (pi * t)) * window;
  }
  normalise(tap, half);
  convolve(out, x, n, tap, half, compared_step(dt));
  free(tap);
}

/* share of the torque that chi predicts wrong */
static double own_error(const recorded *r, const rbv_model *m, const double *chi) {
  const ptrdiff_t n = r->count, edge = (ptrdiff_t)(HALF_S / r->dt) + 2;
  const size_t size = (size_t)(n * r->njoint);
  double *q = malloc(size * sizeof *q), *tau = malloc(size * sizeof *tau);
  double *measured = malloc((size_t)n * sizeof *measured),
         *model = malloc((size_t)n * sizeof *model);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  for (int j = 0; j < r->njoint; j++) smooth(q + j * n, r->q + j * n, n, r->dt);
  for (ptrdiff_t k = 1; k < n - 1; k++) {
    double x[ROBOTS_DOF], dx[ROBOTS_DOF], ddx[ROBOTS_DOF], y[ROBOTS_DOF];
    for (int j = 0; j < r->njoint; j++) {
      const double *at = q + k + j * n;
      x[j] = at[0];
      dx[j] = (at[1] - at[-1]) / (2 * r->dt);
      ddx[j] = (at[1] - 2 * at[0] + at[-1]) / (r->dt * r->dt);
    }
    rbv_dynamics_rows(y, d, x, dx, ddx);
    for (int j = 0; j < r->njoint; j++) tau[k + j * n] = y[j];
  }
  double rss = 0, yy = 0;
  for (int j = 0; j < r->njoint; j++) {
    tau[j * n] = tau[1 + j * n];
    tau[n - 1 + j * n] = tau[n - 2 + j * n];
    low_pass(measured, r->tau + j * n, n, r->dt);
    low_pass(model, tau + j * n, n, r->dt);
    for (ptrdiff_t k = 0; k < n - edge; k += compared_step(r->dt)) {
      if (k < edge || r->gap[k]) continue;
      rss += pow(measured[k] - model[k], 2);
      yy += pow(measured[k], 2);
    }
  }
  rbv_dynamics_free(d);
  free(model);
  free(measured);
  free(tau);
  free(q);
  return sqrt(rss / yy);
}

static void check(const char *robot, const char *log, const char *options, int njoint) {
  char robot_path[1024], log_path[1024], wanted[2][64];
  snprintf(robot_path, sizeof robot_path, "%s", strchr(robot, '/') ? recording(robot) : robot);
  snprintf(log_path, sizeof log_path, "%s", recording(log));
  // the own count below knows no friction that has a state
  outcome o = tool("identify '%s' '%s' %s --friction plain --unchecked -o result.json", robot_path,
                   log_path, options);
  assert_int_equal(o.code, 0);
  rbv_result_model fitted = {0};
  assert_ok(rbv_result_model_load(&fitted, temp_file("result.json", NULL), NULL, NULL));
  const rbv_fit *fit = &fitted.result->fit;
  recorded r = read_recording(log_path, njoint);
  const double before = own_error(&r, fitted.model, rbv_model_parameters(fitted.model));
  const double after = own_error(&r, fitted.model, fitted.chi);
  print_message("%s: robot file %.2f %% (own count %.2f %%), identified %.2f %% (%.2f %%)\n", log,
                100 * fit->baseline, 100 * before, 100 * fit->comparable, 100 * after);
  // filters of other shape, another differentiator, and 0.7 s at both ends left out
  assert_near(fit->baseline, before, 0, 0.03);
  assert_near(fit->comparable, after, 0, 0.06);
  // the sentence has these numbers
  snprintf(wanted[0], sizeof wanted[0], "robot file %.3g %%", 100 * fit->baseline);
  snprintf(wanted[1], sizeof wanted[1], "identified %.3g %%", 100 * fit->left_out);
  for (char *c = o.err; *c; c++)
    if (*c == '\n') *c = ' ';  // lines are broken at the width of the terminal
  for (int i = 0; i < 2; i++)
    if (!strstr(o.err, wanted[i]) && !strstr(o.out, wanted[i])) fail_msg("no '%s'", wanted[i]);
  free(r.q);
  free(r.tau);
  free(r.gap);
  rbv_result_model_free(&fitted);
  outcome_free(&o);
}

static void test_tx40(void **state) {
  (void)state;
  check("tx40", "staubli_tx40/tx40_joint.csv", "", 6);
}

static void test_panda(void **state) {
  (void)state;
  check("models/panda_nohand.urdf", "panda/panda.csv", "--sensing joint", 7);
}

static void test_lwr4(void **state) {
  (void)state;
  check("kuka_lwr4/kuka_lwr4.urdf", "kuka_lwr4/lwr4_measurements_1.csv", "", 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tx40), cmocka_unit_test(test_panda),
                                     cmocka_unit_test(test_lwr4)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
