/*
 * Column maps that are guessed. Each style is a header as a driver, a tool or a person writes it.
 * The recording is read with the guessed map, and every value must be that of the right column:
 * a wrong guess fails here even if the map looks right.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

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
  column_group groups[14];
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
    {"German words",
     ur,
     6,
     NULL,
     NULL,
     0,
     1,
     {T("Zeit"), Q("Ist-Position %s"), QR("Soll-Position %s"), DQ("Geschwindigkeit %s"),
      TAU("Drehmoment %s")}},
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

/*
 * Headers that other people's programs write, as their sources and documents in public repositories
 * have them. Where the file does not contain what an identification needs, the guess must say so:
 * a column must never be taken for something else.
 */
static const char *const so101[] = {"shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex",
                                    "wrist_roll"};
static const char *const numbered[] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                       "joint_5", "joint_6", "joint_7"};
#define DDQ(p) \
  { p, RBV_CHANNEL_ACCELERATION, 0 }
#define DDQR(p) \
  { p, RBV_CHANNEL_REFERENCE_ACCELERATION, 0 }

typedef struct {
  const char
      *says;  // NULL: everything must be found; else what is reported as missing or ambiguous
  style style;
} foreign_style;

static const foreign_style foreign[] = {
    {NULL,
     {.title = "libfranka, logger of the robot state (2017)",
      .joints = panda,
      .n = 7,
      .time = 1e-3,
      .groups = {T("duration"), NO("success rate"), Q("q[%d]"), QR("q_d[%d]"), DQ("dq[%d]"),
                 DQR("dq_d[%d]"), TAUJ("tau_J[%d]"), NO("tau_ext_hat_filtered[%d]")}}},
    {NULL,
     {.title = "libfranka, log of states and commands",
      .joints = panda,
      .n = 7,
      .time = 1e-3,
      .groups = {T("time"), NO("state.control_command_success_rate"), Q("state.q[%d]"),
                 QR("state.q_d[%d]"), DQ("state.dq[%d]"), DQR("state.dq_d[%d]"),
                 TAUJ("state.tau_J[%d]"), NO("state.tau_ext_hat_filtered[%d]"), NO("cmd.q_d[%d]"),
                 NO("cmd.dq_d[%d]"), NO("cmd.tau_J_d[%d]")}}},
    {"no positions",
     {.title = "pyfri of the LBR stack",
      .joints = panda,
      .n = 7,
      .first = 1,
      .time = 1,
      .groups = {NO("index"), T("time"), NO("record_time_nsec"), NO("tsec"), NO("tnsec"), Q("mp%d"),
                 NO("ip%d"), TAU("mt%d"), NO("et%d"), NO("dt")}}},
    {"no torques",
     {.title = "a recorder of UR's RTDE: tq is the target position",
      .joints = ur,
      .n = 6,
      .time = 1,
      .groups = {T("pc_ts"), NO("runtime_state"), NO("speed_scaling"), Q("q_%d"), DQ("qd_%d"),
                 QR("tq_%d"), DQR("tqd_%d"), NO("tcp_%d"), NO("tcps_%d"), NO("tcpf_%d")}}},
    {NULL,
     {.title = "a server for KUKA: measured and external torque",
      .joints = panda,
      .n = 7,
      .time = 1,
      .groups = {T("timestamp"), Q("actual_q_%d"), QR("target_q_%d"), TAU("measured_tq_%d"),
                 NO("external_tq_%d")}}},
    {"current",
     {.title = "record.py of UR's RTDE client",
      .joints = ur,
      .n = 6,
      .time = 1,
      .groups = {T("timestamp"), QR("target_q_%d"), DQR("target_qd_%d"), DDQR("target_qdd_%d"),
                 NO("target_current_%d"), NO("target_moment_%d"), Q("actual_q_%d"),
                 DQ("actual_qd_%d"), NO("actual_current_%d"), NO("joint_control_output_%d"),
                 NO("actual_TCP_pose_%d"), NO("actual_TCP_speed_%d"), NO("actual_TCP_force_%d")}}},
    {NULL,
     {.title = "bag to CSV with joint and quantity",
      .joints = numbered,
      .n = 7,
      .first = 1,
      .time = 1,
      .groups = {T("timestamp"), Q("%s_pos"), DQ("%s_vel"), TAU("%s_effort")}}},
    {NULL,
     {.title = "bagpy",
      .joints = ur,
      .n = 6,
      .time = 1,
      .groups = {T("Time"), NO("header.seq"), NO("header.stamp.secs"), NO("header.stamp.nsecs"),
                 Q("position_%d"), DQ("velocity_%d"), TAU("effort_%d")}}},
    {NULL,
     {.title = "PlotJuggler, joint states",
      .joints = ur,
      .n = 6,
      .order = ros_order,
      .time = 1,
      .groups = {T("__time"), NO("/joint_states/header/seq"), NO("/joint_states/header/stamp"),
                 Q("/joint_states/%s/position"), DQ("/joint_states/%s/velocity"),
                 TAU("/joint_states/%s/effort")}}},
    {NULL,
     {.title = "an SDK of ARX arms",
      .joints = numbered,
      .n = 6,
      .first = 1,
      .time = 1,
      .groups = {T("time_s"), QR("q_cmd_%d"), DQR("dq_cmd_%d"), DDQR("ddq_cmd_%d"), Q("q_%d"),
                 DQ("dq_%d"), TAU("tau_meas_%d")}}},
    {"no positions",
     {.title = "a logger of MuJoCo: command, angle, force",
      .joints = panda,
      .n = 7,
      .time = 1,
      .groups = {T("time"), NO("%s_cmd"), NO("%s_act"), TAU("%s_force")}}},
    {"no column of time",
     {.title = "joint space of a legged robot, without time",
      .joints = numbered,
      .n = 6,
      .first = 1,
      .time = 1,
      .groups = {Q("q_%d"), DQ("dq_%d"), DDQ("ddq_%d"), TAU("Tau_%d")}}},
    {NULL,
     {.title = "ODrive with units in the names",
      .joints = numbered,
      .n = 2,
      .first = 1,
      .time = 1,
      .groups = {T("time_s"), NO("cmd_tau_%d_Nm"), Q("pos_%d_rad"), NO("iq_%d_A"),
                 TAU("tau_meas_%d_Nm")}}},
    {NULL,
     {.title = "Raven II",
      .joints = ur,
      .n = 6,
      .time = 1,
      .groups = {T("time"), Q("jpos%d"), NO("runlevel"), DQ("jvel%d"), TAU("tau%d")}}},
    {"no torques",
     {.title = "LeRobot, as a table",
      .joints = so101,
      .n = 5,
      .time = 1,
      .groups = {T("timestamp"), NO("frame_index"), NO("episode_index"), NO("index"),
                 NO("task_index"), QR("action.%s.pos"), Q("observation.state.%s.pos")}}},
    {"no positions",
     {.title = "measured and predicted torques only",
      .joints = panda,
      .n = 7,
      .first = 1,
      .time = 1,
      .groups = {T("time"), TAU("tau_meas_%d"), NO("tau_pred_%d"), NO("err_%d")}}},
    {"no torques",
     {.title = "a table of pandas with poses, without time",
      .joints = ur,
      .n = 6,
      .time = 1,
      .groups = {Q("q%d"), NO("px"), NO("py"), NO("pz"), NO("rx"), NO("ry"), NO("rz")}}},
    {"no",
     {.title = "an actuated leg: degrees and desired torques",
      .joints = ur,
      .n = 6,
      .names = ur_short,
      .time = 1e-3,
      .groups = {T("Elapsed Time(ms)"),
                 NO("R_%s_fault"),
                 NO("R_%s_Load"),
                 {"R_%s_deg", RBV_CHANNEL_POSITION, DEG},
                 NO("R_%s_enc"),
                 NO("R_%s_T_des")}}},
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

/* True if one of the reported sentences contains this. */
static bool is_said(const rbv_log_guess *g, const char *part) {
  bool said = false;
  for (int i = 0; i < g->nambiguous; i++) said |= strstr(g->ambiguous[i], part) != NULL;
  for (int i = 0; i < g->nmissing; i++) said |= strstr(g->missing[i], part) != NULL;
  return said;
}

/* True if the map is complete; sentences say why not. A column that is read as something else is
 * the failure that must never happen, also in a map that is not complete. */
static bool is_right(const style *s, const char *says) {
  int where[RBV_CHANNEL_OTHER + 1][10];
  double factor[RBV_CHANNEL_OTHER + 1];
  for (int c = 0; c <= RBV_CHANNEL_OTHER; c++)
    for (int j = 0; j < 10; j++) where[c][j] = -1;
  const char *path = write_style(where, factor, s);
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(&g, path, s->joints, s->n, 0));
  bool right = (g->map || g->standard) && g->nambiguous == 0 && g->nmissing == 0;
  for (int i = 0; i < g->nambiguous; i++) print_message("%s: %s\n", s->title, g->ambiguous[i]);
  for (int i = 0; i < g->nmissing; i++) print_message("%s: %s\n", s->title, g->missing[i]);
  if (right != (says == NULL) || (says && !is_said(g, says)))
    fail_msg("%s: expected: %s", s->title, says ? says : "a complete map");
  rbv_log *log = NULL;
  // what is ambiguous is refused; the map of the rest is an example
  if ((g->map && g->nambiguous == 0) || right) assert_ok(rbv_log_load(&log, path, g->map));
  for (int c = 0; c < RBV_CHANNEL_OTHER && log; c++)
    for (int j = 0; j < (c == RBV_CHANNEL_TIME ? 1 : s->n); j++) {
      const double *x = rbv_log_channel(log, (rbv_channel)c, j);
      const int column = where[c][j];
      if (x && column < 0)
        fail_msg("%s: %s%d was invented", s->title, rbv_channel_name((rbv_channel)c), j + 1);
      if (!x && column >= 0 && right) {
        print_message("%s: %s%d was not found\n", s->title, rbv_channel_name((rbv_channel)c),
                      j + 1);
        right = false;
      }
      if (!x) continue;
      const double want = c == RBV_CHANNEL_TIME ? 0.002 * 7 : value(column, 7) * factor[c];
      // the conversions round twice
      if (!(fabs(x[7] - want) <= 1e-15 * fabs(want) * 4))
        fail_msg("%s: %s%d is %g, not %g", s->title, rbv_channel_name((rbv_channel)c), j + 1, x[7],
                 want);
    }
  rbv_log_free(log);
  rbv_log_guess_free(g);
  return right;
}

static void test_styles(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(styles); i++) assert_true(is_right(&styles[i], NULL));
}

static void test_foreign_styles(void **state) {
  (void)state;
  int right = 0, said = 0;
  for (int i = 0; i < RBV_COUNT(foreign); i++) {
    const bool complete = is_right(&foreign[i].style, foreign[i].says);
    right += complete;
    said += !complete;
  }
  print_message("%d styles: %d right, %d say what is missing, none is silently wrong\n",
                RBV_COUNT(foreign), right, said);
}

/* One row per joint and time, as some converters of bags write it. */
static void test_long_format_is_refused(void **state) {
  (void)state;
  const char *path = temp_file("long.csv",
                               "time_s,joint,position,velocity,effort\n"
                               "0.000,elbow,1,0.1,10\n0.000,shoulder,2,0.2,20\n"
                               "0.002,elbow,1.1,0.1,10\n0.002,shoulder,2.1,0.2,20\n");
  static const char *const joints[] = {"shoulder", "elbow"};
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(&g, path, joints, 2, 0));
  assert_true(is_said(g, "no positions of the 2 joints"));
  assert_true(is_said(g, "no torques of the 2 joints"));
  rbv_log_guess_free(g);
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
      {"time,q_0,q_1,q_2,tau_0,tau_1,tau_2", "'q_*' has 3 columns, but the robot has 2 joints",
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

/* an arm with a slide: the columns of a family have different units, in their names or in a row of
 * units, and each is converted by its own */
static void test_units_that_differ(void **state) {
  (void)state;
  static const char *const three[] = {"j1", "j2", "j3"};
  static const char *const headers[] = {
      "t[ms],pos_1[deg],pos_2[deg],pos_3[mm],torque_1[Nm],torque_2[Nm],torque_3[N]",
      "t (ms),j1.pos (deg),j2.pos (rad),j3.pos (m),j1.torque (Nm),j2.torque (Nm),j3.torque (N)",
      "t,pos_1,pos_2,pos_3,torque_1,torque_2,torque_3\nms,deg,deg,mm,Nm,Nm,N",
  };
  static const double degree = 3.14159265358979323846 / 180;
  static const double factor[][3] = {
      {degree, degree, 1e-3}, {degree, 1, 1}, {degree, degree, 1e-3}};
  for (int i = 0; i < RBV_COUNT(headers); i++) {
    char text[600];
    int n = snprintf(text, sizeof text, "%s\n", headers[i]);
    for (int r = 0; r < 4; r++)
      n += snprintf(text + n, sizeof text - (size_t)n, "%d,10,20,30,4,5,6\n", 2 * r);
    const char *path = temp_file("slide.csv", text);
    rbv_log_guess *g;
    assert_ok(rbv_log_guess_columns(&g, path, three, 3, 0));
    assert_int_equal(g->nambiguous + g->nmissing, 0);
    rbv_log *log;
    assert_ok(rbv_log_load(&log, path, g->map));
    for (int j = 0; j < 3; j++) {
      // the conversions round twice
      assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, j)[1], 10 * (j + 1) * factor[i][j], 0,
                  1e-15);
      assert_near(rbv_log_channel(log, RBV_CHANNEL_TORQUE, j)[1], 4 + j, 0, 0);
    }
    rbv_log_free(log);
    rbv_log_guess_free(g);
  }
  // two units of the same joints are still two families
  rbv_log_guess *g;
  const char *path =
      temp_file("twice.csv", "t,q_1[deg],q_2[deg],q_1[rad],q_2[rad],tau_1,tau_2\n0,1,1,1,1,1,1\n");
  assert_ok(rbv_log_guess_columns(&g, path, three, 2, 0));
  assert_true(is_said(g, "can both be q of the joints"));
  rbv_log_guess_free(g);
}

/* one torque of three is missing: the joint is named. A joint called "gain" is no gain */
static void test_joint_without_a_column(void **state) {
  (void)state;
  static const char *const three[] = {"waist", "elbow", "gain"};
  rbv_log_guess *g;
  assert_ok(rbv_log_guess_columns(
      &g,
      temp_file("gap.csv",
                "t,waist_pos,elbow_pos,gain_pos,waist_effort,elbow_effort\n0,1,2,3,4,5\n"
                "1,1,2,3,4,5\n"),
      three, 3, 0));
  assert_non_null(g->map);
  assert_non_null(g->gap);
  assert_non_null(strstr(g->gap, "has no column of joint 'gain'"));
  assert_null(g->gain);
  rbv_log_guess_free(g);
  assert_ok(rbv_log_guess_columns(&g,
                                  temp_file("gap.csv",
                                            "t,waist_pos,elbow_pos,gain_pos,waist_current,"
                                            "elbow_current,gain_current\n0,1,2,3,4,5,6\n"
                                            "1,1,2,3,4,5,6\n"),
                                  three, 3, 0));
  assert_null(g->gap);
  assert_non_null(g->gain);
  rbv_log_guess_free(g);
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
      cmocka_unit_test(test_foreign_styles),
      cmocka_unit_test(test_long_format_is_refused),
      cmocka_unit_test(test_names_in_text),
      cmocka_unit_test(test_echo_without_header),
      cmocka_unit_test(test_doubts),
      cmocka_unit_test(test_units_that_differ),
      cmocka_unit_test(test_joint_without_a_column),
      cmocka_unit_test(test_usual_names_need_no_map),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
