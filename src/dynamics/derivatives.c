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
        const drive_motion at = {
            .q = s->x[0] + lane, .dq = s->x[1] + lane, .ddq = s->x[2] + lane, .ld = s->ld};
        rbv_drive_eval(&value[side], &rbv_kernel_w1, m, term, d->registers, &at, 1);
      }
      *x = keep;
      to->by[i][(term->joint + j * m->njoint) * to->ld[i] + lane] +=
          chi * (value[1] - value[0]) / (2 * h);
    }
}

/* the law of a speed or position, along the directions of the term; load: in lanes, NULL: no law
 * needs it */
static void add_law(const target *to, const rbv_dynamics *d, const drive_term *term, double chi,
                    const sample *s, int lane, const double *load, int width) {
  const rbv_model *m = d->model;
  const int i = law_derivative(term->law);
  const double v = term_motion(m, term, s->x[i] + lane, s->ld);
  const double at = load ? load[term->joint * width + lane] : 0;
  const double slope = chi * rbv_term_slope(term, v, at).motion;
  for (int k = term->first; k < term->first + term->count; k++)
    to->by[i][(term->joint + m->direction_joint[k] * m->njoint) * to->ld[i] + lane] +=
        slope * m->direction_weight[k];
}

/* a drive term that acts on the motors, and its parameter; false: it does not */
static bool active(double *chi, const rbv_dynamics *d, const drive_term *term) {
  *chi = d->chi[term->column];
  return *chi != 0 && side_acts(d->model->column[term->column].side, RBV_TORQUE_MOTOR);
}

/* friction in proportion to the load: the torque of the links in the derivatives, which contain
 * nothing else yet, counts more or less */
static void scale_loads(const target *to, const rbv_dynamics *d, const sample *s,
                        const double *load, int width) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < width; k++) {
      double share = 1, chi;
      for (int t = 0; t < m->nterm; t++) {
        const drive_term *term = &m->term[t];
        if (term->joint != j || !term->law || !term->law->uses_torque || !active(&chi, d, term))
          continue;
        const double v = term_motion(m, term, s->x[1] + k, s->ld);
        share += chi * rbv_term_slope(term, v, load[j * width + k]).load;
      }
      for (int i = 0; i < 3; i++)
        for (int c = 0; c < n; c++) to->by[i][(j + c * n) * to->ld[i] + k] *= share;
    }
}

static void add_drives(const target *to, rbv_dynamics *d, const sample *s, const double *load,
                       int count) {
  const rbv_model *m = d->model;
  for (int e = 0; e < m->njoint * m->njoint; e++)
    for (int k = 0; k < count && d->rotor[e] != 0; k++) to->by[2][e * to->ld[2] + k] += d->rotor[e];
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    double chi;
    if (!active(&chi, d, term)) continue;
    for (int k = 0; k < count; k++)
      if (!term->law)
        add_expression(to, d, term, chi, s, k);
      else if (law_derivative(term->law) < 2)
        add_law(to, d, term, chi, s, k, load, count);
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
  const int width = kernel->width;
  if (has_load(d)) {
    kernel->inverse(d->row, width, &d->chain, d->scratch, link, s->x[0], s->x[1], s->x[2], s->ld);
    scale_loads(to, d, s, d->row, width);
  }
  add_drives(to, d, s, has_load(d) ? d->row : NULL, width);
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

/* with the factors of a matrix; friction in proportion to loads makes it unsymmetric: swap */
static void solve(double *x, const double *M, const int *swap, int n) {
  if (swap)
    rbv_lu_solve(x, M, swap, n);
  else
    rbv_kernel_w1.solve(x, M, n);
}

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
  const int *swap = has_load(d) ? d->swap : NULL;
  if (swap)
    *regular = rbv_lu_factor(M, d->swap, n);
  else
    rbv_kernel_w1.factor(M, regular, n);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n && to[i]; j++) {
      double *column = to[i] + j * n;
      for (int r = 0; r < n; r++) column[r] = -inverse.by[i][r + j * n];
      solve(column, M, swap, n);
    }
  for (int j = 0; j < n && by_tau; j++) {
    for (int r = 0; r < n; r++) by_tau[r + j * n] = r == j;
    solve(by_tau + j * n, M, swap, n);
  }
}

/* ---- shape parameters ---- */

void rbv_dynamics_by_shape_batch(double *by, ptrdiff_t ldby, rbv_dynamics *d, const rbv_states *s,
                                 int joint, const char *shape) {
  const rbv_model *m = d->model;
  for (int j = 0; j < m->njoint; j++) memset(by + j * ldby, 0, (size_t)s->count * sizeof *by);
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const rbv_law_shape *own = term->law ? rbv_law_free_shape(term->law) : NULL;
    double chi;
    if (!own || m->column[term->column].joint != joint || strcmp(own->name, shape) != 0 ||
        !active(&chi, d, term))
      continue;
    const double *const motion[] = {s->q, s->dq, s->ddq};
    for (ptrdiff_t k = 0; k < s->count; k++) {
      rbv_law_input at = {
          .motion = term_motion(m, term, motion[law_derivative(term->law)] + k, s->ld),
          .shape = term->shape};
      at.sign = rbv_law_sign(&at.sign_slope, at.motion, term->smoothing);
      by[term->joint * ldby + k] += chi * term->gain * rbv_law_by_shape(term->law, &at);
    }
  }
}
