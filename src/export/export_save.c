/* From a result file to an exported file. */
#include <roberval/export.h>
#include <roberval/sys/export.h>
#include <roberval/sys/follow.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/storage.h>
#include <string.h>

#include "base/support.h"
#include "export/export_control.h"

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

rbv_model_options rbv_export_loaded(const rbv_result_model *fitted) {
  rbv_model_options loaded = fitted->options.robot.model;
  loaded.sensing = (int)rbv_model_sensing(fitted->model);
  loaded.payload = rbv_model_has_payload(fitted->model);
  loaded.gamma = rbv_model_gamma(fitted->model);
  loaded.stribeck = rbv_model_stribeck(fitted->model);
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

/* the header first: a source without one would not compile */
static rbv_status write(const rbv_export *x, const char *path, const char *header) {
  if (x->refused) return rbv_fail(RBV_EDATA, "%s", x->reason);
  if (x->header) RBV_TRY(rbv_file_write(header, x->header, x->header_size));
  return rbv_file_write(path, x->text, x->size);
}

rbv_status rbv_export_save(const char *result, const char *format, const char *path) {
  char name[1024], header[1024];
  rbv_export_options o = rbv_export_defaults();
  if (!result || !format || !path)
    return rbv_fail(RBV_EARG, "a result, a format and a path are needed");
  if (!rbv_export_format_parse(&o.format, format))
    return rbv_fail(RBV_EOPTION, "there is no export format '%s'", format);
  const bool two_files = rbv_export_format_has_header(o.format);
  if (two_files && !rbv_export_split(name, header, sizeof name, path))
    return rbv_fail(RBV_EOPTION, "C code has two files: the path must end in .c");
  rbv_result_model fitted;
  RBV_TRY(rbv_export_load(&fitted, result, NULL, NULL));
  o.loaded = rbv_export_loaded(&fitted);
  o.standard = fitted.result->standard.count > 0 ? &fitted.result->standard : NULL;
  o.name = two_files ? name : NULL;
  rbv_export *x = NULL;
  rbv_control *control = NULL;
  const int n = rbv_model_joint_count(fitted.model);
  double *limit = rbv_alloc((size_t)n * sizeof *limit);
  rbv_status status = limit ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    rbv_export_limits(limit, &fitted);
    o.limit = limit;
    o.result = fitted.result;
    o.delay_s = fitted.options.loop.delay_s;
    status = rbv_export_control(&control, &fitted);
    o.control = control;
  }
  if (status == RBV_OK) {
    status = rbv_export_new(&x, fitted.model, fitted.chi, &o);
  }
  rbv_free(limit);
  rbv_control_free(control);
  if (status == RBV_OK) status = write(x, path, header);
  rbv_export_free(x);
  rbv_result_model_free(&fitted);
  return status;
}
