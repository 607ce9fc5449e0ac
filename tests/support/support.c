#include "support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"

/* True if a list of words separated by blanks has this word. */
static bool has_word(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = list; (p = strstr(p, word)); p += n)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0)) return true;
  return false;
}

int run_group(const char *group, const struct CMUnitTest *tests, size_t count,
              CMFixtureFunction setup, CMFixtureFunction teardown) {
  const char *list = getenv("RBV_LEAVE_OUT");
  if (!list) list = "";
  struct CMUnitTest *kept = calloc(count, sizeof *kept);
  if (!kept) return 1;
  size_t n = 0, named = *list != 0;
  for (size_t i = 0; i < count; i++)
    if (!has_word(list, tests[i].name)) kept[n++] = tests[i];
  for (const char *p = list; *p; p++) named += *p == ' ';
  int failed = 1;
  if (count - n == named)
    failed = _cmocka_run_group_tests(group, kept, n, setup, teardown);
  else
    print_error("RBV_LEAVE_OUT names %zu tests, %zu of them are here: %s\n", named, count - n,
                list);
  free(kept);
  return failed;
}

static double tolerance_scale(void) {
  const char *text = getenv("RBV_TOL_SCALE");
  return text ? atof(text) : 1;
}

void assert_near_at(double got, double want, double abs, double rel, const char *what,
                    const char *file, int line) {
  const double error = fabs(got - want);
  const double bound = (abs + rel * fabs(want)) * tolerance_scale();
  if (!(error <= bound)) {
    print_error("%s: got %.17g, want %.17g, off by %.3g, allowed %.3g\n", what, got, want, error,
                bound);
    _fail(file, line);
  }
}

void assert_ok_at(rbv_status status, const char *what, const char *file, int line) {
  if (status == RBV_OK) return;
  print_error("%s: %s: %s\n", what, rbv_status_name(status), rbv_message());
  _fail(file, line);
}

void assert_refused_at(rbv_status got, rbv_status want, const char *text, const char *what,
                       const char *file, int line) {
  if (got == want && strstr(rbv_message(), text)) return;
  print_error("%s: got %s \"%s\", want %s \"...%s...\"\n", what, rbv_status_name(got),
              got == RBV_OK ? "" : rbv_message(), rbv_status_name(want), text);
  _fail(file, line);
}

char *read_text(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("cannot open %s", path);
  char *text = NULL;
  size_t used = 0, n;
  do {
    text = realloc(text, used + 65537);
    n = fread(text + used, 1, 65536, f);
    used += n;
  } while (n > 0);
  fclose(f);
  text[used] = 0;
  if (size) *size = used;
  return text;
}

static char temp_dir[64];

static void remove_temp_dir(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", temp_dir);
  if (system(command) != 0) fprintf(stderr, "could not remove %s\n", temp_dir);
}

const char *temp_directory(void) {
  if (temp_dir[0]) return temp_dir;
  strcpy(temp_dir, "/tmp/roberval-test-XXXXXX");
  if (!mkdtemp(temp_dir)) fail_msg("no temporary directory");
  atexit(remove_temp_dir);
  return temp_dir;
}

const char *temp_file(const char *name, const char *content) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", temp_directory(), name);
  if (content) {
    FILE *f = fopen(path, "wb");
    if (!f || fputs(content, f) < 0 || fclose(f) != 0) fail_msg("cannot write %s", path);
  }
  return path;
}

const char *recording(const char *relative) {
  static char *path;
  char given[1024];
  const char *root = getenv("ROBERVAL_DATA");
  snprintf(given, sizeof given, "%s/%s", root ? root : ROBERVAL_SOURCE "/../shared/data", relative);
  // absolute path, because the tool runs in another directory
  free(path);
  path = realpath(given, NULL);
  if (!path) {
    fprintf(stderr, "skipped: no recording %s\n", given);
    exit(77);
  }
  return path;
}

void comma_locale_begin(void) {
  char command[512], dir[256], text[16];
  snprintf(dir, sizeof dir, "%s", temp_file("", NULL));
  snprintf(command, sizeof command,
           "localedef -c -i de_DE -f UTF-8 '%sde_DE.UTF-8' >/dev/null 2>&1", dir);
  // localedef exits with 1 on warnings; the result is checked below
  if (system(command) < 0) fail_msg("localedef cannot be run");
  setenv("LOCPATH", dir, 1);
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) fail_msg("no locale de_DE.UTF-8 (scripts/setup test)");
  snprintf(text, sizeof text, "%.1f", 0.5);
  assert_string_equal(text, "0,5");
}

void comma_locale_end(void) {
  setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
}

/* a sanitizer is slow: of the later allocations, which repeat earlier ones, it sees a part */
static long step_to_next(long n) { return SANITIZED && n >= 60 ? 1 + n / 20 : 1; }

void fail_each_allocation(rbv_status (*run)(void *state), void *state) {
  for (long n = 1; n < 100000; n += step_to_next(n)) {
    rbv_alloc_fail_after(n);
    const rbv_status status = run(state);
    rbv_alloc_fail_after(0);
    if (status == RBV_OK) {
      if (n == 1) fail_msg("the call allocates nothing");
      return;
    }
    if (status != RBV_EMEM)
      fail_msg("allocation %ld failed: got %s \"%s\"", n, rbv_status_name(status), rbv_message());
  }
  fail_msg("the call did not succeed within 100000 allocations");
}
