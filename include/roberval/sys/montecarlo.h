/*
 * montecarlo: repeat simulation and identification where the true parameters are known, to measure
 * the bias, the spread and the coverage of every method.
 */
#ifndef ROBERVAL_SYS_MONTECARLO_H
#define ROBERVAL_SYS_MONTECARLO_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/control.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/model.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Monte Carlo ---- */

#define RBV_MONTECARLO_METHODS 16 /* at most */
#define RBV_MONTECARLO_STRIBECK "+Fs"

/* What is repeated. Everything is borrowed until the study is freed. */
typedef struct {
  const rbv_model *model;
  const char *robot;          /* what tells this robot from others: a hash of its file */
  const double *chi;          /* the truth, all columns */
  const rbv_model *plant;     /* the robot that is simulated where it has columns that methods do
                                 not know of; NULL: model */
  const double *plant_chi;    /* its parameters, all its columns */
  const rbv_control *control; /* of the loop */
  double gain_error;          /* share by which identification believes its gains wrong: the first
                                 of the first joint too large, the second too small, and so on */
  rbv_sim_reference reference;
  rbv_sim_reference second; /* validated on; its q may be NULL */
  rbv_sim_options sim;      /* of the plant and its sensors; identification knows of no defect */
  bool shift;               /* each run moves the reference by up to half a count of the encoder */
  rbv_differentiate_options differentiate;
  rbv_row_filter filter;
  ptrdiff_t skip; /* samples at the start that methods which simulate leave out */
  bool nonzero;   /* estimate the base parameters whose truth is not zero, and no others */
  int nmethod;

  /* Names of rbv_identify_method. The columns of Stribeck friction that the model may have are for
   * those with RBV_MONTECARLO_STRIBECK behind the name alone. */
  const char *method[RBV_MONTECARLO_METHODS];
  int runs;
  uint64_t seed;
} rbv_montecarlo_plan;

typedef struct rbv_montecarlo rbv_montecarlo;

/*
 * A study of a plan. Methods that simulate start from inertias wrong by -20 to +25 % each, without
 * friction. Random numbers are keyed by (seed, stream, run).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_montecarlo_new(rbv_montecarlo **out,
                                                     const rbv_montecarlo_plan *plan);

/* From the description that jobs of such a study were kept with: results can be taken, not made. */
RBV_API RBV_MUST_CHECK rbv_status rbv_montecarlo_recall(rbv_montecarlo **out,
                                                        const char *description);
RBV_API void rbv_montecarlo_free(rbv_montecarlo *study);

/* Name of the kind of jobs. */
#define RBV_MONTECARLO_KIND "montecarlo"

/* The runs, several to a job; their description is JSON. Run them with rbv_jobs_run. */
RBV_API const rbv_jobs *rbv_montecarlo_jobs(const rbv_montecarlo *study);

/* A parameter over the runs that converged; all NaN without runs, or if it is not estimated. */
typedef struct {
  double mean, bias;
  double spread;   /* empirical sigma; NaN for one run */
  double sigma;    /* mean of the estimated ones */
  double coverage; /* share of runs whose truth is within 1.96 of their own sigma */
} rbv_montecarlo_parameter;

typedef struct {
  const char *method;
  int converged, not_converged, failed; /* of the runs; failed: no estimate at all */
  double iterations;                    /* mean over the converged */
  rbv_montecarlo_parameter *parameter;  /* nparameter */

  /* over the estimated parameters whose truth is not zero: shares of |truth| */
  double bias_median, bias_worst; /* of |bias| */
  int bias_worst_at;              /* parameter; -1: none */
  double spread_median, sigma_median;
  double ratio_median; /* estimated over empirical sigma */

  double coverage;     /* mean over the estimated parameters */
  double fit_error;    /* relative error of the rows that were used, mean */
  double second_error; /* of torques on the second motion, mean; NaN without one */
  char reason[160];    /* of the first run that failed */
} rbv_montecarlo_method;

typedef struct {
  int runs;     /* planned */
  int done;     /* with a result, failed or not */
  int diverged; /* the simulated robot itself did not follow */
  int nparameter;
  const char **name, **unit;
  const double *truth;
  int nmethod;
  rbv_montecarlo_method *method;
  const char *description; /* of the study, JSON */
  char reason[160];        /* of the first run that diverged */
  void *memory;
} rbv_montecarlo_report;

/* What the results taken so far say. The report borrows from the study. */
RBV_API RBV_MUST_CHECK rbv_status rbv_montecarlo_summarise(rbv_montecarlo_report **out,
                                                           const rbv_montecarlo *study);
RBV_API void rbv_montecarlo_report_free(rbv_montecarlo_report *report);

#ifdef __cplusplus
}
#endif
#endif
