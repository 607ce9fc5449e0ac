/*
 * MJCF. A robot that was loaded from an MJCF keeps its document byte for byte except for `inertial`
 * and armature, damping, frictionloss and stiffness of its joints; other robots get a new document,
 * in which inertias are written along principal axes (see rbv_principal).
 */
#include <math.h>
#include <string.h>

#include "export/own_document.h"

/* ---- writing ---- */

static void put_name(rbv_text *t, const char *key, const char *name) {
  rbv_text_print(t, " %s=\"", key);
  rbv_text_escape(t, name);
  rbv_text_put(t, "\"");
}

/*
 * The link of an elastic joint turns about the same axis as its motor, by the deflection. The joint
 * before is that of the motor, which therefore has the name, the drive and the actuator.
 */
static void put_spring(rbv_text *t, const simulator_model *p, const rbv_model *m, int j) {
  const int drive = m->coordinate[j];
  rbv_text_put(t, "      <joint name=\"");
  rbv_text_escape(t, m->body[j].name);
  rbv_text_put(t, SPRING_SUFFIX "\"");
  put_name(t, "type", m->geometry[j].type == RBV_JOINT_PRISMATIC ? "slide" : "hinge");
  rbv_put_attribute(t, "axis", m->geometry[j].axis, 3);
  rbv_put_attribute(t, "stiffness", &p->spring[drive], 1);
  rbv_put_attribute(t, "damping", &p->spring_damping[drive], 1);
  rbv_text_put(t, "/>\n");
}

static rbv_status put_body(export_job *e, const simulator_model *p, int j) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  double reference;
  const rbv_pose pose = rbv_export_drawn(&reference, m, j);
  const rbv_limits *l = &m->body[j].limits;
  const int drive = m->coordinate[j];
  double mass, centre[3], inertia[6], moment[3], R[9], axes[4], quat[4];
  rbv_body_centre(&mass, centre, inertia, p->body + j * RBV_INERTIAL);
  RBV_TRY(rbv_principal(moment, R, inertia));
  rbv_quaternion_of(axes, R);
  rbv_quaternion_of(quat, pose.R);
  rbv_text_print(t, "    <body name=\"link%d\"", j + 1);
  rbv_put_attribute(t, "pos", pose.p, 3);
  rbv_put_attribute(t, "quat", quat, 4);
  char remark[256];
  rbv_text_put(t, ">\n");
  if (rbv_export_body_remark(remark, sizeof remark, e, j))
    rbv_text_print(t, "      <!-- %s -->\n", remark);
  rbv_text_put(t, "      <inertial");
  rbv_put_attribute(t, "pos", centre, 3);
  rbv_put_attribute(t, "quat", axes, 4);
  rbv_put_attribute(t, "mass", &mass, 1);
  rbv_put_attribute(t, "diaginertia", moment, 3);
  rbv_text_put(t, "/>\n");
  if (drive >= 0 && p->remark[drive * SIMULATOR_REMARK])
    rbv_text_print(t, "      <!-- %s -->\n", p->remark + drive * SIMULATOR_REMARK);
  rbv_text_put(t, "      <joint");
  put_name(t, "name", m->body[j].name);
  put_name(t, "type", m->geometry[j].type == RBV_JOINT_PRISMATIC ? "slide" : "hinge");
  rbv_put_attribute(t, "axis", m->geometry[j].axis, 3);
  if (reference != 0) rbv_put_attribute(t, "ref", &reference, 1);
  if (isfinite(l->lower) && isfinite(l->upper)) {
    const double range[2] = {l->lower, l->upper};
    rbv_text_put(t, " limited=\"true\"");
    rbv_put_attribute(t, "range", range, 2);
  }
  if (drive >= 0) {
    if (p->armature[drive] != 0) rbv_put_attribute(t, "armature", &p->armature[drive], 1);
    rbv_put_attribute(t, "damping", &p->damping[drive], 1);
    rbv_put_attribute(t, "frictionloss", &p->friction[drive], 1);
    if (p->constant[drive] != 0) {
      const double rest = -p->constant[drive] / p->stiffness[drive];
      rbv_put_attribute(t, "stiffness", &p->stiffness[drive], 1);
      rbv_put_attribute(t, "springref", &rest, 1);
    }
  }
  if (rbv_model_is_passive(m, j)) {
    rbv_put_attribute(t, "damping", &p->passive_damping[j], 1);
    rbv_put_attribute(t, "frictionloss", &p->passive_friction[j], 1);
  }
  rbv_text_put(t, "/>\n");
  if (drive >= 0 && p->spring[drive] > 0) put_spring(t, p, m, j);
  return RBV_OK;
}

/* a body, everything that it carries, and the end of the bodies that the next one is not inside */
static rbv_status put_bodies(export_job *e, const simulator_model *p) {
  const rbv_model *m = e->model;
  for (int i = 0; i < m->nbody; i++) {
    RBV_TRY(put_body(e, p, i));
    const int next = i + 1 < m->nbody ? m->parent[i + 1] : -1;
    for (int at = i; at != next; at = m->parent[at]) rbv_text_put(&e->text, "    </body>\n");
  }
  return RBV_OK;
}

/* joints that follow others */
static void put_followers(rbv_text *t, const rbv_model *m) {
  if (!m->map) return;
  rbv_text_put(t, "  <equality>\n");
  for (int i = 0; i < m->nbody; i++) {
    const int leader = rbv_model_leader(m, i);
    if (m->coordinate[i] >= 0) continue;
    const double c[5] = {m->map_offset[i], m->map[i + leader * m->nbody]};
    rbv_text_put(t, "    <joint");
    put_name(t, "joint1", m->body[i].name);
    put_name(t, "joint2", m->joint[leader].name);
    rbv_put_attribute(t, "polycoef", c, 5);
    rbv_text_put(t, "/>\n");
  }
  rbv_text_put(t, "  </equality>\n");
}

static void put_tendons(rbv_text *t, const rbv_model *m, const simulator_model *p) {
  if (p->ntendon == 0) return;
  rbv_text_put(t, "  <tendon>\n");
  for (int k = 0; k < p->ntendon; k++) {
    rbv_text_print(t, "    <fixed name=\"motor%d\"", p->tendon[k].motor + 1);
    rbv_put_attribute(t, "damping", &p->tendon[k].damping, 1);
    rbv_put_attribute(t, "frictionloss", &p->tendon[k].friction, 1);
    rbv_text_put(t, ">\n");
    for (int j = 0; j < m->njoint; j++) {
      const double w = p->weight[k * m->njoint + j];
      if (w == 0) continue;
      rbv_text_put(t, "      <joint");
      put_name(t, "joint", m->joint[j].name);
      rbv_put_attribute(t, "coef", &w, 1);
      rbv_text_put(t, "/>\n");
    }
    rbv_text_put(t, "    </fixed>\n");
  }
  rbv_text_put(t, "  </tendon>\n");
}

/* PD laws as actuators, whose control is the reference position; a delay is a comment. In a robot
 * with closed loops the other driven joints have a motor: it tells them from the passive ones. */
static void put_actuators(export_job *e) {
  rbv_text *t = &e->text;
  const bool loops = rbv_model_loop_count(e->model) > 0;
  bool any = false;
  for (int j = 0; j < e->model->njoint; j++) {
    double k_p, k_d;
    const bool law = rbv_export_gains(&k_p, &k_d, e, j);
    if (!law && !loops) continue;
    if (!any) rbv_text_put(t, "  <actuator>\n");
    any = true;
    if (!law) {
      rbv_text_put(t, "    <motor");
      put_name(t, "name", e->model->joint[j].name);
      put_name(t, "joint", e->model->joint[j].name);
      rbv_text_put(t, "/>\n");
      continue;
    }
    const double bias[3] = {0, -k_p, -k_d}, delay = rbv_export_delay(e, j);
    if (delay > 0) rbv_text_print(t, "    <!-- delay of the torque: %.6g s -->\n", delay);
    rbv_text_put(t, "    <general");
    put_name(t, "name", e->model->joint[j].name);
    put_name(t, "joint", e->model->joint[j].name);
    rbv_text_put(t, " gaintype=\"fixed\" biastype=\"affine\"");
    rbv_put_attribute(t, "gainprm", &k_p, 1);
    rbv_put_attribute(t, "biasprm", bias, 3);
    rbv_text_put(t, "/>\n");
  }
  if (any) rbv_text_put(t, "  </actuator>\n");
}

static rbv_status put_document(export_job *e, const simulator_model *p) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  rbv_text_put(t, "<mujoco");
  put_name(t, "model", rbv_model_name(m));
  rbv_text_put(t, ">\n");
  if (e->options->standard) rbv_text_print(t, "  <!-- %s -->\n", rbv_export_remark);
  rbv_text_put(t,
               "  <compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" "
               "boundinertia=\"0\" balanceinertia=\"false\"/>\n  <option");
  rbv_put_attribute(t, "gravity", m->gravity, 3);
  rbv_text_put(t, "/>\n  <worldbody>\n");
  RBV_TRY(put_bodies(e, p));
  rbv_text_put(t, "  </worldbody>\n");
  if (rbv_model_loop_count(m) > 0)
    RBV_TRY(rbv_export_equality(e));
  else
    put_followers(t, m);
  if (e->reason) return RBV_OK;
  put_tendons(t, m, p);
  put_actuators(e);
  rbv_text_put(t, "</mujoco>\n");
  return t->failed ? RBV_EMEM : RBV_OK;
}

/* ---- the robot's own document ---- */

/* true if the robot was read from an MJCF */
static bool has_own(const export_job *e) {
  return e->model->document && strcmp(rbv_model_format(e->model), "mjcf") == 0;
}

/* mass and centre, and the inertia along principal axes */
typedef struct {
  double mass, centre[3], inertia[6], moment[3], axes[4];
} inertial;

static rbv_status inertial_of(inertial *x, const double body[RBV_INERTIAL]) {
  double R[9];
  rbv_body_centre(&x->mass, x->centre, x->inertia, body);
  RBV_TRY(rbv_principal(x->moment, R, x->inertia));
  rbv_quaternion_of(x->axes, R);
  return RBV_OK;
}

static rbv_status put_inertial(rbv_text *t, const double body[RBV_INERTIAL]) {
  inertial x;
  RBV_TRY(inertial_of(&x, body));
  rbv_text_put(t, "<inertial");
  rbv_put_attribute(t, "pos", x.centre, 3);
  rbv_put_attribute(t, "quat", x.axes, 4);
  rbv_put_attribute(t, "mass", &x.mass, 1);
  rbv_put_attribute(t, "diaginertia", x.moment, 3);
  rbv_text_put(t, "/>");
  return RBV_OK;
}

/* the inertia in the form that the document has: full, or along axes */
static rbv_status change_inertial(own_document *d, int link, const double body[RBV_INERTIAL]) {
  const rbv_element *e = d->tree.link[link].inertial_at.element;
  static const char *const other[] = {"euler", "axisangle", "xyaxes", "zaxis"};
  rbv_span s;
  inertial x;
  RBV_TRY(inertial_of(&x, body));
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  RBV_TRY(rbv_edit_attribute(d, &s, "mass", &x.mass, 1));
  RBV_TRY(rbv_edit_attribute(d, &s, "pos", x.centre, 3));
  if (rbv_element_attribute(e, "fullinertia")) {
    const double *I = x.inertia, full[6] = {I[0], I[3], I[5], I[1], I[2], I[4]};
    return rbv_edit_attribute(d, &s, "fullinertia", full, 6);
  }
  RBV_TRY(rbv_edit_attribute(d, &s, "diaginertia", x.moment, 3));
  bool turned = x.axes[0] != 1 || rbv_element_attribute(e, "quat");
  for (int k = 0; k < RBV_COUNT(other); k++) {
    turned = turned || rbv_element_attribute(e, other[k]);
    RBV_TRY(rbv_edit_remove_attribute(d, &s, other[k]));
  }
  return turned ? rbv_edit_attribute(d, &s, "quat", x.axes, 4) : RBV_OK;
}

static rbv_status scale_inertial(own_document *d, int link, double factor) {
  const tree_link *l = &d->tree.link[link];
  double body[RBV_INERTIAL], scaled[RBV_INERTIAL];
  for (int c = 0; c < RBV_INERTIAL; c++) scaled[c] = factor * l->inertial[c];
  const rbv_pose to = rbv_pose_inverse(&l->content);
  rbv_inertial_transform(body, scaled, &to);
  return l->inertial_at.element ? change_inertial(d, link, body)
                                : rbv_edit_insert_inertial(d, link, body, -1);
}

static const own_document_rules rules;

/* radians of an angle of 1 in the document */
static double angle_unit(const rbv_xml *xml) {
  const char *unit = "degree";
  const rbv_element *e = rbv_element_child(rbv_xml_root(xml), "compiler");
  for (; e; e = rbv_element_next(e, "compiler"))
    if (rbv_element_attribute(e, "angle")) unit = rbv_element_attribute(e, "angle");
  return strcmp(unit, "radian") == 0 ? 1 : acos(-1) / 180;
}

static rbv_status change_drive(own_document *d, const tree_joint *joint,
                               const double has[OWN_DRIVE], const double want[OWN_DRIVE]) {
  const int drive = d->e->model->coordinate[rbv_tree_order(&d->tree, (int)(joint - d->tree.joint))];
  const double constant = d->want->constant[drive];
  rbv_span s;
  RBV_TRY(rbv_element_span(&s, d->xml, joint->at.element));
  for (int i = 0; i < OWN_DRIVE; i++)
    if (has[i] != want[i]) RBV_TRY(rbv_edit_attribute(d, &s, rules.drive[i], &want[i], 1));
  if (constant == 0) return RBV_OK;
  const double unit = joint->motion == TREE_REVOLUTE ? angle_unit(d->xml) : 1;
  const double rest = -constant / d->want->stiffness[drive] / unit;
  return rbv_edit_attribute(d, &s, "springref", &rest, 1);
}

static const own_document_rules rules = {
    .keeps_rigid = true,
    .drive = {"armature", "damping", "frictionloss", "stiffness"},
    .edited = (const char *const[]){"inertial", NULL},
    .put = put_inertial,
    .change = change_inertial,
    .scale = scale_inertial,
    .change_drive = change_drive,
};

/* ---- reading back ---- */

static rbv_status read_tendons(simulator_model *p, const rbv_model *m, const rbv_xml *xml) {
  const rbv_element *e = rbv_element_child(rbv_element_child(rbv_xml_root(xml), "tendon"), "fixed");
  p->ntendon = 0;
  memset(p->weight, 0, (size_t)(p->njoint * p->njoint) * sizeof *p->weight);
  for (; e && p->ntendon < p->njoint; e = rbv_element_next(e, "fixed")) {
    simulator_tendon *t = &p->tendon[p->ntendon];
    double *w = p->weight + p->ntendon++ * p->njoint;
    RBV_TRY(rbv_element_reals(&t->damping, 1, xml, e, "damping"));
    RBV_TRY(rbv_element_reals(&t->friction, 1, xml, e, "frictionloss"));
    for (const rbv_element *c = rbv_element_child(e, "joint"); c; c = rbv_element_next(c, "joint"))
      for (int j = 0; j < m->njoint; j++)
        if (strcmp(m->joint[j].name, rbv_element_attribute(c, "joint")) == 0)
          RBV_TRY(rbv_element_reals(&w[j], 1, xml, c, "coef"));
  }
  return RBV_OK;
}

/* the values of the document in the form in which they were written */
static void take_values(simulator_model *back, const rbv_model *m) {
  for (int c = 0; c < m->ncolumn; c++) {
    const rbv_column *column = &m->column[c];
    const double x = m->parameters[c];
    if (column->basis == RBV_BASIS_INERTIAL)
      back->body[column->joint * RBV_INERTIAL + column->component] = x;
    if (column->basis != RBV_BASIS_INERTIAL && !column->law) back->stiffness[column->joint] = x;
    if (column->basis != RBV_BASIS_LAW) continue;
    if (column->law->element == LAW_ARMATURE) back->armature[column->joint] = x;
    if (column->law->element == LAW_DAMPING) back->damping[column->joint] = x;
    if (column->law->element == LAW_FRICTION) back->friction[column->joint] = x;
  }
}

/* constant torques of the document: springs where they are wanted */
static rbv_status read_constants(simulator_model *back, const rbv_model *m,
                                 const simulator_model *want, const rbv_model_options *options) {
  robot_tree tree = {0};
  rbv_draft draft = rbv_draft_new("the MJCF", options);
  const rbv_status status = rbv_robot_tree(&tree, &draft, m);
  for (int j = 0; j < tree.njoint && status == RBV_OK; j++) {
    const tree_joint *t = &tree.joint[j];
    if (!t->on_chain || t->motion == TREE_FIXED) continue;
    const int drive = m->coordinate[rbv_tree_order(&tree, j)];
    if (drive >= 0 && want->constant[drive] != 0) back->constant[drive] = -t->stiffness * t->rest;
  }
  rbv_tree_free(&tree);
  rbv_draft_free(&draft);
  return status;
}

static int count_springs(const simulator_model *p) {
  int count = 0;
  for (int j = 0; j < p->njoint; j++) count += p->spring[j] > 0;
  return count;
}

static rbv_status read_back(export_job *e, const simulator_model *p) {
  const bool own = has_own(e);
  const rbv_model_options options = rbv_export_reading(e, own, "world");
  const char *name = own ? rbv_xml_name(e->model->document) : "the MJCF";
  rbv_model *model = NULL;
  simulator_model *back = NULL;
  simulator_torque want = {0}, got = {0};
  rbv_status status = rbv_model_parse(&model, name, e->text.data, e->text.size, &options);
  const int springs = count_springs(p);
  if (status == RBV_OK && model->njoint != p->njoint + springs)
    status = rbv_fail(RBV_ENUM, "the MJCF: read back, it has %d joints of %d", model->njoint,
                      p->njoint + springs);
  if (status == RBV_OK) status = rbv_simulator_blank(&back, model);
  if (status == RBV_OK) {
    take_values(back, model);
    if (!own) status = read_tendons(back, model, rbv_model_document(model));
    if (status == RBV_OK && springs == 0) status = read_constants(back, model, p, &options);
    const double *g = e->model->gravity;
    if (own && memcmp(g, model->gravity, sizeof model->gravity) != 0 && status == RBV_OK)
      status = rbv_export_note(e, "gravity (%g, %g, %g) is not written into the document", g[0],
                               g[1], g[2]);
    if (own) memcpy(model->gravity, g, sizeof model->gravity);
  }
  if (status == RBV_OK) status = rbv_simulator_torque_new(&want, e->model, p);
  if (status == RBV_OK) status = rbv_simulator_torque_new(&got, model, back);
  if (status == RBV_OK && springs > 0)
    status = rbv_export_compare_elastic(e, p, model, back);
  else if (status == RBV_OK)
    status = rbv_export_compare(e, p->njoint, rbv_eval_simulator, &want, rbv_eval_simulator, &got,
                                "the MJCF");
  rbv_simulator_torque_free(&want);
  rbv_simulator_torque_free(&got);
  rbv_simulator_free(back);
  rbv_model_free(model);
  return status;
}

static rbv_status write_mjcf(export_job *e, const simulator_model *p) {
  if (has_own(e) && count_springs(p) > 0)
    return rbv_export_refuse(e,
                             "the robot's own MJCF has one joint per link, and elastic joints need "
                             "a joint for the motor and one for the spring: export a YAML first, "
                             "and that as MJCF");
  for (int j = 0; j < p->njoint && count_springs(p) > 0; j++)
    if (p->spring[j] == 0 && rbv_model_is_elastic(e->model, j))
      return rbv_export_refuse(
          e,
          "joint '%s' has a column Kj whose value is zero: give its stiffness, "
          "or leave the column out",
          e->model->joint[j].name);
  RBV_TRY(rbv_simulator_check(e, p));
  if (e->reason) return RBV_OK;
  RBV_TRY(has_own(e) ? rbv_own_document_edit(e, p, &rules) : put_document(e, p));
  return e->reason ? RBV_OK : read_back(e, p);
}

rbv_status rbv_export_mjcf(export_job *e) {
  simulator_model *p;
  RBV_TRY(rbv_simulator_new(&p, e, true, !has_own(e)));
  RBV_FINISH(write_mjcf(e, p), rbv_simulator_free(p));
}
