/* piv on EMPS, whose residual is mainly friction that the model lacks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "emps_files.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static const struct {
  const char *name;
  double value;
} published[] = {{"M1R", 95.1089}, {"Fv1", 203.5034}, {"Fc1", 20.3935}, {"off1", -3.1648}};

/*
 * EMPS: what the model leaves is friction that it lacks, at low frequencies. The filter that
 * whitens it must not turn the pauses of the motion into steps of the noise (Fc was 6 instead of
 * 20.4 N then, and the noise model did not hold). The largest difference from the published values
 * is that of the offset, 1.6 % or 0.2 sigma.
 */
static void test_piv_gives_the_published_values(void **state) {
  (void)state;
  temp_file("emps.yaml",
            "joints:\n"
            "  - {type: prismatic, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}}\n");
  write_emps_files();
  rbv_document *doc = tool_json(
      "identify emps.yaml '%s' --map map.yaml --controller loop.yaml -m piv --gamma 1e5 -q --json",
      recording("emps/emps.csv"));
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "estimate.method", "piv");
  const rbv_node *list = node_at(root, "estimate.parameters");
  for (int k = 0; k < 4; k++) {
    const rbv_node *p = rbv_node_at(list, k);
    text_at(p, "name", published[k].name);
    assert_near(real_at(p, "value"), published[k].value, 0, 0.02);
  }
  rbv_document_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_piv_gives_the_published_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
