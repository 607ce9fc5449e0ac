/* The choice of friction terms, and the estimate with them. */
#include <roberval/sys/friction.h>
#include <roberval/sys/identify.h>

#include "friction/friction_internal.h"
#include "geared_arm.h"

static const rbv_row_filter filter = {.decimate = 5, .threads = 1};

/* the recording of an arm with additional friction, and what is chosen from it */
static rbv_friction_choice *choose(const char *friction, const double *extra, double seconds,
                                   int slow) {
  rbv_model *true_model = arm_model(friction), *plain = arm_model(NULL);
  double *chi = arm_parameters(true_model);
  for (int c = 0, i = 0; c < true_model->ncolumn && extra; c++)
    if (rbv_model_find(plain, true_model->column[c].name) < 0) chi[c] = extra[i++];
  rbv_motion *motion = arm_motion(true_model, chi, seconds, 0.01, 7, slow);
  rbv_friction_choice *c;
  assert_ok(rbv_friction_choose(&c, plain, &motion, 1, &filter, 0));
  if (!c->reason)
    print_message("%s: chosen '%s', held-out error %.3f > %.3f %%\n", friction ? friction : "plain",
                  c->list, 100 * c->plain, 100 * c->chosen);
  rbv_motion_free(motion);
  rbv_model_free(plain);
  rbv_model_free(true_model);
  free(chi);
  return c;
}

static bool has(const rbv_friction_choice *c, const char *law, int joint) {
  for (int i = 0; i < c->nterm; i++)
    if (strcmp(rbv_law_name(c->term[i].law), law) == 0 && c->term[i].joint == joint) return true;
  return false;
}

static void test_present_terms_are_chosen(void **state) {
  (void)state;
  // 15 % of the load; presliding with a fifteenth of the travel
  rbv_friction_choice *c = choose("Fl2", (double[]){0.15}, 30, -1);
  assert_true(has(c, "Fl", 1) && c->nterm == 1);
  assert_true(c->term[0].gain > 0.1 && c->term[0].gain > 3 * c->term[0].gain_sigma);
  assert_string_equal(c->list, "Fl2");
  rbv_friction_choice_free(c);
  c = choose("Fp1=0.05", (double[]){2}, 30, -1);
  assert_true(has(c, "Fp", 0) && c->nterm == 1);
  // the grid has two values per decade
  assert_true(c->term[0].shape > 0.05 / 2 && c->term[0].shape < 0.05 * 2);
  assert_false(c->term[0].at_bound);
  rbv_friction_choice_free(c);
}

static void test_absent_terms_are_not_chosen(void **state) {
  (void)state;
  rbv_friction_choice *c = choose(NULL, NULL, 30, -1);
  assert_null(c->reason);
  assert_int_equal(c->nterm, 0);
  assert_string_equal(c->list, "");
  assert_true(c->plain == c->chosen);
  for (int j = 0; j < ARM_JOINTS; j++) assert_true(c->eligible[j]);
  rbv_friction_choice_free(c);
}

/* a joint that hardly moves gets no terms, whatever it has */
static void test_slow_joints_are_left_out(void **state) {
  (void)state;
  rbv_friction_choice *c = choose("Fl2,Fl3", (double[]){0.2, 0.2}, 30, 1);
  assert_false(c->eligible[1]);
  for (int i = 0; i < c->nterm; i++) assert_int_not_equal(c->term[i].joint, 1);
  rbv_friction_choice_free(c);
}

static void test_short_recordings(void **state) {
  (void)state;
  rbv_friction_choice *c = choose(NULL, NULL, 2.5, -1);
  assert_string_equal(c->reason, "the recordings are too short");
  assert_int_equal(c->nterm, 0);
  rbv_friction_choice_free(c);
}

/* the held-out end is not read: with another end the choice is the same, to the last bit */
static void test_holdout_is_not_used(void **state) {
  (void)state;
  rbv_model *m = arm_model("Fl2"), *plain = arm_model(NULL);
  double *chi = arm_parameters(m);
  arm_set(chi, m, "Fl2", 0.15);
  rbv_friction_choice *c[2];
  for (int i = 0; i < 2; i++) {
    rbv_motion *motion = arm_motion(m, chi, 40, 0.01, 3, -1), *other = motion;
    const rbv_motion_info *info = rbv_motion_get_info(motion);
    if (i == 1) {
      // torques of the last quarter: another number
      const ptrdiff_t n = info->count;
      double *block = calloc((size_t)(12 * n), sizeof *block);
      const rbv_samples s = {
          .ld = n, .q = block, .dq = block + 3 * n, .ddq = block + 6 * n, .torque = block + 9 * n};
      assert_ok(rbv_motion_read(motion, &s, 0, n));
      // the filter reaches a little into the held-out part
      for (ptrdiff_t k = 3 * n / 4 + 1000; k < n; k++) s.torque[k] += 1000;
      assert_ok(rbv_motion_from_arrays(&other, info, &s));
      free(block);
      rbv_motion_free(motion);
    }
    assert_ok(rbv_friction_choose(&c[i], plain, &other, 1, &filter, 0.25));
    rbv_motion_free(other);
  }
  assert_string_equal(c[0]->list, c[1]->list);
  assert_string_equal(c[0]->list, "Fl2");
  // what the filter carries across is below 1e-6 after 200 samples
  assert_near(c[0]->chosen, c[1]->chosen, 0, 1e-6);
  for (int i = 0; i < 2; i++) rbv_friction_choice_free(c[i]);
  rbv_model_free(m);
  rbv_model_free(plain);
  free(chi);
}

static void test_threads_do_not_matter(void **state) {
  (void)state;
  rbv_model *m = arm_model("Fl2,Fp1=0.05"), *plain = arm_model(NULL);
  double *chi = arm_parameters(m);
  arm_set(chi, m, "Fl2", 0.15);
  arm_set(chi, m, "Fp1", 2);
  // several blocks of the row stream: 16384 samples each without decimation
  rbv_motion *motion = arm_motion(m, chi, 120, 0.01, 3, -1);
  rbv_friction_choice *c[2];
  for (int i = 0; i < 2; i++) {
    const rbv_row_filter every = {.decimate = 1, .threads = 1 + i};
    assert_ok(rbv_friction_choose(&c[i], plain, &motion, 1, &every, 0));
  }
  assert_string_equal(c[0]->list, c[1]->list);
  assert_true(c[0]->chosen == c[1]->chosen && c[0]->plain == c[1]->plain);
  for (int i = 0; i < 2; i++) rbv_friction_choice_free(c[i]);
  rbv_motion_free(motion);
  rbv_model_free(m);
  rbv_model_free(plain);
  free(chi);
}

/* Noise-free: the estimate with the true terms returns their coefficients. The load is repeated
 * until it changes them by less than 1e-3; each time its error falls by 5 or more. */
static void test_estimate_returns_the_parameters(void **state) {
  (void)state;
  rbv_model *m = arm_model("Fl2,Flb2,Fp1=0.05,Fd3=0.4,Fva3");
  double *chi = arm_parameters(m);
  arm_set(chi, m, "Fl2", 0.15);
  arm_set(chi, m, "Flb2", 0.05);
  arm_set(chi, m, "Fp1", 2);
  arm_set(chi, m, "Fd3", 1);
  arm_set(chi, m, "Fva3", 0.1);
  rbv_motion *motion = arm_motion(m, chi, 30, 1e-9, 5, -1);
  rbv_identify_options o = rbv_identify_defaults();
  o.filter = filter;
  o.method = "ols";  // weights of rows without error are not defined
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  static const char *const name[] = {"Fl2", "Flb2", "Fp1", "Fd3", "Fva3", "Fc2", "Fv2"};
  for (int i = 0; i < RBV_COUNT(name); i++) {
    const int c = rbv_model_find(m, name[i]);
    assert_near(e->chi[c], chi[c], 0, 1e-3);
  }
  // prediction: the load follows from the same parameters, and the states from the motion
  rbv_prediction *p;
  assert_ok(rbv_predict(&p, m, &motion, 1, chi, &filter));
  assert_true(p->fit.relative_error < 1e-8 && p->unfiltered < 1e-8);
  rbv_prediction_free(p);
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  rbv_model_free(m);
  free(chi);
}

/* joints at which load friction of 0 or 10 % is found at joint 2, from recordings of 30 s */
static void count_load(int *right, int *wrong, double load, uint64_t seed) {
  rbv_model *m = arm_model("Fl2"), *plain = arm_model(NULL);
  double *chi = arm_parameters(m);
  arm_set(chi, m, "Fl2", load);
  rbv_motion *motion = arm_motion(m, chi, 30, 0.01, seed, -1);
  rbv_friction_choice *c;
  assert_ok(rbv_friction_test(&c, plain, &motion, 1, &filter, "Fl"));
  *right += load > 0 && has(c, "Fl", 1);
  *wrong += c->nterm > (load > 0 && has(c, "Fl", 1));
  rbv_friction_choice_free(c);
  rbv_motion_free(motion);
  rbv_model_free(m);
  rbv_model_free(plain);
  free(chi);
}

/* One law: found where it is, in all of 12 recordings, and not found where it is not, in at least
 * 11 of 12 (5 % of a test at each joint, less the other conditions). */
static void test_load_alone(void **state) {
  (void)state;
  int found = 0, wrong = 0, alarms = 0, none = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    count_load(&found, &wrong, 0.1, seed);
    count_load(&none, &alarms, 0, seed);
  }
  print_message("load friction found in %d of 12, at other joints %d, false alarms %d of 12\n",
                found, wrong, alarms);
  assert_int_equal(found, 12);
  assert_true(wrong <= 1 && alarms <= 1);
  rbv_friction_choice *c;
  const rbv_row_filter *none_given = NULL;
  assert_refused(rbv_friction_test(&c, NULL, NULL, 0, none_given, "Fl"), RBV_EARG,
                 "a test of friction needs a model");
}

/* candidates of Fch at a joint beside a term; NULL: none */
static int count_candidates(const rbv_model *m, int joint, const chosen_term *term) {
  joint_facts facts[ARM_JOINTS];
  bool replaceable[ARM_JOINTS];
  for (int j = 0; j < ARM_JOINTS; j++) {
    facts[j] = (joint_facts){.top = 1, .travel = 1, .reversals = 10, .eligible = true};
    replaceable[j] = true;
  }
  candidates all;
  int count = 0;
  assert_ok(rbv_friction_candidates(&all, m, facts, term, term ? 1 : 0, true, replaceable,
                                    rbv_law_find("Fch")));
  for (int i = 0; i < all.count; i++) count += all.item[i].kind >= 0 && all.item[i].joint == joint;
  rbv_friction_candidates_free(&all);
  return count;
}

/* Two states over similar lengths have nearly the same values: Fch with h = 1e-5, 3e-5, 1e-4 of the
 * travel is no candidate beside Fp with less than 30 h. */
static void test_twin_states(void **state) {
  (void)state;
  rbv_model *m = arm_model(NULL);
  joint_facts facts[ARM_JOINTS];
  const bool replaceable[ARM_JOINTS] = {false};
  for (int j = 0; j < ARM_JOINTS; j++)
    facts[j] = (joint_facts){.top = 1, .travel = 1, .reversals = 10, .eligible = true};
  candidates all;
  assert_ok(rbv_friction_candidates(&all, m, facts, NULL, 0, true, replaceable, NULL));
  chosen_term term = {.row = -1};
  for (int i = 0; i < all.count; i++) {
    if (strcmp(all.item[i].law->name, "Fp") == 0) term = all.item[i].as;
    // the root of the speed is not Fv
    if (strcmp(all.item[i].law->name, "Fd") == 0) assert_true(all.item[i].high < 0.7);
  }
  rbv_friction_candidates_free(&all);
  assert_true(term.row >= 0);
  term.joint = 0;
  term.step = 1;
  assert_int_equal(count_candidates(m, 0, NULL), 3);
  const struct {
    double h;
    int count;
  } want[] = {{1e-4, 0}, {1e-3, 2}, {0.01, 3}};
  for (int i = 0; i < RBV_COUNT(want); i++) {
    term.own = want[i].h;
    assert_int_equal(count_candidates(m, 0, &term), want[i].count);
    assert_int_equal(count_candidates(m, 1, &term), 3);
  }
  rbv_model_free(m);
}

static void test_arguments(void **state) {
  (void)state;
  rbv_friction_choice *c;
  assert_refused(rbv_friction_choose(&c, NULL, NULL, 0, &filter, 0), RBV_EARG,
                 "a choice of friction needs a model");
  assert_null(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_present_terms_are_chosen),
      cmocka_unit_test(test_absent_terms_are_not_chosen),
      cmocka_unit_test(test_slow_joints_are_left_out),
      cmocka_unit_test(test_short_recordings),
      cmocka_unit_test(test_holdout_is_not_used),
      cmocka_unit_test(test_threads_do_not_matter),
      cmocka_unit_test(test_estimate_returns_the_parameters),
      cmocka_unit_test(test_load_alone),
      cmocka_unit_test(test_twin_states),
      cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
