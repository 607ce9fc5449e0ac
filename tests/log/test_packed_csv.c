/* Compressed CSV: same values and messages as the text, as a whole and in pieces. */
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#include "base/support.h"
#include "packed_writer.h"
#include "support.h"

#define ROWS 30000
#define BIG_ROWS 900000  // 21 MB: more than a reader in pieces keeps in memory
#define INPUT 65536      // packed bytes that are read together

typedef void packer(rbv_text *out, const char *data, size_t size);

static void gzip_once(rbv_text *out, const char *data, size_t size) {
  pack_gzip(out, NULL, data, size);
}

/* Two members, and padding. */
static void gzip_twice(rbv_text *out, const char *data, size_t size) {
  pack_gzip(out, "first", data, size / 3);
  pack_gzip(out, NULL, data + size / 3, size - size / 3);
  rbv_text_add(out, "\0\0\0", 3);
}

static void zstd_twice(rbv_text *out, const char *data, size_t size) {
  pack_zstd(out, data, size / 3);
  pack_zstd(out, data + size / 3, size - size / 3);
}

static packer *const packers[] = {gzip_once, gzip_twice, pack_zstd, zstd_twice};

static void put_rows(rbv_text *out, int rows) {
  rbv_text_put(out, "t,q1,tau1\n");
  for (int k = 0; k < rows; k++)
    rbv_text_print(out, "%.3f,%.6f,%.4f\n", 0.001 * k, (double)((long)k * 7919 % 100003) / 100003,
                   (double)(k * 37L % 10007) / 1009);
}

static char plain[300], packed[300];

/* The same text in a plain and in a compressed file. */
static void write_files(packer *pack, const rbv_text *text) {
  rbv_text copy = {0}, out = {0};
  rbv_text_add(&copy, text->data, text->size);
  strcpy(plain, temp_file("x.csv", NULL));
  write_bytes(plain, &copy);
  pack(&out, text->data, text->size);
  strcpy(packed, temp_file("x.csv.packed", NULL));
  write_bytes(packed, &out);
}

static void compare(rbv_log *a, rbv_log *b) {
  assert_int_equal(rbv_log_samples(a), rbv_log_samples(b));
  assert_int_equal(rbv_log_column_count(a), rbv_log_column_count(b));
  for (int j = 0; j < rbv_log_column_count(a); j++)
    assert_memory_equal(rbv_log_column_at(a, j)->values, rbv_log_column_at(b, j)->values,
                        sizeof(double) * (size_t)rbv_log_samples(a));
  assert_int_equal(rbv_log_line(a, 0), rbv_log_line(b, 0));
  rbv_log_free(a);
  rbv_log_free(b);
}

static void compare_files(int rows, int threads) {
  rbv_log *a, *b;
  assert_ok(rbv_log_load(&a, plain, NULL));
  assert_ok(rbv_log_load(&b, packed, NULL));
  compare(a, b);
  rbv_log_file *file[2];
  rbv_log_reader *reader[2];
  for (int i = 0; i < 2; i++) {
    assert_ok(rbv_log_file_open(&file[i], i ? packed : plain, NULL, 10, threads));
    assert_int_equal(rbv_log_file_samples(file[i]), rows);
    assert_ok(rbv_log_reader_new(&reader[i], file[i]));
  }
  const ptrdiff_t c[][2] = {{0, 1}, {0, 20000}, {rows - 7001, 7001}, {500, 3000}, {rows - 1, 1}};
  for (int k = 0; k < RBV_COUNT(c); k++) {
    assert_ok(rbv_log_reader_read(&a, reader[0], c[k][0], c[k][1]));
    assert_ok(rbv_log_reader_read(&b, reader[1], c[k][0], c[k][1]));
    compare(a, b);
  }
  for (int i = 0; i < 2; i++) {
    rbv_log_reader_free(reader[i]);
    rbv_log_file_free(file[i]);
  }
}

static void test_values(void **state) {
  (void)state;
  rbv_text text = {0};
  put_rows(&text, ROWS);
  for (int i = 0; i < RBV_COUNT(packers); i++) {
    write_files(packers[i], &text);
    compare_files(ROWS, i % 3 + 1);
    // the estimate decides whether a file is read in pieces
    size_t bytes;
    assert_ok(rbv_log_bytes(&bytes, packed));
    assert_near((double)bytes, (double)text.size, 0.05 * (double)text.size, 0);
  }
  rbv_text_free(&text);
}

/* The text of a large file is unpacked into a folder. */
static void test_disk(void **state) {
  (void)state;
  rbv_text text = {0};
  put_rows(&text, BIG_ROWS);
  char none[300];
  snprintf(none, sizeof none, "%s", temp_file("none", NULL));
  for (int i = 0; i < RBV_COUNT(packers); i += 2) {
    write_files(packers[i], &text);
    assert_int_equal(setenv("TMPDIR", none, 1), 0);
    rbv_log_file *file;
    assert_refused(rbv_log_file_open(&file, packed, NULL, 10, 1), RBV_EWRITE,
                   "set TMPDIR to a folder that has room");
    assert_int_equal(setenv("TMPDIR", temp_directory(), 1), 0);
    compare_files(BIG_ROWS, 2);
    unsetenv("TMPDIR");
  }
  rbv_text_free(&text);
}

/* A member of gzip that ends at, or near, the end of what is read together. */
static void test_members_at_the_end_of_a_buffer(void **state) {
  (void)state;
  rbv_text text = {0};
  put_rows(&text, 100);
  for (int past = -3; past <= 3; past++) {
    // the name in the header makes the member as long as needed
    char *name = calloc(1, INPUT + 8);
    assert_non_null(name);
    rbv_text short_one = {0}, out = {0};
    pack_gzip(&short_one, "", text.data, text.size);
    memset(name, 'x', (size_t)(INPUT + past) - short_one.size);
    pack_gzip(&out, name, text.data, text.size);
    assert_int_equal(out.size, INPUT + past);
    const char *more = "0.1,0.5,0.25\n0.101,0.5,0.25\n";
    pack_gzip(&out, NULL, more, strlen(more));
    write_bytes(temp_file("x.csv.packed", NULL), &out);
    rbv_log *log;
    assert_ok(rbv_log_load(&log, temp_file("x.csv.packed", NULL), NULL));
    assert_int_equal(rbv_log_samples(log), 102);
    rbv_log_free(log);
    rbv_text_free(&short_one);
    free(name);
  }
  rbv_text_free(&text);
}

/* Refusals name the compressed file and have the words of the text's. */
static void test_refusals(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(packers); i++) {
    rbv_text text = {0};
    put_rows(&text, ROWS);
    rbv_text_put(&text, "30,abc,1\n");
    write_files(packers[i], &text);
    rbv_log *log;
    rbv_log_file *file;
    assert_refused(rbv_log_load(&log, packed, NULL), RBV_EINPUT,
                   "x.csv.packed:30002:4: 'abc' in column 2 (q1) is not a number");
    for (int threads = 1; threads <= 2; threads++)
      assert_refused(rbv_log_file_open(&file, packed, NULL, 10, threads), RBV_EINPUT,
                     "x.csv.packed:30002:4: 'abc' in column 2 (q1) is not a number");
    // truncated
    rbv_text out = {0};
    packers[i](&out, text.data, text.size);
    out.size -= 100;
    write_bytes(packed, &out);
    assert_refused(rbv_log_load(&log, packed, NULL), RBV_EINPUT, "are truncated");
    assert_refused(rbv_log_file_open(&file, packed, NULL, 10, 1), RBV_EINPUT, "are truncated");
    rbv_text_free(&text);
    // a bag
    rbv_text_add(&text, "SQLite format 3\0 and more", 24);
    write_files(packers[i], &text);
    assert_refused(rbv_log_load(&log, packed, NULL), RBV_EINPUT, "a compressed bag: unpack it");
    assert_refused(rbv_log_file_open(&file, packed, NULL, 10, 1), RBV_EINPUT, "a compressed bag");
    // nothing
    text.size = 0;
    write_files(packers[i], &text);
    assert_refused(rbv_log_load(&log, packed, NULL), RBV_EINPUT, "no rows: the file is empty");
    rbv_text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_disk),
      cmocka_unit_test(test_members_at_the_end_of_a_buffer),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
