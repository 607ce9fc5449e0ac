/* Robots of a fleet that differ from their siblings. */
#include <math.h>
#include <roberval/sys/compare.h>
#include "stats/stats.h"

#include "base/support.h"
#include "compare/match_names.h"

#define SIBLINGS_MIN 4    // needed to estimate the scatter
#define SMALL_SAMPLE 0.8  // correction of s for m siblings: m / (m - 0.8)
#define EFFICIENCY 0.37   // of s: equivalent degrees of freedom per sibling

/* estimates of one parameter, one per robot */
typedef struct {
  int count;
  int *robot;
  double *value, *sigma;
  double *work;
} column;

typedef struct {
  rbv_fleet *fleet;
  const rbv_result *const *results;
  const char **name, **unit;  // nparameter
  column column;
  double *limit;  // of |z|, by number of siblings, up to nresult
} fleet_work;

static void layout(fleet_work *s, rbv_fleet *f, rbv_arena *a) {
  const size_t n = (size_t)f->nresult, p = (size_t)f->nparameter;
  f->deviation = RBV_TAKE(a, n * p, rbv_deviation);
  s->name = RBV_TAKE(a, p, const char *);
  s->unit = RBV_TAKE(a, p, const char *);
  s->limit = RBV_TAKE(a, n + 1, double);
  s->column.robot = RBV_TAKE(a, n, int);
  RBV_TAKE_ALL(a, n, double, &s->column.value, &s->column.sigma, &s->column.work);
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

/* ---- one robot ---- */

typedef enum { VALUE, DISTANCE, VARIANCE } quantity;

static double of_sibling(const column *c, int i, quantity what, double centre) {
  switch (what) {
    case VALUE: return c->value[i];
    case DISTANCE: return fabs(c->value[i] - centre);
    case VARIANCE: return c->sigma[i] * c->sigma[i];
  }
  return NAN;
}

/* median over all robots of the column except i */
static double sibling_median(const column *c, int i, quantity what, double centre) {
  int m = 0;
  for (int k = 0; k < c->count; k++)
    if (k != i) c->work[m++] = of_sibling(c, k, what, centre);
  return rbv_median(c->work, m);
}

static rbv_deviation compare_robot(const column *c, int i) {
  const int m = c->count - 1;
  rbv_deviation o = {
      .robot = c->robot[i], .value = c->value[i], .sigma = c->sigma[i], .siblings = m};
  o.median = sibling_median(c, i, VALUE, 0);
  o.scatter = DEVIATION * m / (m - SMALL_SAMPLE) * sibling_median(c, i, DISTANCE, o.median);
  // scatter without the siblings' errors plus its own error would be smaller, but less certain
  const double error = sibling_median(c, i, VARIANCE, 0);
  const double sibling = fmax(o.scatter * o.scatter, error);
  const double worse = fmax(0, o.sigma * o.sigma - error);
  o.z = (o.value - o.median) / sqrt(sibling + worse + MEDIAN_COST * sibling / m);
  return o;
}

/* ---- the fleet ---- */

static rbv_status find_limits(fleet_work *s, double alarm) {
  rbv_fleet *f = s->fleet;
  for (int k = 0; k < f->nparameter; k++) {
    gather(s, k);
    if (s->column.count > SIBLINGS_MIN) f->comparisons += s->column.count;
  }
  for (int m = SIBLINGS_MIN; m < f->nresult && f->comparisons > 0; m++)
    RBV_TRY(rbv_stats_student_quantile(&s->limit[m], alarm / (2. * f->comparisons), RBV_TAIL_UPPER,
                                       EFFICIENCY * m));
  return RBV_OK;
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

static void find_deviations(fleet_work *s) {
  rbv_fleet *f = s->fleet;
  for (int k = 0; k < f->nparameter; k++) {
    gather(s, k);
    if (s->column.count <= SIBLINGS_MIN) continue;
    for (int i = 0; i < s->column.count; i++) {
      rbv_deviation o = compare_robot(&s->column, i);
      o.name = s->name[k];
      o.unit = s->unit[k];
      o.limit = s->limit[o.siblings];
      if (!(fabs(o.z) <= o.limit)) add(f, o);
    }
  }
  for (int i = 0; i < f->count; i++)
    f->deviating += i == 0 || f->deviation[i].robot != f->deviation[i - 1].robot;
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
  const rbv_status status = find_limits(&s, alarm);
  if (status == RBV_OK) find_deviations(&s);
  RBV_GIVE(out, f, status, rbv_fleet_free(f));
}
