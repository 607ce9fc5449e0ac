/* Recordings for callers that want no structure. */
#include "log/log_internal.h"

#include "base/support.h"

rbv_status rbv_log_open(rbv_log **out, const char *path, const char *map) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the recording");
  *out = NULL;
  if (!path) return rbv_fail(RBV_EARG, "the path of a recording is needed");
  rbv_log_map *meaning = NULL;
  if (map) RBV_TRY(rbv_log_map_load(&meaning, map));
  if (!meaning) return log_load_raw(out, path);
  RBV_FINISH(rbv_log_load(out, path, meaning), rbv_log_map_free(meaning));
}

const char *rbv_log_column_name(const rbv_log *log, int i) {
  const rbv_log_column *column = rbv_log_column_at(log, i);
  return column ? column->name : NULL;
}

const double *rbv_log_column_values(const rbv_log *log, int i) {
  const rbv_log_column *column = rbv_log_column_at(log, i);
  return column ? column->values : NULL;
}

double rbv_log_held(const rbv_log *log) { return log->held; }
