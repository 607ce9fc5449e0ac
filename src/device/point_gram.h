/*
 * Gram matrices of regressors that are never stored, for C and for CUDA. A team of GRAM_LANES lanes
 * shares a block of memory. In turn, every lane
 *
 *   1  computes the motion of its sample (gram_motion),
 *   2  writes one row of the regressor of its sample into the block (gram_row),
 *   3  multiplies: the team adds the products of all columns to its tiles (gram_multiply),
 *
 * 2 and 3 for each row. Before and after step 3 all lanes wait for each other. On a device a team
 * is a block of four warps: each warp holds five of the twenty tiles and uses its matrix units for
 * the samples of all lanes. In plain C the lanes take turns.
 *
 * The regressor is that of src/dynamics/kernel_regressor.inc: the screw of joint i is carried from
 * link to link and multiplied with the wrench matrix of the link.
 */
#ifndef DEVICE_POINT_GRAM_H
#define DEVICE_POINT_GRAM_H

#include "device/device_types.h"
#include "device/point_math.h"

#define GRAM_LANES 128
#define GRAM_LD 132  /* of a column: the samples, and 4 more to use all memory banks */
#define GRAM_TILES 5 /* of a warp, 16 x 8 each; four warps: the lower triangle of 64 x 64 */
#define GRAM_UNUSED DEVICE_COLUMNS /* the column where entries go that are not used */

/* places in the block, in doubles: columns of a row, angular velocities, joint rates, coefficients
 */
#define GRAM_SPIN (GRAM_LD * (DEVICE_COLUMNS + 1))
#define GRAM_RATES(n) (GRAM_SPIN + 3 * GRAM_LANES * (n))
#define GRAM_COEFFICIENTS(n) (GRAM_RATES(n) + 2 * GRAM_LANES * (n))
#define GRAM_ROOM(n, terms) (GRAM_COEFFICIENTS(n) + (n)*GRAM_TERMS(terms))
#define GRAM_TERMS(terms) (((terms) + 3) / 4 * 4) /* they are processed in fours */

/* What the formulas may assume of the frames. */
enum {
  GRAM_ANY,     /* nothing */
  GRAM_QUARTER, /* all joints turn about z, which is plus or minus y or z of the parent */
  GRAM_PATTERN  /* + bits: it is y where the bit of a joint is set */
};

/* z of joint j is plus or minus y of its parent */
POINT int gram_tilted(const device_frame *f, int j, const int kind) {
  return kind < GRAM_PATTERN ? f->hinge == 1 : (kind - GRAM_PATTERN) >> j & 1;
}

/* The columns of a row that depend on the motion of its own joint by one of the common laws. */
enum { GRAM_ACCELERATION, GRAM_SPEED, GRAM_SIGN, GRAM_ONE, GRAM_COMMON };
typedef struct {
  int place[GRAM_COMMON]; /* in the block, in bytes */
  double gain[GRAM_COMMON];
  int sign; /* the drive column with the sign; -1: none */
} gram_own_drive;

/* What follows from the record alone. Places are in bytes. */
typedef struct {
  int kind;
  int place[DEVICE_JOINTS][10]; /* of a link's columns in the block */
  gram_own_drive own[DEVICE_JOINTS];
  int others_of[DEVICE_JOINTS + 1], other[DEVICE_COLUMNS]; /* all other drive columns of a row */
  /* columns of a row that earlier rows have written and it does not; padded to fours */
  int clears[DEVICE_JOINTS], clear[DEVICE_JOINTS][DEVICE_COLUMNS];
} gram_plan;

POINT int gram_place(int column) {
  return (int)sizeof(double) * GRAM_LD * (column >= 0 ? column : GRAM_UNUSED);
}

/* the common law of a drive column; GRAM_COMMON: none */
POINT int common_law(const device_drive *d) {
  if (!d->own) return GRAM_COMMON;
  switch (d->law) {
    case 1: return GRAM_ACCELERATION;
    case 2: return GRAM_SPEED;
    case 3: return GRAM_SIGN;
    case 9: return GRAM_ONE;
  }
  return GRAM_COMMON;
}

POINT void plan_drives(gram_plan *plan, const device_gram *g) {
  int others = 0;
  for (int i = 0; i < g->njoint; i++) {
    gram_own_drive *own = &plan->own[i];
    own->sign = -1;
    for (int c = 0; c < GRAM_COMMON; c++) {
      own->place[c] = gram_place(-1);
      own->gain[c] = 0;
    }
    plan->others_of[i] = others;
    for (int e = g->drives_of[i]; e < g->drives_of[i + 1]; e++) {
      const device_drive *d = &g->drive[e];
      const int law = common_law(d);
      if (law == GRAM_COMMON || own->place[law] != gram_place(-1)) {
        plan->other[others++] = e;
        continue;
      }
      own->place[law] = gram_place(d->column);
      own->gain[law] = d->gain;
      if (law == GRAM_SIGN) own->sign = e;
    }
  }
  plan->others_of[g->njoint] = others;
}

POINT void plan_clears(gram_plan *plan, const device_gram *g) {
  uint64_t written[DEVICE_JOINTS], dirty = 0;
  for (int i = 0; i < g->njoint; i++) {
    written[i] = 0;
    for (int j = i; j < g->njoint; j++)
      for (int c = 0; c < 10; c++)
        if (g->column[j][c] >= 0) written[i] |= (uint64_t)1 << g->column[j][c];
    for (int d = g->drives_of[i]; d < g->drives_of[i + 1]; d++)
      written[i] |= (uint64_t)1 << g->drive[d].column;
  }
  // the second round is like all later ones
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < g->njoint; i++) {
      const int first = g->first[i] / 8 * 8;
      const uint64_t used = first < 64 ? ~(uint64_t)0 << first : 0;
      const uint64_t clear = dirty & used & ~written[i];
      int count = 0;
      for (uint64_t left = clear; left; left &= left - 1)
        plan->clear[i][count++] = gram_place(lowest_bit(left));
      for (; count % 4; count++) plan->clear[i][count] = gram_place(-1);
      plan->clears[i] = count;
      dirty = (dirty & ~clear) | written[i];
    }
}

/* what the formulas may assume of these joints */
POINT int gram_kind(const device_frame *joint, int n) {
  int tilted = 0, quarter = 1;
  for (int j = 0; j < n; j++) {
    if (joint[j].slides || joint[j].hinge < 1) quarter = 0;
    if (joint[j].hinge == 1) tilted |= 1 << j;
  }
  return quarter ? GRAM_PATTERN + tilted : GRAM_ANY;
}

POINT gram_plan plan_gram(const device_gram *g) {
  gram_plan plan;
  for (int j = 0; j < g->njoint; j++) {
    for (int c = 0; c < 10; c++) plan.place[j][c] = gram_place(g->column[j][c]);
  }
  plan.kind = gram_kind(g->joint, g->njoint);
  plan_drives(&plan, g);
  plan_clears(&plan, g);
  return plan;
}

/* the entry of a lane at a place of its column */
POINT void write_entry(double *rows, int place, double value) {
  *(double *)(void *)((char *)rows + place) = value;
}

/* the motion of a sample that one lane keeps for its rows */
typedef struct {
  turning t[DEVICE_JOINTS]; /* quarter turns: first row of the rotation in the plane */
  double q[DEVICE_JOINTS];
  v3 dw[DEVICE_JOINTS], acc[DEVICE_JOINTS];
} gram_lane;

/* ---- poses ---- */

POINT turning turning_of(const device_frame *f, int j, double q, const int kind) {
  const turning t = sine_cosine(q + f->offset);
  if (kind == GRAM_ANY) return t;
  const int x = gram_tilted(f, j, kind) ? 6 : 0;
  turning r;
  r.c = f->cosine[x] * t.c + f->sine[x] * t.s;
  r.s = f->cosine[x + 1] * t.c + f->sine[x + 1] * t.s;
  return r;
}

/* R' a; a in the parent's own order */
POINT v3 turn_to_link(const device_frame *g, int j, turning t, v3 a, const int kind) {
  if (kind != GRAM_ANY) {
    const int tilted = gram_tilted(g, j, kind);
    const double sign = tilted ? g->fixed[5] : g->fixed[8];
    const double x = tilted ? a.z : a.x, y = sign * (tilted ? a.x : a.y);
    return vec(t.c * x - t.s * y, t.s * x + t.c * y, sign * (tilted ? a.y : a.z));
  }
  double R[9];
  UNROLL
  for (int i = 0; i < 9; i++) R[i] = g->fixed[i] + g->cosine[i] * t.c + g->sine[i] * t.s;
  return vec(R[0] * a.x + R[3] * a.y + R[6] * a.z, R[1] * a.x + R[4] * a.y + R[7] * a.z,
             R[2] * a.x + R[5] * a.y + R[8] * a.z);
}

/* R a; the inverse of turn_to_link */
POINT v3 turn_from_link(const device_frame *g, int j, turning t, v3 a, const int kind) {
  if (kind != GRAM_ANY) {
    const int tilted = gram_tilted(g, j, kind);
    const double sign = tilted ? g->fixed[5] : g->fixed[8];
    const double x = t.c * a.x + t.s * a.y, y = sign * (t.c * a.y - t.s * a.x), z = sign * a.z;
    return tilted ? vec(y, z, x) : vec(x, y, z);
  }
  double R[9];
  UNROLL
  for (int i = 0; i < 9; i++) R[i] = g->fixed[i] + g->cosine[i] * t.c + g->sine[i] * t.s;
  return vec(R[0] * a.x + R[1] * a.y + R[2] * a.z, R[3] * a.x + R[4] * a.y + R[5] * a.z,
             R[6] * a.x + R[7] * a.y + R[8] * a.z);
}

POINT v3 link_origin(const device_frame *g, double q, const int kind) {
  const v3 p = vec_at(g->origin);
  if (kind != GRAM_ANY || !g->slides) return p;
  return plus_times(p, vec_at(g->slide), q + g->offset);
}

/* ---- motion of the links ---- */

POINT v3 read_vector(const double *at) { return vec(at[0], at[GRAM_LANES], at[2 * GRAM_LANES]); }
POINT void write_vector(double *at, v3 a) {
  at[0] = a.x;
  at[GRAM_LANES] = a.y;
  at[2 * GRAM_LANES] = a.z;
}

/* rows of [dw]x + [w]x [w]x */
typedef struct {
  v3 x, y, z;
  v3 product, unequal;
} link_rates;

POINT link_rates rates_of(v3 w, v3 d) {
  const double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const v3 p = vec(w.y * w.z, w.x * w.z, w.x * w.y);
  link_rates r;
  r.product = p;
  r.unequal = vec(yy - zz, zz - xx, xx - yy);
  r.x = vec(-(yy + zz), p.z - d.z, p.y + d.y);
  r.y = vec(p.z + d.z, -(xx + zz), p.x - d.x);
  r.z = vec(p.y - d.y, p.x + d.x, -(xx + yy));
  return r;
}

/* angular velocity and acceleration of a link, acceleration of its origin, in its own axes */
typedef struct {
  v3 w, dw, acc;
} link_motion;

/* the motion of link j, from that of link j - 1 */
POINT link_motion move_link(link_motion m, const device_frame *f, int j, turning t, double q,
                            double dq, double ddq, const int kind) {
  if (j > 0) {
    const link_rates r = rates_of(m.w, m.dw);
    const v3 p = link_origin(f, q, kind);
    m.acc = plus(m.acc, vec(inner(r.x, p), inner(r.y, p), inner(r.z, p)));
    m.w = turn_to_link(f, j, t, m.w, kind);
    m.dw = turn_to_link(f, j, t, m.dw, kind);
  }
  m.acc = turn_to_link(f, j, t, m.acc, kind);
  const v3 a = vec_at(f->axis);
  if (kind != GRAM_ANY) {
    const double speed = a.z * dq;
    m.dw = vec(m.dw.x + m.w.y * speed, m.dw.y - m.w.x * speed, m.dw.z + a.z * ddq);
    m.w.z += speed;
  } else if (f->slides) {
    m.acc = plus_outer(plus_times(m.acc, a, ddq), m.w, times(a, 2 * dq));
  } else {
    const v3 turn = times(a, dq);
    m.dw = plus_outer(plus_times(m.dw, a, ddq), m.w, turn);
    m.w = plus(m.w, turn);
  }
  return m;
}

/* lane `lane` of a team: its share of the coefficients of an individual, term by term */
POINT void gram_coefficients(double *block, int lane, const device_gram *g,
                             const device_gram_arrays *arrays, int64_t individual, const int n) {
  const double *x = arrays->coefficients + individual * n * g->terms;
  for (int i = lane; i < n * GRAM_TERMS(g->terms); i += GRAM_LANES)
    block[GRAM_COEFFICIENTS(n) + i] = i / n < g->terms ? x[i % n * g->terms + i / n] : 0;
}

/* Values and derivatives of four basis functions at sample k. Behind the last one it is repeated;
 * its coefficients are zero. */
POINT void read_basis(double basis[4][3], const device_gram *g, const device_gram_arrays *arrays,
                      int first, int64_t k) {
  UNROLL
  for (int s = 0; s < 4; s++) {
    const int term = first + s < g->terms ? first + s : g->terms - 1;
    UNROLL
    for (int order = 0; order < 3; order++)
      basis[s][order] = arrays->basis[(order * (int64_t)g->terms + term) * g->samples + k];
  }
}

/* the motion of sample k, link by link */
POINT void gram_motion(gram_lane *own, double *block, int lane, const device_gram *g,
                       const device_gram_arrays *arrays, int64_t k, const int n, const int kind) {
  double q[DEVICE_JOINTS], dq[DEVICE_JOINTS], ddq[DEVICE_JOINTS];
  UNROLL
  for (int j = 0; j < n; j++) q[j] = dq[j] = ddq[j] = 0;
  const double *x = block + GRAM_COEFFICIENTS(n);
  double next[4][3];
  read_basis(next, g, arrays, 0, k);
  ROLLED
  for (int p = 0; p < g->terms; p += 4) {
    double now[4][3];
    UNROLL
    for (int s = 0; s < 4; s++) UNROLL
    for (int order = 0; order < 3; order++) now[s][order] = next[s][order];
    read_basis(next, g, arrays, p + 4, k);
    UNROLL
    for (int s = 0; s < 4; s++) {
      UNROLL
      for (int j = 0; j < n; j++) {
        q[j] += now[s][0] * x[j];
        dq[j] += now[s][1] * x[j];
        ddq[j] += now[s][2] * x[j];
      }
      x += n;
    }
  }
  link_motion m;
  m.w = m.dw = vec(0, 0, 0);
  m.acc = vec_at(g->up);
  UNROLL
  for (int j = 0; j < n; j++) {
    const turning t = turning_of(&g->joint[j], j, q[j], kind);
    m = move_link(m, &g->joint[j], j, t, q[j], dq[j], ddq[j], kind);
    own->t[j] = t;
    own->q[j] = q[j];
    own->dw[j] = m.dw;
    own->acc[j] = m.acc;
    write_vector(block + GRAM_SPIN + 3 * j * GRAM_LANES + lane, m.w);
    block[GRAM_RATES(n) + 2 * j * GRAM_LANES + lane] = dq[j];
    block[GRAM_RATES(n) + (2 * j + 1) * GRAM_LANES + lane] = ddq[j];
  }
}

/* ---- rows ---- */

POINT double drive_sign(const device_drive *d, double speed) {
  double sign, slope;
  if (d->gamma > 0)
    tangent_sign(&sign, &slope, speed, d->gamma);
  else
    smooth_sign(&sign, &slope, speed, d->gamma, d->speed);
  return sign;
}

/* law of a drive column at the motion of a sample */
POINT double drive_value(const device_drive *d, double speed, double acceleration) {
  if (d->law == 1) return acceleration;
  if (d->law == 2) return speed;
  switch (d->law) {
    case 9: return 1;
    case 6: {
      const double over = fabs(speed) - d->shape[0], above = over > 0 ? over : 0;
      return speed * fabs(speed) - copysign(above * above, speed);
    }
    case 7: return speed * speed * speed;
    case 11:
      return speed * pow(speed * speed + d->shape[1] * d->shape[1] + 1e-12, (d->shape[0] - 1) / 2);
    case 12: return fabs(speed);
  }
  const double sign = drive_sign(d, speed);
  if (d->law == 4) return (sign + 1) / 2;
  if (d->law == 5) return (sign - 1) / 2;
  if (d->law == 8) {
    const double ratio = speed / d->shape[1];
    return sign * exp(-ratio * ratio);
  }
  return sign;
}

/* drive columns of row i */
POINT void gram_drives(double *block, int lane, const device_gram *g, const gram_plan *plan,
                       double weight, int i, const int n) {
  double *rows = block + lane;
  const double *rate = block + GRAM_RATES(n) + lane;
  const gram_own_drive *own = &plan->own[i];
  const double own_speed = rate[2 * i * GRAM_LANES],
               own_acceleration = rate[(2 * i + 1) * GRAM_LANES];
  write_entry(rows, own->place[GRAM_ACCELERATION],
              weight * own->gain[GRAM_ACCELERATION] * own_acceleration);
  write_entry(rows, own->place[GRAM_SPEED], weight * own->gain[GRAM_SPEED] * own_speed);
  write_entry(rows, own->place[GRAM_ONE], weight * own->gain[GRAM_ONE]);
  if (own->sign >= 0)
    write_entry(rows, own->place[GRAM_SIGN],
                weight * own->gain[GRAM_SIGN] * drive_sign(&g->drive[own->sign], own_speed));
  ROLLED
  for (int e = plan->others_of[i]; e < plan->others_of[i + 1]; e++) {
    const device_drive *d = &g->drive[plan->other[e]];
    double speed = own_speed, acceleration = own_acceleration;
    if (!d->own) {
      speed = acceleration = 0;
      UNROLL
      for (int j = 0; j < n; j++) {
        speed += d->weight[j] * rate[2 * j * GRAM_LANES];
        acceleration += d->weight[j] * rate[(2 * j + 1) * GRAM_LANES];
      }
    }
    write_entry(rows, gram_place(d->column),
                weight * d->gain * drive_value(d, speed, acceleration));
  }
}

/*
 * Row i of the regressor, times its weight, of the sample whose motion a lane has; valid 0: zeros.
 * Column c of a lane is at [c * GRAM_LD + lane] of the block.
 */
POINT void gram_row(double *block, int lane, const gram_lane *own, const device_gram *g,
                    const gram_plan *plan, int i, int valid, const int n, const int kind) {
  const double weight = valid ? g->weight[i] : 0;
  double *rows = block + lane;
  ROLLED
  for (int c = 0; c < plan->clears[i]; c += 4) {
    UNROLL
    for (int s = 0; s < 4; s++) write_entry(rows, plan->clear[i][c + s], 0);
  }
  v3 z = times(vec_at(g->joint[i].axis), weight), v = vec(0, 0, 0);
  if (kind == GRAM_ANY && g->joint[i].slides) {
    v = z;
    z = vec(0, 0, 0);
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    if (j < i) continue;
    const device_frame *f = &g->joint[j];
    if (j > i) {
      v = turn_to_link(f, j, own->t[j], plus_outer(v, z, link_origin(f, own->q[j], kind)), kind);
      z = turn_to_link(f, j, own->t[j], z, kind);
    }
    const v3 d = own->dw[j], acc = own->acc[j];
    const link_rates r = rates_of(read_vector(block + GRAM_SPIN + 3 * j * GRAM_LANES + lane), d);
    const v3 p = vec(r.product.x * z.x, r.product.y * z.y, r.product.z * z.z);
    const v3 h = plus_outer(
        vec(r.x.x * v.x + r.y.x * v.y + r.z.x * v.z, r.x.y * v.x + r.y.y * v.y + r.z.y * v.z,
            r.x.z * v.x + r.y.z * v.y + r.z.z * v.z),
        acc, z);
    const int *at = plan->place[j];
    write_entry(rows, at[0], d.x * z.x + (p.y - p.z));
    write_entry(rows, at[1], -r.z.x * z.x + r.z.y * z.y + r.unequal.z * z.z);
    write_entry(rows, at[2], r.y.x * z.x + r.unequal.y * z.y - r.y.z * z.z);
    write_entry(rows, at[3], d.y * z.y + (p.z - p.x));
    write_entry(rows, at[4], r.unequal.x * z.x - r.x.y * z.y + r.x.z * z.z);
    write_entry(rows, at[5], d.z * z.z + (p.x - p.y));
    write_entry(rows, at[6], h.x);
    write_entry(rows, at[7], h.y);
    write_entry(rows, at[8], h.z);
    write_entry(rows, at[9], inner(v, acc));
  }
  gram_drives(block, lane, g, plan, weight, i, n);
}

/* ---- products ---- */

/*
 * The tiles of a warp, those of the last columns first, so that a row that begins late uses the
 * first tiles only. Warps 0 and 1 share the last sixteen columns, `half` 0 and 1; warps 2 and 3 the
 * others. Tile t is 16 rows from 16 tile_row(), 8 columns from 8 tile_column().
 */
POINT int tile_row(int lower, int t) {
  if (lower) return t == 0 || t == 1 || t == 3 ? 2 : 1;
  return t < 4 ? 3 : 0;
}
POINT int tile_column(int lower, int half, int t) {
  if (lower) return (t == 0 ? 4 : t < 3 ? 2 : 0) + half;
  return (t < 4 ? 6 - 2 * t : 0) + half;
}
/* tiles that a row needs whose columns begin in block `first` of eight */
POINT int tiles_of(int lower, int half, int first) {
  const int late = first - half;
  if (late <= 0) return 5;
  if (late <= 2) return 3;
  if (lower) return late <= 4 ? 1 : 0;
  return late <= 4 ? 2 : late <= 6 ? 1 : 0;
}

#ifdef __CUDA_ARCH__
/* c += [low; high] b for four samples */
POINT void multiply_tile(double *c, const double *a, double b) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(b));
#else
  UNROLL
  for (int i = 0; i < 2; i++)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[2 * i]), "+d"(c[2 * i + 1])
                 : "d"(a[i]), "d"(b));
#endif
}

/* the first `count` tiles of a warp */
POINT void multiply_tiles(double sum[GRAM_TILES][4], const double *rows, int lane, int half,
                          const int lower, const int count) {
  const double *at = rows + ((lane & 31) >> 2) * GRAM_LD + (lane & 3);
  const double *of_half = at + half * 8 * GRAM_LD;
#pragma unroll 4
  for (int k = 0; k < GRAM_LANES; k += 4) {
    double a[2], c[2], b[GRAM_TILES];  // c: of the tiles of other rows
    UNROLL
    for (int i = 0; i < 2; i++) {
      a[i] = at[((lower ? 4 : 6) + i) * 8 * GRAM_LD + k];
      c[i] = count >= (lower ? 3 : 5) ? at[((lower ? 2 : 0) + i) * 8 * GRAM_LD + k] : 0;
    }
    UNROLL
    for (int t = 0; t < count; t++)
      b[t] = t > 0 && tile_column(lower, 0, t) == tile_column(lower, 0, t - 1)
                 ? b[t - 1]
                 : of_half[tile_column(lower, 0, t) * 8 * GRAM_LD + k];
    UNROLL
    for (int t = 0; t < count; t++)
      multiply_tile(sum[t], tile_row(lower, t) == (lower ? 2 : 3) ? a : c, b[t]);
  }
}
#endif

/*
 * Add the products of row i to the tiles of a lane's warp. Lane l of the warp holds in each tile
 * the four sums of rows l / 4 and l / 4 + 8, columns 2 (l % 4) and 2 (l % 4) + 1.
 */
POINT void gram_multiply(double sum[GRAM_TILES][4], const double *rows, int lane,
                         const device_gram *g, int i) {
  const int lower = lane >= 64, half = lane >> 5 & 1;
  const int count = tiles_of(lower, half, g->first[i] / 8);
#ifdef __CUDA_ARCH__
  if (!lower) {
    if (count == 5) multiply_tiles(sum, rows, lane, half, 0, 5);
    if (count == 3) multiply_tiles(sum, rows, lane, half, 0, 3);
    if (count == 2) multiply_tiles(sum, rows, lane, half, 0, 2);
    if (count == 1) multiply_tiles(sum, rows, lane, half, 0, 1);
  } else {
    if (count == 5) multiply_tiles(sum, rows, lane, half, 1, 5);
    if (count == 3) multiply_tiles(sum, rows, lane, half, 1, 3);
    if (count == 1) multiply_tiles(sum, rows, lane, half, 1, 1);
  }
#else
  for (int t = 0; t < count; t++)
    for (int c = 0; c < 4; c++) {
      const int row = 16 * tile_row(lower, t) + ((lane & 31) >> 2) + (c & 2 ? 8 : 0),
                column = 8 * tile_column(lower, half, t) + 2 * (lane & 3) + (c & 1);
      for (int s = 0; s < GRAM_LANES; s++)
        sum[t][c] += rows[row * GRAM_LD + s] * rows[column * GRAM_LD + s];
    }
#endif
}

/* write the sums of a lane: columns x columns, both triangles */
POINT void gram_store(double *out, double sum[GRAM_TILES][4], int lane, int columns) {
  const int lower = lane >= 64, half = lane >> 5 & 1;
  UNROLL
  for (int t = 0; t < GRAM_TILES; t++) {
    UNROLL
    for (int c = 0; c < 4; c++) {
      const int row = 16 * tile_row(lower, t) + ((lane & 31) >> 2) + (c & 2 ? 8 : 0),
                column = 8 * tile_column(lower, half, t) + 2 * (lane & 3) + (c & 1);
      if (row >= columns || column > row) continue;
      out[row + column * columns] = out[column + row * columns] = sum[t][c];
    }
  }
}

/* Parts of the samples of an individual that are added separately, so that few individuals use the
 * whole device. The number depends on the problem alone, so that results do not depend on the
 * device. */
POINT int gram_parts(const device_gram *g) {
  const int64_t teams = 2048, pieces = (g->samples + 255) / 256;
  int64_t parts = (teams + g->individuals - 1) / g->individuals;
  if (parts > pieces) parts = pieces;
  return (int)(parts < 1 ? 1 : parts);
}

/* first sample of part i; whole teams */
POINT int64_t gram_part(const device_gram *g, int parts, int i) {
  const int64_t teams = (g->samples + GRAM_LANES - 1) / GRAM_LANES,
                at = teams * i / parts * GRAM_LANES;
  return at < g->samples ? at : g->samples;
}

#endif
