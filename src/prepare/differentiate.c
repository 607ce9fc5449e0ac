/* Velocities and accelerations from positions, by several methods. */
#include <math.h>
#include <string.h>
#include "signal/signal.h"

#include "prepare/prepare_internal.h"

#define FILTER_ORDER 4
/* At the ends the acceleration is assumed to be zero. The step to its true value has decayed to 1 %
 * after this many half periods of the band-pass, and this many memory lengths of a smoother, whose
 * kernel decays with exp(-x / sqrt(2)). */
#define EDGE_HALF_PERIODS 3.0
#define EDGE_MEMORIES 6.5
#define EDGE_MOST 0.1  // of the recording: only a joint that hardly moves has a longer memory
#define MOST_HARMONICS 500.0  // that are chosen from the data
#define FEW_HARMONICS 5       // for a recording that is too short to find its band
#define FORGOTTEN 1e-16  // the effect of a filter's initial state is neglected below this ratio

/* ---- band-pass: low-pass and differences ---- */

static rbv_status suggest(rbv_suggestion *out, const recording *r) {
  // signals of a sensor on the base are no positions
  rbv_base_sensor sensor;
  const int skip = rbv_base_sensor_find(&sensor, r->m, r->log) ? RBV_BASE_COORDINATES : 0;
  const ptrdiff_t n = r->grid.count;
  return rbv_signal_suggest(out, r->grid.q + skip * n, n, n, r->m->njoint - skip, r->rate_hz);
}

static rbv_status choose_cutoff(recording *r) {
  r->origin.cutoff_hz = r->o->cutoff_hz;
  if (r->o->cutoff_hz > 0 && r->o->cutoff_hz < 0.499 * r->rate_hz) return RBV_OK;
  if (r->o->cutoff_hz != 0)
    return rbv_fail(RBV_EINPUT,
                    "%s: the cut-off of %g Hz is not between 0 and half the sample rate of %g Hz",
                    rbv_log_name(r->log), r->o->cutoff_hz, r->rate_hz);
  rbv_suggestion s = {.cutoff_hz = r->origin.suggested_hz};
  if (s.cutoff_hz == 0) RBV_TRY(suggest(&s, r));
  r->origin.cutoff_hz = s.cutoff_hz;
  r->origin.noise_hz = r->origin.noise_hz > 0 ? r->origin.noise_hz : s.noise_hz;
  r->origin.cutoff_from_data = true;
  return RBV_OK;
}

rbv_status rbv_positions_low_pass(double *X, ptrdiff_t n, int ncol, double cutoff_hz,
                                  double rate_hz, const char *name) {
  const ptrdiff_t padding = rbv_filter_padding(cutoff_hz, rate_hz);
  if (padding >= n)
    return rbv_fail(RBV_EINPUT, "%s: %td samples are too few for a cut-off of %g Hz", name, n,
                    cutoff_hz);
  rbv_sos sos;
  RBV_TRY(rbv_sos_butterworth(&sos, FILTER_ORDER, cutoff_hz, rate_hz));
  rbv_filter_work *w;
  RBV_TRY(rbv_filter_work_new(&w, n, padding));
  RBV_FINISH(rbv_filter_zero_phase(X, n, w, &sos, X, n, n, ncol, padding), rbv_filter_work_free(w));
}

/* low-pass filter X in place */
static rbv_status low_pass(double *X, recording *r) {
  RBV_TRY(choose_cutoff(r));
  const double cutoff_hz = r->origin.cutoff_hz;
  const rbv_status status = rbv_positions_low_pass(X, r->grid.count, r->m->njoint, cutoff_hz,
                                                   r->rate_hz, rbv_log_name(r->log));
  r->reach = r->rate_hz / (2 * cutoff_hz);
  r->edge = rbv_recording_edge(cutoff_hz, r->rate_hz);
  return status;
}

static rbv_status difference(double *D, const double *X, const recording *r) {
  const ptrdiff_t n = r->grid.count;
  return rbv_differentiate(D, n, X, n, n, r->m->njoint, r->rate_hz);
}

static rbv_status by_bandpass(recording *r) {
  RBV_TRY(low_pass(r->grid.q, r));
  RBV_TRY(difference(r->grid.dq, r->grid.q, r));
  return difference(r->grid.ddq, r->grid.dq, r);
}

double rbv_recording_edge(double cutoff_hz, double rate_hz) {
  return EDGE_HALF_PERIODS * rate_hz / (2 * cutoff_hz);
}

ptrdiff_t rbv_recording_halo(double cutoff_hz, double rate_hz) {
  // poles s of the analogue filter are on a circle, p = (1 + s) / (1 - s); the slowest pole decides
  const double radius = tan(RBV_PI * cutoff_hz / rate_hz);
  double slowest = 0;
  for (int k = 0; k < FILTER_ORDER / 2; k++) {
    const double angle = RBV_PI * (2 * k + 1) / (2 * FILTER_ORDER);
    const double re = -radius * sin(angle), im = radius * cos(angle);
    slowest = fmax(slowest, hypot(1 + re, im) / hypot(1 - re, im));
  }
  // two more samples for the two differences
  return (ptrdiff_t)ceil(log(FORGOTTEN) / log(slowest)) + 2;
}

/* ---- recorded ---- */

static rbv_status by_recorded(recording *r) {
  if (r->accelerations) return RBV_OK;
  // the recorded velocity is kept; only the copy that is differentiated is smoothed
  const size_t bytes = (size_t)r->grid.count * (size_t)r->m->njoint * sizeof(double);
  double *smoothed = rbv_alloc(bytes);
  if (!smoothed) return RBV_EMEM;
  memcpy(smoothed, r->grid.dq, bytes);
  rbv_status status = low_pass(smoothed, r);
  if (status == RBV_OK) status = difference(r->grid.ddq, smoothed, r);
  rbv_free(smoothed);
  return status;
}

/* ---- smoothers ---- */

/* samples at an end, from the memory of a smoother [samples] */
static double edge_of_memory(const recording *r) {
  return fmin(EDGE_MEMORIES * r->reach, EDGE_MOST * (double)r->grid.count);
}

/* ---- integrated random walk ---- */

/*
 * The slope at sample k is that of the step to sample k + 1, half a sample later. Without this
 * correction the acceleration would lead the torque by a whole sample.
 */
static void centre(double *slope, ptrdiff_t n) {
  for (ptrdiff_t k = n - 1; k > 0; k--) slope[k] = (slope[k - 1] + slope[k]) / 2;
}

static rbv_status smooth_twice(recording *r, int j, rbv_irw_work *w, double *level) {
  const ptrdiff_t n = r->grid.count;
  double *q = r->grid.q + j * n, *dq = r->grid.dq + j * n, *ddq = r->grid.ddq + j * n;
  rbv_irw_info info[2];
  RBV_TRY(rbv_irw_smooth(q, dq, &info[0], w, q, n, r->rate_hz, 0));
  centre(dq, n);
  RBV_TRY(rbv_irw_smooth(level, ddq, &info[1], w, dq, n, r->rate_hz, 0));
  centre(ddq, n);
  for (int i = 0; i < 2; i++) r->nvr[2 * j + i] = info[i].nvr;
  r->position_noise[j] = info[0].noise_variance;
  // the smoother has a memory of about nvr^(-1/4) samples
  r->reach = fmax(r->reach, pow(info[0].nvr, -0.25));
  r->edge = edge_of_memory(r);
  return RBV_OK;
}

static rbv_status by_irw(recording *r) {
  rbv_irw_work *w = NULL;
  double *level = rbv_alloc((size_t)r->grid.count * sizeof *level);
  rbv_status status = level ? rbv_irw_work_new(&w, r->grid.count) : RBV_EMEM;
  for (int j = 0; j < r->m->njoint && status == RBV_OK; j++) status = smooth_twice(r, j, w, level);
  r->origin.nvr = r->nvr;
  r->origin.position_noise = r->position_noise;
  rbv_irw_work_free(w);
  rbv_free(level);
  return status;
}

/* ---- smoothing spline ---- */

/*
 * Variance of white noise on a slow signal. Fourth divided differences of a cubic are zero for any
 * time stamps; those of the noise have its variance times the sum of their squared coefficients.
 */
static double noise_variance(const recording *r, const double *x) {
  const double *t = r->t;
  double sum = 0;
  ptrdiff_t windows = 0;
  for (ptrdiff_t k = 0; k + 4 < r->raw.count; k++) {
    double difference4 = 0, squares = 0;
    bool gap = false;
    for (ptrdiff_t i = k; i < k + 5; i++) {
      double c = 1;
      for (ptrdiff_t l = k; l < k + 5; l++)
        if (l != i) c *= r->median / (t[i] - t[l]);
      difference4 += c * x[i];
      squares += c * c;
      gap = gap || (i > k && t[i] - t[i - 1] > GAP_STEPS * r->median);
    }
    if (gap) continue;
    sum += difference4 * difference4 / squares;
    windows++;
  }
  return windows > 0 ? sum / (double)windows : 0;
}

/* evaluate the spline on the grid; its second derivative is linear between knots, so
 * this is exact */
static void evaluate_spline(recording *r, int j) {
  const ptrdiff_t n = r->raw.count, count = r->grid.count;
  const double *q = r->raw.q + j * n, *dq = r->raw.dq + j * n, *ddq = r->raw.ddq + j * n;
  ptrdiff_t i = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double at = (double)k / r->rate_hz;
    while (i < n - 2 && r->t[i + 1] <= at) i++;
    const double s = at - r->t[i], jerk = (ddq[i + 1] - ddq[i]) / (r->t[i + 1] - r->t[i]);
    r->grid.q[k + j * count] = q[i] + s * (dq[i] + s * (ddq[i] / 2 + s * jerk / 6));
    r->grid.dq[k + j * count] = dq[i] + s * (ddq[i] + s * jerk / 2);
    r->grid.ddq[k + j * count] = ddq[i] + s * jerk;
  }
}

static double spline_variance(const recording *r, const double *x) {
  return r->o->spline_variance > 0 ? r->o->spline_variance : noise_variance(r, x);
}

/*
 * The corner is the cut-off of the band-pass. The noise of fourth differences is that at high
 * frequencies; where real noise is not white, a spline that leaves this variance follows the rest.
 * It decides only if it is given, or if the recording is too short to find the band.
 */
static rbv_status by_spline(recording *r) {
  const ptrdiff_t n = r->raw.count;
  const bool band = r->o->cutoff_hz != 0 || r->origin.suggested_hz > 0;
  if (r->o->spline_variance == 0 && band) RBV_TRY(choose_cutoff(r));
  const double corner_hz = r->origin.cutoff_hz;
  rbv_spline_work *w;
  RBV_TRY(rbv_spline_work_new(&w, n));
  rbv_status status = RBV_OK;
  for (int j = 0; j < r->m->njoint && status == RBV_OK; j++) {
    double *q = r->raw.q + j * n, *dq = r->raw.dq + j * n, *ddq = r->raw.ddq + j * n;
    rbv_spline_info info;
    status = corner_hz > 0
                 ? rbv_spline_low_pass(q, dq, ddq, &info, w, r->t, q, n, corner_hz)
                 : rbv_spline_smooth(q, dq, ddq, &info, w, r->t, q, n, spline_variance(r, q));
    if (status != RBV_OK) break;
    r->position_noise[j] = info.variance;
    evaluate_spline(r, j);
    // lambda and the sample rate give the same memory length as the noise variance ratio above
    if (isfinite(info.lambda))
      r->reach = fmax(r->reach, pow(info.lambda * pow(r->rate_hz, 3), 0.25));
    r->edge = edge_of_memory(r);
  }
  rbv_spline_work_free(w);
  r->origin.position_noise = r->position_noise;
  return status;
}

/* ---- harmonics ---- */

/*
 * All harmonics up to the cut-off of the band-pass: friction makes harmonics that the reference
 * does not have, and periods reduce the noise without removing them.
 */
static rbv_status choose_harmonics(recording *r) {
  r->origin.harmonics = r->o->harmonics;
  if (r->o->harmonics > 0) return RBV_OK;
  r->origin.harmonics = FEW_HARMONICS;
  r->origin.harmonics_from_data = true;
  const double most = fmin(MOST_HARMONICS, (double)(r->period / 2 - 1));
  if (r->o->cutoff_hz != 0 || r->origin.suggested_hz > 0) {
    RBV_TRY(choose_cutoff(r));
    r->origin.harmonics = (int)fmax(1, floor(fmin(most, r->origin.cutoff_hz * r->o->period_s)));
  }
  return RBV_OK;
}

static rbv_status by_fourier(recording *r) {
  RBV_TRY(choose_harmonics(r));
  const double T = r->o->period_s;
  const int nh = r->origin.harmonics, n = r->m->njoint, ncoef = 2 * nh + 1;
  // samples of whole periods, at the recorded time stamps
  ptrdiff_t used = r->raw.count;
  while (used > 0 && r->t[used - 1] > (double)r->periods * T - r->median / 2) used--;
  rbv_harmonic_work *w = NULL;
  double *coef = rbv_alloc((size_t)ncoef * (size_t)n * sizeof *coef);
  double *at = rbv_alloc((size_t)r->period * sizeof *at);
  rbv_status status = coef && at ? rbv_harmonic_work_new(&w, nh, n) : RBV_EMEM;
  if (status == RBV_OK)
    status = rbv_harmonic_fit(coef, r->position_noise, w, r->t, r->raw.q, r->raw.count, used, T);
  for (ptrdiff_t k = 0; k < r->period && at; k++) at[k] = (double)k / r->rate_hz;
  for (int j = 0; j < n && status == RBV_OK; j++)
    rbv_harmonic_eval(r->grid.q + j * r->period, r->grid.dq + j * r->period,
                      r->grid.ddq + j * r->period, coef + j * ncoef, nh, T, at, r->period);
  r->origin.position_noise = r->position_noise;
  rbv_harmonic_work_free(w);
  rbv_free(at);
  rbv_free(coef);
  return status;
}

/* ---- periods ---- */

/* mean of a channel over the periods, where it is valid; columns of count samples become columns of
 * a period, in place */
static void average(double *x, const recording *r, int columns) {
  const ptrdiff_t period = r->period, count = r->grid.count;
  for (int j = 0; j < columns; j++)
    for (ptrdiff_t k = 0; k < period; k++) {
      double sum = 0;
      int used = 0;
      for (ptrdiff_t i = k; i < r->periods * period; i += period)
        if (r->valid[i]) {
          sum += x[i + j * count];
          used++;
        }
      x[k + j * period] = used > 0 ? sum / used : 0;
    }
}

/* scatter of the torques between the periods, as the variance of their mean */
static rbv_status compare_periods(recording *r) {
  if (r->periods < 2) return RBV_OK;
  RBV_NEW(double, mean, (size_t)r->period *(size_t)r->m->nrow);
  const rbv_status status =
      rbv_periodic_average(mean, r->torque_noise, r->grid.torque, r->grid.count,
                           r->periods * r->period, r->m->nrow, r->period);
  rbv_free(mean);
  for (int j = 0; j < r->m->nrow; j++) r->torque_noise[j] /= (double)r->periods;
  r->origin.torque_noise = r->torque_noise;
  return status;
}

/*
 * Filters are linear, so that the mean of the filtered periods is the filtered mean (Radkhah 2007
 * section IV averages first), without the samples whose derivatives are not known. The harmonics
 * are those of one period already.
 */
rbv_status rbv_recording_fold(recording *r) {
  const ptrdiff_t period = r->period;
  if (period == 0) return RBV_OK;
  RBV_TRY(compare_periods(r));
  const bool harmonics = r->o->method == RBV_DIFFERENTIATION_FOURIER;
  double *const states[] = {r->grid.q, r->grid.dq, r->grid.ddq};
  for (int i = 0; i < 3 && !harmonics; i++) average(states[i], r, r->m->njoint);
  average(r->grid.torque, r, r->m->nrow);
  for (ptrdiff_t k = period; k < r->periods * period; k++)
    r->valid[k % period] = r->valid[k % period] || r->valid[k];
  for (ptrdiff_t k = period; k < r->periods * period && r->has_contact; k++)
    r->grid.contact[k % period] |= r->grid.contact[k];
  r->origin.periods = r->periods;
  r->grid.count = period;
  return RBV_OK;
}

/* ---- table of methods ---- */

static const struct {
  const char *name;
  rbv_status (*run)(recording *r);
} method[] = {
    // clang-format off
    [RBV_DIFFERENTIATION_BANDPASS] = {"bandpass", by_bandpass},
    [RBV_DIFFERENTIATION_IRW] = {"irw", by_irw},
    [RBV_DIFFERENTIATION_SPLINE] = {"spline", by_spline},
    [RBV_DIFFERENTIATION_FOURIER] = {"fourier", by_fourier},
    [RBV_DIFFERENTIATION_RECORDED] = {"recorded", by_recorded},
    // clang-format on
};

const char *rbv_differentiation_name(rbv_differentiation m) {
  return (int)m >= 0 && (int)m < RBV_COUNT(method) ? method[m].name : "";
}

bool rbv_differentiation_parse(rbv_differentiation *out, const char *name) {
  const int i = RBV_FIND(method, RBV_COUNT(method), name, name);
  if (i >= 0) *out = (rbv_differentiation)i;
  return i >= 0;
}

/* the band of the motion, for methods that do not need it themselves; 0: it cannot be found */
static void suggest_band(recording *r) {
  rbv_suggestion s;
  if (suggest(&s, r) != RBV_OK) return;
  r->origin.suggested_hz = s.cutoff_hz;
  r->origin.noise_hz = s.noise_hz;
}

void rbv_motion_describe(rbv_text *out, const rbv_motion_origin *o, double rate_hz) {
  if (o->by_rows) rbv_text_put(out, ", regular (its time stamps scatter, its positions do not)");
  if (o->held > 0)
    rbv_text_print(out, ", every value is logged %.3g times: %.3g Hz, not %.3g", o->held, rate_hz,
                   o->held * rate_hz);
  if (!o->cutoff_from_data) return;
  rbv_text_print(out, ", cut-off %.3g Hz from the data", o->cutoff_hz);
  if (o->noise_hz > 0) rbv_text_print(out, " (vibration or noise from %.3g Hz on)", o->noise_hz);
}

rbv_status rbv_recording_differentiate(recording *r) {
  r->origin.method = method[r->o->method].name;
  if (r->o->method != RBV_DIFFERENTIATION_BANDPASS) suggest_band(r);
  return method[r->o->method].run(r);
}
