/* Data made from known parameters must return them; other results are compared with
 * dense algebra. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linalg/linalg.h"
#include "stats/stats.h"

#include "motions.h"
#include "result/result.h"
#include "support.h"

#define COLUMN_MAX 200

/* two joints in a vertical plane: seven base parameters of links and rotors, five of friction */
static const char planar[] =
    "name: planar\n"
    "gravity: [0, -9.81, 0]\n"
    "joints:\n"
    "  - {mdh: {alpha: 0}, drive: [Ia, Fv, Fc]}\n"
    "  - {mdh: {alpha: 0, d: 0.5}, drive: [Ia, Fv, Fc, off]}\n";

static rbv_model *parse(const char *text) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot", text, strlen(text), NULL));
  return m;
}

/* ---- noise-free data ---- */

/* largest error of the base values relative to the largest of them */
static double error_of(const rbv_estimate *e, const double *chi) {
  double want[COLUMN_MAX], worst = 0, scale = 0;
  rbv_base_values(want, e->base, chi);
  for (int k = 0; k < e->base->count; k++) {
    // written so that NaN counts as the largest error
    if (!(fabs(e->value[k] - want[k]) <= worst)) worst = fabs(e->value[k] - want[k]);
    scale = fmax(scale, fabs(want[k]));
  }
  return worst / scale;
}

static void recover_with(const rbv_model *m, const rbv_identify_options *o, double bound) {
  const bool payload = rbv_model_has_payload(m);
  double chi[COLUMN_MAX];
  random_columns(chi, m, 7);
  waves w[2];
  rbv_motion *motion[2];
  for (int i = 0; i < 2; i++) {
    waves_new(&w[i], m, chi, (uint64_t)(20 + i), 3000, 250, payload && i == 1);
    motion[i] = waves_motion(&w[i]);
  }
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, motion, 2, o));
  assert_near(error_of(e, chi), 0, bound, 0);
  assert_near(e->fit.relative_error, 0, bound, 0);
  if (o->holdout > 0) assert_near(e->validation.relative_error, 0, bound, 0);
  // auto reports its choice
  assert_string_equal(e->method, e->choice[0] ? "wls" : o->method);
  assert_int_equal(e->active, e->base->count);
  assert_true(e->converged);
  assert_true(e->masked_fraction == 0);
  rbv_estimate_free(e);
  for (int i = 0; i < 2; i++) {
    rbv_motion_free(motion[i]);
    waves_free(&w[i]);
  }
}

/* condition numbers are below 1e3: 1e3 * eps is 2e-13; sums of 1e4 rows add rounding */
#define EXACT 1e-10
#define EXACT_DECIMATED 1e-9

static void recover(const rbv_model *m, const char *method, int decimate) {
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  o.filter.decimate = decimate;
  recover_with(m, &o, decimate > 1 ? EXACT_DECIMATED : EXACT);
}

static void recover_all(const char *robot, int sensing, bool payload) {
  rbv_model *m = load_robot(robot, sensing, payload);
  for (int i = 0; rbv_identify_method(i); i++) {
    if (rbv_method_find(rbv_identify_method(i))->loop != RBV_LOOP_OPEN)
      continue;  // test_loop.c covers these
    recover(m, rbv_identify_method(i), 1);
    recover(m, rbv_identify_method(i), 5);
  }
  rbv_model_free(m);
}

/* options do not change an exact answer, not even a prior far from it */
static void test_options_do_not_change_exact_results(void **state) {
  (void)state;
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_BOTH, true);
  double prior[COLUMN_MAX], sigma[COLUMN_MAX];
  random_columns(prior, m, 8);
  for (int c = 0; c < rbv_model_column_count(m); c++) sigma[c] = 0.1;
  for (int decimate = 1; decimate <= 5; decimate += 4) {
    const double bound = decimate > 1 ? EXACT_DECIMATED : EXACT;
    rbv_identify_options o = rbv_identify_defaults();
    o.filter.decimate = decimate;
    o.essential = true;
    recover_with(m, &o, bound);
    o.essential = false;
    o.holdout = 0.3;
    o.bootstrap = 3;
    recover_with(m, &o, bound);
    o.holdout = 0;
    o.bootstrap = 0;
    o.prior = prior;
    recover_with(m, &o, bound);
    o.prior_sigma = sigma;
    recover_with(m, &o, bound);
  }
  rbv_model_free(m);
}

static void test_tx40_is_recovered(void **state) {
  (void)state;
  recover_all("tx40", -1, false);
}

static void test_lwr_model_a_is_recovered(void **state) {
  (void)state;
  recover_all("lwr4+", RBV_SENSING_MOTOR, true);
}

static void test_lwr_model_b_is_recovered(void **state) {
  (void)state;
  recover_all("lwr4+", RBV_SENSING_JOINT, true);
}

static void test_lwr_model_c_is_recovered(void **state) {
  (void)state;
  recover_all("lwr4+", RBV_SENSING_BOTH, true);
}

static void test_lwr_model_d_is_recovered(void **state) {
  (void)state;
  recover_all("lwr4+", RBV_SENSING_DIFFERENCE, true);
}

/* ---- against dense algebra ---- */

/* all rows of one motion: W (row r of sample k at [k + r * count]) over the base columns, and Y */
typedef struct {
  int nrow, n;
  ptrdiff_t count;
  double *W, *Y;
} dense;

static dense dense_of(const rbv_model *m, const rbv_base *b, const waves *w) {
  const int n = w->njoint, nc = rbv_model_column_count(m);
  dense s = {w->nrow, b->count, w->count, NULL, NULL};
  const size_t rows = (size_t)(w->count * w->nrow);
  s.W = malloc(rows * (size_t)b->count * sizeof *s.W);
  s.Y = malloc(rows * sizeof *s.Y);
  double *one = malloc((size_t)(w->nrow * nc) * sizeof *one), q[8], dq[8], ddq[8];
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  for (ptrdiff_t k = 0; k < w->count; k++) {
    for (int j = 0; j < n; j++) {
      q[j] = w->q[k + j * w->count];
      dq[j] = w->dq[k + j * w->count];
      ddq[j] = w->ddq[k + j * w->count];
    }
    rbv_regressor_eval(one, d, q, dq, ddq, w->loaded);
    for (int r = 0; r < w->nrow; r++) {
      const ptrdiff_t at = k + r * w->count;
      s.Y[at] = w->torque[at];
      for (int c = 0; c < b->count; c++)
        s.W[at + c * (ptrdiff_t)rows] = one[r + b->kept[c] * w->nrow];
    }
  }
  rbv_dynamics_free(d);
  free(one);
  return s;
}

static void dense_free(dense *s) {
  free(s->W);
  free(s->Y);
}

/* sigma of one row's own fit, unit columns, minimum norm; columns that are only
 * rounding are zero */
static double own_sigma(const dense *s, int row) {
  const ptrdiff_t rows = s->count * s->nrow;
  double *A = calloc((size_t)(s->count * s->n), sizeof *A), x[COLUMN_MAX];
  for (int c = 0; c < s->n; c++) {
    double norm = 0, whole = 0;
    for (ptrdiff_t at = 0; at < rows; at++) whole += s->W[at + c * rows] * s->W[at + c * rows];
    for (ptrdiff_t k = 0; k < s->count; k++) {
      A[k + c * s->count] = s->W[k + row * s->count + c * rows];
      norm += A[k + c * s->count] * A[k + c * s->count];
    }
    const double scale = norm > 1e-20 * whole ? 1 / sqrt(norm) : 0;
    for (ptrdiff_t k = 0; k < s->count; k++) A[k + c * s->count] *= scale;
  }
  int rank;
  const double *b = s->Y + row * s->count;
  assert_ok(rbv_least_squares(x, &rank, NULL, A, (int)s->count, s->n, (int)s->count, b, 1e-10));
  double rss = 0;
  for (ptrdiff_t k = 0; k < s->count; k++) {
    double e = b[k];
    for (int c = 0; c < s->n; c++) e -= A[k + c * s->count] * x[c];
    rss += e * e;
  }
  free(A);
  return sqrt(rss / (double)(s->count - rank));
}

/* inverse of a symmetric positive matrix by Gauss and Jordan, in long double */
static void invert(long double *A, int n) {
  for (int p = 0; p < n; p++) {
    const long double pivot = A[p + p * n];
    assert_true(pivot > 0);
    A[p + p * n] = 1;
    for (int c = 0; c < n; c++) A[p + c * n] /= pivot;
    for (int r = 0; r < n; r++) {
      if (r == p) continue;
      const long double factor = A[r + p * n];
      A[r + p * n] = 0;
      for (int c = 0; c < n; c++) A[r + c * n] -= factor * A[p + c * n];
    }
  }
}

/* the normal equations of [W | Y] divided by sigma, in long double */
static void normal_equations(long double *A, long double *b, const dense *s, const double *sigma) {
  const ptrdiff_t rows = s->count * s->nrow;
  for (int i = 0; i < s->n; i++) {
    b[i] = 0;
    for (int j = 0; j < s->n; j++) A[i + j * s->n] = 0;
  }
  for (ptrdiff_t at = 0; at < rows; at++) {
    const long double weight = 1 / ((long double)sigma[at / s->count] * sigma[at / s->count]);
    for (int i = 0; i < s->n; i++) {
      const long double x = weight * s->W[at + i * rows];
      if (x == 0) continue;
      b[i] += x * s->Y[at];
      for (int j = 0; j < s->n; j++) A[i + j * s->n] += x * s->W[at + j * rows];
    }
  }
}

/* residual of the dense rows; row r starts at [r * count] */
static double *residual_of(const dense *s, const long double *x) {
  const ptrdiff_t rows = s->count * s->nrow;
  double *e = malloc((size_t)rows * sizeof *e);
  for (ptrdiff_t at = 0; at < rows; at++) {
    long double sum = s->Y[at];
    for (int c = 0; c < s->n; c++) sum -= s->W[at + c * rows] * x[c];
    e[at] = (double)sum;
  }
  return e;
}

static void compare_row(const rbv_row_fit *f, const double *e, const double *y, ptrdiff_t count) {
  double rss = 0, yy = 0, steps = 0, work[4000];
  for (ptrdiff_t k = 0; k < count; k++) {
    rss += e[k] * e[k];
    yy += y[k] * y[k];
    if (k > 0) steps += (e[k] - e[k - 1]) * (e[k] - e[k - 1]);
  }
  rbv_normality normality;
  assert_ok(rbv_stats_normality(&normality, work, e, count));
  assert_int_equal(f->rows, count);
  assert_near(f->relative_error, sqrt(rss / yy), 0, 1e-9);
  assert_near(f->rms, sqrt(rss / (double)count), 0, 1e-9);
  // of the whole series, not of a part of it
  assert_near(f->durbin_watson, steps / rss, 0, 1e-9);
  assert_near(f->ks_p, normality.p_lilliefors, 1e-9, 1e-9);
}

static void compare_with_dense(const char *robot, const char *method, ptrdiff_t count) {
  rbv_model *m = strchr(robot, '\n') ? parse(robot) : load_robot(robot, -1, false);
  double chi[COLUMN_MAX], sigma[16];
  random_columns(chi, m, 3);
  waves w;
  waves_new(&w, m, chi, 4, count, 200, false);
  waves_add_noise(&w, 5, 0.1);
  // one joint is noisier than the others, so that weights matter
  for (ptrdiff_t k = 0; k < count; k++) w.torque[k] += rbv_random_normal(6, 0, (uint64_t)k);
  rbv_motion *motion = waves_motion(&w);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));

  // the same with dense algebra
  dense s = dense_of(m, e->base, &w);
  const int n = s.n;
  for (int r = 0; r < s.nrow; r++) {
    sigma[r] = own_sigma(&s, r);
    assert_near(e->fit.row[r].sigma, sigma[r], 0, 1e-9);
    if (strcmp(method, "ols") == 0) sigma[r] = 1;
  }
  long double *A = malloc((size_t)(n * n) * sizeof *A), b[COLUMN_MAX], x[COLUMN_MAX];
  normal_equations(A, b, &s, sigma);
  invert(A, n);
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    for (int j = 0; j < n; j++) x[i] += A[i + j * n] * b[j];
  }
  double *residual = residual_of(&s, x);
  double rss = 0;
  for (ptrdiff_t at = 0; at < count * s.nrow; at++) {
    const double scaled = residual[at] / sigma[at / count];
    rss += scaled * scaled;
  }
  const ptrdiff_t dof = count * s.nrow - n;
  const double variance = rss / (double)dof;
  assert_int_equal(e->diagnostics.dof, dof);
  assert_near(e->diagnostics.sigma, sqrt(variance), 0, 1e-10);
  for (int i = 0; i < n; i++) {
    const double si = sqrt(variance * (double)A[i + i * n]);
    // 1e-12 of the uncertainty due to noise, times the condition number
    assert_near(e->value[i], (double)x[i], 1e-9 * si, 0);
    assert_near(e->sigma_white[i], si, 0, 1e-9);
    // sigma of the jackknife, correlation of white noise
    const double sigma_i = sqrt(e->covariance[i + i * n]);
    const double larger = fmax(rbv_jackknife_sigma(&e->jackknife, n, i), si);
    assert_near(sigma_i, larger, 0, 1e-9);
    for (int j = 0; j < n; j++) {
      const double sj = sqrt(variance * (double)A[j + j * n]);
      const double sigma_j = sqrt(e->covariance[j + j * n]);
      assert_near(e->covariance[i + j * n] / (sigma_i * sigma_j),
                  variance * (double)A[i + j * n] / (si * sj), 1e-9, 0);
    }
  }
  for (int r = 0; r < s.nrow; r++)
    compare_row(&e->fit.row[r], residual + r * count, s.Y + r * count, count);

  free(A);
  free(residual);
  dense_free(&s);
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

static void test_weighted_fit_equals_dense_algebra(void **state) {
  (void)state;
  compare_with_dense(planar, "wls", 1300);
  compare_with_dense("tx40", "wls", 1300);
}

static void test_unweighted_fit_equals_dense_algebra(void **state) {
  (void)state;
  compare_with_dense(planar, "ols", 1300);
}

/* errors in units of their sigma are standard normal: mean square of 60 of them is near one */
static void test_sigma_equals_the_spread_of_the_estimate(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  double chi[COLUMN_MAX], want[COLUMN_MAX], sum = 0;
  random_columns(chi, m, 1);
  const int runs = 20;
  int count = 0;
  for (int i = 0; i < runs; i++) {
    waves w;
    waves_new(&w, m, chi, 2, 1000, 100, false);
    waves_add_noise(&w, (uint64_t)(100 + i), 0.5);
    rbv_motion *motion = waves_motion(&w);
    rbv_identify_options o = rbv_identify_defaults();
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, m, &motion, 1, &o));
    rbv_base_values(want, e->base, chi);
    for (int k = 0; k < e->base->count; k++) {
      const double error = e->value[k] - want[k];
      sum += error * error / (e->sigma_white[k] * e->sigma_white[k]);
      count++;
    }
    rbv_estimate_free(e);
    rbv_motion_free(motion);
    waves_free(&w);
  }
  // sqrt(2 / 1200) is 0.04; weights from the same data and correlation double it
  assert_near(sum / count, 1, 0.25, 0);
  rbv_model_free(m);
}

/* ---- special cases ---- */

/* a torque row that is fitted exactly has no residual statistics, which is not a failure */
static void test_exact_fit_has_no_statistics(void **state) {
  (void)state;
  rbv_model *m = parse("name: pendulum\njoints: [{mdh: {alpha: pi/2}, drive: [Fv, off]}]\n");
  waves w;
  double chi[COLUMN_MAX] = {0};
  waves_new(&w, m, chi, 1, 300, 100, false);
  rbv_motion *motion = waves_motion(&w);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "ols";
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  for (int k = 0; k < e->base->count; k++) assert_near(e->value[k], 0, 0, 0);
  assert_true(isnan(e->fit.row[0].durbin_watson));
  assert_true(isnan(e->fit.row[0].ks_p));
  rbv_estimate_free(e);
  o.method = "wls";
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EINPUT, "without any error");
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m = parse(planar), *other = load_robot("tx40", -1, false);
  double chi[COLUMN_MAX];
  random_columns(chi, m, 1);
  waves w;
  waves_new(&w, m, chi, 1, 400, 100, false);
  waves_add_noise(&w, 1, 0.1);
  rbv_motion *motion = waves_motion(&w);
  rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e = (rbv_estimate *)&o;
  o.method = "guess";
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EARG, "no method 'guess'");
  assert_null(e);
  o.method = "wls";
  assert_refused(rbv_identify(&e, m, &motion, 0, &o), RBV_EARG, "no motion");
  o.method = "didim";
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EINPUT, "it needs the controller");
  o.method = "wls";
  assert_refused(rbv_identify(&e, other, &motion, 1, &o), RBV_EDIM, "2 joints and 2 torques");
  o.filter.decimate = -1;
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EARG, "decimation factor of -1");
  o.filter.decimate = 400;
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EINPUT, "too few");
  o.filter.decimate = 1;
  o.filter.trim = 197;
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EINPUT, "record longer");
  o.filter.trim = 0;
  o.filter.mask = 1e6;
  assert_refused(rbv_identify(&e, m, &motion, 1, &o), RBV_EINPUT, "mask less");
  rbv_motion_free(motion);

  waves_free(&w);
  rbv_model_free(m);
  rbv_model_free(other);
}

/* a robot that stands still shows gravity and offsets only; the rest is reported as not
 * identifiable */
static void test_unexcited_parameters_are_not_identifiable(void **state) {
  (void)state;
  rbv_model *m = parse(planar);
  double chi[COLUMN_MAX];
  random_columns(chi, m, 1);
  waves w;
  waves_new(&w, m, chi, 1, 400, 100, false);
  waves_add_noise(&w, 1, 0.1);
  memset(w.dq, 0, (size_t)(w.count * w.njoint) * sizeof *w.dq);
  memset(w.ddq, 0, (size_t)(w.count * w.njoint) * sizeof *w.ddq);
  rbv_motion *motion = waves_motion(&w);
  const rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  assert_true(e->active > 0 && e->active < e->base->count);
  for (int k = 0; k < e->base->count; k++) {
    const rbv_column *column = rbv_model_column(m, e->base->kept[k]);
    const bool needs_motion = rbv_column_has_law(column, "Fv") ||
                              rbv_column_has_law(column, "Fc") || rbv_column_has_law(column, "Ia");
    if (!needs_motion) continue;
    assert_int_equal(e->status[k], RBV_STATUS_NOT_IDENTIFIABLE);
    assert_true(isinf(e->covariance[k + k * e->base->count]) && e->value[k] == 0);
  }
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

/* no options, and options that are zero, mean the defaults */
static void test_missing_options_are_the_defaults(void **state) {
  (void)state;
  rbv_model *m = parse(planar);
  waves w;
  double chi[COLUMN_MAX];
  random_columns(chi, m, 3);
  waves_new(&w, m, chi, 4, 400, 200, false);
  waves_add_noise(&w, 5, 0.1);
  rbv_motion *motion = waves_motion(&w);
  const rbv_identify_options defaults = rbv_identify_defaults(), zeroed = {0};
  const rbv_identify_options *const options[] = {&defaults, NULL, &zeroed};
  rbv_estimate *e[3];
  for (int i = 0; i < 3; i++) assert_ok(rbv_identify(&e[i], m, &motion, 1, options[i]));
  for (int i = 1; i < 3; i++) {
    assert_string_equal(e[i]->method, "wls");
    assert_memory_equal(e[i]->value, e[0]->value, (size_t)e[0]->base->count * sizeof(double));
  }
  assert_string_equal(rbv_method_find(NULL)->name, "wls");

  // the same for the filter of a prediction
  const rbv_row_filter every_sample = {.decimate = 1}, zero_filter = {0};
  const rbv_row_filter *const filters[] = {&every_sample, NULL, &zero_filter};
  rbv_prediction *p[3];
  for (int i = 0; i < 3; i++) {
    assert_ok(rbv_predict(&p[i], m, &motion, 1, e[0]->chi, filters[i]));
    assert_memory_equal(&p[i]->fit.relative_error, &p[0]->fit.relative_error, sizeof(double));
  }
  rbv_estimate *none;
  assert_refused(rbv_identify(&none, NULL, &motion, 1, NULL), RBV_EARG, "no model");
  assert_refused(rbv_identify(&none, m, NULL, 1, NULL), RBV_EARG, "no motion");
  rbv_prediction_free(p[1]);
  assert_refused(rbv_predict(&p[1], NULL, &motion, 1, chi, NULL), RBV_EARG, "needs a model");
  rbv_prediction_free(p[0]);
  rbv_prediction_free(p[2]);
  for (int i = 0; i < 3; i++) rbv_estimate_free(e[i]);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

static void test_methods_are_listed(void **state) {
  (void)state;
  int count = 0;
  for (; rbv_identify_method(count); count++) {
    assert_non_null(rbv_method_find(rbv_identify_method(count))->text);
    for (int i = 0; i < count; i++)
      assert_string_not_equal(rbv_identify_method(i), rbv_identify_method(count));
  }
  assert_true(count > 0);
  assert_null(rbv_method_find("magic")->name);
}

/* ---- memory ---- */

typedef struct {
  const rbv_model *m;
  rbv_motion *motion;
  rbv_identify_options o;
} tiny;

static rbv_status identify_and_report(void *state) {
  tiny *t = state;
  rbv_estimate *e;
  rbv_status status = rbv_identify(&e, t->m, &t->motion, 1, &t->o);
  if (status != RBV_OK) {
    assert_null(e);
    return status;
  }
  rbv_result result = {0};
  status = rbv_estimate_report(&result, e, t->m);
  if (status == RBV_OK) {
    char *text;
    size_t size;
    status = rbv_result_write(&text, &size, &result);
    rbv_text_release(text);
    rbv_estimate_unreport(&result);
  }
  rbv_estimate_free(e);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  rbv_model *m = parse(planar);
  double chi[COLUMN_MAX];
  random_columns(chi, m, 1);
  waves w;
  waves_new(&w, m, chi, 1, 200, 100, false);
  waves_add_noise(&w, 1, 0.1);
  tiny t = {m, waves_motion(&w), rbv_identify_defaults()};
  fail_each_allocation(identify_and_report, &t);
  t.o.filter.decimate = 4;
  fail_each_allocation(identify_and_report, &t);
  rbv_motion_free(t.motion);
  waves_free(&w);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_is_recovered),
      cmocka_unit_test(test_lwr_model_a_is_recovered),
      cmocka_unit_test(test_lwr_model_b_is_recovered),
      cmocka_unit_test(test_lwr_model_c_is_recovered),
      cmocka_unit_test(test_lwr_model_d_is_recovered),
      cmocka_unit_test(test_options_do_not_change_exact_results),
      cmocka_unit_test(test_weighted_fit_equals_dense_algebra),
      cmocka_unit_test(test_unweighted_fit_equals_dense_algebra),
      cmocka_unit_test(test_sigma_equals_the_spread_of_the_estimate),
      cmocka_unit_test(test_exact_fit_has_no_statistics),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_unexcited_parameters_are_not_identifiable),
      cmocka_unit_test(test_missing_options_are_the_defaults),
      cmocka_unit_test(test_methods_are_listed),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
