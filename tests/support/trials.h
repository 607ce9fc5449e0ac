/* Monte Carlo: the same motion, fresh noise in every run; does sigma say how far estimates spread?
 */
#ifndef TEST_TRIALS_H
#define TEST_TRIALS_H

#include <roberval/sys/identify.h>
#include <stdint.h>

typedef struct {
  int runs;
  double seconds, rate_hz;
  int decimate;
  double noise;        // deviation of the torque noise over that of the torque
  double noise_hz;     // corner of AR(1) noise; 0: white
  double outliers;     // share of samples with an outlier, see waves_add_outliers
  const char *method;  // NULL: wls
  int bootstrap;
} trial_plan;

typedef struct {
  double coverage;           // share of true values inside their 95 % interval
  double coverage_inflated;  // the same with sigma times the inflation that the result gives
  double median, low, high;  // estimated over empirical sigma: of all parameters
  double inflation;          // mean of the result's
  double coloured;           // share of torque rows that are said to be coloured
  double bootstrap;          // bootstrap over estimated sigma, median
} trial_report;

/* The TX40 with all its base parameters, by least squares. Prints the report. */
trial_report trials(const trial_plan *plan);

#endif
