/* Motions for tests: smooth, random, with exact derivatives and the torque of given parameters. */
#ifndef TEST_MOTIONS_H
#define TEST_MOTIONS_H

#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/sim.h>
#include <stdbool.h>
#include <stdint.h>

/* Arrays as in rbv_samples, leading dimension = count. */
typedef struct {
  ptrdiff_t count;
  int njoint, nrow;
  double rate_hz;
  bool loaded;
  double *q, *dq, *ddq, *torque;
} waves;

/*
 * Each joint is a sum of five sines with random amplitude, phase and frequency (0.1 to 1.5 Hz);
 * derivatives are analytic. The torques are computed with the parameters chi (NULL: zero).
 */
void waves_new(waves *w, const rbv_model *m, const double *chi, uint64_t seed, ptrdiff_t count,
               double rate_hz, bool loaded);

/* The same with frequencies up to fastest_hz, scaled to 90 % of the limits of the model. */
void waves_new_within_limits(waves *w, const rbv_model *m, const double *chi, uint64_t seed,
                             ptrdiff_t count, double rate_hz, bool loaded, double fastest_hz);

/* The same with harmonics 1 to 5 of one period instead of random frequencies, unloaded. */
void waves_new_periodic(waves *w, const rbv_model *m, const double *chi, uint64_t seed,
                        ptrdiff_t count, double rate_hz, double period_s);
void waves_free(waves *w);

/* Recompute the torques with chi for the current motion. */
void waves_set_torque(waves *w, const rbv_model *m, const double *chi);

/* Add Gaussian noise with standard deviation sigma to every torque. */
void waves_add_noise(waves *w, uint64_t seed, double sigma);

/* Add white noise; share: relative to the standard deviation of each torque row. */
void waves_add_white(waves *w, uint64_t seed, double share);

/* Add AR(1) noise with corner frequency hertz; shares relative to the standard deviation of each
 * torque row, for motor and joint rows. */
void waves_add_coloured(waves *w, const rbv_model *m, uint64_t seed, double hertz,
                        double motor_share, double joint_share);

/* Add large errors to a share of the samples, independently per torque row: 2 to 10 standard
 * deviations of the row, with random sign. */
void waves_add_outliers(waves *w, uint64_t seed, double share);

/* Standard deviation of a torque row. */
double waves_deviation(const waves *w, int row);

/* The same as a motion. */
rbv_motion *waves_motion(const waves *w);

/*
 * Save as CSV: t, and the channels with these stems, "q dq ddq tau tauj". tau is the first channel
 * of the model's sensing, tauj the last.
 */
void waves_save(const waves *w, const char *path, const char *stems);

/* Simulate one robot in its loop; the motion has the recorded positions. */
rbv_motion *simulated_motion(const rbv_model *m, const rbv_control *c, const rbv_sim_options *o,
                             const rbv_sim_lane *lane, const rbv_sim_reference *at);

/* Save waves of the TX40 as traj.csv in the temporary directory. */
void save_tx40_waves(ptrdiff_t count, double rate_hz, const char *stems);

/* Random parameters for all columns, uniform in -1 ... 1. They are not physical, which the linear
 * regressor does not need. */
void random_columns(double *chi, const rbv_model *m, uint64_t seed);

/* The values of the robot file, each changed by up to 10 %: a robot that `identify` believes. */
void near_columns(double *chi, const rbv_model *m, uint64_t seed);

/* Load a robot by name, with this sensing (-1: its default), with or without payload. */
rbv_model *load_robot(const char *robot, int sensing, bool payload);

/* A-priori value of a column, which must exist. */
double prior_value(const rbv_model *m, const char *name);

/* a built-in robot whose joints have the default drives; options NULL: defaults */
rbv_model *load_default_drives(const char *robot, const rbv_model_options *options);

#endif
