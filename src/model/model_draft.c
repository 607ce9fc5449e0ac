#include "model/model_draft.h"
#include "document/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SNAP_AXIS 4e-6     // cos(1.5708): an axis that was turned by pi/2 with four decimals
#define SNAP_SILENT 1e-15  // smaller changes are rounding and are not reported

static void clear_shape(double shape[LAW_SHAPE_KINDS]) {
  for (int i = 0; i < LAW_SHAPE_KINDS; i++) shape[i] = NAN;
}

rbv_draft rbv_draft_new(const char *file, const rbv_model_options *options) {
  rbv_draft draft = {.file = file, .options = options, .gravity = {0, 0, -9.81}};
  clear_shape(draft.shape);
  return draft;
}

void rbv_draft_free(rbv_draft *draft) {
  for (int j = 0; j < draft->njoint; j++) rbv_free(draft->joint[j].name);
  for (int i = 0; i < draft->nvalue; i++) rbv_free(draft->value[i].name);
  for (int i = 0; i < draft->nsnap; i++) rbv_free((void *)(uintptr_t)draft->snap[i].where);
  for (int i = 0; i < draft->nnote; i++) rbv_free(draft->note[i]);
  for (int i = 0; i < draft->nterm; i++) rbv_expression_free(&draft->term[i].expression);
  RBV_FREE_ALL(draft->column, draft->term, draft->joint, draft->value, draft->snap, draft->note,
               draft->name, draft->transmission, draft->transmission_offset);
  rbv_draft_drop_capsules(draft);
  for (int i = 0; i < draft->nframe; i++) rbv_free(draft->frame[i].name);
  rbv_free(draft->frame);
  for (int i = 0; i < draft->ncontact; i++) rbv_free(draft->contact[i].name);
  rbv_free(draft->contact);
  for (int i = 0; i < draft->nloop; i++) rbv_free(draft->loop[i].name);
  rbv_free(draft->loop);
  rbv_closure_free(draft->closure);
  rbv_xml_free(draft->document);
  rbv_document_free(draft->springs);
  *draft = (rbv_draft){0};
}

/* make room for one more element; the caller increments the count */
static bool grow(void **array, int count, size_t size) {
  void *bigger = rbv_realloc(*array, (size_t)count * size, (size_t)(count + 1) * size);
  if (bigger) *array = bigger;
  return bigger != NULL;
}

draft_joint *rbv_draft_add_joint(rbv_draft *draft, const char *name) {
  if (!grow((void **)&draft->joint, draft->njoint, sizeof *draft->joint)) return NULL;
  draft_joint *joint = &draft->joint[draft->njoint];
  joint->name = rbv_strdup(name);
  if (!joint->name) return NULL;
  rbv_clean(joint->name);
  joint->limits = (rbv_limits){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  joint->geometry.axis[2] = 1;
  joint->parent = draft->njoint - 1;
  joint->leader = -1;
  clear_shape(joint->shape);
  draft->njoint++;
  return joint;
}

rbv_status rbv_draft_add_value(rbv_draft *draft, const char *name, double value, bool add,
                               const rbv_node *node) {
  if (!grow((void **)&draft->value, draft->nvalue, sizeof *draft->value)) return RBV_EMEM;
  char *copy = rbv_strdup(name);
  if (!copy) return RBV_EMEM;
  draft->value[draft->nvalue++] =
      (draft_value){copy, value, add, rbv_node_line(node), rbv_node_column(node)};
  return RBV_OK;
}

rbv_status rbv_draft_add_column(rbv_draft *draft, const draft_column *column) {
  if (!grow((void **)&draft->column, draft->ncolumn, sizeof *draft->column)) return RBV_EMEM;
  draft->column[draft->ncolumn] = *column;
  draft->column[draft->ncolumn++].first = draft->nterm;
  return RBV_OK;
}

rbv_status rbv_draft_add_term(rbv_draft *draft, int joint, expression *e) {
  if (!grow((void **)&draft->term, draft->nterm, sizeof *draft->term)) {
    rbv_expression_free(e);
    return RBV_EMEM;
  }
  draft->term[draft->nterm++] = (draft_term){joint, *e};
  draft->column[draft->ncolumn - 1].count++;
  *e = (expression){0};
  return RBV_OK;
}

rbv_status rbv_draft_add_capsule(rbv_draft *draft, const rbv_capsule *capsule) {
  if (!grow((void **)&draft->capsule, draft->ncapsule, sizeof *draft->capsule)) return RBV_EMEM;
  draft->capsule[draft->ncapsule++] = *capsule;
  return RBV_OK;
}

rbv_status rbv_draft_add_shapeless(rbv_draft *draft, const char *link) {
  rbv_text_print(&draft->shapeless, "%s%s", draft->shapeless.size ? ", " : "", link);
  return draft->shapeless.failed ? RBV_EMEM : RBV_OK;
}

void rbv_draft_drop_capsules(rbv_draft *draft) {
  rbv_free(draft->capsule);
  rbv_text_free(&draft->shapeless);
  draft->capsule = NULL;
  draft->shapeless = (rbv_text){0};
  draft->ncapsule = 0;
}

rbv_status rbv_draft_add_frame(rbv_draft *draft, const char *name, int link, const rbv_pose *pose) {
  if (!grow((void **)&draft->frame, draft->nframe, sizeof *draft->frame)) return RBV_EMEM;
  model_frame *frame = &draft->frame[draft->nframe];
  frame->name = rbv_strdup(name);
  if (!frame->name) return RBV_EMEM;
  rbv_clean(frame->name);
  frame->link = link;
  memcpy(frame->R, pose->R, sizeof frame->R);
  memcpy(frame->p, pose->p, sizeof frame->p);
  draft->nframe++;
  return RBV_OK;
}

rbv_status rbv_draft_add_loop(rbv_draft *draft, const char *name, const draft_loop *loop) {
  if (!grow((void **)&draft->loop, draft->nloop, sizeof *draft->loop)) return RBV_EMEM;
  draft_loop *own = &draft->loop[draft->nloop];
  *own = *loop;
  own->name = rbv_strdup(name);
  if (!own->name) return RBV_EMEM;
  rbv_clean(own->name);
  draft->nloop++;
  return RBV_OK;
}

rbv_status rbv_draft_add_note(rbv_draft *draft, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!grow((void **)&draft->note, draft->nnote, sizeof *draft->note)) return RBV_EMEM;
  char *copy = rbv_strdup(text);
  if (!copy) return RBV_EMEM;
  draft->note[draft->nnote++] = copy;
  return RBV_OK;
}

static rbv_status remember_snap(rbv_draft *draft, const char *joint, const char *what, double given,
                                double used) {
  if (fabs(given - used) <= SNAP_SILENT * fmax(1, fabs(used))) return RBV_OK;
  if (!grow((void **)&draft->snap, draft->nsnap, sizeof *draft->snap)) return RBV_EMEM;
  char text[256];
  snprintf(text, sizeof text, "joint %s, %s", joint, what);
  char *where = rbv_strdup(text);
  if (!where) return RBV_EMEM;
  draft->snap[draft->nsnap++] = (rbv_snap){where, given, used};
  return RBV_OK;
}

rbv_status rbv_draft_angle(double *sine, double *cosine, double *angle, rbv_draft *draft,
                           const char *joint, const char *what) {
  const double given = *angle;
  rbv_exact_sincos(sine, cosine, angle, draft->options->snap);
  return remember_snap(draft, joint, what, given, *angle);
}

rbv_status rbv_draft_axis(double axis[3], rbv_draft *draft, const char *joint, int line) {
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (!(length > 1e-12))
    return rbv_fail(RBV_EINPUT, "%s:%d: the axis of joint '%s' has no length", draft->file, line,
                    joint);
  for (int i = 0; i < 3; i++) axis[i] /= length;
  if (!draft->options->snap) return RBV_OK;
  for (int i = 0; i < 3; i++) {
    const double other = fmax(fabs(axis[(i + 1) % 3]), fabs(axis[(i + 2) % 3]));
    if (other > SNAP_AXIS) continue;
    const char *const what[3] = {"axis x", "axis y", "axis z"};
    for (int k = 0; k < 3; k++) {
      const double exact = k == i ? copysign(1, axis[i]) : 0;
      RBV_TRY(remember_snap(draft, joint, what[k], axis[k], exact));
      axis[k] = exact;
    }
    break;
  }
  return RBV_OK;
}
