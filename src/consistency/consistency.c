/* Consistency of all bodies and drive columns of a robot. */
#include <math.h>
#include <roberval/sys/linalg.h>

#include "consistency/cone.h"

#define ROUNDING 1e-12  // relative to the largest eigenvalue: smaller ones count as zero

static void layout(rbv_consistency *r, rbv_arena *a) {
  r->body = RBV_TAKE(a, r->nbody, rbv_body);
  r->drive = RBV_TAKE(a, r->ndrive, rbv_drive);
}

/* true if there is no negative eigenvalue, except for rounding */
static rbv_status is_positive(bool *out, const cone *c, const double *chi) {
  RBV_NEW(double, X, c->size * c->size + c->size);
  double *values = X + c->size * c->size, size = 0;
  rbv_cone_matrix(X, c, chi);
  const rbv_status status = rbv_eigen_symmetric(values, NULL, X, c->size, c->size);
  for (int i = 0; i < c->size && status == RBV_OK; i++) size = fmax(size, fabs(values[i]));
  *out = status == RBV_OK && values[0] >= (c->size > 1 ? -ROUNDING * size : 0);
  rbv_free(X);
  return status;
}

static rbv_status fill(rbv_consistency *r, const cone_set *set, const double *chi) {
  int at = 0;
  for (int i = 0; i < set->count; i++) {
    const cone *c = &set->cone[i];
    if (c->kind == CONE_BODY) {
      rbv_body *its = &r->body[inertial_place(set->model, c->body)];
      RBV_TRY(rbv_body_check(its, chi + c->column[0]));
      r->faults += its->fault != RBV_BODY_CONSISTENT;
      continue;
    }
    bool finite = true, positive = false;
    for (int k = 0; k < c->count; k++) finite = finite && isfinite(chi[c->column[k]]);
    if (finite) RBV_TRY(is_positive(&positive, c, chi));
    for (int k = 0; k < c->count; k++)
      r->drive[at++] = (rbv_drive){c->column[k], chi[c->column[k]], c->count > 1, positive};
    r->faults += !positive;
  }
  return RBV_OK;
}

rbv_status rbv_consistency_new(rbv_consistency **out, const rbv_model *m, const double *chi) {
  *out = NULL;
  if (!m || !chi) return rbv_fail(RBV_EARG, "a consistency check needs a model and parameters");
  cone_set set;
  char *memory;
  RBV_TRY(rbv_cones_new(&set, &memory, m, &(cone_choice){0}));
  rbv_consistency sizes = {.nbody = inertial_place(m, set.nbody)};
  for (int i = 0; i < set.count; i++)
    if (set.cone[i].kind == CONE_DRIVE) sizes.ndrive += set.cone[i].count;
  rbv_consistency *r;
  RBV_CARVE_OBJECT(r, a, layout(&sizes, a));
  if (r) *r = sizes;
  const rbv_status status = r ? fill(r, &set, chi) : RBV_EMEM;
  rbv_free(memory);
  RBV_GIVE(out, r, status, rbv_free(r));
}

void rbv_consistency_free(rbv_consistency *r) { rbv_free(r); }
