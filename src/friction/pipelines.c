/* Complete ways to identify compete: each is estimated without a part and predicts this part. */
#include <math.h>
#include <string.h>

#include "friction/pipeline_folds.h"

typedef struct {
  const rbv_model *model;
  const rbv_identify_options *how;
  rbv_model *three;                   // with the three terms; NULL: there are none
  double *error[RBV_PIPELINE_COUNT];  // of the present fold
  bool any_terms;                     // were terms chosen in a fold?
} comparison;

static bool ends(rbv_status status) { return status == RBV_EMEM || status == RBV_ECANCELLED; }

static rbv_status variant(rbv_model **out, const rbv_model *m, const char *list) {
  rbv_model_terms terms = rbv_model_get_terms(m);
  rbv_friction_entry *entry;
  *out = NULL;
  RBV_TRY(rbv_friction_parse(&entry, &terms.nfriction, list, m->njoint));
  terms.friction = entry;
  const rbv_status status = rbv_model_variant(out, m, &terms);
  rbv_free(entry);
  return status;
}

/* the error of what was left out; the largest one if there is no estimate */
static rbv_status predict(double *error, const comparison *c, const rbv_model *m,
                          const pipeline_fold *f, bool consistent) {
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = c->how->filter;
  how.seed = c->how->seed;
  how.consistent = consistent;
  how.rough = !consistent;
  how.brief = true;
  rbv_estimate *e = NULL;
  *error = RBV_FOLD_ERROR_MOST;
  rbv_status status = rbv_identify(&e, m, f->fit, f->nfit, &how);
  if (status == RBV_OK) {
    double all;
    status = rbv_comparable_error(&all, NULL, m, f->left, f->nleft, e->chi, 0, how.filter.threads);
    if (status == RBV_OK && all <= RBV_FOLD_ERROR_MOST) *error = all;
    rbv_estimate_free(e);
  }
  return ends(status) ? status : RBV_OK;
}

/* terms that are chosen without the part; without one the first candidate is the plain one */
static rbv_status predict_chosen(double *error, double *with_bodies, comparison *c,
                                 const pipeline_fold *f) {
  rbv_friction_choice *choice = NULL;
  rbv_model *m = NULL;
  rbv_status status = rbv_friction_choose(&choice, c->model, f->fit, f->nfit, &c->how->filter, 0);
  if (status == RBV_OK && choice->nterm > 0) {
    c->any_terms = true;
    status = variant(&m, c->model, choice->list);
    if (status == RBV_OK) status = predict(error, c, m, f, false);
  }
  if (status == RBV_OK) status = predict(with_bodies, c, m ? m : c->model, f, true);
  rbv_model_free(m);
  rbv_friction_choice_free(choice);
  return ends(status) ? status : RBV_OK;
}

static rbv_status run_fold(comparison *c, const pipeline_fold *f) {
  double *const *error = c->error;
  RBV_TRY(predict(error[RBV_PIPELINE_PLAIN], c, c->model, f, false));
  *error[RBV_PIPELINE_CHOSEN] = *error[RBV_PIPELINE_CHOSEN_BODIES] = *error[RBV_PIPELINE_PLAIN];
  *error[RBV_PIPELINE_THREE] = RBV_FOLD_ERROR_MOST;
  RBV_TRY(predict_chosen(error[RBV_PIPELINE_CHOSEN], error[RBV_PIPELINE_CHOSEN_BODIES], c, f));
  return c->three ? predict(error[RBV_PIPELINE_THREE], c, c->three, f, true) : RBV_OK;
}

static rbv_status run_folds(rbv_cross_validation *out, comparison *c, const pipeline_folds *folds) {
  for (int i = 0; i < folds->count; i++) {
    for (int k = 0; k < RBV_PIPELINE_COUNT; k++) c->error[k] = &out->candidate[k].fold[i];
    RBV_TRY(rbv_go_on("pipelines", (double)i / folds->count));
    RBV_TRY(run_fold(c, &folds->part[i]));
  }
  return RBV_OK;
}

/* ---- result ---- */

static const char *const names[RBV_PIPELINE_COUNT] = {
    [RBV_PIPELINE_PLAIN] = "plain",
    [RBV_PIPELINE_CHOSEN] = "chosen terms",
    [RBV_PIPELINE_THREE] = "three terms with consistent bodies",
    [RBV_PIPELINE_CHOSEN_BODIES] = "chosen terms with consistent bodies",
};

void rbv_pipelines_free(rbv_cross_validation *cv) {
  rbv_free(cv->candidate);
  *cv = (rbv_cross_validation){0};
}

static void layout(rbv_cross_validation *cv, size_t text, char **list, rbv_arena *a) {
  cv->candidate = RBV_TAKE(a, RBV_PIPELINE_COUNT, rbv_result_candidate);
  double *fold = RBV_TAKE(a, RBV_PIPELINE_COUNT * cv->folds, double);
  *list = RBV_TAKE(a, text, char);
  for (int i = 0; i < RBV_PIPELINE_COUNT && a->base; i++)
    cv->candidate[i].fold = fold + (ptrdiff_t)i * cv->folds;
}

static rbv_status new_result(rbv_cross_validation *out, int folds, const char *three) {
  rbv_cross_validation cv = {.folds = folds, .ncandidate = RBV_PIPELINE_COUNT};
  char *list;
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&cv, strlen(three) + 1, &list, &carve));
  if (!carve.base) return RBV_EMEM;
  strcpy(list, three);
  for (int i = 0; i < RBV_PIPELINE_COUNT; i++) {
    cv.candidate[i].name = names[i];
    cv.candidate[i].consistent = i == RBV_PIPELINE_THREE || i == RBV_PIPELINE_CHOSEN_BODIES;
  }
  if (*list) cv.candidate[RBV_PIPELINE_THREE].friction = list;
  *out = cv;
  return RBV_OK;
}

static rbv_status compare(rbv_cross_validation *out, comparison *c, const pipeline_folds *folds,
                          rbv_motion *const *motions, int nmotion) {
  rbv_text list = {0};
  rbv_status status =
      rbv_pipeline_three_terms(&list, c->model, motions, nmotion, c->how->filter.threads);
  if (status == RBV_OK) status = new_result(out, folds->count, rbv_text_string(&list));
  if (status == RBV_OK && list.size > 0) status = variant(&c->three, c->model, list.data);
  if (!ends(status)) status = out->candidate ? RBV_OK : status;
  rbv_text_free(&list);
  if (status == RBV_OK) status = run_folds(out, c, folds);
  if (status == RBV_OK && !c->any_terms)
    out->candidate[RBV_PIPELINE_CHOSEN_BODIES].name = "consistent bodies";
  rbv_model_free(c->three);
  return status;
}

/* does the robot file have the mass of every link? */
static bool has_masses(const rbv_model *m) {
  const double *given = rbv_model_parameters(m);
  for (int j = 0; j < m->nbody && given; j++)
    if (has_parameters(m, j) && !(given[m->link_column[j] + RBV_INERTIAL - 1] > 0)) return false;
  return given != NULL;
}

rbv_status rbv_pipelines_compare(rbv_cross_validation *out, bool *any_terms, const rbv_model *m,
                                 rbv_motion *const *motions, int nmotion,
                                 const rbv_identify_options *how) {
  pipeline_folds folds;
  comparison c = {.model = m, .how = how};
  *out = (rbv_cross_validation){0};
  rbv_status status = rbv_pipeline_folds_new(&folds, motions, nmotion, how->holdout);
  if (status == RBV_OK) status = compare(out, &c, &folds, motions, nmotion);
  double *scratch = rbv_alloc((size_t)folds.count * sizeof *scratch);
  if (status == RBV_OK && !scratch) status = RBV_EMEM;
  const bool welcome = !c.any_terms && has_masses(m);
  if (status == RBV_OK)
    rbv_pipeline_decide(out, welcome ? RBV_PIPELINE_CHOSEN_BODIES : -1, scratch);
  *any_terms = c.any_terms;
  rbv_free(scratch);
  rbv_pipeline_folds_free(&folds);
  return status;
}
