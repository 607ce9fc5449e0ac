/*
 * The direction of gravity from a recording alone, for robot files without masses. All parameters
 * are free; the regressor is linear in gravity, so that products of its four parts give the squared
 * error for every direction by one small solution.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>
#include "linalg/linalg.h"

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_GRAVITY);

enum { PARTS = 4, PAIRS = 10 };  // no gravity, and gravity along three axes; pairs of them

typedef struct {
  const rbv_model *m;
  const view *v;
  int n;              // columns
  ptrdiff_t count;    // knots
  double size;        // of gravity
  double *W[PARTS];   // count x entries
  double *rest;       // count x njoint zeros
  double *A[PAIRS];   // n square: symmetric products of two parts
  double *b[PARTS];   // n: products with the torque
  double *L, *x, *y;  // of one solution
  double yy;
} search;

static void layout(search *s, rbv_arena *a) {
  const size_t n = (size_t)s->n, entries = (size_t)rbv_model_entry_count(s->m);
  for (int k = 0; k < PARTS; k++) s->W[k] = RBV_TAKE(a, (size_t)s->count * entries, double);
  s->rest = RBV_TAKE(a, (size_t)s->count * (size_t)s->v->njoint, double);
  for (int k = 0; k < PAIRS; k++) s->A[k] = RBV_TAKE(a, n * n, double);
  for (int k = 0; k < PARTS; k++) s->b[k] = RBV_TAKE(a, n, double);
  s->L = RBV_TAKE(a, n * n, double);
  s->x = RBV_TAKE(a, n, double);
  s->y = RBV_TAKE(a, n, double);
}

/* regressor under gravity along one axis (-1: none), at rest or in motion */
static rbv_status evaluate(double *W, const search *s, int axis, bool moving) {
  double g[3] = {0};
  if (axis >= 0) g[axis] = s->size;
  rbv_model_terms terms = rbv_model_get_terms(s->m);
  terms.gravity = g;
  rbv_model *variant = NULL;
  rbv_dynamics *d = NULL;
  rbv_status status = rbv_model_variant(&variant, s->m, &terms);
  if (status == RBV_OK) status = rbv_dynamics_new(&d, variant);
  const rbv_states states = {.count = s->count,
                             .ld = s->count,
                             .q = s->v->knot_q,
                             .dq = moving ? s->v->knot_dq : s->rest,
                             .ddq = moving ? s->v->knot_ddq : s->rest};
  if (status == RBV_OK) rbv_regressor_batch(W, s->count, d, &states, s->v->loaded);
  rbv_dynamics_free(d);
  rbv_model_free(variant);
  return status;
}

/* add the products of one row of the observation system, where its joint moves */
static void add_row(search *s, int r) {
  const rbv_row *row = rbv_model_row(s->m, r);
  const double *tau = s->v->smooth + r * s->v->count, *dq = s->v->knot_dq + row->joint * s->count;
  for (ptrdiff_t k = 0; k < s->count; k++) {
    if (!(fabs(dq[k]) > s->v->still[row->joint])) continue;
    const double y = tau[s->v->knot[k]];
    s->yy += y * y;
    for (int i = 0; i < row->count; i++) {
      const int ci = row->columns[i];
      const ptrdiff_t at = k + (ptrdiff_t)(row->first + i) * s->count;
      for (int p = 0; p < PARTS; p++) s->b[p][ci] += s->W[p][at] * y;
      for (int j = 0; j <= i; j++) {
        const ptrdiff_t other = k + (ptrdiff_t)(row->first + j) * s->count;
        const ptrdiff_t to = ci + (ptrdiff_t)row->columns[j] * s->n;
        for (int p = 0, pair = 0; p < PARTS; p++)
          for (int o = 0; o <= p; o++, pair++) {
            const double one = s->W[p][at] * s->W[o][other];
            s->A[pair][to] += p == o ? one : one + s->W[o][at] * s->W[p][other];
          }
      }
    }
  }
}

static rbv_status fill(search *s) {
  RBV_TRY(evaluate(s->W[0], s, -1, true));
  for (int axis = 0; axis < 3; axis++) RBV_TRY(evaluate(s->W[1 + axis], s, axis, false));
  // only bodies have weight
  for (int r = 0; r < rbv_model_row_count(s->m); r++) {
    const rbv_row *row = rbv_model_row(s->m, r);
    for (int i = 0; i < row->count; i++) {
      if (rbv_model_column(s->m, row->columns[i])->basis == RBV_BASIS_INERTIAL) continue;
      for (int k = 1; k < PARTS; k++)
        memset(s->W[k] + (ptrdiff_t)(row->first + i) * s->count, 0,
               (size_t)s->count * sizeof(double));
    }
    add_row(s, r);
  }
  return RBV_OK;
}

/* share of the squared torque that is left under gravity along a direction of length 1 */
static double left_under(search *s, const double g[3]) {
  const double weight[PARTS] = {1, g[0], g[1], g[2]};
  const ptrdiff_t n = s->n;
  memset(s->L, 0, (size_t)(n * n) * sizeof *s->L);
  memset(s->x, 0, (size_t)n * sizeof *s->x);
  for (int p = 0, pair = 0; p < PARTS; p++) {
    for (ptrdiff_t i = 0; i < n; i++) s->x[i] += weight[p] * s->b[p][i];
    for (int o = 0; o <= p; o++, pair++)
      for (ptrdiff_t i = 0; i < n * n; i++) s->L[i] += weight[p] * weight[o] * s->A[pair][i];
  }
  double most = 0, fitted = 0;
  for (ptrdiff_t i = 0; i < n; i++) most = fmax(most, s->L[i + i * n]);
  for (ptrdiff_t i = 0; i < n; i++)
    s->L[i + i * n] = s->L[i + i * n] * (1 + RIDGE) + RIDGE * RIDGE * most;
  double *y = s->y;
  memcpy(y, s->x, (size_t)n * sizeof *y);
  bool definite = false;
  const bool solved = rbv_cholesky(&definite, s->L, s->n, s->n) == RBV_OK && definite &&
                      rbv_solve_cholesky(y, 1, s->n, s->L, s->n, s->n) == RBV_OK;
  for (ptrdiff_t i = 0; i < n && solved; i++) fitted += y[i] * s->x[i];
  return s->yy > 0 ? fmax(0, 1 - fitted / s->yy) : 1;
}

/* ---- directions ---- */

double rbv_norm3(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

double rbv_angle3(const double x[3], const double y[3]) {
  const double product = rbv_norm3(x) * rbv_norm3(y);
  const double dot = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  return product > 0 ? acos(fmax(-1, fmin(1, dot / product))) / DEGREE : 0;
}

void rbv_gravity_option(rbv_finding *f, const double g[3], double size) {
  static const struct {
    const char *name;
    double g[3];
  } mounts[] = {{"floor", {0, 0, -1}}, {"wall", {1, 0, 0}}, {"ceiling", {0, 0, 1}}};
  f->option = "gravity";
  snprintf(f->option_value, sizeof f->option_value, "%.3g,%.3g,%.3g", size * g[0], size * g[1],
           size * g[2]);
  for (int i = 0; i < RBV_COUNT(mounts); i++) {
    if (!(rbv_angle3(g, mounts[i].g) < LEAST_TURN / 2)) continue;
    f->option = "mount";
    snprintf(f->option_value, sizeof f->option_value, "%s", mounts[i].name);
  }
}

/* ---- the search ---- */

static void normalise(double g[3]) {
  const double size = rbv_norm3(g);
  for (int k = 0; k < 3; k++) g[k] /= size;
}

/* Turn a direction by smaller and smaller angles as long as less is left. */
static double refine(search *s, double g[3], double left) {
  for (double step = FIRST_STEP; step > LAST_STEP; step /= 2)
    for (int side = 0; side < 6; side++) {
      double other[3] = {g[0], g[1], g[2]};
      other[side / 2] += (side % 2 ? -1 : 1) * tan(step * DEGREE);
      normalise(other);
      const double now = left_under(s, other);
      if (!(now < left)) continue;
      left = now;
      memcpy(g, other, sizeof other);
      side = -1;
    }
  return left;
}

/* the best of 26 directions, then the best near it */
static double find_direction(search *s, double best[3]) {
  double least = INFINITY;
  for (int k = 0; k < 27; k++) {
    double g[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    if (k == 13) continue;
    normalise(g);
    const double left = left_under(s, g);
    if (!(left < least)) continue;
    least = left;
    memcpy(best, g, sizeof g);
  }
  return refine(s, best, least);
}

static void judge(examination *x, view *v, search *s) {
  double file[3], best[3], opposite[3];
  memcpy(file, rbv_model_gravity(s->m), sizeof file);
  normalise(file);
  const double expected = left_under(s, file), left = find_direction(s, best);
  const double angle = rbv_angle3(best, file);
  if (!(angle > LEAST_TURN) || !(expected > GAIN_CARE * left)) return;
  for (int k = 0; k < 3; k++) opposite[k] = -best[k];
  const bool sure = expected > GAIN_NO * left;
  rbv_finding f = finding_of(RBV_FINDING_GRAVITY, sure ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING,
                             v, -1, angle);
  rbv_gravity_option(&f, best, s->size);
  v->unreliable = v->unreliable || sure;
  rbv_add_finding(x, f,
                  "%s: gravity seems to point along (%.2f, %.2f, %.2f) of the base%s, %.0f degrees "
                  "from the robot file: with it %.3g %% of the torque stay unexplained instead of "
                  "%.3g %%. Say how the robot is mounted",
                  rbv_log_name(v->log), best[0], best[1], best[2],
                  left_under(s, opposite) < UNCERTAIN * left ? " or the opposite way" : "", angle,
                  100 * sqrt(left), 100 * sqrt(expected));
}

rbv_status rbv_detect_gravity(examination *x, view *v) {
  search s = {.m = x->model,
              .v = v,
              .n = rbv_model_column_count(x->model),
              .count = v->nknot,
              .size = rbv_norm3(rbv_model_gravity(x->model))};
  if (x->prior || v->njoint < 2 || v->nknot < LEAST_KNOTS || !(s.size > 0)) return RBV_OK;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&s, &carve));
  if (!carve.base) return RBV_EMEM;
  const rbv_status status = fill(&s);
  if (status == RBV_OK) judge(x, v, &s);
  rbv_free(carve.base);
  return status;
}
