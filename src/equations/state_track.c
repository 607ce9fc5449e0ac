#include "equations/state_track.h"

#include <string.h>

#define STRIDE 512   // samples between stored states
#define SHORT 16384  // samples of a motion that is read from its start: only the first is stored

struct state_track {
  rbv_motion *motion;
  const state_law *law;
  int count, njoint;
  bool recorded;  // a law depends on the recorded temperature
  double dt;
  ptrdiff_t nstored;
  double *stored;  // count x nstored: states before sample i STRIDE
};

void rbv_state_track_free(state_track *t) { rbv_free(t); }

void rbv_state_laws(state_law *out, const rbv_model *m) {
  for (int i = 0; i < m->nterm; i++) {
    const drive_term *term = &m->term[i];
    if (term->state < 0) continue;
    out[term->state] = (state_law){.law = term->law, .joint = m->direction_joint[term->first]};
    memcpy(out[term->state].shape, term->shape, sizeof term->shape);
  }
}

/* advance the states over samples; state (may be NULL) receives the states after each */
static void advance(double *now, double *state, ptrdiff_t ld, const state_track *t,
                    const double *dq, ptrdiff_t lddq, ptrdiff_t count) {
  for (int i = 0; i < t->count; i++) {
    const state_law *s = &t->law[i];
    const double *v = dq + s->joint * lddq;
    for (ptrdiff_t k = 0; k < count && !s->law->state_recorded; k++) {
      s->law->state_step(&now[i], &(rbv_law_input){.motion = v[k], .shape = s->shape}, t->dt);
      if (state) state[k + i * ld] = now[i];
    }
  }
}

static rbv_status read_speeds(double *dq, const state_track *t, ptrdiff_t first, ptrdiff_t count) {
  const rbv_samples samples = {.ld = STRIDE, .dq = dq};
  return rbv_motion_read(t->motion, &samples, first, count);
}

/* states that follow from temperatures; work: njoint x STRIDE */
static rbv_status read_recorded(double *state, ptrdiff_t ld, const state_track *t, ptrdiff_t first,
                                ptrdiff_t count, double *work) {
  for (ptrdiff_t at = 0; at < count && t->recorded; at += STRIDE) {
    const ptrdiff_t n = count - at < STRIDE ? count - at : STRIDE;
    const rbv_samples samples = {.ld = STRIDE, .temperature = work};
    RBV_TRY(rbv_motion_read(t->motion, &samples, first + at, n));
    for (int i = 0; i < t->count; i++) {
      const state_law *s = &t->law[i];
      for (ptrdiff_t k = 0; k < n && s->law->state_recorded; k++)
        state[at + k + i * ld] = s->law->state_recorded(work[k + s->joint * STRIDE], s->shape);
    }
  }
  return RBV_OK;
}

rbv_status rbv_states_along(double *state, ptrdiff_t ld, const rbv_model *m, rbv_motion *motion) {
  if (m->nstate == 0) return RBV_OK;
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  state_law *laws = rbv_alloc((size_t)m->nstate * sizeof *laws);
  double *dq = rbv_alloc((size_t)info->njoint * STRIDE * sizeof *dq);
  state_track *track = NULL;
  state_cursor cursor = {0};
  rbv_status status = laws && dq ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) rbv_state_laws(laws, m);
  if (status == RBV_OK) status = rbv_state_track_new(&track, motion, laws, m->nstate);
  if (status == RBV_OK) status = rbv_state_cursor_open(&cursor, track);
  for (ptrdiff_t k = 0; k < info->count && status == RBV_OK; k += STRIDE) {
    const ptrdiff_t count = info->count - k < STRIDE ? info->count - k : STRIDE;
    status = read_speeds(dq, track, k, count);
    if (status == RBV_OK) advance(cursor.now, state + k, ld, track, dq, STRIDE, count);
    if (status == RBV_OK) status = read_recorded(state + k, ld, track, k, count, cursor.dq);
  }
  rbv_state_cursor_close(&cursor);
  rbv_state_track_free(track);
  rbv_free(dq);
  rbv_free(laws);
  return status;
}

/* the states before the first sample */
static void start(state_track *t) {
  const double uptime = rbv_motion_get_info(t->motion)->uptime_s;
  for (int i = 0; i < t->count; i++) {
    const state_law *s = &t->law[i];
    t->stored[i] = rbv_law_state_start(s->law, uptime, s->shape);
  }
}

static rbv_status require_temperatures(const state_track *t) {
  const rbv_motion_info *info = rbv_motion_get_info(t->motion);
  if (!t->recorded || info->temperature) return RBV_OK;
  return rbv_fail(RBV_EINPUT,
                  "%s: friction that changes with temperature needs a column temp, or temp1 to "
                  "temp%d, without missing values",
                  info->name, info->njoint);
}

static rbv_status store(state_track *t) {
  RBV_NEW(double, dq, (size_t)t->njoint *STRIDE);
  rbv_status status = RBV_OK;
  for (ptrdiff_t i = 0; i + 1 < t->nstored && status == RBV_OK; i++) {
    double *now = t->stored + (i + 1) * t->count;
    memcpy(now, now - t->count, (size_t)t->count * sizeof *now);
    status = read_speeds(dq, t, i * STRIDE, STRIDE);
    if (status == RBV_OK) advance(now, NULL, 0, t, dq, STRIDE, STRIDE);
  }
  rbv_free(dq);
  return status;
}

rbv_status rbv_state_track_new(state_track **out, rbv_motion *motion, const state_law *laws,
                               int count) {
  *out = NULL;
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t nstored = info->count > SHORT ? info->count / STRIDE + 1 : 1;
  const size_t stored = (size_t)nstored * (size_t)count * sizeof(double);
  state_track *t = rbv_alloc(sizeof *t + stored);
  if (!t) return RBV_EMEM;
  *t = (state_track){.motion = motion,
                     .law = laws,
                     .count = count,
                     .njoint = info->njoint,
                     .dt = 1 / info->rate_hz,
                     .nstored = nstored,
                     .stored = (double *)(t + 1)};
  for (int i = 0; i < count; i++) t->recorded = t->recorded || laws[i].law->state_recorded;
  rbv_status status = require_temperatures(t);
  if (status == RBV_OK) {
    start(t);
    status = store(t);
  }
  RBV_GIVE(out, t, status, rbv_state_track_free(t));
}

rbv_status rbv_state_cursor_open(state_cursor *out, const state_track *t) {
  *out = (state_cursor){.track = t, .next = -1};
  if (!t) return RBV_OK;
  out->now = rbv_alloc((size_t)t->count * sizeof(double));
  out->dq = rbv_alloc((size_t)t->njoint * STRIDE * sizeof(double));
  if (out->now && out->dq) return RBV_OK;
  rbv_state_cursor_close(out);
  return RBV_EMEM;
}

void rbv_state_cursor_close(state_cursor *c) {
  rbv_free(c->now);
  rbv_free(c->dq);
  *c = (state_cursor){0};
}

rbv_status rbv_state_cursor_read(double *state, ptrdiff_t ld, state_cursor *c, ptrdiff_t first,
                                 ptrdiff_t count, const double *dq) {
  const state_track *t = c->track;
  if (!t) return RBV_OK;
  if (first != c->next) {
    // from the stored states before
    const ptrdiff_t whole = first / STRIDE, at = whole < t->nstored ? whole : t->nstored - 1;
    c->next = -1;
    memcpy(c->now, t->stored + at * t->count, (size_t)t->count * sizeof *c->now);
    for (ptrdiff_t k = at * STRIDE; k < first; k += STRIDE) {
      const ptrdiff_t n = first - k < STRIDE ? first - k : STRIDE;
      RBV_TRY(read_speeds(c->dq, t, k, n));
      advance(c->now, NULL, 0, t, c->dq, STRIDE, n);
    }
  }
  advance(c->now, state, ld, t, dq, ld, count);
  c->next = first + count;
  return read_recorded(state, ld, t, first, count, c->dq);
}
