/*
 * Vectors and frames of nodes: a tree of joints at positions that are inputs of the graph, with
 * the robot's numbers as constants.
 */
#ifndef EXPORT_GRAPH_FRAMES_H
#define EXPORT_GRAPH_FRAMES_H

#include "export/graph.h"
#include "model/model_internal.h"

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

static const v3 v3_none = {{GRAPH_ZERO, GRAPH_ZERO, GRAPH_ZERO}};

static inline v3 v3_constant(graph *g, const double a[3]) {
  return (v3){{NUM(a[0]), NUM(a[1]), NUM(a[2])}};
}

static inline v3 v3_add(graph *g, v3 a, v3 b) {
  return (v3){{ADD(a.x[0], b.x[0]), ADD(a.x[1], b.x[1]), ADD(a.x[2], b.x[2])}};
}

static inline v3 v3_scale(graph *g, v3 a, node s) {
  return (v3){{MUL(s, a.x[0]), MUL(s, a.x[1]), MUL(s, a.x[2])}};
}

static inline node v3_dot(graph *g, v3 a, v3 b) {
  return ADD(ADD(MUL(a.x[0], b.x[0]), MUL(a.x[1], b.x[1])), MUL(a.x[2], b.x[2]));
}

static inline v3 v3_cross(graph *g, v3 a, v3 b) {
  return (v3){{SUB(MUL(a.x[1], b.x[2]), MUL(a.x[2], b.x[1])),
               SUB(MUL(a.x[2], b.x[0]), MUL(a.x[0], b.x[2])),
               SUB(MUL(a.x[0], b.x[1]), MUL(a.x[1], b.x[0]))}};
}

static inline v3 m3_times(graph *g, const m3 *R, v3 a) {
  return (v3){{v3_dot(g, R->row[0], a), v3_dot(g, R->row[1], a), v3_dot(g, R->row[2], a)}};
}

static inline m3 m3_transposed(const m3 *R) {
  m3 T;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) T.row[i].x[j] = R->row[j].x[i];
  return T;
}

static inline v3 m3_times_back(graph *g, const m3 *R, v3 a) {
  const m3 T = m3_transposed(R);
  return m3_times(g, &T, a);
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

/* Position, velocity or acceleration of the joint of a body, without the constant of its map. */
node rbv_body_motion(graph *g, const rbv_model *m, int body, node_kind kind);

/* out = K' body, njoint outputs at this distance from nbody values. */
void rbv_collapse(node *out, int step, graph *g, const rbv_model *m, const node *body);

/* Frames of the joints of all bodies; the caller frees them. */
RBV_MUST_CHECK rbv_status rbv_frames_new(frame **out, graph *g, const rbv_model *m);

/* v in the joint's frame, seen in the parent's axes */
static inline v3 frame_turn(graph *g, const frame *f, v3 v) {
  if (f->plane >= 0) {
    const int i = (f->plane + 1) % 3, k = (f->plane + 2) % 3;
    const node a = SUB(MUL(f->c, v.x[i]), MUL(f->s, v.x[k]));
    const node b = ADD(MUL(f->s, v.x[i]), MUL(f->c, v.x[k]));
    v.x[i] = a;
    v.x[k] = b;
  }
  return m3_times(g, &f->R0, v);
}

static inline v3 frame_turn_back(graph *g, const frame *f, v3 v) {
  v = m3_times_back(g, &f->R0, v);
  if (f->plane < 0) return v;
  const int i = (f->plane + 1) % 3, k = (f->plane + 2) % 3;
  const node a = ADD(MUL(f->c, v.x[i]), MUL(f->s, v.x[k]));
  const node b = SUB(MUL(f->c, v.x[k]), MUL(f->s, v.x[i]));
  v.x[i] = a;
  v.x[k] = b;
  return v;
}

/* Parameter c of link j, with the payload at the last one. */
double rbv_link_value(const rbv_model *m, const double *chi, int j, int c);

#endif
