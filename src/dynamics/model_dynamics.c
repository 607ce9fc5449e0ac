/* Dynamics of a model for callers that do not want to manage a work object. */
#include <roberval/sys/dynamics.h>
#include <roberval/sys/model.h>

#include "base/support.h"

static rbv_status open_dynamics(rbv_dynamics **out, const rbv_model *model, const double *chi) {
  *out = NULL;
  if (!model) return rbv_fail(RBV_EARG, "there is no model");
  const double *values = chi ? chi : rbv_model_parameters(model);
  if (!values)
    return rbv_fail(RBV_EARG, "the robot file gives no parameter values: give them as chi");
  RBV_TRY(rbv_dynamics_new(out, model));
  const rbv_status status = rbv_dynamics_set(*out, values, rbv_model_has_payload(model));
  if (status != RBV_OK) {
    rbv_dynamics_free(*out);
    *out = NULL;
  }
  return status;
}

static rbv_states states_of(ptrdiff_t n, const double *q, const double *dq, const double *ddq) {
  return (rbv_states){.count = n, .ld = n, .q = q, .dq = dq, .ddq = ddq};
}

rbv_status rbv_model_torques(double *tau, const rbv_model *model, const double *chi, ptrdiff_t n,
                             const double *q, const double *dq, const double *ddq) {
  if (!tau || !q || !dq || !ddq || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  rbv_dynamics *d;
  RBV_TRY(open_dynamics(&d, model, chi));
  const rbv_states s = states_of(n, q, dq, ddq);
  if (n > 0) rbv_dynamics_inverse_batch(tau, n, d, &s);
  rbv_dynamics_free(d);
  return RBV_OK;
}

rbv_status rbv_model_accelerations(double *ddq, const rbv_model *model, const double *chi,
                                   ptrdiff_t n, const double *q, const double *dq,
                                   const double *tau) {
  if (!ddq || !q || !dq || !tau || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  rbv_dynamics *d;
  RBV_TRY(open_dynamics(&d, model, chi));
  rbv_status status = rbv_dynamics_check_forward(d);
  const int njoint = rbv_model_joint_count(model);
  double *x = status == RBV_OK ? rbv_alloc(4 * (size_t)njoint * sizeof *x) : NULL;
  if (status == RBV_OK && !x) status = RBV_EMEM;
  for (ptrdiff_t k = 0; k < n && status == RBV_OK; k++) {
    double *xq = x, *xdq = x + njoint, *xtau = x + 2 * njoint, *xddq = x + 3 * njoint;
    for (int j = 0; j < njoint; j++) {
      xq[j] = q[k + j * n];
      xdq[j] = dq[k + j * n];
      xtau[j] = tau[k + j * n];
    }
    bool regular;
    rbv_dynamics_forward(xddq, &regular, d, xq, xdq, xtau);
    if (!regular)
      status = rbv_fail(RBV_EINPUT, "sample %td: the mass matrix is not positive definite", k);
    for (int j = 0; j < njoint && status == RBV_OK; j++) ddq[k + j * n] = xddq[j];
  }
  rbv_free(x);
  rbv_dynamics_free(d);
  return status;
}

rbv_status rbv_model_mass_matrix(double *M, const rbv_model *model, const double *chi,
                                 const double *q) {
  if (!M || !q) return rbv_fail(RBV_EARG, "an array is missing");
  rbv_dynamics *d;
  RBV_TRY(open_dynamics(&d, model, chi));
  rbv_dynamics_mass(M, d, q);
  rbv_dynamics_free(d);
  return RBV_OK;
}

rbv_status rbv_model_regressor(double *W, const rbv_model *model, const double *q, const double *dq,
                               const double *ddq) {
  if (!W || !q || !dq || !ddq) return rbv_fail(RBV_EARG, "an array is missing");
  if (!model) return rbv_fail(RBV_EARG, "there is no model");
  rbv_dynamics *d;
  RBV_TRY(rbv_dynamics_new(&d, model));
  rbv_regressor_eval(W, d, q, dq, ddq, rbv_model_has_payload(model));
  rbv_dynamics_free(d);
  return RBV_OK;
}
