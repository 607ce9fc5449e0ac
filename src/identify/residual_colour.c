#include "identify/residual_colour.h"

#include <math.h>
#include "signal/signal.h"
#include "stats/stats.h"

#define LEAST 20      // smallest number of samples for a test
#define TEST_LAGS 10  // lags of the whiteness test
#define MOST_LAGS 512
#define QUIET 5           // consecutive lags that look white end the correlation
#define SIGNIFICANT 0.01  // coloured: p is below this, and a correlation exceeds LARGE
#define LARGE 0.1

/* cosine transform of |H|^4, where H is one pass of the filter */
rbv_status rbv_colour_white(colour_white *out, const rbv_decimate_options *o) {
  const int factor = o->factor;
  *out = (colour_white){.filtered = factor > 1, .rho = {1}};
  if (factor <= 1) return RBV_OK;
  const double nyquist = 0.5 / factor;
  rbv_sos sos;
  RBV_TRY(rbv_sos_chebyshev1(&sos, o->order, o->ripple_db, o->cutoff_ratio * nyquist, 1));
  // above three times the pass band the gain is negligible
  const int steps = 4000;
  const double end = fmin(0.5, 3 * nyquist);
  double total = 0, sum[COLOUR_LAGS + 1] = {0};
  for (int i = 0; i < steps; i++) {
    const double f = end * (i + 0.5) / steps, gain = rbv_sos_gain(&sos, f, 1);
    const double power = gain * gain * gain * gain;
    if (power < 1e-12) continue;
    total += power;
    // cosines of all lags by repeated rotation
    const double angle = 2 * RBV_PI * f * factor, C = cos(angle), S = sin(angle);
    double c = 1, s = 0;
    for (int k = 1; k <= COLOUR_LAGS; k++) {
      const double turned = c * C - s * S;
      s = s * C + c * S;
      c = turned;
      sum[k] += power * c;
    }
  }
  for (int k = 1; k <= COLOUR_LAGS; k++) out->rho[k] = sum[k] / total;
  return RBV_OK;
}

colour_white rbv_colour_every_second(const colour_white *white) {
  colour_white out = {.filtered = white->filtered};
  for (int k = 0; 2 * k <= COLOUR_LAGS; k++) out.rho[k] = white->rho[2 * k];
  return out;
}

static double at_lag(const double *rho, int k) {
  const int lag = k < 0 ? -k : k;
  return lag <= COLOUR_LAGS ? rho[lag] : 0;
}

/* n times the variance of an estimated correlation at lag k if the true ones are rho (Bartlett's
 * formula) */
static double bartlett(const double *rho, int k) {
  double sum = 0;
  for (int i = 1; i <= COLOUR_LAGS + k; i++) {
    const double term =
        at_lag(rho, i + k) + at_lag(rho, i - k) - 2 * at_lag(rho, i) * at_lag(rho, k);
    sum += term * term;
  }
  return sum;
}

#define SUMS 8  // independent partial sums, so that additions need not wait for each other

static double dot(const double *x, const double *y, ptrdiff_t n) {
  double part[SUMS] = {0}, sum = 0;
  ptrdiff_t k = 0;
  for (; k + SUMS <= n; k += SUMS)
    for (int i = 0; i < SUMS; i++) part[i] += x[k + i] * y[k + i];
  for (; k < n; k++) sum += x[k] * y[k];
  for (int i = 0; i < SUMS; i++) sum += part[i];
  return sum;
}

/* mean product of samples at distance lag, relative to the mean square; the mean is not removed */
static double correlation(const double *x, double square, const colour_series *s, int lag) {
  double sum = 0;
  ptrdiff_t pairs = 0;
  for (ptrdiff_t first = 0; first < s->count; first += s->piece) {
    const ptrdiff_t left = s->count - first, n = left < s->piece ? left : s->piece;
    if (n <= lag) continue;
    sum += dot(x + first + lag, x + first, n - lag);
    pairs += n - lag;
  }
  return pairs > 0 && square > 0 ? sum / (double)pairs / square : 0;
}

static double mean_square(const double *x, ptrdiff_t n) { return dot(x, x, n) / (double)n; }

/* correlations of a series; a lag is computed when it is needed */
typedef struct {
  const colour_series *s;
  const double *rho;         // white noise after the filter
  double rx[MOST_LAGS + 1];  // predicted torque
  double e[MOST_LAGS + 1];   // residual, deviation from rho
  double power, power_x;
  int computed;
} lags;

static void compute(lags *c, int until) {
  const colour_series *s = c->s;
  // the fit removed from the residual what resembles its columns
  const double taken = s->unknowns / (double)s->count;
  for (int k = c->computed + 1; k <= until; k++) {
    const double rho = at_lag(c->rho, k);
    c->rx[k] = correlation(s->predicted, c->power_x, s, k);
    c->e[k] = correlation(s->residual, c->power, s, k) - rho + taken * (c->rx[k] - rho);
    c->computed = k;
  }
}

/* the last significant lag, after which the residual looks white for QUIET lags */
static int last_lag(lags *c, int most) {
  const double n = (double)c->s->count, bound = 2 * sqrt(log10(n) / n);
  int last = 0;
  for (int k = 1; k <= most && k <= last + QUIET; k++) {
    compute(c, k);
    if (!(fabs(c->e[k]) < bound)) last = k;
  }
  return last;
}

/* test for whiteness; the size of the correlation counts too, because with many samples every
 * difference is significant */
static rbv_status test_white(colour_result *out, lags *c, int tested) {
  double Q = 0, largest = 0;
  compute(c, tested);
  for (int k = 1; k <= tested; k++) {
    Q += (double)c->s->count * c->e[k] * c->e[k] / bartlett(c->rho, k);
    largest = fmax(largest, fabs(c->e[k]));
  }
  RBV_TRY(rbv_stats_chi2_cdf(NULL, &out->p, Q, tested));
  out->coloured = out->p < SIGNIFICANT && largest > LARGE;
  return RBV_OK;
}

/* contribution of the filter, then the deviation from it with a flat-top window */
static double variance_ratio(lags *c, int most) {
  const int last = last_lag(c, most), end = 2 * last < most ? 2 * last : most;
  const int filter = c->s->white->filtered ? COLOUR_LAGS : 0, far = end > filter ? end : filter;
  double v = 1;
  compute(c, far < most ? far : most);
  for (int k = 1; k <= far && k <= most; k++) {
    const double window = k <= last ? 1 : k < end ? 2 - 2.0 * k / end : 0;
    v += 2 * c->rx[k] * (at_lag(c->rho, k) + window * c->e[k]);
  }
  return v;
}

rbv_status rbv_colour_test(colour_result *out, const colour_series *s) {
  *out = (colour_result){.p = NAN, .inflation = NAN};
  lags c = {.s = s, .rho = s->white->rho};
  if (s->count < LEAST) return RBV_OK;
  c.power = mean_square(s->residual, s->count);
  c.power_x = mean_square(s->predicted, s->count);
  if (!(c.power > 0)) return RBV_OK;
  const ptrdiff_t quarter = (s->count < s->piece ? s->count : s->piece) / 4;
  const int most = quarter < MOST_LAGS ? (int)quarter : MOST_LAGS;
  RBV_TRY(test_white(out, &c, TEST_LAGS < most ? TEST_LAGS : most));
  // negative correlation makes the theoretical sigma too large; limit the correction
  out->inflation = sqrt(fmax(variance_ratio(&c, most), 0.1));
  return RBV_OK;
}
