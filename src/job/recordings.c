/* Recordings become motions: whole or in pieces, with their hash and what was done to them. */
#include <roberval/sys/recordings.h>

#include <math.h>
#include <pthread.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/storage.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "signal/signal.h"

#include "equations/equations.h"
#include "job/job_internal.h"
#include "job/recording_check.h"
#include "job/spring_fit.h"
#include "log/log.h"
#include "motion/motion.h"
#include "prepare/prepare.h"

#define SMALL_MB 200.0  // recordings that need less are held whole
#define MEGABYTE 1e6
#define COPIES 3.0  // numbers held for each number of a file while it becomes a motion

/* ---- options ---- */

static const char *differentiation_choice(int i) {
  return i >= RBV_DIFFERENTIATION_BANDPASS && i <= RBV_DIFFERENTIATION_RECORDED
             ? rbv_differentiation_name((rbv_differentiation)i)
             : NULL;
}

#define ROW(...) RBV_ROW(rbv_recording_options, __VA_ARGS__)
#define MEMORY_ROW                                                                         \
  ROW("memory", REAL, memory_mb, "MB",                                                     \
      "hold recordings that need at most this whole, read others in pieces (default 200)", \
      RBV_ABOVE(0, 1e9))

#define DROP_ROW                                  \
  ROW("drop-bad-rows", FLAG, drop_bad_rows, NULL, \
      "leave out rows with corrupt or missing values, time stamps out of order or text")

#define PART_ROWS                                                                               \
  ROW("from", TEXT, from, "S|Nrows",                                                            \
      "use recordings from here on: seconds after their start, or rows (100rows)"),             \
      ROW("to", TEXT, to, "S|Nrows",                                                            \
          "use recordings up to here: seconds after their start, or rows"),                     \
      ROW("log-rate", REAL, log_rate_hz, "HZ", "sample rate of recordings without time stamps", \
          RBV_ABOVE(0, 1e9))

static const rbv_option rows[] = {
    ROW("map", FILE, map, "COLUMNS.yaml", "what the columns of the logs mean", .topic = "recording",
        .basic = true),
    ROW("differentiate", TEXT, method, "METHOD",
        "how velocities are computed from positions (default bandpass, with piv irw)",
        .topic = "filters", .choice = differentiation_choice),
    ROW("cutoff", TEXT, cutoff, "HZ",
        "low-pass before positions are differentiated; auto or 0: from the data (default)",
        .letter = 'c'),
    ROW("period", REAL, period_s, "S",
        "the motion repeats: its periods are averaged into one; fourier needs it",
        RBV_ABOVE(0, 1e6)),
    ROW("harmonics", COUNT, harmonics, "N",
        "fourier: number of harmonics (default: all up to the cut-off)", RBV_FROM(1, 1000)),
    ROW("spline-variance", REAL, spline_variance, "V",
        "spline: noise variance of the positions [rad^2 or m^2], instead of the cut-off",
        RBV_ABOVE(0, 1)),
    ROW("stiffness", FILE, stiffness, "LIST|FILE",
        "of each joint [N m/rad], 0 is rigid: gives positions of the links", .topic = "recording",
        .is_word = rbv_numbers_typed, RBV_FROM(0, 1e12)),
    MEMORY_ROW,
    ROW("gains", FILE, gains, "LIST|FILE", "of each drive, on its torque",
        .is_word = rbv_numbers_typed, RBV_ABOVE(0, 1e9)),
    ROW("delay", REAL, delay_s, "S", "torques were recorded this much later than positions",
        RBV_FROM(-0.5, 0.5)),
    DROP_ROW,
    PART_ROWS,
    {0}};
static const rbv_option part_rows[] = {PART_ROWS, {0}};
static const rbv_option memory_rows[] = {MEMORY_ROW, DROP_ROW, PART_ROWS, {0}};

const rbv_option *rbv_recording_rows(void) { return rows; }
const rbv_option *rbv_memory_rows(void) { return memory_rows; }
const rbv_option *rbv_part_rows(void) { return part_rows; }

rbv_recording_options rbv_recording_defaults(void) {
  return (rbv_recording_options){.cutoff = "auto", .memory_mb = NAN};
}

static rbv_status check_options(rbv_differentiate_options *o, const rbv_model *model,
                                const rbv_recording_options *r) {
  if (r->method && !rbv_differentiation_parse(&o->method, r->method))
    return rbv_fail(RBV_EOPTION, "differentiate cannot be '%s'", r->method);
  rbv_recording_options own = *r, usual = rbv_recording_defaults();
  const rbv_option_group group[] = {{rows, &own}, {0}}, usual_group[] = {{rows, &usual}, {0}};
  RBV_TRY(rbv_option_check(group, usual_group));
  if (strcmp(r->cutoff, "auto") != 0 &&
      !(rbv_real_parse(&o->cutoff_hz, r->cutoff) && o->cutoff_hz >= 0))
    return rbv_fail(RBV_EOPTION, "cutoff needs a frequency or auto, not '%s'", r->cutoff);
  RBV_TRY(rbv_recording_crop_check(r));
  const bool fourier = o->method == RBV_DIFFERENTIATION_FOURIER;
  if (fourier && !(r->period_s > 0))
    return rbv_fail(RBV_EOPTION, "differentiate fourier needs the period of the motion");
  if (r->spline_variance > 0 && o->method != RBV_DIFFERENTIATION_SPLINE)
    return rbv_fail(RBV_EOPTION, "spline-variance needs differentiate spline");
  if (r->stiffness && o->method == RBV_DIFFERENTIATION_RECORDED)
    return rbv_fail(RBV_EOPTION,
                    "stiffness changes positions, so recorded velocities do not fit them");
  if (r->gains && rbv_model_sensing(model) == RBV_SENSING_JOINT)
    return rbv_fail(RBV_EOPTION, "gains scales motor torques, but the joint is sensed");
  return RBV_OK;
}

void rbv_recording_files_free(rbv_recording_files *files) {
  rbv_log_map_free(files->map);
  rbv_numbers_free(files->stiffness);
  rbv_numbers_free(files->gains);
  *files = (rbv_recording_files){0};
}

rbv_status rbv_recording_files_load(rbv_recording_files *out, const rbv_model *model,
                                    const rbv_recording_options *r) {
  const int n = rbv_model_joint_count(model);
  rbv_differentiate_options unused = rbv_differentiate_defaults();
  *out = (rbv_recording_files){0};
  RBV_TRY(check_options(&unused, model, r));
  rbv_status status = rbv_numbers_read(&out->stiffness, rows, "stiffness", r->stiffness, n);
  if (status == RBV_OK) status = rbv_numbers_read(&out->gains, rows, "gains", r->gains, n);
  if (status == RBV_OK && r->map) status = rbv_log_map_load(&out->map, r->map);
  if (status != RBV_OK) rbv_recording_files_free(out);
  return status;
}

/* how motions are made; the numbers are borrowed from files and use */
static rbv_status prepare(rbv_differentiate_options *how, const rbv_model *model,
                          const rbv_recording_options *r, const rbv_recording_files *files,
                          const rbv_recording_use *use) {
  *how = rbv_differentiate_defaults();
  how->period_s = r->period_s;
  how->harmonics = r->harmonics;
  how->spline_variance = r->spline_variance;
  how->torque_delay_s = r->delay_s;
  how->reference = use->reference;
  how->loaded = use->loaded;
  how->threads = use->threads > 0 ? use->threads : 1;
  how->stiffness = files->stiffness;
  how->gains = use->gain ? use->gain : files->gains;
  return check_options(how, model, r);
}

/* ---- one recording ---- */

rbv_status rbv_recordings_order(rbv_log *log, const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  const char **names = rbv_alloc((size_t)n * sizeof *names);
  if (!names) return RBV_EMEM;
  for (int j = 0; j < n; j++) names[j] = rbv_model_joint(m, j)->name;
  RBV_FINISH(rbv_log_order_joints(log, names, n), rbv_free(names));
}

/* a channel of all joints at the motion's own samples; NULL where the log does not have it */
static rbv_status take_channel(double **out, const rbv_log *log, rbv_channel channel,
                               const rbv_motion_info *info) {
  *out = NULL;
  if (rbv_log_channel_count(log, channel) < info->njoint || rbv_log_samples(log) != info->count)
    return RBV_OK;
  RBV_NEW(double, x, (size_t)info->count *(size_t)info->njoint);
  for (int j = 0; j < info->njoint; j++)
    memcpy(x + j * info->count, rbv_log_channel(log, channel, j), (size_t)info->count * sizeof *x);
  *out = x;
  return RBV_OK;
}

static rbv_status take_reference(rbv_sim_reference *out, const rbv_log *log,
                                 const rbv_motion_info *info) {
  double *q;
  *out = (rbv_sim_reference){.count = info->count, .ld = info->count};
  RBV_TRY(take_channel(&q, log, RBV_CHANNEL_REFERENCE_POSITION, info));
  out->q = q;
  return RBV_OK;
}

/* bytes that a recording needs while it becomes a motion; 0 where it cannot be read, which the
 * reader will refuse */
static double footprint(const rbv_log_input *in) {
  size_t bytes;
  return rbv_log_input_bytes(&bytes, in) == RBV_OK ? COPIES * (double)bytes : 0;
}

typedef struct {
  rbv_motion *motion;
  rbv_sim_reference reference;
  double *position;
  rbv_log *log;
  double loop_step, encoder_step;  // see rbv_recordings
  bool computed;                   // the torques are those of the control law
  rbv_check_result *check;
  rbv_deflections *deflection;  // NULL: there are no link positions
  ptrdiff_t dropped;
} loaded;

static void free_loaded(loaded *l) {
  rbv_motion_free(l->motion);
  rbv_free((void *)(uintptr_t)l->reference.q);  // const in the public structure; allocated here
  rbv_free(l->position);
  rbv_log_free(l->log);
  rbv_check_free(l->check);
  rbv_deflections_free(l->deflection);
}

/* look for encoders: a coarse one in the loop, on both sides of the gears; the finest one of
 * joints, 0 if not all of their positions are quantised */
static rbv_status find_encoders(double *step, double *finest, const rbv_log *log,
                                const rbv_motion *motion) {
  static const rbv_channel side[][2] = {{RBV_CHANNEL_POSITION, RBV_CHANNEL_TORQUE},
                                        {RBV_CHANNEL_MOTOR_POSITION, RBV_CHANNEL_MOTOR_TORQUE}};
  const rbv_log_rate rate = rbv_log_get_rate(log);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  *step = *finest = 0;
  if (!rate.regular || !origin) return RBV_OK;
  double smallest = INFINITY;
  for (int s = 0; s < RBV_COUNT(side); s++)
    for (int j = 0; j < rbv_motion_get_info(motion)->njoint; j++) {
      const double *q = rbv_log_channel(log, side[s][0], j);
      const double *torque = rbv_log_channel(log, side[s][1], j);
      rbv_feedback f;
      if (!q || !torque) {
        if (s == 0) smallest = 0;
        continue;
      }
      RBV_TRY(rbv_signal_feedback(&f, q, torque, rbv_log_samples(log), 1 / rate.period,
                                  origin->cutoff_hz));
      if (f.coarse_in_loop) *step = fmax(*step, f.step);
      if (s == 0) smallest = fmin(smallest, f.step);
    }
  *finest = isfinite(smallest) ? smallest : 0;
  return RBV_OK;
}

/* the preparation from which comparable errors are computed */
static rbv_differentiate_options standard_preparation(const rbv_differentiate_options *how) {
  rbv_differentiate_options standard = rbv_differentiate_defaults();
  standard.torque_delay_s = how->torque_delay_s;
  standard.stiffness = how->stiffness;
  standard.gains = how->gains;
  standard.loaded = how->loaded;
  standard.reference = how->reference;
  standard.threads = how->threads;
  return standard;
}

/* A motion from a log, or if that is NULL from a file, with its standard motion beside it. A
 * recording that is too short for the standard preparation has none. */
static rbv_status make_motion(rbv_motion **out, const rbv_model *model, rbv_log *log,
                              const char *path, const rbv_log_map *map,
                              const rbv_differentiate_options *how) {
  const rbv_differentiate_options standard = standard_preparation(how);
  const bool same = how->method == standard.method && how->cutoff_hz == standard.cutoff_hz &&
                    how->period_s == standard.period_s;
  RBV_TRY(log ? rbv_motion_from_log(out, model, log, how)
              : rbv_motion_from_file(out, model, path, map, how));
  if (same) return RBV_OK;
  rbv_motion *beside;
  const rbv_status status = log ? rbv_motion_from_log(&beside, model, log, &standard)
                                : rbv_motion_from_file(&beside, model, path, map, &standard);
  if (status == RBV_OK) rbv_motion_set_standard(*out, beside);
  if (status != RBV_EMEM) return RBV_OK;
  rbv_motion_free(*out);
  *out = NULL;
  return status;
}

static rbv_status load_whole(loaded *out, const rbv_model *model, const rbv_log_input *in,
                             const rbv_log_map *map, const rbv_recording_options *r,
                             const rbv_recording_use *use, const rbv_differentiate_options *how,
                             const rbv_notes *notes) {
  RBV_TRY(rbv_recording_load(&out->log, &out->dropped, model, in, map, r, notes));
  const rbv_log *recorded = out->log;
  if (use->controller) RBV_TRY(rbv_recording_add_torque(&out->log, model, use->controller, notes));
  out->computed = out->log != recorded;
  // without positions only the simulated loop can say something
  const bool moves = rbv_log_channel_count(out->log, RBV_CHANNEL_POSITION) > 0 ||
                     rbv_log_channel_count(out->log, RBV_CHANNEL_MOTOR_POSITION) > 0;
  if (use->question && (moves || !use->reference))
    RBV_TRY(rbv_recording_question(&out->check, model, out->log, r, use->loaded,
                                   out->computed || use->unknown_body));
  if (out->check && out->computed) rbv_recording_trust_torque(out->check);
  RBV_TRY(rbv_recording_drop_single(&out->log, &out->dropped, model, r, notes));
  RBV_TRY(rbv_recording_blame(make_motion(&out->motion, model, out->log, in->path, map, how),
                              out->check));
  RBV_TRY(take_reference(&out->reference, out->log, rbv_motion_get_info(out->motion)));
  if (use->positions)
    RBV_TRY(take_channel(&out->position, out->log, RBV_CHANNEL_POSITION,
                         rbv_motion_get_info(out->motion)));
  RBV_TRY(find_encoders(&out->loop_step, &out->encoder_step, out->log, out->motion));
  if (!out->computed)
    RBV_TRY(rbv_deflections_new(&out->deflection, model, out->log, out->motion, how));
  if (!use->keep_logs) {
    rbv_log_free(out->log);
    out->log = NULL;
  }
  return RBV_OK;
}

/* recordings that need less are held whole */
static double small_bytes(const rbv_recording_options *r) {
  return (isnan(r->memory_mb) ? SMALL_MB : r->memory_mb) * MEGABYTE;
}

rbv_status rbv_recording_hold(rbv_log_input *in, const rbv_recording_options *r) {
  return rbv_log_input_hold(in, (size_t)fmin(small_bytes(r) / COPIES, 1e15));
}

/*
 * Small recordings are held whole, which is faster; larger ones are read in pieces. What cannot be
 * read in pieces (a method, irregular stamps, a MAT file of version 5) is held whole while there is
 * memory for it.
 */
static rbv_status load_motion(loaded *out, const rbv_model *model, const rbv_log_input *in,
                              const rbv_log_map *map, const rbv_recording_options *r,
                              const rbv_recording_use *use, const rbv_differentiate_options *how,
                              const rbv_notes *notes) {
  const double need = footprint(in);
  const bool limited = !isnan(r->memory_mb);
  const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double small = small_bytes(r);
  const double most = limited ? small : machine;
  const char *whole = r->drop_bad_rows              ? "leaving out bad rows"
                      : r->from || r->to            ? "using a part of it"
                      : rbv_model_base_moves(model) ? "a base that moves"
                                                    : use->whole;
  if (need > small && !whole && !in->log) {
    const rbv_status status = make_motion(&out->motion, model, NULL, in->path, map, how);
    if (status != RBV_EUNSUPPORTED || need > most) return status;
  }
  if (need > most)
    return rbv_fail_option(RBV_EINPUT, "memory",
                           "%s: %s needs the recording as a whole, which takes about %.0f MB, but "
                           "only %.0f MB may be used: use a shorter recording or more memory",
                           in->path, whole ? whole : "this method", need / MEGABYTE,
                           most / MEGABYTE);
  return load_whole(out, model, in, map, r, use, how, notes);
}

rbv_status rbv_recordings_read(rbv_log **out, const rbv_model *model,
                               const rbv_recording_options *options, const rbv_log_map *map,
                               bool tolerant, const rbv_log_input *in, const rbv_notes *notes) {
  rbv_log_map *own;
  *out = NULL;
  RBV_TRY(rbv_recording_map(&map, &own, model, in, map, options, notes));
  rbv_status status = rbv_log_input_load(out, in, map, tolerant);
  if (status == RBV_OK) status = rbv_recording_crop(out, options, notes);
  if (status == RBV_OK) status = rbv_recordings_order(*out, model);
  if (status == RBV_OK) status = rbv_recording_complete_base(out, model, notes);
  rbv_log_map_free(own);
  if (status == RBV_OK) {
    rbv_recording_unwrap(*out, model, notes);
    return RBV_OK;
  }
  rbv_log_free(*out);
  *out = NULL;
  return status;
}

/* the hash of a file, computed by a second thread where there is one */
typedef struct {
  const rbv_log_input *in;
  char *hash;  // 65 bytes
  bool beside;
  pthread_t thread;
  rbv_status status;  // of the second thread
} hashing;

static void *hash_beside(void *self) {
  hashing *h = self;
  h->status = rbv_log_input_hash(h->hash, h->in);
  return NULL;
}

static void hash_begin(hashing *h, int threads) {
  // the bytes of a file that is held have their hash already
  h->beside = threads > 1 && !*h->in->sha256 && rbv_thread_start(&h->thread, hash_beside, h) == 0;
}

static rbv_status hash_end(hashing *h) {
  if (h->beside) pthread_join(h->thread, NULL);
  // a failure is repeated here, because its message belongs to the other thread
  return h->beside && h->status == RBV_OK ? RBV_OK : rbv_log_input_hash(h->hash, h->in);
}

static bool same_state(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void tell_motion(const char *path, const rbv_motion *motion, const rbv_notes *notes) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *o = rbv_motion_get_origin(motion);
  rbv_text t = {0};
  rbv_text_print(&t, "%s: %td samples at %g Hz", path, info->count, info->rate_hz);
  if (o->spare_joints > 0)
    rbv_text_print(&t, ", %d of %d recorded joints", info->njoint, info->njoint + o->spare_joints);
  if (o->from_reference) rbv_text_put(&t, ", no positions: the motion is simulated");
  if (o->periods > 0) rbv_text_print(&t, ", mean of %td periods", o->periods);
  rbv_motion_describe(&t, o, info->rate_hz);
  if (o->harmonics_from_data) rbv_text_print(&t, ", %d harmonics", o->harmonics);
  if (o->resampled) rbv_text_put(&t, ", resampled");
  if (o->duplicates > 0)
    rbv_text_print(&t, ", %td samples with repeated or almost repeated time stamps dropped",
                   o->duplicates);
  if (o->gaps > 0 || o->torque_delay_s != 0)
    rbv_text_print(&t, ", %td samples left out (%td gaps)", o->invalid, o->gaps);
  if (!t.failed) rbv_tell(notes, NULL, "%s", t.data);
  rbv_text_free(&t);
}

static rbv_input describe(const char *path, const char *hash, const loaded *l) {
  const rbv_motion_info *info = rbv_motion_get_info(l->motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(l->motion);
  return (rbv_input){.path = path,
                     .sha256 = hash,
                     .samples = info->count,
                     .rate_hz = info->rate_hz,
                     .loaded = info->loaded,
                     .differentiation = origin->method,
                     .cutoff_hz = origin->cutoff_hz,
                     .noise_hz = origin->noise_hz,
                     .held = origin->held,
                     .by_rows = origin->by_rows,
                     .resampled = origin->resampled,
                     .gaps = origin->gaps,
                     .invalid = origin->invalid,
                     .dropped = l->dropped};
}

static rbv_status load_input(rbv_recordings *all, const rbv_model *model, const rbv_log_input *in,
                             const rbv_log_map *map, const rbv_recording_options *r,
                             const rbv_recording_use *use, const rbv_differentiate_options *how,
                             const rbv_notes *notes) {
  const char *path = in->path;
  rbv_log_map *own;
  RBV_TRY(rbv_recording_map(&map, &own, model, in, map, r, notes));
  loaded l = {0};
  hashing h = {.in = in, .hash = rbv_alloc(65)};
  if (!h.hash) {
    rbv_log_map_free(own);
    return RBV_EMEM;
  }
  struct stat before, after;
  // bytes that are held cannot change
  const bool watched = !in->log && !in->text && stat(path, &before) == 0;
  hash_begin(&h, how->threads);
  rbv_status status = load_motion(&l, model, in, map, r, use, how, notes);
  rbv_log_map_free(own);
  if (status == RBV_OK)
    status = hash_end(&h);
  else if (h.beside)
    pthread_join(h.thread, NULL);
  // the hash must be that of the samples
  if (status == RBV_OK && watched && (stat(path, &after) != 0 || !same_state(&before, &after)))
    status = rbv_fail(RBV_EINPUT, "%s: the file has changed while it was read", path);
  if (status != RBV_OK) {
    free_loaded(&l);
    rbv_free(h.hash);
    return status;
  }
  tell_motion(path, l.motion, notes);
  all->loop_step = fmax(all->loop_step, l.loop_step);
  all->computed += l.computed;
  all->encoder_step = all->count > 0 ? fmin(all->encoder_step, l.encoder_step) : l.encoder_step;
  all->motion[all->count] = l.motion;
  all->reference[all->count] = l.reference;
  all->position[all->count] = l.position;
  all->log[all->count] = l.log;
  all->check[all->count] = l.check;
  all->deflection[all->count] = l.deflection;
  all->input[all->count++] = describe(path, h.hash, &l);
  return RBV_OK;
}

/* The bytes of a file live until its samples are read. */
static rbv_status load(rbv_recordings *all, const rbv_model *model, rbv_log_input *in,
                       const rbv_log_map *map, const rbv_recording_options *r,
                       const rbv_recording_use *use, const rbv_differentiate_options *how,
                       const rbv_notes *notes) {
  rbv_status status = rbv_recording_hold(in, r);
  if (status == RBV_OK) status = load_input(all, model, in, map, r, use, how, notes);
  rbv_log_input_drop(in);
  return status;
}

/* ---- all of them ---- */

static bool grow_array(void **array, size_t size, int count, int more) {
  void *longer = rbv_realloc(*array, (size_t)count * size, (size_t)(count + more) * size);
  if (longer) *array = longer;
  return longer;
}

static rbv_status grow(rbv_recordings *all, int more) {
  const int n = all->count;
  const bool done = grow_array((void **)&all->motion, sizeof *all->motion, n, more) &&
                    grow_array((void **)&all->input, sizeof *all->input, n, more) &&
                    grow_array((void **)&all->reference, sizeof *all->reference, n, more) &&
                    grow_array((void **)&all->position, sizeof *all->position, n, more) &&
                    grow_array((void **)&all->log, sizeof *all->log, n, more) &&
                    grow_array((void **)&all->check, sizeof *all->check, n, more) &&
                    grow_array((void **)&all->deflection, sizeof *all->deflection, n, more);
  return done ? RBV_OK : RBV_EMEM;
}

rbv_status rbv_recordings_add_inputs(rbv_recordings *all, const rbv_model *model,
                                     const rbv_recording_options *options,
                                     const rbv_recording_use *use, rbv_log_input *in, int count,
                                     const rbv_notes *notes) {
  const rbv_recording_options defaults = rbv_recording_defaults();
  const rbv_recording_use nothing = {0};
  if (!options) options = &defaults;
  if (!use) use = &nothing;
  rbv_recording_files own = {0};
  const rbv_recording_files *files = use->files ? use->files : &own;
  rbv_status status = use->files ? RBV_OK : rbv_recording_files_load(&own, model, options);
  rbv_differentiate_options how;
  if (status == RBV_OK) status = prepare(&how, model, options, files, use);
  if (status == RBV_OK) status = grow(all, count);
  for (int i = 0; i < count && status == RBV_OK; i++) {
    status = rbv_go_on("recordings", (double)i / count);
    if (status == RBV_OK) status = load(all, model, &in[i], files->map, options, use, &how, notes);
  }
  rbv_recording_files_free(&own);
  return status;
}

rbv_status rbv_recordings_add(rbv_recordings *all, const rbv_model *model,
                              const rbv_recording_options *options, const rbv_recording_use *use,
                              const char *const *paths, int count, const rbv_notes *notes) {
  RBV_NEW(rbv_log_input, in, count + 1);
  for (int i = 0; i < count; i++) in[i].path = paths[i];
  RBV_FINISH(rbv_recordings_add_inputs(all, model, options, use, in, count, notes), rbv_free(in));
}

/* one motion made again, with how.gains in place of those before */
static rbv_status remake(rbv_recordings *all, int i, const rbv_model *model, const rbv_log_map *map,
                         const rbv_recording_options *r, const rbv_recording_use *use,
                         const rbv_differentiate_options *how) {
  rbv_motion *fresh;
  const char *path = all->input[i].path;
  rbv_log_map *own = NULL;
  const rbv_log_input in = {.path = path};
  if (!all->log[i]) RBV_TRY(rbv_recording_map(&map, &own, model, &in, map, r, NULL));
  const rbv_status status = make_motion(&fresh, model, all->log[i], path, map, how);
  rbv_log_map_free(own);
  if (status != RBV_OK) return status;
  rbv_motion_free(all->motion[i]);
  all->motion[i] = fresh;
  if (use->keep_logs) return RBV_OK;
  rbv_log_free(all->log[i]);
  all->log[i] = NULL;
  return RBV_OK;
}

rbv_status rbv_recordings_set_gains(rbv_recordings *all, const rbv_model *model,
                                    const rbv_recording_options *options,
                                    const rbv_recording_use *use, const double *gain) {
  rbv_recording_use with = *use;
  with.gain = gain;
  rbv_recording_files own = {0};
  const rbv_recording_files *files = use->files ? use->files : &own;
  rbv_status status = use->files ? RBV_OK : rbv_recording_files_load(&own, model, options);
  for (int i = 0; i < all->count && status == RBV_OK; i++) {
    rbv_differentiate_options how;
    with.loaded = all->input[i].loaded;
    status = prepare(&how, model, options, files, &with);
    if (status == RBV_OK) status = remake(all, i, model, files->map, options, &with, &how);
  }
  rbv_recording_files_free(&own);
  return status;
}

void rbv_recordings_drop_logs(rbv_recordings *all) {
  for (int i = 0; i < all->count; i++) {
    rbv_log_free(all->log[i]);
    all->log[i] = NULL;
  }
}

void rbv_recordings_free(rbv_recordings *all) {
  for (int i = 0; i < all->count; i++) {
    loaded l = {.motion = all->motion[i],
                .reference = all->reference[i],
                .position = all->position[i],
                .log = all->log[i],
                .check = all->check[i],
                .deflection = all->deflection[i]};
    free_loaded(&l);
    rbv_free((void *)(uintptr_t)all->input[i].sha256);  // const in the public structure
  }
  RBV_FREE_ALL(all->motion, all->input, all->reference, all->position, all->log, all->check,
               all->deflection);
  *all = (rbv_recordings){0};
}
