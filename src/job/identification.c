/* The identification workflow: the object and its run. */
#include <math.h>
#include <string.h>

#include "dynamics/resonance.h"
#include "friction/friction.h"
#include "identify/identify.h"
#include "job/filter_scan.h"
#include "job/identification_internal.h"
#include "job/spring_fit.h"
#include "model/model_internal.h"
#include "prepare/prepare.h"

/* ---- the object ---- */

void rbv_identification_forget(rbv_identification *job) {
  rbv_identification_drop_result(job);
  rbv_prediction_free(job->prediction);
  rbv_check_free(job->check);
  rbv_pool_free(&job->advice_texts);
  rbv_free(job->advice);
  rbv_estimate_free(job->estimate);
  rbv_identification_free_loop(&job->loop);
  rbv_free(job->bound);
  rbv_free(job->columns);
  rbv_free(job->gain);
  rbv_numbers_free(job->row_sigma);
  rbv_prior_free(&job->prior);
  rbv_recordings_free(&job->fit);
  rbv_recordings_free(&job->others);
  rbv_recording_files_free(&job->files);
  rbv_model_free(job->model);
  rbv_friction_choice_free(job->friction);
  rbv_pipelines_free(&job->cross);
  rbv_free(job->friction_term);
  rbv_free(job->friction_speeds);
  rbv_free(job->spring);
  job->spring = NULL;
  job->nspring = 0;
  job->friction = NULL;
  job->friction_term = NULL;
  job->friction_speeds = NULL;
  job->shape_list = NULL;
  job->prediction = NULL;
  job->check = NULL;
  job->advice = NULL;
  job->nadvice = 0;
  job->estimate = NULL;
  job->bound = NULL;
  job->columns = NULL;
  job->gain = job->gain_sigma = job->row_sigma = NULL;
  job->model = NULL;
}

void rbv_identification_free(rbv_identification *job) {
  if (!job) return;
  rbv_identification_forget(job);
  rbv_pool_free(&job->texts);
  for (int i = 0; i < job->nlog; i++) rbv_log_input_drop(&job->log[i]);
  rbv_free(job->log);
  rbv_free(job->loaded.item);
  rbv_free(job->validate.item);
  rbv_model_free(job->given);
  rbv_free(job->robot);
  rbv_free(job);
}

rbv_status rbv_identification_new(rbv_identification **out, const char *robot) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the job");
  *out = NULL;
  if (!robot) return rbv_fail(RBV_EARG, "an identification needs a robot");
  rbv_identification *job = rbv_alloc(sizeof *job);
  if (!job) return RBV_EMEM;
  job->robot = rbv_strdup(robot);
  job->options = rbv_identification_defaults();
  rbv_identification_groups(job->groups, &job->options);
  if (!job->robot) {
    rbv_identification_free(job);
    return RBV_EMEM;
  }
  *out = job;
  return RBV_OK;
}

rbv_status rbv_identification_of(rbv_identification **out, const rbv_model *model) {
  if (out) *out = NULL;
  if (!model) return rbv_fail(RBV_EARG, "an identification needs a robot");
  RBV_TRY(rbv_identification_new(out, rbv_model_file(model)));
  (*out)->given = rbv_model_retain(model);
  return RBV_OK;
}

rbv_status rbv_identification_set(rbv_identification *job, const char *name, const char *value) {
  if (!job || !name || !value) return rbv_fail(RBV_EARG, "a job, a name and a value are needed");
  const char *copy = rbv_pool_keep(&job->texts, value);
  return copy ? rbv_option_set(job->groups, name, copy) : RBV_EMEM;
}

rbv_status rbv_identification_set_number(rbv_identification *job, const char *name, double value) {
  char text[32];
  if (!job || !name) return rbv_fail(RBV_EARG, "a job and a name are needed");
  rbv_option_format(text, job->groups, name, value);
  return rbv_identification_set(job, name, text);
}

static rbv_status add_path(rbv_identification *job, rbv_files *files, const char *path) {
  if (!path || !*path) return rbv_fail(RBV_EARG, "a recording needs a path");
  if (files->count == RBV_FILES_MAX)
    return rbv_fail(RBV_EOPTION, "there can be at most %d such recordings", RBV_FILES_MAX);
  const char *copy = rbv_pool_keep(&job->texts, path);
  if (!copy) return RBV_EMEM;
  files->item[files->count++] = copy;
  return RBV_OK;
}

static rbv_status add_input(rbv_log_input **list, int *count, rbv_log_input in) {
  rbv_log_input *longer =
      rbv_realloc(*list, (size_t)*count * sizeof *longer, (size_t)(*count + 1) * sizeof *longer);
  if (!longer) return RBV_EMEM;
  *list = longer;
  longer[(*count)++] = in;
  return RBV_OK;
}

rbv_status rbv_identification_add_log(rbv_identification *job, const char *path) {
  if (!job || !path || !*path) return rbv_fail(RBV_EARG, "a job and a path are needed");
  const char *copy = rbv_pool_keep(&job->texts, path);
  if (!copy) return RBV_EMEM;
  return add_input(&job->log, &job->nlog, (rbv_log_input){.path = copy});
}

rbv_status rbv_identification_add_recording(rbv_identification *job, const rbv_log *log,
                                            rbv_recording_role role) {
  if (!job || !log) return rbv_fail(RBV_EARG, "a job and a recording are needed");
  const rbv_log_input in = {.path = rbv_log_name(log), .log = log};
  switch (role) {
    case RBV_RECORDING_FIT: return add_input(&job->log, &job->nlog, in);
    case RBV_RECORDING_LOADED: return add_input(&job->loaded.item, &job->loaded.count, in);
    case RBV_RECORDING_VALIDATION: return add_input(&job->validate.item, &job->validate.count, in);
  }
  return rbv_fail(RBV_EARG, "a recording cannot have the role %d", (int)role);
}

rbv_status rbv_identification_add_loaded_log(rbv_identification *job, const char *path) {
  return job ? add_path(job, &job->options.loaded, path) : rbv_fail(RBV_EARG, "there is no job");
}

rbv_status rbv_identification_add_validation_log(rbv_identification *job, const char *path) {
  return job ? add_path(job, &job->options.validate, path) : rbv_fail(RBV_EARG, "there is no job");
}

rbv_identification_options *rbv_identification_get_options(rbv_identification *job) {
  return job ? &job->options : NULL;
}

void rbv_identification_on_note(rbv_identification *job, rbv_identification_listener *listener,
                                void *self) {
  if (job) job->notes = (rbv_notes){listener, self};
}

void rbv_identification_on_progress(rbv_identification *job, rbv_identify_progress *progress,
                                    void *self) {
  if (!job) return;
  job->progress = progress;
  job->progress_self = self;
}

const rbv_model *rbv_identification_model(const rbv_identification *job) {
  return job ? job->model : NULL;
}
const rbv_estimate *rbv_identification_estimate(const rbv_identification *job) {
  return job ? job->estimate : NULL;
}
const rbv_prediction *rbv_identification_prediction(const rbv_identification *job) {
  return job ? job->prediction : NULL;
}
const rbv_recordings *rbv_identification_recordings(const rbv_identification *job) {
  return job ? &job->fit : NULL;
}
const rbv_recordings *rbv_identification_validation(const rbv_identification *job) {
  return job ? &job->others : NULL;
}
const rbv_row_filter *rbv_identification_filter(const rbv_identification *job) {
  return job ? &job->how.filter : NULL;
}
const rbv_friction_choice *rbv_identification_friction(const rbv_identification *job) {
  return job ? job->friction : NULL;
}
const rbv_prior_values *rbv_identification_prior(const rbv_identification *job) {
  return job ? &job->prior : NULL;
}

const rbv_finding *rbv_identification_finding(const rbv_identification *job, int i) {
  if (!job) return NULL;
  const rbv_recordings *sets[] = {&job->fit, &job->others};
  for (int k = 0; k < RBV_COUNT(sets); k++)
    for (int r = 0; r < sets[k]->count; r++) {
      const rbv_check_result *check = sets[k]->check[r];
      const int n = check ? check->nfinding : 0;
      if (i < n) return &check->finding[i];
      i -= n;
    }
  return job->check && i < job->check->nfinding ? &job->check->finding[i] : NULL;
}

/* ---- the run ---- */

#define BODIES_FAIL 2  // error with consistent bodies over error with free parameters: failed
#define KS_LEAST 0.01  // p of the Kolmogorov-Smirnov test below which residuals are not normal

/* what the friction terms add up to */
static rbv_status sum_friction(rbv_identification *job) {
  const size_t n = (size_t)rbv_model_joint_count(job->model);
  job->friction_speeds = rbv_alloc(n * sizeof *job->friction_speeds);
  return job->friction_speeds
             ? rbv_friction_speeds(job->friction_speeds, job->model, job->estimate, job->fit.motion,
                                   job->fit.count, job->options.threads)
             : RBV_EMEM;
}

/* the errors that are defined alike for all methods; a motion without positions has none */
static rbv_status compare_errors(rbv_identification *job) {
  rbv_estimate *e = job->estimate;
  e->fit.comparable = e->validation.comparable = NAN;
  e->fit.baseline = e->validation.baseline = NAN;
  for (int i = 0; i < job->fit.count; i++)
    if (rbv_motion_get_origin(job->fit.motion[i])->from_reference) return RBV_OK;
  const double *const file = rbv_model_parameters(job->model), holdout = job->options.holdout;
  rbv_motion *const *motions = job->fit.motion;
  const int count = job->fit.count, threads = job->options.threads;
  if (file)
    RBV_TRY(rbv_comparable_error(&e->fit.baseline, &e->validation.baseline, job->model, motions,
                                 count, file, holdout, threads));
  RBV_TRY(rbv_comparable_fit(&e->fit, &e->validation, job->model, motions, count, e->chi, holdout,
                             threads));
  // blocks of time are left out of free estimates only; they leave more data than a pipeline's
  // parts
  if (job->cross.ncandidate > 0 && e->standard)
    e->fit.left_out = job->cross.error;
  else
    e->fit.left_out *= e->fit.comparable / e->fit.relative_error;
  if (job->how.filter.mask > 0)
    RBV_TRY(rbv_comparable_rest(&e->fit.rest, &e->validation.rest, job->model, motions, count,
                                e->chi, holdout, job->how.filter.mask, threads));
  return sum_friction(job);
}

/* Consistent bodies that were asked for may exclude what the torques say. Where the pipeline was
 * chosen, held-out errors decide. */
static void doubt_bodies(rbv_identification *job) {
  rbv_estimate *e = job->estimate;
  if (!job->options.consistent || !e->standard) return;
  e->bodies_fail = e->fit.relative_error > BODIES_FAIL * e->free_error;
}

/* the F-test assumes normal residuals (Jubien 2014 section 3.4 tests that first) */
static void doubt_normality(const rbv_identification *job) {
  const rbv_fit *fit = &job->estimate->fit;
  int failing = 0;
  for (int r = 0; r < fit->nrow; r++) failing += fit->row[r].ks_p < KS_LEAST;
  if (!job->options.essential || failing == 0) return;
  rbv_tell(
      &job->notes, NULL,
      "the residuals of %d of %d torques are not normal (Kolmogorov-Smirnov, p < %g): the level "
      "of the F-test, 5 %%, is only a guide for which parameters are essential",
      failing, fit->nrow, KS_LEAST);
}

/* elastic joints with encoders on both sides */
static rbv_status fit_springs(rbv_identification *job) {
  job->spring = rbv_alloc((size_t)rbv_model_joint_count(job->model) * sizeof *job->spring);
  if (!job->spring) return RBV_EMEM;
  RBV_TRY(rbv_springs_fit(job->spring, &job->nspring, job->model, job->fit.deflection,
                          job->fit.count, 1 - job->options.holdout));
  for (int i = 0; i < job->nspring; i++) rbv_spring_tell(&job->spring[i], job->model, &job->notes);
  return RBV_OK;
}

/* equations of torques are those of rigid joints: how far they hold */
static rbv_status tell_rigid(rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  RBV_NEW(double, q, n);
  rbv_resonances r;
  rbv_status status = rbv_motion_read(job->fit.motion[0], &(rbv_samples){.ld = 1, .q = q}, 0, 1);
  if (status == RBV_OK)
    status = rbv_resonances_find(&r, job->model, rbv_model_parameters(job->model), false, q);
  rbv_free(q);
  if (status == RBV_EINPUT || status == RBV_EUNSUPPORTED) return RBV_OK;  // no masses in the file
  RBV_TRY(status);
  const double cutoff_hz = job->fit.input[0].cutoff_hz;
  if (r.count > 0)
    rbv_tell(&job->notes, NULL,
             "the joints are elastic, and these equations are those of rigid joints: the first "
             "resonance is at %.3g Hz, the cut-off of the positions at %.3g Hz%s",
             r.held[0], cutoff_hz,
             cutoff_hz > RBV_RIGID_SHARE * r.held[0]
                 ? "; slower motions, a lower cut-off or the method cloe are right"
                 : "");
  rbv_resonances_free(&r);
  return RBV_OK;
}

static rbv_status estimate(rbv_identification *job) {
  RBV_TRY(rbv_identification_blame(
      rbv_identify(&job->estimate, job->model, job->fit.motion, job->fit.count, &job->how), job));
  RBV_TRY(rbv_identification_adopt_shapes(job));
  RBV_TRY(rbv_identification_widen(job));
  RBV_TRY(compare_errors(job));
  RBV_TRY(fit_springs(job));
  doubt_normality(job);
  doubt_bodies(job);
  if (job->fit.loop_step > 0 && !rbv_method_find(job->estimate->method)->encoder_safe)
    rbv_tell(&job->notes, "method",
             "the controller reacts to the steps of a coarse encoder (%.3g rad): friction may be "
             "several sigma off, and sigma does not show it; the method slide is not affected",
             job->fit.loop_step);
  job->check = rbv_alloc(sizeof *job->check);
  if (!job->check) return RBV_EMEM;
  const bool elastic = job->loop.loop.stiffness != NULL;
  if (!elastic &&
      rbv_model_springs(NULL, NULL, NULL, job->model, rbv_model_parameters(job->model)) > 0)
    RBV_TRY(tell_rigid(job));
  if (elastic)
    rbv_tell(&job->notes, "joint-stiffness",
             "errors of torques are those of rigid joints, which these are not: the errors of "
             "positions count");
  // a chosen set of parameters may leave out most of the torque, as springs do
  const bool positions = job->fit.computed == job->fit.count;
  if (!job->options.only && !elastic && !positions && !job->estimate->bodies_fail)
    RBV_TRY(rbv_check_fit(job->check, job->model, job->estimate, job->fit.motion, job->fit.count,
                          job->how.prior != NULL));
  if (job->others.count == 0) return RBV_OK;
  return rbv_predict(&job->prediction, job->model, job->others.motion, job->others.count,
                     job->estimate->chi, &job->how.filter);
}

/* the differentiation that the method needs; a cut-off that is given belongs to the band-pass */
static const char *suitable_differentiation(const rbv_identification_options *o) {
  const rbv_method *method = rbv_method_find(o->method);
  const bool any =
      method->whitened && method->loop != RBV_LOOP_OPEN && strcmp(o->recording.cutoff, "auto") == 0;
  return rbv_differentiation_name(any ? RBV_DIFFERENTIATION_IRW : RBV_DIFFERENTIATION_BANDPASS);
}

void rbv_identification_take_options(rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  job->how = rbv_identify_defaults();
  job->how.method = o->method;
  job->how.prior_weight = o->prior_weight;
  job->how.consistent = o->consistent;
  job->how.essential = o->essential;
  job->how.total_mass = o->total_mass;
  job->how.holdout = o->holdout;
  job->how.bootstrap = o->bootstrap;
  job->how.seed = o->seed;
  job->how.progress = job->progress;
  job->how.progress_self = job->progress_self;
}

static rbv_status run_complete(rbv_identification *job) {
  rbv_identification_take_options(job);
  RBV_TRY(rbv_option_files(&job->nfile, job->file, OPTION_FILES_MAX - 1, job->groups, false));
  RBV_TRY(rbv_identification_load(job));
  RBV_TRY(estimate(job));
  RBV_TRY(rbv_identification_advise(job));
  return rbv_identification_make_result(job);
}

rbv_status rbv_identification_run(rbv_identification *job) {
  if (!job) return rbv_fail(RBV_EARG, "there is no job");
  if (job->nlog == 0) return rbv_fail(RBV_EARG, "an identification needs at least one recording");
  rbv_identification_forget(job);
  RBV_TRY(rbv_identification_check(&job->options));
  // the result records what was used; the options of the job stay as they were given
  const char **const how = &job->options.recording.method, *const given = *how;
  const char *const method = job->options.method;
  job->options.method = rbv_identification_method(&job->options);
  if (!given) *how = suitable_differentiation(&job->options);
  const rbv_status status = run_complete(job);
  *how = given;
  job->options.method = method;
  return status == RBV_OK && job->options.filter_scan ? rbv_filter_scan_run(job) : status;
}
