/*
 * The closed-loop test bench: the TX40 with 28 parameters, a PID per joint at 5 kHz with a
 * zero-order hold, Runge-Kutta of order 4 in four steps per tick.
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

/* Names of the parameters that are not zero; their values are the built-in ones. */
extern const char *const bench_true[BENCH_TRUE];

typedef struct {
  double bandwidth;     // times 2 pi (6, 6, 8, 12, 12, 20) rad/s
  double integral;      // k_i = integral w_n k_p
  double roll_off;      // N_f of the derivative filter 1 / (N_f w_n)
  double counts;        // of the encoder per turn; 0: exact
  bool in_loop;         // the controller sees the encoder; else it is in the recording only
  double loop_noise;    // Gaussian, on the position that the controller and the recording see [rad]
  double disturbance;   // torque that nobody records, over the deviation of the joint's own: AR(1)
  double torque_noise;  // in the recorded torque, over the deviation of the joint's own: AR(1)
  double torque_noise_hz;  // its corner
  uint64_t seed;           // of all noise, and of shifts of the reference below half a count
  const double *chi;       // of the robot that is recorded; NULL: the model's
} bench_options;

/* The stiff loop, exact encoders, nothing disturbed. */
bench_options bench_defaults(void);

/* The three modes of the bench: a stiff loop with a coarse recorder, a soft one whose controller
 * sees the coarse encoder, and one whose controller sees white noise. */
bench_options bench_offline(uint64_t seed);
bench_options bench_in_loop(uint64_t seed);
bench_options bench_white(uint64_t seed);

/* Arrays: sample k of joint j at [k + j * count]. */
typedef struct {
  ptrdiff_t count;
  double *q, *dq, *ddq, *tau;  // the plant's; tau is the controller's
  double *recorded;            // q as the encoder has it
  double *recorded_tau;
  double *reference;  // with the shift of this run
  double inertia[BENCH_JOINTS];
} bench_run;

/* The TX40 with the arctan law in simulation and regression alike. */
rbv_model *bench_model(void);

/* The reference: BENCH_SAMPLES x BENCH_JOINTS, to be freed. */
double *bench_reference(void);

/* The controller of a run, tuned for these inertias. */
rbv_control *bench_control(const double inertia[BENCH_JOINTS], const bench_options *o);

/* Simulate the first count samples of the reference. */
void bench_new(bench_run *out, const rbv_model *m, ptrdiff_t count, const bench_options *o);
void bench_free(bench_run *run);

/* Recorded positions and torques as a motion: low-pass, differences. */
rbv_motion *bench_motion(const bench_run *run, const rbv_model *m, double cutoff_hz);

/* The plant's own states with the recorded torques: regressors without error. */
rbv_motion *bench_exact_motion(const bench_run *run);

/* A run with what the methods that simulate it need. */
typedef struct {
  rbv_model *m;
  bench_run run;
  rbv_control *control;
  rbv_sim_reference reference;
  rbv_motion *motion;
  double *start;  // inertias wrong by -20 ... +25 %, no friction
  bool *columns;  // the true ones
  rbv_closed_loop loop;
  rbv_identify_options how;  // with this loop, from this start, over the true columns, n_d = 125
} bench_loop;

/* cutoff_hz of the recorded motion; 0: the plant's own states. Fill it where it stays. */
void bench_loop_new(bench_loop *out, ptrdiff_t count, const bench_options *o, double cutoff_hz);
void bench_loop_free(bench_loop *b);

/* Error of parameter i of bench_true over its size. */
double bench_error(const rbv_estimate *e, const rbv_model *m, int i);
double bench_worst_error(const rbv_estimate *e, const rbv_model *m);

/* How many of the true parameters the estimate does not have; each is printed. */
int bench_lost(const rbv_estimate *e, const rbv_model *m);

#endif
