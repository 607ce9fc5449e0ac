/*
 * A motion over a file: windows of the file are read, smoothed and differentiated on demand.
 *
 * Windows start at multiples of their length for all readers, so that a sample does not depend on
 * what was read before. Each window includes a halo on both sides. Beyond the halo, the effect of
 * cutting the signal is negligible. At the ends of the recording the padding is that of the whole.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "signal/signal.h"

#include "log/log.h"
#include "motion/motion.h"
#include "prepare/prepare_internal.h"

#define WINDOW 8192      // samples, unless the halo requires more
#define WINDOW_HALOS 16  // smallest ratio of window and halo

/* the file reader of one thread, and its present window */
typedef struct view {
  rbv_log_reader *reader;
  ptrdiff_t index;  // index of the window; -1: none
  recording r;      // the window, starting at sample low
  ptrdiff_t low;
  char *memory;  // memory of r
  struct view *next;
} view;

typedef struct {
  rbv_model *m;                 // owned with others
  rbv_differentiate_options o;  // the arrays are owned
  rbv_log_file *file;
  ptrdiff_t samples;
  double rate_hz;
  bool temperature;        // it was recorded
  bool contact;            // it was recorded when contact points carry forces
  double uptime_s;         // at the first sample
  ptrdiff_t length, halo;  // of the windows
  pthread_mutex_t lock;    // protects the list
  view *idle;              // views that are not in use
} source;

/* ---- views ---- */

static void free_view(view *v) {
  if (!v) return;
  rbv_log_reader_free(v->reader);
  rbv_free(v->memory);
  rbv_free(v);
}

static rbv_status borrow_view(view **out, source *s) {
  pthread_mutex_lock(&s->lock);
  *out = s->idle;
  if (*out) s->idle = (*out)->next;
  pthread_mutex_unlock(&s->lock);
  if (*out) return RBV_OK;
  RBV_NEW(view, v, 1);
  v->index = -1;
  RBV_GIVE(out, v, rbv_log_reader_new(&v->reader, s->file), free_view(v));
}

/* prefer the view that holds this window or the one before it, so that each thread continues where
 * it read before */
static rbv_status borrow_best(view **out, source *s, ptrdiff_t index) {
  pthread_mutex_lock(&s->lock);
  view **best = NULL;
  for (view **at = &s->idle; *at; at = &(*at)->next)
    if ((*at)->index == index || (!best && (*at)->index + 1 == index)) best = at;
  *out = best ? *best : NULL;
  if (best) *best = (*best)->next;
  pthread_mutex_unlock(&s->lock);
  return *out ? RBV_OK : borrow_view(out, s);
}

static void return_view(source *s, view *v) {
  pthread_mutex_lock(&s->lock);
  v->next = s->idle;
  s->idle = v;
  pthread_mutex_unlock(&s->lock);
}

/* ---- windows ---- */

/* read the channels of samples from .. to - 1 */
static rbv_status read_channels(view *v, const source *s, ptrdiff_t from, ptrdiff_t to) {
  rbv_free(v->memory);
  v->memory = NULL;
  v->index = -1;
  v->r = (recording){.m = s->m, .o = &s->o, .rate_hz = s->rate_hz};
  v->low = from;
  rbv_log *log;
  RBV_TRY(rbv_log_reader_read(&log, v->reader, from, to - from));
  v->r.log = log;
  const rbv_status status = rbv_recording_read(&v->memory, &v->r);
  rbv_log_free(log);
  v->r.log = NULL;
  return status;
}

static rbv_status open_window(view *v, const source *s, ptrdiff_t index) {
  if (v->index == index) return RBV_OK;
  ptrdiff_t from = index * s->length - s->halo, to = (index + 1) * s->length + s->halo;
  if (from < 0) from = 0;
  if (to > s->samples) to = s->samples;
  RBV_TRY(read_channels(v, s, from, to));
  recording *r = &v->r;
  r->grid = r->raw;
  for (ptrdiff_t k = 0; k < r->grid.count; k++) r->valid[k] = true;
  RBV_TRY(rbv_recording_differentiate(r));
  RBV_TRY(rbv_recording_shift(r));
  rbv_grid_trim(r, from == 0, to == s->samples);
  v->index = index;
  return RBV_OK;
}

static void copy(double *to, ptrdiff_t ldto, const double *from, ptrdiff_t ldfrom, ptrdiff_t rows,
                 int columns) {
  for (int j = 0; to && j < columns; j++)
    memcpy(to + j * ldto, from + j * ldfrom, (size_t)rows * sizeof *to);
}

/* copy count samples starting at `first`, all in the window of the view, to the rows starting at
 * `at` */
static void copy_samples(const rbv_samples *out, ptrdiff_t at, const view *v, ptrdiff_t first,
                         ptrdiff_t count) {
  const samples_block *x = &v->r.grid;
  const int n = v->r.m->njoint;
  const ptrdiff_t skip = first - v->low;
  copy(out->q ? out->q + at : NULL, out->ld, x->q + skip, x->count, count, n);
  copy(out->dq ? out->dq + at : NULL, out->ld, x->dq + skip, x->count, count, n);
  copy(out->ddq ? out->ddq + at : NULL, out->ld, x->ddq + skip, x->count, count, n);
  copy(out->torque ? out->torque + at : NULL, out->ld, x->torque + skip, x->count, count,
       v->r.m->nrow);
  copy(out->temperature ? out->temperature + at : NULL, out->ld, x->temperature + skip, x->count,
       count, n);
  if (out->contact && x->contact)
    memcpy(out->contact + at, x->contact + skip, (size_t)count * sizeof *out->contact);
  if (out->valid) memcpy(out->valid + at, v->r.valid + skip, (size_t)count * sizeof *out->valid);
}

static rbv_status read_source(void *self, const rbv_samples *out, ptrdiff_t first,
                              ptrdiff_t count) {
  source *s = self;
  view *v;
  if (count == 0) return RBV_OK;
  RBV_TRY(borrow_best(&v, s, first / s->length));
  rbv_status status = RBV_OK;
  for (ptrdiff_t at = 0; at < count && status == RBV_OK;) {
    const ptrdiff_t index = (first + at) / s->length, end = (index + 1) * s->length;
    const ptrdiff_t n = end - (first + at) < count - at ? end - (first + at) : count - at;
    status = open_window(v, s, index);
    if (status == RBV_OK) copy_samples(out, at, v, first + at, n);
    at += n;
  }
  return_view(s, v);
  return status;
}

static void free_source(void *self) {
  source *s = self;
  for (view *v = s->idle, *next; v; v = next) {
    next = v->next;
    free_view(v);
  }
  rbv_log_file_free(s->file);
  rbv_model_free(s->m);
  pthread_mutex_destroy(&s->lock);
  rbv_free(s);
}

/* ---- opening ---- */

static double *copy_list(rbv_arena *a, const double *list, int n) {
  if (!list) return NULL;
  double *copied = RBV_TAKE(a, n, double);
  if (copied) memcpy(copied, list, (size_t)n * sizeof *list);
  return copied;
}

static source *layout(const rbv_model *m, const rbv_differentiate_options *o, rbv_arena *a) {
  source *s = RBV_TAKE(a, 1, source);
  double *stiffness = copy_list(a, o->stiffness, m->njoint);
  double *gains = copy_list(a, o->gains, m->njoint);
  if (!s) return NULL;
  *s = (source){.m = rbv_model_retain(m), .o = *o};
  s->o.stiffness = stiffness;
  s->o.gains = gains;
  return s;
}

static rbv_status check_method(const rbv_differentiate_options *o, const char *path) {
  if (o->period_s > 0)
    return rbv_fail(RBV_EUNSUPPORTED, "%s: a mean of periods needs the whole recording in memory",
                    path);
  if (o->method == RBV_DIFFERENTIATION_BANDPASS || o->method == RBV_DIFFERENTIATION_RECORDED)
    return RBV_OK;
  return rbv_fail(
      RBV_EUNSUPPORTED,
      "%s: %s needs the whole recording in memory; a recording read in pieces needs bandpass", path,
      rbv_differentiation_name(o->method));
}

static rbv_status check_clock(const rbv_log_file *file) {
  const rbv_log_clock clock = rbv_log_file_clock(file);
  if (clock.regular && !clock.repeats) return RBV_OK;
  return rbv_fail(
      RBV_EUNSUPPORTED,
      "%s: the time stamps %s, but a recording that is read in pieces needs a regular clock: "
      "resample or split it, or load it into memory as a whole",
      rbv_log_file_name(file),
      clock.repeats ? "repeat"
      : clock.gaps  ? "have gaps"
                    : "are irregular");
}

/* recorded positions for the spectrum, one window at a time to save memory */
static rbv_status read_positions(void *self, double *X, ptrdiff_t ldx, ptrdiff_t first,
                                 ptrdiff_t count) {
  source *s = self;
  view *v;
  RBV_TRY(borrow_view(&v, s));
  rbv_status status = RBV_OK;
  for (ptrdiff_t at = 0, n; at < count && status == RBV_OK; at += n) {
    n = count - at < WINDOW ? count - at : WINDOW;
    // the method needs LEAST_SAMPLES: read more samples if the piece is shorter
    ptrdiff_t from = first + at, to = from + n;
    if (n < LEAST_SAMPLES) from = to > LEAST_SAMPLES ? to - LEAST_SAMPLES : 0;
    if (to < LEAST_SAMPLES) to = LEAST_SAMPLES;
    status = read_channels(v, s, from, to);
    if (status == RBV_OK)
      copy(X + at, ldx, v->r.raw.q + (first + at - from), v->r.raw.count, n, s->m->njoint);
  }
  return_view(s, v);
  return status;
}

/* use the cut-off of the whole recording, so that it is the same in all windows */
static rbv_status choose_cutoff(rbv_motion_origin *origin, source *s, bool smooths) {
  const double rate = s->rate_hz;
  if (!smooths) return RBV_OK;
  if (s->o.cutoff_hz == 0) {
    rbv_suggestion found;
    RBV_TRY(rbv_signal_suggest_from(&found, read_positions, s, s->samples, s->m->njoint, rate,
                                    s->o.threads));
    s->o.cutoff_hz = found.cutoff_hz;
    origin->noise_hz = found.noise_hz;
    origin->cutoff_from_data = true;
  }
  if (!(s->o.cutoff_hz > 0 && s->o.cutoff_hz < 0.499 * rate))
    return rbv_fail(RBV_EINPUT,
                    "%s: the cut-off of %g Hz is not between 0 and half the sample rate of %g Hz",
                    rbv_log_file_name(s->file), s->o.cutoff_hz, rate);
  origin->cutoff_hz = s->o.cutoff_hz;
  s->halo = rbv_recording_halo(s->o.cutoff_hz, rate);
  return RBV_OK;
}

/* the first samples show which channels exist */
static rbv_status read_start(rbv_motion_origin *origin, source *s, bool *smooths) {
  view *v;
  RBV_TRY(borrow_view(&v, s));
  const rbv_status status = read_channels(v, s, 0, LEAST_SAMPLES);
  origin->link_side = v->r.origin.link_side;
  origin->spare_joints = v->r.origin.spare_joints;
  s->temperature = v->r.has_temperature;
  s->contact = v->r.has_contact;
  s->uptime_s = v->r.uptime_s;
  *smooths = s->o.method == RBV_DIFFERENTIATION_BANDPASS || !v->r.accelerations;
  return_view(s, v);
  return status;
}

/* choose length and halo of the windows */
static rbv_status plan_windows(rbv_motion_origin *origin, source *s) {
  bool smooths;
  s->samples = rbv_log_file_samples(s->file);
  s->rate_hz = rbv_log_file_clock(s->file).rate_hz;
  RBV_TRY(read_start(origin, s, &smooths));
  RBV_TRY(choose_cutoff(origin, s, smooths));
  const ptrdiff_t padding = smooths ? rbv_filter_padding(s->o.cutoff_hz, s->rate_hz) : 0;
  if (padding >= s->samples)
    return rbv_fail(RBV_EINPUT, "%s: %td samples are too few for a cut-off of %g Hz",
                    rbv_log_file_name(s->file), s->samples, s->o.cutoff_hz);
  origin->torque_delay_s = s->o.torque_delay_s;
  const double shift = fabs(s->o.torque_delay_s * s->rate_hz);
  const double edge = smooths ? floor(rbv_recording_edge(s->o.cutoff_hz, s->rate_hz)) : 0;
  if (!(fmax(shift, edge) + edge < (double)s->samples))
    return rbv_fail(RBV_EINPUT, "%s: no valid sample is left after removing gaps and delay",
                    rbv_log_file_name(s->file));
  origin->invalid = (ptrdiff_t)(fmax(ceil(shift), edge) + edge);
  s->halo += (ptrdiff_t)ceil(shift) + LEAST_SAMPLES;
  if (s->halo < padding + 1) s->halo = padding + 1;
  s->length = WINDOW > WINDOW_HALOS * s->halo ? WINDOW : WINDOW_HALOS * s->halo;
  return RBV_OK;
}

static rbv_status make_motion(rbv_motion **out, source *s, const rbv_motion_origin *origin) {
  const rbv_motion_info info = {.name = rbv_log_file_name(s->file),
                                .njoint = s->m->njoint,
                                .ntorque = s->m->nrow,
                                .count = s->samples,
                                .rate_hz = s->rate_hz,
                                .loaded = s->o.loaded,
                                .temperature = s->temperature,
                                .contact = s->contact,
                                .uptime_s = s->uptime_s};
  const rbv_motion_source kind = {read_source, free_source};
  rbv_motion *motion;
  RBV_TRY(rbv_motion_new(&motion, &info, &kind, s));
  RBV_GIVE(out, motion, rbv_motion_set_origin(motion, origin), rbv_motion_free(motion));
}

rbv_status rbv_motion_from_file(rbv_motion **out, const rbv_model *m, const char *path,
                                const rbv_log_map *map, const rbv_differentiate_options *options) {
  *out = NULL;
  if (!m || !path) return rbv_fail(RBV_EARG, "a motion needs a model and a file name");
  const rbv_differentiate_options defaults = rbv_differentiate_defaults();
  if (!options) options = &defaults;
  RBV_TRY(rbv_recording_check(m, options));
  RBV_TRY(check_method(options, path));
  rbv_log_file *file;
  RBV_TRY(rbv_log_file_open(&file, path, map, LEAST_SAMPLES, options->threads));
  source *s;
  rbv_arena a = {0};
  RBV_CARVE(&a, s = layout(m, options, &a));
  if (!s) {
    rbv_log_file_free(file);
    return RBV_EMEM;
  }
  s->file = file;
  pthread_mutex_init(&s->lock, NULL);
  rbv_motion_origin origin = {.method = rbv_differentiation_name(options->method),
                              .held = rbv_log_file_held(file)};
  rbv_status status = check_clock(file);
  if (status == RBV_OK) status = plan_windows(&origin, s);
  if (status != RBV_OK) {
    free_source(s);
    return status;
  }
  return make_motion(out, s, &origin);
}
