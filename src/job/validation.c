/* How well a result predicts other recordings. */
#include <roberval/sys/identification.h>
#include <roberval/validation.h>

#include "job/job_internal.h"

static rbv_status predict(double *error, const rbv_result_model *fitted,
                          const rbv_recordings *recordings) {
  rbv_prediction *p;
  RBV_TRY(rbv_predict(&p, fitted->model, recordings->motion, recordings->count, fitted->chi,
                      &fitted->filter));
  *error = p->fit.relative_error;
  rbv_prediction_free(p);
  return RBV_OK;
}

rbv_status rbv_validate(double *error, const char *result, const char *const *logs, int nlog) {
  if (!error || !result || !logs || nlog < 1)
    return rbv_fail(RBV_EARG,
                    "a result, at least one recording and a place for the error are "
                    "needed");
  for (int i = 0; i < nlog; i++)
    if (!logs[i]) return rbv_fail(RBV_EARG, "recording %d has no path", i + 1);
  rbv_result_model fitted;
  rbv_recordings recordings = {0};
  RBV_TRY(rbv_result_model_load(&fitted, result, NULL, NULL));
  const rbv_recording_use use = {.gain = fitted.gain,
                                 .controller = rbv_recording_law(&fitted.options)};
  rbv_status status = rbv_recordings_add(&recordings, fitted.model, &fitted.options.recording, &use,
                                         logs, nlog, NULL);
  if (status == RBV_OK) status = predict(error, &fitted, &recordings);
  rbv_recordings_free(&recordings);
  rbv_result_model_free(&fitted);
  return status;
}

rbv_status rbv_result_open_robot(rbv_model **model, double **chi, const char *result) {
  if (!model || !chi) return rbv_fail(RBV_EARG, "a place for model and parameters is needed");
  *model = NULL;
  *chi = NULL;
  if (!result) return rbv_fail(RBV_EARG, "the path of a result is needed");
  rbv_result_model fitted;
  RBV_TRY(rbv_result_model_load(&fitted, result, NULL, NULL));
  *model = fitted.model;
  *chi = fitted.chi;
  fitted.model = NULL;
  fitted.chi = NULL;
  rbv_result_model_free(&fitted);
  return RBV_OK;
}

void rbv_values_free(double *chi) { rbv_free(chi); }
