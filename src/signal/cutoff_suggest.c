/* Cut-off and decimation from the spectra of positions, which are read once. */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "signal/spectrum.h"

#define FEWEST 256              // samples for a suggestion
#define LONGEST 65536           // segment of a suggestion
#define ABOVE_FLOOR 10.0        // what counts as signal
#define QUIET_BINS 3            // so many in a row below it end the signal's band
#define ENERGY_SHARE 0.999      // of the velocity
#define BEYOND_SHARE 2          // the accelerations reach further than the velocities
#define CUTOFF_OVER_DYNAMICS 5  // Gautier 2011: at least 5 w_dyn
#define DECIMATION_OVER_DYNAMICS 2
#define WINDOW 4  // pairs of segments per thread whose powers wait for their turn

/* ---- one column ---- */

typedef struct {
  double floor, signal_hz, dynamics_hz, velocity_energy;
} band;

/* one column's noise floor, end of the signal, and frequency of the dynamics */
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

/* ---- all columns, a pair of segments at a time ---- */

/*
 * The mean of a column is known when all of it has been read; until then its first sample stands
 * for it. What it differs by changes the transform of a segment where the window has one: the
 * Hann window's is n/2 at bin 0, which nobody looks at, -n/4 at bin 1, and nothing beyond.
 */
typedef struct {
  double rest;   // sum of the samples less the first one
  double first;  // sum of the segments' transforms at bin 1, real parts
} tally;

/* what a suggestion works with */
typedef struct {
  rbv_signal_read *read;
  void *self;
  ptrdiff_t nsample;
  int ncol;
  double rate_hz;
  ptrdiff_t segment, bins, nsegment;
  double *origin;   // ncol: first samples
  double *sum;      // of the pairs so far: tallies of all columns, powers of all columns
  double *scratch;  // bins
  band *bands;      // ncol
} survey;

/* what one thread works with */
typedef struct {
  rbv_spectrum *spectrum;
  double *X;    // 3/2 segment x ncol
  double *sum;  // of one pair, as in the survey
} surveyor;

static size_t sum_size(const survey *v) {
  return (sizeof(tally) + (size_t)v->bins * sizeof(double)) * (size_t)v->ncol;
}

static tally *tallies(double *sum) { return (tally *)sum; }

static double *powers(const survey *v, double *sum, int column) {
  return (double *)(tallies(sum) + v->ncol) + column * v->bins;
}

static void layout_survey(survey *v, rbv_arena *a) {
  v->origin = RBV_TAKE(a, v->ncol, double);
  v->sum = RBV_TAKE(a, sum_size(v) / sizeof(double), double);
  v->scratch = RBV_TAKE(a, v->bins, double);
  v->bands = RBV_TAKE(a, v->ncol, band);
}

static surveyor *layout_hand(const survey *v, rbv_arena *a) {
  surveyor *h = RBV_TAKE(a, 1, surveyor);
  double *X = RBV_TAKE(a, (v->segment + v->segment / 2) * v->ncol, double);
  double *sum = RBV_TAKE(a, sum_size(v) / sizeof(double), double);
  if (h) *h = (surveyor){.X = X, .sum = sum};
  return h;
}

static void close_hand(void *worker, void *self) {
  surveyor *h = worker;
  (void)self;
  rbv_spectrum_free(h->spectrum);
  rbv_free(h);
}

static rbv_status open_hand(void **out, void *self, int thread) {
  const survey *v = self;
  (void)thread;
  rbv_arena measure = {0};
  (void)layout_hand(v, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  surveyor *h = layout_hand(v, &carve);
  const rbv_status status = rbv_spectrum_new(&h->spectrum, v->segment);
  if (status == RBV_OK)
    *out = h;
  else
    close_hand(h, self);
  return status;
}

static void add_rest(tally *t, const survey *v, const double *X, ptrdiff_t ld, ptrdiff_t count) {
  for (int j = 0; j < v->ncol; j++)
    for (ptrdiff_t k = 0; k < count; k++) t[j].rest += X[k + j * ld] - v->origin[j];
}

static rbv_status run_pair(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  const survey *v = self;
  surveyor *h = worker;
  const rbv_spectrum *s = h->spectrum;
  const ptrdiff_t n = v->segment, step = n / 2, ld = n + step, i = 2 * index;
  const bool two = i + 1 < v->nsegment, last = i + 2 >= v->nsegment;
  const ptrdiff_t count = two ? ld : n, end = i * step + count;
  tally *t = tallies(h->sum);
  memset(h->sum, 0, sum_size(v));
  RBV_TRY(v->read(v->self, h->X, ld, i * step, count));
  for (int j = 0; j < v->ncol; j++) {
    const double *x = h->X + j * ld;
    rbv_spectrum_add(powers(v, h->sum, j), h->spectrum, x, two ? x + step : NULL, v->origin[j]);
    // of both segments, one of which is the imaginary part
    t[j].first = (s->re[1] + s->re[n - 1] + s->im[1] + s->im[n - 1]) / 2;
  }
  // the next pair begins a segment later; behind the last one less than half a segment is left
  add_rest(t, v, h->X, ld, last ? count : n);
  if (last && end < v->nsample) {
    RBV_TRY(v->read(v->self, h->X, ld, end, v->nsample - end));
    add_rest(t, v, h->X, ld, v->nsample - end);
  }
  rbv_bytes_add(out, h->sum, sum_size(v));
  return RBV_OK;
}

static rbv_status take_pair(void *self, ptrdiff_t index, const void *data, size_t size) {
  survey *v = self;
  const double *sum = data;
  (void)index;
  for (size_t k = 0; k < size / sizeof *sum; k++) v->sum[k] += sum[k];
  return RBV_OK;
}

/* powers of segments less the mean, from those less the first sample */
static rbv_status centre(survey *v) {
  const double window = -(double)v->segment / 4;
  for (int j = 0; j < v->ncol; j++) {
    const tally *t = &tallies(v->sum)[j];
    const double mean = t->rest / (double)v->nsample, count = (double)v->nsegment;
    double *psd = powers(v, v->sum, j);
    if (!isfinite(mean))
      return rbv_fail(RBV_EARG, "a sample is not finite, so there is no spectrum");
    psd[1] = fmax(0, psd[1] - mean * window * (2 * t->first - count * mean * window));
  }
  return RBV_OK;
}

static rbv_status survey_densities(survey *v, int threads) {
  RBV_TRY(v->read(v->self, v->origin, 1, 0, 1));
  const rbv_jobs jobs = {.name = "spectra of positions",
                         .count = (v->nsegment + 1) / 2,
                         .self = v,
                         .open = open_hand,
                         .close = close_hand,
                         .run = run_pair,
                         .take = take_pair,
                         .shared = true,
                         .window = WINDOW};
  RBV_TRY(rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = threads}));
  RBV_TRY(centre(v));
  for (int j = 0; j < v->ncol; j++)
    rbv_spectrum_scale(powers(v, v->sum, j), v->segment, v->nsegment, v->rate_hz);
  return RBV_OK;
}

/* ---- the suggestion ---- */

/* the fastest column decides the band; the noise is judged within it afterwards */
static rbv_status conclude(rbv_suggestion *out, survey *v) {
  const double spacing = v->rate_hz / (double)v->segment;
  rbv_suggestion found = {.column = -1};
  for (int j = 0; j < v->ncol; j++) {
    const band b = v->bands[j] = analyse(powers(v, v->sum, j), v->scratch, v->bins, spacing);
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
                                   ptrdiff_t nsample, int ncol, double rate_hz, int threads) {
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
  v.nsegment = rbv_spectrum_segments(v.segment, nsample);
  rbv_arena measure = {0};
  layout_survey(&v, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  layout_survey(&v, &carve);
  rbv_status status = survey_densities(&v, threads);
  if (status == RBV_OK) status = conclude(out, &v);
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
  return rbv_signal_suggest_from(out, read_block, &b, nsample, ncol, rate_hz, 1);
}
