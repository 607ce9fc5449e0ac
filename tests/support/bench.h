/*
 * Closed-loop test case: the TX40 with 28 nonzero parameters and one PID controller per joint at 5
 * kHz with a zero-order hold, integrated by Runge-Kutta of order 4 with four steps per tick.
 */
#ifndef TEST_BENCH_H
#define TEST_BENCH_H

#include <roberval/sys/identify.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/sim.h>
#include <stdbool.h>
#include <stdint.h>

#define BENCH_JOINTS 6
#define BENCH_SAMPLES 34500
#define BENCH_RATE 5000.0
#define BENCH_TRUE 28

/* Names of the parameters that are not zero. Their values are the built-in ones. */
extern const char *const bench_true[BENCH_TRUE];

typedef struct {
  double bandwidth;        // times 2 pi (6, 6, 8, 12, 12, 20) rad/s
  double integral;         // k_i = integral w_n k_p
  double roll_off;         // N_f of the derivative filter 1 / (N_f w_n)
  double counts;           // encoder counts per turn; 0: exact
  bool in_loop;            // the encoder is in the loop; false: in the recording only
  double loop_noise;       // Gaussian, on the position that controller and recording get [rad]
  double disturbance;      // AR(1) torque that is not recorded / deviation of the torque
  double torque_noise;     // AR(1) noise of the recorded torque / its deviation
  double torque_noise_hz;  // its corner frequency
  uint64_t seed;           // of all noise, and of shifts of the reference by less than half a count
  const double *chi;       // parameters of the simulated robot; NULL: those of the model
} bench_options;

/* High bandwidth, exact encoders, no disturbance. */
bench_options bench_defaults(void);

/* The three modes: high bandwidth with a coarse encoder in the recording only; low bandwidth with
 * the coarse encoder in the loop; low bandwidth with white noise in the loop. */
bench_options bench_offline(uint64_t seed);
bench_options bench_in_loop(uint64_t seed);
bench_options bench_white(uint64_t seed);

/* Arrays: sample k of joint j at [k + j * count]. */
typedef struct {
  ptrdiff_t count;
  double *q, *dq, *ddq, *tau;  // of the simulated robot; tau is the output of the controller
  double *recorded;            // q as measured by the encoder
  double *recorded_tau;
  double *reference;  // includes the shift of this run
  double inertia[BENCH_JOINTS];
} bench_run;

/* The TX40 with arctan friction, both in simulation and in the regressor. */
rbv_model *bench_model(void);

/* The reference: BENCH_SAMPLES x BENCH_JOINTS. The caller frees it with free(). */
double *bench_reference(void);

/* Controller of a run, tuned for these inertias. */
rbv_control *bench_control(const double inertia[BENCH_JOINTS], const bench_options *o);

/* Simulate the first count samples of the reference. */
void bench_new(bench_run *out, const rbv_model *m, ptrdiff_t count, const bench_options *o);
void bench_free(bench_run *run);

/* Recorded positions and torques as a motion: low-pass filter, central differences. */
rbv_motion *bench_motion(const bench_run *run, const rbv_model *m, double cutoff_hz);

/* Exact states of the simulation with the recorded torques: the regressor has no error. */
rbv_motion *bench_exact_motion(const bench_run *run);

/* A run with everything that methods with simulation need. */
typedef struct {
  rbv_model *m;
  bench_run run;
  rbv_control *control;
  rbv_sim_reference reference;
  rbv_motion *motion;
  double *start;  // inertias wrong by -20 ... +25 %, no friction
  bool *columns;  // columns of the nonzero parameters
  rbv_closed_loop loop;
  rbv_identify_options how;  // with this loop, start and columns; n_d = 125
} bench_loop;

/* cutoff_hz of the low-pass on the recording; 0: exact states. *out must not move afterwards. */
void bench_loop_new(bench_loop *out, ptrdiff_t count, const bench_options *o, double cutoff_hz);
void bench_loop_free(bench_loop *b);

/* Relative error of parameter i of bench_true; largest absolute value of all of them. */
double bench_error(const rbv_estimate *e, const rbv_model *m, int i);
double bench_worst_error(const rbv_estimate *e, const rbv_model *m);

/* Number of parameters of bench_true that the estimate does not contain; prints their names. */
int bench_lost(const rbv_estimate *e, const rbv_model *m);

#endif
