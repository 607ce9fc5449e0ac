/*
 * Real robots that record no torque: identified from positions, exported as MJCF, simulated by
 * MuJoCo under the control law of the recording. MuJoCo's free run is as near to the recording as
 * ours, and nearer than that of the robot file.
 */
#include <math.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/support.h"
#include "document/document.h"
#include "oracle.h"
#include "tool.h"

#define STEP 5e-4  // of MuJoCo [s]
#define JOINTS 6

typedef struct {
  const char *folder, *robot, *recording, *part;  // part: options of the robot
  const char *joint[JOINTS];
  double k_p[JOINTS], k_d[JOINTS];
  int n;
} real_robot;

static const real_robot robots[] = {
    {"legs_go2",
     "go2.xml",
     "go2_0.csv",
     "--root base --tip FL_calf",
     {"FL_hip_joint", "FL_thigh_joint", "FL_calf_joint"},
     {20, 20, 40},
     {1, 1, 2},
     3},
    {"legs_go2",
     "go2.xml",
     "go2_0.csv",
     "--root base --tip RR_calf",
     {"RR_hip_joint", "RR_thigh_joint", "RR_calf_joint"},
     {20, 20, 40},
     {1, 1, 2},
     3},
    {"arm_z1",
     "z1.xml",
     "z1_8s.csv",
     "--tip link06",
     {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"},
     {80, 120, 120, 80, 80, 80},
     {2.5, 2.5, 2.5, 2.5, 2.5, 2.5},
     6}};

static rbv_control *law_of(const real_robot *r) {
  rbv_text t = {0};
  rbv_text_put(&t, "rate_hz: 200\njoints:\n");
  rbv_control_joint joint[JOINTS];
  for (int j = 0; j < r->n; j++) {
    rbv_text_print(&t, "  - {k_p: %g, k_d: %g, reference_velocity: 0}\n", r->k_p[j], r->k_d[j]);
    joint[j] = rbv_control_joint_defaults();
    joint[j].k_p = r->k_p[j];
    joint[j].k_d = r->k_d[j];
    joint[j].reference_velocity = 0;
  }
  (void)temp_file("law.yaml", t.data);
  rbv_text_free(&t);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", 200, RBV_FEEDFORWARD_NONE, joint, r->n));
  return c;
}

/* the document without meshes, which are not with the recordings, with a base at rest, and without
 * an integrator that MuJoCo 2 does not have */
static void strip(char *text) {
  static const char *const gone[] = {"<freejoint", "<key ", "<mesh ", "<geom "};
  for (int i = 0; i < 4; i++)
    for (char *at = text; (at = strstr(at, gone[i]));) {
      char *end = strchr(at, '>');
      *end = 0;
      // a class of geometry in a default stays
      const bool mesh = i < 2 || (!strstr(at, "contype") &&
                                   (strstr(at, "mesh") || strstr(at, "visual")));
      *end = '>';
      if (mesh && end[-1] == '/') memset(at, ' ', (size_t)(end + 1 - at));
      at = end;
    }
  char *fast = strstr(text, "implicitfast\"");
  if (fast) memcpy(fast, "implicit\"    ", 13);
}

/* A recording: rows x joints. */
typedef struct {
  ptrdiff_t rows;
  double *q, *reference, last;  // last: time of the last row
} rows_of;

/* place of a column of the header; -1: there is none */
static int find_column(const char *header, const char *joint, const char *what) {
  char name[64];
  snprintf(name, sizeof name, "%s/%s", joint, what);
  int column = 0;
  for (const char *at = header; at; at = strchr(at, ','), column += at != NULL) {
    at += *at == ',';
    if (strncmp(at, name, strlen(name)) == 0) return column;
  }
  return -1;
}

static rows_of read_rows(const real_robot *r, const char *path) {
  enum { MOST = 6000 };
  static char line[1 << 14];
  char command[2200];
  rows_of out = {.q = malloc(MOST * JOINTS * sizeof(double)),
                 .reference = malloc(MOST * JOINTS * sizeof(double))};
  snprintf(command, sizeof command, "gzip -dc '%s'", path);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  assert_non_null(fgets(line, sizeof line, f));
  int place[2][JOINTS];
  for (int j = 0; j < r->n; j++) {
    place[0][j] = find_column(line, r->joint[j], "position");
    place[1][j] = find_column(line, r->joint[j], "reference");
    assert_true(place[0][j] > 0 && place[1][j] > 0);
  }
  for (; out.rows < MOST && fgets(line, sizeof line, f); out.rows++) {
    int column = 0;
    for (char *at = line; at; at = strchr(at, ','), column++) {
      at += *at == ',';
      const double x = strtod(at, NULL);
      if (column == 0) out.last = x;
      for (int j = 0; j < r->n; j++) {
        if (column == place[0][j]) out.q[out.rows * r->n + j] = x;
        if (column == place[1][j]) out.reference[out.rows * r->n + j] = x;
      }
    }
  }
  pclose(f);
  return out;
}

/* mean squares of the recorded minus the simulated positions */
static void follow(double error[JOINTS], const oracle *o, const real_robot *r, const rows_of *log,
                   const rbv_control *c, double delay) {
  mjData *d = o->d;
  const ptrdiff_t rows = log->rows;
  const double T = log->last / (double)(rows - 1);
  int place[JOINTS];
  double tau[JOINTS] = {0}, before[JOINTS] = {0};
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, c, 1));
  mj_resetData(o->m, d);
  for (int j = 0; j < r->n; j++) {
    const int id = mj_name2id(o->m, mjOBJ_JOINT, r->joint[j]);
    assert_true(id >= 0);
    place[j] = id;
    error[j] = 0;
    d->qpos[o->m->jnt_qposadr[id]] = log->q[j];
  }
  const int steps = (int)(T / STEP + 0.5);
  o->m->opt.timestep = T / steps;
  const int late = (int)(delay / o->m->opt.timestep + 0.5);
  for (ptrdiff_t k = 0; k < rows; k++) {
    double qr[JOINTS], qm[JOINTS];
    memcpy(before, tau, sizeof tau);
    for (int j = 0; j < r->n; j++) {
      qr[j] = log->reference[k * r->n + j];
      qm[j] = d->qpos[o->m->jnt_qposadr[place[j]]];
      const double off = qm[j] - log->q[k * r->n + j];
      error[j] += off * off / (double)rows;
    }
    rbv_control_step(tau, s, &(rbv_control_input){.qr = qr, .qm = qm});
    if (k == 0) memcpy(before, tau, sizeof tau);
    // a delay above a tick would need a longer memory
    assert_true(late <= steps);
    for (int i = 0; i < steps; i++) {
      for (int j = 0; j < r->n; j++)
        d->qfrc_applied[o->m->jnt_dofadr[place[j]]] = i < late ? before[j] : tau[j];
      mj_step(o->m, d);
    }
  }
  rbv_control_state_free(s);
}

static void numbers(double *out, const rbv_node *map, const char *key, int n) {
  const rbv_node *list = rbv_node_find(map, key);
  assert_true(list && rbv_node_count(list) == n);
  for (int j = 0; j < n; j++) assert_ok(rbv_node_real(&out[j], rbv_node_at(list, j)));
}

static void check_robot(const real_robot *r) {
  char file[1024], path[2048], log_path[2048];
  snprintf(file, sizeof file, "%s/%s", r->folder, r->robot);
  strcpy(path, recording(file));
  snprintf(file, sizeof file, "%s/%s.gz", r->folder, r->recording);
  strcpy(log_path, recording(file));
  rbv_control *c = law_of(r);
  free(tool_text("identify '%s' '%s' %s -m cloe --controller law.yaml --known-links "
                 "--unknown delay -o real.json -q --limit-s 600",
                 path, log_path, r->part));
  rbv_document *d = tool_json("validate real.json '%s' --controller law.yaml --json", log_path);
  const rbv_node *run = rbv_node_find(rbv_document_root(d), "free_run");
  double ours[JOINTS], robot_file[JOINTS], error[JOINTS], delay = 0;
  numbers(ours, run, "joint_rms_error", r->n);
  numbers(robot_file, run, "joint_rms_error_robot_file", r->n);
  rbv_document_free(d);
  rbv_result *result = tool_result("real.json");
  for (int i = 0; i < result->loop.nunknown; i++)
    if (strcmp(result->loop.unknown[i].name, "delay") == 0) delay = result->loop.unknown[i].value;
  rbv_result_free(result);
  free(tool_text("export real.json --format mjcf -o real.xml -q"));
  char *text = read_text(temp_file("real.xml", NULL), NULL);
  strip(text);
  // the default of newer versions
  rbv_text bare = {0};
  char *head = strchr(strstr(text, "<mujoco"), '>') + 1;
  rbv_text_add(&bare, text, (size_t)(head - text));
  if (!strstr(text, "autolimits")) rbv_text_put(&bare, "<compiler autolimits=\"true\"/>");
  rbv_text_put(&bare, head);
  oracle o = oracle_load(temp_file("bare.xml", bare.data));
  rbv_text_free(&bare);
  o.m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  const rows_of log = read_rows(r, log_path);
  follow(error, &o, r, &log, c, delay);
  for (int j = 0; j < r->n; j++)
    print_message("%s: MuJoCo %.2f, ours %.2f, robot file %.2f mrad\n", r->joint[j],
                  1e3 * sqrt(error[j]), 1e3 * ours[j], 1e3 * robot_file[j]);
  for (int j = 0; j < r->n; j++) assert_true(sqrt(error[j]) <= 1.1 * ours[j]);
  free(log.q);
  free(log.reference);
  oracle_free(&o);
  free(text);
  rbv_control_free(c);
}

static void test_leg(void **state) {
  (void)state;
  check_robot(&robots[0]);
}

static void test_other_leg(void **state) {
  (void)state;
  check_robot(&robots[1]);
}

static void test_arm(void **state) {
  (void)state;
  check_robot(&robots[2]);
}

int main(void) {
  (void)recording("arm_z1/z1.xml");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_leg), cmocka_unit_test(test_other_leg),
                                     cmocka_unit_test(test_arm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
