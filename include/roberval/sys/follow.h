/*
 * follow: a known arm at work, sample by sample. Residual of the torque, contact, the payload and
 * slow changes of friction are estimated along a stream of positions and torques.
 *
 * Positions and torques pass the same causal low-pass, so that their delays are equal: a chain of
 * three equal poles, solved exactly for inputs that are linear between two samples. The filtered
 * residual is what a momentum observer of third order gives. Payload and friction are estimated
 * from equations that pass a second, slower filter, as `identify` filters torque and columns alike.
 *
 * Everything that survives a sample is one array of numbers, which can be saved and loaded: the
 * object then goes on with the same numbers to the last bit.
 */
#ifndef ROBERVAL_SYS_FOLLOW_H
#define ROBERVAL_SYS_FOLLOW_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/model.h>
#include <roberval/sys/payload.h>
#include <roberval/sys/prepare.h>

RBV_BEGIN_C

/* ---- recursive least squares ---- */

/*
 * The triangle R and the right-hand sides z of R x = z, updated by Givens rotations: no normal
 * equations. The memory is the caller's; rbv_rls_size doubles, all zero at the start.
 */
typedef struct {
  int n, nrhs;
  double *R;   /* n x n, row i at [i * n], upper triangle */
  double *z;   /* n x nrhs, row i at [i * nrhs] */
  double *rss; /* nrhs: sum of squares of what the equations leave */
} rbv_rls;

RBV_API int rbv_rls_size(int n, int nrhs);
RBV_API rbv_rls rbv_rls_at(double *memory, int n, int nrhs);

/* Forget: all information is multiplied by this factor, 0 to 1. */
RBV_API void rbv_rls_forget(const rbv_rls *r, double factor);

/*
 * Add the equation x' unknowns = y. Both are used as scratch memory and overwritten.
 *
 *   x  in  n
 *   y  in  nrhs
 */
RBV_API void rbv_rls_add(const rbv_rls *r, double *x, double *y);

/*
 * Solve for one right-hand side.
 *
 *   x      out  n; 0 for an unknown that the equations do not determine
 *   sigma  out  n, for equations with noise of variance 1; infinite if not determined; may be NULL
 */
RBV_API void rbv_rls_solve(double *x, double *sigma, const rbv_rls *r, int rhs);

/* inv(R), n x n, row i at [i * n]. False: R is singular. The covariance is inv(R) inv(R)'. */
RBV_API bool rbv_rls_inverse(double *inverse, const rbv_rls *r);

/* ---- levels of alarms ---- */

/*
 * The level that a signal exceeds with a chosen rate, from the largest absolute values in blocks of
 * equal length of a recording without events. Peaks over a threshold: the largest quarter of
 * the squares of the maxima has excesses with an exponential distribution, exactly so for normal
 * noise (Rice 1945). The level is the predictive one: their mean comes from few values, which
 * raises it.
 *
 *   maxima  in  count >= RBV_ALARM_BLOCKS; sorted on return
 *   share   in  expected number of alarms per block, below 1
 */
#define RBV_ALARM_BLOCKS 8
RBV_API double rbv_alarm_level(double *maxima, int count, double share);

/* The same for a normal signal with sigma 1 and this rate of upward crossings of zero [1/s]
 * (Rice 1945). rate: of alarms, both signs together [1/s]. */
RBV_API double rbv_alarm_level_normal(double crossings, double rate);

/* ---- following ---- */

typedef struct rbv_follow rbv_follow;

typedef struct {
  double rate_hz;         /* of the stream; must be given */
  double observer_hz;     /* poles of the filter of the residual; at most 0.15 of the rate */
  double estimate_hz;     /* poles of the filter of the equations for payload and drift */
  double alarms_per_hour; /* false alarms, all joints together */
  double payload_s;       /* forgetting of the payload: time constant; 0: none */
  double drift_s;         /* forgetting of friction, in seconds of motion; 0: no drift */
  double dead_zone;       /* a drift is used when it differs by more than this many sigma */
  double mask;            /* below this speed friction is not known [rad/s or m/s] */
  double reach;           /* the centre of a payload is within this of the last frame [m] */
  double radius;          /* of gyration that a payload can have [m]: bounds its inertia */
  double least_mass;      /* a payload that is lighter is none [kg] */
  bool payload;           /* look for a payload */
  bool inertia;           /* report the inertia, too; its size is bounded in both cases */
  bool carries;           /* it carries an unknown payload from the start */
  const char *at;         /* link that carries the payload; NULL: that of the only tip. A robot with
                             several tips has no payload without it */
} rbv_follow_options;

RBV_API rbv_follow_options rbv_follow_defaults(void);

/* What is known about the payload. */
typedef enum {
  RBV_LOAD_NONE,    /* nothing is carried */
  RBV_LOAD_UNKNOWN, /* something has changed; there was not enough motion yet to say what */
  RBV_LOAD_KNOWN
} rbv_load;
RBV_API const char *rbv_load_name(rbv_load load); /* "none", "unknown", "known" */

/* What a sample of the stream was. Samples that are not good are not used; estimates stay. */
#define RBV_STREAM_LIST(X)                                                      \
  X(RBV_STREAM_GOOD, "good", "")                                                \
  X(RBV_STREAM_NOT_FINITE, "not_finite", "a value is missing or infinite")      \
  X(RBV_STREAM_REPEATED, "repeated", "the time stamp repeats")                  \
  X(RBV_STREAM_BACKWARDS, "backwards", "time runs backwards")                   \
  X(RBV_STREAM_GAP, "gap", "a gap: the filters start again")                    \
  X(RBV_STREAM_JUMP, "jump", "a position jumps faster than the joint can move") \
  X(RBV_STREAM_FROZEN, "frozen", "the values, or a torque while its joint moves, do not change")

typedef enum {
#define X(name, key, text) name,
  RBV_STREAM_LIST(X)
#undef X
      RBV_STREAM_KINDS
} rbv_stream_kind;
RBV_API const char *rbv_stream_name(rbv_stream_kind kind); /* "gap" */
RBV_API const char *rbv_stream_text(rbv_stream_kind kind); /* a phrase for messages */

/* What is known after a sample. Arrays belong to the object and change with the next sample. */
typedef struct {
  double t;
  bool settled;           /* the filters have forgotten the start of the stream */
  bool updated;           /* residual and contact are new: they are computed at most every 1 ms */
  const double *residual; /* njoint: torque that the model does not explain [N m or N] */
  const double *limit;    /* njoint: of the residual, for the chosen rate of alarms */
  int contact;            /* joint whose residual is beyond its limit, the worst one; -1: none */
  int limb;               /* the body at the end of the limb with the contact; -1: not known, or a
                             robot without branches */
  bool began;             /* the contact began with this sample */
  rbv_load load;
  bool changed;        /* a change of the payload was detected with this sample */
  double changed_at;   /* time of the last change; NaN: none yet */
  rbv_payload payload; /* with sigmas, infinite while they are not known; in the last frame */
  int ndrift;
  const int *drift_column;   /* ndrift: columns of the model */
  const double *drift;       /* change since the identification, as it is used */
  const double *drift_sigma; /* of the estimate */
} rbv_follow_report;

/*
 * Follow an arm. Its parts (see rbv_known_arm) give the uncertainty of its torque along the motion.
 * Model and parameters are copied or borrowed as in rbv_known_arm: the model must live on.
 *
 *   rms  in  njoint: residual of the identification [N m or N], for limits without calibration
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_follow_new(rbv_follow **out, const rbv_known_arm *arm,
                                                 const double *rms,
                                                 const rbv_follow_options *options);
RBV_API void rbv_follow_free(rbv_follow *follow);

/* Samples in columns: joint j of sample k at [k + j * count]; torques as rows of the model. */
typedef struct {
  ptrdiff_t count;
  const double *t, *q, *torque;
  bool identified; /* the arm was identified from this recording alone: each of its parts in time is
                      judged by the parameters that were found without it */
  const double *chi; /* columns of the model as they were found without this recording; NULL: those
                        of the arm */
} rbv_follow_samples;

/*
 * Learn the residual from recordings without contact and without payload, such as those of the
 * identification: its size, its colour and its extreme values, and set all limits for the chosen
 * rate of false alarms. A limit is never below that of normal noise of this size: an error of the
 * model that is bounded on this motion has another size on another one. Starts again afterwards.
 * RBV_EINPUT: they are too short.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_follow_calibrate(rbv_follow *follow,
                                                       const rbv_follow_samples *recordings,
                                                       int count);

/*
 * One sample. A bad one is told in the returned kind and not used. Allocates nothing.
 *
 *   torque  in  all rows of the model
 */
RBV_API rbv_stream_kind rbv_follow_push(rbv_follow *follow, double t, const double *q,
                                        const double *torque);
RBV_API const rbv_follow_report *rbv_follow_get(const rbv_follow *follow);

/* Time after a start or a gap from which on residuals are judged [s]. */
RBV_API double rbv_follow_start_time(const rbv_follow *follow);

/* All that survives a sample, as numbers; to go on later with rbv_follow_load into an object that
 * was made in the same way. RBV_EDIM: the count differs. */
RBV_API const double *rbv_follow_state(const rbv_follow *follow, int *count);
RBV_API RBV_MUST_CHECK rbv_status rbv_follow_load(rbv_follow *follow, const double *state,
                                                  int count);

/* ---- rows of a stream of text ---- */

/*
 * CSV text that arrives in pieces, with the names, units and column maps of recordings. A line that
 * cannot be read is told, and the next one is tried.
 */
typedef struct rbv_row_text rbv_row_text;

/*
 * Called for each row. A status that is not RBV_OK ends the reading and is returned.
 *
 *   line    in  from 1
 *   wrong   in  why the line cannot be read, a sentence; then there are no numbers. NULL: a row
 *   q       in  njoint
 *   torque  in  all rows of the model
 */
typedef rbv_status rbv_row_sink(void *self, long long line, const char *wrong, double t,
                                const double *q, const double *torque);

/* model, map (NULL: names of this program) and gains (njoint, NULL: 1) are borrowed. head_lines:
 * lines before the first row; -1: comments, and a line that begins with a letter. */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_text_new(rbv_row_text **out, const char *name,
                                                   const rbv_model *model, const rbv_log_map *map,
                                                   int head_lines, const double *gains);
RBV_API void rbv_row_text_free(rbv_row_text *rows);
RBV_API RBV_MUST_CHECK rbv_status rbv_row_text_add(rbv_row_text *rows, const char *bytes,
                                                   size_t size, rbv_row_sink *sink, void *self);

/* The end of the stream: a last line without a line break is a row. */
RBV_API RBV_MUST_CHECK rbv_status rbv_row_text_end(rbv_row_text *rows, rbv_row_sink *sink,
                                                   void *self);

RBV_END_C
#endif
