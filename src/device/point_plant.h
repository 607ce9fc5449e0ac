/*
 * Forward dynamics of one plant, for C and for CUDA: mass matrix, forces, and the slope D of the
 * friction that an implicit integrator needs. The formulas are those of
 * src/dynamics/kernel_bodies.inc and lanes.c, in frames whose z axis is the joint's axis (see
 * device_types.h). n and quarter are constants where speed matters: loops are then unrolled, and
 * arrays become registers.
 */
#ifndef DEVICE_POINT_PLANT_H
#define DEVICE_POINT_PLANT_H

#include "device/device_types.h"
#include "device/point_math.h"

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
  STRAIGHT,      /* of one joint of a quarter-turn chain: C is 1 */
  TILTED,        /* C is the quarter turn */
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

/* what holds for joint j */
POINT int kind_at(const int kind, int j) {
  if (kind < PATTERN_CHAIN) return kind;
  return (kind - PATTERN_CHAIN) >> j & 1 ? TILTED : STRAIGHT;
}
/* bits of the components of the origin of joint j > 0 that may differ from zero */
POINT int origin_at(const int kind, int j) {
  return kind < PATTERN_CHAIN ? 7 : (kind - PATTERN_CHAIN) >> (8 + 3 * (j - 1)) & 7;
}
/* sign x, where the chain may have signs of -1 */
POINT double signed_by(const int kind, double sign, double x) {
  return kind < PATTERN_CHAIN || ((kind - PATTERN_CHAIN) & PATTERN_SIGNS) ? sign * x : x;
}
/* a joint of a quarter-turn chain is tilted */
POINT int is_tilted(const device_joint *g, const int kind) {
  return kind == QUARTER_CHAIN ? g->tilted : kind == TILTED;
}

POINT int pair_at(int i, int j) { return i * (i + 1) / 2 + j; }

/* ---- rotations ---- */

/* C' a and C a */
POINT v3 untilt(const device_joint *g, const int kind, v3 a) {
  if (kind >= QUARTER_CHAIN) return is_tilted(g, kind) ? vec(a.x, -a.z, a.y) : a;
  return vec(g->C[0] * a.x + g->C[3] * a.y + g->C[6] * a.z,
             g->C[1] * a.x + g->C[4] * a.y + g->C[7] * a.z,
             g->C[2] * a.x + g->C[5] * a.y + g->C[8] * a.z);
}
POINT v3 tilt(const device_joint *g, const int kind, v3 a) {
  if (kind >= QUARTER_CHAIN) return is_tilted(g, kind) ? vec(a.x, a.z, -a.y) : a;
  return vec(g->C[0] * a.x + g->C[1] * a.y + g->C[2] * a.z,
             g->C[3] * a.x + g->C[4] * a.y + g->C[5] * a.z,
             g->C[6] * a.x + g->C[7] * a.y + g->C[8] * a.z);
}

POINT v3 to_child(const device_joint *g, const int kind, turning t, v3 a) {
  const v3 u = untilt(g, kind, a);
  return vec(t.c * u.x + t.s * u.y, t.c * u.y - t.s * u.x, u.z);
}
POINT v3 to_parent(const device_joint *g, const int kind, turning t, v3 a) {
  return tilt(g, kind, vec(t.c * a.x - t.s * a.y, t.s * a.x + t.c * a.y, a.z));
}

POINT v3 origin_of(const device_joint *g, const int kind, double q) {
  const v3 p = vec_at(g->p);
  return kind != ANY_CHAIN ? p : plus_times(p, vec_at(g->slide), q);
}

/* a + p x f, for a p that has zeros where `bits` has them */
POINT v3 plus_lever(v3 a, v3 p, v3 f, const int bits) {
  if (bits & 1) a = vec(a.x, a.y - p.x * f.z, a.z + p.x * f.y);
  if (bits & 2) a = vec(a.x + p.y * f.z, a.y, a.z - p.y * f.x);
  if (bits & 4) a = vec(a.x - p.z * f.y, a.y + p.z * f.x, a.z);
  return a;
}
/* a + F p, with the rows of F */
POINT v3 plus_turned(v3 a, v3 Fx, v3 Fy, v3 Fz, v3 p, const int bits) {
  if (bits & 1) a = vec(a.x + Fx.x * p.x, a.y + Fy.x * p.x, a.z + Fz.x * p.x);
  if (bits & 2) a = vec(a.x + Fx.y * p.y, a.y + Fy.y * p.y, a.z + Fz.y * p.y);
  if (bits & 4) a = vec(a.x + Fx.z * p.z, a.y + Fy.z * p.z, a.z + Fz.z * p.z);
  return a;
}

/* ---- bodies ---- */

typedef struct {
  double xx, xy, xz, yy, yz, zz;
  v3 h;
  double m;
} point_body;

POINT point_body body_of(plant_values v, int j, const int kind) {
  point_body b;
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

/* the axes of a body turned about z, then tilted */
POINT point_body turned_body(const device_joint *g, const int kind, turning t, point_body b) {
  const double cc = t.c * t.c, cs = t.c * t.s, ss = t.s * t.s;
  point_body r;
  r.xx = cc * b.xx - 2 * cs * b.xy + ss * b.yy;
  r.yy = b.xx + b.yy - r.xx;
  r.xy = cs * (b.xx - b.yy) + (cc - ss) * b.xy;
  r.xz = t.c * b.xz - t.s * b.yz;
  r.yz = t.s * b.xz + t.c * b.yz;
  r.zz = b.zz;
  r.h = to_parent(g, kind, t, b.h);
  r.m = b.m;
  if (kind >= QUARTER_CHAIN) {
    const int tilted = is_tilted(g, kind);
    point_body u = r;
    u.yy = tilted ? r.zz : r.yy;
    u.zz = tilted ? r.yy : r.zz;
    u.xy = tilted ? r.xz : r.xy;
    u.xz = tilted ? -r.xy : r.xz;
    u.yz = tilted ? -r.yz : r.yz;
    return u;
  }
  // C I C': the columns of I C', turned
  const double *C = g->C;
  v3 column[3];
  UNROLL
  for (int i = 0; i < 3; i++) {
    const v3 e = vec_at(C + 3 * i);
    column[i] = tilt(g, ANY_CHAIN,
                     vec(r.xx * e.x + r.xy * e.y + r.xz * e.z, r.xy * e.x + r.yy * e.y + r.yz * e.z,
                         r.xz * e.x + r.yz * e.y + r.zz * e.z));
  }
  r.xx = column[0].x;
  r.xy = column[0].y;
  r.xz = column[0].z;
  r.yy = column[1].y;
  r.yz = column[1].z;
  r.zz = column[2].z;
  return r;
}

/* a body at p in place of the origin, where p has zeros as in `bits`; turning chains: no mass */
POINT point_body shifted(point_body b, v3 p, const int kind, const int bits) {
  const v3 h = b.h, hm = kind == ANY_CHAIN ? plus_times(h, p, b.m) : h;
  if (bits & 1) {
    const double s = p.x * (h.x + hm.x);
    b.yy += s;
    b.zz += s;
    b.xy -= p.x * h.y;
    b.xz -= p.x * h.z;
  }
  if (bits & 2) {
    const double s = p.y * (h.y + hm.y);
    b.xx += s;
    b.zz += s;
    b.xy -= hm.x * p.y;
    b.yz -= p.y * h.z;
  }
  if (bits & 4) {
    const double s = p.z * (h.z + hm.z);
    b.xx += s;
    b.yy += s;
    b.xz -= hm.x * p.z;
    b.yz -= hm.y * p.z;
  }
  b.h = hm;
  return b;
}

/* the body seen from the parent's frame, added to the parent's own; turning chains: that has no YY
 * and MZ */
POINT point_body joined(point_body a, const device_joint *g, const int kind, turning t, v3 p,
                        const int bits, point_body child) {
  const point_body b = shifted(turned_body(g, kind, t, child), p, kind, bits);
  a.xx += b.xx;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yy = kind == ANY_CHAIN ? a.yy + b.yy : b.yy;
  a.yz += b.yz;
  a.zz += b.zz;
  a.h = vec(a.h.x + b.h.x, a.h.y + b.h.y, kind == ANY_CHAIN ? a.h.z + b.h.z : b.h.z);
  if (kind == ANY_CHAIN) a.m += b.m;
  return a;
}

/*
 * Base parameters: what turns about z without a change, {XX = YY, MZ, M}, belongs to the parent.
 * Afterwards a link that turns has no YY, MZ and M. The motion is the same.
 */
POINT void regroup_links(double *values, const device_chain *chain) {
  const turning none = {0, 1};
  for (int j = chain->njoint - 1; j >= 0; j--) {
    const device_joint *g = &chain->joint[j];
    if (g->slides) continue;
    point_body own = body_of(values, j, ANY_CHAIN), moved = own;
    moved.xx = own.yy;
    moved.xy = moved.xz = moved.yz = moved.zz = 0;
    moved.h = vec(0, 0, own.h.z);
    double *at = values + DEVICE_LINK(j) * POINT_GROUP;
    SLOT(at, 0) = own.xx - own.yy;
    SLOT(at, 3) = SLOT(at, 8) = SLOT(at, 9) = 0;
    if (j == 0) continue;
    const point_body b =
        joined(body_of(values, j - 1, ANY_CHAIN), g, ANY_CHAIN, none, vec_at(g->p), 7, moved);
    const double all[10] = {b.xx, b.xy, b.xz, b.yy, b.yz, b.zz, b.h.x, b.h.y, b.h.z, b.m};
    for (int c = 0; c < 10; c++) SLOT(values, DEVICE_LINK(j - 1) + c) = all[c];
  }
}

/* ---- rigid bodies ---- */

/* M of the links, packed; right -= their torque at zero acceleration */
POINT void rigid_bodies(double *M, double *right, const device_chain *chain, plant_values v,
                        const double *q, const double *dq, const int n, const int kind) {
  turning t[DEVICE_JOINTS];
  v3 force[DEVICE_JOINTS], moment[DEVICE_JOINTS];
  v3 w = vec(0, 0, 0), dw = vec(0, 0, 0), acc = vec_at(chain->up);
  v3 Fx = w, Fy = w, Fz = w;  // rows of [dw]x + [w]x [w]x
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_joint *g = &chain->joint[j];
    t[j] = sine_cosine(signed_by(kind, g->sign, q[j]) + g->angle);
    if (kind == ANY_CHAIN && g->slides) {
      t[j].s = 0;
      t[j].c = 1;
    }
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_joint *g = &chain->joint[j];
    if (j > 0) {
      const v3 p = origin_of(g, kind, q[j]);
      const int bits = origin_at(kind, j);
      if (j == 1 && kind != ANY_CHAIN) {
        if (bits & 1) acc.x += Fx.x * p.x;
        if (bits & 2) acc.y += Fx.x * p.y;
      } else {
        acc = plus_turned(acc, Fx, Fy, Fz, p, bits);
      }
      w = to_child(g, kind_at(kind, j), t[j], w);
      if (j > 1 || kind == ANY_CHAIN) dw = to_child(g, kind_at(kind, j), t[j], dw);
    }
    acc = to_child(g, kind_at(kind, j), t[j], acc);
    const double speed = signed_by(kind, g->sign, dq[j]);
    if (kind == ANY_CHAIN && g->slides) {
      acc = vec(acc.x + 2 * w.y * speed, acc.y - 2 * w.x * speed, acc.z);
    } else {
      dw = vec(dw.x + w.y * speed, dw.y - w.x * speed, dw.z);
      w.z += speed;
    }
    const point_body b = body_of(v, j, kind);
    if (j == 0 && kind != ANY_CHAIN) {
      // only the torque about the first axis matters
      Fx.x = -speed * speed;
      w = vec(0, 0, speed);
      dw = vec(0, 0, 0);
      moment[0] = vec(0, 0, b.h.x * acc.y - b.h.y * acc.x);
      force[0] = vec(0, 0, 0);
      continue;
    }
    const double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    const v3 e = vec(w.y * w.z, w.x * w.z, w.x * w.y);
    Fx = vec(-(yy + zz), e.z - dw.z, e.y + dw.y);
    Fy = vec(e.z + dw.z, -(xx + zz), e.x - dw.x);
    Fz = vec(e.y - dw.y, e.x + dw.x, -(xx + yy));
    v3 m;
    if (kind == ANY_CHAIN) {
      force[j] = plus_times(vec(inner(Fx, b.h), inner(Fy, b.h), inner(Fz, b.h)), acc, b.m);
      m = plus_times(outer(b.h, acc), vec(-e.x, dw.y, e.z), b.yy);
    } else {
      force[j] = vec(Fx.x * b.h.x + Fx.y * b.h.y, Fy.x * b.h.x + Fy.y * b.h.y,
                     Fz.x * b.h.x + Fz.y * b.h.y);
      m = vec(b.h.y * acc.z, -b.h.x * acc.z, b.h.x * acc.y - b.h.y * acc.x);
    }
    m = plus_times(m, vec(dw.x, e.y, -e.z), b.xx);
    m = plus_times(m, vec(-Fz.x, Fz.y, xx - yy), b.xy);
    m = plus_times(m, vec(Fy.x, zz - xx, -Fy.z), b.xz);
    m = plus_times(m, vec(yy - zz, -Fx.y, Fx.z), b.yz);
    moment[j] = plus_times(m, vec(e.x, -e.y, dw.z), b.zz);
  }
  point_body all = body_of(v, n - 1, kind);
  v3 f = force[n - 1], m = moment[n - 1];
  UNROLL
  for (int j = n - 1; j >= 0; j--) {
    const device_joint *g = &chain->joint[j];
    const int slides = kind == ANY_CHAIN && g->slides;
    right[j] -= signed_by(kind, g->sign, slides ? f.z : m.z);
    // force and moment of a unit acceleration of joint j
    v3 fj = vec(-all.h.y, all.h.x, 0), mj = vec(all.xz, all.yz, all.zz);
    if (slides) {
      fj = vec(0, 0, all.m);
      mj = vec(all.h.y, -all.h.x, 0);
    }
    M[pair_at(j, j)] = slides ? all.m : all.zz;
    UNROLL
    for (int i = j - 1; i >= 0; i--) {
      const device_joint *c = &chain->joint[i + 1];
      fj = to_parent(c, kind_at(kind, i + 1), t[i + 1], fj);
      mj = plus_lever(to_parent(c, kind_at(kind, i + 1), t[i + 1], mj),
                      origin_of(c, kind, q[i + 1]), fj, origin_at(kind, i + 1));
      const double part = kind == ANY_CHAIN && chain->joint[i].slides ? fj.z : mj.z;
      M[pair_at(j, i)] = signed_by(kind, g->sign * chain->joint[i].sign, part);
    }
    if (j > 0) {
      const v3 p = origin_of(g, kind, q[j]);
      f = to_parent(g, kind_at(kind, j), t[j], f);
      m = plus_lever(to_parent(g, kind_at(kind, j), t[j], m), p, f, origin_at(kind, j));
      f = plus(f, force[j - 1]);
      m = plus(m, moment[j - 1]);
      all = joined(body_of(v, j - 1, kind), g, kind_at(kind, j), t[j], p, origin_at(kind, j), all);
    }
  }
}

/* ---- friction ---- */

/* Numbers of the laws in the table of laws; test_device_laws checks that they agree. */
enum {
  POINT_SQUARE = 6,
  POINT_CUBE = 7,
  POINT_STRIBECK = 8,
  POINT_DEGRESSIVE = 11,
  POINT_UNEVEN = 12
};

/* value of a law of speed v that is no sign, and the part of its slope that may be implicit */
POINT void law_value(double *value, double *slope, const device_law *law, double v, double gamma,
                     double speed) {
  *value = *slope = 0;
  if (law->law == POINT_SQUARE) {
    const double over = fabs(v) - law->shape[0], above = over > 0 ? over : 0;
    *value = v * fabs(v) - copysign(above * above, v);
    *slope = 2 * (fabs(v) - above);
  } else if (law->law == POINT_CUBE) {
    *value = v * v * v;
    *slope = 3 * v * v;
  } else if (law->law == POINT_STRIBECK) {
    const double ratio = v / law->shape[1], decay = exp(-ratio * ratio);
    double sign, steep;
    smooth_sign(&sign, &steep, v, gamma, speed);
    *value = sign * decay;
    *slope = steep * decay;
  } else if (law->law == POINT_DEGRESSIVE) {
    const double v0 = law->shape[1], e = law->shape[0] - 1, square = v * v + v0 * v0 + 1e-12;
    const double power = pow(square, e / 2);
    *value = v * power;
    *slope = power * (1 + e * v * v / square);
  } else if (law->law == POINT_UNEVEN) {
    *value = fabs(v);
  }
}

/* ---- memory of a step ---- */

/* places in the room of a plant; `part` counts joints or entries of a lower triangle */
#define ROOM_Q(n, j) (j)
#define ROOM_DQ(n, j) ((n) + (j))
#define ROOM_APPLIED(n, j) (2 * (n) + (j))
#define ROOM_VALUE(n, j) (3 * (n) + (j))             /* of the other laws of a joint */
#define ROOM_SLOPE(n, j) (4 * (n) + (j))             /* their slope */
#define ROOM_KQ(n, s, j) ((5 + 2 * (s)) * (n) + (j)) /* of stage s */
#define ROOM_KV(n, s, j) ((6 + 2 * (s)) * (n) + (j))
#define ROOM_DRAG(n, i) ((5 + 2 * (DEVICE_STAGES - 1)) * (n) + (i)) /* h gamma D, packed */
#define ROOM_FACTOR(n, i) (ROOM_DRAG(n, (n) * ((n) + 1) / 2) + (i)) /* of M + h gamma D */
#define ROOM_SIZE(n) ROOM_FACTOR(n, (n) * ((n) + 1) / 2)

/* row i of a mask has a bit before the diagonal */
POINT int row_coupled(const int *mask, int i) { return mask[i] & ((1 << i) - 1); }

/* ---- friction of a plant ---- */

/* values and slopes of the laws of all joints that are no sign of the speed, into the room */
POINT void other_laws(plant_room room, const device_friction *f, plant_values v, const double *dq,
                      const int n) {
  UNROLL
  for (int i = 0; i < n; i++) SLOT(room, ROOM_SLOPE(n, i)) = dq[i];
  ROLLED
  for (int i = 0; i < n; i++) {
    const double speed = SLOT(room, ROOM_SLOPE(n, i));
    double values = 0, slopes = 0;
    ROLLED
    for (int l = 0; l < f->nlaw[i]; l++) {
      double value, slope;
      law_value(&value, &slope, &f->law[i][l], speed, f->gamma[i], f->speed[i]);
      const double c = value_of(v, DEVICE_LAW + i * DEVICE_LAWS + l), steep = c * slope;
      values += c * value;
      slopes += steep > 0 ? steep : 0;
    }
    SLOT(room, ROOM_VALUE(n, i)) = values;
    SLOT(room, ROOM_SLOPE(n, i)) = slopes;
  }
}

/* smoothed signs of the joints' own speeds that are not arc tangents */
POINT void other_signs(double *sign, double *slope, plant_room room, const device_friction *f,
                       const double *dq, const int n) {
  UNROLL
  for (int i = 0; i < n; i++) SLOT(room, ROOM_SLOPE(n, i)) = dq[i];
  ROLLED
  for (int i = 0; i < n; i++) {
    double value, steep;
    smooth_sign(&value, &steep, SLOT(room, ROOM_SLOPE(n, i)), f->gamma[i], f->speed[i]);
    SLOT(room, ROOM_VALUE(n, i)) = value;
    SLOT(room, ROOM_SLOPE(n, i)) = steep;
  }
  UNROLL
  for (int i = 0; i < n; i++) {
    sign[i] = SLOT(room, ROOM_VALUE(n, i));
    slope[i] = SLOT(room, ROOM_SLOPE(n, i));
  }
}

/*
 * right = applied torques - friction and offsets. hg > 0: also h gamma D into `room`, where D is
 * the slope of the friction; entries where the mask `implicit` is not set are not written.
 * own_whole: plants differ in `whole`.
 */
POINT void applied_less_friction(double *right, plant_room room, const device_friction *f,
                                 plant_values v, const double *dq, double hg, const int n,
                                 const int own_whole) {
  double sign[DEVICE_JOINTS], slope[DEVICE_JOINTS];
  int tangents = 1, laws = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    tangents = tangents && (f->gamma[i] > 0 || !(f->signs[i] >> i & 1));
    laws += f->nlaw[i];
  }
  if (tangents) {
    UNROLL
    for (int i = 0; i < n; i++) tangent_sign(&sign[i], &slope[i], dq[i], f->gamma[i]);
  } else {
    other_signs(sign, slope, room, f, dq, n);
  }
  UNROLL
  for (int i = 0; i < n; i++) {
    const double c = value_of(v, DEVICE_SIGN + i * DEVICE_JOINTS + i), steep = c * slope[i];
    right[i] = SLOT(room, ROOM_APPLIED(n, i)) - value_of(v, DEVICE_CONSTANT + i) - c * sign[i] -
               value_of(v, DEVICE_VISCOUS + i * DEVICE_JOINTS + i) * dq[i];
    slope[i] = value_of(v, DEVICE_DRAG + pair_at(i, i)) + (steep > 0 ? steep : 0);
  }
  UNROLL
  for (int i = 0; i < n; i++)
    if (f->viscous[i] & ~(1 << i)) {
      UNROLL
      for (int j = 0; j < n; j++)
        if (i != j) right[i] -= value_of(v, DEVICE_VISCOUS + i * DEVICE_JOINTS + j) * dq[j];
    }
  if (laws > 0) {
    other_laws(room, f, v, dq, n);
    UNROLL
    for (int i = 0; i < n; i++) {
      right[i] -= SLOT(room, ROOM_VALUE(n, i));
      slope[i] += SLOT(room, ROOM_SLOPE(n, i));
    }
  }
  if (hg > 0) {
    UNROLL
    for (int i = 0; i < n; i++) {
      SLOT(room, ROOM_DRAG(n, pair_at(i, i))) = hg * slope[i];
      if (row_coupled(f->implicit, i)) {
        UNROLL
        for (int j = 0; j < i; j++)
          SLOT(room, ROOM_DRAG(n, pair_at(i, j))) = hg * value_of(v, DEVICE_DRAG + pair_at(i, j));
      }
    }
  }
  // signs along sums of joints
  ROLLED
  for (int d = n; d < f->ndirection; d++) {
    double speed = 0, value, steep;
    const int all_whole = own_whole ? (int)value_of(v, DEVICE_WHOLE + d) : f->whole[d];
    UNROLL
    for (int j = 0; j < n; j++) speed += f->weight[d][j] * dq[j];
    if (f->gamma[d] > 0)
      tangent_sign(&value, &steep, speed, f->gamma[d]);
    else
      smooth_sign(&value, &steep, speed, f->gamma[d], f->speed[d]);
    UNROLL
    for (int i = 0; i < n; i++)
      if (f->signs[d] >> i & 1) {
        const double c = value_of(v, DEVICE_SIGN + d * DEVICE_JOINTS + i);
        const int whole = all_whole >> i & 1;
        right[i] -= c * value;
        if (hg > 0) {
          const double s = hg * c * steep;
          UNROLL
          for (int j = 0; j < i; j++)
            if (whole && (f->implicit[i] >> j & 1))
              SLOT(room, ROOM_DRAG(n, pair_at(i, j))) += f->weight[d][j] * s;
          const double own = f->weight[d][i] * s;
          if (whole || own > 0) SLOT(room, ROOM_DRAG(n, pair_at(i, i))) += own;
        }
      }
  }
}

/* ---- linear equations ---- */

/* L D L' of a packed matrix in place; the diagonal keeps 1/D. Returns 0 if it is not positive. */
POINT int factor_packed(double *A, const int n) {
  int positive = 1;
  UNROLL
  for (int i = 0; i < n; i++) {
    double c[DEVICE_JOINTS];  // L D of row i
    UNROLL
    for (int j = 0; j < i; j++) {
      double s = A[pair_at(i, j)];
      UNROLL
      for (int k = 0; k < j; k++) s -= c[k] * A[pair_at(j, k)];
      c[j] = s;
    }
    double d = A[pair_at(i, i)];
    UNROLL
    for (int j = 0; j < i; j++) {
      const double l = c[j] * A[pair_at(j, j)];
      d -= c[j] * l;
      A[pair_at(i, j)] = l;
    }
    positive = positive && d > 0;
    A[pair_at(i, i)] = reciprocal(d);
  }
  return positive;
}

/* solve with factors at L[i * stride] */
POINT void solve_packed(double *x, const double *L, const int stride, const int n) {
  UNROLL
  for (int i = 1; i < n; i++) {
    UNROLL
    for (int k = 0; k < i; k++) x[i] -= L[pair_at(i, k) * stride] * x[k];
  }
  UNROLL
  for (int i = 0; i < n; i++) x[i] *= L[pair_at(i, i) * stride];
  UNROLL
  for (int i = n - 2; i >= 0; i--) {
    UNROLL
    for (int k = n - 1; k > i; k--) x[i] -= L[pair_at(k, i) * stride] * x[k];
  }
}

/* y = h gamma D x */
POINT void multiply_drag(double *y, plant_room room, const int *mask, const double *x,
                         const int n) {
  UNROLL
  for (int i = 0; i < n; i++) y[i] = SLOT(room, ROOM_DRAG(n, pair_at(i, i))) * x[i];
  UNROLL
  for (int i = 1; i < n; i++)
    if (row_coupled(mask, i)) {
      UNROLL
      for (int j = 0; j < i; j++) {
        const double d = SLOT(room, ROOM_DRAG(n, pair_at(i, j)));
        y[i] += d * x[j];
        y[j] += d * x[i];
      }
    }
}

/* M += h gamma D */
POINT void add_drag(double *M, plant_room room, const int *mask, const int n) {
  UNROLL
  for (int i = 0; i < n; i++) {
    M[pair_at(i, i)] += SLOT(room, ROOM_DRAG(n, pair_at(i, i)));
    if (row_coupled(mask, i)) {
      UNROLL
      for (int j = 0; j < i; j++) M[pair_at(i, j)] += SLOT(room, ROOM_DRAG(n, pair_at(i, j)));
    }
  }
}

/* y = M x */
POINT void multiply_packed(double *y, const double *M, const double *x, const int n) {
  UNROLL
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    UNROLL
    for (int j = 0; j < n; j++) y[i] += M[i >= j ? pair_at(i, j) : pair_at(j, i)] * x[j];
  }
}

/* ---- a step ---- */

/* The acceleration inv(M) x. M is kept in the room meanwhile, where the first stage has a place for
 * its factors. */
POINT void put_acceleration(double *ddq, int64_t stride, plant_room room, double *M,
                            const double *x, const int n) {
  double a[DEVICE_JOINTS];
  UNROLL
  for (int i = 0; i < n * (n + 1) / 2; i++) SLOT(room, ROOM_FACTOR(n, i)) = M[i];
  UNROLL
  for (int j = 0; j < n; j++) a[j] = x[j];
  (void)factor_packed(M, n);
  solve_packed(a, M, 1, n);
  UNROLL
  for (int j = 0; j < n; j++) ddq[j * stride] = a[j];
  UNROLL
  for (int i = 0; i < n * (n + 1) / 2; i++) M[i] = SLOT(room, ROOM_FACTOR(n, i));
}

/*
 * One step h of a linearly implicit scheme, of the state in `room`. ddq: where the acceleration at
 * its begin goes, joint j at [j * stride], or NULL. Returns 0 if a mass matrix was not positive.
 * The operator inv(M + c D) M of the first stage is applied as 1 - inv(M + c D) c D; a scheme with
 * `own_mass` uses M of each stage and D of the first.
 */
POINT int plant_step(plant_room room, double *ddq, int64_t stride, const device_loop *l,
                     plant_values v, double h, const int n, const int kind, const int own_whole) {
  const device_scheme *scheme = &l->scheme;
  const device_friction *friction = &l->friction;
  const double hg = h * scheme->gamma, inverse = reciprocal(scheme->gamma);
  const int last = scheme->stages - 1;
  int positive = 1;
  ROLLED
  for (int s = 0; s <= last; s++) {
    double at_q[DEVICE_JOINTS], at_dq[DEVICE_JOINTS];
    UNROLL
    for (int j = 0; j < n; j++) {
      at_q[j] = SLOT(room, ROOM_Q(n, j));
      at_dq[j] = SLOT(room, ROOM_DQ(n, j));
    }
    ROLLED
    for (int r = 0; r < s; r++) {
      const double a = scheme->a[s][r];
      if (a == 0) continue;
      UNROLL
      for (int j = 0; j < n; j++) {
        at_q[j] += a * SLOT(room, ROOM_KQ(n, r, j));
        at_dq[j] += a * SLOT(room, ROOM_KV(n, r, j));
      }
    }
    double M[DEVICE_PAIRS], x[DEVICE_JOINTS], gather[DEVICE_JOINTS];
    applied_less_friction(x, room, friction, v, at_dq, s == 0 ? hg : 0, n, own_whole);
    rigid_bodies(M, x, &l->chain, v, at_q, at_dq, n, kind);
    UNROLL
    for (int i = 0; i < n; i++) {
      M[pair_at(i, i)] += value_of(v, DEVICE_ROTOR + pair_at(i, i));
      if (row_coupled(friction->rotor, i)) {
        UNROLL
        for (int j = 0; j < i; j++) M[pair_at(i, j)] += value_of(v, DEVICE_ROTOR + pair_at(i, j));
      }
      gather[i] = 0;
    }
    if (s == 0 && ddq) put_acceleration(ddq, stride, room, M, x, n);
    UNROLL
    for (int i = 0; i < n; i++) x[i] *= h;
    ROLLED
    for (int r = 0; r < s; r++) {
      const double g = scheme->g[s][r] * inverse;
      UNROLL
      for (int j = 0; j < n; j++) gather[j] += g * SLOT(room, ROOM_KV(n, r, j));
    }
    if (s > 0 && scheme->own_mass) {
      double y[DEVICE_JOINTS];
      multiply_packed(y, M, gather, n);
      UNROLL
      for (int j = 0; j < n; j++) x[j] += y[j];
    }
    if (s == 0 || scheme->own_mass) add_drag(M, room, friction->implicit, n);
    positive = factor_packed(M, n) && positive;
    solve_packed(x, M, 1, n);
    if (!scheme->own_mass) {
      if (s == 0) {
        UNROLL
        for (int i = 0; i < n * (n + 1) / 2; i++) SLOT(room, ROOM_FACTOR(n, i)) = M[i];
      } else {
        double y[DEVICE_JOINTS];
        UNROLL
        for (int j = 0; j < n; j++) x[j] += gather[j];
        multiply_drag(y, room, friction->implicit, x, n);
        solve_packed(y, room + ROOM_FACTOR(n, 0) * POINT_GROUP, POINT_GROUP, n);
        UNROLL
        for (int j = 0; j < n; j++) x[j] -= y[j];
      }
    }
    if (s < last) {
      UNROLL
      for (int j = 0; j < n; j++) {
        SLOT(room, ROOM_KQ(n, s, j)) = h * at_dq[j] + hg * x[j];
        SLOT(room, ROOM_KV(n, s, j)) = x[j] - gather[j];
      }
    } else {
      const double b = scheme->b[s];
      UNROLL
      for (int j = 0; j < n; j++) {
        at_q[j] = SLOT(room, ROOM_Q(n, j)) + b * (h * at_dq[j] + hg * x[j]);
        at_dq[j] = SLOT(room, ROOM_DQ(n, j)) + b * (x[j] - gather[j]);
      }
      ROLLED
      for (int r = 0; r < s; r++) {
        const double weight = scheme->b[r];
        UNROLL
        for (int j = 0; j < n; j++) {
          at_q[j] += weight * SLOT(room, ROOM_KQ(n, r, j));
          at_dq[j] += weight * SLOT(room, ROOM_KV(n, r, j));
        }
      }
      UNROLL
      for (int j = 0; j < n; j++) {
        SLOT(room, ROOM_Q(n, j)) = at_q[j];
        SLOT(room, ROOM_DQ(n, j)) = at_dq[j];
      }
    }
  }
  return positive;
}

#endif
