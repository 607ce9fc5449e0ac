/* A recording on a regular grid, with holes filled, low-passed and differentiated. */
#include <math.h>
#include <roberval/sys/stats.h>
#include <string.h>
#include "linalg/linalg.h"
#include "signal/signal.h"

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_VIEW);

/* the recording as it is: one column per joint, then one per torque row */
typedef struct {
  ptrdiff_t samples;
  int ncol;
  double *X;      // samples x ncol
  double *t;      // time stamps
  bool *filled;   // samples: a value was missing in some column
  bool resample;  // the stamps increase but are not regular
} table;

/* ---- columns of the log ---- */

static bool has(const rbv_log *log, rbv_channel channel, int n) {
  return rbv_log_channel_count(log, channel) >= n;
}

/* to = A x (or A' x) of a channel, sample by sample */
static void mix(double *to, const rbv_log *log, rbv_channel channel, const double *A, int n,
                bool transpose) {
  const ptrdiff_t samples = rbv_log_samples(log);
  memset(to, 0, (size_t)samples * (size_t)n * sizeof *to);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double a = transpose ? A[j + i * n] : A[i + j * n];
      const double *x = rbv_log_channel(log, channel, j);
      for (ptrdiff_t k = 0; k < samples && a != 0; k++) to[k + i * samples] += a * x[k];
    }
}

static void copy(double *to, const rbv_log *log, rbv_channel channel, int n) {
  const ptrdiff_t samples = rbv_log_samples(log);
  for (int j = 0; j < n; j++)
    memcpy(to + j * samples, rbv_log_channel(log, channel, j), (size_t)samples * sizeof *to);
}

static rbv_status read_positions(double *to, const rbv_model *m, const rbv_log *log) {
  const int n = rbv_model_joint_count(m);
  if (has(log, RBV_CHANNEL_POSITION, n)) {
    copy(to, log, RBV_CHANNEL_POSITION, n);
    return RBV_OK;
  }
  double *inverse = rbv_alloc((size_t)n * (size_t)n * sizeof *inverse);
  if (!inverse) return RBV_EMEM;
  for (int j = 0; j < n; j++) inverse[j + j * n] = 1;
  const rbv_status status = rbv_solve_general(inverse, n, n, rbv_model_transmission(m), n, n);
  if (status == RBV_OK) mix(to, log, RBV_CHANNEL_MOTOR_POSITION, inverse, n, false);
  rbv_free(inverse);
  return status;
}

static void read_motor_torque(double *to, const rbv_model *m, const rbv_log *log) {
  const int n = rbv_model_joint_count(m);
  if (has(log, RBV_CHANNEL_TORQUE, n))
    copy(to, log, RBV_CHANNEL_TORQUE, n);
  else
    mix(to, log, RBV_CHANNEL_MOTOR_TORQUE, rbv_model_transmission(m), n, true);
}

static void read_joint_torque(double *to, const rbv_model *m, const rbv_log *log) {
  const int n = rbv_model_joint_count(m);
  copy(to, log,
       has(log, RBV_CHANNEL_JOINT_TORQUE, n) ? RBV_CHANNEL_JOINT_TORQUE : RBV_CHANNEL_TORQUE, n);
}

/* torques of the model's rows; channels come in blocks of njoint rows */
static rbv_status read_torques(double *to, const rbv_model *m, const rbv_log *log) {
  const int n = rbv_model_joint_count(m);
  const ptrdiff_t size = rbv_log_samples(log) * n;
  for (int r = 0; r < rbv_model_row_count(m); r += n, to += size)
    switch (rbv_model_row(m, r)->torque) {
      case RBV_TORQUE_MOTOR: read_motor_torque(to, m, log); break;
      case RBV_TORQUE_JOINT: read_joint_torque(to, m, log); break;
      case RBV_TORQUE_DIFFERENCE: {
        double *joint = rbv_alloc((size_t)size * sizeof *joint);
        if (!joint) return RBV_EMEM;
        read_motor_torque(to, m, log);
        read_joint_torque(joint, m, log);
        for (ptrdiff_t k = 0; k < size; k++) to[k] -= joint[k];
        rbv_free(joint);
      }
    }
  return RBV_OK;
}

/* true if all channels exist; adds findings */
static bool check_channels(examination *x, const rbv_log *log, int number) {
  const rbv_model *m = x->model;
  const int n = rbv_model_joint_count(m), joints = rbv_log_joint_count(log);
  const char *name = rbv_log_name(log), *robot = rbv_model_name(m);
  const rbv_finding f = finding_in(RBV_FINDING_CHANNEL, RBV_SEVERITY_ERROR, number, -1, NAN);
  bool complete = true;
  if (!has(log, RBV_CHANNEL_POSITION, n) && !has(log, RBV_CHANNEL_MOTOR_POSITION, n)) {
    rbv_add_finding(
        x, finding_with(f, "map"),
        "%s: positions of all %d joints of '%s' are needed (columns q1 to q%d, or qm1 to qm%d). "
        "Name the columns in a column map, or choose the right robot",
        name, n, robot, n, n);
    complete = false;
  }
  bool motor = false, joint = false;
  for (int r = 0; r < rbv_model_row_count(m); r++) {
    motor |= rbv_model_row(m, r)->torque != RBV_TORQUE_JOINT;
    joint |= rbv_model_row(m, r)->torque != RBV_TORQUE_MOTOR;
  }
  const bool tau = has(log, RBV_CHANNEL_TORQUE, n);
  const bool positions = complete && has(log, RBV_CHANNEL_REFERENCE_POSITION, n);
  if (motor && !joint && !tau && !has(log, RBV_CHANNEL_MOTOR_TORQUE, n) && positions) {
    rbv_finding advice = f;
    advice.severity = RBV_SEVERITY_WARNING;
    rbv_add_finding(
        x, finding_with(advice, "method"),
        "%s: there are no motor torques, but positions and references: method cloe identifies the "
        "drives from them and the control law. %sIf torques were recorded, name their columns in a "
        "column map",
        name,
        x->options.laws > 1 ? ""
                            : "Record the motion with two sets of gains at least, because one set "
                              "does not show a wrong gain or filter. ");
    complete = false;
  } else if (motor && !tau && !has(log, RBV_CHANNEL_MOTOR_TORQUE, n)) {
    rbv_add_finding(
        x, finding_with(f, "sensing"),
        "%s: motor torques of all %d joints of '%s' are needed (columns tau1 to tau%d, or taum1 "
        "to taum%d). Name the columns in a column map, or choose another sensing",
        name, n, robot, n, n);
    complete = false;
  }
  if (joint && !has(log, RBV_CHANNEL_JOINT_TORQUE, n) && !(tau && !motor)) {
    rbv_add_finding(
        x, finding_with(f, "sensing"),
        "%s: joint torques of all %d joints of '%s' are needed (columns tauj1 to tauj%d). Name "
        "the columns in a column map, or choose another sensing",
        name, n, robot, n);
    complete = false;
  }
  if (complete && joints > n) {
    rbv_finding more = f;
    more.severity = RBV_SEVERITY_WARNING;
    rbv_add_finding(
        x, more,
        "%s: the recording has %d joints and '%s' has %d; the last %d are ignored. Check that "
        "it is the right robot",
        name, joints, robot, n, joints - n);
  }
  return complete;
}

/* ---- missing values and time stamps ---- */

/* interpolate values that are not finite; false if no value is finite */
static bool fill_holes(double *x, bool *filled, ptrdiff_t n) {
  ptrdiff_t last = -1;
  for (ptrdiff_t k = 0; k <= n; k++) {
    if (k < n && !isfinite(x[k])) {
      filled[k] = true;
      continue;
    }
    if (k == n && last < 0) return false;
    for (ptrdiff_t i = last + 1; i < k; i++) {
      const double before = last < 0 ? x[k] : x[last], after = k == n ? before : x[k];
      const double share = (double)(i - last) / (double)(k - last);
      x[i] = before + (after - before) * share;
    }
    last = k;
  }
  return true;
}

static rbv_status read_table(table *t, bool *complete, const rbv_model *m, const rbv_log *log) {
  RBV_TRY(read_positions(t->X, m, log));
  RBV_TRY(read_torques(t->X + t->samples * rbv_model_joint_count(m), m, log));
  *complete = true;
  for (int c = 0; c < t->ncol && *complete; c++)
    *complete = fill_holes(t->X + c * t->samples, t->filled, t->samples);
  return RBV_OK;
}

/* Values beyond LARGEST are not physical, and their squares overflow; true if there are none. */
static bool check_sizes(examination *x, const view *v, const table *t) {
  for (int c = 0; c < t->ncol; c++)
    for (ptrdiff_t k = 0; k < t->samples; k++) {
      const double value = t->X[k + c * t->samples];
      if (fabs(value) <= LARGEST) continue;
      const bool torque = c >= v->njoint;
      const int joint = torque ? rbv_model_row(x->model, c - v->njoint)->joint : c;
      char words[JOINT_LABEL];
      rbv_joint_label(words, x, joint);
      rbv_finding f = finding_of(RBV_FINDING_MISSING, RBV_SEVERITY_ERROR, v, joint, value);
      f.sample = k;
      rbv_add_finding(x, f,
                      "%s: the %s of %s is %.3g at sample %td, which is not physical. Remove this "
                      "row, or record again",
                      rbv_log_name(v->log), torque ? "torque" : "position", words, value, k + 1);
      return false;
    }
  return true;
}

/* the sample rate, and whether the stamps need resampling; 0: the rate is not known */
static double choose_rate(bool *resample, const rbv_log_rate *r, ptrdiff_t samples) {
  *resample = false;
  if (!r->known || !(r->median > 0)) return r->known && r->period > 0 ? 1 / r->period : 0;
  if (r->regular) return 1 / r->period;
  *resample = r->increasing && r->duration / r->median < (double)(GRID_GROWTH * samples);
  return 1 / r->median;
}

/* ---- the view ---- */

static void layout(view *v, rbv_arena *a) {
  const size_t joints = (size_t)v->count * (size_t)v->njoint;
  const size_t rows = (size_t)v->count * (size_t)v->nrow;
  v->raw = RBV_TAKE(a, joints, double);
  v->q = RBV_TAKE(a, joints, double);
  v->dq = RBV_TAKE(a, joints, double);
  v->ddq = RBV_TAKE(a, joints, double);
  v->torque = RBV_TAKE(a, rows, double);
  v->smooth = RBV_TAKE(a, rows, double);
  v->keep = RBV_TAKE(a, v->count, bool);
  v->speed = RBV_TAKE(a, v->njoint, double);
  v->still = RBV_TAKE(a, v->njoint, double);
  v->resolution = RBV_TAKE(a, v->njoint, double);
  v->knot = RBV_TAKE(a, KNOTS, ptrdiff_t);
  v->knot_q = RBV_TAKE(a, KNOTS * v->njoint, double);
  v->knot_dq = RBV_TAKE(a, KNOTS * v->njoint, double);
  v->knot_ddq = RBV_TAKE(a, KNOTS * v->njoint, double);
}

static rbv_status allocate(view *v) {
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(v, &carve));
  v->memory = carve.base;
  if (!carve.base) return RBV_EMEM;
  return RBV_OK;
}

/* copy to the grid, with resampling if needed */
static rbv_status to_grid(view *v, const table *t) {
  const ptrdiff_t n = t->samples;
  if (!t->resample) {
    v->count = n;
    RBV_TRY(allocate(v));
    memcpy(v->raw, t->X, (size_t)(n * v->njoint) * sizeof *v->raw);
    memcpy(v->torque, t->X + n * v->njoint, (size_t)(n * v->nrow) * sizeof *v->torque);
    for (ptrdiff_t k = 0; k < n; k++) v->keep[k] = !t->filled[k];
    return RBV_OK;
  }
  rbv_resampler *r;
  RBV_TRY(rbv_resampler_new(&r, t->t, n, v->rate_hz));
  v->count = rbv_resampler_count(r);
  rbv_status status = allocate(v);
  const double gap = 2.5 / v->rate_hz;
  if (status == RBV_OK)
    status =
        rbv_resample(v->raw, v->count, v->keep, r, t->X, n, v->njoint, RBV_RESAMPLE_CUBIC, gap);
  if (status == RBV_OK)
    status = rbv_resample(v->torque, v->count, NULL, r, t->X + n * v->njoint, n, v->nrow,
                          RBV_RESAMPLE_MONOTONE, gap);
  rbv_resampler_free(r);
  if (status != RBV_OK) return status;
  for (ptrdiff_t k = 0, from = 0; k < v->count; k++) {
    const double at = t->t[0] + (double)k / v->rate_hz;
    while (from + 1 < n && t->t[from + 1] <= at) from++;
    if (t->filled[from] || (from + 1 < n && t->filled[from + 1])) v->keep[k] = false;
  }
  return RBV_OK;
}

/* the cut-off suggested by the positions, limited by the length of the recording */
static rbv_status choose_cutoff(view *v) {
  rbv_suggestion s;
  double cutoff = fmin(20, 0.2 * v->rate_hz);
  const rbv_status status =
      rbv_signal_suggest(&s, v->raw, v->count, v->count, v->njoint, v->rate_hz);
  if (status == RBV_EMEM) return status;
  if (status == RBV_OK && s.cutoff_hz > 0) cutoff = s.cutoff_hz;
  const double least = 4 * v->rate_hz / (double)v->count;
  v->cutoff_hz = fmin(fmax(cutoff, least), 0.4 * v->rate_hz);
  return RBV_OK;
}

static rbv_status differentiate(view *v) {
  const ptrdiff_t n = v->count;
  RBV_TRY(choose_cutoff(v));
  const ptrdiff_t padding = rbv_filter_padding(v->cutoff_hz, v->rate_hz);
  rbv_sos sos;
  RBV_TRY(rbv_sos_butterworth(&sos, FILTER_ORDER, v->cutoff_hz, v->rate_hz));
  rbv_filter_work *w;
  RBV_TRY(rbv_filter_work_new(&w, n, padding));
  rbv_status status = rbv_filter_zero_phase(v->q, n, w, &sos, v->raw, n, n, v->njoint, padding);
  if (status == RBV_OK)
    status = rbv_filter_zero_phase(v->smooth, n, w, &sos, v->torque, n, n, v->nrow, padding);
  rbv_filter_work_free(w);
  if (status == RBV_OK) status = rbv_differentiate(v->dq, n, v->q, n, n, v->njoint, v->rate_hz);
  if (status == RBV_OK) status = rbv_differentiate(v->ddq, n, v->dq, n, n, v->njoint, v->rate_hz);
  return status;
}

/* 95 % speed of each joint, and its standstill threshold */
static rbv_status measure_speeds(view *v) {
  const ptrdiff_t n = v->count;
  double *work = rbv_alloc((size_t)n * sizeof *work);
  if (!work) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int j = 0; j < v->njoint && status == RBV_OK; j++) {
    for (ptrdiff_t k = 0; k < n; k++) work[k] = fabs(v->dq[k + j * n]);
    double variance = 0;
    const double p = 0.95;
    status = rbv_stats_quantiles(&v->speed[j], work, work, n, &p, 1);
    if (status == RBV_OK) status = rbv_noise_variance(&variance, v->raw + j * n, n);
    // variance of white position noise after differentiation and low-pass: 2 s^2/f (2 pi)^2 fc^3/3
    const double fc = v->cutoff_hz;
    const double noise = 2 * RBV_PI * sqrt(2 * variance / v->rate_hz * fc * fc * fc / 3);
    v->still[j] = fmax(REST_SHARE * v->speed[j], REST_NOISE * noise);
  }
  rbv_free(work);
  return status;
}

/* Smallest change of each position: the resolution of its encoder. Rows that were filled do not
 * count, because they are between the steps of the encoder. */
static void measure_resolutions(view *v) {
  const ptrdiff_t n = v->count;
  const bool own_rows = n == rbv_log_samples(v->log);  // the grid is the log's
  for (int j = 0; j < v->njoint; j++) {
    const double *x = v->raw + j * n;
    double low = x[0], high = x[0], least = INFINITY;
    for (ptrdiff_t k = 1; k < n; k++) {
      low = fmin(low, x[k]);
      high = fmax(high, x[k]);
    }
    for (ptrdiff_t k = 1; k < n; k++) {
      const double step = fabs(x[k] - x[k - 1]);
      if (own_rows && (rbv_log_is_filled(v->log, k - 1) || rbv_log_is_filled(v->log, k))) continue;
      if (step > 1e-9 * (high - low)) least = fmin(least, step);
    }
    v->resolution[j] = isfinite(least) ? least : 0;
  }
}

/* true if no value from k - reach to k + reach was filled */
static bool all_kept(const view *v, ptrdiff_t k, ptrdiff_t reach) {
  for (ptrdiff_t i = k - reach; i <= k + reach; i++)
    if (i < 0 || i >= v->count || !v->keep[i]) return false;
  return true;
}

static void place_knots(view *v, int most) {
  const ptrdiff_t n = v->count;
  // the low-pass spreads filled values over about a period of its cut-off
  const ptrdiff_t reach = (ptrdiff_t)(v->rate_hz / v->cutoff_hz) + 1;
  const ptrdiff_t edge = reach + 1;
  for (int i = 0; i < most; i++) {
    const ptrdiff_t k = edge + (n - 2 * edge) * i / most;
    if (k < edge || k >= n - edge || (v->nknot && k == v->knot[v->nknot - 1]) ||
        !all_kept(v, k, reach))
      continue;
    v->knot[v->nknot++] = k;
  }
  for (int j = 0; j < v->njoint; j++)
    for (int i = 0; i < v->nknot; i++) {
      v->knot_q[i + j * v->nknot] = v->q[v->knot[i] + j * n];
      v->knot_dq[i + j * v->nknot] = v->dq[v->knot[i] + j * n];
      v->knot_ddq[i + j * v->nknot] = v->ddq[v->knot[i] + j * n];
    }
}

static rbv_status build_from(view *v, examination *x, table *t) {
  bool whole;
  RBV_TRY(read_table(t, &whole, x->model, v->log));
  if (!whole || !check_sizes(x, v, t)) return RBV_OK;
  RBV_TRY(to_grid(v, t));
  RBV_TRY(differentiate(v));
  RBV_TRY(measure_speeds(v));
  measure_resolutions(v);
  place_knots(v, KNOTS);
  v->usable = true;
  return RBV_OK;
}

rbv_status rbv_view_build(view *v, examination *x, const rbv_log *log, int number) {
  *v = (view){.log = log, .number = number, .stamps = rbv_log_get_rate(log)};
  v->loaded = x->options.loaded && x->options.loaded[number];
  v->njoint = rbv_model_joint_count(x->model);
  v->nrow = rbv_model_row_count(x->model);
  const bool complete = check_channels(x, log, number);
  table t = {.samples = rbv_log_samples(log), .ncol = v->njoint + v->nrow};
  v->rate_hz = choose_rate(&t.resample, &v->stamps, t.samples);
  if (t.samples < SHORTEST)
    rbv_add_finding(
        x, finding_of(RBV_FINDING_SHORT, RBV_SEVERITY_ERROR, v, -1, (double)t.samples),
        "%s: %td samples are too few for an identification. Record several seconds, at least %d "
        "samples",
        rbv_log_name(log), t.samples, SHORTEST);
  if (!complete || t.samples < SHORTEST || !(v->rate_hz > 0)) return RBV_OK;
  const double *stamps = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  t.X = rbv_alloc((size_t)t.samples * (size_t)t.ncol * sizeof *t.X);
  t.t = rbv_alloc((size_t)t.samples * sizeof *t.t);
  t.filled = rbv_alloc((size_t)t.samples * sizeof *t.filled);
  rbv_status status = t.X && t.t && t.filled ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    memcpy(t.t, stamps, (size_t)t.samples * sizeof *t.t);
    status = build_from(v, x, &t);
  }
  rbv_free(t.X);
  rbv_free(t.t);
  rbv_free(t.filled);
  return status;
}

void rbv_view_free(view *v) {
  rbv_free(v->memory);
  rbv_log_free(v->own);
  *v = (view){0};
}
