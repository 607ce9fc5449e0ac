/* NumPy files in pieces: same values and messages as the whole file, in every order of the numbers.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/log.h"

#include "base/support.h"
#include "packed_writer.h"
#include "pieces.h"
#include "support.h"

#define N 40003     // several buffers of a reader, several stretches of a survey
#define BIG 400003  // 22 MB of numbers: more than a reader in pieces keeps in memory
#define JOINTS 3

static char path[300];

static double time_at(int k) { return 0.001 * k; }
static double q_at(int k, int j) { return sin(0.001 * k * (j + 1)) + 1e-3 * (k * 37 % 101); }
static float tau_at(int k, int j) { return (float)cos(0.003 * k * (j + 1)); }

/* How the arrays are stored. */
typedef struct {
  bool compressed, fortran, across, big_endian;
} form;

static double swapped(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = __builtin_bswap64(bits);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* q: float64, n x JOINTS or across. */
static void put_positions(rbv_text *npy, form f, int n) {
  double *q = malloc(sizeof *q * (size_t)n * JOINTS);
  assert_non_null(q);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < JOINTS; j++) {
      const int row = f.across ? j : k, column = f.across ? k : j;
      const int height = f.across ? JOINTS : n, width = f.across ? n : JOINTS;
      q[f.fortran ? row + column * height : row * width + column] =
          f.big_endian ? swapped(q_at(k, j)) : q_at(k, j);
    }
  char shape[40];
  snprintf(shape, sizeof shape, f.across ? "(%d, %d)" : "(%2$d, %1$d)", JOINTS, n);
  pack_npy(npy, f.big_endian ? "'>f8'" : "'<f8'", f.fortran, shape, q,
           sizeof *q * (size_t)n * JOINTS);
  free(q);
}

/* t and the torques: fields of a structured array. */
static void put_records(rbv_text *npy, int n) {
  typedef struct __attribute__((packed)) {
    double t;
    int16_t count;
    float tau[JOINTS];
  } record;
  record *r = malloc(sizeof *r * (size_t)n);
  assert_non_null(r);
  for (int k = 0; k < n; k++) {
    r[k].t = time_at(k);
    r[k].count = (int16_t)(k % 30000);
    for (int j = 0; j < JOINTS; j++) r[k].tau[j] = tau_at(k, j);
  }
  char shape[40];
  snprintf(shape, sizeof shape, "(%d,)", n);
  pack_npy(npy, "[('t', '<f8'), ('count', '<i2'), ('tau', '<f4', (3,))]", false, shape, r,
           sizeof *r * (size_t)n);
  free(r);
}

static void write_archive(form f, int n, bool large) {
  npz_writer w = {0};
  rbv_text npy = {0};
  put_records(&npy, n);
  npz_add(&w, "log.npy", &npy, f.compressed);
  npy.size = 0;
  put_positions(&npy, f, n);
  npz_add(&w, "q.npy", &npy, f.compressed);
  npy.size = 0;
  pack_npy(&npy, "'<U1'", false, "(2,)", "a\0\0\0b\0\0\0", 8);  // skipped: text,
  npz_add(&w, "names.npy", &npy, f.compressed);
  npy.size = 0;
  pack_npy(&npy, "'<f4'", false, "(1,)", "\0\0\0\0", 4);  // and other lengths
  npz_add(&w, "rate.npy", &npy, f.compressed);
  rbv_text_free(&npy);
  npz_end(&w, large);
  strcpy(path, temp_file("x.npz", NULL));
  write_bytes(path, &w.out);
}

static void check_values(const rbv_log *log, ptrdiff_t first) {
  const ptrdiff_t n = rbv_log_samples(log);
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const double *count = rbv_log_column_at(log, rbv_log_find(log, "count"))->values;
  for (int k = 0; k < n; k++) {
    const int row = (int)first + k;
    if (t[k] != time_at(row) || count[k] != row % 30000) fail_msg("row %d", row);
  }
  for (int j = 0; j < JOINTS; j++) {
    const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, j);
    const double *tau = rbv_log_channel(log, RBV_CHANNEL_TORQUE, j);
    for (int k = 0; k < n; k++) {
      const int row = (int)first + k;
      if (q[k] != q_at(row, j) || tau[k] != (double)tau_at(row, j)) fail_msg("row %d", row);
    }
  }
}

/* The file as a whole and in pieces. */
static void check_file(int n, int threads) {
  rbv_log *log;
  rbv_log_file *file;
  rbv_log_reader *reader[2];
  size_t bytes;
  assert_ok(rbv_log_bytes(&bytes, path));
  assert_int_equal(bytes, sizeof(double) * (size_t)n * (2 + 2 * JOINTS));
  assert_ok(rbv_log_load(&log, path, NULL));
  assert_int_equal(rbv_log_samples(log), n);
  assert_int_equal(rbv_log_column_count(log), 2 + 2 * JOINTS);
  check_values(log, 0);
  rbv_log_free(log);
  assert_ok(rbv_log_file_open(&file, path, NULL, 10, threads));
  assert_int_equal(rbv_log_file_samples(file), n);
  assert_true(rbv_log_file_clock(file).regular);
  for (int k = 0; k < 2; k++) assert_ok(rbv_log_reader_new(&reader[k], file));
  const ptrdiff_t c[][2] = {{0, 1},     {0, 20000},    {16000, 800},     {16384, 1},
                            {100, 256}, {30000, 3000}, {n - 7303, 7303}, {n - 1, 1}};
  for (int k = 0; k < RBV_COUNT(c); k++) {
    assert_ok(rbv_log_reader_read(&log, reader[k % 3 == 0], c[k][0], c[k][1]));
    assert_string_equal(rbv_log_format(log), "NumPy archive");
    assert_int_equal(rbv_log_samples(log), c[k][1]);
    assert_int_equal(rbv_log_column_count(log), 2 + 2 * JOINTS);
    check_values(log, c[k][0]);
    rbv_log_free(log);
  }
  for (int k = 0; k < 2; k++) rbv_log_reader_free(reader[k]);
  rbv_log_file_free(file);
}

static void test_every_order(void **state) {
  (void)state;
  for (int i = 0; i < 16; i++) {
    write_archive((form){i & 1, i & 2, i & 4, i & 8}, N, i % 3 == 0);
    check_file(N, i % 4);
  }
}

/* The numbers of a large compressed archive are unpacked into a folder, in which nothing remains.
 */
static void test_disk(void **state) {
  (void)state;
  write_archive((form){.compressed = true, .fortran = true}, BIG, false);
  char folder[300];
  snprintf(folder, sizeof folder, "%s", temp_file("none", NULL));
  assert_int_equal(setenv("TMPDIR", folder, 1), 0);
  rbv_log *log;
  rbv_log_file *file;
  assert_ok(rbv_log_load(&log, path, NULL));
  rbv_log_free(log);
  assert_refused(rbv_log_file_open(&file, path, NULL, 10, 1), RBV_EWRITE, "none");
  assert_non_null(strstr(rbv_message(), "set TMPDIR to a folder that has room"));
  assert_int_equal(setenv("TMPDIR", temp_directory(), 1), 0);
  check_file(BIG, 2);
  DIR *all = opendir(temp_directory());
  assert_non_null(all);
  for (struct dirent *e; (e = readdir(all));) assert_null(strstr(e->d_name, "roberval-"));
  closedir(all);
  unsetenv("TMPDIR");
}

/* A file that is shortened between opening and reading. */
static void test_shortened(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    write_archive((form){.fortran = i}, N, false);
    rbv_log_file *file;
    rbv_log_reader *reader;
    rbv_log *piece;
    assert_ok(rbv_log_file_open(&file, path, NULL, 10, 1));
    assert_ok(rbv_log_reader_new(&reader, file));
    assert_int_equal(truncate(path, 500000), 0);
    assert_refused(rbv_log_reader_read(&piece, reader, N - 10, 10), RBV_EINPUT,
                   "the file is truncated or damaged");
    rbv_log_reader_free(reader);
    rbv_log_file_free(file);
  }
}

/* A shape that states more numbers than the file has. */
static void test_wrong_shape(void **state) {
  (void)state;
  static const char *const shapes[] = {"(11, 2)", "(1000000000, 2)",
                                       "(461168601842738, 461168601842738)"};
  for (int i = 0; i < 2 * RBV_COUNT(shapes); i++) {
    double numbers[20] = {0};
    npz_writer w = {0};
    rbv_text npy = {0};
    pack_npy(&npy, "'<f8'", false, shapes[i / 2], numbers, sizeof numbers);
    npz_add(&w, "q.npy", &npy, i % 2);
    rbv_text_free(&npy);
    npz_end(&w, false);
    strcpy(path, temp_file("wrong.npz", NULL));
    write_bytes(path, &w.out);
    rbv_log *log;
    rbv_log_file *file;
    // a product that is no number of 64 bits is an array without rows
    const char *text = i < 4 ? "the file is truncated or damaged" : "no rows";
    assert_refused(rbv_log_load(&log, path, NULL), RBV_EINPUT, text);
    assert_refused(rbv_log_file_open(&file, path, NULL, 10, 1), RBV_EINPUT, text);
  }
}

static rbv_status open_and_read(void *state) {
  (void)state;
  return read_piece(path, 10, 50);
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  write_archive((form){.compressed = true}, 100, false);
  fail_each_allocation(open_and_read, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_order),
      cmocka_unit_test(test_disk),
      cmocka_unit_test(test_shortened),
      cmocka_unit_test(test_wrong_shape),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
