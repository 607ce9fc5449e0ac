/* roberval excite: design an exciting trajectory, or score one. */
#include <math.h>
#include <roberval/sys/design.h>
#include <roberval/sys/device.h>
#include <roberval/sys/payload.h>
#include <roberval/sys/result.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "excite_output.h"
#include "journal_options.h"
#include "provenance.h"
#include "report_options.h"

#define OPTIONS 96       // capacity of the table
#define FORMATS 8        // largest number of trajectory formats
#define SHARDS_MAX 1000  // each reads the files of all others

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_design_options design;
  const char *file[FORMATS];  // one per format of trajectories
  const char *journal, *shard;
  const char *device;
  rbv_device *opened;  // NULL: the CPU
  cli_report report;
  double slow;
  bool resume, wrist;
  int poses;  // at rest; 0: a motion
  ptrdiff_t share, shares;
  cli_opt table[OPTIONS];   // all options
  cli_opt search[OPTIONS];  // those that a search depends on
} options;

/* ---- search ---- */

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

/* everything that the results of candidates depend on */
static rbv_status describe_search(const char **text, rbv_json *json, const cli_provenance *p,
                                  const options *o) {
  static const char *const but[] = {"budget", "rate", NULL};
  size_t size;
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  cli_put_sources(json, p);
  cli_put_options(json, o->search, but);
  if (o->opened) rbv_json_put_string(json, "device", rbv_device_name(o->opened));
  rbv_json_end(json);
  return rbv_json_finish(text, &size, json);
}

static rbv_status open_journal(rbv_journal **out, const rbv_design *d, const options *o,
                               const cli_provenance *p) {
  rbv_json *json;
  const char *text;
  rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return status;
  status = describe_search(&text, json, p, o);
  const rbv_jobs jobs = {.name = RBV_DESIGN_KIND, .description = text, .count = rbv_design_jobs(d)};
  if (status == RBV_OK)
    status = o->shard ? cli_open_share(out, o->journal, o->share, o->shares, &jobs, o->resume)
                      : rbv_journal_open(out, o->journal, &jobs, o->resume);
  rbv_json_free(json);
  if (status == RBV_OK && rbv_journal_done(*out) > 0)
    cli_message(&o->common, "%s%s%s: %td candidates were evaluated in an earlier run\n", o->journal,
                o->shard ? ", shard " : "", o->shard ? o->shard : "", rbv_journal_done(*out));
  return status;
}

/* run the search with its journal and a progress line; Ctrl-C keeps the best candidate so far */
static rbv_status solve(rbv_design *d, const options *o, const cli_provenance *p) {
  rbv_journal *journal = NULL;
  rbv_jobs_store store;
  meter m = {.show = isatty(STDERR_FILENO) && !o->common.quiet, .budget = o->design.budget_s};
  rbv_design_run run = {.share = o->share,
                        .shares = o->shares,
                        .progress = progress,
                        .payload = &m,
                        .device = o->opened};
  if (o->journal && !o->design.evaluate && rbv_team_leads()) {
    const rbv_status status = open_journal(&journal, d, o, p);
    if (status != RBV_OK) return status;
    store = rbv_journal_store(journal);
    run.store = &store;
  }
  struct sigaction action = {.sa_handler = on_interrupt}, old;
  sigaction(SIGINT, &action, &old);
  rbv_status status = rbv_design_solve(d, &run);
  sigaction(SIGINT, &old, NULL);
  if (status == RBV_OK && journal) status = rbv_journal_flush(journal);
  rbv_journal_free(journal);
  if (m.show && m.last > 0) fputc('\n', stderr);
  return status;
}

/* ---- files ---- */

/* "a.csv" with "_2" and "_slow" before its ending */
static void path_of(char *out, size_t size, const char *path, int count, int i, const char *more) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  char number[16] = "";
  if (count > 1) snprintf(number, sizeof number, "_%d", i + 1);
  snprintf(out, size, "%.*s%s%s%s", stem, path, number, more, path + stem);
}

static int write_file(const rbv_design *d, const options *o, int i, int format, double speed,
                      const char *provenance) {
  char path[4096], *text;
  size_t size;
  path_of(path, sizeof path, o->file[format], d->count, i, speed < 1 ? "_slow" : "");
  const rbv_status status = rbv_design_write(&text, &size, d, i, format, speed, provenance);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_told(&o->common, path, text, size);
  rbv_text_release(text);
  return code;
}

static int write_files(const rbv_design *d, const options *o, const cli_provenance *p) {
  rbv_json *json;
  const char *text;
  size_t size;
  rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  cli_put_provenance(json, p);
  rbv_json_end(json);
  status = rbv_json_finish(&text, &size, json);
  int code = status == RBV_OK ? EXIT_DONE : cli_fail(status);
  for (int i = 0; d->trajectory && i < d->count; i++) {
    for (int f = 0; f < FORMATS && code == EXIT_DONE; f++)
      if (o->file[f]) code = write_file(d, o, i, f, 1, text);
    if (code == EXIT_DONE && o->slow > 0) code = write_file(d, o, i, 0, o->slow, text);
  }
  rbv_json_free(json);
  return code;
}

static int write_report(const rbv_design *d, const options *o) {
  rbv_report *page;
  if (!o->report.html && !o->report.plots) return EXIT_DONE;
  const rbv_status status = rbv_report_design(&page, d);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(page, &o->report, &o->common);
  rbv_report_free(page);
  return code;
}

static int print_json(const rbv_design *d, const cli_provenance *p) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.excite/1");
  cli_put_provenance(json, p);
  rbv_design_put(json, d);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- the command ---- */

static cli_provenance sources_of(const options *o, const rbv_model *m, const char *robot) {
  const rbv_design_options *d = &o->design;
  cli_provenance p = {.model = m, .robot = robot, .options = o->table};
  cli_provenance_add(&p, "constraints", d->constraints);
  cli_provenance_add(&p, "prior", d->prior);
  cli_provenance_add(&p, "noise", d->noise);
  for (int i = 0; i < d->recordings.count; i++)
    cli_provenance_add(&p, "with", d->recordings.item[i]);
  for (int i = 0; i < d->controllers.count; i++)
    cli_provenance_add(&p, "controller", d->controllers.item[i]);
  cli_provenance_add(&p, "evaluate", d->evaluate);
  return p;
}

static int work(rbv_design *d, options *o, const char *robot) {
  // the provenance reads the options through the table
  o->design = d->options;
  const cli_provenance p = sources_of(o, d->model, robot);
  rbv_status status = RBV_OK;
  for (int f = 0; f < FORMATS && status == RBV_OK; f++)
    if (o->file[f]) status = rbv_design_allows(d, f);
  if (status == RBV_OK) status = solve(d, o, &p);
  if (status != RBV_OK) return cli_fail(status);
  if (!rbv_team_leads()) return EXIT_DONE;
  if (!d->info.feasible) {
    cli_error("%s", d->info.reason);
    return d->info.stopped ? EXIT_INTERRUPTED : EXIT_NO;
  }
  int code = write_files(d, o, &p);
  if (code == EXIT_DONE) code = write_report(d, o);
  if (code != EXIT_DONE) return code;
  if (o->common.json)
    code = print_json(d, &p);
  else
    cli_print_design(d);
  if (code != EXIT_DONE) return code;
  if (d->info.stopped) return EXIT_INTERRUPTED;
  const int broken = rbv_design_broken(d);
  if (broken >= 0) {
    cli_error("do not run this motion: %s", d->used[broken].reason);
    return EXIT_NO;
  }
  return isfinite(d->score.coupling) ? EXIT_DONE : EXIT_NO;
}

/* ---- poses ---- */

static int write_poses(const double *q, const rbv_model *m, const options *o) {
  char line[64];
  const int n = rbv_model_joint_count(m);
  char *text = calloc((size_t)(o->poses + 1) * (size_t)n, 32);
  if (!text) return cli_out_of_memory();
  for (int k = -1; k < o->poses; k++)
    for (int j = 0; j < n; j++) {
      if (k < 0)
        snprintf(line, sizeof line, "q%d%s", j + 1, j + 1 < n ? "," : "\n");
      else
        snprintf(line, sizeof line, "%.6f%s", q[k + j * o->poses], j + 1 < n ? "," : "\n");
      strcat(text, line);
    }
  const int code = cli_write_told(&o->common, o->file[0], text, strlen(text));
  free(text);
  return code;
}

/* poses at rest for `payload --static` */
static int propose_poses(const rbv_design *d, const rbv_model *m, const options *o) {
  double sigma[4];
  double *q = calloc((size_t)o->poses * (size_t)rbv_model_joint_count(m), sizeof *q);
  if (!q) return cli_out_of_memory();
  const rbv_status status =
      rbv_poses_choose(q, sigma, m, &d->constraints->value, o->poses, o->wrist, o->common.seed);
  int code = status == RBV_OK ? write_poses(q, m, o) : cli_fail(status);
  free(q);
  if (code != EXIT_DONE) return code;
  cli_message(
      &o->common,
      "%d poses; noise of %s gives sigma %.3g kg of the mass and (%.3g, %.3g, %.3g) kg m of "
      "the first moment\n",
      o->poses, o->wrist ? "1 N and 0.1 N m" : "1 N m", sigma[3], sigma[0], sigma[1], sigma[2]);
  cli_message(&o->common, "go from pose to pose on straight lines in joint space, in this order\n");
  return isfinite(sigma[3]) ? EXIT_DONE : EXIT_NO;
}

/* only the genetic search has candidates that do not depend on each other */
static int open_device(options *o, const rbv_design *d) {
  const bool genetic = d->options.search && strcmp(d->options.search, "ga") == 0;
  if (genetic && !o->design.evaluate && o->poses == 0) {
    char text[RBV_DEVICE_TEXT];
    const rbv_status status = rbv_device_open(&o->opened, text, o->device);
    if (status != RBV_OK) return cli_fail(status);
    if (text[0]) cli_message(&o->common, "%s\n", text);
    return -1;
  }
  if (strcmp(o->device, "cuda") != 0) return -1;
  return cli_usage("excite", "--device cuda needs --search ga");
}

static int run(options *o, const char *robot) {
  rbv_model *m;
  rbv_design *d;
  int code = cli_load_robot(&m, "excite", &o->robot, robot, &o->common);
  if (code >= 0) return code;
  const rbv_notes notes = cli_notes(&o->common);
  o->design.seed = o->common.seed;
  o->design.threads = o->common.threads;
  const rbv_status status = rbv_design_new(&d, m, &o->design, &notes);
  if (status == RBV_OK) code = open_device(o, d);
  if (code >= 0) {
    rbv_design_free(d);
    rbv_model_free(m);
    return code;
  }
  code = status != RBV_OK ? cli_fail(status)
         : o->poses > 0   ? propose_poses(d, m, o)
                          : work(d, o, robot);
  rbv_design_free(d);
  rbv_device_close(o->opened);
  rbv_model_free(m);
  return code;
}

static int check(options *o) {
  if (o->slow > 0 && !o->file[0]) return cli_usage("excite", "--slow needs --output");
  if (o->wrist && o->poses == 0) return cli_usage("excite", "--wrist needs --static");
  if (o->resume && !o->journal) return cli_usage("excite", "--resume needs --journal");
  if (o->journal && strcmp(o->design.target, "positions") == 0)
    return cli_usage("excite", "--for positions has no journal: it scores a few candidates");
  if (!o->shard) return -1;
  const int code = cli_read_shard(&o->share, &o->shares, "excite", o->shard);
  if (code >= 0) return code;
  if (!o->journal)
    return cli_usage(
        "excite", "--shard needs --journal FILE: shard I writes FILE.I and reads the other files");
  if (o->shares > SHARDS_MAX)
    return cli_usage("excite", "--shard: a search has at most %d shards", SHARDS_MAX);
  return -1;
}

/* one option for each format of trajectories; the first is --output */
static void add_formats(cli_opt rows[FORMATS + 1], char value[FORMATS][24], options *o) {
  const rbv_trajectory_format *f;
  int i = 0;
  for (; i < FORMATS && (f = rbv_trajectory_format_at(i)); i++) {
    snprintf(value[i], sizeof value[i], "FILE%s", f->extension);
    rows[i] = (cli_opt){.name = i == 0 ? "output" : f->name,
                        .letter = i == 0 ? 'o' : 0,
                        .kind = OPT_OUTPUT,
                        .target = &o->file[i],
                        .value = value[i],
                        .help = f->text,
                        .topic = CLI_FILES,
                        .basic = i == 0 || f->robot};
  }
  rows[i] = (cli_opt){0};
}

int cli_run_excite(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .device = RBV_DEVICE_DEFAULT,
               .design = rbv_design_defaults()};
  const rbv_option_group groups[] = {
      {rbv_design_rows(), &o.design}, {rbv_constraint_rows(), &o.design}, {0}};
  char value[FORMATS][24];
  cli_opt formats[FORMATS + 1];
  const cli_opt rest[] = {
      {"slow", 0, OPT_REAL, &o.slow, "F", "also write a copy at this fraction of the speed",
       RBV_SHARE_FROM(1e-3, 1), .topic = CLI_FILES},
      {"static", 0, OPT_COUNT, &o.poses, "N",
       "propose N poses at rest for payload --static instead", RBV_FROM(4, 1000), .topic = "poses"},
      {"wrist", 0, OPT_FLAG, &o.wrist, NULL, "poses for a force/torque sensor"},
      {"report", 0, OPT_OUTPUT, &o.report.html, "FILE.html", "write an HTML report",
       .topic = CLI_FILES, .basic = true},
      CLI_REPORT(o.report),
      {"journal", 0, OPT_OUTPUT, &o.journal, "FILE", "store the results of candidates in this file",
       .topic = CLI_WORK},
      {"shard", 0, OPT_TEXT, &o.shard, "I/N",
       "run as process I of N on one search, with journals FILE.1 ... FILE.N (array, array/N: of a "
       "job array)"},
      {"resume", 0, OPT_FLAG, &o.resume, NULL, "continue the search in the journal"},
      {"device", 0, OPT_TEXT, &o.device, "NAME",
       "compute on cpu (default), cuda, or auto: cuda if there is one", rbv_device_choice},
      {"friction", 0, OPT_TEXT, &o.robot.model.friction, "LIST",
       "also excite these terms of friction, such as Fl,Fp=0.01", .topic = "criterion"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  const cli_opt robot[] = {{"friction", 0, OPT_TEXT, &o.robot.model.friction, NULL, NULL},
                           CLI_ROBOT(o.robot),
                           {"seed", 0, OPT_SEED, &o.common.seed, NULL, NULL},
                           {0}};
  add_formats(formats, value, &o);
  int count = cli_add_rows(o.table, formats);
  count += cli_add_groups(o.table + count, groups);
  cli_add_rows(o.table + count, rest);
  cli_add_rows(o.search + cli_add_groups(o.search, groups), robot);
  int code = cli_parse(&count, argc, argv, "excite", o.table);
  if (code < 0) code = check(&o);
  return code >= 0 ? code : run(&o, argv[1]);
}
