/*
 * URDF. A robot that was loaded from a URDF keeps its document byte for byte except for `inertial`
 * and `dynamics`; other robots get a new document. Bodies that are rigidly attached to a moving
 * link are part of that link's parameters. So the link's inertial includes them and the inertials
 * of the attached bodies are removed. Bodies behind joints that move but do not belong to the
 * model, such as fingers, keep their inertials, and those are subtracted from the link. Reading the
 * file gives the same parameters.
 */
#include <math.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "export/own_document.h"

/* ---- inertial ---- */

static const char *const inertia_key[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};

/* about the centre of mass, along principal axes: the products are zero */
typedef struct {
  double mass, centre[3], rpy[3], inertia[6];
} inertial;

static rbv_status inertial_of(inertial *x, const double body[RBV_INERTIAL]) {
  double full[6], moment[3], R[9];
  *x = (inertial){0};
  rbv_body_centre(&x->mass, x->centre, full, body);
  RBV_TRY(rbv_principal(moment, R, full));
  rbv_angles_of(x->rpy, R);
  x->inertia[0] = moment[0];
  x->inertia[3] = moment[1];
  x->inertia[5] = moment[2];
  return RBV_OK;
}

static bool is_turned(const inertial *x) {
  return x->rpy[0] != 0 || x->rpy[1] != 0 || x->rpy[2] != 0;
}

static void put_inertia(rbv_text *t, const inertial *x) {
  rbv_text_put(t, "<inertia");
  for (int k = 0; k < 6; k++) rbv_put_attribute(t, inertia_key[k], &x->inertia[k], 1);
  rbv_text_put(t, "/>");
}

static void put_origin(rbv_text *t, const double *xyz, const double *rpy) {
  rbv_text_put(t, "<origin");
  rbv_put_attribute(t, "xyz", xyz, 3);
  rbv_put_attribute(t, "rpy", rpy, 3);
  rbv_text_put(t, "/>");
}

static void put_mass(rbv_text *t, const inertial *x) {
  rbv_text_put(t, "<mass");
  rbv_put_attribute(t, "value", &x->mass, 1);
  rbv_text_put(t, "/>");
}

/* ---- the robot's own document ---- */

static rbv_status put_inertial(rbv_text *t, const double body[RBV_INERTIAL]) {
  inertial x;
  RBV_TRY(inertial_of(&x, body));
  rbv_text_put(t, "<inertial>");
  put_origin(t, x.centre, x.rpy);
  put_mass(t, &x);
  put_inertia(t, &x);
  rbv_text_put(t, "</inertial>");
  return RBV_OK;
}

/* add missing children of an inertial together after its start tag */
static rbv_status insert_parts(own_document *d, const rbv_element *e, const inertial *x,
                               bool origin, bool mass, bool inertia) {
  if (!origin && !mass && !inertia) return RBV_OK;
  rbv_span s;
  edit_inside in;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  RBV_TRY(rbv_edit_inside(&in, d, e, &s));
  if (origin) put_origin(in.text, x->centre, x->rpy);
  if (mass) put_mass(in.text, x);
  if (inertia) put_inertia(in.text, x);
  if (in.close) rbv_text_print(in.text, "</%s>", in.close);
  return RBV_OK;
}

static rbv_status change_inertial(own_document *d, int link, const double body[RBV_INERTIAL]) {
  const rbv_element *e = d->tree.link[link].inertial_at.element;
  const rbv_element *origin = rbv_element_child(e, "origin"), *mass = rbv_element_child(e, "mass");
  const rbv_element *inertia = rbv_element_child(e, "inertia");
  rbv_span s;
  inertial x;
  RBV_TRY(inertial_of(&x, body));
  if (origin) {
    RBV_TRY(rbv_element_span(&s, d->xml, origin));
    RBV_TRY(rbv_edit_attribute(d, &s, "xyz", x.centre, 3));
    if (rbv_element_attribute(origin, "rpy") || is_turned(&x))
      RBV_TRY(rbv_edit_attribute(d, &s, "rpy", x.rpy, 3));
  }
  if (mass) {
    RBV_TRY(rbv_element_span(&s, d->xml, mass));
    RBV_TRY(rbv_edit_attribute(d, &s, "value", &x.mass, 1));
  }
  if (inertia) {
    RBV_TRY(rbv_element_span(&s, d->xml, inertia));
    for (int k = 0; k < 6; k++)
      RBV_TRY(rbv_edit_attribute(d, &s, inertia_key[k], &x.inertia[k], 1));
  }
  return insert_parts(d, e, &x, !origin, !mass, !inertia);
}

/* multiply mass and inertia of a body that keeps its inertial */
static rbv_status scale_inertial(own_document *d, int link, double factor) {
  const rbv_element *e = d->tree.link[link].inertial_at.element;
  const rbv_element *mass = rbv_element_child(e, "mass"),
                    *inertia = rbv_element_child(e, "inertia");
  rbv_span s;
  double x = 0;
  if (mass) {
    RBV_TRY(rbv_element_reals(&x, 1, d->xml, mass, "value"));
    x *= factor;
    RBV_TRY(rbv_element_span(&s, d->xml, mass));
    RBV_TRY(rbv_edit_attribute(d, &s, "value", &x, 1));
  }
  if (inertia) RBV_TRY(rbv_element_span(&s, d->xml, inertia));
  for (int k = 0; k < 6 && inertia; k++) {
    if (!rbv_element_attribute(inertia, inertia_key[k])) continue;
    RBV_TRY(rbv_element_reals(&x, 1, d->xml, inertia, inertia_key[k]));
    x *= factor;
    RBV_TRY(rbv_edit_attribute(d, &s, inertia_key[k], &x, 1));
  }
  return RBV_OK;
}

static rbv_status change_dynamics(own_document *d, const tree_joint *joint,
                                  const double has[OWN_DRIVE], const double want[OWN_DRIVE]) {
  const char *text = rbv_xml_text(d->xml, NULL);
  const rbv_element *e = rbv_element_child(joint->at.element, "dynamics");
  static const char *const key[3] = {NULL, "damping", "friction"};
  rbv_span s;
  if (e) {
    RBV_TRY(rbv_element_span(&s, d->xml, e));
    for (int i = 1; i < 3; i++)
      if (has[i] != want[i]) RBV_TRY(rbv_edit_attribute(d, &s, key[i], &want[i], 1));
    return RBV_OK;
  }
  // after the last child; every joint has a parent and a child element
  const rbv_element *last = NULL;
  const rbv_element *c = rbv_element_child(joint->at.element, NULL);
  for (; c; c = rbv_element_next(c, NULL)) last = c;
  RBV_TRY(rbv_element_span(&s, d->xml, last));
  rbv_text *out = rbv_edit_add(d, s.end, s.end);
  if (!out) return RBV_EMEM;
  rbv_edit_indent(out, text, s.begin, false);
  rbv_text_put(out, "<dynamics");
  for (int i = 1; i < 3; i++) rbv_put_attribute(out, key[i], &want[i], 1);
  rbv_text_put(out, "/>");
  return RBV_OK;
}

static const own_document_rules rules = {
    .drive = {NULL, "damping", "friction"},
    .edited = (const char *const[]){"inertial", "origin", "mass", "inertia", "dynamics", NULL},
    .put = put_inertial,
    .change = change_inertial,
    .scale = scale_inertial,
    .change_drive = change_dynamics,
};

/* ---- a new document ---- */

static rbv_status put_link(export_job *e, const simulator_model *p, int j) {
  rbv_text *t = &e->text;
  inertial x;
  RBV_TRY(inertial_of(&x, p->body + j * RBV_INERTIAL));
  rbv_text_print(t, "  <link name=\"link%d\">\n    ", j + 1);
  if (rbv_edit_remark(t, e, j)) rbv_text_put(t, "\n    ");
  rbv_text_put(t, "<inertial>\n      ");
  put_origin(t, x.centre, x.rpy);
  rbv_text_put(t, "\n      ");
  put_mass(t, &x);
  rbv_text_put(t, "\n      ");
  put_inertia(t, &x);
  rbv_text_put(t, "\n    </inertial>\n  </link>\n");
  return RBV_OK;
}

static void put_limit(rbv_text *t, const rbv_limits *l, bool bounded) {
  rbv_text_put(t, "    <limit");
  if (bounded) {
    rbv_put_attribute(t, "lower", &l->lower, 1);
    rbv_put_attribute(t, "upper", &l->upper, 1);
  }
  // 0 means "not known"
  const double velocity = isfinite(l->velocity) ? l->velocity : 0;
  const double effort = isfinite(l->effort) ? l->effort : 0;
  rbv_put_attribute(t, "velocity", &velocity, 1);
  rbv_put_attribute(t, "effort", &effort, 1);
  rbv_text_put(t, "/>\n");
}

/* friction of a drive, or the joint that it follows */
static void put_drive(rbv_text *t, const rbv_model *m, const simulator_model *p, int body) {
  const int j = m->coordinate[body], leader = rbv_model_leader(m, body);
  const bool passive = rbv_model_is_passive(m, body);
  if (j < 0 && !passive) {
    rbv_text_put(t, "    <mimic joint=\"");
    rbv_text_escape(t, m->joint[leader].name);
    rbv_text_put(t, "\"");
    rbv_put_attribute(t, "multiplier", &m->map[body + leader * m->nbody], 1);
    rbv_put_attribute(t, "offset", &m->map_offset[body], 1);
    rbv_text_put(t, "/>\n");
    return;
  }
  if (!passive && p->remark[j * SIMULATOR_REMARK])
    rbv_text_print(t, "    <!-- %s -->\n", p->remark + j * SIMULATOR_REMARK);
  rbv_text_put(t, "    <dynamics");
  rbv_put_attribute(t, "damping", passive ? &p->passive_damping[body] : &p->damping[j], 1);
  rbv_put_attribute(t, "friction", passive ? &p->passive_friction[body] : &p->friction[j], 1);
  rbv_text_put(t, "/>\n");
}

static void put_joint(rbv_text *t, const rbv_model *m, const simulator_model *p, int j) {
  const joint_geometry *g = &m->geometry[j];
  const rbv_limits *l = &m->body[j].limits;
  const bool bounded = isfinite(l->lower) && isfinite(l->upper);
  const char *type = g->type == RBV_JOINT_PRISMATIC ? "prismatic"
                     : bounded                      ? "revolute"
                                                    : "continuous";
  const rbv_pose pose = rbv_joint_zero(g);
  double rpy[3];
  rbv_angles_of(rpy, pose.R);
  rbv_text_put(t, "  <joint name=\"");
  rbv_text_escape(t, m->body[j].name);
  rbv_text_print(t, "\" type=\"%s\">\n    ", type);
  put_origin(t, pose.p, rpy);
  if (m->parent[j] < 0)
    rbv_text_put(t, "\n    <parent link=\"base\"/>\n");
  else
    rbv_text_print(t, "\n    <parent link=\"link%d\"/>\n", m->parent[j] + 1);
  rbv_text_print(t, "    <child link=\"link%d\"/>\n    <axis", j + 1);
  rbv_put_attribute(t, "xyz", g->axis, 3);
  rbv_text_put(t, "/>\n");
  put_limit(t, l, bounded);
  put_drive(t, m, p, j);
  rbv_text_put(t, "  </joint>\n");
}

static rbv_status put_document(export_job *e, const simulator_model *p) {
  rbv_text *t = &e->text;
  rbv_text_put(t, "<?xml version=\"1.0\"?>\n<robot name=\"");
  rbv_text_escape(t, rbv_model_name(e->model));
  rbv_text_put(t, "\">\n  <link name=\"base\"/>\n");
  for (int j = 0; j < e->model->nbody; j++) {
    put_joint(t, e->model, p, j);
    RBV_TRY(put_link(e, p, j));
  }
  rbv_text_put(t, "</robot>\n");
  return t->failed ? RBV_EMEM : RBV_OK;
}

/* ---- reading back ---- */

/* true if the robot was read from a URDF */
static bool has_own(const export_job *e) {
  return e->model->document && strcmp(rbv_model_format(e->model), "urdf") == 0;
}

static rbv_status read_back(export_job *e, const simulator_model *p) {
  const rbv_model *m = e->model;
  rbv_model_options options = rbv_export_reading(e, has_own(e), "base");
  options.gamma = 0;
  options.loops = m;
  rbv_model *back = NULL;
  rbv_dynamics *d = NULL;
  simulator_torque want = {0};
  rbv_status status = rbv_model_parse(&back, "the URDF", e->text.data, e->text.size, &options);
  if (status == RBV_OK && back->njoint != m->njoint)
    status =
        rbv_fail(RBV_ENUM, "the URDF: read back, it has %d joints of %d", back->njoint, m->njoint);
  if (status == RBV_OK) {
    // a URDF does not give the direction of gravity
    memcpy(back->gravity, m->gravity, sizeof back->gravity);
    status = rbv_dynamics_new(&d, back);
  }
  if (status == RBV_OK) status = rbv_dynamics_set(d, back->parameters, false);
  if (status == RBV_OK) status = rbv_simulator_torque_new(&want, m, p);
  if (status == RBV_OK)
    status = rbv_export_compare(e, m->njoint, rbv_eval_simulator, &want, rbv_eval_inverse, d,
                                "the URDF");
  rbv_simulator_torque_free(&want);
  rbv_dynamics_free(d);
  rbv_model_free(back);
  return status;
}

static rbv_status note_gravity(export_job *e) {
  const double *g = e->model->gravity;
  if (g[0] == 0 && g[1] == 0 && g[2] == -9.81) return RBV_OK;
  return rbv_export_note(e, "gravity (%g, %g, %g) cannot be expressed in a URDF", g[0], g[1], g[2]);
}

static rbv_status write_urdf(export_job *e, const simulator_model *p) {
  RBV_TRY(rbv_simulator_check(e, p));
  if (e->reason) return RBV_OK;
  RBV_TRY(note_gravity(e));
  if (rbv_model_loop_count(e->model) > 0)
    RBV_TRY(rbv_export_note(e,
                            "closed loops cannot be expressed in a URDF: a YAML file beside it "
                            "with urdf, loops, driven and reference has them"));
  RBV_TRY(has_own(e) ? rbv_own_document_edit(e, p, &rules) : put_document(e, p));
  return e->reason ? RBV_OK : read_back(e, p);
}

rbv_status rbv_export_urdf(export_job *e) {
  simulator_model *p;
  RBV_TRY(rbv_simulator_new(&p, e, false, false));
  RBV_FINISH(write_urdf(e, p), rbv_simulator_free(p));
}
