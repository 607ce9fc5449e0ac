/*
 * Corrupt values of the positions and torques of a recording.
 *
 * A corrupt value is one that no neighbour predicts. The residual of a sample is its smallest
 * distance from three predictions: the line through the two samples before it, the line through
 * the two after it, and the interpolation between its neighbours. A step of friction, a ramp and a
 * corner follow one of them, so only a sample that leaves the signal and returns has a residual far
 * above the usual ones of its column.
 */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "log/bad_rows.h"

/* a column, with what is usual in it */
typedef struct {
  const double *x, *t;  // t: NULL if there are no stamps
  ptrdiff_t n;
  double step;      // median step of the stamps
  bool by_time;     // predict with the stamps first, because they are irregular
  const bool *row;  // rows that are bad for another reason
  bool *bad;        // of this column
  bool position;
  double usual, fast, low, high, span, resolution, limit;
  const double *q;            // position of the same joint; NULL: none
  double q_usual, q_fast;     // of it
  const double *reference;    // position that the controller follows; NULL: none
  double pulse[PULSES_MOST];  // heights of longer pulses
  int npulse;
  const bad_search *all;  // the movers
  int joint;
} signal;

static bool is_good(const signal *s, ptrdiff_t k) { return !s->row[k] && !s->bad[k]; }

/* the next good sample in a direction; -1: none */
static ptrdiff_t neighbour(const signal *s, ptrdiff_t k, int direction) {
  for (int i = 0; i < REACH; i++) {
    k += direction;
    if (k < 0 || k >= s->n) return -1;
    if (is_good(s, k)) return k;
  }
  return -1;
}

/* distance in time or in samples; two stamps are never closer than a quarter of a step */
static double between(const signal *s, ptrdiff_t from, ptrdiff_t to, bool by_time) {
  const double samples = (double)(to - from);
  return by_time ? fmax(s->t[to] - s->t[from], CLOSEST_STAMPS * s->step * samples) : samples;
}

/* distance of sample k from the best prediction by samples a2 < a1 < k < b1 < b2 (-1: none) */
static double distance(const signal *s, ptrdiff_t k, ptrdiff_t a2, ptrdiff_t a1, ptrdiff_t b1,
                       ptrdiff_t b2, bool by_time) {
  const double *x = s->x;
  double least = INFINITY;
  const double ha = a1 >= 0 ? between(s, a1, k, by_time) : 0;
  const double hb = b1 >= 0 ? between(s, k, b1, by_time) : 0;
  if (a2 >= 0) least = fabs(x[k] - x[a1] - (x[a1] - x[a2]) / between(s, a2, a1, by_time) * ha);
  if (b2 >= 0)
    least = fmin(least, fabs(x[k] - x[b1] + (x[b2] - x[b1]) / between(s, b1, b2, by_time) * hb));
  if (a1 >= 0 && b1 >= 0) least = fmin(least, fabs(x[k] - (hb * x[a1] + ha * x[b1]) / (ha + hb)));
  return least;
}

/* distance of sample k from the cubic through two samples on each side, by their numbers */
static double distance_from_cubic(const signal *s, ptrdiff_t k, const ptrdiff_t at[4]) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double weight = 1;
    for (int j = 0; j < 4; j++)
      if (j != i) weight *= (double)(k - at[j]) / (double)(at[i] - at[j]);
    sum += weight * s->x[at[i]];
  }
  return fabs(s->x[k] - sum);
}

static double residual(const signal *s, ptrdiff_t k) {
  const ptrdiff_t a1 = neighbour(s, k, -1), a2 = a1 >= 0 ? neighbour(s, a1, -1) : -1;
  const ptrdiff_t b1 = neighbour(s, k, 1), b2 = b1 >= 0 ? neighbour(s, b1, 1) : -1;
  if (a1 < 0 && b1 < 0) return 0;
  double r = distance(s, k, a2, a1, b1, b2, s->by_time);
  // a wrong stamp, or a gap, explains a residual of the other kind
  if (r > s->limit && s->t) r = fmin(r, distance(s, k, a2, a1, b1, b2, !s->by_time));
  // the turning point of an oscillation is on no line
  if (r > s->limit && s->position && a2 >= 0 && b2 >= 0)
    r = fmin(r, distance_from_cubic(s, k, (const ptrdiff_t[]){a2, a1, b1, b2}));
  // at the ends only a line is extrapolated, with up to three times the errors of its points
  if (a1 < 0 || b1 < 0) r /= 3;
  return isfinite(r) ? r : 0;
}

/* Does the torque change for good at sample k, with an overshoot of less than half the change? At
 * the ends of a recording only a torque that no drive has is certainly no change. */
static bool is_step(const signal *s, ptrdiff_t k, double r) {
  const ptrdiff_t a = neighbour(s, k, -1), b = neighbour(s, k, 1);
  if (a < 0 || b < 0) return r < RUN_SPANS * s->span;
  const double low = fmin(s->x[a], s->x[b]), high = fmax(s->x[a], s->x[b]);
  return fmax(s->x[k] - high, low - s->x[k]) < OVERSHOOT * (high - low);
}

/* Friction that changes its sign many times, a drive that switches, or a torque that jumps with
 * each count of an encoder. The samples of such a saw tooth predict each other, except where a
 * tooth is longer than the others. */
static bool is_chatter(const signal *s, ptrdiff_t k, double r) {
  int others = 0, steps = 0;
  for (ptrdiff_t i = k - CHATTER_REACH; i <= k + CHATTER_REACH; i++) {
    if (i == k || i < 0 || i >= s->n || !is_good(s, i)) continue;
    others += residual(s, i) > r / 3;
    steps += i > 0 && i != k + 1 && is_good(s, i - 1) && fabs(s->x[i] - s->x[i - 1]) > r / 3;
  }
  return others >= CHATTER || steps >= SAW_TOOTH * 2 * CHATTER_REACH;
}

/* a torque that answers a step of the reference: the reference jumps, or the joint stands still
 * before and then moves in the direction of the torque */
static bool is_start(const signal *s, ptrdiff_t k) {
  const ptrdiff_t from = k - STILL_REACH, to = k + START_REACH, a = neighbour(s, k, -1);
  if (!s->q || from < 0 || to >= s->n || a < 0) return false;
  if (s->reference && fabs(s->reference[k] - s->reference[a]) > RUN_STEPS * s->q_fast) return true;
  const double before = s->q[k] - s->q[from], after = s->q[to] - s->q[k];
  return fabs(after) > START_SPEED * s->q_fast * START_REACH + FAR_BEYOND * s->q_usual &&
         fabs(before) < STILL_SHARE * fabs(after) + 2 * s->q_usual &&
         (s->x[k] - s->x[a]) * after > 0;
}

/* Are the neighbours as far from the usual torques? Then the sample is the peak of a transient. */
static bool is_peak(const signal *s, ptrdiff_t k, double r) {
  const ptrdiff_t a = neighbour(s, k, -1), b = neighbour(s, k, 1);
  if (a < 0 || b < 0) return false;
  return fmax(s->x[a] - s->high, s->low - s->x[a]) > r &&
         fmax(s->x[b] - s->high, s->low - s->x[b]) > r;
}

static bool is_resting(const mover *m, ptrdiff_t k, ptrdiff_t n) {
  if (k < m->reach || k + m->reach >= n) return false;
  const double way = fabs(m->q[k + m->reach] - m->q[k - m->reach]);
  return way <= REST_SPEED * m->fast * 2 * (double)m->reach;
}

/* Does a joint rest at sample k, between two moves or before or after one? */
static bool rests_briefly(const signal *s, const mover *m, ptrdiff_t k) {
  if (!is_resting(m, k, s->n)) return false;
  const ptrdiff_t brief = s->t ? (ptrdiff_t)fmin(BRIEF_REST / s->step, (double)s->n) : 0;
  const ptrdiff_t away = brief > STILL_REACH ? brief : STILL_REACH;
  const ptrdiff_t first = m->reach, last = s->n - 1 - m->reach;
  return !is_resting(m, k - away > first ? k - away : first, s->n) ||
         !is_resting(m, k + away < last ? k + away : last, s->n);
}

/* distance from the middle of the neighbours */
static double off_middle(const double *x, ptrdiff_t k) {
  return fabs(x[k] - (x[k - 1] + x[k + 1]) / 2);
}

/* does the torque of another joint deviate at this sample, compared with the samples around it?
 * true if that cannot be seen */
static bool others_deviate(const signal *s, ptrdiff_t k) {
  const rbv_log *log = s->all->log;
  if (k < REST_AROUND + 1 || k + REST_AROUND + 1 >= s->n) return true;
  bool alone = true;
  for (int i = 0; i < log->ncolumn; i++) {
    const rbv_log_column *c = &log->columns[i];
    if (!channel_is_torque(c->channel) || c->values == s->x) continue;
    double sum = 0;
    for (ptrdiff_t d = 2; d <= REST_AROUND; d++)
      sum += off_middle(c->values, k - d) + off_middle(c->values, k + d);
    if (off_middle(c->values, k) > REST_TIMES * sum / (2 * (REST_AROUND - 1))) return true;
    alone = false;
  }
  return alone;
}

/* Is a usual torque recorded while a joint rests? Between two moves a joint may rest for one
 * sample, in which the torque of its acceleration is missing, in several drives. */
static bool is_rest(const signal *s, ptrdiff_t k) {
  const double margin = REST_MARGIN * s->span;
  if (!(s->x[k] > s->low - margin && s->x[k] < s->high + margin)) return false;
  for (int i = 0; i < s->all->nmover; i++)
    if (rests_briefly(s, &s->all->mover[i], k)) return others_deviate(s, k);
  return false;
}

/* Does the torque have longer pulses of this size, and does a joint rest? A drive that stops
 * between two moves makes some that are long and some that last one sample. */
static bool is_usual_pulse(const signal *s, ptrdiff_t k, double r) {
  int alike = 0;
  for (int i = 0; i < s->npulse; i++) alike += s->pulse[i] > r / 3;
  for (int i = 0; i < s->all->nmover && alike >= PULSES; i++)
    if (rests_briefly(s, &s->all->mover[i], k)) return true;
  return false;
}

/* A torque may change at once, a position not. */
static bool is_event(const signal *s, ptrdiff_t k, double r) {
  return !s->position && (is_step(s, k, r) || is_peak(s, k, r) || is_start(s, k) ||
                          is_usual_pulse(s, k, r) || is_rest(s, k) || is_chatter(s, k, r));
}

/* pulses of a torque that last 2 to PULSE_REACH samples: it jumps, and returns */
static void find_pulses(signal *s) {
  for (ptrdiff_t k = 1; k + PULSE_REACH + 1 < s->n && s->npulse < RBV_COUNT(s->pulse); k++) {
    const double jump = fabs(s->x[k] - s->x[k - 1]);
    if (!(jump > s->limit) || !is_good(s, k) || !is_good(s, k - 1)) continue;
    ptrdiff_t e = k + 1;
    while (e <= k + PULSE_REACH && fabs(s->x[e] - s->x[k - 1]) > jump / 2) e++;
    if (e > k + PULSE_REACH) continue;
    if (e - k >= 2 && is_good(s, e)) s->pulse[s->npulse++] = jump;
    k = e;
  }
}

static double quantile(double *work, ptrdiff_t n, double p) {
  return n > 0 ? rbv_select(work, n, (ptrdiff_t)(p * (double)(n - 1))) : 0;
}

/* usual residual, fast steps, span and resolution; work: SAMPLED */
static void measure(signal *s, double *work) {
  const ptrdiff_t stride = 1 + s->n / SAMPLED;
  ptrdiff_t m = 0;
  s->limit = INFINITY;  // only the first kind of residual
  for (ptrdiff_t k = 2; k < s->n - 2 && m < SAMPLED; k += stride)
    if (is_good(s, k)) work[m++] = residual(s, k);
  s->usual = quantile(work, m, USUAL);
  m = 0;
  for (ptrdiff_t k = 1; k < s->n && m < SAMPLED; k += stride)
    if (is_good(s, k) && is_good(s, k - 1)) work[m++] = fabs(s->x[k] - s->x[k - 1]);
  s->fast = quantile(work, m, USUAL);
  // steps below the digits of the numbers are rounding
  s->resolution = INFINITY;
  for (ptrdiff_t i = 0; i < m; i++)
    if (work[i] > DIGITS * s->span) s->resolution = fmin(s->resolution, work[i]);
  if (!isfinite(s->resolution)) s->resolution = 0;
}

static void measure_span(signal *s, double *work) {
  const ptrdiff_t stride = 1 + s->n / SAMPLED;
  ptrdiff_t m = 0;
  for (ptrdiff_t k = 0; k < s->n && m < SAMPLED; k += stride)
    if (is_good(s, k)) work[m++] = s->x[k];
  s->low = quantile(work, m, 1 - USUAL);
  s->high = quantile(work, m, USUAL);
  s->span = s->high - s->low;
}

/* flag the sample with the largest residual first: it spoils the predictions of its neighbours */
static void find_spikes(bad_search *f, signal *s, int column) {
  for (ptrdiff_t k = 0; k < s->n; k++) {
    // most samples are close to the middle of their neighbours
    if (k > 0 && k < s->n - 1 && is_good(s, k - 1) && is_good(s, k + 1) &&
        fabs(s->x[k] - (s->x[k - 1] + s->x[k + 1]) / 2) <= s->limit)
      continue;
    if (!is_good(s, k) || !(residual(s, k) > s->limit)) continue;
    // the worst of the next samples with a residual beyond the limit
    ptrdiff_t worst = k, quiet = 0;
    double most = residual(s, k);
    for (ptrdiff_t i = k + 1; i < s->n && quiet < 3; i++) {
      if (!is_good(s, i)) continue;
      const double r = residual(s, i);
      quiet = r > s->limit ? 0 : quiet + 1;
      if (r > most) {
        most = r;
        worst = i;
      }
    }
    if (is_event(s, worst, most)) {
      // the samples of an event are not looked at again
      if (worst == k) continue;
      if (is_event(s, k, residual(s, k))) continue;
      worst = k;
    }
    s->bad[worst] = true;
    const ptrdiff_t a = neighbour(s, worst, -1), b = neighbour(s, worst, 1);
    rbv_bad_add(f, (rbv_bad_value){RBV_BAD_SPIKE, column, worst, s->x[worst],
                                   a < 0   ? s->x[b]
                                   : b < 0 ? s->x[a]
                                           : (s->x[a] + s->x[b]) / 2});
    // its neighbours are judged again
    k = (k > 3 ? k - 3 : 0) - 1;
  }
}

/* a jump that no motion makes: positions by the fastest steps, torques by their span */
static double jump_limit(const signal *s, ptrdiff_t from, ptrdiff_t to) {
  if (!s->position) return fmax(RUN_SPANS * s->span, s->limit);
  const double steps = s->t && s->step > 0 ? fmax(1, (s->t[to] - s->t[from]) / s->step) : 1;
  return fmax(RUN_STEPS * s->fast * steps, s->limit);
}

/* an oscillation: jumps like that from a to e on both sides of it */
static bool oscillates(const signal *s, ptrdiff_t a, ptrdiff_t e, double jump) {
  int others = 0;
  for (ptrdiff_t i = a - CHATTER_REACH; i <= e + CHATTER_REACH; i++)
    others += i > 0 && i < s->n && (i <= a || i > e) && is_good(s, i) && is_good(s, i - 1) &&
              fabs(s->x[i] - s->x[i - 1]) > jump / 3;
  return others >= CHATTER;
}

/* several corrupt samples in a row: the signal jumps, and jumps back soon */
static void find_runs(bad_search *f, signal *s, int column) {
  for (ptrdiff_t a = 0, k; a >= 0 && a < s->n; a = k) {
    k = neighbour(s, a, 1);
    if (k < 0) return;
    const double jump = fabs(s->x[k] - s->x[a]);
    // the limit of jumps is not below that of residuals, which most samples keep
    if (!(jump > s->limit) || !is_good(s, a) || !(jump > jump_limit(s, a, k))) continue;
    for (ptrdiff_t e = neighbour(s, k, 1), i = 1; e >= 0 && i <= LONGEST_RUN;
         e = neighbour(s, e, 1), i++) {
      if (fabs(s->x[e] - s->x[a]) > RETURNS * jump) continue;
      const bool real = !s->position && oscillates(s, a, e, jump);
      for (ptrdiff_t b = k; b < e; b++)
        if (is_good(s, b) && !real) {
          s->bad[b] = true;
          rbv_bad_add(f, (rbv_bad_value){RBV_BAD_SPIKE, column, b, s->x[b], s->x[a]});
        }
      k = e;
      break;
    }
  }
}

/* torques that are exactly zero for some samples, between others of one sign */
static void find_zeros(bad_search *f, signal *s, int column) {
  ptrdiff_t zeros = 0;
  for (ptrdiff_t k = 0; k < s->n; k++) zeros += s->x[k] == 0;
  if (s->position || zeros == 0 || (double)zeros > RARE * (double)s->n) return;
  for (ptrdiff_t k = 1; k < s->n; k++) {
    if (s->x[k] != 0 || !is_good(s, k)) continue;
    ptrdiff_t e = k;
    while (e < s->n && s->x[e] == 0) e++;
    const double before = s->x[k - 1], after = e < s->n ? s->x[e] : 0;
    if (e - k <= LONGEST_RUN && before * after > 0 && is_good(s, k - 1) &&
        fmin(fabs(before), fabs(after)) > s->limit)
      for (; k < e; k++) {
        s->bad[k] = true;
        rbv_bad_add(f, (rbv_bad_value){RBV_BAD_ZERO, column, k, 0, before});
      }
    k = e;
  }
}

bool rbv_bad_column_is_used(const rbv_log_column *c, const rbv_bad_options *o, bool *position) {
  *position = c->channel == RBV_CHANNEL_POSITION || c->channel == RBV_CHANNEL_MOTOR_POSITION ||
              c->channel == RBV_CHANNEL_REFERENCE_POSITION;
  if (o->njoint > 0 && c->joint >= o->njoint) return false;
  return *position || channel_is_torque(c->channel) ||
         (o->velocities &&
          (c->channel == RBV_CHANNEL_VELOCITY || c->channel == RBV_CHANNEL_ACCELERATION));
}

static signal signal_of(const rbv_log *log, const double *x, const bool *row, bool *bad) {
  const bool timed = log->rate.known && log->rate.median > 0;
  return (signal){.x = x,
                  .t = timed ? rbv_log_channel(log, RBV_CHANNEL_TIME, -1) : NULL,
                  .n = log->samples,
                  .step = log->rate.median,
                  .by_time = timed && log->rate.increasing && !log->rate.regular,
                  .row = row,
                  .bad = bad};
}

static void set_limit(signal *s) {
  const double counts = COUNTS * s->resolution, usual = FAR_BEYOND * s->usual;
  if (s->position)
    s->limit =
        fmax(fmax(usual, fmin(counts, MOST_COUNTS)), fmax(HALF_A_STEP * s->fast, LEAST_POSITION));
  else
    s->limit = fmax(fmax(usual, counts), SPAN_SHARE * s->span);
}

/* the position that a torque moves with what is usual in it, and its reference */
static void find_events(signal *s, const rbv_log *log, int joint, double *work) {
  const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, joint);
  if (!q) q = rbv_log_channel(log, RBV_CHANNEL_MOTOR_POSITION, joint);
  if (s->position || !q) return;
  signal p = signal_of(log, q, s->row, s->bad);
  measure_span(&p, work);
  measure(&p, work);
  s->q = q;
  s->q_usual = p.usual;
  s->q_fast = p.fast;
  s->reference = rbv_log_channel(log, RBV_CHANNEL_REFERENCE_POSITION, joint);
}

/* remember a joint that moves */
static void add_mover(bad_search *f, const signal *s, rbv_channel channel) {
  if (f->nmover == MOVERS || !(s->fast > 0) || channel == RBV_CHANNEL_REFERENCE_POSITION) return;
  const double reach = ceil(RESTING_COUNTS * fmin(s->resolution, MOST_COUNTS) / s->fast);
  f->mover[f->nmover++] = (mover){s->x, s->joint, s->fast, reach > 1 ? (ptrdiff_t)reach : 1};
}

/*
 * Corrupt values of a column. They make the usual deviations look larger than they are, so that
 * these are measured again without what was found, until nothing more is found.
 */
static void search_column(bad_search *f, signal *s, int column, double *work) {
  const rbv_log_column *c = &f->log->columns[column];
  for (int pass = 0, before = -1; pass < PASSES && before != f->list.count; pass++) {
    before = f->list.count;
    measure_span(s, work);
    measure(s, work);
    // a torque that does not vary has no usual values
    if (!s->position && !(s->span > 0)) return;
    set_limit(s);
    find_events(s, f->log, c->joint, work);
    s->npulse = 0;
    if (!s->position) find_pulses(s);
    // runs first: a sound sample between two of them has no sound neighbour
    find_runs(f, s, column);
    find_spikes(f, s, column);
    find_zeros(f, s, column);
  }
  if (s->position) add_mover(f, s, c->channel);
}

void rbv_bad_find_corrupt(bad_search *f, const rbv_bad_options *o, const bool *row, bool *bad,
                          double *work, bool positions) {
  const rbv_log *log = f->log;
  for (int i = 0; i < log->ncolumn; i++) {
    signal s = signal_of(log, log->columns[i].values, row, bad);
    if (!rbv_bad_column_is_used(&log->columns[i], o, &s.position) || s.position != positions)
      continue;
    memset(bad, 0, sizeof *bad * (size_t)s.n);
    s.all = f;
    s.joint = log->columns[i].joint;
    search_column(f, &s, i, work);
  }
}
