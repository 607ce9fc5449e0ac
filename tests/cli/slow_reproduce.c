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
  assert_int_equal(rbv_node_count(list), 7);
  double agrees = 0, recovered = 0;
  int figures = 0;
  // the first five need no recordings
  for (int i = 0; i < 7; i++) {
    const rbv_node *one = rbv_node_at(list, i);
    assert_true(real_at(one, "differs") == 0);
    if (i < 5) assert_true(real_at(one, "agrees") > 0 && real_at(one, "recovered") > 0);
    agrees += real_at(one, "agrees");
    recovered += real_at(one, "recovered");
    figures += rbv_node_count(node_at(one, "figures"));
  }
  assert_true(real_at(root, "agrees") == agrees);
  assert_true(real_at(root, "recovered") == recovered);
  assert_true(figures >= 25);
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
