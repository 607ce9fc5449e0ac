/*
 * Gram matrices of regressors that are never stored, for C and for CUDA. A team of GRAM_LANES lanes
 * shares a block of memory. In turn, every lane
 *
 *   1  computes the motion of its sample into the block (gram_motion),
 *   2  writes one row of the regressor of its sample into the block (gram_row),
 *   3  multiplies: the team adds the products of all columns to its tiles (gram_multiply),
 *
 * 2 and 3 for each row. Between two steps all lanes wait for each other. On a device a team is a
 * warp, and products use its matrix units; in plain C the lanes take turns.
 *
 * The regressor is that of src/dynamics/kernel_regressor.inc: the screw of joint i is carried from
 * link to link and multiplied with the wrench matrix of the link.
 */
#ifndef DEVICE_POINT_GRAM_H
#define DEVICE_POINT_GRAM_H

#include "device/device_types.h"
#include "device/point_math.h"

#define GRAM_LANES 32
#define GRAM_LD 36     /* of a column: 32 samples, and 4 more to use all memory banks */
#define GRAM_MOTION 12 /* sine, cosine, position, then w, dw and acceleration of a link */
#define GRAM_TILES 20  /* 16 x 8 each: the lower triangle of 64 x 64 */
#define GRAM_BLOCKS 8  /* of eight columns */

/* doubles of the block */
#define GRAM_ROOM(njoint) (GRAM_MOTION * GRAM_LANES * (njoint) + GRAM_LD * DEVICE_COLUMNS)

/* ---- poses ---- */

/* the parent's components in the order of a hinge about its axis */
POINT v3 in_order(int hinge, v3 a) {
  if (hinge == 0) return vec(a.y, a.z, a.x);
  if (hinge == 1) return vec(a.z, a.x, a.y);
  return a;
}

/* R' a; a in the parent's own order */
POINT v3 turn_to_link(const device_frame *g, turning t, v3 a) {
  if (g->hinge >= 0) {
    const v3 u = in_order(g->hinge, a);
    const int x = 3 * ((g->hinge + 1) % 3), y = 3 * ((g->hinge + 2) % 3), z = 3 * g->hinge;
    const double xx = g->cosine[x] * t.c + g->sine[x] * t.s,
                 xy = g->cosine[x + 1] * t.c + g->sine[x + 1] * t.s,
                 yx = g->cosine[y] * t.c + g->sine[y] * t.s,
                 yy = g->cosine[y + 1] * t.c + g->sine[y + 1] * t.s;
    return vec(xx * u.x + yx * u.y, xy * u.x + yy * u.y, g->fixed[z + 2] * u.z);
  }
  double R[9];
  UNROLL
  for (int i = 0; i < 9; i++) R[i] = g->fixed[i] + g->cosine[i] * t.c + g->sine[i] * t.s;
  return vec(R[0] * a.x + R[3] * a.y + R[6] * a.z, R[1] * a.x + R[4] * a.y + R[7] * a.z,
             R[2] * a.x + R[5] * a.y + R[8] * a.z);
}

POINT v3 link_origin(const device_frame *g, double q) {
  const v3 p = vec_at(g->origin);
  return g->slides ? plus_times(p, vec_at(g->slide), q + g->offset) : p;
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

/* the motion of sample k of an individual, link by link */
POINT void gram_motion(double *block, int lane, const device_gram *g,
                       const device_gram_arrays *arrays, int64_t individual, int64_t k) {
  v3 w = vec(0, 0, 0), dw = w, acc = vec_at(g->up);
  for (int j = 0; j < g->njoint; j++) {
    const device_frame *f = &g->joint[j];
    const double *x = arrays->coefficients + (individual * g->njoint + j) * g->terms;
    double motion[3] = {0, 0, 0};
    for (int p = 0; p < g->terms; p++) {
      UNROLL
      for (int d = 0; d < 3; d++)
        motion[d] += arrays->basis[((int64_t)d * g->terms + p) * g->samples + k] * x[p];
    }
    const double q = motion[0], dq = motion[1], ddq = motion[2];
    const turning t = sine_cosine(q + f->offset);
    if (j > 0) {
      const link_rates r = rates_of(w, dw);
      const v3 p = link_origin(f, q);
      acc = plus(acc, vec(inner(r.x, p), inner(r.y, p), inner(r.z, p)));
      w = turn_to_link(f, t, w);
      dw = turn_to_link(f, t, dw);
    }
    acc = turn_to_link(f, t, acc);
    const v3 a = vec_at(f->axis);
    if (f->slides) {
      acc = plus_outer(plus_times(acc, a, ddq), w, times(a, 2 * dq));
    } else {
      const v3 turn = times(a, dq);
      dw = plus_outer(plus_times(dw, a, ddq), w, turn);
      w = plus(w, turn);
    }
    double *at = block + j * GRAM_MOTION * GRAM_LANES + lane;
    at[0] = t.s;
    at[GRAM_LANES] = t.c;
    at[2 * GRAM_LANES] = q;
    write_vector(at + 3 * GRAM_LANES, w);
    write_vector(at + 6 * GRAM_LANES, dw);
    write_vector(at + 9 * GRAM_LANES, acc);
  }
}

/* ---- rows ---- */

/* law of a drive column at the motion of a sample */
POINT double drive_value(const device_drive *d, double speed, double acceleration) {
  double sign, slope;
  switch (d->law) {
    case 1: return acceleration;
    case 2: return speed;
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
  smooth_sign(&sign, &slope, speed, d->gamma, d->speed);
  if (d->law == 4) return (sign + 1) / 2;
  if (d->law == 5) return (sign - 1) / 2;
  if (d->law == 8) {
    const double ratio = speed / d->shape[1];
    return sign * exp(-ratio * ratio);
  }
  return sign;
}

/* velocity and acceleration of joint j, times a weight */
POINT void add_rates(double rate[2], double weight, const device_gram *g,
                     const device_gram_arrays *arrays, int64_t individual, int64_t k, int j) {
  const double *x = arrays->coefficients + (individual * g->njoint + j) * g->terms;
  for (int p = 0; p < g->terms; p++) {
    rate[0] += weight * x[p] * arrays->basis[((int64_t)g->terms + p) * g->samples + k];
    rate[1] += weight * x[p] * arrays->basis[(2 * (int64_t)g->terms + p) * g->samples + k];
  }
}

/*
 * Row i of the regressor, times its weight, of the sample whose motion is in the block; valid 0:
 * zeros. rows: column c of a lane at [c * GRAM_LD + lane].
 */
POINT void gram_row(double *rows, const double *block, int lane, const device_gram *g,
                    const device_gram_arrays *arrays, int64_t individual, int64_t k, int i,
                    int valid) {
  const double weight = valid ? g->weight[i] : 0;
  double own[2] = {0, 0};
  for (uint64_t left = g->clear[i], c = 0; left; left >>= 1, c++)
    if (left & 1) rows[c * GRAM_LD + lane] = 0;
  v3 z = times(vec_at(g->joint[i].axis), weight), v = vec(0, 0, 0);
  if (g->joint[i].slides) {
    v = z;
    z = vec(0, 0, 0);
  }
  for (int j = i; j < g->njoint; j++) {
    const device_frame *f = &g->joint[j];
    const double *at = block + j * GRAM_MOTION * GRAM_LANES + lane;
    if (j > i) {
      turning t;
      t.s = at[0];
      t.c = at[GRAM_LANES];
      v = turn_to_link(f, t, plus_outer(v, z, link_origin(f, at[2 * GRAM_LANES])));
      z = turn_to_link(f, t, z);
    }
    const v3 d = read_vector(at + 6 * GRAM_LANES), acc = read_vector(at + 9 * GRAM_LANES);
    const link_rates r = rates_of(read_vector(at + 3 * GRAM_LANES), d);
    const v3 p = vec(r.product.x * z.x, r.product.y * z.y, r.product.z * z.z);
    const v3 h = plus_outer(
        vec(r.x.x * v.x + r.y.x * v.y + r.z.x * v.z, r.x.y * v.x + r.y.y * v.y + r.z.y * v.z,
            r.x.z * v.x + r.y.z * v.y + r.z.z * v.z),
        acc, z);
    const double entry[10] = {d.x * z.x + (p.y - p.z),
                              -r.z.x * z.x + r.z.y * z.y + r.unequal.z * z.z,
                              r.y.x * z.x + r.unequal.y * z.y - r.y.z * z.z,
                              d.y * z.y + (p.z - p.x),
                              r.unequal.x * z.x - r.x.y * z.y + r.x.z * z.z,
                              d.z * z.z + (p.x - p.y),
                              h.x,
                              h.y,
                              h.z,
                              inner(v, acc)};
    UNROLL
    for (int c = 0; c < 10; c++)
      if (g->column[j][c] >= 0) rows[g->column[j][c] * GRAM_LD + lane] = entry[c];
  }
  for (int e = g->drives_of[i]; e < g->drives_of[i + 1]; e++) {
    const device_drive *d = &g->drive[e];
    double rate[2] = {0, 0};
    if (d->own && e > g->drives_of[i] && g->drive[e - 1].own) {
      // as the column before
      rate[0] = own[0];
      rate[1] = own[1];
    } else {
      for (int j = 0; j < g->njoint; j++)
        if (d->weight[j] != 0) add_rates(rate, d->weight[j], g, arrays, individual, k, j);
    }
    own[0] = rate[0];
    own[1] = rate[1];
    rows[d->column * GRAM_LD + lane] = weight * d->gain * drive_value(d, rate[0], rate[1]);
  }
}

/* ---- products ---- */

/* number of tile (I, J), J <= 2 I + 1 */
POINT int tile_at(int I, int J) { return I * (I + 1) + J; }

/*
 * Add the products of row i to the tiles. Lane l holds in each tile the four sums of rows l / 4 and
 * l / 4 + 8, columns 2 (l % 4) and 2 (l % 4) + 1.
 */
POINT void gram_multiply(double sum[GRAM_TILES][4], const double *rows, int lane,
                         const device_gram *g, int i) {
  const int first = g->first[i] / 8, end = (g->columns + 7) / 8;
  const double *at = rows + (lane >> 2) * GRAM_LD + (lane & 3);
  for (int k = 0; k < GRAM_LANES; k += 4) {
#ifdef __CUDA_ARCH__
    double part[GRAM_BLOCKS];
    UNROLL
    for (int J = 0; J < GRAM_BLOCKS; J++)
      part[J] = J >= first && J < end ? at[J * 8 * GRAM_LD + k] : 0;
    UNROLL
    for (int I = 0; I < GRAM_BLOCKS / 2; I++) {
      UNROLL
      for (int J = 0; J <= 2 * I + 1; J++)
        if (J >= first && 2 * I < end && J < end) {
          double *c = sum[tile_at(I, J)];
#if __CUDA_ARCH__ >= 900
          asm volatile(
              "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
              "{%0,%1,%2,%3};"
              : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
              : "d"(part[2 * I]), "d"(part[2 * I + 1]), "d"(part[J]));
#else
          asm volatile(
              "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
              : "+d"(c[0]), "+d"(c[1])
              : "d"(part[2 * I]), "d"(part[J]));
          asm volatile(
              "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
              : "+d"(c[2]), "+d"(c[3])
              : "d"(part[2 * I + 1]), "d"(part[J]));
#endif
        }
    }
#else
    (void)at;
    for (int I = 0; I < GRAM_BLOCKS / 2; I++)
      for (int J = first; J <= 2 * I + 1 && J < end && 2 * I < end; J++)
        for (int c = 0; c < 4; c++) {
          const int row = 16 * I + (lane >> 2) + (c & 2 ? 8 : 0),
                    column = 8 * J + 2 * (lane & 3) + (c & 1);
          if (row / 8 < first || row / 8 >= end) continue;
          for (int s = k; s < k + 4; s++)
            sum[tile_at(I, J)][c] += rows[row * GRAM_LD + s] * rows[column * GRAM_LD + s];
        }
#endif
  }
}

/* write the sums of a lane: columns x columns, both triangles */
POINT void gram_store(double *out, double sum[GRAM_TILES][4], int lane, int columns) {
  UNROLL
  for (int I = 0; I < GRAM_BLOCKS / 2; I++) {
    UNROLL
    for (int J = 0; J <= 2 * I + 1; J++) {
      UNROLL
      for (int c = 0; c < 4; c++) {
        const int row = 16 * I + (lane >> 2) + (c & 2 ? 8 : 0),
                  column = 8 * J + 2 * (lane & 3) + (c & 1);
        if (row >= columns || column > row) continue;
        out[row + column * columns] = out[column + row * columns] = sum[tile_at(I, J)][c];
      }
    }
  }
}

/* Parts of the samples of an individual that are added separately, so that few individuals use the
 * whole device. The number depends on the problem alone, so that results do not depend on the
 * device. */
POINT int gram_parts(const device_gram *g) {
  const int64_t teams = 8192, pieces = (g->samples + 255) / 256;
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
