/*
 * Output error: do recordings under different laws agree? Positions show parameters relative to
 * the law that is given. A gain, filter or delay that is not that of the robot moves them by an
 * amount that depends on the gains, so that recordings under different gains then have different
 * optima.
 *
 * The recordings under one law are compared with all others: the optimum of each side from its own
 * rows, on the linear problem of the last step, and its sigma without one block of the side at a
 * time. The difference over its sigma follows Student's distribution with the degrees of freedom of
 * Welch (1947) if the laws are right. The p value of the largest difference is multiplied by the
 * number of differences.
 */
#include <math.h>
#include <string.h>
#include "stats/stats.h"

#include "control/control.h"
#include "identify/output_error.h"
#include "linalg/linalg.h"

/* The recordings of one side. */
typedef struct {
  int blocks;
  double *x, *variance;  // p
} side;

/* the first recording under the same law */
static int law_of(const output_run *o, int motion) {
  int first = 0;
  while (!rbv_control_same(rbv_output_given_control(o, first), rbv_output_given_control(o, motion)))
    first++;
  return first;
}

static rbv_status solve(double *x, double *variance, output_run *o, const double *R) {
  solution s = {.x = x, .cov = rbv_alloc((size_t)o->p * (size_t)o->p * sizeof(double))};
  if (!s.cov) return RBV_EMEM;
  const rbv_status status = rbv_linear_solve(&s, R, rbv_output_rows(o), &o->selection);
  // the rows are divided by their sigma
  for (int k = 0; k < o->p && status == RBV_OK && variance; k++)
    variance[k] = s.cov[k + (ptrdiff_t)k * o->p] / s.sigma2;
  rbv_free(s.cov);
  return status;
}

/* optimum and variance of one side, whose blocks are in part[] */
static rbv_status solve_side(side *s, output_run *o, const double *part, double *without) {
  const int wide = o->p + 1, blocks = s->blocks;
  const ptrdiff_t square = (ptrdiff_t)rbv_output_square(o);
  rbv_qr_reset(o->qr);
  RBV_TRY(rbv_qr_add(o->qr, o->common, wide, wide));
  for (int b = 0; b < blocks; b++) RBV_TRY(rbv_qr_add(o->qr, part + b * square, wide, wide));
  rbv_qr_get(o->damped, o->qr);
  RBV_TRY(solve(s->x, s->variance, o, o->damped));
  RBV_TRY(rbv_qr_without_blocks(without, part, blocks, wide, o->common));
  RBV_NEW(double, x, (size_t)o->p * 3);
  double *sum = x + o->p, *squares = sum + o->p;
  rbv_status status = RBV_OK;
  for (int b = 0; b < blocks && status == RBV_OK; b++) {
    status = solve(x, NULL, o, without + b * square);
    for (int k = 0; k < o->p && status == RBV_OK; k++) {
      sum[k] += x[k] - s->x[k];
      squares[k] += (x[k] - s->x[k]) * (x[k] - s->x[k]);
    }
  }
  for (int k = 0; k < o->p && status == RBV_OK; k++)
    s->variance[k] = fmax(s->variance[k],
                          (squares[k] - sum[k] * sum[k] / blocks) * (blocks - 1) / (double)blocks);
  rbv_free(x);
  return status;
}

/* the recordings of law `first` against all others; *tests: differences that were compared */
static rbv_status compare(rbv_law_agreement *out, int *tests, output_run *o, int first) {
  const identify_run *r = o->r;
  const size_t square = rbv_output_square(o), p = (size_t)o->p;
  RBV_NEW(double, memory, 2 * (size_t)r->nblock * square + 4 * p);
  double *part = memory, *without = part + (size_t)r->nblock * square;
  double *values = without + (size_t)r->nblock * square;
  side s[2] = {{.x = values, .variance = values + p},
               {.x = values + 2 * p, .variance = values + 3 * p}};
  rbv_status status = RBV_OK;
  for (int i = 0; i < 2 && status == RBV_OK; i++) {
    for (int m = 0; m < r->nmotion; m++) {
      const int end = m + 1 < r->nmotion ? r->blocks[m + 1].first : r->nblock;
      for (int b = r->blocks[m].first; b < end && (law_of(o, m) == first) == (i == 0); b++)
        memcpy(part + (size_t)s[i].blocks++ * square, o->part + (size_t)b * square,
               square * sizeof *part);
    }
    if (s[i].blocks > 1) status = solve_side(&s[i], o, part, without);
  }
  // a single block has no spread
  const bool spread = s[0].blocks > 1 && s[1].blocks > 1;
  for (int i = 0; i < o->selection.count && spread && status == RBV_OK; i++) {
    const int k = o->selection.active[i];
    const double a = s[0].variance[k], b = s[1].variance[k], both = a + b;
    if ((k >= o->wanted && k < o->extra) || o->known[k] > 0 || !(both > 0 && isfinite(both)))
      continue;
    const double dof = both * both / (a * a / (s[0].blocks - 1) + b * b / (s[1].blocks - 1));
    const double t = fabs(s[0].x[k] - s[1].x[k]) / sqrt(both);
    double lower, upper;
    status = rbv_stats_student_cdf(&lower, &upper, t, dof);
    ++*tests;
    if (status != RBV_OK || !(2 * upper < out->p)) continue;
    out->p = 2 * upper;
    out->difference = t;
    out->name = k < o->extra ? o->e->loop.unknown[k].name : o->e->base->name[k - o->extra];
  }
  rbv_free(memory);
  return status == RBV_ENUM ? RBV_OK : status;
}

rbv_status rbv_output_agree(output_run *o) {
  rbv_law_agreement *out = &o->e->loop.agreement;
  int tests = 0;
  *out = (rbv_law_agreement){.laws = 0, .p = 1, .name = ""};
  for (int m = 0; m < o->r->nmotion; m++) out->laws += law_of(o, m) == m;
  if (out->laws < 2 || o->loop->noise) return RBV_OK;
  // two laws: one difference
  for (int m = 0, done = 0; m < o->r->nmotion && (out->laws > 2 || done == 0); m++) {
    if (law_of(o, m) != m) continue;
    RBV_TRY(compare(out, &tests, o, m));
    done++;
  }
  out->p = fmin(1, tests * out->p);
  return RBV_OK;
}
