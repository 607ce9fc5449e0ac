/* Batches: whole vectors directly from the caller's arrays; the last one is padded with the last
 * sample. */
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* the lanes of one kernel call */
typedef struct {
  const double *q, *dq, *ddq, *tau, *state;
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
  const int width = d->kernel->width, n = d->model->njoint;
  const ptrdiff_t left = s->count - k;
  lanes l = {.q = shift(s->q, k),
             .dq = shift(s->dq, k),
             .ddq = shift(s->ddq, k),
             .tau = shift(tau, k),
             .state = shift(s->state, k),
             .ld = s->ld,
             .ldtau = ldtau,
             .count = width};
  if (left >= width) return l;
  l.count = (int)left;
  l.q = pad(d->state, l.q, s->ld, n, l.count, width);
  l.dq = pad(d->state + n * width, l.dq, s->ld, n, l.count, width);
  l.ddq = pad(d->state + 2 * n * width, l.ddq, s->ld, n, l.count, width);
  l.tau = pad(d->state + 3 * n * width, l.tau, ldtau, n, l.count, width);
  l.state = pad(d->pad, l.state, s->ld, d->model->nstate, l.count, width);
  l.ld = l.ldtau = width;
  return l;
}

/* rows of lanes back into the caller's array */
static void unpack(double *to, ptrdiff_t ld, const double *from, int rows, int width, int count) {
  for (int r = 0; r < rows; r++) memcpy(to + r * ld, from + r * width, (size_t)count * sizeof *to);
}

void rbv_dynamics_load_batch(double *load, ptrdiff_t ldload, rbv_dynamics *d, const rbv_states *s) {
  const int width = d->kernel->width, n = d->model->njoint;
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, s, NULL, 0, k);
    const bool whole = l.count == width;
    rbv_rigid_inverse(whole ? load + k : d->row, whole ? ldload : width, d, d->kernel,
                      d->link_lanes, l.q, l.dq, l.ddq, l.ld);
    if (!whole) unpack(load + k, ldload, d->row, n, width, l.count);
  }
}

/* at most DRIVE_PIECE states from sample k on */
static rbv_states take_piece(const rbv_states *s, ptrdiff_t k) {
  const ptrdiff_t left = s->count - k;
  return (rbv_states){.count = left < DRIVE_PIECE ? left : DRIVE_PIECE,
                      .ld = s->ld,
                      .q = s->q + k,
                      .dq = s->dq + k,
                      .ddq = shift(s->ddq, k),
                      .load = shift(s->load, k),
                      .state = shift(s->state, k)};
}

/* where the drives of a piece are evaluated; link: torque of the links in d->piece, which is the
 * load of the gears unless the states have it */
static drive_motion drives_at(const rbv_dynamics *d, const rbv_states *piece, const double *link) {
  const bool own = d->model->uses_torque && !piece->load;
  return (drive_motion){.q = piece->q,
                        .dq = piece->dq,
                        .ddq = piece->ddq,
                        .ld = piece->ld,
                        .load = own ? link : piece->load,
                        .ldload = own ? DRIVE_PIECE : piece->ld,
                        .state = piece->state,
                        .ldstate = piece->ld};
}

void rbv_dynamics_inverse_batch(double *tau, ptrdiff_t ldtau, rbv_dynamics *d,
                                const rbv_states *s) {
  const int n = d->model->njoint;
  for (ptrdiff_t k = 0; k < s->count; k += DRIVE_PIECE) {
    const rbv_states piece = take_piece(s, k);
    rbv_dynamics_load_batch(d->piece, DRIVE_PIECE, d, &piece);
    unpack(tau + k, ldtau, d->piece, n, DRIVE_PIECE, (int)piece.count);
    const drive_motion at = drives_at(d, &piece, d->piece);
    rbv_drives_add(tau + k, ldtau, d, d->kernel, RBV_TORQUE_MOTOR, 1, &at, (int)piece.count);
  }
}

void rbv_dynamics_rows_batch(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, const rbv_states *s) {
  const int n = d->model->njoint;
  for (ptrdiff_t k = 0; k < s->count; k += DRIVE_PIECE) {
    const rbv_states piece = take_piece(s, k);
    rbv_dynamics_load_batch(d->piece, DRIVE_PIECE, d, &piece);
    const drive_motion at = drives_at(d, &piece, d->piece);
    for (int c = 0; c < d->nchannel; c++) {
      double *to = tau + k + c * n * ldtau;
      if (side_acts(RBV_SIDE_LINK, d->channel[c]))
        unpack(to, ldtau, d->piece, n, DRIVE_PIECE, (int)piece.count);
      else
        for (int j = 0; j < n; j++) memset(to + j * ldtau, 0, (size_t)piece.count * sizeof *to);
      rbv_drives_add(to, ldtau, d, d->kernel, d->channel[c], 1, &at, (int)piece.count);
    }
  }
}

void rbv_dynamics_forward_batch(double *ddq, ptrdiff_t ldddq, bool *regular, rbv_dynamics *d,
                                const rbv_states *s, const double *tau, ptrdiff_t ldtau) {
  const int width = d->kernel->width, n = d->model->njoint;
  rbv_states still = *s;
  still.ddq = NULL;
  memset(regular, 0, (size_t)s->count * sizeof *regular);
  if (d->nonlinear >= 0) return;
  for (ptrdiff_t k = 0; k < s->count && has_load(d); k++) {
    const drive_motion at = {
        .q = s->q + k, .dq = s->dq + k, .ld = s->ld, .state = shift(s->state, k), .ldstate = s->ld};
    rbv_forward_loaded(ddq + k, ldddq, &regular[k], d, &at, tau + k, ldtau);
  }
  if (has_load(d)) return;
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, &still, tau, ldtau, k);
    bool ok[LANES_MAX];
    for (int j = 0; j < n; j++)
      memcpy(d->row + j * width, l.tau + j * l.ldtau, (size_t)width * sizeof *d->row);
    const drive_motion at = {.q = l.q, .dq = l.dq, .ld = l.ld, .state = l.state, .ldstate = l.ld};
    rbv_drives_add(d->row, width, d, d->kernel, RBV_TORQUE_MOTOR, -1, &at, width);
    // in place: the kernel reads tau of a joint before it writes the joint's ddq
    rbv_rigid_forward(d->row, width, ok, d, d->kernel, d->link_lanes, l.q, l.dq, l.ld, d->row,
                      width);
    unpack(ddq + k, ldddq, d->row, n, width, l.count);
    memcpy(regular + k, ok, (size_t)l.count * sizeof *ok);
  }
}

/* ---- regressor ---- */

/* blocks of an incomplete vector, from the tail */
static void unpack_blocks(double *W, ptrdiff_t ldw, const rbv_dynamics *d, int nrepeat, int count) {
  const int width = d->kernel->width, n = d->model->njoint;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d->model->nbody; j++) {
      const int e = block_of(d, d->rigid, i, j);
      if (e < 0) continue;
      unpack(W + e * ldw, ldw, d->tail + e * width, RBV_INERTIAL, width, count);
    }
  for (int k = 0; k < nrepeat; k++) {
    const int e = d->repeat[2 * k];
    unpack(W + e * ldw, ldw, d->tail + e * width, RBV_INERTIAL, width, count);
  }
}

/* the bodies from first to end; blocks that equal others are copied with the last part, while the
 * others are in the first-level cache */
static void part_blocks(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s, bool loaded,
                        int first, int end) {
  const int width = d->kernel->width, nrepeat = d->nrepeat + (loaded ? d->npayload : 0);
  for (ptrdiff_t k = 0; k < s->count; k += width) {
    const lanes l = take_lanes(d, s, NULL, 0, k);
    const bool whole = l.count == width;
    double *to = whole ? W + k : d->tail;
    const ptrdiff_t ldto = whole ? ldw : width;
    if (d->is_tree)
      rbv_rigid_regressor(to, ldto, d, first, end, l.q, l.dq, l.ddq, l.ld);
    else
      d->kernel->regressor(to, ldto, d->entry, &d->used, d->scratch, l.q, l.dq, l.ddq, l.ld);
    if (end < d->model->nbody) continue;
    d->kernel->repeat(to, ldto, d->repeat, nrepeat);
    if (!whole) unpack_blocks(W + k, ldw, d, nrepeat, l.count);
  }
}

/* Arms on the same base one after the other: their entries stay in the first-level cache until
 * their lines are full. */
static void rigid_blocks(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s,
                         bool loaded) {
  for (int first = 0, end; first < d->model->nbody; first = end) {
    end = rbv_rigid_part(d, first);
    part_blocks(W, ldw, d, s, loaded, first, end);
  }
}

/* without a payload its columns are zero */
static void zero_payload(double *W, ptrdiff_t ldw, const rbv_dynamics *d, ptrdiff_t count) {
  for (int k = d->nrepeat; k < d->nrepeat + d->npayload; k++)
    for (int c = 0; c < RBV_INERTIAL; c++)
      memset(W + (d->repeat[2 * k] + c) * ldw, 0, (size_t)count * sizeof *W);
}

typedef enum { ALL, WITHOUT_LOAD, WITH_LOAD } drive_selection;

static void drive_columns(double *W, ptrdiff_t ldw, rbv_dynamics *d, const drive_motion *at,
                          ptrdiff_t count, drive_selection which) {
  const rbv_model *m = d->model;
  for (int c = 0; c < d->nchannel; c++)
    for (int t = 0; t < m->nterm; t++) {
      const int e = d->term_entry[c * m->nterm + t];
      const bool load = m->term[t].law && m->term[t].law->uses_torque;
      if (e >= 0 && (which == ALL || load == (which == WITH_LOAD)))
        rbv_drive_eval(W + e * ldw, d, d->kernel, &m->term[t], at, count);
    }
}

static void regressor(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s, bool loaded) {
  const rbv_model *m = d->model;
  if (d->rigid >= 0) {
    rigid_blocks(W, ldw, d, s, loaded);
    if (!loaded) zero_payload(W, ldw, d, s->count);
  }
  const drive_motion at = {.q = s->q,
                           .dq = s->dq,
                           .ddq = s->ddq,
                           .ld = s->ld,
                           .load = s->load,
                           .ldload = s->ld,
                           .state = s->state,
                           .ldstate = s->ld};
  // without given loads, laws that use them are evaluated piece by piece
  const bool own_load = m->uses_torque && !s->load;
  drive_columns(W, ldw, d, &at, s->count, own_load ? WITHOUT_LOAD : ALL);
  for (ptrdiff_t k = 0; k < s->count && own_load; k += DRIVE_PIECE) {
    const rbv_states piece = take_piece(s, k);
    rbv_dynamics_load_batch(d->piece, DRIVE_PIECE, d, &piece);
    const drive_motion with = drives_at(d, &piece, d->piece);
    drive_columns(W + k, ldw, d, &with, piece.count, WITH_LOAD);
  }
}

void rbv_regressor_batch(double *W, ptrdiff_t ldw, rbv_dynamics *d, const rbv_states *s,
                         bool loaded) {
  if (!d->projection) {
    regressor(W, ldw, d, s, loaded);
    return;
  }
  // closed poses are stored for a piece: links and friction use them
  for (ptrdiff_t k = 0; k < s->count; k += DRIVE_PIECE) {
    const rbv_states piece = take_piece(s, k);
    regressor(W + k, ldw, d, &piece, loaded);
  }
}

const double *rbv_regressor_entries(rbv_dynamics *d, const rbv_states *s, bool loaded) {
  const rbv_model *m = d->model;
  // one sample is a batch of one at width 1; its entries are stored in the tail
  const rbv_kernel *wide = d->kernel;
  d->kernel = &rbv_kernel_w1;
  if (m->uses_torque) rbv_dynamics_limit_width(d, 1);
  rbv_regressor_batch(d->tail, 1, d, s, loaded);
  d->kernel = wide;
  if (m->uses_torque) rbv_dynamics_limit_width(d, wide->width);
  return d->tail;
}

void rbv_regressor_sample(double *W, rbv_dynamics *d, const rbv_states *s, bool loaded) {
  const rbv_model *m = d->model;
  const double *entry = rbv_regressor_entries(d, s, loaded);
  memset(W, 0, (size_t)m->nrow * (size_t)m->ncolumn * sizeof *W);
  for (int r = 0; r < m->nrow; r++)
    for (int k = 0; k < m->row[r].count; k++)
      W[r + (ptrdiff_t)m->row[r].columns[k] * m->nrow] = entry[m->row[r].first + k];
}

void rbv_regressor_eval(double *W, rbv_dynamics *d, const double *q, const double *dq,
                        const double *ddq, bool loaded) {
  const rbv_states one = {.count = 1, .ld = 1, .q = q, .dq = dq, .ddq = ddq};
  rbv_regressor_sample(W, d, &one, loaded);
}
