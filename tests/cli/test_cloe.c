/*
 * roberval identify --method cloe: parameters of the TX40 from positions alone, in a loop of our
 * own, against its true values; messages.
 */
#include <math.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "document/document.h"
#include "result/result.h"

#include "motions.h"
#include "strip_columns.h"
#include "support.h"
#include "tool.h"

/* four seconds of the TX40 at 1 kHz */
static int record(void **state) {
  (void)state;
  save_tx40_waves(4000, 1000, "q");
  free(
      tool_text("simulate tx40 traj.csv -q -o log.csv --gamma 150 --encoder 1e6 "
                "--bandwidth 12,12,16,24,24,40 --save-controller pid.yaml"));
  return 0;
}

/* friction and inertia of every joint, from positions alone, start values a few per cent off */
static void test_tx40_from_positions(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "tau");
  outcome o = tool("identify tx40 bare.csv -m cloe --controller pid.yaml -o tx40.json");
  assert_int_equal(o.code, 0);
  // constant torques are not visible behind the integral of the PID
  assert_non_null(strstr(o.err, "6 parameters left out"));
  outcome_free(&o);
  rbv_result *r = tool_result("tx40.json");
  assert_true(r->converged);
  static const struct {
    const char *name;
    double value;
  } truth[] = {{"ZZ1R", 1.25}, {"Fv1", 7.61}, {"Fc1", 8.33}, {"Fv2", 5.19}, {"Fc2", 8.99},
               {"Fv3", 1.71},  {"Fc3", 7.6},  {"Fv4", 0.85}, {"Fc4", 3.55}, {"Fv5", 1.6},
               {"Fc5", 3.71},  {"Fv6", 0.59}, {"MX2R", 2.16}};
  for (int i = 0; i < (int)(sizeof truth / sizeof *truth); i++) {
    const rbv_parameter *p = parameter_of(r, truth[i].name);
    print_message("%s %.5f +- %.5f, true %.5f\n", p->name, p->value, p->sigma, truth[i].value);
    // the recording has steps of 6e-6 rad, 1 % of the tracking error; sigma is below 2 %
    assert_near(p->value, truth[i].value, 4 * p->sigma, 0);
    assert_near(p->value, truth[i].value, 0, 0.05);
  }
  // everything is relative to the gains
  assert_string_equal(r->loop.influence[0].gains, "all");
  for (int k = 0; k < r->estimate.count; k++)
    if (isfinite(r->estimate.item[k].sigma))
      assert_near(r->loop.influence[0].shift[k], 0.1 * r->estimate.item[k].value, 1e-4, 1e-2);
  rbv_result_free(r);
}

static void test_messages(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "tau");
  tool_refuses(2, "give its controller", "identify tx40 bare.csv -m cloe");
  tool_refuses(
      2,
      "is not an unknown of the loop (choose from delay delays command_delay bias shapes stiffness "
      "damping knee stribeck power ripple k_p",
      "identify tx40 log.csv -m cloe --controller pid.yaml --unknown mass");
  tool_refuses(2, "no law of the controller has the gain k_x",
               "identify tx40 log.csv -m cloe --controller pid.yaml --unknown k_x");
  // other methods still need torques
  tool_refuses(3, "no torque column", "identify tx40 bare.csv -m wls");
  (void)temp_file("laws.yaml",
                  "rate_hz: 1000\nrecordings:\n  - {file: other.csv, joints: [{k_p: 1}]}\n");
  tool_refuses(3, "there is no law of the recording 'log.csv'",
               "identify tx40 log.csv -m cloe --controller laws.yaml");
  strip_columns("unguided.csv", "log.csv", "qr");
  tool_refuses(3, "without its reference",
               "identify tx40 unguided.csv -m cloe --controller pid.yaml");
}

/* ---- a leg with known links: two recordings with different gains, and what is handed over ---- */

static void copy_example(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, ROBERVAL_SOURCE "/examples/%s", name);
  char *text = read_text(path, NULL);
  (void)temp_file(name, text);
  free(text);
}

/* soft.csv and stiff.csv: positions and reference of the leg with its true drives */
static void record_leg(void) {
  static const char *const files[] = {"leg.yaml",      "leg_true.yaml",  "leg_gains.yaml",
                                      "leg_soft.yaml", "leg_stiff.yaml", "leg_motion.awk"};
  for (int i = 0; i < 6; i++) copy_example(files[i]);
  static const char *const name[] = {"soft", "stiff"};
  for (int i = 0; i < 2; i++) {
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && awk -v seed=%d -f leg_motion.awk > motion.csv",
             temp_directory(), i + 1);
    assert_int_equal(system(command), 0);
    free(
        tool_text("simulate leg_true.yaml motion.csv --controller leg_%s.yaml -q "
                  "--loop-encoder 65536 --actuator-delay 0.0053 --encoder-bias 0.012,-0.01,0.008 "
                  "-o all.csv",
                  name[i]));
    char out[32];
    snprintf(out, sizeof out, "%s.csv", name[i]);
    strip_columns(out, "all.csv", "tau");
  }
}

static const rbv_loop_value *loop_value(const rbv_result *r, const char *name) {
  for (int i = 0; i < r->loop.nunknown; i++)
    if (strcmp(r->loop.unknown[i].name, name) == 0) return &r->loop.unknown[i];
  fail_msg("the result has no %s", name);
  return NULL;
}

static void test_leg(void **state) {
  (void)state;
  record_leg();
  free(
      tool_text("identify leg.yaml soft.csv stiff.csv -m cloe --controller leg_gains.yaml "
                "--known-links --unknown delay,bias --start robot -o leg.json -q"));
  rbv_result *r = tool_result("leg.json");
  assert_true(r->converged && r->loop.starts == 1 && !r->loop.stopped);
  // the laws of both recordings are those of the robot
  assert_true(r->loop.agreement.laws == 2 && r->loop.agreement.p > RBV_AGREEMENT_P);
  assert_true(strlen(r->loop.agreement.name) > 0);
  // the targets: 2 %, 0.1 ms, 0.2 mrad
  static const struct {
    const char *name;
    double value;
  } drive[] = {{"Fv1", 0.08}, {"Fc1", 0.22}, {"Fv2", 0.06}, {"Fc2", 0.25},
               {"Fv3", 0.05}, {"Fc3", 0.18}, {"Ia3", 0.025}};
  for (int i = 0; i < 7; i++)
    assert_near(parameter_of(r, drive[i].name)->value, drive[i].value, 0, 0.02);
  // rotor inertias that are regrouped with a link
  assert_near(loop_value(r, "Ia1")->value, 0.012, 0, 0.02);
  assert_near(loop_value(r, "Ia2")->value, 0.012, 0, 0.02);
  assert_near(loop_value(r, "delay")->value, 0.0053, 1e-4, 0);
  static const double bias[] = {0.012, -0.01, 0.008};
  for (int j = 0; j < 3; j++) {
    char name[8];
    snprintf(name, sizeof name, "bias%d", j + 1);
    assert_near(loop_value(r, name)->value, bias[j], 2e-4, 0);
  }
  rbv_result_free(r);
}

/* rms of the free run of a joint of the leg [rad]; of the robot file in the same output: file */
static double free_error(const char *arguments, const char *key) {
  rbv_document *d = tool_json("%s --json", arguments);
  const rbv_node *run = rbv_node_find(rbv_document_root(d), "free_run");
  assert_non_null(run);
  const rbv_node *list = rbv_node_find(run, key);
  assert_non_null(list);
  double value = 0, all = 0;
  for (int j = 0; j < rbv_node_count(list); j++) {
    assert_ok(rbv_node_real(&value, rbv_node_at(list, j)));
    all += value * value / 3;
  }
  rbv_document_free(d);
  return sqrt(all);
}

/* the free run of a result and of the robot file, without torques, with what the result has found
 */
static void test_free_run(void **state) {
  (void)state;
  static const char result[] = "validate leg.json stiff.csv --controller leg_stiff.yaml",
                    file[] = "validate leg.yaml stiff.csv --controller leg_stiff.yaml";
  const double identified = free_error(result, "joint_rms_error"),
               before = free_error(result, "joint_rms_error_robot_file"),
               true_drives =
                   free_error("validate leg_true.yaml stiff.csv --controller leg_stiff.yaml",
                              "joint_rms_error");
  print_message("free run: identified %.2e rad, robot file %.2e, true drives without delay %.2e\n",
                identified, before, true_drives);
  // steps of the encoder in the loop are 1e-4 rad; the robot file has drives that are 30 % off or
  // more
  assert_true(identified < 3e-4 && before > 5 * identified);
  // with delay and biases of the result: neither the file nor the true drives know them
  assert_true(true_drives > 5 * identified);
  assert_true(free_error(file, "joint_rms_error") > 5 * identified);
  // the law at the drive's own rate
  (void)temp_file("leg_fast.yaml",
                  "rate_hz: 500\ndrive_rate_hz: 2000\njoints: [{k_p: 40, k_d: 1.2, filter_s: "
                  "0.004, reference_velocity: 0}, {k_p: 45, k_d: 1.3, filter_s: 0.004, "
                  "reference_velocity: 0}, {k_p: 50, k_d: 1.2, filter_s: 0.004, "
                  "reference_velocity: 0}]\n");
  assert_true(isfinite(
      free_error("validate leg.json stiff.csv --controller leg_fast.yaml", "joint_rms_error")));
  char *text = tool_text("%s", result);
  assert_non_null(strstr(text, "Simulated freely under the controller, the identified model is"));
  free(text);
  tool_refuses(3, "neither drive_rate_hz",
               "validate leg.json stiff.csv --controller leg_fast.yaml --horizon 1");
  strip_columns("stiff_q.csv", "stiff.csv", "qr");
  tool_refuses(3, "no torques and no reference of abduction",
               "validate leg.yaml stiff_q.csv --controller leg_stiff.yaml");
  tool_refuses(2, "a part of the robot is for a robot", "validate leg.json stiff.csv --tip calf");
}

/* a copy of stiff.csv without the rows for which awk's condition is true */
static void lose_rows(const char *condition) {
  char command[1024];
  snprintf(command, sizeof command, "cd '%s' && awk 'NR <= 2 || !(%s)' stiff.csv > lost.csv",
           temp_directory(), condition);
  assert_int_equal(system(command), 0);
}

/* rows that a recorder lost, or wrote at other times than the drive read them */
static void test_irregular_rows(void **state) {
  (void)state;
  static const char command[] = "validate leg.json lost.csv --controller leg_stiff.yaml";
  const double whole =
      free_error("validate leg.json stiff.csv --controller leg_stiff.yaml", "joint_rms_error");
  lose_rows("NR % 40 == 7");
  outcome o = tool(command);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "its rows are irregular"));
  outcome_free(&o);
  // the lost positions are interpolated over 4 ms, and one reference of 40 is a row old
  assert_true(free_error(command, "joint_rms_error") < 5 * whole);
  lose_rows("NR > 1000 && NR < 1100");
  tool_refuses(3, "rows are missing", command);
  // stamps that do not say when a row was recorded
  char text[1024];
  snprintf(text, sizeof text,
           "cd '%s' && awk -F, -v OFS=, '$1 + 0 == $1 {$1 += 0.0013 * (NR %% 2)} 1' stiff.csv > "
           "lost.csv",
           temp_directory());
  assert_int_equal(system(text), 0);
  tool_refuses(3, "jitter too much", command);
  // 20 ms, ten rows: they are no longer in order
  snprintf(text, sizeof text,
           "cd '%s' && awk -F, -v OFS=, '$1 + 0 == $1 {$1 += 0.02 * ((NR * 7) %% 10) / 10} 1' "
           "stiff.csv > lost.csv",
           temp_directory());
  assert_int_equal(system(text), 0);
  tool_refuses(3, "do not increase from row to row", command);
}

/* a law of the leg with these gains and damping times of 30 ms */
static void write_law(const char *name, double a, double b, double c) {
  char text[512];
  snprintf(text, sizeof text,
           "rate_hz: 500\njoints: [{k_p: %g, k_d: %g, filter_s: 0.004}, {k_p: %g, k_d: %g, "
           "filter_s: 0.004}, {k_p: %g, k_d: %g, filter_s: 0.004}]\n",
           a, 0.03 * a, b, 0.03 * b, c, 0.03 * c);
  (void)temp_file(name, text);
}

/* gains in the order of other joints; a law that asks for more than the drive can give */
static void test_wrong_laws(void **state) {
  (void)state;
  static const char command[] =
      "identify leg.yaml order.csv -m cloe --controller %s --known-links --unknown delay "
      "-o order.json";
  char text[256];
  write_law("right.yaml", 15, 40, 80);
  write_law("reverse.yaml", 80, 40, 15);
  write_law("strong.yaml", 15, 40, 8000);
  free(
      tool_text("simulate leg_true.yaml motion.csv --controller right.yaml -q "
                "--loop-encoder 65536 --actuator-delay 0.003 -o all.csv"));
  strip_columns("order.csv", "all.csv", "tau");
  snprintf(text, sizeof text, command, "right.yaml");
  outcome o = tool(text);
  assert_null(strstr(o.err, "another order"));
  assert_null(strstr(o.err, "asks for up to"));
  outcome_free(&o);
  snprintf(text, sizeof text, command, "reverse.yaml");
  o = tool(text);
  assert_non_null(strstr(o.err, "with the gains in another order (k_p 15, 40, 80)"));
  outcome_free(&o);
  rbv_result *r = tool_result("order.json");
  assert_true(r->verdict.level > RBV_VERDICT_USABLE);
  rbv_result_free(r);
  // N m per degree
  write_law("degrees.yaml", 15 * M_PI / 180, 40 * M_PI / 180, 80 * M_PI / 180);
  snprintf(text, sizeof text, command, "degrees.yaml");
  o = tool(text);
  assert_non_null(strstr(o.err, "the gains look as if they were per degree"));
  outcome_free(&o);
  o = tool("validate leg.yaml order.csv --controller strong.yaml");
  assert_non_null(strstr(o.err, "the law of calf asks for up to"));
  assert_non_null(strstr(o.err, "`limit: 35`"));
  outcome_free(&o);
}

/* long recordings in segments, several starts */
static void test_segments_and_starts(void **state) {
  (void)state;
  free(
      tool_text("identify leg.yaml soft.csv -m cloe --controller leg_soft.yaml --known-links "
                "--unknown delay,bias --start robot --segment 3 --skip 0.3 --starts 2 -o leg2.json "
                "-q"));
  rbv_result *r = tool_result("leg2.json");
  assert_true(r->converged);
  assert_int_equal(r->loop.starts, 2);
  assert_int_equal(r->loop.reached, 2);
  assert_near(parameter_of(r, "Fc2")->value, 0.25, 0, 0.02);
  assert_near(loop_value(r, "delay")->value, 0.0053, 1e-4, 0);
  rbv_result_free(r);
}

/* ---- shape parameters of friction ---- */

/* a pendulum with Stribeck friction under PD: its robot file, its law, and pend.csv */
static void record_pendulum(void) {
  static const char robot[] =
      "joints:\n"
      "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fs]}\n"
      "friction: {smooth: 0.005, stribeck: %g}\n"
      "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, Fv1: 0.1, "
      "Fc1: 0.3, Fs1: 0.4}\n";
  char text[1024];
  snprintf(text, sizeof text, robot, 0.15);
  (void)temp_file("pend_true.yaml", text);
  snprintf(text, sizeof text, robot, 0.225);
  (void)temp_file("pend.yaml", text);
  (void)temp_file("pd.yaml", "rate_hz: 500\njoints: [{k_p: 60, k_d: 6, filter_s: 0.002}]\n");
  FILE *f = fopen(temp_file("sway.csv", NULL), "w");
  assert_non_null(f);
  fprintf(f, "t,q1\n");
  for (int k = 0; k < 4000; k++) {
    const double t = k / 500.0;
    fprintf(f, "%.4f,%.9f\n", t,
            0.5 + (0.4 * sin(1.4 * M_PI * t) + 0.15 * sin(9 * t)) * (1 - exp(-t)));
  }
  fclose(f);
  free(
      tool_text("simulate pend_true.yaml sway.csv --controller pd.yaml -q --encoder 1e6 "
                "-o pend_all.csv"));
  strip_columns("pend.csv", "pend_all.csv", "tau");
}

/* error of the position after 1 s that a result predicts */
static double predicted_error(const char *result) {
  char *text = tool_text("validate %s pend.csv --horizon 2 --controller pd.yaml --json", result);
  const char *at = strstr(text, "\"horizon_s\": 1,");
  assert_non_null(at);
  at = strstr(at, "\"joint_rms_error\": [");
  assert_non_null(at);
  const double error = strtod(strchr(at, '[') + 1, NULL);
  free(text);
  return error;
}

/* the Stribeck speed is found, and the result's model has it */
static void test_shapes(void **state) {
  (void)state;
  record_pendulum();
  char *text = tool_text(
      "identify pend.yaml pend.csv -m cloe --controller pd.yaml --unknown shapes,stribeck "
      "-v -o pend.json");
  assert_non_null(strstr(text, "stribeck1"));
  free(text);
  rbv_result *r = tool_result("pend.json");
  assert_int_equal(r->loop.nunknown, 1);
  const rbv_loop_value *v = loop_value(r, "stribeck1");
  assert_near(v->value, 0.15, 0, 0.01);
  assert_near(v->value, 0.15, 3 * v->sigma, 0);
  assert_near(v->start, 0.225, 0, 0);
  assert_string_equal(v->unit, "rad/s");
  assert_non_null(v->partner);
  double listed;
  assert_int_equal(sscanf(rbv_result_chosen_text(r, "friction"), "Fs1=%lf", &listed), 1);
  assert_near(listed, v->value, 0, 0);
  rbv_result_free(r);
  // the loop of the result predicts the motion to some steps of the encoder, 6e-6 rad, because it
  // starts from a recorded state; with the speed of the robot file the error is many times that
  free(tool_text("identify pend.yaml pend.csv -m cloe --controller pd.yaml -o pend_fixed.json -q"));
  const double found = predicted_error("pend.json"), fixed = predicted_error("pend_fixed.json");
  print_message("error after 1 s %.2e rad, with the speed of the file %.2e\n", found, fixed);
  assert_true(found < 2e-5 && fixed > 5 * found);
  tool_refuses(2, "no friction of the robot has knee that can be estimated",
               "identify pend.yaml pend.csv -m cloe --controller pd.yaml --unknown knee");
}

/* ---- elastic joints ---- */

/* spring.csv: motor positions of a pendulum behind a spring of 400 N m/rad, and its reference */
static void record_spring(void) {
  enum { COUNT = 2000 };
  static double reference[COUNT];
  static const double stiffness = 400, damping = 0.8;
  rbv_model *m = load_robot(
      temp_file("spring.yaml",
                "joints:\n"
                "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
                "friction: {smooth: 0.01}\n"
                "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.1, "
                "Fv1: 0.4, Fc1: 0.3}\n"),
      -1, false);
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = 150;
  j.k_d = 12;
  j.filter_s = 2e-3;
  (void)temp_file("spring_pd.yaml",
                  "rate_hz: 500\njoints: [{k_p: 150, k_d: 12, filter_s: 0.002}]\n");
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", 500, RBV_FEEDFORWARD_NONE, &j, 1));
  for (int k = 0; k < COUNT; k++) {
    const double t = k / 500.0;
    reference[k] =
        0.4 + (1 - exp(-2 * t)) * (0.3 * sin(3 * t) + 0.02 * sin(2 * M_PI * (2 + 2.5 * t) * t));
  }
  const rbv_sim_reference at = {.count = COUNT, .ld = COUNT, .q = reference};
  rbv_sim_options o = rbv_sim_defaults();
  o.elastic = true;
  o.substeps = 32;
  o.defects.record_counts = 65536;
  const rbv_sim_lane lane = {.stiffness = &stiffness, .damping = &damping};
  rbv_motion *motion = simulated_motion(m, c, &o, &lane, &at);
  static double q[COUNT];
  const rbv_samples samples = {.ld = COUNT, .q = q};
  assert_ok(rbv_motion_read(motion, &samples, 0, COUNT));
  FILE *f = fopen(temp_file("spring.csv", NULL), "w");
  assert_non_null(f);
  fprintf(f, "t,q1,qr1\n");
  for (int k = 0; k < COUNT; k++) fprintf(f, "%.4f,%.9f,%.12f\n", k / 500.0, q[k], reference[k]);
  fclose(f);
  rbv_motion_free(motion);
  rbv_control_free(c);
  rbv_model_free(m);
}

static void test_elastic_joint(void **state) {
  (void)state;
  record_spring();
  outcome o = tool(
      "identify spring.yaml spring.csv -m cloe --controller spring_pd.yaml --known-links "
      "--joint-stiffness 600 --joint-damping 2 --unknown stiffness,damping --start robot "
      "-o spring.json");
  if (o.code != 0) fail_msg("%s", strlen(o.err) > 700 ? o.err + strlen(o.err) - 700 : o.err);
  outcome_free(&o);
  rbv_result *r = tool_result("spring.json");
  assert_true(r->converged);
  // 50 % and 150 % off at the start; bounds as in identify.output_elastic
  assert_near(loop_value(r, "stiffness1")->value, 400, 0, 0.02);
  assert_near(loop_value(r, "damping1")->value, 0.8, 0, 0.05);
  assert_near(loop_value(r, "Ia1")->value, 0.1, 0, 0.02);
  assert_string_equal(loop_value(r, "stiffness1")->unit, "N m/rad");
  rbv_result_free(r);
  // exports and simulations of the result have the spring that was found
  o = tool("export spring.json --format yaml -o sprung.yaml");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  char *text = read_text(temp_file("sprung.yaml", NULL), NULL);
  const char *at = strstr(text, "\n  Kj1: ");
  assert_non_null(at);
  assert_near(strtod(at + 8, NULL), 400, 0, 0.02);
  assert_non_null(strstr(text, "\n  Dj1: "));
  free(text);
  // a stiffness that was given and not found is not part of the result
  o = tool(
      "identify spring.yaml spring.csv -m cloe --controller spring_pd.yaml --known-links "
      "--joint-stiffness 400 --joint-damping 0.8 --start robot -q -o given.json");
  outcome_free(&o);
  o = tool("export given.json --format ranges");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "here they are rigid"));
  outcome_free(&o);
  tool_refuses(3, "the links must be known",
               "identify spring.yaml spring.csv -m cloe --controller spring_pd.yaml "
               "--joint-stiffness 600");
  tool_refuses(2, "the damping of elastic joints needs their stiffness",
               "identify spring.yaml spring.csv -m cloe --controller spring_pd.yaml "
               "--joint-damping 600");
}

/* check recommends a second set of gains where there are no torques, and nowhere else */
static void test_advice_of_check(void **state) {
  (void)state;
  outcome o = tool("check leg.yaml soft.csv");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "two sets of gains"));
  outcome_free(&o);
  o = tool("check leg.yaml all.csv");
  assert_null(strstr(o.out, "two sets of gains"));
  outcome_free(&o);
}

/* the factor of a parameter in the ranges: its numbers, returns how many */
static int read_factor(double *out, const char *ranges, const char *name) {
  const char *at = strstr(ranges, "\ncorrelated:");
  assert_non_null(at);
  at = strstr(at, name);
  assert_non_null(at);
  at = strstr(at, "factor: [") + strlen("factor: [");
  int count = 0;
  for (char *end; count < 64; at = end + 2) {
    out[count++] = strtod(at, &end);
    if (*end == ']') break;
  }
  return count;
}

/* the factors of a draw have the sigma of each parameter, and correlations within [-1, 1] */
static void check_correlated(const char *ranges) {
  rbv_result *r = tool_result("leg.json");
  double Fv[64], Fc[64], product = 0, length[2] = {0, 0};
  const int count = read_factor(Fv, ranges, "  Fv2: ");
  assert_int_equal(count, r->jackknife.nblock);
  assert_int_equal(read_factor(Fc, ranges, "  Fc2: "), count);
  for (int i = 0; i < count; i++) {
    product += Fv[i] * Fc[i];
    length[0] = hypot(length[0], Fv[i]);
    length[1] = hypot(length[1], Fc[i]);
  }
  assert_near(length[0], parameter_of(r, "Fv2")->sigma, 0, 1e-9);
  assert_near(length[1], parameter_of(r, "Fc2")->sigma, 0, 1e-9);
  const double correlation = product / (length[0] * length[1]);
  print_message("correlation of Fv2 and Fc2: %.2f\n", correlation);
  // more of one friction needs less of the other
  assert_true(correlation < -0.2 && correlation > -1);
  rbv_result_free(r);
}

static void test_handing_over(void **state) {
  (void)state;
  char *ranges = tool_text("export leg.json --format ranges -q");
  assert_non_null(strstr(ranges, "frictionloss: {value: 0.2"));
  assert_non_null(strstr(ranges, "delay_s: {value: 0.005"));
  check_correlated(ranges);
  free(ranges);
  char *python = tool_text("export leg.json --format isaaclab -q");
  assert_non_null(strstr(python, "\"stiffness\": 20"));
  assert_non_null(strstr(python, "\"armature\": 0.01"));
  // 5.3 ms at 500 Hz: three ticks after rounding
  assert_non_null(strstr(python, "\"min_delay\": 3"));
  free(python);
  free(tool_text("export leg.json --format isaaclab-yaml -q"));
  char *mjcf = tool_text("export leg.json --format mjcf -q");
  assert_non_null(strstr(mjcf, "biasprm=\"0 -20 -0.8"));
  assert_non_null(strstr(mjcf, "delay of the torque"));
  free(mjcf);
  tool_refuses(1, "they need a result", "export leg.yaml --format ranges");
}

/* the identified loop predicts the motion better than the guesses of the robot file */
static void test_horizons(void **state) {
  (void)state;
  char *text =
      tool_text("validate leg.json stiff.csv --horizon 2 --controller leg_stiff.yaml --json");
  assert_non_null(strstr(text, "\"driven_by\": \"controller\""));
  const char *at = strstr(text, "\"horizon_s\": 1,");
  assert_non_null(at);
  double error[3];
  const char *list = strstr(at, "\"joint_rms_error\": [");
  assert_non_null(list);
  assert_int_equal(sscanf(strchr(list, '[') + 1, "%lf, %lf, %lf", &error[0], &error[1], &error[2]),
                   3);
  // encoders have steps of 1e-4 rad
  for (int j = 0; j < 3; j++) assert_true(error[j] < 1e-3);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_from_positions),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_leg),
      cmocka_unit_test(test_free_run),
      cmocka_unit_test(test_irregular_rows),
      cmocka_unit_test(test_wrong_laws),
      cmocka_unit_test(test_segments_and_starts),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_elastic_joint),
      cmocka_unit_test(test_advice_of_check),
      cmocka_unit_test(test_handing_over),
      cmocka_unit_test(test_horizons),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
