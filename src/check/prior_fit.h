/*
 * The torque of a recording, explained by the rigid-body torque of a prior and simple friction,
 * after a correction of signs, joint order, gear ratios or units.
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
  double *gain;                 // nrow: 1: gain of the prior within its error; 0: free gain
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
  SCALE_ALL_TORQUES,
} kind;

typedef struct {
  kind kind;
  int i, j;
  double factor;
} mistake;

/* work space for the test of hypotheses */
typedef struct {
  const rbv_model *m;
  const view *v;
  rbv_dynamics *d;
  int n, nrow;
  ptrdiff_t count;       // knots
  bool *has_rotor;       // nrow: the prior includes the rotor inertia of this row
  double *q, *dq, *ddq;  // count x n, after the correction
  double *tau;           // count x nrow, from the log
  double *rigid;         // count x nrow: torque of the prior
  double *feature;       // count x (FEATURES + 1)
  double *chi;           // one per column: rigid bodies and rotors of the prior
  correction now, trial;
  double *error, *best_error;  // nrow: unexplained share of the variance
  double *gain;                // nrow: best gain of the prior's torque
  double *without;             // nrow: unexplained share without the prior
} workspace;

/* a mistake with the score of its correction */
typedef struct {
  mistake mistake;
  double score;
  double gain;  // of the joint
} candidate;

/* Allocate the work space and start with no correction. Free `memory` and b->d. */
rbv_status rbv_prior_prepare(workspace *b, char **memory, const examination *x, const view *v);

void rbv_prior_copy(correction *to, const correction *from, int n, int nrow);

/* Add the correction of one mistake; true if positions change. */
bool rbv_prior_correct(correction *r, const workspace *b, const mistake *m);

/* States and torque of the prior at the knots. */
void rbv_prior_predict(workspace *b, const correction *r);

/* Unexplained share of the variance of one row, or of every row, with a correction. */
double rbv_prior_share(workspace *b, const correction *r, int row);
void rbv_prior_shares(double *error, workspace *b, const correction *r);

/* Sum of the logarithms of the unexplained shares. */
double rbv_prior_score(const double *error, int nrow);

#endif
