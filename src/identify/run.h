/* What one identification works with, shared by the files of this room. */
#ifndef IDENTIFY_RUN_H
#define IDENTIFY_RUN_H

#include <roberval/identify.h>

#include "identify/linear.h"

typedef struct identify_loop identify_loop;

typedef struct {
  const rbv_model *model;
  rbv_motion *const *motions;
  int nmotion;
  const rbv_identify_options *options;
  rbv_row_filter filter;
  rbv_system *system;
  identify_loop *loop;    // of methods that simulate
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

/*
 * How often each group takes part when the blocks of every motion are drawn with replacement, the
 * same for all torque rows. count: one per group.
 */
void rbv_draw_blocks(int *count, const rbv_system *system, int nmotion, int blocks, uint64_t seed,
                     uint64_t stream, uint64_t round);

/* Sigma by drawing blocks with replacement and solving again, rbv_estimate.bootstrap_sigma. */
RBV_MUST_CHECK rbv_status rbv_bootstrap(identify_run *r, rbv_estimate *e);

#endif
