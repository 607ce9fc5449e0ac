/*
 * The same semidefinite programme solved by DSDP 5.8 (Benson and Ye): min t over chi with
 * [1 w; w' t] >= 0, w = inv(F) (K chi - x), and every pseudo-inertia and drive column >= 0. Written
 * from the definitions, without the coordinates that the module uses.
 */
#ifndef TEST_CONSISTENCY_DSDP_H
#define TEST_CONSISTENCY_DSDP_H

#include <stdio.h>
#include "linalg/linalg.h"
// DSDP needs stdio.h before
#include <dsdp5.h>

#include "consistency/consistency.h"
#include "robots.h"

typedef struct {
  DSDP solver;
  SDPCone cone;
  int block;
  void *kept[4096];  // DSDP does not copy its data
  int nkept;
} oracle;

static inline void *keep(oracle *o, size_t bytes) {
  assert_true(o->nkept < 4096);
  return o->kept[o->nkept++] = calloc(1, bytes);
}

/* entries of the lower triangle, row by row, of one matrix: variable 0 is the constant, the cone is
 * constant - sum y_i A_i >= 0 */
static inline void put_matrix(oracle *o, int variable, int size, const double *A, double factor) {
  const int full = size * (size + 1) / 2;
  int *index = keep(o, (size_t)full * sizeof *index), count = 0;
  double *value = keep(o, (size_t)full * sizeof *value);
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++)
      if (A[i + j * size] != 0) {
        index[count] = i * (i + 1) / 2 + j;
        value[count++] = factor * A[i + j * size];
      }
  if (count > 0)
    assert_int_equal(
        SDPConeSetASparseVecMat(o->cone, o->block, variable, size, 1, 0, index, value, count), 0);
}

/* smallest (x - K chi)' inv(C) (x - K chi) over consistent chi: lower and upper bound */
static inline void solve_with_dsdp(double *lower, double *upper, const rbv_model *m,
                                   const estimate *e, const double *size) {
  const int n = rbv_model_column_count(m), nb = e->base->count;
  int nblock = 1;
  for (int c = 0; c < n; c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis == RBV_BASIS_INERTIAL ? column->component == 0
                                            : !rbv_column_has_law(column, "off"))
      nblock++;
  }
  oracle o = {0};
  assert_int_equal(DSDPCreate(n + 1, &o.solver), 0);
  assert_int_equal(DSDPCreateSDPCone(o.solver, nblock, &o.cone), 0);
  assert_int_equal(DSDPSetDualObjective(o.solver, n + 1, -1), 0);

  // whitened rows: G = inv(F) [K diag(size), x]
  double *F = calloc((size_t)(nb * nb), sizeof *F);
  double *G = calloc((size_t)(nb * (n + 1)), sizeof *G);
  memcpy(F, e->covariance, (size_t)(nb * nb) * sizeof *F);
  bool definite;
  assert_ok(rbv_cholesky(&definite, F, nb, nb));
  assert_true(definite);
  for (int c = 0; c <= n; c++)
    for (int k = 0; k < nb; k++) {
      double sum = c < n ? size[c] * e->base->relation[k + c * nb] : e->value[k];
      for (int j = 0; j < k; j++) sum -= F[k + j * nb] * G[j + c * nb];
      G[k + c * nb] = sum / F[k + k * nb];
    }

  // [1 w; w' t] >= 0
  const int big = nb + 1;
  double *A = calloc((size_t)(big * big), sizeof *A);
  assert_int_equal(SDPConeSetBlockSize(o.cone, 0, big), 0);
  for (int c = 0; c <= n; c++) {
    memset(A, 0, (size_t)(big * big) * sizeof *A);
    for (int k = 0; k < nb; k++) A[nb + k * big] = G[k + c * nb];
    if (c == n)
      for (int k = 0; k < nb; k++) A[k + k * big] = -1;
    put_matrix(&o, c < n ? c + 1 : 0, big, A, -1);
  }
  memset(A, 0, (size_t)(big * big) * sizeof *A);
  A[nb + nb * big] = 1;
  put_matrix(&o, n + 1, big, A, -1);

  // bodies and drives
  o.block = 1;
  for (int c = 0; c < n; c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis == RBV_BASIS_INERTIAL) {
      double unit[10] = {0}, P[16];
      unit[column->component] = size[c];
      rbv_body_pseudo(P, unit);
      if (column->component == 0) assert_int_equal(SDPConeSetBlockSize(o.cone, o.block, 4), 0);
      put_matrix(&o, c + 1, 4, P, -1);
      if (column->component == 9) o.block++;
    } else if (!rbv_column_has_law(column, "off")) {
      assert_int_equal(SDPConeSetBlockSize(o.cone, o.block, 1), 0);
      put_matrix(&o, c + 1, 1, &size[c], -1);
      o.block++;
    }
  }
  assert_int_equal(o.block, nblock);

  DSDPSetGapTolerance(o.solver, 1e-8);
  DSDPSetMaxIts(o.solver, 200);

  DSDPSetYBounds(o.solver, -1e6, 1e6);
  assert_int_equal(DSDPSetup(o.solver), 0);
  assert_int_equal(DSDPSolve(o.solver), 0);
  assert_int_equal(DSDPComputeX(o.solver), 0);
  double d, p;
  DSDPGetDDObjective(o.solver, &d);
  DSDPGetPPObjective(o.solver, &p);
  // DSDP maximises -t: its feasible value is a lower bound, the dual one an upper bound
  *upper = -d;
  *lower = -p;
  DSDPDestroy(o.solver);
  for (int i = 0; i < o.nkept; i++) free(o.kept[i]);
  free(A);
  free(F);
  free(G);
}

/* units of its unknowns, from the mass of the body */
static inline void sizes(double *size, const rbv_model *m, const double *chi) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    size[c] = column->basis != RBV_BASIS_INERTIAL ? 1 : chi[c - column->component + 9];
  }
}

/* DSDP's problem has no divergence: a negligible weight */
static inline rbv_consistency_options without_divergence(void) {
  rbv_consistency_options o = rbv_consistency_defaults();
  o.weight = o.drive_weight = 1e-8;
  return o;
}

#endif
