#include "report/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTER 6.3  // width of a character of a tick label, upper estimate
#define LEFT 58
#define RIGHT 14
#define BOTTOM 42
#define TOP 12
#define LEGEND 20

drawing rbv_drawing(double width, double height, const char *xlabel, const char *ylabel) {
  return (drawing){.width = width, .height = height, .xlabel = xlabel, .ylabel = ylabel};
}

void rbv_draw_range(double *low, double *high, double share) {
  if (!(isfinite(*low) && isfinite(*high) && *low <= *high)) {
    *low = 0;
    *high = 1;
  }
  double more = share * (*high - *low);
  if (!(*high - *low > 1e-9 * fmax(fabs(*low), fabs(*high)))) more = fmax(1e-9, 0.1 * fabs(*high));
  *low -= more;
  *high += more;
}

void rbv_draw_include(double *low, double *high, const double *x, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!isfinite(x[k])) continue;
    if (!(*low <= x[k])) *low = x[k];
    if (!(*high >= x[k])) *high = x[k];
  }
}

double rbv_draw_x(const drawing *d, double x) {
  const double share =
      d->xlog ? log(x / d->xmin) / log(d->xmax / d->xmin) : (x - d->xmin) / (d->xmax - d->xmin);
  return d->left + share * d->w;
}

double rbv_draw_y(const drawing *d, double y) {
  const double share =
      d->ylog ? log(y / d->ymin) / log(d->ymax / d->ymin) : (y - d->ymin) / (d->ymax - d->ymin);
  return d->top + (1 - share) * d->h;
}

/* ---- axes ---- */

/* 1, 2 or 5 times a power of ten, so that the range has at most `most` steps */
static double nice_step(double range, double most) {
  const double raw = range / fmax(1, most), power = pow(10, floor(log10(raw))), m = raw / power;
  return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

static void tick_x(drawing *d, double x, const char *text) {
  const double px = rbv_draw_x(d, x);
  rbv_text_print(&d->body, "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/>", px, d->top, d->h);
  rbv_text_print(&d->body, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s",
                 px, d->top + d->h + 15, text);
  rbv_text_put(&d->body, "</text>\n");
}

static void tick_y(drawing *d, double y, const char *text) {
  const double py = rbv_draw_y(d, y);
  rbv_text_print(&d->body, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>", d->left, py, d->w);
  rbv_text_print(&d->body, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s",
                 d->left - 6, py + 3.5, text);
  rbv_text_put(&d->body, "</text>\n");
}

typedef void put_tick(drawing *d, double at, const char *text);

static void ticks_linear(drawing *d, double low, double high, double most, put_tick *put) {
  const double step = nice_step(high - low, most);
  for (double k = ceil(low / step - 1e-9); k <= high / step + 1e-9; k++) {
    char text[32];
    const double value = k == 0 ? 0 : k * step;
    snprintf(text, sizeof text, "%.6g", value);
    put(d, value, text);
  }
}

static void ticks_log(drawing *d, double low, double high, double most, put_tick *put) {
  if (!(low > 0 && high > low && isfinite(high))) return;
  const int from = (int)ceil(log10(low) - 1e-9), to = (int)floor(log10(high) + 1e-9);
  const int step = (int)ceil((to - from + 1) / fmax(1, most));
  for (int e = from; e <= to; e += step > 0 ? step : 1) {
    char text[32];
    // 1e-4, because 0.0001 would overlap the axis label
    if (e < -3)
      snprintf(text, sizeof text, "1e%d", e);
    else
      snprintf(text, sizeof text, "%g", pow(10, e));
    put(d, pow(10, e), text);
  }
}

static void label_axes(drawing *d) {
  rbv_text_print(&d->body,
                 "<text class=\"axis\" data-axis=\"x\" x=\"%.1f\" y=\"%.1f\" "
                 "text-anchor=\"middle\">",
                 d->left + d->w / 2, d->height - 6);
  rbv_text_escape(&d->body, d->xlabel);
  rbv_text_print(&d->body,
                 "</text>\n<text class=\"axis\" data-axis=\"y\" transform=\"translate(13 %.1f) "
                 "rotate(-90)\" text-anchor=\"middle\">",
                 d->top + d->h / 2);
  rbv_text_escape(&d->body, d->ylabel);
  rbv_text_put(&d->body, "</text>\n");
}

void rbv_draw_axes(drawing *d) {
  const double bottom = d->bottom > 0 ? d->bottom : BOTTOM;
  d->left = LEFT;
  d->top = TOP + (d->legend ? LEGEND : 0);
  d->w = d->width - LEFT - RIGHT;
  d->h = d->height - d->top - bottom;
  d->legend_x = d->left;
  rbv_text_put(&d->body, "<g class=\"ticks\">\n");
  // numbers of time are short
  const double per_x = d->window ? 48 : 64, per_y = d->window ? 26 : 32;
  if (!d->bare) (d->xlog ? ticks_log : ticks_linear)(d, d->xmin, d->xmax, d->w / per_x, tick_x);
  (d->ylog ? ticks_log : ticks_linear)(d, d->ymin, d->ymax, d->h / per_y, tick_y);
  rbv_text_put(&d->body, "</g>\n");
  rbv_text_print(&d->body,
                 "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                 d->left, d->top, d->w, d->h);
  label_axes(d);
  // the window has the coordinates of the figure
  if (d->window)
    rbv_text_print(&d->body,
                   "<svg class=\"window\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                   "viewBox=\"%.1f %.1f %.1f %.1f\" preserveAspectRatio=\"none\" "
                   "data-range=\"%.9g %.9g %.9g %.9g\">\n",
                   d->left, d->top, d->w, d->h, d->left, d->top, d->w, d->h, d->xmin, d->xmax,
                   d->ymin, d->ymax);
}

void rbv_draw_close_window(drawing *d) { rbv_text_put(&d->body, "</svg>\n"); }

/* bytes of the longest prefix of whole characters with at most `most` bytes */
static size_t shortened(const char *text, size_t most) {
  size_t n = strlen(text);
  if (n <= most) return n;
  for (n = most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;) n--;
  return n;
}

void rbv_draw_names(drawing *d, const char *const *name, int n) {
  size_t longest = 0;
  for (int i = 0; i < n; i++) longest = strlen(name[i]) > longest ? strlen(name[i]) : longest;
  const double slot = d->w / n, base = d->top + d->h;
  const bool upright = LETTER * (double)longest > slot - 8;
  const size_t most = (size_t)((d->height - base - 26) / LETTER);
  // names that would overlap are left out
  const int every = upright ? (int)ceil(11 / slot) : 1;
  for (int i = 0; i < n; i += every) {
    const double px = d->left + (i + 0.5) * slot;
    if (upright)
      rbv_text_print(&d->body,
                     "<text class=\"tick\" transform=\"translate(%.1f %.1f) rotate(-90)\" "
                     "text-anchor=\"end\">",
                     px + 3.5, base + 5);
    else
      rbv_text_print(&d->body, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                     px, base + 15);
    char *copy = rbv_strndup(name[i], upright ? shortened(name[i], most) : strlen(name[i]));
    if (!copy) d->body.failed = true;
    if (copy) rbv_text_escape(&d->body, copy);
    rbv_free(copy);
    rbv_text_put(&d->body, "</text>\n");
  }
}

/* ---- marks ---- */

static bool inside(double x, double low, double high) { return x >= low && x <= high; }

/*
 * A path in steps of a tenth of a pixel, from point to point: half the size of coordinates. In a
 * window that can be zoomed, steps upwards are hundredths. Steps are differences of rounded
 * coordinates, so that rounding does not add up.
 */
typedef struct {
  long x, y;
  int digits;  // of y
  bool pen;
  bool joins;  // the last step is an 'l' whose last number has a decimal point
} path_pen;

/* "12", "-.5", "3.04": n / 10^digits, as short as possible; true if it has a decimal point */
static bool put_fixed(rbv_text *out, long n, int digits) {
  const long scale = digits == 2 ? 100 : 10, whole = labs(n) / scale;
  long rest = labs(n) % scale;
  if (n < 0) rbv_text_put(out, "-");
  if (whole > 0 || rest == 0) rbv_text_print(out, "%ld", whole);
  if (rest == 0) return false;
  if (digits == 2 && rest % 10 == 0) rest /= 10, digits = 1;
  rbv_text_print(out, ".%0*ld", digits, rest);
  return true;
}

static void path_to(rbv_text *out, path_pen *p, double px, double py, char command) {
  const long x = lround(10 * px), y = lround((p->digits == 2 ? 100 : 10) * py);
  const long dx = p->pen ? x - p->x : x, dy = p->pen ? y - p->y : y;
  const char start[2] = {p->pen ? command : 'M', 0};
  // "l.3-1.2.3 4" needs no letter or space before its third number
  if (!(p->pen && p->joins && dx > 0 && dx < 10)) rbv_text_put(out, start);
  put_fixed(out, dx, 1);
  if (dy >= 0) rbv_text_put(out, " ");
  p->joins = put_fixed(out, dy, p->digits) && p->pen && command == 'l';
  p->x = x;
  p->y = y;
  p->pen = true;
}

void rbv_draw_named_line(drawing *d, const char *class, const char *name, const double *x,
                         const double *y, ptrdiff_t n) {
  rbv_text_print(&d->body, "<path class=\"line %s\"", class);
  if (name) rbv_text_print(&d->body, " data-name=\"%s\"", name);
  rbv_text_put(&d->body, " d=\"");
  path_pen pen = {.digits = d->window ? 2 : 1};
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!(isfinite(x[k]) && isfinite(y[k])) || (d->ylog && !(y[k] > 0))) {
      pen.pen = false;
      continue;
    }
    // clip points far outside, which keeps the numbers short
    const double py = fmin(fmax(rbv_draw_y(d, y[k]), -d->height), 2 * d->height);
    path_to(&d->body, &pen, rbv_draw_x(d, x[k]), py, 'l');
  }
  rbv_text_put(&d->body, "\"/>\n");
}

void rbv_draw_line(drawing *d, const char *class, const double *x, const double *y, ptrdiff_t n) {
  rbv_draw_named_line(d, class, NULL, x, y, n);
}

void rbv_draw_band(drawing *d, const char *class, const double *x, const double *low,
                   const double *high, ptrdiff_t n) {
  for (ptrdiff_t from = 0; from < n;) {
    while (from < n && !(isfinite(low[from]) && isfinite(high[from]))) from++;
    ptrdiff_t to = from;
    while (to < n && isfinite(low[to]) && isfinite(high[to])) to++;
    if (to == from) break;
    rbv_text_print(&d->body, "<path class=\"band %s\" d=\"", class);
    path_pen pen = {.digits = 1};
    for (ptrdiff_t k = from; k < to; k++)
      path_to(&d->body, &pen, rbv_draw_x(d, x[k]), rbv_draw_y(d, high[k]), 'l');
    for (ptrdiff_t k = to - 1; k >= from; k--)
      path_to(&d->body, &pen, rbv_draw_x(d, x[k]), rbv_draw_y(d, low[k]), 'l');
    rbv_text_put(&d->body, "Z\"/>\n");
    from = to;
  }
}

void rbv_draw_dots(drawing *d, const char *class, const double *x, const double *y, ptrdiff_t n) {
  rbv_text_print(&d->body, "<path class=\"dots %s\" d=\"", class);
  path_pen pen = {.digits = 1};
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!inside(x[k], d->xmin, d->xmax) || !inside(y[k], d->ymin, d->ymax)) continue;
    path_to(&d->body, &pen, rbv_draw_x(d, x[k]), rbv_draw_y(d, y[k]), 'm');
    rbv_text_put(&d->body, "h0");
  }
  rbv_text_put(&d->body, "\"/>\n");
}

void rbv_draw_bar(drawing *d, const char *class, double x0, double x1, double y0, double y1) {
  const double px = rbv_draw_x(d, x0), py0 = rbv_draw_y(d, y0), py1 = rbv_draw_y(d, y1);
  rbv_text_print(&d->body,
                 "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", class,
                 px, fmin(py0, py1), rbv_draw_x(d, x1) - px, fabs(py1 - py0));
}

void rbv_draw_horizontal(drawing *d, const char *class, double y) {
  rbv_text_print(&d->body, "<path class=\"line %s\" d=\"M%.1f %.1fh%.1f\"/>\n", class, d->left,
                 rbv_draw_y(d, y), d->w);
}

void rbv_draw_vertical(drawing *d, const char *class, double x) {
  rbv_text_print(&d->body, "<path class=\"line %s\" d=\"M%.1f %.1fv%.1f\"/>\n", class,
                 rbv_draw_x(d, x), d->top, d->h);
}

void rbv_draw_text(drawing *d, double px, double py, const char *anchor, const char *text) {
  rbv_text_print(&d->body, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", px, py,
                 anchor);
  rbv_text_escape(&d->body, text);
  rbv_text_put(&d->body, "</text>\n");
}

void rbv_draw_legend(drawing *d, const char *class, const char *text) {
  const double py = TOP + 4;
  rbv_text_put(&d->body, "<g class=\"legend\">");
  if (class[0] == 'f')
    rbv_text_print(&d->body,
                   "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\"/>", class,
                   d->legend_x + 4, py - 9);
  else
    rbv_text_print(&d->body, "<path class=\"line %s key\" d=\"M%.1f %.1fh18\"/>", class,
                   d->legend_x, py - 4);
  rbv_draw_text(d, d->legend_x + 23, py, "start", text);
  rbv_text_put(&d->body, "</g>\n");
  d->legend_x += 23 + LETTER * (double)strlen(text) + 16;
}

/* ---- output ---- */

static void open_tag(rbv_text *out, const drawing *d, const char *more) {
  rbv_text_print(out, "<svg%s viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", more, d->width,
                 d->height);
  rbv_text_escape(out, d->title);
  rbv_text_put(out, "\">\n");
}

void rbv_draw_file(rbv_text *out, const drawing *d, const char *style) {
  char more[128];
  snprintf(more, sizeof more,
           " xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" width=\"%.0f\" height=\"%.0f\"",
           d->width, d->height);
  open_tag(out, d, more);
  rbv_text_put(out, "<title>");
  rbv_text_escape(out, d->title);
  rbv_text_print(out,
                 "</title>\n<style>\n%s</style>\n<rect class=\"paper\" width=\"100%%\" "
                 "height=\"100%%\"/>\n",
                 style);
  rbv_text_add(out, d->body.data ? d->body.data : "", d->body.size);
  rbv_text_put(out, "</svg>\n");
}

void rbv_draw_inline(rbv_text *out, const drawing *d) {
  open_tag(out, d, " class=\"fig\"");
  rbv_text_add(out, d->body.data ? d->body.data : "", d->body.size);
  rbv_text_put(out, "</svg>\n");
  if (d->body.failed) out->failed = true;
}

void rbv_draw_free(drawing *d) { rbv_text_free(&d->body); }
