#include "signal/spectrum.h"

#include <math.h>
#include <string.h>

#include "base/support.h"

static void layout(rbv_spectrum *s, rbv_arena *a) {
  RBV_TAKE_ALL(a, s->segment, double, &s->window, &s->re, &s->im);
  s->cosine = RBV_TAKE(a, s->segment - 1, double);
  s->sine = RBV_TAKE(a, s->segment - 1, double);
}

/* ---- transform ---- */

/* cos and sin of pi k / half for every stage, half = 1, 2, ..., n / 2; the factors of a stage start
 * at index half - 1 */
static void factors(double *cosine, double *sine, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n / 2; k++) {
    const double angle = 2 * RBV_PI * (double)k / (double)n;
    cosine[n / 2 - 1 + k] = cos(angle);
    sine[n / 2 - 1 + k] = sin(angle);
  }
  // a stage uses every second factor of the next stage
  for (ptrdiff_t half = n / 4; half > 0; half /= 2)
    for (ptrdiff_t k = 0; k < half; k++) {
      cosine[half - 1 + k] = cosine[2 * half - 1 + 2 * k];
      sine[half - 1 + k] = sine[2 * half - 1 + 2 * k];
    }
}

static void reverse_bits(double *re, double *im, ptrdiff_t n) {
  for (ptrdiff_t i = 1, j = 0; i < n; i++) {
    ptrdiff_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const double a = re[i], b = im[i];
      re[i] = re[j], im[i] = im[j];
      re[j] = a, im[j] = b;
    }
  }
}

/* one stage on a pair of halves: (upper, lower) becomes (upper + w lower, upper - w lower) */
static void butterflies(double *restrict re, double *restrict im, double *restrict re2,
                        double *restrict im2, const double *restrict cosine,
                        const double *restrict sine, ptrdiff_t half) {
  for (ptrdiff_t k = 0; k < half; k++) {
    const double x = re2[k] * cosine[k] + im2[k] * sine[k];
    const double y = im2[k] * cosine[k] - re2[k] * sine[k];
    re2[k] = re[k] - x, im2[k] = im[k] - y;
    re[k] += x, im[k] += y;
  }
}

/* radix 2, decimation in time, with the table of factors for n */
static void transform(double *re, double *im, ptrdiff_t n, const double *cosine,
                      const double *sine) {
  reverse_bits(re, im, n);
  for (ptrdiff_t half = 1; half < n; half *= 2)
    for (ptrdiff_t i = 0; i < n; i += 2 * half)
      butterflies(re + i, im + i, re + i + half, im + i + half, cosine + half - 1, sine + half - 1,
                  half);
}

/* ---- create and free ---- */

rbv_status rbv_spectrum_new(rbv_spectrum **out, ptrdiff_t segment) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if ((segment & (segment - 1)) != 0 || segment < 8 || segment > (ptrdiff_t)1 << 24)
    return rbv_fail(RBV_EARG, "segment of %td samples: a power of two from 8 to 2^24 is needed",
                    segment);
  rbv_spectrum s = {.segment = segment};
  rbv_spectrum *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&s, a));
  if (!fresh) return RBV_EMEM;
  *fresh = s;
  for (ptrdiff_t k = 0; k < segment; k++) {
    const double angle = 2 * RBV_PI * (double)k / (double)segment;
    fresh->window[k] = 0.5 - 0.5 * cos(angle);
  }
  factors(fresh->cosine, fresh->sine, segment);
  *out = fresh;
  return RBV_OK;
}

void rbv_spectrum_free(rbv_spectrum *s) { rbv_free(s); }

/* ---- density ---- */

static void windowed(double *out, const rbv_spectrum *s, const double *x, double mean) {
  for (ptrdiff_t k = 0; k < s->segment; k++) out[k] = s->window[k] * (x[k] - mean);
}

/* one segment is the real part, the other the imaginary part: |A|^2 + |B|^2 at k is the mean of |A
 * + iB|^2 at k and -k */
void rbv_spectrum_add(double *psd, rbv_spectrum *s, const double *a, const double *b, double mean) {
  const ptrdiff_t n = s->segment;
  windowed(s->re, s, a, mean);
  if (b)
    windowed(s->im, s, b, mean);
  else
    memset(s->im, 0, (size_t)n * sizeof *s->im);
  transform(s->re, s->im, n, s->cosine, s->sine);
  for (ptrdiff_t k = 0; k <= n / 2; k++) {
    const ptrdiff_t mirror = (n - k) % n;
    psd[k] += (s->re[k] * s->re[k] + s->im[k] * s->im[k] + s->re[mirror] * s->re[mirror] +
               s->im[mirror] * s->im[mirror]) /
              2;
  }
}

/* one-sided density: each bin except the first and the last also gets the negative frequency */
void rbv_spectrum_scale(double *psd, ptrdiff_t segment, ptrdiff_t nsegment, double rate_hz) {
  const ptrdiff_t bins = segment / 2 + 1;
  const double window = 0.375 * (double)segment;  // sum of the squared window
  const double unit = window * rate_hz * (double)nsegment;
  for (ptrdiff_t k = 0; k < bins; k++) psd[k] *= (k == 0 || k == bins - 1 ? 1 : 2) / unit;
}

rbv_status rbv_spectrum_welch(double *psd, rbv_spectrum *s, const double *x, ptrdiff_t nsample,
                              double rate_hz) {
  if (!psd || !s || !x) return rbv_fail(RBV_EARG, "psd, s or x is NULL");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  const ptrdiff_t n = s->segment, bins = n / 2 + 1;
  if (nsample < n)
    return rbv_fail(RBV_EDIM, "%td samples are too few for segments of %td: %td are needed",
                    nsample, n, n);
  double mean = 0;
  for (ptrdiff_t k = 0; k < nsample; k++) mean += (x[k] - x[0]) / (double)nsample;
  mean += x[0];
  if (!isfinite(mean))
    return rbv_fail(RBV_EARG, "a sample is not finite: the spectrum is not defined");
  memset(psd, 0, (size_t)bins * sizeof *psd);
  const ptrdiff_t step = n / 2, nsegment = rbv_spectrum_segments(n, nsample);
  for (ptrdiff_t i = 0; i < nsegment; i += 2)
    rbv_spectrum_add(psd, s, x + i * step, i + 1 < nsegment ? x + (i + 1) * step : NULL, mean);
  rbv_spectrum_scale(psd, n, nsegment, rate_hz);
  return RBV_OK;
}
