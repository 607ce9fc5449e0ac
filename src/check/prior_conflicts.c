/*
 * Signs, joint order, gear ratios and units, checked against a prior. Every possible mistake is a
 * hypothesis: correct it, predict the rigid torque of the prior, add simple friction, and compute
 * how much more of the torque is explained. The best correction is kept while it improves the
 * score. If the torque is not explained in the end, the log belongs to another robot.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/signal.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"

#define DEGREE (RBV_PI / 180)
#define PRIOR_FACTOR 1.6  // allowed error of a joint's prior: link errors of 20 % give up to 1.4
#define EXPLAINED 0.01    // smallest unexplained share that counts: errors of the prior
/* decrease of the score (sum of logarithms of the unexplained shares) that a correction needs: one
 * joint down to a quarter. With a prior that is wrong by 20 %, chance gives less than 0.5. */
#define LEAST_GAIN_OF_SCORE 1.4
#define SUSPICIOUS 0.03    // unexplained share of a joint above which corrections are tried
#define WITHIN_LIMITS 1.0  // score bonus for each joint that returns within its limits
#define BEYOND 1.2         // times the limits: a correction must not exceed this
#define GAIN_SHOWN \
  1.6  // a free gain must reduce the share unexplained without prior by this factor
/* Clean logs with a prior that is wrong by 20 % have gains between 0.64 and 1.23, where the
 * unexplained share doubles without the prior. */
#define GAIN_SURE 2.0
#define GAIN_SAVES 1.3
#define GAIN_FIT 0.3
#define GAIN_FACTOR 1.7
#define OVERSHOOT 1.5       // unexplained share: the prior predicts more torque than was measured
#define UNEXPLAINED 0.5     // share above which a joint is not explained
#define NOISE_FACTOR 2.0    // of the variance of white noise: what is below is noise
#define HALF_EXPLAINED 0.3  // the same where the prior does not contribute
#define MOSTLY_EXPLAINED 0.25  // mean over the joints: below it the log is of this robot
#define LEAST_RANGE 0.3        // rad: smallest range of a joint that is interpreted as degrees
/* A factor of a joint is an error only if more than BADLY_EXPLAINED of the variance of its torque
 * is unexplained without it, and a warning only if it removes the part 1 - 1 / CLEARLY_BETTER of
 * that. Otherwise wrong values of the robot file explain it as well. */
#define BADLY_EXPLAINED 0.1
#define CLEARLY_BETTER 2.0
#define FEATURES 12

/* joints of the robot from joints of the log: q_j = scale * q of the log's joint `from` */
typedef struct {
  int *q_from, *tau_from;       // njoint
  double *q_scale, *tau_scale;  // njoint
  double *gain;                 // nrow: 1: gain of the prior within its error; 0: free gain
} correction;

typedef enum {
  NOTHING,
  FLIP_TORQUE,
  FLIP_POSITION,
  FLIP_BOTH,
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

/* work space for the test of hypotheses */
typedef struct {
  const rbv_model *m;
  const view *v;
  rbv_dynamics *d;
  int n, nrow;
  ptrdiff_t count;       // knots
  bool *has_rotor;       // nrow: the prior includes the rotor inertia of this row
  double *q, *dq, *ddq;  // count x n, after the correction
  double *tau;           // count x nrow, from the log
  double *rigid;         // count x nrow: torque of the prior
  double *feature;       // count x (FEATURES + 1)
  double *chi;           // one per column: rigid bodies and rotors of the prior
  correction now, trial;
  double *error, *best_error;  // nrow: unexplained share of the variance
  double *gain;                // nrow: best gain of the prior's torque
  double *without;             // nrow: unexplained share without the prior
} workspace;

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

static void copy_correction(correction *to, const correction *from, int n, int nrow) {
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
static bool correct(correction *r, const workspace *b, const mistake *m) {
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

/* ---- prediction ---- */

/* states and torque of the prior at the knots */
static void predict(workspace *b, const correction *r) {
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
  return used >= 4 * FEATURES && e->variance > 1e-9 * e->yy;
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
static double unexplained_share(workspace *b, const correction *r, int row) {
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

static void unexplained_shares(double *error, workspace *b, const correction *r) {
  for (int row = 0; row < b->nrow; row++) error[row] = unexplained_share(b, r, row);
}

/*
 * Sum of the logarithms of the unexplained shares. A prior that predicts a torque worse than its
 * mean (share above 1) explains nothing: how much worse does not show a mistake of the recording,
 * because wrong values in the robot file do the same.
 */
static double score(const double *error, int nrow) {
  double sum = 0;
  for (int r = 0; r < nrow; r++) sum += log(fmin(fmax(error[r], EXPLAINED), 1));
  return sum;
}

/* ---- hypotheses ---- */

/* number of joints that exceed their position limits with a correction */
static int count_beyond(const workspace *b, const correction *r) {
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
  double gain;  // of the joint
} candidate;

/* true for a small range: as degrees it would be almost constant, which fits any torque */
static bool is_tiny(const workspace *b, const mistake *m) {
  if (m->kind != FROM_DEGREES || m->i < 0) return false;
  const double *q = b->v->knot_q + b->now.q_from[m->i] * b->count;
  double low = INFINITY, high = -INFINITY;
  for (ptrdiff_t k = 0; k < b->count; k++) {
    low = fmin(low, q[k]);
    high = fmax(high, q[k]);
  }
  return (high - low) * fabs(b->now.q_scale[m->i]) * DEGREE < LEAST_RANGE;
}

/* largest unexplained share of the joints of a mistake */
static double worst_share(const workspace *b, const mistake *m, const double *error) {
  double worst = 0;
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (m->i < 0 || j == m->i || j == m->j) worst = fmax(worst, error[r]);
  }
  return worst;
}

static void try_one(candidate *best, workspace *b, const mistake *m) {
  if (is_tiny(b, m)) return;
  copy_correction(&b->trial, &b->now, b->n, b->nrow);
  double credit = 0;
  if (correct(&b->trial, b, m)) {
    const int before = count_beyond(b, &b->now), after = count_beyond(b, &b->trial);
    if (after > before) return;
    credit = WITHIN_LIMITS * (before - after);
    predict(b, &b->trial);
  }
  unexplained_shares(b->error, b, &b->trial);
  const double s = score(b->error, b->nrow) - credit;
  // the prior must contribute: a correction that only removes motion does not count
  if (!(s < best->score) ||
      score(b->without, b->nrow) < score(b->error, b->nrow) + LEAST_GAIN_OF_SCORE)
    return;
  const bool scaled = m->kind == SCALE_TORQUE || m->kind == SCALE_BOTH;
  if (worst_share(b, m, b->error) > (scaled ? GAIN_FIT : UNEXPLAINED)) return;
  *best = (candidate){*m, s, 1};
  memcpy(b->best_error, b->error, (size_t)b->nrow * sizeof(double));
  for (int r = 0; r < b->nrow; r++)
    if (rbv_model_row(b->m, r)->joint == m->i) best->gain = b->gain[r];
}

/* mistakes that do not change positions come first: they share one prediction */
static void try_all(candidate *best, workspace *b) {
  predict(b, &b->now);
  for (int i = 0; i < b->n; i++) {
    try_one(best, b, &(mistake){FLIP_TORQUE, i, -1, -1});
    try_one(best, b, &(mistake){SCALE_TORQUE, i, -1, 1});
    for (int j = i + 1; j < b->n; j++) try_one(best, b, &(mistake){SWAP_TORQUES, i, j, 1});
  }
  try_one(best, b, &(mistake){FROM_DEGREES, -1, -1, DEGREE});
  for (int i = 0; i < b->n; i++) {
    try_one(best, b, &(mistake){FLIP_POSITION, i, -1, -1});
    try_one(best, b, &(mistake){FLIP_BOTH, i, -1, -1});
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

static bool suspicious(const workspace *b) {
  for (int r = 0; r < b->nrow; r++)
    if (b->error[r] > SUSPICIOUS) return true;
  return false;
}

/*
 * True if the log belongs to another robot: a third of the rows is not explained, or a third is
 * explained poorly and the prior does not contribute: without it the score rises by less than 1/3
 * per row. For clean logs it rises by 3/4, unless friction dominates; then the joints are explained
 * in the mean.
 */
static bool is_foreign(const workspace *b) {
  int poor = 0, half = 0;
  double mean = 0;
  for (int r = 0; r < b->nrow; r++) {
    poor += b->error[r] > UNEXPLAINED;
    half += b->error[r] > HALF_EXPLAINED;
    mean += b->error[r] / b->nrow;
  }
  if (mean < MOSTLY_EXPLAINED) return false;
  const double part = score(b->without, b->nrow) - score(b->error, b->nrow);
  return (poor > 0 && 3 * poor >= b->nrow) ||
         (half > 0 && 3 * half >= b->nrow && part < b->nrow / 3.0);
}

/* ---- findings ---- */

/* what a factor means, from the unexplained shares without and with it */
static rbv_severity severity_of_factor(double before, double after) {
  if (before < CLEARLY_BETTER * after) return RBV_SEVERITY_NOTE;
  return before > BADLY_EXPLAINED ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING;
}

static void add_conflict(examination *x, view *v, const candidate *d, double before, double after) {
  const mistake *m = &d->mistake;
  const char *name = rbv_log_name(v->log);
  char mine[JOINT_LABEL] = "", theirs[JOINT_LABEL] = "", gain[160];
  if (m->i >= 0) rbv_joint_label(mine, x, m->i);
  if (m->j >= 0) rbv_joint_label(theirs, x, m->j);
  snprintf(
      gain, sizeof gain,
      "with this correction the prior leaves %.3g %% of the variance of its torque unexplained "
      "instead of %.3g %%",
      100 * after, 100 * before);
  rbv_finding f =
      finding_with(finding_of(RBV_FINDING_SIGN, RBV_SEVERITY_ERROR, v, m->i, m->factor), "map");
  f.other = m->j;
  switch (m->kind) {
    case NOTHING: return;
    case FLIP_TORQUE:
    case FLIP_POSITION:
    case FLIP_BOTH:
      rbv_add_finding(
          x, f, "%s: the sign of the %s of %s is wrong: %s. Write `sign: -1` in a column map", name,
          m->kind == FLIP_TORQUE     ? "torque"
          : m->kind == FLIP_POSITION ? "position"
                                     : "position and torque",
          mine, gain);
      return;
    case SWAP_BOTH:
    case SWAP_POSITIONS:
    case SWAP_TORQUES:
      f.code = RBV_FINDING_ORDER;
      rbv_add_finding(
          x, f, "%s: the %s of %s and %s are swapped: %s. Exchange their columns in a column map",
          name,
          m->kind == SWAP_BOTH        ? "columns"
          : m->kind == SWAP_POSITIONS ? "positions"
                                      : "torques",
          mine, theirs, gain);
      return;
    case FROM_DEGREES:
      f.code = RBV_FINDING_DEGREES;
      f.value = 1 / DEGREE;
      rbv_add_finding(
          x, f, "%s: the positions%s%s look like degrees: %s. Write `unit: deg` in a column map",
          name, m->i < 0 ? "" : " of ", mine, gain);
      return;
    case SCALE_TORQUE:
      f.code = RBV_FINDING_GEAR;
      f.value = d->gain;
      f.severity = severity_of_factor(before, after);
      if (f.severity == RBV_SEVERITY_NOTE) f.option = NULL;
      rbv_add_finding(x, f, "%s: the torque of %s is %.3g times that of the prior: %s. %s", name,
                      mine, d->gain, gain,
                      f.severity == RBV_SEVERITY_NOTE
                          ? "The joint is well explained, so the inertial values of the robot file "
                            "are probably wrong there, not the gear ratio"
                          : "Check gear ratio, torque constant and unit in the column map; or the "
                            "inertial values of the robot file are wrong");
      return;
    case SCALE_BOTH:
      f.code = RBV_FINDING_GEAR;
      f.severity = severity_of_factor(before, after);
      rbv_add_finding(
          x, f,
          "%s: the positions of %s should be about %.2g times as large (its torque is then "
          "%.3g times that of the prior): %s. Check its gear ratio in the column map; or the "
          "inertial values of the robot file are wrong",
          name, mine, m->factor, d->gain, gain);
      return;
    case SCALE_ALL_TORQUES: return;
  }
}

/* free gains for all joints: most of them differ from 1 if the unit is wrong */
static bool find_unit(examination *x, view *v, workspace *b) {
  memcpy(b->best_error, b->error, (size_t)b->nrow * sizeof(double));
  copy_correction(&b->trial, &b->now, b->n, b->nrow);
  correct(&b->trial, b, &(mistake){SCALE_ALL_TORQUES, -1, -1, 1});
  unexplained_shares(b->error, b, &b->trial);
  int off = 0, up = 0;
  double least = INFINITY, most = 0;
  for (int r = 0; r < b->nrow; r++) {
    const double saved = log(fmax(b->best_error[r], EXPLAINED) / fmax(b->error[r], EXPLAINED));
    if (!(saved > LEAST_GAIN_OF_SCORE / 2) || !(b->without[r] > GAIN_SURE * b->error[r]) ||
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
  const rbv_finding f = finding_with(
      finding_of(RBV_FINDING_TORQUE_UNIT, RBV_SEVERITY_ERROR, v, -1, sqrt(least * most)), "map");
  v->unreliable = true;
  rbv_add_finding(
      x, f,
      "%s: the torques of %d joints are %.3g to %.3g times those of the prior. %s Write unit, "
      "gain and ratio in a column map",
      rbv_log_name(v->log), off, least, most,
      most < 1 ? "They may be currents, or torques before the gear."
               : "They may be currents in another unit, or belong to a larger robot of the same "
                 "type.");
  return true;
}

static void add_foreign(examination *x, view *v, const workspace *b) {
  double with = 0, without = 0;
  for (int r = 0; r < b->nrow; r++) {
    with += b->error[r] / b->nrow;
    without += b->without[r] / b->nrow;
  }
  v->unreliable = true;
  rbv_add_finding(
      x, finding_of(RBV_FINDING_FOREIGN, RBV_SEVERITY_ERROR, v, -1, with),
      "%s: friction and the prior of '%s' leave %.3g %% of the variance of the torques unexplained "
      "(%.3g %% without the prior), and no correction of sign, order, gear ratio or unit helps. "
      "The log "
      "seems to belong to another robot, or the prior is wrong",
      rbv_log_name(v->log), rbv_model_name(x->model), 100 * with, 100 * without);
}

/* variance of the white noise of a torque after the low-pass; 0: not known */
static double noise_in_band(const view *v, int r) {
  double variance = 0;
  if (rbv_noise_variance(&variance, v->torque + r * v->count, v->count) != RBV_OK) return 0;
  return variance * fmin(1, 2 * v->cutoff_hz / v->rate_hz);
}

/* variance of the knots of a torque row */
static double variance_of_row(const workspace *b, int r) {
  const double *tau = b->tau + r * b->count;
  double sum = 0, squares = 0;
  for (ptrdiff_t k = 0; k < b->count; k++) sum += tau[k] / (double)b->count;
  for (ptrdiff_t k = 0; k < b->count; k++) squares += (tau[k] - sum) * (tau[k] - sum);
  return squares / (double)b->count;
}

/* joints that the prior does not explain: an unknown tool, a spring, friction only, or noise */
static void add_unexplained(examination *x, const view *v, const workspace *b) {
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (!(b->error[r] > UNEXPLAINED)) continue;
    char words[JOINT_LABEL];
    rbv_joint_label(words, x, j);
    const double noise = noise_in_band(v, r);
    if (b->error[r] * variance_of_row(b, r) < NOISE_FACTOR * noise) {
      rbv_add_finding(
          x, finding_of(RBV_FINDING_PRIOR, RBV_SEVERITY_NOTE, v, j, b->error[r]),
          "%s: the torque of %s hardly exceeds its noise (%.2g rms up to %.3g Hz), so its sign and "
          "gear ratio were not checked. Move it faster, or with a load",
          rbv_log_name(v->log), words, sqrt(noise), v->cutoff_hz);
      continue;
    }
    rbv_add_finding(
        x, finding_of(RBV_FINDING_PRIOR, RBV_SEVERITY_NOTE, v, j, b->error[r]),
        "%s: friction and the prior leave %.3g %% of the variance of the torque of %s unexplained, "
        "so its sign and gear ratio were not checked. Look for a tool or a spring that the prior "
        "lacks",
        rbv_log_name(v->log), 100 * b->error[r], words);
  }
}

/* ---- the detector ---- */

static rbv_status prepare(workspace *b, char **memory, const examination *x, const view *v) {
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

/* wrong gains of joints that are explained too well for the score to show it */
static int find_gains(workspace *b, candidate *found, double *shares, int count) {
  copy_correction(&b->trial, &b->now, b->n, b->nrow);
  correct(&b->trial, b, &(mistake){SCALE_ALL_TORQUES, -1, -1, 1});
  for (int r = 0; r < b->nrow && count < b->n; r++) {
    const double held = unexplained_share(b, &b->now, r), left = unexplained_share(b, &b->trial, r),
                 g = b->gain[r];
    const bool shown =
        b->without[r] > GAIN_SURE * left && held > GAIN_SAVES * left && left < GAIN_FIT;
    if (b->now.gain[r] == 0 || !shown || (g < GAIN_FACTOR && g > 1 / GAIN_FACTOR)) continue;
    shares[2 * count] = held;
    shares[2 * count + 1] = left;
    found[count++] = (candidate){{SCALE_TORQUE, rbv_model_row(b->m, r)->joint, -1, 1}, 0, g};
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

static void search(examination *x, view *v, workspace *b, candidate *found, double *shares) {
  int count = 0;
  predict(b, &b->now);
  unexplained_shares(b->error, b, &b->now);
  if (find_unit(x, v, b)) return;
  double *kept = shares + 2 * b->n;  // copy of the errors, which trials overwrite
  for (; count < b->n && suspicious(b); count++) {
    memcpy(kept, b->error, (size_t)b->nrow * sizeof(double));
    candidate best = {{NOTHING, -1, -1, 1}, score(kept, b->nrow) - LEAST_GAIN_OF_SCORE, 1};
    try_all(&best, b);
    if (best.mistake.kind == NOTHING) break;
    correct(&b->now, b, &best.mistake);
    found[count] = best;
    shares[2 * count] = worst_share(b, &best.mistake, kept);
    shares[2 * count + 1] = worst_share(b, &best.mistake, b->best_error);
    memcpy(b->error, b->best_error, (size_t)b->nrow * sizeof(double));
    predict(b, &b->now);
  }
  predict(b, &b->now);
  unexplained_shares(b->error, b, &b->now);
  if (is_foreign(b)) {
    add_foreign(x, v, b);
    return;
  }
  add_unexplained(x, v, b);
  count = find_gains(b, found, shares, count);
  for (int k = 0; k < count; k++) {
    // a clipped torque is too small, and has a finding already
    const bool scaled = found[k].mistake.kind == SCALE_TORQUE;
    if (scaled && joint_saturates(x, v->number, found[k].mistake.i)) continue;
    add_conflict(x, v, &found[k], shares[2 * k], shares[2 * k + 1]);
    const bool factor = scaled || found[k].mistake.kind == SCALE_BOTH;
    if (!factor || severity_of_factor(shares[2 * k], shares[2 * k + 1]) == RBV_SEVERITY_ERROR)
      v->unreliable = true;
  }
}

rbv_status rbv_detect_prior_conflicts(examination *x, view *v) {
  if (!x->prior) {
    rbv_add_finding(
        x, finding_of(RBV_FINDING_NO_PRIOR, RBV_SEVERITY_NOTE, v, -1, NAN),
        "%s: '%s' has no masses, so signs, gear ratios and joint order were not checked. They "
        "need a URDF with inertials or a `parameters` list",
        rbv_log_name(v->log), rbv_model_name(x->model));
    return RBV_OK;
  }
  if (v->nknot < 8 * FEATURES) return RBV_OK;
  workspace b;
  char *memory = NULL;
  candidate *found = rbv_alloc((size_t)v->njoint * sizeof *found);
  double *shares = rbv_alloc((size_t)(2 * v->njoint + v->nrow) * sizeof *shares);
  rbv_status status = found && shares ? prepare(&b, &memory, x, v) : RBV_EMEM;
  if (status == RBV_OK) search(x, v, &b, found, shares);
  if (memory) rbv_dynamics_free(b.d);
  rbv_free(memory);
  rbv_free(found);
  rbv_free(shares);
  return status;
}
