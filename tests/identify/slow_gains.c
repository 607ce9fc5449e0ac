/* Drive gains over many recordings: sigma agrees with the spread. */
#include <math.h>

#include "drives.h"
#include "support.h"

#define RUNS 20

static void check(double noise, double noise_hz, int decimate, double largest) {
  double square[DRIVES] = {0}, sum[DRIVES] = {0}, worst = 0, low = INFINITY, high = 0;
  for (int i = 0; i < RUNS; i++) {
    double gain[DRIVES], sigma[DRIVES];
    drives_identify(gain, sigma, (uint64_t)(1 + i), noise, noise_hz, decimate);
    for (int j = 0; j < DRIVES; j++) {
      const double error = gain[j] - drives_gain[j];
      square[j] += error * error / RUNS;
      sum[j] += sigma[j] / RUNS;
      worst = fmax(worst, fabs(error) / drives_gain[j]);
    }
  }
  for (int j = 0; j < DRIVES; j++) {
    low = fmin(low, sum[j] / sqrt(square[j]));
    high = fmax(high, sum[j] / sqrt(square[j]));
  }
  print_message(
      "noise %g at %g Hz, decimated by %d: largest error %.2f %%, sigma over spread "
      "%.2f to %.2f\n",
      noise, noise_hz, decimate, 100 * worst, low, high);
  assert_true(worst <= largest);
  assert_true(low > 0.5 && high < 2);
}

static void test_white_noise(void **state) {
  (void)state;
  check(0.03, 0, 1, 0.01);
  check(0.03, 0, 20, 0.01);
}

/* noise at 5 Hz has three times the effect: sigma must follow; 1 % accuracy is not possible */
static void test_coloured_noise(void **state) {
  (void)state;
  check(0.02, 5, 20, 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_white_noise),
      cmocka_unit_test(test_coloured_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
