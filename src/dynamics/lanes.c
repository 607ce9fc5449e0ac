/* Lanes: forward dynamics and the stages of implicit integrators. */
#include "dynamics/lanes.h"

#include <math.h>
#include <string.h>

#include "dynamics/lanes_internal.h"

/* ---- forces ---- */

/*
 * The loops over lanes are short. They are compiled once per width, with the width as a constant.
 * BY_WIDTH(width, f, ...) calls f(..., width).
 */
#define INLINE static inline __attribute__((always_inline))
#define BY_WIDTH(width, f, ...)           \
  switch (width) {                        \
    case 1: f(__VA_ARGS__, 1); break;     \
    case 2: f(__VA_ARGS__, 2); break;     \
    case 4: f(__VA_ARGS__, 4); break;     \
    default: f(__VA_ARGS__, LANES_WIDTH); \
  }

/* rates of a passive joint with a coordinate, of the pose of the last system */
INLINE const double *rates_of(const rbv_lanes *l, const direction *d, int coordinate, const int w) {
  return l->rigid->rates + (d->passive - 1 + coordinate * l->model->nbody) * w;
}

/* speeds or positions along all directions */
INLINE void find_along(double *out, const rbv_lanes *l, const double *dq, const int w) {
  const rbv_model *m = l->model;
  for (int d = 0; d < l->ndirection; d++) {
    double *v = out + d * w;
    const direction *along = &l->direction[d];
    for (int k = 0; k < w; k++) v[k] = 0;
    for (int j = 0; j < m->njoint && along->passive; j++) {
      const double *rate = rates_of(l, along, j, w), *x = dq + j * w;
      for (int k = 0; k < w; k++) v[k] += rate[k] * x[k];
    }
    for (int i = along->first; i < along->first + along->count; i++) {
      const double weight = m->direction_weight[i], *x = dq + m->direction_joint[i] * w;
      for (int k = 0; k < w; k++) v[k] += weight * x[k];
    }
  }
}

/* smoothed signs of all speeds, and their slopes; neighbours often have the same smoothing */
static void find_signs(rbv_lanes *l, bool slope) {
  for (int d = 0, end; d < l->ndirection; d = end) {
    const rbv_smoothing how = l->direction[d].smoothing;
    for (end = d + 1; end < l->ndirection && same_smoothing(l->direction[end].smoothing, how);)
      end++;
    const int at = d * l->width;
    l->kernel->friction(l->value + at, slope ? l->slope + at : NULL, l->speed + at, how, end - d);
  }
}

/* the lanes of an entry, as its law takes them */
static inline law_samples samples_of(const rbv_lanes *l, const entry *e, int w) {
  const int at = e->direction * w;
  const bool position = e->law->motion == RBV_LAW_POSITION;
  return (law_samples){.motion = (position ? l->position : l->speed) + at,
                       .sign = l->value + at,
                       .sign_slope = l->slope + at,
                       .torque = e->law->uses_torque ? l->load + e->joint * w : NULL,
                       .state = e->state >= 0 ? l->state + e->state * w : NULL,
                       .shape = e->shape};
}

/* friction of an entry per load of 1 and of -1: such laws are proportional to the size of the load
 */
INLINE void add_load_entry(rbv_lanes *l, const entry *e, const double *c, const int w) {
  static const double one[2][LANES_WIDTH] = {{1, 1, 1, 1, 1, 1, 1, 1},
                                             {-1, -1, -1, -1, -1, -1, -1, -1}};
  law_samples at = samples_of(l, e, w);
  for (int side = 0; side < 2; side++) {
    double *to = (side ? l->back : l->ahead) + e->joint * w;
    at.torque = one[side];
    e->law->values(l->term, l->friction, c, &at, w);
    for (int k = 0; k < w; k++) to[k] += l->term[k];
  }
}

/* right -= friction and offsets; slope: also the slopes of the signs */
INLINE void subtract_drives(rbv_lanes *l, const double *q, const double *dq, bool slope,
                            const int w) {
  const int n = l->chain.njoint;
  const double f = l->friction;
  find_along(l->speed, l, dq, w);
  if (l->has_position) find_along(l->position, l, q, w);
  if (l->has_sign) find_signs(l, slope);
  for (int i = 0; i < n * w && l->has_load; i++) l->ahead[i] = l->back[i] = 0;
  for (int i = 0; i < n * w; i++) l->right[i] -= l->constant[i];
  for (int p = 0; p < l->npair; p++) {
    const int i = l->pair[p].row, j = l->pair[p].column;
    const double *b = l->viscous + (i + j * n) * w, *x = dq + j * w;
    for (int k = 0; k < w; k++) l->right[i * w + k] -= f * b[k] * x[k];
  }
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (!e->active) continue;
    const double *c = l->coefficient + i * w, *s = l->value + e->direction * w;
    double *to = l->right + e->joint * w;
    const direction *along = &l->direction[e->direction];
    if (along->passive) {
      const law_samples at = samples_of(l, e, w);
      const double *rate = rates_of(l, along, e->joint, w);
      e->law->values(l->term, f, c, &at, w);
      for (int k = 0; k < w; k++) to[k] -= rate[k] * l->term[k];
      continue;
    }
    if (e->law->is_sign) {
      for (int k = 0; k < w; k++) to[k] -= f * c[k] * s[k];
      continue;
    }
    if (e->law->uses_torque) {
      add_load_entry(l, e, c, w);
      continue;
    }
    const law_samples at = samples_of(l, e, w);
    e->law->values(l->term, f, c, &at, w);
    for (int k = 0; k < w; k++) to[k] -= l->term[k];
  }
  for (int i = 0; i < l->nexpression; i++) {
    const drive_term *t = &l->model->term[l->expression[i]];
    rbv_expression_eval(l->term, &l->model->expression[t->expression], l->registers, q, dq, NULL, w,
                        w);
    for (int k = 0; k < w; k++) {
      const double c = l->own[i * w + k];
      if (c != 0) l->right[t->joint * w + k] -= c * l->term[k];
    }
  }
}

/* M with rotors in l->mass, all forces in l->right */
INLINE void assemble_lanes(rbv_lanes *l, const double *q, const double *dq, const double *tau,
                           bool slope, const int w) {
  const int n = l->chain.njoint;
  if (l->rigid)
    rbv_rigid_system(l->mass, l->right, l->rigid, l->kernel, l->link, q, dq, w);
  else
    l->plant->system(l->mass, l->right, &l->chain, l->scratch, l->link, q, dq);
  if (l->has_load) {
    memcpy(l->link_mass, l->mass, (size_t)(n * n * w) * sizeof *l->mass);
    memcpy(l->bias, l->right, (size_t)(n * w) * sizeof *l->right);
  }
  for (int i = 0; i < n * n * w; i++) l->mass[i] += l->rotor[i];
  for (int i = 0; i < n * w; i++) l->right[i] = tau[i] - l->right[i];
  subtract_drives(l, q, dq, slope, w);
}

static void assemble(rbv_lanes *l, const double *q, const double *dq, const double *tau,
                     bool slope) {
  BY_WIDTH(l->width, assemble_lanes, l, q, dq, tau, slope)
}

/* ---- load of the gears ---- */

#define LOAD_SOLUTIONS 20  // at most: until the loads have the signs that were assumed
#define NO_LOAD 1e-12  // share of the drive torque: rounding of a gear without load, of any sign
#define SMALLEST_SHARE 0.1  // of the torque that a gear transmits; an efficiency below is a mistake

/*
 * The torque behind a gear is x = L + friction(L), with the friction per load above: L = share x,
 * where the share depends on the sign of L alone. x = drive - rotor ddq, L = M_link ddq + bias, so
 *
 *   (M_link + share rotor) ddq = share drive - bias.
 *
 * The signs are those of the last evaluation; they are corrected if the solution has others. Rotors
 * that turn with several joints make the matrix unsymmetric, A + U E U', where A has the mean of
 * the two shares and U selects these joints: with y = inv(A) r and Z = inv(A) U,
 *
 *   (1 + E U' Z) t = E U' y,   ddq = y - Z t,   A ddq = r - U t.
 */
static void find_shares(rbv_lanes *l) {
  for (int i = 0; i < l->chain.njoint * l->width; i++) {
    const double slope = l->load[i] < 0 ? 1 - l->back[i] : 1 + l->ahead[i];
    l->share[i] = 1 / fmax(slope, SMALLEST_SHARE);
  }
}

/* A in l->mass, r in l->right */
static void scale_rotors(rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  memcpy(l->mass, l->link_mass, (size_t)(n * n * w) * sizeof *l->mass);
  for (int i = 0; i < n * w; i++) l->right[i] = l->share[i] * l->drive[i] - l->bias[i];
  for (int p = 0; p < l->nrotor; p++) {
    const int i = l->rotor_place[p].row, j = l->rotor_place[p].column, at = (i + j * n) * w;
    for (int k = 0; k < w; k++)
      l->mass[at + k] += (l->share[i * w + k] + l->share[j * w + k]) / 2 * l->rotor[at + k];
  }
}

/* solve A t = b by elimination with pivots; count x count at S, leading dimension count */
static void eliminate(double *t, double *S, int count) {
  for (int c = 0; c < count; c++) {
    int pivot = c;
    for (int r = c + 1; r < count; r++)
      if (fabs(S[r + c * count]) > fabs(S[pivot + c * count])) pivot = r;
    for (int k = c; k < count && pivot != c; k++) {
      const double x = S[c + k * count];
      S[c + k * count] = S[pivot + k * count];
      S[pivot + k * count] = x;
    }
    const double b = t[pivot];
    t[pivot] = t[c];
    t[c] = b;
    for (int r = c + 1; r < count; r++) {
      const double f = S[r + c * count] / S[c + c * count];
      for (int k = c + 1; k < count; k++) S[r + k * count] -= f * S[c + k * count];
      t[r] -= f * t[c];
    }
  }
  for (int c = count - 1; c >= 0; c--) {
    t[c] /= S[c + c * count];
    for (int r = 0; r < c; r++) t[r] -= S[r + c * count] * t[c];
  }
}

/* the part of coupled rotors: ddq = y becomes the solution, l->right = r becomes A ddq */
static void correct_coupled(double *ddq, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width, count = l->ncoupled;
  double *S = l->small, *t = S + count * count;
  memset(l->response, 0, (size_t)(n * count * w) * sizeof *l->response);
  for (int b = 0; b < count; b++) {
    double *z = l->response + b * n * w;
    for (int k = 0; k < w; k++) z[l->coupled[b] * w + k] = 1;
    l->kernel->solve(z, l->mass, n);
  }
  for (int k = 0; k < w; k++) {
    for (int a = 0; a < count; a++) {
      t[a] = 0;
      for (int b = 0; b < count; b++) S[a + b * count] = a == b;
    }
    for (int a = 0; a < count; a++)
      for (int c = 0; c < count; c++) {
        const int i = l->coupled[a], j = l->coupled[c];
        const double E =
            (l->share[i * w + k] - l->share[j * w + k]) / 2 * l->rotor[(i + j * n) * w + k];
        t[a] += E * ddq[j * w + k];
        for (int b = 0; b < count; b++) S[a + b * count] += E * l->response[(b * n + j) * w + k];
      }
    eliminate(t, S, count);
    for (int b = 0; b < count; b++) {
      for (int i = 0; i < n; i++) ddq[i * w + k] -= t[b] * l->response[(b * n + i) * w + k];
      l->right[l->coupled[b] * w + k] -= t[b];
    }
  }
}

/* the loads of a solution, share (drive - rotor ddq); true if none has changed its sign */
static bool find_loads(rbv_lanes *l, const double *ddq) {
  const int n = l->chain.njoint, w = l->width;
  bool same = true;
  memcpy(l->moved, l->drive, (size_t)(n * w) * sizeof *l->moved);
  for (int p = 0; p < l->nrotor; p++) {
    const int i = l->rotor_place[p].row, j = l->rotor_place[p].column, at = (i + j * n) * w;
    for (int k = 0; k < w; k++) l->moved[i * w + k] -= l->rotor[at + k] * ddq[j * w + k];
  }
  for (int i = 0; i < n * w; i++) {
    const bool none = fabs(l->moved[i]) <= NO_LOAD * fabs(l->drive[i]);
    same = same && (none || (l->moved[i] < 0) == (l->load[i] < 0));
    l->load[i] = l->share[i] * l->moved[i];
  }
  return same;
}

/* ddq with loads, after assemble; M is in l->scaled, the forces M ddq in l->right */
static void solve_loads(double *ddq, bool *regular, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  for (int i = 0; i < n * w; i++) l->drive[i] = l->right[i] + l->bias[i];
  for (int round = 0; round < LOAD_SOLUTIONS; round++) {
    find_shares(l);
    scale_rotors(l);
    memcpy(l->scaled, l->mass, (size_t)(n * n * w) * sizeof *l->mass);
    memcpy(ddq, l->right, (size_t)(n * w) * sizeof *ddq);
    l->kernel->factor(l->mass, regular, n);
    l->kernel->solve(ddq, l->mass, n);
    if (l->ncoupled > 0) correct_coupled(ddq, l);
    if (find_loads(l, ddq)) break;
  }
}

void rbv_lanes_reset(rbv_lanes *l) {
  const size_t loads = l->model->uses_torque ? (size_t)(l->chain.njoint * l->width) : 0;
  memset(l->state, 0, (size_t)(l->model->nstate * l->width) * sizeof *l->state);
  memset(l->load, 0, loads * sizeof *l->load);
}

void rbv_lanes_step_states(rbv_lanes *l, const double *dq, double dt) {
  const int w = l->width;
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (e->state < 0) continue;
    const direction *d = &l->direction[e->direction];
    for (int k = 0; k < w; k++) {
      double v = 0;
      for (int b = d->first; b < d->first + d->count; b++)
        v += l->model->direction_weight[b] * dq[l->model->direction_joint[b] * w + k];
      e->law->state_step(&l->state[e->state * w + k],
                         &(rbv_law_input){.motion = v, .shape = e->shape}, dt);
    }
  }
}

void rbv_lanes_forward(double *ddq, bool *regular, rbv_lanes *l, const double *q, const double *dq,
                       const double *tau) {
  const int n = l->chain.njoint;
  assemble(l, q, dq, tau, false);
  if (l->has_load) {
    solve_loads(ddq, regular, l);
    return;
  }
  l->kernel->factor(l->mass, regular, n);
  l->kernel->solve(l->right, l->mass, n);
  memcpy(ddq, l->right, (size_t)(n * l->width) * sizeof *ddq);
}

/* ---- the implicit operator ---- */

/* add slopes of the expressions by the velocity of their own joint, where they are positive */
static void add_own_slopes(rbv_lanes *l, const double *q, const double *dq, double c) {
  const int n = l->chain.njoint, w = l->width;
  const double step = 1e-6;
  for (int i = 0; i < l->nexpression; i++) {
    const drive_term *t = &l->model->term[l->expression[i]];
    const expression *e = &l->model->expression[t->expression];
    memcpy(l->moved, dq, (size_t)(n * w) * sizeof *dq);
    double *v = l->moved + t->joint * w, *to = l->implicit + (t->joint + t->joint * n) * w;
    for (int k = 0; k < w; k++) v[k] -= step;
    rbv_expression_eval(l->term, e, l->registers, q, l->moved, NULL, w, w);
    for (int k = 0; k < w; k++) v[k] += 2 * step;
    rbv_expression_eval(l->term + w, e, l->registers, q, l->moved, NULL, w, w);
    for (int k = 0; k < w; k++) {
      const double slope = l->own[i * w + k] * (l->term[w + k] - l->term[k]) / (2 * step);
      if (slope > 0) to[k] += c * slope;
    }
  }
}

/* slopes of the friction of a passive joint, in the rows and columns that move it */
INLINE void add_passive_slopes(rbv_lanes *l, const entry *e, const double *slope, const int w) {
  const direction *d = &l->direction[e->direction];
  const double *row = rates_of(l, d, e->joint, w);
  for (int j = 0; j <= e->joint; j++) {
    const double *column = rates_of(l, d, j, w);
    double *to = l->implicit + (e->joint + j * l->chain.njoint) * w;
    for (int k = 0; k < w && e->whole; k++) to[k] += slope[k] * row[k] * column[k];
  }
}

/* l->implicit += c D, lower triangle */
INLINE void add_slopes(rbv_lanes *l, double c, const int w) {
  const rbv_model *m = l->model;
  const int n = l->chain.njoint;
  const double f = c * l->friction;
  for (int j = 0; j < n; j++)
    for (int i = j * w; i < n * w; i++) l->implicit[j * n * w + i] += f * l->drag[j * n * w + i];
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (!e->active) continue;
    const direction *d = &l->direction[e->direction];
    const double *x = l->coefficient + i * w;
    double slope[LANES_WIDTH];
    if (e->law->is_sign) {
      for (int k = 0; k < w; k++) slope[k] = f * x[k] * l->slope[e->direction * w + k];
    } else {
      const law_samples at = samples_of(l, e, w);
      e->law->slopes(slope, &at, w);
      for (int k = 0; k < w; k++) slope[k] *= f * x[k];
    }
    if (d->passive) add_passive_slopes(l, e, slope, w);
    for (int b = d->first; b < d->first + d->count; b++) {
      const int j = m->direction_joint[b];
      const double weight = m->direction_weight[b];
      if (j > e->joint || (!e->whole && j != e->joint)) continue;
      double *to = l->implicit + (e->joint + j * n) * w;
      for (int k = 0; k < w; k++) {
        const double s = weight * slope[k];
        to[k] += e->whole || s > 0 ? s : 0;
      }
    }
  }
}

void rbv_lanes_linearise(double *ddq, bool *regular, rbv_lanes *l, const double *q,
                         const double *dq, const double *tau, double c) {
  const int n = l->chain.njoint, w = l->width;
  const size_t matrix = (size_t)(n * n * w) * sizeof *l->mass;
  bool good[LANES_WIDTH];
  assemble(l, q, dq, tau, true);
  if (l->has_load) {
    solve_loads(ddq, regular, l);
    memcpy(l->kept, l->scaled, matrix);
    memcpy(l->implicit, l->scaled, matrix);
    BY_WIDTH(w, add_slopes, l, c)
    add_own_slopes(l, q, dq, c);
    l->kernel->factor(l->implicit, good, n);
    return;
  }
  memcpy(l->kept, l->mass, matrix);
  memcpy(l->implicit, l->mass, matrix);
  BY_WIDTH(w, add_slopes, l, c)
  add_own_slopes(l, q, dq, c);
  l->kernel->factor(l->implicit, good, n);
  l->kernel->factor(l->mass, regular, n);
  l->kernel->solve(l->right, l->mass, n);
  memcpy(ddq, l->right, (size_t)(n * w) * sizeof *ddq);
}

/* l->right += matrix x */
INLINE void add_product(rbv_lanes *l, const double *matrix, const double *x, const int w) {
  const int n = l->chain.njoint;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const double *M = matrix + (i + j * n) * w;
      for (int k = 0; k < w; k++) l->right[i * w + k] += M[k] * x[j * w + k];
    }
}

void rbv_lanes_apply(double *x, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  memset(l->right, 0, (size_t)(n * w) * sizeof *l->right);
  BY_WIDTH(w, add_product, l, l->kept, x)
  l->kernel->solve(l->right, l->implicit, n);
  memcpy(x, l->right, (size_t)(n * w) * sizeof *x);
}

/* l->implicit = M + c D, l->right = h F + M s, after assemble */
INLINE void gather_stage(rbv_lanes *l, double h, const double *s, const int w) {
  const int n = l->chain.njoint;
  for (int j = 0; j < n; j++)
    for (int i = j * w; i < n * w; i++)
      l->implicit[j * n * w + i] = l->mass[j * n * w + i] + l->damping[j * n * w + i];
  for (int i = 0; i < n * w; i++) l->right[i] *= h;
  if (s) add_product(l, l->mass, s, w);
}

/* c D of this state */
static void find_damping(rbv_lanes *l, const double *q, const double *dq, double c) {
  const size_t matrix = (size_t)(l->chain.njoint * l->chain.njoint * l->width) * sizeof *l->damping;
  memset(l->implicit, 0, matrix);
  BY_WIDTH(l->width, add_slopes, l, c)
  add_own_slopes(l, q, dq, c);
  memcpy(l->damping, l->implicit, matrix);
}

/* ddq from M and the forces, which stay as they are */
static void solve_mass(double *ddq, bool *regular, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  memcpy(l->kept, l->mass, (size_t)(n * n * w) * sizeof *l->mass);
  memcpy(ddq, l->right, (size_t)(n * w) * sizeof *ddq);
  l->kernel->factor(l->kept, regular, n);
  l->kernel->solve(ddq, l->kept, n);
}

/* M and forces F = M ddq of the solution with loads */
static void resolve_loads(double *ddq, bool *regular, rbv_lanes *l) {
  const int n = l->chain.njoint;
  bool good[LANES_WIDTH];
  solve_loads(ddq ? ddq : l->accelerated, ddq ? regular : good, l);
  memcpy(l->mass, l->scaled, (size_t)(n * n * l->width) * sizeof *l->mass);
}

void rbv_lanes_stage(double *u, double *ddq, bool *regular, rbv_lanes *l, const double *q,
                     const double *dq, const double *tau, double h, double c, const double *s) {
  const int n = l->chain.njoint, w = l->width;
  bool good[LANES_WIDTH];
  assemble(l, q, dq, tau, !s);
  if (!s) find_damping(l, q, dq, c);
  if (l->has_load)
    resolve_loads(ddq, regular, l);
  else if (ddq)
    solve_mass(ddq, regular, l);
  BY_WIDTH(w, gather_stage, l, h, s)
  l->kernel->factor(l->implicit, good, n);
  l->kernel->solve(l->right, l->implicit, n);
  memcpy(u, l->right, (size_t)(n * w) * sizeof *u);
}
