#include "baseparam/scan.h"

#include <math.h>
#include <string.h>

#define CLEAN 1e-9  // relative size below which a coefficient of scaled columns is rounding
#define DIGITS \
  1e-11  // relations are accurate to about this: round to the nearest short decimal number

/* the columns that take part, scaled to unit norm, stored without gaps */
static int gather(double *S, int *from, const double *A, const double *norm, int n) {
  int used = 0;
  for (int c = 0; c < n; c++) {
    if (norm[c] == 0) continue;
    for (int r = 0; r < n; r++) S[r + (ptrdiff_t)used * n] = A[r + (ptrdiff_t)c * n] / norm[c];
    from[used++] = c;
  }
  return used;
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* subtract from x its part in the span of the k orthonormal columns of Q; coefficients to h */
static double project_out(double *x, double *h, const double *Q, int k, int n) {
  memset(h, 0, (size_t)k * sizeof *h);
  // twice is enough (Kahan and Parlett)
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < k; i++) {
      const double c = dot(Q + (ptrdiff_t)i * n, x, n);
      h[i] += c;
      for (int r = 0; r < n; r++) x[r] -= c * Q[r + (ptrdiff_t)i * n];
    }
  return sqrt(dot(x, x, n));
}

/* the short decimal number that a coefficient approximates, if there is one */
static double clean(double x) {
  if (x == 0) return 0;
  const double scale = pow(10, 9 - floor(log10(fabs(x))));
  const double rounded = rint(x * scale) / scale;
  return fabs(rounded - x) <= DIGITS * fabs(x) ? rounded : x;
}

typedef struct {
  double *S;   // scaled columns
  double *Q;   // orthonormal basis of the kept ones
  double *H;   // coordinates: column c of S = Q H(:, c)
  int *from;   // column of A behind each column of S
  int *basis;  // position in S of each kept one
} workspace;

static void layout(workspace *w, int n, rbv_arena *a) {
  RBV_TAKE_ALL(a, (size_t)n * (size_t)n, double, &w->S, &w->Q, &w->H);
  w->from = RBV_TAKE(a, n, int);
  w->basis = RBV_TAKE(a, n, int);
}

static rbv_status scan_with(column_scan *scan, workspace *w, const double *A, const double *norm,
                            int n, double tolerance) {
  const int used = gather(w->S, w->from, A, norm, n);
  // no column acts: there are no base parameters
  scan->rank.gap = INFINITY;
  if (used == 0) return RBV_OK;
  memcpy(w->Q, w->S, (size_t)n * (size_t)used * sizeof *w->Q);
  RBV_TRY(rbv_rank(&scan->rank, NULL, w->Q, n, used, n, tolerance));

  // between the last accepted and the first rejected pivot
  const double floor_size = fmax(scan->rank.rejected, 1e-16);
  const double limit = sqrt(scan->rank.accepted * floor_size);
  int count = 0;
  for (int c = 0; c < used; c++) {
    double *x = w->Q + (ptrdiff_t)count * n, *h = w->H + (ptrdiff_t)c * n;
    memcpy(x, w->S + (ptrdiff_t)c * n, (size_t)n * sizeof *x);
    const double left = project_out(x, h, w->Q, count, n);
    if (count == scan->rank.rank || !(left > limit)) continue;
    for (int r = 0; r < n; r++) x[r] /= left;
    h[count] = left;
    w->basis[count++] = c;
  }
  if (count != scan->rank.rank)
    return rbv_fail(RBV_ENUM, "pivoting finds %d independent columns, the scan by name %d",
                    scan->rank.rank, count);

  scan->count = count;
  scan->kept = rbv_alloc((size_t)count * sizeof *scan->kept);
  scan->relation = rbv_alloc((size_t)count * (size_t)n * sizeof *scan->relation);
  if (!scan->kept || !scan->relation) return RBV_EMEM;
  for (int k = 0; k < count; k++) scan->kept[k] = w->from[w->basis[k]];

  // H of the kept columns is a triangle; every column's coordinates in it are the relation
  for (int k = 0; k < count; k++)
    memmove(w->S + (ptrdiff_t)k * n, w->H + (ptrdiff_t)w->basis[k] * n, (size_t)n * sizeof *w->S);
  RBV_TRY(rbv_solve_upper(w->H, used, n, w->S, count, n));
  for (int c = 0; c < used; c++)
    for (int k = 0; k < count; k++) {
      const double beta = w->H[k + (ptrdiff_t)c * n];
      double *out = &scan->relation[k + (ptrdiff_t)w->from[c] * count];
      if (w->basis[k] == c)
        *out = 1;
      else if (fabs(beta) > CLEAN)
        *out = clean(beta * norm[w->from[c]] / norm[scan->kept[k]]);
    }
  return RBV_OK;
}

rbv_status rbv_scan_columns(column_scan *scan, const double *A, const double *norm, int n,
                            double tolerance) {
  *scan = (column_scan){0};
  workspace w;
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(&w, n, &a));
  if (!a.base) return RBV_EMEM;
  RBV_FINISH(scan_with(scan, &w, A, norm, n, tolerance), rbv_free(a.base));
}

void rbv_scan_free(column_scan *scan) {
  rbv_free(scan->kept);
  rbv_free(scan->relation);
  *scan = (column_scan){0};
}
