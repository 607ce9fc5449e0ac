#include <roberval/motion.h>

#include "base/support.h"

typedef struct {
  rbv_motion *states, *torques;
  ptrdiff_t skip;
} joined;

static rbv_status read_joined(void *self, const rbv_samples *out, ptrdiff_t first,
                              ptrdiff_t count) {
  const joined *j = self;
  rbv_samples states = *out, torques = {.ld = out->ld, .torque = out->torque};
  states.torque = NULL;
  RBV_TRY(rbv_motion_read(j->states, &states, first, count));
  if (out->torque) RBV_TRY(rbv_motion_read(j->torques, &torques, first, count));
  for (ptrdiff_t k = 0; k < count && first + k < j->skip && out->valid; k++) out->valid[k] = false;
  return RBV_OK;
}

static const rbv_motion_source joined_source = {read_joined, rbv_free};

rbv_status rbv_motion_join(rbv_motion **out, rbv_motion *states, rbv_motion *torques,
                           ptrdiff_t skip) {
  *out = NULL;
  const rbv_motion_info *a = rbv_motion_get_info(states), *b = rbv_motion_get_info(torques);
  if (a->count != b->count || a->njoint != b->njoint)
    return rbv_fail(RBV_EDIM, "'%s' has %td samples of %d joints, '%s' %td of %d", a->name,
                    a->count, a->njoint, b->name, b->count, b->njoint);
  joined *j = rbv_alloc(sizeof *j);
  if (!j) return RBV_EMEM;
  *j = (joined){states, torques, skip};
  rbv_motion_info info = *b;
  return rbv_motion_new(out, &info, &joined_source, j);
}
