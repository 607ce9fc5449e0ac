/*
 * What identify, check and validate do with recordings that are wrong: corrupt rows, bad time
 * stamps, joints that stand still, degrees, noise, exchanged columns. The robot has two joints and
 * known parameters.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define N 3000
#define RATE 500.0

static const char robot[] =
    "name: r2\ngravity: [0, -9.81, 0]\njoints:\n"
    "  - {name: a, mdh: {alpha: 0, d: 0, theta: 0, r: 0},\n"
    "     limits: {lower: -2, upper: 2, velocity: 8}}\n"
    "  - {name: b, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0},\n"
    "     limits: {lower: -2, upper: 2, velocity: 8}}\n"
    "parameters: {ZZ1: 0.5, MX1: 1.2, ZZ2: 0.11, MX2: 0.6, M2: 2, Ia1: 0.1, Ia2: 0.05,\n"
    "             Fv1: 1.5, Fc1: 2, Fv2: 1, Fc2: 1}\n";

typedef struct {
  double t[N], q[2][N], tau[2][N];
} sheet;

static sheet good;
static sheet still;  // joint b does not move

static double normal(uint64_t stream, ptrdiff_t k) {
  return rbv_random_normal(3, stream, (uint64_t)k);
}

/* torques by the tool, with noise of 0.05 N m and encoders of 65536 counts */
static void make_sheet(sheet *x, bool moves) {
  static const double size[] = {0.7, 0.3, 0.12}, hertz[] = {0.4, 0.9, 1.7};
  char *text = malloc(400 * (N + 1));
  size_t used = (size_t)sprintf(text, "t,q1,q2,dq1,dq2,ddq1,ddq2\n");
  for (int k = 0; k < N; k++) {
    double q[2] = {0, 0.3}, v[2] = {0}, a[2] = {0};
    for (int j = 0; j < (moves ? 2 : 1); j++)
      for (int h = 0; h < 3; h++) {
        const double w = 2 * M_PI * hertz[h] * (1 + 0.13 * j), p = w * k / RATE + h + 2 * j;
        q[j] += size[h] * sin(p);
        v[j] += size[h] * w * cos(p);
        a[j] -= size[h] * w * w * sin(p);
      }
    x->t[k] = k / RATE;
    for (int j = 0; j < 2; j++) x->q[j][k] = 2 * M_PI / 65536 * rint(65536 / (2 * M_PI) * q[j]);
    used += (size_t)sprintf(text + used, "%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g\n", x->t[k],
                            q[0], q[1], v[0], v[1], a[0], a[1]);
  }
  temp_file("motion.csv", text);
  free(text);
  csv tau = tool_table("dynamics r2.yaml motion.csv -q");
  assert_int_equal(tau.nrow, N);
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < N; k++)
      x->tau[j][k] =
          tau.value[k * tau.ncolumn + tau.ncolumn - 2 + j] + 0.05 * normal((uint64_t)j, k);
  csv_free(&tau);
}

static void write_sheet(const char *name, const sheet *x) {
  char *text = malloc(200 * (N + 1));
  size_t used = (size_t)sprintf(text, "t,q1,q2,tau1,tau2\n");
  for (int k = 0; k < N; k++)
    used += (size_t)sprintf(text + used, "%.15g,%.12g,%.12g,%.12g,%.12g\n", x->t[k], x->q[0][k],
                            x->q[1][k], x->tau[0][k], x->tau[1][k]);
  temp_file(name, text);
  free(text);
}

static int make_all(void **state) {
  (void)state;
  temp_file("r2.yaml", robot);
  make_sheet(&good, true);
  make_sheet(&still, false);
  write_sheet("good.csv", &good);
  free(tool_text("identify r2.yaml good.csv -q -o good.json"));
  return 0;
}

/* value and sigma of a parameter of a result in the temporary directory */
static void get(double out[2], const char *result, const char *name) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", temp_directory(), result);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, path));
  const rbv_node *list = node_at(rbv_document_root(doc), "estimate.parameters");
  out[0] = out[1] = NAN;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *p = rbv_node_at(list, i);
    if (strcmp(rbv_node_text(rbv_node_find(p, "name")), name) != 0) continue;
    assert_ok(rbv_node_real(&out[0], rbv_node_find(p, "value")));
    if (!rbv_node_is_null(rbv_node_find(p, "sigma")))
      assert_ok(rbv_node_real(&out[1], rbv_node_find(p, "sigma")));
  }
  rbv_document_free(doc);
}

/* the parameters of joint b equal those of the good recording within half a sigma */
static void assert_as_good(const char *result) {
  static const char *const names[] = {"ZZ2", "MX2", "Fv2", "Fc2"};
  for (int i = 0; i < 4; i++) {
    double want[2], got[2];
    get(want, "good.json", names[i]);
    get(got, result, names[i]);
    assert_true(want[1] > 0);
    assert_near(got[0], want[0], 0.5 * want[1], 0);
  }
}

/* exit code of identify, and what it must say */
static void identify(int code, const char *message, const char *arguments) {
  outcome o = tool("identify r2.yaml %s -o out.json", arguments);
  if (o.code != code || !strstr(o.err, message)) print_message("%d: %s\n", o.code, o.err);
  assert_int_equal(o.code, code);
  assert_non_null(strstr(o.err, message));
  outcome_free(&o);
}

/* ---- rows ---- */

static void test_corrupt_rows(void **state) {
  (void)state;
  sheet x = good;
  x.tau[1][700] = 500;
  write_sheet("x.csv", &x);
  // a single sample is left out without being asked
  identify(0, "line 702: tau2 = 500 between samples near", "x.csv");
  assert_as_good("out.json");
  identify(0, "1 bad rows dropped", "x.csv --drop-bad-rows");
  assert_as_good("out.json");
  rbv_document *doc = tool_json("identify r2.yaml x.csv --drop-bad-rows --json -q");
  assert_near(real_at(rbv_document_root(doc), "logs.0.dropped_rows"), 1, 0, 0);
  bool flag = false;
  assert_ok(rbv_node_bool(&flag, node_at(rbv_document_root(doc), "options.drop-bad-rows")));
  assert_true(flag);
  rbv_document_free(doc);
  for (int j = 0; j < 2; j++) x.q[j][700] = 253;
  write_sheet("x.csv", &x);
  identify(0, "1 bad rows dropped", "x.csv --drop-bad-rows");
  assert_as_good("out.json");
}

static void test_check_judges_the_rest(void **state) {
  (void)state;
  sheet x = good;
  for (int j = 0; j < 2; j++) x.q[j][700] = 253;
  x.tau[0][900] = NAN;
  write_sheet("x.csv", &x);
  outcome o = tool("check r2.yaml x.csv --json");
  assert_int_equal(o.code, 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "out", o.out, strlen(o.out)));
  const rbv_node *root = rbv_document_root(doc);
  assert_near(real_at(root, "bad_value_count"), 3, 0, 0);
  assert_near(real_at(root, "bad_values.0.line"), 702, 0, 0);
  assert_near(real_at(root, "bad_values.2.line"), 902, 0, 0);
  bool known = false;
  assert_ok(rbv_node_bool(&known, node_at(root, "identifiability.known")));
  assert_true(known);
  const rbv_node *list = node_at(root, "findings");
  int errors = 0;
  for (int i = 0; i < rbv_node_count(list); i++)
    errors += strcmp(rbv_node_text(rbv_node_find(rbv_node_at(list, i), "severity")), "error") == 0;
  assert_int_equal(errors, 2);
  rbv_document_free(doc);
  outcome_free(&o);
  o = tool("check r2.yaml x.csv --drop-bad-rows");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "line 702"));
  outcome_free(&o);
}

static void test_missing_and_truncated_rows(void **state) {
  (void)state;
  sheet x = good;
  x.tau[0][100] = NAN;
  write_sheet("x.csv", &x);
  tool_refuses(3, "x.csv:102: tau1 is missing (nan) (see --drop-bad-rows)",
               "identify r2.yaml x.csv");
  identify(0, "line 102: tau1 is missing", "x.csv --drop-bad-rows");
  assert_as_good("out.json");
  char path[600];
  snprintf(path, sizeof path, "%s/good.csv", temp_directory());
  size_t size;
  char *text = read_text(path, &size);
  text[size - 30] = 0;
  char *last = strrchr(text, ',');
  *last = 0;
  temp_file("cut.csv", text);
  free(text);
  tool_refuses(3, "(see --drop-bad-rows)", "identify r2.yaml cut.csv");
  identify(0, "line 3001", "cut.csv --drop-bad-rows");
  assert_as_good("out.json");
}

static void test_other_commands(void **state) {
  (void)state;
  sheet x = good;
  x.tau[1][700] = 500;
  write_sheet("x.csv", &x);
  outcome o = tool("validate good.json x.csv");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "line 702"));
  outcome_free(&o);
  free(tool_text("validate good.json x.csv --drop-bad-rows --max-error 2%%"));
  o = tool("payload r2.yaml good.csv x.csv");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "line 702"));
  outcome_free(&o);
}

/* ---- time ---- */

static void test_close_stamps(void **state) {
  (void)state;
  static const double after[] = {1e-5, 1e-7, 1e-9, 1e-12, 0};
  for (int i = 0; i < 5; i++) {
    sheet x = good;
    x.t[1000] = x.t[999] + after[i];
    write_sheet("x.csv", &x);
    identify(0, "1 samples with repeated or almost repeated time stamps", "x.csv");
    assert_as_good("out.json");
  }
}

static void test_clock_jumps(void **state) {
  (void)state;
  static const double jumps[] = {1e4, 1e5, 1e6, 1e12};
  for (int i = 0; i < 4; i++) {
    sheet x = good;
    for (int k = 500; k < N; k++) x.t[k] += jumps[i];
    write_sheet("x.csv", &x);
    tool_refuses(3, "s at line 502", "identify r2.yaml x.csv");
  }
  // a trajectory whose stamps are microseconds
  sheet x = good;
  for (int k = 0; k < N; k++) x.t[k] *= 1e6;
  write_sheet("x.csv", &x);
  tool_refuses(3, "not in seconds", "simulate r2.yaml x.csv --rate 1000 -o s.csv");
}

static void test_streams(void **state) {
  (void)state;
  tool_refuses(3, "not a text table", "check r2.yaml /dev/zero");
}

/* ---- questions ---- */

static void test_still_joints(void **state) {
  (void)state;
  // exactly, and with an encoder that toggles one count of 4096
  for (int toggles = 0; toggles < 2; toggles++) {
    sheet x = still;
    for (int k = 0; k < N && toggles; k++)
      x.q[1][k] = 2 * M_PI / 4096 * (normal(9, k) > 0.3 ? 1 : 0);
    write_sheet("x.csv", &x);
    identify(1, "joint 2 (b) never moves", "x.csv");
    static const char *const names[] = {"Ia2", "Fv2", "Fc2"};
    for (int i = 0; i < 3; i++) {
      double got[2];
      get(got, "out.json", names[i]);
      assert_true(isnan(got[1]));
    }
    // what joint a says about itself is right
    double got[2];
    get(got, "out.json", "Fv1");
    assert_near(got[0], 1.5, 5 * got[1], 0);
  }
}

static void test_wrong_recordings(void **state) {
  (void)state;
  identify(0, "", "good.csv");
  sheet x = good;
  for (int k = 0; k < N; k++)
    for (int j = 0; j < 2; j++) x.q[j][k] *= 180 / M_PI;
  write_sheet("x.csv", &x);
  identify(1, "look like degrees", "x.csv");
  identify(0, "accepted by the user", "x.csv --unchecked");
  x = good;
  for (int k = 0; k < N; k++)
    for (int j = 0; j < 2; j++) x.tau[j][k] = 5 * normal(5 + (uint64_t)j, k);
  write_sheet("x.csv", &x);
  identify(1, "unexplained", "x.csv");
  x = good;
  memcpy(x.q[0], good.q[1], sizeof x.q[0]);
  memcpy(x.q[1], good.q[0], sizeof x.q[0]);
  write_sheet("x.csv", &x);
  identify(1, "are swapped", "x.csv");
  x = good;
  for (int k = 0; k < N; k++) x.tau[1][k] *= -1;
  write_sheet("x.csv", &x);
  identify(1, "the sign of the torque of joint 2", "x.csv");
}

/* ---- where findings and advice are seen ---- */

static void assert_page(const char *result, int code, const char *verdict, const char *item) {
  outcome o = tool("report %s -q -o page.html", result);
  assert_int_equal(o.code, code);
  outcome_free(&o);
  char *page = read_text(temp_file("page.html", NULL), NULL);
  assert_non_null(strstr(page, "Checks of the recordings"));
  assert_non_null(strstr(page, verdict));
  if (!strstr(page, item)) fail_msg("the page has no %s", item);
  assert_null(strstr(page, "x<b>.csv"));
  free(page);
}

/* a name that HTML must not see as it is; errors that are accepted do not forbid the result */
static void test_findings_on_the_page(void **state) {
  (void)state;
  static const char item[] =
      "<li data-finding=\"error\"><strong>torque-unit</strong>: x&lt;b&gt;.csv";
  sheet x = good;
  for (int k = 0; k < N; k++)
    for (int j = 0; j < 2; j++) x.tau[j][k] *= 3;
  write_sheet("x<b>.csv", &x);
  identify(1, "all torques are", "'x<b>.csv'");
  assert_page("out.json", 1, "verdict bad", item);
  identify(0, "accepted by the user", "'x<b>.csv' --unchecked");
  assert_page("out.json", 0, "class=\"care\" data-rule=\"torque-unit\"", item);
  write_sheet("x.csv", &good);
  identify(0, "", "x.csv");
  assert_page("out.json", 0, "id=\"findings\"", "found nothing");
}

/* 3000 rows of 5 numbers do not fit into 10 kB */
static void test_pieces_are_not_questioned(void **state) {
  (void)state;
  write_sheet("x.csv", &good);
  identify(0, "x.csv: read in pieces, so that corrupt rows", "x.csv --memory 0.01");
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("out.json", NULL)));
  text_at(rbv_document_root(doc), "advice.0.code", "not questioned");
  text_at(rbv_document_root(doc), "advice.0.option", "memory");
  rbv_document_free(doc);
  assert_page("out.json", 0, "id=\"findings\"",
              "<li data-finding=\"advice\"><strong>not questioned</strong>: x.csv");
}

/* a robot with an error in its recording makes the answer of its fleet no */
static void test_fleet_counts_findings(void **state) {
  (void)state;
  sheet x = good;
  for (int k = 0; k < N; k++)
    for (int j = 0; j < 2; j++) x.tau[j][k] *= 3;
  write_sheet("x.csv", &x);
  write_sheet("y.csv", &good);
  temp_file("fleet.yaml",
            "robot: r2.yaml\n"
            "robots: [{name: bad, logs: [x.csv]}, {name: fine, logs: [y.csv]}]\n");
  outcome o = tool("identify --fleet fleet.yaml -q");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.out, "errors in the recordings of 1 robot:\n  bad: "));
  assert_null(strstr(o.out, "  fine: "));
  outcome_free(&o);
  o = tool("identify --fleet fleet.yaml -q --json");
  assert_int_equal(o.code, 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "out", o.out, strlen(o.out)));
  assert_near(real_at(rbv_document_root(doc), "with_findings"), 1, 0, 0);
  assert_near(real_at(rbv_document_root(doc), "robots.0.findings"), 1, 0, 0);
  assert_near(real_at(rbv_document_root(doc), "robots.1.findings"), 0, 0, 0);
  rbv_document_free(doc);
  outcome_free(&o);
  // accepted by the user
  doc = tool_json("identify --fleet fleet.yaml -q --unchecked --json");
  assert_near(real_at(rbv_document_root(doc), "with_findings"), 0, 0, 0);
  assert_near(real_at(rbv_document_root(doc), "robots.0.findings"), 1, 0, 0);
  rbv_document_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_corrupt_rows),
      cmocka_unit_test(test_check_judges_the_rest),
      cmocka_unit_test(test_missing_and_truncated_rows),
      cmocka_unit_test(test_other_commands),
      cmocka_unit_test(test_close_stamps),
      cmocka_unit_test(test_clock_jumps),
      cmocka_unit_test(test_streams),
      cmocka_unit_test(test_still_joints),
      cmocka_unit_test(test_wrong_recordings),
      cmocka_unit_test(test_findings_on_the_page),
      cmocka_unit_test(test_pieces_are_not_questioned),
      cmocka_unit_test(test_fleet_counts_findings),
  };
  return cmocka_run_group_tests(tests, make_all, NULL);
}
