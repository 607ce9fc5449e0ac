/*
 * Delay between torque and position. The torque is shifted step by step against the regressor of
 * the motion and fitted with all parameters free; the shift with the smallest residual is the
 * delay. One triangular factor per row holds [W | tau shifted by every lag], so one factorisation
 * serves all lags. No prior is needed.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/linalg.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"

#define LAGS (2 * MAX_LAG + 1)
#define DELAY_NOTE 0.75  // samples: below it the delay is not significant
#define DELAY_WARN 1.5   // samples: a control loop has a delay of one
#define DELAY_SIGMAS 5   // and at least so many standard deviations
#define DELAY_HARM 0.04  // share of the residual: the choice of a filter has the same effect
#define BANDWIDTH 2.0    // independent residuals per period of the low-pass cut-off

typedef struct {
  double rss[LAGS];
  ptrdiff_t rows;
} profile;

/* residual sum of squares of a row at each lag */
static rbv_status profile_row(profile *p, const view *v, const rbv_row *row, int r, const double *W,
                              double *A) {
  const int n = row->count, ncol = n + LAGS;
  const ptrdiff_t step = rbv_lag_step(v);
  const double *dq = v->knot_dq + row->joint * v->nknot;
  ptrdiff_t used = 0;
  for (int k = 0; k < v->nknot; k++) {
    if (!(fabs(dq[k]) > v->still[row->joint])) continue;
    for (int c = 0; c < n; c++)
      A[used + (ptrdiff_t)c * v->nknot] = W[k + (ptrdiff_t)(row->first + c) * v->nknot];
    for (int l = 0; l < LAGS; l++)
      A[used + (ptrdiff_t)(n + l) * v->nknot] =
          v->smooth[v->knot[k] + (l - MAX_LAG) * step + r * v->count];
    used++;
  }
  *p = (profile){.rows = used};
  if (used < 2 * ncol) return RBV_OK;
  rbv_qr *qr = NULL;
  double *R = rbv_alloc((size_t)ncol * (size_t)ncol * sizeof *R);
  rbv_status status = R ? rbv_qr_new(&qr, ncol) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_qr_add(qr, A, used, v->nknot);
  if (status == RBV_OK) rbv_qr_get(R, qr);
  for (int l = 0; l < LAGS && status == RBV_OK; l++)
    for (int i = n; i <= n + l; i++)
      p->rss[l] += R[i + (ptrdiff_t)(n + l) * ncol] * R[i + (ptrdiff_t)(n + l) * ncol];
  rbv_qr_free(qr);
  rbv_free(R);
  return status;
}

static int lowest(const double *x) {
  int best = 0;
  for (int l = 1; l < LAGS; l++)
    if (x[l] < x[best]) best = l;
  return best;
}

/* delay in steps by a parabola through the lowest point, and its standard deviation */
static void minimum(double *delay, double *sigma, const double *x, double freedom) {
  const int l = lowest(x);
  const int c = l == 0 ? 1 : l == LAGS - 1 ? LAGS - 2 : l;
  const double bend = x[c - 1] - 2 * x[c] + x[c + 1];
  double shift = bend > 0 ? (x[c - 1] - x[c + 1]) / (2 * bend) : 0;
  shift = fmin(fmax(shift, -1), 1);
  *delay = c + shift - MAX_LAG;
  *sigma = bend > 0 ? sqrt(2 * x[l] / bend / freedom) : INFINITY;
}

typedef struct {
  double sum[LAGS];  // sum over the rows, each relative to its smallest value
  double *own;       // nrow: delay of each row [steps], then the sigma of each
  int rows;
  double delay, sigma;  // of all together [steps]
  bool at_limit;        // the best lag is the last one searched
  double saved;         // share of the residual that the shift removes
} search;

static rbv_status run_search(search *s, examination *x, const view *v) {
  const rbv_model *m = x->model;
  const ptrdiff_t nknot = v->nknot;
  int widest = 0;
  for (int r = 0; r < v->nrow; r++)
    if (rbv_model_row(m, r)->count > widest) widest = rbv_model_row(m, r)->count;
  rbv_dynamics *d = NULL;
  double *W = rbv_alloc((size_t)nknot * (size_t)rbv_model_entry_count(m) * sizeof *W);
  double *A = rbv_alloc((size_t)nknot * (size_t)(widest + LAGS) * sizeof *A);
  rbv_status status = W && A ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) {
    const rbv_states states = {nknot, nknot, v->knot_q, v->knot_dq, v->knot_ddq};
    rbv_regressor_batch(W, nknot, d, &states, v->loaded);
  }
  const double span = (double)v->count / v->rate_hz;
  double freedom = 0;
  for (int r = 0; r < v->nrow && status == RBV_OK; r++) {
    profile p;
    status = profile_row(&p, v, rbv_model_row(m, r), r, W, A);
    const double best = p.rss[lowest(p.rss)];
    if (status != RBV_OK || !(best > 0)) continue;
    for (int l = 0; l < LAGS; l++) s->sum[l] += p.rss[l] / best;
    const double own = fmin((double)p.rows, BANDWIDTH * v->cutoff_hz * span);
    freedom += own;
    minimum(&s->own[s->rows], &s->own[v->nrow + s->rows], p.rss, own);
    s->rows++;
  }
  if (status == RBV_OK && s->rows) {
    // each row contributes in units of its variance
    minimum(&s->delay, &s->sigma, s->sum, freedom);
    s->saved = 1 - sqrt(s->sum[lowest(s->sum)] / s->sum[MAX_LAG]);
    s->at_limit = lowest(s->sum) == 0 || lowest(s->sum) == LAGS - 1;
  }
  rbv_dynamics_free(d);
  rbv_free(W);
  rbv_free(A);
  return status;
}

rbv_status rbv_detect_delay(examination *x, view *v) {
  search s = {.own = rbv_alloc(2 * (size_t)v->nrow * sizeof(double))};
  if (!s.own) return RBV_EMEM;
  const rbv_status status = run_search(&s, x, v);
  const double step = (double)rbv_lag_step(v);
  // at least half of the rows must agree within one step or three of their own sigmas
  int agree = 0;
  for (int r = 0; r < s.rows; r++)
    agree += fabs(s.own[r] - s.delay) <= fmax(1, 3 * s.own[v->nrow + r]);
  const double samples = s.delay * step;
  const bool sure = s.rows > 0 && fabs(s.delay) > DELAY_SIGMAS * s.sigma && 2 * agree >= s.rows;
  if (status == RBV_OK && sure && fabs(samples) > DELAY_NOTE) {
    const bool warn = fabs(samples) > DELAY_WARN && s.saved > DELAY_HARM;
    rbv_finding f =
        finding_with(finding_of(RBV_FINDING_DELAY, warn ? RBV_SEVERITY_WARNING : RBV_SEVERITY_NOTE,
                                v, -1, samples / v->rate_hz),
                     "delay");
    snprintf(f.option_value, sizeof f.option_value, "%.4g", samples / v->rate_hz);
    rbv_add_finding(x, f,
                    "%s: the torque %s the position by %.3g ms%s (%.1f samples, +-%.1f; %d of %d "
                    "joints agree; a shift reduces the residual by %.0f %%). Identify with this "
                    "delay, otherwise it appears as friction",
                    rbv_log_name(v->log), samples > 0 ? "lags behind" : "is ahead of",
                    1e3 * fabs(samples) / v->rate_hz, s.at_limit ? " or more" : "", fabs(samples),
                    2 * s.sigma * step, agree, s.rows, 100 * s.saved);
  }
  rbv_free(s.own);
  return status;
}
