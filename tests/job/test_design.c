/* A design without the tool: defaults, options by name, files, refusals. */
#include <math.h>
#include <roberval/sys/design.h>
#include <roberval/sys/report.h>
#include <roberval/sys/result.h>
#include <string.h>

#include "base/support.h"
#include "job/job.h"
#include "support.h"
#include "trajectory/trajectory.h"

/* two joints, so that a search with one start takes little time */
static const char robot[] =
    "joints:\n"
    "  - {mdh: {}, limits: {lower: -1, upper: 1, velocity: 2, acceleration: 9, jerk: 90}}\n"
    "  - {mdh: {alpha: pi/2, d: 1},\n"
    "     limits: {lower: -1, upper: 1, velocity: 2, acceleration: 9, jerk: 90}}\n";

static rbv_model *load(void) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", robot, sizeof robot - 1, NULL));
  return m;
}

static rbv_design_options quick(void) {
  rbv_design_options o = rbv_design_defaults();
  o.budget_s = 0;
  o.starts = 1;
  o.population = 4;
  o.generations = 1;
  o.period_s = 4;
  o.rate_hz = 50;
  return o;
}

/* NULL options are the defaults; nothing crashes without them */
static void test_defaults(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_design *d;
  assert_ok(rbv_design_new(&d, m, NULL, NULL));
  assert_string_equal(d->options.kind, "fourier");
  assert_string_equal(d->options.search, "slsqp");
  assert_int_equal(d->options.harmonics, 5);
  assert_true(rbv_design_jobs(d) > 0);
  rbv_design_free(d);
  rbv_design_free(NULL);
  assert_refused(rbv_design_new(&d, NULL, NULL, NULL), RBV_EARG, "needs a robot");
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, m, NULL));
  rbv_excite_free(e);
  assert_refused(rbv_excite_new(&e, NULL, NULL), RBV_EARG, "needs a robot");
  rbv_model_free(m);
}

/* a limit as one number is that of every joint, as a list that of each */
static void test_limits_of_joints(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_design_options o = quick();
  o.velocity = "1.5";
  o.position = "0.5";
  o.acceleration = "7,8";
  rbv_design *d;
  assert_ok(rbv_design_new(&d, m, &o, NULL));
  for (int j = 0; j < 2; j++) {
    const rbv_limits *limits = &d->constraints->limits[j];
    assert_true(limits->velocity == 1.5);
    assert_true(limits->lower == -0.5 && limits->upper == 0.5);
    assert_true(limits->acceleration == 7 + j);
    assert_true(limits->jerk == 90);  // of the robot
  }
  rbv_design_free(d);
  rbv_model_free(m);
}

/* a robot file without limits: nothing is fast, and the design says what is assumed */
static void test_careful_limits(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n  - {mdh: {}}\n  - {mdh: {alpha: pi/2, d: 0.9}}\n"
      "  - {type: prismatic, mdh: {}, limits: {lower: 0, upper: 0.5}}\n";
  const double most[3][2] = {{1, 3}, {1, 3}, {0.25, 0.25}};
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", text, sizeof text - 1, NULL));
  for (int fast = 0; fast < 2; fast++) {
    rbv_design_options o = quick();
    o.floor = false;
    o.rate_hz = 5000;
    if (fast) {
      o.velocity = "4";
      o.acceleration = "30";
      o.tool_speed = 1.6;
    }
    rbv_design *d;
    assert_ok(rbv_design_new(&d, m, &o, NULL));
    assert_ok(rbv_design_solve(d, NULL));
    if (!d->info.feasible) fail_msg("%s", d->info.reason);
    for (int j = 0; j < 3 && !fast; j++) {
      assert_true(d->usage[j].velocity <= most[j][0] * (1 + 1e-9));
      assert_true(d->usage[j].acceleration <= most[j][1] * (1 + 1e-9));
      assert_true(d->assumed[j].velocity && d->assumed[j].acceleration);
    }
    assert_int_equal(d->assumed_tool_speed, !fast);
    assert_string_equal(d->check[0].name, "tool speed");
    assert_int_equal(d->check[0].assumed, !fast);
    assert_int_equal(d->check[2].assumed, !fast);
    assert_non_null(
        strstr(d->check[0].text, fast ? "limited to 1.6 m/s." : "1 m/s, which is assumed"));
    assert_non_null(
        strstr(d->check[2].text, fast ? "are checked." : "velocity 1 rad/s (2 of 3 joints)"));
    assert_string_equal(d->check[1].name, "torque");
    // the speed by hand, from positions 0.2 ms apart; the end of the slide is the tool
    const rbv_motion_info *info = rbv_motion_get_info(d->motion[0]);
    double last[3] = {0}, fastest = 0;
    for (ptrdiff_t i = 0; i < info->count; i++) {
      double q[3], p[3];
      const rbv_samples one = {.ld = 1, .q = q};
      assert_ok(rbv_motion_read(d->motion[0], &one, i, 1));
      // 0.9 m from the first axis, and the slide across
      p[0] = 0.9 * cos(q[0]) + q[2] * sin(q[0]);
      p[1] = 0.9 * sin(q[0]) - q[2] * cos(q[0]);
      p[2] = 0;
      const double v = hypot(p[0] - last[0], p[1] - last[1]) * info->rate_hz;
      if (i > 0) fastest = fmax(fastest, v);
      memcpy(last, p, sizeof p);
    }
    // the shape of the last link is a point: the tool is the end of the slide
    assert_true(fastest <= (fast ? 1.6 : 1) * (1 + 1e-6));
    assert_near(d->used[0].tool_speed, fastest, 1e-3, 0);
    rbv_design_free(d);
  }
  // an existing motion is compared with the limits that are known
  rbv_design_options o = quick();
  rbv_design *d;
  o.evaluate = "motion.csv";
  assert_ok(rbv_design_new(&d, m, &o, NULL));
  assert_true(isinf(d->constraints->limits[0].velocity) && !d->assumed_tool_speed);
  rbv_design_free(d);
  rbv_model_free(m);
}

/* every class of the table: designed within the limits, scored, written in every format it has */
static void test_every_class(void **state) {
  (void)state;
  rbv_model *m = load();
  for (int k = 0; k < rbv_trajectory_class_count(); k++) {
    rbv_design_options o = quick();
    const rbv_option_group group[] = {{rbv_design_rows(), &o}, {0}};
    assert_ok(rbv_option_set(group, "class", rbv_trajectory_class_name((rbv_trajectory_class)k)));
    o.link_radius = 0.03;  // given, so that files for robots are written
    rbv_design *d;
    assert_ok(rbv_design_new(&d, m, &o, NULL));
    assert_ok(rbv_design_solve(d, NULL));
    if (!d->info.feasible) fail_msg("%s: %s", o.kind, d->info.reason);
    assert_int_equal(d->count, 1);
    assert_true(d->used[0].feasible);
    for (int j = 0; j < 2; j++) {
      assert_true(d->usage[j].velocity <= 2 * (1 + 1e-9));
      assert_true(d->usage[j].acceleration <= 9 * (1 + 1e-9));
    }
    assert_true(isfinite(d->score.coupling));
    for (int b = 0; b < d->base->count; b++) assert_true(d->sigma[b] > 0);
    for (int f = 0; rbv_trajectory_format_at(f); f++) {
      char *text;
      size_t size;
      const rbv_status status = rbv_design_write(&text, &size, d, 0, f, 1, NULL);
      // some formats are of robots with six joints
      if (status != RBV_EUNSUPPORTED) assert_ok(status);
      rbv_text_release(text);
    }
    rbv_report *page;
    assert_ok(rbv_report_design(&page, d));
    assert_non_null(strstr(page->html, o.kind));
    rbv_report_free(page);
    assert_refused(rbv_design_solve(d, NULL), RBV_EARG, "solved before");
    rbv_design_free(d);
  }
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_design *d;
  static const struct {
    const char *option, *value, *message;
  } bad[] = {
      {"class", "circle", "choose from fourier"},
      {"criterion", "best", "criterion cannot be 'best'"},
      {"search", "luck", "search cannot be 'luck'"},
      {"columns", "some", "columns cannot be 'some'"},
      {"criterion", "sigma", "needs values of the parameters"},
      {"effort", "1,2", "limits of torque need values"},
      {"parameter", "M7", "'M7' is not a base parameter"},
      {"velocity", "1,2,3", "velocity needs 2 numbers, not 3"},
      {"frequencies", "3,2,2", "the lowest one, then the highest"},
      {"harmonics", "101", "harmonics needs a whole number from 1 to 100"},
      {"lambda", "2", "lambda needs a number from 0 to 1"},
      {"rate", "0", "rate needs a number from 1 to 100000, not 0"},
      {"fly-by", "-1", "fly-by needs a number from 0 to 1"},
      {"mutation", "2", "mutation needs a number from 0 to 1"},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_design_options o = quick();
    const rbv_option_group groups[] = {{rbv_design_rows(), &o}, {rbv_constraint_rows(), &o}, {0}};
    void *target;
    const rbv_option *row = rbv_option_find(&target, groups, bad[i].option);
    assert_non_null(row);
    // not by the table, which would refuse it
    assert_true(rbv_option_store(row->kind, (rbv_range){0}, target, bad[i].value));
    assert_refused(rbv_design_new(&d, m, &o, NULL), RBV_EOPTION, bad[i].message);
    assert_null(d);
  }
  rbv_design_options o = quick();
  o.kind = "via";
  o.search = "slsqp";
  assert_refused(rbv_design_new(&d, m, &o, NULL), RBV_EOPTION, "via points have no gradient");
  rbv_model_free(m);
}

/* one row per option: a name, a sentence, a field of the structure; names are unique */
static void test_tables(void **state) {
  (void)state;
  const rbv_option *tables[] = {rbv_design_rows(), rbv_constraint_rows()};
  const char *seen[128];
  int count = 0;
  for (int t = 0; t < 2; t++)
    for (const rbv_option *o = tables[t]; o->name; o++) {
      assert_true(o->help && o->help[0] && o->offset < sizeof(rbv_design_options));
      assert_int_equal(rbv_option_takes_value(o->kind), o->value != NULL);
      for (int i = 0; i < count; i++) assert_string_not_equal(seen[i], o->name);
      seen[count++] = o->name;
    }
}

static rbv_status design(void *m) {
  const rbv_design_options o = quick();
  rbv_design *d;
  rbv_status status = rbv_design_new(&d, m, &o, NULL);
  if (status == RBV_OK) status = rbv_design_solve(d, NULL);
  // a search that runs out of memory in a candidate may find nothing
  rbv_design_free(d);
  return status;
}

static void test_allocations_fail_well(void **state) {
  (void)state;
  rbv_model *m = load();
  fail_each_allocation(design, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_limits_of_joints),
      cmocka_unit_test(test_careful_limits),
      cmocka_unit_test(test_every_class),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_allocations_fail_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
