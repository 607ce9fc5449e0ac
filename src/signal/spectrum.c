#include <math.h>
#include <string.h>

#include <roberval/signal.h>

#include "base/support.h"

#define FEWEST 256              // samples for a suggestion
#define LONGEST 65536           // segment of a suggestion
#define ABOVE_FLOOR 10.0        // what counts as signal
#define QUIET_BINS 3            // so many in a row below it end the signal's band
#define ENERGY_SHARE 0.999      // of the velocity
#define BEYOND_SHARE 2          // the accelerations reach further than the velocities
#define CUTOFF_OVER_DYNAMICS 5  // 000: at least 5 w_dyn
#define DECIMATION_OVER_DYNAMICS 2

struct rbv_spectrum {
  ptrdiff_t segment;
  double power;           // sum of the squared window
  double *window;         // segment
  double *re, *im;        // segment
  double *cosine, *sine;  // segment - 1: the factors of each stage side by side
};

static bool power_of_two(ptrdiff_t n) { return n > 0 && (n & (n - 1)) == 0; }

static void layout(rbv_spectrum *s, rbv_arena *a) {
  s->window = RBV_TAKE(a, s->segment, double);
  s->re = RBV_TAKE(a, s->segment, double);
  s->im = RBV_TAKE(a, s->segment, double);
  s->cosine = RBV_TAKE(a, s->segment - 1, double);
  s->sine = RBV_TAKE(a, s->segment - 1, double);
}

/* ---- transform ---- */

/* cos and sin of pi k / half for every stage, half = 1, 2, ..., n / 2; those of one from half - 1
 */
static void factors(double *cosine, double *sine, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n / 2; k++) {
    const double angle = 2 * M_PI * (double)k / (double)n;
    cosine[n / 2 - 1 + k] = cos(angle);
    sine[n / 2 - 1 + k] = sin(angle);
  }
  // an earlier stage has every second one of the next
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

/* one stage over a pair of halves: upper and lower -> upper + w lower, upper - w lower */
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

/* radix 2, decimation in time, with the factors of n */
static void transform(double *re, double *im, ptrdiff_t n, const double *cosine,
                      const double *sine) {
  reverse_bits(re, im, n);
  for (ptrdiff_t half = 1; half < n; half *= 2)
    for (ptrdiff_t i = 0; i < n; i += 2 * half)
      butterflies(re + i, im + i, re + i + half, im + i + half, cosine + half - 1, sine + half - 1,
                  half);
}

/* ---- life ---- */

rbv_status rbv_spectrum_new(rbv_spectrum **out, ptrdiff_t segment) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the spectrum was given");
  *out = NULL;
  if (!power_of_two(segment) || segment < 8 || segment > (ptrdiff_t)1 << 24)
    return rbv_fail(RBV_EARG, "segment of %td samples: a power of two from 8 to 2^24 is needed",
                    segment);
  rbv_spectrum s = {.segment = segment};
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_spectrum);
  layout(&s, &measure);
  char *block = rbv_alloc(measure.used);
  if (!block) return RBV_EMEM;
  rbv_arena carve = {.base = block};
  rbv_spectrum *fresh = RBV_TAKE(&carve, 1, rbv_spectrum);
  *fresh = s;
  layout(fresh, &carve);
  for (ptrdiff_t k = 0; k < segment; k++) {
    const double angle = 2 * M_PI * (double)k / (double)segment;
    fresh->window[k] = 0.5 - 0.5 * cos(angle);
    fresh->power += fresh->window[k] * fresh->window[k];
  }
  factors(fresh->cosine, fresh->sine, segment);
  *out = fresh;
  return RBV_OK;
}

void rbv_spectrum_free(rbv_spectrum *s) { rbv_free(s); }

rbv_status rbv_fft(double *re, double *im, ptrdiff_t n) {
  if (!re || !im) return rbv_fail(RBV_EARG, "the signal to transform is missing");
  if (!power_of_two(n)) return rbv_fail(RBV_EARG, "%td samples: a power of two is needed", n);
  // no table: a pair of factors serves all its butterflies before the next is computed
  reverse_bits(re, im, n);
  for (ptrdiff_t half = 1; half < n; half *= 2)
    for (ptrdiff_t k = 0; k < half; k++) {
      const double angle = M_PI * (double)k / (double)half, c = cos(angle), s = sin(angle);
      for (ptrdiff_t i = k; i < n; i += 2 * half)
        butterflies(re + i, im + i, re + i + half, im + i + half, &c, &s, 1);
    }
  return RBV_OK;
}

/* ---- density ---- */

static void windowed(double *out, const rbv_spectrum *s, const double *x, double mean) {
  for (ptrdiff_t k = 0; k < s->segment; k++) out[k] = s->window[k] * (x[k] - mean);
}

/* add the powers of one or (b) two segments: one real and one imaginary, since |A|^2 + |B|^2 at k
 * is the mean of |A + iB|^2 at k and -k */
static void add_segments(double *psd, rbv_spectrum *s, const double *a, const double *b,
                         double mean) {
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

static ptrdiff_t segments_of(const rbv_spectrum *s, ptrdiff_t nsample) {
  return (nsample - s->segment) / (s->segment / 2) + 1;
}

/* sums of powers become a density: both halves of the spectrum in one, but for the ends, which have
 * no partner */
static void scale_density(double *psd, const rbv_spectrum *s, ptrdiff_t nsegment, double rate_hz) {
  const ptrdiff_t bins = s->segment / 2 + 1;
  const double unit = s->power * rate_hz * (double)nsegment;
  for (ptrdiff_t k = 0; k < bins; k++) psd[k] *= (k == 0 || k == bins - 1 ? 1 : 2) / unit;
}

rbv_status rbv_spectrum_welch(double *psd, rbv_spectrum *s, const double *x, ptrdiff_t nsample,
                              double rate_hz) {
  if (!psd || !s || !x) return rbv_fail(RBV_EARG, "the signal or the spectrum is missing");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  const ptrdiff_t n = s->segment, bins = n / 2 + 1;
  if (nsample < n)
    return rbv_fail(RBV_EDIM, "%td samples are too few for segments of %td: %td are needed",
                    nsample, n, n);
  double mean = 0;
  for (ptrdiff_t k = 0; k < nsample; k++) mean += (x[k] - x[0]) / (double)nsample;
  mean += x[0];
  if (!isfinite(mean)) return rbv_fail(RBV_EARG, "a sample is not finite, so there is no spectrum");
  memset(psd, 0, (size_t)bins * sizeof *psd);
  const ptrdiff_t step = n / 2, nsegment = segments_of(s, nsample);
  for (ptrdiff_t i = 0; i < nsegment; i += 2)
    add_segments(psd, s, x + i * step, i + 1 < nsegment ? x + (i + 1) * step : NULL, mean);
  scale_density(psd, s, nsegment, rate_hz);
  return RBV_OK;
}

/* ---- suggestion ---- */

typedef struct {
  double floor, signal_hz, dynamics_hz, velocity_energy;
} band;

static int rising(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* one column's noise floor, end of the signal, and frequency of the dynamics */
static band analyse(const double *psd, double *scratch, ptrdiff_t bins, double spacing) {
  const ptrdiff_t upper = bins - bins / 2;
  memcpy(scratch, psd + bins / 2, (size_t)upper * sizeof *scratch);
  qsort(scratch, (size_t)upper, sizeof *scratch, rising);
  band b = {.floor = scratch[upper / 2]};

  ptrdiff_t last = 0;
  for (ptrdiff_t k = 1, quiet = 0; k < bins && quiet < QUIET_BINS; k++) {
    if (psd[k] > ABOVE_FLOOR * b.floor)
      last = k, quiet = 0;
    else
      quiet++;
  }
  b.signal_hz = (double)last * spacing;

  // the velocity's energy above the floor, and where most of it is reached
  double total = 0, sum = 0;
  for (ptrdiff_t k = 1; k <= last; k++) {
    const double w = 2 * M_PI * (double)k * spacing;
    total += w * w * fmax(psd[k] - b.floor, 0) * spacing;
  }
  for (ptrdiff_t k = 1; k <= last && sum < ENERGY_SHARE * total; k++) {
    const double w = 2 * M_PI * (double)k * spacing;
    sum += w * w * fmax(psd[k] - b.floor, 0) * spacing;
    b.dynamics_hz = BEYOND_SHARE * (double)k * spacing;
  }
  b.velocity_energy = total;
  return b;
}

/* what a suggestion works with */
typedef struct {
  rbv_signal_read *read;
  void *self;
  ptrdiff_t nsample;
  int ncol;
  double rate_hz;
  ptrdiff_t segment, bins;
  double *psd;     // bins x ncol, and bins of scratch
  double *mean;    // ncol
  double *origin;  // ncol: first samples
  double *X;       // 3/2 segment x ncol
  band *bands;     // ncol
} survey;

static void layout_survey(survey *v, rbv_arena *a) {
  const size_t ncol = (size_t)v->ncol;
  v->psd = RBV_TAKE(a, (size_t)v->bins * (ncol + 1), double);
  v->mean = RBV_TAKE(a, ncol, double);
  v->origin = RBV_TAKE(a, ncol, double);
  v->X = RBV_TAKE(a, (size_t)(v->segment + v->segment / 2) * ncol, double);
  v->bands = RBV_TAKE(a, ncol, band);
}

static rbv_status survey_means(survey *v) {
  for (ptrdiff_t first = 0; first < v->nsample; first += v->segment) {
    const ptrdiff_t left = v->nsample - first, n = left < v->segment ? left : v->segment;
    RBV_TRY(v->read(v->self, v->X, v->segment, first, n));
    for (int j = 0; j < v->ncol; j++) {
      const double *x = v->X + j * v->segment;
      if (first == 0) v->origin[j] = x[0];
      for (ptrdiff_t k = 0; k < n; k++) v->mean[j] += (x[k] - v->origin[j]) / (double)v->nsample;
    }
  }
  for (int j = 0; j < v->ncol; j++) {
    v->mean[j] += v->origin[j];
    if (!isfinite(v->mean[j]))
      return rbv_fail(RBV_EARG, "a sample is not finite, so there is no spectrum");
  }
  return RBV_OK;
}

/* Welch's densities of all columns, two segments of each at a time */
static rbv_status survey_densities(survey *v, rbv_spectrum *s) {
  const ptrdiff_t step = v->segment / 2, ld = v->segment + step;
  const ptrdiff_t nsegment = segments_of(s, v->nsample);
  for (ptrdiff_t i = 0; i < nsegment; i += 2) {
    const bool two = i + 1 < nsegment;
    RBV_TRY(v->read(v->self, v->X, ld, i * step, two ? ld : v->segment));
    for (int j = 0; j < v->ncol; j++) {
      const double *x = v->X + j * ld;
      add_segments(v->psd + j * v->bins, s, x, two ? x + step : NULL, v->mean[j]);
    }
  }
  for (int j = 0; j < v->ncol; j++) scale_density(v->psd + j * v->bins, s, nsegment, v->rate_hz);
  return RBV_OK;
}

/* the fastest column decides the band; the noise is judged within it afterwards */
static rbv_status conclude(rbv_suggestion *out, survey *v) {
  const double spacing = v->rate_hz / (double)v->segment;
  rbv_suggestion found = {.column = -1};
  for (int j = 0; j < v->ncol; j++) {
    const band b = v->bands[j] =
        analyse(v->psd + j * v->bins, v->psd + v->ncol * v->bins, v->bins, spacing);
    if (!(b.velocity_energy > 0)) continue;  // at rest
    if (b.dynamics_hz > found.dynamics_hz) found.dynamics_hz = b.dynamics_hz, found.column = j;
    found.signal_hz = fmax(found.signal_hz, b.signal_hz);
    found.floor = fmax(found.floor, b.floor);
  }
  if (found.column < 0)
    return rbv_fail(RBV_EINPUT, "no column rises above its noise floor: nothing moves");
  found.cutoff_hz = fmin(CUTOFF_OVER_DYNAMICS * found.dynamics_hz, 0.4 * v->rate_hz);
  const double most = 0.8 * v->rate_hz / (2 * DECIMATION_OVER_DYNAMICS * found.dynamics_hz);
  found.decimation = most < 1 ? 1 : most > 1e6 ? 1000000 : (int)most;
  for (int j = 0; j < v->ncol; j++) {
    if (!(v->bands[j].velocity_energy > 0)) continue;
    // integral of (2 pi f)^2 floor from 0 to the cut-off
    const double noise = 4 * M_PI * M_PI * pow(found.cutoff_hz, 3) / 3 * v->bands[j].floor;
    found.velocity_noise = fmax(found.velocity_noise, sqrt(noise / v->bands[j].velocity_energy));
  }
  *out = found;
  return RBV_OK;
}

rbv_status rbv_signal_suggest_from(rbv_suggestion *out, rbv_signal_read *read, void *self,
                                   ptrdiff_t nsample, int ncol, double rate_hz) {
  if (!out || !read)
    return rbv_fail(RBV_EARG, "the positions or the place for the suggestion is missing");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  if (nsample < FEWEST)
    return rbv_fail(RBV_EDIM, "%td samples are too few for a suggestion: %d are needed", nsample,
                    FEWEST);
  if (ncol < 1) return rbv_fail(RBV_EDIM, "%d columns hold no positions", ncol);
  survey v = {.read = read, .self = self, .nsample = nsample, .ncol = ncol, .rate_hz = rate_hz};
  v.segment = FEWEST / 4;
  while (v.segment * 2 <= nsample / 4 && v.segment < LONGEST) v.segment *= 2;
  v.bins = v.segment / 2 + 1;
  rbv_arena measure = {0};
  layout_survey(&v, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  layout_survey(&v, &carve);
  rbv_spectrum *s = NULL;
  rbv_status status = rbv_spectrum_new(&s, v.segment);
  if (status == RBV_OK) status = survey_means(&v);
  if (status == RBV_OK) status = survey_densities(&v, s);
  if (status == RBV_OK) status = conclude(out, &v);
  rbv_spectrum_free(s);
  rbv_free(carve.base);
  return status;
}

/* a block in memory as a source */
typedef struct {
  const double *Q;
  ptrdiff_t ldq;
  int ncol;
} block;

static rbv_status read_block(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                             ptrdiff_t count) {
  const block *b = self;
  for (int j = 0; j < b->ncol; j++)
    memcpy(X + j * ldx, b->Q + j * b->ldq + first, (size_t)count * sizeof *X);
  return RBV_OK;
}

rbv_status rbv_signal_suggest(rbv_suggestion *out, const double *Q, ptrdiff_t ldq,
                              ptrdiff_t nsample, int ncol, double rate_hz) {
  if (!Q) return rbv_fail(RBV_EARG, "the positions or the place for the suggestion is missing");
  if (ncol < 1 || (ldq < nsample && nsample >= FEWEST))
    return rbv_fail(RBV_EDIM, "leading dimension %td, %d columns: no block of %td samples", ldq,
                    ncol, nsample);
  block b = {Q, ldq, ncol};
  return rbv_signal_suggest_from(out, read_block, &b, nsample, ncol, rate_hz);
}
