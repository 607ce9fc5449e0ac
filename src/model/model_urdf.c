/*
 * URDF: reads the chain from the root to a tip. It collects links and joints, follows the chain
 * back from the tip, and merges every rigidly attached body into its moving link.
 */
#include <math.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "model/model_draft.h"
#include "model/urdf_capsules.h"

#define BODIES_MAX 2000  // links or joints

typedef struct {
  const rbv_element *element;
  const char *name;
  int joint;  // the joint that moves it, -1 for a root
} link;

typedef struct {
  const rbv_element *element;
  const char *name, *type;
  int parent, child;  // links
  rbv_pose pose;
  double axis[3];
  bool on_chain;
} edge;

typedef struct {
  rbv_draft *draft;
  const rbv_xml *xml;
  link *link;
  edge *joint;
  int nlink, njoint;
} tree;

static bool moves(const edge *j) { return strcmp(j->type, "fixed") != 0; }

static int find_link(const tree *t, const char *name) {
  for (int i = 0; i < t->nlink; i++)
    if (strcmp(t->link[i].name, name) == 0) return i;
  return -1;
}

/* ---- collecting ---- */

static rbv_status need_attribute(const char **out, const tree *t, const rbv_element *e,
                                 const char *name) {
  *out = e ? rbv_element_attribute(e, name) : NULL;
  if (*out && **out) return RBV_OK;
  return rbv_element_fail(RBV_EINPUT, t->xml, e, "<%s> needs the attribute '%s'",
                          rbv_element_tag(e), name);
}

static rbv_status collect_links(tree *t, const rbv_element *robot) {
  for (const rbv_element *e = rbv_element_child(robot, "link"); e;
       e = rbv_element_next(e, "link")) {
    const char *name;
    RBV_TRY(need_attribute(&name, t, e, "name"));
    if (find_link(t, name) >= 0)
      return rbv_element_fail(RBV_EINPUT, t->xml, e, "two links are called '%s'", name);
    t->link[t->nlink++] = (link){e, name, -1};
  }
  return RBV_OK;
}

/* the link that <parent link="..."/> or <child link="..."/> names */
static rbv_status end_of(int *out, const tree *t, const rbv_element *joint, const char *name,
                         const char *tag) {
  const rbv_element *e = rbv_element_child(joint, tag);
  const char *target;
  if (!e) return rbv_element_fail(RBV_EINPUT, t->xml, joint, "joint '%s' has no <%s>", name, tag);
  RBV_TRY(need_attribute(&target, t, e, "link"));
  *out = find_link(t, target);
  if (*out < 0)
    return rbv_element_fail(RBV_EINPUT, t->xml, e,
                            "joint '%s' names link '%s', which does not exist", name, target);
  return RBV_OK;
}

/* angles of a joint are snapped if the options ask for it; without a joint name they are used
 * unchanged */
static rbv_status read_pose(rbv_pose *pose, tree *t, const rbv_element *origin, const char *joint) {
  static const char *const what[3] = {"roll", "pitch", "yaw"};
  double rpy[3] = {0}, s[3], c[3];
  *pose = rbv_pose_identity;
  if (!origin) return RBV_OK;
  RBV_TRY(rbv_element_reals(pose->p, 3, t->xml, origin, "xyz"));
  RBV_TRY(rbv_element_reals(rpy, 3, t->xml, origin, "rpy"));
  for (int i = 0; i < 3; i++)
    if (joint)
      RBV_TRY(rbv_draft_angle(&s[i], &c[i], &rpy[i], t->draft, joint, what[i]));
    else
      rbv_exact_sincos(&s[i], &c[i], &rpy[i], false);
  rbv_rotation_rpy(pose->R, s, c);
  return RBV_OK;
}

static rbv_status collect_joints(tree *t, const rbv_element *robot) {
  for (const rbv_element *e = rbv_element_child(robot, "joint"); e;
       e = rbv_element_next(e, "joint")) {
    edge j = {.element = e, .axis = {1, 0, 0}};
    RBV_TRY(need_attribute(&j.name, t, e, "name"));
    RBV_TRY(need_attribute(&j.type, t, e, "type"));
    for (int i = 0; i < t->njoint; i++)
      if (strcmp(t->joint[i].name, j.name) == 0)
        return rbv_element_fail(RBV_EINPUT, t->xml, e, "two joints are called '%s'", j.name);
    RBV_TRY(end_of(&j.parent, t, e, j.name, "parent"));
    RBV_TRY(end_of(&j.child, t, e, j.name, "child"));
    if (t->link[j.child].joint >= 0)
      return rbv_element_fail(RBV_EINPUT, t->xml, e, "link '%s' has two parents",
                              t->link[j.child].name);
    RBV_TRY(read_pose(&j.pose, t, rbv_element_child(e, "origin"), j.name));
    const rbv_element *axis = rbv_element_child(e, "axis");
    if (axis) RBV_TRY(rbv_element_reals(j.axis, 3, t->xml, axis, "xyz"));
    const int line = rbv_element_line(axis ? axis : e);
    if (moves(&j)) RBV_TRY(rbv_draft_axis(j.axis, t->draft, j.name, line));
    t->link[j.child].joint = t->njoint;
    t->joint[t->njoint++] = j;
  }
  return RBV_OK;
}

/* ---- the chain ---- */

/* joints between the root and a link; -1 if the joints form a loop */
static int depth(const tree *t, int at) {
  int steps = 0;
  while (t->link[at].joint >= 0 && steps <= t->njoint) {
    at = t->joint[t->link[at].joint].parent;
    steps++;
  }
  return steps <= t->njoint ? steps : -1;
}

static rbv_status check_root(const tree *t) {
  int root = -1, second = -1;
  for (int i = 0; i < t->nlink; i++) {
    const link *l = &t->link[i];
    if (depth(t, i) < 0)
      return rbv_element_fail(RBV_EINPUT, t->xml, l->element,
                              "the joints form a loop through link '%s'", l->name);
    if (l->joint >= 0) continue;
    if (root < 0)
      root = i;
    else if (second < 0)
      second = i;
  }
  if (second < 0) return RBV_OK;
  return rbv_element_fail(RBV_EINPUT, t->xml, t->link[second].element,
                          "the links are not connected: '%s' and '%s' both have no parent",
                          t->link[root].name, t->link[second].name);
}

static void mark_chain(tree *t, int tip) {
  for (int i = 0; i < t->njoint; i++) t->joint[i].on_chain = false;
  for (int at = tip; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent)
    t->joint[t->link[at].joint].on_chain = true;
}

/* is a link on the way from the root to another one, or that one itself? */
static bool is_above(const tree *t, int upper, int at) {
  while (at != upper && t->link[at].joint >= 0) at = t->joint[t->link[at].joint].parent;
  return at == upper;
}

/* the link where the moving joints branch: the last one with all of them above or below it */
static int find_branch(const tree *t) {
  int branch = -1;
  for (int i = 0; i < t->nlink; i++) {
    bool all = true;
    for (int j = 0; j < t->njoint && all; j++)
      if (moves(&t->joint[j]))
        all = is_above(t, i, t->joint[j].parent) || is_above(t, t->joint[j].child, i);
    if (all && (branch < 0 || depth(t, i) > depth(t, branch))) branch = i;
  }
  return branch;
}

/* moving joints between the root and a link */
static int count_moving(const tree *t, int at) {
  int count = 0;
  for (; t->link[at].joint >= 0; at = t->joint[t->link[at].joint].parent)
    count += moves(&t->joint[t->link[at].joint]);
  return count;
}

/* fingers: behind the branch a joint mimics another one, or all joints slide */
static bool is_gripper(const tree *t, int branch) {
  bool mimics = false, slide = true;
  for (int j = 0; j < t->njoint; j++) {
    const edge *e = &t->joint[j];
    if (!moves(e) || is_above(t, e->child, branch)) continue;
    mimics = mimics || rbv_element_child(e->element, "mimic");
    slide = slide && strcmp(e->type, "prismatic") == 0;
  }
  return count_moving(t, branch) > 0 && (mimics || slide);
}

static rbv_status refuse_tree(const tree *t, int branch) {
  rbv_text names = {0};
  if (count_moving(t, branch) > 0) rbv_text_put(&names, t->link[branch].name);
  for (int i = 0; i < t->nlink; i++) {
    bool leaf = true;
    for (int j = 0; j < t->njoint; j++) leaf = leaf && t->joint[j].parent != i;
    if (leaf) rbv_text_print(&names, "%s%s", names.size ? ", " : "", t->link[i].name);
  }
  const char *list = rbv_text_string(&names);
  const rbv_status status =
      list ? rbv_fail_option(RBV_EUNSUPPORTED, "tip",
                             "%s: the moving joints branch at link '%s'; choose the link where the "
                             "arm ends: %s",
                             t->draft->file, t->link[branch].name, list)
           : RBV_EMEM;
  rbv_text_free(&names);
  return status;
}

/* where a robot ends whose moving joints branch: before its gripper */
static rbv_status end_at_branch(int *tip, tree *t) {
  *tip = find_branch(t);
  if (!is_gripper(t, *tip)) return refuse_tree(t, *tip);
  mark_chain(t, *tip);
  return rbv_draft_add_note(t->draft,
                            "the arm ends at link '%s'; the joints behind it are a gripper's",
                            t->link[*tip].name);
}

/* the chosen tip, or the end of the only moving chain */
static rbv_status choose_tip(int *tip, tree *t) {
  const char *wanted = t->draft->options->tip;
  if (wanted) {
    *tip = find_link(t, wanted);
    if (*tip < 0)
      return rbv_fail(RBV_EINPUT, "%s: there is no link '%s' for the end of the chain",
                      t->draft->file, wanted);
    mark_chain(t, *tip);
    return RBV_OK;
  }
  *tip = -1;
  for (int j = 0; j < t->njoint; j++)
    if (moves(&t->joint[j]) && (*tip < 0 || depth(t, t->joint[j].child) > depth(t, *tip)))
      *tip = t->joint[j].child;
  if (*tip < 0) return rbv_fail(RBV_EINPUT, "%s: the robot has no moving joint", t->draft->file);
  mark_chain(t, *tip);
  for (int j = 0; j < t->njoint; j++)
    if (moves(&t->joint[j]) && !t->joint[j].on_chain) return end_at_branch(tip, t);
  return RBV_OK;
}

/* ---- bodies ---- */

static rbv_status remark_on_inertia(tree *t, const char *link_name, const double I[9]) {
  double moment[3];
  RBV_TRY(rbv_eigen_symmetric(moment, NULL, I, 3, 3));
  const double slack = 1e-9 * fabs(moment[2]);
  if (moment[0] < -slack)
    return rbv_draft_add_note(t->draft,
                              "link '%s': its inertia is not positive definite (smallest principal "
                              "moment %.3g kg m^2); as a prior it is doubtful",
                              link_name, moment[0]);
  if (moment[0] + moment[1] < moment[2] - slack)
    return rbv_draft_add_note(
        t->draft,
        "link '%s': its principal moments %.3g, %.3g, %.3g kg m^2 violate the "
        "triangle inequality; as a prior they are doubtful",
        link_name, moment[0], moment[1], moment[2]);
  return RBV_OK;
}

/* the ten parameters of a link in its own frame; *found: it has <inertial> */
static rbv_status read_inertial(double out[RBV_INERTIAL], bool *found, tree *t, const link *l) {
  static const char *const key[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  memset(out, 0, RBV_INERTIAL * sizeof *out);
  const rbv_element *e = rbv_element_child(l->element, "inertial");
  *found = e != NULL;
  if (!e) return RBV_OK;
  double body[RBV_INERTIAL] = {0};
  const rbv_element *mass = rbv_element_child(e, "mass"),
                    *inertia = rbv_element_child(e, "inertia");
  if (mass) RBV_TRY(rbv_element_reals(&body[9], 1, t->xml, mass, "value"));
  for (int i = 0; i < 6 && inertia; i++)
    RBV_TRY(rbv_element_reals(&body[i], 1, t->xml, inertia, key[i]));
  if (body[9] < 0)
    return rbv_element_fail(RBV_EINPUT, t->xml, mass, "link '%s' has the mass %g kg", l->name,
                            body[9]);
  const double I[9] = {body[0], body[1], body[2], body[1], body[3],
                       body[4], body[2], body[4], body[5]};
  RBV_TRY(remark_on_inertia(t, l->name, I));

  // given about the centre of mass, in the axes of the inertial origin
  rbv_pose pose;
  RBV_TRY(read_pose(&pose, t, rbv_element_child(e, "origin"), NULL));
  rbv_inertial_transform(out, body, &pose);
  return RBV_OK;
}

/* pose of a link in the frame of the moving link that carries it; -1: the ground carries it */
static int carrier(rbv_pose *pose, const tree *t, int at) {
  *pose = rbv_pose_identity;
  while (t->link[at].joint >= 0) {
    const edge *j = &t->joint[t->link[at].joint];
    if (j->on_chain && moves(j)) return at;
    *pose = rbv_pose_multiply(&j->pose, pose);
    at = j->parent;
  }
  return -1;
}

static rbv_status merge_bodies(tree *t, const int *draft_of_link) {
  for (int i = 0; i < t->nlink; i++) {
    double body[RBV_INERTIAL], moved[RBV_INERTIAL];
    bool found;
    rbv_pose pose;
    const int at = carrier(&pose, t, i);
    if (at < 0) continue;
    RBV_TRY(read_inertial(body, &found, t, &t->link[i]));
    if (!found) continue;
    t->draft->has_priors = true;
    rbv_inertial_transform(moved, body, &pose);
    for (int c = 0; c < RBV_INERTIAL; c++)
      t->draft->joint[draft_of_link[at]].inertial[c] += moved[c];
  }
  for (int j = 0; j < t->njoint; j++)
    if (moves(&t->joint[j]) && !t->joint[j].on_chain)
      RBV_TRY(rbv_draft_add_note(t->draft,
                                 "joint '%s' is not on the chain: its child bodies are treated as "
                                 "rigid, at its zero position",
                                 t->joint[j].name));
  return RBV_OK;
}

/* every <collision> as a capsule of the moving link that carries it, or of the base */
static rbv_status collect_shapes(tree *t, const int *draft_of_link) {
  for (int i = 0; i < t->nlink; i++) {
    rbv_pose carried;
    const int at = carrier(&carried, t, i);
    bool whole = true;
    for (const rbv_element *e = rbv_element_child(t->link[i].element, "collision"); e;
         e = rbv_element_next(e, "collision")) {
      rbv_rod rod;
      rbv_pose pose;
      bool found;
      rbv_capsule capsule = {.link = at < 0 ? 0 : draft_of_link[at] + 1, .around = true};
      RBV_TRY(read_pose(&pose, t, rbv_element_child(e, "origin"), NULL));
      RBV_TRY(rbv_rod_read(&rod, &found, t->xml, rbv_element_child(e, "geometry")));
      whole = whole && found;
      if (!found) continue;
      pose = rbv_pose_multiply(&carried, &pose);
      rbv_rod_capsule(&capsule, &rod, &pose);
      RBV_TRY(rbv_draft_add_capsule(t->draft, &capsule));
    }
    if (!whole) RBV_TRY(rbv_draft_add_shapeless(t->draft, t->link[i].name));
  }
  return RBV_OK;
}

/* the fixed frame that is farthest from the origin of the last link */
static void find_tip(tree *t, const int *draft_of_link) {
  double farthest = 0;
  for (int i = 0; i < t->nlink; i++) {
    rbv_pose pose;
    const int at = carrier(&pose, t, i);
    if (at < 0 || draft_of_link[at] != t->draft->njoint - 1) continue;
    const double far = sqrt(pose.p[0] * pose.p[0] + pose.p[1] * pose.p[1] + pose.p[2] * pose.p[2]);
    if (!(far > farthest)) continue;
    farthest = far;
    memcpy(t->draft->tip, pose.p, sizeof pose.p);
  }
}

/* ---- joints of the chain ---- */

static rbv_status read_limits(draft_joint *joint, const tree *t, const edge *j) {
  const rbv_element *e = rbv_element_child(j->element, "limit");
  rbv_limits *l = &joint->limits;
  if (!e) return RBV_OK;
  if (strcmp(j->type, "continuous") != 0) {
    l->lower = l->upper = 0;  // the URDF default for a missing value
    RBV_TRY(rbv_element_reals(&l->lower, 1, t->xml, e, "lower"));
    RBV_TRY(rbv_element_reals(&l->upper, 1, t->xml, e, "upper"));
  }
  RBV_TRY(rbv_element_reals(&l->velocity, 1, t->xml, e, "velocity"));
  RBV_TRY(rbv_element_reals(&l->effort, 1, t->xml, e, "effort"));
  // exporters write 0 for "not known"
  if (l->lower == 0 && l->upper == 0) {
    l->lower = -INFINITY;
    l->upper = INFINITY;
  }
  if (!(l->velocity > 0)) l->velocity = INFINITY;
  if (!(l->effort > 0)) l->effort = INFINITY;
  if (l->lower > l->upper)
    return rbv_element_fail(RBV_EINPUT, t->xml, e, "joint '%s': the lower limit is above the upper",
                            j->name);
  return RBV_OK;
}

static rbv_status check_type(const tree *t, const edge *j) {
  if (rbv_element_child(j->element, "mimic"))
    return rbv_element_fail(RBV_EUNSUPPORTED, t->xml, j->element,
                            "joint '%s' mimics another one; mimic joints on the chain are not "
                            "supported (choose a tip before it)",
                            j->name);
  const char *const known[] = {"fixed", "revolute", "continuous", "prismatic"};
  for (int i = 0; i < RBV_COUNT(known); i++)
    if (strcmp(known[i], j->type) == 0) return RBV_OK;
  return rbv_element_fail(RBV_EUNSUPPORTED, t->xml, j->element,
                          "joint '%s' is of type '%s'; supported are revolute, continuous, "
                          "prismatic and fixed",
                          j->name, j->type);
}

static rbv_status add_moving(tree *t, const edge *j, const rbv_pose *before) {
  draft_joint *joint = rbv_draft_add_joint(t->draft, j->name);
  if (!joint) return RBV_EMEM;
  const rbv_pose pose = rbv_pose_multiply(before, &j->pose);
  joint_geometry *g = &joint->geometry;
  g->type = strcmp(j->type, "prismatic") == 0 ? RBV_JOINT_PRISMATIC : RBV_JOINT_REVOLUTE;
  memcpy(g->axis, j->axis, sizeof g->axis);
  memcpy(g->origin, pose.p, sizeof g->origin);
  rbv_joint_compile(g, pose.R);
  rbv_draft_default_drive(joint);
  RBV_TRY(read_limits(joint, t, j));
  const rbv_element *dynamics = rbv_element_child(j->element, "dynamics");
  if (dynamics) {
    t->draft->has_priors = true;
    RBV_TRY(rbv_element_reals(&joint->damping, 1, t->xml, dynamics, "damping"));
    RBV_TRY(rbv_element_reals(&joint->friction, 1, t->xml, dynamics, "friction"));
  }
  return RBV_OK;
}

/* from the root to the tip; draft_of_link gives the draft joint that moves a link */
static rbv_status walk_chain(tree *t, int *draft_of_link) {
  int at = 0;
  while (t->link[at].joint >= 0) at = t->joint[t->link[at].joint].parent;
  rbv_pose before = rbv_pose_identity;
  for (;;) {
    int next = -1;
    for (int j = 0; j < t->njoint; j++)
      if (t->joint[j].on_chain && t->joint[j].parent == at) next = j;
    if (next < 0) return RBV_OK;
    const edge *j = &t->joint[next];
    RBV_TRY(check_type(t, j));
    if (moves(j)) {
      RBV_TRY(add_moving(t, j, &before));
      before = rbv_pose_identity;
      draft_of_link[j->child] = t->draft->njoint - 1;
    } else {
      before = rbv_pose_multiply(&before, &j->pose);
    }
    at = j->child;
  }
}

static rbv_status read_tree(tree *t, const rbv_element *robot, int *draft_of_link) {
  RBV_TRY(collect_links(t, robot));
  RBV_TRY(collect_joints(t, robot));
  if (t->nlink == 0) return rbv_fail(RBV_EINPUT, "%s: the URDF has no link", t->draft->file);
  RBV_TRY(check_root(t));
  int tip;
  RBV_TRY(choose_tip(&tip, t));
  RBV_TRY(walk_chain(t, draft_of_link));
  RBV_TRY(merge_bodies(t, draft_of_link));
  find_tip(t, draft_of_link);
  return collect_shapes(t, draft_of_link);
}

static int count(const rbv_element *robot, const char *tag) {
  int n = 0;
  for (const rbv_element *e = rbv_element_child(robot, tag); e; e = rbv_element_next(e, tag)) n++;
  return n;
}

/* elements of the macro language xacro: without them expanded, parts of the robot are missing */
static rbv_status refuse_macros(const rbv_draft *draft, const rbv_xml *urdf) {
  const rbv_element *macro = rbv_xml_root(urdf);
  while (macro && strncmp(rbv_element_tag(macro), "xacro:", 6) != 0)
    macro = rbv_element_following(macro);
  if (!macro) return RBV_OK;
  return rbv_element_fail(RBV_EINPUT, urdf, macro,
                          "<%s> is a macro that is not expanded; run `xacro %s > robot.urdf` and "
                          "use robot.urdf",
                          rbv_element_tag(macro), draft->file);
}

rbv_status rbv_draft_read_urdf(rbv_draft *draft, rbv_xml *urdf) {
  draft->urdf = urdf;  // the draft owns it from here on
  const rbv_element *robot = rbv_xml_root(urdf);
  RBV_TRY(refuse_macros(draft, urdf));
  if (strcmp(rbv_element_tag(robot), "robot") != 0)
    return rbv_element_fail(
        RBV_EINPUT, urdf, robot, "the root is <%s>; a URDF begins with <robot>%s",
        rbv_element_tag(robot),
        strcmp(rbv_element_tag(robot), "mujoco") == 0 ? " (this is an MJCF file)" : "");
  const int nlink = count(robot, "link"), njoint = count(robot, "joint");
  if (nlink > BODIES_MAX || njoint > BODIES_MAX)
    return rbv_fail(RBV_EINPUT, "%s: %d links and %d joints; the limit is %d", draft->file, nlink,
                    njoint, BODIES_MAX);
  const char *name = rbv_element_attribute(robot, "name");
  draft->name = rbv_strdup(name ? name : draft->file);
  if (draft->name) rbv_clean(draft->name);
  draft->payload = draft->options->payload;
  tree t = {.draft = draft, .xml = urdf};
  t.link = rbv_alloc((size_t)(nlink + 1) * sizeof *t.link);
  t.joint = rbv_alloc((size_t)(njoint + 1) * sizeof *t.joint);
  int *draft_of_link = rbv_alloc((size_t)(nlink + 1) * sizeof *draft_of_link);
  rbv_status status = RBV_EMEM;
  if (draft->name && t.link && t.joint && draft_of_link)
    status = read_tree(&t, robot, draft_of_link);
  rbv_free(t.link);
  rbv_free(t.joint);
  rbv_free(draft_of_link);
  return status;
}
