#include "consistency/consistency_problem.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

// without covariance: sigma relative to the typical size of a parameter of this kind
#define ASSUMED_SIGMA 1e-2
#define RELATION_ZERO 1e-12

/* ---- base parameters in use ---- */

static double variance(const rbv_consistency_input *in, int k) {
  return in->covariance ? in->covariance[k + (ptrdiff_t)k * in->count] : 1;
}

static rbv_status choose_rows(problem *p) {
  const rbv_consistency_input *in = p->input;
  p->nbase = 0;
  for (int k = 0; k < in->count; k++) {
    const double v = variance(in, k);
    if (!isfinite(v)) continue;
    if (!isfinite(in->value[k]))
      return rbv_fail(RBV_EINPUT, "base parameter %d has no finite value", k + 1);
    if (!(v > 0))
      return rbv_fail(RBV_EINPUT, "base parameter %d has a variance of %g: it must be positive",
                      k + 1, v);
    p->used[p->nbase++] = k;
  }
  return p->nbase > 0 ? RBV_OK : rbv_fail(RBV_EINPUT, "no base parameter has a finite variance");
}

/* the column of row k: 1 in this row and 0 in all others; -1 if there is none */
static int own_column(const problem *p, int k) {
  const rbv_consistency_input *in = p->input;
  for (int c = 0; c < p->n; c++) {
    bool own = fabs(in->relation[p->used[k] + (ptrdiff_t)c * in->count] - 1) <= RELATION_ZERO;
    for (int i = 0; i < p->nbase && own; i++)
      own = i == k || fabs(in->relation[p->used[i] + (ptrdiff_t)c * in->count]) <= RELATION_ZERO;
    if (own) return c;
  }
  return -1;
}

static rbv_status choose_columns(problem *p) {
  int count = 0;
  for (int k = 0; k < p->nbase; k++) {
    p->kept[k] = own_column(p, k);
    if (p->kept[k] < 0)
      return rbv_fail(RBV_EINPUT, "base parameter %d has no column of its own in the relation",
                      p->used[k] + 1);
  }
  for (int c = 0; c < p->n; c++) {
    bool kept = false;
    for (int k = 0; k < p->nbase; k++) kept = kept || p->kept[k] == c;
    if (!kept) p->rest[count++] = c;
  }
  return RBV_OK;
}

/* ---- covariance ---- */

/* parameters of one kind have the same unit: moments of one order, or drive columns of one basis */
static bool same_kind(const rbv_column *a, const rbv_column *b) {
  if (a->basis != b->basis) return false;
  return a->basis != RBV_BASIS_INERTIAL ||
         (a->component < 6) + (a->component < 9) == (b->component < 6) + (b->component < 9);
}

static double assumed_sigma(const problem *p, int k) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < p->nbase; i++)
    if (same_kind(&p->model->column[p->kept[i]], &p->model->column[p->kept[k]])) {
      sum += p->input->value[p->used[i]] * p->input->value[p->used[i]];
      count++;
    }
  return ASSUMED_SIGMA * (sum > 0 ? sqrt(sum / count) : 1);
}

/* C = F F', computed from the correlations so that units do not matter */
static rbv_status factor_covariance(problem *p) {
  const rbv_consistency_input *in = p->input;
  const int n = p->nbase;
  for (int k = 0; k < n; k++)
    p->sigma[k] = in->covariance ? sqrt(variance(in, p->used[k])) : assumed_sigma(p, k);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      p->F[i + (ptrdiff_t)j * n] =
          i == j           ? 1
          : in->covariance ? in->covariance[p->used[i] + (ptrdiff_t)p->used[j] * in->count] /
                                 (p->sigma[i] * p->sigma[j])
                           : 0;
  bool definite;
  RBV_TRY(rbv_cholesky(&definite, p->F, n, n));
  if (!definite)
    return rbv_fail(RBV_ENUM, "the covariance of the base parameters is not positive definite");
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      p->F[i + (ptrdiff_t)j * n] *= sqrt(p->options.variance) * p->sigma[i];
  return RBV_OK;
}

/* ---- coordinates ---- */

static void fill_coordinates(problem *p) {
  const rbv_consistency_input *in = p->input;
  const ptrdiff_t n = p->n, nb = p->nbase;
  for (int k = 0; k < nb; k++) {
    p->origin[p->kept[k]] = in->value[p->used[k]];
    for (int j = 0; j <= k; j++) p->T[p->kept[k] + j * n] = p->F[k + j * nb];
    for (int i = 0; i < n - nb; i++)
      p->T[p->kept[k] + (nb + i) * n] =
          -in->relation[p->used[k] + (ptrdiff_t)p->rest[i] * in->count];
  }
  for (int i = 0; i < n - nb; i++) p->T[p->rest[i] + (nb + i) * n] = 1;
  for (int j = 0; j < p->model->nbody; j++)
    for (ptrdiff_t i = 0; i < n && has_parameters(p->model, j); i++)
      p->mass[i] += p->T[p->model->link_column[j] + 9 + i * n];
}

/* rows of T that the cones use, and the number of rows of V */
static void fill_rows(problem *p) {
  const ptrdiff_t n = p->n;
  p->nrow = p->cones.rows + p->nbase;
  for (int c = 0; c < n; c++) p->nrow += p->scale[c] > 0;
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    double *rows = p->rows + c->first * n;
    for (int k = 0; k < c->count; k++) {
      const double *A = c->map + (ptrdiff_t)k * c->size * c->size;
      double slope = 0;
      for (int e = 0; e < c->size * c->size && c->kind != CONE_BOUND; e++)
        slope += c->weight * c->prior_inverse[e] * A[e];
      for (ptrdiff_t j = 0; j < n; j++) {
        rows[k + j * c->count] = p->T[c->column[k] + j * n];
        p->prior_gradient[j] += slope * rows[k + j * c->count];
      }
    }
  }
}

void rbv_problem_chi(double *chi, const problem *p, const double *u) {
  const ptrdiff_t n = p->n;
  memcpy(chi, p->origin, (size_t)n * sizeof *chi);
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++) chi[i] += p->T[i + j * n] * u[j];
}

void rbv_problem_u(double *u, const problem *p, const double *chi) {
  const rbv_consistency_input *in = p->input;
  const ptrdiff_t nb = p->nbase;
  for (int i = 0; i < p->n - nb; i++) u[nb + i] = chi[p->rest[i]];
  // w = inv(F) (K chi - x)
  for (int k = 0; k < nb; k++) {
    u[k] = -in->value[p->used[k]];
    for (ptrdiff_t c = 0; c < p->n; c++) u[k] += in->relation[p->used[k] + c * in->count] * chi[c];
    for (int j = 0; j < k; j++) u[k] -= p->F[k + j * nb] * u[j];
    u[k] /= p->F[k + k * nb];
  }
}

/* ---- memory ---- */

static void layout(problem *p, rbv_arena *a) {
  const size_t n = (size_t)p->n, s = (size_t)p->cones.largest, count = (size_t)p->input->count;
  const size_t columns = (size_t)p->cones.columns, rows = (size_t)p->cones.rows + 2 * n;
  p->used = RBV_TAKE(a, count, int);
  p->kept = RBV_TAKE(a, count, int);
  p->rest = RBV_TAKE(a, n, int);
  p->sigma = RBV_TAKE(a, count, double);
  p->F = RBV_TAKE(a, count * count, double);
  p->origin = RBV_TAKE(a, n, double);
  p->T = RBV_TAKE(a, n * n, double);
  RBV_TAKE_ALL(a, n, double, &p->prior, &p->scale, &p->mass);
  p->rows = RBV_TAKE(a, columns * n, double);
  p->prior_gradient = RBV_TAKE(a, n, double);
  p->prior_kind = RBV_TAKE(a, p->cones.nbody, rbv_prior_kind);
  RBV_TAKE_ALL(a, n, double, &p->u, &p->chi, &p->trial, &p->trial_chi, &p->best, &p->gradient,
               &p->step, &p->along);
  p->V = RBV_TAKE(a, rows * n, double);
  p->R = RBV_TAKE(a, n * n, double);
  RBV_TAKE_ALL(a, s * s, double, &p->X, &p->L, &p->Linv, &p->S);
  p->K = RBV_TAKE(a, s * s * n, double);
  p->pulled = RBV_TAKE(a, rows, double);
}

void rbv_problem_free(problem *p) {
  if (!p) return;
  rbv_qr_free(p->qr);
  rbv_free(p->cone_memory);
  rbv_free(p);
}

/* drive columns that no base parameter in use depends on */
static rbv_status new_cones(problem *p) {
  const rbv_model *m = p->model;
  const rbv_consistency_input *in = p->input;
  RBV_NEW(bool, unseen, m->ncolumn);
  for (int c = 0; c < m->ncolumn; c++) {
    unseen[c] = m->column[c].basis != RBV_BASIS_INERTIAL;
    for (int k = 0; k < in->count && unseen[c]; k++)
      unseen[c] = !isfinite(variance(in, k)) || in->relation[k + (ptrdiff_t)c * in->count] == 0;
  }
  const cone_choice choice = {p->options.mass_weight > 0, unseen, p->options.bound};
  RBV_FINISH(rbv_cones_new(&p->cones, &p->cone_memory, m, &choice), rbv_free(unseen));
}

rbv_status rbv_problem_new(problem **out, const rbv_model *m, const rbv_consistency_input *input,
                           const double *prior, const rbv_consistency_options *options) {
  *out = NULL;
  problem sizes = {.model = m, .input = input, .options = *options, .n = m->ncolumn};
  RBV_TRY(new_cones(&sizes));
  problem *p;
  RBV_CARVE_OBJECT(p, a, layout(&sizes, a));
  if (!p) {
    rbv_free(sizes.cone_memory);
    return RBV_EMEM;
  }
  *p = sizes;
  rbv_status status = rbv_qr_new(&p->qr, p->n);
  if (status == RBV_OK) status = choose_rows(p);
  if (status == RBV_OK) status = choose_columns(p);
  if (status == RBV_OK) status = factor_covariance(p);
  if (status == RBV_OK) status = rbv_problem_prior(p, prior);
  if (status == RBV_OK) {
    fill_coordinates(p);
    fill_rows(p);
    *out = p;
  } else {
    rbv_problem_free(p);
  }
  return status;
}
