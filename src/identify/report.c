#include <math.h>
#include <roberval/identify.h>
#include <string.h>

#include "base/support.h"

/* "XX2 - YY2 - 0.050625 M3": the combination behind a base parameter */
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

void rbv_estimate_unreport(rbv_result *result) {
  for (int k = 0; k < result->estimate.count && result->meaning; k++)
    rbv_free((void *)(uintptr_t)result->meaning[k]);
  rbv_free(result->meaning);
  rbv_free(result->unit);
  rbv_free(result->joint);
  rbv_free(result->estimate.item);
  result->meaning = result->unit = result->joint = NULL;
  result->bootstrap_sigma = NULL;
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
  bool failed = !result->estimate.item || !result->unit || !result->meaning || !result->joint;
  for (int j = 0; j < result->njoint && !failed; j++)
    result->joint[j] = rbv_model_joint(m, j)->name;
  for (int k = 0; k < b->count && !failed; k++) {
    rbv_text text = {0};
    describe(&text, e, m, k);
    failed = text.failed;
    result->meaning[k] = text.data;
    result->unit[k] = rbv_model_column(m, b->kept[k])->unit;
    result->estimate.item[k] = (rbv_parameter){
        b->name[k], e->value[k], sqrt(e->covariance[k + (ptrdiff_t)k * b->count]), e->status[k]};
  }
  if (failed) {
    rbv_estimate_unreport(result);
    return RBV_EMEM;
  }
  result->bootstrap_sigma = e->bootstrapped ? e->bootstrap_sigma : NULL;
  result->robot = rbv_model_name(m);
  result->sensing = rbv_model_sensing(m);
  result->payload = rbv_model_has_payload(m);
  result->gamma = rbv_model_gamma(m);
  result->method = e->method;
  result->fit = e->fit;
  result->validation = e->validation;
  result->diagnostics = e->diagnostics;
  result->iterations = e->iterations;
  const rbv_hausman *h = &e->instruments.hausman;
  if (e->instruments.strength > 0)
    result->instruments = (rbv_instruments){e->instruments.condition,
                                            e->instruments.strength,
                                            h->statistic,
                                            h->p,
                                            h->dof,
                                            h->shift,
                                            b->name[h->worst],
                                            h->biased};
  result->masked_fraction = e->masked_fraction;
  return RBV_OK;
}
