/* roberval excite: design an exciting trajectory, or score one. */
#include <math.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/result.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "excite_constraints.h"
#include "excite_output.h"
#include "journal_options.h"
#include "recordings.h"

#define UR_RATE_HZ 125
#define SHARDS_MAX 1000  // each looks at all of the others' files

typedef struct {
  cli_common common;
  cli_robot robot;
  cli_constraints constraints;
  const char *kind, *criterion, *search, *columns;
  const char *journal, *shard, *output, *coefficients, *ros, *urscript, *noise, *prior, *evaluate,
      *frequencies;
  cli_list parameters, recordings;
  cli_report report;
  double period_s, rate_hz, blend_s, slow, fly_by, lambda;
  bool resume, mean, unsynchronised, trapezoid, phases, no_polish;
  int harmonics, periods;
  rbv_search_options find;
  const cli_opt *table;
} options;

/* all that a run owns */
typedef struct {
  rbv_model *model;
  rbv_excite *excite;
  rbv_excite_options how;
  rbv_result *result;
  double *prior, *noise, *low, *high;
  int *target;
  rbv_motion **motion;
  cli_provenance provenance;
  cli_excited found;
} job;

/* ---- what is asked for ---- */

static int read_prior(job *j, const options *o) {
  const int n = rbv_model_column_count(j->model);
  const double *given = rbv_model_parameters(j->model);
  j->prior = calloc((size_t)n, sizeof *j->prior);
  if (!j->prior) return cli_out_of_memory();
  if (!o->prior && !given) {
    free(j->prior);
    j->prior = NULL;
    return -1;
  }
  if (!o->prior) {
    memcpy(j->prior, given, (size_t)n * sizeof *j->prior);
    return -1;
  }
  rbv_parameters *set = NULL;
  rbv_status status = rbv_parameters_load(&set, o->prior);
  if (status == RBV_OK) status = rbv_parameters_apply(j->prior, NULL, set, j->model);
  rbv_parameters_free(set);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* Radkhah 2007 section II.D: the noise that the last identification saw */
static int read_noise(job *j, const options *o) {
  const int nrow = rbv_model_row_count(j->model);
  if (!o->noise) return -1;
  rbv_status status = rbv_result_load(&j->result, o->noise);
  if (status != RBV_OK) return cli_fail(status);
  j->noise = calloc((size_t)nrow, sizeof *j->noise);
  if (!j->noise) return cli_out_of_memory();
  for (int r = 0; r < nrow; r++) {
    const rbv_row *row = rbv_model_row(j->model, r);
    for (int i = 0; i < j->result->fit.nrow; i++) {
      const rbv_row_fit *f = &j->result->fit.row[i];
      if (f->joint == row->joint && f->torque == row->torque)
        j->noise[r] = f->sigma > 0 ? f->sigma : f->rms;
    }
    if (!(j->noise[r] > 0)) {
      fprintf(stderr, "roberval: %s says nothing of the noise of joint %d's torque\n", o->noise,
              row->joint + 1);
      return EXIT_INPUT;
    }
  }
  return -1;
}

static int find_targets(job *j, const options *o, const rbv_base *base) {
  j->target = calloc((size_t)o->parameters.count + 1, sizeof *j->target);
  if (!j->target) return cli_out_of_memory();
  for (int i = 0; i < o->parameters.count; i++) {
    const int column = rbv_model_find(j->model, o->parameters.item[i]);
    j->target[i] = -1;
    for (int b = 0; b < base->count; b++)
      if (column >= 0 && base->kept[b] == column) j->target[i] = b;
    if (j->target[i] < 0)
      return cli_usage("excite", "'%s' is no base parameter of this robot", o->parameters.item[i]);
  }
  return -1;
}

static int understand(job *j, const options *o) {
  j->how = rbv_excite_defaults();
  if (!rbv_criterion_parse(&j->how.criterion, o->criterion))
    return cli_usage("excite",
                     "--criterion can be cond, dopt, det, coupling, mixed or sigma, not '%s'",
                     o->criterion);
  static const char *const columns[] = {"all", "rigid", "inertial"};
  int found = -1;
  for (int i = 0; i < 3; i++)
    if (strcmp(o->columns, columns[i]) == 0) found = i;
  if (found < 0)
    return cli_usage("excite", "--columns can be all, rigid or inertial, not '%s'", o->columns);
  if (!(o->lambda >= 0 && o->lambda <= 1))
    return cli_usage("excite", "--lambda is a weight between 0 and 1");
  if (!(o->rate_hz > 0)) return cli_usage("excite", "--rate must be positive");
  if (!(o->slow >= 0 && o->slow <= 1))
    return cli_usage("excite", "--slow is a fraction of the speed, up to 1");
  if (o->slow > 0 && !o->output) return cli_usage("excite", "--slow goes beside -o");
  j->how.columns = (rbv_columns)found;
  j->how.lambda = o->lambda;
  j->how.mean = o->mean;
  int code = read_prior(j, o);
  if (code < 0) code = read_noise(j, o);
  if (code >= 0) return code;
  if (j->how.criterion == RBV_CRITERION_SIGMA && !j->prior)
    return cli_usage("excite", "--criterion sigma needs values: give a --prior");
  j->how.prior = j->prior;
  j->how.noise = j->noise;
  if (o->parameters.count > 0) {
    // names are those of the base set
    rbv_base *base;
    rbv_base_options b = rbv_base_defaults();
    b.columns = j->how.columns;
    const rbv_status status = rbv_base_new(&base, j->model, &b);
    if (status != RBV_OK) return cli_fail(status);
    code = find_targets(j, o, base);
    rbv_base_free(base);
    if (code >= 0) return code;
    j->how.ntarget = o->parameters.count;
    j->how.target = j->target;
  }
  const rbv_status status = rbv_excite_new(&j->excite, j->model, &j->how);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* ---- motions that are there already ---- */

static int add_recordings(job *j, const options *o) {
  for (int i = 0; i < o->recordings.count; i++) {
    rbv_motion *motion = NULL;
    const int code = cli_load_motion(&motion, j->model, o->recordings.item[i], &o->common);
    if (code >= 0) return code;
    const rbv_status status = rbv_excite_add(j->excite, motion);
    rbv_motion_free(motion);
    if (status != RBV_OK) return cli_fail(status);
  }
  return -1;
}

/* ---- searching ---- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

typedef struct {
  bool show;
  double last;
} meter;

static bool progress(void *payload, double seconds, double best, long evaluations) {
  meter *m = payload;
  if (m->show && seconds - m->last > 0.2) {
    m->last = seconds;
    fprintf(stderr, "\r%6.1f s  %9ld candidates  best %-14.6g", seconds, evaluations, best);
    fflush(stderr);
  }
  return !interrupted;
}

/* frequencies: low:high in rad/s, one pair for all joints or a list of joints' upper ones */
static int read_frequencies(job *j, options *o) {
  const int n = rbv_model_joint_count(j->model);
  if (!o->frequencies) return -1;
  const double turn = 6.28318530717958647693;
  const int code = cli_read_numbers(&j->low, "excite", "frequencies", o->frequencies, n + 1);
  if (code >= 0) return code;
  j->high = calloc((size_t)n, sizeof *j->high);
  if (!j->high) return cli_out_of_memory();
  for (int i = 0; i < n; i++) {
    j->high[i] = j->low[i + 1] / turn;
    if (!(j->low[0] > 0 && j->low[i + 1] > j->low[0]))
      return cli_usage("excite", "--frequencies are the lowest, then the highest of each joint");
  }
  for (int i = n; i >= 0; i--) j->low[i] = j->low[0] / turn;
  o->find.low_hz = j->low;
  o->find.high_hz = j->high;
  return -1;
}

static int shape_of(rbv_trajectory_shape *s, const job *j, options *o) {
  *s = rbv_trajectory_defaults();
  if (!rbv_trajectory_class_parse(&s->kind, o->kind))
    return cli_usage("excite", "--class can be fourier, sines, via or bspline, not '%s'", o->kind);
  if (!(o->period_s > 0)) return cli_usage("excite", "--period must be positive");
  if (!(o->blend_s >= 0)) return cli_usage("excite", "--blend must not be negative");
  if (!(o->fly_by >= 0 && o->fly_by <= 1))
    return cli_usage("excite", "--fly-by is between 0 and 1");
  static const int usual[] = {5, 3, 6, 12};
  s->njoint = rbv_model_joint_count(j->model);
  if (o->harmonics == 0) o->harmonics = usual[s->kind];
  s->count = o->harmonics;
  if (s->kind == RBV_TRAJECTORY_VIA && s->count < 2)
    return cli_usage("excite", "--harmonics counts the via points: at least two");
  if (s->count > 100) return cli_usage("excite", "--harmonics is at most 100");
  s->duration_s = o->period_s;
  s->periods = o->periods;
  s->blend_s = o->blend_s;
  s->phases = o->phases;
  s->synchronised = !o->unsynchronised;
  s->fly_by = o->fly_by;
  if (s->kind == RBV_TRAJECTORY_VIA && !o->trapezoid) {
    s->smooth = true;
    for (int i = 0; i < s->njoint; i++)
      s->smooth = s->smooth && isfinite(o->constraints.limits[i].jerk);
  }
  return -1;
}

/* ---- the journal: what was found out of candidates ---- */

/* all that it depends on: not how long the search may take, nor where the motion goes */
static rbv_status describe_search(const char **text, size_t *size, rbv_json *json, const job *j,
                                  const options *o) {
  static const char *const but[] = {"json",   "quiet",  "verbose",      "threads", "budget",
                                    "output", "rate",   "coefficients", "ros",     "urscript",
                                    "slow",   "report", "plots",        "journal", "resume",
                                    "shard",  NULL};
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  cli_put_sources(json, &j->provenance);
  cli_put_options(json, o->table, but);
  rbv_json_end(json);
  return rbv_json_finish(text, size, json);
}

static rbv_status open_journal(rbv_journal **out, const job *j, const options *o) {
  const rbv_search_options *find = &o->find;
  rbv_json *json;
  const char *text;
  size_t size;
  rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return status;
  status = describe_search(&text, &size, json, j, o);
  const rbv_jobs jobs = {
      .name = CLI_SEARCH_KIND, .description = text, .count = rbv_search_jobs(find)};
  if (status == RBV_OK)
    status = o->shard ? cli_open_share(out, o->journal, find->share, find->shares, &jobs, o->resume)
                      : rbv_journal_open(out, o->journal, &jobs, o->resume);
  rbv_json_free(json);
  return status;
}

static rbv_status search(job *j, const options *o, const rbv_trajectory_shape *shape) {
  rbv_search_options find = o->find;
  rbv_journal *journal = NULL;
  rbv_jobs_store store;
  rbv_status status = RBV_OK;
  if (o->journal && rbv_team_leads()) {
    status = open_journal(&journal, j, o);
    if (status != RBV_OK) return status;
    store = rbv_journal_store(journal);
    find.store = &store;
    if (rbv_journal_done(journal) > 0)
      cli_say(&o->common, "%s%s%s: %td candidates were judged already\n", o->journal,
              o->shard ? ", shard " : "", o->shard ? o->shard : "", rbv_journal_done(journal));
  }
  status = rbv_excite_search(j->found.trajectory, &j->found.info, j->excite, &o->constraints.value,
                             shape, &find);
  if (status == RBV_OK && journal) status = rbv_journal_flush(journal);
  rbv_journal_free(journal);
  return status;
}

static int understand_shard(options *o) {
  rbv_search_options *find = &o->find;
  if (!o->shard) return -1;
  const int code = cli_read_shard(&find->share, &find->shares, "excite", o->shard);
  if (code >= 0) return code;
  if (!o->journal)
    return cli_usage("excite",
                     "--shard needs --journal FILE: shard I writes FILE.I and reads the others'");
  if (find->shares > SHARDS_MAX)
    return cli_usage("excite", "--shard: a search has at most %d shards", SHARDS_MAX);
  return -1;
}

static int design(job *j, options *o) {
  rbv_trajectory_shape shape;
  int code = shape_of(&shape, j, o);
  if (code < 0) code = read_frequencies(j, o);
  if (code >= 0) return code;
  rbv_search_options *find = &o->find;
  if (!o->search) o->search = shape.kind == RBV_TRAJECTORY_VIA ? "ga" : "slsqp";
  if (!rbv_search_parse(&find->search, o->search))
    return cli_usage("excite", "--search can be ga or slsqp, not '%s'", o->search);
  if (find->search == RBV_SEARCH_SLSQP && shape.kind == RBV_TRAJECTORY_VIA)
    return cli_usage("excite", "via points have no gradient: --search ga");
  if (o->resume && !o->journal) return cli_usage("excite", "--resume goes on with a --journal");
  code = understand_shard(o);
  if (code >= 0) return code;
  if (!(find->budget_s >= 0)) return cli_usage("excite", "--budget must not be negative");
  if (!(find->mutation >= 0 && find->mutation <= 1 && find->crossover >= 0 && find->crossover <= 1))
    return cli_usage("excite", "--mutation and --crossover are probabilities");
  meter m = {.show = isatty(STDERR_FILENO) && !o->common.quiet};
  find->seed = o->common.seed;
  find->threads = o->common.threads;
  find->polish = !o->no_polish;
  find->progress = progress;
  find->payload = &m;
  j->found.count = find->trajectories;
  j->found.trajectory = calloc((size_t)j->found.count, sizeof(rbv_trajectory *));
  j->motion = calloc((size_t)j->found.count, sizeof(rbv_motion *));
  if (!j->found.trajectory || !j->motion) return cli_out_of_memory();

  struct sigaction action = {.sa_handler = on_interrupt}, old;
  sigaction(SIGINT, &action, &old);
  const rbv_status status = search(j, o, &shape);
  sigaction(SIGINT, &old, NULL);
  if (m.show && m.last > 0) fputc('\n', stderr);
  if (status != RBV_OK) return cli_fail(status);
  if (!rbv_team_leads()) return EXIT_DONE;
  if (!j->found.info.feasible) {
    fprintf(stderr, "roberval: %s\n", j->found.info.reason);
    return j->found.info.stopped ? EXIT_INTERRUPTED : EXIT_NO;
  }
  return -1;
}

/* ---- scores ---- */

static int score(job *j, const options *o) {
  const int n = rbv_excite_base(j->excite)->count;
  j->found.sigma = calloc((size_t)n, sizeof *j->found.sigma);
  j->found.coupling = calloc((size_t)n * (size_t)n, sizeof *j->found.coupling);
  if (!j->found.sigma || !j->found.coupling) return cli_out_of_memory();
  rbv_status status = RBV_OK;
  for (int i = 0; i < j->found.count && status == RBV_OK && j->found.trajectory; i++)
    status = rbv_trajectory_motion(&j->motion[i], j->found.trajectory[i], "design", o->rate_hz);
  if (status == RBV_OK && o->recordings.count > 0) {
    status = rbv_excite_score(&j->found.before, NULL, NULL, j->excite, NULL, 0);
    j->found.has_before = status == RBV_OK;
  }
  if (status == RBV_OK)
    status = rbv_excite_score(&j->found.score, j->found.sigma, j->found.coupling, j->excite,
                              j->motion, j->found.count);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int check_usage(job *j, const options *o) {
  const int n = rbv_model_joint_count(j->model);
  j->found.usage = calloc((size_t)(n * j->found.count), sizeof *j->found.usage);
  j->found.used = calloc((size_t)j->found.count, sizeof *j->found.used);
  if (!j->found.usage || !j->found.used) return cli_out_of_memory();
  for (int i = 0; i < j->found.count; i++) {
    const rbv_status status =
        rbv_constraints_check(&j->found.used[i], j->found.usage + i * n, j->model,
                              &o->constraints.value, j->found.trajectory[i], 1e-3);
    if (status != RBV_OK) return cli_fail(status);
  }
  return -1;
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

static int write_files(job *j, const options *o) {
  char path[4096];
  for (int i = 0; i < j->found.count; i++) {
    rbv_trajectory *t = j->found.trajectory[i];
    int code = -1;
    if (o->output) {
      path_of(path, sizeof path, o->output, j->found.count, i, "");
      code = cli_write_motion(path, t, o->rate_hz);
    }
    if (code < 0 && o->coefficients) {
      path_of(path, sizeof path, o->coefficients, j->found.count, i, "");
      code = cli_write_coefficients(path, t, j->model, &j->provenance);
    }
    if (code < 0 && o->ros) {
      path_of(path, sizeof path, o->ros, j->found.count, i, "");
      code = cli_write_ros(path, t, j->model, o->rate_hz);
    }
    if (code < 0 && o->urscript) {
      path_of(path, sizeof path, o->urscript, j->found.count, i, "");
      code = cli_write_urscript(path, t, UR_RATE_HZ);
    }
    if (code < 0 && o->slow > 0) {
      path_of(path, sizeof path, o->output, j->found.count, i, "_slow");
      const rbv_status status = rbv_trajectory_set_speed(t, o->slow);
      code = status == RBV_OK ? cli_write_motion(path, t, o->rate_hz) : cli_fail(status);
      if (code < 0 && rbv_trajectory_set_speed(t, 1) != RBV_OK) code = EXIT_FAILED;
    }
    if (code >= 0) return code;
  }
  return -1;
}

/* ---- the command ---- */

/* where the answer comes from */
static void note_sources(job *j, const options *o, const char *robot) {
  j->provenance =
      (cli_provenance){.name = rbv_model_name(j->model), .robot = robot, .options = o->table};
  cli_provenance_add(&j->provenance, "constraints", o->constraints.file);
  cli_provenance_add(&j->provenance, "prior", o->prior);
  cli_provenance_add(&j->provenance, "noise", o->noise);
  for (int i = 0; i < o->recordings.count; i++)
    cli_provenance_add(&j->provenance, "with", o->recordings.item[i]);
  cli_provenance_add(&j->provenance, "evaluate", o->evaluate);
}

/* what the report needs to know of the question */
static void describe(job *j, const options *o) {
  cli_excited *x = &j->found;
  x->model = j->model;
  x->excite = j->excite;
  x->provenance = &j->provenance;
  x->criterion = o->criterion;
  x->kind = o->kind;
  x->search = o->search;
  x->prior = j->prior;
  x->noise_known = j->noise != NULL;
  x->limits = o->constraints.limits;
}

static int run(job *j, options *o, const char *robot) {
  int code = cli_load_robot(&j->model, "excite", &o->robot, robot, &o->common);
  if (code < 0) code = cli_read_constraints(&o->constraints, "excite", j->model);
  if (code < 0) code = understand(j, o);
  if (code < 0) code = add_recordings(j, o);
  if (code >= 0) return code;
  note_sources(j, o, robot);
  o->constraints.value.prior = j->prior;
  if (o->constraints.effort && !j->prior)
    return cli_usage("excite", "--effort limits torques: give a --prior to compute them with");
  if (o->evaluate) {
    if (!rbv_team_leads()) return EXIT_DONE;
    j->motion = calloc(1, sizeof(rbv_motion *));
    if (!j->motion) return cli_out_of_memory();
    code = cli_load_motion(&j->motion[0], j->model, o->evaluate, &o->common);
    j->found.count = code < 0 ? 1 : 0;
  } else {
    if (rbv_model_shapeless(j->model) && !o->constraints.capsules_given)
      cli_say(&o->common, "no collision is looked for with links whose mesh cannot be read: %s\n",
              rbv_model_shapeless(j->model));
    code = design(j, o);
  }
  describe(j, o);
  if (code < 0) code = score(j, o);
  if (code < 0 && j->found.trajectory) code = check_usage(j, o);
  if (code < 0 && j->found.trajectory) code = write_files(j, o);
  if (code >= 0) return code;
  j->found.motion = j->motion;
  code = cli_report_excited(&j->found, &o->report, &o->common);
  if (code != EXIT_DONE) return code;
  if (o->common.json)
    code = cli_write_excited(&j->found);
  else
    cli_print_excited(&j->found);
  if (code > EXIT_DONE) return code;
  if (j->found.info.stopped) return EXIT_INTERRUPTED;
  return isfinite(j->found.score.coupling) ? EXIT_DONE : EXIT_NO;
}

static void job_free(job *j) {
  for (int i = 0; i < j->found.count; i++) {
    if (j->motion) rbv_motion_free(j->motion[i]);
    if (j->found.trajectory) rbv_trajectory_free(j->found.trajectory[i]);
  }
  free(j->motion);
  free(j->found.trajectory);
  rbv_excite_free(j->excite);
  rbv_result_free(j->result);
  rbv_model_free(j->model);
  free(j->prior);
  free(j->noise);
  free(j->low);
  free(j->high);
  free(j->target);
  free(j->found.sigma);
  free(j->found.coupling);
  free(j->found.usage);
  free(j->found.used);
}

int cli_run_excite(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = {.model = rbv_model_defaults()},
               .kind = "fourier",
               .criterion = "dopt",
               .columns = "all",
               .period_s = 10,
               .rate_hz = 500,
               .lambda = 0.7,
               .periods = 1,
               .find = rbv_search_defaults()};
  o.find.budget_s = 60;
  const cli_opt table[] = {
      {"output", 'o', OPT_TEXT, &o.output, "TRAJ.csv", "the motion, as t, q, dq, ddq"},
      {"class", 0, OPT_TEXT, &o.kind, "CLASS", "fourier, sines, via or bspline (default fourier)"},
      {"criterion", 0, OPT_TEXT, &o.criterion, "WHAT",
       "cond, dopt, det, coupling, mixed or sigma (default dopt)"},
      {"search", 0, OPT_TEXT, &o.search, "HOW", "ga or slsqp (default slsqp; ga for via)"},
      {"period", 0, OPT_REAL, &o.period_s, "S", "of the series; time of all moves (default 10)"},
      {"harmonics", 0, OPT_COUNT, &o.harmonics, "N",
       "or sines (3), via points (6), control points (12) of a joint (default 5)"},
      {"rate", 0, OPT_REAL, &o.rate_hz, "HZ", "of the motion (default 500)"},
      {"budget", 0, OPT_REAL, &o.find.budget_s, "SECONDS", "time to search (default 60; 0: any)"},
      {"journal", 0, OPT_TEXT, &o.journal, "FILE", "keep what is found out of candidates here"},
      {"shard", 0, OPT_TEXT, &o.shard, "I/N",
       "be one of N processes on one search, with journals FILE.1 ... FILE.N"},
      {"resume", 0, OPT_FLAG, &o.resume, NULL, "go on with the journal"},
      {"evaluate", 0, OPT_TEXT, &o.evaluate, "TRAJ.csv", "score this motion or recording instead"},
      {"noise", 0, OPT_TEXT, &o.noise, "RESULT", "noise of the torques, from an identification"},
      {"prior", 0, OPT_TEXT, &o.prior, "FILE", "parameter values (default: the robot's own)"},
      {"parameter", 0, OPT_LIST, &o.parameters, "NAME", "sigma: look at this one; several times"},
      {"mean", 0, OPT_FLAG, &o.mean, NULL, "sigma: the mean instead of the worst"},
      {"lambda", 0, OPT_REAL, &o.lambda, "L", "mixed: weight of the determinant (default 0.7)"},
      {"columns", 0, OPT_TEXT, &o.columns, "WHICH", "all, rigid or inertial (default all)"},
      {"with", 0, OPT_LIST, &o.recordings, "LOG", "design on top of this recording; several times"},
      {"trajectories", 0, OPT_COUNT, &o.find.trajectories, "N", "designed together (default 1)"},
      {"periods", 0, OPT_COUNT, &o.periods, "N", "fourier: run the period so often (default 1)"},
      {"blend", 0, OPT_REAL, &o.blend_s, "S", "from rest and to rest in so much time (default 0)"},
      {"phases", 0, OPT_FLAG, &o.phases, NULL, "sines: phases are free, too"},
      {"frequencies", 0, OPT_TEXT, &o.frequencies, "LIST",
       "sines: lowest, then highest of each joint [rad/s]"},
      {"fly-by", 0, OPT_REAL, &o.fly_by, "F", "via: 0 stops at each point, 1 never (default 0)"},
      {"unsynchronised", 0, OPT_FLAG, &o.unsynchronised, NULL, "via: each joint at its own speed"},
      {"trapezoid", 0, OPT_FLAG, &o.trapezoid, NULL, "via: no limit of jerk"},
      {"population", 0, OPT_COUNT, &o.find.population, "N", "ga: individuals (default 150)"},
      {"generations", 0, OPT_COUNT, &o.find.generations, "N", "ga: generations (default 120)"},
      {"mutation", 0, OPT_REAL, &o.find.mutation, "P", "ga: of a gene (default 0.01)"},
      {"crossover", 0, OPT_REAL, &o.find.crossover, "P", "ga: of a pair (default 0.9)"},
      {"no-polish", 0, OPT_FLAG, &o.no_polish, NULL, "ga: no gradients afterwards"},
      {"starts", 0, OPT_COUNT, &o.find.starts, "N", "slsqp: starts (default 20)"},
      {"coefficients", 0, OPT_TEXT, &o.coefficients, "FILE.yaml", "write the coefficients"},
      {"ros", 0, OPT_TEXT, &o.ros, "FILE.yaml", "write a ROS 2 JointTrajectory"},
      {"urscript", 0, OPT_TEXT, &o.urscript, "FILE", "write a URScript program"},
      {"report", 0, OPT_TEXT, &o.report.html, "FILE.html", "write a page that people read"},
      CLI_REPORT(o.report),
      {"slow", 0, OPT_REAL, &o.slow, "F", "also write a copy at this fraction of the speed"},
      CLI_CONSTRAINTS(o.constraints),
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  o.table = table;
  int count;
  int code = cli_parse(&count, argc, argv, "excite", table);
  if (code >= 0) return code;
  job j = {0};
  code = run(&j, &o, argv[1]);
  job_free(&j);
  cli_free_constraints(&o.constraints);
  return code;
}
