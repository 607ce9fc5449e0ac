/* Smoothing of friction near standstill: from the speeds of a motion, or as a log records it. */
#include <math.h>
#include <roberval/sys/prepare.h>
#include <stdlib.h>
#include <string.h>
#include "equations/equations.h"
#include "log/log.h"

#include "job/job_internal.h"

#define SMOOTH_SHARE 0.001  // of the typical top speed of the joint
#define SLOWEST_SHARE 0.05  // a joint that hardly moves counts as this share of the others
#define NO_MOTION 1.0       // top speed of a robot that does not move [rad/s or m/s]
#define TOP_SHARE 0.99      // of the samples are slower than the typical top speed
#define REMARK "friction:"  // of a log, followed by speed=V or gamma=G for each joint

/* ---- from the speeds ---- */

rbv_status rbv_reference_speeds(double *top, const rbv_sim_reference *r, int njoint,
                                double rate_hz) {
  const ptrdiff_t n = r->count - 1;
  RBV_NEW(double, speed, n > 0 ? n : 1);
  for (int j = 0; j < njoint; j++) {
    const double *q = r->q + j * r->ld;
    for (ptrdiff_t k = 0; k < n; k++) speed[k] = fabs(q[k + 1] - q[k]) * rate_hz;
    top[j] = n > 0 ? rbv_select(speed, n, (ptrdiff_t)(TOP_SHARE * (double)(n - 1))) : 0;
  }
  rbv_free(speed);
  return RBV_OK;
}

/* the fastest joint of a type */
static double fastest(const rbv_model *m, const double *top, rbv_joint_type type) {
  double largest = 0;
  for (int j = 0; j < rbv_model_joint_count(m); j++)
    if (rbv_model_joint(m, j)->type == type) largest = fmax(largest, top[j]);
  return largest > 0 ? largest : NO_MOTION;
}

/* the speed that smooths the sign of a joint */
static double choose_speed(const rbv_model *m, const double *top, int joint) {
  const double others = fastest(m, top, rbv_model_joint(m, joint)->type);
  return SMOOTH_SHARE * fmax(top[joint], SLOWEST_SHARE * others);
}

/* replace the model by its variant with the recorded smoothing, else with that of the speeds */
static rbv_status smooth(rbv_model **model, const rbv_recorded_smoothing *recorded,
                         const double *top) {
  const rbv_model *m = *model;
  const int n = rbv_model_joint_count(m);
  RBV_NEW(double, speed, n);
  for (int j = 0; j < n; j++) {
    const double known = recorded && j < recorded->njoint ? recorded->joint[j].speed : 0;
    speed[j] = known > 0 ? known : choose_speed(m, top, j);
  }
  RBV_FINISH(rbv_model_smooth(model, speed), rbv_free(speed));
}

rbv_status rbv_smoothing_choose(rbv_model **m, const double *top) { return smooth(m, NULL, top); }

/* ---- the remark of a log ---- */

void rbv_smoothing_remark(rbv_text *out, const rbv_sim *sim, int njoint) {
  rbv_text_put(out, REMARK);
  for (int j = 0; j < njoint; j++) {
    const rbv_smoothing s = rbv_sim_smoothing(sim, j);
    char number[32];
    rbv_format_double(number, s.gamma > 0 ? s.gamma : s.speed);
    rbv_text_print(out, " %s=%s", s.gamma > 0 ? "gamma" : "speed", number);
  }
}

rbv_status rbv_smoothing_read(rbv_recorded_smoothing *out, const rbv_log_input *input) {
  *out = (rbv_recorded_smoothing){0};
  char *text;
  RBV_TRY(rbv_log_input_remark(&text, input, REMARK));
  // words speed=V and gamma=G, one for each joint
  for (const char *at = text; at && out->njoint < RBV_COUNT(out->joint);) {
    rbv_smoothing *s = &out->joint[out->njoint];
    at += strspn(at, " ");
    const bool gamma = strncmp(at, "gamma=", 6) == 0;
    if (!gamma && strncmp(at, "speed=", 6) != 0) break;
    char *end;
    const double value = strtod(at + 6, &end);
    if (end == at + 6 || !(value >= 0 && value < 1e9)) break;
    *(gamma ? &s->gamma : &s->speed) = value;
    out->njoint++;
    at = end;
  }
  rbv_free(text);
  return RBV_OK;
}

void rbv_smoothing_gamma(double *gamma, const rbv_recorded_smoothing *s) {
  for (int j = 0; j < s->njoint && !(*gamma >= 0); j++)
    if (s->joint[j].gamma > 0) *gamma = s->joint[j].gamma;
}

/* ---- the law of recordings ---- */

static void tell_smoothing(const rbv_model *m, const char *origin, const rbv_notes *notes) {
  double first = INFINITY, last = 0;
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    const rbv_smoothing s = rbv_model_smoothing(m, j);
    if (s.gamma > 0) continue;
    first = fmin(first, s.speed);
    last = fmax(last, s.speed);
  }
  if (!(last > 0)) return;
  rbv_text t = {0};
  rbv_text_print(&t, "Coulomb friction is smoothed below %.3g", first);
  if (last > first) rbv_text_print(&t, " to %.3g", last);
  if (!t.failed) rbv_tell(notes, RBV_NOTE_DETAIL, "%s rad/s or m/s (%s)", t.data, origin);
  rbv_text_free(&t);
}

rbv_status rbv_recordings_smooth(rbv_model **m, const rbv_recorded_smoothing *recorded,
                                 const rbv_recordings *recordings, int threads,
                                 const rbv_notes *notes) {
  const bool known = recorded->njoint > 0;
  RBV_NEW(double, top, (size_t)rbv_model_joint_count(*m));
  rbv_status status = rbv_typical_speeds(top, recordings->motion, recordings->count, threads);
  if (status == RBV_OK) status = smooth(m, recorded, top);
  rbv_free(top);
  if (status == RBV_OK)
    tell_smoothing(*m, known ? "as the log records it" : "0.1 % of each joint's typical top speed",
                   notes);
  return status;
}
