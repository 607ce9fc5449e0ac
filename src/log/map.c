#include "base/support.h"
#include "log/private.h"

struct rbv_log_map {
  int njoint;
};

rbv_status log_map_apply(rbv_log *log, const rbv_log_map *map) {
  (void)map;
  return rbv_fail(RBV_EUNSUPPORTED, "%s: column maps are not read yet", log->name);
}
