/*
 * Acceleration of an iteration x <- G(x) by its last steps (Anderson 1965): the next point is the
 * combination of the last points whose combined steps cancel best. Where the iteration converges
 * linearly, this takes about half as many evaluations of G. Its fixed points are those of G.
 */
#ifndef IDENTIFY_FIXED_POINT_H
#define IDENTIFY_FIXED_POINT_H

#include <roberval/sys/base.h>

typedef struct fixed_point fixed_point;

RBV_MUST_CHECK rbv_status rbv_fixed_point_new(fixed_point **out, int n);
void rbv_fixed_point_free(fixed_point *p);

/*
 * The next point at which G is evaluated. The first call only stores its point.
 *
 *   x  in   G of the point that the last call returned; of the first call: a point; n
 *      out  the next point; the same as in, where the last step was longer than the one before
 *   R  in   lengths of steps are |R step|: upper triangle, n x n, leading dimension ld
 */
RBV_MUST_CHECK rbv_status rbv_fixed_point_next(double *x, fixed_point *p, const double *R, int ld);

#endif
