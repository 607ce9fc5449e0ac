/* A bag of 1 GB is identified in pieces, with less than 300 MB of memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bag_writer.h"
#include "support.h"
#include "tool.h"

#define BYTES 1e9
#define PERIOD 8000  // samples of the motion, at 1 kHz
#define MOST_MB 300
#define TURN 6.283185307179586

static const char *const joints[] = {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"};

/* Messages of 1 kHz until the file is large enough; returns their number. Torques are those of
 * viscous and Coulomb friction: what the estimate is does not matter here. */
static long write_bag(const char *path) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  rbv_text out = {0}, state = {0};
  bag_start(&out);
  bag_channel(&out, 0, "/joint_states");
  long count = 0;
  for (double bytes = 0; bytes < BYTES; count++) {
    double q[6], tau[6];
    const double phase = TURN * (double)(count % PERIOD) / PERIOD;
    for (int j = 0; j < 6; j++) {
      const double speed = cos((j + 1) * phase) + 0.3 * cos((9 - j) * phase);
      q[j] = sin((j + 1) * phase) / (j + 1) + 0.3 * sin((9 - j) * phase) / (9 - j);
      tau[j] = 3 * speed + (speed > 0 ? 1 : -1);
    }
    const double t = 1.7e9 + 1e-3 * (double)count;
    bag_state(&state, t, joints, 6, q, tau);
    bag_message(&out, 0, (uint64_t)llround(1e9 * t), &state);
    if (out.size < 1 << 20) continue;
    bytes += (double)out.size;
    assert_int_equal(fwrite(out.data, 1, out.size, file), out.size);
    out.size = 0;
  }
  bag_end(&out);
  assert_int_equal(fwrite(out.data, 1, out.size, file), out.size);
  assert_int_equal(fclose(file), 0);
  rbv_text_free(&out);
  rbv_text_free(&state);
  return count;
}

static void test_memory(void **state) {
  (void)state;
  const char *path = temp_file("big.mcap", NULL);
  const long count = write_bag(path);
  // three revolute joints at right angles, twice: the rotor inertias need no gear ratios
  temp_file("arm.yaml",
            "joints:\n"
            "  - {name: joint1, mdh: {r: 0.3}}\n"
            "  - {name: joint2, mdh: {alpha: 90deg}}\n"
            "  - {name: joint3, mdh: {d: 0.4}}\n"
            "  - {name: joint4, mdh: {alpha: 90deg, r: 0.4}}\n"
            "  - {name: joint5, mdh: {alpha: -90deg}}\n"
            "  - {name: joint6, mdh: {alpha: 90deg}}\n");
  outcome o = tool("identify arm.yaml big.mcap -o big.json");
  char samples[64];
  snprintf(samples, sizeof samples, "%ld samples at 1000 Hz", count);
  if (!strstr(o.err, samples) || !strstr(o.err, "in pieces"))
    fail_msg("not '%s', or not in pieces: %s", samples, o.err);
  assert_true(o.code == 0 || o.code == 1);
  outcome_free(&o);
  assert_int_equal(unlink(path), 0);
  struct rusage used;
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
  print_message("%ld messages: %.0f MB resident\n", count, (double)used.ru_maxrss / 1024);
  assert_true(used.ru_maxrss < MOST_MB * 1024L);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
