/* roberval simulate: logs that agree with the library, messages, errors. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COUNT 400

static double cell(const csv *t, int row, const char *name) {
  return t->value[row * t->ncolumn + csv_find(t, name)];
}

/* tau of the log is inverse dynamics of its q, dq, ddq */
static void test_log_satisfies_inverse_dynamics(void **state) {
  (void)state;
  save_tx40_waves(COUNT, 1000, "q");
  csv t = tool_table("simulate tx40 traj.csv --gamma 150 --derivatives");
  assert_int_equal(t.nrow, COUNT);
  assert_int_equal(t.ncolumn, 1 + 6 * 5);
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 150;
  rbv_model *m;
  rbv_dynamics *d;
  assert_ok(rbv_model_load(&m, "tx40", &o));
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(m), false));
  for (int k = 0; k < COUNT; k++) {
    double x[3][6], tau[6];
    const char *const stem[] = {"q", "dq", "ddq"};
    for (int v = 0; v < 3; v++)
      for (int j = 0; j < 6; j++) {
        char name[16];
        snprintf(name, sizeof name, "%s%d", stem[v], j + 1);
        x[v][j] = cell(&t, k, name);
      }
    rbv_dynamics_inverse(tau, d, x[0], x[1], x[2]);
    for (int j = 0; j < 6; j++) {
      char name[16];
      snprintf(name, sizeof name, "tau%d", j + 1);
      // the text has all digits; torques up to 1e3 in a stiff loop
      assert_near(cell(&t, k, name), tau[j], 1e-9, 1e-12);
    }
    assert_near(cell(&t, k, "t"), k / 1000.0, 0, 1e-15);
  }
  rbv_dynamics_free(d);
  rbv_model_free(m);
  csv_free(&t);
}

static void test_controller_is_saved_and_read(void **state) {
  (void)state;
  save_tx40_waves(COUNT, 1000, "q");
  free(tool_text("simulate tx40 traj.csv -o a.csv -q --bandwidth 12 --save-controller c.yaml"));
  free(tool_text("simulate tx40 traj.csv -o b.csv -q --controller c.yaml"));
  char path[512];
  snprintf(path, sizeof path, "%s/a.csv", temp_directory());
  char *a = read_text(path, NULL);
  snprintf(path, sizeof path, "%s/b.csv", temp_directory());
  char *b = read_text(path, NULL);
  assert_string_equal(a, b);
  free(a);
  free(b);
}

static void test_resampling_and_summary(void **state) {
  (void)state;
  save_tx40_waves(COUNT, 200, "q");
  rbv_document *doc = tool_json("simulate tx40 traj.csv --rate 1000 --json -q --integrator rk4");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.simulation/1");
  text_at(root, "integrator", "rk4");
  assert_near(real_at(root, "rate_hz"), 1000, 0, 0);
  assert_near(real_at(root, "substeps"), 20, 0, 0);
  assert_true(real_at(root, "joints.0.smooth_rad_per_s") > 0);
  assert_near(real_at(root, "samples"), (COUNT - 1) * 5 + 1, 0, 0);
  text_at(root, "diverged", "false");
  assert_true(real_at(root, "joints.5.tracking_rms_rad") > 0);
  rbv_document_free(doc);
}

static void test_defects_reach_the_log(void **state) {
  (void)state;
  save_tx40_waves(COUNT, 1000, "q");
  csv clean = tool_table("simulate tx40 traj.csv -q");
  csv t = tool_table(
      "simulate tx40 traj.csv -q --encoder 3600 --torque-noise 2%% --torque-offset 1,2,3,4,5,6 "
      "--jitter 1e-5 --seed 4");
  const double step = 2 * M_PI / 3600;
  double mean = 0;
  for (int k = 0; k < COUNT; k++) {
    assert_near(cell(&t, k, "q3"), step * nearbyint(cell(&clean, k, "q3") / step), 1e-12, 0);
    mean += (cell(&t, k, "tau6") - cell(&clean, k, "tau6")) / COUNT;
  }
  assert_near(mean, 6, 0.1, 0);
  assert_true(cell(&t, 7, "t") != cell(&clean, 7, "t"));
  csv_free(&t);
  t = tool_table("simulate tx40 traj.csv -q --drop 0.3");
  assert_in_range(t.nrow, COUNT / 2, COUNT - COUNT / 5);
  csv_free(&t);
  csv_free(&clean);
}

/* a loop with a delay that makes it unstable */
static void test_divergence_exit_code(void **state) {
  (void)state;
  save_tx40_waves(COUNT, 1000, "q");
  outcome o = tool("simulate tx40 traj.csv -o log.csv --loop-delay 60 --json");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "roberval: joint "));
  assert_non_null(strstr(o.err, "lower the gains or the delays"));
  assert_non_null(strstr(o.out, "\"diverged\": true"));
  outcome_free(&o);
}

static void test_refusals(void **state) {
  (void)state;
  save_tx40_waves(COUNT, 1000, "q");
  tool_refuses(3, "has no parameter values", "simulate a460 traj.csv");
  tool_refuses(2, "choose from auto, rosenbrock, rk4, ros2",
               "simulate tx40 traj.csv --integrator euler");
  tool_refuses(2, "bandwidth needs 6 numbers", "simulate tx40 traj.csv --bandwidth 1,2");
  tool_refuses(2, "--drop", "simulate tx40 traj.csv --drop 1");
  tool_refuses(3, "nowhere.yaml: No such file", "simulate tx40 traj.csv --controller nowhere.yaml");
  (void)temp_file("c.yaml", "rate_hz: 100\njoints: [{k_p: 1}]\n");
  tool_refuses(3, "c.yaml:2:9: the controller has 1 joints, the robot 6",
               "simulate tx40 traj.csv --controller c.yaml");
  tool_refuses(3, "but 50 Hz is requested", "simulate tx40 traj.csv --controller c.yaml --rate 50");
  (void)temp_file("short.csv", "t,q1,tau1\n0,1,2\n1,1,2\n");
  tool_refuses(3, "no reference for the 6 joints", "simulate tx40 short.csv");
  (void)temp_file("plain.csv", "q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0,0,0,0,0,0\n");
  tool_refuses(2, "the control rate is needed (see --rate)", "simulate tx40 plain.csv");
  csv t = tool_table("simulate tx40 plain.csv --rate 500 -q");
  assert_int_equal(t.nrow, 2);
  csv_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_log_satisfies_inverse_dynamics),
      cmocka_unit_test(test_controller_is_saved_and_read),
      cmocka_unit_test(test_resampling_and_summary),
      cmocka_unit_test(test_defects_reach_the_log),
      cmocka_unit_test(test_divergence_exit_code),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
