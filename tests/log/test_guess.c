/*
 * Column maps that are guessed. Each style is a header as a driver, a tool or a person writes it.
 * The recording is read with the guessed map, and every value must be that of the right column:
 * a wrong guess fails here even if the map looks right.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/log.h>

#include "base/support.h"
#include "support.h"

#define ROWS 30
#define MOST_COLUMNS 64

static const char *const ur[] = {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint",
                                 "wrist_1_joint",      "wrist_2_joint",       "wrist_3_joint"};
static const char *const ur_short[] = {"shoulder_pan", "shoulder_lift", "elbow",
                                       "wrist_1",      "wrist_2",       "wrist_3"};
static const char *const panda[] = {"panda_joint1", "panda_joint2", "panda_joint3", "panda_joint4",
                                    "panda_joint5", "panda_joint6", "panda_joint7"};
static const char *const single[] = {"joint"};

/* joint_states are sorted by name: the elbow comes first */
static const int ros_order[] = {2, 1, 0, 3, 4, 5};

typedef struct {
  const char *pattern;  // %s: name of the joint, %d: its number; without both: one column
  rbv_channel channel;  // that it is; RBV_CHANNEL_OTHER: it must not be used
  double factor;        // of the values in SI units; 0: 1
} column_group;

typedef struct {
  const char *title;
  const char *const *joints;
  int n;
  const char *const *names;  // of the columns; NULL: those of the joints
  const int *order;          // of the joints in the file; NULL: as in the robot
  int first;                 // number of the first joint
  double time;               // factor from the column of time to seconds
  column_group groups[10];
} style;

#define T(p) \
  { p, RBV_CHANNEL_TIME, 0 }
#define Q(p) \
  { p, RBV_CHANNEL_POSITION, 0 }
#define DQ(p) \
  { p, RBV_CHANNEL_VELOCITY, 0 }
#define TAU(p) \
  { p, RBV_CHANNEL_TORQUE, 0 }
#define TAUJ(p) \
  { p, RBV_CHANNEL_JOINT_TORQUE, 0 }
#define QR(p) \
  { p, RBV_CHANNEL_REFERENCE_POSITION, 0 }
#define DQR(p) \
  { p, RBV_CHANNEL_REFERENCE_VELOCITY, 0 }
#define NO(p) \
  { p, RBV_CHANNEL_OTHER, 0 }
#define DEG (RBV_PI / 180)

static const style styles[] = {
    {"joint name and quantity",
     ur,
     6,
     NULL,
     ros_order,
     0,
     1,
     {T("time"), Q("%s_position"), DQ("%s_velocity"), TAU("%s_effort")}},
    {"PlotJuggler, with an index of pandas",
     ur,
     6,
     NULL,
     ros_order,
     0,
     1,
     {NO(""), T("__time"), Q("/joint_states/position[%s]"), DQ("/joint_states/velocity[%s]"),
      TAU("/joint_states/effort[%s]")}},
    {"quantity and joint, with dots",
     ur,
     6,
     NULL,
     NULL,
     0,
     1,
     {T("t"), Q("position.%s"), TAU("torque.%s")}},
    {"without the suffix that the names share",
     ur,
     6,
     ur_short,
     NULL,
     0,
     1e-3,
     {T("time_ms"), Q("%s_pos"), DQ("%s_vel"), TAU("%s_trq")}},
    {"camel case", ur, 6, ur_short, NULL, 0, 1, {T("Time"), Q("%s Position"), TAU("%s Torque")}},
    {"numbers from 0", ur, 6, NULL, NULL, 0, 1, {T("t"), Q("q_%d"), DQ("dq_%d"), TAU("tau_%d")}},
    {"RTDE of Universal Robots",
     ur,
     6,
     NULL,
     NULL,
     0,
     1,
     {T("timestamp"), QR("target_q_%d"), DQR("target_qd_%d"), Q("actual_q_%d"), DQ("actual_qd_%d"),
      NO("actual_current_%d"), TAU("actual_torque_%d"), NO("joint_temperatures_%d")}},
    {"libfranka",
     panda,
     7,
     NULL,
     NULL,
     0,
     1e-3,
     {T("time [ms]"), Q("q[%d]"), QR("q_d[%d]"), DQ("dq[%d]"), DQR("dq_d[%d]"), TAUJ("tau_J[%d]"),
      NO("tau_J_d[%d]"), NO("dtau_J[%d]"), NO("tau_ext_hat_filtered[%d]")}},
    {"numbers from 1, seven joints",
     panda,
     7,
     NULL,
     NULL,
     1,
     1,
     {T("time"), Q("joint%d_pos"), DQ("joint%d_vel"), TAU("joint%d_torque")}},
    {"rostopic echo -p",
     ur,
     6,
     NULL,
     NULL,
     0,
     1e-9,
     {T("%%time"), NO("field.header.seq"), Q("field.position%d"), DQ("field.velocity%d"),
      TAU("field.effort%d")}},
    {"trajectory controller",
     ur,
     6,
     NULL,
     NULL,
     0,
     1,
     {T("time"), QR("/jtc/state.reference.positions[%s]"), Q("/jtc/state.feedback.positions[%s]"),
      NO("/jtc/state.error.positions[%s]"), DQ("/jtc/state.feedback.velocities[%s]"),
      TAU("/jtc/state.feedback.effort[%s]")}},
    {"degrees and units in the names",
     panda,
     7,
     NULL,
     NULL,
     1,
     1e-9,
     {T("stamp [ns]"),
      {"joint_a%d_position [deg]", RBV_CHANNEL_POSITION, DEG},
      {"joint_a%d_torque [mNm]", RBV_CHANNEL_TORQUE, 1e-3}}},
    {"unit words",
     ur,
     6,
     NULL,
     NULL,
     1,
     1,
     {T("time_s"), {"axis%d_angle_deg", RBV_CHANNEL_POSITION, DEG}, TAU("axis%d_torque_Nm")}},
    {"measured and commanded",
     panda,
     7,
     NULL,
     NULL,
     1,
     1,
     {T("time"), QR("cmd_pos_%d"), Q("meas_pos_%d"), NO("cmd_tau_%d"), TAU("meas_tau_%d")}},
    {"FRI of KUKA",
     panda,
     7,
     NULL,
     NULL,
     1,
     1e-6,
     {T("timestamp_us"), Q("measuredJointPosition_%d"), TAU("measuredTorque_%d"),
      NO("externalTorque_%d"), QR("commandedJointPosition_%d")}},
    {"one joint", single, 1, NULL, NULL, 0, 1, {T("time"), Q("position"), TAU("torque")}},
    {"present position of a servo",
     ur,
     6,
     NULL,
     NULL,
     1,
     1,
     {T("timestamp"), Q("current_position_%d"), DQ("current_velocity_%d"), TAU("load_torque_%d"),
      QR("goal_position_%d")}},
    {"names of this library without t",
     ur,
     6,
     NULL,
     NULL,
     1,
     1,
     {T("time"), Q("q%d"), DQ("dq%d"), TAU("tau%d")}},
};

/* ---- writing and reading one style ---- */

static double value(int column, int row) { return column + 0.125 * row; }

static void name_of(char out[120], const style *s, const column_group *g, int joint) {
  if (strstr(g->pattern, "%s"))
    snprintf(out, 120, g->pattern, s->names ? s->names[joint] : s->joints[joint]);
  else
    snprintf(out, 120, g->pattern, s->first + joint);
}

static int width(const style *s, const column_group *g) {
  return strstr(g->pattern, "%s") || strstr(g->pattern, "%d") ? s->n : 1;
}

/* Write the file; where[i] is the column of channel and joint i. */
static const char *write_style(int where[RBV_CHANNEL_OTHER + 1][10], double *factor,
                               const style *s) {
  static char text[200000];
  char name[120];
  int column = 0, time = -1;
  size_t n = 0;
  for (int g = 0; s->groups[g].pattern; g++)
    for (int k = 0; k < width(s, &s->groups[g]); k++, column++) {
      const int joint = s->order ? s->order[k] : k;
      const int at = width(s, &s->groups[g]) == 1 ? 0 : joint;
      name_of(name, s, &s->groups[g], at);
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", column ? "," : "", name);
      if (s->groups[g].channel == RBV_CHANNEL_TIME) time = column;
      where[s->groups[g].channel][at] = column;
      factor[s->groups[g].channel] = s->groups[g].factor > 0 ? s->groups[g].factor : 1;
    }
  n += (size_t)snprintf(text + n, sizeof text - n, "\n");
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < column; c++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%.17g", c ? "," : "",
                            c == time ? 0.002 * r / s->time : value(c, r));
    n += (size_t)snprintf(text + n, sizeof text - n, "\n");
  }
  return temp_file("style.csv", text);
}

/* True if the map is right; a sentence says why not. */
static bool is_right(const style *s) {
  int where[RBV_CHANNEL_OTHER + 1][10];
  double factor[RBV_CHANNEL_OTHER + 1];
  for (int c = 0; c <= RBV_CHANNEL_OTHER; c++)
    for (int j = 0; j < 10; j++) where[c][j] = -1;
  const char *path = write_style(where, factor, s);
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(&g, path, s->joints, s->n, 0));
  bool right = g->map && g->nambiguous == 0 && g->nmissing == 0;
  if (!right)
    print_message("%s: %s\n", s->title,
                  g->nambiguous ? g->ambiguous[0]
                  : g->nmissing ? g->missing[0]
                                : "no map");
  rbv_log *log = NULL;
  if (right) assert_ok(rbv_log_load(&log, path, g->map));
  for (int c = 0; c < RBV_CHANNEL_OTHER && right; c++)
    for (int j = 0; j < (c == RBV_CHANNEL_TIME ? 1 : s->n); j++) {
      const double *x = rbv_log_channel(log, (rbv_channel)c, j);
      const int column = where[c][j];
      if ((x != NULL) != (column >= 0)) {
        print_message("%s: %s%d %s\n", s->title, rbv_channel_name((rbv_channel)c), j + 1,
                      x ? "was invented" : "was not found");
        right = false;
        break;
      }
      if (!x) continue;
      const double want = c == RBV_CHANNEL_TIME ? 0.002 * 7 : value(column, 7) * factor[c];
      // the conversions round twice
      if (!(fabs(x[7] - want) <= 1e-15 * fabs(want) * 4)) {
        print_message("%s: %s%d is %g, not %g\n", s->title, rbv_channel_name((rbv_channel)c), j + 1,
                      x[7], want);
        // a wrong value that is not reported is the failure that must never happen
        fail_msg("%s: a wrong column was read", s->title);
      }
    }
  rbv_log_free(log);
  rbv_log_guess_free(g);
  return right;
}

static void test_styles(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(styles); i++) assert_true(is_right(&styles[i]));
}

/* ---- text columns that name the joints ---- */

static void test_names_in_text(void **state) {
  (void)state;
  // rostopic echo -p with the names as text, the elbow first
  const char *path = temp_file("labels.csv",
                               "%time,field.name0,field.name1,field.position0,field.position1,"
                               "field.effort0,field.effort1\n"
                               "1000000,elbow,shoulder,1,2,3,4\n"
                               "3000000,elbow,shoulder,1.5,2.5,3.5,4.5\n");
  static const char *const joints[] = {"shoulder", "elbow"};
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(&g, path, joints, 2, 0));
  assert_non_null(g->map);
  assert_int_equal(g->nambiguous, 0);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, g->map));
  assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0], 2, 0, 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, 1)[0], 1, 0, 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 0)[1], 4.5, 0, 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_TIME, -1)[1], 0.003, 1e-18, 0);
  rbv_log_free(log);
  rbv_log_guess_free(g);
}

static void test_echo_without_header(void **state) {
  (void)state;
  // ros2 topic echo --csv /joint_states: sec, nanosec, frame, names, positions, velocities, efforts
  const char *path = temp_file("echo.csv",
                               "10,500000000,,elbow,shoulder,1,2,0.1,0.2,30,40\n"
                               "10,502000000,,elbow,shoulder,1.5,2.5,0.1,0.2,31,41\n"
                               "10,504000000,,elbow,shoulder,1.6,2.6,0.1,0.2,32,42\n");
  static const char *const joints[] = {"shoulder", "elbow"};
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(&g, path, joints, 2, 0));
  assert_non_null(g->map);
  assert_int_equal(g->nambiguous + g->nmissing, 0);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, g->map));
  assert_int_equal(rbv_log_samples(log), 3);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0], 2, 0, 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_VELOCITY, 1)[0], 0.1, 0, 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 1)[2], 32, 0, 0);
  assert_near(rbv_log_channel(log, RBV_CHANNEL_TIME, -1)[1], 10.502, 1e-15, 0);
  rbv_log_free(log);
  rbv_log_guess_free(g);
}

/* ---- what is ambiguous or missing ---- */

typedef struct {
  const char *header;
  const char *sentence;
  bool ambiguous;
} doubt;

static void test_doubts(void **state) {
  (void)state;
  static const char *const two[] = {"joint1", "joint2"};
  static const doubt doubts[] = {
      {"t,left_pos_1,left_pos_2,right_pos_1,right_pos_2,tau1,tau2", "can both be q of the joints",
       true},
      {"time,joint0_pos,joint1_pos,joint2_pos,tau1,tau2", "is the first joint number 0 or number 1",
       true},
      {"time,motor_position_1,motor_position_2,tau1,tau2", "before the gear", true},
      {"time,q_1 [furlong],q_2 [furlong],tau1,tau2", "the unit 'furlong'", true},
      {"time,pos_1,pos_2,current_1,current_2", "are currents", false},
      {"time,pos_1,pos_2", "no torques of the 2 joints", false},
      {"pos_1,pos_2,effort_1,effort_2", "no column of time", false},
      {"time,joint1_pos,effort_1,effort_2", "no positions of the 2 joints", false},
  };
  for (int i = 0; i < RBV_COUNT(doubts); i++) {
    char text[400];
    int n = snprintf(text, sizeof text, "%s\n", doubts[i].header), columns = 1;
    for (const char *p = doubts[i].header; *p; p++) columns += *p == ',';
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < columns; c++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%g%s", 0.002 * r,
                      c < columns - 1 ? "," : "\n");
    // the columns without time are constant, so that none of them can be a clock
    if (strncmp(doubts[i].header, "pos_1", 5) == 0)
      snprintf(text, sizeof text, "%s\n1,1,1,1\n1,1,1,1\n", doubts[i].header);
    rbv_log_guess *g;
    assert_ok(rbv_log_guess_columns(&g, temp_file("doubt.csv", text), two, 2, 0));
    char *const *list = doubts[i].ambiguous ? g->ambiguous : g->missing;
    const int count = doubts[i].ambiguous ? g->nambiguous : g->nmissing;
    bool found = false;
    for (int k = 0; k < count; k++) found |= strstr(list[k], doubts[i].sentence) != NULL;
    if (!found) fail_msg("%s: %s", doubts[i].header, count ? list[0] : "nothing is said");
    rbv_log_guess_free(g);
  }
}

static void test_usual_names_need_no_map(void **state) {
  (void)state;
  static const char *const two[] = {"a", "b"};
  static const char *const headers[] = {"t,q1,q2,tau1,tau2\n0,1,2,3,4\n1,1,2,3,4\n",
                                        "t,q1,q2,qr1,qr2,tau1,tau2\n0,1,2,3,4,5,6\n",
                                        "t,q1,tau1\n0,1,2\n1,2,3\n"};
  for (int i = 0; i < RBV_COUNT(headers); i++) {
    rbv_log_guess *g;
    assert_ok(rbv_log_guess_columns(&g, temp_file("usual.csv", headers[i]), two, 2, 0));
    assert_true(g->standard);
    assert_null(g->map);
    rbv_log_guess_free(g);
  }
}

static rbv_status guess(void *state) {
  static const char *const joints[] = {"shoulder", "elbow"};
  rbv_log_guess *g;
  const rbv_status status = rbv_log_guess_columns(&g, state, joints, 2, 0);
  if (status == RBV_OK) rbv_log_guess_free(g);
  return status;
}

static void test_failing_allocations(void **state) {
  (void)state;
  char path[300];
  snprintf(path, sizeof path, "%s",
           temp_file("fail.csv",
                     "time,elbow_pos,shoulder_pos,elbow_effort,shoulder_effort,note,motor_pos_1,"
                     "motor_pos_2,q_1 [x],q_2 [x]\n0,1,2,3,4,yes,1,2,3,4\n1,1,2,3,4,no,1,2,3,4\n"));
  fail_each_allocation(guess, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_styles),
      cmocka_unit_test(test_names_in_text),
      cmocka_unit_test(test_echo_without_header),
      cmocka_unit_test(test_doubts),
      cmocka_unit_test(test_usual_names_need_no_map),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
