/* Batches: whole vectors directly from the caller's arrays; the last one is padded with the last
 * sample. */
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* the lanes of one kernel call */
typedef struct {
  const double *q, *dq, *ddq, *tau;
  ptrdiff_t ld, ldtau;
  int count;  // lanes with samples; the others are padding
} lanes;

static const double *pad(double *to, const double *from, ptrdiff_t ld, int njoint, int count,
                         int width) {
  if (!from) return NULL;
  for (int j = 0; j < njoint; j++)
    for (int k = 0; k < width; k++) to[j * width + k] = from[j * ld + (k < count ? k : count - 1)];
  return to;
}

static const double *shift(const double *p, ptrdiff_t k) { return p ? p + k : NULL; }

static lanes take_lanes(rbv_dynamics *d, const rbv_states *s, const double *tau, ptrdiff_t ldtau,
                        ptrdiff_t k) {
  const int width = d->kernel->width, n = d->chain.njoint;
  const ptrdiff_t left = s->count - k;
  lanes l = {shift(s->q, k), shift(s->dq, k), shift(s->ddq, k), shift(tau, k), s->ld, ldtau, width};
  if (left >= width) return l;
  l.count = (int)left;
  l.q = pad(d->state, l.q, s->ld, n, l.count, width);
  l.dq = pad(d->state + n * width, l.dq, s->ld, n, l.count, width);
  l.ddq = pad(d->state + 2 * n * width, l.ddq, s->ld, n, l.count, width);
  l.tau = pad(d->state + 3 * n * width, l.tau, ldtau, n, l.count, width);
  l.ld = l.ldtau = width;
  return l;
}

/* rows of lanes back into the caller's array */
static void unpack(double *to, ptrdiff_t ld, const double *from, int rows, int width, int count) {
  for (int r = 0; r < rows; r++) memcpy(to + r * ld, from + r * width, (size_t)count * sizeof *to);
}

/* rigid torque of one group of lanes goes to d->row, in lanes */
static void rigid_lanes(rbv_dynamics *d, const lanes *l) {
  d->kernel->inverse(d->row, d->kernel->width, &d->chain, d->scratch, d->link_lanes, l->q, l->dq,
                     l->ddq, l->ld);
}

void rbv_dynamics_inverse_batch(double *tau, ptrdiff_t ldtau, rbv_dynamics *d,
                                const rbv_states *s) {
  const int width = d->kernel->width, n = d->chain.njoint;
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, s, NULL, 0, k);
    rigid_lanes(d, &l);
    rbv_drives_add(d->row, width, d, RBV_TORQUE_MOTOR, 1, l.q, l.dq, l.ddq, l.ld, width);
    unpack(tau + k, ldtau, d->row, n, width, l.count);
  }
}

void rbv_dynamics_rows_batch(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, const rbv_states *s) {
  const int width = d->kernel->width, n = d->chain.njoint;
  double *const channel = d->tail;  // njoint lanes of one channel
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, s, NULL, 0, k);
    rigid_lanes(d, &l);
    for (int c = 0; c < d->nchannel; c++) {
      const size_t bytes = (size_t)(n * width) * sizeof *channel;
      if (side_acts(RBV_SIDE_LINK, d->channel[c]))
        memcpy(channel, d->row, bytes);
      else
        memset(channel, 0, bytes);
      rbv_drives_add(channel, width, d, d->channel[c], 1, l.q, l.dq, l.ddq, l.ld, width);
      unpack(tau + k + c * n * ldtau, ldtau, channel, n, width, l.count);
    }
  }
}

void rbv_dynamics_forward_batch(double *ddq, ptrdiff_t ldddq, bool *regular, rbv_dynamics *d,
                                const rbv_states *s, const double *tau, ptrdiff_t ldtau) {
  const int width = d->kernel->width, n = d->chain.njoint;
  rbv_states still = *s;
  still.ddq = NULL;
  memset(regular, 0, (size_t)s->count * sizeof *regular);
  if (d->nonlinear >= 0) return;
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, &still, tau, ldtau, k);
    bool ok[LANES_MAX];
    for (int j = 0; j < n; j++)
      memcpy(d->row + j * width, l.tau + j * l.ldtau, (size_t)width * sizeof *d->row);
    rbv_drives_add(d->row, width, d, RBV_TORQUE_MOTOR, -1, l.q, l.dq, NULL, l.ld, width);
    // in place: the kernel reads tau of a joint before it writes the joint's ddq
    d->kernel->forward(d->row, width, ok, d->mass, &d->chain, d->scratch, d->link_lanes, d->rotor,
                       l.q, l.dq, l.ld, d->row, width);
    unpack(ddq + k, ldddq, d->row, n, width, l.count);
    memcpy(regular + k, ok, (size_t)l.count * sizeof *ok);
  }
}

/* ---- regressor ---- */

/* blocks of an incomplete vector, from the tail */
static void unpack_blocks(double *W, ptrdiff_t ldw, const rbv_dynamics *d, int nrepeat, int count) {
  const int width = d->kernel->width, n = d->chain.njoint;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      const int e = block_of(d, d->rigid, i, j);
      unpack(W + e * ldw, ldw, d->tail + e * width, RBV_INERTIAL, width, count);
    }
  for (int k = 0; k < nrepeat; k++) {
    const int e = d->repeat[2 * k];
    unpack(W + e * ldw, ldw, d->tail + e * width, RBV_INERTIAL, width, count);
  }
}

/* blocks that equal others are copied while the others are in the first-level cache */
static void rigid_blocks(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s,
                         bool loaded) {
  const int width = d->kernel->width, nrepeat = d->nrepeat + (loaded ? d->npayload : 0);
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, s, NULL, 0, k);
    const bool whole = l.count == width;
    double *to = whole ? W + k : d->tail;
    const ptrdiff_t ldto = whole ? ldw : width;
    d->kernel->regressor(to, ldto, d->entry, &d->chain, d->scratch, l.q, l.dq, l.ddq, l.ld);
    d->kernel->repeat(to, ldto, d->repeat, nrepeat);
    if (!whole) unpack_blocks(W + k, ldw, d, nrepeat, l.count);
  }
}

/* without a payload its columns are zero */
static void zero_payload(double *W, ptrdiff_t ldw, const rbv_dynamics *d, ptrdiff_t count) {
  for (int k = d->nrepeat; k < d->nrepeat + d->npayload; k++)
    for (int c = 0; c < RBV_INERTIAL; c++)
      memset(W + (d->repeat[2 * k] + c) * ldw, 0, (size_t)count * sizeof *W);
}

void rbv_regressor_batch(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s,
                         bool loaded) {
  const rbv_model *m = d->model;
  if (d->rigid >= 0) {
    rigid_blocks(W, ldw, d, s, loaded);
    if (!loaded) zero_payload(W, ldw, d, s->count);
  }
  for (int c = 0; c < d->nchannel; c++)
    for (int t = 0; t < m->nterm; t++) {
      const int e = d->term_entry[c * m->nterm + t];
      if (e >= 0)
        rbv_drive_eval(W + e * ldw, d->kernel, m, &m->term[t], d->registers, s->q, s->dq, s->ddq,
                       s->ld, s->count);
    }
}

void rbv_regressor_eval(double *W, rbv_dynamics *d, const double *q, const double *dq,
                        const double *ddq, bool loaded) {
  const rbv_model *m = d->model;
  // one sample is a batch of one at width 1; its entries are stored in the tail
  const rbv_kernel *wide = d->kernel;
  const rbv_states one = {.count = 1, .ld = 1, .q = q, .dq = dq, .ddq = ddq};
  d->kernel = &rbv_kernel_w1;
  rbv_regressor_batch(d->tail, 1, d, &one, loaded);
  d->kernel = wide;
  memset(W, 0, (size_t)m->nrow * (size_t)m->ncolumn * sizeof *W);
  for (int r = 0; r < m->nrow; r++)
    for (int k = 0; k < m->row[r].count; k++)
      W[r + (ptrdiff_t)m->row[r].columns[k] * m->nrow] = d->tail[m->row[r].first + k];
}
