/* Reading a written result gives the same result; errors have their line and column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result/result.h"

#include "base/support.h"
#include "document/document.h"
#include "support.h"

static rbv_input inputs[] = {
    {.path = "a.csv", .sha256 = "ab", .samples = 100, .rate_hz = 1 / 3.0},
    {.path = "b \"loaded\".mat",
     .sha256 = "cd",
     .samples = 7,
     .rate_hz = 1000,
     .loaded = true,
     .differentiation = "spline",
     .cutoff_hz = 43.5,
     .resampled = true,
     .gaps = 2,
     .invalid = 9},
};
// a list with one gain is a text, although it looks like a number
static rbv_setting settings[] = {{.key = "method", .text = "wls", .number = 0},
                                 {.key = "decimate", .text = NULL, .number = 10},
                                 {.key = "gains", .text = "2.5", .number = 0},
                                 {.key = "essential", .number = 1, .flag = true},
                                 {.key = "consistent", .number = 0, .flag = true},
                                 {.key = "prior-weight", .number = 0.1 + 0.2}};
static rbv_setting choices[] = {{.key = "decimate", .number = 20},
                                {.key = "drive_gains", .text = "1.5,2", .number = NAN}};
static rbv_result_file files[] = {{"map", "columns.yaml", "12"}, {"prior", "cad.yaml", "34"}};
static const char *joints[] = {"shoulder", "elbow"};
static rbv_parameter items[] = {{"ZZ1R", 0.1 + 0.2, 1e-300, RBV_STATUS_COMBINED},
                                {"Fv1", 0, 0.5, RBV_STATUS_IDENTIFIED},
                                {"M2", 3, 0.5, RBV_STATUS_PRIOR},
                                {"Fc1", -2, NAN, RBV_STATUS_NOT_IDENTIFIABLE}};
static const char *units[] = {"kg m^2", "N m s/rad", "kg", "N m"};
static const char *meanings[] = {"ZZ1 + ZZ2", "Fv1", "M2", "Fc1"};
static double second_opinion[] = {0.25, 1 / 7.0, NAN, NAN};
static rbv_row_fit rows[] = {
    {0, RBV_TORQUE_MOTOR, 90, 0.05, 0.04, 0.7, 0.6, 1.9, 0.4, true, NAN, 2e-9, 7, false},
    {1, RBV_TORQUE_JOINT, 80, 0.06, NAN, 0.8, 0.5, NAN, NAN, false, NAN, 0, 0, false}};
static rbv_row_fit others[] = {
    {0, RBV_TORQUE_MOTOR, 9, 0.15, NAN, 1.7, NAN, NAN, NAN, false, NAN, 0, 0, false},
    {1, RBV_TORQUE_JOINT, 8, NAN, NAN, NAN, NAN, NAN, NAN, false, NAN, 0, 0, false}};

// five digits are kept; parameters without sigma have none
static double deviations[3][4] = {{0.25, -1e-7, 0, 0}, {-0.5, 12345, 0, 0}, {3.0625, 0, 0, 0}};
static double white[] = {0.125, 1 / 11.0, NAN, NAN};

static rbv_iteration rounds[] = {{0.5, NAN}, {1 / 3.0, 0.1 + 0.2}};

static rbv_result full(void) {
  return (rbv_result){.version = "0.0.9",  // not that of this program
                      .robot = "arm",
                      .robot_file = {.path = "arm.yaml", .sha256 = "ef"},
                      .sensing = RBV_SENSING_BOTH,
                      .payload = true,
                      .gamma = 0.25,
                      .ninput = 2,
                      .input = inputs,
                      .nsetting = (int)(sizeof settings / sizeof *settings),
                      .setting = settings,
                      .nchosen = 2,
                      .chosen = choices,
                      .nfile = 2,
                      .file = files,
                      .method = "wls",
                      .njoint = 2,
                      .joint = joints,
                      .estimate = {.count = 4, .item = items},
                      .unit = units,
                      .meaning = meanings,
                      .sigma_white = white,
                      .jackknife = {2, 1.0625, 1, deviations[0]},
                      .bootstrap_sigma = second_opinion,
                      .fit = {1 / 7.0, 2, rows},
                      .validation = {1 / 9.0, 2, others},
                      .diagnostics = {1234.5, 56.7, 167, 0.99},
                      .iterations = 2,
                      .iteration = rounds,
                      .band_hz = 200,
                      .masked_fraction = 2 / 9.0};
}

static void write_text(char **text, const rbv_result *result) {
  size_t size;
  assert_ok(rbv_result_write(text, &size, result));
}

static rbv_result *read_back(const rbv_result *result) {
  char *text;
  rbv_result *r;
  write_text(&text, result);
  assert_ok(rbv_result_parse(&r, "result.json", text, strlen(text)));
  rbv_text_release(text);
  return r;
}

/* ---- equal ---- */

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void assert_same_rows(const rbv_fit *a, const rbv_fit *b) {
  assert_true(same(a->relative_error, b->relative_error));
  assert_int_equal(a->nrow, b->nrow);
  for (int i = 0; i < a->nrow; i++) {
    const rbv_row_fit *x = &a->row[i], *y = &b->row[i];
    assert_true(x->joint == y->joint && x->torque == y->torque && x->rows == y->rows);
    assert_true(same(x->relative_error, y->relative_error) && same(x->rms, y->rms));
    assert_true(same(x->sigma, y->sigma) && same(x->ks_p, y->ks_p));
    assert_true(same(x->durbin_watson, y->durbin_watson));
    assert_true(x->coloured == y->coloured && x->white_at_half == y->white_at_half);
    assert_true(x->noise_order == y->noise_order && x->noise_variance == y->noise_variance);
  }
}

static void assert_same_input(const rbv_input *x, const rbv_input *y) {
  assert_string_equal(x->path, y->path);
  assert_string_equal(x->sha256, y->sha256);
  assert_true(x->samples == y->samples && x->rate_hz == y->rate_hz && x->loaded == y->loaded);
  assert_int_equal(x->differentiation == NULL, y->differentiation == NULL);
  if (x->differentiation) assert_string_equal(x->differentiation, y->differentiation);
  assert_true(x->cutoff_hz == y->cutoff_hz && x->resampled == y->resampled);
  assert_true(x->gaps == y->gaps && x->invalid == y->invalid);
}

static void assert_same_estimate(const rbv_result *a, const rbv_result *b) {
  assert_string_equal(a->method, b->method);
  assert_int_equal(a->estimate.count, b->estimate.count);
  assert_int_equal(a->bootstrap_sigma == NULL, b->bootstrap_sigma == NULL);
  assert_int_equal(a->jackknife.nblock, b->jackknife.nblock);
  assert_int_equal(a->jackknife.nrecording, b->jackknife.nrecording);
  assert_true(same(rbv_result_student_factor(a), rbv_result_student_factor(b)));
  for (int k = 0; k < a->estimate.count; k++) {
    const rbv_parameter *x = &a->estimate.item[k], *y = &b->estimate.item[k];
    assert_string_equal(x->name, y->name);
    assert_true(same(x->value, y->value) && same(x->sigma, y->sigma) && x->status == y->status);
    assert_string_equal(a->unit[k], b->unit[k]);
    assert_string_equal(a->meaning[k], b->meaning[k]);
    assert_true(
        same(rbv_result_parameter_sigma_white(a, k), rbv_result_parameter_sigma_white(b, k)));
    for (int i = 0; i < a->jackknife.nblock + a->jackknife.nrecording; i++)
      assert_true(a->jackknife.deviation[k + i * a->estimate.count] ==
                  b->jackknife.deviation[k + i * b->estimate.count]);
    if (a->bootstrap_sigma) assert_true(same(a->bootstrap_sigma[k], b->bootstrap_sigma[k]));
  }
}

static void test_write_then_read(void **state) {
  (void)state;
  const rbv_result a = full();
  rbv_result *b = read_back(&a);
  assert_string_equal(a.robot, b->robot);
  assert_string_equal(a.robot_file.path, b->robot_file.path);
  assert_string_equal(a.robot_file.sha256, b->robot_file.sha256);
  assert_true(a.sensing == b->sensing && a.payload == b->payload && a.gamma == b->gamma);
  assert_int_equal(b->njoint, 2);
  for (int j = 0; j < 2; j++) assert_string_equal(a.joint[j], b->joint[j]);
  assert_int_equal(b->ninput, 2);
  for (int i = 0; i < 2; i++) assert_same_input(&a.input[i], &b->input[i]);
  assert_same_estimate(&a, b);
  assert_same_rows(&a.fit, &b->fit);
  assert_same_rows(&a.validation, &b->validation);
  assert_memory_equal(&a.diagnostics, &b->diagnostics, sizeof a.diagnostics);
  assert_true(a.masked_fraction == b->masked_fraction);
  assert_true(a.band_hz == b->band_hz);
  assert_int_equal(b->iterations, 2);
  for (int i = 0; i < 2; i++) {
    assert_true(same(a.iteration[i].residual, b->iteration[i].residual));
    assert_true(same(a.iteration[i].change, b->iteration[i].change));
  }
  rbv_result_free(b);
  rbv_result_free(NULL);
}

/* writing the result that was read gives the same text */
static void test_text_is_reproduced(void **state) {
  (void)state;
  for (int bare = 0; bare < 2; bare++) {
    rbv_result a = full();
    if (bare) {
      a.bootstrap_sigma = NULL;
      a.ninput = a.nsetting = a.nchosen = a.nfile = a.fit.nrow = a.validation.nrow =
          a.estimate.count = 0;
    }
    rbv_result *b = read_back(&a);
    char *first, *second;
    write_text(&first, &a);
    write_text(&second, b);
    assert_string_equal(first, second);
    rbv_text_release(first);
    rbv_text_release(second);
    rbv_result_free(b);
  }
}

static void test_settings(void **state) {
  (void)state;
  const rbv_result a = full();
  rbv_result *b = read_back(&a);
  assert_string_equal(rbv_result_setting(b, "gains"), "2.5");
  assert_true(rbv_result_number(b, "gains", -1) == -1);
  assert_null(rbv_result_setting(b, "decimate"));
  assert_true(rbv_result_number(b, "decimate", -1) == 10);
  assert_true(rbv_result_number(b, "prior-weight", -1) == 0.1 + 0.2);
  assert_true(rbv_result_number(b, "essential", -1) == 1);
  assert_true(rbv_result_number(b, "consistent", -1) == 0);
  assert_true(rbv_result_number(b, "method", -1) == -1);
  assert_null(rbv_result_setting(b, "absent"));
  assert_true(rbv_result_number(b, "absent", -1) == -1);
  // chosen values have their own names
  assert_true(rbv_result_chosen(b, "decimate", -1) == 20);
  assert_true(rbv_result_chosen(b, "drive_gains", -1) == -1);
  assert_true(rbv_result_chosen(b, "method", -1) == -1);
  assert_string_equal(rbv_result_chosen_text(b, "drive_gains"), "1.5,2");
  assert_null(rbv_result_chosen_text(b, "decimate"));
  assert_null(rbv_result_chosen_text(b, "absent"));
  assert_int_equal(b->nfile, 2);
  for (int i = 0; i < 2; i++) {
    assert_string_equal(b->file[i].option, a.file[i].option);
    assert_string_equal(b->file[i].path, a.file[i].path);
    assert_string_equal(b->file[i].sha256, a.file[i].sha256);
  }
  rbv_result_free(b);
}

/* ---- refused ---- */

/* text with the n-th occurrence of one piece replaced; free() it */
static char *replaced(const char *text, const char *from, int n, const char *to) {
  size_t before = 0;
  for (int i = 0; i < n; i++) {
    const char *at = strstr(text + before + (i > 0), from);
    if (!at) fail_msg("no %s", from);
    before = (size_t)(at - text);
  }
  const size_t size = strlen(text) + strlen(to) + 1;
  char *out = malloc(size);
  snprintf(out, size, "%.*s%s%s", (int)before, text, to, text + before + strlen(from));
  return out;
}

/* "result.json:line:column: " of a place in the text */
static void place_of(char out[64], const char *text, const char *at) {
  int line = 1, column = 1;
  for (const char *p = text; p < at; p++) {
    column = *p == '\n' ? 1 : column + 1;
    line += *p == '\n';
  }
  snprintf(out, 64, "result.json:%d:%d: ", line, column);
}

static void test_refusals(void **state) {
  (void)state;
  // the replaced piece, its occurrence, and the text at the position in the message
  static const struct {
    const char *from;
    int n;
    const char *to, *place, *message;
  } cases[] = {
      {"roberval.result/1", 1, "roberval.result/2", "{", "not a result of roberval identify"},
      {"\"schema\"", 1, "\"scheme\"", "{", "(schema 'none')"},
      {"\"robot\"", 1, "\"rebot\"", "{", "the key 'robot' is missing in this result"},
      {"\"options\"", 1, "\"option\"", "{", "the key 'options' is missing in this result"},
      {"\"estimate\"", 1, "\"guess\"", "{", "the key 'estimate' is missing in this result"},
      {"\"diagnostics\"", 1, "\"diagnosis\"", "{",
       "the key 'diagnostics' is missing in this result"},
      {"\"masked_fraction\"", 1, "\"masked\"", "{",
       "the key 'masked_fraction' is missing in this result"},
      {"\"both\"", 1, "\"neither\"", "{\n    \"name\": \"arm\"", "unknown sensing 'neither'"},
      {"\"payload\": true", 1, "\"payload\": 1", "1,\n    \"gamma\"", "found '1'"},
      {"\"gamma\": 0.25", 1, "\"gamma\": []", "[]", "expected a finite number, found a list"},
      {"\"samples\": 100", 1, "\"samples\": 1.5", "1.5",
       "'samples' must be a non-negative integer"},
      {"\"samples\": 100", 1, "\"samples\": -1", "-1", "'samples' must be a non-negative integer"},
      {"\"samples\": 100", 1, "\"samples\": null", "null",
       "'samples' must be a non-negative integer"},
      {"\"sha256\": \"ab\"", 1, "\"hash\": \"ab\"", "{\n      \"file\": \"a.csv\"", "'sha256'"},
      {"\"gaps\": 2", 1, "\"gaps\": \"two\"", "\"two\"", "expected a finite number, found 'two'"},
      {"\"decimate\": 10", 1, "\"decimate\": ten", "ten", "expected a finite number, found 'ten'"},
      {"\"essential\": true", 1, "\"essential\": [1]", "[1]", "expected a finite number"},
      {"\"option\": \"prior\"", 1, "\"for\": \"prior\"", "{\n      \"for\"", "'option'"},
      {"\"sha256\": \"34\"", 1, "\"hash\": \"34\"", "{\n      \"option\": \"prior\"", "'sha256'"},
      {"\"status\": \"combined\"", 1, "\"status\": \"sure\"", "{\n        \"name\": \"ZZ1R\"",
       "unknown status 'sure'"},
      {"\"bootstrap_sigma\"", 2, "\"bootstrap\"", "{\n        \"name\": \"Fv1\"",
       "the key 'bootstrap_sigma' is missing in this result"},
      {"\"joint\": \"elbow\"", 1, "\"joint\": \"knee\"", "{\n        \"joint\": \"knee\"",
       "there is no joint 'knee' with a torque 'joint'"},
      {"\"torque\": \"motor\"", 1, "\"torque\": \"gear\"", "{\n        \"joint\": \"shoulder\"",
       "there is no joint 'shoulder' with a torque 'gear'"},
      {"\"sigma_Nm\": 0.5", 1, "\"weight\": 0.5", "{\n        \"joint\": \"elbow\"", "'sigma_Nm'"},
      {"\"ks_p\"", 1, "\"kolmogorov\"", "{\n    \"condition_number\"", "'ks_p'"},
      {"1.9", 1, "\"white\"", "\"white\"", "expected a finite number, found 'white'"},
  };
  const rbv_result a = full();
  rbv_result unlike = {0};
  char *text;
  write_text(&text, &a);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *wrong = replaced(text, cases[i].from, cases[i].n, cases[i].to), want[64];
    const char *at = strstr(wrong, cases[i].place);
    if (!at) fail_msg("no '%s' in %s", cases[i].place, wrong);
    place_of(want, wrong, at);
    rbv_result *r = &unlike;
    assert_refused(rbv_result_parse(&r, "result.json", wrong, strlen(wrong)), RBV_EINPUT, want);
    if (!strstr(rbv_message(), cases[i].message))
      fail_msg("'%s' does not say '%s'", rbv_message(), cases[i].message);
    assert_null(r);
    free(wrong);
  }
  rbv_text_release(text);
}

static void test_other_documents(void **state) {
  (void)state;
  rbv_result *r;
  assert_refused(rbv_result_parse(&r, "x", "[1]", 3), RBV_EINPUT, "not a result");
  assert_refused(rbv_result_parse(&r, "x", "{", 1), RBV_EINPUT, "x:");
  const char list[] = "{schema: roberval.result/1, robot: {}, estimate: {}, options: [1]}";
  assert_refused(rbv_result_parse(&r, "x", list, strlen(list)), RBV_EINPUT,
                 "the key 'name' is missing");
  const char named[] =
      "{schema: roberval.result/1, estimate: {}, options: [1], robot: {name: a, file: a, sha256: "
      "'', sensing: motor, payload: false, gamma: 0}}";
  assert_refused(rbv_result_parse(&r, "x", named, strlen(named)), RBV_EINPUT,
                 "'options' must be a map");
  assert_refused(rbv_result_load(&r, "absent.json"), RBV_EREAD, "absent.json");
  assert_null(r);
}

/* ---- every field ---- */

static rbv_input held_out[] = {{.path = "c.csv",
                                .sha256 = "ce",
                                .samples = 5,
                                .rate_hz = 500,
                                .differentiation = "irw",
                                .dropped = 3}};
static double speeds[] = {0.001, 0.002};
static rbv_result_finding findings[] = {{"glitch", "a glitch", "drop"}, {"gap", "a gap", NULL}};
static rbv_result_friction terms[] = {{"Fl1", 0.5, true, 0.01, 0.02, 0.003},
                                      {"Fs2", NAN, false, NAN, NAN, NAN}};
static const char *standard_names[] = {"M1", "M2"}, *standard_units[] = {"kg", "kg"};
static double standard_values[] = {1, 2}, standard_sigmas[] = {0.1, INFINITY}, known[] = {0.9, 0};
static bool active[] = {true, false};
static rbv_result_body body = {.name = "1",
                               .state = "consistent",
                               .prior = "given",
                               .margin = 0.5,
                               .active = true,
                               .mass = 1,
                               .centre = {1, 2, 3},
                               .centre_sigma = {NAN, 1, 2}};
static rbv_output_fit outputs[] = {{0, 9, 1e-3, 4e-3, 0.05, 2e-3, NAN, 1.5},
                                   {1, 8, 1e-3, NAN, NAN, 2e-3, 3e-3, NAN}};
static rbv_loop_value unknowns[] = {{"delay", "s", 1e-3, INFINITY, NAN, NULL, 0},
                                    {"k_p1", "1", 2, 0.5, 1, "Fv1", 0.75}};
static double shifts[] = {1, 2, 3, 4};
static rbv_gain_influence influence[] = {{"all", shifts}};

static double scan_values[] = {1, NAN}, scan_sigmas[] = {0.1, NAN};
static rbv_scan_parameter scanned[] = {{"Fv1", true}, {"Fc1", false}};
static rbv_scan_run scan_runs[] = {
    {"ols", 20, 5, true, "ols", NULL, true, 1, 0.1, {1.5, 2.5}, 0.25, scan_values, scan_sigmas},
    {"piv", 20, 1, false, NULL, "too short", false, 0, NAN, {NAN, NAN}, NAN, NULL, NULL}};
static rbv_scan_method scan_methods[] = {{"ols", 1, 1, 0.25, 0.5, "Fv1", scan_values},
                                         {"piv", 0, 0, NAN, NAN, NULL, scan_values}};

static rbv_result everything(void) {
  rbv_result r = full();
  r.filter_scan = (rbv_filter_scan){.against = "middle",
                                    .compared = 1,
                                    .nparameter = 2,
                                    .parameter = scanned,
                                    .nrun = 2,
                                    .run = scan_runs,
                                    .nmethod = 2,
                                    .method = scan_methods};
  r.nvalidation_input = 1, r.validation_input = held_out;
  r.stribeck = 0.1, r.smooth = speeds, r.choice = "only one";
  r.nfinding = 2, r.finding = findings, r.nadvice = 1, r.advice = findings;
  r.nfriction = 2, r.friction = terms;
  r.standard = (rbv_result_standard){.count = 2,
                                     .name = standard_names,
                                     .unit = standard_units,
                                     .value = standard_values,
                                     .sigma = standard_sigmas,
                                     .known = known,
                                     .active = active,
                                     .nbody = 1,
                                     .body = &body,
                                     .gap = NAN,
                                     .iterations = 7};
  r.fit.baseline = 0.5, r.validation.baseline = NAN;
  r.instruments =
      (rbv_instruments){.strength = 0.4, .hausman_p = NAN, .worst = "Fv1", .first_stage = 12};
  r.loop = (rbv_result_loop){.noutput = 2,
                             .output = outputs,
                             .nunknown = 2,
                             .unknown = unknowns,
                             .ninfluence = 1,
                             .influence = influence,
                             .agreement = {2, 0.5, 1.5, "Fv1"},
                             .simulations = 3,
                             .candidates = 4,
                             .generations = 5,
                             .starts = 6,
                             .reached = 2};
  r.kept_iteration = 1;
  r.clipping = (rbv_clipping){0.2, 0.1, NAN};
  return r;
}

/* each number, flag and text of the file is found by its path; entries that are computed when the
 * file is written are not in the result */
static int compare_paths(const rbv_result *r, const rbv_node *node, const char *path) {
  static const char *const derived[] = {"schema",       "version",
                                        "reason",       "weak",
                                        "options.",     "sigma_holds_for",
                                        "deviations",   "centre",
                                        "chosen.",      "relative_sigma",
                                        ".shift",       "joints",
                                        "robot.smooth", "diagnostics.durbin_watson",
                                        "error.",       "ks_p",
                                        "residual_",    ".values",
                                        ".sigmas",      "reference."};
  int found = 0;
  for (int i = 0; i < rbv_node_count(node); i++) {
    char next[200];
    const bool map = rbv_node_get_kind(node) == RBV_NODE_MAP;
    if (map) snprintf(next, sizeof next, "%s%s%s", path, *path ? "." : "", rbv_node_key(node, i));
    if (!map) snprintf(next, sizeof next, "%s.%d", path, i);
    found += compare_paths(r, rbv_node_at(node, i), next);
  }
  if (rbv_node_count(node) > 0 || rbv_node_get_kind(node) != RBV_NODE_SCALAR) return found;
  for (int i = 0; i < RBV_COUNT(derived); i++)
    if (strstr(path, derived[i])) return 0;
  double want;
  const char *text = rbv_node_text(node);
  const char *got = rbv_result_text(r, path);
  if (rbv_node_is_quoted(node) && (!got || strcmp(got, text) != 0))
    fail_msg("%s is %s, not %s", path, got ? got : "missing", text);
  else if (rbv_node_is_quoted(node))
    return 1;
  else if (rbv_node_is_null(node))
    assert_false(isfinite(rbv_result_value(r, path)));
  else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    assert_true(rbv_result_value(r, path) == (strcmp(text, "true") == 0));
  else if (assert_ok(rbv_node_real(&want, node)), want != rbv_result_value(r, path))
    fail_msg("%s is %g, not %s", path, rbv_result_value(r, path), text);
  return 1;
}

static void test_every_field_by_its_path(void **state) {
  (void)state;
  const rbv_result a = everything();
  char *first, *second;
  write_text(&first, &a);
  rbv_result *b = read_back(&a);
  write_text(&second, b);
  assert_string_equal(first, second);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "result.json", first, strlen(first)));
  // 237: fields of the file that are not computed when it is written
  assert_int_equal(compare_paths(b, rbv_document_root(doc), ""), 237);
  static const char *const absent[] = {"",
                                       ".",
                                       "fit.",
                                       "fit.per_joint",
                                       "fit.per_joint.2.rows",
                                       "fit.per_joint.-1.rows",
                                       "fit.per_joint.x.rows",
                                       "fit.per_joint.0",
                                       "robot.nam",
                                       "loop.unknowns.0.start"};
  for (int i = 0; i < RBV_COUNT(absent); i++) {
    assert_true(isnan(rbv_result_value(b, absent[i])));
    assert_null(rbv_result_text(b, absent[i]));
  }
  rbv_document_free(doc);
  rbv_result_free(b);
  rbv_text_release(first);
  rbv_text_release(second);
}

/* ---- memory ---- */

static rbv_status read_one(void *state) {
  rbv_result *r;
  const rbv_status status = rbv_result_parse(&r, "result.json", state, strlen(state));
  rbv_result_free(r);
  return status;
}

static rbv_status load_one(void *state) {
  rbv_result *r;
  const rbv_status status = rbv_result_load(&r, state);
  rbv_result_free(r);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  const rbv_result a = everything();
  char *text, path[256];
  write_text(&text, &a);
  strcpy(path, temp_file("result.json", text));
  fail_each_allocation(read_one, text);
  fail_each_allocation(load_one, path);
  rbv_text_release(text);
}

/* only names, units and values stay; texts that another summary has are shared */
static rbv_status summarise_one(void *text) {
  rbv_result *first = NULL, *second = NULL;
  rbv_status status = rbv_result_parse(&first, "a", text, strlen(text));
  if (status == RBV_OK) status = rbv_result_parse(&second, "b", text, strlen(text));
  if (status == RBV_OK) status = rbv_result_summarise(&first, NULL);
  if (status == RBV_OK) status = rbv_result_summarise(&second, first);
  if (status == RBV_OK) {
    assert_ptr_equal(second->robot, first->robot);
    assert_ptr_equal(second->estimate.item[0].name, first->estimate.item[0].name);
  }
  rbv_result_free(second);
  rbv_result_free(first);
  return status;
}

static void test_summaries(void **state) {
  (void)state;
  const rbv_result a = everything();
  rbv_result *whole_one, *s;
  char *text;
  write_text(&text, &a);
  assert_ok(rbv_result_parse(&whole_one, "a", text, strlen(text)));
  assert_ok(rbv_result_parse(&s, "a", text, strlen(text)));
  assert_ok(rbv_result_summarise(&s, NULL));
  assert_string_equal(s->robot, whole_one->robot);
  assert_int_equal(s->estimate.count, whole_one->estimate.count);
  for (int k = 0; k < s->estimate.count; k++) {
    const rbv_parameter *x = &s->estimate.item[k], *y = &whole_one->estimate.item[k];
    assert_string_equal(x->name, y->name);
    assert_string_equal(s->unit[k], whole_one->unit[k]);
    assert_memory_equal(&x->value, &y->value, sizeof x->value);  // NaN, too
    assert_memory_equal(&x->sigma, &y->sigma, sizeof x->sigma);
    assert_int_equal(x->status, y->status);
  }
  assert_int_equal(s->nsetting, 0);
  rbv_result_free(s);
  rbv_result_free(whole_one);
  fail_each_allocation(summarise_one, text);
  rbv_text_release(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write_then_read), cmocka_unit_test(test_text_is_reproduced),
      cmocka_unit_test(test_settings),        cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_other_documents), cmocka_unit_test(test_every_allocation_may_fail),
      cmocka_unit_test(test_summaries),       cmocka_unit_test(test_every_field_by_its_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
