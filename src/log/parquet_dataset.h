/*
 * A data set of LeRobot, of which a Parquet file is a part: what its meta/info.json says about the
 * columns. Files data/chunk-NNN/NAME.parquet belong to one.
 */
#ifndef LOG_PARQUET_DATASET_H
#define LOG_PARQUET_DATASET_H

#include "document/document.h"

typedef struct {
  rbv_document *info;  // NULL: the file belongs to no data set
  double rate_hz;      // of its rows; 0: not known
} parquet_dataset;

/* Read what belongs to a file, if there is anything. Close it also after a failure. */
rbv_status parquet_dataset_open(parquet_dataset *d, const char *path);
void parquet_dataset_close(parquet_dataset *d);

/*
 * The name of number i of a column with n of them. Those of a data set have labels: COLUMN[LABEL],
 * and COLUMN.QUANTITY[JOINT] for the label JOINT.QUANTITY (shoulder.pos). A state and an action
 * without quantities are positions.
 */
void parquet_dataset_name(char *text, size_t size, const parquet_dataset *d, const char *column,
                          size_t i, size_t n);

#endif
