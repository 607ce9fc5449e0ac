/*
 * Rigid bodies of one plant, for C and for CUDA: mass matrix and torques at zero acceleration, in
 * frames whose z axis is the joint's axis (see device_types.h). The formulas are those of
 * body_motion.h. n and kind are constants where speed matters: loops are then unrolled, and arrays
 * become registers.
 */
#ifndef DEVICE_POINT_BODIES_H
#define DEVICE_POINT_BODIES_H

#include "device/device_types.h"
#include "device/point_math.h"

#include "device/body_motion.h"

/*
 * Plants come in groups of POINT_GROUP neighbours, so that the lanes of a warp read neighbours and
 * the address of value k is that of value 0 plus a constant: value k at [k * POINT_GROUP].
 */
#ifdef __CUDACC__
#define POINT_GROUP 32
#else
#define POINT_GROUP 1
#endif

/* the parameters of one plant, links by their base parameters */
typedef const double *plant_values;
/* memory of one plant during a step */
typedef double *plant_room;

POINT double value_of(plant_values v, int k) { return v[k * POINT_GROUP]; }

#define SLOT(room, k) (room)[(k)*POINT_GROUP]

/* What the formulas may assume of a chain. */
enum {
  ANY_CHAIN,     /* joints may slide */
  TURNING_CHAIN, /* all joints turn: a link has no YY, MZ and M */
  QUARTER_CHAIN, /* all joints turn, by quarter turns: see device_chain */
  PATTERN_CHAIN  /* + pattern_of: a quarter-turn chain whose zeros are known */
};

#define PATTERN_TILTS 0xff /* joints that are tilted; above: components of origins */
#define PATTERN_ORIGIN(j, x, y, z) (((x) | (y) << 1 | (z) << 2) << (8 + 3 * ((j)-1)))
#define PATTERN_ORIGINS (0x1fffff << 8) /* all components, for joints 1 to 7 */
#define PATTERN_SIGNS (1 << 29)         /* a joint turns against z of its frame */

/* a chain in bits: its tilted joints, the components of their origins that are not zero, and
 * whether signs are needed; the origin of joint 0 has no effect */
POINT int pattern_of(const device_chain *chain) {
  int bits = 0;
  for (int j = 0; j < chain->njoint; j++) {
    const double *p = chain->joint[j].p;
    bits |= chain->joint[j].tilted << j;
    if (chain->joint[j].sign < 0) bits |= PATTERN_SIGNS;
    if (j > 0) bits |= PATTERN_ORIGIN(j, p[0] != 0, p[1] != 0, p[2] != 0);
  }
  return bits;
}

/* what holds for joint j: known zeros of its origin, and of the motion of the first link */
POINT joint_kind kind_at(const device_joint *g, const int kind, int j) {
  int axis = TURN_FRAMED, known = j == 1 && kind != ANY_CHAIN ? SECOND : 0;
  if (kind == QUARTER_CHAIN) axis = g->tilted ? TURN_TILTED : TURN_STRAIGHT;
  if (kind >= PATTERN_CHAIN) {
    axis = (kind - PATTERN_CHAIN) >> j & 1 ? TURN_TILTED : TURN_STRAIGHT;
    if (j > 0) known |= NO_X * (~((kind - PATTERN_CHAIN) >> (8 + 3 * (j - 1))) & 7);
  }
  return kind_of(axis, known);
}
/* sign x, where the chain may have signs of -1 */
POINT double signed_by(const int kind, double sign, double x) {
  return kind < PATTERN_CHAIN || ((kind - PATTERN_CHAIN) & PATTERN_SIGNS) ? sign * x : x;
}
POINT bool slides_at(const device_joint *g, const int kind) {
  return kind == ANY_CHAIN && g->slides;
}
POINT int link_at(const int kind) { return kind == ANY_CHAIN ? LINK_ANY : LINK_TURNS; }

POINT int pair_at(int i, int j) { return i * (i + 1) / 2 + j; }

POINT joint_turn turn_at(const device_joint *g, turning t) { return plane_turn(t.s, t.c, 1, g->C); }

POINT v3 origin_of(const device_joint *g, const int kind, double q) {
  const v3 p = constant(g->p);
  return kind != ANY_CHAIN ? p : add_scaled(p, constant(g->slide), q);
}

POINT body body_of(plant_values v, int j, const int kind) {
  body b;
  b.xx = value_of(v, DEVICE_LINK(j));
  b.xy = value_of(v, DEVICE_LINK(j) + 1);
  b.xz = value_of(v, DEVICE_LINK(j) + 2);
  b.yy = kind == ANY_CHAIN ? value_of(v, DEVICE_LINK(j) + 3) : 0;
  b.yz = value_of(v, DEVICE_LINK(j) + 4);
  b.zz = value_of(v, DEVICE_LINK(j) + 5);
  b.h = vec(value_of(v, DEVICE_LINK(j) + 6), value_of(v, DEVICE_LINK(j) + 7),
            kind == ANY_CHAIN ? value_of(v, DEVICE_LINK(j) + 8) : 0);
  b.m = kind == ANY_CHAIN ? value_of(v, DEVICE_LINK(j) + 9) : 0;
  return b;
}

/*
 * Base parameters: what turns about z without a change, {XX = YY, MZ, M}, belongs to the parent.
 * Afterwards a link that turns has no YY, MZ and M. The motion is the same.
 */
POINT void regroup_links(double *values, const device_chain *chain) {
  for (int j = chain->njoint - 1; j >= 0; j--) {
    const device_joint *g = &chain->joint[j];
    if (g->slides) continue;
    const body own = body_of(values, j, ANY_CHAIN);
    body moved = own;
    moved.xx = own.yy;
    moved.xy = moved.xz = moved.yz = moved.zz = 0;
    moved.h = vec(0, 0, own.h.z);
    double *at = values + DEVICE_LINK(j) * POINT_GROUP;
    SLOT(at, 0) = own.xx - own.yy;
    SLOT(at, 3) = SLOT(at, 8) = SLOT(at, 9) = 0;
    if (j == 0) continue;
    const joint_turn still = plane_turn(0, 1, 1, g->C);
    const body parent = body_of(values, j - 1, ANY_CHAIN);
    const body b =
        join_bodies(kind_of(TURN_FRAMED, 0), &parent, &moved, &still, constant(g->p), LINK_ANY);
    const double all[10] = {b.xx, b.xy, b.xz, b.yy, b.yz, b.zz, b.h.x, b.h.y, b.h.z, b.m};
    for (int c = 0; c < 10; c++) SLOT(values, DEVICE_LINK(j - 1) + c) = all[c];
  }
}

/* what joint j adds to the motion of its frame, and the wrench of the link */
POINT void move_joint(twist *m, v3 *force, v3 *moment, const device_joint *g, const body *b,
                      double speed, const int kind) {
  if (slides_at(g, kind))
    slide_along_z(m, speed);
  else
    turn_about_z(m, speed);
  finish(m);
  link_wrench(force, moment, m, b, link_at(kind));
}

/* sines of the joints and wrenches of all links at zero acceleration */
POINT void move_links(turning *t, v3 *force, v3 *moment, const device_chain *chain, plant_values v,
                      const double *q, const double *dq, const int n, const int kind) {
  twist m = rest(constant(chain->up));
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_joint *g = &chain->joint[j];
    t[j] = sine_cosine(signed_by(kind, g->sign, q[j]) + g->angle);
    if (slides_at(g, kind)) {
      t[j].s = 0;
      t[j].c = 1;
    }
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_joint *g = &chain->joint[j];
    const joint_kind own = kind_at(g, kind, j);
    const joint_turn at = turn_at(g, t[j]);
    const double speed = signed_by(kind, g->sign, dq[j]);
    const body b = body_of(v, j, kind);
    if (j == 0 && kind != ANY_CHAIN) {
      // only the torque about the first axis matters
      m = turn_first(own, &at, m.acc, speed);
      moment[0] = vec(0, 0, first_moment(&m, &b));
      force[0] = no_vector();
      continue;
    }
    if (j > 0)
      m = carry_motion(own, &m, &at, origin_of(g, kind, q[j]));
    else
      m.acc = to_child(own, &at, m.acc);
    move_joint(&m, &force[j], &moment[j], g, &b, speed, kind);
  }
}

/* column j of M above the diagonal: the wrench of a unit acceleration, carried to the base */
POINT void mass_column(double *M, const device_chain *chain, const body *all, const turning *t,
                       const double *q, int j, const int kind) {
  const device_joint *g = &chain->joint[j];
  v3 f, m;
  unit_wrench(&f, &m, all, slides_at(g, kind));
  M[pair_at(j, j)] = slides_at(g, kind) ? all->m : all->zz;
  UNROLL
  for (int i = j - 1; i >= 0; i--) {
    const device_joint *c = &chain->joint[i + 1];
    const joint_turn at = turn_at(c, t[i + 1]);
    carry_wrench(kind_at(c, kind, i + 1), &f, &m, &at, origin_of(c, kind, q[i + 1]));
    const double part = slides_at(&chain->joint[i], kind) ? f.z : m.z;
    M[pair_at(j, i)] = signed_by(kind, g->sign * chain->joint[i].sign, part);
  }
}

/* M of the links, packed; right -= their torque at zero acceleration */
POINT void rigid_bodies(double *M, double *right, const device_chain *chain, plant_values v,
                        const double *q, const double *dq, const int n, const int kind) {
  turning t[DEVICE_JOINTS];
  v3 force[DEVICE_JOINTS], moment[DEVICE_JOINTS];
  move_links(t, force, moment, chain, v, q, dq, n, kind);
  body all = body_of(v, n - 1, kind);
  v3 f = force[n - 1], m = moment[n - 1];
  UNROLL
  for (int j = n - 1; j >= 0; j--) {
    const device_joint *g = &chain->joint[j];
    right[j] -= signed_by(kind, g->sign, slides_at(g, kind) ? f.z : m.z);
    mass_column(M, chain, &all, t, q, j, kind);
    if (j > 0) {
      const joint_kind own = kind_at(g, kind, j);
      const joint_turn at = turn_at(g, t[j]);
      const v3 p = origin_of(g, kind, q[j]);
      const body parent = body_of(v, j - 1, kind);
      carry_wrench(own, &f, &m, &at, p);
      f = add(f, force[j - 1]);
      m = add(m, moment[j - 1]);
      all = join_bodies(own, &parent, &all, &at, p, link_at(kind));
    }
  }
}

#endif
