#include <roberval/identify.h>

#include <math.h>
#include <roberval/linalg.h>
#include <roberval/stats.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

/* ---- the methods ---- */

typedef enum { WEIGHTS_NONE, WEIGHTS_ROW_SIGMA } weights;

typedef struct {
  const char *name, *text;
  weights weights;
} recipe;

static const recipe table[] = {
    {"ols", "least squares, every equation counts alike", WEIGHTS_NONE},
    {"wls", "least squares, each torque row divided by the sigma of its own fit",
     WEIGHTS_ROW_SIGMA},
};

const char *rbv_identify_method(int i) { return i < RBV_COUNT(table) ? table[i].name : NULL; }
const char *rbv_identify_method_text(int i) { return i < RBV_COUNT(table) ? table[i].text : NULL; }

rbv_identify_options rbv_identify_defaults(void) {
  return (rbv_identify_options){.method = "wls", .filter = {.decimate = 1}};
}

static const recipe *find_recipe(const char *name) {
  for (int i = 0; i < RBV_COUNT(table); i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

/* ---- the estimate ---- */

static void layout(rbv_estimate *e, int nbase, const rbv_model *m, rbv_arena *a) {
  e->value = RBV_TAKE(a, nbase, double);
  e->covariance = RBV_TAKE(a, nbase * nbase, double);
  e->chi = RBV_TAKE(a, rbv_model_column_count(m), double);
  e->fit.row = RBV_TAKE(a, rbv_model_row_count(m), rbv_row_fit);
}

static rbv_status new_estimate(rbv_estimate **out, const rbv_model *m, rbv_base *base) {
  rbv_estimate sizes;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_estimate);
  layout(&sizes, base->count, m, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_estimate *e = RBV_TAKE(&carve, 1, rbv_estimate);
  layout(e, base->count, m, &carve);
  e->memory = memory;
  e->base = base;
  *out = e;
  return RBV_OK;
}

void rbv_estimate_free(rbv_estimate *e) {
  if (!e) return;
  rbv_base_free(e->base);
  rbv_free(e->memory);
}

/* ---- solving ---- */

/* x, covariance and condition from the triangle of [W | Y] */
static rbv_status solve(rbv_estimate *e, const double *R, ptrdiff_t rows) {
  const int n = e->base->count, ld = n + 1;
  if (rows <= n)
    return rbv_fail(RBV_EINPUT,
                    "%td equations cannot give %d parameters: record longer, decimate "
                    "or mask less",
                    rows, n);
  RBV_TRY(rbv_condition(&e->diagnostics.condition_number, &e->diagnostics.condition_number_scaled,
                        R, n, n, ld));
  if (!(e->diagnostics.condition_number_scaled < 1e8))
    return rbv_fail(RBV_ENUM,
                    "this motion does not tell all %d base parameters apart (condition %.2g after "
                    "scaling): excite more",
                    n, e->diagnostics.condition_number_scaled);
  memcpy(e->value, R + (ptrdiff_t)n * ld, (size_t)n * sizeof *e->value);
  RBV_TRY(rbv_solve_upper(e->value, 1, n, R, n, ld));
  const double rss = R[n + (ptrdiff_t)n * ld] * R[n + (ptrdiff_t)n * ld];
  e->diagnostics.dof = rows - n;
  e->diagnostics.sigma = sqrt(rss / (double)e->diagnostics.dof);

  // C = sigma^2 inv(R) inv(R)'
  double *inverse = rbv_alloc((size_t)n * (size_t)n * sizeof *inverse);
  if (!inverse) return RBV_EMEM;
  const rbv_status status = rbv_invert_upper(inverse, R, n, ld);
  const double variance = rss / (double)e->diagnostics.dof;
  for (int i = 0; i < n && status == RBV_OK; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = i; k < n; k++) sum += inverse[i + k * n] * inverse[j + k * n];
      e->covariance[i + j * n] = e->covariance[j + i * n] = variance * sum;
    }
  rbv_free(inverse);
  return status;
}

static rbv_status estimate_from(rbv_estimate *e, const recipe *method, const rbv_model *m,
                                const rbv_system *s) {
  const int nrow = rbv_model_row_count(m), n = e->base->count;
  double *sigma = rbv_alloc((size_t)nrow * sizeof *sigma);
  double *R = rbv_alloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *R);
  rbv_status status = sigma && R ? RBV_OK : RBV_EMEM;
  for (int r = 0; r < nrow && status == RBV_OK; r++) {
    status = rbv_system_row_sigma(&sigma[r], s, r);
    e->fit.row[r].sigma = sigma[r];
    if (status == RBV_OK && method->weights == WEIGHTS_ROW_SIGMA && !(sigma[r] > 0))
      status = rbv_fail(RBV_ENUM,
                        "torque row %d is fitted without any error: there is nothing to "
                        "weigh it by (use --method ols)",
                        r + 1);
  }
  ptrdiff_t rows = 0;
  if (status == RBV_OK)
    status = rbv_system_stack(R, &rows, s, method->weights == WEIGHTS_ROW_SIGMA ? sigma : NULL);
  if (status == RBV_OK) status = solve(e, R, rows);
  if (status == RBV_OK) rbv_base_expand(e->chi, e->base, e->value);
  rbv_free(sigma);
  rbv_free(R);
  return status;
}

/* ---- how well it fits ---- */

/* residuals of every row, motion after motion */
typedef struct {
  ptrdiff_t capacity;  // of a row
  double *residual;    // nrow x capacity
  double *work;        // capacity: of the test of normality
  ptrdiff_t *used;     // nrow: residuals so far
  ptrdiff_t *before;   // nrow: of them, those of earlier motions
  double *yy;          // nrow: sum of squared torques
  double *steps;       // nrow: sum of squared steps within motions
} judge;

static void judge_layout(judge *j, int nrow, rbv_arena *a) {
  j->residual = RBV_TAKE(a, (size_t)nrow * (size_t)j->capacity, double);
  j->work = RBV_TAKE(a, j->capacity, double);
  j->used = RBV_TAKE(a, nrow, ptrdiff_t);
  j->before = RBV_TAKE(a, nrow, ptrdiff_t);
  j->yy = RBV_TAKE(a, nrow, double);
  j->steps = RBV_TAKE(a, nrow, double);
}

/* rows come in pieces; no motion gives more of them than it has samples */
static void judge_rows(void *self, int row, const double *measured, const double *predicted,
                       ptrdiff_t count) {
  judge *j = self;
  double *e = j->residual + row * j->capacity + j->used[row];
  for (ptrdiff_t k = 0; k < count; k++) {
    e[k] = measured[k] - predicted[k];
    j->yy[row] += measured[k] * measured[k];
  }
  j->used[row] += count;
}

/* the seam between two motions is no step */
static void close_motion(judge *j, int nrow) {
  for (int r = 0; r < nrow; r++) {
    const double *e = j->residual + r * j->capacity;
    for (ptrdiff_t k = j->before[r] + 1; k < j->used[r]; k++)
      j->steps[r] += (e[k] - e[k - 1]) * (e[k] - e[k - 1]);
    j->before[r] = j->used[r];
  }
}

static void judge_row(rbv_row_fit *fit, double *rss, const judge *j, int row) {
  const double *e = j->residual + row * j->capacity;
  *rss = 0;
  for (ptrdiff_t k = 0; k < j->used[row]; k++) *rss += e[k] * e[k];
  fit->rows = j->used[row];
  fit->relative_error = sqrt(*rss / j->yy[row]);
  fit->rms = sqrt(*rss / (double)fit->rows);
  fit->durbin_watson = j->steps[row] / *rss;
  // a residual that is constant or too short has no distribution
  rbv_normality normality;
  const bool known = rbv_stats_normality(&normality, j->work, e, j->used[row]) == RBV_OK;
  fit->ks_p = known ? normality.p_lilliefors : NAN;
}

static rbv_status judge_fit(rbv_estimate *e, const rbv_model *m, rbv_motion *const *motions,
                            int nmotion, const rbv_row_filter *filter) {
  const int nrow = rbv_model_row_count(m);
  judge j = {0};
  for (int i = 0; i < nmotion; i++) j.capacity += rbv_motion_get_info(motions[i])->count;
  rbv_arena measure = {0};
  judge_layout(&j, nrow, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  judge_layout(&j, nrow, &carve);
  rbv_status status = RBV_OK;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    status = rbv_system_replay(m, filter, motions[i], e->chi, judge_rows, &j);
    close_motion(&j, nrow);
  }
  double rss = 0, yy = 0;
  for (int r = 0; r < nrow && status == RBV_OK; r++) {
    double rss_row;
    e->fit.row[r].joint = rbv_model_row(m, r)->joint;
    e->fit.row[r].torque = rbv_model_row(m, r)->torque;
    judge_row(&e->fit.row[r], &rss_row, &j, r);
    rss += rss_row;
    yy += j.yy[r];
  }
  e->fit.nrow = nrow;
  e->fit.relative_error = sqrt(rss / yy);
  rbv_free(memory);
  return status;
}

static double masked_share(const rbv_system *s) {
  double rows = 0, masked = 0;
  for (int g = 0; g < rbv_system_group_count(s); g++) {
    rows += (double)rbv_system_group(s, g)->rows;
    masked += (double)rbv_system_group(s, g)->masked;
  }
  return masked / (rows + masked);
}

/* ---- the loop ---- */

rbv_status rbv_identify(rbv_estimate **out, const rbv_model *m, rbv_motion *const *motions,
                        int nmotion, const rbv_identify_options *options) {
  *out = NULL;
  const recipe *method = find_recipe(options->method);
  if (!method) return rbv_fail(RBV_EARG, "there is no method '%s'", options->method);
  if (nmotion < 1) return rbv_fail(RBV_EARG, "there is no motion to identify from");
  rbv_base *base = NULL;
  rbv_estimate *e = NULL;
  rbv_system *s = NULL;
  rbv_status status = rbv_base_new(&base, m, NULL);
  if (status == RBV_OK) status = new_estimate(&e, m, base);
  if (status != RBV_OK) {
    rbv_base_free(base);
    return status;
  }
  e->method = method->name;
  status = rbv_system_new(&s, m, base->kept, base->count, &options->filter);
  for (int i = 0; i < nmotion && status == RBV_OK; i++) status = rbv_system_add(s, motions[i]);
  if (status == RBV_OK) status = estimate_from(e, method, m, s);
  if (status == RBV_OK) status = judge_fit(e, m, motions, nmotion, &options->filter);
  if (status == RBV_OK) e->masked_fraction = masked_share(s);
  rbv_system_free(s);
  if (status == RBV_OK)
    *out = e;
  else
    rbv_estimate_free(e);
  return status;
}
