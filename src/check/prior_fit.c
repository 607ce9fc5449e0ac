#include "check/prior_fit.h"

#include <math.h>
#include <string.h>

static void layout(workspace *b, rbv_arena *a) {
  const size_t n = (size_t)b->n, rows = (size_t)b->nrow, count = (size_t)b->count;
  b->chi = RBV_TAKE(a, rbv_model_column_count(b->m), double);
  b->has_rotor = RBV_TAKE(a, rows, bool);
  b->q = RBV_TAKE(a, count * n, double);
  b->dq = RBV_TAKE(a, count * n, double);
  b->ddq = RBV_TAKE(a, count * n, double);
  b->tau = RBV_TAKE(a, count * rows, double);
  b->rigid = RBV_TAKE(a, count * rows, double);
  b->feature = RBV_TAKE(a, count * (FEATURES + 1), double);
  b->error = RBV_TAKE(a, rows, double);
  b->best_error = RBV_TAKE(a, rows, double);
  b->gain = RBV_TAKE(a, rows, double);
  b->without = RBV_TAKE(a, rows, double);
  for (int k = 0; k < 2; k++) {
    correction *r = k ? &b->trial : &b->now;
    r->q_from = RBV_TAKE(a, n, int);
    r->tau_from = RBV_TAKE(a, n, int);
    r->q_scale = RBV_TAKE(a, n, double);
    r->tau_scale = RBV_TAKE(a, n, double);
    r->gain = RBV_TAKE(a, rows, double);
  }
}

void rbv_prior_copy(correction *to, const correction *from, int n, int nrow) {
  memcpy(to->q_from, from->q_from, (size_t)n * sizeof(int));
  memcpy(to->tau_from, from->tau_from, (size_t)n * sizeof(int));
  memcpy(to->q_scale, from->q_scale, (size_t)n * sizeof(double));
  memcpy(to->tau_scale, from->tau_scale, (size_t)n * sizeof(double));
  memcpy(to->gain, from->gain, (size_t)nrow * sizeof(double));
}

static void swap_int(int *a, int *b) {
  const int c = *a;
  *a = *b;
  *b = c;
}

static void swap_real(double *a, double *b) {
  const double c = *a;
  *a = *b;
  *b = c;
}

/* add the correction of one mistake; true if positions change */
bool rbv_prior_correct(correction *r, const workspace *b, const mistake *m) {
  const int i = m->i, j = m->j;
  switch (m->kind) {
    case NOTHING: return false;
    case FLIP_TORQUE: r->tau_scale[i] *= -1; return false;
    case FLIP_BOTH:
      r->tau_scale[i] *= -1;
      r->q_scale[i] *= -1;
      return true;
    case FLIP_POSITION: r->q_scale[i] *= -1; return true;
    case SWAP_BOTH:
    case SWAP_TORQUES:
      swap_int(&r->tau_from[i], &r->tau_from[j]);
      swap_real(&r->tau_scale[i], &r->tau_scale[j]);
      if (m->kind == SWAP_TORQUES) return false;
      // fall through
    case SWAP_POSITIONS:
      swap_int(&r->q_from[i], &r->q_from[j]);
      swap_real(&r->q_scale[i], &r->q_scale[j]);
      return true;
    case FROM_DEGREES:
      for (int k = 0; k < b->n; k++)
        if (i < 0 || k == i) r->q_scale[k] *= DEGREE;
      return true;
    case SCALE_TORQUE:
    case SCALE_BOTH:
      for (int k = 0; k < b->nrow; k++)
        if (rbv_model_row(b->m, k)->joint == i) r->gain[k] = 0;
      if (m->kind == SCALE_TORQUE) return false;
      r->q_scale[i] *= m->factor;
      return true;
    case SCALE_ALL_TORQUES:
      for (int k = 0; k < b->nrow; k++) r->gain[k] = 0;
      return false;
  }
  return false;
}

rbv_status rbv_prior_prepare(workspace *b, char **memory, const examination *x, const view *v) {
  *b = (workspace){.m = x->model, .v = v, .n = v->njoint, .nrow = v->nrow, .count = v->nknot};
  rbv_arena measure = {0};
  layout(b, &measure);
  *memory = rbv_alloc(measure.used);
  if (!*memory) return RBV_EMEM;
  rbv_arena carve = {.base = *memory};
  layout(b, &carve);
  // rigid bodies and rotors only: friction changes with time and temperature
  for (int c = 0; c < rbv_model_column_count(b->m); c++) {
    const rbv_column *column = rbv_model_column(b->m, c);
    if (column->basis == RBV_BASIS_INERTIAL || rbv_column_has_law(column, "Ia"))
      b->chi[c] = x->prior[c];
    for (int r = 0; r < b->nrow && rbv_column_has_law(column, "Ia") && b->chi[c] != 0; r++)
      if (rbv_model_row(b->m, r)->joint == column->joint) b->has_rotor[r] = true;
  }
  for (int j = 0; j < b->n; j++) {
    b->now.q_from[j] = b->now.tau_from[j] = j;
    b->now.q_scale[j] = b->now.tau_scale[j] = 1;
  }
  for (int r = 0; r < b->nrow; r++) {
    b->now.gain[r] = 1;
    for (ptrdiff_t k = 0; k < b->count; k++)
      b->tau[k + r * b->count] = v->smooth[v->knot[k] + r * v->count];
  }
  RBV_TRY(rbv_dynamics_new(&b->d, b->m));
  return rbv_dynamics_set(b->d, b->chi, v->loaded);
}

/* ---- prediction ---- */

/* states and torque of the prior at the knots */
void rbv_prior_predict(workspace *b, const correction *r) {
  const view *v = b->v;
  for (int j = 0; j < b->n; j++) {
    const ptrdiff_t from = r->q_from[j] * b->count, to = j * b->count;
    for (ptrdiff_t k = 0; k < b->count; k++) {
      b->q[to + k] = r->q_scale[j] * v->knot_q[from + k];
      b->dq[to + k] = r->q_scale[j] * v->knot_dq[from + k];
      b->ddq[to + k] = r->q_scale[j] * v->knot_ddq[from + k];
    }
  }
  const rbv_states states = {
      .count = b->count, .ld = b->count, .q = b->q, .dq = b->dq, .ddq = b->ddq};
  rbv_dynamics_rows_batch(b->rigid, b->count, b->d, &states);
}

static double sign_of(double x) { return (x > 0) - (x < 0); }

/* velocity, its sign, and acceleration along a direction, times a gain */
static int add_direction(double *F, int used, const workspace *b, const double *direction,
                         double gain, bool inertia) {
  for (ptrdiff_t k = 0; k < b->count; k++) {
    double v = 0, a = 0;
    for (int i = 0; i < b->n; i++) {
      v += direction[i * b->n] * b->dq[k + i * b->count];
      a += direction[i * b->n] * b->ddq[k + i * b->count];
    }
    F[k + used * b->count] = gain * v;
    F[k + (used + 1) * b->count] = gain * sign_of(v);
    if (inertia) F[k + (used + 2) * b->count] = gain * a;
  }
  return used + 2 + inertia;
}

/*
 * Columns that explain the torque of a row: first that of the prior; then columns whose coefficient
 * must not be negative (viscous and Coulomb friction, rotor inertia if the prior has none, for the
 * joint and for each motor that acts on it); last a constant. Returns their number.
 */
static int fill_features(const workspace *b, int row) {
  const rbv_row *r = rbv_model_row(b->m, row);
  const double *K = rbv_model_transmission(b->m);
  const int n = b->n, j = r->joint;
  const bool inertia = !b->has_rotor[row] && r->torque != RBV_TORQUE_JOINT;
  double *F = b->feature;
  memcpy(F, b->rigid + row * b->count, (size_t)b->count * sizeof *F);
  int used = 1;
  for (ptrdiff_t k = 0; k < b->count; k++) {
    F[k + used * b->count] = b->dq[k + j * b->count];
    F[k + (used + 1) * b->count] = sign_of(b->dq[k + j * b->count]);
    if (inertia) F[k + (used + 2) * b->count] = b->ddq[k + j * b->count];
  }
  used += 2 + inertia;
  for (int motor = 0; motor < n && used + 4 <= FEATURES; motor++) {
    bool coupled = false;
    for (int i = 0; i < n; i++) coupled |= i != j && K[motor + i * n] != 0;
    if (K[motor + j * n] == 0 || !coupled || r->torque == RBV_TORQUE_JOINT) continue;
    used = add_direction(F, used, b, K + motor, sign_of(K[motor + j * n]), inertia);
  }
  for (ptrdiff_t k = 0; k < b->count; k++) F[k + used * b->count] = 1;
  return used + 1;
}

/* ---- fitting ---- */

/* Least squares with bounds, by coordinate descent on the normal equations; returns the residual
 * sum of squares. It suits few columns and two digits of precision. */
static double fit_within(double *x, const double *G, const double *b, double yy, int n,
                         const double *low, const double *high) {
  memset(x, 0, (size_t)n * sizeof *x);
  for (int i = 0; i < n; i++) x[i] = fmin(fmax(0, low[i]), high[i]);
  for (int sweep = 0; sweep < 100; sweep++) {
    double change = 0;
    for (int i = 0; i < n; i++) {
      if (!(G[i + i * n] > 0)) continue;
      double g = b[i];
      for (int j = 0; j < n; j++)
        if (j != i) g -= G[i + j * n] * x[j];
      const double fresh = fmin(fmax(g / G[i + i * n], low[i]), high[i]);
      change = fmax(change, fabs(fresh - x[i]) * sqrt(G[i + i * n]));
      x[i] = fresh;
    }
    if (change <= 1e-4 * sqrt(yy)) break;
  }
  double rss = yy;
  for (int i = 0; i < n; i++) {
    rss -= 2 * x[i] * b[i];
    for (int j = 0; j < n; j++) rss += x[i] * G[i + j * n] * x[j];
  }
  return fmax(rss, 0);
}

/* normal equations of a row over the knots where its joint moves; at standstill friction is
 * undefined */
typedef struct {
  int n;
  double G[FEATURES * FEATURES], b[FEATURES], yy, variance;
} equations;

static bool collect(equations *e, workspace *b, const correction *r, int row) {
  const int j = rbv_model_row(b->m, row)->joint, n = fill_features(b, row);
  const double *tau = b->tau + (row - j + r->tau_from[j]) * b->count, *dq = b->dq + j * b->count;
  const double still = b->v->still[r->q_from[j]] * fabs(r->q_scale[j]);
  *e = (equations){.n = n};
  double y = 0;
  ptrdiff_t used = 0;
  for (ptrdiff_t k = 0; k < b->count; k++) {
    if (!(fabs(dq[k]) > still)) continue;
    const double t = r->tau_scale[j] * tau[k], *F = b->feature + k;
    for (int c = 0; c < n; c++) {
      e->b[c] += F[c * b->count] * t;
      for (int i = 0; i <= c; i++) e->G[i + c * n] += F[i * b->count] * F[c * b->count];
    }
    e->yy += t * t;
    y += t;
    used++;
  }
  for (int c = 0; c < n; c++)
    for (int i = 0; i < c; i++) e->G[c + i * n] = e->G[i + c * n];
  e->variance = used > 0 ? e->yy - y * y / (double)used : 0;
  // a constant torque gives no information
  return used >= KNOTS_PER_FEATURE * FEATURES && e->variance > 1e-9 * e->yy;
}

/* unexplained share with the gain of the prior within bounds, a free constant, the rest >= 0 */
static double explain(double *gain, const equations *e, double least, double most) {
  double low[FEATURES] = {0}, high[FEATURES], x[FEATURES];
  for (int c = 0; c < e->n; c++) high[c] = INFINITY;
  low[0] = least;
  high[0] = most;
  low[e->n - 1] = -INFINITY;
  const double rss = fit_within(x, e->G, e->b, e->yy, e->n, low, high);
  if (gain) *gain = x[0];
  return rss / e->variance;
}

/*
 * Unexplained share of a row's variance with a correction. A free gain is used where the torque of
 * the prior is visible, or where the prior predicts more torque than was measured.
 */
double rbv_prior_share(workspace *b, const correction *r, int row) {
  equations e;
  b->gain[row] = b->without[row] = 1;
  if (!collect(&e, b, r, row)) return 0;
  b->without[row] = explain(NULL, &e, 0, 0);
  const double held = explain(&b->gain[row], &e, 1 / PRIOR_FACTOR, PRIOR_FACTOR);
  if (r->gain[row] > 0) return held;
  double gain;
  const double free_ = explain(&gain, &e, 0, INFINITY);
  if (b->without[row] < GAIN_SHOWN * free_ && held < OVERSHOOT) return held;
  b->gain[row] = gain;
  return free_;
}

void rbv_prior_shares(double *error, workspace *b, const correction *r) {
  for (int row = 0; row < b->nrow; row++) error[row] = rbv_prior_share(b, r, row);
}

/*
 * Sum of the logarithms of the unexplained shares. A prior that predicts a torque worse than its
 * mean (share above 1) explains nothing: how much worse does not show a mistake of the recording,
 * because wrong values in the robot file do the same.
 */
double rbv_prior_score(const double *error, int nrow) {
  double sum = 0;
  for (int r = 0; r < nrow; r++) sum += log(fmin(fmax(error[r], EXPLAINED), 1));
  return sum;
}
