/* The task excite behind functions that need no structure. */
#include <math.h>
#include <roberval/excitation.h>
#include <roberval/sys/task.h>
#include <roberval/sys/trajectory.h>
#include <string.h>

#include "job/job.h"
#include "task/task_internal.h"
#include "trajectory/trajectory.h"

struct rbv_excitation {
  rbv_task *task;
};

void rbv_excitation_free(rbv_excitation *job) {
  if (!job) return;
  rbv_task_free(job->task);
  rbv_free(job);
}

rbv_status rbv_excitation_new(rbv_excitation **out, const char *robot) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the job");
  *out = NULL;
  if (!robot) return rbv_fail(RBV_EARG, "a design needs a robot");
  RBV_NEW(rbv_excitation, job, 1);
  rbv_status status = rbv_task_new(&job->task, "excite");
  if (status == RBV_OK) status = rbv_task_add(job->task, robot);
  RBV_GIVE(out, job, status, rbv_excitation_free(job));
}

rbv_status rbv_excitation_set(rbv_excitation *job, const char *name, const char *value) {
  return rbv_task_set(job ? job->task : NULL, name, value);
}

rbv_status rbv_excitation_set_number(rbv_excitation *job, const char *name, double value) {
  char text[32];
  if (!job || !name) return rbv_fail(RBV_EARG, "a job and a name are needed");
  rbv_option_format(text, rbv_task_groups(job->task), name, value);
  return rbv_task_set(job->task, name, text);
}

const char *rbv_excitation_option_name(int i) { return rbv_task_option_name("excite", i); }

const char *rbv_excitation_option_text(int i) { return rbv_task_option_text("excite", i); }

void rbv_excitation_on_note(rbv_excitation *job, rbv_excitation_listener *listener, void *self) {
  if (job) rbv_task_on_note(job->task, listener, self);
}

rbv_status rbv_excitation_run(rbv_excitation *job) {
  return job ? rbv_task_run(job->task) : rbv_fail(RBV_EARG, "there is no job");
}

/* NULL: none */
static const rbv_design *design_of(const rbv_excitation *job) {
  const rbv_excite_task *t = job ? rbv_task_data(job->task) : NULL;
  return t ? t->found : NULL;
}

const char *rbv_excitation_reason(const rbv_excitation *job) {
  const rbv_design *d = design_of(job);
  return d && !d->info.feasible ? d->info.reason : NULL;
}

int rbv_excitation_count(const rbv_excitation *job) {
  return design_of(job) ? design_of(job)->count : 0;
}

double rbv_excitation_condition(const rbv_excitation *job) {
  return design_of(job) ? design_of(job)->score.condition_scaled : NAN;
}

int rbv_excitation_parameter_count(const rbv_excitation *job) {
  return design_of(job) ? design_of(job)->base->count : 0;
}

const char *rbv_excitation_parameter_name(const rbv_excitation *job, int i) {
  return i >= 0 && i < rbv_excitation_parameter_count(job) ? design_of(job)->base->name[i] : NULL;
}

double rbv_excitation_parameter_sigma(const rbv_excitation *job, int i) {
  return i >= 0 && i < rbv_excitation_parameter_count(job) ? design_of(job)->sigma[i] : NAN;
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
  RBV_TRY(rbv_design_write(&text, &size, design_of(job), i, f, 1, NULL));
  RBV_FINISH(rbv_file_write(path, text, size), rbv_text_release(text));
}
