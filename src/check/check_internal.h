/* The doctor's own: a recording made regular, and what detectors get to see. */
#ifndef CHECK_CHECK_INTERNAL_H
#define CHECK_CHECK_INTERNAL_H

#include <roberval/sys/check.h>

#include "base/support.h"

/*
 * A recording on a regular grid, whatever its stamps and holes: positions and torques as recorded,
 * low-passed, and differentiated. Blocks are column-major with `count` rows. Knots are samples
 * spread evenly over it, enough for fits and few enough to try many hypotheses on.
 */
typedef struct {
  const rbv_log *log;
  int number;  // among the logs
  rbv_log_rate stamps;
  bool usable;   // positions and torques are there, long enough
  bool loaded;   // recorded with the payload
  bool mislaid;  // a finding says that positions or torques are not what they should be
  int njoint, nrow;
  ptrdiff_t count;
  double rate_hz, cutoff_hz;
  double *raw;           // njoint: positions, holes filled
  double *q, *dq, *ddq;  // njoint: low-passed at cutoff_hz
  double *torque;        // nrow: holes filled
  double *smooth;        // nrow: low-passed at cutoff_hz
  bool *keep;            // count: false where a gap or a hole was filled
  double *speed;         // njoint: 95 % of the time slower than this
  double *still;         // njoint: below this speed a joint rests
  int nknot;
  ptrdiff_t *knot;                      // nknot: sample
  double *knot_q, *knot_dq, *knot_ddq;  // nknot x njoint
  void *memory;
} view;

#define KNOTS 400   // of one recording
#define MAX_LAG 10  // steps of the delay search; knots keep that far from both ends

/* Build the view; what stands in the way becomes findings and leaves usable false. */
typedef struct examination examination;
rbv_status rbv_view_build(view *v, examination *x, const rbv_log *log, int number);
void rbv_view_free(view *v);

/* Samples between two lags of the delay search: 2 ms, but at least one. */
ptrdiff_t rbv_lag_step(const view *v);

/* What is known so far. */
struct examination {
  const rbv_model *model;
  rbv_check_options options;
  int nlog;
  view *view;            // nlog
  const double *prior;   // of all columns; NULL: none of rigid bodies
  rbv_finding *finding;  // sentences are own strings
  int nfinding, room;
  rbv_status status;  // RBV_EMEM once a finding could not be kept
};

/* Add a finding; the sentence is printed. Values that do not apply are -1 and NAN. */
void rbv_found(examination *x, rbv_finding finding, const char *format, ...) RBV_PRINTF(3, 4);

/* A finding about a whole recording, or about one joint of it (-1: none). */
static inline rbv_finding finding_of(rbv_finding_code code, rbv_severity severity, const view *v,
                                     int joint, double value) {
  return (rbv_finding){code, severity, v->number, joint, -1, -1, value, NULL};
}

/* "joint 3 (elbow)" for sentences. */
#define JOINT_WORDS 64
void rbv_joint_words(char out[JOINT_WORDS], const examination *x, int joint);

/* ---- detectors ---- */

/* of the file: stamps, holes, saturation, dead channels */
rbv_status rbv_detect_stamps(examination *x, view *v);
rbv_status rbv_detect_holes(examination *x, view *v);
rbv_status rbv_detect_saturation(examination *x, view *v);
rbv_status rbv_detect_constant(examination *x, view *v);

/* of the motion */
rbv_status rbv_detect_limits(examination *x, view *v);
rbv_status rbv_detect_velocity(examination *x, view *v);
rbv_status rbv_detect_aliasing(examination *x, view *v);
rbv_status rbv_detect_rest(examination *x, view *v);
rbv_status rbv_detect_slow(examination *x, view *v);
rbv_status rbv_detect_waveform(examination *x, view *v);

/* against the model: prior, delay */
rbv_status rbv_detect_mistakes(examination *x, view *v);
rbv_status rbv_detect_delay(examination *x, view *v);

/* between recordings */
rbv_status rbv_detect_repeated(examination *x);

/* what the motions identify */
rbv_status rbv_judge_motions(rbv_identifiability *out, examination *x);
void rbv_identifiability_free(rbv_identifiability *i);

#endif
