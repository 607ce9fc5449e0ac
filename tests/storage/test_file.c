#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <roberval/sys/document.h>

#include "base/support.h"
#include "support.h"

/* temp_file reuses its buffer: copy the path. */
static char *keep(const char *path) {
  char *copy = strdup(path);
  assert_non_null(copy);
  return copy;
}

static void assert_content(const char *path, const char *want) {
  size_t size;
  char *text = read_text(path, &size);
  assert_string_equal(text, want);
  free(text);
}

/* No temporary file may be left. */
static void assert_nothing_left_beside(const char *path) {
  char directory[256];
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  DIR *d = opendir(directory);
  assert_non_null(d);
  for (const struct dirent *e; (e = readdir(d));) assert_null(strstr(e->d_name, ".roberval-"));
  closedir(d);
}

static mode_t mode_of(const char *path) {
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  return info.st_mode & 07777;
}

static void test_new_file(void **state) {
  (void)state;
  const char *path = temp_file("new.json", NULL);
  const mode_t mask = umask(027);
  assert_ok(rbv_file_write(path, "hello\n", 6));
  umask(mask);
  assert_content(path, "hello\n");
  assert_int_equal(mode_of(path), 0640);
  assert_ok(rbv_file_write(path, NULL, 0));
  assert_content(path, "");
  assert_nothing_left_beside(path);
}

static void test_replacing_keeps_permissions(void **state) {
  (void)state;
  const char *path = temp_file("old.json", "old");
  assert_int_equal(chmod(path, 0604), 0);
  assert_ok(rbv_file_write(path, "new", 3));
  assert_content(path, "new");
  assert_int_equal(mode_of(path), 0604);
  assert_nothing_left_beside(path);
}

static void test_path_without_directory(void **state) {
  (void)state;
  char before[1024], directory[256];
  assert_non_null(getcwd(before, sizeof before));
  const char *path = temp_file("here.json", NULL);
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  assert_int_equal(chdir(directory), 0);
  const rbv_status status = rbv_file_write("here.json", "x", 1);
  assert_int_equal(chdir(before), 0);
  assert_ok(status);
  assert_content(path, "x");
}

static void test_links_are_followed(void **state) {
  (void)state;
  char *target = keep(temp_file("target.json", "old"));
  char *link = keep(temp_file("link.json", NULL));
  char *chain = keep(temp_file("chain.json", NULL));
  assert_int_equal(symlink("target.json", link), 0);
  assert_int_equal(symlink(link, chain), 0);
  assert_ok(rbv_file_write(chain, "new", 3));
  assert_content(target, "new");
  struct stat info;
  assert_int_equal(lstat(chain, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(lstat(link, &info), 0);
  assert_true(S_ISLNK(info.st_mode));

  // a link to a missing file creates the file
  assert_int_equal(unlink(target), 0);
  assert_ok(rbv_file_write(link, "again", 5));
  assert_content(target, "again");

  // two links that point to each other
  assert_int_equal(unlink(link), 0);
  assert_int_equal(symlink(chain, link), 0);
  assert_refused(rbv_file_write(link, "x", 1), RBV_EWRITE, strerror(ELOOP));
  assert_nothing_left_beside(link);
  free(target);
  free(link);
  free(chain);
}

static void test_where_nothing_can_be_written(void **state) {
  (void)state;
  assert_refused(rbv_file_write("/nowhere/x.json", "x", 1), RBV_EWRITE,
                 "/nowhere/x.json: cannot be written: No such file or directory");
  assert_refused(rbv_file_write("/proc/x.json", "x", 1), RBV_EWRITE,
                 "/proc/x.json: cannot be written: ");
  assert_refused(rbv_file_write("/tmp", "x", 1), RBV_EINPUT,
                 "/tmp: is a directory; only a regular");
  assert_refused(rbv_file_write("/dev/null", "x", 1), RBV_EINPUT, "/dev/null: is a pipe or device");
  assert_refused(rbv_file_write("", "x", 1), RBV_EWRITE, ": cannot be written: ");
  assert_refused(rbv_file_write(NULL, "x", 1), RBV_EARG, "path or data is NULL");
  assert_refused(rbv_file_write("x", NULL, 1), RBV_EARG, "path or data is NULL");
  char path[5001] = {0};
  memset(path, 'p', 5000);
  assert_refused(rbv_file_write(path, "x", 1), RBV_EINPUT,
                 "a path of 5000 bytes cannot be written");
}

/* root may write everywhere: this test is for other users. */
static void test_protection_is_respected(void **state) {
  (void)state;
  if (geteuid() == 0) {
    print_message("permissions are not tested: root may write everywhere\n");
    return;
  }
  const char *path = temp_file("protected.json", "old");
  assert_int_equal(chmod(path, 0444), 0);
  assert_refused(rbv_file_write(path, "new", 3), RBV_EWRITE,
                 "cannot be written: Permission denied");
  assert_content(path, "old");
  char directory[256];
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  assert_int_equal(chmod(directory, 0555), 0);
  path = temp_file("fresh.json", NULL);
  const rbv_status status = rbv_file_write(path, "new", 3);
  assert_int_equal(chmod(directory, 0755), 0);
  assert_refused(status, RBV_EWRITE, "cannot be written: Permission denied");
}

/* A limit on the size of files simulates a full disk. */
static void test_a_failed_write_keeps_the_old_file(void **state) {
  (void)state;
  const char *path = temp_file("precious.json", "old");
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit small = {.rlim_cur = 1000, .rlim_max = before.rlim_max};
  void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
  char data[2000] = {0};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const rbv_status status = rbv_file_write(path, data, sizeof data);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_refused(status, RBV_EWRITE, "precious.json: cannot be written: File too large");
  assert_content(path, "old");
  assert_nothing_left_beside(path);
}

static void test_reading(void **state) {
  (void)state;
  char *data;
  size_t size;
  assert_ok(rbv_file_read(&data, &size, temp_file("plain", "a\nb")));
  assert_int_equal(size, 3);
  assert_string_equal(data, "a\nb");
  rbv_file_free(data);
  assert_ok(rbv_file_read(&data, &size, temp_file("empty", "")));
  assert_int_equal(size, 0);
  assert_string_equal(data, "");
  rbv_file_free(data);
  // its size is reported as 0, and it is longer than the first block
  assert_ok(rbv_file_read(&data, &size, "/proc/self/status"));
  assert_int_equal(size, strlen(data));
  assert_non_null(strstr(data, "Pid:"));
  rbv_file_free(data);
  rbv_file_free(NULL);
}

static void test_what_cannot_be_read(void **state) {
  (void)state;
  char *data = (char *)1;
  size_t size;
  assert_refused(rbv_file_read(&data, &size, "/nowhere/x"), RBV_EREAD,
                 "/nowhere/x: No such file or directory");
  assert_null(data);
  assert_refused(rbv_file_read(&data, &size, "/tmp"), RBV_EREAD,
                 "/tmp: is a directory; only a regular file can be read here");
  assert_refused(rbv_file_read(&data, &size, "/dev/zero"), RBV_EREAD,
                 "/dev/zero: is a pipe or device");
  assert_refused(rbv_file_read(&data, &size, NULL), RBV_EARG, "the path is NULL");
  assert_refused(rbv_file_read(NULL, &size, "x"), RBV_EARG, "data or size is NULL");
  // a pipe without a writer: opening it must not block
  const char *pipe = temp_file("pipe", NULL);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  assert_refused(rbv_file_read(&data, &size, pipe), RBV_EREAD, "pipe: is a pipe or device");
  assert_null(data);
}

static void test_standard_input_that_is_a_pipe(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const int saved = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  char *data;
  size_t size;
  const rbv_status status = rbv_file_read(&data, &size, "/dev/stdin");
  if (saved >= 0) {
    dup2(saved, STDIN_FILENO);
    close(saved);
  }
  close(ends[0]);
  close(ends[1]);
  assert_refused(status, RBV_EREAD, "/dev/stdin: is a pipe or device; only a regular file");
}

static void test_64_mb_and_not_one_byte_more(void **state) {
  (void)state;
  const char *path = temp_file("large", "");
  char *data;
  size_t size;
  assert_int_equal(truncate(path, (off_t)64 << 20), 0);
  assert_ok(rbv_file_read(&data, &size, path));
  assert_int_equal(size, (size_t)64 << 20);
  rbv_file_free(data);
  assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
  assert_refused(rbv_file_read(&data, &size, path), RBV_EUNSUPPORTED, "large: larger than 64 MB");
  assert_null(data);
}

static rbv_status read_and_free(void *path) {
  char *data;
  size_t size;
  RBV_TRY(rbv_file_read(&data, &size, path));
  rbv_file_free(data);
  return RBV_OK;
}

static void test_each_allocation_fails_once(void **state) {
  (void)state;
  char path[] = "/proc/self/status";
  fail_each_allocation(read_and_free, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_new_file),
      cmocka_unit_test(test_replacing_keeps_permissions),
      cmocka_unit_test(test_path_without_directory),
      cmocka_unit_test(test_links_are_followed),
      cmocka_unit_test(test_where_nothing_can_be_written),
      cmocka_unit_test(test_protection_is_respected),
      cmocka_unit_test(test_a_failed_write_keeps_the_old_file),
      cmocka_unit_test(test_reading),
      cmocka_unit_test(test_what_cannot_be_read),
      cmocka_unit_test(test_standard_input_that_is_a_pipe),
      cmocka_unit_test(test_64_mb_and_not_one_byte_more),
      cmocka_unit_test(test_each_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
