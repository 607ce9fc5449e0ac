/* Consistent parameters from a base estimate, and the certificate of the solution. */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "consistency/interior_point.h"

// in sigma: a base parameter that moved less counts as unchanged. For bodies it is one sigma,
// because the data of a real robot always ask for small impossible changes
#define MOVED 0.01

// weights of the prior of bodies: mass +-26 %, centre of mass +-0.32 gyration radii
#define BODY_WEIGHT 10
#define MASS_WEIGHT 20
// nearest consistent parameters: the misfit is needed to about 1 % of the number of parameters
#define FLOOR_WEIGHT 1e-2
#define FLOOR_GAP 0.1

rbv_consistency_options rbv_consistency_defaults(void) {
  return (rbv_consistency_options){
      .weight = 1e-4, .drive_weight = 1e-4, .variance = 1, .gap = 1e-8, .iterations = 1000};
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

/*
 * Minimise the objective with -log det added, starting from the prior. Its weight tau follows from
 * the gap; the divergence is a barrier itself. rough: end in the neighbourhood of the minimum,
 * without certificate.
 */
static rbv_status follow(rbv_standard *s, problem *p, bool rough, double *tau) {
  const double nu = p->cones.order;
  double smallest = INFINITY;
  *tau = p->options.gap / (2 * nu);
  for (int i = 0; i < p->cones.count; i++)
    if (p->cones.cone[i].weight > 0) *tau = fmin(*tau, 0.01 * p->cones.cone[i].weight);
  for (int i = 0; i < p->cones.count; i++)
    smallest = fmin(smallest, p->cones.cone[i].weight + *tau);
  iteration m = {.left = p->options.iterations};
  RBV_TRY(rbv_follow_path(&m, p, *tau, smallest));
  m.decrement = INFINITY;
  if (!rough) RBV_TRY(rbv_newton_centre(&m, p, *tau, smallest));
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

/* true if a base parameter that depends on a column of the cone moved by more than `moved` sigma */
static bool is_changed(const problem *p, const rbv_standard *s, const cone *c, double moved) {
  for (int k = 0; k < p->nbase; k++) {
    if (!(fabs(s->moved_sigma[p->used[k]]) > moved)) continue;
    for (int i = 0; i < c->count; i++)
      if (p->input->relation[p->used[k] + (ptrdiff_t)c->column[i] * p->input->count] != 0)
        return true;
  }
  return false;
}

static rbv_status find_active(rbv_standard *s, problem *p, double tau, double moved) {
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    bool active;
    if (c->kind == CONE_MASS) continue;
    if (c->kind == CONE_BOUND) {
      double inside;
      rbv_cone_matrix(&inside, c, s->chi);
      active = inside < sqrt(tau) * s->chi[p->model->link_column[c->body] + 9];
    } else {
      double ratio = NAN;
      RBV_TRY(smallest_ratio(&ratio, p, c));
      // eigenvalue times multiplier is the weight of the barrier: active if the eigenvalue is the
      // smaller one
      active = ratio < sqrt(c->weight + tau) && is_changed(p, s, c, moved);
    }
    if (!active) continue;
    if (c->kind != CONE_DRIVE) s->body_active[inertial_place(p->model, c->body)] = true;
    for (int k = 0; k < c->count && c->kind == CONE_DRIVE; k++) s->active[c->column[k]] = true;
  }
  for (int j = 0; j < s->nbody; j++) s->nactive += s->body_active[j];
  for (int c = 0; c < s->ncolumn; c++) s->nactive += s->active[c];
  return RBV_OK;
}

static rbv_status certify(rbv_standard *s, problem *p, double tau, double moved) {
  const rbv_consistency_input *in = p->input;
  const ptrdiff_t nb = p->nbase;
  double misfit;
  rbv_problem_terms(&misfit, &s->prior_cost, p, p->u);
  memcpy(s->chi, p->chi, (size_t)p->n * sizeof *s->chi);
  memcpy(s->prior, p->prior, (size_t)p->n * sizeof *s->prior);
  s->weight = p->options.weight;
  s->mass_weight = p->options.mass_weight;
  s->variance = p->options.variance;
  s->chi2 = s->variance * misfit;
  s->objective = misfit + s->prior_cost;

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
  for (int j = 0; j < s->nbody; j++) {
    const int column = p->model->link_column[s->of[j]];
    s->prior_kind[j] = p->prior_kind[s->of[j]];
    s->mass_column[j] = column + RBV_INERTIAL - 1;
    RBV_TRY(rbv_body_check(&s->body[j], s->chi + column));
  }
  return find_active(s, p, tau, moved);
}

/* ---- what the data know ---- */

#define NO_DATA 1e-8  // factor of the data at which they have no influence on a column with a prior

/*
 * Covariance of chi from the curvature of the objective, which is -2 log of the posterior density:
 * 2 T inv(V'V) T', subject to the known total mass. share: factor of the standardised data, 1 or
 * almost 0. Overwrites V, R and step.
 */
static rbv_status covariance(double *C, problem *p, double share) {
  const int n = p->n;
  bool definite;
  for (int k = 0; k < p->nbase; k++)
    p->V[p->nrow - p->nbase + k + (ptrdiff_t)k * p->nrow] = sqrt(2) * share;
  RBV_TRY(rbv_problem_factor(&definite, p));
  if (!definite)
    return rbv_fail(RBV_ENUM, "the curvature at the consistent parameters is singular");
  RBV_NEW(double, X, (size_t)n *(size_t)(n + 1));
  double *along = X + (ptrdiff_t)n * n;
  for (ptrdiff_t c = 0; c < n; c++)
    for (ptrdiff_t i = 0; i < n; i++) X[i + c * n] = p->T[c + i * n];
  memcpy(along, p->mass, (size_t)n * sizeof *along);
  rbv_status status = rbv_solve_cholesky(X, n, n, p->R, n, n);
  if (status == RBV_OK) status = rbv_solve_cholesky(along, 1, n, p->R, n, n);
  if (status == RBV_OK) rbv_multiply(C, n, p->T, n, X, n, n, n, n);
  if (status == RBV_OK && p->options.total_mass > 0) {
    double square = 0;
    for (int i = 0; i < n; i++) square += p->mass[i] * along[i];
    memset(p->step, 0, (size_t)n * sizeof *p->step);
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i < n; i++) p->step[i] += p->T[i + j * n] * along[j];
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i < n; i++) C[i + j * n] -= p->step[i] * p->step[j] / square;
  }
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++) C[i] *= 2;
  rbv_free(X);
  return status;
}

/* variance of coordinate i of a centre of mass, h_i / m, to first order */
static double centre_variance(const double *C, const problem *p, const rbv_standard *s, int body,
                              int i) {
  const ptrdiff_t n = p->n, m = s->mass_column[body], h = m - 3 + i;
  const double c = s->body[body].centre[i], mass = s->body[body].mass;
  return (C[h + h * n] - 2 * c * C[h + m * n] + c * c * C[m + m * n]) / (mass * mass);
}

static double share_known(double posterior, double prior) {
  return prior > 0 ? fmin(fmax(1 - posterior / prior, 0), 1) : 0;
}

/* posterior covariance of the base values, K C K' */
static rbv_status fill_covariance(rbv_standard *s, const problem *p, const double *C) {
  const int n = p->n, count = s->count;
  const double *K = p->input->relation;
  RBV_NEW(double, KC, (size_t)count *(size_t)n);
  rbv_multiply(KC, count, K, count, C, n, count, n, n);
  for (ptrdiff_t j = 0; j < count; j++)
    for (ptrdiff_t i = 0; i < count; i++)
      for (ptrdiff_t c = 0; c < n; c++)
        s->covariance[i + j * count] += KC[i + c * count] * K[j + c * count];
  rbv_free(KC);
  return RBV_OK;
}

/* posterior sigma and share known; the curvature of the prior is taken at the result, too */
static rbv_status fill_known(rbv_standard *s, problem *p, double tau) {
  const ptrdiff_t n = p->n;
  RBV_NEW(double, with, 2 * (size_t)(n * n));
  double *without = with + n * n;
  rbv_status status = rbv_problem_derivatives(p, tau, p->u);
  if (status == RBV_OK) status = covariance(with, p, 1);
  if (status == RBV_OK) status = fill_covariance(s, p, with);
  if (status == RBV_OK) status = covariance(without, p, NO_DATA);
  for (ptrdiff_t c = 0; c < n && status == RBV_OK; c++) {
    // a column that has neither data nor a body keeps the value of the prior
    const bool unseen = p->scale[c] > 0 && rbv_drive_bounded(&p->model->column[c]);
    s->sigma[c] = unseen ? INFINITY : sqrt(fmax(with[c + c * n], 0));
    s->known[c] = unseen ? 0 : share_known(with[c + c * n], without[c + c * n]);
  }
  for (int b = 0; b < s->nbody && status == RBV_OK; b++)
    for (int i = 0; i < 3; i++) {
      const double posterior = centre_variance(with, p, s, b, i);
      s->centre_sigma[3 * b + i] = sqrt(fmax(posterior, 0));
      s->centre_known[3 * b + i] = share_known(posterior, centre_variance(without, p, s, b, i));
    }
  rbv_free(with);
  return status;
}

/* ---- solve ---- */

static void layout(rbv_standard *s, rbv_arena *a) {
  s->chi = RBV_TAKE(a, s->ncolumn, double);
  s->value = RBV_TAKE(a, s->count, double);
  s->moved_sigma = RBV_TAKE(a, s->count, double);
  s->of = RBV_TAKE(a, s->nbody, int);
  s->mass_column = RBV_TAKE(a, s->nbody, int);
  s->body = RBV_TAKE(a, s->nbody, rbv_body);
  s->body_active = RBV_TAKE(a, s->nbody, bool);
  s->active = RBV_TAKE(a, s->ncolumn, bool);
  RBV_TAKE_ALL(a, s->ncolumn, double, &s->prior, &s->sigma, &s->known);
  s->covariance = RBV_TAKE(a, s->count * s->count, double);
  s->centre_sigma = RBV_TAKE(a, 3 * s->nbody, double);
  s->centre_known = RBV_TAKE(a, 3 * s->nbody, double);
  s->prior_kind = RBV_TAKE(a, s->nbody, rbv_prior_kind);
}

static rbv_status new_standard(rbv_standard **out, const rbv_model *m, int count) {
  rbv_standard sizes = {
      .ncolumn = m->ncolumn, .count = count, .nbody = inertial_place(m, m->nbody + m->payload)};
  rbv_standard *s;
  RBV_CARVE_OBJECT(s, a, layout(&sizes, a));
  if (!s) return RBV_EMEM;
  *s = sizes;
  for (int b = 0; b < m->nbody + m->payload; b++)
    if (has_parameters(m, b)) s->of[inertial_place(m, b)] = b;
  *out = s;
  return RBV_OK;
}

void rbv_standard_free(rbv_standard *s) { rbv_free(s); }

static rbv_status check(const rbv_consistency_input *in, const rbv_consistency_options *o) {
  if (!in || !in->value || !in->relation) return rbv_fail(RBV_EARG, "the base estimate is missing");
  if (in->count < 1) return rbv_fail(RBV_EDIM, "the base estimate has %d parameters", in->count);
  const double weight[3] = {o->weight, o->drive_weight, o->mass_weight};
  for (int i = 0; i < 3; i++)
    if (!(weight[i] >= 1e-12 && weight[i] <= 1e12) && !(i == 2 && weight[i] == 0))
      return rbv_fail(RBV_EARG, "the weight of %g of the prior is not between 1e-12 and 1e12",
                      weight[i]);
  if (!(o->variance > 0 && isfinite(o->variance)))
    return rbv_fail(RBV_EARG, "a factor of %g of the covariance is not possible", o->variance);
  if (!(o->gap > 0))
    return rbv_fail(RBV_EARG, "a gap of %g is not possible: it must be positive", o->gap);
  if (!(o->total_mass >= 0 && isfinite(o->total_mass)))
    return rbv_fail(RBV_EARG, "a total mass of %g kg is not possible", o->total_mass);
  return RBV_OK;
}

static rbv_status solve(rbv_standard **out, const rbv_model *m, const rbv_consistency_input *input,
                        const double *prior, const rbv_consistency_options *o, bool rough) {
  *out = NULL;
  RBV_TRY(check(input, o));
  problem *p = NULL;
  rbv_standard *s = NULL;
  double tau = 0;
  rbv_status status = rbv_problem_new(&p, m, input, prior, o);
  if (status == RBV_OK) status = new_standard(&s, m, input->count);
  if (status == RBV_OK) status = follow(s, p, rough, &tau);
  if (status == RBV_OK) status = certify(s, p, tau, rough ? sqrt(o->variance) : MOVED);
  if (status == RBV_OK && !rough) status = fill_known(s, p, tau);
  rbv_problem_free(p);
  RBV_GIVE(out, s, status, rbv_standard_free(s));
}

rbv_status rbv_consistency_solve(rbv_standard **out, const rbv_model *m,
                                 const rbv_consistency_input *input, const double *prior,
                                 const rbv_consistency_options *options) {
  *out = NULL;
  if (!m) return rbv_fail(RBV_EARG, "no model is given");
  const rbv_consistency_options o = options ? *options : rbv_consistency_defaults();
  return solve(out, m, input, prior, &o, false);
}

/* ---- bodies ---- */

/* The nearest consistent parameters: their misfit divided by the number of base parameters in use,
 * and the constraints that the data alone would violate. */
static rbv_status find_floor(rbv_standard **floor, double *excess, const rbv_model *m,
                             const rbv_consistency_input *input, const double *prior,
                             const rbv_consistency_options *options) {
  rbv_consistency_options o = *options;
  o.weight = o.drive_weight = FLOOR_WEIGHT;
  o.mass_weight = 0;
  o.gap = FLOOR_GAP;
  RBV_TRY(solve(floor, m, input, prior, &o, true));
  int count = 0;
  for (int k = 0; k < input->count; k++)
    count += !input->covariance || isfinite(input->covariance[k + (ptrdiff_t)k * input->count]);
  *excess = (*floor)->chi2 / (o.variance * count);
  return RBV_OK;
}

rbv_status rbv_consistency_bodies(rbv_standard **out, const rbv_model *m,
                                  const rbv_consistency_input *input, double inflation,
                                  const double *prior, const rbv_consistency_options *options) {
  *out = NULL;
  rbv_consistency_options o = options ? *options : rbv_consistency_defaults();
  if (!m) return rbv_fail(RBV_EARG, "no model is given");
  if (!(inflation >= 1 && isfinite(inflation)))
    return rbv_fail(RBV_EARG, "a factor of %g of the standard deviations is not possible",
                    inflation);
  rbv_standard *floor = NULL, *s = NULL;
  double excess;
  o.variance = inflation * inflation;
  RBV_TRY(find_floor(&floor, &excess, m, input, prior, &o));
  o.variance *= fmax(1, excess);
  o.weight = BODY_WEIGHT;
  o.mass_weight = MASS_WEIGHT;
  o.iterations -= floor->iterations;
  const rbv_status status = solve(&s, m, input, prior, &o, false);
  if (status == RBV_OK) {
    memcpy(s->body_active, floor->body_active, (size_t)s->nbody * sizeof *s->body_active);
    memcpy(s->active, floor->active, (size_t)s->ncolumn * sizeof *s->active);
    s->nactive = floor->nactive;
    s->iterations += floor->iterations;
    s->largest_move /= inflation;
    for (int k = 0; k < s->count; k++) s->moved_sigma[k] /= inflation;
    *out = s;
  }
  rbv_standard_free(floor);
  return status;
}
