/*
 * A base that moves, as recorders write it: columns of its pose with a quaternion, or of a sensor
 * of angular rate and specific force; the wrench on it in its own axes, or none. A log gets the
 * columns of all joints of the model from them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job/job_internal.h"
#include "job/recording_check.h"
#include "log/log.h"
#include "prepare/prepare.h"

#define BASE RBV_BASE_COORDINATES
#define NEAR_SINGULAR 0.985  // sine of the pitch: yaw and roll are nearly the same motion

typedef struct {
  const rbv_model *m;
  const rbv_log *log;
  ptrdiff_t count;
  int ncol, room;
  char **name;
  double *A;  // count x ncol
  double *R;  // 9 x count: attitude; NULL: not recorded
  bool sensor;
} completion;

static double *add_column(completion *c, const char *name) {
  char *own = c->ncol < c->room ? rbv_strdup(name) : NULL;
  if (!own) return NULL;
  c->name[c->ncol] = own;
  return c->A + c->ncol++ * c->count;
}

/* the values of columns PREFIX and a name; false: not all are there */
static bool find_columns(const double **out, const rbv_log *log, const char *prefix,
                         const char *const *names, int n) {
  for (int i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s%s", prefix, names[i]);
    const int at = rbv_log_find(log, name);
    if (at < 0) return false;
    out[i] = rbv_log_column_values(log, at);
  }
  return true;
}

/* columns of the log, whose joints follow those of the base */
static rbv_status copy_columns(completion *c, int shift) {
  for (int i = 0; i < rbv_log_column_count(c->log); i++) {
    const rbv_log_column *column = rbv_log_column_at(c->log, i);
    char name[80];
    snprintf(name, sizeof name, "%s", column->name);
    if (column->channel != RBV_CHANNEL_OTHER && column->joint >= 0)
      snprintf(name, sizeof name, "%s%d", rbv_channel_name(column->channel),
               column->joint + 1 + shift);
    double *to = add_column(c, name);
    if (!to) return RBV_EMEM;
    memcpy(to, column->values, (size_t)c->count * sizeof *to);
  }
  return RBV_OK;
}

static rbv_status add_joint(double **out, completion *c, rbv_channel channel, int joint) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", rbv_channel_name(channel), joint + 1);
  *out = add_column(c, name);
  return *out ? RBV_OK : RBV_EMEM;
}

/* ---- pose ---- */

static rbv_status read_attitude(completion *c, const double *const quaternion[4]) {
  c->R = rbv_alloc((size_t)(9 * c->count) * sizeof *c->R);
  if (!c->R) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < c->count; k++) {
    double q[4], size = 0, *R = c->R + 9 * k;
    for (int i = 0; i < 4; i++) {
      q[i] = quaternion[i][k];
      size += q[i] * q[i];
    }
    if (!(fabs(sqrt(size) - 1) < 0.01))
      return rbv_fail(
          RBV_EINPUT,
          "%s: the quaternion base_qw, base_qx, base_qy, base_qz has the length %.3g at "
          "sample %td, not 1",
          rbv_log_name(c->log), sqrt(size), k + 1);
    const double f = 2 / size, w = q[0], x = q[1], y = q[2], z = q[3];
    const double to[9] = {
        1 - f * (y * y + z * z), f * (x * y - w * z),     f * (x * z + w * y),
        f * (x * y + w * z),     1 - f * (x * x + z * z), f * (y * z - w * x),
        f * (x * z - w * y),     f * (y * z + w * x),     1 - f * (x * x + y * y)};
    memcpy(R, to, sizeof to);
  }
  return RBV_OK;
}

/* the angle next to the one before */
static double unwrapped(double angle, double before) {
  return angle + 2 * RBV_PI * rint((before - angle) / (2 * RBV_PI));
}

static rbv_status add_angles(completion *c) {
  double *to[3];
  for (int i = 0; i < 3; i++) RBV_TRY(add_joint(&to[i], c, RBV_CHANNEL_POSITION, 3 + i));
  for (ptrdiff_t k = 0; k < c->count; k++) {
    const double *R = c->R + 9 * k;
    const double angle[3] = {atan2(R[3], R[0]), asin(fmax(-1, fmin(1, -R[6]))), atan2(R[7], R[8])};
    for (int i = 0; i < 3; i++) to[i][k] = k > 0 ? unwrapped(angle[i], to[i][k - 1]) : angle[i];
  }
  return RBV_OK;
}

/* angular rate between two attitudes, in axes of the body [rad] */
static void turn_between(double out[3], const double *A, const double *B) {
  double D[9], angle;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      D[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
  out[0] = (D[7] - D[5]) / 2;
  out[1] = (D[2] - D[6]) / 2;
  out[2] = (D[3] - D[1]) / 2;
  const double sine = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  angle = atan2(sine, (D[0] + D[4] + D[8] - 1) / 2);
  for (int i = 0; i < 3 && sine > 0; i++) out[i] *= angle / sine;
}

/* what a sensor at the origin of the base would have measured, where angles are singular */
static rbv_status add_sensor(completion *c, const double *const place[3]) {
  static const char *const names[BASE] = {"base_acc_x",  "base_acc_y",  "base_acc_z",
                                          "base_gyro_x", "base_gyro_y", "base_gyro_z"};
  const double *t = rbv_log_channel(c->log, RBV_CHANNEL_TIME, -1);
  const double *g = rbv_model_gravity(c->m);
  double *to[BASE];
  for (int i = 0; i < BASE; i++)
    if (!(to[i] = add_column(c, names[i]))) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < c->count && t; k++) {
    const ptrdiff_t at = k < 1 ? 1 : k > c->count - 2 ? c->count - 2 : k;
    const double before = t[at] - t[at - 1], after = t[at + 1] - t[at];
    const double *R = c->R + 9 * at;
    double a[3], turn[3];
    turn_between(turn, c->R + 9 * (at - 1), c->R + 9 * (at + 1));
    for (int i = 0; i < 3; i++)
      a[i] = 2 *
                 ((place[i][at + 1] - place[i][at]) / after -
                  (place[i][at] - place[i][at - 1]) / before) /
                 (before + after) -
             g[i];
    for (int i = 0; i < 3; i++) {
      to[i][k] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
      to[3 + i][k] = turn[i] / (before + after);
    }
  }
  return RBV_OK;
}

static bool is_singular(const completion *c) {
  for (ptrdiff_t k = 0; k < c->count; k++)
    if (fabs(c->R[9 * k + 6]) > NEAR_SINGULAR) return true;
  return false;
}

/* signals of the sensor stand for the positions of the base until they are differentiated */
static rbv_status add_signals(completion *c, const double *const signal[BASE]) {
  for (int i = 0; i < BASE; i++) {
    double *to;
    RBV_TRY(add_joint(&to, c, RBV_CHANNEL_POSITION, i));
    memcpy(to, signal[i], (size_t)c->count * sizeof *to);
  }
  c->sensor = true;
  return RBV_OK;
}

static rbv_status add_motion(completion *c) {
  static const char *const quaternion[4] = {"qw", "qx", "qy", "qz"};
  static const char *const places[3] = {"x", "y", "z"};
  const double *q[4], *place[3], *signal[BASE];
  rbv_base_sensor sensor;
  if (find_columns(q, c->log, "base_", quaternion, 4) &&
      find_columns(place, c->log, "base_", places, 3)) {
    RBV_TRY(read_attitude(c, q));
    if (is_singular(c)) {
      const int first = c->ncol;
      RBV_TRY(add_sensor(c, place));
      for (int i = 0; i < BASE; i++) signal[i] = c->A + (first + i) * c->count;
      return add_signals(c, signal);
    }
    for (int i = 0; i < 3; i++) {
      double *to;
      RBV_TRY(add_joint(&to, c, RBV_CHANNEL_POSITION, i));
      memcpy(to, place[i], (size_t)c->count * sizeof *to);
    }
    return add_angles(c);
  }
  if (!rbv_base_sensor_find(&sensor, c->m, c->log))
    return rbv_fail_option(
        RBV_EINPUT, "map",
        "%s: nothing says how the base moves: give its pose (base_x, base_y, base_z, base_qw, "
        "base_qx, base_qy, base_qz), or a sensor on it (LINK_gyro_x, _y, _z and LINK_acc_x, _y, _z "
        "with its link or site, or `base`)",
        rbv_log_name(c->log));
  for (int i = 0; i < BASE; i++) signal[i] = rbv_log_column_values(c->log, sensor.column[i]);
  return add_signals(c, signal);
}

/* ---- wrench ---- */

/* The rows of the base: forces along the axes of the world, moments about the axes of yaw, pitch
 * and roll; with a sensor the world has the axes of the base. */
static void put_wrench(double *const to[BASE], const completion *c,
                       const double *const wrench[BASE], ptrdiff_t k) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double *R = c->R && !c->sensor ? c->R + 9 * k : unit;
  const double yaw = atan2(R[3], R[0]);
  const double axis[3][3] = {{0, 0, 1}, {-sin(yaw), cos(yaw), 0}, {R[0], R[3], R[6]}};
  double moment[3];
  for (int i = 0; i < 3; i++) {
    to[i][k] = moment[i] = 0;
    for (int j = 0; j < 3; j++) {
      to[i][k] += R[3 * i + j] * wrench[j][k];
      moment[i] += R[3 * i + j] * wrench[3 + j][k];
    }
  }
  for (int i = 0; i < 3; i++)
    to[3 + i][k] = axis[i][0] * moment[0] + axis[i][1] * moment[1] + axis[i][2] * moment[2];
}

static rbv_status add_wrench(completion *c, int shift, const rbv_notes *notes) {
  static const char *const names[BASE] = {"force_x",  "force_y",  "force_z",
                                          "moment_x", "moment_y", "moment_z"};
  const double *wrench[BASE];
  const int first = BASE - shift;  // of the log: the joint behind the base
  const rbv_channel channel = rbv_log_channel(c->log, RBV_CHANNEL_TORQUE, first)
                                  ? RBV_CHANNEL_TORQUE
                                  : RBV_CHANNEL_JOINT_TORQUE;
  if (!rbv_log_channel(c->log, channel, first)) return RBV_OK;
  if (shift == 0 && rbv_log_channel(c->log, channel, 0)) return RBV_OK;
  const bool measured = find_columns(wrench, c->log, "base_", names, BASE);
  double *to[BASE];
  for (int i = 0; i < BASE; i++) RBV_TRY(add_joint(&to[i], c, channel, i));
  for (ptrdiff_t k = 0; k < c->count; k++)
    for (int i = 0; i < BASE; i++) to[i][k] = 0;
  for (ptrdiff_t k = 0; k < c->count && measured; k++) put_wrench(to, c, wrench, k);
  if (!measured)
    rbv_tell(
        notes, NULL,
        "%s: no wrench on the base was recorded (base_force_x, _y, _z, base_moment_x, _y, _z): "
        "it is zero, but for the contacts",
        rbv_log_name(c->log));
  return RBV_OK;
}

/* ---- the log ---- */

static rbv_status complete(rbv_log **out, completion *c, int shift, const rbv_notes *notes) {
  c->count = rbv_log_samples(c->log);
  c->room = rbv_log_column_count(c->log) + 3 * BASE;
  c->name = rbv_alloc((size_t)c->room * sizeof *c->name);
  c->A = rbv_alloc((size_t)(c->room * c->count) * sizeof *c->A);
  if (!c->name || !c->A) return RBV_EMEM;
  RBV_TRY(copy_columns(c, shift));
  RBV_TRY(add_motion(c));
  RBV_TRY(add_wrench(c, shift, notes));
  return rbv_log_new(out, rbv_log_name(c->log), (const char *const *)c->name, c->ncol, c->A,
                     c->count, c->count);
}

rbv_status rbv_recording_complete_base(rbv_log **log, const rbv_model *m, const rbv_notes *notes) {
  const int n = rbv_model_joint_count(m);
  if (!rbv_model_base_moves(m)) return RBV_OK;
  const int recorded = rbv_log_channel_count(*log, RBV_CHANNEL_POSITION);
  const bool named = rbv_log_joint_name(*log, 0) != NULL;
  if (recorded >= n || (named && rbv_log_channel(*log, RBV_CHANNEL_POSITION, 0))) return RBV_OK;
  if (rbv_log_samples(*log) < 3) return RBV_OK;
  completion c = {.m = m, .log = *log};
  rbv_log *whole = NULL;
  const rbv_status status = complete(&whole, &c, named ? 0 : BASE, notes);
  for (int i = 0; i < c.ncol; i++) rbv_free(c.name[i]);
  RBV_FREE_ALL(c.name, c.A, c.R);
  if (status != RBV_OK) return status;
  rbv_log_free(*log);
  *log = whole;
  return RBV_OK;
}
