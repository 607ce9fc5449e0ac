/* roberval identify: recordings in, parameters with their uncertainty out. */
#include <math.h>
#include <roberval/sys/identification.h>
#include <roberval/watch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "identify_fleet.h"
#include "identify_output.h"
#include "report_options.h"

#define OWN_ROWS 16  // options of the command itself, and those of all commands
#define TABLE_MAX 100

typedef struct {
  cli_common common;
  rbv_identification_options identification;
  const char *again, *fleet, *output, *scan;
  cli_report report;
  cli_jobs jobs;
} options;

/* ---- output ---- */

/* print the warnings of the report about implausible values; does not change the estimate */
static int print_warnings(const rbv_report_input *input, const cli_common *common) {
  static const char *const rules[] = {"negative", "prior", "urdf", "instruments"};
  rbv_report *report;
  const rbv_status status = rbv_report_verdict(&report, input);
  if (status != RBV_OK) return cli_fail(status);
  for (int i = 0; i < report->nreason; i++)
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
      if (report->reason[i].level > RBV_VERDICT_USABLE &&
          strcmp(report->reason[i].rule, rules[k]) == 0)
        cli_message(common, "%s: %s\n", rbv_verdict_name(report->reason[i].level),
                    report->reason[i].text);
  rbv_report_free(report);
  return EXIT_DONE;
}

static int write_report(const rbv_identification *job, const options *o) {
  rbv_report_input input = rbv_report_input_of(job);
  rbv_date date;
  input.date = rbv_page_date(&date);
  const int code = print_warnings(&input, &o->common);
  return code == EXIT_DONE ? cli_write_report(&o->report, &input, &o->common) : code;
}

static int write_result(const rbv_identification *job, const options *o) {
  char *json = NULL;
  size_t size;
  const rbv_status status = rbv_result_write(&json, &size, rbv_identification_result(job));
  int code = status == RBV_OK ? EXIT_DONE : cli_fail(status);
  if (code == EXIT_DONE && o->output) code = cli_write(o->output, json, size);
  if (code == EXIT_DONE && o->common.json) code = cli_write(NULL, json, size);
  if (code == EXIT_DONE) code = write_report(job, o);
  rbv_text_release(json);
  return code;
}

static int print_sensitivity(const rbv_identification *job, const cli_common *common) {
  rbv_sensitivity row[RBV_SENSITIVITY_ROWS];
  const rbv_status status = rbv_identification_sensitivity(row, job);
  if (status != RBV_OK) return cli_fail(status);
  cli_message(common,
              "sensitivity: decimation, mask [rad/s], error, largest change of a parameter, "
              "Durbin-Watson of the torques\n");
  for (int i = 0; i < RBV_SENSITIVITY_ROWS; i++) {
    // without a mask three rows are the same
    if (i % 3 > 0 && row[i].mask == row[i - 1].mask) continue;
    cli_message(common, "  %5d %8.3g %8.2f %% %8.2f sigma   %.2f to %.2f\n", row[i].decimate,
                row[i].mask, 100 * row[i].error, row[i].largest_move, row[i].durbin_watson[0],
                row[i].durbin_watson[1]);
  }
  return -1;
}

/* print what is wrong with the recordings; returns the exit code */
static int print_findings(const rbv_identification *job, const options *o, int code) {
  const rbv_finding *f;
  int n = 0;
  for (; (f = rbv_identification_finding(job, n)); n++)
    cli_message(&o->common, f->option ? "%s: %s (see --%s)\n" : "%s: %s\n",
                o->identification.unchecked ? "unchecked" : "error", f->sentence, f->option);
  if (n == 0 || o->identification.unchecked) return code;
  cli_message(&o->common,
              "do not use this result: fix the recordings, or accept them with --unchecked\n");
  return code == EXIT_DONE ? EXIT_NO : code;
}

static int report_result(const rbv_identification *job, const options *o) {
  const rbv_estimate *estimate = rbv_identification_estimate(job);
  const rbv_model *model = rbv_identification_model(job);
  cli_describe_friction(rbv_identification_friction(job), model, &o->common);
  cli_describe_estimate(estimate, rbv_identification_prediction(job), model, &o->common);
  int code = o->scan ? print_sensitivity(job, &o->common) : -1;
  if (code < 0) code = write_result(job, o);
  if (code != EXIT_DONE) return code;
  if (!o->common.json && !(o->output && o->common.quiet)) cli_print_estimate(estimate, model);
  if (o->output) cli_message(&o->common, "written: %s\n", o->output);
  return print_findings(job, o, cli_estimate_code(estimate, &o->common));
}

/* ---- running ---- */

/* progress: one line of the terminal, at most 56 columns wide, overwritten each time */
static void show_round(void *self, int iteration, const rbv_iteration *now) {
  (void)self;
  fprintf(stderr, "\riteration %2d  error %8.3f %%", iteration, 100 * now->residual);
  if (isfinite(now->change)) fprintf(stderr, "  change %9.3g sigma", now->change);
  fflush(stderr);
}

/* ---- Ctrl-C ends a search that keeps its best values ---- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

static bool go_on(void *self, const char *stage, double done) {
  (void)self, (void)stage, (void)done;
  return !interrupted;
}

static int run(rbv_identification *job, const options *o) {
  if (rbv_identify_fits_positions(rbv_identification_get_options(job)->method)) {
    signal(SIGINT, on_interrupt);
    rbv_watch(go_on, NULL);
  }
  const bool show = isatty(STDERR_FILENO) && !o->common.quiet;
  rbv_identification_on_note(job, cli_note, (void *)(uintptr_t)&o->common);
  rbv_identification_on_progress(job, show ? show_round : NULL, NULL);
  const rbv_status status = rbv_identification_run(job);
  if (show) fprintf(stderr, "\r%56s\r", "");
  const int code = status == RBV_OK ? report_result(job, o) : cli_fail_in("identify", status);
  return interrupted && (code <= EXIT_NO || status == RBV_ECANCELLED) ? EXIT_INTERRUPTED : code;
}

/* the job of --again; options that do not change the numbers may differ */
static rbv_status repeat(rbv_identification **out, const options *o) {
  const rbv_status status = rbv_identification_again(out, o->again);
  if (status == RBV_OK) rbv_identification_get_options(*out)->threads = o->common.threads;
  return status;
}

static rbv_status new_job(rbv_identification **out, const options *o, char **argv, int count) {
  if (o->again) return repeat(out, o);
  rbv_status status = rbv_identification_new(out, argv[1]);
  if (status != RBV_OK) return status;
  *rbv_identification_get_options(*out) = o->identification;
  for (int i = 2; i <= count && status == RBV_OK; i++)
    status = rbv_identification_add_log(*out, argv[i]);
  return status;
}

/* ---- the command ---- */

static void fill_table(cli_opt *table, options *o) {
  const cli_opt own[] = {
      {"filter", 0, OPT_TEXT, &o->scan, "auto",
       "auto: also show how decimation and mask change the result", .topic = "filters"},
      {"output", 'o', OPT_TEXT, &o->output, "RESULT.json",
       "write the result here; with --fleet, the results into this directory", .topic = CLI_FILES},
      {"again", 0, OPT_FILE, &o->again, "RESULT.json",
       "repeat the run that made this result, with its options and logs"},
      {"report", 0, OPT_TEXT, &o->report.html, "FILE.html", "write the report here"},
      {"fleet", 0, OPT_FILE, &o->fleet, "MANIFEST.yaml",
       "identify all robots of this list and find those that differ", .topic = CLI_WORK},
      CLI_JOBS(o->jobs),
      CLI_REPORT(o->report),
      CLI_OUTPUT(o->common),
      {0}};
  _Static_assert(sizeof own <= OWN_ROWS * sizeof *own, "OWN_ROWS is too small");
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_groups(groups, &o->identification);
  const int count = cli_add_groups(table, groups);
  cli_add_rows(table + count, own);
}

static int run_fleet(const options *o, const cli_opt *table, int argc, char **argv, int count) {
  if (count > 0) return cli_usage("identify", "--fleet takes robots and logs from its manifest");
  if (o->report.html || o->report.plots || o->scan)
    return cli_usage("identify", "--report, --plots and --filter are for one robot, not a --fleet");
  return cli_run_fleet(o->fleet, table, argc, argv, o->output, &o->jobs, &o->common);
}

/* the first given option that is recorded in results; NULL: none */
static const cli_opt *first_recorded(const cli_opt *table, int argc, char **argv) {
  rbv_identification_options unused = rbv_identification_defaults();
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_groups(groups, &unused);
  for (int i = 1; i < argc; i++) {
    const char *value;
    void *target;
    const cli_opt *given = cli_option_at(&value, &i, argc, argv, table);
    const rbv_option *row = given ? rbv_option_find(&target, groups, given->name) : NULL;
    if (row && !row->unrecorded) return given;
  }
  return NULL;
}

static int check(const options *o, const cli_opt *table, int argc, char **argv, int count) {
  if (o->scan && strcmp(o->scan, "auto") != 0)
    return cli_usage("identify", "--filter can only be auto, not '%s'", o->scan);
  if (o->jobs.shard || o->jobs.journal || o->jobs.resume)
    return cli_usage("identify", "--shard, --journal and --resume need --fleet");
  if (o->again && count > 0)
    return cli_usage("identify", "--again takes the robot and the logs from the result");
  if (o->again) {
    const cli_opt *given = first_recorded(table, argc, argv);
    if (given) return cli_usage("identify", "--again takes --%s from the result", given->name);
  }
  if (!o->again && count < 2)
    return cli_usage("identify", "%s", count == 0 ? "ROBOT is missing" : "LOG is missing");
  const rbv_status status = rbv_identification_check(&o->identification);
  return status == RBV_OK ? -1 : cli_fail_in("identify", status);
}

int cli_run_identify(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .identification = rbv_identification_defaults()};
  cli_opt table[TABLE_MAX] = {0};
  int count;
  fill_table(table, &o);
  int code = cli_parse(&count, argc, argv, "identify", table);
  if (code >= 0) return code;
  o.common.seed = o.identification.seed;
  o.common.threads = o.identification.threads;
  if (o.fleet) return run_fleet(&o, table, argc, argv, count);
  code = check(&o, table, argc, argv, count);
  if (code >= 0) return code;
  if (!rbv_team_leads()) return EXIT_DONE;
  rbv_identification *job = NULL;
  const rbv_status status = new_job(&job, &o, argv, count);
  code = status == RBV_OK ? run(job, &o) : cli_fail_in("identify", status);
  rbv_identification_free(job);
  return code;
}
