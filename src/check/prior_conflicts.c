/*
 * Signs, order, gears and units against a prior. A mistake is a hypothesis: undo it, predict the
 * rigid torque of the prior, add rough friction, and see how much more of the torque is explained.
 * The best one is undone for good, as long as it pays; when nothing explains the torque in the end,
 * the log is not this robot's.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"

#define DEGREE (M_PI / 180)
#define PRIOR_FACTOR 1.6  // how wrong a joint's prior may be: links off by 20 % stay within 1.4
#define EXPLAINED 0.01    // shares of unexplained variance below this count alike: the prior's own
/* how many e-folds of unexplained variance a remedy must save, over all joints: one joint down to a
 * quarter. Chance (a prior that is off by 20 %) saves less than 0.5 */
#define WORTH 1.4
#define SUSPICIOUS \
  0.03  // share of variance unexplained in a joint from where on remedies are tried
#define WITHIN_LIMITS 1.0  // e-folds that a remedy earns by bringing a joint back within its limits
#define BEYOND 1.2         // times the limits: what no remedy may cause
#define GAIN_SHOWN 1.6  // a free gain must cut what is unexplained without the prior by this factor
/* gains of clean logs with a prior off by 20 % lie within 0.64 and 1.23 where leaving the prior out
 * doubles what is unexplained */
#define GAIN_SURE 2.0
#define GAIN_SAVES 1.3
#define GAIN_FIT 0.3
#define GAIN_FACTOR 1.7
#define OVERSHOOT 1.5       // unexplained: the prior asks for more torque than there is
#define UNEXPLAINED 0.5     // share from where on a joint is not explained
#define HALF_EXPLAINED 0.3  // share that is too much where the prior has no part in the rest
#define LEAST_RANGE 0.3     // rad: a joint whose degrees would span less is not taken for degrees
#define FEATURES 12

/* how joints of the log become joints of the robot: q_j = scale * q of the log's joint `from` */
typedef struct {
  int *q_from, *tau_from;       // njoint
  double *q_scale, *tau_scale;  // njoint
  double *gain;                 // nrow: 1: the prior's within its error; 0: free
} remedy;

typedef enum {
  NOTHING,
  TURN_TORQUE,
  TURN_POSITION,
  TURN_BOTH,
  SWAP_BOTH,
  SWAP_POSITIONS,
  SWAP_TORQUES,
  FROM_DEGREES,
  SCALE_TORQUE,
  SCALE_BOTH,
  SCALE_ALL_TORQUES,
} kind;

typedef struct {
  kind kind;
  int i, j;
  double factor;
} mistake;

/* the bench on which hypotheses are tried */
typedef struct {
  const rbv_model *m;
  const view *v;
  rbv_dynamics *d;
  int n, nrow;
  ptrdiff_t count;       // knots
  bool *knows_rotor;     // nrow: the prior has the rotor inertia of this row
  double *q, *dq, *ddq;  // count x n, after the remedy
  double *tau;           // count x nrow, of the log
  double *rigid;         // count x nrow: the prior's torque
  double *feature;       // count x (FEATURES + 1)
  double *chi;           // of all columns: rigid bodies and rotors of the prior
  remedy now, trial;
  double *error, *best_error;  // nrow: unexplained share of the variance
  double *gain;                // nrow: gain of the prior's torque that fits best
  double *without;             // nrow: unexplained without the prior
} bench;

static void layout(bench *b, rbv_arena *a) {
  const size_t n = (size_t)b->n, rows = (size_t)b->nrow, count = (size_t)b->count;
  b->chi = RBV_TAKE(a, rbv_model_column_count(b->m), double);
  b->knows_rotor = RBV_TAKE(a, rows, bool);
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
    remedy *r = k ? &b->trial : &b->now;
    r->q_from = RBV_TAKE(a, n, int);
    r->tau_from = RBV_TAKE(a, n, int);
    r->q_scale = RBV_TAKE(a, n, double);
    r->tau_scale = RBV_TAKE(a, n, double);
    r->gain = RBV_TAKE(a, rows, double);
  }
}

static void copy_remedy(remedy *to, const remedy *from, int n, int nrow) {
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

/* change a remedy by one mistake; tells whether positions change */
static bool undo(remedy *r, const bench *b, const mistake *m) {
  const int i = m->i, j = m->j;
  switch (m->kind) {
    case NOTHING: return false;
    case TURN_TORQUE: r->tau_scale[i] *= -1; return false;
    case TURN_BOTH:
      r->tau_scale[i] *= -1;
      r->q_scale[i] *= -1;
      return true;
    case TURN_POSITION: r->q_scale[i] *= -1; return true;
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

/* ---- prediction ---- */

/* states at the knots, and the prior's torque there */
static void predict(bench *b, const remedy *r) {
  const view *v = b->v;
  for (int j = 0; j < b->n; j++) {
    const ptrdiff_t from = r->q_from[j] * b->count, to = j * b->count;
    for (ptrdiff_t k = 0; k < b->count; k++) {
      b->q[to + k] = r->q_scale[j] * v->knot_q[from + k];
      b->dq[to + k] = r->q_scale[j] * v->knot_dq[from + k];
      b->ddq[to + k] = r->q_scale[j] * v->knot_ddq[from + k];
    }
  }
  const rbv_states states = {b->count, b->count, b->q, b->dq, b->ddq};
  rbv_dynamics_rows_batch(b->rigid, b->count, b->d, &states);
}

static double sign_of(double x) { return (x > 0) - (x < 0); }

/* velocity, its sign, and acceleration along a direction, times a gain */
static int add_direction(double *F, int used, const bench *b, const double *direction, double gain,
                         bool inertia) {
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
 * Columns that explain a row's torque: the prior's, then what must not be negative (viscous and
 * Coulomb friction, rotor inertia where the prior has none, along the joint and along each motor
 * that acts on it), then a constant. Returns their number.
 */
static int fill_features(const bench *b, int row) {
  const rbv_row *r = rbv_model_row(b->m, row);
  const double *K = rbv_model_transmission(b->m);
  const int n = b->n, j = r->joint;
  const bool inertia = !b->knows_rotor[row] && r->torque != RBV_TORQUE_JOINT;
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

/* least squares within bounds by coordinate descent on the normal equations; returns the residual
 * sum of squares. Few columns and two digits are enough here. */
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

/* normal equations of a row over the knots where its joint moves; at rest friction has no law */
typedef struct {
  int n;
  double G[FEATURES * FEATURES], b[FEATURES], yy, variance;
} equations;

static bool collect(equations *e, bench *b, const remedy *r, int row) {
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
  // a torque that does not change says nothing
  return used >= 4 * FEATURES && e->variance > 1e-9 * e->yy;
}

/* unexplained share with the prior's gain within bounds, the constant free, the rest not negative
 */
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
 * Unexplained share of a row's variance under a remedy. A free gain counts where the prior's torque
 * is seen at all, or where the prior asks for more torque than there is.
 */
static double judge_row(bench *b, const remedy *r, int row) {
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

static void judge(double *error, bench *b, const remedy *r) {
  for (int row = 0; row < b->nrow; row++) error[row] = judge_row(b, r, row);
}

/* e-folds of unexplained variance over all rows */
static double score(const double *error, int nrow) {
  double sum = 0;
  for (int r = 0; r < nrow; r++) sum += log(fmax(error[r], EXPLAINED));
  return sum;
}

/* ---- hypotheses ---- */

/* joints beyond their position limits under a remedy */
static int count_beyond(const bench *b, const remedy *r) {
  int beyond = 0;
  for (int j = 0; j < b->n; j++) {
    const rbv_limits *l = &rbv_model_joint(b->m, j)->limits;
    const double middle = (l->upper + l->lower) / 2, half = (l->upper - l->lower) / 2;
    const double *q = b->v->knot_q + r->q_from[j] * b->count;
    bool out = false;
    for (ptrdiff_t k = 0; k < b->count && isfinite(half); k++)
      out |= fabs(r->q_scale[j] * q[k] - middle) > BEYOND * half;
    beyond += out;
  }
  return beyond;
}

typedef struct {
  mistake mistake;
  double score;
  double gain;  // of the joint concerned
} verdict;

/* degrees of a joint that hardly moves would explain anything: its torque is then a constant */
static bool is_tiny(const bench *b, const mistake *m) {
  if (m->kind != FROM_DEGREES || m->i < 0) return false;
  const double *q = b->v->knot_q + b->now.q_from[m->i] * b->count;
  double low = INFINITY, high = -INFINITY;
  for (ptrdiff_t k = 0; k < b->count; k++) {
    low = fmin(low, q[k]);
    high = fmax(high, q[k]);
  }
  return (high - low) * fabs(b->now.q_scale[m->i]) * DEGREE < LEAST_RANGE;
}

/* share of variance unexplained in the joints that a mistake concerns */
static double concerned(const bench *b, const mistake *m, const double *error) {
  double worst = 0;
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (m->i < 0 || j == m->i || j == m->j) worst = fmax(worst, error[r]);
  }
  return worst;
}

static void try_one(verdict *best, bench *b, const mistake *m) {
  if (is_tiny(b, m)) return;
  copy_remedy(&b->trial, &b->now, b->n, b->nrow);
  double credit = 0;
  if (undo(&b->trial, b, m)) {
    const int before = count_beyond(b, &b->now), after = count_beyond(b, &b->trial);
    if (after > before) return;
    credit = WITHIN_LIMITS * (before - after);
    predict(b, &b->trial);
  }
  judge(b->error, b, &b->trial);
  const double s = score(b->error, b->nrow) - credit;
  // the prior must have a part in the success: standing still would explain little and ask nothing
  if (!(s < best->score) || score(b->without, b->nrow) < score(b->error, b->nrow) + WORTH) return;
  const bool scaled = m->kind == SCALE_TORQUE || m->kind == SCALE_BOTH;
  if (concerned(b, m, b->error) > (scaled ? GAIN_FIT : UNEXPLAINED)) return;
  *best = (verdict){*m, s, 1};
  memcpy(b->best_error, b->error, (size_t)b->nrow * sizeof(double));
  for (int r = 0; r < b->nrow; r++)
    if (rbv_model_row(b->m, r)->joint == m->i) best->gain = b->gain[r];
}

/* those that leave the positions alone come first: the prediction is made once for them */
static void try_all(verdict *best, bench *b) {
  predict(b, &b->now);
  for (int i = 0; i < b->n; i++) {
    try_one(best, b, &(mistake){TURN_TORQUE, i, -1, -1});
    try_one(best, b, &(mistake){SCALE_TORQUE, i, -1, 1});
    for (int j = i + 1; j < b->n; j++) try_one(best, b, &(mistake){SWAP_TORQUES, i, j, 1});
  }
  try_one(best, b, &(mistake){FROM_DEGREES, -1, -1, DEGREE});
  for (int i = 0; i < b->n; i++) {
    try_one(best, b, &(mistake){TURN_POSITION, i, -1, -1});
    try_one(best, b, &(mistake){TURN_BOTH, i, -1, -1});
    try_one(best, b, &(mistake){FROM_DEGREES, i, -1, DEGREE});
    for (int j = i + 1; j < b->n; j++) {
      try_one(best, b, &(mistake){SWAP_BOTH, i, j, 1});
      try_one(best, b, &(mistake){SWAP_POSITIONS, i, j, 1});
    }
    for (double f = 2; f < 5; f *= 1.4142135623730951) {
      try_one(best, b, &(mistake){SCALE_BOTH, i, -1, f});
      try_one(best, b, &(mistake){SCALE_BOTH, i, -1, 1 / f});
    }
  }
}

static bool suspicious(const bench *b) {
  for (int r = 0; r < b->nrow; r++)
    if (b->error[r] > SUSPICIOUS) return true;
  return false;
}

/*
 * Is it another robot? Either a third of the rows is not explained, or the prior has no part in
 * what is: leaving it out costs less than a third of an e-fold per row. Clean logs lose three
 * quarters.
 */
static bool is_foreign(const bench *b) {
  double worst = 0;
  int poor = 0;
  for (int r = 0; r < b->nrow; r++) {
    poor += b->error[r] > UNEXPLAINED;
    worst = fmax(worst, b->error[r]);
  }
  const double part = score(b->without, b->nrow) - score(b->error, b->nrow);
  return (poor > 0 && 3 * poor >= b->nrow) || (worst > HALF_EXPLAINED && part < b->nrow / 3.0);
}

/* ---- words ---- */

static void tell(examination *x, view *v, const verdict *d, double before, double after) {
  const mistake *m = &d->mistake;
  const char *name = rbv_log_name(v->log);
  char mine[JOINT_WORDS] = "", theirs[JOINT_WORDS] = "", gain[120];
  if (m->i >= 0) rbv_joint_words(mine, x, m->i);
  if (m->j >= 0) rbv_joint_words(theirs, x, m->j);
  snprintf(gain, sizeof gain,
           "the prior then leaves %.3g %% of its torque unexplained, not %.3g %%", 100 * after,
           100 * before);
  rbv_finding f = {
      RBV_FINDING_SIGN, RBV_SEVERITY_ERROR, v->number, m->i, m->j, -1, m->factor, NULL};
  switch (m->kind) {
    case NOTHING: return;
    case TURN_TORQUE:
    case TURN_POSITION:
    case TURN_BOTH:
      rbv_found(x, f, "%s: the sign of the %s of %s is turned: %s. Give `sign: -1` in a column map",
                name,
                m->kind == TURN_TORQUE     ? "torque"
                : m->kind == TURN_POSITION ? "position"
                                           : "position and torque",
                mine, gain);
      return;
    case SWAP_BOTH:
    case SWAP_POSITIONS:
    case SWAP_TORQUES:
      f.code = RBV_FINDING_ORDER;
      rbv_found(x, f, "%s: the %s of %s and %s are swapped: %s. Exchange their columns in a map",
                name,
                m->kind == SWAP_BOTH        ? "columns"
                : m->kind == SWAP_POSITIONS ? "positions"
                                            : "torques",
                mine, theirs, gain);
      return;
    case FROM_DEGREES:
      f.code = RBV_FINDING_DEGREES;
      f.value = 1 / DEGREE;
      rbv_found(x, f,
                "%s: the positions%s%s look like degrees: %s. Give `unit: deg` in a column map",
                name, m->i < 0 ? "" : " of ", mine, gain);
      return;
    case SCALE_TORQUE:
      f.code = RBV_FINDING_GEAR;
      f.value = d->gain;
      rbv_found(x, f,
                "%s: the torque of %s is %.3g times what the prior expects: %s. Check gear ratio, "
                "torque constant and unit in the column map",
                name, mine, d->gain, gain);
      return;
    case SCALE_BOTH:
      f.code = RBV_FINDING_GEAR;
      rbv_found(x, f,
                "%s: the positions of %s should be about %.2g times as large (its torque is %.3g "
                "times what is then expected): %s. Check its gear ratio in the column map",
                name, mine, m->factor, d->gain, gain);
      return;
    case SCALE_ALL_TORQUES: return;
  }
}

/* gains of all joints free: another unit, when most of them want it */
static bool tell_unit(examination *x, view *v, bench *b) {
  memcpy(b->best_error, b->error, (size_t)b->nrow * sizeof(double));
  copy_remedy(&b->trial, &b->now, b->n, b->nrow);
  undo(&b->trial, b, &(mistake){SCALE_ALL_TORQUES, -1, -1, 1});
  judge(b->error, b, &b->trial);
  int off = 0, up = 0;
  double least = INFINITY, most = 0;
  for (int r = 0; r < b->nrow; r++) {
    const double saved = log(fmax(b->best_error[r], EXPLAINED) / fmax(b->error[r], EXPLAINED));
    if (!(saved > WORTH / 2) || !(b->without[r] > GAIN_SURE * b->error[r]) ||
        b->error[r] > UNEXPLAINED)
      continue;
    off++;
    up += b->gain[r] > 1;
    least = fmin(least, b->gain[r]);
    most = fmax(most, b->gain[r]);
  }
  if (off < 2 || 2 * off < b->nrow || (up > 0 && up < off)) {
    memcpy(b->error, b->best_error, (size_t)b->nrow * sizeof(double));
    return false;
  }
  const rbv_finding f =
      finding_of(RBV_FINDING_TORQUE_UNIT, RBV_SEVERITY_ERROR, v, -1, sqrt(least * most));
  v->mislaid = true;
  rbv_found(x, f,
            "%s: the torques of %d joints are %.3g to %.3g times what the prior expects. %s Give "
            "unit, gain and ratio in a column map",
            rbv_log_name(v->log), off, least, most,
            most < 1
                ? "Are they currents, or before the gear?"
                : "Are they currents in another unit, or is it a larger robot of the same build?");
  return true;
}

static void tell_foreign(examination *x, view *v, const bench *b) {
  double with = 0, without = 0;
  for (int r = 0; r < b->nrow; r++) {
    with += b->error[r] / b->nrow;
    without += b->without[r] / b->nrow;
  }
  v->mislaid = true;
  rbv_found(x, finding_of(RBV_FINDING_FOREIGN, RBV_SEVERITY_ERROR, v, -1, with),
            "%s: friction and the prior of '%s' leave %.0f %% of the torque unexplained (%.0f %% "
            "without the prior), and no mistake of sign, order, gear or unit mends it: this looks "
            "like the log of another robot, or the prior is of no use",
            rbv_log_name(v->log), rbv_model_name(x->model), 100 * with, 100 * without);
}

/* joints that the prior says nothing about: an unknown tool, a spring, friction alone */
static void tell_unexplained(examination *x, const view *v, const bench *b) {
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (!(b->error[r] > UNEXPLAINED)) continue;
    char words[JOINT_WORDS];
    rbv_joint_words(words, x, j);
    rbv_found(
        x, finding_of(RBV_FINDING_PRIOR, RBV_SEVERITY_NOTE, v, j, b->error[r]),
        "%s: friction and the prior leave %.0f %% of the torque of %s unexplained, so its sign "
        "and gear were not judged: is there a tool or a spring that the prior does not know?",
        rbv_log_name(v->log), 100 * b->error[r], words);
  }
}

/* ---- the detector ---- */

static rbv_status prepare(bench *b, char **memory, const examination *x, const view *v) {
  *b = (bench){.m = x->model, .v = v, .n = v->njoint, .nrow = v->nrow, .count = v->nknot};
  rbv_arena measure = {0};
  layout(b, &measure);
  *memory = rbv_alloc(measure.used);
  if (!*memory) return RBV_EMEM;
  rbv_arena carve = {.base = *memory};
  layout(b, &carve);
  // rigid bodies and rotors: friction of a prior is that of another day
  for (int c = 0; c < rbv_model_column_count(b->m); c++) {
    const rbv_column *column = rbv_model_column(b->m, c);
    if (column->basis == RBV_BASIS_INERTIAL || rbv_column_has_law(column, "Ia"))
      b->chi[c] = x->prior[c];
    for (int r = 0; r < b->nrow && rbv_column_has_law(column, "Ia") && b->chi[c] != 0; r++)
      if (rbv_model_row(b->m, r)->joint == column->joint) b->knows_rotor[r] = true;
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

/* gains that are off although the joint is explained well enough for scores to overlook it */
static int find_gains(bench *b, verdict *found, double *shares, int count) {
  copy_remedy(&b->trial, &b->now, b->n, b->nrow);
  undo(&b->trial, b, &(mistake){SCALE_ALL_TORQUES, -1, -1, 1});
  for (int r = 0; r < b->nrow && count < b->n; r++) {
    const double held = judge_row(b, &b->now, r), left = judge_row(b, &b->trial, r), g = b->gain[r];
    const bool shown =
        b->without[r] > GAIN_SURE * left && held > GAIN_SAVES * left && left < GAIN_FIT;
    if (b->now.gain[r] == 0 || !shown || (g < GAIN_FACTOR && g > 1 / GAIN_FACTOR)) continue;
    shares[2 * count] = held;
    shares[2 * count + 1] = left;
    found[count++] = (verdict){{SCALE_TORQUE, rbv_model_row(b->m, r)->joint, -1, 1}, 0, g};
  }
  return count;
}

static bool joint_saturates(const examination *x, int log, int joint) {
  for (int i = 0; i < x->nfinding; i++) {
    const rbv_finding *f = &x->finding[i];
    if (f->code == RBV_FINDING_SATURATED && f->log == log && f->joint == joint) return true;
  }
  return false;
}

static void search(examination *x, view *v, bench *b, verdict *found, double *shares) {
  int count = 0;
  predict(b, &b->now);
  judge(b->error, b, &b->now);
  if (tell_unit(x, v, b)) return;
  double *stand = shares + 2 * b->n;  // errors as they are, while trials overwrite them
  for (; count < b->n && suspicious(b); count++) {
    memcpy(stand, b->error, (size_t)b->nrow * sizeof(double));
    verdict best = {{NOTHING, -1, -1, 1}, score(stand, b->nrow) - WORTH, 1};
    try_all(&best, b);
    if (best.mistake.kind == NOTHING) break;
    undo(&b->now, b, &best.mistake);
    found[count] = best;
    shares[2 * count] = concerned(b, &best.mistake, stand);
    shares[2 * count + 1] = concerned(b, &best.mistake, b->best_error);
    memcpy(b->error, b->best_error, (size_t)b->nrow * sizeof(double));
    predict(b, &b->now);
  }
  predict(b, &b->now);
  judge(b->error, b, &b->now);
  if (is_foreign(b)) {
    tell_foreign(x, v, b);
    return;
  }
  tell_unexplained(x, v, b);
  count = find_gains(b, found, shares, count);
  for (int k = 0; k < count; k++) {
    // a torque that was cut off is too small, and that has been said
    const bool scaled = found[k].mistake.kind == SCALE_TORQUE;
    if (scaled && joint_saturates(x, v->number, found[k].mistake.i)) continue;
    tell(x, v, &found[k], shares[2 * k], shares[2 * k + 1]);
    v->mislaid = true;
  }
}

rbv_status rbv_detect_mistakes(examination *x, view *v) {
  if (!x->prior) {
    rbv_found(x, finding_of(RBV_FINDING_NO_PRIOR, RBV_SEVERITY_NOTE, v, -1, NAN),
              "%s: '%s' comes without masses, so signs, gears and the order of joints were not "
              "checked; a URDF with inertials or a `parameters` list would do",
              rbv_log_name(v->log), rbv_model_name(x->model));
    return RBV_OK;
  }
  if (v->nknot < 8 * FEATURES) return RBV_OK;
  bench b;
  char *memory = NULL;
  verdict *found = rbv_alloc((size_t)v->njoint * sizeof *found);
  double *shares = rbv_alloc((size_t)(2 * v->njoint + v->nrow) * sizeof *shares);
  rbv_status status = found && shares ? prepare(&b, &memory, x, v) : RBV_EMEM;
  if (status == RBV_OK) search(x, v, &b, found, shares);
  if (memory) rbv_dynamics_free(b.d);
  rbv_free(memory);
  rbv_free(found);
  rbv_free(shares);
  return status;
}
