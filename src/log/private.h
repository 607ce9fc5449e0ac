/* A log opened, and the map that makes one from a table; for this room only. */
#ifndef LOG_PRIVATE_H
#define LOG_PRIVATE_H

#include <roberval/log.h>

#include "log/table.h"

struct rbv_log {
  char *name;
  table source;  // owns the values of columns that were used once
  const char *format;
  ptrdiff_t samples;
  rbv_log_column *columns;  // name and conversion owned
  int ncolumn;
  int njoint;
  char **joint_names;  // NULL: none
  double *extra;       // values of columns that a map used more than once
  rbv_log_sensing sensing;
  rbv_log_rate rate;
};

/* Fill columns, joint names and sensing of a log from its source by a map. */
rbv_status log_map_apply(rbv_log *log, const rbv_log_map *map);

/* Free a text that the public column shows as const and the log owns. */
void log_drop(const char *text);

/* Is the channel a torque? */
bool channel_is_torque(rbv_channel channel);

#endif
