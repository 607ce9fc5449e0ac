/*
 * Suggest cut-off and decimation from the spectra of positions. The positions are read once.
 *
 * The spectra are those of differences of positions, divided by the spectrum of the difference: the
 * slow drift of a position, which no window removes, would otherwise appear at all frequencies. The
 * length of the segments is a time, not a share of the recording, so that parts of a recording give
 * the same answer as all of it.
 */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "signal/spectrum.h"

#define MIN_SAMPLES 256         // samples that a suggestion needs
#define MAX_SEGMENT 65536       // longest segment
#define SEGMENT_S 4.0           // and its longest duration [s]
#define ABOVE_FLOOR 10.0        // a bin counts as signal above this multiple of the floor
#define QUIET_BINS 3            // the signal ends where so many bins in a row are below that
#define ENERGY_SHARE 0.999      // share of the velocity's energy
#define HARDLY_MOVES 1e-4       // share of the energy of the fastest column
#define ACCELERATION_FACTOR 2   // accelerations reach higher frequencies than velocities
#define CUTOFF_OVER_DYNAMICS 5  // Gautier 2011: at least 5 w_dyn
#define DECIMATION_OVER_DYNAMICS 2
#define WINDOW 4  // pairs of segments per thread that may wait to be added in order

/* ---- one column ---- */

typedef struct {
  double floor, signal_hz, dynamics_hz, velocity_energy;
} band;

/* noise floor, end of the signal and frequency of the dynamics of one column */
static band analyse(const double *psd, double *scratch, ptrdiff_t bins, double spacing) {
  const ptrdiff_t upper = bins - bins / 2;
  memcpy(scratch, psd + bins / 2, (size_t)upper * sizeof *scratch);
  band b = {.floor = rbv_select(scratch, upper, upper / 2)};

  ptrdiff_t last = 0;
  for (ptrdiff_t k = 1, quiet = 0; k < bins && quiet < QUIET_BINS; k++) {
    if (psd[k] > ABOVE_FLOOR * b.floor)
      last = k, quiet = 0;
    else
      quiet++;
  }
  b.signal_hz = (double)last * spacing;

  // energy of the velocity above the floor, and the frequency below which most of it lies
  double total = 0, sum = 0;
  for (ptrdiff_t k = 1; k <= last; k++) {
    const double w = 2 * RBV_PI * (double)k * spacing;
    total += w * w * fmax(psd[k] - b.floor, 0) * spacing;
  }
  for (ptrdiff_t k = 1; k <= last && sum < ENERGY_SHARE * total; k++) {
    const double w = 2 * RBV_PI * (double)k * spacing;
    const double bin = w * w * fmax(psd[k] - b.floor, 0) * spacing;
    const double part = bin > 0 ? fmin(1, (ENERGY_SHARE * total - sum) / bin) : 1;
    sum += bin;
    b.dynamics_hz = ACCELERATION_FACTOR * ((double)k - 1 + part) * spacing;
  }
  b.velocity_energy = total;
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
  double *scratch;  // bins
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
  v->scratch = RBV_TAKE(a, v->bins, double);
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

/* the column at the (upper) median of the frequencies of columns that move; -1: none moves */
static int median_column(const analysis *v) {
  double most = 0;
  int moving = 0;
  for (int j = 0; j < v->ncol; j++) most = fmax(most, v->bands[j].velocity_energy);
  for (int j = 0; j < v->ncol; j++)
    moving += most > 0 && v->bands[j].velocity_energy > HARDLY_MOVES * most;
  for (int j = 0; j < v->ncol; j++) {
    if (!(most > 0 && v->bands[j].velocity_energy > HARDLY_MOVES * most)) continue;
    int below = 0;  // columns that come before this one in the order of frequencies
    for (int i = 0; i < v->ncol; i++) {
      const double difference = v->bands[i].dynamics_hz - v->bands[j].dynamics_hz;
      below += v->bands[i].velocity_energy > HARDLY_MOVES * most &&
               (difference < 0 || (difference == 0 && i < j));
    }
    if (below == moving / 2) return j;
  }
  return -1;
}

/*
 * The median of the columns determines the band: a single joint that vibrates, or that starts with
 * a jerk, would otherwise do it. Then the noise within the band is computed.
 */
static rbv_status make_suggestion(rbv_suggestion *out, analysis *v) {
  const double spacing = v->rate_hz / (double)v->segment;
  rbv_suggestion found = {0};
  for (int j = 0; j < v->ncol; j++) {
    const band b = v->bands[j] = analyse(powers(v, v->sum, j), v->scratch, v->bins, spacing);
    if (!(b.velocity_energy > 0)) continue;  // does not move
    found.signal_hz = fmax(found.signal_hz, b.signal_hz);
    found.floor = fmax(found.floor, b.floor);
  }
  found.column = median_column(v);
  if (found.column < 0)
    return rbv_fail(RBV_EINPUT,
                    "no column rises above its noise floor: the recording contains no motion");
  found.dynamics_hz = v->bands[found.column].dynamics_hz;
  found.cutoff_hz = fmin(CUTOFF_OVER_DYNAMICS * found.dynamics_hz, 0.4 * v->rate_hz);
  const double largest = 0.8 * v->rate_hz / (2 * DECIMATION_OVER_DYNAMICS * found.dynamics_hz);
  found.decimation = largest < 1 ? 1 : largest > 1e6 ? 1000000 : (int)largest;
  for (int j = 0; j < v->ncol; j++) {
    if (!(v->bands[j].velocity_energy > 0)) continue;
    // integral of (2 pi f)^2 floor from 0 to the cut-off
    const double noise = 4 * RBV_PI * RBV_PI * pow(found.cutoff_hz, 3) / 3 * v->bands[j].floor;
    found.velocity_noise = fmax(found.velocity_noise, sqrt(noise / v->bands[j].velocity_energy));
  }
  *out = found;
  return RBV_OK;
}

rbv_status rbv_signal_suggest_from(rbv_suggestion *out, rbv_signal_read *read, void *self,
                                   ptrdiff_t nsample, int ncol, double rate_hz, int threads) {
  if (!out || !read) return rbv_fail(RBV_EARG, "out or read is NULL");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  if (nsample < MIN_SAMPLES)
    return rbv_fail(RBV_EDIM, "%td samples are too few to suggest a cut-off: %d are needed",
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
