/*
 * Convex quadratic programs, by the dual method of Goldfarb and Idnani 1983: it starts from the
 * minimum without constraints and adds violated constraints one after the other.
 */
#ifndef EXCITE_QUADRATIC_PROGRAM_H
#define EXCITE_QUADRATIC_PROGRAM_H

#include "base/support.h"

typedef struct {
  int n, room;  // variables; constraints at most, the bounds not counted
  int count;  // active constraints of the last solution: their numbers in active, multipliers in u.
              // Number m + i is the upper bound of variable i, m + n + i the lower one.
  double *L, *J, *R, *z, *d, *r, *normal, *s, *u, *step;
  int *active;
  bool *used;
} quadratic_work;

/* Arrays; measures without a base. */
void rbv_quadratic_layout(quadratic_work *w, int n, int room, rbv_arena *a);

/*
 * Minimise x' B x / 2 + g' x subject to A x <= b and low <= x <= high. x = 0 must keep the
 * constraints: b >= 0, low <= 0 <= high. Allocates nothing.
 *
 *   x  out  n
 *   B  in   n x n, symmetric and positive definite
 *   A  in   m x n, column-major, leading dimension m; m <= room
 *
 * *solved is false if B is not positive definite or rounding prevents a solution; x is then zero.
 */
RBV_MUST_CHECK rbv_status rbv_quadratic_solve(double *x, bool *solved, quadratic_work *w,
                                              const double *B, const double *g, const double *A,
                                              const double *b, int m, const double *low,
                                              const double *high);

#endif
