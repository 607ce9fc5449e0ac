/* Torques and residuals of recordings over time, reduced to a limited number of points. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <string.h>
#include "signal/signal.h"

#include "dynamics/dynamics.h"
#include "equations/equations.h"
#include "equations/state_track.h"
#include "report/report_internal.h"

#define CHUNK 1024

/* smallest and largest value of an interval, and where they are */
typedef struct {
  double low, high;
  ptrdiff_t at_low, at_high;
  bool any;
} extreme;

static void include_value(extreme *e, double value, ptrdiff_t at) {
  if (!isfinite(value)) return;
  if (!e->any || value < e->low) {
    e->low = value;
    e->at_low = at;
  }
  if (!e->any || value > e->high) {
    e->high = value;
    e->at_high = at;
  }
  e->any = true;
}

/* the lines of a torque row, and its torque as recorded */
enum { RAW = SERIES_LINES, KINDS };

/* work space for one motion */
typedef struct {
  const rbv_model *m;
  const rbv_motion_info *info;
  rbv_decimate_options decimate;
  ptrdiff_t rows, k0, k1;  // rows of the whole motion; [k0, k1) is used
  ptrdiff_t intervals;
  ptrdiff_t seen;    // intervals of the previous motions
  ptrdiff_t every;   // every so many rows give a point of the scatter plot
  ptrdiff_t visits;  // every so many samples give a visited state
  extreme *extreme;  // KINDS x nrow x intervals of all motions
  ptrdiff_t total;   // intervals of all motions
  double *q, *dq, *ddq, *torque, *predicted, *before, *X;
  double *state;        // of the laws, nstate x CHUNK
  state_cursor cursor;  // of their states along the motion
  bool *valid;
  double *friction, *load;  // nrow x CHUNK: of the model; njoint x CHUNK: of the gears
  double *gravity, *still;  // nrow x CHUNK: of the links at rest; the same with their acceleration
  double *zero;             // njoint x CHUNK
  double *velocity, *out;   // rows x njoint; rows x CHANNELS
  bool *clean;              // per row
  rbv_decimator **decimator;
  rbv_dynamics *dynamics;
  rbv_dynamics *drives;  // friction and offsets alone
  rbv_dynamics *links;   // everything else
  rbv_dynamics *file;    // the parameters of the robot file; NULL: it has none
  report_series *series;
} series_work;

/* what a row has beside its velocity */
enum {
  ROW_MEASURED,
  ROW_PREDICTED,
  ROW_FILE,
  ROW_FRICTION,
  ROW_LOAD,
  ROW_GRAVITY,
  ROW_STILL,
  CHANNELS
};

static bool decimates(const series_work *p) { return p->decimate.factor > 1; }

static ptrdiff_t row_sample(const series_work *p, ptrdiff_t k) {
  return decimates(p) ? rbv_decimate_index(k, &p->decimate) : k;
}

static extreme *interval_of(const series_work *p, int kind, int row, ptrdiff_t k) {
  const ptrdiff_t s = (k - p->k0) * p->intervals / (p->k1 - p->k0);
  return p->extreme + ((ptrdiff_t)kind * p->m->nrow + row) * p->total + p->seen + s;
}

static void take_row(series_work *p, int row, ptrdiff_t k, const double value[CHANNELS],
                     double velocity) {
  if (k < p->k0 || k >= p->k1) return;
  const double measured = value[ROW_MEASURED], predicted = value[ROW_PREDICTED];
  const double line[SERIES_LINES] = {
      [SERIES_MEASURED] = measured,
      [SERIES_PREDICTED] = predicted,
      [SERIES_FILE] = p->file ? value[ROW_FILE] : NAN,
      [SERIES_RESIDUAL] = measured - predicted,
      [SERIES_GRAVITY] = value[ROW_GRAVITY],
      [SERIES_INERTIA] = value[ROW_STILL] - value[ROW_GRAVITY],
      [SERIES_CORIOLIS] = predicted - value[ROW_FRICTION] - value[ROW_STILL],
      [SERIES_FRICTION] = value[ROW_FRICTION]};
  for (int i = 0; i < SERIES_LINES; i++) include_value(interval_of(p, i, row, k), line[i], k);
  row_series *s = &p->series->row[row];
  if (k % p->every != 0 || s->nscatter == SERIES_SCATTER) return;
  s->velocity[s->nscatter] = velocity;
  s->friction[s->nscatter] = value[ROW_FRICTION];
  s->load[s->nscatter] = value[ROW_LOAD];
  s->scatter[s->nscatter++] = measured - predicted;
}

/* assign each recorded torque to the nearest row */
static void take_raw(series_work *p, ptrdiff_t first, ptrdiff_t count) {
  const ptrdiff_t n = p->decimate.factor, start = row_sample(p, 0) - n / 2;
  for (ptrdiff_t i = 0; i < count; i++) {
    const ptrdiff_t k = first + i < start ? -1 : (first + i - start) / n;
    if (k < p->k0 || k >= p->k1 || !p->valid[i]) continue;
    for (int r = 0; r < p->m->nrow; r++)
      include_value(interval_of(p, RAW, r, k), p->torque[i + r * CHUNK], first + i);
  }
}

/* the states that the motion visits; [k0, k1) in samples */
static void take_visited(series_work *p, ptrdiff_t first, ptrdiff_t count) {
  report_series *s = p->series;
  const double *const state[SERIES_STATES] = {p->q, p->dq, p->ddq};
  for (ptrdiff_t i = 0; i < count; i++) {
    const ptrdiff_t k = (first + i - row_sample(p, 0)) / p->decimate.factor;
    if (!p->valid[i] || k < p->k0 || k >= p->k1) continue;
    const bool kept = (first + i) % p->visits == 0 && s->nvisited < SERIES_VISITED;
    for (int j = 0; j < p->m->njoint; j++)
      for (int d = 0; d < SERIES_STATES; d++) {
        visited_range *v = &s->range[j].of[d];
        const double x = state[d][i + j * CHUNK];
        if (!(v->low <= x)) v->low = x;
        if (!(v->high >= x)) v->high = x;
        if (kept) s->range[j].visited[d][s->nvisited] = x;
      }
    s->nvisited += kept;
  }
}

static void take_speeds(series_work *p, ptrdiff_t first, ptrdiff_t count) {
  if (!decimates(p)) return;
  for (ptrdiff_t k = 0; k < p->rows; k++) {
    const ptrdiff_t at = row_sample(p, k) - first;
    if (at < 0) continue;
    if (at >= count) break;
    p->clean[k] = p->valid[at];
    for (int j = 0; j < p->m->njoint; j++) p->velocity[k + j * p->rows] = p->dq[at + j * CHUNK];
  }
}

/* the first samples as recorded, for the spectrum; a sample that is not valid repeats the last */
static void take_spectrum(series_work *p, ptrdiff_t first, ptrdiff_t count) {
  report_series *s = p->series;
  if (p->seen > 0) return;  // of the first motion
  for (ptrdiff_t i = 0; i < count && first + i < SERIES_SPECTRUM; i++) {
    for (int r = 0; r < p->m->nrow; r++) {
      double *measured = s->row[r].recorded + first + i, *rest = s->row[r].unexplained + first + i;
      const double y = p->torque[i + r * CHUNK], e = y - p->predicted[i + r * CHUNK];
      const bool good = p->valid[i] && isfinite(y) && isfinite(e);
      *measured = good ? y : first + i > 0 ? measured[-1] : 0;
      *rest = good ? e : first + i > 0 ? rest[-1] : 0;
    }
    s->nspectrum = first + i + 1;
  }
}

/* what the robot file predicts; its gears have their own load */
static void predict_from_file(series_work *p, rbv_states states) {
  if (!p->file) return;
  states.load = NULL;
  rbv_dynamics_load_batch(p->load, CHUNK, p->file, &states);
  states.load = p->load;
  rbv_dynamics_rows_batch(p->before, CHUNK, p->file, &states);
  rbv_contacts_add(p->before, p->torque, CHUNK, p->file, &states);
}

static rbv_status run_chunk(series_work *p, rbv_motion *motion, ptrdiff_t first, ptrdiff_t count) {
  uint32_t contact[CHUNK];
  const rbv_samples samples = {.ld = CHUNK,
                               .q = p->q,
                               .dq = p->dq,
                               .ddq = p->ddq,
                               .torque = p->torque,
                               .valid = p->valid,
                               .contact = contact};
  RBV_TRY(rbv_motion_read(motion, &samples, first, count));
  RBV_TRY(rbv_state_cursor_read(p->state, CHUNK, &p->cursor, first, count, p->dq));
  rbv_states states = {.count = count,
                       .ld = CHUNK,
                       .q = p->q,
                       .dq = p->dq,
                       .ddq = p->ddq,
                       .contact = contact,
                       .state = p->cursor.track ? p->state : NULL};
  predict_from_file(p, states);
  rbv_dynamics_load_batch(p->load, CHUNK, p->dynamics, &states);
  states.load = p->load;
  rbv_dynamics_rows_batch(p->predicted, CHUNK, p->dynamics, &states);
  rbv_contacts_add(p->predicted, p->torque, CHUNK, p->dynamics, &states);
  rbv_dynamics_rows_batch(p->friction, CHUNK, p->drives, &states);
  states.dq = p->zero;
  rbv_dynamics_rows_batch(p->still, CHUNK, p->links, &states);
  states.ddq = p->zero;
  rbv_dynamics_rows_batch(p->gravity, CHUNK, p->links, &states);
  take_raw(p, first, count);
  take_visited(p, first, count);
  take_spectrum(p, first, count);
  take_speeds(p, first, count);
  for (int r = 0; r < p->m->nrow; r++) {
    const int joint = p->m->row[r].joint;
    const double *const from[CHANNELS] = {
        [ROW_MEASURED] = p->torque + r * CHUNK, [ROW_PREDICTED] = p->predicted + r * CHUNK,
        [ROW_FILE] = p->before + r * CHUNK,     [ROW_FRICTION] = p->friction + r * CHUNK,
        [ROW_GRAVITY] = p->gravity + r * CHUNK, [ROW_STILL] = p->still + r * CHUNK,
        [ROW_LOAD] = p->load + joint * CHUNK};
    if (decimates(p)) {
      for (int c = 0; c < CHANNELS; c++)
        memcpy(p->X + c * CHUNK, from[c], (size_t)count * sizeof *p->X);
      RBV_TRY(rbv_decimator_add(p->decimator[r], p->X, CHUNK, count));
      continue;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
      double value[CHANNELS];
      for (int c = 0; c < CHANNELS; c++) value[c] = from[c][i];
      if (p->valid[i]) take_row(p, r, first + i, value, p->dq[i + joint * CHUNK]);
    }
  }
  return RBV_OK;
}

static rbv_status run_motion(series_work *p, rbv_motion *motion) {
  for (ptrdiff_t first = 0; first < p->info->count; first += CHUNK) {
    const ptrdiff_t left = p->info->count - first;
    RBV_TRY(run_chunk(p, motion, first, left < CHUNK ? left : CHUNK));
  }
  for (int r = 0; r < p->m->nrow && decimates(p); r++) {
    RBV_TRY(rbv_decimator_finish(p->out, p->rows, p->decimator[r]));
    const double *velocity = p->velocity + p->m->row[r].joint * p->rows;
    for (ptrdiff_t k = 0; k < p->rows; k++) {
      double value[CHANNELS];
      for (int c = 0; c < CHANNELS; c++) value[c] = p->out[k + c * p->rows];
      if (p->clean[k]) take_row(p, r, k, value, velocity[k]);
    }
  }
  return RBV_OK;
}

/* the same with the states of the laws */
static rbv_status run(series_work *p, rbv_motion *motion) {
  const int nstate = p->m->nstate;
  p->cursor = (state_cursor){0};
  if (nstate == 0) return run_motion(p, motion);
  RBV_NEW(state_law, laws, nstate);
  state_track *track = NULL;
  rbv_state_laws(laws, p->m);
  rbv_status status = rbv_state_track_new(&track, motion, laws, nstate);
  if (status == RBV_OK) status = rbv_state_cursor_open(&p->cursor, track);
  if (status == RBV_OK) status = run_motion(p, motion);
  rbv_state_cursor_close(&p->cursor);
  rbv_state_track_free(track);
  rbv_free(laws);
  return status;
}

static void layout(series_work *p, rbv_arena *a) {
  const int n = p->m->njoint, nrow = p->m->nrow;
  RBV_TAKE_ALL(a, CHUNK * n, double, &p->q, &p->dq, &p->ddq);
  RBV_TAKE_ALL(a, CHUNK * nrow, double, &p->torque, &p->predicted, &p->friction);
  p->load = RBV_TAKE(a, CHUNK * n, double);
  p->gravity = RBV_TAKE(a, CHUNK * nrow, double);
  p->still = RBV_TAKE(a, CHUNK * nrow, double);
  p->before = RBV_TAKE(a, CHUNK * nrow, double);
  p->zero = RBV_TAKE(a, CHUNK * n, double);
  p->X = RBV_TAKE(a, CHUNK * CHANNELS, double);
  p->state = RBV_TAKE(a, CHUNK * p->m->nstate, double);
  p->valid = RBV_TAKE(a, CHUNK, bool);
  const ptrdiff_t rows = decimates(p) ? p->rows : 0;
  p->velocity = RBV_TAKE(a, rows * n, double);
  p->out = RBV_TAKE(a, rows * CHANNELS, double);
  p->clean = RBV_TAKE(a, rows, bool);
  p->decimator = RBV_TAKE(a, nrow, rbv_decimator *);
}

/* the columns of friction and offsets alone, or all others alone */
static rbv_status new_part(rbv_dynamics **out, const series_work *p, const double *chi,
                           bool friction) {
  double *part = rbv_alloc((size_t)p->m->ncolumn * sizeof *part);
  rbv_status status = part ? rbv_dynamics_new(out, p->m) : RBV_EMEM;
  for (int c = 0; c < p->m->ncolumn && status == RBV_OK; c++)
    part[c] = rbv_is_friction(&p->m->column[c]) == friction ? chi[c] : 0;
  if (status == RBV_OK) status = rbv_dynamics_set(*out, part, !friction && p->info->loaded);
  rbv_free(part);
  return status;
}

static rbv_status pass(series_work *p, rbv_motion *motion, const double *chi) {
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(p, &a));
  if (!a.base) return RBV_EMEM;
  rbv_status status = rbv_dynamics_new(&p->dynamics, p->m);
  if (status == RBV_OK) status = rbv_dynamics_set(p->dynamics, chi, p->info->loaded);
  const double *file = rbv_model_parameters(p->m);
  if (file && status == RBV_OK) status = rbv_dynamics_new(&p->file, p->m);
  if (file && status == RBV_OK) status = rbv_dynamics_set(p->file, file, p->info->loaded);
  if (status == RBV_OK) status = new_part(&p->drives, p, chi, true);
  if (status == RBV_OK) status = new_part(&p->links, p, chi, false);
  for (int r = 0; r < p->m->nrow && decimates(p) && status == RBV_OK; r++)
    status = rbv_decimator_new(&p->decimator[r], p->info->count, CHANNELS, &p->decimate);
  if (status == RBV_OK) status = run(p, motion);
  for (int r = 0; r < p->m->nrow; r++) rbv_decimator_free(p->decimator[r]);
  rbv_dynamics_free(p->dynamics);
  rbv_dynamics_free(p->drives);
  rbv_dynamics_free(p->links);
  rbv_dynamics_free(p->file);
  p->dynamics = p->drives = p->links = p->file = NULL;
  rbv_free(a.base);
  return status;
}

/* ---- points of the intervals ---- */

static void put_pair(double *out, const extreme *e) {
  const bool falling = e->at_high < e->at_low;
  out[0] = !e->any ? NAN : falling ? e->high : e->low;
  out[1] = !e->any ? NAN : falling ? e->low : e->high;
}

/* append the points of one motion: two per interval of several rows, else one */
static void append(report_series *s, const series_work *p, double offset) {
  const double period = 1 / p->info->rate_hz;
  const ptrdiff_t wanted = p->k1 - p->k0;
  const bool pairs = wanted > p->intervals;
  for (ptrdiff_t i = 0; i < p->intervals; i++) {
    const int n = pairs ? 2 : 1;
    for (int h = 0; h < n; h++) {
      const double k =
          pairs ? ((double)i + 0.25 + 0.5 * h) * (double)wanted / (double)p->intervals : (double)i;
      s->t[s->count + h] =
          offset + ((double)row_sample(p, p->k0) + k * p->decimate.factor) * period;
    }
    for (int r = 0; r < p->m->nrow; r++) {
      const extreme *e[KINDS];
      for (int kind = 0; kind < KINDS; kind++)
        e[kind] = p->extreme + ((ptrdiff_t)kind * p->m->nrow + r) * p->total + p->seen + i;
      for (int kind = 0; kind < SERIES_LINES; kind++) {
        double pair[2];
        put_pair(pair, e[kind]);
        for (int h = 0; h < n; h++) s->row[r].line[kind][s->count + h] = pair[h];
      }
      for (int h = 0; h < n; h++) {
        s->row[r].low[s->count + h] = e[RAW]->any ? e[RAW]->low : NAN;
        s->row[r].high[s->count + h] = e[RAW]->any ? e[RAW]->high : NAN;
      }
    }
    s->count += n;
  }
}

static void append_break(report_series *s, int nrow, double t) {
  s->t[s->count] = t;
  for (int r = 0; r < nrow; r++) {
    for (int kind = 0; kind < SERIES_LINES; kind++) s->row[r].line[kind][s->count] = NAN;
    s->row[r].low[s->count] = s->row[r].high[s->count] = NAN;
  }
  s->count++;
}

static void layout_series(report_series *s, const rbv_model *m, ptrdiff_t most, rbv_arena *a) {
  s->t = RBV_TAKE(a, most, double);
  s->row = RBV_TAKE(a, m->nrow, row_series);
  s->range = RBV_TAKE(a, m->njoint, joint_range);
  for (int j = 0; j < m->njoint; j++) {
    joint_range own;
    for (int d = 0; d < SERIES_STATES; d++) {
      own.of[d] = (visited_range){NAN, NAN};
      own.visited[d] = RBV_TAKE(a, SERIES_VISITED, double);
    }
    if (a->base) s->range[j] = own;
  }
  for (int r = 0; r < m->nrow; r++) {
    row_series own = {.recorded = RBV_TAKE(a, SERIES_SPECTRUM, double),
                      .unexplained = RBV_TAKE(a, SERIES_SPECTRUM, double),
                      .low = RBV_TAKE(a, most, double),
                      .high = RBV_TAKE(a, most, double),
                      .velocity = RBV_TAKE(a, SERIES_SCATTER, double),
                      .scatter = RBV_TAKE(a, SERIES_SCATTER, double),
                      .friction = RBV_TAKE(a, SERIES_SCATTER, double),
                      .load = RBV_TAKE(a, SERIES_SCATTER, double)};
    for (int kind = 0; kind < SERIES_LINES; kind++) own.line[kind] = RBV_TAKE(a, most, double);
    if (a->base) s->row[r] = own;
  }
}

void rbv_series_free(report_series *s) {
  rbv_free(s->memory);
  *s = (report_series){0};
}

/* rows of a motion, and those in [from, to) of it */
static void measure_motion(series_work *p, rbv_motion *motion, const rbv_row_filter *filter,
                           double from, double to) {
  p->info = rbv_motion_get_info(motion);
  p->decimate = rbv_row_filter_decimation(filter);
  p->rows = decimates(p) ? rbv_decimate_count(p->info->count, &p->decimate) : p->info->count;
  p->k0 = (ptrdiff_t)ceil(from * (double)p->rows);
  p->k1 = (ptrdiff_t)ceil(to * (double)p->rows);
}

/* intervals of a motion: in proportion to its rows, at least one, at most one per row */
static ptrdiff_t share_out(const series_work *p, ptrdiff_t rows, ptrdiff_t most) {
  const ptrdiff_t wanted = p->k1 - p->k0;
  if (rows <= most) return wanted;
  const ptrdiff_t share = (ptrdiff_t)((double)wanted / (double)rows * (double)most / 2);
  return share < 1 ? 1 : share > wanted ? wanted : share;
}

rbv_status rbv_series_new(report_series *out, const rbv_model *m, rbv_motion *const *motions,
                          int nmotion, const double *chi, const rbv_row_filter *filter, double from,
                          double to, ptrdiff_t most) {
  *out = (report_series){0};
  ptrdiff_t rows = 0, intervals = 0;
  series_work p = {.m = m, .series = out};
  for (int i = 0; i < nmotion; i++) {
    measure_motion(&p, motions[i], filter, from, to);
    rows += p.k1 > p.k0 ? p.k1 - p.k0 : 0;
  }
  if (rows == 0) return RBV_OK;
  for (int i = 0; i < nmotion; i++) {
    measure_motion(&p, motions[i], filter, from, to);
    if (p.k1 > p.k0) intervals += share_out(&p, rows, most);
  }
  rbv_arena measure = {0};
  report_series sizes = {0};
  layout_series(&sizes, m, 2 * intervals + nmotion, &measure);
  out->memory = rbv_alloc(measure.used);
  p.extreme = rbv_alloc((size_t)KINDS * (size_t)m->nrow * (size_t)intervals * sizeof *p.extreme);
  rbv_status status = out->memory && p.extreme ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    rbv_arena carve = {.base = out->memory};
    layout_series(out, m, 2 * intervals + nmotion, &carve);
  }
  p.total = intervals;
  p.every = rows / SERIES_SCATTER + 1;
  p.visits = rows * p.decimate.factor / SERIES_VISITED + 1;
  double offset = 0;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    measure_motion(&p, motions[i], filter, from, to);
    if (p.k1 <= p.k0) continue;
    p.intervals = share_out(&p, rows, most);
    status = pass(&p, motions[i], chi);
    if (status != RBV_OK) break;
    if (out->count > 0) append_break(out, m->nrow, offset);
    append(out, &p, offset);
    p.seen += p.intervals;
    offset += (double)p.info->count / p.info->rate_hz;
  }
  rbv_free(p.extreme);
  if (status != RBV_OK) rbv_series_free(out);
  return status;
}

/* ---- residuals of the rows of the fit ---- */

static void append_residuals(void *self, int row, int fold, const double *measured,
                             const double *predicted, ptrdiff_t count) {
  (void)fold;
  report_residuals *r = self;
  for (ptrdiff_t k = 0; k < count && r->count[row] < RESIDUALS_MOST; k++)
    r->e[row][r->count[row]++] = measured[k] - predicted[k];
}

void rbv_residuals_free(report_residuals *r) {
  for (int i = 0; i < r->nrow && r->e; i++) rbv_free(r->e[i]);
  rbv_free(r->e);
  rbv_free(r->count);
  *r = (report_residuals){0};
}

rbv_status rbv_residuals_new(report_residuals *out, const rbv_model *m, rbv_motion *const *motions,
                             int nmotion, const double *chi, const rbv_row_filter *filter) {
  *out = (report_residuals){.nrow = m->nrow};
  ptrdiff_t most = 0;
  for (int i = 0; i < nmotion; i++)
    most += rbv_motion_get_info(motions[i])->count / (filter->decimate > 0 ? filter->decimate : 1);
  most = most + 1 < RESIDUALS_MOST ? most + 1 : RESIDUALS_MOST;
  out->e = rbv_alloc((size_t)m->nrow * sizeof *out->e);
  out->count = rbv_alloc((size_t)m->nrow * sizeof *out->count);
  rbv_status status = out->e && out->count ? RBV_OK : RBV_EMEM;
  for (int r = 0; r < m->nrow && status == RBV_OK; r++) {
    out->e[r] = rbv_alloc((size_t)most * sizeof *out->e[r]);
    if (!out->e[r]) status = RBV_EMEM;
  }
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    status = rbv_equations_replay(m, filter, motions[i], chi, append_residuals, out);
  if (status != RBV_OK) rbv_residuals_free(out);
  return status;
}
