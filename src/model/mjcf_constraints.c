/* MJCF: equality constraints and tendons between the joints of a robot tree. */
#include <string.h>

#include "model/mjcf_document.h"

/*
 * <joint joint1 joint2 polycoef>: joint1 - ref1 = a + b (joint2 - ref2) + ... Polynomials of the
 * first degree make joint1 a follower.
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
  if (b < 0 || c[2] != 0 || c[3] != 0 || c[4] != 0) {
    j->refuse = b < 0 ? "is held by an equality constraint, which is not supported; remove it, or "
                        "the joint"
                      : "depends on another one by an equality constraint of a degree above one, "
                        "which is not supported; linearise its polycoef";
    return RBV_OK;
  }
  j->refuse = NULL;
  j->leader = b;
  j->multiplier = c[1];
  j->mimic_offset = c[0] - j->offset + c[1] * t->joint[b].offset;
  return RBV_OK;
}

/* all joints of the loop that a <connect> or <weld> closes */
static void bind_loop(robot_tree *t, const char *name1, const char *name2, const char *refuse) {
  const int a = name1 ? rbv_tree_find_link(t, name1) : -1;
  const int b = name2 ? rbv_tree_find_link(t, name2) : 0;
  if (a < 0 || b < 0) return;
  const int end[2] = {a, b};
  for (int pass = 0; pass < 2; pass++)
    for (int side = 0; side < 2; side++)
      for (int at = end[side]; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent) {
        tree_joint *j = &t->joint[t->link[at].joint];
        // a joint above both bodies is met twice and is no part of the loop
        if (pass == 0) {
          j->loop++;
        } else {
          if (j->loop == 1 && j->motion != TREE_FIXED) {
            j->bound = true;
            j->refuse = refuse;
          }
          if (side == 1 || j->loop == 1) j->loop = 0;
        }
      }
}

static rbv_status read_equalities(robot_tree *t, const mjcf_document *doc) {
  for (int i = 1; i < doc->nnode; i++) {
    if (!rbv_mjcf_is(doc, doc->node[i].parent, "equality")) continue;
    const rbv_element *e = doc->node[i].at.element;
    const char *active = rbv_element_attribute(e, "active");
    if (active && strcmp(active, "false") == 0) continue;
    if (rbv_mjcf_is(doc, i, "joint")) {
      RBV_TRY(bind_joints(t, &doc->node[i].at));
      continue;
    }
    const bool weld = rbv_mjcf_is(doc, i, "weld");
    if (weld || rbv_mjcf_is(doc, i, "connect"))
      bind_loop(t, rbv_element_attribute(e, "body1"), rbv_element_attribute(e, "body2"),
                weld ? "is part of a closed loop (<weld>), which is not supported"
                     : "is part of a closed loop (<connect>), which is not supported");
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
