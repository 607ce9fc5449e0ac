/*
 * Coupled drives: a motor that also turns with another joint. Its friction and its rotor follow
 * w = q_m + r q_k. It therefore adds the torque T = Ia w'' + Fv w' + Fc sign(w') to joint m and r T
 * to joint k. What a robot file without this coupling cannot explain is Fc sign(w'), and the
 * velocity and acceleration of either joint in the torque of the other.
 *
 * For every pair of joints and a grid of ratios these three columns are added to the model, with
 * one coefficient each for both joints, and the decrease of the residual is computed. The best pair
 * counts only if data that were left out confirm it: both joints must be explained better. Then the
 * next pair is looked for.
 */
#include "check/coupling_search.h"

#include <math.h>
#include <string.h>

#include "check/coupling_equations.h"
#include "linalg/linalg.h"

RBV_THRESHOLDS(CHECK_COUPLING_SEARCH);

/* ---- columns of a hypothesis ---- */

typedef struct {
  int m, k;              // motor m also turns with joint k
  double *value[TERMS];  // one per equation; zero except in joints m and k
  double *u[TERMS];      // projections on the space of the model
  double *sign;          // ninstant: mean signs of w'
  double torque[TERMS];  // product with the residual
  double product[TERMS][TERMS];
  void *memory;
} hypothesis;

static rbv_status hypothesis_new(hypothesis *h, const equations *e) {
  const size_t rows = (size_t)e->count, nc = (size_t)e->nc;
  *h = (hypothesis){0};
  double *memory = rbv_alloc((TERMS * (rows + nc) + (size_t)e->ninstant) * sizeof *memory);
  if (!memory) return RBV_EMEM;
  h->memory = memory;
  for (int t = 0; t < TERMS; t++) {
    h->value[t] = memory + (size_t)t * rows;
    h->u[t] = memory + TERMS * rows + (size_t)t * nc;
  }
  h->sign = memory + TERMS * (rows + nc);
  return RBV_OK;
}

/* mean of sign(dq_m + r dq_k) around all instants */
static void mean_signs(double *out, const equations *e, int m, int k, double r) {
  for (int i = 0; i < e->ninstant; i++) out[i] = 0;
  for (int w = 0; w < WINDOW; w++) {
    const double *a = speeds_of(e, m, w), *b = speeds_of(e, k, w);
    for (int i = 0; i < e->ninstant; i++) {
      const double v = a[i] + r * b[i];
      out[i] += (v > 0 ? 1.0 : 0.0) - (v < 0 ? 1.0 : 0.0);
    }
  }
  for (int i = 0; i < e->ninstant; i++) out[i] /= WINDOW;
}

static void fill_term(hypothesis *h, const equations *e, int term, double r) {
  if (term == COULOMB) mean_signs(h->sign, e, h->m, h->k, r);
  for (int side = 0; side < 2; side++) {
    const int j = side ? h->k : h->m, other = side ? h->m : h->k;
    const double scale = e->weight[j] * (side && term == COULOMB ? r : 1);
    const double *x = term == COULOMB   ? h->sign
                      : term == VISCOUS ? speeds_of(e, other, WINDOW / 2)
                                        : e->acceleration + (ptrdiff_t)other * e->ninstant;
    for (int i = e->first[j]; i < e->first[j + 1]; i++)
      h->value[term][i] = scale * x[e->instant[i]];
  }
}

/* products of a column with the others and with the residual, over the kept equations */
static void prepare_term(hypothesis *h, const equations *e, space *s, int term) {
  const int joint[2] = {h->m, h->k};
  const double *x = h->value[term];
  memset(s->product, 0, (size_t)e->nc * sizeof *s->product);
  for (int side = 0; side < 2; side++) rbv_coupling_multiply(s, e, x, joint[side]);
  rbv_coupling_project(h->u[term], s, e->nc);
  h->torque[term] = 0;
  for (int i = 0; i < s->rank; i++) h->torque[term] -= h->u[term][i] * s->ut[i];
  for (int side = 0; side < 2; side++)
    h->torque[term] += rbv_coupling_dot(e, s, x, e->tau, joint[side]);
  for (int t = 0; t < TERMS; t++) {
    double inner = 0;
    for (int i = 0; i < s->rank; i++) inner -= h->u[term][i] * h->u[t][i];
    for (int side = 0; side < 2; side++)
      inner += rbv_coupling_dot(e, s, x, h->value[t], joint[side]);
    h->product[term][t] = h->product[t][term] = inner;
  }
}

/* columns that do not depend on the ratio */
static void choose_pair(hypothesis *h, const equations *e, space *s, int m, int k) {
  h->m = m;
  h->k = k;
  for (int t = VISCOUS; t < TERMS; t++) fill_term(h, e, t, 1);
  memset(h->u[COULOMB], 0, (size_t)e->nc * sizeof(double));
  memset(h->value[COULOMB], 0, (size_t)e->count * sizeof(double));
  for (int t = VISCOUS; t < TERMS; t++) prepare_term(h, e, s, t);
}

/*
 * Decrease of the residual sum of squares with the best coefficients: friction and inertia of the
 * motor are not negative, so the terms in the other joint's velocity and acceleration have the sign
 * of the ratio. All subsets are tried.
 */
static double decrease(double a[TERMS], const hypothesis *h, double r) {
  double best = 0;
  memset(a, 0, TERMS * sizeof *a);
  for (int subset = 1; subset < 1 << TERMS; subset++) {
    if (!(subset & 1 << COULOMB)) continue;
    double G[TERMS * TERMS], x[TERMS];
    int index[TERMS], n = 0;
    for (int t = 0; t < TERMS; t++)
      if (subset & 1 << t) index[n++] = t;
    for (int i = 0; i < n; i++) {
      x[i] = h->torque[index[i]];
      for (int j = 0; j < n; j++) G[i + j * n] = h->product[index[i]][index[j]];
    }
    bool definite;
    if (rbv_cholesky(&definite, G, n, n) != RBV_OK || !definite) continue;
    if (rbv_solve_cholesky(x, 1, n, G, n, n) != RBV_OK) continue;
    double gain = 0;
    bool allowed = true;
    for (int i = 0; i < n; i++) {
      gain += x[i] * h->torque[index[i]];
      allowed &= index[i] == COULOMB ? x[i] > 0 : x[i] * r > 0;
    }
    if (!allowed || !(gain > best)) continue;
    best = gain;
    memset(a, 0, TERMS * sizeof *a);
    for (int i = 0; i < n; i++) a[index[i]] = x[i];
  }
  return best;
}

static double try_ratio(double a[TERMS], hypothesis *h, const equations *e, space *s, double r) {
  fill_term(h, e, COULOMB, r);
  prepare_term(h, e, s, COULOMB);
  return decrease(a, h, r);
}

/* ratio of grid point i; the sign is that of `sign` */
static double grid_ratio(double i, double sign) {
  return sign * RATIO_LEAST * pow(RATIO_MOST / RATIO_LEAST, i / (RATIO_STEPS - 1));
}

/* ---- all ratios of the grid ---- */

enum { RATIOS = 2 * RATIO_STEPS };  // of both signs

static double ratio_of(int i) { return grid_ratio(i / 2, i % 2 ? -1 : 1); }

/* room for the Coulomb columns of all ratios */
typedef struct {
  double ratio[RATIOS];
  double *sign;     // ninstant x RATIOS: mean signs around the instants
  double *X;        // equations of a joint x RATIOS
  double *product;  // nc x RATIOS, and as many for scratch
  double *u;        // rank x RATIOS
} grid;

static rbv_status grid_new(grid *g, const equations *e) {
  const size_t instants = (size_t)e->ninstant, nc = (size_t)e->nc;
  *g = (grid){0};
  g->sign = rbv_alloc((2 * instants + 3 * nc) * RATIOS * sizeof *g->sign);
  if (!g->sign) return RBV_EMEM;
  g->X = g->sign + instants * RATIOS;
  g->product = g->X + instants * RATIOS;
  g->u = g->product + 2 * nc * RATIOS;
  for (int i = 0; i < RATIOS; i++) g->ratio[i] = ratio_of(i);
  return RBV_OK;
}

static void grid_free(grid *g) { rbv_free(g->sign); }

/* the Coulomb columns in the equations of joint m or k, as fill_term */
static void fill_side(grid *g, const hypothesis *h, const equations *e, int side) {
  const int j = side ? h->k : h->m, from = e->first[j], rows = e->first[j + 1] - from;
  for (int i = 0; i < RATIOS; i++) {
    const double scale = e->weight[j] * (side ? g->ratio[i] : 1);
    const double *sign = g->sign + (ptrdiff_t)i * e->ninstant;
    double *x = g->X + (ptrdiff_t)i * rows;
    for (int k = 0; k < rows; k++) x[k] = scale * sign[e->instant[from + k]];
  }
}

/* Decrease of the residual for all ratios of the grid: as try_ratio, with all equations. The pair
 * is chosen. */
static void try_grid(double gain[RATIOS], grid *g, hypothesis *h, const equations *e,
                     const space *s) {
  double inner[RATIOS][TERMS] = {0}, torque[RATIOS] = {0}, a[TERMS];
  memset(g->product, 0, (size_t)e->nc * RATIOS * sizeof *g->product);
  for (int i = 0; i < RATIOS; i++)
    mean_signs(g->sign + (ptrdiff_t)i * e->ninstant, e, h->m, h->k, g->ratio[i]);
  for (int side = 0; side < 2; side++) {
    const int j = side ? h->k : h->m, from = e->first[j], rows = e->first[j + 1] - from;
    fill_side(g, h, e, side);
    rbv_coupling_multiply_many(g->product, e, g->X, RATIOS, j,
                               g->product + (ptrdiff_t)e->nc * RATIOS);
    for (int i = 0; i < RATIOS; i++) {
      const double *x = g->X + (ptrdiff_t)i * rows;
      torque[i] += rbv_dot(x, e->tau + from, rows);
      inner[i][COULOMB] += rbv_dot(x, x, rows);
      for (int t = VISCOUS; t < TERMS; t++) inner[i][t] += rbv_dot(x, h->value[t] + from, rows);
    }
  }
  rbv_multiply(g->u, s->rank, s->T, e->nc, g->product, e->nc, s->rank, e->nc, RATIOS);
  for (int i = 0; i < RATIOS; i++) {
    const double *u = g->u + (ptrdiff_t)i * s->rank;
    h->torque[COULOMB] = torque[i] - rbv_dot(u, s->ut, s->rank);
    for (int t = 0; t < TERMS; t++)
      h->product[COULOMB][t] = h->product[t][COULOMB] =
          inner[i][t] - rbv_dot(u, t == COULOMB ? u : h->u[t], s->rank);
    gain[i] = decrease(a, h, g->ratio[i]);
  }
}

/* best ratio around a grid point: the grid is refined around its best point */
static double refine(double a[TERMS], hypothesis *h, const equations *e, space *s, double at,
                     double sign) {
  double width = 1;
  for (int round = 0; round < 5; round++, width /= 3) {
    double best = 0, centre = at;
    for (int p = -3; p <= 3; p++) {
      const double x = centre + p * width / 3, gain = try_ratio(a, h, e, s, grid_ratio(x, sign));
      if (!(gain > best)) continue;
      best = gain;
      at = x;
    }
  }
  const double r = grid_ratio(at, sign);
  try_ratio(a, h, e, s, r);
  return r;
}

typedef struct {
  int m, k;
  double at, sign;  // grid point and sign of the ratio
  double gain;      // decrease of the residual
} candidate;

/* The motor is that of the joint farther from the base: its drive passes the other joint. In joint
 * torques, motor m with ratio r and motor k with ratio 1/r are the same. */
static bool is_coupled(const rbv_model *m, int a, int b) {
  const int n = rbv_model_joint_count(m);
  const double *K = rbv_model_transmission(m);
  return K[a + b * n] != 0 || K[b + a * n] != 0;
}

static rbv_status find_best(candidate *best, hypothesis *h, const equations *e, space *s,
                            const rbv_model *model, const bool *taken) {
  grid g;
  *best = (candidate){0};
  RBV_TRY(grid_new(&g, e));
  for (int m = 1; m < e->n; m++)
    for (int k = 0; k < m; k++) {
      double gain[RATIOS];
      if (is_coupled(model, m, k) || taken[m + k * e->n]) continue;
      choose_pair(h, e, s, m, k);
      try_grid(gain, &g, h, e, s);
      for (int i = 0; i < RATIOS; i++)
        if (gain[i] > best->gain) *best = (candidate){m, k, i / 2, i % 2 ? -1 : 1, gain[i]};
    }
  grid_free(&g);
  return RBV_OK;
}

/* equations of two joints; each contributes 1 to the residual sum of squares without couplings */
static int count_equations(const equations *e, int a, int b) {
  return e->first[a + 1] - e->first[a] + e->first[b + 1] - e->first[b];
}

/* ---- range of the ratio ---- */

/* value of the joint's own drive parameter, NaN if the model has none */
static double own_value(const rbv_model *m, const space *s, const char *law, int joint) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->joint == joint && rbv_column_has_law(column, law)) return s->x[c];
  }
  return NAN;
}

/*
 * The motor's share of viscous friction is at most what the joints have. The velocity of the other
 * joint has the coefficient b = r Fv: Fv = b/r is at most that of joint m, and r^2 Fv = r b is at
 * most that of joint k. Inertia gives no bound, because links and rotors cannot always be told
 * apart.
 */
static void bound_by_shares(double range[2], const rbv_model *model, const hypothesis *h,
                            const space *s, const double a[TERMS]) {
  const double m = own_value(model, s, "Fv", h->m), k = own_value(model, s, "Fv", h->k);
  const double b = fabs(a[VISCOUS]);
  if (m > 0 && b > 0) range[0] = fmax(range[0], SHARE_SLACK * b / m);
  if (k > 0 && b > 0) range[1] = fmin(range[1], k / b / SHARE_SLACK);
}

/* parameters of the model together with the coefficients of the hypothesis */
static rbv_status solve_with(const hypothesis *h, const equations *e, space *s,
                             const double a[TERMS]) {
  double *rest = rbv_alloc((size_t)(e->count + e->nc) * sizeof *rest);
  if (!rest) return RBV_EMEM;
  memcpy(rest, e->tau, (size_t)e->count * sizeof *rest);
  for (int t = 0; t < TERMS; t++)
    for (int side = 0; side < 2; side++) {
      const int j = side ? h->k : h->m;
      for (int i = e->first[j]; i < e->first[j + 1]; i++) rest[i] -= a[t] * h->value[t][i];
    }
  memset(s->product, 0, (size_t)e->nc * sizeof *s->product);
  for (int j = 0; j < e->n; j++) rbv_coupling_multiply(s, e, rest, j);
  rbv_coupling_solve(s, e->nc, rest + e->count);
  rbv_free(rest);
  return RBV_OK;
}

/* size of the ratios that the data admit: the residual grows by less than SIGMAS, and no share
 * exceeds the whole */
static rbv_status find_range(double range[2], hypothesis *h, const equations *e, space *s,
                             const rbv_model *model, double ratio) {
  double a[TERMS], unused[TERMS];
  const double best = try_ratio(a, h, e, s, ratio);
  RBV_TRY(solve_with(h, e, s, a));
  const double variance = fmax(1 - best / count_equations(e, h->m, h->k), 0) * e->correlated;
  const double least = best - SIGMAS * SIGMAS * MODEL_ERROR * MODEL_ERROR * variance;
  const double step = pow(RATIO_MOST / RATIO_LEAST, 0.1 / (RATIO_STEPS - 1));
  for (int side = 0; side < 2; side++) {
    double r = ratio;
    do r *= side ? step : 1 / step;
    while (fabs(r) > RATIO_LEAST / 2 && fabs(r) < 2 * RATIO_MOST &&
           try_ratio(unused, h, e, s, r) > least);
    range[side] = fabs(r);
  }
  bound_by_shares(range, model, h, s, a);
  return RBV_OK;
}

/* Couplings usually have a whole or half ratio: the nearest one if the data admit it, or else the
 * estimate. */
static double simplest(const double range[2], double ratio) {
  const double r = fmin(fmax(fabs(ratio), range[0]), range[1]), half = rint(2 * r) / 2;
  const bool admitted = half >= range[0] && half <= range[1] && fabs(half - r) <= NEAR * r;
  return copysign(admitted ? half : r, ratio);
}

/* ---- confirmation ---- */

typedef struct {
  double torque[2], without[2], with[2];  // sums of squares of the joints m and k
  int better;                             // folds where both together are explained better
} confirmation;

/* squared errors of joints m and k in the fold that was left out */
static rbv_status held_out(double error[2], double torque[2], const hypothesis *h,
                           const equations *e, space *s, const double a[TERMS]) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  RBV_TRY(solve_with(h, e, s, a));
  for (int side = 0; side < 2; side++) {
    const int j = side ? h->k : h->m;
    for (int i = e->first[j]; i < e->first[j + 1]; i++) {
      if (e->fold[i] != s->without) continue;
      double x = e->tau[i];
      for (int t = 0; t < TERMS; t++) x -= a[t] * h->value[t][i];
      for (int c = 0; c < e->nused; c++) x -= e->W[i + c * capacity] * s->x[c];
      error[side] += x * x;
      torque[side] += e->tau[i] * e->tau[i];
    }
  }
  return RBV_OK;
}

/* everything, the ratio too, is estimated again without each fold */
static rbv_status confirm(confirmation *out, hypothesis *h, const equations *e,
                          const candidate *c) {
  *out = (confirmation){0};
  for (int f = 0; f < FOLDS; f++) {
    space s;
    const double none[TERMS] = {0};
    double a[TERMS], without[2] = {0}, with[2] = {0}, unused[2] = {0};
    RBV_TRY(rbv_coupling_space(&s, e, f));
    choose_pair(h, e, &s, c->m, c->k);
    refine(a, h, e, &s, c->at, c->sign);
    rbv_status status = held_out(without, out->torque, h, e, &s, none);
    if (status == RBV_OK) status = held_out(with, unused, h, e, &s, a);
    rbv_coupling_space_free(&s);
    if (status != RBV_OK) return status;
    double share = 0;
    for (int side = 0; side < 2; side++) {
      out->without[side] += without[side];
      out->with[side] += with[side];
      share += without[side] > 0 ? with[side] / without[side] / 2 : 0.5;
    }
    out->better += share < 1;
  }
  return RBV_OK;
}

static bool is_confirmed(const confirmation *f, const double range[2]) {
  double share[2];
  for (int side = 0; side < 2; side++) {
    if (!(f->without[side] > 0)) return false;
    share[side] = f->with[side] / f->without[side];
  }
  return share[0] < EACH_JOINT && share[1] < EACH_JOINT &&
         (share[0] + share[1]) / 2 < BOTH_JOINTS && f->better >= MOST_FOLDS &&
         range[0] <= range[1] && range[1] < RATIO_SPAN * range[0];
}

/* ---- the search ---- */

/* the columns of a coupling that was found join the model's */
static void adopt(equations *e, hypothesis *h, double ratio) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  for (int t = 0; t < TERMS; t++) {
    fill_term(h, e, t, ratio);
    for (int side = 0; side < 2; side++) {
      const int j = side ? h->k : h->m;
      e->acts[e->nused + (ptrdiff_t)j * e->nc] = true;
      for (int i = e->first[j]; i < e->first[j + 1]; i++)
        e->W[i + e->nused * capacity] = h->value[t][i];
    }
    e->nused++;
  }
}

static rbv_status find_next(rbv_coupling *out, bool *found, equations *e, hypothesis *h,
                            const rbv_model *model, bool *taken) {
  space s;
  confirmation sure;
  double a[TERMS];
  *found = false;
  RBV_TRY(rbv_coupling_space(&s, e, -1));
  candidate best;
  rbv_status status = find_best(&best, h, e, &s, model, taken);
  // data that were left out cannot confirm what those that were used do not show
  if (status == RBV_OK && best.gain > (1 - BOTH_JOINTS) * count_equations(e, best.m, best.k)) {
    taken[best.m + best.k * e->n] = true;
    choose_pair(h, e, &s, best.m, best.k);
    const double ratio = refine(a, h, e, &s, best.at, best.sign);
    *out = (rbv_coupling){.motor = best.m, .joint = best.k};
    status = find_range(out->range, h, e, &s, model, ratio);
    out->ratio = simplest(out->range, ratio);
    if (status == RBV_OK) status = confirm(&sure, h, e, &best);
    *found = status == RBV_OK && is_confirmed(&sure, out->range);
    for (int side = 0; side < 2 && status == RBV_OK; side++) {
      out->without[side] = sqrt(sure.without[side] / sure.torque[side]);
      out->with[side] = sqrt(sure.with[side] / sure.torque[side]);
    }
  }
  rbv_coupling_space_free(&s);
  return status;
}

static rbv_status search(rbv_coupling *out, int *count, equations *e, const rbv_model *model) {
  hypothesis h;
  bool *taken = rbv_alloc((size_t)(e->n * e->n) * sizeof *taken);
  rbv_status status = taken ? hypothesis_new(&h, e) : RBV_EMEM;
  if (status == RBV_OK) {
    bool found = true;
    while (found && status == RBV_OK && *count < e->n - 1) {
      status = find_next(&out[*count], &found, e, &h, model, taken);
      if (status != RBV_OK || !found) break;
      adopt(e, &h, out[(*count)++].ratio);
      status = rbv_coupling_weigh(e);
    }
    rbv_free(h.memory);
  }
  rbv_free(taken);
  return status;
}

rbv_status rbv_coupling_search(rbv_coupling *out, int *count, const rbv_model *m, const signals *s,
                               int ns) {
  *count = 0;
  // friction and rotors are visible in motor torques only
  if (rbv_model_joint_count(m) < 2 || ns < 1 || rbv_model_row(m, 0)->torque != RBV_TORQUE_MOTOR)
    return RBV_OK;
  equations e;
  rbv_status status = rbv_coupling_equations(&e, m, s, ns);
  if (status == RBV_OK && e.ninstant > 0) status = search(out, count, &e, m);
  rbv_coupling_equations_free(&e);
  return status;
}
