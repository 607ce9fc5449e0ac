/* A trajectory as a motion: samples are computed when they are read. */
#include <math.h>

#include "motion/motion.h"
#include "trajectory/classes.h"

typedef struct {
  rbv_trajectory *trajectory;
  double rate_hz;
} source;

static rbv_status read_samples(void *self, const rbv_samples *out, ptrdiff_t first,
                               ptrdiff_t count) {
  const source *s = self;
  rbv_trajectory_sample(out, s->trajectory, (double)first / s->rate_hz, 1 / s->rate_hz, count);
  return RBV_OK;
}

static void free_source(void *self) {
  source *s = self;
  rbv_trajectory_free(s->trajectory);
  rbv_free(s);
}

static const rbv_motion_source kind = {read_samples, free_source};

ptrdiff_t rbv_trajectory_samples(const rbv_trajectory *t, double rate_hz) {
  // the last sample of a period is the first of the next period
  const bool repeats = rbv_class_of(t->shape.kind)->periodic && t->shape.blend_s == 0;
  return (ptrdiff_t)llround(rbv_trajectory_duration(t) * rate_hz) + (repeats ? 0 : 1);
}

rbv_status rbv_trajectory_motion(rbv_motion **out, const rbv_trajectory *t, const char *name,
                                 double rate_hz) {
  *out = NULL;
  if (!(rate_hz > 0) || !isfinite(rate_hz))
    return rbv_fail(RBV_EARG, "the sample rate must be positive, not %g Hz", rate_hz);
  if (rbv_trajectory_duration(t) * rate_hz > 1e9)
    return rbv_fail(RBV_EARG, "%g s at %g Hz give too many samples", rbv_trajectory_duration(t),
                    rate_hz);
  RBV_NEW(source, s, 1);
  s->rate_hz = rate_hz;
  RBV_TRY_OR(rbv_trajectory_clone(&s->trajectory, t), free_source(s));
  const rbv_motion_info info = {.name = name ? name : "trajectory",
                                .njoint = t->shape.njoint,
                                .count = rbv_trajectory_samples(t, rate_hz),
                                .rate_hz = rate_hz};
  return rbv_motion_new(out, &info, &kind, s);
}
