#include <math.h>
#include <roberval/linalg.h>
#include <roberval/signal.h>
#include <roberval/system.h>
#include <string.h>

#include "model/model_internal.h"

#define FILTER_ORDER 4

/* what is being built; arrays are packed columns of count samples */
typedef struct {
  const rbv_model *m;
  const rbv_log *log;
  ptrdiff_t count;
  double rate_hz;
  double *q, *dq, *ddq;  // njoint
  double *torque;        // nrow
  double *motor;         // njoint: motor torque, where a second channel needs it
} build;

static void layout(build *b, rbv_arena *a) {
  const size_t joints = (size_t)b->count * (size_t)b->m->njoint;
  b->q = RBV_TAKE(a, joints, double);
  b->dq = RBV_TAKE(a, joints, double);
  b->ddq = RBV_TAKE(a, joints, double);
  b->motor = RBV_TAKE(a, joints, double);
  b->torque = RBV_TAKE(a, (size_t)b->count * (size_t)b->m->nrow, double);
}

/* does the log have this channel for every joint of the robot? */
static bool has(const build *b, rbv_channel channel) {
  return rbv_log_channel_count(b->log, channel) >= b->m->njoint;
}

static rbv_status missing(const build *b, const char *what, const char *first) {
  return rbv_fail(RBV_EINPUT,
                  "%s: no %s for all %d joints of '%s' (columns %s1 to %s%d, or a column map)",
                  rbv_log_name(b->log), what, b->m->njoint, b->m->name, first, first, b->m->njoint);
}

/* to = A from, sample by sample; A njoint x njoint, column-major, or its transpose */
static void mix(double *to, const build *b, const double *A, bool transpose, rbv_channel channel) {
  const int n = b->m->njoint;
  memset(to, 0, (size_t)b->count * (size_t)n * sizeof *to);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double a = transpose ? A[j + i * n] : A[i + j * n];
      const double *x = rbv_log_channel(b->log, channel, j);
      if (a == 0) continue;
      for (ptrdiff_t k = 0; k < b->count; k++) to[k + i * b->count] += a * x[k];
    }
}

static void take(double *to, const build *b, rbv_channel channel) {
  for (int j = 0; j < b->m->njoint; j++)
    memcpy(to + j * b->count, rbv_log_channel(b->log, channel, j), (size_t)b->count * sizeof *to);
}

static rbv_status read_positions(build *b) {
  const int n = b->m->njoint;
  if (has(b, RBV_CHANNEL_POSITION)) {
    take(b->q, b, RBV_CHANNEL_POSITION);
    return RBV_OK;
  }
  if (!has(b, RBV_CHANNEL_MOTOR_POSITION)) return missing(b, "positions", "q");
  // q = inv(K) qm
  double *inverse = rbv_alloc((size_t)n * (size_t)n * sizeof *inverse);
  if (!inverse) return RBV_EMEM;
  for (int j = 0; j < n; j++) inverse[j + j * n] = 1;
  const rbv_status status = rbv_solve_general(inverse, n, n, b->m->transmission, n, n);
  if (status == RBV_OK) mix(b->q, b, inverse, false, RBV_CHANNEL_MOTOR_POSITION);
  rbv_free(inverse);
  return status;
}

/* tau, unless the log itself says that it was measured on the other side */
static rbv_status take_torque(double *to, const build *b, rbv_log_sensing other,
                              const char *where) {
  if (rbv_log_get_sensing(b->log) == other)
    return rbv_fail(RBV_EINPUT,
                    "%s: its torque is measured at the %s, which is not what '%s' wants",
                    rbv_log_name(b->log), where, b->m->name);
  take(to, b, RBV_CHANNEL_TORQUE);
  return RBV_OK;
}

/* motor torque, joint-side: tau as it is, or K' taum */
static rbv_status read_motor_torque(double *to, const build *b) {
  if (has(b, RBV_CHANNEL_TORQUE)) return take_torque(to, b, RBV_LOG_SENSING_JOINT, "joint");
  if (has(b, RBV_CHANNEL_MOTOR_TORQUE))
    mix(to, b, b->m->transmission, true, RBV_CHANNEL_MOTOR_TORQUE);
  else
    return missing(b, "motor torques", "tau");
  return RBV_OK;
}

static rbv_status read_joint_torque(double *to, const build *b) {
  if (has(b, RBV_CHANNEL_JOINT_TORQUE))
    take(to, b, RBV_CHANNEL_JOINT_TORQUE);
  else if (has(b, RBV_CHANNEL_TORQUE) && b->m->sensing == RBV_SENSING_JOINT)
    return take_torque(to, b, RBV_LOG_SENSING_MOTOR, "motor");
  else
    return missing(b, "joint torque sensors", "tauj");
  return RBV_OK;
}

static rbv_status read_torques(build *b) {
  const int n = b->m->njoint;
  for (int r = 0; r < b->m->nrow; r += n) {
    double *to = b->torque + (ptrdiff_t)r * b->count;
    switch (b->m->row[r].torque) {
      case RBV_TORQUE_MOTOR: RBV_TRY(read_motor_torque(to, b)); break;
      case RBV_TORQUE_JOINT: RBV_TRY(read_joint_torque(to, b)); break;
      case RBV_TORQUE_DIFFERENCE:
        RBV_TRY(read_motor_torque(b->motor, b));
        RBV_TRY(read_joint_torque(to, b));
        for (ptrdiff_t k = 0; k < b->count * n; k++) to[k] = b->motor[k] - to[k];
    }
  }
  return RBV_OK;
}

static rbv_status differentiate(build *b, double cutoff_hz) {
  const int n = b->m->njoint;
  if (!(cutoff_hz > 0 && cutoff_hz < b->rate_hz / 2))
    return rbv_fail(RBV_EINPUT,
                    "%s: a cut-off of %g Hz is not between 0 and half the rate of %g Hz",
                    rbv_log_name(b->log), cutoff_hz, b->rate_hz);
  const ptrdiff_t padding = rbv_filter_padding(cutoff_hz, b->rate_hz);
  if (padding >= b->count)
    return rbv_fail(RBV_EINPUT, "%s: %td samples are too few for a cut-off of %g Hz",
                    rbv_log_name(b->log), b->count, cutoff_hz);
  rbv_sos sos;
  RBV_TRY(rbv_sos_butterworth(&sos, FILTER_ORDER, cutoff_hz, b->rate_hz));
  rbv_filter_work *w;
  RBV_TRY(rbv_filter_work_new(&w, b->count, padding));
  rbv_status status =
      rbv_filter_zero_phase(b->q, b->count, w, &sos, b->q, b->count, b->count, n, padding);
  if (status == RBV_OK)
    status = rbv_differentiate(b->dq, b->count, b->q, b->count, b->count, n, b->rate_hz);
  if (status == RBV_OK)
    status = rbv_differentiate(b->ddq, b->count, b->dq, b->count, b->count, n, b->rate_hz);
  rbv_filter_work_free(w);
  return status;
}

static rbv_status check_time(build *b) {
  RBV_TRY(rbv_log_require(b->log, 10));
  const rbv_log_rate rate = rbv_log_get_rate(b->log);
  if (!rate.regular)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "%s: the time stamps are not regular (steps from %g to %g s); resample the "
                    "recording first",
                    rbv_log_name(b->log), rate.shortest, rate.longest);
  b->rate_hz = 1 / rate.period;
  return RBV_OK;
}

rbv_status rbv_motion_from_log(rbv_motion **out, const rbv_model *m, const rbv_log *log,
                               const rbv_differentiate_options *options) {
  *out = NULL;
  build b = {.m = m, .log = log, .count = rbv_log_samples(log)};
  RBV_TRY(check_time(&b));
  rbv_arena measure = {0};
  layout(&b, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  layout(&b, &carve);
  rbv_status status = read_positions(&b);
  if (status == RBV_OK) status = read_torques(&b);
  if (status == RBV_OK) status = differentiate(&b, options->cutoff_hz);
  if (status == RBV_OK) {
    const rbv_motion_info info = {rbv_log_name(log), m->njoint, m->nrow,
                                  b.count,           b.rate_hz, options->loaded};
    const rbv_samples samples = {b.count, b.q, b.dq, b.ddq, b.torque};
    status = rbv_motion_from_arrays(out, &info, &samples);
  }
  rbv_free(memory);
  return status;
}
