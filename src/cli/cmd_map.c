/* roberval map: guess what the columns of a recording mean. */
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "provenance.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  const char *output;
  double rate_hz;
} options;

static void put_sentences(rbv_json *json, const char *key, char *const *list, int count) {
  rbv_json_key(json, key);
  rbv_json_list(json);
  for (int i = 0; i < count; i++) rbv_json_string(json, list[i]);
  rbv_json_end(json);
}

static int print_json(const rbv_log_guess *g, const rbv_model *m, char **argv) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.map/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_key(json, "robot");
  rbv_json_map(json);
  cli_put_robot(json, m, argv[1]);
  rbv_json_end(json);
  rbv_json_key(json, "input");
  rbv_json_map(json);
  cli_put_file(json, argv[2]);
  rbv_json_end(json);
  rbv_json_put_bool(json, "standard", g->standard);
  rbv_json_key(json, "channels");
  rbv_json_list(json);
  for (int i = 0; i < g->count; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "channel", rbv_channel_name(g->items[i].channel));
    rbv_json_put_string(json, "columns", g->items[i].columns);
    rbv_json_put_string(json, "reason", g->items[i].reason);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  put_sentences(json, "ambiguous", g->ambiguous, g->nambiguous);
  put_sentences(json, "missing", g->missing, g->nmissing);
  rbv_json_put_string(json, "map", g->yaml);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* Can a recording be used with this map? Then 0, else 1. */
static int outcome(const rbv_log_guess *g) {
  return (g->standard || g->yaml) && g->nambiguous == 0 && g->nmissing == 0 ? EXIT_DONE : EXIT_NO;
}

/* what the map lacks, or that none is needed */
static void tell_doubts(const rbv_log_guess *g, const cli_common *common) {
  for (int i = 0; i < g->nambiguous; i++) cli_message(common, "decide: %s\n", g->ambiguous[i]);
  for (int i = 0; i < g->nmissing; i++) cli_message(common, "missing: %s\n", g->missing[i]);
  if (g->standard && g->nmissing == 0)
    cli_message(common, "the columns have the usual names: no map is needed\n");
  else if (!g->yaml)
    cli_message(common,
                "no column was recognised for all joints: write a map by hand, with the names of "
                "the columns or their numbers from 1 on (see docs/files.md)\n");
}

static int run(const rbv_model *m, const options *o, char **argv) {
  const int n = rbv_model_joint_count(m);
  const char **joints = calloc((size_t)n, sizeof *joints);
  if (!joints) return cli_out_of_memory();
  for (int j = 0; j < n; j++) joints[j] = rbv_model_joint(m, j)->name;
  rbv_log_guess *g;
  const rbv_status status = rbv_log_guess_columns(&g, argv[2], joints, n, o->rate_hz);
  free(joints);
  if (status != RBV_OK) return cli_fail(status);
  int code = EXIT_DONE;
  if (o->output && g->yaml) code = cli_write_told(&o->common, o->output, g->yaml, strlen(g->yaml));
  if (code == EXIT_DONE && o->common.json)
    code = print_json(g, m, argv);
  else if (code == EXIT_DONE && !o->output && g->yaml)
    code = cli_write(NULL, g->yaml, strlen(g->yaml));
  if (code == EXIT_DONE) {
    tell_doubts(g, &o->common);
    code = outcome(g);
  }
  rbv_log_guess_free(g);
  return code;
}

int cli_run_map(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .robot = {.model = rbv_model_defaults()}};
  const cli_opt table[] = {
      {"output", 'o', OPT_TEXT, &o.output, "COLUMNS.yaml", "write the map here"},
      {"log-rate", 0, OPT_REAL, &o.rate_hz, "HZ", "sample rate, if there are no time stamps",
       RBV_ABOVE(0, 1e9)},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "map", table);
  if (code >= 0) return code;
  rbv_model *m = NULL;
  code = cli_load_robot(&m, "map", &o.robot, argv[1], &o.common);
  if (code < 0) code = run(m, &o, argv);
  rbv_model_free(m);
  return code;
}
