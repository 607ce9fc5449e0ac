/* The first pass through a recording that is read in pieces. */
#ifndef LOG_CSV_SURVEY_H
#define LOG_CSV_SURVEY_H

#include "log/log_internal.h"

typedef struct {
  ptrdiff_t samples;
  rbv_log_clock clock;
  row_place *place;  // places of some rows, ascending; the first is that of row 0
  ptrdiff_t nplace;
  ptrdiff_t step;  // at least this many rows between two places
} survey;

/*
 * Make the checks of rbv_log_load and rbv_log_require (with least), with the same messages, analyse
 * the time stamps, and store where rows begin. Memory does not grow with the file. The result does
 * not depend on the number of threads.
 *
 *   source  in  at its first row
 *   map     in      may be NULL
 */
rbv_status survey_run(survey *out, const char *name, rows *source, const rbv_log_map *map,
                      ptrdiff_t least, int threads);
void survey_free(survey *s);

/* The last stored place at or before a row. */
const row_place *survey_place(const survey *s, ptrdiff_t row);

#endif
