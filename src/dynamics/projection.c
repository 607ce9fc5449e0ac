#include "dynamics/projection.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics_thresholds.h"
#include "model/closure.h"

RBV_THRESHOLDS(PROJECTION);

typedef struct {
  closure_pose pose;
  double *at;        // njoint: the driven positions
  double *q, *G;     // what the pose points to; a point of the lattice has no G
  rbv_pose *body;    // of closure_work
  double *A, *beta;  // of closure_work
  bool used;
} stored;

struct projection {
  const model_closure *closure;
  closure_work work;
  stored sample[PROJECTION_SAMPLES], node[PROJECTION_NODES];
  int next_sample, next_node;
  double *target;     // njoint
  double *bias, *dq;  // nbody
  double *probe;      // 4 njoint lanes
};

/* ---- memory ---- */

void rbv_projection_layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a) {
  const model_closure *c = m->closure;
  d->projection = NULL;
  if (!c) return;
  d->projection = RBV_TAKE(a, 1, projection);
  d->rates = RBV_TAKE(a, m->nbody * m->njoint * LANES_MAX, double);
  projection unused = {0}, *p = a->base ? d->projection : &unused;
  p->closure = c;
  rbv_closure_layout(&p->work, c, a);
  for (int i = 0; i < PROJECTION_SAMPLES + PROJECTION_NODES; i++) {
    stored *s = i < PROJECTION_SAMPLES ? &p->sample[i] : &p->node[i - PROJECTION_SAMPLES];
    const bool sample = i < PROJECTION_SAMPLES;
    s->at = RBV_TAKE(a, c->ndriven, double);
    s->q = RBV_TAKE(a, c->nbody, double);
    s->G = RBV_TAKE(a, sample ? c->nbody * c->ndriven : 0, double);
    s->body = RBV_TAKE(a, c->nbody, rbv_pose);
    s->A = RBV_TAKE(a, c->nrow * c->ndependent, double);
    s->beta = RBV_TAKE(a, c->ndependent, double);
  }
  p->target = RBV_TAKE(a, c->ndriven, double);
  RBV_TAKE_ALL(a, c->nbody, double, &p->bias, &p->dq);
  p->probe = RBV_TAKE(a, 4 * c->ndriven * LANES_MAX, double);
}

/* ---- poses ---- */

/* the scratch memory, with the parts that are kept in a stored pose */
static closure_work view(const projection *p, const stored *s) {
  closure_work w = p->work;
  w.q = s->q;
  w.pose = s->body;
  w.A = s->A;
  w.beta = s->beta;
  return w;
}

/* follow a path from joints' positions to s->at */
static bool reach(const projection *p, stored *s, const double *from) {
  closure_work w = view(p, s);
  memcpy(s->q, from, (size_t)p->closure->nbody * sizeof *from);
  return rbv_closure_follow(&w, p->closure, s->at, PATH_REGULAR, NULL);
}

static stored *find(stored *list, int count, int newest, const double *at, int n) {
  for (int k = 0; k < count; k++) {
    stored *s = &list[(newest + count - k) % count];
    if (s->used && memcmp(s->at, at, (size_t)n * sizeof *at) == 0) return s;
  }
  return NULL;
}

/* take the next place of a list for a pose */
static stored *take(stored *list, int count, int *next, const double *at, int n) {
  stored *s = &list[*next];
  *next = (*next + 1) % count;
  s->used = true;
  memcpy(s->at, at, (size_t)n * sizeof *at);
  return s;
}

/* the point of the lattice next to a pose, NULL: it is out of reach */
static const stored *lattice_point(projection *p, const double *q) {
  const model_closure *c = p->closure;
  const int n = c->ndriven;
  for (int k = 0; k < n; k++) {
    const int body = c->driven[k];
    const bool slides = c->geometry[body].type == RBV_JOINT_PRISMATIC;
    const double cell = LATTICE_CELL * (slides ? c->length : 1), zero = c->reference[body];
    p->target[k] = zero + cell * rint((q[k] - zero) / cell);
  }
  stored *s = find(p->node, PROJECTION_NODES, p->next_node, p->target, n);
  if (!s) {
    s = take(p->node, PROJECTION_NODES, &p->next_node, p->target, n);
    s->pose.closed = reach(p, s, c->reference);
  }
  return s->pose.closed ? s : NULL;
}

static stored *stored_pose(rbv_dynamics *d, const double *q, ptrdiff_t ld) {
  projection *p = d->projection;
  const model_closure *c = p->closure;
  double *at = p->dq;
  for (int k = 0; k < c->ndriven; k++) at[k] = q[k * ld];
  stored *s = find(p->sample, PROJECTION_SAMPLES, p->next_sample, at, c->ndriven);
  if (s) return s;
  s = take(p->sample, PROJECTION_SAMPLES, &p->next_sample, at, c->ndriven);
  bool finite = true;
  for (int k = 0; k < c->ndriven; k++) finite = finite && fabs(at[k]) < 1e6;
  const stored *from = finite ? lattice_point(p, s->at) : NULL;
  bool closed = from && reach(p, s, from->q);
  if (!closed && finite) closed = reach(p, s, c->reference);
  closure_work w = view(p, s);
  s->pose = (closure_pose){.q = s->q, .G = s->G, .residual = NAN};
  if (closed) {
    s->pose.residual = rbv_closure_residual(&w, c);
    s->pose.ratio = rbv_closure_factor(&w, c);
  }
  s->pose.closed = closed && rbv_closure_is_regular(s->pose.ratio);
  if (s->pose.closed) {
    rbv_closure_rates(s->G, &w, c);
    return s;
  }
  // finite positions for the kernel; the projection makes the results undefined
  memcpy(s->q, c->reference, (size_t)c->nbody * sizeof *s->q);
  for (int e = 0; e < c->nbody * c->ndriven; e++) s->G[e] = NAN;
  return s;
}

const closure_pose *rbv_projection_pose(rbv_dynamics *d, const double *q, ptrdiff_t ld) {
  return &stored_pose(d, q, ld)->pose;
}

/* ---- states of the bodies' joints ---- */

/* one sample, in lane k */
static void expand(rbv_dynamics *d, int width, int k, const double *q, const double *dq,
                   const double *ddq, ptrdiff_t ld) {
  projection *p = d->projection;
  const int nbody = d->model->nbody, n = d->model->njoint, size = nbody * width;
  double *const state = d->body_state;
  const stored *s = stored_pose(d, q, ld);
  for (int e = 0; e < nbody * n; e++) d->rates[e * width + k] = s->G[e];
  for (int i = 0; i < nbody; i++) {
    p->dq[i] = 0;
    for (int c = 0; c < n && dq && s->pose.closed; c++)
      p->dq[i] += s->G[i + c * nbody] * dq[c * ld];
  }
  memset(p->bias, 0, (size_t)nbody * sizeof *p->bias);
  closure_work w = view(p, s);
  if (dq && s->pose.closed) rbv_closure_bias(p->bias, &w, p->closure, p->dq);
  for (int i = 0; i < nbody; i++) {
    double x = p->bias[i];
    for (int c = 0; c < n && ddq && s->pose.closed; c++) x += s->G[i + c * nbody] * ddq[c * ld];
    state[i * width + k] = s->q[i];
    state[size + i * width + k] = p->dq[i];
    state[2 * size + i * width + k] = x;
  }
}

void rbv_projection_states(rbv_dynamics *d, int width, const double *q, const double *dq,
                           const double *ddq, ptrdiff_t ld) {
  for (int k = 0; k < width; k++)
    expand(d, width, k, q + k, dq ? dq + k : NULL, ddq ? ddq + k : NULL, ld);
}

bool rbv_dynamics_loops(rbv_loop_pose *out, double *body_q, double *body_dq, double *body_ddq,
                        rbv_dynamics *d, const double *q, const double *dq, const double *ddq) {
  const rbv_model *m = d->model;
  double *const to[3] = {body_q, body_dq, body_ddq};
  *out = (rbv_loop_pose){.closed = true, .condition = 1};
  if (d->projection) {
    const closure_pose *pose = rbv_projection_pose(d, q, 1);
    *out = (rbv_loop_pose){pose->closed, pose->residual, 1 / pose->ratio};
    rbv_projection_states(d, 1, q, dq, ddq, 1);
    for (int i = 0; i < 3; i++)
      if (to[i]) memcpy(to[i], d->body_state + i * m->nbody, (size_t)m->nbody * sizeof **to);
    return pose->closed;
  }
  const double *const from[3] = {q, dq, ddq};
  for (int i = 0; i < 3; i++)
    for (int b = 0; b < m->nbody && to[i]; b++) {
      to[i][b] = i == 0 && m->map ? m->map_offset[b] : 0;
      for (int c = 0; c < m->njoint && from[i]; c++)
        to[i][b] += (m->map ? m->map[b + c * m->nbody] : b == c) * from[i][c];
    }
  return true;
}

bool rbv_dynamics_loose(double *movement, rbv_dynamics *d, const double *q) {
  if (!d->projection) return false;
  const model_closure *c = d->projection->closure;
  const stored *s = stored_pose(d, q, 1);
  closure_work w = view(d->projection, s);
  if (!(s->pose.ratio > 0)) return false;
  double *const own = d->projection->bias;
  rbv_closure_loose(own, &w, c);
  memset(movement, 0, (size_t)c->nbody * sizeof *movement);
  for (int k = 0; k < c->ndependent; k++) movement[c->dependent[k]] = own[k];
  return true;
}

void rbv_dynamics_reach(double *q, rbv_dynamics *d, double share) {
  projection *p = d->projection;
  if (!p) return;
  const model_closure *c = p->closure;
  closure_work w = p->work;
  double reached, *const start = p->target;
  memcpy(w.q, c->reference, (size_t)c->nbody * sizeof *w.q);
  (void)rbv_closure_follow(&w, c, q, FAR_FROM_SINGULAR, &reached);
  for (int k = 0; k < c->ndriven; k++) start[k] = c->reference[c->driven[k]];
  for (int k = 0; k < c->ndriven; k++) q[k] = start[k] + share * reached * (q[k] - start[k]);
  // the way by the lattice can be another one
  for (int halving = 0; halving < 10 && !rbv_projection_pose(d, q, 1)->closed; halving++)
    for (int k = 0; k < c->ndriven; k++) {
      const double zero = c->reference[c->driven[k]];
      q[k] = zero + (q[k] - zero) / 2;
    }
}

/* ---- products with G ---- */

void rbv_projection_vector(double *to, ptrdiff_t ldto, const rbv_dynamics *d, const double *x,
                           int width) {
  const int nbody = d->model->nbody;
  for (int c = 0; c < d->model->njoint; c++) {
    for (int k = 0; k < width; k++) to[c * ldto + k] = 0;
    for (int i = 0; i < nbody; i++)
      for (int k = 0; k < width; k++)
        to[c * ldto + k] += d->rates[(i + c * nbody) * width + k] * x[i * width + k];
  }
}

void rbv_projection_matrix(double *to, ptrdiff_t ldto, const rbv_dynamics *d, const double *X,
                           int width) {
  const int n = d->model->njoint, nbody = d->model->nbody;
  double *product = d->body_tau;  // a column of X G
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < nbody; i++)
      for (int k = 0; k < width; k++) {
        double sum = 0;
        for (int j = 0; j < nbody; j++)
          sum += X[(i + j * nbody) * width + k] * d->rates[(j + c * nbody) * width + k];
        product[i * width + k] = sum;
      }
    rbv_projection_vector(to + c * n * ldto, ldto, d, product, width);
  }
}

void rbv_projection_block(double *to, ptrdiff_t ldw, const rbv_dynamics *d, int coordinate, int j,
                          int width) {
  for (int e = 0; e < RBV_INERTIAL; e++)
    for (int k = 0; k < width; k++) to[e * ldw + k] = 0;
  for (int at = d->tree.first[j]; at <= d->tree.first[j] + d->tree.depth[j]; at++) {
    const double *factor = d->rates + (d->path[at] + coordinate * d->model->nbody) * width;
    const double *from = d->body_W + d->body_entry[at] * width;
    for (int e = 0; e < RBV_INERTIAL; e++)
      for (int k = 0; k < width; k++) to[e * ldw + k] += factor[k] * from[e * width + k];
  }
}

void rbv_projection_add_bias(double *x, const rbv_dynamics *d, const double *M, int width) {
  const int nbody = d->model->nbody;
  const double *acceleration = d->body_state + 2 * nbody * width;
  for (int i = 0; i < nbody; i++)
    for (int j = 0; j < nbody; j++)
      for (int k = 0; k < width; k++)
        x[i * width + k] += M[(i + j * nbody) * width + k] * acceleration[j * width + k];
}

/* ---- friction of passive joints ---- */

void rbv_projection_speeds(double *out, rbv_dynamics *d, int passive, const drive_motion *at,
                           ptrdiff_t count) {
  const int nbody = d->model->nbody;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double *G = rbv_projection_pose(d, at->q + k, at->ld)->G + passive - 1;
    out[k] = 0;
    for (int c = 0; c < d->model->njoint; c++) out[k] += G[c * nbody] * at->dq[k + c * at->ld];
  }
}

void rbv_projection_factor(double *out, rbv_dynamics *d, int passive, int row,
                           const drive_motion *at, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count; k++)
    out[k] *= rbv_projection_pose(d, at->q + k, at->ld)->G[passive - 1 + row * d->model->nbody];
}

/* ---- derivatives ---- */

/* difference of inverse dynamics at x[which] of joint j moved by factor * h, added to `to` */
static void add_difference(double *to, ptrdiff_t ldto, rbv_dynamics *d, const rbv_kernel *kernel,
                           const double *link, const double *const x[3], ptrdiff_t ld, int which,
                           int j, double movement, double weight) {
  const int n = d->model->njoint, width = kernel->width;
  double *const moved = d->projection->probe, *const tau = moved + n * width;
  for (int c = 0; c < n; c++)
    for (int k = 0; k < width; k++)
      moved[c * width + k] = x[which][c * ld + k] + (c == j ? movement : 0);
  // the other two, at the same distance
  double *const rest[2] = {tau + n * width, tau + 2 * n * width};
  const double *at[3];
  for (int i = 0, r = 0; i < 3; i++) {
    at[i] = i == which ? moved : rest[r];
    for (int c = 0; c < n && i != which; c++)
      memcpy(rest[r] + c * width, x[i] + c * ld, (size_t)width * sizeof *moved);
    r += i != which;
  }
  rbv_rigid_inverse(tau, width, d, kernel, link, at[0], at[1], at[2], width);
  for (int c = 0; c < n; c++)
    for (int k = 0; k < width; k++) to[c * ldto + k] += weight * tau[c * width + k];
}

void rbv_projection_derivatives(double *const by[3], const ptrdiff_t ldby[3], rbv_dynamics *d,
                                const rbv_kernel *kernel, const double *link, const double *q,
                                const double *dq, const double *ddq, ptrdiff_t ld) {
  // by position of fourth order; torques are quadratic in the speeds: central differences are exact
  static const struct {
    int which;
    double at, weight;
  } part[] = {{0, -2, 1.0 / 12}, {0, -1, -2.0 / 3}, {0, 1, 2.0 / 3},
              {0, 2, -1.0 / 12}, {1, -1, -0.5},     {1, 1, 0.5}};
  const model_closure *c = d->projection->closure;
  const int n = c->ndriven, width = kernel->width;
  const double *const x[3] = {q, dq, ddq};
  for (int i = 0; i < 2; i++)
    for (int e = 0; e < n * n; e++) memset(by[i] + e * ldby[i], 0, (size_t)width * sizeof **by);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < RBV_COUNT(part); i++) {
      const int which = part[i].which;
      const bool slides = c->geometry[c->driven[j]].type == RBV_JOINT_PRISMATIC;
      const double h = which == 1 ? 1 : POSITION_STEP * (slides ? c->length : 1);
      add_difference(by[which] + j * n * ldby[which], ldby[which], d, kernel, link, x, ld, which, j,
                     part[i].at * h, part[i].weight / h);
    }
  rbv_rigid_mass(d->mass, d, kernel, link, q, ld);
  for (int e = 0; e < n * n; e++)
    memcpy(by[2] + e * ldby[2], d->mass + e * width, (size_t)width * sizeof **by);
}
