/* Recorded signals of one joint, and the estimation problems made from them. */
#ifndef CONTROL_JOINT_SIGNALS_H
#define CONTROL_JOINT_SIGNALS_H

#include "control/law_structure.h"

#define ORDER_MAX 3
#define DELAY_MAX 16

typedef struct {
  const rbv_control_id_options *o;
  int number;            // joint number, from 1
  double period_s, rms;  // period of the samples; rms of the torque
  ptrdiff_t length, used, saturated;
  double *error, *tau, *velocity, *acceleration, *rate;  // rate: (q_r - previous q_r) / T
  double *position;
  double *signal[2 + LAW_INPUTS];  // signals of the present problem
  law_segment *segment;            // segments in which all lags of all structures are available
  int nsegment;
  double lower, upper;  // torque limits found in the recording; infinite: none
  double resolution;    // rms noise or quantisation of the recorded position
  law_work *work;
} joint_data;

/* Free the contents of d. */
void joint_data_free(joint_data *d);

/* Load one joint of all records; the caller has set o, number, period_s. Refuses recordings from
 * which no law can be identified. */
rbv_status joint_data_load(joint_data *d, const rbv_control_record *r, int nrecord, int joint);

/* Build the estimation problem of a structure. Its signals are stored in d until the next call. */
law_problem joint_data_problem(joint_data *d, const law_structure *s, law_side side);

#endif
