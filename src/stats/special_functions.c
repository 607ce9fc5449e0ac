/*
 * Incomplete gamma and beta functions. The leading factor is computed with Stirling's error and the
 * excess d - log(1 + d) (Loader 2000, "Fast and accurate computation of binomial probabilities").
 * It stays accurate for parameters in the millions, for which differences of log-gamma lose their
 * digits.
 */
#include <float.h>
#include <math.h>

#include "stats/stats_internal.h"

#define TAU (2 * RBV_PI)
#define MAX_TERMS 200000

/* log-gamma(z + 1) - ((z + 1/2) log z - z + log(2 pi) / 2), z > 0 */
static double stirling_error(double z) {
  // asymptotic series, truncated: the first omitted term is below 2e-17 at z = 15
  if (z >= 15) {
    const double s = 1 / (z * z);
    return (1.0 / 12 -
            s * (1.0 / 360 -
                 s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360 -
                                                                            s * (1.0 / 156))))))) /
           z;
  }
  int sign;
  return lgamma_r(z + 1, &sign) - (z + 0.5) * log(z) + z - 0.5 * log(TAU);
}

/* d - log(1 + d); 1 + d is passed too, so that no digits are lost for d near -1 */
static double excess(double d, double one_plus_d) {
  const double u = d / (2 + d);
  if (fabs(u) > 0.1) return d - log(one_plus_d);
  // log(1 + d) = 2 atanh(u), and d - 2 u = d u
  double sum = 0, power = u * u * u;
  for (int k = 3; k < 40; k += 2) {
    const double term = power / k;
    sum += term;
    if (fabs(term) <= DBL_EPSILON * fabs(sum)) break;
    power *= u * u;
  }
  return d * u - 2 * sum;
}

/* x^a e^-x / Gamma(a) */
static double gamma_factor(double a, double x) {
  return sqrt(a / TAU) * exp(-stirling_error(a) - a * excess((x - a) / a, x / a));
}

/* x^a y^b / B(a, b) */
static double beta_factor(double a, double b, double x, double y) {
  const double lambda = a * y - b * x, n = a + b;
  return sqrt(a / n * b / TAU) *
         exp(stirling_error(n) - stirling_error(a) - stirling_error(b) -
             a * excess(-lambda / a, n * (x / a)) - b * excess(lambda / b, n * (y / b)));
}

bool rbv_stats_gamma_tails(rbv_tails *out, double a, double x) {
  if (!(x > 0)) {
    *out = (rbv_tails){0, 1, 0};
    return true;
  }
  if (isinf(x)) {
    *out = (rbv_tails){1, 0, 0};
    return true;
  }
  out->slope = gamma_factor(a, x);

  // left of the mode: power series, all terms positive
  if (x < a + 1) {
    double sum = 1, term = 1;
    for (int k = 1; term > DBL_EPSILON / 8 * sum; k++) {
      if (k > MAX_TERMS) return false;
      term *= x / (a + k);
      sum += term;
    }
    out->lower = fmin(1, out->slope / a * sum);
    out->upper = 1 - out->lower;
    return true;
  }

  // right of the mode: Legendre's continued fraction by Lentz's method
  double b = x + 1 - a, c = 1 / DBL_MIN, d = 1 / b, h = d;
  for (int k = 1;; k++) {
    if (k > MAX_TERMS) return false;
    const double an = -k * (k - a);
    b += 2;
    d = an * d + b;
    if (fabs(d) < DBL_MIN) d = DBL_MIN;
    c = b + an / c;
    if (fabs(c) < DBL_MIN) c = DBL_MIN;
    d = 1 / d;
    h *= d * c;
    if (fabs(d * c - 1) <= DBL_EPSILON) break;
  }
  out->upper = fmin(1, out->slope * h);
  out->lower = 1 - out->upper;
  return true;
}

/* I_x(a, b) / its leading factor, for x below the mean: continued fraction of DiDonato and Morris
 * (1992, ACM TOMS 18, eq. 9.1), whose terms have no cancellation */
static bool beta_fraction(double *out, double a, double b, double x, double y) {
  const double lambda = a * y - b * x;
  double f = a * (lambda + 1) / (a + 1);
  if (fabs(f) < DBL_MIN) f = DBL_MIN;
  double c = f, d = 0;
  for (int k = 1; k <= MAX_TERMS; k++) {
    const double s = a + 2.0 * k - 1;
    const double an = (a + k - 1) / s * ((a + b + k - 1) / s) * (k * x) * ((b - k) * x);
    const double bn = k + k * (b - k) * x / s + (a + k) / (s + 2) * (lambda + 1 + k * (1 + y));
    d = bn + an * d;
    if (fabs(d) < DBL_MIN) d = DBL_MIN;
    c = bn + an / c;
    if (fabs(c) < DBL_MIN) c = DBL_MIN;
    d = 1 / d;
    f *= c * d;
    if (fabs(c * d - 1) <= DBL_EPSILON) {
      *out = 1 / f;
      return true;
    }
  }
  return false;
}

bool rbv_stats_beta_tails(rbv_tails *out, double a, double b, double x, double y) {
  if (!(x > 0) || !(y > 0)) {
    *out = (rbv_tails){!(x > 0) ? 0 : 1, !(x > 0) ? 1 : 0, 0};
    return true;
  }
  out->slope = beta_factor(a, b, x, y);
  double fraction;
  if (x * (a + b + 2) <= a + 1) {
    if (!beta_fraction(&fraction, a, b, x, y)) return false;
    out->lower = fmin(1, out->slope * fraction);
    out->upper = 1 - out->lower;
  } else {
    if (!beta_fraction(&fraction, b, a, y, x)) return false;
    out->upper = fmin(1, out->slope * fraction);
    out->lower = 1 - out->upper;
  }
  return true;
}
