/* A small two-joint arm with its controller: fast enough to be simulated many times. */
#ifndef TEST_ARM_H
#define TEST_ARM_H

#include <roberval/sys/identify.h>
#include <stdbool.h>

#define ARM_JOINTS 2
#define ARM_RATE 1000.0

/* Another two-joint arm as YAML, with parameter values. */
extern const char light_arm[];

/* A third one, with joint names and physically consistent bodies. */
extern const char sound_arm[];

typedef struct {
  ptrdiff_t count;  // samples
  double noise;     // Gaussian, on the positions that controller and recording get [rad]
  const double *torque_offset;  // added to the recorded torque, njoint; NULL: none
  bool payload;                 // the model has a payload, and a second motion is recorded with it
} arm_options;

typedef struct {
  rbv_model *m;
  double chi[64];  // true parameters, of physically consistent bodies
  rbv_control *control;
  double *q;  // reference positions
  rbv_sim_reference reference[2];
  int nmotion;
  rbv_motion *motion[2];  // exact states with recorded torques, or the recording
  rbv_closed_loop loop;
  rbv_identify_options how;
} arm;

/* Fill *out, which must not move afterwards. Without noise and torque offset the motions contain
 * the exact states of the simulation. */
void arm_new(arm *out, const arm_options *o);
void arm_free(arm *a);

/* True value of base parameter k. */
double arm_truth(const arm *a, const rbv_estimate *e, int k);

#endif
