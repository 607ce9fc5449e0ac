/* roberval bench: every case runs and is reported. The times are not tested. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tool.h"

static void test_cases_are_reported(void **state) {
  (void)state;
  char *text = tool_text(
      "bench regressor inverse csv bandpass compress decimate simulate wls "
      "--rounds 1 --json");
  static const char *const names[] = {"regressor", "inverse",  "csv",      "bandpass",
                                      "compress",  "decimate", "simulate", "wls"};
  const char *at = text;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"name\": \"%s\"", names[i]);
    at = strstr(at, wanted);
    assert_non_null(at);
  }
  assert_non_null(strstr(text, "\"schema\": \"roberval.bench/1\""));
  free(text);
}

static void test_wrong_names(void **state) {
  (void)state;
  tool_refuses(2, "there is no case 'quick'", "bench quick");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases_are_reported),
      cmocka_unit_test(test_wrong_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
