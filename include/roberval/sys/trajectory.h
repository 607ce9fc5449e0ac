/*
 * trajectory: designed motions. Finite Fourier series (Radkhah 2007 section II.C), sums of sines
 * with free frequencies (Villagrossi 2014 eq. 8), points joined by a motion planner (Villagrossi
 * 2014 eq. 6; Jubien 2014), cubic B-splines. Position, velocity, acceleration and jerk are
 * analytic; so are extrema and, for smooth classes, derivatives with respect to the coefficients.
 *
 * A shape says which kind of curve it is; a vector of coefficients selects one curve. Joints are
 * independent, apart from the timing of the planner. Setting coefficients and evaluating do not
 * allocate.
 */
#ifndef ROBERVAL_SYS_TRAJECTORY_H
#define ROBERVAL_SYS_TRAJECTORY_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/motion.h>

RBV_BEGIN_C

/* All classes: X(constant, name). Each has a row rbv_class_<name> in src/trajectory. */
#define RBV_TRAJECTORY_CLASS_LIST(X) \
  X(FOURIER, fourier)                \
  X(SINES, sines)                    \
  X(VIA, via)                        \
  X(BSPLINE, bspline)

typedef enum {
#define X(constant, name) RBV_TRAJECTORY_##constant,
  RBV_TRAJECTORY_CLASS_LIST(X)
#undef X
} rbv_trajectory_class;

/*
 * What the coefficients of a joint mean, in their order; t counts from the start of the first
 * period, w = 2 pi / duration, N is the joint's count:
 *
 *   fourier  q0, a_1..a_N, b_1..b_N:  q = q0 + sum_l (a_l sin(l w t) - b_l cos(l w t)) / (l w)
 *   sines    q0, a_1..a_N, w_1..w_N:  q = q0 + sum_k a_k sin(w_k t + phi_k)
 *            with phases also phi_1..phi_N, otherwise phi = 0
 *   via      N points, then the joint's speed as a fraction of its maximum
 *   bspline  N control points; the curve begins at the first and ends at the last, at rest
 */
typedef struct {
  rbv_trajectory_class kind;
  int njoint;
  int count;         /* harmonics, sines, via points or control points of each joint */
  const int *counts; /* njoint, instead of count; not for via points; NULL: the same for all */
  double duration_s; /* of a period, of the sines, of the spline; of all moves between via points,
                        0: as fast as the planner's maxima allow */
  int periods;       /* fourier: number of periods */
  double blend_s;    /* fourier and sines: extra time at each end to start from rest and to come to
                        rest; 0: the curve alone */
  bool phases;       /* sines: phases are coefficients */

  /* the planner */
  bool closed;       /* the last move leads back to the first point */
  bool synchronised; /* the joints arrive together; otherwise each at its own speed */
  bool smooth;       /* jerk is limited; otherwise the velocity is a trapezoid */
  double fly_by;     /* 0: stop at every point; 1: a move accelerates while the one before brakes,
                        and the points are not reached exactly */
  const double *velocity, *acceleration, *jerk; /* njoint: maxima of a move; jerk if smooth */
} rbv_trajectory_shape;

/* One period, no blend, closed, synchronised, trapezoids, stopping. */
RBV_API rbv_trajectory_shape rbv_trajectory_defaults(void);

typedef struct rbv_trajectory rbv_trajectory;

/* Everything is copied; x may be NULL for zeros (via: speed 1). */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_new(rbv_trajectory **out,
                                                     const rbv_trajectory_shape *shape,
                                                     const double *x);
RBV_API void rbv_trajectory_free(rbv_trajectory *trajectory);

/* The shape as given. Its arrays belong to the trajectory; counts is never NULL. */
RBV_API const rbv_trajectory_shape *rbv_trajectory_get_shape(const rbv_trajectory *trajectory);

/* Total time at its speed, with blends [s]. */
RBV_API double rbv_trajectory_duration(const rbv_trajectory *trajectory);

/*
 * State at a time from 0 to the duration; times outside are clamped. Each of q, dq, ddq, dddq has
 * njoint elements and may be NULL.
 */
RBV_API void rbv_trajectory_eval(double *q, double *dq, double *ddq, double *dddq,
                                 const rbv_trajectory *trajectory, double time_s);

/* Samples at start_s + k * step_s for k < count; torque and valid of out are not changed. */
RBV_API void rbv_trajectory_sample(const rbv_samples *out, const rbv_trajectory *trajectory,
                                   double start_s, double step_s, ptrdiff_t count);

/*
 * A motion sampled at a regular rate, from 0 to the end: round(duration * rate) samples, and one
 * more for a curve that does not repeat. The trajectory is copied.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_motion(rbv_motion **out,
                                                        const rbv_trajectory *trajectory,
                                                        const char *name, double rate_hz);

/* ---- files: YAML with `trajectory: fourier` and so on, 17 digits ---- */

RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_parse(rbv_trajectory **out, const char *name,
                                                       const char *text, size_t size);

/* ---- formats for robots and people ---- */

typedef struct {
  const char *name;      /* "ros" */
  const char *extension; /* ".yaml" */
  const char *text;      /* for help: what is written */
  bool robot;            /* a robot controller runs the file as it is */
} rbv_trajectory_format;

RBV_END_C
#endif
