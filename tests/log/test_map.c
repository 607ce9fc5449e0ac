#include <math.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#include "log/log.h"

#define PI 3.14159265358979323846

static rbv_log_map *read_map(const char *text) {
  rbv_log_map *map;
  assert_ok(rbv_log_map_parse(&map, "m.yaml", text, strlen(text)));
  return map;
}

static rbv_log *read_csv(const char *text, const char *map_text) {
  rbv_log_map *map = read_map(map_text);
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", text, strlen(text), map));
  rbv_log_map_free(map);
  return log;
}

static void refuse_map(const char *text, const char *sentence) {
  rbv_log_map *map;
  assert_refused(rbv_log_map_parse(&map, "m.yaml", text, strlen(text)), RBV_EINPUT, sentence);
  assert_null(map);
}

static const char *const full_map =
    "time: {column: stamp, unit: ms}\n"
    "sensing: motor\n"
    "joints:\n"
    "  - name: shoulder\n"
    "    q: {column: pos_1, unit: deg, sign: -1, ratio: 32, offset: 0.1}\n"
    "    tau: {column: cur 1, unit: A, gain: 0.21, ratio: 32}\n"
    "  - name: elbow\n"
    "    q: pos_2\n"
    "    tau: 2\n";

static void test_everything_becomes_si(void **state) {
  (void)state;
  rbv_log *log = read_csv(
      "pos_2,trq,\"cur 1\",stamp,pos_1,heat\n1,2,3,1000,90,20\n4,5,6,1002,-45,21\n", full_map);
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const double *q1 = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  const double *tau1 = rbv_log_channel(log, RBV_CHANNEL_TORQUE, 0);
  // one rounding of the factor, one of the product
  assert_near(t[0], 1, 0, 3e-16);
  assert_near(t[1], 1.002, 0, 3e-16);
  assert_near(q1[0], -PI / 2 / 32 + 0.1, 1e-16, 0);
  assert_near(q1[1], PI / 4 / 32 + 0.1, 1e-16, 0);
  assert_near(tau1[0], 3 * 0.21 * 32, 0, 4e-16);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 1)[1] == 4);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 1)[1] == 5);

  // the conversion is described
  assert_int_equal(rbv_log_get_sensing(log), RBV_LOG_SENSING_MOTOR);
  assert_int_equal(rbv_log_joint_count(log), 2);
  assert_string_equal(rbv_log_joint_name(log, 1), "elbow");
  assert_null(rbv_log_joint_name(log, 2));
  assert_int_equal(rbv_log_column_count(log), 6);
  const rbv_log_column *c = rbv_log_column_at(log, rbv_log_find(log, "q1"));
  assert_string_equal(c->conversion,
                      "-0.000545415391248228 * pos_1 + 0.1 (unit deg, sign -1, ratio 32)");
  c = rbv_log_column_at(log, rbv_log_find(log, "tau1"));
  assert_string_equal(c->conversion, "6.72 * cur 1 (unit A, gain 0.21, ratio 32)");
  assert_string_equal(rbv_log_column_at(log, rbv_log_find(log, "q2"))->conversion, "pos_2");
  assert_string_equal(rbv_log_column_at(log, 5)->name, "heat");
  assert_null(rbv_log_column_at(log, 5)->conversion);
  assert_true(rbv_log_column_at(log, 5)->values[1] == 21);
  rbv_log_free(log);
}

static void test_every_unit(void **state) {
  (void)state;
  static const struct {
    const char *channel, *unit, *more;
    double factor;
  } cases[] = {{"q", "rad", "", 1},
               {"q", "deg", "", PI / 180},
               {"q", "turn", "", 2 * PI},
               {"q", "counts", ", counts_per_turn: 65536", 2 * PI / 65536},
               {"qr", "m", "", 1},
               {"qm", "mm", "", 1e-3},
               {"dq", "rad/s", "", 1},
               {"dq", "deg/s", "", PI / 180},
               {"dqr", "rpm", "", PI / 30},
               {"dq", "turn/s", "", 2 * PI},
               {"dq", "counts/s", ", counts_per_turn: 4096", 2 * PI / 4096},
               {"dq", "mm/s", "", 1e-3},
               {"ddq", "deg/s^2", "", PI / 180},
               {"ddqr", "m/s^2", "", 1},
               {"tau", "Nm", "", 1},
               {"taum", "mNm", "", 1e-3},
               {"tauj", "kNm", "", 1e3},
               {"tau", "N", "", 1},
               {"taum", "A", ", gain: 0.25", 0.25},
               {"tau", "mA", ", gain: 0.25, ratio: -4", -1e-3},
               {"tau", "raw", ", gain: 8", 8},
               {"q", "rad", ", ratio: -4", -0.25},
               {"q", "rad", ", sign: -1, offset: 8", 1}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    char map[200];
    snprintf(map, sizeof map, "joints: [{%s: {column: 1, unit: '%s'%s}}]\n", cases[i].channel,
             cases[i].unit, cases[i].more);
    rbv_log *log = read_csv("4,0\n8,1\n", map);
    const double want = strstr(cases[i].more, "offset") ? 4 : 4 * cases[i].factor;
    assert_near(rbv_log_column_at(log, 0)->values[0], want, 0, 5e-16);
    rbv_log_free(log);
  }
}

/* One encoder column is used for both sides of the gear. */
static void test_a_column_may_be_used_twice(void **state) {
  (void)state;
  rbv_log *log =
      read_csv("enc\n8\n16\n",
               "joints: [{q: {column: enc, ratio: 4}, qm: enc, qr: {column: enc, sign: -1}}]");
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[1] == 4);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_MOTOR_POSITION, 0)[1] == 16);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_REFERENCE_POSITION, 0)[1] == -16);
  rbv_log_free(log);
}

static void test_joints_take_the_order_of_the_robot(void **state) {
  (void)state;
  rbv_log *log = read_csv("1,2,3\n1,2,3\n", "joints: [{name: c, q: 1, tau: 2}, {name: a, q: 3}]");
  const char *const robot[] = {"a", "b", "c"};
  assert_ok(rbv_log_order_joints(log, robot, 3));
  assert_int_equal(rbv_log_joint_count(log), 3);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0] == 3);
  assert_null(rbv_log_channel(log, RBV_CHANNEL_POSITION, 1));
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 2)[0] == 1);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 2)[0] == 2);
  assert_int_equal(rbv_log_find(log, "tau3"), 1);
  assert_string_equal(rbv_log_joint_name(log, 2), "c");
  const char *const other[] = {"a", "b"};
  assert_refused(rbv_log_order_joints(log, other, 2), RBV_EINPUT,
                 "x.csv: joint 'c' of the column map is not a joint of the robot");
  rbv_log_free(log);

  // a log without joint names does not change
  log = read_csv("1,2\n1,2\n", "joints: [{q: 2}, {q: 1}]");
  assert_ok(rbv_log_order_joints(log, robot, 3));
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0] == 2);
  rbv_log_free(log);
}

static void test_maps_that_make_no_sense(void **state) {
  (void)state;
  refuse_map("[]", "m.yaml:1:1: a column map has the keys time, joints, sensing");
  refuse_map("time: t\n", "m.yaml:1:1: a column map needs a list of joints");
  refuse_map("joints: []\n", "m.yaml:1:9: a column map needs a list of joints");
  refuse_map("joints: [q1]\n", "m.yaml:1:10: a joint is a map");
  refuse_map("joints: [{}]\n", "the joint has no columns");
  refuse_map("joints: [{name: a}]\n", "the joint has no columns");
  refuse_map("joints: [{name: a, q: 1}, {q: 2}]\n", "either all joints have a name or none");
  refuse_map("joints: [{name: a, q: 1}, {name: a, q: 2}]\n",
             "m.yaml:1:34: joints 1 and 2 are both named 'a'");
  refuse_map("joints: [{q: 1}]\nsensor: motor\n", "sensor");
  refuse_map("joints: [{p: 1}]\n", "'p'");
  refuse_map("joints: [{q: {unit: deg}}]\n", "the key column is missing");
  refuse_map("joints: [{q: {column: a, unit: Nm}}]\n",
             "m.yaml:1:32: 'Nm' is not a unit for this quantity; use one of rad, deg, turn, "
             "counts, m, mm");
  refuse_map("joints: [{q: {column: a, unit: counts}}]\n", "unit counts needs counts_per_turn");
  refuse_map("joints: [{q: {column: a, counts_per_turn: 4}}]\n",
             "counts_per_turn needs unit counts or counts/s");
  refuse_map("joints: [{q: {column: a, unit: counts, counts_per_turn: -4}}]\n", "must be positive");
  refuse_map("joints: [{tau: {column: a, unit: A}}]\n", "unit A needs gain");
  refuse_map("joints: [{tau: {column: a, unit: Nm, gain: 2}}]\n",
             "gain needs unit A, mA, V or raw");
  refuse_map("joints: [{q: {column: a, gain: 2}}]\n", "gain");
  refuse_map("joints: [{q: {column: a, sign: 2}}]\n", "m.yaml:1:32: sign must be 1 or -1");
  refuse_map("joints: [{q: {column: a, ratio: 0}}]\n", "m.yaml:1:33: ratio must not be zero");
  refuse_map("joints: [{q: {column: a, ratio: x}}]\n", "m.yaml:1:33:");
  refuse_map("joints: [{qm: {column: a, ratio: 3}}]\n",
             "qm is before the gear and has no ratio; use q for the joint's side");
  refuse_map("joints: [{taum: {column: a, ratio: 3}}]\n", "use tau for the joint's side");
  refuse_map("joints: [{q: [1]}]\n", "m.yaml:1:14:");
  refuse_map("joints: [{q: ''}]\n", "the name of the column is empty");
  refuse_map("joints: [{q: 1}]\nsensing: tool\n",
             "m.yaml:2:10: sensing is motor, joint or both, not 'tool'");
  refuse_map("joints: [{q: 1, tau: 2}]\nsensing: both\n", "sensing both needs tauj");
  refuse_map("joints: [{q: 1}]\ntime: {column: t, ratio: 3}\n", "ratio");
  rbv_log_map *map;
  assert_refused(rbv_log_map_load(&map, "/nowhere/m.yaml"), RBV_EREAD, "/nowhere/m.yaml");
  assert_refused(rbv_log_map_load(NULL, "x"), RBV_EARG, "no place");
  rbv_log_map_free(NULL);
}

static void test_maps_that_do_not_fit_the_file(void **state) {
  (void)state;
  static const struct {
    const char *map, *csv, *sentence;
  } cases[] = {
      {"joints: [{q: pos}]", "a,b\n1,2\n",
       "m.yaml:1:14: x.csv has no column 'pos'; it has 'a', 'b', ..."},
      {"joints: [{q: 3}]", "a,b\n1,2\n", "m.yaml:1:14: x.csv has 2 columns, not '3'"},
      {"joints: [{q: 0}]", "1,2\n1,2\n", "x.csv has 2 columns and no names, not '0'"},
      {"joints: [{q: pos}]", "1,2\n1,2\n", "x.csv has 2 columns and no names, not 'pos'"},
      {"joints: [{q: 99999999999999999999}]", "1,2\n1,2\n", "x.csv has 2 columns"},
  };
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_log_map *map = read_map(cases[i].map);
    rbv_log *log;
    assert_refused(rbv_log_parse(&log, "x.csv", cases[i].csv, strlen(cases[i].csv), map),
                   RBV_EINPUT, cases[i].sentence);
    assert_null(log);
    rbv_log_map_free(map);
  }
}

/* The sensing that follows from the columns if the map does not state it. */
static void test_sensing_without_a_word(void **state) {
  (void)state;
  static const struct {
    const char *map;
    rbv_log_sensing want;
  } cases[] = {{"joints: [{q: 1, tau: 2}]", RBV_LOG_SENSING_UNKNOWN},
               {"joints: [{q: 1, taum: 2}]", RBV_LOG_SENSING_MOTOR},
               {"joints: [{q: 1, tauj: 2}]", RBV_LOG_SENSING_JOINT},
               {"joints: [{tau: 1, tauj: 2}]", RBV_LOG_SENSING_BOTH},
               {"{sensing: joint, joints: [{q: 1, tau: 2}]}", RBV_LOG_SENSING_JOINT}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    rbv_log *log = read_csv("1,2\n1,2\n", cases[i].map);
    assert_int_equal(rbv_log_get_sensing(log), cases[i].want);
    rbv_log_free(log);
  }
}

static rbv_status map_and_order(void *state) {
  (void)state;
  const char *const robot[] = {"elbow", "shoulder"};
  const char *csv = "pos_2,trq,cur 1,stamp,pos_1\n1,2,3,4,5\n1,2,3,5,5\n";
  rbv_log_map *map = NULL;
  rbv_log *log = NULL;
  rbv_status status = rbv_log_map_parse(&map, "m.yaml", full_map, strlen(full_map));
  if (status == RBV_OK) status = rbv_log_parse(&log, "x.csv", csv, strlen(csv), map);
  if (status == RBV_OK) status = rbv_log_order_joints(log, robot, 2);
  rbv_log_free(log);
  rbv_log_map_free(map);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(map_and_order, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_becomes_si),
      cmocka_unit_test(test_every_unit),
      cmocka_unit_test(test_a_column_may_be_used_twice),
      cmocka_unit_test(test_joints_take_the_order_of_the_robot),
      cmocka_unit_test(test_maps_that_make_no_sense),
      cmocka_unit_test(test_maps_that_do_not_fit_the_file),
      cmocka_unit_test(test_sensing_without_a_word),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
