/* Loads a motion that was designed or recorded. */
#include "log/log_input.h"
#include "prepare/prepare.h"

#include "job/design_internal.h"

static void tell(const char *path, const rbv_motion *motion, const rbv_notes *notes) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *o = rbv_motion_get_origin(motion);
  rbv_text text = {0};
  rbv_text_print(&text, "%s: %td samples at %g Hz", path, info->count, info->rate_hz);
  if (o->spare_joints > 0)
    rbv_text_print(&text, ", %d of %d recorded joints", info->njoint,
                   info->njoint + o->spare_joints);
  rbv_motion_describe(&text, o, info->rate_hz);
  if (o->resampled) rbv_text_put(&text, ", resampled");
  if (o->duplicates > 0) rbv_text_print(&text, ", %td duplicates dropped", o->duplicates);
  if (o->gaps > 0 || o->torque_delay_s != 0)
    rbv_text_print(&text, ", %td samples left out (%td gaps)", o->invalid, o->gaps);
  rbv_tell(notes, NULL, "%s", rbv_text_string(&text) ? text.data : path);
  rbv_text_free(&text);
}

/* positions, velocities and accelerations as they are */
static rbv_status take_columns(rbv_motion **out, const rbv_log *log, int n, const char *path) {
  static const rbv_channel channels[3] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY,
                                          RBV_CHANNEL_ACCELERATION};
  double *block[3] = {NULL, NULL, NULL};
  rbv_status status = RBV_OK;
  for (int i = 0; i < 3 && status == RBV_OK; i++)
    status = rbv_log_block(&block[i], log, channels[i], n);
  const rbv_log_rate rate = rbv_log_get_rate(log);
  const rbv_motion_info info = {.name = path,
                                .njoint = n,
                                .count = rbv_log_samples(log),
                                .rate_hz = rate.known && rate.period > 0 ? 1 / rate.period : 1};
  const rbv_samples s = {.ld = info.count, .q = block[0], .dq = block[1], .ddq = block[2]};
  if (status == RBV_OK) status = rbv_motion_from_arrays(out, &info, &s);
  for (int i = 0; i < 3; i++) rbv_log_block_free(block[i]);
  return status;
}

rbv_status rbv_motion_load(rbv_motion **out, bool *recorded, const rbv_model *m, const char *path,
                           const rbv_notes *notes) {
  *out = NULL;
  rbv_log *log;
  RBV_TRY(rbv_log_load_values(&log, path, NULL));
  rbv_status status;
  const bool planned = rbv_log_channel_count(log, RBV_CHANNEL_ACCELERATION) > 0;
  if (recorded) *recorded = !planned;
  if (planned) {
    status = take_columns(out, log, rbv_model_joint_count(m), path);
  } else {
    rbv_differentiate_options how = rbv_differentiate_defaults();
    how.loaded = rbv_model_has_payload(m);
    status = rbv_motion_from_log(out, m, log, &how);
    if (status == RBV_OK) tell(path, *out, notes);
  }
  rbv_log_free(log);
  return status;
}
