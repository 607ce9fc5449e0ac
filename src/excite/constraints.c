/*
 * Constraints of a motion. Positions, velocities, accelerations and jerks have exact extrema.
 * Distances are bounded between two poses by the speed of the parts; where that is not enough, the
 * time between them is halved. Torque and tool speed are checked on a grid.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/excite_internal.h"
#include "model/model_internal.h"
#include "trajectory/classes.h"

#define POSES_MAX 1e8  // of one check: a motion that needs more is too fast
#define DEPTH 32       // halvings of the time between two poses
#define BLOCK 32       // intervals between poses that are checked at once
#define LD 40          // poses of a block: one more than its intervals, and room for whole vectors
#define STACK (BLOCK + 2 * CHUNK * DEPTH)  // intervals that wait: see refine
#define SPACE_STEPS 4                      // of the grid: distances are bounded between two poses

static void layout(keeper *k, const rbv_model *m, rbv_arena *a) {
  const int n = m->njoint;
  k->limits = RBV_TAKE(a, n, rbv_limits);
  k->robot = RBV_TAKE(a, k->given.nrobot, rbv_dynamics *);
  k->center = RBV_TAKE(a, n, double);
  k->mean = RBV_TAKE(a, n, double);
  k->q = RBV_TAKE(a, n, double);
  k->dq = RBV_TAKE(a, n, double);
  k->ddq = RBV_TAKE(a, n, double);
  k->tau = RBV_TAKE(a, n, double);
  k->J = RBV_TAKE(a, 6 * n, double);
  k->reach = RBV_TAKE(a, n, double);
  k->tool = RBV_TAKE(a, 3 * m->nbody, double);
  k->bound = RBV_TAKE(a, 2 * n, double);
  k->row = RBV_TAKE(a, 3 * n * LD, double);
  k->row_chunk = RBV_TAKE(a, n * CHUNK, double);
  k->broken_pose = RBV_TAKE(a, n, double);
  k->seen = RBV_TAKE(a, n * SEEN_MAX, double);
  k->torque = RBV_TAKE(a, n * LD, double);
  k->speed = RBV_TAKE(a, n * LD, double);
  rbv_clearance_layout(&k->space, m, &k->given, a);
  const ptrdiff_t nitem = k->space.nitem;
  k->gap = RBV_TAKE(a, nitem * LD, double);
  k->change = RBV_TAKE(a, nitem * LD, double);
  k->least = RBV_TAKE(a, 2 * LD, double);
  k->chunk = RBV_TAKE(a, 4 * nitem * CHUNK, double);
  k->stack = RBV_TAKE(a, 3 * nitem * STACK, double);
  k->interval = RBV_TAKE(a, STACK, interval);
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
    if (c->capsule[i].link < 0 || c->capsule[i].link > k->model->nbody ||
        !(c->capsule[i].radius >= 0))
      return rbv_fail(
          RBV_EINPUT,
          "capsule %d has link %d and radius %g: the link does not exist or the radius is negative",
          i + 1, c->capsule[i].link, c->capsule[i].radius);
  for (int i = 0; i < c->nplane; i++)
    if (!(norm(c->plane[i].normal) > 0))
      return rbv_fail(RBV_EINPUT, "the normal of plane %d is zero", i + 1);
  if (c->nrobot < 0 || (c->nrobot > 0 && (!c->robots || !c->prior)))
    return rbv_fail(RBV_EARG, "torques of %d robots need the values of their parameters",
                    c->nrobot);
  if (!(c->tool_speed >= 0) || !(c->clearance >= 0))
    return rbv_fail(RBV_EINPUT, "tool speed and clearance must not be negative");
  return RBV_OK;
}

/* upper bound of the distance between the axis of each body's joint and any part that it moves; of
 * a coordinate, the sum over the joints that it moves */
static void find_reach(keeper *k) {
  const rbv_model *m = k->model;
  double beyond[MOVING_MAX] = {0};
  memset(k->reach, 0, (size_t)m->njoint * sizeof *k->reach);
  for (int b = m->nbody - 1; b >= 0; b--) {
    double part = norm(k->tool + 3 * b), slide = 0;
    for (int i = 0; i < k->space.nbody; i++) {
      const rbv_capsule *c = &k->space.body[i];
      if (c->link == b + 1) part = fmax(part, fmax(norm(c->from), norm(c->to)) + c->radius);
    }
    part = fmax(beyond[b], part);
    const bool slides = m->geometry[b].type == RBV_JOINT_PRISMATIC;
    if (slides) {
      const rbv_limits l = rbv_body_limits(m, k->limits, b);
      slide = rbv_stroke(&l) + fabs(m->geometry[b].offset);
    }
    const int p = m->parent[b];
    if (p >= 0) beyond[p] = fmax(beyond[p], part + norm(m->geometry[b].origin) + slide);
    // metres per metre of a slide
    for (int j = 0; j < m->njoint; j++)
      k->reach[j] += fabs(rbv_model_map(NULL, m, b, j)) * (slides ? 1 : part);
  }
}

rbv_status rbv_keeper_new(keeper *k, const rbv_model *m, const rbv_constraints *c) {
  RBV_TRY(rbv_model_need_held(m, "The check of constraints"));
  const rbv_constraints none = {0};
  if (!c) c = &none;
  if (c->nplane > 0 || c->nbox > 0)
    RBV_TRY(rbv_model_need_open(m, "The check of planes and boxes"));
  *k = (keeper){.given = *c};
  if (m->closure) k->given.ncapsule = 0;  // links are not kept apart
  const rbv_constraints kept = k->given;
  rbv_arena measure = {0};
  layout(k, m, &measure);
  *k = (keeper){.model = m, .given = kept, .deadline = INFINITY};
  k->memory = rbv_alloc(measure.used);
  if (!k->memory) return RBV_EMEM;
  rbv_arena carve = {.base = k->memory};
  layout(k, m, &carve);
  for (int j = 0; j < m->njoint; j++) k->limits[j] = c->limits ? c->limits[j] : m->joint[j].limits;
  RBV_TRY(check_given(k));
  rbv_clearance_fill(&k->space, k->limits, k->q);
  for (int b = 0; b < m->nbody; b++) rbv_tool_point(k->tool + 3 * b, m, &k->given, b);
  find_reach(k);
  RBV_TRY(rbv_dynamics_new(&k->dynamics, m));
  for (int i = 0; i < c->nrobot; i++) {
    RBV_TRY(rbv_dynamics_new(&k->robot[i], m));
    RBV_TRY(rbv_dynamics_set(k->robot[i], c->robots + (ptrdiff_t)i * m->ncolumn, m->payload));
  }
  return c->prior ? rbv_dynamics_set(k->dynamics, c->prior, m->payload) : RBV_OK;
}

void rbv_keeper_free(keeper *k) {
  rbv_dynamics_free(k->dynamics);
  for (int i = 0; k->memory && i < k->given.nrobot; i++) rbv_dynamics_free(k->robot[i]);
  rbv_free(k->memory);
  *k = (keeper){0};
}

bool rbv_keeper_limits_torque(const keeper *k) {
  bool torque = false;
  for (int j = 0; j < k->model->njoint; j++) torque = torque || isfinite(k->limits[j].effort);
  return k->given.prior && torque;
}

bool rbv_keeper_couples(const keeper *k) {
  return k->model->closure || rbv_clearance_any(&k->space) || k->given.tool_speed > 0 ||
         rbv_keeper_limits_torque(k);
}

/* ---- over a trajectory ---- */

static void reject(rbv_usage_info *info, const char *format, const char *name, const char *what,
                   double used, double limit) {
  if (!info->feasible) return;
  info->feasible = false;
  snprintf(info->reason, sizeof info->reason, format, name, what, used, limit);
}

/* exact extrema against limits, with a tolerance of 1e-9 for rounding */
static void check_joints(rbv_usage_info *info, rbv_usage *usage, const keeper *k,
                         const rbv_trajectory *t) {
  static const char *const form = "%s: %s %.6g is beyond the limit %.6g";
  for (int j = 0; j < k->model->njoint; j++) {
    const rbv_limits *l = &k->limits[j];
    const char *name = k->model->joint[j].name;
    const rbv_extreme q = rbv_trajectory_extreme(t, j, 0), v = rbv_trajectory_extreme(t, j, 1),
                      a = rbv_trajectory_extreme(t, j, 2), jerk = rbv_trajectory_extreme(t, j, 3);
    if (usage)
      usage[j] =
          (rbv_usage){q.min, q.max, rbv_largest(&v), rbv_largest(&a), rbv_largest(&jerk), NAN};
    const double slack = 1e-9;
    if (!(q.max <= l->upper + slack)) reject(info, form, name, "position", q.max, l->upper);
    if (!(q.min >= l->lower - slack)) reject(info, form, name, "position", q.min, l->lower);
    if (!(rbv_largest(&v) <= l->velocity * (1 + slack)))
      reject(info, form, name, "velocity", rbv_largest(&v), l->velocity);
    if (!(rbv_largest(&a) <= l->acceleration * (1 + slack)))
      reject(info, form, name, "acceleration", rbv_largest(&a), l->acceleration);
    if (!(rbv_largest(&jerk) <= l->jerk * (1 + slack)))
      reject(info, form, name, "jerk", rbv_largest(&jerk), l->jerk);
  }
}

int rbv_different_parts(double span[2][2], const rbv_trajectory *t) {
  const rbv_trajectory_shape *s = rbv_trajectory_get_shape(t);
  const double T = rbv_trajectory_duration(t), speed = rbv_trajectory_speed(t);
  span[0][0] = 0;
  span[0][1] = T;
  if (!rbv_class_of(s->kind)->periodic || s->periods < 2) return 1;
  span[0][1] = (s->blend_s + s->duration_s) / speed;
  span[1][0] = T - s->blend_s / speed;
  span[1][1] = T;
  return 2;
}

/* true if the time is up: the motion then counts as one that breaks a constraint */
static bool too_late(rbv_usage_info *info, keeper *k) {
  if (!(rbv_clock() > k->deadline)) return false;
  k->late = true;
  if (info->feasible)
    snprintf(info->reason, sizeof info->reason, "the time was up before the motion was checked");
  info->feasible = false;
  return true;
}

/* the pose in k->q at this time breaks a constraint */
static bool refuse_pose(rbv_usage_info *info, keeper *k, const gaps *g, double time) {
  if (info->feasible) {
    const int used = rbv_gap_name(info->reason, sizeof info->reason, g);
    snprintf(info->reason + used, sizeof info->reason - (size_t)used, " at %.3f s", time);
  }
  info->feasible = false;
  memcpy(k->broken_pose, k->q, (size_t)k->model->njoint * sizeof *k->q);
  k->pose_broke = true;
  return false;
}

/* the smallest gap in a pose; false if it is too small */
static bool check_pose(double *gap, rbv_usage_info *info, keeper *k, const double *q, double time) {
  const gaps g = rbv_clearance_eval(&k->space, NULL, q);
  *gap = fmin(g.between, g.outside);
  info->distance = fmin(info->distance, g.between + k->given.clearance);
  info->outside = fmin(info->outside, g.outside + k->given.clearance);
  return *gap >= NEAR || refuse_pose(info, k, &g, time);
}

/*
 * All gaps of several poses; false if one is too small, or if the time is up.
 *
 *   gap   out    nitem x count, leading dimension ld
 *   q     inout  as for rbv_clearance_batch, leading dimension ld
 *   time  in     count
 */
static bool check_poses(double *gap, rbv_usage_info *info, keeper *k, double *q, int ld,
                        const double *time, int count) {
  if (too_late(info, k)) return false;
  rbv_clearance_batch(&k->space, gap, k->least, ld, q, ld, count);
  double between = INFINITY, outside = INFINITY, least = INFINITY;
  int worst = 0;
  for (int i = 0; i < count; i++) {
    const double gap_i = fmin(k->least[i], k->least[ld + i]);
    between = fmin(between, k->least[i]);
    outside = fmin(outside, k->least[ld + i]);
    if (gap_i < least) least = gap_i, worst = i;
  }
  info->distance = fmin(info->distance, between + k->given.clearance);
  info->outside = fmin(info->outside, outside + k->given.clearance);
  if (least >= NEAR) return true;
  for (int j = 0; j < k->model->njoint; j++) k->q[j] = q[worst + j * ld];
  const gaps g = rbv_clearance_eval(&k->space, NULL, k->q);
  return refuse_pose(info, k, &g, time[worst]);
}

/*
 * Upper bound of every joint's speed between poses i and i + 1, which are h apart: it differs by at
 * most h/2 times the largest acceleration from the speed at the nearer of them.
 *
 *   dq  in  velocity of joint j in pose i at [i + j * LD]
 */
static void bound_speeds(keeper *k, const double *dq, double h, int count) {
  const int n = k->model->njoint;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < count; i++) {
      const double near = fmax(fabs(dq[i + j * LD]), fabs(dq[i + 1 + j * LD]));
      k->speed[i + j * LD] = fmin(k->bound[j], near + k->bound[n + j] * h / 2);
    }
}

/* an interval waits to be halved: column i of the gaps at its ends and of their changes */
static int push(keeper *k, int top, interval at, const double *a, const double *b,
                const double *change, int ld) {
  const int n = k->space.nitem;
  const double middle = at.start + (at.end - at.start) / 2;
  // too short to be halved
  if (at.depth >= DEPTH || !(middle > at.start && middle < at.end)) return top;
  double *to = k->stack + (ptrdiff_t)top * 3 * n;
  for (int i = 0; i < n; i++) {
    to[i] = a[i * ld];
    to[n + i] = b[i * ld];
    to[2 * n + i] = change[i * ld];
  }
  k->interval[top] = at;
  return top + 1;
}

/*
 * Halve the intervals on the stack until the gaps at their ends show that the robot stays free
 * between them. The last CHUNK intervals are halved together. The deeper ones are last, so that at
 * most 2 CHUNK of each depth wait.
 */
static bool refine(rbv_usage_info *info, keeper *k, const rbv_trajectory *t, int top) {
  const int n = k->space.nitem, nn = n * CHUNK;
  double *a = k->chunk, *b = a + nn, *change = b + nn, *gap = change + nn;
  while (top > 0) {
    const int count = top < CHUNK ? top : CHUNK;
    interval now[CHUNK];
    double middle[CHUNK], half[CHUNK], left[CHUNK], right[CHUNK];
    top -= count;
    for (int l = 0; l < CHUNK; l++) {
      // lanes without an interval repeat the last one
      const int from = top + (l < count ? l : count - 1);
      const double *row = k->stack + (ptrdiff_t)from * 3 * n;
      for (int i = 0; i < n; i++) {
        a[i * CHUNK + l] = row[i];
        b[i * CHUNK + l] = row[n + i];
        change[i * CHUNK + l] = row[2 * n + i];
      }
      now[l] = k->interval[from];
      half[l] = (now[l].end - now[l].start) / 2;
      middle[l] = now[l].start + half[l];
    }
    rbv_trajectory_positions(k->row_chunk, CHUNK, t, middle, count);
    if (!check_poses(gap, info, k, k->row_chunk, CHUNK, middle, count)) return false;
    rbv_clearance_margin(left, &k->space, a, gap, CHUNK, change, CHUNK, half, count);
    rbv_clearance_margin(right, &k->space, gap, b, CHUNK, change, CHUNK, half, count);
    for (int l = 0; l < count; l++) {
      const int depth = now[l].depth + 1;
      if (!(left[l] > 0))
        top = push(k, top, (interval){now[l].start, middle[l], depth}, a + l, gap + l, change + l,
                   CHUNK);
      if (!(right[l] > 0))
        top = push(k, top, (interval){middle[l], now[l].end, depth}, gap + l, b + l, change + l,
                   CHUNK);
    }
  }
  return true;
}

/* one block of up to BLOCK intervals; column 0 of gaps, positions and velocities is at its start,
 * from the block before unless it is the first */
static bool check_block(rbv_usage_info *info, keeper *k, const rbv_trajectory *t, double start,
                        double step, int count, bool first) {
  const int n = k->model->njoint, from = first ? 0 : 1;
  double *q = k->row, *dq = q + (ptrdiff_t)n * LD, time[LD], h[LD], margin[LD];
  const rbv_samples to = {.ld = LD, .q = q + from, .dq = dq + from};
  for (int i = 0; i < LD; i++) {
    time[i] = start + i * step;
    h[i] = step;
  }
  rbv_trajectory_sample(&to, t, time[from], step, count + 1 - from);
  if (!check_poses(k->gap + from, info, k, q + from, LD, time + from, count + 1 - from))
    return false;
  bound_speeds(k, dq, step, count);
  rbv_clearance_change(k->change, LD, &k->space, k->speed, LD, count);
  rbv_clearance_margin(margin, &k->space, k->gap, k->gap + 1, LD, k->change, LD, h, count);
  int top = 0;
  for (int i = 0; i < count; i++)
    if (!(margin[i] > 0))
      top = push(k, top, (interval){time[i], time[i + 1], 0}, k->gap + i, k->gap + i + 1,
                 k->change + i, LD);
  if (!refine(info, k, t, top)) return false;
  // the last pose is the first one of the next block
  for (int i = 0; i < k->space.nitem; i++) k->gap[i * LD] = k->gap[count + i * LD];
  for (int j = 0; j < n; j++) {
    q[j * LD] = q[count + j * LD];
    dq[j * LD] = dq[count + j * LD];
  }
  return true;
}

static void check_space(rbv_usage_info *info, keeper *k, const rbv_trajectory *t, double step_s) {
  const int n = k->model->njoint;
  double mean, span[2][2];
  for (int i = 0; i < 2 * n; i++) k->bound[i] = rbv_curve_bound(&mean, t, i % n, 1 + i / n);
  const int parts = rbv_different_parts(span, t);
  double way = 0;
  for (int j = 0; j < n; j++) way += k->reach[j] * k->bound[j] * rbv_trajectory_duration(t);
  if (!(way / NEAR <= POSES_MAX)) {
    reject(info, "%s%s the parts of the robot may move %.3g m, which is more than %.0e m", "", "",
           way, NEAR * POSES_MAX);
    return;
  }
  for (int p = 0; p < parts; p++) {
    const double length = span[p][1] - span[p][0];
    const double steps = fmax(1, ceil(length / step_s)), step = length / steps;
    for (double i = 0; i < steps; i += BLOCK) {
      const int count = (int)fmin(BLOCK, steps - i);
      if (!check_block(info, k, t, span[p][0] + i * step, step, count, i == 0)) return;
    }
  }
}

/* speed of a point of a body */
static double point_speed(keeper *k, int body, const double point[3]) {
  double v[3] = {0};
  rbv_dynamics_jacobian(k->J, k->dynamics, k->q, body, point);
  for (int j = 0; j < k->model->njoint; j++)
    for (int r = 0; r < 3; r++) v[r] += k->J[6 * j + r] * k->dq[j];
  return norm(v);
}

double rbv_keeper_tool_speed(keeper *k) {
  const rbv_model *m = k->model;
  if (is_chain(m))
    return rbv_dynamics_top_speed(k->dynamics, k->q, k->dq, k->tool + 3 * (m->nbody - 1));
  static const double origin[3] = {0};
  double most = 0;
  for (int body = 0; body < m->nbody; body++) {
    const double joint = point_speed(k, body, origin),
                 tool = point_speed(k, body, k->tool + 3 * body);
    // NaN is no speed
    most = joint <= most ? most : joint;
    most = tool <= most ? most : tool;
  }
  return most;
}

/*
 * Torques of a sample.
 *
 *   tau   in  joint j at [j * ld]
 *   hold  in  fraction of the limits that is allowed
 */
static void check_torque(rbv_usage_info *info, rbv_usage *usage, const keeper *k, const double *tau,
                         ptrdiff_t ld, double hold) {
  for (int j = 0; j < k->model->njoint; j++) {
    const double size = fabs(tau[j * ld]);
    if (usage) usage[j].torque = fmax(usage[j].torque, size);
    if (!(size <= hold * k->limits[j].effort))
      reject(info, "%s: %s %.6g is beyond the limit %.6g", k->model->joint[j].name, "torque", size,
             k->limits[j].effort);
  }
}

/* speed of the tool and the joints in the state in k */
static void check_tool(rbv_usage_info *info, keeper *k, double hold) {
  const double v = rbv_keeper_tool_speed(k);
  info->tool_speed = fmax(info->tool_speed, v);
  if (k->given.tool_speed > 0 && !(v <= hold * k->given.tool_speed))
    reject(info, "%s %s %.6g m/s is beyond the limit %.6g", "tool", "speed", v,
           k->given.tool_speed);
}

/* torque and tool speed on a grid; tool false: the speed of the tool is of no interest */
static void check_grid(rbv_usage_info *info, rbv_usage *usage, keeper *k, const rbv_trajectory *t,
                       double step_s, double hold, bool tool) {
  const int n = k->model->njoint;
  double *q = k->row, *dq = q + (ptrdiff_t)n * LD, *ddq = dq + (ptrdiff_t)n * LD, span[2][2];
  const rbv_samples to = {.ld = LD, .q = q, .dq = dq, .ddq = ddq};
  const int parts = rbv_different_parts(span, t);
  for (int j = 0; usage && k->given.prior && j < n; j++) usage[j].torque = 0;
  for (int p = 0; p < parts; p++) {
    const double length = span[p][1] - span[p][0], steps = fmax(1, ceil(length / step_s));
    const double step = length / steps;
    for (double i = 0; i <= steps; i += BLOCK) {
      const int count = (int)fmin(BLOCK, steps + 1 - i);
      if (!info->feasible || too_late(info, k)) return;
      rbv_trajectory_sample(&to, t, span[p][0] + i * step, step, count);
      const rbv_states states = {.count = count, .ld = LD, .q = q, .dq = dq, .ddq = ddq};
      // the estimated robot first, then the others
      for (int r = -1; r < k->given.nrobot && k->given.prior; r++) {
        rbv_dynamics_inverse_batch(k->torque, LD, r < 0 ? k->dynamics : k->robot[r], &states);
        for (int s = 0; s < count && info->feasible; s++)
          check_torque(info, usage, k, k->torque + s, LD, hold);
      }
      for (int s = 0; s < count && info->feasible && tool; s++) {
        for (int j = 0; j < n; j++) {
          k->q[j] = q[s + j * LD];
          k->dq[j] = dq[s + j * LD];
        }
        check_tool(info, k, hold);
      }
    }
  }
}

void rbv_keeper_check(rbv_usage_info *info, rbv_usage *usage, keeper *k, const rbv_trajectory *t,
                      double step_s) {
  *info = (rbv_usage_info){.feasible = true, .distance = INFINITY, .outside = INFINITY};
  check_joints(info, usage, k, t);
  if (info->feasible) rbv_closure_keeps(info, k, t, step_s, 1);
  if (rbv_clearance_any(&k->space)) check_space(info, k, t, step_s);
  check_grid(info, usage, k, t, step_s, 1, true);
}

bool rbv_keeper_keeps(keeper *k, const rbv_trajectory *t, double step_s) {
  rbv_usage_info info = {.feasible = true, .distance = INFINITY, .outside = INFINITY};
  rbv_closure_keeps(&info, k, t, step_s, HOLD);
  if (rbv_clearance_any(&k->space)) check_space(&info, k, t, SPACE_STEPS * step_s);
  const bool tool = k->given.tool_speed > 0;
  if (info.feasible && (rbv_keeper_limits_torque(k) || tool))
    check_grid(&info, NULL, k, t, step_s, HOLD, tool);
  return info.feasible;
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

static void list_overlaps(int (*pair)[2], int most, int *count, const clearance *c) {
  for (int i = c->npair; i < c->npair + c->noverlap; i++) {
    const int a = c->body[c->pair[i].a].link, b = c->body[c->pair[i].b].link;
    const int low = a < b ? a : b, high = a + b - low;
    bool known = false;
    for (int k = 0; k < *count && k < most; k++)
      known = known || (pair[k][0] == low && pair[k][1] == high);
    if (known) continue;
    if (*count < most) pair[*count][0] = low, pair[*count][1] = high;
    (*count)++;
  }
}

rbv_status rbv_constraints_overlaps(int (*pair)[2], int most, int *count, const rbv_model *m,
                                    const rbv_constraints *c) {
  keeper k;
  *count = 0;
  const rbv_status status = rbv_keeper_new(&k, m, c);
  if (status == RBV_OK) list_overlaps(pair, most, count, &k.space);
  rbv_keeper_free(&k);
  return status;
}

/* ---- over a sampled motion ---- */

#define CLOSE 0.005  // relative excess of a limit that rounding and filters explain

static void widen(rbv_usage *u, double q, double dq, double ddq) {
  u->lower = fmin(u->lower, q);
  u->upper = fmax(u->upper, q);
  u->velocity = fmax(u->velocity, fabs(dq));
  u->acceleration = fmax(u->acceleration, fabs(ddq));
}

static void check_samples(rbv_usage_info *info, const rbv_usage *u, const rbv_limits *l,
                          const char *name) {
  static const char *const form = "%s: %s %.6g is beyond the limit %.6g";
  const double room = isfinite(l->upper - l->lower) ? CLOSE * (l->upper - l->lower) / 2 : 0;
  if (!(u->upper <= l->upper + room)) reject(info, form, name, "position", u->upper, l->upper);
  if (!(u->lower >= l->lower - room)) reject(info, form, name, "position", u->lower, l->lower);
  if (!(u->velocity <= l->velocity * (1 + CLOSE)))
    reject(info, form, name, "velocity", u->velocity, l->velocity);
  if (!(u->acceleration <= l->acceleration * (1 + CLOSE)))
    reject(info, form, name, "acceleration", u->acceleration, l->acceleration);
}

/*
 * Poses between the last sample and this one, on the straight line between them, so that no part
 * moves further than half of the gap from one to the next.
 */
static bool check_line(rbv_usage_info *info, keeper *k, const double *last, double *gap,
                       double time, double step) {
  const int n = k->model->njoint;
  double way = 0, now;
  for (int j = 0; j < n; j++) way += k->reach[j] * fabs(k->q[j] - last[j]);
  memcpy(k->ddq, k->q, (size_t)n * sizeof *k->q);
  for (double done = 0; done < 1;) {
    done = way > 0 ? fmin(1, done + fmax(NEAR, *gap / 2) / way) : 1;
    for (int j = 0; j < n; j++) k->q[j] = last[j] + done * (k->ddq[j] - last[j]);
    if (!check_pose(&now, info, k, k->q, time + (done - 1) * step)) return false;
    *gap = now;
  }
  return true;
}

static rbv_status check_motion(rbv_usage_info *info, rbv_usage *usage, keeper *k,
                               rbv_motion *motion) {
  const rbv_motion_info *about = rbv_motion_get_info(motion);
  const int n = k->model->njoint;
  double gap = INFINITY, *last = k->row;
  bool free = true;
  for (int j = 0; j < n; j++)
    usage[j] = (rbv_usage){INFINITY, -INFINITY, 0, 0, NAN, k->given.prior ? 0 : NAN};
  for (ptrdiff_t i = 0; i < about->count; i++) {
    const rbv_samples one = {.ld = 1, .q = k->q, .dq = k->dq, .ddq = k->ddq};
    RBV_TRY(rbv_motion_read(motion, &one, i, 1));
    for (int j = 0; j < n; j++) widen(&usage[j], k->q[j], k->dq[j], k->ddq[j]);
    if (k->given.prior) {
      rbv_dynamics_inverse(k->tau, k->dynamics, k->q, k->dq, k->ddq);
      check_torque(info, usage, k, k->tau, 1, 1 + CLOSE);
    }
    for (int r = 0; r < k->given.nrobot; r++) {
      rbv_dynamics_inverse(k->tau, k->robot[r], k->q, k->dq, k->ddq);
      check_torque(info, usage, k, k->tau, 1, 1 + CLOSE);
    }
    check_tool(info, k, 1 + CLOSE);
    if (!free || !rbv_clearance_any(&k->space)) continue;
    const double time = (double)i / about->rate_hz;
    if (i == 0) memcpy(last, k->q, (size_t)n * sizeof *last);
    free = check_line(info, k, last, &gap, time, 1 / about->rate_hz);
    memcpy(last, k->q, (size_t)n * sizeof *last);
  }
  for (int j = 0; j < n; j++)
    check_samples(info, &usage[j], &k->limits[j], k->model->joint[j].name);
  return RBV_OK;
}

rbv_status rbv_constraints_check_motion(rbv_usage_info *info, rbv_usage *usage, const rbv_model *m,
                                        const rbv_constraints *c, rbv_motion *motion) {
  if (rbv_motion_get_info(motion)->njoint != m->njoint)
    return rbv_fail(RBV_EDIM, "the motion has %d joints, the robot %d",
                    rbv_motion_get_info(motion)->njoint, m->njoint);
  *info = (rbv_usage_info){.feasible = true, .distance = INFINITY, .outside = INFINITY};
  keeper k;
  rbv_status status = rbv_keeper_new(&k, m, c);
  if (status == RBV_OK) status = check_motion(info, usage, &k, motion);
  rbv_keeper_free(&k);
  return status;
}
