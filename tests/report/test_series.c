/* The lines of a recording: parts of the torque, and what the motion visits. */
#include "cases.h"
#include "report/report_internal.h"
#include "roberval/sys/dynamics.h"

static void series_of(report_series *s, const report_case *c) {
  const rbv_row_filter filter = {.decimate = 1};
  assert_ok(rbv_series_new(s, c->model, &c->motion, 1, rbv_model_parameters(c->model), &filter, 0,
                           1, 10000));
  assert_int_equal(s->count, 1500);
}

/* gravity, inertia, Coriolis and friction add up to the prediction; gravity is the torque at rest
 * of the links, and friction that of the drives */
static void test_parts_of_the_torque(void **state) {
  (void)state;
  report_case c;
  report_series s;
  case_new(&c);
  series_of(&s, &c);
  const int n = rbv_model_column_count(c.model);
  double links[64] = {0}, at_rest[2], still[2], moving[2], q[2], dq[2], ddq[2];
  const double zero[2] = {0, 0};
  for (int k = 0; k < n; k++)
    if (rbv_model_column(c.model, k)->basis == RBV_BASIS_INERTIAL ||
        rbv_column_has_law(rbv_model_column(c.model, k), "Ia"))
      links[k] = rbv_model_parameters(c.model)[k];
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, c.model));
  assert_ok(rbv_dynamics_set(d, links, false));
  for (ptrdiff_t k = 0; k < s.count; k += 50) {
    const rbv_samples one = {.ld = 1, .q = q, .dq = dq, .ddq = ddq};
    assert_ok(rbv_motion_read(c.motion, &one, k, 1));
    rbv_dynamics_rows(at_rest, d, q, zero, zero);
    rbv_dynamics_rows(still, d, q, zero, ddq);
    rbv_dynamics_rows(moving, d, q, dq, ddq);
    for (int r = 0; r < 2; r++) {
      double *const *line = s.row[r].line;
      // torques below 1e3 N m, sums of a few terms: 1e-11 is far above rounding
      assert_near(line[SERIES_GRAVITY][k], at_rest[r], 1e-11, 0);
      assert_near(line[SERIES_INERTIA][k], still[r] - at_rest[r], 1e-11, 0);
      assert_near(line[SERIES_CORIOLIS][k], moving[r] - still[r], 1e-11, 0);
      assert_near(line[SERIES_GRAVITY][k] + line[SERIES_INERTIA][k] + line[SERIES_CORIOLIS][k] +
                      line[SERIES_FRICTION][k] + line[SERIES_RESIDUAL][k],
                  line[SERIES_MEASURED][k], 1e-11, 0);
    }
  }
  rbv_dynamics_free(d);
  rbv_series_free(&s);
  case_free(&c);
}

/* ranges are those of all samples, visited states are samples of the motion */
static void test_visited_states(void **state) {
  (void)state;
  report_case c;
  report_series s;
  case_new(&c);
  series_of(&s, &c);
  double q[2], dq[2], ddq[2], low[3] = {INFINITY, INFINITY, INFINITY},
                              high[3] = {-INFINITY, -INFINITY, -INFINITY};
  const rbv_samples one = {.ld = 1, .q = q, .dq = dq, .ddq = ddq};
  for (ptrdiff_t k = 0; k < 1500; k++) {
    assert_ok(rbv_motion_read(c.motion, &one, k, 1));
    const double x[3] = {q[1], dq[1], ddq[1]};
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], x[i]);
      high[i] = fmax(high[i], x[i]);
    }
  }
  for (int i = 0; i < 3; i++) {
    assert_near(s.range[1].of[i].low, low[i], 0, 0);
    assert_near(s.range[1].of[i].high, high[i], 0, 0);
  }
  // 1500 samples, every sixth of them
  assert_int_equal(s.nvisited, 250);
  assert_ok(rbv_motion_read(c.motion, &one, 60, 1));
  assert_near(s.range[1].visited[1][10], dq[1], 0, 0);
  assert_int_equal(s.nspectrum, 1500);
  rbv_series_free(&s);
  case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts_of_the_torque),
                                     cmocka_unit_test(test_visited_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
