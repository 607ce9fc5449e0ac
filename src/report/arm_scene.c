/* The arm: a picture of its poses, and the data for the animation. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

#define FRAMES_MOST 1500
#define FRAME_RATE 30.0  // [Hz]
#define POSES 7          // in the picture
#define TRACE 400        // points of the tip's path

static const rbv_motion_info *first_motion(const report *r, rbv_motion **out) {
  *out = r->in->nfit > 0 ? r->in->fit[0] : r->in->nvalidation > 0 ? r->in->validation[0] : NULL;
  return *out ? rbv_motion_get_info(*out) : NULL;
}

/* ---- numbers ---- */

/* pose of every frame at q = 0, and its axis there, both in the base */
static void zero_pose(double *R, double *p, double *axis, rbv_dynamics *d, const double *zero,
                      double *J, int joint, bool slides) {
  static const double origin[3] = {0, 0, 0};
  rbv_dynamics_pose(R, p, d, zero, joint);
  rbv_dynamics_jacobian(J, d, zero, joint, origin);
  for (int i = 0; i < 3; i++) axis[i] = J[6 * joint + (slides ? i : 3 + i)];
}

static void put_numbers(rbv_text *out, const char *key, const double *x, int n) {
  rbv_text_print(out, "\"%s\":[", key);
  for (int i = 0; i < n; i++) rbv_text_print(out, "%s%.6g", i ? "," : "", x[i] + 0.0);
  rbv_text_put(out, "]");
}

/* where the mounting plane is on the z axis of the base frame */
static double plane_height(const report *r) {
  const rbv_constraints *c = r->constraints;
  for (int i = 0; c && i < c->nplane; i++)
    if (c->plane[i].base) return c->plane[i].offset * c->plane[i].normal[2] + 0.0;
  return rbv_model_floor(r->m);
}

static rbv_status put_geometry(rbv_text *out, const report *r, rbv_dynamics *d, double *work) {
  const int n = r->m->njoint;
  double *zero = work, *J = work + n;
  rbv_text_put(out, "\"joints\":[");
  for (int j = 0; j < n; j++) {
    const bool slides = rbv_model_joint(r->m, j)->type == RBV_JOINT_PRISMATIC;
    double R[9], p[3], axis[3];
    zero_pose(R, p, axis, d, zero, J, j, slides);
    rbv_text_print(out, "%s{\"slides\":%s,", j ? "," : "", slides ? "true" : "false");
    put_numbers(out, "R", R, 9);
    rbv_text_put(out, ",");
    put_numbers(out, "p", p, 3);
    rbv_text_put(out, ",");
    put_numbers(out, "axis", axis, 3);
    rbv_text_put(out, "}");
  }
  rbv_text_put(out, "],\"capsules\":[");
  const rbv_constraints *given = r->constraints;
  const int count = given ? given->ncapsule : rbv_model_capsule_count(r->m);
  for (int i = 0; i < count; i++) {
    const rbv_capsule *c = given ? &given->capsule[i] : rbv_model_capsule(r->m, i);
    rbv_text_print(out, "%s{\"link\":%d,\"radius\":%.6g,\"assumed\":%s,", i ? "," : "", c->link,
                   c->radius, c->assumed ? "true" : "false");
    put_numbers(out, "from", c->from, 3);
    rbv_text_put(out, ",");
    put_numbers(out, "to", c->to, 3);
    rbv_text_put(out, "}");
  }
  rbv_text_print(out, "],\"plane\":%.6g,", plane_height(r));
  put_numbers(out, "gravity", rbv_model_gravity(r->m), 3);
  return RBV_OK;
}

static void put_body(rbv_text *out, const char *key, const link_body *b) {
  rbv_text_print(out, ",\"%s\":", key);
  if (!b->exists) {
    rbv_text_put(out, "null");
    return;
  }
  rbv_text_put(out, "{");
  put_numbers(out, "centre", b->centre, 3);
  rbv_text_put(out, ",");
  put_numbers(out, "axes", b->axes, 9);
  rbv_text_put(out, ",");
  put_numbers(out, "semi", b->semi, 3);
  rbv_text_put(out, "}");
}

/* the links as ellipsoids, before and after the identification */
static void put_links(rbv_text *out, const report_links *links) {
  rbv_text_put(out, ",\"bodies\":[");
  for (int b = 0; b < links->count; b++) {
    rbv_text_print(out, "%s{\"link\":%d", b ? "," : "", links->row[b].frame);
    put_body(out, "file", &links->row[b].file);
    put_body(out, "identified", &links->row[b].identified);
    rbv_text_put(out, "}");
  }
  rbv_text_put(out, "]");
}

/* positions of the first recording at the rate of the animation */
static rbv_status put_motion(rbv_text *out, rbv_motion *motion, const rbv_motion_info *info,
                             rbv_dynamics *d) {
  ptrdiff_t step = (ptrdiff_t)(info->rate_hz / FRAME_RATE);
  if (step < 1) step = 1;
  if ((info->count - 1) / step + 1 > FRAMES_MOST) step = (info->count - 1) / (FRAMES_MOST - 1) + 1;
  const ptrdiff_t frames = (info->count - 1) / step + 1;
  const size_t n = (size_t)info->njoint;
  RBV_NEW(double, q, ((size_t)frames + 1) * n);
  rbv_status status = RBV_OK;
  for (ptrdiff_t k = 0; k < frames && status == RBV_OK; k++) {
    // frame after frame; the joints of a frame are adjacent
    const rbv_samples one = {.ld = 1, .q = q + (size_t)k * n};
    status = rbv_motion_read(motion, &one, k * step, 1);
  }
  if (status == RBV_OK) {
    rbv_text_print(out, ",\"step_s\":%.9g,\"frames\":%td,\"q\":", (double)step / info->rate_hz,
                   frames);
    rbv_put_floats(out, q, frames * info->njoint);
    // position of the last joint in the middle frame: a test compares the script's kinematics
    double R[9], p[3];
    rbv_dynamics_pose(R, p, d, q + (size_t)(frames / 2) * n, info->njoint - 1);
    rbv_text_print(out, ",\"half\":%td,", frames / 2);
    put_numbers(out, "half_p", p, 3);
  }
  rbv_free(q);
  return status;
}

rbv_status rbv_scene_data(rbv_text *out, report *r) {
  rbv_motion *motion;
  const rbv_motion_info *info = first_motion(r, &motion);
  rbv_dynamics *d = NULL;
  double *work = rbv_alloc(7 * (size_t)r->m->njoint * sizeof *work);
  rbv_status status = work ? rbv_dynamics_new(&d, r->m) : RBV_EMEM;
  rbv_text_put(out, "{");
  if (status == RBV_OK) status = put_geometry(out, r, d, work);
  if (status == RBV_OK) put_links(out, &r->links);
  if (status == RBV_OK && info) status = put_motion(out, motion, info, d);
  rbv_text_put(out, "}");
  rbv_dynamics_free(d);
  rbv_free(work);
  return status;
}

/* ---- picture ---- */

/* directions of the picture, seen from above at the front right */
typedef struct {
  double right[3], up[3];
} view;

static view look(const double *gravity) {
  double up[3] = {0, 0, 1}, norm = 0;
  for (int i = 0; i < 3; i++) norm = hypot(norm, gravity[i]);
  for (int i = 0; i < 3 && norm > 0; i++) up[i] = -gravity[i] / norm;
  // the front is any direction orthogonal to up
  double front[3] = {1, 0, 0};
  if (fabs(up[0]) > 0.9) front[0] = 0, front[1] = 1;
  double along = 0, length = 0;
  for (int i = 0; i < 3; i++) along += front[i] * up[i];
  for (int i = 0; i < 3; i++) front[i] -= along * up[i];
  for (int i = 0; i < 3; i++) length = hypot(length, front[i]);
  for (int i = 0; i < 3; i++) front[i] /= length;
  const double side[3] = {up[1] * front[2] - up[2] * front[1], up[2] * front[0] - up[0] * front[2],
                          up[0] * front[1] - up[1] * front[0]};
  view v;
  for (int i = 0; i < 3; i++) {
    v.right[i] = 0.64 * side[i] + 0.77 * front[i];
    v.up[i] = 0.92 * up[i] + 0.39 * (0.64 * front[i] - 0.77 * side[i]);
  }
  return v;
}

static double along(const double *a, const double *p) {
  return a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
}

/* x and y of the base and of every joint: n + 1 points */
static void project(double *x, double *y, const view *v, rbv_dynamics *d, const double *q, int n) {
  x[0] = y[0] = 0;
  for (int j = 0; j < n; j++) {
    double R[9], p[3];
    rbv_dynamics_pose(R, p, d, q, j);
    x[j + 1] = along(v->right, p);
    y[j + 1] = along(v->up, p);
  }
}

/* corners of a square of the mounting plane, closed: 5 points */
static void project_plane(double *x, double *y, const view *v, double height, double half) {
  static const double sign[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  for (int i = 0; i < 5; i++) {
    const double p[3] = {sign[i][0] * half, sign[i][1] * half, height};
    x[i] = along(v->right, p);
    y[i] = along(v->up, p);
  }
}

static void widen(double low[2], double high[2], const double *x, const double *y, int n) {
  rbv_draw_include(&low[0], &high[0], x, n);
  rbv_draw_include(&low[1], &high[1], y, n);
}

static void frame_all(drawing *d, double xlow, double xhigh, double ylow, double yhigh) {
  // equal scales on both axes
  const double w = DRAWING_WIDE - 72.0, h = d->height - 54.0;
  const double scale = 1.15 * fmax((xhigh - xlow) / w, fmax((yhigh - ylow) / h, 1e-6));
  const double xm = (xlow + xhigh) / 2, ym = (ylow + yhigh) / 2;
  d->xmin = xm - scale * w / 2;
  d->xmax = xm + scale * w / 2;
  d->ymin = ym - scale * h / 2;
  d->ymax = ym + scale * h / 2;
}

static rbv_status draw_arm(report *r, rbv_motion *motion, const rbv_motion_info *info,
                           rbv_dynamics *dynamics, double *work) {
  const int n = r->m->njoint;
  double *q = work, *x = q + n, *y = x + (n + 1), *poses = y + (n + 1);
  double tx[TRACE], ty[TRACE];
  double low[2] = {0, 0}, high[2] = {0, 0};
  const view v = look(rbv_model_gravity(r->m));
  const int trace = info ? TRACE : 1;
  for (int k = 0; k < trace; k++) {
    const rbv_samples one = {.ld = 1, .q = q};
    if (info) RBV_TRY(rbv_motion_read(motion, &one, k * (info->count - 1) / (TRACE - 1), 1));
    project(x, y, &v, dynamics, q, n);
    tx[k] = x[n];
    ty[k] = y[n];
    widen(low, high, x, y, n + 1);
    for (int s = 0; s < POSES; s++)
      if (k == s * (trace - 1) / (POSES - 1)) {
        memcpy(poses + (ptrdiff_t)2 * s * (n + 1), x, (size_t)(n + 1) * sizeof *x);
        memcpy(poses + (ptrdiff_t)(2 * s + 1) * (n + 1), y, (size_t)(n + 1) * sizeof *y);
      }
  }
  drawing d = rbv_drawing(DRAWING_WIDE, 460, "horizontal [m]", "vertical [m]");
  snprintf(d.name, sizeof d.name, "arm");
  snprintf(d.title, sizeof d.title,
           "Poses of the arm during the motion, and the path of its last joint");
  double side_x[5], side_y[5];
  project_plane(side_x, side_y, &v, plane_height(r), fmax(high[0] - low[0], high[1] - low[1]) / 2);
  widen(low, high, side_x, side_y, 4);
  frame_all(&d, low[0], high[0], low[1], high[1]);
  rbv_draw_axes(&d);
  rbv_draw_line(&d, "c4 faint", side_x, side_y, 5);
  if (trace > 1) rbv_draw_line(&d, "c5 faint", tx, ty, trace);
  for (int s = info ? POSES - 1 : 0; s >= 0; s--) {
    const double *px = poses + (ptrdiff_t)2 * s * (n + 1), *py = px + (n + 1);
    rbv_draw_line(&d, s == 0 ? "c1 thick" : "c1 thick ghost", px, py, n + 1);
    if (s == 0) rbv_draw_dots(&d, "c2 big", px, py, n + 1);
  }
  rbv_page_figure(r, &d, " data-scene=\"1\"", NULL);
  return RBV_OK;
}

rbv_status rbv_figure_arm(report *r) {
  rbv_motion *motion;
  const rbv_motion_info *info = first_motion(r, &motion);
  const size_t n = (size_t)r->m->njoint;
  rbv_dynamics *d = NULL;
  double *work = rbv_alloc((n + 2 * (n + 1) * (1 + POSES)) * sizeof *work);
  rbv_status status = work ? rbv_dynamics_new(&d, r->m) : RBV_EMEM;
  if (status == RBV_OK) status = draw_arm(r, motion, info, d, work);
  rbv_dynamics_free(d);
  rbv_free(work);
  return status;
}

/* ---- links as ellipsoids ---- */

#define OUTLINE 61

/* the outline of an ellipsoid seen along the view: an ellipse */
static void outline(double *x, double *y, const view *v, const link_body *b, const double *R,
                    const double *p) {
  double at[3], C[3] = {0, 0, 0};  // centre in the base; second moments in the picture
  for (int i = 0; i < 3; i++)
    at[i] = p[i] + R[i] * b->centre[0] + R[i + 3] * b->centre[1] + R[i + 6] * b->centre[2];
  for (int k = 0; k < 3; k++) {
    double axis[3];
    for (int i = 0; i < 3; i++)
      axis[i] =
          R[i] * b->axes[3 * k] + R[i + 3] * b->axes[3 * k + 1] + R[i + 6] * b->axes[3 * k + 2];
    const double across = b->semi[k] * along(v->right, axis),
                 over = b->semi[k] * along(v->up, axis);
    C[0] += across * across;
    C[1] += across * over;
    C[2] += over * over;
  }
  // C = L L': the unit circle times L is the outline
  const double l0 = sqrt(C[0]), l1 = l0 > 0 ? C[1] / l0 : 0, l2 = sqrt(fmax(0, C[2] - l1 * l1));
  for (int k = 0; k < OUTLINE; k++) {
    const double angle = 2 * RBV_PI * k / (OUTLINE - 1);
    x[k] = along(v->right, at) + l0 * cos(angle);
    y[k] = along(v->up, at) + l1 * cos(angle) + l2 * sin(angle);
  }
}

/* the arm at the first sample; outlines of the robot file and as identified */
static rbv_status draw_links(report *r, rbv_dynamics *dynamics, double *work) {
  const int n = r->m->njoint, count = r->links.count;
  double *q = work, *x = q + n, *y = x + (n + 1), *line = y + (n + 1);
  double low[2] = {0, 0}, high[2] = {0, 0};
  rbv_motion *motion;
  const rbv_motion_info *info = first_motion(r, &motion);
  const rbv_samples one = {.ld = 1, .q = q};
  if (info) RBV_TRY(rbv_motion_read(motion, &one, 0, 1));
  const view v = look(rbv_model_gravity(r->m));
  project(x, y, &v, dynamics, q, n);
  widen(low, high, x, y, n + 1);
  for (int b = 0; b < count; b++) {
    double R[9], p[3];
    rbv_dynamics_pose(R, p, dynamics, q, r->links.row[b].frame);
    const link_body *const body[2] = {&r->links.row[b].file, &r->links.row[b].identified};
    for (int k = 0; k < 2; k++) {
      double *ex = line + (ptrdiff_t)(2 * b + k) * 2 * OUTLINE, *ey = ex + OUTLINE;
      if (!body[k]->exists) continue;
      outline(ex, ey, &v, body[k], R, p);
      widen(low, high, ex, ey, OUTLINE);
    }
  }
  drawing d = rbv_drawing(DRAWING_WIDE, 460, "horizontal [m]", "vertical [m]");
  snprintf(d.name, sizeof d.name, "links");
  snprintf(d.title, sizeof d.title, "The links as solid ellipsoids of the same mass and inertia");
  d.legend = true;
  frame_all(&d, low[0], high[0], low[1], high[1]);
  rbv_draw_axes(&d);
  rbv_draw_line(&d, "c4 thick ghost", x, y, n + 1);
  static const char *const class[2] = {"c1", "c2"}, *const name[2] = {"robot file", "identified"};
  for (int k = 0; k < 2; k++) {
    bool any = false;
    for (int b = 0; b < count; b++) {
      const double *ex = line + (ptrdiff_t)(2 * b + k) * 2 * OUTLINE;
      if (!(k ? r->links.row[b].identified.exists : r->links.row[b].file.exists)) continue;
      rbv_draw_line(&d, class[k], ex, ex + OUTLINE, OUTLINE);
      any = true;
    }
    if (any) rbv_draw_legend(&d, class[k], name[k]);
  }
  rbv_page_figure(r, &d, NULL, NULL);
  return RBV_OK;
}

rbv_status rbv_figure_links(report *r) {
  bool any = false;
  for (int b = 0; b < r->links.count; b++)
    any = any || r->links.row[b].file.exists || r->links.row[b].identified.exists;
  if (!any) return RBV_OK;
  const size_t n = (size_t)r->m->njoint;
  rbv_dynamics *d = NULL;
  double *work = rbv_alloc((3 * n + 2 + (size_t)r->links.count * 4 * OUTLINE) * sizeof *work);
  rbv_status status = work ? rbv_dynamics_new(&d, r->m) : RBV_EMEM;
  if (status == RBV_OK) status = draw_links(r, d, work);
  rbv_dynamics_free(d);
  rbv_free(work);
  return status;
}
