/*
 * Friction that changes along a recording: with the time since the start, with a recorded
 * temperature, and with the position (ripple). The recordings are simulated with `--drift` and
 * `--ripple`, which scale the whole friction and add to the torque: they know nothing of the laws
 * that are identified.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define TIME_CONSTANT 10.0
#define CHANGE (-0.25)

static const char robot[] =
    "name: arm\n"
    "joints:\n"
    "  - {mdh: {}, drive: [Ia, Fv, Fc, off]}\n"
    "  - {mdh: {alpha: -pi/2}, drive: [Ia, Fv, Fc, off]}\n"
    "  - {mdh: {d: 0.4}, drive: [Ia, Fv, Fc, off]}\n"
    "parameters: {ZZ1: 1.2, XX2: 0.1, YY2: 0.6, ZZ2: 0.6, MX2: 2, M2: 6, ZZ3: 0.2, YY3: 0.2,\n"
    "  MX3: 0.5, MY3: 0.1, M3: 2, Ia3: 0.1, Fv1: 2, Fv2: 3, Fv3: 1, Fc1: 4, Fc2: 6, Fc3: 3}\n";
static const double coulomb[3] = {4, 6, 3}, viscous[3] = {2, 3, 1};

static void write_reference(const char *name, double phase) {
  static const double w[3][3] = {{0.7, 1.9, 3.7}, {0.9, 1.6, 4.1}, {0.8, 2.3, 4.9}};
  static const double a[3] = {0.8, 0.35, 0.12};
  FILE *to = fopen(temp_file(name, ""), "w");
  assert_non_null(to);
  fprintf(to, "t,q1,q2,q3\n");
  for (int k = 0; k < 6000; k++) {
    fprintf(to, "%.3f", k / 200.0);
    for (int j = 0; j < 3; j++) {
      double q = 0;
      for (int i = 0; i < 3; i++) q += a[i] * sin(w[j][i] * k / 200.0 + i + phase * (j + 1));
      fprintf(to, ",%.9g", q);
    }
    fputc('\n', to);
  }
  fclose(to);
}

/* the log with one more column; only rows from `first` on */
static void add_column(const char *to, const char *from, const char *name, double first,
                       double (*value)(double t)) {
  char *text = read_text(temp_file(from, NULL), NULL), *rest = text;
  FILE *out = fopen(temp_file(to, ""), "w");
  assert_non_null(out);
  bool header = true;
  for (char *line; (line = strtok_r(rest, "\n", &rest));) {
    const double t = strtod(line, NULL);
    if (line[0] == '#')
      fprintf(out, "%s\n", line);
    else if (header)
      fprintf(out, "%s,%s\n", line, name);
    else if (t >= first)
      fprintf(out, "%s,%.9g\n", line, value(t));
    if (line[0] != '#') header = false;
  }
  fclose(out);
  free(text);
}

static double clock_of(double t) { return t; }
static double zero(double t) { return 0 * t; }
/* 20 degrees at the start, 50 when warm: friction is linear in it */
static double temperature(double t) { return 293.15 + 30 * (1 - exp(-t / TIME_CONSTANT)); }

static double value_of(const rbv_node *root, const char *name, const char *what) {
  const rbv_node *list = node_at(root, "estimate.parameters");
  for (int i = 0; i < rbv_node_count(list); i++)
    if (strcmp(rbv_node_text(rbv_node_find(rbv_node_at(list, i), "name")), name) == 0)
      return real_at(rbv_node_at(list, i), what);
  fail_msg("no parameter %s", name);
  return NAN;
}

/* within 4 sigma and 5 % of the change: the law is exact, the rows are noisy */
static void expect(const rbv_node *root, const char *law, int joint, double want) {
  char name[16];
  snprintf(name, sizeof name, "%s%d", law, joint + 1);
  const double got = value_of(root, name, "value"), sigma = value_of(root, name, "sigma");
  print_message("%s %.4f +- %.4f, true %.4f\n", name, got, sigma, want);
  assert_near(got, want, 4 * sigma + 0.05 * fabs(want), 0);
  assert_true(sigma < 0.2 * fabs(want));
}

static void test_warm_up(void **state) {
  (void)state;
  rbv_document *doc =
      tool_json("identify arm.yaml drift.csv --friction Fcw=auto,Fvw=auto -q --json -o warm.json");
  const rbv_node *root = rbv_document_root(doc);
  for (int j = 0; j < 3; j++) {
    expect(root, "Fcw", j, CHANGE * coulomb[j]);
    expect(root, "Fvw", j, CHANGE * viscous[j]);
    expect(root, "Fc", j, coulomb[j]);
  }
  // both terms of a joint have the time constant, within 10 % and 4 sigma
  const rbv_node *terms = node_at(root, "friction");
  assert_int_equal(rbv_node_count(terms), 6);
  for (int i = 0; i < 6; i++) {
    const double got = real_at(rbv_node_at(terms, i), "shape");
    const double sigma = real_at(rbv_node_at(terms, i), "shape_sigma");
    print_message("time constant %.2f +- %.2f s\n", got, sigma);
    assert_near(got, TIME_CONSTANT, 4 * sigma, 0.1);
    assert_true(sigma < 0.1 * TIME_CONSTANT);
  }
  const double fit = real_at(root, "fit.relative_error");
  rbv_document_free(doc);
  doc = tool_json("identify arm.yaml drift.csv -q --json");
  assert_true(fit < 0.5 * real_at(rbv_document_root(doc), "fit.relative_error"));
  rbv_document_free(doc);
}

static double error_of(const char *log) {
  rbv_document *doc = tool_json("validate warm.json %s -q --json", log);
  const double error = real_at(rbv_document_root(doc), "validation.relative_error");
  rbv_document_free(doc);
  return error;
}

/* another motion that was recorded when the robot was warm: its column says so */
static void test_uptime(void **state) {
  (void)state;
  add_column("warm_time.csv", "other.csv", "uptime", 15, clock_of);
  add_column("warm_cold.csv", "other.csv", "uptime", 15, zero);
  const double known = error_of("warm_time.csv"), cold = error_of("warm_cold.csv");
  print_message("warm robot: error %.2f %%, as if it were cold %.2f %%\n", 100 * known, 100 * cold);
  assert_true(known < 0.5 * cold);
  tool_refuses(3, "use wls or irls",
               "identify arm.yaml warm_time.csv --friction Fcw=10 -m didim --unchecked "
               "--controller loop.yaml");
}

static void test_temperature(void **state) {
  (void)state;
  static const char map[] =
      "time: t\ntemp: {column: gear, unit: K}\n"
      "joints: [{q: q1, tau: tau1, qr: qr1}, {q: q2, tau: tau2, qr: qr2},\n"
      "  {q: q3, tau: tau3, qr: qr3}]\n";
  temp_file("map.yaml", map);
  add_column("kelvin.csv", "drift.csv", "gear", 0, temperature);
  add_column("kelvin2.csv", "other.csv", "gear", 1, temperature);
  rbv_document *doc = tool_json(
      "identify arm.yaml kelvin.csv --map map.yaml --friction Fct,Fvt -q --json -o kelvin.json");
  const rbv_node *root = rbv_document_root(doc);
  for (int j = 0; j < 3; j++) {
    expect(root, "Fct", j, CHANGE * coulomb[j] / 30);
    expect(root, "Fvt", j, CHANGE * viscous[j] / 30);
    // at 25 degrees
    expect(root, "Fc", j, coulomb[j] * (1 + CHANGE * 5 / 30));
  }
  const double fit = real_at(root, "fit.relative_error");
  rbv_document_free(doc);
  doc = tool_json("validate kelvin.json kelvin2.csv --map map.yaml -q --json");
  assert_true(real_at(rbv_document_root(doc), "validation.relative_error") < 1.5 * fit);
  rbv_document_free(doc);
  tool_refuses(3, "needs a column temp", "identify arm.yaml drift.csv --friction Fct");
  tool_refuses(3, "use wls or irls",
               "identify arm.yaml kelvin.csv --map map.yaml --friction Fct -m didim --unchecked "
               "--controller loop.yaml");
  // the code takes the state, and its own test passes
  free(tool_text("export kelvin.json -f c -o kelvin.c -q"));
}

/* 40 periods per turn, 0.2 N m, in the recorded torque */
static void test_ripple(void **state) {
  (void)state;
  rbv_document *doc = tool_json(
      "identify arm.yaml ripple.csv --friction Frs=auto,Frc=auto -q --json -o ripple.json");
  const rbv_node *root = rbv_document_root(doc), *terms = node_at(root, "friction");
  for (int j = 0; j < 3; j++) {
    char sine[8], cosine[8];
    snprintf(sine, sizeof sine, "Frs%d", j + 1);
    snprintf(cosine, sizeof cosine, "Frc%d", j + 1);
    const double number = real_at(rbv_node_at(terms, j), "shape");
    const double size = hypot(value_of(root, sine, "value"), value_of(root, cosine, "value"));
    print_message("joint %d: %.3f periods, %.3f N m\n", j + 1, number, size);
    assert_near(number, 40, 0, 0.01);
    assert_near(size, 0.2, 0, 0.1);
  }
  rbv_document_free(doc);
  free(tool_text("export ripple.json -f c -o ripple.c -q"));
}

/* friction that changes is found, friction that does not is not */
static void test_check_finds_the_drift(void **state) {
  (void)state;
  char *drift = tool_text("check arm.yaml drift.csv --json");
  char *steady = tool_text("check arm.yaml steady.csv --json");
  assert_non_null(strstr(drift, "friction-drift"));
  assert_null(strstr(steady, "friction-drift"));
  free(drift);
  free(steady);
}

static int simulate(void **state) {
  (void)state;
  static const char how[] = "--rate 500 --bandwidth 10 --encoder 200000 --torque-noise 1% -q";
  temp_file("arm.yaml", robot);
  write_reference("reference.csv", 1);
  write_reference("second.csv", 2.3);
  free(
      tool_text("simulate arm.yaml reference.csv %s --drift %g --drift-time %g -o drift.csv "
                "--save-controller loop.yaml",
                how, CHANGE, TIME_CONSTANT));
  free(tool_text("simulate arm.yaml second.csv %s --drift %g --drift-time %g --seed 2 -o other.csv",
                 how, CHANGE, TIME_CONSTANT));
  free(tool_text("simulate arm.yaml reference.csv %s --seed 3 -o steady.csv", how));
  free(
      tool_text("simulate arm.yaml reference.csv %s --ripple 0.2 --ripple-periods 40 --seed 4 -o "
                "ripple.csv",
                how));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_warm_up),
      cmocka_unit_test(test_uptime),
      cmocka_unit_test(test_temperature),
      cmocka_unit_test(test_ripple),
      cmocka_unit_test(test_check_finds_the_drift),
  };
  return cmocka_run_group_tests(tests, simulate, NULL);
}
