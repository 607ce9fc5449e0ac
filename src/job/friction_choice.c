/* The friction of an identification: terms that the options list, or that the recordings show. */
#include <math.h>
#include <roberval/sys/friction.h>
#include <stdio.h>
#include <string.h>

#include "job/identification_internal.h"

bool rbv_identification_chooses_friction(const rbv_identification_options *o) {
  return o->friction && strcmp(o->friction, "auto") == 0;
}

const char *rbv_identification_friction_list(const rbv_identification *job) {
  const char *given = job->options.friction;
  if (job->friction) return job->friction->list[0] ? job->friction->list : NULL;
  if (!given || rbv_identification_chooses_friction(&job->options)) return NULL;
  return strcmp(given, "plain") == 0 ? NULL : given;
}

static void tell(const rbv_identification *job, const rbv_friction_choice *c) {
  if (c->reason) {
    rbv_tell(&job->notes, NULL, "friction: %s for a choice of terms; Fv and Fc are kept",
             c->reason);
    return;
  }
  if (c->nterm == 0) {
    rbv_tell(&job->notes, NULL,
             "friction: no other term predicts held-out blocks better than Fv and Fc");
    return;
  }
  rbv_tell(&job->notes, NULL,
           "friction: %s; the error of held-out blocks falls from %.2f to %.2f %%", c->list,
           100 * c->plain, 100 * c->chosen);
}

/* the terms for the result file */
static rbv_status record(rbv_identification *job, const rbv_friction_choice *c) {
  job->friction_term = rbv_alloc((size_t)(c->nterm + 1) * sizeof *job->friction_term);
  if (!job->friction_term) return RBV_EMEM;
  for (int i = 0; i < c->nterm; i++) {
    const rbv_friction_term *t = &c->term[i];
    char name[32];
    snprintf(name, sizeof name, "%s%d", rbv_law_name(t->law), t->joint + 1);
    const char *kept = rbv_pool_keep(&job->texts, name);
    if (!kept) return RBV_EMEM;
    job->friction_term[i] = (rbv_result_friction){.name = kept,
                                                  .shape = t->shape,
                                                  .at_bound = t->at_bound,
                                                  .gain = t->gain,
                                                  .gain_sigma = t->gain_sigma};
  }
  return RBV_OK;
}

/* the same robot with the chosen terms, smoothed as before */
static rbv_status reload(rbv_identification *job) {
  rbv_model *plain = job->model;
  job->model = NULL;
  job->plain_model = plain;  // motions may borrow from it
  RBV_TRY(rbv_identification_load_model(job));
  for (int j = 0; j < rbv_model_joint_count(plain); j++)
    rbv_model_set_smoothing(job->model, j, rbv_model_smoothing(plain, j).speed);
  return RBV_OK;
}

rbv_status rbv_identification_choose_friction(rbv_identification *job) {
  if (!rbv_identification_chooses_friction(&job->options)) return RBV_OK;
  for (int i = 0; i < job->fit.count; i++)
    if (rbv_motion_get_origin(job->fit.motion[i])->from_reference)
      return rbv_fail_option(RBV_EINPUT, "friction",
                             "%s has no positions, and a choice of friction needs them: list the "
                             "terms",
                             rbv_motion_get_info(job->fit.motion[i])->name);
  RBV_TRY(rbv_friction_choose(&job->friction, job->model, job->fit.motion, job->fit.count,
                              &job->how.filter, job->options.holdout));
  tell(job, job->friction);
  RBV_TRY(record(job, job->friction));
  return job->friction->nterm > 0 ? reload(job) : RBV_OK;
}
