/* roberval compare: three runs of one robot, one of them wrong. */
#include <math.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COLUMN_MAX 200
#define SAMPLES 4000

static double chi[COLUMN_MAX];
static rbv_model *model;

typedef void spoil(waves *w);

/* a torque channel with a wrong gain */
static void scale_channel(waves *w) {
  for (ptrdiff_t k = 0; k < w->count; k++) w->torque[k + 2 * w->count] *= 1.15;
}

/* torques 20 ms after the positions */
static void shift_torques(waves *w) {
  const ptrdiff_t late = 10;
  for (int r = 0; r < w->nrow; r++) {
    double *tau = w->torque + r * w->count;
    memmove(tau + late, tau, (size_t)(w->count - late) * sizeof *tau);
  }
}

/* identify; random parameters of friction are not those of a robot, so that the verdict may be no
 */
static void estimate(const char *log, const char *more, const char *out) {
  outcome o = tool("identify tx40 %s.csv --gamma 20 -q -d 5 %s -o %s.json", log, more, out);
  if (o.code > 1) fail_msg("%s", o.err);
  outcome_free(&o);
}

/* 8 s at 500 Hz with noise of 0.1 N m, and its result as name.json */
static void run(const char *name, uint64_t seed, spoil *damage) {
  char path[64];
  waves w;
  waves_new(&w, model, chi, seed, SAMPLES, 500, false);
  waves_add_noise(&w, seed, 0.1);
  if (damage) damage(&w);
  snprintf(path, sizeof path, "%s.csv", name);
  waves_save(&w, temp_file(path, NULL), "q tau");
  waves_free(&w);
  estimate(name, "", name);
}

static int prepare(void **state) {
  (void)state;
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 20;
  assert_ok(rbv_model_load(&model, "tx40", &o));
  random_columns(chi, model, 1);
  run("a", 1, NULL);
  run("b", 2, NULL);
  run("c", 3, NULL);
  run("scaled", 4, scale_channel);
  run("late", 5, shift_torques);
  return 0;
}

static int finish(void **state) {
  (void)state;
  rbv_model_free(model);
  return 0;
}

static void test_runs_that_agree(void **state) {
  (void)state;
  rbv_document *doc = tool_json("compare a.json b.json c.json -q --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.comparison/1");
  text_at(root, "version", rbv_version());
  assert_true(rbv_node_is_null(node_at(root, "outlier")));
  // probability of 1 % that any of 60 parameters disagrees by chance
  assert_true(real_at(root, "disagreeing") == 0);
  assert_int_equal(rbv_node_count(node_at(root, "runs")), 3);
  for (int i = 0; i < 3; i++) {
    const rbv_node *r = rbv_node_at(node_at(root, "runs"), i);
    // 1 if the differences match the sigmas; less, because sigma is at least that of white noise
    // and the larger one of two estimates
    assert_true(real_at(r, "distance") > 0.4 && real_at(r, "distance") < 1.2);
    assert_true(real_at(r, "relative_error_on_others") < 0.05);
  }
  assert_int_equal(rbv_node_count(node_at(root, "parameters")), 60);
  const rbv_node *p = node_at(root, "parameters.0");
  text_at(p, "name", "ZZ1R");
  text_at(p, "unit", "kg m^2");
  assert_true(real_at(p, "runs") == 3);
  assert_true(real_at(p, "mean_sigma") > 0 && real_at(p, "scatter") > 0);
  assert_true(real_at(p, "agreement_p") > 0.01 / 60);
  assert_int_equal(rbv_node_count(node_at(p, "z")), 3);
  rbv_document_free(doc);
  char *words = tool_text("compare a.json b.json c.json -q");
  assert_non_null(strstr(words, "0 of 60 parameters disagree"));
  assert_non_null(strstr(words, ".json predicts the others' recordings best"));
  assert_null(strstr(words, "is an outlier"));
  free(words);
}

/* for each kind of error and each place in the list */
static void test_outlier_is_named(void **state) {
  (void)state;
  const struct {
    const char *files, *bad;
  } cases[] = {{"a.json b.json scaled.json", "scaled.json"},
               {"scaled.json a.json b.json", "scaled.json"},
               {"a.json late.json b.json", "late.json"},
               {"a.json b.json c.json late.json", "late.json"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char sentence[64];
    outcome o = tool("compare %s -q", cases[i].files);
    assert_int_equal(o.code, 1);
    snprintf(sentence, sizeof sentence, "\n%s is an outlier: ", cases[i].bad);
    if (!strstr(o.out, sentence)) fail_msg("%s: %s", cases[i].files, o.out);
    outcome_free(&o);
    o = tool("compare %s -q --json", cases[i].files);
    assert_int_equal(o.code, 1);
    rbv_document *doc;
    assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
    text_at(rbv_document_root(doc), "outlier", cases[i].bad);
    // the best run is another one
    const char *best = rbv_node_text(node_at(rbv_document_root(doc), "best"));
    assert_non_null(strstr(cases[i].files, best));
    assert_string_not_equal(best, cases[i].bad);
    rbv_document_free(doc);
    outcome_free(&o);
  }
}

/* with two runs it is unknown which one is wrong */
static void test_two_runs_have_no_outlier(void **state) {
  (void)state;
  rbv_document *doc = tool_json("compare a.json scaled.json -q --json");
  const rbv_node *root = rbv_document_root(doc);
  assert_true(rbv_node_is_null(node_at(root, "outlier")));
  // the wrong gain enlarges the residual, and with it the sigmas: the errors of the fits differ
  assert_true(real_at(root, "runs.1.fit_error") > 10 * real_at(root, "runs.0.fit_error"));
  rbv_document_free(doc);
}

/* a motor whose viscous friction rose by 40 % */
static void test_largest_change(void **state) {
  (void)state;
  const int column = rbv_model_find(model, "Fv2");
  const double before = chi[column];
  chi[column] *= 1.4;
  run("worn", 6, NULL);
  chi[column] = before;
  outcome o = tool("compare a.json worn.json --no-logs --max-change 10");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.out, "1 of 60 parameters changed by more than 10 sigma since a.json"));
  const char *row = strstr(o.out, "\nFv2 ");
  assert_non_null(row);
  assert_non_null(strstr(row, "beyond the limit"));
  double values[2], percent, sigma;
  assert_int_equal(sscanf(row + 5, "%lf %lf %lf %% %lf", &values[0], &values[1], &percent, &sigma),
                   4);
  assert_near(values[0], before, 0, 0.02);
  assert_near(fabs(percent), 40, 2, 0);
  assert_true(fabs(sigma) > 10);
  outcome_free(&o);
  o = tool("compare a.json worn.json --no-logs --max-change 10%% --json");
  assert_int_equal(o.code, 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
  assert_near(real_at(rbv_document_root(doc), "max_change.share"), 0.1, 1e-15, 0);
  assert_near(real_at(rbv_document_root(doc), "max_change.parameters_beyond"), 1, 0, 0);
  rbv_document_free(doc);
  outcome_free(&o);
  // nothing changed: chance moves no parameter beyond 6 sigma, and none significantly by 10 %
  free(tool_text("compare a.json b.json --no-logs --max-change 6"));
  free(tool_text("compare a.json b.json c.json --no-logs --max-change 10%%"));
  tool_refuses(2, "--max-change needs", "compare a.json b.json --max-change many");
  tool_refuses(2, "--max-change needs", "compare a.json b.json --max-change -1");
}

static void test_without_recordings(void **state) {
  (void)state;
  estimate("a", "", "gone");
  char *text = read_text(temp_file("gone.json", NULL), NULL), *at = strstr(text, "\"a.csv\"");
  memcpy(at, "\"x.csv\"", 7);
  temp_file("gone.json", text);
  free(text);
  tool_refuses(3, "x.csv", "compare b.json c.json gone.json -q");
  rbv_document *doc = tool_json("compare b.json c.json gone.json --no-logs --json");
  const rbv_node *root = rbv_document_root(doc);
  assert_true(rbv_node_is_null(node_at(root, "best")));
  assert_true(rbv_node_is_null(node_at(root, "runs.0.relative_error_on_others")));
  rbv_document_free(doc);
  outcome o = tool("compare b.json c.json scaled.json --no-logs");
  assert_int_equal(o.code, 1);
  assert_string_equal(o.err, "");
  assert_non_null(strstr(o.out, "scaled.json is an outlier"));
  assert_null(strstr(o.out, "predicts"));
  outcome_free(&o);
}

/* the same recordings with other column names and a map */
static void test_map(void **state) {
  (void)state;
  char map[1024] = "time: t\nsensing: motor\njoints:\n";
  for (int j = 1; j <= 6; j++)
    snprintf(map + strlen(map), sizeof map - strlen(map), "  - {q: q%d, tau: tau%d}\n", j, j);
  temp_file("map.yaml", map);
  char *plain = tool_text("compare a.json b.json -q --json");
  char *mapped = tool_text("compare a.json b.json -q --json --map map.yaml");
  assert_string_equal(plain, mapped);
  free(plain);
  free(mapped);
  tool_refuses(3, "no.yaml", "compare a.json b.json --map no.yaml");
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "an argument is missing", "compare a.json");
  tool_refuses(2, "--magic", "compare a.json b.json --magic");
  tool_refuses(3, "absent.json", "compare a.json absent.json");
  tool_refuses(3, "a.csv", "compare a.json a.csv");
  temp_file("other.yaml", "name: other\njoints: [{mdh: {alpha: pi/2}}]\n");
  free(tool_text("identify other.yaml a.csv -q -d 5 --unchecked -o other.json"));
  tool_refuses(3, "different robots: 'tx40' and 'other'", "compare a.json other.json");
}

/* the mean of repeated runs, as numbers and as a file that other commands read */
static void test_mean_of_repetitions(void **state) {
  (void)state;
  outcome o = tool("compare a.json b.json c.json --no-logs --table -o mean.json");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "mean   scatter  unit"));
  outcome_free(&o);
  rbv_document *doc = tool_json("compare a.json b.json c.json --no-logs --json");
  const rbv_node *list = node_at(rbv_document_root(doc), "parameters");
  rbv_parameters *mean;
  assert_ok(rbv_parameters_load(&mean, temp_file("mean.json", NULL)));
  assert_int_equal(mean->count, rbv_node_count(list));
  for (int k = 0; k < mean->count; k++) {
    const rbv_node *p = rbv_node_at(list, k), *values = node_at(p, "values");
    double value[3], sum = 0, squares = 0;
    for (int i = 0; i < 3; i++) assert_ok(rbv_node_real(&value[i], rbv_node_at(values, i)));
    for (int i = 0; i < 3; i++) sum += value[i] / 3;
    for (int i = 0; i < 3; i++) squares += pow(value[i] - sum, 2);
    // the standard deviation of a mean of three
    assert_near(mean->item[k].value, sum, 1e-12, 1e-12);
    assert_near(mean->item[k].sigma, sqrt(squares / 2 / 3), 1e-9, 1e-6);
  }
  rbv_parameters_free(mean);
  rbv_document_free(doc);
  estimate("a", "--prior mean.json", "prior");
}

/* Models A to D of Jubien 2014: the same recording, torques of the motors, of the joint sensors, of
 * both, and their difference. Parameters that are combined with others in one of them are marked.
 */
static void test_sides_of_the_torque(void **state) {
  (void)state;
  static const char *const sides[] = {"motor", "joint", "both", "difference"};
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_BOTH, false);
  double own[COLUMN_MAX];
  random_columns(own, m, 3);
  waves w;
  waves_new(&w, m, own, 7, SAMPLES, 500, false);
  waves_add_noise(&w, 7, 0.02);
  waves_save(&w, temp_file("le.csv", NULL), "q tau tauj");
  waves_free(&w);
  rbv_model_free(m);
  for (int i = 0; i < 4; i++)
    free(tool_text("identify lwr4+ le.csv --sensing %s -q -d 5 --unchecked -o %s.json", sides[i],
                   sides[i]));
  rbv_document *doc =
      tool_json("compare motor.json joint.json both.json difference.json --table --json");
  const rbv_node *root = rbv_document_root(doc), *list = node_at(root, "parameters");
  assert_true(rbv_node_is_null(node_at(root, "best")));
  assert_true(rbv_node_is_null(node_at(root, "outlier")));
  int mixed = 0, shared = 0;
  for (int k = 0; k < rbv_node_count(list); k++) {
    const rbv_node *p = rbv_node_at(list, k);
    const bool other = strcmp(rbv_node_text(node_at(p, "mixed")), "true") == 0;
    mixed += other;
    shared += !other && real_at(p, "runs") > 1;
    if (strcmp(rbv_node_text(node_at(p, "name")), "ZZ1R") == 0) assert_true(other);
    if (other) assert_true(rbv_node_is_null(node_at(p, "mean")));
  }
  // rotors are in the motor torques only. Those of joints 1 and 2 cannot be told from ZZ1R and
  // ZZ2R.
  if (!(mixed == 2 && shared > 40)) fail_msg("%d mixed, %d shared", mixed, shared);
  // each run predicts the recording of the others with the torques that it was made for
  for (int i = 0; i < 4; i++) {
    char path[64];
    snprintf(path, sizeof path, "runs.%d.relative_error_on_others", i);
    assert_true(real_at(root, path) < 0.1);
  }
  rbv_document_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs_that_agree),
      cmocka_unit_test(test_outlier_is_named),
      cmocka_unit_test(test_two_runs_have_no_outlier),
      cmocka_unit_test(test_largest_change),
      cmocka_unit_test(test_without_recordings),
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_mean_of_repetitions),
      cmocka_unit_test(test_sides_of_the_torque),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, prepare, finish);
}
