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

/* the parameters of one plant */
typedef struct {
  const double *at;
  int64_t stride;
} plant_values;

POINT double value_of(plant_values v, int k) {
#ifdef __CUDA_ARCH__
  return __ldg(v.at + k * v.stride);
#else
  return v.at[k * v.stride];
#endif
}

POINT int pair_at(int i, int j) { return i * (i + 1) / 2 + j; }

/* ---- rotations ---- */

/* C' a and C a */
POINT v3 untilt(const device_joint *g, const int quarter, v3 a) {
  if (quarter) return g->tilted ? vec(a.x, -a.z, a.y) : a;
  return vec(g->C[0] * a.x + g->C[3] * a.y + g->C[6] * a.z,
             g->C[1] * a.x + g->C[4] * a.y + g->C[7] * a.z,
             g->C[2] * a.x + g->C[5] * a.y + g->C[8] * a.z);
}
POINT v3 tilt(const device_joint *g, const int quarter, v3 a) {
  if (quarter) return g->tilted ? vec(a.x, a.z, -a.y) : a;
  return vec(g->C[0] * a.x + g->C[1] * a.y + g->C[2] * a.z,
             g->C[3] * a.x + g->C[4] * a.y + g->C[5] * a.z,
             g->C[6] * a.x + g->C[7] * a.y + g->C[8] * a.z);
}

POINT v3 to_child(const device_joint *g, const int quarter, turning t, v3 a) {
  const v3 u = untilt(g, quarter, a);
  return vec(t.c * u.x + t.s * u.y, t.c * u.y - t.s * u.x, u.z);
}
POINT v3 to_parent(const device_joint *g, const int quarter, turning t, v3 a) {
  return tilt(g, quarter, vec(t.c * a.x - t.s * a.y, t.s * a.x + t.c * a.y, a.z));
}

POINT v3 origin_of(const device_joint *g, const int quarter, double q) {
  const v3 p = vec_at(g->p);
  return quarter ? p : plus_times(p, vec_at(g->slide), q);
}

/* ---- bodies ---- */

typedef struct {
  double xx, xy, xz, yy, yz, zz;
  v3 h;
  double m;
} point_body;

POINT point_body body_of(plant_values v, int j) {
  point_body b;
  b.xx = value_of(v, DEVICE_LINK(j));
  b.xy = value_of(v, DEVICE_LINK(j) + 1);
  b.xz = value_of(v, DEVICE_LINK(j) + 2);
  b.yy = value_of(v, DEVICE_LINK(j) + 3);
  b.yz = value_of(v, DEVICE_LINK(j) + 4);
  b.zz = value_of(v, DEVICE_LINK(j) + 5);
  b.h = vec(value_of(v, DEVICE_LINK(j) + 6), value_of(v, DEVICE_LINK(j) + 7),
            value_of(v, DEVICE_LINK(j) + 8));
  b.m = value_of(v, DEVICE_LINK(j) + 9);
  return b;
}

/* the axes of a body turned about z, then tilted */
POINT point_body turned_body(const device_joint *g, const int quarter, turning t, point_body b) {
  const double cc = t.c * t.c, cs = t.c * t.s, ss = t.s * t.s;
  point_body r;
  r.xx = cc * b.xx - 2 * cs * b.xy + ss * b.yy;
  r.yy = b.xx + b.yy - r.xx;
  r.xy = cs * (b.xx - b.yy) + (cc - ss) * b.xy;
  r.xz = t.c * b.xz - t.s * b.yz;
  r.yz = t.s * b.xz + t.c * b.yz;
  r.zz = b.zz;
  r.h = to_parent(g, quarter, t, b.h);
  r.m = b.m;
  if (quarter) {
    if (!g->tilted) return r;
    point_body u = r;
    u.yy = r.zz;
    u.zz = r.yy;
    u.xy = r.xz;
    u.xz = -r.xy;
    u.yz = -r.yz;
    return u;
  }
  // C I C': the columns of I C', turned
  const double *C = g->C;
  v3 column[3];
  UNROLL
  for (int i = 0; i < 3; i++) {
    const v3 e = vec_at(C + 3 * i);
    column[i] = tilt(g, 0,
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

/* the body seen from the parent's frame, added to the parent's own */
POINT point_body joined(point_body a, const device_joint *g, const int quarter, turning t, v3 p,
                        point_body child) {
  const point_body b = turned_body(g, quarter, t, child);
  const v3 h = b.h, hm = plus_times(h, p, b.m);
  const double trace = inner(p, h) + inner(p, hm);
  a.xx += b.xx + trace - p.x * h.x - hm.x * p.x;
  a.xy += b.xy - p.x * h.y - hm.x * p.y;
  a.xz += b.xz - p.x * h.z - hm.x * p.z;
  a.yy += b.yy + trace - p.y * h.y - hm.y * p.y;
  a.yz += b.yz - p.y * h.z - hm.y * p.z;
  a.zz += b.zz + trace - p.z * h.z - hm.z * p.z;
  a.h = plus(a.h, hm);
  a.m += b.m;
  return a;
}

/* ---- rigid bodies ---- */

/* M of the links, packed, and their torque at zero acceleration */
POINT void rigid_bodies(double *M, double *torque, const device_chain *chain, plant_values v,
                        const double *q, const double *dq, const int n, const int quarter) {
  turning t[DEVICE_JOINTS];
  v3 force[DEVICE_JOINTS], moment[DEVICE_JOINTS];
  v3 w = vec(0, 0, 0), dw = vec(0, 0, 0), acc = vec_at(chain->up);
  v3 Fx = w, Fy = w, Fz = w;  // rows of [dw]x + [w]x [w]x
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_joint *g = &chain->joint[j];
    t[j] = sine_cosine(g->sign * q[j] + g->angle);
    if (!quarter && g->slides) {
      t[j].s = 0;
      t[j].c = 1;
    }
    if (j > 0) {
      const v3 p = origin_of(g, quarter, q[j]);
      acc = vec(acc.x + inner(Fx, p), acc.y + inner(Fy, p), acc.z + inner(Fz, p));
      w = to_child(g, quarter, t[j], w);
      dw = to_child(g, quarter, t[j], dw);
    }
    acc = to_child(g, quarter, t[j], acc);
    const double speed = g->sign * dq[j];
    if (!quarter && g->slides) {
      acc = vec(acc.x + 2 * w.y * speed, acc.y - 2 * w.x * speed, acc.z);
    } else {
      dw = vec(dw.x + w.y * speed, dw.y - w.x * speed, dw.z);
      w.z += speed;
    }
    const double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    const v3 e = vec(w.y * w.z, w.x * w.z, w.x * w.y);
    Fx = vec(-(yy + zz), e.z - dw.z, e.y + dw.y);
    Fy = vec(e.z + dw.z, -(xx + zz), e.x - dw.x);
    Fz = vec(e.y - dw.y, e.x + dw.x, -(xx + yy));
    const point_body b = body_of(v, j);
    force[j] = plus_times(vec(inner(Fx, b.h), inner(Fy, b.h), inner(Fz, b.h)), acc, b.m);
    v3 m = outer(b.h, acc);
    m = plus_times(m, vec(dw.x, e.y, -e.z), b.xx);
    m = plus_times(m, vec(-Fz.x, Fz.y, xx - yy), b.xy);
    m = plus_times(m, vec(Fy.x, zz - xx, -Fy.z), b.xz);
    m = plus_times(m, vec(-e.x, dw.y, e.z), b.yy);
    m = plus_times(m, vec(yy - zz, -Fx.y, Fx.z), b.yz);
    moment[j] = plus_times(m, vec(e.x, -e.y, dw.z), b.zz);
  }
  point_body all = body_of(v, n - 1);
  v3 f = force[n - 1], m = moment[n - 1];
  UNROLL
  for (int j = n - 1; j >= 0; j--) {
    const device_joint *g = &chain->joint[j];
    const int slides = !quarter && g->slides;
    torque[j] = g->sign * (slides ? f.z : m.z);
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
      fj = to_parent(c, quarter, t[i + 1], fj);
      mj = plus_outer(to_parent(c, quarter, t[i + 1], mj), origin_of(c, quarter, q[i + 1]), fj);
      const double part = !quarter && chain->joint[i].slides ? fj.z : mj.z;
      M[pair_at(j, i)] = g->sign * chain->joint[i].sign * part;
    }
    if (j > 0) {
      const v3 p = origin_of(g, quarter, q[j]);
      f = to_parent(g, quarter, t[j], f);
      m = plus_outer(to_parent(g, quarter, t[j], m), p, f);
      f = plus(f, force[j - 1]);
      m = plus(m, moment[j - 1]);
      all = joined(body_of(v, j - 1), g, quarter, t[j], p, all);
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

/* right -= friction and offsets; D (packed): its slope, where the mask `implicit` is set */
POINT void subtract_friction(double *right, double *D, const device_friction *f, plant_values v,
                             const double *dq, const int n) {
  UNROLL
  for (int i = 0; i < n; i++) {
    right[i] -= value_of(v, DEVICE_CONSTANT + i);
    UNROLL
    for (int j = 0; j < n; j++)
      if (f->viscous[i] >> j & 1)
        right[i] -= value_of(v, DEVICE_VISCOUS + i * DEVICE_JOINTS + j) * dq[j];
    UNROLL
    for (int j = 0; j <= i; j++)
      D[pair_at(i, j)] = f->drag[i] >> j & 1 ? value_of(v, DEVICE_DRAG + pair_at(i, j)) : 0;
  }
  // signs of the joints' own speeds, and the other laws of a joint
  UNROLL
  for (int i = 0; i < n; i++) {
    if (f->signs[i] >> i & 1) {
      double sign, slope;
      smooth_sign(&sign, &slope, dq[i], f->gamma[i], f->speed[i]);
      const double c = value_of(v, DEVICE_SIGN + i * DEVICE_JOINTS + i);
      right[i] -= c * sign;
      D[pair_at(i, i)] += c > 0 ? c * slope : 0;
    }
    for (int l = 0; l < f->nlaw[i]; l++) {
      double value, slope;
      law_value(&value, &slope, &f->law[i][l], dq[i], f->gamma[i], f->speed[i]);
      const double c = value_of(v, DEVICE_LAW + i * DEVICE_LAWS + l), steep = c * slope;
      right[i] -= c * value;
      D[pair_at(i, i)] += steep > 0 ? steep : 0;
    }
  }
  // signs along sums of joints
  for (int d = n; d < f->ndirection; d++) {
    double speed = 0, sign, slope;
    UNROLL
    for (int j = 0; j < n; j++) speed += f->weight[d][j] * dq[j];
    smooth_sign(&sign, &slope, speed, f->gamma[d], f->speed[d]);
    UNROLL
    for (int i = 0; i < n; i++)
      if (f->signs[d] >> i & 1) {
        const double c = value_of(v, DEVICE_SIGN + d * DEVICE_JOINTS + i);
        const int whole = f->whole[d] >> i & 1;
        right[i] -= c * sign;
        UNROLL
        for (int j = 0; j <= i; j++) {
          const double s = f->weight[d][j] * c * slope;
          if (whole || (j == i && s > 0)) D[pair_at(i, j)] += s;
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
    A[pair_at(i, i)] = 1 / d;
  }
  return positive;
}

POINT void solve_packed(double *x, const double *L, const int n) {
  UNROLL
  for (int i = 1; i < n; i++) {
    UNROLL
    for (int k = 0; k < i; k++) x[i] -= L[pair_at(i, k)] * x[k];
  }
  UNROLL
  for (int i = 0; i < n; i++) x[i] *= L[pair_at(i, i)];
  UNROLL
  for (int i = n - 2; i >= 0; i--) {
    UNROLL
    for (int k = n - 1; k > i; k--) x[i] -= L[pair_at(k, i)] * x[k];
  }
}

/* y = D x for a packed symmetric D with a mask */
POINT void multiply_masked(double *y, const double *D, const int *mask, const double *x,
                           const int n) {
  UNROLL
  for (int i = 0; i < n; i++) y[i] = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    UNROLL
    for (int j = 0; j <= i; j++)
      if (mask[i] >> j & 1) {
        y[i] += D[pair_at(i, j)] * x[j];
        if (i != j) y[j] += D[pair_at(i, j)] * x[i];
      }
  }
}

/* M with rotors, the forces that accelerate, and D */
POINT void plant_system(double *M, double *right, double *D, const device_loop *l, plant_values v,
                        const double *q, const double *dq, const double *applied, const int n,
                        const int quarter) {
  double torque[DEVICE_JOINTS];
  rigid_bodies(M, torque, &l->chain, v, q, dq, n, quarter);
  UNROLL
  for (int i = 0; i < n; i++) {
    right[i] = applied[i] - torque[i];
    UNROLL
    for (int j = 0; j <= i; j++)
      if (l->friction.rotor[i] >> j & 1)
        M[pair_at(i, j)] += value_of(v, DEVICE_ROTOR + pair_at(i, j));
  }
  subtract_friction(right, D, &l->friction, v, dq, n);
}

/*
 * One step h of a linearly implicit scheme. Returns 0 if a mass matrix was not positive. The
 * operator inv(M + c D) M of the first stage is applied as 1 - inv(M + c D) c D.
 */
POINT int plant_step(double *q, double *dq, const device_loop *l, plant_values v,
                     const double *applied, double h, const int n, const int quarter) {
  const device_scheme *scheme = &l->scheme;
  double kq[DEVICE_STAGES][DEVICE_JOINTS], kv[DEVICE_STAGES][DEVICE_JOINTS];
  double implicit[DEVICE_PAIRS], D0[DEVICE_PAIRS];
  const double hg = h * scheme->gamma, inverse_gamma = 1 / scheme->gamma;
  int positive = 1;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int s = 0; s < scheme->stages; s++) {
    double at_q[DEVICE_JOINTS], at_dq[DEVICE_JOINTS], gather[DEVICE_JOINTS];
    UNROLL
    for (int j = 0; j < n; j++) {
      at_q[j] = q[j];
      at_dq[j] = dq[j];
      gather[j] = 0;
    }
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int r = 0; r < s; r++) {
      const double a = scheme->a[s][r], g = scheme->g[s][r] * inverse_gamma;
      UNROLL
      for (int j = 0; j < n; j++) {
        at_q[j] += a * kq[r][j];
        at_dq[j] += a * kv[r][j];
        gather[j] += g * kv[r][j];
      }
    }
    double M[DEVICE_PAIRS], D[DEVICE_PAIRS], x[DEVICE_JOINTS];
    plant_system(M, x, D, l, v, at_q, at_dq, applied, n, quarter);
    if (s == 0) {
      UNROLL
      for (int i = 0; i < n * (n + 1) / 2; i++) {
        D0[i] = hg * D[i];
        M[i] += D0[i];
      }
    }
    positive = factor_packed(M, n) && positive;
    solve_packed(x, M, n);
    UNROLL
    for (int j = 0; j < n; j++) x[j] = h * x[j] + gather[j];
    if (s == 0) {
      UNROLL
      for (int i = 0; i < n * (n + 1) / 2; i++) implicit[i] = M[i];
    } else {
      double y[DEVICE_JOINTS];
      multiply_masked(y, D0, l->friction.implicit, x, n);
      solve_packed(y, implicit, n);
      UNROLL
      for (int j = 0; j < n; j++) x[j] -= y[j];
    }
    UNROLL
    for (int j = 0; j < n; j++) {
      kq[s][j] = h * at_dq[j] + hg * x[j];
      kv[s][j] = x[j] - gather[j];
    }
  }
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int s = 0; s < scheme->stages; s++) {
    const double b = scheme->b[s];
    UNROLL
    for (int j = 0; j < n; j++) {
      q[j] += b * kq[s][j];
      dq[j] += b * kv[s][j];
    }
  }
  return positive;
}

#endif
