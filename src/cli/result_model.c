#include "result_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_judged_free(cli_judged *j) {
  free(j->chi);
  rbv_model_free(j->model);
  rbv_result_free(j->result);
  *j = (cli_judged){0};
}

static rbv_status load(cli_judged *out, const char *path, const char *robot,
                       const cli_common *common) {
  rbv_status status = rbv_result_load(&out->result, path);
  if (status != RBV_OK) return status;
  const rbv_result *r = out->result;
  rbv_model_options options = rbv_model_defaults();
  options.sensing = (int)r->sensing;
  options.payload = r->payload;
  options.gamma = r->gamma;
  options.stribeck = r->stribeck;
  options.tip = rbv_result_setting(r, "tip");
  options.snap = !rbv_result_setting(r, "snap");
  status = rbv_model_load(&out->model, robot ? robot : r->robot_file.path, &options);
  if (status != RBV_OK) return status;
  char hash[65];
  if (r->robot_file.sha256[0] &&
      rbv_hash_file(hash, robot ? robot : r->robot_file.path) == RBV_OK &&
      strcmp(hash, r->robot_file.sha256) != 0)
    cli_say(common, "%s: the robot file has changed since\n", path);
  out->chi = calloc((size_t)rbv_model_column_count(out->model), sizeof *out->chi);
  if (!out->chi) return RBV_EMEM;
  out->filter = (rbv_row_filter){
      .decimate = (int)rbv_result_number(r, "decimate", 1),
      .mask = rbv_result_number(r, "mask_rad_per_s", 0),
      .trim = (ptrdiff_t)rbv_result_number(r, "trim_samples", 0),
      .threads = common->threads,
  };
  return rbv_parameters_apply(out->chi, NULL, &r->estimate, out->model);
}

int cli_judged_load(cli_judged *out, const char *path, const char *robot,
                    const cli_common *common) {
  *out = (cli_judged){0};
  const rbv_status status = load(out, path, robot, common);
  if (status == RBV_OK) return -1;
  const int code = cli_fail(status);
  cli_judged_free(out);
  return code;
}

cli_recording cli_judged_recording(const cli_judged *j, const char *map) {
  const rbv_result *r = j->result;
  cli_recording recording = CLI_RECORDING_DEFAULTS;
  const char *method = rbv_result_setting(r, "differentiate");
  const char *cutoff = rbv_result_setting(r, "cutoff_hz");
  if (method) recording.method = method;
  if (cutoff) recording.cutoff = cutoff;
  recording.map = map ? map : rbv_result_setting(r, "map");
  recording.stiffness = rbv_result_setting(r, "stiffness_Nm_per_rad");
  recording.gains = rbv_result_setting(r, "drive_gains");
  recording.period_s = rbv_result_number(r, "period_s", 0);
  recording.harmonics = (int)rbv_result_number(r, "harmonics", 5);
  recording.delay_s = rbv_result_number(r, "torque_delay_s", 0);
  return recording;
}
