/* Motions from recordings: derivatives compared with analytic ones, refusals, memory. */
#include "signal/signal.h"

#include "prepare/prepare.h"
#include "sheet.h"

static void test_bandpass(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(b.info->count, 4000);
  assert_near(b.info->rate_hz, RATE, 1e-9, 0);
  compare(&b, 0.2, DIFFERENCED);
  assert_string_equal(b.origin->method, "bandpass");
  assert_true(b.origin->cutoff_hz == 50 && !b.origin->cutoff_from_data);
  assert_false(b.origin->resampled);
  // three half periods of the low-pass at each end: 3 * 500 / (2 * 50) samples
  assert_int_equal(b.origin->invalid, 2 * 15);
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < 4000; k++)
      assert_true(b.torque[k + j * 4000] == torque(j, page->value[0][k]));
  drop(&b);
}

/* every 40th time stamp 0.4 steps late */
static void put_late_stamps(void) {
  for (ptrdiff_t k = 20; k + 1 < page->count; k += 40) page->value[0][k] += 0.4 / RATE;
}

/* A computer that writes stamps late: the rows are regular, and are taken as they are. A recorder
 * that samples late: the stamps are right. */
static void test_stamps_that_scatter(void **state) {
  (void)state;
  // a spline of steps up to 1.4 H and its derivatives: powers of 1.4 w H, with a factor of 4 for
  // what the differences of the grid add
  const double w = 1.4 * w_max * H, spline[] = {pow(w, 4), pow(w, 3), 4 * w * w};
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  for (int sampled_late = 0; sampled_late < 2; sampled_late++) {
    blank(3000);
    if (sampled_late) put_late_stamps();
    put("q", position, 0);
    put("tau", torque, 0);
    if (!sampled_late) put_late_stamps();
    read_back b = convert(RBV_SENSING_MOTOR, &o);
    assert_true(b.origin->by_rows == !sampled_late);
    assert_true(b.origin->resampled == sampled_late);
    assert_near(b.info->rate_hz, RATE, 1e-9, 0);
    compare(&b, 0.2, sampled_late ? spline : DIFFERENCED);
    drop(&b);
  }
}

/* the cut-off is chosen from the data: 12 Hz at least, at most 0.4 of the rate */
static void test_bandpass_chooses_its_cutoff(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 1e-5);
  put("tau", torque, 0);
  read_back b = convert(RBV_SENSING_MOTOR, NULL);
  assert_true(b.origin->cutoff_from_data);
  assert_true(b.origin->cutoff_hz >= 12 && b.origin->cutoff_hz <= 0.4 * RATE);
  assert_true(b.origin->noise_hz > 0 && b.origin->noise_hz < b.origin->cutoff_hz);
  // white noise of 1e-5 rad below f_c gives in velocity sigma 2 pi sqrt(2 f_c^3 / (3 f)); six times
  // that
  const double f = b.origin->cutoff_hz,
               noise = 1e-5 * 2 * RBV_PI * sqrt(2 * f * f * f / (3 * RATE));
  compare(&b, 0.5,
          (double[]){6e-5, 6 * noise / w_max + BEND,
                     6 * noise * 2 * RBV_PI * f / (w_max * w_max) + BEND});
  drop(&b);
}

/*
 * Noise of 1e-3 rad: plain differences have 1e-3 / sqrt(2) * 500 = 0.35 rad/s rms in velocity and
 * 1e-3 * sqrt(6)/4 * 500^2 = 153 rad/s^2 in acceleration. With a smoother, the largest error of
 * 3000 samples (four times the rms) must be below half and below a quarter of that.
 */
#define SMOOTHED ((const double[]){3e-3, 0.35 / 2 / w_max, 153 / 4.0 / (w_max * w_max)})

static void test_irw(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 1e-3);
  put("tau", torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = RBV_DIFFERENTIATION_IRW;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_string_equal(b.origin->method, "irw");
  for (int j = 0; j < JOINTS; j++) {
    assert_true(b.origin->nvr[2 * j] > 0 && b.origin->nvr[2 * j] < 1);
    // chi-square of 4000 degrees of freedom: 2.2 %; the motion is not exactly a random walk, so 20
    // %
    assert_near(b.origin->position_noise[j], 1e-6, 0, 0.2);
  }
  compare(&b, 0.5, SMOOTHED);
  drop(&b);

  // without noise the result is a central difference, and neither derivative leads or lags
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  b = convert(RBV_SENSING_MOTOR, &o);
  compare(&b, 0.5, DIFFERENCED);
  drop(&b);
}

static void test_spline(void **state) {
  (void)state;
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = RBV_DIFFERENTIATION_SPLINE;
  blank(4000);
  put("q", position, 1e-3);
  put("tau", torque, 0);
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  // residual of 4000 samples: standard deviation 2.2 %; the corner passes below 10 % of the noise
  for (int j = 0; j < JOINTS; j++) assert_near(b.origin->position_noise[j], 1e-6, 0, 0.2);
  assert_true(b.origin->cutoff_from_data);
  compare(&b, 0.5, SMOOTHED);
  drop(&b);

  // without noise: the gain of the highest harmonic is 1 / (1 + (f / corner)^4)
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  b = convert(RBV_SENSING_MOTOR, &o);
  const double loss = pow(w_max / (2 * RBV_PI * b.origin->cutoff_hz), 4);
  assert_true(loss < 2e-3);
  compare(&b, 0.5, (double[]){loss + BEND * BEND, loss + BEND / 12, loss + BEND / 12});
  drop(&b);

  // the corner can be given; (w h)^2 / 12 in acceleration is that of an interpolating spline
  o.cutoff_hz = 100;
  b = convert(RBV_SENSING_MOTOR, &o);
  assert_false(b.origin->cutoff_from_data);
  const double little = pow(w_max / (2 * RBV_PI * 100), 4);
  compare(&b, 0.5, (double[]){little + BEND * BEND, little + BEND / 12, little + BEND / 12});
  drop(&b);
}

/*
 * Noise that is not white, as that of real recordings: AR(1) with a corner of 40 Hz. Fourth
 * differences see less than half of its variance; a spline that leaves only that follows the rest.
 * With a corner at the end of the motion's band the acceleration has a tenth of that error.
 */
static void test_spline_with_coloured_noise(void **state) {
  (void)state;
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = RBV_DIFFERENTIATION_SPLINE;
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  const double a = exp(-2 * RBV_PI * 40 / RATE), sigma = 2e-4;
  for (int j = 0; j < JOINTS; j++) {
    double *q = page->value[1 + j], noise = 0;
    for (ptrdiff_t k = 0; k < page->count; k++) {
      noise = a * noise + sqrt(1 - a * a) * sigma * rbv_random_normal(3, (uint64_t)j, (uint64_t)k);
      q[k] += noise;
    }
  }
  double variance, error[2] = {0};
  assert_ok(rbv_noise_variance(&variance, page->value[1], page->count));
  assert_true(variance < sigma * sigma / 2);
  for (int i = 0; i < 2; i++) {
    o.spline_variance = i == 0 ? 0 : variance;
    read_back b = convert(RBV_SENSING_MOTOR, &o);
    for (ptrdiff_t k = 250; k < 3750; k++)
      error[i] += pow(b.ddq[k] - wave(0, 2, (double)k / RATE), 2);
    drop(&b);
  }
  assert_true(sqrt(error[0]) < sqrt(error[1]) / 10);
}

/* The recording begins and ends in motion, where a filter and a spline assume no acceleration. What
 * is left of this in the samples that count is 1 % of the step there, which is at most the largest
 * acceleration; without the rule it is all of it. */
static void test_ends_in_motion(void **state) {
  (void)state;
  static const rbv_differentiation methods[] = {RBV_DIFFERENTIATION_BANDPASS,
                                                RBV_DIFFERENTIATION_SPLINE};
  for (int i = 0; i < 2; i++) {
    rbv_differentiate_options o = rbv_differentiate_defaults();
    o.method = methods[i];
    o.cutoff_hz = 20;
    blank(4000);
    // the trajectory has no acceleration at t = 0
    for (ptrdiff_t k = 0; k < page->count; k++) page->value[0][k] += 0.3;
    put("q", position, 0);
    put("tau", torque, 0);
    read_back b = convert(RBV_SENSING_MOTOR, &o);
    double worst = 0, first = 0;
    for (int j = 0; j < JOINTS; j++)
      for (ptrdiff_t k = 0; k < 4000; k++) {
        const double want = wave(j, 2, 0.3 + (double)k * H);
        const double off = fabs(b.ddq[k + j * 4000] - want) / (w_max * w_max);
        if (b.valid[k]) worst = fmax(worst, off);
        first = fmax(first, off);
      }
    assert_true(worst < 0.01);
    assert_true(first > 0.1);
    assert_true(b.origin->invalid > 0 && b.origin->invalid < 400);
    drop(&b);
  }
}

/* a motion with eight harmonics: five would leave out three; all up to the cut-off are found */
static double rich(int joint, double t) {
  double sum = wave(joint, 0, t);
  for (int h = 4; h <= 8; h++) sum += 0.1 / h * sin(2 * RBV_PI * h * t / PERIOD);
  return sum;
}

static double rich_velocity(int joint, double t) {
  double sum = wave(joint, 1, t);
  for (int h = 4; h <= 8; h++) sum += 0.1 * 2 * RBV_PI / PERIOD * cos(2 * RBV_PI * h * t / PERIOD);
  return sum;
}

static void test_harmonics_from_the_data(void **state) {
  (void)state;
  blank(10 * 1000);
  put("q", rich, 1e-5);
  put("tau", torque, 0.3);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = RBV_DIFFERENTIATION_FOURIER;
  o.period_s = PERIOD;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_true(b.origin->harmonics_from_data && b.origin->harmonics >= 8);
  assert_int_equal(b.origin->harmonics, (int)(b.origin->cutoff_hz * PERIOD));
  // coefficients have sigma 1e-5 sqrt(2 / 1e4); 100 harmonics with up to 314 rad/s, five times that
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < 1000; k++)
      assert_near(b.dq[k + j * 1000], rich_velocity(j, (double)k * H), 5 * 10 * 314 * 1.4e-7, 0);
  drop(&b);

  // a given cut-off limits them
  o.cutoff_hz = 6.1;
  b = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(b.origin->harmonics, 12);
  drop(&b);
}

static void test_fourier(void **state) {
  (void)state;
  // 10 periods and an incomplete one
  blank(10 * 1000 + 300);
  put("q", position, 1e-4);
  put("tau", torque, 0.3);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = RBV_DIFFERENTIATION_FOURIER;
  o.period_s = PERIOD;
  o.harmonics = 3;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(b.info->count, 1000);
  assert_int_equal(b.origin->periods, 10);
  assert_false(b.origin->resampled);
  // 7 coefficients from 10^4 samples: each has sigma 1e-4 sqrt(2/1e4) = 1.4e-6; six times the sum
  compare(&b, 0, (double[]){3e-5, 3e-5, 3e-5});
  for (int j = 0; j < JOINTS; j++) {
    // 9000 degrees of freedom: 1.5 %, four times that
    assert_near(b.origin->torque_noise[j], 0.09 / 10, 0, 0.06);
    assert_near(b.origin->position_noise[j], 1e-8, 0, 0.06);
    for (ptrdiff_t k = 0; k < 1000; k++)
      assert_near(b.torque[k + j * 1000], torque(j, (double)k * H), 5 * 0.3 / sqrt(10), 0);
  }
  drop(&b);

  // a period that is not a whole number of samples: the grid follows it
  o.period_s = PERIOD;
  blank(8000);
  for (ptrdiff_t k = 0; k < page->count; k++) page->value[0][k] *= 1.0007;
  put("q", position, 0);
  put("tau", torque, 0);
  b = convert(RBV_SENSING_MOTOR, &o);
  assert_true(b.origin->resampled);
  assert_int_equal(b.info->count, 999);
  assert_near(b.info->rate_hz, 999 / PERIOD, 1e-9, 0);
  // rounding only: sums over 8000 samples
  compare(&b, 0, (double[]){1e-12, 1e-12, 1e-12});
  // a monotone cubic flattens an extreme by 5 (w h)^2 / 8 at most
  for (ptrdiff_t k = 0; k < 999; k++)
    assert_near(b.torque[k], torque(0, (double)k / b.info->rate_hz),
                5 * RBV_PI * RBV_PI * H * H / 8, 0);
  drop(&b);

  // a single period gives no variance between periods
  blank(1500);
  put("q", position, 0);
  put("tau", torque, 0);
  b = convert(RBV_SENSING_MOTOR, &o);
  assert_null(b.origin->torque_noise);
  assert_int_equal(b.origin->periods, 1);
  drop(&b);
}

/*
 * Mean of 18 periods with every differentiator (Radkhah 2007): one period is left, its noise is
 * that of a recording divided by the root of 18, and the samples at the ends are known from other
 * periods.
 */
static void test_periods_with_any_method(void **state) {
  (void)state;
  static const rbv_differentiation methods[] = {
      RBV_DIFFERENTIATION_BANDPASS, RBV_DIFFERENTIATION_IRW, RBV_DIFFERENTIATION_SPLINE};
  const ptrdiff_t period = (ptrdiff_t)(PERIOD * RATE);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    rbv_differentiate_options o = rbv_differentiate_defaults();
    o.method = methods[i];
    o.cutoff_hz = 20;
    double rms[2] = {0};
    for (int averaged = 0; averaged < 2; averaged++) {
      o.period_s = averaged ? PERIOD : 0;
      blank(18 * period);
      put("q", position, 1e-3);
      put("tau", torque, 0.5);
      read_back b = convert(RBV_SENSING_MOTOR, &o);
      assert_int_equal(b.info->count, averaged ? period : 18 * period);
      assert_int_equal(b.origin->periods, averaged ? 18 : 0);
      if (averaged) assert_int_equal(b.origin->invalid, 0);
      // variance of the mean of 18 torques with sigma 0.5
      if (averaged) assert_near(b.origin->torque_noise[0], 0.25 / 18, 0, 0.1);
      ptrdiff_t used = 0;
      for (ptrdiff_t k = 0; k < b.info->count; k++) {
        if (!b.valid[k]) continue;
        rms[averaged] += pow(b.dq[k] - wave(0, 1, (double)k * H), 2);
        used++;
      }
      rms[averaged] = sqrt(rms[averaged] / (double)used);
      drop(&b);
    }
    // independent noise: 4.2; the error of the smoothing itself is not reduced
    assert_true(rms[0] / rms[1] > 3 && rms[0] / rms[1] < 5.5);
  }
}

static void test_recorded(void **state) {
  (void)state;
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.method = RBV_DIFFERENTIATION_RECORDED;
  blank(2000);
  put("q", position, 0);
  put("dq", velocity, 0);
  put("ddq", acceleration, 0);
  put("tau", torque, 0);
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  compare(&b, 0, (double[]){0, 0, 0});
  assert_true(b.origin->cutoff_hz == 0);
  drop(&b);

  // without accelerations, the velocities are differenced
  blank(2000);
  put("q", position, 0);
  put("dq", velocity, 0);
  put("tau", torque, 0);
  o.cutoff_hz = 40;
  b = convert(RBV_SENSING_MOTOR, &o);
  compare(&b, 0.2, (double[]){0, 0, 0.25 * BEND / 6});
  assert_true(b.origin->cutoff_hz == 40);
  drop(&b);
}

/* ---- refusals ---- */

static void refuse(rbv_sensing sensing, const rbv_differentiate_options *o, rbv_status status,
                   const char *text) {
  rbv_model *m = robot(sensing);
  rbv_log *log = finished();
  rbv_motion *motion;
  assert_refused(rbv_motion_from_log(&motion, m, log, o), status, text);
  assert_null(motion);
  rbv_log_free(log);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  const rbv_differentiate_options plain = {.cutoff_hz = 50, .harmonics = 5};
  rbv_differentiate_options o;
  blank(1000);
  put("q", position, 0);
  put("tau", torque, 0);

#define REFUSE(member, value, status, text) \
  o = plain;                                \
  o.member = value;                         \
  refuse(RBV_SENSING_MOTOR, &o, status, text)
  REFUSE(method, (rbv_differentiation)9, RBV_EARG, "9 is not a differentiation method");
  REFUSE(cutoff_hz, 300, RBV_EINPUT, "300 Hz is not between 0 and half the sample rate of 500 Hz");
  REFUSE(cutoff_hz, 0.5, RBV_EINPUT, "1000 samples are too few for a cut-off of 0.5 Hz");
  REFUSE(spline_variance, -1, RBV_EARG, "the noise variance -1");
  REFUSE(torque_delay_s, INFINITY, RBV_EARG, "the torque delay of inf s");
  REFUSE(torque_delay_s, 3, RBV_EINPUT, "no valid sample is left");
  REFUSE(stiffness, ((const double[]){1, -1}), RBV_EARG, "the stiffness -1 of joint 2");
  REFUSE(stiffness, ((const double[]){1, 1}), RBV_EINPUT, "no joint torque sensors");
  REFUSE(gains, ((const double[]){0, 1}), RBV_EARG, "the drive gain 0 of joint 1");
  REFUSE(method, RBV_DIFFERENTIATION_RECORDED, RBV_EINPUT, "no recorded velocities");
  REFUSE(method, RBV_DIFFERENTIATION_FOURIER, RBV_EARG, "needs the period of the motion; 0 s");
#undef REFUSE

  o = plain;
  o.method = RBV_DIFFERENTIATION_FOURIER;
  o.period_s = 3;
  refuse(RBV_SENSING_MOTOR, &o, RBV_EINPUT, "does not contain a whole period of 3 s");
  o.period_s = 0.02;
  refuse(RBV_SENSING_MOTOR, &o, RBV_EINPUT, "10 samples per period are too few for 5 harmonics");
  o.harmonics = -1;
  refuse(RBV_SENSING_MOTOR, &o, RBV_EARG, "-1 harmonics are not possible");
  o = plain;
  o.gains = (const double[]){1, 1};
  refuse(RBV_SENSING_JOINT, &o, RBV_EARG, "drive gains scale motor torques");
  o = plain;
  o.method = RBV_DIFFERENTIATION_RECORDED;
  o.stiffness = (const double[]){1, 1};
  refuse(RBV_SENSING_MOTOR, &o, RBV_EARG, "recorded velocities are not those of the links");
  refuse(RBV_SENSING_BOTH, &plain, RBV_EINPUT, "no joint torque sensors");

  page->value[0][500] = page->value[0][498];
  refuse(RBV_SENSING_MOTOR, &plain, RBV_EINPUT, "time runs backwards");
  blank(100);
  put("q", position, 0);
  put("tau", torque, 0);
  refuse(RBV_SENSING_MOTOR, NULL, RBV_EDIM, "too few to suggest a cut-off");
  for (ptrdiff_t k = 5; k < 100; k++) page->value[0][k] = page->value[0][4];
  refuse(RBV_SENSING_MOTOR, &plain, RBV_EINPUT, "5 samples with different time stamps");
  blank(100);
  put("tau", torque, 0);
  refuse(RBV_SENSING_MOTOR, &plain, RBV_EINPUT, "no positions for all 2 joints");

  rbv_motion *motion;
  assert_refused(rbv_motion_from_log(&motion, NULL, NULL, NULL), RBV_EARG,
                 "a model and a recording");
}

/* ---- memory ---- */

typedef struct {
  const rbv_model *m;
  rbv_log *log;
  rbv_differentiate_options o;
} attempt;

static rbv_status try_once(void *state) {
  attempt *a = state;
  rbv_motion *motion;
  const rbv_status status = rbv_motion_from_log(&motion, a->m, a->log, &a->o);
  rbv_motion_free(motion);
  return status;
}

static void test_each_allocation_fails(void **state) {
  (void)state;
  rbv_model *m = robot(RBV_SENSING_MOTOR);
  blank(1500);
  jitter(0.2);
  put("qm", rotor, 0);
  put("dq", velocity, 0);
  put("tau", torque, 0);
  attempt a = {m, finished(), rbv_differentiate_defaults()};
  a.o.period_s = PERIOD;
  a.o.torque_delay_s = 0.01;
  for (int i = RBV_DIFFERENTIATION_BANDPASS; i <= RBV_DIFFERENTIATION_RECORDED; i++) {
    a.o.method = (rbv_differentiation)i;
    fail_each_allocation(try_once, &a);
  }
  rbv_log_free(a.log);
  rbv_model_free(m);
}

static void test_names(void **state) {
  (void)state;
  for (int i = RBV_DIFFERENTIATION_BANDPASS; i <= RBV_DIFFERENTIATION_RECORDED; i++) {
    rbv_differentiation back;
    assert_true(rbv_differentiation_parse(&back, rbv_differentiation_name((rbv_differentiation)i)));
    assert_int_equal(back, i);
  }
  rbv_differentiation none;
  assert_false(rbv_differentiation_parse(&none, "euler"));
  assert_string_equal(rbv_differentiation_name((rbv_differentiation)77), "");
}

int main(void) {
  page = malloc(sizeof *page);
  if (!page) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bandpass),
      cmocka_unit_test(test_stamps_that_scatter),
      cmocka_unit_test(test_bandpass_chooses_its_cutoff),
      cmocka_unit_test(test_irw),
      cmocka_unit_test(test_spline),
      cmocka_unit_test(test_spline_with_coloured_noise),
      cmocka_unit_test(test_ends_in_motion),
      cmocka_unit_test(test_harmonics_from_the_data),
      cmocka_unit_test(test_fourier),
      cmocka_unit_test(test_periods_with_any_method),
      cmocka_unit_test(test_recorded),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_each_allocation_fails),
      cmocka_unit_test(test_names),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(page);
  return failed;
}
