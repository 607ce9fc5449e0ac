/* Damped Newton method for the last steps; its decrement is used for the certificate. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "consistency/interior_point.h"

#define LAST_DECREMENT 1e-16
#define FULL_STEP 0.0625  // squared decrement below which a full step is safe
#define SLOPE_SHARE 1e-4  // share of the predicted decrease that a step must reach
#define SHORTEST 1e-12
#define PATIENCE 10  // steps without progress before the method ends
#define ROUNDING (16 * DBL_EPSILON)

/*
 * p->step = -inv(V'V) gradient. slope: derivative of the function along the step. square: |V
 * step|^2, equal to -slope unless the total mass is known. found: false if V'V is singular.
 */
static rbv_status newton_step(bool *found, double *slope, double *square, problem *p,
                              double barrier) {
  RBV_TRY(rbv_problem_derivatives(p, barrier, p->u));
  RBV_TRY(rbv_problem_factor(found, p));
  if (!*found) return RBV_OK;
  for (int i = 0; i < p->n; i++) p->step[i] = -p->gradient[i];
  RBV_TRY(rbv_problem_solve(p));
  *slope = *square = 0;
  for (int i = 0; i < p->n; i++) *slope += p->gradient[i] * p->step[i];
  rbv_problem_push(p->pulled, p, p->step);
  for (int i = 0; i < p->nrow; i++) *square += p->pulled[i] * p->pulled[i];
  return RBV_OK;
}

static double try_length(problem *p, double barrier, double length) {
  for (int i = 0; i < p->n; i++) p->trial[i] = p->u[i] + length * p->step[i];
  return rbv_problem_value(p, barrier, p->trial);
}

/*
 * Move p->u along the step: halve it until the function decreases sufficiently, then double it
 * while the function decreases further (far from the minimum a Newton step is too short if a body
 * must grow). Returns false if the function does not decrease.
 */
static bool line_search(problem *p, double barrier, double before, double slope) {
  double length = 1, best, longer;
  for (;; length /= 2) {
    if (!(length > SHORTEST)) return false;
    best = try_length(p, barrier, length);
    if (best <= before + SLOPE_SHARE * length * slope) break;
  }
  while ((longer = try_length(p, barrier, 2 * length)) < best) {
    length *= 2;
    best = longer;
  }
  for (int i = 0; i < p->n; i++) p->u[i] += length * p->step[i];
  return true;
}

/* take the whole step if it stays feasible */
static bool full_step(problem *p, double barrier) {
  if (!isfinite(try_length(p, barrier, 1))) return false;
  for (int i = 0; i < p->n; i++) p->u[i] += p->step[i];
  return true;
}

/* iterate from p->u while there is progress; p->best is the point with the smallest decrement */
static rbv_status search(iteration *m, problem *p, double barrier, double smallest) {
  double last = INFINITY, least = INFINITY;
  for (int stalled = 0;; m->left--, m->taken++) {
    bool found;
    double slope, square;
    RBV_TRY(newton_step(&found, &slope, &square, p, barrier));
    if (!found) return RBV_OK;
    const double decrement = square / smallest;
    if (decrement <= m->decrement) {
      memcpy(p->best, p->u, (size_t)p->n * sizeof *p->best);
      m->decrement = decrement;
    }
    if (decrement <= LAST_DECREMENT || m->left <= 0) return RBV_OK;

    // near the end convergence is quadratic; if it stops, only rounding errors are left
    const bool near = decrement < FULL_STEP;
    const double value = rbv_problem_value(p, barrier, p->u), noise = ROUNDING * fabs(value);
    const bool gained = decrement < last / 4 || (!near && value < least - noise);
    stalled = gained ? 0 : stalled + 1;
    if (stalled > (near ? 0 : PATIENCE)) return RBV_OK;
    last = decrement;
    least = fmin(value, least);

    // close to the minimum a full step is safe; otherwise rounding can hide the decrease
    const bool full = near || -slope < noise;
    if (!(full ? full_step(p, barrier) : line_search(p, barrier, value, slope))) return RBV_OK;
  }
}

rbv_status rbv_newton_centre(iteration *m, problem *p, double barrier, double smallest) {
  m->decrement = INFINITY;
  memcpy(p->best, p->u, (size_t)p->n * sizeof *p->best);
  RBV_TRY(search(m, p, barrier, smallest));
  memcpy(p->u, p->best, (size_t)p->n * sizeof *p->u);
  return RBV_OK;
}
