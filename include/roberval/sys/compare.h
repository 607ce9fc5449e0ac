/*
 * compare: several results. Which parameters disagree beyond their uncertainty, which run is an
 * outlier, and which robot of a fleet differs from the others.
 */
#ifndef ROBERVAL_SYS_COMPARE_H
#define ROBERVAL_SYS_COMPARE_H

#include <roberval/sys/base.h>
#include <roberval/sys/result.h>

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
RBV_API RBV_MUST_CHECK rbv_status rbv_compare_results(rbv_comparison **out,
                                                      const rbv_result *const *results,
                                                      int nresult);
RBV_API void rbv_comparison_free(rbv_comparison *comparison);

/* ---- fleets ---- */

/* A parameter in which a robot differs from its siblings. */
typedef struct {
  int robot; /* which of the results */
  const char *name, *unit;
  double value, sigma; /* its own */
  int siblings;        /* that have the parameter */
  double median;       /* of the siblings */
  double scatter;      /* of the siblings: robust standard deviation, their errors included */
  double z;            /* value - median, in sigma of this difference */
  double limit;        /* |z| that chance does not reach */
} rbv_oddity;

/*
 * A fleet of robots of one kind, which scatter and whose estimates err. The median of the siblings
 * and s, 1.4826 times the median of their distances from it, are not moved by a few bad robots. A
 * robot's difference from the median has the variance of a sibling, S^2 = s^2 but at least the
 * median of their sigma^2, more where the robot's own sigma^2 is above that median, by so much, and
 * pi/2 S^2 / siblings for the median itself. Since s is uncertain, z is held against Student's t
 * with 0.37 degrees of freedom per sibling, the efficiency of s, at a level that makes a false
 * alarm anywhere in the fleet as rare as asked for.
 */
typedef struct {
  int nresult;     /* robots */
  int identified;  /* of them, with a result */
  int nparameter;  /* names over all of them */
  int comparisons; /* robot by parameter */
  int odd;         /* robots that differ in something */
  int count;
  rbv_oddity *oddity; /* count; by robot, the largest |z| first */
  void *memory;
} rbv_fleet;

/*
 * Compare every robot with its siblings; parameters are matched by name, and left out where fewer
 * than four siblings have them. The fleet borrows names from the results.
 *
 *   results  in  nresult; NULL: a robot that could not be identified
 *   alarm    in  chance of one or more false alarms in the whole fleet, in (0, 1)
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_compare_fleet(rbv_fleet **out,
                                                    const rbv_result *const *results, int nresult,
                                                    double alarm);
RBV_API void rbv_fleet_free(rbv_fleet *fleet);

#ifdef __cplusplus
}
#endif
#endif
