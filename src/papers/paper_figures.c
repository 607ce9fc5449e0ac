/* Figures of the experiments: torques, motions, residuals, convergence. */
#include <math.h>
#include <roberval/sys/equations.h>
#include <stdio.h>
#include <string.h>

#include "papers/papers_internal.h"

#define SMALL_HEIGHT 210
#define CONTROLLER_HEIGHT 220
#define POINTS_MOST 1200  // of one line

rbv_status rbv_reproduction_figure(rbv_reproduction *r, drawing *d, const char *where,
                                   const char *printed) {
  rbv_text file = {0}, element = {0};
  rbv_plot_file(&file, d);
  rbv_draw_inline(&element, d);
  const bool failed = file.failed || element.failed;
  const size_t size = sizeof *r->figure, have = (size_t)r->nfigure;
  void *more = failed ? NULL : rbv_realloc(r->figure, have * size, (have + 1) * size);
  if (more) {
    r->figure = more;
    rbv_reproduced_figure *f = &r->figure[r->nfigure++];
    *f = (rbv_reproduced_figure){.where = where,
                                 .printed = printed,
                                 .width = d->width,
                                 .file = file.data,
                                 .element = element.data};
    snprintf(f->name, sizeof f->name, "%s-%s", r->name, d->name);
    snprintf(f->title, sizeof f->title, "%s", d->title);
  } else {
    rbv_text_free(&file);
    rbv_text_free(&element);
  }
  rbv_draw_free(d);
  return more ? RBV_OK : RBV_EMEM;
}

/* ---- torques ---- */

static void take_rows(void *self, int row, int fold, const double *measured,
                      const double *predicted, ptrdiff_t count) {
  (void)fold;
  paper_rows *to = self;
  const ptrdiff_t room = to->most - to->count[row], n = count < room ? count : room;
  memcpy(to->measured[row] + to->count[row], measured, (size_t)n * sizeof *measured);
  memcpy(to->predicted[row] + to->count[row], predicted, (size_t)n * sizeof *predicted);
  to->count[row] += n;
}

rbv_status rbv_paper_rows_new(paper_rows *out, const rbv_model *m, rbv_motion *motion,
                              const double *chi, const rbv_row_filter *filter) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_row_filter every = {.decimate = 1};
  const rbv_row_filter *f = filter ? filter : &every;
  const int factor = f->decimate > 1 ? f->decimate : 1;
  *out = (paper_rows){.nrow = rbv_model_row_count(m),
                      .step_s = factor / info->rate_hz,
                      .force = rbv_model_joint(m, 0)->type == RBV_JOINT_PRISMATIC,
                      .most = info->count / factor + 1};
  if (out->nrow > PAPER_ROWS) return rbv_fail(RBV_EDIM, "too many torque rows for a figure");
  out->memory = rbv_alloc(2 * (size_t)out->nrow * (size_t)out->most * sizeof *out->memory);
  if (!out->memory) return RBV_EMEM;
  for (int i = 0; i < out->nrow; i++) {
    out->measured[i] = out->memory + 2 * i * out->most;
    out->predicted[i] = out->measured[i] + out->most;
  }
  const rbv_status status = rbv_equations_replay(m, f, motion, chi, take_rows, out);
  if (status != RBV_OK) rbv_paper_rows_free(out);
  return status;
}

void rbv_paper_rows_free(paper_rows *rows) {
  rbv_free(rows->memory);
  *rows = (paper_rows){0};
}

static void part_of(ptrdiff_t *first, ptrdiff_t *last, const paper_rows *rows, int row, double from,
                    double to) {
  *first = (ptrdiff_t)(from * (double)rows->count[row]);
  *last = (ptrdiff_t)(to * (double)rows->count[row]);
}

double rbv_paper_rows_error(const paper_rows *rows, int row, double from, double to) {
  ptrdiff_t first, last;
  part_of(&first, &last, rows, row, from, to);
  double error = 0, size = 0;
  for (ptrdiff_t k = first; k < last; k++) {
    const double e = rows->measured[row][k] - rows->predicted[row][k];
    error += e * e;
    size += rows->measured[row][k] * rows->measured[row][k];
  }
  return sqrt(error / size);
}

rbv_status rbv_paper_torques(rbv_reproduction *r, const paper_rows *rows, int row,
                             const paper_plot *plot) {
  ptrdiff_t first, last;
  part_of(&first, &last, rows, row, plot->from, plot->to);
  const ptrdiff_t stride = (last - first) / POINTS_MOST + 1, n = (last - first) / stride;
  RBV_NEW(double, t, 4 * (size_t)(n + 1));
  double *measured = t + n, *predicted = measured + n, *error = predicted + n;
  for (ptrdiff_t k = 0; k < n; k++) {
    const ptrdiff_t at = first + k * stride;
    t[k] = (double)at * rows->step_s;
    measured[k] = rows->measured[row][at];
    predicted[k] = rows->predicted[row][at];
    error[k] = measured[k] - predicted[k];
  }
  const plot_time p = {.t = t,
                       .count = n,
                       .ncurve = 3,
                       .curve = {{"c1", "measured", measured},
                                 {"c2 dashed", "predicted", predicted},
                                 {"c4", "error", error}}};
  drawing d = {.ylabel = rows->force ? "force [N]" : "torque [N m]",
               .width = DRAWING_WIDE / 2,
               .height = SMALL_HEIGHT};
  snprintf(d.name, sizeof d.name, "%s-%d", plot->name, row + 1);
  const double percent = 100 * rbv_paper_rows_error(rows, row, plot->from, plot->to);
  if (rows->nrow > 1)
    snprintf(d.title, sizeof d.title, "%s, torque %d: relative error %.1f %%", plot->title, row + 1,
             percent);
  else
    snprintf(d.title, sizeof d.title, "%s: relative error %.1f %%", plot->title, percent);
  rbv_plot_time(&d, &p);
  rbv_free(t);
  return rbv_reproduction_figure(r, &d, plot->where, plot->printed);
}

/* ---- residuals ---- */

rbv_status rbv_paper_autocorrelation(rbv_reproduction *r, const double *e, ptrdiff_t n, int row,
                                     const paper_plot *plot) {
  const int lags = n / 4 < RBV_PAPER_LAGS ? (int)(n / 4) : RBV_PAPER_LAGS;
  drawing d = rbv_drawing(DRAWING_SMALL, SMALL_HEIGHT, "lag [rows]", "autocorrelation");
  snprintf(d.name, sizeof d.name, "%s-%d", plot->name, row + 1);
  const int beyond = rbv_plot_autocorrelation(&d, e, n, lags);
  snprintf(d.title, sizeof d.title, "%s, axis %d: %d of %d lags outside the 2 sigma bounds",
           plot->title, row + 1, beyond, lags);
  return rbv_reproduction_figure(r, &d, plot->where, plot->printed);
}

rbv_status rbv_paper_histogram(rbv_reproduction *r, const double *e, ptrdiff_t n, int row,
                               const paper_plot *plot) {
  drawing d =
      rbv_drawing(DRAWING_WIDE / 2, SMALL_HEIGHT, "residual over its sigma", "share per bin [%]");
  snprintf(d.name, sizeof d.name, "%s-%d", plot->name, row + 1);
  snprintf(d.title, sizeof d.title, "%s", plot->title);
  rbv_plot_histogram(&d, e, n);
  return rbv_reproduction_figure(r, &d, plot->where, plot->printed);
}

/* ---- motions and iterations ---- */

rbv_status rbv_paper_motion(rbv_reproduction *r, rbv_motion *motion, int order, int njoint,
                            const paper_plot *plot) {
  static const char *const class[] = {"c1", "c2", "c3", "c4", "c5", "c1 dashed", "c2 dashed"};
  static const char *const number[] = {"joint 1", "joint 2", "joint 3", "joint 4",
                                       "joint 5", "joint 6", "joint 7"};
  static const char *const label[] = {"position [rad]", "velocity [rad/s]",
                                      "acceleration [rad/s^2]"};
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t stride = info->count / POINTS_MOST + 1, n = info->count / stride;
  const size_t all = (size_t)info->count * (size_t)info->njoint;
  double *x = rbv_alloc((all + (size_t)n * (1 + (size_t)info->njoint)) * sizeof *x), *t = x + all;
  if (!x) return RBV_EMEM;
  rbv_samples s = {.ld = info->count};
  if (order == 0) s.q = x;
  if (order == 1) s.dq = x;
  if (order == 2) s.ddq = x;
  rbv_status status = rbv_motion_read(motion, &s, 0, info->count);
  plot_curve curve[RBV_COUNT(class)];
  if (njoint > RBV_COUNT(class)) njoint = RBV_COUNT(class);
  for (int j = 0; j < njoint && status == RBV_OK; j++) {
    double *y = t + n * (1 + j);
    for (ptrdiff_t k = 0; k < n; k++) {
      t[k] = (double)(k * stride) / info->rate_hz;
      y[k] = x[k * stride + j * info->count];
    }
    curve[j] = (plot_curve){class[j], njoint > 1 ? number[j] : NULL, t, y, n};
  }
  if (status == RBV_OK) {
    drawing d = rbv_drawing(njoint > 1 ? DRAWING_WIDE * 2 / 3 : DRAWING_WIDE / 2,
                            njoint > 1 ? 260 : SMALL_HEIGHT, "time [s]", label[order]);
    snprintf(d.name, sizeof d.name, "%s", plot->name);
    snprintf(d.title, sizeof d.title, "%s", plot->title);
    rbv_plot_curves(&d, curve, njoint);
    status = rbv_reproduction_figure(r, &d, plot->where, plot->printed);
  }
  rbv_free(x);
  return status;
}

rbv_status rbv_paper_convergence(rbv_reproduction *r, const rbv_estimate *e,
                                 const paper_plot *plot) {
  double x[64], y[64];
  const int n = e->iterations < RBV_COUNT(x) ? e->iterations : RBV_COUNT(x);
  for (int k = 0; k < n; k++) {
    x[k] = k + 1;
    y[k] = 100 * e->iteration[k].residual;
  }
  drawing d = rbv_drawing(DRAWING_SMALL, SMALL_HEIGHT, "iteration", "relative error [%]");
  snprintf(d.name, sizeof d.name, "%s", plot->name);
  snprintf(d.title, sizeof d.title, "%s", plot->title);
  const plot_curve curve = {"c1", NULL, x, y, n};
  rbv_plot_curves(&d, &curve, 1);
  rbv_draw_dots(&d, "c1", x, y, n);
  return rbv_reproduction_figure(r, &d, plot->where, plot->printed);
}

rbv_status rbv_paper_controllers(rbv_reproduction *r, const plot_transfer laws[2], double rate_hz,
                                 const char *what, const char *unit, const paper_plot *plot) {
  char label[64];
  snprintf(label, sizeof label, "gain [dB of %s]", unit);
  drawing gain = {.name = "controller-gain",
                  .ylabel = label,
                  .width = DRAWING_WIDE / 2,
                  .height = CONTROLLER_HEIGHT};
  drawing phase = {.name = "controller-phase",
                   .ylabel = "phase [degrees]",
                   .width = DRAWING_WIDE / 2,
                   .height = CONTROLLER_HEIGHT};
  snprintf(gain.title, sizeof gain.title, "%s: gain of the %s and of the %s controller", what,
           laws[0].name, laws[1].name);
  snprintf(phase.title, sizeof phase.title, "%s: phase of the %s and of the %s controller", what,
           laws[0].name, laws[1].name);
  rbv_status status = rbv_plot_bode(&gain, &phase, laws, 2, 0.1, rate_hz);
  if (status != RBV_OK)
    rbv_draw_free(&gain);
  else
    status = rbv_reproduction_figure(r, &gain, plot->where, plot->printed);
  if (status == RBV_OK) return rbv_reproduction_figure(r, &phase, plot->where, plot->printed);
  rbv_draw_free(&phase);
  return status;
}
