/*
 * Random closed loops against a program of its own (support/mechanism.h) and against MuJoCo: poses,
 * torques by virtual work, accelerations by Lagrange multipliers, number of base parameters.
 */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/linalg.h"
#include "mechanism.h"
#include "oracle.h"
#include "support.h"

#define STATES 6
#define NEAR 100.0  // condition of poses that are compared

typedef struct {
  mechanism m;
  rbv_model *model;
  rbv_dynamics *d;
  int n;                         // driven joints
  int driven[MECHANISM_JOINTS];  // their places
  double chi[MECHANISM_JOINTS * 14];
} robot;

static void set_parameters(robot *r, bool rigid) {
  mechanism_parameters(r->chi, &r->m, r->model);
  for (int c = 0; c < rbv_model_column_count(r->model); c++)
    if (rigid && rbv_model_column(r->model, c)->basis != RBV_BASIS_INERTIAL) r->chi[c] = 0;
  assert_ok(rbv_dynamics_set(r->d, r->chi, false));
}

static robot load(mechanism m) {
  robot r = {.m = m};
  rbv_model_options o = rbv_model_defaults();
  o.snap = false;
  assert_ok(rbv_model_load(&r.model, mechanism_write(&m), &o));
  assert_ok(rbv_dynamics_new(&r.d, r.model));
  r.n = rbv_model_joint_count(r.model);
  assert_int_equal(r.n, m.ndriven);
  assert_int_equal(rbv_model_body_count(r.model), m.n);
  for (int i = 0, k = 0; i < m.n; i++)
    if (m.joint[i].driven) r.driven[k++] = i;
  set_parameters(&r, false);
  return r;
}

static void unload(robot *r) {
  rbv_dynamics_free(r->d);
  rbv_model_free(r->model);
}

/* a closed pose near home by its own way; false: too near to a singular one */
static bool random_pose(double *q, robot *r, mechanism_dice *d) {
  double target[MECHANISM_JOINTS], home[MECHANISM_JOINTS];
  for (int i = 0; i < r->m.n; i++) q[i] = home[i] = r->m.joint[i].home;
  for (int k = 0; k < r->n; k++) target[k] = home[r->driven[k]] + 0.6 * mechanism_uniform(d) - 0.3;
  for (int step = 1; step <= 30; step++) {
    for (int k = 0; k < r->n; k++) {
      const double zero = home[r->driven[k]];
      q[r->driven[k]] = step == 30 ? target[k] : zero + step / 30.0 * (target[k] - zero);
    }
    rbv_loop_pose pose;
    if (!rbv_dynamics_loops(&pose, NULL, NULL, NULL, r->d, target, NULL, NULL) ||
        !(pose.condition < NEAR) || !mechanism_close(q, &r->m))
      return false;
  }
  return true;
}

typedef struct {
  double q[MECHANISM_JOINTS], dq[MECHANISM_JOINTS], ddq[MECHANISM_JOINTS];  // of all joints
  double own[3][MECHANISM_JOINTS];                                          // of the driven ones
} motion_state;

static bool random_state(motion_state *s, robot *r, mechanism_dice *d) {
  *s = (motion_state){0};
  if (!random_pose(s->q, r, d)) return false;
  for (int k = 0; k < r->n; k++) {
    s->dq[r->driven[k]] = 4 * mechanism_uniform(d) - 2;
    s->ddq[r->driven[k]] = 20 * mechanism_uniform(d) - 10;
  }
  mechanism_follow(s->dq, &r->m, s->q);
  mechanism_complete(s->ddq, &r->m, s->q, s->dq);
  for (int k = 0; k < r->n; k++) {
    s->own[0][k] = s->q[r->driven[k]];
    s->own[1][k] = s->dq[r->driven[k]];
    s->own[2][k] = s->ddq[r->driven[k]];
  }
  return true;
}

/* torques of MuJoCo's tree, with the rates of this program; returns the size of their parts, which
 * can cancel in the sum */
static double torque_of_mujoco(double *tau, const oracle *o, const robot *r,
                               const motion_state *s) {
  double tree[MECHANISM_JOINTS], size = 0;
  oracle_inverse(tree, o, s->q, s->dq, s->ddq);
  for (int k = 0; k < r->n; k++) {
    double rate[MECHANISM_JOINTS] = {0};
    rate[r->driven[k]] = 1;
    mechanism_follow(rate, &r->m, s->q);
    tau[k] = 0;
    for (int i = 0; i < r->m.n; i++) {
      tau[k] += rate[i] * tree[i];
      size = fmax(size, fabs(rate[i] * tree[i]));
    }
  }
  return size;
}

static void check_state(robot *r, const motion_state *s, const oracle *o) {
  rbv_loop_pose pose;
  double got[3][MECHANISM_JOINTS], tau[MECHANISM_JOINTS], want[MECHANISM_JOINTS];
  double own[MECHANISM_JOINTS], lambda[MECHANISM_ROWS], ddq[MECHANISM_JOINTS];
  assert_true(
      rbv_dynamics_loops(&pose, got[0], got[1], got[2], r->d, s->own[0], s->own[1], s->own[2]));
  // mechanisms of a metre
  assert_near(pose.residual, 0, 1e-12, 0);
  assert_near(mechanism_gap(&r->m, got[0]), 0, 1e-12, 0);
  // rounding times the condition
  assert_agrees(got[0], s->q, r->m.n, 1e-11);
  assert_agrees(got[1], s->dq, r->m.n, 1e-10);
  assert_agrees(got[2], s->ddq, r->m.n, 1e-10);
  rbv_dynamics_inverse(tau, r->d, s->own[0], s->own[1], s->own[2]);
  mechanism_torque(want, &r->m, s->q, s->dq, s->ddq);
  for (int k = 0; k < r->n; k++) own[k] = want[r->driven[k]];
  assert_agrees(tau, own, r->n, 1e-10);
  // accelerations of the torques by multipliers
  bool regular;
  mechanism_accelerate(ddq, lambda, &r->m, s->q, s->dq, want);
  for (int k = 0; k < r->n; k++) own[k] = ddq[r->driven[k]];
  rbv_dynamics_forward(got[0], &regular, r->d, s->own[0], s->own[1], tau);
  assert_true(regular);
  assert_agrees(got[0], own, r->n, 1e-8);
  if (!o) return;
  set_parameters(r, true);
  rbv_dynamics_inverse(tau, r->d, s->own[0], s->own[1], s->own[2]);
  const double size = torque_of_mujoco(want, o, r, s);
  for (int k = 0; k < r->n; k++) assert_near(tau[k], want[k], 1e-7 * size, 0);
  set_parameters(r, false);
}

/* rank of the regressors of many states against the number of base parameters */
static void check_rank(robot *r, mechanism_dice *d) {
  const int columns = rbv_model_column_count(r->model), states = 2 * columns / r->n;
  const int rows = r->n * states;
  double *W = calloc((size_t)(rows * columns), sizeof *W), *s = calloc((size_t)columns, sizeof *s);
  double *one = calloc((size_t)(r->n * columns), sizeof *one);
  for (int k = 0; k < states;) {
    motion_state at;
    if (!random_state(&at, r, d)) continue;
    rbv_regressor_eval(one, r->d, at.own[0], at.own[1], at.own[2], false);
    for (int c = 0; c < columns; c++)
      for (int i = 0; i < r->n; i++) W[k * r->n + i + c * rows] = one[i + c * r->n];
    k++;
  }
  for (int c = 0; c < columns; c++) {
    double norm = 0;
    for (int i = 0; i < rows; i++) norm += W[i + c * rows] * W[i + c * rows];
    for (int i = 0; i < rows && norm > 1e-20; i++) W[i + c * rows] /= sqrt(norm);
  }
  assert_ok(rbv_svd(s, NULL, NULL, W, rows, columns, rows));
  int rank = 0;
  while (rank < columns && s[rank] > 1e-9 * s[0]) rank++;
  rbv_base_options o = rbv_base_defaults();
  rbv_base *b;
  o.columns = RBV_COLUMNS_ALL;
  assert_ok(rbv_base_new(&b, r->model, &o));
  assert_int_equal(b->count, rank);
  rbv_base_free(b);
  free(W);
  free(s);
  free(one);
}

/* returns the number of states that were compared */
static int check(mechanism m, uint64_t seed, bool rank) {
  robot r = load(m);
  mechanism_dice d = {.state = seed};
  const bool known = m.joint[1].mass > 0;  // MuJoCo refuses bodies without mass
  char path[64];
  snprintf(path, sizeof path, "%s.urdf", m.name);
  oracle o = {0};
  if (known) {
    o = oracle_load(temp_file(path, NULL));
    for (int i = 0; i < 3; i++) o.m->opt.gravity[i] = m.gravity[i];
  }
  int compared = 0;
  for (int k = 0; k < STATES; k++) {
    motion_state s;
    if (!random_state(&s, &r, &d)) continue;
    check_state(&r, &s, known ? &o : NULL);
    compared++;
  }
  if (rank) check_rank(&r, &d);
  if (known) oracle_free(&o);
  unload(&r);
  return compared;
}

static void test_planar(void **state) {
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 30; seed++)
    compared += check(mechanism_random_planar(seed), seed, seed <= (SANITIZED ? 1 : 6));
  print_message("%d of %d poses\n", compared, 30 * STATES);
  assert_true(compared >= 30 * STATES * 3 / 4);
}

static void test_spatial(void **state) {
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 10; seed++)
    compared += check(mechanism_random_spatial(seed), seed, seed <= (SANITIZED ? 1 : 3));
  print_message("%d of %d poses\n", compared, 10 * STATES);
  assert_true(compared >= 10 * STATES / 2);
}

static void test_deltas(void **state) {
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 5; seed++)
    compared += check(mechanism_random_delta(seed), seed, seed == 1 && !SANITIZED);
  assert_int_equal(compared, 5 * STATES);
}

/* a closure that is linear costs nothing: a map, as of joints that mimic others */
static void test_parallelogram(void **state) {
  (void)state;
  assert_int_equal(check(mechanism_parallelogram(), 1, true), STATES);
  robot r = load(mechanism_parallelogram());
  double offset;
  // forearm = crank - lower arm
  assert_true(rbv_model_map(&offset, r.model, 2, 2) == 1 && offset == 0);
  assert_true(rbv_model_map(NULL, r.model, 2, 1) == -1 && rbv_model_map(NULL, r.model, 2, 0) == 0);
  unload(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_planar), cmocka_unit_test(test_spatial),
                                     cmocka_unit_test(test_deltas),
                                     cmocka_unit_test(test_parallelogram)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
