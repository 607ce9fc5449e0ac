#include <math.h>
#include <roberval/sys/identify.h>

#include "base/support.h"
#include "consistency/consistency.h"

/* write the combination of a base parameter, "XX2 - YY2 - 0.050625 M3" */
static void describe(rbv_text *text, const rbv_estimate *e, const rbv_model *m, int k) {
  const rbv_base *b = e->base;
  rbv_text_put(text, rbv_model_column(m, b->kept[k])->name);
  for (int c = 0; c < b->ncolumn; c++) {
    const double x = e->relation[k + (ptrdiff_t)c * b->count];
    if (x == 0 || c == b->kept[k]) continue;
    rbv_text_put(text, x < 0 ? " - " : " + ");
    if (fabs(x) != 1) rbv_text_print(text, "%.10g ", fabs(x));
    rbv_text_put(text, rbv_model_column(m, c)->name);
  }
}

static const char *body_name(const rbv_model *m, int body) {
  const char *joint = rbv_model_body_joint(m, body);
  return joint ? joint : "payload";
}

static rbv_result_body report_body(const rbv_standard *s, const rbv_model *m, int j) {
  const int mass = s->mass_column[j];
  rbv_result_body out = {.name = body_name(m, s->of[j]),
                         .state = rbv_body_fault_name(s->body[j].fault),
                         .prior = rbv_prior_kind_name(s->prior_kind[j]),
                         .margin = s->body[j].margin,
                         .active = s->body_active[j],
                         .mass = s->body[j].mass,
                         .mass_sigma = s->sigma[mass],
                         .mass_known = s->known[mass],
                         .prior_mass = s->prior[mass]};
  for (int i = 0; i < 3; i++) {
    out.centre[i] = s->body[j].centre[i];
    out.centre_sigma[i] = s->centre_sigma[3 * j + i];
    out.centre_known[i] = s->centre_known[3 * j + i];
    out.prior_centre[i] = s->prior[mass - 3 + i] / s->prior[mass];
  }
  return out;
}

/* standard parameters and their certificate; values are borrowed */
static rbv_status report_standard(rbv_result_standard *out, const rbv_standard *s,
                                  const rbv_model *m) {
  const size_t n = (size_t)s->ncolumn;
  *out = (rbv_result_standard){.count = s->ncolumn,
                               .value = s->chi,
                               .sigma = s->sigma,
                               .known = s->known,
                               .active = s->active,
                               .nbody = s->nbody,
                               .chi2 = s->chi2,
                               .gap = s->gap,
                               .largest_move_sigma = s->largest_move,
                               .weight = s->weight,
                               .mass_weight = s->mass_weight,
                               .variance = s->variance,
                               .free_error = NAN,
                               .iterations = s->iterations,
                               .converged = s->converged};
  out->name = rbv_alloc(n * sizeof *out->name);
  out->unit = rbv_alloc(n * sizeof *out->unit);
  out->body = rbv_alloc((size_t)s->nbody * sizeof *out->body);
  if (!out->name || !out->unit || !out->body) return RBV_EMEM;
  for (int c = 0; c < s->ncolumn; c++) {
    out->name[c] = rbv_model_column(m, c)->name;
    out->unit[c] = rbv_model_column(m, c)->unit;
  }
  for (int j = 0; j < s->nbody; j++) out->body[j] = report_body(s, m, j);
  return RBV_OK;
}

void rbv_estimate_unreport(rbv_result *result) {
  RBV_FREE_ALL(result->standard.name, result->standard.unit, result->standard.body);
  result->standard = (rbv_result_standard){0};
  for (int k = 0; k < result->estimate.count && result->meaning; k++)
    rbv_free((void *)(uintptr_t)result->meaning[k]);
  RBV_FREE_ALL(result->meaning, result->unit, result->joint, result->smooth);
  result->smooth = NULL;
  rbv_free(result->estimate.item);
  result->meaning = result->unit = result->joint = NULL;
  result->bootstrap_sigma = result->sigma_white = NULL;
  result->jackknife = (rbv_jackknife){0};
  result->loop = (rbv_result_loop){0};
  result->estimate = (rbv_parameters){0};
}

rbv_status rbv_estimate_report(rbv_result *result, const rbv_estimate *e, const rbv_model *m) {
  const rbv_base *b = e->base;
  const size_t n = (size_t)b->count;
  result->estimate.count = b->count;
  result->estimate.item = rbv_alloc(n * sizeof *result->estimate.item);
  result->unit = rbv_alloc(n * sizeof *result->unit);
  result->meaning = rbv_alloc(n * sizeof *result->meaning);
  result->njoint = rbv_model_joint_count(m);
  result->joint = rbv_alloc((size_t)result->njoint * sizeof *result->joint);
  result->smooth = rbv_alloc((size_t)result->njoint * sizeof *result->smooth);
  bool failed = !result->estimate.item || !result->unit || !result->meaning || !result->joint ||
                !result->smooth;
  for (int j = 0; j < result->njoint && !failed; j++)
    result->joint[j] = rbv_model_joint(m, j)->name;
  for (int j = 0; j < result->njoint && !failed; j++) {
    const rbv_smoothing s = rbv_model_smoothing(m, j);
    result->smooth[j] = s.gamma > 0 ? 0 : s.speed;
  }
  for (int k = 0; k < b->count && !failed; k++) {
    rbv_text text = {0};
    describe(&text, e, m, k);
    failed = text.failed;
    result->meaning[k] = text.data;
    result->unit[k] = rbv_model_column(m, b->kept[k])->unit;
    result->estimate.item[k] = (rbv_parameter){
        b->name[k], e->value[k], sqrt(e->covariance[k + (ptrdiff_t)k * b->count]), e->status[k]};
  }
  if (!failed && e->standard) failed = report_standard(&result->standard, e->standard, m) != RBV_OK;
  if (failed) {
    rbv_estimate_unreport(result);
    return RBV_EMEM;
  }
  result->standard.free_error = e->standard ? e->free_error : NAN;
  result->standard.failed = e->bodies_fail;
  result->sigma_white = e->sigma_white;
  result->jackknife = e->jackknife;
  result->bootstrap_sigma = e->bootstrapped ? e->bootstrap_sigma : NULL;
  result->robot = rbv_model_name(m);
  result->sensing = rbv_model_sensing(m);
  result->payload = rbv_model_has_payload(m);
  result->gamma = rbv_model_gamma(m);
  result->stribeck = rbv_model_stribeck(m);
  result->method = e->method;
  result->choice = e->choice;
  result->fit = e->fit;
  result->validation = e->validation;
  result->diagnostics = e->diagnostics;
  result->loop = e->loop;
  result->iterations = e->iterations;
  result->iteration = e->iteration;
  result->band_hz = e->band_hz;
  result->converged = e->converged;
  result->kept_iteration = e->kept_iteration;
  const rbv_hausman *h = &e->instruments.hausman;
  if (e->instruments.strength > 0)
    result->instruments = (rbv_instruments){e->instruments.condition,
                                            e->instruments.strength,
                                            h->statistic,
                                            h->p,
                                            h->dof,
                                            h->shift,
                                            b->name[h->worst],
                                            h->biased,
                                            e->instruments.first_stage};
  result->masked_fraction = e->masked_fraction;
  result->clipping = e->clipping;
  return RBV_OK;
}
