#include "identify/fixed_point.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "base/support.h"

#define MEMORY 3  // differences of steps that are used, at most

struct fixed_point {
  int n;
  int points;       // evaluations of G so far; -1: no point yet
  int stored;       // differences
  double *at;       // n: the last point
  double *step;     // n: G(x) - x of the point before, then of the last one
  double *before;   // n: the point before
  double *moved;    // n x MEMORY: differences of points
  double *changed;  // n x MEMORY: differences of their steps
  double *A, *b;    // n x MEMORY, n: the same differences and the last step, times R
};

static void layout(fixed_point *p, rbv_arena *a) {
  RBV_TAKE_ALL(a, p->n, double, &p->at, &p->step, &p->before);
  RBV_TAKE_ALL(a, p->n * MEMORY, double, &p->moved, &p->changed, &p->A);
  p->b = RBV_TAKE(a, p->n, double);
}

rbv_status rbv_fixed_point_new(fixed_point **out, int n) {
  fixed_point sizes = {.n = n, .points = -1};
  fixed_point *p;
  RBV_CARVE_OBJECT(p, a, layout(&sizes, a));
  if (p) *p = sizes;
  *out = p;
  return p ? RBV_OK : RBV_EMEM;
}

void rbv_fixed_point_free(fixed_point *p) { rbv_free(p); }

/* y = R x */
static void multiply(double *y, const double *R, int ld, const double *x, int n) {
  memset(y, 0, (size_t)n * sizeof *y);
  for (int c = 0; c < n; c++)
    for (int r = 0; r <= c; r++) y[r] += R[r + (ptrdiff_t)c * ld] * x[c];
}

static double length(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* store the differences between the last two points and their steps; the oldest ones are dropped */
static void remember(fixed_point *p, const double *step) {
  const int n = p->n, keep = p->stored < MEMORY ? p->stored : MEMORY - 1;
  const size_t bytes = (size_t)(keep * n) * sizeof *step;
  memmove(p->moved + n, p->moved, bytes);
  memmove(p->changed + n, p->changed, bytes);
  for (int i = 0; i < n; i++) {
    p->moved[i] = p->at[i] - p->before[i];
    p->changed[i] = step[i] - p->step[i];
  }
  p->stored = keep + 1;
}

rbv_status rbv_fixed_point_next(double *x, fixed_point *p, const double *R, int ld) {
  const int n = p->n;
  const size_t bytes = (size_t)n * sizeof *x;
  if (p->points >= 0) {
    // the step of the last point; A is used for the length of the one before
    double *step = p->b;
    multiply(p->A, R, ld, p->step, n);
    const double last = p->points > 0 ? length(p->A, n) : INFINITY;
    for (int i = 0; i < n; i++) step[i] = x[i] - p->at[i];
    multiply(p->A, R, ld, step, n);
    if (p->points > 0) remember(p, step);
    // far from the solution old steps say nothing
    if (!(length(p->A, n) < last)) p->stored = 0;
    memcpy(p->step, step, bytes);
    memcpy(p->before, p->at, bytes);
  }
  p->points++;
  if (p->stored > 0) {
    double share[MEMORY];
    multiply(p->b, R, ld, p->step, n);
    for (int k = 0; k < p->stored; k++)
      multiply(p->A + (ptrdiff_t)k * n, R, ld, p->changed + (ptrdiff_t)k * n, n);
    RBV_TRY(rbv_least_squares(share, NULL, NULL, p->A, n, p->stored, n, p->b, 1e-8));
    for (int k = 0; k < p->stored; k++)
      for (int i = 0; i < n; i++) x[i] -= share[k] * (p->moved[k * n + i] + p->changed[k * n + i]);
  }
  memcpy(p->at, x, bytes);
  return RBV_OK;
}
