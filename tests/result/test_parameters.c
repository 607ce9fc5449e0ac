#include <math.h>
#include <roberval/sys/result.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

static rbv_parameters *parse(const char *text) {
  rbv_parameters *set;
  assert_ok(rbv_parameters_parse(&set, "set", text, strlen(text)));
  return set;
}

static void refuse(const char *text, const char *message) {
  rbv_parameters *set = (rbv_parameters *)(uintptr_t)text;
  assert_refused(rbv_parameters_parse(&set, "set", text, strlen(text)), RBV_EINPUT, message);
  assert_null(set);
}

/* ZZ1 = 1.5 without sigma, Fv2 = -2 with 0.25 */
static void check(const char *text) {
  rbv_parameters *set = parse(text);
  assert_int_equal(set->count, 2);
  assert_string_equal(set->item[0].name, "ZZ1");
  assert_true(set->item[0].value == 1.5 && isnan(set->item[0].sigma));
  assert_string_equal(set->item[1].name, "Fv2");
  assert_true(set->item[1].value == -2 && set->item[1].sigma == 0.25);
  for (int i = 0; i < 2; i++) assert_int_equal(set->item[i].status, RBV_STATUS_GIVEN);
  rbv_parameters_free(set);
}

static void test_every_form_is_read(void **state) {
  (void)state;
  check("{ZZ1: 1.5, Fv2: {value: -2, sigma: 0.25}}");
  check("ZZ1: {value: 1.5}\nFv2: {value: -2, sigma: 0.25}\n");
  check("parameters: {ZZ1: 1.5, Fv2: {value: -2, sigma: 0.25}}\n");
  check(
      "name: a robot file\nparameters:\n  ZZ1: {value: 1.5, sigma: null}\n"
      "  Fv2: {value: -2, sigma: 0.25}\n");
  check("parameters: [{name: ZZ1, value: 1.5}, {name: Fv2, value: -2, sigma: 0.25}]");
  check("[{name: ZZ1, value: 1.5}, {name: Fv2, value: -2, sigma: 0.25}]");
  check(
      "{\"schema\": \"roberval.result/1\", \"estimate\": {\"method\": \"wls\", \"parameters\": [\n"
      "{\"name\": \"ZZ1\", \"value\": 1.5, \"sigma\": null, \"status\": \"identified\"},\n"
      "{\"name\": \"Fv2\", \"value\": -2, \"sigma\": 0.25}]}}");
}

static void test_files_are_read(void **state) {
  (void)state;
  rbv_parameters *set;
  assert_ok(rbv_parameters_load(&set, temp_file("p.yaml", "ZZ1: 1.5\n")));
  assert_int_equal(set->count, 1);
  rbv_parameters_free(set);
  rbv_parameters_free(NULL);
  assert_refused(rbv_parameters_load(&set, temp_file("absent.yaml", NULL)), RBV_EREAD, "absent");
  assert_null(set);
}

static void test_refusals(void **state) {
  (void)state;
  refuse("", "set");
  refuse("7", "must be a map");
  refuse("parameters: 7", "set:1:13: parameters must be a map");
  refuse("{}", "no parameters");
  refuse("[]", "no parameters");
  refuse("parameters: []", "no parameters");
  refuse("ZZ1: [1, 2]", "must be a number or a map");
  refuse("ZZ1: heavy", "set:1:6");
  refuse("ZZ1: {sigma: 1}", "has no value");
  refuse("ZZ1: {value: null}", "set:1:14");
  refuse("ZZ1: {value: .inf}", "set:1:14");
  refuse("ZZ1: {value: 1, sigma: -1}", "set:1:24: sigma must not be negative");
  refuse("[1, 2]", "must be a number or a map");
  refuse("[{value: 1}]", "has no name");
  refuse("[{name: [a], value: 1}]", "set:1:9");
  refuse("{ZZ1: 1, ZZ1: 2}", "ZZ1");
  refuse("ZZ1: {value: 1", "set");
}

static void test_values_go_to_their_columns(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  double chi[86], sigma[86];
  assert_int_equal(rbv_model_column_count(m), 86);
  rbv_parameters *set = parse("{ZZ1R: 1.5, fcm6: {value: 2, sigma: 0.1}}");
  assert_ok(rbv_parameters_apply(chi, sigma, set, m));
  for (int c = 0; c < 86; c++) {
    const bool first = c == rbv_model_find(m, "ZZ1"), second = c == rbv_model_find(m, "fcm6");
    assert_true(chi[c] == (first ? 1.5 : second ? 2 : 0));
    assert_true(second ? sigma[c] == 0.1 : isnan(sigma[c]));
  }
  assert_ok(rbv_parameters_apply(chi, NULL, set, m));
  rbv_parameters_free(set);
  set = parse("{ZZ1: 1, weight: 2}");
  assert_refused(rbv_parameters_apply(chi, NULL, set, m), RBV_EINPUT,
                 "'tx40' has no parameter 'weight'");
  rbv_parameters_free(set);
  // a combination and its first term cannot both be given, nor one of them twice
  set = parse("{ZZ1: 1, ZZ1R: 2}");
  assert_refused(rbv_parameters_apply(chi, NULL, set, m), RBV_EINPUT, "'ZZ1R' is a second value");
  rbv_parameters_free(set);
  set = parse("[{name: ZZ1, value: 1}, {name: ZZ1, value: 2}]");
  assert_refused(rbv_parameters_apply(chi, NULL, set, m), RBV_EINPUT, "'ZZ1' is a second value");
  rbv_parameters_free(set);
  rbv_model_free(m);
}

static void test_status_names(void **state) {
  (void)state;
  assert_string_equal(rbv_parameter_status_name(RBV_STATUS_IDENTIFIED), "identified");
  assert_string_equal(rbv_parameter_status_name(RBV_STATUS_COMBINED), "combined");
  assert_string_equal(rbv_parameter_status_name(RBV_STATUS_GIVEN), "given");
}

static rbv_status parse_one(void *state) {
  rbv_parameters *set;
  const char *text = state;
  const rbv_status status = rbv_parameters_parse(&set, "set", text, strlen(text));
  rbv_parameters_free(set);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  char text[] = "parameters: [{name: ZZ1, value: 1.5}, {name: Fv2, value: -2, sigma: 0.25}]";
  fail_each_allocation(parse_one, text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_form_is_read), cmocka_unit_test(test_files_are_read),
      cmocka_unit_test(test_refusals),           cmocka_unit_test(test_values_go_to_their_columns),
      cmocka_unit_test(test_status_names),       cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
