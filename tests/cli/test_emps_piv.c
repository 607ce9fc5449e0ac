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

/*
 * A cut-off far below the motion: its rows lack what the torque has above it. The share that the
 * low-pass takes is a property of the recording: 39 % at 9 Hz, 13 % at 20 Hz; 20 % is the limit.
 */
static void test_low_cut_off_is_named(void **state) {
  (void)state;
  const char *how =
      "--map map.yaml --controller loop.yaml -m piv --gamma 1e5 --unchecked --json -v";
  static const struct {
    int cutoff_hz;
    bool named;
  } cases[] = {{9, true}, {20, false}};
  for (int i = 0; i < 2; i++) {
    outcome o = tool("identify emps.yaml '%s' %s --cutoff %d", recording("emps/emps.csv"), how,
                     cases[i].cutoff_hz);
    assert_int_equal(o.code, 0);
    assert_true((strstr(o.err, "of the acceleration of ") != NULL) == cases[i].named);
    assert_true((strstr(o.out, "\"cut-off\"") != NULL) == cases[i].named);
    outcome_free(&o);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_piv_gives_the_published_values),
      cmocka_unit_test(test_low_cut_off_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
