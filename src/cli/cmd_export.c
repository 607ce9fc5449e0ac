/* roberval export: a result or a robot as a file for other programs. */
#include <roberval/sys/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library_calls.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  const char *format, *parameters, *output, *name, *other, *motion;
  bool force, single, derivatives;
} options;

/* The model to export. */
typedef struct {
  rbv_model *model;
  double *chi;
  rbv_result_model fitted;  // if a result is exported; owns the two above
} subject;

static void subject_free(subject *s) {
  if (s->fitted.result) {
    rbv_result_model_free(&s->fitted);
    return;
  }
  rbv_model_free(s->model);
  free(s->chi);
}

static int apply_parameters(double *chi, const rbv_model *m, const char *path) {
  rbv_parameters *set = NULL;
  rbv_status status = rbv_parameters_load(&set, path);
  if (status == RBV_OK) status = rbv_parameters_apply(chi, NULL, set, m);
  rbv_parameters_free(set);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int load_result(subject *s, const char *path, options *o) {
  const rbv_notes notes = cli_notes(&o->common);
  const rbv_status status = rbv_export_load(&s->fitted, path, o->other, &notes);
  if (status != RBV_OK) return cli_fail(status);
  s->model = s->fitted.model;
  s->chi = s->fitted.chi;
  o->robot.model = rbv_export_loaded(&s->fitted);
  return -1;
}

static int load_robot(subject *s, const char *path, options *o) {
  const int code = cli_load_robot(&s->model, "export", &o->robot, path, &o->common);
  if (code >= 0) return code;
  const int n = rbv_model_column_count(s->model);
  const double *given = rbv_model_parameters(s->model);
  s->chi = calloc((size_t)n, sizeof *s->chi);
  if (!s->chi) return cli_out_of_memory();
  if (given) memcpy(s->chi, given, (size_t)n * sizeof *given);
  if (given || o->parameters) return -1;
  fprintf(stderr, "roberval: the robot '%s' has no parameter values. Use --parameters\n",
          rbv_model_name(s->model));
  return EXIT_INPUT;
}

static int load(subject *s, const char *path, options *o) {
  int code = rbv_result_model_is_robot(path) ? load_robot(s, path, o) : load_result(s, path, o);
  if (code < 0 && o->parameters) code = apply_parameters(s->chi, s->model, o->parameters);
  return code;
}

/* ---- output ---- */

static void print_messages(const rbv_export *x, const options *o, const char *header) {
  for (int i = 0; i < x->nnote; i++) cli_message(&o->common, "note: %s\n", x->note[i]);
  for (int i = 0; i < x->ncost; i++) {
    const rbv_export_cost *c = &x->cost[i];
    cli_message(&o->common,
                "%s: %d multiplications, %d additions, %d calls (for any robot: %d and %d)\n",
                c->function, c->multiplications, c->additions, c->calls, c->generic_multiplications,
                c->generic_additions);
  }
  if (x->states > 0)
    cli_message(&o->common, "read back and compared at %d states: largest difference %.2g N m\n",
                x->states, x->difference);
  if (o->output)
    cli_message(&o->common, "written: %s%s%s\n", o->output, header ? ", " : "",
                header ? header : "");
}

static void put_file(rbv_json *json, const char *path, const char *text, size_t size) {
  char hash[65];
  rbv_hash_bytes(hash, text, size);
  rbv_json_map(json);
  rbv_json_put_string(json, "file", path);
  rbv_json_put_string(json, "sha256", hash);
  rbv_json_end(json);
}

static int write_json(const rbv_export *x, const options *o, const rbv_model *m,
                      const char *header) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.export/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(m));
  rbv_json_put_string(json, "format", o->format);
  rbv_json_put_bool(json, "written", !x->refused);
  rbv_json_put_string(json, "reason", x->reason);
  rbv_json_key(json, "files");
  rbv_json_list(json);
  if (!x->refused) put_file(json, o->output, x->text, x->size);
  if (!x->refused && header) put_file(json, header, x->header, x->header_size);
  rbv_json_end(json);
  rbv_json_key(json, "notes");
  rbv_json_list(json);
  for (int i = 0; i < x->nnote; i++) rbv_json_string(json, x->note[i]);
  rbv_json_end(json);
  rbv_json_put_int(json, "states_compared", x->states);
  rbv_json_put_real(json, "largest_difference_Nm", x->difference);
  rbv_json_key(json, "functions");
  rbv_json_list(json);
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
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* write the header first: the source does not compile without it */
static int deliver(const rbv_export *x, const options *o, const rbv_model *m, const char *header) {
  if (x->refused) {
    if (o->common.json) {
      const int code = write_json(x, o, m, header);
      if (code != EXIT_DONE) return code;
    }
    fprintf(stderr, "roberval: not written: %s\n", x->reason);
    return EXIT_NO;
  }
  if (header) {
    const int code = cli_write(header, x->header, x->header_size);
    if (code != EXIT_DONE) return code;
  }
  const int code = cli_write(o->output, x->text, x->size);
  if (code != EXIT_DONE) return code;
  print_messages(x, o, header);
  return o->common.json ? write_json(x, o, m, header) : EXIT_DONE;
}

/* "urdf, mjcf, yaml, c" */
static const char *known_formats(char *out, size_t size) {
  size_t used = 0;
  for (int i = 0; rbv_export_format_at(i) && used < size; i++)
    used +=
        (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", rbv_export_format_at(i));
  return out;
}

int cli_run_export(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .robot = {.model = rbv_model_defaults()}};
  const cli_opt table[] = {
      {"format", 'f', OPT_TEXT, &o.format, "FORMAT", "format of the file", rbv_export_format_at},
      {"output", 'o', OPT_TEXT, &o.output, "FILE",
       "write here; c: NAME.c, and NAME.h in the same directory (default: stdout)"},
      {"parameters", 'p', OPT_TEXT, &o.parameters, "FILE",
       "parameter set or result (default: the result's or the robot's own)"},
      {"robot", 0, OPT_TEXT, &o.other, "ROBOT", "for a result: another file of its robot"},
      {"force", 0, OPT_FLAG, &o.force, NULL,
       "urdf, mjcf: write physically inconsistent bodies, too"},
      {"float", 0, OPT_FLAG, &o.single, NULL, "c: single precision"},
      {"derivatives", 0, OPT_FLAG, &o.derivatives, NULL,
       "c: derivatives of the inverse dynamics by positions and velocities, too"},
      {"motion", 0, OPT_TEXT, &o.motion, "FILE", "bands: a designed or recorded motion"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "export", table);
  if (code >= 0) return code;
  rbv_export_options x = rbv_export_defaults();
  char known[256] = "";
  if (!o.format)
    return cli_usage("export", "--format is missing (choose from %s)",
                     known_formats(known, sizeof known));
  if (!rbv_export_format_parse(&x.format, o.format))
    return cli_usage("export", "--format cannot be '%s' (choose from %s)", o.format,
                     known_formats(known, sizeof known));
  if (rbv_export_format_needs_motion(x.format) && !o.motion)
    return cli_usage("export", "--format %s needs --motion FILE", o.format);
  char name[1024], header[1024];
  const bool code_wanted = rbv_export_format_has_header(x.format);
  if (code_wanted && (!o.output || !rbv_export_split(name, header, sizeof name, o.output)))
    return cli_usage("export", "C code has two files. Use -o NAME.c");
  if (o.common.json && !o.output) return cli_usage("export", "--json needs -o FILE");
  subject s = {0};
  code = load(&s, argv[1], &o);
  rbv_export *e = NULL;
  if (code < 0) {
    x.loaded = o.robot.model;
    x.force = o.force;
    x.seed = o.common.seed;
    x.name = code_wanted ? name : NULL;
    // other parameters replace those of the result
    const rbv_result *result = o.parameters ? NULL : s.fitted.result;
    if (result && result->standard.count > 0) x.standard = &result->standard;
    x.single = o.single;
    x.motion = o.motion;
    x.fitted = result ? &s.fitted : NULL;
    x.derivatives = o.derivatives;
    double *limit = result ? calloc((size_t)rbv_model_joint_count(s.model), sizeof *limit) : NULL;
    if (limit) rbv_export_limits(limit, &s.fitted);
    x.limit = limit;
    x.result = result;
    rbv_control *control = NULL;
    rbv_status status = result ? rbv_export_control(&control, &s.fitted) : RBV_OK;
    x.control = control;
    x.delay_s = s.fitted.options.loop.delay_s;
    if (status == RBV_OK) status = rbv_export_new(&e, s.model, s.chi, &x);
    rbv_control_free(control);
    free(limit);
    code =
        status == RBV_OK ? deliver(e, &o, s.model, code_wanted ? header : NULL) : cli_fail(status);
  }
  rbv_export_free(e);
  subject_free(&s);
  return code;
}
