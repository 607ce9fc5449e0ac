/*
 * Arithmetic of one sample or one plant, for C and for CUDA. The functions are those of
 * src/dynamics/kernel_math.inc for one lane; every result is the same on all processors up to the
 * rounding of products and sums.
 */
#ifndef DEVICE_POINT_MATH_H
#define DEVICE_POINT_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define POINT static __host__ __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define UNROLL_FEW _Pragma("unroll 4")
#define ROLLED _Pragma("unroll 1")
#else
#define POINT static inline __attribute__((always_inline))
#define UNROLL
#define UNROLL_FEW
#define ROLLED
#endif

typedef struct {
  double x, y, z;
} v3;

typedef struct {
  double s, c;
} turning;

POINT v3 vec(double x, double y, double z) {
  v3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
POINT v3 vec_at(const double *p) { return vec(p[0], p[1], p[2]); }
POINT v3 plus(v3 a, v3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
POINT v3 times(v3 a, double s) { return vec(a.x * s, a.y * s, a.z * s); }
POINT v3 plus_times(v3 a, v3 b, double s) {
  return vec(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
POINT double inner(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
POINT v3 outer(v3 a, v3 b) {
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* a + b x c */
POINT v3 plus_outer(v3 a, v3 b, v3 c) {
  return vec(a.x + b.y * c.z - b.z * c.y, a.y + b.z * c.x - b.x * c.z, a.z + b.x * c.y - b.y * c.x);
}

/* ---- bits ---- */

POINT uint64_t bits_of(double x) {
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}
POINT double from_bits(uint64_t b) {
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/* number of the lowest bit that is set */
POINT int lowest_bit(uint64_t b) {
#ifdef __CUDA_ARCH__
  return __ffsll((long long)b) - 1;
#else
  return __builtin_ctzll(b);
#endif
}

/* ---- quotients ---- */

/* 1 / x; on a device without the branches that numbers below 1e-300 and above 1e300 would need */
POINT double reciprocal(double x) {
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  r = fma(fma(-x, r, 1.0), r, r);
  return fma(fma(-x, r, 1.0), r, r);
#else
  return 1 / x;
#endif
}

/* ---- sine and cosine ---- */

/* Reduction by multiples of pi/2 in three parts, then polynomials; exact up to 2^20 quarters. */
POINT turning sine_cosine(double x) {
  const double shift = 6755399441055744.0;  // 1.5 * 2^52
  const double quarter = x * 0.63661977236758134308 + shift;
  const uint64_t k = bits_of(quarter);
  const double n = quarter - shift;
  const double r = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
                   n * 2.02226624879595063154e-21;
  const double z = r * r;
  const double s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
                                                                z * 1.58969099521155010221e-10)))));
  const double c =
      1.0 -
      (0.5 * z -
       z * z *
           (4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 +
                 z * (2.48015872894767294178e-05 +
                      z * (-2.75573143513906633035e-07 +
                           z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))));
  turning t;
  t.s = from_bits(bits_of(k & 1 ? c : s) ^ (k & 2) << 62);
  t.c = from_bits(bits_of(k & 1 ? s : c) ^ ((k + 1) & 2) << 62);
  return t;
}

/* ---- arc tangent ---- */

/* Numerator and denominator of the arc tangent's rational function. */
POINT double tangent_top(double z) {
  return (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z -
           7.500855792314704667340e1) *
              z -
          1.228866684490136173410e2) *
             z -
         6.485021904942025371773e1;
}
POINT double tangent_bottom(double z) {
  return ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z +
           4.328810604912902668951e2) *
              z +
          4.853903996359136964868e2) *
             z +
         1.945506571482613964425e2;
}

/* As atan_lanes of the kernels. */
POINT double arc_tangent(double x) {
  const double a = fabs(x);
  const int far = a > 2.41421356237309504880, near = a <= 0.66;
  const double top = far ? -1.0 : near ? a : a - 1.0;
  const double bottom = far ? a : near ? 1.0 : a + 1.0;
  const double turned = far ? 1.57079632679489661923 : near ? 0.0 : 7.85398163397448309616e-1;
  const double rest = far ? 6.123233995736765886130e-17 : near ? 0.0 : 3.061616997868382943065e-17;
  const double r = top / bottom, z = r * r;
  const double p = tangent_top(z), q = tangent_bottom(z);
  return copysign(turned + (r * (z * p / q) + r + rest), x);
}

/* (2/pi) atan(gamma v) and its slope: arc_tangent with two divisions for both */
POINT void tangent_sign(double *value, double *slope, double v, double gamma) {
  const double scale = 0.63661977236758134308, x = gamma * v, a = fabs(x);
  const int far = a > 2.41421356237309504880, near = a <= 0.66;
  const double top = far ? -1.0 : near ? a : a - 1.0;
  const double bottom = far ? a : near ? 1.0 : a + 1.0;
  const double turned = far ? 1.57079632679489661923 : near ? 0.0 : 7.85398163397448309616e-1;
  const double rest = far ? 6.123233995736765886130e-17 : near ? 0.0 : 3.061616997868382943065e-17;
  const double r = top * reciprocal(bottom), z = r * r;
  const double p = tangent_top(z), q = tangent_bottom(z);
  const double square = 1.0 + x * x, inverse = reciprocal(q * square);
  *value = scale * copysign(turned + (r * (z * p * (inverse * square)) + r + rest), x);
  *slope = scale * gamma * (inverse * q);
}

/* Smoothed sign of a speed and its slope: as friction_kernel. */
POINT void smooth_sign(double *value, double *slope, double v, double gamma, double speed) {
  if (gamma > 0) {
    const double scale = 0.63661977236758134308, x = gamma * v;
    *value = scale * arc_tangent(x);
    *slope = scale * gamma / (1.0 + x * x);
  } else if (speed > 0) {
    const double inverse = 1 / speed, x = inverse * v, r = 1.0 / sqrt(1.0 + x * x);
    *value = x * r;
    *slope = inverse * r * r * r;
  } else {
    *value = (v > 0) - (v < 0);
    *slope = 0;
  }
}

/* ---- distances ---- */

POINT double clamp_unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* Square of the distance of two segments: nearest points a + s (b - a), c + t (d - c), each clamped
 * in turn. */
POINT double segment_square(v3 a, v3 b, v3 c, v3 d) {
  const v3 u = vec(b.x - a.x, b.y - a.y, b.z - a.z), v = vec(d.x - c.x, d.y - c.y, d.z - c.z);
  const v3 r = vec(a.x - c.x, a.y - c.y, a.z - c.z);
  const double uu = inner(u, u), vv = inner(v, v), uv = inner(u, v), ur = inner(u, r),
               vr = inner(v, r);
  double s = 0, t = 0;
  if (uu > 0 && vv > 0) {
    const double det = uu * vv - uv * uv;
    s = det > 1e-14 * uu * vv ? clamp_unit((uv * vr - ur * vv) / det) : 0;
    t = clamp_unit((uv * s + vr) / vv);
    s = clamp_unit((uv * t - ur) / uu);
  } else if (uu > 0) {
    s = clamp_unit(-ur / uu);
  } else if (vv > 0) {
    t = clamp_unit(vr / vv);
  }
  const v3 e = vec(r.x + s * u.x - t * v.x, r.y + s * u.y - t * v.y, r.z + s * u.z - t * v.z);
  return inner(e, e);
}

/* ---- random numbers: as src/base/random.c ---- */

POINT void philox_block(uint64_t out[2], uint64_t seed, uint64_t stream, uint64_t index) {
  uint32_t c0 = (uint32_t)index, c1 = (uint32_t)(index >> 32), c2 = (uint32_t)stream,
           c3 = (uint32_t)(stream >> 32), k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  UNROLL
  for (int round = 0; round < 10; round++) {
    const uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
    const uint32_t n0 = (uint32_t)(b >> 32) ^ c1 ^ k0, n2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
    c0 = n0;
    c1 = (uint32_t)b;
    c2 = n2;
    c3 = (uint32_t)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = (uint64_t)c1 << 32 | c0;
  out[1] = (uint64_t)c3 << 32 | c2;
}

POINT double unit_of(uint64_t bits) {
  return ((double)(bits >> 12) + 0.5) * 2.220446049250313080847e-16;
}

POINT double normal_number(uint64_t seed, uint64_t stream, uint64_t index) {
  uint64_t out[2];
  philox_block(out, seed, stream, index);
  return sqrt(-2 * log(unit_of(out[0]))) * sine_cosine(6.28318530717958647693 * unit_of(out[1])).c;
}

#endif
