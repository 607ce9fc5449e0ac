#include "export/own_document.h"

#include <math.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#define ROUNDING \
  8e-15  // rounding of two rotations and a shift of an inertia: about thirty sums and products

/* ---- edits of the text ---- */

rbv_text *rbv_edit_add(own_document *d, size_t begin, size_t end) {
  edit *more =
      rbv_realloc(d->edit, (size_t)d->count * sizeof *more, (size_t)(d->count + 1) * sizeof *more);
  if (!more) return NULL;
  d->edit = more;
  d->edit[d->count] = (edit){.begin = begin, .end = end, .order = d->count};
  return &d->edit[d->count++].text;
}

static void free_edits(own_document *d) {
  for (int i = 0; i < d->count; i++) rbv_text_free(&d->edit[i].text);
  rbv_free(d->edit);
}

static int compare_edits(const void *a, const void *b) {
  const edit *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->order - y->order;
}

static rbv_status apply_edits(rbv_text *out, own_document *d) {
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

void rbv_edit_indent(rbv_text *out, const char *text, size_t at, bool deeper) {
  const size_t begin = indent_begin(text, at);
  rbv_text_add(out, text + begin, at - begin);
  if (deeper && at > begin) rbv_text_put(out, "  ");
}

/* position of the '/' or '>' that ends a start tag */
static size_t head_mark(const char *text, const rbv_span *s) {
  return text[s->head - 2] == '/' ? s->head - 2 : s->head - 1;
}

/* set an attribute: replace its value, or add it behind the others */
rbv_status rbv_edit_attribute(own_document *d, const rbv_span *s, const char *name, const double *x,
                              int n) {
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span value;
  if (rbv_span_attribute(&value, d->xml, s, name)) {
    rbv_text *out = rbv_edit_add(d, value.begin, value.end);
    if (!out) return RBV_EMEM;
    rbv_put_numbers(out, x, n);
    return RBV_OK;
  }
  size_t at = head_mark(text, s);
  while (strchr(" \t\r\n", text[at - 1])) at--;
  rbv_text *out = rbv_edit_add(d, at, at);
  if (!out) return RBV_EMEM;
  rbv_put_attribute(out, name, x, n);
  return RBV_OK;
}

rbv_status rbv_edit_inside(edit_inside *out, own_document *d, const rbv_element *e,
                           const rbv_span *s) {
  const char *text = rbv_xml_text(d->xml, NULL);
  const bool closed = s->end == s->head;
  const size_t mark = head_mark(text, s);
  out->text = closed ? rbv_edit_add(d, mark, s->head) : rbv_edit_add(d, s->head, s->head);
  if (!out->text) return RBV_EMEM;
  out->close = closed ? rbv_element_tag(e) : NULL;
  if (closed) rbv_text_put(out->text, ">");
  return RBV_OK;
}

rbv_status rbv_edit_remove_attribute(own_document *d, const rbv_span *s, const char *name) {
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span value;
  if (!rbv_span_attribute(&value, d->xml, s, name)) return RBV_OK;
  size_t at = value.begin - 1;  // the quote
  while (strchr(" \t\r\n=", text[at - 1])) at--;
  at -= strlen(name);
  while (strchr(" \t\r\n", text[at - 1])) at--;
  return rbv_edit_add(d, at, value.end + 1) ? RBV_OK : RBV_EMEM;
}

/* remove an element and its line if that becomes empty */
static rbv_status remove_element(own_document *d, const rbv_element *e) {
  rbv_span s;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  const size_t begin = indent_begin(rbv_xml_text(d->xml, NULL), s.begin);
  return rbv_edit_add(d, begin, s.end) ? RBV_OK : RBV_EMEM;
}

/* ---- remarks ---- */

#define REMARK "<!-- roberval: "

/* a comment with what the data know; false: there is none */
bool rbv_edit_remark(rbv_text *t, const export_job *e, int joint) {
  char remark[256];
  if (!rbv_export_body_remark(remark, sizeof remark, e, joint)) return false;
  rbv_text_print(t, REMARK "%s -->", remark);
  return true;
}

rbv_status rbv_edit_insert_inertial(own_document *d, int link, const double body[RBV_INERTIAL],
                                    int joint) {
  const rbv_element *e = d->tree.link[link].at.element;
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span s;
  edit_inside in;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  RBV_TRY(rbv_edit_inside(&in, d, e, &s));
  rbv_edit_indent(in.text, text, s.begin, true);
  if (joint >= 0 && rbv_edit_remark(in.text, d->e, joint))
    rbv_edit_indent(in.text, text, s.begin, true);
  RBV_TRY(d->rules->put(in.text, body));
  if (!in.close) return RBV_OK;
  rbv_edit_indent(in.text, text, s.begin, false);
  rbv_text_print(in.text, "</%s>", in.close);
  return RBV_OK;
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
static rbv_status change_remark(own_document *d, const rbv_element *e, int joint) {
  const char *text = rbv_xml_text(d->xml, NULL);
  rbv_span s;
  RBV_TRY(rbv_element_span(&s, d->xml, e));
  rbv_text *out = rbv_edit_add(d, remark_begin(text, s.begin), s.begin);
  if (!out) return RBV_EMEM;
  if (rbv_edit_remark(out, d->e, joint)) rbv_edit_indent(out, text, s.begin, false);
  return RBV_OK;
}

/* ---- bodies ---- */

/* true if a body can have these parameters: its pseudo-inertia is positive definite */
static bool is_possible(const double b[RBV_INERTIAL]) {
  const double half = (b[0] + b[3] + b[5]) / 2;
  const double P[16] = {half - b[0], -b[1], -b[2],       b[6], -b[1], half - b[3], -b[4], b[7],
                        -b[2],       -b[4], half - b[5], b[8], b[6],  b[7],        b[8],  b[9]};
  double value[4];
  return rbv_eigen_symmetric(value, NULL, P, 4, 4) == RBV_OK && value[0] > 0;
}

/* what remains for the link itself */
static void rest_of(double out[RBV_INERTIAL], const own_document *d, int j, double share) {
  for (int c = 0; c < RBV_INERTIAL; c++)
    out[c] = d->want->body[j * RBV_INERTIAL + c] - share * d->kept[j * RBV_INERTIAL + c];
}

/* the largest share of 1, 1/2, 1/4 ... that leaves a possible body */
static void choose_shares(own_document *d) {
  for (int j = 0; j < d->want->nbody; j++) {
    double rest[RBV_INERTIAL];
    d->share[j] = 1;
    if (d->kept[j * RBV_INERTIAL + 9] == 0) continue;
    // base parameters do not describe a possible body, so there is nothing to keep
    if (!is_possible(d->want->body + j * RBV_INERTIAL)) continue;
    for (int halving = 0; halving < 20; halving++, d->share[j] /= 2) {
      rest_of(rest, d, j, d->share[j]);
      if (is_possible(rest)) break;
    }
  }
}

/* true if the document already has these parameters, up to the rounding of their transformation
 */
static bool is_written(const own_document *d, int j) {
  const double *has = d->has + j * RBV_INERTIAL, *want = d->want->body + j * RBV_INERTIAL;
  static const int group[RBV_INERTIAL] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
  double size[3] = {0};
  for (int c = 0; c < RBV_INERTIAL; c++) size[group[c]] = fmax(size[group[c]], fabs(want[c]));
  for (int c = 0; c < RBV_INERTIAL; c++)
    if (!(fabs(want[c] - has[c]) <= ROUNDING * size[group[c]])) return false;
  return true;
}

/* body of the model that carries a link, from 0; -1: the ground */
static int carrier(rbv_pose *pose, tree_attachment *how, const own_document *d, int link) {
  const int joint = rbv_tree_carrier(pose, how, &d->tree, link);
  return joint < 0 ? -1 : rbv_tree_order(&d->tree, joint);
}

/* true for a link whose body keeps its inertial */
static bool keeps(const own_document *d, tree_attachment how) {
  return how == TREE_SEPARATE || (how == TREE_RIGID && d->rules->keeps_rigid);
}

/* values of the document, and the part of bodies that keep their inertial */
static void sum_bodies(own_document *d) {
  for (int i = 0; i < d->tree.nlink; i++) {
    rbv_pose pose;
    tree_attachment how;
    double moved[RBV_INERTIAL];
    const int j = carrier(&pose, &how, d, i);
    if (j < 0 || !d->tree.link[i].has_inertial) continue;
    rbv_inertial_transform(moved, d->tree.link[i].inertial, &pose);
    for (int c = 0; c < RBV_INERTIAL; c++) {
      d->has[j * RBV_INERTIAL + c] += moved[c];
      if (keeps(d, how)) d->kept[j * RBV_INERTIAL + c] += moved[c];
    }
  }
}

/* elements of an included file cannot be changed in the main one */
static rbv_status refuse_included(bool *refused, own_document *d, const tree_place *at,
                                  const char *what, const char *name) {
  *refused = at->xml != d->xml;
  if (!*refused) return RBV_OK;
  return rbv_export_refuse(d->e,
                           "%s '%s' is in the included file %s, which this export cannot "
                           "change: identify with that file",
                           what, name, rbv_xml_name(at->xml));
}

static rbv_status edit_kept(own_document *d, int link, int j) {
  const tree_link *l = &d->tree.link[link];
  const char *joint = d->e->model->body[j].name;
  if (d->share[j] == 1)
    return rbv_export_note(d->e,
                           "link '%s' keeps its inertial, which is subtracted from the link that "
                           "joint '%s' moves",
                           l->name, joint);
  RBV_TRY(rbv_export_note(d->e,
                          "the inertial of link '%s' is multiplied by %.3g, because the link that "
                          "joint '%s' moves was identified as too light for it",
                          l->name, d->share[j], joint));
  return d->rules->scale(d, link, d->share[j]);
}

static rbv_status edit_own_link(own_document *d, int link, int j) {
  const tree_link *l = &d->tree.link[link];
  const char *joint = d->e->model->body[j].name;
  if (!l->at.element)
    return rbv_export_refuse(d->e,
                             "joint '%s' moves no body of its own: the document has no place for "
                             "its inertial parameters",
                             joint);
  if (l->locked)
    return rbv_export_refuse(d->e,
                             "the inertia of link '%s' is computed from its shapes "
                             "(inertiafromgeom=\"true\"): set inertiafromgeom to auto",
                             l->name);
  double rest[RBV_INERTIAL], body[RBV_INERTIAL];
  rest_of(rest, d, j, d->share[j]);
  const rbv_pose to = rbv_pose_inverse(&l->content);
  rbv_inertial_transform(body, rest, &to);
  if (!l->inertial_at.element) return rbv_edit_insert_inertial(d, link, body, j);
  RBV_TRY(change_remark(d, l->inertial_at.element, j));
  return d->rules->change(d, link, body);
}

static rbv_status edit_link(own_document *d, int link) {
  const tree_link *l = &d->tree.link[link];
  tree_attachment how;
  const int j = carrier(NULL, &how, d, link);
  bool refused = false;
  if (j < 0 || is_written(d, j)) return RBV_OK;  // fixed to the ground, or as it should be
  if (how != TREE_OWN && !l->has_inertial) return RBV_OK;
  if (how == TREE_OWN || !keeps(d, how) || d->share[j] != 1)
    if (l->at.element) RBV_TRY(refuse_included(&refused, d, &l->at, "link", l->name));
  if (refused) return RBV_OK;
  if (keeps(d, how)) return edit_kept(d, link, j);
  if (how == TREE_OWN) return edit_own_link(d, link, j);
  RBV_TRY(rbv_export_note(d->e,
                          "the body of link '%s' is part of the link that joint '%s' moves: its "
                          "own inertial is removed",
                          l->name, d->e->model->body[j].name));
  return remove_element(d, l->inertial_at.element);
}

/* ---- the document ---- */

static rbv_status edit_joint(own_document *d, int joint) {
  const tree_joint *t = &d->tree.joint[joint];
  const int j = d->e->model->coordinate[rbv_tree_order(&d->tree, joint)];
  if (j < 0) return RBV_OK;  // a follower has no drive
  const double has[OWN_DRIVE] = {t->armature, t->damping, t->friction, t->stiffness};
  const double want[OWN_DRIVE] = {d->want->armature[j], d->want->damping[j], d->want->friction[j],
                                  d->want->stiffness[j]};
  bool refused, same = true;
  for (int i = 0; i < OWN_DRIVE; i++) same = same && (!d->rules->drive[i] || has[i] == want[i]);
  if (same) return RBV_OK;
  RBV_TRY(refuse_included(&refused, d, &t->at, "joint", t->name));
  return refused ? RBV_OK : d->rules->change_drive(d, t, has, want);
}

static rbv_status edit_document(own_document *d) {
  for (int i = 0; i < d->tree.nlink && !d->e->reason; i++) RBV_TRY(edit_link(d, i));
  for (int j = 0; j < d->tree.njoint && !d->e->reason; j++)
    if (d->tree.joint[j].on_chain && d->tree.joint[j].motion != TREE_FIXED)
      RBV_TRY(edit_joint(d, j));
  return d->e->reason ? RBV_OK : apply_edits(&d->e->text, d);
}

/* the next element that the export does not edit */
static const rbv_element *skip_edited(const own_document *d, const rbv_element *e) {
  for (; e; e = rbv_element_following(e)) {
    bool edited = false;
    for (int i = 0; d->rules->edited[i]; i++)
      edited = edited || strcmp(rbv_element_tag(e), d->rules->edited[i]) == 0;
    if (!edited) break;
  }
  return e;
}

/* all other elements of the input must be in the output, in the same order */
static rbv_status check_elements(const own_document *d) {
  rbv_xml *xml;
  RBV_TRY(rbv_xml_parse(&xml, "the export", d->e->text.data, d->e->text.size));
  rbv_status status = RBV_OK;
  const rbv_element *want = skip_edited(d, rbv_xml_root(d->xml));
  const rbv_element *have = skip_edited(d, rbv_xml_root(xml));
  while ((want || have) && status == RBV_OK) {
    const char *name = want ? rbv_element_attribute(want, "name") : NULL;
    const char *other = have ? rbv_element_attribute(have, "name") : NULL;
    if (!want || !have || strcmp(rbv_element_tag(want), rbv_element_tag(have)) != 0 ||
        !name != !other || (name && strcmp(name, other) != 0))
      status = rbv_fail(RBV_ENUM, "the export: %s '%s' is missing or moved",
                        want ? rbv_element_tag(want) : "an element", name ? name : "");
    want = want ? skip_edited(d, rbv_element_following(want)) : NULL;
    have = have ? skip_edited(d, rbv_element_following(have)) : NULL;
  }
  rbv_xml_free(xml);
  return status;
}

rbv_status rbv_own_document_edit(export_job *e, const simulator_model *want,
                                 const own_document_rules *rules) {
  const size_t n = (size_t)want->nbody;
  const rbv_model_options options = e->options->loaded;
  rbv_draft draft = rbv_draft_new(rbv_xml_name(e->model->document), &options);
  own_document d = {.e = e, .xml = e->model->document, .want = want, .rules = rules};
  d.has = rbv_alloc(n * (2 * RBV_INERTIAL + 1) * sizeof *d.has);
  rbv_status status = d.has ? rbv_robot_tree(&d.tree, &draft, e->model) : RBV_EMEM;
  if (status == RBV_OK) {
    d.kept = d.has + n * RBV_INERTIAL;
    d.share = d.kept + n * RBV_INERTIAL;
    sum_bodies(&d);
    choose_shares(&d);
    status = edit_document(&d);
  }
  if (status == RBV_OK && !e->reason) status = check_elements(&d);
  free_edits(&d);
  rbv_tree_free(&d.tree);
  rbv_draft_free(&draft);
  rbv_free(d.has);
  return status;
}
