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
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/linalg.h>
#include <roberval/sys/signal.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"

#define FOLDS 6          // parts of the data; each is left out once
#define BLOCK_S 2.0      // seconds of a block; blocks are dealt to the folds in turn
#define INSTANTS 1200    // of all recordings together
#define WINDOW 5         // samples of a sign column around an instant: the reach of the low-pass
#define EXCITED 1e-3     // scaled singular values below it are not used
#define RATIO_LEAST 0.1  // smallest and largest ratio of the search, and its number of steps. Below
#define RATIO_MOST 6.0   // it the sign of w' is that of q_m'.
#define RATIO_STEPS 16
#define REST 0.02  // share of the 95 % speed: slower is standstill
/* What data that were left out must show: squared errors of each joint and of both in the mean. A
 * term that is only correlated with the true one gives less: friction laws of gears are worth up to
 * a half of the squared error, but in one joint. */
#define EACH_JOINT 0.9
#define BOTH_JOINTS 0.6
#define MOST_FOLDS 5
#define RATIO_SPAN 2.0    // a ratio that is known less well cannot be proposed
#define SHARE_SLACK 0.95  // uncertainty of the shares of friction and inertia
#define SIGMAS 2.0        // of the range of the ratio
#define MODEL_ERROR \
  2.0  // its residuals are correlated over longer times than the low-pass explains

#define NEAR 0.1        // relative distance to a ratio that is taken instead of the estimate
#define SHORTEST 300    // samples of a recording
#define LONGEST 200000  // samples of a motion that are read
#define CUTOFF 20.0     // [Hz] of motions without one
#define FILTER_ORDER 4

/* One recording on a regular grid; blocks are count x njoint, or count x torque rows. */
typedef struct {
  ptrdiff_t count;
  double rate_hz;
  ptrdiff_t reach;  // samples that the low-pass mixes, to each side
  const double *q, *dq, *ddq;
  const double *torque;  // low-passed like the positions
  const bool *keep;
  bool loaded;
} signals;

enum { COULOMB, VISCOUS, ROTOR, TERMS };

/* ---- the equations ---- */

/* weighted equations, sorted by joint; columns of couplings that were found follow the model's */
typedef struct {
  int n, nc, nused;  // joints; columns of the model and room for more; columns in use
  int count;         // equations
  int *first;        // n + 1: first equation of each joint
  int *instant, *fold;
  double *W, *tau;  // count x nc, count
  bool *acts;       // nc x n: the column is not zero in the equations of the joint
  double *weight;   // n: 1/sigma
  int ninstant;
  double *speed;         // WINDOW x ninstant x n: velocities around each instant
  double *acceleration;  // ninstant x n
  double correlated;     // instants in the reach of the low-pass, at least 1
  rbv_qr *part[FOLDS];
} equations;

static void free_equations(equations *e) {
  for (int f = 0; f < FOLDS; f++) rbv_qr_free(e->part[f]);
  rbv_free(e->first);
  rbv_free(e->instant);
  rbv_free(e->fold);
  rbv_free(e->W);
  rbv_free(e->tau);
  rbv_free(e->acts);
  rbv_free(e->weight);
  rbv_free(e->speed);
  rbv_free(e->acceleration);
}

/* instants of one recording, and the signals there */
typedef struct {
  int count;
  ptrdiff_t *sample;
  double *q, *dq, *ddq;  // count x n
  double *W;             // count x entries of the regressor
} instants;

static void free_instants(instants *i) {
  rbv_free(i->sample);
  rbv_free(i->q);
  rbv_free(i->W);
  *i = (instants){0};
}

static bool all_kept(const signals *s, ptrdiff_t from, ptrdiff_t to) {
  for (ptrdiff_t k = from; k <= to; k++)
    if (!s->keep[k]) return false;
  return true;
}

/* spread over the recording; samples that were filled are left out with those near them */
static rbv_status place_instants(instants *out, const rbv_model *m, const signals *s, int most) {
  const int n = rbv_model_joint_count(m);
  *out = (instants){0};
  out->sample = rbv_alloc((size_t)most * sizeof *out->sample);
  if (!out->sample) return RBV_EMEM;
  ptrdiff_t last = -1;
  for (int i = 0; i < most; i++) {
    const ptrdiff_t k = s->reach + (s->count - 2 * s->reach) * i / most;
    if (k <= last || k + s->reach >= s->count || !all_kept(s, k - s->reach, k + s->reach)) continue;
    out->sample[out->count++] = last = k;
  }
  const size_t count = (size_t)out->count;
  rbv_dynamics *d = NULL;
  out->q = rbv_alloc(3 * count * (size_t)n * sizeof *out->q);
  out->W = rbv_alloc(count * (size_t)rbv_model_entry_count(m) * sizeof *out->W);
  rbv_status status = out->q && out->W ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) {
    out->dq = out->q + count * (size_t)n;
    out->ddq = out->dq + count * (size_t)n;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < out->count; i++) {
        const ptrdiff_t from = out->sample[i] + j * s->count, to = i + j * out->count;
        out->q[to] = s->q[from];
        out->dq[to] = s->dq[from];
        out->ddq[to] = s->ddq[from];
      }
    const rbv_states states = {
        .count = out->count, .ld = out->count, .q = out->q, .dq = out->dq, .ddq = out->ddq};
    rbv_regressor_batch(out->W, out->count, d, &states, s->loaded);
  }
  rbv_dynamics_free(d);
  return status;
}

/* 95 % speed of a joint over all recordings, times REST */
static rbv_status standstill(double *still, const signals *s, int ns, int n) {
  memset(still, 0, (size_t)n * sizeof *still);
  for (int i = 0; i < ns; i++) {
    double *work = rbv_alloc((size_t)s[i].count * sizeof *work);
    if (!work) return RBV_EMEM;
    for (int j = 0; j < n; j++) {
      const double p = 0.95;
      double speed = 0;
      for (ptrdiff_t k = 0; k < s[i].count; k++) work[k] = fabs(s[i].dq[k + j * s[i].count]);
      const rbv_status status = rbv_stats_quantiles(&speed, work, work, s[i].count, &p, 1);
      if (status != RBV_OK) {
        rbv_free(work);
        return status;
      }
      still[j] = fmax(still[j], REST * speed);
    }
    rbv_free(work);
  }
  return RBV_OK;
}

/* equations of one joint at the instants of one recording */
static void add_joint(equations *e, const rbv_model *m, const signals *s, const instants *at, int j,
                      int before, double still, double block) {
  const rbv_row *row = rbv_model_row(m, j);
  const int capacity = e->n * e->ninstant;
  for (int c = 0; c < row->count; c++) e->acts[row->columns[c] + (ptrdiff_t)j * e->nc] = true;
  for (int i = 0; i < at->count; i++) {
    if (!(fabs(at->dq[i + j * at->count]) > still)) continue;
    const int k = e->count++;
    e->instant[k] = before + i;
    e->fold[k] = (int)((double)at->sample[i] / s->rate_hz / block) % FOLDS;
    e->tau[k] = s->torque[at->sample[i] + j * s->count];
    for (int c = 0; c < row->count; c++)
      e->W[k + (ptrdiff_t)row->columns[c] * capacity] =
          at->W[i + (ptrdiff_t)(row->first + c) * at->count];
  }
}

/* velocities in a window around each instant, and accelerations */
static void add_signals(equations *e, const signals *s, const instants *at, int before) {
  for (int j = 0; j < e->n; j++)
    for (int i = 0; i < at->count; i++) {
      e->acceleration[before + i + j * e->ninstant] = at->ddq[i + j * at->count];
      for (int w = 0; w < WINDOW; w++) {
        const ptrdiff_t k = at->sample[i] + (2 * w - WINDOW + 1) * s->reach / (2 * (WINDOW - 1));
        e->speed[w + WINDOW * (before + i + (ptrdiff_t)j * e->ninstant)] = s->dq[k + j * s->count];
      }
    }
}

static rbv_status allocate(equations *e) {
  const size_t n = (size_t)e->n, ni = (size_t)e->ninstant, rows = n * ni;
  e->first = rbv_alloc((n + 1) * sizeof *e->first);
  e->instant = rbv_alloc(rows * sizeof *e->instant);
  e->fold = rbv_alloc(rows * sizeof *e->fold);
  e->W = rbv_alloc(rows * (size_t)e->nc * sizeof *e->W);
  e->tau = rbv_alloc(rows * sizeof *e->tau);
  e->acts = rbv_alloc(n * (size_t)e->nc * sizeof *e->acts);
  e->weight = rbv_alloc(n * sizeof *e->weight);
  e->speed = rbv_alloc(rows * WINDOW * sizeof *e->speed);
  e->acceleration = rbv_alloc(rows * sizeof *e->acceleration);
  const bool done = e->first && e->instant && e->fold && e->W && e->tau && e->acts && e->weight &&
                    e->speed && e->acceleration;
  return done ? RBV_OK : RBV_EMEM;
}

/* block length: two seconds, or less so that every fold has two blocks */
static double block_length(const signals *s, int ns) {
  double total = 0;
  for (int i = 0; i < ns; i++) total += (double)s[i].count / s[i].rate_hz;
  return fmin(BLOCK_S, total / (2 * FOLDS));
}

/* instants in the reach of the low-pass */
static double correlation(const signals *s, const instants *at, int ns) {
  double most = 1;
  for (int i = 0; i < ns; i++)
    most = fmax(most, (double)s[i].reach * at[i].count / (double)s[i].count);
  return most;
}

static rbv_status fill(equations *e, const rbv_model *m, const signals *s, int ns,
                       const instants *at) {
  double *still = rbv_alloc((size_t)e->n * sizeof *still);
  if (!still) return RBV_EMEM;
  const rbv_status status = standstill(still, s, ns, e->n);
  const double block = block_length(s, ns);
  for (int j = 0; j < e->n && status == RBV_OK; j++) {
    e->weight[j] = 1;
    e->first[j] = e->count;
    for (int i = 0, before = 0; i < ns; before += at[i++].count)
      add_joint(e, m, &s[i], &at[i], j, before, still[j], block);
  }
  e->first[e->n] = e->count;
  for (int i = 0, before = 0; i < ns && status == RBV_OK; before += at[i++].count)
    add_signals(e, &s[i], &at[i], before);
  rbv_free(still);
  return status;
}

/* scale the equations of a joint */
static void scale_joint(equations *e, int j, double factor) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  e->weight[j] *= factor;
  for (int k = e->first[j]; k < e->first[j + 1]; k++) {
    e->tau[k] *= factor;
    for (int c = 0; c < e->nused; c++) e->W[k + c * capacity] *= factor;
  }
}

/* ---- least squares without one fold ---- */

/* the space of the model's columns: U'x = T (W'x) for any x over the equations that are kept */
typedef struct {
  int without;  // fold that is left out; -1: none
  int rank;
  double *T;        // nc x nc, its first rank rows
  double *product;  // nc: W'x
  double *ut;       // rank: U'tau
  double *x;        // nc: a solution
} space;

static void free_space(space *s) {
  rbv_free(s->T);
  *s = (space){0};
}

static rbv_status factor_parts(equations *e) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  double *A = rbv_alloc((size_t)(e->nc * e->count) * sizeof *A);
  if (!A) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int f = 0; f < FOLDS && status == RBV_OK; f++) {
    ptrdiff_t used = 0;
    for (int k = 0; k < e->count; k++) {
      if (e->fold[k] != f) continue;
      for (int c = 0; c < e->nc; c++) A[used + (ptrdiff_t)c * e->count] = e->W[k + c * capacity];
      used++;
    }
    rbv_qr_free(e->part[f]);
    e->part[f] = NULL;
    status = rbv_qr_new(&e->part[f], e->nc);
    if (status == RBV_OK && used > 0) status = rbv_qr_add(e->part[f], A, used, e->count);
  }
  rbv_free(A);
  return status;
}

/* sum of a[i] b[i] over the equations of a joint that are kept, in four parts: the compiler must
 * not reorder one sum */
static double dot(const equations *e, const space *s, const double *a, const double *b, int joint) {
  const int from = e->first[joint], to = e->first[joint + 1];
  double sum[4] = {0};
  int k = from;
  if (s->without < 0) {
    for (; k + 4 <= to; k += 4)
      for (int i = 0; i < 4; i++) sum[i] += a[k + i] * b[k + i];
    for (; k < to; k++) sum[0] += a[k] * b[k];
  } else {
    for (; k < to; k++)
      if (e->fold[k] != s->without) sum[k % 4] += a[k] * b[k];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* W'x over the equations of a joint that are kept, added to s->product */
static void multiply(space *s, const equations *e, const double *x, int joint) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  for (int c = 0; c < e->nused; c++)
    if (e->acts[c + (ptrdiff_t)joint * e->nc])
      s->product[c] += dot(e, s, e->W + c * capacity, x, joint);
}

/* out = T product */
static void project(double *out, const space *s, int nc) {
  for (int i = 0; i < s->rank; i++) {
    out[i] = 0;
    for (int c = 0; c < nc; c++) out[i] += s->T[i + (ptrdiff_t)c * nc] * s->product[c];
  }
}

static rbv_status make_space(space *s, const equations *e, int without) {
  const size_t nc = (size_t)e->nc;
  *s = (space){.without = without};
  double *work = rbv_alloc((2 * nc * nc + 2 * nc) * sizeof *work);
  double *memory = rbv_alloc((nc * nc + 3 * nc) * sizeof *memory);
  rbv_qr *all = NULL;
  rbv_status status = work && memory ? rbv_qr_new(&all, e->nc) : RBV_EMEM;
  for (int f = 0; f < FOLDS && status == RBV_OK; f++)
    if (f != without) status = rbv_qr_merge(all, e->part[f]);
  double *R = work, *Vt = R + nc * nc, *norm = Vt + nc * nc, *sv = norm + nc;
  if (status == RBV_OK) {
    rbv_qr_get(R, all);
    for (size_t c = 0; c < nc; c++) {
      for (size_t i = 0; i <= c; i++) norm[c] += R[i + c * nc] * R[i + c * nc];
      norm[c] = norm[c] > 0 ? sqrt(norm[c]) : 1;
      for (size_t i = 0; i <= c; i++) R[i + c * nc] /= norm[c];
    }
    status = rbv_svd(sv, NULL, Vt, R, e->nc, e->nc, e->nc);
  }
  rbv_qr_free(all);
  if (status == RBV_OK) {
    s->T = memory;
    s->product = memory + nc * nc;
    s->ut = s->product + nc;
    s->x = s->ut + nc;
    while (s->rank < e->nc && sv[s->rank] > EXCITED * sv[0]) s->rank++;
    for (size_t i = 0; i < (size_t)s->rank; i++)
      for (size_t c = 0; c < nc; c++) s->T[i + c * nc] = Vt[i + c * nc] / (sv[i] * norm[c]);
    for (int j = 0; j < e->n; j++) multiply(s, e, e->tau, j);
    project(s->ut, s, e->nc);
  } else {
    rbv_free(memory);
  }
  rbv_free(work);
  return status;
}

/* solution x = T'T product */
static void solve(space *s, int nc, double *u) {
  project(u, s, nc);
  for (int c = 0; c < nc; c++) {
    s->x[c] = 0;
    for (int i = 0; i < s->rank; i++) s->x[c] += s->T[i + (ptrdiff_t)c * nc] * u[i];
  }
}

/* ---- columns of a hypothesis ---- */

typedef struct {
  int m, k;              // motor m also turns with joint k
  double *value[TERMS];  // one per equation; zero except in joints m and k
  double *u[TERMS];      // projections on the space of the model
  double torque[TERMS];  // product with the residual
  double product[TERMS][TERMS];
  void *memory;
} hypothesis;

static rbv_status hypothesis_new(hypothesis *h, const equations *e) {
  const size_t rows = (size_t)e->count, nc = (size_t)e->nc;
  *h = (hypothesis){0};
  double *memory = rbv_alloc(TERMS * (rows + nc) * sizeof *memory);
  if (!memory) return RBV_EMEM;
  h->memory = memory;
  for (int t = 0; t < TERMS; t++) {
    h->value[t] = memory + (size_t)t * rows;
    h->u[t] = memory + TERMS * rows + (size_t)t * nc;
  }
  return RBV_OK;
}

/* mean of sign(dq_m + r dq_k) around an instant */
static double mean_sign(const equations *e, int instant, int m, int k, double r) {
  const double *a = e->speed + WINDOW * (instant + (ptrdiff_t)m * e->ninstant);
  const double *b = e->speed + WINDOW * (instant + (ptrdiff_t)k * e->ninstant);
  int sum = 0;
  for (int w = 0; w < WINDOW; w++) {
    const double v = a[w] + r * b[w];
    sum += (v > 0) - (v < 0);
  }
  return (double)sum / WINDOW;
}

static void fill_term(hypothesis *h, const equations *e, int term, double r) {
  for (int side = 0; side < 2; side++) {
    const int j = side ? h->k : h->m, other = side ? h->m : h->k;
    for (int i = e->first[j]; i < e->first[j + 1]; i++) {
      const ptrdiff_t at = e->instant[i] + (ptrdiff_t)other * e->ninstant;
      const double x = term == COULOMB ? (side ? r : 1) * mean_sign(e, e->instant[i], h->m, h->k, r)
                       : term == VISCOUS ? e->speed[WINDOW * at + WINDOW / 2]
                                         : e->acceleration[at];
      h->value[term][i] = e->weight[j] * x;
    }
  }
}

/* products of a column with the others and with the residual, over the kept equations */
static void prepare_term(hypothesis *h, const equations *e, space *s, int term) {
  const int joint[2] = {h->m, h->k};
  const double *x = h->value[term];
  memset(s->product, 0, (size_t)e->nc * sizeof *s->product);
  for (int side = 0; side < 2; side++) multiply(s, e, x, joint[side]);
  project(h->u[term], s, e->nc);
  h->torque[term] = 0;
  for (int i = 0; i < s->rank; i++) h->torque[term] -= h->u[term][i] * s->ut[i];
  for (int side = 0; side < 2; side++) h->torque[term] += dot(e, s, x, e->tau, joint[side]);
  for (int t = 0; t < TERMS; t++) {
    double inner = 0;
    for (int i = 0; i < s->rank; i++) inner -= h->u[term][i] * h->u[t][i];
    for (int side = 0; side < 2; side++) inner += dot(e, s, x, h->value[t], joint[side]);
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

static candidate find_best(hypothesis *h, const equations *e, space *s, const rbv_model *model,
                           const bool *taken) {
  candidate best = {0};
  double a[TERMS];
  for (int m = 1; m < e->n; m++)
    for (int k = 0; k < m; k++) {
      if (is_coupled(model, m, k) || taken[m + k * e->n]) continue;
      choose_pair(h, e, s, m, k);
      for (int i = 0; i < 2 * RATIO_STEPS; i++) {
        const double sign = i % 2 ? -1 : 1, at = i / 2;
        const double gain = try_ratio(a, h, e, s, grid_ratio(at, sign));
        if (gain > best.gain) best = (candidate){m, k, at, sign, gain};
      }
    }
  return best;
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
  for (int j = 0; j < e->n; j++) multiply(s, e, rest, j);
  solve(s, e->nc, rest + e->count);
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
  const double r = fabs(ratio), half = rint(2 * r) / 2;
  const bool admitted = half >= range[0] && half <= range[1] && fabs(half - r) <= NEAR * r;
  return copysign(admitted ? half : fmin(fmax(r, range[0]), range[1]), ratio);
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
    RBV_TRY(make_space(&s, e, f));
    choose_pair(h, e, &s, c->m, c->k);
    refine(a, h, e, &s, c->at, c->sign);
    rbv_status status = held_out(without, out->torque, h, e, &s, none);
    if (status == RBV_OK) status = held_out(with, unused, h, e, &s, a);
    free_space(&s);
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

/* weights: first the torques of all joints alike, then the residuals */
static rbv_status weigh(equations *e) {
  for (int j = 0; j < e->n; j++) {
    double sum = 0;
    const int rows = e->first[j + 1] - e->first[j];
    for (int i = e->first[j]; i < e->first[j + 1]; i++) sum += e->tau[i] * e->tau[i];
    if (sum > 0) scale_joint(e, j, sqrt(rows / sum));
  }
  for (int pass = 0; pass < 2; pass++) {
    space s;
    const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
    RBV_TRY(factor_parts(e));
    RBV_TRY(make_space(&s, e, -1));
    double *u = rbv_alloc((size_t)e->nc * sizeof *u);
    if (u) solve(&s, e->nc, u);
    for (int j = 0; j < e->n && u; j++) {
      double sum = 0;
      for (int i = e->first[j]; i < e->first[j + 1]; i++) {
        double x = e->tau[i];
        for (int c = 0; c < e->nused; c++) x -= e->W[i + c * capacity] * s.x[c];
        sum += x * x;
      }
      if (sum > 0) scale_joint(e, j, sqrt((e->first[j + 1] - e->first[j]) / sum));
    }
    free_space(&s);
    rbv_free(u);
    if (!u) return RBV_EMEM;
  }
  return factor_parts(e);
}

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
  RBV_TRY(make_space(&s, e, -1));
  const candidate best = find_best(h, e, &s, model, taken);
  rbv_status status = RBV_OK;
  // data that were left out cannot confirm what those that were used do not show
  if (best.gain > (1 - BOTH_JOINTS) * count_equations(e, best.m, best.k)) {
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
  free_space(&s);
  return status;
}

static rbv_status search(rbv_coupling *out, int *count, equations *e, const rbv_model *model) {
  hypothesis h;
  bool *taken = rbv_alloc((size_t)(e->n * e->n) * sizeof *taken);
  rbv_status status = taken ? hypothesis_new(&h, e) : RBV_EMEM;
  if (status == RBV_OK) {
    status = weigh(e);
    bool found = true;
    while (found && status == RBV_OK && *count < e->n - 1) {
      status = find_next(&out[*count], &found, e, &h, model, taken);
      if (status != RBV_OK || !found) break;
      adopt(e, &h, out[(*count)++].ratio);
      status = weigh(e);
    }
    rbv_free(h.memory);
  }
  rbv_free(taken);
  return status;
}

static rbv_status run_search(rbv_coupling *out, int *count, const rbv_model *m, const signals *s,
                             int ns) {
  *count = 0;
  const int n = rbv_model_joint_count(m);
  // friction and rotors are visible in motor torques only
  if (n < 2 || ns < 1 || rbv_model_row(m, 0)->torque != RBV_TORQUE_MOTOR) return RBV_OK;
  instants *at = rbv_alloc((size_t)ns * sizeof *at);
  equations e = {.n = n, .nc = rbv_model_column_count(m) + TERMS * (n - 1)};
  e.nused = rbv_model_column_count(m);
  rbv_status status = at ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < ns && status == RBV_OK; i++) {
    status = place_instants(&at[i], m, &s[i], INSTANTS / ns);
    e.ninstant += at[i].count;
  }
  if (status == RBV_OK && e.ninstant >= INSTANTS / 4) {
    status = allocate(&e);
    e.correlated = correlation(s, at, ns);
    if (status == RBV_OK) status = fill(&e, m, s, ns, at);
    if (status == RBV_OK) status = search(out, count, &e, m);
  }
  for (int i = 0; i < ns && at; i++) free_instants(&at[i]);
  rbv_free(at);
  free_equations(&e);
  return status;
}

/* ---- the finding ---- */

/* turns of the rotor per turn of the joint, as the robot file gives it */
static double rotor_ratio(const rbv_model *m, const rbv_coupling *c) {
  const double own = rbv_model_transmission(m)[c->motor * (rbv_model_joint_count(m) + 1)];
  return own * c->ratio;
}

/* the entry of the robot file, with the couplings that it has already */
static void put_entry(rbv_text *out, const rbv_model *m, const rbv_coupling *c, int count) {
  const int n = rbv_model_joint_count(m);
  const double *K = rbv_model_transmission(m);
  bool geared = false;
  for (int j = 0; j < n; j++) geared |= K[j + j * n] != 1;
  rbv_text_put(out, "transmission: {");
  for (int j = 0; j < n && geared; j++)
    rbv_text_print(out, "%s%.6g%s", j ? ", " : "ratios: [", K[j + j * n], j < n - 1 ? "" : "], ");
  rbv_text_put(out, "couplings: [");
  int listed = 0;
  for (int motor = 0; motor < n; motor++)
    for (int joint = 0; joint < n; joint++)
      if (motor != joint && K[motor + joint * n] != 0)
        rbv_text_print(out, "%s{motor: %d, joint: %d, ratio: %.6g}", listed++ ? ", " : "",
                       motor + 1, joint + 1, K[motor + joint * n]);
  for (int i = 0; i < count; i++)
    rbv_text_print(out, "%s{motor: %d, joint: %d, ratio: %.4g}", listed++ ? ", " : "",
                   c[i].motor + 1, c[i].joint + 1, rotor_ratio(m, &c[i]));
  rbv_text_put(out, "]}");
}

/* true without ratios and couplings, as every robot that is a URDF alone */
static bool is_direct(const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  const double *K = rbv_model_transmission(m);
  for (int i = 0; i < n * n; i++)
    if (K[i] != (i % (n + 1) == 0)) return false;
  return true;
}

/* what to write, and where */
static void put_advice(rbv_text *out, const rbv_model *m, const rbv_coupling *c, int count) {
  const rbv_xml *urdf = rbv_model_urdf(m);
  const char *path = urdf ? rbv_xml_name(urdf) : NULL, *slash = path ? strrchr(path, '/') : NULL;
  if (path && is_direct(m)) {
    rbv_text_print(out, "Beside the URDF, write a robot file with the lines `urdf: %s` and `",
                   slash ? slash + 1 : path);
    put_entry(out, m, c, count);
    rbv_text_put(out, "`, and identify with that file");
  } else {
    rbv_text_put(out, "Write in the robot file `");
    put_entry(out, m, c, count);
    rbv_text_put(out, "`");
  }
}

static void put_sentence(rbv_text *out, const rbv_model *m, const rbv_coupling *c, int count,
                         int i) {
  const double unit = rotor_ratio(m, &c[i]) / fabs(c[i].ratio);
  rbv_text_print(out,
                 "the drives of joint %d (%.40s) and joint %d (%.40s) are coupled: motor %d also "
                 "turns with joint %d, ratio %.4g (%.3g to %.3g are possible). With the coupling, "
                 "the error on data "
                 "that were left out falls from %.3g to %.3g %% of the torque of joint %d and from "
                 "%.3g to %.3g %% of joint %d. ",
                 c[i].motor + 1, rbv_model_joint(m, c[i].motor)->name, c[i].joint + 1,
                 rbv_model_joint(m, c[i].joint)->name, c[i].motor + 1, c[i].joint + 1,
                 rotor_ratio(m, &c[i]), c[i].range[c[i].ratio < 0] * unit,
                 c[i].range[c[i].ratio > 0] * unit, 100 * c[i].without[0], 100 * c[i].with[0],
                 c[i].motor + 1, 100 * c[i].without[1], 100 * c[i].with[1], c[i].joint + 1);
  put_advice(out, m, c, count);
}

rbv_status rbv_coupling_describe(char out[RBV_COUPLING_TEXT], const rbv_model *model,
                                 const rbv_coupling *coupling, int count, int i) {
  if (!out || !model || !coupling || i < 0 || i >= count)
    return rbv_fail(RBV_EARG, "a model, its couplings and a place for the text are needed");
  rbv_text text = {0};
  put_sentence(&text, model, coupling, count, i);
  const rbv_status status = text.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK) snprintf(out, RBV_COUPLING_TEXT, "%s", text.data);
  rbv_text_free(&text);
  return status;
}

/* ---- recordings ---- */

/* signals of a view */
static signals signals_of(const view *v) {
  return (signals){.count = v->count,
                   .rate_hz = v->rate_hz,
                   .reach = (ptrdiff_t)(v->rate_hz / v->cutoff_hz / 2) + 1,
                   .q = v->q,
                   .dq = v->dq,
                   .ddq = v->ddq,
                   .torque = v->smooth,
                   .keep = v->keep,
                   .loaded = v->loaded};
}

static rbv_status add_finding(examination *x, const rbv_coupling *c, int count, int i) {
  char sentence[RBV_COUPLING_TEXT];
  RBV_TRY(rbv_coupling_describe(sentence, x->model, c, count, i));
  rbv_add_finding(x,
                  (rbv_finding){.code = RBV_FINDING_COUPLING,
                                .severity = RBV_SEVERITY_WARNING,
                                .log = -1,
                                .joint = c[i].motor,
                                .other = c[i].joint,
                                .sample = -1,
                                .value = rotor_ratio(x->model, &c[i])},
                  "%s", sentence);
  return RBV_OK;
}

rbv_status rbv_detect_coupling(examination *x) {
  const int n = rbv_model_joint_count(x->model);
  rbv_coupling *found = rbv_alloc((size_t)n * sizeof *found);
  signals *s = rbv_alloc((size_t)x->nlog * sizeof *s);
  rbv_status status = found && s ? RBV_OK : RBV_EMEM;
  int ns = 0, count = 0;
  for (int i = 0; i < x->nlog && status == RBV_OK; i++)
    if (x->view[i].usable && !x->view[i].unreliable) s[ns++] = signals_of(&x->view[i]);
  if (status == RBV_OK) status = run_search(found, &count, x->model, s, ns);
  for (int i = 0; i < count && status == RBV_OK; i++) status = add_finding(x, found, count, i);
  rbv_free(found);
  rbv_free(s);
  return status;
}

/* read a motion; torques get the low-pass of its positions. memory holds everything. */
static rbv_status read_motion(signals *s, void **memory, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  const ptrdiff_t count = info->count < LONGEST ? info->count : LONGEST;
  const size_t block = (size_t)count * (size_t)info->njoint;
  const size_t torques = (size_t)count * (size_t)info->ntorque;
  double *x = rbv_alloc((3 * block + 2 * torques) * sizeof *x + (size_t)count * sizeof(bool));
  *memory = x;
  if (!x) return RBV_EMEM;
  double *raw = x + 3 * block, *smooth = raw + torques;
  bool *keep = (bool *)(smooth + torques);
  const rbv_samples out = {
      .ld = count, .q = x, .dq = x + block, .ddq = x + 2 * block, .torque = raw, .valid = keep};
  RBV_TRY(rbv_motion_read(motion, &out, 0, count));
  const double limit = 0.2 * info->rate_hz;
  const double cutoff =
      origin && origin->cutoff_hz > 0 ? fmin(origin->cutoff_hz, limit) : fmin(CUTOFF, limit);
  const ptrdiff_t padding = rbv_filter_padding(cutoff, info->rate_hz);
  rbv_sos sos;
  rbv_filter_work *w;
  RBV_TRY(rbv_sos_butterworth(&sos, FILTER_ORDER, cutoff, info->rate_hz));
  RBV_TRY(rbv_filter_work_new(&w, count, padding));
  const rbv_status status =
      rbv_filter_zero_phase(smooth, count, w, &sos, raw, count, count, info->ntorque, padding);
  rbv_filter_work_free(w);
  *s = (signals){.count = count,
                 .rate_hz = info->rate_hz,
                 .reach = (ptrdiff_t)(info->rate_hz / cutoff / 2) + 1,
                 .q = out.q,
                 .dq = out.dq,
                 .ddq = out.ddq,
                 .torque = smooth,
                 .keep = keep,
                 .loaded = info->loaded};
  return status;
}

rbv_status rbv_find_couplings(rbv_coupling *out, int *count, const rbv_model *model,
                              rbv_motion *const *motions, int nmotion) {
  if (!out || !count || !model || !motions || nmotion < 1)
    return rbv_fail(RBV_EARG, "a robot, motions and a place for the couplings are needed");
  *count = 0;
  signals *s = rbv_alloc((size_t)nmotion * sizeof *s);
  void **memory = rbv_alloc((size_t)nmotion * sizeof *memory);
  rbv_status status = s && memory ? RBV_OK : RBV_EMEM;
  int ns = 0;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(motions[i]);
    if (info->ntorque != rbv_model_row_count(model) || info->count < SHORTEST) continue;
    status = read_motion(&s[ns], &memory[i], motions[i]);
    ns++;
  }
  if (status == RBV_OK) status = run_search(out, count, model, s, ns);
  for (int i = 0; i < nmotion && memory; i++) rbv_free(memory[i]);
  rbv_free(memory);
  rbv_free(s);
  return status;
}
