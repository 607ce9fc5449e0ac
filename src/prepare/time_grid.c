/* Conversion of irregular time stamps to a regular grid; samples in gaps are marked. */
#include <math.h>
#include <string.h>
#include "signal/signal.h"

#include "log/log.h"
#include "prepare/prepare_internal.h"

#define OFF_GRID 0.01  // in steps: time stamps closer than this to the grid are regular
#define POSES 100      // fewer samples can be poses with long pauses
/* Largest grid: this many points per sample, and a pause. More is a jump of the clock. */
#define GRID_PER_SAMPLE 20.0
#define GRID_PAUSE 100000.0
/* Positions are regular where cubics through equal steps miss them by less than this share of what
 * cubics through the stamps do: half the error, which no rounding of positions gives. */
#define REGULAR_SHARE 0.25

/* true if all time stamps agree with a regular clock from the first to the last */
static bool is_regular(const double *t, ptrdiff_t n) {
  const double step = t[n - 1] / (double)(n - 1);
  for (ptrdiff_t k = 0; k < n; k++)
    if (!(fabs(t[k] - (double)k * step) <= OFF_GRID * step)) return false;
  return true;
}

/* x[0] minus the cubic through two samples on each side of it, at their stamps */
static double off_cubic(const double *t, const double *x) {
  static const int near[] = {-2, -1, 1, 2};
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double weight = 1;
    for (int k = 0; k < 4; k++)
      if (k != i) weight *= (t[0] - t[near[k]]) / (t[near[i]] - t[near[k]]);
    sum += weight * x[near[i]];
  }
  return x[0] - sum;
}

/*
 * Do the stamps scatter around the times of regular samples? A computer that writes the stamps is
 * late now and then, the clock of the robot is not. Then the positions of most joints are smooth
 * over the rows and not over the stamps.
 */
static bool stamps_scatter(const recording *r) {
  static const double rows[] = {-2, -1, 0, 1, 2};
  const ptrdiff_t n = r->raw.count;
  const double step = r->t[n - 1] / (double)(n - 1);
  int smoother = 0;
  for (ptrdiff_t k = 0; k < n; k++)
    if (!(fabs(r->t[k] - (double)k * step) < step)) return false;
  for (int j = 0; j < r->m->njoint; j++) {
    double by_row = 0, by_stamp = 0;
    for (ptrdiff_t k = 2; k + 2 < n; k++) {
      const double *x = r->raw.q + j * n + k;
      by_row += pow(off_cubic(rows + 2, x), 2);
      by_stamp += pow(off_cubic(r->t + k, x), 2);
    }
    smoother += by_row < REGULAR_SHARE * by_stamp;
  }
  return 2 * smoother > r->m->njoint;
}

/*
 * Mean rate over the steps without a missing sample. The median step would be wrong for a recorder
 * whose steps alternate between two lengths.
 */
static double mean_rate(const recording *r) {
  double sum = 0;
  ptrdiff_t steps = 0;
  for (ptrdiff_t k = 1; k < r->raw.count; k++) {
    const double step = r->t[k] - r->t[k - 1];
    if (step > 1.5 * r->median) continue;
    sum += step;
    steps++;
  }
  return (double)steps / sum;
}

/* choose the grid so that a period has a whole number of samples */
static rbv_status choose_periodic(recording *r) {
  const double T = r->o->period_s, duration = r->t[r->raw.count - 1];
  const double samples = round(T * r->rate_hz);
  if (!(samples <= duration * r->rate_hz + 1 + OFF_GRID))
    return rbv_fail(RBV_EINPUT, "%s: the recording of %g s does not contain a whole period of %g s",
                    rbv_log_name(r->log), duration, T);
  const int harmonics = r->o->harmonics > 0 ? r->o->harmonics : 1;
  if (samples < 2 * harmonics + 2)
    return rbv_fail(RBV_EINPUT, "%s: %g samples per period are too few for %d harmonics",
                    rbv_log_name(r->log), samples, harmonics);
  r->period = (ptrdiff_t)samples;
  // the recorded samples can be used if their phase does not drift from period to period
  const double drift = duration / T * fabs(samples - T * r->rate_hz);
  if (r->origin.resampled || drift > OFF_GRID) {
    r->origin.resampled = true;
    r->rate_hz = samples / T;
  }
  return RBV_OK;
}

static rbv_status count_periods(recording *r) {
  if (r->period == 0) return RBV_OK;
  r->periods = r->grid.count / r->period;
  if (r->periods < 1)
    return rbv_fail(RBV_EINPUT, "%s: the recording is slightly shorter than one period of %g s",
                    rbv_log_name(r->log), r->o->period_s);
  return RBV_OK;
}

/* name the longest step */
static rbv_status refuse_jump(const recording *r) {
  const double *t = rbv_log_channel(r->log, RBV_CHANNEL_TIME, -1);
  ptrdiff_t at = 1;
  for (ptrdiff_t k = 2; k < rbv_log_samples(r->log); k++)
    if (t[k] - t[k - 1] > t[at] - t[at - 1]) at = k;
  const ptrdiff_t line = rbv_log_line(r->log, at);
  return rbv_fail(RBV_EINPUT,
                  "%s: the time stamps jump by %.6g s at %s %td, but their steps are %.3g s: the "
                  "clock was set, or its unit is wrong. Correct the stamps, or split the recording "
                  "there",
                  rbv_log_name(r->log), t[at] - t[at - 1], line > 0 ? "line" : "sample",
                  line > 0 ? line : at + 1, r->median);
}

rbv_status rbv_grid_choose(recording *r) {
  const ptrdiff_t n = r->raw.count;
  rbv_stamp_info stamps;
  RBV_TRY(rbv_stamps_check(&stamps, r->t, n));
  r->median = stamps.period;
  const char *unit = rbv_log_time_unit(r->median);
  if (unit && n >= POSES)
    return rbv_fail_option(RBV_EINPUT, "map",
                           "%s: the typical time step is %.3g s: time %s%s. Write its unit in a "
                           "column map",
                           rbv_log_name(r->log), r->median,
                           *unit ? "looks like " : "is not in seconds", unit);
  for (ptrdiff_t k = 1; k < n; k++) r->origin.gaps += r->t[k] - r->t[k - 1] > GAP_STEPS * r->median;
  r->origin.resampled = !is_regular(r->t, n);
  if (r->origin.resampled && r->origin.gaps == 0 && r->origin.duplicates == 0 &&
      stamps_scatter(r)) {
    const double step = r->t[n - 1] / (double)(n - 1);
    for (ptrdiff_t k = 0; k < n; k++) r->t[k] = (double)k * step;
    r->origin.resampled = false;
    r->origin.by_rows = true;
  }
  r->rate_hz = r->origin.resampled ? mean_rate(r) : (double)(n - 1) / r->t[n - 1];
  if (r->o->period_s > 0) RBV_TRY(choose_periodic(r));
  if (!(r->t[n - 1] * r->rate_hz < GRID_PER_SAMPLE * (double)n + GRID_PAUSE)) return refuse_jump(r);
  r->grid.count = n;
  if (!r->origin.resampled) return count_periods(r);
  rbv_resampler *s;
  RBV_TRY(rbv_resampler_new(&s, r->t, n, r->rate_hz));
  r->grid.count = rbv_resampler_count(s);
  rbv_resampler_free(s);
  return count_periods(r);
}

/* a point may carry a force where it does at the recorded sample before or after */
static void fill_contacts(recording *r) {
  const ptrdiff_t n = r->raw.count;
  for (ptrdiff_t k = 0, i = 0; k < r->grid.count; k++) {
    const double at = (double)k / r->rate_hz;
    while (i < n - 2 && r->t[i + 1] <= at) i++;
    r->grid.contact[k] = r->raw.contact[i] | r->raw.contact[i + 1];
  }
}

rbv_status rbv_grid_fill(recording *r) {
  const ptrdiff_t n = r->raw.count, count = r->grid.count;
  const struct {
    double *to;
    const double *from;
    int columns;
    rbv_resample_kind kind;
  } channel[] = {{r->grid.q, r->raw.q, r->m->njoint, RBV_RESAMPLE_CUBIC},
                 {r->grid.dq, r->raw.dq, r->velocities ? r->m->njoint : 0, RBV_RESAMPLE_CUBIC},
                 {r->grid.ddq, r->raw.ddq, r->accelerations ? r->m->njoint : 0, RBV_RESAMPLE_CUBIC},
                 {r->grid.torque, r->raw.torque, r->m->nrow, RBV_RESAMPLE_MONOTONE},
                 {r->grid.temperature, r->raw.temperature, r->has_temperature ? r->m->njoint : 0,
                  RBV_RESAMPLE_MONOTONE}};
  rbv_resampler *s = NULL;
  if (r->origin.resampled) RBV_TRY(rbv_resampler_new(&s, r->t, n, r->rate_hz));
  for (ptrdiff_t k = 0; k < count; k++) r->valid[k] = true;
  rbv_status status = RBV_OK;
  for (int i = 0; i < RBV_COUNT(channel) && status == RBV_OK; i++) {
    if (channel[i].columns == 0 || channel[i].to == channel[i].from) continue;
    if (s)
      status = rbv_resample(channel[i].to, count, i == 0 ? r->valid : NULL, s, channel[i].from, n,
                            channel[i].columns, channel[i].kind, GAP_STEPS * r->median);
    else
      memcpy(channel[i].to, channel[i].from,
             (size_t)n * (size_t)channel[i].columns * sizeof(double));
  }
  rbv_resampler_free(s);
  if (r->has_contact && r->grid.contact != r->raw.contact) fill_contacts(r);
  return status;
}

void rbv_grid_trim(recording *r, bool start, bool end) {
  const ptrdiff_t count = r->grid.count, edge = (ptrdiff_t)fmin(r->edge, (double)count);
  for (ptrdiff_t k = 0; k < edge; k++) {
    if (start) r->valid[k] = false;
    if (end) r->valid[count - 1 - k] = false;
  }
}

void rbv_grid_widen(recording *r) {
  const ptrdiff_t count = r->grid.count, reach = (ptrdiff_t)fmin(r->reach, (double)count);
  if (r->origin.gaps == 0) return;
  for (ptrdiff_t k = 0, last = -reach - 1; k < count; k++) {
    if (!r->valid[k])
      last = k;
    else if (k - last <= reach)
      r->valid[k] = false;
  }
  // samples marked by the first loop are on the other side of the gap, so that they do not extend
  // this side
  for (ptrdiff_t k = count - 1, next = count + reach; k >= 0; k--) {
    if (!r->valid[k])
      next = k;
    else if (next - k <= reach)
      r->valid[k] = false;
  }
}

/* x between samples: the cubic through the four samples around `at` */
static double interpolate(const double *x, ptrdiff_t n, double at) {
  ptrdiff_t i = (ptrdiff_t)floor(at);
  if (i < 1) i = 1;
  if (i > n - 3) i = n - 3;
  const double u = at - (double)i;
  return -u * (u - 1) * (u - 2) / 6 * x[i - 1] + (u + 1) * (u - 1) * (u - 2) / 2 * x[i] -
         (u + 1) * u * (u - 2) / 2 * x[i + 1] + (u + 1) * u * (u - 1) / 6 * x[i + 2];
}

void rbv_grid_delay(recording *r, double *work) {
  const double shift = r->o->torque_delay_s * r->rate_hz;
  const ptrdiff_t n = r->grid.count;
  if (shift == 0) return;
  r->origin.torque_delay_s = r->o->torque_delay_s;
  for (int j = 0; j < r->m->nrow; j++) {
    double *x = r->grid.torque + j * n;
    for (ptrdiff_t k = 0; k < n; k++)
      work[k] = interpolate(x, n, fmin(fmax((double)k + shift, 0), (double)(n - 1)));
    memcpy(x, work, (size_t)n * sizeof *x);
  }
  // a torque from beyond the ends does not exist, one from a gap was interpolated: both are invalid
  for (ptrdiff_t k = 0; k < n; k++) {
    const double from = floor((double)k + shift), to = ceil((double)k + shift);
    work[k] =
        from >= 0 && to <= (double)(n - 1) && r->valid[(ptrdiff_t)from] && r->valid[(ptrdiff_t)to];
  }
  for (ptrdiff_t k = 0; k < n; k++) r->valid[k] = r->valid[k] && work[k] > 0;
}
