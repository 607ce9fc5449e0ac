/*
 * report: what was identified, as one page that people read. A single HTML file that needs no
 * network: a verdict with its reasons first, then provenance, torques, residuals, parameters and
 * the arm in motion. Every figure is SVG and can be had alone; where the build had npm, lines can
 * be zoomed and the arm moves.
 *
 * The same input gives the same bytes. Nothing is repaired: what is wrong stands in the verdict.
 */
#ifndef ROBERVAL_SYS_REPORT_H
#define ROBERVAL_SYS_REPORT_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/design.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  RBV_VERDICT_USABLE,
  RBV_VERDICT_CARE, /* with care: read the reasons */
  RBV_VERDICT_NO    /* do not use */
} rbv_verdict;

RBV_API const char *rbv_verdict_name(rbv_verdict verdict); /* "usable", "with care", "do not use" */

typedef struct {
  rbv_verdict level; /* that this reason alone would give */
  const char *rule;  /* "validation": a short name that does not change */
  const char *text;  /* sentences */
} rbv_reason;

/* Everything is borrowed for the call. */
typedef struct {
  const char *json; /* the result as rbv_result_write has it */
  size_t json_size;
  const rbv_model *model; /* of the result, with its sensing, payload and gamma */
  int nfit, nvalidation;
  rbv_motion *const *fit;        /* recordings that the result was made from, as far as at hand */
  rbv_motion *const *validation; /* and that it was validated on */
  rbv_row_filter filter;         /* of the fit; fade is found as the result's method has it */
  const double *prior;           /* one per column; NULL: none was used */
  const double *prior_sigma;     /* one per column, NaN: not known; NULL: none known */
  int nremark;
  const char *const *remark; /* sentences about what is not at hand */
} rbv_report_input;

/* A figure as a file of its own. */
typedef struct {
  const char *name; /* "torque-fit-1.svg" */
  const char *text; /* closed with 0 */
  size_t size;
} rbv_figure;

typedef struct {
  rbv_verdict verdict; /* the worst of the reasons */
  int nreason;
  const rbv_reason *reason;
  const char *html; /* closed with 0 */
  size_t size;
  int nfigure;
  const rbv_figure *figure;
} rbv_report;

/* A motion that was designed, or scored, for an identification. Everything is borrowed. */
typedef struct {
  const rbv_model *model;
  int nmotion;
  rbv_motion *const *motion; /* positions, velocities, accelerations */
  const rbv_limits *limits;  /* njoint; infinite: there is none */
  const double *chi;         /* one per column, for torques; NULL: not known */
  const rbv_base *base;      /* what is to be identified */
  const double *sigma;       /* base->count, to be expected; infinite: not seen */
  const rbv_score *score;
  bool noise_known; /* sigma has the noise of a recording; else 1 N m */
  int nfact;
  const rbv_setting *fact; /* how it was found */
} rbv_design_page;

/* Its page: verdict, the arm, positions to torques against their limits, sigma of parameters. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_design_page(rbv_report **out,
                                                         const rbv_design_page *page);

/* The same for a design that was solved. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_design(rbv_report **out, const rbv_design *design);

/*
 * Write the page. Motions are read, several times; figures that need what is not at hand are
 * replaced by a sentence.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_new(rbv_report **out, const rbv_report_input *input);

/* The verdict and its reasons alone: html is NULL, and there are no figures. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_verdict(rbv_report **out,
                                                     const rbv_report_input *input);
RBV_API void rbv_report_free(rbv_report *report);

/* Was the script for zooming and for the moving arm built in? */
RBV_API bool rbv_report_interactive(void);

#ifdef __cplusplus
}
#endif
#endif
