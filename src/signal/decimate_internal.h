/* The decimator, shared by decimate.c and decimate_edges.c. */
#ifndef SIGNAL_DECIMATE_INTERNAL_H
#define SIGNAL_DECIMATE_INTERNAL_H

#include "base/support.h"
#include "signal/filter_design.h"
#include "signal/filter_kernel.h"

#define MAX_POLE RBV_SOS_MAX

/* Rows that the padding at one end reflects, without the end itself, and their sums so far. They
 * are summed block by block as they come, so that only one block of them is stored. */
typedef struct {
  ptrdiff_t from;    // first row
  ptrdiff_t summed;  // rows so far
  ptrdiff_t filled;  // rows of the current, incomplete block
  double *block;     // factor x ncol
  double *causal;    // per group: sums, nweight x width
  double *anti;
  double *near, *far;  // ncol: the row at the end of the recording; that at the end of the padding
} edge_window;

struct rbv_decimator {
  rbv_decimate_options options;  // defaults filled in
  const rbv_signal_kernel *kernel;
  ptrdiff_t nsample;
  int ncol, ngroup;            // a group has one column per lane
  ptrdiff_t nout;              // outputs before dropping
  ptrdiff_t ahead;             // outputs after which an anticausal state has decayed
  ptrdiff_t capacity;          // outputs that are held: all of them, unless streamed
  rbv_decimator_visit *visit;  // NULL: not streamed
  void *self;

  // the filter: one pole of each conjugate pair
  int npole;
  bool single[MAX_POLE];       // a real pole, without a conjugate
  double direct;               // d
  double complex p[MAX_POLE];  // poles
  double complex log_p[MAX_POLE];
  double complex r[MAX_POLE];                 // residues
  double complex at_inverse[MAX_POLE];        // F(1/p)
  double complex one_minus_p[MAX_POLE];       // 1 - p
  double complex cross[MAX_POLE][MAX_POLE];   // 1 - p_i p_j
  double complex crossc[MAX_POLE][MAX_POLE];  // 1 - p_i conj(p_j)
  rbv_modes modes;
  double *power, *even, *odd;  // the tables to which modes points

  // progress
  ptrdiff_t seen;    // rows added so far
  ptrdiff_t npend;   // rows of the current, incomplete block
  ptrdiff_t nblock;  // outputs reached so far
  ptrdiff_t base;    // outputs delivered so far
  bool started;      // `before` has been computed
  double *pending;   // factor x ncol
  edge_window head;  // rows 1 to padding
  edge_window tail;  // rows nsample - 1 - padding to the last but one
  double *state;     // per group: causal states, nweight x width
  double *before;    // per group: causal states before the first sample, nweight x width
  double *anti;      // per group and held block: anticausal sums, nweight x width
  double *out;       // per group and held output: width
  double *closed;    // streamed: complete outputs of one group, capacity x width
  double *ready;     // streamed: complete outputs of all columns, capacity x ncol
  double *scratch;   // 2 half x width
};

static inline double complex power_of(const rbv_decimator *d, int j, ptrdiff_t n) {
  return n ? cexp((double)n * d->log_p[j]) : 1;
}

/* column of a lane; lanes beyond the last column repeat the last column */
static inline int column_of(const rbv_decimator *d, int group, int l) {
  const int column = group * d->kernel->width + l;
  return column < d->ncol ? column : d->ncol - 1;
}

/* pointers to the columns of one group */
static inline void group_columns(const double **x, const rbv_decimator *d, int group,
                                 const double *X, ptrdiff_t ldx) {
  for (int l = 0; l < d->kernel->width; l++) x[l] = X + column_of(d, group, l) * ldx;
}

/* ---- decimate_edges.c ---- */

/* Keep what the padding at both ends needs of the rows now added. */
void rbv_decimator_watch_edges(rbv_decimator *d, const double *X, ptrdiff_t ldx, ptrdiff_t nrow);

/* Causal states before the first sample: the steady state at the start of the padded signal, then
 * the padding. */
void rbv_decimator_init_start(rbv_decimator *d);

/* These states, decayed until the first output that is held. */
void rbv_decimator_decay_start(double *fading, const rbv_decimator *d, int group);

/* Anticausal states after the last output, for the columns of one group. */
void rbv_decimator_end_states(double *ahead, const rbv_decimator *d, int group);

#endif
