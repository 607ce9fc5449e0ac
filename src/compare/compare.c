#include <math.h>
#include <roberval/sys/compare.h>
#include "stats/stats.h"

#include "base/support.h"
#include "compare/match_names.h"

#define OUTLIER_DISTANCE 3.0  // smallest distance of an outlier [sigma]
#define OUTLIER_FACTOR 2.0    // smallest factor over the distances of all others
#define OUTLIER_RESIDUAL 3.0  // smallest factor over the fit errors of all others
#define CHANCE 0.01           // probability of a false alarm over all parameters

/* names and units of the parameters */
static void name_parameters(rbv_agreement *out, const char **name, const char **unit,
                            int nparameter) {
  for (int k = 0; k < nparameter; k++) {
    out[k].name = name[k];
    out[k].unit = unit[k];
  }
}

/* temporary memory */
typedef struct {
  double *numbers, *distances;
  const char **name, **unit;
} scratch;

static void layout(rbv_comparison *c, scratch *w, int nparameter, int nresult, rbv_arena *a) {
  w->distances = RBV_TAKE(a, nresult, double);
  w->name = RBV_TAKE(a, nparameter, const char *);
  w->unit = RBV_TAKE(a, nparameter, const char *);
  c->parameter = RBV_TAKE(a, nparameter, rbv_agreement);
  c->distance = RBV_TAKE(a, nresult, double);
  c->error = RBV_TAKE(a, nresult, double);
  w->numbers = RBV_TAKE(a, 3 * (size_t)nparameter * (size_t)nresult, double);
}

/* mean, scatter and agreement of one parameter */
static rbv_status compare_parameter(rbv_agreement *p, const rbv_result *const *results,
                                    int nresult) {
  double w = 0, wx = 0, x = 0, xx = 0;
  p->count = 0;
  for (int i = 0; i < nresult; i++)
    for (int k = 0; k < i; k++)
      p->mixed = p->mixed || rbv_match_mixed(results[k], results[i], p->name);
  for (int i = 0; i < nresult; i++) {
    const rbv_parameter *one = rbv_match_find(results[i], p->name);
    p->value[i] = rbv_match_usable(one) ? one->value : NAN;
    p->z[i] = p->change[i] = NAN;
    if (!rbv_match_usable(one)) continue;
    const rbv_parameter *first = rbv_match_find(results[0], p->name);
    if (i > 0 && rbv_match_usable(first) && !p->mixed)
      p->change[i] = (one->value - first->value) / hypot(one->sigma, first->sigma);
    const double weight = 1 / (one->sigma * one->sigma);
    w += weight;
    wx += weight * one->value;
    x += one->value;
    xx += one->value * one->value;
    p->count++;
  }
  p->mean = p->count ? wx / w : NAN;
  p->mean_sigma = p->count ? 1 / sqrt(w) : NAN;
  p->scatter = p->agreement_p = NAN;
  if (p->mixed) p->mean = p->mean_sigma = NAN;
  if (p->count < 2 || p->mixed) return RBV_OK;
  p->scatter = sqrt(fmax(0, (xx - x * x / p->count) / (p->count - 1)));
  double chi2 = 0;
  for (int i = 0; i < nresult; i++) {
    const rbv_parameter *one = rbv_match_find(results[i], p->name);
    if (!rbv_match_usable(one)) continue;
    const double weight = 1 / (one->sigma * one->sigma);
    chi2 += weight * (one->value - p->mean) * (one->value - p->mean);
    // mean of the others, which is independent of this result
    const double others = (wx - weight * one->value) / (w - weight);
    p->z[i] = (one->value - others) / sqrt(1 / weight + 1 / (w - weight));
  }
  // a sigma whose square is zero in double precision says nothing
  return isfinite(chi2) ? rbv_stats_chi2_cdf(NULL, &p->agreement_p, chi2, p->count - 1) : RBV_OK;
}

/* root mean square difference of two runs, in its sigma; NaN: no common parameter */
static double pair_distance(const rbv_comparison *c, const rbv_result *const *results, int i,
                            int j) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_parameter *a = rbv_match_find(results[i], c->parameter[k].name);
    const rbv_parameter *b = rbv_match_find(results[j], c->parameter[k].name);
    if (!rbv_match_usable(a) || !rbv_match_usable(b)) continue;
    if (rbv_match_mixed(results[i], results[j], c->parameter[k].name)) continue;
    sum +=
        (a->value - b->value) * (a->value - b->value) / (a->sigma * a->sigma + b->sigma * b->sigma);
    count++;
  }
  return count ? sqrt(sum / count) : NAN;
}

static rbv_status measure_distances(rbv_comparison *c, const rbv_result *const *results,
                                    double *work) {
  for (int i = 0; i < c->nresult; i++) {
    int count = 0;
    for (int j = 0; j < c->nresult; j++) {
      const double d = i == j ? NAN : pair_distance(c, results, i, j);
      if (isfinite(d)) work[count++] = d;
    }
    c->distance[i] = NAN;
    if (count == 0) continue;
    // rbv_stats_quantiles sorts: the lower median is at (count - 1) / 2
    const double half = 0.5;
    double median;
    RBV_TRY(rbv_stats_quantiles(&median, work, work, count, &half, 1));
    c->distance[i] = work[(count - 1) / 2];
  }
  return RBV_OK;
}

/* the run whose value is above the factor times that of every other run; -1: none */
static int find_alone(const double *x, int n, double factor) {
  for (int i = 0; i < n && n > 2; i++) {
    bool alone = true;
    for (int other = 0; other < n; other++)
      alone = alone && (other == i || x[i] > factor * x[other]);
    if (alone) return i;
  }
  return -1;
}

static void find_outlier(rbv_comparison *c, const rbv_result *const *results) {
  // Bonferroni correction for the number of parameters
  for (int k = 0; k < c->nparameter; k++)
    c->disagreeing += c->parameter[k].agreement_p < CHANCE / c->nparameter;
  c->outlier = find_alone(c->distance, c->nresult, OUTLIER_FACTOR);
  if (c->outlier >= 0 && !(c->distance[c->outlier] > OUTLIER_DISTANCE)) c->outlier = -1;
  if (c->outlier >= 0) return;
  // torques of another side have another error
  for (int i = 1; i < c->nresult; i++)
    if (results[i]->sensing != results[0]->sensing) return;
  c->outlier = find_alone(c->error, c->nresult, OUTLIER_RESIDUAL);
  c->outlier_residual = c->outlier >= 0;
}

bool rbv_comparison_exceeds(const rbv_comparison *c, int k, int i, rbv_change_limit limit) {
  const rbv_agreement *p = &c->parameter[k];
  if (!isfinite(p->change[i])) return false;
  if (limit.sigma > 0 && fabs(p->change[i]) > limit.sigma) return true;
  return limit.share > 0 && fabs(p->change[i]) > c->chance &&
         fabs(p->value[i] - p->value[0]) > limit.share * fabs(p->value[0]);
}

void rbv_comparison_free(rbv_comparison *c) { rbv_free(c); }

rbv_status rbv_compare_results(rbv_comparison **out, const rbv_result *const *results,
                               int nresult) {
  *out = NULL;
  if (!results || nresult < 2) return rbv_fail(RBV_EARG, "a comparison needs at least two results");
  RBV_TRY(rbv_match_robot(results, nresult));
  const int nparameter = rbv_match_collect(NULL, NULL, results, nresult);
  rbv_comparison sizes = {0}, *c;
  scratch w;
  RBV_CARVE_OBJECT(c, a, layout(&sizes, &w, nparameter, nresult, a));
  if (!c) return RBV_EMEM;
  *c = sizes;
  c->nresult = nresult;
  c->nparameter = nparameter;
  rbv_match_collect(w.name, w.unit, results, nresult);
  name_parameters(c->parameter, w.name, w.unit, nparameter);
  rbv_status status = RBV_OK;
  for (int k = 0; k < nparameter && status == RBV_OK; k++) {
    c->parameter[k].z = w.numbers + 3 * (ptrdiff_t)k * nresult;
    c->parameter[k].value = c->parameter[k].z + nresult;
    c->parameter[k].change = c->parameter[k].value + nresult;
    status = compare_parameter(&c->parameter[k], results, nresult);
  }
  for (int i = 0; i < nresult; i++)
    c->error[i] = results[i]->fit.nrow > 0 ? results[i]->fit.relative_error : NAN;
  if (status == RBV_OK && nparameter > 0)
    status = rbv_stats_normal_quantile(&c->chance, CHANCE / nparameter / 2, RBV_TAIL_UPPER);
  if (status == RBV_OK) status = measure_distances(c, results, w.distances);
  if (status == RBV_OK) find_outlier(c, results);
  RBV_GIVE(out, c, status, rbv_comparison_free(c));
}
