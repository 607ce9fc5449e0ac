/*
 * What must be positive, as matrices that are linear in the parameters: the pseudo-inertia of every
 * body, every drive column (or the matrix of coupled ones), and what an ellipsoid leaves outside.
 */
#ifndef PHYSICAL_CONE_H
#define PHYSICAL_CONE_H

#include <roberval/physical.h>

#include "base/support.h"
#include "model/model_internal.h"

typedef enum { CONE_BODY, CONE_DRIVE, CONE_BOUND } cone_kind;

typedef struct {
  cone_kind kind;
  int body;     // that it belongs to; -1: a drive
  int size;     // of the matrix
  int count;    // columns in it
  int *column;  // count
  double *map;  // count matrices size x size: X = sum map_k chi[column_k]
  // the matrix of the prior, X0: size x size; only where a divergence is taken, so not of bounds
  double *prior;          // X0
  double *prior_inverse;  // inv(X0)
  double prior_log_det;
} cone;

typedef struct {
  const rbv_model *model;
  int nbody, count, order;  // order: sizes of all cones together
  cone *cone;
  int largest;  // size
} cone_set;

/* The cones of a model in one block; bound as in the options. rbv_free(*memory) frees it. */
RBV_MUST_CHECK rbv_status rbv_cones_new(cone_set *out, char **memory, const rbv_model *m,
                                        const rbv_ellipsoid *bound);

/* X = sum map_k chi[column_k] */
void rbv_cone_matrix(double *X, const cone *c, const double *chi);

/* Has the drive column a bound of its own, or is it one of a coupled matrix? */
bool rbv_drive_bounded(const rbv_column *column);

/*
 * U: upper triangle of X = U'U, from a copy of X in U; Uinv its inverse (may be NULL), both
 * size x size. *inside tells whether X is positive definite; the rest is only then set.
 */
RBV_MUST_CHECK rbv_status rbv_cone_factor(bool *inside, double *U, double *Uinv, double *log_det,
                                          int size);

#endif
