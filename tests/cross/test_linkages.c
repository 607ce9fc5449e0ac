/*
 * Robot files of MuJoCo with closed loops, a gripper and two legs: mobility, and the regressor
 * against virtual work: torques of MuJoCo's tree times the movements of poses that close.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "oracle.h"
#include "support.h"

#define JOINTS 40
#define STATES 20
#define STEP 1e-4  // rad: error and rounding of differences of fourth order are then 1e-12

/* elements that MuJoCo cannot read without meshes, the free joint, actuators and sensors */
static const char strip[] =
    "sed -e '/<geom/d;/<mesh /d;/<include/d;/<site/d;/<camera/d;/<light/d;/<freejoint/d;"
    "/<texture/d;/<material/d;/<position /d;/<general /d;/<motor /d;/<exclude/d;/<sensor>/,/<\\/"
    "sensor>/d;/<keyframe>/,/<\\/keyframe>/d;/<actuator>/,/<\\/actuator>/d;/<contact>/,/<\\/"
    "contact>/d' '%s' > '%s'";

typedef struct {
  rbv_model *m;
  rbv_dynamics *d;
  oracle o;
  int n, nbody, joint[JOINTS];  // MuJoCo's joint of each body
  double *chi;
} robot;

static robot load(const char *name, bool describe, int n, int passive) {
  robot r = {0};
  char relative[64], command[1024];
  rbv_model_options o = rbv_model_defaults();
  o.snap = false;
  o.describe = describe;
  snprintf(relative, sizeof relative, "models/trees/%s.xml", name);
  assert_ok(rbv_model_load(&r.m, recording(relative), &o));
  assert_ok(rbv_dynamics_new(&r.d, r.m));
  r.n = rbv_model_joint_count(r.m);
  r.nbody = rbv_model_body_count(r.m);
  assert_int_equal(r.n, n);
  assert_int_equal(r.nbody - r.n, passive);
  assert_true(r.nbody <= JOINTS);
  snprintf(command, sizeof command, strip, recording(relative), temp_file("plain.xml", ""));
  assert_int_equal(system(command), 0);
  r.o = oracle_load(temp_file("plain.xml", NULL));
  for (int b = 0; b < r.nbody; b++) {
    r.joint[b] = mj_name2id(r.o.m, mjOBJ_JOINT, rbv_model_body_joint(r.m, b));
    assert_true(r.joint[b] >= 0);
  }
  for (int i = 0; i < r.o.m->nv; i++) r.o.m->dof_armature[i] = r.o.m->dof_damping[i] = 0;
  for (int j = 0; j < r.o.m->njnt; j++) r.o.m->jnt_stiffness[j] = 0;
  const int count = rbv_model_column_count(r.m);
  r.chi = calloc((size_t)count, sizeof *r.chi);
  for (int c = 0; c < count; c++)
    if (rbv_model_column(r.m, c)->basis == RBV_BASIS_INERTIAL)
      r.chi[c] = rbv_model_parameters(r.m)[c];
  return r;
}

static void unload(robot *r) {
  free(r->chi);
  rbv_dynamics_free(r->d);
  rbv_model_free(r->m);
  oracle_free(&r->o);
}

/* torques of all joints of MuJoCo's tree */
static void tree_torque(double *tau, const robot *r, double x[3][JOINTS]) {
  const mjModel *m = r->o.m;
  mj_resetData(m, r->o.d);
  for (int b = 0; b < r->nbody; b++) {
    const int dof = m->jnt_dofadr[r->joint[b]];
    r->o.d->qpos[m->jnt_qposadr[r->joint[b]]] = x[0][b];
    r->o.d->qvel[dof] = x[1][b];
    r->o.d->qacc[dof] = x[2][b];
  }
  mj_inverse(m, r->o.d);
  for (int b = 0; b < r->nbody; b++) tau[b] = r->o.d->qfrc_inverse[m->jnt_dofadr[r->joint[b]]];
}

/* movement of all joints with a driven one, from poses that close anew */
static void movement(double *rate, const robot *r, const double *q, int joint) {
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
  memset(rate, 0, JOINTS * sizeof *rate);
  for (int k = 0; k < 4; k++) {
    double moved[JOINTS], body[JOINTS];
    rbv_loop_pose pose;
    memcpy(moved, q, (size_t)r->n * sizeof *q);
    moved[joint] += at[k] * STEP;
    assert_true(rbv_dynamics_loops(&pose, body, NULL, NULL, r->d, moved, NULL, NULL));
    for (int b = 0; b < r->nbody; b++) rate[b] += weight[k] / STEP * body[b];
  }
}

static void check_state(const robot *r, const double *q, const double *dq, const double *ddq) {
  const int columns = rbv_model_column_count(r->m);
  double x[3][JOINTS], tree[JOINTS], *W = calloc((size_t)(r->n * columns), sizeof *W);
  rbv_loop_pose pose;
  assert_true(rbv_dynamics_loops(&pose, x[0], x[1], x[2], r->d, q, dq, ddq));
  assert_near(pose.residual, 0, 1e-12, 0);
  tree_torque(tree, r, x);
  rbv_regressor_eval(W, r->d, q, dq, ddq, false);
  for (int j = 0; j < r->n; j++) {
    double rate[JOINTS], want = 0, got = 0, size = 0;
    movement(rate, r, q, j);
    for (int b = 0; b < r->nbody; b++) {
      want += rate[b] * tree[b];
      size += fabs(rate[b] * tree[b]);
    }
    for (int c = 0; c < columns; c++) got += W[j + c * r->n] * r->chi[c];
    // MuJoCo diagonalises inertias to 1e-6 of small bodies, in parts that cancel
    assert_near(got, want, 1e-6 * size, 0);
  }
  free(W);
}

static void check(robot *r, double reach) {
  for (uint64_t s = 0; s < STATES; s++) {
    double q[JOINTS], dq[JOINTS], ddq[JOINTS];
    for (int j = 0; j < r->n; j++) {
      const uint64_t at = (uint64_t)j;
      q[j] = rbv_model_reference(r->m, rbv_model_joint_body(r->m, j)) +
             reach * (2 * rbv_random_uniform(1, s, at) - 1);
      dq[j] = 4 * rbv_random_uniform(2, s, at) - 2;
      ddq[j] = 20 * rbv_random_uniform(3, s, at) - 10;
    }
    check_state(r, q, dq, ddq);
  }
}

static void test_gripper(void **state) {
  (void)state;
  robot r = load("2f85", false, 3, 5);
  check(&r, 0.05);
  unload(&r);
}

/* the rods at the heels have ball joints: a description holds them, every other use refuses them */
static void test_legs(void **state) {
  (void)state;
  rbv_model *m;
  const rbv_model_options usual = rbv_model_defaults();
  assert_refused(rbv_model_load(&m, recording("models/trees/cassie.xml"), &usual), RBV_EUNSUPPORTED,
                 "is of type 'ball'");
  robot r = load("cassie", true, 10, 10);
  check(&r, 1e-3);
  unload(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gripper), cmocka_unit_test(test_legs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
