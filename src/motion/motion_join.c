#include "motion/motion.h"

#include "base/support.h"

#define PIECE 512

typedef struct {
  rbv_motion *states, *torques;
  ptrdiff_t skip;
} joined;

/* a sample stays valid only if the other motion has it as valid too */
static rbv_status join_valid(bool *valid, rbv_motion *other, ptrdiff_t first, ptrdiff_t count) {
  bool good[PIECE];
  for (ptrdiff_t from = 0; from < count; from += PIECE) {
    const ptrdiff_t n = count - from < PIECE ? count - from : PIECE;
    const rbv_samples samples = {.ld = n, .valid = good};
    RBV_TRY(rbv_motion_read(other, &samples, first + from, n));
    for (ptrdiff_t k = 0; k < n; k++) valid[from + k] = valid[from + k] && good[k];
  }
  return RBV_OK;
}

static rbv_status read_joined(void *self, const rbv_samples *out, ptrdiff_t first,
                              ptrdiff_t count) {
  const joined *j = self;
  rbv_samples states = *out, torques = {.ld = out->ld,
                                        .torque = out->torque,
                                        .temperature = out->temperature,
                                        .contact = out->contact};
  states.torque = states.temperature = NULL;
  states.contact = NULL;
  RBV_TRY(rbv_motion_read(j->states, &states, first, count));
  if (out->torque || out->temperature || out->contact)
    RBV_TRY(rbv_motion_read(j->torques, &torques, first, count));
  for (ptrdiff_t k = 0; k < count && first + k < j->skip && out->valid; k++) out->valid[k] = false;
  return out->valid ? join_valid(out->valid, j->torques, first, count) : RBV_OK;
}

static const rbv_motion_source joined_source = {read_joined, rbv_free};

rbv_status rbv_motion_join(rbv_motion **out, rbv_motion *states, rbv_motion *torques,
                           ptrdiff_t skip) {
  *out = NULL;
  const rbv_motion_info *a = rbv_motion_get_info(states), *b = rbv_motion_get_info(torques);
  if (a->count != b->count || a->njoint != b->njoint)
    return rbv_fail(RBV_EDIM, "'%s' has %td samples of %d joints, '%s' %td of %d", a->name,
                    a->count, a->njoint, b->name, b->count, b->njoint);
  RBV_NEW(joined, j, 1);
  *j = (joined){states, torques, skip};
  rbv_motion_info info = *b;
  return rbv_motion_new(out, &info, &joined_source, j);
}
