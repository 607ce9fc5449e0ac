/* roberval excite: designs, files, scores, errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trajectory/trajectory.h"

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define QUICK "--starts 1 --budget 30 --seed 3"

/* a design: report, motion, coefficients, ROS, URScript, slow copy agree with each other */
static void test_design_and_files(void **state) {
  (void)state;
  rbv_document *doc = tool_json(
      "excite a460 --columns inertial " QUICK
      " --period 6 --harmonics 4 --blend 0.5 --rate 50 -o t.csv --coefficients t.yaml --ros r.yaml "
      "--urscript u.script --slow 0.25 --link-radius 0.05 --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.excite/1");
  assert_int_equal(rbv_node_count(node_at(root, "parameters")), 36);
  assert_true(real_at(root, "best") <= real_at(root, "first"));
  text_at(root, "trajectories.0.feasible", "true");
  for (int j = 0; j < 6; j++) {
    char path[64];
    snprintf(path, sizeof path, "trajectories.0.joints.%d", j);
    const rbv_node *joint = node_at(root, path);
    assert_true(real_at(joint, "velocity") <= real_at(joint, "velocity_limit") * (1 + 1e-9));
    assert_true(real_at(joint, "upper") <= real_at(joint, "upper_limit") + 1e-9);
  }
  // the coefficients give the motion, and the slow copy at a quarter of the speed
  char path[512];
  rbv_trajectory *t;
  snprintf(path, sizeof path, "%s/t.yaml", temp_directory());
  assert_ok(rbv_trajectory_load(&t, path));
  assert_near(rbv_trajectory_duration(t), 7, 1e-12, 0);
  rbv_document *coefficients;
  assert_ok(rbv_document_load(&coefficients, path));
  text_at(rbv_document_root(coefficients), "provenance.robot.name", "a460");
  assert_near(real_at(rbv_document_root(coefficients), "provenance.options.harmonics"), 4, 0, 0);
  rbv_document_free(coefficients);
  static const char *const files[] = {"t.csv", "t_slow.csv"};
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", temp_directory(), files[i]);
    csv table = csv_parse(read_text(path, NULL));
    assert_int_equal(table.nrow, i ? 1401 : 351);
    assert_ok(rbv_trajectory_set_speed(t, i ? 0.25 : 1));
    const int q3 = csv_find(&table, "q3"), ddq3 = csv_find(&table, "ddq3");
    for (int k = 0; k < table.nrow; k++) {
      double q[6], ddq[6];
      rbv_trajectory_eval(q, NULL, ddq, NULL, t, k / 50.);
      assert_near(table.value[k * table.ncolumn + q3], q[2], 1e-12, 0);
      assert_near(table.value[k * table.ncolumn + ddq3], ddq[2], 1e-11, 0);
    }
    csv_free(&table);
  }
  rbv_trajectory_free(t);
  rbv_document *ros;
  snprintf(path, sizeof path, "%s/r.yaml", temp_directory());
  assert_ok(rbv_document_load(&ros, path));
  text_at(rbv_document_root(ros), "joint_names.1", "joint2");
  assert_int_equal(rbv_node_count(node_at(rbv_document_root(ros), "points")), 351);
  assert_near(real_at(rbv_document_root(ros), "points.75.time_from_start.sec"), 1, 0, 0);
  assert_near(real_at(rbv_document_root(ros), "points.75.time_from_start.nanosec"), 5e8, 1, 0);
  rbv_document_free(ros);
  snprintf(path, sizeof path, "%s/u.script", temp_directory());
  char *script = read_text(path, NULL);
  assert_non_null(strstr(script, "servoj(["));
  free(script);

  // evaluated from its file, the motion has the same score
  rbv_document *again = tool_json("excite a460 --columns inertial --evaluate t.csv --json");
  assert_near(real_at(rbv_document_root(again), "score.coupling_index"),
              real_at(root, "score.coupling_index"), 0, 1e-9);
  assert_near(real_at(rbv_document_root(again), "score.condition_number_scaled"),
              real_at(root, "score.condition_number_scaled"), 0, 1e-9);
  rbv_document_free(again);

  // combined with itself, twice the samples: each deviation decreases by the square root of two
  again = tool_json("excite a460 --columns inertial --evaluate t.csv --with t.csv --json");
  assert_near(real_at(rbv_document_root(again), "parameters.0.sigma"),
              real_at(root, "parameters.0.sigma") / sqrt(2), 0, 1e-9);
  assert_near(real_at(rbv_document_root(again), "before.coupling_index"),
              real_at(root, "score.coupling_index"), 0, 1e-9);
  rbv_document_free(again);
  rbv_document_free(doc);
}

/* via points and text output */
static void test_via_points(void **state) {
  (void)state;
  char *text = tool_text(
      "excite ns16 --class via --criterion mixed --population 6 --generations 2 --period 16 "
      "--acceleration 8,8,9,20,20,30 --rate 100 --trajectories 2 -o via.csv");
  assert_non_null(strstr(text, "58 base parameters, mixed by ga"));
  assert_non_null(strstr(text, "used / limit"));
  free(text);
  char path[512];
  snprintf(path, sizeof path, "%s/via_2.csv", temp_directory());
  csv table = csv_parse(read_text(path, NULL));
  assert_int_equal(table.nrow, 1601);
  csv_free(&table);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "class cannot be 'circle'", "excite a460 --class circle");
  tool_refuses(2, "criterion cannot be 'best'", "excite a460 --criterion best");
  tool_refuses(2, "via points have no gradient", "excite ns16 --class via --search slsqp");
  tool_refuses(2, "needs values of the parameters (--prior)", "excite a460 --criterion sigma");
  tool_refuses(2, "not a base parameter", "excite tx40 --criterion sigma --parameter M1");
  tool_refuses(2, "each value of velocity must be a number above 0",
               "excite a460 --velocity 1,0,1,1,1,1");
  temp_file("floor.yaml", "planes: [{normal: [0, 0, 1], offset: -5}]\n");
  tool_refuses(3, "a workspace plane", "excite a460 --constraints floor.yaml");
  temp_file("hit.yaml",
            "center: [0, 0, 0, 0, 0, 0]\n"
            "collision:\n"
            "  - {link: 0, from: [0, 0, 0], to: [0, 0, 1], radius: 2}\n"
            "  - {link: 6, from: [0, 0, 0], to: [0, 0, 0.1], radius: 0.1}\n");
  tool_refuses(3, "breaks a constraint: self-collision", "excite a460 --constraints hit.yaml");
  temp_file("thick.yaml",
            "joints: [{mdh: {}, limits: {lower: -1, upper: 1}}, {mdh: {alpha: pi/2, d: 0.1}, "
            "limits: {lower: -1, upper: 1}}]\n"
            "collision:\n"
            "  - {link: 0, from: [0, 0, 0], to: [0, 0, 0], radius: 1}\n"
            "  - {link: 2, from: [0, 0, 0], to: [0.1, 0, 0], radius: 0.1}\n");
  tool_refuses(3, "self-collision", "excite thick.yaml");
  temp_file("wrong.yaml",
            "joints: [{mdh: {}}]\ncollision: [{link: 2, from: [0, 0, 0], to: [0, 0, "
            "0], radius: 1}]\n");
  tool_refuses(3, "wrong.yaml:2:13: a capsule on link 2 of 1", "excite wrong.yaml");
  temp_file("odd.yaml", "capsules: []\n");
  tool_refuses(3, "capsules", "excite a460 --constraints odd.yaml");
  tool_refuses(1, "excites all 58 parameters",
               "excite ns16 --class via --harmonics 2 --population 4 --generations 1 --no-floor "
               "--acceleration 8,8,9,20,20,30 --position 0.001,0.001,0.001,0.001,0.001,0.001");
}

/*
 * The procedure of Radkhah 2007 section II.D: design, record, identify, and design again with the
 * identified noise. A recording, with positions and torques only, is evaluated like any motion.
 */
static void test_noise_and_recordings(void **state) {
  (void)state;
  free(tool_text(
      "excite tx40 --columns rigid " QUICK
      " --harmonics 3 --period 5 --blend 0.5 --rate 200 --acceleration 1e4 --tool-speed 100 "
      "-o run.csv"));
  free(tool_text("simulate tx40 run.csv -o log.csv --torque-noise 0.5 --seed 2"));
  // evaluated from the recorded positions, the motion has the score of the design
  rbv_document *plan = tool_json("excite tx40 --columns rigid --evaluate run.csv --json");
  // the design uses its limits up, and the loop overshoots: the recording gets wider ones
  rbv_document *seen =
      tool_json("excite tx40 --columns rigid --evaluate log.csv --position 5 --json");
  const rbv_node *a = rbv_document_root(plan), *b = rbv_document_root(seen);
  assert_near(real_at(b, "score.coupling_index"), real_at(a, "score.coupling_index"), 0, 0.1);
  text_at(b, "inputs.0.role", "evaluate");
  text_at(b, "options.columns", "rigid");
  const char *hash;
  assert_ok(rbv_node_string(&hash, node_at(b, "inputs.0.sha256")));
  assert_int_equal(strlen(hash), 64);
  rbv_document_free(plan);
  rbv_document_free(seen);

  free(tool_text("identify tx40 log.csv -o result.json"));
  rbv_document *result;
  char path[512];
  snprintf(path, sizeof path, "%s/result.json", temp_directory());
  assert_ok(rbv_document_load(&result, path));
  rbv_document *one = tool_json("excite tx40 --evaluate run.csv --json");
  rbv_document *with = tool_json("excite tx40 --evaluate run.csv --noise result.json --json");
  // -log det(W' S^-1 W) is between the values for the smallest and the largest noise of a joint
  const double n = rbv_node_count(node_at(rbv_document_root(one), "parameters"));
  double low = INFINITY, high = 0;
  for (int j = 0; j < 6; j++) {
    char key[64];
    snprintf(key, sizeof key, "fit.per_joint.%d.sigma_Nm", j);
    const double sigma = real_at(rbv_document_root(result), key);
    low = fmin(low, sigma);
    high = fmax(high, sigma);
  }
  const double moved = real_at(rbv_document_root(with), "score.minus_log_det") -
                       real_at(rbv_document_root(one), "score.minus_log_det");
  assert_true(high > low && low > 0);
  assert_true(moved > 2 * n * log(low) && moved < 2 * n * log(high));
  text_at(rbv_document_root(with), "inputs.0.role", "noise");
  rbv_document_free(one);
  rbv_document_free(with);
  rbv_document_free(result);
  tool_refuses(3, "not a result of roberval identify",
               "excite tx40 --evaluate run.csv --noise run.csv");
}

/* Ctrl-C keeps the best so far */
static void test_interrupt(void **state) {
  (void)state;
  char command[1024];
  snprintf(command, sizeof command,
           "cd '%s' && { timeout --preserve-status -s INT 2 '%s' excite ns16 --starts 5000 "
           "--budget 60 -q "
           "-o kept.csv >report.txt; echo $? >code; }",
           temp_directory(), ROBERVAL_TOOL);
  assert_int_equal(system(command), 0);
  char path[512];
  snprintf(path, sizeof path, "%s/code", temp_directory());
  char *code = read_text(path, NULL);
  assert_int_equal(atoi(code), 130);
  free(code);
  snprintf(path, sizeof path, "%s/kept.csv", temp_directory());
  csv table = csv_parse(read_text(path, NULL));
  assert_int_equal(table.nrow, 5000);
  csv_free(&table);
}

/* the report of a design and of an existing motion; its verdict names violated limits */
static void test_report(void **state) {
  (void)state;
  outcome o = tool("excite tx40 " QUICK
                   " --period 4 --harmonics 3 --rate 100 -o d.csv --report d.html --plots d");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "written: d.html"));
  outcome_free(&o);
  char *page = read_text(temp_file("d.html", NULL), NULL);
  static const char *const there[] = {"id=\"verdict\"",
                                      "data-rule=\"limits\"",
                                      "All limits are kept",
                                      "id=\"arm\"",
                                      "id=\"figure-position-1\"",
                                      "id=\"figure-velocity-6\"",
                                      "id=\"figure-sigma\"",
                                      "id=\"figure-coupling\"",
                                      "id=\"figure-torque-6\"",
                                      "id=\"figure-acceleration-1\"",
                                      "data-group=\"plan\"",
                                      "id=\"scene\"",
                                      " s of motion"};
  for (size_t i = 0; i < sizeof there / sizeof *there; i++)
    if (!strstr(page, there[i])) fail_msg("the page has no %s", there[i]);
  assert_null(strstr(page, "src=\"http"));
  // all was checked, with assumed shapes, which the page names: use with care
  assert_non_null(strstr(page, "verdict care"));
  assert_non_null(strstr(page, "<li class=\"care\" data-rule=\"self-collision\""));
  assert_non_null(strstr(page, "look at the motion first"));
  assert_non_null(strstr(page, "data-rule=\"self-collision\""));
  assert_non_null(strstr(page, "assumed capsules of radius"));
  assert_non_null(strstr(page, "\"plane\":-0.32,"));
  assert_non_null(strstr(page, "\"assumed\":true"));
  assert_null(strstr(page, "roberval excite"));
  free(page);
  page = read_text(temp_file("d/torque-1.svg", NULL), NULL);
  assert_int_equal(strncmp(page, "<svg", 4), 0);
  free(page);
  o = tool("excite tx40 --evaluate d.csv --velocity 0.1,0.1,0.1,0.1,0.1,0.1 --report e.html -q");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "do not run this motion: joint1: velocity"));
  outcome_free(&o);
  page = read_text(temp_file("e.html", NULL), NULL);
  assert_non_null(strstr(page, "Do not use</h2>"));
  assert_non_null(strstr(page, "velocity of joint1 ("));
  assert_non_null(strstr(page, "Do not run this motion"));
  free(page);
  // without parameter values the torque is unknown
  o = tool("excite a460 --columns inertial " QUICK
           " --period 4 --harmonics 3 --rate 100 -q --report a.html");
  outcome_free(&o);
  page = read_text(temp_file("a.html", NULL), NULL);
  assert_non_null(strstr(page, "data-rule=\"torque\""));
  assert_null(strstr(page, "id=\"figure-torque-1\""));
  free(page);
}

/* what was checked is told, recorded and shown; robot programs need it */
static void test_checks(void **state) {
  (void)state;
  temp_file("none.yaml", "collision: []\n");
  static const struct {
    const char *options, *message;
  } bad[] = {{"--no-floor --urscript u.script", "no urscript file is written. No floor is checked"},
             {"--constraints none.yaml --ros r.yaml",
              "no ros file is written. Self-collision is not checked"}};
  for (int i = 0; i < 2; i++)
    tool_refuses(2, bad[i].message, "excite a460 " QUICK " %s", bad[i].options);
  tool_refuses(2, "(--unchecked)", "excite a460 " QUICK " --no-floor --ros r.yaml");
  // assumed shapes: one sentence with the three ways
  static const char *const ways[] = {"the shapes of links 0 to 6 are assumed: give shapes",
                                     "the measured radius of the links (option link-radius)",
                                     "accept the motion as it is (option unchecked)"};
  for (int i = 0; i < 3; i++) tool_refuses(2, ways[i], "excite a460 " QUICK " --urscript u.script");
  // a radius of zero means the default: the shapes are still assumed
  tool_refuses(2, ways[0], "excite a460 " QUICK " --link-radius 0 --ros r.yaml");
  // all links but one have a shape
  temp_file("some.yaml",
            "collision:\n"
            "  - {link: 0, from: [0, 0, -0.33], to: [0, 0, 0], radius: 0.08}\n"
            "  - {link: 1, from: [0, 0, 0], to: [0, 0, 0], radius: 0.08}\n"
            "  - {link: 2, from: [0, 0, 0], to: [0.3048, 0, 0], radius: 0.06}\n"
            "  - {link: 3, from: [0, 0, 0], to: [0, -0.3302, 0], radius: 0.05}\n"
            "  - {link: 5, from: [0, 0, 0], to: [0, 0, 0], radius: 0.04}\n"
            "  - {link: 6, from: [0, 0, 0], to: [0, 0, 0.05], radius: 0.04}\n");
  tool_refuses(2, "the shape of link 4 is assumed",
               "excite a460 " QUICK " --constraints some.yaml --ros r.yaml");
  FILE *file = fopen(temp_file("r.yaml", NULL), "r");
  if (file && fclose(file) == 0) remove(temp_file("r.yaml", NULL));

  outcome o = tool("excite a460 " QUICK
                   " --columns inertial --period 4 --harmonics 3 --rate 100 --no-floor --unchecked "
                   "--ros r.yaml -o low.csv --report low.html --json");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "No floor is checked"));
  assert_non_null(strstr(o.err, "assumed capsules of radius"));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "json", o.out, strlen(o.out)));
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "checks.3.name", "self-collision");
  text_at(root, "checks.3.done", "true");
  text_at(root, "checks.3.assumed_shapes", "true");
  text_at(root, "checks.4.name", "mounting plane");
  text_at(root, "checks.4.done", "false");
  text_at(root, "options.unchecked", "true");
  rbv_document_free(doc);
  outcome_free(&o);
  // a given radius is not assumed, and the program is written
  doc = tool_json("excite a460 " QUICK
                  " --columns inertial --period 4 --harmonics 3 --rate 100 --link-radius 0.05 "
                  "--urscript u.script --json");
  text_at(rbv_document_root(doc), "checks.3.assumed_shapes", "false");
  assert_non_null(strstr(rbv_node_text(node_at(rbv_document_root(doc), "checks.3.text")),
                         "simple capsules of the given radius 0.05 m"));
  rbv_document_free(doc);
  free(read_text(temp_file("u.script", NULL), NULL));
  char *page = read_text(temp_file("low.html", NULL), NULL);
  assert_null(strstr(page, "verdict good"));
  assert_non_null(strstr(page, "verdict care"));
  assert_non_null(strstr(page, "No floor is checked"));
  free(page);
  free(read_text(temp_file("r.yaml", NULL), NULL));  // it was written

  // an unknown word is refused
  tool_refuses(2, "mount cannot be 'table'", "excite a460 --mount table");
  tool_refuses(2, "--link-radius needs a number from 0", "excite a460 --link-radius -1");
}

#define GEARED                                                                               \
  "--period 8 --harmonics 3 --velocity 3,3,3 --acceleration 20,20,20 --starts 1 --no-floor " \
  "--rate 100 -q"

static double score_with_friction(const char *motion) {
  rbv_document *doc = tool_json(
      "excite geared.yaml --velocity 3,3,3 --acceleration 20,20,20 --no-floor --friction "
      "Fl,Fp=0.05 --evaluate %s -q --json",
      motion);
  const double value = real_at(rbv_document_root(doc), "score.minus_log_det");
  rbv_document_free(doc);
  return value;
}

/* friction of load and presliding are part of the criterion when they are named: the design then
 * knows them better than one without; the load needs values of the links */
static void test_design_for_friction(void **state) {
  (void)state;
  static const char joints[] =
      "joints:\n"
      "  - {mdh: {}, drive: [Ia, Fv, Fc]}\n"
      "  - {mdh: {alpha: -pi/2}, drive: [Ia, Fv, Fc]}\n"
      "  - {mdh: {d: 0.4}, drive: [Ia, Fv, Fc]}\n";
  char text[1024];
  snprintf(
      text, sizeof text,
      "%sparameters: {ZZ1: 1.2, YY2: 0.6, ZZ2: 0.6, MX2: 2, M2: 6, ZZ3: 0.2, MX3: 0.5, M3: 2}\n",
      joints);
  temp_file("geared.yaml", text);
  temp_file("unknown.yaml", joints);
  free(tool_text("excite geared.yaml " GEARED " -o plain.csv"));
  rbv_document *doc =
      tool_json("excite geared.yaml " GEARED " --friction Fl,Fp=0.05 -o geared.csv --json");
  const rbv_node *list = node_at(rbv_document_root(doc), "parameters");
  int found = 0;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const char *name = rbv_node_text(rbv_node_find(rbv_node_at(list, i), "name"));
    found += strncmp(name, "Fl", 2) == 0 || strncmp(name, "Fp", 2) == 0;
  }
  assert_int_equal(found, 6);
  rbv_document_free(doc);
  const double plain = score_with_friction("plain.csv"), geared = score_with_friction("geared.csv");
  print_message("-log det %.2f with friction, %.2f without\n", geared, plain);
  assert_true(geared < plain);
  tool_refuses(3, "needs values of the links (see --prior)",
               "excite unknown.yaml " GEARED " --friction Fl");
}

/* a motion below the mounting plane, and one through the base: where, and exit code 1 */
static void test_evaluate(void **state) {
  (void)state;
  temp_file("arm.yaml",
            "joints:\n"
            "  - {mdh: {r: 0.5}, limits: {lower: -3, upper: 3, velocity: 9}}\n"
            "  - {mdh: {alpha: pi/2}, limits: {lower: -3, upper: 3, velocity: 9}}\n"
            "  - {mdh: {d: 0.4}, limits: {lower: -3, upper: 3, velocity: 9}}\n"
            "  - {mdh: {d: 0.4}, limits: {lower: -3, upper: 3, velocity: 9}}\n");
  // joint 2 sinks by 1 rad/s. The robot is 1.3 m long, so that its links get a radius of 65 mm.
  // Joint 4, 0.8 m out, is within 1 mm of the plane when 0.5 - 0.8 sin(t) = 0.066, at 0.573 s
  char text[8192];
  int at = snprintf(text, sizeof text, "t,q1,q2,q3,q4,dq1,dq2,dq3,dq4,ddq1,ddq2,ddq3,ddq4\n");
  for (int k = 0; k <= 100; k++)
    at += snprintf(text + at, sizeof text - (size_t)at, "%.2f,0,%.2f,0,0,0,-1,0,0,0,0,0,0\n",
                   0.01 * k, -0.01 * k);
  temp_file("down.csv", text);
  outcome o = tool("excite arm.yaml --columns inertial --evaluate down.csv --json");
  assert_int_equal(o.code, 1);
  const char *where = strstr(o.err, "the mounting plane and link ");
  assert_non_null(where);
  assert_near(atof(strstr(where, " at ") + 4), 0.573, 0.006, 0);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "json", o.out, strlen(o.out)));
  text_at(rbv_document_root(doc), "trajectories.0.feasible", "false");
  rbv_document_free(doc);
  outcome_free(&o);
  // without the plane, link 4 stays away from the base
  o = tool("excite arm.yaml --columns inertial --evaluate down.csv --no-floor");
  assert_non_null(strstr(o.out, "NOT CHECKED"));
  assert_null(strstr(o.err, "do not run"));
  outcome_free(&o);
}

/* names of joints cannot add keys to a ROS file */
static void test_names(void **state) {
  (void)state;
  temp_file("inject.yaml",
            "joints:\n"
            "  - {name: \"a\\\"]\\npoints: [x]\\n#\", mdh: {r: 0.5},\n"
            "     limits: {lower: -1, upper: 1, velocity: 1, acceleration: 1}}\n"
            "  - {name: 'b\\', mdh: {alpha: pi/2, d: 0.2},\n"
            "     limits: {lower: 0, upper: 1, velocity: 1, acceleration: 1}}\n");
  free(tool_text("excite inject.yaml --columns inertial " QUICK
                 " --period 4 --harmonics 2 --rate 20 --link-radius 0.03 --ros i.yaml "
                 "--coefficients c.yaml"));
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("i.yaml", NULL)));
  const rbv_node *root = rbv_document_root(doc);
  // control characters of names become spaces when a robot is read
  text_at(root, "joint_names.0", "a\"] points: [x] #");
  text_at(root, "joint_names.1", "b\\");
  assert_int_equal(rbv_node_count(node_at(root, "points")), 80);
  assert_int_equal(rbv_node_count(root), 2);
  rbv_document_free(doc);
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_load(&t, temp_file("c.yaml", NULL)));
  rbv_trajectory_free(t);
}

/* times without end are refused before the search */
static void test_extreme_times(void **state) {
  (void)state;
  static const char *const bad[] = {"--blend 1e-308", "--blend 1e6",     "--periods 1000000",
                                    "--period 1e300", "--period 1e-300", "--rate 1e300"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    tool_refuses(2, "", "excite a460 --budget 1 %s", bad[i]);
  // long, but possible: the budget ends it
  outcome o = tool("excite a460 --columns inertial --budget 1 --blend 5000 --rate 1 -q");
  assert_true(o.code == 0 || (o.code == 1 && strstr(o.err, "the budget of 1 s ended")));
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_report),
      cmocka_unit_test(test_design_and_files),
      cmocka_unit_test(test_via_points),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_checks),
      cmocka_unit_test(test_evaluate),
      cmocka_unit_test(test_design_for_friction),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_extreme_times),
      cmocka_unit_test(test_noise_and_recordings),
      cmocka_unit_test(test_interrupt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
