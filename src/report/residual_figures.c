/* Figures of torques and residuals. */
#include <math.h>
#include <stdio.h>
#include "stats/stats.h"

#include "report/report_internal.h"

#define LAGS 50

/* ---- lines over time ---- */

/* the lines of each figure; the measured line is wide, to be visible behind a correct prediction.
 * The parts of the torque add up to the measured one. */
static const struct time_kind {
  const char *name, *word, *title;
  int height, count;
  bool recorded;  // with the range of the torque as recorded
  struct {
    int line;
    const char *class, *name;
  } line[RBV_PLOT_TIME_MOST];
} torque_kind = {"torque",
                 "torque",
                 "measured and predicted torque",
                 230,
                 3,
                 true,
                 {{SERIES_MEASURED, "c1 under", "measured"},
                  {SERIES_PREDICTED, "c2", "identified"},
                  {SERIES_FILE, "c3", "robot file"}}},
  first_kind = {"first",
                "torque",
                "measured torque, and as predicted",
                280,
                3,
                false,
                {{SERIES_MEASURED, "c1 under", "measured"},
                 {SERIES_FILE, "c3", "robot file"},
                 {SERIES_PREDICTED, "c2", "identified"}}},
  split_kind = {"split",
                "torque",
                "parts of the torque",
                230,
                5,
                false,
                {{SERIES_GRAVITY, "c1", "gravity"},
                 {SERIES_INERTIA, "c2", "inertia"},
                 {SERIES_CORIOLIS, "c3", "Coriolis and centrifugal"},
                 {SERIES_FRICTION, "c5", "friction"},
                 {SERIES_RESIDUAL, "c4", "unexplained"}}},
  residual_kind = {"residual",
                   "residual",
                   "residual over time",
                   180,
                   1,
                   false,
                   {{SERIES_RESIDUAL, "c3", "residual"}}};

static void draw_row(report *r, const struct time_kind *kind, const report_series *s,
                     const char *key, int i) {
  char label[128], unit[160], group[64];
  const row_series *row = &s->row[i];
  snprintf(group, sizeof group, " data-group=\"%s\"", key);
  rbv_row_label(label, sizeof label, r, i);
  snprintf(unit, sizeof unit, "%s [%s]", kind->word, rbv_row_unit(r, i));
  drawing d = {.ylabel = unit, .width = DRAWING_WIDE, .height = kind->height};
  snprintf(d.name, sizeof d.name, "%s-%s-%d", kind->name, key, i + 1);
  snprintf(d.title, sizeof d.title, "%s: %s", label, kind->title);
  plot_time p = {.t = s->t, .count = s->count};
  if (kind->recorded) p.low = row->low, p.high = row->high;
  for (int k = 0; k < kind->count; k++) {
    if (kind->line[k].line == SERIES_FILE && !rbv_model_parameters(r->m)) continue;
    p.curve[p.ncurve].class = kind->line[k].class;
    p.curve[p.ncurve].name = kind->line[k].name;
    p.curve[p.ncurve++].y = row->line[kind->line[k].line];
  }
  rbv_plot_time(&d, &p);
  rbv_page_figure(r, &d, group, label);
}

static void draw_time(report *r, const struct time_kind *kind, const report_series *s,
                      const char *key) {
  for (int i = 0; i < r->nrow; i++) draw_row(r, kind, s, key, i);
}

void rbv_figure_first_torque(report *r) {
  const report_series *s = &r->recorded;
  const bool known = rbv_model_parameters(r->m) != NULL;
  double most = -1;
  int largest = 0;
  for (int i = 0; i < r->nrow; i++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < s->count; k++) {
      // without values in the robot file: the largest torque
      const double y = s->row[i].line[SERIES_MEASURED][k],
                   e = known ? y - s->row[i].line[SERIES_FILE][k] : y;
      if (isfinite(e)) sum += e * e;
    }
    if (sum > most) most = sum, largest = i;
  }
  draw_row(r, &first_kind, s, "first", largest);
}

void rbv_figures_torques(report *r, const report_series *s, const char *key) {
  draw_time(r, &torque_kind, s, key);
}

void rbv_figures_split(report *r) { draw_time(r, &split_kind, &r->fit, "fit"); }

void rbv_figures_residuals_in_time(report *r, const report_series *s, const char *key) {
  draw_time(r, &residual_kind, s, key);
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
  RBV_FREE_ALL(percent, label, name);
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
  drawing d = rbv_drawing(DRAWING_SMALL, 220, unit, "density [share per bin, %]");
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
    drawing d = rbv_drawing(DRAWING_SMALL, 200, "lag [rows]", "autocorrelation");
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
    drawing d =
        rbv_drawing(DRAWING_SMALL, 210, slides ? "velocity [m/s]" : "velocity [rad/s]", unit);
    snprintf(d.name, sizeof d.name, "velocity-%d", i + 1);
    snprintf(d.title, sizeof d.title, "%s: residual against velocity", label);
    rbv_plot_points(&d, &(plot_curve){"c1", NULL, row->velocity, row->scatter, row->nscatter}, 1);
    rbv_page_figure(r, &d, NULL, label);
  }
}
