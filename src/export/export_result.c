/* What an export takes from a result file. */
#include <roberval/sys/export.h>
#include <roberval/sys/follow.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/storage.h>
#include <string.h>

#include "base/support.h"
#include "control/control.h"
#include "export/export_control.h"
#include "job/spring_fit.h"

/* standard parameters of the result where it has them, base parameters otherwise */
static void take_standard(rbv_result_model *fitted) {
  const rbv_result_standard *standard = &fitted->result->standard;
  for (int i = 0; i < standard->count; i++) {
    const int c = rbv_model_find(fitted->model, standard->name[i]);
    if (c >= 0) fitted->chi[c] = standard->value[i];
  }
}

/* links that were known: those of the robot file, and the rotor inertias that were found beside
 * them */
static void take_known_links(rbv_result_model *fitted) {
  const double *own = rbv_model_parameters(fitted->model);
  const rbv_result_loop *loop = &fitted->result->loop;
  if (!fitted->options.loop.known_links || !own || fitted->result->standard.count > 0) return;
  for (int c = 0; c < rbv_model_column_count(fitted->model); c++)
    if (rbv_model_column(fitted->model, c)->basis == RBV_BASIS_INERTIAL) fitted->chi[c] = own[c];
  for (int i = 0; i < loop->nunknown; i++) {
    const int c = rbv_model_find(fitted->model, loop->unknown[i].name);
    if (c >= 0) fitted->chi[c] = loop->unknown[i].value;
  }
}

rbv_status rbv_export_control(rbv_control **out, const rbv_result_model *fitted) {
  *out = NULL;
  const char *path = fitted->options.loop.controller;
  if (!path || strcmp(path, "auto") == 0) return RBV_OK;
  const rbv_control_options wanted = {.njoint = rbv_model_joint_count(fitted->model)};
  // a law without rate has that of its recordings, which is not needed here
  const rbv_status status = rbv_control_load(out, path, &wanted);
  return status;
}

rbv_model_options rbv_export_loaded(const rbv_model *model, const rbv_model_options *given) {
  rbv_model_options loaded = *given;
  loaded.sensing = (int)rbv_model_sensing(model);
  loaded.payload = rbv_model_has_payload(model);
  loaded.gamma = rbv_model_gamma(model);
  loaded.stribeck = rbv_model_stribeck(model);
  return loaded;
}

void rbv_export_limits(double *limit, const rbv_result_model *fitted) {
  const int n = rbv_model_joint_count(fitted->model);
  const rbv_fit *fit = &fitted->result->fit;
  // crossings of zero by noise behind a filter with this gain
  const double crossings = 0.4 * CONTROL_GAIN / (2 * RBV_PI);
  const double level = rbv_alarm_level_normal(crossings, 1.0 / 3600 / n);
  for (int j = 0; j < n; j++) limit[j] = HUGE_LIMIT;
  for (int r = fit->nrow - 1; r >= 0; r--)
    if (fit->row[r].rms > 0) limit[fit->row[r].joint] = level * fit->row[r].rms;
}

rbv_status rbv_export_load(rbv_result_model *out, const char *result, const char *robot,
                           const rbv_notes *notes) {
  RBV_TRY(rbv_result_model_load(out, result, robot, notes));
  take_standard(out);
  take_known_links(out);
  rbv_springs_apply(out->chi, out->model, out->result);
  return RBV_OK;
}

/* "dir/arm.c" gives the name "arm" and the header "dir/arm.h"; false when it does not end in .c */
bool rbv_export_split(char *name, char *header, size_t size, const char *path) {
  const size_t length = strlen(path);
  if (length < 3 || length >= size || strcmp(path + length - 2, ".c") != 0) return false;
  const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
  const size_t stem_length = (size_t)(path + length - 2 - stem);
  memcpy(name, stem, stem_length);
  name[stem_length] = 0;
  memcpy(header, path, length + 1);
  header[length - 1] = 'h';
  return *name != 0;
}
