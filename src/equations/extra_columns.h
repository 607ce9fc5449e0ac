/*
 * Columns of a system of equations that the model does not have: candidates for terms of the model.
 * They go through the same filter as the columns of the model and the torque.
 */
#ifndef EQUATIONS_EXTRA_COLUMNS_H
#define EQUATIONS_EXTRA_COLUMNS_H

#include <roberval/sys/dynamics.h>
#include "equations/equations.h"

typedef struct {
  int count;
  const int *row;  // count: torque row of the model in which each one acts
  void *self;
  // working memory of one thread for a motion
  rbv_status (*open)(void **worker, void *self, rbv_motion *motion);
  void (*close)(void *worker);
  // values at the samples of a chunk that begins at sample `first`: column i of sample k at
  // [k + i * ld]
  rbv_status (*eval)(double *X, ptrdiff_t ld, void *worker, const rbv_states *states,
                     ptrdiff_t first);
} extra_columns;

/* As rbv_equations_new, with additional columns behind those of the model. `extra` is borrowed. */
RBV_MUST_CHECK rbv_status rbv_equations_new_extended(rbv_equations **out, const rbv_model *model,
                                                     const int *columns, int ncolumn,
                                                     const rbv_row_filter *filter,
                                                     const extra_columns *extra);

#endif
