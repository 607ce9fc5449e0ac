/* The robot YAML: modified Denavit-Hartenberg joints or a URDF beside it, drives, transmission. */
#include <stdio.h>
#include <string.h>

#include "model/model_draft.h"

#define JOINTS_MAX 1000  // a longer list is treated as an error

/* ---- geometry ---- */

/* a joint of the file, moving or fixed */
typedef struct {
  const char *name;
  bool fixed;
  rbv_joint_type type;
  rbv_pose pose;  // at q + offset = 0
  double axis[3];
  double offset;
  bool has_mdh;
  double alpha_sin, alpha_cos, d;
} placed;

static rbv_status read_mdh(placed *j, rbv_draft *draft, const rbv_node *node) {
  static const char *const keys[] = {"alpha", "d", "theta", "r", NULL};
  RBV_TRY(rbv_node_only_keys(node, keys));
  double value[4] = {0};
  for (int k = 0; k < 4; k++) {
    const rbv_node *entry = rbv_node_find(node, keys[k]);
    if (entry) RBV_TRY(rbv_node_real(&value[k], entry));
  }
  double alpha = value[0], theta = value[2], sa, ca, st, ct;
  const double d = value[1], r = value[3];
  RBV_TRY(rbv_draft_angle(&sa, &ca, &alpha, draft, j->name, "mdh alpha"));
  RBV_TRY(rbv_draft_angle(&st, &ct, &theta, draft, j->name, "mdh theta"));

  // Rot_x(alpha) Trans_x(d) Rot_z(theta) Trans_z(r); the variable of theta and r becomes the offset
  const rbv_pose before = {.R = {1, 0, 0, 0, ca, -sa, 0, sa, ca}, .p = {d, 0, 0}};
  const bool turns = !j->fixed && j->type == RBV_JOINT_REVOLUTE;
  const bool slides = !j->fixed && j->type == RBV_JOINT_PRISMATIC;
  rbv_pose after = rbv_pose_identity;
  if (!turns) {
    const double Rz[9] = {ct, -st, 0, st, ct, 0, 0, 0, 1};
    memcpy(after.R, Rz, sizeof Rz);
  }
  if (!slides) after.p[2] = r;
  j->pose = rbv_pose_multiply(&before, &after);
  j->offset = turns ? theta : slides ? r : 0;
  j->axis[0] = j->axis[1] = 0;
  j->axis[2] = 1;
  j->has_mdh = true;
  j->alpha_sin = sa;
  j->alpha_cos = ca;
  j->d = d;
  return RBV_OK;
}

static rbv_status read_origin(placed *j, rbv_draft *draft, const rbv_node *origin,
                              const rbv_node *axis) {
  static const char *const keys[] = {"xyz", "rpy", NULL};
  double rpy[3] = {0}, s[3], c[3];
  j->pose = rbv_pose_identity;
  if (origin) {
    RBV_TRY(rbv_node_only_keys(origin, keys));
    if (rbv_node_find(origin, "xyz"))
      RBV_TRY(rbv_node_reals(j->pose.p, 3, rbv_node_find(origin, "xyz")));
    if (rbv_node_find(origin, "rpy")) RBV_TRY(rbv_node_reals(rpy, 3, rbv_node_find(origin, "rpy")));
  }
  static const char *const what[3] = {"roll", "pitch", "yaw"};
  for (int i = 0; i < 3; i++)
    RBV_TRY(rbv_draft_angle(&s[i], &c[i], &rpy[i], draft, j->name, what[i]));
  rbv_rotation_rpy(j->pose.R, s, c);
  j->axis[0] = j->axis[1] = 0;
  j->axis[2] = 1;
  if (!axis) return RBV_OK;
  RBV_TRY(rbv_node_reals(j->axis, 3, axis));
  return rbv_draft_axis(j->axis, draft, j->name, rbv_node_line(axis));
}

static rbv_status read_type(placed *j, const rbv_node *node) {
  const char *type = "revolute";
  if (node) RBV_TRY(rbv_node_string(&type, node));
  j->type = RBV_JOINT_REVOLUTE;
  j->fixed = strcmp(type, "fixed") == 0;
  if (strcmp(type, "prismatic") == 0) {
    j->type = RBV_JOINT_PRISMATIC;
  } else if (!j->fixed && strcmp(type, "revolute") != 0) {
    return rbv_node_fail(RBV_EINPUT, node,
                         "joint type '%s' is not known: it can be revolute, prismatic or fixed",
                         type);
  }
  return RBV_OK;
}

/* ---- limits, drive and values of a joint ---- */

static rbv_status read_limits(rbv_limits *limits, const rbv_node *node) {
  static const char *const keys[] = {"lower", "upper",  "velocity", "acceleration",
                                     "jerk",  "effort", NULL};
  double *const target[] = {&limits->lower,        &limits->upper, &limits->velocity,
                            &limits->acceleration, &limits->jerk,  &limits->effort};
  RBV_TRY(rbv_node_only_keys(node, keys));
  for (int k = 0; keys[k]; k++) {
    const rbv_node *entry = rbv_node_find(node, keys[k]);
    if (!entry) continue;
    RBV_TRY(rbv_node_real(target[k], entry));
    if (k >= 2 && !(*target[k] > 0))
      return rbv_node_fail(RBV_EINPUT, entry, "limit '%s' must be positive", keys[k]);
  }
  if (!(limits->lower < limits->upper))
    return rbv_node_fail(RBV_EINPUT, node, "the lower limit is not below the upper one");
  return RBV_OK;
}

static rbv_status read_drive(draft_joint *joint, const rbv_node *node) {
  if (rbv_node_get_kind(node) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, node, "drive must be a list such as [Ia, Fv, Fc, off]");
  joint->ndrive = 0;
  for (int i = 0; i < rbv_node_count(node); i++) {
    const char *kind;
    RBV_TRY(rbv_node_string(&kind, rbv_node_at(node, i)));
    for (int k = 0; k < i; k++)
      if (strcmp(rbv_node_text(rbv_node_at(node, k)), kind) == 0)
        return rbv_node_fail(RBV_EINPUT, rbv_node_at(node, i), "'%s' is listed twice", kind);
    if (rbv_draft_add_drive(joint, kind)) continue;
    char known[256] = "";
    for (int k = 0; rbv_drive_column_name(k); k++)
      snprintf(known + strlen(known), sizeof known - strlen(known), " %s",
               rbv_drive_column_name(k));
    return rbv_node_fail(RBV_EINPUT, rbv_node_at(node, i),
                         "'%s' is not a drive column; there are%s", kind, known);
  }
  return RBV_OK;
}

/* shape parameters of the friction laws by name: of one joint, or common to all */
static rbv_status read_friction(double shape[LAW_SHAPE_KINDS], const rbv_node *node) {
  const char *keys[LAW_SHAPE_KINDS + 1] = {NULL};
  for (int i = 0; rbv_shape_kind(i); i++) keys[i] = rbv_shape_kind(i)->name;
  RBV_TRY(rbv_node_only_keys(node, keys));
  for (int i = 0; keys[i]; i++) {
    const rbv_node *entry = rbv_node_find(node, keys[i]);
    if (!entry) continue;
    RBV_TRY(rbv_node_real(&shape[i], entry));
    const bool positive = rbv_shape_kind(i)->positive;
    if (shape[i] < 0 || (positive && !(shape[i] > 0)))
      return rbv_node_fail(RBV_EINPUT, entry, "%s must %s", keys[i],
                           positive ? "be above zero" : "not be negative");
  }
  return RBV_OK;
}

/* values by name without the joint's number, or by full name (joint < 0) */
static rbv_status read_values(rbv_draft *draft, const rbv_node *node, int joint) {
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "parameters must be a map from names to numbers");
  for (int i = 0; i < rbv_node_count(node); i++) {
    double value;
    char name[64];
    RBV_TRY(rbv_node_real(&value, rbv_node_at(node, i)));
    if (joint >= 0)
      snprintf(name, sizeof name, "%s%d", rbv_node_key(node, i), joint + 1);
    else
      snprintf(name, sizeof name, "%s", rbv_node_key(node, i));
    RBV_TRY(rbv_draft_add_value(draft, name, value, false, rbv_node_at(node, i)));
  }
  return RBV_OK;
}

/* inertial values of a fixed joint's body, moved into the frame of the joint that carries it and
 * added to its parameters */
static rbv_status merge_fixed(rbv_draft *draft, const rbv_node *node, const rbv_pose *pose) {
  static const char *const keys[] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ",
                                     "MX", "MY", "MZ", "M",  NULL};
  RBV_TRY(rbv_node_only_keys(node, keys));
  double body[RBV_INERTIAL] = {0}, moved[RBV_INERTIAL];
  for (int c = 0; c < RBV_INERTIAL; c++)
    if (rbv_node_find(node, keys[c]))
      RBV_TRY(rbv_node_real(&body[c], rbv_node_find(node, keys[c])));
  if (draft->njoint == 0) return RBV_OK;  // fixed to the ground
  rbv_inertial_transform(moved, body, pose);
  for (int c = 0; c < RBV_INERTIAL; c++) {
    char name[16];
    snprintf(name, sizeof name, "%s%d", keys[c], draft->njoint);
    RBV_TRY(rbv_draft_add_value(draft, name, moved[c], true, node));
  }
  return RBV_OK;
}

static rbv_status read_moving(rbv_draft *draft, const placed *j, const rbv_pose *before,
                              const rbv_node *node) {
  for (int i = 0; i < draft->njoint; i++)
    if (strcmp(draft->joint[i].name, j->name) == 0)
      return rbv_node_fail(RBV_EINPUT, node, "two joints are called '%s'", j->name);
  draft_joint *joint = rbv_draft_add_joint(draft, j->name);
  if (!joint) return RBV_EMEM;
  joint_geometry *g = &joint->geometry;
  const rbv_pose pose = rbv_pose_multiply(before, &j->pose);
  g->type = j->type;
  memcpy(g->axis, j->axis, sizeof g->axis);
  memcpy(g->origin, pose.p, sizeof g->origin);
  g->offset = j->offset;
  // with a fixed joint in between, the step is not a modified Denavit-Hartenberg one
  g->has_mdh = j->has_mdh && memcmp(before, &rbv_pose_identity, sizeof *before) == 0;
  g->mdh_alpha_sin = j->alpha_sin;
  g->mdh_alpha_cos = j->alpha_cos;
  g->mdh_d = j->d;
  rbv_joint_compile(g, pose.R);

  rbv_draft_default_drive(joint);
  if (rbv_node_find(node, "drive")) RBV_TRY(read_drive(joint, rbv_node_find(node, "drive")));
  if (rbv_node_find(node, "friction"))
    RBV_TRY(read_friction(joint->shape, rbv_node_find(node, "friction")));
  if (rbv_node_find(node, "limits"))
    RBV_TRY(read_limits(&joint->limits, rbv_node_find(node, "limits")));
  if (rbv_node_find(node, "parameters"))
    RBV_TRY(read_values(draft, rbv_node_find(node, "parameters"), draft->njoint - 1));
  return RBV_OK;
}

static rbv_status read_joint(rbv_draft *draft, rbv_pose *before, const rbv_node *node, int index) {
  static const char *const keys[] = {"name",  "type",     "mdh",    "origin",     "axis",
                                     "drive", "friction", "limits", "parameters", NULL};
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "a joint must be a map with name, type and mdh");
  RBV_TRY(rbv_node_only_keys(node, keys));
  char number[24];
  snprintf(number, sizeof number, "joint%d", index + 1);
  placed j = {.name = number};
  if (rbv_node_find(node, "name")) RBV_TRY(rbv_node_string(&j.name, rbv_node_find(node, "name")));
  RBV_TRY(read_type(&j, rbv_node_find(node, "type")));
  const rbv_node *mdh = rbv_node_find(node, "mdh"), *origin = rbv_node_find(node, "origin");
  const rbv_node *axis = rbv_node_find(node, "axis");
  if (mdh && (origin || axis))
    return rbv_node_fail(RBV_EINPUT, node, "joint '%s' has both mdh and %s", j.name,
                         origin ? "origin" : "axis");
  if (mdh)
    RBV_TRY(read_mdh(&j, draft, mdh));
  else
    RBV_TRY(read_origin(&j, draft, origin, axis));

  if (!j.fixed) {
    RBV_TRY(read_moving(draft, &j, before, node));
    *before = rbv_pose_identity;
    return RBV_OK;
  }
  *before = rbv_pose_multiply(before, &j.pose);
  if (rbv_node_find(node, "parameters"))
    RBV_TRY(merge_fixed(draft, rbv_node_find(node, "parameters"), before));
  return RBV_OK;
}

static rbv_status read_joints(rbv_draft *draft, const rbv_node *node) {
  if (rbv_node_get_kind(node) != RBV_NODE_LIST || rbv_node_count(node) == 0)
    return rbv_node_fail(RBV_EINPUT, node, "joints must be a list with at least one joint");
  if (rbv_node_count(node) > JOINTS_MAX)
    return rbv_node_fail(RBV_EINPUT, node, "%d joints; the limit is %d", rbv_node_count(node),
                         JOINTS_MAX);
  rbv_pose before = rbv_pose_identity;
  for (int i = 0; i < rbv_node_count(node); i++)
    RBV_TRY(read_joint(draft, &before, rbv_node_at(node, i), i));
  return RBV_OK;
}

/* entries of a YAML beside a URDF for the URDF's joints, found by name */
static rbv_status amend_joints(rbv_draft *draft, const rbv_node *node) {
  static const char *const keys[] = {"name", "drive", "friction", "limits", "parameters", NULL};
  if (rbv_node_get_kind(node) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, node, "joints must be a list");
  for (int i = 0; i < rbv_node_count(node); i++) {
    const rbv_node *entry = rbv_node_at(node, i);
    if (rbv_node_get_kind(entry) != RBV_NODE_MAP)
      return rbv_node_fail(RBV_EINPUT, entry, "a joint must be a map");
    RBV_TRY(rbv_node_only_keys(entry, keys));
    const char *name;
    if (!rbv_node_find(entry, "name"))
      return rbv_node_fail(RBV_EINPUT, entry, "a joint beside a URDF needs its name");
    RBV_TRY(rbv_node_string(&name, rbv_node_find(entry, "name")));
    int j = 0;
    while (j < draft->njoint && strcmp(draft->joint[j].name, name) != 0) j++;
    if (j == draft->njoint)
      return rbv_node_fail(RBV_EINPUT, entry, "the URDF's chain has no moving joint '%s'", name);
    if (rbv_node_find(entry, "drive"))
      RBV_TRY(read_drive(&draft->joint[j], rbv_node_find(entry, "drive")));
    if (rbv_node_find(entry, "friction"))
      RBV_TRY(read_friction(draft->joint[j].shape, rbv_node_find(entry, "friction")));
    if (rbv_node_find(entry, "limits"))
      RBV_TRY(read_limits(&draft->joint[j].limits, rbv_node_find(entry, "limits")));
    if (rbv_node_find(entry, "parameters"))
      RBV_TRY(read_values(draft, rbv_node_find(entry, "parameters"), j));
  }
  return RBV_OK;
}

/* ---- transmission ---- */

static rbv_status read_choice(int *out, const rbv_node *node, const char *const *choices,
                              const char *what) {
  const char *text;
  RBV_TRY(rbv_node_string(&text, node));
  for (int i = 0; choices[i]; i++)
    if (strcmp(choices[i], text) == 0) {
      *out = i;
      return RBV_OK;
    }
  char known[128] = "";
  for (int i = 0; choices[i]; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
             choices[i]);
  return rbv_node_fail(RBV_EINPUT, node, "%s '%s' is not known: it can be %s", what, text, known);
}

/* number of a motor or joint, from 1 in the file */
static rbv_status read_number(int *out, const rbv_draft *draft, const rbv_node *coupling,
                              const char *key) {
  const rbv_node *node = rbv_node_find(coupling, key);
  if (!node) return rbv_node_fail(RBV_EINPUT, coupling, "a coupling needs motor, joint and ratio");
  RBV_TRY(rbv_node_int(out, node));
  if (*out < 1 || *out > draft->njoint)
    return rbv_node_fail(RBV_EINPUT, node, "%s %d is not among the %d joints", key, *out,
                         draft->njoint);
  --*out;
  return RBV_OK;
}

static rbv_status read_couplings(rbv_draft *draft, const rbv_node *list) {
  static const char *const keys[] = {"motor", "joint", "ratio", NULL};
  if (rbv_node_get_kind(list) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, list, "couplings must be a list of motor, joint and ratio");
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *node = rbv_node_at(list, i);
    int motor, joint;
    double ratio;
    RBV_TRY(rbv_node_only_keys(node, keys));
    RBV_TRY(read_number(&motor, draft, node, "motor"));
    RBV_TRY(read_number(&joint, draft, node, "joint"));
    if (!rbv_node_find(node, "ratio"))
      return rbv_node_fail(RBV_EINPUT, node, "a coupling needs motor, joint and ratio");
    RBV_TRY(rbv_node_real(&ratio, rbv_node_find(node, "ratio")));
    if (motor == joint)
      return rbv_node_fail(RBV_EINPUT, node,
                           "a coupling connects a motor with the joint of another motor");
    draft->transmission[motor + joint * draft->njoint] = ratio;
  }
  return RBV_OK;
}

static rbv_status read_matrix(rbv_draft *draft, const rbv_node *node) {
  const int n = draft->njoint;
  if (rbv_node_get_kind(node) != RBV_NODE_LIST || rbv_node_count(node) != n)
    return rbv_node_fail(RBV_EINPUT, node, "the matrix must have %d rows", n);
  for (int i = 0; i < n; i++) {
    const rbv_node *row = rbv_node_at(node, i);
    if (rbv_node_get_kind(row) != RBV_NODE_LIST || rbv_node_count(row) != n)
      return rbv_node_fail(RBV_EINPUT, row, "a row of the matrix must have %d numbers", n);
    for (int k = 0; k < n; k++)
      RBV_TRY(rbv_node_real(&draft->transmission[i + k * n], rbv_node_at(row, k)));
  }
  return RBV_OK;
}

static rbv_status read_offset(rbv_draft *draft, const rbv_node *node) {
  const int n = draft->njoint;
  if (rbv_node_get_kind(node) != RBV_NODE_LIST || rbv_node_count(node) != n)
    return rbv_node_fail(RBV_EINPUT, node, "offset must be a list of %d joint positions", n);
  draft->transmission_offset = rbv_alloc((size_t)n * sizeof *draft->transmission_offset);
  if (!draft->transmission_offset) return RBV_EMEM;
  return rbv_node_reals(draft->transmission_offset, n, node);
}

static rbv_status read_transmission(rbv_draft *draft, const rbv_node *node) {
  static const char *const keys[] = {"matrix",          "ratios",  "couplings", "offset",
                                     "parametrisation", "coulomb", NULL};
  static const char *const laws[] = {"joint", "motor", NULL};
  static const char *const coulombs[] = {"motor", "printed", NULL};
  RBV_TRY(rbv_node_only_keys(node, keys));
  const int n = draft->njoint;
  draft->transmission = rbv_alloc((size_t)n * (size_t)n * sizeof *draft->transmission);
  if (!draft->transmission) return RBV_EMEM;
  for (int j = 0; j < n; j++) draft->transmission[j + j * n] = 1;

  const rbv_node *matrix = rbv_node_find(node, "matrix"), *ratios = rbv_node_find(node, "ratios");
  const rbv_node *couplings = rbv_node_find(node, "couplings");
  if (matrix && (ratios || couplings))
    return rbv_node_fail(RBV_EINPUT, node, "give either matrix or ratios and couplings");
  if (matrix) RBV_TRY(read_matrix(draft, matrix));
  if (ratios) {
    if (rbv_node_get_kind(ratios) != RBV_NODE_LIST || rbv_node_count(ratios) != n)
      return rbv_node_fail(RBV_EINPUT, ratios, "ratios must be a list of %d numbers", n);
    for (int j = 0; j < n; j++)
      RBV_TRY(rbv_node_real(&draft->transmission[j + j * n], rbv_node_at(ratios, j)));
  }
  if (couplings) RBV_TRY(read_couplings(draft, couplings));
  if (rbv_node_find(node, "offset")) RBV_TRY(read_offset(draft, rbv_node_find(node, "offset")));
  for (int j = 0; j < n; j++)
    if (draft->transmission[j + j * n] == 0)
      return rbv_node_fail(RBV_EINPUT, node,
                           "the transmission does not connect motor %d with joint %d", j + 1,
                           j + 1);

  int choice = 0;
  if (rbv_node_find(node, "parametrisation"))
    RBV_TRY(read_choice(&choice, rbv_node_find(node, "parametrisation"), laws, "parametrisation"));
  draft->law = (coupling_law)choice;
  choice = 0;
  if (rbv_node_find(node, "coulomb"))
    RBV_TRY(read_choice(&choice, rbv_node_find(node, "coulomb"), coulombs, "coulomb"));
  draft->printed_coulomb = choice == 1;
  return RBV_OK;
}

/* ---- the document ---- */

static rbv_status load_urdf(rbv_draft *draft, const rbv_node *node) {
  const char *name;
  RBV_TRY(rbv_node_string(&name, node));
  // a relative path starts in the folder of the YAML
  const char *slash = strrchr(draft->file, '/');
  rbv_text path = {0};
  if (slash && name[0] != '/') rbv_text_add(&path, draft->file, (size_t)(slash - draft->file) + 1);
  rbv_text_put(&path, name);
  rbv_xml *urdf = NULL;
  rbv_status status = path.failed ? RBV_EMEM : rbv_xml_load(&urdf, rbv_text_string(&path));
  rbv_text_free(&path);
  if (status == RBV_OK) status = rbv_draft_read_urdf(draft, urdf);
  return status;
}

/* bodies for collision checks; link 0 is the base */
static rbv_status read_capsules(rbv_draft *draft, const rbv_node *list) {
  static const char *const keys[] = {"link", "from", "to", "radius", NULL};
  if (rbv_node_get_kind(list) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, list, "collision must be a list of capsules");
  rbv_draft_drop_capsules(draft);  // of the URDF
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *node = rbv_node_at(list, i);
    rbv_capsule c = {0};
    RBV_TRY(rbv_node_only_keys(node, keys));
    for (int k = 0; keys[k]; k++)
      if (!rbv_node_find(node, keys[k]))
        return rbv_node_fail(RBV_EINPUT, node, "a capsule needs '%s'", keys[k]);
    RBV_TRY(rbv_node_int(&c.link, rbv_node_find(node, "link")));
    RBV_TRY(rbv_node_reals(c.from, 3, rbv_node_find(node, "from")));
    RBV_TRY(rbv_node_reals(c.to, 3, rbv_node_find(node, "to")));
    RBV_TRY(rbv_node_real(&c.radius, rbv_node_find(node, "radius")));
    if (c.link < 0 || c.link > draft->njoint || !(c.radius >= 0))
      return rbv_node_fail(RBV_EINPUT, node, "a capsule on link %d of %d with radius %g", c.link,
                           draft->njoint, c.radius);
    RBV_TRY(rbv_draft_add_capsule(draft, &c));
  }
  return RBV_OK;
}

static rbv_status read_extras(rbv_draft *draft, const rbv_node *root) {
  const rbv_node *node;
  if ((node = rbv_node_find(root, "gravity"))) RBV_TRY(rbv_node_reals(draft->gravity, 3, node));
  if ((node = rbv_node_find(root, "collision"))) RBV_TRY(read_capsules(draft, node));
  if ((node = rbv_node_find(root, "floor"))) RBV_TRY(rbv_node_real(&draft->floor, node));
  if ((node = rbv_node_find(root, "payload"))) RBV_TRY(rbv_node_bool(&draft->payload, node));
  if ((node = rbv_node_find(root, "sensing"))) {
    const char *text;
    RBV_TRY(rbv_node_string(&text, node));
    if (!rbv_sensing_parse(&draft->sensing, text))
      return rbv_node_fail(RBV_EINPUT, node,
                           "sensing '%s' is not known: it can be motor, joint, both or difference",
                           text);
  }
  if ((node = rbv_node_find(root, "friction"))) RBV_TRY(read_friction(draft->shape, node));
  return RBV_OK;
}

rbv_status rbv_draft_read_yaml(rbv_draft *draft, const rbv_document *doc) {
  static const char *const keys[] = {
      "name",     "gravity",    "urdf",    "joints",    "transmission", "sensing", "payload",
      "friction", "parameters", "columns", "collision", "floor",        NULL};
  const rbv_node *root = rbv_document_root(doc), *node;
  if (!root || rbv_node_get_kind(root) != RBV_NODE_MAP)
    return rbv_fail(RBV_EINPUT, "%s: a robot file must be a map with name and joints", draft->file);
  RBV_TRY(rbv_node_only_keys(root, keys));

  const rbv_node *joints = rbv_node_find(root, "joints"), *urdf = rbv_node_find(root, "urdf");
  if (!joints && !urdf)
    return rbv_node_fail(RBV_EINPUT, root, "the robot has neither joints nor urdf");
  if (urdf) RBV_TRY(load_urdf(draft, urdf));
  if (urdf && joints) RBV_TRY(amend_joints(draft, joints));
  if (!urdf) RBV_TRY(read_joints(draft, joints));

  if ((node = rbv_node_find(root, "name")) || !draft->name) {
    const char *name = draft->file;
    if (node) RBV_TRY(rbv_node_string(&name, node));
    rbv_free(draft->name);
    draft->name = rbv_strdup(name);
    if (!draft->name) return RBV_EMEM;
  }
  RBV_TRY(read_extras(draft, root));
  draft->payload = draft->payload || draft->options->payload;
  if ((node = rbv_node_find(root, "transmission"))) RBV_TRY(read_transmission(draft, node));
  if ((node = rbv_node_find(root, "columns"))) RBV_TRY(rbv_draft_read_columns(draft, node));
  if ((node = rbv_node_find(root, "parameters"))) RBV_TRY(read_values(draft, node, -1));
  return RBV_OK;
}
