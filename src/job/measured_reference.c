/*
 * A loop for recordings without a reference: the measured positions, low-passed, are the reference,
 * and a law that is tuned for the start values follows them. Instruments from this loop are free of
 * the noise above the low-pass only.
 */
#include <math.h>
#include <string.h>

#include "job/identification_internal.h"
#include "motion/motion.h"
#include "prepare/prepare.h"

#define BANDWIDTH_HZ 10.0  // of the law
#define INTEGRAL 0.2       // see rbv_control_tune
#define ROLL_OFF 10.0
#define INERTIA_POINTS 1000  // of the reference, at which the inertia is computed

/* ---- reference ---- */

/* positions at the samples of motion i: as recorded, or those of its usual preparation */
static rbv_status take_positions(double **out, rbv_identification *job, int i) {
  rbv_motion *const motion = job->fit.motion[i];
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const size_t size = (size_t)info->count * (size_t)info->njoint;
  RBV_NEW(double, q, size);
  *out = q;
  if (job->fit.position[i]) {
    memcpy(q, job->fit.position[i], size * sizeof *q);
    return RBV_OK;
  }
  const rbv_samples to = {.ld = info->count, .q = q};
  return rbv_motion_read(rbv_motion_standard(motion), &to, 0, info->count);
}

/* where vibration or noise begins, or else the low-pass of the usual preparation */
static double choose_cutoff(const rbv_identification *job, int i) {
  const double given = job->options.loop.reference_cutoff_hz;
  const rbv_motion_origin *o = rbv_motion_get_origin(rbv_motion_standard(job->fit.motion[i]));
  return given > 0 ? given : o->noise_hz > 0 ? o->noise_hz : o->cutoff_hz;
}

static rbv_status measure(rbv_identification *job, int i) {
  rbv_motion *const motion = job->fit.motion[i];
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const double cutoff_hz = choose_cutoff(job, i);
  const char *name = job->fit.input[i].path;
  if (rbv_motion_get_origin(motion)->from_reference)
    return rbv_fail(RBV_EINPUT, "%s: no positions were recorded that could be the reference", name);
  if (!(cutoff_hz > 0 && cutoff_hz < info->rate_hz / 2))
    return rbv_fail_option(RBV_EINPUT, "reference-cutoff",
                           "%s: the low-pass of the reference must be between 0 and half the "
                           "sample rate, %g Hz",
                           name, info->rate_hz / 2);
  double *q = NULL;
  rbv_status status = take_positions(&q, job, i);
  if (status == RBV_OK)
    status = rbv_positions_low_pass(q, info->count, info->njoint, cutoff_hz, info->rate_hz, name);
  if (status != RBV_OK) {
    rbv_free(q);
    return status;
  }
  job->loop.reference_hz = fmax(job->loop.reference_hz, cutoff_hz);
  rbv_sim_reference *r = &job->fit.reference[i];
  rbv_free((void *)(uintptr_t)r->q);  // const in the public structure; allocated here
  *r = (rbv_sim_reference){.count = info->count, .ld = info->count, .q = q};
  rbv_tell(&job->notes, "reference-cutoff",
           "%s: the reference is the measured position below %.3g Hz: what noise it has there is "
           "in the instruments, too",
           name, cutoff_hz);
  return RBV_OK;
}

rbv_status rbv_identification_take_reference(rbv_identification *job) {
  for (int i = 0; i < job->fit.count; i++) RBV_TRY(measure(job, i));
  return RBV_OK;
}

/* ---- a law ---- */

static rbv_status tune(rbv_control_joint *joint, double *scratch, const rbv_identification *job,
                       const double *chi, double rate_hz) {
  const int n = rbv_model_joint_count(job->model);
  const rbv_sim_reference *r = &job->fit.reference[0];
  double *inertia = scratch, *bandwidth = scratch + n;
  bool softened;
  for (int j = 0; j < n; j++) bandwidth[j] = 2 * RBV_PI * BANDWIDTH_HZ;
  const rbv_sim_tuning wanted = {.inertia = inertia,
                                 .bandwidth = bandwidth,
                                 .integral = INTEGRAL,
                                 .roll_off = ROLL_OFF,
                                 .rate_hz = rate_hz};
  RBV_TRY(rbv_sim_inertia(inertia, job->model, chi, false, r, r->count / INERTIA_POINTS + 1));
  return rbv_sim_tune(joint, &softened, job->model, chi, false, r, &wanted);
}

rbv_status rbv_identification_make_controller(rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  const double rate_hz = job->fit.input[0].rate_hz;
  const double *chi = job->loop.start ? job->loop.start : rbv_model_parameters(job->model);
  if (!chi)
    return rbv_fail_option(RBV_EOPTION, "controller",
                           "a law for the measured reference is tuned for values of the robot, and "
                           "the start has none: give the controller");
  rbv_control_joint *joint = rbv_alloc((size_t)n * sizeof *joint);
  double *scratch = rbv_alloc(2 * (size_t)n * sizeof *scratch);
  rbv_status status = joint && scratch ? tune(joint, scratch, job, chi, rate_hz) : RBV_EMEM;
  if (status == RBV_OK)
    status =
        rbv_control_new(&job->loop.control, "virtual", rate_hz, RBV_FEEDFORWARD_NONE, joint, n);
  rbv_free(joint);
  rbv_free(scratch);
  if (status == RBV_OK)
    rbv_tell(
        &job->notes, "controller",
        "the controller is a virtual one: a PID per joint with a bandwidth of %g Hz, tuned for "
        "the start values",
        BANDWIDTH_HZ);
  return status;
}
