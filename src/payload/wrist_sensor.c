/*
 * A force/torque sensor between arm and payload reads  w = s (Y(motion) phi) + bias,  linear in the
 * ten parameters phi of the payload and the bias; s is -1 if the sensor reads the force on the arm.
 * If the base is not level, the direction of gravity is found by Gauss-Newton steps around it.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/prepare.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "model/geometry.h"
#include "payload/payload_internal.h"
#include "payload/wrench.h"
#include "result/result.h"

#define BLOCKS 20
#define STEPS 12       // of Gauss-Newton
#define TURN 1e-4      // rad: of numerical derivatives
#define WINDOW_S 0.02  // over which equations of a motion are averaged
#define FEWEST_POSES 4

/* ---- columns of a log ---- */

bool rbv_wrench_find(int column[6], const rbv_log *log, const char *names) {
  static const char *const usual[][6] = {
      {"fx", "fy", "fz", "tx", "ty", "tz"},
      {"fx", "fy", "fz", "mx", "my", "mz"},
      {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"},
      {"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"},
      {"wrench.force.x", "wrench.force.y", "wrench.force.z", "wrench.torque.x", "wrench.torque.y",
       "wrench.torque.z"},
      {"actual_TCP_force_0", "actual_TCP_force_1", "actual_TCP_force_2", "actual_TCP_force_3",
       "actual_TCP_force_4", "actual_TCP_force_5"}};
  if (names) {
    for (int i = 0; i < 6; i++) {
      const size_t length = strcspn(names, ",");
      char name[128];
      if (length >= sizeof name) return false;
      memcpy(name, names, length);
      name[length] = 0;
      column[i] = rbv_log_find(log, name);
      if (column[i] < 0) return false;
      names += length + (names[length] == ',');
    }
    return *names == 0;
  }
  for (int u = 0; u < RBV_COUNT(usual); u++) {
    int found = 0;
    for (int i = 0; i < 6; i++)
      for (int c = 0; c < rbv_log_column_count(log); c++) {
        const char *name = rbv_log_column_at(log, c)->name;
        const size_t n = strlen(name), k = strlen(usual[u][i]);
        // the name, or the end of a longer one: "/ft_sensor.wrench.force.x"
        if (n < k || strcasecmp(name + n - k, usual[u][i]) != 0) continue;
        if (n > k && !strchr("./_ ", name[n - k - 1])) continue;
        column[i] = c;
        found++;
        break;
      }
    if (found == 6) return true;
  }
  return false;
}

/* ---- samples ---- */

/* six equations: means over a window of time, which leave them valid */
typedef struct {
  double R[9];   // axes of the sensor in the base, row-major
  double Y[60];  // wrench of the ten parameters without gravity, 6 x 10, row-major
  double wrench[6];
} sample;

typedef struct {
  int count, npart;
  bool moves;  // inertia is among the unknowns
  sample *at;
  int *part;
} samples;

static void free_samples(samples *s) {
  rbv_free(s->at);
  rbv_free(s->part);
}

static rbv_status new_samples(samples *s, int count) {
  s->count = count;
  s->at = rbv_alloc((size_t)count * sizeof *s->at);
  s->part = rbv_alloc((size_t)count * sizeof *s->part);
  return s->at && s->part ? RBV_OK : RBV_EMEM;
}

/* axes of the sensor at q; rbv_dynamics_pose is column-major */
static void sensor_axes(double R[9], rbv_dynamics *d, int njoint, const double *q,
                        const double sensor[9]) {
  double C[9], p[3];
  rbv_pose link = rbv_pose_identity, frame = rbv_pose_identity;
  rbv_dynamics_pose(C, p, d, q, njoint - 1);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) link.R[3 * i + k] = C[i + 3 * k];
  memcpy(frame.R, sensor, sizeof frame.R);
  link = rbv_pose_multiply(&link, &frame);
  memcpy(R, link.R, sizeof link.R);
}

static void to_sensor(double out[3], const double R[9], const double base[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[i] * base[0] + R[3 + i] * base[1] + R[6 + i] * base[2];
}

/* turning and acceleration of the sensor from Jacobians; J is 6 x n, linear first */
static void sensor_motion(frame_motion *f, const double R[9], rbv_dynamics *d, int n,
                          const double *q, const double *dq, const double *ddq, const double p[3],
                          double *work) {
  double *J = work, *up = work + 6 * n, *down = up + 6 * n, *x = down + 6 * n;
  double v[6] = {0}, a[6] = {0};
  const double h = 1e-4;
  rbv_dynamics_jacobian(J, d, q, n - 1, p);
  for (int j = 0; j < n; j++) x[j] = q[j] + h * dq[j];
  rbv_dynamics_jacobian(up, d, x, n - 1, p);
  for (int j = 0; j < n; j++) x[j] = q[j] - h * dq[j];
  rbv_dynamics_jacobian(down, d, x, n - 1, p);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 6; i++) {
      v[i] += J[i + 6 * j] * dq[j];
      a[i] += J[i + 6 * j] * ddq[j] + (up[i + 6 * j] - down[i + 6 * j]) / (2 * h) * dq[j];
    }
  to_sensor(f->omega, R, v + 3);
  to_sensor(f->alpha, R, a + 3);
  to_sensor(f->acceleration, R, a);
}

/* ---- the fit ---- */

#define INERTIA 6  // unknowns: first moment, mass, bias, then inertia if the arm moves

static const int at_rest[RBV_INERTIAL] = {-1, -1, -1, -1, -1, -1, 0, 1, 2, 3};
static const int moving[RBV_INERTIAL] = {10, 11, 12, 13, 14, 15, 0, 1, 2, 3};

/* equations of all samples with this gravity (base frame) */
static void add_samples(small_fit *fit, const samples *s, const double gravity[3]) {
  for (int k = 0; k < s->count; k++) {
    const sample *at = &s->at[k];
    frame_motion f = {0};
    double g[3], Y[60];
    to_sensor(g, at->R, gravity);
    for (int i = 0; i < 3; i++) f.acceleration[i] = -g[i];
    rbv_wrench_columns(Y, &f);
    for (int i = 0; i < 60; i++) Y[i] += at->Y[i];
    for (int r = 0; r < 6; r++) {
      double x[SMALL_MAX] = {0};
      for (int i = 0; i < 4; i++) x[i] = Y[10 * r + 6 + i];
      x[4 + r] = 1;
      for (int i = 0; i < INERTIA && s->moves; i++) x[10 + i] = Y[10 * r + i];
      rbv_small_add(fit, r / 3, s->part[k], x, at->wrench[r]);
    }
  }
}

/* weighted sum of squares, and with out the solution */
static rbv_status fit_gravity(small_solution *out, small_fit *fit, const samples *s,
                              const double gravity[3], double *deviation) {
  const size_t n = (size_t)fit->n;
  memset(fit->sum, 0, (size_t)(fit->nkind * fit->npart) * (n * n + n + 2) * sizeof *fit->sum);
  add_samples(fit, s, gravity);
  return rbv_small_solve(out, fit, deviation);
}

/* gravity turned by two small angles about axes that are orthogonal to it */
static void turn_gravity(double out[3], const double g[3], double a, double b) {
  const int least = fabs(g[0]) < fabs(g[1]) ? (fabs(g[0]) < fabs(g[2]) ? 0 : 2)
                                            : (fabs(g[1]) < fabs(g[2]) ? 1 : 2);
  const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  double e[3] = {0}, u[3], v[3], norm = 0;
  e[least] = 1;
  const double z[3] = {g[0] / size, g[1] / size, g[2] / size};
  const double u0[3] = {e[1] * z[2] - e[2] * z[1], e[2] * z[0] - e[0] * z[2],
                        e[0] * z[1] - e[1] * z[0]};
  for (int i = 0; i < 3; i++) norm = hypot(norm, u0[i]);
  for (int i = 0; i < 3; i++) u[i] = u0[i] / norm;
  v[0] = z[1] * u[2] - z[2] * u[1];
  v[1] = z[2] * u[0] - z[0] * u[2];
  v[2] = z[0] * u[1] - z[1] * u[0];
  norm = 0;
  for (int i = 0; i < 3; i++) out[i] = z[i] + a * u[i] + b * v[i];
  for (int i = 0; i < 3; i++) norm = hypot(norm, out[i]);
  for (int i = 0; i < 3; i++) out[i] *= size / norm;
}

/* unweighted cost: residual of forces and torques, torques count ten times (N and 0.1 N m) */
static rbv_status cost_of(double *cost, small_fit *fit, const samples *s, const double g[3],
                          small_solution *solution) {
  RBV_TRY(fit_gravity(solution, fit, s, g, NULL));
  *cost = solution->rss;
  return RBV_OK;
}

/* Newton steps in the two angles with numerical derivatives of the cost */
static rbv_status find_gravity(double g[3], double *curvature, small_fit *fit, const samples *s,
                               small_solution *work) {
  *curvature = 0;
  double turn = 0.02;
  for (int step = 0; step < STEPS; step++) {
    double c[3][3], x[3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        turn_gravity(x, g, (i - 1) * turn, (j - 1) * turn);
        RBV_TRY(cost_of(&c[i][j], fit, s, x, work));
      }
    const double ga = (c[2][1] - c[0][1]) / (2 * turn), gb = (c[1][2] - c[1][0]) / (2 * turn);
    const double aa = (c[2][1] - 2 * c[1][1] + c[0][1]) / (turn * turn);
    const double bb = (c[1][2] - 2 * c[1][1] + c[1][0]) / (turn * turn);
    const double ab = (c[2][2] - c[2][0] - c[0][2] + c[0][0]) / (4 * turn * turn);
    const double det = aa * bb - ab * ab;
    if (!(det > 0) || !(aa > 0)) break;
    double a = -(bb * ga - ab * gb) / det, b = -(aa * gb - ab * ga) / det;
    const double size = hypot(a, b);
    if (size > 0.3) a *= 0.3 / size, b *= 0.3 / size;
    turn_gravity(x, g, a, b);
    memcpy(g, x, sizeof x);
    *curvature = fmin(aa, bb);
    if (size < 1e-9) break;
    turn = fmax(TURN, fmin(turn, size));
  }
  return RBV_OK;
}

static double angle_between(const double a[3], const double b[3]) {
  const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
  return atan2(sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]),
               a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

static rbv_status fit_wrist(rbv_wrist_estimate *out, const rbv_model *m, samples *s, bool level) {
  const int n = s->moves ? 16 : 10;
  const double *nominal = rbv_model_gravity(m);
  small_fit fit = {0};
  double *deviation = rbv_alloc((size_t)s->npart * (size_t)n * sizeof *deviation);
  small_solution *work = rbv_alloc(2 * sizeof *work), *solution = work ? work + 1 : NULL;
  rbv_status status = deviation && work ? rbv_small_new(&fit, n, 2, s->npart) : RBV_EMEM;
  memcpy(out->gravity, nominal, sizeof out->gravity);
  double curvature = 0;
  if (status == RBV_OK) status = fit_gravity(solution, &fit, s, nominal, NULL);
  if (status == RBV_OK && solution->value[3] < 0) {
    out->reversed = true;
    for (int k = 0; k < s->count; k++)
      for (int i = 0; i < 6; i++) s->at[k].wrench[i] *= -1;
  }
  if (status == RBV_OK && !level) status = find_gravity(out->gravity, &curvature, &fit, s, work);
  if (status == RBV_OK) status = fit_gravity(solution, &fit, s, out->gravity, deviation);
  if (status == RBV_OK)
    status = rbv_body_take(&out->body, solution, &fit, s->moves ? moving : at_rest);
  if (status == RBV_OK) {
    const double sign = out->reversed ? -1 : 1;
    for (int i = 0; i < 6; i++) {
      out->bias[i] = sign * solution->value[4 + i];
      out->bias_sigma[i] =
          fmax(sqrt(solution->covariance[(4 + i) * (n + 1)]),
               out->body.own.student * rbv_jackknife_spread(deviation + 4 + i, s->npart, n));
    }
    out->tilt = angle_between(nominal, out->gravity);
    const double variance = solution->rss / fmax(1, (double)solution->rows - n - 2);
    out->tilt_sigma = curvature > 0 ? sqrt(2 * variance / curvature) : level ? 0 : INFINITY;
  }
  rbv_small_free(&fit);
  rbv_free(work);
  rbv_free(deviation);
  if (status != RBV_OK) rbv_wrist_estimate_free(out);
  return status;
}

void rbv_wrist_estimate_free(rbv_wrist_estimate *e) {
  if (e) rbv_body_estimate_free(&e->body);
}

rbv_status rbv_payload_from_wrist(rbv_wrist_estimate *out, const rbv_model *m,
                                  const rbv_poses *poses, const double R[9], const double p[3],
                                  bool level) {
  RBV_TRY(rbv_model_need_chain(m, "The payload at a wrist sensor"));
  (void)p;  // at rest the position of the sensor does not matter
  *out = (rbv_wrist_estimate){0};
  const int n = m ? rbv_model_joint_count(m) : 0;
  if (!m || !poses || !poses->wrench || poses->njoint != n)
    return rbv_fail(RBV_EARG, "the poses have no wrench, or are those of another robot");
  if (poses->count < FEWEST_POSES + (level ? 0 : 1))
    return rbv_fail(RBV_EINPUT, "%d poses are too few: hold at least %d, better 12", poses->count,
                    FEWEST_POSES + (level ? 0 : 1));
  samples s = {.npart = poses->count};
  rbv_dynamics *d = NULL;
  double *q = rbv_alloc((size_t)n * sizeof *q);
  rbv_status status = q ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) status = new_samples(&s, poses->count);
  for (int k = 0; k < poses->count && status == RBV_OK; k++) {
    for (int j = 0; j < n; j++) q[j] = poses->q[k + j * poses->count];
    sensor_axes(s.at[k].R, d, n, q, R);
    for (int i = 0; i < 6; i++) s.at[k].wrench[i] = poses->wrench[k + i * poses->count];
    s.part[k] = k;
  }
  if (status == RBV_OK) status = fit_wrist(out, m, &s, level);
  free_samples(&s);
  rbv_dynamics_free(d);
  rbv_free(q);
  return status;
}

/* ---- motions ---- */

rbv_status rbv_wrist_motion(rbv_motion **out, const rbv_model *m, const rbv_log *log,
                            const int wrench[6]) {
  *out = NULL;
  const int n = rbv_model_joint_count(m);
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  if (n < 6)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a wrist sensor in motion needs a robot with six joints, not %d; hold poses",
                    n);
  if (!t) return rbv_fail(RBV_EINPUT, "%s: the time is missing", rbv_log_name(log));
  const ptrdiff_t count = rbv_log_samples(log);
  char(*name)[16] = rbv_alloc((size_t)(2 * n + 1) * sizeof *name);
  const char **names = rbv_alloc((size_t)(2 * n + 1) * sizeof *names);
  double *A = rbv_alloc((size_t)count * (size_t)(2 * n + 1) * sizeof *A);
  rbv_log *copy = NULL;
  rbv_status status = name && names && A ? RBV_OK : RBV_EMEM;
  for (int j = -1; j < 2 * n && status == RBV_OK; j++) {
    const double *x = j < 0       ? t
                      : j < n     ? rbv_log_channel(log, RBV_CHANNEL_POSITION, j)
                      : j - n < 6 ? rbv_log_column_at(log, wrench[j - n])->values
                                  : NULL;
    if (j < 0)
      snprintf(name[0], sizeof *name, "t");
    else
      snprintf(name[j + 1], sizeof *name, "%s%d", j < n ? "q" : "tau", j % n + 1);
    names[j + 1] = name[j + 1];
    if (x) memcpy(A + (j + 1) * count, x, (size_t)count * sizeof *A);
    if (!x && j < n)
      status =
          rbv_fail(RBV_EINPUT, "%s: the position of joint %d is missing", rbv_log_name(log), j + 1);
  }
  if (status == RBV_OK)
    status = rbv_log_new(&copy, rbv_log_name(log), names, 2 * n + 1, A, count, count);
  rbv_differentiate_options how = rbv_differentiate_defaults();
  if (status == RBV_OK) status = rbv_motion_from_log(out, m, copy, &how);
  rbv_log_free(copy);
  rbv_free(A);
  rbv_free(names);
  rbv_free(name);
  return status;
}

/* means over the samples first to first + count - 1 */
static rbv_status read_window(sample *s, rbv_motion *motion, rbv_dynamics *d, ptrdiff_t first,
                              ptrdiff_t count, const double R[9], const double p[3], double *work) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const int n = info->njoint;
  double *q = work, *dq = q + n, *ddq = dq + n, *torque = ddq + n, *rest = torque + info->ntorque;
  const rbv_samples to = {.ld = 1, .q = q, .dq = dq, .ddq = ddq, .torque = torque};
  for (ptrdiff_t k = first; k < first + count; k++) {
    double axes[9], Y[60];
    frame_motion f;
    RBV_TRY(rbv_motion_read(motion, &to, k, 1));
    sensor_axes(axes, d, n, q, R);
    sensor_motion(&f, axes, d, n, q, dq, ddq, p, rest);
    rbv_wrench_columns(Y, &f);
    for (int i = 0; i < 9; i++) s->R[i] += axes[i] / (double)count;
    for (int i = 0; i < 60; i++) s->Y[i] += Y[i] / (double)count;
    for (int i = 0; i < 6; i++) s->wrench[i] += torque[i] / (double)count;
  }
  return RBV_OK;
}

rbv_status rbv_payload_from_wrist_motion(rbv_wrist_estimate *out, const rbv_model *m,
                                         rbv_motion *motion, const double R[9], const double p[3],
                                         bool level) {
  *out = (rbv_wrist_estimate){0};
  const rbv_motion_info *info = motion ? rbv_motion_get_info(motion) : NULL;
  if (!m || !info || info->ntorque < 6)
    return rbv_fail(RBV_EARG, "the motion has no wrench in its first six torques");
  // ends are left out, where derivatives are poor
  const ptrdiff_t edge = info->count / 100 + 1;
  ptrdiff_t step = (ptrdiff_t)(info->rate_hz * WINDOW_S);
  if (step < 1) step = 1;
  if (info->count - 2 * edge < BLOCKS * step)
    return rbv_fail(RBV_EINPUT, "%s: too short for a motion: at least %g s", info->name,
                    BLOCKS * WINDOW_S);
  samples s = {.npart = BLOCKS, .moves = true};
  rbv_dynamics *d = NULL;
  double *work = rbv_alloc((size_t)(22 * info->njoint + info->ntorque + 8) * sizeof *work);
  rbv_status status = work ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) status = new_samples(&s, (int)((info->count - 2 * edge) / step));
  for (int k = 0; k < s.count && status == RBV_OK; k++) {
    status = read_window(&s.at[k], motion, d, edge + k * step, step, R, p, work);
    s.part[k] = (int)((ptrdiff_t)k * BLOCKS / s.count);
  }
  if (status == RBV_OK) status = fit_wrist(out, m, &s, level);
  free_samples(&s);
  rbv_dynamics_free(d);
  rbv_free(work);
  return status;
}
