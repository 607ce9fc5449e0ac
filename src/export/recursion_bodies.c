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

static void composite_bodies(node *M, graph *g, const rbv_model *m, const double *chi,
                             const frame *f) {
  const int n = m->njoint;
  body composite = body_of(g, m, chi, n - 1);
  for (int j = n - 1; j >= 0; j--) {
    const v3 a = f[j].axis;
    v3 force = f[j].slides ? v3_scale(g, a, composite.m) : v3_cross(g, a, composite.h);
    v3 moment = f[j].slides ? v3_cross(g, composite.h, a) : inertia_times(g, &composite, a);
    M[j + j * n] = v3_dot(g, a, f[j].slides ? force : moment);
    for (int i = j - 1; i >= 0; i--) {
      force = frame_turn(g, &f[i + 1], force);
      moment = v3_add(g, frame_turn(g, &f[i + 1], moment), v3_cross(g, f[i + 1].p, force));
      M[i + j * n] = M[j + i * n] = v3_dot(g, f[i].axis, f[i].slides ? force : moment);
    }
    if (j == 0) break;
    const body parent = body_of(g, m, chi, j - 1);
    composite = join(g, &parent, &composite, &f[j]);
  }
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
  frame *f;
  RBV_TRY(rbv_frames_new(&f, g, m));
  composite_bodies(M, g, m, chi, f);
  add_rotors(M, g, m, chi);
  rbv_free(f);
  return g->failed ? RBV_EMEM : RBV_OK;
}

/* ---- momentum ---- */

/* of a frame, in its axes and at its origin */
typedef struct {
  v3 w, v, up;       // velocities, and the acceleration that holds against gravity
  v3 N, F;           // momentum of what it carries
  v3 moment, force;  // that hold this against gravity
} carried;

static void velocities(carried *at, graph *g, const rbv_model *m, const frame *f) {
  v3 w = v3_none, v = v3_none, up;
  for (int i = 0; i < 3; i++) up.x[i] = NUM(-m->gravity[i]);
  for (int j = 0; j < m->njoint; j++) {
    const node dq = rbv_graph_variable(g, NODE_DQ, j);
    v = frame_turn_back(g, &f[j], v3_add(g, v, v3_cross(g, w, f[j].p)));
    w = frame_turn_back(g, &f[j], w);
    up = frame_turn_back(g, &f[j], up);
    if (f[j].slides)
      v = v3_add(g, v, v3_scale(g, f[j].axis, dq));
    else
      w = v3_add(g, w, v3_scale(g, f[j].axis, dq));
    at[j] = (carried){w, v, up, v3_none, v3_none, v3_none, v3_none};
  }
}

/*
 * With the velocity V = (w, v) of a frame and the momentum H = (N, F) of all that it carries: p =
 * S' H, and dT/dq = (V x S)' H, since V x S is the derivative of V by the joint's position.
 *
 *   out  njoint p, then njoint b, at these distances
 */
static void project_momentum(node *out, int step, graph *g, const frame *f, const carried *at,
                             int n) {
  v3 N = v3_none, F = v3_none, moment = v3_none, force = v3_none;
  for (int j = n - 1; j >= 0; j--) {
    const v3 a = f[j].axis, wa = v3_cross(g, at[j].w, a);
    N = v3_add(g, N, at[j].N);
    F = v3_add(g, F, at[j].F);
    moment = v3_add(g, moment, at[j].moment);
    force = v3_add(g, force, at[j].force);
    out[step * j] = v3_dot(g, a, f[j].slides ? F : N);
    const node slope = f[j].slides ? v3_dot(g, wa, F)
                                   : ADD(v3_dot(g, wa, N), v3_dot(g, v3_cross(g, at[j].v, a), F));
    out[step * (n + j)] = SUB(slope, v3_dot(g, a, f[j].slides ? force : moment));
    if (j == 0) break;
    F = frame_turn(g, &f[j], F);
    N = v3_add(g, frame_turn(g, &f[j], N), v3_cross(g, f[j].p, F));
    force = frame_turn(g, &f[j], force);
    moment = v3_add(g, frame_turn(g, &f[j], moment), v3_cross(g, f[j].p, force));
  }
}

static void add_links_momentum(carried *at, graph *g, const rbv_model *m, const double *chi) {
  for (int j = 0; j < m->njoint; j++) {
    const body b = body_of(g, m, chi, j);
    carried *c = &at[j];
    c->N = v3_add(g, inertia_times(g, &b, c->w), v3_cross(g, b.h, c->v));
    c->F = v3_add(g, v3_scale(g, c->v, b.m), v3_cross(g, c->w, b.h));
    c->moment = v3_cross(g, b.h, c->up);
    c->force = v3_scale(g, c->up, b.m);
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
static void add_point(carried *at, graph *g, int k) {
  v3 c, unit = v3_none;
  for (int i = 0; i < 3; i++) c.x[i] = rbv_graph_variable(g, NODE_POINT, i);
  const v3 v = v3_add(g, at->v, v3_cross(g, at->w, c));
  if (k < 3) unit.x[k] = GRAPH_ONE;
  at->F = k < 3 ? v3_cross(g, at->w, unit) : v;
  at->N = v3_cross(g, c, at->F);
  if (k < 3) at->N = v3_add(g, at->N, v3_cross(g, unit, v));
  at->force = k < 3 ? v3_none : at->up;
  at->moment = v3_cross(g, k < 3 ? unit : c, at->up);
}

rbv_status rbv_write_momentum(node *out, graph *g, const rbv_model *m, const double *chi) {
  frame *f = NULL;
  carried *at = rbv_alloc((size_t)m->njoint * sizeof *at);
  const rbv_status status = at ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    velocities(at, g, m, f);
    add_links_momentum(at, g, m, chi);
    project_momentum(out, 1, g, f, at, m->njoint);
    add_rotor_momentum(out, g, m, chi);
  }
  rbv_free(at);
  rbv_free(f);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}

rbv_status rbv_write_payload_momentum(node *out, graph *g, const rbv_model *m) {
  frame *f = NULL;
  carried *at = rbv_alloc((size_t)m->njoint * sizeof *at);
  const rbv_status status = at ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    velocities(at, g, m, f);
    for (int k = 0; k < 4; k++) {
      add_point(&at[m->njoint - 1], g, k);
      project_momentum(out + k, 4, g, f, at, m->njoint);
    }
  }
  rbv_free(at);
  rbv_free(f);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}
