/* Monte Carlo runs with the same motion and new noise: does sigma agree with the scatter of the
 * estimates? */
#ifndef TEST_TRIALS_H
#define TEST_TRIALS_H

#include <roberval/sys/identify.h>
#include <stdint.h>

typedef struct {
  int runs;
  double seconds, rate_hz;
  int decimate;
  double noise;        // standard deviation of the torque noise / that of the torque
  double noise_hz;     // corner frequency of AR(1) noise; 0: white
  double outliers;     // share of samples with an outlier, see waves_add_outliers
  const char *method;  // NULL: wls
  int bootstrap;
} trial_plan;

typedef struct {
  double coverage;           // share of true values inside their 95 % interval
  double coverage_white;     // the same with the sigma of white noise
  double median, low, high;  // estimated sigma / empirical sigma, over all parameters
  double white;              // median of the sigma of white noise / empirical sigma
  double inflation;          // mean of the inflations given in the results
  double coloured;           // share of torque rows that are reported as coloured
  double bootstrap;          // median of bootstrap sigma / estimated sigma
} trial_report;

/* The TX40 with all its base parameters, least squares. Prints the report. */
trial_report trials(const trial_plan *plan);

#endif
