#include "export/recursion.h"

#include <math.h>
#include <string.h>

#include "model/geometry.h"

/* ---- vectors of nodes ---- */

typedef struct {
  node x[3];
} v3;

typedef struct {
  v3 row[3];
} m3;

#define ADD(a, b) rbv_graph_add(g, a, b)
#define SUB(a, b) rbv_graph_subtract(g, a, b)
#define MUL(a, b) rbv_graph_multiply(g, a, b)
#define NUM(x) rbv_graph_number(g, x)

static const v3 none = {{GRAPH_ZERO, GRAPH_ZERO, GRAPH_ZERO}};

static v3 constant(graph *g, const double a[3]) { return (v3){{NUM(a[0]), NUM(a[1]), NUM(a[2])}}; }

static v3 add(graph *g, v3 a, v3 b) {
  return (v3){{ADD(a.x[0], b.x[0]), ADD(a.x[1], b.x[1]), ADD(a.x[2], b.x[2])}};
}

static v3 scale(graph *g, v3 a, node s) {
  return (v3){{MUL(s, a.x[0]), MUL(s, a.x[1]), MUL(s, a.x[2])}};
}

static node dot(graph *g, v3 a, v3 b) {
  return ADD(ADD(MUL(a.x[0], b.x[0]), MUL(a.x[1], b.x[1])), MUL(a.x[2], b.x[2]));
}

static v3 cross(graph *g, v3 a, v3 b) {
  return (v3){{SUB(MUL(a.x[1], b.x[2]), MUL(a.x[2], b.x[1])),
               SUB(MUL(a.x[2], b.x[0]), MUL(a.x[0], b.x[2])),
               SUB(MUL(a.x[0], b.x[1]), MUL(a.x[1], b.x[0]))}};
}

static v3 times(graph *g, const m3 *R, v3 a) {
  return (v3){{dot(g, R->row[0], a), dot(g, R->row[1], a), dot(g, R->row[2], a)}};
}

static m3 transposed(const m3 *R) {
  m3 T;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) T.row[i].x[j] = R->row[j].x[i];
  return T;
}

static v3 times_back(graph *g, const m3 *R, v3 a) {
  const m3 T = transposed(R);
  return times(g, &T, a);
}

/* ---- frames ---- */

/*
 * x_parent = R0 Rot(axis, angle) x + p. A rotation about a coordinate axis is computed in its
 * plane, then the constant R0 is applied, which often only exchanges axes. For any other axis R0 is
 * the whole rotation.
 */
typedef struct {
  int plane;  // the axis: 0, 1, 2; -1: the rotation is in R0
  node s, c;  // signed
  m3 R0;
  v3 p, axis;
  bool slides;
} frame;

/* the coordinate axis along which a joint lies, -1: none; its sign */
static int coordinate_axis(double *sign, const double axis[3]) {
  for (int k = 0; k < 3; k++)
    if (fabs(axis[k]) == 1 && axis[(k + 1) % 3] == 0 && axis[(k + 2) % 3] == 0) {
      *sign = axis[k];
      return k;
    }
  return -1;
}

/* sine and cosine of q + offset; quarter turns of the offset only exchange them */
static void angle(node *s, node *c, graph *g, int joint, double offset) {
  const node q = rbv_graph_variable(g, NODE_Q, joint);
  double so, co, exact = offset;
  rbv_exact_sincos(&so, &co, &exact, false);
  if (g->angles || offset == 0 || so == 0 || co == 0) {
    const node sq =
        g->angles ? rbv_graph_variable(g, NODE_SINE, joint) : rbv_graph_call(g, "sin", q, 0);
    const node cq =
        g->angles ? rbv_graph_variable(g, NODE_COSINE, joint) : rbv_graph_call(g, "cos", q, 0);
    *s = ADD(MUL(NUM(co), sq), MUL(NUM(so), cq));
    *c = SUB(MUL(NUM(co), cq), MUL(NUM(so), sq));
    return;
  }
  const node x = ADD(q, NUM(offset));
  *s = rbv_graph_call(g, "sin", x, 0);
  *c = rbv_graph_call(g, "cos", x, 0);
}

static frame place(graph *g, const joint_geometry *j, int index) {
  const node q = rbv_graph_variable(g, NODE_Q, index);
  frame f = {.plane = -1, .slides = j->type == RBV_JOINT_PRISMATIC, .axis = constant(g, j->axis)};
  f.p = constant(g, j->origin);
  if (f.slides) {
    for (int i = 0; i < 3; i++) f.R0.row[i] = constant(g, j->fixed + 3 * i);
    f.p = add(g, f.p, scale(g, constant(g, j->slide), ADD(q, NUM(j->offset))));
    return f;
  }
  angle(&f.s, &f.c, g, index, j->offset);
  double sign = 1;
  if (!g->plain) f.plane = coordinate_axis(&sign, j->axis);
  if (sign < 0) f.s = rbv_graph_negate(g, f.s);
  for (int i = 0; i < 9; i++) {
    node *to = &f.R0.row[i / 3].x[i % 3];
    if (f.plane >= 0)
      *to = NUM(j->fixed[i] + j->cosine[i]);
    else
      *to = ADD(ADD(NUM(j->fixed[i]), MUL(NUM(j->cosine[i]), f.c)), MUL(NUM(j->sine[i]), f.s));
  }
  return f;
}

static rbv_status place_all(frame **out, graph *g, const rbv_model *m) {
  *out = rbv_alloc((size_t)m->njoint * sizeof **out);
  if (!*out) return RBV_EMEM;
  for (int j = 0; j < m->njoint; j++) (*out)[j] = place(g, &m->geometry[j], j);
  return RBV_OK;
}

/* v in the joint's frame, seen in the parent's axes */
static v3 turn(graph *g, const frame *f, v3 v) {
  if (f->plane >= 0) {
    const int i = (f->plane + 1) % 3, k = (f->plane + 2) % 3;
    const node a = SUB(MUL(f->c, v.x[i]), MUL(f->s, v.x[k]));
    const node b = ADD(MUL(f->s, v.x[i]), MUL(f->c, v.x[k]));
    v.x[i] = a;
    v.x[k] = b;
  }
  return times(g, &f->R0, v);
}

static v3 turn_back(graph *g, const frame *f, v3 v) {
  v = times_back(g, &f->R0, v);
  if (f->plane < 0) return v;
  const int i = (f->plane + 1) % 3, k = (f->plane + 2) % 3;
  const node a = ADD(MUL(f->c, v.x[i]), MUL(f->s, v.x[k]));
  const node b = SUB(MUL(f->c, v.x[k]), MUL(f->s, v.x[i]));
  v.x[i] = a;
  v.x[k] = b;
  return v;
}

/* ---- motion of a frame ---- */

typedef struct {
  v3 w, dw, acc;
  node xx, yy, zz, xy, xz, yz;  // products of w
  m3 F;                         // [dw]x + [w]x [w]x
} twist;

static void finish(graph *g, twist *t) {
  const node *w = t->w.x, *d = t->dw.x;
  t->xx = MUL(w[0], w[0]);
  t->yy = MUL(w[1], w[1]);
  t->zz = MUL(w[2], w[2]);
  t->xy = MUL(w[0], w[1]);
  t->xz = MUL(w[0], w[2]);
  t->yz = MUL(w[1], w[2]);
  t->F = (m3){{{{rbv_graph_negate(g, ADD(t->yy, t->zz)), SUB(t->xy, d[2]), ADD(t->xz, d[1])}},
               {{ADD(t->xy, d[2]), rbv_graph_negate(g, ADD(t->xx, t->zz)), SUB(t->yz, d[0])}},
               {{SUB(t->xz, d[1]), ADD(t->yz, d[0]), rbv_graph_negate(g, ADD(t->xx, t->yy))}}}};
}

static twist base_motion(graph *g, const double gravity[3]) {
  twist t = {.w = none, .dw = none};
  for (int i = 0; i < 3; i++) t.acc.x[i] = NUM(-gravity[i]);
  finish(g, &t);
  return t;
}

static twist move(graph *g, const twist *parent, const frame *f, node dq, node ddq) {
  twist t = {.w = turn_back(g, f, parent->w), .dw = turn_back(g, f, parent->dw)};
  t.acc = turn_back(g, f, add(g, parent->acc, times(g, &parent->F, f->p)));
  const v3 coriolis = cross(g, t.w, f->axis), push = scale(g, f->axis, ddq);
  if (f->slides) {
    t.acc = add(g, t.acc, add(g, push, scale(g, coriolis, MUL(NUM(2), dq))));
  } else {
    t.dw = add(g, t.dw, add(g, push, scale(g, coriolis, dq)));
    t.w = add(g, t.w, scale(g, f->axis, dq));
  }
  finish(g, &t);
  return t;
}

/* moments of unit inertias XX XY XZ YY YZ ZZ: L(dw) + w x L(w) */
static void moment_columns(graph *g, v3 B[6], const twist *t) {
  const node *d = t->dw.x;
  const m3 *F = &t->F;
  const node zx = F->row[2].x[0], zy = F->row[2].x[1], yx = F->row[1].x[0], xz = F->row[0].x[2],
             yz = F->row[1].x[2], xy = F->row[0].x[1];
  B[0] = (v3){{d[0], t->xz, rbv_graph_negate(g, t->xy)}};
  B[1] = (v3){{rbv_graph_negate(g, zx), zy, SUB(t->xx, t->yy)}};
  B[2] = (v3){{yx, SUB(t->zz, t->xx), rbv_graph_negate(g, yz)}};
  B[3] = (v3){{rbv_graph_negate(g, t->yz), d[1], t->xy}};
  B[4] = (v3){{SUB(t->yy, t->zz), rbv_graph_negate(g, xy), xz}};
  B[5] = (v3){{t->yz, rbv_graph_negate(g, t->xz), d[2]}};
}

/* ---- parameters ---- */

static double link_value(const rbv_model *m, const double *chi, int j, int c) {
  double x = chi[m->link_column[j] + c];
  if (j == m->njoint - 1 && m->payload) x += chi[m->link_column[m->njoint] + c];
  return x;
}

/* ---- drives ---- */

/* what the motion variables of a program are: those of the robot, or the arguments of a law */
typedef struct {
  bool law;
  node motion, sign, load, state;
} arguments;

/* the variables of a law: see rbv_law_compile */
static node law_variable(graph *g, const arguments *x, const char *name, int joint) {
  const node dq[] = {x->motion, x->sign, x->load, x->state};
  if (strcmp(name, "dq") == 0) return dq[joint];
  const bool time = strcmp(name, "q") == 0 && joint == 0;
  return time ? rbv_graph_variable(g, NODE_TIME, 0) : x->motion;
}

static node variable_node(graph *g, const arguments *x, const char *name, int joint) {
  if (x->law) return law_variable(g, x, name, joint);
  const node_kind kind = strcmp(name, "q") == 0    ? NODE_Q
                         : strcmp(name, "dq") == 0 ? NODE_DQ
                                                   : NODE_DDQ;
  return rbv_graph_variable(g, kind, joint);
}

static node expression_node(graph *g, const expression *e, const arguments *x) {
  node slot[EXPRESSION_REGISTERS] = {0};
  for (int i = 0; i < e->count; i++) {
    const instruction *s = &e->code[i];
    int arity;
    const char *name = rbv_instruction_name(&arity, s);
    const node a = arity > 0 ? slot[s->a] : 0, b = arity > 1 ? slot[s->b] : 0;
    node *to = &slot[s->to];
    if (strcmp(name, "constant") == 0)
      *to = NUM(s->value);
    else if (arity == 0)
      *to = variable_node(g, x, name, s->a);
    else if (strcmp(name, "+") == 0)
      *to = ADD(a, b);
    else if (strcmp(name, "-") == 0)
      *to = SUB(a, b);
    else if (strcmp(name, "*") == 0)
      *to = MUL(a, b);
    else if (strcmp(name, "neg") == 0)
      *to = rbv_graph_negate(g, a);
    else
      *to = rbv_graph_call(g, name, a, b);
  }
  return slot[e->result];
}

/* sign of the speed, smoothed as rbv_law_sign does */
static node sign_node(graph *g, node v, rbv_smoothing how) {
  if (how.gamma > 0)
    return MUL(NUM(2 / RBV_PI), rbv_graph_call(g, "atan", MUL(NUM(how.gamma), v), 0));
  if (how.speed > 0) {
    const node x = MUL(NUM(1 / how.speed), v);
    return rbv_graph_call(g, "/", x, rbv_graph_call(g, "sqrt", ADD(NUM(1), MUL(x, x)), 0));
  }
  return rbv_graph_call(g, "sign", v, 0);
}

typedef rbv_status compile_law(expression *out, const rbv_law *law, const double *shape);

/* a formula of the law of a term; load: NULL: no law needs it */
static node law_node(graph *g, const drive_term *t, compile_law *compile, node motion,
                     const node *load) {
  expression e = {0};
  if (compile(&e, t->law, t->shape) != RBV_OK) {
    g->failed = true;
    return 0;
  }
  const arguments x = {
      .law = true,
      .motion = motion,
      .sign = t->law->steps ? sign_node(g, motion, t->smoothing) : GRAPH_ZERO,
      .load = load ? load[t->joint] : GRAPH_ZERO,
      .state = t->state >= 0 ? rbv_graph_variable(g, NODE_STATE, t->state) : GRAPH_ZERO};
  const node value = expression_node(g, &e, &x);
  rbv_expression_free(&e);
  return value;
}

/* position, speed or acceleration along the direction of a term */
static node term_motion(graph *g, const rbv_model *m, const drive_term *t) {
  static const node_kind kinds[] = {NODE_Q, NODE_DQ, NODE_DDQ};
  const node_kind kind = kinds[law_derivative(t->law)];
  node v = GRAPH_ZERO;
  for (int i = t->first; i < t->first + t->count; i++)
    v = ADD(v,
            MUL(NUM(m->direction_weight[i]), rbv_graph_variable(g, kind, m->direction_joint[i])));
  return v;
}

/* gain * law of a drive term, or its formula */
static node drive_node(graph *g, const rbv_model *m, const drive_term *t, const node *load) {
  if (!t->law) return expression_node(g, &m->expression[t->expression], &(arguments){.law = false});
  const node gain = NUM(t->gain);
  if (t->law->motion == RBV_LAW_CONSTANT) return gain;
  const node v = term_motion(g, m, t);
  return MUL(gain, t->law->linear ? v : law_node(g, t, rbv_law_compile, v, load));
}

/* ---- inverse dynamics ---- */

/* force and moment about the frame's origin for the motion of the link */
static void wrench(graph *g, v3 *force, v3 *moment, const twist *t, const double link[10]) {
  const v3 h = constant(g, link + 6);
  v3 B[6];
  moment_columns(g, B, t);
  *force = add(g, times(g, &t->F, h), scale(g, t->acc, NUM(link[9])));
  *moment = cross(g, h, t->acc);
  for (int c = 0; c < 6; c++) *moment = add(g, *moment, scale(g, B[c], NUM(link[c])));
}

static void project_back(graph *g, node *tau, const frame *frame_of, const v3 *load, int n) {
  v3 force = none, moment = none;
  for (int j = n - 1; j >= 0; j--) {
    const frame *f = &frame_of[j];
    force = add(g, force, load[2 * j]);
    moment = add(g, moment, load[2 * j + 1]);
    tau[j] = dot(g, f->axis, f->slides ? force : moment);
    if (j == 0) break;
    force = turn(g, f, force);
    moment = add(g, turn(g, f, moment), cross(g, f->p, force));
  }
}

/* rigid bodies; moves: with velocity and acceleration */
static rbv_status newton_euler(node *tau, graph *g, const rbv_model *m, const double *chi,
                               bool moves) {
  const int n = m->njoint;
  frame *f = NULL;
  v3 *load = rbv_alloc(2 * (size_t)n * sizeof *load);
  rbv_status status = load ? place_all(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    twist t = base_motion(g, m->gravity);
    for (int j = 0; j < n; j++) {
      const node dq = moves ? rbv_graph_variable(g, NODE_DQ, j) : GRAPH_ZERO;
      const node ddq = moves ? rbv_graph_variable(g, NODE_DDQ, j) : GRAPH_ZERO;
      t = move(g, &t, &f[j], dq, ddq);
      double link[RBV_INERTIAL];
      for (int c = 0; c < RBV_INERTIAL; c++) link[c] = link_value(m, chi, j, c);
      wrench(g, &load[2 * j], &load[2 * j + 1], &t, link);
    }
    project_back(g, tau, f, load, n);
  }
  rbv_free(load);
  rbv_free(f);
  return status;
}

static void add_drives(node *tau, graph *g, const rbv_model *m, const double *chi, const node *load,
                       bool friction_only) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (chi[term->column] == 0 || (friction_only && !rbv_is_friction(&m->column[term->column])))
      continue;
    tau[term->joint] =
        ADD(tau[term->joint], MUL(NUM(chi[term->column]), drive_node(g, m, term, load)));
  }
}

bool rbv_export_has_load(const rbv_model *m, const double *chi) {
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].law && m->term[t].law->uses_torque && chi[m->term[t].column] != 0) return true;
  return false;
}

bool rbv_export_has_position(const rbv_model *m, const double *chi) {
  for (int t = 0; t < m->nterm; t++)
    if (law_is_of(m->term[t].law, RBV_LAW_POSITION) && chi[m->term[t].column] != 0) return true;
  return false;
}

/* torque of the links, which is the load of the gears; NULL: no law needs it */
static rbv_status write_load(node **load, graph *g, const rbv_model *m, const double *chi) {
  *load = NULL;
  if (!m->uses_torque) return RBV_OK;
  *load = rbv_alloc((size_t)m->njoint * sizeof **load);
  return *load ? newton_euler(*load, g, m, chi, true) : RBV_EMEM;
}

rbv_status rbv_write_inverse(node *tau, graph *g, const rbv_model *m, const double *chi) {
  node *load = NULL;
  rbv_status status = newton_euler(tau, g, m, chi, true);
  if (status == RBV_OK) status = write_load(&load, g, m, chi);
  if (status == RBV_OK) add_drives(tau, g, m, chi, load, false);
  rbv_free(load);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}

rbv_status rbv_write_gravity(node *tau, graph *g, const rbv_model *m, const double *chi) {
  RBV_TRY(newton_euler(tau, g, m, chi, false));
  return g->failed ? RBV_EMEM : RBV_OK;
}

rbv_status rbv_write_friction(node *tau, graph *g, const rbv_model *m, const double *chi) {
  node *load;
  rbv_status status = write_load(&load, g, m, chi);
  for (int j = 0; j < m->njoint; j++) tau[j] = GRAPH_ZERO;
  if (status == RBV_OK) add_drives(tau, g, m, chi, load, true);
  rbv_free(load);
  return status == RBV_OK && g->failed ? RBV_EMEM : status;
}

rbv_status rbv_write_step(node *next, graph *g, const rbv_model *m) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->state < 0) continue;
    const node v = term_motion(g, m, term);
    next[term->state] = law_node(g, term, rbv_law_compile_step, v, NULL);
  }
  return g->failed ? RBV_EMEM : RBV_OK;
}

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
    for (int k = 0; k < 3; k++) b.I[i][k] = NUM(link_value(m, chi, j, at[i][k]));
    b.h.x[i] = NUM(link_value(m, chi, j, 6 + i));
  }
  b.m = NUM(link_value(m, chi, j, 9));
  return b;
}

static v3 inertia_times(graph *g, const body *b, v3 a) {
  const m3 I = {{{{b->I[0][0], b->I[0][1], b->I[0][2]}},
                 {{b->I[1][0], b->I[1][1], b->I[1][2]}},
                 {{b->I[2][0], b->I[2][1], b->I[2][2]}}}};
  return times(g, &I, a);
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
    column[k] = times(g, &f->R0, inertia_times(g, &turned, row));
  }
  const v3 h = turn(g, f, child->h), p = f->p, hm = add(g, h, scale(g, p, child->m));
  const node trace = ADD(dot(g, p, h), dot(g, p, hm));
  for (int i = 0; i < 3; i++)
    for (int k = i; k < 3; k++) {
      node x = column[k].x[i];
      x = SUB(x, ADD(MUL(p.x[i], h.x[k]), MUL(hm.x[i], p.x[k])));
      if (i == k) x = ADD(x, trace);
      sum.I[i][k] = sum.I[k][i] = ADD(parent->I[i][k], x);
    }
  sum.h = add(g, parent->h, hm);
  sum.m = ADD(parent->m, child->m);
  return sum;
}

static void composite_bodies(node *M, graph *g, const rbv_model *m, const double *chi,
                             const frame *f) {
  const int n = m->njoint;
  body composite = body_of(g, m, chi, n - 1);
  for (int j = n - 1; j >= 0; j--) {
    const v3 a = f[j].axis;
    v3 force = f[j].slides ? scale(g, a, composite.m) : cross(g, a, composite.h);
    v3 moment = f[j].slides ? cross(g, composite.h, a) : inertia_times(g, &composite, a);
    M[j + j * n] = dot(g, a, f[j].slides ? force : moment);
    for (int i = j - 1; i >= 0; i--) {
      force = turn(g, &f[i + 1], force);
      moment = add(g, turn(g, &f[i + 1], moment), cross(g, f[i + 1].p, force));
      M[i + j * n] = M[j + i * n] = dot(g, f[i].axis, f[i].slides ? force : moment);
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
  RBV_TRY(place_all(&f, g, m));
  composite_bodies(M, g, m, chi, f);
  add_rotors(M, g, m, chi);
  rbv_free(f);
  return g->failed ? RBV_EMEM : RBV_OK;
}

/* ---- regressor ---- */

/* column c of a link in the row of a screw with angular part z and linear part v */
static node project(graph *g, const v3 B[6], const twist *t, v3 z, v3 v, int c) {
  if (c < 6) return dot(g, z, B[c]);
  if (c == 9) return dot(g, v, t->acc);
  const v3 h = cross(g, t->acc, z);
  const v3 column = {{t->F.row[0].x[c - 6], t->F.row[1].x[c - 6], t->F.row[2].x[c - 6]}};
  return ADD(dot(g, column, v), h.x[c - 6]);
}

typedef struct {
  node *W;
  graph *g;
  const rbv_model *m;
  const int *column;
  int count;
} regressor;

/* set an entry in every channel that includes this side */
static void set_entry(const regressor *r, int joint, int k, node x, rbv_side side) {
  const rbv_model *m = r->m;
  for (int row = joint; row < m->nrow; row += m->njoint)
    if (x != GRAPH_ZERO && side_acts(side, m->row[row].torque)) r->W[row + k * m->nrow] = x;
}

static void add_link(const regressor *r, const twist *t, const v3 *screw, int j) {
  graph *g = r->g;
  v3 B[6];
  moment_columns(g, B, t);
  for (int k = 0; k < r->count; k++) {
    const rbv_column *c = &r->m->column[r->column[k]];
    const int link = c->joint == r->m->njoint ? r->m->njoint - 1 : c->joint;
    if (c->basis != RBV_BASIS_INERTIAL || link != j) continue;
    for (int i = 0; i <= j; i++)
      set_entry(r, i, k, project(g, B, t, screw[2 * i], screw[2 * i + 1], c->component),
                RBV_SIDE_LINK);
  }
}

static void add_links(const regressor *r, const frame *f, v3 *screw) {
  graph *g = r->g;
  twist t = base_motion(g, r->m->gravity);
  for (int j = 0; j < r->m->njoint; j++) {
    t = move(g, &t, &f[j], rbv_graph_variable(g, NODE_DQ, j), rbv_graph_variable(g, NODE_DDQ, j));
    for (int i = 0; i < j; i++) {
      v3 *z = &screw[2 * i], *v = z + 1;
      *v = turn_back(g, &f[j], add(g, *v, cross(g, *z, f[j].p)));
      *z = turn_back(g, &f[j], *z);
    }
    screw[2 * j] = f[j].slides ? none : f[j].axis;
    screw[2 * j + 1] = f[j].slides ? f[j].axis : none;
    add_link(r, &t, screw, j);
  }
}

static void add_drive_columns(const regressor *r, const node *load) {
  const rbv_model *m = r->m;
  for (int k = 0; k < r->count; k++)
    for (int t = 0; t < m->nterm; t++)
      if (m->term[t].column == r->column[k])
        set_entry(r, m->term[t].joint, k, drive_node(r->g, m, &m->term[t], load),
                  m->column[r->column[k]].side);
}

rbv_status rbv_write_regressor(node *W, graph *g, const rbv_model *m, const double *chi,
                               const int *column, int count) {
  for (int i = 0; i < m->nrow * count; i++) W[i] = -1;
  frame *f = NULL;
  v3 *screw = rbv_alloc(2 * (size_t)m->njoint * sizeof *screw);
  node *load = NULL;
  rbv_status status = screw ? place_all(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) status = write_load(&load, g, m, chi);
  const regressor r = {W, g, m, column, count};
  if (status == RBV_OK) {
    add_links(&r, f, screw);
    add_drive_columns(&r, load);
  }
  rbv_free(load);
  rbv_free(screw);
  rbv_free(f);
  if (status == RBV_OK && g->failed) status = RBV_EMEM;
  return status;
}

/* ---- momentum ---- */

/* of a frame, in its axes and at its origin */
typedef struct {
  v3 w, v, up;       // velocities, and the acceleration that holds against gravity
  v3 N, F;           // momentum of what it carries
  v3 moment, force;  // that hold this against gravity
} carried;

static void velocities(carried *at, graph *g, const rbv_model *m, const frame *f) {
  v3 w = none, v = none, up;
  for (int i = 0; i < 3; i++) up.x[i] = NUM(-m->gravity[i]);
  for (int j = 0; j < m->njoint; j++) {
    const node dq = rbv_graph_variable(g, NODE_DQ, j);
    v = turn_back(g, &f[j], add(g, v, cross(g, w, f[j].p)));
    w = turn_back(g, &f[j], w);
    up = turn_back(g, &f[j], up);
    if (f[j].slides)
      v = add(g, v, scale(g, f[j].axis, dq));
    else
      w = add(g, w, scale(g, f[j].axis, dq));
    at[j] = (carried){w, v, up, none, none, none, none};
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
  v3 N = none, F = none, moment = none, force = none;
  for (int j = n - 1; j >= 0; j--) {
    const v3 a = f[j].axis, wa = cross(g, at[j].w, a);
    N = add(g, N, at[j].N);
    F = add(g, F, at[j].F);
    moment = add(g, moment, at[j].moment);
    force = add(g, force, at[j].force);
    out[step * j] = dot(g, a, f[j].slides ? F : N);
    const node slope =
        f[j].slides ? dot(g, wa, F) : ADD(dot(g, wa, N), dot(g, cross(g, at[j].v, a), F));
    out[step * (n + j)] = SUB(slope, dot(g, a, f[j].slides ? force : moment));
    if (j == 0) break;
    F = turn(g, &f[j], F);
    N = add(g, turn(g, &f[j], N), cross(g, f[j].p, F));
    force = turn(g, &f[j], force);
    moment = add(g, turn(g, &f[j], moment), cross(g, f[j].p, force));
  }
}

static void add_links_momentum(carried *at, graph *g, const rbv_model *m, const double *chi) {
  for (int j = 0; j < m->njoint; j++) {
    const body b = body_of(g, m, chi, j);
    carried *c = &at[j];
    c->N = add(g, inertia_times(g, &b, c->w), cross(g, b.h, c->v));
    c->F = add(g, scale(g, c->v, b.m), cross(g, c->w, b.h));
    c->moment = cross(g, b.h, c->up);
    c->force = scale(g, c->up, b.m);
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
  v3 c, unit = none;
  for (int i = 0; i < 3; i++) c.x[i] = rbv_graph_variable(g, NODE_POINT, i);
  const v3 v = add(g, at->v, cross(g, at->w, c));
  if (k < 3) unit.x[k] = GRAPH_ONE;
  at->F = k < 3 ? cross(g, at->w, unit) : v;
  at->N = cross(g, c, at->F);
  if (k < 3) at->N = add(g, at->N, cross(g, unit, v));
  at->force = k < 3 ? none : at->up;
  at->moment = cross(g, k < 3 ? unit : c, at->up);
}

rbv_status rbv_write_momentum(node *out, graph *g, const rbv_model *m, const double *chi) {
  frame *f = NULL;
  carried *at = rbv_alloc((size_t)m->njoint * sizeof *at);
  const rbv_status status = at ? place_all(&f, g, m) : RBV_EMEM;
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
  const rbv_status status = at ? place_all(&f, g, m) : RBV_EMEM;
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

/* ---- the tool ---- */

/* rotation and origin of each frame in the base */
static void place_in_base(graph *g, m3 *R, v3 *p, const frame *f, int n) {
  for (int j = 0; j < n; j++) {
    v3 column[3];
    for (int k = 0; k < 3; k++) {
      v3 unit = none;
      unit.x[k] = GRAPH_ONE;
      column[k] = turn(g, &f[j], unit);
      if (j > 0) column[k] = times(g, &R[j - 1], column[k]);
    }
    p[j] = j > 0 ? add(g, p[j - 1], times(g, &R[j - 1], f[j].p)) : f[j].p;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) R[j].row[i].x[k] = column[k].x[i];
  }
}

static rbv_status write_tool(node *pose, node *J, graph *g, const rbv_model *m) {
  const int n = m->njoint;
  frame *f = NULL;
  m3 *R = rbv_alloc((size_t)n * sizeof *R);
  v3 *p = rbv_alloc((size_t)n * sizeof *p);
  rbv_status status = R && p ? place_all(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    place_in_base(g, R, p, f, n);
    const v3 tip = add(g, p[n - 1], times(g, &R[n - 1], constant(g, m->tip)));
    for (int i = 0; i < 3 && pose; i++) {
      for (int k = 0; k < 3; k++) pose[i + 3 * k] = R[n - 1].row[i].x[k];
      pose[9 + i] = tip.x[i];
    }
    for (int j = 0; j < n && J; j++) {
      const v3 a = times(g, &R[j], f[j].axis);
      const v3 arm = {
          {SUB(tip.x[0], p[j].x[0]), SUB(tip.x[1], p[j].x[1]), SUB(tip.x[2], p[j].x[2])}};
      const v3 linear = f[j].slides ? a : cross(g, a, arm);
      for (int i = 0; i < 3; i++) {
        J[6 * j + i] = linear.x[i];
        J[6 * j + 3 + i] = f[j].slides ? GRAPH_ZERO : a.x[i];
      }
    }
  }
  rbv_free(R);
  rbv_free(p);
  rbv_free(f);
  if (status == RBV_OK && g->failed) status = RBV_EMEM;
  return status;
}

rbv_status rbv_write_tool_pose(node *pose, graph *g, const rbv_model *m) {
  return write_tool(pose, NULL, g, m);
}

rbv_status rbv_write_tool_jacobian(node *J, graph *g, const rbv_model *m) {
  return write_tool(NULL, J, g, m);
}
