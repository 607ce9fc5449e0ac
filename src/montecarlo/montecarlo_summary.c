/* Statistics of Monte Carlo runs: bias, spread, coverage. */
#include <math.h>
#include <roberval/sys/stats.h>

#include "montecarlo/montecarlo_internal.h"

#define INSIDE 1.96  // half width of the 95 % interval in sigma

rbv_montecarlo_parameter rbv_summarise_parameter(const double *value, const double *sigma,
                                                 const double *bound, int n, double truth) {
  static const rbv_montecarlo_parameter none = {NAN, NAN, NAN, NAN, NAN, NAN};
  if (n < 1) return none;
  double mean = 0, square = 0, estimated = 0, least = 0;
  int inside = 0;
  for (int i = 0; i < n; i++) {
    mean += value[i] / n;
    estimated += sigma[i] / n;
    least += bound[i] / n;
    inside += fabs(value[i] - truth) <= INSIDE * sigma[i];
  }
  if (isnan(mean)) return none;
  for (int i = 0; i < n; i++) square += (value[i] - mean) * (value[i] - mean);
  return (rbv_montecarlo_parameter){.mean = mean,
                                    .bias = mean - truth,
                                    .spread = n > 1 ? sqrt(square / (n - 1)) : NAN,
                                    .sigma = estimated,
                                    .bound = least,
                                    .coverage = (double)inside / n};
}

/* median of count numbers, which are reordered; NaN: none, or one is not finite */
static rbv_status median(double *out, double *x, int count) {
  const double half = 0.5;
  *out = NAN;
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return RBV_OK;
  return count > 0 ? rbv_stats_quantiles(out, x, x, count, &half, 1) : RBV_OK;
}

/* statistics relative to the true value; sigma relative to the spread, and this to its bound */
typedef enum { BIAS, SPREAD, SIGMA, RATIO, EXCESS } quantity;

static double share(const rbv_montecarlo_parameter *p, double truth, quantity what) {
  switch (what) {
    case BIAS: return fabs(p->bias / truth);
    case SPREAD: return p->spread / fabs(truth);
    case SIGMA: return p->sigma / fabs(truth);
    case RATIO: return p->sigma / p->spread;
    case EXCESS: return p->spread / p->bound;
  }
  return NAN;
}

static bool is_estimated(const rbv_montecarlo_parameter *p) { return !isnan(p->mean); }

rbv_status rbv_summarise_method(rbv_montecarlo_method *m, const double *truth, int nparameter,
                                double *work) {
  double *const to[] = {&m->bias_median, &m->spread_median, &m->sigma_median, &m->ratio_median,
                        &m->excess_median};
  for (int what = 0; what < RBV_COUNT(to); what++) {
    int count = 0;
    for (int k = 0; k < nparameter; k++)
      if (truth[k] != 0 && is_estimated(&m->parameter[k]))
        work[count++] = share(&m->parameter[k], truth[k], (quantity)what);
    RBV_TRY(median(to[what], work, count));
  }
  m->bias_worst = NAN;
  m->bias_worst_at = -1;
  double covered = 0;
  int estimated = 0;
  for (int k = 0; k < nparameter; k++) {
    if (!is_estimated(&m->parameter[k])) continue;
    covered += m->parameter[k].coverage;
    estimated++;
    if (truth[k] == 0) continue;
    const double bias = share(&m->parameter[k], truth[k], BIAS);
    if (!(bias <= m->bias_worst)) {
      m->bias_worst = bias;
      m->bias_worst_at = k;
    }
  }
  m->coverage = estimated > 0 ? covered / estimated : NAN;
  return RBV_OK;
}
