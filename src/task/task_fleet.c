/* The task fleet: results of many robots over periods of time, and which robots have changed. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/compare.h"
#include "result/result.h"
#include "task/task_internal.h"

#define TASK rbv_fleet_task
#define PATH_SIZE 4096

static const rbv_option rows[] = {
    TASK_ROW("alarm", REAL, alarm, "P",
             "probability of one or more false alarms in the whole history (default 0.01)"),
    TASK_ROW("report", OUTPUT, report, "FILE.html",
             "write the history as a page: heat maps, trends, who needs attention",
             .topic = "output"),
    TASK_PLOTS,
    {0}};

static void defaults(void *data) {
  rbv_fleet_task *f = data;
  f->alarm = 0.01;
}

static void groups(rbv_option_group *out, void *data) { out[0] = (rbv_option_group){rows, data}; }

static void forget(void *data) {
  rbv_fleet_task *f = data;
  for (int i = 0; f->result && i < f->nrobot * f->nperiod; i++) rbv_result_free(f->result[i]);
  rbv_free(f->result);
  rbv_pool_free(&(text_pool){f->robot, f->nrobot});
  rbv_pool_free(&(text_pool){f->period, f->nperiod});
  rbv_history_free(f->history);
}

/* ---- the folder ---- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_names(text_pool *n) {
  if (n->count == 0) return;
  qsort(n->text, (size_t)n->count, sizeof *n->text, compare_names);
  int kept = 0;
  for (int i = 0; i < n->count; i++) {
    if (kept > 0 && strcmp(n->text[kept - 1], n->text[i]) == 0)
      rbv_free(n->text[i]);
    else
      n->text[kept++] = n->text[i];
  }
  n->count = kept;
}

/* a folder itself, and no link that leads out of the fleet */
static bool is_folder(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* a file, and no link that leads out of the fleet */
static bool is_file(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* add the folders in a folder, or the names of the results in it, without their ending */
static rbv_status list(text_pool *out, const char *path, bool folders) {
  DIR *dir = opendir(path);
  if (!dir && folders)
    return rbv_fail(RBV_EINPUT, "the folder '%s' cannot be read: %s", path, strerror(errno));
  rbv_status status = RBV_OK;
  for (const struct dirent *e; dir && status == RBV_OK && (e = readdir(dir));) {
    char name[PATH_SIZE];
    const size_t n = strlen(e->d_name);
    snprintf(name, sizeof name, "%s/%s", path, e->d_name);
    const bool wanted =
        e->d_name[0] != '.' &&
        (folders ? is_folder(name) : n > 5 && !strcmp(e->d_name + n - 5, ".json") && is_file(name));
    if (!wanted) continue;
    snprintf(name, sizeof name, "%.*s", (int)(folders ? n : n - 5), e->d_name);
    if (!rbv_pool_keep(out, name)) status = RBV_EMEM;
  }
  if (dir) closedir(dir);
  return status;
}

static rbv_status list_all(text_pool *period, text_pool *robot, const char *folder) {
  RBV_TRY(list(period, folder, true));
  for (int t = 0; t < period->count; t++) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, period->text[t]);
    RBV_TRY(list(robot, path, false));
  }
  return RBV_OK;
}

static rbv_status list_fleet(rbv_fleet_task *f) {
  text_pool period = {0}, robot = {0};
  const char *folder = f->common.input[0];
  const rbv_status status = list_all(&period, &robot, folder);
  sort_names(&period);
  sort_names(&robot);
  f->period = period.text;
  f->nperiod = period.count;
  f->robot = robot.text;
  f->nrobot = robot.count;
  if (status != RBV_OK || (f->nperiod >= 2 && f->nrobot > 0)) return status;
  return rbv_fail(
      RBV_EINPUT,
      "'%s' needs two or more folders, one per period, each with results ROBOT.json; it has %d "
      "folder%s and %d robot%s",
      folder, f->nperiod, f->nperiod == 1 ? "" : "s", f->nrobot, f->nrobot == 1 ? "" : "s");
}

/* summaries of the results of one period; a robot may be missing in it */
static rbv_status load_period(rbv_fleet_task *f, const text_pool *here, int t,
                              const rbv_result **first) {
  for (int i = 0; i < here->count; i++) {
    char path[PATH_SIZE];
    char *const *r =
        bsearch(&here->text[i], f->robot, (size_t)f->nrobot, sizeof *f->robot, compare_names);
    f->nresult++;
    if (!r) continue;
    snprintf(path, sizeof path, "%s/%s/%s.json", f->common.input[0], f->period[t], here->text[i]);
    rbv_result **result = &f->result[(r - f->robot) + (ptrdiff_t)t * f->nrobot];
    RBV_TRY(rbv_result_load(result, path));
    RBV_TRY(rbv_result_summarise(result, *first));
    if (!*first) *first = *result;
  }
  return RBV_OK;
}

static rbv_status load_fleet(rbv_fleet_task *f) {
  f->result = rbv_alloc((size_t)f->nrobot * (size_t)f->nperiod * sizeof *f->result);
  const rbv_result *first = NULL;
  rbv_status status = f->result ? RBV_OK : RBV_EMEM;
  for (int t = 0; t < f->nperiod && status == RBV_OK; t++) {
    char path[PATH_SIZE];
    text_pool here = {0};
    snprintf(path, sizeof path, "%s/%s", f->common.input[0], f->period[t]);
    status = list(&here, path, false);
    if (status == RBV_OK) status = load_period(f, &here, t, &first);
    rbv_pool_free(&here);
  }
  return status;
}

/* ---- running ---- */

static rbv_status write_page(const rbv_fleet_task *f) {
  if (!f->report && !f->plots) return RBV_OK;
  const char *type = "";
  for (int i = 0; i < f->nrobot * f->nperiod && !*type; i++)
    if (f->result[i]) type = f->result[i]->robot;
  const rbv_fleet_page in = {.type = type,
                             .robot = (const char *const *)f->robot,
                             .period = (const char *const *)f->period,
                             .history = f->history,
                             .alarm = f->alarm,
                             .nresult = f->nresult};
  rbv_report *page;
  RBV_TRY(rbv_report_fleet(&page, &in));
  return rbv_task_write_page(page, f->report, f->plots, &f->common);
}

static rbv_status run(void *data) {
  rbv_fleet_task *f = data;
  if (!(f->alarm > 0 && f->alarm < 1))
    return rbv_fail_option(RBV_EOPTION, "alarm", "alarm needs a probability between 0 and 1");
  RBV_TRY(list_fleet(f));
  RBV_TRY(load_fleet(f));
  RBV_TRY(rbv_compare_history(&f->history, (const rbv_result *const *)f->result, f->nrobot,
                              f->nperiod, f->alarm));
  // a robot that needs attention is a negative answer
  f->common.answer = f->history->changed == 0;
  return write_page(f);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_fleet_task *f = data;
  const rbv_history *h = f->history;
  rbv_json_put_schema(json, "roberval.history/1");
  rbv_json_put_int(json, "results", f->nresult);
  rbv_json_put_int(json, "parameters", h->nparameter);
  rbv_json_put_int(json, "comparisons", h->comparisons);
  rbv_json_put_real(json, "false_alarm_probability", f->alarm);
  rbv_json_put_int(json, "robots_changed", h->changed);
  rbv_json_put_flat_list(json, "robots");
  for (int i = 0; i < h->nrobot; i++) rbv_json_string(json, f->robot[i]);
  rbv_json_end(json);
  rbv_json_put_flat_list(json, "periods");
  for (int t = 0; t < h->nperiod; t++) rbv_json_string(json, f->period[t]);
  rbv_json_end(json);
  rbv_json_put_list(json, "changes");
  for (int i = 0; i < h->count; i++) {
    const rbv_change *c = &h->change[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "robot", f->robot[c->robot]);
    rbv_json_put_string(json, "parameter", h->name[c->parameter]);
    rbv_json_put_string(json, "unit", h->unit[c->parameter]);
    rbv_json_put_string(json, "marked_from", f->period[c->found]);
    rbv_json_put_string(json, "started_with", f->period[c->started]);
    rbv_json_put_real(json, "before", c->before);
    rbv_json_put_real(json, "since", c->after);
    rbv_json_put_real(json, "change_sigma", c->z);
    rbv_json_put_real(json, "limit_sigma", h->limit[c->parameter]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  return RBV_OK;
}

const task_kind rbv_fleet_kind =
    TASK_KIND("fleet", "FOLDER", 1, 1, nrobot, .run = run, .plain = true);
