/* Column maps, and their application to a recording. */
#include <roberval/sys/log.h>
#include <string.h>

#include "fuzz.h"

static const char recording[] =
    "stamp,pos_1,pos_2,cur_1,cur_2\n0,1,2,3,4\n1,1.5,2.5,3,4\n2,2,3,3,4\n3,2,3,3,5\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz_budget budget = {1 << 20, 4096};
  rbv_log_map *map = NULL;
  fuzz_begin();
  rbv_status status = rbv_log_map_parse(&map, "map", (const char *)data, size);
  fuzz_end(status, map, size, budget);
  if (status != RBV_OK) return 0;
  rbv_log *log = NULL;
  fuzz_begin();
  status = rbv_log_parse(&log, "log", recording, strlen(recording), map);
  fuzz_end(status, log, size, budget);
  rbv_log_free(log);
  rbv_log_map_free(map);
  return 0;
}
