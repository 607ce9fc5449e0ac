/* The private parts of a log; for this module only. */
#ifndef LOG_LOG_INTERNAL_H
#define LOG_LOG_INTERNAL_H

#include "log/log.h"

#include "log/rows.h"

#define LOG_REMARK "# roberval "  // begins a remark

struct rbv_log {
  char *name;
  table source;  // owns the values, except extra
  const char *format;
  ptrdiff_t samples;
  ptrdiff_t first;          // number of the first sample in the file
  ptrdiff_t *origin;        // samples: number in the log that this is a copy of; NULL: no copy
  bool *filled;             // samples: true where a row was interpolated; NULL: no copy
  rbv_log_column *columns;  // name and conversion owned
  int ncolumn;
  int njoint;
  char **joint_names;  // NULL: none
  double *extra;       // values of columns that a map uses more than once
  double **own;        // nown columns of a view that were changed
  int nown;
  rbv_log_sensing sensing;
  rbv_log_rate rate;
  double held;  // rows of the file per row, see rbv_log_held
};

/* Set columns, joint names and sensing of a log from its source and a map. */
rbv_status log_map_apply(rbv_log *log, const rbv_log_map *map);

/* The columns that a map names. The names are borrowed from it; free only the list. */
rbv_status log_map_columns(wanted_columns *out, const char ***list, const rbv_log_map *map);

/* The map of a file whose format has its own names (rosbag2): guessed, without a robot. NULL: the
 * columns of the format need none. */
rbv_status log_own_map(rbv_log_map **out, const char *path);

rbv_status log_map_clone(rbv_log_map **out, const rbv_log_map *map);

/* Make a log from a table. The table is moved into it, or freed on failure. */
rbv_status log_from_table(rbv_log **out, const char *name, table *t, const rbv_log_map *map);

/* Compute the rate of a log from its stamps. */
rbv_status log_judge_time(rbv_log *log);

/* The same; raw: columns whose names are not known are kept as they are, and all may be so. */
rbv_status log_from_columns(rbv_log **out, const char *name, table *t, const rbv_log_map *map,
                            bool raw);

/* rbv_log_load without a map; columns whose names are not known are kept as they are. */
rbv_status log_load_raw(rbv_log **out, const char *path);

/* A log of the same table by a map. The values are copied. */
rbv_status log_with_map(rbv_log **out, const rbv_log *log, const rbv_log_map *map);

/* Make a log from count rows of a file, from row first on. The values are copied. */
rbv_status log_from_rows(rbv_log **out, const char *name, const rows *r, const rbv_log_map *map,
                         const double *values, ptrdiff_t ld, ptrdiff_t first, ptrdiff_t count);

/*
 * The checks of rbv_log_require, for a log or for its pieces: start with zeros, add every piece,
 * then finish.
 */
typedef struct {
  ptrdiff_t samples;
  double first, last;  // stamps
  bool torque;         // there is a torque column
  bool turns;          // and it has values other than zero
  bool wraps;          // a position jumps by a full turn
} log_review;

rbv_status log_review_piece(log_review *r, const rbv_log *piece);

/* Append the review of the following pieces; false: their time begins before this one's ends. */
bool log_review_join(log_review *r, const log_review *next);
rbv_status log_review_finish(const log_review *r, const char *name, ptrdiff_t least);

/* Does a position jump by a full turn? */
bool log_has_full_turn(const double *x, ptrdiff_t n);

/* The remark with this key in the first lines of a text, as rbv_log_remark. */
rbv_status log_remark_in(char **out, const char *text, size_t size, const char *key);

/* A copy with the rows to keep; its samples count from 0. */
rbv_status log_pick(rbv_log **out, const rbv_log *log, const bool *keep);

/* A log with the values of another one, which must live longer. Columns that change are copied. */
rbv_status log_view(rbv_log **out, const rbv_log *log);

/* Free a text of a public column: const there, but owned by the log. */
void log_drop(const char *text);

/* True if the channel is a torque. */
/* Conditions of the robot, which are used only where a law of friction needs them. */
bool channel_is_condition(rbv_channel channel);
bool channel_is_torque(rbv_channel channel);

#endif
