/* roberval fleet: results of many robots over periods of time: which robots have changed. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <roberval/sys/compare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_options.h"

typedef struct {
  cli_common common;
  cli_report page;
  double alarm;
} options;

/* names in a folder, sorted */
typedef struct {
  int count, size;
  char **name;
} names;

typedef struct {
  names period, robot;
  rbv_result **result;  // robot r and period t at [r + nrobot t]; NULL: none
  int nresult;
  rbv_history *history;
} fleet;

static void free_names(names *n) {
  for (int i = 0; i < n->count; i++) free(n->name[i]);
  free(n->name);
}

static void free_fleet(fleet *f) {
  for (int i = 0; f->result && i < f->period.count * f->robot.count; i++)
    rbv_result_free(f->result[i]);
  free(f->result);
  free_names(&f->period);
  free_names(&f->robot);
  rbv_history_free(f->history);
}

/* ---- the folder ---- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_name(const names *n, const char *name) {
  char *const *found =
      n->count ? bsearch(&name, n->name, (size_t)n->count, sizeof *n->name, compare_names) : NULL;
  return found ? (int)(found - n->name) : -1;
}

/* append a name; -1 to continue */
static int add_name(names *n, const char *name, size_t length) {
  if (n->count == n->size) {
    const int size = n->size ? 2 * n->size : 16;
    char **more = realloc(n->name, (size_t)size * sizeof *more);
    if (!more) return cli_out_of_memory();
    n->name = more;
    n->size = size;
  }
  char *copy = malloc(length + 1);
  if (!copy) return cli_out_of_memory();
  memcpy(copy, name, length);
  copy[length] = 0;
  n->name[n->count++] = copy;
  return -1;
}

static void sort_names(names *n) {
  if (n->count == 0) return;
  qsort(n->name, (size_t)n->count, sizeof *n->name, compare_names);
  int kept = 0;
  for (int i = 0; i < n->count; i++) {
    if (kept > 0 && strcmp(n->name[kept - 1], n->name[i]) == 0)
      free(n->name[i]);
    else
      n->name[kept++] = n->name[i];
  }
  n->count = kept;
}

/* length of the name without ".json"; 0: another file, or a hidden one */
static size_t stem(const char *name) {
  const size_t n = strlen(name);
  return name[0] != '.' && n > 5 && strcmp(name + n - 5, ".json") == 0 ? n - 5 : 0;
}

/* folders in a folder, or results in it; -1 to continue */
static int list(names *out, const char *path, bool folders) {
  DIR *dir = opendir(path);
  int code = -1;
  if (!dir && folders) {
    cli_error("the folder '%s' cannot be read: %s", path, strerror(errno));
    return EXIT_INPUT;
  }
  for (const struct dirent *e; dir && code < 0 && (e = readdir(dir));) {
    if (!folders) {
      const size_t n = stem(e->d_name);
      if (n > 0) code = add_name(out, e->d_name, n);
      continue;
    }
    char inner[4096];
    snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
    DIR *is_folder = e->d_name[0] != '.' ? opendir(inner) : NULL;
    if (is_folder) {
      closedir(is_folder);
      code = add_name(out, e->d_name, strlen(e->d_name));
    }
  }
  if (dir) closedir(dir);
  return code;
}

static int list_fleet(fleet *f, const char *folder) {
  int code = list(&f->period, folder, true);
  for (int t = 0; t < f->period.count && code < 0; t++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, f->period.name[t]);
    code = list(&f->robot, path, false);
  }
  if (code >= 0) return code;
  sort_names(&f->period);
  sort_names(&f->robot);
  if (f->period.count >= 2 && f->robot.count > 0) return -1;
  cli_error(
      "'%s' needs two or more folders, one per period, each with results ROBOT.json; it has %d "
      "folder%s and %d robot%s. See roberval fleet --help",
      folder, f->period.count, f->period.count == 1 ? "" : "s", f->robot.count,
      f->robot.count == 1 ? "" : "s");
  return EXIT_INPUT;
}

/* results of all periods; a robot may be missing in a period */
static int load_fleet(fleet *f, const char *folder) {
  const int nrobot = f->robot.count;
  f->result = calloc((size_t)nrobot * (size_t)f->period.count, sizeof(rbv_result *));
  if (!f->result) return cli_out_of_memory();
  for (int t = 0; t < f->period.count; t++) {
    names here = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, f->period.name[t]);
    int code = list(&here, path, false);
    for (int i = 0; i < here.count && code < 0; i++) {
      const int r = find_name(&f->robot, here.name[i]);
      snprintf(path, sizeof path, "%s/%s/%s.json", folder, f->period.name[t], here.name[i]);
      const rbv_status status =
          r < 0 ? RBV_OK : rbv_result_load(&f->result[r + (ptrdiff_t)t * nrobot], path);
      if (status != RBV_OK) code = cli_fail(status);
      f->nresult++;
    }
    free_names(&here);
    if (code >= 0) return code;
  }
  return -1;
}

/* ---- output ---- */

static void print_text(const fleet *f) {
  const rbv_history *h = f->history;
  char shown[CLI_PLAIN_MAX], period[CLI_PLAIN_MAX], unit[CLI_PLAIN_MAX];
  printf("%d robots, %d periods, %d parameters: ", h->nrobot, h->nperiod, h->nparameter);
  if (h->changed == 0)
    printf("no robot needs attention\n");
  else
    printf("%d need%s attention\n", h->changed, h->changed == 1 ? "s" : "");
  if (h->count > 0)
    printf("%-16s %-10s %-12s %12s %12s %9s %8s %7s  %s\n", "robot", "parameter", "marked from",
           "before", "since", "change", "sigma", "limit", "unit");
  for (int i = 0; i < h->count; i++) {
    const rbv_change *c = &h->change[i];
    const bool same = i > 0 && h->change[i - 1].robot == c->robot;
    printf("%-16s %-10s %-12s %12.5g %12.5g %+7.1f %% %+8.1f %7.1f  %s\n",
           same ? "" : cli_plain(shown, f->robot.name[c->robot]), h->name[c->parameter],
           cli_plain(period, f->period.name[c->found]), c->before, c->after,
           100 * (c->after - c->before) / fabs(c->before), c->z, h->limit[c->parameter],
           cli_plain(unit, h->unit[c->parameter]));
  }
}

static int print_json(const fleet *f, const options *o) {
  const rbv_history *h = f->history;
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.history/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_int(json, "results", f->nresult);
  rbv_json_put_int(json, "parameters", h->nparameter);
  rbv_json_put_int(json, "comparisons", h->comparisons);
  rbv_json_put_real(json, "false_alarm_probability", o->alarm);
  rbv_json_put_int(json, "robots_changed", h->changed);
  rbv_json_key(json, "robots");
  rbv_json_flat_list(json);
  for (int i = 0; i < h->nrobot; i++) rbv_json_string(json, f->robot.name[i]);
  rbv_json_end(json);
  rbv_json_key(json, "periods");
  rbv_json_flat_list(json);
  for (int t = 0; t < h->nperiod; t++) rbv_json_string(json, f->period.name[t]);
  rbv_json_end(json);
  rbv_json_key(json, "changes");
  rbv_json_list(json);
  for (int i = 0; i < h->count; i++) {
    const rbv_change *c = &h->change[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "robot", f->robot.name[c->robot]);
    rbv_json_put_string(json, "parameter", h->name[c->parameter]);
    rbv_json_put_string(json, "unit", h->unit[c->parameter]);
    rbv_json_put_string(json, "marked_from", f->period.name[c->found]);
    rbv_json_put_string(json, "started_with", f->period.name[c->started]);
    rbv_json_put_real(json, "before", c->before);
    rbv_json_put_real(json, "since", c->after);
    rbv_json_put_real(json, "change_sigma", c->z);
    rbv_json_put_real(json, "limit_sigma", h->limit[c->parameter]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

static int write_page(const fleet *f, const options *o) {
  if (!o->page.html && !o->page.plots) return EXIT_DONE;
  const char *type = "";
  for (int i = 0; i < f->robot.count * f->period.count && !*type; i++)
    if (f->result[i]) type = f->result[i]->robot;
  const rbv_fleet_page in = {.type = type,
                             .robot = (const char *const *)f->robot.name,
                             .period = (const char *const *)f->period.name,
                             .history = f->history,
                             .alarm = o->alarm,
                             .nresult = f->nresult};
  rbv_report *page;
  const rbv_status status = rbv_report_fleet(&page, &in);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(page, &o->page, &o->common);
  rbv_report_free(page);
  return code;
}

/* ---- the command ---- */

int cli_run_fleet_history(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .alarm = 0.01};
  const cli_opt table[] = {
      {"alarm", 0, OPT_REAL, &o.alarm, "P",
       "probability of one or more false alarms in the whole history (default 0.01)"},
      {"report", 0, OPT_TEXT, &o.page.html, "FILE.html",
       "write the history as a page: heat maps, trends, who needs attention", .topic = CLI_FILES},
      CLI_REPORT(o.page),
      CLI_OUTPUT(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "fleet", table);
  if (code >= 0) return code;
  if (!(o.alarm > 0 && o.alarm < 1))
    return cli_usage("fleet", "--alarm needs a probability between 0 and 1");
  fleet f = {0};
  code = list_fleet(&f, argv[1]);
  if (code < 0) code = load_fleet(&f, argv[1]);
  if (code < 0) {
    const rbv_status status = rbv_compare_history(&f.history, (const rbv_result *const *)f.result,
                                                  f.robot.count, f.period.count, o.alarm);
    code = status == RBV_OK ? write_page(&f, &o) : cli_fail(status);
    if (code == EXIT_DONE && o.common.json)
      code = print_json(&f, &o);
    else if (code == EXIT_DONE)
      print_text(&f);
    // a robot that needs attention is a negative outcome
    if (code == EXIT_DONE && f.history->changed > 0) code = EXIT_NO;
  }
  free_fleet(&f);
  return code;
}
