/* roberval identify: from CSV files to a result, on robots whose parameters are known. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "consistency/consistency.h"

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COLUMN_MAX 200

static double chi[COLUMN_MAX];

/* a recording of a robot with the parameters in chi, 500 Hz, as name.csv */
static void record(const rbv_model *m, const char *name, uint64_t seed, bool loaded,
                   const char *stems) {
  waves w;
  waves_new(&w, m, chi, seed, 5000, 500, loaded);
  waves_add_noise(&w, seed, 0.05);
  waves_save(&w, temp_file(name, NULL), stems);
  waves_free(&w);
}

/* every estimate is within the given sigmas of the truth, plus slack for differentiation errors */
static void compare(const rbv_node *root, const rbv_model *m, double sigmas, double slack) {
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  double want[COLUMN_MAX];
  rbv_base_values(want, b, chi);
  const rbv_node *list = node_at(root, "estimate.parameters");
  assert_int_equal(rbv_node_count(list), b->count);
  for (int k = 0; k < b->count; k++) {
    const rbv_node *p = rbv_node_at(list, k);
    text_at(p, "name", b->name[k]);
    const double value = real_at(p, "value"), sigma = real_at(p, "sigma");
    assert_near(value, want[k], sigmas * sigma + slack, 0);
    assert_near(real_at(p, "relative_sigma_percent"), 100 * sigma / fabs(value), 0, 1e-12);
    const bool combined = b->category[b->kept[k]] == RBV_CATEGORY_BASE;
    text_at(p, "status", combined ? "combined" : "identified");
  }
  rbv_base_free(b);
}

static void test_result_of_two_logs(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  random_columns(chi, m, 1);
  record(m, "a.csv", 1, false, "q tau");
  record(m, "b.csv", 2, false, "q tau");
  outcome o =
      tool("identify tx40 a.csv b.csv --decimate 5 --mask 0.02 --unchecked -v -o result.json");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "identified"));  // the table of the parameters
  assert_non_null(strstr(o.err, "60 base parameters"));
  assert_non_null(strstr(o.err, "written: result.json"));
  outcome_free(&o);

  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("result.json", NULL)));
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.result/1");
  text_at(root, "robot.file", "tx40");
  text_at(root, "robot.sha256", "");
  assert_int_equal(rbv_node_count(node_at(root, "logs")), 2);
  text_at(root, "logs.1.file", "b.csv");
  char hash[65];
  assert_ok(rbv_hash_file(hash, temp_file("b.csv", NULL)));
  text_at(root, "logs.1.sha256", hash);
  assert_true(real_at(root, "logs.1.samples") == 5000);
  assert_near(real_at(root, "logs.1.rate_hz"), 500, 0, 1e-9);
  text_at(root, "options.method", "wls");
  assert_true(real_at(root, "options.decimate") == 5);
  assert_true(real_at(root, "options.mask") == 0.02);
  assert_true(real_at(root, "chosen.decimate") == 5);
  assert_true(real_at(root, "chosen.mask_rad_per_s") == 0.02);
  text_at(root, "estimate.method", "wls");
  assert_int_equal(rbv_node_count(node_at(root, "fit.per_joint")), 6);
  text_at(root, "fit.per_joint.3.joint", "joint4");
  assert_true(real_at(root, "fit.relative_error") < 0.05);
  assert_true(real_at(root, "diagnostics.condition_number") > 1);
  assert_int_equal(rbv_node_count(node_at(root, "diagnostics.durbin_watson")), 6);
  assert_int_equal(rbv_node_count(node_at(root, "diagnostics.ks_p")), 6);
  assert_true(real_at(root, "diagnostics.dof") > 5000);
  const double masked = real_at(root, "masked_fraction");
  assert_true(masked > 0 && masked < 0.2);
  // signs change within the window of a filter: a systematic error of a few thousandths
  compare(root, m, 6, 0.02);
  rbv_document_free(doc);
  rbv_model_free(m);
}

static void test_json_goes_to_stdout(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  near_columns(chi, m, 1);
  record(m, "a.csv", 1, false, "q tau");
  outcome o = tool("identify tx40 a.csv -q --json --unchecked -o both.json");
  assert_int_equal(o.code, 0);
  assert_string_equal(o.err, "");
  char *file = read_text(temp_file("both.json", NULL), NULL);
  assert_string_equal(file, o.out);
  free(file);
  outcome_free(&o);
  // with neither option, a table on request
  o = tool("identify tx40 a.csv -m ols -v");
  assert_int_equal(o.code, 0);
  assert_int_equal(strncmp(o.out, "name", 4), 0);
  assert_non_null(strstr(o.out, "fcm6"));
  outcome_free(&o);
  rbv_model_free(m);
}

/* the result is a parameter set for other commands */
static void test_result_predicts_torque(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  random_columns(chi, m, 1);
  record(m, "a.csv", 1, false, "q tau");
  free(tool_text("identify tx40 a.csv -q --decimate 5 -o result.json"));
  waves w;
  waves_new(&w, m, chi, 9, 200, 100, false);
  waves_save(&w, temp_file("other.csv", NULL), "q dq ddq");
  csv t = tool_table("dynamics tx40 other.csv -p result.json");
  double error = 0, size = 0;
  for (int k = 0; k < 200; k++)
    for (int j = 0; j < 6; j++) {
      const double e = t.value[k * 6 + j] - w.torque[k + j * 200];
      error += e * e;
      size += w.torque[k + j * 200] * w.torque[k + j * 200];
    }
  // noise of 0.05 N m on torques of a few N m, 60 parameters from 6000 rows
  assert_true(sqrt(error / size) < 0.02);
  csv_free(&t);
  waves_free(&w);
  rbv_model_free(m);
}

/* ---- payload ---- */

static void test_payload_needs_a_loaded_log(void **state) {
  (void)state;
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_BOTH, true);
  random_columns(chi, m, 1);
  record(m, "empty.csv", 1, false, "q tau tauj");
  record(m, "loaded.csv", 2, true, "q tau tauj");
  rbv_document *doc =
      tool_json("identify lwr4+ empty.csv --payload --loaded loaded.csv -d 5 --unchecked --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "logs.0.loaded", "false");
  text_at(root, "logs.1.loaded", "true");
  text_at(root, "logs.1.file", "loaded.csv");
  assert_int_equal(rbv_node_count(node_at(root, "fit.per_joint")), 14);
  text_at(root, "fit.per_joint.13.torque", "joint");
  compare(root, m, 6, 0.05);
  rbv_document_free(doc);
  tool_refuses(2, "add a loaded recording (--loaded)", "identify lwr4+ empty.csv --payload");
  tool_refuses(2, "a loaded recording needs the option payload",
               "identify lwr4+ empty.csv --loaded loaded.csv");
  rbv_model_free(m);
}

/* ---- maps ---- */

/* the same columns under other names, joints in another order, degrees, behind gears */
static void test_map_names_joints(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  random_columns(chi, m, 1);
  record(m, "a.csv", 1, false, "q tau");
  char map[1024] = "time: t\nsensing: motor\njoints:\n";
  static const int order[] = {3, 1, 6, 2, 5, 4};
  for (int i = 0; i < 6; i++)
    snprintf(map + strlen(map), sizeof map - strlen(map),
             "  - {name: joint%d, q: {column: q%d}, tau: tau%d}\n", order[i], order[i], order[i]);
  temp_file("map.yaml", map);
  rbv_document *plain = tool_json("identify tx40 a.csv -d 5 --json");
  rbv_document *mapped = tool_json("identify tx40 a.csv -d 5 --map map.yaml --json");
  for (int k = 0; k < 60; k++) {
    char path[64];
    snprintf(path, sizeof path, "estimate.parameters.%d.value", k);
    assert_true(real_at(rbv_document_root(plain), path) ==
                real_at(rbv_document_root(mapped), path));
  }
  rbv_document_free(plain);
  rbv_document_free(mapped);
  temp_file("stranger.yaml", "time: t\njoints: [{name: elbow, q: q1, tau: tau1}]\n");
  tool_refuses(3, "elbow", "identify tx40 a.csv --map stranger.yaml");
  temp_file("side.yaml", "time: t\nsensing: joint\njoints: [{q: q1, tau: tau1}]\n");
  tool_refuses(3, "a.csv", "identify tx40 a.csv --map side.yaml");
  rbv_model_free(m);
}

/* ---- negative outcomes ---- */

static void test_robot_at_rest(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, NULL, 1, 500, 100, false);
  memset(w.q, 0, (size_t)(w.count * 6) * sizeof *w.q);
  waves_add_noise(&w, 1, 0.1);
  waves_save(&w, temp_file("rest.csv", NULL), "q tau");
  // a result is written: gravity and offsets are identifiable, friction and inertia are not
  outcome o = tool("identify tx40 rest.csv -c 20 --json");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "not identifiable from this motion"));
  assert_non_null(strstr(o.out, "\"status\": \"not identifiable\""));
  outcome_free(&o);
  waves_free(&w);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  near_columns(chi, m, 1);
  record(m, "a.csv", 1, false, "q tau");
  record(m, "q_only.csv", 1, false, "q");
  tool_refuses(2, "--method cannot be 'magic' (choose from ols, wls, ",
               "identify tx40 a.csv --method magic");
  tool_refuses(2, "--decimate", "identify tx40 a.csv --decimate 0");
  tool_refuses(2, "--decimate needs a whole number", "identify tx40 a.csv --decimate 2.5");
  tool_refuses(2, "cutoff needs a frequency or auto, not '-1'", "identify tx40 a.csv --cutoff -1");
  tool_refuses(2, "--mask needs a number from 0", "identify tx40 a.csv --mask -1");
  tool_refuses(2, "LOG is missing", "identify tx40");
  tool_refuses(3, "half the sample rate", "identify tx40 a.csv --cutoff 250");
  tool_refuses(3, "too few", "identify tx40 a.csv --decimate 2000");
  tool_refuses(3, "q_only.csv", "identify tx40 q_only.csv");
  tool_refuses(3, "no positions for all 7 joints", "identify lwr4+ a.csv --sensing motor");
  tool_refuses(3, "absent.csv", "identify tx40 a.csv absent.csv");
  tool_refuses(3, "absent.yaml", "identify tx40 a.csv --map absent.yaml");
  tool_refuses(4, "no/such/place", "identify tx40 a.csv -q -o no/such/place/result.json");
  rbv_model_free(m);
}

/* the published values are physically inconsistent; --consistent writes consistent ones and a
 * message */
static void test_consistent(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  memcpy(chi, rbv_model_parameters(m), (size_t)rbv_model_column_count(m) * sizeof *chi);
  record(m, "a.csv", 1, false, "q tau");
  outcome o = tool("identify tx40 a.csv --decimate 5 --mask 0.02 --consistent -v -o result.json");
  // much worse than the free fit, and still a small error
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "consistent: base parameters moved by"));
  assert_non_null(strstr(o.err, "active constraints:"));
  outcome_free(&o);
  char path[512];
  snprintf(path, sizeof path, "%s/result.json", temp_directory());
  rbv_result *r;
  assert_ok(rbv_result_load(&r, path));
  assert_int_equal(r->standard.count, rbv_model_column_count(m));
  assert_int_equal(r->standard.nbody, 6);
  assert_true(r->standard.converged);
  assert_true(r->standard.gap <= 1e-8);
  rbv_consistency *c;
  assert_ok(rbv_consistency_new(&c, m, r->standard.value));
  assert_int_equal(c->faults, 0);
  for (int j = 0; j < 6; j++) {
    assert_string_equal(r->standard.body[j].state, "consistent");
    assert_string_equal(r->standard.body[j].prior, "assumed");
    assert_near(r->standard.body[j].margin, c->body[j].margin, 1e-12, 1e-9);
  }
  // standard parameters and estimate describe the same robot
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  double x[COLUMN_MAX];
  rbv_base_values(x, b, r->standard.value);
  for (int k = 0; k < b->count; k++) assert_near(x[k], r->estimate.item[k].value, 1e-9, 1e-9);
  rbv_base_free(b);
  rbv_consistency_free(c);
  rbv_result_free(r);
  rbv_model_free(m);
  tool_refuses(2, "consistent and essential cannot be combined",
               "identify tx40 a.csv --consistent --essential");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_result_of_two_logs),
      cmocka_unit_test(test_consistent),
      cmocka_unit_test(test_json_goes_to_stdout),
      cmocka_unit_test(test_result_predicts_torque),
      cmocka_unit_test(test_payload_needs_a_loaded_log),
      cmocka_unit_test(test_map_names_joints),
      cmocka_unit_test(test_robot_at_rest),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
