/* A small arm in its loop: quick enough to be simulated over and over. */
#ifndef TEST_ARM_H
#define TEST_ARM_H

#include <roberval/sys/identify.h>
#include <stdbool.h>

#define ARM_JOINTS 2
#define ARM_RATE 1000.0

/* Another, as YAML: two joints, its values with it. */
extern const char light_arm[];

/* And one whose joints have names, its bodies all that bodies are. */
extern const char sound_arm[];

typedef struct {
  ptrdiff_t count;  // samples
  double noise;     // Gaussian, on the positions that the controller and the record see [rad]
  const double *torque_offset;  // of the recorded torque, njoint; NULL: none
  bool payload;                 // the model has one, and a second motion carries it
} arm_options;

typedef struct {
  rbv_model *m;
  double chi[64];  // the truth; of bodies that can exist
  rbv_control *control;
  double *q;  // of the reference
  rbv_sim_reference reference[2];
  int nmotion;
  rbv_motion *motion[2];  // states of the plant with the torques recorded, or of the record
  rbv_closed_loop loop;
  rbv_identify_options how;
} arm;

/* Fill it where it stays. Without noise motions have the plant's own states. */
void arm_new(arm *out, const arm_options *o);
void arm_free(arm *a);

/* The true value of base parameter k. */
double arm_truth(const arm *a, const rbv_estimate *e, int k);

#endif
