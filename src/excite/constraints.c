/*
 * Constraints of a motion. Positions, velocities, accelerations and jerks have exact extrema.
 * Distances are checked by conservative advancement: with a gap D, and no part faster than S,
 * nothing can touch for D/S seconds. Torque and tool speed are checked on a grid.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/distance.h"
#include "excite/excite_internal.h"
#include "model/model_internal.h"
#include "trajectory/classes.h"

#define NEAR 1e-3   // gap that counts as touching [m]
#define HOLD 0.99   // of the limits of torque and tool speed, for candidates
#define DRAWS 2000  // poses to try when the middle of the ranges breaks a constraint

static void layout(keeper *k, int n, int ncapsule, rbv_arena *a) {
  k->limits = RBV_TAKE(a, n, rbv_limits);
  k->center = RBV_TAKE(a, n, double);
  k->q = RBV_TAKE(a, n, double);
  k->dq = RBV_TAKE(a, n, double);
  k->ddq = RBV_TAKE(a, n, double);
  k->tau = RBV_TAKE(a, n, double);
  k->J = RBV_TAKE(a, 6 * n, double);
  k->reach = RBV_TAKE(a, n, double);
  k->ends = RBV_TAKE(a, 6 * (ncapsule + n + 1), double);
}

static double norm(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static rbv_status check_given(const keeper *k) {
  const rbv_constraints *c = &k->given;
  for (int j = 0; j < k->model->njoint; j++) {
    const rbv_limits *l = &k->limits[j];
    const char *name = k->model->joint[j].name;
    if (!(l->lower < l->upper))
      return rbv_fail(RBV_EINPUT, "%s: the position limits %g to %g are empty", name, l->lower,
                      l->upper);
    const double most[] = {l->velocity, l->acceleration, l->jerk, l->effort};
    static const char *const what[] = {"velocity", "acceleration", "jerk", "torque"};
    for (int i = 0; i < 4; i++)
      if (!(most[i] > 0))
        return rbv_fail(RBV_EINPUT, "%s: the %s limit is %g, so it cannot move", name, what[i],
                        most[i]);
  }
  for (int i = 0; i < c->ncapsule; i++)
    if (c->capsule[i].link < 0 || c->capsule[i].link > k->model->njoint ||
        !(c->capsule[i].radius >= 0))
      return rbv_fail(
          RBV_EINPUT,
          "capsule %d has link %d and radius %g: the link does not exist or the radius is negative",
          i + 1, c->capsule[i].link, c->capsule[i].radius);
  for (int i = 0; i < c->nplane; i++)
    if (!(norm(c->plane[i].normal) > 0))
      return rbv_fail(RBV_EINPUT, "the normal of plane %d is zero", i + 1);
  if (!(c->tool_speed >= 0) || !(c->clearance >= 0))
    return rbv_fail(RBV_EINPUT, "tool speed and clearance must not be negative");
  return RBV_OK;
}

/* upper bound of the distance between the axis of joint j and any part that it moves */
static void find_reach(keeper *k) {
  const rbv_model *m = k->model;
  double beyond = 0;
  for (int j = m->njoint - 1; j >= 0; j--) {
    double part = j == m->njoint - 1 ? norm(k->given.tool) : 0;
    for (int i = 0; i < k->given.ncapsule; i++) {
      const rbv_capsule *c = &k->given.capsule[i];
      if (c->link == j + 1) part = fmax(part, fmax(norm(c->from), norm(c->to)) + c->radius);
    }
    k->reach[j] = fmax(beyond, part);
    double slide = 0;
    if (m->joint[j].type == RBV_JOINT_PRISMATIC) {
      const rbv_limits *l = &k->limits[j];
      slide = fmax(fabs(l->lower), fabs(l->upper)) + fabs(m->geometry[j].offset);
    }
    beyond = k->reach[j] + norm(m->geometry[j].origin) + slide;
    if (m->joint[j].type == RBV_JOINT_PRISMATIC) k->reach[j] = 1;  // metres per metre
  }
}

rbv_status rbv_keeper_new(keeper *k, const rbv_model *m, const rbv_constraints *c) {
  const rbv_constraints none = {0};
  if (!c) c = &none;
  *k = (keeper){0};
  rbv_arena measure = {0};
  layout(k, m->njoint, c->ncapsule, &measure);
  *k = (keeper){.model = m, .given = *c};
  k->memory = rbv_alloc(measure.used);
  if (!k->memory) return RBV_EMEM;
  rbv_arena carve = {.base = k->memory};
  layout(k, m->njoint, c->ncapsule, &carve);
  for (int j = 0; j < m->njoint; j++) k->limits[j] = c->limits ? c->limits[j] : m->joint[j].limits;
  RBV_TRY(check_given(k));
  find_reach(k);
  RBV_TRY(rbv_dynamics_new(&k->dynamics, m));
  return c->prior ? rbv_dynamics_set(k->dynamics, c->prior, m->payload) : RBV_OK;
}

void rbv_keeper_free(keeper *k) {
  rbv_dynamics_free(k->dynamics);
  rbv_free(k->memory);
  *k = (keeper){0};
}

/* ---- distances in one pose ---- */

typedef struct {
  double between;  // smallest distance of two bodies, minus the clearance
  double outside;  // smallest distance from planes and boxes, minus the clearance
  const char *what;
  int link[2];  // the two that are closest to each other
} gaps;

/* "self-collision of links 0 and 2: a gap of -1.0 mm" */
static int name_gap(char *text, size_t size, const gaps *g) {
  const double gap = 1e3 * fmin(g->between, g->outside);
  if (g->between > g->outside) return snprintf(text, size, "%s: a gap of %.1f mm", g->what, gap);
  return snprintf(text, size, "self-collision of links %d and %d: a gap of %.1f mm", g->link[0],
                  g->link[1], gap);
}

static bool has_space(const keeper *k) {
  const rbv_constraints *c = &k->given;
  return c->ncapsule > 0 || c->nplane > 0 || c->nbox > 0;
}

bool rbv_keeper_couples(const keeper *k) {
  bool torque = false;
  for (int j = 0; j < k->model->njoint; j++) torque = torque || isfinite(k->limits[j].effort);
  return has_space(k) || k->given.tool_speed > 0 || (k->given.prior && torque);
}

/* both ends of a capsule in the base frame */
static void place(double *ends, const double R[9], const double p[3], const rbv_capsule *c) {
  for (int i = 0; i < 3; i++) {
    ends[i] = p[i] + R[i] * c->from[0] + R[i + 3] * c->from[1] + R[i + 6] * c->from[2];
    ends[3 + i] = p[i] + R[i] * c->to[0] + R[i + 3] * c->to[1] + R[i + 6] * c->to[2];
  }
}

static void outside_of(gaps *g, const rbv_constraints *c, const double *ends, double radius) {
  for (int i = 0; i < c->nplane; i++) {
    const rbv_plane *p = &c->plane[i];
    const double size = norm(p->normal);
    for (int e = 0; e < 2; e++) {
      const double *x = ends + 3 * e;
      const double gap =
          (p->offset - p->normal[0] * x[0] - p->normal[1] * x[1] - p->normal[2] * x[2]) / size -
          radius - c->clearance;
      if (gap < g->outside) g->outside = gap, g->what = "a workspace plane";
    }
  }
  for (int i = 0; i < c->nbox; i++) {
    const double gap =
        rbv_box_distance(ends, ends + 3, c->box[i].min, c->box[i].max) - radius - c->clearance;
    if (gap < g->outside) g->outside = gap, g->what = "a workspace box";
  }
}

static gaps find_gaps(keeper *k, const double *q) {
  const rbv_constraints *c = &k->given;
  const int n = k->model->njoint;
  gaps g = {.between = INFINITY, .outside = INFINITY, .what = ""};
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3];
  for (int j = 0; j <= n; j++) {
    double R[9], p[3];
    if (j == 0) {
      memcpy(R, identity, sizeof R);
      memcpy(p, origin, sizeof p);
    } else {
      rbv_dynamics_pose(R, p, k->dynamics, q, j - 1);
    }
    for (int i = 0; i < c->ncapsule; i++) {
      if (c->capsule[i].link != j) continue;
      place(k->ends + 6 * i, R, p, &c->capsule[i]);
      if (j > 0) outside_of(&g, c, k->ends + 6 * i, c->capsule[i].radius);
    }
    if (j == 0 || c->ncapsule > 0) continue;
    // without capsules, the tool and the origins of all links after the first one are checked
    double ends[6];
    rbv_capsule point = {.link = j};
    if (j == n) memcpy(point.to, c->tool, sizeof point.to);
    place(ends, R, p, &point);
    if (j > 1) outside_of(&g, c, ends, 0);
  }
  for (int a = 0; a < c->ncapsule; a++)
    for (int b = a + 1; b < c->ncapsule; b++) {
      const rbv_capsule *x = &c->capsule[a], *y = &c->capsule[b];
      const int apart = x->link > y->link ? x->link - y->link : y->link - x->link;
      if (apart < 2) continue;
      const double *ea = k->ends + 6 * a, *eb = k->ends + 6 * b;
      const double gap =
          rbv_segment_distance(ea, ea + 3, eb, eb + 3) - x->radius - y->radius - c->clearance;
      if (gap < g.between) g.between = gap, g.link[0] = x->link, g.link[1] = y->link;
    }
  return g;
}

/* ---- over a trajectory ---- */

static void reject(rbv_usage_info *info, const char *format, const char *name, const char *what,
                   double used, double limit) {
  if (!info->feasible) return;
  info->feasible = false;
  snprintf(info->reason, sizeof info->reason, format, name, what, used, limit);
}

static double largest(const rbv_extreme *e) { return fmax(e->max, -e->min); }

/* exact extrema against limits, with a tolerance of 1e-9 for rounding */
static void check_joints(rbv_usage_info *info, rbv_usage *usage, const keeper *k,
                         const rbv_trajectory *t) {
  static const char *const form = "%s: %s %.6g is beyond the limit %.6g";
  for (int j = 0; j < k->model->njoint; j++) {
    const rbv_limits *l = &k->limits[j];
    const char *name = k->model->joint[j].name;
    const rbv_extreme q = rbv_trajectory_extreme(t, j, 0), v = rbv_trajectory_extreme(t, j, 1),
                      a = rbv_trajectory_extreme(t, j, 2), jerk = rbv_trajectory_extreme(t, j, 3);
    if (usage) usage[j] = (rbv_usage){q.min, q.max, largest(&v), largest(&a), largest(&jerk), NAN};
    const double slack = 1e-9;
    if (!(q.max <= l->upper + slack)) reject(info, form, name, "position", q.max, l->upper);
    if (!(q.min >= l->lower - slack)) reject(info, form, name, "position", q.min, l->lower);
    if (!(largest(&v) <= l->velocity * (1 + slack)))
      reject(info, form, name, "velocity", largest(&v), l->velocity);
    if (!(largest(&a) <= l->acceleration * (1 + slack)))
      reject(info, form, name, "acceleration", largest(&a), l->acceleration);
    if (!(largest(&jerk) <= l->jerk * (1 + slack)))
      reject(info, form, name, "jerk", largest(&jerk), l->jerk);
  }
}

/* upper bound of the speed of any part in the trajectory */
static double fastest(const keeper *k, const rbv_trajectory *t) {
  double sum = 0;
  for (int j = 0; j < k->model->njoint; j++) {
    const rbv_extreme v = rbv_trajectory_extreme(t, j, 1);
    sum += largest(&v) * k->reach[j];
  }
  return sum;
}

static void check_space(rbv_usage_info *info, keeper *k, const rbv_trajectory *t, double step_s) {
  const double T = rbv_trajectory_duration(t), S = fastest(k, t);
  for (double time = 0;;) {
    rbv_trajectory_eval(k->q, NULL, NULL, NULL, t, time);
    const gaps g = find_gaps(k, k->q);
    const double gap = fmin(g.between, g.outside);
    info->distance = fmin(info->distance, g.between + k->given.clearance);
    info->outside = fmin(info->outside, g.outside + k->given.clearance);
    if (gap < NEAR) {
      if (info->feasible) {
        const int used = name_gap(info->reason, sizeof info->reason, &g);
        snprintf(info->reason + used, sizeof info->reason - (size_t)used, " at %.3f s", time);
      }
      info->feasible = false;
      return;
    }
    if (time >= T) return;
    time = fmin(T, time + fmin(step_s, S > 0 ? gap / S : T));
  }
}

/* torque and tool speed on a grid; hold: fraction of their limits that is allowed */
static void check_grid(rbv_usage_info *info, rbv_usage *usage, keeper *k, const rbv_trajectory *t,
                       double step_s, double hold) {
  const int n = k->model->njoint;
  const double T = rbv_trajectory_duration(t);
  const ptrdiff_t count = (ptrdiff_t)ceil(T / step_s) + 1;
  for (int j = 0; usage && k->given.prior && j < n; j++) usage[j].torque = 0;
  for (ptrdiff_t i = 0; i < count && info->feasible; i++) {
    rbv_trajectory_eval(k->q, k->dq, k->ddq, NULL, t, T * (double)i / (double)(count - 1));
    if (k->given.prior) {
      rbv_dynamics_inverse(k->tau, k->dynamics, k->q, k->dq, k->ddq);
      for (int j = 0; j < n; j++) {
        const double tau = fabs(k->tau[j]);
        if (usage) usage[j].torque = fmax(usage[j].torque, tau);
        if (!(tau <= hold * k->limits[j].effort))
          reject(info, "%s: %s %.6g is beyond the limit %.6g", k->model->joint[j].name, "torque",
                 tau, k->limits[j].effort);
      }
    }
    rbv_dynamics_jacobian(k->J, k->dynamics, k->q, n - 1, k->given.tool);
    double v[3] = {0};
    for (int j = 0; j < n; j++)
      for (int r = 0; r < 3; r++) v[r] += k->J[6 * j + r] * k->dq[j];
    info->tool_speed = fmax(info->tool_speed, norm(v));
    if (k->given.tool_speed > 0 && !(norm(v) <= hold * k->given.tool_speed))
      reject(info, "%s %s %.6g m/s is beyond the limit %.6g", "tool", "speed", norm(v),
             k->given.tool_speed);
  }
}

static void check(rbv_usage_info *info, rbv_usage *usage, keeper *k, const rbv_trajectory *t,
                  double step_s, double hold, bool joints) {
  *info = (rbv_usage_info){.feasible = true, .distance = INFINITY, .outside = INFINITY};
  if (joints) check_joints(info, usage, k, t);
  if (has_space(k)) check_space(info, k, t, step_s);
  check_grid(info, usage, k, t, step_s, hold);
}

void rbv_keeper_check(rbv_usage_info *info, rbv_usage *usage, keeper *k, const rbv_trajectory *t,
                      double step_s) {
  check(info, usage, k, t, step_s, 1, true);
}

rbv_status rbv_constraints_check(rbv_usage_info *info, rbv_usage *usage, const rbv_model *m,
                                 const rbv_constraints *c, const rbv_trajectory *t, double step_s) {
  if (rbv_trajectory_get_shape(t)->njoint != m->njoint)
    return rbv_fail(RBV_EDIM, "the trajectory has %d joints, the robot %d",
                    rbv_trajectory_get_shape(t)->njoint, m->njoint);
  if (!(step_s > 0))
    return rbv_fail(RBV_EARG, "the step of a check must be positive, not %g s", step_s);
  keeper k;
  const rbv_status status = rbv_keeper_new(&k, m, c);
  if (status == RBV_OK) rbv_keeper_check(info, usage, &k, t, step_s);
  rbv_keeper_free(&k);
  return status;
}

/* ---- the centre ---- */

static double middle(const rbv_limits *l) {
  if (isfinite(l->lower) && isfinite(l->upper)) return (l->lower + l->upper) / 2;
  return isfinite(l->lower) ? l->lower + 1 : isfinite(l->upper) ? l->upper - 1 : 0;
}

/* constraint that a pose breaks at rest, or NULL; *gap: the smallest distance */
static const char *broken_at(double *gap, char *text, size_t size, keeper *k, const double *q) {
  const int n = k->model->njoint;
  *gap = INFINITY;
  for (int j = 0; j < n; j++)
    if (!(q[j] > k->limits[j].lower && q[j] < k->limits[j].upper)) {
      snprintf(text, size, "%s at %.4g is outside its position limits %.4g to %.4g",
               k->model->joint[j].name, q[j], k->limits[j].lower, k->limits[j].upper);
      return text;
    }
  if (has_space(k)) {
    const gaps g = find_gaps(k, q);
    *gap = fmin(g.between, g.outside);
    if (*gap < 2 * NEAR) {
      name_gap(text, size, &g);
      return text;
    }
  }
  if (!k->given.prior) return NULL;
  memset(k->dq, 0, (size_t)n * sizeof *k->dq);
  memset(k->ddq, 0, (size_t)n * sizeof *k->ddq);
  rbv_dynamics_inverse(k->tau, k->dynamics, q, k->dq, k->ddq);
  for (int j = 0; j < n; j++)
    if (!(fabs(k->tau[j]) < HOLD * k->limits[j].effort)) {
      snprintf(text, size, "%s needs torque %.4g to stand still, its limit is %.4g",
               k->model->joint[j].name, fabs(k->tau[j]), k->limits[j].effort);
      return text;
    }
  return NULL;
}

rbv_status rbv_keeper_center(keeper *k) {
  const int n = k->model->njoint;
  char text[160], first[160];
  double gap, best = -INFINITY;
  if (k->given.center) {
    if (broken_at(&gap, text, sizeof text, k, k->given.center))
      return rbv_fail(RBV_EINPUT, "the centre of the motion breaks a constraint: %s", text);
    memcpy(k->center, k->given.center, (size_t)n * sizeof *k->center);
    return RBV_OK;
  }
  for (int j = 0; j < n; j++) k->q[j] = middle(&k->limits[j]);
  if (!broken_at(&gap, first, sizeof first, k, k->q)) {
    memcpy(k->center, k->q, (size_t)n * sizeof *k->center);
    // enough distance to move, or no bodies and no workspace
    if (!(gap < 0.05)) return RBV_OK;
    best = gap;
  }
  int found = 0;
  for (int draw = 0; draw < DRAWS && found < 50; draw++) {
    for (int j = 0; j < n; j++) {
      const rbv_limits *l = &k->limits[j];
      const double half = isfinite(l->upper - l->lower) ? (l->upper - l->lower) / 2 : 1.5;
      const double u = 2 * rbv_random_uniform(1634, (uint64_t)j, (uint64_t)draw) - 1;
      k->q[j] = middle(l) + 0.9 * half * u;
    }
    if (broken_at(&gap, text, sizeof text, k, k->q)) continue;
    found++;
    if (gap > best) {
      best = gap;
      memcpy(k->center, k->q, (size_t)n * sizeof *k->center);
    }
  }
  if (best > -INFINITY) return RBV_OK;
  return rbv_fail(
      RBV_EINPUT,
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

/* ---- repair ---- */

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

/* y = x scaled about the centre */
static void scale_motion(double *y, const double *x, const rbv_trajectory *t, const keeper *k,
                         double s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  for (int j = 0; j < shape->njoint; j++) {
    const int first = rbv_trajectory_first(t, j, NULL);
    scale_joint(y + first, x + first, shape, j, k->center[j], s);
  }
}

/* factor, about q, that brings the extrema of a joint within its limits */
static double own_factor(const rbv_trajectory *t, const rbv_limits *l, int j, double q) {
  double s = 1, mean;
  const double swing = rbv_curve_bound(&mean, t, j, 0);
  if (!(mean + swing <= l->upper && mean - swing >= l->lower)) {
    const rbv_extreme e = rbv_trajectory_extreme(t, j, 0);
    if (e.max > l->upper) s = fmin(s, (l->upper - q) / (e.max - q));
    if (e.min < l->lower) s = fmin(s, (l->lower - q) / (e.min - q));
  }
  const double most[3] = {l->velocity, l->acceleration, l->jerk};
  for (int order = 1; order <= 3; order++) {
    if (rbv_curve_bound(&mean, t, j, order) <= most[order - 1]) continue;
    const rbv_extreme d = rbv_trajectory_extreme(t, j, order);
    if (largest(&d) > most[order - 1]) s = fmin(s, most[order - 1] / largest(&d));
  }
  // slightly smaller, so that rounding stays inside the limits
  return s < 1 ? s * (1 - 1e-12) : 1;
}

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

/* each joint alone: the curves of all classes without a planner scale with their coefficients */
static bool repair_joints(rbv_trajectory *t, double *x, const keeper *k) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  for (int j = 0; j < shape->njoint; j++) {
    const rbv_limits *l = &k->limits[j];
    const int mean = rbv_class_find(NULL, shape, shape->counts[j], ROLE_MEAN);
    const double room = isfinite(l->upper - l->lower) ? 0.02 * (l->upper - l->lower) : 0;
    if (mean < 0) continue;
    double *q = x + rbv_trajectory_first(t, j, NULL) + mean;
    *q = clamp(*q, l->lower + room, l->upper - room);
  }
  if (rbv_trajectory_set(t, x) != RBV_OK) return false;
  for (int j = 0; j < shape->njoint; j++) {
    const int first = rbv_trajectory_first(t, j, NULL);
    const int mean = rbv_class_find(NULL, shape, shape->counts[j], ROLE_MEAN);
    const double q = mean >= 0 ? x[first + mean] : k->center[j];
    const double s = own_factor(t, &k->limits[j], j, q);
    if (s != 1) scale_joint(x + first, x + first, shape, j, q, s);
  }
  return rbv_trajectory_set(t, x) == RBV_OK;
}

static bool within(const rbv_trajectory *t, const keeper *k) {
  for (int j = 0; j < k->model->njoint; j++)
    if (own_factor(t, &k->limits[j], j, k->center[j]) < 1) return false;
  return true;
}

static bool keeps(rbv_trajectory *t, const double *y, keeper *k, bool planner, bool everything,
                  double step_s) {
  if (rbv_trajectory_set(t, y) != RBV_OK) return false;
  if (planner && !within(t, k)) return false;
  if (!everything || !rbv_keeper_couples(k)) return true;
  rbv_usage_info info;
  check(&info, NULL, k, t, step_s, HOLD, false);
  return info.feasible;
}

#define HALVINGS 9

bool rbv_keeper_repair(rbv_trajectory *t, double *x, keeper *k, bool everything, double step_s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(t);
  const bool planner = rbv_class_of(shape->kind)->planned;
  if (planner) {
    for (int j = 0; j < shape->njoint; j++) {
      const int first = rbv_trajectory_first(t, j, NULL);
      for (int p = 0; p < shape->count; p++)
        x[first + p] = clamp(x[first + p], k->limits[j].lower, k->limits[j].upper);
    }
  } else if (!repair_joints(t, x, k)) {
    return false;
  }
  // constraints that couple joints: bisect for the largest motion that keeps them
  double y[4096], low = 0, high = 1;
  const int n = rbv_trajectory_coefficient_count(t);
  if (n > RBV_COUNT(y)) return false;
  if (keeps(t, x, k, planner, everything, step_s)) return true;
  for (int i = 0; i < HALVINGS; i++) {
    const double s = (low + high) / 2;
    scale_motion(y, x, t, k, s);
    if (keeps(t, y, k, planner, everything, step_s))
      low = s;
    else
      high = s;
  }
  if (low == 0) return false;
  scale_motion(y, x, t, k, low);
  memcpy(x, y, (size_t)n * sizeof *x);
  return keeps(t, x, k, planner, everything, step_s);
}
