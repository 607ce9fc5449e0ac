/*
 * study: several results side by side. Which parameters disagree beyond their uncertainty, which
 * run stands alone, and what repeated recordings say together; which robot of a fleet differs from
 * its siblings; what methods are worth where the truth is known: Monte Carlo; and the papers'
 * experiments, done anew.
 */
#ifndef ROBERVAL_STUDY_H
#define ROBERVAL_STUDY_H

#include <stdbool.h>

#include <roberval/base.h>
#include <roberval/control.h>
#include <roberval/model.h>
#include <roberval/result.h>
#include <roberval/sim.h>
#include <roberval/system.h>

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
RBV_API RBV_MUST_CHECK rbv_status rbv_study_fleet(rbv_fleet **out, const rbv_result *const *results,
                                                  int nresult, double alarm);
RBV_API void rbv_fleet_free(rbv_fleet *fleet);

/* ---- the closed-loop bench ---- */

/*
 * The reference motion of a built-in robot, with all joints on moves of their own ("tx40": 34,500
 * samples at 5 kHz).
 *
 *   q  out  count x njoint, leading dimension count; rbv_bench_free it
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_bench_reference(double **q, ptrdiff_t *count, int *njoint,
                                                      double *rate_hz, const char *robot);

/*
 * Another motion in the same room, to validate on: two sines of each joint about the middle of what
 * the reference uses, as far as 0.8 of it, from rest to rest, of the same length.
 *
 *   q  out  as above
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_bench_second(double **q, const rbv_sim_reference *reference,
                                                   int njoint, double rate_hz);
RBV_API void rbv_bench_free(double *q);

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

/* ---- the papers' experiments, our number beside theirs ---- */

typedef enum {
  RBV_MATCH_AGREES,    /* within the tolerance */
  RBV_MATCH_EXPLAINED, /* not within it, but where the explanation says */
  RBV_MATCH_DIFFERS,   /* neither */
  RBV_MATCH_CANNOT     /* there is nothing to compare, and it is said why */
} rbv_match;

RBV_API const char *rbv_match_name(rbv_match verdict); /* "agrees" */

/* One number of a paper. Texts are static but for what, which is the row's own. */
typedef struct {
  const char *where; /* "Table 2" */
  char what[64];     /* "ZZ1R" */
  const char *unit;  /* "" for counts */
  double paper;      /* as printed; NaN: not printed */
  double ours;       /* NaN: not computed */
  double tolerance;  /* |ours - paper| that still agrees; NaN: the two are not comparable */
  const char *basis; /* what the tolerance is */
  const char *why;   /* what explains a difference, or why there is no comparison; NULL: nothing */
  double low, high;  /* where the explanation says that ours is */
  rbv_match verdict;
} rbv_reproduced;

/*
 * The verdict that a row's numbers ask for: with a NaN among them they cannot be compared when
 * there is a reason, and differ when there is none; an explanation holds from low to high only.
 */
RBV_API rbv_match rbv_reproduced_judge(const rbv_reproduced *row);

typedef struct {
  const char *name, *paper, *text; /* "didim", who wrote it, what was done here */
  int count;
  rbv_reproduced *row;
  int verdicts[4]; /* rows of each verdict */
} rbv_reproduction;

/* Name of experiment i and what it is, NULL past the last. */
RBV_API const char *rbv_reproduce_name(int i);
RBV_API const char *rbv_reproduce_text(int i);

typedef struct {
  uint64_t seed; /* of all noise and searches */
  int threads;   /* of searches; the numbers do not depend on it */
} rbv_reproduce_options;

RBV_API rbv_reproduce_options rbv_reproduce_defaults(void);

/*
 * Do an experiment on its built-in robot. What was found, disagreement included, is the result;
 * RBV_EARG for a name that is none. options NULL: the defaults.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_reproduce(rbv_reproduction **out, const char *name,
                                                const rbv_reproduce_options *options);
RBV_API void rbv_reproduction_free(rbv_reproduction *reproduction);

#ifdef __cplusplus
}
#endif
#endif
