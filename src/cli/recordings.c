#include "recordings.h"

#include <math.h>
#include <pthread.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SMALL_MB 200  // recordings that need less are held whole

/* ---- options ---- */

int cli_read_numbers(double **out, const char *command, const char *option, const char *text,
                     int n) {
  *out = NULL;
  if (!text) return -1;
  const bool typed = text[strspn(text, "0123456789+-.,eE ")] == 0;
  rbv_document *doc = NULL;
  rbv_status status;
  if (typed) {
    char line[4096];
    const int length = snprintf(line, sizeof line, "[%s]", text);
    if (length >= (int)sizeof line) return cli_usage(command, "--%s is too long", option);
    status = rbv_document_parse(&doc, option, line, (size_t)length);
  } else {
    status = rbv_document_load(&doc, text);
  }
  if (status == RBV_OK) {
    *out = calloc((size_t)n, sizeof **out);
    const rbv_node *list = rbv_document_root(doc);
    if (!*out || !list || rbv_node_count(list) != n) {
      rbv_document_free(doc);
      return cli_usage(command, "--%s needs %d numbers", option, n);
    }
    status = rbv_node_reals(*out, n, list);
  }
  rbv_document_free(doc);
  if (status == RBV_OK) return -1;
  const int code = cli_fail(status);
  return typed ? EXIT_USAGE : code;
}

void cli_prior_free(cli_prior *prior) {
  free(prior->value);
  free(prior->sigma);
  *prior = (cli_prior){0};
}

rbv_status cli_prior_load(cli_prior *out, const char *file, const rbv_model *model) {
  *out = (cli_prior){0};
  const size_t n = (size_t)rbv_model_column_count(model);
  const double *own = rbv_model_parameters(model);
  const bool robot = strcmp(file, "robot") == 0 && own;
  rbv_parameters *set = NULL;
  rbv_status status = robot ? RBV_OK : rbv_parameters_load(&set, file);
  if (status == RBV_OK) {
    out->value = malloc(n * sizeof *out->value);
    if (!robot) out->sigma = malloc(n * sizeof *out->sigma);
    if (!out->value || (!robot && !out->sigma)) status = RBV_EMEM;
  }
  if (status == RBV_OK && robot) memcpy(out->value, own, n * sizeof *own);
  if (status == RBV_OK && !robot) status = rbv_parameters_apply(out->value, out->sigma, set, model);
  rbv_parameters_free(set);
  if (status != RBV_OK) cli_prior_free(out);
  return status;
}

static int understand(rbv_differentiate_options *o, const char *command, const rbv_model *model,
                      const cli_recording *r) {
  *o = rbv_differentiate_defaults();
  o->period_s = r->period_s;
  o->harmonics = r->harmonics;
  o->torque_delay_s = r->delay_s;
  o->reference = r->reference;
  if (!rbv_differentiation_parse(&o->method, r->method))
    return cli_usage(command, "--differentiate cannot be '%s'", r->method);
  if (r->memory_mb <= 0) return cli_usage(command, "--memory must be positive");
  if (strcmp(r->cutoff, "auto") != 0 &&
      !(rbv_real_parse(&o->cutoff_hz, r->cutoff) && o->cutoff_hz >= 0))
    return cli_usage(command, "--cutoff needs a frequency or auto, not '%s'", r->cutoff);
  const bool fourier = o->method == RBV_DIFFERENTIATION_FOURIER;
  if (fourier && !(r->period_s > 0))
    return cli_usage(command, "--differentiate fourier needs the --period of the motion");
  if (fourier && r->harmonics < 1) return cli_usage(command, "--harmonics must be at least 1");
  if (r->stiffness && o->method == RBV_DIFFERENTIATION_RECORDED)
    return cli_usage(command, "--stiffness moves positions: recorded velocities do not fit them");
  if (r->gains && rbv_model_sensing(model) == RBV_SENSING_JOINT)
    return cli_usage(command, "--gains scales motor torques, but the joint is sensed");
  return -1;
}

int cli_recording_settings(rbv_setting *setting, const cli_recording *r) {
  const bool fourier = strcmp(r->method, "fourier") == 0;
  int count = 0;
  if (r->map) setting[count++] = (rbv_setting){"map", r->map, 0};
  setting[count++] = (rbv_setting){"differentiate", r->method, 0};
  setting[count++] = (rbv_setting){"cutoff_hz", r->cutoff, 0};
  if (fourier) setting[count++] = (rbv_setting){"period_s", NULL, r->period_s};
  if (fourier) setting[count++] = (rbv_setting){"harmonics", NULL, r->harmonics};
  if (r->stiffness) setting[count++] = (rbv_setting){"stiffness_Nm_per_rad", r->stiffness, 0};
  if (r->gains) setting[count++] = (rbv_setting){"drive_gains", r->gains, 0};
  setting[count++] = (rbv_setting){"torque_delay_s", NULL, r->delay_s};
  return count;
}

int cli_check_method(const char *command, const char *method) {
  for (int i = 0; rbv_identify_method(i); i++)
    if (strcmp(rbv_identify_method(i), method) == 0) return -1;
  char known[256] = "";
  size_t used = 0;
  for (int i = 0; rbv_identify_method(i) && used < sizeof known; i++)
    used += (size_t)snprintf(known + used, sizeof known - used, " %s", rbv_identify_method(i));
  return cli_usage(command, "there is no method '%s' (there are%s)", method, known);
}

int cli_check_known_mass(const char *command, const rbv_model *model) {
  if (!rbv_model_has_payload(model)) return cli_usage(command, "--known-mass goes with --payload");
  if (rbv_model_sensing(model) != RBV_SENSING_MOTOR)
    return cli_usage(command, "--known-mass finds gains of motor torques: use --sensing motor");
  return -1;
}

int cli_check_filter(const char *command, const cli_filter *f) {
  return f->mask < 0 ? cli_usage(command, "--mask must not be negative") : -1;
}

int cli_choose_filter(rbv_row_filter *out, const cli_filter *f, const rbv_model *model,
                      const cli_motions *motions, const cli_common *common) {
  // a look through all motions, unless nothing is left to it
  *out = (rbv_row_filter){.decimate = 1};
  if (f->decimate <= 0 || isnan(f->mask)) {
    const rbv_status status =
        rbv_row_filter_suggest(out, model, motions->motion, motions->count, common->threads);
    if (status != RBV_OK) return cli_fail(status);
  }
  out->threads = common->threads;
  if (f->decimate > 0) out->decimate = f->decimate;
  if (!isnan(f->mask)) out->mask = f->mask;
  if (f->decimate <= 0 || isnan(f->mask))
    cli_say(common, "row filter: decimation by %d%s, mask %.3g rad/s%s\n", out->decimate,
            f->decimate > 0 ? "" : " (from the data)", out->mask,
            isnan(f->mask) ? " (from the data)" : "");
  return -1;
}

/* ---- words ---- */

static void tell(const char *path, const rbv_motion *motion, const cli_common *common) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *o = rbv_motion_get_origin(motion);
  cli_say(common, "%s: %td samples at %g Hz", path, info->count, info->rate_hz);
  if (o->spare_joints > 0)
    cli_say(common, ", %d of %d recorded joints", info->njoint, info->njoint + o->spare_joints);
  if (o->from_reference) cli_say(common, ", no positions: the motion is simulated");
  if (o->periods > 0) cli_say(common, ", the mean of %td periods", o->periods);
  if (o->cutoff_from_data) cli_say(common, ", cut-off %.3g Hz from the data", o->cutoff_hz);
  if (o->resampled) cli_say(common, ", resampled");
  if (o->duplicates > 0) cli_say(common, ", %td duplicates dropped", o->duplicates);
  if (o->invalid > 0) cli_say(common, ", %td samples left out (%td gaps)", o->invalid, o->gaps);
  cli_say(common, "\n");
}

/* ---- loading ---- */

rbv_status cli_order_joints(rbv_log *log, const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  const char **names = malloc((size_t)n * sizeof *names);
  if (!names) return RBV_EMEM;
  for (int j = 0; j < n; j++) names[j] = rbv_model_joint(m, j)->name;
  const rbv_status status = rbv_log_order_joints(log, names, n);
  free(names);
  return status;
}

/* reference positions of all joints, where they stand at the motion's own samples */
static rbv_status take_reference(rbv_sim_reference *out, const rbv_log *log,
                                 const rbv_motion_info *info) {
  *out = (rbv_sim_reference){.count = info->count, .ld = info->count};
  if (rbv_log_channel_count(log, RBV_CHANNEL_REFERENCE_POSITION) < info->njoint ||
      rbv_log_samples(log) != info->count)
    return RBV_OK;
  double *q = malloc((size_t)info->count * (size_t)info->njoint * sizeof *q);
  if (!q) return RBV_EMEM;
  for (int j = 0; j < info->njoint; j++)
    memcpy(q + j * info->count, rbv_log_channel(log, RBV_CHANNEL_REFERENCE_POSITION, j),
           (size_t)info->count * sizeof *q);
  out->q = q;
  return RBV_OK;
}

/* bytes that a recording takes while it becomes a motion: about three numbers for each of its own;
 * what cannot be read will be refused by whoever reads it */
static double footprint(const char *path) {
  size_t bytes;
  return rbv_log_bytes(&bytes, path) == RBV_OK ? 3.0 * (double)bytes : 0;
}

/* whole, with the reference positions that simulated loops follow */
static rbv_status load_whole(rbv_motion **motion, rbv_sim_reference *reference,
                             const rbv_model *model, const char *path, const rbv_log_map *map,
                             const rbv_differentiate_options *o) {
  rbv_log *log = NULL;
  rbv_status status = rbv_log_load(&log, path, map);
  if (status == RBV_OK) status = rbv_motion_from_log(motion, model, log, o);
  if (status == RBV_OK) status = take_reference(reference, log, rbv_motion_get_info(*motion));
  rbv_log_free(log);
  if (status != RBV_OK) {
    rbv_motion_free(*motion);
    *motion = NULL;
  }
  return status;
}

/*
 * Small recordings are held whole, which is faster; larger ones are read in pieces. What cannot be
 * (a method, irregular stamps, a MAT file of version 5) is held all the same while there is memory
 * for it.
 */
static int load_motion(rbv_motion **motion, rbv_sim_reference *reference, const rbv_model *model,
                       const char *path, const rbv_log_map *map, const cli_recording *r,
                       const rbv_differentiate_options *o) {
  const double megabyte = 1e6, need = footprint(path);
  const bool limited = !isnan(r->memory_mb);
  const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double small = (limited ? r->memory_mb : SMALL_MB) * megabyte;
  const double most = limited ? small : machine;
  rbv_status status = RBV_EUNSUPPORTED;
  *reference = (rbv_sim_reference){0};
  if (need > small && !r->whole) {
    status = rbv_motion_from_file(motion, model, path, map, o);
    if (status != RBV_EUNSUPPORTED || need > most) return status == RBV_OK ? -1 : cli_fail(status);
  }
  if (need > most) {
    fprintf(stderr,
            "roberval: %s: about %.0f MB are needed to hold it whole, as %s does, and %.0f MB may "
            "be used: take a shorter recording%s\n",
            path, need / megabyte, r->whole, most / megabyte, limited ? ", or raise --memory" : "");
    return EXIT_INPUT;
  }
  status = load_whole(motion, reference, model, path, map, o);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* the hash of a file, beside what else is done with it where there is a thread for it */
typedef struct {
  const char *path;
  char *hash;  // 65 bytes
  bool beside;
  pthread_t thread;
  rbv_status status;  // in the thread
} hashing;

static void *hash_beside(void *self) {
  hashing *h = self;
  h->status = rbv_hash_file(h->hash, h->path);
  return NULL;
}

static void hash_begin(hashing *h, int threads) {
  h->beside = threads > 1 && pthread_create(&h->thread, NULL, hash_beside, h) == 0;
}

static rbv_status hash_end(hashing *h) {
  if (h->beside) pthread_join(h->thread, NULL);
  // a failure is met once more here, because its sentence stayed in the thread
  return h->beside && h->status == RBV_OK ? RBV_OK : rbv_hash_file(h->hash, h->path);
}

static int load(cli_motions *all, const rbv_model *model, const char *path, const rbv_log_map *map,
                const cli_recording *r, const rbv_differentiate_options *o,
                const cli_common *common) {
  rbv_motion *motion = NULL;
  hashing h = {.path = path, .hash = calloc(65, 1)};
  if (!h.hash) return cli_out_of_memory();
  hash_begin(&h, common->threads);
  int code = load_motion(&motion, &all->reference[all->count], model, path, map, r, o);
  const rbv_status hashed = hash_end(&h);
  if (code < 0 && hashed != RBV_OK) {
    code = cli_fail(hashed);
    rbv_motion_free(motion);
    free((void *)(uintptr_t)all->reference[all->count].q);
  }
  if (code >= 0) {
    free(h.hash);
    return code;
  }
  tell(path, motion, common);
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  all->motion[all->count] = motion;
  all->input[all->count++] = (rbv_input){.path = path,
                                         .sha256 = h.hash,
                                         .samples = info->count,
                                         .rate_hz = info->rate_hz,
                                         .loaded = info->loaded,
                                         .differentiation = origin->method,
                                         .cutoff_hz = origin->cutoff_hz,
                                         .resampled = origin->resampled,
                                         .gaps = origin->gaps,
                                         .invalid = origin->invalid};
  return -1;
}

/* room for more; what is there stays there */
static rbv_status grow(cli_motions *all, int more) {
  const size_t n = (size_t)(all->count + more);
  rbv_motion **motion = realloc(all->motion, n * sizeof(rbv_motion *));
  if (motion) all->motion = motion;
  rbv_input *input = motion ? realloc(all->input, n * sizeof *input) : NULL;
  if (input) all->input = input;
  rbv_sim_reference *reference = input ? realloc(all->reference, n * sizeof *reference) : NULL;
  if (reference) all->reference = reference;
  return reference ? RBV_OK : RBV_EMEM;
}

int cli_motions_add(cli_motions *all, const char *command, const rbv_model *model,
                    const cli_recording *r, const char *const *paths, int count, bool loaded,
                    const cli_common *common) {
  rbv_differentiate_options o;
  double *stiffness = NULL, *gains = NULL;
  rbv_log_map *map = NULL;
  const int n = rbv_model_joint_count(model);
  int code = understand(&o, command, model, r);
  if (code < 0) code = cli_read_numbers(&stiffness, command, "stiffness", r->stiffness, n);
  if (code < 0) code = cli_read_numbers(&gains, command, "gains", r->gains, n);
  o.stiffness = stiffness;
  o.gains = gains;
  o.loaded = loaded;
  o.threads = common->threads;
  if (code < 0) {
    rbv_status status = grow(all, count);
    if (status == RBV_OK && r->map) status = rbv_log_map_load(&map, r->map);
    if (status != RBV_OK) code = cli_fail(status);
    for (int i = 0; i < count && code < 0; i++)
      code = load(all, model, paths[i], map, r, &o, common);
  }
  rbv_log_map_free(map);
  free(stiffness);
  free(gains);
  return code;
}

void cli_motions_free(cli_motions *all) {
  for (int i = 0; i < all->count; i++) {
    rbv_motion_free(all->motion[i]);
    // the public structure shows it const; it was made here
    free((void *)(uintptr_t)all->input[i].sha256);
    free((void *)(uintptr_t)all->reference[i].q);
  }
  free(all->motion);
  free(all->input);
  free(all->reference);
  *all = (cli_motions){0};
}
