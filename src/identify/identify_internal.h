/* What one identification works with, shared by the files of this room. */
#ifndef IDENTIFY_IDENTIFY_INTERNAL_H
#define IDENTIFY_IDENTIFY_INTERNAL_H

#include <roberval/sys/identify.h>

#include "identify/linear_solve.h"

/* A method: where W and Z come from, how rows are filtered and weighted, what it repeats with. */
typedef struct {
  const char *name, *text;
  bool weighted;  // rows divided by the sigma of their own fit
  bool robust;    // torques clipped around the last estimate, until that rests
  bool total;     // errors in the columns too
  bool whitened;  // rows at the full rate, through the inverse of their noise
  bool chooses;   // runs others and keeps one of them
  bool sliding;   // equations fade out where joints stand still
  enum { OPEN, DIDIM, INSTRUMENTS } loop;  // where the simulated motion goes: nowhere, W, Z
} recipe;

typedef struct identify_loop identify_loop;
typedef struct identify_noise identify_noise;

typedef struct {
  const rbv_model *model;
  rbv_motion *const *motions;
  int nmotion;
  const rbv_identify_options *options;
  const recipe *method;
  rbv_row_filter filter;  // of the present round
  double *fade;           // njoint: speeds below which equations fade out, of methods that slide
  rbv_equations *system;
  identify_loop *loop;    // of methods that simulate
  identify_noise *noise;  // of methods that whiten
  double *RZ;             // (2 n + 1) square: triangle of [Z | W | Y]
  int *training;          // per group: 1 when it is used, 0 when it is held out
  int nrow, n;            // torque rows; base parameters
  double *sigma;          // nrow
  const double *weights;  // sigma, or NULL when every equation counts alike
  double *R, *leaned;     // triangles, without and with the prior
  ptrdiff_t rows;
  double slope;  // share of the torques that clipping leaves alone
  solution solution;
  selection selection;
  double *prior;        // n: base values of the prior
  double *prior_scale;  // n: its sigma at weight 1; 0: no prior
  double *weight;       // n: 1 / sigma as used
} identify_run;

#define IDENTIFY_BLOCKS \
  30  // folds of a motion when blocks are asked for: a third is a whole number

/* The motion with the rows that a method is solved on. */
rbv_motion *rbv_run_motion(const identify_run *r, int i);

/* ---- solve.c ---- */

/* One pass over all motions; which groups are for training. */
RBV_MUST_CHECK rbv_status rbv_run_compress(identify_run *r);

/* Weights from what was compressed, then the solution: e->value, e->chi, e->relation. */
RBV_MUST_CHECK rbv_status rbv_run_solve(identify_run *r, rbv_estimate *e);

/* ---- hidden.c ---- */

/* Does the row filter of the present round leave nothing of this column, or nothing of use? */
bool rbv_run_hides(const identify_run *r, int column);

/*
 * Values of the columns that the filter hid, from the residual of the rows that r->system holds,
 * which are plain, in IDENTIFY_BLOCKS folds; their covariance and status.
 *
 *   hidden  in  one per base parameter
 */
RBV_MUST_CHECK rbv_status rbv_run_find_hidden(identify_run *r, rbv_estimate *e, const bool *hidden);

/* ---- conclude.c ---- */

/* What the estimate is worth, once the loop has ended. */
RBV_MUST_CHECK rbv_status rbv_run_conclude(identify_run *r, rbv_estimate *e);

/* ---- bootstrap.c ---- */

/*
 * How often each group takes part when the blocks of every motion are drawn with replacement, the
 * same for all torque rows. count: one per group.
 */
void rbv_draw_blocks(int *count, const rbv_equations *system, int nmotion, int blocks,
                     uint64_t seed, uint64_t stream, uint64_t round);

/* Sigma by drawing blocks with replacement and solving again, rbv_estimate.bootstrap_sigma. */
RBV_MUST_CHECK rbv_status rbv_bootstrap(identify_run *r, rbv_estimate *e);

#endif
