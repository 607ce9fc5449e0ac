/* Recordings become motions: derivatives against analytic ones, time that is not regular, channels.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <roberval/system.h>

#define PI 3.14159265358979323846
#define JOINTS 2
#define MOST 20000
#define RATE 500.0
#define PERIOD 2.0

/* two joints, motor 2 also moved by joint 1; torques of both sides */
static const char robot_text[] =
    "name: pair\n"
    "joints: [{name: a, mdh: {}}, {name: b, mdh: {d: 0.5}}]\n"
    "transmission: {ratios: [10, -20], couplings: [{motor: 2, joint: 1, ratio: 4}],\n"
    "               offset: [0.25, -0.5]}\n";

static rbv_model *robot(rbv_sensing sensing) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = (int)sensing;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "pair.yaml", robot_text, sizeof robot_text - 1, &o));
  return m;
}

/* ---- a known trajectory: three harmonics of 0.5 Hz ---- */

static const double amplitude[JOINTS][3] = {{0.5, -0.2, 0.1}, {-0.3, 0.25, -0.15}};

/* derivative 0, 1 or 2 */
static double wave(int joint, int derivative, double t) {
  double sum = derivative == 0 ? 0.3 : 0;
  for (int h = 0; h < 3; h++) {
    const double w = 2 * PI * (h + 1) / PERIOD;
    sum += amplitude[joint][h] * pow(w, derivative) * sin(w * t + h + derivative * PI / 2);
  }
  return sum;
}

static double torque(int joint, double t) { return 3 + 5 * cos(2 * PI * t / PERIOD + joint); }

/* the largest frequency in the motion */
static const double w_max = 3 * 2 * PI / PERIOD;

/* ---- recordings ---- */

typedef struct {
  ptrdiff_t count;
  int ncol;
  char name[16][24];
  double value[16][MOST];
} sheet;

static sheet *page;  // one at a time is enough

static double *column(const char *name) {
  snprintf(page->name[page->ncol], sizeof page->name[0], "%s", name);
  return page->value[page->ncol++];
}

static void blank(ptrdiff_t count) {
  page->count = count;
  page->ncol = 0;
  double *t = column("t");
  for (ptrdiff_t k = 0; k < count; k++) t[k] = (double)k / RATE;
}

static void put(const char *stem, double (*f)(int joint, double t), double sigma) {
  const uint64_t stream = (uint64_t)page->ncol;
  for (int j = 0; j < JOINTS; j++) {
    char name[24];
    snprintf(name, sizeof name, "%s%d", stem, j + 1);
    double *x = column(name);
    for (ptrdiff_t k = 0; k < page->count; k++)
      x[k] =
          f(j, page->value[0][k]) + sigma * rbv_random_normal(7, stream + (uint64_t)j, (uint64_t)k);
  }
}

static double position(int j, double t) { return wave(j, 0, t); }
static double velocity(int j, double t) { return wave(j, 1, t); }
static double acceleration(int j, double t) { return wave(j, 2, t); }

static rbv_log *finished(void) {
  const char *names[16];
  for (int c = 0; c < page->ncol; c++) names[c] = page->name[c];
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "page.csv", names, page->ncol, page->value[0], page->count, MOST));
  return log;
}

/* drop rows, as a recorder that was too busy */
static void cut(ptrdiff_t from, ptrdiff_t to) {
  for (int c = 0; c < page->ncol; c++)
    memmove(page->value[c] + from, page->value[c] + to,
            (size_t)(page->count - to) * sizeof(double));
  page->count -= to - from;
}

/* ---- motions ---- */

typedef struct {
  rbv_motion *motion;
  const rbv_motion_info *info;
  const rbv_motion_origin *origin;
  double *q, *dq, *ddq, *torque;
  bool *valid;
} read_back;

static read_back read_all(rbv_motion *motion) {
  read_back b = {.motion = motion};
  b.info = rbv_motion_get_info(motion);
  b.origin = rbv_motion_get_origin(motion);
  const size_t n = (size_t)b.info->count;
  b.q = malloc(n * JOINTS * sizeof(double));
  b.dq = malloc(n * JOINTS * sizeof(double));
  b.ddq = malloc(n * JOINTS * sizeof(double));
  b.torque = malloc(n * (size_t)b.info->ntorque * sizeof(double));
  b.valid = malloc(n);
  const rbv_samples s = {b.info->count, b.q, b.dq, b.ddq, b.torque, b.valid};
  assert_ok(rbv_motion_read(motion, &s, 0, b.info->count));
  return b;
}

static void drop(read_back *b) {
  free(b->q);
  free(b->dq);
  free(b->ddq);
  free(b->torque);
  free(b->valid);
  rbv_motion_free(b->motion);
}

/* the page as a motion of a robot */
static read_back convert(rbv_sensing sensing, const rbv_differentiate_options *o) {
  rbv_model *m = robot(sensing);
  rbv_log *log = finished();
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, o));
  rbv_log_free(log);
  rbv_model_free(m);
  return read_all(motion);
}

/* valid samples away from the ends agree with the trajectory within relative bounds of each order
 */
static void compare(const read_back *b, double edge, const double bound[3]) {
  const ptrdiff_t n = b->info->count;
  const double *got[3] = {b->q, b->dq, b->ddq};
  for (int d = 0; d < 3; d++)
    for (int j = 0; j < JOINTS; j++)
      for (ptrdiff_t k = 0; k < n; k++) {
        const double t = (double)k / b->info->rate_hz;
        if (!b->valid[k] || t < edge || (double)(n - 1 - k) / b->info->rate_hz < edge) continue;
        // all derivatives in units of an amplitude of 1 at the largest frequency
        assert_near(got[d][k + j * n], wave(j, d, t), bound[d] * pow(w_max, d), 0);
      }
}

static const double h = 1 / RATE;

/*
 * What a low-pass at 50 Hz and central differences leave. The filter's gain is 1 - (1.5/50)^8, that
 * is 1 - 7e-13. A central difference has a relative error of (w h)^2 / 6, two of them twice that;
 * the sums of A_l (w_l / w_max)^3 and ^4 are below 0.25 for both joints.
 */
#define BEND (w_max * w_max * h * h)
#define DIFFERENCED ((const double[]){1e-10, 0.25 * BEND / 6, 0.25 * BEND / 3})

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
  assert_int_equal(b.origin->invalid, 0);
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < 4000; k++)
      assert_true(b.torque[k + j * 4000] == torque(j, page->value[0][k]));
  drop(&b);
}

/* the cut-off comes from the data: five times the dynamics' frequency, at most 0.4 of the rate */
static void test_bandpass_chooses_its_cutoff(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 1e-5);
  put("tau", torque, 0);
  read_back b = convert(RBV_SENSING_MOTOR, NULL);
  assert_true(b.origin->cutoff_from_data);
  assert_true(b.origin->cutoff_hz >= 5 * 1.5 && b.origin->cutoff_hz <= 0.4 * RATE);
  // white noise of 1e-5 rad below f_c, in velocity: sigma 2 pi sqrt(2 f_c^3 / (3 f)), six times
  // that
  const double f = b.origin->cutoff_hz, noise = 1e-5 * 2 * PI * sqrt(2 * f * f * f / (3 * RATE));
  compare(
      &b, 0.5,
      (double[]){6e-5, 6 * noise / w_max + BEND, 6 * noise * 2 * PI * f / (w_max * w_max) + BEND});
  drop(&b);
}

/*
 * Noise of 1e-3 rad: plain differencing gives 1e-3 / sqrt(2) * 500 = 0.35 rad/s rms in velocity and
 * 1e-3 * sqrt(6)/4 * 500^2 = 153 rad/s^2 in acceleration. Smoothers must have the worst of 3000
 * samples (four times the rms) below half and below a quarter of that.
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
    // chi-square of 4000 degrees: 2.2 %; a random walk is not quite the truth, so 20 %
    assert_near(b.origin->position_noise[j], 1e-6, 0, 0.2);
  }
  compare(&b, 0.5, SMOOTHED);
  drop(&b);

  // without noise it is a central difference, and neither derivative leads or lags
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
  // fourth differences of 4000 samples: the estimate's own spread is 4 %, five times that
  for (int j = 0; j < JOINTS; j++) assert_near(b.origin->position_noise[j], 1e-6, 0, 0.2);
  compare(&b, 0.5, SMOOTHED);
  drop(&b);

  // without noise it interpolates: (w h)^4 / 384 in position, (w h)^2 / 12 in acceleration
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  b = convert(RBV_SENSING_MOTOR, &o);
  compare(&b, 0.5, (double[]){BEND * BEND, BEND / 12, BEND / 12});
  drop(&b);
}

static void test_fourier(void **state) {
  (void)state;
  // 10 periods and a bit that is not used
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
  // 7 coefficients from 10^4 samples: each known to 1e-4 sqrt(2/1e4) = 1.4e-6; six times the sum
  compare(&b, 0, (double[]){3e-5, 3e-5, 3e-5});
  for (int j = 0; j < JOINTS; j++) {
    // 9000 degrees of freedom: 1.5 %, four times that
    assert_near(b.origin->torque_noise[j], 0.09 / 10, 0, 0.06);
    assert_near(b.origin->position_noise[j], 1e-8, 0, 0.06);
    for (ptrdiff_t k = 0; k < 1000; k++)
      assert_near(b.torque[k + j * 1000], torque(j, (double)k * h), 5 * 0.3 / sqrt(10), 0);
  }
  drop(&b);

  // a period that is no whole number of samples: the grid follows it
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
  // a monotone cubic flattens a turning point by 5 (w h)^2 / 8 at most
  for (ptrdiff_t k = 0; k < 999; k++)
    assert_near(b.torque[k], torque(0, (double)k / b.info->rate_hz), 5 * PI * PI * h * h / 8, 0);
  drop(&b);

  // one period has no variance between periods
  blank(1500);
  put("q", position, 0);
  put("tau", torque, 0);
  b = convert(RBV_SENSING_MOTOR, &o);
  assert_null(b.origin->torque_noise);
  assert_int_equal(b.origin->periods, 1);
  drop(&b);
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

  // without accelerations, velocities are differenced
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

/* ---- time ---- */

static void jitter(double part) {
  for (ptrdiff_t k = 1; k < page->count; k++)
    page->value[0][k] += part * h * (2 * rbv_random_uniform(3, 0, (uint64_t)k) - 1);
}

static void test_jitter_is_resampled(void **state) {
  (void)state;
  for (int m = RBV_DIFFERENTIATION_BANDPASS; m <= RBV_DIFFERENTIATION_RECORDED; m++) {
    rbv_differentiate_options o = rbv_differentiate_defaults();
    o.method = (rbv_differentiation)m;
    o.cutoff_hz = 50;
    o.period_s = PERIOD;
    blank(4000);
    // a clock that began long ago
    for (ptrdiff_t k = 0; k < page->count; k++) page->value[0][k] += 1000;
    jitter(0.3);
    put("q", position, 0);
    put("dq", velocity, 0);
    put("ddq", acceleration, 0);
    put("tau", torque, 0);
    read_back b = convert(RBV_SENSING_MOTOR, &o);
    assert_true(b.origin->resampled);
    assert_int_equal(b.origin->gaps + b.origin->invalid, 0);
    // the mean of steps up to 1.5 medians; 1.5 % of the steps are longer, by 0.55 on average
    assert_near(b.info->rate_hz, RATE, 0, 1e-2);
    // steps of up to 1.6 h, so the spline's second derivative is off by (1.6 w h)^2 / 12; stamps
    // near 1000 have an error of 1e-13 s and the IRW smoother differences as the band-pass does
    compare(&b, 0.3, (double[]){1e-8, BEND, BEND});
    drop(&b);
  }
}

/* invalid are the samples in the gap and where the low-pass carries them: half a period of it */
static void test_gaps_are_marked(void **state) {
  (void)state;
  blank(4000);
  put("q", position, 0);
  put("tau", torque, 0);
  cut(1001, 1031);  // 30 missing
  cut(2000, 2001);  // one missing is bridged and not marked
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  read_back b = convert(RBV_SENSING_MOTOR, &o);
  assert_int_equal(b.info->count, 4000);
  assert_true(b.origin->resampled);
  assert_int_equal(b.origin->gaps, 1);
  // reach: 500 / (2 * 50) = 5 samples on either side
  assert_int_equal(b.origin->invalid, 30 + 2 * 5);
  for (ptrdiff_t k = 0; k < 4000; k++) assert_int_equal(b.valid[k], k < 996 || k > 1035);
  // the bridge is a spline over 31 steps: (31 w h)^4 / 384 is 9e-4 of an amplitude, and what the
  // filter lets out at 50 Hz is less by its tail
  compare(&b, 0.2, (double[]){1e-4, 1e-3, 2e-2});
  drop(&b);
}

/* rows that touch an invalid sample are dropped and counted */
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
  // decimated by 10, rows stand at 35, 45, ...: those within 15 of 996 ... 1035 are 985 to 1045
  const struct {
    rbv_row_filter filter;
    ptrdiff_t rows, masked;
  } cases[] = {{{.decimate = 1}, 4000 - 40, 40}, {{.decimate = 10}, 394 - 7, 7}};
  for (int i = 0; i < 2; i++) {
    rbv_system *s;
    assert_ok(rbv_system_new(&s, m, columns, ncolumn, &cases[i].filter));
    assert_ok(rbv_system_add(s, motion));
    for (int g = 0; g < rbv_system_group_count(s); g++) {
      assert_int_equal(rbv_system_group(s, g)->rows, cases[i].rows);
      assert_int_equal(rbv_system_group(s, g)->masked, cases[i].masked);
    }
    rbv_system_free(s);
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
    used += (size_t)snprintf(text + used, sizeof text - used, "%.17g,%.17g,%.17g,%g,%g\n", k * h,
                             wave(0, 0, k * h), wave(1, 0, k * h), 10., 20.);
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
  // the log is in order now, and may be used again
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_motion_free(motion);
  rbv_model_free(m);
  rbv_log_free(log);
  rbv_log_map_free(map);
}

/* qm = K (q - offset), tau = K' taum, gains on the motors */
static double rotor(int j, double t) {
  const double q1 = wave(0, 0, t) - 0.25, q2 = wave(1, 0, t) + 0.5;
  return j == 0 ? 10 * q1 : 4 * q1 - 20 * q2;
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
    const double one = 3 * (2 + (double)k * h), two = -2 * (5 - (double)k * h);
    // three products of numbers up to 200
    assert_near(b.torque[k], 10 * one + 4 * two, 1e-12, 0);
    assert_near(b.torque[k + 1000], -20 * two, 1e-12, 0);
  }
  drop(&b);
}

/* the link stands behind its motor by tauj / k (004, appendix 2) */
static double behind(int j, double t) { return wave(j, 0, t) + (j == 0 ? torque(0, t) / 1000 : 0); }

static void test_stiffness(void **state) {
  (void)state;
  blank(2000);
  put("q", behind, 0);
  put("tauj", torque, 0);
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 50;
  o.stiffness = (const double[]){1000, 0};  // the second joint is rigid
  read_back b = convert(RBV_SENSING_JOINT, &o);
  assert_true(b.origin->link_side);
  compare(&b, 0.2, DIFFERENCED);
  drop(&b);
}

/* torques recorded 3.3 samples late; the last four have none */
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
  assert_int_equal(b.origin->invalid, 4);
  assert_true(b.origin->torque_delay_s == late);
  for (ptrdiff_t k = 0; k < 1000; k++) {
    assert_int_equal(b.valid[k], k < 996);
    // cubic through four points: 3/128 (w h)^4 of the amplitude, and a little more at the end
    if (k < 996) assert_near(b.torque[k], torque(0, (double)k * h), 5 * pow(PI * h, 4), 0);
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

/* a joint that is held does not stop the others */
static double held(int j, double t) { return j == 0 ? wave(0, 0, t) : 0.7; }

static void test_a_joint_that_is_held(void **state) {
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
  REFUSE(method, (rbv_differentiation)9, RBV_EARG, "9 is no way to differentiate");
  REFUSE(cutoff_hz, 300, RBV_EINPUT, "300 Hz is not between 0 and half the rate of 500 Hz");
  REFUSE(cutoff_hz, 0.5, RBV_EINPUT, "1000 samples are too few for a cut-off of 0.5 Hz");
  REFUSE(spline_variance, -1, RBV_EARG, "a noise variance of -1");
  REFUSE(torque_delay_s, INFINITY, RBV_EARG, "a delay of inf s");
  REFUSE(torque_delay_s, 3, RBV_EINPUT, "leave no valid sample");
  REFUSE(stiffness, ((const double[]){1, -1}), RBV_EARG, "the stiffness -1 of joint 2");
  REFUSE(stiffness, ((const double[]){1, 1}), RBV_EINPUT, "no joint torque sensors");
  REFUSE(gains, ((const double[]){0, 1}), RBV_EARG, "the drive gain 0 of joint 1");
  REFUSE(method, RBV_DIFFERENTIATION_RECORDED, RBV_EINPUT, "no recorded velocities");
  REFUSE(method, RBV_DIFFERENTIATION_FOURIER, RBV_EARG, "need the period of the motion, not 0 s");
#undef REFUSE

  o = plain;
  o.method = RBV_DIFFERENTIATION_FOURIER;
  o.period_s = 3;
  refuse(RBV_SENSING_MOTOR, &o, RBV_EINPUT, "hold no whole period of 3 s");
  o.period_s = 0.02;
  refuse(RBV_SENSING_MOTOR, &o, RBV_EINPUT, "10 samples in a period are too few for 5 harmonics");
  o.harmonics = 0;
  refuse(RBV_SENSING_MOTOR, &o, RBV_EARG, "0 harmonics are not possible");
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
  refuse(RBV_SENSING_MOTOR, NULL, RBV_EDIM, "too few for a suggestion");
  for (ptrdiff_t k = 5; k < 100; k++) page->value[0][k] = page->value[0][4];
  refuse(RBV_SENSING_MOTOR, &plain, RBV_EINPUT, "5 samples with a stamp of their own");
  blank(100);
  put("tau", torque, 0);
  refuse(RBV_SENSING_MOTOR, &plain, RBV_EINPUT, "no positions for all 2 joints");
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
      cmocka_unit_test(test_bandpass_chooses_its_cutoff),
      cmocka_unit_test(test_irw),
      cmocka_unit_test(test_spline),
      cmocka_unit_test(test_fourier),
      cmocka_unit_test(test_recorded),
      cmocka_unit_test(test_jitter_is_resampled),
      cmocka_unit_test(test_gaps_are_marked),
      cmocka_unit_test(test_rows_of_gaps_are_dropped),
      cmocka_unit_test(test_duplicates_are_dropped),
      cmocka_unit_test(test_joints_in_any_order),
      cmocka_unit_test(test_transmission_offset_and_gains),
      cmocka_unit_test(test_stiffness),
      cmocka_unit_test(test_delay),
      cmocka_unit_test(test_sensing),
      cmocka_unit_test(test_a_joint_that_is_held),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_each_allocation_fails),
      cmocka_unit_test(test_names),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(page);
  return failed;
}
