/*
 * Conventions of Denavit and Hartenberg: the Puma 560 (Corke, Armstrong-Helouvry 1994) and the
 * UR10e (data sheet) in the standard convention, in Craig's and in Khalil's.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/model.h>

#include "support.h"

#define N 6
#define PI 3.14159265358979323846

typedef struct {
  double a[N], alpha_deg[N], d[N];
  double mass[N], centre[N][3], inertia[N][3];  // in the frames of the standard convention
} arm;

static const arm puma = {.a = {0, 0.4318, 0.0203, 0, 0, 0},
                         .alpha_deg = {90, 0, -90, 90, -90, 0},
                         .d = {0.672, 0, 0.15005, 0.4318, 0, 0},
                         .mass = {0, 17.4, 4.8, 0.82, 0.34, 0.09},
                         .centre = {{0, 0, 0},
                                    {-0.3638, 0.006, 0.2275},
                                    {-0.0203, -0.0141, 0.070},
                                    {0, 0.019, 0},
                                    {0, 0, 0},
                                    {0, 0, 0.032}},
                         .inertia = {{0, 0.35, 0},
                                     {0.13, 0.524, 0.539},
                                     {0.066, 0.086, 0.0125},
                                     {1.8e-3, 1.3e-3, 1.8e-3},
                                     {0.3e-3, 0.4e-3, 0.3e-3},
                                     {0.15e-3, 0.15e-3, 0.04e-3}}};

static const arm ur10e = {.a = {0, -0.6127, -0.57155, 0, 0, 0},
                          .alpha_deg = {90, 0, 0, 90, -90, 0},
                          .d = {0.1807, 0, 0, 0.17415, 0.11985, 0.11655},
                          .mass = {7.369, 13.051, 3.989, 2.1, 1.98, 0.615},
                          .centre = {{0.021, 0, 0.027},
                                     {0.38, 0, 0.158},
                                     {0.24, 0, 0.068},
                                     {0, 0.007, 0.018},
                                     {0, 0.007, 0.018},
                                     {0, 0, -0.026}},
                          .inertia = {{0.03, 0.03, 0.02},
                                      {0.04, 0.4, 0.4},
                                      {0.01, 0.1, 0.1},
                                      {0.003, 0.003, 0.002},
                                      {0.002, 0.002, 0.002},
                                      {0, 0.0004, 0.0003}}};

/* the ten parameters about the origin of a frame that is turned about x and shifted along it */
static void parameters(double out[10], const arm *x, int i, double alpha, double shift) {
  const double c = cos(alpha), s = sin(alpha), m = x->mass[i], *p = x->centre[i];
  const double y[3] = {p[0] + shift, c * p[1] - s * p[2], s * p[1] + c * p[2]};
  const double *I = x->inertia[i];
  const double J[6] = {
      I[0], 0, 0, c * c * I[1] + s * s * I[2], c * s * (I[1] - I[2]), s * s * I[1] + c * c * I[2]};
  const double square = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
  const double S[6] = {square - y[0] * y[0], -y[0] * y[1], -y[0] * y[2],
                       square - y[1] * y[1], -y[1] * y[2], square - y[2] * y[2]};
  for (int k = 0; k < 6; k++) out[k] = J[k] + m * S[k];
  for (int k = 0; k < 3; k++) out[6 + k] = m * y[k];
  out[9] = m;
}

static rbv_model *build(const arm *x, const char *key) {
  static const char *const name[10] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"};
  const bool standard = strcmp(key, "dh") == 0, khalil = strcmp(key, "mdh") == 0;
  char text[8192] = "name: arm\njoints:\n";
  for (int i = 0; i < N; i++) {
    // alpha and a of the joint before, or 0
    const double alpha = standard ? x->alpha_deg[i] : i ? x->alpha_deg[i - 1] : 0;
    const double a = standard ? x->a[i] : i ? x->a[i - 1] : 0;
    char *at = text + strlen(text);
    at += sprintf(at, "  - {%s: {%s: %.17g, alpha: %.17gdeg, %s: %.17g}, parameters: {", key,
                  khalil ? "d" : "a", a, alpha, khalil ? "r" : "d", x->d[i]);
    double chi[10];
    parameters(chi, x, i, standard ? 0 : x->alpha_deg[i] * PI / 180, standard ? 0 : x->a[i]);
    for (int c = 0; c < 10; c++) at += sprintf(at, "%s%s: %.17g", c ? ", " : "", name[c], chi[c]);
    sprintf(at, "}}\n");
  }
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.yaml", text, strlen(text), NULL));
  return m;
}

/* potential energy by the standard convention: Rot_z(q) Trans_z(d) Trans_x(a) Rot_x(alpha) */
static double energy(const arm *x, const double *q) {
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, p[3] = {0}, sum = 0;
  for (int i = 0; i < N; i++) {
    const double c = cos(q[i]), s = sin(q[i]), alpha = x->alpha_deg[i] * PI / 180;
    const double ca = cos(alpha), sa = sin(alpha);
    const double A[9] = {c, -s * ca, s * sa, s, c * ca, -c * sa, 0, sa, ca};
    const double t[3] = {x->a[i] * c, x->a[i] * s, x->d[i]};
    double next[9] = {0};
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++) {
        p[r] += R[3 * r + k] * t[k];
        for (int l = 0; l < 3; l++) next[3 * r + l] += R[3 * r + k] * A[3 * k + l];
      }
    memcpy(R, next, sizeof R);
    double z = p[2];
    for (int k = 0; k < 3; k++) z += R[6 + k] * x->centre[i][k];
    sum += 9.81 * x->mass[i] * z;
  }
  return sum;
}

static void compare(const arm *x) {
  rbv_model *form[3] = {build(x, "dh"), build(x, "craig"), build(x, "mdh")};
  for (uint64_t k = 0; k < 100; k++) {
    double q[N], dq[N], ddq[N], tau[3][N], size = 0;
    for (int j = 0; j < N; j++) {
      q[j] = 6 * rbv_random_uniform(1, 0, N * k + (uint64_t)j) - 3;
      dq[j] = 4 * rbv_random_uniform(1, 1, N * k + (uint64_t)j) - 2;
      ddq[j] = 8 * rbv_random_uniform(1, 2, N * k + (uint64_t)j) - 4;
    }
    for (int i = 0; i < 3; i++) assert_ok(rbv_model_torques(tau[i], form[i], NULL, 1, q, dq, ddq));
    for (int j = 0; j < N; j++) size = fmax(size, fabs(tau[0][j]));
    for (int i = 1; i < 3; i++)
      // rounding of the parameters in other frames: some tens of sums
      for (int j = 0; j < N; j++) assert_near(tau[i][j], tau[0][j], 1e-13 * size, 0);
    // torque at rest is the slope of the energy; steps of 1e-5 leave 1e-10 of it
    const double zero[N] = {0};
    assert_ok(rbv_model_torques(tau[0], form[0], NULL, 1, q, zero, zero));
    for (int j = 0; j < N; j++) {
      double up[N], down[N];
      memcpy(up, q, sizeof up);
      memcpy(down, q, sizeof down);
      up[j] += 1e-5;
      down[j] -= 1e-5;
      assert_near(tau[0][j], (energy(x, up) - energy(x, down)) / 2e-5, 1e-7, 0);
    }
  }
  for (int i = 0; i < 3; i++) rbv_model_free(form[i]);
}

static void test_puma(void **state) {
  (void)state;
  compare(&puma);
}

static void test_ur10e(void **state) {
  (void)state;
  compare(&ur10e);
}

/* the frame behind the last joint */
static void test_flange(void **state) {
  (void)state;
  rbv_model *m;
  static const char text[] = "joints: [{dh: {a: 0.4, alpha: 90deg, d: 0.2}}]";
  assert_ok(rbv_model_parse(&m, "arm.yaml", text, strlen(text), NULL));
  double R[9], p[3];
  assert_int_equal(rbv_model_frame(R, p, m, "flange"), 1);
  // the joint's frame is already at the height d
  assert_true(p[0] == 0.4 && p[1] == 0 && p[2] == 0 && R[7] == 1);
  rbv_model_free(m);
}

/* joints of different conventions and a fixed one in a row */
static void test_mixed(void **state) {
  (void)state;
  static const char *const text[2] = {
      "joints: [{dh: {a: 0.4, alpha: 30deg, d: 0.2}}, {type: fixed, dh: {a: 0.1, theta: 20deg}},\n"
      " {origin: {xyz: [0, 0, 0.3]}, parameters: {M: 2, MX: 1}}]",
      "joints: [{mdh: {r: 0.2}}, {type: fixed, mdh: {d: 0.4, alpha: 30deg, theta: 20deg}},\n"
      " {type: fixed, origin: {xyz: [0.1, 0, 0.3]}}, {origin: {}, parameters: {M: 2, MX: 1}}]"};
  double tau[2][2];
  const double q[2] = {0.3, 0.7}, dq[2] = {1, -2}, ddq[2] = {3, 4};
  for (int i = 0; i < 2; i++) {
    rbv_model *m;
    assert_ok(rbv_model_parse(&m, "arm.yaml", text[i], strlen(text[i]), NULL));
    assert_ok(rbv_model_torques(tau[i], m, NULL, 1, q, dq, ddq));
    rbv_model_free(m);
  }
  for (int j = 0; j < 2; j++) assert_near(tau[0][j], tau[1][j], 1e-14, 1e-14);
  assert_true(fabs(tau[0][0]) > 0.1);
}

static void test_refusals(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      {"joints: [{mdh: {a: 1}}]",
       "unknown key 'a'; the conventions are mdh: {d, alpha, r, theta} "
       "(Khalil's), craig: {a, alpha, d, theta} (Craig's), dh: {a, alpha, "
       "d, theta} (the standard one)"},
      {"joints: [{dh: {r: 1}}]", "unknown key 'r'; the conventions are"},
      {"joints: [{DH: {a: 1}}]", "unknown key 'DH'; the conventions are"},
      {"joints: [{sdh: {a: 1}}]", "unknown key 'sdh'; the conventions are"},
      {"joints: [{dh: {a: 1}, mdh: {}}]", "joint 'joint1' has both mdh and dh"},
      {"joints: [{dh: {a: 1}, axis: [0, 0, 1]}]", "joint 'joint1' has both dh and axis"},
      {"joints: [{dh: 3}]", "expected a map with a, alpha, d and theta"},
      {"joints: [{dh: {alpha: 90degrees}}]", "90degrees"},
      {"joints: [{craig: {alpha: -90}}]", "alpha is -90 rad, more than a turn: write -90deg"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    rbv_model *m;
    assert_refused(rbv_model_parse(&m, "arm.yaml", bad[i][0], strlen(bad[i][0]), NULL), RBV_EINPUT,
                   bad[i][1]);
    assert_null(strstr(rbv_message(), "nearest"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_puma),  cmocka_unit_test(test_ur10e),    cmocka_unit_test(test_flange),
      cmocka_unit_test(test_mixed), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
