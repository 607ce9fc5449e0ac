#include <roberval/system.h>
#include <string.h>

#include "system/pump.h"

typedef struct {
  rbv_dynamics *d;
  double *predicted;  // nrow x PUMP_CHUNK
  rbv_replay_visit *visit;
  void *self;
} replay;

static int replay_width(void *self, int row) {
  (void)self;
  (void)row;
  return 2;
}

static void replay_chunk(void *self, const rbv_states *s, bool loaded) {
  replay *r = self;
  (void)loaded;  // set once, with the parameters
  rbv_dynamics_rows_batch(r->predicted, PUMP_CHUNK, r->d, s);
}

static void replay_fill(void *self, int row, double *X, ptrdiff_t ld, ptrdiff_t count,
                        const double *torque) {
  const replay *r = self;
  memcpy(X, torque, (size_t)count * sizeof *X);
  memcpy(X + ld, r->predicted + row * PUMP_CHUNK, (size_t)count * sizeof *X);
}

static rbv_status replay_emit(void *self, int row, int fold, const double *A, ptrdiff_t ld,
                              ptrdiff_t count, ptrdiff_t masked) {
  const replay *r = self;
  (void)fold;
  (void)masked;
  if (count > 0) r->visit(r->self, row, A, A + ld, count);
  return RBV_OK;
}

rbv_status rbv_system_replay(const rbv_model *model, const rbv_row_filter *filter,
                             rbv_motion *motion, const double *chi, rbv_replay_visit *visit,
                             void *self) {
  replay r = {.visit = visit, .self = self};
  r.predicted = rbv_alloc((size_t)model->nrow * PUMP_CHUNK * sizeof *r.predicted);
  rbv_status status = r.predicted ? rbv_dynamics_new(&r.d, model) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_set(r.d, chi, rbv_motion_get_info(motion)->loaded);
  const pump_client client = {.self = &r,
                              .width = replay_width,
                              .chunk = replay_chunk,
                              .fill = replay_fill,
                              .emit = replay_emit};
  if (status == RBV_OK) status = rbv_pump_run(model, filter, motion, &client);
  rbv_dynamics_free(r.d);
  rbv_free(r.predicted);
  return status;
}
