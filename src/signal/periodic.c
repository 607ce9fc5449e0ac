#include <math.h>
#include <string.h>

#include "signal/signal.h"

#include "base/support.h"

static rbv_status check(const double *X, ptrdiff_t ldx, ptrdiff_t nsample, int ncol) {
  if (!X) return rbv_fail(RBV_EARG, "X is NULL");
  if (ncol < 1 || nsample < 1)
    return rbv_fail(RBV_EARG, "%td samples in %d columns: the block is empty", nsample, ncol);
  if (ldx < nsample)
    return rbv_fail(RBV_EDIM, "leading dimension %td is too small for %td samples", ldx, nsample);
  return RBV_OK;
}

/* ---- averages over periods ---- */

rbv_status rbv_periodic_average(double *mean, double *variance, const double *X, ptrdiff_t ldx,
                                ptrdiff_t nsample, int ncol, ptrdiff_t period) {
  RBV_TRY(check(X, ldx, nsample, ncol));
  if (period < 1)
    return rbv_fail(RBV_EARG, "a period of %td samples: at least 1 is needed", period);
  const ptrdiff_t whole = nsample / period, need = variance ? 2 : 1;
  if (whole < need)
    return rbv_fail(RBV_EDIM,
                    "%td samples contain %td complete periods of %td: %td samples are needed",
                    nsample, whole, period, need * period);
  for (int j = 0; j < ncol; j++) {
    const double *x = X + j * ldx;
    double sum = 0;
    for (ptrdiff_t k = 0; k < period; k++) {
      double m = 0;
      for (ptrdiff_t i = 0; i < whole; i++) m += (x[k + i * period] - x[k]) / (double)whole;
      m += x[k];
      for (ptrdiff_t i = 0; i < whole; i++) {
        const double e = x[k + i * period] - m;
        sum += e * e;
      }
      if (mean) mean[k + j * period] = m;
    }
    if (variance) variance[j] = sum / (double)((whole - 1) * period);
  }
  return RBV_OK;
}

/* ---- harmonics ---- */

struct rbv_harmonic_work {
  int nharmonic, ncoef, ncol;
  double *row;   // 2 ncoef: the basis at one time, up to twice the highest harmonic
  double *sums;  // 2 ncoef: sums of these
  double *gram;  // ncoef x ncoef, lower triangle; then its Cholesky factor
  double *rhs;   // ncoef x ncol
};

static void layout(rbv_harmonic_work *w, rbv_arena *a) {
  w->row = RBV_TAKE(a, 2 * w->ncoef, double);
  w->sums = RBV_TAKE(a, 2 * w->ncoef, double);
  w->gram = RBV_TAKE(a, (size_t)w->ncoef * (size_t)w->ncoef, double);
  w->rhs = RBV_TAKE(a, (size_t)w->ncoef * (size_t)w->ncol, double);
}

rbv_status rbv_harmonic_work_new(rbv_harmonic_work **out, int nharmonic, int ncol) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (nharmonic < 1 || nharmonic > 10000 || ncol < 1)
    return rbv_fail(RBV_EARG, "%d harmonics in %d columns cannot be fitted", nharmonic, ncol);
  rbv_harmonic_work w = {.nharmonic = nharmonic, .ncoef = 2 * nharmonic + 1, .ncol = ncol};
  rbv_harmonic_work *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&w, a));
  if (!fresh) return RBV_EMEM;
  *fresh = w;
  *out = fresh;
  return RBV_OK;
}

void rbv_harmonic_work_free(rbv_harmonic_work *w) { rbv_free(w); }

/* 1, cos wt, sin wt, cos 2wt, ... */
static void basis(double *row, int nharmonic, double period, double t) {
  // reduce to one period first: multiples of a large angle would lose digits
  const double turn = remainder(t, period) / period;
  row[0] = 1;
  for (int l = 1; l <= nharmonic; l++) {
    const double angle = 2 * RBV_PI * remainder(l * turn, 1);
    row[2 * l - 1] = cos(angle);
    row[2 * l] = sin(angle);
  }
}

/* A = L L' in the lower triangle; false if A is not positive definite to working precision */
static bool cholesky(double *A, int n) {
  for (int j = 0; j < n; j++) {
    double diag = A[j + j * n];
    const double before = diag;
    for (int k = 0; k < j; k++) diag -= A[j + k * n] * A[j + k * n];
    if (!(diag > 1e-10 * before)) return false;
    A[j + j * n] = sqrt(diag);
    for (int i = j + 1; i < n; i++) {
      double sum = A[i + j * n];
      for (int k = 0; k < j; k++) sum -= A[i + k * n] * A[j + k * n];
      A[i + j * n] = sum / A[j + j * n];
    }
  }
  return true;
}

static void cholesky_solve(double *b, const double *L, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) b[i] -= L[i + k * n] * b[k];
    b[i] /= L[i + i * n];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= L[k + i * n] * b[k];
    b[i] /= L[i + i * n];
  }
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* products of two harmonics are sums of harmonics: 2 cos a cos b = cos(a - b) + cos(a + b) */
static void add_gram(rbv_harmonic_work *w, const double *t, ptrdiff_t nsample, double period) {
  const int n = w->ncoef, most = 2 * w->nharmonic;
  double *s = w->sums;
  memset(s, 0, 2 * (size_t)n * sizeof *s);
  for (ptrdiff_t k = 0; k < nsample; k++) {
    basis(w->row, most, period, t[k]);
    for (int i = 0; i <= 2 * most; i++) s[i] += w->row[i];
  }
  // sums of cos(l w t) and sin(l w t)
#define COS(l) ((l) == 0 ? s[0] : s[2 * (l)-1])
#define SIN(l) ((l) == 0 ? 0 : s[2 * (l)])
  for (int j = 0; j <= w->nharmonic; j++)
    for (int i = j; i <= w->nharmonic; i++) {
      double *cosine = w->gram + (j == 0 ? 0 : 2 * j - 1) * n, *sine = w->gram + 2 * j * n;
      const int c = i == 0 ? 0 : 2 * i - 1;
      cosine[c] = (COS(i - j) + COS(i + j)) / 2;
      if (i > 0) cosine[2 * i] = (SIN(i + j) + SIN(i - j)) / 2;
      if (j == 0) continue;
      sine[c] = (SIN(i + j) - SIN(i - j)) / 2;  // above the diagonal for i = j: not read
      sine[2 * i] = (COS(i - j) - COS(i + j)) / 2;
    }
#undef COS
#undef SIN
}

rbv_status rbv_harmonic_fit(double *coef, double *variance, rbv_harmonic_work *w, const double *t,
                            const double *X, ptrdiff_t ldx, ptrdiff_t nsample, double period) {
  if (!coef || !w || !t) return rbv_fail(RBV_EARG, "coef, w or t is NULL");
  RBV_TRY(check(X, ldx, nsample, w->ncol));
  const int n = w->ncoef;
  if (!(period > 0)) return rbv_fail(RBV_EARG, "period %g s must be positive", period);
  if (nsample <= n)
    return rbv_fail(RBV_EDIM, "%td samples are too few for %d harmonics: at least %d are needed",
                    nsample, w->nharmonic, n + 1);
  const double span = t[nsample - 1] - t[0], interval = span / (double)(nsample - 1);
  if (!(span + interval >= period * (1 - 1e-9)))
    return rbv_fail(RBV_EDIM, "the samples span %g s: at least one period of %g s is needed", span,
                    period);

  // normal equations are accurate enough: over a period the basis is nearly orthogonal
  add_gram(w, t, nsample, period);
  if (!cholesky(w->gram, n))
    return rbv_fail(
        RBV_EINPUT,
        "%d harmonics of %g s cannot be separated with these samples: the highest is %g "
        "Hz, the mean sample rate %g Hz",
        w->nharmonic, period, w->nharmonic / period, 1 / interval);

  // solve, then solve again for the residual, which removes the rounding errors of the first
  // solution
  memset(coef, 0, (size_t)n * (size_t)w->ncol * sizeof *coef);
  for (int round = 0; round < 2; round++) {
    memset(w->rhs, 0, (size_t)n * (size_t)w->ncol * sizeof *w->rhs);
    for (ptrdiff_t k = 0; k < nsample; k++) {
      basis(w->row, w->nharmonic, period, t[k]);
      for (int j = 0; j < w->ncol; j++) {
        const double e = X[k + j * ldx] - dot(w->row, coef + j * n, n);
        for (int i = 0; i < n; i++) w->rhs[i + j * n] += w->row[i] * e;
      }
    }
    for (int j = 0; j < w->ncol; j++) {
      cholesky_solve(w->rhs + j * n, w->gram, n);
      for (int i = 0; i < n; i++) coef[i + j * n] += w->rhs[i + j * n];
    }
  }
  for (int i = 0; i < n * w->ncol; i++)
    if (!isfinite(coef[i])) return rbv_fail(RBV_ENUM, "column %d is not finite", i / n);

  if (!variance) return RBV_OK;
  memset(variance, 0, (size_t)w->ncol * sizeof *variance);
  for (ptrdiff_t k = 0; k < nsample; k++) {
    basis(w->row, w->nharmonic, period, t[k]);
    for (int j = 0; j < w->ncol; j++) {
      const double e = X[k + j * ldx] - dot(w->row, coef + j * n, n);
      variance[j] += e * e / (double)(nsample - n);
    }
  }
  return RBV_OK;
}

void rbv_harmonic_eval(double *x, double *dx, double *ddx, const double *coef, int nharmonic,
                       double period, const double *t, ptrdiff_t nsample) {
  const double w = 2 * RBV_PI / period;
  for (ptrdiff_t k = 0; k < nsample; k++) {
    const double turn = remainder(t[k], period) / period;
    double p = coef[0], v = 0, a = 0;
    for (int l = 1; l <= nharmonic; l++) {
      const double angle = 2 * RBV_PI * remainder(l * turn, 1);
      const double c = coef[2 * l - 1] * cos(angle) + coef[2 * l] * sin(angle);
      const double s = coef[2 * l] * cos(angle) - coef[2 * l - 1] * sin(angle);
      p += c;
      v += l * w * s;
      a -= l * w * l * w * c;
    }
    x[k] = p;
    if (dx) dx[k] = v;
    if (ddx) ddx[k] = a;
  }
}
