/* MJCF: equality constraints and tendons between the joints of a robot tree. */
#include <string.h>

#include "model/mjcf_document.h"

/* p(y) of y = x + shift as a polynomial of x */
static void shift_polynomial(double c[5], double shift) {
  for (int k = 0; k < 4; k++)
    for (int i = 3; i >= k; i--) c[i] += shift * c[i + 1];
}

/*
 * <joint joint1 joint2 polycoef>: joint1 - ref1 = a + b (joint2 - ref2) + ... Polynomials of the
 * first degree make joint1 a follower, others couple the joints as a closed loop does.
 */
static rbv_status bind_joints(robot_tree *t, const tree_place *at) {
  const char *name1 = rbv_element_attribute(at->element, "joint1");
  const char *name2 = rbv_element_attribute(at->element, "joint2");
  const int a = name1 ? rbv_tree_find_joint(t, name1) : -1;
  const int b = name2 ? rbv_tree_find_joint(t, name2) : -1;
  if (b >= 0) t->joint[b].bound = true;
  if (a < 0) return RBV_OK;
  tree_joint *j = &t->joint[a];
  j->bound = true;
  double c[5] = {0, 1, 0, 0, 0};
  const char *text = rbv_element_attribute(at->element, "polycoef");
  int given = 0;
  for (const char *s = text; s && *s; given++) {
    s += strspn(s, " \t\r\n");
    if (!*s) break;
    s += strcspn(s, " \t\r\n");
  }
  if (text && given > 0 && given <= 5)
    RBV_TRY(rbv_element_reals(c, given, at->xml, at->element, "polycoef"));
  if (b >= 0 && c[2] == 0 && c[3] == 0 && c[4] == 0) {
    j->refuse = NULL;
    j->leader = b;
    j->multiplier = c[1];
    j->mimic_offset = c[0] - j->offset + c[1] * t->joint[b].offset;
    return RBV_OK;
  }
  tree_loop loop = {.at = *at, .loop = {.type = LOOP_COUPLED}, .end = {a, b}};
  if (b >= 0) shift_polynomial(c, t->joint[b].offset);
  c[0] -= j->offset;
  for (int k = 0; k < (b < 0 ? 1 : 5); k++) loop.loop.c[k] = c[k];
  return rbv_tree_add_loop(t, &loop) ? RBV_OK : RBV_EMEM;
}

/* all joints of a loop depend on others; those above both links are met twice */
static void mark_bound(robot_tree *t, const int end[2]) {
  for (int side = 0; side < 2; side++)
    for (int at = end[side]; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent) {
      const int joint = t->link[at].joint;
      int other = end[1 - side];
      while (t->link[other].joint >= 0 && t->link[other].joint != joint)
        other = t->joint[t->link[other].joint].parent;
      if (t->link[other].joint != joint && t->joint[joint].motion != TREE_FIXED)
        t->joint[joint].bound = true;
    }
}

/* <connect>: the anchor of body1, and the point of body2 that is drawn there; <weld>: the frames
 * with relpose, or as they are drawn. Bodies, or sites, which then coincide. */
static rbv_status bind_links(robot_tree *t, const tree_place *at, bool weld) {
  static const char *const key[2][2] = {{"body1", "body2"}, {"site1", "site2"}};
  const rbv_element *e = at->element;
  const bool sites = rbv_element_attribute(e, "site1") != NULL;
  tree_loop loop = {.at = *at,
                    .loop = {.type = weld ? LOOP_FIXED : LOOP_SPHERICAL,
                             .pose = {rbv_pose_identity, rbv_pose_identity}}};
  for (int side = 0; side < 2; side++) {
    const char *name = rbv_element_attribute(e, key[sites][side]);
    loop.end[side] = name ? rbv_tree_find_link(t, name) : 0;
    if (loop.end[side] < 0) return RBV_OK;
  }
  if (loop.end[0] == loop.end[1]) return RBV_OK;
  double x[7] = {0};
  const rbv_pose first = rbv_tree_drawn(t, loop.end[0]), second = rbv_tree_drawn(t, loop.end[1]);
  const rbv_pose world = rbv_pose_inverse(&second);
  rbv_pose *const pose = loop.loop.pose;
  if (!weld && rbv_element_attribute(e, "anchor"))
    RBV_TRY(rbv_element_reals(pose[0].p, 3, at->xml, e, "anchor"));
  if (weld && rbv_element_attribute(e, "relpose"))
    RBV_TRY(rbv_element_reals(x, 7, at->xml, e, "relpose"));
  if (x[3] != 0 || x[4] != 0 || x[5] != 0 || x[6] != 0) {
    // of body2 in the frame of body1
    memcpy(pose[0].p, x, sizeof pose[0].p);
    rbv_rotation_quaternion(pose[0].R, x + 3);
  } else if (!sites) {
    const rbv_pose drawn = rbv_pose_multiply(&first, &pose[0]);
    pose[1] = rbv_pose_multiply(&world, &drawn);
  }
  mark_bound(t, loop.end);
  return rbv_tree_add_loop(t, &loop) ? RBV_OK : RBV_EMEM;
}

static rbv_status read_equalities(robot_tree *t, const mjcf_document *doc) {
  for (int i = 1; i < doc->nnode; i++) {
    if (!rbv_mjcf_is(doc, doc->node[i].parent, "equality")) continue;
    const tree_place *at = &doc->node[i].at;
    const char *active = rbv_element_attribute(at->element, "active");
    if (active && strcmp(active, "false") == 0) continue;
    const bool weld = rbv_mjcf_is(doc, i, "weld");
    if (rbv_mjcf_is(doc, i, "joint"))
      RBV_TRY(bind_joints(t, at));
    else if (weld || rbv_mjcf_is(doc, i, "connect"))
      RBV_TRY(bind_links(t, at, weld));
  }
  return RBV_OK;
}

/* tendons between joints are no part of a model */
static rbv_status remark_on_tendons(const robot_tree *t, const mjcf_document *doc) {
  rbv_text names = {0};
  for (int i = 1; i < doc->nnode; i++) {
    const int parent = doc->node[i].parent;
    if (!rbv_mjcf_is(doc, parent, "tendon") || doc->node[parent].parent != 0) continue;
    const char *name = rbv_element_attribute(doc->node[i].at.element, "name");
    rbv_text_print(&names, "%s%s", names.size ? ", " : "", name ? name : "(without a name)");
  }
  const char *list = names.size ? rbv_text_string(&names) : NULL;
  rbv_status status = names.failed ? RBV_EMEM : RBV_OK;
  if (list) status = rbv_draft_add_note(t->draft, "tendons are ignored: %s", list);
  rbv_text_free(&names);
  return status;
}

rbv_status rbv_mjcf_constraints(robot_tree *t, const mjcf_document *doc) {
  RBV_TRY(read_equalities(t, doc));
  return remark_on_tendons(t, doc);
}
