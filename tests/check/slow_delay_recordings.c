/* Delay on real recordings: none as they are; a shift of 32 ms is found where the motion shows it.
 */
#include "delay_study.h"
#include "kr300_map.h"

#include <math.h>
#include <string.h>

static const char emps_map[] =
    "time: t\nsensing: motor\n"
    "joints: [{q: qm, tau: {column: vir, unit: V, gain: 35.15065188248547}}]\n";
static const char emps_robot[] =
    "name: emps\ngravity: [0, 0, -9.81]\njoints:\n"
    "- {name: slide, type: prismatic, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0},\n"
    "   limits: {lower: -0.5, upper: 0.5, velocity: 0.5}}\n";

/* found: how a shift of 32 ms is found */
typedef enum { ADVISED, NOTED, MISSED } found;
static const char *const found_name[] = {"advised", "noted", "none"};

static const struct {
  const char *robot, *path, *map;
  int sensing;
  found found;
} recordings[] = {
    {"staubli_tx40/tx40_mdh_modified.urdf", "staubli_tx40/tx40_joint.csv", NULL, -1, ADVISED},
    {"tx40", "staubli_tx40/tx40_motor.csv", NULL, -1, ADVISED},
    // slow motion: 32 ms change the held-out error by 2 to 5 %, and the joints differ by 100 ms
    {"kuka_lwr4/kuka_lwr4.urdf", "kuka_lwr4/lwr4_measurements_1.csv", NULL, RBV_SENSING_JOINT,
     MISSED},
    {"kuka_lwr4/kuka_lwr4.urdf", "kuka_lwr4/lwr4_measurements_2.csv", NULL, RBV_SENSING_JOINT,
     MISSED},
    {"kuka_lwr4/kuka_lwr4.urdf", "kuka_lwr4/lwr4_measurements_3.csv", NULL, RBV_SENSING_JOINT,
     MISSED},
    {"kuka_kr300/kr300_weigand2021.urdf", "kuka_kr300/kr300_traj_A.csv", kr300_map, -1, ADVISED},
    {"kuka_kr300/kr300_weigand2021.urdf", "kuka_kr300/kr300_traj_B.csv", kr300_map, -1, ADVISED},
    {"kuka_kr300/kr300_weigand2021.urdf", "kuka_kr300/kr300_traj_C.csv", kr300_map, -1, ADVISED},
    {"models/panda_nohand.urdf", "panda/panda.csv", NULL, RBV_SENSING_JOINT, ADVISED},
    // fewer than three joints
    {NULL, "emps/emps.csv", emps_map, -1, NOTED},
};

static rbv_model *load_model(int i) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = recordings[i].sensing;
  rbv_model *m = NULL;
  if (!recordings[i].robot)
    assert_ok(rbv_model_parse(&m, "emps", emps_robot, strlen(emps_robot), &o));
  else
    assert_ok(rbv_model_load(
        &m, strchr(recordings[i].robot, '/') ? recording(recordings[i].robot) : recordings[i].robot,
        &o));
  return m;
}

/* the torques of a log come late by a time, with linear interpolation */
static void delay_log(rbv_log *log, double delay) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const ptrdiff_t n = rbv_log_samples(log);
  static const rbv_channel channels[] = {RBV_CHANNEL_TORQUE, RBV_CHANNEL_MOTOR_TORQUE,
                                         RBV_CHANNEL_JOINT_TORQUE};
  double *late = malloc((size_t)n * sizeof *late);
  for (size_t c = 0; c < sizeof channels / sizeof channels[0]; c++)
    for (int j = 0; j < rbv_log_channel_count(log, channels[c]); j++) {
      union {
        const double *in;
        double *out;
      } tau = {rbv_log_channel(log, channels[c], j)};
      for (ptrdiff_t k = 0, at = 0; k < n; k++) {
        while (at + 2 < n && t[at + 1] < t[k] - delay) at++;
        const double share = fmin(fmax((t[k] - delay - t[at]) / (t[at + 1] - t[at]), 0), 1);
        late[k] = tau.in[at] + share * (tau.in[at + 1] - tau.in[at]);
      }
      memcpy(tau.out, late, (size_t)n * sizeof *late);
    }
  free(late);
}

static void test_recordings(void **state) {
  (void)state;
  recording("panda/panda.csv");
  bool good = true;
  for (size_t i = 0; i < sizeof recordings / sizeof recordings[0]; i++) {
    rbv_model *m = load_model((int)i);
    rbv_log_map *map = NULL;
    if (recordings[i].map)
      assert_ok(rbv_log_map_parse(&map, "map", recordings[i].map, strlen(recordings[i].map)));
    for (int k = 0; k < 2; k++) {
      rbv_log *log = NULL;
      assert_ok(rbv_log_load(&log, recording(recordings[i].path), map));
      if (k) delay_log(log, 0.032);
      const verdict v = examine(m, log);
      const found got = v.advised ? ADVISED : v.noted ? NOTED : MISSED;
      print_message("%s%s: %s, %.1f +- %.1f ms, gain %.3f, t %.1f, held-out error times %.3f\n",
                    recordings[i].path, k ? " + 32 ms" : "", found_name[got], 1e3 * v.fit.delay_s,
                    1e3 * v.fit.sigma_s, v.fit.gain, v.fit.t, v.worse);
      good &= got == (k ? recordings[i].found : MISSED) && v.worse <= 1.02;
      rbv_log_free(log);
    }
    rbv_log_map_free(map);
    rbv_model_free(m);
  }
  assert_true(good);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_recordings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
