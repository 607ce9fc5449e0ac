/* MAT files of version 7.3 in pieces: same values and messages as the whole file. */
#include <math.h>
#include <matio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/log.h"

#include "base/support.h"
#include "pieces.h"
#include "support.h"

#define N 40003  // three blocks of a reader, two stretches of a survey
#define JOINTS 3

static char path[300];
static double t[N], q[N * JOINTS];
static float tau[JOINTS * N];  // samples across
static int16_t count[N];

static int make_data(void **state) {
  (void)state;
  for (int k = 0; k < N; k++) {
    t[k] = 0.001 * k;
    count[k] = (int16_t)(k % 30000);
    for (int j = 0; j < JOINTS; j++) {
      q[k + j * N] = rbv_random_normal(1, 1, (uint64_t)(k * JOINTS + j));
      tau[j + k * JOINTS] = (float)rbv_random_normal(1, 2, (uint64_t)(k * JOINTS + j));
    }
  }
  return 0;
}

static matvar_t *variable(const char *name, enum matio_classes class, size_t height, size_t width,
                          void *data) {
  const enum matio_types type = class == MAT_C_DOUBLE   ? MAT_T_DOUBLE
                                : class == MAT_C_SINGLE ? MAT_T_SINGLE
                                                        : MAT_T_INT16;
  size_t dims[2] = {height, width};
  matvar_t *v = Mat_VarCreate(name, class, type, 2, dims, data, 0);
  assert_non_null(v);
  return v;
}

typedef struct {
  enum mat_ft version;
  bool packed;  // in a struct
  enum matio_compression how;
} form;

static void write_file(form f) {
  strcpy(path, temp_file("x.mat", NULL));
  unlink(path);
  mat_t *mat = Mat_CreateVer(path, NULL, f.version);
  assert_non_null(mat);
  matvar_t *v[] = {variable("t", MAT_C_DOUBLE, 1, N, t), variable("q", MAT_C_DOUBLE, N, JOINTS, q),
                   variable("tau", MAT_C_SINGLE, JOINTS, N, tau),
                   variable("n", MAT_C_INT16, N, 1, count)};
  if (f.packed) {
    const char *fields[] = {"t", "q", "tau", "n"};
    size_t one[2] = {1, 1};
    matvar_t *all = Mat_VarCreateStruct("run", 2, one, fields, RBV_COUNT(v));
    for (int i = 0; i < RBV_COUNT(v); i++) Mat_VarSetStructFieldByName(all, fields[i], 0, v[i]);
    assert_int_equal(Mat_VarWrite(mat, all, f.how), 0);
    Mat_VarFree(all);
  }
  for (int i = 0; i < RBV_COUNT(v) && !f.packed; i++) {
    assert_int_equal(Mat_VarWrite(mat, v[i], f.how), 0);
    Mat_VarFree(v[i]);
  }
  Mat_Close(mat);
}

static void compare(rbv_log_reader *reader, const rbv_log *whole, ptrdiff_t first,
                    ptrdiff_t samples) {
  rbv_log *piece;
  assert_ok(rbv_log_reader_read(&piece, reader, first, samples));
  assert_string_equal(rbv_log_format(piece), "MAT 7.3");
  assert_int_equal(rbv_log_samples(piece), samples);
  assert_int_equal(rbv_log_line(piece, 0), 0);
  assert_int_equal(rbv_log_column_count(piece), rbv_log_column_count(whole));
  for (int i = 0; i < rbv_log_column_count(whole); i++) {
    const rbv_log_column *a = rbv_log_column_at(piece, i), *b = rbv_log_column_at(whole, i);
    assert_string_equal(a->name, b->name);
    assert_memory_equal(a->values, b->values + first, (size_t)samples * sizeof(double));
  }
  rbv_log_free(piece);
}

static void test_pieces_are_those_of_the_whole(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    write_file(
        (form){MAT_FT_MAT73, i % 2 == 1, i < 2 ? MAT_COMPRESSION_NONE : MAT_COMPRESSION_ZLIB});
    rbv_log *whole;
    rbv_log_file *file;
    rbv_log_reader *reader[2];
    assert_ok(rbv_log_load(&whole, path, NULL));
    assert_int_equal(rbv_log_column_count(whole), 2 + 2 * JOINTS);
    assert_ok(rbv_log_file_open(&file, path, NULL, 10, i));
    assert_int_equal(rbv_log_file_samples(file), N);
    assert_true(rbv_log_file_clock(file).regular);
    for (int k = 0; k < 2; k++) assert_ok(rbv_log_reader_new(&reader[k], file));
    static const ptrdiff_t c[][2] = {{0, 1},     {0, 20000},    {16000, 800},  {16384, 1},
                                     {100, 256}, {30000, 3000}, {32700, 7303}, {0, N}};
    for (int k = 0; k < RBV_COUNT(c); k++) compare(reader[k % 3 == 0], whole, c[k][0], c[k][1]);
    for (int k = 0; k < 2; k++) rbv_log_reader_free(reader[k]);
    rbv_log_file_free(file);
    rbv_log_free(whole);
  }
}

/* Refusals have the same message, with the same sample, as for the whole file. */
static void test_refusals_are_those_of_the_whole(void **state) {
  (void)state;
  static const struct {
    double *cell;
    double value;
    const char *text;
  } c[] = {
      {&q[2 * N + 35000], NAN, "sample 35001: q3 is missing (nan)"},
      {&t[39000], 3, "sample 39001: column t: time runs backwards: 3 s after 38.999 s"},
      {&t[30720], 3, "sample 30721: column t: time runs backwards"},
  };
  for (int i = 0; i < RBV_COUNT(c); i++) {
    const double kept = *c[i].cell;
    *c[i].cell = c[i].value;
    write_file((form){MAT_FT_MAT73, false, MAT_COMPRESSION_NONE});
    *c[i].cell = kept;
    rbv_log *whole;
    rbv_log_file *file;
    assert_ok(rbv_log_load(&whole, path, NULL));
    assert_refused(rbv_log_require(whole, 10), RBV_EINPUT, c[i].text);
    for (int threads = 1; threads <= 3; threads++)
      assert_refused(rbv_log_file_open(&file, path, NULL, 10, threads), RBV_EINPUT, c[i].text);
    rbv_log_free(whole);
  }
  rbv_log_file *file;
  write_file((form){MAT_FT_MAT5, false, MAT_COMPRESSION_NONE});
  assert_refused(rbv_log_file_open(&file, path, NULL, 10, 1), RBV_EUNSUPPORTED,
                 "save the file with -v7.3");
}

static void test_bytes(void **state) {
  (void)state;
  static const enum mat_ft versions[] = {MAT_FT_MAT5, MAT_FT_MAT73};
  size_t bytes;
  for (int i = 0; i < 4; i++) {
    write_file((form){versions[i % 2], i > 1, MAT_COMPRESSION_ZLIB});
    assert_ok(rbv_log_bytes(&bytes, path));
    assert_int_equal(bytes, sizeof(double) * N * (2 + 2 * JOINTS));
  }
  assert_ok(rbv_log_bytes(&bytes, temp_file("b.csv", "t,q1\n0,1\n")));
  assert_int_equal(bytes, 9);
  assert_ok(rbv_log_bytes(&bytes, "/dev/null"));
  assert_int_equal(bytes, 0);
  assert_refused(rbv_log_bytes(&bytes, "none.csv"), RBV_EREAD, "none.csv");
  assert_refused(rbv_log_bytes(&bytes, temp_file("b.mat", "no")), RBV_EINPUT, "b.mat");
}

static rbv_status open_and_read(void *state) {
  (void)state;
  return read_piece(path, 100, 50);
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  write_file((form){MAT_FT_MAT73, false, MAT_COMPRESSION_NONE});
  fail_each_allocation(open_and_read, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces_are_those_of_the_whole),
      cmocka_unit_test(test_refusals_are_those_of_the_whole),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, make_data, NULL);
}
