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
 * As in src/dynamics/kernel_regressor.inc, the screw of joint i is carried from link to link and
 * multiplied with the wrench matrix of the link; the formulas are those of body_motion.h.
 */
#ifndef DEVICE_POINT_GRAM_H
#define DEVICE_POINT_GRAM_H

#include "device/device_types.h"
#include "device/point_law.h"
#include "device/point_math.h"

#include "device/body_motion.h"

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
  if (d->law == LAW_Ia) return GRAM_ACCELERATION;
  if (d->law == LAW_Fv) return GRAM_SPEED;
  if (d->law == LAW_Fc) return GRAM_SIGN;
  return d->law == LAW_off ? GRAM_ONE : GRAM_COMMON;
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
  turning t[DEVICE_JOINTS]; /* quarter turns: of Rz, see TURN_SIGNED */
  double q[DEVICE_JOINTS];
  v3 dw[DEVICE_JOINTS], acc[DEVICE_JOINTS];
} gram_lane;

/* ---- poses ---- */

POINT turning turning_of(const device_frame *f, int j, double q, const int kind) {
  const turning t = sine_cosine(q + f->offset);
  if (kind == GRAM_ANY) return t;
  const int x = gram_tilted(f, j, kind) ? 6 : 0;
  const v3 row = plane_row(f->cosine + x, f->sine + x, t.c, t.s);
  turning r;
  r.c = row.x;
  r.s = -row.y;
  return r;
}

/* what is known of the rotation of joint j, and the rotation */
POINT joint_kind frame_kind(const device_frame *f, int j, const int kind) {
  return kind_of(kind == GRAM_ANY ? TURN_FULL : TURN_SIGNED + (gram_tilted(f, j, kind) ? 1 : 2), 0);
}
POINT joint_turn frame_turn(const device_frame *f, int j, turning t, const int kind) {
  if (kind != GRAM_ANY)
    return plane_turn(t.s, t.c, gram_tilted(f, j, kind) ? f->fixed[5] : f->fixed[8], NULL);
  return full_turn(
      joint_rows(kind_of(TURN_FULL, 0), f->slides, f->fixed, f->cosine, f->sine, t.s, t.c));
}

POINT v3 link_origin(const device_frame *g, double q, const int kind) {
  const v3 p = constant(g->origin);
  if (kind != GRAM_ANY || !g->slides) return p;
  return add_scaled(p, constant(g->slide), q + g->offset);
}

/* ---- motion of the links ---- */

POINT v3 read_vector(const double *at) { return vec(at[0], at[GRAM_LANES], at[2 * GRAM_LANES]); }
POINT void write_vector(double *at, v3 a) {
  at[0] = a.x;
  at[GRAM_LANES] = a.y;
  at[2 * GRAM_LANES] = a.z;
}

/* the motion of link j, from that of link j - 1; without `finish` */
POINT twist move_link(twist m, const device_frame *f, int j, turning t, double q, double dq,
                      double ddq, const int kind) {
  const joint_kind own = frame_kind(f, j, kind);
  const joint_turn at = frame_turn(f, j, t, kind);
  const v3 a = constant(f->axis);
  if (j > 0) {
    finish(&m);
    m = carry_motion(own, &m, &at, link_origin(f, q, kind));
  } else {
    m.acc = to_child(own, &at, m.acc);
  }
  if (kind != GRAM_ANY) {
    turn_about_z(&m, a.z * dq);
    m.dw.z += a.z * ddq;
  } else if (f->slides) {
    slide_along(&m, a, dq, ddq);
  } else {
    turn_about(&m, a, dq, ddq);
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
  twist m = rest(constant(g->up));
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
  const int rotor = law_uses(d->law, USES_ACCELERATION);
  law_point at = {rotor ? acceleration : speed, 0, 0, 0, 0, d->shape};
  if (law_uses(d->law, USES_SIGN)) at.sign = drive_sign(d, speed);
  return law_value_of((law_number)d->law, &at);
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
  v3 z = scale(constant(g->joint[i].axis), weight), v = vec(0, 0, 0);
  if (kind == GRAM_ANY && g->joint[i].slides) {
    v = z;
    z = vec(0, 0, 0);
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    if (j < i) continue;
    const device_frame *f = &g->joint[j];
    if (j > i) {
      const joint_turn turned = frame_turn(f, j, own->t[j], kind);
      carry_screw(frame_kind(f, j, kind), &z, &v, &turned, link_origin(f, own->q[j], kind));
    }
    twist t;
    t.w = read_vector(block + GRAM_SPIN + 3 * j * GRAM_LANES + lane);
    t.dw = own->dw[j];
    t.acc = own->acc[j];
    finish(&t);
    const moments B = moment_columns(&t);
    const v3 diagonal = diagonal_entries(&t, z), h = moment_entries(&t, z, v);
    const int *at = plan->place[j];
    write_entry(rows, at[0], diagonal.x);
    write_entry(rows, at[1], dot(B.xy, z));
    write_entry(rows, at[2], dot(B.xz, z));
    write_entry(rows, at[3], diagonal.y);
    write_entry(rows, at[4], dot(B.yz, z));
    write_entry(rows, at[5], diagonal.z);
    write_entry(rows, at[6], h.x);
    write_entry(rows, at[7], h.y);
    write_entry(rows, at[8], h.z);
    write_entry(rows, at[9], dot(v, t.acc));
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
