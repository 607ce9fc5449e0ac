/* roberval identify: options beyond a plain estimate. */
#include <math.h>
#include <matio.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COLUMN_MAX 200
#define NOISE 0.05

static rbv_model *model;  // tx40 with smooth friction, so that noise is the only error
static double chi[COLUMN_MAX];

static void record(const char *name, uint64_t seed, ptrdiff_t count) {
  waves w;
  waves_new(&w, model, chi, seed, count, 500, false);
  waves_add_noise(&w, seed, NOISE);
  waves_save(&w, temp_file(name, NULL), "q tau");
  waves_free(&w);
}

static int prepare(void **state) {
  (void)state;
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 20;
  assert_ok(rbv_model_load(&model, "tx40", &o));
  memcpy(chi, rbv_model_parameters(model), (size_t)rbv_model_column_count(model) * sizeof *chi);
  record("a.csv", 1, 5000);
  record("b.csv", 2, 5000);
  record("short.csv", 3, 500);
  return 0;
}

static int finish(void **state) {
  (void)state;
  rbv_model_free(model);
  return 0;
}

#define TX40 "identify tx40 --gamma 20 -d 5 -q --json "

static const rbv_node *find_parameter(const rbv_node *root, const char *name) {
  const rbv_node *list = node_at(root, "estimate.parameters");
  for (int k = 0; k < rbv_node_count(list); k++)
    if (strcmp(rbv_node_text(node_at(rbv_node_at(list, k), "name")), name) == 0)
      return rbv_node_at(list, k);
  fail_msg("no parameter %s", name);
  return NULL;
}

static int count_status(const rbv_node *root, const char *status) {
  const rbv_node *list = node_at(root, "estimate.parameters");
  int count = 0;
  for (int k = 0; k < rbv_node_count(list); k++)
    count += strcmp(rbv_node_text(node_at(rbv_node_at(list, k), "status")), status) == 0;
  return count;
}

/* ---- validation ---- */

static void test_holdout(void **state) {
  (void)state;
  // the recording ends in motion: rows where the filter does not know the acceleration are left out
  rbv_document *all = tool_json(TX40 "a.csv --mask 0"),
               *part = tool_json(TX40 "a.csv --mask 0 --holdout 0.33333");
  const rbv_node *a = rbv_document_root(all), *p = rbv_document_root(part);
  assert_null(rbv_node_find(a, "validation"));
  assert_near(real_at(p, "options.holdout"), 0.33333, 0, 1e-15);
  assert_int_equal(rbv_node_count(node_at(p, "validation.per_joint")), 6);
  // of the rows at both ends, where accelerations are not known, half are in the held-out third
  const double lost = real_at(a, "masked_fraction"), third = (1 / 3.0 - lost / 2) / (1 - lost);
  for (int r = 0; r < 6; r++) {
    char path[64];
    snprintf(path, sizeof path, "fit.per_joint.%d.rows", r);
    const double rows = real_at(a, path), used = real_at(p, path);
    snprintf(path, sizeof path, "validation.per_joint.%d.rows", r);
    // every row is used or held out, a third of them held out
    assert_true(used + real_at(p, path) == rows);
    assert_near(real_at(p, path) / rows, third, 0.02, 0);  // parts are whole blocks
    snprintf(path, sizeof path, "validation.per_joint.%d", r);
    assert_null(rbv_node_find(node_at(p, path), "reason"));
  }
  // the same noise: slightly more than on the fitted rows
  const double ratio = real_at(p, "validation.relative_error") / real_at(p, "fit.relative_error");
  assert_true(ratio > 0.8 && ratio < 1.5);
  rbv_document_free(all);
  rbv_document_free(part);
  outcome o = tool("identify tx40 --gamma 20 a.csv -d 5 --holdout 0.2 -o x.json");
  assert_non_null(strstr(o.err, "error on the held-out end: "));
  outcome_free(&o);
  tool_refuses(2, "--holdout needs a number from 0 to 0.99", "identify tx40 a.csv --holdout 1");
  tool_refuses(2, "--holdout needs a number from 0 to 0.99", "identify tx40 a.csv --holdout=-0.1");
}

/* the same numbers as `validate` gives later */
static void test_validation_during_identify(void **state) {
  (void)state;
  rbv_document *doc = tool_json(TX40 "a.csv --validate b.csv --validate short.csv -o r.json");
  rbv_document *after = tool_json("validate r.json b.csv short.csv -q --json");
  const rbv_node *a = rbv_document_root(doc), *b = rbv_document_root(after);
  assert_true(real_at(a, "validation.relative_error") == real_at(b, "validation.relative_error"));
  for (int r = 0; r < 6; r++) {
    char path[64];
    snprintf(path, sizeof path, "validation.per_joint.%d.rms_residual_Nm", r);
    assert_true(real_at(a, path) == real_at(b, path));
  }
  // they were not used for the estimate
  assert_int_equal(rbv_node_count(node_at(a, "logs")), 1);
  rbv_document_free(doc);
  rbv_document_free(after);
  outcome o = tool("identify tx40 --gamma 20 a.csv -d 5 --validate b.csv -o x.json");
  assert_non_null(strstr(o.err, "error on other recordings: "));
  outcome_free(&o);
  tool_refuses(3, "absent.csv", "identify tx40 a.csv --validate absent.csv");
}

/* The comparable error of given parameters is that of the recording: it does not depend on how a
 * run differentiates, filters or averages. */
static void test_comparable_error_of_any_preparation(void **state) {
  (void)state;
  static const char *const others[] = {"--differentiate irw", "--differentiate spline",
                                       "--cutoff 9", "--mask 0", "--period 2"};
  rbv_document *doc = tool_json(TX40 "a.csv --validate b.csv");
  const double fit = real_at(rbv_document_root(doc), "fit.comparable_error_robot_file");
  const double held = real_at(rbv_document_root(doc), "validation.comparable_error_robot_file");
  rbv_document_free(doc);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    doc = tool_json(TX40 "a.csv --validate b.csv %s", others[i]);
    const rbv_node *root = rbv_document_root(doc);
    assert_true(real_at(root, "fit.comparable_error_robot_file") == fit);
    assert_true(real_at(root, "validation.comparable_error_robot_file") == held);
    // the parameters are others
    assert_true(real_at(root, "fit.comparable_error") != fit);
    rbv_document_free(doc);
  }
}

/* ---- priors ---- */

static double error_on_b(const char *options) {
  rbv_document *doc = tool_json(
      "identify tx40 --gamma 20 --cutoff 10 -d 2 -q --json short.csv --validate b.csv %s", options);
  const double error = real_at(rbv_document_root(doc), "validation.relative_error");
  rbv_document_free(doc);
  return error;
}

/* One second of motion: a prior with the true values must improve the estimate. The cut-off is
 * given: with that of the data the recording alone has an error of 0.24 %, with the prior 0.17 %.
 */
static void test_prior_helps_a_short_recording(void **state) {
  (void)state;
  const double alone = error_on_b(""), with_prior = error_on_b("--prior robot");
  assert_true(with_prior < 0.5 * alone);
  rbv_document *doc = tool_json(TX40 "-d 2 short.csv --prior robot");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "options.prior", "robot");
  assert_true(real_at(root, "chosen.prior_weight") > 0);
  assert_true(count_status(root, "prior") > 0);
  assert_int_equal(count_status(root, "not identifiable"), 0);
  rbv_document_free(doc);
  outcome o = tool("identify tx40 --gamma 20 -d 2 short.csv --prior robot -v -o x.json");
  assert_non_null(strstr(o.err, "; prior with weight "));
  outcome_free(&o);
}

static void test_weight_of_the_prior(void **state) {
  (void)state;
  rbv_document *plain = tool_json(TX40 "a.csv");
  rbv_document *weak = tool_json(TX40 "a.csv --prior robot --prior-weight 1e-9");
  rbv_document *strong = tool_json(TX40 "a.csv --prior robot --prior-weight 1e9");
  const char *const names[] = {"ZZ1R", "MX2R", "XX3R", "MY4R"};
  for (int i = 0; i < 4; i++) {
    const rbv_node *p = find_parameter(rbv_document_root(plain), names[i]);
    const double sigma = real_at(p, "sigma");
    assert_near(real_at(find_parameter(rbv_document_root(weak), names[i]), "value"),
                real_at(p, "value"), 1e-6 * sigma, 0);
    text_at(find_parameter(rbv_document_root(strong), names[i]), "status", "prior");
    // the truth is the prior
    assert_true(real_at(find_parameter(rbv_document_root(strong), names[i]), "sigma") <
                1e-3 * sigma);
  }
  assert_true(real_at(rbv_document_root(strong), "options.prior-weight") == 1e9);
  assert_true(real_at(rbv_document_root(strong), "chosen.prior_weight") == 1e9);
  rbv_document_free(plain);
  rbv_document_free(weak);
  rbv_document_free(strong);
}

/* a value with its sigma needs no weight: Fv1 and ZZ1R, which is a combination */
static void test_prior_with_sigma(void **state) {
  (void)state;
  temp_file("prior.yaml", "{Fv1: {value: 3, sigma: 1.0e-9}, ZZ1R: {value: 5, sigma: 1.0e-9}}");
  rbv_document *doc = tool_json(TX40 "a.csv --prior prior.yaml --prior-weight 1e-9 --unchecked");
  const char *const names[] = {"Fv1", "ZZ1R"};
  const double values[] = {3, 5};
  for (int i = 0; i < 2; i++) {
    const rbv_node *p = find_parameter(rbv_document_root(doc), names[i]);
    assert_near(real_at(p, "value"), values[i], 1e-6, 0);
    text_at(p, "status", "prior");
  }
  rbv_document_free(doc);
  tool_refuses(2, "prior robot: the robot file gives no parameter values",
               "identify a460 a.csv --prior robot");
  tool_refuses(2, "--prior-weight needs a number from 0",
               "identify tx40 a.csv --prior robot --prior-weight=-1");
  tool_refuses(3, "absent.yaml", "identify tx40 a.csv --prior absent.yaml");
  temp_file("stranger.yaml", "{Fv9: 1}");
  tool_refuses(3, "has no parameter 'Fv9'", "identify tx40 a.csv --prior stranger.yaml");
}

/* ---- essential parameters and bootstrap ---- */

static void test_essential(void **state) {
  (void)state;
  rbv_document *doc = tool_json(TX40 "a.csv --essential");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "options.essential", "true");
  const int dropped = count_status(root, "not essential");
  assert_true(dropped > 5 && dropped < 40);
  assert_int_equal(count_status(root, "not identifiable"), 0);
  const rbv_node *list = node_at(root, "estimate.parameters");
  for (int k = 0; k < rbv_node_count(list); k++) {
    const rbv_node *p = rbv_node_at(list, k);
    const bool gone = strcmp(rbv_node_text(node_at(p, "status")), "not essential") == 0;
    if (gone) assert_true(real_at(p, "value") == 0 && rbv_node_is_null(node_at(p, "sigma")));
    if (gone) text_at(p, "reason", "set to zero: not significant in the F-test");
  }
  // existing friction is kept
  const char *const names[] = {"Fv1", "Fc1", "Fv2", "Fc3", "ZZ1R", "MX2R"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_true(real_at(find_parameter(root, names[i]), "value") != 0);
  rbv_document_free(doc);
  outcome o = tool("identify tx40 --gamma 20 -d 5 a.csv --essential -v");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, " parameters not essential"));
  assert_non_null(strstr(o.out, "not essential"));
  outcome_free(&o);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void test_bootstrap(void **state) {
  (void)state;
  rbv_document *doc = tool_json(TX40 "a.csv --bootstrap 200");
  const rbv_node *root = rbv_document_root(doc), *list = node_at(root, "estimate.parameters");
  assert_true(real_at(root, "options.bootstrap") == 200);
  double ratio[60];
  for (int k = 0; k < 60; k++) {
    const rbv_node *p = rbv_node_at(list, k);
    ratio[k] = real_at(p, "bootstrap_sigma") / real_at(p, "sigma");
    assert_true(ratio[k] > 0.2 && ratio[k] < 5);
  }
  // white noise: both sigmas agree on average; 30 blocks determine each to about 15 %
  qsort(ratio, 60, sizeof *ratio, by_size);
  assert_near(ratio[30], 1, 0.3, 0);
  rbv_document_free(doc);
  // the result depends on the seed
  char *a = tool_text(TX40 "a.csv --bootstrap 20 --seed 3"),
       *b = tool_text(TX40 "a.csv --bootstrap 20 --seed 3"),
       *c = tool_text(TX40 "a.csv --bootstrap 20 --seed 4");
  assert_string_equal(a, b);
  assert_string_not_equal(a, c);
  free(a);
  free(b);
  free(c);
  char *table = tool_text("identify tx40 --gamma 20 -d 5 -q a.csv --bootstrap 20");
  assert_non_null(strstr(table, "bootstrap"));
  free(table);
  tool_refuses(2, "--bootstrap", "identify tx40 a.csv --bootstrap 0");
}

/* ---- weights ---- */

static void test_weights(void **state) {
  (void)state;
  temp_file("sigma.yaml", "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]\n");
  rbv_document *list = tool_json(TX40 "a.csv --weights 0.1,0.2,0.3,0.4,0.5,0.6");
  rbv_document *file = tool_json(TX40 "a.csv --weights sigma.yaml");
  rbv_document *plain = tool_json(TX40 "a.csv"),
               *named = tool_json(TX40 "a.csv --weights residual");
  text_at(rbv_document_root(file), "options.weights", "sigma.yaml");
  for (int r = 0; r < 6; r++) {
    char path[64];
    snprintf(path, sizeof path, "fit.per_joint.%d.sigma_Nm", r);
    assert_near(real_at(rbv_document_root(list), path), 0.1 * (r + 1), 0, 1e-15);
    assert_near(real_at(rbv_document_root(file), path), 0.1 * (r + 1), 0, 1e-15);
    assert_true(real_at(rbv_document_root(plain), path) == real_at(rbv_document_root(named), path));
  }
  const double a = real_at(find_parameter(rbv_document_root(list), "MX2R"), "value");
  assert_true(a == real_at(find_parameter(rbv_document_root(file), "MX2R"), "value"));
  assert_true(a != real_at(find_parameter(rbv_document_root(plain), "MX2R"), "value"));
  rbv_document_free(list);
  rbv_document_free(file);
  rbv_document_free(plain);
  rbv_document_free(named);
  tool_refuses(2, "weights needs 6 numbers", "identify tx40 a.csv --weights 1,2");
  tool_refuses(3, "absent.yaml", "identify tx40 a.csv --weights absent.yaml");
  tool_refuses(2, "weights periods needs differentiate fourier",
               "identify tx40 a.csv --weights periods");
}

/* sigma of the mean of six periods: noise / sqrt(6), the same on every joint */
static void test_weights_from_periods(void **state) {
  (void)state;
  waves w;
  waves_new_periodic(&w, model, chi, 7, 12001, 500, 4);
  waves_add_noise(&w, 7, NOISE);
  waves_save(&w, temp_file("periods.csv", NULL), "q tau");
  waves_free(&w);
  rbv_document *doc = tool_json(
      "identify tx40 --gamma 20 -q --json periods.csv --differentiate fourier --period 4 "
      "--weights periods -d 1");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "options.weights", "periods");
  assert_true(real_at(root, "options.period") == 4);
  for (int r = 0; r < 6; r++) {
    char path[64];
    snprintf(path, sizeof path, "fit.per_joint.%d.sigma_Nm", r);
    // 2000 phases with five degrees of freedom each: known to 1 %
    assert_near(real_at(root, path), NOISE / sqrt(6), 0, 0.05);
  }
  // correct weights give a residual of 1
  assert_near(real_at(root, "diagnostics.weighted_residual_sigma"), 1, 0.1, 0);
  rbv_document_free(doc);
}

/* ---- methods and filters ---- */

static void test_methods(void **state) {
  (void)state;
  const char *const methods[] = {"ols", "wls", "irls", "tls"};
  for (int i = 0; i < 4; i++) {
    rbv_document *doc = tool_json(TX40 "a.csv -m %s", methods[i]);
    text_at(rbv_document_root(doc), "estimate.method", methods[i]);
    const rbv_node *p = find_parameter(rbv_document_root(doc), "Fv1");
    assert_near(real_at(p, "value"), chi[rbv_model_find(model, "Fv1")], 6 * real_at(p, "sigma"), 0);
    rbv_document_free(doc);
  }
}

static void test_filter_scan(void **state) {
  (void)state;
  outcome o = tool("identify tx40 a.csv --filter auto -v -o auto.json");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "Hz from the data"));
  assert_non_null(strstr(o.err, "row filter: decimation by "));
  const char *at = strstr(o.err, "sensitivity: decimation, mask [rad/s], error, largest change");
  assert_non_null(at);
  int lines = 0, still = 0;
  for (const char *p = at; (p = strstr(p, " sigma   ")); p++) lines++;
  for (const char *p = at; (p = strstr(p, " 0.00 sigma   ")); p++) still++;
  assert_int_equal(lines, 9);
  // the middle entry is the estimate itself
  assert_true(still >= 1);
  outcome_free(&o);
  // the result is the same as without the scan
  char *with = read_text(temp_file("auto.json", NULL), NULL);
  char *without = tool_text("identify tx40 a.csv -q --json");
  assert_string_equal(with, without);
  free(with);
  free(without);
  tool_refuses(2, "--filter can only be auto, not 'magic'", "identify tx40 a.csv --filter magic");
}

/* ---- back-EMF ---- */

/* rotors behind gears, currents instead of torques; a run with open terminals gives the constants
 */
static void test_back_emf(void **state) {
  (void)state;
  static const char yaml[] =
      "name: two\njoints: [{mdh: {alpha: pi/2}}, {mdh: {d: 0.5}}]\n"
      "transmission: {ratios: [50, -80]}\nfriction: {gamma: 20}\n";
  const double k[2] = {0.11, 0.045}, ratio[2] = {50, -80};
  rbv_model *m = load_robot(temp_file("two.yaml", yaml), -1, false);
  double truth[COLUMN_MAX];
  random_columns(truth, m, 4);
  waves w;
  waves_new(&w, m, truth, 1, 5000, 500, false);
  waves_add_noise(&w, 1, NOISE);
  FILE *run = fopen(temp_file("currents.csv", NULL), "w");
  FILE *open = fopen(temp_file("open.csv", NULL), "w");
  fprintf(run, "t,qm1,qm2,taum1,taum2\n");
  fprintf(open, "t,qm1,qm2,emf1,emf2\n");
  for (int i = 0; i < 5000; i++) {
    double qm[2], current[2], emf[2];
    for (int j = 0; j < 2; j++) {
      qm[j] = ratio[j] * w.q[i + j * 5000];
      current[j] = w.torque[i + j * 5000] / ratio[j] / k[j];
      // a voltmeter with an offset and noise of 10 mV
      emf[j] = 0.3 + k[j] * ratio[j] * w.dq[i + j * 5000] +
               0.01 * rbv_random_normal(9, (uint64_t)j, (uint64_t)i);
    }
    fprintf(run, "%.17g,%.17g,%.17g,%.17g,%.17g\n", i / 500.0, qm[0], qm[1], current[0],
            current[1]);
    fprintf(open, "%.17g,%.17g,%.17g,%.17g,%.17g\n", i / 500.0, qm[0], qm[1], emf[0], emf[1]);
  }
  fclose(run);
  fclose(open);
  rbv_document *doc =
      tool_json("identify two.yaml currents.csv -q -d 5 --json --back-emf open.csv");
  double found[2];
  const char *text = rbv_node_text(node_at(rbv_document_root(doc), "chosen.drive_gains"));
  assert_int_equal(sscanf(text, "%lf,%lf", &found[0], &found[1]), 2);
  // tens of rad/s against 10 mV, 5000 times
  for (int j = 0; j < 2; j++) assert_near(found[j], k[j], 0, 1e-3);
  const rbv_node *p = find_parameter(rbv_document_root(doc), "Fv2");
  assert_near(real_at(p, "value"), truth[rbv_model_find(m, "Fv2")], 5 * real_at(p, "sigma"), 2e-3);
  rbv_document_free(doc);
  tool_refuses(3, "needs the columns qm1 and emf1",
               "identify two.yaml currents.csv --back-emf currents.csv");
  tool_refuses(3, "absent.csv", "identify two.yaml currents.csv --back-emf absent.csv");
  tool_refuses(2, "only one of known-mass, back-emf and gains can be given",
               "identify two.yaml currents.csv --back-emf open.csv --gains 1,1");
  waves_free(&w);
  rbv_model_free(m);
}

/* ---- files ---- */

static void put(mat_t *mat, const char *name, int columns, const double *data, size_t rows) {
  size_t dims[2] = {rows, (size_t)columns};
  double *copy = malloc(rows * dims[1] * sizeof *copy);
  memcpy(copy, data, rows * dims[1] * sizeof *copy);
  matvar_t *v = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, copy, 0);
  assert_int_equal(Mat_VarWrite(mat, v, MAT_COMPRESSION_ZLIB), 0);
  Mat_VarFree(v);
  free(copy);
}

/* a.csv as a MAT file with exactly the same numbers */
static void convert(const char *name, enum mat_ft version) {
  rbv_log *log;
  assert_ok(rbv_log_load(&log, temp_file("a.csv", NULL), NULL));
  const size_t rows = (size_t)rbv_log_samples(log);
  double *t = malloc(13 * rows * sizeof *t);
  for (int c = 0; c < 13; c++)
    memcpy(t + (size_t)c * rows, rbv_log_column_at(log, c)->values, rows * sizeof *t);
  remove(temp_file(name, NULL));
  mat_t *mat = Mat_CreateVer(temp_file(name, NULL), NULL, version);
  assert_non_null(mat);
  put(mat, "t", 1, t, rows);
  put(mat, "q", 6, t + rows, rows);
  put(mat, "tau", 6, t + 7 * rows, rows);
  Mat_Close(mat);
  free(t);
  rbv_log_free(log);
}

/* the same bytes from the estimate on; the names and hashes of the files before it differ */
static void test_mat_files_give_the_same(void **state) {
  (void)state;
  convert("a5.mat", MAT_FT_MAT5);
  convert("a73.mat", MAT_FT_MAT73);
  char *text = tool_text(TX40 "a.csv --bootstrap 5"),
       *five = tool_text(TX40 "a5.mat --bootstrap 5"),
       *seven = tool_text(TX40 "a73.mat --bootstrap 5");
  const char *want = strstr(text, "\"estimate\"");
  assert_non_null(want);
  assert_string_equal(strstr(five, "\"estimate\""), want);
  assert_string_equal(strstr(seven, "\"estimate\""), want);
  free(text);
  free(five);
  free(seven);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_holdout),
      cmocka_unit_test(test_validation_during_identify),
      cmocka_unit_test(test_comparable_error_of_any_preparation),
      cmocka_unit_test(test_prior_helps_a_short_recording),
      cmocka_unit_test(test_weight_of_the_prior),
      cmocka_unit_test(test_prior_with_sigma),
      cmocka_unit_test(test_essential),
      cmocka_unit_test(test_bootstrap),
      cmocka_unit_test(test_weights),
      cmocka_unit_test(test_weights_from_periods),
      cmocka_unit_test(test_methods),
      cmocka_unit_test(test_filter_scan),
      cmocka_unit_test(test_back_emf),
      cmocka_unit_test(test_mat_files_give_the_same),
  };
  return cmocka_run_group_tests(tests, prepare, finish);
}
