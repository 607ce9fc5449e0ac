/*
 * check: finds errors in recordings before an identification (units, signs, gear ratios, joint
 * order, time stamps, delay, saturation, standstill, sample rate), and parameters that their motion
 * cannot identify.
 *
 * Most checks need the robot's limits only. Signs, gear ratios, joint order and "another robot" are
 * checked against a prior: the parameters in the robot file. They may be wrong by some ten per
 * cent; friction is treated as unknown.
 */
#ifndef ROBERVAL_SYS_CHECK_H
#define ROBERVAL_SYS_CHECK_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/result.h>

RBV_BEGIN_C

/* ---- findings ---- */

/* enumerator, name, unit or meaning of rbv_finding.value, text */
#define RBV_FINDING_LIST(X)                                                                        \
  X(RBV_FINDING_CHANNEL, "channel", "", "a channel that the robot needs is missing")               \
  X(RBV_FINDING_SHORT, "short", "samples", "the recording is too short")                           \
  X(RBV_FINDING_MISSING, "missing", "samples", "values are missing or infinite")                   \
  X(RBV_FINDING_GLITCH, "glitch", "rows", "values are corrupt")                                    \
  X(RBV_FINDING_TIME, "time", "stamps", "time stamps do not increase or are missing")              \
  X(RBV_FINDING_GAP, "gap", "s", "samples are missing inside the recording")                       \
  X(RBV_FINDING_HELD, "held", "rows", "every value is logged several times")                       \
  X(RBV_FINDING_JITTER, "jitter", "steps rms", "time stamps are irregular")                        \
  X(RBV_FINDING_CONSTANT, "constant", "unit of the channel", "a channel never changes")            \
  X(RBV_FINDING_SATURATED, "saturated", "N m or N", "a torque is clipped at its extreme")          \
  X(RBV_FINDING_DEGREES, "degrees", "factor", "positions are in degrees")                          \
  X(RBV_FINDING_LIMITS, "limits", "rad or m", "positions or velocities are beyond the limits")     \
  X(RBV_FINDING_VELOCITY, "velocity", "factor", "velocity is not the slope of the positions")      \
  X(RBV_FINDING_ALIASING, "aliasing", "share", "the motion is too fast for the sampling rate")     \
  X(RBV_FINDING_SIGN, "sign", "factor", "a sign is wrong")                                         \
  X(RBV_FINDING_ORDER, "order", "", "joints are swapped")                                          \
  X(RBV_FINDING_GEAR, "gear", "factor", "a gear ratio or torque constant is wrong")                \
  X(RBV_FINDING_TORQUE_UNIT, "torque-unit", "factor", "torques are in another unit, or currents")  \
  X(RBV_FINDING_GRAVITY, "gravity", "degrees", "gravity has another direction than in the file")   \
  X(RBV_FINDING_COMPENSATED, "compensated", "factor", "torques contain no gravity")                \
  X(RBV_FINDING_PAYLOAD, "payload", "kg", "the robot carried more than the robot file says")       \
  X(RBV_FINDING_FOREIGN, "foreign", "share", "the log of another robot, or a wrong prior")         \
  X(RBV_FINDING_NO_PRIOR, "no-prior", "", "no prior to check signs, gears and order with")         \
  X(RBV_FINDING_PRIOR, "prior", "share", "the prior does not explain a joint")                     \
  X(RBV_FINDING_COUPLING, "coupling", "ratio", "drives are coupled that the robot file separates") \
  X(RBV_FINDING_DELAY, "delay", "s", "torque and position are shifted in time")                    \
  X(RBV_FINDING_REST, "rest", "share", "the robot or a joint stands still for too long")           \
  X(RBV_FINDING_SLOW, "slow", "rad/s or m/s", "a joint hardly moves")                              \
  X(RBV_FINDING_ONE_WAY, "one-way", "share", "a joint moves in one direction only")                \
  X(RBV_FINDING_WAVEFORM, "shared-waveform", "correlation", "joints share one waveform")           \
  X(RBV_FINDING_REPEATED, "repeated", "correlation", "two recordings hold the same trajectory")    \
  X(RBV_FINDING_LOAD_FRICTION, "load-friction", "share", "friction depends on the load")           \
  X(RBV_FINDING_FRICTION_DRIFT, "friction-drift", "share", "friction drifts along the recording")  \
  X(RBV_FINDING_UNEXPLAINED, "unexplained", "share", "the fitted torques explain almost nothing")  \
  X(RBV_FINDING_ENERGY, "energy", "N m or N", "friction drives a joint")                           \
  X(RBV_FINDING_CONTACT, "contact", "share", "flags of contact points are wrong")                  \
  X(RBV_FINDING_RANK, "rank", "base parameters", "the motion does not excite some parameters")     \
  X(RBV_FINDING_WEAK, "weak", "relative error", "other motions would be predicted badly")          \
  X(RBV_FINDING_CONDITION, "condition", "", "the motion separates parameters badly")

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
  RBV_SEVERITY_NOTE,    /* information */
  RBV_SEVERITY_WARNING, /* the identification loses precision, or needs an option */
  RBV_SEVERITY_ERROR    /* fix it before the identification */
} rbv_severity;

RBV_API const char *rbv_severity_name(rbv_severity severity);

typedef struct {
  rbv_finding_code code;
  rbv_severity severity;
  int log;               /* number of the recording; -1: all together */
  int joint;             /* from 0; -1: none or all */
  int other;             /* the other joint (order, waveform) or log (repeated); -1: none */
  ptrdiff_t sample;      /* first sample; -1: all */
  ptrdiff_t line;        /* of that sample in the file; 0: none, or not known */
  double value;          /* see rbv_finding_unit; NaN: none */
  double sigma;          /* standard deviation of the value; 0: not estimated */
  const char *sentence;  /* what was found, where, and what to do */
  const char *option;    /* option of the identification that helps, "delay"; NULL: none */
  char option_value[48]; /* recommended value of the option, "0.004"; "": none */
} rbv_finding;

/* ---- identifiability ---- */

typedef struct {
  bool known;              /* false: see reason; the rest is then empty */
  const char *reason;      /* why it is not known; "" otherwise */
  rbv_base *structure;     /* base parameters of the robot: any motion */
  rbv_base *base;          /* base parameters of these motions */
  double condition;        /* of the weighted regressor over the base columns */
  double condition_scaled; /* the same after columns are scaled to unit norm */
  double *sigma;           /* base->count: expected standard deviation of each base parameter */
  double *relative;        /* base->count: sigma over |value of the prior|; NaN: no prior */
} rbv_identifiability;

/* ---- coupled drives ---- */

/* A motor that also turns with another joint: its rotor follows q[motor] + ratio q[joint]. */
typedef struct {
  int motor, joint;  /* from 0 */
  double ratio;      /* proposed: a whole or half number if the data admit one */
  double range[2];   /* least and largest |ratio| that they admit */
  double without[2]; /* relative error on data that were left out, of the joints `motor` and */
  double with[2];    /* `joint`: with the robot file as it is, and with the coupling */
} rbv_coupling;

/*
 * Couplings that the model lacks and that explain the torques of these motions, njoint - 1 at most.
 * They are found in motor torques only. The first 200,000 samples of each motion are used.
 *
 *   out    out  njoint places
 *   count  out
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_find_couplings(rbv_coupling *out, int *count,
                                                     const rbv_model *model,
                                                     rbv_motion *const *motions, int nmotion);

/* A sentence about coupling i, with the `transmission` entry of all of them. */
#define RBV_COUPLING_TEXT 1024
RBV_API RBV_MUST_CHECK rbv_status rbv_coupling_describe(char out[RBV_COUPLING_TEXT],
                                                        const rbv_model *model,
                                                        const rbv_coupling *coupling, int count,
                                                        int i);

/* ---- check ---- */

typedef struct {
  double tolerance;   /* a scaled pivot below it means not excited; default 1e-3 */
  const bool *loaded; /* one per log: recorded with the payload; NULL: none */
  bool drop_bad_rows; /* bad rows are dropped knowingly: a note, no error */
  bool other_masses;  /* the torques are those of a control law, or the robot carries an unknown
                         body: they are not compared with the masses of the robot file */
  bool velocities;    /* recorded velocities are used: find corrupt ones too */
  int laws;   /* different control laws of the recordings; 0: not known. With two, no other set of
                 gains is recommended for recordings without torques */
  bool quick; /* only the questions that can change the verdict of an identification, which knows
                 identifiability itself */
} rbv_check_options;

RBV_API rbv_check_options rbv_check_defaults(void);

/* A bad value of a recording, see rbv_log_find_bad_rows. */
typedef struct {
  rbv_bad_kind kind;
  int log;
  ptrdiff_t sample, line; /* line 0: the format has none */
  char column[24];        /* name; "": the whole row */
  double value, expected;
} rbv_check_bad;

typedef struct {
  int nfinding;
  rbv_finding *finding; /* errors first, then warnings, then notes */
  int nbad;
  rbv_check_bad *bad; /* by log, row and column */
  rbv_identifiability identifiability;
  bool has_errors;       /* fix the errors before you identify */
  rbv_judgement verdict; /* of the findings alone */
} rbv_check_result;

/*
 * Check recordings of one robot. Findings are no failure of the call: it returns RBV_OK. The result
 * is independent of model and logs, which are borrowed for the call. Bad rows are found first;
 * everything else is judged without them.
 *
 *   logs     in  nlog >= 1
 *   options  in  NULL for the defaults
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_check(rbv_check_result **out, const rbv_model *model,
                                            const rbv_log *const *logs, int nlog,
                                            const rbv_check_options *options);
RBV_API void rbv_check_free(rbv_check_result *result);

/*
 * Add what the fit of an identification says: torques that are noise or belong to another motion;
 * errors of other motions that the covariance predicts, which also go into the diagnostics of the
 * estimate; friction that drives the robot.
 *
 *   result   in/out  findings are added
 *   motions  in      of the fit
 *   prior    in      the fit has a prior, which can be the cause
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_check_fit(rbv_check_result *result, const rbv_model *model,
                                                rbv_estimate *estimate, rbv_motion *const *motions,
                                                int nmotion, bool prior);

RBV_END_C
#endif
