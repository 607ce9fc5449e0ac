/* The page of a designed motion: verdict, sections, failing allocations. */
#include <roberval/sys/trajectory.h>

#include "cases.h"

typedef struct {
  rbv_model *m;
  rbv_excite *e;
  rbv_motion *motion;
  rbv_limits limits[2];
  rbv_score score;
  double *sigma, *coupling;
  rbv_design_page in;
} plan_case;

static void plan_new(plan_case *c) {
  *c = (plan_case){0};
  assert_ok(rbv_model_parse(&c->m, "arm", arm_text, strlen(arm_text), NULL));
  rbv_excite_options o = rbv_excite_defaults();
  assert_ok(rbv_excite_new(&c->e, c->m, &o));
  c->motion = noisy_motion(c->m, 1, 1500);
  const rbv_base *base = rbv_excite_base(c->e);
  c->sigma = calloc((size_t)base->count, sizeof *c->sigma);
  c->coupling = calloc((size_t)(base->count * base->count), sizeof *c->coupling);
  assert_ok(rbv_excite_score(&c->score, c->sigma, c->coupling, c->e, &c->motion, 1));
  for (int b = 0; b < base->count; b++) c->sigma[b] *= 0.01;  // torques with a noise of 0.01 N m
  for (int j = 0; j < 2; j++)
    c->limits[j] = (rbv_limits){.lower = -20,
                                .upper = 20,
                                .velocity = 1e3,
                                .acceleration = INFINITY,
                                .jerk = INFINITY,
                                .effort = 1e4};
  c->in = (rbv_design_page){.model = c->m,
                            .nmotion = 1,
                            .motion = &c->motion,
                            .limits = c->limits,
                            .chi = rbv_model_parameters(c->m),
                            .base = base,
                            .sigma = c->sigma,
                            .score = &c->score,
                            .noise_known = true};
}

static void plan_free(plan_case *c) {
  free(c->sigma);
  free(c->coupling);
  rbv_motion_free(c->motion);
  rbv_excite_free(c->e);
  rbv_model_free(c->m);
}

static void expect(const plan_case *c, const char *rule, rbv_verdict level, const char *words) {
  rbv_report *page;
  assert_ok(rbv_report_design_page(&page, &c->in));
  const rbv_reason *found = NULL;
  for (int i = 0; i < page->nreason; i++)
    if (strcmp(page->reason[i].rule, rule) == 0) found = &page->reason[i];
  assert_non_null(found);
  if (!strstr(found->text, words)) fail_msg("%s: %s", rule, found->text);
  assert_int_equal(found->level, level);
  assert_true(page->verdict >= level);
  rbv_report_free(page);
}

static void test_verdict(void **state) {
  (void)state;
  plan_case c;
  plan_new(&c);
  expect(&c, "limits", RBV_VERDICT_USABLE, "All limits are kept");
  c.limits[1].velocity = 1e-3;
  expect(&c, "limits", RBV_VERDICT_NO, "velocity of elbow (");
  c.limits[1].velocity = 1e3;
  c.limits[1].effort = 1e-3;
  expect(&c, "limits", RBV_VERDICT_NO, "torque of elbow (");
  c.in.chi = NULL;  // torques are not known
  expect(&c, "limits", RBV_VERDICT_USABLE, "All limits are kept");
  expect(&c, "torque", RBV_VERDICT_CARE, "are not known");
  c.in.chi = rbv_model_parameters(c.m);
  expect(&c, "parameters", RBV_VERDICT_USABLE, "are excited");
  const double was = c.sigma[0];
  c.sigma[0] = 1e6;
  expect(&c, "parameters", RBV_VERDICT_CARE, c.in.base->name[0]);
  c.sigma[0] = INFINITY;
  expect(&c, "parameters", RBV_VERDICT_NO, "are not excited at all");
  c.sigma[0] = was;
  c.score.condition_scaled = 1e5;
  expect(&c, "condition", RBV_VERDICT_NO, "hardly separates");
  plan_free(&c);
}

/* names from files are escaped */
static void test_page(void **state) {
  (void)state;
  plan_case c;
  plan_new(&c);
  rbv_report *page;
  assert_ok(rbv_report_design_page(&page, &c.in));
  assert_int_equal(strlen(page->html), page->size);
  assert_null(strstr(page->html, "<script>alert"));
  // the arm, four quantities of two joints, sigma
  assert_int_equal(page->nfigure, 1 + 4 * 2 + 1);
  rbv_report_free(page);
  c.in.nmotion = 0;
  assert_refused(rbv_report_design_page(&page, &c.in), RBV_EARG, "needs a motion");
  plan_free(&c);
}

static rbv_status run(void *state) {
  rbv_report *page;
  const rbv_status status = rbv_report_design_page(&page, &((plan_case *)state)->in);
  if (status == RBV_OK) rbv_report_free(page);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  plan_case c;
  plan_new(&c);
  fail_each_allocation(run, &c);
  plan_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdict),
      cmocka_unit_test(test_page),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
