/*
 * The advice to record with a second set of gains, on recorded robots: none where torques are
 * there, and given if their columns are left out of the column map.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "tool.h"

#define WORDS "two sets of gains"

static bool advised(const char *robot, const char *log, const char *map) {
  outcome o = tool("check %s '%s' --map %s", robot, log, map);
  const bool found = strstr(o.out, WORDS) || strstr(o.err, WORDS);
  outcome_free(&o);
  return found;
}

static void test_recordings(void **state) {
  (void)state;
  static const char *const names[] = {"kuka_kr300/kr300_traj_A.csv", "kuka_kr300/kr300_traj_B.csv",
                                      "kuka_kr300/kr300_traj_C.csv", "emps/emps.csv"};
  char robot[1200], with[1024] = "time: t\njoints:\n", without[1024], log[1024];
  strcpy(without, with);
  for (int j = 1; j <= 6; j++) {
    snprintf(with + strlen(with), sizeof with - strlen(with),
             "  - {q: q_mot%d, qr: q_ref%d, tau: tau_mot%d}\n", j, j, j);
    snprintf(without + strlen(without), sizeof without - strlen(without),
             "  - {q: q_mot%d, qr: q_ref%d}\n", j, j);
  }
  snprintf(robot, sizeof robot, "name: kr300\nurdf: %s\n",
           recording("kuka_kr300/kr300_weigand2021.urdf"));
  temp_file("kr300.yaml", robot);
  temp_file("kr300_with.yaml", with);
  temp_file("kr300_without.yaml", without);
  temp_file("emps.yaml",
            "joints:\n"
            "  - {name: carriage, type: prismatic, origin: {xyz: [0, 0, 0], rpy: [0, pi/2, 0]},\n"
            "     axis: [0, 0, 1], drive: [Fv, Fc, off]}\n");
  temp_file("emps_with.yaml", "time: t\njoints: [{q: qm, qr: qg, tau: vir}]\n");
  temp_file("emps_without.yaml", "time: t\njoints: [{q: qm, qr: qg}]\n");
  int found = 0, wrong = 0;
  for (int i = 0; i < 4; i++) {
    strcpy(log, recording(names[i]));
    found += advised(i < 3 ? "kr300.yaml" : "emps.yaml", log,
                     i < 3 ? "kr300_without.yaml" : "emps_without.yaml");
    wrong += advised(i < 3 ? "kr300.yaml" : "emps.yaml", log,
                     i < 3 ? "kr300_with.yaml" : "emps_with.yaml");
  }
  print_message("advice for %d of 4 recordings without torques, for %d of 4 with torques\n", found,
                wrong);
  assert_int_equal(found, 4);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_recordings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
