/*
 * Inside of a trajectory. The curve of a joint is a sequence of pieces. Each piece is a polynomial
 * in the time since its start, or the joint's sum of waves.
 */
#ifndef TRAJECTORY_CURVE_H
#define TRAJECTORY_CURVE_H

#include "trajectory/trajectory.h"

#include "base/support.h"

#define DEGREE 4
#define ORDERS 4                // q, dq, ddq, jerk
#define CURVE_COEFFICIENTS 512  // of a joint, at most, so that a gradient fits on the stack

typedef struct {
  double start;          // [s]
  double c[DEGREE + 1];  // of (t - start)^i
  bool waves;            // the joint's waves instead of c
} piece;

typedef struct {
  int first, count;  // coefficients
  int npiece, room;  // pieces in use, and space for so many
  piece *piece;
  double offset, origin;  // waves: their mean, and the time at which their phase is zero
  int nwave;
  bool harmonic;                      // frequency k is k + 1 times the first one
  double *frequency, *sine, *cosine;  // [rad/s], amplitudes
} curve;

/* A step of acceleration or jerk of the planner. */
typedef struct {
  double time, acceleration, jerk;
} event;

/* The move of one joint: acceleration, cruise, braking. */
typedef struct {
  double distance;         // with its sign
  double ramp, jerk_time;  // time of acceleration and of braking; rise time of the acceleration
  double cruise;           // [s]
  double acceleration;     // that is reached, absolute value
} move;

struct rbv_trajectory {
  rbv_trajectory_shape shape;
  int ncoefficient;
  double *x;
  int *counts;
  double *maxima;  // 3 njoint: velocity, acceleration, jerk
  curve *curve;    // njoint
  double end;      // at speed 1 [s]
  double speed;
  int nmove, nevent;
  move *move;    // nmove x njoint
  event *event;  // of one joint
};

/* Derivative of a piece at a time; of the joint's waves; of a polynomial at h after its start. */
double rbv_piece_eval(const curve *c, const piece *p, int order, double time);
double rbv_waves_eval(const curve *c, int order, double time);
double rbv_power_eval(const double *c, int order, double h);

/* i! / (i - order)!, the factor of x^(i - order) in derivative `order` of x^i. */
double rbv_falling(int i, int order);

/* Index of the piece at a time. */
int rbv_find_piece(const curve *c, double time);

double rbv_clamp(double x, double low, double high);

/* A name in double quotes, as YAML; quotes, backslashes and control characters are escaped. */
void rbv_put_name(rbv_text *out, const char *name);

/*
 * Positions at any times from 0 to the duration.
 *
 *   q     out  position j at time i at [i + j * ld]
 *   time  in   count [s]
 */
void rbv_trajectory_positions(double *q, ptrdiff_t ld, const rbv_trajectory *t, const double *time,
                              int count);

/*
 * Gradient of a function of samples by the coefficients of the trajectory, added to g: the
 * transpose of rbv_trajectory_sample. RBV_EUNSUPPORTED as rbv_trajectory_gradient.
 *
 *   g    inout  as many as the trajectory has coefficients
 *   by   in     gradient by q, dq and ddq at the samples; joint j at time k at [k + j * ld]
 */
RBV_MUST_CHECK rbv_status rbv_trajectory_pull(double *g, const rbv_trajectory *t,
                                              double *const by[3], ptrdiff_t ld, double start_s,
                                              double step_s, ptrdiff_t count);

/* Extrema as rbv_trajectory_extreme, or beyond them by at most `part` of the size of the
 * coefficients: they contain the curve. */
rbv_extreme rbv_curve_range(const rbv_trajectory *t, int joint, int order, double part);

/* Upper bound of |derivative|, or of the distance from the joint's mean for positions. Cheap. */
double rbv_curve_bound(double *mean, const rbv_trajectory *t, int joint, int order);

#endif
