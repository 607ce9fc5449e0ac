/*
 * Results: what an identification found, read through functions. Stable.
 *
 * A result is loaded from the JSON file that an identification wrote, or belongs to a job that has
 * run. Strings belong to the result. Every function accepts NULL and an index out of range: it then
 * returns 0, NaN or NULL.
 */
#ifndef ROBERVAL_RESULT_H
#define ROBERVAL_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include <roberval/status.h>

RBV_BEGIN_C

typedef struct rbv_result rbv_result;

/*
 * Load a result. Refused, with line and column: a file of another schema, an entry that is missing
 * or of another kind.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_load(rbv_result **out, const char *path);
RBV_API void rbv_result_free(rbv_result *result);

/* Write as JSON (schema roberval.result/1): to a file, completely or not at all; or into text that
 * rbv_text_release frees. */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_save(const rbv_result *result, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_result_write(char **text, size_t *size,
                                                   const rbv_result *result);
RBV_API void rbv_text_release(char *text);

/*
 * A field of the result file (docs/files.md) by its path, with indices from 0:
 * "fit.per_joint.2.rms_residual_Nm". A number or a flag (0 or 1), NaN: there is none; a text, NULL:
 * there is none.
 */
RBV_API double rbv_result_value(const rbv_result *result, const char *path);
RBV_API const char *rbv_result_text(const rbv_result *result, const char *path);

/* ---- how it was made ---- */

RBV_API const char *rbv_result_robot(const rbv_result *result);  /* name of the robot */
RBV_API const char *rbv_result_method(const rbv_result *result); /* "wls" */
RBV_API bool rbv_result_converged(const rbv_result *result);
RBV_API int rbv_result_iterations(const rbv_result *result); /* 0: not known */

/* ---- base parameters ---- */

typedef enum {
  RBV_STATUS_IDENTIFIED,       /* by itself */
  RBV_STATUS_COMBINED,         /* the value is that of a combination */
  RBV_STATUS_PRIOR,            /* held by its prior, the data say little */
  RBV_STATUS_NOT_IDENTIFIABLE, /* the data say nothing; its interval is infinite */
  RBV_STATUS_GIVEN,            /* not estimated: a prior or a truth */
  RBV_STATUS_NOT_ESSENTIAL,    /* dropped, so zero: the fit does not miss it */
  RBV_STATUS_MEAN_RESIDUAL /* a column that the row filter hides, from what is left of plain rows */
} rbv_parameter_status;

RBV_API const char *rbv_parameter_status_name(rbv_parameter_status status);

RBV_API int rbv_result_parameter_count(const rbv_result *result);
RBV_API const char *rbv_result_parameter_name(const rbv_result *result, int i); /* "ZZ1R" */
RBV_API const char *rbv_result_parameter_unit(const rbv_result *result, int i); /* "kg m^2" */
RBV_API double rbv_result_parameter_value(const rbv_result *result, int i);

/*
 * Standard deviation; infinite: unknown. It is the spread of the estimates without one block of
 * time (jackknife), so it is valid if the residual is not white, for motions of the kind that was
 * recorded. sigma_white assumes that all residuals are independent; NaN: not known.
 */
RBV_API double rbv_result_parameter_sigma(const rbv_result *result, int i);
RBV_API double rbv_result_parameter_sigma_white(const rbv_result *result, int i);

/*
 * Value of a parameter if block b of the data is left out, b = 0 ... count - 1; NaN: not known. The
 * standard deviation of any function of the parameters follows from its values f_b for the blocks:
 * s^2 = k^2 (count - 1) / count sum (f_b - mean)^2, where k is the factor of Student's distribution
 * for so few blocks.
 */
RBV_API double rbv_result_student_factor(const rbv_result *result);
RBV_API int rbv_result_block_count(const rbv_result *result);
RBV_API double rbv_result_block_value(const rbv_result *result, int block, int i);

RBV_API rbv_parameter_status rbv_result_parameter_status(const rbv_result *result, int i);

/* The combination of standard parameters behind it: "XX2 - YY2 - 0.050625 M3". */
RBV_API const char *rbv_result_parameter_meaning(const rbv_result *result, int i);

/* Index of the parameter with this name, -1 when there is none. */
RBV_API int rbv_result_find(const rbv_result *result, const char *name);

/* ---- standard parameters, of a physically consistent identification ---- */

/* Number of standard parameters; 0 when the identification was not a consistent one. */
RBV_API int rbv_result_standard_count(const rbv_result *result);
RBV_API const char *rbv_result_standard_name(const rbv_result *result, int i);
RBV_API const char *rbv_result_standard_unit(const rbv_result *result, int i);
RBV_API double rbv_result_standard_value(const rbv_result *result, int i);

/* Standard deviation of a standard parameter, and the share of it that the data know, 0 to 1. The
 * rest is the prior, usually the robot file. Infinite sigma: nothing is known. */
RBV_API double rbv_result_standard_sigma(const rbv_result *result, int i);
RBV_API double rbv_result_standard_known(const rbv_result *result, int i);

/* ---- how good it is ---- */

/* Relative error of the torque, |Y - W chi| / |Y|, up to 5 Hz and in every row, on data that were
 * not used for the estimate if there are such data: the error that outputs name. */
RBV_API double rbv_result_error(const rbv_result *result);

/* The same of the rows as the method used them, and of rows or recordings that were not used; NaN:
 * there was no validation. */
RBV_API double rbv_result_fit_error(const rbv_result *result);
RBV_API double rbv_result_validation_error(const rbv_result *result);

/* The same for one joint (index from 0; the first torque channel); NaN when there is none. */
RBV_API double rbv_result_joint_fit_error(const rbv_result *result, int joint);
RBV_API double rbv_result_joint_validation_error(const rbv_result *result, int joint);
RBV_API int rbv_result_joint_count(const rbv_result *result);
RBV_API const char *rbv_result_joint_name(const rbv_result *result, int joint);

/* Condition number of the weighted system with columns of unit norm. */
RBV_API double rbv_result_condition(const rbv_result *result);

/* Median of sigma / sigma_white: how much more uncertain a residual that is not white makes the
 * parameters. */
RBV_API double rbv_result_sigma_inflation(const rbv_result *result);

/* ---- provenance ---- */

/* Option i that took effect: its name and its value as text; NULL past the last. The text is valid
 * until the thread's next call of this function. */
RBV_API const char *rbv_result_option_name(const rbv_result *result, int i);
RBV_API const char *rbv_result_option_value(const rbv_result *result, int i);

/* File i that went in (robot, recordings, files named by options): its path and SHA-256; NULL past
 * the last. A built-in robot has "" as its hash. */
RBV_API const char *rbv_result_file_path(const rbv_result *result, int i);
RBV_API const char *rbv_result_file_sha256(const rbv_result *result, int i);

RBV_END_C
#endif
