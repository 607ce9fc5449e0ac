/*
 * Recordings whose values are held: the robot sent a new value less often than the recorder wrote a
 * row, so that every value is there several times.
 *
 * A coarse encoder also repeats values, but only where the joint moves less than one step per row,
 * and then a change is one step. Held values repeat between changes of many steps. So only gaps
 * between two large changes are judged.
 */
#ifndef LOG_HELD_H
#define LOG_HELD_H

#include "log/log_internal.h"

typedef struct held_search held_search;

/* How the values of a recording are held. */
typedef struct {
  double factor;     // rows per value; 0: values are not held
  ptrdiff_t stride;  // the same where it is a whole number; 0: it is not
  ptrdiff_t first;   // row of the first new value, with a stride
} held_values;

/* Add rows in their order; `search` is NULL before the first ones. All pieces have the same
 * columns. Rows beyond those that a search reads are ignored. */
RBV_MUST_CHECK rbv_status held_add(held_search **search, const rbv_log *piece);
bool held_has_read_all(const held_search *search);
held_values held_judge(const held_search *search);
void held_free(held_search *search); /* NULL is allowed */

/* Replace a log with held values by a log with one row per value. */
RBV_MUST_CHECK rbv_status held_thin(rbv_log **log);

#endif
