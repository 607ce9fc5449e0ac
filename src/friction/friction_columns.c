/*
 * Columns of the candidates. Most of them come again in the next pass: their values along motions
 * that are not long are kept.
 */
#include <string.h>

#include "equations/row_stream.h"
#include "friction/friction_internal.h"

#define CHUNK ROW_CHUNK

enum {
  KEPT_SAMPLES = 1 << 16,  // of a motion: at most, so that two threads never write the same ones
  KEPT_BYTES = 1 << 27     // of all motions together
};

/* ---- kept values ---- */

struct kept_column {
  const rbv_law *law;
  int joint;
  double shape[LAW_SHAPES];
  double *value;  // one per sample
};

void rbv_kept_values_free(kept_values *k, int nmotion) {
  for (int m = 0; k && m < nmotion; m++) {
    for (int i = 0; i < k[m].count; i++) rbv_free(k[m].column[i].value);
    rbv_free(k[m].column);
  }
  rbv_free(k);
}

/* the values of a candidate among the first `count`, NULL: they are not kept */
static double *find_values(const kept_values *k, int count, const candidate *c) {
  for (int i = 0; i < count; i++) {
    const kept_column *at = &k->column[i];
    if (at->law == c->law && at->joint == c->joint &&
        memcmp(at->shape, c->shape, sizeof at->shape) == 0)
      return at->value;
  }
  return NULL;
}

/* room for the values of a candidate */
static rbv_status keep_values(double **out, kept_values *k, const candidate *c, ptrdiff_t samples) {
  const size_t n = (size_t)k->count;
  kept_column *all = rbv_realloc(k->column, n * sizeof *all, (n + 1) * sizeof *all);
  if (!all) return RBV_EMEM;
  k->column = all;
  all[n] = (kept_column){.law = c->law, .joint = c->joint};
  memcpy(all[n].shape, c->shape, sizeof c->shape);
  *out = all[n].value = rbv_alloc((size_t)samples * sizeof **out);
  if (!*out) return RBV_EMEM;
  k->count++;
  return RBV_OK;
}

rbv_status rbv_friction_columns_begin(candidates *all, kept_values *k, size_t *used,
                                      const rbv_motion *motion) {
  const ptrdiff_t samples = rbv_motion_get_info(motion)->count;
  const size_t bytes = (size_t)samples * sizeof(double);
  const int complete = k->count;
  all->nstate = 0;
  for (int i = 0; i < all->count; i++) {
    candidate *c = &all->item[i];
    c->kept = find_values(k, complete, c);
    c->known = c->kept != NULL;
    // values near that of a chosen term change with each pass
    if (!c->known && c->kind >= 0 && samples <= KEPT_SAMPLES && *used + bytes <= KEPT_BYTES) {
      RBV_TRY(keep_values(&c->kept, k, c, samples));
      *used += bytes;
    }
    c->state = -1;
    if (c->known || c->law->state_count == 0) continue;
    c->state = all->nstate++;
    all->law[c->state] = (state_law){.law = c->law, .joint = c->joint};
    memcpy(all->law[c->state].shape, c->shape, sizeof c->shape);
  }
  return RBV_OK;
}

/* ---- evaluation ---- */

/* working memory of one thread */
typedef struct {
  const candidates *all;
  state_cursor cursor;
  double *state;  // nstate x CHUNK
  double *sign;   // CHUNK
} column_worker;

static void close_worker(void *self) {
  column_worker *w = self;
  rbv_state_cursor_close(&w->cursor);
  rbv_free(w->state);
  rbv_free(w->sign);
  rbv_free(w);
}

static rbv_status open_worker(void **out, void *self, rbv_motion *motion) {
  const candidates *all = self;
  (void)motion;
  column_worker *w = rbv_alloc(sizeof *w);
  if (!w) return RBV_EMEM;
  w->all = all;
  w->state = rbv_alloc((size_t)(all->nstate + 1) * CHUNK * sizeof *w->state);
  w->sign = rbv_alloc(CHUNK * sizeof *w->sign);
  rbv_status status = w->state && w->sign ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = rbv_state_cursor_open(&w->cursor, all->track);
  if (status == RBV_OK)
    *out = w;
  else
    close_worker(w);
  return status;
}

static rbv_status eval(double *X, ptrdiff_t ld, void *self, const rbv_states *s, ptrdiff_t first) {
  column_worker *w = self;
  const candidates *all = w->all;
  if (s->count > CHUNK || s->ld != CHUNK) return rbv_fail(RBV_EARG, "a chunk is too long");
  RBV_TRY(rbv_state_cursor_read(w->state, CHUNK, &w->cursor, first, s->count, s->dq));
  for (int j = 0; j < all->model->njoint; j++) {
    const double *v = s->dq + j * s->ld;
    const rbv_smoothing how = rbv_model_smoothing(all->model, j);
    double slope;
    for (ptrdiff_t k = 0; k < s->count; k++) w->sign[k] = rbv_law_sign(&slope, v[k], how);
    for (int i = 0; i < all->count; i++) {
      const candidate *c = &all->item[i];
      if (c->joint != j) continue;
      if (c->known) {
        memcpy(X + i * ld, c->kept + first, (size_t)s->count * sizeof *X);
        continue;
      }
      const law_samples at = {.motion = v,
                              .sign = w->sign,
                              .torque = s->load + j * s->ld,
                              .state = c->state >= 0 ? w->state + c->state * CHUNK : NULL,
                              .shape = c->shape};
      c->law->values(X + i * ld, 1, NULL, &at, (int)s->count);
      if (c->kept) memcpy(c->kept + first, X + i * ld, (size_t)s->count * sizeof *X);
    }
  }
  return RBV_OK;
}

extra_columns rbv_friction_columns(candidates *all) {
  return (extra_columns){.count = all->count,
                         .row = all->row,
                         .self = all,
                         .open = open_worker,
                         .close = close_worker,
                         .eval = eval};
}
