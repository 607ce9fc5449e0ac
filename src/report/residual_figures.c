/* Figures of torques and residuals. */
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>

#include "report/plots.h"
#include "report/report_internal.h"

#define THIN 540  // points of a static line
#define THIN_PART 300
#define LAGS 50

/* ---- lines over time ---- */

/* reduce to at most `most` points, the extremes of groups of neighbours; returns their number */
static ptrdiff_t thin(double *tt, double *yy, const double *t, const double *y, ptrdiff_t n,
                      ptrdiff_t most) {
  if (n <= most) {
    memcpy(tt, t, (size_t)n * sizeof *t);
    memcpy(yy, y, (size_t)n * sizeof *y);
    return n;
  }
  const ptrdiff_t groups = most / 2;
  for (ptrdiff_t g = 0; g < groups; g++) {
    ptrdiff_t low = -1, high = -1;
    for (ptrdiff_t k = g * n / groups; k < (g + 1) * n / groups; k++) {
      if (!isfinite(y[k])) continue;
      if (low < 0 || y[k] < y[low]) low = k;
      if (high < 0 || y[k] > y[high]) high = k;
    }
    const ptrdiff_t first = low < high ? low : high, second = low < high ? high : low;
    tt[2 * g] = t[first < 0 ? g * n / groups : first];
    tt[2 * g + 1] = t[second < 0 ? g * n / groups : second];
    yy[2 * g] = first < 0 ? NAN : y[first];
    yy[2 * g + 1] = second < 0 ? NAN : y[second];
  }
  return 2 * groups;
}

static void thin_line(drawing *d, const char *class, const double *t, const double *y, ptrdiff_t n,
                      ptrdiff_t most) {
  double tt[THIN], yy[THIN];
  const ptrdiff_t count = thin(tt, yy, t, y, n, most);
  rbv_draw_line(d, class, tt, yy, count);
}

static void widen(double *low, double *high, const double *y, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!isfinite(y[k])) continue;
    *low = fmin(*low, y[k]);
    *high = fmax(*high, y[k]);
  }
}

static void time_range(drawing *d, const report_series *s) {
  d->xmin = s->t[0];
  d->xmax = s->t[s->count - 1];
  if (!(d->xmax > d->xmin)) d->xmax = d->xmin + 1;
}

/* attributes by which the script finds the data of a figure */
static void lines_attributes(char out[128], const char *kind, const char *key, int row) {
  snprintf(out, 128, " data-lines=\"%s\" data-group=\"%s\" data-row=\"%d\"", kind, key, row);
}

/* a torque row over time; the drawing points to label and unit */
typedef struct {
  char label[128], unit[160], attributes[128];
  drawing d;
} time_figure;

static void begin_figure(time_figure *f, const report *r, const char *kind, const char *key, int i,
                         int height) {
  rbv_row_label(f->label, sizeof f->label, r, i);
  snprintf(f->unit, sizeof f->unit, "%s [%s]", kind, rbv_row_unit(r, i));
  f->d = (drawing){.xlabel = "time [s]",
                   .ylabel = f->unit,
                   .width = DRAWING_WIDE,
                   .height = height,
                   .ymin = INFINITY,
                   .ymax = -INFINITY};
  snprintf(f->d.name, sizeof f->d.name, "%s-%s-%d", kind, key, i + 1);
  lines_attributes(f->attributes, kind, key, i);
}

static void draw_frame(drawing *d, const report_series *s) {
  rbv_draw_range(&d->ymin, &d->ymax, 0.05);
  time_range(d, s);
  rbv_draw_axes(d);
}

void rbv_figures_torques(report *r, const report_series *s, const char *key) {
  for (int i = 0; i < r->nrow; i++) {
    const row_series *row = &s->row[i];
    time_figure f;
    begin_figure(&f, r, "torque", key, i, 230);
    drawing *d = &f.d;
    d->legend = true;
    snprintf(d->title, sizeof d->title, "%s: measured and predicted torque", f.label);
    widen(&d->ymin, &d->ymax, row->line[SERIES_MEASURED], s->count);
    widen(&d->ymin, &d->ymax, row->line[SERIES_PREDICTED], s->count);
    draw_frame(d, s);
    thin_line(d, "c1", s->t, row->line[SERIES_MEASURED], s->count, THIN);
    thin_line(d, "c2", s->t, row->line[SERIES_PREDICTED], s->count, THIN);
    rbv_draw_legend(d, "c1", "measured");
    rbv_draw_legend(d, "c2", "predicted");
    rbv_page_figure(r, d, f.attributes, f.label);
  }
}

/* the parts of the torque; with the residual they add up to the measured torque */
static const struct {
  int line;
  const char *class, *name;
} split_part[] = {{SERIES_GRAVITY, "c1", "gravity"},
                  {SERIES_INERTIA, "c2", "inertia"},
                  {SERIES_CORIOLIS, "c3", "Coriolis and centrifugal"},
                  {SERIES_FRICTION, "c5", "friction"},
                  {SERIES_RESIDUAL, "c4", "unexplained"}};

void rbv_figures_split(report *r) {
  const report_series *s = &r->fit;
  for (int i = 0; i < r->nrow; i++) {
    time_figure f;
    begin_figure(&f, r, "split", "fit", i, 230);
    snprintf(f.unit, sizeof f.unit, "torque [%s]", rbv_row_unit(r, i));
    drawing *d = &f.d;
    d->legend = true;
    snprintf(d->title, sizeof d->title, "%s: parts of the torque", f.label);
    for (int k = 0; k < RBV_COUNT(split_part); k++)
      widen(&d->ymin, &d->ymax, s->row[i].line[split_part[k].line], s->count);
    draw_frame(d, s);
    for (int k = 0; k < RBV_COUNT(split_part); k++) {
      thin_line(d, split_part[k].class, s->t, s->row[i].line[split_part[k].line], s->count,
                THIN_PART);
      rbv_draw_legend(d, split_part[k].class, split_part[k].name);
    }
    rbv_page_figure(r, d, f.attributes, f.label);
  }
}

void rbv_figures_residuals_in_time(report *r, const report_series *s, const char *key) {
  for (int i = 0; i < r->nrow; i++) {
    const row_series *row = &s->row[i];
    time_figure f;
    begin_figure(&f, r, "residual", key, i, 180);
    drawing *d = &f.d;
    snprintf(d->title, sizeof d->title, "%s: residual over time", f.label);
    widen(&d->ymin, &d->ymax, row->line[SERIES_RESIDUAL], s->count);
    draw_frame(d, s);
    if (d->ymin < 0 && d->ymax > 0) rbv_draw_horizontal(d, "zero", 0);
    thin_line(d, "c3", s->t, row->line[SERIES_RESIDUAL], s->count, THIN);
    rbv_page_figure(r, d, f.attributes, f.label);
  }
}

/* ---- errors ---- */

/* bars of every torque row; values are shares, shown in per cent */
typedef struct {
  const char *class, *name;
  const double *share;
} row_bars;

static void draw_rows(report *r, drawing *d, const row_bars *bars, int count) {
  const int n = r->nrow;
  plot_bars of[2];
  const char **name = rbv_alloc((size_t)n * sizeof *name);
  char(*label)[128] = rbv_alloc((size_t)n * sizeof *label);
  double *percent = rbv_alloc(RBV_COUNT(of) * (size_t)n * sizeof *percent);
  d->xlabel = n > r->m->njoint ? "joint and channel" : "joint";
  d->width = DRAWING_WIDE;
  d->height = 250;
  if (name && label && percent) {
    for (int i = 0; i < n; i++) {
      rbv_row_label(label[i], sizeof label[i], r, i);
      name[i] = label[i];
      for (int b = 0; b < count; b++) percent[i + b * n] = 100 * bars[b].share[i];
    }
    for (int b = 0; b < count; b++)
      of[b] = (plot_bars){bars[b].class, bars[b].name, percent + b * n};
    rbv_plot_bars(d, name, n, of, count);
    rbv_page_figure(r, d, NULL, NULL);
  } else {
    r->html.failed = true;
  }
  rbv_free(percent);
  rbv_free(label);
  rbv_free(name);
}

void rbv_figure_errors(report *r) {
  const rbv_fit *fit = &r->result->fit, *held = &r->result->validation;
  double *share = rbv_alloc(2 * (size_t)r->nrow * sizeof *share);
  if (!share) {
    r->html.failed = true;
    return;
  }
  const bool two = held->nrow == fit->nrow;
  for (int i = 0; i < r->nrow; i++) {
    share[i] = fit->row[i].relative_error;
    share[r->nrow + i] = two ? held->row[i].relative_error : NAN;
  }
  const row_bars bars[2] = {{"f1", "fit", share}, {"f2", "validation", share + r->nrow}};
  drawing d = {.ylabel = "error [% of the torque norm]",
               .name = "errors",
               .title = "Relative error of the predicted torque of every joint"};
  draw_rows(r, &d, bars, two ? 2 : 1);
  rbv_free(share);
}

void rbv_figure_gain(report *r) {
  bool before = false, after = false;
  for (int i = 0; i < r->nrow; i++) {
    before = before || isfinite(r->before[i]);
    after = after || isfinite(r->after[i]);
  }
  if (!after) return;
  const row_bars bars[2] = {{"f1", "robot file", r->before}, {"f2", "identified", r->after}};
  drawing d = {.ylabel = "comparable error [%]",
               .name = "gain",
               .title = "Error of the predicted torque before and after the identification"};
  draw_rows(r, &d, before ? bars : bars + 1, before ? 2 : 1);
}

/* ---- distribution and correlation of the residual ---- */

static void histogram(report *r, int row, const rbv_moments *m) {
  char label[128], unit[160], caption[256];
  rbv_row_label(label, sizeof label, r, row);
  snprintf(unit, sizeof unit, "residual [%s]", rbv_row_unit(r, row));
  drawing d = {.xlabel = unit,
               .ylabel = "density [share per bin, %]",
               .width = DRAWING_SMALL,
               .height = 220};
  snprintf(d.name, sizeof d.name, "histogram-%d", row + 1);
  snprintf(d.title, sizeof d.title, "%s: histogram of the residual", label);
  const ptrdiff_t outside = rbv_plot_histogram(&d, r->residuals.e[row], r->residuals.count[row]);
  int used = snprintf(caption, sizeof caption, "%s: skewness %.2f, excess kurtosis %.2f", label,
                      m->skewness, m->kurtosis);
  if (outside > 0 && used > 0 && used < (int)sizeof caption)
    snprintf(caption + used, sizeof caption - (size_t)used, "; %td beyond 4 sigma", outside);
  rbv_page_figure(r, &d, NULL, caption);
}

void rbv_figures_histograms(report *r) {
  for (int i = 0; i < r->residuals.nrow; i++) {
    rbv_moments m;
    if (r->residuals.count[i] < 8) continue;
    if (rbv_stats_moments(&m, r->residuals.e[i], r->residuals.count[i]) != RBV_OK) continue;
    if (m.variance > 0) histogram(r, i, &m);
  }
}

void rbv_figures_autocorrelation(report *r) {
  for (int i = 0; i < r->residuals.nrow; i++) {
    const ptrdiff_t n = r->residuals.count[i];
    const int lags = n / 4 < LAGS ? (int)(n / 4) : LAGS;
    char label[128], caption[256];
    rbv_row_label(label, sizeof label, r, i);
    drawing d = {
        .xlabel = "lag [rows]", .ylabel = "autocorrelation", .width = DRAWING_SMALL, .height = 200};
    snprintf(d.name, sizeof d.name, "autocorrelation-%d", i + 1);
    snprintf(d.title, sizeof d.title, "%s: autocorrelation of the residual", label);
    const int outside = rbv_plot_autocorrelation(&d, r->residuals.e[i], n, lags);
    if (outside < 0) continue;
    snprintf(caption, sizeof caption, "%s: %d of %d lags outside the 95 %% bounds of white noise",
             label, outside, lags);
    rbv_page_figure(r, &d, NULL, caption);
  }
}

void rbv_figures_velocity(report *r) {
  for (int i = 0; i < r->nrow; i++) {
    const row_series *row = &r->fit.row[i];
    const rbv_row *model = rbv_model_row(r->m, i);
    const bool slides = rbv_model_joint(r->m, model->joint)->type == RBV_JOINT_PRISMATIC;
    char label[128], unit[160];
    rbv_row_label(label, sizeof label, r, i);
    snprintf(unit, sizeof unit, "residual [%s]", rbv_row_unit(r, i));
    drawing d = {.xlabel = slides ? "velocity [m/s]" : "velocity [rad/s]",
                 .ylabel = unit,
                 .width = DRAWING_SMALL,
                 .height = 210,
                 .xmin = INFINITY,
                 .xmax = -INFINITY,
                 .ymin = INFINITY,
                 .ymax = -INFINITY};
    snprintf(d.name, sizeof d.name, "velocity-%d", i + 1);
    snprintf(d.title, sizeof d.title, "%s: residual against velocity", label);
    widen(&d.xmin, &d.xmax, row->velocity, row->nscatter);
    widen(&d.ymin, &d.ymax, row->scatter, row->nscatter);
    rbv_draw_range(&d.xmin, &d.xmax, 0.04);
    rbv_draw_range(&d.ymin, &d.ymax, 0.04);
    rbv_draw_axes(&d);
    if (d.ymin < 0 && d.ymax > 0) rbv_draw_horizontal(&d, "zero", 0);
    rbv_draw_dots(&d, "c1", row->velocity, row->scatter, row->nscatter);
    rbv_page_figure(r, &d, NULL, label);
  }
}
