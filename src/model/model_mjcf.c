/*
 * MJCF: bodies, joints, inertials, geoms and sites into a robot tree. A body with several joints
 * becomes a chain of links without mass. The frame of a link is that of its body, moved to the
 * position of its joint.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/mesh_box.h"
#include "model/mjcf_geom.h"
#include "model/model_formats.h"

#define SNAP_QUATERNION 1e-5  // rad: a quaternion with five or more digits

typedef enum { FROM_AUTO, FROM_GEOMS, FROM_INERTIAL } inertia_source;

typedef struct {
  double angle;      // rad per unit of the file
  char sequence[4];  // of Euler angles; lower case: about the axes that have been turned
  bool limited_by_range;
  inertia_source source;
  double group[2];  // of geoms whose inertia counts
  const char *meshdir;
} compiler_options;

typedef struct {
  robot_tree *t;
  mjcf_document doc;
  compiler_options options;
  // per node: the link whose content it is, -1: none; its class; its frame in that of the link
  int *link, *class;
  rbv_pose *pose;
  // per link: the sum over its geoms
  double (*geoms)[RBV_INERTIAL];
  bool *has_geoms, *has_mesh;
  int floating;  // node of a body that floats, -1: none
} mjcf;

/* ---- options ---- */

static bool is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

static rbv_status read_compiler(mjcf *m, const tree_place *at) {
  compiler_options *o = &m->options;
  const rbv_element *e = at->element;
  const char *text = rbv_element_attribute(e, "angle");
  if (text && !is_word(text, "radian") && !is_word(text, "degree"))
    return rbv_tree_fail(RBV_EINPUT, at, "angle can be radian or degree, not '%s'", text);
  if (text) o->angle = is_word(text, "radian") ? 1 : RBV_PI / 180;
  if ((text = rbv_element_attribute(e, "eulerseq"))) {
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
      return rbv_tree_fail(RBV_EINPUT, at, "eulerseq is three of x, y, z, X, Y, Z, not '%s'", text);
    memcpy(o->sequence, text, 4);
  }
  if ((text = rbv_element_attribute(e, "autolimits")))
    o->limited_by_range = !is_word(text, "false");
  if ((text = rbv_element_attribute(e, "inertiafromgeom")))
    o->source = is_word(text, "true")    ? FROM_GEOMS
                : is_word(text, "false") ? FROM_INERTIAL
                                         : FROM_AUTO;
  if ((text = rbv_element_attribute(e, "meshdir")) || (text = rbv_element_attribute(e, "assetdir")))
    o->meshdir = text;
  if (is_word(rbv_element_attribute(e, "coordinate"), "global"))
    return rbv_tree_fail(RBV_EUNSUPPORTED, at, "global coordinates are not supported");
  RBV_TRY(rbv_element_reals(o->group, 2, at->xml, e, "inertiagrouprange"));
  static const char *const ignored[] = {"boundmass", "boundinertia", "settotalmass"};
  bool changes = is_word(rbv_element_attribute(e, "balanceinertia"), "true");
  for (int i = 0; i < RBV_COUNT(ignored); i++) {
    double value = 0;
    RBV_TRY(rbv_element_reals(&value, 1, at->xml, e, ignored[i]));
    changes = changes || value > 0;
  }
  if (!changes) return RBV_OK;
  return rbv_draft_add_note(
      m->t->draft,
      "boundmass, boundinertia, balanceinertia and settotalmass of <compiler> "
      "are not applied: inertials are read as the file gives them");
}

static rbv_status read_options(mjcf *m) {
  m->options = (compiler_options){.angle = RBV_PI / 180,
                                  .sequence = "xyz",
                                  .limited_by_range = true,
                                  .group = {-INFINITY, INFINITY}};
  for (int i = 1; i < m->doc.nnode; i++) {
    const mjcf_node *n = &m->doc.node[i];
    if (n->parent != 0) continue;
    if (rbv_mjcf_is(&m->doc, i, "compiler")) RBV_TRY(read_compiler(m, &n->at));
    if (rbv_mjcf_is(&m->doc, i, "option"))
      RBV_TRY(rbv_element_reals(m->t->draft->gravity, 3, n->at.xml, n->at.element, "gravity"));
  }
  return RBV_OK;
}

/* ---- poses ---- */

/* a rotation about one coordinate axis by nearly a multiple of pi/12 is exact */
static rbv_status read_quaternion(double R[9], mjcf *m, const double q[4], const char *joint) {
  rbv_rotation_quaternion(R, q);
  int axis = -1, other = 0;
  for (int i = 0; i < 3; i++) {
    if (q[1 + i] == 0) continue;
    axis = i;
    other++;
  }
  if (!joint || other != 1) return RBV_OK;
  double angle = 2 * atan2(q[1 + axis], q[0]), s, c;
  const double given = angle, exact = rint(angle / (RBV_PI / 12)) * (RBV_PI / 12);
  if (m->t->draft->options->snap && fabs(angle - exact) < SNAP_QUATERNION) angle = exact;
  const double unit[3] = {axis == 0, axis == 1, axis == 2};
  rbv_rotation_axis(R, unit, angle);
  if (angle == given) return RBV_OK;
  double snapped = given;
  // records the change
  return rbv_draft_angle(&s, &c, &snapped, m->t->draft, joint, "quat");
}

static void multiply_rotation(double R[9], const double A[9], const double B[9]) {
  rbv_pose a = rbv_pose_identity, b = rbv_pose_identity;
  memcpy(a.R, A, sizeof a.R);
  memcpy(b.R, B, sizeof b.R);
  a = rbv_pose_multiply(&a, &b);
  memcpy(R, a.R, sizeof a.R);
}

static rbv_status read_euler(double R[9], mjcf *m, const double x[3], const char *joint) {
  memcpy(R, rbv_pose_identity.R, sizeof rbv_pose_identity.R);
  for (int i = 0; i < 3; i++) {
    const char axis = m->options.sequence[i];
    double angle = x[i] * m->options.angle, s, c, turn[9];
    if (joint) RBV_TRY(rbv_draft_angle(&s, &c, &angle, m->t->draft, joint, "euler"));
    const double unit[3] = {axis == 'x' || axis == 'X', axis == 'y' || axis == 'Y',
                            axis == 'z' || axis == 'Z'};
    rbv_rotation_axis(turn, unit, angle);
    // upper case: about the axes of the parent
    if (axis >= 'a')
      multiply_rotation(R, R, turn);
    else
      multiply_rotation(R, turn, R);
  }
  return RBV_OK;
}

/* the columns: x, and y made orthogonal to it */
static bool axes_rotation(double R[9], const double v[6]) {
  double x[3], y[3], dot = 0;
  const double nx = hypot(hypot(v[0], v[1]), v[2]);
  for (int i = 0; i < 3; i++) x[i] = v[i] / nx;
  for (int i = 0; i < 3; i++) dot += x[i] * v[3 + i];
  for (int i = 0; i < 3; i++) y[i] = v[3 + i] - dot * x[i];
  const double ny = hypot(hypot(y[0], y[1]), y[2]);
  if (!(nx > 1e-12) || !(ny > 1e-12)) return false;
  for (int i = 0; i < 3; i++) y[i] /= ny;
  const double z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                       x[0] * y[1] - x[1] * y[0]};
  for (int i = 0; i < 3; i++) {
    R[3 * i] = x[i];
    R[3 * i + 1] = y[i];
    R[3 * i + 2] = z[i];
  }
  return true;
}

/* one of the ways to give an orientation, at one element */
static rbv_status read_orientation(double R[9], bool *found, mjcf *m, const tree_place *at,
                                   const char *joint) {
  static const struct {
    const char *name;
    int count;
  } way[] = {{"euler", 3}, {"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"quat", 4}};
  double x[6] = {0};
  int k = 0;
  while (k < RBV_COUNT(way) && !rbv_element_attribute(at->element, way[k].name)) k++;
  *found = k < RBV_COUNT(way);
  if (!*found) return RBV_OK;
  RBV_TRY(rbv_element_reals(x, way[k].count, at->xml, at->element, way[k].name));
  double size = 0;
  for (int i = 0; i < way[k].count; i++) size = hypot(size, x[i]);
  bool valid = true;
  switch (k) {
    case 0: RBV_TRY(read_euler(R, m, x, joint)); break;
    case 1: {
      double angle = x[3] * m->options.angle, s, c;
      if (joint) RBV_TRY(rbv_draft_angle(&s, &c, &angle, m->t->draft, joint, "axisangle"));
      valid = hypot(hypot(x[0], x[1]), x[2]) > 1e-12;
      rbv_rotation_axis(R, x, angle);
      break;
    }
    case 2: valid = axes_rotation(R, x); break;
    case 3:
      valid = size > 1e-12;
      rbv_rotation_of_z(R, x);
      break;
    case 4:
      valid = size > 1e-12;
      RBV_TRY(read_quaternion(R, m, x, joint));
      break;
  }
  if (valid && isfinite(R[0])) return RBV_OK;
  return rbv_tree_fail(RBV_EINPUT, at, "%s of <%s> has no direction", way[k].name,
                       rbv_element_tag(at->element));
}

/* position and orientation; joint: name for recording changes of angles, NULL: no changes */
static rbv_status read_pose(rbv_pose *out, mjcf *m, const mjcf_levels *levels, const char *joint) {
  *out = rbv_pose_identity;
  RBV_TRY(rbv_mjcf_reals(out->p, 3, levels, "pos"));
  bool found = false;
  for (int k = 0; k < levels->count && !found; k++)
    RBV_TRY(read_orientation(out->R, &found, m, &levels->at[k], joint));
  return RBV_OK;
}

/* ---- joints ---- */

static rbv_status read_limits(tree_joint *j, const mjcf *m, const mjcf_levels *levels) {
  const double unit = j->motion == TREE_REVOLUTE ? m->options.angle : 1;
  const char *limited = rbv_mjcf_text(levels, "limited");
  double range[2] = {0, 0}, force[2] = {0, 0};
  RBV_TRY(rbv_mjcf_reals(range, 2, levels, "range"));
  const bool automatic = !limited || is_word(limited, "auto");
  if ((is_word(limited, "true") || (automatic && m->options.limited_by_range)) &&
      range[0] < range[1]) {
    j->limits.lower = unit * range[0];
    j->limits.upper = unit * range[1];
  }
  RBV_TRY(rbv_mjcf_reals(force, 2, levels, "actuatorfrcrange"));
  const double effort = fmax(fabs(force[0]), fabs(force[1]));
  if (effort > 0) j->limits.effort = effort;
  return RBV_OK;
}

static rbv_status read_drive(tree_joint *j, const mjcf *m, const mjcf_levels *levels) {
  const double unit = j->motion == TREE_REVOLUTE ? m->options.angle : 1;
  double pair[2] = {0, 0};
  RBV_TRY(rbv_mjcf_reals(&j->armature, 1, levels, "armature"));
  RBV_TRY(rbv_mjcf_reals(&j->damping, 1, levels, "damping"));
  RBV_TRY(rbv_mjcf_reals(&j->friction, 1, levels, "frictionloss"));
  RBV_TRY(rbv_mjcf_reals(&j->stiffness, 1, levels, "stiffness"));
  RBV_TRY(rbv_mjcf_reals(&j->rest, 1, levels, "springref"));
  RBV_TRY(rbv_mjcf_reals(pair, 2, levels, "springdamper"));
  j->rest *= unit;
  j->has_drive = j->armature != 0 || j->damping != 0 || j->friction != 0;
  if (pair[0] > 0 || pair[1] > 0)
    j->refuse = "has springdamper, whose stiffness MuJoCo computes; give stiffness and damping";
  return RBV_OK;
}

static tree_motion motion_of(const char *type) {
  if (!type || is_word(type, "hinge")) return TREE_REVOLUTE;
  return is_word(type, "slide") ? TREE_PRISMATIC : TREE_OTHER;
}

/* name of an element, or one made from the body's name and a number */
static void name_of(char *out, size_t size, const tree_place *at, const char *body, int number) {
  const char *name = rbv_element_attribute(at->element, "name");
  if (name)
    snprintf(out, size, "%s", name);
  else
    snprintf(out, size, "%s_%d", body, number);
}

/*
 * A joint of a body, and the link that it moves. before: of the body in the frame of the parent;
 * pos: position of the joint in the frame of the body; the link of the last joint is the body.
 */
static rbv_status add_joint(mjcf *m, int node, int class, const rbv_pose *before, double pos[3],
                            int parent, const char *body, int number, bool last) {
  robot_tree *t = m->t;
  mjcf_levels levels;
  char name[256];
  RBV_TRY(rbv_mjcf_levels(&levels, &m->doc, node, class));
  const tree_place at = levels.at[0];
  name_of(name, sizeof name, &at, body, number);
  if (rbv_tree_find_joint(t, name) >= 0)
    return rbv_tree_fail(RBV_EINPUT, &at, "two joints are called '%s'", name);
  tree_joint *j = rbv_tree_add_joint(t, name);
  if (!j) return RBV_EMEM;
  const char *type = rbv_mjcf_text(&levels, "type");
  j->at = at;
  j->motion = rbv_mjcf_is(&m->doc, node, "freejoint") ? TREE_OTHER : motion_of(type);
  j->type = type ? type : rbv_mjcf_is(&m->doc, node, "freejoint") ? "free" : "hinge";
  j->parent = parent;
  j->child = t->nlink;
  // the frame of the joint has the axes of the body
  double new_pos[3] = {0, 0, 0}, reference = 0;
  RBV_TRY(rbv_mjcf_reals(new_pos, 3, &levels, "pos"));
  rbv_pose shift = rbv_pose_identity;
  for (int i = 0; i < 3; i++) shift.p[i] = new_pos[i] - pos[i];
  memcpy(pos, new_pos, sizeof new_pos);
  j->pose = rbv_pose_multiply(before, &shift);
  j->axis[2] = 1;
  RBV_TRY(rbv_mjcf_reals(j->axis, 3, &levels, "axis"));
  if (j->motion != TREE_OTHER)
    RBV_TRY(rbv_draft_axis(j->axis, t->draft, name, rbv_element_line(at.element)));
  RBV_TRY(rbv_mjcf_reals(&reference, 1, &levels, "ref"));
  j->offset = -reference * (j->motion == TREE_REVOLUTE ? m->options.angle : 1);
  j->offset += 0.0;  // not -0
  RBV_TRY(read_limits(j, m, &levels));
  RBV_TRY(read_drive(j, m, &levels));
  // the names of intermediate links cannot be those of bodies: XML names have no line break
  char between[300];
  snprintf(between, sizeof between, "%.200s\n%d", body, number);
  tree_link *l = rbv_tree_add_link(t, last ? body : between);
  if (!l) return RBV_EMEM;
  l->joint = t->njoint - 1;
  l->is_frame = !last;
  for (int i = 0; i < 3; i++) l->content.p[i] = -new_pos[i] + 0.0;
  return RBV_OK;
}

/* ---- bodies ---- */

static rbv_status add_fixed(mjcf *m, int parent, const char *name, const rbv_pose *pose,
                            const tree_place *at) {
  tree_joint *j = rbv_tree_add_joint(m->t, name);
  if (!j) return RBV_EMEM;
  *j = (tree_joint){.name = j->name,
                    .at = *at,
                    .type = "fixed",
                    .parent = parent,
                    .leader = -1,
                    .child = m->t->nlink,
                    .pose = *pose};
  tree_link *l = rbv_tree_add_link(m->t, name);
  if (!l) return RBV_EMEM;
  l->joint = m->t->njoint - 1;
  return RBV_OK;
}

static bool is_joint(const mjcf *m, int i) {
  return rbv_mjcf_is(&m->doc, i, "joint") || rbv_mjcf_is(&m->doc, i, "freejoint");
}

/* the next joint of a body after node i; the number of nodes: there is none */
static int next_joint(const mjcf *m, int body, int i) {
  // nodes of the body's contents follow it and have parents at or behind it
  for (i++; i < m->doc.nnode && m->doc.node[i].parent >= body; i++)
    if (m->doc.node[i].parent == body && is_joint(m, i)) return i;
  return m->doc.nnode;
}

/* has a body a joint inside, other than this one? */
static bool moves_inside(const mjcf *m, int body, int joint) {
  for (int i = body + 1; i < m->doc.nnode && m->doc.node[i].parent >= body; i++)
    if (i != joint && is_joint(m, i)) return true;
  return false;
}

static rbv_status add_body(mjcf *m, int i) {
  robot_tree *t = m->t;
  const mjcf_node *n = &m->doc.node[i];
  if (t->nlink >= TREE_MAX || t->njoint >= TREE_MAX)
    return rbv_tree_fail(RBV_EINPUT, &n->at, "more than %d bodies or joints", TREE_MAX);
  char name[256];
  name_of(name, sizeof name, &n->at, "body", i);
  if (rbv_tree_find_link(t, name) >= 0)
    return rbv_tree_fail(RBV_EINPUT, &n->at, "two bodies are called '%s'", name);
  const int parent = m->link[n->parent];
  RBV_TRY(rbv_mjcf_class(&m->class[i], &m -> doc, i, "childclass", m->class[n->parent]));
  int joint = next_joint(m, i, i);
  if (parent == 0 && joint < m->doc.nnode && m->doc.node[n->parent].parent == 0) {
    // an object of the scene that floats is no part of an arm
    mjcf_levels levels;
    RBV_TRY(rbv_mjcf_levels(&levels, &m->doc, joint, m->class[i]));
    const bool floats =
        rbv_mjcf_is(&m->doc, joint, "freejoint") || is_word(rbv_mjcf_text(&levels, "type"), "free");
    if (floats && moves_inside(m, i, joint)) {
      // a robot that floats: its base is held
      joint = m->doc.nnode;
      t->floating = t->nlink;
      if (!t->draft->options->free_base) {
        t->draft->free_base = true;
        RBV_TRY(rbv_draft_add_note(t->draft, "body '%s' floats freely: it is held at rest", name));
      }
    } else if (floats) {
      m->floating = i;
      m->link[i] = -1;
      return rbv_draft_add_note(t->draft, "body '%s' floats freely: it is left out", name);
    }
  }
  mjcf_levels own = {.count = 1, .at = {n->at}};
  rbv_pose local;
  RBV_TRY(read_pose(&local, m, &own, name));
  rbv_pose before = rbv_pose_multiply(&m->pose[n->parent], &local);
  if (joint >= m->doc.nnode) {
    RBV_TRY(add_fixed(m, parent, name, &before, &n->at));
  } else {
    int carrier = parent, number = 1;
    double pos[3] = {0};
    for (; joint < m->doc.nnode; number++) {
      const int next = next_joint(m, i, joint);
      if (t->njoint >= TREE_MAX)
        return rbv_tree_fail(RBV_EINPUT, &n->at, "more than %d joints", TREE_MAX);
      RBV_TRY(add_joint(m, joint, m->class[i], &before, pos, carrier, name, number,
                        next >= m->doc.nnode));
      carrier = t->nlink - 1;
      before = rbv_pose_identity;
      joint = next;
    }
  }
  m->link[i] = t->nlink - 1;
  tree_link *l = &t->link[t->nlink - 1];
  l->at = n->at;
  m->pose[i] = l->content;
  return RBV_OK;
}

static rbv_status add_frame(mjcf *m, int i) {
  const mjcf_node *n = &m->doc.node[i];
  const mjcf_levels own = {.count = 1, .at = {n->at}};
  rbv_pose local;
  RBV_TRY(rbv_mjcf_class(&m->class[i], &m -> doc, i, "childclass", m->class[n->parent]));
  RBV_TRY(read_pose(&local, m, &own, "frame"));
  m->link[i] = m->link[n->parent];
  m->pose[i] = rbv_pose_multiply(&m->pose[n->parent], &local);
  return RBV_OK;
}

/* a site is a frame without a body */
static rbv_status add_site(mjcf *m, int i) {
  const mjcf_node *n = &m->doc.node[i];
  const char *name = rbv_element_attribute(n->at.element, "name");
  if (!name || rbv_tree_find_link(m->t, name) >= 0) return RBV_OK;
  if (m->t->nlink >= TREE_MAX || m->t->njoint >= TREE_MAX)
    return rbv_tree_fail(RBV_EINPUT, &n->at, "more than %d bodies, joints and sites", TREE_MAX);
  mjcf_levels levels;
  rbv_pose local;
  RBV_TRY(rbv_mjcf_levels(&levels, &m->doc, i, m->class[n->parent]));
  RBV_TRY(read_pose(&local, m, &levels, NULL));
  local = rbv_pose_multiply(&m->pose[n->parent], &local);
  RBV_TRY(add_fixed(m, m->link[n->parent], name, &local, &n->at));
  m->t->link[m->t->nlink - 1].is_frame = true;
  return RBV_OK;
}

/* ---- inertia and shapes ---- */

static rbv_status read_inertial(mjcf *m, int i) {
  const mjcf_node *n = &m->doc.node[i];
  tree_link *l = &m->t->link[m->link[n->parent]];
  const rbv_element *e = n->at.element;
  const mjcf_levels own = {.count = 1, .at = {n->at}};
  double body[RBV_INERTIAL] = {0}, diagonal[3] = {0}, full[6] = {0};
  if (l->has_inertial)
    return rbv_tree_fail(RBV_EINPUT, &n->at, "body '%s' has two inertials", l->name);
  rbv_pose pose;
  RBV_TRY(read_pose(&pose, m, &own, NULL));
  RBV_TRY(rbv_element_reals(&body[9], 1, n->at.xml, e, "mass"));
  RBV_TRY(rbv_element_reals(diagonal, 3, n->at.xml, e, "diaginertia"));
  RBV_TRY(rbv_element_reals(full, 6, n->at.xml, e, "fullinertia"));
  if (body[9] < 0)
    return rbv_tree_fail(RBV_EINPUT, &n->at, "body '%s' has the mass %g kg", l->name, body[9]);
  static const int place[6] = {0, 3, 5, 1, 2, 4};  // xx yy zz xy xz yz
  const bool is_full = rbv_element_attribute(e, "fullinertia");
  if (is_full) memcpy(pose.R, rbv_pose_identity.R, sizeof pose.R);
  for (int k = 0; k < 6; k++) body[place[k]] = is_full ? full[k] : k < 3 ? diagonal[k] : 0;
  pose = rbv_pose_multiply(&m->pose[n->parent], &pose);
  rbv_inertial_transform(l->inertial, body, &pose);
  l->has_inertial = true;
  l->inertial_at = n->at;
  return RBV_OK;
}

/* the file of a mesh of <asset>; NULL: there is none */
static const rbv_element *find_mesh(const mjcf *m, const char *name) {
  for (int i = 0; i < m->doc.nnode; i++) {
    const mjcf_node *n = &m->doc.node[i];
    if (n->parent < 0 || !rbv_mjcf_is(&m->doc, i, "mesh") ||
        !rbv_mjcf_is(&m->doc, n->parent, "asset"))
      continue;
    const char *own = rbv_element_attribute(n->at.element, "name");
    const char *file = rbv_element_attribute(n->at.element, "file");
    if (own && strcmp(own, name) == 0) return n->at.element;
    if (own || !file) continue;
    // without a name: that of the file, without folder and ending
    const char *slash = strrchr(file, '/');
    if (slash) file = slash + 1;
    const char *dot = strrchr(file, '.');
    const size_t length = dot ? (size_t)(dot - file) : strlen(file);
    if (strlen(name) == length && strncmp(file, name, length) == 0) return n->at.element;
  }
  return NULL;
}

/* the mesh of a geom: its rod, and its inertial parameters for 1 kg/m^3, mass 0 without a volume */
static rbv_status read_mesh(rbv_rod *out, double solid[RBV_INERTIAL], bool *found, const mjcf *m,
                            const char *name) {
  const rbv_element *mesh = find_mesh(m, name);
  const char *file = mesh ? rbv_element_attribute(mesh, "file") : NULL;
  double low[3], high[3], scale[3] = {1, 1, 1};
  *found = false;
  if (!file) return RBV_OK;
  RBV_TRY(rbv_element_reals(scale, 3, m->t->xml, mesh, "scale"));
  rbv_text path = {0};
  if (m->options.meshdir && file[0] != '/') rbv_text_print(&path, "%s/", m->options.meshdir);
  rbv_text_put(&path, file);
  const char *name_of_file = rbv_text_string(&path);
  const rbv_status status = name_of_file
                                ? rbv_mesh_find(low, high, solid, found, rbv_xml_name(m->t->xml),
                                                name_of_file, NULL, scale)
                                : RBV_EMEM;
  rbv_text_free(&path);
  if (status == RBV_OK && *found) *out = rbv_rod_of_box(low, high);
  // moved and turned before use
  if (rbv_element_attribute(mesh, "refpos") || rbv_element_attribute(mesh, "refquat")) solid[9] = 0;
  return status;
}

/* what a geom adds to the body of its link; solid: of its mesh */
static void add_inertia(mjcf *m, int link, const mjcf_geom *geom, const rbv_pose *pose,
                        const double solid[RBV_INERTIAL], bool shell) {
  double moved[RBV_INERTIAL], own[RBV_INERTIAL];
  const bool mesh = geom->kind == GEOM_MESH;
  const bool known = mesh ? geom->of_mesh && solid[9] > 0 && !shell : !shell;
  if (geom->kind == GEOM_NO_BODY) return;
  m->has_mesh[link] = m->has_mesh[link] || !known;
  m->has_geoms[link] = m->has_geoms[link] || known;
  if (!known) return;
  const double density = !mesh ? 1 : isnan(geom->mass) ? geom->density : geom->mass / solid[9];
  for (int c = 0; c < RBV_INERTIAL; c++) own[c] = mesh ? density * solid[c] : geom->inertial[c];
  rbv_inertial_transform(moved, own, pose);
  for (int c = 0; c < RBV_INERTIAL; c++) m->geoms[link][c] += moved[c];
}

static rbv_status add_geom(mjcf *m, int i) {
  const mjcf_node *n = &m->doc.node[i];
  const int link = m->link[n->parent];
  mjcf_levels levels;
  mjcf_geom geom;
  rbv_pose pose;
  RBV_TRY(rbv_mjcf_levels(&levels, &m->doc, i, m->class[n->parent]));
  RBV_TRY(rbv_mjcf_geom(&geom, &levels));
  if (geom.has_ends)
    pose = geom.ends;
  else
    RBV_TRY(read_pose(&pose, m, &levels, NULL));
  pose = rbv_pose_multiply(&m->pose[n->parent], &pose);
  const bool counts = geom.group >= m->options.group[0] && geom.group <= m->options.group[1];
  // an <inertial> takes the place of shapes
  const bool weighs = m->options.source == FROM_GEOMS ||
                      (m->options.source == FROM_AUTO &&
                       !rbv_element_child(m->t->link[link].at.element, "inertial"));
  double solid[RBV_INERTIAL] = {0};
  bool found = false;
  if (geom.mesh && (geom.collides || (counts && weighs && geom.kind == GEOM_MESH)))
    RBV_TRY(read_mesh(&geom.rod, solid, &found, m, geom.mesh));
  if (counts)
    add_inertia(m, link, &geom, &pose, solid,
                is_word(rbv_mjcf_text(&levels, "shellinertia"), "true"));
  if (!geom.collides) return RBV_OK;
  if (geom.mesh) m->t->link[link].shapeless = m->t->link[link].shapeless || !found;
  if (geom.kind == GEOM_PRIMITIVE) found = true;
  return found ? rbv_tree_add_shape(m->t, link, &geom.rod, &pose) : RBV_OK;
}

/* which inertia counts */
static void choose_inertia(mjcf *m) {
  for (int i = 0; i < m->t->nlink; i++) {
    tree_link *l = &m->t->link[i];
    if (m->options.source == FROM_INERTIAL) continue;
    if (l->has_inertial && m->options.source == FROM_AUTO) continue;
    l->locked = m->options.source == FROM_GEOMS;
    if (m->has_mesh[i])
      l->unknown =
          "takes mass from a mesh that is not there or has no volume; give it an <inertial>";
    l->has_inertial = m->has_geoms[i];
    memcpy(l->inertial, m->geoms[i], sizeof l->inertial);
  }
}

/* ---- the document ---- */

/* elements that make bodies by themselves */
static const char *const generators[] = {"attach", "composite", "flexcomp", "replicate"};

static rbv_status read_node(mjcf *m, int i) {
  const mjcf_node *n = &m->doc.node[i];
  m->link[i] = -1;
  if (n->parent == 0 && rbv_mjcf_is(&m->doc, i, "worldbody")) {
    m->link[i] = 0;
    m->pose[i] = rbv_pose_identity;
    return rbv_mjcf_class(&m->class[i], &m -> doc, i, "childclass", 0);
  }
  if (n->parent < 0 || m->link[n->parent] < 0) return RBV_OK;
  const char *tag = rbv_element_tag(n->at.element);
  if (strcmp(tag, "body") == 0) return add_body(m, i);
  if (strcmp(tag, "frame") == 0) return add_frame(m, i);
  if (strcmp(tag, "inertial") == 0 && m->link[n->parent] > 0) return read_inertial(m, i);
  if (strcmp(tag, "geom") == 0) return add_geom(m, i);
  if (strcmp(tag, "site") == 0) return add_site(m, i);
  for (int k = 0; k < RBV_COUNT(generators); k++)
    if (strcmp(tag, generators[k]) == 0)
      return rbv_tree_fail(RBV_EUNSUPPORTED, &n->at,
                           "<%s> makes bodies, which is not supported; write the bodies themselves",
                           tag);
  return RBV_OK;
}

static rbv_status read_document(mjcf *m) {
  RBV_TRY(read_options(m));
  if (!rbv_tree_add_link(m->t, "world")) return RBV_EMEM;
  m->t->link[0].at = m->doc.node[0].at;
  for (int i = 0; i < m->doc.nnode; i++) RBV_TRY(read_node(m, i));
  choose_inertia(m);
  RBV_TRY(rbv_mjcf_constraints(m->t, &m->doc));
  RBV_TRY(rbv_mjcf_actuators(m->t, &m->doc, m->options.limited_by_range));
  bool moves = false;
  for (int j = 0; j < m->t->njoint; j++) moves = moves || m->t->joint[j].motion != TREE_FIXED;
  if (!moves && m->floating >= 0)
    return rbv_tree_fail(RBV_EUNSUPPORTED, &m->doc.node[m->floating].at,
                         "the robot floats freely; the base of an arm must be fixed to the world");
  return RBV_OK;
}

rbv_status rbv_mjcf_collect(robot_tree *t) {
  mjcf m = {.t = t, .floating = -1};
  RBV_TRY(rbv_mjcf_open(&m.doc, t));
  const size_t n = (size_t)m.doc.nnode;
  m.link = rbv_alloc(n * sizeof *m.link);
  m.class = rbv_alloc(n * sizeof *m.class);
  m.pose = rbv_alloc(n * sizeof *m.pose);
  // at most one link per node, and the world
  const size_t links = n < 2 * TREE_MAX ? n + 1 : 2 * TREE_MAX + 1;
  m.geoms = rbv_alloc(links * sizeof *m.geoms);
  m.has_geoms = rbv_alloc(links * sizeof *m.has_geoms);
  m.has_mesh = rbv_alloc(links * sizeof *m.has_mesh);
  rbv_status status = RBV_EMEM;
  if (m.link && m.class && m.pose && m.geoms && m.has_geoms && m.has_mesh)
    status = read_document(&m);
  rbv_free(m.link);
  rbv_free(m.class);
  rbv_free(m.pose);
  rbv_free(m.geoms);
  rbv_free(m.has_geoms);
  rbv_free(m.has_mesh);
  rbv_mjcf_close(&m.doc);
  return status;
}
