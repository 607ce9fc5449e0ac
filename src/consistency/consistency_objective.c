/* The objective, its derivatives, and the linear system of a Newton step. */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "consistency/consistency_problem.h"

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* ---- value ---- */

/* quadratic terms for columns that nothing else determines: weight ((chi - prior) / scale)^2 */
static double soft_value(const problem *p, const double *chi) {
  double sum = 0;
  for (int c = 0; c < p->n; c++)
    if (p->scale[c] > 0) {
      const double z = (chi[c] - p->prior[c]) / p->scale[c];
      sum += z * z;
    }
  return p->options.drive_weight * sum;
}

/* log det and tr(inv(X0) X) of a cone; its factor stays in p->L. Returns false if X is not inside
 * the cone */
static bool evaluate_cone(double *log_det, double *trace, problem *p, const cone *c,
                          const double *chi) {
  const int square = c->size * c->size;
  rbv_cone_matrix(p->L, c, chi);
  *trace = c->kind == CONE_BOUND ? 0 : dot(c->prior_inverse, p->L, square);
  return rbv_cone_factor(p->L, NULL, log_det, c->size);
}

double rbv_problem_value(problem *p, double barrier, const double *u) {
  rbv_problem_chi(p->trial_chi, p, u);
  double sum = dot(u, u, p->nbase) + soft_value(p, p->trial_chi);
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    double log_det, trace;
    if (!evaluate_cone(&log_det, &trace, p, c, p->trial_chi)) return INFINITY;
    sum += c->weight * trace - (c->weight + barrier) * log_det;
  }
  return sum;
}

void rbv_problem_terms(double *misfit, double *prior_cost, problem *p, const double *u) {
  rbv_problem_chi(p->chi, p, u);
  *misfit = dot(u, u, p->nbase);
  *prior_cost = soft_value(p, p->chi);
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    double log_det, trace;
    if (c->kind == CONE_BOUND) continue;
    const bool inside = evaluate_cone(&log_det, &trace, p, c, p->chi);
    *prior_cost += inside ? c->weight * (trace - (log_det - c->prior_log_det) - c->size) : INFINITY;
  }
}

/* ---- derivatives ---- */

void rbv_problem_smooth(problem *p, const double *u) {
  const ptrdiff_t n = p->n;
  int row = p->cones.rows;
  rbv_problem_chi(p->chi, p, u);
  for (ptrdiff_t j = 0; j < n; j++)
    p->gradient[j] = p->prior_gradient[j] + (j < p->nbase ? 2 * u[j] : 0);
  for (int c = 0; c < n; c++) {
    if (!(p->scale[c] > 0)) continue;
    const double root = sqrt(2 * p->options.drive_weight) / p->scale[c];
    for (ptrdiff_t j = 0; j < n; j++) {
      p->V[row + j * p->nrow] = root * p->T[c + j * n];
      p->gradient[j] += root * (p->chi[c] - p->prior[c]) * p->V[row + j * p->nrow];
    }
    row++;
  }
  for (int k = 0; k < p->nbase; k++) p->V[row + k + (ptrdiff_t)k * p->nrow] = sqrt(2);
}

void rbv_problem_scale(problem *p, const cone *c, const double *S) {
  const int length = rbv_packed_length(c->size);
  const double *rows = p->rows + (ptrdiff_t)c->first * p->n;
  double *V = p->V + c->row;
  rbv_cone_congruence(p->K, c, S);
  if (c->count == 1 && length == 1)
    for (ptrdiff_t j = 0; j < p->n; j++) V[j * p->nrow] = p->K[0] * rows[j];
  else
    rbv_multiply(V, p->nrow, p->K, length, rows, c->count, length, c->count, p->n);
}

void rbv_problem_push(double *out, const problem *p, const double *x) {
  const ptrdiff_t m = p->nrow;
  memset(out, 0, (size_t)m * sizeof *out);
  for (ptrdiff_t j = 0; j < p->n; j++)
    for (ptrdiff_t i = 0; i < m; i++) out[i] += p->V[i + j * m] * x[j];
}

void rbv_problem_pull(double *out, const problem *p, const double *y) {
  const ptrdiff_t m = p->nrow;
  for (ptrdiff_t j = 0; j < p->n; j++) out[j] += dot(p->V + j * m, y, (int)m);
}

/*
 * With S = weight^(1/4) inv(L), X = L L', the products of the rows of V are weight tr(inv(X) A_k
 * inv(X) A_l), the Hessian of -weight log det X. Its gradient -weight tr(inv(X) A_k) is
 * -sqrt(weight) times the sum of the rows that belong to the diagonal.
 */
rbv_status rbv_problem_derivatives(problem *p, double barrier, const double *u) {
  rbv_problem_smooth(p, u);
  memset(p->pulled, 0, (size_t)p->nrow * sizeof *p->pulled);
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    const double root = sqrt(c->weight + barrier);
    const int s = c->size;
    rbv_cone_matrix(p->L, c, p->chi);
    if (!rbv_cone_factor(p->L, p->Linv, NULL, s))
      return rbv_fail(RBV_ENUM, "a step of the consistency solver left the feasible set");
    for (int e = 0; e < s * s; e++) p->S[e] = sqrt(root) * p->Linv[e];
    rbv_problem_scale(p, c, p->S);
    for (int j = 0, at = c->row; j < s; at += s - j, j++) p->pulled[at] = -root;
  }
  rbv_problem_pull(p->gradient, p, p->pulled);
  return RBV_OK;
}

/* ---- Newton step ---- */

/* by QR of V, because the weights of the rows differ so much that V'V would lose the small ones */
rbv_status rbv_problem_factor(bool *definite, problem *p) {
  const ptrdiff_t n = p->n;
  rbv_qr_reset(p->qr);
  RBV_TRY(rbv_qr_add(p->qr, p->V, p->nrow, p->nrow));
  rbv_qr_get(p->R, p->qr);
  *definite = true;
  for (ptrdiff_t j = 0; j < n; j++) {
    *definite = *definite && p->R[j + j * n] > 0;
    for (ptrdiff_t i = 0; i < j; i++) {
      p->R[j + i * n] = p->R[i + j * n];
      p->R[i + j * n] = 0;
    }
  }
  return RBV_OK;
}

/* V'V d + a nu = right-hand side,  a'd = total mass - present mass */
rbv_status rbv_problem_solve(problem *p) {
  const int n = p->n;
  RBV_TRY(rbv_solve_cholesky(p->step, 1, n, p->R, n, n));
  if (!(p->options.total_mass > 0)) return RBV_OK;
  memcpy(p->along, p->mass, (size_t)n * sizeof *p->along);
  RBV_TRY(rbv_solve_cholesky(p->along, 1, n, p->R, n, n));
  double missing = p->options.total_mass;
  for (int j = 0; j < p->model->nbody; j++)
    if (has_parameters(p->model, j)) missing -= p->chi[p->model->link_column[j] + 9];
  const double nu = (missing - dot(p->mass, p->step, n)) / dot(p->mass, p->along, n);
  for (int i = 0; i < n; i++) p->step[i] += nu * p->along[i];
  return RBV_OK;
}
