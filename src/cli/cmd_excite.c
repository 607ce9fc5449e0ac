/* roberval excite: design an exciting trajectory, or score one. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "excite_output.h"
#include "journal_options.h"
#include "task_command.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

typedef struct {
  bool show;
  double last;
  double budget;  // [s]; 0: no limit
} meter;

static bool progress(void *payload, double seconds, double best, long evaluations) {
  meter *m = payload;
  if (m->show && seconds - m->last > 0.2) {
    m->last = seconds;
    fprintf(stderr, "\r%6.1f s", seconds);
    if (m->budget > 0)
      fprintf(stderr, " (%3.0f %% of the budget, %.0f s left)", 100 * fmin(1, seconds / m->budget),
              fmax(0, m->budget - seconds));
    fprintf(stderr, "  %9ld candidates  best %-14.6g", evaluations, best);
    fflush(stderr);
  }
  return !interrupted;
}

/* run the search with a progress line; Ctrl-C keeps the best candidate so far */
static rbv_status solve(const rbv_excite_task *t, rbv_design_run *run, const cli_common *common) {
  meter m = {.show = isatty(STDERR_FILENO) && !common->quiet, .budget = t->design.budget_s};
  run->progress = progress;
  run->payload = &m;
  struct sigaction action = {.sa_handler = on_interrupt}, old;
  sigaction(SIGINT, &action, &old);
  const rbv_status status = rbv_excite_task_solve(t, run);
  sigaction(SIGINT, &old, NULL);
  if (m.show && m.last > 0) fputc('\n', stderr);
  return status;
}

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  const rbv_excite_task *t = rbv_task_data(task);
  rbv_design_run how = {0};
  (void)self;
  rbv_status status = rbv_task_prepare(task);
  if (status != RBV_OK) return cli_fail_in("excite", status);
  const int code = t->shard ? cli_read_shard(&how.share, &how.shares, "excite", t->shard) : -1;
  if (code >= 0) return code;
  status = t->poses > 0 ? rbv_task_work(task) : solve(t, &how, common);
  if (status == RBV_OK && !rbv_team_leads()) return EXIT_DONE;
  if (status == RBV_OK && t->poses == 0) {
    if (t->found->info.stopped) *outcome = EXIT_INTERRUPTED;
    if (!t->found->info.feasible) {
      cli_error("%s", t->found->info.reason);
      return t->found->info.stopped ? EXIT_INTERRUPTED : EXIT_NO;
    }
  }
  if (status == RBV_OK) status = rbv_task_finish(task);
  return status == RBV_OK ? -1 : cli_fail_in("excite", status);
}

static int print_poses(const rbv_excite_task *t) {
  char *text;
  size_t size;
  if (t->file[0]) return EXIT_DONE;
  const rbv_status status = rbv_excite_task_poses(&text, &size, t);
  const int code = status == RBV_OK ? cli_write_text(text) : cli_fail(status);
  rbv_text_release(text);
  return code;
}

static int show(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_excite_task *t = rbv_task_data(task);
  int code = EXIT_DONE;
  (void)self;
  if (common->json)
    code = cli_write_text(rbv_task_text(task));
  else if (t->poses > 0)
    code = print_poses(t);
  else
    cli_print_design(t->found);
  const int broken = t->poses > 0 ? -1 : rbv_design_broken(t->found);
  if (code == EXIT_DONE && broken >= 0 && !t->found->info.stopped)
    cli_error("do not run this motion: %s", t->found->used[broken].reason);
  return code;
}

int cli_run_excite(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "excite", .run = run, .show = show});
}
