#include <matio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/support.h"
#include "support.h"

#include "log/log.h"

#define N 50
#define JOINTS 3

static const enum mat_ft versions[] = {MAT_FT_MAT5, MAT_FT_MAT73};
static const char *const formats[] = {"MAT 5", "MAT 7.3"};

static char path[300];

static mat_t *create(enum mat_ft version) {
  strcpy(path, temp_file("x.mat", NULL));
  unlink(path);
  mat_t *mat = Mat_CreateVer(path, NULL, version);
  assert_non_null(mat);
  return mat;
}

static matvar_t *matrix(const char *name, size_t rows, size_t cols, const double *data) {
  size_t dims[2] = {rows, cols};
  double *copy = malloc(sizeof(double) * rows * cols + 1);
  memcpy(copy, data, sizeof(double) * rows * cols);
  matvar_t *v = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, copy, 0);
  free(copy);
  assert_non_null(v);
  return v;
}

static void write_var(mat_t *mat, matvar_t *v, enum matio_compression how) {
  assert_int_equal(Mat_VarWrite(mat, v, how), 0);
  Mat_VarFree(v);
}

static void put(mat_t *mat, const char *name, size_t rows, size_t cols, const double *data) {
  write_var(mat, matrix(name, rows, cols, data), MAT_COMPRESSION_NONE);
}

static rbv_log *load(void) {
  rbv_log *log;
  assert_ok(rbv_log_load(&log, path, NULL));
  return log;
}

static void refuse(const char *sentence) {
  rbv_log *log;
  assert_refused(rbv_log_load(&log, path, NULL), RBV_EINPUT, sentence);
  assert_null(log);
}

/* The same recording in three layouts: t, q (samples down), q (samples across), tau. */
static double t[N], q[N * JOINTS], q_across[JOINTS * N], tau[N * JOINTS];

static int make_data(void **state) {
  (void)state;
  for (int k = 0; k < N; k++) {
    t[k] = 0.001 * k;
    for (int j = 0; j < JOINTS; j++) {
      q[k + j * N] = q_across[j + k * JOINTS] = rbv_random_normal(1, 1, (uint64_t)(k * JOINTS + j));
      tau[k + j * N] = rbv_random_normal(1, 2, (uint64_t)(k * JOINTS + j));
    }
  }
  return 0;
}

/* The reference: the same numbers in a CSV file. */
static rbv_log *load_csv(void) {
  const char *const names[] = {"t", "q1", "q2", "q3", "tau1", "tau2", "tau3"};
  double A[N * (1 + 2 * JOINTS)];
  memcpy(A, t, sizeof t);
  memcpy(A + N, q, sizeof q);
  memcpy(A + N + N * JOINTS, tau, sizeof tau);
  char csv[300];
  strcpy(csv, temp_file("x.csv", NULL));
  rbv_csv_writer *w;
  assert_ok(rbv_csv_create(&w, csv, names, 1 + 2 * JOINTS));
  assert_ok(rbv_csv_rows(w, A, N, N));
  assert_ok(rbv_csv_finish(w));
  rbv_csv_free(w);
  rbv_log *log;
  assert_ok(rbv_log_load(&log, csv, NULL));
  return log;
}

static void expect_the_recording(rbv_log *log) {
  rbv_log *want = load_csv();
  assert_int_equal(rbv_log_samples(log), N);
  assert_int_equal(rbv_log_joint_count(log), JOINTS);
  for (int i = 0; i < rbv_log_column_count(want); i++) {
    const rbv_log_column *a = rbv_log_column_at(want, i);
    const int j = rbv_log_find(log, a->name);
    assert_true(j >= 0);
    const rbv_log_column *b = rbv_log_column_at(log, j);
    assert_int_equal(a->channel, b->channel);
    assert_int_equal(a->joint, b->joint);
    assert_memory_equal(a->values, b->values, sizeof(double) * N);
  }
  rbv_log_free(want);
}

static void test_same_channels_as_csv(void **state) {
  (void)state;
  for (int v = 0; v < 2; v++)
    for (int across = 0; across < 2; across++) {
      mat_t *mat = create(versions[v]);
      const double rate[] = {1000}, gains[] = {1, 2, 3};
      put(mat, "t", across ? 1 : N, across ? N : 1, t);
      put(mat, "rate", 1, 1, rate);  // other variables are ignored
      put(mat, "gains", 3, 1, gains);
      put(mat, "q", across ? JOINTS : N, across ? N : JOINTS, across ? q_across : q);
      write_var(mat, matrix("tau", N, JOINTS, tau), MAT_COMPRESSION_ZLIB);
      Mat_Close(mat);
      rbv_log *log = load();
      assert_string_equal(rbv_log_format(log), formats[v]);
      assert_int_equal(rbv_log_column_count(log), 1 + 2 * JOINTS);
      assert_int_equal(rbv_log_line(log, 0), 0);
      expect_the_recording(log);
      rbv_log_free(log);
    }
}

static void test_single_columns_and_other_names(void **state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    mat_t *mat = create(versions[v]);
    put(mat, "stamp", N, 1, t);
    put(mat, "pos", N, JOINTS, q);
    put(mat, "tau2", N, 1, tau);
    put(mat, "q", N, 1, q);
    Mat_Close(mat);
    rbv_log *log = load();
    assert_int_equal(rbv_log_find(log, "pos3") >= 0, 1);
    assert_memory_equal(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0), q, sizeof t);
    assert_memory_equal(rbv_log_channel(log, RBV_CHANNEL_TORQUE, 1), tau, sizeof t);
    assert_true(rbv_log_find(log, "q1") >= 0);
    rbv_log_free(log);

    // a map can use these names
    const char *text = "{time: stamp, joints: [{q: pos2}, {q: pos1}]}";
    rbv_log_map *map;
    assert_ok(rbv_log_map_parse(&map, "m.yaml", text, strlen(text)));
    assert_ok(rbv_log_load(&log, path, map));
    assert_memory_equal(rbv_log_channel(log, RBV_CHANNEL_POSITION, 1), q, sizeof t);
    assert_memory_equal(rbv_log_channel(log, RBV_CHANNEL_TIME, -1), t, sizeof t);
    rbv_log_free(log);
    rbv_log_map_free(map);
  }
}

static matvar_t *recording_struct(const char *name) {
  const char *const fields[] = {"t", "q", "tau", NULL};
  const size_t one[] = {1, 1};
  matvar_t *s = Mat_VarCreateStruct2(name, 2, one, fields);
  assert_non_null(s);
  Mat_VarSetStructFieldByName(s, "t", 0, matrix("t", N, 1, t));
  Mat_VarSetStructFieldByName(s, "q", 0, matrix("q", N, JOINTS, q));
  Mat_VarSetStructFieldByName(s, "tau", 0, matrix("tau", N, JOINTS, tau));
  return s;
}

static void test_a_struct_of_channels(void **state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    mat_t *mat = create(versions[v]);
    write_var(mat, recording_struct("rec"), MAT_COMPRESSION_NONE);
    Mat_Close(mat);
    rbv_log *log = load();
    expect_the_recording(log);
    rbv_log_free(log);

    // two structs: only a map can select one
    mat = create(versions[v]);
    write_var(mat, recording_struct("a"), MAT_COMPRESSION_NONE);
    write_var(mat, recording_struct("b"), MAT_COMPRESSION_NONE);
    Mat_Close(mat);
    refuse("none of the 14 columns ('a.t', ...) has a known name");
    const char *text = "{time: b.t, joints: [{q: b.q1}]}";
    rbv_log_map *map;
    assert_ok(rbv_log_map_parse(&map, "m.yaml", text, strlen(text)));
    assert_ok(rbv_log_load(&log, path, map));
    assert_memory_equal(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0), q, sizeof t);
    rbv_log_free(log);
    rbv_log_map_free(map);
  }
}

static void test_every_number_class(void **state) {
  (void)state;
#define CASE(class, memory, type)                                                               \
  do {                                                                                          \
    type data[3] = {1, 2, 100};                                                                 \
    size_t dims[2] = {3, 1};                                                                    \
    mat_t *mat = create(versions[v]);                                                           \
    write_var(mat, Mat_VarCreate("q1", class, memory, 2, dims, data, 0), MAT_COMPRESSION_NONE); \
    Mat_Close(mat);                                                                             \
    rbv_log *log = load();                                                                      \
    const double *x = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);                            \
    assert_true(x[0] == 1 && x[1] == 2 && x[2] == 100);                                         \
    rbv_log_free(log);                                                                          \
  } while (0)
  for (int v = 0; v < 2; v++) {
    CASE(MAT_C_DOUBLE, MAT_T_DOUBLE, double);
    CASE(MAT_C_SINGLE, MAT_T_SINGLE, float);
    CASE(MAT_C_INT8, MAT_T_INT8, int8_t);
    CASE(MAT_C_UINT8, MAT_T_UINT8, uint8_t);
    CASE(MAT_C_INT16, MAT_T_INT16, int16_t);
    CASE(MAT_C_UINT16, MAT_T_UINT16, uint16_t);
    CASE(MAT_C_INT32, MAT_T_INT32, int32_t);
    CASE(MAT_C_UINT32, MAT_T_UINT32, uint32_t);
    CASE(MAT_C_INT64, MAT_T_INT64, int64_t);
    CASE(MAT_C_UINT64, MAT_T_UINT64, uint64_t);
  }
#undef CASE
}

static void test_shapes_that_make_no_sense(void **state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    mat_t *mat = create(versions[v]);
    put(mat, "t", N, 1, t);
    put(mat, "q", N - 1, JOINTS, q);
    Mat_Close(mat);
    refuse("x.mat: variable q is 49 x 3, but there are 50 samples");

    mat = create(versions[v]);
    put(mat, "t", JOINTS, 1, t);
    put(mat, "q", JOINTS, JOINTS, q);
    Mat_Close(mat);
    refuse("variable q is 3 x 3: rows and columns cannot be distinguished");

    mat = create(versions[v]);
    put(mat, "t", N, 1, t);
    put(mat, "q1", N, JOINTS, q);
    Mat_Close(mat);
    refuse("variable q1 is 50 x 3, but should be one column");

    mat = create(versions[v]);
    put(mat, "t", N, 2, q);
    Mat_Close(mat);
    refuse("variable t is 50 x 2, but should be one column");

    mat = create(versions[v]);
    char word[] = "text";
    size_t dims[2] = {1, 4};
    write_var(mat, Mat_VarCreate("q", MAT_C_CHAR, MAT_T_UINT8, 2, dims, word, 0),
              MAT_COMPRESSION_NONE);
    Mat_Close(mat);
    refuse("variable q is not a matrix of real numbers");

    mat = create(versions[v]);
    Mat_Close(mat);
    refuse("x.mat: no variable can be read: the file is empty or damaged");

    // a struct array
    const char *const fields[] = {"q", NULL};
    const size_t two[] = {1, 2};
    mat = create(versions[v]);
    matvar_t *s = Mat_VarCreateStruct2("rec", 2, two, fields);
    Mat_VarSetStructFieldByName(s, "q", 0, matrix("q", N, 1, q));
    Mat_VarSetStructFieldByName(s, "q", 1, matrix("q", N, 1, q));
    write_var(mat, s, MAT_COMPRESSION_NONE);
    Mat_Close(mat);
    refuse("rec is an array of structs; save one recording per file");
  }
}

/* Write the first n bytes of the file again, with one word replaced by another of its length. */
static void rewrite(const char *from, const char *to, size_t keep) {
  size_t size;
  char *bytes = read_text(path, &size);
  const size_t word = from ? strlen(from) : 0;
  for (size_t i = 0; word && i + word <= size; i++)
    if (memcmp(bytes + i, from, word) == 0) memcpy(bytes + i, to, word);
  FILE *f = fopen(path, "wb");
  const size_t n = keep < size ? keep : size;
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  fclose(f);
  free(bytes);
}

static void test_truncated_files(void **state) {
  (void)state;
  const char *const sentences[] = {
      "x.mat: the file is truncated: the element at byte 128 is incomplete",
      "x.mat: the file is truncated: the element at byte 512 is incomplete"};
  for (int v = 0; v < 2; v++) {
    mat_t *mat = create(versions[v]);
    put(mat, "q", N, JOINTS, q);
    Mat_Close(mat);
    rewrite(NULL, NULL, 1000);
    refuse(sentences[v]);
    rewrite(NULL, NULL, 130);
    refuse("the file is truncated: the element at byte 128 is incomplete");
    rewrite(NULL, NULL, 100);
    refuse("is not a MAT file of version 5 or 7.3: it is too short");
  }
  strcpy(path, temp_file("x.mat", "t,q1\n0,1\n"));
  refuse("is not a MAT file of version 5 or 7.3");
  rbv_log *log;
  assert_refused(rbv_log_load(&log, "/nowhere/x.mat", NULL), RBV_EREAD, "No such file");
}

/* A broken tree of HDF5 groups gives a message, and no output on stderr. */
static void test_damaged_version_7_3(void **state) {
  (void)state;
  mat_t *mat = create(MAT_FT_MAT73);
  put(mat, "q", N, JOINTS, q);
  Mat_Close(mat);
  rewrite("TREE", "EERT", SIZE_MAX);
  char words[300];
  strcpy(words, temp_file("stderr", NULL));
  fflush(stderr);
  const int kept = dup(2);
  assert_non_null(freopen(words, "w", stderr));
  rbv_log *log;
  const rbv_status status = rbv_log_load(&log, path, NULL);
  fflush(stderr);
  dup2(kept, 2);
  close(kept);
  assert_int_equal(status, RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "damaged"));
  char *said = read_text(words, NULL);
  assert_string_equal(said, "");
  free(said);
}

/*
 * A timeseries in a MATLAB 5 file: a matrix element of class 17 (opaque) with the names of the
 * variable, of the object system and of the class (as MATLAB R2016b and later write it), then a
 * reference to hidden data.
 */
static void test_timeseries_in_version_5(void **state) {
  (void)state;
  static const unsigned char element[] = {
      14,  0,   0, 0, 88,  0,   0,   0,                                          // matrix, 88 bytes
      6,   0,   0, 0, 8,   0,   0,   0,   17,  0,   0,   0,   0,   0,   0,   0,  // flags: class 17
      1,   0,   1, 0, 'q', 0,   0,   0,                                          // name
      1,   0,   4, 0, 'M', 'C', 'O', 'S',                                        // object system
      1,   0,   0, 0, 10,  0,   0,   0,   't', 'i', 'm', 'e', 's', 'e', 'r', 'i',
      'e', 's', 0, 0, 0,   0,   0,   0,  // class, padded to 16
      14,  0,   0, 0, 24,  0,   0,   0,  // reference
      6,   0,   0, 0, 8,   0,   0,   0,   13,  0,   0,   0,   0,   0,   0,   0,
      5,   0,   0, 0, 0,   0,   0,   0};
  mat_t *mat = create(MAT_FT_MAT5);
  Mat_Close(mat);
  FILE *f = fopen(path, "ab");
  assert_int_equal(fwrite(element, 1, sizeof element, f), sizeof element);
  fclose(f);
  refuse(
      "is an object. MATLAB objects (timeseries, table, timetable) are not read; in MATLAB, save "
      "plain matrices: t = x.Time; q = x.Data; save('log.mat', 't', 'q')");
}

/* Version 7.3 marks an object by the name of its class; any unknown class is an object. */
static void test_object_in_version_7_3(void **state) {
  (void)state;
  uint32_t data[6] = {0xdd000000, 2, 1, 1, 1, 1};
  size_t dims[2] = {6, 1};
  const char *const names[] = {"q", "run"};
  for (int i = 0; i < 2; i++) {
    mat_t *mat = create(MAT_FT_MAT73);
    write_var(mat, Mat_VarCreate(names[i], MAT_C_UINT32, MAT_T_UINT32, 2, dims, data, 0),
              MAT_COMPRESSION_NONE);
    Mat_Close(mat);
    rewrite("uint32", "tseri1", SIZE_MAX);
    refuse(i == 0 ? "variable q is an object. MATLAB objects (timeseries"
                  : "variable run is an object. MATLAB objects (timeseries");
  }
}

static rbv_status load_once(void *state) {
  (void)state;
  rbv_log *log;
  const rbv_status status = rbv_log_load(&log, path, NULL);
  rbv_log_free(log);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  mat_t *mat = create(MAT_FT_MAT5);
  put(mat, "t", N, 1, t);
  put(mat, "q", N, JOINTS, q);
  Mat_Close(mat);
  fail_each_allocation(load_once, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_channels_as_csv),
      cmocka_unit_test(test_single_columns_and_other_names),
      cmocka_unit_test(test_a_struct_of_channels),
      cmocka_unit_test(test_every_number_class),
      cmocka_unit_test(test_shapes_that_make_no_sense),
      cmocka_unit_test(test_truncated_files),
      cmocka_unit_test(test_damaged_version_7_3),
      cmocka_unit_test(test_timeseries_in_version_5),
      cmocka_unit_test(test_object_in_version_7_3),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, make_data, NULL);
}
