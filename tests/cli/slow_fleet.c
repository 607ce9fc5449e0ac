/* Fifty robots: only the robots with a worn joint and with a wrong payload are outliers. */
#include <string.h>

#include "document/document.h"
#include "fleet_recordings.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static void test_fifty(void **state) {
  (void)state;
  fleet_record(&(fleet_options){.count = 50, .worn = 17, .wear = 1.3, .loaded = 31, .mass = 0.5});
  outcome o = tool("identify --fleet fleet.yaml --threads 2 --json");
  assert_int_equal(o.code, 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
  const rbv_node *list = rbv_node_find(rbv_document_root(doc), "outliers");
  bool friction = false, moment = false;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *item = rbv_node_at(list, i);
    const char *robot = rbv_node_text(rbv_node_find(item, "robot"));
    const char *parameter = rbv_node_text(rbv_node_find(item, "parameter"));
    const char *sigma = rbv_node_text(rbv_node_find(item, "differs_by_sigma"));
    print_message("%s %s %s\n", robot, parameter, sigma);
    const bool worn = strcmp(robot, "arm17") == 0, loaded = strcmp(robot, "arm31") == 0;
    assert_true(worn || loaded);
    // the worn robot differs in the friction of joint 3; the payload does not change friction
    if (worn) assert_true(strcmp(parameter, "Fv3") == 0 || strcmp(parameter, "Fc3") == 0);
    if (loaded) assert_true(parameter[0] != 'F');
    friction = friction || worn;
    moment = moment || (loaded && parameter[0] == 'M');
  }
  assert_true(friction && moment);
  rbv_document_free(doc);
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fifty)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
