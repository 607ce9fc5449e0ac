/*
 * The residual of a recording without events: its size and colour (first pass), and the extreme
 * values of what alarms are raised on (second pass).
 */
#include <math.h>
#include <string.h>

#include "follow/follow_internal.h"

typedef struct {
  rbv_follow *f;
  double *chi;     // of the arm
  double *square;  // n: sums of squares of the residual
  ptrdiff_t ticks;
  double *series;  // rows x n: equations, one row after the other
  ptrdiff_t rows, room;
  double *maxima;  // (n + 1) x blocks: of every joint, of the distance last
  double *now;     // n + 1: of the block in progress
  double block;    // its time
  int nblock, most;
} learner;

static void learner_free(learner *l) {
  RBV_FREE_ALL(l->chi, l->square, l->series, l->maxima, l->now);
}

static rbv_status learner_new(learner *l, rbv_follow *f, const rbv_follow_samples *s, int count) {
  double time = 0;
  *l = (learner){.f = f};
  for (int i = 0; i < count; i++)
    if (s[i].count > 1) time += fmax(0, s[i].t[s[i].count - 1] - s[i].t[0]);
  if (!(time < 1e7)) return rbv_fail(RBV_EINPUT, "the recordings have no usable time stamps");
  l->room = (ptrdiff_t)(time / ROW_S) + 1;
  l->most = (int)(time / BLOCK_S) + 1;
  const size_t n = (size_t)f->n;
  const size_t columns = (size_t)f->arm.model->ncolumn;
  l->chi = rbv_alloc(columns * sizeof *l->chi);
  l->square = rbv_alloc(n * sizeof *l->square);
  l->series = rbv_alloc((size_t)l->room * n * sizeof *l->series);
  l->maxima = rbv_alloc((size_t)l->most * (n + 1) * sizeof *l->maxima);
  l->now = rbv_alloc((n + 1) * sizeof *l->now);
  if (!l->chi || !l->square || !l->series || !l->maxima || !l->now) {
    learner_free(l);
    return RBV_EMEM;
  }
  memcpy(l->chi, f->chi, columns * sizeof *l->chi);
  return RBV_OK;
}

/* ---- first pass ---- */

static void add_size(learner *l) {
  rbv_follow *f = l->f;
  if (f->shown.updated) {
    for (int j = 0; j < f->n; j++) {
      const double over = fmax(0, fabs(f->residual[j]) - f->loose[j]);
      l->square[j] += over * over;
    }
    l->ticks++;
  }
  if (!f->new_row || l->rows == l->room) return;
  double *row = l->series + l->rows * f->n;
  for (int j = 0; j < f->n; j++) {
    const slow_row *s = &f->slow_rows[j];
    const double over = fmax(0, fabs(s->y) - s->loose);
    row[j] = copysign(over, s->y);
  }
  l->rows++;
}

/*
 * How many equations count as one: 1 + 2 sum of autocorrelations, over those until the sum of two
 * neighbours is no longer positive (Geyer 1992).
 */
static double colour_of(const learner *l, int joint, double variance) {
  const int n = l->f->n;
  double sum = 1, before = 1;
  for (int lag = 1; lag <= LAGS && lag < l->rows / 4; lag++) {
    double product = 0;
    for (ptrdiff_t k = lag; k < l->rows; k++)
      product += l->series[k * n + joint] * l->series[(k - lag) * n + joint];
    const double rho = product / (variance * (double)l->rows);
    if (lag % 2 == 1 && before + rho <= 0) break;
    sum += 2 * rho;
    before = rho;
  }
  return sqrt(fmax(1, sum));
}

static rbv_status take_size(learner *l) {
  rbv_follow *f = l->f;
  if (l->rows < LAGS || l->ticks < LAGS)
    return rbv_fail(RBV_EINPUT,
                    "the recordings without contact are too short to learn the residual from: "
                    "use at least %g s",
                    RBV_ALARM_BLOCKS * BLOCK_S);
  for (int j = 0; j < f->n; j++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < l->rows; k++)
      sum += l->series[k * f->n + j] * l->series[k * f->n + j];
    const double variance = sum / (double)l->rows, fast = l->square[j] / (double)l->ticks;
    if (!(variance > 0) || !(fast > 0)) continue;  // it never moves: keep the assumption
    f->sigma[j] = sqrt(fast);
    f->slow_sigma[j] = sqrt(variance);
    f->colour[j] = colour_of(l, j, variance);
  }
  return RBV_OK;
}

/* ---- second pass ---- */

static void end_block(learner *l) {
  const int n = l->f->n + 1;
  if (l->nblock < l->most)
    for (int i = 0; i < n; i++) l->maxima[i * l->most + l->nblock] = l->now[i];
  l->nblock += l->nblock < l->most;
  memset(l->now, 0, (size_t)n * sizeof *l->now);
  l->block = 0;
}

static void add_extreme(learner *l, double dt) {
  rbv_follow *f = l->f;
  if (f->shown.updated)
    for (int j = 0; j < f->n; j++) {
      const double sigma = (f->limit[j] - f->loose[j]) / f->level[j];
      l->now[j] = fmax(l->now[j], fmax(0, fabs(f->residual[j]) - f->loose[j]) / sigma);
    }
  if (!f->new_row) return;
  l->now[f->n] = fmax(l->now[f->n], f->distance);
  l->block += dt;
  if (l->block >= BLOCK_S - 1e-9) end_block(l);
}

static rbv_status take_levels(learner *l) {
  rbv_follow *f = l->f;
  if (l->nblock < RBV_ALARM_BLOCKS)
    return rbv_fail(RBV_EINPUT,
                    "the recordings without contact have %d blocks of %g s: %d are needed for the "
                    "limits",
                    l->nblock, BLOCK_S, RBV_ALARM_BLOCKS);
  const double share = f->o.alarms_per_hour / 3600 * BLOCK_S;
  const double least = rbv_follow_level(f), change = rbv_follow_change_level(f);
  for (int j = 0; j < f->n; j++)
    f->level[j] =
        fmax(least, rbv_alarm_level(l->maxima + j * l->most, l->nblock, fmin(0.5, share / f->n)));
  f->at[AT_CHANGE_LEVEL] =
      fmax(change, rbv_alarm_level(l->maxima + f->n * l->most, l->nblock, fmin(0.5, share)));
  return RBV_OK;
}

/* ---- both ---- */

static rbv_status replay(learner *l, const rbv_follow_samples *s, bool extremes, double *q,
                         double *torque) {
  rbv_follow *f = l->f;
  const int n = f->n, nrow = f->arm.model->nrow;
  // rows as far apart as those of the stream: what it misses between them is part of the residual
  const double least = (1 - 1e-3) / f->o.rate_hz;
  double before = NAN, kept = -INFINITY;
  memcpy(f->chi, s->chi ? s->chi : l->chi, (size_t)f->arm.model->ncolumn * sizeof *f->chi);
  rbv_follow_reset(f);
  for (ptrdiff_t k = 0; k < s->count; k++) {
    if (k % 1000 == 0) RBV_TRY(rbv_go_on("calibration", (double)k / (double)s->count));
    if (s->t[k] - kept < least && s->t[k] > kept) continue;
    kept = s->t[k];
    for (int j = 0; j < n; j++) q[j] = s->q[k + j * s->count];
    for (int r = 0; r < nrow; r++) torque[r] = s->torque[k + r * s->count];
    // equal parts of the time, as the identification has them
    const double share = (s->t[k] - s->t[0]) / (s->t[s->count - 1] - s->t[0]);
    f->left_out = s->identified && f->npart > 0 && share >= 0 && share <= 1
                      ? (int)fmin(share * f->npart, f->npart - 1)
                      : -1;
    (void)rbv_follow_push(f, s->t[k], q, torque);
    if (extremes) {
      if (f->new_row) {
        const double dt = s->t[k] - before;
        before = s->t[k];
        add_extreme(l, dt > 0 && dt < 10 * ROW_S ? dt : ROW_S);
      } else {
        add_extreme(l, 0);
      }
    } else {
      add_size(l);
    }
  }
  return RBV_OK;
}

/* learn with estimates that do not change: neither payload nor drift */
static rbv_status learn(learner *l, const rbv_follow_samples *s, int count, double *q,
                        double *torque) {
  for (int i = 0; i < count; i++) RBV_TRY(replay(l, &s[i], false, q, torque));
  RBV_TRY(take_size(l));
  for (int i = 0; i < count; i++) RBV_TRY(replay(l, &s[i], true, q, torque));
  return take_levels(l);
}

rbv_status rbv_follow_calibrate(rbv_follow *f, const rbv_follow_samples *recordings, int count) {
  if (!f || !recordings || count < 1)
    return rbv_fail(RBV_EARG, "a calibration needs at least one recording");
  learner l;
  RBV_TRY(learner_new(&l, f, recordings, count));
  double *q = rbv_alloc((size_t)(f->n + f->arm.model->nrow) * sizeof *q);
  const rbv_follow_options own = f->o;
  const double level = f->at[AT_CHANGE_LEVEL];
  f->o.drift_s = 0;
  f->o.carries = false;
  f->o.payload = true;
  f->at[AT_CHANGE_LEVEL] = INFINITY;
  rbv_status status = q ? learn(&l, recordings, count, q, q + f->n) : RBV_EMEM;
  if (status != RBV_OK) f->at[AT_CHANGE_LEVEL] = level;
  f->at[AT_CALIBRATED] = status == RBV_OK;
  f->o = own;
  f->left_out = -1;
  memcpy(f->chi, l.chi, (size_t)f->arm.model->ncolumn * sizeof *f->chi);
  rbv_free(q);
  learner_free(&l);
  rbv_follow_reset(f);
  return status;
}
