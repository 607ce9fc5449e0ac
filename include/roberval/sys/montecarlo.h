/*
 * montecarlo: repeat simulation and identification where the true parameters are known, to measure
 * the bias, the spread and the coverage of every method.
 */
#ifndef ROBERVAL_SYS_MONTECARLO_H
#define ROBERVAL_SYS_MONTECARLO_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/control.h>
#include <roberval/sys/device.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/model.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sim.h>

RBV_BEGIN_C

#define RBV_MONTECARLO_METHODS 16 /* largest number */

/* A Monte Carlo study. All pointers are borrowed until the study is freed. */
typedef struct {
  const rbv_model *model;
  const char *robot;          /* identifies the robot: a hash of its file */
  const double *chi;          /* true parameters, all columns */
  const rbv_model *plant;     /* the simulated robot, if it has columns that the identified model
                                 lacks; NULL: model */
  const double *plant_chi;    /* parameters of the plant, all its columns */
  const rbv_control *control; /* of the loop */
  double gain_error;          /* relative error of the controller gains that the identification
                                 assumes: the first is too large, the second too small, ... */
  rbv_sim_reference reference;
  rbv_sim_reference second; /* motion of the validation; q = NULL: none */
  rbv_sim_options sim; /* of the plant and its sensors; the identification assumes no defects */
  bool shift;          /* each run shifts the reference by up to half an encoder count */
  rbv_differentiate_options differentiate;
  rbv_row_filter filter;
  ptrdiff_t skip; /* samples at the start that simulating methods leave out */
  bool nonzero;   /* estimate only base parameters whose true value is not zero */
  int nmethod;

  /* Names of rbv_identify_method. Only methods with the suffix RBV_MONTECARLO_STRIBECK use the
   * columns of Stribeck friction. */
  const char *method[RBV_MONTECARLO_METHODS];
  int runs;
  uint64_t seed;

  /* Simulations run on this device, identification meanwhile on `threads` of the CPU. NULL: all on
   * the CPU. Results depend on the device, by rounding; the description names it. */
  rbv_device *device;
  int threads;
} rbv_montecarlo_plan;

typedef struct rbv_montecarlo rbv_montecarlo;

/* A parameter in the runs that converged; NaN: no such runs, or not estimated. */
typedef struct {
  double mean, bias;
  double spread;   /* empirical sigma; NaN: one run */
  double sigma;    /* mean of the estimated sigmas */
  double bound;    /* mean of the Cramer-Rao bounds of sigma; NaN: the method has none */
  double coverage; /* share of runs whose error is below 1.96 of their sigma */
} rbv_montecarlo_parameter;

typedef struct {
  const char *method;
  int converged, not_converged, failed; /* numbers of runs; failed: no estimate */
  double iterations;                    /* mean of the converged runs */
  rbv_montecarlo_parameter *parameter;  /* nparameter */

  /* for estimated parameters whose true value is not zero, relative to it */
  double bias_median, bias_worst; /* of |bias| */
  int bias_worst_at;              /* parameter; -1: none */
  double spread_median, sigma_median;
  double ratio_median;  /* estimated over empirical sigma */
  double excess_median; /* empirical sigma over its Cramer-Rao bound; NaN: none */

  double coverage;     /* mean of the estimated parameters */
  double fit_error;    /* relative error of the fit, mean */
  double second_error; /* relative error of the validation, mean; NaN: none */
  char reason[160];    /* message of the first run that failed */
} rbv_montecarlo_method;

typedef struct {
  int runs;     /* planned */
  int done;     /* runs with a result, failed or not */
  int diverged; /* runs whose simulation diverged */
  int nparameter;
  const char **name, **unit;
  const double *truth;
  int nmethod;
  rbv_montecarlo_method *method;
  const char *description; /* of the study, JSON */
  char reason[160];        /* message of the first run that diverged */
} rbv_montecarlo_summary;

RBV_END_C
#endif
