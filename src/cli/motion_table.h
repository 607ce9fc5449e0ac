/* Read a motion from CSV, write a table: shared by `model`, `regressor` and `dynamics`. */
#ifndef CLI_MOTION_TABLE_H
#define CLI_MOTION_TABLE_H

#include <roberval/sys/log.h>

#include "cli.h"

/* Columns of joints 0 ... njoint - 1, samples contiguous, as the batch functions need them. */
typedef struct {
  rbv_log *log;
  ptrdiff_t count;
  double *values[4];  // one block of njoint columns per channel
} cli_motion;

/*
 * Read the channels (ended by RBV_CHANNEL_OTHER) of every joint of the robot. Fails if one is
 * missing or a value is not finite. Returns -1 to continue, or an exit code.
 */
int cli_read_motion(cli_motion *out, const rbv_model *model, const char *path,
                    const rbv_channel *channels);
void cli_free_motion(cli_motion *motion);

/* Write rows to a CSV file or stdout, or as JSON (schema roberval.table/1). */
typedef struct cli_table cli_table;

int cli_table_open(cli_table **out, const char *path, bool json, const char *const *names,
                   int ncolumn);
/* rows x ncolumn, column-major with leading dimension ld; returns -1 to continue */
int cli_table_rows(cli_table *table, const double *A, ptrdiff_t rows, ptrdiff_t ld);
/* Close and free; returns the exit code. If the table is discarded, no file is written. */
int cli_table_close(cli_table *table);
void cli_table_drop(cli_table *table);

#endif
