/*
 * Closed loops along a motion. Between two poses the passive joints must go as their rates say, and
 * the condition must not change by much; otherwise the time between them is halved. So a singular
 * pose, another assembly, or a limit of a passive joint between two samples is not passed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/excite_internal.h"
#include "model/model_internal.h"

#define LEAST_RATIO 0.01     // smallest over largest singular value that a motion keeps
#define FOLLOW_SHARE 0.1     // of the movement: error of the rates between two poses
#define FOLLOW_LEAST 1e-9    // rad or m: rounding
#define RATIO_SHARE 0.5      // change of the ratio between two poses
#define CLOSURE_HALVINGS 12  // of the step of the grid

typedef struct {
  double time, ratio;                    // smallest over largest singular value
  double q[MOVING_MAX], dq[MOVING_MAX];  // of all joints
} closed_pose;

/* what a pose breaks, in info; false: nothing */
static bool breaks(char *text, size_t size, closed_pose *at, keeper *k, const double *q,
                   const double *dq, double hold) {
  const rbv_model *m = k->model;
  rbv_loop_pose pose;
  if (!rbv_dynamics_loops(&pose, at->q, at->dq, NULL, k->dynamics, q, dq, NULL)) {
    snprintf(text, size, "the loops of the robot do not close");
    return true;
  }
  at->ratio = 1 / pose.condition;
  if (!(at->ratio * hold > LEAST_RATIO)) {
    snprintf(text, size, "the loops of the robot are near a singular pose (condition %.3g)",
             pose.condition);
    return true;
  }
  for (int i = 0; i < m->nbody; i++) {
    const rbv_limits *l = &m->body[i].limits;
    if (m->coordinate[i] >= 0 || (at->q[i] >= l->lower && at->q[i] <= l->upper)) continue;
    snprintf(text, size, "%.64s: position %.6g is beyond the limits %.6g to %.6g", m->body[i].name,
             at->q[i], l->lower, l->upper);
    return true;
  }
  return false;
}

bool rbv_closure_broken(char *text, size_t size, keeper *k, const double *q) {
  closed_pose at;
  const double still[MOVING_MAX] = {0};
  return k->model->closure && breaks(text, size, &at, k, q, still, HOLD);
}

/* the closed pose of the motion at a time; false: it breaks a constraint, which is in info */
static bool pose_at(closed_pose *at, rbv_usage_info *info, keeper *k, const rbv_trajectory *t,
                    double time, double hold) {
  const int n = k->model->njoint;
  double q[MOVING_MAX], dq[MOVING_MAX];
  char text[120];
  const rbv_samples to = {.ld = 1, .q = q, .dq = dq};
  rbv_trajectory_sample(&to, t, time, 0, 1);
  at->time = time;
  if (!breaks(text, sizeof text, at, k, q, dq, hold)) return true;
  if (info->feasible) snprintf(info->reason, sizeof info->reason, "%s at %.3f s", text, time);
  info->feasible = false;
  memcpy(k->broken_pose, q, (size_t)n * sizeof *q);
  return false;
}

/* do the joints go from one pose to the other as their rates say? */
static bool follows(const closed_pose *a, const closed_pose *b, int nbody) {
  const double h = b->time - a->time;
  double moved = 0, off = 0;
  for (int i = 0; i < nbody; i++) {
    const double way = b->q[i] - a->q[i];
    moved = fmax(moved, h * fmax(fabs(a->dq[i]), fabs(b->dq[i])));
    off = fmax(off, fabs(way - h * (a->dq[i] + b->dq[i]) / 2));
  }
  return off <= FOLLOW_SHARE * moved + FOLLOW_LEAST &&
         fabs(a->ratio - b->ratio) <= RATIO_SHARE * fmin(a->ratio, b->ratio);
}

/* from a pose to the next one of the grid, which replaces it */
static bool check_step(closed_pose *a, rbv_usage_info *info, keeper *k, const rbv_trajectory *t,
                       double end, double hold) {
  closed_pose b;
  double step = end - a->time;
  const double least = step * ldexp(1, -CLOSURE_HALVINGS);
  while (a->time < end) {
    const double to = a->time + step >= end ? end : a->time + step;
    if (!pose_at(&b, info, k, t, to, hold)) return false;
    if (follows(a, &b, k->model->nbody)) {
      *a = b;
      continue;
    }
    step /= 2;
    if (step >= least) continue;
    if (info->feasible)
      snprintf(info->reason, sizeof info->reason,
               "the loops of the robot jump to another assembly at %.3f s", to);
    info->feasible = false;
    return false;
  }
  return true;
}

void rbv_closure_keeps(rbv_usage_info *info, keeper *k, const rbv_trajectory *t, double step_s,
                       double hold) {
  double span[2][2];
  if (!k->model->closure) return;
  const int parts = rbv_different_parts(span, t);
  for (int p = 0; p < parts && info->feasible; p++) {
    closed_pose at;
    const double length = span[p][1] - span[p][0], steps = fmax(1, ceil(length / step_s));
    if (!pose_at(&at, info, k, t, span[p][0], hold)) return;
    for (double i = 1; i <= steps; i++)
      if (!check_step(&at, info, k, t, span[p][0] + i * length / steps, hold)) return;
  }
}
