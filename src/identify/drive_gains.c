#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>
#include "linalg/linalg.h"
#include "signal/signal.h"

#include "equations/equations.h"
#include "identify/identify_internal.h"
#include "log/log.h"

#define BLOCKS 30
#define DRAWS 100
#define STREAM 7002  // stream number of the random numbers

typedef struct {
  const rbv_model *m;
  rbv_equations *system;
  int n, njoint, mass;  // base parameters; joints; index of the payload mass
  double *sigma;        // per torque row
  double *R;            // (n + njoint) square
  double *square;       // njoint square; vector: its right singular vectors
  double *vector, *values;
  int *count;
} gain_problem;

/*
 * W chi = Y g with errors in Y only, of unit size after weighting: among all g of equal length, the
 * singular vector with the smallest singular value of Y projected orthogonally to W has the
 * smallest error. The known mass gives the length.
 */
static rbv_status solve(double *gain, gain_problem *p, double known_mass) {
  const int n = p->n, nj = p->njoint, ld = n + nj;
  RBV_TRY(rbv_equations_stack(p->R, NULL, p->system, p->sigma, p->count, true));
  for (int j = 0; j < nj; j++)
    for (int i = 0; i < nj; i++) p->square[i + j * nj] = p->R[(n + i) + (ptrdiff_t)(n + j) * ld];
  RBV_TRY(rbv_svd(p->values, NULL, p->vector, p->square, nj, nj, nj));
  for (int j = 0; j < nj; j++) gain[j] = p->vector[(nj - 1) + j * nj];

  // the chi that belongs to it: R11 chi = R12 g
  RBV_NEW(double, right, n);
  for (int r = 0; r < n; r++)
    for (int j = 0; j < nj; j++) right[r] += p->R[r + (ptrdiff_t)(n + j) * ld] * gain[j];
  rbv_status status = rbv_solve_upper(right, 1, n, p->R, n, ld);
  const double mass = right[p->mass];
  rbv_free(right);
  if (status == RBV_OK && !(fabs(mass) > 0))
    status = rbv_fail(RBV_EINPUT, "the mass of the payload has no effect in these motions");
  for (int j = 0; j < nj && status == RBV_OK; j++) gain[j] *= known_mass / mass;
  return status;
}

static int payload_mass(const rbv_model *m, const rbv_base *base) {
  for (int k = 0; k < base->count; k++) {
    const rbv_column *c = rbv_model_column(m, base->kept[k]);
    if (c->joint == rbv_model_joint_count(m) && c->component == RBV_INERTIAL - 1) return k;
  }
  return -1;
}

static rbv_status bootstrap(double *sigma, gain_problem *p, const double *gain, double *work,
                            double known_mass, int nmotion, uint64_t seed) {
  memset(sigma, 0, (size_t)p->njoint * sizeof *sigma);
  for (int round = 0; round < DRAWS; round++) {
    for (int m = 0; m < nmotion; m++)
      rbv_draw_blocks(p->count, p->system, m, BLOCKS, seed, STREAM,
                      (uint64_t)round * (uint64_t)nmotion + (uint64_t)m);
    RBV_TRY(solve(work, p, known_mass));
    for (int j = 0; j < p->njoint; j++)
      sigma[j] += (work[j] - gain[j]) * (work[j] - gain[j]) / DRAWS;
  }
  for (int j = 0; j < p->njoint; j++) sigma[j] = sqrt(sigma[j]);
  return RBV_OK;
}

static void layout(gain_problem *p, double **work, int ngroup, int nrow, rbv_arena *a) {
  const size_t wide = (size_t)(p->n + p->njoint), nj = (size_t)p->njoint;
  p->sigma = RBV_TAKE(a, nrow, double);
  p->R = RBV_TAKE(a, wide * wide, double);
  p->square = RBV_TAKE(a, nj * nj, double);
  p->vector = RBV_TAKE(a, nj * nj, double);
  p->values = RBV_TAKE(a, nj, double);
  p->count = RBV_TAKE(a, ngroup, int);
  *work = RBV_TAKE(a, nj, double);
}

static rbv_status run(double *gain, double *sigma, gain_problem *p, rbv_motion *const *motions,
                      int nmotion, double known_mass, uint64_t seed) {
  for (int i = 0; i < nmotion; i++) RBV_TRY(rbv_equations_add(p->system, motions[i]));
  const int nrow = rbv_model_row_count(p->m), ngroup = rbv_equations_group_count(p->system);
  double *work;
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(p, &work, ngroup, nrow, &a));
  if (!a.base) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int r = 0; r < nrow && status == RBV_OK; r++)
    status = rbv_equations_row_sigma(&p->sigma[r], p->system, r, NULL);
  for (int g = 0; g < ngroup; g++) p->count[g] = 1;
  if (status == RBV_OK) status = solve(gain, p, known_mass);
  if (status == RBV_OK) status = bootstrap(sigma, p, gain, work, known_mass, nmotion, seed);
  rbv_free(a.base);
  return status;
}

rbv_status rbv_identify_gains(double *gain, double *sigma, const rbv_model *m,
                              rbv_motion *const *motions, int nmotion, const rbv_row_filter *filter,
                              double known_mass, uint64_t seed) {
  if (!m) return rbv_fail(RBV_EARG, "no model is given");
  if (!rbv_model_has_payload(m) || !(known_mass > 0))
    return rbv_fail(RBV_EARG, "drive gains need a payload of known mass");
  if (rbv_model_sensing(m) != RBV_SENSING_MOTOR)
    return rbv_fail_option(RBV_EARG, "sensing",
                           "drive gains belong to motor torques: use motor sensing");
  if (!motions || nmotion < 1) return rbv_fail(RBV_EARG, "no motion is given");
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, m, NULL));
  gain_problem p = {.m = m, .n = base->count, .njoint = rbv_model_joint_count(m)};
  p.mass = payload_mass(m, base);
  rbv_row_filter blocks = filter ? *filter : (rbv_row_filter){.decimate = 1};
  blocks.folds = BLOCKS;
  rbv_status status = p.mass >= 0
                          ? rbv_equations_new(&p.system, m, base->kept, base->count, &blocks)
                          : rbv_fail(RBV_EINPUT, "the mass of the payload is not identifiable");
  if (status == RBV_OK) status = run(gain, sigma, &p, motions, nmotion, known_mass, seed);
  rbv_equations_free(p.system);
  rbv_base_free(base);
  return status;
}

/* ---- back-EMF ---- */

/* slope of y = k x + c and its sigma; c is the offset of the voltmeter */
static void fit_line(double *k, double *sigma, const double *x, const double *y, ptrdiff_t n) {
  double mx = 0, my = 0, xx = 0, xy = 0, rss = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    mx += x[i] / (double)n;
    my += y[i] / (double)n;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  *k = xy / xx;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double e = (y[i] - my) - *k * (x[i] - mx);
    rss += e * e;
  }
  *sigma = sqrt(rss / (double)(n - 2) / xx);
}

rbv_status rbv_identify_back_emf(double *k, double *sigma, int njoint, const rbv_log *log,
                                 double cutoff_hz) {
  const ptrdiff_t count = rbv_log_samples(log);
  const rbv_log_rate rate = rbv_log_get_rate(log);
  if (!rate.regular)
    return rbv_fail(RBV_EINPUT, "%s: the time stamps are not regular", rbv_log_name(log));
  const double rate_hz = 1 / rate.period;
  if (!(2 * cutoff_hz < rate_hz))
    return rbv_fail(RBV_EINPUT, "%s: %g Hz are too slow for a cut-off of %g Hz", rbv_log_name(log),
                    rate_hz, cutoff_hz);
  const ptrdiff_t padding = rbv_filter_padding(cutoff_hz, rate_hz);
  if (padding >= count)
    return rbv_fail(RBV_EINPUT, "%s: %td samples are too few for a cut-off of %g Hz",
                    rbv_log_name(log), count, cutoff_hz);
  rbv_sos sos;
  RBV_TRY(rbv_sos_butterworth(&sos, 4, cutoff_hz, rate_hz));
  rbv_filter_work *w = NULL;
  double *q = rbv_alloc(2 * (size_t)count * sizeof *q), *speed = q ? q + count : NULL;
  rbv_status status = q ? rbv_filter_work_new(&w, count, padding) : RBV_EMEM;
  for (int j = 0; j < njoint && status == RBV_OK; j++) {
    char name[32];
    snprintf(name, sizeof name, "emf%d", j + 1);
    const int column = rbv_log_find(log, name);
    const double *position = rbv_log_channel(log, RBV_CHANNEL_MOTOR_POSITION, j);
    if (column < 0 || !position) {
      status = rbv_fail(RBV_EINPUT, "%s: the back-EMF of joint %d needs the columns qm%d and emf%d",
                        rbv_log_name(log), j + 1, j + 1, j + 1);
      break;
    }
    status = rbv_filter_zero_phase(q, count, w, &sos, position, count, count, 1, padding);
    if (status == RBV_OK) status = rbv_differentiate(speed, count, q, count, count, 1, rate_hz);
    if (status == RBV_OK)
      fit_line(&k[j], &sigma[j], speed, rbv_log_column_at(log, column)->values, count);
    if (status == RBV_OK && !isfinite(k[j]))
      status = rbv_fail(RBV_EINPUT, "%s: motor %d does not turn", rbv_log_name(log), j + 1);
  }
  rbv_filter_work_free(w);
  rbv_free(q);
  return status;
}
