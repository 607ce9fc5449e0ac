/* Values that are held: found at whole and other numbers of rows per value, not where encoders are
 * coarse or joints rest; the rows that are left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "log/log_input.h"
#include "support.h"

#define N 6000
#define JOINTS 3

/* a recording: how it moves, its encoder, and how many rows its values are held */
typedef struct {
  double rate_hz, speed, count, noise;  // rad/s at most, rad, encoder counts
  double rests;                         // share of the time at rest
  double factor;                        // rows per value; 1: not held
} recipe;

typedef struct {
  double t[N], q[JOINTS][N], tau[JOINTS][N];
} table;

static double position(const recipe *r, int joint, ptrdiff_t row) {
  const double w = 2 * M_PI * (0.4 + 0.13 * joint), t = (double)row / r->rate_hz;
  // the robot moves for a time, then it rests for a time
  const double cycle = 2, on = cycle * (1 - r->rests), whole = floor(t / cycle);
  const double moved = whole * on + fmin(t - whole * cycle, on);
  const double x = r->speed / w * sin(w * moved + joint);
  const uint64_t at = (uint64_t)(row * JOINTS + joint);
  return r->count > 0 ? r->count * rint(x / r->count + r->noise * rbv_random_normal(5, 1, at)) : x;
}

/* the row that a value was sent at */
static ptrdiff_t sent(const recipe *r, ptrdiff_t row) {
  return (ptrdiff_t)ceil(floor((double)row / r->factor + 1e-9) * r->factor - 1e-9);
}

static void fill(table *x, const recipe *r) {
  for (ptrdiff_t k = 0; k < N; k++) {
    x->t[k] = (double)k / r->rate_hz;
    for (int j = 0; j < JOINTS; j++) {
      const ptrdiff_t from = sent(r, k);
      x->q[j][k] = position(r, j, from);
      x->tau[j][k] = 3 * cos(0.01 * (double)from) + 0.1 * rbv_random_normal(6, 2, (uint64_t)from);
    }
  }
}

static const char *const names[] = {"t", "q1", "q2", "q3", "tau1", "tau2", "tau3"};

static rbv_log *to_log(const table *x) {
  rbv_log *raw, *log;
  assert_ok(rbv_log_new(&raw, "x", names, 7, x->t, N, N));
  assert_ok(rbv_log_input_load(&log, &(rbv_log_input){.path = "x", .log = raw}, NULL, false));
  if (rbv_log_held(log) == 0)
    assert_true(rbv_log_channel(log, RBV_CHANNEL_TIME, -1) ==
                rbv_log_channel(raw, RBV_CHANNEL_TIME, -1));  // borrowed
  if (rbv_log_held(log) == 0) assert_int_equal(rbv_log_samples(log), N);
  // a view lives as long as the log that it borrows from
  rbv_log *own;
  assert_ok(rbv_log_part(&own, log, 0, rbv_log_samples(log)));
  rbv_log_free(log);
  rbv_log_free(raw);
  return own;
}

/* 60 logs; the factor is found to 3 % */
static void test_held_values_are_found(void **state) {
  (void)state;
  static const double factors[] = {2, 3, 4, 5, 6, 8, 10, 1.6, 2.5, 3.3};
  static const recipe how[] = {{500, 1, 0, 0, 0, 0},          {1000, 0.5, 1e-5, 1, 0, 0},
                               {250, 1.5, 1e-4, 0.3, 0.3, 0}, {1000, 2, 1e-4, 1, 0.1, 0},
                               {500, 0.3, 2e-5, 0.3, 0, 0},   {500, 3, 1e-3, 0.3, 0.2, 0}};
  table *x = malloc(sizeof *x);
  for (size_t i = 0; i < sizeof how / sizeof *how; i++)
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
      recipe r = how[i];
      r.factor = factors[k];
      fill(x, &r);
      rbv_log *log = to_log(x);
      assert_near(rbv_log_held(log), r.factor, 0, 0.03);
      // each row has a value of its own, at its time, and rests have rows too
      const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
      const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, 1);
      double longest = 0;
      for (ptrdiff_t s = 1; s < rbv_log_samples(log); s++) {
        const ptrdiff_t row = lround(t[s] * r.rate_hz);
        assert_true(q[s] == x->q[1][row] && (x->q[1][row - 1] == q[s] || sent(&r, row) == row));
        longest = fmax(longest, t[s] - t[s - 1]);
      }
      assert_true(longest * r.rate_hz <= ceil(r.factor) + 1.01);
      const bool whole = r.factor == rint(r.factor);
      assert_int_equal(rbv_log_get_rate(log).regular, whole);
      if (whole) assert_near(1 / rbv_log_get_rate(log).period, r.rate_hz / r.factor, 0, 1e-9);
      rbv_log_free(log);
    }
  free(x);
}

/* 200 logs of coarse encoders and slow joints, with rests and noise */
static void test_other_values_are_not_held(void **state) {
  (void)state;
  table *x = malloc(sizeof *x);
  int logs = 0;
  for (int rate = 0; rate < 4; rate++)
    for (int speed = 0; speed < 5; speed++)
      for (int count = 0; count < 5; count++)
        for (int rest = 0; rest < 2; rest++, logs++) {
          const recipe r = {.rate_hz = (double[]){100, 500, 1000, 5000}[rate],
                            .speed = (double[]){0.003, 0.01, 0.05, 0.2, 1}[speed],
                            .count = (double[]){0, 1e-5, 1e-4, 1e-3, 1e-2}[count],
                            .noise = (double[]){0, 0.3, 1}[(speed + count + rest) % 3],
                            .rests = rest ? 0.5 : 0,
                            .factor = 1};
          fill(x, &r);
          rbv_log *log = to_log(x);
          assert_true(rbv_log_held(log) == 0);
          rbv_log_free(log);
        }
  assert_int_equal(logs, 200);
  free(x);
}

/* ---- files ---- */

static const char *write_file(const table *x) {
  const char *path = temp_file("held.csv", "");
  rbv_csv_writer *w;
  assert_ok(rbv_csv_create(&w, path, names, 7));
  assert_ok(rbv_csv_rows(w, x->t, N, N));
  assert_ok(rbv_csv_finish(w));
  rbv_csv_free(w);
  return path;
}

/* a file as a whole and in pieces: the same rows, with their lines */
static void test_file_and_pieces(void **state) {
  (void)state;
  table *x = malloc(sizeof *x);
  fill(x, &(recipe){500, 1, 1e-5, 0.3, 0.2, 3});
  const char *path = write_file(x);
  rbv_log *log;
  rbv_log_file *file;
  rbv_log_reader *reader;
  assert_ok(rbv_log_load_values(&log, path, NULL));
  assert_true(rbv_log_held(log) == 3);
  assert_int_equal(rbv_log_samples(log), N / 3);
  assert_int_equal(rbv_log_line(log, 100), 302);  // the header, and 300 rows before it
  assert_int_equal(rbv_log_origin(log, 100), 100);
  assert_ok(rbv_log_file_open(&file, path, NULL, 10, 2));
  assert_true(rbv_log_file_held(file) == 3);
  assert_int_equal(rbv_log_file_samples(file), N / 3);
  assert_near(rbv_log_file_clock(file).rate_hz, 500.0 / 3, 0, 1e-9);
  assert_ok(rbv_log_reader_new(&reader, file));
  for (ptrdiff_t first = 0; first < N / 3; first += 300) {
    const ptrdiff_t count = N / 3 - first < 400 ? N / 3 - first : 400;
    rbv_log *piece;
    assert_ok(rbv_log_reader_read(&piece, reader, first, count));
    assert_int_equal(rbv_log_samples(piece), count);
    assert_int_equal(rbv_log_line(piece, 0), rbv_log_line(log, first));
    for (int i = 0; i < 7; i++)
      assert_memory_equal(rbv_log_column_at(piece, i)->values,
                          rbv_log_column_at(log, i)->values + first,
                          (size_t)count * sizeof(double));
    rbv_log_free(piece);
  }
  rbv_log_reader_free(reader);
  rbv_log_file_free(file);
  rbv_log_free(log);

  // rows with a value are not regular in pieces
  fill(x, &(recipe){500, 1, 1e-5, 0.3, 0.2, 2.5});
  path = write_file(x);
  assert_refused(rbv_log_file_open(&file, path, NULL, 10, 1), RBV_EUNSUPPORTED, "2.5 times");
  free(x);
}

static rbv_status load_held(void *state) {
  rbv_log *log = NULL;
  const rbv_status status = rbv_log_load_values(&log, state, NULL);
  rbv_log_free(log);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  table *x = malloc(sizeof *x);
  fill(x, &(recipe){500, 1, 1e-5, 0.3, 0.2, 3});
  fail_each_allocation(load_held, (void *)(uintptr_t)write_file(x));
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_held_values_are_found),
                                     cmocka_unit_test(test_other_values_are_not_held),
                                     cmocka_unit_test(test_file_and_pieces),
                                     cmocka_unit_test(test_each_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
