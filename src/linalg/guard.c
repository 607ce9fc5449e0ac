#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "linalg/linalg_internal.h"

// a lock, not only an atomic counter: reading the setting and changing it must be one step
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;        // callers between enter and leave
static int host_threads;  // thread count of the calling program, saved by the first caller

void rbv_blas_enter(void) {
  pthread_mutex_lock(&lock);
  if (inside++ == 0) {
    host_threads = openblas_get_num_threads();
    if (host_threads != 1) openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

void rbv_blas_leave(void) {
  pthread_mutex_lock(&lock);
  if (--inside == 0 && host_threads != 1) openblas_set_num_threads(host_threads);
  pthread_mutex_unlock(&lock);
}

/* of OpenBLAS with threads of its own; builds without them, or with OpenMP, do not have it */
extern int blas_thread_shutdown_(void) __attribute__((weak));

void rbv_linalg_end_threads(void) {
  pthread_mutex_lock(&lock);
  openblas_set_num_threads(1);
  if (inside == 0 && blas_thread_shutdown_) blas_thread_shutdown_();
  pthread_mutex_unlock(&lock);
}

#define LANES 8  // independent sums: an addition does not wait for the one before

/* index of the first value of x that is not finite, n if there is none */
static ptrdiff_t first_bad(const double *x, ptrdiff_t n) {
  // 0 x is 0 for finite numbers only; independent sums without early exit, so that the compiler can
  // vectorise the usual case
  double zero[LANES] = {0}, sum = 0;
  ptrdiff_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++) zero[k] += 0 * x[i + k];
  for (int k = 0; k < LANES; k++) sum += zero[k];
  if (sum != 0) i = 0;  // a NaN too
  while (i < n && isfinite(x[i])) i++;
  return i;
}

double rbv_dot(const double *x, const double *y, ptrdiff_t n) {
  double sum[LANES] = {0}, total = 0;
  ptrdiff_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++) sum[k] += x[i + k] * y[i + k];
  for (; i < n; i++) total += x[i] * y[i];
  for (int k = 0; k < LANES; k++) total += sum[k];
  return total;
}

static rbv_status check_shape(const char *name, const double *A, ptrdiff_t m, ptrdiff_t n,
                              ptrdiff_t ld) {
  if (!A) return rbv_fail(RBV_EARG, "%s is NULL", name);
  if (m < 1 || n < 1) return rbv_fail(RBV_EDIM, "%s is %td x %td: empty", name, m, n);
  if (ld < m)
    return rbv_fail(RBV_EDIM, "%s has %td rows, its leading dimension is %td", name, m, ld);
  return RBV_OK;
}

static rbv_status not_finite(const char *name, ptrdiff_t i, ptrdiff_t j) {
  return rbv_fail(RBV_ENUM, "%s is not finite in row %td, column %td", name, i, j);
}

rbv_status rbv_check_matrix(const char *name, const double *A, ptrdiff_t m, ptrdiff_t n,
                            ptrdiff_t ld) {
  RBV_TRY(check_shape(name, A, m, n, ld));
  for (ptrdiff_t j = 0; j < n; j++) {
    const ptrdiff_t i = first_bad(A + j * ld, m);
    if (i < m) return not_finite(name, i, j);
  }
  return RBV_OK;
}

rbv_status rbv_check_triangle(const char *name, char which, const double *A, int n, int ld) {
  RBV_TRY(check_shape(name, A, n, n, ld));
  for (ptrdiff_t j = 0; j < n; j++) {
    const ptrdiff_t begin = which == 'U' ? 0 : j, end = which == 'U' ? j + 1 : n;
    const ptrdiff_t i = begin + first_bad(A + j * ld + begin, end - begin);
    if (i < end) return not_finite(name, i, j);
  }
  return RBV_OK;
}

rbv_status rbv_check_result(const char *name, const double *A, int m, int n, int ld) {
  for (ptrdiff_t j = 0; j < n; j++)
    if (first_bad(A + j * ld, m) < m)
      return rbv_fail(RBV_ENUM, "%s overflows: the matrix is numerically singular", name);
  return RBV_OK;
}

void rbv_copy_matrix(double *B, ptrdiff_t ldb, const double *A, ptrdiff_t lda, ptrdiff_t m, int n) {
  for (ptrdiff_t j = 0; j < n; j++) memcpy(B + j * ldb, A + j * lda, (size_t)m * sizeof *B);
}

const char *rbv_linalg_library(int i, char version[64]) {
  if (i != 0) return NULL;
  // "OpenBLAS 0.3.21 NO_LAPACKE ... Haswell MAX_THREADS=64": copy the number only
  const char *config = openblas_get_config();
  const char *number = strchr(config, ' ');
  number = number ? number + 1 : config;
  snprintf(version, 64, "%.*s", (int)strcspn(number, " "), number);
  return "OpenBLAS";
}
