/*
 * Trajectory classes. Each class is one row: a constant object that says what its coefficients mean
 * and how a curve is built from them. RBV_TRAJECTORY_CLASS_LIST in trajectory.h names all rows.
 */
#ifndef TRAJECTORY_CLASSES_H
#define TRAJECTORY_CLASSES_H

#include "trajectory/curve.h"

/*
 * What a coefficient is. A search takes the range of a coefficient from its role. Positions are
 * scaled about a pose and amplitudes are scaled to zero when a motion must become smaller; the
 * other roles are left as they are.
 */
typedef enum {
  ROLE_MEAN,       // position that the joint swings about
  ROLE_POINT,      // position that the joint reaches or approaches
  ROLE_RATE,       // amplitude of velocity; term i has i times the base frequency
  ROLE_AMPLITUDE,  // amplitude of position
  ROLE_FREQUENCY,  // [rad/s]
  ROLE_PHASE,      // [rad]
  ROLE_SPEED       // fraction of the joint's maximum speed, in (0, 1]
} coefficient_role;

/* Coefficients of a joint that belong together, in the order of the coefficient vector. */
typedef struct {
  const char *key;  // in files; NULL ends the list
  coefficient_role role;
  bool each;    // one per term; otherwise one per joint
  bool phases;  // only there when the shape has phases
} coefficient_group;

typedef struct {
  const char *terms;  // what `count` of a shape counts, plural
  int usual, least;   // terms of a joint: default and minimum
  bool periodic;      // the curve is repeated `periods` times
  bool blends;        // starts and ends at rest by `blend_s`
  bool planned;       // uses the settings and maxima of the motion planner
  const coefficient_group *group;

  /* At most so many pieces for a joint with count terms. */
  int (*pieces)(const rbv_trajectory_shape *shape, int count);

  /* Build pieces and t->end from the coefficients t->x. */
  void (*build)(rbv_trajectory *t);

  /* Derivative of order 0 to 3 of one joint with respect to its coefficients, at speed 1. g has
   * room for twice as many numbers as the joint has coefficients. NULL: there is no gradient. */
  void (*gradient)(double *g, const rbv_trajectory *t, int joint, int order, double time);

  /* ---- for searches ---- */

  /* Samples that rank a candidate, per term; 0: from the highest frequency. */
  double samples_per_term;

  /* Waves in the whole curve: per term, and more. Not used where frequencies are coefficients. */
  double waves_per_term, more_waves;

  /* A gradient search widens the ranges by this factor; 1: it does not. */
  double widen;

  /* Random coefficients after the first (a mean) of one joint, scaled by a velocity. NULL: uniform
   * within the ranges. */
  void (*draw)(double *x, int joint, int count, double velocity, uint64_t seed, uint64_t stream);
} trajectory_class;

/* The row of a class, NULL if there is no such class. */
const trajectory_class *rbv_class_of(rbv_trajectory_class kind);

/* True if the curves of a class are linear functions of their coefficients. */
bool rbv_class_linear(const trajectory_class *row);

/* Numbers in a group of a joint with count terms. */
int rbv_group_size(const coefficient_group *group, const rbv_trajectory_shape *shape, int count);

/* Index of the first coefficient with this role in a joint with count terms, and the size of its
 * group (size may be NULL); -1: the class has none. */
int rbv_class_find(int *size, const rbv_trajectory_shape *shape, int count, coefficient_role role);

#endif
