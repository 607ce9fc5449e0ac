/*
 * The closed-loop test bench: the TX40 with 28 parameters, a PID per joint at 5 kHz with a
 * zero-order hold, Runge-Kutta of order 4 in four steps per tick.
 */
#ifndef TEST_BENCH_H
#define TEST_BENCH_H

#include <roberval/identify.h>
#include <roberval/model.h>
#include <roberval/motion.h>
#include <stdbool.h>
#include <stdint.h>

#define BENCH_JOINTS 6
#define BENCH_SAMPLES 34500
#define BENCH_RATE 5000.0
#define BENCH_TRUE 28

/* Names of the parameters that are not zero; their values are the built-in ones. */
extern const char *const bench_true[BENCH_TRUE];

typedef struct {
  double bandwidth;    // times 2 pi (6, 6, 8, 12, 12, 20) rad/s
  double integral;     // k_i = integral w_n k_p
  double roll_off;     // N_f of the derivative filter 1 / (N_f w_n)
  double counts;       // of the encoder per turn, in the recording only; 0: exact
  double disturbance;  // torque that nobody records, over the deviation of the joint's own: AR(1)
  uint64_t seed;       // of the disturbance, and of shifts of the reference below half a count
} bench_options;

/* The stiff loop, exact encoders, nothing disturbed. */
bench_options bench_defaults(void);

/* Arrays: sample k of joint j at [k + j * count]. */
typedef struct {
  ptrdiff_t count;
  double *q, *dq, *ddq, *tau;  // the plant's; tau is the controller's
  double *recorded;            // q as the encoder has it
  double inertia[BENCH_JOINTS];
} bench_run;

/* The TX40 with the arctan law in simulation and regression alike. */
rbv_model *bench_model(void);

/* The reference: BENCH_SAMPLES x BENCH_JOINTS, to be freed. */
double *bench_reference(void);

/* Simulate the first count samples of the reference. */
void bench_new(bench_run *out, const rbv_model *m, ptrdiff_t count, const bench_options *o);
void bench_free(bench_run *run);

/* Recorded positions and torques as a motion: low-pass, differences. */
rbv_motion *bench_motion(const bench_run *run, const rbv_model *m, double cutoff_hz);

/* How many of the true parameters the estimate does not have; each is printed. */
int bench_lost(const rbv_estimate *e, const rbv_model *m);

#endif
