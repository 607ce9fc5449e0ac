/*
 * MJCF. Inertias are written along principal axes (see rbv_principal). A reader for exactly this
 * subset of MJCF reads the text back.
 */
#include <math.h>
#include <string.h>

#include "export/export_internal.h"
#include "model/model_draft.h"

/* ---- writing ---- */

static void put_name(rbv_text *t, const char *key, const char *name) {
  rbv_text_print(t, " %s=\"", key);
  rbv_text_escape(t, name);
  rbv_text_put(t, "\"");
}

static rbv_status put_body(export_job *e, const simulator_model *p, int j) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  const rbv_pose pose = rbv_joint_zero(&m->geometry[j]);
  const rbv_limits *l = &m->joint[j].limits;
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
  rbv_text_put(t, "/>\n      <joint");
  put_name(t, "name", m->joint[j].name);
  put_name(t, "type", m->geometry[j].type == RBV_JOINT_PRISMATIC ? "slide" : "hinge");
  rbv_put_attribute(t, "axis", m->geometry[j].axis, 3);
  if (isfinite(l->lower) && isfinite(l->upper)) {
    const double range[2] = {l->lower, l->upper};
    rbv_text_put(t, " limited=\"true\"");
    rbv_put_attribute(t, "range", range, 2);
  }
  if (p->armature[j] != 0) rbv_put_attribute(t, "armature", &p->armature[j], 1);
  rbv_put_attribute(t, "damping", &p->damping[j], 1);
  rbv_put_attribute(t, "frictionloss", &p->friction[j], 1);
  rbv_text_put(t, "/>\n");
  return RBV_OK;
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
  for (int j = 0; j < m->njoint; j++) RBV_TRY(put_body(e, p, j));
  for (int j = 0; j < m->njoint; j++) rbv_text_put(t, "    </body>\n");
  rbv_text_put(t, "  </worldbody>\n");
  put_tendons(t, m, p);
  rbv_text_put(t, "</mujoco>\n");
  return t->failed ? RBV_EMEM : RBV_OK;
}

/* ---- reading back ---- */

static void rotation_of(double R[9], const double q[4]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / (w * w + x * x + y * y + z * z);
  // clang-format off
  const double out[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                         s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                         s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  // clang-format on
  memcpy(R, out, sizeof out);
}

static rbv_status read_pose(rbv_pose *out, const rbv_xml *xml, const rbv_element *e) {
  double quat[4] = {1, 0, 0, 0};
  *out = rbv_pose_identity;
  RBV_TRY(rbv_element_reals(out->p, 3, xml, e, "pos"));
  RBV_TRY(rbv_element_reals(quat, 4, xml, e, "quat"));
  rotation_of(out->R, quat);
  return RBV_OK;
}

/* one body with its joint: the geometry into the draft, the numbers into the simulator model */
static rbv_status read_body(rbv_draft *draft, simulator_model *p, const rbv_xml *xml,
                            const rbv_element *e) {
  const rbv_element *inertial = rbv_element_child(e, "inertial");
  const rbv_element *joint = rbv_element_child(e, "joint");
  if (!inertial || !joint || draft->njoint == p->njoint)
    return rbv_element_fail(RBV_ENUM, xml, e, "a body without inertial or joint, or one too many");
  const int j = draft->njoint;
  draft_joint *to = rbv_draft_add_joint(draft, rbv_element_attribute(joint, "name"));
  if (!to) return RBV_EMEM;
  rbv_pose pose, axes;
  RBV_TRY(read_pose(&pose, xml, e));
  RBV_TRY(read_pose(&axes, xml, inertial));
  joint_geometry *g = &to->geometry;
  g->type = strcmp(rbv_element_attribute(joint, "type"), "slide") == 0 ? RBV_JOINT_PRISMATIC
                                                                       : RBV_JOINT_REVOLUTE;
  memcpy(g->origin, pose.p, sizeof g->origin);
  RBV_TRY(rbv_element_reals(g->axis, 3, xml, joint, "axis"));
  rbv_joint_compile(g, pose.R);
  RBV_TRY(rbv_element_reals(&p->armature[j], 1, xml, joint, "armature"));
  RBV_TRY(rbv_element_reals(&p->damping[j], 1, xml, joint, "damping"));
  RBV_TRY(rbv_element_reals(&p->friction[j], 1, xml, joint, "frictionloss"));
  double moment[3] = {0}, body[RBV_INERTIAL] = {0};
  RBV_TRY(rbv_element_reals(moment, 3, xml, inertial, "diaginertia"));
  RBV_TRY(rbv_element_reals(&body[9], 1, xml, inertial, "mass"));
  body[0] = moment[0];
  body[3] = moment[1];
  body[5] = moment[2];
  rbv_inertial_transform(p->body + j * RBV_INERTIAL, body, &axes);
  return RBV_OK;
}

static rbv_status read_tendons(simulator_model *p, const rbv_draft *draft, const rbv_xml *xml) {
  const rbv_element *e = rbv_element_child(rbv_element_child(rbv_xml_root(xml), "tendon"), "fixed");
  p->ntendon = 0;
  memset(p->weight, 0, (size_t)(p->njoint * p->njoint) * sizeof *p->weight);
  for (; e && p->ntendon < p->njoint; e = rbv_element_next(e, "fixed")) {
    simulator_tendon *t = &p->tendon[p->ntendon];
    double *w = p->weight + p->ntendon++ * p->njoint;
    RBV_TRY(rbv_element_reals(&t->damping, 1, xml, e, "damping"));
    RBV_TRY(rbv_element_reals(&t->friction, 1, xml, e, "frictionloss"));
    for (const rbv_element *c = rbv_element_child(e, "joint"); c; c = rbv_element_next(c, "joint"))
      for (int j = 0; j < draft->njoint; j++)
        if (strcmp(draft->joint[j].name, rbv_element_attribute(c, "joint")) == 0)
          RBV_TRY(rbv_element_reals(&w[j], 1, xml, c, "coef"));
  }
  return RBV_OK;
}

/* read the text as a model without drives and a simulator_model; back is a simulator_model of the
 * right size */
static rbv_status read_document(rbv_model **out, simulator_model *back, const rbv_xml *xml) {
  const rbv_model_options options = {.sensing = -1, .gamma = -1};
  rbv_draft draft = rbv_draft_new("the MJCF", &options);
  const rbv_element *root = rbv_xml_root(xml);
  rbv_status status =
      rbv_element_reals(draft.gravity, 3, xml, rbv_element_child(root, "option"), "gravity");
  const rbv_element *e = rbv_element_child(rbv_element_child(root, "worldbody"), "body");
  for (; e && status == RBV_OK; e = rbv_element_child(e, "body"))
    status = read_body(&draft, back, xml, e);
  if (status == RBV_OK) status = read_tendons(back, &draft, xml);
  if (status == RBV_OK && !(draft.name = rbv_strdup("the MJCF"))) status = RBV_EMEM;
  if (status == RBV_OK) status = rbv_draft_build(out, &draft);
  rbv_draft_free(&draft);
  return status;
}

static rbv_status read_back(export_job *e, const simulator_model *p) {
  rbv_xml *xml = NULL;
  rbv_model *model = NULL;
  simulator_model *back = NULL;
  simulator_torque want = {0}, got = {0};
  rbv_status status = rbv_simulator_blank(&back, p->njoint);
  if (status == RBV_OK) status = rbv_xml_parse(&xml, "the MJCF", e->text.data, e->text.size);
  if (status == RBV_OK) status = read_document(&model, back, xml);
  if (status == RBV_OK && model->njoint != p->njoint)
    status = rbv_fail(RBV_ENUM, "the MJCF: read back, joints are missing");
  if (status == RBV_OK) status = rbv_simulator_torque_new(&want, e->model, p);
  if (status == RBV_OK) status = rbv_simulator_torque_new(&got, model, back);
  if (status == RBV_OK)
    status = rbv_export_compare(e, p->njoint, rbv_eval_simulator, &want, rbv_eval_simulator, &got,
                                "the MJCF");
  rbv_simulator_torque_free(&want);
  rbv_simulator_torque_free(&got);
  rbv_simulator_free(back);
  rbv_model_free(model);
  rbv_xml_free(xml);
  return status;
}

static rbv_status write_mjcf(export_job *e, const simulator_model *p) {
  RBV_TRY(rbv_simulator_check(e, p));
  if (e->reason) return RBV_OK;
  RBV_TRY(put_document(e, p));
  return read_back(e, p);
}

rbv_status rbv_export_mjcf(export_job *e) {
  simulator_model *p;
  RBV_TRY(rbv_simulator_new(&p, e, true));
  const rbv_status status = write_mjcf(e, p);
  rbv_simulator_free(p);
  return status;
}
