/* The JSON of a result, read by the document reader. */
#include <math.h>
#include <roberval/sys/result.h>
#include <string.h>
#include "document/document.h"

#include "base/support.h"
#include "nodes.h"
#include "support.h"

/* numbers that need all their digits */
static rbv_input log_input = {.path = "a \"log\".csv",
                              .sha256 = "ab",
                              .samples = 100,
                              .rate_hz = 1 / 3.0,
                              .loaded = true,
                              .differentiation = "bandpass",
                              .cutoff_hz = 43.5,
                              .resampled = true,
                              .gaps = 2,
                              .invalid = 7};
static rbv_setting setting[] = {{.key = "method", .text = "wls", .number = 0},
                                {.key = "cutoff_hz", .number = 100 / 3.0}};
static const char *joints[] = {"shoulder", "elbow"};
static rbv_parameter items[] = {{"ZZ1R", 0.1 + 0.2, 1e-300, RBV_STATUS_COMBINED},
                                {"Fv1", 0, 0.5, RBV_STATUS_IDENTIFIED},
                                {"Fc1", -2, NAN, RBV_STATUS_NOT_IDENTIFIABLE}};
static const char *units[] = {"kg m^2", "N m s/rad", "N m"};
static const char *meanings[] = {"ZZ1 + ZZ2", "Fv1", "Fc1"};

static rbv_result make(rbv_row_fit rows[3]) {
  rows[0] = (rbv_row_fit){
      0, RBV_TORQUE_MOTOR, 90, 0.05, 0.06, 0.7, 0.6, 1.9, 0.4, true, 1.5, 0, 0, false};
  rows[1] = (rbv_row_fit){
      1, RBV_TORQUE_JOINT, 80, 0.06, 0.07, 0.8, 0.5, NAN, NAN, false, NAN, 0, 0, false};
  rows[2] = (rbv_row_fit){
      1, RBV_TORQUE_DIFFERENCE, 0, NAN, NAN, NAN, 0.5, NAN, NAN, false, NAN, 0, 0, false};
  return (rbv_result){.robot = "arm",
                      .robot_file = {.path = "arm.yaml", .sha256 = "cd"},
                      .sensing = RBV_SENSING_BOTH,
                      .payload = true,
                      .gamma = 0.25,
                      .ninput = 1,
                      .input = &log_input,
                      .nsetting = 2,
                      .setting = setting,
                      .method = "wls",
                      .njoint = 2,
                      .joint = joints,
                      .estimate = {.count = 3, .item = items},
                      .unit = units,
                      .meaning = meanings,
                      .fit = {1 / 7.0, 3, rows},
                      .diagnostics = {1234.5, 56.7, 167, 0.99, 1.25},
                      .masked_fraction = 2 / 9.0};
}

static void test_documented_keys_exist(void **state) {
  (void)state;
  rbv_row_fit rows[3];
  const rbv_result result = make(rows);
  char *text;
  size_t size;
  assert_ok(rbv_result_write(&text, &size, &result));
  assert_int_equal(size, strlen(text));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "result", text, size));
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.result/1");
  text_at(root, "version", rbv_version());

  // provenance
  text_at(root, "robot.name", "arm");
  text_at(root, "robot.file", "arm.yaml");
  text_at(root, "robot.sha256", "cd");
  text_at(root, "robot.sensing", "both");
  text_at(root, "robot.payload", "true");
  assert_true(real_at(root, "robot.gamma") == 0.25);
  text_at(root, "logs.0.file", "a \"log\".csv");
  text_at(root, "logs.0.sha256", "ab");
  text_at(root, "logs.0.loaded", "true");
  assert_true(real_at(root, "logs.0.samples") == 100);
  assert_true(real_at(root, "logs.0.rate_hz") == 1 / 3.0);
  text_at(root, "logs.0.differentiation", "bandpass");
  assert_true(real_at(root, "logs.0.cutoff_hz") == 43.5);
  text_at(root, "logs.0.resampled", "true");
  assert_true(real_at(root, "logs.0.gaps") == 2);
  assert_true(real_at(root, "logs.0.invalid_samples") == 7);
  text_at(root, "options.method", "wls");
  assert_true(real_at(root, "options.cutoff_hz") == 100 / 3.0);

  // the estimate, to the last bit
  text_at(root, "estimate.method", "wls");
  assert_int_equal(rbv_node_count(node_at(root, "estimate.parameters")), 3);
  text_at(root, "estimate.parameters.0.name", "ZZ1R");
  assert_true(real_at(root, "estimate.parameters.0.value") == 0.1 + 0.2);
  assert_true(real_at(root, "estimate.parameters.0.sigma") == 1e-300);
  assert_true(real_at(root, "estimate.parameters.0.relative_sigma_percent") ==
              100 * 1e-300 / (0.1 + 0.2));
  text_at(root, "estimate.parameters.0.unit", "kg m^2");
  text_at(root, "estimate.parameters.0.status", "combined");
  text_at(root, "estimate.parameters.0.meaning", "ZZ1 + ZZ2");
  text_at(root, "estimate.parameters.1.status", "identified");

  // fit and diagnostics
  assert_true(real_at(root, "fit.relative_error") == 1 / 7.0);
  assert_int_equal(rbv_node_count(node_at(root, "fit.per_joint")), 3);
  text_at(root, "fit.per_joint.0.joint", "shoulder");
  text_at(root, "fit.per_joint.0.torque", "motor");
  text_at(root, "fit.per_joint.1.torque", "joint");
  text_at(root, "fit.per_joint.2.torque", "difference");
  assert_true(real_at(root, "fit.per_joint.1.rows") == 80);
  assert_true(real_at(root, "fit.per_joint.1.relative_error") == 0.06);
  assert_true(real_at(root, "fit.per_joint.1.rms_residual_Nm") == 0.8);
  assert_true(real_at(root, "fit.per_joint.1.sigma_Nm") == 0.5);
  assert_true(real_at(root, "diagnostics.condition_number") == 1234.5);
  assert_true(real_at(root, "diagnostics.condition_number_scaled") == 56.7);
  assert_true(real_at(root, "diagnostics.durbin_watson.0") == 1.9);
  assert_true(real_at(root, "diagnostics.ks_p.0") == 0.4);
  assert_true(real_at(root, "diagnostics.dof") == 167);
  assert_true(real_at(root, "diagnostics.sigma_inflation") == 1.25);
  assert_string_equal(rbv_node_text(node_at(root, "diagnostics.residual_coloured.0")), "true");
  assert_string_equal(rbv_node_text(node_at(root, "diagnostics.residual_coloured.1")), "false");
  assert_true(real_at(root, "masked_fraction") == 2 / 9.0);
  rbv_document_free(doc);
  rbv_text_release(text);
}

/* an undefined number is null, and another key has the reason */
static void test_undefined_numbers_are_null_with_a_reason(void **state) {
  (void)state;
  rbv_row_fit rows[3];
  const rbv_result result = make(rows);
  char *text;
  size_t size;
  assert_ok(rbv_result_write(&text, &size, &result));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "result", text, size));
  const rbv_node *root = rbv_document_root(doc);
  assert_null(rbv_node_find(node_at(root, "estimate.parameters.0"), "reason"));
  assert_true(rbv_node_is_null(node_at(root, "estimate.parameters.1.relative_sigma_percent")));
  assert_non_null(strstr(rbv_node_text(node_at(root, "estimate.parameters.1.reason")), "zero"));
  assert_true(rbv_node_is_null(node_at(root, "estimate.parameters.2.sigma")));
  assert_non_null(strstr(rbv_node_text(node_at(root, "estimate.parameters.2.reason")), "data"));
  assert_null(rbv_node_find(node_at(root, "fit.per_joint.0"), "reason"));
  assert_true(rbv_node_is_null(node_at(root, "diagnostics.durbin_watson.1")));
  assert_true(rbv_node_is_null(node_at(root, "diagnostics.ks_p.1")));
  assert_non_null(strstr(rbv_node_text(node_at(root, "fit.per_joint.1.reason")), "residual"));
  assert_true(rbv_node_is_null(node_at(root, "fit.per_joint.2.relative_error")));
  assert_non_null(strstr(rbv_node_text(node_at(root, "fit.per_joint.2.reason")), "torque"));
  rbv_document_free(doc);
  rbv_text_release(text);
}

static void test_result_is_a_parameter_set(void **state) {
  (void)state;
  rbv_row_fit rows[3];
  const rbv_result result = make(rows);
  char *text;
  size_t size;
  rbv_parameters *set;
  assert_ok(rbv_result_write(&text, &size, &result));
  assert_ok(rbv_parameters_parse(&set, "result", text, size));
  assert_int_equal(set->count, 3);
  assert_true(set->item[0].value == 0.1 + 0.2 && set->item[0].sigma == 1e-300);
  assert_true(isnan(set->item[2].sigma));
  rbv_parameters_free(set);
  rbv_text_release(text);
  rbv_text_release(NULL);
}

static rbv_status write_one(void *state) {
  char *text;
  size_t size;
  const rbv_status status = rbv_result_write(&text, &size, state);
  rbv_text_release(text);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  rbv_row_fit rows[3];
  rbv_result result = make(rows);
  fail_each_allocation(write_one, &result);
}

/* what was gained, on which data; nothing where the error is not known */
static void test_headline(void **state) {
  (void)state;
  char text[RBV_HEADLINE_MAX];
  rbv_result r = {.fit = {.comparable = 0.0531, .baseline = 0.121, .left_out = NAN}};
  rbv_headline gain = rbv_result_headline(&r);
  rbv_headline_write(text, &gain);
  assert_string_equal(text, "error on the data of the fit: robot file 12.1 %, identified 5.31 %");
  assert_true(gain.own && gain.fit == &r.fit);

  // parts that were left out count more, other recordings most
  r.fit.left_out = 0.0622;
  gain = rbv_result_headline(&r);
  rbv_headline_write(text, &gain);
  assert_string_equal(text,
                      "error on parts that were left out: robot file 12.1 %, identified "
                      "6.22 %");
  r.validation = (rbv_fit){.nrow = 1, .comparable = 0.08, .baseline = NAN};
  r.nvalidation_input = 1;
  gain = rbv_result_headline(&r);
  rbv_headline_write(text, &gain);
  assert_string_equal(text, "error on other recordings: 8 %");
  assert_true(!gain.own && gain.fit == &r.validation && rbv_result_error(&r) == 0.08);

  r = (rbv_result){.fit = {.comparable = NAN, .left_out = NAN, .relative_error = NAN}};
  gain = rbv_result_headline(&r);
  rbv_headline_write(text, &gain);
  assert_string_equal(text, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_headline),
      cmocka_unit_test(test_documented_keys_exist),
      cmocka_unit_test(test_undefined_numbers_are_null_with_a_reason),
      cmocka_unit_test(test_result_is_a_parameter_set),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
