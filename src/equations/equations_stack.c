/* R factors of all groups together, and what follows from them for a row. */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "equations/equations_internal.h"

/* add a triangle whose columns may be spread; its zeros are left out */
static rbv_status add_triangle(rbv_qr *qr, const double *rows, int n) {
  RBV_TRY(rbv_qr_add(qr, rows, n, n));
  rbv_qr_finish_rows(qr);
  return RBV_OK;
}

/* which R factor of the groups is stacked, and where its columns go */
typedef struct {
  bool instruments;  // that of [Z | W | Y], otherwise of [W | Y]
  int width;         // of the result
  const double *sigma;
  const int *count;
  int y;  // column of Y
} stack;

/* columns of the R factor of a torque row */
static int stacked_width(const stack *k, const rbv_equations *s, int row) {
  return (k->instruments ? 2 : 1) * s->npattern[row] + 1;
}

/* column of the result of column c of a torque row */
static int stacked_column(const stack *k, const rbv_equations *s, int row, int c) {
  const int n = s->npattern[row], *column = s->pattern + row * s->ncolumn;
  if (c < n) return column[c];
  return k->instruments && c < 2 * n ? s->ncolumn + column[c - n] : k->y;
}

/*
 * The R factor of all groups of a torque row, in its own columns: these are fewer than those of the
 * result. scaled: out, room for that of one group; rows: in and out.
 */
static rbv_status stack_row(double *R, double *scaled, ptrdiff_t *rows, const rbv_equations *s,
                            const stack *k, int row) {
  const int n = stacked_width(k, s, row);
  const double weight = k->sigma ? 1 / k->sigma[row] : 1;
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, n));
  rbv_status status = RBV_OK;
  for (int i = 0; i < s->ngroup && status == RBV_OK; i++) {
    const rbv_group *g = &s->group[i].public;
    const int times = k->count ? k->count[i] : 1;
    if (g->row != row || times == 0) continue;
    const double *from = k->instruments ? g->RZ : g->R;
    if (!from) {
      status = rbv_fail(RBV_EARG, "a row group has no instruments");
      break;
    }
    // using a group k times is the same as sqrt(k) times its weight
    const double scale = weight * sqrt(times);
    for (size_t e = 0; e < square(n); e++) scaled[e] = scale * from[e];
    status = add_triangle(qr, scaled, n);
    if (rows) *rows += times * g->rows;
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  return status;
}

/* spread the columns of the R factor of a torque row, and add its rows */
static rbv_status add_row(rbv_qr *qr, double *wide, const double *R, const rbv_equations *s,
                          const stack *k, int row) {
  const int n = stacked_width(k, s, row);
  memset(wide, 0, (size_t)n * (size_t)k->width * sizeof *wide);
  for (int c = 0; c < n; c++)
    memcpy(wide + (ptrdiff_t)stacked_column(k, s, row, c) * n, R + (ptrdiff_t)c * n,
           (size_t)(c + 1) * sizeof *wide);
  return add_triangle(qr, wide, n);
}

static rbv_status stack_all(double *R, ptrdiff_t *rows, const rbv_equations *s, stack *k,
                            bool per_joint) {
  int widest = 0;
  for (int r = 0; r < s->m->nrow; r++)
    if (stacked_width(k, s, r) > widest) widest = stacked_width(k, s, r);
  rbv_qr *qr = NULL;
  double *wide = rbv_alloc((size_t)widest * (size_t)k->width * sizeof *wide);
  double *own = rbv_alloc(2 * square(widest) * sizeof *own);
  rbv_status status = wide && own ? rbv_qr_new(&qr, k->width) : RBV_EMEM;
  if (rows) *rows = 0;
  for (int r = 0; r < s->m->nrow && status == RBV_OK; r++) {
    k->y = k->width - (per_joint ? s->m->njoint - s->m->row[r].joint : 1);
    status = stack_row(own, own + square(widest), rows, s, k, r);
    if (status == RBV_OK) status = add_row(qr, wide, own, s, k, r);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_free(wide);
  rbv_free(own);
  return status;
}

rbv_status rbv_equations_stack(double *R, ptrdiff_t *rows, const rbv_equations *s,
                               const double *sigma, const int *count, bool per_joint) {
  stack k = {.width = s->ncolumn + (per_joint ? s->m->njoint : 1), .sigma = sigma, .count = count};
  return stack_all(R, rows, s, &k, per_joint);
}

rbv_status rbv_equations_stack_instruments(double *R, ptrdiff_t *rows, const rbv_equations *s,
                                           const double *sigma, const int *count) {
  stack k = {.instruments = true, .width = 2 * s->ncolumn + 1, .sigma = sigma, .count = count};
  return stack_all(R, rows, s, &k, false);
}

void rbv_equations_residual(double *rss, double *yy, const rbv_equations *s, int i,
                            const double *x) {
  const rbv_group *g = &s->group[i].public;
  const int n = g->ncolumn + 1;
  *rss = *yy = 0;
  for (int r = 0; r < n; r++) {
    const double y = g->R[r + (ptrdiff_t)g->ncolumn * n];
    double e = y;
    for (int c = r; c < g->ncolumn; c++) e -= g->R[r + (ptrdiff_t)c * n] * x[g->column[c]];
    *rss += e * e;
    *yy += y * y;
  }
}

/* norms of the columns of the system over the groups of one row, or of all rows (-1) */
static void column_norms(double *norm, const rbv_equations *s, int row, const int *count) {
  memset(norm, 0, (size_t)s->ncolumn * sizeof *norm);
  for (int i = 0; i < s->ngroup; i++) {
    const rbv_group *g = &s->group[i].public;
    if ((row >= 0 && g->row != row) || (count && count[i] == 0)) continue;
    for (int c = 0; c < g->ncolumn; c++)
      for (int r = 0; r <= c; r++) {
        const double x = g->R[r + (ptrdiff_t)c * (g->ncolumn + 1)];
        norm[g->column[c]] += x * x;
      }
  }
  for (int c = 0; c < s->ncolumn; c++) norm[c] = sqrt(norm[c]);
}

/* R factor of a row over all motions. Columns are scaled to unit norm, so that units do not matter;
 * a column that is only rounding compared with the other rows becomes zero. norm: 2 x ncolumn, out
 */
static rbv_status row_factor(double *R, ptrdiff_t *rows, const rbv_equations *s, int row,
                             const int *count, double *norm) {
  const int n = s->npattern[row] + 1;
  const double *mine = norm, *all = norm + s->ncolumn;
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, n));
  rbv_status status = RBV_OK;
  *rows = 0;
  for (int g = 0; g < s->ngroup && status == RBV_OK; g++) {
    if (s->group[g].public.row != row || (count && count[g] == 0)) continue;
    *rows += s->group[g].public.rows;
    status = add_triangle(qr, s->group[g].R, n);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  column_norms(norm, s, row, count);
  column_norms(norm + s->ncolumn, s, -1, count);
  for (int c = 0; c < n - 1; c++) {
    const int at = s->pattern[row * s->ncolumn + c];
    const double scale = mine[at] > 1e-10 * all[at] ? 1 / mine[at] : 0;
    for (int r = 0; r <= c; r++) R[r + (ptrdiff_t)c * n] *= scale;
  }
  return status;
}

/* Has this row no equation, because its joint never moves or never faster than the mask, while
 * others have some? */
static bool row_is_still(const rbv_equations *s, int row) {
  bool others = false;
  for (int g = 0; g < s->ngroup; g++) {
    if (s->group[g].public.rows == 0) continue;
    if (s->group[g].public.row == row) return false;
    others = true;
  }
  return others;
}

rbv_status rbv_equations_row_sigma(double *sigma, const rbv_equations *s, int row,
                                   const int *count) {
  const int n = s->npattern[row] + 1;
  double *R = rbv_alloc((size_t)n * (size_t)n * sizeof *R), *x = rbv_alloc((size_t)n * sizeof *x);
  double *norm = rbv_alloc(2 * (size_t)s->ncolumn * sizeof *norm);
  const double *y = R + (ptrdiff_t)(n - 1) * n;
  ptrdiff_t rows = 0;
  int rank = 0;
  rbv_status status = R && x && norm ? row_factor(R, &rows, s, row, count, norm) : RBV_EMEM;
  if (status == RBV_OK && n > 1)
    status = rbv_least_squares(x, &rank, NULL, R, n, n - 1, n, y, 1e-10);
  // its weight is not used
  const bool none = status == RBV_OK && rows == 0 && row_is_still(s, row);
  if (status == RBV_OK && rows <= rank && !none)
    status =
        rbv_fail(RBV_EINPUT,
                 "torque row %d has %td equations for %d unknowns: record longer, or decimate or "
                 "mask less",
                 row + 1, rows, rank);
  double rss = 0;
  for (int r = 0; r < n && status == RBV_OK; r++) {
    double e = y[r];
    for (int c = r; c < n - 1; c++) e -= R[r + (ptrdiff_t)c * n] * x[c];
    rss += e * e;
  }
  if (status == RBV_OK) *sigma = none ? 1 : sqrt(rss / (double)(rows - rank));
  RBV_FREE_ALL(R, x, norm);
  return status;
}
