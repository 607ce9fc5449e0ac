#include "flops.h"

#include <math.h>

/* ---- operation count of the regressor ---- */

enum {
  SINE_COSINE = 39,
  TURN = 15,    // rotate a vector by a full matrix
  HINGE = 7,    // rotate it by a plane rotation, with a possible axis flip
  CROSS = 9,    // cross product of two vectors
  SHIFT = 12,   // sum of a vector and a cross product
  FINISH = 18,  // from velocity and acceleration to the matrix F and the terms of the columns
  MOMENTS = 27  // six inertia columns for one screw
};

#define NEAR(x, y) (fabs((x) - (y)) < 1e-12)

/* true if the kernels treat the joint as a hinge: it rotates about z, and z is parallel to an axis
 * of the parent */
static int is_hinge(const peer_joint *j) {
  int along = 0;
  for (int i = 0; i < 3; i++) along += NEAR(fabs(j->R[3 * i + 2]), 1);
  return NEAR(j->axis[2], 1) && along == 1;
}

static int meets(const peer_joint *j) {
  return is_hinge(j) && NEAR(j->p[0], 0) && NEAR(j->p[1], 0) && NEAR(j->p[2], 0);
}

/* motion of the link from that of its parent; for the first link from gravity */
static int motion_flops(const peer_joint *j, int first) {
  const int turn = is_hinge(j) ? HINGE : TURN;
  if (first) return turn + (is_hinge(j) ? 0 : 6) + FINISH;
  const int own = is_hinge(j) ? 6 : 12 + SHIFT;  // terms of the joint's speed and acceleration
  return 3 * turn + (meets(j) ? 0 : 18) + own + FINISH;
}

/* screw of an inner joint: transform it to the frame of this link, and multiply its ten columns */
static int row_flops(const peer_joint *j) {
  const int turn = is_hinge(j) ? HINGE : TURN;
  return 2 * turn + (meets(j) ? 0 : SHIFT) + MOMENTS + (TURN + SHIFT) + 5;
}

int regressor_flops(const peer_chain *chain) {
  int sum = 0;
  for (int j = 0; j < chain->njoint; j++) {
    const peer_joint *joint = &chain->joint[j];
    const int rotation = is_hinge(joint) ? 4 * 3 : 6 * 4 + CROSS;
    const int own_row = is_hinge(joint) ? 0 : MOMENTS + CROSS;
    sum += SINE_COSINE + rotation + motion_flops(joint, j == 0) + j * row_flops(joint) + own_row;
  }
  return sum;
}

/* ---- peak speed of the processor ---- */

#if defined(__x86_64__)
#include <immintrin.h>

#define CHAINS 12  // independent chains: more than twice the latency

int peak_known(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

__attribute__((target("avx2,fma"))) void peak_run(void *unused) {
  (void)unused;
  const __m256d b = _mm256_set1_pd(0.5);
  __m256d a0 = b, a1 = b, a2 = b, a3 = b, a4 = b, a5 = b;
  __m256d a6 = b, a7 = b, a8 = b, a9 = b, a10 = b, a11 = b;
  for (int k = 0; k < PEAK_KFLOPS * 1000 / (CHAINS * 8); k++) {
    a0 = _mm256_fmadd_pd(a0, b, b);
    a1 = _mm256_fmadd_pd(a1, b, b);
    a2 = _mm256_fmadd_pd(a2, b, b);
    a3 = _mm256_fmadd_pd(a3, b, b);
    a4 = _mm256_fmadd_pd(a4, b, b);
    a5 = _mm256_fmadd_pd(a5, b, b);
    a6 = _mm256_fmadd_pd(a6, b, b);
    a7 = _mm256_fmadd_pd(a7, b, b);
    a8 = _mm256_fmadd_pd(a8, b, b);
    a9 = _mm256_fmadd_pd(a9, b, b);
    a10 = _mm256_fmadd_pd(a10, b, b);
    a11 = _mm256_fmadd_pd(a11, b, b);
    // hide from the compiler that the chains are equal
    __asm__ volatile("" : "+x"(a0), "+x"(a1), "+x"(a2), "+x"(a3), "+x"(a4), "+x"(a5));
    __asm__ volatile("" : "+x"(a6), "+x"(a7), "+x"(a8), "+x"(a9), "+x"(a10), "+x"(a11));
  }
}
#else
int peak_known(void) { return 0; }
void peak_run(void *unused) { (void)unused; }
#endif
