/* MJCF, with and without a payload body, which adds columns. */
#include <roberval/sys/model.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || data[0] != '<') return 0;  // YAML is tested by fuzz_robot
  rbv_model *model = NULL;
  rbv_model_options options = rbv_model_defaults();
  options.payload = size % 2;
  fuzz_begin();
  const rbv_status status = rbv_model_parse(&model, "mjcf", (const char *)data, size, &options);
  fuzz_end(status, model, size, (fuzz_budget){16 << 20, 4096});
  rbv_model_free(model);
  return 0;
}
