/*
 * Validation: how well a result predicts other recordings. Stable.
 */
#ifndef ROBERVAL_VALIDATION_H
#define ROBERVAL_VALIDATION_H

#include <roberval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Relative error of the torque, |Y - W chi| / |Y|, on recordings that are prepared and filtered as
 * those of the result were.
 *
 *   error   out  over all recordings
 *   result  in   path of a result (JSON)
 *   logs    in   nlog paths, at least one
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_validate(double *error, const char *result,
                                               const char *const *logs, int nlog);

#ifdef __cplusplus
}
#endif
#endif
