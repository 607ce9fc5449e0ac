/* Smoothing of friction near standstill: from the speeds of a motion, or as a log records it. */
#include <math.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

rbv_status rbv_smoothing_read(recorded_smoothing *out, const char *path) {
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

double rbv_smoothing_gamma(const recorded_smoothing *s) {
  for (int j = 0; j < s->njoint; j++)
    if (s->joint[j].gamma > 0) return s->joint[j].gamma;
  return 0;
}

void rbv_smoothing_apply(rbv_model *m, const recorded_smoothing *s) {
  for (int j = 0; j < rbv_model_joint_count(m) && j < s->njoint; j++)
    rbv_model_set_smoothing(m, j, s->joint[j].speed);
}
