/* Controller files. A controller that was read is written and must be readable again. */
#include <roberval/sys/control.h>
#include <roberval/sys/document.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz_budget budget = {1 << 20, 4096};
  rbv_control *control = NULL, *again = NULL;
  const rbv_control_options options = {.rate_hz = 0};
  fuzz_begin();
  rbv_status status = rbv_control_parse(&control, "controller", (const char *)data, size, &options);
  fuzz_end(status, control, size, budget);
  if (status != RBV_OK) return 0;
  char *text;
  size_t length;
  FUZZ_CHECK(rbv_control_format(&text, &length, control) == RBV_OK);
  FUZZ_CHECK(rbv_control_parse(&again, "again", text, length, NULL) == RBV_OK);
  rbv_file_free(text);
  rbv_control_free(again);
  rbv_control_free(control);
  return 0;
}
