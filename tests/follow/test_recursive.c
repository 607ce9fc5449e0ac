/* Recursive least squares against the batch estimate, and levels of alarms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/follow.h>
#include "linalg/linalg.h"

#include "stream.h"
#include "support.h"

/* two unknowns by hand: x = 1, x + y = 3, y = 2.5: normal equations [2 1; 1 2] x = [4; 5.5] */
static void test_by_hand(void **state) {
  (void)state;
  double memory[7] = {0}, x[2], sigma[2];
  const rbv_rls r = rbv_rls_at(memory, 2, 1);
  assert_int_equal(rbv_rls_size(2, 1), 7);
  const double row[3][2] = {{1, 0}, {1, 1}, {0, 1}}, y[3] = {1, 3, 2.5};
  for (int i = 0; i < 3; i++) {
    double a[2] = {row[i][0], row[i][1]}, b = y[i];
    rbv_rls_add(&r, a, &b);
  }
  rbv_rls_solve(x, sigma, &r, 0);
  assert_near(x[0], 2.5 / 3, 1e-15, 0);
  assert_near(x[1], 7.0 / 3, 1e-15, 0);
  // inverse of [2 1; 1 2]: 2/3 on its diagonal
  for (int i = 0; i < 2; i++) assert_near(sigma[i], sqrt(2.0 / 3), 1e-15, 0);
  // residuals 1/6, -1/6, 1/6
  assert_near(r.rss[0], 3.0 / 36, 1e-15, 0);
  // half the information: sigma grows by the root of two, values stay
  rbv_rls_forget(&r, 0.5);
  rbv_rls_solve(x, sigma, &r, 0);
  assert_near(x[0], 2.5 / 3, 1e-15, 0);
  assert_near(sigma[0], sqrt(4.0 / 3), 1e-15, 0);
}

static void test_undetermined(void **state) {
  (void)state;
  double memory[7] = {0}, x[2], sigma[2], inverse[4], a[2] = {0, 2}, y = 3;
  const rbv_rls r = rbv_rls_at(memory, 2, 1);
  rbv_rls_add(&r, a, &y);
  rbv_rls_solve(x, sigma, &r, 0);
  assert_near(x[0], 0, 0, 0);
  assert_true(isinf(sigma[0]));
  assert_near(x[1], 1.5, 1e-15, 0);
  assert_near(sigma[1], 0.5, 1e-15, 0);
  assert_false(rbv_rls_inverse(inverse, &r));
}

/* the ten parameters of a payload from 20 s of motion: the same as the batch estimate */
static void test_equals_batch(void **state) {
  (void)state;
  enum { SAMPLES = 1000, N = 6, UNKNOWNS = 10 };
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  stream s;
  stream_new(&s, m, rbv_model_parameters(m), 50, 0.02, 4, 1);
  const int first = rbv_model_find(m, "XX6"), columns = rbv_model_column_count(m);
  double *A = calloc((size_t)(SAMPLES * N * UNKNOWNS), sizeof *A), memory[121] = {0};
  double *b = calloc((size_t)(SAMPLES * N), sizeof *b);
  double *W = calloc((size_t)(N * columns), sizeof *W), x[UNKNOWNS], batch[UNKNOWNS];
  assert_true(A && b && W && rbv_rls_size(UNKNOWNS, 1) <= 121);
  const rbv_rls r = rbv_rls_at(memory, UNKNOWNS, 1);
  for (int k = 0; k < SAMPLES; k++) {
    stream_next(&s);
    rbv_regressor_eval(W, s.d, s.q, s.dq, s.ddq, false);
    for (int j = 0; j < N; j++) {
      double row[UNKNOWNS], y = s.tau[j];
      b[k + j * SAMPLES] = y;
      for (int i = 0; i < UNKNOWNS; i++)
        row[i] = A[k + j * SAMPLES + (ptrdiff_t)i * SAMPLES * N] = W[j + (first + i) * N];
      rbv_rls_add(&r, row, &y);
    }
  }
  rbv_rls_solve(x, NULL, &r, 0);
  int rank;
  double singular[UNKNOWNS];
  assert_ok(rbv_least_squares(batch, &rank, singular, A, SAMPLES * N, UNKNOWNS, SAMPLES * N, b, 0));
  assert_int_equal(rank, UNKNOWNS);
  double size = 0;
  for (int i = 0; i < UNKNOWNS; i++) size = fmax(size, fabs(batch[i]));
  // Must show 4 of the recursive module: 1e-9
  for (int i = 0; i < UNKNOWNS; i++) assert_near(x[i], batch[i], 1e-9 * size, 0);
  free(A);
  free(b);
  free(W);
  stream_free(&s);
  rbv_model_free(m);
}

/* the largest value of normal noise with N crossings in a block: its square is 2 log N plus twice a
 * Gumbel variable (Rice) */
static double block_maximum(uint64_t series, int i) {
  const double gumbel = -log(-log(rbv_random_uniform(3, series, (uint64_t)i)));
  return sqrt(fmax(0, 2 * log(16) + 2 * gumbel));
}

/* the chosen share of new blocks exceeds the level */
static void test_level(void **state) {
  (void)state;
  enum { BLOCKS = 4000, NEW = 200000 };
  static double maxima[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) maxima[i] = block_maximum(1, i);
  const double level = rbv_alarm_level(maxima, BLOCKS, 0.001);
  int above = 0;
  for (int i = 0; i < NEW; i++) above += block_maximum(2, i) > level;
  // 200 expected; 1000 excesses give their mean with 3 %, the level lies log(250) = 5.5 means
  // higher: 2.5 sigma are a factor exp(2.5 * 0.17) = 1.6
  assert_true(above > 200 / 1.6 && above < 200 * 1.6);
  // exactly: 16 exp(-L^2 / 2) = 0.001
  assert_near(level, sqrt(2 * log(16000)), 0.15, 0);
  // few blocks: the level is higher, because the size of the tail is hardly known
  for (int i = 0; i < 20; i++) maxima[i] = block_maximum(1, i);
  assert_true(rbv_alarm_level(maxima, 20, 0.001) > level);
  // a large share is a quantile of the maxima
  for (int i = 0; i < 20; i++) maxima[i] = i;
  assert_near(rbv_alarm_level(maxima, 20, 0.5), 9, 0, 0);
  // Rice: 5 crossings of zero per second, one alarm in 1000 s: exp(-L^2 / 2) = 1e-4
  assert_near(rbv_alarm_level_normal(5, 1e-3), sqrt(-2 * log(1e-4)), 1e-12, 0);
  assert_near(rbv_alarm_level_normal(5, 20), 0, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_undetermined),
      cmocka_unit_test(test_equals_batch),
      cmocka_unit_test(test_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
