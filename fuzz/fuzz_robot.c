/* Robot files in YAML. */
#include <roberval/sys/model.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 0 && data[0] == '<') return 0;  // XML is tested by fuzz_urdf
  rbv_model *model = NULL;
  fuzz_begin();
  const rbv_status status = rbv_model_parse(&model, "robot", (const char *)data, size, NULL);
  fuzz_end(status, model, size, (fuzz_budget){16 << 20, 4096});
  rbv_model_free(model);
  return 0;
}
