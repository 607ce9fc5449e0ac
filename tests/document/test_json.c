#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"

#include "base/support.h"
#include "support.h"

static rbv_json *writer(void) {
  rbv_json *json = NULL;
  assert_ok(rbv_json_new(&json));
  return json;
}

static void assert_text(rbv_json *json, const char *want) {
  const char *text;
  size_t size;
  assert_ok(rbv_json_finish(&text, &size, json));
  assert_string_equal(text, want);
  assert_int_equal(size, strlen(want));
  rbv_json_free(json);
}

static void write_example(rbv_json *json) {
  rbv_json_map(json);
  rbv_json_key(json, "name");
  rbv_json_string(json, "two-link");
  rbv_json_key(json, "axis");
  rbv_json_flat_list(json);
  for (int i = 0; i < 3; i++) rbv_json_int(json, i == 2);
  rbv_json_end(json);
  rbv_json_key(json, "joints");
  rbv_json_list(json);
  rbv_json_map(json);
  rbv_json_key(json, "mass");
  rbv_json_real(json, 0.1);
  rbv_json_key(json, "fixed");
  rbv_json_bool(json, false);
  rbv_json_end(json);
  rbv_json_null(json);
  rbv_json_end(json);
  rbv_json_key(json, "none");
  rbv_json_map(json);
  rbv_json_end(json);
  rbv_json_key(json, "empty");
  rbv_json_list(json);
  rbv_json_end(json);
  rbv_json_end(json);
}

static void test_text_by_hand(void **state) {
  (void)state;
  rbv_json *json = writer();
  write_example(json);
  assert_text(json,
              "{\n"
              "  \"name\": \"two-link\",\n"
              "  \"axis\": [0, 0, 1],\n"
              "  \"joints\": [\n"
              "    {\n"
              "      \"mass\": 0.1,\n"
              "      \"fixed\": false\n"
              "    },\n"
              "    null\n"
              "  ],\n"
              "  \"none\": {},\n"
              "  \"empty\": []\n"
              "}\n");
}

static void test_lists_inside_flat_lists_are_flat(void **state) {
  (void)state;
  rbv_json *json = writer();
  rbv_json_flat_list(json);
  rbv_json_list(json);
  rbv_json_int(json, 1);
  rbv_json_int(json, -9223372036854775807LL - 1);
  rbv_json_end(json);
  rbv_json_map(json);
  rbv_json_key(json, "a");
  rbv_json_bool(json, true);
  rbv_json_key(json, "b");
  rbv_json_null(json);
  rbv_json_end(json);
  rbv_json_end(json);
  assert_text(json, "[[1, -9223372036854775808], {\"a\": true, \"b\": null}]\n");
}

static void test_undefined_values_are_null(void **state) {
  (void)state;
  rbv_json *json = writer();
  rbv_json_flat_list(json);
  rbv_json_real(json, NAN);
  rbv_json_real(json, INFINITY);
  rbv_json_real(json, -INFINITY);
  rbv_json_string(json, NULL);
  rbv_json_real(json, -0.0);
  rbv_json_end(json);
  assert_text(json, "[null, null, null, null, -0]\n");
}

static void test_text_is_escaped(void **state) {
  (void)state;
  rbv_json *json = writer();
  rbv_json_string(json, "q\" b\\ n\n t\t \x01 \x7f ä € 😀 \xc2\x85 \xe2\x80\xa8");
  assert_text(json, "\"q\\\" b\\\\ n\\n t\\t \\u0001 \\u007f ä € 😀 \\u0085 \\u2028\"\n");
}

/* lone continuation byte, overlong, surrogate, beyond U+10FFFF, truncated, invalid first byte */
static void test_invalid_utf8_is_replaced(void **state) {
  (void)state;
  const struct {
    const char *bytes, *want;
  } cases[] = {
      {"a\x80z", "\"a\xEF\xBF\xBDz\"\n"},
      {"\xc0\xaf", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
      {"\xed\xa0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
      {"\xf4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
      {"\xe2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
      {"\xff", "\"\xEF\xBF\xBD\"\n"},
  };
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_json *json = writer();
    rbv_json_string(json, cases[i].bytes);
    assert_text(json, cases[i].want);
  }
}

static void assert_misuse(rbv_json *json, const char *sentence) {
  const char *text = "";
  size_t size;
  assert_refused(rbv_json_finish(&text, &size, json), RBV_EARG, sentence);
  assert_null(text);
  // the error remains, and further calls are harmless
  rbv_json_null(json);
  rbv_json_map(json);
  rbv_json_key(json, "k");
  rbv_json_end(json);
  assert_refused(rbv_json_finish(&text, &size, json), RBV_EARG, sentence);
  rbv_json_free(json);
}

static void test_misuse_is_remembered(void **state) {
  (void)state;
  rbv_json *json = writer();
  assert_misuse(json, "JSON writer misused: nothing was written");

  json = writer();
  rbv_json_map(json);
  rbv_json_int(json, 1);
  rbv_json_end(json);
  assert_misuse(json, "a value without a key in a map");

  json = writer();
  rbv_json_int(json, 1);
  rbv_json_int(json, 2);
  assert_misuse(json, "a second root");

  json = writer();
  rbv_json_list(json);
  assert_misuse(json, "an unclosed list");

  json = writer();
  rbv_json_map(json);
  assert_misuse(json, "an unclosed map");

  json = writer();
  rbv_json_list(json);
  rbv_json_end(json);
  rbv_json_end(json);
  assert_misuse(json, "an end without a start");

  json = writer();
  rbv_json_list(json);
  rbv_json_key(json, "a");
  rbv_json_end(json);
  assert_misuse(json, "a key outside a map");

  json = writer();
  rbv_json_key(json, "a");
  assert_misuse(json, "a key outside a map");

  json = writer();
  rbv_json_map(json);
  rbv_json_key(json, "a");
  rbv_json_end(json);
  assert_misuse(json, "a key without a value");

  json = writer();
  rbv_json_map(json);
  rbv_json_key(json, "a");
  rbv_json_key(json, "b");
  assert_misuse(json, "two keys in a row");

  json = writer();
  rbv_json_map(json);
  rbv_json_key(json, NULL);
  assert_misuse(json, "a key that is NULL");

  json = writer();
  for (int i = 0; i < 65; i++) rbv_json_list(json);
  assert_misuse(json, "nesting deeper than 64");

  // callers do not check the writer between calls, so NULL must be harmless too
  rbv_json_map(NULL);
  rbv_json_key(NULL, "a");
  rbv_json_real(NULL, 1);
  rbv_json_end(NULL);
  rbv_json_free(NULL);
  const char *text;
  assert_refused(rbv_json_finish(&text, NULL, NULL), RBV_EARG, "json is NULL");
  assert_refused(rbv_json_new(NULL), RBV_EARG, "out is NULL");
}

static void test_values_after_the_end_are_refused(void **state) {
  (void)state;
  rbv_json *json = writer();
  const char *text;
  rbv_json_int(json, 1);
  assert_ok(rbv_json_finish(&text, NULL, json));
  assert_ok(rbv_json_finish(&text, NULL, json));
  assert_string_equal(text, "1\n");
  rbv_json_int(json, 2);
  assert_refused(rbv_json_finish(&text, NULL, json), RBV_EARG, "a value after the end");
  rbv_json_free(json);
}

/* the i-th of many random finite doubles, made from 64 random bits */
static double any_double(int i) {
  for (uint64_t k = 0;; k++) {
    const uint64_t bits = rbv_random_bits(11, k, (uint64_t)i);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x)) return x;
  }
}

static void assert_numbers_survive(void) {
  const int n = 20000;
  rbv_json *json = writer();
  rbv_json_flat_list(json);
  for (int i = 0; i < n; i++) rbv_json_real(json, any_double(i));
  rbv_json_end(json);
  const char *text;
  size_t size;
  assert_ok(rbv_json_finish(&text, &size, json));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "numbers", text, size));
  rbv_json_free(json);
  for (int i = 0; i < n; i++) {
    double got;
    const double want = any_double(i);
    assert_ok(rbv_node_real(&got, rbv_node_at(rbv_document_root(doc), i)));
    assert_memory_equal(&got, &want, sizeof got);
  }
  rbv_document_free(doc);
}

static void test_numbers_survive_bit_for_bit(void **state) {
  (void)state;
  assert_numbers_survive();
  comma_locale_begin();
  assert_numbers_survive();
  comma_locale_end();
}

/* every character except 0 is read back, also those that YAML folds or refuses without escapes */
static void test_text_survives(void **state) {
  (void)state;
  rbv_text t = {0};
  for (unsigned c = 1; c < 0x80; c++) rbv_text_print(&t, "%c", (int)c);
  rbv_text_put(&t,
               " ä\xc2\x85\xc2\xa0\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xef\xbf\xbe\xef\xbf\xbf😀 ");
  for (unsigned c = 0x80; c < 0xA0; c++) rbv_text_print(&t, "\xc2%c", (int)c);
  rbv_json *json = writer();
  rbv_json_map(json);
  rbv_json_key(json, t.data);
  rbv_json_string(json, t.data);
  rbv_json_end(json);
  const char *text;
  size_t size;
  assert_ok(rbv_json_finish(&text, &size, json));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "text", text, size));
  assert_string_equal(rbv_node_key(rbv_document_root(doc), 0), t.data);
  assert_string_equal(rbv_node_text(rbv_node_at(rbv_document_root(doc), 0)), t.data);
  rbv_document_free(doc);
  rbv_json_free(json);
  rbv_text_free(&t);
}

static void test_writer_nests_as_deep_as_the_reader(void **state) {
  (void)state;
  rbv_json *json = writer();
  for (int i = 0; i < 64; i++) rbv_json_list(json);
  for (int i = 0; i < 64; i++) rbv_json_end(json);
  const char *text;
  size_t size;
  assert_ok(rbv_json_finish(&text, &size, json));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "deep", text, size));
  rbv_document_free(doc);
  rbv_json_free(json);
}

static rbv_status write_and_free(void *unused) {
  (void)unused;
  rbv_json *json;
  RBV_TRY(rbv_json_new(&json));
  for (int i = 0; i < 3; i++) {
    if (i == 0) rbv_json_list(json);
    write_example(json);
  }
  rbv_json_end(json);
  const char *text;
  size_t size;
  const rbv_status status = rbv_json_finish(&text, &size, json);
  rbv_json_free(json);
  return status;
}

static void test_each_allocation_fails_once(void **state) {
  (void)state;
  fail_each_allocation(write_and_free, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text_by_hand),
      cmocka_unit_test(test_lists_inside_flat_lists_are_flat),
      cmocka_unit_test(test_undefined_values_are_null),
      cmocka_unit_test(test_text_is_escaped),
      cmocka_unit_test(test_invalid_utf8_is_replaced),
      cmocka_unit_test(test_misuse_is_remembered),
      cmocka_unit_test(test_values_after_the_end_are_refused),
      cmocka_unit_test(test_numbers_survive_bit_for_bit),
      cmocka_unit_test(test_text_survives),
      cmocka_unit_test(test_writer_nests_as_deep_as_the_reader),
      cmocka_unit_test(test_each_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
