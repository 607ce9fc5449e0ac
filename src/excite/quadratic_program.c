#include "excite/quadratic_program.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#define SLACK 1e-9   // relative violation of a constraint that does not count
#define ROUNDS 2000  // of adding and dropping constraints

void rbv_quadratic_layout(quadratic_work *w, int n, int room, rbv_arena *a) {
  const ptrdiff_t nn = (ptrdiff_t)n * n, all = room + 2 * (ptrdiff_t)n;
  w->n = n;
  w->room = room;
  w->L = RBV_TAKE(a, nn, double);
  w->J = RBV_TAKE(a, nn, double);
  w->R = RBV_TAKE(a, nn, double);
  w->z = RBV_TAKE(a, n, double);
  w->d = RBV_TAKE(a, n, double);
  w->r = RBV_TAKE(a, n + 1, double);
  w->normal = RBV_TAKE(a, n, double);
  w->s = RBV_TAKE(a, room, double);
  w->u = RBV_TAKE(a, n + 1, double);
  w->step = RBV_TAKE(a, n, double);
  w->active = RBV_TAKE(a, n + 1, int);
  w->used = RBV_TAKE(a, all, bool);
}

/* the program; constraints m .. m + n - 1 are upper bounds, the n after them lower bounds */
typedef struct {
  quadratic_work *w;
  const double *A, *b, *low, *high;
  int m, count;  // constraints; active ones
} program;

static void axpy(double *restrict y, double s, const double *restrict x, int n) {
  for (int i = 0; i < n; i++) y[i] += s * x[i];
}

/* J = inv(L)', so that J J' = inv(B) */
static rbv_status factor(bool *definite, quadratic_work *w, const double *B) {
  const int n = w->n;
  memcpy(w->L, B, (size_t)n * (size_t)n * sizeof *B);
  RBV_TRY(rbv_cholesky(definite, w->L, n, n));
  if (!*definite) return RBV_OK;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) w->R[i + j * n] = i <= j ? w->L[j + i * n] : 0;
  RBV_TRY(rbv_invert_upper(w->J, w->R, n, n));
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++) w->J[i + j * n] = 0;
  return RBV_OK;
}

/* b - A x of constraint i, with its normal -A_i in w->normal */
static void take_normal(const program *p, int i) {
  const int n = p->w->n, m = p->m;
  double *v = p->w->normal;
  for (int k = 0; k < n; k++) v[k] = 0;
  if (i >= m + n)
    v[i - m - n] = 1;
  else if (i >= m)
    v[i - m] = -1;
  else
    for (int k = 0; k < n; k++) v[k] = -p->A[i + (ptrdiff_t)k * m];
}

/* the constraint that x breaks most, or -1; *s: what is left of it, negative */
static int find_broken(double *s, const program *p, const double *x) {
  const quadratic_work *w = p->w;
  const int n = w->n, m = p->m;
  int worst = -1;
  *s = 0;
  if (m > 0) rbv_multiply(w->s, m, p->A, m, x, n, m, n, 1);
  for (int i = 0; i < m; i++) {
    const double left = p->b[i] - w->s[i];
    if (left < -SLACK && left < *s && !w->used[i]) *s = left, worst = i;
  }
  for (int k = 0; k < n; k++) {
    const double above = p->high[k] - x[k], below = x[k] - p->low[k];
    if (above < -SLACK && above < *s && !w->used[m + k]) *s = above, worst = m + k;
    if (below < -SLACK && below < *s && !w->used[m + n + k]) *s = below, worst = m + n + k;
  }
  return worst;
}

/* rotate columns a and b of J */
static void rotate(double *restrict a, double *restrict b, double c, double s, int n) {
  for (int i = 0; i < n; i++) {
    const double x = a[i], y = b[i];
    a[i] = c * x + s * y;
    b[i] = c * y - s * x;
  }
}

/* d = J' normal, z = its part that no active constraint sees, r = change of the multipliers */
static void directions(const program *p) {
  const quadratic_work *w = p->w;
  const int n = w->n, q = p->count;
  memset(w->z, 0, (size_t)n * sizeof *w->z);
  for (int k = 0; k < n; k++) {
    w->d[k] = rbv_dot(w->J + (ptrdiff_t)k * n, w->normal, n);
    if (k >= q) axpy(w->z, w->d[k], w->J + (ptrdiff_t)k * n, n);
  }
  for (int i = q - 1; i >= 0; i--) {
    double sum = w->d[i];
    for (int k = i + 1; k < q; k++) sum -= w->R[i + k * n] * w->r[k];
    w->r[i] = sum / w->R[i + i * n];
  }
}

/* the constraint with this d becomes active; false if it depends on the others */
static bool add(program *p, int index) {
  quadratic_work *w = p->w;
  const int n = w->n, q = p->count;
  for (int k = n - 1; k > q; k--) {
    const double size = sqrt(w->d[k - 1] * w->d[k - 1] + w->d[k] * w->d[k]);
    if (!(size > 0)) continue;
    rotate(w->J + (ptrdiff_t)(k - 1) * n, w->J + (ptrdiff_t)k * n, w->d[k - 1] / size,
           w->d[k] / size, n);
    w->d[k - 1] = size;
    w->d[k] = 0;
  }
  if (q >= n || !(fabs(w->d[q]) > 1e-12)) return false;
  for (int i = 0; i <= q; i++) w->R[i + q * n] = w->d[i];
  w->active[q] = index;
  w->used[index] = true;
  p->count++;
  return true;
}

/* active constraint at place l is no longer active */
static void drop(program *p, int l) {
  quadratic_work *w = p->w;
  const int n = w->n;
  w->used[w->active[l]] = false;
  p->count--;
  for (int j = l; j < p->count; j++) {
    w->active[j] = w->active[j + 1];
    w->u[j] = w->u[j + 1];
    for (int i = 0; i <= j + 1; i++) w->R[i + j * n] = w->R[i + (j + 1) * n];
    // the column has one element below the diagonal
    const double x = w->R[j + j * n], y = w->R[j + 1 + j * n], size = sqrt(x * x + y * y);
    if (!(size > 0)) continue;
    const double c = x / size, s = y / size;
    for (int k = j; k < p->count; k++) {
      double *col = w->R + (ptrdiff_t)(k == j ? j : k + 1) * n;
      const double a = col[j], b = col[j + 1];
      col[j] = c * a + s * b;
      col[j + 1] = c * b - s * a;
    }
    rotate(w->J + (ptrdiff_t)j * n, w->J + (ptrdiff_t)(j + 1) * n, c, s, n);
  }
  // the multiplier of the constraint that is being added follows the active ones
  w->u[p->count] = w->u[p->count + 1];
}

/* make constraint `index`, which x breaks by s, active; false: it cannot be kept */
static bool enforce(program *p, double *x, int index, double s) {
  quadratic_work *w = p->w;
  const int n = w->n;
  take_normal(p, index);
  w->u[p->count] = 0;
  for (int round = 0; round < ROUNDS; round++) {
    directions(p);
    const double along = rbv_dot(w->z, w->normal, n), norm = rbv_dot(w->d, w->d, n);
    const double full = along > 1e-14 * norm ? -s / along : INFINITY;
    double part = INFINITY;
    int l = -1;
    for (int k = 0; k < p->count; k++)
      if (w->r[k] > 0 && w->u[k] / w->r[k] < part) part = w->u[k] / w->r[k], l = k;
    const double t = fmin(part, full);
    if (!isfinite(t)) return false;
    for (int k = 0; k < p->count; k++) w->u[k] = fmax(0, w->u[k] - t * w->r[k]);
    w->u[p->count] += t;
    if (isfinite(full)) {
      axpy(x, t, w->z, n);
      s += t * along;
    }
    if (t == full) return add(p, index);
    drop(p, l);
  }
  return false;
}

rbv_status rbv_quadratic_solve(double *x, bool *solved, quadratic_work *w, const double *B,
                               const double *g, const double *A, const double *b, int m,
                               const double *low, const double *high) {
  const int n = w->n;
  program p = {.w = w, .A = A, .b = b, .low = low, .high = high, .m = m};
  memset(x, 0, (size_t)n * sizeof *x);
  memset(w->used, 0, (size_t)(w->room + 2 * n) * sizeof *w->used);
  RBV_TRY(factor(solved, w, B));
  if (!*solved) return RBV_OK;
  // x = -J J' g
  for (int k = 0; k < n; k++) {
    const double *column = w->J + (ptrdiff_t)k * n;
    axpy(x, -rbv_dot(column, g, n), column, n);
  }
  double s;
  int rounds = 0;
  for (int i; (i = find_broken(&s, &p, x)) >= 0;)
    if (rounds++ >= ROUNDS || !enforce(&p, x, i, s)) {
      memset(x, 0, (size_t)n * sizeof *x);
      *solved = false;
      break;
    }
  w->count = p.count;
  return RBV_OK;
}
