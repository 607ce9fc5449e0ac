#include "report/plots.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "stats/stats.h"

#include "report/report_internal.h"

#define BINS 40
#define SHADES RBV_PLOT_SHADES
#define MAP_TOP 16
#define MAP_KEY 98
#define MAP_NAME 5.0  // width of a letter of a name, upper estimate
#define BODE_POINTS 240
#define LAGS_MOST 200

void rbv_plot_file(rbv_text *out, const drawing *d) {
  rbv_text style = {0};
  rbv_text_print(
      &style, "svg.fig{%s}\n@media screen and (prefers-color-scheme: dark){svg.fig{%s}}\n%s",
      rbv_report_asset("light.css"), rbv_report_asset("dark.css"), rbv_report_asset("figure.css"));
  rbv_draw_file(out, d, rbv_text_string(&style));
  if (style.failed || d->body.failed) out->failed = true;
  rbv_text_free(&style);
}

/* ---- curves ---- */

static void include_range(double *low, double *high, const double *x, ptrdiff_t n, bool positive) {
  for (ptrdiff_t k = 0; k < n; k++)
    if (!positive || x[k] > 0) rbv_draw_include(low, high, &x[k], 1);
}

void rbv_plot_curves(drawing *d, const plot_curve *curve, int count) {
  double x[2] = {NAN, NAN}, y[2] = {NAN, NAN};
  for (int i = 0; i < count; i++) {
    include_range(&x[0], &x[1], curve[i].x, curve[i].count, d->xlog);
    include_range(&y[0], &y[1], curve[i].y, curve[i].count, d->ylog);
    d->legend = d->legend || curve[i].name;
  }
  if (!(d->xmax > d->xmin)) {
    rbv_draw_range(&x[0], &x[1], 0);
    d->xmin = x[0];
    d->xmax = x[1];
  }
  if (!(d->ymax > d->ymin)) {
    rbv_draw_range(&y[0], &y[1], d->ylog ? 0 : 0.05);
    d->ymin = y[0];
    d->ymax = y[1];
    // no positive value, or a single one: a logarithmic axis needs a positive range
    if (d->ylog && !(d->ymin > 0)) d->ymin = 0.1 * d->ymax;
  }
  rbv_draw_axes(d);
  for (int i = 0; i < count; i++) {
    rbv_draw_line(d, curve[i].class, curve[i].x, curve[i].y, curve[i].count);
    if (curve[i].name) rbv_draw_legend(d, curve[i].class, curve[i].name);
  }
}

/* ---- lines over time ---- */

void rbv_plot_time(drawing *d, const plot_time *p) {
  double y[2] = {NAN, NAN};
  d->xlabel = "time [s]";
  d->window = true;
  d->xmin = p->t[0];
  d->xmax = p->t[p->count - 1];
  if (!(d->xmax > d->xmin)) d->xmax = d->xmin + 1;
  for (int i = 0; i < p->ncurve; i++) {
    rbv_draw_include(&y[0], &y[1], p->curve[i].y, p->count);
    d->legend = d->legend || p->ncurve > 1;
  }
  if (p->band_shown) rbv_draw_include(&y[0], &y[1], p->low, p->count);
  if (p->band_shown) rbv_draw_include(&y[0], &y[1], p->high, p->count);
  if (p->limit) rbv_draw_include(&y[0], &y[1], p->limit, 2);
  rbv_draw_range(&y[0], &y[1], 0.06);
  d->ymin = y[0];
  d->ymax = y[1];
  rbv_draw_axes(d);
  if (p->low) rbv_draw_band(d, "f4", p->t, p->low, p->high, p->count);
  if (d->ymin < 0 && d->ymax > 0) rbv_draw_horizontal(d, "zero", 0);
  for (int i = 0; i < 2 && p->limit; i++)
    if (isfinite(p->limit[i])) rbv_draw_horizontal(d, "c2 dashed limit", p->limit[i]);
  for (int i = 0; i < p->ncurve; i++)
    rbv_draw_named_line(d, p->curve[i].class, p->curve[i].name, p->t, p->curve[i].y, p->count);
  rbv_draw_close_window(d);
  for (int i = 0; i < p->ncurve && d->legend; i++)
    rbv_draw_legend(d, p->curve[i].class, p->curve[i].name);
}

void rbv_plot_points(drawing *d, const plot_curve *points, int count) {
  d->xmin = d->xmax = d->ymin = d->ymax = NAN;
  for (int i = 0; i < count; i++) {
    rbv_draw_include(&d->xmin, &d->xmax, points[i].x, points[i].count);
    rbv_draw_include(&d->ymin, &d->ymax, points[i].y, points[i].count);
  }
  rbv_draw_range(&d->xmin, &d->xmax, 0.04);
  rbv_draw_range(&d->ymin, &d->ymax, 0.06);
  rbv_draw_axes(d);
  if (d->ymin < 0 && d->ymax > 0) rbv_draw_horizontal(d, "zero", 0);
  for (int i = 0; i < count; i++)
    rbv_draw_dots(d, points[i].class, points[i].x, points[i].y, points[i].count);
}

/* ---- bars ---- */

#define NAMES_HEIGHT 92  // of upright names below the axis
#define LETTER 6.3       // width of a letter, upper estimate
#define GROUP 0.7        // share of a group that its bars take

void rbv_plot_bars(drawing *d, const char *const *group, int ngroup, const plot_bars *bars,
                   int count) {
  size_t longest = 0;
  for (int i = 0; i < ngroup; i++)
    longest = strlen(group[i]) > longest ? strlen(group[i]) : longest;
  for (int b = 0; b < count; b++)
    for (int i = 0; i < ngroup; i++)
      if (isfinite(bars[b].value[i])) d->ymax = fmax(d->ymax, bars[b].value[i]);
  d->ymax = d->ymax > 0 ? 1.08 * d->ymax : 1;
  d->ymin = d->xmin = 0;
  d->xmax = ngroup;
  d->legend = d->bare = true;
  if (!(LETTER * (double)longest < (d->width - 72) / ngroup - 8)) {
    d->bottom = NAMES_HEIGHT;
    d->height += NAMES_HEIGHT - 42;
  }
  rbv_draw_axes(d);
  rbv_draw_names(d, group, ngroup);
  const double width = GROUP / count, first = (1 - GROUP) / 2;
  for (int b = 0; b < count; b++) {
    for (int i = 0; i < ngroup; i++)
      if (isfinite(bars[b].value[i]))
        rbv_draw_bar(d, bars[b].class, i + first + (b + 0.04) * width,
                     i + first + (b + 0.96) * width, 0, bars[b].value[i]);
    rbv_draw_legend(d, bars[b].class, bars[b].name);
  }
}

/* ---- box plot ---- */

typedef struct {
  double low, quartile[3], high;  // whiskers
} box_shape;

static bool shape_of(box_shape *out, const plot_box *b, double *work) {
  static const double p[3] = {0.25, 0.5, 0.75};
  if (rbv_stats_quantiles(out->quartile, work, b->value, b->count, p, 3) != RBV_OK) return false;
  const double reach = 1.5 * (out->quartile[2] - out->quartile[0]);
  out->low = out->quartile[0];
  out->high = out->quartile[2];
  for (int k = 0; k < b->count; k++) {
    const double v = b->value[k];
    if (v >= out->quartile[0] - reach) out->low = fmin(out->low, v);
    if (v <= out->quartile[2] + reach) out->high = fmax(out->high, v);
  }
  return true;
}

static void draw_box(drawing *d, const plot_box *b, double x) {
  double work[RBV_PLOT_BOX_MOST];
  box_shape s;
  if (!shape_of(&s, b, work)) return;
  const double left = x - 0.3, right = x + 0.3, cap = 0.15;
  rbv_draw_bar(d, b->class, left, right, s.quartile[0], s.quartile[2]);
  const double middle[2] = {x, x}, wide[2] = {left, right}, narrow[2] = {x - cap, x + cap};
  rbv_draw_line(d, "c5", wide, (const double[2]){s.quartile[1], s.quartile[1]}, 2);
  rbv_draw_line(d, "c5", middle, (const double[2]){s.quartile[0], s.low}, 2);
  rbv_draw_line(d, "c5", middle, (const double[2]){s.quartile[2], s.high}, 2);
  rbv_draw_line(d, "c5", narrow, (const double[2]){s.low, s.low}, 2);
  rbv_draw_line(d, "c5", narrow, (const double[2]){s.high, s.high}, 2);
  for (int k = 0; k < b->count; k++)
    if (b->value[k] < s.low || b->value[k] > s.high) rbv_draw_dots(d, "c5", &x, &b->value[k], 1);
}

void rbv_plot_boxes(drawing *d, const plot_box *box, int count) {
  double y[2] = {NAN, NAN};
  const char *name[64];
  for (int i = 0; i < count; i++) include_range(&y[0], &y[1], box[i].value, box[i].count, d->ylog);
  if (!(d->ymax > d->ymin)) {
    rbv_draw_range(&y[0], &y[1], d->ylog ? 0 : 0.05);
    d->ymin = y[0];
    d->ymax = y[1];
  }
  d->xmin = -0.5;
  d->xmax = count - 0.5;
  d->bare = true;
  rbv_draw_axes(d);
  for (int i = 0; i < count; i++) {
    if (box[i].count > 0 && box[i].count <= RBV_PLOT_BOX_MOST) draw_box(d, &box[i], i);
    if (i < RBV_COUNT(name)) name[i] = box[i].name;
  }
  rbv_draw_names(d, name, count < RBV_COUNT(name) ? count : RBV_COUNT(name));
}

/* ---- matrix ---- */

static int shade_of(double value) {
  const int s = (int)floor((value + 1) / 2 * SHADES);
  return s < 0 ? 0 : s >= SHADES ? SHADES - 1 : s;
}

/* where a map is in its drawing */
typedef struct {
  double left, width, height, dx, dy;
  bool level;  // names of columns fit below them without being turned
} map_place;

static void draw_cells(drawing *d, const plot_grid *g, const map_place *m) {
  for (int s = 0; s < SHADES; s++) {
    rbv_text_print(&d->body, "<path class=\"h%d\" d=\"", s);
    for (int i = 0; i < g->nrow; i++)
      for (int j = 0; j < g->ncol; j++) {
        const double *at = g->A + i + (ptrdiff_t)j * g->nrow;
        if (!isfinite(*at) || shade_of(*at) != s) continue;
        int run = 1;  // join neighbours of the same shade
        while (j + run < g->ncol && isfinite(at[(ptrdiff_t)run * g->nrow]) &&
               shade_of(at[(ptrdiff_t)run * g->nrow]) == s)
          run++;
        rbv_text_print(&d->body, "M%.4g %.4gh%.3gv%.3gh-%.3gz", m->left + j * m->dx,
                       MAP_TOP + i * m->dy, run * m->dx, m->dy, run * m->dx);
        j += run - 1;
      }
    rbv_text_put(&d->body, "\"/>\n");
  }
}

static void draw_cell_names(drawing *d, const plot_grid *g, const map_place *m) {
  for (int i = 0; i < g->nrow; i += (int)ceil(10.5 / m->dy)) {
    rbv_text_print(&d->body, "<text class=\"tiny\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                   m->left - 4, MAP_TOP + (i + 0.5) * m->dy + 3);
    rbv_text_escape(&d->body, g->row[i]);
    rbv_text_put(&d->body, "</text>\n");
  }
  for (int j = 0; j < g->ncol && m->level; j++) {
    rbv_text_print(&d->body, "<text class=\"tiny\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                   m->left + (j + 0.5) * m->dx, MAP_TOP + m->height + 13);
    rbv_text_escape(&d->body, g->col[j]);
    rbv_text_put(&d->body, "</text>\n");
  }
  for (int j = 0; j < g->ncol && !m->level; j += (int)ceil(10.5 / m->dx)) {
    rbv_text_print(&d->body,
                   "<text class=\"tiny\" transform=\"translate(%.1f %.1f) rotate(-90)\" "
                   "text-anchor=\"end\">",
                   m->left + (j + 0.5) * m->dx + 3, MAP_TOP + m->height + 4);
    rbv_text_escape(&d->body, g->col[j]);
    rbv_text_put(&d->body, "</text>\n");
  }
}

static void draw_key(drawing *d, const plot_grid *g, const map_place *m) {
  const int first = g->positive ? SHADES / 2 : 0;
  const double x = m->left + m->width + 22;
  // labels need 11 px; a low map has a key that is taller than the map
  const double h = fmax(12, fmin(30, m->height / SHADES));
  for (int s = first; s < SHADES; s++) {
    const double y = MAP_TOP + (SHADES - 1 - s) * h;
    char text[16];
    rbv_text_print(&d->body,
                   "<rect class=\"h%d\" x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"%.1f\"/>", s, x,
                   y, h);
    snprintf(text, sizeof text, "%.2f", (s + 0.5) * 2 / SHADES - 1);
    rbv_draw_text(d, x + 20, y + h / 2 + 4, "start", g->key ? g->key[s] : text);
  }
  rbv_text_print(
      &d->body,
      "<text class=\"axis\" data-axis=\"key\" transform=\"translate(%.1f %.1f) "
      "rotate(-90)\" text-anchor=\"middle\">",
      x + 71,
      // a title that is longer than a short key begins at the top
      fmax(MAP_TOP + (SHADES - first) * h / 2, LETTER * (double)strlen(g->title) / 2 + 6));
  rbv_text_escape(&d->body, g->title);
  rbv_text_put(&d->body, "</text>\n");
}

static double longest_name(const char *const *name, int n) {
  size_t longest = 0;
  for (int i = 0; i < n; i++) longest = strlen(name[i]) > longest ? strlen(name[i]) : longest;
  return MAP_NAME * (double)longest;
}

void rbv_plot_grid(drawing *d, const plot_grid *g) {
  map_place m = {.left = fmin(28 + longest_name(g->row, g->nrow), d->width / 3)};
  const double longest = longest_name(g->col, g->ncol);
  m.width = d->width - m.left - MAP_KEY;
  m.level = longest + 8 < m.width / g->ncol;
  const double below = 24 + (m.level ? 16 : fmin(longest, d->height / 3));
  m.height = d->height - MAP_TOP - below;
  m.dx = m.width / g->ncol;
  m.dy = m.height / g->nrow;
  draw_cells(d, g, &m);
  rbv_text_print(&d->body,
                 "<rect class=\"frame\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%.1f\"/>\n",
                 m.left, MAP_TOP, m.width, m.height);
  draw_cell_names(d, g, &m);
  draw_key(d, g, &m);
  rbv_text_print(&d->body,
                 "<text class=\"axis\" data-axis=\"x\" x=\"%.1f\" y=\"%.1f\" "
                 "text-anchor=\"middle\">",
                 m.left + m.width / 2, d->height - 8);
  rbv_text_escape(&d->body, d->xlabel);
  rbv_text_print(&d->body,
                 "</text>\n<text class=\"axis\" data-axis=\"y\" transform=\"translate(13 %.1f) "
                 "rotate(-90)\" text-anchor=\"middle\">",
                 MAP_TOP + m.height / 2);
  rbv_text_escape(&d->body, d->ylabel);
  rbv_text_put(&d->body, "</text>\n");
}

void rbv_plot_matrix(drawing *d, const double *A, const char *const *name, int n, const char *key) {
  bool negative = false;
  for (ptrdiff_t k = 0; k < (ptrdiff_t)n * n; k++) negative = negative || A[k] < 0;
  const plot_grid grid = {
      .A = A, .nrow = n, .ncol = n, .row = name, .col = name, .title = key, .positive = !negative};
  d->xlabel = d->ylabel = "parameter";
  rbv_plot_grid(d, &grid);
}

/* ---- residuals ---- */

ptrdiff_t rbv_plot_histogram(drawing *d, const double *e, ptrdiff_t n) {
  rbv_moments m;
  if (n < 8 || rbv_stats_moments(&m, e, n) != RBV_OK || !(m.variance > 0)) return 0;
  const double sd = sqrt(m.variance), low = m.mean - 4 * sd, width = 8 * sd / BINS;
  double edge[BINS + 1], x[4 * BINS + 1], y[4 * BINS + 1];
  ptrdiff_t count[BINS], outside;
  for (int k = 0; k <= BINS; k++) edge[k] = low + k * width;
  if (rbv_stats_histogram(count, &outside, e, n, edge, BINS) != RBV_OK) return 0;
  d->xmin = edge[0];
  d->xmax = edge[BINS];
  d->legend = true;
  const double total = (double)n;
  for (int k = 0; k <= 4 * BINS; k++) {
    x[k] = edge[0] + k * width / 4;
    const double z = (x[k] - m.mean) / sd;
    y[k] = 100 * width / sd * exp(-z * z / 2) / sqrt(2 * RBV_PI);
    d->ymax = fmax(d->ymax, y[k]);
  }
  for (int k = 0; k < BINS; k++) d->ymax = fmax(d->ymax, 100 * (double)count[k] / total);
  d->ymax *= 1.06;
  rbv_draw_axes(d);
  for (int k = 0; k < BINS; k++)
    if (count[k] > 0)
      rbv_draw_bar(d, "f1", edge[k], edge[k + 1], 0, 100 * (double)count[k] / total);
  rbv_draw_line(d, "c2", x, y, 4 * BINS + 1);
  rbv_draw_legend(d, "f1", "residual");
  rbv_draw_legend(d, "c2", "normal");
  return outside;
}

int rbv_plot_autocorrelation(drawing *d, const double *e, ptrdiff_t n, int lags) {
  double c[LAGS_MOST + 1], bound;
  if (lags > LAGS_MOST) lags = LAGS_MOST;
  if (lags < 2 || rbv_stats_autocorrelation(c, &bound, e, n, lags) != RBV_OK) return -1;
  d->xmin = -0.5;
  d->xmax = lags + 0.5;
  d->ymin = -0.3;
  d->ymax = 1.05;
  int outside = 0;
  for (int k = 1; k <= lags; k++) {
    outside += fabs(c[k]) > bound;
    d->ymin = fmin(d->ymin, c[k] - 0.05);
  }
  rbv_draw_axes(d);
  const double x[2] = {d->xmin, d->xmax}, low[2] = {-bound, -bound}, high[2] = {bound, bound};
  rbv_draw_band(d, "f4", x, low, high, 2);
  rbv_draw_horizontal(d, "zero", 0);
  for (int k = 0; k <= lags; k++) {
    const double at[2] = {k, k}, stem[2] = {0, c[k]};
    rbv_draw_line(d, k > 0 && fabs(c[k]) > bound ? "c2" : "c1", at, stem, 2);
  }
  rbv_draw_dots(d, "c1", (const double[]){0}, c, 1);
  return outside;
}

/* ---- Bode plot ---- */

static double complex response(const rbv_transfer *H, double w) {
  double complex num = 0, den = 0;
  for (int k = 0; k < H->nnum; k++) num += H->num[k] * cexp(-I * w * k);
  for (int k = 0; k < H->nden; k++) den += H->den[k] * cexp(-I * w * k);
  return num / den * cexp(I * w * H->advance);
}

rbv_status rbv_plot_bode(drawing *gain, drawing *phase, const plot_transfer *t, int count,
                         double low_hz, double rate_hz) {
  const size_t size = BODE_POINTS * (1 + 2 * (size_t)count);
  double *f = rbv_alloc(size * sizeof *f);
  plot_curve *curve = rbv_alloc(2 * (size_t)count * sizeof *curve);
  if (!f || !curve) {
    rbv_free(f);
    rbv_free(curve);
    return RBV_EMEM;
  }
  const double high_hz = 0.499 * rate_hz;
  for (int k = 0; k < BODE_POINTS; k++)
    f[k] = low_hz * pow(high_hz / low_hz, k / (BODE_POINTS - 1.0));
  for (int i = 0; i < count; i++) {
    double *decibel = f + BODE_POINTS * (1 + 2 * i), *degree = decibel + BODE_POINTS;
    for (int k = 0; k < BODE_POINTS; k++) {
      const double complex h = response(t[i].H, 2 * RBV_PI * f[k] / rate_hz);
      decibel[k] = cabs(h) > 0 ? 20 * log10(cabs(h)) : NAN;
      degree[k] = carg(h) * 180 / RBV_PI;
      if (k > 0) degree[k] -= 360 * round((degree[k] - degree[k - 1]) / 360);
    }
    curve[i] = (plot_curve){t[i].class, t[i].name, f, decibel, BODE_POINTS};
    curve[count + i] = (plot_curve){t[i].class, NULL, f, degree, BODE_POINTS};
  }
  gain->xlabel = phase->xlabel = "frequency [Hz]";
  gain->xlog = phase->xlog = true;
  rbv_plot_curves(gain, curve, count);
  rbv_plot_curves(phase, curve + count, count);
  rbv_free(f);
  rbv_free(curve);
  return RBV_OK;
}
