/* Motions from recordings: irregular time, and channels of every kind. */
#include "equations/equations.h"

#include "sheet.h"

/* ---- time ---- */

static void test_jitter_is_resampled(void **state) {
  (void)state;
  for (int m = RBV_DIFFERENTIATION_BANDPASS; m <= RBV_DIFFERENTIATION_RECORDED; m++) {
    rbv_differentiate_options o = rbv_differentiate_defaults();
    o.method = (rbv_differentiation)m;
    o.cutoff_hz = 50;
    o.period_s = PERIOD;
    blank(4000);
    // a clock that started long ago
    for (ptrdiff_t k = 0; k < page->count; k++) page->value[0][k] += 1000;
    jitter(0.3);
    put("q", position, 0);
    put("dq", velocity, 0);
    put("ddq", acceleration, 0);
    put("tau", torque, 0);
    read_back b = convert(RBV_SENSING_MOTOR, &o);
    assert_true(b.origin->resampled);
    assert_int_equal(b.origin->gaps, 0);
    // only samples near the ends are invalid, and none of a periodic or recorded motion
    const double ends = m <= RBV_DIFFERENTIATION_SPLINE ? 0.2 : 0;
    for (ptrdiff_t k = 0; k < b.info->count; k++)
      if (fmin((double)k, (double)(b.info->count - 1 - k)) >= ends * RATE) assert_true(b.valid[k]);
    // mean of the steps up to 1.5 medians; 1.5 % of the steps are longer, by 0.55 on average
    assert_near(b.info->rate_hz, RATE, 0, 1e-2);
    // steps are up to 1.6 h, so the error of the spline's second derivative is (1.6 w h)^2 / 12;
    // time stamps near 1000 have an error of 1e-13 s; the IRW smoother has the error of the
    // differences
    // the spline has its corner at 50 Hz: it takes (w / corner)^4 off the highest harmonic
    const double loss = m == RBV_DIFFERENTIATION_SPLINE ? pow(w_max / (2 * RBV_PI * 50), 4) : 0;
    compare(&b, 0.3, (double[]){1e-8 + loss, BEND, BEND});
    drop(&b);
  }
}

/* invalid are the samples in the gap, and half a period of the low-pass beside it and at the ends
 */
static void test_gaps_are_marked(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  cut(1001, 1031);  // 30 missing
  cut(2000, 2001);  // one missing sample is interpolated and not marked
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(b.info->count, 4000);
  assert_true(b.origin->resampled);
  assert_int_equal(b.origin->gaps, 1);
  // the filter acts over 500 / (2 * 50) = 5 samples on either side
  // and the assumption at an end over three times as many
  assert_int_equal(b.origin->invalid, 30 + 2 * 5 + 2 * 15);
  for (ptrdiff_t k = 0; k < 4000; k++)
    assert_int_equal(b.valid[k], (k >= 15 && k < 996) || (k > 1035 && k < 3985));
  // interpolation by a spline over 31 steps: (31 w H)^4 / 384 is 9e-4 of an amplitude, further
  // reduced by the filter
  compare(&b, 0.2, (double[]){1e-4, 1e-3, 2e-2});
  drop(&b);
}

/* rows that depend on an invalid sample are dropped and counted */
static void test_rows_of_gaps_are_dropped(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  cut(1001, 1031);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  rbv_model *m = robot(RBV_SENSING_MOTOR);
  rbv_log *log = finished();
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  int columns[64];
  const int ncolumn = rbv_model_column_count(m);
  for (int c = 0; c < ncolumn; c++) columns[c] = c;
  // decimated by 10, rows are at 35, 45, ...: those within 15 of 996 ... 1035 are 985 to 1045
  const struct {
    rbv_row_filter filter;
    ptrdiff_t rows, masked;
  } cases[] = {{{.decimate = 1}, 4000 - 70, 70}, {{.decimate = 10}, 394 - 7, 7}};
  for (int i = 0; i < 2; i++) {
    rbv_equations *s;
    assert_ok(rbv_equations_new(&s, m, columns, ncolumn, &cases[i].filter));
    assert_ok(rbv_equations_add(s, motion));
    for (int g = 0; g < rbv_equations_group_count(s); g++) {
      assert_int_equal(rbv_equations_group(s, g)->rows, cases[i].rows);
      assert_int_equal(rbv_equations_group(s, g)->masked, cases[i].masked);
    }
    rbv_equations_free(s);
  }
  rbv_motion_free(motion);
  rbv_log_free(log);
  rbv_model_free(m);
}

static void test_duplicates_are_dropped(void **state) {
  (void)state;
  blank(1000);
  put("q", position, 0);
  put("tau", torque, 0);
  // the recorder wrote the last sample again, with other values
  for (int c = 0; c < page->ncol; c++)
    memmove(page->value[c] + 501, page->value[c] + 500, 500 * sizeof(double));
  for (int c = 1; c < page->ncol; c++) page->value[c][501] = 77;
  page->value[0][501] = page->value[0][500];
  page->count++;
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(b.info->count, 1000);
  assert_int_equal(b.origin->duplicates, 1);
  assert_false(b.origin->resampled);
  compare(&b, 0.2, DIFFERENCED);
  drop(&b);
}

/* ---- channels ---- */

static void test_joints_in_any_order(void **state) {
  (void)state;
  const char *map_text =
      "time: t\njoints: [{name: b, q: q2, tau: tau2}, {name: a, q: q1, tau: tau1}]\n";
  rbv_log_map *map;
  rbv_log *log;
  assert_ok(rbv_log_map_parse(&map, "map.yaml", map_text, strlen(map_text)));
  static char text[400000];
  size_t used = (size_t)snprintf(text, sizeof text, "t,q1,q2,tau1,tau2\n");
  for (int k = 0; k < 1000; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%.17g,%.17g,%.17g,%g,%g\n", k * H,
                             wave(0, 0, k * H), wave(1, 0, k * H), 10., 20.);
  assert_ok(rbv_log_parse(&log, "order.csv", text, used, map));
  rbv_model *m = robot(RBV_SENSING_MOTOR);
  rbv_motion *motion;
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  read_back b = read_all(motion);
  compare(&b, 0.2, DIFFERENCED);
  assert_true(b.torque[500] == 10 && b.torque[1500] == 20);
  drop(&b);
  // the log is now in order, and may be used again
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_motion_free(motion);
  rbv_model_free(m);
  rbv_log_free(log);
  rbv_log_map_free(map);
}

/* an additional joint, of a gripper or of another robot, is ignored and reported */
static void test_spare_joints(void **state) {
  (void)state;
  blank(1000);
  put("q", position, 0);
  put("tau", torque, 0);
  const rbv_differentiate_options o = {.cutoff_hz = 50};
  read_back plain = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(plain.origin->spare_joints, 0);
  memcpy(column("q3"), page->value[1], (size_t)page->count * sizeof(double));
  read_back spare = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(spare.origin->spare_joints, 1);
  assert_memory_equal(spare.ddq, plain.ddq, (size_t)(1000 * JOINTS) * sizeof(double));
  drop(&plain);
  drop(&spare);
}

static double rotor_torque(int j, double t) { return j == 0 ? 2 + t : 5 - t; }

static void test_transmission_offset_and_gains(void **state) {
  (void)state;
  blank(1000);
  put("qm", rotor, 0);
  put("taum", rotor_torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  o.gains = (const double[]){3, -2};
  o.loaded = true;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_true(b.info->loaded);
  compare(&b, 0.2, DIFFERENCED);
  for (ptrdiff_t k = 0; k < 1000; k++) {
    const double one = 3 * (2 + (double)k * H), two = -2 * (5 - (double)k * H);
    // three products of numbers up to 200
    assert_near(b.torque[k], 10 * one + 4 * two, 1e-12, 0);
    assert_near(b.torque[k + 1000], -20 * two, 1e-12, 0);
  }
  drop(&b);
}

/* the link lags motor_position its motor by tauj / k (Jubien 2014, appendix 2) */
static double motor_position(int j, double t) {
  return wave(j, 0, t) + (j == 0 ? torque(0, t) / 1000 : 0);
}

static void test_stiffness(void **state) {
  (void)state;
  blank(2000);
  put("q", motor_position, 0);
  put("tauj", torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  o.stiffness = (const double[]){1000, 0};  // the second joint is rigid
  read_back b = convert(RBV_SENSING_JOINT, &o);
  assert_true(b.origin->link_side);
  compare(&b, 0.2, DIFFERENCED);
  drop(&b);
}

/* torques recorded 3.3 samples late; the last four samples have none */
static const double late = 3.3 / RATE;
static double late_torque(int j, double t) { return torque(j, t - late); }

static void test_delay(void **state) {
  (void)state;
  blank(1000);
  put("q", position, 0);
  put("tau", late_torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  o.torque_delay_s = late;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  // four samples without a torque are among the fifteen of which the acceleration is not known
  assert_int_equal(b.origin->invalid, 15 + 15);
  assert_true(b.origin->torque_delay_s == late);
  for (ptrdiff_t k = 0; k < 1000; k++) {
    assert_int_equal(b.valid[k], k >= 15 && k < 985);
    // cubic through four points: 3/128 (w H)^4 of the amplitude, and a little more at the end
    if (k < 996) assert_near(b.torque[k], torque(0, (double)k * H), 5 * pow(RBV_PI * H, 4), 0);
  }
  drop(&b);
}

/* motor minus sensor, and both stacked */
static double half_torque(int j, double t) { return torque(j, t) / 2; }

static void test_sensing(void **state) {
  (void)state;
  blank(1000);
  put("q", position, 0);
  put("tau", torque, 0);
  put("tauj", half_torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  read_back b = convert(RBV_SENSING_DIFFERENCE, &o);
  assert_int_equal(b.info->ntorque, 2);
  assert_true(b.torque[300] == half_torque(0, page->value[0][300]));
  drop(&b);
  b = convert(RBV_SENSING_BOTH, &o);
  assert_int_equal(b.info->ntorque, 4);
  assert_true(b.torque[300] == torque(0, page->value[0][300]));
  assert_true(b.torque[300 + 3 * 1000] == half_torque(1, page->value[0][300]));
  drop(&b);
}

/* a joint that stands still does not disturb the others */
static double held(int j, double t) { return j == 0 ? wave(0, 0, t) : 0.7; }

static void test_joint_that_stands_still(void **state) {
  (void)state;
  for (int m = RBV_DIFFERENTIATION_BANDPASS; m <= RBV_DIFFERENTIATION_FOURIER; m++) {
    rbv_differentiate_options o = rbv_differentiate_defaults();
    o.method = (rbv_differentiation)m;
    o.period_s = PERIOD;
    blank(4000);
    put("q", held, 0);
    put("tau", torque, 0);
    read_back b = convert(RBV_SENSING_MOTOR, &o);
    // rounding of 0.7, differenced twice at 500 Hz: 1e-16 * 500^2
    for (ptrdiff_t k = 0; k < b.info->count; k++) {
      assert_near(b.dq[k + b.info->count], 0, 1e-12, 0);
      assert_near(b.ddq[k + b.info->count], 0, 1e-9, 0);
    }
    drop(&b);
  }
}

int main(void) {
  page = malloc(sizeof *page);
  if (!page) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_jitter_is_resampled),
      cmocka_unit_test(test_gaps_are_marked),
      cmocka_unit_test(test_rows_of_gaps_are_dropped),
      cmocka_unit_test(test_duplicates_are_dropped),
      cmocka_unit_test(test_joints_in_any_order),
      cmocka_unit_test(test_spare_joints),
      cmocka_unit_test(test_transmission_offset_and_gains),
      cmocka_unit_test(test_stiffness),
      cmocka_unit_test(test_delay),
      cmocka_unit_test(test_sensing),
      cmocka_unit_test(test_joint_that_stands_still),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(page);
  return failed;
}
