/*
 * trajectory: motions that are designed. Finite Fourier series (Radkhah 2007 section II.C), sums of
 * sines with free frequencies (Villagrossi 2014 eq. 8), points joined by a motion planner
 * (Villagrossi 2014 eq. 6; Jubien 2014), cubic B-splines. Position, velocity, acceleration and jerk
 * are analytic, and so are extrema and, for smooth classes, derivatives with respect to the
 * coefficients.
 *
 * A shape says what kind of curve it is, a vector of coefficients which one. Joints are independent
 * but for the planner's timing. Setting coefficients and evaluating allocate nothing.
 */
#ifndef ROBERVAL_SYS_TRAJECTORY_H
#define ROBERVAL_SYS_TRAJECTORY_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  RBV_TRAJECTORY_FOURIER,
  RBV_TRAJECTORY_SINES,
  RBV_TRAJECTORY_VIA,
  RBV_TRAJECTORY_BSPLINE
} rbv_trajectory_class;

RBV_API const char *rbv_trajectory_class_name(rbv_trajectory_class kind); /* "fourier", ... */
RBV_API bool rbv_trajectory_class_parse(rbv_trajectory_class *out, const char *name);

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
  const int *counts; /* njoint, instead of count; not for via points; NULL: all alike */
  double duration_s; /* of a period, of the sines, of the spline; of all moves between via points,
                        with 0 for as fast as the planner's maxima allow */
  int periods;       /* fourier: how often the period is run */
  double blend_s;    /* fourier and sines: from rest into the curve, and out of it at its end, in
                        so much time more at each end; 0: the curve alone */
  bool phases;       /* sines: phases are coefficients */

  /* the planner */
  bool closed;       /* the last move leads back to the first point */
  bool synchronised; /* the joints arrive together; otherwise each at its own speed */
  bool smooth;       /* acceleration is limited in its rate; otherwise velocity is a trapezoid */
  double fly_by;     /* 0: stop at every point; 1: the next move's acceleration runs together with
                        the braking of the one before, and the points are passed by */
  const double *velocity, *acceleration, *jerk; /* njoint: maxima of a move; jerk if smooth */
} rbv_trajectory_shape;

/* One period, no blend, closed, synchronised, trapezoids, stopping. */
RBV_API rbv_trajectory_shape rbv_trajectory_defaults(void);

typedef struct rbv_trajectory rbv_trajectory;

/* Everything is copied; x may be NULL for zeros (via: speed 1). */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_new(rbv_trajectory **out,
                                                     const rbv_trajectory_shape *shape,
                                                     const double *x);
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_clone(rbv_trajectory **out,
                                                       const rbv_trajectory *trajectory);
RBV_API void rbv_trajectory_free(rbv_trajectory *trajectory);

/* As given; its arrays belong to the trajectory, counts is never NULL. */
RBV_API const rbv_trajectory_shape *rbv_trajectory_get_shape(const rbv_trajectory *trajectory);

/* Coefficients of all joints one after the other; the first of joint j, and how many it has. */
RBV_API int rbv_trajectory_coefficient_count(const rbv_trajectory *trajectory);
RBV_API int rbv_trajectory_first(const rbv_trajectory *trajectory, int joint, int *count);
RBV_API const double *rbv_trajectory_get(const rbv_trajectory *trajectory);

/* Other coefficients; a value that is not finite, or a speed outside (0, 1], is refused. */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_set(rbv_trajectory *trajectory, const double *x);

/* Run it at this fraction of its speed (from 1): a slow copy has the same path. */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_set_speed(rbv_trajectory *trajectory,
                                                           double fraction);
RBV_API double rbv_trajectory_speed(const rbv_trajectory *trajectory);

/* Everything, blends included, at its speed [s]. */
RBV_API double rbv_trajectory_duration(const rbv_trajectory *trajectory);

/*
 * State at a time from 0 to the duration; before and after, that of the end. Each of q, dq, ddq,
 * dddq has njoint elements and may be NULL.
 */
RBV_API void rbv_trajectory_eval(double *q, double *dq, double *ddq, double *dddq,
                                 const rbv_trajectory *trajectory, double time_s);

/* Samples at start_s + k * step_s for k < count; torque and valid of out are left alone. */
RBV_API void rbv_trajectory_sample(const rbv_samples *out, const rbv_trajectory *trajectory,
                                   double start_s, double step_s, ptrdiff_t count);

/*
 * Derivatives of one joint with respect to its own coefficients. Refused for via points, whose
 * planner is not smooth (RBV_EUNSUPPORTED).
 *
 *   g      out  as many as the joint has coefficients
 *   order  in   0: of q, 1: of dq, 2: of ddq, 3: of the jerk
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_gradient(double *g,
                                                          const rbv_trajectory *trajectory,
                                                          int joint, int order, double time_s);

/* Smallest and largest value of a derivative, and when [s]. */
typedef struct {
  double min, max;
  double min_time, max_time;
} rbv_extreme;

/*
 * Extrema of q (order 0), dq, ddq or the jerk (3) of a joint over the whole time, not only at
 * samples: found by bounding what can happen between two points, to a part in 1e12 of the size of
 * the coefficients. Where a planner's acceleration or jerk jumps, both sides count.
 */
RBV_API rbv_extreme rbv_trajectory_extreme(const rbv_trajectory *trajectory, int joint, int order);

/*
 * As a motion at a regular rate, from 0 to the end: round(duration * rate) samples, and one more
 * for a curve that does not repeat. The trajectory is copied.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_motion(rbv_motion **out,
                                                        const rbv_trajectory *trajectory,
                                                        const char *name, double rate_hz);

/* The samples of that motion. */
RBV_API ptrdiff_t rbv_trajectory_samples(const rbv_trajectory *trajectory, double rate_hz);

/* ---- files: YAML with `trajectory: fourier` and so on, 17 digits ---- */

RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_load(rbv_trajectory **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_parse(rbv_trajectory **out, const char *name,
                                                       const char *text, size_t size);

/* Text that rbv_text_release (result.h) frees; names of the joints, or NULL. */
RBV_API RBV_MUST_CHECK rbv_status rbv_trajectory_write(char **text, size_t *size,
                                                       const rbv_trajectory *trajectory,
                                                       const char *const *joints);

#ifdef __cplusplus
}
#endif
#endif
