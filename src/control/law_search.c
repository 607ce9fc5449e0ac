#include "control/law_search.h"

#include <math.h>
#include <roberval/sys/linalg.h>

#define FLOOR 1e-8      // of the torque's rms: below it residuals are rounding
#define LATE 3          // parameters that a delay counts for: in noise it passes for a filter
#define NOTICED 0.01    // share of a simulation's error
#define REPRODUCED 0.5  // relative error of a torque that was simulated at all
#define DEPENDENT 0.2   // of residual and input: the input carries noise
#define FREER 0.3       // dependence on the other side, in proportion

double search_norm(const law_problem *b, const double *x, bool centred) {
  double sum = 0, mean = 0;
  ptrdiff_t n = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int s = 0; s < b->nstretch; s++)
      for (ptrdiff_t k = 0; k < b->stretch[s].count; k++) {
        const double v = x[b->stretch[s].first + k];
        if (pass == 0) mean += v, n++;
        if (pass == 1) sum += pow(v - (centred ? mean : 0), 2);
      }
    if (pass == 0) mean /= (double)n;
  }
  return sqrt(sum);
}

/* Bayesian information criterion of n rows with this variance; rounding is nobody's information */
static double judge(double variance, double floor, ptrdiff_t rows, int parameters) {
  return (double)rows * log(fmax(variance, floor * floor)) + log((double)rows) * (double)parameters;
}

/* of the equation, or of the whitened residual where the noise may be coloured */
static rbv_status assess(candidate *c, joint_data *d, const law_problem *b) {
  const double *residual, size = search_norm(b, b->out, false), rows = (double)c->fit.rows;
  const int parameters = shape_parameter_count(&c->shape);
  RBV_TRY(law_residual(&residual, &c->fit, d->work, b));
  RBV_TRY(law_dependence(&c->dependence, d->work, b));
  c->error = sqrt(c->fit.rss) / size;
  if (c->side == SIDE_EQUATION)
    c->criterion = judge(c->fit.equation_rss / rows, FLOOR * d->rms, c->fit.rows,
                         parameters + (c->shape.delay > 0));
  else
    c->criterion = judge(c->fit.innovation, FLOOR * size / sqrt(rows), c->fit.rows,
                         parameters + (c->shape.delay > 0 ? LATE : 0));
  return shape_gains(&c->gains, &c->possible, &c->shape, c->side, &c->fit, d->period_s);
}

/* RBV_ENUM of a candidate is no failure: it is not possible */
rbv_status search_try(candidate *c, joint_data *d, const law_shape *s, law_side side,
                      law_method method, const double *poles) {
  *c = (candidate){.shape = *s, .side = side, .criterion = INFINITY};
  const law_problem b = recording_pose(d, s, side);
  rbv_status status = method == LAW_LS ? law_solve_ls(&c->fit, d->work, &b)
                                       : law_solve(&c->fit, d->work, &b, method, poles);
  if (status == RBV_OK) status = assess(c, d, &b);
  if (status == RBV_ENUM) c->possible = false;
  if (!c->possible) c->criterion = INFINITY;
  return status == RBV_ENUM ? RBV_OK : status;
}

/* relative error of a law found elsewhere when this side is simulated */
rbv_status search_error(double *error, joint_data *d, const candidate *c, law_side side) {
  law_plain law;
  shape_read(&law, &c->shape, c->side, c->fit.p);
  law_fit f = {.n = shape_parameter_count(&c->shape)};
  shape_write(f.p, &c->shape, side, &law);
  const law_problem b = recording_pose(d, &c->shape, side);
  const double *residual;
  const rbv_status status = law_residual(&residual, &f, d->work, &b);
  *error =
      status == RBV_OK ? search_norm(&b, residual, false) / search_norm(&b, b.out, true) : INFINITY;
  return status == RBV_ENUM ? RBV_OK : status;
}

/* ---- least squares over all shapes: one triangle holds every lag of every signal ---- */

#define LAG_SIGNALS 5  // torque, error, dq_r, ddq_r, q_r' s difference
#define LAGS_MAX (ORDER_MAX + DELAY_MAX + 2)
#define LAG_COLUMNS (LAG_SIGNALS * LAGS_MAX)

typedef struct {
  int lags;  // columns of each signal: 0 to lags - 1 samples late
  double *R;
} lag_triangle;

static rbv_status gather_lags(lag_triangle *t, const joint_data *d) {
  t->lags = ORDER_MAX + d->o->delay + 2;
  const int n = LAG_SIGNALS * t->lags, block = 256;
  const double *signal[LAG_SIGNALS] = {d->tau, d->error, d->velocity, d->acceleration, d->rate};
  double *rows = rbv_alloc((size_t)(block * n) * sizeof *rows);
  rbv_qr *qr = NULL;
  t->R = rbv_alloc((size_t)(n * n) * sizeof *t->R);
  rbv_status status = rows && t->R ? rbv_qr_new(&qr, n) : RBV_EMEM;
  for (int s = 0; s < d->nstretch && status == RBV_OK; s++)
    for (ptrdiff_t at = 0; at < d->stretch[s].count && status == RBV_OK; at += block) {
      const ptrdiff_t left = d->stretch[s].count - at, count = left < block ? left : block;
      for (int c = 0; c < n; c++)
        for (ptrdiff_t k = 0; k < count; k++)
          rows[k + c * block] = signal[c / t->lags][d->stretch[s].first + at + k - c % t->lags];
      status = rbv_qr_add(qr, rows, count, block);
    }
  if (status == RBV_OK) rbv_qr_get(t->R, qr);
  rbv_qr_free(qr);
  rbv_free(rows);
  return status;
}

/* column += weight (1 - z^-1)^power of a signal, late by some samples */
static void add_lagged(double *column, const lag_triangle *t, int signal, int late, int power) {
  const int n = LAG_SIGNALS * t->lags;
  double binomial = 1;
  for (int j = 0; j <= power; j++) {
    const double *from = t->R + (signal * t->lags + late + j) * n;
    for (int i = 0; i < n; i++) column[i] += (j % 2 ? -1 : 1) * binomial * from[i];
    binomial *= (double)(power - j) / (j + 1);
  }
}

/* residual variance of a shape's equation */
static rbv_status score_ls(double *variance, const lag_triangle *t, const joint_data *d,
                           const law_shape *s) {
  const int n = LAG_SIGNALS * t->lags, k = shape_parameter_count(s), I = s->integrates;
  double *A = rbv_alloc((size_t)(n * (k + 1)) * sizeof *A), x[LAW_PARAMETERS];
  if (!A) return RBV_EMEM;
  double *column = A;
  for (int i = 0; i < s->na; i++, column += n) add_lagged(column, t, 0, 1, i + I);
  for (int i = 0; i <= s->nb; i++, column += n) add_lagged(column, t, 1, s->delay, i);
  for (int m = 0; m < shape_extra_count(s); m++)
    for (int i = 0; i < shape_extra_coefficients(s); i++, column += n) {
      if (s->extra == EXTRA_CASCADE)
        add_lagged(column, t, 4, s->delay, i);
      else
        add_lagged(column, t, 2 + m, s->delay, i + I);
    }
  add_lagged(column, t, 0, 0, I);
  // columns of one size, or small ones would count as dependent
  for (int j = 0; j < k; j++) {
    double size = 0;
    for (int i = 0; i < n; i++) size += A[i + j * n] * A[i + j * n];
    for (int i = 0; i < n && size > 0; i++) A[i + j * n] /= sqrt(size);
  }
  int rank = k;
  const rbv_status status = rbv_least_squares(x, &rank, NULL, A, n, k, n, column, 1e-13);
  double rss = 0;
  for (int i = 0; i < n && status == RBV_OK; i++) {
    double r = column[i];
    for (int j = 0; j < k; j++) r -= A[i + j * n] * x[j];
    rss += r * r;
  }
  *variance = rank < k ? INFINITY : rss / (double)d->used;
  rbv_free(A);
  return status;
}

/* is it worth a try? */
static bool sensible(const law_shape *s, const rbv_control_id_options *o) {
  const int order = s->na + s->integrates;
  if (order > o->order || s->nb > o->order || s->nb < order - 1 || s->nb > order + 1) return false;
  if (s->integrates && s->nb == 0) return false;
  if (s->extra == EXTRA_CASCADE) return s->na <= 1 && s->nb == 1 + s->integrates;
  return true;
}

/* the best shape with inputs that are allowed: bit i for shape_extra i */
static rbv_status rank_ls(law_shape *best, const lag_triangle *t, joint_data *d, unsigned allowed) {
  double least = INFINITY;
  const int delays = d->o->delay + 1, extras = 4, orders = ORDER_MAX + 1;
  *best = (law_shape){.nb = 0};
  for (int i = 0; i < 2 * orders * orders * delays * extras; i++) {
    const law_shape s = {.integrates = i % 2,
                         .na = i / 2 % orders,
                         .nb = i / 2 / orders % orders,
                         .delay = i / 2 / orders / orders % delays,
                         .extra = (shape_extra)(i / 2 / orders / orders / delays)};
    if (!sensible(&s, d->o) || !(allowed >> s.extra & 1)) continue;
    double variance;
    RBV_TRY(score_ls(&variance, t, d, &s));
    const double criterion =
        judge(variance, FLOOR * d->rms, d->used, shape_parameter_count(&s) + (s.delay > 0));
    if (!(criterion < least)) continue;
    least = criterion;
    *best = s;
  }
  return RBV_OK;
}

rbv_status search_ls(candidate *best, joint_data *d) {
  lag_triangle t = {0};
  rbv_status status = gather_lags(&t, d);
  // the free form of an input may fit where no controller does: then without it
  for (unsigned allowed = d->o->feedforward ? 15 : 1; status == RBV_OK && allowed;) {
    law_shape shape;
    status = rank_ls(&shape, &t, d, allowed);
    if (status == RBV_OK) status = search_try(best, d, &shape, SIDE_EQUATION, LAW_LS, NULL);
    if (status != RBV_OK || best->possible || shape.extra == EXTRA_NONE) break;
    allowed &= ~(1U << shape.extra);
  }
  rbv_free(t.R);
  return status;
}

/* ---- refined instruments ---- */

/* by the criterion; but coloured noise flatters high orders and inputs, so that a law which is no
 * PID and no cascade, or sees more than the other, has to simulate better by a share that somebody
 * would notice */
static bool better(const candidate *a, const candidate *b) {
  if (!(a->criterion < b->criterion) || !a->fit.converged) return false;
  const bool general = a->gains.kind == RBV_CONTROL_TRANSFER;
  const bool richer = (general && b->gains.kind != RBV_CONTROL_TRANSFER) ||
                      (a->shape.extra != EXTRA_NONE && b->shape.extra == EXTRA_NONE);
  return !richer || !b->possible || a->error < (1 - NOTICED) * b->error;
}

/* try a shape and keep it when it is better; poles of a law nearby are a good start */
static rbv_status try_shape(candidate *best, joint_data *d, law_shape s, const candidate *nearby) {
  if (!sensible(&s, d->o)) return RBV_OK;
  const bool same = best->side == SIDE_ERROR ? s.nb == nearby->shape.nb : s.na == nearby->shape.na;
  candidate c;
  RBV_TRY(search_try(&c, d, &s, best->side, LAW_SRIV, same ? nearby->fit.p : NULL));
  if (better(&c, best)) *best = c;
  return RBV_OK;
}

/*
 * On which side is the noise? Recorded positions are the usual suspects. The torque is it when the
 * position cannot be, its residual being beyond what it fails to resolve, or when the residual
 * depends on the torque but not the other way round.
 */
static rbv_status choose_side(candidate *best, joint_data *d) {
  const int order = d->o->order;
  const law_shape pid = {.integrates = true, .na = order > 1, .nb = order > 1 ? 2 : 1};
  candidate torque;
  RBV_TRY(search_try(&torque, d, &pid, SIDE_TORQUE, LAW_SRIV, NULL));
  RBV_TRY(search_try(best, d, &pid, SIDE_ERROR, LAW_SRIV, NULL));
  const bool failed = !(best->error > 0);
  const double residual = sqrt(best->fit.rss / (double)d->used);
  const bool beyond = residual > RESOLVED * d->resolution;
  const bool depends = best->dependence > DEPENDENT && torque.dependence < FREER * best->dependence;
  if (torque.possible && torque.error < REPRODUCED && (failed || beyond || depends)) *best = torque;
  return RBV_OK;
}

rbv_status search_sriv(candidate *best, joint_data *d) {
  RBV_TRY(choose_side(best, d));
  // further inputs, delay, then orders, each with the best of the others; a filter whose pole the
  // data do not tell must not hide an input
  const candidate first = *best;
  const int extras = d->o->feedforward ? EXTRA_CASCADE : EXTRA_NONE;
  for (int extra = EXTRA_NONE; extra <= extras; extra++)
    for (int filters = 0; filters < 2; filters++) {
      law_shape s = first.shape;
      s.extra = (shape_extra)extra;
      s.na = filters;
      RBV_TRY(try_shape(best, d, s, &first));
    }
  const candidate second = *best;
  for (int delay = 1; delay <= d->o->delay; delay++) {
    law_shape s = second.shape;
    s.delay = delay;
    RBV_TRY(try_shape(best, d, s, &second));
  }
  static const struct {
    bool integrates;
    int na, nb;
  } shapes[] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 0, 2},
                {1, 1, 2}, {0, 2, 2}, {1, 1, 1}, {1, 2, 2}, {1, 2, 3}};
  const candidate third = *best;
  for (int i = 0; i < RBV_COUNT(shapes); i++) {
    law_shape s = third.shape;
    s.integrates = shapes[i].integrates;
    s.na = shapes[i].na;
    s.nb = shapes[i].nb;
    RBV_TRY(try_shape(best, d, s, &third));
  }
  return RBV_OK;
}
