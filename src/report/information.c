/* The information in the data: the weighted system of the fit, without a prior. */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"
#include "stats/stats.h"

#include "equations/equations.h"
#include "report/report_internal.h"

static void layout(report_information *out, int n, rbv_arena *a) {
  out->index = RBV_TAKE(a, n, int);
  out->value = RBV_TAKE(a, n, double);
  out->sigma = RBV_TAKE(a, n, double);
  out->correlation = RBV_TAKE(a, (ptrdiff_t)n * n, double);
  out->singular = RBV_TAKE(a, n, double);
}

void rbv_information_free(report_information *information) {
  rbv_free(information->memory);
  *information = (report_information){0};
}

/* parameters with a finite sigma, and their columns */
static int choose(int *index, int *column, const report *r) {
  int n = 0;
  for (int k = 0; k < r->result->estimate.count; k++) {
    const rbv_parameter *p = &r->result->estimate.item[k];
    if (!isfinite(p->sigma)) continue;
    const int c = rbv_model_find(r->m, p->name);
    if (c < 0) continue;
    index[n] = k;
    column[n++] = c;
  }
  return n;
}

/* triangular factor of the system; each row is divided by its sigma, as in the fit */
static rbv_status stack(double *R, ptrdiff_t *rows, const report *r, const int *column, int n) {
  double *sigma = rbv_alloc((size_t)r->nrow * sizeof *sigma);
  rbv_equations *system = NULL;
  rbv_status status = sigma ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < r->nrow && status == RBV_OK; i++) {
    const double s = i < r->result->fit.nrow ? r->result->fit.row[i].sigma : NAN;
    sigma[i] = s > 0 && isfinite(s) ? s : 1;
  }
  if (status == RBV_OK) status = rbv_equations_new(&system, r->m, column, n, &r->filter);
  if (status == RBV_OK) status = rbv_equations_set_load(system, r->chi);
  for (int i = 0; i < r->in->nfit && status == RBV_OK; i++)
    status = rbv_equations_add(system, r->in->fit[i]);
  if (status == RBV_OK) status = rbv_equations_stack(R, rows, system, sigma, NULL, false);
  rbv_equations_free(system);
  rbv_free(sigma);
  return status;
}

/* value, sigma and correlation from the triangular factor of [W | Y]; *regular: they are defined */
static rbv_status solve(report_information *out, bool *regular, double *R, ptrdiff_t rows, int n) {
  *regular = false;
  const int ld = n + 1;
  double rss;
  RBV_TRY(rbv_stats_sums(&rss, NULL, R, n, ld));
  for (int k = 0; k < n; k++)
    if (!(fabs(R[k + (ptrdiff_t)k * ld]) > 0)) return RBV_OK;
  const double sigma2 = rows > n ? rss / (double)(rows - n) : 0;
  if (!(sigma2 > 0)) return RBV_OK;
  double *C = out->correlation;
  RBV_TRY(rbv_stats_covariance(C, R, n, ld, sigma2));
  RBV_TRY(rbv_stats_stderr(out->sigma, C, n));
  RBV_TRY(rbv_stats_correlation(C, C, n));
  memcpy(out->value, R + (ptrdiff_t)n * ld, (size_t)n * sizeof *out->value);
  RBV_TRY(rbv_solve_upper(out->value, 1, n, R, n, ld));
  // columns scaled to unit norm: the singular values do not depend on units
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = 0; i <= k; i++) norm = hypot(norm, R[i + (ptrdiff_t)k * ld]);
    for (int i = 0; i <= k; i++) R[i + (ptrdiff_t)k * ld] /= norm;
  }
  *regular = true;
  return rbv_svd(out->singular, NULL, NULL, R, n, n, ld);
}

rbv_status rbv_information_new(report *r) {
  report_information *out = &r->information;
  *out = (report_information){0};
  const int most = r->result->estimate.count;
  if (r->in->nfit == 0 || most == 0) return RBV_OK;
  rbv_arena measure = {0};
  report_information sizes;
  layout(&sizes, most, &measure);
  const size_t side = (size_t)most + 1;
  out->memory = rbv_alloc(measure.used);
  int *column = rbv_alloc((size_t)most * sizeof *column);
  double *R = rbv_alloc(side * side * sizeof *R);
  rbv_status status = out->memory && column && R ? RBV_OK : RBV_EMEM;
  bool regular = false;
  int n = 0;
  if (status == RBV_OK) {
    rbv_arena carve = {.base = out->memory};
    layout(out, most, &carve);
    n = choose(out->index, column, r);
  }
  ptrdiff_t rows = 0;
  if (status == RBV_OK && n > 0) status = stack(R, &rows, r, column, n);
  if (status == RBV_OK && n > 0) status = solve(out, &regular, R, rows, n);
  rbv_free(R);
  rbv_free(column);
  // a numerically singular system gives no information; the report is written without it
  if (status == RBV_ENUM) status = RBV_OK;
  if (status != RBV_OK) rbv_information_free(out);
  if (status == RBV_OK && regular) out->count = n;
  return status;
}
