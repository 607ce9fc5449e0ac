/* Advice about a cut-off that takes away a part of the motion. */
#include <math.h>

#include "equations/equations.h"
#include "identify/identify.h"
#include "job/identification_internal.h"
#include "motion/motion.h"

#define PIECE 4096  // samples that are compared at a time
/* Share of the acceleration. EMPS: 20 Hz lose 13 % and move no value of piv by more than 0.5 % of
 * it (the offset aside), 12 Hz lose 30 % and move the friction by 6 %. */
#define CUTOFF_LOSS 0.2

/* sums of squares of a joint */
typedef struct {
  double missing, all;
} lost_energy;

/* accelerations of one motion, and of the same recording with the usual cut-off */
static rbv_status add_motion(lost_energy *lost, rbv_motion *motion, double *block) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t n = info->njoint;
  double *const q = block, *const dq = q + PIECE * n, *const own = dq + PIECE * n,
                *const usual = own + PIECE * n;
  rbv_motion *const standard = rbv_motion_standard(motion);
  if (standard == motion || rbv_motion_get_info(standard)->count != info->count) return RBV_OK;
  for (ptrdiff_t first = 0; first < info->count; first += PIECE) {
    const ptrdiff_t count = first + PIECE < info->count ? PIECE : info->count - first;
    const rbv_samples mine = {.ld = PIECE, .q = q, .dq = dq, .ddq = own};
    const rbv_samples theirs = {.ld = PIECE, .q = q, .dq = dq, .ddq = usual};
    RBV_TRY(rbv_motion_read(motion, &mine, first, count));
    RBV_TRY(rbv_motion_read(standard, &theirs, first, count));
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t k = j * PIECE; k < j * PIECE + count; k++) {
        lost[j].missing += (usual[k] - own[k]) * (usual[k] - own[k]);
        lost[j].all += usual[k] * usual[k];
      }
  }
  return RBV_OK;
}

/* the largest share of the acceleration of a joint that the cut-off takes away */
static rbv_status find_loss(double *share, int *joint, const rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  lost_energy *lost = rbv_alloc((size_t)n * sizeof *lost);
  double *block = rbv_alloc((size_t)(4 * PIECE) * (size_t)n * sizeof *block);
  rbv_status status = lost && block ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < job->fit.count && status == RBV_OK; i++)
    status = add_motion(lost, job->fit.motion[i], block);
  *share = 0;
  for (int j = 0; j < n && status == RBV_OK; j++) {
    if (!(lost[j].all > 0) || !(sqrt(lost[j].missing / lost[j].all) > *share)) continue;
    *share = sqrt(lost[j].missing / lost[j].all);
    *joint = j;
  }
  rbv_free(lost);
  rbv_free(block);
  return status;
}

rbv_status rbv_identification_doubt_cutoff(rbv_text *out, const rbv_identification *job) {
  const rbv_input *in = &job->fit.input[0];
  const rbv_motion_origin *usual = rbv_motion_get_origin(rbv_motion_standard(job->fit.motion[0]));
  double share;
  int joint = 0;
  if (!rbv_method_find(job->how.method)->whitened || !(in->cutoff_hz > 0) ||
      !(in->cutoff_hz < usual->cutoff_hz))
    return RBV_OK;
  RBV_TRY(find_loss(&share, &joint, job));
  if (!(share > CUTOFF_LOSS)) return RBV_OK;
  rbv_text_print(out,
                 "the cut-off of %.3g Hz takes away %.0f %% of the acceleration of %s that the one "
                 "from the data, %.3g Hz, keeps: the equations of %s are not low-passed, and its "
                 "torque then belongs to a motion that the columns lack",
                 in->cutoff_hz, 100 * share, rbv_model_joint(job->model, joint)->name,
                 usual->cutoff_hz, job->how.method);
  return out->failed ? RBV_EMEM : RBV_OK;
}
