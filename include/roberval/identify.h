/*
 * identify: from motions to parameters. The estimators of the papers differ in where the columns
 * come from, how rows are filtered and weighted, and whether the loop repeats; each is a row of one
 * table, run by one loop.
 */
#ifndef ROBERVAL_IDENTIFY_H
#define ROBERVAL_IDENTIFY_H

#include <roberval/base.h>
#include <roberval/baseparam.h>
#include <roberval/model.h>
#include <roberval/motion.h>
#include <roberval/result.h>
#include <roberval/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char *method; /* name of a row of the table, "wls" */
  rbv_row_filter filter;
} rbv_identify_options;

RBV_API rbv_identify_options rbv_identify_defaults(void);

/* Name of method i and what it is, NULL past the last. */
RBV_API const char *rbv_identify_method(int i);
RBV_API const char *rbv_identify_method_text(int i);

/* What was estimated; read-only for the user. */
typedef struct {
  const char *method;
  rbv_base *base;     /* of the structure, then of these motions */
  double *value;      /* base->count */
  double *covariance; /* base->count square */
  double *chi;        /* all columns: the values in their slots, zero elsewhere */
  rbv_fit fit;        /* of the motions that were used */
  rbv_diagnostics diagnostics;
  double masked_fraction;
  void *memory;
} rbv_estimate;

/*
 * Estimate the base parameters.
 *
 *   motions  in  nmotion, all of the same robot; their filter is options->filter
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify(rbv_estimate **out, const rbv_model *model,
                                               rbv_motion *const *motions, int nmotion,
                                               const rbv_identify_options *options);
RBV_API void rbv_estimate_free(rbv_estimate *estimate);

/*
 * Put an estimate into a result: parameters with sigma, unit, status and meaning, fit, diagnostics.
 * The result borrows from the estimate and the model; free what was added with
 * rbv_estimate_unreport. Provenance is the caller's.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_estimate_report(rbv_result *result,
                                                      const rbv_estimate *estimate,
                                                      const rbv_model *model);
RBV_API void rbv_estimate_unreport(rbv_result *result);

#ifdef __cplusplus
}
#endif
#endif
