/* Closed loops of a YAML: frames that meet, driven joints, and the pose in which they are closed.
 */
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "model/model_draft.h"

#define LOOPS_MAX 100  // a longer list is treated as an error

static const char *const type_name[] = {"spherical", "revolute", "universal", "fixed", "coupled"};

const char *rbv_loop_type_name(loop_type type) { return type_name[type]; }

static int find_joint(const rbv_draft *d, const char *name) {
  return RBV_FIND(d->joint, d->njoint, name, name);
}

static rbv_status read_joint_name(int *out, const rbv_draft *d, const rbv_node *node) {
  const char *name;
  RBV_TRY(rbv_node_string(&name, node));
  *out = find_joint(d, name);
  if (*out >= 0) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, node, "there is no moving joint '%s'", name);
}

/* a frame of the file, the link behind a joint, or the base */
static rbv_status find_frame(int *body, rbv_pose *pose, const rbv_draft *d, const rbv_node *node) {
  const char *name;
  RBV_TRY(rbv_node_string(&name, node));
  *pose = rbv_pose_identity;
  const int frame = RBV_FIND(d->frame, d->nframe, name, name);
  *body = frame < 0 ? find_joint(d, name) : d->frame[frame].link - 1;
  if (frame >= 0) {
    memcpy(pose->R, d->frame[frame].R, sizeof pose->R);
    memcpy(pose->p, d->frame[frame].p, sizeof pose->p);
  }
  if (frame >= 0 || *body >= 0 || strcmp(name, "base") == 0) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, node,
                       "there is no frame '%s': it can be a link or fixed frame of the robot, a "
                       "joint (the link that it moves), or base",
                       name);
}

/* {frame, xyz, rpy} or {frame, xyz, axis} */
static rbv_status read_side(int *body, rbv_pose *out, rbv_draft *d, const rbv_node *node) {
  static const char *const keys[] = {"frame", "xyz", "rpy", "axis", NULL};
  if (rbv_node_get_kind(node) != RBV_NODE_MAP || !rbv_node_find(node, "frame"))
    return rbv_node_fail(RBV_EINPUT, node, "expected a map with frame, and xyz, rpy or axis");
  RBV_TRY(rbv_node_only_keys(node, keys));
  const rbv_node *xyz = rbv_node_find(node, "xyz"), *rpy = rbv_node_find(node, "rpy");
  const rbv_node *along = rbv_node_find(node, "axis");
  rbv_pose frame, own = rbv_pose_identity;
  double angle[3] = {0}, s[3], c[3], axis[3] = {0, 0, 1};
  RBV_TRY(find_frame(body, &frame, d, rbv_node_find(node, "frame")));
  if (rpy && along) return rbv_node_fail(RBV_EINPUT, along, "give rpy or axis, not both");
  if (xyz) RBV_TRY(rbv_node_reals(own.p, 3, xyz));
  if (rpy) RBV_TRY(rbv_node_reals(angle, 3, rpy));
  for (int i = 0; i < 3; i++) RBV_TRY(rbv_draft_angle(&s[i], &c[i], &angle[i], d, "loop", "rpy"));
  rbv_rotation_rpy(own.R, s, c);
  if (along) {
    RBV_TRY(rbv_node_reals(axis, 3, along));
    RBV_TRY(rbv_draft_axis(axis, d, "of a loop", rbv_node_line(along)));
    rbv_rotation_to(own.R, axis);
  }
  *out = rbv_pose_multiply(&frame, &own);
  return RBV_OK;
}

/* {joint, of, polynomial} */
static rbv_status read_coupling(draft_loop *loop, const rbv_draft *d, const rbv_node *node) {
  const rbv_node *joint = rbv_node_find(node, "joint"), *of = rbv_node_find(node, "of");
  const rbv_node *list = rbv_node_find(node, "polynomial");
  const int count = rbv_node_count(list);
  if (!joint || !list || count < 1 || count > 5)
    return rbv_node_fail(RBV_EINPUT, node,
                         "a coupling needs joint, of, and a polynomial with one to five "
                         "coefficients: joint = c0 + c1 of + c2 of^2 ...");
  loop->type = LOOP_COUPLED;
  loop->body[1] = -1;
  RBV_TRY(read_joint_name(&loop->body[0], d, joint));
  if (of) RBV_TRY(read_joint_name(&loop->body[1], d, of));
  if (of ? loop->body[0] == loop->body[1] : count > 1)
    return rbv_node_fail(RBV_EINPUT, node, "a joint depends on another one: name it under 'of'");
  return rbv_node_reals(loop->c, count, list);
}

static rbv_status read_loop(rbv_draft *d, const rbv_node *node, int index) {
  static const char *const keys[] = {"name", "type", "between", "joint", "of", "polynomial", NULL};
  draft_loop loop = {0};
  char number[16];
  snprintf(number, sizeof number, "loop%d", index + 1);
  const char *name = number, *type = type_name[LOOP_SPHERICAL];
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "a loop must be a map with between, or joint");
  RBV_TRY(rbv_node_only_keys(node, keys));
  const rbv_node *between = rbv_node_find(node, "between");
  if (rbv_node_find(node, "name")) RBV_TRY(rbv_node_string(&name, rbv_node_find(node, "name")));
  if (rbv_node_find(node, "type")) RBV_TRY(rbv_node_string(&type, rbv_node_find(node, "type")));
  const int known = RBV_FIND_TEXT(type_name, RBV_COUNT(type_name), type);
  if (known < 0)
    return rbv_node_fail(RBV_EINPUT, rbv_node_find(node, "type"),
                         "a loop cannot be '%s': it can be spherical (two points coincide), "
                         "revolute, universal, fixed or coupled",
                         type);
  loop.type = (loop_type)known;
  if (loop.type == LOOP_COUPLED || (!between && rbv_node_find(node, "joint"))) {
    RBV_TRY(read_coupling(&loop, d, node));
    return rbv_draft_add_loop(d, name, &loop);
  }
  if (rbv_node_count(between) != 2)
    return rbv_node_fail(RBV_EINPUT, between ? between : node,
                         "a loop needs 'between' with the two frames that meet");
  for (int side = 0; side < 2; side++)
    RBV_TRY(read_side(&loop.body[side], &loop.pose[side], d, rbv_node_at(between, side)));
  if (loop.body[0] == loop.body[1])
    return rbv_node_fail(RBV_EINPUT, between, "both frames are on the same link");
  return rbv_draft_add_loop(d, name, &loop);
}

rbv_status rbv_draft_read_loops(rbv_draft *d, const rbv_node *root) {
  const rbv_node *loops = rbv_node_find(root, "loops"), *driven = rbv_node_find(root, "driven");
  const rbv_node *reference = rbv_node_find(root, "reference");
  if (loops && (rbv_node_get_kind(loops) != RBV_NODE_LIST || rbv_node_count(loops) > LOOPS_MAX))
    return rbv_node_fail(RBV_EINPUT, loops, "loops must be a list of at most %d loops", LOOPS_MAX);
  for (int i = 0; i < rbv_node_count(loops); i++) RBV_TRY(read_loop(d, rbv_node_at(loops, i), i));
  for (int j = 0; j < d->njoint && d->nloop == 0; j++)
    if (d->joint[j].massless && !d->joint[j].of_base)
      return rbv_node_fail(RBV_EINPUT, root,
                           "joint '%s' is massless, which is for robots with closed loops: other "
                           "robots have the parameters of every link",
                           d->joint[j].name);
  const rbv_node *needless = driven ? driven : reference;
  if (d->nloop == 0 && needless)
    return rbv_node_fail(RBV_EINPUT, needless,
                         "'driven' and 'reference' belong to closed loops, and there are none: "
                         "without loops every joint is driven");
  if (driven && rbv_node_get_kind(driven) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, driven, "driven must be a list of joints");
  for (int i = 0; i < rbv_node_count(driven); i++) {
    int joint;
    RBV_TRY(read_joint_name(&joint, d, rbv_node_at(driven, i)));
    if (d->joint[joint].leader >= 0)
      return rbv_node_fail(RBV_EINPUT, rbv_node_at(driven, i),
                           "joint '%s' mimics another one: it cannot be driven",
                           d->joint[joint].name);
    d->joint[joint].driven = true;
  }
  if (reference && rbv_node_get_kind(reference) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, reference, "reference must be a map from joints to positions");
  for (int i = 0; i < rbv_node_count(reference); i++) {
    const int joint = find_joint(d, rbv_node_key(reference, i));
    if (joint < 0)
      return rbv_node_fail(RBV_EINPUT, rbv_node_at(reference, i), "there is no moving joint '%s'",
                           rbv_node_key(reference, i));
    RBV_TRY(rbv_node_real(&d->joint[joint].reference, rbv_node_at(reference, i)));
  }
  return RBV_OK;
}
