#include "payload_bound.h"

#include <math.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

#define N BOUND_UNKNOWNS
#define FIRST 6  // of mass and first moments
#define DRAWS 1000

void bound_add(payload_bound *b, const stream *s, const rbv_known_arm *arm, double *W) {
  const int nrow = rbv_model_row_count(s->m), columns = rbv_model_column_count(s->m);
  const double keep = stream_noise_memory(s), fresh = sqrt(1 - keep * keep);
  b->nparts = arm->npart;
  assert_true(b->nparts <= BOUND_PARTS);
  rbv_regressor_eval(W, s->d, s->q, s->dq, s->ddq, false);
  for (int j = 0; j < s->n; j++) {
    double now[N] = {0}, part[BOUND_PARTS] = {0}, white[N], white_part[BOUND_PARTS];
    for (int c = 0; c < columns; c++) {
      const rbv_column *column = rbv_model_column(s->m, c);
      const double w = W[j + c * nrow];
      if (column->basis == RBV_BASIS_INERTIAL && column->joint == s->n - 1)
        now[column->component] = w;
      for (int p = 0; p < b->nparts; p++) part[p] += w * arm->deviation[c + p * columns];
    }
    // noise of first order: what is new in a sample is white
    for (int i = 0; i < N; i++)
      white[i] = b->any ? (now[i] - keep * b->before[j][i]) / fresh : now[i];
    for (int p = 0; p < b->nparts; p++)
      white_part[p] = b->any ? (part[p] - keep * b->part_before[j][p]) / fresh : part[p];
    const double weight = 1 / (s->noise[j] * s->noise[j]);
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < N; k++) b->information[i][k] += white[i] * white[k] * weight;
      for (int p = 0; p < b->nparts; p++) b->part[i][p] += white[i] * white_part[p] * weight;
    }
    memcpy(b->before[j], now, sizeof now);
    memcpy(b->part_before[j], part, sizeof part);
  }
  b->any = true;
}

/* the inertia is that of the mass at the centre, up to sigma */
static void add_prior(double A[N][N], double sigma, const double c[3]) {
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (int i = 0; i < 6; i++) {
    const int a = row[i], b = column[i];
    double x[N] = {0};
    x[i] = 1 / sigma;
    for (int k = 0; k < 3; k++)
      x[FIRST + k] = -((a == b) * 2 * c[k] - (a == k) * c[b] - (b == k) * c[a]) / sigma;
    x[9] = ((a == b) * square - c[a] * c[b]) / sigma;
    for (int k = 0; k < N; k++)
      for (int l = 0; l < N; l++) A[k][l] += x[k] * x[l];
  }
}

/* Cholesky factor of rows and columns from `first` on, in place */
static void factor(double A[N][N], int first) {
  for (int i = first; i < N; i++)
    for (int k = first; k <= i; k++) {
      double sum = A[i][k];
      for (int l = first; l < k; l++) sum -= A[i][l] * A[k][l];
      A[i][k] = i == k ? sqrt(fmax(sum, 1e-20)) : sum / A[k][k];
    }
}

static void solve(double x[N], double L[N][N], int first) {
  for (int i = first; i < N; i++) {
    for (int k = first; k < i; k++) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
  for (int i = N - 1; i >= first; i--) {
    for (int k = i + 1; k < N; k++) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
}

/* covariance of first moments and mass */
static void covariance(double C[N][N], const payload_bound *b, bound_unknown unknown,
                       const double centre[3]) {
  double A[N][N], x[N], d[N][BOUND_PARTS];
  const int first = unknown.inertia > 0 ? 0 : FIRST, np = unknown.arm ? b->nparts : 0;
  memcpy(A, b->information, sizeof A);
  if (first == 0) add_prior(A, unknown.inertia, centre);
  factor(A, first);
  for (int k = FIRST; k < N; k++) {
    memset(x, 0, sizeof x);
    x[k] = 1;
    solve(x, A, first);
    for (int i = FIRST; i < N; i++) C[i][k] = x[i];
  }
  double mean[N] = {0};
  for (int p = 0; p < np; p++) {
    for (int i = 0; i < N; i++) x[i] = b->part[i][p];
    solve(x, A, first);
    for (int i = FIRST; i < N; i++) mean[i] += (d[i][p] = x[i]) / np;
  }
  // jackknife over the parts of the identification
  for (int i = FIRST; i < N; i++)
    for (int k = FIRST; k < N; k++)
      for (int p = 0; p < np; p++)
        C[i][k] += (d[i][p] - mean[i]) * (d[k][p] - mean[k]) * (np - 1) / np;
}

double bound_share(const payload_bound *b, bound_unknown unknown, double mass,
                   const double centre[3], uint64_t seed) {
  double C[N][N] = {{0}};
  int inside = 0;
  covariance(C, b, unknown, centre);
  factor(C, FIRST);
  for (int d = 0; d < DRAWS; d++) {
    double e[4] = {0}, far = 0;
    for (int k = 0; k < 4; k++) {
      const double z = rbv_random_normal(seed, 90 + (uint64_t)k, (uint64_t)d);
      for (int i = k; i < 4; i++) e[i] += C[FIRST + i][FIRST + k] * z;
    }
    for (int i = 0; i < 3; i++) far = fmax(far, fabs((e[i] - centre[i] * e[3]) / mass));
    inside += fabs(e[3]) < 0.03 * mass && far < 0.01;
  }
  return (double)inside / DRAWS;
}
