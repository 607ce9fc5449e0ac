/* Shared by the detectors: a recording on a regular time grid, and the findings so far. */
#ifndef CHECK_CHECK_INTERNAL_H
#define CHECK_CHECK_INTERNAL_H

#include <roberval/sys/check.h>

#include "base/support.h"
#include "check/check_thresholds.h"
#include "log/log.h"

/*
 * A recording on a regular time grid: positions and torques as recorded, low-passed, and
 * differentiated. Blocks are column-major with `count` rows. Knots are evenly spread samples:
 * enough for fits, and few enough to test many hypotheses.
 */
typedef struct {
  const rbv_log *log;
  rbv_log *own;  // the log, where it is a copy made for the check; NULL: it is the caller's
  int number;    // index of the log
  rbv_log_rate stamps;
  bool usable;      // positions and torques are complete and long enough
  bool loaded;      // recorded with the payload
  bool unreliable;  // a finding makes positions or torques meaningless
  int njoint, nrow;
  ptrdiff_t count;
  double rate_hz, cutoff_hz;
  double *raw;           // njoint: positions, missing values filled
  double *q, *dq, *ddq;  // njoint: low-passed at cutoff_hz
  double *torque;        // nrow: missing values filled
  double *smooth;        // nrow: low-passed at cutoff_hz
  bool *keep;            // count: false where a value was filled
  double *speed;         // njoint: 95 % quantile of the speed
  double *still;         // njoint: below this speed a joint stands still
  double *resolution;    // njoint: of the encoder; 0: the position does not change
  int nknot;
  ptrdiff_t *knot;                      // nknot: sample
  double *knot_q, *knot_dq, *knot_ddq;  // nknot x njoint
  void *memory;
} view;

#define DEGREE (RBV_PI / 180)

RBV_THRESHOLDS(CHECK_KNOTS);  // samples at which the model is evaluated

/* Build the view. Obstacles become findings and leave usable false. */
typedef struct examination examination;
rbv_status rbv_view_build(view *v, examination *x, const rbv_log *log, int number);
void rbv_view_free(view *v);

/* State of a check. */
struct examination {
  const rbv_model *model;
  rbv_check_options options;
  int nlog;
  view *view;            // nlog
  const double *prior;   // one per column; NULL: no values of rigid bodies
  rbv_finding *finding;  // sentences are allocated
  int nfinding, capacity;
  rbv_check_bad *bad;
  int nbad;
  rbv_status status;  // RBV_EMEM after a finding could not be stored
};

/* Add a finding; the sentence is formatted. Values that do not apply are -1 and NAN. */
void rbv_add_finding(examination *x, rbv_finding finding, const char *format, ...) RBV_PRINTF(3, 4);

/* Free findings and their sentences. */
void rbv_findings_free(rbv_finding *finding, int count);

/* A finding about a recording (-1: all of them) and about one joint of it (-1: none). */
static inline rbv_finding finding_in(rbv_finding_code code, rbv_severity severity, int log,
                                     int joint, double value) {
  return (rbv_finding){.code = code,
                       .severity = severity,
                       .log = log,
                       .joint = joint,
                       .other = -1,
                       .sample = -1,
                       .value = value};
}

static inline rbv_finding finding_of(rbv_finding_code code, rbv_severity severity, const view *v,
                                     int joint, double value) {
  return finding_in(code, severity, v->number, joint, value);
}

/* The same, with the option that helps. */
static inline rbv_finding finding_with(rbv_finding f, const char *option) {
  f.option = option;
  return f;
}

/* Parameters of the robot file; NULL: it has no masses. */
const double *rbv_check_prior(const rbv_model *m);

/* "joint 3 (elbow)" for sentences. */
enum { JOINT_LABEL = 64 };
void rbv_joint_label(char out[JOINT_LABEL], const examination *x, int joint);

/* length of a vector, and the angle between two in degrees */
double rbv_norm3(const double x[3]);
double rbv_angle3(const double x[3], const double y[3]);

/* The option that turns gravity of a size to a direction: a mount if it has a name. */
void rbv_gravity_option(rbv_finding *f, const double direction[3], double size);

/* ---- detectors ---- */

/* Find the bad rows of a log. own: the copy without them, which is to be judged instead; NULL: the
 * log itself is */
rbv_status rbv_check_rows(rbv_log **own, examination *x, const rbv_log *log, int number);

/* the file: time stamps, missing values, saturation, constant channels */
rbv_status rbv_detect_stamps(examination *x, view *v);
rbv_status rbv_detect_missing(examination *x, view *v);
rbv_status rbv_detect_saturation(examination *x, view *v);
rbv_status rbv_detect_constant(examination *x, view *v);

/* the motion */
rbv_status rbv_detect_limits(examination *x, view *v);
rbv_status rbv_detect_velocity(examination *x, view *v);
rbv_status rbv_detect_aliasing(examination *x, view *v);
rbv_status rbv_detect_standstill(examination *x, view *v);
rbv_status rbv_detect_rest(examination *x, view *v);
rbv_status rbv_detect_slow(examination *x, view *v);
rbv_status rbv_detect_waveform(examination *x, view *v);

/* comparison with the model: prior, delay, friction that depends on the load */
rbv_status rbv_detect_prior_conflicts(examination *x, view *v);
rbv_status rbv_detect_gravity(examination *x, view *v);
rbv_status rbv_detect_signs(examination *x, view *v);
rbv_status rbv_detect_delay(examination *x, view *v);
rbv_status rbv_detect_load_friction(examination *x, view *v);
rbv_status rbv_detect_friction_drift(examination *x, view *v);

/* Call a test with the recording as a motion that an identification uses. Only a lack of memory is
 * a failure. */
typedef rbv_status motion_test(examination *x, const view *v, rbv_motion *motion);
rbv_status rbv_examine_motion(examination *x, const view *v, motion_test *test);

/* comparison of recordings */
rbv_status rbv_detect_repeated(examination *x);

/* coupled drives, from all recordings together */
rbv_status rbv_detect_coupling(examination *x);

/* Flags of contact points in recordings, with the parameters of a fit. */
rbv_status rbv_detect_contacts(examination *x, const double *chi, rbv_motion *const *motions,
                               int nmotion);

/* turns of the motor per turn of the joint, as the robot file gives it */
double rbv_coupling_rotor_ratio(const rbv_model *m, const rbv_coupling *c);

/* identifiable parameters of all motions together */
rbv_status rbv_find_identifiability(rbv_identifiability *out, examination *x);
void rbv_identifiability_free(rbv_identifiability *i);

#endif
