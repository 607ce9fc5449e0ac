/* roberval identify --fleet: a robot is a job; their results are held against each other. */
#include "identify_fleet.h"

#include <math.h>
#include <roberval/sys/compare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manifest.h"
#include "provenance.h"

#define ALARM 0.01  // chance of a false alarm in the whole fleet
#define SENTENCE 1024

/* what became of a robot: a result, or why there is none */
typedef struct {
  char *text;
  size_t size;
  rbv_result *result;
} outcome;

typedef struct {
  const cli_manifest *manifest;  // NULL: only taken, not made
  char *description;
  rbv_document *doc;  // of the description; names point into it
  int count;
  const char **name;
  outcome *outcome;
  rbv_jobs jobs;
} fleet;

static void free_fleet(fleet *f) {
  for (int i = 0; f->outcome && i < f->count; i++) {
    free(f->outcome[i].text);
    rbv_result_free(f->outcome[i].result);
  }
  free(f->outcome);
  free(f->name);
  free(f->description);
  rbv_document_free(f->doc);
}

/* ---- jobs: 'R' and the result, or 'F' and why there is none ---- */

/* parsing moves arguments about: each time on a copy */
static char **copy_arguments(const cli_manifest_robot *r) {
  char **argv = calloc((size_t)r->argc + 1, sizeof *argv);
  for (int i = 0; argv && i < r->argc; i++) argv[i] = (char *)(uintptr_t)r->argv[i];
  return argv;
}

static rbv_status run(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  (void)worker;
  const fleet *f = self;
  const cli_manifest_robot *r = &f->manifest->robot[index];
  char sentence[SENTENCE], *json = NULL, **argv = copy_arguments(r);
  size_t size = 0;
  if (!argv) return RBV_EMEM;
  cli_keep_sentence(sentence, sizeof sentence);
  const int code = cli_identify_robot(&json, &size, r->argc, argv);
  cli_keep_sentence(NULL, 0);
  free(argv);
  rbv_bytes_add(out, code < 0 ? "R" : "F", 1);
  if (code < 0)
    rbv_bytes_add(out, json, size);
  else
    rbv_bytes_add(out, sentence, strlen(sentence));
  rbv_text_release(json);
  return RBV_OK;
}

static rbv_status take(void *self, ptrdiff_t index, const void *data, size_t size) {
  fleet *f = self;
  outcome *o = &f->outcome[index];
  if (size < 1 || !(o->text = malloc(size))) return RBV_EMEM;
  memcpy(o->text, (const char *)data + 1, size - 1);
  o->text[size - 1] = 0;
  o->size = size - 1;
  if (*(const char *)data != 'R') return RBV_OK;
  return rbv_result_parse(&o->result, f->name[index], o->text, o->size);
}

/* ---- the description: all that results depend on ---- */

static int describe_robot(rbv_json *json, const cli_manifest_robot *r) {
  // how and where, not what; the map is among the files
  static const char *const but[] = {"fleet", "output", "shard",   "journal", "resume",
                                    "json",  "quiet",  "verbose", "threads", "report",
                                    "plots", "filter", "map",     NULL};
  char sentence[SENTENCE], **argv = copy_arguments(r);
  if (!argv) return cli_out_of_memory();
  rbv_json_map(json);
  rbv_json_put_string(json, "name", r->name);
  rbv_json_key(json, "robot");
  rbv_json_map(json);
  cli_put_file(json, r->robot);
  rbv_json_end(json);
  rbv_json_key(json, "inputs");
  rbv_json_list(json);
  for (int i = 0; i < r->nfile; i++) {
    rbv_json_map(json);
    cli_put_file(json, r->file[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  cli_keep_sentence(sentence, sizeof sentence);
  const int code = cli_identify_options(json, r->argc, argv, but);
  cli_keep_sentence(NULL, 0);
  free(argv);
  rbv_json_end(json);
  if (code < 0) return -1;
  cli_complain("robot '%s' of the fleet: %s", r->name, sentence);
  return EXIT_INPUT;
}

static int describe(char **out, const cli_manifest *m) {
  rbv_json *json;
  rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  int code = -1;
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_key(json, "robots");
  rbv_json_list(json);
  for (int i = 0; i < m->count && code < 0; i++) code = describe_robot(json, &m->robot[i]);
  rbv_json_end(json);
  rbv_json_end(json);
  const char *text;
  size_t size;
  if (code < 0) {
    status = rbv_json_finish(&text, &size, json);
    if (status != RBV_OK)
      code = cli_fail(status);
    else if (!(*out = malloc(size + 1)))
      code = cli_out_of_memory();
    else
      snprintf(*out, size + 1, "%s", text);
  }
  rbv_json_free(json);
  return code;
}

/* names and room for results, from the description that f owns */
static int understand(fleet *f) {
  rbv_status status = rbv_document_parse(&f->doc, "fleet", f->description, strlen(f->description));
  if (status != RBV_OK) return cli_fail(status);
  const rbv_node *robots = rbv_node_find(rbv_document_root(f->doc), "robots");
  f->count = robots ? rbv_node_count(robots) : 0;
  f->name = calloc((size_t)f->count + 1, sizeof *f->name);
  f->outcome = calloc((size_t)f->count + 1, sizeof *f->outcome);
  if (!f->name || !f->outcome) return cli_out_of_memory();
  for (int i = 0; i < f->count && status == RBV_OK; i++) {
    const rbv_node *name = rbv_node_find(rbv_node_at(robots, i), "name");
    f->name[i] = name ? rbv_node_text(name) : NULL;
    if (!f->name[i]) f->count = 0;
  }
  if (f->count < 1) {
    cli_complain("the description of the fleet names no robots");
    return EXIT_INPUT;
  }
  f->jobs = (rbv_jobs){.name = CLI_FLEET_KIND,
                       .description = f->description,
                       .count = f->count,
                       .self = f,
                       .run = run,
                       .take = take};
  return -1;
}

/* ---- what is told ---- */

static void print_table(const fleet *f, const rbv_fleet *found) {
  const int failed = f->count - found->identified;
  printf("%d robots, %d parameters: ", f->count, found->nparameter);
  if (found->comparisons == 0)
    printf("too few to compare: at least five are needed\n");
  else if (found->deviating == 0)
    printf("none differs from its siblings\n");
  else
    printf("%d %s from %s siblings\n", found->deviating,
           found->deviating == 1 ? "differs" : "differ", found->deviating == 1 ? "its" : "their");
  if (found->count > 0)
    printf("%-16s %-10s %12s %12s %12s %10s %8s  %s\n", "robot", "parameter", "value", "siblings",
           "scatter", "by sigma", "limit", "unit");
  for (int i = 0; i < found->count; i++) {
    const rbv_deviation *o = &found->deviation[i];
    printf("%-16s %-10s %12.5g %12.5g %12.3g %+10.1f %8.1f  %s\n", f->name[o->robot], o->name,
           o->value, o->median, o->scatter, o->z, o->limit, o->unit);
  }
  if (failed > 0) printf("not identified: %d\n", failed);
  for (int i = 0; i < f->count; i++)
    if (!f->outcome[i].result)
      printf("  %s: %s\n", f->name[i], f->outcome[i].text ? f->outcome[i].text : "not done");
}

static void put_robots(rbv_json *json, const fleet *f, const rbv_fleet *found) {
  rbv_json_key(json, "robots");
  rbv_json_list(json);
  for (int i = 0; i < f->count; i++) {
    const outcome *o = &f->outcome[i];
    int odd = 0;
    for (int k = 0; k < found->count; k++) odd += found->deviation[k].robot == i;
    rbv_json_map(json);
    rbv_json_put_string(json, "name", f->name[i]);
    rbv_json_put_bool(json, "identified", o->result != NULL);
    if (!o->result) rbv_json_put_string(json, "reason", o->text ? o->text : "not done");
    if (o->result) {
      rbv_json_put_bool(json, "converged", o->result->converged);
      rbv_json_put_real(json, "relative_error", o->result->fit.relative_error);
      rbv_json_put_int(json, "parameters_that_differ", odd);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static int print_json(const fleet *f, const rbv_fleet *found) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.fleet/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_int(json, "identified", found->identified);
  rbv_json_put_int(json, "parameters", found->nparameter);
  rbv_json_put_int(json, "comparisons", found->comparisons);
  rbv_json_put_real(json, "false_alarm_probability", ALARM);
  put_robots(json, f, found);
  rbv_json_key(json, "outliers");
  rbv_json_list(json);
  for (int i = 0; i < found->count; i++) {
    const rbv_deviation *o = &found->deviation[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "robot", f->name[o->robot]);
    rbv_json_put_string(json, "parameter", o->name);
    rbv_json_put_string(json, "unit", o->unit);
    rbv_json_put_real(json, "value", o->value);
    rbv_json_put_real(json, "sigma", o->sigma);
    rbv_json_put_int(json, "siblings", o->siblings);
    rbv_json_put_real(json, "siblings_median", o->median);
    rbv_json_put_real(json, "siblings_scatter", o->scatter);
    rbv_json_put_real(json, "differs_by_sigma", o->z);
    rbv_json_put_real(json, "limit_sigma", o->limit);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static int write_results(const fleet *f, const char *directory) {
  const int made = cli_make_directory(directory);
  if (made >= 0) return made;
  for (int i = 0; i < f->count; i++) {
    if (!f->outcome[i].result) continue;
    char name[512];
    snprintf(name, sizeof name, "%.500s.json", f->name[i]);
    const int code = cli_write_into(directory, name, f->outcome[i].text, f->outcome[i].size);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}

static int report(const fleet *f, const char *output, const cli_common *common) {
  const rbv_result **list = malloc((size_t)f->count * sizeof *list);
  if (!list) return cli_out_of_memory();
  for (int i = 0; i < f->count; i++) list[i] = f->outcome[i].result;
  rbv_fleet *found;
  const rbv_status status = rbv_compare_fleet(&found, list, f->count, ALARM);
  free(list);
  if (status != RBV_OK) return cli_fail(status);
  int code = output ? write_results(f, output) : EXIT_DONE;
  if (code == EXIT_DONE && common->json)
    code = print_json(f, found);
  else if (code == EXIT_DONE)
    print_table(f, found);
  // a robot that differs, or of which nothing is known, is an answer, and it is no
  if (code == EXIT_DONE && (found->deviating > 0 || found->identified < f->count)) code = EXIT_NO;
  rbv_fleet_free(found);
  return code;
}

/* ---- running ---- */

int cli_run_fleet(const char *path, int argc, char **argv, const char *output, const cli_jobs *how,
                  const cli_common *common) {
  cli_manifest manifest;
  fleet f = {.manifest = &manifest};
  bool interrupted = false;
  int code = cli_manifest_load(&manifest, path, argc, argv);
  if (code < 0) code = describe(&f.description, &manifest);
  if (code < 0) code = understand(&f);
  if (code < 0) code = cli_jobs_run(&interrupted, "identify", how, &f.jobs, output, common);
  if (code < 0) {
    code = report(&f, output, common);
    if (interrupted && code <= EXIT_NO) code = EXIT_INTERRUPTED;
  }
  free_fleet(&f);
  cli_manifest_free(&manifest);
  return code;
}

int cli_merge_fleet(const char *description, const rbv_jobs_store *store, const char *output,
                    const cli_common *common) {
  fleet f = {.description = strdup(description)};
  int code = f.description ? understand(&f) : cli_out_of_memory();
  for (ptrdiff_t i = 0; i < f.count && code < 0; i++) {
    const void *data;
    size_t size;
    if (!store->find(store->self, i, &data, &size)) continue;
    const rbv_status status = take(&f, i, data, size);
    if (status != RBV_OK) code = cli_fail(status);
  }
  if (code < 0) code = report(&f, output, common);
  free_fleet(&f);
  return code;
}
