/* Dynamics of a model for callers that do not want to manage a work object. */
#include <roberval/sys/dynamics.h>
#include <roberval/sys/model.h>
#include <string.h>

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

/* ---- sample by sample ---- */

#define BLOCK 64  // samples whose arrays stay in the cache

/* a block of samples as the batch functions need it: sample k of joint j at [k + j * BLOCK] */
typedef struct {
  rbv_dynamics *d;
  int njoint;
  double *in[3];  // njoint x BLOCK each
  double *out;    // of the batch function
  double *memory;
} transposed;

static void close_block(transposed *b) {
  rbv_free(b->memory);
  rbv_dynamics_free(b->d);
}

/* values: of a sample in the output */
static rbv_status open_block(transposed *b, const rbv_model *model, int values) {
  b->njoint = rbv_model_joint_count(model);
  b->memory = rbv_alloc((size_t)(3 * b->njoint + values) * BLOCK * sizeof *b->memory);
  if (!b->memory) {
    close_block(b);
    return RBV_EMEM;
  }
  for (int i = 0; i < 3; i++) b->in[i] = b->memory + (ptrdiff_t)i * b->njoint * BLOCK;
  b->out = b->memory + (ptrdiff_t)3 * b->njoint * BLOCK;
  return RBV_OK;
}

static int samples_from(ptrdiff_t k, ptrdiff_t n) { return n - k < BLOCK ? (int)(n - k) : BLOCK; }

/* samples k ... of row-major arrays, NULL where an array is not used */
static rbv_states take_block(transposed *b, ptrdiff_t k, int count, const double *const from[3]) {
  for (int i = 0; i < 3; i++)
    for (int s = 0; from[i] && s < count; s++)
      for (int j = 0; j < b->njoint; j++)
        b->in[i][s + j * BLOCK] = from[i][(k + s) * b->njoint + j];
  return (rbv_states){.count = count, .ld = BLOCK, .q = b->in[0], .dq = b->in[1], .ddq = b->in[2]};
}

static void put_block(double *to, const transposed *b, ptrdiff_t k, int count) {
  for (int s = 0; s < count; s++)
    for (int j = 0; j < b->njoint; j++) to[(k + s) * b->njoint + j] = b->out[s + j * BLOCK];
}

rbv_status rbv_model_torques_by_sample(double *tau, const rbv_model *model, const double *chi,
                                       ptrdiff_t n, const double *q, const double *dq,
                                       const double *ddq) {
  if (!tau || !q || !dq || !ddq || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  transposed b = {0};
  RBV_TRY(open_dynamics(&b.d, model, chi));
  RBV_TRY(open_block(&b, model, rbv_model_joint_count(model)));
  for (ptrdiff_t k = 0; k < n; k += BLOCK) {
    const int count = samples_from(k, n);
    const rbv_states s = take_block(&b, k, count, (const double *const[]){q, dq, ddq});
    rbv_dynamics_inverse_batch(b.out, BLOCK, b.d, &s);
    put_block(tau, &b, k, count);
  }
  close_block(&b);
  return RBV_OK;
}

rbv_status rbv_model_accelerations_by_sample(double *ddq, const rbv_model *model, const double *chi,
                                             ptrdiff_t n, const double *q, const double *dq,
                                             const double *tau) {
  if (!ddq || !q || !dq || !tau || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  transposed b = {0};
  RBV_TRY(open_dynamics(&b.d, model, chi));
  RBV_TRY(open_block(&b, model, rbv_model_joint_count(model)));
  rbv_status status = rbv_dynamics_check_forward(b.d);
  for (ptrdiff_t k = 0; k < n && status == RBV_OK; k += BLOCK) {
    const int count = samples_from(k, n);
    const rbv_states s = take_block(&b, k, count, (const double *const[]){q, dq, tau});
    bool regular[BLOCK];
    rbv_dynamics_forward_batch(b.out, BLOCK, regular, b.d, &s, b.in[2], BLOCK);
    for (int i = 0; i < count && status == RBV_OK; i++)
      if (!regular[i])
        status =
            rbv_fail(RBV_EINPUT, "sample %td: the mass matrix is not positive definite", k + i);
    if (status == RBV_OK) put_block(ddq, &b, k, count);
  }
  close_block(&b);
  return status;
}

rbv_status rbv_model_mass_matrices(double *M, const rbv_model *model, const double *chi,
                                   ptrdiff_t n, const double *q) {
  if (!M || !q || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  rbv_dynamics *d;
  RBV_TRY(open_dynamics(&d, model, chi));
  const int njoint = rbv_model_joint_count(model);
  for (ptrdiff_t k = 0; k < n; k++) rbv_dynamics_mass(M + k * njoint * njoint, d, q + k * njoint);
  rbv_dynamics_free(d);
  return RBV_OK;
}

/* the entries of a block as full rows */
static void put_rows(double *W, const rbv_model *model, const double *entries, int count) {
  const int nrow = rbv_model_row_count(model), ncolumn = rbv_model_column_count(model);
  for (int s = 0; s < count; s++)
    for (int r = 0; r < nrow; r++, W += ncolumn) {
      const rbv_row *row = rbv_model_row(model, r);
      const double *e = entries + s + (ptrdiff_t)row->first * BLOCK;
      memset(W, 0, (size_t)ncolumn * sizeof *W);
      for (int c = 0; c < row->count; c++) W[row->columns[c]] = e[(ptrdiff_t)c * BLOCK];
    }
}

rbv_status rbv_model_regressors(double *W, const rbv_model *model, ptrdiff_t n, const double *q,
                                const double *dq, const double *ddq) {
  if (!W || !q || !dq || !ddq || n < 0) return rbv_fail(RBV_EARG, "an array is missing");
  if (!model) return rbv_fail(RBV_EARG, "there is no model");
  const ptrdiff_t size = (ptrdiff_t)rbv_model_row_count(model) * rbv_model_column_count(model);
  transposed b = {0};
  RBV_TRY(rbv_dynamics_new(&b.d, model));
  RBV_TRY(open_block(&b, model, rbv_model_entry_count(model)));
  for (ptrdiff_t k = 0; k < n; k += BLOCK) {
    const int count = samples_from(k, n);
    const rbv_states s = take_block(&b, k, count, (const double *const[]){q, dq, ddq});
    rbv_regressor_batch(b.out, BLOCK, b.d, &s, rbv_model_has_payload(model));
    put_rows(W + k * size, model, b.out, count);
  }
  close_block(&b);
  return RBV_OK;
}
