/* Estimation of a linear law: least squares, refined instrumental variables, prediction error
 * method. */
#include "control/linear_law.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#define BLOCK 256         // rows that are added to a triangular factor at once
#define NOISE_ORDER 24    // largest order of the AR noise model
#define BATCHES 60        // batches of scores, for the covariance under coloured noise
#define NEGLIGIBLE 1e-18  // of the largest sample of an impulse response: below rounding errors
#define LAGS 25           // lags of the dependence test, in both directions

struct law_work {
  ptrdiff_t length;
  double *simulated, *residual;  // output of the law; out minus simulated
  double *response;              // impulse response
  double *unused;                // zeros, for lanes without a signal
  double *filtered_out, *filtered_simulated, *filtered_in[LAW_INPUTS];
  double *rows;  // BLOCK x columns
  rbv_ar_work *burg;
  rbv_ar noise;
};

#define STARTS (LAW_COEFFICIENTS + 1)
#define COLUMNS (STARTS + LAW_PARAMETERS + LAW_COEFFICIENTS + 1)

static void layout(law_work *w, ptrdiff_t length, rbv_arena *a) {
  RBV_TAKE_ALL(a, length, double, &w->simulated, &w->residual, &w->response, &w->unused,
               &w->filtered_out, &w->filtered_simulated);
  for (int m = 0; m < LAW_INPUTS; m++) w->filtered_in[m] = RBV_TAKE(a, length, double);
  w->rows = RBV_TAKE(a, BLOCK * COLUMNS, double);
}

rbv_status law_work_new(law_work **out, ptrdiff_t length) {
  *out = NULL;
  law_work sizes = {0};
  law_work *w;
  RBV_CARVE_OBJECT(w, a, layout(&sizes, length, a));
  if (!w) return RBV_EMEM;
  *w = sizes;
  w->length = length;
  RBV_TRY_OR(rbv_ar_work_new(&w->burg, length), rbv_free(w));
  *out = w;
  return RBV_OK;
}

void law_work_free(law_work *w) {
  if (!w) return;
  rbv_ar_work_free(w->burg);
  rbv_free(w);
}

/* ---- filters: each segment starts with zero state ---- */

#define LANES 4  // signals that are filtered side by side

/* Signals of the same filter, side by side: their recursions do not wait for each other. */
typedef struct {
  int count;
  double *y[2 + LAW_INPUTS];
  const double *x[2 + LAW_INPUTS];
} signals;

/* y = x / den from sample `first` on, of LANES signals. `nden` is a constant at every call, so the
 * loops over it are unrolled. The newest output enters last: the next sample waits for one product
 * only. y may be x. */
static inline void divide_lanes(double *const *y, const double *const *x, ptrdiff_t first,
                                ptrdiff_t count, const double *den, int nden) {
  double past[LAW_COEFFICIENTS + 1][LANES] = {0};
  for (ptrdiff_t k = first; k < first + count; k++) {
    double v[LANES];
    for (int s = 0; s < LANES; s++) v[s] = x[s][k];
    for (int i = nden; i >= 1; i--)
      for (int s = 0; s < LANES; s++) v[s] -= den[i] * past[i][s];
    for (int i = nden; i >= 2; i--)
      for (int s = 0; s < LANES; s++) past[i][s] = past[i - 1][s];
    for (int s = 0; s < LANES; s++) y[s][k] = past[1][s] = v[s];
  }
}

/* y = y / den of LANES signals, in each segment */
static void divide_segments(double *const *y, const law_problem *b, const double *den, int nden) {
  const double *const *x = (const double *const *)y;
  for (int s = 0; s < b->nsegment; s++) {
    const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
    switch (nden) {
      case 1: divide_lanes(y, x, first, count, den, 1); break;
      case 2: divide_lanes(y, x, first, count, den, 2); break;
      case 3: divide_lanes(y, x, first, count, den, 3); break;
      default: divide_lanes(y, x, first, count, den, nden);
    }
  }
}

/* y += c x delayed by `late` samples */
static void add_delayed(double *y, ptrdiff_t count, double c, const double *x, ptrdiff_t late) {
  for (ptrdiff_t k = late; k < count; k++) y[k] += c * x[k - late];
}

/* y = (num/den) x of all signals; num NULL: 1. y may be x when num is NULL. */
static void filter(const signals *g, law_work *w, const law_problem *b, const double *num, int nnum,
                   const double *den, int nden) {
  for (int s = 0; s < b->nsegment; s++) {
    const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
    for (int i = 0; i < g->count; i++) {
      double *y = g->y[i] + first;
      const double *x = g->x[i] + first;
      if (y != x) memcpy(y, x, (size_t)count * sizeof *y);
      for (int j = 1; num && j <= nnum; j++) add_delayed(y, count, num[j], x, j);
    }
  }
  for (int i = 0; i < g->count && nden > 0; i += LANES) {
    double *y[LANES];
    for (int s = 0; s < LANES; s++) y[s] = i + s < g->count ? g->y[i + s] : w->unused;
    divide_segments(y, b, den, nden);
  }
}

/* y = x filtered with the AR noise model */
static void whiten(double *y, law_work *w, const law_problem *b, const double *x) {
  filter(&(signals){1, {y}, {x}}, w, b, w->noise.a, w->noise.order, NULL, 0);
}

/* response to an impulse at the first sample of a segment */
typedef struct {
  const double *h;
  ptrdiff_t length;  // samples after which it has decayed to rounding errors: zero from there on
  double sum;
} impulse_response;

/* Response of num/den to an impulse, until the last nden samples, which are the state of the
 * filter, are rounding errors of the largest one. */
static impulse_response fill_impulse(double *h, ptrdiff_t count, const double *num, int nnum,
                                     const double *den, int nden) {
  impulse_response r = {.h = h};
  double largest = 0;
  bool decayed = false;
  while (r.length < count && !decayed) {
    const ptrdiff_t end = count - r.length < BLOCK ? count : r.length + BLOCK;
    for (ptrdiff_t k = r.length; k < end; k++) {
      double v = k == 0 ? 1 : num && k <= nnum ? num[k] : 0;
      for (int i = 1; i <= nden && i <= k; i++) v -= den[i] * h[k - i];
      h[k] = v;
      r.sum += v;
      largest = fabs(v) > largest ? fabs(v) : largest;
    }
    r.length = end;
    decayed = end > nnum;
    for (int i = 1; i <= nden && i <= end; i++)
      decayed = decayed && fabs(h[end - i]) < NEGLIGIBLE * largest;
  }
  memset(h + r.length, 0, (size_t)(count - r.length) * sizeof *h);
  return r;
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

/* responses to the unknown initial values at the samples at, at + 1, ...: one column of BLOCK rows
 * each; *sum: sum of the impulse response before these samples */
static void put_starts(double *rows, const law_problem *b, const impulse_response *h, ptrdiff_t at,
                       ptrdiff_t count, double *sum) {
  const int n = boundary_samples(b);
  for (int i = 0; i < n; i++, rows += BLOCK)
    for (ptrdiff_t r = 0; r < count; r++) rows[r] = at + r >= i ? h->h[at + r - i] : 0;
  for (ptrdiff_t r = 0; b->step && r < count; r++) rows[r] = *sum += h->h[at + r];
}

/* number of samples of a segment after which the initial values act as a constant at most */
static ptrdiff_t start_samples(const law_problem *b, const law_segment *s,
                               const impulse_response *h) {
  const ptrdiff_t n = h->length + boundary_samples(b);
  return n < s->count ? n : s->count;
}

/* ---- triangular factors ---- */

/* contents of the columns: inputs, instruments for past outputs (or NULL), past outputs, right hand
 * side; num/den is the filter that was applied to all of them */
typedef struct {
  const double *in[LAW_INPUTS], *instrument, *past, *right;
  const double *num, *den;
  int nnum, nden;
} columns;

/* Differences of order 0 to n - 1 of x, delayed by `late`, at the samples at, at + 1, ...: one
 * column of BLOCK rows each. Samples before the segment are zero. Returns the next column. */
static double *put_differences(double *rows, const double *x, ptrdiff_t at, ptrdiff_t count,
                               int late, int n) {
  double d[BLOCK + LAW_COEFFICIENTS];
  const ptrdiff_t from = at - late - (n - 1);  // first sample that a difference needs
  for (ptrdiff_t k = 0; k < count + n - 1; k++) d[k] = from + k >= 0 ? x[from + k] : 0;
  for (int i = 0; i < n; i++, rows += BLOCK) {
    memcpy(rows, d + n - 1 - i, (size_t)count * sizeof *rows);
    for (ptrdiff_t k = 0; k + 1 < count + n - 1 - i; k++) d[k] = d[k + 1] - d[k];
  }
  return rows;
}

static void put_rows(double *rows, const law_problem *b, const columns *c, ptrdiff_t first,
                     ptrdiff_t at, ptrdiff_t count) {
  for (int m = 0; m < b->nin; m++)
    rows = put_differences(rows, c->in[m] + first, at, count, 0, b->ng[m]);
  if (c->instrument) rows = put_differences(rows, c->instrument + first, at, count, 1, b->nf);
  rows = put_differences(rows, c->past + first, at, count, 1, b->nf);
  memcpy(rows, c->right + first + at, (size_t)count * sizeof *rows);
}

static int count_inputs(const law_problem *b) {
  int n = 0;
  for (int m = 0; m < b->nin; m++) n += b->ng[m];
  return n;
}

/* Rows of one segment. The columns of the initial values come first, so that the remaining triangle
 * does not depend on them. Where only the constant is left of them, `tail` collects the rows
 * without the columns that are zero. */
static rbv_status add_segment(rbv_qr *qr, rbv_qr *tail, law_work *w, const law_problem *b,
                              const columns *c, const law_segment *s) {
  const int nstart = unknown_starts(b), constant = nstart - b->step, all = rbv_qr_columns(qr);
  double sum = 0;
  const impulse_response h =
      fill_impulse(w->response + s->first, s->count, c->num, c->nnum, c->den, c->nden);
  const ptrdiff_t early = start_samples(b, s, &h);
  for (ptrdiff_t at = 0, count; at < s->count; at += count) {
    const ptrdiff_t end = at < early ? early : s->count;
    count = end - at < BLOCK ? end - at : BLOCK;
    put_starts(w->rows, b, &h, at, count, &sum);
    put_rows(w->rows + nstart * BLOCK, b, c, s->first, at, count);
    if (at < early)
      RBV_TRY(rbv_qr_add(qr, w->rows, count, BLOCK));
    else
      RBV_TRY(rbv_qr_add(tail, w->rows + constant * BLOCK, count, BLOCK));
  }
  if (early == s->count) return RBV_OK;
  const int n = all - constant;
  double rest[COLUMNS * COLUMNS] = {0};
  rbv_qr_get(rest + constant * n, tail);
  return rbv_qr_add(qr, rest, n, n);
}

/* R of all segments, initial values projected out */
static rbv_status make_triangle(double *R, int n, law_work *w, const law_problem *b,
                                const columns *c) {
  const int nstart = unknown_starts(b), all = n + nstart;
  double one[COLUMNS * COLUMNS], part[COLUMNS * COLUMNS];
  rbv_qr *qr = NULL, *tail = NULL, *total = NULL;
  rbv_status status = rbv_qr_new(&qr, all);
  if (status == RBV_OK) status = rbv_qr_new(&tail, n + b->step);
  if (status == RBV_OK) status = rbv_qr_new(&total, n);
  for (int s = 0; s < b->nsegment && status == RBV_OK; s++) {
    rbv_qr_reset(qr);
    rbv_qr_reset(tail);
    status = add_segment(qr, tail, w, b, c, &b->segment[s]);
    if (status != RBV_OK) break;
    rbv_qr_get(one, qr);
    for (int j = 0; j < n; j++)
      memcpy(part + j * n, one + nstart + (j + nstart) * all, (size_t)n * sizeof *part);
    status = rbv_qr_add(total, part, n, n);
  }
  if (status == RBV_OK) rbv_qr_get(R, total);
  rbv_qr_free(qr);
  rbv_qr_free(tail);
  rbv_qr_free(total);
  return status;
}

/* ---- simulation ---- */

/* y += response to the initial values that minimises |out - y| */
static rbv_status add_start(double *y, law_work *w, const law_problem *b, const law_segment *s,
                            const impulse_response *h) {
  const int n = unknown_starts(b), ld = n + 1, impulses = boundary_samples(b);
  double R[(STARTS + 1) * (STARTS + 1)], start[STARTS], sum = 0;
  const double *out = b->out + s->first;
  rbv_qr *qr;
  if (n == 0) return RBV_OK;
  RBV_TRY(rbv_qr_new(&qr, ld));
  rbv_status status = RBV_OK;
  const ptrdiff_t early = start_samples(b, s, h), late = s->count - early;
  for (ptrdiff_t at = 0; at < early && status == RBV_OK; at += BLOCK) {
    const ptrdiff_t count = early - at < BLOCK ? early - at : BLOCK;
    put_starts(w->rows, b, h, at, count, &sum);
    for (ptrdiff_t r = 0; r < count; r++) w->rows[r + n * BLOCK] = out[at + r] - y[at + r];
    status = rbv_qr_add(qr, w->rows, count, BLOCK);
  }
  if (b->step && late > 0 && status == RBV_OK) {
    // the same equation in all later samples: one row with their mean
    double row[STARTS + 1] = {0}, difference = 0;
    for (ptrdiff_t k = early; k < s->count; k++) difference += out[k] - y[k];
    row[impulses] = h->sum * sqrt((double)late);
    row[n] = difference / sqrt((double)late);
    status = rbv_qr_add(qr, row, 1, 1);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  RBV_TRY(status);
  RBV_TRY(rbv_least_squares(start, NULL, NULL, R, n, n, ld, R + n * ld, 1e-12));
  for (int i = 0; i < impulses; i++) add_delayed(y, early, start[i], h->h, i);
  sum = 0;
  for (ptrdiff_t k = 0; b->step && k < s->count; k++) y[k] += start[impulses] * (sum += h->h[k]);
  return RBV_OK;
}

/* simulate the law from the best-fitting initial values of each segment */
static rbv_status simulate(law_work *w, const law_problem *b, const double *p) {
  double F[LAW_COEFFICIENTS + 1], G[LAW_INPUTS][LAW_COEFFICIENTS];
  law_poles_plain(F, p, b->nf);
  for (int m = 0, at = b->nf; m < b->nin; at += b->ng[m++]) law_swap_basis(G[m], p + at, b->ng[m]);
  for (int s = 0; s < b->nsegment; s++) {
    const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
    double *y = w->simulated + first;
    memset(y, 0, (size_t)count * sizeof *y);
    for (int m = 0; m < b->nin; m++)
      for (int i = 0; i < b->ng[m]; i++) add_delayed(y, count, G[m][i], b->in[m] + first, i);
  }
  filter(&(signals){1, {w->simulated}, {w->simulated}}, w, b, NULL, 0, F, b->nf);
  for (int s = 0; s < b->nsegment; s++) {
    const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
    const impulse_response h = fill_impulse(w->response + first, count, NULL, 0, F, b->nf);
    RBV_TRY(add_start(w->simulated + first, w, b, &b->segment[s], &h));
    for (ptrdiff_t k = first; k < first + count; k++) w->residual[k] = b->out[k] - w->simulated[k];
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
    for (ptrdiff_t at = early; at < b->segment[s].count; at += BLOCK) {
      const ptrdiff_t first = b->segment[s].first, left = b->segment[s].count - at;
      const ptrdiff_t count = left < BLOCK ? left : BLOCK;
      put_rows(w->rows, b, c, first, at, count);
      for (ptrdiff_t r = 0; r < count; r++, seen++) {
        double *sum = score + (seen / batch) * n;
        // Z is inputs and instruments, in adjacent columns
        for (int i = 0; i < ni + b->nf; i++)
          sum[i] += w->rows[r + i * BLOCK] * residual[first + at + r];
      }
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
  signals all = {.count = 2 + b->nin,
                 .y = {w->filtered_out, w->filtered_simulated},
                 .x = {b->out, w->simulated}};
  for (int m = 0; m < b->nin; m++) {
    all.y[2 + m] = w->filtered_in[m];
    all.x[2 + m] = b->in[m];
  }
  filter(&all, w, b, num, nnum, F, b->nf);
  columns c = {.past = w->filtered_out,
               .right = w->filtered_out,
               .num = num,
               .nnum = nnum,
               .den = F,
               .nden = b->nf};
  for (int m = 0; m < b->nin; m++) c.in[m] = w->filtered_in[m];
  return c;
}

/* one step of SRIV with the prefilter of these poles and the instruments that w has simulated;
 * instruments false: nothing can be simulated yet */
static rbv_status step_sriv(double *next, double *R, double *M, law_work *w, const law_problem *b,
                            const double *phi, bool instruments) {
  double F[LAW_COEFFICIENTS + 1];
  law_poles_plain(F, phi, b->nf);
  const int n = b->nf + count_inputs(b);
  columns c = prefilter(w, b, F, false);
  if (!instruments) {
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
    RBV_TRY(step_sriv(next, R, M, w, b, poles, !first));
    f->iterations++;
    law_stabilise(next, b->nf);
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
  RBV_TRY(simulate(w, b, f->p));
  RBV_TRY(step_sriv(next, R, M, w, b, f->p, true));
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
    whiten(w->filtered_out, w, b, w->residual);
    c.right = w->filtered_out;
    const double before = sum_squares(b, w->filtered_out);
    RBV_TRY(make_triangle(R, ld, w, b, &c));
    RBV_TRY(solve_triangle(step, M, R, ld, b));
    RBV_TRY(find_covariance(f, w, b, &c, w->filtered_out, R, ld, M));
    double next[LAW_PARAMETERS], after = INFINITY;
    for (double length = 1; length > 1e-3 && !(after <= before); length /= 2) {
      for (int i = 0; i < n; i++) next[i] = f->p[i] + length * step[i];
      law_stabilise(next, b->nf);
      RBV_TRY(simulate(w, b, next));
      whiten(w->filtered_out, w, b, w->residual);
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
  whiten(w->filtered_out, w, b, w->residual);
  whiten(w->filtered_in[0], w, b, b->in[0]);
  const double *e = w->filtered_out, *x = w->filtered_in[0];
  const double scale = sqrt(sum_squares(b, e) * sum_squares(b, x));
  double sum = 0;
  for (int lag = -LAGS; lag <= LAGS; lag++) {
    double r = 0;
    for (int s = 0; s < b->nsegment; s++) {
      const ptrdiff_t first = b->segment[s].first, count = b->segment[s].count;
      if (count > 2 * LAGS)
        r += rbv_dot(e + first + LAGS, x + first + LAGS - lag, count - 2 * LAGS);
    }
    sum += r / scale * (r / scale);
  }
  *out = scale > 0 ? sum : 0;
  return RBV_OK;
}
