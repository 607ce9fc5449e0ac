/* Smoothing of friction near standstill: from the speeds of a motion, or as a log records it. */
#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/log.h>
#include <roberval/sys/prepare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/job_internal.h"

#define SMOOTH_SHARE 0.001    // of the typical top speed of the joint
#define SLOWEST_SHARE 0.05    // a joint that hardly moves counts as this share of the others
#define NO_MOTION 1.0         // top speed of a robot that does not move [rad/s or m/s]
#define TOP_SHARE 0.99        // of the samples are slower than the typical top speed
#define SMOOTHING_JOINTS 100  // of a robot, at most
#define REMARK "friction:"    // of a log, followed by speed=V or gamma=G for each joint

/* ---- from the speeds ---- */

rbv_status rbv_reference_speeds(double *top, const rbv_sim_reference *r, int njoint,
                                double rate_hz) {
  const ptrdiff_t n = r->count - 1;
  double *speed = rbv_alloc((size_t)(n > 0 ? n : 1) * sizeof *speed);
  if (!speed) return RBV_EMEM;
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

void rbv_smoothing_choose(rbv_model *m, const double *top) {
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    const double others = fastest(m, top, rbv_model_joint(m, j)->type);
    rbv_model_set_smoothing(m, j, SMOOTH_SHARE * fmax(top[j], SLOWEST_SHARE * others));
  }
}

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

/* as the log of a simulation records it */
typedef struct {
  int njoint;  // 0: the log records none
  rbv_smoothing joint[SMOOTHING_JOINTS];
} recorded_smoothing;

static rbv_status read_remark(recorded_smoothing *out, const char *path) {
  *out = (recorded_smoothing){0};
  char *text;
  RBV_TRY(rbv_log_remark(&text, path, REMARK));
  // words speed=V and gamma=G, one for each joint
  for (const char *at = text; at && out->njoint < SMOOTHING_JOINTS;) {
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

rbv_status rbv_recorded_gamma(double *gamma, const char *path) {
  recorded_smoothing s;
  if (*gamma >= 0) return RBV_OK;
  RBV_TRY(read_remark(&s, path));
  for (int j = 0; j < s.njoint; j++)
    if (s.joint[j].gamma > 0) {
      *gamma = s.joint[j].gamma;
      break;
    }
  return RBV_OK;
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
  if (!t.failed) rbv_tell(notes, NULL, "%s rad/s or m/s (%s)", t.data, origin);
  rbv_text_free(&t);
}

/* the smoothing that the log records, if any */
static rbv_status apply_remark(bool *found, rbv_model *m, const char *path) {
  recorded_smoothing s;
  RBV_TRY(read_remark(&s, path));
  for (int j = 0; j < rbv_model_joint_count(m) && j < s.njoint; j++)
    rbv_model_set_smoothing(m, j, s.joint[j].speed);
  *found = s.njoint > 0;
  return RBV_OK;
}

rbv_status rbv_recordings_smooth(rbv_model *m, const char *path, const rbv_recordings *recordings,
                                 int threads, const rbv_notes *notes) {
  bool recorded;
  RBV_TRY(apply_remark(&recorded, m, path));
  if (recorded) tell_smoothing(m, "as the log records it", notes);
  double *top = rbv_alloc((size_t)rbv_model_joint_count(m) * sizeof *top);
  if (!top) return RBV_EMEM;
  const rbv_status status = rbv_typical_speeds(top, recordings->motion, recordings->count, threads);
  if (status == RBV_OK) rbv_smoothing_choose(m, top);
  rbv_free(top);
  if (status == RBV_OK && !recorded)
    tell_smoothing(m, "0.1 % of each joint's typical top speed", notes);
  return status;
}

/* combined with the values in top; a log without a motion adds nothing */
static rbv_status speeds_of_log(double *top, double *work, const rbv_model *m, rbv_log *log) {
  rbv_motion *motion = NULL;
  rbv_status status = rbv_motion_from_log(&motion, m, log, NULL);
  if (status == RBV_OK) status = rbv_typical_speeds(work, &motion, 1, 1);
  rbv_motion_free(motion);
  for (int j = 0; j < rbv_model_joint_count(m) && status == RBV_OK; j++)
    if (isfinite(work[j])) top[j] = fmax(top[j], work[j]);
  return status == RBV_EMEM ? status : RBV_OK;
}

rbv_status rbv_logs_smooth(rbv_model *m, const char *path, rbv_log *const *log, int count) {
  const int n = rbv_model_joint_count(m);
  bool recorded;
  RBV_TRY(apply_remark(&recorded, m, path));
  double *top = rbv_alloc(2 * (size_t)n * sizeof *top);
  rbv_status status = top ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < count && status == RBV_OK; i++)
    status = speeds_of_log(top, top + n, m, log[i]);
  if (status == RBV_OK) rbv_smoothing_choose(m, top);
  rbv_free(top);
  return status;
}
