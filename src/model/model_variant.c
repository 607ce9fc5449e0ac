/* Variants of a model: the same robot file with other terms, and the draft that they share. */
#include <math.h>
#include <string.h>

#include "model/model_draft.h"

void rbv_core_release(model_core *core) {
  if (!core || atomic_fetch_sub(&core->users, 1) > 1) return;
  rbv_draft_free(&core->draft);
  rbv_document_free(core->document);
  rbv_free(core->file);
  rbv_free(core);
}

/* ---- results of other modules ---- */

void rbv_cache_release(model_cache *c) {
  if (!c || atomic_fetch_sub(&c->owners, 1) > 0) return;
  if (c->value) c->free(c->value);
  pthread_mutex_destroy(&c->lock);
  rbv_free(c);
}

static rbv_status new_cache(rbv_model *m) {
  m->cache = rbv_alloc(sizeof *m->cache);
  if (!m->cache) return RBV_EMEM;
  pthread_mutex_init(&m->cache->lock, NULL);
  return RBV_OK;
}

/* the same columns act in the same torque rows, under the same gravity */
static bool same_columns(const rbv_model *a, const rbv_model *b) {
  if (a->carrier != b->carrier || a->njoint != b->njoint) return false;
  if (memcmp(a->gravity, b->gravity, sizeof a->gravity) != 0) return false;
  if (a->ncolumn != b->ncolumn || a->sensing != b->sensing || a->nentry != b->nentry) return false;
  for (int c = 0; c < a->ncolumn; c++)
    if (strcmp(a->column[c].name, b->column[c].name) != 0) return false;
  return true;
}

static void share_cache(rbv_model *m, const rbv_model *other) {
  if (!same_columns(m, other)) return;
  rbv_cache_release(m->cache);
  m->cache = other->cache;
  atomic_fetch_add(&m->cache->owners, 1);
}

/* ---- values that a model gets after its terms are laid out ---- */

static void set_shapes(rbv_model *m) {
  for (int i = 0; i < m->terms.nshape; i++) {
    const rbv_shape_value *v = &m->terms.shape[i];
    if (rbv_model_law_of_shape(m, v->joint, v->name))
      m->shape[v->joint * LAW_SHAPE_KINDS + rbv_shape_kind_find(v->name)] = v->value;
  }
}

static void set_smoothing(rbv_model *m) {
  for (int j = 0; j < m->njoint && m->terms.smooth; j++) {
    const rbv_smoothing now = rbv_model_smoothing(m, j);
    const double speed = m->terms.smooth[j];
    if (!(now.gamma > 0 || now.speed > 0) && speed > 0)
      m->shape[j * LAW_SHAPE_KINDS + rbv_shape_kind_find("smooth")] = speed;
  }
}

static void set_values(rbv_model *m) {
  set_shapes(m);
  set_smoothing(m);
  rbv_model_shape_terms(m);
  for (int t = 0; t < m->nterm && m->terms.rest_gamma > 0; t++)
    if (!(m->term[t].smoothing.gamma > 0 || m->term[t].smoothing.speed > 0))
      m->term[t].smoothing.gamma = m->terms.rest_gamma;
}

/* ---- terms ---- */

/* a copy of an array; NULL stays NULL */
static bool copy(const void **array, size_t bytes) {
  void *own = NULL;
  if (*array && bytes > 0) {
    own = rbv_alloc(bytes);
    if (own) memcpy(own, *array, bytes);
  }
  const bool done = own || !*array || bytes == 0;
  *array = own;
  return done;
}

/* copies of the arrays; shape parameters have the names of their table */
static rbv_status take_terms(rbv_model *m, const rbv_model_terms *terms) {
  rbv_model_terms t = *terms;
  const size_t n = (size_t)m->njoint;
  bool done = copy((const void **)&t.friction, (size_t)t.nfriction * sizeof *t.friction);
  done &= copy((const void **)&t.shape, (size_t)t.nshape * sizeof *t.shape);
  done &= copy((const void **)&t.smooth, n * sizeof *t.smooth);
  done &= copy((const void **)&t.gravity, 3 * sizeof *t.gravity);
  m->terms = t;
  for (int i = 0; i < t.nshape && t.shape; i++) {
    const int kind = rbv_shape_kind_find(t.shape[i].name);
    if (kind < 0 || t.shape[i].joint < 0 || t.shape[i].joint >= m->njoint)
      return rbv_fail(RBV_EARG, "joint %d has no shape parameter '%s'", t.shape[i].joint + 1,
                      t.shape[i].name);
    ((rbv_shape_value *)(uintptr_t)t.shape)[i].name = rbv_shape_kind(kind)->name;
  }
  return done ? RBV_OK : RBV_EMEM;
}

rbv_status rbv_core_build(rbv_model **out, model_core *core, const rbv_model_terms *terms) {
  rbv_model *m;
  *out = NULL;
  RBV_TRY(rbv_draft_build(&m, &core->draft, terms));
  rbv_status status = take_terms(m, terms);
  if (status == RBV_OK) status = new_cache(m);
  if (status != RBV_OK) {
    rbv_model_free(m);
    return status;
  }
  m->core = core;
  atomic_fetch_add(&core->users, 1);
  set_values(m);
  *out = m;
  return RBV_OK;
}

const char *rbv_model_file(const rbv_model *m) { return m->core->file; }

rbv_model *rbv_model_retain(const rbv_model *m) {
  rbv_model *same = (rbv_model *)(uintptr_t)m;  // only the number of owners changes
  if (same) atomic_fetch_add(&same->owners, 1);
  return same;
}

rbv_model_terms rbv_model_get_terms(const rbv_model *m) { return m->terms; }

rbv_status rbv_model_variant(rbv_model **out, const rbv_model *m, const rbv_model_terms *terms) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the model");
  *out = NULL;
  if (!m || !terms) return rbv_fail(RBV_EARG, "a variant needs a model and its terms");
  RBV_TRY(rbv_core_build(out, m->core, terms));
  memcpy((*out)->sha256, m->sha256, sizeof m->sha256);
  share_cache(*out, m);
  return RBV_OK;
}

rbv_status rbv_model_smooth(rbv_model **model, const double *speed) {
  const rbv_model *m = *model;
  rbv_model_terms terms = rbv_model_get_terms(m);
  RBV_NEW(double, all, m->njoint);
  // a speed that was given before stays
  for (int j = 0; j < m->njoint; j++)
    all[j] = terms.smooth && terms.smooth[j] > 0 ? terms.smooth[j] : speed[j];
  terms.smooth = all;
  rbv_model *fresh;
  const rbv_status status = rbv_model_variant(&fresh, m, &terms);
  rbv_free(all);
  if (status != RBV_OK) return status;
  rbv_model_free(*model);
  *model = fresh;
  return RBV_OK;
}

rbv_status rbv_model_smooth_like(rbv_model **model, const rbv_model *other) {
  const int n = (*model)->njoint;
  if (!other || other->njoint != n)
    return rbv_fail(RBV_EDIM, "smoothing of another robot, which has %d joints", n);
  RBV_NEW(double, speed, n);
  for (int j = 0; j < n; j++) speed[j] = rbv_model_smoothing(other, j).speed;
  RBV_FINISH(rbv_model_smooth(model, speed), rbv_free(speed));
}
