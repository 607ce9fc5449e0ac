/*
 * study: several results side by side. Which parameters disagree beyond their uncertainty, which
 * run stands alone, and what repeated recordings say together.
 */
#ifndef ROBERVAL_STUDY_H
#define ROBERVAL_STUDY_H

#include <stdbool.h>

#include <roberval/base.h>
#include <roberval/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One parameter over all results that estimated it. */
typedef struct {
  const char *name, *unit;
  int count;          /* results that have a value with a finite sigma */
  double mean;        /* weighted by 1 / sigma^2 */
  double mean_sigma;  /* as the sigmas promise */
  double scatter;     /* standard deviation between the results, NaN for one */
  double agreement_p; /* P(chi-square this large when all are equal); NaN for one */
  double *z;          /* nresult: distance from the mean of the others in its sigma; NaN: none */
  double *value;      /* nresult, NaN: not estimated */
} rbv_agreement;

/*
 * Comparison of results of one robot. The distance of two runs is the root mean square, over the
 * parameters, of their difference in its sigma: near 1 when they differ as their sigmas promise. A
 * run's distance is the lower median of its distances from the others, which one bad run among them
 * does not move.
 */
typedef struct {
  int nresult;
  int nparameter;
  rbv_agreement *parameter; /* in the order of the first result that has it */
  double *distance;         /* nresult */
  int disagreeing;          /* parameters whose agreement_p is below 1 % divided by their number */
  int outlier;              /* the run that stands alone: see below; -1: none */
  void *memory;
} rbv_comparison;

/*
 * Compare at least two results; their parameters are matched by name. With three or more, a run is
 * the outlier when its distance is above 3 and more than twice that of every other run.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_study_compare(rbv_comparison **out,
                                                    const rbv_result *const *results, int nresult);
RBV_API void rbv_comparison_free(rbv_comparison *comparison);

#ifdef __cplusplus
}
#endif
#endif
