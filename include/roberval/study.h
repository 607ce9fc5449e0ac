/*
 * study: several results side by side. Which parameters disagree beyond their uncertainty, which
 * run stands alone, and what repeated recordings say together. The papers' experiments, done anew.
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

/* ---- the papers' experiments, our number beside theirs ---- */

typedef enum {
  RBV_VERDICT_AGREES,    /* within the tolerance */
  RBV_VERDICT_EXPLAINED, /* not within it, but where the explanation says */
  RBV_VERDICT_DIFFERS,   /* neither */
  RBV_VERDICT_CANNOT     /* there is nothing to compare, and it is said why */
} rbv_verdict;

RBV_API const char *rbv_verdict_name(rbv_verdict verdict); /* "agrees" */

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
  rbv_verdict verdict;
} rbv_reproduced;

/*
 * The verdict that a row's numbers ask for: with a NaN among them they cannot be compared when there
 * is a reason, and differ when there is none; an explanation holds from low to high only.
 */
RBV_API rbv_verdict rbv_reproduced_judge(const rbv_reproduced *row);

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
