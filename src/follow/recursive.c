/* Square-root recursive least squares. */
#include <math.h>
#include <string.h>

#include "follow/follow_internal.h"

#define SINGULAR 1e-13  // of the largest element of a column

int rbv_rls_size(int n, int nrhs) { return n * n + n * nrhs + nrhs; }

rbv_rls rbv_rls_at(double *memory, int n, int nrhs) {
  return (rbv_rls){
      .n = n, .nrhs = nrhs, .R = memory, .z = memory + n * n, .rss = memory + n * n + n * nrhs};
}

void rbv_rls_forget(const rbv_rls *r, double factor) {
  const double root = sqrt(factor);
  for (int i = 0; i < r->n * r->n; i++) r->R[i] *= root;
  for (int i = 0; i < r->n * r->nrhs; i++) r->z[i] *= root;
  for (int i = 0; i < r->nrhs; i++) r->rss[i] *= factor;
}

void rbv_rls_add(const rbv_rls *r, double *x, double *y) {
  const int n = r->n, m = r->nrhs;
  for (int i = 0; i < n; i++) {
    if (x[i] == 0) continue;
    double *row = r->R + i * n, *z = r->z + i * m;
    // rotate the equation into row i, so that x[i] becomes zero
    const double length = hypot(row[i], x[i]), c = row[i] / length, s = x[i] / length;
    row[i] = length;
    for (int k = i + 1; k < n; k++) {
      const double a = row[k], b = x[k];
      row[k] = c * a + s * b;
      x[k] = c * b - s * a;
    }
    for (int k = 0; k < m; k++) {
      const double a = z[k], b = y[k];
      z[k] = c * a + s * b;
      y[k] = c * b - s * a;
    }
  }
  for (int k = 0; k < m; k++) r->rss[k] += y[k] * y[k];
}

/* is the diagonal element large enough beside its column? */
static bool determined(const rbv_rls *r, int i) {
  double largest = 0;
  for (int k = 0; k <= i; k++) largest = fmax(largest, fabs(r->R[k * r->n + i]));
  return fabs(r->R[i * r->n + i]) > SINGULAR * largest;
}

void rbv_rls_solve(double *x, double *sigma, const rbv_rls *r, int rhs) {
  const int n = r->n;
  for (int i = n - 1; i >= 0; i--) {
    double sum = r->z[i * r->nrhs + rhs];
    for (int k = i + 1; k < n; k++) sum -= r->R[i * n + k] * x[k];
    x[i] = determined(r, i) ? sum / r->R[i * n + i] : 0;
  }
  for (int j = 0; sigma && j < n; j++) sigma[j] = 0;
  // row norms of inv(R), column by column
  for (int k = 0; sigma && k < n; k++) {
    double column[RLS_MAX];
    for (int i = k; i >= 0; i--) {
      double sum = i == k;
      for (int l = i + 1; l <= k; l++) sum -= r->R[i * n + l] * column[l];
      column[i] = determined(r, i) ? sum / r->R[i * n + i] : sum == 0 ? 0 : INFINITY;
      if (!isfinite(column[i])) column[i] = INFINITY;
      sigma[i] += column[i] * column[i];
    }
  }
  for (int j = 0; sigma && j < n; j++) sigma[j] = isfinite(sigma[j]) ? sqrt(sigma[j]) : INFINITY;
}

bool rbv_rls_inverse(double *inverse, const rbv_rls *r) {
  const int n = r->n;
  memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
  for (int k = 0; k < n; k++) {
    if (!determined(r, k)) return false;
    for (int i = k; i >= 0; i--) {
      double sum = i == k;
      for (int l = i + 1; l <= k; l++) sum -= r->R[i * n + l] * inverse[l * n + k];
      inverse[i * n + k] = sum / r->R[i * n + i];
    }
  }
  return true;
}
