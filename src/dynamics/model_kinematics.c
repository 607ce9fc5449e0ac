/* Poses, Jacobians and gravity of a model for callers that do not want to manage a work object. */
#include <roberval/sys/dynamics.h>
#include <roberval/sys/model.h>
#include <string.h>

#include "base/support.h"

static rbv_status check_body(const rbv_model *model, int body) {
  if (!model) return rbv_fail(RBV_EARG, "there is no model");
  const int count = rbv_model_body_count(model);
  if (body < 0 || body >= count)
    return rbv_fail(RBV_EARG, "there is no body %d: the model has %d", body, count);
  return RBV_OK;
}

rbv_status rbv_model_poses(double *T, const rbv_model *model, int body, ptrdiff_t n,
                           const double *q) {
  if (!T || !q || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  RBV_TRY(check_body(model, body));
  const int njoint = rbv_model_joint_count(model);
  rbv_dynamics *d;
  RBV_TRY(rbv_dynamics_new(&d, model));
  for (ptrdiff_t k = 0; k < n; k++, T += 16) {
    double R[9], p[3];
    rbv_dynamics_pose(R, p, d, q + k * njoint, body);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) T[4 * i + j] = R[i + 3 * j];
      T[4 * i + 3] = p[i];
    }
    memcpy(T + 12, (const double[]){0, 0, 0, 1}, 4 * sizeof *T);
  }
  rbv_dynamics_free(d);
  return RBV_OK;
}

rbv_status rbv_model_jacobians(double *J, const rbv_model *model, int body, const double *point,
                               ptrdiff_t n, const double *q) {
  static const double origin[3];
  if (!J || !q || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  RBV_TRY(check_body(model, body));
  const int njoint = rbv_model_joint_count(model);
  double *columns = rbv_alloc(6 * (size_t)njoint * sizeof *columns);
  if (!columns) return RBV_EMEM;
  rbv_dynamics *d = NULL;
  const rbv_status status = rbv_dynamics_new(&d, model);
  for (ptrdiff_t k = 0; status == RBV_OK && k < n; k++) {
    rbv_dynamics_jacobian(columns, d, q + k * njoint, body, point ? point : origin);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < njoint; j++) *J++ = columns[i + 6 * j];
  }
  rbv_dynamics_free(d);
  rbv_free(columns);
  return status;
}

rbv_status rbv_model_gravity_torques(double *tau, const rbv_model *model, const double *chi,
                                     ptrdiff_t n, const double *q) {
  if (!tau || !q || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  if (!model) return rbv_fail(RBV_EARG, "there is no model");
  const double *given = chi ? chi : rbv_model_parameters(model);
  if (!given)
    return rbv_fail(RBV_EARG, "the robot file gives no parameter values: give them as chi");
  // at rest without drives: offsets, friction and springs are no gravity
  const int ncolumn = rbv_model_column_count(model), njoint = rbv_model_joint_count(model);
  double *bodies = rbv_alloc(((size_t)ncolumn + (size_t)njoint * (size_t)n) * sizeof *bodies);
  if (!bodies) return RBV_EMEM;
  for (int c = 0; c < ncolumn; c++)
    bodies[c] = rbv_model_column(model, c)->basis == RBV_BASIS_INERTIAL ? given[c] : 0;
  double *rest = bodies + ncolumn;
  memset(rest, 0, (size_t)njoint * (size_t)n * sizeof *rest);
  const rbv_status status = rbv_model_torques_by_sample(tau, model, bodies, n, q, rest, rest);
  rbv_free(bodies);
  return status;
}
