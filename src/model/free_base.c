/*
 * A base that moves, as six joints of five bodies without mass: slides along x, y and z of the
 * world, then turns about z, y and x (yaw, pitch, roll). Their positions are the pose of the base
 * in the world, R = Rz(yaw) Ry(pitch) Rx(roll); their rows are the wrench on the base. At a pitch
 * of a quarter turn yaw and roll have the same axis.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "model/robot_tree.h"

static const struct {
  const char *name;
  tree_motion motion;
  double axis[3];
} coordinate[RBV_BASE_COORDINATES] = {
    {"base_x", TREE_PRISMATIC, {1, 0, 0}},    {"base_y", TREE_PRISMATIC, {0, 1, 0}},
    {"base_z", TREE_PRISMATIC, {0, 0, 1}},    {"base_yaw", TREE_REVOLUTE, {0, 0, 1}},
    {"base_pitch", TREE_REVOLUTE, {0, 1, 0}}, {"base_roll", TREE_REVOLUTE, {1, 0, 0}},
};

bool rbv_tree_floats(const tree_joint *j) {
  return j->motion == TREE_OTHER &&
         (strcmp(j->type, "floating") == 0 || strcmp(j->type, "free") == 0);
}

/* the link that moves freely: the one that the file lets float, or the root; -1: it has no root
 * body
 */
static int find_base(const robot_tree *t) {
  for (int j = 0; j < t->njoint; j++)
    if (rbv_tree_floats(&t->joint[j])) return t->joint[j].child;
  if (t->floating > 0) return t->floating;
  int root = 0;
  while (t->link[root].joint >= 0) root = t->joint[t->link[root].joint].parent;
  return strcmp(t->what, "MJCF") == 0 ? -1 : root;
}

rbv_status rbv_tree_release(robot_tree *t) {
  int base = find_base(t);
  if (base < 0)
    return rbv_fail(RBV_EINPUT, "%s: the base is fixed to the world, so it cannot be free",
                    t->draft->file);
  const int own = t->link[base].joint;
  int above = own >= 0 ? t->joint[own].parent : t->nlink;
  if (own < 0 && !rbv_tree_add_link(t, "\nworld")) return RBV_EMEM;
  t->link[above].is_frame = true;
  for (int k = 0; k < RBV_BASE_COORDINATES; k++) {
    const bool last = k == RBV_BASE_COORDINATES - 1;
    int joint = own;
    if (!last || own < 0) {
      joint = t->njoint;
      if (!rbv_tree_add_joint(t, coordinate[k].name)) return RBV_EMEM;
    }
    tree_joint *j = &t->joint[joint];
    char *name = last && own >= 0 ? rbv_strdup(coordinate[k].name) : NULL;
    if (last && own >= 0 && !name) return RBV_EMEM;
    if (name) {
      rbv_free(j->name);
      j->name = name;
    }
    j->motion = coordinate[k].motion;
    j->type = "free";
    j->refuse = NULL;
    j->limits = (rbv_limits){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    j->parent = above;
    j->pose = rbv_pose_identity;
    j->of_base = true;
    j->massless = !last;
    j->at = (tree_place){t->xml, NULL};
    memcpy(j->axis, coordinate[k].axis, sizeof j->axis);
    if (last) {
      j->child = base;
      t->link[base].joint = joint;
      break;
    }
    // no link of a file has a line break in its name
    char between[16];
    snprintf(between, sizeof between, "\nbase%d", k + 1);
    j->child = t->nlink;
    tree_link *l = rbv_tree_add_link(t, between);
    if (!l) return RBV_EMEM;
    l->joint = joint;
    l->is_frame = true;
    above = t->joint[joint].child;
  }
  return RBV_OK;
}

void rbv_base_states(double *q, double *dq, double *ddq, const rbv_model *m,
                     const rbv_base_motion *base) {
  const double *w = base->angular, *g = m->gravity;
  memset(q, 0, RBV_BASE_COORDINATES * sizeof *q);
  // the world at this instant has the axes of the base; gravity is an acceleration
  for (int i = 0; i < 3; i++) {
    dq[i] = 0;
    dq[3 + i] = w[2 - i];
    ddq[i] = base->force[i] + g[i];
  }
  // angular acceleration is not the derivative of the rates of yaw, pitch and roll
  ddq[3] = base->angular_change[2] + w[0] * w[1];
  ddq[4] = base->angular_change[1] - w[0] * w[2];
  ddq[5] = base->angular_change[0] + w[1] * w[2];
}
