/* All experiments: no disagreement, and the same numbers on one thread and on two. */
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

static void test_all(void **state) {
  (void)state;
  rbv_document *doc = tool_json("reproduce all --threads 2 --json -q -o all.html");
  const rbv_node *root = rbv_document_root(doc), *list = node_at(root, "experiments");
  assert_true(real_at(root, "differs") == 0);
  assert_int_equal(rbv_node_count(list), 5);
  double agrees = 0;
  for (int i = 0; i < 5; i++) {
    assert_true(real_at(rbv_node_at(list, i), "differs") == 0);
    assert_true(real_at(rbv_node_at(list, i), "agrees") > 0);
    agrees += real_at(rbv_node_at(list, i), "agrees");
  }
  assert_true(real_at(root, "agrees") == agrees);
  rbv_document_free(doc);
}

static void test_searches_do_not_depend_on_threads(void **state) {
  (void)state;
  char *one = tool_text("reproduce coupling --json -q --threads 1");
  char *two = tool_text("reproduce coupling --json -q --threads 2");
  assert_string_equal(one, two);
  free(one);
  free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_searches_do_not_depend_on_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
