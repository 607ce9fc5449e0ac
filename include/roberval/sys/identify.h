/*
 * identify: from motions to parameters. The estimators of the papers differ in where the columns
 * come from, how rows are filtered and weighted, and whether the loop repeats; each is a row of one
 * table, run by one loop.
 */
#ifndef ROBERVAL_SYS_IDENTIFY_H
#define ROBERVAL_SYS_IDENTIFY_H

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/consistency.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sim.h>
#include <roberval/sys/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Who simulates in the loop's place, where several identifications can be served at once: motion i
 * along its reference, with its load and the loop's control and options, as rbv_sim_run does with
 * one lane.
 *
 *   lane   in  parameters and gains; borrowed for the call
 *   trace  in  where q, dq and ddq go
 */
typedef rbv_status rbv_simulator(rbv_sim_outcome *outcome, void *self, int motion,
                                 const rbv_sim_lane *lane, const rbv_sim_trace *trace);

/*
 * The loop that the robot was recorded in, for methods that simulate it (didim, iv, piv): the same
 * controller on the same reference, with the parameters of the last estimate. Everything is
 * borrowed. The model's friction law should be the smooth one (gamma 150), in all that is computed.
 */
typedef struct {
  const rbv_control *control;
  const rbv_sim_reference *reference; /* one per motion, at the controller's and motion's rate */
  const rbv_sim_options *sim;         /* NULL: the defaults */
  const double *start;   /* chi to begin with; NULL: rotor inertias alone (Gautier 2011 eq. 27) */
  const double *inertia; /* njoint: J that the gains were tuned for; NULL: as they are */
  int scaled_steps;      /* iterations with gains scaled by J of the model over J; -1: all */
  ptrdiff_t skip;        /* samples at the start that hold the transient */
  int most;              /* iterations */
  bool
      stop_printed; /* stop by Gautier 2011 eq. 26 as it is printed, which any decrease satisfies */
  rbv_simulator *simulator; /* NULL: a simulation of its own */
  void *simulator_self;
} rbv_closed_loop;

/* No scaling beyond two iterations, 20 iterations at most. */
RBV_API rbv_closed_loop rbv_closed_loop_defaults(void);

/* Called after every round of a method that repeats; iteration counts from 1. */
typedef void rbv_identify_progress(void *self, int iteration, const rbv_iteration *now);

typedef struct {
  const char *method;    /* name of a row of the table, "wls" */
  rbv_row_filter filter; /* folds is set by what else is asked for */

  /* Base parameters that take part, by the column in whose slot they stand: one per column of the
   * model; the others are taken as zero. NULL: all. */
  const bool *columns;

  const double
      *row_sigma; /* weights: sigma of each torque row [N m or N]; NULL: as the method has it */

  /*
   * Values to lean on where the motion says little: one per column of the model (a CAD model's
   * masses, say). They hold base parameters of links, and others that are not zero.
   */
  const double *prior;
  const double *prior_sigma; /* one per column, NaN: not known; NULL: none known */
  double prior_weight;       /* of priors without sigma; 0: found by cross-validation over blocks */

  /*
   * Hold the estimate to parameters that can exist (physical), with the prior above or else the
   * robot file's own values: the constrained optimum of the method's own cost. Not together with
   * essential, which leaves the uncertainty of what it drops unknown.
   */
  bool consistent;
  double total_mass; /* of all links, which consistent parameters then keep [kg]; 0: not known */
  const rbv_ellipsoid *bound; /* one per body, within which its mass then lies; NULL: none */
  bool essential; /* drop parameters that the F-statistic does not miss (Jubien 2014 section 3.4) */
  const rbv_closed_loop *loop; /* for methods that simulate */
  double holdout; /* share of each motion, at its end, that is kept for validation [0, 1) */
  int bootstrap;  /* resamples of blocks for a second opinion on sigma; 0: none */
  uint64_t seed;
  rbv_identify_progress *progress; /* NULL: nobody wants to know */
  void *progress_self;
} rbv_identify_options;

RBV_API rbv_identify_options rbv_identify_defaults(void);

/* Does a method simulate the loop? */
RBV_API bool rbv_identify_simulates(const char *method);

/* Does it need recorded positions, or are torques and the reference enough? */
RBV_API bool rbv_identify_needs_positions(const char *method);

/* Does it solve with instruments? Then a prior and essential are not for it. */
RBV_API bool rbv_identify_has_instruments(const char *method);

/*
 * Speeds below which its equations fade out on these motions (rbv_row_filter's fade), njoint; zero
 * for a method that has none.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify_fade(double *fade, const char *method,
                                                    rbv_motion *const *motions, int nmotion);

/* Name of method i and what it is, NULL past the last. */
RBV_API const char *rbv_identify_method(int i);
RBV_API const char *rbv_identify_method_text(int i);

/* What was estimated; read-only for the user. */
typedef struct {
  const char *method;
  rbv_base *base;               /* of the structure: what could be identified */
  double *value;                /* base->count; zero where nothing was found */
  double *covariance;           /* base->count square; infinite diagonal: not estimated */
  rbv_parameter_status *status; /* base->count */
  double *relation;             /* base->count x ncolumn: what each value stands for here */
  double *chi;                  /* all columns: the values in their slots, zero elsewhere */
  rbv_standard *standard;       /* when asked to be consistent: what value belongs to; else NULL */
  bool bootstrapped;            /* the next was asked for */
  double *bootstrap_sigma;      /* base->count, NaN: not known */
  int active;                   /* parameters that were estimated */
  int dropped;                  /* by the F-statistic */
  struct {
    double condition, strength; /* of Z'W, columns scaled; worst column of W that Z explains */
    rbv_hausman hausman;        /* is least squares biased on these data? */
  } instruments;                /* of iv and piv; strength 0: there are none */
  int iterations;               /* of a method that repeats, else 1 */
  rbv_iteration *iteration;     /* iterations of them */
  bool converged;
  double band_hz;      /* piv: its rows hold this band; 0: all of it */
  double prior_weight; /* that was used; 0: no prior */
  rbv_fit fit;         /* of the rows that were used */
  rbv_fit validation;  /* of those held out; nrow = 0 when there are none */
  rbv_diagnostics diagnostics;
  double masked_fraction;
  char choice[800]; /* of auto: why it chose this method; else empty */
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

/* How well parameters predict a motion: one row per torque row of the model, and overall. */
typedef struct {
  rbv_fit fit;       /* through the row filter */
  double unfiltered; /* relative error of the raw torques, nothing filtered or masked */
  void *memory;
} rbv_prediction;

RBV_API RBV_MUST_CHECK rbv_status rbv_predict(rbv_prediction **out, const rbv_model *model,
                                              rbv_motion *const *motions, int nmotion,
                                              const double *chi, const rbv_row_filter *filter);
RBV_API void rbv_prediction_free(rbv_prediction *prediction);

/* ---- payload ---- */

/* What hangs on the last link, in its frame, with standard deviations; infinite: not identifiable.
 */
typedef struct {
  double mass, mass_sigma;             /* [kg] */
  double centre[3], centre_sigma[3];   /* of mass [m] */
  double inertia[6], inertia_sigma[6]; /* about the centre of mass: xx xy xz yy yz zz [kg m^2] */
} rbv_payload;

/* From an estimate of a model with payload, over loaded and unloaded motions. */
RBV_API RBV_MUST_CHECK rbv_status rbv_payload_get(rbv_payload *out, const rbv_estimate *estimate,
                                                  const rbv_model *model);

/* ---- drive gains ---- */

/*
 * Torque per unit of what was recorded as torque (amperes, say), for each joint, from loaded and
 * unloaded motions and the payload's known mass: without a gain the whole dynamics would only be
 * known up to a factor. The recorded signals carry the errors, so this is total least squares in
 * their columns and least squares in the others.
 *
 *   gain, sigma  out  njoint; sigma by drawing blocks of time with replacement
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify_gains(double *gain, double *sigma,
                                                     const rbv_model *model,
                                                     rbv_motion *const *motions, int nmotion,
                                                     const rbv_row_filter *filter,
                                                     double known_mass, uint64_t seed);

/*
 * Torque constants from a run with open motor terminals, where the voltage is the back-EMF: columns
 * qm1... [rad] and emf1... [V] of a log. k [V s/rad] is the torque constant [N m/A] at the rotor.
 *
 *   cutoff_hz  in  low-pass before the positions are differenced
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identify_back_emf(double *k, double *sigma, int njoint,
                                                        const rbv_log *log, double cutoff_hz);

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
