#include "library_calls.h"

#include <string.h>

int cli_check_method(const char *command, const char *method) {
  rbv_identification_options o = rbv_identification_defaults();
  o.method = method;
  const rbv_status status = rbv_identification_check(&o);
  return status == RBV_OK ? -1 : cli_fail_in(command, status);
}

int cli_recordings_add(rbv_recordings *all, const char *command, const rbv_model *model,
                       const rbv_recording_options *options, const rbv_recording_use *use,
                       const char *const *paths, int count, const cli_common *common) {
  rbv_recording_use with = use ? *use : (rbv_recording_use){0};
  with.threads = common->threads;
  with.question = true;
  const rbv_notes notes = cli_notes(common);
  const rbv_status status = rbv_recordings_add(all, model, options, &with, paths, count, &notes);
  return status == RBV_OK ? -1 : cli_fail_in(command, status);
}

int cli_doubt_recordings(const rbv_recordings *all, const cli_common *common, int code) {
  const rbv_finding *f;
  int n = 0;
  for (; (f = rbv_recordings_finding(all, n)); n++)
    cli_message(common, f->option ? "error: %s (see --%s)\n" : "error: %s\n", f->sentence,
                f->option);
  return n > 0 && code == EXIT_DONE ? EXIT_NO : code;
}

int cli_load_result(rbv_result_model *out, const char *path, const char *robot,
                    const cli_common *common) {
  const rbv_notes notes = cli_notes(common);
  const rbv_status status = rbv_result_model_load(out, path, robot, &notes);
  out->filter.threads = common->threads;
  return status == RBV_OK ? -1 : cli_fail(status);
}
