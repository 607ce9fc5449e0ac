/* The task export: a result or a robot as a file for other programs. */
#include <stdio.h>
#include <string.h>

#include "storage/storage.h"
#include "task/task_internal.h"

#define TASK rbv_export_task

static const rbv_option rows[] = {
    TASK_ROW("format", TEXT, format, "FORMAT",
             "format of the file (default: by the name of the output)", .letter = 'f',
             .choice = rbv_export_format_at),
    TASK_ROW("output", OUTPUT, output, "FILE",
             "write here; c: NAME.c, and NAME.h in the same directory (default: stdout)",
             .letter = 'o'),
    TASK_ROW("parameters", TEXT, parameters, "FILE",
             "parameter set or result (default: the result's or the robot's own)", .letter = 'p'),
    TASK_ROW("robot", TEXT, other, "ROBOT", "for a result: another file of its robot"),
    TASK_ROW("force", FLAG, force, NULL, "urdf, mjcf: write physically inconsistent bodies, too"),
    TASK_ROW("float", FLAG, single, NULL, "c: single precision"),
    TASK_ROW("derivatives", FLAG, derivatives, NULL,
             "c: derivatives of the inverse dynamics by positions and velocities, too"),
    TASK_ROW("motion", TEXT, motion, "FILE", "bands: a designed or recorded motion"),
    {0}};

static void defaults(void *data) {
  rbv_export_task *t = data;
  t->robot = rbv_robot_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_export_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_export_task *t = data;
  rbv_export_free(t->made);
  if (t->fitted.result) {
    rbv_result_model_free(&t->fitted);
  } else {
    rbv_model_free(t->model);
    rbv_free(t->chi);
  }
}

/* ---- options ---- */

/* "urdf, mjcf, yaml, c" */
static const char *known_formats(char *out, size_t size) {
  size_t used = 0;
  for (int i = 0; rbv_export_format_at(i) && used < size; i++)
    used +=
        (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", rbv_export_format_at(i));
  return out;
}

/* the only format whose files end as this name does; NULL: none, or several */
static const char *format_of_name(const char *name) {
  const char *dot = name ? strrchr(name, '.') : NULL, *found = NULL;
  static const char *const ending[][2] = {{".xml", "mjcf"}, {".yml", "yaml"}};
  const char *word = dot ? dot + 1 : "";
  for (int i = 0; dot && i < RBV_COUNT(ending); i++)
    if (strcmp(ending[i][0], dot) == 0) word = ending[i][1];
  for (int i = 0; rbv_export_format_at(i); i++)
    if (strcmp(rbv_export_format_at(i), word) == 0) found = rbv_export_format_at(i);
  return found;
}

static rbv_status check_options(rbv_export_task *t, rbv_export_options *o, char *name,
                                size_t size) {
  char known[256] = "";
  if (!t->format) t->format = format_of_name(t->output);
  if (!t->format)
    return rbv_fail_option(RBV_EOPTION, "format", "format is missing (choose from %s)",
                           known_formats(known, sizeof known));
  if (!rbv_export_format_parse(&o->format, t->format))
    return rbv_fail_option(RBV_EOPTION, "format", "format cannot be '%s' (choose from %s)",
                           t->format, known_formats(known, sizeof known));
  if (rbv_export_format_needs_motion(o->format) && !t->motion)
    return rbv_fail_option(RBV_EOPTION, "motion", "%s needs the file of a motion", t->format);
  if (!rbv_export_format_has_header(o->format)) return RBV_OK;
  if (!t->output || !rbv_export_split(name, t->header, size, t->output))
    return rbv_fail_option(RBV_EOPTION, "output",
                           "C code has two files: the output must be NAME.c");
  o->name = name;
  return RBV_OK;
}

/* ---- the model ---- */

static rbv_status load_result(rbv_export_task *t, const char *path) {
  RBV_TRY(rbv_export_load(&t->fitted, path, t->other, &t->common.notes));
  t->model = t->fitted.model;
  t->chi = t->fitted.chi;
  return RBV_OK;
}

static rbv_status load_robot(rbv_export_task *t, const char *path) {
  RBV_TRY(rbv_robot_load(&t->model, path, &t->robot, &t->common.notes));
  const size_t bytes = (size_t)rbv_model_column_count(t->model) * sizeof *t->chi;
  const double *given = rbv_model_parameters(t->model);
  t->chi = rbv_alloc(bytes);
  if (!t->chi) return RBV_EMEM;
  if (given) memcpy(t->chi, given, bytes);
  if (given || t->parameters) return RBV_OK;
  return rbv_fail_option(RBV_EINPUT, "parameters", "the robot '%s' has no parameter values",
                         rbv_model_name(t->model));
}

static rbv_status apply_parameters(const rbv_export_task *t) {
  rbv_parameters *set;
  RBV_TRY(rbv_parameters_load(&set, t->parameters));
  RBV_FINISH(rbv_parameters_apply(t->chi, NULL, set, t->model), rbv_parameters_free(set));
}

static rbv_status load(rbv_export_task *t) {
  const char *path = t->common.input[0];
  RBV_TRY(rbv_result_model_is_robot(path) ? load_robot(t, path) : load_result(t, path));
  return t->parameters ? apply_parameters(t) : RBV_OK;
}

/* ---- the export ---- */

/* what a result knows besides the parameters: sigma, control law, limits of the observer */
static rbv_status make_of_result(rbv_export_task *t, rbv_export_options *o) {
  const rbv_result *result = t->fitted.result;
  RBV_NEW(double, limit, (size_t)rbv_model_joint_count(t->model));
  rbv_control *control = NULL;
  rbv_status status = rbv_export_control(&control, &t->fitted);
  if (status == RBV_OK) {
    rbv_export_limits(limit, &t->fitted);
    o->limit = limit;
    o->control = control;
    o->result = result;
    o->fitted = &t->fitted;
    o->standard = result->standard.count > 0 ? &result->standard : NULL;
    status = rbv_export_new(&t->made, t->model, t->chi, o);
  }
  rbv_control_free(control);
  rbv_free(limit);
  return status;
}

/* the header first: the source does not compile without it */
static rbv_status write(const rbv_export_task *t) {
  const rbv_export *x = t->made;
  if (x->refused || !t->output) return RBV_OK;
  if (x->header) RBV_TRY(rbv_file_write(t->header, x->header, x->header_size));
  return rbv_file_write(t->output, x->text, x->size);
}

static rbv_status run(void *data) {
  rbv_export_task *t = data;
  rbv_export_options o = rbv_export_defaults();
  char name[sizeof t->header];
  RBV_TRY(check_options(t, &o, name, sizeof name));
  RBV_TRY(load(t));
  o.loaded = rbv_export_loaded(t->model,
                               t->fitted.result ? &t->fitted.options.robot.model : &t->robot.model);
  o.seed = t->common.seed;
  o.force = t->force;
  o.single = t->single;
  o.derivatives = t->derivatives;
  o.motion = t->motion;
  o.delay_s = t->fitted.options.loop.delay_s;
  // other parameters replace those of the result
  RBV_TRY(t->fitted.result && !t->parameters ? make_of_result(t, &o)
                                             : rbv_export_new(&t->made, t->model, t->chi, &o));
  t->common.answer = !t->made->refused;
  return write(t);
}

/* ---- JSON ---- */

static void put_file(rbv_json *json, const char *path, const char *text, size_t size) {
  char hash[65];
  rbv_hash_bytes(hash, text, size);
  rbv_json_map(json);
  rbv_json_put_string(json, "file", path);
  rbv_json_put_string(json, "sha256", hash);
  rbv_json_end(json);
}

static void put_functions(rbv_json *json, const rbv_export *x) {
  rbv_json_put_list(json, "functions");
  for (int i = 0; i < x->ncost; i++) {
    const rbv_export_cost *c = &x->cost[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", c->function);
    rbv_json_put_int(json, "multiplications", c->multiplications);
    rbv_json_put_int(json, "additions", c->additions);
    rbv_json_put_int(json, "calls", c->calls);
    rbv_json_put_int(json, "generic_multiplications", c->generic_multiplications);
    rbv_json_put_int(json, "generic_additions", c->generic_additions);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_export_task *t = data;
  const rbv_export *x = t->made;
  rbv_json_put_schema(json, "roberval.export/1");
  rbv_json_put_string(json, "robot", rbv_model_name(t->model));
  rbv_json_put_string(json, "format", t->format);
  rbv_json_put_bool(json, "written", t->output && !x->refused);
  rbv_json_put_string(json, "reason", x->reason);
  rbv_json_put_list(json, "files");
  if (t->output && !x->refused) put_file(json, t->output, x->text, x->size);
  if (t->output && !x->refused && x->header) put_file(json, t->header, x->header, x->header_size);
  rbv_json_end(json);
  rbv_json_put_list(json, "notes");
  for (int i = 0; i < x->nnote; i++) rbv_json_string(json, x->note[i]);
  rbv_json_end(json);
  rbv_json_put_int(json, "states_compared", x->states);
  rbv_json_put_real(json, "largest_difference_Nm", x->difference);
  put_functions(json, x);
  return RBV_OK;
}

const task_kind rbv_export_kind = TASK_KIND("export", "RESULT|ROBOT", 1, 1, fitted, .run = run);
