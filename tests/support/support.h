/* What tests share: comparison that NaN cannot pass, reference files, recordings, temporary files.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the four above first
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

/* Fail with the library's sentence unless the call succeeded. */
#define assert_ok(call) assert_ok_at((call), #call, __FILE__, __LINE__)
void assert_ok_at(rbv_status status, const char *what, const char *file, int line);

/* The call must fail with this status and its sentence must contain this text. */
#define assert_refused(call, status, text) \
  assert_refused_at((call), (status), (text), #call, __FILE__, __LINE__)
void assert_refused_at(rbv_status got, rbv_status want, const char *text, const char *what,
                       const char *file, int line);

/* Whole file in memory, closed with 0; the test fails when it cannot be read. free() it. */
char *read_text(const char *path, size_t *size);

/* Write a file below a fresh temporary directory; the path is static until the next call. */
const char *temp_file(const char *name, const char *content);

/* That directory. */
const char *temp_directory(void);

/* Path of a recording under ROBERVAL_DATA. Ends the program with code 77 when it is not there. */
const char *recording(const char *relative);

/*
 * Put a locale with a decimal comma in force, made here because none need be installed (Debian's
 * package locales has what it is made of); the test fails when it cannot. comma_locale_end ends it.
 */
void comma_locale_begin(void);
void comma_locale_end(void);

/*
 * Call run(state) with allocation 1 failing, then 2, ... until it succeeds; every failure must be
 * RBV_EMEM. Leaks show under AddressSanitizer.
 */
void fail_each_allocation(rbv_status (*run)(void *state), void *state);

#endif
