/* roberval check: errors in recordings, and parameters that their motion cannot identify. */
#include <math.h>
#include <roberval/sys/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library_calls.h"
#include "provenance.h"
#include "terminal.h"

#define BAD_SHOWN 1000  // in JSON

typedef struct {
  cli_common common;
  cli_robot robot;
  const char *map;
  cli_list loaded;
  rbv_recording_options recording;
  rbv_check_options check;
} options;

/* everything that a run allocates */
typedef struct {
  rbv_model *model;
  int nlog;
  const char **path;  // recordings without payload, then with payload
  bool *loaded;
  rbv_log **log;
  char (*hash)[65];
  rbv_check_result *result;
} job;

static void free_job(job *j) {
  for (int i = 0; i < j->nlog && j->log; i++) rbv_log_free(j->log[i]);
  free(j->log);
  free(j->path);
  free(j->loaded);
  free(j->hash);
  rbv_check_free(j->result);
  rbv_model_free(j->model);
}

static rbv_status read_logs(job *j, char **paths, const options *o) {
  const size_t n = (size_t)j->nlog;
  j->log = calloc(n, sizeof *j->log);
  j->path = calloc(n, sizeof *j->path);
  j->loaded = calloc(n, sizeof *j->loaded);
  j->hash = calloc(n + 1, sizeof *j->hash);
  if (!j->log || !j->path || !j->loaded || !j->hash) return RBV_EMEM;
  for (int i = 0; i < j->nlog; i++) {
    const int empty = j->nlog - o->loaded.count;
    j->loaded[i] = i >= empty;
    j->path[i] = j->loaded[i] ? o->loaded.item[i - empty] : paths[i];
  }
  rbv_log_map *map = NULL;
  const rbv_notes notes = cli_notes(&o->common);
  rbv_status status = o->map ? rbv_log_map_load(&map, o->map) : RBV_OK;
  for (int i = 0; i < j->nlog && status == RBV_OK; i++) {
    status =
        rbv_recordings_read(&j->log[i], j->model, &o->recording, map, true, j->path[i], &notes);
    if (status == RBV_OK) status = rbv_log_hash(j->hash[i], j->path[i]);
  }
  rbv_log_map_free(map);
  return status;
}

/* ---- text output ---- */

static void print_findings(const rbv_check_result *r) {
  static const char *const title[] = {"notes:", "warnings:", "errors:"};
  static const cli_style style[] = {CLI_NOTE, CLI_WARNING, CLI_ERROR};
  int last = -1;
  for (int i = 0; i < r->nfinding; i++) {
    const rbv_finding *f = &r->finding[i];
    if ((int)f->severity != last)
      printf("%s%s%s%s\n", i ? "\n" : "", cli_colour(stdout, style[f->severity]),
             title[f->severity], cli_colour(stdout, CLI_USUAL));
    last = (int)f->severity;
    printf("  %-16s %s", rbv_finding_name(f->code), f->sentence);
    if (f->option && f->option_value[0])
      printf(" (--%s %s)\n", f->option, f->option_value);
    else
      printf(f->option ? " (see --%s)\n" : "\n", f->option);
  }
  if (r->nfinding == 0)
    printf("%sno errors were found%s\n", cli_colour(stdout, CLI_GOOD),
           cli_colour(stdout, CLI_USUAL));
}

/* identifiability of a column, as in JSON */
static const char *const fate_name[] = {"alone", "combined", "lost", "never"};
typedef enum { ALONE, COMBINED, LOST, NEVER } fate;

static fate fate_of(const rbv_identifiability *i, int column) {
  if (i->structure->category[column] == RBV_CATEGORY_UNIDENTIFIABLE) return NEVER;
  switch (i->base->category[column]) {
    case RBV_CATEGORY_UNIDENTIFIABLE: return LOST;
    case RBV_CATEGORY_ALONE: return ALONE;
    case RBV_CATEGORY_BASE:
    case RBV_CATEGORY_COMBINED: return COMBINED;
  }
  return COMBINED;
}

static void print_fate(const rbv_identifiability *i, const rbv_model *m, fate wanted,
                       const char *title) {
  int count = 0;
  for (int c = 0; c < i->base->ncolumn; c++) count += fate_of(i, c) == wanted;
  printf("\n%s (%d):", title, count);
  for (int c = 0; c < i->base->ncolumn; c++)
    if (fate_of(i, c) == wanted) printf(" %s", rbv_model_column(m, c)->name);
  printf("\n");
}

static void print_base(const rbv_identifiability *i, const rbv_model *m) {
  printf("\n%-8s %12s %10s  %s\n", "name", "sigma", "of prior", "unit");
  for (int k = 0; k < i->base->count; k++) {
    printf("%-8s %12.3g ", i->base->name[k], i->sigma[k]);
    if (isfinite(i->relative[k]))
      printf("%8.3g %%", 100 * i->relative[k]);
    else
      printf("%10s", "-");
    printf("  %s\n", rbv_model_column(m, i->base->kept[k])->unit);
  }
}

static void print_identifiability(const rbv_identifiability *i, const rbv_model *m, bool verbose) {
  if (!i->known) {
    printf("\nthe identifiable parameters are not known: %s\n", i->reason);
    return;
  }
  printf(
      "\nthese motions identify %d of the %d base parameters; condition number %.0f after "
      "scaling\n",
      i->base->count, i->structure->count, i->condition_scaled);
  print_fate(i, m, ALONE, "identifiable alone");
  print_fate(i, m, COMBINED, "identifiable only in combination");
  if (i->base->count < i->structure->count || verbose)
    print_fate(i, m, LOST, "not identifiable from these motions");
  print_fate(i, m, NEVER, "not identifiable from any motion");
  if (verbose)
    print_base(i, m);
  else
    printf("\n-v shows the expected standard deviations\n");
}

/* ---- JSON ---- */

static void put_inputs(rbv_json *json, const job *j, char **argv) {
  rbv_json_key(json, "robot");
  rbv_json_map(json);
  cli_put_robot(json, j->model, argv[1]);
  rbv_json_end(json);
  rbv_json_key(json, "inputs");
  rbv_json_list(json);
  for (int i = 0; i < j->nlog; i++) {
    const rbv_log_rate rate = rbv_log_get_rate(j->log[i]);
    rbv_json_map(json);
    rbv_json_put_string(json, "path", j->path[i]);
    rbv_json_put_string(json, "sha256", j->hash[i]);
    rbv_json_put_bool(json, "loaded", j->loaded[i]);
    rbv_json_put_int(json, "samples", rbv_log_samples(j->log[i]));
    rbv_json_put_real(json, "rate_hz", rate.known && rate.median > 0 ? 1 / rate.median : NAN);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_place(rbv_json *json, const char *key, long long value) {
  rbv_json_key(json, key);
  if (value < 0)
    rbv_json_null(json);
  else
    rbv_json_int(json, value);
}

static void put_finding(rbv_json *json, const job *j, const rbv_finding *f) {
  rbv_json_map(json);
  rbv_json_put_string(json, "code", rbv_finding_name(f->code));
  rbv_json_put_string(json, "severity", rbv_severity_name(f->severity));
  put_place(json, "input", f->log);
  put_place(json, "joint", f->joint < 0 ? -1 : f->joint + 1);
  if (f->joint >= 0)
    rbv_json_put_string(json, "joint_name", rbv_model_joint(j->model, f->joint)->name);
  if (f->code == RBV_FINDING_REPEATED)
    put_place(json, "other_input", f->other);
  else if (f->other >= 0)
    put_place(json, "other_joint", f->other + 1);
  put_place(json, "sample", f->sample < 0 ? -1 : (long long)f->sample + 1);
  if (f->sample >= 0 && f->log >= 0) put_place(json, "line", f->line);
  rbv_json_put_real(json, "value", f->value);
  if (isnan(f->value)) rbv_json_put_string(json, "value_reason", "the finding has no number");
  if (f->sigma > 0) rbv_json_put_real(json, "value_sigma", f->sigma);
  rbv_json_put_string(json, "value_unit", rbv_finding_unit(f->code));
  rbv_json_put_string(json, "sentence", f->sentence);
  if (f->option) rbv_json_put_string(json, "option", f->option);
  if (f->option_value[0]) rbv_json_put_string(json, "option_value", f->option_value);
  rbv_json_end(json);
}

/* bad values, each with its place; at most BAD_SHOWN of them */
static void put_bad(rbv_json *json, const rbv_check_result *r) {
  rbv_json_put_int(json, "bad_value_count", r->nbad);
  rbv_json_key(json, "bad_values");
  rbv_json_list(json);
  for (int i = 0; i < r->nbad && i < BAD_SHOWN; i++) {
    const rbv_check_bad *b = &r->bad[i];
    rbv_json_map(json);
    rbv_json_put_int(json, "input", b->log);
    rbv_json_put_int(json, "sample", (long long)b->sample + 1);
    if (b->line > 0) rbv_json_put_int(json, "line", b->line);
    if (b->column[0]) rbv_json_put_string(json, "column", b->column);
    rbv_json_put_string(json, "reason", rbv_bad_name(b->kind));
    if (isfinite(b->value)) rbv_json_put_real(json, "value", b->value);
    if (isfinite(b->expected)) rbv_json_put_real(json, "expected", b->expected);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_identifiability(rbv_json *json, const job *j) {
  const rbv_identifiability *i = &j->result->identifiability;
  rbv_json_key(json, "identifiability");
  rbv_json_map(json);
  rbv_json_put_bool(json, "known", i->known);
  if (!i->known) {
    rbv_json_put_string(json, "reason", i->reason);
    rbv_json_end(json);
    return;
  }
  rbv_json_put_int(json, "base_count", i->base->count);
  rbv_json_put_int(json, "base_count_any_motion", i->structure->count);
  rbv_json_put_real(json, "condition_number", i->condition);
  rbv_json_put_real(json, "condition_number_scaled", i->condition_scaled);
  rbv_json_key(json, "base");
  rbv_json_list(json);
  for (int k = 0; k < i->base->count; k++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", i->base->name[k]);
    rbv_json_put_string(json, "unit", rbv_model_column(j->model, i->base->kept[k])->unit);
    rbv_json_put_real(json, "sigma", i->sigma[k]);
    rbv_json_put_real(json, "relative_sigma", i->relative[k]);
    if (!isfinite(i->relative[k]))
      rbv_json_put_string(json, "relative_sigma_reason", "no prior value");
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_key(json, "parameters");
  rbv_json_list(json);
  for (int c = 0; c < i->base->ncolumn; c++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_column(j->model, c)->name);
    rbv_json_put_string(json, "identifiable", fate_name[fate_of(i, c)]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
}

static int print_json(const job *j, const options *o, char **argv) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.check/1");
  rbv_json_put_string(json, "version", rbv_version());
  put_inputs(json, j, argv);
  rbv_json_key(json, "options");
  rbv_json_map(json);
  rbv_json_put_string(json, "sensing", rbv_sensing_name(rbv_model_sensing(j->model)));
  rbv_json_put_real(json, "tolerance", o->check.tolerance);
  rbv_json_put_bool(json, "drop_bad_rows", o->check.drop_bad_rows);
  if (o->map) rbv_json_put_string(json, "map", o->map);
  if (o->recording.from) rbv_json_put_string(json, "from", o->recording.from);
  if (o->recording.to) rbv_json_put_string(json, "to", o->recording.to);
  if (o->recording.log_rate_hz > 0)
    rbv_json_put_real(json, "log_rate_hz", o->recording.log_rate_hz);
  rbv_json_end(json);
  rbv_json_put_bool(json, "unwise", j->result->has_errors);
  rbv_json_key(json, "findings");
  rbv_json_list(json);
  for (int i = 0; i < j->result->nfinding; i++) put_finding(json, j, &j->result->finding[i]);
  rbv_json_end(json);
  put_bad(json, j->result);
  put_identifiability(json, j);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- the command ---- */

static int run(job *j, const options *o, char **argv) {
  rbv_status status = read_logs(j, argv + 2, o);
  if (status == RBV_OK && !(o->robot.model.gamma >= 0))
    status = rbv_logs_smooth(j->model, j->path[0], j->log, j->nlog);
  rbv_check_options check = o->check;
  check.loaded = j->loaded;
  if (status == RBV_OK)
    status = rbv_check(&j->result, j->model, (const rbv_log *const *)j->log, j->nlog, &check);
  if (status != RBV_OK) return cli_fail(status);
  if (o->common.json) {
    const int code = print_json(j, o, argv);
    if (code != EXIT_DONE) return code;
  } else {
    print_findings(j->result);
    print_identifiability(&j->result->identifiability, j->model, o->common.verbose);
  }
  if (j->result->has_errors && !o->common.json)
    cli_message(&o->common, "\nfix these errors before you identify\n");
  return j->result->has_errors ? EXIT_NO : EXIT_DONE;
}

int cli_run_check(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .recording = rbv_recording_defaults(),
               .check = rbv_check_defaults()};
  const cli_opt table[] = {
      {"map", 0, OPT_TEXT, &o.map, "COLUMNS.yaml", "column map of the logs"},
      {"loaded", 0, OPT_LIST, &o.loaded, "LOG",
       "with --payload: a recording with the payload; may be repeated"},
      {"tolerance", 0, OPT_REAL, &o.check.tolerance, "X",
       "excitation below this fraction counts as zero (default 1e-3)", RBV_ABOVE(0, 0.99)},
      {"drop-bad-rows", 0, OPT_FLAG, &o.check.drop_bad_rows, NULL,
       "corrupt, missing and unreadable rows are dropped: no error"},
      CLI_ROWS(rbv_part_rows(), o.recording),
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "check", table);
  if (code >= 0) return code;
  job j = {.nlog = count - 1 + o.loaded.count};
  // a file that cannot be read is reported later
  (void)!rbv_recorded_gamma(&o.robot.model.gamma, argv[2]);
  code = cli_load_robot(&j.model, "check", &o.robot, argv[1], &o.common);
  if (code < 0 && o.loaded.count > 0 && !rbv_model_has_payload(j.model))
    code = cli_usage("check", "--loaded needs --payload");
  if (code < 0) code = run(&j, &o, argv);
  free_job(&j);
  return code;
}
