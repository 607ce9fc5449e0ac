/* Figures of the motion itself: what it visits, and the spectrum of what the model leaves. */
#include <math.h>
#include <stdio.h>
#include "signal/signal.h"

#include "report/report_internal.h"

/* ---- coverage ---- */

/* what a joint can visit: name, unit of a revolute and of a prismatic joint */
static const struct {
  const char *word, *turns, *slides;
} state_kind[SERIES_STATES] = {
    {"position", "rad", "m"}, {"velocity", "rad/s", "m/s"}, {"acceleration", "rad/s²", "m/s²"}};

/* limits of the robot file; infinite: none */
static visited_range limit_of(const report *r, int joint, int kind) {
  const rbv_limits *l = &rbv_model_joint(r->m, joint)->limits;
  switch (kind) {
    case 0: return (visited_range){l->lower, l->upper};
    case 1: return (visited_range){-l->velocity, l->velocity};
    default: return (visited_range){-l->acceleration, l->acceleration};
  }
}

static const char *unit_of(const report *r, int joint, int kind) {
  const bool slides = rbv_model_joint(r->m, joint)->type == RBV_JOINT_PRISMATIC;
  return slides ? state_kind[kind].slides : state_kind[kind].turns;
}

/* share of the range between the limits that was visited; NaN: no limits */
static double visited_share(const report *r, int joint, int kind) {
  const visited_range v = r->fit.range[joint].of[kind], l = limit_of(r, joint, kind);
  return isfinite(l.low) && isfinite(l.high) && l.high > l.low ? (v.high - v.low) / (l.high - l.low)
                                                               : NAN;
}

void rbv_page_coverage(report *r) {
  rbv_page_html(r, "<div class=\"scroll\"><table><thead><tr><th>joint</th>");
  for (int d = 0; d < SERIES_STATES; d++)
    rbv_text_print(&r->html, "<th class=\"n\">%s</th><th class=\"n\">of its limits</th>",
                   state_kind[d].word);
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int j = 0; j < r->m->njoint; j++) {
    rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", rbv_model_joint(r->m, j)->name);
    for (int d = 0; d < SERIES_STATES; d++) {
      const visited_range v = r->fit.range[j].of[d];
      rbv_page_print(r, "<td class=\"n\">%.3g to %.3g", v.low, v.high);
      rbv_text_print(&r->html, " %s</td><td class=\"n\">", unit_of(r, j, d));
      rbv_page_print(r, "%.0f %%</td>", 100 * visited_share(r, j, d));
    }
    rbv_page_html(r, "</tr>\n");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
}

/* limits that are not far outside of what was visited set the range of an axis */
static void axis_range(double *low, double *high, visited_range v, visited_range limit) {
  const double width = v.high - v.low;
  *low = limit.low >= v.low - 2 * width ? fmin(limit.low, v.low) : v.low;
  *high = limit.high <= v.high + 2 * width ? fmax(limit.high, v.high) : v.high;
  rbv_draw_range(low, high, 0.04);
}

static void draw_limits(drawing *d, visited_range limit,
                        void (*draw)(drawing *d, const char *class, double at), double low,
                        double high) {
  if (limit.low > low && limit.low < high) draw(d, "c2 dashed", limit.low);
  if (limit.high > low && limit.high < high) draw(d, "c2 dashed", limit.high);
}

static void draw_coverage(report *r, int joint, int kind) {
  const joint_range *range = &r->fit.range[joint];
  const char *name = rbv_model_joint(r->m, joint)->name;
  char x[48], y[48];
  snprintf(x, sizeof x, "position [%s]", unit_of(r, joint, 0));
  snprintf(y, sizeof y, "%s [%s]", state_kind[kind].word, unit_of(r, joint, kind));
  drawing d = {.xlabel = x, .ylabel = y, .width = DRAWING_SMALL, .height = 205};
  snprintf(d.name, sizeof d.name, "coverage-%s-%d", state_kind[kind].word, joint + 1);
  snprintf(d.title, sizeof d.title, "%.80s: %s against position, as visited", name,
           state_kind[kind].word);
  axis_range(&d.xmin, &d.xmax, range->of[0], limit_of(r, joint, 0));
  axis_range(&d.ymin, &d.ymax, range->of[kind], limit_of(r, joint, kind));
  rbv_draw_axes(&d);
  if (d.ymin < 0 && d.ymax > 0) rbv_draw_horizontal(&d, "zero", 0);
  rbv_draw_dots(&d, "c1", range->visited[0], range->visited[kind], r->fit.nvisited);
  draw_limits(&d, limit_of(r, joint, 0), rbv_draw_vertical, d.xmin, d.xmax);
  draw_limits(&d, limit_of(r, joint, kind), rbv_draw_horizontal, d.ymin, d.ymax);
  char caption[160];
  snprintf(caption, sizeof caption, "%.80s: %s over position", name, state_kind[kind].word);
  rbv_page_figure(r, &d, NULL, caption);
}

void rbv_figures_coverage(report *r) {
  for (int kind = 1; kind < SERIES_STATES; kind++)
    for (int j = 0; j < r->m->njoint; j++) draw_coverage(r, j, kind);
}

/* ---- spectrum ---- */

#define SPECTRUM_LEAST 256
#define SEGMENTS 8          // at least, for a smooth spectrum
#define SPECTRUM_POINTS 90  // on the logarithmic axis of frequency

/* mean of the density in intervals of equal width on the logarithmic axis; returns their number */
static int thin_spectrum(double *f, double *amplitude, const double *psd, ptrdiff_t bins,
                         double width_hz) {
  int n = 0;
  const double step = log((double)(bins - 1)) / SPECTRUM_POINTS;
  for (ptrdiff_t k = 1; k < bins && n < SPECTRUM_POINTS;) {
    const ptrdiff_t end = (ptrdiff_t)fmax((double)k + 1, floor((double)k * exp(step)));
    const ptrdiff_t stop = end < bins ? end : bins;
    double sum = 0, at = 0;
    for (ptrdiff_t i = k; i < stop; i++) {
      sum += psd[i];
      at += (double)i;
    }
    f[n] = at / (double)(stop - k) * width_hz;
    amplitude[n++] = sqrt(sum / (double)(stop - k));
    k = stop;
  }
  return n;
}

/* frequency up to which the fit uses the torque; 0: no low-pass */
static double band_of(const report *r, double rate_hz) {
  const int factor = r->filter.decimate;
  return factor > 1 ? 0.8 * rate_hz / (2 * factor) : 0;
}

static rbv_status draw_spectrum(report *r, int row, rbv_spectrum *spectrum, ptrdiff_t segment,
                                double rate_hz, double *psd) {
  const row_series *s = &r->fit.row[row];
  const ptrdiff_t bins = segment / 2 + 1;
  double f[2][SPECTRUM_POINTS], amplitude[2][SPECTRUM_POINTS];
  const double *const from[2] = {s->recorded, s->unexplained};
  plot_curve curve[2] = {{.class = "c1", .name = "measured"}, {.class = "c2", .name = "residual"}};
  double low = INFINITY, high = 0;
  for (int i = 0; i < 2; i++) {
    RBV_TRY(rbv_spectrum_welch(psd, spectrum, from[i], r->fit.nspectrum, rate_hz));
    curve[i].x = f[i];
    curve[i].y = amplitude[i];
    curve[i].count = thin_spectrum(f[i], amplitude[i], psd, bins, rate_hz / (double)segment);
    for (ptrdiff_t k = 0; k < curve[i].count; k++) {
      if (amplitude[i][k] > 0) low = fmin(low, amplitude[i][k]);
      high = fmax(high, amplitude[i][k]);
    }
  }
  if (!(high > 0)) return RBV_OK;
  char label[128], unit[160];
  rbv_row_label(label, sizeof label, r, row);
  snprintf(unit, sizeof unit, "torque [%s/√Hz]", rbv_row_unit(r, row));
  drawing d = rbv_drawing(DRAWING_SMALL, 230, "frequency [Hz]", unit);
  d.xlog = d.ylog = true;
  d.ymin = pow(10, floor(log10(fmax(low, 1e-6 * high))));
  d.ymax = pow(10, ceil(log10(high) + 1e-9));
  snprintf(d.name, sizeof d.name, "spectrum-%d", row + 1);
  snprintf(d.title, sizeof d.title, "%s: spectrum of the measured torque and of the residual",
           label);
  rbv_plot_curves(&d, curve, 2);
  const double band = band_of(r, rate_hz);
  if (band > d.xmin && band < d.xmax) rbv_draw_vertical(&d, "c5 dashed", band);
  rbv_page_figure(r, &d, NULL, label);
  return RBV_OK;
}

rbv_status rbv_figures_spectrum(report *r) {
  if (r->fit.nspectrum < SPECTRUM_LEAST) return RBV_OK;
  ptrdiff_t segment = 32;
  while (2 * segment * SEGMENTS / 2 <= r->fit.nspectrum) segment *= 2;
  const double rate_hz = rbv_motion_get_info(r->in->fit[0])->rate_hz;
  rbv_spectrum *spectrum = NULL;
  double *psd = rbv_alloc((size_t)(segment / 2 + 1) * sizeof *psd);
  rbv_status status = psd ? rbv_spectrum_new(&spectrum, segment) : RBV_EMEM;
  for (int i = 0; i < r->nrow && status == RBV_OK; i++)
    status = draw_spectrum(r, i, spectrum, segment, rate_hz, psd);
  rbv_spectrum_free(spectrum);
  rbv_free(psd);
  return status;
}
