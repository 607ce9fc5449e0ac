#include "model/robot_tree.h"

#include <math.h>
#include <string.h>

#include <roberval/sys/linalg.h>

/* ---- memory ---- */

void rbv_tree_free(robot_tree *t) {
  for (int i = 0; i < t->nlink; i++) rbv_free(t->link[i].name);
  for (int j = 0; j < t->njoint; j++) rbv_free(t->joint[j].name);
  for (int i = 0; i < t->nincluded; i++) rbv_xml_free(t->included[i]);
  rbv_free(t->link);
  rbv_free(t->joint);
  rbv_free(t->shape);
  rbv_free(t->loop);
  rbv_free(t->included);
  *t = (robot_tree){0};
}

/* make room for one more element; capacities are powers of two */
static bool grow(void **array, int count, size_t size) {
  if (count & (count - 1)) return true;
  const size_t old = (size_t)count * size;
  void *bigger = rbv_realloc(*array, old, count ? 2 * old : size);
  if (bigger) *array = bigger;
  return bigger != NULL;
}

tree_link *rbv_tree_add_link(robot_tree *t, const char *name) {
  if (!grow((void **)&t->link, t->nlink, sizeof *t->link)) return NULL;
  tree_link *link = &t->link[t->nlink];
  *link = (tree_link){.name = rbv_strdup(name), .joint = -1, .content = rbv_pose_identity};
  if (!link->name) return NULL;
  t->nlink++;
  return link;
}

tree_joint *rbv_tree_add_joint(robot_tree *t, const char *name) {
  if (!grow((void **)&t->joint, t->njoint, sizeof *t->joint)) return NULL;
  tree_joint *joint = &t->joint[t->njoint];
  *joint = (tree_joint){
      .name = rbv_strdup(name),
      .pose = rbv_pose_identity,
      .leader = -1,
      .limits = {-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
  };
  if (!joint->name) return NULL;
  t->njoint++;
  return joint;
}

rbv_status rbv_tree_add_shape(robot_tree *t, int link, const rbv_rod *rod, const rbv_pose *pose) {
  if (!grow((void **)&t->shape, t->nshape, sizeof *t->shape)) return RBV_EMEM;
  t->shape[t->nshape++] = (tree_shape){link, *rod, *pose};
  return RBV_OK;
}

int rbv_tree_find_link(const robot_tree *t, const char *name) {
  for (int i = 0; i < t->nlink; i++)
    if (strcmp(t->link[i].name, name) == 0) return i;
  return -1;
}

int rbv_tree_find_joint(const robot_tree *t, const char *name) {
  for (int j = 0; j < t->njoint; j++)
    if (strcmp(t->joint[j].name, name) == 0) return j;
  return -1;
}

bool rbv_tree_add_loop(robot_tree *t, const tree_loop *loop) {
  if (!grow((void **)&t->loop, t->nloop, sizeof *t->loop)) return false;
  t->loop[t->nloop++] = *loop;
  return true;
}

rbv_pose rbv_tree_drawn(const robot_tree *t, int link) {
  rbv_pose pose = t->link[link].content;
  for (int at = link; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent)
    pose = rbv_pose_multiply(&t->joint[t->link[at].joint].pose, &pose);
  return pose;
}

rbv_status rbv_tree_fail(rbv_status status, const tree_place *at, const char *format, ...) {
  rbv_text sentence = {0};
  va_list args;
  va_start(args, format);
  rbv_text_vprint(&sentence, format, args);
  va_end(args);
  const char *text = rbv_text_string(&sentence);
  if (text) status = rbv_element_fail(status, at->xml, at->element, "%s", text);
  rbv_text_free(&sentence);
  return text ? status : RBV_EMEM;
}

/* ---- the chain ---- */

static bool moves(const tree_joint *j) { return j->motion != TREE_FIXED && !j->outside; }

/* joints between the root and a link; -1 if the joints form a loop */
static int depth(const robot_tree *t, int at) {
  int steps = 0;
  while (t->link[at].joint >= 0 && steps <= t->njoint) {
    at = t->joint[t->link[at].joint].parent;
    steps++;
  }
  return steps <= t->njoint ? steps : -1;
}

static rbv_status check_root(const robot_tree *t) {
  int root = -1, second = -1;
  for (int i = 0; i < t->nlink; i++) {
    const tree_link *l = &t->link[i];
    if (depth(t, i) < 0)
      return rbv_tree_fail(RBV_EINPUT, &l->at, "the joints form a loop through link '%s'", l->name);
    if (l->joint >= 0) continue;
    if (root < 0)
      root = i;
    else if (second < 0)
      second = i;
  }
  if (second < 0) return RBV_OK;
  return rbv_tree_fail(RBV_EINPUT, &t->link[second].at,
                       "the links are not connected: '%s' and '%s' both have no parent",
                       t->link[root].name, t->link[second].name);
}

/* the joints on the way to a link belong to the model */
static void mark_way(robot_tree *t, int tip) {
  for (int at = tip; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent)
    t->joint[t->link[at].joint].on_chain = true;
}

/* is a link on the way from the root to another one, or that one itself? */
static bool is_above(const robot_tree *t, int upper, int at) {
  while (at != upper && t->link[at].joint >= 0) at = t->joint[t->link[at].joint].parent;
  return at == upper;
}

/* moving joints between the root and a link */
static int count_moving(const robot_tree *t, int at) {
  int count = 0;
  for (; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent)
    count += moves(&t->joint[t->link[at].joint]);
  return count;
}

/* the link where the moving joints branch: the last one with all of them above or below it */
static rbv_status find_branch(int *out, const robot_tree *t) {
  int *below = rbv_alloc((size_t)t->nlink * sizeof *below), total = 0;
  if (!below) return RBV_EMEM;
  for (int j = 0; j < t->njoint; j++) {
    if (!moves(&t->joint[j])) continue;
    total++;
    int at = t->joint[j].parent;
    for (below[at]++; t->link[at].joint >= 0; below[at]++) at = t->joint[t->link[at].joint].parent;
  }
  int deepest = -1;
  for (int i = 0; i < t->nlink; i++) {
    if (t->link[i].is_frame || below[i] + count_moving(t, i) != total || depth(t, i) <= deepest)
      continue;
    *out = i;
    deepest = depth(t, i);
  }
  rbv_free(below);
  return RBV_OK;
}

/* fingers: behind the branch every joint slides or depends on others */
static bool is_gripper(const robot_tree *t, int branch) {
  for (int j = 0; j < t->njoint; j++) {
    const tree_joint *e = &t->joint[j];
    if (!moves(e) || is_above(t, e->child, branch)) continue;
    if (!e->bound && e->motion != TREE_PRISMATIC) return false;
  }
  return count_moving(t, branch) > 0;
}

static int root_of(const robot_tree *t) {
  int at = 0;
  while (t->link[at].joint >= 0) at = t->joint[t->link[at].joint].parent;
  return at;
}

static void mark_all(robot_tree *t) {
  for (int j = 0; j < t->njoint; j++) t->joint[j].on_chain = !t->joint[j].outside;
}

/* a robot whose moving joints branch ends before its gripper, or is a tree */
static rbv_status end_at_branch(robot_tree *t) {
  int tip = 0;
  RBV_TRY(find_branch(&tip, t));
  if (!is_gripper(t, tip)) {
    mark_all(t);
    return RBV_OK;
  }
  mark_way(t, tip);
  return rbv_draft_add_note(t->draft,
                            "the arm ends at link '%s'; the joints behind it are a gripper's: to "
                            "include them, choose the root '%s'",
                            t->link[tip].name, t->link[root_of(t)].name);
}

/* joints that are not behind the root of the options are held */
static rbv_status choose_root(robot_tree *t) {
  const char *wanted = t->draft->options->root;
  if (!wanted) return RBV_OK;
  const int root = rbv_tree_find_link(t, wanted);
  if (root < 0)
    return rbv_fail(RBV_EINPUT, "%s: there is no link '%s' for the root", t->draft->file, wanted);
  for (int j = 0; j < t->njoint; j++) t->joint[j].outside = !is_above(t, root, t->joint[j].parent);
  return RBV_OK;
}

/* a free base is held; for descriptions, other things that a model cannot have are left out */
static rbv_status simplify(robot_tree *t) {
  const rbv_model_options *o = t->draft->options;
  for (int i = 0; i < t->njoint; i++) {
    tree_joint *j = &t->joint[i];
    if (j->motion == TREE_FIXED) continue;
    const bool floats = rbv_tree_floats(j);
    if (j->motion == TREE_OTHER && (floats || o->describe)) {
      RBV_TRY(rbv_draft_add_note(t->draft, "joint '%s' is of type '%s': it is held at rest",
                                 j->name, j->type));
      t->draft->free_base = t->draft->free_base || floats;
      j->motion = TREE_FIXED;
      j->refuse = NULL;
    }
    if (!j->refuse || !o->describe) continue;
    RBV_TRY(rbv_draft_add_note(t->draft, "joint '%s' %s: this is left out", j->name, j->refuse));
    j->refuse = NULL;
  }
  return RBV_OK;
}

/* the joints before the tips that the options name, separated by commas */
static rbv_status mark_tips(robot_tree *t) {
  rbv_status status = RBV_OK;
  for (const char *s = t->draft->options->tip; *s && status == RBV_OK; s += *s == ',') {
    const size_t size = strcspn(s, ",");
    char *name = rbv_strndup(s, size);
    const int tip = name ? rbv_tree_find_link(t, name) : -1;
    if (!name)
      status = RBV_EMEM;
    else if (tip < 0)
      status = rbv_fail(RBV_EINPUT, "%s: there is no link '%s' for the end of the chain",
                        t->draft->file, name);
    else
      mark_way(t, tip);
    rbv_free(name);
    s += size;
  }
  return status;
}

static rbv_status mark_joints(robot_tree *t) {
  if (t->draft->options->tip) return mark_tips(t);
  int tip = -1, deepest = -1;
  for (int j = 0; j < t->njoint; j++) {
    if (!moves(&t->joint[j]) || depth(t, t->joint[j].child) <= deepest) continue;
    tip = t->joint[j].child;
    deepest = depth(t, tip);
  }
  if (tip < 0) return rbv_fail(RBV_EINPUT, "%s: the robot has no moving joint", t->draft->file);
  if (t->draft->options->root) {
    mark_all(t);
    return RBV_OK;
  }
  mark_way(t, tip);
  for (int j = 0; j < t->njoint; j++) {
    if (!moves(&t->joint[j]) || t->joint[j].on_chain) continue;
    for (int k = 0; k < t->njoint; k++) t->joint[k].on_chain = false;
    return end_at_branch(t);
  }
  return RBV_OK;
}

/* ---- depth-first order ---- */

/* a joint that the walk will visit */
typedef struct {
  int joint, upper;  // upper: number of the moving joint above it, -1: none
  rbv_pose before;   // of its parent link in the frame of that joint
} visit;

typedef struct {
  visit *stack;
  int top;
} tree_walk;

/* the joints of a link, the first one in the file on top */
static void push_joints(tree_walk *w, const robot_tree *t, int link, int upper,
                        const rbv_pose *before) {
  for (int j = t->njoint - 1; j >= 0; j--)
    if (t->joint[j].parent == link) w->stack[w->top++] = (visit){j, upper, *before};
}

static rbv_status add_moving(robot_tree *t, const tree_joint *j, int upper, const rbv_pose *before);

/* number the moving joints of the model; with add, put them into the draft */
static rbv_status walk_joints(robot_tree *t, bool add) {
  tree_walk w = {.stack = rbv_alloc((size_t)t->njoint * sizeof *w.stack)};
  if (!w.stack) return RBV_EMEM;
  int count = 0;
  rbv_status status = RBV_OK;
  push_joints(&w, t, root_of(t), -1, &rbv_pose_identity);
  while (w.top > 0 && status == RBV_OK) {
    const visit v = w.stack[--w.top];
    tree_joint *j = &t->joint[v.joint];
    if (!moves(j)) {
      const rbv_pose before = rbv_pose_multiply(&v.before, &j->pose);
      push_joints(&w, t, j->child, v.upper, &before);
    } else if (j->on_chain) {
      j->order = count++;
      if (add) status = add_moving(t, j, v.upper, &v.before);
      push_joints(&w, t, j->child, j->order, &rbv_pose_identity);
    }
  }
  rbv_free(w.stack);
  return status;
}

rbv_status rbv_tree_choose(robot_tree *t) {
  if (t->nlink == 0) return rbv_fail(RBV_EINPUT, "%s: the %s has no link", t->draft->file, t->what);
  RBV_TRY(check_root(t));
  if (t->draft->options->free_base) RBV_TRY(rbv_tree_release(t));
  RBV_TRY(choose_root(t));
  RBV_TRY(simplify(t));
  RBV_TRY(mark_joints(t));
  return walk_joints(t, false);
}

int rbv_tree_carrier(rbv_pose *pose, tree_attachment *how, const robot_tree *t, int link) {
  rbv_pose total = rbv_pose_identity;
  tree_attachment found = TREE_OWN;
  int joint = t->link[link].joint;
  for (; joint >= 0; joint = t->link[t->joint[joint].parent].joint) {
    const tree_joint *j = &t->joint[joint];
    if (j->on_chain && moves(j)) break;
    if (moves(j)) found = TREE_SEPARATE;
    if (found == TREE_OWN) found = TREE_RIGID;
    total = rbv_pose_multiply(&j->pose, &total);
  }
  if (pose) *pose = total;
  if (how) *how = found;
  return joint;
}

int rbv_tree_order(const robot_tree *t, int joint) { return t->joint[joint].order; }

/* ---- into the draft ---- */

static rbv_status remark_on_inertia(robot_tree *t, const tree_link *l) {
  double moment[3];
  // about the centre of mass
  const double *b = l->inertial, m = b[9];
  double c[3] = {0};
  for (int i = 0; i < 3 && m > 0; i++) c[i] = b[6 + i] / m;
  const double xx = b[0] - m * (c[1] * c[1] + c[2] * c[2]), xy = b[1] + m * c[0] * c[1];
  const double xz = b[2] + m * c[0] * c[2], yy = b[3] - m * (c[0] * c[0] + c[2] * c[2]);
  const double yz = b[4] + m * c[1] * c[2], zz = b[5] - m * (c[0] * c[0] + c[1] * c[1]);
  const double I[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
  for (int i = 0; i < 9; i++)
    if (!isfinite(I[i]))
      return rbv_tree_fail(RBV_EINPUT, &l->at, "link '%s': its mass or inertia is too large",
                           l->name);
  RBV_TRY(rbv_eigen_symmetric(moment, NULL, I, 3, 3));
  // rounding of the shift to the origin of the link and back
  const double slack = 1e-9 * fabs(moment[2]) + 1e-14 * (fabs(b[0]) + fabs(b[3]) + fabs(b[5]));
  if (moment[0] < -slack)
    return rbv_draft_add_note(t->draft,
                              "link '%s': its inertia is not positive definite (smallest principal "
                              "moment %.3g kg m^2); as a prior it is doubtful",
                              l->name, moment[0]);
  if (moment[0] + moment[1] < moment[2] - slack)
    return rbv_draft_add_note(
        t->draft,
        "link '%s': its principal moments %.3g, %.3g, %.3g kg m^2 violate the "
        "triangle inequality; as a prior they are doubtful",
        l->name, moment[0], moment[1], moment[2]);
  return RBV_OK;
}

static rbv_status check_joint(const tree_joint *j) {
  if (j->refuse)
    return rbv_tree_fail(RBV_EUNSUPPORTED, &j->at, "joint '%s' %s (choose a tip before it)",
                         j->name, j->refuse);
  if (j->motion == TREE_OTHER)
    return rbv_tree_fail(RBV_EUNSUPPORTED, &j->at,
                         "joint '%s' is of type '%s'; supported are joints that turn about one "
                         "axis or slide along it",
                         j->name, j->type);
  if (moves(j) && j->limits.lower > j->limits.upper)
    return rbv_tree_fail(RBV_EINPUT, j->limits_at.element ? &j->limits_at : &j->at,
                         "joint '%s': the lower limit is above the upper", j->name);
  return RBV_OK;
}

/* the relation of a follower to its leader */
static rbv_status follow(draft_joint *joint, const robot_tree *t, const tree_joint *j) {
  const tree_joint *leader = &t->joint[j->leader];
  if (!moves(leader) || !leader->on_chain)
    return rbv_tree_fail(RBV_EUNSUPPORTED, &j->at,
                         "joint '%s' mimics joint '%s', which is no part of the model: choose root "
                         "and tip so that both belong to it, or none",
                         j->name, leader->name);
  joint->leader = leader->order;
  joint->multiplier = j->multiplier;
  joint->mimic_offset = j->mimic_offset;
  joint->ndrive = 0;
  if (j->stiffness == 0 && !j->has_drive) return RBV_OK;
  return rbv_draft_add_note(t->draft,
                            "joint '%s' follows joint '%s': its spring, damping, friction and "
                            "armature are left out",
                            j->name, leader->name);
}

static rbv_status add_moving(robot_tree *t, const tree_joint *j, int upper,
                             const rbv_pose *before) {
  RBV_TRY(check_joint(j));
  draft_joint *joint = rbv_draft_add_joint(t->draft, j->name);
  if (!joint) return RBV_EMEM;
  const rbv_pose pose = rbv_pose_multiply(before, &j->pose);
  joint->parent = upper;
  joint_geometry *g = &joint->geometry;
  g->type = j->motion == TREE_PRISMATIC ? RBV_JOINT_PRISMATIC : RBV_JOINT_REVOLUTE;
  memcpy(g->axis, j->axis, sizeof g->axis);
  memcpy(g->origin, pose.p, sizeof g->origin);
  g->offset = j->offset;
  rbv_joint_compile(g, pose.R);
  joint->massless = j->massless;
  joint->of_base = j->of_base;
  joint->has_actuator = j->has_actuator;
  joint->reference = 0.0 - j->offset;  // not -0
  if (!j->of_base) rbv_draft_default_drive(joint);
  joint->limits = j->limits;
  joint->armature = j->armature;
  joint->damping = j->damping;
  joint->friction = j->friction;
  joint->stiffness = j->stiffness;
  joint->rest = j->rest;
  t->draft->has_priors = t->draft->has_priors || j->has_drive;
  return j->leader >= 0 ? follow(joint, t, j) : RBV_OK;
}

static rbv_status add_bodies(robot_tree *t) {
  for (int i = 0; i < t->nlink; i++) {
    const tree_link *l = &t->link[i];
    double moved[RBV_INERTIAL];
    rbv_pose pose;
    const int carrier = rbv_tree_carrier(&pose, NULL, t, i);
    if (carrier < 0) continue;
    if (l->unknown)
      RBV_TRY(rbv_draft_add_note(t->draft, "link '%s' %s. Until then its mass is left out", l->name,
                                 l->unknown));
    if (!l->has_inertial) continue;
    RBV_TRY(remark_on_inertia(t, l));
    t->draft->has_priors = true;
    rbv_inertial_transform(moved, l->inertial, &pose);
    double *sum = t->draft->joint[rbv_tree_order(t, carrier)].inertial;
    for (int c = 0; c < RBV_INERTIAL; c++) {
      sum[c] += moved[c];
      if (!isfinite(sum[c]))
        return rbv_tree_fail(RBV_EINPUT, &l->at, "link '%s': its mass or inertia is too large",
                             l->name);
    }
  }
  for (int j = 0; j < t->njoint; j++)
    if (moves(&t->joint[j]) && !t->joint[j].on_chain &&
        rbv_tree_carrier(NULL, NULL, t, t->joint[j].child) >= 0)
      RBV_TRY(rbv_draft_add_note(t->draft,
                                 "joint '%s' is not on the chain: its child bodies are treated as "
                                 "rigid, at its zero position",
                                 t->joint[j].name));
  return RBV_OK;
}

/* number of the moving link that carries a link, from 1; 0: the base */
static int moving_link(rbv_pose *pose, const robot_tree *t, int link) {
  const int carrier = rbv_tree_carrier(pose, NULL, t, link);
  return carrier < 0 ? 0 : rbv_tree_order(t, carrier) + 1;
}

/* every shape as a capsule of the moving link that carries it, or of the base */
static rbv_status add_shapes(robot_tree *t) {
  for (int i = 0; i < t->nshape; i++) {
    const tree_shape *s = &t->shape[i];
    rbv_pose pose;
    rbv_capsule capsule = {.link = moving_link(&pose, t, s->link), .around = true};
    pose = rbv_pose_multiply(&pose, &s->pose);
    rbv_rod_capsule(&capsule, &s->rod, &pose);
    RBV_TRY(rbv_draft_add_capsule(t->draft, &capsule));
  }
  for (int i = 0; i < t->nlink; i++)
    if (t->link[i].shapeless) RBV_TRY(rbv_draft_add_shapeless(t->draft, t->link[i].name));
  return RBV_OK;
}

/* all links as frames; the one of the last link that is farthest from its origin is its tip */
static rbv_status add_frames(robot_tree *t) {
  double farthest = 0;
  for (int i = 0; i < t->nlink; i++) {
    rbv_pose pose;
    const int link = moving_link(&pose, t, i);
    pose = rbv_pose_multiply(&pose, &t->link[i].content);
    RBV_TRY(rbv_draft_add_frame(t->draft, t->link[i].name, link, &pose));
    if (link != t->draft->njoint) continue;
    const double far = sqrt(pose.p[0] * pose.p[0] + pose.p[1] * pose.p[1] + pose.p[2] * pose.p[2]);
    if (!(far > farthest)) continue;
    farthest = far;
    memcpy(t->draft->tip, pose.p, sizeof pose.p);
  }
  return RBV_OK;
}

/* a joint of a loop that moves: it belongs to one side alone; -1: there is none any more */
static int next_of_loop(const robot_tree *t, int *at, int other) {
  while (t->link[*at].joint >= 0) {
    const int joint = t->link[*at].joint;
    *at = t->joint[joint].parent;
    if (is_above(t, t->joint[joint].child, other)) return -1;
    if (moves(&t->joint[joint])) return joint;
  }
  return -1;
}

/* the joints of a loop belong to the model, or none of them */
static rbv_status check_loop(bool *inside, const robot_tree *t, const tree_loop *loop) {
  int count = 0, missing = -1;
  for (int side = 0; side < 2; side++) {
    int at = loop->end[side], joint = at;
    if (loop->loop.type != LOOP_COUPLED) joint = next_of_loop(t, &at, loop->end[1 - side]);
    while (joint >= 0) {
      if (t->joint[joint].on_chain)
        count++;
      else
        missing = joint;
      if (loop->loop.type == LOOP_COUPLED) break;
      joint = next_of_loop(t, &at, loop->end[1 - side]);
    }
  }
  *inside = count > 0;
  if (count == 0 || missing < 0) return RBV_OK;
  return rbv_tree_fail(RBV_EUNSUPPORTED, &loop->at,
                       "joint '%s' belongs to this closed loop and not to the model: choose a tip "
                       "before the loop, or tips that include all its joints",
                       t->joint[missing].name);
}

static rbv_status add_loops(robot_tree *t) {
  for (int i = 0; i < t->nloop; i++) {
    const tree_loop *l = &t->loop[i];
    bool inside;
    RBV_TRY(check_loop(&inside, t, l));
    if (!inside) continue;
    draft_loop loop = l->loop;
    for (int side = 0; side < 2; side++) {
      const int end = l->end[side];
      if (loop.type == LOOP_COUPLED) {
        loop.body[side] = end < 0 ? -1 : t->joint[end].order;
        continue;
      }
      rbv_pose pose;
      loop.body[side] = moving_link(&pose, t, end) - 1;
      pose = rbv_pose_multiply(&pose, &t->link[end].content);
      loop.pose[side] = rbv_pose_multiply(&pose, &loop.pose[side]);
    }
    const char *name = rbv_element_attribute(l->at.element, "name");
    RBV_TRY(rbv_draft_add_loop(t->draft, name ? name : "loop", &loop));
  }
  return RBV_OK;
}

rbv_status rbv_tree_finish(robot_tree *t) {
  RBV_TRY(walk_joints(t, true));
  RBV_TRY(add_bodies(t));
  RBV_TRY(add_frames(t));
  RBV_TRY(add_loops(t));
  return add_shapes(t);
}
