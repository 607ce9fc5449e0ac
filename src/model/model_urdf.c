/* URDF: links, joints, inertials and <collision> into a robot tree. */
#include <math.h>
#include <string.h>

#include "model/mesh_box.h"
#include "model/model_formats.h"

static rbv_status need_attribute(const char **out, const tree_place *at, const char *name) {
  *out = rbv_element_attribute(at->element, name);
  if (*out && **out) return RBV_OK;
  return rbv_tree_fail(RBV_EINPUT, at, "<%s> needs the attribute '%s'",
                       rbv_element_tag(at->element), name);
}

/* angles of a joint are snapped if the options ask for it; without a joint name they are used
 * unchanged */
static rbv_status read_pose(rbv_pose *pose, robot_tree *t, const rbv_element *origin,
                            const char *joint) {
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

/* ---- links ---- */

/* the ten parameters of a link in its own frame */
static rbv_status read_inertial(robot_tree *t, tree_link *l) {
  static const char *const key[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const rbv_element *e = rbv_element_child(l->at.element, "inertial");
  if (!e) return RBV_OK;
  l->has_inertial = true;
  l->inertial_at = (tree_place){t->xml, e};
  double body[RBV_INERTIAL] = {0};
  const rbv_element *mass = rbv_element_child(e, "mass"),
                    *inertia = rbv_element_child(e, "inertia");
  if (mass) RBV_TRY(rbv_element_reals(&body[9], 1, t->xml, mass, "value"));
  for (int i = 0; i < 6 && inertia; i++)
    RBV_TRY(rbv_element_reals(&body[i], 1, t->xml, inertia, key[i]));
  if (body[9] < 0)
    return rbv_element_fail(RBV_EINPUT, t->xml, mass, "link '%s' has the mass %g kg", l->name,
                            body[9]);
  // given about the centre of mass, in the axes of the inertial origin
  rbv_pose pose;
  RBV_TRY(read_pose(&pose, t, rbv_element_child(e, "origin"), NULL));
  rbv_inertial_transform(l->inertial, body, &pose);
  return RBV_OK;
}

static rbv_status need_size(const double *x, int n, const rbv_xml *urdf, const rbv_element *e) {
  for (int i = 0; i < n; i++)
    if (!(x[i] >= 0))
      return rbv_element_fail(RBV_EINPUT, urdf, e, "<%s> has a size that is missing or negative",
                              rbv_element_tag(e));
  return RBV_OK;
}

static rbv_status read_mesh(rbv_rod *out, bool *found, const robot_tree *t, const rbv_element *e) {
  const char *name = rbv_element_attribute(e, "filename");
  double low[3], high[3], scale[3] = {1, 1, 1};
  RBV_TRY(rbv_element_reals(scale, 3, t->xml, e, "scale"));
  if (!name) return RBV_OK;
  RBV_TRY(rbv_mesh_find(low, high, NULL, found, rbv_xml_name(t->xml), name,
                        t->draft->options->packages, scale));
  if (*found) *out = rbv_rod_of_box(low, high);
  return RBV_OK;
}

/* <geometry>: sphere, cylinder, box or mesh; *found is false for anything else */
static rbv_status read_geometry(rbv_rod *out, bool *found, const robot_tree *t,
                                const rbv_element *geometry) {
  const rbv_element *e = geometry ? rbv_element_child(geometry, NULL) : NULL;
  *found = false;
  if (!e) return RBV_OK;
  const char *tag = rbv_element_tag(e);
  double x[3] = {-1, -1, -1};
  if (strcmp(tag, "mesh") == 0) return read_mesh(out, found, t, e);
  if (strcmp(tag, "sphere") == 0) {
    RBV_TRY(rbv_element_reals(&x[0], 1, t->xml, e, "radius"));
    RBV_TRY(need_size(x, 1, t->xml, e));
    *out = (rbv_rod){.radius = x[0]};
  } else if (strcmp(tag, "cylinder") == 0) {
    RBV_TRY(rbv_element_reals(&x[0], 1, t->xml, e, "radius"));
    RBV_TRY(rbv_element_reals(&x[1], 1, t->xml, e, "length"));
    RBV_TRY(need_size(x, 2, t->xml, e));
    *out = (rbv_rod){.axis = 2, .half = x[1] / 2, .radius = x[0]};
  } else if (strcmp(tag, "box") == 0) {
    RBV_TRY(rbv_element_reals(x, 3, t->xml, e, "size"));
    RBV_TRY(need_size(x, 3, t->xml, e));
    const double high[3] = {x[0] / 2, x[1] / 2, x[2] / 2};
    const double low[3] = {-high[0], -high[1], -high[2]};
    *out = rbv_rod_of_box(low, high);
  } else {
    return RBV_OK;
  }
  *found = true;
  return RBV_OK;
}

static rbv_status read_collisions(robot_tree *t, int link) {
  const rbv_element *e = rbv_element_child(t->link[link].at.element, "collision");
  for (; e; e = rbv_element_next(e, "collision")) {
    rbv_rod rod;
    rbv_pose pose;
    bool found;
    RBV_TRY(read_pose(&pose, t, rbv_element_child(e, "origin"), NULL));
    RBV_TRY(read_geometry(&rod, &found, t, rbv_element_child(e, "geometry")));
    if (found)
      RBV_TRY(rbv_tree_add_shape(t, link, &rod, &pose));
    else
      t->link[link].shapeless = true;
  }
  return RBV_OK;
}

static rbv_status collect_links(robot_tree *t, const rbv_element *robot) {
  const rbv_element *e = rbv_element_child(robot, "link");
  for (; e; e = rbv_element_next(e, "link")) {
    const tree_place at = {t->xml, e};
    const char *name;
    RBV_TRY(need_attribute(&name, &at, "name"));
    if (rbv_tree_find_link(t, name) >= 0)
      return rbv_tree_fail(RBV_EINPUT, &at, "two links are called '%s'", name);
    tree_link *l = rbv_tree_add_link(t, name);
    if (!l) return RBV_EMEM;
    l->at = at;
    RBV_TRY(read_inertial(t, l));
    RBV_TRY(read_collisions(t, t->nlink - 1));
  }
  return RBV_OK;
}

/* ---- joints ---- */

/* the link that <parent link="..."/> or <child link="..."/> names */
static rbv_status end_of(int *out, const robot_tree *t, const tree_joint *j, const char *tag) {
  const tree_place at = {t->xml, rbv_element_child(j->at.element, tag)};
  const char *target;
  if (!at.element) return rbv_tree_fail(RBV_EINPUT, &j->at, "joint '%s' has no <%s>", j->name, tag);
  RBV_TRY(need_attribute(&target, &at, "link"));
  *out = rbv_tree_find_link(t, target);
  if (*out < 0)
    return rbv_tree_fail(RBV_EINPUT, &at, "joint '%s' names link '%s', which does not exist",
                         j->name, target);
  return RBV_OK;
}

static rbv_status read_limits(tree_joint *j, const robot_tree *t) {
  const rbv_element *e = rbv_element_child(j->at.element, "limit");
  rbv_limits *l = &j->limits;
  if (!e) return RBV_OK;
  j->limits_at = (tree_place){t->xml, e};
  if (strcmp(j->type, "continuous") != 0) {
    l->lower = l->upper = 0;  // the URDF default for a missing value
    RBV_TRY(rbv_element_reals(&l->lower, 1, t->xml, e, "lower"));
    RBV_TRY(rbv_element_reals(&l->upper, 1, t->xml, e, "upper"));
  }
  RBV_TRY(rbv_element_reals(&l->velocity, 1, t->xml, e, "velocity"));
  RBV_TRY(rbv_element_reals(&l->effort, 1, t->xml, e, "effort"));
  RBV_TRY(rbv_element_reals(&l->acceleration, 1, t->xml, e, "acceleration"));
  RBV_TRY(rbv_element_reals(&l->jerk, 1, t->xml, e, "jerk"));
  // exporters write 0 for "not known"
  if (l->lower == 0 && l->upper == 0) {
    l->lower = -INFINITY;
    l->upper = INFINITY;
  }
  if (!(l->velocity > 0)) l->velocity = INFINITY;
  if (!(l->effort > 0)) l->effort = INFINITY;
  if (!(l->acceleration > 0)) l->acceleration = INFINITY;
  if (!(l->jerk > 0)) l->jerk = INFINITY;
  return RBV_OK;
}

/* soft limits, at which the drive turns the joint back */
static rbv_status read_safety(tree_joint *j, const robot_tree *t) {
  const rbv_element *e = rbv_element_child(j->at.element, "safety_controller");
  double lower = 0, upper = 0;
  if (!e) return RBV_OK;
  RBV_TRY(rbv_element_reals(&lower, 1, t->xml, e, "soft_lower_limit"));
  RBV_TRY(rbv_element_reals(&upper, 1, t->xml, e, "soft_upper_limit"));
  lower = fmax(lower, j->limits.lower);
  upper = fmin(upper, j->limits.upper);
  if (lower < upper) {
    j->limits.lower = lower;
    j->limits.upper = upper;
  }
  return RBV_OK;
}

static tree_motion motion_of(const char *type) {
  static const struct {
    const char *type;
    tree_motion motion;
  } known[] = {{"fixed", TREE_FIXED},
               {"revolute", TREE_REVOLUTE},
               {"continuous", TREE_REVOLUTE},
               {"prismatic", TREE_PRISMATIC}};
  for (int i = 0; i < RBV_COUNT(known); i++)
    if (strcmp(known[i].type, type) == 0) return known[i].motion;
  return TREE_OTHER;
}

static rbv_status read_joint(tree_joint *j, robot_tree *t) {
  RBV_TRY(end_of(&j->parent, t, j, "parent"));
  RBV_TRY(end_of(&j->child, t, j, "child"));
  tree_link *child = &t->link[j->child];
  if (child->joint >= 0)
    return rbv_tree_fail(RBV_EINPUT, &j->at, "link '%s' has two parents", child->name);
  child->joint = (int)(j - t->joint);
  RBV_TRY(read_pose(&j->pose, t, rbv_element_child(j->at.element, "origin"), j->name));
  const rbv_element *axis = rbv_element_child(j->at.element, "axis");
  j->axis[0] = 1;
  if (axis) RBV_TRY(rbv_element_reals(j->axis, 3, t->xml, axis, "xyz"));
  const int line = rbv_element_line(axis ? axis : j->at.element);
  if (j->motion != TREE_FIXED) RBV_TRY(rbv_draft_axis(j->axis, t->draft, j->name, line));
  RBV_TRY(read_limits(j, t));
  RBV_TRY(read_safety(j, t));
  const rbv_element *dynamics = rbv_element_child(j->at.element, "dynamics");
  if (!dynamics) return RBV_OK;
  j->has_drive = true;
  RBV_TRY(rbv_element_reals(&j->damping, 1, t->xml, dynamics, "damping"));
  return rbv_element_reals(&j->friction, 1, t->xml, dynamics, "friction");
}

static rbv_status collect_joints(robot_tree *t, const rbv_element *robot) {
  const rbv_element *e = rbv_element_child(robot, "joint");
  for (; e; e = rbv_element_next(e, "joint")) {
    const tree_place at = {t->xml, e};
    const char *name, *type;
    RBV_TRY(need_attribute(&name, &at, "name"));
    RBV_TRY(need_attribute(&type, &at, "type"));
    if (rbv_tree_find_joint(t, name) >= 0)
      return rbv_tree_fail(RBV_EINPUT, &at, "two joints are called '%s'", name);
    tree_joint *j = rbv_tree_add_joint(t, name);
    if (!j) return RBV_EMEM;
    j->at = at;
    j->type = type;
    j->motion = motion_of(type);
    RBV_TRY(read_joint(j, t));
  }
  return RBV_OK;
}

/* joints that mimic others, and those that they mimic */
static rbv_status mark_mimics(robot_tree *t) {
  for (int j = 0; j < t->njoint; j++) {
    const rbv_element *mimic = rbv_element_child(t->joint[j].at.element, "mimic");
    if (!mimic) continue;
    const char *leader = rbv_element_attribute(mimic, "joint");
    const int other = leader ? rbv_tree_find_joint(t, leader) : -1;
    tree_joint *joint = &t->joint[j];
    joint->bound = true;
    if (other >= 0) t->joint[other].bound = true;
    const tree_place at = {t->xml, mimic};
    if (other < 0)
      return rbv_tree_fail(RBV_EINPUT, &at, "joint '%s' mimics a joint that does not exist%s%s",
                           joint->name, leader ? ": " : "", leader ? leader : "");
    joint->leader = other;
    joint->multiplier = 1;
    RBV_TRY(rbv_element_reals(&joint->multiplier, 1, t->xml, mimic, "multiplier"));
    RBV_TRY(rbv_element_reals(&joint->mimic_offset, 1, t->xml, mimic, "offset"));
  }
  return RBV_OK;
}

/* ---- the document ---- */

static int count(const rbv_element *robot, const char *tag) {
  int n = 0;
  for (const rbv_element *e = rbv_element_child(robot, tag); e; e = rbv_element_next(e, tag)) n++;
  return n;
}

/* elements of the macro language xacro: without them expanded, parts of the robot are missing */
static rbv_status refuse_macros(const robot_tree *t) {
  const rbv_element *macro = rbv_xml_root(t->xml);
  while (macro && strncmp(rbv_element_tag(macro), "xacro:", 6) != 0)
    macro = rbv_element_following(macro);
  if (!macro) return RBV_OK;
  return rbv_element_fail(RBV_EINPUT, t->xml, macro,
                          "<%s> is a macro that is not expanded; run `xacro %s > robot.urdf` and "
                          "use robot.urdf",
                          rbv_element_tag(macro), t->draft->file);
}

rbv_status rbv_urdf_collect(robot_tree *t) {
  const rbv_element *robot = rbv_xml_root(t->xml);
  RBV_TRY(refuse_macros(t));
  const int nlink = count(robot, "link"), njoint = count(robot, "joint");
  if (nlink > TREE_MAX || njoint > TREE_MAX)
    return rbv_fail(RBV_EINPUT, "%s: %d links and %d joints; the limit is %d", t->draft->file,
                    nlink, njoint, TREE_MAX);
  RBV_TRY(collect_links(t, robot));
  RBV_TRY(collect_joints(t, robot));
  return mark_mimics(t);
}
