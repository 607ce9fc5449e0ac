/* Closed loops in new documents: equality constraints of an MJCF, the keys of a YAML. */
#include <math.h>
#include <string.h>

#include "export/export_internal.h"
#include "model/model_draft.h"

static const rbv_draft *draft_of(const export_job *e) { return &e->model->core->draft; }

static void put_name(rbv_text *t, const char *key, const char *name) {
  rbv_text_print(t, " %s=\"", key);
  rbv_text_escape(t, name);
  rbv_text_put(t, "\"");
}

/* ---- MJCF ---- */

rbv_pose rbv_export_drawn(double *reference, const rbv_model *m, int body) {
  const joint_geometry *g = &m->geometry[body];
  *reference = rbv_model_reference(m, body);
  const double x = *reference + g->offset;
  return *reference == 0 ? rbv_joint_zero(g) : rbv_joint_pose(g, x, sin(x), cos(x));
}

/* two links and a point of the first one; the ground comes second */
static void put_links(rbv_text *t, const draft_loop *loop, const char *element, double along) {
  const int first = loop->body[0] < 0;
  const rbv_pose *pose = &loop->pose[first];
  double anchor[3];
  for (int i = 0; i < 3; i++) anchor[i] = pose->p[i] + along * pose->R[3 * i + 2];
  rbv_text_print(t, "    <%s body1=\"link%d\"", element, loop->body[first] + 1);
  if (loop->body[1 - first] >= 0) rbv_text_print(t, " body2=\"link%d\"", loop->body[1 - first] + 1);
  rbv_put_attribute(t, "anchor", anchor, 3);
  rbv_text_put(t, "/>\n");
}

static void put_weld(rbv_text *t, const draft_loop *loop) {
  const int first = loop->body[0] < 0;
  const rbv_pose back = rbv_pose_inverse(&loop->pose[1 - first]);
  const rbv_pose pose = rbv_pose_multiply(&loop->pose[first], &back);
  double x[7];
  memcpy(x, pose.p, sizeof pose.p);
  rbv_quaternion_of(x + 3, pose.R);
  rbv_text_print(t, "    <weld body1=\"link%d\"", loop->body[first] + 1);
  if (loop->body[1 - first] >= 0) rbv_text_print(t, " body2=\"link%d\"", loop->body[1 - first] + 1);
  rbv_put_attribute(t, "relpose", x, 7);
  rbv_text_put(t, "/>\n");
}

/* joint1 - ref1 as a polynomial of joint2 - ref2 */
static void put_coupling(rbv_text *t, const rbv_model *m, const draft_loop *loop) {
  double c[5];
  const double shift = loop->body[1] < 0 ? 0 : rbv_model_reference(m, loop->body[1]);
  memcpy(c, loop->c, sizeof c);
  for (int k = 0; k < 4; k++)
    for (int i = 3; i >= k; i--) c[i] += shift * c[i + 1];
  c[0] -= rbv_model_reference(m, loop->body[0]);
  rbv_text_put(t, "    <joint");
  put_name(t, "joint1", m->body[loop->body[0]].name);
  if (loop->body[1] >= 0) put_name(t, "joint2", m->body[loop->body[1]].name);
  rbv_put_attribute(t, "polycoef", c, loop->body[1] < 0 ? 1 : 5);
  rbv_text_put(t, "/>\n");
}

rbv_status rbv_export_equality(export_job *e) {
  const rbv_draft *d = draft_of(e);
  rbv_text *t = &e->text;
  rbv_text_put(t, "  <equality>\n");
  for (int i = 0; i < d->nloop; i++) {
    const draft_loop *loop = &d->loop[i];
    switch (loop->type) {
      case LOOP_SPHERICAL: put_links(t, loop, "connect", 0); break;
      case LOOP_REVOLUTE:
        // two points of the axis
        put_links(t, loop, "connect", 0);
        put_links(t, loop, "connect", d->closure->length);
        break;
      case LOOP_FIXED: put_weld(t, loop); break;
      case LOOP_COUPLED: put_coupling(t, e->model, loop); break;
      case LOOP_UNIVERSAL:
        return rbv_export_refuse(
            e,
            "loop '%s' is closed by a universal joint, which an MJCF cannot "
            "express: give it a joint of its own, and close the loop behind it",
            loop->name);
    }
  }
  rbv_text_put(t, "  </equality>\n");
  return RBV_OK;
}

/* ---- YAML ---- */

static void put_side(rbv_text *t, const rbv_model *m, const draft_loop *loop, int side) {
  double rpy[3];
  rbv_angles_of(rpy, loop->pose[side].R);
  rbv_text_put(t, "      - {frame: ");
  rbv_put_quoted(t, loop->body[side] < 0 ? "base" : m->body[loop->body[side]].name);
  rbv_text_put(t, ", xyz: ");
  rbv_put_list(t, loop->pose[side].p, 3, 1);
  rbv_text_put(t, ", rpy: ");
  rbv_put_list(t, rpy, 3, 1);
  rbv_text_put(t, "}\n");
}

static void put_polynomial(rbv_text *t, const rbv_model *m, const draft_loop *loop) {
  rbv_text_put(t, "    joint: ");
  rbv_put_quoted(t, m->body[loop->body[0]].name);
  if (loop->body[1] >= 0) {
    rbv_text_put(t, "\n    of: ");
    rbv_put_quoted(t, m->body[loop->body[1]].name);
  }
  rbv_text_put(t, "\n    polynomial: ");
  rbv_put_list(t, loop->c, loop->body[1] < 0 ? 1 : 5, 1);
  rbv_text_put(t, "\n");
}

void rbv_export_loops(export_job *e) {
  const rbv_draft *d = draft_of(e);
  const rbv_model *m = e->model;
  rbv_text *t = &e->text;
  if (!d->closure) return;
  rbv_text_put(t, "loops:\n");
  for (int i = 0; i < d->nloop; i++) {
    const draft_loop *loop = &d->loop[i];
    rbv_text_put(t, "  - name: ");
    rbv_put_quoted(t, loop->name);
    rbv_text_print(t, "\n    type: %s\n", rbv_loop_type_name(loop->type));
    if (loop->type == LOOP_COUPLED) {
      put_polynomial(t, m, loop);
      continue;
    }
    rbv_text_put(t, "    between:\n");
    for (int side = 0; side < 2; side++) put_side(t, m, loop, side);
  }
  rbv_text_put(t, "driven: [");
  for (int j = 0; j < m->njoint; j++) {
    rbv_text_put(t, j ? ", " : "");
    rbv_put_quoted(t, m->joint[j].name);
  }
  rbv_text_put(t, "]\nreference:\n");
  for (int i = 0; i < m->nbody; i++) {
    rbv_text_put(t, "  ");
    rbv_put_quoted(t, m->body[i].name);
    rbv_text_put(t, ": ");
    rbv_put_numbers(t, &d->closure->reference[i], 1);
    rbv_text_put(t, "\n");
  }
}
