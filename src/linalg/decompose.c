#include <math.h>
#include <string.h>

#include "linalg/linalg_internal.h"

static rbv_status no_convergence(void) {
  return rbv_fail(RBV_ENUM, "the singular values of A did not converge");
}

/* workspace size that dgesdd requires; job 'N': singular values only, 'S': thin U and Vt */
static int svd_lwork(char job, int m, int n) {
  const int k = m < n ? m : n;
  double best = 0, none = 0;
  int inone = 0;
  (void)lapack_dgesdd(job, m, n, &none, m, &none, &none, m, &none, k, &best, -1, &inone);
  return (int)best;
}

typedef struct {
  double *A;     // m x n
  double *U;     // m x k, when the caller wants only Vt
  double *Vt;    // k x n, when the caller wants only U
  double *work;  // lwork
  int *iwork;    // 8 k
} svd_space;

static void svd_layout(svd_space *w, int m, int n, bool U, bool Vt, int lwork, rbv_arena *a) {
  const size_t k = (size_t)(m < n ? m : n);
  w->A = RBV_TAKE(a, (size_t)m * (size_t)n, double);
  w->U = RBV_TAKE(a, U ? (size_t)m * k : 0, double);
  w->Vt = RBV_TAKE(a, Vt ? k * (size_t)n : 0, double);
  w->work = RBV_TAKE(a, lwork, double);
  w->iwork = RBV_TAKE(a, 8 * k, int);
}

rbv_status rbv_svd(double *s, double *U, double *Vt, const double *A, int m, int n, int ld) {
  if (!s) return rbv_fail(RBV_EARG, "s is NULL");
  RBV_TRY(rbv_check_matrix("A", A, m, n, ld));

  // LAPACK computes both U and Vt or neither: the one that was not requested goes to scratch memory
  const char job = U || Vt ? 'S' : 'N';
  const int k = m < n ? m : n, lwork = svd_lwork(job, m, n);
  svd_space w;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, svd_layout(&w, m, n, Vt && !U, U && !Vt, lwork, &carve));
  if (!carve.base) return RBV_EMEM;

  rbv_copy_matrix(w.A, m, A, ld, m, n);
  rbv_blas_enter();
  const int failed = lapack_dgesdd(job, m, n, w.A, m, s, U ? U : w.U, m, Vt ? Vt : w.Vt, k, w.work,
                                   lwork, w.iwork);
  rbv_blas_leave();
  rbv_free(carve.base);
  return failed ? no_convergence() : RBV_OK;
}

typedef struct {
  double *A;     // m x n, then R above its diagonal
  double *R;     // n x n, scaled or not; destroyed by the SVD
  double *s;     // n
  double *tau;   // n
  double *work;  // lwork
  int *iwork;    // 8 n
} condition_space;

static void condition_layout(condition_space *w, int m, int n, int lwork, rbv_arena *a) {
  w->A = RBV_TAKE(a, (size_t)m * (size_t)n, double);
  w->R = RBV_TAKE(a, (size_t)n * (size_t)n, double);
  w->s = RBV_TAKE(a, n, double);
  w->tau = RBV_TAKE(a, n, double);
  w->work = RBV_TAKE(a, lwork, double);
  w->iwork = RBV_TAKE(a, 8 * (size_t)n, int);
}

/* condition number of the triangle in w->A; scaled: with the columns scaled to unit norm */
static rbv_status triangle_condition(double *cond, const condition_space *w, int m, int n,
                                     bool scaled, int lwork) {
  for (ptrdiff_t j = 0; j < n; j++) {
    const double *r = w->A + j * m;
    const double norm = lapack_dlange('F', (int)j + 1, 1, r, (int)j + 1, w->work);
    if (!isfinite(norm)) return rbv_fail(RBV_ENUM, "the norm of column %td of A overflows", j);
    if (norm == 0) {
      *cond = INFINITY;  // zero column: the SVD would return 1e-17, not 0
      return RBV_OK;
    }
    for (ptrdiff_t i = 0; i < n; i++) w->R[i + j * n] = i > j ? 0 : scaled ? r[i] / norm : r[i];
  }
  double none;
  if (lapack_dgesdd('N', n, n, w->R, n, w->s, &none, n, &none, n, w->work, lwork, w->iwork) != 0)
    return no_convergence();
  *cond = w->s[n - 1] > 0 ? w->s[0] / w->s[n - 1] : INFINITY;
  return RBV_OK;
}

rbv_status rbv_condition(double *cond, double *cond_scaled, const double *A, int m, int n, int ld) {
  RBV_TRY(rbv_check_matrix("A", A, m, n, ld));

  // fewer rows than columns: the columns are linearly dependent
  if (cond) *cond = INFINITY;
  if (cond_scaled) *cond_scaled = INFINITY;
  if (m < n) return RBV_OK;

  double best = 0, none = 0;
  (void)lapack_dgeqrf(m, n, &none, m, &none, &best, -1);
  const int small = svd_lwork('N', n, n), lwork = best > small ? (int)best : small;
  condition_space w;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, condition_layout(&w, m, n, lwork, &carve));
  if (!carve.base) return RBV_EMEM;

  // A = Q R has the singular values and the column norms of R, so one QR serves both
  rbv_copy_matrix(w.A, m, A, ld, m, n);
  rbv_blas_enter();
  (void)lapack_dgeqrf(m, n, w.A, m, w.tau, w.work, lwork);
  rbv_status status = RBV_OK;
  if (cond) status = triangle_condition(cond, &w, m, n, false, lwork);
  if (cond_scaled && status == RBV_OK)
    status = triangle_condition(cond_scaled, &w, m, n, true, lwork);
  rbv_blas_leave();
  rbv_free(carve.base);
  return status;
}

rbv_status rbv_cholesky(bool *definite, double *A, int n, int ld) {
  if (!definite) return rbv_fail(RBV_EARG, "definite is NULL");
  *definite = false;
  RBV_TRY(rbv_check_triangle("A", 'L', A, n, ld));
  rbv_blas_enter();
  *definite = lapack_dpotrf('L', n, A, ld) == 0;
  rbv_blas_leave();
  for (ptrdiff_t j = 1; j < n; j++) memset(A + j * ld, 0, (size_t)j * sizeof *A);
  return RBV_OK;
}

typedef struct {
  double *V;     // n x n, when the caller wants values only
  double *work;  // lwork
  int *iwork;    // liwork
} eigen_space;

static void eigen_layout(eigen_space *w, int n, bool V, int lwork, int liwork, rbv_arena *a) {
  w->V = RBV_TAKE(a, V ? (size_t)n * (size_t)n : 0, double);
  w->work = RBV_TAKE(a, lwork, double);
  w->iwork = RBV_TAKE(a, liwork, int);
}

rbv_status rbv_eigen_symmetric(double *values, double *V, const double *A, int n, int ld) {
  if (!values) return rbv_fail(RBV_EARG, "values is NULL");
  RBV_TRY(rbv_check_triangle("A", 'L', A, n, ld));

  const char job = V ? 'V' : 'N';
  double best = 0, none = 0;
  int liwork = 0;
  (void)lapack_dsyevd(job, 'L', n, &none, n, &none, &best, -1, &liwork, -1);
  const int lwork = (int)best;
  eigen_space w;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, eigen_layout(&w, n, !V, lwork, liwork, &carve));
  if (!carve.base) return RBV_EMEM;

  // dsyevd reads the lower triangle and writes the eigenvectors to the same place
  double *in = V ? V : w.V;
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++) in[i + j * n] = i < j ? 0 : A[i + j * ld];
  rbv_blas_enter();
  const int failed = lapack_dsyevd(job, 'L', n, in, n, values, w.work, lwork, w.iwork, liwork);
  rbv_blas_leave();
  rbv_free(carve.base);
  if (failed) return rbv_fail(RBV_ENUM, "the eigenvalues of A did not converge");
  return RBV_OK;
}
