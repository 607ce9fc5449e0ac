/* Distribution of Kolmogorov's D, for known and for estimated parameters of the normal
 * distribution. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stats/stats_internal.h"

#define DURBIN_MAX 100     // Durbin's matrix is used up to so many samples
#define TAIL_MIN 3.5       // above this n d^2 the two one-sided events exclude each other
#define SMIRNOV_MAX 20000  // Smirnov's sum is used up to so many samples; above it takes too long
// largest order of Durbin's matrix: 2 ceil(n d) - 1 at n = DURBIN_MAX, n d^2 = TAIL_MIN
#define DURBIN_ORDER (2 * 19 - 1)

/* C = A B, m x m */
static void multiply(double *C, const double *A, const double *B, int m) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++) sum += A[i * m + k] * B[k * m + j];
      C[i * m + j] = sum;
    }
}

/*
 * P(D < d) = n! / n^n * (H^n)_kk, d = (k - h) / n with integer k and 0 <= h < 1 (Marsaglia, Tsang,
 * Wang 2003, J. Stat. Softw. 8(18)). For n <= 100 the power stays below n^n / n! < 1e43, so no
 * scaling is needed.
 */
static double durbin(double d, int n) {
  const int k = (int)(n * d) + 1, m = 2 * k - 1;
  const double h = k - n * d;
  double H[DURBIN_ORDER * DURBIN_ORDER], V[DURBIN_ORDER * DURBIN_ORDER],
      T[DURBIN_ORDER * DURBIN_ORDER];

  // ones on and below the first superdiagonal, corrected in the first column and the last row
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) H[i * m + j] = i - j + 1 >= 0;
  for (int i = 0; i < m; i++) {
    H[i * m] -= pow(h, i + 1);
    H[(m - 1) * m + i] -= pow(h, m - i);
  }
  if (2 * h > 1) H[(m - 1) * m] += pow(2 * h - 1, m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      for (int g = 1; g <= i - j + 1; g++) H[i * m + j] /= g;

  // V = H^n by repeated squaring
  for (int i = 0; i < m * m; i++) V[i] = i % (m + 1) == 0;
  const size_t bytes = (size_t)m * (size_t)m * sizeof *H;
  for (int power = n; power > 0; power /= 2) {
    if (power % 2) {
      multiply(T, V, H, m);
      memcpy(V, T, bytes);
    }
    multiply(T, H, H, m);
    memcpy(H, T, bytes);
  }
  double s = V[(k - 1) * m + k - 1];
  for (int i = 1; i <= n; i++) s *= (double)i / n;
  return s;
}

/* P(D < d) up to terms of n^-2 (Pelz and Good 1976, J. R. Statist. Soc. B 38, 152-156) */
static double pelz_good(double d, double n) {
  const double z2 = n * d * d, z = sqrt(z2), z4 = z2 * z2, z6 = z4 * z2;
  const double p2 = RBV_PI * RBV_PI, p4 = p2 * p2, p6 = p4 * p2;
  double k0 = 0, k1 = 0, k2 = 0, k3 = 0;
  for (int j = 0; j < 50; j++) {
    // a: squares of half-integers, b: squares of integers
    const double a = (j + 0.5) * (j + 0.5), b = (double)j * j;
    const double ea = exp(-a * p2 / (2 * z2)), eb = exp(-b * p2 / (2 * z2));
    k0 += ea;
    k1 += (p2 * a - z2) * ea;
    k2 += (6 * z6 + 2 * z4 + p2 * (2 * z4 - 5 * z2) * a + p4 * (1 - 2 * z2) * a * a) * ea;
    k2 -= 2 * p2 * z4 * b * eb;
    k3 += (-30 * z6 - 90 * z6 * z2 + p2 * (135 * z4 - 96 * z6) * a +
           p4 * (212 * z4 - 60 * z2) * a * a + p6 * (5 - 30 * z2) * a * a * a) *
          ea;
    k3 += 30 * z4 * (3 * p2 * z2 * b - p4 * b * b) * eb;
    if (j > 0 && ea < 1e-30) break;
  }
  const double root = sqrt(n), half = sqrt(RBV_PI / 2);
  return 2 * half / z * k0 + half / (3 * z4 * root) * k1 + half / (36 * z * z6 * n) * k2 +
         half / (3240 * z4 * z6 * n * root) * k3;
}

/* P(D+ > d), Smirnov's sum: d sum_j C(n, j) (d + j/n)^(j-1) (1 - d - j/n)^(n-j), all terms > 0 */
static double smirnov(double d, ptrdiff_t n) {
  int sign;
  const double N = (double)n, all = lgamma_r(N + 1, &sign);
  double sum = 0;
  for (ptrdiff_t j = 0; j <= n; j++) {
    const double a = d + (double)j / N, b = 1 - a;
    if (b <= 0) break;
    const double binomial =
        all - lgamma_r((double)j + 1, &sign) - lgamma_r((double)(n - j) + 1, &sign);
    sum += exp(binomial + ((double)j - 1) * log(a) + (double)(n - j) * log1p(-a));
  }
  return fmin(1, d * sum);
}

/* both tails, 0 < d < 1, n >= 1 */
static void tails(double *lower, double *upper, double d, ptrdiff_t n) {
  const double N = (double)n, z2 = N * d * d;
  if (N * d <= 0.5) {
    *lower = 0, *upper = 1;
  } else if (z2 > TAIL_MIN) {
    // asymptotic form: exp(-2 n (d + 1 / 6n)^2) on each side
    *upper = 2 * (n <= SMIRNOV_MAX ? smirnov(d, n) : exp(-2 * N * pow(d + 1 / (6 * N), 2)));
    *lower = 1 - *upper;
  } else {
    *lower = n <= DURBIN_MAX ? durbin(d, (int)n) : fmin(1, fmax(0, pelz_good(d, N)));
    *upper = 1 - *lower;
  }
}

rbv_status rbv_stats_kolmogorov_cdf(double *lower, double *upper, double d, ptrdiff_t n) {
  if (isnan(d)) return rbv_fail(RBV_ENUM, "d is not a number");
  if (n < 1) return rbv_fail(RBV_EDIM, "n = %td: Kolmogorov's D needs at least 1 sample", n);
  double l = d > 0, u = !(d > 0);
  if (d > 0 && d < 1) tails(&l, &u, d, n);
  if (lower) *lower = l;
  if (upper) *upper = u;
  return RBV_OK;
}

rbv_status rbv_stats_kolmogorov_quantile(double *d, double p, rbv_tail tail, ptrdiff_t n) {
  if (!d) return rbv_fail(RBV_EARG, "d is NULL");
  if (isnan(p)) return rbv_fail(RBV_ENUM, "p is not a number");
  if (!(p > 0 && p < 1)) return rbv_fail(RBV_EARG, "p = %g is not in (0, 1)", p);
  if (n < 1) return rbv_fail(RBV_EDIM, "n = %td: Kolmogorov's D needs at least 1 sample", n);

  // bisection of [0, 1], which contains D
  double low = 0, high = 1;
  while (high - low > 4 * DBL_EPSILON * high) {
    const double middle = low + (high - low) / 2;
    double l, u;
    tails(&l, &u, middle, n);
    const bool above = tail == RBV_TAIL_LOWER ? l > p : u < p;
    if (above) high = middle;
    if (!above) low = middle;
  }
  *d = high;
  return RBV_OK;
}

/* c0 + c1 x + ... + c4 x^4 */
static double quartic(const double c[5], double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

rbv_status rbv_stats_lilliefors(double *p, double d, ptrdiff_t n) {
  if (!p) return rbv_fail(RBV_EARG, "p is NULL");
  if (isnan(d)) return rbv_fail(RBV_ENUM, "d is not a number");
  if (!(d >= 0 && d <= 1)) return rbv_fail(RBV_EARG, "d = %g is not in [0, 1]", d);
  if (n < 4) return rbv_fail(RBV_EDIM, "n = %td: Lilliefors' p needs at least 4 samples", n);

  // Dallal and Wilkinson (1986), eq. for the upper tail; above 100 samples D is rescaled
  const double N = (double)n;
  const double M = n > 100 ? 100 : N, D = n > 100 ? d * pow(N / 100, 0.49) : d;
  const double value = exp(-7.01256 * D * D * (M + 2.78019) + 2.99587 * D * sqrt(M + 2.78019) -
                           0.122119 + 0.974598 / sqrt(M) + 1.67997 / M);
  if (value <= 0.1) {
    *p = value;
    return RBV_OK;
  }

  // Stephens' modified D and polynomials fitted to his table (as in R's package nortest)
  static const double curve[3][5] = {
      {2.76773, -19.828315, 80.709644, -138.55152, 81.218052},
      {-4.901232, 40.662806, -97.490286, 94.029866, -32.355711},
      {6.198765, -19.558097, 23.186922, -12.234627, 2.423045},
  };
  const double K = (sqrt(N) - 0.01 + 0.85 / sqrt(N)) * d;
  if (K <= 0.302)
    *p = 1;
  else
    *p = fmin(1, fmax(0, quartic(curve[K <= 0.5 ? 0 : K <= 0.9 ? 1 : 2], K)));
  return RBV_OK;
}
