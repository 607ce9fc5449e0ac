/* Criteria: reports use triangles, searches use Gram matrices. */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "excite/excite_internal.h"

static const char *const criteria[] = {"cond", "dopt", "det", "coupling", "mixed", "sigma"};

const char *rbv_criterion_name(rbv_criterion c) {
  return (int)c >= 0 && (int)c < RBV_COUNT(criteria) ? criteria[c] : "?";
}

bool rbv_criterion_parse(rbv_criterion *out, const char *name) {
  for (int i = 0; i < RBV_COUNT(criteria); i++)
    if (strcmp(name, criteria[i]) == 0) {
      *out = (rbv_criterion)i;
      return true;
    }
  return false;
}

double rbv_score_value(const rbv_score *s, const rbv_excite_options *o) {
  switch (o->criterion) {
    case RBV_CRITERION_COND: return s->condition_scaled;
    case RBV_CRITERION_DOPT: return s->dopt;
    case RBV_CRITERION_DETERMINANT: return -s->determinant;
    case RBV_CRITERION_COUPLING: return s->coupling;
    case RBV_CRITERION_MIXED: return -s->mixed;
    default: return o->mean ? s->mean : s->worst;
  }
}

/* Villagrossi 2014 eq. 7 */
static double mixed(double determinant, double coupling, int n, double lambda) {
  return lambda * determinant + (1 - lambda) * (n * (n - 1) / 2) / coupling;
}

/* ---- from triangles ---- */

/* inverse of R with columns scaled to unit norm; false when they are dependent */
static bool scaled_inverse(double *inverse, double *norm, double *room, const double *R, int n) {
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i <= j; i++) sum += R[i + j * n] * R[i + j * n];
    norm[j] = sqrt(sum);
    for (int i = 0; i < n; i++) room[i + j * n] = i <= j ? R[i + j * n] / norm[j] : 0;
    // a pivot as small as rounding counts as zero
    if (!(norm[j] > 0) || !(fabs(room[j + j * n]) > 1e-13)) return false;
  }
  return rbv_invert_upper(inverse, room, n, n) == RBV_OK;
}

static double log_det(const double *R, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) sum += 2 * log(fabs(R[j + j * n]));
  return sum;
}

/* rows of inv(R) to unit norm: their products are the correlations */
static double coupling_of(double *matrix, double *inverse, double *norm, int n) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = i; k < n; k++) sum += inverse[i + k * n] * inverse[i + k * n];
    norm[i] = sqrt(sum);
    for (int k = i; k < n; k++) inverse[i + k * n] /= norm[i];
  }
  double total = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      double sum = 0;
      for (int k = j; k < n; k++) sum += inverse[i + k * n] * inverse[j + k * n];
      if (matrix) matrix[i + j * n] = matrix[j + i * n] = fabs(sum);
      if (j > i) total += fabs(sum);
    }
  return total;
}

static void put_sigmas(rbv_score *s, double *sigma, const rbv_excite *e, const double *norm,
                       const double *row, int n) {
  double sum = 0;
  int count = 0;
  s->worst = s->mean = NAN;
  for (int j = 0; j < n; j++) {
    const double sd = row[j] / norm[j];
    if (sigma) sigma[j] = sd;
    if (!e || !(e->target[j] > 0)) continue;
    const double relative = sd / e->size[j];
    s->worst = count ? fmax(s->worst, relative) : relative;
    sum += relative;
    count++;
  }
  if (count) s->mean = sum / count;
}

rbv_status rbv_score_triangles(rbv_score *s, double *sigma, double *coupling, const rbv_excite *e,
                               const double *R, const double *plain, int n, ptrdiff_t samples,
                               double lambda) {
  const size_t nn = (size_t)n * (size_t)n;
  double *room = rbv_alloc((2 * nn + 2 * (size_t)n) * sizeof *room);
  if (!room) return RBV_EMEM;
  double *inverse = room + nn, *norm = inverse + nn, *row = norm + n;
  *s = (rbv_score){.columns = n, .samples = samples};
  rbv_status status = rbv_condition(&s->condition, &s->condition_scaled, plain, n, n, n);
  s->dopt = -log_det(R, n);
  s->determinant = log_det(plain, n) / log(10) - n * log10((double)samples);
  if (status == RBV_OK && scaled_inverse(inverse, norm, room, plain, n)) {
    s->coupling = coupling_of(coupling, inverse, row, n);
    s->mixed = mixed(s->determinant, s->coupling, n, lambda);
  } else {
    s->coupling = s->dopt = s->condition_scaled = s->condition = INFINITY;
    s->determinant = s->mixed = -INFINITY;
  }
  if (status == RBV_OK && isfinite(s->coupling) && scaled_inverse(inverse, norm, room, R, n)) {
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = i; k < n; k++) sum += inverse[i + k * n] * inverse[i + k * n];
      row[i] = sqrt(sum);
    }
    put_sigmas(s, sigma, e, norm, row, n);
  } else {
    s->worst = s->mean = INFINITY;
    for (int j = 0; sigma && j < n; j++) sigma[j] = INFINITY;
  }
  rbv_free(room);
  return status;
}

rbv_status rbv_score_matrix(rbv_score *score, double *coupling, const double *W, int rows,
                            int columns, int ld, ptrdiff_t samples, double lambda) {
  rbv_qr *qr = NULL;
  double *R = rbv_alloc((size_t)columns * (size_t)columns * sizeof *R);
  rbv_status status = R ? rbv_qr_new(&qr, columns) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_qr_add(qr, W, rows, ld);
  if (status == RBV_OK) {
    rbv_qr_get(R, qr);
    status = rbv_score_triangles(score, NULL, coupling, NULL, R, R, columns, samples, lambda);
  }
  rbv_qr_free(qr);
  rbv_free(R);
  return status;
}

/* ---- from Gram matrices ---- */

#define COND_NORM 8   // of eigenvalues: the 16-norm of singular values
#define SIGMA_NORM 4  // of variances: the 8-norm of sigmas
#define ROUND 3e-2    // corner of |correlation| in the smooth coupling

void rbv_gram_layout(gram_work *w, int n, rbv_arena *a) {
  w->scale = RBV_TAKE(a, n, double);
  w->lambda = RBV_TAKE(a, n, double);
  w->A = RBV_TAKE(a, n * n, double);
  w->U = RBV_TAKE(a, n * n, double);
  w->psi = RBV_TAKE(a, n * n, double);
  w->V = RBV_TAKE(a, n * n, double);
  w->M = RBV_TAKE(a, n * n, double);
}

/* log of a p-norm's p-th power, and weights x^(p-1) / sum x^p */
static double log_power_sum(double *weight, const double *x, int n, double p) {
  double top = -INFINITY, sum = 0;
  for (int i = 0; i < n; i++) top = fmax(top, p * log(x[i]));
  for (int i = 0; i < n; i++) sum += exp(p * log(x[i]) - top);
  for (int i = 0; i < n; i++) weight[i] = exp(p * log(x[i]) - top) / sum / x[i];
  return top + log(sum);
}

/*
 * M = df/dA for the scaled matrix A, f = (log |lambda|_p + log |1/lambda|_p) / 2; then back through
 * the scaling: tr(M dA) = tr(S M S dG) - sum_i (M A)_ii dG_ii / G_ii.
 */
static rbv_status cond_value(double *value, double *slope, gram_work *w, int n, bool smooth) {
  RBV_TRY(rbv_eigen_symmetric(w->lambda, slope ? w->V : NULL, w->A, n, n));
  if (!(w->lambda[0] > 1e-14 * w->lambda[n - 1])) {
    *value = INFINITY;
    return RBV_OK;
  }
  *value = sqrt(w->lambda[n - 1] / w->lambda[0]);
  if (!smooth) return RBV_OK;
  double *up = w->psi, *down = w->psi + n, *inverse = w->psi + 2 * n;
  for (int i = 0; i < n; i++) inverse[i] = 1 / w->lambda[i];
  const double p = COND_NORM;
  *value = (log_power_sum(up, w->lambda, n, p) + log_power_sum(down, inverse, n, p)) / (2 * p);
  *value = exp(*value);
  if (!slope) return RBV_OK;
  memset(w->M, 0, (size_t)(n * n) * sizeof *w->M);
  for (int k = 0; k < n; k++) {
    const double weight = *value * (up[k] - down[k] * inverse[k] * inverse[k]) / 2;
    const double *v = w->V + (ptrdiff_t)k * n;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) w->M[i + j * n] += weight * v[i] * v[j];
  }
  for (int j = 0; j < n; j++) {
    double diagonal = 0;
    for (int i = 0; i < n; i++) {
      const double a = i >= j ? w->A[i + j * n] : w->A[j + i * n];
      diagonal += w->M[i + j * n] * a;
      slope[i + j * n] = w->scale[i] * w->M[i + j * n] * w->scale[j];
    }
    slope[j + j * n] -= diagonal * w->scale[j] * w->scale[j];
  }
  return RBV_OK;
}

/* psi = inv(A), both triangles; U holds the triangle of A */
static rbv_status invert(gram_work *w, int n) {
  RBV_TRY(rbv_invert_upper(w->V, w->U, n, n));
  memset(w->psi, 0, (size_t)(n * n) * sizeof *w->psi);
  // columns of inv(U) one after the other
  for (int k = 0; k < n; k++)
    for (int j = 0; j <= k; j++) {
      const double x = w->V[j + k * n];
      for (int i = j; i <= k; i++) w->psi[i + j * n] += x * w->V[i + k * n];
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) w->psi[i + j * n] = w->psi[j + i * n];
  return RBV_OK;
}

/* coupling index of psi; M (may be NULL) gets its derivative by psi */
static double coupling_value(double *M, const double *psi, int n, bool smooth) {
  double total = 0;
  if (M) memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++) {
      const double size = sqrt(psi[i + i * n] * psi[j + j * n]), c = psi[i + j * n] / size;
      const double value = smooth ? sqrt(c * c + ROUND * ROUND) : fabs(c);
      total += value;
      if (!M) continue;
      const double slope = c / value;
      M[i + j * n] += slope / (2 * size);
      M[j + i * n] += slope / (2 * size);
      M[i + i * n] -= slope * c / (2 * psi[i + i * n]);
      M[j + j * n] -= slope * c / (2 * psi[j + j * n]);
    }
  return total;
}

/* relative sigmas of the targets; variances of scaled columns times scale^2 */
static double sigma_value(double *M, const gram_work *w, const rbv_excite *e, int n, bool smooth) {
  double sum = 0, worst = 0;
  int count = 0;
  const bool mean = e->options.mean;
  if (M) memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (int j = 0; j < n; j++) {
    if (!(e->target[j] > 0)) continue;
    count++;
    const double unit = w->scale[j] / e->size[j];
    const double s = sqrt(w->psi[j + j * n]) * unit;
    worst = fmax(worst, s);
    sum += mean ? s : pow(s, 2 * SIGMA_NORM);
  }
  if (count == 0) return NAN;
  const double p = 2 * SIGMA_NORM;
  const double value = mean ? sum / count : smooth ? pow(sum, 1 / p) : worst;
  for (int j = 0; M && j < n; j++) {
    if (!(e->target[j] > 0)) continue;
    const double unit = w->scale[j] / e->size[j];
    const double s = sqrt(w->psi[j + j * n]) * unit;
    const double by_s = mean ? 1. / count : pow(s / value, p - 1);
    M[j + j * n] = by_s * unit * unit / (2 * s);
  }
  return value;
}

/* slope += -S psi M psi S: from the derivative by psi to that by G */
static void from_inverse(double *slope, gram_work *w, double factor, int n) {
  rbv_multiply(w->V, n, w->psi, n, w->M, n, n, n, n);
  rbv_multiply(w->M, n, w->V, n, w->psi, n, n, n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      slope[i + j * n] -= factor * w->scale[i] * w->M[i + j * n] * w->scale[j];
}

static void add_inverse(double *slope, const gram_work *w, double factor, int n) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      slope[i + j * n] += factor * w->scale[i] * w->psi[i + j * n] * w->scale[j];
}

rbv_status rbv_gram_value(double *value, double *slope, gram_work *w, const rbv_excite *e,
                          const double *G, ptrdiff_t samples, bool smooth) {
  const int n = e->n;
  const rbv_criterion criterion = e->options.criterion;
  *value = INFINITY;
  for (int j = 0; j < n; j++) {
    if (!(G[j + j * n] > 0) || !isfinite(G[j + j * n])) return RBV_OK;
    w->scale[j] = 1 / sqrt(G[j + j * n]);
  }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) w->A[i + j * n] = G[i + j * n] * w->scale[i] * w->scale[j];
  if (criterion == RBV_CRITERION_COND) return cond_value(value, slope, w, n, smooth);

  // scaled triangle, transposed so that it is an upper one
  bool definite;
  memcpy(w->V, w->A, (size_t)(n * n) * sizeof *w->V);
  RBV_TRY(rbv_cholesky(&definite, w->V, n, n));
  for (int j = 0; definite && j < n; j++) definite = w->V[j + j * n] > 1e-7;
  if (!definite) return RBV_OK;
  double det = 0;
  for (int j = 0; j < n; j++) {
    det += 2 * log(w->V[j + j * n] / w->scale[j]);
    for (int i = 0; i < n; i++) w->U[i + j * n] = i <= j ? w->V[j + i * n] : 0;
  }
  const double determinant = det / log(10) - n * log10((double)samples);
  const bool dopt = criterion == RBV_CRITERION_DOPT;
  if (dopt || criterion == RBV_CRITERION_DETERMINANT) {
    *value = dopt ? -det : -determinant;
    if (!slope) return RBV_OK;
  }
  RBV_TRY(invert(w, n));
  if (slope) memset(slope, 0, (size_t)(n * n) * sizeof *slope);
  double *M = slope ? w->M : NULL;
  if (dopt || criterion == RBV_CRITERION_DETERMINANT) {
    add_inverse(slope, w, dopt ? -1 : -1 / log(10), n);
  } else if (criterion == RBV_CRITERION_COUPLING) {
    *value = coupling_value(M, w->psi, n, smooth);
    if (slope) from_inverse(slope, w, 1, n);
  } else if (criterion == RBV_CRITERION_SIGMA) {
    *value = sigma_value(M, w, e, n, smooth);
    if (slope) from_inverse(slope, w, 1, n);
  } else {
    const double lambda = e->options.lambda, most = n * (n - 1) / 2;
    const double ic = coupling_value(M, w->psi, n, smooth);
    *value = -mixed(determinant, ic, n, lambda);
    if (slope) from_inverse(slope, w, (1 - lambda) * most / (ic * ic), n);
    if (slope) add_inverse(slope, w, -lambda / log(10), n);
  }
  return RBV_OK;
}
