#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "document/document.h"

#include "base/support.h"
#include "support.h"

static rbv_status parse(rbv_document **out, const char *text) {
  return rbv_document_parse(out, "arm.yaml", text, strlen(text));
}

static rbv_document *parsed(const char *text) {
  rbv_document *doc = NULL;
  assert_ok(parse(&doc, text));
  return doc;
}

#define assert_parse_refused(text, status, sentence)               \
  do {                                                             \
    rbv_document *refused = (rbv_document *)1;                     \
    assert_refused(parse(&refused, (text)), (status), (sentence)); \
    assert_null(refused);                                          \
  } while (0)

static void assert_place(const rbv_node *node, int line, int column) {
  assert_non_null(node);
  assert_int_equal(rbv_node_line(node), line);
  assert_int_equal(rbv_node_column(node), column);
}

static void test_tree_by_hand(void **state) {
  (void)state;
  rbv_document *doc = parsed(
      "name: two-link\n"
      "joints:\n"
      "  - {name: a, axis: [0, 0, 1]}\n"
      "  - name: b\n"
      "    axis: [1, 0, 0]\n"
      "empty: {}\n");
  assert_string_equal(rbv_document_name(doc), "arm.yaml");
  const rbv_node *root = rbv_document_root(doc);
  assert_int_equal(rbv_node_get_kind(root), RBV_NODE_MAP);
  assert_int_equal(rbv_node_count(root), 3);
  assert_string_equal(rbv_node_key(root, 1), "joints");
  assert_string_equal(rbv_node_text(rbv_node_at(root, 0)), "two-link");

  const rbv_node *joints = rbv_node_find(root, "joints");
  assert_int_equal(rbv_node_get_kind(joints), RBV_NODE_LIST);
  assert_int_equal(rbv_node_count(joints), 2);
  const rbv_node *b = rbv_node_at(joints, 1);
  assert_string_equal(rbv_node_text(rbv_node_find(b, "name")), "b");
  double axis[3];
  assert_ok(rbv_node_reals(axis, 3, rbv_node_find(b, "axis")));
  assert_true(axis[0] == 1 && axis[1] == 0 && axis[2] == 0);
  assert_ok(rbv_node_reals(axis, 3, rbv_node_find(rbv_node_at(joints, 0), "axis")));
  assert_true(axis[0] == 0 && axis[1] == 0 && axis[2] == 1);
  assert_int_equal(rbv_node_count(rbv_node_find(root, "empty")), 0);
  rbv_document_free(doc);
}

static void test_missing_nodes_are_null(void **state) {
  (void)state;
  rbv_document *doc = parsed("{a: 1, l: [2]}");
  const rbv_node *root = rbv_document_root(doc), *a = rbv_node_find(root, "a");
  assert_null(rbv_node_find(root, "b"));
  assert_null(rbv_node_find(a, "a"));
  assert_null(rbv_node_at(root, 2));
  assert_null(rbv_node_at(root, -1));
  assert_null(rbv_node_at(a, 0));
  assert_null(rbv_node_key(root, 2));
  assert_null(rbv_node_key(rbv_node_find(root, "l"), 0));
  assert_null(rbv_node_text(root));
  assert_int_equal(rbv_node_count(a), 0);
  assert_null(rbv_node_find(NULL, "a"));
  assert_null(rbv_node_at(NULL, 0));
  assert_null(rbv_document_root(NULL));
  assert_null(rbv_document_name(NULL));
  rbv_document_free(doc);
  rbv_document_free(NULL);
}

static void test_lines_and_columns_are_exact(void **state) {
  (void)state;
  // columns count characters, not bytes: the key in line 3 has two characters of two bytes each
  rbv_document *doc = parsed(
      "# a comment\n"
      "mass:   2.5\n"
      "äö: [10,\n"
      "  20]\n"
      "deep:\n"
      "  - x: 1\n"
      "    y: \"two\"\n");
  const rbv_node *root = rbv_document_root(doc);
  assert_place(root, 2, 1);
  assert_place(rbv_node_find(root, "mass"), 2, 9);
  const rbv_node *list = rbv_node_find(root, "äö");
  assert_place(list, 3, 5);
  assert_place(rbv_node_at(list, 0), 3, 6);
  assert_place(rbv_node_at(list, 1), 4, 3);
  const rbv_node *item = rbv_node_at(rbv_node_find(root, "deep"), 0);
  assert_place(item, 6, 5);
  assert_place(rbv_node_find(item, "y"), 7, 8);
  assert_refused(rbv_node_fail(RBV_EINPUT, rbv_node_find(item, "y"), "too %s", "big"), RBV_EINPUT,
                 "arm.yaml:7:8: too big");
  rbv_document_free(doc);
}

static void test_json_is_read(void **state) {
  (void)state;
  rbv_document *doc =
      parsed("{\n\t\"a\": [1, 2.5e-3, null, true],\n\t\"b\\n\\u00e4\": \"x\\\"\\/y\"\n}\n");
  const rbv_node *root = rbv_document_root(doc), *a = rbv_node_find(root, "a");
  assert_int_equal(rbv_node_count(a), 4);
  assert_place(rbv_node_at(a, 1), 2, 11);
  assert_true(rbv_node_is_null(rbv_node_at(a, 2)));
  assert_string_equal(rbv_node_text(rbv_node_find(root, "b\nä")), "x\"/y");
  rbv_document_free(doc);
}

static void test_byte_order_mark_and_windows_line_ends(void **state) {
  (void)state;
  rbv_document *doc = parsed(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: 2\r\n");
  assert_place(rbv_node_find(rbv_document_root(doc), "a"), 1, 4);
  assert_place(rbv_node_find(rbv_document_root(doc), "b"), 2, 4);
  assert_string_equal(rbv_node_text(rbv_node_find(rbv_document_root(doc), "a")), "1");
  rbv_document_free(doc);
}

static void test_malformed_text_is_refused_with_its_place(void **state) {
  (void)state;
  assert_parse_refused("a: [1, 2\nb: 3\n", RBV_EINPUT, "arm.yaml:2:2: ");
  assert_parse_refused("a: [1, 2\nb: 3\n", RBV_EINPUT, "flow sequence that begins in line 1");
  assert_parse_refused("a: 1\n\tb: 2\n", RBV_EINPUT, "arm.yaml:2:1: ");
  assert_parse_refused("a: \"open", RBV_EINPUT, "arm.yaml:1:9: found unexpected end of stream");
  assert_parse_refused("a: 1\nbb: \xff\n", RBV_EINPUT, "arm.yaml:2:5: invalid leading UTF-8 octet");
  assert_parse_refused("a: \x01\n", RBV_EINPUT, "arm.yaml:1:4: control characters are not allowed");
  assert_parse_refused("a: \"x\\0y\"", RBV_EINPUT, "arm.yaml:1:4: a string must not contain");
  assert_parse_refused("[a]: 1", RBV_EINPUT, "arm.yaml:1:1: a key must be a string");
  assert_parse_refused("", RBV_EINPUT, "arm.yaml:1:1: the document is empty");
  assert_parse_refused("# nothing\n", RBV_EINPUT, "arm.yaml:1:1: the document is empty");
}

static void test_unsupported_yaml_is_refused(void **state) {
  (void)state;
  assert_parse_refused("a: &x 1\n", RBV_EUNSUPPORTED, "arm.yaml:1:4: anchors (&x)");
  assert_parse_refused("a: &x [1]\n", RBV_EUNSUPPORTED, "arm.yaml:1:4: anchors (&x)");
  assert_parse_refused("&x {a: 1}\n", RBV_EUNSUPPORTED, "arm.yaml:1:1: anchors (&x)");
  assert_parse_refused("a: 1\nb: *x\n", RBV_EUNSUPPORTED, "arm.yaml:2:4: aliases (*x)");
  assert_parse_refused("a: !!str 1\n", RBV_EUNSUPPORTED, "arm.yaml:1:4: tags (tag:yaml.org");
  assert_parse_refused("a: !robot {}\n", RBV_EUNSUPPORTED, "arm.yaml:1:4: tags (!robot)");
  assert_parse_refused("--- 1\n--- 2\n", RBV_EUNSUPPORTED, "arm.yaml:2:1: a second document");
}

static void test_duplicate_keys_report_both_lines(void **state) {
  (void)state;
  assert_parse_refused("a: 1\nb: 2\na: 3\n", RBV_EINPUT,
                       "arm.yaml:3:1: key 'a' already appears in line 1");
  assert_parse_refused("x:\n  - {q: 1,\n     r: 2, \"q\": 3}\n", RBV_EINPUT,
                       "arm.yaml:3:12: key 'q' already appears in line 2");
  // of two duplicate pairs the first in the file is reported, of three equal keys the second
  assert_parse_refused("z: 1\na: 1\nz: 2\na: 2\nz: 3\n", RBV_EINPUT,
                       "arm.yaml:3:1: key 'z' already appears in line 1");
  // the same key in different maps is no duplicate
  rbv_document_free(parsed("{a: {a: 1}, b: {a: 2}}"));
}

/* n lists, one inside the other */
static char *nested(int n) {
  char *text = rbv_alloc(2 * (size_t)n + 1);
  memset(text, '[', (size_t)n);
  memset(text + n, ']', (size_t)n);
  return text;
}

static void test_nesting_ends_at_64(void **state) {
  (void)state;
  char *text = nested(64);
  rbv_document *doc = parsed(text);
  const rbv_node *node = rbv_document_root(doc);
  for (int i = 1; i < 64; i++) node = rbv_node_at(node, 0);
  assert_place(node, 1, 64);
  assert_int_equal(rbv_node_count(node), 0);
  rbv_document_free(doc);
  rbv_free(text);
  for (int n = 65; n < 2000000; n = 10 * n) {
    text = nested(n);
    assert_parse_refused(text, RBV_EUNSUPPORTED, "arm.yaml:1:65: nested deeper than 64");
    rbv_free(text);
  }
}

/* alias bomb: ten lists of ten aliases each, 1e9 nodes if expanded */
static void test_alias_bomb_is_refused_at_once(void **state) {
  (void)state;
  rbv_text t = {0};
  rbv_text_put(&t, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
  for (int i = 1; i < 10; i++) {
    rbv_text_print(&t, "a%d: &a%d [", i, i);
    for (int k = 0; k < 10; k++) rbv_text_print(&t, "%s*a%d", k ? ", " : "", i - 1);
    rbv_text_put(&t, "]\n");
  }
  const clock_t start = clock();
  assert_parse_refused(t.data, RBV_EUNSUPPORTED, "arm.yaml:1:5: anchors");
  assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
  rbv_text_free(&t);
}

/* keys are sorted before they are compared: comparing 1e5 keys pairwise would take minutes */
static void test_many_keys(void **state) {
  (void)state;
  rbv_text t = {0};
  for (int i = 0; i < 100000; i++) rbv_text_print(&t, "k%d: %d\n", i, i);
  rbv_document *doc = parsed(t.data);
  assert_int_equal(rbv_node_count(rbv_document_root(doc)), 100000);
  int value;
  assert_ok(rbv_node_int(&value, rbv_node_at(rbv_document_root(doc), 99999)));
  assert_int_equal(value, 99999);
  rbv_document_free(doc);
  rbv_text_put(&t, "k77: 0\n");
  assert_parse_refused(t.data, RBV_EINPUT,
                       "arm.yaml:100001:1: key 'k77' already appears in line 78");
  rbv_text_free(&t);
}

static void test_load_reports_the_path(void **state) {
  (void)state;
  rbv_document *doc;
  const char *path = temp_file("robot.yaml", "a: 1\n");
  assert_ok(rbv_document_load(&doc, path));
  assert_string_equal(rbv_document_name(doc), path);
  rbv_document_free(doc);
  assert_refused(rbv_document_load(&doc, "/nowhere/arm.yaml"), RBV_EREAD,
                 "/nowhere/arm.yaml: No such file or directory");
  assert_null(doc);
  assert_refused(rbv_document_load(&doc, "/tmp"), RBV_EREAD, "/tmp: is a directory");
  path = temp_file("bad.yaml", "a: 1\na: 2\n");
  assert_refused(rbv_document_load(&doc, path), RBV_EINPUT, "bad.yaml:2:1: key 'a'");
}

static void test_more_than_64_mb_is_refused(void **state) {
  (void)state;
  const char *path = temp_file("huge.yaml", "");
  assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
  rbv_document *doc;
  assert_refused(rbv_document_load(&doc, path), RBV_EUNSUPPORTED, "huge.yaml: larger than 64 MB");
  assert_null(doc);
  // a text of that size is refused before it is read
  assert_refused(rbv_document_parse(&doc, "text", "", ((size_t)64 << 20) + 1), RBV_EUNSUPPORTED,
                 "text: larger than 64 MB");
}

static void test_null_arguments(void **state) {
  (void)state;
  rbv_document *doc;
  assert_refused(rbv_document_parse(NULL, "n", "", 0), RBV_EARG, "out is NULL");
  assert_refused(rbv_document_parse(&doc, NULL, "", 0), RBV_EARG, "name or text is NULL");
  assert_refused(rbv_document_parse(&doc, "n", NULL, 0), RBV_EARG, "name or text is NULL");
  assert_refused(rbv_document_load(&doc, NULL), RBV_EARG, "the path is NULL");
  assert_refused(rbv_document_load(NULL, "n"), RBV_EARG, "out is NULL");
}

static rbv_status load_and_free(void *path) {
  rbv_document *doc;
  RBV_TRY(rbv_document_load(&doc, path));
  rbv_document_free(doc);
  return RBV_OK;
}

static void test_each_allocation_fails_once(void **state) {
  (void)state;
  // more than 64 nodes and 256 bytes, so that every array grows
  rbv_text t = {0};
  for (int i = 0; i < 100; i++) rbv_text_print(&t, "key%d: value%d\n", i, i);
  char path[256];
  snprintf(path, sizeof path, "%s", temp_file("many.yaml", t.data));
  fail_each_allocation(load_and_free, path);
  rbv_text_free(&t);
}

/* the same nodes; those of b are `lines` lines further down */
static void assert_same_nodes(const rbv_node *a, const rbv_node *b, int lines) {
  assert_int_equal(rbv_node_get_kind(a), rbv_node_get_kind(b));
  assert_int_equal(rbv_node_count(a), rbv_node_count(b));
  assert_place(b, rbv_node_line(a) + lines, rbv_node_column(a));
  assert_int_equal(rbv_node_is_quoted(a), rbv_node_is_quoted(b));
  if (rbv_node_get_kind(a) == RBV_NODE_SCALAR) {
    assert_string_equal(rbv_node_text(a), rbv_node_text(b));
  }
  for (int i = 0; i < rbv_node_count(a); i++) {
    if (rbv_node_get_kind(a) == RBV_NODE_MAP)
      assert_string_equal(rbv_node_key(a, i), rbv_node_key(b, i));
    assert_same_nodes(rbv_node_at(a, i), rbv_node_at(b, i), lines);
  }
}

/* JSON is read without libyaml; behind a start of a document it is left to libyaml */
static rbv_status read_both(const char *text, size_t size) {
  char marked[1024] = "---\n";
  assert_true(size < sizeof marked - 4);
  memcpy(marked + 4, text, size);
  rbv_document *own, *other;
  const rbv_status status = rbv_document_parse(&own, "a.json", text, size);
  const rbv_status expected = rbv_document_parse(&other, "a.json", marked, size + 4);
  assert_int_equal(status, expected);
  if (status == RBV_OK) assert_same_nodes(rbv_document_root(own), rbv_document_root(other), 1);
  rbv_document_free(own);
  rbv_document_free(other);
  return status;
}

static const char *const json_texts[] = {
    "{\n  \"name\": \"TX 40\",\n  \"n\": -1.5e-3, \"list\": [1,2 , true, null],\n"
    "  \"empty\": {}, \"none\": [], \"deep\": [[{\"a\":{\"b\":[0]}}]],\n"
    "  \"text\": \"a: b, [c] # d\", \"last\": \"\"\n}\n",
    "[[1, -2], [\"\\u00e4\", \"\xc3\xa4\", \"a\\\"b\"]]",
    "{\"a\": 1}",
    "[]",
    "  [1]  \n ",
};

static void test_json_is_read_as_yaml(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(json_texts); i++)
    assert_int_equal(read_both(json_texts[i], strlen(json_texts[i])), RBV_OK);
  static const char *const wrong[] = {
      "[1",         "{\"a\"}", "{\"a\": 1}}",        "[1 2 \"3\"]", "[\"a\"b]",
      "{\"a\": 1]", "[-]",     "{\"a\":1, \"a\":2}", "[1] [2]",     "{[1]: 2, 3: }"};
  for (int i = 0; i < RBV_COUNT(wrong); i++) (void)read_both(wrong[i], strlen(wrong[i]));
}

/* one to three changed, removed or repeated characters: the same nodes, or both are refused */
static void test_changed_json_is_read_as_yaml(void **state) {
  (void)state;
  static const char other[] = "{}[]:,\"\\ \n\t-+.#&*!|>%@`'0e~?\x01\x80";
  int read = 0, count = 0;
  for (uint64_t k = 0; k < 30000; k++) {
    char text[1024];
    const char *from = json_texts[k % 2];
    size_t size = strlen(from);
    memcpy(text, from, size);
    for (uint64_t n = 0; n <= k % 3; n++) {
      const uint64_t draw = (uint64_t)(1e15 * rbv_random_uniform(7, k, n));
      const size_t at = 1 + draw % (size - 1);  // what opens the text stays
      switch (draw / 1000 % 3) {
        case 0: text[at] = other[draw / 7919 % (sizeof other - 1)]; break;
        case 1: memmove(text + at, text + at + 1, --size - at); break;
        default: memmove(text + at + 1, text + at, size++ - at); break;
      }
    }
    read += read_both(text, size) == RBV_OK;
    count++;
  }
  // both outcomes are common
  assert_true(read > count / 20 && read < count - count / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tree_by_hand),
      cmocka_unit_test(test_missing_nodes_are_null),
      cmocka_unit_test(test_lines_and_columns_are_exact),
      cmocka_unit_test(test_json_is_read),
      cmocka_unit_test(test_json_is_read_as_yaml),
      cmocka_unit_test(test_changed_json_is_read_as_yaml),
      cmocka_unit_test(test_byte_order_mark_and_windows_line_ends),
      cmocka_unit_test(test_malformed_text_is_refused_with_its_place),
      cmocka_unit_test(test_unsupported_yaml_is_refused),
      cmocka_unit_test(test_duplicate_keys_report_both_lines),
      cmocka_unit_test(test_nesting_ends_at_64),
      cmocka_unit_test(test_alias_bomb_is_refused_at_once),
      cmocka_unit_test(test_many_keys),
      cmocka_unit_test(test_load_reports_the_path),
      cmocka_unit_test(test_more_than_64_mb_is_refused),
      cmocka_unit_test(test_null_arguments),
      cmocka_unit_test(test_each_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
