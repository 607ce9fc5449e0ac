/* The choice of a whole way to identify: the rule on given errors, and on an arm whose friction is
 * known. */
#include "friction/pipeline_folds.h"
#include "geared_arm.h"
#include "motion/motion.h"

#define FOLDS 2

/* the choice from errors of two candidates in two parts; reason: is there one? */
static int decide_with(int welcome, double a0, double a1, double b0, double b1, bool *reason) {
  double plain[FOLDS] = {a0, a1}, other[FOLDS] = {b0, b1}, scratch[FOLDS];
  rbv_result_candidate c[] = {{.name = "plain", .fold = plain}, {.name = "other", .fold = other}};
  rbv_cross_validation cv = {.folds = FOLDS, .ncandidate = 2, .candidate = c};
  rbv_pipeline_decide(&cv, welcome, scratch);
  *reason = cv.reason != NULL;
  const double score = sqrt(b0 / a0 * (b1 / a1));
  if (isfinite(score)) assert_near(c[1].score, score, 1e-15, 1e-14);
  assert_near(cv.plain, sqrt(a0 * a1), 1e-15, 1e-14);
  return cv.chosen;
}

static int decide(double a0, double a1, double b0, double b1, bool *reason) {
  return decide_with(-1, a0, a1, b0, b1, reason);
}

/* a candidate that is taken where it costs nothing */
static void test_welcome(void **state) {
  (void)state;
  bool reason;
  assert_int_equal(decide_with(1, 0.02, 0.04, 0.02, 0.04, &reason), 1);
  assert_int_equal(decide_with(1, 0.02, 0.04, 0.0199, 0.0399, &reason), 1);
  assert_int_equal(decide_with(1, 0.02, 0.04, 0.0201, 0.0401, &reason), 0);
  assert_int_equal(decide_with(1, 0.02, 0.04, 0.025, 0.03, &reason), 0);
  assert_int_equal(decide_with(1, 0.9, 0.9, 0.9, 0.9, &reason), 0);
  assert_true(reason);
}

static void test_rule(void **state) {
  (void)state;
  bool reason;
  // better by half; better by 1 %, which is within the tie
  assert_int_equal(decide(0.02, 0.04, 0.01, 0.02, &reason), 1);
  assert_int_equal(decide(0.02, 0.04, 0.0198, 0.0396, &reason), 0);
  assert_false(reason);
  // much better in one part and 30 % worse in the other: not taken; 10 % worse: taken
  assert_int_equal(decide(0.02, 0.04, 0.026, 0.01, &reason), 0);
  assert_int_equal(decide(0.02, 0.04, 0.022, 0.01, &reason), 1);
  // better, but useless: both parts, or one of them
  assert_int_equal(decide(0.9, 0.9, 0.4, 0.4, &reason), 0);
  assert_true(reason);
  assert_int_equal(decide(0.9, 0.9, 0.01, 0.7, &reason), 0);
  assert_true(reason);
  // an error that is not a number is never better
  assert_int_equal(decide(0.02, 0.04, NAN, 0.01, &reason), 0);
}

typedef struct {
  rbv_model *plain;
  rbv_motion *motion;
  rbv_cross_validation cv;
  int threads;
  bool any_terms;
} setup;

static void set_up(setup *s, const char *friction, const double *extra, double seconds, int slow) {
  *s = (setup){.plain = arm_model(NULL), .threads = 1};
  rbv_model *true_model = arm_model(friction);
  double *chi = arm_parameters(true_model);
  for (int c = 0, i = 0; c < true_model->ncolumn && extra; c++)
    if (rbv_model_find(s->plain, true_model->column[c].name) < 0) chi[c] = extra[i++];
  s->motion = arm_motion(true_model, chi, seconds, 0.01, 7, slow);
  rbv_model_free(true_model);
  free(chi);
}

static void clear(setup *s) {
  rbv_pipelines_free(&s->cv);
  rbv_motion_free(s->motion);
  rbv_model_free(s->plain);
}

static rbv_status compare(void *self) {
  setup *s = self;
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = (rbv_row_filter){.decimate = 5, .threads = s->threads};
  rbv_pipelines_free(&s->cv);
  return rbv_pipelines_compare(&s->cv, &s->any_terms, s->plain, &s->motion, 1, &how);
}

static void test_friction_is_found(void **state) {
  (void)state;
  setup s;
  set_up(&s, "Fl2", (double[]){0.3}, 24, -1);
  assert_ok(compare(&s));
  assert_int_equal(s.cv.ncandidate, 4);
  assert_int_equal(s.cv.folds, 2);
  assert_true(s.cv.chosen != RBV_PIPELINE_PLAIN);
  assert_true(s.cv.error < 0.9 * s.cv.plain);
  assert_string_equal(s.cv.candidate[RBV_PIPELINE_THREE].friction,
                      "Fl1,Fd1=0.5,Fp1=0.005,Fl2,Fd2=0.5,Fp2=0.005,Fl3,Fd3=0.5,Fp3=0.005");
  // the number of threads changes no bit
  const double error = s.cv.error;
  const int chosen = s.cv.chosen;
  s.threads = 3;
  assert_ok(compare(&s));
  assert_true(s.cv.error == error && s.cv.chosen == chosen);
  clear(&s);
}

static void test_plain_arm_stays_plain(void **state) {
  (void)state;
  setup s;
  set_up(&s, NULL, NULL, 24, -1);
  assert_ok(compare(&s));
  // nothing predicts better by more than the tie and by chance
  assert_true(s.cv.chosen == RBV_PIPELINE_PLAIN || s.cv.error < 0.98 * s.cv.plain);
  assert_true(s.cv.candidate[RBV_PIPELINE_CHOSEN].score > 0.95);
  // without terms the last candidate is plain friction with consistent bodies
  if (!s.any_terms)
    assert_string_equal(s.cv.candidate[RBV_PIPELINE_CHOSEN_BODIES].name, "consistent bodies");
  assert_true(s.cv.candidate[RBV_PIPELINE_CHOSEN_BODIES].fold[0] < 0.05);
  clear(&s);
}

/* a joint with a twentieth of the speed gets none of the three terms */
static void test_idle_joint(void **state) {
  (void)state;
  setup s;
  set_up(&s, NULL, NULL, 12, 1);
  assert_ok(compare(&s));
  assert_string_equal(s.cv.candidate[RBV_PIPELINE_THREE].friction,
                      "Fl1,Fd1=0.5,Fp1=0.005,Fl3,Fd3=0.5,Fp3=0.005");
  clear(&s);
}

static void test_slice(void **state) {
  (void)state;
  setup s;
  set_up(&s, NULL, NULL, 2, -1);
  rbv_motion *part;
  double all[10], piece[10];
  assert_ok(rbv_motion_slice(&part, s.motion, 50, 100));
  assert_int_equal(rbv_motion_get_info(part)->count, 100);
  assert_ok(rbv_motion_read(s.motion, &(rbv_samples){.ld = 10 / ARM_JOINTS, .dq = all}, 60, 3));
  assert_ok(rbv_motion_read(part, &(rbv_samples){.ld = 10 / ARM_JOINTS, .dq = piece}, 10, 3));
  for (int i = 0; i < 9; i++) assert_true(all[i] == piece[i]);
  rbv_motion_free(part);
  assert_refused(rbv_motion_slice(&part, s.motion, 350, 100), RBV_EARG, "no 100 samples");
  assert_refused(rbv_motion_slice(&part, s.motion, -1, 100), RBV_EARG, "no 100 samples");
  clear(&s);
}

static void test_no_memory(void **state) {
  (void)state;
  setup s;
  // short, so that there are too few rows for an estimate and each run is quick
  set_up(&s, NULL, NULL, 0.2, -1);
  fail_each_allocation(compare, &s);
  clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rule),
      cmocka_unit_test(test_welcome),
      cmocka_unit_test(test_friction_is_found),
      cmocka_unit_test(test_plain_arm_stays_plain),
      cmocka_unit_test(test_idle_joint),
      cmocka_unit_test(test_slice),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
