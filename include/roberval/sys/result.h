/*
 * result: parameter sets with their uncertainty, and what an identification found, with its
 * provenance. The file that `identify` writes and every later command reads.
 *
 * Open structures: read and fill them. Strings and arrays of a result that was loaded belong to it.
 */
#ifndef ROBERVAL_SYS_RESULT_H
#define ROBERVAL_SYS_RESULT_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameter sets: priors, truths, estimates ---- */

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

typedef struct {
  const char *name;
  double value;
  double sigma; /* NaN: not known */
  rbv_parameter_status status;
} rbv_parameter;

typedef struct {
  int count;
  rbv_parameter *item;
  void *memory;
} rbv_parameters;

/*
 * Read a parameter set from YAML or JSON: a map from names to numbers or to {value, sigma}; such a
 * map, or a list of {name, value, sigma}, under `parameters`; or a result. Names are not checked
 * against a robot.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_parameters_load(rbv_parameters **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_parameters_parse(rbv_parameters **out, const char *name,
                                                       const char *text, size_t size);
RBV_API void rbv_parameters_free(rbv_parameters *set);

/*
 * Values by column of a model: those of the set, zero for the rest. sigma (may be NULL) gets NaN
 * where none is known. Refused: a name that the model does not have, two values for one column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_parameters_apply(double *chi, double *sigma,
                                                       const rbv_parameters *set,
                                                       const rbv_model *model);

/* ---- results ---- */

/* A file that went in. */
typedef struct {
  const char *path;
  const char *sha256; /* 64 digits; "" for a built-in robot */
  ptrdiff_t samples;
  double rate_hz;
  bool loaded;
  const char *differentiation; /* NULL: not known, or no recording; then the rest says nothing */
  double cutoff_hz;            /* of the low-pass on positions; 0: there was none */
  bool resampled;              /* its stamps were irregular */
  ptrdiff_t gaps, invalid;     /* gaps bridged, samples left out */
} rbv_input;

/* How well one torque row (joint and channel) is predicted. */
typedef struct {
  int joint;
  rbv_torque torque;
  ptrdiff_t rows;        /* equations used */
  double relative_error; /* |Y - W chi| / |Y| */
  double rms;            /* of the residual [N m or N] */
  double sigma;          /* weight: standard deviation of the row's own fit [N m or N] */
  double durbin_watson;
  double ks_p;
  bool coloured;    /* neighbours in the residual are correlated, beyond what decimation does */
  double inflation; /* honest sigma over the one given, for slow columns; NaN: not known */
  double noise_variance; /* lambda of the row's noise model, a position [rad^2 or m^2]; 0: none */
  int noise_order;       /* of its autoregressive part */
} rbv_row_fit;

typedef struct {
  double relative_error;
  int nrow;
  rbv_row_fit *row;
} rbv_fit;

typedef struct {
  double condition_number;        /* of the weighted system */
  double condition_number_scaled; /* after columns are scaled to unit norm */
  ptrdiff_t dof;
  double sigma;           /* of the weighted residual: 1 when the weights are right */
  double sigma_inflation; /* of all rows together: what the sigmas given should be multiplied by */
} rbv_diagnostics;

/* What the instruments of an estimate are worth, and what they say about least squares. */
typedef struct {
  double condition_number; /* of Z'W, columns scaled to unit norm */
  double strength; /* share of every column of W that Z explains, at least; 0: no instruments */
  double hausman, hausman_p; /* Durbin-Wu-Hausman: is least squares biased on these data? */
  int hausman_dof;
  double shift;      /* largest difference of the two estimates, in sigma */
  const char *worst; /* the parameter where it is */
  bool biased;       /* p < 1 %, and the difference matters in size too */
} rbv_instruments;

/* One round of a method that repeats. */
typedef struct {
  double residual; /* relative error of the torque */
  double change;   /* largest move of a parameter, in its sigma; NaN: there was none before */
} rbv_iteration;

/* An option as it took effect: a text, or where that is NULL a number, or a flag (number 0 or 1).
 */
typedef struct {
  const char *key, *text;
  double number;
  bool flag;
} rbv_setting;

/* A body of the standard parameters. */
typedef struct {
  const char *name;  /* of its joint; "payload" */
  const char *state; /* "consistent", or what it fails in */
  const char *prior; /* "given", "geometric", "replaced" */
  double margin;     /* see rbv_body */
  bool active;       /* consistency holds the estimate back here */
} rbv_result_body;

/* Physically consistent standard parameters and their certificate, see rbv_standard. */
typedef struct {
  int count; /* 0: not asked for */
  const char **name, **unit;
  double *value;
  bool *active; /* a drive column at its bound */
  int nbody;
  rbv_result_body *body;
  double chi2, gap, largest_move_sigma, weight;
  int iterations;
  bool converged;
} rbv_result_standard;

typedef struct {
  const char *robot; /* name */
  rbv_input robot_file;
  rbv_sensing sensing;
  bool payload;
  double gamma, stribeck; /* of the friction laws; stribeck 0: none has it */
  int ninput;
  rbv_input *input;
  int nvalidation_input; /* recordings behind validation; 0: none, or held out of the others */
  rbv_input *validation_input;
  int nsetting;
  rbv_setting *setting;
  const char *method;
  const char *choice; /* of auto: why this method; NULL or empty: it was asked for */
  int njoint;
  const char **joint; /* names */
  rbv_parameters estimate;
  const char **unit;       /* estimate.count */
  const char **meaning;    /* estimate.count: the combination as text */
  double *bootstrap_sigma; /* estimate.count: a second opinion; NULL: none was asked for */
  rbv_result_standard standard;
  rbv_fit fit;
  rbv_fit validation; /* on rows or logs that were not used; nrow = 0: none */
  rbv_diagnostics diagnostics;
  rbv_instruments instruments;
  int iterations;           /* of a method that repeats; 0: not known */
  rbv_iteration *iteration; /* iterations of them */
  bool converged;           /* it came to rest; true when iterations are not known */
  double band_hz; /* a method without decimation limited itself to this band; 0: it did not */
  double masked_fraction;
  void *memory; /* of a result that was loaded */
} rbv_result;

/*
 * Read what rbv_result_write wrote. Refused, with line and column: a file of another schema, an
 * entry that is missing or of another kind.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_load(rbv_result **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_result_parse(rbv_result **out, const char *name,
                                                   const char *text, size_t size);
RBV_API void rbv_result_free(rbv_result *result);

/*
 * Text of a setting, NULL when it is a number or not there; its number (also where a text of a
 * loaded result reads like one), or otherwise.
 */
RBV_API const char *rbv_result_setting(const rbv_result *result, const char *key);
RBV_API double rbv_result_number(const rbv_result *result, const char *key, double otherwise);

/* Write as JSON (schema roberval.result/1) into text that rbv_text_release frees. */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_write(char **text, size_t *size,
                                                   const rbv_result *result);
RBV_API void rbv_text_release(char *text);

#ifdef __cplusplus
}
#endif
#endif
