/* Measured and predicted torques of a recording at its full rate. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identification.h>
#include <string.h>

#include "job/job_internal.h"

enum { Q, DQ, DDQ, MEASURED, PREDICTED, FRICTION, RESIDUAL, SIGNALS };

static const char *const names[SIGNALS] = {"q",         "dq",       "ddq",     "measured",
                                           "predicted", "friction", "residual"};

/* Friction, springs and offsets of the drives: all laws but the rotor inertia. */
static bool is_friction(const rbv_column *c) {
  return c->basis == RBV_BASIS_LAW && !rbv_column_has_law(c, "Ia");
}

/* Predicted torques, and the part of friction, of each torque row (rows x joint). NaN where the
 * smoothing does not reach: there the derivatives are not known. */
static rbv_status predict(double *const x[SIGNALS], const rbv_model *m, const double *chi,
                          const double *torque, const bool *valid, ptrdiff_t count, bool loaded) {
  const int n = rbv_model_joint_count(m), nrow = rbv_model_row_count(m);
  const int ncolumn = rbv_model_column_count(m);
  rbv_dynamics *d = NULL;
  double *W = rbv_alloc(sizeof *W * (size_t)nrow * (size_t)ncolumn);
  double *s = rbv_alloc(sizeof *s * 3 * (size_t)n);
  rbv_status status = W && s ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  for (ptrdiff_t k = 0; k < count && status == RBV_OK; k++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < n; j++) s[i * n + j] = x[i][k + j * count];
    rbv_regressor_eval(W, d, s, s + n, s + 2 * n, loaded);
    for (int r = 0; r < n; r++) {
      double sum = 0, friction = 0;
      for (int c = 0; c < ncolumn; c++) {
        const double part = W[r + c * nrow] * chi[c];
        sum += part;
        if (is_friction(rbv_model_column(m, c))) friction += part;
      }
      const ptrdiff_t at = k + r * count;
      x[MEASURED][at] = torque[at];
      x[PREDICTED][at] = valid[k] ? sum : NAN;
      x[FRICTION][at] = valid[k] ? friction : NAN;
      x[RESIDUAL][at] = valid[k] ? torque[at] - sum : NAN;
    }
  }
  rbv_dynamics_free(d);
  rbv_free(W);
  rbv_free(s);
  return status;
}

rbv_status rbv_trace_recording(const char *path, const rbv_model *m, rbv_motion *motion,
                               const double *chi) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const int n = rbv_model_joint_count(m);
  const size_t count = (size_t)info->count, block = count * (size_t)n;
  if (rbv_model_row_count(m) < n || info->ntorque < n)
    return rbv_fail(RBV_EUNSUPPORTED, "%s: a trace needs a torque of every joint", path);
  double *all = rbv_alloc(sizeof *all * (block * SIGNALS + block * (size_t)info->ntorque + count));
  const char **joints = rbv_alloc(sizeof *joints * (size_t)n);
  bool *valid = rbv_alloc(sizeof *valid * (count + 1));
  rbv_status status = all && joints && valid ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    double *x[SIGNALS], *torque = all + block * SIGNALS;
    double *t = torque + count * (size_t)info->ntorque;
    for (int i = 0; i < SIGNALS; i++) x[i] = all + block * (size_t)i;
    for (int j = 0; j < n; j++) joints[j] = rbv_model_joint(m, j)->name;
    for (size_t k = 0; k < count; k++) t[k] = (double)k / info->rate_hz;
    const rbv_samples s = {
        .ld = info->count, .q = x[Q], .dq = x[DQ], .ddq = x[DDQ], .torque = torque, .valid = valid};
    status = rbv_motion_read(motion, &s, 0, info->count);
    if (status == RBV_OK) status = predict(x, m, chi, torque, valid, info->count, info->loaded);
    rbv_trace_signal signals[SIGNALS];
    for (int i = 0; i < SIGNALS; i++)
      signals[i] = (rbv_trace_signal){names[i], x[i], i >= MEASURED};
    const rbv_trace trace = {.joints = joints,
                             .njoint = n,
                             .t = t,
                             .rows = info->count,
                             .signals = signals,
                             .nsignal = SIGNALS};
    if (status == RBV_OK) status = rbv_trace_write(path, &trace);
  }
  rbv_free(valid);
  rbv_free(joints);
  rbv_free(all);
  return status;
}
