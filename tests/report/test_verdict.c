/* Every rule of the verdict, on both sides of its limit; values are never corrected. */
#include <stdio.h>

#include "cases.h"

/* the reason of this rule; NULL: none */
static const rbv_reason *find(const rbv_report *page, const char *rule) {
  for (int i = 0; i < page->nreason; i++)
    if (strcmp(page->reason[i].rule, rule) == 0) return &page->reason[i];
  return NULL;
}

/* the rule gives this level, its text has these words, and the page shows it */
static void expect(const report_case *c, const char *rule, rbv_verdict level, const char *words) {
  rbv_report *page = case_report(c);
  const rbv_reason *reason = find(page, rule);
  if (!reason) fail_msg("no reason '%s'", rule);
  if (reason->level != level || !strstr(reason->text, words))
    fail_msg("%s: '%s' with level %s, wanted '%s' with %s", rule, reason->text,
             rbv_verdict_name(reason->level), words, rbv_verdict_name(level));
  assert_true(page->verdict >= level);
  char item[64];
  snprintf(item, sizeof item, "data-rule=\"%s\"", rule);
  assert_non_null(strstr(page->html, item));
  rbv_report_free(page);
}

static void expect_silence(const report_case *c, const char *rule) {
  rbv_report *page = case_report(c);
  assert_null(find(page, rule));
  rbv_report_free(page);
}

static void test_good_result(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  for (int i = 0; i < page->nreason; i++)
    if (page->reason[i].level != RBV_VERDICT_USABLE) fail_msg("%s", page->reason[i].text);
  assert_int_equal(page->verdict, RBV_VERDICT_USABLE);
  assert_non_null(strstr(page->html, "</span>Usable</h2>"));
  rbv_report_free(page);
  case_free(&c);
}

static void test_errors(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  c.result.fit.relative_error = 0.099;
  expect(&c, "fit", RBV_VERDICT_USABLE, "9.9 %");
  c.result.fit.relative_error = 0.101;
  expect(&c, "fit", RBV_VERDICT_CARE, "10.1 %");
  c.result.fit.relative_error = 0.251;
  expect(&c, "fit", RBV_VERDICT_NO, "roberval check");
  c.result.fit.relative_error = NAN;
  expect(&c, "fit", RBV_VERDICT_NO, "no measured torque");

  c.result.fit.relative_error = 0.05;
  c.result.validation.relative_error = 0.07;
  expect(&c, "validation", RBV_VERDICT_USABLE, "7.00 %");
  c.result.validation.relative_error = 0.08;
  expect(&c, "validation", RBV_VERDICT_CARE, "1.6 times");
  c.result.validation.relative_error = 0.16;
  expect(&c, "validation", RBV_VERDICT_CARE, "3.2 times");
  c.result.validation.relative_error = 0.07;
  expect_silence(&c, "joints");
  c.validation.row[1].relative_error = 0.3;
  expect(&c, "joints", RBV_VERDICT_CARE, "The prediction is bad for elbow (30 %)");
  // the model is as bad on other data: no advice about the motion
  c.result.fit.relative_error = 0.2;
  c.result.validation.relative_error = 0.21;
  expect(&c, "validation", RBV_VERDICT_CARE, "1.0 times that of the fit: the model lacks");
  c.result.validation.relative_error = INFINITY;
  expect(&c, "validation", RBV_VERDICT_NO, "no measured torque");
  c.result.validation = (rbv_fit){0};
  expect(&c, "validation", RBV_VERDICT_USABLE, "No other recording was predicted");
  case_free(&c);
}

static void test_information(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  expect(&c, "identifiability", RBV_VERDICT_USABLE, "have an estimate");
  rbv_parameter *p = c.result.estimate.item;
  const rbv_parameter kept = p[0];
  p[0].status = RBV_STATUS_NOT_IDENTIFIABLE;
  p[0].sigma = INFINITY;
  expect(&c, "identifiability", RBV_VERDICT_CARE, p[0].name);
  for (int k = 0; k < c.result.estimate.count; k++) p[k].status = RBV_STATUS_NOT_IDENTIFIABLE;
  expect(&c, "identifiability", RBV_VERDICT_NO, "cannot be identified");
  for (int k = 0; k < c.result.estimate.count; k++) p[k].status = RBV_STATUS_IDENTIFIED;
  p[0] = kept;
  p[1].status = RBV_STATUS_PRIOR;
  expect(&c, "identifiability", RBV_VERDICT_USABLE, "1 of them is determined by the prior");

  // a condition number says nothing about other motions, the predicted error does
  c.result.diagnostics.condition_number_scaled = 1.1e4;
  c.result.diagnostics.predicted_error = 0.19;
  expect(&c, "weak", RBV_VERDICT_USABLE, "adds 19 %");
  c.result.diagnostics.predicted_error = NAN;
  expect(&c, "condition", RBV_VERDICT_USABLE, "11000");
  c.result.diagnostics.condition_number_scaled = 10;
  c.result.diagnostics.predicted_error = 0.01;

  expect(&c, "residual", RBV_VERDICT_USABLE, "white");
  c.result.fit.row[1].coloured = true;
  c.result.diagnostics.sigma_inflation = 1.4;
  expect(&c, "residual", RBV_VERDICT_USABLE, "1.4 times");
  c.result.diagnostics.sigma_inflation = 3;
  expect(&c, "residual", RBV_VERDICT_USABLE, "elbow: the model lacks an effect");

  expect_silence(&c, "mask");
  c.result.masked_fraction = 0.7;
  expect(&c, "mask", RBV_VERDICT_USABLE, "70 %");
  case_free(&c);
}

static void test_method(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  expect_silence(&c, "convergence");
  c.result.iterations = 7;
  c.result.converged = false;
  expect(&c, "convergence", RBV_VERDICT_NO, "within 7 iterations");
  c.result.kept_iteration = 3;
  expect(&c, "convergence", RBV_VERDICT_NO, "after iteration 3 the simulated loop no longer");
  c.result.kept_iteration = 0;
  c.result.converged = true;
  expect_silence(&c, "convergence");
  c.result.instruments = (rbv_instruments){.strength = 0.4, .hausman_p = 0.5, .worst = "Fv1"};
  expect(&c, "instruments", RBV_VERDICT_CARE, "40 %");
  c.result.instruments.strength = 0.9;
  expect_silence(&c, "instruments");
  case_free(&c);
}

/* own data, or blocks of it that were not used, that the robot file predicts better */
static void test_worse_than_the_file(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_fit *fit = &c.result.fit;
  fit->comparable = 0.05;
  fit->left_out = 0.06;
  fit->baseline = 0.2;
  expect_silence(&c, "worse");
  fit->left_out = 0.08;
  fit->baseline = 0.06;
  expect(&c, "worse", RBV_VERDICT_CARE, "data that was not used, the model is 8 % wrong");
  // blocks of a short recording say less than other recordings
  fit->left_out = 0.3;
  fit->baseline = 0.2;
  expect(&c, "worse", RBV_VERDICT_CARE, "do not replace the file");
  expect(&c, "fit", RBV_VERDICT_CARE, "30 % on parts that were left out, 5 % on all");
  fit->comparable = 0.3;
  expect(&c, "worse", RBV_VERDICT_NO, "On all samples of its own recordings");
  fit->comparable = 0.05;
  fit->left_out = 0.06;
  fit->baseline = 0.04;
  expect(&c, "worse", RBV_VERDICT_CARE, "the robot file 4 %");
  case_free(&c);
}

/* a page shows the judgement that the result has, and makes none of its own */
static void test_stored_judgement(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_reason reason[] = {
      {.level = RBV_VERDICT_NO, .rule = "gravity", .text = "Gravity points along x.", .value = 90}};
  c.result.verdict = (rbv_judgement){RBV_VERDICT_NO, 1, reason};
  expect(&c, "gravity", RBV_VERDICT_NO, "points along x");
  expect_silence(&c, "fit");
  rbv_report *page = case_report(&c);
  assert_int_equal(page->verdict, RBV_VERDICT_NO);
  assert_non_null(strstr(page->html, "Gravity points along x."));
  rbv_report_free(page);
  c.result.verdict = (rbv_judgement){0};
  case_free(&c);
}

static void test_prior(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  expect_silence(&c, "prior");
  const int n = rbv_model_column_count(c.model);
  double *prior = malloc(2 * (size_t)n * sizeof *prior), *sigma = prior + n;
  memcpy(prior, rbv_model_parameters(c.model), (size_t)n * sizeof *prior);
  c.extra.prior = prior;
  expect(&c, "prior", RBV_VERDICT_USABLE, "agrees with the data");
  // without a sigma, twice the value of the data is accepted, three times is not
  const int fv = rbv_model_find(c.model, "Fv1");
  prior[fv] = 2;
  expect(&c, "prior", RBV_VERDICT_USABLE, "agrees");
  prior[fv] = 3;
  expect(&c, "prior", RBV_VERDICT_USABLE, "Fv1 (prior 3, data ");
  for (int k = 0; k < n; k++) sigma[k] = NAN;
  sigma[fv] = 0.5;
  prior[fv] = 3.2;
  c.extra.prior_sigma = sigma;
  expect(&c, "prior", RBV_VERDICT_USABLE, "Fv1 (prior 3.2, data ");
  prior[fv] = 2.9;
  expect(&c, "prior", RBV_VERDICT_USABLE, "agrees");
  // a zero with a sigma is compared, one without is not
  prior[fv] = 0;
  sigma[fv] = 0.1;
  expect(&c, "prior", RBV_VERDICT_USABLE, "Fv1 (prior 0");
  sigma[fv] = NAN;
  expect(&c, "prior", RBV_VERDICT_USABLE, "agrees");
  free(prior);
  case_free(&c);
}

static void test_consistency(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  expect(&c, "consistency", RBV_VERDICT_USABLE, "option consistent");
  const char *name[] = {"M1"}, *unit[] = {"kg"};
  double value[] = {1};
  bool active[] = {false};
  double sigma[] = {0.2}, known[] = {0.3};
  rbv_result_body body[] = {
      {.name = "shoulder", .state = "consistent", .prior = "given", .margin = 0.3},
      {.name = "elbow", .state = "consistent", .prior = "given", .margin = 0.1, .mass_known = 0.4}};
  const rbv_result_standard none = c.result.standard;
  rbv_result_standard s = {.count = 1,
                           .name = name,
                           .unit = unit,
                           .value = value,
                           .sigma = sigma,
                           .known = known,
                           .active = active,
                           .nbody = 2,
                           .body = body,
                           .largest_move_sigma = 0.5,
                           .gap = 1e-9,
                           .converged = true};
  c.result.standard = s;
  expect(&c, "consistency", RBV_VERDICT_USABLE, "All links are physically possible");
  expect(&c, "consistency", RBV_VERDICT_USABLE, "the data know 0 to 40 % of them");
  expect_silence(&c, "replaced");
  expect_silence(&c, "assumed");
  c.result.standard.largest_move_sigma = 4.2;
  expect(&c, "consistency", RBV_VERDICT_CARE, "4.2 sigma");
  body[1].state = "triangle";
  expect(&c, "consistency", RBV_VERDICT_NO, "elbow is physically impossible (triangle)");
  rbv_report *page = case_report(&c);
  assert_null(strstr(page->html, "All links are physically possible"));
  rbv_report_free(page);
  body[1].state = "consistent";
  c.result.standard.converged = false;
  expect(&c, "consistency", RBV_VERDICT_NO, "No certified optimum");
  c.result.standard.converged = true;
  body[1].prior = "replaced";
  expect(&c, "replaced", RBV_VERDICT_CARE, "the link of elbow are physically impossible");
  body[1].prior = "assumed";
  expect(&c, "assumed", RBV_VERDICT_CARE, "There are no prior values for the link of elbow");
  page = case_report(&c);
  assert_non_null(strstr(page->html, "A single mass is not a measurement"));
  assert_non_null(strstr(page->html, "centre of mass [mm]"));
  rbv_report_free(page);
  // a mass that the data know needs no prior, for example that of a payload
  body[1].mass_known = 0.95;
  expect_silence(&c, "assumed");
  c.result.standard = none;
  case_free(&c);
}

#define URDF(inertial)                                                                       \
  "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" inertial                           \
  "</link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis " \
  "xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" velocity=\"1\" effort=\"1\"/></joint></robot>"

static void test_urdf_without_inertia(void **state) {
  (void)state;
  report_case c;
  case_new_of(&c, URDF("<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.1\" "
                       "ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial>"));
  expect_silence(&c, "urdf");
  case_free(&c);
  case_new_of(&c, URDF("<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"1\"/><inertia ixx=\"0\" "
                       "ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial>"));
  expect(&c, "urdf", RBV_VERDICT_USABLE, "the link moved by j (");
  c.extra.prior = rbv_model_parameters(c.model);
  expect(&c, "urdf", RBV_VERDICT_USABLE, "except as its prior");
  case_free(&c);
}

static void test_recordings(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  expect_silence(&c, "recordings");
  expect_silence(&c, "gaps");
  c.input[0].gaps = 2;
  c.input[0].invalid = 40;
  expect(&c, "gaps", RBV_VERDICT_USABLE, "2 gaps bridged, 40 samples left out");
  const char *remark[] = {"The recording 'x' was not found."};
  c.extra.nremark = 1;
  c.extra.remark = remark;
  expect(&c, "recordings", RBV_VERDICT_USABLE, "'x' was not found");
  rbv_report *page = case_report(&c);
  assert_non_null(strstr(page->html, "The recordings of the fit are not available"));
  assert_null(strstr(page->html, "data-group="));
  rbv_report_free(page);
  case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good_result),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_information),
      cmocka_unit_test(test_method),
      cmocka_unit_test(test_worse_than_the_file),
      cmocka_unit_test(test_stored_judgement),
      cmocka_unit_test(test_prior),
      cmocka_unit_test(test_consistency),
      cmocka_unit_test(test_urdf_without_inertia),
      cmocka_unit_test(test_recordings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
