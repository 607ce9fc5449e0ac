/* Figures without a page: errors of a validation, control laws, sweeps. */
#include <stdio.h>

#include "report/report_internal.h"

#define BOXES_MOST 64
#define STEP_S 0.5
#define STEP 1e-3  // rad or m
#define STEP_MOST 4000
#define BODE_LOW_HZ 0.1
#define HEIGHT 220

/* ---- validation ---- */

rbv_status rbv_validation_figures(report *r, const void *given) {
  const rbv_validation_set *set = given;
  const int nrow = set->prediction[0]->fit.nrow;
  char name[BOXES_MOST][48];
  plot_box box[BOXES_MOST];
  RBV_NEW(double, percent, (size_t)nrow *(size_t)set->count);
  const int boxes = nrow < BOXES_MOST ? nrow : BOXES_MOST;
  const int values = set->count < RBV_PLOT_BOX_MOST ? set->count : RBV_PLOT_BOX_MOST;
  for (int i = 0; i < boxes; i++) {
    double *own = percent + (ptrdiff_t)i * set->count;
    for (int k = 0; k < values; k++) own[k] = 100 * set->prediction[k]->fit.row[i].relative_error;
    rbv_row_label(name[i], sizeof name[i], r, i);
    box[i] = (plot_box){"f1", name[i], own, values};
  }
  drawing d = rbv_drawing(DRAWING_WIDE, 320, "joint", "relative error [%]");
  snprintf(d.name, sizeof d.name, "errors");
  snprintf(d.title, sizeof d.title, "Relative error of every torque over %d recordings", values);
  rbv_plot_boxes(&d, box, boxes);
  rbv_page_figure(r, &d, NULL, NULL);
  rbv_free(percent);
  return RBV_OK;
}

/* ---- control laws ---- */

static rbv_status draw_bode(report *r, const rbv_control *control, int joint,
                            const rbv_transfer *law) {
  const rbv_joint *j = rbv_model_joint(r->m, joint);
  const bool slides = j->type == RBV_JOINT_PRISMATIC;
  drawing gain = {.ylabel = slides ? "gain [dB of N/m]" : "gain [dB of N m/rad]",
                  .width = DRAWING_WIDE / 2,
                  .height = HEIGHT};
  drawing phase = {.ylabel = "phase [degrees]", .width = DRAWING_WIDE / 2, .height = HEIGHT};
  snprintf(gain.name, sizeof gain.name, "gain-%d", joint + 1);
  snprintf(gain.title, sizeof gain.title, "%.80s: gain of the control law", j->name);
  snprintf(phase.name, sizeof phase.name, "phase-%d", joint + 1);
  snprintf(phase.title, sizeof phase.title, "%.80s: phase of the control law", j->name);
  const plot_transfer t = {"c1", NULL, law};
  const rbv_status status =
      rbv_plot_bode(&gain, &phase, &t, 1, BODE_LOW_HZ, rbv_control_rate_hz(control));
  if (status == RBV_OK) {
    rbv_page_figure(r, &gain, NULL, NULL);
    rbv_page_figure(r, &phase, NULL, NULL);
  } else {
    rbv_draw_free(&gain);
    rbv_draw_free(&phase);
  }
  return status;
}

/* torque after a step of the tracking error */
static rbv_status draw_step(report *r, const rbv_control *control, int joint,
                            const rbv_transfer *law) {
  const rbv_joint *j = rbv_model_joint(r->m, joint);
  const bool slides = j->type == RBV_JOINT_PRISMATIC;
  const double rate_hz = rbv_control_rate_hz(control);
  const int wanted = (int)(STEP_S * rate_hz) + 1;
  const int count = wanted < 2 ? 2 : wanted < STEP_MOST ? wanted : STEP_MOST;
  double *t = rbv_alloc(2 * (size_t)count * sizeof *t), *y = t + count;
  if (!t) return RBV_EMEM;
  for (int k = 0; k < count; k++) {
    t[k] = k / rate_hz;
    y[k] = STEP;
  }
  const rbv_status status = rbv_transfer_filter(y, count, law, y, count, count, 1);
  const plot_curve curve = {"c1", NULL, t, y, count};
  drawing d =
      rbv_drawing(DRAWING_WIDE / 2, HEIGHT, "time [s]", slides ? "force [N]" : "torque [N m]");
  snprintf(d.name, sizeof d.name, "step-%d", joint + 1);
  snprintf(d.title, sizeof d.title, "%.80s: response of the control law to an error of 1 %s",
           j->name, slides ? "mm" : "mrad");
  if (status == RBV_OK) {
    rbv_plot_curves(&d, &curve, 1);
    rbv_page_figure(r, &d, NULL, NULL);
  }
  rbv_free(t);
  return status;
}

rbv_status rbv_control_figures(report *r, const void *given) {
  const rbv_control *control = given;
  for (int j = 0; j < r->m->njoint; j++) {
    rbv_transfer law;
    RBV_TRY(rbv_control_transfer(&law, control, j));
    RBV_TRY(draw_bode(r, control, j, &law));
    RBV_TRY(draw_step(r, control, j, &law));
  }
  return RBV_OK;
}

/* ---- sweeps ---- */

/* one box per joint, of at most RBV_PLOT_BOX_MOST values that are evenly spread over all of them */
static rbv_status draw_sweep(report *r, const rbv_sweep_summary *s, int quantity, drawing d) {
  const int n = s->njoint < BOXES_MOST ? s->njoint : BOXES_MOST;
  const int count = s->done < RBV_PLOT_BOX_MOST ? s->done : RBV_PLOT_BOX_MOST;
  if (count == 0) return RBV_OK;
  plot_box box[BOXES_MOST];
  RBV_NEW(double, percent, (size_t)n *(size_t)count);
  for (int j = 0; j < n; j++) {
    const double *sorted = s->value + (ptrdiff_t)(quantity * s->njoint + j) * s->done;
    const double own =
        quantity == RBV_SWEEP_TRACKING_RMS ? s->own[j].tracking_rms : s->own[j].torque_rms;
    double *to = percent + (ptrdiff_t)j * count;
    for (int i = 0; i < count; i++) {
      const ptrdiff_t at = count > 1 ? (ptrdiff_t)i * (s->done - 1) / (count - 1) : 0;
      to[i] = own > 0 ? 100 * sorted[at] / own : 0;
    }
    box[j] = (plot_box){"f1", rbv_model_joint(r->m, j)->name, to, count};
  }
  rbv_plot_boxes(&d, box, n);
  rbv_page_figure(r, &d, NULL, NULL);
  rbv_free(percent);
  return RBV_OK;
}

rbv_status rbv_sweep_figures(report *r, const void *given) {
  const rbv_sweep_summary *s = given;
  drawing tracking =
      rbv_drawing(DRAWING_WIDE, 320, "joint", "rms tracking error [% of the estimated plant]");
  snprintf(tracking.name, sizeof tracking.name, "tracking");
  drawing torque = tracking;
  snprintf(torque.name, sizeof torque.name, "torque");
  torque.ylabel = "rms torque [% of the estimated plant]";
  snprintf(tracking.title, sizeof tracking.title, "Tracking error of every joint over %d plants",
           s->done);
  snprintf(torque.title, sizeof torque.title, "Torque of every joint over %d plants", s->done);
  RBV_TRY(draw_sweep(r, s, RBV_SWEEP_TRACKING_RMS, tracking));
  return draw_sweep(r, s, RBV_SWEEP_TORQUE_RMS, torque);
}
