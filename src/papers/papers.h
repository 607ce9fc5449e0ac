/*
 * papers: the experiments of the papers (docs/references.md), our number beside theirs. Part of the
 * tool, not of the library.
 */
#ifndef PAPERS_PAPERS_H
#define PAPERS_PAPERS_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/result.h>

/* ---- the papers' experiments, our number beside theirs ---- */

typedef enum {
  RBV_MATCH_AGREES,    /* within the tolerance */
  RBV_MATCH_EXPLAINED, /* not within it, but where the explanation says */
  RBV_MATCH_DIFFERS,   /* neither */
  RBV_MATCH_CANNOT     /* there is nothing to compare, and it is said why */
} rbv_match;

const char *rbv_match_name(rbv_match verdict); /* "agrees" */

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
rbv_match rbv_reproduced_judge(const rbv_reproduced *row);

typedef struct {
  const char *name, *paper, *text; /* "didim", who wrote it, what was done here */
  int count;
  rbv_reproduced *row;
  int verdicts[4]; /* rows of each verdict */
} rbv_reproduction;

/* Name of experiment i and what it is, NULL past the last. */
const char *rbv_reproduce_name(int i);
const char *rbv_reproduce_text(int i);

typedef struct {
  uint64_t seed; /* of all noise and searches */
  int threads;   /* of searches; the numbers do not depend on it */
} rbv_reproduce_options;

rbv_reproduce_options rbv_reproduce_defaults(void);

/*
 * Do an experiment on its built-in robot. What was found, disagreement included, is the result;
 * RBV_EARG for a name that is none. options NULL: the defaults.
 */
RBV_MUST_CHECK rbv_status rbv_reproduce(rbv_reproduction **out, const char *name,
                                        const rbv_reproduce_options *options);
void rbv_reproduction_free(rbv_reproduction *reproduction);

#endif
