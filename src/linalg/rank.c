#include <math.h>

#include "linalg/linalg_internal.h"

typedef struct {
  int *order;    // n column numbers, 1-based as in LAPACK
  double *tau;   // min(m, n)
  double *work;  // lwork
} rank_space;

static void layout(rank_space *s, int m, int n, int lwork, rbv_arena *a) {
  s->order = RBV_TAKE(a, n, int);
  s->tau = RBV_TAKE(a, m < n ? m : n, double);
  s->work = RBV_TAKE(a, lwork, double);
}

/* |r_kk|, 0 for k >= count */
static double pivot_size(const double *A, int k, int count, int ld) {
  return k < count ? fabs(A[k + (ptrdiff_t)k * ld]) : 0;
}

rbv_status rbv_rank(rbv_rank_info *info, int *pivot, double *A, int m, int n, int ld, double tol) {
  if (!info) return rbv_fail(RBV_EARG, "info is NULL");
  if (!(tol >= 0 && tol < 1)) return rbv_fail(RBV_EARG, "tol = %g is not in [0, 1)", tol);
  RBV_TRY(rbv_check_matrix("A", A, m, n, ld));

  double best;
  int none;
  (void)lapack_dgeqp3(m, n, A, ld, &none, &best, &best, -1);
  const int lwork = (int)best;

  rank_space s;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&s, m, n, lwork, &carve));
  if (!carve.base) return RBV_EMEM;

  // A P = Q R; order is all zeros, which lets dgeqp3 move every column
  rbv_blas_enter();
  (void)lapack_dgeqp3(m, n, A, ld, s.order, s.tau, s.work, lwork);
  rbv_blas_leave();
  for (int j = 0; pivot && j < n; j++) pivot[j] = s.order[j] - 1;
  rbv_free(carve.base);

  // the pivots descend: count until the first one that is too small
  const int count = m < n ? m : n;
  const double largest = pivot_size(A, 0, count, ld);
  int rank = 0;
  while (rank < count && pivot_size(A, rank, count, ld) > tol * largest) rank++;

  info->rank = rank;
  info->largest = largest;
  info->accepted = rank > 0 ? pivot_size(A, rank - 1, count, ld) : 0;
  info->rejected = pivot_size(A, rank, count, ld);
  info->gap = info->rejected > 0 ? info->accepted / info->rejected : INFINITY;
  if (!isfinite(largest)) return rbv_fail(RBV_ENUM, "the norm of a column of A overflows");
  return RBV_OK;
}
