/* Bad rows of a recording, and the quick questions that are asked before it is used. */
#include "job/recording_check.h"

#include <string.h>

#include "job/job_internal.h"
#include "log/log.h"

static rbv_bad_options bad_options(const rbv_model *model, const rbv_recording_options *r) {
  return (rbv_bad_options){.njoint = rbv_model_joint_count(model),
                           .velocities = r->method && strcmp(r->method, "recorded") == 0};
}

/* replace the log by a copy without its bad rows: all, or only single samples */
static rbv_status drop_rows(rbv_log **log, ptrdiff_t *dropped, const rbv_model *model,
                            const rbv_recording_options *r, const rbv_notes *notes) {
  const rbv_bad_options o = bad_options(model, r);
  rbv_bad_rows bad;
  RBV_TRY(rbv_log_find_bad_rows(&bad, *log, &o));
  rbv_log *copy = NULL;
  rbv_drop_info info;
  char first[160] = "";
  rbv_status status = RBV_OK;
  const rbv_bad_extent extent = rbv_bad_rows_extent(&bad, rbv_log_samples(*log));
  if (bad.count > 0 && (r->drop_bad_rows || extent < RBV_BAD_MANY)) {
    rbv_bad_value_describe(first, sizeof first, *log, &bad.items[0]);
    status = rbv_log_without(&copy, &info, *log, &bad);
    *dropped = bad.rows;
  }
  if (copy) {
    rbv_tell(notes, NULL, "%s: %td bad rows dropped (%td filled, %td removed); first %s",
             rbv_log_name(*log), bad.rows, info.filled, info.removed, first);
    rbv_log_free(*log);
    *log = copy;
  }
  rbv_bad_rows_free(&bad);
  return status;
}

/* The failure again, with the option that drops bad rows. */
static rbv_status offer_drop(rbv_status status) {
  char *sentence = rbv_strdup(rbv_message());
  if (!sentence) return status;
  status = rbv_fail_option(status, "drop-bad-rows", "%s", sentence);
  rbv_free(sentence);
  return status;
}

/* Can the file be read without some rows? */
static bool is_tolerable(const rbv_log_input *in, const rbv_log_map *map) {
  rbv_log *log = NULL;
  const bool tolerable = rbv_log_input_load(&log, in, map, true) == RBV_OK;
  rbv_log_free(log);
  return tolerable;
}

static rbv_status load_strict(rbv_log **out, const rbv_log_input *in, const rbv_log_map *map) {
  const rbv_status status = rbv_log_input_load(out, in, map, false);
  if (status != RBV_EINPUT) return status;
  // the message of the failure, not of the second attempt
  char *sentence = rbv_strdup(rbv_message());
  if (!sentence) return status;
  if (is_tolerable(in, map))
    (void)rbv_fail_option(status, "drop-bad-rows", "%s", sentence);
  else
    (void)rbv_fail(status, "%s", sentence);
  rbv_free(sentence);
  return status;
}

void rbv_recording_unwrap(rbv_log *log, const rbv_model *model, const rbv_notes *notes) {
  for (int j = 0; j < rbv_model_joint_count(model); j++) {
    const rbv_joint *joint = rbv_model_joint(model, j);
    if (joint->type != RBV_JOINT_REVOLUTE) continue;
    const ptrdiff_t jumps = rbv_log_unwrap(log, j);
    if (jumps > 0)
      rbv_tell(notes, NULL,
               "%s: the positions of joint '%s' jump by a full turn %td times: removed",
               rbv_log_name(log), joint->name, jumps);
  }
}

rbv_status rbv_recording_load(rbv_log **out, ptrdiff_t *dropped, const rbv_model *model,
                              const rbv_log_input *in, const rbv_log_map *map,
                              const rbv_recording_options *r, const rbv_notes *notes) {
  *dropped = 0;
  RBV_TRY(r->drop_bad_rows ? rbv_log_input_load(out, in, map, true) : load_strict(out, in, map));
  RBV_TRY(rbv_recording_crop(out, r, notes));
  RBV_TRY(rbv_recordings_order(*out, model));
  RBV_TRY(rbv_recording_complete_base(out, model, notes));
  rbv_recording_unwrap(*out, model, notes);
  return r->drop_bad_rows ? drop_rows(out, dropped, model, r, notes) : RBV_OK;
}

rbv_status rbv_recording_drop_single(rbv_log **log, ptrdiff_t *dropped, const rbv_model *model,
                                     const rbv_recording_options *r, const rbv_notes *notes) {
  return r->drop_bad_rows ? RBV_OK : drop_rows(log, dropped, model, r, notes);
}

rbv_status rbv_recording_question(rbv_check_result **out, const rbv_model *model,
                                  const rbv_log *log, const rbv_recording_options *r, bool loaded,
                                  bool other_masses) {
  const rbv_log *const logs[] = {log};
  rbv_check_options o = rbv_check_defaults();
  o.loaded = &loaded;
  o.other_masses = other_masses;
  o.quick = true;
  o.velocities = bad_options(model, r).velocities;
  return rbv_check(out, model, logs, 1, &o);
}

void rbv_recording_trust_torque(rbv_check_result *check) {
  // what is asked of the recording itself; the other questions compare torques with the robot file,
  // or need speeds
  static const rbv_finding_code kept[] = {
      RBV_FINDING_CHANNEL, RBV_FINDING_SHORT,    RBV_FINDING_MISSING, RBV_FINDING_GLITCH,
      RBV_FINDING_TIME,    RBV_FINDING_GAP,      RBV_FINDING_HELD,    RBV_FINDING_JITTER,
      RBV_FINDING_DEGREES, RBV_FINDING_CONSTANT, RBV_FINDING_LIMITS,  RBV_FINDING_REST,
      RBV_FINDING_SLOW};
  int n = 0;
  check->has_errors = false;
  for (int i = 0; i < check->nfinding; i++) {
    bool keep = false;
    for (int k = 0; k < RBV_COUNT(kept); k++) keep = keep || check->finding[i].code == kept[k];
    if (!keep) {
      rbv_free((void *)(uintptr_t)check->finding[i].sentence);
      continue;
    }
    check->finding[n++] = check->finding[i];
    check->has_errors = check->has_errors || check->finding[n - 1].severity == RBV_SEVERITY_ERROR;
  }
  check->nfinding = n;
}

rbv_status rbv_recording_blame(rbv_status status, const rbv_check_result *check) {
  if (status == RBV_OK || status == RBV_EMEM || !check || !check->has_errors) return status;
  const rbv_finding *f = &check->finding[0];
  // the failure itself says these better
  while (f->code == RBV_FINDING_GAP || f->code == RBV_FINDING_SHORT ||
         f->code == RBV_FINDING_CHANNEL)
    if (++f == check->finding + check->nfinding || f->severity < RBV_SEVERITY_ERROR) return status;
  if (f->code == RBV_FINDING_MISSING || f->code == RBV_FINDING_TIME)
    return f->option && strcmp(f->option, "drop-bad-rows") == 0 ? offer_drop(status) : status;
  // a failure that names its own remedy (no time column, another sensing) has another cause
  if (f->code == RBV_FINDING_GLITCH && rbv_message_option()) return status;
  return rbv_fail_option(RBV_EDATA, f->option, "%s", f->sentence);
}

const rbv_finding *rbv_recordings_finding(const rbv_recordings *all, int i) {
  for (int k = 0; all && k < all->count; k++)
    for (int f = 0; all->check[k] && f < all->check[k]->nfinding; f++)
      if (all->check[k]->finding[f].severity == RBV_SEVERITY_ERROR && i-- == 0)
        return &all->check[k]->finding[f];
  return NULL;
}
