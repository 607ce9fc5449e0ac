/*
 * Row stream: reads a motion in chunks and produces filtered and masked rows, with any number of
 * columns per torque row. Compression uses it with [W | Y], replay with [predicted | Y].
 *
 * The motion is divided into blocks. Each block also reads the samples beside it that the row
 * filter needs, so that every thread can process any block on its own. The division depends only on
 * the motion and the filter; the results of the blocks are taken in order of time.
 */
#ifndef EQUATIONS_ROW_STREAM_H
#define EQUATIONS_ROW_STREAM_H

#include <roberval/sys/dynamics.h>
#include "equations/equations.h"

#include "model/model_internal.h"

/*
 * Decimated columns of a motion, which several streams over it share: the first one writes them,
 * the others only compute the columns before them. Filter and motion must be the same; the mask may
 * compare other velocities.
 */
typedef struct row_store row_store;

/* Memory of the store, in bytes, for the given number of columns of all rows together. */
size_t rbv_row_store_bytes(const rbv_row_filter *filter, ptrdiff_t samples, int columns);

/* True if the columns of this filter can be stored: they are decimated, and neither a prefilter nor
 * a fade changes them. */
bool rbv_row_store_possible(const rbv_row_filter *filter);

/* True if columns that were stored with one filter are those of the other. Their masks, folds and
 * ends may differ. */
bool rbv_row_store_fits(const rbv_row_filter *stored, const rbv_row_filter *other);

/*
 *   columns  in  of each row that are stored, its last ones; nrow
 */
RBV_MUST_CHECK rbv_status rbv_row_store_new(row_store **out, const rbv_row_filter *filter,
                                            ptrdiff_t samples, const int *columns, int nrow);
void rbv_row_store_free(row_store *store);

/* True after a stream has written all columns. */
bool rbv_row_store_is_filled(const row_store *store);

/* What is done with the rows. A worker is the working memory of one thread for one
 * block at a time. */
typedef struct {
  void *self;
  rbv_status (*open)(void **worker, void *self);
  void (*close)(void *worker);
  /* the last columns of the rows; NULL: none are stored. If it is filled, the states of a chunk
   * have no values, and `fill` writes only the columns before the stored ones. */
  row_store *store;

  /* columns of a model row */
  int (*width)(const void *self, int row);
  /* start a block */
  void (*begin)(void *worker);
  /* a chunk of states was read, beginning at sample first: compute what the rows will need */
  rbv_status (*chunk)(void *worker, const rbv_states *states, ptrdiff_t first);
  /* velocities that decide where joints stand still, same layout as in the states; NULL: those of
   * the states */
  const double *(*velocity)(void *worker);
  /* write the columns of a row for the chunk; column c of sample k at [k + c * ld] */
  void (*fill)(void *worker, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
               const double *torque);
  /* take the rows of a model row and fold that passed the filter; column-major with leading
   * dimension ld; masked: number of rows that were left out */
  rbv_status (*emit)(void *worker, int row, int fold, const double *A, ptrdiff_t ld,
                     ptrdiff_t count, ptrdiff_t masked);
  /* end a block and write its result */
  void (*end)(rbv_bytes *out, void *worker);

  /* take the results of the blocks in order of time, on the calling thread, while
   * other blocks run */
  rbv_status (*take)(void *self, const void *data, size_t size);
} row_client;

/*
 * Samples per chunk: the regressor of one chunk fits into the second-level cache. Not a power of
 * two, because then all columns would use the same cache lines.
 */
#define ROW_CHUNK 504

/*
 * Weight of the equations of a row at each sample, see fade in rbv_row_filter. dq: joint j of
 * sample k at [k + j * ld].
 */
void rbv_fade_weights(double *weight, const rbv_model *model, const double *fade, int row,
                      const double *dq, ptrdiff_t ld, ptrdiff_t count);

/*
 * Samples at which a sign term of this row is slower than the mask or the speed in fade, or whose
 * joint never moves. dq as above.
 *
 *   slow  out  count
 */
void rbv_mark_slow(bool *slow, const rbv_model *model, const rbv_row_filter *filter, int row,
                   const double *dq, ptrdiff_t ld, ptrdiff_t count);

RBV_MUST_CHECK rbv_status rbv_row_stream_run(const rbv_model *model, const rbv_row_filter *filter,
                                             rbv_motion *motion, const row_client *client);

#endif
