#include <string.h>

#include "linalg/linalg_internal.h"

static rbv_status singular(const char *name, int k) {
  return rbv_fail(RBV_ENUM, "%s is singular: pivot %d is zero", name, k - 1);
}

rbv_status rbv_solve_upper(double *B, int nrhs, int ldb, const double *R, int n, int ld) {
  RBV_TRY(rbv_check_triangle("R", 'U', R, n, ld));
  RBV_TRY(rbv_check_matrix("B", B, n, nrhs, ldb));
  rbv_blas_enter();
  const int k = lapack_dtrtrs('U', 'N', 'N', n, nrhs, R, ld, B, ldb);
  rbv_blas_leave();
  if (k > 0) return singular("R", k);
  return rbv_check_result("the solution", B, n, nrhs, ldb);
}

rbv_status rbv_invert_upper(double *Rinv, const double *R, int n, int ld) {
  if (!Rinv) return rbv_fail(RBV_EARG, "Rinv is NULL");
  RBV_TRY(rbv_check_triangle("R", 'U', R, n, ld));
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++) Rinv[i + j * n] = i > j ? 0 : R[i + j * ld];
  rbv_blas_enter();
  const int k = lapack_dtrtri('U', 'N', n, Rinv, n);
  rbv_blas_leave();
  if (k > 0) return singular("R", k);
  return rbv_check_result("the inverse", Rinv, n, n, n);
}

rbv_status rbv_solve_cholesky(double *B, int nrhs, int ldb, const double *L, int n, int ld) {
  RBV_TRY(rbv_check_triangle("L", 'L', L, n, ld));
  RBV_TRY(rbv_check_matrix("B", B, n, nrhs, ldb));
  for (ptrdiff_t j = 0; j < n; j++)
    if (L[j + j * ld] == 0) return singular("L", (int)j + 1);
  rbv_blas_enter();
  (void)lapack_dpotrs('L', n, nrhs, L, ld, B, ldb);
  rbv_blas_leave();
  return rbv_check_result("the solution", B, n, nrhs, ldb);
}

typedef struct {
  double *A;   // n x n
  int *swaps;  // n
} general_space;

static void general_layout(general_space *s, int n, rbv_arena *a) {
  s->A = RBV_TAKE(a, (size_t)n * (size_t)n, double);
  s->swaps = RBV_TAKE(a, n, int);
}

rbv_status rbv_solve_general(double *B, int nrhs, int ldb, const double *A, int n, int ld) {
  RBV_TRY(rbv_check_matrix("A", A, n, n, ld));
  RBV_TRY(rbv_check_matrix("B", B, n, nrhs, ldb));

  general_space s;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, general_layout(&s, n, &carve));
  if (!carve.base) return RBV_EMEM;

  rbv_copy_matrix(s.A, n, A, ld, n, n);
  rbv_blas_enter();
  const int k = lapack_dgesv(n, nrhs, s.A, n, s.swaps, B, ldb);
  rbv_blas_leave();
  rbv_free(carve.base);
  if (k > 0) return singular("A", k);
  return rbv_check_result("the solution", B, n, nrhs, ldb);
}

typedef struct {
  double *A;     // m x n
  double *b;     // max(m, n): right-hand side, then solution
  double *s;     // min(m, n)
  double *work;  // lwork
  int *iwork;    // liwork
} squares_space;

static void squares_layout(squares_space *w, int m, int n, int lwork, int liwork, rbv_arena *a) {
  w->A = RBV_TAKE(a, (size_t)m * (size_t)n, double);
  w->b = RBV_TAKE(a, m > n ? m : n, double);
  w->s = RBV_TAKE(a, m < n ? m : n, double);
  w->work = RBV_TAKE(a, lwork, double);
  w->iwork = RBV_TAKE(a, liwork, int);
}

rbv_status rbv_least_squares(double *x, int *rank, double *s, const double *A, int m, int n, int ld,
                             const double *b, double rcond) {
  if (!x) return rbv_fail(RBV_EARG, "x is NULL");
  if (!(rcond >= 0 && rcond < 1)) return rbv_fail(RBV_EARG, "rcond = %g is not in [0, 1)", rcond);
  RBV_TRY(rbv_check_matrix("A", A, m, n, ld));
  RBV_TRY(rbv_check_matrix("b", b, m, 1, m));

  const int tall = m > n ? m : n;
  double best = 0, none = 0;
  int liwork = 0, found = 0;
  (void)lapack_dgelsd(m, n, 1, &none, m, &none, tall, &none, rcond, &found, &best, -1, &liwork);
  const int lwork = (int)best;

  squares_space w;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, squares_layout(&w, m, n, lwork, liwork, &carve));
  if (!carve.base) return RBV_EMEM;

  // copies, because LAPACK works in place; the copy of b is long enough to hold x
  rbv_copy_matrix(w.A, m, A, ld, m, n);
  memcpy(w.b, b, (size_t)m * sizeof *b);
  rbv_blas_enter();
  const int failed =
      lapack_dgelsd(m, n, 1, w.A, m, w.b, tall, w.s, rcond, &found, w.work, lwork, w.iwork);
  rbv_blas_leave();

  rbv_status status = RBV_OK;
  if (failed) {
    status = rbv_fail(RBV_ENUM, "the singular values of A did not converge");
    goto done;
  }
  memcpy(x, w.b, (size_t)n * sizeof *x);
  if (s) memcpy(s, w.s, (size_t)(m < n ? m : n) * sizeof *s);
  if (rank) *rank = found;
  status = rbv_check_result("the solution", x, n, 1, n);
done:
  rbv_free(carve.base);
  return status;
}
