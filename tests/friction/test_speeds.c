/* What the friction terms of a joint add up to, with sigma and the share of the load. */
#include "friction/friction.h"
#include "geared_arm.h"

typedef struct {
  rbv_model *m;
  rbv_motion *motion;
  rbv_estimate *e;
  rbv_result_friction_speeds at[ARM_JOINTS];
} setup;

/* 20 s with 1 % noise of an arm whose second joint loses 8 % of its load and has presliding */
static void set_up(setup *s) {
  *s = (setup){.m = arm_model("Fl2,Fd2=0.5,Fp2=0.0005")};
  double *chi = arm_parameters(s->m);
  arm_set(chi, s->m, "Fl2", 0.08);
  arm_set(chi, s->m, "Fd2", 1.5);
  arm_set(chi, s->m, "Fp2", 2);
  s->motion = arm_motion(s->m, chi, 20, 0.01, 5, -1);
  free(chi);
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = (rbv_row_filter){.decimate = 5, .mask = 0.02, .threads = 1};
  assert_ok(rbv_identify(&s->e, s->m, &s->motion, 1, &how));
}

static void clear(setup *s) {
  rbv_estimate_free(s->e);
  rbv_motion_free(s->motion);
  rbv_model_free(s->m);
}

static rbv_status add_up(void *self) {
  setup *s = self;
  return rbv_friction_speeds(s->at, s->m, s->e, &s->motion, 1, 1);
}

static double sigma_of(const rbv_estimate *e, const rbv_model *m, const char *name) {
  for (int k = 0; k < e->base->count; k++)
    if (strcmp(rbv_model_column(m, e->base->kept[k])->name, name) == 0)
      return sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
  return NAN;
}

static void test_sum(void **state) {
  (void)state;
  setup s;
  set_up(&s);
  assert_ok(add_up(&s));
  for (int k = 0; k < RBV_FRICTION_SPEEDS; k++) {
    const double share[] = {0.1, 0.5, 1};
    for (int j = 0; j < ARM_JOINTS; j++) {
      const rbv_result_friction_speeds *f = &s.at[j];
      const double v = f->speed[k], Fv[] = {2, 3, 1}, Fc[] = {2, 3, 1.5};
      const double more = j == 1 ? 1.5 * sqrt(v) + 2 : 0;
      assert_near(v, share[k] * f->speed[2], 0, 1e-12);
      // the truth within six sigma, and the sigma is small: 1 % noise in 800 rows
      assert_near(f->torque[k], Fv[j] * v + Fc[j] + more, 6 * f->sigma[k] + 1e-3, 0);
      assert_true(f->sigma[k] > 0 && f->sigma[k] < 0.1 * f->torque[k]);
      assert_near(f->load[k], j == 1 ? 0.08 : 0, 0.03, 0);
      assert_string_equal(f->unit, "N m");
    }
  }
  // terms of the joint can replace each other, their sum cannot
  assert_true(s.at[1].sigma[2] < sigma_of(s.e, s.m, "Fd2") * sqrt(s.at[1].speed[2]));
  clear(&s);
}

static void test_memory(void **state) {
  (void)state;
  setup s;
  set_up(&s);
  fail_each_allocation(add_up, &s);
  clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sum),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
