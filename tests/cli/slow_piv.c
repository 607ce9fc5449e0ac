/* piv and iv on the set-ups of the demo, 64 seeds; FIRST and LAST in the environment select some.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

#define FIRST (getenv("FIRST") ? atoi(getenv("FIRST")) : 1)
#define LAST (getenv("LAST") ? atoi(getenv("LAST")) : 64)
#define MOST 64  // parameters

enum { IV, PIV, METHODS };
static const char *const name[METHODS] = {"iv", "piv"};

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* median relative error of the parameters that are not zero */
static double median_error(const rbv_node *root, const char *method) {
  const rbv_node *list = node_at(root, "parameters");
  double error[MOST];
  int n = 0;
  for (int k = 0; k < rbv_node_count(list); k++) {
    const rbv_node *p = rbv_node_at(list, k);
    const double truth = real_at(p, "true");
    if (truth == 0) continue;
    assert_true(n < MOST);
    error[n++] = fabs(real_at(node_at(p, method), "value") / truth - 1);
  }
  qsort(error, (size_t)n, sizeof *error, ascending);
  return n % 2 ? error[n / 2] : (error[n / 2 - 1] + error[n / 2]) / 2;
}

static const rbv_node *method_of(const rbv_node *root, const char *method) {
  const rbv_node *list = node_at(root, "methods");
  for (int i = 0; i < rbv_node_count(list); i++)
    if (strcmp(rbv_node_text(node_at(rbv_node_at(list, i), "name")), method) == 0)
      return rbv_node_at(list, i);
  fail_msg("the demo has no method %s", method);
  return NULL;
}

static void test_all_seeds(void **state) {
  (void)state;
  double error[METHODS] = {0}, other[METHODS] = {0};
  const int first = FIRST, last = LAST, seeds = last - first + 1;
  int converged = 0;
  for (int seed = first; seed <= last; seed++) {
    outcome o = tool("demo --quick --seed %d -q --json -o d%d", seed, seed);
    assert_in_range(o.code, 0, 1);
    rbv_document *doc;
    assert_ok(rbv_document_parse(&doc, "demo", o.out, strlen(o.out)));
    const rbv_node *root = rbv_document_root(doc);
    for (int m = 0; m < METHODS; m++) {
      const rbv_node *method = method_of(root, name[m]);
      assert_null(rbv_node_find(method, "reason"));  // there is a result
      error[m] += median_error(root, name[m]) / seeds;
      other[m] += real_at(method, "validation_relative_error") / seeds;
      bool done;
      assert_ok(rbv_node_bool(&done, node_at(method, "converged")));
      converged += m == PIV && done;
    }
    rbv_document_free(doc);
    outcome_free(&o);
  }
  print_message(
      "%d of %d converged; median error: iv %.3f %%, piv %.3f %%; other motion: %.3f %%, "
      "%.3f %%\n",
      converged, seeds, 100 * error[IV], 100 * error[PIV], 100 * other[IV], 100 * other[PIV]);
  assert_int_equal(converged, seeds);
  assert_true(error[PIV] <= 0.9 * error[IV]);
  assert_true(other[PIV] <= other[IV]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_seeds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
