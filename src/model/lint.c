/* A robot file alone: its masses, and what is doubtful in it. */
#include "model/lint.h"

#include <math.h>
#include <roberval/sys/linalg.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/model_formats.h"

rbv_status rbv_lint_add(rbv_lint *lint, const char *rule, const char *where, const char *format,
                        ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const size_t size = (size_t)lint->nfinding * sizeof *lint->finding;
  rbv_lint_finding *more = rbv_realloc(lint->finding, size, size + sizeof *more);
  if (!more) return RBV_EMEM;
  lint->finding = more;
  rbv_lint_finding *f = &more[lint->nfinding++];
  *f = (rbv_lint_finding){rule, rbv_strdup(where), rbv_strdup(text)};
  return f->where && f->text ? RBV_OK : RBV_EMEM;
}

/* ---- the bodies ---- */

static rbv_status measure(lint_part *p) {
  if (!p->body || !(p->body[9] > 0)) return RBV_OK;
  rbv_inertial_split(p->split, p->body);
  const double *I = p->split + 4;
  const double full[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
  for (int i = 0; i < 9; i++)
    if (!isfinite(full[i])) return rbv_fail(RBV_EINPUT, "link '%s' has no finite inertia", p->name);
  RBV_TRY(rbv_eigen_symmetric(p->moment, NULL, full, 3, 3));
  p->slack =
      1e-9 * fabs(p->moment[2]) + 1e-14 * (fabs(p->body[0]) + fabs(p->body[3]) + fabs(p->body[5]));
  return RBV_OK;
}

static double length_to(const double p[3], double before) {
  const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return isnan(before) ? size : before;
}

/* the links of a URDF or MJCF, without those that only carry a frame */
static rbv_status take_links(lint_part *part, const robot_tree *t) {
  for (int i = 0; i < t->nlink; i++) {
    const tree_link *l = &t->link[i];
    part[i] = (lint_part){.name = l->is_frame ? "" : l->name,
                          .body = l->has_inertial ? l->inertial : NULL,
                          .unknown = l->unknown,
                          .length = NAN,
                          .parent = l->joint >= 0 ? t->joint[l->joint].parent : -1,
                          .moves = rbv_tree_carrier(NULL, NULL, t, i) >= 0};
    RBV_TRY(measure(&part[i]));
  }
  for (int j = 0; j < t->njoint; j++)
    if (t->joint[j].motion != TREE_FIXED && t->joint[j].parent >= 0) {
      lint_part *p = &part[t->joint[j].parent];
      p->length = length_to(t->joint[j].pose.p, p->length);
    }
  return RBV_OK;
}

/* the bodies of a robot without a document */
static rbv_status take_bodies(lint_part *part, const rbv_model *m) {
  const double *chi = rbv_model_parameters(m);
  for (int i = 0; i < m->nbody; i++) {
    const double *body = chi && m->link_column[i] >= 0 ? chi + m->link_column[i] : NULL;
    bool given = false;
    for (int c = 0; body && c < RBV_INERTIAL; c++) given = given || body[c] != 0;
    part[i] = (lint_part){.name = m->body[i].name,
                          .body = given ? body : NULL,
                          .length = NAN,
                          .parent = m->parent[i],
                          .moves = true};
    if (m->parent[i] >= 0) {
      lint_part *p = &part[m->parent[i]];
      p->length = length_to(m->geometry[i].origin, p->length);
    }
    RBV_TRY(measure(&part[i]));
  }
  return RBV_OK;
}

static rbv_status look(rbv_lint *lint, const rbv_model *m, const robot_tree *t) {
  const int count = t ? t->nlink : m->nbody;
  lint_part *part = rbv_alloc((size_t)count * sizeof *part);
  lint->link = rbv_alloc((size_t)count * sizeof *lint->link);
  rbv_status status = part && lint->link ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = t ? take_links(part, t) : take_bodies(part, m);
  if (status == RBV_OK) status = rbv_lint_bodies(lint, part, count);
  if (status == RBV_OK) status = rbv_lint_pairs(lint, part, count);
  if (status == RBV_OK) status = rbv_lint_joints(lint, m, t);
  rbv_free(part);
  return status;
}

rbv_status rbv_lint_new(rbv_lint **out, const rbv_model *m, const rbv_model_options *options) {
  *out = NULL;
  const rbv_model_options usual = rbv_model_defaults();
  rbv_lint *lint = rbv_alloc(sizeof *lint);
  if (!lint) return RBV_EMEM;
  rbv_status status;
  if (m->document) {
    rbv_draft draft = rbv_draft_new(rbv_xml_name(m->document), options ? options : &usual);
    robot_tree tree;
    status = rbv_robot_tree(&tree, &draft, m);
    if (status == RBV_OK) {
      status = look(lint, m, &tree);
      rbv_tree_free(&tree);
    }
    rbv_draft_free(&draft);
  } else {
    status = look(lint, m, NULL);
  }
  if (status == RBV_OK)
    *out = lint;
  else
    rbv_lint_free(lint);
  return status;
}

void rbv_lint_free(rbv_lint *lint) {
  if (!lint) return;
  for (int i = 0; lint->link && i < lint->nlink; i++) rbv_free(lint->link[i].name);
  for (int i = 0; i < lint->nfinding; i++) {
    rbv_free(lint->finding[i].where);
    rbv_free(lint->finding[i].text);
  }
  rbv_free(lint->link);
  rbv_free(lint->finding);
  rbv_free(lint);
}
