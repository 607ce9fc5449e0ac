#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "friction/friction_internal.h"

#define FOLDS RBV_FRICTION_FOLDS
RBV_THRESHOLDS(FRICTION_FOLDS);

static void layout(folds *f, rbv_arena *a) {
  const size_t square = (size_t)(f->count + 1) * (size_t)(f->count + 1);
  f->fit = RBV_TAKE(a, FOLDS * square, double);
  f->error = RBV_TAKE(a, (size_t)f->nrow * FOLDS * square, double);
  f->whole = RBV_TAKE(a, square, double);
  f->length = RBV_TAKE(a, f->count + 1, double);
  f->sigma = RBV_TAKE(a, f->nrow, double);
  f->torque = RBV_TAKE(a, f->nrow, double);
  f->rows = RBV_TAKE(a, (size_t)f->nrow * FOLDS, double);
  f->scratch = RBV_TAKE(a, (size_t)CHOSEN_MOST * (CHOSEN_MOST + 2), double);
}

void rbv_folds_free(folds *f) {
  rbv_free(f->memory);
  *f = (folds){0};
}

/* working memory while the folds are made */
typedef struct {
  const rbv_equations *system;
  int n, count, width;  // columns of the model; candidates; n + count + 1
  int nused;
  int *used;             // columns of the model that are estimated
  const bool *friction;  // n: friction and offsets
  double *part;          // FOLDS triangles
  double *without;       // FOLDS triangles
  double *none;          // zero triangle
  double *columns;       // width x width: selected columns
  double *R;             // width x width
  double *X;             // nused x (count + 1): solution of the used columns
  double *D;             // width x (count + 1)
  int *times;            // per group
  void *memory;
} work;

static void lay_work(work *w, rbv_arena *a) {
  const size_t square = (size_t)w->width * (size_t)w->width;
  w->used = RBV_TAKE(a, w->n, int);
  w->part = RBV_TAKE(a, FOLDS * square, double);
  w->without = RBV_TAKE(a, FOLDS * square, double);
  w->none = RBV_TAKE(a, square, double);
  w->columns = RBV_TAKE(a, square, double);
  w->R = RBV_TAKE(a, square, double);
  w->X = RBV_TAKE(a, square, double);
  w->D = RBV_TAKE(a, square, double);
  w->times = RBV_TAKE(a, rbv_equations_group_count(w->system), int);
}

/*
 * Eliminate the used columns of the model from a triangle: X is their solution for each candidate
 * and for the torque, G the products of what is left.
 */
static rbv_status eliminate(double *G, work *w, const double *triangle) {
  const int m = w->nused, c = w->count + 1, wide = m + c;
  for (int k = 0; k < wide; k++) {
    const int from = k < m ? w->used[k] : w->n + k - m;
    memcpy(w->columns + (ptrdiff_t)k * w->width, triangle + (ptrdiff_t)from * w->width,
           (size_t)w->width * sizeof *w->columns);
  }
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, wide));
  rbv_status status = rbv_qr_add(qr, w->columns, w->width, w->width);
  if (status == RBV_OK) rbv_qr_get(w->R, qr);
  rbv_qr_free(qr);
  RBV_TRY(status);
  for (int k = 0; k < c; k++)
    memcpy(w->X + (ptrdiff_t)k * m, w->R + (ptrdiff_t)(m + k) * wide, (size_t)m * sizeof *w->X);
  if (m > 0) RBV_TRY(rbv_solve_upper(w->X, c, m, w->R, m, wide));
  memset(G, 0, (size_t)c * (size_t)c * sizeof *G);
  rbv_gram_add(G, c, w->R + m + (ptrdiff_t)m * wide, c, c, wide);
  return RBV_OK;
}

/* errors of a group at the solution X, as products */
static void add_errors(double *H, work *w, const rbv_group *g) {
  const int rows = g->ncolumn + 1, m = w->nused, c = w->count + 1;
  memset(w->D, 0, (size_t)rows * (size_t)c * sizeof *w->D);
  for (int at = 0; at <= g->ncolumn; at++) {
    const double *from = g->R + (ptrdiff_t)at * rows;
    const int column = at < g->ncolumn ? g->column[at] : w->n + w->count;
    if (column >= w->n) {
      double *to = w->D + (ptrdiff_t)(column - w->n) * rows;
      for (int i = 0; i <= at; i++) to[i] += from[i];
      continue;
    }
    int k = 0;
    while (k < m && w->used[k] != column) k++;
    for (int i = 0; i < c && k < m; i++) {
      const double x = w->X[k + (ptrdiff_t)i * m];
      double *to = w->D + (ptrdiff_t)i * rows;
      for (int r = 0; r <= at; r++) to[r] -= x * from[r];
    }
  }
  rbv_gram_add(H, c, w->D, rows, c, rows);
}

static rbv_status fill(folds *f, work *w) {
  const ptrdiff_t square = (ptrdiff_t)w->width * w->width, c = f->count + 1;
  const int ngroup = rbv_equations_group_count(w->system);
  for (int k = 0; k < FOLDS; k++) {
    for (int g = 0; g < ngroup; g++) w->times[g] = rbv_equations_group(w->system, g)->fold == k;
    RBV_TRY(rbv_equations_stack(w->part + k * square, NULL, w->system, f->sigma, w->times, false));
  }
  RBV_TRY(rbv_qr_without_blocks(w->without, w->part, FOLDS, w->width, w->none));
  for (int k = 0; k < FOLDS; k++) {
    RBV_TRY(eliminate(f->fit + k * c * c, w, w->without + k * square));
    for (int g = 0; g < ngroup; g++) {
      const rbv_group *group = rbv_equations_group(w->system, g);
      if (group->fold == k) add_errors(f->error + (k * f->nrow + group->row) * c * c, w, group);
    }
  }
  // all folds
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, w->width));
  rbv_status status = RBV_OK;
  for (int k = 0; k < FOLDS && status == RBV_OK; k++)
    status = rbv_qr_add(qr, w->part + k * square, w->width, w->width);
  if (status == RBV_OK) rbv_qr_get(w->without, qr);
  rbv_qr_free(qr);
  RBV_TRY(status);
  for (int i = 0; i < f->count; i++) {
    const double *column = w->without + (ptrdiff_t)(w->n + i) * w->width;
    f->length[i] = 0;
    for (int k = 0; k < w->width; k++) f->length[i] += column[k] * column[k];
  }
  // against friction alone: the other columns are left out
  w->nused = 0;
  for (int k = 0; k < w->n; k++)
    if (w->friction[k]) w->used[w->nused++] = k;
  return eliminate(f->whole, w, w->without);
}

static void sum_torques(folds *f, const rbv_equations *system) {
  for (int g = 0; g < rbv_equations_group_count(system); g++) {
    const rbv_group *group = rbv_equations_group(system, g);
    if (group->fold >= FOLDS) continue;
    f->rows[group->fold * f->nrow + group->row] += (double)group->rows;
    const double *y = group->R + (ptrdiff_t)group->ncolumn * (group->ncolumn + 1);
    for (int i = 0; i <= group->ncolumn; i++) f->torque[group->row] += y[i] * y[i];
  }
}

rbv_status rbv_folds_new(folds *out, const rbv_equations *system, int nmodel, const bool *used,
                         const bool *friction, const double *sigma, int count, int nrow) {
  folds sizes = {.count = count, .nrow = nrow};
  rbv_arena measure = {0};
  layout(&sizes, &measure);
  *out = sizes;
  out->memory = rbv_alloc(measure.used);
  work w = {.system = system,
            .n = nmodel,
            .count = count,
            .width = nmodel + count + 1,
            .friction = friction};
  work lay = w;
  rbv_arena more = {0};
  lay_work(&lay, &more);
  w.memory = rbv_alloc(more.used);
  rbv_status status = out->memory && w.memory ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    rbv_arena carve = {.base = out->memory}, carve_work = {.base = w.memory};
    layout(out, &carve);
    lay_work(&w, &carve_work);
    memcpy(out->sigma, sigma, (size_t)nrow * sizeof *sigma);
    for (int k = 0; k < nmodel; k++)
      if (used[k]) w.used[w.nused++] = k;
    sum_torques(out, system);
    status = fill(out, &w);
  }
  rbv_free(w.memory);
  if (status != RBV_OK) rbv_folds_free(out);
  return status;
}

/* ---- evaluation ---- */

/* element of a symmetric matrix of which the lower triangle is stored */
static double at(const double *G, ptrdiff_t n, int i, int j) {
  return i > j ? G[i + j * n] : G[j + i * n];
}

/*
 * Solve G(S, S) x = G(S, y) by Cholesky with unit diagonal. L has s->count rows and columns. False
 * if the columns are dependent.
 */
static bool solve(double *x, double *L, const double *G, ptrdiff_t n, const int *item, int count,
                  int y) {
  for (int i = 0; i < count; i++) {
    const double scale_i = sqrt(at(G, n, item[i], item[i]));
    if (!(scale_i > 0)) return false;
    for (int j = 0; j <= i; j++) {
      const double scale_j = sqrt(at(G, n, item[j], item[j]));
      double sum = at(G, n, item[i], item[j]) / (scale_i * scale_j);
      for (int k = 0; k < j; k++) sum -= L[i + k * CHOSEN_MOST] * L[j + k * CHOSEN_MOST];
      if (i == j && !(sum > DEPENDENT)) return false;
      L[i + j * CHOSEN_MOST] = i == j ? sqrt(sum) : sum / L[j + j * CHOSEN_MOST];
    }
    double sum = at(G, n, item[i], y) / scale_i;
    for (int k = 0; k < i; k++) sum -= L[i + k * CHOSEN_MOST] * x[k];
    x[i] = sum / L[i + i * CHOSEN_MOST];
  }
  for (int i = count - 1; i >= 0; i--) {
    for (int k = i + 1; k < count; k++) x[i] -= L[k + i * CHOSEN_MOST] * x[k];
    x[i] /= L[i + i * CHOSEN_MOST];
  }
  for (int i = 0; i < count; i++) x[i] /= sqrt(at(G, n, item[i], item[i]));
  return true;
}

/* |D c - d|^2 */
static double quadratic(const double *H, ptrdiff_t n, const int *item, const double *c, int count,
                        int y) {
  double sum = at(H, n, y, y);
  for (int i = 0; i < count; i++) {
    double row = -2 * at(H, n, item[i], y);
    for (int j = 0; j < count; j++) row += c[j] * at(H, n, item[i], item[j]);
    sum += c[i] * row;
  }
  return sum > 0 ? sum : 0;
}

bool rbv_folds_evaluate(subset *s, const folds *f) {
  const ptrdiff_t n = f->count + 1;
  for (int k = 0; k < FOLDS; k++) {
    double *c = s->coefficient + k * CHOSEN_MOST;
    if (!solve(c, f->scratch, f->fit + k * n * n, n, s->item, s->count, f->count)) return false;
    for (int r = 0; r < f->nrow; r++)
      s->rss[k * f->nrow + r] =
          quadratic(f->error + (k * f->nrow + r) * n * n, n, s->item, c, s->count, f->count);
  }
  return true;
}

double rbv_folds_independence(const subset *s, const folds *f, int which) {
  const ptrdiff_t n = f->count + 1;
  int others[CHOSEN_MOST], count = 0;
  for (int i = 0; i < s->count; i++)
    if (i != which) others[count++] = s->item[i];
  const int y = s->item[which];
  double *x = f->scratch + CHOSEN_MOST * CHOSEN_MOST;
  if (!solve(x, f->scratch, f->whole, n, others, count, y)) return 0;
  return quadratic(f->whole, n, others, x, count, y) / f->length[y];
}
