/* Access to results through functions, without knowledge of the structure. */
#include <math.h>
#include <roberval/sys/result.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

rbv_status rbv_result_save(const rbv_result *r, const char *path) {
  if (!r || !path) return rbv_fail(RBV_EARG, "result and path must not be NULL");
  char *text;
  size_t size;
  RBV_TRY(rbv_result_write(&text, &size, r));
  const rbv_status status = rbv_file_write(path, text, size);
  rbv_text_release(text);
  return status;
}

const char *rbv_result_robot(const rbv_result *r) { return r ? r->robot : NULL; }
const char *rbv_result_method(const rbv_result *r) { return r ? r->method : NULL; }
bool rbv_result_converged(const rbv_result *r) { return r && r->converged; }
int rbv_result_iterations(const rbv_result *r) { return r ? r->iterations : 0; }

/* ---- base parameters ---- */

static const rbv_parameter *parameter(const rbv_result *r, int i) {
  return r && i >= 0 && i < r->estimate.count ? &r->estimate.item[i] : NULL;
}

int rbv_result_parameter_count(const rbv_result *r) { return r ? r->estimate.count : 0; }

const char *rbv_result_parameter_name(const rbv_result *r, int i) {
  const rbv_parameter *p = parameter(r, i);
  return p ? p->name : NULL;
}

const char *rbv_result_parameter_unit(const rbv_result *r, int i) {
  return parameter(r, i) ? r->unit[i] : NULL;
}

double rbv_result_parameter_value(const rbv_result *r, int i) {
  const rbv_parameter *p = parameter(r, i);
  return p ? p->value : NAN;
}

double rbv_result_parameter_sigma(const rbv_result *r, int i) {
  const rbv_parameter *p = parameter(r, i);
  return p ? p->sigma : NAN;
}

double rbv_result_parameter_sigma_white(const rbv_result *r, int i) {
  return parameter(r, i) && r->sigma_white ? r->sigma_white[i] : NAN;
}

double rbv_result_student_factor(const rbv_result *r) {
  return r && r->jackknife.nblock > 0 ? r->jackknife.student : NAN;
}

int rbv_result_block_count(const rbv_result *r) { return r ? r->jackknife.nblock : 0; }

double rbv_result_block_value(const rbv_result *r, int block, int i) {
  const rbv_parameter *p = parameter(r, i);
  if (!p || block < 0 || block >= r->jackknife.nblock) return NAN;
  return p->value + r->jackknife.deviation[i + (ptrdiff_t)block * r->estimate.count];
}

rbv_parameter_status rbv_result_parameter_status(const rbv_result *r, int i) {
  const rbv_parameter *p = parameter(r, i);
  return p ? p->status : RBV_STATUS_NOT_IDENTIFIABLE;
}

const char *rbv_result_parameter_meaning(const rbv_result *r, int i) {
  return parameter(r, i) ? r->meaning[i] : NULL;
}

int rbv_result_find(const rbv_result *r, const char *name) {
  for (int i = 0; name && i < rbv_result_parameter_count(r); i++)
    if (strcmp(r->estimate.item[i].name, name) == 0) return i;
  return -1;
}

/* ---- standard parameters ---- */

static bool has_standard(const rbv_result *r, int i) {
  return r && i >= 0 && i < r->standard.count;
}

int rbv_result_standard_count(const rbv_result *r) { return r ? r->standard.count : 0; }

const char *rbv_result_standard_name(const rbv_result *r, int i) {
  return has_standard(r, i) ? r->standard.name[i] : NULL;
}

const char *rbv_result_standard_unit(const rbv_result *r, int i) {
  return has_standard(r, i) ? r->standard.unit[i] : NULL;
}

double rbv_result_standard_value(const rbv_result *r, int i) {
  return has_standard(r, i) ? r->standard.value[i] : NAN;
}

double rbv_result_standard_sigma(const rbv_result *r, int i) {
  return has_standard(r, i) ? r->standard.sigma[i] : NAN;
}

double rbv_result_standard_known(const rbv_result *r, int i) {
  return has_standard(r, i) ? r->standard.known[i] : NAN;
}

/* ---- quality ---- */

static double joint_error(const rbv_fit *fit, int joint) {
  for (int i = 0; i < fit->nrow; i++)
    if (fit->row[i].joint == joint) return fit->row[i].relative_error;
  return NAN;
}

double rbv_result_fit_error(const rbv_result *r) {
  return r && r->fit.nrow > 0 ? r->fit.relative_error : NAN;
}

double rbv_result_validation_error(const rbv_result *r) {
  return r && r->validation.nrow > 0 ? r->validation.relative_error : NAN;
}

double rbv_result_joint_fit_error(const rbv_result *r, int joint) {
  return r ? joint_error(&r->fit, joint) : NAN;
}

double rbv_result_joint_validation_error(const rbv_result *r, int joint) {
  return r ? joint_error(&r->validation, joint) : NAN;
}

int rbv_result_joint_count(const rbv_result *r) { return r ? r->njoint : 0; }

const char *rbv_result_joint_name(const rbv_result *r, int joint) {
  return r && joint >= 0 && joint < r->njoint ? r->joint[joint] : NULL;
}

double rbv_result_condition(const rbv_result *r) {
  return r ? r->diagnostics.condition_number_scaled : NAN;
}

double rbv_result_sigma_inflation(const rbv_result *r) {
  return r ? r->diagnostics.sigma_inflation : NAN;
}

/* ---- provenance ---- */

const char *rbv_result_option_name(const rbv_result *r, int i) {
  return r && i >= 0 && i < r->nsetting ? r->setting[i].key : NULL;
}

const char *rbv_result_option_value(const rbv_result *r, int i) {
  static _Thread_local char text[40];
  if (!rbv_result_option_name(r, i)) return NULL;
  const rbv_setting *s = &r->setting[i];
  if (s->text) return s->text;
  if (s->flag) return s->number != 0 ? "true" : "false";
  rbv_format_double(text, s->number);
  return text;
}

/* entry i of the list: robot, recordings, validation recordings, files of options */
static const char *file_entry(const rbv_result *r, int i, bool hash) {
  if (!r || i < 0) return NULL;
  if (i == 0) return hash ? r->robot_file.sha256 : r->robot_file.path;
  i--;
  if (i < r->ninput) return hash ? r->input[i].sha256 : r->input[i].path;
  i -= r->ninput;
  if (i < r->nvalidation_input)
    return hash ? r->validation_input[i].sha256 : r->validation_input[i].path;
  i -= r->nvalidation_input;
  if (i < r->nfile) return hash ? r->file[i].sha256 : r->file[i].path;
  return NULL;
}

const char *rbv_result_file_path(const rbv_result *r, int i) { return file_entry(r, i, false); }
const char *rbv_result_file_sha256(const rbv_result *r, int i) { return file_entry(r, i, true); }

void rbv_fit_headline(char out[RBV_HEADLINE_MAX], const rbv_fit *fit, bool held_out) {
  *out = 0;
  if (!isfinite(fit->comparable)) return;
  const char *data = held_out ? "data that were not used for the fit" : "the data of the fit";
  const double model = 100 * fit->comparable, file = 100 * fit->baseline;
  if (isfinite(file))
    snprintf(out, RBV_HEADLINE_MAX,
             "On %s, the robot file predicts %.3g %% of the torque wrong, the identified model "
             "%.3g %%",
             data, file, model);
  else
    snprintf(out, RBV_HEADLINE_MAX,
             "On %s, the identified model predicts %.3g %% of the torque wrong", data, model);
}
