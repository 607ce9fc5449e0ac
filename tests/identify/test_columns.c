/* Columns defined in the robot file are identified like all others. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#define N 3
#define RATE 1000.0

/* a counterbalance cylinder on joint 2 and a spring between joints 1 and 3 */
static const char arm[] =
    "joints:\n"
    "  - {mdh: {}, limits: {lower: -2, upper: 2}}\n"
    "  - {mdh: {alpha: pi/2, d: 0.35}}\n"
    "  - {mdh: {d: 1.15}}\n"
    "columns:\n"
    "  - name: kcb\n"
    "    unit: \"1\"\n"
    "    joint: 2\n"
    "    constants: {D: 0.8, k: 0.2, A: pi/4*(0.055^2 - 0.03^2), pV: 1.01*296.8*328*2*0.0795}\n"
    "    let:\n"
    "      delta: q2 + 5*pi/180\n"
    "      dl: sqrt(D^2 + k^2 - 2*D*k*cos(delta)) - (D - k)\n"
    "    expression: D*k*sin(delta)/(dl + D - k) * pV/(2*0.00048 - dl*A) * A\n"
    "  - {name: spring, unit: N m/rad, terms: [{joint: 1, expression: q1-q3},\n"
    "     {joint: 3, expression: q3-q1}]}\n";

static const char rooted[] =
    "joints: [{mdh: {}, limits: {lower: 0, upper: 2}}, {mdh: {alpha: pi/2}}, {mdh: {d: 0.4}}]\n"
    "columns: [{name: root, unit: N m, joint: 2, expression: sqrt(q1 - 0.002)}]\n";

typedef struct {
  rbv_model *m;
  rbv_motion *motion;
  double chi[64];
} fixture;

/* a sum of sines per joint and its exact derivatives; torques are those of chi */
static fixture make(const char *yaml, ptrdiff_t count) {
  fixture f = {0};
  rbv_dynamics *d;
  assert_ok(rbv_model_parse(&f.m, "arm.yaml", yaml, strlen(yaml), NULL));
  const int nc = rbv_model_column_count(f.m);
  assert_true(nc <= 64 && rbv_model_joint_count(f.m) == N);
  for (int c = 0; c < nc; c++) f.chi[c] = 10 * rbv_random_uniform(4, 0, (uint64_t)c);
  double *x = calloc((size_t)(4 * N * count), sizeof *x);
  const rbv_samples s = {.ld = count,
                         .q = x,
                         .dq = x + N * count,
                         .ddq = x + 2 * N * count,
                         .torque = x + 3 * N * count};
  for (ptrdiff_t k = 0; k < count; k++)
    for (int j = 0; j < N; j++)
      for (int h = 1; h <= 5; h++) {
        const double w = 2 * RBV_PI * h * 0.2,
                     phase = 7 * rbv_random_uniform(3, (uint64_t)j, (uint64_t)h);
        const double a = 1.2 / h, t = (double)k / RATE;
        s.q[k + j * count] += a * sin(w * t + phase);
        s.dq[k + j * count] += a * w * cos(w * t + phase);
        s.ddq[k + j * count] -= a * w * w * sin(w * t + phase);
      }
  assert_ok(rbv_dynamics_new(&d, f.m));
  assert_ok(rbv_dynamics_set(d, f.chi, false));
  const rbv_states states = {.count = count, .ld = count, .q = s.q, .dq = s.dq, .ddq = s.ddq};
  rbv_dynamics_inverse_batch(s.torque, count, d, &states);
  const rbv_motion_info info = {
      .name = "swing", .njoint = N, .ntorque = N, .count = count, .rate_hz = RATE};
  assert_ok(rbv_motion_from_arrays(&f.motion, &info, &s));
  rbv_dynamics_free(d);
  free(x);
  return f;
}

static void release(fixture *f) {
  rbv_motion_free(f->motion);
  rbv_model_free(f->m);
}

static double estimated(const rbv_estimate *e, const fixture *f, const char *name) {
  return e->chi[rbv_model_find(f->m, name)];
}

static void test_noise_free_data_return_the_coefficients(void **state) {
  (void)state;
  fixture f = make(arm, 5000);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "ols";
  for (int decimate = 0; decimate < 2; decimate++) {
    o.filter.decimate = decimate ? 10 : 1;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, f.m, &f.motion, 1, &o));
    // torques are rounded to 1e-16 of their size, the condition number is below 1e4
    const char *const names[] = {"kcb", "spring"};
    for (int i = 0; i < 2; i++)
      assert_near(estimated(e, &f, names[i]), f.chi[rbv_model_find(f.m, names[i])], 0, 1e-12);
    assert_true(e->diagnostics.condition_number_scaled < 1e4);
    assert_true(e->fit.relative_error < 1e-12);

    // a prediction uses the columns too
    rbv_prediction *p;
    assert_ok(rbv_predict(&p, f.m, &f.motion, 1, e->chi, &o.filter));
    assert_true(p->unfiltered < 1e-12);
    rbv_prediction_free(p);
    rbv_estimate_free(e);
  }
  release(&f);
}

static void test_report_shows_columns(void **state) {
  (void)state;
  fixture f = make(arm, 2000);
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "ols";
  rbv_estimate *e;
  rbv_result result = {0};
  assert_ok(rbv_identify(&e, f.m, &f.motion, 1, &o));
  assert_ok(rbv_estimate_report(&result, e, f.m));
  const int last = result.estimate.count - 1;
  assert_string_equal(result.estimate.item[last].name, "spring");
  assert_string_equal(result.unit[last], "N m/rad");
  assert_string_equal(result.estimate.item[last - 1].name, "kcb");
  assert_string_equal(result.unit[last - 1], "1");
  rbv_estimate_unreport(&result);
  rbv_estimate_free(e);
  release(&f);
}

/* the motion leaves the domain of the formula, with and without a filter that would spread it */
static void test_motion_outside_the_domain_is_refused(void **state) {
  (void)state;
  fixture f = make(rooted, 3000);
  rbv_samples s = {.ld = 1};
  double q[N];
  ptrdiff_t first = -1;
  s.q = q;
  for (ptrdiff_t k = 0; k < 3000 && first < 0; k++) {
    assert_ok(rbv_motion_read(f.motion, &s, k, 1));
    if (q[0] < 0.002) first = k;
  }
  assert_true(first >= 0);
  char want[128];
  snprintf(want, sizeof want, "'swing': column 'root' has no finite value at sample %td",
           first + 1);
  rbv_identify_options o = rbv_identify_defaults();
  for (int decimate = 1; decimate <= 10; decimate += 9) {
    o.filter.decimate = decimate;
    rbv_estimate *e;
    assert_refused(rbv_identify(&e, f.m, &f.motion, 1, &o), RBV_EINPUT, want);
    assert_null(e);
  }
  release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_noise_free_data_return_the_coefficients),
      cmocka_unit_test(test_report_shows_columns),
      cmocka_unit_test(test_motion_outside_the_domain_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
