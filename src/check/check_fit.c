/* What the fit of an identification says about its recordings. */
#include <math.h>

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_FIT);

rbv_status rbv_check_fit(rbv_check_result *result, const rbv_model *model, const rbv_fit *fit,
                         bool prior) {
  if (!result || !model || !fit) return rbv_fail(RBV_EARG, "a check, a robot and a fit are needed");
  examination x = {.model = model,
                   .options = rbv_check_defaults(),
                   .finding = result->finding,
                   .nfinding = result->nfinding,
                   .capacity = result->nfinding};
  const double share = fit->relative_error;
  if (share > UNEXPLAINED) {
    rbv_add_finding(&x, finding_in(RBV_FINDING_UNEXPLAINED, RBV_SEVERITY_ERROR, -1, -1, share),
                    "the model leaves %.0f %% of the torque unexplained: the torques are noise, or "
                    "they do not belong to these positions%s",
                    100 * share,
                    prior ? ", or the prior is wrong. Check the torque columns and the prior"
                          : ". Check the torque columns");
  }
  result->finding = x.finding;
  result->nfinding = x.nfinding;
  for (int i = 0; i < x.nfinding; i++)
    result->has_errors = result->has_errors || x.finding[i].severity == RBV_SEVERITY_ERROR;
  return x.status;
}
