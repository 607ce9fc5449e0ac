/* Recordings in CSV format. */
#include <roberval/sys/log.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rbv_log *log = NULL;
  fuzz_begin();
  const rbv_status status = rbv_log_parse(&log, "log", (const char *)data, size, NULL);
  fuzz_end(status, log, size, (fuzz_budget){1 << 20, 512});
  rbv_log_free(log);
  return 0;
}
