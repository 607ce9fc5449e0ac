/* Consistent parameters from a base estimate, and the certificate of the solution. */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "consistency/interior_point.h"

#define MOVED 0.01  // in sigma: a base parameter that moved less counts as unchanged

rbv_consistency_options rbv_consistency_defaults(void) {
  return (rbv_consistency_options){.weight = 1e-4, .gap = 1e-8, .iterations = 1000};
}

/*
 * Upper bound of objective - optimum. On the central path it is tau times the order nu of the
 * cones. Beside it, with a squared decrement d2 of the function divided by c, the smallest barrier
 * weight, it is larger by at most sqrt(tau c nu) r + c d r, r = d / (1 - d).
 */
static double certified_gap(double tau, double nu, double c, double d2) {
  const double d = sqrt(d2);
  if (!(d < 1)) return INFINITY;
  const double r = d / (1 - d);
  return tau * nu + sqrt(tau * c * nu) * r + c * d * r;
}

static bool has_bounds(const problem *p) {
  for (int i = 0; i < p->cones.count; i++)
    if (p->cones.cone[i].kind == CONE_BOUND) return true;
  return false;
}

/*
 * Minimise the objective with -log det added, starting from the prior. Its weight follows from the
 * gap; the divergence is a barrier itself.
 */
static rbv_status follow(rbv_standard *s, problem *p, double *tau) {
  const double mu = p->options.weight, nu = p->cones.order;
  *tau = fmin(p->options.gap / (2 * nu), 0.01 * mu);
  const double smallest = has_bounds(p) ? *tau : mu + *tau;
  const weights w = {.divergence = mu, .bound = *tau, .barrier = *tau};
  iteration m = {.left = p->options.iterations};
  RBV_TRY(rbv_follow_path(&m, p, &w, smallest));
  RBV_TRY(rbv_newton_centre(&m, p, &w, smallest));
  s->iterations = m.taken;
  s->gap = certified_gap(*tau, nu, smallest, m.decrement);
  s->converged = s->gap <= p->options.gap;
  return RBV_OK;
}

/* ---- certificate ---- */

/* smallest eigenvalue of X relative to X0 of the prior */
static rbv_status smallest_ratio(double *out, problem *p, const cone *c) {
  const int s = c->size;
  memcpy(p->L, c->prior, (size_t)(s * s) * sizeof *p->L);
  if (!rbv_cone_factor(p->L, p->Linv, NULL, s))
    return rbv_fail(RBV_ENUM, "the prior is not consistent");
  rbv_cone_matrix(p->X, c, p->chi);
  for (int j = 0; j < s; j++)
    for (int i = 0; i < s; i++) {
      p->S[i + j * s] = 0;
      for (int k = 0; k <= i; k++) p->S[i + j * s] += p->Linv[i + k * s] * p->X[k + j * s];
    }
  for (int j = 0; j < s; j++)
    for (int i = 0; i < s; i++) {
      p->L[i + j * s] = 0;
      for (int k = 0; k <= j; k++) p->L[i + j * s] += p->S[i + k * s] * p->Linv[j + k * s];
    }
  RBV_TRY(rbv_eigen_symmetric(p->X, NULL, p->L, s, s));
  *out = p->X[0];
  return RBV_OK;
}

/* true if a base parameter moved that depends on a column of the cone */
static bool is_changed(const problem *p, const rbv_standard *s, const cone *c) {
  for (int k = 0; k < p->nbase; k++) {
    if (!(fabs(s->moved_sigma[p->used[k]]) > MOVED)) continue;
    for (int i = 0; i < c->count; i++)
      if (p->input->relation[p->used[k] + (ptrdiff_t)c->column[i] * p->input->count] != 0)
        return true;
  }
  return false;
}

static rbv_status find_active(rbv_standard *s, problem *p, double tau) {
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    bool active;
    if (c->kind == CONE_BOUND) {
      double inside;
      rbv_cone_matrix(&inside, c, s->chi);
      active = inside < sqrt(tau) * s->chi[p->model->link_column[c->body] + 9];
    } else {
      double ratio = NAN;
      RBV_TRY(smallest_ratio(&ratio, p, c));
      // eigenvalue times multiplier is the weight of the barrier: active if the eigenvalue is the
      // smaller one
      active = ratio < sqrt(p->options.weight + tau) && is_changed(p, s, c);
    }
    if (!active) continue;
    if (c->kind != CONE_DRIVE) s->body_active[c->body] = true;
    for (int k = 0; k < c->count && c->kind == CONE_DRIVE; k++) s->active[c->column[k]] = true;
  }
  for (int j = 0; j < s->nbody; j++) s->nactive += s->body_active[j];
  for (int c = 0; c < s->ncolumn; c++) s->nactive += s->active[c];
  return RBV_OK;
}

static rbv_status certify(rbv_standard *s, problem *p, double tau) {
  const rbv_consistency_input *in = p->input;
  const ptrdiff_t nb = p->nbase;
  rbv_problem_terms(&s->chi2, &s->divergence, p, p->u);
  memcpy(s->chi, p->chi, (size_t)p->n * sizeof *s->chi);
  memcpy(s->prior, p->prior, (size_t)p->n * sizeof *s->prior);
  memcpy(s->prior_kind, p->prior_kind, (size_t)s->nbody * sizeof *s->prior_kind);
  s->weight = p->options.weight;
  s->objective = s->chi2 + s->weight * s->divergence;

  // base values: those in use by x + F w, the others by the relation
  for (int k = 0; k < in->count; k++)
    for (ptrdiff_t c = 0; c < p->n; c++) s->value[k] += in->relation[k + c * in->count] * s->chi[c];
  for (int k = 0; k < nb; k++) {
    double move = 0;
    for (int j = 0; j <= k; j++) move += p->F[k + j * nb] * p->u[j];
    s->value[p->used[k]] = in->value[p->used[k]] + move;
    s->moved_sigma[p->used[k]] = move / p->sigma[k];
    s->largest_move = fmax(s->largest_move, fabs(move / p->sigma[k]));
  }
  for (int j = 0; j < s->nbody; j++)
    RBV_TRY(rbv_body_check(&s->body[j], s->chi + p->model->link_column[j]));
  return find_active(s, p, tau);
}

/* ---- solve ---- */

static void layout(rbv_standard *s, rbv_arena *a) {
  s->chi = RBV_TAKE(a, s->ncolumn, double);
  s->value = RBV_TAKE(a, s->count, double);
  s->moved_sigma = RBV_TAKE(a, s->count, double);
  s->body = RBV_TAKE(a, s->nbody, rbv_body);
  s->body_active = RBV_TAKE(a, s->nbody, bool);
  s->active = RBV_TAKE(a, s->ncolumn, bool);
  s->prior = RBV_TAKE(a, s->ncolumn, double);
  s->prior_kind = RBV_TAKE(a, s->nbody, rbv_prior_kind);
}

static rbv_status new_standard(rbv_standard **out, const rbv_model *m, int count) {
  rbv_standard sizes = {.ncolumn = m->ncolumn, .count = count, .nbody = m->njoint + m->payload};
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_standard);
  layout(&sizes, &measure);
  rbv_arena carve = {.base = rbv_alloc(measure.used)};
  if (!carve.base) return RBV_EMEM;
  rbv_standard *s = RBV_TAKE(&carve, 1, rbv_standard);
  *s = sizes;
  layout(s, &carve);
  s->memory = carve.base;
  *out = s;
  return RBV_OK;
}

void rbv_standard_free(rbv_standard *s) {
  if (s) rbv_free(s->memory);
}

static rbv_status check(const rbv_consistency_input *in, const rbv_consistency_options *o) {
  if (!in || !in->value || !in->relation) return rbv_fail(RBV_EARG, "the base estimate is missing");
  if (in->count < 1) return rbv_fail(RBV_EDIM, "the base estimate has %d parameters", in->count);
  if (!(o->weight >= 1e-12 && o->weight <= 1e12))
    return rbv_fail(RBV_EARG, "the weight of %g of the prior is not between 1e-12 and 1e12",
                    o->weight);
  if (!(o->gap > 0))
    return rbv_fail(RBV_EARG, "a gap of %g is not possible: it must be positive", o->gap);
  if (!(o->total_mass >= 0 && isfinite(o->total_mass)))
    return rbv_fail(RBV_EARG, "a total mass of %g kg is not possible", o->total_mass);
  return RBV_OK;
}

rbv_status rbv_consistency_solve(rbv_standard **out, const rbv_model *m,
                                 const rbv_consistency_input *input, const double *prior,
                                 const rbv_consistency_options *options) {
  *out = NULL;
  const rbv_consistency_options o = options ? *options : rbv_consistency_defaults();
  if (!m) return rbv_fail(RBV_EARG, "no model is given");
  RBV_TRY(check(input, &o));
  problem *p = NULL;
  rbv_standard *s = NULL;
  double tau = 0;
  rbv_status status = rbv_problem_new(&p, m, input, prior, &o);
  if (status == RBV_OK) status = new_standard(&s, m, input->count);
  if (status == RBV_OK) status = follow(s, p, &tau);
  if (status == RBV_OK) status = certify(s, p, tau);
  rbv_problem_free(p);
  if (status == RBV_OK)
    *out = s;
  else
    rbv_standard_free(s);
  return status;
}
