/* What the files of the module task share; not installed. */
#ifndef TASK_TASK_INTERNAL_H
#define TASK_TASK_INTERNAL_H

#include <roberval/sys/task.h>

#include "job/job_internal.h"

#define TASK_GROUPS 8  // of options, with the one that ends the list

/* One kind of tasks. data is the structure of the kind, which begins with rbv_task_common. */
typedef struct {
  const char *name, *inputs;
  int least, most;  // inputs; most 0: any number
  size_t size;      // of the structure
  void (*defaults)(void *data);
  void (*groups)(rbv_option_group *out, void *data);  // without that of the common rows
  rbv_status (*prepare)(void *data);                  // before run; NULL: nothing
  rbv_status (*run)(void *data);
  rbv_status (*finish)(void *data);  // after run; NULL: nothing. The last of them sets answer
  void (*forget)(void *data);        // free what a run made
  rbv_status (*put)(rbv_json *json, const void *data);    // keys of an open map
  const rbv_recordings *(*recordings)(const void *data);  // NULL: none that are questioned
  bool (*has_text)(const void *data);                     // NULL: always
  // an option that changes the defaults of others; NULL: none
  const char *preset;
  rbv_status (*apply)(void *data);
} task_kind;

extern const task_kind rbv_check_kind, rbv_simulate_kind, rbv_validate_kind, rbv_compare_kind,
    rbv_payload_kind, rbv_montecarlo_kind, rbv_merge_kind, rbv_export_kind;

/* Seed and threads. */
const rbv_option *rbv_task_common_rows(void);

/* A row of an option table: kind without RBV_OPTION_, member of the structure TASK. */
#define TASK_ROW(name_, kind_, member, value_, help_, ...)                         \
  {                                                                                \
    .name = (name_), .kind = RBV_OPTION_##kind_, .offset = offsetof(TASK, member), \
    .value = (value_), .help = (help_), __VA_ARGS__                                \
  }

/* "5%" is 0.05 and a share, "5" is 5; false: not a positive number. */
bool rbv_limit_parse(double *out, bool *share, const char *text);

/* rbv_recordings_add with threads and quick questions. */
rbv_status rbv_task_recordings_add(rbv_recordings *all, const rbv_task_common *common,
                                   const rbv_model *model, const rbv_recording_options *options,
                                   const rbv_recording_use *use, const char *const *paths,
                                   int count, const rbv_notes *notes);

/* Write the JSON object of put to a file. */
rbv_status rbv_task_save(const char *path, const task_kind *kind, const void *data);

/* The table of a study as CSV or JSON, by the extension; and its keys. */
rbv_status rbv_summary_output_check(const char *output);
rbv_status rbv_summary_save(const char *output, const rbv_montecarlo_summary *summary);
rbv_status rbv_summary_put(rbv_json *json, const rbv_montecarlo_summary *summary);

#endif
