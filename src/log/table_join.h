/* Tables with clocks of their own become one table. */
#ifndef LOG_TABLE_JOIN_H
#define LOG_TABLE_JOIN_H

#include "log/table.h"

/*
 * Add the columns of another table, interpolated linearly at the times of the first one. Rows
 * outside of the other's times become NaN. A name that is there already gets a number (".2").
 *
 *   at     in  times of t, one per row
 *   clock  in  times of other, ascending, one per row
 *   but    in  column of other that is not added (its clock); -1: all are
 */
rbv_status table_join(table *t, const double *at, const table *other, const double *clock, int but);

/* Keep the rows at which all columns from this one on have numbers at both ends. */
void table_keep_overlap(table *t, int first_column);

#endif
