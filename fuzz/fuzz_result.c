/* Result files; the same bytes are also read as a parameter set. */
#include <roberval/sys/result.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz_budget budget = {1 << 20, 4096};
  rbv_result *result = NULL;
  fuzz_begin();
  rbv_status status = rbv_result_parse(&result, "result", (const char *)data, size);
  fuzz_end(status, result, size, budget);
  rbv_result_free(result);
  rbv_parameters *set = NULL;
  fuzz_begin();
  status = rbv_parameters_parse(&set, "set", (const char *)data, size);
  fuzz_end(status, set, size, budget);
  rbv_parameters_free(set);
  return 0;
}
