/*
 * Commercial arms: URDF and MJCF of the same arm, read here and by MuJoCo; and identified
 * parameters written into the MJCF.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/geometry.h"
#include "simulated.h"

#define N 7

/*
 * Full inertias (fullinertia) are those of the Panda only. MuJoCo turns them into principal axes
 * when it loads the file, by an iteration that stops when 1 - cos < 1e-12, at 1.4e-6 rad. Its
 * torques are those of inertias that are turned by up to this angle, not those of the numbers in
 * the file; test_principal_axes_of_mujoco shows it. Our two readers agree to 1e-9 on the same files
 * (test_mjcf_against_urdf), and with MuJoCo where it has nothing to compute: with its own inertias
 * (test_mjcf_against_mujoco), and with exact principal axes (test_exact_principal_axes).
 */
#define FULL_INERTIA 1.4e-6

static const struct {
  const char *name;
  double bound;  // of the inertias that MuJoCo computes from the file
} arms[] = {{"panda_nohand", FULL_INERTIA}, {"ur10e", 1e-9}, {"iiwa14", 1e-9}};

static rbv_model *load_arm(const char *name, const char *end) {
  char relative[64];
  rbv_model *m;
  rbv_model_options options = rbv_model_defaults();
  options.snap = false;
  snprintf(relative, sizeof relative, "models/%s%s", name, end);
  assert_ok(rbv_model_load(&m, recording(relative), &options));
  return m;
}

/* our torques, mass matrices and accelerations against MuJoCo's */
static void compare_arm(const oracle *o, const rbv_model *m, const double *chi, double bound) {
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  const int n = rbv_model_joint_count(m);
  assert_true(n <= N);
  assert_int_equal(o->m->nv, n);
  for (int j = 0; j < n; j++)
    assert_string_equal(rbv_model_joint(m, j)->name, mj_id2name(o->m, mjOBJ_JOINT, j));
  for (uint64_t k = 0; k < 200; k++) {
    double q[N], dq[N], ddq[N], tau[N], want[N], M[N * N], W[N * N];
    for (int j = 0; j < n; j++) {
      const uint64_t at = k * N + (uint64_t)j;
      q[j] = 6 * rbv_random_uniform(1, 0, at) - 3;
      dq[j] = 4 * rbv_random_uniform(1, 1, at) - 2;
      ddq[j] = 10 * rbv_random_uniform(1, 2, at) - 5;
    }
    oracle_inverse(want, o, q, dq, ddq);
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    assert_agrees(tau, want, n, bound);
    oracle_forward(want, W, o, q, dq, tau);
    rbv_dynamics_mass(M, d, q);
    assert_agrees(M, W, n * n, bound);
    bool regular = false;
    rbv_dynamics_forward(tau, &regular, d, q, dq, tau);
    assert_true(regular);
    assert_agrees(tau, want, n, bound);
  }
  rbv_dynamics_free(d);
}

static oracle load_oracle(const char *name) {
  char relative[64];
  snprintf(relative, sizeof relative, "models/%s_meshless.xml", name);
  return oracle_load(recording(relative));
}

static void test_urdf_against_mujoco(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    rbv_model *m = load_arm(arms[i].name, ".urdf");
    oracle o = load_oracle(arms[i].name);
    compare_arm(&o, m, rbv_model_parameters(m), arms[i].bound);
    oracle_free(&o);
    rbv_model_free(m);
  }
}

/* inertias as MuJoCo has computed them from the file, in our parameters */
static void take_inertias(double *chi, const oracle *o, const rbv_model *m) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis != RBV_BASIS_INERTIAL) continue;
    const int b = o->m->jnt_bodyid[column->joint];
    const double *I = o->m->body_inertia + 3 * b, mass = o->m->body_mass[b];
    const double body[RBV_INERTIAL] = {I[0], 0, 0, I[1], 0, I[2], 0, 0, 0, mass};
    double moved[RBV_INERTIAL];
    rbv_pose pose;
    rbv_rotation_quaternion(pose.R, o->m->body_iquat + 4 * b);
    memcpy(pose.p, o->m->body_ipos + 3 * b, sizeof pose.p);
    rbv_inertial_transform(moved, body, &pose);
    chi[c] = moved[column->component];
  }
}

static void test_mjcf_against_mujoco(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    static double chi[COLUMNS_MAX];
    rbv_model *m = load_arm(arms[i].name, "_meshless.xml");
    oracle o = load_oracle(arms[i].name);
    compare_arm(&o, m, rbv_model_parameters(m), arms[i].bound);
    // with MuJoCo's own inertias the rest, also of the Panda, agrees to 1e-9
    memset(chi, 0, sizeof chi);
    take_inertias(chi, &o, m);
    compare_arm(&o, m, chi, 1e-9);
    oracle_free(&o);
    rbv_model_free(m);
  }
}

/*
 * The inertia of the file, in the principal axes that MuJoCo has computed from it: the elements
 * beside the diagonal, over the difference of the principal moments, are the angles that its
 * iteration has left.
 */
static void test_principal_axes_of_mujoco(void **state) {
  (void)state;
  rbv_model *m = load_arm("panda_nohand", "_meshless.xml");
  oracle o = load_oracle("panda_nohand");
  double largest = 0;
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    const int b = o.m->jnt_bodyid[j];
    double link[RBV_INERTIAL] = {0}, turned[RBV_INERTIAL];
    for (int c = 0; c < rbv_model_column_count(m); c++) {
      const rbv_column *column = rbv_model_column(m, c);
      if (column->basis == RBV_BASIS_INERTIAL && column->joint == j)
        link[column->component] = rbv_model_parameters(m)[c];
    }
    // from the frame of the link to that of MuJoCo's principal axes
    rbv_pose pose;
    rbv_rotation_quaternion(pose.R, o.m->body_iquat + 4 * b);
    memcpy(pose.p, o.m->body_ipos + 3 * b, sizeof pose.p);
    const rbv_pose back = rbv_pose_inverse(&pose);
    rbv_inertial_transform(turned, link, &back);
    const double moment[3] = {turned[0], turned[3], turned[5]};
    static const int pair[3][3] = {{1, 0, 1}, {2, 0, 2}, {4, 1, 2}};  // component, axes
    for (int k = 0; k < 3; k++) {
      const double apart = moment[pair[k][1]] - moment[pair[k][2]];
      largest = fmax(largest, fabs(turned[pair[k][0]] / apart));
    }
    // the moments themselves depend on the square of the angles
    for (int k = 0; k < 3; k++)
      assert_near(o.m->body_inertia[3 * b + k], moment[k], 1e-11 * moment[0], 0);
  }
  print_message("axes of MuJoCo: %.2g rad\n", largest);
  assert_true(largest > 1e-8 && largest < FULL_INERTIA);
  oracle_free(&o);
  rbv_model_free(m);
}

/* Inertias with exact principal axes: MuJoCo agrees to 1e-9 on the Panda too. */
static void test_exact_principal_axes(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    rbv_model *m = load_arm(arms[i].name, ".urdf");
    // a new document, which has diaginertia and quat
    rbv_export *e = export_as(RBV_EXPORT_MJCF, m, rbv_model_parameters(m), NULL);
    assert_null(strstr(e->text, "fullinertia"));
    oracle o = oracle_load(temp_file("exact.xml", e->text));
    compare_arm(&o, m, rbv_model_parameters(m), 1e-9);
    oracle_free(&o);
    rbv_export_free(e);
    rbv_model_free(m);
  }
}

/* the two files of an arm give the same torques */
static void test_mjcf_against_urdf(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    rbv_model *a = load_arm(arms[i].name, ".urdf"), *b = load_arm(arms[i].name, "_meshless.xml");
    const int n = rbv_model_joint_count(a);
    assert_int_equal(rbv_model_joint_count(b), n);
    dice chance = {.seed = 3};
    for (int k = 0; k < 200; k++) {
      double q[N], dq[N], ddq[N], x[N], y[N];
      random_state(q, dq, ddq, n, &chance);
      assert_ok(rbv_model_torques(x, a, NULL, 1, q, dq, ddq));
      assert_ok(rbv_model_torques(y, b, NULL, 1, q, dq, ddq));
      assert_agrees(x, y, n, 1e-9);
    }
    rbv_model_free(a);
    rbv_model_free(b);
  }
}

/* the text without <inertial .../> and without these attributes */
static char *without_values(const char *text) {
  static const char *const attribute[] = {" armature=\"", " damping=\"", " frictionloss=\""};
  char *out = malloc(strlen(text) + 1);
  assert_non_null(out);
  size_t n = 0;
  while (*text) {
    const char *end = NULL;
    if (strncmp(text, "<inertial ", 10) == 0) end = strstr(text, "/>");
    for (int i = 0; i < 3; i++)
      if (strncmp(text, attribute[i], strlen(attribute[i])) == 0)
        end = strchr(text + strlen(attribute[i]), '"');
    if (end)
      text = end + 1;
    else
      out[n++] = *text++;
  }
  out[n] = 0;
  return out;
}

/* identified values in the user's own MJCF: MuJoCo loads it and has the same torques */
static void test_written_back(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    static double chi[COLUMNS_MAX], smooth[COLUMNS_MAX];
    char relative[64];
    rbv_model *m = load_arm(arms[i].name, "_meshless.xml");
    const int n = rbv_model_column_count(m);
    for (int c = 0; c < n; c++) {
      const rbv_column *column = rbv_model_column(m, c);
      const double some = 0.5 + rbv_random_uniform(7, 0, (uint64_t)c);
      chi[c] = column->basis == RBV_BASIS_INERTIAL
                   ? (1 + 0.1 * column->joint) * rbv_model_parameters(m)[c]
               : rbv_column_has_law(column, "off") ? 0
                                                   : some;
    }
    rbv_export_options how = rbv_export_defaults();
    how.loaded.snap = false;
    how.format = RBV_EXPORT_MJCF;
    rbv_export *e;
    assert_ok(rbv_export_new(&e, m, chi, &how));
    if (e->refused) fail_msg("%s", e->reason);
    oracle o = oracle_load(temp_file("own.xml", e->text));
    memcpy(smooth, chi, sizeof smooth);
    only_smooth(smooth, m, true);
    compare_arm(&o, m, smooth, arms[i].bound);
    for (int j = 0; j < o.m->nv; j++) {
      char name[16];
      snprintf(name, sizeof name, "Fc%d", j + 1);
      assert_near(o.m->dof_frictionloss[j], chi[rbv_model_find(m, name)], 0, 1e-15);
    }
    // everything else is byte for byte as before
    snprintf(relative, sizeof relative, "models/%s_meshless.xml", arms[i].name);
    char *before = read_text(recording(relative), NULL);
    char *a = without_values(before), *b = without_values(e->text);
    assert_string_equal(a, b);
    free(before);
    free(a);
    free(b);
    oracle_free(&o);
    rbv_export_free(e);
    rbv_model_free(m);
  }
}

int main(void) {
  (void)recording("models/iiwa14.urdf");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_urdf_against_mujoco),      cmocka_unit_test(test_mjcf_against_mujoco),
      cmocka_unit_test(test_principal_axes_of_mujoco), cmocka_unit_test(test_exact_principal_axes),
      cmocka_unit_test(test_mjcf_against_urdf),        cmocka_unit_test(test_written_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
