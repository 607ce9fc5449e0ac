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
  RBV_MATCH_AGREES,    /* two independent numbers, within the tolerance */
  RBV_MATCH_RECOVERED, /* numbers of the paper were the truth of a simulation; its estimate is
                          within the tolerance */
  RBV_MATCH_EXPLAINED, /* outside, in the range of an explanation that an experiment shows */
  RBV_MATCH_DIFFERS,   /* outside, and no experiment shows why */
  RBV_MATCH_CANNOT,    /* cannot be compared; the reason says why */
  RBV_MATCH_REMARK,    /* the paper prints no such number; ours is information */
  RBV_MATCH_COUNT
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
  const char *shown; /* computation or experiment that shows the explanation; NULL: none */
  double low, high;  /* range of ours according to the explanation */
  bool simulated; /* ours comes from a simulated robot whose true values are those of the paper */
  double paper_percent, ours_percent; /* relative standard deviation [%]; 0: not printed */
  rbv_match verdict;
} rbv_reproduced;

/*
 * The verdict of a row. A number of ours without a printed one is a remark. Otherwise, with a NaN
 * among its numbers: cannot. Both need a reason; without one the row differs.
 * Outside the tolerance a row is explained only if its reason is shown and ours is between low and
 * high; a reason that is not shown is kept as a remark.
 */
rbv_match rbv_reproduced_verdict(const rbv_reproduced *row);

/* One figure of a paper, or one that belongs to its experiment. */
typedef struct {
  char name[80];        /* file name without .svg */
  const char *where;    /* "Fig. 5"; "": the paper has no such figure */
  const char *printed;  /* what the figure of the paper shows; "" */
  char title[192];      /* what ours shows */
  double width;         /* [px] */
  char *file, *element; /* SVG file, and SVG element for a page; end with 0 */
} rbv_reproduced_figure;

typedef struct {
  const char *name, *paper, *text; /* "didim", authors, description */
  int count;
  rbv_reproduced *row;
  int verdicts[RBV_MATCH_COUNT]; /* number of rows of each verdict */
  int nfigure;
  rbv_reproduced_figure *figure;
} rbv_reproduction;

/* Name and description of experiment i; NULL: there is none. */
const char *rbv_reproduce_name(int i);
const char *rbv_reproduce_text(int i);

typedef struct {
  uint64_t seed;    /* of all noise and searches */
  int threads;      /* of searches; results do not depend on it */
  const char *data; /* directory with public recordings; NULL: none */
} rbv_reproduce_options;

rbv_reproduce_options rbv_reproduce_defaults(void);

/*
 * Run an experiment with its built-in robot. Disagreement is a result, not a failure. RBV_EARG: the
 * name is not known. options NULL: the defaults.
 */
RBV_MUST_CHECK rbv_status rbv_reproduce(rbv_reproduction **out, const char *name,
                                        const rbv_reproduce_options *options);
void rbv_reproduction_free(rbv_reproduction *reproduction);

/* Tables and figures of several experiments as an HTML page; free it with rbv_reproduce_page_free.
 */
RBV_MUST_CHECK rbv_status rbv_reproduce_page(char **text, size_t *size,
                                             rbv_reproduction *const *done, int count,
                                             uint64_t seed);
void rbv_reproduce_page_free(char *text);

#endif
