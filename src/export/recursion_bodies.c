/* Mass matrix and momentum as graphs. */
#include "export/graph_frames.h"
#include "export/recursion.h"

/* ---- mass matrix: composite rigid bodies ---- */

typedef struct {
  node I[3][3];
  v3 h;
  node m;
} body;

static body body_of(graph *g, const rbv_model *m, const double *chi, int j) {
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  body b;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) b.I[i][k] = NUM(rbv_link_value(m, chi, j, at[i][k]));
    b.h.x[i] = NUM(rbv_link_value(m, chi, j, 6 + i));
  }
  b.m = NUM(rbv_link_value(m, chi, j, 9));
  return b;
}

static v3 inertia_times(graph *g, const body *b, v3 a) {
  const m3 I = {{{{b->I[0][0], b->I[0][1], b->I[0][2]}},
                 {{b->I[1][0], b->I[1][1], b->I[1][2]}},
                 {{b->I[2][0], b->I[2][1], b->I[2][2]}}}};
  return m3_times(g, &I, a);
}

/*
 * R I R' of a turn in the plane i, k:  t = s (I_ii - I_kk) + 2 c I_ik,
 * I_ii - s t, I_kk + s t, c t - I_ik
 */
static void turn_inertia_in_plane(graph *g, node I[3][3], const frame *f) {
  const int a = f->plane, i = (a + 1) % 3, k = (a + 2) % 3;
  const node s = f->s, c = f->c;
  const node t = ADD(MUL(s, SUB(I[i][i], I[k][k])), MUL(c, MUL(NUM(2), I[i][k])));
  const node st = MUL(s, t), ai = I[a][i], ak = I[a][k];
  I[i][i] = SUB(I[i][i], st);
  I[k][k] = ADD(I[k][k], st);
  I[i][k] = I[k][i] = SUB(MUL(c, t), I[i][k]);
  I[a][i] = I[i][a] = SUB(MUL(c, ai), MUL(s, ak));
  I[a][k] = I[k][a] = ADD(MUL(s, ai), MUL(c, ak));
}

/* the child's body seen from the parent frame, added to the parent's */
static body join(graph *g, const body *parent, const body *child, const frame *f) {
  body turned = *child, sum = *parent;
  if (f->plane >= 0) turn_inertia_in_plane(g, turned.I, f);
  // columns of R0 I R0', by symmetry its upper triangle
  v3 column[3];
  for (int k = 0; k < 3; k++) {
    const v3 row = f->R0.row[k];
    column[k] = m3_times(g, &f->R0, inertia_times(g, &turned, row));
  }
  const v3 h = frame_turn(g, f, child->h), p = f->p, hm = v3_add(g, h, v3_scale(g, p, child->m));
  const node trace = ADD(v3_dot(g, p, h), v3_dot(g, p, hm));
  for (int i = 0; i < 3; i++)
    for (int k = i; k < 3; k++) {
      node x = column[k].x[i];
      x = SUB(x, ADD(MUL(p.x[i], h.x[k]), MUL(hm.x[i], p.x[k])));
      if (i == k) x = ADD(x, trace);
      sum.I[i][k] = sum.I[k][i] = ADD(parent->I[i][k], x);
    }
  sum.h = v3_add(g, parent->h, hm);
  sum.m = ADD(parent->m, child->m);
  return sum;
}

/* M of the bodies' joints; composite: nbody, what each of them carries */
static void composite_bodies(node *M, body *composite, graph *g, const rbv_model *m,
                             const double *chi, const frame *f) {
  const int n = m->nbody;
  bool carries[MOVING_MAX] = {false};
  for (int i = 0; i < n * n; i++) M[i] = GRAPH_ZERO;
  for (int j = n - 1; j >= 0; j--) {
    if (!carries[j]) composite[j] = body_of(g, m, chi, j);
    const body *b = &composite[j];
    const v3 a = f[j].axis;
    v3 force = f[j].slides ? v3_scale(g, a, b->m) : v3_cross(g, a, b->h);
    v3 moment = f[j].slides ? v3_cross(g, b->h, a) : inertia_times(g, b, a);
    M[j + j * n] = v3_dot(g, a, f[j].slides ? force : moment);
    for (int from = j, i = m->parent[j]; i >= 0; from = i, i = m->parent[i]) {
      force = frame_turn(g, &f[from], force);
      moment = v3_add(g, frame_turn(g, &f[from], moment), v3_cross(g, f[from].p, force));
      M[i + j * n] = M[j + i * n] = v3_dot(g, f[i].axis, f[i].slides ? force : moment);
    }
    const int parent = m->parent[j];
    if (parent < 0) continue;
    if (!carries[parent]) composite[parent] = body_of(g, m, chi, parent);
    composite[parent] = join(g, &composite[parent], b, &f[j]);
    carries[parent] = true;
  }
}

/* K' M K */
static void collapse_mass(node *M, graph *g, const rbv_model *m, node *own) {
  const int n = m->njoint, nbody = m->nbody;
  node row[MOVING_MAX], sum[MOVING_MAX];
  for (int i = 0; i < nbody; i++) {
    for (int k = 0; k < nbody; k++) row[k] = own[i + k * nbody];
    rbv_collapse(sum, 1, g, m, row);
    for (int c = 0; c < n; c++) own[i + c * nbody] = sum[c];
  }
  for (int c = 0; c < n; c++) rbv_collapse(M + c * n, 1, g, m, own + c * nbody);
}

static void add_rotors(node *M, graph *g, const rbv_model *m, const double *chi) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (!law_is_of(term->law, RBV_LAW_ACCELERATION) || chi[term->column] == 0) continue;
    for (int k = term->first; k < term->first + term->count; k++) {
      node *at = &M[term->joint + m->direction_joint[k] * m->njoint];
      *at = ADD(*at, NUM(chi[term->column] * term->gain * m->direction_weight[k]));
    }
  }
}

rbv_status rbv_write_mass(node *M, graph *g, const rbv_model *m, const double *chi) {
  const size_t n = (size_t)m->nbody;
  frame *f = NULL;
  body *composite = rbv_alloc(n * sizeof *composite);
  node *own = rbv_alloc(n * n * sizeof *own);
  const rbv_status status = composite && own ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    composite_bodies(own, composite, g, m, chi, f);
    collapse_mass(M, g, m, own);
    add_rotors(M, g, m, chi);
  }
  RBV_FREE_ALL(composite, own, f);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}

/* ---- momentum ---- */

/* of a frame, in its axes and at its origin */
typedef struct {
  v3 N, F;           // momentum of what it carries
  v3 moment, force;  // that hold this against gravity
} carried;

typedef struct {
  v3 w, v, up;  // velocities, and the acceleration that holds against gravity
  carried own;  // of its body
} momentum;

static void velocities(momentum *at, graph *g, const rbv_model *m, const frame *f) {
  momentum base = {.w = v3_none, .v = v3_none};
  for (int i = 0; i < 3; i++) base.up.x[i] = NUM(-m->gravity[i]);
  for (int j = 0; j < m->nbody; j++) {
    const momentum *p = m->parent[j] < 0 ? &base : &at[m->parent[j]];
    momentum *now = &at[j];
    *now = (momentum){.own = {v3_none, v3_none, v3_none, v3_none}};
    const node dq = rbv_body_motion(g, m, j, NODE_DQ);
    now->v = frame_turn_back(g, &f[j], v3_add(g, p->v, v3_cross(g, p->w, f[j].p)));
    now->w = frame_turn_back(g, &f[j], p->w);
    now->up = frame_turn_back(g, &f[j], p->up);
    if (f[j].slides)
      now->v = v3_add(g, now->v, v3_scale(g, f[j].axis, dq));
    else
      now->w = v3_add(g, now->w, v3_scale(g, f[j].axis, dq));
  }
}

static carried add_carried(graph *g, const carried *a, const carried *b) {
  return (carried){v3_add(g, a->N, b->N), v3_add(g, a->F, b->F), v3_add(g, a->moment, b->moment),
                   v3_add(g, a->force, b->force)};
}

static carried turn_carried(graph *g, const carried *c, const frame *f) {
  carried t;
  t.F = frame_turn(g, f, c->F);
  t.N = v3_add(g, frame_turn(g, f, c->N), v3_cross(g, f->p, t.F));
  t.force = frame_turn(g, f, c->force);
  t.moment = v3_add(g, frame_turn(g, f, c->moment), v3_cross(g, f->p, t.force));
  return t;
}

/*
 * With the velocity V = (w, v) of a frame and the momentum H = (N, F) of all that it carries: p =
 * S' H, and dT/dq = (V x S)' H, since V x S is the derivative of V by the joint's position.
 *
 *   out  njoint p, then njoint b, at these distances
 */
static void project_momentum(node *out, int step, graph *g, const rbv_model *m, const frame *f,
                             const momentum *at) {
  carried behind[MOVING_MAX];
  node p[MOVING_MAX], b[MOVING_MAX];
  for (int j = 0; j < m->nbody; j++) behind[j] = (carried){v3_none, v3_none, v3_none, v3_none};
  for (int j = m->nbody - 1; j >= 0; j--) {
    const v3 a = f[j].axis, wa = v3_cross(g, at[j].w, a);
    const carried c = add_carried(g, &behind[j], &at[j].own);
    p[j] = v3_dot(g, a, f[j].slides ? c.F : c.N);
    const node slope = f[j].slides
                           ? v3_dot(g, wa, c.F)
                           : ADD(v3_dot(g, wa, c.N), v3_dot(g, v3_cross(g, at[j].v, a), c.F));
    b[j] = SUB(slope, v3_dot(g, a, f[j].slides ? c.force : c.moment));
    if (m->parent[j] < 0) continue;
    carried *to = &behind[m->parent[j]];
    const carried turned = turn_carried(g, &c, &f[j]);
    *to = m->branched ? add_carried(g, to, &turned) : turned;
  }
  rbv_collapse(out, step, g, m, p);
  rbv_collapse(out + step * m->njoint, step, g, m, b);
}

static void add_links_momentum(momentum *at, graph *g, const rbv_model *m, const double *chi) {
  for (int j = 0; j < m->nbody; j++) {
    const body b = body_of(g, m, chi, j);
    const momentum *c = &at[j];
    carried *own = &at[j].own;
    own->N = v3_add(g, inertia_times(g, &b, c->w), v3_cross(g, b.h, c->v));
    own->F = v3_add(g, v3_scale(g, c->v, b.m), v3_cross(g, c->w, b.h));
    own->moment = v3_cross(g, b.h, c->up);
    own->force = v3_scale(g, c->up, b.m);
  }
}

static void add_rotor_momentum(node *out, graph *g, const rbv_model *m, const double *chi) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (!law_is_of(term->law, RBV_LAW_ACCELERATION) || chi[term->column] == 0) continue;
    for (int k = term->first; k < term->first + term->count; k++)
      out[term->joint] =
          ADD(out[term->joint], MUL(NUM(chi[term->column] * term->gain * m->direction_weight[k]),
                                    rbv_graph_variable(g, NODE_DQ, m->direction_joint[k])));
  }
}

/* a body at the last link with the point c, where k is the mass at c (3) or its first moment about
 * c along an axis: of a body whose mass is all near c */
static void add_point(momentum *at, graph *g, int k) {
  carried *own = &at->own;
  v3 c, unit = v3_none;
  for (int i = 0; i < 3; i++) c.x[i] = rbv_graph_variable(g, NODE_POINT, i);
  const v3 v = v3_add(g, at->v, v3_cross(g, at->w, c));
  if (k < 3) unit.x[k] = GRAPH_ONE;
  own->F = k < 3 ? v3_cross(g, at->w, unit) : v;
  own->N = v3_cross(g, c, own->F);
  if (k < 3) own->N = v3_add(g, own->N, v3_cross(g, unit, v));
  own->force = k < 3 ? v3_none : at->up;
  own->moment = v3_cross(g, k < 3 ? unit : c, at->up);
}

rbv_status rbv_write_momentum(node *out, graph *g, const rbv_model *m, const double *chi) {
  frame *f = NULL;
  momentum *at = rbv_alloc((size_t)m->nbody * sizeof *at);
  const rbv_status status = at ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    velocities(at, g, m, f);
    add_links_momentum(at, g, m, chi);
    project_momentum(out, 1, g, m, f, at);
    add_rotor_momentum(out, g, m, chi);
  }
  RBV_FREE_ALL(at, f);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}

rbv_status rbv_write_payload_momentum(node *out, graph *g, const rbv_model *m) {
  frame *f = NULL;
  momentum *at = rbv_alloc((size_t)m->nbody * sizeof *at);
  const rbv_status status = at ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    velocities(at, g, m, f);
    for (int k = 0; k < 4; k++) {
      add_point(&at[m->tip_body[0]], g, k);
      project_momentum(out + k, 4, g, m, f, at);
    }
  }
  RBV_FREE_ALL(at, f);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}
