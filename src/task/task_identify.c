/* The task identify: recordings in, parameters with their uncertainty out. */
#include <string.h>

#include "task/task_internal.h"

#define TASK rbv_identify_task

static const rbv_option rows[] = {
    TASK_ROW("filter", TEXT, scan, "auto",
             "auto: also show how decimation and mask change the result", .topic = "filters"),
    TASK_ROW("output", OUTPUT, output, "RESULT.json",
             "write the result here; of a fleet, the results into this directory", .letter = 'o',
             .topic = "output", .basic = true),
    TASK_ROW("again", FILE, again, "RESULT.json",
             "repeat the run that made this result, with its options and logs"),
    TASK_ROW("report", OUTPUT, report, "FILE.html", "write the report here", .basic = true),
    TASK_PLOTS,
    {0}};

static void defaults(void *data) {
  rbv_identify_task *t = data;
  t->options = rbv_identification_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_identify_task *t = data;
  rbv_identification_groups(out, &t->options);
  while (out->rows) out++;
  out[0] = (rbv_option_group){rows, t};
}

static void forget(void *data) {
  rbv_identify_task *t = data;
  rbv_identification_free(t->job);
}

static rbv_status check_options(const rbv_identify_task *t) {
  const int n = t->common.ninput;
  if (t->scan && strcmp(t->scan, "auto") != 0)
    return rbv_fail_option(RBV_EOPTION, "filter", "filter can only be auto, not '%s'", t->scan);
  if (t->again && n > 0)
    return rbv_fail_option(RBV_EOPTION, "again",
                           "again takes the robot and the logs from the result");
  if (!t->again && n < 2)
    return rbv_fail(RBV_EOPTION, "%s", n == 0 ? "ROBOT is missing" : "LOG is missing");
  return rbv_identification_check(&t->options);
}

static rbv_status prepare(void *data) {
  rbv_identify_task *t = data;
  const rbv_task_common *c = &t->common;
  RBV_TRY(check_options(t));
  if (t->again) {
    RBV_TRY(rbv_identification_again(&t->job, t->again));
    // the number of threads does not change the numbers
    rbv_identification_get_options(t->job)->threads = t->options.threads;
  } else {
    RBV_TRY(c->robot ? rbv_identification_of(&t->job, c->robot)
                     : rbv_identification_new(&t->job, c->input[0]));
    *rbv_identification_get_options(t->job) = t->options;
    for (int i = 1; i < c->ninput; i++)
      RBV_TRY(c->log[i] ? rbv_identification_add_recording(t->job, c->log[i], RBV_RECORDING_FIT)
                        : rbv_identification_add_log(t->job, c->input[i]));
  }
  rbv_identification_on_note(t->job, c->notes.note, c->notes.self);
  return RBV_OK;
}

static rbv_status run(void *data) {
  rbv_identify_task *t = data;
  RBV_TRY(rbv_identification_run(t->job));
  return t->scan ? rbv_identification_sensitivity(t->sensitivity, t->job) : RBV_OK;
}

/* ---- files ---- */

static rbv_status finish(void *data) {
  rbv_identify_task *t = data;
  t->common.answer = rbv_identification_result(t->job)->verdict.level != RBV_VERDICT_NO;
  if (t->output) RBV_TRY(rbv_identification_save(t->job, t->output));
  if (!t->report && !t->plots) return RBV_OK;
  rbv_report_input input = rbv_report_input_of(t->job);
  rbv_date date;
  rbv_report *page;
  input.date = rbv_page_date(&date);
  RBV_TRY(rbv_report_new(&page, &input));
  return rbv_task_write_page(page, t->report, t->plots, &t->common);
}

static rbv_status text(char **out, size_t *size, const void *data) {
  const rbv_identify_task *t = data;
  return rbv_result_write(out, size, rbv_identification_result(t->job));
}

const task_kind rbv_identify_kind = {.name = "identify",
                                     .inputs = "ROBOT LOG [LOG ...]",
                                     .objects = true,
                                     .size = sizeof(rbv_identify_task),
                                     .made = offsetof(rbv_identify_task, job),
                                     .defaults = defaults,
                                     .groups = groups,
                                     .prepare = prepare,
                                     .run = run,
                                     .finish = finish,
                                     .forget = forget,
                                     .text = text};
