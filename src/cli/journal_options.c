#include "journal_options.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int cancelled;  // by Ctrl-C; a second one ends the process

static void on_interrupt(int number) {
  (void)number;
  rbv_cancel(&cancelled);
}

/* ---- progress ---- */

typedef struct {
  bool shown;
  ptrdiff_t found;  // jobs from an earlier run: not part of the time estimate
  double start;
} meter;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void progress(void *payload, ptrdiff_t done, ptrdiff_t total) {
  meter *m = payload;
  const double seconds = now() - m->start;
  const double left = seconds * (double)(total - done) / (double)(done - m->found);
  fprintf(stderr, "\r%td of %td jobs (%.0f %%), %.0f s, %.0f s left   ", done, total,
          100 * (double)done / (double)total, seconds, left);
  m->shown = true;
}

/* ---- shards ---- */

/* variables of job arrays: number of this task, lowest and highest number of the array, distance of
 * two numbers, number of tasks (NULL: the system has none) */
static const struct {
  const char *task, *lowest, *highest, *step, *count;
} arrays[] = {{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
               "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
              {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", NULL}};

/* task I of N tasks by its number alone: a lost task can be started again in an array of its own */
static const struct {
  const char *task;
  int first;  // number of the first task
} numbered[] = {{"SLURM_ARRAY_TASK_ID", 1}, {"SGE_TASK_ID", 1}, {"JOB_COMPLETION_INDEX", 0}};

/* a whole number of the environment; false: there is none */
static bool read_variable(int *out, const char *name) {
  const char *text = getenv(name);
  int used = 0;
  return text && sscanf(text, "%d%n", out, &used) == 1 && !text[used];
}

/* the task of a job array, whose numbers have the same distance */
static int read_array(ptrdiff_t *first, ptrdiff_t *stride, const char *command) {
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    int task, lowest, highest, step = 1, count;
    if (!read_variable(&task, arrays[i].task)) continue;
    if (!read_variable(&lowest, arrays[i].lowest) || !read_variable(&highest, arrays[i].highest) ||
        task < lowest || task > highest)
      return cli_usage(command, "--shard array: %s is set, but not %s and %s around it",
                       arrays[i].task, arrays[i].lowest, arrays[i].highest);
    if (getenv(arrays[i].step) && (!read_variable(&step, arrays[i].step) || step < 1))
      return cli_usage(command, "--shard array: %s must be a whole number above 0, not '%s'",
                       arrays[i].step, getenv(arrays[i].step));
    const long tasks = ((long)highest - lowest) / step + 1;
    const bool counted = arrays[i].count && read_variable(&count, arrays[i].count);
    if (((long)task - lowest) % step != 0 || (counted && count != tasks))
      return cli_usage(
          command,
          "--shard array: the numbers of the job array have gaps, so that shards would "
          "be missing: use a range such as 1-10");
    if (tasks == 1)
      return cli_usage(command,
                       "--shard array: the job array has one task, which would run all jobs: use "
                       "--shard array/N to run one of N tasks again");
    *first = ((long)task - lowest) / step;
    *stride = tasks;
    return -1;
  }
  return cli_usage(command,
                   "--shard array needs the variables of a job array, %s or %s. Indexed jobs of "
                   "Kubernetes: use --shard array/N. Other systems: use --shard I/N with their "
                   "variable, such as $PBS_ARRAY_INDEX/10",
                   arrays[0].task, arrays[1].task);
}

/* one of N tasks, which are numbered from 1, in Kubernetes from 0 */
static int read_number(ptrdiff_t *first, ptrdiff_t *stride, const char *command, int n) {
  for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
    int task;
    const int lowest = numbered[i].first;
    if (!getenv(numbered[i].task)) continue;
    if (!read_variable(&task, numbered[i].task) || task < lowest || task - lowest >= n)
      return cli_usage(command, "--shard array/%d: %s must be a number from %d to %d, not '%s'", n,
                       numbered[i].task, lowest, n - 1 + lowest, getenv(numbered[i].task));
    *first = task - lowest;
    *stride = n;
    return -1;
  }
  return cli_usage(command, "--shard array/N needs %s, %s or %s", numbered[0].task,
                   numbered[1].task, numbered[2].task);
}

int cli_read_shard(ptrdiff_t *first, ptrdiff_t *stride, const char *command, const char *text) {
  int i, n, used = 0;
  if (strcmp(text, "array") == 0) return read_array(first, stride, command);
  if (sscanf(text, "array/%d%n", &n, &used) == 1 && !text[used] && n >= 1)
    return read_number(first, stride, command, n);
  if (sscanf(text, "%d/%d%n", &i, &n, &used) != 2 || text[used] || i < 1 || n < i)
    return cli_usage(command, "--shard must be I/N with I from 1 to N, array or array/N, not '%s'",
                     text);
  *first = i - 1;
  *stride = n;
  return -1;
}

static int report_shard(const rbv_jobs_info *info, bool interrupted, const char *file,
                        const cli_common *common) {
  cli_message(common, "%s: %td of %td jobs%s\n", file, info->done, info->total,
              interrupted ? ", interrupted. Use --resume to continue" : "");
  return interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* ---- running ---- */

static rbv_status run(rbv_jobs_info *info, const rbv_jobs *jobs, rbv_jobs_options *o,
                      rbv_journal *journal, bool show) {
  meter m = {.start = now(), .found = journal ? rbv_journal_done(journal) : 0};
  if (show) o->progress = progress;
  o->payload = &m;
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, old;
  sigaction(SIGINT, &action, &old);
  const rbv_status status = rbv_jobs_run(info, jobs, o);
  sigaction(SIGINT, &old, NULL);
  if (m.shown) fputc('\n', stderr);
  return status == RBV_OK && journal ? rbv_journal_flush(journal) : status;
}

int cli_jobs_run(bool *interrupted, const char *command, const rbv_task_jobs *how,
                 const cli_common *common) {
  rbv_jobs_options o = {.threads = how->threads, .cancel = &cancelled};
  const bool leads = rbv_team_leads();
  const char *path = how->shard ? how->shard_file : how->journal;
  const int code = how->shard ? cli_read_shard(&o.first, &o.stride, command, how->shard) : -1;
  if (code >= 0) return code;
  if (how->shard && !how->shard_file)
    return cli_usage(command, "--shard needs -o FILE, the input of roberval merge");
  if (how->shard && how->journal)
    return cli_usage(command, "--shard uses the file of -o as its journal. Remove --journal");
  if (how->resume && !path) return cli_usage(command, "--resume needs --journal or --shard");
  rbv_journal *journal = NULL;
  rbv_jobs_store store;
  if (path && leads) {
    const rbv_status status = rbv_journal_open(&journal, path, how->jobs, how->resume);
    if (status != RBV_OK) return cli_fail(status);
    store = rbv_journal_store(journal);
    o.store = &store;
  }
  rbv_jobs_info info;
  const rbv_status status = run(&info, how->jobs, &o, journal,
                                (isatty(STDERR_FILENO) || common->verbose) && !common->quiet);
  *interrupted = info.done < info.total;
  if (status == RBV_OK && info.found > 0)
    cli_message(common, "%s: %td of %td jobs were done in an earlier run\n", path, info.found,
                info.total);
  rbv_journal_free(journal);
  if (status != RBV_OK) return cli_fail(status);
  if (!leads) return EXIT_DONE;
  return how->shard ? report_shard(&info, *interrupted, path, common) : -1;
}
