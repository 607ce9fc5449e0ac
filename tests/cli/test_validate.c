/* roberval validate: recordings that the result was not made from, and one that it was. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COLUMN_MAX 200
#define LOGS 5

static double chi[COLUMN_MAX];

/* 6 s at 500 Hz; noise of 0.2 N m on torques of some 10 N m */
static void record(const rbv_model *m, const char *name, uint64_t seed, bool loaded,
                   const char *stems) {
  waves w;
  waves_new(&w, m, chi, seed, 3000, 500, loaded);
  waves_add_noise(&w, seed, 0.2);
  waves_save(&w, temp_file(name, NULL), stems);
  waves_free(&w);
}

/* a.csv for training, b1.csv to b5.csv for validation */
static int prepare(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  near_columns(chi, m, 1);
  record(m, "a.csv", 1, false, "q dq ddq tau");
  for (int i = 0; i < LOGS; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d.csv", i + 1);
    record(m, name, (uint64_t)(2 + i), false, "q dq ddq tau");
  }
  free(tool_text("identify tx40 a.csv -q -c 20 -d 5 --mask 0.02 -o result.json"));
  rbv_model_free(m);
  return 0;
}

/* ---- the error ---- */

/* |e|^2 and |Y|^2 of a list of torque rows, from rows, rms and relative error */
static double pooled(const rbv_node *list) {
  double rss = 0, yy = 0;
  for (int r = 0; r < rbv_node_count(list); r++) {
    const rbv_node *row = rbv_node_at(list, r);
    const double rms = real_at(row, "rms_residual_Nm"), share = real_at(row, "relative_error");
    const double sum = real_at(row, "rows") * rms * rms;
    rss += sum;
    yy += sum / (share * share);
  }
  return sqrt(rss / yy);
}

static void test_error_on_another_log(void **state) {
  (void)state;
  rbv_document *doc = tool_json("validate result.json b1.csv --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.validation/1");
  text_at(root, "version", rbv_version());
  text_at(root, "result", "result.json");
  // at least the noise of 0.2 N m, of which the decimation by 5 passes 0.8 / 5; the derivatives
  // add less than twice as much below a cut-off of 20 Hz
  const double error = real_at(root, "validation.relative_error"), noise = 0.2 * sqrt(0.8 / 5);
  for (int r = 0; r < 6; r++) {
    char path[64];
    snprintf(path, sizeof path, "validation.per_joint.%d.rms_residual_Nm", r);
    const double rms = real_at(root, path);
    if (!(rms > 0.8 * noise && rms < 3 * noise)) fail_msg("joint %d: rms %g", r + 1, rms);
  }
  assert_true(real_at(root, "validation.relative_error_unfiltered") > error);
  assert_int_equal(rbv_node_count(node_at(root, "validation.per_joint")), 6);
  text_at(root, "validation.per_joint.2.joint", "joint3");
  text_at(root, "validation.per_joint.2.torque", "motor");
  assert_near(pooled(node_at(root, "validation.per_joint")), error, 0, 1e-12);
  // one recording has no spread, and without a limit there is no verdict
  assert_null(rbv_node_find(node_at(root, "validation.per_joint.0"), "median"));
  assert_null(rbv_node_find(node_at(root, "validation"), "within_limit"));
  text_at(root, "logs.0.file", "b1.csv");
  char hash[65];
  assert_ok(rbv_hash_file(hash, temp_file("b1.csv", NULL)));
  text_at(root, "logs.0.sha256", hash);
  assert_true(real_at(root, "logs.0.relative_error") == error);
  rbv_document_free(doc);
}

/* the unfiltered error computed from the torques of `dynamics` with the same parameters */
static void test_error_is_that_of_dynamics(void **state) {
  (void)state;
  free(
      tool_text("identify tx40 a.csv -q -d 5 --gamma 0 --differentiate recorded -o recorded.json"));
  rbv_document *doc = tool_json("validate recorded.json b1.csv -q --json");
  csv t = tool_table("dynamics tx40 b1.csv -p recorded.json");
  csv log = csv_parse(read_text(temp_file("b1.csv", NULL), NULL));
  double rss = 0, yy = 0;
  for (int j = 0; j < 6; j++) {
    char name[16];
    snprintf(name, sizeof name, "tau%d", j + 1);
    const int predicted = csv_find(&t, name), measured = csv_find(&log, name);
    for (int k = 0; k < log.nrow; k++) {
      const double y = log.value[k * log.ncolumn + measured];
      const double e = y - t.value[k * t.ncolumn + predicted];
      rss += e * e;
      yy += y * y;
    }
  }
  // both sum 18000 squares
  assert_near(real_at(rbv_document_root(doc), "validation.relative_error_unfiltered"),
              sqrt(rss / yy), 0, 1e-10);
  csv_free(&t);
  csv_free(&log);
  rbv_document_free(doc);
}

/* ---- many recordings ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void test_quartiles_over_many_logs(void **state) {
  (void)state;
  static const char *const key[] = {"smallest", "lower_quartile", "median", "upper_quartile",
                                    "largest"};
  rbv_document *doc =
      tool_json("validate result.json b1.csv b2.csv b3.csv b4.csv b5.csv -q --json");
  const rbv_node *root = rbv_document_root(doc);
  assert_int_equal(rbv_node_count(node_at(root, "logs")), LOGS);
  for (int r = 0; r < 6; r++) {
    char path[64];
    double error[LOGS];
    for (int i = 0; i < LOGS; i++) {
      snprintf(path, sizeof path, "logs.%d.per_joint.%d.relative_error", i, r);
      error[i] = real_at(root, path);
    }
    // of five numbers the quartiles are numbers of the list
    qsort(error, LOGS, sizeof *error, by_size);
    snprintf(path, sizeof path, "validation.per_joint.%d", r);
    const rbv_node *row = node_at(root, path);
    for (int k = 0; k < 5; k++) assert_true(real_at(row, key[k]) == error[k]);
  }
  assert_near(pooled(node_at(root, "validation.per_joint")),
              real_at(root, "validation.relative_error"), 0, 1e-12);
  rbv_document_free(doc);
  char *words = tool_text("validate result.json b1.csv b2.csv b3.csv b4.csv b5.csv");
  assert_non_null(strstr(words, "min, quartiles, max"));
  assert_non_null(strstr(words, "b4.csv: "));
  free(words);
}

/* the same errors as a box plot: a box with its median line for each joint */
static void test_box_plot(void **state) {
  (void)state;
  outcome o = tool("validate result.json b1.csv b2.csv b3.csv b4.csv b5.csv --plots boxes");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "written: 1 figures in boxes"));
  outcome_free(&o);
  char *svg = read_text(temp_file("boxes/errors.svg", NULL), NULL);
  int boxes = 0;
  for (const char *c = svg; (c = strstr(c, "class=\"f1\"")); c++) boxes++;
  assert_int_equal(boxes, 6);
  assert_non_null(strstr(svg, "relative error [%]"));
  assert_non_null(strstr(svg, "over 5 recordings"));
  assert_non_null(strstr(svg, ">joint6<"));
  free(svg);
}

/* of two recordings the quartiles lie between them */
static void test_quartiles_of_two(void **state) {
  (void)state;
  rbv_document *doc = tool_json("validate result.json b1.csv b2.csv -q --json");
  const rbv_node *root = rbv_document_root(doc), *row = node_at(root, "validation.per_joint.0");
  const double low = real_at(row, "smallest"), high = real_at(row, "largest");
  assert_near(real_at(row, "lower_quartile"), 0.75 * low + 0.25 * high, 0, 1e-14);
  assert_near(real_at(row, "median"), 0.5 * (low + high), 0, 1e-14);
  assert_near(real_at(row, "upper_quartile"), 0.25 * low + 0.75 * high, 0, 1e-14);
  rbv_document_free(doc);
}

/* ---- the limit ---- */

static void test_limit_sets_exit_code(void **state) {
  (void)state;
  const struct {
    const char *limit;
    int code;
    const char *words, *verdict;
    double share;
  } cases[] = {{"5%", 0, "within the limit of 5 %", "true", 0.05},
               {"0.05", 0, "within the limit of 5 %", "true", 0.05},
               {"0.01%", 1, "above the limit of 0.01 %", "false", 1e-4},
               {"1e-4", 1, "above the limit of 0.01 %", "false", 1e-4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    outcome o = tool("validate result.json b1.csv --max-error %s", cases[i].limit);
    assert_int_equal(o.code, cases[i].code);
    assert_non_null(strstr(o.out, cases[i].words));
    outcome_free(&o);
    o = tool("validate result.json b1.csv -q --json -e %s", cases[i].limit);
    assert_int_equal(o.code, cases[i].code);
    rbv_document *doc;
    assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
    text_at(rbv_document_root(doc), "validation.within_limit", cases[i].verdict);
    assert_near(real_at(rbv_document_root(doc), "validation.max_error"), cases[i].share, 0, 1e-15);
    rbv_document_free(doc);
    outcome_free(&o);
  }
}

/* ---- the recording of the result itself ---- */

static void test_training_log_is_named(void **state) {
  (void)state;
  static const char warning[] =
      "the result was made from this recording, which therefore does not validate it";
  outcome o = tool("validate result.json b1.csv a.csv");
  assert_int_equal(o.code, 0);
  const char *at = strstr(o.err, warning);
  assert_non_null(at);
  assert_null(strstr(at + 1, warning));
  assert_non_null(strstr(o.err, "\na.csv: the result was made"));
  outcome_free(&o);
  // recognised by its content, not by its name
  char *text = read_text(temp_file("a.csv", NULL), NULL);
  temp_file("other name.csv", text);
  free(text);
  o = tool("validate result.json 'other name.csv'");
  assert_non_null(strstr(o.err, warning));
  outcome_free(&o);
  o = tool("validate result.json b1.csv");
  assert_null(strstr(o.err, warning));
  outcome_free(&o);
  o = tool("validate -q result.json a.csv");
  assert_string_equal(o.err, "");
  outcome_free(&o);
}

/* ---- output ---- */

static void test_file_and_stdout(void **state) {
  (void)state;
  outcome o = tool("validate result.json b1.csv -q --json -o both.json");
  assert_int_equal(o.code, 0);
  char *file = read_text(temp_file("both.json", NULL), NULL);
  assert_string_equal(file, o.out);
  outcome_free(&o);
  // with -o alone, text on stdout
  o = tool("validate result.json b1.csv -q -o one.json");
  assert_int_equal(strncmp(o.out, "joint", 5), 0);
  char *one = read_text(temp_file("one.json", NULL), NULL);
  assert_string_equal(file, one);
  free(one);
  free(file);
  outcome_free(&o);
  o = tool("validate result.json b1.csv -q --json -o no/such/place.json");
  assert_int_equal(o.code, 4);
  assert_string_equal(o.out, "");
  outcome_free(&o);
}

/* ---- the robot file of the result ---- */

static const char arm[] =
    "<robot name=\"arm\"><link name=\"base\"/>"
    "<joint name=\"a\" type=\"revolute\"><parent link=\"base\"/><child link=\"upper\"/>"
    "<axis xyz=\"0 1 0\"/><limit effort=\"9\" velocity=\"9\" lower=\"-3\" upper=\"3\"/></joint>"
    "<link name=\"upper\"/>"
    "<joint name=\"b\" type=\"revolute\"><parent link=\"upper\"/><child link=\"lower\"/>"
    "<origin xyz=\"0 0 0.5\" rpy=\"0 0.00004 0\"/><axis xyz=\"0 1 0\"/>"
    "<limit effort=\"9\" velocity=\"9\" lower=\"-3\" upper=\"3\"/></joint>"
    "<link name=\"lower\"/></robot>";

static void test_robot_that_moved_or_changed(void **state) {
  (void)state;
  rbv_model *m = load_robot(temp_file("arm.urdf", arm), -1, false);
  random_columns(chi, m, 3);
  record(m, "arm1.csv", 1, false, "q tau");
  record(m, "arm2.csv", 2, false, "q tau");
  rbv_model_free(m);
  free(tool_text("identify arm.urdf arm1.csv -q -d 5 -o arm.json"));
  outcome o = tool("validate arm.json arm2.csv");
  assert_int_equal(o.code, 0);
  assert_null(strstr(o.err, "changed"));
  outcome_free(&o);
  temp_file("there.urdf", arm);
  char away[300];
  strcpy(away, temp_file("arm.urdf", NULL));
  assert_int_equal(remove(away), 0);
  tool_refuses(3, "arm.urdf", "validate arm.json arm2.csv");
  o = tool("validate arm.json arm2.csv --robot there.urdf");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  temp_file("arm.urdf", arm);
  FILE *f = fopen(away, "a");
  fputs("\n", f);
  fclose(f);
  o = tool("validate arm.json arm2.csv");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "the robot file has changed since"));
  outcome_free(&o);
}

/* --tip and --no-snap are part of the result: without them its parameters do not fit the robot */
static void test_robot_as_it_was_loaded(void **state) {
  (void)state;
  temp_file("arm.urdf", arm);
  rbv_model *m = load_robot(temp_file("arm.urdf", NULL), -1, false);
  random_columns(chi, m, 3);
  record(m, "arm1.csv", 1, false, "q tau");
  record(m, "arm2.csv", 2, false, "q tau");
  rbv_model_free(m);
  temp_file("first.yaml", "{time: t, sensing: motor, joints: [{name: a, q: q1, tau: tau1}]}");
  // the second joint is excluded but loads the first: a bad fit is expected
  outcome o = tool("identify arm.urdf arm1.csv -q --map first.yaml --tip upper -d 5 -o tip.json");
  assert_int_equal(o.code, 1);
  outcome_free(&o);
  rbv_document *doc = tool_json("validate tip.json arm2.csv -q --json");
  assert_int_equal(rbv_node_count(node_at(rbv_document_root(doc), "validation.per_joint")), 1);
  rbv_document_free(doc);
  free(tool_text("identify arm.urdf arm1.csv -q --no-snap --gamma 30 -d 5 -o exact.json"));
  assert_ok(rbv_document_load(&doc, temp_file("exact.json", NULL)));
  text_at(rbv_document_root(doc), "options.no-snap", "true");
  rbv_document_free(doc);
  free(tool_text("validate exact.json arm2.csv -q"));
}

/* ---- columns and payload ---- */

static void test_map_is_remembered(void **state) {
  (void)state;
  char map[1024] = "time: t\nsensing: motor\njoints:\n", upside[1024];
  for (int j = 1; j <= 6; j++)
    snprintf(map + strlen(map), sizeof map - strlen(map), "  - {q: q%d, tau: tau%d}\n", j, j);
  temp_file("map.yaml", map);
  strcpy(upside, map);
  memcpy(strstr(upside, "tau1"), "tau2", 4);
  temp_file("upside.yaml", upside);
  free(tool_text("identify tx40 a.csv -q -c 20 -d 5 --mask 0.02 --map map.yaml -o mapped.json"));
  rbv_document *plain = tool_json("validate result.json b1.csv -q --json");
  rbv_document *mapped = tool_json("validate mapped.json b1.csv -q --json");
  // torques of the wrong joint
  outcome o = tool("validate mapped.json b1.csv -q --json --map upside.yaml");
  assert_int_equal(o.code, 1);
  rbv_document *other;
  assert_ok(rbv_document_parse(&other, "stdout", o.out, strlen(o.out)));
  outcome_free(&o);
  static const char key[] = "validation.relative_error";
  assert_true(real_at(rbv_document_root(plain), key) == real_at(rbv_document_root(mapped), key));
  assert_true(real_at(rbv_document_root(other), key) > 0.1);
  rbv_document_free(plain);
  rbv_document_free(mapped);
  rbv_document_free(other);
}

static void test_loaded_recordings(void **state) {
  (void)state;
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_JOINT, true);
  random_columns(chi, m, 1);
  chi[rbv_model_find(m, "ML")] = 4;
  record(m, "empty.csv", 1, false, "q tauj");
  record(m, "loaded.csv", 2, true, "q tauj");
  record(m, "again.csv", 3, true, "q tauj");
  rbv_model_free(m);
  free(
      tool_text("identify lwr4+ empty.csv --sensing joint --payload --loaded loaded.csv -q -d 5 "
                "-o payload.json"));
  outcome o = tool("validate payload.json again.csv --loaded -e 5%%");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  // without the payload
  o = tool("validate payload.json again.csv -e 5%%");
  assert_int_equal(o.code, 1);
  outcome_free(&o);
}

/* ---- the robot file ---- */

/* the values of the robot file: the baseline that `validate` prints beside those of a result */
static void test_robot_without_a_result(void **state) {
  (void)state;
  rbv_document *robot = tool_json("validate tx40 b1.csv --json"),
               *result = tool_json("validate result.json b1.csv --json");
  const rbv_node *a = rbv_document_root(robot), *b = rbv_document_root(result);
  text_at(a, "robot", "tx40");
  assert_null(rbv_node_find(a, "result"));
  const double error = real_at(a, "validation.comparable_error");
  // the parameters of the recording are those of the file but for 10 %
  assert_true(error > 0.01 && error < 0.2);
  assert_true(real_at(b, "validation.comparable_error") < error / 2);
  // the law of friction follows the speeds of the recordings, of which the result had another
  assert_near(real_at(b, "validation.comparable_error_robot_file"), error, 0, 1e-3);
  rbv_document_free(robot);
  rbv_document_free(result);

  outcome o = tool("validate tx40 b1.csv --max-error 1%%");
  assert_int_equal(o.code, 1);
  assert_null(strstr(o.out, "the parameters of the robot file"));
  outcome_free(&o);

  temp_file("bare.yaml", "name: bare\njoints: [{mdh: {}}]\n");
  tool_refuses(3, "bare.yaml: the robot file has no parameters", "validate bare.yaml b1.csv");
  tool_refuses(2, "--sensing is for a robot", "validate result.json b1.csv --sensing joint");
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
  (void)state;
  const char *const limits[] = {"five", "-1", "0", "%", "5%%", "nan"};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    tool_refuses(2, "--max-error needs a fraction such as 5% or 0.05",
                 "validate result.json b1.csv --max-error=%s", limits[i]);
  tool_refuses(2, "an argument is missing", "validate result.json");
  tool_refuses(2, "--magic", "validate result.json b1.csv --magic");
  tool_refuses(3, "absent.json", "validate absent.json b1.csv");
  tool_refuses(3, "absent.csv", "validate result.json b1.csv absent.csv");
  tool_refuses(3, "absent.yaml", "validate result.json b1.csv --map absent.yaml");
  temp_file("no.json", "{\"schema\": \"roberval.table/1\"}");
  tool_refuses(3,
               "no.json:1:1: this is not a result of roberval identify (schema 'roberval.table/1')",
               "validate no.json b1.csv");
  tool_refuses(3, "b1.csv", "validate b1.csv b1.csv");
  // parameters that the other robot does not have
  tool_refuses(3, "'lwr4+' has no parameter", "validate result.json b1.csv --robot lwr4+");
}

/* ---- traces ---- */

/* Column of a trace that this library reads back. */
static const double *trace_column(const rbv_log *log, const char *name) {
  const int i = rbv_log_find(log, name);
  if (i < 0) fail_msg("%s has no column %s", rbv_log_name(log), name);
  return rbv_log_column_values(log, i);
}

/* The three formats have the same numbers; measured = predicted + residual; the residual has the
 * size that the command reports. */
static void test_traces_are_read_back(void **state) {
  (void)state;
  rbv_document *doc = tool_json("validate result.json b1.csv --json --trace trace.csv");
  free(tool_text("validate result.json b1.csv -q --trace trace.npz"));
  free(tool_text("validate result.json b1.csv -q --trace trace.mcap"));
  rbv_log_map *map;
  assert_ok(rbv_log_map_load(&map, temp_file("trace.yaml",
                                             "time: {column: receive_time}\n"
                                             "joints:\n"
                                             "  - {name: joint1, q: \"/measured.position[joint1]\","
                                             " tau: \"/measured.effort[joint1]\"}\n")));
  rbv_log *text, *arrays, *bag;
  assert_ok(rbv_log_load(&text, temp_file("trace.csv", NULL), NULL));
  assert_ok(rbv_log_load(&arrays, temp_file("trace.npz", NULL), NULL));
  assert_ok(rbv_log_load(&bag, temp_file("trace.mcap", NULL), map));
  const ptrdiff_t n = rbv_log_samples(text);
  assert_int_equal(n, 3000);
  assert_int_equal(rbv_log_samples(arrays), n);
  assert_int_equal(rbv_log_samples(bag), n);
  static const char *const pairs[][2] = {{"t", "t"},
                                         {"joint1/q", "q1"},
                                         {"joint1/measured", "measured[0]"},
                                         {"joint6/predicted", "predicted[5]"},
                                         {"joint3/residual", "residual[2]"},
                                         {"joint2/friction", "friction[1]"}};
  for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++) {
    const double *a = trace_column(text, pairs[i][0]), *b = trace_column(arrays, pairs[i][1]);
    for (ptrdiff_t k = 0; k < n; k++) assert_true(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])));
  }
  double rss = 0, yy = 0;
  int known = 0;
  for (int j = 1; j <= 6; j++) {
    char name[3][32];
    static const char *const signals[] = {"measured", "predicted", "residual"};
    for (int i = 0; i < 3; i++) snprintf(name[i], 32, "joint%d/%s", j, signals[i]);
    const double *measured = trace_column(text, name[0]), *predicted = trace_column(text, name[1]),
                 *residual = trace_column(text, name[2]);
    for (ptrdiff_t k = 0; k < n; k++) {
      // near the ends of the recording the derivatives are not known
      if (isnan(residual[k])) continue;
      known++;
      // torques of some 10 N m: the difference rounds once
      assert_near(measured[k] - predicted[k], residual[k], 1e-13, 0);
      rss += residual[k] * residual[k];
      yy += measured[k] * measured[k];
    }
  }
  assert_in_range(known, 6 * 2500, 6 * 3000);
  const double error = real_at(rbv_document_root(doc), "validation.relative_error_unfiltered");
  // the same sums in another order
  assert_near(sqrt(rss / yy), error, 0, 1e-9);
  const double *q = trace_column(text, "joint1/q"), *tau = trace_column(text, "joint1/measured");
  for (ptrdiff_t k = 0; k < n; k++) {
    assert_true(q[k] == rbv_log_channel(bag, RBV_CHANNEL_POSITION, 0)[k]);
    assert_true(tau[k] == rbv_log_channel(bag, RBV_CHANNEL_TORQUE, 0)[k]);
  }
  rbv_log_map_free(map);
  rbv_log_free(text);
  rbv_log_free(arrays);
  rbv_log_free(bag);
  rbv_document_free(doc);
  tool_refuses(2, ".csv, .npz or .mcap", "validate result.json b1.csv --trace trace.txt");
  tool_refuses(2, "exactly one recording", "validate result.json b1.csv b2.csv --trace t.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_on_another_log),
      cmocka_unit_test(test_traces_are_read_back),
      cmocka_unit_test(test_error_is_that_of_dynamics),
      cmocka_unit_test(test_quartiles_over_many_logs),
      cmocka_unit_test(test_box_plot),
      cmocka_unit_test(test_quartiles_of_two),
      cmocka_unit_test(test_limit_sets_exit_code),
      cmocka_unit_test(test_training_log_is_named),
      cmocka_unit_test(test_file_and_stdout),
      cmocka_unit_test(test_robot_that_moved_or_changed),
      cmocka_unit_test(test_robot_as_it_was_loaded),
      cmocka_unit_test(test_map_is_remembered),
      cmocka_unit_test(test_loaded_recordings),
      cmocka_unit_test(test_robot_without_a_result),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
