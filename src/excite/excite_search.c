/* Shared by both searches: ranges, first candidates, repair, the best so far, the end. */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "excite/excite_internal.h"
#include "trajectory/classes.h"

#define TWO_PI (2 * RBV_PI)
#define FINE_S 1e-3       // grid of the last check
#define COARSE_S 0.02     // grid while searching
#define SEARCH_PART 0.85  // of the time budget at most; the rest is kept for the last repair
#define LEAST_PART 0.5    // and at least, because the cost of a check is measured only once
#define GRACE_S 5         // after twice the budget, the last repair gives up
#define LAST_CHECKS 30    // checks that the last repair may need

rbv_search_options rbv_search_defaults(void) {
  return (rbv_search_options){.search = RBV_SEARCH_SLSQP,
                              .seed = 1,
                              .threads = 1,
                              .trajectories = 1,
                              .population = 150,
                              .generations = 120,
                              .mutation = 0.01,
                              .crossover = 0.9,
                              .polish = true,
                              .starts = 20,
                              .iterations = 300};
}

static const char *const searches[] = {"ga", "slsqp"};

const char *rbv_search_name(rbv_search s) {
  return (int)s >= 0 && (int)s < RBV_COUNT(searches) ? searches[s] : "?";
}

bool rbv_search_parse(rbv_search *out, const char *name) {
  for (int i = 0; i < RBV_COUNT(searches); i++)
    if (strcmp(name, searches[i]) == 0) {
      *out = (rbv_search)i;
      return true;
    }
  return false;
}

/* ---- ranges ---- */

/* range of positions of a joint; finite also where there is no limit */
static void range_of(double *low, double *high, const keeper *k, int j) {
  const rbv_limits *l = &k->limits[j];
  *low = isfinite(l->lower) ? l->lower : k->center[j] - 1.5;
  *high = isfinite(l->upper) ? l->upper : k->center[j] + 1.5;
}

/* what the ranges of a joint's coefficients follow from */
typedef struct {
  const rbv_limits *limits;
  double low, high;   // positions
  double w;           // frequency of the whole curve [rad/s]
  double slow, fast;  // frequencies [rad/s]
} joint_range;

static joint_range find_joint_range(const search *s, const keeper *k, int j) {
  const rbv_limits *l = &k->limits[j];
  joint_range r = {.limits = l, .w = TWO_PI / s->shape->duration_s};
  range_of(&r.low, &r.high, k, j);
  // Villagrossi 2014: w < sqrt(ddq_max / q_max)
  const double half = (r.high - r.low) / 2;
  r.fast = isfinite(l->acceleration) ? sqrt(l->acceleration / half)
           : isfinite(l->velocity)   ? l->velocity / half
                                     : 10 * r.w;
  r.slow = fmin(r.w, r.fast / 2);
  if (s->options->high_hz) r.fast = TWO_PI * s->options->high_hz[j];
  if (s->options->low_hz) r.slow = TWO_PI * s->options->low_hz[j];
  return r;
}

/* range of term i of n with a role */
static void set_range(double *low, double *high, const joint_range *r, coefficient_role role, int i,
                      int n) {
  const double middle = (r->low + r->high) / 2, half = (r->high - r->low) / 2;
  switch (role) {
    case ROLE_MEAN:
      *low = middle - 0.4 * half;
      *high = middle + 0.4 * half;
      return;
    case ROLE_POINT:
      *low = r->low;
      *high = r->high;
      return;
    case ROLE_RATE: {
      // the amplitude of velocity with which this term alone reaches a limit
      const double wl = r->w * (i + 1);
      double v = half * wl;
      if (isfinite(r->limits->velocity)) v = fmin(v, r->limits->velocity);
      if (isfinite(r->limits->acceleration)) v = fmin(v, r->limits->acceleration / wl);
      *low = -v;
      *high = v;
      return;
    }
    case ROLE_AMPLITUDE:  // Villagrossi 2014: |a| < q_max / W
      *low = -half / n;
      *high = half / n;
      return;
    case ROLE_FREQUENCY:
      *low = r->slow;
      *high = r->fast;
      return;
    case ROLE_PHASE:
      *low = -TWO_PI;
      *high = TWO_PI;
      return;
    case ROLE_SPEED:
      *low = 0.1;
      *high = 1;
      return;
  }
}

static void joint_ranges(double *low, double *high, const search *s, const keeper *k, int j,
                         int count) {
  const joint_range r = find_joint_range(s, k, j);
  for (const coefficient_group *g = rbv_class_of(s->shape->kind)->group; g->key; g++) {
    const int n = rbv_group_size(g, s->shape, count);
    for (int i = 0; i < n; i++) set_range(low++, high++, &r, g->role, i, n);
  }
}

static void find_ranges(search *s) {
  const rbv_trajectory *t = s->t[0];
  for (int i = 0; i < s->options->trajectories; i++)
    for (int j = 0; j < s->shape->njoint; j++) {
      const int at = i * s->n + rbv_trajectory_first(t, j, NULL);
      joint_ranges(s->low + at, s->high + at, s, &s->keeper[0], j,
                   rbv_trajectory_get_shape(t)->counts[j]);
    }
}

double rbv_search_waves(const search *s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(s->t[0]);
  const trajectory_class *row = rbv_class_of(shape->kind);
  double most = 0, fastest = 0;
  bool free = false;
  for (int j = 0; j < shape->njoint; j++) {
    const int at = rbv_class_find(NULL, shape, shape->counts[j], ROLE_FREQUENCY);
    most = fmax(most, shape->counts[j]);
    if (at < 0) continue;
    free = true;
    fastest = fmax(fastest, s->high[rbv_trajectory_first(s->t[0], j, NULL) + at]);
  }
  return free ? fastest * shape->duration_s / TWO_PI : row->waves_per_term * most + row->more_waves;
}

#define SAMPLES_PER_WAVE 30

static ptrdiff_t default_samples(const search *s) {
  const rbv_trajectory_shape *shape = rbv_trajectory_get_shape(s->t[0]);
  const double each = rbv_class_of(shape->kind)->samples_per_term;
  double most = 0;
  for (int j = 0; j < shape->njoint; j++) most = fmax(most, shape->counts[j]);
  const double count = each > 0 ? each * most : SAMPLES_PER_WAVE * rbv_search_waves(s);
  const double least = fmax(400, 6. * s->excite->n / shape->njoint);
  return (ptrdiff_t)fmin(2000, fmax(least, count));
}

double rbv_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- candidates ---- */

void rbv_search_draw(double *x, const search *s, uint64_t stream) {
  const uint64_t seed = s->options->seed;
  for (int i = 0; i < s->total; i++)
    x[i] = s->low[i] + (s->high[i] - s->low[i]) * rbv_random_uniform(seed, 2 * stream, (uint64_t)i);
  const trajectory_class *row = rbv_class_of(s->shape->kind);
  if (!row->draw) return;
  for (int t = 0; t < s->options->trajectories; t++)
    for (int j = 0; j < s->shape->njoint; j++) {
      const int first = rbv_trajectory_first(s->t[0], j, NULL), at = t * s->n + first;
      // random terms partly cancel: 12 times the limit of one term reaches the limits and more
      const double velocity = 12 * s->high[at + 1];
      x[at] = (s->low[first] + s->high[first]) / 2;
      row->draw(x + at, j, rbv_trajectory_get_shape(s->t[0])->counts[j], velocity,
                seed + (uint64_t)t, 2 * stream + 1);
    }
}

bool rbv_search_repair(search *s, int thread, double *x, finding *f) {
  rbv_trajectory **t = s->t + (ptrdiff_t)thread * s->options->trajectories;
  keeper *k = &s->keeper[thread];
  rbv_search_count(s, thread);
  k->late = false;
  for (int i = 0; i < s->options->trajectories; i++)
    if (!rbv_keeper_repair(t[i], x + i * s->n, k, true, s->coarse_s)) {
      if (f && k->late) f->cut = true;
      return false;
    }
  if (f) f->kept = true;
  atomic_store(&s->kept, true);
  return true;
}

double rbv_search_try(search *s, int thread, double *x, bool smooth, finding *f) {
  rbv_trajectory **t = s->t + (ptrdiff_t)thread * s->options->trajectories;
  double value;
  if (!rbv_search_repair(s, thread, x, f)) return INFINITY;
  const rbv_status status = rbv_worker_value(&value, NULL, &s->worker[thread], t,
                                             s->options->trajectories, s->samples, smooth);
  return status == RBV_OK && !isnan(value) ? value : INFINITY;
}

void rbv_search_note(search *s, const double *x, double value) {
  pthread_mutex_lock(&s->lock);
  if (value < s->best_value) {
    s->best_value = value;
    memcpy(s->best, x, (size_t)s->total * sizeof *x);
  }
  pthread_mutex_unlock(&s->lock);
}

bool rbv_search_over(search *s, bool main_thread) {
  if (atomic_load(&s->over)) return true;
  const double seconds = rbv_clock() - s->start;
  const double budget = s->options->budget_s;
  if (budget > 0 &&
      seconds > fmin(SEARCH_PART * budget, fmax(budget - s->reserve, LEAST_PART * budget))) {
    atomic_store(&s->out_of_time, true);
    atomic_store(&s->over, true);
  } else if (main_thread && s->options->progress) {
    pthread_mutex_lock(&s->lock);
    const double best = s->best_value;
    pthread_mutex_unlock(&s->lock);
    if (!s->options->progress(s->options->payload, seconds, best, atomic_load(&s->tried))) {
      s->info->stopped = true;
      atomic_store(&s->over, true);
    }
  }
  return atomic_load(&s->over);
}

/* ---- all of it ---- */

static rbv_status check(const rbv_excite *e, const rbv_trajectory_shape *shape,
                        const rbv_search_options *o) {
  if (shape->njoint != rbv_model_joint_count(e->model))
    return rbv_fail(RBV_EDIM, "the shape has %d joints, the robot %d", shape->njoint,
                    rbv_model_joint_count(e->model));
  if (o->trajectories < 1 || o->threads < 1 || o->population < 2 || o->generations < 0 ||
      o->starts < 1 || o->iterations < 1)
    return rbv_fail(RBV_EARG, "a count of the search options is out of range");
  if (!(o->mutation >= 0 && o->mutation <= 1 && o->crossover >= 0 && o->crossover <= 1))
    return rbv_fail(RBV_EARG, "mutation and crossover must be probabilities");
  if (!rbv_class_of(shape->kind))
    return rbv_fail(RBV_EARG, "there is no trajectory class %d", (int)shape->kind);
  if (o->search == RBV_SEARCH_SLSQP && !rbv_trajectory_class_smooth(shape->kind))
    return rbv_fail(RBV_EUNSUPPORTED, "%s have no gradient: use the search '%s'",
                    rbv_trajectory_class_terms(shape->kind, NULL, NULL),
                    rbv_search_name(RBV_SEARCH_GA));
  return RBV_OK;
}

/* maxima of the planner that the shape does not have: the limits of the joints */
static rbv_status fill_maxima(double *maxima, rbv_trajectory_shape *shape, const keeper *k) {
  const int n = shape->njoint;
  const bool planned = rbv_class_of(shape->kind)->planned;
  const double **missing[3] = {&shape->velocity, &shape->acceleration, &shape->jerk};
  for (int i = 0; i < 3; i++) {
    if (*missing[i] || !planned || (i == 2 && !shape->smooth)) continue;
    for (int j = 0; j < n; j++) {
      const rbv_limits *l = &k->limits[j];
      const double x = i == 0 ? l->velocity : i == 1 ? l->acceleration : l->jerk;
      if (!isfinite(x))
        return rbv_fail(RBV_EINPUT, "%s: the planner needs a limit of %s",
                        rbv_model_joint(k->model, j)->name,
                        i == 0   ? "velocity"
                        : i == 1 ? "acceleration"
                                 : "jerk");
      maxima[i * n + j] = x;
    }
    *missing[i] = maxima + i * n;
  }
  return RBV_OK;
}

static rbv_status prepare(search *s, rbv_trajectory_shape *shape, double *maxima) {
  const rbv_search_options *o = s->options;
  s->worker = rbv_alloc((size_t)s->nthread * sizeof *s->worker);
  s->keeper = rbv_alloc((size_t)s->nthread * sizeof *s->keeper);
  s->t = rbv_alloc((size_t)(s->nthread * o->trajectories) * sizeof *s->t);
  s->counted = rbv_alloc((size_t)s->nthread * sizeof *s->counted);
  if (!s->worker || !s->keeper || !s->t || !s->counted) return RBV_EMEM;
  RBV_TRY(rbv_keeper_new(&s->keeper[0], s->excite->model, s->constraints));
  RBV_TRY(rbv_keeper_center(&s->keeper[0]));
  if (o->budget_s > 0) s->keeper[0].deadline = s->start + o->budget_s;
  RBV_TRY(fill_maxima(maxima, shape, &s->keeper[0]));
  for (int i = 0; i < s->nthread; i++) {
    RBV_TRY(rbv_worker_new(&s->worker[i], s->excite));
    for (int k = 0; k < o->trajectories; k++)
      RBV_TRY(rbv_trajectory_new(&s->t[i * o->trajectories + k], shape, NULL));
    if (i == 0) continue;
    RBV_TRY(rbv_keeper_new(&s->keeper[i], s->excite->model, s->constraints));
    s->keeper[i].deadline = s->keeper[0].deadline;
    memcpy(s->keeper[i].center, s->keeper[0].center,
           (size_t)shape->njoint * sizeof *s->keeper[0].center);
  }
  s->n = rbv_trajectory_coefficient_count(s->t[0]);
  s->total = s->n * o->trajectories;
  s->low = rbv_alloc(3 * (size_t)s->total * sizeof *s->low);
  if (!s->low) return RBV_EMEM;
  s->high = s->low + s->total;
  s->best = s->high + s->total;
  find_ranges(s);
  s->samples = o->samples > 0 ? o->samples : default_samples(s);
  return RBV_OK;
}

static void search_free(search *s) {
  for (int i = 0; i < s->nthread; i++) {
    if (s->worker) rbv_worker_free(&s->worker[i]);
    if (s->keeper) rbv_keeper_free(&s->keeper[i]);
    for (int k = 0; s->t && k < s->options->trajectories; k++)
      rbv_trajectory_free(s->t[i * s->options->trajectories + k]);
  }
  rbv_free(s->worker);
  rbv_free(s->keeper);
  rbv_free(s->t);
  rbv_free(s->counted);
  rbv_free(s->low);
}

/* the first feasible candidate, which the result is compared with */
static rbv_status first_guess(search *s) {
  double *x = rbv_alloc((size_t)s->total * sizeof *x);
  if (!x) return RBV_EMEM;
  for (uint64_t i = 0; i < 20 && !isfinite(s->best_value) && !s->keeper[0].late; i++) {
    rbv_search_draw(x, s, 1000000 + i);
    const double value = rbv_search_try(s, 0, x, false, NULL);
    rbv_search_note(s, x, value);
  }
  s->info->first = s->best_value;
  s->evaluations = s->counted[0];
  // measure the time of a check on the fine grid, to keep enough of the budget
  const double before = rbv_clock();
  rbv_usage_info usage;
  rbv_keeper_check(&usage, NULL, &s->keeper[0], s->t[0], FINE_S);
  s->reserve = LAST_CHECKS * s->options->trajectories * (rbv_clock() - before);
  rbv_free(x);
  return RBV_OK;
}

static void explain(search *s) {
  rbv_search_info *info = s->info;
  if (s->keeper[0].late)
    snprintf(info->reason, sizeof info->reason,
             "the budget of %g s ended before a motion of %g s was checked", s->options->budget_s,
             rbv_trajectory_duration(s->t[0]));
  else if (atomic_load(&s->kept))
    snprintf(info->reason, sizeof info->reason,
             "no candidate excites all %d parameters; use more terms, more time or wider limits",
             s->excite->n);
  else
    snprintf(info->reason, sizeof info->reason, "no candidate keeps the constraints (%s)",
             rbv_keeper_couples(&s->keeper[0]) ? "torque, tool speed, collision or workspace"
                                               : "limits of the joints");
}

/* repair and check on a fine grid, then return copies */
static rbv_status finish(rbv_trajectory **out, search *s) {
  const int count = s->options->trajectories;
  s->keeper[0].late = false;
  if (s->options->budget_s > 0)
    s->keeper[0].deadline = s->start + 2 * s->options->budget_s + GRACE_S;
  for (int i = 0; i < count; i++) {
    double *x = s->best + i * s->n;
    rbv_usage_info info;
    bool good = rbv_keeper_repair(s->t[i], x, &s->keeper[0], true, FINE_S);
    if (good) {
      rbv_keeper_check(&info, NULL, &s->keeper[0], s->t[i], FINE_S);
      good = info.feasible;
    }
    if (!good) {
      explain(s);
      return RBV_OK;
    }
  }
  double value;
  RBV_TRY(rbv_worker_value(&value, NULL, &s->worker[0], s->t, count, s->samples, false));
  s->info->best = value;
  if (!isfinite(value)) {
    explain(s);
    return RBV_OK;
  }
  for (int i = 0; i < count; i++) {
    const rbv_status status = rbv_trajectory_clone(&out[i], s->t[i]);
    if (status == RBV_OK) continue;
    for (int k = 0; k < i; k++) {
      rbv_trajectory_free(out[k]);
      out[k] = NULL;
    }
    return status;
  }
  s->info->feasible = true;
  return RBV_OK;
}

rbv_status rbv_excite_search(rbv_trajectory **out, rbv_search_info *info, const rbv_excite *e,
                             const rbv_constraints *c, const rbv_trajectory_shape *given,
                             const rbv_search_options *o) {
  const rbv_constraints none = {0};
  const rbv_search_options usual = rbv_search_defaults();
  rbv_trajectory_shape series = rbv_trajectory_defaults();
  series.njoint = rbv_model_joint_count(e->model);
  if (!c) c = &none;
  if (!o) o = &usual;
  if (!given) given = &series;
  for (int i = 0; i < o->trajectories; i++) out[i] = NULL;
  *info = (rbv_search_info){.first = INFINITY, .best = INFINITY};
  RBV_TRY(check(e, given, o));
  rbv_trajectory_shape shape = *given;
  search s = {.excite = e,
              .constraints = c,
              .shape = &shape,
              .options = o,
              .info = info,
              .coarse_s = COARSE_S,
              .start = rbv_clock(),
              .nthread = o->threads,
              .best_value = INFINITY};
  pthread_mutex_init(&s.lock, NULL);
  double *maxima = rbv_alloc(3 * (size_t)shape.njoint * sizeof *maxima);
  rbv_status status = maxima ? prepare(&s, &shape, maxima) : RBV_EMEM;
  if (status == RBV_OK) status = first_guess(&s);
  bool over = true;
  if (status == RBV_OK) status = rbv_search_agree(&over, &s);
  if (status == RBV_OK && !over)
    status = o->search == RBV_SEARCH_GA ? rbv_search_genetic(&s)
                                        : rbv_search_gradient(&s, o->starts, NULL, 0);
  if (status == RBV_OK) {
    if (isfinite(s.best_value))
      status = finish(out, &s);
    else
      explain(&s);
  }
  info->evaluations = s.evaluations;
  info->out_of_time = atomic_load(&s.out_of_time);
  info->seconds = rbv_clock() - s.start;
  search_free(&s);
  rbv_free(maxima);
  pthread_mutex_destroy(&s.lock);
  return status;
}
