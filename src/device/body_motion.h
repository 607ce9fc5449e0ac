/*
 * The rigid body, for C and for CUDA: rotation of a joint, motion of a link, its wrench, bodies
 * that move together, and the rows of the regressor. This is the only numeric source of these
 * formulas. It is compiled for 1, 2, 4 and 8 lanes (see lane_math.h) and for the device; test
 * cross.rules_motion finds other places that propagate the motion of a link.
 *
 * Functions with a kind as argument are compiled once per kind, which is a constant there: products
 * with zeros and ones are then not computed.
 */
#ifndef DEVICE_BODY_MOTION_H
#define DEVICE_BODY_MOTION_H

#include "device/lane_math.h"

/* ---- kinds of joints ---- */

/*
 * What is known of R in x_parent = R x + p, for `axis` of a kind. 0, 1, 2: a hinge, which turns
 * about z of its frame, and z is parallel or antiparallel to this axis of the parent. With the
 * parent's axes in cyclic order, so that this one is the third, R = [a b 0; c d 0; 0 0 +-1]. Cross
 * products do not change, because the order is cyclic. Rz: a rotation about z, of which only the
 * first column (cosine, sine) is used.
 */
enum {
  TURN_FULL = -1,
  TURN_STRAIGHT = 3, /* R = Rz */
  TURN_TILTED,       /* R = C Rz, where C is the quarter turn that puts z on the parent's y axis */
  TURN_FRAMED,       /* R = C Rz for any C */
  TURN_SIGNED        /* + the axis of a hinge: R = diag(1, e, e) Rz in cyclic order, e = +-1 */
};

/* Bits of what else is known. */
enum {
  MEETS = 1,  /* the frame has the origin of the parent frame */
  SECOND = 2, /* the parent is the first link, and turns about its z axis without acceleration */
  NO_X = 4,   /* NO_X << i: component i of the origin is zero */
  /* How a full R is used, where results are kept to the last bit: */
  OWN_ROW = 32,  /* the third row is computed as the other two, not from them */
  LEVER_SUM = 64 /* a moment gets p x f as one sum, not term by term */
};

typedef struct {
  int axis;
  int known;
} joint_kind;

POINT joint_kind kind_of(int axis, int known) {
  joint_kind kind;
  kind.axis = axis;
  kind.known = known;
  return kind;
}

POINT bool is_hinge(joint_kind kind) { return kind.axis >= 0 && kind.axis < TURN_STRAIGHT; }

/* A rotation of some kind. R: hinges have their rows in cyclic order; Rz has cosine and sine in the
 * first column, and e in R.z.z. C: of a framed joint, row-major. */
typedef struct {
  m3 R;
  const double *C;
} joint_turn;

POINT joint_turn full_turn(m3 R) {
  joint_turn t;
  t.R = R;
  t.C = NULL;
  return t;
}

/* Rz; e: see TURN_SIGNED */
POINT joint_turn plane_turn(vd s, vd c, vd e, const double *C) {
  const vd zero = broadcast(0);
  joint_turn t;
  t.R = rows_of(vec(c, -s, zero), vec(s, c, zero), vec(zero, zero, e));
  t.C = C;
  return t;
}

/* a vector in the parent's axes, in cyclic order, so that `axis` is the third; and back */
POINT v3 in_order(int axis, v3 a) {
  if (axis == 0) return vec(a.y, a.z, a.x);
  if (axis == 1) return vec(a.z, a.x, a.y);
  return a;
}
POINT v3 out_of_order(int axis, v3 a) {
  if (axis == 0) return vec(a.z, a.x, a.y);
  if (axis == 1) return vec(a.y, a.z, a.x);
  return a;
}
POINT v3 ordered(joint_kind kind, v3 a) { return is_hinge(kind) ? in_order(kind.axis, a) : a; }

/* R' a for an R of this kind; a in the order of a hinge */
POINT v3 turn_back_by(joint_kind kind, m3 R, v3 a) {
  if (!is_hinge(kind)) return turn_back(R, a);
  return vec(R.x.x * a.x + R.y.x * a.y, R.x.y * a.x + R.y.y * a.y, R.z.z * a.z);
}

/* R' a */
POINT v3 to_child(joint_kind kind, const joint_turn *t, v3 a) {
  if (kind.axis < TURN_STRAIGHT) return turn_back_by(kind, t->R, ordered(kind, a));
  const vd c = t->R.x.x, s = t->R.y.x, e = t->R.z.z;
  v3 u = a;
  if (kind.axis == TURN_TILTED) u = vec(a.x, -a.z, a.y);
  if (kind.axis == TURN_FRAMED) u = turn_back(constant_rows(t->C), a);
  if (kind.axis >= TURN_SIGNED) {
    u = in_order(kind.axis - TURN_SIGNED, a);
    u = vec(u.x, e * u.y, e * u.z);
  }
  return vec(c * u.x + s * u.y, c * u.y - s * u.x, u.z);
}

/* R a */
POINT v3 to_parent(joint_kind kind, const joint_turn *t, v3 a) {
  if (kind.axis == TURN_FULL) return turn(t->R, a);
  if (is_hinge(kind))
    return out_of_order(kind.axis, vec(t->R.x.x * a.x + t->R.x.y * a.y,
                                       t->R.y.x * a.x + t->R.y.y * a.y, t->R.z.z * a.z));
  const vd c = t->R.x.x, s = t->R.y.x, e = t->R.z.z;
  const v3 u = vec(c * a.x - s * a.y, s * a.x + c * a.y, a.z);
  if (kind.axis == TURN_TILTED) return vec(u.x, u.z, -u.y);
  if (kind.axis == TURN_FRAMED) return turn(constant_rows(t->C), u);
  if (kind.axis >= TURN_SIGNED)
    return out_of_order(kind.axis - TURN_SIGNED, vec(u.x, e * u.y, e * u.z));
  return u;
}

/* the axes of a frame in the base, one row after the other, from those of its parent */
POINT m3 turn_frame(joint_kind kind, const joint_turn *t, m3 parent) {
  return rows_of(to_child(kind, t, parent.x), to_child(kind, t, parent.y),
                 to_child(kind, t, parent.z));
}

/* component i of the origin may differ from zero */
POINT bool reaches(joint_kind kind, int i) { return !(kind.known & (MEETS | NO_X << i)); }

/* a + p x f */
POINT v3 add_lever(joint_kind kind, v3 a, v3 p, v3 f) {
  if (kind.known & LEVER_SUM) return add(a, cross(p, f));
  if (reaches(kind, 1)) a.x += p.y * f.z;
  if (reaches(kind, 2)) a.x -= p.z * f.y;
  if (reaches(kind, 2)) a.y += p.z * f.x;
  if (reaches(kind, 0)) a.y -= p.x * f.z;
  if (reaches(kind, 0)) a.z += p.x * f.y;
  if (reaches(kind, 1)) a.z -= p.y * f.x;
  return a;
}

/* ---- rotation of a joint ---- */

POINT v3 turned_row(const double *fixed, const double *cosine, const double *sine, vd c, vd s) {
  return vec(fixed[0] + cosine[0] * c + sine[0] * s, fixed[1] + cosine[1] * c + sine[1] * s,
             fixed[2] + cosine[2] * c + sine[2] * s);
}

/* a row in the plane of a hinge */
POINT v3 plane_row(const double *cosine, const double *sine, vd c, vd s) {
  return vec(cosine[0] * c + sine[0] * s, cosine[1] * c + sine[1] * s, broadcast(0));
}

/* R = fixed + cosine c + sine s, row-major, for c and s of the angle; the rows of a hinge in order.
 * slides: R = fixed */
POINT m3 joint_rows(joint_kind kind, bool slides, const double *fixed, const double *cosine,
                    const double *sine, vd s, vd c) {
  if (is_hinge(kind)) {
    const int x = 3 * ((kind.axis + 1) % 3), y = 3 * ((kind.axis + 2) % 3), z = 3 * kind.axis;
    return rows_of(plane_row(cosine + x, sine + x, c, s), plane_row(cosine + y, sine + y, c, s),
                   vec(broadcast(0), broadcast(0), broadcast(fixed[z + 2])));
  }
  if (slides) return constant_rows(fixed);
  const v3 x = turned_row(fixed, cosine, sine, c, s);
  const v3 y = turned_row(fixed + 3, cosine + 3, sine + 3, c, s);
  const v3 z =
      kind.known & OWN_ROW ? turned_row(fixed + 6, cosine + 6, sine + 6, c, s) : cross(x, y);
  return rows_of(x, y, z);
}

/* ---- motion of a link ---- */

/* motion of a frame in its own axes; acc has gravity subtracted */
typedef struct {
  v3 w, dw, acc;
  m3 F;       /* [dw]x + [w]x [w]x: acceleration of a point at r is acc + F r */
  v3 product; /* of w: yz, xz, xy */
  v3 unequal; /* differences of its squares: yy - zz, zz - xx, xx - yy */
} twist;

/* F and the products, from w and dw */
POINT void finish(twist *t) {
  const v3 w = t->w, d = t->dw;
  const vd xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const v3 p = t->product = vec(w.y * w.z, w.x * w.z, w.x * w.y);
  t->unequal = vec(yy - zz, zz - xx, xx - yy);
  t->F.x = vec(-(yy + zz), p.z - d.z, p.y + d.y);
  t->F.y = vec(p.z + d.z, -(xx + zz), p.x - d.x);
  t->F.z = vec(p.y - d.y, p.x + d.x, -(xx + yy));
}

/* the base, at rest; up: minus gravity */
POINT twist rest(v3 up) {
  twist t;
  t.w = t.dw = t.product = t.unequal = no_vector();
  t.acc = up;
  t.F = rows_of(t.w, t.w, t.w);
  return t;
}

/* from the motion of the parent to that of the joint's frame, before the joint moves: w, dw, acc */
POINT twist carry_motion(joint_kind kind, const twist *parent, const joint_turn *at, v3 p) {
  const m3 *F = &parent->F;
  v3 a = parent->acc;
  twist t;
  if (kind.known & SECOND) {
    if (reaches(kind, 0)) a.x += F->x.x * p.x;
    if (reaches(kind, 1)) a.y += F->x.x * p.y;
  } else {
    if (reaches(kind, 0)) a = add_scaled(a, vec(F->x.x, F->y.x, F->z.x), p.x);
    if (reaches(kind, 1)) a = add_scaled(a, vec(F->x.y, F->y.y, F->z.y), p.y);
    if (reaches(kind, 2)) a = add_scaled(a, vec(F->x.z, F->y.z, F->z.z), p.z);
  }
  t.w = to_child(kind, at, parent->w);
  t.dw = (kind.known & SECOND) ? parent->dw : to_child(kind, at, parent->dw);
  t.acc = to_child(kind, at, a);
  return t;
}

/* the joint turns about or slides along z of its frame; its acceleration is added to dw.z or acc.z
 */
POINT void turn_about_z(twist *t, vd dq) {
  t->dw.x += t->w.y * dq;
  t->dw.y -= t->w.x * dq;
  t->w.z += dq;
}
POINT void slide_along_z(twist *t, vd dq) {
  t->acc.x += 2.0 * t->w.y * dq;
  t->acc.y -= 2.0 * t->w.x * dq;
}
/* the same for any axis of the frame */
POINT void turn_about(twist *t, v3 axis, vd dq, vd ddq) {
  const v3 rate = scale(axis, dq);
  t->dw = add_cross(add_scaled(t->dw, axis, ddq), t->w, rate);
  t->w = add(t->w, rate);
}
POINT void slide_along(twist *t, v3 axis, vd dq, vd ddq) {
  t->acc = add_cross(add_scaled(t->acc, axis, ddq), t->w, scale(axis, 2.0 * dq));
}

/* Motion of a link without F, for any axis: w, dw, acc. For the adjoint, which is the derivative of
 * this form; the last bits differ from those above. */
POINT v3 centrifugal(v3 w, v3 p) { return cross(w, cross(w, p)); }
POINT twist move_directly(const twist *parent, m3 R, v3 p, v3 axis, bool slides, vd dq, vd ddq) {
  const v3 change = add_cross(centrifugal(parent->w, p), parent->dw, p);
  twist t;
  t.w = turn_back(R, parent->w);
  t.dw = turn_back(R, parent->dw);
  t.acc = turn_back(R, add(change, parent->acc));
  if (slides) {
    t.acc = add_scaled(add_scaled(t.acc, cross(t.w, axis), 2.0 * dq), axis, ddq);
  } else {
    t.dw = add_scaled(add_scaled(t.dw, cross(t.w, axis), dq), axis, ddq);
    t.w = add_scaled(t.w, axis, dq);
  }
  return t;
}

/* the first link, which turns about z without acceleration */
POINT twist turn_first(joint_kind kind, const joint_turn *at, v3 up, vd dq) {
  twist t = rest(up);
  t.acc = to_child(kind, at, up);
  t.w.z = dq;
  t.F.x.x = t.F.y.y = -dq * dq;
  return t;
}

/* ---- bodies ---- */

typedef struct {
  vd xx, xy, xz, yy, yz, zz;
  v3 h;
  vd m;
} body;

/* What is known of the parameters of a link: see rbv_axis_regroup. */
enum {
  LINK_ANY,
  LINK_TURNS, /* YY, MZ and M are zero */
  LINK_SLIDES /* the moments of inertia are zero */
};

POINT v3 inertia_times(const body *b, v3 a) {
  return vec(b->xx * a.x + b->xy * a.y + b->xz * a.z, b->xy * a.x + b->yy * a.y + b->yz * a.z,
             b->xz * a.x + b->yz * a.y + b->zz * a.z);
}

/* the six inertia columns of a link, as moments: L(dw) + w x L(w) */
typedef struct {
  v3 xx, xy, xz, yy, yz, zz;
} moments;

POINT moments moment_columns(const twist *t) {
  const v3 d = t->dw, p = t->product;
  moments B;
  B.xx = vec(d.x, p.y, -p.z);
  B.xy = vec(-t->F.z.x, t->F.z.y, t->unequal.z);
  B.xz = vec(t->F.y.x, t->unequal.y, -t->F.y.z);
  B.yy = vec(-p.x, d.y, p.z);
  B.yz = vec(t->unequal.x, -t->F.x.y, t->F.x.z);
  B.zz = vec(p.x, -p.y, d.z);
  return B;
}

/* force and moment about the frame's origin for the motion of a link: by mass and first moments */
POINT void point_wrench(v3 *force, v3 *moment, const twist *t, v3 h, vd m, const int link) {
  const v3 a = t->acc;
  if (link == LINK_TURNS) {
    *force = vec(t->F.x.x * h.x + t->F.x.y * h.y, t->F.y.x * h.x + t->F.y.y * h.y,
                 t->F.z.x * h.x + t->F.z.y * h.y);
    *moment = vec(h.y * a.z, -h.x * a.z, h.x * a.y - h.y * a.x);
  } else {
    *force =
        link == LINK_SLIDES ? add_turned(scale(a, m), t->F, h) : add(turn(t->F, h), scale(a, m));
    *moment = cross(h, a);
  }
}
/* and by moments of inertia */
POINT v3 add_inertia(v3 moment, const twist *t, const body *b, const int link) {
  const moments B = moment_columns(t);
  moment = add_scaled(moment, B.xx, b->xx);
  moment = add_scaled(moment, B.xy, b->xy);
  moment = add_scaled(moment, B.xz, b->xz);
  if (link != LINK_TURNS) moment = add_scaled(moment, B.yy, b->yy);
  moment = add_scaled(moment, B.yz, b->yz);
  return add_scaled(moment, B.zz, b->zz);
}
POINT void link_wrench(v3 *force, v3 *moment, const twist *t, const body *b, const int link) {
  point_wrench(force, moment, t, b->h, b->m, link);
  if (link != LINK_SLIDES) *moment = add_inertia(*moment, t, b, link);
}

/* the same without F, added to force and moment; Iw: the inertia times w */
POINT void add_wrench_directly(v3 *force, v3 *moment, const twist *t, const body *b, v3 Iw) {
  *force = add_cross(add_scaled(*force, t->acc, b->m), t->dw, b->h);
  *force = add(*force, centrifugal(t->w, b->h));
  *moment = add(*moment, inertia_times(b, t->dw));
  *moment = add_cross(add_cross(*moment, t->w, Iw), b->h, t->acc);
}

/* of the first link, which turns: only the moment about its axis has an effect */
POINT vd first_moment(const twist *t, const body *b) {
  return b->h.x * t->acc.y - b->h.y * t->acc.x;
}

/* a wrench in the frame of the parent */
POINT void carry_wrench(joint_kind kind, v3 *force, v3 *moment, const joint_turn *t, v3 p) {
  *force = to_parent(kind, t, *force);
  *moment = add_lever(kind, to_parent(kind, t, *moment), p, *force);
}

/* force and moment of a unit acceleration about z, or along z if the joint slides */
POINT void unit_wrench(v3 *force, v3 *moment, const body *b, bool slides) {
  const vd zero = broadcast(0);
  *force = slides ? vec(zero, zero, b->m) : vec(-b->h.y, b->h.x, zero);
  *moment = slides ? vec(b->h.y, -b->h.x, zero) : vec(b->xz, b->yz, b->zz);
}

/* R I R': turn the columns of I R' */
POINT body turned_inertia(m3 R, const body *b) {
  const v3 x = turn(R, inertia_times(b, R.x)), y = turn(R, inertia_times(b, R.y));
  const v3 z = turn(R, inertia_times(b, R.z));
  body r = *b;
  r.xx = x.x, r.xy = x.y, r.xz = x.z;
  r.yy = y.y, r.yz = y.z, r.zz = z.z;
  return r;
}

/* a body in the axes of the parent; not for hinges */
POINT body turned_body(joint_kind kind, const joint_turn *t, const body *b) {
  if (kind.axis == TURN_FULL) {
    body full = turned_inertia(t->R, b);
    full.h = turn(t->R, b->h);
    return full;
  }
  const vd c = t->R.x.x, s = t->R.y.x;
  // the first column of I, turned in the plane
  const vd ax = c * b->xx - s * b->xy, ay = c * b->xy - s * b->yy;
  body r;
  r.xx = c * ax - s * ay;
  r.yy = b->xx + b->yy - r.xx;
  r.xy = s * ax + c * ay;
  r.xz = c * b->xz - s * b->yz;
  r.yz = s * b->xz + c * b->yz;
  r.zz = b->zz;
  if (kind.axis == TURN_TILTED) {
    const body u = r;
    r.yy = u.zz;
    r.zz = u.yy;
    r.xy = u.xz;
    r.xz = -u.xy;
    r.yz = -u.yz;
  }
  if (kind.axis == TURN_FRAMED) r = turned_inertia(constant_rows(t->C), &r);
  r.h = to_parent(kind, t, b->h);
  r.m = b->m;
  return r;
}

/* a + (x + y) and a - (x + y), where x or y may be known to be zero */
POINT vd add_needed(vd a, bool has_x, vd x, bool has_y, vd y) {
  if (has_x && has_y) return a + (x + y);
  return has_x ? a + x : has_y ? a + y : a;
}
POINT vd sub_needed(vd a, bool has_x, vd x, bool has_y, vd y) {
  if (has_x && has_y) return a - (x + y);
  return has_x ? a - x : has_y ? a - y : a;
}

/* a body at p in place of the origin: trace 1 - p h' - h p' with the first moment before and after
 */
POINT void shift_body(joint_kind kind, body *b, v3 p, bool has_mass) {
  if (kind.known & MEETS) return;
  const bool x = reaches(kind, 0), y = reaches(kind, 1), z = reaches(kind, 2);
  const v3 h = b->h, hm = has_mass ? add_scaled(h, p, b->m) : h, sum = add(h, hm);
  const v3 d = vec(p.x * sum.x, p.y * sum.y, p.z * sum.z);
  b->xx = add_needed(b->xx, y, d.y, z, d.z);
  b->yy = add_needed(b->yy, x, d.x, z, d.z);
  b->zz = add_needed(b->zz, x, d.x, y, d.y);
  const v3 before = vec(p.x * h.y, p.x * h.z, p.y * h.z);
  const v3 after = vec(hm.x * p.y, hm.x * p.z, hm.y * p.z);
  b->xy = sub_needed(b->xy, x, before.x, y, after.x);
  b->xz = sub_needed(b->xz, x, before.y, z, after.y);
  b->yz = sub_needed(b->yz, y, before.z, z, after.z);
  b->h = hm;
}

/* the body of a child, seen from the parent frame, added to the parent's own, which has what `link`
 * says; LINK_TURNS: no body of the chain has mass */
POINT body join_bodies(joint_kind kind, const body *parent, const body *child, const joint_turn *t,
                       v3 p, const int link) {
  body b = turned_body(kind, t, child);
  shift_body(kind, &b, p, link != LINK_TURNS);
  b.xx = parent->xx + b.xx;
  b.xy = parent->xy + b.xy;
  b.xz = parent->xz + b.xz;
  b.yz = parent->yz + b.yz;
  b.zz = parent->zz + b.zz;
  b.h.x = parent->h.x + b.h.x;
  b.h.y = parent->h.y + b.h.y;
  if (link == LINK_TURNS) return b;
  b.yy = parent->yy + b.yy;
  b.h.z = parent->h.z + b.h.z;
  b.m = parent->m + b.m;
  return b;
}

/* The same for a full R and any links, with the trace as one number; its last bits differ from
 * those above. The kernels of the mass matrix use it. */
POINT body join_by_trace(const body *parent, const body *child, const joint_turn *t, v3 p) {
  body b = turned_body(kind_of(TURN_FULL, 0), t, child);
  const v3 h = b.h, hm = add(h, scale(p, child->m));
  const vd trace = dot(p, h) + dot(p, hm);
  b.xx = parent->xx + b.xx + trace - p.x * h.x - hm.x * p.x;
  b.xy = parent->xy + b.xy - p.x * h.y - hm.x * p.y;
  b.xz = parent->xz + b.xz - p.x * h.z - hm.x * p.z;
  b.yy = parent->yy + b.yy + trace - p.y * h.y - hm.y * p.y;
  b.yz = parent->yz + b.yz - p.y * h.z - hm.y * p.z;
  b.zz = parent->zz + b.zz + trace - p.z * h.z - hm.z * p.z;
  b.h = add(parent->h, hm);
  b.m = parent->m + child->m;
  return b;
}

/* ---- rows of the regressor ---- */

/* a screw with angular part z and linear part v, from the parent's frame to the joint's */
POINT void carry_screw(joint_kind kind, v3 *z, v3 *v, const joint_turn *t, v3 p) {
  const v3 before = *z;
  *z = to_child(kind, t, before);
  *v = to_child(kind, t, (kind.known & MEETS) ? *v : add_cross(*v, before, p));
}

/* Entries of a link in the row of a screw: XX, YY and ZZ share three products, first moments. */
POINT v3 shared_products(const twist *t, v3 z) {
  return vec(t->product.x * z.x, t->product.y * z.y, t->product.z * z.z);
}
POINT v3 diagonal_entries(const twist *t, v3 z) {
  const v3 d = t->dw, p = shared_products(t, z);
  return vec(d.x * z.x + (p.y - p.z), d.y * z.y + (p.z - p.x), d.z * z.z + (p.x - p.y));
}
POINT v3 moment_entries(const twist *t, v3 z, v3 v) {
  return add_cross(turn_back(t->F, v), t->acc, z);
}

#endif
