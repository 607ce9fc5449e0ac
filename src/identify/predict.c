#include <math.h>
#include <roberval/sys/identify.h>

#include "identify/row_statistics.h"

static void layout(rbv_prediction *p, int nrow, rbv_arena *a) {
  p->fit.row = RBV_TAKE(a, nrow, rbv_row_fit);
}

void rbv_prediction_free(rbv_prediction *p) {
  if (p) rbv_free(p->memory);
}

/* all motions through one filter into one judgement; fit may be NULL */
static rbv_status judge_all(double *error, rbv_fit *fit, const rbv_model *m,
                            rbv_motion *const *motions, int nmotion, const double *chi,
                            const rbv_row_filter *filter) {
  rbv_judge *judge;
  RBV_TRY(rbv_judge_new(&judge, m));
  rbv_status status = RBV_OK;
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    status = rbv_judge_motion(judge, motions[i], chi, filter);
  *error = rbv_judge_error(judge);
  if (status == RBV_OK && fit) status = rbv_judge_finish(fit, judge, 0);
  rbv_judge_free(judge);
  return status;
}

rbv_status rbv_predict(rbv_prediction **out, const rbv_model *m, rbv_motion *const *motions,
                       int nmotion, const double *chi, const rbv_row_filter *filter) {
  *out = NULL;
  const int nrow = rbv_model_row_count(m);
  rbv_prediction sizes;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_prediction);
  layout(&sizes, nrow, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_prediction *p = RBV_TAKE(&carve, 1, rbv_prediction);
  layout(p, nrow, &carve);
  p->memory = memory;

  const rbv_row_filter raw = {.decimate = 1, .threads = filter->threads};
  rbv_status status = judge_all(&p->unfiltered, NULL, m, motions, nmotion, chi, &raw);
  if (status == RBV_OK)
    status = judge_all(&p->fit.relative_error, &p->fit, m, motions, nmotion, chi, filter);
  if (status == RBV_OK)
    *out = p;
  else
    rbv_prediction_free(p);
  return status;
}
