/*
 * The trajectory opened up. A joint's curve is a row of pieces; each is a polynomial in the time
 * since its start, or the joint's sum of waves.
 */
#ifndef TRAJECTORY_CURVE_H
#define TRAJECTORY_CURVE_H

#include <roberval/sys/trajectory.h>

#include "base/support.h"

#define DEGREE 4
#define ORDERS 4  // q, dq, ddq, jerk

typedef struct {
  double start;          // [s]
  double c[DEGREE + 1];  // of (t - start)^i
  bool waves;            // the joint's waves instead
} piece;

typedef struct {
  int first, count;  // coefficients
  int npiece, room;  // pieces in use, and how many there may be
  piece *piece;
  double offset, origin;  // waves: their mean, and where their time is zero
  int nwave;
  double *frequency, *sine, *cosine;  // [rad/s], amplitudes
} curve;

/* A step of acceleration and jerk of the planner. */
typedef struct {
  double time, acceleration, jerk;
} event;

/* Acceleration phase and cruise of one joint in one move. */
typedef struct {
  double distance;         // with its sign
  double ramp, jerk_time;  // accelerating as long as braking; rise of the acceleration
  double cruise;           // [s]
  double acceleration;     // reached, without sign
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

/* Plan the moves between the via points: pieces and end. */
void rbv_plan(rbv_trajectory *t);

/* Derivative of a piece at a time. */
double rbv_piece_eval(const curve *c, const piece *p, int order, double time);

/* At most this far from rest, or for positions from the joint's mean: cheap, and often enough. */
double rbv_curve_bound(double *mean, const rbv_trajectory *t, int joint, int order);

#endif
