#include <roberval/sys/motion.h>

#include <string.h>

#include "base/support.h"
#include "motion/motion_adopt.h"

struct rbv_motion {
  rbv_motion_info info;
  rbv_motion_source source;
  void *self;
  char *name;
  rbv_motion_origin *origin;  // one block with its arrays; NULL: not set
  rbv_motion *standard;       // NULL: the motion itself
};

static const char *name_of(const rbv_motion_info *info) {
  return info->name ? info->name : "motion";
}

static rbv_status check(const rbv_motion_info *info) {
  if (info->njoint < 1 || info->ntorque < 0)
    return rbv_fail(RBV_EARG, "a motion needs at least one joint");
  if (info->count < 1) return rbv_fail(RBV_EARG, "the motion '%s' has no samples", name_of(info));
  if (!(info->rate_hz > 0))
    return rbv_fail(RBV_EARG, "the motion '%s' has a sample rate of %g Hz: it must be positive",
                    name_of(info), info->rate_hz);
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
  *m = (rbv_motion){.info = *info, .source = *source, .self = self, .name = name};
  m->info.name = name;
  *out = m;
  return RBV_OK;
}

void rbv_motion_free(rbv_motion *m) {
  if (!m) return;
  m->source.free(m->self);
  rbv_motion_free(m->standard);
  RBV_FREE_ALL(m->name, m->origin, m);
}

void rbv_motion_set_standard(rbv_motion *m, rbv_motion *standard) {
  rbv_motion_free(m->standard);
  m->standard = standard;
}

rbv_motion *rbv_motion_standard(rbv_motion *m) { return m->standard ? m->standard : m; }

const rbv_motion_info *rbv_motion_get_info(const rbv_motion *m) { return &m->info; }

rbv_status rbv_motion_read(rbv_motion *m, const rbv_samples *out, ptrdiff_t first,
                           ptrdiff_t count) {
  if (first < 0 || count < 0 || count > m->info.count - first)
    return rbv_fail(RBV_EARG, "cannot read %td samples starting at %td: '%s' has %td", count, first,
                    m->name, m->info.count);
  if (out->ld < count)
    return rbv_fail(RBV_EDIM, "%td samples do not fit into a leading dimension of %td", count,
                    out->ld);
  if (out->torque && m->info.ntorque == 0)
    return rbv_fail(RBV_EARG, "the motion '%s' has no torque", m->name);
  if (out->temperature && !m->info.temperature)
    return rbv_fail(RBV_EARG, "the motion '%s' has no temperatures", m->name);
  for (ptrdiff_t k = 0; out->valid && k < count; k++) out->valid[k] = true;
  for (ptrdiff_t k = 0; out->contact && k < count; k++) out->contact[k] = UINT32_MAX;
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
  if (m->origin) return rbv_fail(RBV_EARG, "the origin of '%s' is already set", m->name);
  rbv_arena a = {0};
  RBV_CARVE(&a, m->origin = copy_origin(&a, origin, &m->info));
  return m->origin ? RBV_OK : RBV_EMEM;
}

/* ---- motion in memory ---- */

typedef struct {
  int njoint, ntorque;
  bool masked;    // some samples may be invalid
  bool warm;      // with temperatures
  bool touches;   // with contacts
  rbv_samples x;  // x.valid is used only when masked
  char *memory;   // block that contains the arrays of x; NULL: they are borrowed
} array;

static void layout(array *a, rbv_arena *arena) {
  const size_t column = (size_t)a->x.ld;
  RBV_TAKE_ALL(arena, column * (size_t)a->njoint, double, &a->x.q, &a->x.dq, &a->x.ddq);
  a->x.torque = RBV_TAKE(arena, column * (size_t)a->ntorque, double);
  a->x.temperature = a->warm ? RBV_TAKE(arena, column * (size_t)a->njoint, double) : NULL;
  a->x.valid = a->masked ? RBV_TAKE(arena, column, bool) : NULL;
  a->x.contact = a->touches ? RBV_TAKE(arena, column, uint32_t) : NULL;
}

static void copy(double *to, ptrdiff_t ldto, const double *from, ptrdiff_t ldfrom, ptrdiff_t rows,
                 int columns) {
  for (int j = 0; to && from && j < columns; j++)
    memcpy(to + j * ldto, from + j * ldfrom, (size_t)rows * sizeof *to);
}

/* copy count samples, starting at first, from the array */
static void copy_samples(const rbv_samples *to, const array *a, ptrdiff_t first, ptrdiff_t count) {
  const rbv_samples *x = &a->x;
  copy(to->q, to->ld, x->q + first, x->ld, count, a->njoint);
  copy(to->dq, to->ld, x->dq + first, x->ld, count, a->njoint);
  copy(to->ddq, to->ld, x->ddq + first, x->ld, count, a->njoint);
  if (a->ntorque > 0) copy(to->torque, to->ld, x->torque + first, x->ld, count, a->ntorque);
  if (a->warm) copy(to->temperature, to->ld, x->temperature + first, x->ld, count, a->njoint);
  if (to->valid && a->masked) memcpy(to->valid, x->valid + first, (size_t)count * sizeof(bool));
  if (to->contact && a->touches)
    memcpy(to->contact, x->contact + first, (size_t)count * sizeof *to->contact);
}

static rbv_status read_array(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count) {
  copy_samples(out, self, first, count);
  return RBV_OK;
}

static void free_array(void *self) {
  rbv_free(((array *)self)->memory);
  rbv_free(self);
}

static const rbv_motion_source array_source = {read_array, free_array};

static rbv_status check_arrays(const rbv_motion_info *info, const rbv_samples *s) {
  RBV_TRY(check(info));
  if (!s->q || !s->dq || !s->ddq || (info->ntorque > 0 && !s->torque) ||
      (info->temperature && !s->temperature) || (info->contact && !s->contact) ||
      s->ld < info->count)
    return rbv_fail(RBV_EARG, "the motion '%s': an array is missing, or ld is less than count",
                    name_of(info));
  return RBV_OK;
}

rbv_status rbv_motion_adopt(rbv_motion **out, const rbv_motion_info *info, const rbv_samples *s,
                            char *memory) {
  *out = NULL;
  const rbv_status status = check_arrays(info, s);
  array *a = status == RBV_OK ? rbv_alloc(sizeof *a) : NULL;
  if (!a) {
    rbv_free(memory);
    return status == RBV_OK ? RBV_EMEM : status;
  }
  *a = (array){info->njoint, info->ntorque, s->valid != NULL, info->temperature, info->contact,
               *s,           memory};
  return rbv_motion_new(out, info, &array_source, a);
}

rbv_status rbv_motion_from_arrays(rbv_motion **out, const rbv_motion_info *info,
                                  const rbv_samples *s) {
  *out = NULL;
  RBV_TRY(check_arrays(info, s));
  const array borrowed = {
      info->njoint, info->ntorque, s->valid != NULL, info->temperature, info->contact, *s, NULL};
  array copied = borrowed;
  copied.x.ld = info->count;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&copied, &carve));
  if (!carve.base) return RBV_EMEM;
  copy_samples(&copied.x, &borrowed, 0, info->count);
  return rbv_motion_adopt(out, info, &copied.x, carve.base);
}
