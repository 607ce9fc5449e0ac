/* Output error: selection of the unknowns that are determined, and the steps. */
#include <math.h>
#include <string.h>

#include "identify/output_error.h"

#define BIAS_RANGE 0.03    // rad or m: with a larger sigma of white noise it is not determined
#define GAIN_RANGE 1.0     // the same for a factor on a gain
#define SHAPE_RANGE 1.0    // the same for a shape parameter or a spring, of its value
#define UNDETERMINED 1e-2  // of OUTPUT_PULL, when sigma of unknowns of the loop is judged

/* the largest sigma with which an unknown of the loop counts as determined */
static double range_of(const output_run *o, int i) {
  switch (o->unknown[i].kind) {
    case RBV_UNKNOWN_DELAY: return o->longest_delay_s;
    case RBV_UNKNOWN_COMMAND: return o->longest_command_s;
    case RBV_UNKNOWN_BIAS: return BIAS_RANGE;
    case RBV_UNKNOWN_GAIN: return GAIN_RANGE;
    case RBV_UNKNOWN_SHAPE:
    case RBV_UNKNOWN_STIFFNESS: return SHAPE_RANGE * o->x[i];
    case RBV_UNKNOWN_DAMPING: return SHAPE_RANGE * fmax(o->x[i], o->e->loop.unknown[i].start);
    case RBV_UNKNOWN_COLUMN:
    case RBV_UNKNOWN_INTEGRAL:
    case RBV_UNKNOWN_KINDS: break;
  }
  return INFINITY;
}

/* the triangle of the chosen unknowns and the residual, from that of all: (count + 1) square;
 * ridge: rows that keep it regular, relative to the lengths of the columns */
static rbv_status choose_columns(double *out, const output_run *o, const int *chosen, int count,
                                 double ridge) {
  const int wide = o->p + 1;
  double *column = rbv_alloc((size_t)wide * (size_t)(count + 1) * sizeof *column);
  rbv_qr *qr = NULL;
  rbv_status status = column ? rbv_qr_new(&qr, count + 1) : RBV_EMEM;
  for (int i = 0; i <= count && status == RBV_OK; i++)
    memcpy(column + (ptrdiff_t)i * wide, o->R + (ptrdiff_t)(i < count ? chosen[i] : o->p) * wide,
           (size_t)wide * sizeof *column);
  if (status == RBV_OK) status = rbv_qr_add(qr, column, wide, wide);
  for (int i = 0; i < count && status == RBV_OK && ridge > 0; i++) {
    memset(column, 0, (size_t)(count + 1) * sizeof *column);
    column[i] = ridge * o->length[chosen[i]];
    status = rbv_qr_add(qr, column, 1, 1);
  }
  if (status == RBV_OK) rbv_qr_get(out, qr);
  rbv_qr_free(qr);
  rbv_free(column);
  return status;
}

/* place in the list of the unknown of the loop that is determined worst; -1: all are determined */
static rbv_status find_undetermined(int *worst, output_run *o, const int *chosen, int count) {
  double *R = rbv_alloc((size_t)(count + 1) * (size_t)(count + 1) * sizeof *R);
  int *all = rbv_alloc((size_t)count * sizeof *all);
  rbv_status status =
      R && all ? choose_columns(R, o, chosen, count, UNDETERMINED * OUTPUT_PULL) : RBV_EMEM;
  selection s = {.n = count, .active = all};
  for (int i = 0; i < count && status == RBV_OK; i++)
    if (o->length[chosen[i]] > 0) all[s.count++] = i;
  if (status == RBV_OK) status = rbv_linear_solve(&o->solution, R, rbv_output_rows(o), &s);
  double largest = 1;
  *worst = -1;
  for (int i = 0; i < count && status == RBV_OK && chosen[i] < o->wanted; i++) {
    const double sigma = sqrt(o->solution.cov[i + (ptrdiff_t)i * count] / o->solution.sigma2);
    const double share = o->length[chosen[i]] > 0 ? sigma / range_of(o, chosen[i]) : INFINITY;
    if (share <= largest) continue;
    largest = share;
    *worst = i;
  }
  rbv_free(all);
  rbv_free(R);
  return status;
}

/*
 * Select base parameters: r->selection, e->relation. Columns of known parameters take no part; each
 * gets a row of its own. chosen: the unknowns of the loop (`loop` of them), then the base
 * parameters.
 */
static rbv_status select_base(output_run *o, const int *chosen, int loop) {
  identify_run *r = o->r;
  const int n = r->n;
  int *kept = rbv_alloc((size_t)(loop + n) * sizeof *kept), count = loop;
  if (!kept) return RBV_EMEM;
  memcpy(kept, chosen, (size_t)loop * sizeof *kept);
  for (int k = 0; k < n; k++)
    if (!(o->known[o->extra + k] > 0)) kept[count++] = o->extra + k;
  rbv_status status = choose_columns(o->damped, o, kept, count, 0);
  memset(r->R, 0, (size_t)(n + 1) * (size_t)(n + 1) * sizeof *r->R);
  double longest = 0;
  for (int u = loop; u < count && status == RBV_OK; u++) {
    const int k = kept[u] - o->extra;
    double length = 0;
    for (int i = loop; i <= u; i++) {
      const double value = o->damped[i + (ptrdiff_t)u * (count + 1)];
      r->R[(i - loop) + (ptrdiff_t)k * (n + 1)] = value;
      length = hypot(length, value);
    }
    longest = fmax(longest, length);
  }
  for (int k = 0, row = count - loop; k < n; k++)
    if (o->known[o->extra + k] > 0) r->R[row++ + (ptrdiff_t)k * (n + 1)] = longest;
  memcpy(r->with_prior, r->R, (size_t)(n + 1) * (size_t)(n + 1) * sizeof *r->R);
  if (status == RBV_OK) status = rbv_run_select(r, o->e);
  rbv_free(kept);
  if (status != RBV_OK || r->selection.count > 0) return status;
  return rbv_fail(RBV_EINPUT, "these motions excite no parameter");
}

rbv_status rbv_output_select(output_run *o) {
  identify_run *r = o->r;
  const int n = r->n, nc = rbv_model_column_count(r->model);
  int *chosen = o->selection.active, count = o->p, worst = 0;
  for (int i = 0; i < count; i++) chosen[i] = i;
  for (;;) {
    RBV_TRY(find_undetermined(&worst, o, chosen, count));
    if (worst < 0) break;
    count--;
    for (int i = worst; i < count; i++) chosen[i] = chosen[i + 1];
  }
  const int loop = count - n;
  RBV_TRY(select_base(o, chosen, loop));
  // the equations of the base parameters, with the unknowns of the loop eliminated
  RBV_TRY(choose_columns(o->damped, o, chosen, count, 0));
  for (int k = 0; k <= n; k++)
    for (int i = 0; i <= n; i++)
      r->R[i + (ptrdiff_t)k * (n + 1)] =
          o->damped[(loop + i) + (ptrdiff_t)(loop + k) * (count + 1)];
  memcpy(r->with_prior, r->R, (size_t)(n + 1) * (size_t)(n + 1) * sizeof *r->R);
  // the plant of elastic joints needs links and drives apart: o->chi stays
  double *chi = o->elastic ? o->e->chi : o->chi;
  rbv_base_expand(chi, o->e->base, o->x + o->extra);
  for (int k = 0; k < n; k++) {
    double value = 0;
    for (int c = 0; c < nc; c++) value += o->e->relation[k + (ptrdiff_t)c * n] * chi[c];
    o->x[o->extra + k] = value;
  }
  o->selection.n = o->p;
  o->selection.count = loop;
  for (int i = 0; i < r->selection.count; i++)
    chosen[o->selection.count++] = o->extra + r->selection.active[i];
  return RBV_OK;
}

rbv_status rbv_output_solve(output_run *o, double damping) {
  if (!(damping > 0))
    return rbv_linear_solve(&o->solution, o->R, rbv_output_rows(o), &o->selection);
  for (int k = 0; k < o->p; k++) o->trial[k] = sqrt(damping) * o->length[k];
  RBV_TRY(rbv_linear_add_prior(o->damped, o->R, o->p, o->zero, o->trial));
  return rbv_linear_solve(&o->solution, o->damped, rbv_output_rows(o), &o->selection);
}
