#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storage/storage.h"

#include "base/support.h"
#include "support.h"

/* FIPS 180-2, appendix B, and the empty message of NIST's SHA test vectors */
static void test_known_answers(void **state) {
  (void)state;
  char hash[65];
  rbv_hash_bytes(hash, "", 0);
  assert_string_equal(hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  rbv_hash_bytes(hash, NULL, 0);
  assert_string_equal(hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  rbv_hash_bytes(hash, "abc", 3);
  assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  rbv_hash_bytes(hash, two_blocks, strlen(two_blocks));
  assert_string_equal(hash, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  char *million = malloc(1000000);
  memset(million, 'a', 1000000);
  rbv_hash_bytes(hash, million, 1000000);
  assert_string_equal(hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(million);
}

/* The padding changes at 55, 56, 63 and 64 bytes. At each length a file must agree with memory, and
 * around a block with an independent program. */
static void test_every_length_around_a_block(void **state) {
  (void)state;
  char bytes[131] = {0}, of_bytes[65], of_file[65], command[512], of_tool[65];
  for (int n = 0; n < 130; n++) {
    const char *path = temp_file("message", bytes);
    rbv_hash_bytes(of_bytes, bytes, (size_t)n);
    assert_ok(rbv_hash_file(of_file, path));
    assert_string_equal(of_file, of_bytes);
    if (n == 55 || n == 56 || n == 63 || n == 64 || n == 119 || n == 120) {
      snprintf(command, sizeof command, "sha256sum '%s'", path);
      FILE *tool = popen(command, "r");
      assert_non_null(tool);
      if (fscanf(tool, "%64s", of_tool) == 1) assert_string_equal(of_bytes, of_tool);
      pclose(tool);
    }
    bytes[n] = (char)('a' + n % 26);
  }
}

static void test_files_of_any_size(void **state) {
  (void)state;
  // 70 MB of zeros: rbv_file_read refuses more than 64 MB
  const char *path = temp_file("zeros", "");
  const size_t size = (size_t)70 << 20;
  assert_int_equal(truncate(path, (off_t)size), 0);
  char of_file[65], of_bytes[65];
  assert_ok(rbv_hash_file(of_file, path));
  char *zeros = calloc(size, 1);
  rbv_hash_bytes(of_bytes, zeros, size);
  free(zeros);
  assert_string_equal(of_file, of_bytes);
}

static void test_refusals(void **state) {
  (void)state;
  char hash[65];
  assert_refused(rbv_hash_file(hash, "/nowhere/x"), RBV_EREAD, "/nowhere/x: No such file");
  assert_refused(rbv_hash_file(hash, "/tmp"), RBV_EREAD, "/tmp: is a directory");
  assert_refused(rbv_hash_file(hash, "/dev/null"), RBV_EREAD, "/dev/null: is a pipe or device");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_every_length_around_a_block),
      cmocka_unit_test(test_files_of_any_size),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
