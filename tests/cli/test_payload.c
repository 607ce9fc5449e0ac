/* roberval payload: a known body on robots whose parameters are known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/dynamics.h>
#include <roberval/sys/log.h>

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COLUMN_MAX 200
#define JOINT_MAX 8

static double chi[COLUMN_MAX];

/* the payload of the last link: mass, centre, inertia about it (xx xy xz yy yz zz) */
static const double mass = 3.2, centre[3] = {0.04, -0.03, 0.12},
                    inertia[6] = {0.05, -0.004, 0.006, 0.04, 0.003, 0.03};

/* the parameters of the body at the origin of the frame, as in the columns */
static void set_payload(const rbv_model *m) {
  static const char *const names[10] = {"XXL", "XYL", "XZL", "YYL", "YZL",
                                        "ZZL", "MXL", "MYL", "MZL", "ML"};
  const double x = centre[0], y = centre[1], z = centre[2];
  const double shift[6] = {y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y};
  for (int i = 0; i < 10; i++) {
    double *to = &chi[rbv_model_find(m, names[i])];
    *to = i < 6 ? inertia[i] + mass * shift[i] : i < 9 ? mass * centre[i - 6] : mass;
  }
}

/* 10 s at 500 Hz; channel j divided by gain[j]; noise of 0.05 N m before that */
static void record(const rbv_model *m, const char *name, uint64_t seed, bool loaded,
                   const double *gain, const char *stems) {
  waves w;
  waves_new(&w, m, chi, seed, 5000, 500, loaded);
  waves_add_noise(&w, seed, 0.05);
  for (int r = 0; r < w.nrow && gain; r++)
    for (ptrdiff_t k = 0; k < w.count; k++) w.torque[k + r * w.count] /= gain[r];
  waves_save(&w, temp_file(name, NULL), stems);
  waves_free(&w);
}

/* empty.csv and loaded.csv of a robot with smooth friction, so that noise is the only error */
static void record_pair(const char *robot, int sensing, const double *gain, const char *stems) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = sensing;
  o.payload = true;
  o.gamma = 20;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, &o));
  random_columns(chi, m, 5);
  set_payload(m);
  record(m, "empty.csv", 1, false, gain, stems);
  record(m, "loaded.csv", 2, true, gain, stems);
  rbv_model_free(m);
}

/* ---- parameters of the payload ---- */

/* ten numbers: one is beyond four sigma once in 1600 times */
static void assert_covered(const rbv_node *root, const char *key, double truth, double most) {
  const rbv_node *entry = node_at(root, key);
  const double sigma = real_at(entry, "sigma");
  assert_near(real_at(entry, "value"), truth, 4 * sigma, 0);
  assert_true(sigma > 0 && sigma < most);
}

static void assert_body(const rbv_node *root) {
  text_at(root, "schema", "roberval.payload/1");
  text_at(root, "version", rbv_version());
  text_at(root, "frame", "that of the last link");
  assert_true(real_at(root, "relative_error") < 0.05);
  assert_covered(root, "mass_kg", mass, 0.05);
  assert_covered(root, "centre_x_m", centre[0], 0.005);
  assert_covered(root, "centre_y_m", centre[1], 0.005);
  assert_covered(root, "centre_z_m", centre[2], 0.005);
  static const char *const key[6] = {"inertia_xx_kg_m2", "inertia_xy_kg_m2", "inertia_xz_kg_m2",
                                     "inertia_yy_kg_m2", "inertia_yz_kg_m2", "inertia_zz_kg_m2"};
  for (int i = 0; i < 6; i++) assert_covered(root, key[i], inertia[i], 0.02);
}

static void test_lwr_by_motors_and_by_sensors(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_BOTH, NULL, "q tau tauj");
  const char *const sensing[] = {"motor", "joint", "both"};
  for (int i = 0; i < 3; i++) {
    rbv_document *doc = tool_json(
        "payload lwr4+ empty.csv loaded.csv --gamma 20 --sensing %s -d 5 --json", sensing[i]);
    text_at(rbv_document_root(doc), "robot", "lwr4+");
    assert_body(rbv_document_root(doc));
    rbv_document_free(doc);
  }
}

/* the law of friction is chosen from the speeds, as in `identify` */
static void test_law_is_that_of_identify(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_MOTOR, NULL, "q tau");
  outcome p = tool("payload lwr4+ empty.csv loaded.csv --sensing motor -d 5 -v"),
          i = tool("identify lwr4+ empty.csv --sensing motor -d 5 -v -o empty.json");
  const char *law = strstr(i.err, "Coulomb friction is smoothed below");
  assert_non_null(law);
  assert_non_null(strstr(p.err, "0.1 % of each joint's typical top speed"));
  outcome_free(&p);
  outcome_free(&i);
}

/* a six-axis arm with a common type of wrist */
static const char urdf[] = "<robot name=\"six\"><link name=\"l0\"/>"
#define JOINT(n, before, xyz, axis)                                                             \
  "<joint name=\"a" n "\" type=\"revolute\"><parent link=\"l" before "\"/><child link=\"l" n    \
  "\"/><origin xyz=\"" xyz "\"/><axis xyz=\"" axis                                              \
  "\"/><limit effort=\"100\" velocity=\"5\" lower=\"-3\" upper=\"3\"/></joint><link name=\"l" n \
  "\"/>"
    JOINT("1", "0", "0 0 0.3", "0 0 1") JOINT("2", "1", "0.1 0 0.1", "0 1 0")
        JOINT("3", "2", "0 0 0.6", "0 1 0") JOINT("4", "3", "0.2 0 0.05", "1 0 0")
            JOINT("5", "4", "0.4 0 0", "0 1 0") JOINT("6", "5", "0.1 0 0", "1 0 0") "</robot>";

static void test_six_axes_from_a_urdf(void **state) {
  (void)state;
  record_pair(temp_file("six.urdf", urdf), RBV_SENSING_MOTOR, NULL, "q tau");
  rbv_document *doc = tool_json("payload six.urdf empty.csv loaded.csv --gamma 20 -d 5 --json");
  text_at(rbv_document_root(doc), "robot", "six");
  assert_body(rbv_document_root(doc));
  rbv_document_free(doc);
  char *words = tool_text("payload six.urdf empty.csv loaded.csv --gamma 20 -m ols");
  const char *const lines[] = {
      "mass ",      "centre x", "centre z", "inertia xx", "inertia yz",
      "inertia zz", " +- ",     "kg\n",     "m\n",        "kg m^2 about the centre"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    assert_non_null(strstr(words, lines[i]));
  free(words);
}

/* on a turntable only the inertia about its axis is identifiable */
static void test_unidentifiable_parameters(void **state) {
  (void)state;
  record_pair(temp_file("table.yaml", "joints: [{mdh: {}}]\n"), RBV_SENSING_MOTOR, NULL, "q tau");
  outcome o = tool("payload table.yaml empty.csv loaded.csv --gamma 20");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.out, "mass       not identifiable from these motions"));
  outcome_free(&o);
  o = tool("payload table.yaml empty.csv loaded.csv --gamma 20 -q --json");
  assert_int_equal(o.code, 1);
  assert_string_equal(o.err, "");
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
  assert_true(rbv_node_is_null(node_at(rbv_document_root(doc), "mass_kg.value")));
  assert_true(rbv_node_is_null(node_at(rbv_document_root(doc), "mass_kg.sigma")));
  text_at(rbv_document_root(doc), "mass_kg.reason", "not identifiable from these motions");
  rbv_document_free(doc);
  outcome_free(&o);
}

/* ---- a result instead of the empty recording ---- */

static double value_of(const rbv_document *doc, const char *key) {
  return real_at(node_at(rbv_document_root(doc), key), "value");
}

static void test_result_instead_of_a_recording(void **state) {
  (void)state;
  record_pair(temp_file("six.urdf", urdf), RBV_SENSING_MOTOR, NULL, "q tau");
  outcome o = tool("identify six.urdf empty.csv --gamma 20 -d 5 -o result.json");
  outcome_free(&o);
  rbv_document *two = tool_json("payload six.urdf empty.csv loaded.csv --gamma 20 -d 5 --json");
  rbv_document *one = tool_json("payload result.json loaded.csv --json -o payload.json");
  text_at(rbv_document_root(one), "source", "result");
  assert_body(rbv_document_root(one));
  static const char *const key[] = {"mass_kg", "centre_x_m", "centre_y_m", "centre_z_m"};
  assert_near(value_of(one, key[0]), value_of(two, key[0]), 0, 0.01);
  // 1 % of the distance to the axis
  for (int i = 1; i < 4; i++) assert_near(value_of(one, key[i]), value_of(two, key[i]), 0.0012, 0);
  rbv_document *file;
  assert_ok(rbv_document_load(&file, temp_file("payload.json", NULL)));
  assert_true(value_of(file, "mass_kg") == value_of(one, "mass_kg"));
  rbv_document_free(file);
  rbv_document_free(one);
  rbv_document_free(two);
  o = tool("payload result.json loaded.csv --report payload.html");
  assert_int_equal(o.code, 0);
  char *page = read_text(temp_file("payload.html", NULL), NULL);
  static const char *const part[] = {"The mass is known to", "inertia zz", "set_target_payload(",
                                     "</html>"};
  for (int i = 0; i < 4; i++) assert_non_null(strstr(page, part[i]));
  free(page);
  assert_non_null(strstr(o.err, "set_target_payload("));
  assert_non_null(strstr(o.err, "robot.setLoad("));
  assert_non_null(strstr(o.err, "see --frame"));
  outcome_free(&o);
}

/* ---- poses and a wrist sensor ---- */

#define SENSOR                                                                        \
  "<joint name=\"mount\" type=\"fixed\"><parent link=\"l6\"/><child link=\"tool0\"/>" \
  "<origin xyz=\"0.07 0.01 -0.02\" rpy=\"0.3 1.5707963267948966 0.2\"/></joint>"      \
  "<link name=\"tool0\"/></robot>"

/* the robot with a frame at its end */
static rbv_model *load_with_tool(void) {
  char text[8192];
  snprintf(text, sizeof text, "%s", urdf);
  strcpy(strstr(text, "</robot>"), SENSOR);
  rbv_model *m;
  assert_ok(rbv_model_load(&m, temp_file("tool.urdf", text), NULL));
  return m;
}

/* the payload in the frame tool0, from that of the last link */
static void centre_in_tool(double out[3], const rbv_model *m) {
  double R[9], p[3];
  assert_int_equal(rbv_model_frame(R, p, m, "tool0"), 6);
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int k = 0; k < 3; k++) out[i] += R[3 * k + i] * (centre[k] - p[k]);
  }
}

static void assert_weighed(const rbv_document *doc, const double at[3]) {
  static const char *const key[3] = {"centre_x_m", "centre_y_m", "centre_z_m"};
  const rbv_node *root = rbv_document_root(doc);
  assert_near(value_of(doc, "mass_kg"), mass, 0, 0.01);
  for (int i = 0; i < 3; i++) assert_near(value_of(doc, key[i]), at[i], 0.002, 0);
  text_at(root, "frame", "tool0");
}

/* poses of `excite --static` with torques of a known arm, as a list and as holds in time */
static void test_static_poses(void **state) {
  (void)state;
  rbv_model *m = load_with_tool();
  double at[3];
  centre_in_tool(at, m);
  outcome o = tool("excite tool.urdf --static 12 -o poses.csv");
  if (o.code) fail_msg("%s", o.err);
  outcome_free(&o);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, temp_file("poses.csv", NULL), NULL));
  assert_int_equal(rbv_log_samples(log), 12);
  random_columns(chi, m, 5);
  // the arm as a parameter file, so that `identify` is not needed
  const int n = rbv_model_column_count(m), first = rbv_model_find(m, "XX6");
  char path[512];
  snprintf(path, sizeof path, "%s", temp_file("list.csv", NULL));
  FILE *list = fopen(path, "w");
  snprintf(path, sizeof path, "%s", temp_file("holds.csv", NULL));
  FILE *holds = fopen(path, "w");
  snprintf(path, sizeof path, "%s", temp_file("bare.csv", NULL));
  FILE *bare = fopen(path, "w");
  FILE *const file[3] = {list, holds, bare};
  assert_true(list && holds && bare);
  for (int i = 0; i < 3; i++) {
    fprintf(file[i], i == 1 ? "t," : "");
    for (int j = 0; j < 12; j++)
      fprintf(file[i], "%s%d%s", j < 6 ? "q" : "tau", j % 6 + 1, j < 11 ? "," : "\n");
  }
  double with[COLUMN_MAX];
  memcpy(with, chi, sizeof with);
  for (int i = 6; i < 10; i++) with[first + i] += i < 9 ? mass * centre[i - 6] : mass;
  assert_true(n <= COLUMN_MAX);
  for (int k = 0; k < 12; k++) {
    const double zero[6] = {0};
    double q[6], tau[2][6];
    for (int j = 0; j < 6; j++) q[j] = rbv_log_channel(log, RBV_CHANNEL_POSITION, j)[k];
    assert_ok(rbv_model_torques(tau[0], m, chi, 1, q, zero, zero));
    assert_ok(rbv_model_torques(tau[1], m, with, 1, q, zero, zero));
    for (int i = 0; i < 3; i++)
      for (int r = 0; r < (i == 1 ? 40 : 1); r++) {
        if (i == 1) fprintf(file[i], "%.3f,", (40 * k + r) * 0.05);
        for (int j = 0; j < 6; j++) fprintf(file[i], "%.9f,", q[j]);
        for (int j = 0; j < 6; j++) {
          const uint64_t which = (uint64_t)(1000 * k + 10 * r + j);
          const double exact = tau[i != 2][j], noise = 0.005 * fabs(tau[1][j]);
          fprintf(file[i], "%.9f%s", exact + noise * rbv_random_normal(4, (uint64_t)i, which),
                  j < 5 ? "," : "\n");
        }
      }
  }
  for (int i = 0; i < 3; i++) fclose(file[i]);
  rbv_log_free(log);
  rbv_model_free(m);
  static const char *const loaded[2] = {"list.csv", "holds.csv"};
  for (int i = 0; i < 2; i++) {
    rbv_document *doc =
        tool_json("payload tool.urdf bare.csv %s --static --frame tool0 --json", loaded[i]);
    assert_weighed(doc, at);
    text_at(rbv_document_root(doc), "source", "static poses");
    assert_true(real_at(rbv_document_root(doc), "poses") == 12);
    assert_true(rbv_node_is_null(node_at(rbv_document_root(doc), "inertia_xx_kg_m2.value")));
    rbv_document_free(doc);
  }
  o = tool("payload tool.urdf bare.csv list.csv --static --frame tool0");
  assert_non_null(strstr(o.err, "set_payload("));
  outcome_free(&o);
}

static void multiply(double out[9], const double A[9], const double B[9]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      out[3 * i + k] = 0;
      for (int l = 0; l < 3; l++) out[3 * i + k] += A[3 * i + l] * B[3 * l + k];
    }
}

/* axes of tool0 and the payload's centre in the base; row-major */
static void pose_at(double R[9], double c[3], double origin[3], rbv_dynamics *d, const double *q,
                    const double Rs[9], const double ps[3], const double at[3]) {
  double C[9], p[3], L[9];
  rbv_dynamics_pose(C, p, d, q, 5);
  for (int i = 0; i < 9; i++) L[i] = C[i / 3 + 3 * (i % 3)];
  multiply(R, L, Rs);
  for (int i = 0; i < 3; i++) {
    origin[i] = p[i];
    for (int k = 0; k < 3; k++) origin[i] += L[3 * i + k] * ps[k];
    c[i] = origin[i];
    for (int k = 0; k < 3; k++) c[i] += R[3 * i + k] * at[k];
  }
}

/* wrench at the sensor by differences of positions and of the angular momentum */
static void test_wrist_sensor_in_motion(void **state) {
  (void)state;
  rbv_model *m = load_with_tool();
  rbv_dynamics *d;
  double at[3], Rs[9], ps[3];
  centre_in_tool(at, m);
  (void)rbv_model_frame(Rs, ps, m, "tool0");
  assert_ok(rbv_dynamics_new(&d, m));
  waves w;
  waves_new(&w, m, NULL, 3, 5000, 500, false);
  const double I[9] = {0.05, -0.004, 0.006, -0.004, 0.04, 0.003, 0.006, 0.003, 0.03};
  const double g[3] = {0, 0, -9.81}, h = 1.0 / 500;
  static const double bias[6] = {4, -7, 12, 0.5, -0.3, 0.2};
  FILE *f = fopen(temp_file("wrench.csv", NULL), "w");
  assert_non_null(f);
  fprintf(f, "t,q1,q2,q3,q4,q5,q6,fx,fy,fz,tx,ty,tz\n");
  for (int k = 2; k + 2 < w.count; k++) {
    double R[5][9], c[5][3], o[5][3], L[3][3];
    for (int s = 0; s < 5; s++) {
      double q[6];
      for (int j = 0; j < 6; j++) q[j] = w.q[k + s - 2 + j * w.count];
      pose_at(R[s], c[s], o[s], d, q, Rs, ps, at);
    }
    // angular momentum about the centre at k - 1, k, k + 1
    for (int s = 1; s < 4; s++) {
      double dR[9], W[9], T[9], J[9], RI[9];
      for (int i = 0; i < 9; i++) dR[i] = (R[s + 1][i] - R[s - 1][i]) / (2 * h);
      for (int i = 0; i < 9; i++) T[i] = R[s][i % 3 * 3 + i / 3];
      multiply(W, dR, T);
      multiply(RI, R[s], I);
      multiply(J, RI, T);
      const double omega[3] = {(W[7] - W[5]) / 2, (W[2] - W[6]) / 2, (W[3] - W[1]) / 2};
      for (int i = 0; i < 3; i++) {
        L[s - 1][i] = 0;
        for (int l = 0; l < 3; l++) L[s - 1][i] += J[3 * i + l] * omega[l];
      }
    }
    double force[3], torque[3], reading[6];
    for (int i = 0; i < 3; i++)
      force[i] = mass * ((c[3][i] - 2 * c[2][i] + c[1][i]) / (h * h) - g[i]);
    for (int i = 0; i < 3; i++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      torque[i] = (L[2][i] - L[0][i]) / (2 * h) + (c[2][a] - o[2][a]) * force[b] -
                  (c[2][b] - o[2][b]) * force[a];
    }
    for (int i = 0; i < 3; i++) {
      reading[i] = bias[i];
      reading[3 + i] = bias[3 + i];
      for (int l = 0; l < 3; l++) {
        reading[i] += R[2][3 * l + i] * force[l];
        reading[3 + i] += R[2][3 * l + i] * torque[l];
      }
    }
    fprintf(f, "%.6f", k * h);
    for (int j = 0; j < 6; j++) fprintf(f, ",%.12g", w.q[k + j * w.count]);
    for (int i = 0; i < 6; i++)
      fprintf(f, ",%.9g",
              reading[i] + (i < 3 ? 0.1 : 0.01) * rbv_random_normal(6, (uint64_t)i, (uint64_t)k));
    fprintf(f, "\n");
  }
  fclose(f);
  waves_free(&w);
  rbv_dynamics_free(d);
  rbv_model_free(m);
  rbv_document *doc = tool_json("payload tool.urdf wrench.csv --wrist tool0 --json");
  assert_weighed(doc, at);
  static const char *const key[6] = {"inertia_xx_kg_m2", "inertia_xy_kg_m2", "inertia_xz_kg_m2",
                                     "inertia_yy_kg_m2", "inertia_yz_kg_m2", "inertia_zz_kg_m2"};
  const double want[6] = {0.05, -0.004, 0.006, 0.04, 0.003, 0.03};
  // differentiated positions lose some per cent of the fast part
  for (int i = 0; i < 6; i++) assert_near(value_of(doc, key[i]), want[i], 0.003, 0);
  assert_covered(node_at(rbv_document_root(doc), "bias"), "force_z_N", 12, 0.5);
  assert_covered(node_at(rbv_document_root(doc), "bias"), "torque_x_Nm", 0.5, 0.05);
  rbv_document_free(doc);
}

static void test_wrong_use(void **state) {
  (void)state;
  rbv_model_free(load_with_tool());
  record_pair(temp_file("six.urdf", urdf), RBV_SENSING_MOTOR, NULL, "q tau");
  static const struct {
    const char *line, *message;
    int code;
  } bad[] = {
      {"payload six.urdf loaded.csv", "a robot needs a recording without the payload", 2},
      {"payload tool.urdf loaded.csv --wrist tool0", "no columns of a force/torque sensor", 3},
      {"payload tool.urdf loaded.csv --wrist flange",
       "the robot has no frame 'flange'; frames of the "
       "last link: l6, tool0",
       3},
      {"payload six.urdf empty.csv loaded.csv --frame l3", "is not fixed to the last link", 3},
      {"payload six.urdf empty.csv loaded.csv --tilted", "--tilted needs the option wrist", 2},
      {"payload six.urdf loaded.csv --static", "the robot has no parameter values", 3},
      {"excite six.urdf --wrist", "--wrist needs poses at rest", 2},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    outcome o = tool("%s", bad[i].line);
    if (o.code != bad[i].code || !strstr(o.err, bad[i].message))
      fail_msg("%s: %d, %s", bad[i].line, o.code, o.err);
    outcome_free(&o);
  }
}

/* ---- drive gains ---- */

static const double gains[JOINT_MAX] = {2, 0.5, 12, 1, 0.1, 3, 0.7};

static void test_known_mass_gives_gains(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_MOTOR, gains, "q tau");
  rbv_document *doc = tool_json(
      "payload lwr4+ empty.csv loaded.csv --gamma 20 --sensing motor -d 5 --known-mass %.17g "
      "--json",
      mass);
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.gains/1");
  assert_true(real_at(root, "known_mass_kg") == mass);
  assert_int_equal(rbv_node_count(node_at(root, "drives")), 7);
  for (int j = 0; j < 7; j++) {
    const rbv_node *drive = rbv_node_at(node_at(root, "drives"), j);
    const double sigma = real_at(drive, "sigma");
    // the payload's weight is a few N m against noise of 0.05: a few per cent at most
    assert_near(real_at(drive, "gain"), gains[j], 4 * sigma, 0);
    assert_true(sigma > 0 && sigma < 0.05 * gains[j]);
  }
  text_at(root, "drives.0.joint", "joint1");
  rbv_document_free(doc);
  char *words = tool_text(
      "payload lwr4+ empty.csv loaded.csv --gamma 20 --sensing motor -d 5 --known-mass 3.2");
  assert_non_null(strstr(words, "drive "));
  assert_non_null(strstr(words, "joint7"));
  free(words);
}

/* identified gains and the same gains given as an option lead to the same parameters */
static void test_identify_with_a_known_mass(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_MOTOR, gains, "q tau");
  static const char how[] =
      "identify lwr4+ empty.csv --sensing motor --payload --loaded loaded.csv --gamma 20 -d 5";
  rbv_document *doc = tool_json("%s --known-mass %.17g --json", how, mass);
  const rbv_node *root = rbv_document_root(doc);
  const char *found = rbv_node_text(node_at(root, "chosen.drive_gains"));
  rbv_document *given = tool_json("%s --gains '%s' --json", how, found);
  const rbv_node *a = node_at(root, "estimate.parameters"),
                 *b = node_at(rbv_document_root(given), "estimate.parameters");
  for (int k = 0; k < rbv_node_count(a); k++) {
    assert_true(real_at(rbv_node_at(a, k), "value") == real_at(rbv_node_at(b, k), "value"));
    // total least squares uses the known mass; least squares then estimates it again
    if (strcmp(rbv_node_text(rbv_node_find(rbv_node_at(a, k), "name")), "ML") == 0)
      assert_near(real_at(rbv_node_at(a, k), "value"), mass, 0, 0.01);
  }
  outcome o = tool("%s --known-mass 3.2 -o x.json", how);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "drive gains: "));
  outcome_free(&o);
  rbv_document_free(given);
  rbv_document_free(doc);
}

static void test_refusals(void **state) {
  (void)state;
  record_pair("lwr4+", RBV_SENSING_BOTH, NULL, "q tau tauj");
  tool_refuses(2, "an argument is missing", "payload lwr4+");
  tool_refuses(2, "a robot needs a recording without the payload", "payload lwr4+ empty.csv");
  tool_refuses(2, "unexpected argument 'loaded.csv'",
               "payload lwr4+ empty.csv loaded.csv loaded.csv");
  tool_refuses(2, "--method cannot be 'magic' (choose from ols, wls, ",
               "payload lwr4+ empty.csv loaded.csv -m magic");
  tool_refuses(2, "--mask", "payload lwr4+ empty.csv loaded.csv --mask=-1");
  tool_refuses(2, "--known-mass needs a number above 0",
               "payload lwr4+ empty.csv loaded.csv --known-mass=-1");
  tool_refuses(2, "use the sensing motor",
               "payload lwr4+ empty.csv loaded.csv --sensing joint --known-mass 1");
  tool_refuses(2, "--sensing cannot be 'ear' (choose from motor, joint, both, difference)",
               "payload lwr4+ empty.csv loaded.csv --sensing ear");
  tool_refuses(2, "known-mass needs the option payload",
               "identify lwr4+ empty.csv --sensing motor --known-mass 1");
  tool_refuses(2, "only one of known-mass, back-emf and gains can be given",
               "identify lwr4+ empty.csv --known-mass 1 --gains 1,1,1,1,1,1,1");
  tool_refuses(3, "absent.csv", "payload lwr4+ empty.csv absent.csv");
  tool_refuses(3, "no.yaml", "payload no.yaml empty.csv loaded.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_law_is_that_of_identify),
      cmocka_unit_test(test_lwr_by_motors_and_by_sensors),
      cmocka_unit_test(test_six_axes_from_a_urdf),
      cmocka_unit_test(test_unidentifiable_parameters),
      cmocka_unit_test(test_result_instead_of_a_recording),
      cmocka_unit_test(test_static_poses),
      cmocka_unit_test(test_wrist_sensor_in_motion),
      cmocka_unit_test(test_wrong_use),
      cmocka_unit_test(test_known_mass_gives_gains),
      cmocka_unit_test(test_identify_with_a_known_mass),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
