/*
 * papers: repeats the experiments of the papers in docs/references.md and compares the numbers.
 * Part of the tool, not of the library.
 */
#ifndef PAPERS_PAPERS_H
#define PAPERS_PAPERS_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/result.h>

typedef enum {
  RBV_MATCH_AGREES,    /* within the tolerance */
  RBV_MATCH_EXPLAINED, /* outside, but in the range of an explanation */
  RBV_MATCH_DIFFERS,   /* outside, without an explanation */
  RBV_MATCH_CANNOT     /* cannot be compared, for a given reason */
} rbv_match;

const char *rbv_match_name(rbv_match verdict); /* "agrees" */

/* One number of a paper. All texts except what are static. */
typedef struct {
  const char *where; /* "Table 2" */
  char what[64];     /* "ZZ1R" */
  const char *unit;  /* "" for counts */
  double paper;      /* as printed; NaN: not printed */
  double ours;       /* NaN: not computed */
  double tolerance;  /* largest |ours - paper| that agrees; NaN: not comparable */
  const char *basis; /* origin of the tolerance */
  const char *why;   /* explanation of a difference, or of a missing comparison; NULL: none */
  double low, high;  /* range of ours according to the explanation */
  rbv_match verdict;
} rbv_reproduced;

/*
 * The verdict of a row. With a NaN among its numbers: cannot if there is a reason, else differs. An
 * explanation is valid from low to high only.
 */
rbv_match rbv_reproduced_verdict(const rbv_reproduced *row);

typedef struct {
  const char *name, *paper, *text; /* "didim", authors, description */
  int count;
  rbv_reproduced *row;
  int verdicts[4]; /* number of rows of each verdict */
} rbv_reproduction;

/* Name and description of experiment i; NULL: there is none. */
const char *rbv_reproduce_name(int i);
const char *rbv_reproduce_text(int i);

typedef struct {
  uint64_t seed; /* of all noise and searches */
  int threads;   /* of searches; results do not depend on it */
} rbv_reproduce_options;

rbv_reproduce_options rbv_reproduce_defaults(void);

/*
 * Run an experiment with its built-in robot. Disagreement is a result, not a failure. RBV_EARG: the
 * name is not known. options NULL: the defaults.
 */
RBV_MUST_CHECK rbv_status rbv_reproduce(rbv_reproduction **out, const char *name,
                                        const rbv_reproduce_options *options);
void rbv_reproduction_free(rbv_reproduction *reproduction);

#endif
