/*
 * What a quadruped that MuJoCo moves would have recorded: flags of feet that are wrong, and files
 * with the columns of a base.
 */
#include <roberval/sys/check.h>
#include <roberval/sys/identify.h>

#include "document/document.h"
#include "nodes.h"
#include "quadruped.h"
#include "tool.h"

#define JOINT_NOISE 0.15  // N m

static const char feet[] = "FL_foot,FR_foot,RL_foot,RR_foot";

/* flags of a recording as the sensors of some feet would say them */
typedef enum { RIGHT, FREE_FOOT, STUCK_FOOT, SWAPPED, LATE } mistake;

static void spoil(uint32_t *contact, ptrdiff_t count, mistake what) {
  for (ptrdiff_t k = count - 1; k >= 0; k--) {
    const uint32_t c = contact[k];
    if (what == FREE_FOOT) contact[k] = c & ~4u;
    if (what == STUCK_FOOT) contact[k] = c | 2u;
    if (what == SWAPPED) contact[k] = (c & ~3u) | (c & 1) << 1 | (c >> 1 & 1);
    if (what == LATE) contact[k] = contact[k > 60 ? k - 60 : 0];  // 0.3 s
  }
}

/* wrong flags of feet are found and named; right ones give no finding */
static void test_flags(void **state) {
  (void)state;
  static const char *const wanted[] = {NULL, "contact_RL_foot is 0", "contact_FR_foot is 1",
                                       "contact_FL_foot is 0", "contact_FL_foot is 0"};
  quadruped r = quadruped_load(STANDING, feet);
  for (int what = RIGHT; what <= LATE; what++) {
    flight f = quadruped_move(&r, STANDING, 3, 2000);
    add_noise(&f, BASE, JOINT_NOISE, 0, 3);
    spoil(f.contact, f.count, (mistake)what);
    rbv_motion *motion = flight_motion(&f, true);
    rbv_identify_options o = rbv_identify_defaults();
    rbv_estimate *e;
    rbv_check_result *check = rbv_alloc(sizeof *check);
    bool found = false;
    assert_ok(rbv_identify(&e, r.m, &motion, 1, &o));
    assert_ok(rbv_check_fit(check, r.m, e, &motion, 1, false));
    for (int i = 0; i < check->nfinding; i++) {
      const rbv_finding *finding = &check->finding[i];
      if (finding->code != RBV_FINDING_CONTACT) continue;
      print_message("%d: %s\n", what, finding->sentence);
      found = found || !wanted[what] || strstr(finding->sentence, wanted[what]);
    }
    assert_true(found == (wanted[what] != NULL));
    rbv_check_free(check);
    rbv_estimate_free(e);
    rbv_motion_free(motion);
    flight_free(&f);
  }
  quadruped_free(&r);
}

/* ---- files ---- */

typedef enum { POSE, IMU } base_columns;

static void write_file(const char *name, const flight *f, base_columns kind, bool wrench) {
  static const char *const header[] = {
      "base_x,base_y,base_z,base_qw,base_qx,base_qy,base_qz",
      "imu_acc_x,imu_acc_y,imu_acc_z,imu_gyro_x,imu_gyro_y,imu_gyro_z"};
  rbv_text x = {0};
  rbv_text_print(&x, "t,%s", header[kind]);
  if (wrench)
    rbv_text_put(&x,
                 ",base_force_x,base_force_y,base_force_z,base_moment_x,base_moment_y,"
                 "base_moment_z");
  for (int i = 0; i < LEGS; i++) rbv_text_print(&x, ",contact_%s_foot", leg_name[i]);
  for (int j = 0; j < 2 * JOINTS; j++)
    rbv_text_print(&x, ",%s%d", j < JOINTS ? "q" : "tau", j % JOINTS + 1);
  for (ptrdiff_t k = 0; k < f->count; k++) {
    rbv_text_print(&x, "\n%.4f", (double)k / RATE);
    const double *base = kind == POSE ? f->pose : f->imu;
    for (int i = 0; i < (kind == POSE ? 7 : 6); i++)
      rbv_text_print(&x, ",%.9g", base[k + i * f->count]);
    for (int i = 0; i < 6 && wrench; i++) rbv_text_print(&x, ",%.9g", f->wrench[k + i * f->count]);
    for (int i = 0; i < LEGS; i++) rbv_text_print(&x, ",%d", f->contact[k] >> i & 1);
    for (int j = 0; j < JOINTS; j++) rbv_text_print(&x, ",%.9g", f->q[k + (BASE + j) * f->count]);
    for (int j = 0; j < JOINTS; j++) rbv_text_print(&x, ",%.9g", f->tau[k + (BASE + j) * f->count]);
  }
  rbv_text_put(&x, "\n");
  (void)temp_file(name, rbv_text_string(&x));
  rbv_text_free(&x);
}

static double mass_of(const char *result) {
  rbv_document *doc = tool_json("show %s --json -q", result);
  const rbv_node *list =
      rbv_node_find(rbv_node_find(rbv_document_root(doc), "estimate"), "parameters");
  double mass = NAN;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *node = rbv_node_at(list, i);
    if (strcmp(rbv_node_text(rbv_node_find(node, "name")), "M6R") == 0)
      mass = real_at(node, "value");
  }
  rbv_document_free(doc);
  return mass;
}

/* poses with a quaternion, a sensor on the trunk, the wrench of the rope or none, flags of feet */
static void test_files(void **state) {
  (void)state;
  char *text = quadruped_mjcf(THROWN);
  (void)temp_file("robot.xml", text);
  free(text);
  for (int i = 0; i < 3; i++) {
    const scene kind = i < 2 ? ROPE : STANDING;
    quadruped r = quadruped_load(kind, NULL);
    flight f = quadruped_move(&r, kind, 4, 1500);
    double mass = 0;
    for (int b = 1; b < r.mj->nbody; b++) mass += r.mj->body_mass[b];
    add_noise(&f, BASE, JOINT_NOISE, 0, 4);
    write_file("log.csv", &f, i == 1 ? IMU : POSE, kind == ROPE);
    free(tool_text("identify robot.xml log.csv --free-base --friction plain %s%s -o result.json -q",
                   kind == STANDING ? "--contacts " : "", kind == STANDING ? feet : ""));
    // the mass of all is the mass parameter of the trunk
    assert_near(mass_of("result.json"), mass, 0.01 * mass, 0);
    flight_free(&f);
    quadruped_free(&r);
  }
  // the result remembers the points
  free(tool_text("identify --again result.json -o again.json -q"));
  assert_int_equal(run_in_temp("cmp result.json again.json"), 0);
  assert_int_equal(run_in_temp("cut -d, -f1,9- log.csv > none.csv"), 0);
  tool_refuses(3, "nothing says how the base moves",
               "identify robot.xml none.csv --free-base -o x.json");
  tool_refuses(2, "no such link or site", "model robot.xml --free-base --contacts FL_knee");
  tool_refuses(3, "does not support contact points",
               "excite robot.xml --tip FL_foot --contacts FL_foot");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_flags), cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
