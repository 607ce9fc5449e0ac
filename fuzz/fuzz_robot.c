/* Robot files, one reader per row: YAML, URDF, MJCF. The build chooses the row by FUZZ_READER. */
#include <roberval/sys/model.h>
#include <string.h>

#include "fuzz.h"

static const struct {
  const char *reader;
  bool xml;      // begins with '<'
  bool payload;  // add a payload body, and so columns, to every second input
} readers[] = {
    {"robot", false, false},
    {"urdf", true, true},
    {"mjcf", true, true},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int r = 0;
  while (strcmp(readers[r].reader, FUZZ_READER) != 0) r++;
  if (readers[r].xml ? size == 0 || data[0] != '<' : size > 0 && data[0] == '<') return 0;
  rbv_model *model = NULL;
  rbv_model_options options = rbv_model_defaults();
  options.payload = readers[r].payload && size % 2;
  fuzz_begin();
  const rbv_status status =
      rbv_model_parse(&model, FUZZ_READER, (const char *)data, size, &options);
  fuzz_end(status, model, size, (fuzz_budget){16 << 20, 4096});
  rbv_model_free(model);
  return 0;
}
