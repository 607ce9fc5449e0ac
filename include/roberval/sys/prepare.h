/*
 * prepare: from a recording to a motion. Irregular time stamps are resampled, positions are
 * filtered and differentiated, and torques are taken from the channels that the model asks for.
 */
#ifndef ROBERVAL_SYS_PREPARE_H
#define ROBERVAL_SYS_PREPARE_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a motion from a recording ---- */

/* How velocities and accelerations are had from positions. */
typedef enum {
  RBV_DIFFERENTIATION_BANDPASS, /* zero-phase Butterworth of order 4, central differences (Gautier
                                   2011) */
  RBV_DIFFERENTIATION_IRW,    /* integrated random walk smoother, twice (Brunot 2018 section 4.2) */
  RBV_DIFFERENTIATION_SPLINE, /* smoothing spline on the stamps, analytic derivatives (Villagrossi
                                 2014) */
  RBV_DIFFERENTIATION_FOURIER, /* harmonics on the stamps, periods averaged (Radkhah 2007) */
  RBV_DIFFERENTIATION_RECORDED /* dq and ddq of the recording */
} rbv_differentiation;

/* "bandpass" for RBV_DIFFERENTIATION_BANDPASS, "" for what is none; and back. Static storage. */
RBV_API const char *rbv_differentiation_name(rbv_differentiation method);
RBV_API bool rbv_differentiation_parse(rbv_differentiation *out, const char *name);

/*
 * FOURIER gives ONE period, starting at the first sample: harmonics fitted to all whole periods,
 * the mean of their torques, and in the origin the variance of that mean (Radkhah 2007 eq. 6).
 * Leave transients out of the recording. Averaging is a filter already: decimate little, or not at
 * all. RECORDED without ddq takes central differences of the low-passed dq.
 */
typedef struct {
  rbv_differentiation method;
  double cutoff_hz;       /* BANDPASS, RECORDED without ddq; 0: by rbv_signal_suggest */
  double period_s;        /* FOURIER; need not be a whole number of samples */
  int harmonics;          /* FOURIER */
  double spline_variance; /* SPLINE: of the noise on positions; 0: estimated for each joint */
  double torque_delay_s;  /* torques were recorded so much later than positions; any sign */
  const double
      *stiffness;      /* njoint: position of the link q - tauj / k (Jubien 2014 app. 2) [N m/rad or
                          N/m]; 0 is rigid; needs joint torques; NULL: positions as they are */
  const double *gains; /* njoint: factors of the drives on tau or taum; NULL: 1 */
  bool loaded;         /* recorded with the payload */
  bool reference;      /* positions that were not recorded are those of the reference (qr): for
                          methods that simulate the motion */
  int threads;         /* that look through a file, before pieces of it are read; 0: 1 */
} rbv_differentiate_options;

/* BANDPASS with the cut-off from the data, five harmonics, nothing else. */
RBV_API rbv_differentiate_options rbv_differentiate_defaults(void);

/*
 * Positions (q, or inv(K) qm + offset) and their derivatives, and the torques that the model's
 * sensing asks for: tau or taum (through the transmission) for the motor, tauj for the joint sensor
 * (tau when it is all that there is and the model senses the joint).
 *
 *   log      in/out  joints that have names are put into the order of the model's
 *   options  in      NULL: the defaults
 *
 * A stamp that is there already is dropped. Stamps off a regular grid by more than 1 % of a step
 * are resampled at the mean rate (of the steps below 1.5 medians): positions by a cubic, torques by
 * a monotone spline. Steps of more than 2.5 medians are gaps: samples inside, and as far beside
 * them as the smoothing reaches, are invalid; so are torques that a delay carries over the ends,
 * and in FOURIER a phase that is invalid in one of the periods. rbv_motion_get_origin tells what
 * was done.
 *
 * Refused: what rbv_log_require refuses, a channel that is missing, a torque that the log says is
 * of the other side, a recording too short for the method, a cut-off above half the rate.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_log(rbv_motion **out, const rbv_model *model,
                                                      rbv_log *log,
                                                      const rbv_differentiate_options *options);

/*
 * The same from a file that is larger than memory: a motion that reads the file when it is read
 * itself, in windows with what the smoothing reaches on both sides. BANDPASS and RECORDED; the
 * samples are those of rbv_motion_from_log to 1e-9 of the largest.
 *
 *   model    in  borrowed while the motion lives
 *   map      in  may be NULL; not kept
 *   options  in  NULL: the defaults; copied
 *
 * RBV_EUNSUPPORTED with a sentence: a method that needs whole columns, stamps that are not regular
 * (gaps, duplicates, jitter), a MAT file of version 5. Memory does not grow with the file.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_motion_from_file(rbv_motion **out, const rbv_model *model,
                                                       const char *path, const rbv_log_map *map,
                                                       const rbv_differentiate_options *options);

#ifdef __cplusplus
}
#endif
#endif
