/*
 * Repair of a motion: each joint alone is scaled into its limits, then all of them about a pose
 * until the constraints that couple joints are kept.
 */
#include <math.h>
#include <string.h>

#include "device/device_types.h"
#include "excite/excite_internal.h"
#include "model/model_internal.h"
#include "trajectory/classes.h"

/* scale the coefficients of joint j: positions about q, amplitudes about zero */
static void scale_joint(double *y, const double *x, const rbv_trajectory_shape *shape, int j,
                        double q, double s) {
  for (const coefficient_group *g = rbv_class_of(shape->kind)->group; g->key; g++) {
    const int n = rbv_group_size(g, shape, shape->counts[j]);
    for (int p = 0; p < n; p++, x++, y++) switch (g->role) {
        case ROLE_MEAN:
        case ROLE_POINT: *y = q + s * (*x - q); break;
        case ROLE_RATE:
        case ROLE_AMPLITUDE: *y = s * *x; break;
        case ROLE_FREQUENCY:
        case ROLE_PHASE:
        case ROLE_SPEED: *y = *x; break;
      }
  }
}

/* y = x scaled about a pose */
static void scale_motion(double *y, const double *x, const rbv_trajectory *t, const double *pose,
                         double s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  for (int j = 0; j < shape->njoint; j++) {
    const int first = rbv_trajectory_first(t, j, NULL);
    scale_joint(y + first, x + first, shape, j, pose[j], s);
  }
}

#define LOOSE \
  1e-7  // of the size of a curve: a repaired motion may be so much smaller than it could

static rbv_extreme range_of(const rbv_trajectory *t, int j, int order, double part) {
  return part > 0 ? rbv_curve_range(t, j, order, part) : rbv_trajectory_extreme(t, j, order);
}

/*
 * Factor, about q, that brings the extrema of a joint within its limits.
 *
 *   part  in  of the size of the curve: how much smaller than the largest possible it may be; 0: as
 *             exact as extrema are
 */
static double own_factor(const rbv_trajectory *t, const rbv_limits *l, int j, double q,
                         double part) {
  double s = 1, mean;
  const double swing = rbv_curve_bound(&mean, t, j, 0);
  if (!(mean + swing <= l->upper && mean - swing >= l->lower)) {
    const rbv_extreme e = range_of(t, j, 0, part);
    if (e.max > l->upper) s = fmin(s, (l->upper - q) / (e.max - q));
    if (e.min < l->lower) s = fmin(s, (l->lower - q) / (e.min - q));
  }
  const double most[3] = {l->velocity, l->acceleration, l->jerk};
  for (int order = 1; order <= 3; order++) {
    if (rbv_curve_bound(&mean, t, j, order) <= most[order - 1]) continue;
    const rbv_extreme d = range_of(t, j, order, part);
    if (rbv_largest(&d) > most[order - 1]) s = fmin(s, most[order - 1] / rbv_largest(&d));
  }
  // slightly smaller, so that rounding stays inside the limits
  return s < 1 ? s * (1 - 1e-12) : 1;
}

/* index of the mean of joint j in x; -1: the class has none */
static int mean_of(const rbv_trajectory *t, int j) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  const int mean = rbv_class_find(NULL, shape, shape->counts[j], ROLE_MEAN);
  return mean < 0 ? -1 : rbv_trajectory_first(t, j, NULL) + mean;
}

void rbv_repair_means(double *x, const rbv_trajectory *t, const keeper *k) {
  for (int j = 0; j < k->model->njoint; j++) {
    const rbv_limits *l = &k->limits[j];
    const int mean = mean_of(t, j);
    const double room = isfinite(l->upper - l->lower) ? 0.02 * (l->upper - l->lower) : 0;
    if (mean >= 0) x[mean] = rbv_clamp(x[mean], l->lower + room, l->upper - room);
  }
}

/* joint j scaled about its mean or the centre */
static void scale_own(double *x, const rbv_trajectory *t, const keeper *k, int j, double s) {
  const int first = rbv_trajectory_first(t, j, NULL), mean = mean_of(t, j);
  const double q = mean >= 0 ? x[mean] : k->center[j];
  if (s != 1) scale_joint(x + first, x + first, rbv_trajectory_get_shape(t), j, q, s);
}

/* each joint alone: the curves of all classes without a planner scale with their coefficients */
static bool repair_joints(rbv_trajectory *t, double *x, const keeper *k) {
  rbv_repair_means(x, t, k);
  if (rbv_trajectory_set(t, x) != RBV_OK) return false;
  for (int j = 0; j < k->model->njoint; j++) {
    const int mean = mean_of(t, j);
    const double q = mean >= 0 ? x[mean] : k->center[j];
    scale_own(x, t, k, j, own_factor(t, &k->limits[j], j, q, LOOSE));
  }
  return rbv_trajectory_set(t, x) == RBV_OK;
}

static bool within(const rbv_trajectory *t, const keeper *k) {
  for (int j = 0; j < k->model->njoint; j++)
    if (own_factor(t, &k->limits[j], j, k->center[j], 0) < 1) return false;
  return true;
}

static bool keeps(rbv_trajectory *t, const double *y, keeper *k, bool planner, bool everything,
                  double step_s) {
  if (rbv_trajectory_set(t, y) != RBV_OK) return false;
  if (planner && !within(t, k)) return false;
  if (!everything || !rbv_keeper_couples(k)) return true;
  return rbv_keeper_keeps(k, t, step_s);
}

#define UNITS DEVICE_UNITS  // of a factor between 0 and 1
#define JUMPS 4             // checks of the largest factor that is free in the poses seen

/* keep the pose that broke a constraint in a motion with this factor about `pose`, as the pose that
 * the whole motion has at this time */
static void keep_seen(keeper *k, const double *pose, int factor) {
  const int n = k->model->njoint;
  double *q = k->seen + (ptrdiff_t)(k->nseen++ % SEEN_MAX) * n;
  for (int j = 0; j < n; j++) q[j] = pose[j] + (k->broken_pose[j] - pose[j]) * UNITS / factor;
}

/* the smallest factor above low and up to high, about `pose`, that breaks a constraint in this pose
 * of the whole motion, where high breaks one */
static int least_broken(keeper *k, const double *pose, const double *q, int low, int high) {
  const int n = k->model->njoint;
  while (high - low > 1) {
    int factor[CHUNK], count = high - low - 1 < CHUNK ? high - low - 1 : CHUNK, i = 0;
    for (int l = 0; l < CHUNK; l++) {
      const int place = l < count ? l : count - 1;
      factor[l] = low + (place + 1) * (high - low) / (count + 1);
      for (int j = 0; j < n; j++)
        k->row_chunk[l + j * CHUNK] = pose[j] + (q[j] - pose[j]) * factor[l] / UNITS;
    }
    rbv_clearance_batch(&k->space, k->chunk, k->least, CHUNK, k->row_chunk, CHUNK, count);
    while (i < count && fmin(k->least[i], k->least[CHUNK + i]) >= NEAR) i++;
    if (i < count) high = factor[i];
    if (i > 0) low = factor[i - 1];
  }
  return high;
}

/*
 * The largest motion about a pose that keeps all constraints, in y; returns its factor, 0: none.
 * Curves without a planner scale with their coefficients: poses that broke a constraint before give
 * an upper bound of the factor, which is usually the factor itself.
 */
static double shrink(rbv_trajectory *t, double *y, const double *x, const double *pose, keeper *k,
                     bool planner, bool everything, double step_s) {
  const int n = k->model->njoint;
  int low = 0, high = UNITS;
  bool jump = k->nseen > 0;
  for (int checks = 0; high - low > 1; checks++) {
    for (int i = 0; i < k->nseen && i < SEEN_MAX; i++)
      high = least_broken(k, pose, k->seen + (ptrdiff_t)i * n, low, high);
    if (high - low <= 1) break;
    const int factor = jump && checks < JUMPS ? high - 1 : (low + high) / 2;
    scale_motion(y, x, t, pose, (double)factor / UNITS);
    k->pose_broke = false;
    if (keeps(t, y, k, planner, everything, step_s)) {
      low = factor;
      continue;
    }
    high = factor;
    jump = k->pose_broke && !planner;
    if (jump) keep_seen(k, pose, factor);
  }
  if (low > 0) scale_motion(y, x, t, pose, (double)low / UNITS);
  return (double)low / UNITS;
}

/* the means of all joints; false: the class has none */
static bool means_of(double *pose, const rbv_trajectory *t, const double *x) {
  const int n = rbv_trajectory_get_shape(t)->njoint;
  for (int j = 0; j < n; j++) {
    const int mean = mean_of(t, j);
    if (mean < 0) return false;
    pose[j] = x[mean];
  }
  return true;
}

/* the means of all joints, if the class has them and the robot is free there */
static bool own_mean(double *pose, const rbv_trajectory *t, const double *x, keeper *k) {
  if (!rbv_clearance_any(&k->space) || !means_of(pose, t, x)) return false;
  const gaps g = rbv_clearance_eval(&k->space, NULL, pose);
  return fmin(g.between, g.outside) >= 2 * NEAR;
}

void rbv_repair_scale(double *x, const rbv_trajectory *t, const keeper *k, const double *own,
                      int share, bool about_mean) {
  for (int j = 0; j < k->model->njoint; j++) scale_own(x, t, k, j, own[j]);
  if (share == UNITS) return;
  scale_motion(x, x, t, about_mean && means_of(k->mean, t, x) ? k->mean : k->center,
               (double)share / UNITS);
}

bool rbv_keeper_repair(rbv_trajectory *t, double *x, keeper *k, bool everything, double step_s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  const bool planner = rbv_class_of(shape->kind)->planned;
  k->pose_broke = false;
  k->nseen = 0;
  if (planner) {
    for (int j = 0; j < shape->njoint; j++) {
      const int first = rbv_trajectory_first(t, j, NULL);
      for (int p = 0; p < shape->count; p++)
        x[first + p] = rbv_clamp(x[first + p], k->limits[j].lower, k->limits[j].upper);
    }
  } else if (!repair_joints(t, x, k)) {
    return false;
  }
  // constraints that couple joints: bisect for the largest motion that keeps them
  double y[4096];
  const int n = rbv_trajectory_coefficient_count(t);
  if (n > RBV_COUNT(y)) return false;
  if (keeps(t, x, k, planner, everything, step_s)) return true;
  if (k->pose_broke && !planner) keep_seen(k, k->broken_pose, UNITS);
  double share = 0;
  if (own_mean(k->mean, t, x, k)) share = shrink(t, y, x, k->mean, k, planner, everything, step_s);
  if (share < SHARE_LEAST) share = shrink(t, y, x, k->center, k, planner, everything, step_s);
  if (!(share > 0)) return false;
  memcpy(x, y, (size_t)n * sizeof *x);
  return rbv_trajectory_set(t, x) == RBV_OK;
}
