/* Motions for tests: smooth, random, known exactly, with the torque that a parameter set gives. */
#ifndef TEST_MOTIONS_H
#define TEST_MOTIONS_H

#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <stdbool.h>
#include <stdint.h>

/* Arrays as rbv_samples has them, leading dimension = count. */
typedef struct {
  ptrdiff_t count;
  int njoint, nrow;
  double rate_hz;
  bool loaded;
  double *q, *dq, *ddq, *torque;
} waves;

/*
 * Each joint is a sum of five sines with random amplitude, phase and frequency between 0.1 and
 * 1.5 Hz; derivatives are analytic. The torque of every row is that of chi (NULL: zero).
 */
void waves_new(waves *w, const rbv_model *m, const double *chi, uint64_t seed, ptrdiff_t count,
               double rate_hz, bool loaded);

/* The same with sines up to fastest_hz, scaled to 90 % of what the model's limits allow. */
void waves_new_within_limits(waves *w, const rbv_model *m, const double *chi, uint64_t seed,
                             ptrdiff_t count, double rate_hz, bool loaded, double fastest_hz);

/* The same with harmonics 1 to 5 of one period instead of random frequencies, unloaded. */
void waves_new_periodic(waves *w, const rbv_model *m, const double *chi, uint64_t seed,
                        ptrdiff_t count, double rate_hz, double period_s);
void waves_free(waves *w);

/* The torque of chi over the motion as it is now. */
void waves_set_torque(waves *w, const rbv_model *m, const double *chi);

/* Standard normal noise times sigma on every torque. */
void waves_add_noise(waves *w, uint64_t seed, double sigma);

/* White noise, share of each torque row's deviation. */
void waves_add_white(waves *w, uint64_t seed, double share);

/* AR(1) noise with its corner at hertz; share: of each torque row's deviation, motor and joint. */
void waves_add_coloured(waves *w, const rbv_model *m, uint64_t seed, double hertz,
                        double motor_share, double joint_share);

/* Large errors in a share of the samples, each torque row for itself: 2 to 10 deviations of it,
 * either sign. */
void waves_add_outliers(waves *w, uint64_t seed, double share);

/* Standard deviation of a torque row. */
double waves_deviation(const waves *w, int row);

/* The same as a motion. */
rbv_motion *waves_motion(const waves *w);

/*
 * As CSV: t, and the channels of these stems, "q dq ddq tau tauj". tau is the first channel of the
 * model's sensing, tauj the last.
 */
void waves_save(const waves *w, const char *path, const char *stems);

/* Parameters of all columns, uniform in -1 ... 1: the regressor is linear, nature is not asked. */
void random_columns(double *chi, const rbv_model *m, uint64_t seed);

/* A robot by name and sensing (-1: its own), with payload or not. */
rbv_model *load_robot(const char *robot, int sensing, bool payload);

#endif
