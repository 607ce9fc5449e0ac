/* A log opened, and the map that makes one from a table; for this room only. */
#ifndef LOG_LOG_INTERNAL_H
#define LOG_LOG_INTERNAL_H

#include <roberval/sys/log.h>

#include "log/rows.h"

struct rbv_log {
  char *name;
  table source;  // owns the values of columns that were used once
  const char *format;
  ptrdiff_t samples;
  ptrdiff_t first;          // of the samples, in the file
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

rbv_status log_map_clone(rbv_log_map **out, const rbv_log_map *map);

/* A log from a table, which it takes over whatever happens. */
rbv_status log_from_table(rbv_log **out, const char *name, table *t, const rbv_log_map *map);

/*
 * A log of rows that were read from a file, from row first on, and are copied.
 */
rbv_status log_from_rows(rbv_log **out, const char *name, const rows *r, const rbv_log_map *map,
                         const double *values, ptrdiff_t ld, ptrdiff_t first, ptrdiff_t count);

/*
 * What rbv_log_require asks of numbers and stamps, for a log or one piece of it after the other:
 * begin with zeros, look at every piece, then judge.
 */
typedef struct {
  ptrdiff_t samples;
  double first, last;  // stamps
  bool torque;         // there is one
  bool turns;          // and it is not zero throughout
} log_review;

rbv_status log_review_piece(log_review *r, const rbv_log *piece);

/* A review of the pieces that follow; false: their time begins before this one's ends. */
bool log_review_join(log_review *r, const log_review *next);
rbv_status log_review_finish(const log_review *r, const char *name, ptrdiff_t least);

/* Free a text that the public column shows as const and the log owns. */
void log_drop(const char *text);

/* Is the channel a torque? */
bool channel_is_torque(rbv_channel channel);

#endif
