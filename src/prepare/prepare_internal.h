/*
 * Conversion of a recording to a motion: channels at their time stamps, then on a regular grid,
 * then with derivatives. motion_from_log.c reads the channels, time_grid.c makes the time regular,
 * differentiate.c computes the derivatives.
 */
#ifndef PREPARE_PREPARE_INTERNAL_H
#define PREPARE_PREPARE_INTERNAL_H

#include "prepare/prepare.h"

#include "model/model_internal.h"

#define GAP_STEPS 2.5  // in median steps; a longer step is a gap

/* columns of count samples without space between them */
typedef struct {
  ptrdiff_t count;
  double *q, *dq, *ddq;  // njoint
  double *torque;        // nrow
  double *temperature;   // njoint; NULL: not recorded
  uint32_t *contact;     // one per sample; NULL: not recorded
} samples_block;

typedef struct {
  const rbv_model *m;
  rbv_log *log;
  const rbv_differentiate_options *o;
  bool *close;                     // samples of the log with a repeated stamp, while it is read
  samples_block raw;               // at the time stamps, without duplicates
  double *t;                       // time stamps, starting at 0
  double median;                   // median step
  bool velocities, accelerations;  // recorded, and present in raw
  bool has_temperature;            // recorded: one of all motors, or one per joint
  bool has_contact;                // recorded: when contact points carry forces
  double uptime_s;                 // time since the start at the first sample

  samples_block grid;  // raw itself if the time stamps are regular
  double rate_hz;
  bool *valid;        // per grid sample
  double reach;       // number of samples over which the smoothing spreads an error
  double edge;        // samples at each end where the acceleration depends on what is assumed there
  ptrdiff_t period;   // FOURIER: grid samples per period; 0: not periodic
  ptrdiff_t periods;  // whole periods on the grid

  rbv_motion_origin origin;
  double *nvr, *position_noise, *torque_noise;  // memory of the arrays in the origin
} recording;

#define LEAST_SAMPLES 10

/* Check the options for this model. */
RBV_MUST_CHECK rbv_status rbv_recording_check(const rbv_model *m,
                                              const rbv_differentiate_options *o);

/*
 * Sort the joints into the order of the model and read the positions and torques that it needs from
 * the log into raw and t, each time stamp once. memory: out, one block that holds these arrays; the
 * caller frees it, also on failure.
 */
RBV_MUST_CHECK rbv_status rbv_recording_read(char **memory, recording *r);

/* Remove the delay of the torques, if there is one. */
RBV_MUST_CHECK rbv_status rbv_recording_shift(recording *r);

/* Choose the rate and length of the grid, and store information about the time stamps in the
 * origin. */
RBV_MUST_CHECK rbv_status rbv_grid_choose(recording *r);

/* Fill the grid from the raw channels and set which samples are valid. */
RBV_MUST_CHECK rbv_status rbv_grid_fill(recording *r);

/* Mark the samples near the start and near the end of a recording as invalid. The smoothing does
 * not know what comes before and after: it assumes that the acceleration is zero there. */
void rbv_grid_trim(recording *r, bool start, bool end);

/* Mark the samples near gaps as invalid. Below: shift the torques by their delay;
 * work: grid count. */
void rbv_grid_widen(recording *r);
void rbv_grid_delay(recording *r, double *work);

/* Number of samples next to the end of a window that the low-pass and the differences do not
 * reproduce to rounding. */
ptrdiff_t rbv_recording_halo(double cutoff_hz, double rate_hz);

/* `edge` of the band-pass. */
double rbv_recording_edge(double cutoff_hz, double rate_hz);

/* Compute dq, ddq (and a smoothed q) on the grid with the method of the options. */
RBV_MUST_CHECK rbv_status rbv_recording_differentiate(recording *r);

/* Where a sensor on the base stands for its positions: states of the base from its signals, after
 * they were differentiated. */
void rbv_base_sensor_apply(recording *r);

/* FOURIER: average torques and validity over all periods into one. */
RBV_MUST_CHECK rbv_status rbv_recording_fold(recording *r);

#endif
