/* What other modules of the library use of result, beside its public header. */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <roberval/sys/result.h>

/* The map `verdict` of a result, for other outputs. */
void rbv_judgement_put(rbv_json *json, const rbv_judgement *judgement);

/* ---- results ---- */

/*
 * Are the instruments weak, so that errors of the estimate are large and not normally distributed?
 * They are if they explain little of a column, and the number of equations does not make up for it:
 * noise of the derivatives is most of a column at the full rate, and does no harm there.
 */
bool rbv_instruments_are_weak(const rbv_instruments *instruments);

/* See <roberval/sys/result.h>. */
#define RBV_INFLUENCE_STEP 0.1 /* relative error of the gains */

/*
 * Replace a loaded result by one with the name of the robot and the parameters with their units
 * only: a hundredth of the memory, for comparisons of many. Texts that are the same in another
 * summary, like (may be NULL), are its own; like must live as long.
 */
RBV_MUST_CHECK rbv_status rbv_result_summarise(rbv_result **result, const rbv_result *like);

/* Standard deviation of an estimate from its values without each of count blocks, which are
 * `stride` apart. */
double rbv_jackknife_spread(const double *without, int count, int stride);

/* Sigma of parameter k of n: the larger one of both kinds of parts; NaN: not known. */
double rbv_jackknife_sigma(const rbv_jackknife *jackknife, int n, int k);

/* Sigma of a function of the n parameters x. */
typedef double rbv_parameter_function(void *self, const double *x);
RBV_MUST_CHECK rbv_status rbv_jackknife_function(double *sigma, const rbv_jackknife *jackknife,
                                                 int n, const double *value,
                                                 rbv_parameter_function *f, void *self);

/* Text of an option; NULL if it is not a text or was not recorded. */
const char *rbv_result_setting(const rbv_result *result, const char *key);

/* A value that the run chose: a number, or the argument otherwise if there is none; a text, or
 * NULL.
 */
double rbv_result_chosen(const rbv_result *result, const char *key, double otherwise);
const char *rbv_result_chosen_text(const rbv_result *result, const char *key);

/* ---- results ---- */

/* Number of an option (a flag is 0 or 1); the argument otherwise if it has none. */
double rbv_result_number(const rbv_result *result, const char *key, double otherwise);

#endif
