/* Pose and Jacobian of the tool as graphs. */
#include "export/graph_frames.h"
#include "export/recursion.h"

/* rotation and origin of each frame in the base */
static void place_in_base(graph *g, m3 *R, v3 *p, const frame *f, const rbv_model *m) {
  for (int j = 0; j < m->nbody; j++) {
    const int up = m->parent[j];
    v3 column[3];
    for (int k = 0; k < 3; k++) {
      v3 unit = v3_none;
      unit.x[k] = GRAPH_ONE;
      column[k] = frame_turn(g, &f[j], unit);
      if (up >= 0) column[k] = m3_times(g, &R[up], column[k]);
    }
    p[j] = up >= 0 ? v3_add(g, p[up], m3_times(g, &R[up], f[j].p)) : f[j].p;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) R[j].row[i].x[k] = column[k].x[i];
  }
}

/* the tool of a robot with one tip */
static rbv_status write_tool(node *pose, node *J, graph *g, const rbv_model *m) {
  const int n = m->nbody;
  frame *f = NULL;
  m3 *R = rbv_alloc((size_t)n * sizeof *R);
  v3 *p = rbv_alloc((size_t)n * sizeof *p);
  rbv_status status = R && p ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    place_in_base(g, R, p, f, m);
    const v3 tip = v3_add(g, p[n - 1], m3_times(g, &R[n - 1], v3_constant(g, m->tip)));
    for (int i = 0; i < 3 && pose; i++) {
      for (int k = 0; k < 3; k++) pose[i + 3 * k] = R[n - 1].row[i].x[k];
      pose[9 + i] = tip.x[i];
    }
    node row[6][MOVING_MAX];
    for (int j = 0; j < n && J; j++) {
      const v3 a = m3_times(g, &R[j], f[j].axis);
      const v3 arm = {
          {SUB(tip.x[0], p[j].x[0]), SUB(tip.x[1], p[j].x[1]), SUB(tip.x[2], p[j].x[2])}};
      const v3 linear = f[j].slides ? a : v3_cross(g, a, arm);
      for (int i = 0; i < 3; i++) {
        row[i][j] = linear.x[i];
        row[3 + i][j] = f[j].slides ? GRAPH_ZERO : a.x[i];
      }
    }
    for (int i = 0; i < 6 && J; i++) rbv_collapse(J + i, 6, g, m, row[i]);
  }
  RBV_FREE_ALL(R, p, f);
  if (status == RBV_OK && g->failed) status = RBV_EMEM;
  return status;
}

rbv_status rbv_write_tool_pose(node *pose, graph *g, const rbv_model *m) {
  return write_tool(pose, NULL, g, m);
}

rbv_status rbv_write_tool_jacobian(node *J, graph *g, const rbv_model *m) {
  return write_tool(NULL, J, g, m);
}
