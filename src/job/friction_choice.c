/* The friction of an identification: terms that the options list, or that the recordings show. */
#include <math.h>
#include <roberval/sys/friction.h>
#include <stdio.h>
#include <string.h>

#include "friction/friction.h"
#include "job/identification_internal.h"

bool rbv_identification_chooses_friction(const rbv_identification_options *o) {
  return o->friction && strcmp(o->friction, "auto") == 0;
}

/* Is the whole way to identify left to the recordings? What the options say about friction, bodies
 * or single parameters is a choice, and a simulated loop or a payload needs its own. */
static bool is_automatic(const rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  const rbv_method *method = rbv_method_find(o->method);
  const bool plain = strcmp(method->name, "wls") == 0 || method->chooses;
  if (!plain || rbv_identification_has_loop(o) || rbv_model_has_payload(job->model)) return false;
  if (rbv_model_contact_count(job->model) > 0) return false;
  if (o->friction || o->consistent || o->essential || o->only || o->prior) return false;
  for (int i = 0; i < job->fit.count; i++)
    if (rbv_motion_get_origin(job->fit.motion[i])->from_reference) return false;
  return true;
}

const char *rbv_identification_friction_list(const rbv_identification *job) {
  const char *given = job->options.friction;
  if (job->shape_list) return job->shape_list;
  if (job->friction) return job->friction->list[0] ? job->friction->list : NULL;
  if (job->cross.ncandidate > 0) return job->cross.candidate[job->cross.chosen].friction;
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
                                                  .shape_sigma = t->shape_sigma,
                                                  .at_bound = t->at_bound,
                                                  .gain = t->gain,
                                                  .gain_sigma = t->gain_sigma};
  }
  return RBV_OK;
}

rbv_status rbv_identification_with_friction(rbv_model **out, const rbv_identification *job,
                                            const char *list) {
  rbv_model_terms terms = rbv_model_get_terms(job->model);
  rbv_friction_entry *entry;
  *out = NULL;
  RBV_TRY(rbv_friction_parse(&entry, &terms.nfriction, list, rbv_model_joint_count(job->model)));
  terms.friction = entry;
  const rbv_status status = rbv_model_variant(out, job->model, &terms);
  rbv_free(entry);
  return status;
}

/* the same robot with these terms, smoothed as before */
static rbv_status take_terms(rbv_identification *job, const char *list) {
  rbv_model *chosen;
  RBV_TRY(rbv_identification_with_friction(&chosen, job, list));
  rbv_model_free(job->model);
  job->model = chosen;
  return RBV_OK;
}

static rbv_status choose_terms(rbv_identification *job) {
  return rbv_friction_choose(&job->friction, job->model, job->fit.motion, job->fit.count,
                             &job->how.filter, job->options.holdout);
}

static void tell_pipeline(const rbv_identification *job) {
  const rbv_cross_validation *cv = &job->cross;
  if (cv->reason) {
    rbv_tell(&job->notes, NULL, "friction: plain; %s (left-out error %.0f %%)", cv->reason,
             100 * cv->plain);
    return;
  }
  const char *name = cv->candidate[cv->chosen].name;
  if (cv->chosen == RBV_PIPELINE_PLAIN)
    rbv_tell(&job->notes, NULL, "friction: %s (best of %d pipelines; left-out error %.3g %%)", name,
             cv->ncandidate, 100 * cv->plain);
  else
    rbv_tell(&job->notes, NULL,
             "friction: %s (best of %d pipelines; left-out error %.3g %%, plain %.3g %%)", name,
             cv->ncandidate, 100 * cv->error, 100 * cv->plain);
}

/* the whole way to identify, by its errors on parts of the recordings that were left out */
static rbv_status choose_pipeline(rbv_identification *job) {
  rbv_cross_validation *cv = &job->cross;
  bool any_terms;
  RBV_TRY(rbv_pipelines_compare(cv, &any_terms, job->model, job->fit.motion, job->fit.count,
                                &job->how));
  const bool bodies = cv->chosen == RBV_PIPELINE_CHOSEN_BODIES;
  if (cv->chosen == RBV_PIPELINE_CHOSEN || (bodies && any_terms)) {
    RBV_TRY(choose_terms(job));
    RBV_TRY(record(job, job->friction));
    if (job->friction->nterm == 0 && !bodies) cv->chosen = RBV_PIPELINE_PLAIN;
  }
  tell_pipeline(job);
  job->how.consistent = cv->candidate[cv->chosen].consistent;
  const char *list = rbv_identification_friction_list(job);
  return list ? take_terms(job, list) : RBV_OK;
}

rbv_status rbv_identification_choose_friction(rbv_identification *job) {
  if (is_automatic(job)) return choose_pipeline(job);
  const bool shapes = rbv_identification_searches_shapes(&job->options);
  if (!shapes && !rbv_identification_chooses_friction(&job->options)) return RBV_OK;
  for (int i = 0; i < job->fit.count; i++)
    if (rbv_motion_get_origin(job->fit.motion[i])->from_reference)
      return rbv_fail_option(RBV_EINPUT, "friction",
                             "%s has no positions, and a choice of friction needs them: list the "
                             "terms",
                             rbv_motion_get_info(job->fit.motion[i])->name);
  if (shapes) {
    RBV_TRY(rbv_identification_search_shapes(job));
  } else {
    RBV_TRY(choose_terms(job));
    tell(job, job->friction);
  }
  RBV_TRY(record(job, job->friction));
  return job->friction->nterm > 0 ? take_terms(job, job->friction->list) : RBV_OK;
}

/* ---- shape parameters that were unknowns of the loop ---- */

/* the values of the unknown shapes, of which there are nshape at most */
static rbv_status take_shapes(rbv_shape_value *shape, int *nshape, rbv_text *list,
                              const rbv_identification *job) {
  const rbv_closed_loop *loop = &job->loop.loop;
  for (int i = 0; i < loop->nunknown; i++) {
    const rbv_unknown *u = &loop->unknown[i];
    if (u->kind != RBV_UNKNOWN_SHAPE) continue;
    const rbv_loop_value *found = &job->estimate->loop.unknown[i];
    const rbv_law *law = rbv_model_law_of_shape(job->model, u->joint, u->shape);
    if (!isfinite(found->sigma))
      rbv_tell(&job->notes, "friction",
               "joint %d: the recordings do not determine %s (%s); %.4g is used", u->joint + 1,
               u->shape, rbv_law_free_shape(law)->text, found->value);
    shape[(*nshape)++] = (rbv_shape_value){u->joint, u->shape, found->value};
    rbv_text_print(list, "%s%s%d=%.17g", list->size ? "," : "", rbv_law_name(law), u->joint + 1,
                   found->value);
  }
  return list->failed ? RBV_EMEM : RBV_OK;
}

rbv_status rbv_identification_adopt_shapes(rbv_identification *job) {
  rbv_model_terms terms = rbv_model_get_terms(job->model);
  const int most = terms.nshape + job->loop.loop.nunknown, before = terms.nshape;
  if (job->loop.loop.nunknown == 0) return RBV_OK;
  rbv_shape_value *shape = rbv_alloc((size_t)most * sizeof *shape);
  if (!shape) return RBV_EMEM;
  if (before > 0) memcpy(shape, terms.shape, (size_t)before * sizeof *shape);
  rbv_text list = {0};
  const char *given = rbv_identification_friction_list(job);
  if (given) rbv_text_print(&list, "%s", given);
  rbv_status status = take_shapes(shape, &terms.nshape, &list, job);
  rbv_model *adopted = NULL;
  terms.shape = shape;
  if (status == RBV_OK && terms.nshape > before) {
    status = rbv_model_variant(&adopted, job->model, &terms);
    job->shape_list = rbv_pool_keep(&job->texts, list.data);
    if (!job->shape_list) status = RBV_EMEM;
  }
  if (adopted) {
    rbv_model_free(job->model);
    job->model = adopted;
  }
  rbv_free(shape);
  rbv_text_free(&list);
  return status;
}

/* ---- uncertainty of shape parameters ---- */

/* the list of terms with another shape of term `which`, which replaces the first; -1: none */
static void put_list(rbv_text *out, const rbv_friction_choice *c, int which, double shape) {
  rbv_text_print(out, "%s", c->list);
  if (which < 0) return;
  const rbv_friction_term *t = &c->term[which];
  rbv_text_print(out, ",%s%d=%.17g", rbv_law_name(t->law), t->joint + 1, shape);
}

/* an earlier term of the joint has the same shape parameter */
static bool is_repeated(const rbv_friction_choice *c, int which) {
  const rbv_friction_term *t = &c->term[which];
  for (int i = 0; i < which; i++)
    if (c->term[i].joint == t->joint && c->term[i].shape == t->shape &&
        c->term[i].shape_sigma == t->shape_sigma)
      return true;
  return false;
}

/* least squares with another shape of a term; the load is that of the estimate */
static rbv_status estimate_with(double *value, const rbv_identification *job, int which,
                                double shape) {
  rbv_text list = {0};
  rbv_model *m = NULL;
  rbv_estimate *e = NULL;
  put_list(&list, job->friction, which, shape);
  rbv_status status = list.failed ? RBV_EMEM : rbv_identification_with_friction(&m, job, list.data);
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = job->how.filter;
  how.holdout = job->how.holdout;
  how.columns = job->how.columns;
  how.load = job->estimate->chi;
  how.rough = true;
  if (status == RBV_OK) status = rbv_identify(&e, m, job->fit.motion, job->fit.count, &how);
  const int n = job->estimate->base->count;
  if (status == RBV_OK && e->base->count != n) status = RBV_EDIM;
  if (status == RBV_OK) memcpy(value, e->value, (size_t)n * sizeof *value);
  rbv_estimate_free(e);
  rbv_model_free(m);
  rbv_text_free(&list);
  return status;
}

/*
 * Shape parameters were fixed in the estimate. Their uncertainty is that of the other parameters,
 * too: to first order, the covariance grows by d d' with the change d of the estimate when the
 * shape changes by its sigma.
 */
rbv_status rbv_identification_widen(rbv_identification *job) {
  // unknowns of the loop are in the covariance already
  const rbv_friction_choice *c = job->shape_list ? NULL : job->friction;
  rbv_estimate *e = job->estimate;
  const int n = e->base->count;
  double *block = rbv_alloc(2 * (size_t)n * sizeof *block), *const changed = block + n;
  rbv_status status = block ? RBV_OK : RBV_EMEM;
  bool started = false;
  for (int i = 0; c && i < c->nterm && status == RBV_OK; i++) {
    const rbv_friction_term *t = &c->term[i];
    if (!(t->shape_sigma > 0) || is_repeated(c, i)) continue;
    if (!started) status = estimate_with(block, job, -1, 0);
    started = true;
    // within the range in which it is linear
    const double step = fmin(t->shape_sigma, 0.2 * t->shape), scale = t->shape_sigma / step;
    if (status == RBV_OK) status = estimate_with(changed, job, i, t->shape + step);
    for (int a = 0; a < n && status == RBV_OK; a++)
      for (int b = 0; b < n; b++) {
        double *cov = &e->covariance[a + (ptrdiff_t)b * n];
        if (isfinite(e->covariance[a + (ptrdiff_t)a * n]) &&
            isfinite(e->covariance[b + (ptrdiff_t)b * n]))
          *cov += scale * scale * (changed[a] - block[a]) * (changed[b] - block[b]);
      }
  }
  rbv_free(block);
  return status;
}
