/* Parameters that the recordings of the fit show to be functions of a state: a section of its own.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>

#include "report/report_internal.h"

/* columns of the estimated parameters, and their place in the result */
static int estimated(int *column, int *item, const report *r) {
  int n = 0;
  for (int k = 0; k < r->result->estimate.count; k++) {
    const rbv_parameter *p = &r->result->estimate.item[k];
    const int c = rbv_model_find(r->m, p->name);
    if (c < 0 || !isfinite(p->value) || !(p->sigma > 0) || !isfinite(p->sigma)) continue;
    column[n] = c;
    item[n++] = k;
  }
  return n;
}

static void draw(report *r, const rbv_state_dependence *f, const rbv_parameter *p, int number) {
  const bool prismatic = rbv_model_joint(r->m, f->joint)->type == RBV_JOINT_PRISMATIC;
  const char *joint = rbv_model_joint(r->m, f->joint)->name;
  const char *unit = prismatic ? (f->velocity ? "m/s" : "m") : (f->velocity ? "rad/s" : "rad");
  double low[RBV_STATE_POINTS], high[RBV_STATE_POINTS], constant[RBV_STATE_POINTS];
  for (int i = 0; i < RBV_STATE_POINTS; i++) {
    low[i] = f->value[i] - 2 * f->sigma[i];
    high[i] = f->value[i] + 2 * f->sigma[i];
    constant[i] = p->value;
  }
  const plot_curve curve[] = {{"c1", "as a constant", f->at, constant, RBV_STATE_POINTS},
                              {"c4 dashed", "2 sigma", f->at, low, RBV_STATE_POINTS},
                              {"c4 dashed", NULL, f->at, high, RBV_STATE_POINTS},
                              {"c2", "as a function", f->at, f->value, RBV_STATE_POINTS}};
  char x[96], y[96];
  snprintf(x, sizeof x, "%s of %s [%s]", f->velocity ? "velocity" : "position", joint, unit);
  snprintf(y, sizeof y, "%s [%s]", p->name,
           rbv_model_column(r->m, rbv_model_find(r->m, p->name))->unit);
  drawing d = rbv_drawing(DRAWING_WIDE * 2 / 3, 260, x, y);
  d.legend = true;
  snprintf(d.name, sizeof d.name, "state-%d", number + 1);
  snprintf(d.title, sizeof d.title,
           "%s over the %s of %s: squared error of blocks that were not used %.0f %% smaller",
           p->name, f->velocity ? "velocity" : "position", joint, 100 * f->decrease);
  rbv_plot_curves(&d, curve, RBV_COUNT(curve));
  rbv_page_figure(r, &d, NULL, NULL);
}

static void write_section(report *r, const rbv_state_dependence *found, int count,
                          const int *item) {
  rbv_page_open(r, "states", "Parameters that change with a state");
  rbv_page_paragraph(
      r,
      "The torques are predicted better if these parameters are functions: a term is missing in "
      "the model, and the shape of the function says which. Constant and function are estimated "
      "from the recordings of the fit, the band is the jackknife over blocks of time.");
  for (int i = 0; i < count; i++)
    draw(r, &found[i], &r->result->estimate.item[item[found[i].parameter]], i);
  rbv_page_close(r);
}

rbv_status rbv_page_states(report *r) {
  const rbv_report_input *in = r->in;
  if (in->nfit == 0 || rbv_report_from_reference(r) || rbv_report_too_long(r, in->fit, in->nfit))
    return RBV_OK;
  const size_t most = (size_t)r->result->estimate.count;
  int *column = rbv_alloc((most + 1) * sizeof *column);
  int *item = rbv_alloc((most + 1) * sizeof *item);
  rbv_state_dependence found[RBV_STATE_DEPENDENCES];
  int count = 0;
  rbv_status status = column && item ? RBV_OK : RBV_EMEM;
  const int n = status == RBV_OK ? estimated(column, item, r) : 0;
  if (n > 0) status = rbv_state_dependences(found, &count, r->m, in->fit, in->nfit, column, n);
  if (status == RBV_OK && count > 0) write_section(r, found, count, item);
  rbv_free(column);
  rbv_free(item);
  return status;
}
