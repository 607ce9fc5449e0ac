/*
 * Output error: derivatives of the residuals by differences of the simulation itself. The
 * sensitivities of module sim solve the equations of the derivatives with their own scheme. Where
 * dry friction changes its sign within one step of the simulation, they differ from the derivatives
 * of the simulated positions. A search that stands still because of it goes on with differences.
 */
#include <string.h>

#include "identify/output_error.h"

#define DIFFERENCE 0.05  // of the sigma of an unknown: where the residuals are still linear

/* windows of a segment */
static ptrdiff_t windows_of(const output_run *o, int segment) {
  return o->segment[segment].count / o->decimate;
}

/* residuals of all windows with x, times factor, added to column `to` */
static rbv_status add_residuals(double *to, output_run *o, const double *x, double factor,
                                bool *done) {
  char sentence[256];
  RBV_TRY(rbv_output_simulate(o, x, done, sentence, sizeof sentence));
  for (int i = 0; i < o->nsegment && *done; i++) {
    const output_segment *g = &o->segment[i];
    for (ptrdiff_t w = 0; w < windows_of(o, i); w++) {
      rbv_output_residual(o, g->motion, g->first + w * o->decimate);
      for (int s = 0; s < o->signals; s++) *to++ += factor * o->mean[s];
    }
  }
  return RBV_OK;
}

/* the column of unknown u; a column of zeros if one of both simulations diverges */
static rbv_status difference(double *column, output_run *o, double *x, int u, ptrdiff_t rows) {
  const double at = x[u], sigma = o->step_unit[u];
  bool done = true;
  double end[2];
  for (int side = 0; side < 2; side++) {
    memcpy(x, o->x, (size_t)o->p * sizeof *x);
    x[u] = at + (side ? -DIFFERENCE : DIFFERENCE) * sigma;
    rbv_output_limit(o, x);
    end[side] = x[u];
  }
  // held by its range, or a step below the rounding of its value: no derivative
  for (int side = 0; side < 2 && done && end[0] > end[1]; side++) {
    x[u] = end[side];
    // the residual is the recorded minus the simulated position
    RBV_TRY(add_residuals(column, o, x, (side ? 1 : -1) / (end[0] - end[1]), &done));
  }
  x[u] = at;
  if (!done) memset(column, 0, (size_t)rows * sizeof *column);
  return RBV_OK;
}

rbv_status rbv_output_differences(double **out, ptrdiff_t *length, output_run *o) {
  ptrdiff_t rows = 0;
  *out = NULL;
  for (int i = 0; i < o->nsegment; i++) rows += windows_of(o, i) * o->signals;
  double *J = rbv_alloc((size_t)rows * (size_t)o->p * sizeof *J);
  double *x = rbv_alloc((size_t)o->p * sizeof *x);
  rbv_status status = J && x ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) memcpy(x, o->x, (size_t)o->p * sizeof *x);
  for (int u = 0; u < o->p && status == RBV_OK; u++)
    if (o->step_unit[u] > 0 && !(o->known[u] > 0))
      status = difference(J + (ptrdiff_t)u * rows, o, x, u, rows);
  char sentence[256];
  bool done;
  if (status == RBV_OK) status = rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
  rbv_free(x);
  *length = rows;
  RBV_GIVE(out, J, status, rbv_free(J));
}
