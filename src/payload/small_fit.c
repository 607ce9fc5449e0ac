#include "payload/small_fit.h"

#include <math.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "base/support.h"

#define SINGULAR 1e-10  // of the normal equations with unit diagonal: columns that differ by 1e-5
#define ROUNDS 3        // of weighting

static size_t block_size(const small_fit *f) { return (size_t)(f->n * f->n + f->n + 2); }

static double *block(const small_fit *f, int kind, int part) {
  return f->sum + ((size_t)kind * (size_t)f->npart + (size_t)part) * block_size(f);
}

rbv_status rbv_small_new(small_fit *out, int n, int nkind, int npart) {
  *out = (small_fit){.n = n, .nkind = nkind, .npart = npart};
  out->sum = rbv_alloc((size_t)nkind * (size_t)npart * block_size(out) * sizeof *out->sum);
  return out->sum ? RBV_OK : RBV_EMEM;
}

void rbv_small_free(small_fit *f) {
  rbv_free(f->sum);
  f->sum = NULL;
}

void rbv_small_add(small_fit *f, int kind, int part, const double *x, double y) {
  double *s = block(f, kind, part);
  const int n = f->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) s[i + j * n] += x[i] * x[j];
    s[n * n + i] += x[i] * y;
  }
  s[n * n + n] += y * y;
  s[n * n + n + 1] += 1;
}

void rbv_small_add_sums(small_fit *f, int kind, int part, const double *A, const double *b,
                        double yy, ptrdiff_t rows) {
  double *s = block(f, kind, part);
  const int n = f->n;
  for (int i = 0; i < n * n; i++) s[i] += A[i];
  for (int i = 0; i < n; i++) s[n * n + i] += b[i];
  s[n * n + n] += yy;
  s[n * n + n + 1] += (double)rows;
}

/* sums of all parts but one (-1: of all); kind -1: all kinds with their weights */
static void gather(double *s, const small_fit *f, int kind, int without, const double *weight) {
  memset(s, 0, block_size(f) * sizeof *s);
  for (int k = 0; k < f->nkind; k++)
    for (int p = 0; p < f->npart; p++) {
      if ((kind >= 0 && k != kind) || p == without) continue;
      const double *b = block(f, k, p), w = weight ? weight[k] : 1;
      for (size_t i = 0; i < block_size(f); i++) s[i] += w * b[i];
    }
}

static double squares(const double *s, int n, const double *x) {
  double sum = s[n * n + n];
  for (int i = 0; i < n; i++) {
    sum -= 2 * x[i] * s[n * n + i];
    for (int j = 0; j < n; j++) sum += x[i] * s[i + j * n] * x[j];
  }
  return fmax(sum, 0);
}

/* minimum norm in scaled columns; directions without information are left out */
static rbv_status solve_normal(double *x, bool *known, double *inverse, const double *s, int n) {
  double scale[SMALL_MAX] = {0}, A[SMALL_MAX * SMALL_MAX] = {0}, value[SMALL_MAX],
         V[SMALL_MAX * SMALL_MAX];
  for (int i = 0; i < n; i++) scale[i] = s[i + i * n] > 0 ? 1 / sqrt(s[i + i * n]) : 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i + j * n] = s[i + j * n] * scale[i] * scale[j];
  RBV_TRY(rbv_eigen_symmetric(value, V, A, n, n));
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    known[i] = scale[i] > 0;
  }
  memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
  for (int k = 0; k < n; k++) {
    const double *v = V + k * n;
    if (value[k] < SINGULAR) {
      for (int i = 0; i < n; i++) known[i] = known[i] && fabs(v[i]) < 1e-4;
      continue;
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        inverse[i + j * n] += v[i] * v[j] / value[k] * scale[i] * scale[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] += inverse[i + j * n] * s[n * n + j];
  return RBV_OK;
}

/* noise of each kind; a kind with hardly more equations than unknowns cannot tell its noise */
static void choose_weights(double *weight, const small_fit *f, const double *x, double *s) {
  double most = 0, pooled = 0, rows = 0, rss[64];
  const int n = f->n;
  for (int k = 0; k < f->nkind; k++) {
    gather(s, f, k, -1, NULL);
    rss[k] = squares(s, n, x);
    pooled += rss[k];
    rows += s[n * n + n + 1];
    weight[k] = s[n * n + n + 1];
  }
  // unknowns are shared by all kinds in proportion to their equations
  const double share = rows > n ? (rows - n) / rows : 1;
  for (int k = 0; k < f->nkind; k++) {
    const double floor = rows > 0 ? 1e-4 * pooled / rows : 0;
    const double variance = weight[k] > 0 ? fmax(rss[k] / (weight[k] * share), floor) : 0;
    weight[k] = variance > 0 ? 1 / variance : 0;
    most = fmax(most, weight[k]);
  }
  // no noise at all
  for (int k = 0; k < f->nkind; k++)
    if (most == 0) weight[k] = 1;
}

rbv_status rbv_small_solve(small_solution *out, const small_fit *f, double *deviation) {
  const int n = f->n;
  if (n > SMALL_MAX || f->nkind > 64)
    return rbv_fail(RBV_EARG, "a fit of %d unknowns and %d kinds of equations", n, f->nkind);
  *out = (small_solution){.deviation = deviation};
  double *s = rbv_alloc(block_size(f) * sizeof *s);
  if (!s) return RBV_EMEM;
  for (int k = 0; k < f->nkind; k++) out->weight[k] = 1;
  gather(s, f, -1, -1, out->weight);
  rbv_status status = solve_normal(out->value, out->known, out->inverse, s, n);
  for (int round = 0; round < ROUNDS && status == RBV_OK; round++) {
    choose_weights(out->weight, f, out->value, s);
    gather(s, f, -1, -1, out->weight);
    status = solve_normal(out->value, out->known, out->inverse, s, n);
  }
  gather(s, f, -1, -1, NULL);
  out->rows = (ptrdiff_t)s[n * n + n + 1];
  out->rss = squares(s, n, out->value);
  out->yy = s[n * n + n];
  gather(s, f, -1, -1, out->weight);
  double dof = (double)out->rows;
  for (int i = 0; i < n; i++) dof -= out->known[i];
  // 1 if the weights are right
  const double variance = dof > 0 ? squares(s, n, out->value) / dof : INFINITY;
  for (int i = 0; i < n * n; i++) out->covariance[i] = variance * out->inverse[i];
  for (int i = 0; i < n; i++) {
    if (out->known[i]) continue;
    out->value[i] = 0;
    out->covariance[i + i * n] = INFINITY;
  }
  for (int p = 0; p < f->npart && deviation && status == RBV_OK; p++) {
    double x[SMALL_MAX], inverse[SMALL_MAX * SMALL_MAX];
    bool known[SMALL_MAX];
    gather(s, f, -1, p, out->weight);
    status = solve_normal(x, known, inverse, s, n);
    for (int i = 0; i < n; i++)
      deviation[i + p * n] = out->known[i] && known[i] ? x[i] - out->value[i] : 0;
  }
  rbv_free(s);
  return status;
}
