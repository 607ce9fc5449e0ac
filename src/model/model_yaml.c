/* The robot YAML: Denavit-Hartenberg joints or a URDF or MJCF beside it, drives, transmission. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "model/model_formats.h"

#define JOINTS_MAX 1000  // a longer list is treated as an error

static const char *const inertial_key[] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ",
                                           "MX", "MY", "MZ", "M",  NULL};

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
  bool standard;  // inertial values are in the frame of the standard convention
} placed;

/*
 * Conventions of Denavit and Hartenberg: one row each. All are steps Rot_x(alpha) Trans_x(a)
 * Rot_z(theta) Trans_z(d), q adds to theta or d. In the standard convention alpha and a stand after
 * theta and d; they are the first half of the next step.
 */
static const struct dh_convention {
  const char *key, *whose;
  const char *name[5];  // of alpha, a, theta, d; ends with NULL
  bool standard;
} conventions[] = {
    {"mdh", "Khalil's", {"alpha", "d", "theta", "r"}, false},
    {"craig", "Craig's", {"alpha", "a", "theta", "d"}, false},
    {"dh", "the standard one", {"alpha", "a", "theta", "d"}, true},
};

typedef struct dh_convention dh_convention;

static void list_conventions(rbv_text *out) {
  for (int i = 0; i < RBV_COUNT(conventions); i++) {
    const dh_convention *c = &conventions[i];
    rbv_text_print(out, "%s%s: {%s, %s, %s, %s} (%s)", i ? ", " : "", c->key, c->name[1],
                   c->name[0], c->name[3], c->name[2], c->whose);
  }
}

/* the conventions have keys in common: the message never proposes another convention */
static rbv_status refuse_convention(const rbv_node *node, const char *key) {
  rbv_text known = {0};
  list_conventions(&known);
  const char *list = rbv_text_string(&known);
  const rbv_status status =
      list ? rbv_node_fail(RBV_EINPUT, node, "unknown key '%.40s'; the conventions are %s", key,
                           list)
           : RBV_EMEM;
  rbv_text_free(&known);
  return status;
}

/* a key of another convention is no misspelt key of this one */
static rbv_status check_dh_keys(const rbv_node *node, const dh_convention *c) {
  for (int i = 0; i < rbv_node_count(node); i++) {
    const char *key = rbv_node_key(node, i);
    bool known = false, other = false;
    for (int k = 0; k < 4; k++) {
      known = known || strcmp(key, c->name[k]) == 0;
      for (int l = 0; l < RBV_COUNT(conventions); l++)
        other = other || strcmp(key, conventions[l].name[k]) == 0;
    }
    if (!known && other) return refuse_convention(rbv_node_at(node, i), key);
  }
  return rbv_node_only_keys(node, c->name);
}

/* keys of a joint that look like a convention, such as DH or sdh */
static rbv_status check_joint_keys(const rbv_node *node) {
  for (int i = 0; i < rbv_node_count(node); i++) {
    const char *key = rbv_node_key(node, i);
    bool known = false;
    for (int k = 0; k < RBV_COUNT(conventions); k++)
      known = known || strcmp(key, conventions[k].key) == 0;
    bool similar = false;
    for (const char *at = key; *at; at++)
      similar = similar || strncasecmp(at, "dh", 2) == 0 || strncasecmp(at, "denavit", 7) == 0 ||
                strncasecmp(at, "craig", 5) == 0;
    if (similar && !known) return refuse_convention(rbv_node_at(node, i), key);
  }
  return RBV_OK;
}

/* the first half of the next step in the standard convention */
typedef struct {
  bool given;
  double sine, cosine, a;
} dh_half;

static rbv_pose half_pose(const dh_half *h) {
  if (!h->given) return rbv_pose_identity;
  const double s = h->sine, c = h->cosine;
  return (rbv_pose){.R = {1, 0, 0, 0, c, -s, 0, s, c}, .p = {h->a, 0, 0}};
}

/* half: in and out; used by the standard convention */
static rbv_status read_dh(placed *j, rbv_draft *draft, const rbv_node *node, const dh_convention *c,
                          dh_half *half) {
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "expected a map with %s, %s, %s and %s", c->name[1],
                         c->name[0], c->name[3], c->name[2]);
  RBV_TRY(check_dh_keys(node, c));
  double value[4] = {0}, st, ct;
  for (int k = 0; k < 4; k++) {
    const rbv_node *entry = rbv_node_find(node, c->name[k]);
    if (entry) RBV_TRY(rbv_node_real(&value[k], entry));
    // alpha and theta: 90 is not a quarter of a turn
    if (entry && k % 2 == 0 && fabs(value[k]) > 7)
      return rbv_node_fail(RBV_EINPUT, entry,
                           "%s is %g rad, more than a turn: write %gdeg for degrees", c->name[k],
                           value[k], value[k]);
  }
  char alpha_name[32], theta_name[32];
  snprintf(alpha_name, sizeof alpha_name, "%s alpha", c->key);
  snprintf(theta_name, sizeof theta_name, "%s theta", c->key);
  double alpha = value[0], theta = value[2];
  const double d = value[3];
  dh_half own = {.given = true, .a = value[1]}, first;
  RBV_TRY(rbv_draft_angle(&own.sine, &own.cosine, &alpha, draft, j->name, alpha_name));
  RBV_TRY(rbv_draft_angle(&st, &ct, &theta, draft, j->name, theta_name));
  if (c->standard)
    first = half->given ? *half : (dh_half){.given = true, .cosine = 1};
  else
    first = own;
  *half = c->standard ? own : (dh_half){0};

  // the variable of theta and d becomes the offset
  const rbv_pose before = half_pose(&first);
  const bool turns = !j->fixed && j->type == RBV_JOINT_REVOLUTE;
  const bool slides = !j->fixed && j->type == RBV_JOINT_PRISMATIC;
  rbv_pose after = rbv_pose_identity;
  if (!turns) {
    const double Rz[9] = {ct, -st, 0, st, ct, 0, 0, 0, 1};
    memcpy(after.R, Rz, sizeof Rz);
  }
  if (!slides) after.p[2] = d;
  j->pose = rbv_pose_multiply(&before, &after);
  j->offset = turns ? theta : slides ? d : 0;
  j->axis[0] = j->axis[1] = 0;
  j->axis[2] = 1;
  j->has_mdh = true;
  j->alpha_sin = first.sine;
  j->alpha_cos = first.cosine;
  j->d = first.a;
  j->standard = c->standard;
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

/* inertial values of a fixed joint's body, moved into the frame of the joint that carries it
 * (number from 1; 0: the ground) and added to its parameters */
static rbv_status merge_fixed(rbv_draft *draft, const rbv_node *node, int carrier,
                              const rbv_pose *pose) {
  RBV_TRY(rbv_node_only_keys(node, inertial_key));
  double body[RBV_INERTIAL] = {0}, moved[RBV_INERTIAL];
  for (int c = 0; c < RBV_INERTIAL; c++)
    if (rbv_node_find(node, inertial_key[c]))
      RBV_TRY(rbv_node_real(&body[c], rbv_node_find(node, inertial_key[c])));
  if (carrier == 0) return RBV_OK;
  rbv_inertial_transform(moved, body, pose);
  for (int c = 0; c < RBV_INERTIAL; c++) {
    char name[16];
    snprintf(name, sizeof name, "%s%d", inertial_key[c], carrier);
    RBV_TRY(rbv_draft_add_value(draft, name, moved[c], true, node));
  }
  return RBV_OK;
}

/*
 * Parameters of a joint. Inertial values of a link in the standard convention are in the frame at
 * its end (content, in the frame of the joint).
 */
static rbv_status read_joint_values(rbv_draft *draft, const rbv_node *node,
                                    const rbv_pose *content) {
  double body[RBV_INERTIAL] = {0}, moved[RBV_INERTIAL];
  bool any = false;
  const int first = draft->nvalue;
  RBV_TRY(read_values(draft, node, draft->njoint - 1));
  // take the inertial values out again and move them
  for (int i = first; i < draft->nvalue && content; i++)
    for (int c = 0; c < RBV_INERTIAL; c++) {
      char name[16];
      snprintf(name, sizeof name, "%s%d", inertial_key[c], draft->njoint);
      if (strcmp(draft->value[i].name, name) != 0) continue;
      any = true;
      body[c] = draft->value[i].value;
      draft->value[i].value = 0;
    }
  if (!any) return RBV_OK;
  rbv_inertial_transform(moved, body, content);
  for (int c = 0; c < RBV_INERTIAL; c++) {
    char name[16];
    snprintf(name, sizeof name, "%s%d", inertial_key[c], draft->njoint);
    RBV_TRY(rbv_draft_add_value(draft, name, moved[c], true, node));
  }
  return RBV_OK;
}

/* where the list of joints has arrived: what the next joint is attached to */
typedef struct {
  const char *name;       // of the joint; NULL: the base
  int moving;             // number of the moving joint that carries it, from 0; -1: the base
  rbv_pose before;        // of the last frame in that of this joint
  dh_half half;           // see read_dh
  const rbv_node *mimic;  // of a follower
} yaml_place;

/* depth-first: the parent of a joint is the last moving joint, or one of those that carry it */
static rbv_status check_order(const rbv_draft *draft, const placed *j, int parent,
                              const rbv_node *node) {
  int at = draft->njoint - 1;
  while (at >= 0 && at != parent) at = draft->joint[at].parent;
  if (at == parent) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, node,
                       "joint '%s' is listed after joints of another branch: list all joints "
                       "behind '%s' directly after it",
                       j->name, draft->joint[parent].name);
}

static rbv_status read_moving(rbv_draft *draft, const placed *j, const yaml_place *at,
                              const rbv_node *node, const rbv_pose *content) {
  const rbv_pose *before = &at->before;
  RBV_TRY(check_order(draft, j, at->moving, node));
  for (int i = 0; i < draft->njoint; i++)
    if (strcmp(draft->joint[i].name, j->name) == 0)
      return rbv_node_fail(RBV_EINPUT, node, "two joints are called '%s'", j->name);
  draft_joint *joint = rbv_draft_add_joint(draft, j->name);
  if (!joint) return RBV_EMEM;
  joint->parent = at->moving;
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
  joint->has_drive = rbv_node_find(node, "drive");
  if (joint->has_drive) RBV_TRY(read_drive(joint, rbv_node_find(node, "drive")));
  if (rbv_node_find(node, "friction"))
    RBV_TRY(read_friction(joint->shape, rbv_node_find(node, "friction")));
  if (rbv_node_find(node, "limits"))
    RBV_TRY(read_limits(&joint->limits, rbv_node_find(node, "limits")));
  if (rbv_node_find(node, "elastic"))
    RBV_TRY(rbv_draft_read_elastic(draft, draft->njoint - 1, rbv_node_find(node, "elastic")));
  if (rbv_node_find(node, "parameters"))
    RBV_TRY(read_joint_values(draft, rbv_node_find(node, "parameters"), content));
  return RBV_OK;
}

/* the place of the joint that `parent` names; without it the last one */
static rbv_status find_place(yaml_place *out, const yaml_place *places, int count,
                             const rbv_node *parent) {
  const char *name;
  *out = places[count - 1];
  if (!parent) return RBV_OK;
  RBV_TRY(rbv_node_string(&name, parent));
  int i = count - 1;
  while (i > 0 && strcmp(places[i].name, name) != 0) i--;
  if (i == 0 && strcmp(name, "base") != 0)
    return rbv_node_fail(RBV_EINPUT, parent,
                         "there is no joint '%s' above; a parent is an earlier joint, or base",
                         name);
  *out = places[i];
  return RBV_OK;
}

/* a link of a closed loop that has no mass and no parameters, such as a cross */
static rbv_status read_massless(rbv_draft *draft, int joint, const rbv_node *node) {
  return node ? rbv_node_bool(&draft->joint[joint].massless, node) : RBV_OK;
}

/* at: in, what the joint is attached to; out, its own place */
static rbv_status read_joint(rbv_draft *draft, yaml_place *at, const rbv_node *node, int index) {
  static const char *const keys[] = {
      "name",  "type",  "parent",   "mdh",    "craig",   "dh",         "origin",   "axis",
      "mimic", "drive", "friction", "limits", "elastic", "parameters", "massless", NULL};
  rbv_pose *const before = &at->before;
  dh_half *const half = &at->half;
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "a joint must be a map with name, type and mdh");
  RBV_TRY(check_joint_keys(node));
  RBV_TRY(rbv_node_only_keys(node, keys));
  char number[24];
  snprintf(number, sizeof number, "joint%d", index + 1);
  placed j = {.name = number};
  if (rbv_node_find(node, "name")) RBV_TRY(rbv_node_string(&j.name, rbv_node_find(node, "name")));
  RBV_TRY(read_type(&j, rbv_node_find(node, "type")));
  const rbv_node *origin = rbv_node_find(node, "origin"), *axis = rbv_node_find(node, "axis");
  const rbv_node *step = NULL;
  const dh_convention *convention = NULL;
  for (int i = 0; i < RBV_COUNT(conventions); i++) {
    const rbv_node *found = rbv_node_find(node, conventions[i].key);
    if (found && step)
      return rbv_node_fail(RBV_EINPUT, node, "joint '%s' has both %s and %s", j.name,
                           convention->key, conventions[i].key);
    if (!found) continue;
    step = found;
    convention = &conventions[i];
  }
  if (step && (origin || axis))
    return rbv_node_fail(RBV_EINPUT, node, "joint '%s' has both %s and %s", j.name, convention->key,
                         origin ? "origin" : "axis");
  if (!step || !convention->standard) {
    // another way to give the joint: the frame of the standard convention is where it starts
    const rbv_pose rest = half_pose(half);
    *before = half->given ? rbv_pose_multiply(before, &rest) : *before;
    *half = (dh_half){0};
  }
  if (step)
    RBV_TRY(read_dh(&j, draft, step, convention, half));
  else
    RBV_TRY(read_origin(&j, draft, origin, axis));

  const rbv_pose content = half_pose(half);
  if (!j.fixed) {
    RBV_TRY(read_moving(draft, &j, at, node, j.standard ? &content : NULL));
    *before = rbv_pose_identity;
    at->moving = draft->njoint - 1;
    at->name = draft->joint[at->moving].name;
    at->mimic = rbv_node_find(node, "mimic");
    return read_massless(draft, at->moving, rbv_node_find(node, "massless"));
  }
  if (rbv_node_find(node, "mimic"))
    return rbv_node_fail(RBV_EINPUT, node, "joint '%s' is fixed: it cannot mimic another", j.name);
  *before = rbv_pose_multiply(before, &j.pose);
  const rbv_pose end = rbv_pose_multiply(before, &content);
  RBV_TRY(rbv_draft_add_frame(draft, j.name, at->moving + 1, &end));
  at->name = draft->frame[draft->nframe - 1].name;
  at->mimic = NULL;
  if (rbv_node_find(node, "parameters"))
    RBV_TRY(merge_fixed(draft, rbv_node_find(node, "parameters"), at->moving + 1, &end));
  return RBV_OK;
}

/* mimic: {joint, multiplier, offset} of moving joint number `joint` */
static rbv_status read_mimic(rbv_draft *draft, int joint, const rbv_node *node) {
  static const char *const keys[] = {"joint", "multiplier", "offset", NULL};
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "mimic must be a map with joint, multiplier and offset");
  RBV_TRY(rbv_node_only_keys(node, keys));
  draft_joint *j = &draft->joint[joint];
  const rbv_node *entry = rbv_node_find(node, "joint");
  const char *name;
  if (!entry) return rbv_node_fail(RBV_EINPUT, node, "mimic needs the joint that is followed");
  RBV_TRY(rbv_node_string(&name, entry));
  for (int i = 0; i < draft->njoint; i++)
    if (strcmp(draft->joint[i].name, name) == 0) j->leader = i;
  if (j->leader < 0 || j->leader == joint)
    return rbv_node_fail(RBV_EINPUT, entry, "there is no other moving joint '%s'", name);
  j->multiplier = 1;
  j->ndrive = 0;
  if ((entry = rbv_node_find(node, "multiplier"))) RBV_TRY(rbv_node_real(&j->multiplier, entry));
  if ((entry = rbv_node_find(node, "offset"))) RBV_TRY(rbv_node_real(&j->mimic_offset, entry));
  return RBV_OK;
}

static rbv_status read_list(rbv_draft *draft, yaml_place *place, const rbv_node *node) {
  const int count = rbv_node_count(node);
  place[0] = (yaml_place){.moving = -1, .before = rbv_pose_identity};
  for (int i = 0; i < count; i++) {
    const rbv_node *entry = rbv_node_at(node, i);
    const bool map = rbv_node_get_kind(entry) == RBV_NODE_MAP;
    RBV_TRY(find_place(&place[i + 1], place, i + 1, map ? rbv_node_find(entry, "parent") : NULL));
    RBV_TRY(read_joint(draft, &place[i + 1], entry, i));
  }
  for (int i = 1; i <= count; i++)
    if (place[i].mimic) RBV_TRY(read_mimic(draft, place[i].moving, place[i].mimic));
  // what is behind the last joint
  const yaml_place *last = &place[count];
  const rbv_pose rest = half_pose(&last->half), end = rbv_pose_multiply(&last->before, &rest);
  memcpy(draft->tip, end.p, sizeof draft->tip);
  return last->half.given ? rbv_draft_add_frame(draft, "flange", last->moving + 1, &end) : RBV_OK;
}

static rbv_status read_joints(rbv_draft *draft, const rbv_node *node) {
  if (rbv_node_get_kind(node) != RBV_NODE_LIST || rbv_node_count(node) == 0)
    return rbv_node_fail(RBV_EINPUT, node, "joints must be a list with at least one joint");
  if (rbv_node_count(node) > JOINTS_MAX)
    return rbv_node_fail(RBV_EINPUT, node, "%d joints; the limit is %d", rbv_node_count(node),
                         JOINTS_MAX);
  yaml_place *place = rbv_alloc(((size_t)rbv_node_count(node) + 1) * sizeof *place);
  const rbv_status status = place ? read_list(draft, place, node) : RBV_EMEM;
  rbv_free(place);
  return status;
}

/* entries of a YAML beside a URDF or MJCF for its joints, found by name */
static rbv_status amend_joints(rbv_draft *draft, const rbv_node *node) {
  static const char *const keys[] = {"name",    "drive",      "friction", "limits",
                                     "elastic", "parameters", NULL};
  if (rbv_node_get_kind(node) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, node, "joints must be a list");
  for (int i = 0; i < rbv_node_count(node); i++) {
    const rbv_node *entry = rbv_node_at(node, i);
    if (rbv_node_get_kind(entry) != RBV_NODE_MAP)
      return rbv_node_fail(RBV_EINPUT, entry, "a joint must be a map");
    RBV_TRY(rbv_node_only_keys(entry, keys));
    const char *name;
    if (!rbv_node_find(entry, "name"))
      return rbv_node_fail(RBV_EINPUT, entry, "a joint beside a URDF or MJCF needs its name");
    RBV_TRY(rbv_node_string(&name, rbv_node_find(entry, "name")));
    int j = 0;
    while (j < draft->njoint && strcmp(draft->joint[j].name, name) != 0) j++;
    if (j == draft->njoint)
      return rbv_node_fail(RBV_EINPUT, entry, "the arm has no moving joint '%s'", name);
    if (rbv_node_find(entry, "drive") && draft->joint[j].leader >= 0)
      return rbv_node_fail(RBV_EINPUT, entry, "joint '%s' follows joint '%s', which has the drive",
                           name, draft->joint[draft->joint[j].leader].name);
    if (rbv_node_find(entry, "drive")) {
      draft->joint[j].has_drive = true;
      RBV_TRY(read_drive(&draft->joint[j], rbv_node_find(entry, "drive")));
    }
    if (rbv_node_find(entry, "friction"))
      RBV_TRY(read_friction(draft->joint[j].shape, rbv_node_find(entry, "friction")));
    if (rbv_node_find(entry, "limits"))
      RBV_TRY(read_limits(&draft->joint[j].limits, rbv_node_find(entry, "limits")));
    if (rbv_node_find(entry, "elastic"))
      RBV_TRY(rbv_draft_read_elastic(draft, j, rbv_node_find(entry, "elastic")));
    if (rbv_node_find(entry, "parameters"))
      RBV_TRY(read_values(draft, rbv_node_find(entry, "parameters"), j));
  }
  return RBV_OK;
}

/* ---- the document ---- */

static rbv_status load_document(rbv_draft *draft, const rbv_node *node) {
  const char *name;
  RBV_TRY(rbv_node_string(&name, node));
  // a relative path starts in the folder of the YAML
  const char *slash = strrchr(draft->file, '/');
  rbv_text path = {0};
  if (slash && name[0] != '/') rbv_text_add(&path, draft->file, (size_t)(slash - draft->file) + 1);
  rbv_text_put(&path, name);
  rbv_xml *xml = NULL;
  rbv_status status = path.failed ? RBV_EMEM : rbv_xml_load(&xml, rbv_text_string(&path));
  rbv_text_free(&path);
  if (status == RBV_OK) status = rbv_robot_read_xml(draft, xml);
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
      "name",    "gravity", "urdf",     "mjcf",       "joints",  "transmission",
      "sensing", "payload", "friction", "parameters", "columns", "collision",
      "floor",   "loops",   "driven",   "reference",  NULL};
  const rbv_node *root = rbv_document_root(doc), *node;
  if (!root || rbv_node_get_kind(root) != RBV_NODE_MAP)
    return rbv_fail(RBV_EINPUT, "%s: a robot file must be a map with name and joints", draft->file);
  RBV_TRY(rbv_node_only_keys(root, keys));

  const rbv_node *joints = rbv_node_find(root, "joints"), *tree = NULL;
  for (int i = 0; rbv_robot_format_row(i) && !tree; i++)
    if (rbv_robot_format_row(i)->root) tree = rbv_node_find(root, rbv_robot_format_row(i)->name);
  if (!joints && !tree)
    return rbv_node_fail(RBV_EINPUT, root, "the robot has neither joints nor urdf nor mjcf");
  if (tree) RBV_TRY(load_document(draft, tree));
  if (tree && joints) RBV_TRY(amend_joints(draft, joints));
  if (!tree && draft->options->free_base)
    return rbv_node_fail(RBV_EUNSUPPORTED, joints,
                         "the base of a YAML file with joints has no body, so it cannot be free: "
                         "use a URDF or an MJCF");
  if (!tree) RBV_TRY(read_joints(draft, joints));
  RBV_TRY(rbv_draft_read_loops(draft, root));
  RBV_TRY(rbv_draft_complete(draft));

  if ((node = rbv_node_find(root, "name")) || !draft->name) {
    const char *name = draft->file;
    if (node) RBV_TRY(rbv_node_string(&name, node));
    rbv_free(draft->name);
    draft->name = rbv_strdup(name);
    if (!draft->name) return RBV_EMEM;
  }
  RBV_TRY(read_extras(draft, root));
  if ((node = rbv_node_find(root, "transmission")))
    RBV_TRY(rbv_draft_read_transmission(draft, node));
  if ((node = rbv_node_find(root, "columns"))) RBV_TRY(rbv_draft_read_columns(draft, node));
  if ((node = rbv_node_find(root, "parameters"))) RBV_TRY(read_values(draft, node, -1));
  return RBV_OK;
}
