/*
 * prepare: convert a recording to a motion. Irregular time stamps are resampled, positions are
 * filtered and differentiated, and torques are taken from the channels that the model needs.
 */
#ifndef ROBERVAL_SYS_PREPARE_H
#define ROBERVAL_SYS_PREPARE_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>

RBV_BEGIN_C

/* ---- motion from a recording ---- */

/* How velocities and accelerations are computed from positions. */
typedef enum {
  RBV_DIFFERENTIATION_BANDPASS, /* zero-phase Butterworth filter of order 4, central differences
                                   (Gautier 2011) */
  RBV_DIFFERENTIATION_IRW,      /* integrated random walk smoother, applied twice (Brunot 2018
                                   section 4.2) */
  RBV_DIFFERENTIATION_SPLINE,   /* smoothing spline on the time stamps, analytic derivatives
                                   (Villagrossi 2014) */
  RBV_DIFFERENTIATION_FOURIER,  /* harmonics fitted on the time stamps, periods averaged (Radkhah
                                   2007) */
  RBV_DIFFERENTIATION_RECORDED  /* dq and ddq as recorded */
} rbv_differentiation;

/* Name of a method ("bandpass" for RBV_DIFFERENTIATION_BANDPASS, "" for an invalid value), and the
 * method of a name. Static storage. */
RBV_API bool rbv_differentiation_parse(rbv_differentiation *out, const char *name);

/*
 * FOURIER gives one period that starts at the first sample: harmonics fitted to all whole periods,
 * the mean of their torques, and in the origin the variance of that mean (Radkhah 2007 eq. 6).
 * Remove transients from the recording first. The averaging is already a filter: decimate little or
 * not at all. RECORDED without ddq uses central differences of the low-pass filtered dq.
 */
typedef struct {
  rbv_differentiation method;
  double cutoff_hz;        /* BANDPASS, SPLINE (its corner), RECORDED without ddq, and the highest
                              harmonic of FOURIER; 0: rbv_signal_suggest chooses it */
  double period_s;         /* the motion repeats after it: whole periods are averaged into one. Need
                              not be a whole number of samples; 0: no period (not with FOURIER) */
  int harmonics;           /* FOURIER; 0: all up to the cut-off */
  double spline_variance;  /* SPLINE: noise variance of the positions instead of a corner frequency;
                              0: not given (estimated where the recording is too short for a band) */
  double torque_delay_s;   /* delay of the torques against the positions; any sign */
  const double *stiffness; /* njoint [N m/rad or N/m], 0: rigid. The link position is q - tauj / k
                              (Jubien 2014 app. 2); needs joint torques. NULL: not used */
  const double *gains;     /* njoint: factors on tau or taum; NULL: 1 */
  bool loaded;             /* recorded with the payload */
  bool reference; /* use the reference positions (qr) if none were recorded: for methods that
                     simulate the motion */
  int threads;    /* threads that scan a file before it is read in pieces; 0: 1 */
} rbv_differentiate_options;

/* BANDPASS with a cut-off from the data; all other options off. */
RBV_API rbv_differentiate_options rbv_differentiate_defaults(void);

/*
 * Create a motion with positions (q, or inv(K) qm + offset), their derivatives, and the torques
 * that the model needs: tau or taum (through the transmission) for the motor, tauj for the joint
 * sensor (or tau, if it is the only torque and the model senses the joint).
 *
 *   log      in/out  named joints are sorted into the order of the model
 *   options  in      NULL: the defaults
 *
 * A sample whose time stamp repeats that of another one, or almost (rbv_log_close_stamps), is
 * dropped. Time stamps without a gap that scatter around regular samples are not used, if the
 * positions of most joints are smooth over the rows and not over the stamps. Other stamps that
 * deviate from a regular grid by more than 1 % of a step are resampled at the mean rate (of the
 * steps below 1.5 medians): positions by a cubic, torques by a monotone spline. Steps of more
 * than 2.5 medians are gaps: samples inside a gap, and beside it as far as the smoothing acts, are
 * invalid. Also invalid are torques that a delay moves beyond the ends and, with FOURIER, a phase
 * that is invalid in one of the periods. rbv_motion_get_origin reports what was done.
 *
 * Refused: recordings that rbv_log_require refuses, a missing channel, a torque that the log
 * declares to be of the other side, a recording too short for the method, a cut-off above half the
 * rate.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_log(rbv_motion **out, const rbv_model *model,
                                                      rbv_log *log,
                                                      const rbv_differentiate_options *options);

RBV_END_C
#endif
