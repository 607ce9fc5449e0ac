#include <math.h>
#include "identify/identify.h"

#include "identify/row_statistics.h"

static void layout(rbv_prediction *p, int nrow, rbv_arena *a) {
  p->fit.row = RBV_TAKE(a, nrow, rbv_row_fit);
}

void rbv_prediction_free(rbv_prediction *p) { rbv_free(p); }

/* statistics of all motions with one filter; fit may be NULL */
static rbv_status add_motions(double *error, rbv_fit *fit, const rbv_model *m,
                              rbv_motion *const *motions, int nmotion, const double *chi,
                              const rbv_row_filter *filter) {
  rbv_row_stats *stats;
  RBV_TRY(rbv_row_stats_new(&stats, m));
  rbv_status status = RBV_OK;
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    status = rbv_row_stats_add(stats, motions[i], chi, filter);
  *error = rbv_row_stats_error(stats);
  if (status == RBV_OK && fit) status = rbv_row_stats_finish(fit, stats, 0);
  rbv_row_stats_free(stats);
  return status;
}

rbv_status rbv_predict_error(double *error, const rbv_model *m, rbv_motion *const *motions,
                             int nmotion, const double *chi, const rbv_row_filter *filter) {
  return add_motions(error, NULL, m, motions, nmotion, chi, filter);
}

rbv_status rbv_predict(rbv_prediction **out, const rbv_model *m, rbv_motion *const *motions,
                       int nmotion, const double *chi, const rbv_row_filter *filter) {
  static const rbv_row_filter every_sample = {.decimate = 1};
  *out = NULL;
  if (!m || !motions || !chi || nmotion < 1)
    return rbv_fail(RBV_EARG, "a prediction needs a model, motions and parameters");
  if (!filter) filter = &every_sample;
  const int nrow = rbv_model_row_count(m);
  rbv_prediction sizes = {0};
  rbv_prediction *p;
  RBV_CARVE_OBJECT(p, a, layout(&sizes, nrow, a));
  if (!p) return RBV_EMEM;
  *p = sizes;

  const rbv_row_filter raw = {.decimate = 1, .threads = filter->threads};
  rbv_status status = add_motions(&p->unfiltered, NULL, m, motions, nmotion, chi, &raw);
  if (status == RBV_OK)
    status = add_motions(&p->fit.relative_error, &p->fit, m, motions, nmotion, chi, filter);
  if (status == RBV_OK)
    status = rbv_comparable_fit(&p->fit, NULL, m, motions, nmotion, chi, 0, filter->threads);
  const double *file = rbv_model_parameters(m);
  p->fit.baseline = NAN;
  if (status == RBV_OK && file)
    status =
        rbv_comparable_error(&p->fit.baseline, NULL, m, motions, nmotion, file, 0, filter->threads);
  RBV_GIVE(out, p, status, rbv_prediction_free(p));
}
