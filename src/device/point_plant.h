/*
 * Forward dynamics of one plant, for C and for CUDA: mass matrix, forces, and the slope D of the
 * friction that an implicit integrator needs. The formulas are those of point_bodies.h and of
 * src/dynamics/lanes.c. n and kind are constants where speed matters: loops are then unrolled, and
 * arrays become registers.
 */
#ifndef DEVICE_POINT_PLANT_H
#define DEVICE_POINT_PLANT_H

#include "device/point_bodies.h"
#include "device/point_law.h"

/* ---- friction ---- */

/* value of a law of speed v that is no sign, and the part of its slope that may be implicit */
POINT void law_value(double *value, double *slope, const device_law *law, double v, double gamma,
                     double speed) {
  law_point at = {v, 0, 0, 0, 0, law->shape};
  if (law_uses(law->law, USES_SIGN)) smooth_sign(&at.sign, &at.sign_slope, v, gamma, speed);
  law_value_and_slope(value, slope, (law_number)law->law, &at);
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

/* values and slopes of all laws except sign laws; written to the work memory */
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

/* signs along sums of joints; hg > 0: their slopes, times hg, are added to the implicit part */
POINT void less_direction_signs(double *right, plant_room room, const device_friction *f,
                                plant_values v, const double *dq, double hg, const int n,
                                const int own_whole) {
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
  less_direction_signs(right, room, f, v, dq, hg, n, own_whole);
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

/* The state at which stage s is evaluated. */
POINT void stage_state(double *q, double *dq, plant_room room, const device_scheme *scheme, int s,
                       const int n) {
  UNROLL
  for (int j = 0; j < n; j++) {
    q[j] = SLOT(room, ROOM_Q(n, j));
    dq[j] = SLOT(room, ROOM_DQ(n, j));
  }
  ROLLED
  for (int r = 0; r < s; r++) {
    const double a = scheme->a[s][r];
    if (a == 0) continue;
    UNROLL
    for (int j = 0; j < n; j++) {
      q[j] += a * SLOT(room, ROOM_KQ(n, r, j));
      dq[j] += a * SLOT(room, ROOM_KV(n, r, j));
    }
  }
}

/* M += rotor inertias */
POINT void add_rotors(double *M, const device_friction *friction, plant_values v, const int n) {
  UNROLL
  for (int i = 0; i < n; i++) {
    M[pair_at(i, i)] += value_of(v, DEVICE_ROTOR + pair_at(i, i));
    if (row_coupled(friction->rotor, i)) {
      UNROLL
      for (int j = 0; j < i; j++) M[pair_at(i, j)] += value_of(v, DEVICE_ROTOR + pair_at(i, j));
    }
  }
}

/* The sum of the stages before s that its right-hand side needs. */
POINT void gather_stages(double *gather, plant_room room, const device_scheme *scheme,
                         double inverse, int s, const int n) {
  UNROLL
  for (int j = 0; j < n; j++) gather[j] = 0;
  ROLLED
  for (int r = 0; r < s; r++) {
    const double g = scheme->g[s][r] * inverse;
    UNROLL
    for (int j = 0; j < n; j++) gather[j] += g * SLOT(room, ROOM_KV(n, r, j));
  }
}

/* Solve stage s for its change of the velocity plus `gather`; x: h times its right-hand side.
 * Returns 0 if the matrix was not positive. */
POINT int solve_stage(double *x, double *M, plant_room room, const double *gather,
                      const device_scheme *scheme, const int *implicit, int s, const int n) {
  if (s > 0 && scheme->own_mass) {
    double y[DEVICE_JOINTS];
    multiply_packed(y, M, gather, n);
    UNROLL
    for (int j = 0; j < n; j++) x[j] += y[j];
  }
  if (s == 0 || scheme->own_mass) add_drag(M, room, implicit, n);
  const int positive = factor_packed(M, n);
  solve_packed(x, M, 1, n);
  if (scheme->own_mass) return positive;
  if (s == 0) {
    UNROLL
    for (int i = 0; i < n * (n + 1) / 2; i++) SLOT(room, ROOM_FACTOR(n, i)) = M[i];
  } else {
    double y[DEVICE_JOINTS];
    UNROLL
    for (int j = 0; j < n; j++) x[j] += gather[j];
    multiply_drag(y, room, implicit, x, n);
    solve_packed(y, room + ROOM_FACTOR(n, 0) * POINT_GROUP, POINT_GROUP, n);
    UNROLL
    for (int j = 0; j < n; j++) x[j] -= y[j];
  }
  return positive;
}

/* The state after a step, from its last stage s: change of the velocity x - gather at dq. */
POINT void finish_step(plant_room room, const device_scheme *scheme, const double *x,
                       const double *gather, double *q, double *dq, double h, int s, const int n) {
  const double b = scheme->b[s], hg = h * scheme->gamma;
  UNROLL
  for (int j = 0; j < n; j++) {
    q[j] = SLOT(room, ROOM_Q(n, j)) + b * (h * dq[j] + hg * x[j]);
    dq[j] = SLOT(room, ROOM_DQ(n, j)) + b * (x[j] - gather[j]);
  }
  ROLLED
  for (int r = 0; r < s; r++) {
    const double weight = scheme->b[r];
    UNROLL
    for (int j = 0; j < n; j++) {
      q[j] += weight * SLOT(room, ROOM_KQ(n, r, j));
      dq[j] += weight * SLOT(room, ROOM_KV(n, r, j));
    }
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    SLOT(room, ROOM_Q(n, j)) = q[j];
    SLOT(room, ROOM_DQ(n, j)) = dq[j];
  }
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
    double M[DEVICE_PAIRS], x[DEVICE_JOINTS], gather[DEVICE_JOINTS];
    stage_state(at_q, at_dq, room, scheme, s, n);
    applied_less_friction(x, room, friction, v, at_dq, s == 0 ? hg : 0, n, own_whole);
    rigid_bodies(M, x, &l->chain, v, at_q, at_dq, n, kind);
    add_rotors(M, friction, v, n);
    if (s == 0 && ddq) put_acceleration(ddq, stride, room, M, x, n);
    UNROLL
    for (int i = 0; i < n; i++) x[i] *= h;
    gather_stages(gather, room, scheme, inverse, s, n);
    positive = solve_stage(x, M, room, gather, scheme, friction->implicit, s, n) && positive;
    if (s == last) {
      finish_step(room, scheme, x, gather, at_q, at_dq, h, s, n);
    } else {
      UNROLL
      for (int j = 0; j < n; j++) {
        SLOT(room, ROOM_KQ(n, s, j)) = h * at_dq[j] + hg * x[j];
        SLOT(room, ROOM_KV(n, s, j)) = x[j] - gather[j];
      }
    }
  }
  return positive;
}

#endif
