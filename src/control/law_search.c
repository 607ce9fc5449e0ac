#include "control/law_search.h"

#include <math.h>
#include "linalg/linalg.h"

#define FLOOR 1e-8  // relative to the rms of the torque: smaller residuals are rounding errors
// parameters that a delay counts for: with noise it is easily confused with a filter
#define LATE 3
// smallest relative reduction of the simulation error that justifies a more general law
#define MIN_GAIN 0.01
#define MAX_ERROR 0.5  // largest relative error of a successful torque simulation
#define DEPENDENT 0.2  // dependence of residual and input above which the input carries noise
#define MAX_RATIO 0.3  // largest ratio of the dependences of the torque side and the error side

double search_norm(const law_problem *b, const double *x, bool centred) {
  double sum = 0, mean = 0;
  ptrdiff_t n = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int s = 0; s < b->nsegment; s++)
      for (ptrdiff_t k = 0; k < b->segment[s].count; k++) {
        const double v = x[b->segment[s].first + k];
        if (pass == 0) mean += v, n++;
        if (pass == 1) sum += pow(v - (centred ? mean : 0), 2);
      }
    if (pass == 0) mean /= (double)n;
  }
  return sqrt(sum);
}

/* Bayesian information criterion of `rows` residuals with this variance; floor: rms of
 * the rounding */
static double information_criterion(double variance, double floor, ptrdiff_t rows, int parameters) {
  return (double)rows * log(fmax(variance, floor * floor)) + log((double)rows) * (double)parameters;
}

/* set error, dependence, criterion and gains of a candidate; the criterion uses the equation error,
 * or the whitened residual if the noise may be coloured */
static rbv_status rate_candidate(candidate *c, joint_data *d, const law_problem *b) {
  const double *residual, size = search_norm(b, b->out, false), rows = (double)c->fit.rows;
  const int parameters = structure_parameter_count(&c->structure);
  RBV_TRY(law_residual(&residual, &c->fit, d->work, b));
  RBV_TRY(law_dependence(&c->dependence, d->work, b));
  c->error = sqrt(c->fit.rss) / size;
  if (c->side == SIDE_EQUATION)
    c->criterion = information_criterion(c->fit.equation_rss / rows, FLOOR * d->rms, c->fit.rows,
                                         parameters + (c->structure.delay > 0));
  else
    c->criterion = information_criterion(c->fit.innovation, FLOOR * size / sqrt(rows), c->fit.rows,
                                         parameters + (c->structure.delay > 0 ? LATE : 0));
  return structure_gains(&c->gains, &c->possible, &c->structure, c->side, &c->fit, d->period_s);
}

/* RBV_ENUM from a candidate is not a failure: the candidate is not possible */
rbv_status search_estimate(candidate *c, joint_data *d, const law_structure *s, law_side side,
                           law_method method, const double *poles) {
  *c = (candidate){.structure = *s, .side = side, .criterion = INFINITY};
  const law_problem b = joint_data_problem(d, s, side);
  rbv_status status = method == LAW_LS ? law_solve_ls(&c->fit, d->work, &b)
                                       : law_solve(&c->fit, d->work, &b, method, poles);
  if (status == RBV_OK) status = rate_candidate(c, d, &b);
  if (status == RBV_ENUM) c->possible = false;
  if (!c->possible) c->criterion = INFINITY;
  return status == RBV_ENUM ? RBV_OK : status;
}

/* the law may have been estimated on another side */
rbv_status search_error(double *error, joint_data *d, const candidate *c, law_side side) {
  law_plain law;
  structure_read(&law, &c->structure, c->side, c->fit.p);
  law_fit f = {.n = structure_parameter_count(&c->structure)};
  structure_write(f.p, &c->structure, side, &law);
  const law_problem b = joint_data_problem(d, &c->structure, side);
  const double *residual;
  const rbv_status status = law_residual(&residual, &f, d->work, &b);
  *error =
      status == RBV_OK ? search_norm(&b, residual, false) / search_norm(&b, b.out, true) : INFINITY;
  return status == RBV_ENUM ? RBV_OK : status;
}

/* ---- least squares over all structures: one triangle holds every lag of every signal ---- */

#define LAG_SIGNALS 5  // torque, error, dq_r, ddq_r, difference of q_r
#define LAGS_MAX (ORDER_MAX + DELAY_MAX + 2)
#define LAG_COLUMNS (LAG_SIGNALS * LAGS_MAX)

typedef struct {
  int lags;  // columns per signal: delayed by 0 to lags - 1 samples
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
  for (int s = 0; s < d->nsegment && status == RBV_OK; s++)
    for (ptrdiff_t at = 0; at < d->segment[s].count && status == RBV_OK; at += block) {
      const ptrdiff_t left = d->segment[s].count - at, count = left < block ? left : block;
      for (int c = 0; c < n; c++)
        for (ptrdiff_t k = 0; k < count; k++)
          rows[k + c * block] = signal[c / t->lags][d->segment[s].first + at + k - c % t->lags];
      status = rbv_qr_add(qr, rows, count, block);
    }
  if (status == RBV_OK) rbv_qr_get(t->R, qr);
  rbv_qr_free(qr);
  rbv_free(rows);
  return status;
}

/* column += (1 - z^-1)^power of a signal delayed by `late` samples */
static void add_lagged(double *column, const lag_triangle *t, int signal, int late, int power) {
  const int n = LAG_SIGNALS * t->lags;
  double binomial = 1;
  for (int j = 0; j <= power; j++) {
    const double *from = t->R + (signal * t->lags + late + j) * n;
    for (int i = 0; i < n; i++) column[i] += (j % 2 ? -1 : 1) * binomial * from[i];
    binomial *= (double)(power - j) / (j + 1);
  }
}

/* residual variance of the equation of a structure */
static rbv_status score_ls(double *variance, const lag_triangle *t, const joint_data *d,
                           const law_structure *s) {
  const int n = LAG_SIGNALS * t->lags, k = structure_parameter_count(s), I = s->integrates;
  double *A = rbv_alloc((size_t)(n * (k + 1)) * sizeof *A), x[LAW_PARAMETERS];
  if (!A) return RBV_EMEM;
  double *column = A;
  for (int i = 0; i < s->na; i++, column += n) add_lagged(column, t, 0, 1, i + I);
  for (int i = 0; i <= s->nb; i++, column += n) add_lagged(column, t, 1, s->delay, i);
  for (int m = 0; m < structure_extra_count(s); m++)
    for (int i = 0; i < structure_extra_coefficients(s); i++, column += n) {
      if (s->extra == EXTRA_CASCADE)
        add_lagged(column, t, 4, s->delay, i);
      else
        add_lagged(column, t, 2 + m, s->delay, i + I);
    }
  add_lagged(column, t, 0, 0, I);
  // scale the columns to equal norm, otherwise small ones would count as dependent
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

/* true if the structure is plausible and within the limits of the options */
static bool is_plausible(const law_structure *s, const rbv_control_id_options *o) {
  const int order = s->na + s->integrates;
  if (order > o->order || s->nb > o->order || s->nb < order - 1 || s->nb > order + 1) return false;
  if (s->integrates && s->nb == 0) return false;
  if (s->extra == EXTRA_CASCADE) return s->na <= 1 && s->nb == 1 + s->integrates;
  return true;
}

/* best structure with the allowed inputs: bit i for extra input i */
static rbv_status rank_ls(law_structure *best, const lag_triangle *t, joint_data *d,
                          unsigned allowed) {
  double least = INFINITY;
  const int delays = d->o->delay + 1, extras = 4, orders = ORDER_MAX + 1;
  *best = (law_structure){.nb = 0};
  for (int i = 0; i < 2 * orders * orders * delays * extras; i++) {
    const law_structure s = {.integrates = i % 2,
                             .na = i / 2 % orders,
                             .nb = i / 2 / orders % orders,
                             .delay = i / 2 / orders / orders % delays,
                             .extra = (extra_input)(i / 2 / orders / orders / delays)};
    if (!is_plausible(&s, d->o) || !(allowed >> s.extra & 1)) continue;
    double variance;
    RBV_TRY(score_ls(&variance, t, d, &s));
    const double criterion = information_criterion(variance, FLOOR * d->rms, d->used,
                                                   structure_parameter_count(&s) + (s.delay > 0));
    if (!(criterion < least)) continue;
    least = criterion;
    *best = s;
  }
  return RBV_OK;
}

rbv_status search_ls(candidate *best, joint_data *d) {
  lag_triangle t = {0};
  rbv_status status = gather_lags(&t, d);
  // an input may fit although no controller has such a law: then search again without it
  for (unsigned allowed = d->o->feedforward ? 15 : 1; status == RBV_OK && allowed;) {
    law_structure structure;
    status = rank_ls(&structure, &t, d, allowed);
    if (status == RBV_OK)
      status = search_estimate(best, d, &structure, SIDE_EQUATION, LAW_LS, NULL);
    if (status != RBV_OK || best->possible || structure.extra == EXTRA_NONE) break;
    allowed &= ~(1U << structure.extra);
  }
  rbv_free(t.R);
  return status;
}

/* ---- refined instruments ---- */

/* Compare by the criterion. Coloured noise favours high orders and additional inputs, so a transfer
 * function (against a PID or cascade) and additional inputs must also reduce the simulation error
 * by MIN_GAIN. */
static bool is_better(const candidate *a, const candidate *b) {
  if (!(a->criterion < b->criterion) || !a->fit.converged) return false;
  const bool general = a->gains.kind == RBV_CONTROL_TRANSFER;
  const bool richer = (general && b->gains.kind != RBV_CONTROL_TRANSFER) ||
                      (a->structure.extra != EXTRA_NONE && b->structure.extra == EXTRA_NONE);
  return !richer || !b->possible || a->error < (1 - MIN_GAIN) * b->error;
}

/* estimate a structure and keep it if it is better; `nearby` gives start values of the poles */
static rbv_status try_shape(candidate *best, joint_data *d, law_structure s,
                            const candidate *nearby) {
  if (!is_plausible(&s, d->o)) return RBV_OK;
  const bool same =
      best->side == SIDE_ERROR ? s.nb == nearby->structure.nb : s.na == nearby->structure.na;
  candidate c;
  RBV_TRY(search_estimate(&c, d, &s, best->side, LAW_SRIV, same ? nearby->fit.p : NULL));
  if (is_better(&c, best)) *best = c;
  return RBV_OK;
}

/*
 * Decide which signal carries the noise. By default it is the position. It is the torque if the
 * residual of the position exceeds its resolution, or if that residual depends on the torque while
 * the residual of the torque does not depend on the position.
 */
static rbv_status choose_side(candidate *best, joint_data *d) {
  const int order = d->o->order;
  const law_structure pid = {.integrates = true, .na = order > 1, .nb = order > 1 ? 2 : 1};
  candidate torque;
  RBV_TRY(search_estimate(&torque, d, &pid, SIDE_TORQUE, LAW_SRIV, NULL));
  RBV_TRY(search_estimate(best, d, &pid, SIDE_ERROR, LAW_SRIV, NULL));
  const bool failed = !(best->error > 0);
  const double residual = sqrt(best->fit.rss / (double)d->used);
  const bool beyond = residual > RESOLVED * d->resolution;
  const bool depends =
      best->dependence > DEPENDENT && torque.dependence < MAX_RATIO * best->dependence;
  if (torque.possible && torque.error < MAX_ERROR && (failed || beyond || depends)) *best = torque;
  return RBV_OK;
}

rbv_status search_sriv(candidate *best, joint_data *d) {
  RBV_TRY(choose_side(best, d));
  // vary additional inputs, then delay, then orders, starting from the best so far; each input is
  // tried with and without filter, because an uncertain filter pole could hide it
  const candidate first = *best;
  const int extras = d->o->feedforward ? EXTRA_CASCADE : EXTRA_NONE;
  for (int extra = EXTRA_NONE; extra <= extras; extra++)
    for (int filters = 0; filters < 2; filters++) {
      law_structure s = first.structure;
      s.extra = (extra_input)extra;
      s.na = filters;
      RBV_TRY(try_shape(best, d, s, &first));
    }
  const candidate second = *best;
  for (int delay = 1; delay <= d->o->delay; delay++) {
    law_structure s = second.structure;
    s.delay = delay;
    RBV_TRY(try_shape(best, d, s, &second));
  }
  static const struct {
    bool integrates;
    int na, nb;
  } structures[] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 0, 2},
                    {1, 1, 2}, {0, 2, 2}, {1, 1, 1}, {1, 2, 2}, {1, 2, 3}};
  const candidate third = *best;
  for (int i = 0; i < RBV_COUNT(structures); i++) {
    law_structure s = third.structure;
    s.integrates = structures[i].integrates;
    s.na = structures[i].na;
    s.nb = structures[i].nb;
    RBV_TRY(try_shape(best, d, s, &third));
  }
  return RBV_OK;
}
