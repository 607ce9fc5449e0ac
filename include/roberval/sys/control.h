/*
 * control: discrete-time controllers, one law per joint, described by data. The module computes the
 * torque of one tick from reference and measurement, the transfer function of the linear part, and
 * the exact inverse of that function.
 *
 * A controller does not change after it was created; several threads may read it. The values that
 * it keeps between ticks are in a state object. One state can hold several independent control
 * loops (lanes).
 *
 * With T = 1/rate, e = q_r - q_m, and the filtered difference
 *
 *   D(z) = (1 - p)/T (1 - z^-1)/(1 - p z^-1),  p = exp(-T/filter_s), p = 0 without a filter,
 *
 * the feedback of a joint is
 *
 *   pid       u = k_p e + k_i T/(1 - z^-1) e + k_d D (b q_r - q_m)   (integral: backward Euler)
 *   cascade   v = k_x e + D (b q_r - q_m)                            (position loop, velocity
 * error) u = k_p v + k_i T/(1 - z^-1) v                         (velocity loop) transfer  u =
 * num(z^-1)/den(z^-1) e
 *
 * and the torque is
 *
 *   tau = delay( limit( scale * (u + k_v dq_r + k_a ddq_r) + model feed-forward ) )
 *
 * P and PD are a PID whose other gains are zero. When the limit is reached, anti-windup acts on the
 * integral (clamp: the integral does not grow further; tracking: the integral is reduced with the
 * time constant tracking_s) or, for a transfer function, stores the limited output as past output.
 */
#ifndef ROBERVAL_SYS_CONTROL_H
#define ROBERVAL_SYS_CONTROL_H

#include <stdbool.h>

#include <roberval/sys/base.h>

RBV_BEGIN_C

#define RBV_TRANSFER_ORDER 32 /* largest power of z^-1 */

/* H(z) = z^advance (num[0] + num[1] z^-1 + ...) / (den[0] + den[1] z^-1 + ...), den[0] = 1. A
 * negative advance is a delay. */
typedef struct {
  int nnum, nden; /* coefficients: order + 1 */
  double num[RBV_TRANSFER_ORDER + 1], den[RBV_TRANSFER_ORDER + 1];
  int advance; /* samples */
} rbv_transfer;

typedef enum { RBV_CONTROL_PID, RBV_CONTROL_CASCADE, RBV_CONTROL_TRANSFER } rbv_control_kind;
typedef enum { RBV_ANTIWINDUP_NONE, RBV_ANTIWINDUP_CLAMP, RBV_ANTIWINDUP_TRACKING } rbv_antiwindup;

/* Torque from a model that is added to the feedback; the caller computes it. */
typedef enum {
  RBV_FEEDFORWARD_NONE,
  RBV_FEEDFORWARD_GRAVITY, /* at the reference position with zero velocity and acceleration */
  RBV_FEEDFORWARD_MODEL    /* inverse dynamics of the reference */
} rbv_feedforward;

/* One joint. Units: N m/rad, N m/(rad s), N m s/rad (N instead of N m and m instead of rad for a
 * prismatic joint). A gain of zero switches its term off. */
typedef struct {
  rbv_control_kind kind;
  double k_p, k_i, k_d;      /* pid; k_p and k_i also of the velocity loop of a cascade */
  double k_x;                /* cascade: position loop [1/s] */
  double reference_velocity; /* pid, cascade: factor b on the reference velocity; default 1 */
  double filter_s;           /* time constant of the derivative filter [s] */
  rbv_transfer transfer;     /* advance is ignored and set to 0 */
  double velocity_gain, acceleration_gain; /* feed-forward k_v, k_a */
  double lower, upper;                     /* torque limits; infinite: no limit */
  rbv_antiwindup antiwindup;
  double tracking_s;
  int delay; /* samples between computing the torque and applying it */
} rbv_control_joint;

/* A PID with all gains zero and without limits. */
RBV_API rbv_control_joint rbv_control_joint_defaults(void);

/*
 * Gains from a bandwidth:
 *   k_p = J w^2, k_d = 2 J w, k_i = integral w k_p, filter_s = 1/(roll_off w)
 *
 *   inertia    in  J [kg m^2 or kg], largest along the motion
 *   bandwidth  in  w [rad/s]
 *   integral   in  0.1 (soft) to 0.2 (stiff); 0: PD
 *   roll_off   in  3 (soft) to 10 (stiff)
 */
RBV_API rbv_control_joint rbv_control_tune(double inertia, double bandwidth, double integral,
                                           double roll_off);

typedef struct rbv_control rbv_control;

/* Create a controller from data in memory; the data is copied. Values that do not define a
 * controller are refused with a message. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_new(rbv_control **out, const char *name,
                                                  double rate_hz, rbv_feedforward feedforward,
                                                  const rbv_control_joint *joint, int njoint);

typedef struct {
  int njoint;            /* number of joints that the file must have; 0: any */
  double rate_hz;        /* if the file has none; must agree with that of the file (of a recording:
                            within 1 %, and then it is used); 0: not given */
  const double *inertia; /* njoint values for joints with `tuned: {inertia: auto}`, or NULL */
  const char *recording; /* path of the recording whose law is wanted, of a file with laws of
                            several recordings; NULL: the first of these laws */
  bool at_rows; /* compute the law once per row of the recording, whatever its drive does */
} rbv_control_options;

/*
 * From YAML (docs/files.md):
 *
 *   rate_hz: 5000                    # of the rows of a recording
 *   drive_rate_hz: 20000             # of the law, if the drive computes it more often
 *   command_delay_s: 0.002           # from the recorded reference to the drive
 *   feedforward: none                # or gravity, model
 *   joints:
 *     - {kind: pid, k_p: 8926, k_i: 134607, k_d: 236.8, filter_s: 1.3e-3}
 *     - {kind: cascade, k_x: 40, k_p: 120, k_i: 900, filter_s: 1.3e-3, reference_velocity: 1}
 *     - {kind: transfer, num: [10, -9.5], den: [1, -1], delay: 1}
 *     - tuned: {bandwidth_hz: 12, inertia: 0.24, integral: 0.2, roll_off: 10}
 *       limit: 50                    # or [-40, 50]
 *       antiwindup: clamp            # or none, {tracking_s: 0.01}
 *       velocity_gain: 0
 *       acceleration_gain: 0
 *
 * or, if recordings were made with different gains, with `recordings` instead of `joints`:
 *
 *   rate_hz: 500
 *   recordings:
 *     - {file: soft.csv, joints: [{k_p: 20, k_d: 0.8}]}
 *     - {file: stiff.csv, joints: [{k_p: 60, k_d: 1.5}]}
 *
 * options NULL: nothing is prescribed. A failure names the document, line and column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_parse(rbv_control **out, const char *name,
                                                    const char *text, size_t size,
                                                    const rbv_control_options *options);
RBV_API void rbv_control_free(rbv_control *control);

/* Write the controller as YAML that reads back exactly: as text (release it with rbv_file_free), or
 * as a file that is replaced atomically. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_format(char **text, size_t *size,
                                                     const rbv_control *control);

RBV_API double rbv_control_rate_hz(const rbv_control *control);

/* ---- running a controller: arrays hold joint j of lane k at [j * lanes + k] ---- */

typedef struct rbv_control_state rbv_control_state;

/* Create a state for `lanes` loops. The controller is borrowed. All scales are 1, all memory is
 * zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_state_new(rbv_control_state **out,
                                                        const rbv_control *control, int lanes);
RBV_API void rbv_control_state_free(rbv_control_state *state);

/* Gains and torque limits that can be unknown. name i: as in the YAML file ("k_p"), or
 * "upper_limit", "lower_limit"; NULL past the last one. */
typedef enum {
  RBV_GAIN_KP,
  RBV_GAIN_KI,
  RBV_GAIN_KD,
  RBV_GAIN_KX,
  RBV_GAIN_VELOCITY,
  RBV_GAIN_ACCELERATION,
  RBV_GAIN_UPPER, /* limits of the torque */
  RBV_GAIN_LOWER,
  RBV_GAIN_COUNT
} rbv_gain;

/* Clear the memory, as if error and speed had always been zero. Factors are kept. */
RBV_API void rbv_control_reset(rbv_control_state *state);

typedef struct {
  const double *qr, *qm;    /* reference and measured position */
  const double *dqr, *ddqr; /* NULL: zero */
  const double *model;      /* feed-forward torque, NULL: zero */
} rbv_control_input;

/* Compute one tick. tau: njoint x lanes. Allocates nothing. */
RBV_API void rbv_control_step(double *tau, rbv_control_state *state, const rbv_control_input *in);

/* ---- transfer functions ---- */

/* Transfer function from -q_m to torque, delay included, scale 1. It is also the one from e to
 * torque, except for a cascade with b != 1. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_transfer(rbv_transfer *out,
                                                       const rbv_control *control, int joint);

/*
 * Compute the exact inverse of H. A delay of H becomes an advance. If H has a zero on or outside
 * the unit circle, the inverse would be unstable: refused with RBV_ENUM and a message that names
 * the zero. Poles of H there, such as an integrator, are allowed.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_transfer_inverse(rbv_transfer *out, const rbv_transfer *H);

/*
 * Filter columns with zero initial state: all samples before the first one are taken as zero. y may
 * be x. With an advance a > 0 the last a samples of y repeat the sample before them: do not use
 * them.
 *
 *   y, x  out, in  count x columns, leading dimensions ldy, ldx
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_transfer_filter(double *y, ptrdiff_t ldy,
                                                      const rbv_transfer *H, const double *x,
                                                      ptrdiff_t ldx, ptrdiff_t count, int columns);

/* H(1), the gain for a constant signal. Infinite if H has an integrator. */
RBV_API double rbv_transfer_constant(const rbv_transfer *H);

/* H = 1. */
RBV_API rbv_transfer rbv_transfer_unit(void);

/* ---- identification from recordings (Brunot 2018 sections 4.5 and 5.3) ---- */

/*
 * Find the linear law that computed the torque of each joint from its reference and position.
 * Orders, delay, integral action and feed-forward are determined from the recordings.
 *
 *   ls    least squares on the difference equation: exact if the recorded signals are those that
 *         the controller used, biased otherwise
 *   sriv  simplified refined instrumental variables: the noise may be in the recorded positions
 *         (then the inverse law, from torque to tracking error, is estimated) or in the torque
 *   pem   prediction error method: as sriv, with an autoregressive noise model
 *   auto  ls if its law reproduces the torque in simulation, otherwise sriv
 */
typedef enum {
  RBV_CONTROL_ID_AUTO,
  RBV_CONTROL_ID_LS,
  RBV_CONTROL_ID_SRIV,
  RBV_CONTROL_ID_PEM
} rbv_control_id_method;

RBV_API const char *rbv_control_id_method_name(rbv_control_id_method method); /* "sriv" */

/* One recording; sample k of joint j is at [k + j * ld]. All recordings have the same
 * sample rate. */
typedef struct {
  const char *name; /* used in messages */
  ptrdiff_t count, ld;
  const double *qr, *qm, *tau;
  const double *dqr, *ddqr; /* NULL: central differences of qr, as in a simulation */
} rbv_control_record;

typedef struct {
  rbv_control_id_method method;
  double rate_hz;
  int order;        /* highest order of the feedback: 1 to 3; 0: 3 */
  int delay;        /* largest delay in samples: 0 to 16 */
  bool feedforward; /* also try feed-forward of dq_r and ddq_r, and a cascade */
  int threads;      /* joints at the same time; 0 means 1. The result does not depend on it */
} rbv_control_id_options;

/* Method auto, order 3, delay 4 samples, feed-forward tried. The caller must set rate_hz. */
RBV_API rbv_control_id_options rbv_control_id_defaults(void);

#define RBV_CONTROL_GAINS 12

typedef struct {
  rbv_control_joint law;
  bool explained; /* false: no linear law explains the torque; law is the best candidate */
  rbv_control_id_method method; /* ls, sriv or pem */
  bool backwards;               /* the noise is in the positions: estimated from torque to error */
  char reason[320];             /* why this method was used: a sentence without full stop */
  char structure[64];     /* "pid with filter", "transfer function 2/2 with integrator", ... */
  int order;              /* order of the feedback, integrator and filter included */
  bool integrates;        /* the law has a pole at exactly 1 */
  double integrator_gain; /* criterion with a free pole there minus criterion; NaN: not tried */
  double criterion;       /* Bayesian information criterion of the law */
  int ngain;
  struct {
    char name[24]; /* as in the YAML file; a1, b0, ... for a transfer function */
    double value, sigma;
  } gain[RBV_CONTROL_GAINS];
  double fit;        /* 1 - |residual| / |deviation from mean| of the simulated signal */
  double error_ls;   /* relative error of the simulation with the ls law; NaN: not tried */
  double error_sriv; /* the same with the sriv or pem law; NaN: not tried */
  double dependence; /* of residual and input: about 1 if the noise is in the input, else 0 */
  double residual;   /* rms residual of the simulated signal: [N m], or [rad] if backwards */
  double resolution; /* rms noise or quantisation of the recorded position [rad] */
  int noise_order;   /* of the AR model of the residual */
  int iterations;
  bool converged;
  ptrdiff_t used, saturated; /* samples */
  double zero;               /* largest modulus of the zeros of the law: PIV needs it below 1 */
} rbv_control_found;

/*
 * Identify the control law of every joint.
 *
 *   out      out  the controller; NULL unless every joint is explained
 *   found    out  njoint
 *   record   in   nrecord
 *   options  in   NULL: the defaults, which are refused because they have no rate_hz
 *
 * Samples at a torque limit (the largest or smallest value, if at least five samples have exactly
 * this value) and samples that are not finite are not used. A limit that is held for five
 * consecutive samples becomes the limit of the law. Refused with RBV_EINPUT and a remedy: a joint
 * whose reference never moves or whose torque is constant, too few samples.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_identify(rbv_control **out, rbv_control_found *found,
                                                       int njoint, const rbv_control_record *record,
                                                       int nrecord,
                                                       const rbv_control_id_options *options);

RBV_END_C
#endif
