/*
 * compare: comparison of several results: parameters that disagree beyond their uncertainty, runs
 * that are outliers, and robots that differ from the rest of a fleet.
 */
#ifndef ROBERVAL_SYS_COMPARE_H
#define ROBERVAL_SYS_COMPARE_H

#include <roberval/sys/base.h>
#include <roberval/sys/result.h>

RBV_BEGIN_C

/* One parameter in all results that estimated it. */
typedef struct {
  const char *name, *unit;
  bool mixed;         /* it is combined with other parameters in some results, because their torques
                         are those of another side: the values are not comparable, and what follows is
                         NaN except count and value */
  int count;          /* results that have a value with a finite sigma */
  double mean;        /* weighted by 1 / sigma^2 */
  double mean_sigma;  /* from the sigmas of the results */
  double scatter;     /* standard deviation between the results; NaN: one result */
  double agreement_p; /* probability of a chi-square this large if all are equal; NaN: one result */
  double *z;          /* nresult: difference from the mean of the others, in its sigma; NaN: none */
  double *value;      /* nresult, NaN: not estimated */
  double *change;     /* nresult: difference from the first result, in its sigma; NaN: none */
} rbv_agreement;

/*
 * Comparison of results of one robot. The distance of two runs is the root mean square, over the
 * parameters, of their difference in its sigma: near 1 if the sigmas are correct. The distance of a
 * run is the lower median of its distances from the others, which is robust against one bad run.
 */
typedef struct {
  int nresult;
  int nparameter;
  rbv_agreement *parameter; /* in order of first occurrence */
  double *distance;         /* nresult */
  int disagreeing;          /* parameters whose agreement_p is below 1 % divided by their number */
  double *error;            /* nresult: relative error of the fit */
  int outlier;              /* the run that differs from all others, see below; -1: none */
  bool outlier_residual;    /* it is one because of its residual */
  double chance;            /* largest change of any parameter, in sigma, that chance explains
                               (1 % for all parameters together) */
} rbv_comparison;

/* A limit of changes: in sigma, or as a share of the first value; the other one is 0. */
typedef struct {
  double sigma, share;
} rbv_change_limit;

/*
 * True if parameter k of result i differs from the first result by more than the limit. A change of
 * a share counts only if chance does not explain it.
 */
RBV_API bool rbv_comparison_exceeds(const rbv_comparison *comparison, int k, int i,
                                    rbv_change_limit limit);

/* ---- fleets ---- */

/* A parameter in which a robot differs from its siblings, the other robots of the fleet. */
typedef struct {
  int robot; /* index of the result */
  const char *name, *unit;
  double value, sigma; /* of this robot */
  int siblings;        /* number of siblings with the parameter */
  double median;       /* of the siblings */
  double scatter;      /* robust standard deviation of the siblings, including estimation errors */
  double z;            /* value - median, in sigma of the difference */
  double limit;        /* largest |z| that is explained by chance */
} rbv_deviation;

/*
 * A fleet of robots of one type. Robots differ, and estimates have errors. The median of the
 * siblings and s, 1.4826 times the median of their distances from it, are robust against a few bad
 * robots. The difference of a robot from the median has three variances: S^2 = s^2, but at least
 * the median of the siblings' sigma^2; the excess of the robot's own sigma^2 over that median; and
 * pi/2 S^2 / siblings for the median itself. Since s is uncertain, z is compared with Student's t
 * with 0.37 degrees of freedom per sibling (the efficiency of s). The level of the test gives the
 * required probability of a false alarm in the whole fleet.
 */
typedef struct {
  int nresult;     /* robots */
  int identified;  /* robots with a result */
  int nparameter;  /* names in all results */
  int comparisons; /* pairs of robot and parameter */
  int deviating;   /* robots that differ in at least one parameter */
  int count;
  rbv_deviation *deviation; /* count; by robot, the largest |z| first */
} rbv_fleet;

/* ---- history of a fleet ---- */

/* A change of one parameter of one robot that chance does not explain. */
typedef struct {
  int robot, parameter;
  int found;            /* period in which it became significant */
  int started;          /* period with which it most likely started */
  double before, after; /* means of the periods before and since then, without the common change */
  double z;             /* in the period found, in sigma */
} rbv_change;

/*
 * Robots of one type over periods of time, for example months. A robot is compared with itself, so
 * that robots may differ. A change that all robots share, such as friction in winter, is no change
 * of a robot: with five or more robots the median polish of the table robot x period removes it,
 * and periods with fewer than five results are left out.
 *
 * In every period t, all starts s of a change are tried: z is the difference of the means of
 * periods s to t and of the periods before s, in its sigma, and the largest |z| counts. This finds
 * a step in the period in which it is large enough, and a slow trend when its sum is. The sigma of
 * a value is that of the result, but at least the median of all robots and periods, times the
 * inflation of the parameter: how much larger the robust scatter between neighbouring periods is,
 * at least 1. Since that is uncertain, z is compared with Student's t; its level is the required
 * probability of a false alarm divided by the number of all comparisons: robots x parameters x
 * pairs (s, t). So the probability of one or more false alarms in the whole history is at most the
 * given one, however the estimates depend on each other.
 *
 * Arrays of cells: robot r, period t and parameter p at [r + nrobot (t + nperiod p)].
 */
typedef struct {
  int nrobot, nperiod, nparameter;
  const char **name, **unit; /* nparameter; borrowed from the results */
  double *value;             /* cells; NaN: none */
  double *sigma;             /* cells, as used, without the inflation */
  double *z;                 /* cells: largest change up to period t */
  double *common;    /* common change since the first period, of period t at [t + nperiod p] */
  double *inflation; /* nparameter */
  double *limit;     /* nparameter: of |z| */
  ptrdiff_t comparisons;
  int changed; /* robots with at least one change */
  int count;
  rbv_change *change; /* count; by robot, then by the period in which they were found */
} rbv_history;

RBV_END_C
#endif
