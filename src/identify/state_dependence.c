/*
 * State-dependent parameters (Janot, Young and Gautier 2017), as a diagnosis: is a parameter a
 * function of a position or of a velocity? The torque is
 *
 *   y = W beta + w_p delta(x) + e,
 *
 * with delta a random walk over x: the steps between neighbouring points of x are normal. beta and
 * delta are estimated together; for given beta this is the estimate of a recursive smoother over
 * the samples sorted by x. A function is reported only if it predicts blocks of time that were not
 * used better than the constant does.
 */
#include <math.h>
#include <string.h>

#include "equations/row_stream.h"
#include "identify/identify.h"
#include "linalg/linalg.h"

#define POINTS RBV_STATE_POINTS
#define MOST RBV_STATE_DEPENDENCES
#define ROWS 2500          // equations per torque row, evenly spread over the recordings
#define FOLDS 6            // of the cross-validation
#define BLOCKS_PER_FOLD 4  // pieces of time of a fold
#define TRIED 6            // candidates that are cross-validated: the largest gains of all data
#define LEAST_SHARE 0.2    // smallest decrease of the squared left-out error that is reported
#define LEAST_FOLD 0.1     // smallest decrease in each fold
#define LEAST_ROWS 10.0    // equations near a point below which its value is not known
#define SLOW 0.05          // of the top speed: near standstill friction is no function of the speed
#define RIDGE 1e-9         // of the length of a column: makes the constant of delta unique
#define WALK \
  0.1  // weight of a step of the random walk, in equations of a point at their mean length

/* equations at some samples: weighted rows of all torques, columns of length 1 */
typedef struct {
  int n, njoint, width;  // columns of parameters; joints; columns with those of found functions
  ptrdiff_t count, room;
  double *A;            // room x (n + MOST * POINTS)
  double *y;            // room
  double *x;            // room x (2 njoint): positions, velocities
  double *walk;         // n + MOST * POINTS: 0, or the weight of the steps of its function
  unsigned char *fold;  // room
  int *row;             // room: torque row
  double *length;       // n
} equations;

/* a parameter as a function of a state */
typedef struct {
  int parameter, state;
  double low, high;  // range of the state
  double gain;       // of all data, by the score
} candidate;

static double *column_of(const equations *e, int c) { return e->A + (ptrdiff_t)c * e->room; }

static void layout(equations *e, rbv_arena *a) {
  e->A = RBV_TAKE(a, e->room * (e->n + MOST * POINTS), double);
  e->y = RBV_TAKE(a, e->room, double);
  e->x = RBV_TAKE(a, e->room * 2 * e->njoint, double);
  e->walk = RBV_TAKE(a, e->n + MOST * POINTS, double);
  e->fold = RBV_TAKE(a, e->room, unsigned char);
  e->row = RBV_TAKE(a, e->room, int);
  e->length = RBV_TAKE(a, e->n, double);
}

/* ---- reading ---- */

typedef struct {
  const rbv_model *m;
  const int *column;
  rbv_row_filter still;  // whose mask marks rows near standstill
  rbv_dynamics *d;
  double *W;            // nrow x ncolumn
  double *state;        // 3 njoint, then nrow torques
  ptrdiff_t all, done;  // samples of all motions, and of those before
} reader;

static void add_sample(equations *e, const reader *r, const rbv_samples *s, bool loaded,
                       ptrdiff_t at) {
  const int n = e->njoint, nrow = r->m->nrow;
  rbv_regressor_eval(r->W, r->d, s->q, s->dq, s->ddq, loaded);
  for (int row = 0; row < nrow; row++) {
    bool slow;
    rbv_mark_slow(&slow, r->m, &r->still, row, s->dq, 1, 1);
    if (slow || e->count == e->room) continue;
    const ptrdiff_t k = e->count++;
    for (int c = 0; c < e->n; c++) column_of(e, c)[k] = r->W[row + (ptrdiff_t)r->column[c] * nrow];
    e->y[k] = s->torque[row];
    for (int j = 0; j < n; j++) {
      e->x[k + j * e->room] = s->q[j];
      e->x[k + (n + j) * e->room] = s->dq[j];
    }
    e->fold[k] = (unsigned char)(at * FOLDS * BLOCKS_PER_FOLD / r->all % FOLDS);
    e->row[k] = row;
  }
}

static rbv_status read_motion(equations *e, reader *r, rbv_motion *motion, ptrdiff_t stride) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const int n = e->njoint;
  const rbv_samples s = {.ld = 1,
                         .q = r->state,
                         .dq = r->state + n,
                         .ddq = r->state + 2 * n,
                         .torque = r->state + 3 * n};
  // derivatives are worse at both ends
  const ptrdiff_t end = info->count / 50;
  for (ptrdiff_t k = end; k < info->count - end; k += stride) {
    RBV_TRY(rbv_motion_read(motion, &s, k, 1));
    bool known = true;
    for (int i = 0; i < 3 * n + r->m->nrow; i++) known = known && isfinite(r->state[i]);
    if (known) add_sample(e, r, &s, info->loaded, r->done + k);
  }
  r->done += info->count;
  return RBV_OK;
}

static double top_speed(const rbv_model *m, int joint) {
  const double limit = m->joint[joint].limits.velocity;
  return limit > 0 && isfinite(limit) ? limit : 1;
}

static rbv_status read_all(equations *e, reader *r, rbv_motion *const *motions, int nmotion) {
  rbv_status status = rbv_dynamics_new(&r->d, r->m);
  r->W = rbv_alloc((size_t)r->m->nrow * (size_t)r->m->ncolumn * sizeof *r->W);
  r->state = rbv_alloc((3 * (size_t)e->njoint + (size_t)r->m->nrow) * sizeof *r->state);
  if (status == RBV_OK && (!r->W || !r->state)) status = RBV_EMEM;
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    status = read_motion(e, r, motions[i], r->all / ROWS + 1);
  rbv_dynamics_free(r->d);
  RBV_FREE_ALL(r->W, r->state);
  return status;
}

/* ---- functions of a state ---- */

/* the two points beside a state, and the weight of the second */
static int place(double *weight, const candidate *c, double x) {
  const double at = (x - c->low) / (c->high - c->low) * (POINTS - 1);
  const int i = at < 0 ? 0 : at > POINTS - 2 ? POINTS - 2 : (int)at;
  *weight = fmin(fmax(at - i, 0), 1);
  return i;
}

static double point_of(const candidate *c, int i) {
  return c->low + (c->high - c->low) * i / (POINTS - 1);
}

/* the weight of the steps of the function whose columns begin at first */
static void weigh_steps(equations *e, int first) {
  double total = 0;
  for (int i = 0; i < POINTS; i++)
    for (ptrdiff_t k = 0; k < e->count; k++) total += pow(column_of(e, first + i)[k], 2);
  for (int i = 0; i < POINTS; i++) e->walk[first + i] = WALK * total / POINTS;
}

/* write the columns of a function behind the others */
static void append(equations *e, candidate *c) {
  const double *w = column_of(e, c->parameter), *x = e->x + (ptrdiff_t)c->state * e->room;
  double *Z = column_of(e, e->width);
  memset(Z, 0, (size_t)(POINTS * e->room) * sizeof *Z);
  for (ptrdiff_t k = 0; k < e->count; k++) {
    double weight;
    const int i = place(&weight, c, x[k]);
    Z[k + i * e->room] = (1 - weight) * w[k];
    Z[k + (i + 1) * e->room] = weight * w[k];
  }
  e->width += POINTS;
  weigh_steps(e, e->width - POINTS);
}

/* ---- normal equations ---- */

/* one matrix per fold, (width + 1) square; the last row and column belong to the torque */
static void accumulate(double *const N[FOLDS], const equations *e) {
  const int size = e->width + 1;
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      const double *a = i < e->width ? column_of(e, i) : e->y;
      const double *b = j < e->width ? column_of(e, j) : e->y;
      double sum[FOLDS] = {0};
      for (ptrdiff_t k = 0; k < e->count; k++) sum[e->fold[k]] += a[k] * b[k];
      for (int f = 0; f < FOLDS; f++)
        N[f][i + (ptrdiff_t)j * size] = N[f][j + (ptrdiff_t)i * size] = sum[f];
    }
}

/* the sum of all folds but one; -1: of all */
static void add_folds(double *sum, double *const N[FOLDS], int width, int without) {
  const size_t square = (size_t)(width + 1) * (size_t)(width + 1);
  memset(sum, 0, square * sizeof *sum);
  for (int f = 0; f < FOLDS; f++)
    for (size_t i = 0; i < square && f != without; i++) sum[i] += N[f][i];
}

/* the random walks: consecutive columns with the same function */
static void add_walks(double *N, const equations *e, int size) {
  for (int i = 0; i < e->width; i++) N[i + (ptrdiff_t)i * size] += RIDGE;
  for (int i = e->n; i + 1 < e->width; i++) {
    if ((i + 1 - e->n) % POINTS == 0) continue;
    N[i + (ptrdiff_t)i * size] += e->walk[i];
    N[i + 1 + (ptrdiff_t)(i + 1) * size] += e->walk[i];
    N[i + 1 + (ptrdiff_t)i * size] -= e->walk[i];
    N[i + (ptrdiff_t)(i + 1) * size] -= e->walk[i];
  }
}

/* values from normal equations, which are overwritten by their Cholesky factor; false: singular */
static rbv_status solve(bool *regular, double *value, double *N, const equations *e) {
  const int size = e->width + 1;
  add_walks(N, e, size);
  for (int i = 0; i < e->width; i++) value[i] = N[i + (ptrdiff_t)e->width * size];
  RBV_TRY(rbv_cholesky(regular, N, e->width, size));
  return *regular ? rbv_solve_cholesky(value, 1, e->width, N, e->width, size) : RBV_OK;
}

/* squared error of the equations behind N */
static double error_of(const double *N, const double *value, int width) {
  const int size = width + 1;
  double sum = N[width + (ptrdiff_t)width * size];
  for (int i = 0; i < width; i++) {
    double row = -2 * N[i + (ptrdiff_t)width * size];
    for (int j = 0; j < width; j++) row += N[i + (ptrdiff_t)j * size] * value[j];
    sum += row * value[i];
  }
  return sum;
}

/* ---- cross-validation ---- */

typedef struct {
  double *fold[FOLDS], *work;  // normal equations
  double *value[FOLDS];        // estimates without each fold
  double error[FOLDS];         // of the fold that was left out
  int room;                    // columns
} validation;

static void layout_validation(validation *v, rbv_arena *a) {
  const size_t square = (size_t)(v->room + 1) * (size_t)(v->room + 1);
  for (int f = 0; f < FOLDS; f++) {
    v->fold[f] = RBV_TAKE(a, square, double);
    v->value[f] = RBV_TAKE(a, v->room, double);
  }
  v->work = RBV_TAKE(a, square, double);
}

static rbv_status validate(bool *regular, validation *v, const equations *e) {
  *regular = true;
  accumulate(v->fold, e);
  for (int f = 0; f < FOLDS && *regular; f++) {
    add_folds(v->work, v->fold, e->width, f);
    RBV_TRY(solve(regular, v->value[f], v->work, e));
    if (*regular) v->error[f] = error_of(v->fold[f], v->value[f], e->width);
  }
  return RBV_OK;
}

/* share by which a function decreases the squared error of all folds; 0 if one does not confirm it
 */
static double decrease(const double *before, const double *after) {
  double total = 0, rest = 0;
  for (int f = 0; f < FOLDS; f++) {
    if (!(after[f] <= (1 - LEAST_FOLD) * before[f])) return 0;
    total += before[f];
    rest += after[f];
  }
  return rest <= (1 - LEAST_SHARE) * total ? 1 - rest / total : 0;
}

/* ---- screening ---- */

/* gain of a function by the score of all data: g' inv(Z'Z + walk) g with g = Z' residual, with the
 * constant of delta taken out by the residual of w_p itself */
static double screen(const equations *e, const candidate *c, const double *residual) {
  const double *w = column_of(e, c->parameter), *x = e->x + (ptrdiff_t)c->state * e->room;
  double g[POINTS] = {0}, diagonal[POINTS] = {0}, total = 0, sum = 0;
  for (ptrdiff_t k = 0; k < e->count; k++) {
    if (w[k] == 0) continue;
    double weight;
    const int i = place(&weight, c, x[k]);
    const int near = weight > 0.5 ? i + 1 : i;
    g[near] += w[k] * residual[k];
    diagonal[near] += w[k] * w[k];
    total += w[k] * w[k];
  }
  for (int i = 0; i < POINTS; i++)
    if (diagonal[i] > 0) sum += g[i] * g[i] / (diagonal[i] + WALK * total / POINTS);
  return sum;
}

static bool range_of(candidate *c, const equations *e) {
  const double *x = e->x + (ptrdiff_t)c->state * e->room;
  c->low = INFINITY;
  c->high = -INFINITY;
  for (ptrdiff_t k = 0; k < e->count; k++) {
    c->low = fmin(c->low, x[k]);
    c->high = fmax(c->high, x[k]);
  }
  return c->high - c->low > 1e-6;
}

/* the candidates with the largest gains, in order */
static int best_candidates(candidate *best, const equations *e, const double *residual) {
  int count = 0;
  for (int p = 0; p < e->n; p++)
    for (int s = 0; s < 2 * e->njoint; s++) {
      candidate c = {.parameter = p, .state = s};
      if (!range_of(&c, e)) continue;
      c.gain = screen(e, &c, residual);
      int at = count < TRIED ? count++ : TRIED;
      if (at == TRIED && !(c.gain > best[TRIED - 1].gain)) continue;
      if (at == TRIED) at--;
      for (; at > 0 && best[at - 1].gain < c.gain; at--) best[at] = best[at - 1];
      best[at] = c;
    }
  return count;
}

/* ---- the search ---- */

/* columns of length 1, so that none is short beside the ridge */
static void scale_columns(equations *e) {
  for (int c = 0; c < e->n; c++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < e->count; k++) sum += column_of(e, c)[k] * column_of(e, c)[k];
    e->length[c] = sum > 0 ? sqrt(sum) : 1;
    for (ptrdiff_t k = 0; k < e->count; k++) column_of(e, c)[k] /= e->length[c];
  }
}

/* the residual of all equations */
static rbv_status subtract(bool *regular, double *residual, const equations *e, validation *v) {
  accumulate(v->fold, e);
  add_folds(v->work, v->fold, e->width, -1);
  RBV_TRY(solve(regular, v->value[0], v->work, e));
  memcpy(residual, e->y, (size_t)e->count * sizeof *residual);
  for (int c = 0; c < e->width && *regular; c++)
    for (ptrdiff_t k = 0; k < e->count; k++) residual[k] -= v->value[0][c] * column_of(e, c)[k];
  return RBV_OK;
}

/* divide the equations of each torque by the rms of their residual */
static void weigh(equations *e, double *residual, int nrow) {
  for (int row = 0; row < nrow; row++) {
    double sum = 0;
    ptrdiff_t rows = 0;
    for (ptrdiff_t k = 0; k < e->count; k++)
      if (e->row[k] == row) sum += residual[k] * residual[k], rows++;
    const double weight = sum > 0 ? sqrt((double)rows / sum) : 1;
    for (ptrdiff_t k = 0; k < e->count; k++) {
      if (e->row[k] != row) continue;
      e->y[k] *= weight;
      residual[k] *= weight;
      for (int c = 0; c < e->width; c++) column_of(e, c)[k] *= weight;
    }
  }
  for (int first = e->n; first < e->width; first += POINTS) weigh_steps(e, first);
}

/* value and sigma at the points of the function that was appended last */
static void describe(rbv_state_dependence *out, const equations *e, const validation *v,
                     const candidate *c, double share) {
  const int at = e->width - POINTS;
  const double *x = e->x + (ptrdiff_t)c->state * e->room, *w = column_of(e, c->parameter);
  double near[POINTS] = {0};
  for (ptrdiff_t k = 0; k < e->count; k++) {
    double weight;
    const int i = place(&weight, c, x[k]);
    if (w[k] != 0) near[weight > 0.5 ? i + 1 : i]++;
  }
  *out = (rbv_state_dependence){.parameter = c->parameter,
                                .joint = c->state % e->njoint,
                                .velocity = c->state >= e->njoint,
                                .decrease = share};
  for (int i = 0; i < POINTS; i++) {
    double mean = 0, square = 0;
    for (int f = 0; f < FOLDS; f++) {
      const double value = v->value[f][c->parameter] + v->value[f][at + i];
      mean += value / FOLDS;
      square += value * value / FOLDS;
    }
    const double variance = (FOLDS - 1) * fmax(0, square - mean * mean);  // jackknife
    const bool known = near[i] >= LEAST_ROWS;
    out->at[i] = point_of(c, i);
    out->value[i] = known ? mean / e->length[c->parameter] : NAN;
    out->sigma[i] = known ? sqrt(variance) / e->length[c->parameter] : NAN;
  }
}

/* find the function that predicts best, and keep its columns; false: there is none */
static rbv_status find_one(bool *found, rbv_state_dependence *out, equations *e, validation *v,
                           const double *residual) {
  candidate best[TRIED], kept = {.gain = 0};
  double before[FOLDS], share = 0;
  bool regular;
  *found = false;
  RBV_TRY(validate(&regular, v, e));
  if (!regular) return RBV_OK;
  memcpy(before, v->error, sizeof before);
  const int count = best_candidates(best, e, residual);
  for (int i = 0; i < count; i++) {
    append(e, &best[i]);
    RBV_TRY(validate(&regular, v, e));
    e->width -= POINTS;
    const double own = regular ? decrease(before, v->error) : 0;
    if (!(own > share)) continue;
    share = own;
    kept = best[i];
  }
  if (!(share > 0)) return RBV_OK;
  append(e, &kept);
  RBV_TRY(validate(&regular, v, e));
  describe(out, e, v, &kept, share);
  *found = true;
  return RBV_OK;
}

static rbv_status search(rbv_state_dependence *out, int *count, equations *e, validation *v,
                         double *residual, int nrow) {
  if (e->count < (ptrdiff_t)(FOLDS * (e->n + POINTS))) return RBV_OK;
  scale_columns(e);
  bool found = true, regular = true;
  while (*count < MOST) {
    RBV_TRY(subtract(&regular, residual, e, v));
    if (!regular) return RBV_OK;
    weigh(e, residual, nrow);
    RBV_TRY(find_one(&found, &out[*count], e, v, residual));
    if (!found) return RBV_OK;
    (*count)++;
  }
  return RBV_OK;
}

rbv_status rbv_state_dependences(rbv_state_dependence out[RBV_STATE_DEPENDENCES], int *count,
                                 const rbv_model *m, rbv_motion *const *motions, int nmotion,
                                 const int *column, int ncolumn) {
  *count = 0;
  if (!m || nmotion < 1 || ncolumn < 1) return rbv_fail(RBV_EARG, "no motion or no parameter");
  // rows of laws with a memory or of the load of the gear are no function of one sample
  if (m->nstate > 0 || m->uses_torque) return RBV_OK;
  reader r = {.m = m, .column = column};
  for (int j = 0; j < m->njoint; j++) r.still.mask = fmax(r.still.mask, SLOW * top_speed(m, j));
  for (int i = 0; i < nmotion; i++) r.all += rbv_motion_get_info(motions[i])->count;
  equations e = {.n = ncolumn,
                 .njoint = m->njoint,
                 .width = ncolumn,
                 .room = (r.all < ROWS ? r.all : ROWS) * m->nrow};
  validation v = {.room = ncolumn + MOST * POINTS};
  rbv_arena a = {0}, b = {0};
  RBV_CARVE(&a, layout(&e, &a));
  RBV_CARVE(&b, layout_validation(&v, &b));
  double *residual = rbv_alloc((size_t)e.room * sizeof *residual);
  rbv_status status = a.base && b.base && residual ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = read_all(&e, &r, motions, nmotion);
  if (status == RBV_OK) status = search(out, count, &e, &v, residual, m->nrow);
  RBV_FREE_ALL(a.base, b.base, residual);
  return status;
}
