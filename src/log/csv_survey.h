/* A look through a recording from end to end, before it is read in pieces. */
#ifndef LOG_CSV_SURVEY_H
#define LOG_CSV_SURVEY_H

#include "log/log_internal.h"

typedef struct {
  ptrdiff_t samples;
  rbv_log_clock clock;
  row_place *place;  // of some rows, ascending; the first is that of row 0
  ptrdiff_t nplace;
  ptrdiff_t step;  // rows from one to the next, at least
} survey;

/*
 * Check what rbv_log_load and rbv_log_require (with least) check, with their sentences, and note
 * the stamps and where rows are. Memory does not grow with the file; what is found does not depend
 * on the number of threads.
 *
 *   source  in  at its first row
 *   map     in      may be NULL
 */
rbv_status survey_run(survey *out, const char *name, rows *source, const rbv_log_map *map,
                      ptrdiff_t least, int threads);
void survey_free(survey *s);

/* The last known place at or before a row. */
const row_place *survey_place(const survey *s, ptrdiff_t row);

#endif
