/*
 * Suggest a cut-off from the spectra of positions. The positions are read once.
 *
 * The density of the acceleration of a planned motion falls with the frequency. The noise of an
 * encoder makes it rise again with the fourth power, vibration makes a hump. Beyond the valley
 * between them each further hertz adds more noise than motion. This does not depend on the share
 * of energy that the vibration has.
 *
 * The spectra are those of differences of positions, divided by the spectrum of the difference: the
 * slow drift of a position, which no window removes, would otherwise appear at all frequencies.
 */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "signal/signal_thresholds.h"
#include "signal/spectrum.h"

enum { WINDOW = 4 };  // pairs of segments per thread that may wait to be added in order

RBV_THRESHOLDS(SIGNAL_CUTOFF);

/* ---- one column ---- */

/* energy of its velocity, frequency that the motion reaches, and of the valley above it */
typedef struct {
  double velocity_energy, motion_hz, valley_hz;
  bool rises;  // the density rises beyond the valley
} band;

/* energy of the velocity above the floor in bin k */
static double energy_of(double density, double floor, ptrdiff_t k, double spacing) {
  const double w = 2 * RBV_PI * (double)k * spacing;
  return w * w * fmax(density - floor, 0) * spacing;
}

/* frequency below which this share of the velocity's energy lies */
static double share_hz(const double *psd, double floor, double energy, double share,
                       double spacing) {
  double sum = 0, part = 0;
  ptrdiff_t k = 0;
  while (sum < share * energy) {
    k++;
    const double bin = energy_of(psd[k], floor, k, spacing);
    part = bin > 0 ? fmin(1, (share * energy - sum) / bin) : 1;
    sum += bin;
  }
  return ((double)k - 1 + part) * spacing;
}

/* The valley of the acceleration's density above a frequency. Medians of groups of bins skip the
 * lines of a periodic motion. */
static void find_valley(band *b, const double *psd, double *scratch, ptrdiff_t bins, double spacing,
                        double above_hz) {
  const double ratio = pow(2, GROUP_OCTAVES);
  double least = INFINITY;
  for (ptrdiff_t first = 1, end; first < bins && !b->rises; first = end) {
    end = (ptrdiff_t)ceil((double)first * ratio);
    if (end < first + GROUP_BINS) end = first + GROUP_BINS;
    if (end > bins) end = bins;
    const double hz = sqrt((double)first * (double)(end - 1)) * spacing;
    if (hz < above_hz || end - first < GROUP_BINS) continue;
    for (ptrdiff_t k = first; k < end; k++)
      scratch[k - first] = pow((double)k * spacing, 4) * psd[k];
    const double density = rbv_select(scratch, end - first, (end - first) / 2);
    b->rises = density > RISE * least;
    if (density < least) {
      least = density;
      b->valley_hz = hz;
    }
  }
}

static band analyse(const double *psd, double *scratch, ptrdiff_t bins, double spacing) {
  // noise floor, and the end of what is above it
  const ptrdiff_t upper = bins - bins / 2;
  memcpy(scratch, psd + bins / 2, (size_t)upper * sizeof *scratch);
  const double floor = rbv_select(scratch, upper, upper / 2);
  ptrdiff_t last = 0;
  for (ptrdiff_t k = 1, quiet = 0; k < bins && quiet < QUIET_BINS; k++) {
    if (psd[k] > ABOVE_FLOOR * floor)
      last = k, quiet = 0;
    else
      quiet++;
  }

  band b = {0};
  for (ptrdiff_t k = 1; k <= last; k++) b.velocity_energy += energy_of(psd[k], floor, k, spacing);
  if (!(b.velocity_energy > 0)) return b;
  b.motion_hz = share_hz(psd, floor, b.velocity_energy, TOP_ENERGY, spacing);
  find_valley(&b, psd, scratch, bins, spacing,
              share_hz(psd, floor, b.velocity_energy, MOST_ENERGY, spacing));
  return b;
}

/* ---- all columns, two segments at a time ---- */

/*
 * The mean of a column is known only after all samples have been read. Until then its first value
 * is subtracted instead, and the spectrum is corrected afterwards. The correction is the transform
 * of the window times the difference: for a Hann window n/2 at bin 0 (which is not used), -n/4 at
 * bin 1, zero elsewhere.
 */
typedef struct {
  double offset_sum;  // sum of the differences, each minus the first one
  double bin1;        // sum of the real parts of the segments' transforms at bin 1
} mean_terms;

/* data of one suggestion */
typedef struct {
  rbv_signal_read *read;
  void *self;
  ptrdiff_t nsample;
  int ncol;
  double rate_hz;
  ptrdiff_t segment, bins, nsegment;
  double *origin;   // ncol: first differences
  double *sum;      // sums so far: mean_terms, then powers, of all columns
  double *scratch;  // bins + ncol
  band *bands;      // ncol
} analysis;

/* data of one thread */
typedef struct {
  rbv_spectrum *spectrum;
  double *X;    // (3/2 segment + 1) x ncol
  double *sum;  // the same sums, of one pair
} thread_data;

static size_t sum_size(const analysis *v) {
  return (sizeof(mean_terms) + (size_t)v->bins * sizeof(double)) * (size_t)v->ncol;
}

static mean_terms *mean_terms_of(double *sum) { return (mean_terms *)sum; }

static double *powers(const analysis *v, double *sum, int column) {
  return (double *)(mean_terms_of(sum) + v->ncol) + column * v->bins;
}

static void layout_analysis(analysis *v, rbv_arena *a) {
  v->origin = RBV_TAKE(a, v->ncol, double);
  v->sum = RBV_TAKE(a, sum_size(v) / sizeof(double), double);
  v->scratch = RBV_TAKE(a, v->bins + v->ncol, double);
  v->bands = RBV_TAKE(a, v->ncol, band);
}

static thread_data *layout_thread(const analysis *v, rbv_arena *a) {
  thread_data *h = RBV_TAKE(a, 1, thread_data);
  double *X = RBV_TAKE(a, (v->segment + v->segment / 2 + 1) * v->ncol, double);
  double *sum = RBV_TAKE(a, sum_size(v) / sizeof(double), double);
  if (h) *h = (thread_data){.X = X, .sum = sum};
  return h;
}

static void close_thread(void *worker, void *self) {
  thread_data *h = worker;
  (void)self;
  rbv_spectrum_free(h->spectrum);
  rbv_free(h);
}

static rbv_status open_thread(void **out, void *self, int thread) {
  const analysis *v = self;
  (void)thread;
  rbv_arena measure = {0};
  (void)layout_thread(v, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  thread_data *h = layout_thread(v, &carve);
  const rbv_status status = rbv_spectrum_new(&h->spectrum, v->segment);
  if (status == RBV_OK)
    *out = h;
  else
    close_thread(h, self);
  return status;
}

/* differences of the samples first to first + count; ld is larger than count */
static rbv_status read_steps(const analysis *v, double *X, ptrdiff_t ld, ptrdiff_t first,
                             ptrdiff_t count) {
  RBV_TRY(v->read(v->self, X, ld, first, count + 1));
  for (int j = 0; j < v->ncol; j++)
    for (ptrdiff_t k = 0; k < count; k++) X[k + j * ld] = X[k + 1 + j * ld] - X[k + j * ld];
  return RBV_OK;
}

/* powers of differences become powers of positions */
static void undo_difference(double *psd, ptrdiff_t bins, ptrdiff_t segment) {
  for (ptrdiff_t k = 1; k < bins; k++) {
    const double s = 2 * sin(RBV_PI * (double)k / (double)segment);
    psd[k] /= s * s;
  }
}

static void add_offsets(mean_terms *t, const analysis *v, const double *X, ptrdiff_t ld,
                        ptrdiff_t count) {
  for (int j = 0; j < v->ncol; j++)
    for (ptrdiff_t k = 0; k < count; k++) t[j].offset_sum += X[k + j * ld] - v->origin[j];
}

static rbv_status run_pair(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const analysis *v = self;
  thread_data *h = worker;
  const rbv_spectrum *s = h->spectrum;
  const ptrdiff_t n = v->segment, step = n / 2, ld = n + step + 1, i = 2 * index;
  const bool two = i + 1 < v->nsegment, last = i + 2 >= v->nsegment;
  const ptrdiff_t count = two ? n + step : n, end = i * step + count;
  mean_terms *t = mean_terms_of(h->sum);
  memset(h->sum, 0, sum_size(v));
  RBV_TRY(read_steps(v, h->X, ld, i * step, count));
  for (int j = 0; j < v->ncol; j++) {
    const double *x = h->X + j * ld;
    rbv_spectrum_add(powers(v, h->sum, j), h->spectrum, x, two ? x + step : NULL, v->origin[j]);
    // sum of both segments; the second one is the imaginary part of the input
    t[j].bin1 = (s->re[1] + s->re[n - 1] + s->im[1] + s->im[n - 1]) / 2;
  }
  // the next pair begins one segment later; less than half a segment follows the last pair
  add_offsets(t, v, h->X, ld, last ? count : n);
  if (last && end < v->nsample) {
    RBV_TRY(read_steps(v, h->X, ld, end, v->nsample - end));
    add_offsets(t, v, h->X, ld, v->nsample - end);
  }
  rbv_bytes_add(out, h->sum, sum_size(v));
  return RBV_OK;
}

static rbv_status add_pair(void *self, ptrdiff_t index, const void *data, size_t size) {
  analysis *v = self;
  const double *sum = data;
  (void)index;
  for (size_t k = 0; k < size / sizeof *sum; k++) v->sum[k] += sum[k];
  return RBV_OK;
}

/* convert powers of segments minus first sample to powers of segments minus mean */
static rbv_status subtract_means(analysis *v) {
  const double window = -(double)v->segment / 4;
  for (int j = 0; j < v->ncol; j++) {
    const mean_terms *t = &mean_terms_of(v->sum)[j];
    const double mean = t->offset_sum / (double)v->nsample, count = (double)v->nsegment;
    double *psd = powers(v, v->sum, j);
    if (!isfinite(mean))
      return rbv_fail(RBV_EARG, "a sample is not finite: the spectrum is not defined");
    psd[1] = fmax(0, psd[1] - mean * window * (2 * t->bin1 - count * mean * window));
  }
  return RBV_OK;
}

static rbv_status compute_densities(analysis *v, int threads) {
  double *first = rbv_alloc(2 * (size_t)v->ncol * sizeof *first);
  const rbv_status read = first ? read_steps(v, first, 2, 0, 1) : RBV_EMEM;
  for (int j = 0; j < v->ncol && read == RBV_OK; j++) v->origin[j] = first[2 * j];
  rbv_free(first);
  if (read != RBV_OK) return read;
  const rbv_jobs jobs = {.name = "spectra of positions",
                         .count = (v->nsegment + 1) / 2,
                         .self = v,
                         .open = open_thread,
                         .close = close_thread,
                         .run = run_pair,
                         .take = add_pair,
                         .shared = true,
                         .window = WINDOW};
  RBV_TRY(rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = threads}));
  RBV_TRY(subtract_means(v));
  for (int j = 0; j < v->ncol; j++) {
    rbv_spectrum_scale(powers(v, v->sum, j), v->segment, v->nsegment, v->rate_hz);
    undo_difference(powers(v, v->sum, j), v->bins, v->segment);
  }
  return RBV_OK;
}

/* ---- the suggestion ---- */

/*
 * The (upper) median of the columns that move determines the band: a single joint that vibrates, or
 * that starts with a jerk, would otherwise do it.
 */
static rbv_status make_suggestion(rbv_suggestion *out, analysis *v) {
  const double spacing = v->rate_hz / (double)v->segment;
  double most = 0;
  for (int j = 0; j < v->ncol; j++) {
    v->bands[j] = analyse(powers(v, v->sum, j), v->scratch, v->bins, spacing);
    most = fmax(most, v->bands[j].velocity_energy);
  }
  if (!(most > 0))
    return rbv_fail(RBV_EINPUT,
                    "no column rises above its noise floor: the recording contains no motion");
  double *motion = v->origin, *valley = v->scratch;  // no longer needed
  int moving = 0, rises = 0;
  for (int j = 0; j < v->ncol; j++) {
    if (!(v->bands[j].velocity_energy > HARDLY_MOVES * most)) continue;
    motion[moving] = v->bands[j].motion_hz;
    valley[moving++] = v->bands[j].valley_hz;
    rises += v->bands[j].rises;
  }
  const double motion_hz = rbv_select(motion, moving, moving / 2);
  const double valley_hz = rbv_select(valley, moving, moving / 2);
  const double wanted = fmin(fmax(OVER_VALLEY * valley_hz, LOWEST_HZ), HIGHEST_HZ);
  *out = (rbv_suggestion){
      .cutoff_hz = fmin(fmax(wanted, OVER_MOTION * motion_hz), RATE_SHARE * v->rate_hz),
      .noise_hz = 2 * rises > moving ? valley_hz : 0};
  return RBV_OK;
}

rbv_status rbv_signal_suggest_from(rbv_suggestion *out, rbv_signal_read *read, void *self,
                                   ptrdiff_t nsample, int ncol, double rate_hz, int threads) {
  if (!out || !read) return rbv_fail(RBV_EARG, "out or read is NULL");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  if (nsample < MIN_SAMPLES)
    return rbv_fail_option(RBV_EDIM, "cutoff",
                           "%td samples are too few to suggest a cut-off: %d are needed. Record "
                           "longer or at a higher rate, or give the cut-off",
                           nsample, MIN_SAMPLES);
  if (ncol < 1) return rbv_fail(RBV_EDIM, "%d columns: at least 1 is needed", ncol);
  analysis v = {
      .read = read, .self = self, .nsample = nsample - 1, .ncol = ncol, .rate_hz = rate_hz};
  v.segment = MIN_SAMPLES / 4;
  const double longest = fmin(fmin((double)nsample / 2, SEGMENT_S * rate_hz), MAX_SEGMENT);
  while (2 * (double)v.segment <= longest) v.segment *= 2;
  v.bins = v.segment / 2 + 1;
  v.nsegment = rbv_spectrum_segments(v.segment, v.nsample);
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout_analysis(&v, &carve));
  if (!carve.base) return RBV_EMEM;
  rbv_status status = compute_densities(&v, threads);
  if (status == RBV_OK) status = make_suggestion(out, &v);
  rbv_free(carve.base);
  return status;
}

/* positions in memory as a source for rbv_signal_suggest_from */
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
  if (!Q) return rbv_fail(RBV_EARG, "Q is NULL");
  if (ncol < 1 || (ldq < nsample && nsample >= MIN_SAMPLES))
    return rbv_fail(RBV_EDIM, "leading dimension %td and %d columns are too small for %td samples",
                    ldq, ncol, nsample);
  block b = {Q, ldq, ncol};
  return rbv_signal_suggest_from(out, read_block, &b, nsample, ncol, rate_hz, 1);
}
