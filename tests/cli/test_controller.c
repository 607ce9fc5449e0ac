/* roberval controller: laws of simulated loops, output, errors; identify --controller auto. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "control/control.h"

#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COUNT 3000

/* waves of the TX40 as traj.csv, its loop at 1 kHz as log.csv and the controller as true.yaml */
static void record(const char *defects) {
  save_tx40_waves(COUNT, 1000, "q");
  free(tool_text("simulate tx40 traj.csv -o log.csv -q --save-controller true.yaml %s", defects));
}

static rbv_control *load(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", temp_directory(), name);
  rbv_control *c;
  assert_ok(rbv_control_load(&c, path, NULL));
  return c;
}

static void assert_same_gains(const char *got, const char *want, double rel) {
  rbv_control *a = load(got), *b = load(want);
  assert_near(rbv_control_rate_hz(a), rbv_control_rate_hz(b), 0, 0);
  for (int j = 0; j < 6; j++) {
    const rbv_control_joint *x = rbv_control_get_joint(a, j), *y = rbv_control_get_joint(b, j);
    assert_int_equal(x->kind, RBV_CONTROL_PID);
    assert_near(x->k_p, y->k_p, 0, rel);
    assert_near(x->k_i, y->k_i, 0, rel);
    assert_near(x->k_d, y->k_d, 0, rel);
    assert_near(x->filter_s, y->filter_s, 0, rel);
  }
  rbv_control_free(a);
  rbv_control_free(b);
}

/* the identified law equals the law that simulate used; files are read and written */
static void test_law_is_recovered(void **state) {
  (void)state;
  record("--loop-encoder 20000");
  char *words = tool_text("controller tx40 log.csv -o found.yaml");
  assert_non_null(strstr(words, "joint6: pid with filter, order 2, delay 0"));
  assert_non_null(strstr(words, "ls: the recorded signals are those that the controller used"));
  free(words);
  assert_same_gains("found.yaml", "true.yaml", 1e-6);
  // without -o the law is written to stdout
  outcome o = tool("controller tx40 log.csv -q > out.yaml");
  assert_int_equal(o.code, 0);
  assert_string_equal(o.err, "");
  outcome_free(&o);
  assert_same_gains("out.yaml", "true.yaml", 1e-6);
  // two logs give one estimate, and simulate reads the law; Bode plot and step response
  free(tool_text("controller tx40 log.csv log.csv -q -o found.yaml --plots law"));
  static const char *const figure[][2] = {
      {"law/gain-1.svg", "gain [dB of N m/rad]"},
      {"law/phase-6.svg", "phase [degrees]"},
      {"law/step-6.svg", "torque [N m]"},
  };
  for (int i = 0; i < 3; i++) {
    char *svg = read_text(temp_file(figure[i][0], NULL), NULL);
    assert_non_null(strstr(svg, figure[i][1]));
    assert_non_null(strstr(svg, "class=\"line c1\""));
    free(svg);
  }
  free(tool_text("simulate tx40 traj.csv -q -o again.csv --controller found.yaml"));
}

static void test_json(void **state) {
  (void)state;
  record("--encoder 20000");
  rbv_document *doc = tool_json("controller tx40 log.csv --json -q -o found.yaml --max-delay 1");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.controller/1");
  text_at(root, "joints.2.method", "sriv");
  text_at(root, "joints.2.noise_in", "position");
  text_at(root, "joints.2.integrator", "true");
  text_at(root, "joints.2.invertible", "true");
  rbv_control *c = load("true.yaml");
  const double k_p = rbv_control_get_joint(c, 2)->k_p;
  const double sigma = real_at(root, "joints.2.gains.k_p.sigma");
  assert_near(real_at(root, "joints.2.gains.k_p.value"), k_p, 4 * sigma, 0);
  assert_true(sigma < 0.02 * k_p);
  assert_true(real_at(root, "joints.2.error_ls") > 2 * real_at(root, "joints.2.error_sriv"));
  rbv_control_free(c);
  rbv_document_free(doc);
  assert_same_gains("found.yaml", "true.yaml", 0.3);
}

static void test_identify_controller_auto(void **state) {
  (void)state;
  record("--loop-encoder 200000");
  const char *const rest = "--skip 0.1 --start robot --cutoff 40 --decimate 20 --mask 0.05";
  outcome o = tool("identify tx40 log.csv --method iv --controller auto %s -o a.json", rest);
  assert_true(o.code <= 1);
  assert_non_null(strstr(o.err, "controller of joint3: pid with filter by ls"));
  outcome_free(&o);
  o = tool("identify tx40 log.csv --method iv --controller true.yaml %s -q -o b.json", rest);
  assert_true(o.code <= 1);
  outcome_free(&o);
  char path[512];
  snprintf(path, sizeof path, "%s/a.json", temp_directory());
  rbv_document *a, *b;
  assert_ok(rbv_document_load(&a, path));
  snprintf(path, sizeof path, "%s/b.json", temp_directory());
  assert_ok(rbv_document_load(&b, path));
  for (int i = 0; i < 10; i++) {
    char key[64];
    snprintf(key, sizeof key, "estimate.parameters.%d.value", i);
    assert_near(real_at(rbv_document_root(a), key), real_at(rbv_document_root(b), key), 1e-7, 1e-6);
  }
  rbv_document_free(a);
  rbv_document_free(b);
}

/* log.csv with one column (counted from 1) recomputed by awk */
static void change(const char *column, const char *expression) {
  char command[1024];
  snprintf(command, sizeof command,
           "cd %s && awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { "
           "$at[\"%s\"] = %s } { print }' log.csv > changed.csv",
           temp_directory(), column, expression);
  assert_int_equal(system(command), 0);
}

static void test_refusals(void **state) {
  (void)state;
  record("");
  tool_refuses(3, "without the reference: record it as qr1", "controller tx40 traj.csv");
  change("qr3", "0.5");
  tool_refuses(3, "the reference of joint 3 never moves", "controller tx40 changed.csv");
  change("tau2", "sin(NR * NR)");
  outcome o = tool("controller tx40 changed.csv -q -o none.yaml --max-delay 1");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "joint2: no linear law explains its torque"));
  outcome_free(&o);
  char path[512];
  snprintf(path, sizeof path, "%s/none.yaml", temp_directory());
  assert_null(fopen(path, "r"));
  char command[1024];
  snprintf(command, sizeof command, "cd %s && head -120 log.csv > short.csv", temp_directory());
  assert_int_equal(system(command), 0);
  tool_refuses(3, "record longer", "controller tx40 short.csv");
  snprintf(command, sizeof command, "cd %s && sed 500,520d log.csv > gap.csv", temp_directory());
  assert_int_equal(system(command), 0);
  tool_refuses(3, "needs every tick", "controller tx40 gap.csv");
  tool_refuses(2, "no method 'magic'", "controller tx40 log.csv --method magic");
  tool_refuses(2, "--order needs a whole number from 1 to 3", "controller tx40 log.csv --order 4");
  tool_refuses(2, "--max-delay needs a whole number from 1 to 16",
               "controller tx40 log.csv --max-delay 40");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_law_is_recovered),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_identify_controller_auto),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
