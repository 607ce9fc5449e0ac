/* Access to results through functions, without knowledge of the structure. */
#include <math.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "result/result_fields.h"

rbv_status rbv_result_save(const rbv_result *r, const char *path) {
  if (!r || !path) return rbv_fail(RBV_EARG, "result and path must not be NULL");
  char *text;
  size_t size;
  RBV_TRY(rbv_result_write(&text, &size, r));
  RBV_FINISH(rbv_file_write(path, text, size), rbv_text_release(text));
}

/* ---- by path ---- */

/* the field with this key that the result has; NULL: none */
static const rbv_field *find_field(const rbv_field *table, const field_place *p, const char *key,
                                   size_t size) {
  for (const rbv_field *f = table; f && !FIELD_IS_END(f); f++)
    if (f->key && f->kind != FIELD_DERIVED && strlen(f->key) == size &&
        strncmp(f->key, key, size) == 0 && rbv_field_exists(f, table, p))
      return f;
  return NULL;
}

/* follow a path such as "fit.per_joint.0.rms_residual_Nm"; NULL: the result does not have it */
static const rbv_field *follow(field_place *p, const rbv_result *r, const char *path) {
  if (!r || !path) return NULL;
  const rbv_field *table = rbv_result_fields, *f = NULL;
  *p = rbv_field_root(r);
  while (*path) {
    const size_t size = strcspn(path, ".");
    f = find_field(table, p, path, size);
    if (!f) return NULL;
    path += size + (path[size] == '.');
    table = f->fields;
    if (f->kind == FIELD_MAP) *p = rbv_field_map(f, p);
    if (f->kind != FIELD_LIST) continue;
    char *end;
    const long i = strtol(path, &end, 10);
    if (end == path || *end != '.' || i < 0 || i >= *rbv_field_count(f, p)) return NULL;
    *p = rbv_field_element(f, p, (int)i);
    path = end + 1;
  }
  return f;
}

double rbv_result_value(const rbv_result *r, const char *path) {
  field_place p;
  const rbv_field *f = follow(&p, r, path);
  return f ? rbv_field_number(f->kind, rbv_field_member(f, &p)) : NAN;
}

const char *rbv_result_text(const rbv_result *r, const char *path) {
  field_place p;
  const rbv_field *f = follow(&p, r, path);
  if (!f) return NULL;
  const void *member = rbv_field_member(f, &p);
  if (f->kind == FIELD_WORD) return f->word(&p, *(const int *)member);
  return f->kind == FIELD_TEXT && member ? rbv_field_pointer(member) : NULL;
}

/* the same for a field of element i of a list */
static double value_of(const rbv_result *r, const char *list, int i, const char *key) {
  char path[80];
  snprintf(path, sizeof path, "%s.%d.%s", list, i, key);
  return rbv_result_value(r, path);
}

static const char *text_of(const rbv_result *r, const char *list, int i, const char *key) {
  char path[80];
  snprintf(path, sizeof path, "%s.%d.%s", list, i, key);
  return rbv_result_text(r, path);
}

#define TEXT(function, path) \
  const char *function(const rbv_result *r) { return rbv_result_text(r, path); }
#define VALUE(function, path) \
  double function(const rbv_result *r) { return rbv_result_value(r, path); }
#define TEXT_OF(function, list, key) \
  const char *function(const rbv_result *r, int i) { return text_of(r, list, i, key); }
#define VALUE_OF(function, list, key) \
  double function(const rbv_result *r, int i) { return value_of(r, list, i, key); }
#define COUNT(function, member) \
  int function(const rbv_result *r) { return r ? r->member : 0; }

TEXT(rbv_result_robot, "robot.name")
TEXT(rbv_result_method, "estimate.method")
COUNT(rbv_result_iterations, iterations)
bool rbv_result_converged(const rbv_result *r) { return r && r->converged; }

/* ---- base parameters ---- */

#define PARAMETERS "estimate.parameters"
COUNT(rbv_result_parameter_count, estimate.count)
TEXT_OF(rbv_result_parameter_name, PARAMETERS, "name")
TEXT_OF(rbv_result_parameter_unit, PARAMETERS, "unit")
TEXT_OF(rbv_result_parameter_meaning, PARAMETERS, "meaning")
VALUE_OF(rbv_result_parameter_value, PARAMETERS, "value")
VALUE_OF(rbv_result_parameter_sigma, PARAMETERS, "sigma")
VALUE_OF(rbv_result_parameter_sigma_white, PARAMETERS, "sigma_white")
VALUE(rbv_result_student_factor, "estimate.jackknife.student_factor")
COUNT(rbv_result_block_count, jackknife.nblock)

double rbv_result_block_value(const rbv_result *r, int block, int i) {
  if (!r || i < 0 || i >= r->estimate.count || block < 0 || block >= r->jackknife.nblock)
    return NAN;
  return r->estimate.item[i].value +
         r->jackknife.deviation[i + (ptrdiff_t)block * r->estimate.count];
}

rbv_parameter_status rbv_result_parameter_status(const rbv_result *r, int i) {
  return r && i >= 0 && i < r->estimate.count ? r->estimate.item[i].status
                                              : RBV_STATUS_NOT_IDENTIFIABLE;
}

int rbv_result_find(const rbv_result *r, const char *name) {
  for (int i = 0; name && i < rbv_result_parameter_count(r); i++)
    if (strcmp(r->estimate.item[i].name, name) == 0) return i;
  return -1;
}

/* ---- standard parameters ---- */

#define STANDARD "standard.parameters"
COUNT(rbv_result_standard_count, standard.count)
TEXT_OF(rbv_result_standard_name, STANDARD, "name")
TEXT_OF(rbv_result_standard_unit, STANDARD, "unit")
VALUE_OF(rbv_result_standard_value, STANDARD, "value")
VALUE_OF(rbv_result_standard_sigma, STANDARD, "sigma")
VALUE_OF(rbv_result_standard_known, STANDARD, "known")

/* ---- quality ---- */

static double joint_error(const rbv_fit *fit, int joint) {
  for (int i = 0; i < fit->nrow; i++)
    if (fit->row[i].joint == joint) return fit->row[i].relative_error;
  return NAN;
}

VALUE(rbv_result_fit_error, "fit.relative_error")
VALUE(rbv_result_validation_error, "validation.relative_error")
VALUE(rbv_result_condition, "diagnostics.condition_number_scaled")
VALUE(rbv_result_sigma_inflation, "diagnostics.sigma_inflation")
COUNT(rbv_result_joint_count, njoint)

double rbv_result_joint_fit_error(const rbv_result *r, int joint) {
  return r ? joint_error(&r->fit, joint) : NAN;
}

double rbv_result_joint_validation_error(const rbv_result *r, int joint) {
  return r ? joint_error(&r->validation, joint) : NAN;
}

const char *rbv_result_joint_name(const rbv_result *r, int joint) {
  return r && joint >= 0 && joint < r->njoint ? r->joint[joint] : NULL;
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

rbv_headline rbv_result_headline(const rbv_result *r) {
  const rbv_fit *other = &r->validation, *fit = &r->fit;
  if (other->nrow > 0 && isfinite(other->comparable))
    return (rbv_headline){other->comparable, other->baseline,
                          r->nvalidation_input > 0 ? "on other recordings" : "on the held-out end",
                          false, other};
  if (fit->left_out > 0)
    return (rbv_headline){fit->left_out, fit->baseline, "on parts that were left out", false, fit};
  if (isfinite(fit->comparable))
    return (rbv_headline){fit->comparable, fit->baseline, "on the data of the fit", true, fit};
  return (rbv_headline){fit->relative_error, NAN, "on the rows of the fit", true, fit};
}

double rbv_result_error(const rbv_result *r) { return r ? rbv_result_headline(r).error : NAN; }

void rbv_headline_write(char out[RBV_HEADLINE_MAX], const rbv_headline *gain) {
  *out = 0;
  if (!isfinite(gain->error)) return;
  if (isfinite(gain->file))
    snprintf(out, RBV_HEADLINE_MAX, "error %s: robot file %.3g %%, identified %.3g %%", gain->data,
             100 * gain->file, 100 * gain->error);
  else
    snprintf(out, RBV_HEADLINE_MAX, "error %s: %.3g %%", gain->data, 100 * gain->error);
}

const char *rbv_influence_text(bool *law, const char *name) {
  static const struct {
    const char *name, *text;
    bool law;
  } rows[] = {
      {"fast_loop", "if the loop of the drive runs at 1000 Hz or faster (drive_rate_hz)", true},
      {"delay_of_command", "if the delay is one of the command, not of the torque", true},
      {"older_velocity", "if the velocity of the drive is one sample older (filter_s)", true},
      {"heavier_links", "if the links are 10 % heavier than in the robot file", false}};
  const int i = RBV_FIND(rows, RBV_COUNT(rows), name, name);
  *law = i >= 0 && rows[i].law;
  return i >= 0 ? rows[i].text : NULL;
}

void rbv_loop_headline(char out[RBV_HEADLINE_MAX], const rbv_result_loop *loop,
                       const bool *slides) {
  double before = 0, after = 0;
  *out = 0;
  for (int i = 0; i < loop->noutput; i++) {
    if (slides[i] != slides[0]) return;
    before += loop->output[i].before * loop->output[i].before;
    after += loop->output[i].rms * loop->output[i].rms;
  }
  if (loop->noutput == 0 || !isfinite(after)) return;
  const char *unit = slides[0] ? "mm" : "mrad";
  after = 1e3 * sqrt(after / loop->noutput);
  before = 1e3 * sqrt(before / loop->noutput);
  if (isfinite(before))
    snprintf(out, RBV_HEADLINE_MAX,
             "Simulated freely, the robot file is off by %.3g %s, the identified model by %.3g %s",
             before, unit, after, unit);
  else
    snprintf(out, RBV_HEADLINE_MAX, "Simulated freely, %sthe identified model is off by %.3g %s",
             isinf(before) ? "the loop of the robot file diverges, and " : "", after, unit);
}

const char *rbv_verdict_name(rbv_verdict verdict) {
  switch (verdict) {
    case RBV_VERDICT_USABLE: return "usable";
    case RBV_VERDICT_CARE: return "with care";
    case RBV_VERDICT_NO: return "do not use";
  }
  return "";
}
