/* A part of a motion, read from the motion itself. */
#include "motion/motion.h"

#include "base/support.h"

typedef struct {
  rbv_motion *of;
  ptrdiff_t first;
} slice;

static rbv_status read_slice(void *self, const rbv_samples *out, ptrdiff_t first, ptrdiff_t count) {
  const slice *s = self;
  return rbv_motion_read(s->of, out, s->first + first, count);
}

static const rbv_motion_source slice_source = {read_slice, rbv_free};

rbv_status rbv_motion_slice(rbv_motion **out, rbv_motion *of, ptrdiff_t first, ptrdiff_t count) {
  *out = NULL;
  rbv_motion_info info = *rbv_motion_get_info(of);
  if (first < 0 || count < 1 || count > info.count - first)
    return rbv_fail(RBV_EARG, "'%s' has no %td samples from sample %td on", info.name, count,
                    first);
  slice *s = rbv_alloc(sizeof *s);
  if (!s) return RBV_EMEM;
  *s = (slice){of, first};
  if (info.uptime_s > 0) info.uptime_s += (double)first / info.rate_hz;
  info.count = count;
  RBV_TRY(rbv_motion_new(out, &info, &slice_source, s));
  const rbv_motion_origin *origin = rbv_motion_get_origin(of);
  const rbv_status status = origin ? rbv_motion_set_origin(*out, origin) : RBV_OK;
  if (status == RBV_OK) return RBV_OK;
  rbv_motion_free(*out);
  *out = NULL;
  return status;
}
