/*
 * Lanes and vectors, for C and for CUDA. A lane is a sample or a plant. `vd` holds WIDTH lanes: a
 * vector of GCC and Clang, which give + - * / on vectors as on numbers, or one double, also on a
 * device. Include it with WIDTH defined.
 */
#ifndef DEVICE_LANE_MATH_H
#define DEVICE_LANE_MATH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* POINT: a function that is always inlined, so that kinds of joints and numbers of joints are
 * constants in it. POINT_LARGE: on a processor the compiler decides. */
#ifdef __CUDACC__
#define POINT static __host__ __device__ __forceinline__
#define POINT_LARGE POINT
#define UNROLL _Pragma("unroll")
#define UNROLL_FEW _Pragma("unroll 4")
#define ROLLED _Pragma("unroll 1")
#else
#define POINT static inline __attribute__((always_inline))
#define POINT_LARGE static inline
#define UNROLL
#define UNROLL_FEW
#define ROLLED
#endif

#if WIDTH == 1
typedef double vd;
typedef int64_t vl;
typedef uint64_t vu;
POINT vd broadcast(double x) { return x; }
#else
typedef double vd __attribute__((vector_size(8 * WIDTH)));
typedef int64_t vl __attribute__((vector_size(8 * WIDTH)));   // result of a comparison
typedef uint64_t vu __attribute__((vector_size(8 * WIDTH)));  // bits
POINT vd broadcast(double x) { return x - (vd){0}; }
#endif

typedef struct {
  vd x, y, z;
} v3;

typedef struct {
  v3 x, y, z;  // rows
} m3;

/* Macros, because their components are evaluated in order. The arguments of a function are not, and
 * a compiler that fuses products and sums would then fuse others. */
#ifdef __CUDACC__
#define vec(x, y, z) (v3{x, y, z})
#define rows_of(x, y, z) (m3{x, y, z})
#else
#define vec(x, y, z) ((v3){x, y, z})
#define rows_of(x, y, z) ((m3){x, y, z})
#endif

/* the same three numbers, or the same row-major matrix, in all lanes */
POINT v3 constant(const double *a) {
  return vec(broadcast(a[0]), broadcast(a[1]), broadcast(a[2]));
}
POINT m3 constant_rows(const double *A) {
  return rows_of(constant(A), constant(A + 3), constant(A + 6));
}
POINT v3 no_vector(void) { return vec(broadcast(0), broadcast(0), broadcast(0)); }
POINT m3 unit_rows(void) {
  const vd zero = broadcast(0), one = broadcast(1);
  return rows_of(vec(one, zero, zero), vec(zero, one, zero), vec(zero, zero, one));
}

POINT v3 add(v3 a, v3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
POINT v3 scale(v3 a, vd s) { return vec(a.x * s, a.y * s, a.z * s); }
POINT v3 add_scaled(v3 a, v3 b, vd s) { return vec(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s); }
POINT vd dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
POINT v3 cross(v3 a, v3 b) {
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* a + b x c */
POINT v3 add_cross(v3 a, v3 b, v3 c) {
  return vec(a.x + b.y * c.z - b.z * c.y, a.y + b.z * c.x - b.x * c.z, a.z + b.x * c.y - b.y * c.x);
}
POINT v3 turn(m3 R, v3 a) { return vec(dot(R.x, a), dot(R.y, a), dot(R.z, a)); }
/* a + R b */
POINT v3 add_turned(v3 a, m3 R, v3 b) {
  return vec(a.x + R.x.x * b.x + R.x.y * b.y + R.x.z * b.z,
             a.y + R.y.x * b.x + R.y.y * b.y + R.y.z * b.z,
             a.z + R.z.x * b.x + R.z.y * b.y + R.z.z * b.z);
}
POINT v3 turn_back(m3 R, v3 a) {
  return vec(R.x.x * a.x + R.y.x * a.y + R.z.x * a.z, R.x.y * a.x + R.y.y * a.y + R.z.y * a.z,
             R.x.z * a.x + R.y.z * a.y + R.z.z * a.z);
}

/* ---- bits ---- */

POINT vu to_bits(vd x) {
  vu b;
  memcpy(&b, &x, sizeof b);
  return b;
}
POINT vd from_bits(vu b) {
  vd x;
  memcpy(&x, &b, sizeof x);
  return x;
}
POINT vd flip_sign(vd x, vu by) { return from_bits(to_bits(x) ^ by); }
/* mask: all bits or none of each lane */
POINT vd select_by(vu mask, vd yes, vd no) {
#ifdef __CUDACC__
  return mask ? yes : no;
#else
  return from_bits((to_bits(yes) & mask) | (to_bits(no) & ~mask));
#endif
}

/* ---- sine and cosine ---- */

#define SINCOS_RANGE 1e6  // beyond it the reduction is not exact

/*
 * Reduce by multiples of pi/2, given in three parts of 33 bits so that the products are exact for
 * up to 2^20 quarter turns, then minimax polynomials on [-pi/4, pi/4].
 */
POINT_LARGE void sincos_lanes(vd *sine, vd *cosine, vd x) {
  const double shift = 6755399441055744.0;  // 1.5 * 2^52: added, the low bits are the integer
  const vd quarter = x * 0.63661977236758134308 + shift;
  const vu k = to_bits(quarter);
  const vd n = quarter - shift;
  const vd r = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
               n * 2.02226624879595063154e-21;
  const vd z = r * r;
  const vd s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
                                                                z * 1.58969099521155010221e-10)))));
  const vd c =
      1.0 -
      (0.5 * z -
       z * z *
           (4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 +
                 z * (2.48015872894767294178e-05 +
                      z * (-2.75573143513906633035e-07 +
                           z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))));
  // odd quarters exchange sine and cosine; the quarter gives the sign bits
  const vu odd = -(k & 1);
  *sine = flip_sign(select_by(odd, c, s), (k & 2) << 62);
  *cosine = flip_sign(select_by(odd, s, c), ((k + 1) & 2) << 62);
}

#endif
