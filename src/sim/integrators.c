/* Integration from one tick to the next: one row per method. */
#include <string.h>

#include "sim/sim_internal.h"

static void keep_first(plant *p, const double *rate, int count, bool first) {
  if (first) memcpy(p->ddq, rate, (size_t)count * sizeof *rate);
}

/* a lane stays irregular once its mass matrix was singular */
static void evaluate(plant *p, double *rate, rbv_lanes *lanes, const double *q, const double *dq,
                     const double *torque) {
  bool regular[LANES_WIDTH];
  rbv_lanes_forward(rate, regular, lanes, q, dq, torque);
  for (int k = 0; k < rbv_lanes_width(lanes); k++) p->regular[k] = p->regular[k] && regular[k];
}

/* ---- classical Runge-Kutta ---- */

static void rk4(plant *p, rbv_lanes *lanes, int njoint, double h, bool first) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const int n = njoint * rbv_lanes_width(lanes);
  double *sum_q = p->kq, *sum_v = p->kv;
  memset(sum_q, 0, (size_t)n * sizeof *sum_q);
  memset(sum_v, 0, (size_t)n * sizeof *sum_v);
  memcpy(p->stage_q, p->q, (size_t)n * sizeof *p->q);
  memcpy(p->stage_dq, p->dq, (size_t)n * sizeof *p->dq);
  for (int s = 0; s < 4; s++) {
    evaluate(p, p->rate, lanes, p->stage_q, p->stage_dq, p->applied);
    if (s == 0) keep_first(p, p->rate, n, first);
    const double next = s < 3 ? h * at[s + 1] : 0, w = h * weight[s];
    for (int i = 0; i < n; i++) {
      const double v = p->stage_dq[i], a = p->rate[i];
      sum_q[i] += w * v;
      sum_v[i] += w * a;
      p->stage_q[i] = p->q[i] + next * v;
      p->stage_dq[i] = p->dq[i] + next * a;
    }
  }
  for (int i = 0; i < n; i++) {
    p->q[i] += sum_q[i];
    p->dq[i] += sum_v[i];
  }
  rbv_lanes_step_states(lanes, p->dq, h);
}

/* ---- ROS34PW2 ---- */

/*
 * (I - h g J) k_i = h f(y + sum a_ij k_j) + h J sum_(j<i) g_ij k_j,  y <- y + sum b_i k_i, with
 * J = [0 I; 0 -inv(M) D]. With u = k_i + s/g, s = sum g_ij k_j, no product with J is left:
 * (I - h g J) u = h f + s/g, of which the lower half is u_v = inv(M + h g D) M (h f_v + s_v/g).
 */
static const double gamma_ii = 0.435866521508459;
static const double a_ij[STAGES][STAGES] = {
    {0}, {0.871733043016918}, {0.8445706001536943, -0.1129906423648419}, {0, 0, 1}};
static const double g_ij[STAGES][STAGES] = {
    {0},
    {-0.871733043016918},
    {-0.9033805701304408, 0.05418067238809533},
    {0.2421238070609535, -1.2232505839045147, 0.5452602553351021}};
static const double b_i[STAGES] = {0.2421238070609535, -1.2232505839045147, 1.5452602553351021,
                                   0.435866521508459};

/* out = base + sum of the first stages; base NULL: zero */
static void gather(double *out, const double *base, const double *k, const double *weight,
                   int stages, int n) {
  for (int i = 0; i < n; i++) out[i] = base ? base[i] : 0;
  for (int s = 0; s < stages; s++)
    if (weight[s] != 0)
      for (int i = 0; i < n; i++) out[i] += weight[s] * k[s * n + i];
}

/* the state at which stage s is evaluated */
static void begin_stage(plant *p, int s, int n) {
  gather(p->stage_q, p->q, p->kq, a_ij[s], s, n);
  gather(p->stage_dq, p->dq, p->kv, a_ij[s], s, n);
}

/* the increments of stage s with these torques */
static void end_stage(plant *p, rbv_lanes *lanes, const double *torque, int s, int n, double h,
                      bool first) {
  const double hg = h * gamma_ii, *v = s == 0 ? p->dq : p->stage_dq;
  double *kq = p->kq + s * n, *kv = p->kv + s * n;
  if (s == 0) {
    bool regular[LANES_WIDTH];
    rbv_lanes_linearise(p->rate, regular, lanes, p->q, p->dq, torque, hg);
    for (int k = 0; k < rbv_lanes_width(lanes); k++) p->regular[k] = p->regular[k] && regular[k];
    keep_first(p, p->rate, n, first);
  } else {
    evaluate(p, p->rate, lanes, p->stage_q, p->stage_dq, torque);
  }
  gather(p->gather, NULL, p->kv, g_ij[s], s, n);
  for (int i = 0; i < n; i++) kv[i] = h * p->rate[i] + p->gather[i] / gamma_ii;
  rbv_lanes_apply(kv, lanes);
  for (int i = 0; i < n; i++) {
    kq[i] = h * v[i] + hg * kv[i];
    kv[i] -= p->gather[i] / gamma_ii;
  }
}

static void end_step(plant *p, rbv_lanes *lanes, int n, double h) {
  gather(p->q, p->q, p->kq, b_i, STAGES, n);
  gather(p->dq, p->dq, p->kv, b_i, STAGES, n);
  rbv_lanes_step_states(lanes, p->dq, h);
}

static void rosenbrock(plant *p, rbv_lanes *lanes, int njoint, double h, bool first) {
  const int n = njoint * rbv_lanes_width(lanes);
  for (int s = 0; s < STAGES; s++) {
    if (s > 0) begin_stage(p, s, n);
    end_stage(p, lanes, p->applied, s, n, h, first);
  }
  end_step(p, lanes, n, h);
}

static bool is_rigid(const springs *s, int i) { return s->stiffness[i] == 0; }

/* The order of the method does not depend on the Jacobian: that of the friction is used for both
 * parts, and springs are explicit. Their period must be resolved: see rbv_sim_elastic_substeps. */
void rbv_advance_elastic(plant *motor, rbv_lanes *motor_lanes, plant *link, rbv_lanes *link_lanes,
                         const springs *between, int njoint, double h, bool first) {
  const int n = njoint * rbv_lanes_width(motor_lanes);
  for (int s = 0; s < STAGES; s++) {
    if (s > 0) {
      begin_stage(motor, s, n);
      begin_stage(link, s, n);
    }
    const double *theta = s ? motor->stage_q : motor->q, *dtheta = s ? motor->stage_dq : motor->dq;
    const double *q = s ? link->stage_q : link->q, *dq = s ? link->stage_dq : link->dq;
    for (int i = 0; i < n; i++) {
      const double bend = theta[i] - q[i];
      const double spring =
          between->stiffness[i] * bend + between->damping[i] * (dtheta[i] - dq[i]);
      const double whole = spring + between->cubic[i] * bend * bend * bend;
      between->torque[i] = is_rigid(between, i) ? 0 : motor->applied[i] - whole;
      link->applied[i] = is_rigid(between, i) ? motor->applied[i] : whole;
    }
    end_stage(motor, motor_lanes, between->torque, s, n, h, first);
    end_stage(link, link_lanes, link->applied, s, n, h, first);
  }
  end_step(motor, motor_lanes, n, h);
  end_step(link, link_lanes, n, h);
  for (int i = 0; i < n; i++) {
    if (!is_rigid(between, i)) continue;
    motor->q[i] = link->q[i];
    motor->dq[i] = link->dq[i];
    if (first) motor->ddq[i] = link->ddq[i];
  }
}

/* ---- ROS2 ---- */

/*
 * Two stages of the same form, docs/theory/integration.md:
 *
 *   (M + h g D) u_1 = h F(q, v),                          k_1 = u_1
 *   (M' + h g D) u_2 = h F(q', v') - M' k_1 / b,          k_2 = u_2 + k_1 / b
 *   y <- y + (1 - b) k_1 + b k_2
 *
 * with y' = y + k_1 / (2 b) and increments h v + h g u of the positions. The order is 2 for any D;
 * b = 3/4 also satisfies the conditions of order 3 without D, g = 1 - 1/sqrt(2) makes it L-stable.
 */
static const double ros2_g = 0.29289321881345254, ros2_b = 0.75;

static void ros2(plant *p, rbv_lanes *lanes, int njoint, double h, bool first) {
  const int width = rbv_lanes_width(lanes), n = njoint * width;
  const double hg = h * ros2_g, b = ros2_b, at = 1 / (2 * b);
  double *q1 = p->kq, *v1 = p->kv, *u = p->rate, *s = p->gather;
  bool regular[LANES_WIDTH];
  rbv_lanes_stage(v1, first ? p->ddq : NULL, regular, lanes, p->q, p->dq, p->applied, h, hg, NULL);
  for (int k = 0; k < width && first; k++) p->regular[k] = p->regular[k] && regular[k];
  for (int i = 0; i < n; i++) {
    q1[i] = h * p->dq[i] + hg * v1[i];
    s[i] = -v1[i] / b;
    p->stage_q[i] = p->q[i] + at * q1[i];
    p->stage_dq[i] = p->dq[i] + at * v1[i];
  }
  rbv_lanes_stage(u, NULL, regular, lanes, p->stage_q, p->stage_dq, p->applied, h, hg, s);
  for (int i = 0; i < n; i++) {
    p->q[i] += (1 - b) * q1[i] + b * (h * p->stage_dq[i] + hg * u[i]);
    p->dq[i] += (1 - b) * v1[i] + b * (u[i] - s[i]);
  }
  rbv_lanes_step_states(lanes, p->dq, h);
}

const integrator_row rbv_integrators[] = {
    [RBV_INTEGRATOR_ROSENBROCK] = {"rosenbrock", 2.5e-4, rosenbrock},
    [RBV_INTEGRATOR_RK4] = {"rk4", 5e-5, rk4},
    [RBV_INTEGRATOR_ROS2] = {"ros2", 2.5e-4, ros2},
};

#define INTEGRATORS RBV_COUNT(rbv_integrators)

const char *rbv_integrator_name(rbv_integrator integrator) {
  return (int)integrator >= 0 && (int)integrator < INTEGRATORS ? rbv_integrators[integrator].name
                                                               : "?";
}

bool rbv_integrator_parse(rbv_integrator *out, const char *name) {
  const int i = RBV_FIND(rbv_integrators, INTEGRATORS, name, name);
  if (i >= 0) *out = (rbv_integrator)i;
  return i >= 0;
}

bool rbv_integrator_scheme(device_scheme *out, rbv_integrator integrator) {
  if (integrator == RBV_INTEGRATOR_ROS2) {
    *out = (device_scheme){.stages = 2,
                           .own_mass = 1,
                           .gamma = ros2_g,
                           .a = {[1] = {1 / (2 * ros2_b)}},
                           .g = {[1] = {-ros2_g / ros2_b}},
                           .b = {1 - ros2_b, ros2_b}};
    return true;
  }
  if (integrator != RBV_INTEGRATOR_ROSENBROCK) return false;
  *out = (device_scheme){.stages = STAGES, .gamma = gamma_ii};
  memcpy(out->a, a_ij, sizeof a_ij);
  memcpy(out->g, g_ij, sizeof g_ij);
  memcpy(out->b, b_i, sizeof b_i);
  return true;
}
