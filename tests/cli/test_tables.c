/* roberval regressor and dynamics: tables that agree with each other and with the library. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COUNT 20

/* a motion of the robot as motion.csv, with the torques of the robot */
static waves motion_of(const char *robot, int sensing, bool payload) {
  rbv_model *m = load_robot(robot, sensing, payload);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 3, COUNT, 10, payload);
  waves_save(&w, temp_file("motion.csv", NULL), "q dq ddq tau");
  rbv_model_free(m);
  return w;
}

static double cell(const csv *t, int row, const char *name) {
  return t->value[row * t->ncolumn + csv_find(t, name)];
}

/* rows of the regressor times the parameters are the torques */
static void compare(const char *robot, const char *options, int sensing, bool payload) {
  waves w = motion_of(robot, sensing, payload);
  rbv_model *m = load_robot(robot, sensing, payload);
  const double *chi = rbv_model_parameters(m);
  csv W = tool_table("regressor %s motion.csv %s", robot, options);
  csv tau = tool_table("dynamics %s motion.csv %s", robot, options);
  assert_int_equal(W.ncolumn, rbv_model_column_count(m));
  assert_int_equal(W.nrow, COUNT * w.nrow);
  assert_int_equal(tau.nrow, COUNT);
  assert_int_equal(tau.ncolumn, w.nrow);
  for (int k = 0; k < COUNT; k++)
    for (int r = 0; r < w.nrow; r++) {
      double sum = 0, size = 0;
      for (int c = 0; c < W.ncolumn; c++) {
        assert_string_equal(W.name[c], rbv_model_column(m, c)->name);
        const double x = W.value[(k * w.nrow + r) * W.ncolumn + c] * chi[c];
        sum += x;
        size += fabs(x);
      }
      const double got = tau.value[k * w.nrow + r];
      // a hundred terms; the text has all digits
      assert_near(got, sum, 1e-13 * (1 + size), 0);
      assert_near(got, w.torque[k + r * COUNT], 1e-12 * (1 + size), 0);
    }
  csv_free(&W);
  csv_free(&tau);
  waves_free(&w);
  rbv_model_free(m);
}

static void test_regressor_times_parameters_is_torque(void **state) {
  (void)state;
  compare("tx40", "", -1, false);
  compare("lwr4+", "--sensing both --payload", RBV_SENSING_BOTH, true);
  compare("lwr4+", "--sensing difference", RBV_SENSING_DIFFERENCE, false);
}

static void test_torque_columns_name_their_side(void **state) {
  (void)state;
  waves w = motion_of("lwr4+", RBV_SENSING_BOTH, false);
  csv both = tool_table("dynamics lwr4+ motion.csv --sensing both");
  assert_string_equal(both.name[0], "tau1");
  assert_string_equal(both.name[13], "tauj7");
  csv_free(&both);
  csv difference = tool_table("dynamics lwr4+ motion.csv --sensing difference");
  assert_string_equal(difference.name[6], "taud7");
  csv_free(&difference);
  waves_free(&w);
}

/* base parameters in the columns of their names give the same torques as all parameters */
static void test_base_columns(void **state) {
  (void)state;
  waves w = motion_of("tx40", -1, false);
  csv all = tool_table("regressor tx40 motion.csv"),
      base = tool_table("regressor tx40 motion.csv -b");
  assert_int_equal(base.ncolumn, 60);
  for (int c = 0; c < base.ncolumn; c++) {
    char name[32];
    strcpy(name, base.name[c]);
    if (name[strlen(name) - 1] == 'R') name[strlen(name) - 1] = 0;
    for (int r = 0; r < base.nrow; r++)
      assert_true(base.value[r * base.ncolumn + c] == cell(&all, r, name));
  }
  csv_free(&all);
  csv_free(&base);
  waves_free(&w);
}

static void test_forward_inverts(void **state) {
  (void)state;
  waves w = motion_of("tx40", -1, false);
  csv t = tool_table("dynamics tx40 motion.csv --forward");
  assert_int_equal(t.ncolumn, 6);
  assert_string_equal(t.name[5], "ddq6");
  for (int k = 0; k < COUNT; k++)
    for (int j = 0; j < 6; j++)
      // the smallest inertia is 0.01 kg m^2, torques reach 100 N m
      assert_near(t.value[k * 6 + j], w.ddq[k + j * COUNT], 1e-8, 0);
  csv_free(&t);
  waves_free(&w);
}

static void test_mass_and_energy(void **state) {
  (void)state;
  waves w = motion_of("tx40", -1, false);
  csv M = tool_table("dynamics tx40 motion.csv --mass");
  csv E = tool_table("dynamics tx40 motion.csv --energy");
  assert_int_equal(M.ncolumn, 36);
  assert_int_equal(E.ncolumn, 2);
  for (int k = 0; k < COUNT; k++) {
    double kinetic = 0;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        char name[32], mirror[32];
        snprintf(name, sizeof name, "M%d_%d", i + 1, j + 1);
        snprintf(mirror, sizeof mirror, "M%d_%d", j + 1, i + 1);
        assert_near(cell(&M, k, name), cell(&M, k, mirror), 1e-14, 1e-14);
        kinetic += 0.5 * w.dq[k + i * COUNT] * cell(&M, k, name) * w.dq[k + j * COUNT];
      }
    assert_near(cell(&E, k, "kinetic_J"), kinetic, 1e-12, 1e-12);
    assert_true(isfinite(cell(&E, k, "potential_J")));
  }
  csv_free(&M);
  csv_free(&E);
  waves_free(&w);
}

static void test_parameters_from_a_file(void **state) {
  (void)state;
  waves w = motion_of("tx40", -1, false);
  temp_file("friction.yaml", "{Fv1: 2, off1: 1}\n");
  csv t = tool_table("dynamics tx40 motion.csv --parameters friction.yaml");
  for (int k = 0; k < COUNT; k++) {
    assert_near(cell(&t, k, "tau1"), 2 * w.dq[k] + 1, 1e-14, 1e-14);
    assert_true(cell(&t, k, "tau2") == 0);
  }
  csv_free(&t);
  temp_file("wrong.yaml", "{Fv9: 2}\n");
  tool_refuses(3, "no parameter 'Fv9'", "dynamics tx40 motion.csv -p wrong.yaml");
  tool_refuses(3, "absent.yaml", "dynamics tx40 motion.csv -p absent.yaml");
  tool_refuses(3, "no parameter values", "dynamics a460 motion.csv");
  tool_refuses(4, "motion.csv:2: the mass matrix is not positive definite",
               "dynamics tx40 motion.csv -p friction.yaml --forward >/dev/null");
  waves_free(&w);
}

/* the payload is enabled in the robot file, not by an option: both commands use it */
static void test_payload_of_the_robot_file(void **state) {
  (void)state;
  temp_file("one.yaml",
            "name: one\npayload: true\njoints: [{mdh: {alpha: pi/2}, drive: [Ia]}]\n"
            "parameters: {ZZ1: 1, Ia1: 2, ZZL: 4}\n");
  temp_file("one.csv", "q1,dq1,ddq1\n0,0,1\n");
  csv t = tool_table("dynamics one.yaml one.csv"), W = tool_table("regressor one.yaml one.csv");
  assert_near(t.value[0], 7, 1e-15, 0);
  assert_near(cell(&W, 0, "ZZL"), 1, 1e-15, 0);
  csv_free(&t);
  csv_free(&W);
}

static void test_tables_as_json(void **state) {
  (void)state;
  waves w = motion_of("tx40", -1, false);
  csv t = tool_table("dynamics tx40 motion.csv");
  rbv_document *doc = tool_json("dynamics tx40 motion.csv --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.table/1");
  text_at(root, "columns.5", "tau6");
  assert_int_equal(rbv_node_count(node_at(root, "rows")), COUNT);
  for (int k = 0; k < COUNT; k++)
    for (int j = 0; j < 6; j++) {
      char path[32];
      snprintf(path, sizeof path, "rows.%d.%d", k, j);
      assert_true(real_at(root, path) == t.value[k * 6 + j]);
    }
  rbv_document_free(doc);
  csv_free(&t);
  waves_free(&w);
}

/* the output is complete or missing, and no temporary file stays */
static void test_output_is_atomic(void **state) {
  (void)state;
  waves w = motion_of("tx40", -1, false);
  char *text = tool_text("dynamics tx40 motion.csv");
  char *nothing = tool_text("dynamics tx40 motion.csv -o out.csv");
  assert_string_equal(nothing, "");
  char *file = read_text(temp_file("out.csv", NULL), NULL);
  assert_string_equal(file, text);
  free(file);
  // a failed run keeps the existing file
  temp_file("bad.csv", "q1,dq1,ddq1\n0,0,0\n");
  tool_refuses(3, "6 joints", "dynamics tx40 bad.csv -o out.csv");
  tool_refuses(3, "6 joints", "regressor tx40 bad.csv -o out.csv");
  temp_file("nothing.yaml", "{Fv1: 2}\n");
  tool_refuses(4, "positive definite", "dynamics tx40 motion.csv -p nothing.yaml -f -o out.csv");
  file = read_text(temp_file("out.csv", NULL), NULL);
  assert_string_equal(file, text);
  free(file);
  free(text);
  free(nothing);
  char command[512];
  snprintf(command, sizeof command, "test $(ls -A %s | grep -c '^.*out.csv') = 1",
           temp_directory());
  assert_int_equal(system(command), 0);
  waves_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_regressor_times_parameters_is_torque),
      cmocka_unit_test(test_torque_columns_name_their_side),
      cmocka_unit_test(test_base_columns),
      cmocka_unit_test(test_forward_inverts),
      cmocka_unit_test(test_mass_and_energy),
      cmocka_unit_test(test_parameters_from_a_file),
      cmocka_unit_test(test_payload_of_the_robot_file),
      cmocka_unit_test(test_tables_as_json),
      cmocka_unit_test(test_output_is_atomic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
