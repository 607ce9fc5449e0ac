/* Robots of a fleet that differ from their siblings. */
#include <math.h>
#include <roberval/sys/compare.h>
#include <stdlib.h>
#include "stats/stats.h"

#include "base/support.h"
#include "compare/match_names.h"

#define SIBLINGS_MIN 4    // needed to estimate the scatter
#define SMALL_SAMPLE 0.8  // correction of s for m siblings: m / (m - 0.8)
#define EFFICIENCY 0.37   // of s: equivalent degrees of freedom per sibling

#define CENTRES 3  // different medians that count values have, each without one of them

/* estimates of one parameter, one per robot; sorted copies, for medians without one robot */
typedef struct {
  int count;
  int *robot;
  double *value, *sigma;
  double *values, *variances;  // sorted
  int ncentre;
  double centre[CENTRES];
  double *distances[CENTRES];  // of the values from each centre, sorted
} column;

typedef struct {
  rbv_fleet *fleet;
  const rbv_result *const *results;
  const char **name, **unit;  // nparameter
  column column;
} fleet_work;

static void layout(fleet_work *s, rbv_fleet *f, rbv_arena *a) {
  const size_t n = (size_t)f->nresult, p = (size_t)f->nparameter;
  f->deviation = RBV_TAKE(a, n * p, rbv_deviation);
  s->name = RBV_TAKE(a, p, const char *);
  s->unit = RBV_TAKE(a, p, const char *);
  column *c = &s->column;
  c->robot = RBV_TAKE(a, n, int);
  RBV_TAKE_ALL(a, n, double, &c->value, &c->sigma, &c->values, &c->variances, &c->distances[0],
               &c->distances[1], &c->distances[2]);
}

/* collect the robots that have parameter k */
static void gather(fleet_work *s, int k) {
  column *c = &s->column;
  c->count = 0;
  for (int i = 0; i < s->fleet->nresult; i++) {
    const rbv_parameter *p = rbv_match_find(s->results[i], s->name[k]);
    if (!rbv_match_usable(p)) continue;
    c->robot[c->count] = i;
    c->value[c->count] = p->value;
    c->sigma[c->count++] = p->sigma;
  }
}

/* ---- medians of all robots except one ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sort_column(column *c) {
  for (int i = 0; i < c->count; i++) {
    c->values[i] = c->value[i];
    c->variances[i] = c->sigma[i] * c->sigma[i];
  }
  qsort(c->values, (size_t)c->count, sizeof *c->values, by_size);
  qsort(c->variances, (size_t)c->count, sizeof *c->variances, by_size);
  c->ncentre = 0;
}

/* distances of the values from a median without one robot, sorted: there are at most CENTRES */
static const double *distances_from(column *c, double centre) {
  int k = 0;
  while (k < c->ncentre && c->centre[k] != centre) k++;
  if (k < c->ncentre) return c->distances[k];
  if (k == CENTRES) k--;
  c->ncentre = k + 1;
  c->centre[k] = centre;
  for (int i = 0; i < c->count; i++) c->distances[k][i] = fabs(c->value[i] - centre);
  qsort(c->distances[k], (size_t)c->count, sizeof *c->distances[k], by_size);
  return c->distances[k];
}

/* median of sorted numbers without one that equals x */
static double median_without(const double *sorted, int count, double x) {
  int left = 0, right = count - 1;
  while (left < right) {
    const int middle = (left + right) / 2;
    if (sorted[middle] < x)
      left = middle + 1;
    else
      right = middle;
  }
  const int m = count - 1, low = (m - 1) / 2, high = m / 2;
  const double a = sorted[low + (low >= left)];
  return low == high ? a : (a + sorted[high + (high >= left)]) / 2;
}

static rbv_deviation compare_robot(column *c, int i) {
  const int m = c->count - 1;
  rbv_deviation o = {
      .robot = c->robot[i], .value = c->value[i], .sigma = c->sigma[i], .siblings = m};
  o.median = median_without(c->values, c->count, o.value);
  o.scatter = DEVIATION * m / (m - SMALL_SAMPLE) *
              median_without(distances_from(c, o.median), c->count, fabs(o.value - o.median));
  // scatter without the siblings' errors plus its own error would be smaller, but less certain
  const double error = median_without(c->variances, c->count, o.sigma * o.sigma);
  const double sibling = fmax(o.scatter * o.scatter, error);
  const double worse = fmax(0, o.sigma * o.sigma - error);
  o.z = (o.value - o.median) / sqrt(sibling + worse + MEDIAN_COST * sibling / m);
  return o;
}

/* ---- the fleet ---- */

static void count_comparisons(fleet_work *s) {
  for (int k = 0; k < s->fleet->nparameter; k++) {
    gather(s, k);
    if (s->column.count > SIBLINGS_MIN) s->fleet->comparisons += s->column.count;
  }
}

/* sorted by robot, the largest |z| first; stable */
static void add(rbv_fleet *f, rbv_deviation o) {
  int k = f->count++;
  for (; k > 0; k--) {
    const rbv_deviation *before = &f->deviation[k - 1];
    if (before->robot < o.robot || (before->robot == o.robot && fabs(before->z) >= fabs(o.z)))
      break;
    f->deviation[k] = *before;
  }
  f->deviation[k] = o;
}

static rbv_status find_deviations(fleet_work *s, double alarm) {
  rbv_fleet *f = s->fleet;
  for (int k = 0; k < f->nparameter; k++) {
    gather(s, k);
    if (s->column.count <= SIBLINGS_MIN) continue;
    sort_column(&s->column);
    double limit;
    RBV_TRY(rbv_stats_student_quantile(&limit, alarm / (2. * f->comparisons), RBV_TAIL_UPPER,
                                       EFFICIENCY * (s->column.count - 1)));
    for (int i = 0; i < s->column.count; i++) {
      rbv_deviation o = compare_robot(&s->column, i);
      o.name = s->name[k];
      o.unit = s->unit[k];
      o.limit = limit;
      if (!(fabs(o.z) <= o.limit)) add(f, o);
    }
  }
  for (int i = 0; i < f->count; i++)
    f->deviating += i == 0 || f->deviation[i].robot != f->deviation[i - 1].robot;
  return RBV_OK;
}

void rbv_fleet_free(rbv_fleet *f) { rbv_free(f); }

rbv_status rbv_compare_fleet(rbv_fleet **out, const rbv_result *const *results, int nresult,
                             double alarm) {
  *out = NULL;
  if (!results || nresult < 1 || !(alarm > 0 && alarm < 1))
    return rbv_fail(RBV_EARG,
                    "a fleet needs robots, and a probability of false alarms between 0 and 1");
  RBV_TRY(rbv_match_robot(results, nresult));
  rbv_fleet sizes = {.nresult = nresult,
                     .nparameter = rbv_match_collect(NULL, NULL, results, nresult)};
  fleet_work s = {.results = results};
  rbv_fleet *f;
  RBV_CARVE_OBJECT(f, a, layout(&s, &sizes, a));
  if (!f) return RBV_EMEM;
  *f = sizes;
  s.fleet = f;
  for (int i = 0; i < nresult; i++) f->identified += results[i] != NULL;
  rbv_match_collect(s.name, s.unit, results, nresult);
  count_comparisons(&s);
  const rbv_status status = find_deviations(&s, alarm);
  RBV_GIVE(out, f, status, rbv_fleet_free(f));
}
