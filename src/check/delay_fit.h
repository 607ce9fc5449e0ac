/*
 * Delay between torque and position, from a fit with shared parameters in two frequency bands.
 *
 * The torque at t + d equals W(t) chi. In each band Gauss-Newton finds the one delay of all joints;
 * then each joint has a delay of its own, with the parameters shared. Friction and vibration look
 * like delays, but these differ between joints and change with the band; a delay of the recording
 * does not. So the estimate is the mean over the joints in the lower band, weighted by their
 * information (from 20 blocks of time, each left out once). Its standard deviation contains the
 * scatter of the joints and the difference of the bands. The error on held-out blocks shows whether
 * the delay helps.
 */
#ifndef CHECK_DELAY_FIT_H
#define CHECK_DELAY_FIT_H

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_DELAY_REACH);

typedef struct {
  bool known;      // false: the recording is too short, or no joint moves enough
  int joints;      // torque rows that took part
  double delay_s;  // positive: the torque lags behind the position
  double sigma_s;
  double band_hz;  // upper end of the wider band
  double gain;     // share of the error on held-out blocks that the delay removes
  double t;        // mean gain of the blocks over its standard error
  bool at_limit;   // the delay may be larger
} delay_fit;

rbv_status rbv_fit_delay(delay_fit *out, const rbv_model *m, const view *v);

#endif
