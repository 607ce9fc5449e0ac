/*
 * Cones: matrices that are linear in the parameters and must be positive definite. They are the
 * pseudo-inertia of every body, its mass alone, every drive column (or the matrix of coupled ones),
 * and for an ellipsoid the margin of the mass inside it.
 */
#ifndef CONSISTENCY_CONE_H
#define CONSISTENCY_CONE_H

#include "consistency/consistency.h"

#include "base/support.h"
#include "model/model_internal.h"

typedef enum { CONE_BODY, CONE_MASS, CONE_DRIVE, CONE_BOUND } cone_kind;

typedef struct {
  cone_kind kind;
  int body;     // body that it belongs to; -1: a drive
  int size;     // of the matrix
  int count;    // number of columns (parameters) in it
  int first;    // index of its first column among the columns of all cones
  int row;      // index of its packed matrix among those of all cones
  int *column;  // count
  double *map;  // count matrices size x size: X = sum map_k chi[column_k]
  // matrices of the prior, size x size; not for bounds, which have no divergence
  double *prior;          // X0
  double *prior_inverse;  // inv(X0)
  double prior_log_det;
  double weight;  // of the divergence from the prior; 0: a bound
} cone;

typedef struct {
  const rbv_model *model;
  int nbody, count, order;  // order: sum of all sizes
  cone *cone;
  int columns, rows;  // of all cones: number of columns, length of the packed matrices
  int largest;        // largest size
} cone_set;

/* Which cones to create besides the bodies and drives. A structure of zeros: no others. */
typedef struct {
  bool masses;                 // the mass of every body as a cone of its own
  const bool *unseen;          // ncolumn: drive columns without effect on the data; NULL: none
  const rbv_ellipsoid *bound;  // one per body; NULL: none
} cone_choice;

/*
 * Create the cones of a model in one block of memory. Drive columns that are not seen get no cone
 * unless they are coupled to one that is seen. Free it with rbv_free(*memory).
 */
RBV_MUST_CHECK rbv_status rbv_cones_new(cone_set *out, char **memory, const rbv_model *m,
                                        const cone_choice *choice);

/* X = sum map_k chi[column_k] */
void rbv_cone_matrix(double *X, const cone *c, const double *chi);

/*
 * Cholesky factor X = L L'. L contains X on entry and the lower triangle on return; Linv is its
 * inverse, both size x size. Linv and log_det may be NULL. Returns false if X is not positive
 * definite; then the outputs are undefined.
 */
bool rbv_cone_factor(double *L, double *Linv, double *log_det, int size);

/* ---- symmetric matrices as vectors: the lower triangle by columns ---- */

static inline int rbv_packed_length(int size) { return size * (size + 1) / 2; }

/* Pack: elements off the diagonal are multiplied by sqrt(2), so that the product of two vectors is
 * the trace of the product of the matrices. Unpack is the inverse. */
void rbv_cone_pack(double *v, const double *A, int size);
void rbv_cone_unpack(double *A, const double *v, int size);

/* K: packed S map_k S' in column k, for any S of size x size. */
void rbv_cone_congruence(double *K, const cone *c, const double *S);

#endif
