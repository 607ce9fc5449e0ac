/*
 * Signs of torques for robot files without masses. Rigid parameters are free, friction and rotor
 * inertias are not negative: a torque of the wrong sign would need friction that drives its joint.
 * A fit with another sign has the same normal matrix; joints are compared by the share of their own
 * torque that is left.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <string.h>

#include "check/prior_fit.h"

RBV_THRESHOLDS(CHECK_SIGN);

typedef struct {
  workspace fit;  // one bounded fit; the rest of it is not used
  const rbv_model *m;
  const view *v;
  int n, nrow;
  ptrdiff_t count;
  double *W;       // count x entries
  double *A;       // FOLDS x n x n: products of the columns, by part of time
  double *b;       // FOLDS x n x nrow: of the columns with each torque
  double *weight;  // nrow: of its equations; 0: the joint rests
  double *sign;    // nrow
  double *left;    // nrow: share of the squared torque that the last fit leaves
} search;

static void layout(search *s, rbv_arena *a) {
  const size_t n = (size_t)s->n, rows = (size_t)s->nrow;
  workspace *f = &s->fit;
  s->W = RBV_TAKE(a, (size_t)s->count * (size_t)rbv_model_entry_count(s->m), double);
  s->A = RBV_TAKE(a, FOLDS * n * n, double);
  s->b = RBV_TAKE(a, FOLDS * n * rows, double);
  s->weight = RBV_TAKE(a, rows, double);
  s->sign = RBV_TAKE(a, rows, double);
  s->left = RBV_TAKE(a, rows, double);
  f->H = RBV_TAKE(a, n * n, double);
  f->L = RBV_TAKE(a, n * n, double);
  f->b = RBV_TAKE(a, n, double);
  f->x = RBV_TAKE(a, 2 * n, double);
  f->open = RBV_TAKE(a, n, bool);
  f->bounded = RBV_TAKE(a, n, bool);
}

static double torque_at(const search *s, int r, ptrdiff_t k) {
  return s->v->smooth[s->v->knot[k] + r * s->v->count];
}

static bool moves_at(const search *s, int joint, ptrdiff_t k) {
  return fabs(s->v->knot_dq[k + joint * s->count]) > s->v->still[joint];
}

static int fold_of(const search *s, ptrdiff_t k) { return (int)(k * FOLDS / s->count); }

/* products of one row with weight 1 / rms torque squared, where its joint moves */
static void add_row(search *s, int r) {
  const rbv_row *row = rbv_model_row(s->m, r);
  ptrdiff_t moving = 0;
  double yy = 0;
  for (ptrdiff_t k = 0; k < s->count; k++) {
    if (!moves_at(s, row->joint, k)) continue;
    const double y = torque_at(s, r, k);
    yy += y * y;
    moving++;
  }
  s->weight[r] = moving >= LEAST_MOVING && yy > 0 ? 1 / yy : 0;
  s->sign[r] = 1;
  for (ptrdiff_t k = 0; k < s->count && s->weight[r] > 0; k++) {
    if (!moves_at(s, row->joint, k)) continue;
    const double *W = s->W + k + (ptrdiff_t)row->first * s->count;
    double *A = s->A + (ptrdiff_t)fold_of(s, k) * s->n * s->n;
    double *b = s->b + ((ptrdiff_t)fold_of(s, k) * s->nrow + r) * s->n;
    for (int i = 0; i < row->count; i++) {
      const double x = s->weight[r] * W[i * s->count];
      b[row->columns[i]] += x * torque_at(s, r, k);
      for (int j = 0; j < row->count; j++)
        A[row->columns[i] + (ptrdiff_t)row->columns[j] * s->n] += x * W[j * s->count];
    }
  }
}

/* Fit with these signs, without one part of time (-1: with all); what it leaves of the squared
 * torques of that part (of all) is added to left. */
static void fit(search *s, int without) {
  workspace *f = &s->fit;
  const ptrdiff_t n = s->n;
  memset(f->H, 0, (size_t)(n * n) * sizeof *f->H);
  memset(f->b, 0, (size_t)n * sizeof *f->b);
  for (int p = 0; p < FOLDS; p++) {
    if (p == without) continue;
    for (ptrdiff_t i = 0; i < n * n; i++) f->H[i] += s->A[i + p * n * n];
    for (int r = 0; r < s->nrow; r++)
      for (ptrdiff_t c = 0; c < n; c++) f->b[c] += s->sign[r] * s->b[c + (p * s->nrow + r) * n];
  }
  rbv_bounded_solve(f, s->n);
  for (int r = 0; r < s->nrow; r++) {
    const rbv_row *row = rbv_model_row(s->m, r);
    for (ptrdiff_t k = 0; k < s->count && s->weight[r] > 0; k++) {
      if ((without >= 0 && fold_of(s, k) != without) || !moves_at(s, row->joint, k)) continue;
      double e = s->sign[r] * torque_at(s, r, k);
      for (int i = 0; i < row->count; i++)
        e -= s->W[k + (ptrdiff_t)(row->first + i) * s->count] * f->x[row->columns[i]];
      s->left[r] += e * e * s->weight[r];
    }
  }
}

/* Sum of the logarithms of what is left of each torque; held: of parts that were left out. */
static double score(search *s, bool held) {
  double sum = 0;
  memset(s->left, 0, (size_t)s->nrow * sizeof *s->left);
  for (int p = 0; p < (held ? FOLDS : 1); p++) fit(s, held ? p : -1);
  for (int r = 0; r < s->nrow; r++)
    if (s->weight[r] > 0) sum += log(fmin(fmax(s->left[r], LEAST_LEFT), 1));
  return sum;
}

static void add_finding(examination *x, view *v, const search *s, int r, double gain,
                        double before) {
  char words[JOINT_LABEL];
  const int joint = rbv_model_row(s->m, r)->joint;
  const bool sure = gain > GAIN_NO;
  rbv_joint_label(words, x, joint);
  v->unreliable = v->unreliable || sure;
  rbv_finding f =
      finding_of(RBV_FINDING_SIGN, sure ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING, v, joint, -1);
  rbv_add_finding(x, finding_with(f, "map"),
                  "%s: the sign of the torque of %s seems to be wrong: with friction that brakes, "
                  "%.3g %% of it stay unexplained, and %.3g %% if it is turned. Write `sign: -1` "
                  "in a column map",
                  rbv_log_name(v->log), words, 100 * sqrt(before), 100 * sqrt(s->left[r]));
}

/* the torque whose other sign lowers the score most; -1: none by enough */
static int find_turned(search *s) {
  double best = score(s, false) - GAIN_CARE;
  int turned = -1;
  for (int r = 0; r < s->nrow; r++) {
    if (!(s->weight[r] > 0)) continue;
    s->sign[r] *= -1;
    const double trial = score(s, false);
    s->sign[r] *= -1;
    if (!(trial < best)) continue;
    best = trial;
    turned = r;
  }
  return turned;
}

/* Turn signs until none helps. Parts that were left out have to say so too, for the torque itself,
 * which must then be explained. */
static void turn_signs(examination *x, view *v, search *s) {
  for (int round = 0; round < MOST_TURNED; round++) {
    const int turned = find_turned(s);
    if (turned < 0) return;
    const double all = score(s, true), before = s->left[turned];
    s->sign[turned] *= -1;
    const double gain = all - score(s, true), own = log(before / s->left[turned]);
    if (!(fmin(gain, own) > GAIN_CARE) || !(s->left[turned] < MOST_LEFT)) return;
    add_finding(x, v, s, turned, fmin(gain, own), before);
  }
}

static rbv_status fill(search *s) {
  rbv_dynamics *d;
  RBV_TRY(rbv_dynamics_new(&d, s->m));
  const rbv_states states = {.count = s->count,
                             .ld = s->count,
                             .q = s->v->knot_q,
                             .dq = s->v->knot_dq,
                             .ddq = s->v->knot_ddq};
  rbv_regressor_batch(s->W, s->count, d, &states, s->v->loaded);
  rbv_dynamics_free(d);
  for (int r = 0; r < s->nrow; r++) add_row(s, r);
  static const char *const laws[] = {"Fv", "Fc", "Ia"};
  for (int c = 0; c < s->n; c++)
    for (int i = 0; i < RBV_COUNT(laws); i++)
      s->fit.bounded[c] |= rbv_column_has_law(rbv_model_column(s->m, c), laws[i]);
  return RBV_OK;
}

rbv_status rbv_detect_signs(examination *x, view *v) {
  search s = {.m = x->model,
              .v = v,
              .n = rbv_model_column_count(x->model),
              .nrow = v->nrow,
              .count = v->nknot,
              .fit.size = rbv_model_column_count(x->model)};
  if (x->prior || v->nknot < LEAST_MOVING) return RBV_OK;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&s, &carve));
  if (!carve.base) return RBV_EMEM;
  const rbv_status status = fill(&s);
  if (status == RBV_OK) turn_signs(x, v, &s);
  rbv_free(carve.base);
  return status;
}
