/* Motions over files: samples, rows and results equal those of the recording in memory. */
#include <math.h>
#include <matio.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "prepare/prepare.h"

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RATE 500.0

/* a noisy recording of the TX40 as CSV */
static const char *save(const rbv_model *m, ptrdiff_t count, const char *stems) {
  static char path[512];
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 3, count, RATE, false);
  waves_add_noise(&w, 4, 0.2);
  snprintf(path, sizeof path, "%s/long.csv", temp_directory());
  waves_save(&w, path, stems);
  waves_free(&w);
  return path;
}

static rbv_motion *in_memory(const rbv_model *m, const char *path,
                             const rbv_differentiate_options *o) {
  rbv_log *log;
  rbv_motion *motion;
  assert_ok(rbv_log_load(&log, path, NULL));
  assert_ok(rbv_motion_from_log(&motion, m, log, o));
  rbv_log_free(log);
  return motion;
}

static rbv_motion *streamed(const rbv_model *m, const char *path,
                            const rbv_differentiate_options *o) {
  rbv_motion *motion;
  assert_ok(rbv_motion_from_file(&motion, m, path, NULL, o));
  return motion;
}

/* ---- samples ---- */

typedef struct {
  ptrdiff_t count;
  double *x[4];  // q, dq, ddq, torque: count x 6
  bool *valid;
} samples;

static samples samples_new(ptrdiff_t count) {
  samples s = {.count = count};
  for (int i = 0; i < 4; i++) s.x[i] = calloc((size_t)(count * 6), sizeof(double));
  s.valid = calloc((size_t)count, sizeof *s.valid);
  return s;
}

static void samples_free(samples *s) {
  for (int i = 0; i < 4; i++) free(s->x[i]);
  free(s->valid);
}

static void read_some(samples *s, rbv_motion *motion, ptrdiff_t first, ptrdiff_t count) {
  const rbv_samples out = {.ld = s->count,
                           .q = s->x[0] + first,
                           .dq = s->x[1] + first,
                           .ddq = s->x[2] + first,
                           .torque = s->x[3] + first,
                           .valid = s->valid + first};
  assert_ok(rbv_motion_read(motion, &out, first, count));
}

/* the largest difference of each quantity, relative to its largest value */
static void compare(const samples *got, const samples *want, double bound) {
  for (int i = 0; i < 4; i++) {
    double largest = 0, difference = 0;
    for (ptrdiff_t k = 0; k < 6 * want->count; k++) {
      largest = fmax(largest, fabs(want->x[i][k]));
      difference = fmax(difference, fabs(got->x[i][k] - want->x[i][k]));
      if (isnan(got->x[i][k])) difference = NAN;
    }
    assert_near(difference / largest, 0, bound, 0);
  }
  for (ptrdiff_t k = 0; k < want->count; k++) assert_int_equal(got->valid[k], want->valid[k]);
}

/* 20,000 samples are three windows at 20 Hz, the last one short; at 2 Hz they are one window */
static void test_samples_equal_those_of_the_whole(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const char *path = save(m, 20000, "q dq tau");
  const rbv_differentiate_options c[] = {
      {.cutoff_hz = 20},
      {.cutoff_hz = 2},
      {.cutoff_hz = 200},
      {.cutoff_hz = 0},  // from the data
      {.cutoff_hz = 20, .torque_delay_s = 0.0134},
      {.cutoff_hz = 20, .torque_delay_s = -0.006},
      {.cutoff_hz = 20, .method = RBV_DIFFERENTIATION_RECORDED},
  };
  for (int i = 0; i < RBV_COUNT(c); i++) {
    rbv_motion *a = in_memory(m, path, &c[i]), *b = streamed(m, path, &c[i]);
    const rbv_motion_origin *oa = rbv_motion_get_origin(a), *ob = rbv_motion_get_origin(b);
    assert_near(rbv_motion_get_info(b)->rate_hz, rbv_motion_get_info(a)->rate_hz, 0, 1e-15);
    assert_near(ob->cutoff_hz, oa->cutoff_hz, 0, 1e-12);
    assert_int_equal(ob->cutoff_from_data, oa->cutoff_from_data);
    assert_int_equal(ob->invalid, oa->invalid);
    assert_string_equal(ob->method, oa->method);
    samples want = samples_new(20000), got = samples_new(20000), again = samples_new(20000);
    read_some(&want, a, 0, 20000);
    read_some(&got, b, 0, 20000);
    // rounding of positions, 1e-16, is differenced twice at 500 Hz: 1e-10 of an acceleration
    compare(&got, &want, 1e-9);
    // read in any order and in pieces they are the same to the last bit
    for (ptrdiff_t first = 19999; first >= 0; first -= 777)
      read_some(&again, b, first, 20000 - first < 777 ? 20000 - first : 777);
    read_some(&again, b, 0, 777);
    compare(&again, &got, 0);
    samples_free(&want);
    samples_free(&got);
    samples_free(&again);
    rbv_motion_free(a);
    rbv_motion_free(b);
  }
  rbv_model_free(m);
}

/* the same recording as a MAT file of version 7.3 */
static const char *convert(const char *path) {
  static char mat_path[512];
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, NULL));
  snprintf(mat_path, sizeof mat_path, "%s/long.mat", temp_directory());
  unlink(mat_path);
  mat_t *mat = Mat_CreateVer(mat_path, NULL, MAT_FT_MAT73);
  assert_non_null(mat);
  for (int i = 0; i < rbv_log_column_count(log); i++) {
    const rbv_log_column *c = rbv_log_column_at(log, i);
    size_t dims[2] = {(size_t)rbv_log_samples(log), 1};
    double *copy = malloc(dims[0] * sizeof *copy);
    memcpy(copy, c->values, dims[0] * sizeof *copy);
    matvar_t *v = Mat_VarCreate(c->name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, copy, 0);
    assert_int_equal(Mat_VarWrite(mat, v, MAT_COMPRESSION_ZLIB), 0);
    Mat_VarFree(v);
    free(copy);
  }
  Mat_Close(mat);
  rbv_log_free(log);
  return mat_path;
}

static void test_mat_files_equal_csv_files(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const char *path = save(m, 20000, "q tau");
  const rbv_differentiate_options o = {.threads = 2};
  rbv_motion *a = streamed(m, path, &o), *b = streamed(m, convert(path), &o);
  assert_near(rbv_motion_get_origin(b)->cutoff_hz, rbv_motion_get_origin(a)->cutoff_hz, 0, 0);
  samples want = samples_new(20000), got = samples_new(20000);
  read_some(&want, a, 0, 20000);
  read_some(&got, b, 0, 20000);
  compare(&got, &want, 0);
  samples_free(&want);
  samples_free(&got);
  rbv_motion_free(a);
  rbv_motion_free(b);
  rbv_model_free(m);
}

/* a recording shorter than a window, or than the padding of the filter */
static void test_short_recordings(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  static const ptrdiff_t count[] = {100, 263, 8192, 8193};
  for (int i = 0; i < RBV_COUNT(count); i++) {
    const char *path = save(m, count[i], "q tau");
    const rbv_differentiate_options o = {.cutoff_hz = 20};
    rbv_motion *a = in_memory(m, path, &o), *b = streamed(m, path, &o);
    samples want = samples_new(count[i]), got = samples_new(count[i]);
    read_some(&want, a, 0, count[i]);
    read_some(&got, b, 0, count[i]);
    compare(&got, &want, 1e-9);
    samples_free(&want);
    samples_free(&got);
    rbv_motion_free(a);
    rbv_motion_free(b);
  }
  const rbv_differentiate_options slow = {.cutoff_hz = 0.1};
  rbv_motion *motion;
  assert_refused(rbv_motion_from_file(&motion, m, save(m, 100, "q tau"), NULL, &slow), RBV_EINPUT,
                 "100 samples are too few for a cut-off of 0.1 Hz");
  rbv_model_free(m);
}

/* ---- results ---- */

static rbv_estimate *estimate(const rbv_model *m, rbv_motion *motion, const char *method,
                              int decimate, int threads) {
  rbv_identify_options o = rbv_identify_defaults();
  rbv_estimate *e;
  o.method = method;
  o.filter = (rbv_row_filter){.decimate = decimate, .mask = 0.05, .threads = threads};
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  return e;
}

/* more than two blocks, the last one not full */
static void test_estimates_equal_those_of_the_whole(void **state) {
  (void)state;
  enum { COUNT = 150000 };
  rbv_model *m = load_robot("tx40", -1, false);
  const char *path = save(m, COUNT, "q tau");
  const rbv_differentiate_options o = {.cutoff_hz = 20};
  static const struct {
    const char *method;
    int decimate;
  } c[] = {{"wls", 20}, {"ols", 2}, {"irls", 20}, {"wls", 1}};
  rbv_motion *a = in_memory(m, path, &o), *b = streamed(m, path, &o);
  for (int i = 0; i < RBV_COUNT(c); i++) {
    rbv_estimate *want = estimate(m, a, c[i].method, c[i].decimate, 1);
    rbv_estimate *got = estimate(m, b, c[i].method, c[i].decimate, 1);
    rbv_estimate *threads = estimate(m, b, c[i].method, c[i].decimate, 3);
    const size_t n = (size_t)want->base->count;
    for (size_t k = 0; k < n; k++) {
      const double sigma = sqrt(want->covariance[k + k * n]);
      assert_near(got->value[k], want->value[k], 1e-7 * sigma, 1e-9);
      assert_near(sqrt(got->covariance[k + k * n]), sigma, 0, 1e-9);
    }
    assert_near(got->fit.relative_error, want->fit.relative_error, 0, 1e-9);
    assert_near(got->fit.row[2].durbin_watson, want->fit.row[2].durbin_watson, 0, 1e-8);
    // to the last bit
    assert_memory_equal(threads->value, got->value, n * sizeof(double));
    assert_memory_equal(threads->covariance, got->covariance, n * n * sizeof(double));
    assert_memory_equal(&threads->fit.relative_error, &got->fit.relative_error, sizeof(double));
    for (int r = 0; r < 6; r++)
      assert_memory_equal(&threads->fit.row[r].durbin_watson, &got->fit.row[r].durbin_watson,
                          sizeof(double));
    rbv_estimate_free(want);
    rbv_estimate_free(got);
    rbv_estimate_free(threads);
  }
  rbv_motion_free(a);
  rbv_motion_free(b);
  rbv_model_free(m);
}

/* blocks of a motion in memory, with invalid samples near the end of a block */
static void test_threads_change_nothing(void **state) {
  (void)state;
  enum { COUNT = 160001 };
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 5, COUNT, RATE, false);
  waves_add_noise(&w, 6, 0.2);
  bool *valid = malloc(COUNT * sizeof *valid);
  for (int k = 0; k < COUNT; k++) valid[k] = k % 131072 > 40 && k % 9973 != 0;
  const rbv_motion_info info = {
      .name = "made", .njoint = 6, .ntorque = 6, .count = COUNT, .rate_hz = RATE};
  const rbv_samples out = {
      .ld = COUNT, .q = w.q, .dq = w.dq, .ddq = w.ddq, .torque = w.torque, .valid = valid};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &out));
  for (int decimate = 1; decimate <= 7; decimate += 6) {
    rbv_estimate *one = estimate(m, motion, "wls", decimate, 1);
    for (int threads = 2; threads <= 4; threads += 2) {
      rbv_estimate *more = estimate(m, motion, "wls", decimate, threads);
      const size_t n = (size_t)one->base->count;
      assert_memory_equal(more->value, one->value, n * sizeof(double));
      assert_memory_equal(more->covariance, one->covariance, n * n * sizeof(double));
      assert_memory_equal(&more->masked_fraction, &one->masked_fraction, sizeof(double));
      rbv_estimate_free(more);
    }
    rbv_estimate_free(one);
  }
  rbv_motion_free(motion);
  free(valid);
  waves_free(&w);
  rbv_model_free(m);
}

/* ---- memory ---- */

static size_t peak_of(const rbv_model *m, ptrdiff_t count) {
  const char *path = save(m, count, "q tau");
  const rbv_differentiate_options o = {.cutoff_hz = 20};
  const size_t before = rbv_alloc_reset_peak();
  rbv_motion *motion = streamed(m, path, &o);
  rbv_estimate_free(estimate(m, motion, "wls", 20, 2));
  rbv_motion_free(motion);
  return rbv_alloc_peak() - before;
}

/* Also the shorter recording is two blocks for two threads. Ten times as many samples in memory
 * would need 250 MB more. What grows is the rows of blocks whose results wait for their turn. */
static void test_memory_does_not_grow_with_the_recording(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  // 42 MB; threads vary it by 3 %; one number per sample would add 5.6 MB, 13 %
  const size_t small = peak_of(m, 140000), large = peak_of(m, 840000);
  assert_true((double)large <= 1.1 * (double)small);
  rbv_model_free(m);
}

/* ---- refusals ---- */

static void test_methods_that_need_the_whole_are_refused(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const char *path = save(m, 1000, "q tau");
  rbv_motion *motion;
  const rbv_differentiate_options irw = {.method = RBV_DIFFERENTIATION_IRW};
  assert_refused(rbv_motion_from_file(&motion, m, path, NULL, &irw), RBV_EUNSUPPORTED,
                 "irw needs the whole recording");
  assert_null(motion);
  assert_refused(rbv_motion_from_file(&motion, m, "none.csv", NULL, NULL), RBV_EREAD, "none.csv");
  const rbv_differentiate_options fast = {.cutoff_hz = 300};
  assert_refused(rbv_motion_from_file(&motion, m, path, NULL, &fast), RBV_EINPUT,
                 "not between 0 and half the sample rate");
  const rbv_differentiate_options late = {.cutoff_hz = 20, .torque_delay_s = 3};
  assert_refused(rbv_motion_from_file(&motion, m, path, NULL, &late), RBV_EINPUT,
                 "no valid sample is left");
  assert_refused(rbv_motion_from_file(&motion, NULL, path, NULL, NULL), RBV_EARG, "a model and");
  assert_refused(rbv_motion_from_file(&motion, m, NULL, NULL, NULL), RBV_EARG, "a file name");
  rbv_model *joint = load_robot("tx40", RBV_SENSING_BOTH, false);
  assert_refused(rbv_motion_from_file(&motion, joint, path, NULL, NULL), RBV_EINPUT,
                 "no joint torque sensors");
  rbv_model_free(joint);
  rbv_model_free(m);
}

typedef struct {
  const rbv_model *m;
  const char *path;
} attempt;

static rbv_status open_and_read(void *state) {
  const attempt *a = state;
  const rbv_differentiate_options o = {.cutoff_hz = 0};
  static double q[6 * 600];
  const rbv_samples out = {.ld = 600, .q = q};
  rbv_motion *motion;
  RBV_TRY(rbv_motion_from_file(&motion, a->m, a->path, NULL, &o));
  const rbv_status status = rbv_motion_read(motion, &out, 0, 600);
  rbv_motion_free(motion);
  return status;
}

static void test_allocations_may_fail(void **state) {
  (void)state;
  attempt a = {.m = load_robot("tx40", -1, false)};
  a.path = save(a.m, 600, "q tau");
  fail_each_allocation(open_and_read, &a);
  rbv_model_free((rbv_model *)(uintptr_t)a.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples_equal_those_of_the_whole),
      cmocka_unit_test(test_mat_files_equal_csv_files),
      cmocka_unit_test(test_short_recordings),
      cmocka_unit_test(test_estimates_equal_those_of_the_whole),
      cmocka_unit_test(test_threads_change_nothing),
      cmocka_unit_test(test_memory_does_not_grow_with_the_recording),
      cmocka_unit_test(test_methods_that_need_the_whole_are_refused),
      cmocka_unit_test(test_allocations_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
