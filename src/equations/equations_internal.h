/* The equations of a system, for the files that fill, clip and stack them. */
#ifndef EQUATIONS_EQUATIONS_INTERNAL_H
#define EQUATIONS_EQUATIONS_INTERNAL_H

#include "equations/equations.h"

#include "equations/extra_columns.h"
#include "equations/row_stream.h"

/* a group and the memory that it owns */
typedef struct {
  rbv_group public;
  double *R, *RZ;
  double *rows;  // stored rows of W, one after the other; NULL: none
} group;

/* stored columns of a motion */
typedef struct {
  const rbv_motion *motion;
  row_store *columns;
} motion_store;

struct rbv_equations {
  const rbv_model *m;
  rbv_row_filter filter;
  int ncolumn;                 // of the model and additional ones
  int nmodel;                  // of the model
  const extra_columns *extra;  // behind those of the model; NULL: none
  int *column;                 // model column of each column, -1: an additional one
  int *pattern;                // nrow x ncolumn: columns of the system used by a row
  int *npattern;               // nrow
  int *entry;   // nrow x ncolumn: regressor entries of these columns; -1 - i: additional column i
  int *spread;  // with contact points every row has all columns: element row + column nrow of each
                // regressor entry, -1: not used; NULL: without contact points
  bool has_load;
  double *load_chi;  // one per column of the model: parameters of the load of the gears
  bool clips;
  double *clip_chi;    // one per column of the model
  double *clip_limit;  // nrow
  int ngroup, nmotion;
  group *group;
  size_t room;         // for stored rows [bytes]
  bool has_rows;       // all groups have theirs
  size_t column_room;  // for stored columns [bytes]
  int nstore;
  motion_store *store;  // nstore, in the order in which the motions were added
  int *stored;          // nrow: columns of W and the torque
};

/* Header of numbers in the result of a block: an R factor and the rows that are stored, or torques.
 */
typedef struct {
  int at;  // row x nfold + fold
  ptrdiff_t rows, masked;
} result_header;

static inline size_t square(int n) { return (size_t)n * (size_t)n; }

#endif
