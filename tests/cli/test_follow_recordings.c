/*
 * Recordings of real robots without contact: no alarm at one false alarm per hour, on the recording
 * of the identification, on a part that it did not use, on another recording of the same motion,
 * and on another motion. A model from recording 3 has errors at a wrist joint on motion 1 that its
 * own recording does not show: a change of the payload is suspected there, and no payload is found.
 * With recording 2 for the limits there is none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

static int contacts(int *changes, const char *robot, const char *result, const char *log,
                    const char *more) {
  rbv_document *doc = tool_json("follow %s %s %s --json -q %s", robot, result, log, more);
  const rbv_node *root = rbv_document_root(doc);
  const int count = (int)real_at(root, "contacts");
  *changes = (int)real_at(root, "payload_changes");
  // never a wrong payload
  text_at(node_at(root, "payload"), "state", "none");
  text_at(root, "limits_from", more[0] ? "clean" : "parts");
  print_message("%s on %s: %d contacts, %d changes of a payload, %g s\n", result, log, count,
                *changes, real_at(root, "duration_s"));
  rbv_document_free(doc);
  return count;
}

static void test_tx40(void **state) {
  (void)state;
  int changes;
  char log[512];
  snprintf(log, sizeof log, "%s", recording("staubli_tx40/tx40_motor.csv"));
  free(tool_text("identify tx40 %s -q -o all.json", log));
  assert_int_equal(contacts(&changes, "tx40", "all.json", log, ""), 0);
  assert_int_equal(changes, 0);
  // identified and calibrated on the first 5 s of 9 s
  char command[1024];
  snprintf(command, sizeof command, "head -n 25001 '%s' > '%s/first.csv'", log, temp_directory());
  assert_int_equal(system(command), 0);
  free(tool_text("identify tx40 first.csv -q -o first.json"));
  assert_int_equal(contacts(&changes, "tx40", "first.json", log, ""), 0);
  assert_int_equal(changes, 0);
}

static void test_panda(void **state) {
  (void)state;
  int changes;
  char log[512], robot[512];
  snprintf(log, sizeof log, "%s", recording("panda/panda.csv"));
  snprintf(robot, sizeof robot, "%s", recording("models/panda_nohand.urdf"));
  free(tool_text("identify %s %s --sensing joint -q -o panda.json", robot, log));
  assert_int_equal(contacts(&changes, robot, "panda.json", log, ""), 0);
  assert_int_equal(changes, 0);
}

static void test_lwr4(void **state) {
  (void)state;
  int changes;
  char log[3][512], robot[512];
  snprintf(robot, sizeof robot, "%s", recording("kuka_lwr4/kuka_lwr4.urdf"));
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "kuka_lwr4/lwr4_measurements_%d.csv", i + 1);
    snprintf(log[i], sizeof log[i], "%s", recording(name));
    snprintf(name, sizeof name, "lwr%d.json", i + 1);
    free(tool_text("identify %s %s --sensing joint -q -o %s", robot, log[i], name));
    assert_int_equal(contacts(&changes, robot, name, log[i], ""), 0);
    assert_int_equal(changes, 0);
  }
  // files 1 and 2 are the same motion, file 3 is another one
  assert_int_equal(contacts(&changes, robot, "lwr1.json", log[1], ""), 0);
  assert_int_equal(changes, 0);
  assert_int_equal(contacts(&changes, robot, "lwr2.json", log[0], ""), 0);
  assert_int_equal(changes, 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(contacts(&changes, robot, i ? "lwr2.json" : "lwr1.json", log[2], ""), 0);
    assert_int_equal(changes, 0);
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(contacts(&changes, robot, "lwr3.json", log[i], ""), 0);
    assert_int_equal(changes, 0);
  }
  char more[600];
  snprintf(more, sizeof more, "--clean %s", log[1]);
  assert_int_equal(contacts(&changes, robot, "lwr3.json", log[0], more), 0);
  assert_int_equal(changes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40),
      cmocka_unit_test(test_panda),
      cmocka_unit_test(test_lwr4),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
