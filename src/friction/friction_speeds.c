/* What the friction terms of a joint add up to: terms that can replace each other are known less
 * well than their sum. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <string.h>

#include "equations/equations.h"
#include "friction/friction.h"
#include "friction/friction_internal.h"

enum { SPEEDS = RBV_FRICTION_SPEEDS, FORWARD = 0, BACKWARD, PULLED, PUSHED, STATES };
static const double share_of_top[SPEEDS] = {0.1, 0.5, 1};

typedef struct {
  const rbv_model *m;
  const rbv_estimate *e;
  rbv_dynamics *d;
  int n;
  double *q, *dq, *ddq, *load;  // STATES x n
  double *W;                    // STATES x entries
  double *w;                    // columns: against the motion, without load
  double *top;                  // n
} table;

static void layout(table *t, rbv_arena *a) {
  const size_t block = STATES * (size_t)t->n;
  t->q = RBV_TAKE(a, block, double);
  t->dq = RBV_TAKE(a, block, double);
  t->ddq = RBV_TAKE(a, block, double);
  t->load = RBV_TAKE(a, block, double);
  t->W = RBV_TAKE(a, (size_t)STATES * (size_t)rbv_model_entry_count(t->m), double);
  t->w = RBV_TAKE(a, rbv_model_column_count(t->m), double);
  t->top = RBV_TAKE(a, t->n, double);
}

/* the first torque row of a joint; NULL: none */
static const rbv_row *row_of(const rbv_model *m, int joint) {
  for (int r = 0; r < rbv_model_row_count(m); r++)
    if (rbv_model_row(m, r)->joint == joint) return rbv_model_row(m, r);
  return NULL;
}

static double variance(const table *t) {
  const rbv_base *b = t->e->base;
  double sum = 0;
  for (int c = 0; c < b->count; c++)
    for (int i = 0; i < b->count && t->w[b->kept[c]] != 0; i++)
      if (t->w[b->kept[i]] != 0)
        sum += t->w[b->kept[c]] * t->w[b->kept[i]] * t->e->covariance[i + (ptrdiff_t)c * b->count];
  return sum;
}

/* Friction at one speed: the mean of both directions, in which offsets cancel. Of the load: one
 * newton metre in each direction. */
static void evaluate(rbv_result_friction_speeds *out, table *t, const rbv_row *row, int k) {
  const int j = row->joint;
  const double v = out->speed[k];
  for (int s = 0; s < STATES; s++) t->dq[s + j * STATES] = s == BACKWARD ? -v : v;
  t->load[PULLED + j * STATES] = 1;
  t->load[PUSHED + j * STATES] = -1;
  const rbv_states states = {
      .count = STATES, .ld = STATES, .q = t->q, .dq = t->dq, .ddq = t->ddq, .load = t->load};
  rbv_regressor_batch(t->W, STATES, t->d, &states, false);
  memset(t->w, 0, (size_t)rbv_model_column_count(t->m) * sizeof *t->w);
  for (int i = 0; i < row->count; i++) {
    const int c = row->columns[i];
    const double *W = t->W + (ptrdiff_t)(row->first + i) * STATES;
    if (!rbv_is_friction(rbv_model_column(t->m, c))) continue;
    t->w[c] = (W[FORWARD] - W[BACKWARD]) / 2;
    out->torque[k] += t->w[c] * t->e->chi[c];
    out->load[k] += ((W[PULLED] + W[PUSHED]) / 2 - W[FORWARD]) * t->e->chi[c];
  }
  out->sigma[k] = sqrt(fmax(variance(t), 0));
}

static void fill(rbv_result_friction_speeds *out, table *t) {
  const size_t block = STATES * (size_t)t->n * sizeof(double);
  for (int j = 0; j < t->n; j++) {
    const rbv_row *row = row_of(t->m, j);
    const bool slides = rbv_model_joint(t->m, j)->type == RBV_JOINT_PRISMATIC;
    out[j] = (rbv_result_friction_speeds){.joint = j, .unit = slides ? "N" : "N m"};
    memset(t->dq, 0, block);
    memset(t->load, 0, block);
    for (int k = 0; k < SPEEDS; k++) {
      out[j].speed[k] = share_of_top[k] * t->top[j];
      if (row) evaluate(&out[j], t, row, k);
    }
  }
}

rbv_status rbv_friction_speeds(rbv_result_friction_speeds *out, const rbv_model *m,
                               const rbv_estimate *e, rbv_motion *const *motions, int nmotion,
                               int threads) {
  table t = {.m = m, .e = e, .n = m->njoint};
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&t, &carve));
  if (!carve.base) return RBV_EMEM;
  rbv_status status = rbv_typical_speeds(t.top, motions, nmotion, threads);
  if (status == RBV_OK) status = rbv_dynamics_new(&t.d, m);
  if (status == RBV_OK) fill(out, &t);
  rbv_dynamics_free(t.d);
  rbv_free(carve.base);
  return status;
}
