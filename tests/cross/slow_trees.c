/*
 * Robots with branches whose mechanics MuJoCo computes, with rotors, damping, dry friction and
 * noise: two arms with grippers, the upper body of a humanoid with the pelvis held, two arms on a
 * torso that lifts and turns. Twenty identifications each: error of another motion, coverage of
 * sigma.
 */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "document/document.h"
#include "oracle.h"
#include "support.h"

#define RUNS 20
#define RATE 50.0
#define COUNT 2000
#define SINES 5
#define GAMMA 200.0
#define NOISE 0.02  // of the rms of each torque
#define SHARE 0.1   // of the rms of each torque that rotor, damping and dry friction have each
#define JOINTS 40
#define COLUMNS 700

typedef struct {
  rbv_model *m;
  oracle o;
  int n, dof[JOINTS];                                    // dof: of each body's joint
  double chi[COLUMNS], noise[JOINTS], drive[3][JOINTS];  // drive: armature, damping, dry friction
} robot;

/* elements that MuJoCo cannot read without meshes, the free joint, and what the test has no use for
 */
static const char strip[] =
    "sed -e '/<geom/d;/<mesh /d;/<include/d;/<site/d;/<camera/d;/<light/d;/<freejoint/d;"
    "/<texture/d;/<option /d;/<position /d;/<general /d;/<exclude/d;s/ "
    "actuatorfrcrange=\"[^\"]*\"//;"
    "s/ range=\"[^\"]*\"//;s/ "
    "actuatorfrclimited=\"[^\"]*\"//;/<sensor>/,/<\\/sensor>/d;/<keyframe>/,/<\\/keyframe>/d;"
    "/<actuator>/,/<\\/actuator>/d;/<contact>/,/<\\/contact>/d' '%s' > '%s'";

static void prepare(robot *r) {
  const int nbody = rbv_model_body_count(r->m);
  r->n = rbv_model_joint_count(r->m);
  assert_true(nbody <= JOINTS && rbv_model_column_count(r->m) <= COLUMNS);
  for (int b = 0; b < nbody; b++) {
    const int joint = mj_name2id(r->o.m, mjOBJ_JOINT, rbv_model_body_joint(r->m, b));
    assert_true(joint >= 0);
    r->dof[b] = r->o.m->jnt_dofadr[joint];
  }
  // drives are those of this test; a joint that mimics another one has none
  for (int i = 0; i < r->o.m->nv; i++) r->o.m->dof_armature[i] = r->o.m->dof_damping[i] = 0;
  for (int j = 0; j < r->o.m->njnt; j++) r->o.m->jnt_stiffness[j] = 0;
}

static void load_file(robot *r, const char *name, const char *tip) {
  char relative[64], command[1024];
  rbv_model_options o = rbv_model_defaults();
  o.gamma = GAMMA;
  o.snap = false;
  o.tip = tip;
  *r = (robot){0};
  snprintf(relative, sizeof relative, "models/trees/%s.xml", name);
  assert_ok(rbv_model_load(&r->m, recording(relative), &o));
  snprintf(command, sizeof command, strip, recording(relative), temp_file("plain.xml", ""));
  assert_int_equal(system(command), 0);
  r->o = oracle_load(temp_file("plain.xml", NULL));
  prepare(r);
}

/* the two arms of the reference, 12 joints */
static void load_reference(robot *r) {
  rbv_document *doc;
  const char *urdf;
  rbv_model_options o = rbv_model_defaults();
  o.gamma = GAMMA;
  o.snap = false;
  *r = (robot){0};
  assert_ok(rbv_document_load(&doc, recording("../ref/tree_two_arm.json")));
  const rbv_node *node = rbv_node_find(rbv_document_root(doc), "robot");
  assert_ok(rbv_node_string(&urdf, rbv_node_find(node, "urdf")));
  assert_ok(rbv_model_parse(&r->m, "two arms", urdf, strlen(urdf), &o));
  r->o = oracle_load(temp_file("two_arms.urdf", urdf));
  rbv_document_free(doc);
  prepare(r);
  assert_int_equal(r->n, 12);
}

static void unload(robot *r) {
  rbv_model_free(r->m);
  oracle_free(&r->o);
}

/* ---- motions ---- */

typedef struct {
  double *q, *dq, *ddq, *tau;  // COUNT x n
} record;

static record record_new(int n) {
  double *block = calloc((size_t)(4 * n * COUNT), sizeof *block);
  return (record){block, block + n * COUNT, block + 2 * n * COUNT, block + 3 * n * COUNT};
}

/* sums of sines around the middle of the range */
static void move(const record *x, const robot *r, uint64_t seed) {
  for (int j = 0; j < r->n; j++) {
    const rbv_limits *l = &rbv_model_joint(r->m, j)->limits;
    const bool bounded = isfinite(l->upper - l->lower);
    const double middle = bounded ? (l->lower + l->upper) / 2 : 0;
    const double range = bounded ? fmin(1.2, 0.45 * (l->upper - l->lower)) : 1.2;
    for (int i = 0; i < SINES; i++) {
      const uint64_t at = (uint64_t)(2 * (j * SINES + i));
      const double w = 2 * RBV_PI * (0.1 + 0.9 * rbv_random_uniform(seed, 1, at));
      const double phase = 2 * RBV_PI * rbv_random_uniform(seed, 1, at + 1), a = range / SINES;
      for (int k = 0; k < COUNT; k++) {
        const double p = w * k / RATE + phase;
        const int to = k + j * COUNT;
        x->q[to] += a * sin(p) + (i == 0 ? middle : 0);
        x->dq[to] += a * w * cos(p);
        x->ddq[to] -= a * w * w * sin(p);
      }
    }
  }
}

/* torques of MuJoCo in our coordinates, and dry friction */
static void push(const record *x, const robot *r) {
  const int nbody = rbv_model_body_count(r->m), nv = r->o.m->nv;
  double *body = calloc((size_t)(4 * nv), sizeof *body);
  for (int k = 0; k < COUNT; k++) {
    memset(body, 0, (size_t)(4 * nv) * sizeof *body);
    for (int b = 0; b < nbody; b++)
      for (int j = 0; j < r->n; j++) {
        double offset;
        const double factor = rbv_model_map(&offset, r->m, b, j);
        body[r->dof[b]] += factor * x->q[k + j * COUNT] + (j == 0 ? offset : 0);
        body[nv + r->dof[b]] += factor * x->dq[k + j * COUNT];
        body[2 * nv + r->dof[b]] += factor * x->ddq[k + j * COUNT];
      }
    oracle_inverse(body + 3 * nv, &r->o, body, body + nv, body + 2 * nv);
    for (int j = 0; j < r->n; j++) {
      double *tau = &x->tau[k + j * COUNT];
      *tau = r->drive[2][j] * 2 / RBV_PI * atan(GAMMA * x->dq[k + j * COUNT]);
      for (int b = 0; b < nbody; b++)
        *tau += rbv_model_map(NULL, r->m, b, j) * body[3 * nv + r->dof[b]];
    }
  }
  free(body);
}

static double rms(const double *x) {
  double sum = 0;
  for (int k = 0; k < COUNT; k++) sum += x[k] * x[k] / COUNT;
  return sqrt(sum);
}

/* drives and noise by the size of the torques; the parameters of the file with them are the truth
 */
static void choose_drives(robot *r) {
  record x = record_new(r->n);
  move(&x, r, 1);
  push(&x, r);
  for (int j = 0; j < r->n; j++) {
    const int at = j * COUNT, dof = r->dof[rbv_model_joint_body(r->m, j)];
    const double size = rms(x.tau + at);
    r->drive[0][j] = r->o.m->dof_armature[dof] = SHARE * size / rms(x.ddq + at);
    r->drive[1][j] = r->o.m->dof_damping[dof] = SHARE * size / rms(x.dq + at);
    r->drive[2][j] = SHARE * size;
    r->noise[j] = NOISE * size;
  }
  free(x.q);
  for (int c = 0; c < rbv_model_column_count(r->m); c++) {
    const rbv_column *column = rbv_model_column(r->m, c);
    static const char *const law[] = {"Ia", "Fv", "Fc"};
    r->chi[c] = column->basis == RBV_BASIS_INERTIAL ? rbv_model_parameters(r->m)[c] : 0;
    for (int i = 0; i < 3; i++)
      if (rbv_column_has_law(column, law[i])) r->chi[c] = r->drive[i][column->joint];
  }
}

static void add_noise(const record *x, const robot *r, uint64_t seed) {
  for (int j = 0; j < r->n; j++)
    for (int k = 0; k < COUNT; k++)
      x->tau[k + j * COUNT] += r->noise[j] * rbv_random_normal(seed, (uint64_t)j, (uint64_t)k);
}

static rbv_motion *motion_of(const record *x, const robot *r) {
  const rbv_motion_info info = {
      .name = "simulated", .njoint = r->n, .ntorque = r->n, .count = COUNT, .rate_hz = RATE};
  const rbv_samples samples = {
      .ld = COUNT, .q = x->q, .dq = x->dq, .ddq = x->ddq, .torque = x->tau};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  return motion;
}

/* ---- twenty runs ---- */

/* torques of a result for another motion: rms of what it leaves, in sigma of the noise */
static double other_motion(const rbv_estimate *e, const robot *r, const record *x) {
  rbv_dynamics *d;
  double q[JOINTS], dq[JOINTS], ddq[JOINTS], tau[JOINTS], sum = 0;
  assert_ok(rbv_dynamics_new(&d, r->m));
  assert_ok(rbv_dynamics_set(d, e->chi, false));
  for (int k = 0; k < COUNT; k++) {
    for (int j = 0; j < r->n; j++) {
      q[j] = x->q[k + j * COUNT];
      dq[j] = x->dq[k + j * COUNT];
      ddq[j] = x->ddq[k + j * COUNT];
    }
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    for (int j = 0; j < r->n; j++) {
      const double left = (x->tau[k + j * COUNT] - tau[j]) / r->noise[j];
      sum += left * left / (COUNT * r->n);
    }
  }
  rbv_dynamics_free(d);
  return sqrt(sum);
}

static void check(robot *r, const char *name) {
  choose_drives(r);
  record other = record_new(r->n);
  move(&other, r, 99);
  push(&other, r);
  add_noise(&other, r, 99);
  double worst = 0;
  int inside = 0, all = 0;
  for (uint64_t run = 1; run <= RUNS; run++) {
    record x = record_new(r->n);
    move(&x, r, run);
    push(&x, r);
    add_noise(&x, r, run);
    rbv_motion *motion = motion_of(&x, r);
    rbv_identify_options o = rbv_identify_defaults();
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, r->m, &motion, 1, &o));
    const int n = e->base->count;
    double *truth = calloc((size_t)n, sizeof *truth);
    rbv_base_values(truth, e->base, r->chi);
    for (int k = 0; k < n; k++) {
      const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * n]);
      if (!isfinite(sigma)) continue;
      all++;
      inside += fabs(e->value[k] - truth[k]) <= 1.96 * sigma;
    }
    worst = fmax(worst, other_motion(e, r, &other));
    free(truth);
    rbv_estimate_free(e);
    rbv_motion_free(motion);
    free(x.q);
  }
  const double coverage = (double)inside / all;
  print_message(
      "%s: %d joints, %d parameters, error of another motion %.3f of the noise at most, "
      "coverage %.1f %%\n",
      name, r->n, all / RUNS, worst, 100 * coverage);
  assert_true(worst <= 1.3);
  assert_true(coverage >= 0.92 && coverage <= 0.98);
  free(other.q);
}

static void test_two_arms_with_grippers(void **state) {
  (void)state;
  robot r;
  load_file(&r, "aloha", NULL);
  assert_int_equal(r.n, 14);
  check(&r, "aloha");
  unload(&r);
}

static void test_upper_body(void **state) {
  (void)state;
  robot r;
  load_file(&r, "g1", "left_wrist_yaw_link,right_wrist_yaw_link");
  assert_int_equal(r.n, 17);
  check(&r, "g1, upper body");
  unload(&r);
}

static void test_moving_torso(void **state) {
  (void)state;
  robot r;
  load_reference(&r);
  check(&r, "two arms on a torso");
  unload(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_arms_with_grippers),
                                     cmocka_unit_test(test_upper_body),
                                     cmocka_unit_test(test_moving_torso)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
