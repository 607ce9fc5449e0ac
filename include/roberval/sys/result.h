/*
 * result: parameter sets with their uncertainty, and results of identifications with their
 * provenance. This is the file that `identify` writes and other commands read.
 *
 * The structures are open: read and fill them. A loaded result owns its strings and arrays.
 */
#ifndef ROBERVAL_SYS_RESULT_H
#define ROBERVAL_SYS_RESULT_H

#include <stdbool.h>

#include <roberval/result.h>
#include <roberval/sys/base.h>
#include <roberval/sys/model.h>

RBV_BEGIN_C

/* ---- parameter sets: priors, truths, estimates ---- */

typedef struct {
  const char *name;
  double value;
  double sigma; /* NaN: not known */
  rbv_parameter_status status;
} rbv_parameter;

typedef struct {
  int count;
  rbv_parameter *item;
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
 * Values by column of a model: those of the set, and zero for all other columns. sigma (may be
 * NULL) is NaN where it is not known. Fails if the model does not have a name of the set, or if a
 * column gets two values.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_parameters_apply(double *chi, double *sigma,
                                                       const rbv_parameters *set,
                                                       const rbv_model *model);

/* ---- results ---- */

/* An input file. */
typedef struct {
  const char *path;
  const char *sha256; /* 64 digits; "" for a built-in robot */
  ptrdiff_t samples;
  double rate_hz;
  bool loaded;
  const char *differentiation; /* NULL: not known, or no recording; then ignore the members below */
  double cutoff_hz;            /* of the low-pass on positions; 0: no low-pass */
  double noise_hz;             /* vibration or noise from here on; 0: not found, or not searched */
  bool by_rows;                /* its stamps scatter around regular samples, and were not used */
  double held;                 /* rows of the file per sample, where they repeat values; 0: no */
  bool resampled;              /* because its time stamps were irregular */
  ptrdiff_t gaps, invalid;     /* gaps filled, samples not used */
  ptrdiff_t dropped;           /* bad rows that were left out */
} rbv_input;

/* How well one torque row (joint and channel) is predicted. */
typedef struct {
  int joint;
  rbv_torque torque;
  ptrdiff_t rows;        /* equations used */
  double relative_error; /* |Y - W chi| / |Y| */
  double comparable;     /* rbv_comparable_rows of the same samples; NaN: not known */
  double rms;            /* of the residual [N m or N] */
  double sigma;          /* weight: standard deviation of the row's own fit [N m or N] */
  double durbin_watson;
  double ks_p;
  bool coloured;         /* adjacent residuals are correlated more than decimation explains */
  double inflation;      /* true sigma over that of white noise, for slow columns; NaN: not known */
  double noise_variance; /* lambda of the row's noise model, a position [rad^2 or m^2]; 0: none */
  int noise_order;       /* of its autoregressive part */
  bool white_at_half;    /* coloured, but every second row would be white */
} rbv_row_fit;

#define RBV_COMPARABLE_HZ 5 /* band of the comparable error */

typedef struct {
  double relative_error; /* of the rows as they were used: filtered, decimated, masked */
  int nrow;
  rbv_row_fit *row;
  double comparable; /* rbv_comparable_error of the same samples; NaN: not known */
  double rest;       /* share of its square from rows slower than the mask (rbv_comparable_rest);
                        0: not known */
  double baseline;   /* the same with the robot file's parameters; NaN: it has none */
  double left_out; /* comparable error of blocks of time, each predicted by an estimate without it;
                      NaN: not known */
} rbv_fit;

typedef struct {
  double condition_number;        /* of the weighted system */
  double condition_number_scaled; /* after columns are scaled to unit norm */
  ptrdiff_t dof;
  double sigma;           /* of the weighted residual: 1 if the weights are correct */
  double sigma_inflation; /* median of sigma / sigma of white noise over all parameters */
  double predicted_error; /* of torques of other motions, from the covariance; infinite: parameters
                             are missing; NaN: not known */
  int predicted_joint;    /* with the largest part of it, from 1; 0: not known */
} rbv_diagnostics;

/*
 * Torques that a robust method clips. Normal noise has 18 % of them. Outliers, beyond six sigma,
 * occur everywhere alike; if they occur near reversals of the joints only, they are errors of the
 * friction model or of the sign of a velocity.
 */
typedef struct {
  double share;                     /* clipped, of all torques; 0: the method does not clip */
  double near_reversals, elsewhere; /* outliers, of the torques there; NaN: not known */
} rbv_clipping;

/* Strength of the instruments of an estimate, and the test for bias of least squares. */
typedef struct {
  double condition_number; /* of Z'W, columns scaled to unit norm */
  double strength;         /* smallest share of a column of W that Z explains; 0: no instruments */
  double hausman, hausman_p; /* Durbin-Wu-Hausman: is least squares biased on these data? */
  int hausman_dof;
  double shift;       /* largest difference of the two estimates, in sigma */
  const char *worst;  /* the parameter with this difference */
  bool biased;        /* p < 1 %, and the difference is large enough to matter */
  double first_stage; /* smallest F of a column, with its own instrument after all others and at
                         least as many equations as its torque has; NaN: not known */
} rbv_instruments;

/* An unknown of the closed loop. A gain is a factor on the given one, so that it can be estimated
 * from recordings with different gains. */
typedef struct {
  const char *name; /* "delay", "bias2", "k_p3" */
  const char *unit;
  double value, sigma; /* infinite sigma: the data do not determine it */
  double start;
  const char *partner; /* the unknown or parameter with the largest correlation; NULL: none */
  double correlation;  /* with it */
} rbv_loop_value;

/* How the simulated loop follows the recording, per joint. */
typedef struct {
  int joint;
  ptrdiff_t rows; /* means of some samples */
  double rms;     /* of the position error [rad or m] */
  double before;  /* rms with the values of the robot file; infinite: its loop diverges; NaN: it
                     has none */
  double inertia_share; /* rms torque of the rotor inertia over that of the joint; NaN: not known */
  double tracking;      /* rms of position minus reference, for comparison */
  double held_out;      /* rms of the position error in the part for validation; NaN: none */
  double durbin_watson; /* of the position error */
} rbv_output_fit;

/* Change of the parameters if the law, the drive or the links are not those that are given. */
typedef struct {
  const char *gains; /* "all", or the name of a gain, of all joints: if it is RBV_INFLUENCE_STEP
                        larger; or the name of a row of rbv_influence_text */
  double *shift;     /* one per parameter */
} rbv_gain_influence;

#define RBV_WEAK_INERTIA 0.1 /* inertia_share below which a rotor inertia is weak */

/* "if the loop of the drive runs at 1000 Hz or faster"; NULL: the name of gains. Of what positions
 * cannot show, law is true for the law and its drive. */
RBV_API const char *rbv_influence_text(bool *law, const char *name);

/* Whether recordings under different laws of the controller have the same optimum. */
#define RBV_AGREEMENT_P 0.001 /* below this p value they disagree */
typedef struct {
  int laws;          /* different laws of the recordings; below 2: nothing is compared */
  double p;          /* of the largest difference, times the number of differences */
  double difference; /* the largest one, in its sigma */
  const char *name;  /* where it is: a parameter or an unknown of the loop */
} rbv_law_agreement;

/* What a method finds that fits the simulated positions to the recorded ones. */
typedef struct {
  int noutput; /* joints; 0: another method */
  rbv_output_fit *output;
  int nunknown;
  rbv_loop_value *unknown;
  int ninfluence;
  rbv_gain_influence *influence;
  rbv_law_agreement agreement;
  int simulations; /* runs of the closed loop */
  int candidates;  /* of each generation of a global search; 0: there was none */
  int generations; /* of it */
  int starts;      /* of the search */
  int reached;     /* of these, how many reached the best optimum */
  bool stopped;    /* the search was cancelled: these are the best values until then */
  /* the motion does not determine the links: where it does not, those of the robot file hold */
  bool near_links;
} rbv_result_loop;

/* One iteration of an iterative method. */
typedef struct {
  double residual; /* relative error of the torque */
  double change;   /* largest change of a parameter, in its sigma; NaN: first iteration */
} rbv_iteration;

/* The value of an option: a text, or if that is NULL a number, or a flag (number 0 or 1). */
typedef struct {
  const char *key, *text;
  double number;
  bool flag;
} rbv_setting;

/* A body of the standard parameters. */
typedef struct {
  const char *name;  /* of its joint; "payload" */
  const char *state; /* "consistent", or the condition that is violated */
  const char *prior; /* "given", "assumed", "replaced" */
  double margin;     /* see rbv_body */
  bool active;       /* a consistency constraint of this body is active */
  /* posterior sigma, and the share that the data know (0 to 1, see rbv_standard) */
  double mass, mass_sigma, mass_known;                /* [kg] */
  double centre[3], centre_sigma[3], centre_known[3]; /* of mass [m] */
  double prior_mass, prior_centre[3];
} rbv_result_body;

/* Physically consistent standard parameters and their certificate, see rbv_standard. */
typedef struct {
  int count; /* 0: not requested */
  const char **name, **unit;
  double *value;
  double *sigma, *known; /* posterior sigma, infinite: nothing is known; share that the data know */
  bool *active;          /* a drive column at its bound */
  int nbody;
  rbv_result_body *body;
  double chi2, gap, largest_move_sigma, weight, mass_weight;
  double variance;   /* factor of the covariance of the base parameters */
  double free_error; /* relative error of the same rows without consistency; NaN: not known */
  bool failed;       /* consistency was asked for, and excludes what the torques say */
  int iterations;
  bool converged;
} rbv_result_standard;

/*
 * The estimate with one part of the data left out, for the uncertainty of any function of the
 * parameters: delete-a-block jackknife. Parts are contiguous blocks of time of equal length, and
 * whole recordings if there are at least four.
 */
typedef struct {
  int nblock;     /* blocks of time; 0: not known */
  double student; /* factor of the spread of few blocks, so that 1.96 sigma cover 95 %: quantile of
                     Student's distribution over that of the normal one */
  int nrecording; /* recordings; 0: fewer than four */
  double *deviation; /* (nblock + nrecording) x parameters, one row per part: estimate without the
                        part minus the estimate; zero if a parameter is not estimated */
} rbv_jackknife;

/*
 * An error that the identification found in its recordings, or in how they fit; or advice, whose
 * code is "coupling", "sensing" or "not questioned".
 */
typedef struct {
  const char *code;     /* "glitch"; see rbv_finding_name */
  const char *sentence; /* what was found, where, and what to do */
  const char *option;   /* option that helps; NULL: none */
} rbv_result_finding;

/* ---- judgement ---- */

typedef enum {
  RBV_VERDICT_USABLE,
  RBV_VERDICT_CARE, /* with care: read the reasons */
  RBV_VERDICT_NO    /* do not use */
} rbv_verdict;

RBV_API const char *rbv_verdict_name(rbv_verdict verdict); /* "usable", "with care", "do not use" */

typedef struct {
  rbv_verdict level; /* verdict if this were the only reason */
  const char *rule;  /* "validation": short and stable name of the rule */
  const char *text;  /* sentences: what was found, how sure, what to do */
  bool passed;       /* a check with a good outcome; usable without it: a note */
  double value;      /* the number that decided; NaN: none */
  double sigma;      /* its standard deviation; NaN: not known */
  int joint;         /* from 1; 0: none or all */
  const char *cure;  /* option of the identification that helps, "delay 0.004"; NULL: none */
} rbv_reason;

/* What the checks of the recordings and of the fit say together; worst reasons first. */
typedef struct {
  rbv_verdict level;
  int nreason; /* 0: nothing was judged */
  rbv_reason *reason;
} rbv_judgement;

/* A friction term that was chosen from the recordings. */
typedef struct {
  const char *name;        /* of its column: "Fl3" */
  double shape;            /* its shape parameter; NaN: it has none */
  bool at_bound;           /* the smallest value that was tried: it is not identified */
  double shape_sigma;      /* of the shape parameter; NaN: not known */
  double gain, gain_sigma; /* fall of the held-out error of the joint's torque, as a fraction */
} rbv_result_friction;

#define RBV_FRICTION_SPEEDS 3

/* What the friction terms of a joint add up to at 10, 50 and 100 % of its typical top speed. */
typedef struct {
  int joint;
  const char *unit;                  /* "N m" or "N" */
  double speed[RBV_FRICTION_SPEEDS]; /* [rad/s or m/s] */
  double
      torque[RBV_FRICTION_SPEEDS]; /* against the motion, without load: mean of both directions */
  double sigma[RBV_FRICTION_SPEEDS];
  double load[RBV_FRICTION_SPEEDS]; /* more for each N m (N) that the gear transmits */
} rbv_result_friction_speeds;

/*
 * The spring of an elastic joint, from encoders on both of its sides: the deflection d of the joint
 * (motor less link) follows the torque tau of the motor, its acceleration a and its speed v,
 *
 *   stiffness d + cubic d^3 + damping dd/dt = tau - inertia a - viscous v - coulomb sign(v) -
 * offset
 *
 * viscous contains friction and, times the stiffness, a delay between the two encoders. offset is
 * the torque at which the spring of the first recording is relaxed.
 */
typedef struct {
  int joint;
  const char *unit;        /* of the stiffness */
  double stiffness, sigma; /* infinite sigma: the deflection does not follow the torque */
  double cubic, damping, damping_sigma;
  double inertia, inertia_sigma, viscous, coulomb, offset;
  double deflection; /* rms of the deflection about its mean [rad or m] */
  double rest;       /* rms of what torque, speed and acceleration leave of it */
  double delay_s;    /* of the link's encoder that alone explains as much of it as it can, for
                        comparison */
} rbv_result_spring;

/* A way to identify that competed: terms of friction, and whether bodies are consistent. */
typedef struct {
  const char *name;
  const char *friction; /* its terms; NULL: chosen from the recordings, or none */
  bool consistent;
  double score; /* mean ratio of its errors and those of the first candidate (geometric mean) */
  double *fold; /* folds: comparable error of each part that was left out; at most
                   RBV_FOLD_ERROR_MOST */
} rbv_result_candidate;

#define RBV_FOLD_ERROR_MOST 9.99

/*
 * Candidates that were compared on parts of the recordings that none of their estimates used: the
 * end and the start of one recording, or whole recordings in turn.
 */
typedef struct {
  int folds;
  int ncandidate; /* 0: there was no comparison */
  rbv_result_candidate *candidate;
  int chosen;
  double error;       /* of the chosen candidate: geometric mean over the parts */
  double plain;       /* the same of the first one, which has no further friction terms */
  const char *reason; /* why the first one is kept although another one has a better score */
} rbv_cross_validation;

/* A parameter of a filter scan. */
typedef struct {
  const char *name;
  bool compared; /* identified, so that a relative change means something */
} rbv_scan_parameter;

/* One estimate of a filter scan. */
typedef struct {
  const char *method;
  double cutoff_hz;   /* of the low-pass on positions */
  int decimate;       /* 1: torques and columns are not filtered */
  bool from_data;     /* the decimation is that from the data, or the given one; else 1 */
  const char *used;   /* method of the estimate: iv where the noise model of piv failed */
  const char *reason; /* why there is no estimate; NULL: there is one */
  bool converged;
  int iterations;
  double error;            /* relative error of the torque in its rows */
  double durbin_watson[2]; /* smallest and largest of the torques */
  double change; /* median over the compared parameters of |value - reference| / |reference| */
  double *value, *sigma; /* nparameter; NULL: no estimate */
} rbv_scan_run;

/* What a filter scan says about a method. */
typedef struct {
  const char *method;
  int runs;           /* with an estimate */
  int stable;         /* compared parameters within 1.96 of their sigma of the middle in all runs */
  double most_change; /* largest change of a run; NaN: there is none */
  double largest;     /* largest relative distance of a compared parameter from the reference */
  const char *worst;  /* this parameter */
  double *reference;  /* nparameter: given, or the middle (median) over the runs of the method */
} rbv_scan_method;

/* Estimates by several methods with several filters. */
typedef struct {
  const char *against; /* what the reference values are: "middle", "robot" or a file */
  int compared;        /* parameters */
  int nparameter;
  rbv_scan_parameter *parameter;
  int nrun; /* 0: there was no scan */
  rbv_scan_run *run;
  int nmethod;
  rbv_scan_method *method;
} rbv_filter_scan;

/* A file that an option named. */
typedef struct {
  const char *option, *path, *sha256;
} rbv_result_file;

struct rbv_result {
  const char *version; /* of the library that made the result; NULL: this one */
  const char *robot;   /* name */
  rbv_input robot_file;
  rbv_sensing sensing;
  bool payload;
  double gamma, stribeck; /* of the friction laws; stribeck 0: no Stribeck friction */
  double *smooth;         /* njoint: speed of rbv_smoothing, 0: gamma, or no smoothing */
  int ninput;
  rbv_input *input;
  int nvalidation_input; /* validation recordings; 0: none, or rows held out of the others */
  rbv_input *validation_input;
  int nsetting;
  rbv_setting *setting; /* all options with their values, by the name in the option table */
  int nfile;
  rbv_result_file *file; /* files that options named */
  int nchosen;
  rbv_setting *chosen; /* values chosen from the data or computed before the estimate */
  int nfinding;
  rbv_result_finding *finding; /* errors found in the recordings; they make the result doubtful */
  int nfriction;
  rbv_result_friction *friction; /* terms chosen from the recordings */
  int nfriction_speeds;
  rbv_result_friction_speeds *friction_speeds; /* of each joint; 0: a result of an old version */
  int nspring;
  rbv_result_spring *spring;             /* of joints whose deflection was recorded */
  rbv_cross_validation cross_validation; /* of the automatic choice */
  rbv_filter_scan filter_scan;
  int nadvice;
  rbv_result_finding *advice; /* what the robot file, the options or the checks may lack */
  const char *method;
  const char *choice; /* reasons for this method; NULL or empty: the user chose it */
  int njoint;
  const char **joint; /* names */
  rbv_parameters estimate;
  const char **unit;       /* estimate.count */
  const char **meaning;    /* estimate.count: the combination as text */
  double *sigma_white;     /* estimate.count: sigma if the residual were white; NULL: not known */
  rbv_jackknife jackknife; /* source of the sigmas */
  double *bootstrap_sigma; /* estimate.count: from the bootstrap; NULL: not requested */
  rbv_result_standard standard;
  rbv_fit fit;
  rbv_fit validation; /* on rows or logs that were not used; nrow = 0: none */
  rbv_diagnostics diagnostics;
  rbv_instruments instruments;
  rbv_result_loop loop;
  int iterations;           /* of an iterative method; 0: not known */
  rbv_iteration *iteration; /* array of length iterations */
  bool converged;           /* true also if iterations is not known */
  int kept_iteration;       /* its simulated motion was kept, because later ones failed; 0: none */
  double band_hz;           /* band limit of a method without decimation; 0: none */
  double masked_fraction;
  rbv_clipping clipping;
  rbv_judgement verdict; /* nreason 0: a result of a version without it */
  void *memory;          /* of a loaded result */
};

/* Read a result from text; name is used in messages. See rbv_result_load. */
RBV_API RBV_MUST_CHECK rbv_status rbv_result_parse(rbv_result **out, const char *name,
                                                   const char *text, size_t size);

/*
 * The error that every output names, and that of the robot file: of torques up to RBV_COMPARABLE_HZ
 * in every row, on data that were not used for the estimate if there are such data.
 */
typedef struct {
  double error, file; /* shares of the torque; file: NaN: the robot file has no values */
  const char *data;   /* "on other recordings" and the like */
  bool own;           /* the data of the fit: others were not kept back */
  const rbv_fit *fit; /* with the errors of the joints */
} rbv_headline;

#define RBV_HEADLINE_MAX 120
RBV_API rbv_headline rbv_result_headline(const rbv_result *result);

/* "Simulated freely, the robot file is off by 8.1 mrad, the identified model by 2.4 mrad"; empty if
 * the joints have different units, or nothing was simulated. */
RBV_API void rbv_loop_headline(char out[RBV_HEADLINE_MAX], const rbv_result_loop *loop,
                               const bool *slides);

/* "error on other recordings: robot file 12.1 %, identified 5.31 %"; empty if it is not known */
RBV_API void rbv_headline_write(char out[RBV_HEADLINE_MAX], const rbv_headline *gain);

RBV_END_C
#endif
