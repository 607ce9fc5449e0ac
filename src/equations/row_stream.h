/*
 * The pump: a motion goes in by chunks, filtered and masked rows come out, for any number of
 * columns per torque row. Compression pumps [W | Y], replay pumps [predicted | Y].
 *
 * A motion is cut into blocks that know as much of their neighbours as the row filter reaches, so
 * that each can be pumped on its own, by any thread. Where the cuts are depends on the motion and
 * the filter alone; what the blocks give is taken in order of time.
 */
#ifndef EQUATIONS_ROW_STREAM_H
#define EQUATIONS_ROW_STREAM_H

#include <roberval/sys/dynamics.h>
#include <roberval/sys/equations.h>

#include "model/model_internal.h"

/* What is done with the rows. A worker is the scratch of one thread, for one block at a time. */
typedef struct {
  void *self;
  rbv_status (*open)(void **worker, void *self);
  void (*close)(void *worker);

  /* columns of a model row */
  int (*width)(const void *self, int row);
  /* a block begins */
  void (*begin)(void *worker);
  /* a chunk of states has been read, from sample first on: compute what the rows will need */
  rbv_status (*chunk)(void *worker, const rbv_states *states, ptrdiff_t first);
  /* velocities that tell where joints stand still, as those of the states; NULL: theirs */
  const double *(*velocity)(void *worker);
  /* write the columns of a row for the chunk; column c of sample k at [k + c * ld] */
  void (*fill)(void *worker, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
               const double *torque);
  /* rows of a model row and fold that survive the filter; column-major with leading dimension ld;
   * masked: those that did not */
  rbv_status (*emit)(void *worker, int row, int fold, const double *A, ptrdiff_t ld,
                     ptrdiff_t count, ptrdiff_t masked);
  /* the block is over: what it gives */
  void (*end)(rbv_bytes *out, void *worker);

  /* what the blocks gave, in order of time, on the calling thread, while others are pumped */
  rbv_status (*take)(void *self, const void *data, size_t size);
} pump_client;

/*
 * Samples per chunk: the regressor of one stays in the second-level cache. Not a power of two,
 * whose columns would all fall on the same lines of it.
 */
#define PUMP_CHUNK 504

/*
 * How much the equations of a row count at each sample, from 0 where a joint whose sign they hold
 * stands still to 1: see rbv_row_filter. dq: joint j of sample k at [k + j * ld].
 */
void rbv_fade_weights(double *weight, const rbv_model *model, const double *fade, int row,
                      const double *dq, ptrdiff_t ld, ptrdiff_t count);

/* Is a sign in this row slower than the mask, or than where equations fade out? dq as above. */
bool rbv_row_is_slow(const rbv_model *model, const rbv_row_filter *filter, int row,
                     const double *dq, ptrdiff_t ld);

RBV_MUST_CHECK rbv_status rbv_pump_run(const rbv_model *model, const rbv_row_filter *filter,
                                       rbv_motion *motion, const pump_client *client);

#endif
