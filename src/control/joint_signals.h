/* Recorded signals of one joint, and the estimation problems that they pose. */
#ifndef CONTROL_JOINT_SIGNALS_H
#define CONTROL_JOINT_SIGNALS_H

#include "control/law_structure.h"

#define ORDER_MAX 3
#define DELAY_MAX 16

typedef struct {
  const rbv_control_id_options *o;
  int number;            // of the joint, from 1
  double period_s, rms;  // of its torque
  ptrdiff_t length, used, saturated;
  double *error, *tau, *velocity, *acceleration, *rate;  // rate: (q_r - q_r before) / T
  double *position;
  double *signal[2 + LAW_INPUTS];  // of the shape at hand
  law_stretch *stretch;            // where every lag of every shape has a value
  int nstretch;
  double lower, upper;  // torque limits seen
  double resolution;    // what the recorded position cannot tell, as an rms
  law_work *work;
} joint_data;

/* Free what is in it. */
void recording_free(joint_data *d);

/* One joint of all records; o, number, period_s are set. Refused: what tells nothing of a law. */
rbv_status recording_take(joint_data *d, const rbv_control_record *r, int nrecord, int joint);

/* The problem of a shape; its signals live in d until the next one. */
law_problem recording_pose(joint_data *d, const law_shape *s, law_side side);

#endif
