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
  frame f = {
      .plane = -1, .slides = j->type == RBV_JOINT_PRISMATIC, .axis = v3_constant(g, j->axis)};
  f.p = v3_constant(g, j->origin);
  if (f.slides) {
    for (int i = 0; i < 3; i++) f.R0.row[i] = v3_constant(g, j->fixed + 3 * i);
    f.p = v3_add(g, f.p, v3_scale(g, v3_constant(g, j->slide), ADD(q, NUM(j->offset))));
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

rbv_status rbv_frames_new(frame **out, graph *g, const rbv_model *m) {
  *out = rbv_alloc((size_t)m->njoint * sizeof **out);
  if (!*out) return RBV_EMEM;
  for (int j = 0; j < m->njoint; j++) (*out)[j] = place(g, &m->geometry[j], j);
  return RBV_OK;
}

double rbv_link_value(const rbv_model *m, const double *chi, int j, int c) {
  double x = chi[m->link_column[j] + c];
  if (j == m->njoint - 1 && m->payload) x += chi[m->link_column[m->njoint] + c];
  return x;
}
