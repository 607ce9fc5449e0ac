/* Measured and predicted torques of a recording at its full rate. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identification.h>

#include "dynamics/dynamics.h"
#include "equations/state_track.h"
#include "job/job_internal.h"
#include "log/log.h"

enum { Q, DQ, DDQ, MEASURED, PREDICTED, FRICTION, RESIDUAL, SIGNALS };

static const char *const names[SIGNALS] = {"q",         "dq",       "ddq",     "measured",
                                           "predicted", "friction", "residual"};

/* Friction, springs and offsets of the drives: all laws but the rotor inertia. */
static bool is_friction(const rbv_column *c) {
  return c->basis == RBV_BASIS_LAW && !rbv_column_has_law(c, "Ia");
}

/* Working memory of a prediction, and the dynamics of all parameters and of friction alone. */
typedef struct {
  rbv_dynamics *all, *friction;
  double *chi;              // of friction
  double *load, *state;     // count x joint, count x state
  double *torque, *losses;  // count x torque row
} prediction;

static rbv_status start(prediction *p, const rbv_model *m, const double *chi, ptrdiff_t count,
                        bool loaded) {
  const size_t n = (size_t)count, nrow = (size_t)rbv_model_row_count(m);
  const int ncolumn = rbv_model_column_count(m);
  p->chi = rbv_alloc(sizeof *p->chi * (size_t)ncolumn);
  p->load = rbv_alloc(sizeof *p->load * n * (size_t)m->njoint);
  p->state = rbv_alloc(sizeof *p->state * (n * (size_t)m->nstate + 1));
  p->torque = rbv_alloc(sizeof *p->torque * n * nrow);
  p->losses = rbv_alloc(sizeof *p->losses * n * nrow);
  if (!p->chi || !p->load || !p->state || !p->torque || !p->losses) return RBV_EMEM;
  for (int c = 0; c < ncolumn; c++) p->chi[c] = is_friction(rbv_model_column(m, c)) ? chi[c] : 0;
  RBV_TRY(rbv_dynamics_new(&p->all, m));
  RBV_TRY(rbv_dynamics_set(p->all, chi, loaded));
  RBV_TRY(rbv_dynamics_new(&p->friction, m));
  return rbv_dynamics_set(p->friction, p->chi, loaded);
}

static void stop(prediction *p) {
  rbv_dynamics_free(p->all);
  rbv_dynamics_free(p->friction);
  RBV_FREE_ALL(p->chi, p->load, p->state, p->torque, p->losses);
}

/* Predicted torques, and the part of friction, of each torque row (rows x joint). NaN where the
 * smoothing does not reach: there the derivatives are not known. */
static rbv_status predict(double *const x[SIGNALS], const rbv_model *m, const double *chi,
                          const double *torque, const bool *valid, const uint32_t *contact,
                          rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t count = info->count;
  prediction p = {0};
  rbv_status status = start(&p, m, chi, count, info->loaded);
  if (status == RBV_OK) status = rbv_states_along(p.state, count, m, motion);
  if (status == RBV_OK) {
    rbv_states s = {.count = count,
                    .ld = count,
                    .q = x[Q],
                    .dq = x[DQ],
                    .ddq = x[DDQ],
                    .contact = contact,
                    .state = m->nstate > 0 ? p.state : NULL};
    // friction alone has no load of its own
    rbv_dynamics_load_batch(p.load, count, p.all, &s);
    s.load = p.load;
    rbv_dynamics_rows_batch(p.torque, count, p.all, &s);
    rbv_contacts_add(p.torque, torque, count, p.all, &s);
    rbv_dynamics_rows_batch(p.losses, count, p.friction, &s);
    for (ptrdiff_t at = 0; at < count * m->njoint; at++) {
      const bool known = valid[at % count];
      x[MEASURED][at] = torque[at];
      x[PREDICTED][at] = known ? p.torque[at] : NAN;
      x[FRICTION][at] = known ? p.losses[at] : NAN;
      x[RESIDUAL][at] = known ? torque[at] - p.torque[at] : NAN;
    }
  }
  stop(&p);
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
  uint32_t *contact = rbv_alloc(sizeof *contact * (count + 1));
  rbv_status status = all && joints && valid && contact ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    double *x[SIGNALS], *torque = all + block * SIGNALS;
    double *t = torque + count * (size_t)info->ntorque;
    for (int i = 0; i < SIGNALS; i++) x[i] = all + block * (size_t)i;
    for (int j = 0; j < n; j++) joints[j] = rbv_model_joint(m, j)->name;
    for (size_t k = 0; k < count; k++) t[k] = (double)k / info->rate_hz;
    const rbv_samples s = {.ld = info->count,
                           .q = x[Q],
                           .dq = x[DQ],
                           .ddq = x[DDQ],
                           .torque = torque,
                           .valid = valid,
                           .contact = contact};
    status = rbv_motion_read(motion, &s, 0, info->count);
    if (status == RBV_OK) status = predict(x, m, chi, torque, valid, contact, motion);
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
  RBV_FREE_ALL(contact, valid, joints, all);
  return status;
}
