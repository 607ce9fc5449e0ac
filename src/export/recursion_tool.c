/* Pose and Jacobian of the tool as graphs. */
#include "export/graph_frames.h"
#include "export/recursion.h"

/* rotation and origin of each frame in the base */
static void place_in_base(graph *g, m3 *R, v3 *p, const frame *f, int n) {
  for (int j = 0; j < n; j++) {
    v3 column[3];
    for (int k = 0; k < 3; k++) {
      v3 unit = v3_none;
      unit.x[k] = GRAPH_ONE;
      column[k] = frame_turn(g, &f[j], unit);
      if (j > 0) column[k] = m3_times(g, &R[j - 1], column[k]);
    }
    p[j] = j > 0 ? v3_add(g, p[j - 1], m3_times(g, &R[j - 1], f[j].p)) : f[j].p;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) R[j].row[i].x[k] = column[k].x[i];
  }
}

static rbv_status write_tool(node *pose, node *J, graph *g, const rbv_model *m) {
  const int n = m->njoint;
  frame *f = NULL;
  m3 *R = rbv_alloc((size_t)n * sizeof *R);
  v3 *p = rbv_alloc((size_t)n * sizeof *p);
  rbv_status status = R && p ? rbv_frames_new(&f, g, m) : RBV_EMEM;
  if (status == RBV_OK) {
    place_in_base(g, R, p, f, n);
    const v3 tip = v3_add(g, p[n - 1], m3_times(g, &R[n - 1], v3_constant(g, m->tip)));
    for (int i = 0; i < 3 && pose; i++) {
      for (int k = 0; k < 3; k++) pose[i + 3 * k] = R[n - 1].row[i].x[k];
      pose[9 + i] = tip.x[i];
    }
    for (int j = 0; j < n && J; j++) {
      const v3 a = m3_times(g, &R[j], f[j].axis);
      const v3 arm = {
          {SUB(tip.x[0], p[j].x[0]), SUB(tip.x[1], p[j].x[1]), SUB(tip.x[2], p[j].x[2])}};
      const v3 linear = f[j].slides ? a : v3_cross(g, a, arm);
      for (int i = 0; i < 3; i++) {
        J[6 * j + i] = linear.x[i];
        J[6 * j + 3 + i] = f[j].slides ? GRAPH_ZERO : a.x[i];
      }
    }
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
