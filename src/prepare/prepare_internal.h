/*
 * A recording on its way to a motion: channels on their stamps, then on a regular grid, then with
 * derivatives. from_log.c reads the channels, grid.c makes time regular, differentiate.c the rest.
 */
#ifndef PREPARE_PREPARE_INTERNAL_H
#define PREPARE_PREPARE_INTERNAL_H

#include <roberval/sys/prepare.h>

#include "model/model_internal.h"

#define GAP_STEPS 2.5  // median steps; a longer one is a gap

/* packed columns of count samples */
typedef struct {
  ptrdiff_t count;
  double *q, *dq, *ddq;  // njoint
  double *torque;        // nrow
} track;

typedef struct {
  const rbv_model *m;
  rbv_log *log;
  const rbv_differentiate_options *o;
  track raw;                       // on the stamps, without duplicates
  double *t;                       // stamps, from 0 on
  double median;                   // of their steps
  bool velocities, accelerations;  // recorded, and in raw

  track grid;  // raw itself where the stamps are one
  double rate_hz;
  bool *valid;        // of the grid
  double reach;       // samples that smoothing carries an error to
  ptrdiff_t period;   // FOURIER: grid samples of one; 0: not periodic
  ptrdiff_t periods;  // whole ones on the grid

  rbv_motion_origin origin;
  double *nvr, *position_noise, *torque_noise;  // what the origin shows
} recording;

#define LEAST_SAMPLES 10

/* Are these options possible for this model? */
RBV_MUST_CHECK rbv_status rbv_recording_check(const rbv_model *m,
                                              const rbv_differentiate_options *o);

/*
 * Joints in the model's order; positions and torques that it asks for from the log's channels, into
 * raw and t, each stamp once. memory: one block behind them, to be freed also on failure.
 */
RBV_MUST_CHECK rbv_status rbv_recording_read(char **memory, recording *r);

/* Take the delay out of the torques, where there is one. */
RBV_MUST_CHECK rbv_status rbv_recording_shift(recording *r);

/* Choose the grid: its rate and count, and the origin's remarks about the stamps. */
RBV_MUST_CHECK rbv_status rbv_grid_choose(recording *r);

/* Raw channels onto the grid, and which samples are valid. */
RBV_MUST_CHECK rbv_status rbv_grid_fill(recording *r);

/* Mark the neighbours of gaps; take the delay out of the torques; work: grid count. */
void rbv_grid_widen(recording *r);
void rbv_grid_delay(recording *r, double *work);

/* Samples beside a cut that the band-pass and the differences do not know to rounding. */
ptrdiff_t rbv_recording_halo(double cutoff_hz, double rate_hz);

/* dq, ddq (and a smoother q) on the grid by the method of the options. */
RBV_MUST_CHECK rbv_status rbv_recording_differentiate(recording *r);

/* FOURIER: torques and validity of one period from all of them. */
RBV_MUST_CHECK rbv_status rbv_recording_fold(recording *r);

#endif
