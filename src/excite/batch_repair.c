#include "excite/batch_repair.h"

#include "device/device_internal.h"
#include "excite/flat_constraints.h"

#define STEP_S 0.01  // of the grid: half of the one that the CPU checks torques on

struct batch_repair {
  flat_constraints flat;
  device_repaired *repaired;  // of all trajectories of the candidates
};

void rbv_batch_repair_free(batch_repair *b) {
  if (!b) return;
  rbv_flat_constraints_free(&b->flat);
  rbv_free(b->repaired);
  rbv_free(b);
}

rbv_status rbv_batch_repair_new(batch_repair **out, const search *s, int count) {
  *out = NULL;
  batch_repair *b = rbv_alloc(sizeof *b);
  if (!b) return RBV_EMEM;
  const size_t motions = (size_t)count * (size_t)s->options->trajectories;
  b->repaired = rbv_alloc(motions * sizeof *b->repaired);
  const rbv_status status = b->repaired ? rbv_flat_constraints(&b->flat, &s->keeper[0], s->t[0],
                                                               STEP_S, rbv_search_waves(s))
                                        : RBV_EMEM;
  if (status == RBV_OK)
    *out = b;
  else
    rbv_batch_repair_free(b);
  return status;
}

rbv_status rbv_batch_repair(double *individual, bool *kept, batch_repair *b, search *s, int count) {
  const int each = s->options->trajectories;
  const rbv_trajectory *t = s->t[0];
  const keeper *k = &s->keeper[0];
  for (int i = 0; i < count * each; i++) rbv_repair_means(individual + (ptrdiff_t)i * s->n, t, k);
  b->flat.repair.individuals = (int64_t)count * each;
  const device_repair_arrays arrays = {.basis = b->flat.basis,
                                       .coefficients = individual,
                                       .values = b->flat.values,
                                       .repaired = b->repaired};
  bool stopped;
  RBV_TRY(rbv_device_repair(&stopped, s->options->device, &b->flat.repair, &arrays, NULL));
  for (int i = 0; i < count; i++) {
    kept[i] = true;
    for (int m = 0; m < each; m++) {
      const device_repaired *r = &b->repaired[i * each + m];
      kept[i] = kept[i] && r->share > 0;
      if (r->share > 0)
        rbv_repair_scale(individual + (ptrdiff_t)i * s->total + m * s->n, t, k, r->own, r->share,
                         r->about_mean);
    }
  }
  return RBV_OK;
}
