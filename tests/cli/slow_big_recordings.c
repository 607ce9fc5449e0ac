/*
 * Large recordings are identified in pieces, with less than 300 MB of memory: 1 GB in a bag, in an
 * array of NumPy and in a compressed one, 500 MB of text compressed with gzip.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "bag_writer.h"
#include "packed_writer.h"
#include "support.h"
#include "tool.h"

#define BYTES 1e9
#define TEXT_BYTES 5e8
#define JOINTS 6
#define OTHERS 60
#define PERIOD 8000  // samples of the motion, at 1 kHz
#define MOST_MB 300
#define TURN 6.283185307179586

static const char *const joints[] = {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"};

/* One sample. Torques are those of viscous and Coulomb friction: what the estimate is does not
 * matter here. */
static void get_sample(double q[JOINTS], double tau[JOINTS], long k) {
  const double phase = TURN * (double)(k % PERIOD) / PERIOD;
  for (int j = 0; j < JOINTS; j++) {
    const double speed = cos((j + 1) * phase) + 0.3 * cos((9 - j) * phase);
    q[j] = sin((j + 1) * phase) / (j + 1) + 0.3 * sin((9 - j) * phase) / (9 - j);
    tau[j] = 3 * speed + (speed > 0 ? 1 : -1);
  }
}

/* Writers: samples of 1 kHz until the file is large enough. They return their number. */

static long write_bag(const char *path) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  rbv_text out = {0}, state = {0};
  bag_start(&out);
  bag_channel(&out, 0, "/joint_states");
  long count = 0;
  for (double bytes = 0; bytes < BYTES; count++) {
    double q[JOINTS], tau[JOINTS];
    get_sample(q, tau, count);
    const double t = 1.7e9 + 1e-3 * (double)count;
    bag_state(&state, t, joints, JOINTS, q, tau);
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

/* With other channels, as controllers log them. */
static long write_array(const char *path) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  double row[1 + 2 * JOINTS + OTHERS] = {0};
  const long count = (long)(BYTES / sizeof row);
  char shape[40];
  snprintf(shape, sizeof shape, "(%ld,)", count);
  rbv_text head = {0};
  pack_npy(&head,
           "[('t', '<f8'), ('q', '<f8', (6,)), ('tau', '<f8', (6,)), ('other', '<f8', (60,))]",
           false, shape, "", 0);
  assert_int_equal(fwrite(head.data, 1, head.size, file), head.size);
  rbv_text_free(&head);
  for (long k = 0; k < count; k++) {
    row[0] = 1e-3 * (double)k;
    get_sample(row + 1, row + 1 + JOINTS, k);
    for (int i = 0; i < OTHERS; i++) row[1 + 2 * JOINTS + i] = (double)(k * (i + 1) % 1009);
    assert_int_equal(fwrite(row, sizeof row, 1, file), 1);
  }
  assert_int_equal(fclose(file), 0);
  return count;
}

static long write_archive(const char *path) {
  const long count = write_array(temp_file("log.npy", NULL));
  char command[400];
  snprintf(command, sizeof command, "python3 -m zipfile -c %s log.npy && rm log.npy", path);
  assert_int_equal(run_in_temp(command), 0);
  return count;
}

static long write_text(const char *path) {
  gzFile file = gzopen(path, "wb1");
  assert_non_null(file);
  gzputs(file, "t");
  for (int j = 1; j <= JOINTS; j++) gzprintf(file, ",q%d,tau%d", j, j);
  gzputs(file, "\n");
  // all but the time repeats
  static char rows[PERIOD][JOINTS * 2 * 16 + 2];
  for (long k = 0; k < PERIOD; k++) {
    double q[JOINTS], tau[JOINTS];
    get_sample(q, tau, k);
    int n = 0;
    for (int j = 0; j < JOINTS; j++)
      n += snprintf(rows[k] + n, sizeof rows[k] - (size_t)n, ",%.9f,%.9f", q[j], tau[j]);
    snprintf(rows[k] + n, sizeof rows[k] - (size_t)n, "\n");
  }
  long count = 0;
  for (; (double)gztell(file) < TEXT_BYTES; count++) {
    gzprintf(file, "%.3f", 1e-3 * (double)count);
    gzputs(file, rows[count % PERIOD]);
  }
  assert_int_equal(gzclose(file), Z_OK);
  return count;
}

static void check(const char *name, long (*write)(const char *path)) {
  char path[300];
  snprintf(path, sizeof path, "%s", temp_file(name, NULL));
  const long count = write(path);
  // three revolute joints at right angles, twice: the rotor inertias need no gear ratios
  temp_file("arm.yaml",
            "joints:\n"
            "  - {name: joint1, mdh: {r: 0.3}}\n"
            "  - {name: joint2, mdh: {alpha: 90deg}}\n"
            "  - {name: joint3, mdh: {d: 0.4}}\n"
            "  - {name: joint4, mdh: {alpha: 90deg, r: 0.4}}\n"
            "  - {name: joint5, mdh: {alpha: -90deg}}\n"
            "  - {name: joint6, mdh: {alpha: 90deg}}\n");
  outcome o = tool("identify arm.yaml %s -o big.json", name);
  char samples[64];
  snprintf(samples, sizeof samples, "%ld samples at 1000 Hz", count);
  if (!strstr(o.err, samples) || !strstr(o.err, "in pieces"))
    fail_msg("%s: not '%s', or not in pieces: %s", name, samples, o.err);
  assert_true(o.code == 0 || o.code == 1);
  outcome_free(&o);
  assert_int_equal(unlink(path), 0);
  // the largest process so far
  struct rusage used;
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
  print_message("%s: %ld samples: %.0f MB resident\n", name, count, (double)used.ru_maxrss / 1024);
  assert_true(used.ru_maxrss < MOST_MB * 1024L);
}

static void test_bag(void **state) {
  (void)state;
  check("big.mcap", write_bag);
}

static void test_array(void **state) {
  (void)state;
  check("big.npy", write_array);
}

static void test_compressed_array(void **state) {
  (void)state;
  check("big.npz", write_archive);
}

static void test_compressed_text(void **state) {
  (void)state;
  check("big.csv.gz", write_text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bag),
      cmocka_unit_test(test_array),
      cmocka_unit_test(test_compressed_array),
      cmocka_unit_test(test_compressed_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
