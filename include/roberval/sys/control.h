/*
 * control: discrete-time controllers, joint by joint, as data. What a tick computes from reference
 * and measurement, the transfer function of its linear part, and that function's exact inverse.
 *
 * A controller does not change once it is made; many threads may read it. What it remembers between
 * ticks is in a state, which may hold several loops side by side (lanes).
 *
 * With T = 1/rate, e = q_r - q_m, and the filtered difference
 *
 *   D(z) = (1 - p)/T (1 - z^-1)/(1 - p z^-1),  p = exp(-T/filter_s), p = 0 without a filter,
 *
 * the feedback of a joint is
 *
 *   pid       u = k_p e + k_i T/(1 - z^-1) e + k_d D e     (integral: backward Euler)
 *   cascade   v = k_x e + D (b q_r - q_m)                  (position loop, velocity error)
 *             u = k_p v + k_i T/(1 - z^-1) v               (velocity loop)
 *   transfer  u = num(z^-1)/den(z^-1) e
 *
 * and the torque is
 *
 *   tau = delay( limit( scale * (u + k_v dq_r + k_a ddq_r) + model feed-forward ) )
 *
 * P and PD are a PID whose other gains are zero. When the limit is reached, anti-windup stops the
 * integral (clamp: it does not move further into the limit; tracking: it is pulled back with the
 * time constant tracking_s) or, for a transfer function, lets its memory hold the limited output.
 */
#ifndef ROBERVAL_SYS_CONTROL_H
#define ROBERVAL_SYS_CONTROL_H

#include <stdbool.h>

#include <roberval/sys/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RBV_TRANSFER_ORDER 32 /* powers of z^-1, at most */

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
  RBV_FEEDFORWARD_GRAVITY, /* at the reference, at rest: gravity and what does not depend on speed
                            */
  RBV_FEEDFORWARD_MODEL    /* inverse dynamics of the reference */
} rbv_feedforward;

RBV_API const char *rbv_control_kind_name(rbv_control_kind kind); /* "pid" */
RBV_API bool rbv_control_kind_parse(rbv_control_kind *out, const char *name);
RBV_API const char *rbv_antiwindup_name(rbv_antiwindup antiwindup); /* "clamp" */
RBV_API bool rbv_antiwindup_parse(rbv_antiwindup *out, const char *name);
RBV_API const char *rbv_feedforward_name(rbv_feedforward feedforward); /* "gravity" */
RBV_API bool rbv_feedforward_parse(rbv_feedforward *out, const char *name);

/* One joint. Units: N m per rad, per rad s, per rad/s (or N per m ...). Zero is off. */
typedef struct {
  rbv_control_kind kind;
  double k_p, k_i, k_d;      /* pid; k_p and k_i also of the velocity loop of a cascade */
  double k_x;                /* cascade: position loop [1/s] */
  double reference_velocity; /* cascade: b, share of the reference's velocity */
  double filter_s;           /* of the differences */
  rbv_transfer transfer;     /* without advance */
  double velocity_gain, acceleration_gain; /* feed-forward k_v, k_a */
  double lower, upper;                     /* limit of the torque; infinite: none */
  rbv_antiwindup antiwindup;
  double tracking_s;
  int delay; /* samples between computing and acting */
} rbv_control_joint;

/* A PID without gains and limits. */
RBV_API rbv_control_joint rbv_control_joint_defaults(void);

/*
 * METHODS' tuning: k_p = J w^2, k_d = 2 J w, k_i = integral w k_p, filter_s = 1/(roll_off w).
 *
 *   inertia    in  J [kg m^2 or kg], largest along the motion
 *   bandwidth  in  w [rad/s]
 *   integral   in  0.1 (soft) to 0.2 (stiff); 0: PD
 *   roll_off   in  3 (soft) to 10 (stiff)
 */
RBV_API rbv_control_joint rbv_control_tune(double inertia, double bandwidth, double integral,
                                           double roll_off);

typedef struct rbv_control rbv_control;

/* From data in memory, copied. Refused with a sentence: values that make no controller. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_new(rbv_control **out, const char *name,
                                                  double rate_hz, rbv_feedforward feedforward,
                                                  const rbv_control_joint *joint, int njoint);

typedef struct {
  int njoint;            /* what the file must have; 0: any */
  double rate_hz;        /* for a file that does not say; must agree with one that does; 0: none */
  const double *inertia; /* njoint, for joints that are `tuned` with `inertia: auto`; or NULL */
} rbv_control_options;

/*
 * From YAML (docs/files.md):
 *
 *   rate_hz: 5000
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
 * options NULL: nothing is asked for. A failure names document, line and column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_load(rbv_control **out, const char *path,
                                                   const rbv_control_options *options);
RBV_API RBV_MUST_CHECK rbv_status rbv_control_parse(rbv_control **out, const char *name,
                                                    const char *text, size_t size,
                                                    const rbv_control_options *options);
RBV_API void rbv_control_free(rbv_control *control);

/* The same as YAML that reads back exactly: as text (rbv_file_free it), or as a file, atomic. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_format(char **text, size_t *size,
                                                     const rbv_control *control);
RBV_API RBV_MUST_CHECK rbv_status rbv_control_save(const rbv_control *control, const char *path);

RBV_API const char *rbv_control_name(const rbv_control *control);
RBV_API double rbv_control_rate_hz(const rbv_control *control);
RBV_API int rbv_control_joint_count(const rbv_control *control);
RBV_API const rbv_control_joint *rbv_control_get_joint(const rbv_control *control, int joint);
RBV_API rbv_feedforward rbv_control_get_feedforward(const rbv_control *control);

/* Does a joint want dq_r, ddq_r? */
RBV_API bool rbv_control_needs_velocity(const rbv_control *control);
RBV_API bool rbv_control_needs_acceleration(const rbv_control *control);

/* ---- running: joint j of lane k at [j * lanes + k] ---- */

typedef struct rbv_control_state rbv_control_state;

/* The controller is borrowed. Scales start at 1, memory at zero. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_state_new(rbv_control_state **out,
                                                        const rbv_control *control, int lanes);
RBV_API void rbv_control_state_free(rbv_control_state *state);

/* Forget the past: as if error and speed had been zero for ever. Scales are kept. */
RBV_API void rbv_control_reset(rbv_control_state *state);

/* Factor on u + k_v dq_r + k_a ddq_r of a joint in a lane (DIDIM: J of the model over J of the
 * robot). */
RBV_API void rbv_control_set_scale(rbv_control_state *state, int lane, int joint, double scale);

typedef struct {
  const double *qr, *qm;    /* reference and measured position */
  const double *dqr, *ddqr; /* NULL: zero */
  const double *model;      /* feed-forward torque, NULL: zero */
} rbv_control_input;

/* One tick. tau: njoint x lanes. Allocates nothing. */
RBV_API void rbv_control_step(double *tau, rbv_control_state *state, const rbv_control_input *in);

/* ---- the linear part ---- */

/* From -q_m (hence from e, unless a cascade has b != 1) to torque, with the delay; scale 1. */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_transfer(rbv_transfer *out,
                                                       const rbv_control *control, int joint);

/*
 * The exact inverse. A delay of H becomes an advance, so that nothing is lost. Refused with
 * RBV_ENUM and a sentence that names the zero: a zero of H on or outside the unit circle, where
 * the inverse would grow for ever. (A pole of H there, such as an integrator, is welcome.)
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_transfer_inverse(rbv_transfer *out, const rbv_transfer *H);

/* Largest modulus among zeros and among poles; 0 when there is none. */
RBV_API void rbv_transfer_extent(double *zero, double *pole, const rbv_transfer *H);

/* H1 H2. Refused when the order grows beyond RBV_TRANSFER_ORDER. */
RBV_API RBV_MUST_CHECK rbv_status rbv_transfer_multiply(rbv_transfer *out, const rbv_transfer *H1,
                                                        const rbv_transfer *H2);

/*
 * Filter columns, from rest: what was before the first sample is zero. y may be x. With an advance
 * of a > 0 the last a samples of y repeat the one before them: leave them out.
 *
 *   y, x  out, in  count x columns, leading dimensions ldy, ldx
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_transfer_filter(double *y, ptrdiff_t ldy,
                                                      const rbv_transfer *H, const double *x,
                                                      ptrdiff_t ldx, ptrdiff_t count, int columns);

/*
 * The same on a stream that comes in pieces, the advance left out: where all columns go through one
 * function it shifts them alike. y may be x. Allocates nothing.
 *
 *   past  in/out  rbv_transfer_memory(H) numbers per column, the last inputs and outputs; after
 *                 rbv_transfer_start as if the first sample had been there for ever, which needs
 *                 poles inside the unit circle
 */
RBV_API int rbv_transfer_memory(const rbv_transfer *H);
RBV_API void rbv_transfer_start(double *past, const rbv_transfer *H, const double *x, ptrdiff_t ldx,
                                int columns);
RBV_API void rbv_transfer_continue(double *y, ptrdiff_t ldy, const rbv_transfer *H, double *past,
                                   const double *x, ptrdiff_t ldx, ptrdiff_t count, int columns);

/* H(1): what becomes of a constant. Infinite at an integrator. */
RBV_API double rbv_transfer_constant(const rbv_transfer *H);

/* H = 1. */
RBV_API rbv_transfer rbv_transfer_unit(void);

/* ---- identification from recordings (Brunot 2018 sections 4.5 and 5.3) ---- */

/*
 * Which linear law made the torque of each joint from its reference and position? Nothing else has
 * to be known: orders, delay, integral action and feed-forward are searched for.
 *
 *   ls    least squares on the difference equation: exact when the recorder saw what the controller
 *         saw, useless when it did not
 *   sriv  simplified refined instrumental variables: the noise may be in the recorded positions
 *         (then the law is run backwards, from torque to tracking error) or in the recorded torque
 *   pem   prediction errors: as sriv, with an autoregressive noise model estimated beside the law
 *   auto  ls where the torque can be simulated with its law, else sriv
 */
typedef enum {
  RBV_CONTROL_ID_AUTO,
  RBV_CONTROL_ID_LS,
  RBV_CONTROL_ID_SRIV,
  RBV_CONTROL_ID_PEM
} rbv_control_id_method;

RBV_API const char *rbv_control_id_method_name(rbv_control_id_method method); /* "sriv" */
RBV_API bool rbv_control_id_method_parse(rbv_control_id_method *out, const char *name);

/* One recording; sample k of joint j at [k + j * ld]. All at the same rate. */
typedef struct {
  const char *name; /* what messages call it */
  ptrdiff_t count, ld;
  const double *qr, *qm, *tau;
  const double *dqr, *ddqr; /* NULL: central differences of qr, as a simulation takes them */
} rbv_control_record;

typedef struct {
  rbv_control_id_method method;
  double rate_hz;
  int order;        /* of the feedback, at most: 1 to 3 */
  int delay;        /* in samples, at most: 0 to 16 */
  bool feedforward; /* look for dq_r and ddq_r, and for a cascade */
} rbv_control_id_options;

/* auto, order 3, 4 samples, feed-forward looked for; rate_hz must be set. */
RBV_API rbv_control_id_options rbv_control_id_defaults(void);

#define RBV_CONTROL_GAINS 12

typedef struct {
  rbv_control_joint law;
  bool explained;               /* false: no linear law explains the torque; law is the best one */
  rbv_control_id_method method; /* ls, sriv or pem */
  bool backwards;               /* the noise is in the positions: from torque to tracking error */
  char reason[256];             /* why this method: a sentence without its full stop */
  char structure[64];     /* "pid with filter", "transfer function 2/2 with integrator", ... */
  int order;              /* of the feedback, integrator and filter included */
  bool integrates;        /* a pole at 1 exactly: */
  double integrator_gain; /* criterion of the free pole minus this one's; NaN: not tried */
  double criterion;       /* Bayesian information criterion of the law */
  int ngain;
  struct {
    char name[24]; /* as in the YAML; a1, b0, ... of a transfer function */
    double value, sigma;
  } gain[RBV_CONTROL_GAINS];
  double fit;        /* 1 - |residual| / |deviation| of what was simulated: torque, or error */
  double error_ls;   /* relative error of the simulation with the law of ls, and */
  double error_sriv; /* with the refined one; NaN: not tried */
  double dependence; /* of residual and input: 0 to about 1 when the input carries the noise */
  double residual;   /* rms of what was simulated: [N m], or [rad] when backwards */
  double resolution; /* what the recorded position cannot tell apart: rms [rad] */
  int noise_order;   /* of the AR model of the residual */
  int iterations;
  bool converged;
  ptrdiff_t used, saturated; /* samples */
  double zero;               /* largest modulus of the law's zeros: PIV needs it below 1 */
} rbv_control_found;

/*
 *   out      out  the controller; NULL unless every joint is explained
 *   found    out  njoint
 *   record   in   nrecord
 *   options  in   NULL is refused: nobody else knows the rate
 *
 * Samples at a torque limit (the largest or smallest value, when five samples or more have exactly
 * that) are left out, and so are those that are not finite; a limit held for five samples in a row
 * becomes the law's. Refused with RBV_EINPUT and what to do: a joint whose
 * reference never moves or whose torque is constant, too few samples.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_control_identify(rbv_control **out, rbv_control_found *found,
                                                       int njoint, const rbv_control_record *record,
                                                       int nrecord,
                                                       const rbv_control_id_options *options);

#ifdef __cplusplus
}
#endif
#endif
