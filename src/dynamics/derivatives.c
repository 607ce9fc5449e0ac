/* Derivatives of inverse and forward dynamics: rigid bodies from the kernel, then rotors and laws.
 */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* The derivatives of some samples: by q, dq, ddq; lane k of entry e = i + j njoint at [k + e ld].
 */
typedef struct {
  double *by[3];
  ptrdiff_t ld[3];
} target;

/* The samples: joint j of lane k at [k + j ld]. */
typedef struct {
  double *x[3];  // q, dq, ddq
  ptrdiff_t ld;
} sample;

/* ---- drives ---- */

/* a formula of the robot file by central differences */
static void add_expression(const target *to, rbv_dynamics *d, const drive_term *term, double chi,
                           const sample *s, int lane) {
  const rbv_model *m = d->model;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < m->njoint; j++) {
      double value[2], *x = s->x[i] + j * s->ld + lane;
      const double keep = *x, h = 1e-6 * (1 + fabs(keep));
      for (int side = 0; side < 2; side++) {
        *x = keep + (side ? h : -h);
        rbv_drive_eval(&value[side], &rbv_kernel_w1, m, term, d->registers, s->x[0] + lane,
                       s->x[1] + lane, s->x[2] + lane, s->ld, 1);
      }
      *x = keep;
      to->by[i][(term->joint + j * m->njoint) * to->ld[i] + lane] +=
          chi * (value[1] - value[0]) / (2 * h);
    }
}

/* the law of a speed, along the directions of the term */
static void add_speed_law(const target *to, const rbv_model *m, const drive_term *term, double chi,
                          const sample *s, int lane) {
  double v = 0;
  for (int k = term->first; k < term->first + term->count; k++)
    v += m->direction_weight[k] * s->x[1][m->direction_joint[k] * s->ld + lane];
  const double slope = chi * term->gain * rbv_term_slope(term, v);
  for (int k = term->first; k < term->first + term->count; k++)
    to->by[1][(term->joint + m->direction_joint[k] * m->njoint) * to->ld[1] + lane] +=
        slope * m->direction_weight[k];
}

static void add_drives(const target *to, rbv_dynamics *d, const sample *s, int count) {
  const rbv_model *m = d->model;
  for (int e = 0; e < m->njoint * m->njoint; e++)
    for (int k = 0; k < count && d->rotor[e] != 0; k++) to->by[2][e * to->ld[2] + k] += d->rotor[e];
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const double chi = d->chi[term->column];
    if (chi == 0 || !side_acts(m->column[term->column].side, RBV_TORQUE_MOTOR)) continue;
    for (int k = 0; k < count; k++)
      if (!term->law)
        add_expression(to, d, term, chi, s, k);
      else if (term->law->motion == RBV_LAW_SPEED)
        add_speed_law(to, m, term, chi, s, k);
  }
}

/* ---- inverse dynamics ---- */

/* parts that the caller does not want go to work memory */
static target targets(rbv_dynamics *d, double *by_q, double *by_dq, double *by_ddq, ptrdiff_t ld,
                      int width) {
  const int part = d->chain.njoint * d->chain.njoint * width;
  target to = {{by_q, by_dq, by_ddq}, {ld, ld, ld}};
  for (int i = 0; i < 3; i++)
    if (!to.by[i]) {
      to.by[i] = d->derivative + i * part;
      to.ld[i] = width;
    }
  return to;
}

/* one vector of samples, all lanes */
static void derive(const target *to, rbv_dynamics *d, const rbv_kernel *kernel, const double *link,
                   const sample *s) {
  kernel->derivatives(to->by, to->ld, &d->chain, d->scratch, link, s->x[0], s->x[1], s->x[2],
                      s->ld);
  add_drives(to, d, s, kernel->width);
}

/* a copy of `count` samples in work memory, filled up with the last one to `width` */
static sample copy_samples(rbv_dynamics *d, const double *const from[3], ptrdiff_t ld, int count,
                           int width) {
  const int n = d->chain.njoint;
  const sample s = {{d->state, d->state + n * width, d->state + 2 * n * width}, width};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < width; k++)
        s.x[i][j * width + k] = from[i][(k < count ? k : count - 1) + j * ld];
  return s;
}

void rbv_dynamics_derivatives(double *by_q, double *by_dq, double *by_ddq, rbv_dynamics *d,
                              const double *q, const double *dq, const double *ddq) {
  const double *const from[3] = {q, dq, ddq};
  const sample s = copy_samples(d, from, 1, 1, 1);
  const target to = targets(d, by_q, by_dq, by_ddq, 1, 1);
  derive(&to, d, &rbv_kernel_w1, d->link, &s);
}

void rbv_dynamics_derivatives_batch(double *by_q, double *by_dq, double *by_ddq, ptrdiff_t ldby,
                                    rbv_dynamics *d, const rbv_states *states) {
  const int n = d->chain.njoint, width = d->kernel->width;
  double *const by[3] = {by_q, by_dq, by_ddq};
  for (ptrdiff_t k = 0; k < states->count; k += width) {
    const int count = states->count - k < width ? (int)(states->count - k) : width;
    const bool whole = count == width;
    const double *const from[3] = {states->q + k, states->dq + k, states->ddq + k};
    const sample s = copy_samples(d, from, states->ld, count, width);
    double *part[3];
    for (int i = 0; i < 3; i++) part[i] = by[i] && whole ? by[i] + k : NULL;
    const target to = targets(d, part[0], part[1], part[2], ldby, width);
    derive(&to, d, d->kernel, d->link_lanes, &s);
    for (int i = 0; i < 3; i++)
      for (int e = 0; e < n * n && by[i] && !whole; e++)
        memcpy(by[i] + k + e * ldby, to.by[i] + e * to.ld[i], (size_t)count * sizeof *by[i]);
  }
}

/* ---- forward dynamics ---- */

void rbv_dynamics_forward_derivatives(double *by_q, double *by_dq, double *by_tau, double *ddq,
                                      bool *regular, rbv_dynamics *d, const double *q,
                                      const double *dq, const double *tau) {
  const int n = d->chain.njoint;
  rbv_dynamics_forward(ddq, regular, d, q, dq, tau);
  if (!*regular) return;
  const double *const from[3] = {q, dq, ddq};
  const sample s = copy_samples(d, from, 1, 1, 1);
  const target inverse = targets(d, NULL, NULL, NULL, 1, 1);
  derive(&inverse, d, &rbv_kernel_w1, d->link, &s);
  double *const M = inverse.by[2], *const to[2] = {by_q, by_dq};
  rbv_kernel_w1.factor(M, regular, n);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n && to[i]; j++) {
      double *column = to[i] + j * n;
      for (int r = 0; r < n; r++) column[r] = -inverse.by[i][r + j * n];
      rbv_kernel_w1.solve(column, M, n);
    }
  for (int j = 0; j < n && by_tau; j++) {
    for (int r = 0; r < n; r++) by_tau[r + j * n] = r == j;
    rbv_kernel_w1.solve(by_tau + j * n, M, n);
  }
}
