/*
 * Arithmetic of one sample or one plant, for C and for CUDA: lane_math.h for one lane, and more
 * functions. Every result is the same on all processors up to the rounding of products and sums.
 */
#ifndef DEVICE_POINT_MATH_H
#define DEVICE_POINT_MATH_H

#define WIDTH 1
#include "device/lane_math.h"

typedef struct {
  double s, c;
} turning;

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

POINT turning sine_cosine(double x) {
  turning t;
  sincos_lanes(&t.s, &t.c, x);
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
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
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
  return dot(e, e);
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
