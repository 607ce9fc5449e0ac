/*
 * What must be positive, as matrices that are linear in the parameters: the pseudo-inertia of every
 * body, every drive column (or the matrix of coupled ones), and what an ellipsoid leaves outside.
 */
#ifndef CONSISTENCY_CONE_H
#define CONSISTENCY_CONE_H

#include <roberval/sys/consistency.h>

#include "base/support.h"
#include "model/model_internal.h"

typedef enum { CONE_BODY, CONE_DRIVE, CONE_BOUND } cone_kind;

typedef struct {
  cone_kind kind;
  int body;     // that it belongs to; -1: a drive
  int size;     // of the matrix
  int count;    // columns in it
  int first;    // of these among the columns of all cones
  int row;      // where its packed matrix begins among those of all cones
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
  int columns, rows;  // of all cones together: their columns, the lengths of their packed matrices
  int largest;        // size
} cone_set;

/* The cones of a model in one block; bound as in the options. rbv_free(*memory) frees it. */
RBV_MUST_CHECK rbv_status rbv_cones_new(cone_set *out, char **memory, const rbv_model *m,
                                        const rbv_ellipsoid *bound);

/* X = sum map_k chi[column_k] */
void rbv_cone_matrix(double *X, const cone *c, const double *chi);

/* Has the drive column a bound of its own, or is it one of a coupled matrix? */
bool rbv_drive_bounded(const rbv_column *column);

/*
 * L: lower triangle of X = L L', from a copy of X in L; Linv its inverse, both size x size. Linv
 * and log_det may be NULL. False when X is not positive definite, and nothing is then of use.
 */
bool rbv_cone_factor(double *L, double *Linv, double *log_det, int size);

/* ---- symmetric matrices as vectors: the lower triangle by columns ---- */

static inline int rbv_packed_length(int size) { return size * (size + 1) / 2; }

/* Off the diagonal times sqrt(2), so that the product of two vectors is the trace of the product
 * of the matrices; and back. */
void rbv_cone_pack(double *v, const double *A, int size);
void rbv_cone_unpack(double *A, const double *v, int size);

/* K: packed S map_k S' in column k, for any S of size x size. */
void rbv_cone_congruence(double *K, const cone *c, const double *S);

#endif
