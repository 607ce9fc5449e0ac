/*
 * check: the data doctor. Before anything is solved it says in plain sentences what is wrong with
 * recordings (units, signs, gears, order, time stamps, delay, saturation, rest, rate) and what
 * their motion cannot identify.
 *
 * What a log says of itself needs the robot's limits only. Signs, gears, order and "another robot"
 * are judged against a prior: the parameters that came with the robot, which may be wrong by some
 * ten per cent; friction is taken as unknown.
 */
#ifndef ROBERVAL_SYS_CHECK_H
#define ROBERVAL_SYS_CHECK_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- findings ---- */

/* enumerator, name in reports, what rbv_finding.value is, meaning */
#define RBV_FINDING_LIST(X)                                                                       \
  X(RBV_FINDING_CHANNEL, "channel", "", "a channel that the robot needs is not there")            \
  X(RBV_FINDING_SHORT, "short", "samples", "the recording is too short")                          \
  X(RBV_FINDING_MISSING, "missing", "samples", "values are missing or infinite")                  \
  X(RBV_FINDING_TIME, "time", "stamps", "time stands still, runs backwards or is not known")      \
  X(RBV_FINDING_GAP, "gap", "s", "samples are missing in between")                                \
  X(RBV_FINDING_JITTER, "jitter", "steps rms", "time stamps are irregular")                       \
  X(RBV_FINDING_CONSTANT, "constant", "unit of the channel", "a channel never changes")           \
  X(RBV_FINDING_SATURATED, "saturated", "N m or N", "a torque is cut off at its extreme")         \
  X(RBV_FINDING_DEGREES, "degrees", "factor", "positions are in degrees")                         \
  X(RBV_FINDING_LIMITS, "limits", "rad or m", "positions or velocities are beyond the limits")    \
  X(RBV_FINDING_VELOCITY, "velocity", "factor", "recorded velocity is not the positions' slope")  \
  X(RBV_FINDING_ALIASING, "aliasing", "share", "the motion is too fast for the sampling rate")    \
  X(RBV_FINDING_SIGN, "sign", "factor", "a sign is turned")                                       \
  X(RBV_FINDING_ORDER, "order", "", "joints are swapped")                                         \
  X(RBV_FINDING_GEAR, "gear", "factor", "a gear ratio or torque constant is wrong")               \
  X(RBV_FINDING_TORQUE_UNIT, "torque-unit", "factor", "torques are in another unit, or currents") \
  X(RBV_FINDING_FOREIGN, "foreign", "share", "the log of another robot, or a useless prior")      \
  X(RBV_FINDING_NO_PRIOR, "no-prior", "", "nothing to judge signs, gears and order against")      \
  X(RBV_FINDING_PRIOR, "prior", "share", "the prior does not explain a joint")                    \
  X(RBV_FINDING_DELAY, "delay", "s", "torque and position are shifted in time")                   \
  X(RBV_FINDING_REST, "rest", "share", "the robot stands still for a good part of the time")      \
  X(RBV_FINDING_SLOW, "slow", "rad/s or m/s", "a joint hardly moves")                             \
  X(RBV_FINDING_ONE_WAY, "one-way", "share", "a joint moves in one direction only")               \
  X(RBV_FINDING_WAVEFORM, "shared-waveform", "correlation", "joints share one waveform")          \
  X(RBV_FINDING_REPEATED, "repeated", "correlation", "two recordings hold the same trajectory")   \
  X(RBV_FINDING_RANK, "rank", "base parameters", "the motion cannot tell parameters apart")       \
  X(RBV_FINDING_CONDITION, "condition", "", "the motion tells parameters apart badly")

typedef enum {
#define X(code, name, unit, text) code,
  RBV_FINDING_LIST(X)
#undef X
} rbv_finding_code;

/* "degrees" for RBV_FINDING_DEGREES; unit of its value; what it means. Static storage. */
RBV_API const char *rbv_finding_name(rbv_finding_code code);
RBV_API const char *rbv_finding_unit(rbv_finding_code code);
RBV_API const char *rbv_finding_text(rbv_finding_code code);

typedef enum {
  RBV_SEVERITY_NOTE,    /* good to know */
  RBV_SEVERITY_WARNING, /* identification will suffer, or needs an option */
  RBV_SEVERITY_ERROR    /* identification would be unwise */
} rbv_severity;

RBV_API const char *rbv_severity_name(rbv_severity severity);

typedef struct {
  rbv_finding_code code;
  rbv_severity severity;
  int log;              /* number of the recording; -1: all together */
  int joint;            /* from 0; -1: none or all */
  int other;            /* the other joint (order, waveform) or log (repeated); -1: none */
  ptrdiff_t sample;     /* where it begins; -1: everywhere */
  double value;         /* see rbv_finding_unit; NaN: none */
  const char *sentence; /* what was seen, where, and what to do */
} rbv_finding;

/* ---- what these motions can identify ---- */

typedef struct {
  bool known;              /* false: see reason; the rest is then empty */
  const char *reason;      /* why it is not known; "" otherwise */
  rbv_base *structure;     /* what any motion could identify */
  rbv_base *base;          /* what these motions identify */
  double condition;        /* of the weighted regressor over the base columns */
  double condition_scaled; /* after columns are scaled to unit norm */
  double *sigma;           /* base->count: standard deviation to expect of each base parameter */
  double *relative;        /* base->count: over |value of the prior|; NaN without one */
} rbv_identifiability;

/* ---- the examination ---- */

typedef struct {
  double tolerance;   /* a scaled pivot below it counts as not excited; default 1e-3 */
  const bool *loaded; /* one per log: recorded with the payload; NULL: none is */
} rbv_check_options;

RBV_API rbv_check_options rbv_check_defaults(void);

typedef struct {
  int nfinding;
  rbv_finding *finding; /* errors first, then warnings, then notes */
  rbv_identifiability identifiability;
  bool unwise; /* an error was found: do not identify before it is mended */
} rbv_check_report;

/*
 * Examine recordings of one robot. Findings are a result: RBV_OK says that the examination took
 * place. Everything in the report is copied; model and logs are borrowed for the call.
 *
 *   logs     in  nlog >= 1
 *   options  in  NULL for the defaults
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_check(rbv_check_report **out, const rbv_model *model,
                                            const rbv_log *const *logs, int nlog,
                                            const rbv_check_options *options);
RBV_API void rbv_check_free(rbv_check_report *report);

#ifdef __cplusplus
}
#endif
#endif
