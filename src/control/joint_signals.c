#include "control/joint_signals.h"
#include "signal/signal.h"

#include <math.h>
#include <string.h>

#define SATURATED_RUN 5  // samples with the same extreme torque that make it a limit
#define SAMPLES_MIN 200
// shorter segments give less information than their unknown initial values need
#define SEGMENT_MIN 50

void joint_data_free(joint_data *d) {
  rbv_free(d->error);
  rbv_free(d->segment);
  law_work_free(d->work);
}

static rbv_status allocate(joint_data *d, const rbv_control_record *r, int nrecord) {
  for (int i = 0; i < nrecord; i++) d->length += r[i].count;
  const size_t n = (size_t)d->length;
  RBV_NEW(double, block, (6 + RBV_COUNT(d->signal)) * n);
  double **const place[] = {&d->error,        &d->tau,  &d->velocity,
                            &d->acceleration, &d->rate, &d->position};
  for (int i = 0; i < RBV_COUNT(place); i++) *place[i] = block + (size_t)i * n;
  for (int i = 0; i < RBV_COUNT(d->signal); i++) d->signal[i] = block + (6 + (size_t)i) * n;
  d->segment = rbv_alloc((n / SEGMENT_MIN + 1) * sizeof *d->segment);
  if (!d->segment) return RBV_EMEM;
  return law_work_new(&d->work, d->length);
}

/* first and second central differences: as in a simulation without reference velocities */
static void difference(double *velocity, double *acceleration, const double *q, ptrdiff_t n,
                       double T) {
  for (ptrdiff_t k = 0; k < n; k++) {
    const ptrdiff_t at = k == 0 ? 1 : k + 1 == n ? n - 2 : k;
    const ptrdiff_t a = k > 0 ? k - 1 : 0, b = k + 1 < n ? k + 1 : n - 1;
    velocity[k] = (q[b] - q[a]) / ((double)(b - a) * T);
    acceleration[k] = n < 3 ? 0 : (q[at + 1] - 2 * q[at] + q[at - 1]) / (T * T);
  }
}

static void take_record(joint_data *d, const rbv_control_record *r, int joint, ptrdiff_t at) {
  const double *qr = r->qr + joint * r->ld, *qm = r->qm + joint * r->ld;
  const size_t bytes = (size_t)r->count * sizeof(double);
  memcpy(d->tau + at, r->tau + joint * r->ld, bytes);
  memcpy(d->position + at, qm, bytes);
  for (ptrdiff_t k = 0; k < r->count; k++) {
    d->error[at + k] = qr[k] - qm[k];
    d->rate[at + k] = k > 0 ? (qr[k] - qr[k - 1]) / d->period_s : 0;
  }
  difference(d->velocity + at, d->acceleration + at, qr, r->count, d->period_s);
  if (r->dqr) memcpy(d->velocity + at, r->dqr + joint * r->ld, bytes);
  if (r->ddqr) memcpy(d->acceleration + at, r->ddqr + joint * r->ld, bytes);
}

/* number of samples with this value, and its longest run */
static void count_value(ptrdiff_t *total, ptrdiff_t *run, const double *x, ptrdiff_t n,
                        double value) {
  ptrdiff_t now = 0;
  *total = *run = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    now = x[k] == value ? now + 1 : 0;
    *total += now > 0;
    if (now > *run) *run = now;
  }
}

static bool finite_at(const joint_data *d, ptrdiff_t k) {
  return isfinite(d->error[k]) && isfinite(d->tau[k]) && isfinite(d->velocity[k]) &&
         isfinite(d->acceleration[k]) && isfinite(d->rate[k]);
}

static void add_segment(joint_data *d, ptrdiff_t first, ptrdiff_t end) {
  // all lags of all structures stay inside the record
  const ptrdiff_t from = first + d->o->delay + ORDER_MAX + 2;
  if (end - from < SEGMENT_MIN) return;
  d->segment[d->nsegment++] = (law_segment){from, end - from};
  d->used += end - from;
}

/* split one recording into segments between torque limits and samples that are not finite */
static void split_record(joint_data *d, ptrdiff_t first, ptrdiff_t end, double low, double high) {
  ptrdiff_t start = first;
  for (ptrdiff_t k = first; k < end; k++) {
    const bool limited = d->tau[k] <= low || d->tau[k] >= high;
    if (!limited && finite_at(d, k)) continue;
    d->saturated += limited;
    add_segment(d, start, k);
    start = k + 1;
  }
  add_segment(d, start, end);
}

/* an extreme that occurs often is a limit; one that is held for several samples
 * belongs to the law */
static double find_limit(double *known, const joint_data *d, double extreme, double none) {
  ptrdiff_t total, run;
  count_value(&total, &run, d->tau, d->length, extreme);
  if (run >= SATURATED_RUN) *known = extreme;
  return total >= SATURATED_RUN ? extreme : none;
}

static rbv_status check_motion(const joint_data *d, const rbv_control_record *r, int nrecord,
                               int joint, double low, double high) {
  double smallest = INFINITY, largest = -INFINITY;
  for (int i = 0; i < nrecord; i++)
    for (ptrdiff_t k = 0; k < r[i].count; k++) {
      smallest = fmin(smallest, r[i].qr[k + joint * r[i].ld]);
      largest = fmax(largest, r[i].qr[k + joint * r[i].ld]);
    }
  const char *name = r[0].name ? r[0].name : "record";
  if (!(largest - smallest > 1e-6))
    return rbv_fail(RBV_EINPUT,
                    "%s: the reference of joint %d never moves: record a motion in which every "
                    "joint moves",
                    name, d->number);
  if (!(high > low))
    return rbv_fail(RBV_EINPUT,
                    "%s: the torque of joint %d is constant: record the drive's torque or its "
                    "control signal while it moves",
                    name, d->number);
  if (d->used < SAMPLES_MIN)
    return rbv_fail(RBV_EINPUT,
                    "%s: joint %d has only %td usable samples (%td are at a torque limit), %d are "
                    "needed: record longer, at the rate of the controller",
                    name, d->number, d->used, d->saturated, SAMPLES_MIN);
  return RBV_OK;
}

/* rms error of the recorded position: white noise, or the quantisation of the encoder */
static rbv_status find_resolution(double *rms, const joint_data *d) {
  const law_segment *longest = &d->segment[0];
  for (int s = 1; s < d->nsegment; s++)
    if (d->segment[s].count > longest->count) longest = &d->segment[s];
  const double *q = d->position + longest->first;
  double variance, step = INFINITY;
  RBV_TRY(rbv_noise_variance(&variance, q, longest->count));
  ptrdiff_t still = 0;
  for (ptrdiff_t k = 1; k < longest->count; k++) {
    const double move = fabs(q[k] - q[k - 1]);
    if (move > 1e-12)
      step = fmin(step, move);
    else
      still++;
  }
  // the step is that of an encoder if most samples repeat the previous value
  const bool coarse = 2 * still > longest->count && isfinite(step);
  *rms = fmax(sqrt(variance), coarse ? step / sqrt(12) : 0);
  return RBV_OK;
}

rbv_status joint_data_load(joint_data *d, const rbv_control_record *r, int nrecord, int joint) {
  RBV_TRY(allocate(d, r, nrecord));
  double low = INFINITY, high = -INFINITY;
  ptrdiff_t at = 0;
  for (int i = 0; i < nrecord; at += r[i++].count) take_record(d, &r[i], joint, at);
  for (ptrdiff_t k = 0; k < d->length; k++) {
    low = fmin(low, d->tau[k]);
    high = fmax(high, d->tau[k]);
  }
  const double lower = find_limit(&d->lower, d, low, -INFINITY);
  const double upper = find_limit(&d->upper, d, high, INFINITY);
  at = 0;
  for (int i = 0; i < nrecord; at += r[i++].count)
    split_record(d, at, at + r[i].count, lower, upper);
  RBV_TRY(check_motion(d, r, nrecord, joint, low, high));
  double sum = 0;
  for (int s = 0; s < d->nsegment; s++)
    for (ptrdiff_t k = 0; k < d->segment[s].count; k++)
      sum += pow(d->tau[d->segment[s].first + k], 2);
  d->rms = sqrt(sum / (double)d->used);
  return find_resolution(&d->resolution, d);
}

/* ---- estimation problem of a structure ---- */

enum { TORQUE, ERROR, EXTRA };  // indices of joint_data.signal

static const double *extra_signal(const joint_data *d, const law_structure *s, int m) {
  return s->extra == EXTRA_CASCADE ? d->rate : m == 0 ? d->velocity : d->acceleration;
}

/*
 * If the law has an integrator, the torque is differenced (equation, error side) or the inputs are
 * summed (torque side, where differencing would colour white noise of the torque).
 */
law_problem joint_data_problem(joint_data *d, const law_structure *s, law_side side) {
  const int nx = structure_extra_count(s);
  const bool sum = s->integrates && side == SIDE_TORQUE, differ = s->integrates && !sum;
  const bool loop =
      s->extra == EXTRA_CASCADE;  // its input is inside the integral, unlike feed-forward
  for (int i = 0; i < d->nsegment; i++) {
    double total = 0, inside = 0;
    for (ptrdiff_t k = d->segment[i].first; k < d->segment[i].first + d->segment[i].count; k++) {
      const ptrdiff_t late = k - s->delay;
      d->signal[TORQUE][k] = differ ? d->tau[k] - d->tau[k - 1] : d->tau[k];
      total += d->error[late];
      d->signal[ERROR][k] = sum ? total : d->error[late];
      for (int m = 0; m < nx; m++) {
        const double *x = extra_signal(d, s, m);
        inside += x[late];
        d->signal[EXTRA + m][k] = loop && sum       ? inside
                                  : !loop && differ ? x[late] - x[late - 1]
                                                    : x[late];
      }
    }
  }
  law_problem b = {.nin = 1 + nx, .segment = d->segment, .nsegment = d->nsegment, .step = sum};
  const bool backwards = side == SIDE_ERROR;
  b.out = d->signal[backwards ? ERROR : TORQUE];
  b.in[0] = d->signal[backwards ? TORQUE : ERROR];
  b.nf = backwards ? s->nb : s->na;
  b.ng[0] = 1 + (backwards ? s->na : s->nb);
  for (int m = 0; m < nx; m++) {
    b.in[1 + m] = d->signal[EXTRA + m];
    b.ng[1 + m] = structure_extra_coefficients(s);
  }
  return b;
}
