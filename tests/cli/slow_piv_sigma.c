/* The sigma of piv: its ratio to the spread of the estimates, and its coverage, in 100 runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define RUNS (getenv("RUNS") ? atoi(getenv("RUNS")) : 100)

static void study(const char *mode, int seed) {
  rbv_document *doc = tool_json(
      "montecarlo tx40 --mode %s --methods piv --differentiate irw --runs %d --seed %d --threads 2 "
      "--validate none -q --json",
      mode, RUNS, seed);
  const rbv_node *m = rbv_node_at(node_at(rbv_document_root(doc), "methods"), 0);
  const double ratio = real_at(m, "sigma_over_spread_median"), coverage = real_at(m, "coverage");
  print_message("%s: sigma over spread %.3f, coverage %.1f %%\n", mode, ratio, 100 * coverage);
  assert_true(real_at(m, "converged") == RUNS);
  // Student's factor of 20 blocks is 1.07
  assert_true(ratio >= 0.8 && ratio <= 1.25);
  assert_true(coverage >= 0.9 && coverage <= 0.98);
  rbv_document_free(doc);
}

/* the encoder of the recording has 3600 counts; the controller sees exact positions */
static void test_offline(void **state) {
  (void)state;
  study("offline", 31);
}

/* the controller sees the encoder, too */
static void test_inloop(void **state) {
  (void)state;
  study("inloop", 31);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_offline),
      cmocka_unit_test(test_inloop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
