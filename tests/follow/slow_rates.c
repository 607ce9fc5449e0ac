/*
 * False alarms of streams of another rate than the recordings that the limits were learnt from: a
 * TX40, identified and recorded at 500 Hz, followed at 30 Hz to 1 kHz on the motion of the
 * recording. The rate of alarms is the chosen one within a factor of two.
 *
 * slow_rates [SECONDS [TEST]]: of each stream; TEST: name, * stands for any letters
 */
#include <stdlib.h>

#include "stream.h"
#include "support.h"

#define RECORDED_HZ 500.0
#define CHOSEN 60.0  // per hour

static double span_s = 3600;

static void count_at(double rate_hz) {
  known_stream k;
  known_new(&k, "tx40", -1, RECORDED_HZ, 0.02, 60, 1);
  k.options.alarms_per_hour = CHOSEN;
  k.options.rate_hz = rate_hz;
  k.recorded_hz = RECORDED_HZ;
  rbv_follow *f = known_follow(&k, 300, 1001);
  const rbv_follow_report *r = rbv_follow_get(f);
  stream s;
  stream_new(&s, k.m, k.truth, rate_hz, 0.02, 2, 2001);
  int alarms = 0, changes = 0;
  for (long i = 0; i < (long)(span_s * rate_hz); i++) {
    stream_next(&s);
    (void)rbv_follow_push(f, s.t, s.q, s.tau);
    alarms += r->began;
    changes += r->changed;
  }
  const double chosen = CHOSEN * span_s / 3600;
  print_message("%g Hz: %d false alarms, %g chosen; %d changes\n", rate_hz, alarms, chosen,
                changes);
  assert_true(alarms >= chosen / 2 && alarms <= 2 * chosen);
  stream_free(&s);
  rbv_follow_free(f);
  known_free(&k);
}

#define AT(rate)                          \
  static void test_##rate(void **state) { \
    (void)state;                          \
    count_at(rate);                       \
  }
static void test_too_slow(void **state) {
  (void)state;
  known_stream k;
  known_new(&k, "tx40", -1, RECORDED_HZ, 0.02, 60, 1);
  k.options.rate_hz = 10;
  rbv_follow *f;
  assert_int_equal(rbv_follow_new(&f, &k.arm, k.rms, &k.options), RBV_EINPUT);
  known_free(&k);
}
AT(30)
AT(50)
AT(100)
AT(250)
AT(500)
AT(1000)

int main(int argc, char **argv) {
  if (argc > 1) span_s = atof(argv[1]);
  if (argc > 2) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_too_slow), cmocka_unit_test(test_30),  cmocka_unit_test(test_50),
      cmocka_unit_test(test_100),      cmocka_unit_test(test_250), cmocka_unit_test(test_500),
      cmocka_unit_test(test_1000),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
