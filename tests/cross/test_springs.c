/*
 * Springs of elastic joints and MuJoCo: the exported MJCF, with a joint for each motor and one for
 * each spring, has the equations of the two-mass drives; an arm that MuJoCo simulates from this
 * file gives its stiffness back from encoders on both sides of the joints.
 */
#include <math.h>
#include <roberval/sys/control.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "oracle.h"
#include "tool.h"

#define N 2
#define RATE 500.0
#define COUNT 5000  // 10 s
#define STEP 5e-5   // of MuJoCo
#define STEPS 40    // per tick

static const char robot[] =
    "gravity: [0, 0, -9.81]\n"
    "joints:\n"
    "  - {name: a, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc],\n"
    "     elastic: {stiffness: 900, damping: 1.2}}\n"
    "  - {name: b, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, drive: [Ia, Fv, Fc],\n"
    "     elastic: {stiffness: 250, damping: 0.4}}\n"
    "friction: {smooth: 0.005}\n"
    "parameters: {XX1: 0.01, YY1: 0.3, ZZ1: 0.3, MX1: 0.8, M1: 4, Ia1: 0.2, Fv1: 0.6, Fc1: 0.5,\n"
    "  XX2: 0.004, YY2: 0.08, ZZ2: 0.08, MX2: 0.3, M2: 1.5, Ia2: 0.05, Fv2: 0.2, Fc2: 0.2}\n";

static const double stiffness[N] = {900, 250}, inertia[N] = {0.2, 0.05};

static const char *export(const rbv_model *m, const char *name) {
  rbv_export *e;
  rbv_export_options o = rbv_export_defaults();
  o.format = RBV_EXPORT_MJCF;
  assert_ok(rbv_export_new(&e, m, rbv_model_parameters(m), &o));
  assert_false(e->refused);
  // read back: the two-mass equations of both, in random states
  assert_true(e->states > 0);
  assert_near(e->difference, 0, 1e-10, 0);
  const char *path = temp_file(name, e->text);
  rbv_export_free(e);
  return path;
}

/* coordinates of MuJoCo: motor and deflection of each joint in turn */
static void test_exported_arm(void **state) {
  (void)state;
  rbv_model *m = load_robot(temp_file("arm.yaml", robot), -1, false), *wide;
  rbv_model_terms terms = rbv_model_get_terms(m);
  terms.motors = true;
  assert_ok(rbv_model_variant(&wide, m, &terms));
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, wide));
  double chi[64];
  for (int c = 0; c < rbv_model_column_count(wide); c++) {
    // dry friction is a constraint in MuJoCo
    const bool dry = rbv_column_has_law(rbv_model_column(wide, c), "Fc");
    chi[c] = dry ? 0 : rbv_model_parameters(wide)[c];
  }
  assert_ok(rbv_dynamics_set(d, chi, false));
  oracle o = oracle_load(export(m, "arm.xml"));
  assert_int_equal(o.m->nv, 2 * N);
  for (int k = 0; k < 50; k++) {
    double x[3][2 * N], own[3][2 * N], tau[2 * N], got[2 * N];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < N; j++) {
        const double q = rbv_random_normal(3, (uint64_t)(2 * i), (uint64_t)(k * N + j));
        const double bend =
            0.05 * rbv_random_normal(3, (uint64_t)(2 * i + 1), (uint64_t)(k * N + j));
        x[i][j] = q;
        x[i][N + j] = q + bend;
        own[i][2 * j] = q + bend;
        own[i][2 * j + 1] = -bend;
      }
    rbv_dynamics_inverse(tau, d, x[0], x[1], x[2]);
    oracle_inverse(got, &o, own[0], own[1], own[2]);
    double link[2 * N];
    for (int j = 0; j < N; j++) {
      link[j] = got[2 * j + 1];
      link[N + j] = got[2 * j] - got[2 * j + 1];
    }
    assert_agrees(link, tau, 2 * N, 1e-9);
  }
  oracle_free(&o);
  rbv_dynamics_free(d);
  rbv_model_free(wide);
  rbv_model_free(m);
}

/* an analogue PD law on the motors */
static void drive(double tau[N], const oracle *o, double t) {
  static const double k_p[N] = {300, 80}, k_d[N] = {25, 5};
  const double grown = 1 - exp(-2 * t);
  for (int j = 0; j < N; j++) {
    const double w = 3 + 2 * j, fast = 9.0 + 4 * j;
    const double qr = 0.4 + grown * (0.5 * sin(w * t + j) + 0.15 * sin(fast * t + 2 * j));
    tau[j] = k_p[j] * (qr - o->d->qpos[2 * j]) - k_d[j] * o->d->qvel[2 * j];
    o->d->qfrc_applied[2 * j] = tau[j];
  }
}

/* encoders of 20 bits on both sides, 0.05 N m of noise on the torque */
static void record(FILE *log, const char *mjcf) {
  oracle o = oracle_load(mjcf);
  o.m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  o.m->opt.timestep = STEP;
  for (int j = 0; j < 2 * N; j++) {
    o.m->dof_solref[mjNREF * j] = 2 * STEP;
    o.m->dof_solref[mjNREF * j + 1] = 1;
  }
  mj_resetData(o.m, o.d);
  for (int j = 0; j < N; j++) o.d->qpos[2 * j] = 0.4;
  fprintf(log, "t,q1,q2,ql1,ql2,tau1,tau2\n");
  const double count = 2 * M_PI / (1 << 20);
  for (int k = 0; k < COUNT; k++) {
    const double t = k / RATE;
    double theta[N], q[N], tau[N];
    drive(tau, &o, t);
    for (int j = 0; j < N; j++) {
      theta[j] = o.d->qpos[2 * j];
      q[j] = theta[j] + o.d->qpos[2 * j + 1];
    }
    fprintf(log, "%.6f", t);
    for (int j = 0; j < N; j++) fprintf(log, ",%.12g", count * nearbyint(theta[j] / count));
    for (int j = 0; j < N; j++) fprintf(log, ",%.12g", count * nearbyint(q[j] / count));
    for (int j = 0; j < N; j++)
      fprintf(log, ",%.9g", tau[j] + 0.05 * rbv_random_normal(11, (uint64_t)j, (uint64_t)k));
    fprintf(log, "\n");
    for (int i = 0; i < STEPS; i++) {
      drive(tau, &o, t + i * STEP);
      mj_step(o.m, o.d);
    }
  }
  oracle_free(&o);
}

/* within 2 % and 2 sigma; the rotors, whose inertia a rigid model cannot separate, within 5 % */
static void test_both_encoders(void **state) {
  (void)state;
  char arm[512], recorded[512];
  snprintf(arm, sizeof arm, "%s", temp_file("arm.yaml", robot));
  rbv_model *m = load_robot(arm, -1, false);
  snprintf(recorded, sizeof recorded, "%s", temp_file("log.csv", ""));
  FILE *log = fopen(recorded, "w");
  assert_non_null(log);
  record(log, export(m, "arm.xml"));
  fclose(log);
  rbv_document *doc = tool_json("identify '%s' '%s' -q --json -o result.json", arm, recorded);
  const rbv_node *root = rbv_document_root(doc);
  bool good = true;
  for (int j = 0; j < N; j++) {
    char path[64];
    double x[4];
    static const char *const key[] = {"stiffness", "sigma", "inertia", "inertia_sigma"};
    for (int i = 0; i < 4; i++) {
      snprintf(path, sizeof path, "springs.%d.%s", j, key[i]);
      x[i] = real_at(root, path);
    }
    print_message("stiffness %.2f +- %.2f of %g, rotor %.4f +- %.4f of %g\n", x[0], x[1],
                  stiffness[j], x[2], x[3], inertia[j]);
    const double off = fabs(x[0] - stiffness[j]);
    good = good && off <= 0.02 * stiffness[j] && off <= 2 * x[1];
    good = good && fabs(x[2] - inertia[j]) <= 0.05 * inertia[j];
  }
  assert_true(good);
  rbv_document_free(doc);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_exported_arm),
                                     cmocka_unit_test(test_both_encoders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
