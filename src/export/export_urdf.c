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

#include "export/export_internal.h"

#define ROUNDING \
  8e-15  // rounding of two rotations and a shift of an inertia: about thirty sums and products

/* ---- edits of the text ---- */

typedef struct {
  size_t begin, end;  // replaced; equal: inserted there
  int order;          // of edits at the same place
  rbv_text text;
} edit;

typedef struct {
  export_job *e;
  const rbv_xml *xml;
  const simulator_model *simulator_model;
  const double *has;   // njoint x 10: values of the document, merged
  const double *kept;  // njoint x 10: the part of bodies that keep their inertial
  double *share;       // njoint: factor on their mass and inertia, 1 if the rest is a possible body
  int count;
  edit *edit;
} editor;

/* add an edit whose text the caller fills; NULL if memory is exhausted */
static rbv_text *add_edit(editor *d, size_t begin, size_t end) {
  edit *more =
      rbv_realloc(d->edit, (size_t)d->count * sizeof *more, (size_t)(d->count + 1) * sizeof *more);
  if (!more) return NULL;
  d->edit = more;
  d->edit[d->count] = (edit){.begin = begin, .end = end, .order = d->count};
  return &d->edit[d->count++].text;
}

static void free_edits(editor *d) {
  for (int i = 0; i < d->count; i++) rbv_text_free(&d->edit[i].text);
  rbv_free(d->edit);
}

static int compare_edits(const void *a, const void *b) {
  const edit *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->order - y->order;
}

static rbv_status apply_edits(rbv_text *out, editor *d) {
  size_t size, at = 0;
  const char *text = rbv_xml_text(d->xml, &size);
  if (d->count) qsort(d->edit, (size_t)d->count, sizeof *d->edit, compare_edits);
  for (int i = 0; i < d->count; i++) {
    const edit *x = &d->edit[i];
    if (x->text.failed) return RBV_EMEM;
    rbv_text_add(out, text + at, x->begin - at);
    if (x->text.data) rbv_text_add(out, x->text.data, x->text.size);
    at = x->end;
  }
  rbv_text_add(out, text + at, size - at);
  return out->failed ? RBV_EMEM : RBV_OK;
}

/* white space before a place, from the end of the previous line: its indentation */
static size_t indent_begin(const char *text, size_t at) {
  size_t i = at;
  while (i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) i--;
  if (i > 0 && text[i - 1] == '\n') i--;
  if (i > 0 && text[i - 1] == '\r') i--;
  return i < at && (text[i] == '\n' || text[i] == '\r') ? i : at;
}

static void put_indent(rbv_text *out, const char *text, size_t at, bool deeper) {
  const size_t begin = indent_begin(text, at);
  rbv_text_add(out, text + begin, at - begin);
  if (deeper && at > begin) rbv_text_put(out, "  ");
}

/* position of the '/' or '>' that ends a start tag */
static size_t head_mark(const char *text, const rbv_span *s) {
  return text[s->head - 2] == '/' ? s->head - 2 : s->head - 1;
}

/* set an attribute: replace its value, or add it behind the others */
static rbv_status set_attribute(editor *d, const rbv_span *s, const char *name, const double *x,
                                int n) {
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span value;
  if (rbv_span_attribute(&value, d->xml, s, name)) {
    rbv_text *out = add_edit(d, value.begin, value.end);
    if (!out) return RBV_EMEM;
    rbv_put_numbers(out, x, n);
    return RBV_OK;
  }
  size_t at = head_mark(text, s);
  while (strchr(" \t\r\n", text[at - 1])) at--;
  rbv_text *out = add_edit(d, at, at);
  if (!out) return RBV_EMEM;
  rbv_put_attribute(out, name, x, n);
  return RBV_OK;
}

/* a place for children of an element, which may be an empty-element tag: the text goes between its
 * tags */
typedef struct {
  rbv_text *text;
  const char *close;  // text to add after the children, NULL: none
} inside;

static rbv_status open_inside(inside *out, editor *d, const rbv_element *e, const rbv_span *s) {
  const char *text = rbv_xml_text(d->xml, NULL);
  const bool closed = s->end == s->head;
  const size_t mark = head_mark(text, s);
  out->text = closed ? add_edit(d, mark, s->head) : add_edit(d, s->head, s->head);
  if (!out->text) return RBV_EMEM;
  out->close = closed ? rbv_element_tag(e) : NULL;
  if (closed) rbv_text_put(out->text, ">");
  return RBV_OK;
}

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

#define REMARK "<!-- roberval: "

/* a comment with what the data know; false: there is none */
static bool put_remark(rbv_text *t, const export_job *e, int joint) {
  char remark[256];
  if (!rbv_export_body_remark(remark, sizeof remark, e, joint)) return false;
  rbv_text_print(t, REMARK "%s -->", remark);
  return true;
}

/* begin of the remark of an earlier export directly before this place, else the place itself */
static size_t remark_begin(const char *text, size_t at) {
  size_t end = at;
  while (end > 0 && strchr(" \t\r\n", text[end - 1])) end--;
  if (end < 3 || strncmp(text + end - 3, "-->", 3) != 0) return at;
  size_t begin = end - 3;
  while (begin > 0 && strncmp(text + begin, "<!--", 4) != 0) begin--;
  return strncmp(text + begin, REMARK, strlen(REMARK)) == 0 ? begin : at;
}

/* the remark before an inertial that is there; it replaces the one of an earlier export */
static rbv_status change_remark(editor *d, const rbv_element *e, int joint) {
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span s;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  rbv_text *out = add_edit(d, remark_begin(text, s.begin), s.begin);
  if (!out) return RBV_EMEM;
  if (put_remark(out, d->e, joint)) put_indent(out, text, s.begin, false);
  return RBV_OK;
}

/* a new inertial as the first child of a link */
static rbv_status insert_inertial(editor *d, const rbv_element *link, const inertial *x,
                                  int joint) {
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span s;
  inside in;
  RBV_TRY(rbv_element_span(&s, d->xml, link));
  RBV_TRY(open_inside(&in, d, link, &s));
  put_indent(in.text, text, s.begin, true);
  if (put_remark(in.text, d->e, joint)) put_indent(in.text, text, s.begin, true);
  rbv_text_put(in.text, "<inertial>");
  put_origin(in.text, x->centre, x->rpy);
  put_mass(in.text, x);
  put_inertia(in.text, x);
  rbv_text_put(in.text, "</inertial>");
  if (!in.close) return RBV_OK;
  put_indent(in.text, text, s.begin, false);
  rbv_text_print(in.text, "</%s>", in.close);
  return RBV_OK;
}

/* add missing children of an inertial together after its start tag */
static rbv_status insert_parts(editor *d, const rbv_element *e, const inertial *x, bool origin,
                               bool mass, bool inertia) {
  if (!origin && !mass && !inertia) return RBV_OK;
  rbv_span s;
  inside in;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  RBV_TRY(open_inside(&in, d, e, &s));
  if (origin) put_origin(in.text, x->centre, x->rpy);
  if (mass) put_mass(in.text, x);
  if (inertia) put_inertia(in.text, x);
  if (in.close) rbv_text_print(in.text, "</%s>", in.close);
  return RBV_OK;
}

static rbv_status change_inertial(editor *d, const rbv_element *e, const inertial *x) {
  const rbv_element *origin = rbv_element_child(e, "origin"), *mass = rbv_element_child(e, "mass");
  const rbv_element *inertia = rbv_element_child(e, "inertia");
  rbv_span s;
  if (origin) {
    RBV_TRY(rbv_element_span(&s, d->xml, origin));
    RBV_TRY(set_attribute(d, &s, "xyz", x->centre, 3));
    if (rbv_element_attribute(origin, "rpy") || is_turned(x))
      RBV_TRY(set_attribute(d, &s, "rpy", x->rpy, 3));
  }
  if (mass) {
    RBV_TRY(rbv_element_span(&s, d->xml, mass));
    RBV_TRY(set_attribute(d, &s, "value", &x->mass, 1));
  }
  if (inertia) {
    RBV_TRY(rbv_element_span(&s, d->xml, inertia));
    for (int k = 0; k < 6; k++) RBV_TRY(set_attribute(d, &s, inertia_key[k], &x->inertia[k], 1));
  }
  return insert_parts(d, e, x, !origin, !mass, !inertia);
}

/* remove an inertial and its line if that becomes empty */
static rbv_status remove_element(editor *d, const rbv_element *e) {
  rbv_span s;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  const size_t begin = indent_begin(rbv_xml_text(d->xml, NULL), s.begin);
  return add_edit(d, begin, s.end) ? RBV_OK : RBV_EMEM;
}

/* ---- the tree ---- */

static const rbv_element *find_named(const editor *d, const char *tag, const char *name) {
  const rbv_element *e = rbv_element_child(rbv_xml_root(d->xml), tag);
  while (e && strcmp(rbv_element_attribute(e, "name"), name) != 0) e = rbv_element_next(e, tag);
  return e;
}

/* the joint whose child is this link, NULL for a root */
static const rbv_element *joint_above(const editor *d, const char *link) {
  const rbv_element *e = rbv_element_child(rbv_xml_root(d->xml), "joint");
  for (; e; e = rbv_element_next(e, "joint"))
    if (strcmp(rbv_element_attribute(rbv_element_child(e, "child"), "link"), link) == 0) return e;
  return NULL;
}

static int joint_index(const rbv_model *m, const char *name) {
  for (int j = 0; j < m->njoint; j++)
    if (strcmp(m->joint[j].name, name) == 0) return j;
  return -1;
}

/* how a link is attached to the joint of the model that carries it */
typedef enum {
  OWN,       // its child
  RIGID,     // by fixed joints
  SEPARATE,  // behind a joint that moves
} attachment;

/* the joint of the model that carries a link, -1: the ground */
static int carrier(attachment *how, const editor *d, const char *link) {
  *how = OWN;
  for (;;) {
    const rbv_element *e = joint_above(d, link);
    if (!e) return -1;
    const int j = joint_index(d->e->model, rbv_element_attribute(e, "name"));
    if (j >= 0) return j;
    if (strcmp(rbv_element_attribute(e, "type"), "fixed") != 0) *how = SEPARATE;
    if (*how == OWN) *how = RIGID;
    link = rbv_element_attribute(rbv_element_child(e, "parent"), "link");
  }
}

/* true if the document already has these parameters, up to the rounding of their transformation
 */
static bool is_written(const editor *d, int j) {
  const double *has = d->has + j * RBV_INERTIAL,
               *want = d->simulator_model->body + j * RBV_INERTIAL;
  static const int group[RBV_INERTIAL] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
  double size[3] = {0};
  for (int c = 0; c < RBV_INERTIAL; c++) size[group[c]] = fmax(size[group[c]], fabs(want[c]));
  for (int c = 0; c < RBV_INERTIAL; c++)
    if (!(fabs(want[c] - has[c]) <= ROUNDING * size[group[c]])) return false;
  return true;
}

/* ---- bodies behind joints that move but do not belong to the model ---- */

/* the document without their inertials */
static rbv_status remove_separate(editor *d) {
  const rbv_element *link = rbv_element_child(rbv_xml_root(d->xml), "link");
  for (; link; link = rbv_element_next(link, "link")) {
    const rbv_element *e = rbv_element_child(link, "inertial");
    attachment how;
    if (e && carrier(&how, d, rbv_element_attribute(link, "name")) >= 0 && how == SEPARATE)
      RBV_TRY(remove_element(d, e));
  }
  return RBV_OK;
}

/* true if a body can have these parameters: its pseudo-inertia is positive definite */
static bool is_possible(const double b[RBV_INERTIAL]) {
  const double half = (b[0] + b[3] + b[5]) / 2;
  const double P[16] = {half - b[0], -b[1], -b[2],       b[6], -b[1], half - b[3], -b[4], b[7],
                        -b[2],       -b[4], half - b[5], b[8], b[6],  b[7],        b[8],  b[9]};
  double value[4];
  return rbv_eigen_symmetric(value, NULL, P, 4, 4) == RBV_OK && value[0] > 0;
}

/* what remains for the link itself */
static void rest_of(double out[RBV_INERTIAL], const editor *d, int j, double share) {
  for (int c = 0; c < RBV_INERTIAL; c++)
    out[c] = d->simulator_model->body[j * RBV_INERTIAL + c] - share * d->kept[j * RBV_INERTIAL + c];
}

/* the largest share of 1, 1/2, 1/4 ... that leaves a possible body */
static void choose_shares(editor *d) {
  for (int j = 0; j < d->e->model->njoint; j++) {
    double rest[RBV_INERTIAL];
    d->share[j] = 1;
    if (d->kept[j * RBV_INERTIAL + 9] == 0) continue;
    // base parameters are no body to begin with
    if (!is_possible(d->simulator_model->body + j * RBV_INERTIAL)) continue;
    for (int halving = 0; halving < 20; halving++, d->share[j] /= 2) {
      rest_of(rest, d, j, d->share[j]);
      if (is_possible(rest)) break;
    }
  }
}

/* multiply mass and inertia of a body that keeps its inertial */
static rbv_status scale_inertial(editor *d, const rbv_element *e, double factor) {
  const rbv_element *mass = rbv_element_child(e, "mass"),
                    *inertia = rbv_element_child(e, "inertia");
  rbv_span s;
  double x = 0;
  if (mass) {
    RBV_TRY(rbv_element_reals(&x, 1, d->xml, mass, "value"));
    x *= factor;
    RBV_TRY(rbv_element_span(&s, d->xml, mass));
    RBV_TRY(set_attribute(d, &s, "value", &x, 1));
  }
  if (inertia) RBV_TRY(rbv_element_span(&s, d->xml, inertia));
  for (int k = 0; k < 6 && inertia; k++) {
    if (!rbv_element_attribute(inertia, inertia_key[k])) continue;
    RBV_TRY(rbv_element_reals(&x, 1, d->xml, inertia, inertia_key[k]));
    x *= factor;
    RBV_TRY(set_attribute(d, &s, inertia_key[k], &x, 1));
  }
  return RBV_OK;
}

static rbv_status edit_separate(editor *d, const rbv_element *e, const char *name, int j) {
  const char *joint = d->e->model->joint[j].name;
  if (d->share[j] == 1)
    return rbv_export_note(d->e,
                           "link '%s' keeps its inertial, which is subtracted from the link that "
                           "joint '%s' moves",
                           name, joint);
  RBV_TRY(rbv_export_note(d->e,
                          "the inertial of link '%s' is multiplied by %.3g, because the link that "
                          "joint '%s' moves was identified as too light for it",
                          name, d->share[j], joint));
  return scale_inertial(d, e, d->share[j]);
}

static rbv_status edit_link(editor *d, const rbv_element *link) {
  const char *name = rbv_element_attribute(link, "name");
  const rbv_element *e = rbv_element_child(link, "inertial");
  attachment how;
  const int j = carrier(&how, d, name);
  if (j < 0 || is_written(d, j)) return RBV_OK;  // fixed to the ground, or as it should be
  if (how == SEPARATE) return e ? edit_separate(d, e, name, j) : RBV_OK;
  if (how == RIGID) {
    if (!e) return RBV_OK;
    RBV_TRY(rbv_export_note(d->e,
                            "the body of link '%s' is part of the link that joint '%s' moves: its "
                            "own inertial is removed",
                            name, d->e->model->joint[j].name));
    return remove_element(d, e);
  }
  inertial x;
  double rest[RBV_INERTIAL];
  rest_of(rest, d, j, d->share[j]);
  RBV_TRY(inertial_of(&x, rest));
  if (!e) return insert_inertial(d, link, &x, j);
  RBV_TRY(change_remark(d, e, j));
  return change_inertial(d, e, &x);
}

/* ---- dynamics ---- */

static rbv_status edit_joint(editor *d, int j) {
  const char *text = rbv_xml_text(d->xml, NULL);
  const rbv_element *joint = find_named(d, "joint", d->e->model->joint[j].name);
  const rbv_element *e = rbv_element_child(joint, "dynamics");
  const char *const key[2] = {"damping", "friction"};
  const double want[2] = {d->simulator_model->damping[j], d->simulator_model->friction[j]};
  double has[2] = {0, 0};
  rbv_span s;
  for (int i = 0; i < 2 && e; i++) RBV_TRY(rbv_element_reals(&has[i], 1, d->xml, e, key[i]));
  if (has[0] == want[0] && has[1] == want[1]) return RBV_OK;
  if (e) {
    RBV_TRY(rbv_element_span(&s, d->xml, e));
    for (int i = 0; i < 2; i++)
      if (has[i] != want[i]) RBV_TRY(set_attribute(d, &s, key[i], &want[i], 1));
    return RBV_OK;
  }
  // after the last child; every joint has a parent and a child element
  const rbv_element *last = NULL;
  for (const rbv_element *c = rbv_element_child(joint, NULL); c; c = rbv_element_next(c, NULL))
    last = c;
  RBV_TRY(rbv_element_span(&s, d->xml, last));
  rbv_text *out = add_edit(d, s.end, s.end);
  if (!out) return RBV_EMEM;
  put_indent(out, text, s.begin, false);
  rbv_text_put(out, "<dynamics");
  for (int i = 0; i < 2; i++) rbv_put_attribute(out, key[i], &want[i], 1);
  rbv_text_put(out, "/>");
  return RBV_OK;
}

static rbv_status edit_document(editor *d) {
  const rbv_element *e = rbv_element_child(rbv_xml_root(d->xml), "link");
  for (; e; e = rbv_element_next(e, "link")) RBV_TRY(edit_link(d, e));
  for (int j = 0; j < d->e->model->njoint; j++) RBV_TRY(edit_joint(d, j));
  return apply_edits(&d->e->text, d);
}

/* ---- a new document ---- */

static rbv_status put_link(export_job *e, const simulator_model *p, int j) {
  rbv_text *t = &e->text;
  inertial x;
  RBV_TRY(inertial_of(&x, p->body + j * RBV_INERTIAL));
  rbv_text_print(t, "  <link name=\"link%d\">\n    ", j + 1);
  if (put_remark(t, e, j)) rbv_text_put(t, "\n    ");
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

static void put_joint(rbv_text *t, const rbv_model *m, const simulator_model *p, int j) {
  const joint_geometry *g = &m->geometry[j];
  const rbv_limits *l = &m->joint[j].limits;
  const bool bounded = isfinite(l->lower) && isfinite(l->upper);
  const char *type = g->type == RBV_JOINT_PRISMATIC ? "prismatic"
                     : bounded                      ? "revolute"
                                                    : "continuous";
  const rbv_pose pose = rbv_joint_zero(g);
  double rpy[3];
  rbv_angles_of(rpy, pose.R);
  rbv_text_put(t, "  <joint name=\"");
  rbv_text_escape(t, m->joint[j].name);
  rbv_text_print(t, "\" type=\"%s\">\n    ", type);
  put_origin(t, pose.p, rpy);
  if (j == 0)
    rbv_text_put(t, "\n    <parent link=\"base\"/>\n");
  else
    rbv_text_print(t, "\n    <parent link=\"link%d\"/>\n", j);
  rbv_text_print(t, "    <child link=\"link%d\"/>\n    <axis", j + 1);
  rbv_put_attribute(t, "xyz", g->axis, 3);
  rbv_text_put(t, "/>\n");
  put_limit(t, l, bounded);
  rbv_text_put(t, "    <dynamics");
  rbv_put_attribute(t, "damping", &p->damping[j], 1);
  rbv_put_attribute(t, "friction", &p->friction[j], 1);
  rbv_text_put(t, "/>\n  </joint>\n");
}

static rbv_status put_document(export_job *e, const simulator_model *p) {
  rbv_text *t = &e->text;
  rbv_text_put(t, "<?xml version=\"1.0\"?>\n<robot name=\"");
  rbv_text_escape(t, rbv_model_name(e->model));
  rbv_text_put(t, "\">\n  <link name=\"base\"/>\n");
  for (int j = 0; j < e->model->njoint; j++) {
    put_joint(t, e->model, p, j);
    RBV_TRY(put_link(e, p, j));
  }
  rbv_text_put(t, "</robot>\n");
  return t->failed ? RBV_EMEM : RBV_OK;
}

/* ---- reading back ---- */

static rbv_status read_back(export_job *e, const simulator_model *p) {
  const rbv_model *m = e->model;
  rbv_model_options options = rbv_model_defaults();
  options.gamma = 0;
  // angles of a new document are exact; those of the user's document are read as before
  options.snap = m->urdf && e->options->loaded.snap;
  options.tip = m->urdf ? e->options->loaded.tip : NULL;
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

/* link parameters of a document alone; a YAML beside it may have changed those of the model */
static rbv_status read_links(double *out, const export_job *e, const char *text, size_t size) {
  rbv_model_options options = e->options->loaded;
  options.payload = false;
  rbv_model *own;
  RBV_TRY(rbv_model_parse(&own, rbv_xml_name(e->model->urdf), text, size, &options));
  for (int j = 0; j < own->njoint; j++)
    for (int c = 0; c < RBV_INERTIAL; c++)
      out[j * RBV_INERTIAL + c] = own->parameters ? own->parameters[own->link_column[j] + c] : 0;
  rbv_model_free(own);
  return RBV_OK;
}

/* values of the document, and the part of bodies that keep their inertial: the difference to a
 * document without those */
static rbv_status read_own(double *has, double *kept, const editor *d) {
  size_t size;
  const char *text = rbv_xml_text(d->xml, &size);
  RBV_TRY(read_links(has, d->e, text, size));
  editor without = {.e = d->e, .xml = d->xml};
  rbv_text rest = {0};
  rbv_status status = remove_separate(&without);
  if (status == RBV_OK && without.count > 0) {
    status = apply_edits(&rest, &without);
    if (status == RBV_OK) status = read_links(kept, d->e, rest.data, rest.size);
    for (int i = 0; i < d->e->model->njoint * RBV_INERTIAL && status == RBV_OK; i++)
      kept[i] = has[i] - kept[i];
  }
  rbv_text_free(&rest);
  free_edits(&without);
  return status;
}

/* every link and every joint of the input must be in the output, in the same order */
static rbv_status check_elements(const export_job *e) {
  rbv_xml *xml;
  RBV_TRY(rbv_xml_parse(&xml, "the URDF", e->text.data, e->text.size));
  rbv_status status = RBV_OK;
  static const char *const tag[] = {"link", "joint"};
  for (int i = 0; i < 2 && status == RBV_OK; i++) {
    const rbv_element *want = rbv_element_child(rbv_xml_root(e->model->urdf), tag[i]);
    const rbv_element *have = rbv_element_child(rbv_xml_root(xml), tag[i]);
    for (; want && status == RBV_OK; want = rbv_element_next(want, tag[i])) {
      const char *name = rbv_element_attribute(want, "name");
      const char *other = rbv_element_attribute(have, "name");
      if (!other || strcmp(name, other) != 0)
        status = rbv_fail(RBV_ENUM, "the URDF: %s '%s' is missing", tag[i], name);
      have = rbv_element_next(have, tag[i]);
    }
  }
  rbv_xml_free(xml);
  return status;
}

static rbv_status edit_own(export_job *e, const simulator_model *p) {
  const size_t n = (size_t)p->njoint;
  double *has = rbv_alloc(n * (2 * RBV_INERTIAL + 1) * sizeof *has);
  if (!has) return RBV_EMEM;
  double *kept = has + n * RBV_INERTIAL;
  editor d = {.e = e,
              .xml = e->model->urdf,
              .simulator_model = p,
              .has = has,
              .kept = kept,
              .share = kept + n * RBV_INERTIAL};
  rbv_status status = read_own(has, kept, &d);
  if (status == RBV_OK) {
    choose_shares(&d);
    status = edit_document(&d);
  }
  if (status == RBV_OK) status = check_elements(e);
  free_edits(&d);
  rbv_free(has);
  return status;
}

static rbv_status write_urdf(export_job *e, const simulator_model *p) {
  RBV_TRY(rbv_simulator_check(e, p));
  if (e->reason) return RBV_OK;
  RBV_TRY(note_gravity(e));
  RBV_TRY(e->model->urdf ? edit_own(e, p) : put_document(e, p));
  return read_back(e, p);
}

rbv_status rbv_export_urdf(export_job *e) {
  simulator_model *p;
  RBV_TRY(rbv_simulator_new(&p, e, false));
  const rbv_status status = write_urdf(e, p);
  rbv_simulator_free(p);
  return status;
}
