/* The design job behind functions that need no structure. */
#include <math.h>
#include <roberval/excitation.h>
#include <roberval/sys/design.h>
#include <roberval/sys/recordings.h>
#include <roberval/sys/storage.h>
#include <string.h>

#include "job/job_internal.h"

#define GROUPS 5  // with the one that ends the list

struct rbv_excitation {
  char *robot;
  rbv_design_options options;
  rbv_robot_options how;
  rbv_option_group groups[GROUPS];
  text_pool texts;
  rbv_notes notes;
  rbv_model *model;
  rbv_design *design;
};

/* options that the tool has in common for all commands */
#define ROW(...) RBV_ROW(rbv_design_options, __VA_ARGS__)
static const rbv_option common_rows[] = {
    ROW("seed", SEED, seed, "N", "seed of all random numbers (default 1)"),
    ROW("threads", COUNT, threads, "N", "threads to use (default 1)", .unrecorded = true,
        RBV_THREADS),
    {0}};

static void set_groups(rbv_option_group groups[GROUPS], rbv_design_options *o,
                       rbv_robot_options *how) {
  groups[0] = (rbv_option_group){rbv_design_rows(), o};
  groups[1] = (rbv_option_group){rbv_constraint_rows(), o};
  groups[2] = (rbv_option_group){rbv_robot_rows(), how};
  groups[3] = (rbv_option_group){common_rows, o};
  groups[4] = (rbv_option_group){0};
}

static void forget(rbv_excitation *job) {
  rbv_design_free(job->design);
  rbv_model_free(job->model);
  job->design = NULL;
  job->model = NULL;
}

void rbv_excitation_free(rbv_excitation *job) {
  if (!job) return;
  forget(job);
  rbv_pool_free(&job->texts);
  rbv_free(job->robot);
  rbv_free(job);
}

rbv_status rbv_excitation_new(rbv_excitation **out, const char *robot) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the job");
  *out = NULL;
  if (!robot) return rbv_fail(RBV_EARG, "a design needs a robot");
  RBV_NEW(rbv_excitation, job, 1);
  job->robot = rbv_strdup(robot);
  job->options = rbv_design_defaults();
  job->how = rbv_robot_defaults();
  set_groups(job->groups, &job->options, &job->how);
  if (!job->robot) {
    rbv_excitation_free(job);
    return RBV_EMEM;
  }
  *out = job;
  return RBV_OK;
}

rbv_status rbv_excitation_set(rbv_excitation *job, const char *name, const char *value) {
  if (!job || !name || !value) return rbv_fail(RBV_EARG, "a job, a name and a value are needed");
  const char *copy = rbv_pool_keep(&job->texts, value);
  return copy ? rbv_option_set(job->groups, name, copy) : RBV_EMEM;
}

rbv_status rbv_excitation_set_number(rbv_excitation *job, const char *name, double value) {
  char text[32];
  if (!job || !name) return rbv_fail(RBV_EARG, "a job and a name are needed");
  rbv_option_format(text, job->groups, name, value);
  return rbv_excitation_set(job, name, text);
}

static const rbv_option *row_at(int i) {
  rbv_design_options options = rbv_design_defaults();
  rbv_robot_options how = rbv_robot_defaults();
  rbv_option_group groups[GROUPS];
  set_groups(groups, &options, &how);
  return rbv_option_at(groups, i);
}

const char *rbv_excitation_option_name(int i) {
  const rbv_option *o = row_at(i);
  return o ? o->name : NULL;
}

const char *rbv_excitation_option_text(int i) {
  const rbv_option *o = row_at(i);
  return o ? o->help : NULL;
}

void rbv_excitation_on_note(rbv_excitation *job, rbv_excitation_listener *listener, void *self) {
  if (job) job->notes = (rbv_notes){listener, self};
}

/* the watcher of the thread sees the share of the time that the search may take */
static bool watch_search(void *payload, double seconds, double best, long evaluations) {
  const rbv_excitation *job = payload;
  (void)best, (void)evaluations;
  const double budget = job->design->options.budget_s;
  return rbv_go_on("search", budget > 0 ? fmin(1, seconds / budget) : NAN) == RBV_OK;
}

static rbv_status search(rbv_excitation *job) {
  const rbv_design_run run = {.progress = watch_search, .payload = job};
  RBV_TRY(rbv_robot_load(&job->model, job->robot, &job->how, &job->notes));
  RBV_TRY(rbv_design_new(&job->design, job->model, &job->options, &job->notes));
  RBV_TRY(rbv_design_solve(job->design, &run));
  return job->design->info.stopped ? rbv_fail(RBV_ECANCELLED, "the search was cancelled") : RBV_OK;
}

rbv_status rbv_excitation_run(rbv_excitation *job) {
  if (!job) return rbv_fail(RBV_EARG, "there is no job");
  forget(job);
  const rbv_status status = search(job);
  if (status != RBV_OK) forget(job);
  return status;
}

const char *rbv_excitation_reason(const rbv_excitation *job) {
  return job && job->design && !job->design->info.feasible ? job->design->info.reason : NULL;
}

int rbv_excitation_count(const rbv_excitation *job) {
  return job && job->design ? job->design->count : 0;
}

double rbv_excitation_condition(const rbv_excitation *job) {
  return job && job->design ? job->design->score.condition_scaled : NAN;
}

int rbv_excitation_parameter_count(const rbv_excitation *job) {
  return job && job->design ? job->design->base->count : 0;
}

const char *rbv_excitation_parameter_name(const rbv_excitation *job, int i) {
  return i >= 0 && i < rbv_excitation_parameter_count(job) ? job->design->base->name[i] : NULL;
}

double rbv_excitation_parameter_sigma(const rbv_excitation *job, int i) {
  return i >= 0 && i < rbv_excitation_parameter_count(job) ? job->design->sigma[i] : NAN;
}

const char *rbv_excitation_format_name(int i) {
  const rbv_trajectory_format *f = rbv_trajectory_format_at(i);
  return f ? f->name : NULL;
}

const char *rbv_excitation_format_text(int i) {
  const rbv_trajectory_format *f = rbv_trajectory_format_at(i);
  return f ? f->text : NULL;
}

rbv_status rbv_excitation_save(const rbv_excitation *job, int i, const char *format,
                               const char *path) {
  if (!job || !format || !path) return rbv_fail(RBV_EARG, "a job, a format and a path are needed");
  if (i < 0 || i >= rbv_excitation_count(job))
    return rbv_fail(RBV_EARG, "there is no motion %d", i);
  int f = 0;
  while (rbv_excitation_format_name(f) && strcmp(rbv_excitation_format_name(f), format) != 0) f++;
  if (!rbv_excitation_format_name(f))
    return rbv_fail(RBV_EOPTION, "there is no trajectory format '%s'", format);
  char *text;
  size_t size;
  RBV_TRY(rbv_design_write(&text, &size, job->design, i, f, 1, NULL));
  RBV_FINISH(rbv_file_write(path, text, size), rbv_text_release(text));
}
