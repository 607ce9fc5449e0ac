/* Drive gains that are found before the identification itself. */
#include <math.h>

#include "job/identification_internal.h"

#define BACK_EMF_CUTOFF_HZ 50

static rbv_status make_room(rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  job->gain = rbv_alloc(2 * (size_t)n * sizeof *job->gain);
  if (!job->gain) return RBV_EMEM;
  job->gain_sigma = job->gain + n;
  return RBV_OK;
}

static void tell_gains(const rbv_identification *job) {
  rbv_text t = {0};
  rbv_text_put(&t, "drive gains:");
  for (int i = 0; i < rbv_model_joint_count(job->model); i++)
    rbv_text_print(&t, " %.5g (%.2g %%)", job->gain[i],
                   100 * job->gain_sigma[i] / fabs(job->gain[i]));
  if (!t.failed) rbv_tell(&job->notes, NULL, "%s", t.data);
  rbv_text_free(&t);
}

rbv_status rbv_identification_gains_from_emf(rbv_identification *job) {
  if (!job->options.back_emf) return RBV_OK;
  RBV_TRY(make_room(job));
  rbv_log *log;
  RBV_TRY(rbv_log_load(&log, job->options.back_emf, NULL));
  const rbv_status status = rbv_identify_back_emf(
      job->gain, job->gain_sigma, rbv_model_joint_count(job->model), log, BACK_EMF_CUTOFF_HZ);
  rbv_log_free(log);
  if (status == RBV_OK) tell_gains(job);
  return status;
}

rbv_status rbv_identification_gains_from_mass(rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  if (!(o->known_mass > 0)) return RBV_OK;
  RBV_TRY(make_room(job));
  RBV_TRY(rbv_identify_gains(job->gain, job->gain_sigma, job->model, job->fit.motion,
                             job->fit.count, &job->how.filter, o->known_mass, o->seed));
  tell_gains(job);
  // the recordings again, in N m
  rbv_recording_use use = rbv_identification_use(job);
  use.reference = rbv_method_find(o->method)->loop == RBV_LOOP_DIDIM;
  use.keep_logs = rbv_identification_finds_controller(o);
  RBV_TRY(rbv_recordings_set_gains(&job->fit, job->model, &o->recording, &use, job->gain));
  use.reference = use.keep_logs = false;
  return rbv_recordings_set_gains(&job->others, job->model, &o->recording, &use, job->gain);
}
