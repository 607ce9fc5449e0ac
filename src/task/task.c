/* Tasks: inputs and options by name, one JSON object as the answer. */
#include <math.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "model/model_internal.h"
#include "task/task_internal.h"

static const task_kind *const kinds[] = {&rbv_check_kind,
                                         &rbv_simulate_kind,
                                         &rbv_validate_kind,
                                         &rbv_compare_kind,
                                         &rbv_payload_kind,
                                         &rbv_montecarlo_kind,
                                         &rbv_merge_kind,
                                         &rbv_export_kind,
                                         &rbv_map_kind,
                                         &rbv_controller_kind,
                                         &rbv_sweep_kind,
                                         &rbv_fleet_kind,
                                         &rbv_identify_fleet_kind,
                                         &rbv_identify_kind,
                                         &rbv_follow_kind,
                                         &rbv_lint_kind,
                                         &rbv_excite_kind,
                                         &rbv_record_kind,
                                         &rbv_play_kind};

struct rbv_task {
  const task_kind *kind;
  rbv_task_common *data;  // the structure of the kind begins with it
  rbv_option_group groups[TASK_GROUPS];
  text_pool texts;
  bool done;
  rbv_json *json;
  char *own_text;    // of a kind that writes its text itself
  const char *text;  // of json, or own_text
};

/* ---- kinds ---- */

static const task_kind *find_kind(const char *name) {
  for (int i = 0; name && i < RBV_COUNT(kinds); i++)
    if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
  return NULL;
}

bool rbv_task_is(const rbv_task *task, const task_kind *kind) { return task && task->kind == kind; }

const char *rbv_task_name(int i) { return i >= 0 && i < RBV_COUNT(kinds) ? kinds[i]->name : NULL; }

const char *rbv_task_inputs(int i) {
  return i >= 0 && i < RBV_COUNT(kinds) ? kinds[i]->inputs : NULL;
}

/* ---- options ---- */

#define TASK rbv_task_common
static const rbv_option common_rows[] = {
    TASK_ROW("seed", SEED, seed, "N", "seed of all random numbers (default 1)", .topic = "general"),
    TASK_ROW("threads", COUNT, threads, "N", "threads to use (default 1)", .unrecorded = true,
             RBV_THREADS),
    {0}};

static void set_defaults(const task_kind *kind, rbv_task_common *data) {
  data->seed = 1;
  data->threads = 1;
  if (kind->defaults) kind->defaults(data);
}

static void set_groups(rbv_option_group groups[TASK_GROUPS], const task_kind *kind,
                       rbv_task_common *data) {
  memset(groups, 0, TASK_GROUPS * sizeof *groups);
  kind->groups(groups, data);
  int count = 0;
  void *target;
  while (groups[count].rows) count++;
  if (!kind->plain && !rbv_option_find(&target, groups, "seed"))
    groups[count] = (rbv_option_group){common_rows, data};
}

const rbv_option_group *rbv_task_groups(const rbv_task *task) { return task ? task->groups : NULL; }

/* row i of a kind, or the row of a name; without a name: there is none */
static rbv_option row_of(const char *kind, int i, const char *name) {
  const task_kind *k = find_kind(kind);
  rbv_option_group groups[TASK_GROUPS];
  rbv_task_common *data = k ? rbv_alloc(k->size) : NULL;
  if (!data) return (rbv_option){0};
  set_groups(groups, k, data);
  void *target;
  const rbv_option *row = name ? rbv_option_find(&target, groups, name) : rbv_option_at(groups, i);
  // the rows may be part of the structure
  const rbv_option out = row ? *row : (rbv_option){0};
  rbv_free(data);
  return out;
}

const char *rbv_task_option_name(const char *kind, int i) { return row_of(kind, i, NULL).name; }

const char *rbv_task_option_text(const char *kind, int i) { return row_of(kind, i, NULL).help; }

const char *rbv_task_option_kind(const char *kind, int i) {
  const rbv_option o = row_of(kind, i, NULL);
  return o.name ? rbv_option_kind_name(o.kind) : NULL;
}

const char *rbv_task_option_choice(const char *kind, const char *name, int i) {
  const rbv_option o = name ? row_of(kind, 0, name) : (rbv_option){0};
  return o.choice && i >= 0 ? o.choice(i) : NULL;
}

/* ---- life ---- */

static void forget(rbv_task *task) {
  const task_kind *k = task->kind;
  if (k->forget) k->forget(task->data);
  memset((char *)task->data + k->made, 0, k->size - k->made);
  task->data->answer = false;
  rbv_json_free(task->json);
  rbv_text_release(task->own_text);
  task->json = NULL;
  task->own_text = NULL;
  task->text = NULL;
  task->done = false;
}

void rbv_task_free(rbv_task *task) {
  if (!task) return;
  if (task->data) {
    forget(task);
    rbv_free(task->data->input);
    rbv_free(task->data->log);
    rbv_model_free(task->data->robot);
    rbv_free(task->data->setting);
  }
  rbv_pool_free(&task->texts);
  rbv_free(task->data);
  rbv_free(task);
}

rbv_status rbv_task_new(rbv_task **out, const char *kind) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the task");
  *out = NULL;
  const task_kind *k = find_kind(kind);
  if (!k) return rbv_fail(RBV_EARG, "there is no task '%s'", kind ? kind : "");
  RBV_NEW(rbv_task, task, 1);
  task->kind = k;
  task->data = rbv_alloc(k->size);
  if (!task->data) {
    rbv_task_free(task);
    return RBV_EMEM;
  }
  set_defaults(k, task->data);
  set_groups(task->groups, k, task->data);
  *out = task;
  return RBV_OK;
}

/* a longer copy of an array; the old one is freed */
static rbv_status extend(void **array, int count, size_t size) {
  void *longer = rbv_alloc((size_t)(count + 1) * size);
  if (!longer) return RBV_EMEM;
  if (count > 0) memcpy(longer, *array, (size_t)count * size);
  rbv_free(*array);
  *array = longer;
  return RBV_OK;
}

static rbv_status add(rbv_task *task, const char *input, const rbv_log *log) {
  if (!task || !input) return rbv_fail(RBV_EARG, "a task and an input are needed");
  rbv_task_common *c = task->data;
  const char *copy = rbv_pool_keep(&task->texts, input);
  if (!copy) return RBV_EMEM;
  void *inputs = (void *)c->input, *logs = (void *)c->log;
  RBV_TRY(extend(&inputs, c->ninput, sizeof *c->input));
  c->input = inputs;
  RBV_TRY(extend(&logs, c->ninput, sizeof *c->log));
  c->log = logs;
  c->input[c->ninput] = copy;
  c->log[c->ninput++] = log;
  return RBV_OK;
}

rbv_status rbv_task_add(rbv_task *task, const char *input) { return add(task, input, NULL); }

/* may the next input be this object? */
static rbv_status check_object(const rbv_task *task, const char *what, bool first) {
  const task_kind *k = task->kind;
  if (!k->objects) return rbv_fail(RBV_EOPTION, "%s takes the path of a %s", k->name, what);
  if (first == (task->data->ninput == 0)) return RBV_OK;
  return rbv_fail(RBV_EOPTION, "%s needs %s, in this order", k->name, k->inputs);
}

rbv_status rbv_task_add_robot(rbv_task *task, const rbv_model *robot) {
  if (!task || !robot) return rbv_fail(RBV_EARG, "a task and a robot are needed");
  RBV_TRY(check_object(task, "robot", true));
  RBV_TRY(add(task, rbv_model_file(robot), NULL));
  task->data->robot = rbv_model_retain(robot);
  return RBV_OK;
}

rbv_status rbv_task_add_recording(rbv_task *task, const rbv_log *recording) {
  if (!task || !recording) return rbv_fail(RBV_EARG, "a task and a recording are needed");
  RBV_TRY(check_object(task, "recording", false));
  return add(task, rbv_log_name(recording), recording);
}

/* the defaults of the preset, then every option that was set */
static rbv_status apply_preset(rbv_task *task, const char *value) {
  rbv_task_common kept = *task->data;
  memset(task->data, 0, task->kind->size);
  set_defaults(task->kind, task->data);
  task->data->ninput = kept.ninput;
  task->data->input = kept.input;
  task->data->log = kept.log;
  task->data->robot = kept.robot;
  task->data->nsetting = kept.nsetting;
  task->data->setting = kept.setting;
  task->data->notes = kept.notes;
  RBV_TRY(rbv_option_set(task->groups, task->kind->preset, value));
  RBV_TRY(task->kind->apply(task->data));
  for (int i = 0; i < kept.nsetting; i++)
    RBV_TRY(rbv_option_set(task->groups, kept.setting[i].name, kept.setting[i].value));
  return RBV_OK;
}

rbv_status rbv_task_set(rbv_task *task, const char *name, const char *value) {
  if (!task || !name || !value) return rbv_fail(RBV_EARG, "a task, a name and a value are needed");
  const char *copy = rbv_pool_keep(&task->texts, value);
  const char *of = copy ? rbv_pool_keep(&task->texts, name) : NULL;
  if (!of) return RBV_EMEM;
  if (task->kind->preset && strcmp(name, task->kind->preset) == 0) {
    forget(task);
    return apply_preset(task, copy);
  }
  RBV_TRY(rbv_option_set(task->groups, of, copy));
  rbv_task_common *c = task->data;
  void *array = c->setting;
  RBV_TRY(extend(&array, c->nsetting, sizeof *c->setting));
  c->setting = array;
  c->setting[c->nsetting++] = (rbv_option_value){of, copy};
  return RBV_OK;
}

void rbv_task_on_note(rbv_task *task, rbv_task_listener *listener, void *self) {
  if (task) task->data->notes = (rbv_notes){listener, self};
}

/* ---- running ---- */

static rbv_status check_inputs(const rbv_task *task) {
  const task_kind *k = task->kind;
  const int n = task->data->ninput;
  if (n >= k->least && (k->most == 0 || n <= k->most)) return RBV_OK;
  return rbv_fail(RBV_EOPTION, "%s needs %s", k->name, k->inputs);
}

static rbv_status put(rbv_json **out, const task_kind *kind, const void *data) {
  rbv_json *json;
  *out = NULL;
  RBV_TRY(rbv_json_new(&json));
  rbv_json_map(json);
  const rbv_status status = kind->put(json, data);
  rbv_json_end(json);
  RBV_GIVE(out, json, status, rbv_json_free(json));
}

rbv_status rbv_task_save(const char *path, const task_kind *kind, const void *data) {
  rbv_json *json;
  const char *text;
  size_t size;
  RBV_TRY(put(&json, kind, data));
  rbv_status status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK) status = rbv_file_write(path, text, size);
  rbv_json_free(json);
  return status;
}

static rbv_status write_text(rbv_task *task) {
  size_t size;
  if (task->kind->has_text && !task->kind->has_text(task->data)) return RBV_OK;
  if (task->kind->text) {
    RBV_TRY(task->kind->text(&task->own_text, &size, task->data));
    task->text = task->own_text;
    return RBV_OK;
  }
  RBV_TRY(put(&task->json, task->kind, task->data));
  return rbv_json_finish(&task->text, &size, task->json);
}

/* a part of the computation; after a failure nothing is left */
static rbv_status do_part(rbv_task *task, rbv_status (*part)(void *data)) {
  const rbv_status status = part ? part(task->data) : RBV_OK;
  if (status != RBV_OK) forget(task);
  return status;
}

#define OUTPUTS_MAX 32  // of one task

static rbv_status check_outputs(const rbv_task *task) {
  rbv_output output[OUTPUTS_MAX];
  const int n = rbv_option_outputs(output, OUTPUTS_MAX, task->groups);
  return rbv_outputs_check(output, n, task->data->input, task->data->ninput);
}

rbv_status rbv_task_prepare(rbv_task *task) {
  if (!task) return rbv_fail(RBV_EARG, "there is no task");
  RBV_TRY(check_inputs(task));
  RBV_TRY(check_outputs(task));
  forget(task);
  return do_part(task, task->kind->prepare);
}

rbv_status rbv_task_finish(rbv_task *task) {
  if (!task) return rbv_fail(RBV_EARG, "there is no task");
  RBV_TRY(do_part(task, task->kind->finish));
  const rbv_status status = write_text(task);
  if (status != RBV_OK) forget(task);
  task->done = status == RBV_OK;
  return status;
}

rbv_task_jobs rbv_task_get_jobs(const rbv_task *task) {
  return task && task->kind->jobs ? task->kind->jobs(task->data) : (rbv_task_jobs){0};
}

rbv_status rbv_task_work(rbv_task *task) {
  if (!task) return rbv_fail(RBV_EARG, "there is no task");
  const rbv_task_jobs work = rbv_task_get_jobs(task);
  if (!work.jobs) return do_part(task, task->kind->run);
  const rbv_status status = rbv_task_run_jobs(&work, &task->data->notes);
  if (status != RBV_OK) forget(task);
  return status;
}

rbv_status rbv_task_compute(rbv_task *task) {
  RBV_TRY(rbv_task_prepare(task));
  RBV_TRY(rbv_task_work(task));
  return rbv_task_finish(task);
}

const rbv_recordings *rbv_task_recordings(const rbv_task *task) {
  return task && task->kind->recordings ? task->kind->recordings(task->data) : NULL;
}

rbv_status rbv_task_run(rbv_task *task) {
  RBV_TRY(rbv_task_compute(task));
  const rbv_recordings *all = rbv_task_recordings(task);
  const rbv_finding *f;
  for (int i = 0; all && (f = rbv_recordings_finding(all, i)); i++)
    rbv_tell(&task->data->notes, f->option, "error: %s", f->sentence);
  return RBV_OK;
}

bool rbv_task_answer(const rbv_task *task) { return task && task->done && task->data->answer; }

const char *rbv_task_text(const rbv_task *task) { return task && task->done ? task->text : NULL; }

const void *rbv_task_data(const rbv_task *task) { return task ? task->data : NULL; }

/* ---- shared by the kinds ---- */

rbv_log_input rbv_task_input(const rbv_task_common *common, int i) {
  return (rbv_log_input){.path = common->input[i], .log = common->log[i]};
}

rbv_log_input *rbv_task_logs(const rbv_task_common *common) {
  rbv_log_input *in = rbv_alloc((size_t)common->ninput * sizeof *in);
  for (int i = 1; in && i < common->ninput; i++) in[i - 1] = rbv_task_input(common, i);
  return in;
}

rbv_status rbv_task_open_robot(rbv_model **out, const rbv_task_common *common,
                               const rbv_robot_options *options) {
  return rbv_robot_open(out, common->robot, common->input[0], options, &common->notes);
}

void rbv_task_put_path(rbv_json *json, const rbv_log_input *in) {
  char hash[65];
  rbv_json_put_string(json, "path", in->path);
  rbv_json_key(json, "sha256");
  if ((in->log ? rbv_log_input_hash(hash, in) : rbv_hash_file(hash, in->path)) == RBV_OK) {
    rbv_json_string(json, hash);
    return;
  }
  rbv_json_null(json);
  rbv_json_put_string(json, "reason", rbv_message());
}

void rbv_task_put_file(rbv_json *json, const rbv_task_common *common, int i) {
  const rbv_log_input in = rbv_task_input(common, i);
  rbv_task_put_path(json, &in);
}

void rbv_task_put_robot(rbv_json *json, const rbv_model *model, const char *path) {
  rbv_json_put_string(json, "name", rbv_model_name(model));
  rbv_json_put_string(json, "path", path);
  rbv_json_put_string(json, "sha256", rbv_model_sha256(model));
}

rbv_status rbv_task_write_page(rbv_report *page, const char *html, const char *plots,
                               const rbv_task_common *common) {
  RBV_FINISH(rbv_report_write(page, html, plots, &common->notes), rbv_report_free(page));
}

rbv_status rbv_task_open_device(rbv_device **out, const char *choice,
                                const rbv_task_common *common) {
  char text[RBV_DEVICE_TEXT];
  RBV_TRY(rbv_device_open(out, text, choice));
  if (text[0]) rbv_tell(&common->notes, NULL, "%s", text);
  return RBV_OK;
}

rbv_status rbv_task_write(const rbv_task_common *common, const char *path, const char *text,
                          size_t size) {
  RBV_TRY(rbv_file_write(path, text, size));
  rbv_tell(&common->notes, NULL, "written: %s", path);
  return RBV_OK;
}

rbv_status rbv_task_recordings_add(rbv_recordings *all, const rbv_task_common *common,
                                   const rbv_model *model, const rbv_recording_options *options,
                                   const rbv_recording_use *use, rbv_log_input *in, int count,
                                   const rbv_notes *notes) {
  rbv_recording_use with = use ? *use : (rbv_recording_use){0};
  with.threads = common->threads;
  with.question = true;
  return rbv_recordings_add_inputs(all, model, options, &with, in, count, notes);
}

bool rbv_limit_parse(double *out, bool *share, const char *text) {
  char number[64];
  if (snprintf(number, sizeof number, "%s", text) >= (int)sizeof number) return false;
  const size_t length = strlen(number);
  *share = length > 0 && number[length - 1] == '%';
  if (*share) number[length - 1] = 0;
  double value;
  if (!rbv_real_parse(&value, number) || !(value > 0 && value < INFINITY)) return false;
  *out = *share ? value / 100 : value;
  return true;
}
