/* The task excite: a motion that determines the parameters of a robot, or poses at rest. */
#include <math.h>
#include <roberval/sys/trajectory.h>
#include <stdio.h>
#include <string.h>

#include "job/job.h"
#include "job/spring_fit.h"
#include "payload/payload.h"
#include "storage/storage.h"
#include "task/task_internal.h"
#include "trajectory/trajectory.h"

#define TASK rbv_excite_task
#define SHARDS_MAX 1000  // each reads the files of all others

static const rbv_option rows[] = {
    TASK_ROW("slow", REAL, slow, "F", "also write a copy at this fraction of the speed",
             RBV_SHARE_FROM(1e-3, 1), .topic = "output"),
    TASK_ROW("report", OUTPUT, report, "FILE.html", "write an HTML report", .basic = true),
    TASK_PLOTS,
    TASK_ROW("static", COUNT, poses, "N",
             "propose N poses at rest for the static identification of a payload instead",
             RBV_FROM(4, 1000), .topic = "poses"),
    TASK_ROW("wrist", FLAG, wrist, NULL, "poses for a force/torque sensor"),
    TASK_ROW("journal", OUTPUT, journal, "FILE", "store the results of candidates in this file",
             .unrecorded = true, .topic = "jobs"),
    TASK_ROW(
        "shard", TEXT, shard, "I/N",
        "run as process I of N on one search, with journals FILE.1 ... FILE.N (array, array/N: "
        "of a job array)",
        .unrecorded = true),
    TASK_ROW("resume", FLAG, resume, NULL, "continue the search in the journal",
             .unrecorded = true),
    TASK_DEVICE,
    {0}};

static const rbv_option friction_rows[] = {
    TASK_ROW("friction", TEXT, robot.model.friction, "LIST",
             "also excite these terms of friction, such as Fl,Fp=0.01", .topic = "criterion"),
    {0}};

/* one option for each format of trajectories; the first is the output */
static void add_formats(rbv_excite_task *t) {
  const rbv_trajectory_format *f;
  for (int i = 0; i < RBV_EXCITE_FORMATS && (f = rbv_trajectory_format_at(i)); i++) {
    snprintf(t->value[i], sizeof t->value[i], "FILE%s", f->extension);
    t->format[i] = (rbv_option){.name = i == 0 ? "output" : f->name,
                                .letter = i == 0 ? 'o' : 0,
                                .kind = RBV_OPTION_OUTPUT,
                                .offset = offsetof(TASK, file) + (size_t)i * sizeof *t->file,
                                .value = t->value[i],
                                .help = f->text,
                                .topic = "output",
                                .basic = i == 0 || f->robot};
  }
}

static void defaults(void *data) {
  rbv_excite_task *t = data;
  t->design = rbv_design_defaults();
  t->robot = rbv_robot_defaults();
  t->device = RBV_DEVICE_DEFAULT;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_excite_task *t = data;
  add_formats(t);
  out[0] = (rbv_option_group){t->format, t};
  out[1] = (rbv_option_group){rbv_design_rows(), &t->design};
  out[2] = (rbv_option_group){rbv_constraint_rows(), &t->design};
  out[3] = (rbv_option_group){rows, t};
  out[4] = (rbv_option_group){friction_rows, t};
  out[5] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_excite_task *t = data;
  rbv_design_free(t->found);
  rbv_device_close(t->opened);
  rbv_model_free(t->model);
  rbv_free(t->pose);
}

/* ---- preparation ---- */

static rbv_status check(const rbv_excite_task *t) {
  if (t->slow > 0 && !t->file[0])
    return rbv_fail_option(RBV_EOPTION, "slow", "slow needs a file for the motion (output)");
  if (t->wrist && t->poses == 0)
    return rbv_fail_option(RBV_EOPTION, "wrist", "wrist needs poses at rest (static)");
  if (t->resume && !t->journal)
    return rbv_fail_option(RBV_EOPTION, "resume", "resume needs a journal");
  if (t->journal && strcmp(t->design.target, "positions") == 0)
    return rbv_fail_option(RBV_EOPTION, "journal",
                           "journal: a design for positions has none, it scores a few candidates");
  if (t->shard && !t->journal)
    return rbv_fail_option(
        RBV_EOPTION, "shard",
        "shard needs a journal FILE: shard I writes FILE.I and reads the others");
  return RBV_OK;
}

/* only the genetic search has candidates that do not depend on each other */
static rbv_status open_device(rbv_excite_task *t) {
  const char *search = t->found->options.search;
  if (search && strcmp(search, "ga") == 0 && !t->design.evaluate && t->poses == 0)
    return rbv_task_open_device(&t->opened, t->device, &t->common);
  if (strcmp(t->device, "cuda") != 0) return RBV_OK;
  return rbv_fail_option(RBV_EOPTION, "device", "device cuda needs the search ga");
}

static rbv_status prepare(void *data) {
  rbv_excite_task *t = data;
  RBV_TRY(check(t));
  RBV_TRY(rbv_task_open_robot(&t->model, &t->common, &t->robot));
  t->design.seed = t->common.seed;
  t->design.threads = t->common.threads;
  rbv_tell_rigid_joints(t->model, rbv_model_parameters(t->model), "The design of motions",
                        &t->common.notes);
  RBV_TRY(rbv_design_new(&t->found, t->model, &t->design, &t->common.notes));
  RBV_TRY(open_device(t));
  for (int f = 0; f < RBV_EXCITE_FORMATS && t->poses == 0; f++)
    if (t->file[f]) RBV_TRY(rbv_design_allows(t->found, f));
  return RBV_OK;
}

/* ---- where a design comes from ---- */

static void put_source(rbv_json *json, const char *role, const char *path) {
  if (!path) return;
  const rbv_log_input in = {.path = path};
  rbv_json_map(json);
  rbv_json_put_string(json, "role", role);
  rbv_task_put_path(json, &in);
  rbv_json_end(json);
}

static void put_sources(rbv_json *json, const rbv_excite_task *t) {
  const rbv_design_options *o = &t->design;
  rbv_json_put_map(json, "robot");
  rbv_task_put_robot(json, t->model, t->common.input[0]);
  rbv_json_end(json);
  rbv_json_put_list(json, "inputs");
  put_source(json, "constraints", o->constraints);
  put_source(json, "prior", o->prior);
  put_source(json, "noise", o->noise);
  for (int i = 0; i < o->recordings.count; i++) put_source(json, "with", o->recordings.item[i]);
  for (int i = 0; i < o->controllers.count; i++)
    put_source(json, "controller", o->controllers.item[i]);
  put_source(json, "evaluate", o->evaluate);
  rbv_json_end(json);
}

/* the options in force; of a search: those that the results of its candidates depend on */
static rbv_status put_options(rbv_json *json, const rbv_excite_task *t, bool search) {
  rbv_excite_task own = *t;
  rbv_option_group all[] = {{t->format, &own},
                            {rows, &own},
                            {rbv_design_rows(), &own.design},
                            {rbv_constraint_rows(), &own.design},
                            {friction_rows, &own},
                            {rbv_robot_rows(), &own.robot},
                            {0}};
  own.design = t->found->options;
  // neither changes the score of a candidate
  if (search) own.design.budget_s = own.design.rate_hz = NAN;
  const rbv_option_group *from = search ? all + 2 : all;
  RBV_NEW(rbv_setting, setting, rbv_option_record(NULL, from));
  rbv_json_put_map(json, "options");
  rbv_option_write(json, setting, rbv_option_record(setting, from));
  rbv_json_put_flat_list(json, "parameter");
  for (int i = 0; i < own.design.parameters.count; i++)
    rbv_json_string(json, own.design.parameters.item[i]);
  rbv_json_end(json);
  rbv_json_put_int(json, "seed", (long long)t->common.seed);
  rbv_json_end(json);
  rbv_free(setting);
  return RBV_OK;
}

static rbv_status origin_text(const char **text, rbv_json *json, const rbv_excite_task *t,
                              bool search) {
  size_t size;
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  put_sources(json, t);
  RBV_TRY(put_options(json, t, search));
  if (search && t->opened) rbv_json_put_string(json, "device", rbv_device_name(t->opened));
  rbv_json_end(json);
  return rbv_json_finish(text, &size, json);
}

/* ---- search ---- */

/* the journal of a shard, FILE.I, which reads those of all others */
static rbv_status open_share(rbv_journal **out, const rbv_excite_task *t, const rbv_design_run *run,
                             const rbv_jobs *jobs) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%td", t->journal, run->share + 1);
  RBV_TRY(rbv_journal_open(out, path, jobs, t->resume));
  rbv_status status = RBV_OK;
  for (ptrdiff_t i = 0; i < run->shares && status == RBV_OK; i++) {
    if (i == run->share) continue;
    snprintf(path, sizeof path, "%s.%td", t->journal, i + 1);
    status = rbv_journal_follow(*out, path);
  }
  if (status == RBV_OK) return RBV_OK;
  rbv_journal_free(*out);
  *out = NULL;
  return status;
}

static rbv_status open_journal(rbv_journal **out, const rbv_excite_task *t,
                               const rbv_design_run *run) {
  rbv_json *json;
  const char *text = NULL;
  if (run->shares > SHARDS_MAX)
    return rbv_fail_option(RBV_EOPTION, "shard", "shard: a search has at most %d shards",
                           SHARDS_MAX);
  RBV_TRY(rbv_json_new(&json));
  rbv_status status = origin_text(&text, json, t, true);
  const rbv_jobs jobs = {
      .name = RBV_DESIGN_KIND, .description = text, .count = rbv_design_jobs(t->found)};
  if (status == RBV_OK)
    status = t->shard ? open_share(out, t, run, &jobs)
                      : rbv_journal_open(out, t->journal, &jobs, t->resume);
  rbv_json_free(json);
  if (status == RBV_OK && rbv_journal_done(*out) > 0)
    rbv_tell(&t->common.notes, NULL, "%s%s%s: %td candidates were evaluated in an earlier run",
             t->journal, t->shard ? ", shard " : "", t->shard ? t->shard : "",
             rbv_journal_done(*out));
  return status;
}

rbv_status rbv_excite_task_solve(const rbv_excite_task *t, rbv_design_run *run) {
  rbv_journal *journal = NULL;
  rbv_jobs_store store;
  run->device = t->opened;
  if (t->journal && !t->design.evaluate && rbv_team_leads()) {
    RBV_TRY(open_journal(&journal, t, run));
    store = rbv_journal_store(journal);
    run->store = &store;
  }
  rbv_status status = rbv_design_solve(t->found, run);
  if (status == RBV_OK && journal) status = rbv_journal_flush(journal);
  rbv_journal_free(journal);
  run->store = NULL;
  return status;
}

/* poses at rest for the static identification of a payload */
static rbv_status choose_poses(rbv_excite_task *t) {
  const double *sigma = t->pose_sigma;
  t->pose = rbv_alloc((size_t)t->poses * (size_t)rbv_model_joint_count(t->model) * sizeof *t->pose);
  if (!t->pose) return RBV_EMEM;
  RBV_TRY(rbv_poses_choose(t->pose, t->pose_sigma, t->model, &t->found->constraints->value,
                           t->poses, t->wrist, t->common.seed));
  rbv_tell(&t->common.notes, NULL,
           "%d poses; noise of %s gives sigma %.3g kg of the mass and (%.3g, %.3g, %.3g) kg m of "
           "the first moment",
           t->poses, t->wrist ? "1 N and 0.1 N m" : "1 N m", sigma[3], sigma[0], sigma[1],
           sigma[2]);
  rbv_tell(&t->common.notes, NULL,
           "go from pose to pose on straight lines in joint space, in this order");
  return RBV_OK;
}

/* the watcher of the thread sees the share of the time that the search may take */
static bool watch_search(void *payload, double seconds, double best, long evaluations) {
  const rbv_excite_task *t = payload;
  const double budget = t->found->options.budget_s;
  (void)best, (void)evaluations;
  return rbv_go_on("search", budget > 0 ? fmin(1, seconds / budget) : NAN) == RBV_OK;
}

static rbv_status run(void *data) {
  rbv_excite_task *t = data;
  if (t->poses > 0) return choose_poses(t);
  rbv_design_run how = {.progress = watch_search, .payload = t};
  if (t->shard) RBV_TRY(rbv_task_parse_shard(&how.share, &how.shares, t->shard));
  RBV_TRY(rbv_excite_task_solve(t, &how));
  return t->found->info.stopped ? rbv_fail(RBV_ECANCELLED, "the search was cancelled") : RBV_OK;
}

/* ---- files ---- */

rbv_status rbv_excite_task_poses(char **text, size_t *size, const rbv_excite_task *t) {
  const int n = rbv_model_joint_count(t->model);
  rbv_text out = {0};
  for (int j = 0; j < n; j++) rbv_text_print(&out, "q%d%s", j + 1, j + 1 < n ? "," : "\n");
  for (int k = 0; k < t->poses; k++)
    for (int j = 0; j < n; j++)
      rbv_text_print(&out, "%.6f%s", t->pose[k + j * t->poses], j + 1 < n ? "," : "\n");
  *text = out.data;
  *size = out.size;
  return out.failed ? RBV_EMEM : RBV_OK;
}

/* "a.csv" with "_2" and "_slow" before its ending */
static void path_of(char *out, size_t size, const char *path, int count, int i, const char *more) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
  char number[16] = "";
  if (count > 1) snprintf(number, sizeof number, "_%d", i + 1);
  snprintf(out, size, "%.*s%s%s%s", stem, path, number, more, path + stem);
}

static rbv_status write_file(const rbv_excite_task *t, int i, int format, double speed,
                             const char *origin) {
  char path[4096], *text;
  size_t size;
  path_of(path, sizeof path, t->file[format], t->found->count, i, speed < 1 ? "_slow" : "");
  RBV_TRY(rbv_design_write(&text, &size, t->found, i, format, speed, origin));
  RBV_FINISH(rbv_task_write(&t->common, path, text, size), rbv_text_release(text));
}

static rbv_status write_files(const rbv_excite_task *t) {
  rbv_json *json;
  const char *text;
  RBV_TRY(rbv_json_new(&json));
  rbv_status status = origin_text(&text, json, t, false);
  for (int i = 0; t->found->trajectory && i < t->found->count; i++) {
    for (int f = 0; f < RBV_EXCITE_FORMATS && status == RBV_OK; f++)
      if (t->file[f]) status = write_file(t, i, f, 1, text);
    if (status == RBV_OK && t->slow > 0) status = write_file(t, i, 0, t->slow, text);
  }
  rbv_json_free(json);
  return status;
}

static rbv_status finish_poses(rbv_excite_task *t) {
  char *text;
  size_t size;
  t->common.answer = isfinite(t->pose_sigma[3]);
  if (!t->file[0]) return RBV_OK;
  rbv_status status = rbv_excite_task_poses(&text, &size, t);
  if (status == RBV_OK) status = rbv_task_write(&t->common, t->file[0], text, size);
  rbv_text_release(text);
  return status;
}

static rbv_status finish(void *data) {
  rbv_excite_task *t = data;
  const rbv_design *d = t->found;
  if (t->poses > 0) return finish_poses(t);
  if (!d->info.feasible) return RBV_OK;
  RBV_TRY(write_files(t));
  t->common.answer = rbv_design_broken(d) < 0 && isfinite(d->score.coupling);
  if (!t->report && !t->plots) return RBV_OK;
  rbv_report *page;
  RBV_TRY(rbv_report_design(&page, d));
  return rbv_task_write_page(page, t->report, t->plots, &t->common);
}

static bool has_text(const void *data) {
  const rbv_excite_task *t = data;
  return t->poses > 0 || t->found->info.feasible;
}

static void put_poses(rbv_json *json, const rbv_excite_task *t) {
  rbv_json_put_list(json, "poses");
  for (int k = 0; k < t->poses; k++) {
    rbv_json_flat_list(json);
    for (int j = 0; j < rbv_model_joint_count(t->model); j++)
      rbv_json_real(json, t->pose[k + j * t->poses]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_reals(json, "sigma_first_moment_kg_m", t->pose_sigma, 3);
  rbv_json_put_real(json, "sigma_mass_kg", t->pose_sigma[3]);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_excite_task *t = data;
  rbv_json_put_schema(json, "roberval.excite/1");
  put_sources(json, t);
  RBV_TRY(put_options(json, t, false));
  if (t->poses > 0)
    put_poses(json, t);
  else
    rbv_design_put(json, t->found);
  return RBV_OK;
}

const task_kind rbv_excite_kind =
    TASK_KIND("excite", "ROBOT", 1, 1, model, .objects = true, .prepare = prepare, .run = run,
              .finish = finish, .has_text = has_text);
