/* The report of the recorded TX40: figures and verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

static void test_tx40(void **state) {
  (void)state;
  char log[1024];
  strcpy(log, recording("staubli_tx40/tx40_joint.csv"));
  free(tool_text("identify tx40 '%s' --holdout 0.3333 -q -o r.json --report r.html", log));
  rbv_document *doc = tool_json("report r.json -o again.html --json -q");
  const rbv_node *root = rbv_document_root(doc);
  // 1.0 MB with the script; more than 3 MB would be slow to open
  assert_true(real_at(root, "bytes") < 3e6);
  text_at(root, "verdict", "with care");
  rbv_document_free(doc);
  size_t size;
  char *page = read_text(temp_file("r.html", NULL), &size);
  // six joints: torques of fit and of what was held out
  for (int i = 1; i <= 6; i++) {
    static const char *const kind[] = {"torque-fit", "torque-validation", "residual-fit",
                                       "histogram",  "autocorrelation",   "velocity",
                                       "friction"};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
      char id[64];
      snprintf(id, sizeof id, "id=\"figure-%s-%d\"", kind[k], i);
      if (!strstr(page, id)) fail_msg("no %s", id);
    }
  }
  assert_non_null(strstr(page, "id=\"figure-differentiator-gain\""));
  assert_non_null(strstr(page, "id=\"figure-correlation\""));
  free(page);
}

/* the URDF of the recordings as prior: its link 6 has no inertia */
static void test_urdf(void **state) {
  (void)state;
  char log[1024], urdf[1024];
  strcpy(log, recording("staubli_tx40/tx40_joint.csv"));
  strcpy(urdf, recording("staubli_tx40/tx40_mdh_modified.urdf"));
  outcome o = tool("identify '%s' '%s' --holdout 0.3333 --prior robot --report u.html", urdf, log);
  assert_true(o.code <= 1);
  // without the coupling of joints 5 and 6 the residual is large and coloured: sigma is too large
  // for a contradiction between prior and data
  assert_null(strstr(o.err, "The prior contradicts the data"));
  outcome_free(&o);
  size_t size;
  char *page = read_text(temp_file("u.html", NULL), &size);
  assert_non_null(strstr(page, "The URDF has physically impossible values for the link"));
  assert_non_null(strstr(page, "data-rule=\"urdf\""));
  assert_non_null(strstr(page, "The URDF has physically impossible values"));
  assert_non_null(strstr(page, "The prior agrees with the data in all "));
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tx40), cmocka_unit_test(test_urdf)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
