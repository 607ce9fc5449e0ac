/* Positions and torques of a model from the channels of a log. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "linalg/linalg.h"

#include "log/log.h"
#include "motion/motion_adopt.h"
#include "prepare/prepare_internal.h"

rbv_differentiate_options rbv_differentiate_defaults(void) {
  return (rbv_differentiate_options){.method = RBV_DIFFERENTIATION_BANDPASS};
}

/* ---- memory ---- */

static void layout_samples(samples_block *x, const recording *r, rbv_arena *a) {
  const rbv_model *m = r->m;
  const size_t joints = (size_t)x->count * (size_t)m->njoint;
  RBV_TAKE_ALL(a, joints, double, &x->q, &x->dq, &x->ddq);
  x->torque = RBV_TAKE(a, (size_t)x->count * (size_t)m->nrow, double);
  x->temperature = r->has_temperature ? RBV_TAKE(a, joints, double) : NULL;
  x->contact = r->has_contact ? RBV_TAKE(a, x->count, uint32_t) : NULL;
}

static void layout_raw(recording *r, rbv_arena *a) {
  r->valid = RBV_TAKE(a, r->raw.count, bool);
  r->t = RBV_TAKE(a, r->raw.count, double);
  r->nvr = RBV_TAKE(a, 2 * r->m->njoint, double);
  r->position_noise = RBV_TAKE(a, r->m->njoint, double);
  r->torque_noise = RBV_TAKE(a, r->m->nrow, double);
  layout_samples(&r->raw, r, a);
}

static void layout_grid(recording *r, rbv_arena *a) {
  r->valid = RBV_TAKE(a, r->grid.count, bool);
  layout_samples(&r->grid, r, a);
}

static char *carve(recording *r, void (*layout)(recording *, rbv_arena *)) {
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(r, &a));
  return a.base;
}

/* ---- channels ---- */

/* true if the log has this channel for every joint of the robot */
static bool has_channel(const recording *r, rbv_channel channel) {
  return rbv_log_channel_count(r->log, channel) >= r->m->njoint;
}

static rbv_status missing_channel(const recording *r, const char *what, const char *first) {
  const bool motor = strcmp(first, "tau") == 0 && has_channel(r, RBV_CHANNEL_JOINT_TORQUE);
  const int there =
      strcmp(first, "q") == 0 ? rbv_log_channel_count(r->log, RBV_CHANNEL_POSITION) : 0;
  char only[32] = "";
  if (there > 0) snprintf(only, sizeof only, ", only for %d", there);
  return rbv_fail_option(
      RBV_EINPUT, motor ? "sensing" : "map",
      "%s: no %s for all %d joints of '%s'%s: give columns %s1 to %s%d, or a column map%s",
      rbv_log_name(r->log), what, r->m->njoint, r->m->name, only, first, first, r->m->njoint,
      motor ? ". There are joint torques (tauj): use them" : "");
}

/* to += a * channel; samples with a repeated time stamp are dropped */
static void add_channel(double *to, const recording *r, rbv_channel channel, int joint, double a) {
  const double *x = rbv_log_channel(r->log, channel, joint);
  const ptrdiff_t samples = rbv_log_samples(r->log);
  for (ptrdiff_t k = 0, at = 0; k < samples; k++)
    if (!r->close[k]) to[at++] += a * x[k];
}

static void read_channel(double *to, const recording *r, rbv_channel channel, const double *gains) {
  memset(to, 0, (size_t)r->raw.count * (size_t)r->m->njoint * sizeof *to);
  for (int j = 0; j < r->m->njoint; j++)
    add_channel(to + j * r->raw.count, r, channel, j, gains ? gains[j] : 1);
}

/* q = inv(K) qm + offset */
static rbv_status read_motor_positions(recording *r) {
  const int n = r->m->njoint;
  RBV_NEW(double, inverse, (size_t)n *(size_t)n);
  for (int j = 0; j < n; j++) inverse[j + j * n] = 1;
  const rbv_status status = rbv_solve_general(inverse, n, n, r->m->transmission, n, n);
  for (int j = 0; j < n && status == RBV_OK; j++) {
    double *q = r->raw.q + j * r->raw.count;
    for (ptrdiff_t k = 0; k < r->raw.count; k++) q[k] = r->m->transmission_offset[j];
    for (int i = 0; i < n; i++)
      if (inverse[j + i * n] != 0)
        add_channel(q, r, RBV_CHANNEL_MOTOR_POSITION, i, inverse[j + i * n]);
  }
  rbv_free(inverse);
  return status;
}

/* read tau, unless the log declares that it was measured on the other side */
static rbv_status read_torque(double *to, const recording *r, rbv_log_sensing other,
                              const char *side, const double *gains) {
  if (rbv_log_get_sensing(r->log) == other)
    return rbv_fail(RBV_EINPUT,
                    "%s: its torque was measured at the %s, but '%s' needs it on the other side",
                    rbv_log_name(r->log), side, r->m->name);
  read_channel(to, r, RBV_CHANNEL_TORQUE, gains);
  return RBV_OK;
}

/* motor torque referred to the joints: tau as recorded, or K' taum */
static rbv_status read_motor_torque(double *to, const recording *r) {
  const int n = r->m->njoint;
  const double *K = r->m->transmission, *gains = r->o->gains;
  if (has_channel(r, RBV_CHANNEL_TORQUE))
    return read_torque(to, r, RBV_LOG_SENSING_JOINT, "joint", gains);
  if (!has_channel(r, RBV_CHANNEL_MOTOR_TORQUE)) return missing_channel(r, "motor torques", "tau");
  memset(to, 0, (size_t)r->raw.count * (size_t)n * sizeof *to);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (K[i + j * n] != 0)
        add_channel(to + j * r->raw.count, r, RBV_CHANNEL_MOTOR_TORQUE, i,
                    K[i + j * n] * (gains ? gains[i] : 1));
  return RBV_OK;
}

static rbv_status read_joint_torque(double *to, const recording *r) {
  if (has_channel(r, RBV_CHANNEL_JOINT_TORQUE))
    read_channel(to, r, RBV_CHANNEL_JOINT_TORQUE, NULL);
  else if (has_channel(r, RBV_CHANNEL_TORQUE) && r->m->sensing == RBV_SENSING_JOINT)
    return read_torque(to, r, RBV_LOG_SENSING_MOTOR, "motor", NULL);
  else
    return missing_channel(r, "joint torque sensors", "tauj");
  return RBV_OK;
}

/* scratch: raw count x njoint */
static rbv_status read_positions(recording *r, double *scratch) {
  const int n = r->m->njoint;
  if (has_channel(r, RBV_CHANNEL_POSITION))
    read_channel(r->raw.q, r, RBV_CHANNEL_POSITION, NULL);
  else if (has_channel(r, RBV_CHANNEL_MOTOR_POSITION))
    RBV_TRY(read_motor_positions(r));
  else if (r->o->reference && has_channel(r, RBV_CHANNEL_REFERENCE_POSITION)) {
    read_channel(r->raw.q, r, RBV_CHANNEL_REFERENCE_POSITION, NULL);
    r->origin.from_reference = true;
  } else if (has_channel(r, RBV_CHANNEL_REFERENCE_POSITION)) {
    return rbv_fail_option(
        RBV_EINPUT, "method",
        "%s: no positions for all %d joints of '%s', only their reference, which "
        "is sufficient for the method didim only",
        rbv_log_name(r->log), r->m->njoint, r->m->name);
  } else {
    return missing_channel(r, "positions", "q");
  }

  if (r->o->method == RBV_DIFFERENTIATION_RECORDED) {
    if (!has_channel(r, RBV_CHANNEL_VELOCITY))
      return missing_channel(r, "recorded velocities", "dq");
    read_channel(r->raw.dq, r, RBV_CHANNEL_VELOCITY, NULL);
    r->velocities = true;
    r->accelerations = has_channel(r, RBV_CHANNEL_ACCELERATION);
    if (r->accelerations) read_channel(r->raw.ddq, r, RBV_CHANNEL_ACCELERATION, NULL);
  }
  if (!r->o->stiffness) return RBV_OK;
  RBV_TRY(read_joint_torque(scratch, r));
  for (int j = 0; j < n; j++) {
    const double k = r->o->stiffness[j];
    for (ptrdiff_t i = j * r->raw.count; i < (j + 1) * r->raw.count && k > 0; i++)
      r->raw.q[i] -= scratch[i] / k;
  }
  r->origin.link_side = true;
  return RBV_OK;
}

static rbv_status read_torques(recording *r, double *scratch) {
  const int n = r->m->njoint;
  for (int row = 0; row < r->m->nrow; row += n) {
    double *to = r->raw.torque + row * r->raw.count;
    switch (r->m->row[row].torque) {
      case RBV_TORQUE_MOTOR: RBV_TRY(read_motor_torque(to, r)); break;
      case RBV_TORQUE_JOINT: RBV_TRY(read_joint_torque(to, r)); break;
      case RBV_TORQUE_DIFFERENCE:
        RBV_TRY(read_motor_torque(scratch, r));
        RBV_TRY(read_joint_torque(to, r));
        for (ptrdiff_t k = 0; k < r->raw.count * n; k++) to[k] = scratch[k] - to[k];
    }
  }
  return RBV_OK;
}

/* the joint whose column is the only one of this channel; -1: there are none, or several */
static int only_joint(const rbv_log *log, rbv_channel channel) {
  int joint = -1, count = 0;
  for (int i = 0; rbv_log_column_at(log, i); i++)
    if (rbv_log_column_at(log, i)->channel == channel && ++count > 0)
      joint = rbv_log_column_at(log, i)->joint;
  return count == 1 ? joint : -1;
}

static bool is_finite(const rbv_log *log, rbv_channel channel, int joint) {
  const double *x = rbv_log_channel(log, channel, joint);
  bool finite = x != NULL;
  for (ptrdiff_t k = 0; k < rbv_log_samples(log) && finite; k++) finite = isfinite(x[k]);
  return finite;
}

/* one temperature per joint, or one of all */
static void read_temperatures(recording *r) {
  const int common = only_joint(r->log, RBV_CHANNEL_TEMPERATURE);
  memset(r->raw.temperature, 0,
         (size_t)r->raw.count * (size_t)r->m->njoint * sizeof *r->raw.temperature);
  for (int j = 0; j < r->m->njoint; j++)
    add_channel(r->raw.temperature + j * r->raw.count, r, RBV_CHANNEL_TEMPERATURE,
                common >= 0 ? common : j, 1);
}

/* when contact point i carries a force: column contact_NAME; NULL: not recorded */
static const double *contact_column(const recording *r, int i) {
  const char *const name = r->m->contact[i].name;
  for (int c = 0; rbv_log_column_at(r->log, c); c++) {
    const rbv_log_column *column = rbv_log_column_at(r->log, c);
    if (column->channel == RBV_CHANNEL_OTHER && strncmp(column->name, "contact_", 8) == 0 &&
        strcmp(column->name + 8, name) == 0)
      return column->values;
  }
  return NULL;
}

/* a point without a column may always carry a force */
static rbv_status read_contacts(recording *r) {
  for (ptrdiff_t k = 0; k < r->raw.count; k++) r->raw.contact[k] = UINT32_MAX;
  for (int i = 0; i < r->m->ncontact; i++) {
    const double *x = contact_column(r, i);
    for (ptrdiff_t k = 0, at = 0; x && k < rbv_log_samples(r->log); k++) {
      if (r->close[k]) continue;
      if (x[k] != 0 && x[k] != 1)
        return rbv_fail(RBV_EINPUT,
                        "%s: column contact_%s has %g at sample %td: 1 while the point may carry a "
                        "force, 0 while it does not",
                        rbv_log_name(r->log), r->m->contact[i].name, x[k], k + 1);
      if (x[k] == 0) r->raw.contact[at] &= ~((uint32_t)1 << i);
      at++;
    }
  }
  return RBV_OK;
}

/* ---- options ---- */

static rbv_status check_list(const double *x, int n, bool zero, const char *what) {
  for (int j = 0; x && j < n; j++)
    if (!isfinite(x[j]) || (zero ? x[j] < 0 : x[j] == 0))
      return rbv_fail(RBV_EARG, "%s %g of joint %d is out of range", what, x[j], j + 1);
  return RBV_OK;
}

rbv_status rbv_recording_check(const rbv_model *m, const rbv_differentiate_options *o) {
  if (!*rbv_differentiation_name(o->method))
    return rbv_fail(RBV_EARG, "%d is not a differentiation method", (int)o->method);
  if (!(o->spline_variance >= 0 && isfinite(o->spline_variance)))
    return rbv_fail(RBV_EARG, "the noise variance %g is out of range", o->spline_variance);
  if (!isfinite(o->torque_delay_s))
    return rbv_fail(RBV_EARG, "the torque delay of %g s is out of range", o->torque_delay_s);
  RBV_TRY(check_list(o->stiffness, m->njoint, true, "the stiffness"));
  RBV_TRY(check_list(o->gains, m->njoint, false, "the drive gain"));
  if (o->gains && m->sensing == RBV_SENSING_JOINT)
    return rbv_fail(RBV_EARG,
                    "drive gains scale motor torques, but '%s' has joint torque sensors only",
                    m->name);
  if (o->stiffness && o->method == RBV_DIFFERENTIATION_RECORDED)
    return rbv_fail(RBV_EARG,
                    "recorded velocities are not those of the links: if a stiffness is given, "
                    "differentiate the positions");
  if (!(o->period_s >= 0 && isfinite(o->period_s)))
    return rbv_fail(RBV_EARG, "a period of %g s is not possible", o->period_s);
  if (o->method == RBV_DIFFERENTIATION_FOURIER) {
    if (!(o->period_s > 0))
      return rbv_fail(RBV_EARG,
                      "the fourier method needs the period of the motion; %g s is not possible",
                      o->period_s);
    if (o->harmonics < 0 || o->harmonics > 1000)
      return rbv_fail(RBV_EARG,
                      "%d harmonics are not possible: use 1 to 1000, or 0 to choose from the data",
                      o->harmonics);
  }
  return RBV_OK;
}

/* ---- conversion ---- */

static rbv_status order_joints(rbv_log *log, const rbv_model *m) {
  const char **names = rbv_alloc((size_t)m->njoint * sizeof *names);
  if (!names) return RBV_EMEM;
  for (int j = 0; j < m->njoint; j++) names[j] = m->joint[j].name;
  RBV_FINISH(rbv_log_order_joints(log, names, m->njoint), rbv_free(names));
}

/* count the different time stamps */
static rbv_status count_stamps(recording *r) {
  r->origin.duplicates = rbv_log_close_stamps(r->close, r->log);
  r->raw.count = rbv_log_samples(r->log) - r->origin.duplicates;
  if (r->raw.count < LEAST_SAMPLES)
    return rbv_fail(RBV_EINPUT, "%s: %td samples with different time stamps are too few",
                    rbv_log_name(r->log), r->raw.count);
  return RBV_OK;
}

static rbv_status read_raw(recording *r) {
  add_channel(r->t, r, RBV_CHANNEL_TIME, -1, 1);
  const double start = r->t[0];
  for (ptrdiff_t k = 0; k < r->raw.count; k++) r->t[k] -= start;
  RBV_NEW(double, scratch, (size_t)r->raw.count *(size_t)r->m->njoint);
  rbv_status status = read_positions(r, scratch);
  if (status == RBV_OK) status = read_torques(r, scratch);
  if (status == RBV_OK && r->has_temperature) read_temperatures(r);
  if (status == RBV_OK && r->has_contact) status = read_contacts(r);
  rbv_free(scratch);
  return status;
}

/* joints that the robot does not have: those of a gripper, or the recording is of another robot */
static int count_spare(const recording *r) {
  const int joint = rbv_log_channel_count(r->log, RBV_CHANNEL_POSITION);
  const int motor = rbv_log_channel_count(r->log, RBV_CHANNEL_MOTOR_POSITION);
  const int recorded = joint > motor ? joint : motor;
  return recorded > r->m->njoint ? recorded - r->m->njoint : 0;
}

/* Temperatures of all joints, or one of all, and the time since the start. A mean over periods has
 * no temperatures. */
static void find_conditions(recording *r) {
  const int common = only_joint(r->log, RBV_CHANNEL_TEMPERATURE);
  bool all = r->o->period_s == 0;
  for (int j = 0; j < r->m->njoint && all; j++)
    all = is_finite(r->log, RBV_CHANNEL_TEMPERATURE, common >= 0 ? common : j);
  r->has_temperature = all;
  for (int i = 0; i < r->m->ncontact; i++) r->has_contact |= contact_column(r, i) != NULL;
  const int joint = only_joint(r->log, RBV_CHANNEL_UPTIME);
  const double *uptime = rbv_log_channel(r->log, RBV_CHANNEL_UPTIME, joint);
  r->uptime_s = uptime && isfinite(uptime[0]) ? fmax(uptime[0], 0) : 0;
}

rbv_status rbv_recording_read(char **memory, recording *r) {
  *memory = NULL;
  RBV_TRY(order_joints(r->log, r->m));
  r->origin.spare_joints = count_spare(r);
  find_conditions(r);
  r->close = rbv_alloc((size_t)rbv_log_samples(r->log) * sizeof *r->close);
  rbv_status status = r->close ? count_stamps(r) : RBV_EMEM;
  if (status == RBV_OK) {
    *memory = carve(r, layout_raw);
    status = *memory ? read_raw(r) : RBV_EMEM;
  }
  rbv_free(r->close);
  r->close = NULL;
  return status;
}

rbv_status rbv_signals_from_log(rbv_signals *out, const rbv_model *m, rbv_log *log,
                                const rbv_differentiate_options *options) {
  *out = (rbv_signals){0};
  const rbv_differentiate_options defaults = rbv_differentiate_defaults();
  recording r = {.m = m, .log = log, .o = options ? options : &defaults};
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  if (!t)
    return rbv_fail_option(RBV_EINPUT, "log-rate", "%s: no time column: give the sample rate",
                           rbv_log_name(log));
  RBV_TRY(order_joints(log, m));
  r.raw.count = rbv_log_samples(log);
  r.close = rbv_alloc((size_t)r.raw.count * sizeof *r.close);
  char *memory = r.close ? carve(&r, layout_raw) : NULL;
  const rbv_status status = memory ? read_raw(&r) : RBV_EMEM;
  rbv_free(r.close);
  if (status != RBV_OK) {
    rbv_free(memory);
    return status;
  }
  memcpy(r.t, t, (size_t)r.raw.count * sizeof *t);  // read_raw starts at zero
  *out = (rbv_signals){r.raw.count, r.t, r.raw.q, r.raw.torque, memory};
  return RBV_OK;
}

void rbv_signals_free(rbv_signals *signals) {
  if (!signals) return;
  rbv_free(signals->memory);
  *signals = (rbv_signals){0};
}

rbv_status rbv_recording_shift(recording *r) {
  if (r->o->torque_delay_s == 0) return RBV_OK;
  RBV_NEW(double, work, r->grid.count);
  rbv_grid_delay(r, work);
  rbv_free(work);
  return RBV_OK;
}

/* A joint that stands still has no motion but that of its sensor, which must not count as
 * acceleration: it stays at its mean. */
static rbv_status hold_still_joints(recording *r) {
  const ptrdiff_t n = r->raw.count;
  RBV_NEW(double, span, r->m->njoint);
  for (int j = 0; j < r->m->njoint; j++) {
    const double *q = r->raw.q + j * n;
    double low = q[0], high = q[0];
    for (ptrdiff_t k = 1; k < n; k++) {
      low = fmin(low, q[k]);
      high = fmax(high, q[k]);
    }
    span[j] = high - low;
  }
  const uint64_t still = rbv_still_joints(span, r->m->njoint);
  rbv_free(span);
  for (int j = 0; j < r->m->njoint && j < 64; j++) {
    if (!(still >> j & 1)) continue;
    double *q = r->raw.q + j * n, sum = 0;
    for (ptrdiff_t k = 0; k < n; k++) sum += q[k] - q[0];
    const double mean = q[0] + sum / (double)n;
    for (ptrdiff_t k = 0; k < n; k++) q[k] = mean;
  }
  return RBV_OK;
}

/* memory: block of the grid; the motion takes it, on failure it is freed */
static rbv_status make_motion(rbv_motion **out, recording *r, char *memory) {
  const rbv_motion_info info = {.name = rbv_log_name(r->log),
                                .njoint = r->m->njoint,
                                .ntorque = r->m->nrow,
                                .count = r->grid.count,
                                .rate_hz = r->rate_hz,
                                .loaded = r->o->loaded,
                                .temperature = r->has_temperature,
                                .contact = r->has_contact,
                                .uptime_s = r->uptime_s};
  for (ptrdiff_t k = 0; k < r->grid.count; k++) r->origin.invalid += !r->valid[k];
  const rbv_samples samples = {.ld = r->grid.count,
                               .q = r->grid.q,
                               .dq = r->grid.dq,
                               .ddq = r->grid.ddq,
                               .torque = r->grid.torque,
                               .valid = r->origin.invalid ? r->valid : NULL,
                               .temperature = r->grid.temperature,
                               .contact = r->grid.contact};
  if (r->origin.invalid == r->grid.count) {
    rbv_free(memory);
    return rbv_fail(RBV_EINPUT, "%s: no valid sample is left after removing gaps and delay",
                    rbv_log_name(r->log));
  }
  rbv_motion *motion;
  RBV_TRY(rbv_motion_adopt(&motion, &info, &samples, memory));
  RBV_GIVE(out, motion, rbv_motion_set_origin(motion, &r->origin), rbv_motion_free(motion));
}

/* regular time stamps are already the grid, unless the method also needs the
 * unmodified raw samples */
static bool grid_is_raw(const recording *r) {
  return !r->origin.resampled && r->o->method != RBV_DIFFERENTIATION_SPLINE &&
         r->o->method != RBV_DIFFERENTIATION_FOURIER;
}

rbv_status rbv_motion_from_log(rbv_motion **out, const rbv_model *m, rbv_log *log,
                               const rbv_differentiate_options *options) {
  *out = NULL;
  if (!m || !log) return rbv_fail(RBV_EARG, "a motion needs a model and a recording");
  const rbv_differentiate_options defaults = rbv_differentiate_defaults();
  recording r = {.m = m, .log = log, .o = options ? options : &defaults};
  r.origin.held = rbv_log_held(log);
  char *raw = NULL, *grid = NULL;
  RBV_TRY(rbv_recording_check(m, r.o));
  RBV_TRY(rbv_log_require(log, LEAST_SAMPLES));

  // at the time stamps
  rbv_status status = rbv_recording_read(&raw, &r);
  if (status == RBV_OK && r.o->method != RBV_DIFFERENTIATION_RECORDED)
    status = hold_still_joints(&r);
  if (status == RBV_OK) status = rbv_grid_choose(&r);
  if (status != RBV_OK) goto done;

  // on the grid
  if (grid_is_raw(&r))
    r.grid = r.raw;
  else if (!(grid = carve(&r, layout_grid)))
    status = RBV_EMEM;
  if (status == RBV_OK) status = rbv_grid_fill(&r);
  if (status == RBV_OK) status = rbv_recording_differentiate(&r);
  if (status == RBV_OK) rbv_grid_widen(&r);
  if (status == RBV_OK) status = rbv_recording_shift(&r);
  if (status == RBV_OK) rbv_grid_trim(&r, true, true);
  if (status == RBV_OK) status = rbv_recording_fold(&r);
  if (status == RBV_OK) rbv_base_sensor_apply(&r);
  if (status == RBV_OK) {
    // the arrays of the origin are in raw, which may be the block that the motion takes
    char **kept = grid ? &grid : &raw, *memory = *kept;
    *kept = NULL;
    status = make_motion(out, &r, memory);
  }
done:
  rbv_free(grid);
  rbv_free(raw);
  return status;
}
