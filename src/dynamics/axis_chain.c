#include "dynamics/axis_chain.h"

#include <math.h>
#include <string.h>

#include "model/geometry.h"

#define ROUNDING 1e-12  // of axes that are parallel or perpendicular

/* ---- vectors and matrices, row-major ---- */

static double inner(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double *out, const double *a, const double *b) {
  const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof c);
}

static void apply(double *out, const double *R, const double *a) {
  const double b[3] = {inner(R, a), inner(R + 3, a), inner(R + 6, a)};
  memcpy(out, b, sizeof b);
}

static void multiply(double *out, const double *A, const double *B) {
  double C[9];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      C[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k];
  memcpy(out, C, sizeof C);
}

static void transpose(double *out, const double *A) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[3 * i + k] = A[3 * k + i];
}

static void normalise(double *a) {
  const double size = sqrt(inner(a, a));
  for (int i = 0; i < 3; i++) a[i] /= size;
}

/* the unit vector of the part of a that is perpendicular to the unit vector z */
static void perpendicular(double *out, const double *a, const double *z) {
  const double along = inner(a, z);
  for (int i = 0; i < 3; i++) out[i] = a[i] - along * z[i];
  normalise(out);
}

/* a unit vector that is perpendicular to z, close to the wish */
static void beside(double *out, const double *z, const double *wish) {
  const double along = inner(wish, z);
  if (inner(wish, wish) - along * along > 0.1) {
    perpendicular(out, wish, z);
    return;
  }
  const double other[3] = {fabs(z[0]) < 0.6, !(fabs(z[0]) < 0.6), 0};
  perpendicular(out, other, z);
}

/* A B without rounding errors where an entry is a whole number */
static void multiply_exact(double *out, const double *A, const double *B) {
  multiply(out, A, B);
  for (int i = 0; i < 9; i++) {
    const double near = nearbyint(out[i]);
    if (fabs(out[i] - near) < 1e-14) out[i] = near;
  }
}

/* ---- frames ---- */

/* directions of the joints, and the kinds of those that turn */
static void find_axes(axis_chain *chain, const rbv_model *m) {
  static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int j = 0; j < m->njoint; j++) {
    const joint_geometry *g = &m->geometry[j];
    const double *parent = j ? chain->joint[j - 1].model : none;
    axis_joint *to = &chain->joint[j];
    *to = (axis_joint){.kind = AXIS_FREE, .slides = g->type == RBV_JOINT_PRISMATIC, .sign = 1};
    multiply(to->model, parent, rbv_joint_pose(g, 0, 0, 1).R);
    if (to->slides)
      apply(to->z, parent, g->slide);
    else
      apply(to->z, to->model, g->axis);
    normalise(to->z);
    if (to->slides) continue;
    const double along = j ? inner(to->z, chain->joint[j - 1].z) : 1;
    if (fabs(fabs(along) - 1) < ROUNDING) {
      to->kind = AXIS_STRAIGHT;
      to->sign = along < 0 ? -1 : 1;
      for (int i = 0; i < 3; i++) to->z[i] *= to->sign;
    } else if (fabs(along) < ROUNDING) {
      to->kind = AXIS_TILTED;
    }
  }
}

/* rows: axes of frame j in base axes; y is the axis of the next joint if that one is tilted */
static void frame_of(double *rows, const axis_chain *chain, int j) {
  const axis_joint *own = &chain->joint[j], *next = own + 1;
  double *x = rows, *y = rows + 3, *z = rows + 6;
  memcpy(z, own->z, sizeof own->z);
  if (j + 1 < chain->njoint && next->kind == AXIS_TILTED) {
    perpendicular(y, next->z, z);
    cross(x, y, z);
  } else {
    const double wish[3] = {own->model[0], own->model[3], own->model[6]};
    beside(x, z, wish);
    cross(y, z, x);
  }
}

/* C and angle of a joint whose rotation at q + offset = 0 is R */
static void split_rotation(axis_joint *to, const double *R, double offset) {
  static const double quarter[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0},
                      none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(to->C, R, sizeof to->C);
  if (to->slides) return;
  to->angle = to->sign * offset;
  if (to->kind == AXIS_FREE) return;
  // R = C Rz, with the x axis of Rz in the plane of the joint
  const bool tilted = to->kind == AXIS_TILTED;
  to->angle += atan2(tilted ? -R[6] : R[3], R[0]);
  memcpy(to->C, tilted ? quarter : none, sizeof to->C);
}

void rbv_axis_chain(axis_chain *out, const rbv_model *m) {
  out->njoint = m->njoint;
  find_axes(out, m);
  double parent[9], turn[9];  // rows of the parent's frame; from the model's parent frame to it
  frame_of(parent, out, 0);
  memcpy(turn, parent, sizeof turn);
  const double up[3] = {-m->gravity[0], -m->gravity[1], -m->gravity[2]};
  apply(out->up, turn, up);
  for (int j = 0; j < m->njoint; j++) {
    const joint_geometry *g = &m->geometry[j];
    axis_joint *to = &out->joint[j];
    double own[9], columns[9], R[9];
    frame_of(own, out, j);
    transpose(columns, own);
    multiply_exact(R, parent, columns);
    split_rotation(to, R, g->offset);
    apply(to->p, turn, g->origin);
    if (to->slides) {
      apply(to->slide, turn, g->slide);
      for (int i = 0; i < 3; i++) to->p[i] += g->offset * to->slide[i];
    }
    to->meets = !to->slides && to->p[0] == 0 && to->p[1] == 0 && to->p[2] == 0;
    multiply_exact(to->turn, own, to->model);
    memcpy(turn, to->turn, sizeof turn);
    memcpy(parent, own, sizeof parent);
  }
}

/* ---- links ---- */

void rbv_axis_link(double out[RBV_INERTIAL], const axis_chain *chain, int j,
                   const double link[RBV_INERTIAL]) {
  // T I T', T h
  const double *T = chain->joint[j].turn;
  double I[9] = {link[0], link[1], link[2], link[1], link[3], link[4], link[2], link[4], link[5]};
  double back[9], h[3];
  transpose(back, T);
  multiply(I, T, I);
  multiply(I, I, back);
  apply(h, T, link + 6);
  const double all[RBV_INERTIAL] = {I[0], I[1], I[2], I[4], I[5], I[8], h[0], h[1], h[2], link[9]};
  memcpy(out, all, sizeof all);
}

/* parent += a body in the axes C at p */
static void add_body(double *parent, const double *body, const double *C, const double *p) {
  double I[9] = {body[0], body[1], body[2], body[1], body[3], body[4], body[2], body[4], body[5]};
  double back[9], h[3], moved[3];
  transpose(back, C);
  multiply(I, C, I);
  multiply(I, I, back);
  apply(h, C, body + 6);
  for (int i = 0; i < 3; i++) moved[i] = h[i] + body[9] * p[i];
  // shift by p: trace 1 - p h' - h p' with the first moment before and after
  const double trace = inner(p, h) + inner(p, moved);
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int c = 0; c < 6; c++) {
    const int i = row[c], k = column[c];
    parent[c] += I[3 * i + k] - p[i] * h[k] - moved[i] * p[k] + (i == k ? trace : 0);
  }
  for (int i = 0; i < 3; i++) parent[6 + i] += moved[i];
  parent[9] += body[9];
}

void rbv_axis_regroup(double *link, const axis_chain *chain) {
  for (int j = chain->njoint - 1; j >= 0; j--) {
    const axis_joint *g = &chain->joint[j];
    double *own = link + j * RBV_INERTIAL, moved[RBV_INERTIAL] = {0};
    if (g->slides) {
      memcpy(moved, own, 6 * sizeof *own);
      memset(own, 0, 6 * sizeof *own);
    } else {
      moved[0] = moved[3] = own[3];
      moved[8] = own[8];
      moved[9] = own[9];
      own[0] -= own[3];
      own[3] = own[8] = own[9] = 0;
    }
    // the base does not move
    if (j > 0) add_body(own - RBV_INERTIAL, moved, g->C, g->p);
  }
}
