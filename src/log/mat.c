#include <string.h>

#include "base/support.h"
#include "log/table.h"

bool mat_magic(const char *head, size_t size) {
  return size >= 128 && memcmp(head, "MATLAB", 6) == 0;
}

rbv_status mat_table(table *t, const char *path) {
  *t = (table){0};
  return rbv_fail(RBV_EUNSUPPORTED, "%s: MAT files are not read yet", path);
}
