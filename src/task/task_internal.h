/* What the files of the module task share; not installed. */
#ifndef TASK_TASK_INTERNAL_H
#define TASK_TASK_INTERNAL_H

#include <roberval/sys/device.h>
#include <roberval/sys/report.h>
#include <roberval/sys/task.h>

#include "device/device.h"
#include "job/job_internal.h"

#define TASK_GROUPS 8  // of options, with the one that ends the list

/* One kind of tasks. data is the structure of the kind, which begins with rbv_task_common. */
typedef struct {
  const char *name, *inputs;
  int least, most;  // inputs; most 0: any number
  size_t size;      // of the structure
  size_t made;      // offset of the first member that a run makes; all from there on is cleared
  void (*defaults)(void *data);
  void (*groups)(rbv_option_group *out, void *data);  // without that of the common rows
  rbv_status (*prepare)(void *data);                  // before run; NULL: nothing
  rbv_status (*run)(void *data);
  rbv_status (*finish)(void *data);  // after run; NULL: nothing. The last of them sets answer
  void (*forget)(void *data);        // free what a run made; NULL: nothing
  rbv_status (*put)(rbv_json *json, const void *data);             // keys of an open map
  rbv_status (*text)(char **out, size_t *size, const void *data);  // in place of put
  const rbv_recordings *(*recordings)(const void *data);           // NULL: none that are questioned
  bool (*has_text)(const void *data);                              // NULL: always
  // work in jobs that do not depend on each other, made by prepare; NULL: run does the work
  rbv_task_jobs (*jobs)(const void *data);
  bool objects;  // takes a robot in memory as its first input, and recordings as the others
  bool plain;    // neither random numbers nor threads: without the common rows
  // an option that changes the defaults of others; NULL: none
  const char *preset;
  rbv_status (*apply)(void *data);
} task_kind;

extern const task_kind rbv_check_kind, rbv_simulate_kind, rbv_validate_kind, rbv_compare_kind,
    rbv_payload_kind, rbv_montecarlo_kind, rbv_merge_kind, rbv_export_kind, rbv_map_kind,
    rbv_controller_kind, rbv_sweep_kind, rbv_fleet_kind, rbv_identify_fleet_kind, rbv_identify_kind,
    rbv_follow_kind, rbv_lint_kind, rbv_excite_kind, rbv_record_kind, rbv_play_kind;

bool rbv_task_is(const rbv_task *task, const task_kind *kind);

/* A row of an option table: kind without RBV_OPTION_, member of the structure TASK. */
#define TASK_ROW(...) RBV_ROW(TASK, __VA_ARGS__)

/* The row of a kind for the structure TASK and the functions defaults, groups, forget and put; made
 * is the first member that a run makes. */
#define TASK_KIND(name_, inputs_, least_, most_, made_, ...)                                     \
  {                                                                                              \
    .name = (name_), .inputs = (inputs_), .least = (least_), .most = (most_),                    \
    .size = sizeof(TASK), .made = offsetof(TASK, made_), .defaults = defaults, .groups = groups, \
    .forget = forget, .put = put, __VA_ARGS__                                                    \
  }

/* The figures of a page, for a structure with the member plots. */
#define TASK_PLOTS                                                                         \
  TASK_ROW("plots", OUTPUT, plots, "DIR", "write every figure as SVG into this directory", \
           .topic = "output")

/* How jobs are divided, for a structure with the members shard, journal and resume. */
#define TASK_JOBS                                                                                \
  TASK_ROW(                                                                                      \
      "shard", TEXT, shard, "I/N",                                                               \
      "run every N-th job from the I-th (array, array/N: of a job array); -o FILE is for merge", \
      .topic = "jobs"),                                                                          \
      TASK_ROW("journal", OUTPUT, journal, "FILE", "store finished jobs in this file"),          \
      TASK_ROW("resume", FLAG, resume, NULL, "continue the journal or the file of the shard")

/* Where populations are computed, for a structure with the member device, RBV_DEVICE_DEFAULT at
 * the start; and its device, NULL: the CPU. */
#define TASK_DEVICE                                                         \
  TASK_ROW("device", TEXT, device, "NAME",                                  \
           "compute on cpu (default), cuda, or auto: cuda if there is one", \
           .choice = rbv_device_choice, .topic = "jobs")
rbv_status rbv_task_open_device(rbv_device **out, const char *choice,
                                const rbv_task_common *common);

/* "5%" is 0.05 and a share, "5" is 5; false: not a positive number. */
bool rbv_limit_parse(double *out, bool *share, const char *text);

/* The robot of the first input; recording i of the inputs; all after the first (rbv_free them). */
rbv_status rbv_task_open_robot(rbv_model **out, const rbv_task_common *common,
                               const rbv_robot_options *options);
rbv_log_input rbv_task_input(const rbv_task_common *common, int i);
rbv_log_input *rbv_task_logs(const rbv_task_common *common);

/* rbv_recordings_add_inputs with threads and quick questions. */
rbv_status rbv_task_recordings_add(rbv_recordings *all, const rbv_task_common *common,
                                   const rbv_model *model, const rbv_recording_options *options,
                                   const rbv_recording_use *use, rbv_log_input *in, int count,
                                   const rbv_notes *notes);

/* Keys path and sha256 of input i in an open map; without a hash, reason says why it cannot be
 * read. The same for a robot, with its name; a built-in one has no file and an empty hash. */
void rbv_task_put_file(rbv_json *json, const rbv_task_common *common, int i);
void rbv_task_put_path(rbv_json *json, const rbv_log_input *in);
void rbv_task_put_robot(rbv_json *json, const rbv_model *model, const char *path);

/* "2/4": first = 1, stride = 4. */
rbv_status rbv_task_parse_shard(ptrdiff_t *first, ptrdiff_t *stride, const char *text);

/* Run the jobs with their journal; the watcher of the thread can end them between two jobs. */
rbv_status rbv_task_run_jobs(const rbv_task_jobs *work, const rbv_notes *notes);

/* Write a text to a file, and tell it. */
rbv_status rbv_task_write(const rbv_task_common *common, const char *path, const char *text,
                          size_t size);

/* Fleets: compare the results, write them into a directory (NULL: none); from shards; JSON. */
rbv_status rbv_fleet_compare(rbv_fleet_comparison *fleet, bool *answer, const char *output);
rbv_status rbv_fleet_recall(rbv_fleet_comparison *fleet, rbv_journal *all);
void rbv_fleet_put(rbv_json *json, const rbv_fleet_comparison *fleet);
void rbv_fleet_comparison_free(rbv_fleet_comparison *fleet);

/* Give the results that a journal has to their jobs. */
rbv_status rbv_journal_take(rbv_journal *all, const rbv_jobs *jobs);

/* Write a page and its figures, where they are asked for; the page is freed. */
rbv_status rbv_task_write_page(rbv_report *page, const char *html, const char *plots,
                               const rbv_task_common *common);

/* Write the JSON object of put to a file. */
rbv_status rbv_task_save(const char *path, const task_kind *kind, const void *data);

/* The table of a study as CSV or JSON, by the extension; and its keys. */
rbv_status rbv_summary_output_check(const char *output);
rbv_status rbv_summary_save(const char *output, const rbv_montecarlo_summary *summary);
rbv_status rbv_summary_put(rbv_json *json, const rbv_montecarlo_summary *summary);

#endif
