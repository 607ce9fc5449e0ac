/* Derivatives of inverse and forward dynamics: rigid bodies from the kernel, then rotors and laws.
 */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* The derivatives of some samples: by q, dq, ddq; entry e = i + j njoint of sample k at [k + e ld].
 */
typedef struct {
  double *by[3];  // NULL: not wanted
  ptrdiff_t ld;
} target;

/* The samples: joint j of sample k at [k + j ld]. */
typedef struct {
  const double *x[3];  // q, dq, ddq
  ptrdiff_t ld;
} sample;

/* ---- drives of at most DRIVE_PIECE samples ---- */

/* a formula of the robot file, or friction of a passive joint, whose rates change with the pose, by
 * central differences */
static void add_differences(const target *to, rbv_dynamics *d, const drive_term *term, double chi,
                            const sample *s, int k) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  double *const copy[3] = {d->state, d->state + n, d->state + 2 * n};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) copy[i][j] = s->x[i][k + j * s->ld];
  const drive_motion at = {.q = copy[0], .dq = copy[1], .ddq = copy[2], .ld = 1};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n && to->by[i]; j++) {
      double value[2];
      const double keep = copy[i][j], h = 1e-6 * (1 + fabs(keep));
      for (int side = 0; side < 2; side++) {
        copy[i][j] = keep + (side ? h : -h);
        rbv_drive_eval(&value[side], d, &rbv_kernel_w1, term, &at, 1);
      }
      copy[i][j] = keep;
      to->by[i][(term->joint + j * n) * to->ld + k] += chi * (value[1] - value[0]) / (2 * h);
    }
}

/* slopes of a law by v, a speed or position of whole vectors; load: NULL if no law needs it */
static void find_slopes(double *slope, const rbv_kernel *kernel, const drive_term *term,
                        const double *v, const double *load, int count) {
  const rbv_smoothing how = term->smoothing;
  if (term->law->linear) {
    for (int k = 0; k < count; k++) slope[k] = term->gain;
  } else if (term->law->is_sign && (how.gamma > 0 || how.speed > 0)) {
    double sign[DRIVE_PIECE];
    kernel->friction(sign, slope, v, how, (count + kernel->width - 1) / kernel->width);
    for (int k = 0; k < count; k++) slope[k] *= term->gain;
  } else {
    for (int k = 0; k < count; k++)
      slope[k] = rbv_term_slope(term, v[k], load ? load[term->joint * DRIVE_PIECE + k] : 0).motion;
  }
}

/* the law of a speed or position, along the directions of the term */
static void add_law(const target *to, const rbv_model *m, const rbv_kernel *kernel,
                    const drive_term *term, double chi, const sample *s, const double *load,
                    int count) {
  const int i = law_derivative(term->law), end = term->first + term->count;
  if (term->law->motion == RBV_LAW_CONSTANT || !to->by[i]) return;
  double v[DRIVE_PIECE] = {0}, slope[DRIVE_PIECE];
  for (int j = term->first; j < end; j++) {
    const double weight = m->direction_weight[j], *x = s->x[i] + m->direction_joint[j] * s->ld;
    for (int k = 0; k < count; k++) v[k] += weight * x[k];
  }
  find_slopes(slope, kernel, term, v, load, count);
  for (int j = term->first; j < end; j++) {
    const double weight = chi * m->direction_weight[j];
    double *by = to->by[i] + (term->joint + m->direction_joint[j] * m->njoint) * to->ld;
    for (int k = 0; k < count; k++) by[k] += weight * slope[k];
  }
}

/* a drive term that acts on the motors, and its parameter; false: it does not */
static bool active(double *chi, const rbv_dynamics *d, const drive_term *term) {
  *chi = d->chi[term->column];
  return *chi != 0 && side_acts(d->model->column[term->column].side, RBV_TORQUE_MOTOR);
}

/* friction in proportion to the load: the torque of the links in the derivatives, which contain
 * nothing else yet, counts more or less */
static void scale_loads(const target *to, const rbv_dynamics *d, const sample *s,
                        const double *load, int count) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < count; k++) {
      double share = 1, chi;
      for (int t = 0; t < m->nterm; t++) {
        const drive_term *term = &m->term[t];
        if (term->joint != j || !term->law || !term->law->uses_torque || !active(&chi, d, term))
          continue;
        const double v = term_motion(m, term, s->x[1] + k, s->ld);
        share += chi * rbv_term_slope(term, v, load[j * DRIVE_PIECE + k]).load;
      }
      for (int i = 0; i < 3; i++)
        for (int c = 0; c < n && to->by[i]; c++) to->by[i][(j + c * n) * to->ld + k] *= share;
    }
}

static void add_drives(const target *to, rbv_dynamics *d, const rbv_kernel *kernel, const sample *s,
                       const double *load, int count) {
  const rbv_model *m = d->model;
  for (int e = 0; e < m->njoint * m->njoint && to->by[2]; e++)
    for (int k = 0; k < count && d->rotor[e] != 0; k++) to->by[2][e * to->ld + k] += d->rotor[e];
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    double chi;
    if (!active(&chi, d, term)) continue;
    const bool by_differences = !term->law || term->passive;
    for (int k = 0; k < count && by_differences; k++) add_differences(to, d, term, chi, s, k);
    if (!by_differences && law_derivative(term->law) < 2)
      add_law(to, m, kernel, term, chi, s, load, count);
  }
}

/* ---- inverse dynamics ---- */

/* a copy of `count` samples in work memory, filled up with the last one to `width` */
static sample copy_samples(rbv_dynamics *d, const sample *from, int count, int width) {
  const int n = d->model->njoint;
  double *const to[3] = {d->state, d->state + n * width, d->state + 2 * n * width};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < width; k++)
        to[i][j * width + k] = from->x[i][(k < count ? k : count - 1) + j * from->ld];
  return (sample){{to[0], to[1], to[2]}, width};
}

/* rigid bodies of at most one vector of samples from k on, and the loads of the gears. Parts that
 * are not wanted and vectors that are not whole go to work memory. */
static void derive_links(const target *to, rbv_dynamics *d, const rbv_kernel *kernel,
                         const double *link, const sample *piece, int k, int count) {
  const int n = d->model->njoint, width = kernel->width;
  const bool whole = count == width;
  sample s = {{piece->x[0] + k, piece->x[1] + k, piece->x[2] + k}, piece->ld};
  if (!whole) s = copy_samples(d, &s, count, width);
  double *by[3];
  ptrdiff_t ld[3];
  for (int i = 0; i < 3; i++) {
    const bool direct = whole && to->by[i];
    by[i] = direct ? to->by[i] + k : d->derivative + i * n * n * width;
    ld[i] = direct ? to->ld : width;
  }
  rbv_rigid_derivatives(by, ld, d, kernel, link, s.x[0], s.x[1], s.x[2], s.ld);
  if (has_load(d))
    rbv_rigid_inverse(d->piece + k, DRIVE_PIECE, d, kernel, link, s.x[0], s.x[1], s.x[2], s.ld);
  for (int i = 0; i < 3 && !whole; i++)
    for (int e = 0; e < n * n && to->by[i]; e++)
      memcpy(to->by[i] + k + e * to->ld, by[i] + e * ld[i], (size_t)count * sizeof *by[i]);
}

/* at most DRIVE_PIECE samples */
static void derive(const target *to, rbv_dynamics *d, const rbv_kernel *kernel, const double *link,
                   const sample *s, int count) {
  const int width = kernel->width;
  for (int k = 0; k < count; k += width)
    derive_links(to, d, kernel, link, s, k, count - k < width ? count - k : width);
  const double *load = has_load(d) ? d->piece : NULL;
  if (load) scale_loads(to, d, s, load, count);
  add_drives(to, d, kernel, s, load, count);
}

void rbv_dynamics_derivatives(double *by_q, double *by_dq, double *by_ddq, rbv_dynamics *d,
                              const double *q, const double *dq, const double *ddq) {
  const sample s = {{q, dq, ddq}, 1};
  const target to = {{by_q, by_dq, by_ddq}, 1};
  derive(&to, d, &rbv_kernel_w1, d->link, &s, 1);
}

static double *shift(double *p, ptrdiff_t k) { return p ? p + k : NULL; }

void rbv_dynamics_derivatives_batch(double *by_q, double *by_dq, double *by_ddq, ptrdiff_t ldby,
                                    rbv_dynamics *d, const rbv_states *states) {
  for (ptrdiff_t k = 0; k < states->count; k += DRIVE_PIECE) {
    const ptrdiff_t left = states->count - k;
    const sample s = {{states->q + k, states->dq + k, states->ddq + k}, states->ld};
    const target to = {{shift(by_q, k), shift(by_dq, k), shift(by_ddq, k)}, ldby};
    derive(&to, d, d->kernel, d->link_lanes, &s, left < DRIVE_PIECE ? (int)left : DRIVE_PIECE);
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
  const int n = d->model->njoint;
  rbv_dynamics_forward(ddq, regular, d, q, dq, tau);
  if (!*regular) return;
  const sample s = {{q, dq, ddq}, 1};
  const target inverse = {{d->derivative, d->derivative + n * n, d->derivative + 2 * n * n}, 1};
  derive(&inverse, d, &rbv_kernel_w1, d->link, &s, 1);
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
