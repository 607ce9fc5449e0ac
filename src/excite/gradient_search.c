/*
 * Sequential quadratic programming from many starts. Limits of the joints are constraints at a grid
 * of times, linear for series and splines; distances and the speed of the tool are constraints at
 * the same times. Every candidate is repaired, which removes violations between these times, and of
 * torques: steps go from one motion that keeps all constraints to the next.
 */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "excite/excite_internal.h"
#include "excite/gap_kernel.h"
#include "excite/quadratic_program.h"
#include "trajectory/classes.h"

#define TWO_PI (2 * RBV_PI)
#define TOOL 2  // limit_row.which: the speed of the tool

/* One side of a limit of a joint, a distance, or the speed of the tool, at a time. */
typedef struct {
  int trajectory, time;
  int order;  // of the derivative of a joint; ORDERS: a distance or TOOL
  int which;  // joint; or distances between bodies (0), from planes and boxes (1), TOOL
  bool lower;
  double room;  // to the limit, as a fraction of half of its range, of the speed; of a distance [m]
} limit_row;

/* one start; z are coefficients scaled to their ranges */
typedef struct {
  search *search;
  int thread;
  bool cut;  // the search ended before this start was finished
  double *x, *best, *unit, *basis;
  double *z, *gradient;       // the motion of which steps are made, and the gradient there
  double *next, *next_slope;  // the same for the motion that is tried
  double *B;                  // total x total: approximation of the curvature
  double *Bs, *change;        // total
  double *step, *low, *high;  // total
  double *A, *rows, *room;    // constraints: by columns, by rows; how far away they are
  quadratic_work quadratic;
  int ntime;
  double *time;
  int nrow;
  limit_row *row;       // limits that a step looks at
  double *value;        // 2 ntime: a limit or both distances at all times
  double *state;        // njoint: a derivative of all joints at one time
  double *q;            // njoint: positions at one time
  double *slope;        // 2 njoint: of distances by the joints
  double *poses;        // njoint x POSES: they, and one changed position after the other
  double *gap, *least;  // distances in these poses
  const double *table;  // ntime x ORDERS x n: basis of a class that is linear; NULL: it is not
} start;

static void to_coefficients(const start *a, const double *z) {
  for (int i = 0; i < a->search->total; i++) a->x[i] = z[i] * a->unit[i];
}

static rbv_trajectory **curves(const start *a) {
  return a->search->t + (ptrdiff_t)a->thread * a->search->options->trajectories;
}

static bool set_curves(const start *a, const double *z) {
  const search *s = a->search;
  to_coefficients(a, z);
  for (int i = 0; i < s->options->trajectories; i++)
    if (rbv_trajectory_set(curves(a)[i], a->x + i * s->n) != RBV_OK) return false;
  return true;
}

/* criteria that are ratios: their logarithm is minimised */
static bool takes_log(const search *s) {
  const rbv_criterion c = s->excite->options.criterion;
  return c == RBV_CRITERION_COND || c == RBV_CRITERION_SIGMA || c == RBV_CRITERION_COUPLING;
}

/* the smooth objective and its gradient of the curves that are set; infinite: there is none */
static double objective(double *gradient, const start *a) {
  search *s = a->search;
  double value = INFINITY;
  if (rbv_worker_value(&value, gradient, &s->worker[a->thread], curves(a), s->options->trajectories,
                       s->samples, true) != RBV_OK ||
      !isfinite(value))
    return INFINITY;
  const double slope = takes_log(s) ? 1 / value : 1;
  for (int i = 0; i < s->total; i++) gradient[i] *= slope * a->unit[i];
  return takes_log(s) ? log(value) : value;
}

/* limits of a derivative of a joint; false: there are none */
static bool limit_of(double *lower, double *upper, const rbv_limits *l, int order) {
  const double most = order == 1 ? l->velocity : order == 2 ? l->acceleration : l->jerk;
  *upper = order == 0 ? l->upper : most;
  *lower = order == 0 ? l->lower : -most;
  return isfinite(*upper) && isfinite(*lower);
}

/* ---- distances ---- */

#define ROOM 0.01    // gap that the search keeps at its times [m]
#define NUDGE 1e-6   // of a joint, for differences [rad or m]
#define FAR 1.0      // gaps beyond it count as this one [m]
#define SHARP 100.0  // of the smooth minimum [1/m]
#define NOTHING 40   // exponents beyond it add nothing

/* poses of one time, as many as the kernel of distances needs */
static int pose_room(const search *s) {
  return (s->shape->njoint + GAP_LANES) / GAP_LANES * GAP_LANES;
}

/* a smooth function below all n numbers, and below the smallest one by at most log(n) / SHARP */
static double smooth_minimum(const double *x, ptrdiff_t ld, int n, double least) {
  double sum = 0;
  if (!(least < FAR)) return FAR;
  for (int i = 0; i < n; i++) {
    const double e = SHARP * (x[i * ld] - least);
    if (e < NOTHING) sum += exp(-e);
  }
  return least - log(sum) / SHARP;
}

/* distances between bodies, and from planes and boxes, in pose k */
static void read_gaps(double gap[2], const start *a, const clearance *c, int room, int k) {
  const int pairs = c->npair, others = c->nitem - pairs;
  gap[0] = smooth_minimum(a->gap + k + others * room, room, pairs, a->least[k]);
  gap[1] = smooth_minimum(a->gap + k, room, others, a->least[room + k]);
}

/* the distances in the pose a->q; slope (may be NULL): their derivatives by the joints, 2 njoint */
static void find_gaps(double gap[2], double *slope, start *a) {
  const search *s = a->search;
  clearance *c = &s->keeper[a->thread].space;
  const int nj = s->shape->njoint, room = pose_room(s);
  for (int j = 0; j < nj; j++)
    for (int k = 0; k < (slope ? nj + 1 : 1); k++)
      a->poses[k + j * room] = a->q[j] + (k == j + 1 ? NUDGE : 0);
  rbv_clearance_batch(c, a->gap, a->least, room, a->poses, room, slope ? nj + 1 : 1);
  read_gaps(gap, a, c, room, 0);
  for (int j = 0; slope && j < nj; j++) {
    double moved[2];
    read_gaps(moved, a, c, room, j + 1);
    for (int i = 0; i < 2; i++) slope[i * nj + j] = (moved[i] - gap[i]) / NUDGE;
  }
}

/* ---- limits and distances as constraints ---- */

/* derivatives of a joint by its coefficients at time k */
static const double *basis_of(start *a, const rbv_trajectory *t, int k, int order, int joint) {
  const search *s = a->search;
  if (a->table)
    return a->table + ((ptrdiff_t)k * ORDERS + order) * s->n + rbv_trajectory_first(t, joint, NULL);
  const rbv_status status = rbv_trajectory_gradient(a->basis, t, joint, order, a->time[k]);
  return status == RBV_OK ? a->basis : NULL;
}

/* derivative `order` of a joint at time k */
static double value_of(start *a, const rbv_trajectory *t, int k, int order, int joint) {
  if (!a->table) {
    double *const state[] = {a->state, a->state, a->state, a->state};
    rbv_trajectory_eval(order == 0 ? state[0] : NULL, order == 1 ? state[1] : NULL,
                        order == 2 ? state[2] : NULL, order == 3 ? state[3] : NULL, t, a->time[k]);
    return a->state[joint];
  }
  int count;
  const double *basis = basis_of(a, t, k, order, joint);
  const double *x = rbv_trajectory_get(t) + rbv_trajectory_first(t, joint, &count);
  double sum = 0;
  for (int p = 0; p < count; p++) sum += basis[p] * x[p];
  return sum;
}

/* derivatives of one side of a limit by the coefficients */
static void put_limit_slope(double *gradient, start *a, const limit_row *r) {
  const search *s = a->search;
  const rbv_trajectory *t = curves(a)[r->trajectory];
  double lower, upper;
  (void)limit_of(&lower, &upper, &s->keeper[a->thread].limits[r->which], r->order);
  int count;
  const int at = r->trajectory * s->n + rbv_trajectory_first(t, r->which, &count);
  const double *basis = basis_of(a, t, r->time, r->order, r->which);
  const double factor = (r->lower ? -2 : 2) / (upper - lower);
  for (int p = 0; basis && p < count; p++) gradient[at + p] = factor * basis[p] * a->unit[at + p];
}

/* derivatives of a distance by the coefficients; slope: by the joints */
static void put_gap_slope(double *gradient, start *a, const limit_row *r, const double *slope) {
  const search *s = a->search;
  const rbv_trajectory *t = curves(a)[r->trajectory];
  for (int j = 0; j < s->shape->njoint; j++) {
    int count;
    const int at = r->trajectory * s->n + rbv_trajectory_first(t, j, &count);
    const double *basis = basis_of(a, t, r->time, 0, j);
    for (int p = 0; basis && p < count; p++)
      gradient[at + p] = -slope[r->which * s->shape->njoint + j] * basis[p] * a->unit[at + p];
  }
}

/* the speed of the tool at time k, as a fraction of its limit */
static double tool_share(start *a, const rbv_trajectory *t, int k) {
  keeper *keep = &a->search->keeper[a->thread];
  for (int j = 0; j < a->search->shape->njoint; j++) {
    keep->q[j] = value_of(a, t, k, 0, j);
    keep->dq[j] = value_of(a, t, k, 1, j);
  }
  return rbv_keeper_tool_speed(keep) / (HOLD * keep->given.tool_speed);
}

/* derivatives of this fraction by the coefficients */
static void put_tool_slope(double *gradient, start *a, const limit_row *r) {
  const search *s = a->search;
  const rbv_trajectory *t = curves(a)[r->trajectory];
  keeper *keep = &s->keeper[a->thread];
  const double share = tool_share(a, t, r->time);
  const double unit = HOLD * keep->given.tool_speed * NUDGE;
  for (int j = 0; j < s->shape->njoint; j++) {
    double *const moved[2] = {&keep->q[j], &keep->dq[j]};
    int count;
    const int at = r->trajectory * s->n + rbv_trajectory_first(t, j, &count);
    for (int order = 0; order < 2; order++) {
      const double kept = *moved[order];
      *moved[order] = kept + NUDGE;
      const double slope = rbv_keeper_tool_speed(keep) / unit - share / NUDGE;
      *moved[order] = kept;
      const double *basis = basis_of(a, t, r->time, order, j);
      for (int p = 0; basis && p < count; p++)
        gradient[at + p] += slope * basis[p] * a->unit[at + p];
    }
  }
}

/* the rows of the constraints, row-major */
static void put_rows(double *gradient, start *a) {
  const size_t n = (size_t)a->search->total;
  memset(gradient, 0, (size_t)a->nrow * n * sizeof *gradient);
  for (int i = 0; i < a->nrow; i++, gradient += n) {
    const limit_row *r = &a->row[i];
    if (r->order < ORDERS) {
      put_limit_slope(gradient, a, r);
      continue;
    }
    if (r->which == TOOL) {
      put_tool_slope(gradient, a, r);
      continue;
    }
    double gap[2];
    const rbv_trajectory *t = curves(a)[r->trajectory];
    for (int j = 0; j < a->search->shape->njoint; j++) a->q[j] = value_of(a, t, r->time, 0, j);
    find_gaps(gap, a->slope, a);
    put_gap_slope(gradient, a, r, a->slope);
  }
}

#define FINE 4         // times of the grid from which peaks are read, per time of the grid
#define ROWS_MAX 2500  // constraints, at most: a step of the search solves for all of them

static int count_limits(const search *s, int ntime) {
  int count = 0;
  for (int order = 0; order < ORDERS; order++)
    for (int j = 0; j < s->shape->njoint; j++) {
      double lower, upper;
      count += limit_of(&lower, &upper, &s->keeper[0].limits[j], order);
    }
  count += rbv_clearance_any(&s->keeper[0].space);
  count += s->keeper[0].given.tool_speed > 0;
  return 2 * count * ntime * s->options->trajectories;
}

/* ---- which limits a step looks at ---- */

#define FAR_PEAK 1.0    // of half of a range: peaks that are so close to a limit may reach it
#define NEAR_LIMIT 0.3  // and other times of the grid
#define FAR_GAP 0.3     // the same for distances [m]
#define NEAR_GAP 0.1

/*
 * Rows of a limit that has the values f, negative inside, at all times. A repaired motion touches
 * its limits between the times: a peak is where the parabola through three values has its top.
 */
static void choose_rows(start *a, limit_row row, const double *f, double far, double near) {
  for (int k = 0; k < a->ntime && a->nrow < ROWS_MAX; k++) {
    const double before = k > 0 ? f[k - 1] : -INFINITY;
    const double after = k + 1 < a->ntime ? f[k + 1] : -INFINITY;
    double top = f[k];
    const bool peak = before <= f[k] && f[k] > after;
    if (peak && isfinite(before + after) && 2 * f[k] - before - after > 0)
      top += (after - before) * (after - before) / (8 * (2 * f[k] - before - after));
    if (!(peak ? top > -far : k % FINE == FINE / 2 && f[k] > -near)) continue;
    row.time = k;
    row.room = fmax(0, -top);
    a->row[a->nrow++] = row;
  }
}

static void choose_joint_rows(start *a, int trajectory, int order, int joint) {
  const rbv_trajectory *t = curves(a)[trajectory];
  double lower, upper;
  if (!limit_of(&lower, &upper, &a->search->keeper[a->thread].limits[joint], order)) return;
  const double size = (upper - lower) / 2;
  for (int k = 0; k < a->ntime; k++) a->value[k] = value_of(a, t, k, order, joint);
  double *f = a->value + a->ntime;
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < a->ntime; k++)
      f[k] = (side ? lower - a->value[k] : a->value[k] - upper) / size;
    choose_rows(a, (limit_row){trajectory, 0, order, joint, side == 1, 0}, f, FAR_PEAK, NEAR_LIMIT);
  }
}

static void choose_gap_rows(start *a, int trajectory) {
  const search *s = a->search;
  const rbv_trajectory *t = curves(a)[trajectory];
  clearance *c = &s->keeper[a->thread].space;
  const int room = pose_room(s);
  if (!rbv_clearance_any(c)) return;
  for (int first = 0; first < a->ntime; first += room) {
    const int count = a->ntime - first < room ? a->ntime - first : room;
    for (int j = 0; j < s->shape->njoint; j++)
      for (int k = 0; k < count; k++) a->poses[k + j * room] = value_of(a, t, first + k, 0, j);
    rbv_clearance_batch(c, a->gap, a->least, room, a->poses, room, count);
    for (int k = 0; k < count; k++) {
      double gap[2];
      read_gaps(gap, a, c, room, k);
      for (int i = 0; i < 2; i++) a->value[i * a->ntime + first + k] = ROOM - gap[i];
    }
  }
  for (int i = 0; i < 2; i++)
    choose_rows(a, (limit_row){trajectory, 0, ORDERS, i, false, 0}, a->value + i * a->ntime,
                FAR_GAP, NEAR_GAP);
}

static void choose_tool_rows(start *a, int trajectory) {
  if (!(a->search->keeper[a->thread].given.tool_speed > 0)) return;
  for (int k = 0; k < a->ntime; k++) a->value[k] = tool_share(a, curves(a)[trajectory], k) - 1;
  choose_rows(a, (limit_row){trajectory, 0, ORDERS, TOOL, false, 0}, a->value, FAR_PEAK,
              NEAR_LIMIT);
}

static void choose_limits(start *a) {
  a->nrow = 0;
  for (int i = 0; i < a->search->options->trajectories; i++) {
    choose_gap_rows(a, i);
    choose_tool_rows(a, i);
    for (int order = 0; order < ORDERS; order++)
      for (int j = 0; j < a->search->shape->njoint; j++) choose_joint_rows(a, i, order, j);
  }
}

/* ---- times at which limits are checked ---- */

#define PER_WAVE 8
#define TIMES_MAX (160 * FINE)

/* regular times in a part of the motion */
static int put_part(double *time, double begin, double length, int count) {
  for (int k = 0; k < count; k++) time[k] = begin + length * (k + 0.5) / count;
  return count;
}

static int put_times(double *time, const search *s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(s->t[0]);
  const double T = rbv_trajectory_duration(s->t[0]), blend = shape->blend_s;
  const bool periodic = rbv_class_of(shape->kind)->periodic;
  const int ends = blend > 0 ? 6 * FINE : 0;
  const double wish = FINE * ceil(PER_WAVE * fmax(1, rbv_search_waves(s)));
  const int body = (int)fmin(TIMES_MAX - 2 * ends, wish);
  const double length = periodic ? shape->duration_s : T - 2 * blend;
  int count = put_part(time, 0, blend, ends);
  count += put_part(time + count, blend, length, body);
  count += put_part(time + count, T - blend, blend, ends);
  return count;
}

/* ---- one start ---- */

static void layout(start *a, const search *s, rbv_arena *arena) {
  const int n = s->total, nj = s->shape->njoint;
  double time[TIMES_MAX];
  const int ntime = put_times(time, s), all = count_limits(s, ntime), room = pose_room(s);
  const int rows = all < ROWS_MAX ? all : ROWS_MAX;
  double **const each[] = {&a->x,          &a->best, &a->z,      &a->unit, &a->gradient, &a->next,
                           &a->next_slope, &a->Bs,   &a->change, &a->step, &a->low,      &a->high};
  for (int i = 0; i < RBV_COUNT(each); i++) *each[i] = RBV_TAKE(arena, n, double);
  a->basis = RBV_TAKE(arena, CURVE_COEFFICIENTS, double);
  a->time = RBV_TAKE(arena, TIMES_MAX, double);
  a->B = RBV_TAKE(arena, (ptrdiff_t)n * n, double);
  a->A = RBV_TAKE(arena, (ptrdiff_t)rows * n, double);
  a->rows = RBV_TAKE(arena, (ptrdiff_t)rows * n, double);
  a->room = RBV_TAKE(arena, rows, double);
  a->value = RBV_TAKE(arena, 2 * ntime, double);
  a->row = RBV_TAKE(arena, rows, limit_row);
  a->state = RBV_TAKE(arena, nj, double);
  a->q = RBV_TAKE(arena, nj, double);
  a->slope = RBV_TAKE(arena, 2 * nj, double);
  a->poses = RBV_TAKE(arena, nj * room, double);
  a->gap = RBV_TAKE(arena, s->keeper[0].space.nitem * room, double);
  a->least = RBV_TAKE(arena, 2 * room, double);
  rbv_quadratic_layout(&a->quadratic, n, rows, arena);
}

typedef struct {
  search *search;
  const double *from;
  ptrdiff_t first;  // number of its first job
  start *start;     // one per thread
  double *x;        // total: candidate of a result
} race;

/*
 * Amplitudes may exceed what one term alone is allowed, where the class says so. Coefficients stay
 * within `radius` of those at the start of the step; a repaired motion may lie outside of the
 * ranges.
 */
static void set_bounds(start *a, double radius) {
  const search *s = a->search;
  const double widen = rbv_class_of(s->shape->kind)->widen;
  for (int i = 0; i < s->total; i++) {
    const double middle = (s->low[i] + s->high[i]) / 2, half = widen * (s->high[i] - middle);
    a->low[i] = fmin(0, fmax(-radius, (middle - half) / a->unit[i] - a->z[i]));
    a->high[i] = fmax(0, fmin(radius, (middle + half) / a->unit[i] - a->z[i]));
  }
}

/* the quadratic program of a step from z, which is set in the curves */
static rbv_status find_step(bool *solved, start *a, double radius) {
  const int n = a->search->total;
  choose_limits(a);
  put_rows(a->rows, a);
  for (int i = 0; i < a->nrow; i++) {
    // never negative: a step need not return to a limit that is exceeded already
    a->room[i] = a->row[i].room;
    for (int p = 0; p < n; p++) a->A[i + (ptrdiff_t)p * a->nrow] = a->rows[(ptrdiff_t)i * n + p];
  }
  set_bounds(a, radius);
  return rbv_quadratic_solve(a->step, solved, &a->quadratic, a->B, a->gradient, a->A, a->room,
                             a->nrow, a->low, a->high);
}

static void set_curvature(start *a, double scale) {
  const int n = a->search->total;
  memset(a->B, 0, (size_t)n * (size_t)n * sizeof *a->B);
  for (int i = 0; i < n; i++) a->B[i + i * n] = scale;
}

/* BFGS with the damping of Powell 1978, which keeps B positive definite */
static void update_curvature(start *a) {
  const int n = a->search->total;
  double *s = a->step, *y = a->change, *Bs = a->Bs;
  for (int i = 0; i < n; i++) {
    s[i] = a->next[i] - a->z[i];
    y[i] = a->next_slope[i] - a->gradient[i];
  }
  for (int i = 0; i < n; i++) Bs[i] = rbv_dot(a->B + (ptrdiff_t)i * n, s, n);
  const double sBs = rbv_dot(s, Bs, n), sy = rbv_dot(s, y, n);
  if (!(sBs > 1e-300)) return;
  const double keep = sy >= 0.2 * sBs ? 1 : 0.8 * sBs / (sBs - sy);
  for (int i = 0; i < n; i++) y[i] = keep * y[i] + (1 - keep) * Bs[i];
  const double size = rbv_dot(s, y, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) a->B[i + j * n] += y[i] * y[j] / size - Bs[i] * Bs[j] / sBs;
}

static rbv_status open_start(void **mine, void *self, int thread) {
  const race *r = self;
  *mine = &r->start[thread];
  return RBV_OK;
}

#define RADIUS 0.3  // of the first step, in half ranges of the coefficients
#define RADIUS_LEAST 1e-3
#define WINDOW 10  // steps over which the search must gain
#define GAIN 1e-4  // of the objective: less is none

/* best candidate so far, with its value */
typedef struct {
  double value;
  finding *f;
} record;

/* the motion in a->x is repaired and becomes the next one; returns its objective */
static double try_next(record *r, start *a) {
  search *s = a->search;
  const double value = rbv_search_try(s, a->thread, a->x, false, r->f);
  if (!isfinite(value)) return INFINITY;
  rbv_search_note(s, a->x, value);
  if (value < r->value) {
    r->value = value;
    memcpy(a->best, a->x, (size_t)s->total * sizeof *a->x);
  }
  for (int i = 0; i < s->total; i++) a->next[i] = a->x[i] / a->unit[i];
  return objective(a->next_slope, a);
}

static void go_on(start *a) {
  const size_t bytes = (size_t)a->search->total * sizeof *a->z;
  memcpy(a->z, a->next, bytes);
  memcpy(a->gradient, a->next_slope, bytes);
}

static double norm(const double *x, int n) { return sqrt(rbv_dot(x, x, n)); }

/*
 * Steps from a->best. Distances are far from linear, and a repair changes a motion: a step stays
 * within a radius that grows with success and shrinks with failure.
 */
static rbv_status improve(record *r, start *a) {
  search *s = a->search;
  const int n = s->total;
  double last[WINDOW], radius = RADIUS;
  memcpy(a->x, a->best, (size_t)n * sizeof *a->x);
  double now = try_next(r, a);
  if (!isfinite(now)) return RBV_OK;
  go_on(a);
  set_curvature(a, norm(a->gradient, n) / (radius * sqrt(n)));
  for (int i = 0; i < WINDOW; i++) last[i] = INFINITY;
  for (int i = 0; i < s->options->iterations && radius > RADIUS_LEAST; i++) {
    if (rbv_search_over(s, a->thread == 0)) {
      r->f->cut = true;
      return RBV_OK;
    }
    if (!(last[i % WINDOW] - now > GAIN * fabs(now))) return RBV_OK;
    last[i % WINDOW] = now;
    bool solved;
    if (!set_curves(a, a->z)) return RBV_OK;
    RBV_TRY(find_step(&solved, a, radius));
    double predicted = 0, longest = 0;
    for (int k = 0; k < n; k++) {
      const double bend = rbv_dot(a->B + (ptrdiff_t)k * n, a->step, n);
      predicted -= a->step[k] * (a->gradient[k] + bend / 2);
      longest = fmax(longest, fabs(a->step[k]));
      a->x[k] = (a->z[k] + a->step[k]) * a->unit[k];
    }
    if (!solved || !(predicted > 0)) {
      radius *= 0.4;
      set_curvature(a, norm(a->gradient, n) / (radius * sqrt(n)));
      continue;
    }
    const double next = try_next(r, a);
    const double share = (now - next) / predicted;
    if (isfinite(next)) update_curvature(a);
    if (share > 0.5 && longest > 0.9 * radius) radius *= 2;
    if (!(share > 0.1)) radius = 0.5 * fmin(radius, longest);
    if (!(next < now)) continue;
    now = next;
    go_on(a);
  }
  return RBV_OK;
}

/*
 * One start. Its candidates are noted, for progress; the best one is the result.
 */
static rbv_status run(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  const race *all = self;
  search *s = all->search;
  start *a = mine;
  const ptrdiff_t i = index - all->first;
  if (i > 0 && rbv_search_over(s, a->thread == 0)) return RBV_OK;
  finding f = rbv_finding_begin(s, a->thread);
  if (all->from && i == 0)
    memcpy(a->x, all->from, (size_t)s->total * sizeof *a->x);
  else
    rbv_search_draw(a->x, s, 500000 + (uint64_t)i);
  record r = {rbv_search_try(s, a->thread, a->x, false, &f), &f};
  rbv_search_note(s, a->x, r.value);
  memcpy(a->best, a->x, (size_t)s->total * sizeof *a->x);
  a->cut = false;
  RBV_TRY(improve(&r, a));
  rbv_finding_end(out, f, s, a->thread, a->best, r.value);
  return RBV_OK;
}

static rbv_status take(void *self, ptrdiff_t index, const void *data, size_t size) {
  (void)index;
  race *r = self;
  finding f;
  bool found;
  RBV_TRY(rbv_finding_take(&f, &found, r->x, r->search, data, size));
  if (found) rbv_search_note(r->search, r->x, f.value);
  return RBV_OK;
}

/* derivatives of the curves by their coefficients at all times, if they do not change; or NULL */
static rbv_status make_table(double **out, const search *s) {
  const rbv_trajectory *t = s->t[0];
  double time[TIMES_MAX];
  const int count = put_times(time, s);
  *out = NULL;
  if (!rbv_class_linear(rbv_class_of(s->shape->kind))) return RBV_OK;
  double *table = rbv_alloc((size_t)count * ORDERS * (size_t)s->n * sizeof *table);
  if (!table) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int k = 0; k < count; k++)
    for (int order = 0; order < ORDERS; order++)
      for (int j = 0; j < s->shape->njoint && status == RBV_OK; j++)
        status = rbv_trajectory_gradient(
            table + ((ptrdiff_t)k * ORDERS + order) * s->n + rbv_trajectory_first(t, j, NULL), t, j,
            order, time[k]);
  if (status == RBV_OK)
    *out = table;
  else
    rbv_free(table);
  return status;
}

rbv_status rbv_search_gradient(search *s, int starts, const double *from, ptrdiff_t first) {
  race r = {.search = s, .first = first > 0 ? first : 0};
  double *table;
  RBV_TRY(make_table(&table, s));
  start sizes;
  rbv_arena measure = {0};
  layout(&sizes, s, &measure);
  char *memory = rbv_alloc((size_t)s->nthread * measure.used);
  r.start = rbv_alloc((size_t)s->nthread * sizeof *r.start);
  double *copy = rbv_alloc(2 * (size_t)s->total * sizeof *copy);
  rbv_status status = memory && r.start && copy ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    if (from) memcpy(copy, from, (size_t)s->total * sizeof *copy);
    r.from = from ? copy : NULL;
    r.x = copy + s->total;
    for (int i = 0; i < s->nthread; i++) {
      start *a = &r.start[i];
      rbv_arena carve = {.base = memory + (size_t)i * measure.used};
      layout(a, s, &carve);
      a->search = s;
      a->thread = i;
      a->ntime = put_times(a->time, s);
      a->table = table;
      for (int p = 0; p < s->total; p++) a->unit[p] = fmax(1e-6, (s->high[p] - s->low[p]) / 2);
    }
    const rbv_jobs jobs = {
        .name = "gradient", .self = &r, .open = open_start, .run = run, .take = take};
    status = rbv_search_run(s, jobs, first, starts);
  }
  rbv_free(memory);
  rbv_free(r.start);
  rbv_free(copy);
  rbv_free(table);
  return status;
}
