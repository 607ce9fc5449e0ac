/*
 * identify: estimate parameters from motions. The methods differ in the source of the columns, in
 * the filter and the weights of the rows, and in what they repeat. Each method is one row of a
 * table, and one loop runs all of them.
 */
#ifndef ROBERVAL_SYS_IDENTIFY_H
#define ROBERVAL_SYS_IDENTIFY_H

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/consistency.h>
#include <roberval/sys/device.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sim.h>
#include <roberval/sys/stats.h>

RBV_BEGIN_C

/*
 * Function that replaces the simulation of the closed loop, so that one simulation can serve
 * several identifications. It simulates motion i along its reference, with its load and with the
 * control and options of the loop, as rbv_sim_run does with one lane.
 *
 *   lane   in  parameters and gains; borrowed for the call
 *   trace  in  its arrays q, dq and ddq receive the motion
 */
typedef rbv_status rbv_simulator(rbv_sim_outcome *outcome, void *self, int motion,
                                 const rbv_sim_lane *lane, const rbv_sim_trace *trace);

/*
 * The closed loop of the recording, for methods that simulate it (didim, iv, piv, slide): the same
 * controller on the same reference, with the parameters of the last estimate. All pointers are
 * borrowed. The friction law of the model should be the smooth one (gamma 150) throughout.
 */
typedef struct {
  const rbv_control *control;
  const rbv_sim_reference *reference; /* one per motion, at its rate, which the controller shares */
  const rbv_sim_options *sim;         /* NULL: the defaults */
  const double *start;   /* initial chi; NULL: rotor inertias only (Gautier 2011 eq. 27) */
  const double *inertia; /* njoint: J that the gains were tuned for; NULL: gains are not scaled */
  int scaled_steps;      /* iterations with gains scaled by J of the model / J; -1: all */
  ptrdiff_t skip; /* samples at the start of a motion that are left out because of the transient */
  int most;       /* largest number of iterations; 0: 20, cloe 50 */
  double
      stop_residual; /* relative change of the residual, and change of a parameter in its sigma, */
  double stop_step;  /* below which the iteration stops; 0: 0.025 and 0.1 */
  bool stop_printed; /* stop rule as printed in Gautier 2011 eq. 26: any decrease stops it */
  rbv_simulator *simulator; /* NULL: own simulation */
  void *simulator_self;

  /* Of cloe only. */
  const rbv_control *const *controls; /* one per motion; NULL: control for all */
  const double *const *measured; /* one per motion: positions as recorded, count x njoint; NULL, or
                                    an element that is NULL: those of the motion */
  const double *known;           /* parameters of the robot file, for a feed-forward of the
                                    controller and for known links; NULL: none */
  const rbv_unknown *unknown;    /* nunknown: unknowns of the loop besides the base parameters */
  int nunknown;
  double start_delay_s;    /* start value of delays */
  const double *stiffness; /* njoint: of elastic joints with encoders on the motors (rbv_sim_lane),
                              or their start values; needs known_links. NULL: rigid */
  const double *damping;   /* njoint: of their springs */
  double longest_delay_s;  /* 0: 50 ms */
  double segment_s;        /* motions are simulated in segments of about this length, each from the
                              measured state; the first skip samples of each are left out. 0: whole */
  bool start_links; /* the links of the start values are those of `known`, the drives passive:
                       a regular mass matrix. Without it: as `start` says */
  bool known_links; /* base parameters of links alone are those of `known`; drives, and base
                       parameters into which a drive is regrouped, are estimated */
  int starts;       /* searches from random start values around the first; 0: one */
  bool global;      /* the later starts are the best of a population of candidates around the
                       first, which is judged over several generations; starts 0: four */
  double limit_s;   /* the search ends after this time of the processor with the best values so far;
                       0: 20 s or 100 simulations per start, whichever is longer; < 0: no limit */
  int population, generations; /* of global; 0: 256 candidates on the CPU, 32768 on a device; 40 */
  rbv_device *device;          /* that simulates the candidates; NULL: the CPU */
  bool torques;        /* fit the torques of the motions too, weighted by their own residual */
  const double *noise; /* njoint: sigma of a recorded position [rad or m]. Not NULL: nothing is
                          fitted. The recordings are simulations with the start values and this
                          noise, and the estimate has the sigma to expect from them, for white
                          residuals; for designs of motions */
} rbv_closed_loop;

/* Gains scaled in two iterations. */
RBV_API rbv_closed_loop rbv_closed_loop_defaults(void);

/* Called after every iteration of a method that iterates; iteration counts from 1. */
typedef void rbv_identify_progress(void *self, int iteration, const rbv_iteration *now);

/* A structure of zeros is valid and means the defaults, with seed 0. */
typedef struct {
  const char *method;    /* name of a row of the table; NULL: "wls" */
  rbv_row_filter filter; /* folds is not used */

  /* Base parameters to estimate, selected by the column that represents them: one flag per column
   * of the model; the others are taken as zero. NULL: all. */
  const bool *columns;

  /*
   * Parameters (all columns of the model) of the torque through the gears, for friction laws that
   * depend on it. NULL: they are estimated first without these laws, then with them, until their
   * coefficients rest.
   */
  const double *load;

  const double *row_sigma; /* sigma of each torque row [N m or N]; NULL: as the method sets it */

  /*
   * Prior: one value per column of the model, for example from CAD. It is used for base parameters
   * of links, and for others if it is not zero, where the motion gives little information.
   */
  const double *prior;
  const double *prior_sigma; /* one per column, NaN: not known; NULL: none known */
  double prior_weight;       /* weight of priors without sigma; 0: found by cross-validation */

  /*
   * Make the estimate physically consistent (module consistency), with the prior above or otherwise
   * the values of the robot file: the cost of the method plus the divergence of the bodies from the
   * prior, which counts as accurate to about a quarter (rbv_consistency_bodies).
   * Not possible with essential, because the uncertainty of dropped parameters is unknown.
   */
  bool consistent;
  double total_mass; /* total mass of all links, kept by consistent parameters [kg]; 0: not known */
  const rbv_ellipsoid *bound; /* one per body, contains its mass; NULL: none */
  bool essential; /* drop parameters that are not significant by the F-statistic (Jubien 2014
                     section 3.4). A method with instruments, which has no such statistic, estimates
                     those that wls keeps; the others are then not in the estimate */
  const rbv_closed_loop *loop; /* for methods that simulate */
  double holdout; /* share of each motion, at its end, that is used for validation only [0, 1) */
  bool rough;     /* values only, without sigmas and statistics */
  bool brief;     /* without tests of the residuals: durbin_watson, ks_p and inflation are NaN */
  int bootstrap;  /* number of resamplings of blocks for a second estimate of sigma; 0: none */
  uint64_t seed;
  rbv_identify_progress *progress; /* NULL: none */
  void *progress_self;
} rbv_identify_options;

/* Method wls, no decimation, seed 1; all other options off. */
RBV_API rbv_identify_options rbv_identify_defaults(void);

/* A method: source of W and Z, filter and weights of the rows, what is repeated. */
typedef struct {
  const char *name, *text;
  bool weighted; /* rows are divided by the sigma of their own fit */
  bool robust;   /* torques are clipped around the last estimate, until it converges */
  bool total;    /* errors in the columns too */
  bool whitened; /* rows at the full rate, filtered with the inverse of their noise model: a mask
                    would interrupt their sequence, and the noise of the derivatives must not be cut
                    off (Brunot 2018 section 4.3) */
  bool chooses;  /* runs other methods and keeps one of them */
  bool sliding;  /* equations are left out where joints stand still */
  bool bounded;  /* sigma_white of its estimate is the Cramer-Rao bound of its noise model */
  bool encoder_safe; /* friction is right also where the controller reacts to the steps of a coarse
                  encoder; it can otherwise be off by several sigma */
  /* Use of the simulated motion: none; W, so that torques and the reference are sufficient; Z,
   * which accepts no prior; fitted to the recorded positions, without torques. */
  enum { RBV_LOOP_OPEN, RBV_LOOP_DIDIM, RBV_LOOP_INSTRUMENTS, RBV_LOOP_OUTPUT } loop;
} rbv_method;

/* The row of a method, never NULL: with the name NULL where there is no such method. The method
 * NULL is "wls". */
RBV_API const rbv_method *rbv_method_find(const char *name);

/*
 * Compute the speeds below which the method leaves out equations of these motions (fade of
 * rbv_row_filter), njoint values; zero for a method that does not do so.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify_fade(double *fade, const char *method,
                                                    rbv_motion *const *motions, int nmotion);

/* Name of method i; NULL past the last one. */
RBV_API const char *rbv_identify_method(int i);

/* Result of an identification; read-only for the user. */
typedef struct {
  const char *method;
  rbv_base *base;               /* base parameters of the model structure */
  double *value;                /* base->count; zero if not estimated */
  double *covariance;           /* base->count square; infinite diagonal: not estimated. The
                                   correlations are those of white noise, the sigmas those of the
                                   jackknife where they are larger */
  double *sigma_white;          /* base->count: sigma if the residual were white */
  rbv_jackknife jackknife;      /* estimates without one block of time or one recording */
  rbv_parameter_status *status; /* base->count */
  double *relation; /* base->count x ncolumn: combination of columns that each value represents */
  double *chi;      /* all columns: each value in its column, zero elsewhere */
  rbv_standard *standard;  /* with the option consistent: standard parameters that belong to value;
                              else NULL */
  double *free_value;      /* base->count: value before the bodies were made consistent */
  double free_error;       /* relative error of the rows with it */
  bool bodies_fail;        /* consistent bodies were asked for, and fit far worse than free_value */
  bool bootstrapped;       /* bootstrap_sigma was computed */
  double *bootstrap_sigma; /* base->count, NaN: not known */
  int motions;             /* number of motions */
  int active;              /* number of estimated parameters */
  int dropped;             /* number of parameters dropped by the F-statistic */
  int left_out;            /* base parameters that were not chosen and are not in base */
  struct {
    double condition, strength; /* of Z'W, scaled; worst share of a column of W in Z */
    double first_stage;         /* smallest F of a column; see rbv_instruments */
    rbv_hausman hausman;        /* test for bias of least squares on these data */
  } instruments;                /* of methods with instruments; strength 0: there are none */
  int iterations;               /* of a method that iterates, else 1 */
  rbv_iteration *iteration;     /* one per iteration */
  bool converged;
  /* A later simulation failed and the motion of this iteration was kept (not converged); 0: no. */
  int kept_iteration;
  double band_hz;      /* piv: band of its rows; 0: not limited */
  double prior_weight; /* weight that was used; 0: no prior */
  rbv_fit fit;         /* of the rows used for the estimate */
  rbv_fit validation;  /* of the rows held out; nrow = 0 if there are none */
  rbv_diagnostics diagnostics;
  double masked_fraction;
  rbv_clipping clipping;
  rbv_result_loop loop; /* cloe: the loop and its unknowns */
  char choice[800];     /* reasons if method is not the one that was asked for; else empty */
} rbv_estimate;

/*
 * Estimate the base parameters.
 *
 *   motions  in  nmotion motions of the same robot
 *   options  in  NULL: the defaults
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify(rbv_estimate **out, const rbv_model *model,
                                               rbv_motion *const *motions, int nmotion,
                                               const rbv_identify_options *options);
RBV_API void rbv_estimate_free(rbv_estimate *estimate);

/*
 * Relative error that does not depend on method, filter and mask, so that runs can be compared:
 * measured and predicted torques are low-passed without delay to RBV_COMPARABLE_HZ, and every row
 * counts. (A recording of less than 1.3 s has too few rows then: it is filtered less.)
 *
 *   used, held  out  of the samples before and after the start of the held-out part of each motion;
 *                    held may be NULL; NaN if there are none
 *   holdout     in   share at the end of each motion that was held out
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_comparable_error(double *used, double *held,
                                                       const rbv_model *model,
                                                       rbv_motion *const *motions, int nmotion,
                                                       const double *chi, double holdout,
                                                       int threads);

/*
 * The same for every torque row as well.
 *
 *   used_rows, held_rows  out  row_count each, or NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_comparable_rows(
    double *used_rows, double *held_rows, double *used, double *held, const rbv_model *model,
    rbv_motion *const *motions, int nmotion, const double *chi, double holdout, int threads);

/*
 * The share of the squared comparable error that lies in rows whose joint is slower than `speed`
 * [rad/s or m/s]: torque at rest, which depends on the last motion.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_comparable_rest(double *used, double *held,
                                                      const rbv_model *model,
                                                      rbv_motion *const *motions, int nmotion,
                                                      const double *chi, double holdout,
                                                      double speed, int threads);

/*
 * Whether the torques that a robust method clipped are outliers. If not, clipping biases the
 * estimate, mostly of friction.
 *
 *   sentence  out  why not, empty if they are
 */
RBV_API bool rbv_clipping_is_sound(char *sentence, size_t size, const rbv_clipping *clipping);

/* How well parameters predict motions: per torque row of the model and in total. */
typedef struct {
  rbv_fit fit;       /* with the row filter */
  double unfiltered; /* relative error of the recorded torques, without filter and mask */
} rbv_prediction;

/* filter NULL: every sample, no mask. */
/* Only the relative error of the filtered rows, as in `fit` of a prediction. */
RBV_API RBV_MUST_CHECK rbv_status rbv_predict_error(double *error, const rbv_model *model,
                                                    rbv_motion *const *motions, int nmotion,
                                                    const double *chi,
                                                    const rbv_row_filter *filter);

RBV_API RBV_MUST_CHECK rbv_status rbv_predict(rbv_prediction **out, const rbv_model *model,
                                              rbv_motion *const *motions, int nmotion,
                                              const double *chi, const rbv_row_filter *filter);
RBV_API void rbv_prediction_free(rbv_prediction *prediction);

/* ---- state-dependent parameters ---- */

#define RBV_STATE_POINTS 16
#define RBV_STATE_DEPENDENCES 3

/* A parameter that the torques show to be a function of a state. */
typedef struct {
  int parameter;   /* index in the list of columns */
  int joint;       /* whose state it depends on */
  bool velocity;   /* on its velocity; false: on its position */
  double decrease; /* of the squared error of blocks of time that were not used, 0 to 1 */
  double at[RBV_STATE_POINTS], value[RBV_STATE_POINTS]; /* the function; NaN: not visited */
  double sigma[RBV_STATE_POINTS];                       /* jackknife over blocks of time */
} rbv_state_dependence;

/*
 * Find parameters that are functions of a position or of a velocity: a term that the model lacks
 * (Janot, Young and Gautier 2017). All parameters and the function, a random walk over the state,
 * are estimated together; functions are added one by one while they predict blocks of time that
 * were not used better. Nothing is searched in models with friction that has a memory or depends on
 * the load.
 *
 *   count   out  functions found
 *   column  in   ncolumn columns of the model that represent the estimated base parameters
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_state_dependences(
    rbv_state_dependence out[RBV_STATE_DEPENDENCES], int *count, const rbv_model *model,
    rbv_motion *const *motions, int nmotion, const int *column, int ncolumn);

/* ---- prediction of motions ---- */

#define RBV_HORIZONS 7 /* 0.05, 0.1, 0.2, 0.5, 1, 2, 5 s */

/* Error of predicted positions at one horizon. */
typedef struct {
  double horizon_s;
  int starts;    /* predictions that reach this horizon within the recording */
  int lost;      /* of these, how many diverged or broke down before; they are not in the errors */
  double *joint; /* njoint: rms of predicted minus measured position [rad or m]; NaN: no start */
  double *naive; /* njoint: the same for a motion with constant velocity */
  double tool; /* rms distance of the origin of the last joint frame from its measured place [m] */
  double tool_naive;
} rbv_horizon;

typedef struct {
  bool closed; /* under the controller; false: driven by the recorded torques */
  int count;   /* horizons that are not longer than the motions */
  rbv_horizon horizon[RBV_HORIZONS];
} rbv_horizons;

/* The loop of a prediction; controls NULL: the recorded torques drive the robot. */
typedef struct {
  const rbv_control *const *controls; /* one per motion */
  const rbv_sim_reference *reference; /* one per motion */
  const double *const *measured;      /* one per motion: positions as recorded, or NULL */
  const double *known;                /* parameters of a feed-forward; NULL: none */
  double delay_s;                     /* of the torque */
  const double *bias;                 /* njoint: of the encoders; NULL: 0 */
  double longest_s;                   /* longest horizon; 0: 5 s */
  int starts;                         /* at most, over all motions; 0: 50 */
} rbv_horizon_options;

/*
 * Predict motions from many measured states and compare positions after each horizon. The robot
 * starts with measured position and velocity. Under a controller, its memory is first filled along
 * the recording; an integral starts so that the first torque is the recorded one where the motion
 * has torques. Motions must be in memory.
 *
 *   chi  in  parameters of all columns
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_predict_motion(rbv_horizons **out, const rbv_model *model,
                                                     rbv_motion *const *motions, int nmotion,
                                                     const double *chi,
                                                     const rbv_horizon_options *options);
RBV_API void rbv_horizons_free(rbv_horizons *horizons);

/* ---- drive gains ---- */

/*
 * Estimate the torque per unit of the recorded torque signal (for example ampere) of each joint,
 * from motions with and without a payload of known mass. Without such a mass the dynamics is known
 * only up to a common factor. The recorded torque signals contain the errors, so this is total
 * least squares in their columns and least squares in the others.
 *
 *   gain, sigma  out  njoint; sigma from resampling blocks of time
 *   filter       in   NULL: every sample, no mask
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify_gains(double *gain, double *sigma,
                                                     const rbv_model *model,
                                                     rbv_motion *const *motions, int nmotion,
                                                     const rbv_row_filter *filter,
                                                     double known_mass, uint64_t seed);

/*
 * Estimate torque constants from a recording with open motor terminals, where the voltage is the
 * back-EMF: columns qm1... [rad] and emf1... [V] of a log. k [V s/rad] equals the torque constant
 * [N m/A] at the rotor.
 *
 *   cutoff_hz  in  low-pass filter of the positions before they are differentiated
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify_back_emf(double *k, double *sigma, int njoint,
                                                        const rbv_log *log, double cutoff_hz);

/*
 * Copy an estimate into a result: parameters with sigma, unit, status and meaning, fit,
 * diagnostics. The result borrows from the estimate and the model; rbv_estimate_unreport frees what
 * was added. The caller adds the provenance.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_estimate_report(rbv_result *result,
                                                      const rbv_estimate *estimate,
                                                      const rbv_model *model);
RBV_API void rbv_estimate_unreport(rbv_result *result);

RBV_END_C
#endif
