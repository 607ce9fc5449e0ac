/*
 * The torque of a recording, explained by the robot file and simple friction. The file's torque is
 * the sum of gravity along three axes, inertia and known columns, so that a wrong scale, direction
 * of gravity, joint or payload are linear unknowns. Friction is bounded, all joints are compared in
 * N m together, and no offsets are estimated.
 */
#ifndef CHECK_PRIOR_FIT_H
#define CHECK_PRIOR_FIT_H

#include <roberval/sys/dynamics.h>

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_PRIOR);

/* joints of the robot from joints of the log: q_j = scale * q of the log's joint `from` */
typedef struct {
  int *q_from, *tau_from;       // njoint
  double *q_scale, *tau_scale;  // njoint
} correction;

typedef enum {
  NOTHING,
  FLIP_TORQUE,
  FLIP_POSITION,
  FLIP_BOTH,
  SWAP_BOTH,
  SWAP_POSITIONS,
  SWAP_TORQUES,
  FROM_DEGREES,
  SCALE_TORQUE,
  SCALE_BOTH,
} kind;

typedef struct {
  kind kind;
  int i, j;
  double factor;
} mistake;

/* torques of the file, per row: gravity of 1 m/s^2 along three axes, inertia, known columns, and
 * the first moments and mass of the last link */
enum { GRAVITY, INERTIA = 3, KNOWN, BODY, RIGID = BODY + 4 };
enum { WIDTH = RIGID + FEATURES + 1 };  // then friction, then the measured torque

/* what is free in a fit */
typedef enum {
  FIT_FILE,
  FIT_SCALE,
  FIT_FREE,
  FIT_GRAVITY,
  FIT_JOINT,
  FIT_BALANCE,
  FIT_PAYLOAD
} fit_kind;

/* A fit of all torques, or of one row of them after division by a gain (0: none): share of the
 * squared torque that is left, and what was free: the scale; a scale of any sign; gravity along
 * three axes, factors of inertia and known columns; scale and factor of the joint, or of its
 * gravity and its inertia; first moments and mass. */
typedef struct {
  fit_kind kind;
  int joint;
  double left, x[5];
  bool alone;  // of one row
  int row;
  double gain;
} prior_fit;

typedef struct {
  const rbv_model *m;
  const view *v;
  rbv_model *variant[4];  // gravity along the axes, and none
  rbv_dynamics *axis[4], *known, *d;
  int n, nrow, size;      // size: unknowns of a fit, at most
  ptrdiff_t count;        // knots
  bool *has_rotor;        // nrow: the prior includes the rotor inertia of this row
  bool any_known;         // the file has known columns beside bodies and rotors
  double gravity[3];      // of the file
  double *q, *dq, *ddq;   // count x n, after the correction
  double *rest;           // count x n zeros
  double *tau;            // count x nrow, from the log
  double *rigid;          // count x nrow x RIGID
  double *W;              // count x entries of the regressor
  double *row;            // count x WIDTH: columns of one row
  int *friction;          // nrow: friction columns
  int *moving;            // nrow: knots at which the joint moves
  double *own;            // nrow: share of its own squared torque that the file leaves, free factor
  double *gram;           // PARTS x nrow x WIDTH^2: products of the columns, by part of time
  double *H, *L, *b, *x;  // of one solution
  bool *open, *bounded;
  double *chi;  // one per column: rigid bodies and rotors of the prior
  correction now, trial;
} workspace;

/* Allocate the work space and start with no correction; rbv_prior_close it also after a failure. */
rbv_status rbv_prior_prepare(workspace *b, char **memory, const examination *x, const view *v);
void rbv_prior_close(workspace *b, char *memory);

void rbv_prior_copy(correction *to, const correction *from, int n);

/* Add the correction of one mistake; true if positions change. */
bool rbv_prior_correct(correction *r, const workspace *b, const mistake *m);

/* States, torques of the file and their products, with a correction. */
void rbv_prior_fill(workspace *b, const correction *r);

/* Solve a fit of this kind without one part of time; -1: with all. */
void rbv_prior_solve(prior_fit *fit, workspace *b, int without);

/* Least squares H x = b of n unknowns, of which those that are bounded are not negative. Of the
 * work space it uses H, L, b, x, open, bounded and size. */
void rbv_bounded_solve(workspace *b, int n);

#endif
