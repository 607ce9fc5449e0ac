/*
 * Load friction identified from a closed loop. Methods with a simulated loop find the parameters of
 * the true robot; with Fv and Fc alone they do not.
 */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define JOINT \
  "drive: [Ia, Fv, Fc, off%s], limits: {lower: -3, upper: 3, velocity: 3, effort: 200}}\n"
static const char robot[] =
    "name: arm\n"
    "joints:\n"
    "  - {mdh: {}, " JOINT "  - {mdh: {alpha: -pi/2}, " JOINT "  - {mdh: {d: 0.4}, " JOINT
    "friction: {smooth: 0.01}\n";
static const char values[] =
    "parameters: {ZZ1: 1.2, XX2: 0.1, YY2: 0.6, ZZ2: 0.6, MX2: 2, M2: 6, ZZ3: 0.2, YY3: 0.2,\n"
    "  MX3: 0.5, MY3: 0.1, M3: 2, Ia3: 0.1, Fv1: 2, Fv2: 3, Fv3: 1, Fc1: 2, Fc2: 3, Fc3: 1.5,\n"
    "  Fl1: 0.1, Fl2: 0.15, Fl3: 0.12}\n";

static rbv_model *truth;

static void write_reference(void) {
  static const double w[3][3] = {{0.7, 1.9, 3.7}, {0.9, 1.6, 4.1}, {0.8, 2.3, 4.9}};
  static const double a[3] = {0.8, 0.35, 0.12};
  FILE *to = fopen(temp_file("reference.csv", ""), "w");
  assert_non_null(to);
  fprintf(to, "t,q1,q2,q3\n");
  for (int k = 0; k < 10000; k++) {
    fprintf(to, "%.3f", k / 500.0);
    for (int j = 0; j < 3; j++) {
      double q = 0;
      for (int i = 0; i < 3; i++) q += a[i] * sin(w[j][i] * k / 500.0 + i + j);
      fprintf(to, ",%.9g", q);
    }
    fputc('\n', to);
  }
  fclose(to);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* median error of the parameters that are not zero, relative */
static double median_error(const char *method, const char *friction) {
  rbv_document *doc = tool_json(
      "identify plain.yaml log.csv -m %s --controller loop.yaml --friction %s --unchecked -q "
      "--json",
      method, friction);
  const rbv_node *list = node_at(rbv_document_root(doc), "estimate.parameters");
  rbv_base *base;
  assert_ok(rbv_base_new(&base, truth, NULL));
  double *value = calloc((size_t)base->count, sizeof *value), *error = calloc(100, sizeof *error);
  rbv_base_values(value, base, rbv_model_parameters(truth));
  int count = 0;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *p = rbv_node_at(list, i);
    const char *name = rbv_node_text(rbv_node_find(p, "name"));
    for (int k = 0; k < base->count; k++)
      if (strcmp(base->name[k], name) == 0 && fabs(value[k]) > 1e-6)
        error[count++] = fabs(real_at(p, "value") / value[k] - 1);
  }
  // bodies, friction, loads
  assert_true(count >= 15);
  qsort(error, (size_t)count, sizeof *error, ascending);
  const double median = error[count / 2];
  print_message("%s with %s: median error %.2f %%, largest %.1f %%\n", method, friction,
                100 * median, 100 * error[count - 1]);
  free(value);
  free(error);
  rbv_base_free(base);
  rbv_document_free(doc);
  return median;
}

static void test_load_friction_in_a_loop(void **state) {
  (void)state;
  static const char *const method[] = {"iv", "didim"};
  for (int i = 0; i < 2; i++) {
    assert_true(median_error(method[i], "plain") > 0.05);
    assert_true(median_error(method[i], "Fl") < 0.01);
  }
  assert_true(median_error("iv", "auto") < 0.01);
}

static int simulate(void **state) {
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, robot, "", "", "");
  temp_file("plain.yaml", text);
  snprintf(text, sizeof text, robot, ", Fl", ", Fl", ", Fl");
  strcat(text, values);
  temp_file("arm.yaml", text);
  assert_ok(rbv_model_parse(&truth, "arm.yaml", text, strlen(text), NULL));
  write_reference();
  free(
      tool_text("simulate arm.yaml reference.csv -e 1000000 --torque-noise 1%% --save-controller "
                "loop.yaml -q -o log.csv"));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  rbv_model_free(truth);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_load_friction_in_a_loop),
  };
  return cmocka_run_group_tests(tests, simulate, tear_down);
}
