/* The task map: guess what the columns of a recording mean. */
#include <string.h>

#include "job/job.h"
#include "task/task_internal.h"

#define TASK rbv_map_task

static const rbv_option rows[] = {
    TASK_ROW("output", OUTPUT, output, "COLUMNS.yaml", "write the map here", .letter = 'o'),
    TASK_ROW("log-rate", REAL, rate_hz, "HZ", "sample rate, if there are no time stamps",
             RBV_ABOVE(0, 1e9)),
    {0}};

static void defaults(void *data) {
  rbv_map_task *t = data;
  t->robot = rbv_robot_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_map_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_map_task *t = data;
  rbv_log_guess_free(t->guess);
  rbv_model_free(t->model);
}

static rbv_status run(void *data) {
  rbv_map_task *t = data;
  RBV_TRY(rbv_robot_load(&t->model, t->common.input[0], &t->robot, &t->common.notes));
  const rbv_log_input in = {.path = t->common.input[1]};
  RBV_TRY(rbv_recording_guess(&t->guess, t->model, &in, t->rate_hz));
  const rbv_log_guess *g = t->guess;
  if (t->output && g->yaml)
    RBV_TRY(rbv_task_write(&t->common, t->output, g->yaml, strlen(g->yaml)));
  t->common.answer = (g->standard || g->yaml) && g->nambiguous == 0 && g->nmissing == 0;
  return RBV_OK;
}

static void put_sentences(rbv_json *json, const char *key, char *const *list, int count) {
  rbv_json_put_list(json, key);
  for (int i = 0; i < count; i++) rbv_json_string(json, list[i]);
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_map_task *t = data;
  const rbv_log_guess *g = t->guess;
  rbv_json_put_schema(json, "roberval.map/1");
  rbv_json_put_map(json, "robot");
  rbv_task_put_robot(json, t->model, t->common.input[0]);
  rbv_json_end(json);
  rbv_json_put_map(json, "input");
  rbv_task_put_file(json, &t->common, 1);
  rbv_json_end(json);
  rbv_json_put_bool(json, "standard", g->standard);
  rbv_json_put_bool(json, "recognised", g->recognised);
  rbv_json_put_list(json, "channels");
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
  return RBV_OK;
}

const task_kind rbv_map_kind = TASK_KIND("map", "ROBOT LOG", 2, 2, model, .run = run);
