/* The wrench of a body at a frame of the arm, as a linear function of its parameters. */
#ifndef PAYLOAD_WRENCH_H
#define PAYLOAD_WRENCH_H

#include <roberval/sys/model.h>

#define MOVING_JOINTS 100  // of a model, at most

/* Motion of a frame in its own axes: turning, its rate, and acceleration minus gravity. */
typedef struct {
  double omega[3], alpha[3], acceleration[3];
} frame_motion;

/* Force and torque (6) of the ten parameters: Y is 6 x 10, row-major. */
void rbv_wrench_columns(double Y[60], const frame_motion *f);

/*
 * Equations of a sensor in the axes of the last link at rest: 6 x 10, row-major, of first moment,
 * mass and bias; torques are weighted by ten.
 */
RBV_MUST_CHECK rbv_status rbv_wrench_rows_at_rest(double *X, const rbv_model *m, const double *q);

#endif
