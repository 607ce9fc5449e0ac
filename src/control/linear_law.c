/* Estimation of a linear law: least squares, refined instrumental variables, prediction error
 * method. */
#include "control/linear_law.h"

#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#define BLOCK 256       // rows that are added to a triangular factor at once
#define NOISE_ORDER 24  // largest order of the AR noise model
#define BATCHES 60      // batches of scores, for the covariance under coloured noise
#define LAGS 25         // lags of the dependence test, in both directions

struct law_work {
  ptrdiff_t length;
  double *simulated, *residual;  // output of the law; out minus simulated
  double *response;              // impulse response
  double *filtered_out, *filtered_simulated, *filtered_in[LAW_INPUTS];
  double *rows;  // BLOCK x columns
  rbv_ar_work *burg;
  rbv_ar noise;
};

#define STARTS (LAW_COEFFICIENTS + 1)
#define COLUMNS (STARTS + LAW_PARAMETERS + LAW_COEFFICIENTS + 1)

static void layout(law_work *w, ptrdiff_t length, rbv_arena *a) {
  w->simulated = RBV_TAKE(a, length, double);
  w->residual = RBV_TAKE(a, length, double);
  w->response = RBV_TAKE(a, length, double);
  w->filtered_out = RBV_TAKE(a, length, double);
  w->filtered_simulated = RBV_TAKE(a, length, double);
  for (int m = 0; m < LAW_INPUTS; m++) w->filtered_in[m] = RBV_TAKE(a, length, double);
  w->rows = RBV_TAKE(a, BLOCK * COLUMNS, double);
}

rbv_status law_work_new(law_work **out, ptrdiff_t length) {
  *out = NULL;
  rbv_arena measure = {0};
  law_work sizes;
  (void)RBV_TAKE(&measure, 1, law_work);
  layout(&sizes, length, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  law_work *w = RBV_TAKE(&carve, 1, law_work);
  layout(w, length, &carve);
  w->length = length;
  const rbv_status status = rbv_ar_work_new(&w->burg, length);
  if (status != RBV_OK) {
    rbv_free(w);
    return status;
  }
  *out = w;
  return RBV_OK;
}

void law_work_free(law_work *w) {
  if (!w) return;
  rbv_ar_work_free(w->burg);
  rbv_free(w);
}

/* ---- polynomials ---- */

/* (1 - z^-1)^i has the coefficients (-1)^j i!/(j! (i - j)!), and z^-1 = 1 - d the same in d */
void law_swap_basis(double *out, const double *in, int count) {
  double c[LAW_COEFFICIENTS + 1] = {0};
  for (int i = 0; i < count; i++) {
    double binomial = 1;
    for (int j = 0; j <= i; j++) {
      c[j] += (j % 2 ? -1 : 1) * binomial * in[i];
      binomial *= (double)(i - j) / (j + 1);
    }
  }
  memcpy(out, c, (size_t)count * sizeof *c);
}

void law_poles_plain(double *F, const double *phi, int nf) {
  law_swap_basis(F + 1, phi, nf);
  F[0] = 1;
  for (int i = 1; i <= nf; i++) F[i] = -F[i];
}

void law_poles_differences(double *phi, const double *F, int nf) {
  double late[LAW_COEFFICIENTS];
  for (int i = 0; i < nf; i++) late[i] = -F[i + 1] / F[0];
  law_swap_basis(phi, late, nf);
}

/* move poles into the unit circle, so that the law can be simulated */
static void stabilise(double *phi, int nf) {
  if (nf == 0) return;
  rbv_transfer H = {.nnum = 1, .nden = nf + 1, .num = {1}};
  law_poles_plain(H.den, phi, nf);
  double zero, pole;
  rbv_transfer_extent(&zero, &pole, &H);
  if (pole < 1 - 1e-7) return;
  double shrink = 1;
  for (int i = 1; i <= nf; i++) {
    shrink *= 0.999 / pole;
    H.den[i] *= shrink;
  }
  law_poles_differences(phi, H.den, nf);
}

/* ---- filters: each segment starts with zero state ---- */

/* y = (num/den) x; num NULL: 1. y may be x when num is NULL. */
static void filter(double *y, const law_problem *b, const double *num, int nnum, const double *den,
                   int nden, const double *x) {
  for (int s = 0; s < b->nsegment; s++) {
    const double *in = x + b->segment[s].first;
    double *out = y + b->segment[s].first;
    for (ptrdiff_t k = 0; k < b->segment[s].count; k++) {
      double v = in[k];
      for (int i = 1; num && i <= nnum && i <= k; i++) v += num[i] * in[k - i];
      for (int i = 1; i <= nden && i <= k; i++) v -= den[i] * out[k - i];
      out[k] = v;
    }
  }
}

/* response of num/den to an impulse at the first sample */
static void fill_impulse(double *h, ptrdiff_t count, const double *num, int nnum, const double *den,
                         int nden) {
  for (ptrdiff_t k = 0; k < count; k++) {
    double v = k == 0 ? 1 : num && k <= nnum ? num[k] : 0;
    for (int i = 1; i <= nden && i <= k; i++) v -= den[i] * h[k - i];
    h[k] = v;
  }
}

/* number of samples at the start of a segment that depend on samples before it */
static int boundary_samples(const law_problem *b) {
  int n = b->nf;
  for (int m = 0; m < b->nin; m++)
    if (b->ng[m] - 1 > n) n = b->ng[m] - 1;
  return n;
}

/* number of unknown initial values of a segment: an impulse at each boundary sample, and the
 * constant */
static int unknown_starts(const law_problem *b) { return boundary_samples(b) + b->step; }

/* responses to the unknown initial values at sample k; h: impulse response, *sum:
 * its running sum */
static void put_starts(double *row, const law_problem *b, const double *h, ptrdiff_t k,
                       double *sum) {
  const int n = boundary_samples(b);
  *sum += h[k];
  for (int i = 0; i < n; i++) row[i * BLOCK] = k >= i ? h[k - i] : 0;
  if (b->step) row[n * BLOCK] = *sum;
}

/* ---- triangular factors ---- */

/* contents of the columns: inputs, instruments for past outputs (or NULL), past outputs, right hand
 * side; num/den is the filter that was applied to all of them */
typedef struct {
  const double *in[LAW_INPUTS], *instrument, *past, *right;
  const double *num, *den;
  int nnum, nden;
} columns;

/* differences of order 0 to count - 1 of x at sample k of a segment; samples before it are zero */
static void put_differences(double *row, const double *x, ptrdiff_t k, int count) {
  double d[LAW_COEFFICIENTS];
  for (int i = 0; i < count; i++) d[i] = k >= i ? x[k - i] : 0;
  for (int i = 0; i < count; i++) {
    row[i * BLOCK] = d[0];
    for (int j = 0; j + 1 < count - i; j++) d[j] -= d[j + 1];
  }
}

static void put_row(double *row, const law_problem *b, const columns *c, ptrdiff_t first,
                    ptrdiff_t k) {
  for (int m = 0; m < b->nin; m++, row += b->ng[m - 1] * BLOCK)
    put_differences(row, c->in[m] + first, k, b->ng[m]);
  if (c->instrument) {
    put_differences(row, c->instrument + first, k - 1, b->nf);
    row += b->nf * BLOCK;
  }
  put_differences(row, c->past + first, k - 1, b->nf);
  row[b->nf * BLOCK] = c->right[first + k];
}

static int count_inputs(const law_problem *b) {
  int n = 0;
  for (int m = 0; m < b->nin; m++) n += b->ng[m];
  return n;
}

/* rows of one segment; the columns of the initial values come first, so that the remaining triangle
 * does not depend on them */
static rbv_status add_segment(rbv_qr *qr, law_work *w, const law_problem *b, const columns *c,
                              const law_segment *s) {
  const int nstart = unknown_starts(b);
  double *response = w->response + s->first, sum = 0;
  fill_impulse(response, s->count, c->num, c->nnum, c->den, c->nden);
  for (ptrdiff_t at = 0; at < s->count; at += BLOCK) {
    const ptrdiff_t count = s->count - at < BLOCK ? s->count - at : BLOCK;
    for (ptrdiff_t r = 0; r < count; r++) {
      const ptrdiff_t k = at + r;
      put_starts(w->rows + r, b, response, k, &sum);
      put_row(w->rows + r + nstart * BLOCK, b, c, s->first, k);
    }
    RBV_TRY(rbv_qr_add(qr, w->rows, count, BLOCK));
  }
  return RBV_OK;
}

/* R of all segments, initial values projected out */
static rbv_status make_triangle(double *R, int n, law_work *w, const law_problem *b,
                                const columns *c) {
  const int nstart = unknown_starts(b), all = n + nstart;
  double one[COLUMNS * COLUMNS], part[COLUMNS * COLUMNS];
  rbv_qr *qr = NULL, *total = NULL;
  rbv_status status = rbv_qr_new(&qr, all);
  if (status == RBV_OK) status = rbv_qr_new(&total, n);
  for (int s = 0; s < b->nsegment && status == RBV_OK; s++) {
    rbv_qr_reset(qr);
    status = add_segment(qr, w, b, c, &b->segment[s]);
    if (status != RBV_OK) break;
    rbv_qr_get(one, qr);
    for (int j = 0; j < n; j++)
      memcpy(part + j * n, one + nstart + (j + nstart) * all, (size_t)n * sizeof *part);
    status = rbv_qr_add(total, part, n, n);
  }
  if (status == RBV_OK) rbv_qr_get(R, total);
  rbv_qr_free(qr);
  rbv_qr_free(total);
  return status;
}

/* ---- simulation ---- */

/* y += response to the initial values that minimises |out - y| */
static rbv_status add_start(double *y, law_work *w, const law_problem *b, const law_segment *s,
                            const double *h) {
  const int n = unknown_starts(b), ld = n + 1;
  double R[(STARTS + 1) * (STARTS + 1)], start[STARTS], sum = 0;
  rbv_qr *qr;
  if (n == 0) return RBV_OK;
  RBV_TRY(rbv_qr_new(&qr, ld));
  rbv_status status = RBV_OK;
  for (ptrdiff_t at = 0; at < s->count && status == RBV_OK; at += BLOCK) {
    const ptrdiff_t count = s->count - at < BLOCK ? s->count - at : BLOCK;
    for (ptrdiff_t r = 0; r < count; r++) {
      put_starts(w->rows + r, b, h, at + r, &sum);
      w->rows[r + n * BLOCK] = b->out[s->first + at + r] - y[at + r];
    }
    status = rbv_qr_add(qr, w->rows, count, BLOCK);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  RBV_TRY(status);
  RBV_TRY(rbv_least_squares(start, NULL, NULL, R, n, n, ld, R + n * ld, 1e-12));
  sum = 0;
  for (ptrdiff_t k = 0; k < s->count; k++) {
    put_starts(w->rows, b, h, k, &sum);
    for (int i = 0; i < n; i++) y[k] += start[i] * w->rows[i * BLOCK];
  }
  return RBV_OK;
}

/* simulate the law from the best-fitting initial values of each segment */
static rbv_status simulate(law_work *w, const law_problem *b, const double *p) {
  double F[LAW_COEFFICIENTS + 1], G[LAW_INPUTS][LAW_COEFFICIENTS];
  law_poles_plain(F, p, b->nf);
  for (int m = 0, at = b->nf; m < b->nin; at += b->ng[m++]) law_swap_basis(G[m], p + at, b->ng[m]);
  for (int s = 0; s < b->nsegment; s++) {
    const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
    double *y = w->simulated + first, *h = w->response + first, *r = w->residual + first;
    for (ptrdiff_t k = 0; k < count; k++) {
      double v = 0;
      for (int m = 0; m < b->nin; m++)
        for (int i = 0; i < b->ng[m] && i <= k; i++) v += G[m][i] * b->in[m][first + k - i];
      for (int i = 1; i <= b->nf && i <= k; i++) v -= F[i] * y[k - i];
      y[k] = v;
    }
    fill_impulse(h, count, NULL, 0, F, b->nf);
    RBV_TRY(add_start(y, w, b, &b->segment[s], h));
    for (ptrdiff_t k = 0; k < count; k++) r[k] = b->out[first + k] - y[k];
  }
  return RBV_OK;
}

static double sum_squares(const law_problem *b, const double *x) {
  double sum = 0;
  for (int s = 0; s < b->nsegment; s++)
    for (ptrdiff_t k = 0; k < b->segment[s].count; k++) {
      const double v = x[b->segment[s].first + k];
      sum += v * v;
    }
  return sum;
}

static ptrdiff_t count_rows(const law_problem *b) {
  ptrdiff_t rows = 0;
  for (int s = 0; s < b->nsegment; s++) rows += b->segment[s].count;
  return rows;
}

/* AR model of the residual of the longest segment */
static rbv_status model_noise(law_work *w, const law_problem *b) {
  const law_segment *longest = &b->segment[0];
  for (int s = 1; s < b->nsegment; s++)
    if (b->segment[s].count > longest->count) longest = &b->segment[s];
  const int most = longest->count > 20 * NOISE_ORDER ? NOISE_ORDER : (int)(longest->count / 20);
  return rbv_ar_burg(&w->noise, w->burg, w->residual + longest->first, longest->count, 0, most);
}

/* ---- solving ---- */

/* column of a parameter: phi come after the inputs (and the instruments) */
static int column_of(const law_problem *b, int parameter) {
  return parameter < b->nf ? count_inputs(b) + parameter : parameter - b->nf;
}

/*
 * Z'Phi p = Z'y from the triangle of [Z | Phi of past outputs | y]: with Z = Q R_zz it is
 * (Q'Phi) p = Q'y, a square system whose condition is not squared.
 */
static rbv_status solve_instruments(double *p, double *M, const double *R, int ld,
                                    const law_problem *b) {
  const int n = b->nf + count_inputs(b);
  for (int j = 0; j < n; j++) {
    const int from = j < b->nf ? n + j : j - b->nf;
    memcpy(M + j * n, R + from * ld, (size_t)n * sizeof *M);
  }
  memcpy(p, R + (n + b->nf) * ld, (size_t)n * sizeof *p);
  return rbv_solve_general(p, 1, n, M, n, n);
}

/* the same without separate instruments */
static rbv_status solve_triangle(double *p, double *M, const double *R, int ld,
                                 const law_problem *b) {
  const int n = b->nf + count_inputs(b);
  double x[LAW_PARAMETERS];
  memcpy(x, R + n * ld, (size_t)n * sizeof *x);
  RBV_TRY(rbv_solve_upper(x, 1, n, R, n, ld));
  for (int j = 0; j < n; j++) {
    p[j] = x[column_of(b, j)];
    memcpy(M + j * n, R + column_of(b, j) * ld, (size_t)n * sizeof *M);
  }
  return RBV_OK;
}

/*
 * Covariance when the residual is coloured: sums of z_k r_k over batches are independent, so
 *   C = (Z'Phi)^-1 (sum_b s_b s_b') (Phi'Z)^-1,   Z'Phi = R_zz' M.
 */
static rbv_status find_covariance(law_fit *f, law_work *w, const law_problem *b, const columns *c,
                                  const double *residual, const double *R, int ld,
                                  const double *M) {
  const int n = f->n, ni = count_inputs(b);
  const ptrdiff_t batch = f->rows / BATCHES + 1;
  double score[LAW_PARAMETERS * (BATCHES + 1)] = {0};
  ptrdiff_t seen = 0;
  const int early = boundary_samples(b);
  for (int s = 0; s < b->nsegment; s++)
    for (ptrdiff_t k = early; k < b->segment[s].count; k++, seen++) {
      put_row(w->rows, b, c, b->segment[s].first, k);
      double *sum = score + (seen / batch) * n;
      // Z is inputs and instruments, in adjacent columns
      for (int i = 0; i < ni + b->nf; i++)
        sum[i] += w->rows[i * BLOCK] * residual[b->segment[s].first + k];
    }
  // R_zz' x = s, then M p = x
  for (int r = 0; r <= BATCHES; r++) {
    double *x = score + r * n;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) x[i] -= R[j + i * ld] * x[j];
      x[i] /= R[i + i * ld];
    }
  }
  RBV_TRY(rbv_solve_general(score, BATCHES + 1, n, M, n, n));
  memset(f->covariance, 0, sizeof f->covariance);
  for (int r = 0; r <= BATCHES; r++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) f->covariance[i + j * n] += score[i + r * n] * score[j + r * n];
  return RBV_OK;
}

static void start_fit(law_fit *f, const law_problem *b) {
  *f = (law_fit){.n = b->nf + count_inputs(b), .rows = count_rows(b)};
}

rbv_status law_solve_ls(law_fit *f, law_work *w, const law_problem *b) {
  start_fit(f, b);
  columns c = {.past = b->out, .right = b->out};
  for (int m = 0; m < b->nin; m++) c.in[m] = b->in[m];
  const int n = f->n, ld = n + 1;
  double R[COLUMNS * COLUMNS], M[LAW_PARAMETERS * LAW_PARAMETERS];
  RBV_TRY(make_triangle(R, ld, w, b, &c));
  RBV_TRY(solve_triangle(f->p, M, R, ld, b));
  f->equation_rss = R[n + n * ld] * R[n + n * ld];
  f->iterations = 1;
  f->converged = true;
  // residual of the equation, for the covariance
  double F[LAW_COEFFICIENTS + 1], G[LAW_INPUTS][LAW_COEFFICIENTS];
  law_poles_plain(F, f->p, b->nf);
  for (int m = 0, at = b->nf; m < b->nin; at += b->ng[m++])
    law_swap_basis(G[m], f->p + at, b->ng[m]);
  for (int s = 0; s < b->nsegment; s++)
    for (ptrdiff_t k = 0; k < b->segment[s].count; k++) {
      const ptrdiff_t at = b->segment[s].first + k;
      double r = 0;
      for (int i = 0; i <= b->nf && i <= k; i++) r += F[i] * b->out[at - i];
      for (int m = 0; m < b->nin; m++)
        for (int i = 0; i < b->ng[m] && i <= k; i++) r -= G[m][i] * b->in[m][at - i];
      w->filtered_out[at] = r;
    }
  RBV_TRY(find_covariance(f, w, b, &c, w->filtered_out, R, ld, M));
  RBV_TRY(simulate(w, b, f->p));
  f->rss = sum_squares(b, w->residual);
  return RBV_OK;
}

/* ---- refined instruments ---- */

#define ITERATIONS 20
#define CONVERGED 1e-5  // largest relative change of a parameter

/* filter all signals with 1/F (and, if `whiten`, with the AR noise model) */
static columns prefilter(law_work *w, const law_problem *b, const double *F, bool whiten) {
  const double *num = whiten ? w->noise.a : NULL;
  const int nnum = whiten ? w->noise.order : 0;
  filter(w->filtered_out, b, num, nnum, F, b->nf, b->out);
  filter(w->filtered_simulated, b, num, nnum, F, b->nf, w->simulated);
  for (int m = 0; m < b->nin; m++) filter(w->filtered_in[m], b, num, nnum, F, b->nf, b->in[m]);
  columns c = {.past = w->filtered_out,
               .right = w->filtered_out,
               .num = num,
               .nnum = nnum,
               .den = F,
               .nden = b->nf};
  for (int m = 0; m < b->nin; m++) c.in[m] = w->filtered_in[m];
  return c;
}

/* one step of SRIV from p; p NULL: without instruments, because nothing can be simulated yet */
static rbv_status step_sriv(double *next, double *R, double *M, law_work *w, const law_problem *b,
                            const double *phi, const double *p) {
  double F[LAW_COEFFICIENTS + 1];
  law_poles_plain(F, phi, b->nf);
  const int n = b->nf + count_inputs(b);
  if (p) RBV_TRY(simulate(w, b, p));
  columns c = prefilter(w, b, F, false);
  if (!p) {
    RBV_TRY(make_triangle(R, n + 1, w, b, &c));
    return solve_triangle(next, M, R, n + 1, b);
  }
  c.instrument = w->filtered_simulated;
  const int ld = n + b->nf + 1;
  RBV_TRY(make_triangle(R, ld, w, b, &c));
  return solve_instruments(next, M, R, ld, b);
}

static double largest_change(const double *a, const double *b, int n) {
  double size = 0, change = 0;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(b[i]));
    change = fmax(change, fabs(a[i] - b[i]) / (fabs(b[i]) + 1e-6 * size));
  }
  return change;
}

/* the first step uses no instruments, because no law can be simulated yet */
static rbv_status iterate_sriv(law_fit *f, law_work *w, const law_problem *b, const double *phi,
                               int most) {
  start_fit(f, b);
  double R[COLUMNS * COLUMNS], M[LAW_PARAMETERS * LAW_PARAMETERS], next[LAW_PARAMETERS];
  double poles[LAW_COEFFICIENTS] = {0};
  memcpy(poles, phi, (size_t)b->nf * sizeof *poles);
  double best[LAW_PARAMETERS] = {0}, least = INFINITY;
  for (bool first = true; f->iterations < most; first = false) {
    RBV_TRY(step_sriv(next, R, M, w, b, poles, first ? NULL : f->p));
    f->iterations++;
    stabilise(next, b->nf);
    f->converged = !first && largest_change(next, f->p, f->n) < CONVERGED;
    memcpy(f->p, next, (size_t)f->n * sizeof *f->p);
    memcpy(poles, next, (size_t)b->nf * sizeof *poles);
    RBV_TRY(simulate(w, b, f->p));
    f->rss = sum_squares(b, w->residual);
    if (f->rss < least) {
      least = f->rss;
      memcpy(best, f->p, sizeof best);
    }
    if (f->converged) break;
  }
  if (!f->converged && isfinite(least)) {
    memcpy(f->p, best, sizeof best);
    f->rss = least;
  }
  return isfinite(f->rss) ? RBV_OK
                          : rbv_fail(RBV_ENUM, "the simulation of the control law is not finite");
}

/* covariance after the last step of SRIV */
static rbv_status finish_sriv(law_fit *f, law_work *w, const law_problem *b) {
  double R[COLUMNS * COLUMNS], M[LAW_PARAMETERS * LAW_PARAMETERS], next[LAW_PARAMETERS];
  RBV_TRY(step_sriv(next, R, M, w, b, f->p, f->p));
  RBV_TRY(simulate(w, b, f->p));
  double F[LAW_COEFFICIENTS + 1];
  law_poles_plain(F, f->p, b->nf);
  columns c = prefilter(w, b, F, false);
  c.instrument = w->filtered_simulated;
  return find_covariance(f, w, b, &c, w->residual, R, f->n + b->nf + 1, M);
}

/* ---- prediction error method ---- */

/* Gauss-Newton on the whitened residual; a step is halved until the sum of squares decreases; the
 * noise model is estimated again at each step */
static rbv_status iterate_pem(law_fit *f, law_work *w, const law_problem *b) {
  double R[COLUMNS * COLUMNS], M[LAW_PARAMETERS * LAW_PARAMETERS], step[LAW_PARAMETERS];
  const int n = f->n, ld = n + 1;
  f->converged = false;
  for (f->iterations = 0; f->iterations < ITERATIONS && !f->converged; f->iterations++) {
    RBV_TRY(simulate(w, b, f->p));
    RBV_TRY(model_noise(w, b));
    double F[LAW_COEFFICIENTS + 1];
    law_poles_plain(F, f->p, b->nf);
    // gradient of the simulated output: its own past and the inputs, filtered with 1/F
    columns c = prefilter(w, b, F, true);
    c.past = w->filtered_simulated;
    filter(w->filtered_out, b, w->noise.a, w->noise.order, NULL, 0, w->residual);
    c.right = w->filtered_out;
    const double before = sum_squares(b, w->filtered_out);
    RBV_TRY(make_triangle(R, ld, w, b, &c));
    RBV_TRY(solve_triangle(step, M, R, ld, b));
    RBV_TRY(find_covariance(f, w, b, &c, w->filtered_out, R, ld, M));
    double next[LAW_PARAMETERS], after = INFINITY;
    for (double length = 1; length > 1e-3 && !(after <= before); length /= 2) {
      for (int i = 0; i < n; i++) next[i] = f->p[i] + length * step[i];
      stabilise(next, b->nf);
      RBV_TRY(simulate(w, b, next));
      filter(w->filtered_out, b, w->noise.a, w->noise.order, NULL, 0, w->residual);
      after = sum_squares(b, w->filtered_out);
    }
    if (!(after <= before)) break;
    f->converged = largest_change(next, f->p, n) < CONVERGED;
    memcpy(f->p, next, (size_t)n * sizeof *next);
  }
  RBV_TRY(simulate(w, b, f->p));
  f->rss = sum_squares(b, w->residual);
  return RBV_OK;
}

/* best result of a few steps from several start values; all poles equal, corner frequencies 1/10 to
 * 1/5000 of the rate */
static rbv_status find_start(double *phi, law_work *w, const law_problem *b) {
  static const double pole[] = {0.5, 0.9, 0.98, 0.996};
  double least = INFINITY;
  for (int i = 0; i < RBV_COUNT(pole); i++) {
    double F[LAW_COEFFICIENTS + 1] = {1}, start[LAW_COEFFICIENTS];
    for (int k = 0; k < b->nf; k++)
      for (int j = k + 1; j > 0; j--) F[j] -= pole[i] * F[j - 1];
    law_poles_differences(start, F, b->nf);
    law_fit tried;
    const rbv_status status = iterate_sriv(&tried, w, b, start, 5);
    if (status != RBV_OK && status != RBV_ENUM) return status;
    if (status != RBV_OK || !(tried.rss < least)) continue;
    least = tried.rss;
    memcpy(phi, tried.p, (size_t)b->nf * sizeof *phi);
  }
  return isfinite(least) ? RBV_OK
                         : rbv_fail(RBV_ENUM, "no control law of this structure can be simulated");
}

rbv_status law_solve(law_fit *f, law_work *w, const law_problem *b, law_method method,
                     const double *poles) {
  double phi[LAW_COEFFICIENTS] = {0};
  if (poles)
    memcpy(phi, poles, (size_t)b->nf * sizeof *phi);
  else if (b->nf > 0)
    RBV_TRY(find_start(phi, w, b));
  RBV_TRY(iterate_sriv(f, w, b, phi, ITERATIONS));
  return method == LAW_PEM ? iterate_pem(f, w, b) : finish_sriv(f, w, b);
}

/* ---- quality ---- */

rbv_status law_residual(const double **residual, law_fit *f, law_work *w, const law_problem *b) {
  RBV_TRY(simulate(w, b, f->p));
  RBV_TRY(model_noise(w, b));
  f->noise_order = w->noise.order;
  f->innovation = w->noise.variance;
  *residual = w->residual;
  return RBV_OK;
}

rbv_status law_dependence(double *out, law_work *w, const law_problem *b) {
  filter(w->filtered_out, b, w->noise.a, w->noise.order, NULL, 0, w->residual);
  filter(w->filtered_in[0], b, w->noise.a, w->noise.order, NULL, 0, b->in[0]);
  const double *e = w->filtered_out, *x = w->filtered_in[0];
  const double scale = sqrt(sum_squares(b, e) * sum_squares(b, x));
  double sum = 0;
  for (int lag = -LAGS; lag <= LAGS; lag++) {
    double r = 0;
    for (int s = 0; s < b->nsegment; s++) {
      const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
      for (ptrdiff_t k = LAGS; k < count - LAGS; k++) r += e[first + k] * x[first + k - lag];
    }
    sum += r / scale * (r / scale);
  }
  *out = scale > 0 ? sum : 0;
  return RBV_OK;
}
