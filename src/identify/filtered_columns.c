/*
 * Columns that the row filter removes: the additional friction near standstill, if equations are
 * left out there. They are the mean solution of A o = Y - W x over plain rows:
 *
 *   o = inv(A'A) sum s,   cov(o) = inv(A'A) (sum s s') inv(A'A) + B cov(x) B',   B = inv(A'A) A'W
 *
 * where s = A'(Y - W x - A o) of a block. Neighbouring rows have correlated errors, so the spread
 * over blocks, not over rows, gives the uncertainty of the mean.
 */
#include <math.h>
#include <roberval/sys/law.h>
#include <string.h>
#include "linalg/linalg.h"

#include "identify/block_deletion.h"
#include "identify/noise_model.h"

#define SEEN 1e-3  // smallest rms of a column, in its own unit, at which it can be estimated

typedef struct {
  int n;        // base parameters
  int count;    // removed columns
  int *hidden;  // count: their base parameters
  int *rank;    // n: index among them, -1: not removed
  double *G;    // count square: A'A
  double *B;    // count x n: A'W, then inv(G) A'W
  int nblock;   // blocks of time
  double *s;    // count x nblock, then inv(G) s
  double *sum;  // count
  double *x;    // n
} hidden;

static void layout(hidden *o, rbv_arena *a) {
  o->hidden = RBV_TAKE(a, o->n, int);
  o->rank = RBV_TAKE(a, o->n, int);
  o->G = RBV_TAKE(a, (size_t)o->n * (size_t)o->n, double);
  o->B = RBV_TAKE(a, (size_t)o->n * (size_t)o->n, double);
  o->s = RBV_TAKE(a, (size_t)o->n * (size_t)o->nblock, double);
  o->sum = RBV_TAKE(a, o->n, double);
  o->x = RBV_TAKE(a, o->n, double);
}

/* product of columns i and j of a group, from its R factor */
static double dot(const rbv_group *g, int i, int j) {
  const double *a = g->R + (ptrdiff_t)i * (g->ncolumn + 1);
  const double *b = g->R + (ptrdiff_t)j * (g->ncolumn + 1);
  double sum = 0;
  for (int k = 0; k <= (i < j ? i : j); k++) sum += a[k] * b[k];
  return sum;
}

/* contribution of a group of this block to G, B and s at the values x */
static void add_group(hidden *o, const rbv_group *g, int block, const double *x) {
  for (int at = 0; at < g->ncolumn; at++) {
    const int i = o->rank[g->column[at]];
    if (i < 0) continue;
    double *s = &o->s[i + (ptrdiff_t)block * o->count];
    *s += dot(g, at, g->ncolumn);
    for (int c = 0; c < g->ncolumn; c++) {
      const int k = g->column[c];
      const double product = dot(g, at, c);
      *s -= product * x[k];
      if (o->rank[k] >= 0)
        o->G[i + (ptrdiff_t)o->rank[k] * o->count] += product;
      else
        o->B[i + (ptrdiff_t)k * o->count] += product;
    }
  }
}

/* all blocks, except one (-1: none) or those of one motion (-1: none) */
static void add_all(hidden *o, const identify_run *r, const double *x, int without_block,
                    int without_motion) {
  const size_t m = (size_t)o->count;
  memset(o->G, 0, m * m * sizeof *o->G);
  memset(o->B, 0, m * (size_t)o->n * sizeof *o->B);
  memset(o->s, 0, m * (size_t)o->nblock * sizeof *o->s);
  for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
    const rbv_group *group = rbv_equations_group(r->system, g);
    const int block = rbv_blocks_of(r, group);
    if (block >= 0 && block != without_block && group->motion != without_motion)
      add_group(o, group, block, x);
  }
}

/* solve with the sums of add_all at values x in which the removed columns are zero: o->sum */
static rbv_status solve_sum(hidden *o) {
  const int m = o->count;
  for (int i = 0; i < m; i++) {
    o->sum[i] = 0;
    for (int f = 0; f < o->nblock; f++) o->sum[i] += o->s[i + (ptrdiff_t)f * m];
  }
  return rbv_solve_general(o->sum, 1, m, o->G, m, m);
}

/* deviations of the removed columns without each part, from those of the others */
static rbv_status repeat_without_parts(hidden *o, const identify_run *r, rbv_estimate *e) {
  const rbv_jackknife *j = &e->jackknife;
  for (int b = 0; b < j->nblock + j->nrecording; b++) {
    double *deviation = j->deviation + (ptrdiff_t)b * o->n;
    for (int k = 0; k < o->n; k++) o->x[k] = o->rank[k] < 0 ? e->value[k] + deviation[k] : 0;
    add_all(o, r, o->x, b < j->nblock ? b : -1, b < j->nblock ? -1 : b - j->nblock);
    const rbv_status status = solve_sum(o);
    if (status != RBV_OK && status != RBV_ENUM) return status;
    for (int i = 0; i < o->count; i++)
      deviation[o->hidden[i]] = status == RBV_OK ? o->sum[i] - e->value[o->hidden[i]] : 0;
  }
  return RBV_OK;
}

/* the covariance with the other parameters is -B cov(x) */
static void put_covariance(rbv_estimate *e, const hidden *o) {
  const int n = o->n, m = o->count;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) {
      if (o->rank[k] >= 0 || !isfinite(e->covariance[k + (ptrdiff_t)k * n])) continue;
      double cross = 0;
      for (int a = 0; a < n; a++)
        if (o->rank[a] < 0)
          cross -= o->B[i + (ptrdiff_t)a * m] * e->covariance[a + (ptrdiff_t)k * n];
      e->covariance[o->hidden[i] + (ptrdiff_t)k * n] = cross;
      e->covariance[k + (ptrdiff_t)o->hidden[i] * n] = cross;
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double cov = 0;
      for (int f = 0; f < o->nblock; f++)
        cov += o->s[i + (ptrdiff_t)f * m] * o->s[j + (ptrdiff_t)f * m];
      for (int k = 0; k < n; k++)
        if (o->rank[k] < 0 && isfinite(e->covariance[k + (ptrdiff_t)k * n]))
          cov -= e->covariance[o->hidden[i] + (ptrdiff_t)k * n] * o->B[j + (ptrdiff_t)k * m];
      e->covariance[o->hidden[i] + (ptrdiff_t)o->hidden[j] * n] = cov;
    }
}

static rbv_status solve(hidden *o, const identify_run *r, rbv_estimate *e) {
  const int m = o->count, n = o->n;
  add_all(o, r, e->value, -1, -1);
  RBV_TRY(solve_sum(o));
  for (int i = 0; i < m; i++) e->value[o->hidden[i]] = o->sum[i];
  RBV_TRY(repeat_without_parts(o, r, e));
  // again with these values, for the spread over the blocks
  add_all(o, r, e->value, -1, -1);
  RBV_TRY(rbv_solve_general(o->s, o->nblock, m, o->G, m, m));
  RBV_TRY(rbv_solve_general(o->B, n, m, o->G, m, m));
  put_covariance(e, o);
  for (int i = 0; i < m; i++) {
    const int k = o->hidden[i];
    e->status[k] = RBV_STATUS_MEAN_RESIDUAL;
    for (int c = 0; c < e->base->ncolumn; c++)
      e->relation[k + (ptrdiff_t)c * n] = e->base->relation[k + (ptrdiff_t)c * n];
  }
  e->active += m;
  rbv_base_expand(e->chi, e->base, e->value);
  return RBV_OK;
}

bool rbv_run_is_hidden(const identify_run *r, int column) {
  const rbv_law *law = rbv_model_column(r->model, column)->law;
  return r->filter.fade && law && rbv_law_near_standstill(law);
}

/* true if the plain rows contain this column */
static bool is_excited(const identify_run *r, int k) {
  double square = 0, rows = 0;
  for (int g = 0; g < rbv_equations_group_count(r->system); g++) {
    const rbv_group *group = rbv_equations_group(r->system, g);
    for (int at = 0; at < group->ncolumn; at++) {
      if (group->column[at] != k || !r->training[g]) continue;
      square += dot(group, at, at);
      rows += (double)group->rows;
    }
  }
  return square > SEEN * SEEN * rows;
}

rbv_status rbv_run_solve_hidden(identify_run *r, rbv_estimate *e, const bool *is_hidden) {
  hidden o = {.n = r->n, .nblock = r->nblock};
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(&o, &a));
  if (!a.base) return RBV_EMEM;
  for (int k = 0; k < r->n; k++) {
    o.rank[k] = -1;
    if (!is_hidden[k]) continue;
    e->value[k] = 0;
    if (!is_excited(r, k)) continue;
    o.rank[k] = o.count;
    o.hidden[o.count++] = k;
  }
  RBV_FINISH(o.count > 0 ? solve(&o, r, e) : RBV_OK, rbv_free(a.base));
}
