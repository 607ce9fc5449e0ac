/*
 * The pump: a motion goes in by chunks, filtered and masked rows come out, for any number of
 * columns per torque row. Compression pumps [W | Y], replay pumps [predicted | Y].
 */
#ifndef SYSTEM_PUMP_H
#define SYSTEM_PUMP_H

#include <roberval/dynamics.h>
#include <roberval/system.h>

#include "model/model_internal.h"

typedef struct {
  void *self;
  /* columns of a model row */
  int (*width)(void *self, int row);
  /* a chunk of states has been read: compute what the rows will need */
  void (*chunk)(void *self, const rbv_states *states, bool loaded);
  /* write the columns of a row for the chunk; column c of sample k at [k + c * ld] */
  void (*fill)(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count, const double *torque);
  /* rows of a model row and fold that survive the filter; column-major with leading dimension ld */
  rbv_status (*emit)(void *self, int row, int fold, const double *A, ptrdiff_t ld, ptrdiff_t count,
                     ptrdiff_t masked);
} pump_client;

/*
 * Samples per chunk: the regressor of one stays in the second-level cache. Not a power of two,
 * whose columns would all fall on the same lines of it.
 */
#define PUMP_CHUNK 504

RBV_MUST_CHECK rbv_status rbv_pump_run(const rbv_model *model, const rbv_row_filter *filter,
                                       rbv_motion *motion, const pump_client *client);

#endif
