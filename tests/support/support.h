/* Shared by all tests: comparison that fails on NaN, reference files, recordings, temporary
 * files. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka requires the four headers above
#include <cmocka.h>

#include <roberval/sys/base.h>

/* Leave out the tests that the environment variable RBV_LEAVE_OUT names (tests/plain.cmake). A name
 * that is not among the tests is an error. */
int run_group(const char *group, const struct CMUnitTest *tests, size_t count,
              CMFixtureFunction setup, CMFixtureFunction teardown);
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown) \
  run_group(#tests, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

/*
 * Fail unless |got - want| <= abs + rel * |want|, written so that NaN fails. With
 * RBV_TOL_SCALE=0 in the environment every bound is zero, which shows the true residuals.
 */
#define assert_near(got, want, abs, rel) \
  assert_near_at((got), (want), (abs), (rel), #got, __FILE__, __LINE__)
void assert_near_at(double got, double want, double abs, double rel, const char *what,
                    const char *file, int line);

/* Fail with the message of the library unless the call succeeded. */
#define assert_ok(call) assert_ok_at((call), #call, __FILE__, __LINE__)
void assert_ok_at(rbv_status status, const char *what, const char *file, int line);

/* The call must fail with this status, and its message must contain this text. */
#define assert_refused(call, status, text) \
  assert_refused_at((call), (status), (text), #call, __FILE__, __LINE__)
void assert_refused_at(rbv_status got, rbv_status want, const char *text, const char *what,
                       const char *file, int line);

/* Content of a file with a terminating 0; the caller frees it with free(). The test fails if the
 * file cannot be read. */
char *read_text(const char *path, size_t *size);

/* Path of a file in the temporary directory of the test; written if content is not NULL. The path
 * is static and valid until the next call. */
const char *temp_file(const char *name, const char *content);

/* The temporary directory of the test; removed at exit. */
const char *temp_directory(void);

/* Path of a recording under ROBERVAL_DATA. Ends the program with code 77 (skipped) if it does not
 * exist. */
const char *recording(const char *relative);

/*
 * Set a locale with a decimal comma. It is compiled here, because it may not be installed (Debian's
 * package locales has the sources); the test fails if that is not possible. comma_locale_end
 * restores the C locale.
 */
void comma_locale_begin(void);
void comma_locale_end(void);

/* Is this build instrumented? Such tests take fewer samples of what repeats. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/*
 * Call run(state) with allocation 1 failing, then 2, ... until it succeeds. Every failure must
 * return RBV_EMEM. Leaks are reported by AddressSanitizer.
 */
void fail_each_allocation(rbv_status (*run)(void *state), void *state);

#endif
