/*
 * Sequential quadratic programming (NLopt's SLSQP) from many starts. Limits of the joints are
 * constraints at a grid of times, linear for series and splines; distances are constraints at the
 * same times. Violations between these times, and of torques and tool speed, are repaired
 * afterwards.
 */
#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <string.h>

#include "excite/excite_internal.h"
#include "trajectory/classes.h"

#define TWO_PI (2 * RBV_PI)

/* one start; z are coefficients scaled to their ranges */
typedef struct {
  search *search;
  int thread;
  bool cut;  // the search ended before this start was finished
  nlopt_opt opt;
  double *x, *best, *z, *bound, *tolerance, *unit, *gradient, *basis;
  int ntime;
  double *time;
  double *state;  // of all joints at one time
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

static double objective(unsigned n, const double *z, double *gradient, void *self) {
  start *a = self;
  search *s = a->search;
  double value = INFINITY;
  if (rbv_search_over(s, a->thread == 0)) {
    a->cut = true;
    nlopt_force_stop(a->opt);
  }
  rbv_search_count(s, a->thread);
  if (!set_curves(a, z) ||
      rbv_worker_value(&value, gradient ? a->gradient : NULL, &s->worker[a->thread], curves(a),
                       s->options->trajectories, s->samples, true) != RBV_OK ||
      !isfinite(value)) {
    for (unsigned i = 0; gradient && i < n; i++) gradient[i] = 0;
    return 1e10;
  }
  const double slope = takes_log(s) ? 1 / value : 1;
  for (unsigned i = 0; gradient && i < n; i++) gradient[i] = slope * a->gradient[i] * a->unit[i];
  return takes_log(s) ? log(value) : value;
}

/* limits of a derivative of a joint; false: there are none */
static bool limit_of(double *lower, double *upper, const rbv_limits *l, int order) {
  const double most = order == 1 ? l->velocity : order == 2 ? l->acceleration : l->jerk;
  *upper = order == 0 ? l->upper : most;
  *lower = order == 0 ? l->lower : -most;
  return isfinite(*upper) && isfinite(*lower);
}

#define ROOM 0.01    // gap that the search keeps at its times [m]
#define NUDGE 1e-6   // of a joint, for differences [rad or m]
#define FAR 1.0      // gaps beyond it count as this one [m]
#define SHARP 100.0  // of the smooth minimum [1/m]

/* a smooth function below all n numbers, and below the smallest one by at most log(n) / SHARP */
static double smooth_minimum(const double *x, int n, double least) {
  double sum = 0;
  if (!(least < FAR)) return FAR;
  for (int i = 0; i < n; i++) sum += exp(-SHARP * (x[i] - least));
  return least - log(sum) / SHARP;
}

/* distances between bodies, and from planes and boxes */
static void read_gaps(double gap[2], keeper *k, const double *q) {
  const gaps g = rbv_clearance_eval(&k->space, k->gap, q);
  const int pairs = k->space.npair, others = k->space.nitem - pairs;
  gap[0] = smooth_minimum(k->gap + others, pairs, g.between);
  gap[1] = smooth_minimum(k->gap, others, g.outside);
}

/* two rows for the pose q at one time; its position is changed and restored */
static void put_gaps(double result[2], double *gradient, start *a, const rbv_trajectory *t,
                     int trajectory, double time, double *q, unsigned n) {
  const search *s = a->search;
  keeper *k = &s->keeper[a->thread];
  double gap[2], moved[2];
  read_gaps(gap, k, q);
  for (int i = 0; i < 2; i++) result[i] = ROOM - gap[i];
  for (int j = 0; gradient && j < s->shape->njoint; j++) {
    const double was = q[j];
    q[j] += NUDGE;
    read_gaps(moved, k, q);
    q[j] = was;
    int count;
    const int at = trajectory * s->n + rbv_trajectory_first(t, j, &count);
    if (rbv_trajectory_gradient(a->basis, t, j, 0, time) != RBV_OK) continue;
    for (int i = 0; i < 2; i++)
      for (int p = 0; p < count; p++)
        gradient[(size_t)i * n + (size_t)(at + p)] =
            -(moved[i] - gap[i]) / NUDGE * a->basis[p] * a->unit[at + p];
  }
}

/* both sides of every limit at every time, as fractions of its size, and the distances there in
 * metres; gradient row-major */
static void limits(unsigned m, double *result, unsigned n, const double *z, double *gradient,
                   void *self) {
  start *a = self;
  const search *s = a->search;
  const int nj = s->shape->njoint;
  if (gradient) memset(gradient, 0, (size_t)m * n * sizeof *gradient);
  for (unsigned i = 0; i < m; i++) result[i] = 1;
  if (!set_curves(a, z)) return;
  unsigned row = 0;
  for (int i = 0; i < s->options->trajectories; i++)
    for (int k = 0; k < a->ntime; k++) {
      const rbv_trajectory *t = curves(a)[i];
      double *v = a->state;
      rbv_trajectory_eval(v, v + nj, v + 2 * nj, v + 3 * nj, t, a->time[k]);
      for (int order = 0; order < ORDERS; order++)
        for (int j = 0; j < nj; j++) {
          double lower, upper;
          if (!limit_of(&lower, &upper, &s->keeper[a->thread].limits[j], order)) continue;
          const double size = (upper - lower) / 2;
          result[row] = (v[order * nj + j] - upper) / size;
          result[row + 1] = (lower - v[order * nj + j]) / size;
          int count;
          const int at = i * s->n + rbv_trajectory_first(t, j, &count);
          const bool slopes =
              gradient && rbv_trajectory_gradient(a->basis, t, j, order, a->time[k]) == RBV_OK;
          for (int p = 0; slopes && p < count; p++) {
            const double g = a->basis[p] * a->unit[at + p] / size;
            gradient[(size_t)row * n + (size_t)(at + p)] = g;
            gradient[(size_t)(row + 1) * n + (size_t)(at + p)] = -g;
          }
          row += 2;
        }
      if (!rbv_clearance_any(&s->keeper[a->thread].space)) continue;
      put_gaps(result + row, gradient ? gradient + (size_t)row * n : NULL, a, t, i, a->time[k], v,
               n);
      row += 2;
    }
}

static int count_limits(const search *s, int ntime) {
  int count = 0;
  for (int order = 0; order < ORDERS; order++)
    for (int j = 0; j < s->shape->njoint; j++) {
      double lower, upper;
      count += limit_of(&lower, &upper, &s->keeper[0].limits[j], order);
    }
  count += rbv_clearance_any(&s->keeper[0].space);
  return 2 * count * ntime * s->options->trajectories;
}

/* ---- times at which limits are checked ---- */

#define PER_WAVE 8
#define TIMES_MAX 160
#define ROWS_MAX 2500  // constraints, at most: a step of the search solves for all of them

static int put_times(double *time, const search *s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(s->t[0]);
  const double T = rbv_trajectory_duration(s->t[0]), blend = shape->blend_s;
  const bool periodic = rbv_class_of(shape->kind)->periodic;
  const double waves = rbv_search_waves(s);
  const int each = count_limits(s, 1), most_times = each > 0 ? ROWS_MAX / each : TIMES_MAX;
  const double room = fmax(16, fmin(TIMES_MAX, most_times) - 12);
  const int body = (int)fmin(fmin(TIMES_MAX - 12, room), ceil(PER_WAVE * fmax(1, waves)));
  const double length = periodic ? shape->duration_s : T - 2 * blend;
  int count = 0;
  for (int k = 0; k < body; k++) time[count++] = blend + length * (k + 0.5) / body;
  for (int k = 0; blend > 0 && k < 6; k++) {
    time[count++] = blend * k / 6;
    time[count++] = T - blend * k / 6;
  }
  return count;
}

/* ---- one start ---- */

static void layout(start *a, const search *s, rbv_arena *arena) {
  a->x = RBV_TAKE(arena, s->total, double);
  a->best = RBV_TAKE(arena, s->total, double);
  a->z = RBV_TAKE(arena, s->total, double);
  a->bound = RBV_TAKE(arena, s->total, double);
  a->tolerance = RBV_TAKE(arena, count_limits(s, TIMES_MAX), double);
  a->unit = RBV_TAKE(arena, s->total, double);
  a->gradient = RBV_TAKE(arena, s->total, double);
  a->basis = RBV_TAKE(arena, 512, double);
  a->time = RBV_TAKE(arena, TIMES_MAX, double);
  a->state = RBV_TAKE(arena, ORDERS * s->shape->njoint, double);
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
 * within `radius` of those at the start.
 */
static void set_bounds(start *a, double radius) {
  const search *s = a->search;
  const double widen = rbv_class_of(s->shape->kind)->widen;
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < s->total; i++) {
      const double x = side ? s->high[i] : s->low[i], middle = (s->low[i] + s->high[i]) / 2;
      const double whole = (widen == 1 ? x : middle + widen * (x - middle)) / a->unit[i];
      a->bound[i] = side ? fmin(whole, a->z[i] + radius) : fmax(whole, a->z[i] - radius);
      // a repaired start may lie outside of the ranges
      if (isfinite(radius))
        a->bound[i] = side ? fmax(a->bound[i], a->z[i]) : fmin(a->bound[i], a->z[i]);
    }
    if (side)
      nlopt_set_upper_bounds(a->opt, a->bound);
    else
      nlopt_set_lower_bounds(a->opt, a->bound);
  }
}

/* from z, with at most *left evaluations, which it reduces; false if memory is exhausted */
static bool climb(start *a, double radius, int *left) {
  search *s = a->search;
  a->opt = nlopt_create(NLOPT_LD_SLSQP, (unsigned)s->total);
  if (!a->opt) return false;
  const int m = count_limits(s, a->ntime);
  for (int i = 0; i < m; i++) a->tolerance[i] = 1e-6;
  set_bounds(a, radius);
  nlopt_set_min_objective(a->opt, objective, a);
  if (m > 0) nlopt_add_inequality_mconstraint(a->opt, (unsigned)m, limits, a, a->tolerance);
  nlopt_set_maxeval(a->opt, *left);
  nlopt_set_ftol_rel(a->opt, 1e-6);
  double value;
  const nlopt_result result = nlopt_optimize(a->opt, a->z, &value);
  const int used = nlopt_get_numevals(a->opt);
  *left -= used > 0 ? used : 1;
  nlopt_destroy(a->opt);
  a->opt = NULL;
  return result != NLOPT_OUT_OF_MEMORY;
}

static rbv_status open_start(void **mine, void *self, int thread) {
  const race *r = self;
  *mine = &r->start[thread];
  return RBV_OK;
}

#define RADIUS 0.3  // of the first steps with distances, in half ranges of the coefficients
#define RADIUS_LEAST 0.01
#define STEPS 12   // evaluations within one radius
#define GAIN 1e-3  // of the criterion: less is none

/* best candidate so far, with its value */
typedef struct {
  double value;
  finding *f;
} record;

/* climb from a->best; the better candidate stays there */
static bool improve(record *r, start *a, double radius, int *left) {
  search *s = a->search;
  for (int k = 0; k < s->total; k++) a->z[k] = a->best[k] / a->unit[k];
  if (!climb(a, radius, left)) return false;
  r->f->cut = r->f->cut || a->cut;
  to_coefficients(a, a->z);
  const double value = rbv_search_try(s, a->thread, a->x, false, r->f);
  rbv_search_note(s, a->x, value);
  if (!(value < r->value)) return true;
  r->value = value;
  memcpy(a->best, a->x, (size_t)s->total * sizeof *a->x);
  return true;
}

/*
 * Distances are far from linear: steps stay within a radius that grows with success and shrinks
 * with failure. Without distances one climb is enough.
 */
static bool improve_within(record *r, start *a) {
  int left = a->search->options->iterations;
  if (!rbv_clearance_any(&a->search->keeper[a->thread].space))
    return improve(r, a, INFINITY, &left);
  for (double radius = RADIUS; left > 0 && radius > RADIUS_LEAST && !a->cut;) {
    const double before = r->value;
    int some = left < STEPS ? left : STEPS;
    left -= some;
    if (!improve(r, a, radius, &some)) return false;
    left += some > 0 ? some : 0;
    radius *= r->value < before - GAIN * fabs(before) ? 1.5 : 0.4;
  }
  return true;
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
  if (!improve_within(&r, a)) return rbv_fail(RBV_EMEM, "out of memory");
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

rbv_status rbv_search_gradient(search *s, int starts, const double *from, ptrdiff_t first) {
  race r = {.search = s, .first = first > 0 ? first : 0};
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
      for (int p = 0; p < s->total; p++) a->unit[p] = fmax(1e-6, (s->high[p] - s->low[p]) / 2);
    }
    const rbv_jobs jobs = {
        .name = "gradient", .self = &r, .open = open_start, .run = run, .take = take};
    status = rbv_search_run(s, jobs, first, starts);
  }
  rbv_free(memory);
  rbv_free(r.start);
  rbv_free(copy);
  return status;
}

const char *rbv_excite_library(int i, char version[64]) {
  if (i != 0) return NULL;
  int number[3];
  nlopt_version(&number[0], &number[1], &number[2]);
  snprintf(version, 64, "%d.%d.%d", number[0], number[1], number[2]);
  return "NLopt";
}
