/* The search for bad rows, shared by bad_rows.c and bad_values.c. */
#ifndef LOG_BAD_ROWS_H
#define LOG_BAD_ROWS_H

#include "log/log_internal.h"
#include "log/log_thresholds.h"

RBV_THRESHOLDS(LOG_BAD_ROWS);

/* A joint that moves, to see where it stands still. */
typedef struct {
  const double *q;
  int joint;
  double fast;      // fast steps
  ptrdiff_t reach;  // samples in which these are ten counts of its encoder
} mover;

/* State of a search. */
typedef struct {
  const rbv_log *log;
  rbv_bad_rows list;
  int room;
  bool failed;
  mover mover[MOVERS];
  int nmover;
} bad_search;

/* Add a bad value to the list; s->failed after an allocation that failed. */
void rbv_bad_add(bad_search *s, rbv_bad_value item);

/* Is the column searched for corrupt values? position: it is one. */
bool rbv_bad_column_is_used(const rbv_log_column *c, const rbv_bad_options *o, bool *position);

/*
 * Find corrupt values of positions, or of the other columns.
 *
 *   row   in  samples: rows that are bad for another reason
 *   bad       samples, working memory
 *   work      SAMPLED numbers, working memory
 */
void rbv_bad_find_corrupt(bad_search *f, const rbv_bad_options *o, const bool *row, bool *bad,
                          double *work, bool positions);

#endif
