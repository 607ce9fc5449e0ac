#include "physical/problem.h"

#include <math.h>
#include <roberval/linalg.h>
#include <string.h>

#define ASSUMED_SIGMA 1e-2  // without a covariance: of the typical size of a parameter's kind
#define RELATION_ZERO 1e-12

/* ---- which base parameters take part ---- */

static double variance(const rbv_physical_input *in, int k) {
  return in->covariance ? in->covariance[k + (ptrdiff_t)k * in->count] : 1;
}

static rbv_status choose_rows(problem *p) {
  const rbv_physical_input *in = p->input;
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

/* the column that stands for row k: 1 there and 0 in all others */
static int own_column(const problem *p, int k) {
  const rbv_physical_input *in = p->input;
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
      return rbv_fail(RBV_EINPUT, "base parameter %d has no column of its own in the relations",
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

/* parameters of one kind have one unit: moments of one order, or drive columns of one basis */
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

/* C = F F', by way of the correlations so that units do not matter */
static rbv_status factor_covariance(problem *p) {
  const rbv_physical_input *in = p->input;
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
    for (int i = j; i < n; i++) p->F[i + (ptrdiff_t)j * n] *= p->sigma[i];
  return RBV_OK;
}

/* ---- coordinates ---- */

static void fill_coordinates(problem *p) {
  const rbv_physical_input *in = p->input;
  const ptrdiff_t n = p->n, nb = p->nbase;
  for (int k = 0; k < nb; k++) {
    p->origin[p->kept[k]] = in->value[p->used[k]];
    for (int j = 0; j <= k; j++) p->T[p->kept[k] + j * n] = p->F[k + j * nb];
    for (int i = 0; i < n - nb; i++)
      p->T[p->kept[k] + (nb + i) * n] =
          -in->relation[p->used[k] + (ptrdiff_t)p->rest[i] * in->count];
  }
  for (int i = 0; i < n - nb; i++) p->T[p->rest[i] + (nb + i) * n] = 1;
  for (int j = 0; j < p->model->njoint; j++)
    for (ptrdiff_t i = 0; i < n; i++) p->mass[i] += p->T[p->model->link_column[j] + 9 + i * n];
}

void rbv_problem_chi(double *chi, const problem *p, const double *u) {
  const ptrdiff_t n = p->n;
  memcpy(chi, p->origin, (size_t)n * sizeof *chi);
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++) chi[i] += p->T[i + j * n] * u[j];
}

void rbv_problem_u(double *u, const problem *p, const double *chi) {
  const rbv_physical_input *in = p->input;
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
  const size_t n = (size_t)p->n, s = (size_t)p->cones.largest, most = n > 10 ? n : 10;
  const size_t count = (size_t)p->input->count;
  p->used = RBV_TAKE(a, count, int);
  p->kept = RBV_TAKE(a, count, int);
  p->rest = RBV_TAKE(a, n, int);
  p->sigma = RBV_TAKE(a, count, double);
  p->F = RBV_TAKE(a, count * count, double);
  p->origin = RBV_TAKE(a, n, double);
  p->T = RBV_TAKE(a, n * n, double);
  p->prior = RBV_TAKE(a, n, double);
  p->scale = RBV_TAKE(a, n, double);
  p->mass = RBV_TAKE(a, n, double);
  p->prior_kind = RBV_TAKE(a, p->cones.nbody, rbv_prior_kind);
  p->u = RBV_TAKE(a, n, double);
  p->chi = RBV_TAKE(a, n, double);
  p->trial = RBV_TAKE(a, n, double);
  p->trial_chi = RBV_TAKE(a, n, double);
  p->gradient = RBV_TAKE(a, n, double);
  p->step = RBV_TAKE(a, n, double);
  p->along = RBV_TAKE(a, n, double);
  p->H = RBV_TAKE(a, n * n, double);
  p->X = RBV_TAKE(a, s * s, double);
  p->U = RBV_TAKE(a, s * s, double);
  p->Uinv = RBV_TAKE(a, s * s, double);
  p->half = RBV_TAKE(a, s * s, double);
  p->B = RBV_TAKE(a, most * s * s, double);
  p->block = RBV_TAKE(a, most * most, double);
  p->rows = RBV_TAKE(a, most * n, double);
  p->product = RBV_TAKE(a, most * n, double);
}

void rbv_problem_free(problem *p) {
  if (!p) return;
  rbv_free(p->cone_memory);
  rbv_free(p);
}

rbv_status rbv_problem_new(problem **out, const rbv_model *m, const rbv_physical_input *input,
                           const double *prior, const rbv_physical_options *options) {
  *out = NULL;
  problem sizes = {.model = m, .input = input, .options = *options, .n = m->ncolumn};
  RBV_TRY(rbv_cones_new(&sizes.cones, &sizes.cone_memory, m, options->bound));
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, problem);
  layout(&sizes, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) {
    rbv_free(sizes.cone_memory);
    return RBV_EMEM;
  }
  problem *p = RBV_TAKE(&carve, 1, problem);
  *p = sizes;
  layout(p, &carve);
  rbv_status status = choose_rows(p);
  if (status == RBV_OK) status = choose_columns(p);
  if (status == RBV_OK) status = factor_covariance(p);
  if (status == RBV_OK) status = rbv_problem_prior(p, prior);
  if (status == RBV_OK) {
    fill_coordinates(p);
    *out = p;
  } else {
    rbv_problem_free(p);
  }
  return status;
}

/* ---- objective ---- */

/* weight of -log det of a cone, and of its divergence */
static double log_weight(const weights *w, const cone *c) {
  return c->kind == CONE_BOUND ? w->bound : w->divergence + w->barrier;
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* what holds columns that nothing else holds: ((chi - prior) / scale)^2 */
static double soft_value(const problem *p, const double *chi) {
  double sum = 0;
  for (int c = 0; c < p->n; c++)
    if (p->scale[c] > 0) {
      const double z = (chi[c] - p->prior[c]) / p->scale[c];
      sum += z * z;
    }
  return sum;
}

/* log det and tr(inv(X0) X) of a cone; X is left in p->X, its factors in U and, if wanted, Uinv */
static rbv_status look_into(bool *inside, double *log_det, double *trace, problem *p, const cone *c,
                            const double *chi, bool invert) {
  const int square = c->size * c->size;
  rbv_cone_matrix(p->X, c, chi);
  memcpy(p->U, p->X, (size_t)square * sizeof *p->U);
  RBV_TRY(rbv_cone_factor(inside, p->U, invert ? p->Uinv : NULL, log_det, c->size));
  *trace = c->kind == CONE_BOUND ? 0 : dot(c->prior_inverse, p->X, square);
  return RBV_OK;
}

rbv_status rbv_problem_value(double *value, bool *inside, problem *p, const weights *w,
                             const double *u) {
  rbv_problem_chi(p->trial_chi, p, u);
  *value = INFINITY;
  *inside = true;
  double sum = dot(u, u, p->nbase) + w->divergence * soft_value(p, p->trial_chi);
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    double log_det, trace;
    RBV_TRY(look_into(inside, &log_det, &trace, p, c, p->trial_chi, false));
    if (!*inside) return RBV_OK;
    sum += w->divergence * trace - log_weight(w, c) * log_det;
  }
  *value = sum;
  return RBV_OK;
}

rbv_status rbv_problem_terms(double *chi2, double *divergence, problem *p, const double *u) {
  rbv_problem_chi(p->chi, p, u);
  *chi2 = dot(u, u, p->nbase);
  *divergence = soft_value(p, p->chi);
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    bool inside;
    double log_det = NAN, trace;
    if (c->kind == CONE_BOUND) continue;
    RBV_TRY(look_into(&inside, &log_det, &trace, p, c, p->chi, false));
    *divergence += trace - (log_det - c->prior_log_det) - c->size;
  }
  return RBV_OK;
}

/* ---- derivatives ---- */

/* B_k = inv(U)' A_k inv(U), so that tr(inv(X) A_k) = tr(B_k), tr(inv(X) A_k inv(X) A_l) = B_k.B_l
 */
static void congruence(problem *p, const cone *c) {
  const int s = c->size;
  for (int k = 0; k < c->count; k++) {
    const double *A = c->map + (ptrdiff_t)k * s * s;
    double *B = p->B + (ptrdiff_t)k * s * s;
    for (int j = 0; j < s; j++)
      for (int i = 0; i < s; i++) {
        double sum = 0;
        for (int l = 0; l <= j; l++) sum += A[i + l * s] * p->Uinv[l + j * s];
        p->half[i + j * s] = sum;
      }
    for (int j = 0; j < s; j++)
      for (int i = 0; i < s; i++) {
        double sum = 0;
        for (int l = 0; l <= i; l++) sum += p->Uinv[l + i * s] * p->half[l + j * s];
        B[i + j * s] = sum;
      }
  }
}

/* H += rows' block rows, lower triangle; rows: those of T that belong to the cone */
static void add_block(problem *p, const int *column, int count) {
  const ptrdiff_t n = p->n;
  for (ptrdiff_t j = 0; j < n; j++)
    for (int k = 0; k < count; k++) p->rows[k + j * count] = p->T[column[k] + j * n];
  for (ptrdiff_t j = 0; j < n; j++) {
    double *out = p->product + j * count;
    bool any = false;
    for (int k = 0; k < count; k++) {
      out[k] = dot(p->block + (ptrdiff_t)k * count, p->rows + j * count, count);
      any = any || out[k] != 0;
    }
    for (ptrdiff_t i = j; i < n && any; i++)
      p->H[i + j * n] += dot(p->rows + i * count, out, count);
  }
}

static rbv_status add_cone(problem *p, const weights *w, const cone *c) {
  const int square = c->size * c->size, n = p->n;
  const double weight = log_weight(w, c);
  bool inside;
  double log_det, trace;
  RBV_TRY(look_into(&inside, &log_det, &trace, p, c, p->chi, true));
  if (!inside) return rbv_fail(RBV_ENUM, "a step left the consistent parameters");
  congruence(p, c);
  for (int k = 0; k < c->count; k++) {
    const double *B = p->B + (ptrdiff_t)k * square;
    double slope = 0;
    for (int i = 0; i < c->size; i++) slope -= weight * B[i + i * c->size];
    if (c->kind != CONE_BOUND)
      slope += w->divergence * dot(c->prior_inverse, c->map + (ptrdiff_t)k * square, square);
    for (ptrdiff_t j = 0; j < n; j++) p->gradient[j] += slope * p->T[c->column[k] + j * n];
    for (int l = 0; l < c->count; l++)
      p->block[l + k * c->count] = weight * dot(B, p->B + (ptrdiff_t)l * square, square);
  }
  add_block(p, c->column, c->count);
  return RBV_OK;
}

rbv_status rbv_problem_derivatives(problem *p, const weights *w, const double *u) {
  const ptrdiff_t n = p->n;
  rbv_problem_chi(p->chi, p, u);
  memset(p->gradient, 0, (size_t)n * sizeof *p->gradient);
  memset(p->H, 0, (size_t)(n * n) * sizeof *p->H);
  for (int k = 0; k < p->nbase; k++) {
    p->gradient[k] = 2 * u[k];
    p->H[k + k * n] = 2;
  }
  for (int i = 0; i < p->cones.count; i++) RBV_TRY(add_cone(p, w, &p->cones.cone[i]));
  for (int c = 0; c < n; c++) {
    if (!(p->scale[c] > 0)) continue;
    const double curvature = 2 * w->divergence / (p->scale[c] * p->scale[c]);
    for (ptrdiff_t j = 0; j < n; j++)
      p->gradient[j] += curvature * (p->chi[c] - p->prior[c]) * p->T[c + j * n];
    p->block[0] = curvature;
    add_block(p, &c, 1);
  }
  return RBV_OK;
}
