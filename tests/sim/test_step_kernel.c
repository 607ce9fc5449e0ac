/* Steps of the sensitivities in vectors of each width against both stages of the method, solved one
 * after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "sim/step_kernel.h"
#include "support.h"

#define MOST 9    // rows
#define STEPS 16  // two of the widest vectors

static double normal(int stream, int k) {
  return rbv_random_normal(21, (uint64_t)stream, (uint64_t)k);
}

/* x <- inv(A) x by elimination with pivoting */
static void solve(double *x, const double *A, int n) {
  double a[MOST][MOST + 1];
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) a[r][c] = A[r + c * n];
    a[r][n] = x[r];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int r = k + 1; r < n; r++)
      if (fabs(a[r][k]) > fabs(a[best][k])) best = r;
    for (int c = 0; c <= n; c++) {
      const double keep = a[k][c];
      a[k][c] = a[best][c];
      a[best][c] = keep;
    }
    for (int r = k + 1; r < n; r++)
      for (int c = n; c >= k; c--) a[r][c] -= a[r][k] / a[k][k] * a[k][c];
  }
  for (int r = n - 1; r >= 0; r--) {
    x[r] = a[r][n];
    for (int c = r + 1; c < n; c++) x[r] -= a[r][c] * x[c];
    x[r] /= a[r][r];
  }
}

typedef struct {
  double K[MOST * MOST], D[MOST * MOST], M[MOST * MOST];
} matrices;

/* a stage from (q, v); the state at its end in place */
static void stage(double *q, double *v, double *a, const matrices *m, const double *drive, int n,
                  double hg) {
  double A[MOST * MOST];
  for (int e = 0; e < n * n; e++) A[e] = m->M[e] + hg * m->D[e] + hg * hg * m->K[e];
  for (int r = 0; r < n; r++) {
    a[r] = drive[r];
    for (int c = 0; c < n; c++)
      a[r] -= m->K[r + c * n] * (q[c] + hg * v[c]) + m->D[r + c * n] * v[c];
  }
  solve(a, A, n);
  for (int r = 0; r < n; r++) {
    v[r] += hg * a[r];
    q[r] += hg * v[r];
  }
}

static void step(double *q, double *v, const matrices *m, const double *drive, int n, double h) {
  const double g = 1 - sqrt(0.5);
  double q1[MOST], v1[MOST], a[MOST];
  memcpy(q1, q, sizeof q1);
  memcpy(v1, v, sizeof v1);
  stage(q1, v1, a, m, drive, n, h * g);
  for (int r = 0; r < n; r++) {
    q[r] += h * (1 - g) * v1[r];
    v[r] += h * (1 - g) * a[r];
  }
  stage(q, v, a, m, drive, n, h * g);
}

/* mass positive definite, stiff friction that grows with the joint, any stiffness */
static matrices random_matrices(int n, int k) {
  matrices m;
  double root[MOST * MOST];
  for (int e = 0; e < n * n; e++) root[e] = normal(3 * k, e);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      double sum = r == c;
      for (int i = 0; i < n; i++) sum += root[r + i * n] * root[c + i * n];
      m.M[r + c * n] = sum;
      m.K[r + c * n] = 5 * normal(3 * k + 1, r + c * n);
      m.D[r + c * n] = normal(3 * k + 2, r + c * n) + (r == c ? 100 * (r + 1) : 0);
    }
  return m;
}

static void check_kernel(const step_kernel *kernel, int n, int lanes) {
  const double h = 0.02;
  const ptrdiff_t part = (ptrdiff_t)n * n, all = (ptrdiff_t)n * lanes;
  double *lane_of[3];
  for (int i = 0; i < 3; i++)
    assert_non_null(lane_of[i] = malloc(STEPS * (size_t)part * sizeof *lane_of[i]));
  double *out = malloc(STEPS * 3 * (size_t)part * sizeof *out);
  double *scratch = malloc((size_t)(2 * all + STEP_LANES * part) * sizeof *scratch);
  double *state = malloc(3 * (size_t)all * sizeof *state),
         *start = malloc(3 * (size_t)all * sizeof *start);
  assert_true(out && scratch && state && start);
  for (int k = 0; k < STEPS; k++) {
    const matrices m = random_matrices(n, k);
    const double *const from[] = {m.K, m.D, m.M};
    for (int i = 0; i < 3; i++)
      for (int e = 0; e < part; e++) lane_of[i][k + e * STEPS] = from[i][e];
  }
  for (int k = 0; k < STEPS; k += kernel->width)
    kernel->prepare(out + k * 3 * part, scratch, lane_of[0] + k, lane_of[1] + k, lane_of[2] + k,
                    STEPS, n, h);
  for (int k = 0; k < STEPS; k++) {
    const matrices m = random_matrices(n, k);
    double *q = state, *v = state + all, *drive = state + 2 * all;
    for (int e = 0; e < 3 * all; e++) start[e] = state[e] = normal(100 + k, e);
    kernel->advance(q, v, drive, out + k * 3 * part, scratch, n, lanes, h);
    for (int u = 0; u < lanes; u++) {
      double want_q[MOST], want_v[MOST], push[MOST];
      for (int r = 0; r < n; r++) {
        want_q[r] = start[r * lanes + u];
        want_v[r] = start[all + r * lanes + u];
        push[r] = start[2 * all + r * lanes + u];
      }
      step(want_q, want_v, &m, push, n, h);
      // values near 1; the matrix has a condition below 1e3, 1e3 * n * eps is 2e-12
      for (int r = 0; r < n; r++) {
        assert_near(q[r * lanes + u], want_q[r], 2e-12, 0);
        assert_near(v[r * lanes + u], want_v[r], 2e-12, 0);
      }
    }
  }
  for (int i = 0; i < 3; i++) free(lane_of[i]);
  free(out);
  free(scratch);
  free(state);
  free(start);
}

static void test_every_width(void **state) {
  (void)state;
  const int best = rbv_step_kernel()->width;
  const step_kernel *const all[] = {&rbv_step_kernel_w2, best >= 4 ? &rbv_step_kernel_w4 : NULL,
                                    best >= 8 ? &rbv_step_kernel_w8 : NULL};
  for (int i = 0; i < RBV_COUNT(all); i++) {
    if (!all[i]) continue;
    assert_int_equal(all[i]->width, 2 << i);
    // one joint and several; one vector, whole tiles of four, and a tile with vectors after it
    for (int n = 1; n <= MOST; n += 4)
      for (int lanes = STEP_LANES; lanes <= 5 * STEP_LANES; lanes += 2 * STEP_LANES)
        check_kernel(all[i], n, lanes);
    check_kernel(all[i], 6, 4 * STEP_LANES);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_width)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
