/*
 * Elastic joints against numbers of an independent program (ref/README.md beside the recordings):
 * a model with the motors as coordinates has their accelerations and torques, and its integration
 * gives their motion. Variants with cubic stiffness and with a rigid joint.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "document/document.h"
#include "dynamics/resonance.h"
#include "nodes.h"
#include "support.h"

#define MOST 3  // joints
#define ROWS 201

typedef struct {
  rbv_document *doc;
  const rbv_node *root;
  rbv_model *plain, *m;
  rbv_dynamics *d;
  int n, nc;  // joints, coordinates
  double stiffness[MOST], damping[MOST], gamma;
  char variant[64];
} arm;

static const rbv_node *of_variant(const arm *a, const char *key) {
  char path[160];
  snprintf(path, sizeof path, "%s.%s", a->variant, key);
  return node_at(a->root, path);
}

static double value(const rbv_node *list, int k, int j) {
  const rbv_node *row = rbv_node_at(list, k);
  double x;
  assert_ok(rbv_node_real(&x, j < 0 ? row : rbv_node_at(row, j)));
  return x;
}

/* "joint j is rigid in this variant" */
static bool is_rigid(const arm *a, const char *joint) {
  const rbv_node *list = of_variant(a, "rigid");
  for (int i = 0; i < rbv_node_count(list); i++)
    if (strcmp(rbv_node_text(rbv_node_at(list, i)), joint) == 0) return true;
  return false;
}

/* the URDF and, beside it, drives and springs */
static arm load(const char *file, const char *variant) {
  arm a = {0};
  char path[128], urdf[2048];
  snprintf(path, sizeof path, "../ref/%s", file);
  assert_ok(rbv_document_load(&a.doc, recording(path)));
  a.root = rbv_document_root(a.doc);
  snprintf(a.variant, sizeof a.variant, "simulation.variants.%s", variant);
  a.n = rbv_node_count(node_at(a.root, "joint_order"));
  a.gamma = real_at(a.root, "robot.gamma");
  snprintf(urdf, sizeof urdf, "%s",
           temp_file("arm.urdf", rbv_node_text(node_at(a.root, "robot.urdf"))));
  rbv_text y = {0};
  rbv_text_print(&y, "urdf: %s\nfriction: {gamma: %g}\njoints:\n", urdf, a.gamma);
  for (int j = 0; j < a.n; j++) {
    const char *name = rbv_node_text(rbv_node_at(node_at(a.root, "joint_order"), j));
    const char *const key[] = {"B", "Fv", "Fc", "off", "K", "D"};
    double x[6];
    for (int i = 0; i < 6; i++) {
      snprintf(path, sizeof path, "robot.%s", key[i]);
      x[i] = value(node_at(a.root, path), j, -1);
    }
    rbv_text_print(&y, "  - {name: %s, parameters: {Ia: %.17g, Fv: %.17g, Fc: %.17g, off: %.17g}",
                   name, x[0], x[1], x[2], x[3]);
    const double cubic = value(of_variant(&a, "K3"), j, -1);
    if (!is_rigid(&a, name)) {
      a.stiffness[j] = x[4];
      a.damping[j] = x[5];
      rbv_text_print(&y, ", elastic: {stiffness: %.17g, damping: %.17g, cubic: %.17g}", x[4], x[5],
                     cubic);
    }
    rbv_text_put(&y, "}\n");
  }
  assert_false(y.failed);
  assert_ok(rbv_model_load(&a.plain, temp_file("arm.yaml", y.data), NULL));
  rbv_text_free(&y);
  rbv_model_terms terms = rbv_model_get_terms(a.plain);
  terms.motors = true;
  assert_ok(rbv_model_variant(&a.m, a.plain, &terms));
  a.nc = rbv_model_joint_count(a.m);
  assert_ok(rbv_dynamics_new(&a.d, a.m));
  assert_ok(rbv_dynamics_set(a.d, rbv_model_parameters(a.m), false));
  return a;
}

static void drop(arm *a) {
  rbv_dynamics_free(a->d);
  rbv_model_free(a->m);
  rbv_model_free(a->plain);
  rbv_document_free(a->doc);
}

/* joints, then motors, of a row of two lists; torques of joints with a motor of their own are 0 */
static void take(double *out, const arm *a, const char *joints, const char *motors, int k) {
  for (int j = 0; j < a->n; j++) {
    const int motor = rbv_model_motor(a->m, j);
    out[j] = joints ? value(of_variant(a, joints), k, j) : 0;
    if (motor != j || !joints) out[motor] = value(of_variant(a, motors), k, j);
  }
}

static const struct {
  const char *file, *variant;
  int motors;
} cases[] = {{"elastic_2joint.json", "linear", 2},
             {"elastic_2joint.json", "cubic", 2},
             {"elastic_3joint.json", "linear", 3},
             {"elastic_3joint.json", "first_joint_rigid", 2}};

/* every listed state: torques of the motion, accelerations of the torques */
static void test_states(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    arm a = load(cases[i].file, cases[i].variant);
    assert_int_equal(rbv_model_motor_count(a.m), cases[i].motors);
    assert_int_equal(a.nc, a.n + cases[i].motors);
    double worst_torque = 0, worst_motion = 0, size = 0;
    for (int k = 0; k < ROWS; k++) {
      double q[2 * MOST], dq[2 * MOST], ddq[2 * MOST], tau[2 * MOST] = {0}, got[2 * MOST];
      bool regular;
      take(q, &a, "q", "th", k);
      take(dq, &a, "qd", "thd", k);
      take(ddq, &a, "qdd", "thdd", k);
      take(tau, &a, NULL, "tau_m", k);
      rbv_dynamics_inverse(got, a.d, q, dq, ddq);
      for (int j = 0; j < a.nc; j++) {
        worst_torque = fmax(worst_torque, fabs(got[j] - tau[j]));
        size = fmax(size, fabs(tau[j]));
      }
      rbv_dynamics_forward(got, &regular, a.d, q, dq, tau);
      assert_true(regular);
      for (int j = 0; j < a.nc; j++)
        worst_motion = fmax(worst_motion, fabs(got[j] - ddq[j]) / (1 + fabs(ddq[j])));
    }
    print_message("%s %s: torque %.1e of %.3g, acceleration %.1e\n", cases[i].file,
                  cases[i].variant, worst_torque, size, worst_motion);
    // the file has 17 digits: rounding of the deflections, 1e-16 rad of a stiffness of 6000, and
    // of the torques
    assert_near(worst_torque, 0, 1e-10 * size, 0);
    assert_near(worst_motion, 0, 1e-8, 0);
    drop(&a);
  }
}

/* ---- motion ---- */

/* derivative of positions and velocities at time t, with the continuous controller of the file */
static void derivative(double *out, const arm *a, const double *x, double t) {
  double tau[2 * MOST] = {0};
  bool regular;
  const rbv_node *c = node_at(a->root, "simulation.controller");
  for (int j = 0; j < a->n; j++) {
    const int motor = rbv_model_motor(a->m, j);
    double want = value(node_at(c, "c"), j, -1), speed = 0;
    for (int k = 0; k < 3; k++) {
      const double w = value(node_at(c, "omega"), k, -1), amp = value(node_at(c, "amp"), j, k);
      const double phase = w * t + value(node_at(c, "phase"), j, k);
      want += amp * sin(phase);
      speed += amp * w * cos(phase);
    }
    tau[motor] = value(node_at(c, "kp"), j, -1) * (want - x[motor]) +
                 value(node_at(c, "kd"), j, -1) * (speed - x[a->nc + motor]) +
                 value(of_variant(a, "ff"), j, -1);
  }
  memcpy(out, x + a->nc, (size_t)a->nc * sizeof *out);
  rbv_dynamics_forward(out + a->nc, &regular, a->d, x, x + a->nc, tau);
  assert_true(regular);
}

/* the method of order 5 of Dormand and Prince */
static void advance(double *x, const arm *a, double t, double h) {
  static const double c[] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1};
  static const double b[6][5] = {
      {0},
      {0.2},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};
  static const double weight[] = {35.0 / 384,     0,        500.0 / 1113, 125.0 / 192,
                                  -2187.0 / 6784, 11.0 / 84};
  double k[6][4 * MOST], y[4 * MOST];
  const int size = 2 * a->nc;
  for (int s = 0; s < 6; s++) {
    memcpy(y, x, sizeof y);
    for (int i = 0; i < size; i++)
      for (int r = 0; r < s; r++) y[i] += h * b[s][r] * k[r][i];
    derivative(k[s], a, y, t + c[s] * h);
  }
  for (int i = 0; i < size; i++)
    for (int s = 0; s < 6; s++) x[i] += h * weight[s] * k[s][i];
}

#define STEPS 100 /* per 10 ms: the fastest spring has 0.03 rad per step */

static void test_motion(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    arm a = load(cases[i].file, cases[i].variant);
    double x[4 * MOST] = {0}, worst = 0;
    take(x, &a, "q", "th", 0);
    take(x + a.nc, &a, "qd", "thd", 0);
    const int last = SANITIZED ? 20 : ROWS;
    for (int k = 0; k < last; k++) {
      double q[2 * MOST];
      take(q, &a, "q", "th", k);
      for (int j = 0; j < a.nc; j++) worst = fmax(worst, fabs(x[j] - q[j]));
      for (int s = 0; s < STEPS; s++) advance(x, &a, 0.01 * k + 1e-4 * s, 1e-4);
    }
    print_message("%s %s: %.1e rad after %.2f s\n", cases[i].file, cases[i].variant, worst,
                  0.01 * (last - 1));
    assert_near(worst, 0, 1e-8, 0);
    drop(&a);
  }
}

/* ---- structure ---- */

/* names of columns and joints; the rigid model has the same columns, and zeros for the springs */
static void test_names(void **state) {
  (void)state;
  arm a = load("elastic_3joint.json", "first_joint_rigid");
  assert_string_equal(rbv_model_joint(a.m, 3)->name, "j2_motor");
  assert_int_equal(rbv_model_motor(a.m, 0), 0);
  assert_int_equal(rbv_model_motor(a.m, 1), 3);
  assert_int_equal(rbv_model_column_count(a.m), rbv_model_column_count(a.plain));
  for (int c = 0; c < rbv_model_column_count(a.plain); c++) {
    int other = 0;
    while (strcmp(rbv_model_column(a.m, other)->name, rbv_model_column(a.plain, c)->name) != 0)
      assert_true(++other < rbv_model_column_count(a.m));
  }
  double stiffness[MOST], cubic[MOST], damping[MOST];
  assert_int_equal(
      rbv_model_springs(stiffness, cubic, damping, a.plain, rbv_model_parameters(a.plain)), 2);
  for (int j = 0; j < 3; j++) {
    assert_near(stiffness[j], a.stiffness[j], 0, 0);
    assert_near(damping[j], a.damping[j], 0, 0);
  }
  // the rigid model: rotor, link and friction on one coordinate
  rbv_dynamics *d;
  const double q[] = {0.3, -0.4, 0.5}, dq[] = {0.6, 0.7, -0.8}, ddq[] = {1, -2, 3};
  double both[6], at[6], speed[6], accel[6], rigid[3];
  assert_ok(rbv_dynamics_new(&d, a.plain));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(a.plain), false));
  rbv_dynamics_inverse(rigid, d, q, dq, ddq);
  for (int j = 0; j < 3; j++) {
    const int motor = rbv_model_motor(a.m, j);
    at[j] = at[motor] = q[j];
    speed[j] = speed[motor] = dq[j];
    accel[j] = accel[motor] = ddq[j];
  }
  rbv_dynamics_inverse(both, a.d, at, speed, accel);
  for (int j = 0; j < 3; j++) {
    const int motor = rbv_model_motor(a.m, j);
    assert_near(both[j] + (motor != j ? both[motor] : 0), rigid[j], 1e-12, 1e-12);
  }
  rbv_dynamics_free(d);
  drop(&a);
}

/* frequencies of the file, which has two zeros per joint that moves freely */
static void test_resonances(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(cases); i += 2) {
    arm a = load(cases[i].file, cases[i].variant);
    const rbv_node *want = node_at(a.root, "free_resonances_at_q0.omega");
    double q[MOST];
    for (int j = 0; j < a.n; j++) q[j] = value(node_at(a.root, "simulation.q0"), j, -1);
    rbv_resonances r;
    assert_ok(rbv_resonances_find(&r, a.plain, rbv_model_parameters(a.plain), false, q));
    assert_int_equal(r.count, a.n);
    for (int j = 0; j < a.n; j++) {
      assert_near(2 * M_PI * r.free[j], value(want, a.n + j, -1), 0, 1e-8);
      // a held rotor lowers every frequency
      assert_true(r.held[j] > 0 && r.held[j] < r.free[j]);
    }
    rbv_resonances_free(&r);
    drop(&a);
  }
}

static void refuse(const char *yaml, const char *text) {
  rbv_model *m, *variant;
  rbv_status status = rbv_model_parse(&m, "robot", yaml, strlen(yaml), NULL);
  if (status == RBV_OK) {
    rbv_model_terms terms = rbv_model_get_terms(m);
    terms.motors = true;
    status = rbv_model_variant(&variant, m, &terms);
    rbv_model_free(m);
  }
  assert_true(status != RBV_OK);
  if (!strstr(rbv_message(), text)) fail_msg("'%s' lacks '%s'", rbv_message(), text);
}

static void test_refusals(void **state) {
  (void)state;
  refuse("joints: [{mdh: {}, elastic: {damping: 3}}]", "stiffness");
  refuse("joints: [{mdh: {}, elastic: {stiffness: 0}}]", "above zero");
  refuse("joints: [{mdh: {}, elastic: {stiffness: 100, damping: -1}}]", "not be negative");
  refuse("joints: [{mdh: {}, elastic: {stiffness: 100, cubical: 1}}]", "cubical");
  refuse(
      "joints: [{mdh: {}, elastic: {stiffness: 100}}, {mdh: {d: 1}}]\n"
      "transmission: {ratios: [10, 10], couplings: [{motor: 2, joint: 1, ratio: 5}]}",
      "a motor of its own");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),   cmocka_unit_test(test_motion),
      cmocka_unit_test(test_names),    cmocka_unit_test(test_resonances),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
