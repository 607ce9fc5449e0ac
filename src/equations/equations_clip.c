/* Other torques for stored rows: their R factors are computed again. */
#include <roberval/sys/linalg.h>
#include <string.h>

#include "equations/equations_internal.h"
#include "equations/kept_rows.h"

#define QR_ROWS 256  // stored rows that are added at once

typedef struct {
  rbv_equations *s;
  ptrdiff_t samples;       // of the motion
  const double *residual;  // of all samples
  const double *limit;     // nrow
  group *group;            // first group of the motion
  int nfold;
  ptrdiff_t *count;  // per group: torques so far
  double **torque;   // per group
} reclip;

typedef struct {
  const reclip *c;
  ptrdiff_t first;  // sample of the chunk
  rbv_text torques;
} reclip_worker;

static int reclip_width(const void *self, int row) {
  (void)self, (void)row;
  return 1;
}

static rbv_status open_reclip(void **out, void *self) {
  RBV_NEW(reclip_worker, w, 1);
  w->c = self;
  *out = w;
  return RBV_OK;
}

static void close_reclip(void *self) {
  reclip_worker *w = self;
  rbv_text_free(&w->torques);
  rbv_free(w);
}

static void begin_reclip(void *self) { ((reclip_worker *)self)->torques.size = 0; }

static rbv_status reclip_chunk(void *self, const rbv_states *states, ptrdiff_t first) {
  (void)states;
  ((reclip_worker *)self)->first = first;
  return RBV_OK;
}

static void reclip_fill(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                        const double *torque) {
  const reclip_worker *w = self;
  (void)ld;
  const double limit = w->c->limit[row];
  const double *e = w->c->residual + w->first + row * w->c->samples;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double above = e[k] > limit ? e[k] - limit : 0, below = e[k] < -limit ? e[k] + limit : 0;
    X[k] = torque[k] - (above + below);
  }
}

static rbv_status reclip_emit(void *self, int row, int fold, const double *A, ptrdiff_t ld,
                              ptrdiff_t count, ptrdiff_t masked) {
  reclip_worker *w = self;
  (void)ld, (void)masked;
  result_header p;
  if (count == 0) return RBV_OK;
  memset(&p, 0, sizeof p);
  p.at = row * w->c->nfold + fold;
  p.rows = count;
  rbv_text_add(&w->torques, (const char *)&p, sizeof p);
  rbv_text_add(&w->torques, (const char *)A, (size_t)count * sizeof *A);
  return w->torques.failed ? RBV_EMEM : RBV_OK;
}

static void end_reclip(rbv_bytes *out, void *self) {
  const reclip_worker *w = self;
  if (w->torques.size > 0) rbv_bytes_add(out, w->torques.data, w->torques.size);
}

static rbv_status take_torques(void *self, const void *data, size_t size) {
  const reclip *c = self;
  for (const char *from = data, *const end = from + size; from < end;) {
    result_header p;
    memcpy(&p, from, sizeof p);
    from += sizeof p;
    const size_t bytes = (size_t)p.rows * sizeof(double);
    if (c->count[p.at] + p.rows > c->group[p.at].public.rows)
      return rbv_fail(RBV_EARG, "this is not the motion of the stored rows");
    memcpy(c->torque[p.at] + c->count[p.at], from, bytes);
    c->count[p.at] += p.rows;
    from += bytes;
  }
  return RBV_OK;
}

/* R factor of the stored rows with these torques; block: QR_ROWS x (columns + 1) */
static rbv_status factor_rows(const group *g, const double *torque, rbv_qr *qr, double *block) {
  const int n = g->public.ncolumn;
  rbv_qr_reset(qr);
  for (ptrdiff_t first = 0; first < g->public.rows; first += QR_ROWS) {
    const ptrdiff_t left = g->public.rows - first, count = left < QR_ROWS ? left : QR_ROWS;
    for (ptrdiff_t k = 0; k < count; k++) {
      const double *row = g->rows + (first + k) * n;
      for (int c = 0; c < n; c++) block[k + (ptrdiff_t)c * QR_ROWS] = row[c];
      block[k + (ptrdiff_t)n * QR_ROWS] = torque[first + k];
    }
    RBV_TRY(rbv_qr_add(qr, block, count, QR_ROWS));
  }
  rbv_qr_get(g->R, qr);
  return RBV_OK;
}

static rbv_status factor_groups(const reclip *c, int count) {
  rbv_qr *qr = NULL;
  rbv_status status = RBV_OK;
  RBV_NEW(double, block, (size_t)(c->s->ncolumn + 1) * QR_ROWS);
  for (int g = 0, n = -1; g < count && status == RBV_OK; g++) {
    if (c->count[g] != c->group[g].public.rows) {
      status = rbv_fail(RBV_EARG, "this is not the motion of the stored rows");
      break;
    }
    if (c->group[g].public.ncolumn != n) {
      n = c->group[g].public.ncolumn;
      rbv_qr_free(qr);
      status = rbv_qr_new(&qr, n + 1);
    }
    if (status == RBV_OK) status = factor_rows(&c->group[g], c->torque[g], qr, block);
  }
  rbv_qr_free(qr);
  rbv_free(block);
  return status;
}

rbv_status rbv_equations_clip_again(rbv_equations *s, int index, rbv_motion *motion,
                                    const double *residual, const double *limit) {
  int first = 0, count = 0;
  ptrdiff_t rows = 0;
  while (first < s->ngroup && s->group[first].public.motion != index) first++;
  for (; first + count < s->ngroup && s->group[first + count].public.motion == index; count++)
    rows += s->group[first + count].public.rows;
  if (!rbv_equations_has_rows(s) || count == 0)
    return rbv_fail(RBV_EARG, "the rows of motion %d are not stored", index + 1);
  reclip c = {.s = s,
              .samples = rbv_motion_get_info(motion)->count,
              .residual = residual,
              .limit = limit,
              .group = s->group + first,
              .nfold = count / s->m->nrow};
  double *all = rbv_alloc(((size_t)rows + 1) * sizeof *all);
  c.count = rbv_alloc((size_t)count * sizeof *c.count);
  c.torque = rbv_alloc((size_t)count * sizeof *c.torque);
  rbv_status status = all && c.count && c.torque ? RBV_OK : RBV_EMEM;
  double *next = all;
  for (int g = 0; g < count && status == RBV_OK; g++) {
    c.torque[g] = next;
    next += c.group[g].public.rows;
  }
  const row_client client = {.self = &c,
                             .open = open_reclip,
                             .close = close_reclip,
                             .width = reclip_width,
                             .begin = begin_reclip,
                             .chunk = reclip_chunk,
                             .fill = reclip_fill,
                             .emit = reclip_emit,
                             .end = end_reclip,
                             .take = take_torques};
  rbv_row_filter filter = s->filter;
  filter.folds = c.nfold;
  if (status == RBV_OK) status = rbv_row_stream_run(s->m, &filter, motion, &client);
  if (status == RBV_OK) status = factor_groups(&c, count);
  RBV_FREE_ALL(all, c.count, c.torque);
  return status;
}
