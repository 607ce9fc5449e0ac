/*
 * The equations that a search for coupled drives uses: torques at instants of the recordings, in
 * parts that can be left out, and least squares with the columns of the model without one part.
 */
#ifndef CHECK_COUPLING_EQUATIONS_H
#define CHECK_COUPLING_EQUATIONS_H

#include <roberval/sys/linalg.h>
#include <roberval/sys/model.h>

#include "base/support.h"
#include "check/check_thresholds.h"

RBV_THRESHOLDS(CHECK_FOLDS);

/* One recording on a regular grid; blocks are count x njoint, or count x torque rows. */
typedef struct {
  ptrdiff_t count;
  double rate_hz;
  ptrdiff_t reach;  // samples that the low-pass mixes, to each side
  const double *q, *dq, *ddq;
  const double *torque;  // low-passed like the positions
  const bool *keep;
  bool loaded;
} signals;

/* Columns that a coupling adds: friction and inertia of the motor. */
enum { COULOMB, VISCOUS, ROTOR, TERMS };

/* weighted equations, sorted by joint; columns of couplings that were found follow the model's */
typedef struct {
  int n, nc, nused;  // joints; columns of the model and room for more; columns in use
  int count;         // equations
  int *first;        // n + 1: first equation of each joint
  int *instant, *fold;
  double *W, *tau;  // count x nc, count
  bool *acts;       // nc x n: the column is not zero in the equations of the joint
  int *act, *nact;  // nc x n: numbers of these columns; n: how many
  double *by_row;   // W of each joint by rows: these columns x its equations
  double *weight;   // n: 1/sigma
  int ninstant;
  double *speed;         // ninstant x WINDOW x n: velocities around each instant
  double *acceleration;  // ninstant x n
  double correlated;     // instants in the reach of the low-pass, at least 1
  int nreduced;          // fewer rows with the R factors of W, by joint and fold
  int *reduced_joint, *reduced_fold;
  double *reduced;  // nreduced x nc
  rbv_qr *part[FOLDS];
} equations;

/* velocities of a joint at all instants, at place w of the window */
static inline double *speeds_of(const equations *e, int joint, int w) {
  return e->speed + (ptrdiff_t)e->ninstant * (w + WINDOW * joint);
}

/* the columns that act in a joint, row by row */
static inline const double *rows_of(const equations *e, int joint) {
  return e->by_row + (ptrdiff_t)e->nc * e->first[joint];
}

/*
 * Equations of all recordings, weighted by the residuals of the model. The struct is zero before;
 * ninstant stays 0 if the recordings have too few instants. Free it in any case.
 */
rbv_status rbv_coupling_equations(equations *e, const rbv_model *m, const signals *s, int ns);
void rbv_coupling_equations_free(equations *e);

/* Weights and factors anew, after columns were added. */
rbv_status rbv_coupling_weigh(equations *e);

/* the space of the model's columns: U'x = T (W'x) for any x over the equations that are kept */
typedef struct {
  int without;  // fold that is left out; -1: none
  int rank;
  double *T;        // nc x nc, its first rank rows
  double *product;  // nc: W'x
  double *ut;       // rank: U'tau
  double *x;        // nc: a solution
} space;

/* Factor the equations without a fold. Freed with rbv_coupling_space_free. */
rbv_status rbv_coupling_space(space *s, const equations *e, int without);
void rbv_coupling_space_free(space *s);

/* sum of a[i] b[i] over the equations of a joint that are kept */
double rbv_coupling_dot(const equations *e, const space *s, const double *a, const double *b,
                        int joint);

/* W'x over the equations of a joint that are kept, added to s->product */
void rbv_coupling_multiply(space *s, const equations *e, const double *x, int joint);

/*
 * W'X over the equations of a joint, added to the products of several columns.
 *
 *   product  inout  nc x count
 *   X        in     equations of the joint x count; zero where an equation is not kept
 *   scratch  out    nc x count
 */
void rbv_coupling_multiply_many(double *product, const equations *e, const double *X, int count,
                                int joint, double *scratch);

/* out = T product */
void rbv_coupling_project(double *out, const space *s, int nc);

/* solution x = T'T product; u is work space of nc numbers */
void rbv_coupling_solve(space *s, int nc, double *u);

#endif
