/*
 * sim: a robot under a discrete controller. The torque is constant between two ticks, the robot
 * moves continuously, and recorded signals can have the defects of real sensors.
 *
 * At tick k the controller reads reference and measured position and sets the torque tau_k; the
 * plant follows M ddq = tau_k + disturbance - N(q, dq) until tick k + 1. Recorded with it is ddq of
 * the tick itself, so that tau + disturbance = W(q, dq, ddq) chi holds to rounding.
 *
 * Integrators:
 *
 *   rosenbrock  the default: ROS34PW2 of Rang and Angermann (BIT 45, 2005), order 3, four
 *               evaluations of forward dynamics per step, linearly implicit in the friction alone.
 *               The arctan law is stiff (27,600 1/s on a TX40 wrist, where an explicit scheme
 *               becomes unstable at one step per tick of 5 kHz); the method is L-stable for it, and
 *               its order does not depend on the accuracy of the Jacobian, so that derivatives
 *               of the rest of the dynamics are not needed.
 *   ros2        the same with two evaluations: half the time. Order 2, with the terms of order 3 of
 *               forces that depend on positions alone; L-stable (docs/theory/integration.md).
 *   rk4         the classical Runge-Kutta method, for comparison.
 *
 * Several simulations run in parallel in vector lanes, each with its own parameters, seed, gains
 * and shift of the reference. The results of a lane do not depend on the other lanes; they differ
 * from those of a single simulation by rounding only.
 */
#ifndef ROBERVAL_SYS_SIM_H
#define ROBERVAL_SYS_SIM_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/control.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>

RBV_BEGIN_C

typedef enum { RBV_INTEGRATOR_ROSENBROCK, RBV_INTEGRATOR_RK4, RBV_INTEGRATOR_ROS2 } rbv_integrator;

RBV_API const char *rbv_integrator_name(rbv_integrator integrator); /* "rk4"; "?" */
RBV_API bool rbv_integrator_parse(rbv_integrator *out, const char *name);

/* ---- defects of sensors and drives; zero and NULL: none ---- */

/* Arrays have njoint elements and are copied by rbv_sim_new. Noise is Gaussian. */
typedef struct {
  double loop_counts;          /* encoder that the controller sees, counts per turn (or per m) */
  double loop_noise;           /* on the position that the controller sees: deviation [rad or m] */
  int loop_delay;              /* samples: delay of the positions that the controller sees */
  double actuator_delay_s;     /* the torque acts late, also by parts of a sample */
  const double *encoder_bias;  /* the encoder reads q + bias [rad or m] */
  double record_counts;        /* encoder of the recorder, which sees what the controller saw (but
                                  not late) */
  const double *disturbance;   /* torque on the plant that is not recorded: deviation [N m] */
  double disturbance_hz;       /* its corner: AR(1); 0: white */
  const double *torque_noise;  /* in the recorded torque: deviation [N m] */
  double torque_noise_hz;      /* its corner; 0: white */
  const double *torque_offset; /* of the recorded torque [N m] */
  const double *ripple;        /* of the recorded torque: amplitude [N m] */
  double ripple_periods;       /* per turn (or per m) of the joint */
  int torque_delay;            /* samples: torques are recorded late */
  double jitter_s;             /* of the time stamps: deviation, cut at 0.45 of a period */
  double drop;                 /* probability that a sample is missing in the record */
  double drift; /* friction times 1 + drift (1 - exp(-t/drift_s)): -0.2 is warm oil */
  double drift_s;
} rbv_sim_defects;

typedef struct {
  rbv_integrator integrator;
  int substeps;  /* per tick; 0: as many as keep the step at 0.25 ms (rk4: 0.05 ms) or below */
  double gamma;  /* smoothing of signs; 0: the model's, or gamma 150 where that has a step */
  bool loaded;   /* with the payload */
  double escape; /* |q - q_r| above which the loop has diverged [rad or m] */
  double longest_delay_s; /* largest delay that a lane may have */
  bool elastic; /* a spring between the rotor and the link of every joint, see rbv_sim_lane */
  rbv_sim_defects defects;
} rbv_sim_options;

/* Rosenbrock, the model's gamma, no payload, one turn, no defects. */
RBV_API rbv_sim_options rbv_sim_defaults(void);

/* ---- simulations ---- */

typedef struct rbv_sim rbv_sim;

/*
 *   model, control  in  borrowed, must outlive the object
 *   options         in  copied; NULL: the defaults
 *   lanes           in  how many simulations a run makes
 *
 * Parameters start as those of the robot file (zero when it has none). One object per thread.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_new(rbv_sim **out, const rbv_model *model,
                                              const rbv_control *control,
                                              const rbv_sim_options *options, int lanes);
RBV_API void rbv_sim_free(rbv_sim *sim);

/* Settings of one lane; everything is copied. */
typedef struct {
  const double *chi;   /* parameters of all columns; NULL: those of the robot file */
  const double *known; /* parameters that the controller's model feed-forward uses; NULL: chi */
  const double *scale; /* njoint: on the feedback (rbv_control_set_scale); NULL: 1 */
  const double *gain;  /* RBV_GAIN_COUNT x njoint, gain g of joint j at [g * njoint + j]: factors on
                          the gains (rbv_control_set_gain); NULL: 1 */
  const double *shift; /* njoint: added to the reference; NULL: 0 */
  uint64_t seed;
  const double *delay;    /* njoint [s]: of the torque, also by parts of a sample; before the first
                             tick the torque is the first one. NULL: that of the defects */
  const double *bias;     /* njoint: the encoder reads q + bias; NULL: 0 */
  const double *integral; /* njoint: of pid and cascade before the first tick, as a torque of scale
                             1; NULL: 0 */
  /* Elastic joints (Spong 1987): rotors with the drive columns, and links with the others,
   *   motor: Ia ddtheta + friction(dtheta) = tau - s,  links: M ddq + N = s,
   *   s = k (theta - q) + d (dtheta - dq).
   * Encoders are on the motors: the position that is seen and traced is theta. The run starts with
   * springs at rest. */
  const double *stiffness; /* njoint: k > 0 [N m/rad or N/m] */
  const double *damping;   /* njoint: d >= 0 [N m s/rad or N s/m] */
} rbv_sim_lane;

RBV_API RBV_MUST_CHECK rbv_status rbv_sim_set(rbv_sim *sim, int lane, const rbv_sim_lane *own);

RBV_API int rbv_sim_lanes(const rbv_sim *sim);
RBV_API int rbv_sim_width(const rbv_sim *sim);                          /* lanes of a vector */
RBV_API int rbv_sim_substeps(const rbv_sim *sim);                       /* in use */
RBV_API rbv_smoothing rbv_sim_smoothing(const rbv_sim *sim, int joint); /* in use */

/*
 * Reference at the controller's rate: sample k of joint j at [k + j * ld]. dq and ddq are asked for
 * by some controllers; NULL: central differences of q.
 */
typedef struct {
  ptrdiff_t count, ld;
  const double *q, *dq, *ddq;
  const double *q0, *dq0; /* state at the first tick; NULL: at rest, and the encoder reads the
                             (shifted) reference */
  /* The plant has these measured positions (what the encoder reads) and velocities until tick
   * nguide, from which on it is free: the memory of the controller and of the delay is then that of
   * the recording. 0: it is free from the start. */
  ptrdiff_t nguide, guide_ld; /* sample k of joint j at [k + j * guide_ld] */
  const double *guide_q, *guide_dq;
  const double *later; /* of sensitivities: derivative of q by the delay of the command; NULL: 0 */
} rbv_sim_reference;

/* Where the samples of a lane go; sample k of joint j at [k + j * ld]. NULL: not wanted. */
typedef struct {
  ptrdiff_t ld;
  double *q, *dq, *ddq;     /* the plant; of elastic joints the motors */
  double *link_q, *link_dq; /* links of elastic joints */
  double *tau;              /* of the controller, after limit and delay */
  double *applied;          /* tau + disturbance */
  double *qr;               /* reference with the lane's shift */
  double *seen;             /* position that the controller saw */
  double *recorded_q, *recorded_tau;
  double *recorded_t; /* count */
  bool *kept;         /* count: false where the recorder dropped the sample */
} rbv_sim_trace;

typedef enum {
  RBV_SIM_DONE,
  RBV_SIM_AWAY,       /* |q - q_r| > escape */
  RBV_SIM_FAST,       /* faster than ten times the joint's limit, or than 1000 rad/s */
  RBV_SIM_NOT_FINITE, /* numbers broke down */
  RBV_SIM_SINGULAR    /* the mass matrix is not positive definite: no robot has these parameters */
} rbv_sim_verdict;

typedef struct {
  rbv_sim_verdict verdict;
  ptrdiff_t samples; /* that are good; the traces hold NaN after them */
  int joint;         /* that diverged, from 0; -1: none, or all */
  double time_s;     /* when */
  double value;      /* |q - q_r|, or speed */
} rbv_sim_outcome;

/*
 * Run all lanes from the start. Divergence is an outcome, not an error: the lane stops, the others
 * go on.
 *
 *   outcome  out  lanes
 *   traces   in   lanes
 *
 * Allocates nothing.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_run(rbv_sim_outcome *outcome, rbv_sim *sim,
                                              const rbv_sim_reference *reference,
                                              const rbv_sim_trace *traces);

/*
 * Choose ros2 if its error is below a tenth of an encoder step, otherwise rosenbrock. ros2 gets the
 * fewest steps per tick with which this holds: a quarter or half of the default, or the default.
 * The error is measured on 2 % of the reference, in four windows where it accelerates most, against
 * rosenbrock with half the step; four times that error must be small enough. The same arguments
 * give the same answer.
 *
 *   options  in, out  integrator and, if it was 0, substeps
 *   error    out  largest error of a position in the windows [rad or m]; NAN: not measured; may be
 *                 NULL
 *   lane     in   parameters, gains and delays of the robot
 *   step     in   smallest step of an encoder [rad or m]; 0: it is not known, and ros2 is not
 * chosen
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_choose_integrator(
    rbv_sim_options *options, double *error, const rbv_model *model, const rbv_control *control,
    const rbv_sim_lane *lane, const rbv_sim_reference *reference, double step);

/* Steps per tick that resolve the springs of elastic joints at position q. chi: njoint. Refused: a
 * joint without an inertia on one side of its spring, or a spring that is too fast. */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_elastic_substeps(int *out, const rbv_model *model,
                                                           const double *chi, bool loaded,
                                                           const double *stiffness, const double *q,
                                                           double rate_hz);

/* "joint 3 runs away at t = 0.12 s ...: lower the gains ..." into out, closed with 0. */
RBV_API void rbv_sim_describe(char *out, size_t size, const rbv_sim *sim,
                              const rbv_sim_outcome *outcome);

/* ---- sensitivities: derivatives of a closed-loop run by its unknowns ---- */

/* Kinds of unknown. name: "delay"; unit: "s", NULL if it depends on the unknown. */
typedef enum {
  RBV_UNKNOWN_COLUMN, /* the parameter of a column of the model */
  RBV_UNKNOWN_DELAY,  /* of the torque */
  RBV_UNKNOWN_BIAS,   /* of the encoder; the run starts at the measured position, q = q_m - bias */
  RBV_UNKNOWN_GAIN,   /* of the controller */
  RBV_UNKNOWN_INTEGRAL,  /* of the controller at the first tick, as a torque */
  RBV_UNKNOWN_SHAPE,     /* a shape parameter of the friction of a joint */
  RBV_UNKNOWN_STIFFNESS, /* of an elastic joint */
  RBV_UNKNOWN_DAMPING,   /* of an elastic joint */
  RBV_UNKNOWN_COMMAND,   /* delay of the reference, whose derivative is given with it */
  RBV_UNKNOWN_KINDS
} rbv_unknown_kind;

RBV_API const char *rbv_unknown_name(int kind); /* NULL past the last one */

typedef struct {
  rbv_unknown_kind kind;
  int column;        /* of the model */
  int joint;         /* -1: all joints together; a gain then changes in proportion to its value */
  rbv_gain gain;     /* of RBV_UNKNOWN_GAIN */
  const char *shape; /* of RBV_UNKNOWN_SHAPE: its name, for instance "stribeck" */
} rbv_unknown;

/*
 * Propagates the derivatives of the state beside a run: M da = dtau - (dID/dq) dq - (dID/ddq) dv -
 * W dchi through every step of the plant (an L-stable method of order 2, because friction is
 * stiff) and through the discrete controller. The run itself is read from its trace.
 */
typedef struct rbv_sensitivities rbv_sensitivities;

/*
 *   model, control  in  borrowed
 *   options         in  as those of the run; defects are not allowed for
 *   unknown         in  count; copied
 *
 * Refused: a model without motor torques (sensing joint or difference), a column that does not
 * exist, a gain that a law does not have, a shape parameter that no law of the joint has
 * (rbv_model_law_of_shape).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sensitivities_new(rbv_sensitivities **out,
                                                        const rbv_model *model,
                                                        const rbv_control *control,
                                                        const rbv_sim_options *options,
                                                        const rbv_unknown *unknown, int count);
RBV_API void rbv_sensitivities_free(rbv_sensitivities *s);

/* Begin a run. lane, reference and trace are those of the run and borrowed until it ends; the
 * trace needs q, dq and applied. */
RBV_API RBV_MUST_CHECK rbv_status rbv_sensitivities_start(rbv_sensitivities *s,
                                                          const rbv_sim_lane *lane,
                                                          const rbv_sim_reference *reference,
                                                          const rbv_sim_trace *trace);

/*
 * Derivatives at the next tick, at first at tick 0. After the last tick it must not be called.
 * Allocates nothing.
 *
 *   dq    out  njoint x count, unknown u of joint j at [j * count + u]: of the measured position
 *   dtau  out  as dq: of the controller's torque; may be NULL
 */
RBV_API void rbv_sensitivities_next(double *dq, double *dtau, rbv_sensitivities *s);

/* ---- preparation and results ---- */

/* All arrays of a trace, in one block. rbv_sim_trace_free accepts an empty one. */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_trace_new(rbv_sim_trace *out, int njoint,
                                                    ptrdiff_t count);
RBV_API void rbv_sim_trace_free(rbv_sim_trace *trace);

/*
 * Largest M_jj of each joint along a reference, every stride-th sample.
 *   J  out  njoint
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_inertia(double *J, const rbv_model *model,
                                                  const double *chi, bool loaded,
                                                  const rbv_sim_reference *reference,
                                                  ptrdiff_t stride);

/* What PID laws are tuned for; see rbv_control_tune. */
typedef struct {
  const double *inertia;   /* njoint: of rbv_sim_inertia */
  const double *bandwidth; /* njoint [rad/s] */
  double integral, roll_off;
  double rate_hz; /* of the controller */
} rbv_sim_tuning;

/*
 * One PID law per joint that keeps the whole arm stable along a reference. If the laws for the
 * given inertias do not, as in a light wrist without rotor inertia, smaller inertias and integral
 * gains are searched: those whose slowest disturbance decays fastest. Such laws are soft: the
 * torque of the model should be fed forward. If no law is stable, the result is that for the given
 * inertias. Friction, gravity and velocity products are neglected.
 *
 *   joint     out  njoint
 *   softened  out  smaller gains than asked for
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_tune(rbv_control_joint *joint, bool *softened,
                                               const rbv_model *model, const double *chi,
                                               bool loaded, const rbv_sim_reference *reference,
                                               const rbv_sim_tuning *tuning);

/* Standard deviation of each joint's tau over the first count samples: njoint. */
RBV_API void rbv_sim_deviation(double *out, const rbv_sim_trace *trace, int njoint,
                               ptrdiff_t count);

/* Root mean square of q - qr of each joint over the first count samples: njoint; NaN for none. */
RBV_API void rbv_sim_tracking(double *out, const rbv_sim_trace *trace, int njoint, ptrdiff_t count);

/*
 * The plant's own motion (q, dq, ddq, torque) as a motion, copied. Motor torque is tau; that of a
 * joint sensor is what the lane's parameters give.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_motion(rbv_motion **out, const rbv_sim *sim, int lane,
                                                 const rbv_sim_trace *trace,
                                                 const rbv_sim_outcome *outcome);

typedef struct {
  bool reference;    /* qr1.. */
  bool velocity;     /* dq1.. of the plant */
  bool acceleration; /* ddq1.. of the plant */
} rbv_sim_columns;

/*
 * The recording: t, q, tau (and tauj if the model's sensing has a joint sensor), then the columns
 * that are selected. Dropped samples are left out.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_log(rbv_log **out, const rbv_sim *sim, int lane,
                                              const rbv_sim_trace *trace,
                                              const rbv_sim_outcome *outcome,
                                              const rbv_sim_columns *columns);

/* ---- built-in reference motions ---- */

/*
 * The reference motion of a built-in robot, in which all joints move independently ("tx40": 34,500
 * samples at 5 kHz).
 *
 *   q  out  count x njoint, leading dimension count; rbv_sim_reference_release it
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_reference_builtin(double **q, ptrdiff_t *count,
                                                            int *njoint, double *rate_hz,
                                                            const char *robot);

/*
 * Another motion for validation: two sines of each joint about the middle of the range of the
 * reference, within 0.8 of that range, from rest to rest, of the same length.
 *
 *   q  out  as above
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_sim_reference_second(double **q,
                                                           const rbv_sim_reference *reference,
                                                           int njoint, double rate_hz);
RBV_API void rbv_sim_reference_release(double *q);

RBV_END_C
#endif
