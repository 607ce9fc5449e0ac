/* The stable functions that bindings use: batches sample by sample, base parameters, recordings,
 * torques over time, parts of a report, the watcher. */
#include <math.h>
#include <roberval/roberval.h>
#include <roberval/sys/base.h>
#include <roberval/sys/dynamics.h>
#include <stdlib.h>
#include <string.h>

#include "job_files.h"
#include "support.h"

#define N 131  // two blocks of 64 and a rest

static int prepare(void **state) {
  (void)state;
  job_files_write();
  return 0;
}

static double *numbers(int count, uint64_t stream) {
  double *x = malloc((size_t)count * sizeof *x);
  assert_non_null(x);
  for (int i = 0; i < count; i++) x[i] = rbv_random_normal(1, stream, (uint64_t)i);
  return x;
}

/* row-major batches are the column-major ones, bit by bit: the same kernels */
static void test_batches(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_open(&m, "tx40"));
  const int n = rbv_model_joint_count(m), size = N * n;
  double *x[4], *column[4], *out = numbers(size, 9), *row = numbers(size, 9);
  for (int i = 0; i < 3; i++) {
    x[i] = numbers(size, (uint64_t)i);
    column[i] = malloc((size_t)size * sizeof(double));
    for (int k = 0; k < N; k++)
      for (int j = 0; j < n; j++) column[i][k + j * N] = x[i][k * n + j];
  }
  assert_ok(rbv_model_torques(out, m, NULL, N, column[0], column[1], column[2]));
  assert_ok(rbv_model_torques_by_sample(row, m, NULL, N, x[0], x[1], x[2]));
  for (int k = 0; k < N; k++)
    for (int j = 0; j < n; j++) assert_true(row[k * n + j] == out[k + j * N]);

  // the torques of a motion give its accelerations, to the rounding of the mass matrix
  double *back = numbers(size, 9);
  assert_ok(rbv_model_accelerations_by_sample(back, m, NULL, N, x[0], x[1], row));
  for (int i = 0; i < size; i++) assert_near(back[i], x[2][i], 1e-9, 1e-9);

  // mass matrices and regressors are those of single samples
  const int nrow = rbv_model_row_count(m), ncolumn = rbv_model_column_count(m);
  double *M = numbers(N * n * n, 9), *W = numbers(N * nrow * ncolumn, 9);
  double *one = numbers(nrow * ncolumn, 9), *mass = numbers(n * n, 9);
  assert_ok(rbv_model_mass_matrices(M, m, NULL, N, x[0]));
  assert_ok(rbv_model_regressors(W, m, N, x[0], x[1], x[2]));
  for (int k = 0; k < N; k++) {
    assert_ok(rbv_model_mass_matrix(mass, m, NULL, x[0] + k * n));
    assert_memory_equal(mass, M + k * n * n, (size_t)(n * n) * sizeof *mass);
    assert_ok(rbv_model_regressor(one, m, x[0] + k * n, x[1] + k * n, x[2] + k * n));
    for (int r = 0; r < nrow; r++)
      for (int c = 0; c < ncolumn; c++)
        // a batch uses wider vectors, whose products may be fused
        assert_near(W[(k * nrow + r) * ncolumn + c], one[r + c * nrow], 1e-13, 1e-13);
  }
  assert_int_equal(rbv_model_torques_by_sample(NULL, m, NULL, N, x[0], x[1], x[2]), RBV_EARG);
  for (int i = 0; i < 3; i++) free(x[i]), free(column[i]);
  free(out), free(row), free(back), free(M), free(W), free(one), free(mass);
  rbv_model_free(m);
}

/* base parameters give the torques of all parameters */
static void test_base(void **state) {
  (void)state;
  rbv_model *m;
  rbv_base *base;
  assert_ok(rbv_model_open(&m, "tx40"));
  assert_ok(rbv_model_base(&base, m));
  const int ncolumn = rbv_model_column_count(m), n = rbv_model_joint_count(m);
  const double *chi = rbv_model_parameters(m);
  double *reduced = calloc((size_t)ncolumn, sizeof *reduced);
  assert_true(rbv_base_count(base) > 0 && rbv_base_count(base) < ncolumn);
  for (int i = 0; i < rbv_base_count(base); i++) {
    const int column = rbv_base_column(base, i);
    assert_int_equal(rbv_model_find(m, rbv_base_name(base, i)), column);
    for (int c = 0; c < ncolumn; c++) reduced[column] += rbv_base_relation(base, i, c) * chi[c];
  }
  double *q = numbers(n, 1), *dq = numbers(n, 2), *ddq = numbers(n, 3), *a = numbers(n, 4),
         *b = numbers(n, 5);
  assert_ok(rbv_model_torques_by_sample(a, m, NULL, 1, q, dq, ddq));
  assert_ok(rbv_model_torques_by_sample(b, m, reduced, 1, q, dq, ddq));
  for (int j = 0; j < n; j++) assert_near(a[j], b[j], 1e-10, 1e-10);
  assert_null(rbv_base_name(base, -1));
  assert_true(isnan(rbv_base_relation(base, 0, ncolumn)));
  free(reduced), free(q), free(dq), free(ddq), free(a), free(b);
  rbv_base_free(base);
  rbv_model_free(m);
}

static void test_options(void **state) {
  (void)state;
  rbv_model *m;
  const char *const loaded[] = {"payload", "true", "stribeck", "0.1", NULL};
  assert_ok(rbv_model_open_with(&m, "tx40", loaded));
  assert_true(rbv_model_has_payload(m) && rbv_model_find(m, "Fs1") >= 0);
  rbv_model_free(m);
  const char *const unknown[] = {"weight", "3", NULL}, *const open[] = {"payload", NULL};
  assert_int_equal(rbv_model_open_with(&m, "tx40", unknown), RBV_EOPTION);
  assert_null(m);
  assert_int_equal(rbv_model_open_with(&m, "tx40", open), RBV_EARG);
  assert_string_equal(rbv_model_option_name(0), "tip");
  assert_null(rbv_model_option_text(100));
}

static void test_recording(void **state) {
  (void)state;
  static const char *const names[] = {"t", "q1", "extra"};
  const double A[] = {0, 0.1, 0.2, 1. / 3, 2. / 3, 1e-300, 7, 8, 9};
  rbv_log *log, *back;
  assert_ok(rbv_log_new(&log, "memory", names, 3, A, 3, 3));
  assert_ok(rbv_log_save(log, "written.csv"));
  assert_ok(rbv_log_open(&back, "written.csv", NULL));
  assert_int_equal(rbv_log_samples(back), 3);
  assert_int_equal(rbv_log_column_count(back), 3);
  assert_int_equal(rbv_log_joint_count(back), 1);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(rbv_log_column_name(back, i), names[i]);
    assert_memory_equal(rbv_log_column_values(back, i), A + 3 * i, 3 * sizeof *A);
  }
  assert_null(rbv_log_column_values(back, 3));
  assert_int_equal(rbv_log_find(back, "q2"), -1);
  rbv_log_free(log);
  rbv_log_free(back);
  assert_int_equal(rbv_log_open(&log, "missing.csv", NULL), RBV_EREAD);
  assert_null(log);
}

/* the replay predicts what the robot of the result computes, and its error is small */
static void test_replay(void **state) {
  (void)state;
  rbv_identification *job;
  rbv_report *report;
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_ok(rbv_identification_add_log(job, "empty.csv"));
  assert_int_equal(rbv_report_judge(&report, job), RBV_EARG);
  assert_ok(rbv_identification_run(job));
  assert_ok(rbv_identification_save(job, "fit.json"));
  assert_ok(rbv_report_judge(&report, job));
  assert_non_null(rbv_report_answer(report));
  assert_non_null(rbv_report_reason_text(report, 0));
  assert_null(rbv_report_page(report));
  rbv_report_free(report);
  rbv_identification_free(job);

  rbv_replay *s;
  rbv_model *m;
  double *chi;
  assert_ok(rbv_replay_new(&s, "fit.json", "empty.csv", false));
  assert_ok(rbv_result_open_robot(&m, &chi, "fit.json"));
  const ptrdiff_t n = rbv_replay_samples(s);
  const int njoint = rbv_replay_joint_count(s);
  assert_int_equal(njoint, rbv_model_joint_count(m));
  double *tau = malloc((size_t)n * (size_t)njoint * sizeof *tau);
  assert_ok(rbv_model_torques(tau, m, chi, n, rbv_replay_q(s, 0), rbv_replay_dq(s, 0),
                              rbv_replay_ddq(s, 0)));
  double rss = 0, yy = 0;
  for (int r = 0; r < njoint; r++)
    for (ptrdiff_t k = 0; k < n; k++) {
      assert_true(rbv_replay_predicted(s, r)[k] == tau[k + r * n]);
      if (!rbv_replay_valid(s)[k]) continue;
      const double e = rbv_replay_measured(s, r)[k] - tau[k + r * n];
      rss += e * e;
      yy += tau[k + r * n] * tau[k + r * n];
    }
  // noise of 0.01 N m, and accelerations that a low-pass has smoothed
  assert_true(rss < 1e-3 * yy);
  assert_null(rbv_replay_q(s, njoint));
  free(tau);
  rbv_values_free(chi);
  rbv_model_free(m);
  rbv_replay_free(s);

  assert_ok(rbv_report_open(&report, "fit.json"));
  assert_true(rbv_report_figure_count(report) > 2);
  assert_non_null(strstr(rbv_report_figure_text(report, 0), "<svg"));
  assert_non_null(strstr(rbv_report_page(report), "</html>"));
  rbv_report_free(report);
  assert_int_equal(rbv_replay_new(&s, "fit.json", "missing.csv", false), RBV_EREAD);
  assert_null(s);
}

/* ---- failing allocations ---- */

static rbv_status everything(void *state) {
  (void)state;
  double q[4] = {0.1, 0.2, 0.3, 0.4}, tau[4], W[256];
  rbv_model *m = NULL;
  rbv_base *base = NULL;
  rbv_log *log = NULL;
  rbv_replay *replay = NULL;
  double *chi = NULL;
  rbv_status status = rbv_result_open_robot(&m, &chi, "fit.json");
  if (status == RBV_OK) assert_true(2 * rbv_model_row_count(m) * rbv_model_column_count(m) <= 256);
  if (status == RBV_OK) status = rbv_model_torques_by_sample(tau, m, chi, 2, q, q, q);
  if (status == RBV_OK) status = rbv_model_accelerations_by_sample(tau, m, chi, 2, q, q, q);
  if (status == RBV_OK) status = rbv_model_regressors(W, m, 2, q, q, q);
  if (status == RBV_OK) status = rbv_model_base(&base, m);
  if (status == RBV_OK) status = rbv_log_open(&log, "log.csv", "map.yaml");
  if (status == RBV_OK) status = rbv_replay_new(&replay, "fit.json", "empty.csv", false);
  rbv_replay_free(replay);
  rbv_log_free(log);
  rbv_base_free(base);
  rbv_values_free(chi);
  rbv_model_free(m);
  return status;
}

static void test_failing_allocations(void **state) { fail_each_allocation(everything, *state); }

/* ---- the watcher ---- */

typedef struct {
  int calls, stop_at;
} watched;

static bool count_calls(void *self, const char *stage, double done) {
  watched *w = self;
  assert_non_null(stage);
  assert_true(isnan(done) || (done >= 0 && done <= 1));
  return ++w->calls != w->stop_at;
}

static rbv_status identify_once(void) {
  rbv_identification *job;
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_ok(rbv_identification_add_log(job, "log.csv"));
  const rbv_status status = rbv_identification_run(job);
  if (status != RBV_OK) assert_null(rbv_identification_result(job));
  rbv_identification_free(job);
  return status;
}

static void test_watch(void **state) {
  (void)state;
  watched w = {0};
  rbv_watch(count_calls, &w);
  assert_ok(identify_once());
  assert_true(w.calls >= 1);  // the first call comes at once, the others by the clock
  w = (watched){.stop_at = 1};
  rbv_watch(count_calls, &w);
  assert_int_equal(identify_once(), RBV_ECANCELLED);
  assert_int_equal(w.calls, 1);  // after the answer "no" it is not called again
  rbv_watch(NULL, NULL);
  assert_ok(identify_once());
  assert_int_equal(w.calls, 1);

  rbv_excitation *search;
  w = (watched){.stop_at = 2};
  assert_ok(rbv_excitation_new(&search, "arm.yaml"));
  assert_ok(rbv_excitation_set_number(search, "budget", 60));
  assert_ok(rbv_excitation_set_number(search, "seed", 3));
  rbv_watch(count_calls, &w);
  assert_int_equal(rbv_excitation_run(search), RBV_ECANCELLED);
  rbv_watch(NULL, NULL);
  assert_int_equal(rbv_excitation_count(search), 0);
  rbv_excitation_free(search);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batches), cmocka_unit_test(test_base),
      cmocka_unit_test(test_options), cmocka_unit_test(test_recording),
      cmocka_unit_test(test_replay),  cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_watch),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
