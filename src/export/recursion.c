#include "export/recursion.h"

#include <string.h>

#include "export/graph_frames.h"

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
  twist t = {.w = v3_none, .dw = v3_none};
  for (int i = 0; i < 3; i++) t.acc.x[i] = NUM(-gravity[i]);
  finish(g, &t);
  return t;
}

static twist move(graph *g, const twist *parent, const frame *f, node dq, node ddq) {
  twist t = {.w = frame_turn_back(g, f, parent->w), .dw = frame_turn_back(g, f, parent->dw)};
  t.acc = frame_turn_back(g, f, v3_add(g, parent->acc, m3_times(g, &parent->F, f->p)));
  const v3 coriolis = v3_cross(g, t.w, f->axis), push = v3_scale(g, f->axis, ddq);
  if (f->slides) {
    t.acc = v3_add(g, t.acc, v3_add(g, push, v3_scale(g, coriolis, MUL(NUM(2), dq))));
  } else {
    t.dw = v3_add(g, t.dw, v3_add(g, push, v3_scale(g, coriolis, dq)));
    t.w = v3_add(g, t.w, v3_scale(g, f->axis, dq));
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

/* position, speed or acceleration along the direction of a term; at: of its only joint, NULL: the
 * inputs */
static node term_motion(graph *g, const rbv_model *m, const drive_term *t, const node *at) {
  static const node_kind kinds[] = {NODE_Q, NODE_DQ, NODE_DDQ};
  const int order = law_derivative(t->law);
  node v = GRAPH_ZERO;
  for (int i = t->first; i < t->first + t->count; i++) {
    const node x = at ? at[order] : rbv_graph_variable(g, kinds[order], m->direction_joint[i]);
    v = ADD(v, MUL(NUM(m->direction_weight[i]), x));
  }
  return v;
}

/* gain * law of a drive term, or its formula */
static node drive_node(graph *g, const rbv_model *m, const drive_term *t, const node *load,
                       const node *at) {
  if (!t->law) return expression_node(g, &m->expression[t->expression], &(arguments){.law = false});
  const node gain = NUM(t->gain);
  if (t->law->motion == RBV_LAW_CONSTANT) return gain;
  const node v = term_motion(g, m, t, at);
  return MUL(gain, t->law->linear ? v : law_node(g, t, rbv_law_compile, v, load));
}

/* ---- inverse dynamics ---- */

typedef struct {
  v3 force, moment;  // about the frame's origin
} link_load;

/* force and moment for the motion of the link */
static void wrench(graph *g, v3 *force, v3 *moment, const twist *t, const double link[10]) {
  const v3 h = v3_constant(g, link + 6);
  v3 B[6];
  moment_columns(g, B, t);
  *force = v3_add(g, m3_times(g, &t->F, h), v3_scale(g, t->acc, NUM(link[9])));
  *moment = v3_cross(g, h, t->acc);
  for (int c = 0; c < 6; c++) *moment = v3_add(g, *moment, v3_scale(g, B[c], NUM(link[c])));
}

/* what every body carries: that of the bodies behind it, and its own load */
static void project_back(graph *g, node *tau, const frame *frame_of, const link_load *load,
                         link_load *carried, const rbv_model *m) {
  for (int j = 0; j < m->nbody; j++) carried[j] = (link_load){v3_none, v3_none};
  for (int j = m->nbody - 1; j >= 0; j--) {
    const frame *f = &frame_of[j];
    v3 force = v3_add(g, carried[j].force, load[j].force);
    v3 moment = v3_add(g, carried[j].moment, load[j].moment);
    tau[j] = v3_dot(g, f->axis, f->slides ? force : moment);
    if (m->parent[j] < 0) continue;
    link_load *to = &carried[m->parent[j]];
    force = frame_turn(g, f, force);
    moment = v3_add(g, frame_turn(g, f, moment), v3_cross(g, f->p, force));
    *to = m->branched ? (link_load){v3_add(g, to->force, force), v3_add(g, to->moment, moment)}
                      : (link_load){force, moment};
  }
}

/* rigid bodies; moves: with velocity and acceleration */
static rbv_status newton_euler(node *tau, graph *g, const rbv_model *m, const double *chi,
                               bool moves) {
  const size_t n = (size_t)m->nbody;
  frame *f = NULL;
  link_load *load = rbv_alloc(2 * n * sizeof *load);
  twist *t = rbv_alloc(n * sizeof *t);
  node *body = rbv_alloc(n * sizeof *body);
  rbv_status status = load && t && body ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    const twist base = base_motion(g, m->gravity);
    for (int j = 0; j < m->nbody; j++) {
      const node dq = moves ? rbv_body_motion(g, m, j, NODE_DQ) : GRAPH_ZERO;
      const node ddq = moves ? rbv_body_motion(g, m, j, NODE_DDQ) : GRAPH_ZERO;
      t[j] = move(g, m->parent[j] < 0 ? &base : &t[m->parent[j]], &f[j], dq, ddq);
      double link[RBV_INERTIAL];
      for (int c = 0; c < RBV_INERTIAL; c++) link[c] = rbv_link_value(m, chi, j, c);
      wrench(g, &load[j].force, &load[j].moment, &t[j], link);
    }
    project_back(g, body, f, load, load + n, m);
    rbv_collapse(tau, 1, g, m, body);
  }
  RBV_FREE_ALL(load, t, body, f);
  return status;
}

static void add_drives(node *tau, graph *g, const rbv_model *m, const double *chi, const node *load,
                       bool friction_only) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (chi[term->column] == 0 || (friction_only && !rbv_is_friction(&m->column[term->column])))
      continue;
    tau[term->joint] =
        ADD(tau[term->joint], MUL(NUM(chi[term->column]), drive_node(g, m, term, load, NULL)));
  }
}

rbv_status rbv_write_links(node *tau, graph *g, const rbv_model *m, const double *chi) {
  return newton_euler(tau, g, m, chi, true);
}

node rbv_write_drive(graph *g, const rbv_model *m, const double *chi, int joint,
                     const node motion[3]) {
  node tau = GRAPH_ZERO;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->joint != joint || chi[term->column] == 0 || !term->law || term->law->spring) continue;
    tau = ADD(tau, MUL(NUM(chi[term->column]), drive_node(g, m, term, NULL, motion)));
  }
  return tau;
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
    const node v = term_motion(g, m, term, NULL);
    next[term->state] = law_node(g, term, rbv_law_compile_step, v, NULL);
  }
  return g->failed ? RBV_EMEM : RBV_OK;
}

/* ---- regressor ---- */

typedef struct {
  v3 angular, linear;
} screw;

/* column c of a link in the row of a screw with angular part z and linear part v */
static node project(graph *g, const v3 B[6], const twist *t, v3 z, v3 v, int c) {
  if (c < 6) return v3_dot(g, z, B[c]);
  if (c == 9) return v3_dot(g, v, t->acc);
  const v3 h = v3_cross(g, t->acc, z);
  const v3 column = {{t->F.row[0].x[c - 6], t->F.row[1].x[c - 6], t->F.row[2].x[c - 6]}};
  return ADD(v3_dot(g, column, v), h.x[c - 6]);
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

static void add_link(const regressor *r, const twist *t, const screw *way, node *row, int j) {
  graph *g = r->g;
  v3 B[6];
  moment_columns(g, B, t);
  for (int k = 0; k < r->count; k++) {
    const rbv_column *c = &r->m->column[r->column[k]];
    const int link = c->joint == r->m->nbody ? r->m->carrier : c->joint;
    if (c->basis != RBV_BASIS_INERTIAL || link != j) continue;
    for (int i = 0; i < r->m->nbody; i++)
      row[i] = set_has(&r->m->support[j], i)
                   ? project(g, B, t, way[i].angular, way[i].linear, c->component)
                   : GRAPH_ZERO;
    rbv_collapse(row + r->m->nbody, 1, g, r->m, row);
    for (int i = 0; i < r->m->njoint; i++) set_entry(r, i, k, row[r->m->nbody + i], RBV_SIDE_LINK);
  }
}

/* way: nbody x nbody, the joints on the way to each body in its frame */
static void add_links(const regressor *r, const frame *f, twist *t, screw *way, node *row) {
  graph *g = r->g;
  const rbv_model *m = r->m;
  const twist base = base_motion(g, m->gravity);
  for (int j = 0; j < m->nbody; j++) {
    const int parent = m->parent[j];
    const screw *before = way + (ptrdiff_t)parent * m->nbody;
    screw *now = way + (ptrdiff_t)j * m->nbody;
    t[j] = move(g, parent < 0 ? &base : &t[parent], &f[j], rbv_body_motion(g, m, j, NODE_DQ),
                rbv_body_motion(g, m, j, NODE_DDQ));
    for (int i = 0; i < j; i++) {
      if (!set_has(&m->support[j], i)) continue;
      const v3 z = before[i].angular;
      now[i].linear =
          frame_turn_back(g, &f[j], v3_add(g, before[i].linear, v3_cross(g, z, f[j].p)));
      now[i].angular = frame_turn_back(g, &f[j], z);
    }
    now[j] = f[j].slides ? (screw){v3_none, f[j].axis} : (screw){f[j].axis, v3_none};
    add_link(r, &t[j], now, row, j);
  }
}

static void add_drive_columns(const regressor *r, const node *load) {
  const rbv_model *m = r->m;
  for (int k = 0; k < r->count; k++)
    for (int t = 0; t < m->nterm; t++)
      if (m->term[t].column == r->column[k])
        set_entry(r, m->term[t].joint, k, drive_node(r->g, m, &m->term[t], load, NULL),
                  m->column[r->column[k]].side);
}

rbv_status rbv_write_regressor(node *W, graph *g, const rbv_model *m, const double *chi,
                               const int *column, int count) {
  for (int i = 0; i < m->nrow * count; i++) W[i] = -1;
  const size_t n = (size_t)m->nbody;
  frame *f = NULL;
  screw *way = rbv_alloc(n * n * sizeof *way);
  twist *t = rbv_alloc(n * sizeof *t);
  node *row = rbv_alloc(2 * n * sizeof *row), *load = NULL;
  rbv_status status = way && t && row ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) status = write_load(&load, g, m, chi);
  const regressor r = {W, g, m, column, count};
  if (status == RBV_OK) {
    add_links(&r, f, t, way, row);
    add_drive_columns(&r, load);
  }
  RBV_FREE_ALL(load, way, t, row, f);
  if (status == RBV_OK && g->failed) status = RBV_EMEM;
  return status;
}
