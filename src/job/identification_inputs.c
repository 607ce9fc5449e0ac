/* The inputs of an identification: robot, recordings, filter, friction, priors, weights, bounds. */
#include <math.h>
#include <string.h>

#include "consistency/consistency.h"
#include "equations/equations.h"
#include "job/identification_internal.h"
#include "job/recording_check.h"

/* checks that need the robot */
static rbv_status check_payload(const rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  const bool payload = rbv_model_has_payload(job->model);
  if (payload && o->loaded.count + job->loaded.count == 0)
    return rbv_fail_option(RBV_EOPTION, "loaded",
                           "a payload is only visible in a recording with it: add a loaded "
                           "recording");
  if (!payload && o->loaded.count + job->loaded.count > 0)
    return rbv_fail(RBV_EOPTION, "a loaded recording needs the option payload");
  if (!(o->known_mass > 0)) return RBV_OK;
  if (!payload) return rbv_fail(RBV_EOPTION, "known-mass needs the option payload");
  if (rbv_model_sensing(job->model) != RBV_SENSING_MOTOR)
    return rbv_fail(RBV_EOPTION, "known-mass finds gains of motor torques: it needs sensing motor");
  return RBV_OK;
}

/* the friction law of the option, of the robot file, or of a simulated log */
static rbv_status load_model(rbv_identification *job) {
  rbv_robot_options robot = job->options.robot;
  robot.model.friction = rbv_identification_friction_list(job);
  RBV_TRY(rbv_recording_hold(&job->log[0], &job->options.recording));
  RBV_TRY(rbv_smoothing_read(&job->recorded, &job->log[0]));
  rbv_smoothing_gamma(&robot.model.gamma, &job->recorded);
  return rbv_robot_open(&job->model, job->given, job->robot, &robot, &job->notes);
}

/* A value of the option, even 0, is the user's choice */
static rbv_status choose_smoothing(rbv_identification *job) {
  if (job->options.robot.model.gamma >= 0) return RBV_OK;
  return rbv_recordings_smooth(&job->model, &job->recorded, &job->fit, job->options.threads,
                               &job->notes);
}

bool rbv_identification_finds_controller(const rbv_identification_options *o) {
  const char *controller = o->loop.controller;
  return rbv_identification_simulates(o) && controller && strcmp(controller, "auto") == 0;
}

const char *rbv_recording_law(const rbv_identification_options *o) {
  const bool given = o->loop.controller && strcmp(o->loop.controller, "auto") != 0;
  return given && rbv_method_find(o->method)->loop == RBV_LOOP_OUTPUT ? o->loop.controller : NULL;
}

rbv_recording_use rbv_identification_use(const rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  return (rbv_recording_use){
      .files = &job->files,
      .whole = rbv_method_find(o->method)->loop != RBV_LOOP_OPEN ? "a simulated loop" : NULL,
      .gain = job->gain,
      .keep_logs = o->known_mass > 0 || rbv_identification_finds_controller(o),
      .controller = rbv_recording_law(o),
      .positions = rbv_method_find(o->method)->loop == RBV_LOOP_OUTPUT ||
                   rbv_identification_measures_reference(o),
      .question = true,
      .threads = o->threads,
  };
}

/* files of an option, then recordings in memory */
static rbv_status add(rbv_recordings *to, rbv_identification *job, const rbv_recording_use *use,
                      const rbv_files *files, const input_list *objects) {
  const rbv_recording_options *o = &job->options.recording;
  RBV_TRY(rbv_recordings_add(to, job->model, o, use, files->item, files->count, &job->notes));
  return rbv_recordings_add_inputs(to, job->model, o, use, objects->item, objects->count,
                                   &job->notes);
}

static rbv_status load_recordings(rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  rbv_recording_use use = rbv_identification_use(job);
  use.reference = rbv_method_find(o->method)->loop == RBV_LOOP_DIDIM;
  RBV_TRY(rbv_recordings_add_inputs(&job->fit, job->model, &o->recording, &use, job->log, job->nlog,
                                    &job->notes));
  use.loaded = true;
  RBV_TRY(add(&job->fit, job, &use, &o->loaded, &job->loaded));
  use = rbv_identification_use(job);
  use.keep_logs = o->known_mass > 0;
  return add(&job->others, job, &use, &o->validate, &job->validate);
}

/* sigma of every torque row: from the scatter between periods (Radkhah 2007 eq. 6), or given */
rbv_status rbv_identification_read_weights(rbv_identification *job) {
  const char *weights = job->options.weights;
  rbv_numbers_free(job->row_sigma);
  job->row_sigma = NULL;
  if (!weights || strcmp(weights, "residual") == 0) return RBV_OK;
  const int nrow = rbv_model_row_count(job->model);
  if (strcmp(weights, "periods") != 0) {
    RBV_TRY(rbv_numbers_read(&job->row_sigma, job->groups[0].rows, "weights", weights, nrow));
    job->how.row_sigma = job->row_sigma;
    return RBV_OK;
  }
  job->row_sigma = rbv_alloc((size_t)nrow * sizeof *job->row_sigma);
  if (!job->row_sigma) return RBV_EMEM;
  for (int i = 0; i < job->fit.count; i++) {
    const rbv_motion_origin *origin = rbv_motion_get_origin(job->fit.motion[i]);
    if (!origin || !origin->torque_noise)
      return rbv_fail(RBV_EOPTION,
                      "weights periods needs differentiate fourier and at least two periods");
    for (int r = 0; r < nrow; r++) job->row_sigma[r] += origin->torque_noise[r] / job->fit.count;
  }
  // white noise of the samples, of which a decimation keeps its pass band
  const rbv_decimate_options o = rbv_row_filter_decimation(&job->how.filter);
  const double kept = o.factor > 1 ? o.cutoff_ratio / o.factor : 1;
  for (int r = 0; r < nrow; r++) job->row_sigma[r] = sqrt(kept * job->row_sigma[r]);
  job->how.row_sigma = job->row_sigma;
  return RBV_OK;
}

/* ellipsoids that contain the links: around the robot's capsules, or from a file */
static rbv_status read_bounds(rbv_identification *job) {
  const rbv_model *m = job->model;
  const char *bounds = job->options.bounds;
  if (!bounds) return RBV_OK;
  const int nbody = rbv_model_joint_count(m) + rbv_model_has_payload(m);
  job->bound = rbv_alloc((size_t)nbody * sizeof *job->bound);
  if (!job->bound) return RBV_EMEM;
  job->how.bound = job->bound;
  if (strcmp(bounds, "robot") != 0) return rbv_consistency_load_bounds(job->bound, m, bounds);
  bool any = false;
  for (int i = 0; i < rbv_model_capsule_count(m); i++)
    any = any || rbv_model_capsule(m, i)->link > 0;
  if (!any)
    return rbv_fail(RBV_EOPTION,
                    "bounds robot: the robot file has no shapes that can be read; list capsules "
                    "under 'collision', or give a file of ellipsoids");
  rbv_consistency_bounds(job->bound, m);
  return RBV_OK;
}

static rbv_status read_prior(rbv_identification *job) {
  if (!job->options.prior) return RBV_OK;
  RBV_TRY(rbv_prior_load(&job->prior, job->options.prior, job->model));
  job->how.prior = job->prior.value;
  job->how.prior_sigma = job->prior.sigma;
  return RBV_OK;
}

rbv_status rbv_identification_blame(rbv_status status, const rbv_identification *job) {
  for (int i = 0; i < job->fit.count; i++)
    if (job->fit.check[i] && job->fit.check[i]->has_errors)
      return rbv_recording_blame(status, job->fit.check[i]);
  return status;
}

rbv_status rbv_identification_choose_rows(rbv_identification *job) {
  // a mask interrupts the sequence of rows that a noise model needs
  rbv_filter_options filter = job->options.filter;
  if (isnan(filter.mask) && rbv_method_find(job->options.method)->whitened) filter.mask = 0;
  RBV_TRY(rbv_identification_blame(
      rbv_filter_choose(&job->how.filter, &filter, job->model, &job->fit, 1 - job->options.holdout,
                        job->options.threads, &job->notes),
      job));
  return rbv_identification_whiten_rows(job);
}

rbv_status rbv_identification_load_inputs(rbv_identification *job) {
  RBV_TRY(load_model(job));
  RBV_TRY(check_payload(job));
  RBV_TRY(rbv_identification_gains_from_emf(job));
  RBV_TRY(rbv_recording_files_load(&job->files, job->model, &job->options.recording));
  RBV_TRY(load_recordings(job));
  RBV_TRY(choose_smoothing(job));
  RBV_TRY(rbv_identification_choose_rows(job));
  RBV_TRY(rbv_identification_gains_from_mass(job));
  RBV_TRY(rbv_identification_choose_friction(job));
  RBV_TRY(rbv_identification_choose_columns(job));
  RBV_TRY(read_prior(job));
  RBV_TRY(rbv_identification_read_weights(job));
  return read_bounds(job);
}

rbv_status rbv_identification_load(rbv_identification *job) {
  RBV_TRY(rbv_identification_load_inputs(job));
  return rbv_identification_simulates(&job->options) ? rbv_identification_prepare_loop(job)
                                                     : RBV_OK;
}
