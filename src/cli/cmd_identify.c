/* roberval identify: recordings in, parameters with their uncertainty out. */
#include <math.h>
#include <roberval/watch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "identify_fleet.h"
#include "identify_output.h"

/* ---- output ---- */

static void print_sensitivity(const rbv_sensitivity *row, const cli_common *common) {
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
}

static int show(const rbv_task *task, const cli_common *common, const void *self) {
  (void)self;
  const rbv_identify_task *t = rbv_task_data(task);
  const rbv_estimate *estimate = rbv_identification_estimate(t->job);
  int code = EXIT_DONE;
  if (common->json)
    code = cli_write_text(rbv_task_text(task));
  else if (common->verbose || (common->quiet && !t->output))
    cli_print_estimate(estimate, rbv_identification_model(t->job));
  if (code != EXIT_DONE) return code;
  if (t->output) cli_message(common, "written: %s\n", t->output);
  cli_print_open(estimate, common);
  cli_print_verdict(&rbv_identification_result(t->job)->verdict, common);
  return code;
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

static rbv_status work(rbv_task *task, const cli_common *common) {
  const rbv_identify_task *t = rbv_task_data(task);
  const bool shows = isatty(STDERR_FILENO) && !common->quiet;
  if (rbv_method_find(rbv_identification_get_options(t->job)->method)->loop == RBV_LOOP_OUTPUT) {
    signal(SIGINT, on_interrupt);
    rbv_watch(go_on, NULL);
  }
  rbv_identification_on_progress(t->job, shows ? show_round : NULL, NULL);
  const rbv_status status = rbv_task_work(task);
  if (shows) fprintf(stderr, "\r%56s\r", "");
  return status;
}

/* the command line, for what the task cannot know */
typedef struct {
  const cli_opt *own;  // options of the tool alone
  int argc;
  char **argv;
  const rbv_task_jobs *jobs;  // options that only a fleet has
} command_line;

/* name of the first given option that is recorded in results; NULL: none */
static const char *first_recorded(const rbv_task *task, const command_line *line) {
  cli_opt table[CLI_TABLE_MAX];
  const rbv_option_group *groups = rbv_task_groups(task);
  cli_add_rows(table + cli_add_groups(table, groups), line->own);
  for (int i = 1; i < line->argc; i++) {
    const char *value;
    void *target;
    const cli_opt *given = cli_option_at(&value, &i, line->argc, line->argv, table);
    if (!given || !rbv_identification_has_option(given->name)) continue;
    if (!rbv_option_find(&target, groups, given->name)->unrecorded) return given->name;
  }
  return NULL;
}

static int check(const rbv_task *task, const command_line *line) {
  const rbv_identify_task *t = rbv_task_data(task);
  if (line->jobs->shard || line->jobs->journal || line->jobs->resume)
    return cli_usage("identify", "--shard, --journal and --resume need --fleet");
  // without inputs the arguments are in their places
  const char *given = t->again && t->common.ninput == 0 ? first_recorded(task, line) : NULL;
  return given ? cli_usage("identify", "--again takes --%s from the result", given) : -1;
}

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  const rbv_identify_task *t = rbv_task_data(task);
  const int code = check(task, self);
  if (code >= 0) return code;
  rbv_status status = rbv_task_prepare(task);
  if (status != RBV_OK) return cli_fail_in("identify", status);
  if (!rbv_team_leads()) return EXIT_DONE;
  status = work(task, common);
  if (interrupted) *outcome = EXIT_INTERRUPTED;
  if (status == RBV_OK) {
    const rbv_model *model = rbv_identification_model(t->job);
    // output error has its own errors and unknowns
    const bool loop = rbv_identification_estimate(t->job)->loop.noutput > 0;
    if (common->verbose || loop) {
      cli_describe_pipelines(&rbv_identification_result(t->job)->cross_validation, common);
      cli_describe_friction(rbv_identification_friction(t->job), model, common);
      cli_describe_estimate(rbv_identification_estimate(t->job),
                            rbv_identification_prediction(t->job), model, common);
    }
    cli_summarise(rbv_identification_result(t->job), common);
    if (t->scan) print_sensitivity(t->sensitivity, common);
    cli_print_scan(&rbv_identification_result(t->job)->filter_scan, common);
    status = rbv_task_finish(task);
  }
  if (status == RBV_OK) return -1;
  const int failed = cli_fail_in("identify", status);
  return interrupted && (failed <= EXIT_NO || status == RBV_ECANCELLED) ? EXIT_INTERRUPTED : failed;
}

/* ---- the command ---- */

static bool has_fleet(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--fleet") == 0 || strncmp(argv[i], "--fleet=", 8) == 0) return true;
  return false;
}

int cli_run_identify(int argc, char **argv) {
  const char *fleet = NULL;
  rbv_task_jobs jobs = {0};
  if (has_fleet(argc, argv)) return cli_run_fleet(argc, argv);
  const cli_opt own[] = {
      CLI_FLEET(fleet),
      {"shard", 0, OPT_TEXT, &jobs.shard, "I/N",
       "run every N-th job from the I-th (array: of a job array); -o FILE is "
       "for merge"},
      {"journal", 0, OPT_OUTPUT, &jobs.journal, "FILE", "store finished jobs in this file"},
      {"resume", 0, OPT_FLAG, &jobs.resume, NULL, "continue the journal or the file of the shard"},
      {0}};
  const command_line line = {own, argc, argv, &jobs};
  return cli_run_task(
      argc, argv,
      &(cli_task){.command = "identify", .own = own, .show = show, .run = run, .self = &line});
}
