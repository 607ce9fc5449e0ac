/* The pose about which a motion is designed: one that keeps all constraints at rest, with free
 * poses around it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/excite_internal.h"
#include "model/model_internal.h"

/* constraint that a pose breaks at rest, or NULL; *gap: the smallest distance */
static const char *broken_at(double *gap, char *text, size_t size, keeper *k, const double *q) {
  const int n = k->model->njoint;
  *gap = INFINITY;
  k->broken = BROKEN_OTHER;
  for (int j = 0; j < n; j++)
    if (!(q[j] > k->limits[j].lower && q[j] < k->limits[j].upper)) {
      snprintf(text, size, "%s at %.4g is outside its position limits %.4g to %.4g",
               k->model->joint[j].name, q[j], k->limits[j].lower, k->limits[j].upper);
      return text;
    }
  if (rbv_closure_broken(text, size, k, q)) return text;
  if (rbv_clearance_any(&k->space)) {
    const gaps g = rbv_clearance_eval(&k->space, NULL, q);
    *gap = fmin(g.between, g.outside);
    k->broken = g.between > g.outside ? g.base ? BROKEN_BASE : BROKEN_OTHER
                : g.assumed           ? BROKEN_ASSUMED
                                      : BROKEN_OTHER;
    if (*gap < 2 * NEAR) {
      rbv_gap_name(text, size, &g);
      return text;
    }
  }
  k->broken = BROKEN_OTHER;
  if (!k->given.prior) return NULL;
  memset(k->dq, 0, (size_t)n * sizeof *k->dq);
  memset(k->ddq, 0, (size_t)n * sizeof *k->ddq);
  for (int r = -1; r < k->given.nrobot; r++) {
    rbv_dynamics_inverse(k->tau, r < 0 ? k->dynamics : k->robot[r], q, k->dq, k->ddq);
    for (int j = 0; j < n; j++)
      if (!(fabs(k->tau[j]) < HOLD * k->limits[j].effort)) {
        snprintf(text, size, "%s needs torque %.4g to stand still, its limit is %.4g",
                 k->model->joint[j].name, fabs(k->tau[j]), k->limits[j].effort);
        return text;
      }
  }
  return NULL;
}

#define DRAWS 2000   // poses to try
#define TRIED 40     // poses that keep the constraints, to choose from
#define AROUND 60    // poses around each of them
#define SHARE 0.35   // of the range of a joint, that they are within
#define ENOUGH 0.95  // of them that must be free around the middle of the ranges
#define STREAM 1634

/* share of the poses around q that are free of collisions: how far the robot can move from there */
static double freedom(keeper *k, const double *q) {
  const int n = k->model->njoint;
  int good = 0;
  if (!rbv_clearance_any(&k->space)) return 1;
  for (int i = 0; i < AROUND; i++) {
    for (int j = 0; j < n; j++) {
      const rbv_limits *l = &k->limits[j];
      const double x = rbv_draw_position(l, k->model->joint[j].type, STREAM + 2, (uint64_t)j,
                                         (uint64_t)i, SHARE);
      k->dq[j] = rbv_clamp(q[j] + x - rbv_middle_position(l), l->lower, l->upper);
    }
    const gaps g = rbv_clearance_eval(&k->space, NULL, k->dq);
    good += fmin(g.between, g.outside) >= 2 * NEAR;
  }
  return good / (double)AROUND;
}

/* option that changes the constraint, for the message */
static const char *option_of(int broken) {
  return broken == BROKEN_BASE      ? "no-floor"
         : broken == BROKEN_ASSUMED ? "link-radius"
                                    : "constraints";
}

rbv_status rbv_keeper_center(keeper *k) {
  const int n = k->model->njoint;
  char text[160], first[160] = "";
  double gap, best = -1;
  if (k->given.center) {
    if (broken_at(&gap, text, sizeof text, k, k->given.center))
      return rbv_fail_option(RBV_EINPUT, option_of(k->broken),
                             "the centre of the motion breaks a constraint: %s", text);
    memcpy(k->center, k->given.center, (size_t)n * sizeof *k->center);
    return RBV_OK;
  }
  // loops are surely closed in their reference pose
  for (int j = 0; j < n; j++)
    k->q[j] = k->model->closure ? rbv_model_reference(k->model, k->model->leader[j])
                                : rbv_middle_position(&k->limits[j]);
  const bool good = !broken_at(&gap, first, sizeof first, k, k->q);
  const int broken = k->broken;
  if (good) {
    memcpy(k->center, k->q, (size_t)n * sizeof *k->center);
    best = freedom(k, k->q);
  }
  for (int draw = 0, found = 0; draw < DRAWS && found < TRIED && best < ENOUGH; draw++) {
    for (int j = 0; j < n; j++)
      k->q[j] = rbv_draw_position(&k->limits[j], k->model->joint[j].type, STREAM, (uint64_t)j,
                                  (uint64_t)draw, 0.9);
    if (broken_at(&gap, text, sizeof text, k, k->q)) continue;
    found++;
    const double now = freedom(k, k->q);
    if (!(now > best)) continue;
    best = now;
    memcpy(k->center, k->q, (size_t)n * sizeof *k->center);
  }
  if (best >= 0) return RBV_OK;
  return rbv_fail_option(
      RBV_EINPUT, option_of(broken),
      "none of %d poses within the limits keeps all constraints. The middle of the ranges "
      "breaks this one: %s",
      DRAWS, first);
}

rbv_status rbv_constraints_center(double *center, const rbv_model *m, const rbv_constraints *c) {
  keeper k;
  rbv_status status = rbv_keeper_new(&k, m, c);
  if (status == RBV_OK) status = rbv_keeper_center(&k);
  if (status == RBV_OK) memcpy(center, k.center, (size_t)m->njoint * sizeof *center);
  rbv_keeper_free(&k);
  return status;
}
