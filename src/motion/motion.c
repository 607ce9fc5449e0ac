#include <roberval/motion.h>

#include <string.h>

#include "base/support.h"

struct rbv_motion {
  rbv_motion_info info;
  rbv_motion_source source;
  void *self;
  char *name;
  rbv_motion_origin *origin;  // one block with its arrays; NULL: not told
};

static const char *name_of(const rbv_motion_info *info) {
  return info->name ? info->name : "motion";
}

static rbv_status check(const rbv_motion_info *info) {
  if (info->njoint < 1 || info->ntorque < 0)
    return rbv_fail(RBV_EARG, "a motion needs at least one joint");
  if (info->count < 1) return rbv_fail(RBV_EARG, "the motion '%s' has no samples", name_of(info));
  if (!(info->rate_hz > 0))
    return rbv_fail(RBV_EARG, "the motion '%s' has the rate %g Hz", name_of(info), info->rate_hz);
  return RBV_OK;
}

rbv_status rbv_motion_new(rbv_motion **out, const rbv_motion_info *info,
                          const rbv_motion_source *source, void *self) {
  *out = NULL;
  rbv_status status = check(info);
  rbv_motion *m = status == RBV_OK ? rbv_alloc(sizeof *m) : NULL;
  char *name = m ? rbv_strdup(name_of(info)) : NULL;
  if (!name) {
    rbv_free(m);
    source->free(self);
    return status == RBV_OK ? RBV_EMEM : status;
  }
  *m = (rbv_motion){*info, *source, self, name, NULL};
  m->info.name = name;
  *out = m;
  return RBV_OK;
}

void rbv_motion_free(rbv_motion *m) {
  if (!m) return;
  m->source.free(m->self);
  rbv_free(m->name);
  rbv_free(m->origin);
  rbv_free(m);
}

const rbv_motion_info *rbv_motion_get_info(const rbv_motion *m) { return &m->info; }

rbv_status rbv_motion_read(rbv_motion *m, const rbv_samples *out, ptrdiff_t first,
                           ptrdiff_t count) {
  if (first < 0 || count < 0 || count > m->info.count - first)
    return rbv_fail(RBV_EARG, "%td samples from %td on were asked for; '%s' has %td", count, first,
                    m->name, m->info.count);
  if (out->ld < count)
    return rbv_fail(RBV_EDIM, "%td samples do not fit in columns of %td", count, out->ld);
  if (out->torque && m->info.ntorque == 0)
    return rbv_fail(RBV_EARG, "the motion '%s' has no torque", m->name);
  for (ptrdiff_t k = 0; out->valid && k < count; k++) out->valid[k] = true;
  return m->source.read(m->self, out, first, count);
}

/* ---- origin ---- */

const rbv_motion_origin *rbv_motion_get_origin(const rbv_motion *m) { return m->origin; }

static const double *copy_numbers(rbv_arena *a, const double *from, int count) {
  if (!from) return NULL;
  double *to = RBV_TAKE(a, count, double);
  if (to) memcpy(to, from, (size_t)count * sizeof *to);
  return to;
}

static rbv_motion_origin *copy_origin(rbv_arena *a, const rbv_motion_origin *from,
                                      const rbv_motion_info *info) {
  rbv_motion_origin *to = RBV_TAKE(a, 1, rbv_motion_origin), copy = *from;
  copy.nvr = copy_numbers(a, from->nvr, 2 * info->njoint);
  copy.position_noise = copy_numbers(a, from->position_noise, info->njoint);
  copy.torque_noise = copy_numbers(a, from->torque_noise, info->ntorque);
  if (to) *to = copy;
  return to;
}

rbv_status rbv_motion_set_origin(rbv_motion *m, const rbv_motion_origin *origin) {
  if (m->origin) return rbv_fail(RBV_EARG, "the origin of '%s' is known already", m->name);
  rbv_arena measure = {0};
  (void)copy_origin(&measure, origin, &m->info);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  m->origin = copy_origin(&carve, origin, &m->info);
  return RBV_OK;
}

/* ---- in memory ---- */

typedef struct {
  ptrdiff_t count;
  int njoint, ntorque;
  bool masked;                    // some samples may be invalid
  double *q, *dq, *ddq, *torque;  // packed columns
  bool *valid;
} array;

static void layout(array *a, rbv_arena *arena) {
  const size_t column = (size_t)a->count;
  a->q = RBV_TAKE(arena, column * (size_t)a->njoint, double);
  a->dq = RBV_TAKE(arena, column * (size_t)a->njoint, double);
  a->ddq = RBV_TAKE(arena, column * (size_t)a->njoint, double);
  a->torque = RBV_TAKE(arena, column * (size_t)a->ntorque, double);
  a->valid = RBV_TAKE(arena, a->masked ? column : 0, bool);
}

static void copy(double *to, ptrdiff_t ldto, const double *from, ptrdiff_t ldfrom, ptrdiff_t rows,
                 int columns) {
  for (int j = 0; to && from && j < columns; j++)
    memcpy(to + j * ldto, from + j * ldfrom, (size_t)rows * sizeof *to);
}

static rbv_status read_array(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count) {
  const array *a = self;
  copy(out->q, out->ld, a->q + first, a->count, count, a->njoint);
  copy(out->dq, out->ld, a->dq + first, a->count, count, a->njoint);
  copy(out->ddq, out->ld, a->ddq + first, a->count, count, a->njoint);
  copy(out->torque, out->ld, a->torque + first, a->count, count, a->ntorque);
  if (out->valid && a->masked) memcpy(out->valid, a->valid + first, (size_t)count * sizeof(bool));
  return RBV_OK;
}

static const rbv_motion_source array_source = {read_array, rbv_free};

rbv_status rbv_motion_from_arrays(rbv_motion **out, const rbv_motion_info *info,
                                  const rbv_samples *s) {
  *out = NULL;
  RBV_TRY(check(info));
  if (!s->q || !s->dq || !s->ddq || (info->ntorque > 0 && !s->torque) || s->ld < info->count)
    return rbv_fail(RBV_EARG, "the motion '%s' lacks an array, or its columns are too short",
                    name_of(info));
  array sizes = {.count = info->count,
                 .njoint = info->njoint,
                 .ntorque = info->ntorque,
                 .masked = s->valid != NULL};
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, array);
  layout(&sizes, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  array *a = RBV_TAKE(&carve, 1, array);
  *a = sizes;
  layout(a, &carve);
  copy(a->q, a->count, s->q, s->ld, a->count, a->njoint);
  copy(a->dq, a->count, s->dq, s->ld, a->count, a->njoint);
  copy(a->ddq, a->count, s->ddq, s->ld, a->count, a->njoint);
  copy(a->torque, a->count, s->torque, s->ld, a->count, a->ntorque);
  if (a->masked) memcpy(a->valid, s->valid, (size_t)a->count * sizeof(bool));
  return rbv_motion_new(out, info, &array_source, a);
}
