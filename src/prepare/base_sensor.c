/* A sensor of angular rate and specific force on a base that moves, in place of its pose. */
#include <stdio.h>
#include <string.h>

#include "log/log.h"
#include "prepare/prepare_internal.h"

static const char *const axis_name[3] = {"x", "y", "z"};

/* the frame of columns FRAME_gyro_x: on the base */
static bool find_frame(double R[9], double p[3], const rbv_model *m, const char *name) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (rbv_model_frame(R, p, m, name) == RBV_BASE_COORDINATES) return true;
  if (strcmp(name, "base") != 0) return false;
  memcpy(R, unit, sizeof unit);
  memset(p, 0, 3 * sizeof *p);
  return true;
}

bool rbv_base_sensor_find(rbv_base_sensor *out, const rbv_model *m, const rbv_log *log) {
  static const char end[] = "_gyro_x";
  if (!rbv_model_base_moves(m)) return false;
  for (int i = 0; i < rbv_log_column_count(log); i++) {
    char name[64], column[80];
    const char *text = rbv_log_column_name(log, i);
    const size_t length = strlen(text), tail = strlen(end);
    if (length <= tail || length - tail >= sizeof name || strcmp(text + length - tail, end) != 0)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(length - tail), text);
    bool all = find_frame(out->R, out->p, m, name);
    for (int k = 0; k < RBV_BASE_COORDINATES; k++) {
      snprintf(column, sizeof column, "%s_%s_%s", name, k < 3 ? "acc" : "gyro", axis_name[k % 3]);
      out->column[k] = rbv_log_find(log, column);
      all = all && out->column[k] >= 0;
    }
    if (all) return true;
  }
  return false;
}

static void rotate(double out[3], const double R[9], const double x[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

static void cross(double out[3], const double a[3], const double b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

void rbv_base_sensor_apply(recording *r) {
  rbv_base_sensor s;
  const ptrdiff_t n = r->grid.count;
  if (!rbv_base_sensor_find(&s, r->m, r->log)) return;
  for (ptrdiff_t k = 0; k < n; k++) {
    double x[9], turn[3], away[3], q[RBV_BASE_COORDINATES], dq[RBV_BASE_COORDINATES];
    double ddq[RBV_BASE_COORDINATES];
    rbv_base_motion b;
    for (int i = 0; i < 3; i++) {
      x[i] = r->grid.q[k + i * n];
      x[3 + i] = r->grid.q[k + (3 + i) * n];
      x[6 + i] = r->grid.dq[k + (3 + i) * n];
    }
    rotate(b.force, s.R, x);
    rotate(b.angular, s.R, x + 3);
    rotate(b.angular_change, s.R, x + 6);
    // from the place of the sensor to the origin of the base
    cross(turn, b.angular, s.p);
    cross(away, b.angular, turn);
    cross(turn, b.angular_change, s.p);
    for (int i = 0; i < 3; i++) b.force[i] -= turn[i] + away[i];
    rbv_base_states(q, dq, ddq, r->m, &b);
    for (int i = 0; i < RBV_BASE_COORDINATES; i++) {
      r->grid.q[k + i * n] = q[i];
      r->grid.dq[k + i * n] = dq[i];
      r->grid.ddq[k + i * n] = ddq[i];
    }
  }
}
