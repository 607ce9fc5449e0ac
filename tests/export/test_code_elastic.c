/*
 * C code of elastic joints, compiled by the system's compiler: numbers of an independent program
 * (ref/README.md beside the recordings) without and with damping, and the equations of the springs
 * with a cubic part and a rigid joint.
 */
#include <dlfcn.h>

#include "bodies.h"
#include "document/document.h"
#include "nodes.h"

#define MOST 3

typedef void (*elastic_function)(double *, const double *, const double *, const double *,
                                 const double *, const double *, const double *);

static void *compile(elastic_function *out, const rbv_export *e) {
  char command[1024];
  (void)temp_file("arm.c", e->text);
  (void)temp_file("arm.h", e->header);
  snprintf(command, sizeof command,
           "cd '%s' && flags='-std=c99 -O1 -Wall -Wextra -Werror -pedantic' && "
           "cc $flags -DARM_SELFTEST_MAIN arm.c -o selftest -lm && ./selftest && "
           "cc $flags -fPIC -shared arm.c -o arm.so -lm",
           temp_directory());
  if (system(command) != 0) fail_msg("the code does not pass");
  void *library = dlopen(temp_file("arm.so", NULL), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail_msg("%s", dlerror());
  *(void **)out = dlsym(library, "arm_elastic_dynamics");
  if (!*(void **)out) fail_msg("elastic_dynamics is not in the library");
  return library;
}

static double number(const rbv_node *list, int k, int j) {
  const rbv_node *row = rbv_node_at(list, k);
  double x;
  assert_ok(rbv_node_real(&x, j < 0 ? row : rbv_node_at(row, j)));
  return x;
}

/* the arm of a file; damped: with the damping of its springs */
static rbv_model *load(const rbv_node *root, bool damped) {
  const rbv_node *joints = node_at(root, "joint_order");
  char urdf[512];
  snprintf(urdf, sizeof urdf, "%s",
           temp_file("arm.urdf", rbv_node_text(node_at(root, "robot.urdf"))));
  rbv_text y = {0};
  rbv_text_print(&y, "urdf: %s\nfriction: {gamma: %g}\njoints:\n", urdf,
                 real_at(root, "robot.gamma"));
  for (int j = 0; j < rbv_node_count(joints); j++) {
    rbv_text_print(
        &y,
        "  - {name: %s, elastic: {stiffness: %.17g, damping: %.17g},\n"
        "     parameters: {Ia: %.17g, Fv: %.17g, Fc: %.17g, off: %.17g}}\n",
        rbv_node_text(rbv_node_at(joints, j)), number(node_at(root, "robot.K"), j, -1),
        damped ? number(node_at(root, "robot.D"), j, -1) : 0,
        number(node_at(root, "robot.B"), j, -1), number(node_at(root, "robot.Fv"), j, -1),
        number(node_at(root, "robot.Fc"), j, -1), number(node_at(root, "robot.off"), j, -1));
  }
  rbv_model *m;
  assert_ok(rbv_model_load(&m, temp_file("arm.yaml", y.data), NULL));
  rbv_text_free(&y);
  return m;
}

static void compare(const char *file, bool damped) {
  char path[128];
  rbv_document *doc;
  snprintf(path, sizeof path, "../ref/%s", file);
  assert_ok(rbv_document_load(&doc, recording(path)));
  const rbv_node *root = rbv_document_root(doc);
  rbv_model *m = load(root, damped);
  const int n = rbv_model_joint_count(m), rows = rbv_node_count(node_at(root, "inverse.t"));
  rbv_export *e = export_as(RBV_EXPORT_C, m, rbv_model_parameters(m), "arm");
  elastic_function code;
  void *library = compile(&code, e);
  static const char *const key[] = {"tau_m", "th", "thd"};
  double worst[3] = {0}, size[3] = {0};
  for (int k = 0; k < rows; k++) {
    double x[5][MOST], bend[MOST], out[4 * MOST];
    for (int i = 0; i < 5; i++) {
      snprintf(path, sizeof path, "inverse.q%.*s", i > 0,
               i > 0 ? (const char[]){(char)('0' + i), 0} : "");
      for (int j = 0; j < n; j++) x[i][j] = number(node_at(root, path), k, j);
    }
    const char *how = damped ? "damped" : "undamped";
    for (int j = 0; j < n; j++) {
      snprintf(path, sizeof path, "inverse.%s.th", how);
      // without damping the code does not read it
      bend[j] = damped ? number(node_at(root, path), k, j) - x[0][j] : NAN;
    }
    code(out, x[0], x[1], x[2], x[3], x[4], bend);
    for (int i = 0; i < 3; i++) {
      snprintf(path, sizeof path, "inverse.%s.%s", how, key[i]);
      for (int j = 0; j < n; j++) {
        const double want = number(node_at(root, path), k, j);
        worst[i] = fmax(worst[i], fabs(out[i * n + j] - want));
        size[i] = fmax(size[i], fabs(want));
      }
    }
  }
  print_message("%s, %s: torque %.1e of %.3g, positions %.1e, velocities %.1e\n", file,
                damped ? "damped" : "undamped", worst[0], size[0], worst[1], worst[2]);
  // with damping the derivative of a deflection is a small difference of torques over the damping:
  // 1e-16 rad times stiffness over damping, twice
  for (int i = 0; i < 3; i++) assert_near(worst[i], 0, 1e-8 * size[i], 0);
  dlclose(library);
  rbv_export_free(e);
  rbv_model_free(m);
  rbv_document_free(doc);
}

static void test_reference_numbers(void **state) {
  (void)state;
  for (int damped = 0; damped < 2; damped++) {
    compare("elastic_2joint.json", damped);
    compare("elastic_3joint.json", damped);
  }
}

/* joint 1 rigid, 2 with a cubic part: the model with motors has the torque of the code's motion */
static void test_mixed_joints(void **state) {
  (void)state;
  static const char robot[] =
      "joints:\n"
      "  - {mdh: {alpha: pi/2}, drive: [Ia, Fv, off]}\n"
      "  - {mdh: {d: 0.4}, drive: [Ia, Fv, off], elastic: {stiffness: 250, cubic: 1e5}}\n"
      "parameters: {XX1: 0.01, YY1: 0.3, ZZ1: 0.3, MX1: 0.8, M1: 4, Ia1: 0.2, Fv1: 0.6, off1: "
      "0.3,\n"
      "  XX2: 0.004, YY2: 0.08, ZZ2: 0.08, MX2: 0.3, M2: 1.5, Ia2: 0.05, Fv2: 0.2, off2: 0.1}\n";
  rbv_model *m, *wide;
  assert_ok(rbv_model_parse(&m, "mixed", robot, strlen(robot), NULL));
  rbv_model_terms terms = rbv_model_get_terms(m);
  terms.motors = true;
  assert_ok(rbv_model_variant(&wide, m, &terms));
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, wide));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(wide), false));
  rbv_export *e = export_as(RBV_EXPORT_C, m, rbv_model_parameters(m), "arm");
  elastic_function code;
  void *library = compile(&code, e);
  dice chance = {.seed = 4};
  for (int k = 0; k < 50; k++) {
    double x[5][2], out[3][8], tau[3];
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 2; j++) x[i][j] = uniform(&chance, -1, 1) * pow(3, i);
    // the motor's acceleration by differences of its velocity: steps of 1e-4 s, error 1e-7
    const double h = 1e-4;
    for (int s = -1; s <= 1; s++) {
      double at[5][2], t = s * h;
      for (int j = 0; j < 2; j++) {
        at[0][j] =
            x[0][j] + t * (x[1][j] + t / 2 * (x[2][j] + t / 3 * (x[3][j] + t / 4 * x[4][j])));
        at[1][j] = x[1][j] + t * (x[2][j] + t / 2 * (x[3][j] + t / 3 * x[4][j]));
        at[2][j] = x[2][j] + t * (x[3][j] + t / 2 * x[4][j]);
        at[3][j] = x[3][j] + t * x[4][j];
        at[4][j] = x[4][j];
      }
      code(out[s + 1], at[0], at[1], at[2], at[3], at[4], at[0]);
    }
    const double q[] = {x[0][0], x[0][1], out[1][3]}, dq[] = {x[1][0], x[1][1], out[1][5]};
    const double ddq[] = {x[2][0], x[2][1], (out[2][5] - out[0][5]) / (2 * h)};
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    assert_near(out[1][0], tau[0], 1e-10, 1e-10);  // rigid
    assert_near(tau[1], 0, 1e-10, 0);              // the spring carries the link
    assert_near(out[1][1], tau[2], 1e-6, 1e-6);
    assert_near(out[1][2], x[0][0], 0, 0);
  }
  dlclose(library);
  rbv_export_free(e);
  rbv_dynamics_free(d);
  rbv_model_free(wide);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference_numbers),
                                     cmocka_unit_test(test_mixed_joints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
