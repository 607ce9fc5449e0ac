/* The decimation whose residuals are nearest to white (Jubien 2014 section 3.3). */
#include <math.h>
#include <string.h>

#include "equations/equations.h"
#include "job/identification_internal.h"

static const double factors[] = {0.25, 0.5, 1, 2, 4, 8, 16};  // of the decimation from the cut-off

/* how far the residuals are from white: mean of |Durbin-Watson - 2| over the torques */
typedef struct {
  int decimate;
  double distance;
  double least, most;  // Durbin-Watson of the torques
} whiteness;

static rbv_status try_filter(whiteness *out, const rbv_identification *job,
                             const rbv_row_filter *filter) {
  rbv_identify_options how = job->how;
  how.method = "wls";
  how.filter = *filter;
  how.bootstrap = 0;
  how.consistent = how.essential = false;
  how.progress = NULL;
  rbv_estimate *e;
  RBV_TRY(rbv_identify(&e, job->model, job->fit.motion, job->fit.count, &how));
  *out = (whiteness){filter->decimate, 0, INFINITY, -INFINITY};
  for (int r = 0; r < e->fit.nrow; r++) {
    const double dw = e->fit.row[r].durbin_watson;
    out->distance += fabs(dw - 2) / e->fit.nrow;
    out->least = fmin(out->least, dw);
    out->most = fmax(out->most, dw);
  }
  rbv_estimate_free(e);
  return RBV_OK;
}

rbv_status rbv_identification_whiten_rows(rbv_identification *job) {
  const char *by = job->options.decimate_by;
  if (!by || strcmp(by, "durbin-watson") != 0) return RBV_OK;
  const rbv_row_filter usual = job->how.filter;
  whiteness best = {0, INFINITY, 0, 0}, first = {0, INFINITY, 0, 0}, now = first;
  for (int i = 0; i < RBV_COUNT(factors); i++) {
    rbv_row_filter f = usual;
    const int wanted = (int)fmax(1, rint(factors[i] * usual.decimate));
    // the band of the usual one belongs to the cut-off; those of the others to their rate
    if (wanted != usual.decimate) f.band = 0;
    f.decimate = wanted;
    RBV_TRY(rbv_filter_limit(&f, job->model, &job->fit, 1 - job->options.holdout));
    // too few equations; from here on there are fewer
    if (f.decimate != wanted) break;
    RBV_TRY(rbv_identification_blame(try_filter(&now, job, &f), job));
    if (wanted == usual.decimate) first = now;
    if (!(now.distance < best.distance)) continue;
    best = now;
    job->how.filter = f;
  }
  if (best.decimate > 0 && first.decimate > 0)
    rbv_tell(
        &job->notes, "decimate",
        "decimation by %d: Durbin-Watson of the torques %.2f to %.2f; by %d, from the cut-off, "
        "%.2f to %.2f",
        best.decimate, best.least, best.most, first.decimate, first.least, first.most);
  return RBV_OK;
}
