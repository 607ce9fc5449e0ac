#include <stdio.h>
#include <string.h>

#include "support.h"

#include "log/log.h"

static rbv_log *load(const char *relative) {
  rbv_log *log;
  assert_ok(rbv_log_load(&log, recording(relative), NULL));
  return log;
}

static void test_tx40_joint(void **state) {
  (void)state;
  rbv_log *log = load("staubli_tx40/tx40_joint.csv");
  assert_int_equal(rbv_log_samples(log), 45000);
  assert_int_equal(rbv_log_joint_count(log), 6);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_POSITION), 6);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_TORQUE), 6);
  assert_int_equal(rbv_log_line(log, 44999), 45001);
  const rbv_log_rate r = rbv_log_get_rate(log);
  assert_true(r.regular);
  assert_near(r.period, 2e-4, 1e-15, 0);

  // two cells as in the file
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0] == 9.986875e-07);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 1)[1] == -27.01888);
  rbv_log_free(log);
}

static void test_tx40_motor(void **state) {
  (void)state;
  rbv_log *log = load("staubli_tx40/tx40_motor.csv");
  assert_int_equal(rbv_log_samples(log), 45000);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_MOTOR_POSITION), 6);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_MOTOR_TORQUE), 6);
  assert_int_equal(rbv_log_get_sensing(log), RBV_LOG_SENSING_MOTOR);
  rbv_log_free(log);
}

/* 200 Hz with steps of 3.2 to 6.8 ms: used unchanged, and not regular. */
static void test_lwr4_has_irregular_stamps(void **state) {
  (void)state;
  rbv_log *log = load("kuka_lwr4/lwr4_measurements_1.csv");
  assert_int_equal(rbv_log_samples(log), 5027);
  assert_int_equal(rbv_log_column_count(log), 36);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_ACCELERATION), 7);
  const rbv_log_rate r = rbv_log_get_rate(log);
  assert_true(r.increasing && !r.regular);
  assert_near(r.median, 5e-3, 5e-5, 0);
  assert_true(r.shortest > 3e-3 && r.longest < 7e-3);
  rbv_log_free(log);
}

/* Gear ratio of the first drive, limited by the digits of the files: 5 and 9. */
static void test_map_carries_tx40_to_the_joint(void **state) {
  (void)state;
  const char *text =
      "time: t\n"
      "sensing: motor\n"
      "joints: [{name: joint_1, q: {column: qm1, ratio: 32},\n"
      "          tau: {column: taum1, ratio: 32}, qm: qm1}]\n";
  rbv_log_map *map;
  rbv_log *motor;
  assert_ok(rbv_log_map_parse(&map, "m.yaml", text, strlen(text)));
  assert_ok(rbv_log_load(&motor, recording("staubli_tx40/tx40_motor.csv"), map));
  rbv_log_map_free(map);
  rbv_log *joint = load("staubli_tx40/tx40_joint.csv");
  const double *q = rbv_log_channel(motor, RBV_CHANNEL_POSITION, 0);
  const double *tau = rbv_log_channel(motor, RBV_CHANNEL_TORQUE, 0);
  const double *q_joint = rbv_log_channel(joint, RBV_CHANNEL_POSITION, 0);
  const double *tau_joint = rbv_log_channel(joint, RBV_CHANNEL_TORQUE, 0);
  for (ptrdiff_t k = 0; k < rbv_log_samples(motor); k++) {
    assert_near(q[k], q_joint[k], 0, 1e-8);
    assert_near(tau[k], tau_joint[k], 0, 1e-8);
  }
  assert_ok(rbv_log_require(motor, 1000));
  rbv_log_free(motor);
  rbv_log_free(joint);
}

/* The recordings have no defects, except those in their notes: no secondary encoders on axes 4
 * to 6. */
static void test_defects_of_the_recordings(void **state) {
  (void)state;
  static const struct {
    const char *path;
    int constant;
  } cases[] = {{"staubli_tx40/tx40_joint.csv", 0},
               {"staubli_tx40/tx40_motor.csv", 0},
               {"kuka_lwr4/lwr4_measurements_2.csv", 0},
               {"kuka_kr300/kr300_traj_A.csv", 6}};
  for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
    rbv_log *log = load(cases[i].path);
    for (int kind = 0; kind <= RBV_DEFECT_ZERO_TORQUE; kind++) {
      rbv_defect_list list;
      assert_ok(rbv_log_scan(&list, log, (rbv_defect_kind)kind));
      assert_int_equal(list.count, kind == RBV_DEFECT_CONSTANT ? cases[i].constant : 0);
      rbv_defect_list_free(&list);
    }
    rbv_log_free(log);
  }
}

/* A saved log reads back bit for bit. */
static void test_tx40_saved_and_read_again(void **state) {
  (void)state;
  rbv_log *log = load("staubli_tx40/tx40_joint.csv"), *again;
  char path[300];
  strcpy(path, temp_file("again.csv", NULL));
  assert_ok(rbv_log_save(log, path));
  assert_ok(rbv_log_load(&again, path, NULL));
  for (int j = 0; j < rbv_log_column_count(log); j++)
    assert_memory_equal(rbv_log_column_at(log, j)->values, rbv_log_column_at(again, j)->values,
                        sizeof(double) * (size_t)rbv_log_samples(log));
  rbv_log_free(again);
  rbv_log_free(log);
}

/* no row of a real recording is corrupt */
static void test_no_bad_rows(void **state) {
  (void)state;
  char kr300[2048] = "time: t\njoints:\n";
  for (int j = 1; j <= 6; j++)
    snprintf(kr300 + strlen(kr300), sizeof kr300 - strlen(kr300),
             "  - {q: q_mot%d, tau: tau_mot%d}\n", j, j);
  const char *const emps = "time: t\njoints:\n  - {q: qm, tau: vir}\n";
  const struct {
    const char *file, *map;
  } logs[] = {
      {"staubli_tx40/tx40_joint.csv", NULL},       {"staubli_tx40/tx40_motor.csv", NULL},
      {"kuka_lwr4/lwr4_measurements_1.csv", NULL}, {"kuka_lwr4/lwr4_measurements_2.csv", NULL},
      {"kuka_lwr4/lwr4_measurements_3.csv", NULL}, {"panda/panda.csv", NULL},
      {"kuka_kr300/kr300_traj_A.csv", kr300},      {"kuka_kr300/kr300_traj_B.csv", kr300},
      {"kuka_kr300/kr300_traj_C.csv", kr300},      {"emps/emps.csv", emps}};
  for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
    rbv_log_map *map = NULL;
    if (logs[i].map) assert_ok(rbv_log_map_parse(&map, "m.yaml", logs[i].map, strlen(logs[i].map)));
    rbv_log *log;
    assert_ok(rbv_log_load(&log, recording(logs[i].file), map));
    rbv_bad_rows bad;
    assert_ok(rbv_log_find_bad_rows(&bad, log, NULL));
    if (bad.count > 0) fail_msg("%s has %d bad values", logs[i].file, bad.count);
    rbv_bad_rows_free(&bad);
    rbv_log_free(log);
    rbv_log_map_free(map);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_joint),
      cmocka_unit_test(test_tx40_motor),
      cmocka_unit_test(test_lwr4_has_irregular_stamps),
      cmocka_unit_test(test_map_carries_tx40_to_the_joint),
      cmocka_unit_test(test_defects_of_the_recordings),
      cmocka_unit_test(test_tx40_saved_and_read_again),
      cmocka_unit_test(test_no_bad_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
