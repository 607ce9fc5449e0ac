#include "export/graph_frames.h"

#include <math.h>

#include "model/geometry.h"

/* the coordinate axis along which a joint lies, -1: none; its sign */
static int coordinate_axis(double *sign, const double axis[3]) {
  for (int k = 0; k < 3; k++)
    if (fabs(axis[k]) == 1 && axis[(k + 1) % 3] == 0 && axis[(k + 2) % 3] == 0) {
      *sign = axis[k];
      return k;
    }
  return -1;
}

node rbv_body_motion(graph *g, const rbv_model *m, int body, node_kind kind) {
  if (!m->map) return rbv_graph_variable(g, kind, body);
  node x = GRAPH_ZERO;
  for (int c = 0; c < m->njoint; c++) {
    const double factor = m->map[body + c * m->nbody];
    if (factor != 0) x = ADD(x, MUL(NUM(factor), rbv_graph_variable(g, kind, c)));
  }
  return x;
}

/* sine and cosine of q + offset; quarter turns of the offset only exchange them. joint: q as an
 * input, -1: q is an expression */
static void angle(node *s, node *c, graph *g, int joint, node q, double offset) {
  double so, co, exact = offset;
  rbv_exact_sincos(&so, &co, &exact, false);
  const bool inputs = g->angles && joint >= 0;
  if (inputs || offset == 0 || so == 0 || co == 0) {
    const node sq =
        inputs ? rbv_graph_variable(g, NODE_SINE, joint) : rbv_graph_call(g, "sin", q, 0);
    const node cq =
        inputs ? rbv_graph_variable(g, NODE_COSINE, joint) : rbv_graph_call(g, "cos", q, 0);
    *s = ADD(MUL(NUM(co), sq), MUL(NUM(so), cq));
    *c = SUB(MUL(NUM(co), cq), MUL(NUM(so), sq));
    return;
  }
  const node x = ADD(q, NUM(offset));
  *s = rbv_graph_call(g, "sin", x, 0);
  *c = rbv_graph_call(g, "cos", x, 0);
}

static frame place(graph *g, const rbv_model *m, int body) {
  const joint_geometry *j = &m->geometry[body];
  const node q = rbv_body_motion(g, m, body, NODE_Q);
  const double offset = j->offset + (m->map_offset ? m->map_offset[body] : 0);
  frame f = {
      .plane = -1, .slides = j->type == RBV_JOINT_PRISMATIC, .axis = v3_constant(g, j->axis)};
  f.p = v3_constant(g, j->origin);
  if (f.slides) {
    for (int i = 0; i < 3; i++) f.R0.row[i] = v3_constant(g, j->fixed + 3 * i);
    f.p = v3_add(g, f.p, v3_scale(g, v3_constant(g, j->slide), ADD(q, NUM(offset))));
    return f;
  }
  angle(&f.s, &f.c, g, m->coordinate[body], q, offset);
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

rbv_status rbv_frames_new(frame **out, graph *g, const rbv_model *m) {
  *out = rbv_alloc((size_t)m->nbody * sizeof **out);
  if (!*out) return RBV_EMEM;
  for (int j = 0; j < m->nbody; j++) (*out)[j] = place(g, m, j);
  return RBV_OK;
}

void rbv_collapse(node *out, int step, graph *g, const rbv_model *m, const node *body) {
  for (int c = 0; c < m->njoint; c++) {
    if (!m->map) {
      out[step * c] = body[c];
      continue;
    }
    node sum = GRAPH_ZERO;
    for (int i = 0; i < m->nbody; i++) {
      const double factor = m->map[i + c * m->nbody];
      if (factor != 0) sum = ADD(sum, MUL(NUM(factor), body[i]));
    }
    out[step * c] = sum;
  }
}

double rbv_link_value(const rbv_model *m, const double *chi, int j, int c) {
  double x = m->link_column[j] < 0 ? 0 : chi[m->link_column[j] + c];
  if (j == m->nbody - 1 && m->payload) x += chi[m->link_column[m->nbody] + c];
  return x;
}
