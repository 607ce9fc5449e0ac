/* Unknown levels of the noise near standstill. */
#include "equations/standstill_level.h"

#include <math.h>
#include <string.h>
#include "control/control.h"

#include "base/support.h"
#include "support.h"

#define COUNT 400
#define CHUNK 64  // pauses begin and end within chunks and across their ends
#define WIDTH 6   // more than the columns that are rotated together

/* pauses of 1, 30, 90 and 7 samples */
static double weight_at(int k) {
  const bool pause =
      k == 20 || (k >= 50 && k < 80) || (k >= 150 && k < 240) || (k >= 300 && k < 307);
  return pause ? 0 : 1;
}

/* weighted rows through 1 - z^-1, then without the levels; X: COUNT x WIDTH */
static void eliminate(double *X) {
  const rbv_transfer H = {.nnum = 2, .nden = 1, .num = {1, -1}, .den = {1}};
  static double B[COUNT * LEVEL_COLUMNS], C[CHUNK * LEVEL_COLUMNS], S[CHUNK * LEVEL_COLUMNS];
  double past[WIDTH] = {0}, past_levels[LEVEL_COLUMNS] = {0}, z[WIDTH * LEVEL_COLUMNS] = {0};
  bool starts[CHUNK], used[CHUNK];
  int turn[CHUNK];
  level_chunk chunk = {starts, turn, C, S};
  standstill_level level = {0};
  for (int first = 0; first < COUNT; first += CHUNK) {
    const int count = COUNT - first < CHUNK ? COUNT - first : CHUNK;
    double weight[CHUNK];
    for (int k = 0; k < count; k++) {
      weight[k] = weight_at(first + k);
      used[k] = first + k > 0;  // the first row has no difference
      for (int c = 0; c < WIDTH; c++) X[first + k + c * COUNT] *= weight[k];
    }
    rbv_level_columns(B + first, COUNT, &chunk, &level, weight, count);
    rbv_transfer_continue(X + first, COUNT, &H, past, X + first, COUNT, count, WIDTH);
    rbv_transfer_continue(B + first, COUNT, &H, past_levels, B + first, COUNT, count,
                          LEVEL_COLUMNS);
    rbv_level_eliminate(X + first, COUNT, WIDTH, z, B + first, &chunk, &level, used, count);
  }
}

/*
 * Random walks: the likelihood of a walk with missing samples is that of its steps, and of the step
 * across each pause of g samples with g + 1 times the variance. Products of two columns show that
 * all have the same rotations.
 */
static void test_walks_with_missing_samples(void **state) {
  (void)state;
  static double X[COUNT * WIDTH], walk[COUNT * WIDTH];
  for (int c = 0; c < WIDTH; c++)
    for (int k = 0; k < COUNT; k++)
      walk[k + c * COUNT] = (k > 0 ? walk[k - 1 + c * COUNT] : 10) +
                            rbv_random_uniform(1, (uint64_t)c, (uint64_t)k) - 0.5;
  memcpy(X, walk, sizeof X);
  eliminate(X);
  for (int a = 0; a < WIDTH; a++)
    for (int b = 0; b <= a; b++) {
      double want = 0, got = 0;
      for (int k = 1, last = 0; k < COUNT; k++) {
        got += X[k + a * COUNT] * X[k + b * COUNT];
        if (weight_at(k) == 0) continue;
        want += (walk[k + a * COUNT] - walk[last + a * COUNT]) *
                (walk[k + b * COUNT] - walk[last + b * COUNT]) / (k - last);
        last = k;
      }
      // sums of 400 terms below 1; levels of 10 are eliminated, entries below 1e-4 are not rotated
      assert_near(got, want, 1e-6, 0);
    }
}

/* constants and straight lines leave nothing but their slope */
static void test_lines_go_through_pauses(void **state) {
  (void)state;
  static double X[COUNT * WIDTH];
  for (int c = 0; c < WIDTH; c++)
    for (int k = 0; k < COUNT; k++) X[k + c * COUNT] = 7 + c * 0.01 * k;
  eliminate(X);
  for (int c = 0; c < WIDTH; c++) {
    double sum = 0;
    for (int k = 1; k < COUNT; k++) sum += X[k + c * COUNT] * X[k + c * COUNT];
    assert_near(sum, (COUNT - 1) * 1e-4 * c * c, 1e-9, 1e-9);
  }
}

/* without a pause rows are not changed */
static void test_without_pause(void **state) {
  (void)state;
  double X[3 * 2] = {1, 2, 3, 4, 5, 6}, z[2 * LEVEL_COLUMNS] = {0}, B[3 * LEVEL_COLUMNS];
  const double weight[] = {1, 1, 1};
  bool starts[3];
  int turn[3];
  const bool used[] = {true, true, true};
  double C[3 * LEVEL_COLUMNS], S[3 * LEVEL_COLUMNS];
  level_chunk chunk = {starts, turn, C, S};
  standstill_level level = {0};
  rbv_level_columns(B, 3, &chunk, &level, weight, 3);
  rbv_level_eliminate(X, 3, 2, z, B, &chunk, &level, used, 3);
  for (int i = 0; i < 6; i++) assert_true(X[i] == i + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walks_with_missing_samples),
      cmocka_unit_test(test_lines_go_through_pauses),
      cmocka_unit_test(test_without_pause),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
