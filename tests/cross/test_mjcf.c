/* MuJoCo loads exported MJCF and URDF files: the same torques and mass matrices. */
#include "simulated.h"

static void check_mjcf(const rbv_model *m, const double *chi, double bound) {
  static double smooth[COLUMNS_MAX];
  rbv_export *e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
  oracle o = oracle_load(temp_file("robot.xml", e->text));
  memcpy(smooth, chi, (size_t)rbv_model_column_count(m) * sizeof *chi);
  only_smooth(smooth, m, true);
  compare(&o, m, smooth, bound);
  compare_friction(&o, m, chi);
  oracle_free(&o);
  rbv_export_free(e);
}

/* MuJoCo 2.2 does not support the coupled rotor of the tx40; its friction is a tendon */
static void test_builtin_robots(void **state) {
  (void)state;
  static const char *const robots[] = {"tx40", "lwr4+", "ns16", "a460"};
  static double chi[COLUMNS_MAX];
  for (int i = 0; i < 4; i++) {
    rbv_model *m;
    assert_ok(rbv_model_load(&m, robots[i], NULL));
    random_parameters(chi, m, (uint64_t)i + 1);
    if (i == 0) chi[rbv_model_find(m, "Ia6")] = 0;
    check_mjcf(m, chi, 1e-9);
    rbv_model_free(m);
  }
}

static void test_tendon_of_a_coupling(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  random_parameters(chi, m, 1);
  rbv_export *e = export_as(RBV_EXPORT_MJCF, m, chi, NULL);
  oracle o = oracle_load(temp_file("robot.xml", e->text));
  assert_int_equal(o.m->ntendon, 1);
  assert_near(o.m->tendon_frictionloss[0], chi[rbv_model_find(m, "fcm6")], 0, 1e-15);
  assert_near(o.m->tendon_damping[0], chi[rbv_model_find(m, "fvm6")], 0, 1e-15);
  oracle_free(&o);
  rbv_export_free(e);
  rbv_model_free(m);
}

static void test_random_chains(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  for (uint64_t seed = 0; seed < 40; seed++) {
    rbv_text urdf = {0};
    rbv_model *m;
    rbv_model_options o = rbv_model_defaults();
    o.payload = seed % 3 == 0;
    put_random_urdf(&urdf, seed);
    assert_ok(rbv_model_parse(&m, "random.urdf", urdf.data, urdf.size, &o));
    random_parameters(chi, m, seed);
    check_mjcf(m, chi, 1e-9);
    rbv_model_free(m);
    rbv_text_free(&urdf);
  }
}

/* inertias are written in principal axes: MuJoCo's iteration for them stops at 1.4e-6 rad */
static void test_urdf_in_mujoco(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  for (uint64_t seed = 1; seed < 20; seed++) {
    rbv_text urdf = {0};
    rbv_model *m;
    rbv_model_options o = rbv_model_defaults();
    rbv_export_options x = rbv_export_defaults();
    rbv_export *e;
    o.snap = x.loaded.snap = false;
    put_random_urdf(&urdf, seed);
    assert_ok(rbv_model_parse(&m, "random.urdf", urdf.data, urdf.size, &o));
    random_parameters(chi, m, seed);
    assert_ok(rbv_export_new(&e, m, chi, &x));
    oracle mj = oracle_load(temp_file("robot.urdf", e->text));
    only_smooth(chi, m, false);
    compare(&mj, m, chi, 1e-9);
    oracle_free(&mj);
    rbv_export_free(e);
    rbv_model_free(m);
    rbv_text_free(&urdf);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_builtin_robots),
      cmocka_unit_test(test_tendon_of_a_coupling),
      cmocka_unit_test(test_random_chains),
      cmocka_unit_test(test_urdf_in_mujoco),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
