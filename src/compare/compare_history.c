/* Changes of the robots of a fleet over periods of time. */
#include <math.h>
#include <roberval/sys/compare.h>
#include <string.h>
#include "stats/stats.h"

#include "base/support.h"
#include "compare/match_names.h"

#define ROBOTS_COMMON 5  // needed to estimate a change that all robots share
#define POLISH 20        // steps of the median polish
#define EFFICIENCY \
  0.25                // degrees of freedom per difference of neighbouring periods: 0.37 for the
                      // median absolute deviation, 2/3 because neighbours share a period
#define OWN_LEAST 40  // differences from which a parameter has its own scatter

/* one parameter of all robots and periods, robot r and period t at [r + nrobot t]; NaN: none */
typedef struct {
  int nrobot, nperiod;
  const double *value;
  double *sigma;  // at least the median of all
  double *rest;   // value without the common change
  double *common;
  double *work;
} table;

/* ---- one parameter ---- */

static void use_sigmas(table *a, const double *sigma) {
  const int cells = a->nrobot * a->nperiod;
  int n = 0;
  for (int k = 0; k < cells; k++)
    if (isfinite(a->value[k])) a->work[n++] = sigma[k];
  const double least = rbv_median(a->work, n);
  for (int k = 0; k < cells; k++) a->sigma[k] = fmax(sigma[k], least);
}

/* subtract from rest the medians of all rows (robots) or columns (periods) of the table; columns
 * are added to common. Returns the largest median. */
static double sweep(table *a, bool columns) {
  const int lines = columns ? a->nperiod : a->nrobot, length = columns ? a->nrobot : a->nperiod;
  double largest = 0;
  for (int i = 0; i < lines; i++) {
    double *first = a->rest + (columns ? i * a->nrobot : i);
    const int step = columns ? 1 : a->nrobot;
    int n = 0;
    for (int k = 0; k < length; k++)
      if (isfinite(first[k * step])) a->work[n++] = first[k * step];
    if (n == 0) continue;
    const double m = rbv_median(a->work, n);
    for (int k = 0; k < length; k++) first[k * step] -= m;
    if (columns) a->common[i] += m;
    largest = fmax(largest, fabs(m));
  }
  return largest;
}

/* a period with too few robots says nothing about the common change */
static void leave_out_periods(table *a) {
  for (int t = 0; t < a->nperiod; t++) {
    double *column = a->rest + t * a->nrobot;
    int n = 0;
    for (int r = 0; r < a->nrobot; r++) n += isfinite(column[r]);
    for (int r = 0; r < a->nrobot && n < ROBOTS_COMMON; r++) column[r] = NAN;
  }
}

/* median polish: levels of the robots and a change that they share */
static void split_common(table *a) {
  const int cells = a->nrobot * a->nperiod;
  double spread = 0;
  memcpy(a->rest, a->value, (size_t)cells * sizeof *a->rest);
  memset(a->common, 0, (size_t)a->nperiod * sizeof *a->common);
  if (a->nrobot < ROBOTS_COMMON) return;
  leave_out_periods(a);
  for (int k = 0; k < cells; k++)
    if (isfinite(a->sigma[k])) spread = fmax(spread, a->sigma[k]);
  for (int i = 0; i < POLISH; i++) {
    const double robots = sweep(a, false);
    if (fmax(robots, sweep(a, true)) < 1e-6 * spread && i > 0) break;
  }
  // the first period is the reference
  const double first = a->common[0];
  for (int t = 0; t < a->nperiod; t++) a->common[t] -= first;
}

/* the last period before t in which robot r has a value; -1: none */
static int period_before(const table *a, int r, int t) {
  do t--;
  while (t >= 0 && !isfinite(a->rest[r + t * a->nrobot]));
  return t;
}

/* differences between neighbouring periods, in sigma; returns their number */
static int differences(double *out, const table *a) {
  int n = 0;
  for (int r = 0; r < a->nrobot; r++)
    for (int t = 1; t < a->nperiod; t++) {
      const int here = r + t * a->nrobot, last = period_before(a, r, t);
      if (!isfinite(a->rest[here]) || last < 0) continue;
      const int there = r + last * a->nrobot;
      out[n++] = fabs(a->rest[here] - a->rest[there]) / hypot(a->sigma[here], a->sigma[there]);
    }
  return n;
}

/* ---- changes ---- */

typedef struct {
  double weight, mean;
} group;

static void include(group *g, double x, double sigma) {
  const double w = 1 / (sigma * sigma);
  g->weight += w;
  g->mean += w / g->weight * (x - g->mean);
}

/* periods [from, to] of robot r */
static group mean_of(const table *a, int r, int from, int to) {
  group g = {0};
  for (int t = from; t <= to; t++)
    if (isfinite(a->rest[r + t * a->nrobot]))
      include(&g, a->rest[r + t * a->nrobot], a->sigma[r + t * a->nrobot]);
  return g;
}

/* variance of a difference with the error of the common change, over that without, of all periods
 */
static void find_costs(double *cost, const table *a) {
  for (int t = 0; t < a->nperiod; t++) {
    int n = 0;
    for (int r = 0; r < a->nrobot; r++) n += isfinite(a->rest[r + t * a->nrobot]);
    cost[t] = a->nrobot >= ROBOTS_COMMON ? 1 + MEDIAN_COST / n : 1;
  }
}

/* in every period t of robot r, the change that is largest in sigma, and the period with which it
 * starts; 0 and -1: none. Of starts that are equal, the last one. */
static void largest_changes(double *largest, int *start, const table *a, int r, const double *cost,
                            double inflation) {
  for (int t = 0; t < a->nperiod; t++) largest[t] = 0, start[t] = -1;
  group before = {0};
  for (int s = 0; s < a->nperiod; s++) {
    if (!isfinite(a->rest[r + s * a->nrobot])) continue;
    group since = {0};
    for (int t = s; before.weight > 0 && t < a->nperiod; t++) {
      if (!isfinite(a->rest[r + t * a->nrobot])) continue;
      include(&since, a->rest[r + t * a->nrobot], a->sigma[r + t * a->nrobot]);
      const double z = (since.mean - before.mean) /
                       (inflation * sqrt(cost[t] * (1 / before.weight + 1 / since.weight)));
      if (!(fabs(z) > 0 && fabs(z) >= fabs(largest[t]))) continue;
      largest[t] = z;
      start[t] = s;
    }
    include(&before, a->rest[r + s * a->nrobot], a->sigma[r + s * a->nrobot]);
  }
}

/* pairs of a start and a period that are compared */
static ptrdiff_t comparisons_of(const table *a) {
  ptrdiff_t count = 0;
  for (int r = 0; r < a->nrobot; r++) {
    int n = 0;
    for (int t = 0; t < a->nperiod; t++) n += isfinite(a->rest[r + t * a->nrobot]);
    count += (ptrdiff_t)n * (n - 1) / 2;
  }
  return count;
}

/* ---- the fleet ---- */

typedef struct {
  rbv_history *h;
  double *rest;     // as value
  double *scratch;  // differences of all parameters
  double *dof;      // nparameter
  int *ndifference;
  double *cost, *largest;  // nperiod: of one parameter, of one robot
  int *start;
} history_work;

static void layout(rbv_history *h, rbv_arena *a) {
  const size_t cells = (size_t)h->nrobot * (size_t)h->nperiod, n = (size_t)h->nparameter;
  h->name = RBV_TAKE(a, n, const char *);
  h->unit = RBV_TAKE(a, n, const char *);
  RBV_TAKE_ALL(a, cells * n, double, &h->value, &h->sigma, &h->z);
  h->common = RBV_TAKE(a, (size_t)h->nperiod * n, double);
  h->inflation = RBV_TAKE(a, n, double);
  h->limit = RBV_TAKE(a, n, double);
  h->change = RBV_TAKE(a, (size_t)h->nrobot * n, rbv_change);
}

static void layout_work(history_work *w, const rbv_history *h, rbv_arena *a) {
  const size_t cells = (size_t)h->nrobot * (size_t)h->nperiod, n = (size_t)h->nparameter;
  w->rest = RBV_TAKE(a, cells * n, double);
  w->scratch = RBV_TAKE(a, cells * (n + 1), double);
  w->dof = RBV_TAKE(a, n, double);
  w->ndifference = RBV_TAKE(a, n, int);
  RBV_TAKE_ALL(a, h->nperiod, double, &w->cost, &w->largest);
  w->start = RBV_TAKE(a, h->nperiod, int);
}

static table table_of(const history_work *w, int p) {
  const rbv_history *h = w->h;
  const ptrdiff_t cells = (ptrdiff_t)h->nrobot * h->nperiod;
  return (table){.nrobot = h->nrobot,
                 .nperiod = h->nperiod,
                 .value = h->value + p * cells,
                 .sigma = h->sigma + p * cells,
                 .rest = w->rest + p * cells,
                 .common = h->common + (ptrdiff_t)p * h->nperiod,
                 .work = w->scratch};
}

static void gather(rbv_history *h, const rbv_result *const *results) {
  const int cells = h->nrobot * h->nperiod;
  for (int p = 0; p < h->nparameter; p++)
    for (int k = 0; k < cells; k++) {
      const rbv_parameter *found = results[k] ? rbv_match_find(results[k], h->name[p]) : NULL;
      const bool usable = rbv_match_usable(found);
      h->value[k + (ptrdiff_t)p * cells] = usable ? found->value : NAN;
      h->sigma[k + (ptrdiff_t)p * cells] = usable ? found->sigma : NAN;
    }
}

/*
 * How much larger the scatter between periods is than the sigmas say, and the degrees of freedom of
 * this number. With few differences it is the larger one of the parameter's own and that of all.
 */
static void find_inflation(history_work *w) {
  rbv_history *h = w->h;
  double *all = w->scratch + (ptrdiff_t)h->nrobot * h->nperiod;
  int total = 0;
  for (int p = 0; p < h->nparameter; p++) {
    const table a = table_of(w, p);
    double *own = all + total;
    w->ndifference[p] = differences(own, &a);
    total += w->ndifference[p];
    memcpy(w->scratch, own, (size_t)w->ndifference[p] * sizeof *own);
    h->inflation[p] = DEVIATION * rbv_median(w->scratch, w->ndifference[p]);
  }
  const double pooled = DEVIATION * rbv_median(all, total);
  for (int p = 0; p < h->nparameter; p++) {
    const bool few = w->ndifference[p] < OWN_LEAST;
    h->inflation[p] = fmax(1, few ? fmax(h->inflation[p], pooled) : h->inflation[p]);
    w->dof[p] = EFFICIENCY * (few ? total : w->ndifference[p]);
  }
}

static rbv_status find_limits(history_work *w, double alarm) {
  rbv_history *h = w->h;
  for (int p = 0; p < h->nparameter; p++) {
    const table a = table_of(w, p);
    h->comparisons += comparisons_of(&a);
  }
  for (int p = 0; p < h->nparameter; p++) {
    h->limit[p] = INFINITY;
    if (w->dof[p] > 0 && h->comparisons > 0)
      RBV_TRY(rbv_stats_student_quantile(&h->limit[p], alarm / (2. * (double)h->comparisons),
                                         RBV_TAIL_UPPER, w->dof[p]));
  }
  return RBV_OK;
}

/* sorted by robot, then by the period in which it was found, then by size; stable */
static bool comes_before(const rbv_change *a, const rbv_change *b) {
  if (a->robot != b->robot) return a->robot < b->robot;
  if (a->found != b->found) return a->found < b->found;
  return fabs(a->z) >= fabs(b->z);
}

static void add(rbv_history *h, rbv_change c) {
  int k = h->count++;
  for (; k > 0 && !comes_before(&h->change[k - 1], &c); k--) h->change[k] = h->change[k - 1];
  h->change[k] = c;
}

static void find_changes(history_work *w, int p) {
  rbv_history *h = w->h;
  const table a = table_of(w, p);
  double *z = h->z + (ptrdiff_t)p * h->nrobot * h->nperiod;
  const int last = h->nperiod - 1;
  find_costs(w->cost, &a);
  for (int r = 0; r < h->nrobot; r++) {
    rbv_change c = {.robot = r, .parameter = p, .found = -1};
    largest_changes(w->largest, w->start, &a, r, w->cost, h->inflation[p]);
    for (int t = 0; t < h->nperiod; t++) {
      z[r + t * h->nrobot] = w->largest[t];
      if (c.found >= 0 || !(fabs(w->largest[t]) > h->limit[p])) continue;
      c.found = t;
      c.started = w->start[t];
      c.z = w->largest[t];
    }
    if (c.found < 0) continue;
    // with all periods the start is known better than when the change was found
    if (fabs(w->largest[last]) > h->limit[p] && w->start[last] <= c.found)
      c.started = w->start[last];
    c.before = mean_of(&a, r, 0, c.started - 1).mean;
    c.after = mean_of(&a, r, c.started, h->nperiod - 1).mean;
    // back to values as estimated: the level of the robot was removed with the common change
    double level = NAN;
    for (int t = 0; t < h->nperiod && !isfinite(level); t++)
      level = a.value[r + t * h->nrobot] - a.rest[r + t * h->nrobot] - a.common[t];
    c.before += level;
    c.after += level;
    add(h, c);
  }
}

void rbv_history_free(rbv_history *h) { rbv_free(h); }

rbv_status rbv_compare_history(rbv_history **out, const rbv_result *const *results, int nrobot,
                               int nperiod, double alarm) {
  *out = NULL;
  if (!results || nrobot < 1 || nperiod < 2 || !(alarm > 0 && alarm < 1))
    return rbv_fail(RBV_EARG,
                    "a history needs robots, two or more periods, and a probability of false "
                    "alarms between 0 and 1");
  RBV_TRY(rbv_match_robot(results, nrobot * nperiod));
  rbv_history sizes = {.nrobot = nrobot,
                       .nperiod = nperiod,
                       .nparameter = rbv_match_collect(NULL, NULL, results, nrobot * nperiod)};
  history_work w;
  rbv_arena scratch = {0};
  RBV_CARVE(&scratch, layout_work(&w, &sizes, &scratch));
  if (!scratch.base) return RBV_EMEM;
  rbv_history *h;
  RBV_CARVE_OBJECT(h, a, layout(&sizes, a));
  if (!h) {
    rbv_free(scratch.base);
    return RBV_EMEM;
  }
  *h = sizes;
  w.h = h;
  rbv_match_collect(h->name, h->unit, results, nrobot * nperiod);
  gather(h, results);
  for (int p = 0; p < h->nparameter; p++) {
    table a = table_of(&w, p);
    use_sigmas(&a, a.sigma);
    split_common(&a);
  }
  find_inflation(&w);
  const rbv_status status = find_limits(&w, alarm);
  for (int p = 0; p < h->nparameter && status == RBV_OK; p++) find_changes(&w, p);
  for (int i = 0; i < h->count; i++)
    h->changed += i == 0 || h->change[i].robot != h->change[i - 1].robot;
  rbv_free(scratch.base);
  RBV_GIVE(out, h, status, rbv_history_free(h));
}
