/* Friction terms that options add to a robot. */
#include <roberval/sys/model.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

static const char robot[] = "joints: [{mdh: {}}, {mdh: {}, drive: [Fv, Fl]}, {mdh: {}}]\n";

static rbv_status load(rbv_model **out, const char *friction) {
  rbv_model_options o = rbv_model_defaults();
  o.friction = friction;
  return rbv_model_parse(out, "three", robot, sizeof robot - 1, &o);
}

static void test_terms_are_added(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(load(&m, "Fl, Fp3=0.02 Fd1=0.4,"));
  // joint 2 has Fl already
  static const char *const present[] = {"Fl1", "Fl2", "Fl3", "Fp3", "Fd1"};
  static const char *const absent[] = {"Fp1", "Fp2", "Fd2", "Fd3", "Fc2"};
  for (int i = 0; i < 5; i++) {
    assert_true(rbv_model_find(m, present[i]) >= 0);
    assert_true(rbv_model_find(m, absent[i]) < 0);
  }
  assert_true(rbv_model_shape(m, 2, "presliding") == 0.02);
  assert_true(rbv_model_shape(m, 0, "power") == 0.4 && rbv_model_shape(m, 2, "power") == 0.5);
  rbv_model_free(m);
  assert_ok(load(&m, ""));
  assert_true(rbv_model_find(m, "Fl1") < 0 && rbv_model_find(m, "Fl2") >= 0);
  rbv_model_free(m);
}

/* Fch takes the place of Fc, and the value that the robot gives for Fc */
static void test_a_law_replaces_another(void **state) {
  (void)state;
  static const char text[] = "joints: [{mdh: {}}, {mdh: {}}]\nparameters: {Fc1: 3, Fc2: 4}\n";
  rbv_model_options o = rbv_model_defaults();
  o.friction = "Fch2=1e-4";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "two", text, sizeof text - 1, &o));
  assert_true(rbv_model_find(m, "Fc1") >= 0 && rbv_model_find(m, "Fc2") < 0);
  const int c = rbv_model_find(m, "Fch2");
  assert_true(c >= 0 && rbv_model_parameters(m)[c] == 4);
  // it is between Fv and off, where Fc was
  assert_int_equal(rbv_model_find(m, "Fv2") + 1, c);
  assert_true(rbv_model_shape(m, 1, "reversal") == 1e-4);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *list, *message;
    rbv_status status;
  } bad[] = {
      {"Fx", "there is no friction 'Fx' (choose from Ia Fv", RBV_EOPTION},
      {"Fl,Fl4", "friction 'Fl4': the robot has 3 joints", RBV_EOPTION},
      {"Fl0", "friction 'Fl0': the robot has 3 joints", RBV_EOPTION},
      {"Fl1=2", "friction 'Fl1=2': Fl has no shape parameter", RBV_EOPTION},
      {"Fp1=-1", "friction 'Fp1=-1': presliding (travel in which", RBV_EOPTION},
      {"Fp1=nan", "friction 'Fp1=nan': presliding", RBV_EOPTION},
      {"Fp1", "joint 'joint1' has Fp, which needs a value of 'presliding'", RBV_EINPUT},
      {"Fl1x", "there is no friction 'Fl1x'", RBV_EOPTION},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_model *m;
    assert_refused(load(&m, bad[i].list), bad[i].status, bad[i].message);
    assert_null(m);
  }
  char length[200];
  memset(length, 'F', sizeof length - 1);
  length[sizeof length - 1] = '\0';
  rbv_model *m;
  assert_refused(load(&m, length), RBV_EOPTION, "is too long");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms_are_added),
      cmocka_unit_test(test_a_law_replaces_another),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
