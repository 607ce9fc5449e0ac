#include <locale.h>
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/report.h>
#include <string.h>

#include "control/control.h"
#include "report/report_internal.h"
#include "result/result.h"

/*
 * Points of all lines together. Each point is in up to eleven paths of about seven bytes; a page
 * stays below 1.5 MB, for any length of the recordings.
 */
#define POINTS_ALL 5400
#define POINTS_MOST 2400
#define POINTS_LEAST 400

const char *rbv_report_asset(const char *name) {
  for (const report_asset *a = rbv_report_assets; a->name; a++)
    if (strcmp(a->name, name) == 0) return a->text;
  return "";
}

bool rbv_report_interactive(void) { return rbv_report_asset("bundle.js")[0] != 0; }

/* ---- inputs ---- */

static rbv_status read_result(report *r) {
  const rbv_result *e = r->result;
  if (e->njoint != r->m->njoint || e->fit.nrow != r->m->nrow)
    return rbv_fail(
        RBV_EDIM, "the result belongs to a robot with %d joints and %d torques, '%s' has %d and %d",
        e->njoint, e->fit.nrow, rbv_model_name(r->m), r->m->njoint, r->m->nrow);
  r->chi = rbv_alloc((size_t)rbv_model_column_count(r->m) * sizeof *r->chi);
  if (!r->chi) return RBV_EMEM;
  return rbv_parameters_apply(r->chi, NULL, &e->estimate, r->m);
}

/* the prior and its sigma as base parameters */
static rbv_status read_prior(report *r) {
  const int n = r->result->estimate.count;
  r->prior = rbv_alloc((size_t)n * sizeof *r->prior);
  r->prior_sigma = rbv_alloc((size_t)n * sizeof *r->prior_sigma);
  if (!r->prior || !r->prior_sigma) return RBV_EMEM;
  for (int k = 0; k < n; k++) r->prior[k] = r->prior_sigma[k] = NAN;
  if (!r->in->prior) return RBV_OK;
  const rbv_base_options options = rbv_base_defaults();
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, r->m, &options));
  for (int k = 0; k < n; k++) {
    const int column = rbv_model_find(r->m, r->result->estimate.item[k].name);
    for (int b = 0; b < base->count; b++) {
      if (base->kept[b] != column) continue;
      double value = 0, variance = 0;
      for (int c = 0; c < base->ncolumn; c++) {
        const double w = base->relation[b + (ptrdiff_t)c * base->count];
        if (w == 0) continue;
        const double sigma = r->in->prior_sigma ? r->in->prior_sigma[c] : NAN;
        value += w * r->in->prior[c];
        // columns without a value do not count
        if (isfinite(sigma) || r->in->prior[c] != 0) variance += w * w * sigma * sigma;
      }
      r->prior[k] = value;
      r->prior_sigma[k] = variance > 0 ? sqrt(variance) : NAN;
    }
  }
  rbv_base_free(base);
  return RBV_OK;
}

/* the row filter of the fit, with the fade-out near standstill of its method */
static rbv_status read_filter(report *r) {
  r->filter = r->in->filter;
  if (r->in->nfit == 0) return RBV_OK;
  r->fade = rbv_alloc((size_t)r->m->njoint * sizeof *r->fade);
  if (!r->fade) return RBV_EMEM;
  RBV_TRY(rbv_identify_fade(r->fade, r->result->method, r->in->fit, r->in->nfit));
  for (int j = 0; j < r->m->njoint; j++)
    if (r->fade[j] > 0) r->filter.fade = r->fade;
  return RBV_OK;
}

static rbv_status read_motions(report *r) {
  const rbv_report_input *in = r->in;
  RBV_TRY(read_filter(r));
  const double holdout = rbv_result_number(r->result, "holdout", 0);
  const bool split = in->nvalidation == 0 && holdout > 0 && holdout < 1;
  const int groups = in->nvalidation > 0 || split ? 2 : 1;
  ptrdiff_t most = POINTS_ALL / (r->nrow * groups);
  most = most > POINTS_MOST ? POINTS_MOST : most < POINTS_LEAST ? POINTS_LEAST : most;
  if (in->nfit > 0) {
    RBV_TRY(rbv_series_new(&r->fit, r->m, in->fit, in->nfit, r->chi, &r->filter, 0,
                           split ? 1 - holdout : 1, most));
    RBV_TRY(rbv_residuals_new(&r->residuals, r->m, in->fit, in->nfit, r->chi, &r->filter));
    RBV_TRY(rbv_information_new(r));
  }
  rbv_motion *const *other = in->nvalidation > 0 ? in->validation : in->fit;
  const int nother = in->nvalidation > 0 ? in->nvalidation : in->nfit;
  const double from = split ? 1 - holdout : 0;
  if (nother == 0) return RBV_OK;
  const rbv_row_filter every = {.decimate = 1};
  RBV_TRY(rbv_series_new(&r->recorded, r->m, other, nother, r->chi, &every, from, 1, POINTS_MOST));
  if (groups == 1) return RBV_OK;
  return rbv_series_new(&r->held, r->m, other, nother, r->chi, &r->filter, from, 1, most);
}

/* error of every torque before and after the identification: of the validation, else of the fit */
static rbv_status read_gain(report *r) {
  const rbv_report_input *in = r->in;
  const double holdout = in->nvalidation > 0 ? 0 : rbv_result_number(r->result, "holdout", 0);
  rbv_motion *const *motions = in->nvalidation > 0 ? in->validation : in->fit;
  const int count = in->nvalidation > 0 ? in->nvalidation : in->nfit;
  const bool held = holdout > 0 && r->result->validation.nrow > 0;
  const double *const chi[2] = {rbv_model_parameters(r->m), r->chi};
  r->before = rbv_alloc(2 * (size_t)r->nrow * sizeof *r->before);
  if (!r->before) return RBV_EMEM;
  r->after = r->before + r->nrow;
  for (int k = 0; k < 2 * r->nrow; k++) r->before[k] = NAN;
  if (count == 0 || rbv_report_from_reference(r)) return RBV_OK;
  for (int i = 0; i < 2; i++) {
    double *rows = i ? r->after : r->before, used, rest;
    if (chi[i])
      RBV_TRY(rbv_comparable_rows(held ? NULL : rows, held ? rows : NULL, &used, &rest, r->m,
                                  motions, count, chi[i], holdout, r->filter.threads));
  }
  return RBV_OK;
}

bool rbv_report_from_reference(const report *r) {
  for (int i = 0; i < r->in->nfit; i++) {
    const rbv_motion_origin *origin = rbv_motion_get_origin(r->in->fit[i]);
    if (origin && origin->from_reference) return true;
  }
  return false;
}

/* ---- creation ---- */

/* the public part, and the object that owns what it points to */
typedef struct {
  rbv_report public;
  report made;
} whole;

static void free_made(report *r) {
  for (int i = 0; i < r->nreason; i++) rbv_free((void *)(uintptr_t)r->reason[i].text);
  for (int i = 0; i < r->nfigure; i++) {
    rbv_free((void *)(uintptr_t)r->figure[i].name);
    rbv_free((void *)(uintptr_t)r->figure[i].text);
  }
  rbv_free(r->reason);
  rbv_free(r->figure);
  rbv_text_free(&r->html);
}

static void free_inputs(report *r) {
  rbv_series_free(&r->fit);
  rbv_series_free(&r->held);
  rbv_series_free(&r->recorded);
  rbv_residuals_free(&r->residuals);
  rbv_information_free(&r->information);
  rbv_links_free(&r->links);
  RBV_FREE_ALL(r->before, r->prior, r->prior_sigma, r->chi, r->fade);
}

static rbv_status make_page(report *r, const void *unused) {
  (void)unused;
  RBV_TRY(read_result(r));
  RBV_TRY(read_motions(r));
  RBV_TRY(read_prior(r));
  RBV_TRY(read_gain(r));
  RBV_TRY(rbv_links_new(&r->links, r));
  RBV_TRY(rbv_report_apply_rules(r));
  rbv_page_write(r);
  return r->html.failed ? RBV_EMEM : RBV_OK;
}

/* the recordings are needed only to compare the data with a prior */
static rbv_status make_verdict(report *r, const void *unused) {
  (void)unused;
  RBV_TRY(read_result(r));
  if (r->in->prior && r->in->nfit > 0) {
    RBV_TRY(read_filter(r));
    RBV_TRY(rbv_information_new(r));
  }
  RBV_TRY(read_prior(r));
  return rbv_report_apply_rules(r);
}

static rbv_status produce(rbv_report **out, const rbv_report_input *input, page_writer *make,
                          const void *more) {
  RBV_NEW(whole, w, 1);
  // numbers in a page have a decimal point in every locale
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain) {
    rbv_free(w);
    return rbv_fail(RBV_EMEM, "out of memory: no C locale");
  }
  const locale_t before = uselocale(plain);
  report *r = &w->made;
  r->in = input;
  r->result = input->result;
  r->m = input->model;
  r->nrow = input->model ? rbv_model_row_count(input->model) : 0;
  const rbv_status status = make(r, more);
  uselocale(before);
  freelocale(plain);
  free_inputs(r);
  if (status != RBV_OK) {
    free_made(r);
    rbv_free(w);
    return status;
  }
  w->public = (rbv_report){.nreason = r->nreason,
                           .reason = r->reason,
                           .html = r->html.data,
                           .size = r->html.size,
                           .nfigure = r->nfigure,
                           .figure = r->figure};
  for (int i = 0; i < r->nreason; i++)
    if (r->reason[i].level > w->public.verdict) w->public.verdict = r->reason[i].level;
  *out = &w->public;
  return RBV_OK;
}

static rbv_status check(const rbv_report_input *input) {
  if (input && input->result && input->model) return RBV_OK;
  return rbv_fail(RBV_EARG, "a report needs a result and its robot");
}

rbv_status rbv_report_new(rbv_report **out, const rbv_report_input *input) {
  *out = NULL;
  RBV_TRY(check(input));
  return produce(out, input, make_page, NULL);
}

rbv_status rbv_report_verdict(rbv_report **out, const rbv_report_input *input) {
  *out = NULL;
  RBV_TRY(check(input));
  return produce(out, input, make_verdict, NULL);
}

rbv_status rbv_report_design_page(rbv_report **out, const rbv_design_page *design) {
  *out = NULL;
  if (!design || !design->model || design->nmotion < 1 || !design->base || !design->limits)
    return rbv_fail(RBV_EARG, "a report needs a motion, its robot, limits and base parameters");
  const rbv_report_input input = {
      .model = design->model, .nfit = design->nmotion, .fit = design->motion};
  return produce(out, &input, rbv_design_page_write, design);
}

/* figures without a page */
static rbv_status produce_figures(rbv_report **out, const rbv_model *model, page_writer *make,
                                  const void *more) {
  const rbv_report_input input = {.model = model};
  RBV_TRY(produce(out, &input, make, more));
  whole *w = (whole *)(void *)*out;
  const bool failed = w->made.html.failed;
  rbv_text_free(&w->made.html);
  (*out)->html = NULL;
  (*out)->size = 0;
  if (!failed) return RBV_OK;
  rbv_report_free(*out);
  *out = NULL;
  return RBV_EMEM;
}

rbv_status rbv_report_validation(rbv_report **out, const rbv_model *model,
                                 const rbv_prediction *const *prediction, int count) {
  *out = NULL;
  if (!model || !prediction || count < 1)
    return rbv_fail(RBV_EARG, "figures of a validation need a robot and a recording");
  const rbv_validation_set set = {prediction, count};
  return produce_figures(out, model, rbv_validation_figures, &set);
}

rbv_status rbv_report_sweep(rbv_report **out, const rbv_model *model,
                            const rbv_sweep_summary *summary) {
  *out = NULL;
  return produce_figures(out, model, rbv_sweep_figures, summary);
}

rbv_status rbv_report_control(rbv_report **out, const rbv_model *model,
                              const rbv_control *control) {
  *out = NULL;
  if (!model || !control || rbv_control_joint_count(control) != rbv_model_joint_count(model))
    return rbv_fail(RBV_EARG, "figures of control laws need a robot and a law of each joint");
  return produce_figures(out, model, rbv_control_figures, control);
}

rbv_status rbv_report_payload(rbv_report **out, const rbv_payload_page *payload) {
  *out = NULL;
  if (!payload || !payload->model || !payload->frame || !payload->source)
    return rbv_fail(RBV_EARG, "a report needs a payload, its robot, frame and source");
  const rbv_report_input input = {.model = payload->model};
  return produce(out, &input, rbv_payload_page_write, payload);
}

rbv_status rbv_report_compare(rbv_report **out, const rbv_compare_page *page) {
  *out = NULL;
  if (!page || page->count < 2 || !page->name || !page->result || !page->comparison)
    return rbv_fail(RBV_EARG, "a comparison needs two or more results and their names");
  const rbv_report_input input = {0};
  return produce(out, &input, rbv_compare_page_write, page);
}

rbv_status rbv_report_fleet(rbv_report **out, const rbv_fleet_page *page) {
  *out = NULL;
  if (!page || !page->history || !page->robot || !page->period || !page->type)
    return rbv_fail(RBV_EARG,
                    "the page of a fleet needs a history, and names of robots and periods");
  const rbv_report_input input = {0};
  return produce(out, &input, rbv_fleet_page_write, page);
}

rbv_status rbv_report_follow(rbv_report **out, const rbv_follow_page *page) {
  *out = NULL;
  if (!page || !page->model || !page->source || !page->limits || page->count < 1 || !page->row)
    return rbv_fail(RBV_EARG, "a history needs a robot, the name of its stream and a row");
  const rbv_report_input input = {.model = page->model};
  return produce(out, &input, rbv_follow_page_write, page);
}

void rbv_report_free(rbv_report *page) {
  if (!page) return;
  whole *w = (whole *)(void *)page;
  free_made(&w->made);
  rbv_free(w);
}
