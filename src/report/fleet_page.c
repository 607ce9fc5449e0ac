/* The page of a fleet: robots over periods of time, and who needs attention. */
#include <math.h>
#include <stdio.h>

#include "report/report_internal.h"

#define CHARTS_MOST 24
#define FULL (7.0 / 9)  // entry of a map at the limit: the extreme shades are beyond it

typedef struct {
  report *r;
  const rbv_fleet_page *in;
  const rbv_history *h;
} page;

static ptrdiff_t cell(const rbv_history *h, int robot, int period, int parameter) {
  return robot + (ptrdiff_t)h->nrobot * (period + (ptrdiff_t)h->nperiod * parameter);
}

/* labels of the shades, as shares of the limit; the extreme ones are beyond it */
static const char *const map_key[RBV_PLOT_SHADES] = {"beyond", "-0.86", "-0.57", "-0.29", "0",
                                                     "0.29",   "0.57",  "0.86",  "beyond"};

/* a change in units of its limit as an entry of a map; NaN: no value */
static double shade_entry(double z, double limit) {
  const double share = z / limit;
  if (!isfinite(share)) return z == 0 || isinf(limit) ? 0 : NAN;
  // a change at the limit has not exceeded it
  const double entry = fabs(share) > 1 ? fmin(1, fmax(FULL, FULL * fabs(share)))
                                       : fmin(FULL * fabs(share), FULL - 1e-9);
  return share < 0 ? -entry : entry;
}

/* ---- who needs attention ---- */

static void put_change(page *p, const rbv_change *c) {
  report *r = p->r;
  const rbv_history *h = p->h;
  rbv_page_print(r,
                 "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td><td "
                 "class=\"n\">%.4g</td><td class=\"n\">%.4g</td><td class=\"n\">%+.1f %%</td><td "
                 "class=\"n\">%+.1f</td><td class=\"n\">%.1f</td><td class=\"unit\">",
                 p->in->robot[c->robot], h->name[c->parameter], p->in->period[c->found],
                 p->in->period[c->started], c->before, c->after,
                 100 * (c->after - c->before) / fabs(c->before), c->z, h->limit[c->parameter]);
  rbv_page_unit(r, h->unit[c->parameter]);
  rbv_page_html(r, "</td></tr>\n");
}

/* one line per robot: the first change that was found, and how many parameters follow */
static void write_attention(page *p) {
  report *r = p->r;
  const rbv_history *h = p->h;
  rbv_page_open(r, "attention", "Who needs attention");
  if (h->count == 0)
    rbv_page_paragraph(r, "No robot has changed beyond what chance explains.");
  else
    rbv_page_html(r, "<ul class=\"attention\">\n");
  for (int i = 0; i < h->count; i++) {
    const rbv_change *c = &h->change[i];
    if (i > 0 && h->change[i - 1].robot == c->robot) continue;
    int n = 1;
    while (i + n < h->count && h->change[i + n].robot == c->robot) n++;
    rbv_page_print(r, "<li><strong>%s</strong>, marked from %s on: %s changed from %.3g to %.3g ",
                   p->in->robot[c->robot], p->in->period[c->found], h->name[c->parameter],
                   c->before, c->after);
    rbv_page_unit(r, h->unit[c->parameter]);
    rbv_text_print(&r->html, " (%+.1f sigma, limit %.1f)", c->z, h->limit[c->parameter]);
    if (n > 1) rbv_text_print(&r->html, "; %d parameters in all", n);
    rbv_page_html(r, "</li>\n");
  }
  if (h->count > 0) rbv_page_html(r, "</ul>\n");
  rbv_text_print(
      &r->html,
      "<p>A robot is compared with its own past, after the change that all robots share. "
      "The limits are such that the probability of one or more false marks among all %td "
      "comparisons (robots × parameters × periods and starts of a change) is at most "
      "%.2g %%.</p>\n",
      h->comparisons, 100 * p->in->alarm);
  rbv_page_close(r);
}

/* ---- maps ---- */

static void draw_map(page *p, const double *A, int ncol, const char *const *col, const char *xlabel,
                     const char *name, const char *title, bool positive) {
  drawing d = rbv_drawing(DRAWING_WIDE, 100.0 + 11.5 * fmax(p->h->nrobot, 12), xlabel, "robot");
  snprintf(d.name, sizeof d.name, "%s", name);
  snprintf(d.title, sizeof d.title, "%s", title);
  const plot_grid grid = {.A = A,
                          .nrow = p->h->nrobot,
                          .ncol = ncol,
                          .row = p->in->robot,
                          .col = col,
                          .title = "change [share of the limit]",
                          .key = map_key,
                          .positive = positive};
  rbv_plot_grid(&d, &grid);
  rbv_page_figure(p->r, &d, NULL, NULL);
}

/* the last value of a robot that is known, of one parameter; -1: none */
static int last_period(const rbv_history *h, int robot, int parameter) {
  int t = h->nperiod - 1;
  while (t >= 0 && !isfinite(h->value[cell(h, robot, t, parameter)])) t--;
  return t;
}

static void write_maps(page *p) {
  report *r = p->r;
  const rbv_history *h = p->h;
  double *now = rbv_alloc((size_t)h->nrobot * (size_t)h->nparameter * sizeof *now);
  double *then = rbv_alloc((size_t)h->nrobot * (size_t)h->nperiod * sizeof *then);
  rbv_page_open(r, "maps", "Heat maps");
  if (now && then) {
    for (int i = 0; i < h->nrobot; i++) {
      for (int k = 0; k < h->nparameter; k++) {
        const int t = last_period(h, i, k);
        now[i + (ptrdiff_t)k * h->nrobot] =
            t < 0 ? NAN : shade_entry(h->z[cell(h, i, t, k)], h->limit[k]);
      }
      for (int t = 0; t < h->nperiod; t++) {
        double worst = NAN;
        for (int k = 0; k < h->nparameter; k++)
          if (isfinite(h->value[cell(h, i, t, k)]))
            worst = fmax(worst, fabs(shade_entry(h->z[cell(h, i, t, k)], h->limit[k])));
        then[i + (ptrdiff_t)t * h->nrobot] = worst;
      }
    }
    rbv_page_paragraph(r, "Change of every parameter up to the last period, in its own limit.");
    draw_map(p, now, h->nparameter, h->name, "parameter", "map-parameters",
             "Robots and parameters: largest change up to the last period", false);
    rbv_page_paragraph(r, "The largest change of any parameter, period by period.");
    draw_map(p, then, h->nperiod, p->in->period, "period", "map-periods",
             "Robots and periods: largest change of any parameter", true);
  } else {
    r->html.failed = true;
  }
  rbv_page_close(r);
  rbv_free(now);
  rbv_free(then);
}

/* ---- trends ---- */

/* values of one parameter of one robot, with control limits around the level before the change */
static void draw_trend(page *p, const rbv_change *c, int number) {
  const rbv_history *h = p->h;
  const int n = h->nperiod, k = c->parameter;
  double *x = rbv_alloc(5 * (size_t)n * sizeof *x);
  if (!x) {
    p->r->html.failed = true;
    return;
  }
  double *y = x + n, *level = y + n, *low = level + n, *high = low + n;
  char unit[64];
  snprintf(unit, sizeof unit, "%.24s [%.24s]", h->name[k], h->unit[k]);
  drawing d = {.xlabel = "period",
               .ylabel = unit,
               .width = DRAWING_WIDE / 2,
               .height = 280,
               .xmax = n,
               .bare = true,
               .legend = true,
               .bottom = 84,
               .ymin = INFINITY,
               .ymax = -INFINITY};
  snprintf(d.name, sizeof d.name, "trend-%d", number + 1);
  snprintf(d.title, sizeof d.title, "%.60s: %.24s over the periods", p->in->robot[c->robot],
           h->name[k]);
  for (int t = 0; t < n; t++) {
    const ptrdiff_t at = cell(h, c->robot, t, k);
    const double reach = h->limit[k] * h->inflation[k] * h->sigma[at];
    x[t] = t + 0.5;
    y[t] = h->value[at];
    level[t] = c->before + h->common[t + (ptrdiff_t)k * n];
    low[t] = level[t] - reach;
    high[t] = level[t] + reach;
    if (isfinite(y[t])) {
      d.ymin = fmin(d.ymin, fmin(y[t], low[t]));
      d.ymax = fmax(d.ymax, fmax(y[t], high[t]));
    }
  }
  rbv_draw_range(&d.ymin, &d.ymax, 0.06);
  rbv_draw_axes(&d);
  rbv_draw_names(&d, p->in->period, n);
  rbv_draw_band(&d, "f4", x, low, high, n);
  rbv_draw_line(&d, "c4", x, level, n);
  rbv_draw_vertical(&d, "c2 dashed", x[c->found]);
  for (int t = 0; t < n; t++) {
    const double sigma = h->inflation[k] * h->sigma[cell(h, c->robot, t, k)];
    const double at[2] = {x[t], x[t]}, bar[2] = {y[t] - sigma, y[t] + sigma};
    rbv_draw_line(&d, "c1", at, bar, 2);
  }
  rbv_draw_line(&d, "c1", x, y, n);
  rbv_draw_dots(&d, "c1", x, y, n);
  rbv_draw_legend(&d, "c1", "value, 1 sigma");
  rbv_draw_legend(&d, "f4", "control limits");
  rbv_draw_legend(&d, "c2", "marked from");
  char caption[160];
  snprintf(caption, sizeof caption, "%.60s: %.24s", p->in->robot[c->robot], h->name[k]);
  rbv_page_figure(p->r, &d, NULL, caption);
  rbv_free(x);
}

static void write_trends(page *p) {
  report *r = p->r;
  const rbv_history *h = p->h;
  rbv_page_open(r, "trends", "Trends");
  if (h->count == 0) {
    rbv_page_missing(r, "There is no change to show.");
    rbv_page_close(r);
    return;
  }
  rbv_page_paragraph(
      r,
      "Values over the periods. The band has the control limits of a single value around the level "
      "before the change, which follows the change that all robots share. A slow trend can be "
      "marked before a single value leaves the band, because means of several periods count.");
  rbv_page_html(r, "<div class=\"tiles wide\">\n");
  for (int i = 0; i < h->count && i < CHARTS_MOST; i++) draw_trend(p, &h->change[i], i);
  rbv_page_html(r, "</div>\n");
  if (h->count > CHARTS_MOST)
    rbv_text_print(&r->html, "<p>The first %d of %d changes are drawn.</p>\n", CHARTS_MOST,
                   h->count);
  rbv_page_html(
      r,
      "<div class=\"scroll tall\"><table><thead><tr><th>robot</th><th>parameter</th><th>marked "
      "from</th><th>started with</th><th class=\"n\">before</th><th class=\"n\">since</th><th "
      "class=\"n\">change</th><th class=\"n\">sigma</th><th class=\"n\">limit</th><th>unit</th>"
      "</tr></thead><tbody>\n");
  for (int i = 0; i < h->count; i++) put_change(p, &h->change[i]);
  rbv_page_html(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

/* ---- the common change ---- */

/* parameters whose common change is largest, in sigma of a single value */
static void write_common(page *p) {
  report *r = p->r;
  const rbv_history *h = p->h;
  rbv_page_open(r, "common", "Changes that all robots share");
  rbv_page_paragraph(
      r,
      "Friction that is larger in winter, or another motion for all robots, is no change of a "
      "robot. "
      "Here is the change of the median robot since the first period, of the parameters with a "
      "sigma below a tenth of their value, in per cent of the value.");
  rbv_page_html(r, "<div class=\"scroll tall\"><table><thead><tr><th>parameter</th>");
  for (int t = 0; t < h->nperiod; t++)
    rbv_page_print(r, "<th class=\"n\">%s</th>", p->in->period[t]);
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int k = 0; k < h->nparameter; k++) {
    const int t0 = last_period(h, 0, k);
    const double value = t0 < 0 ? NAN : h->value[cell(h, 0, t0, k)];
    if (!(h->sigma[cell(h, 0, t0 < 0 ? 0 : t0, k)] < 0.1 * fabs(value))) continue;
    rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", h->name[k]);
    for (int t = 0; t < h->nperiod; t++) {
      rbv_page_print(r, "<td class=\"n\">%+.1f</td>",
                     100 * h->common[t + (ptrdiff_t)k * h->nperiod] / fabs(value));
    }
    rbv_page_html(r, "</tr>\n");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

/* ---- the whole page ---- */

static void write_top(page *p) {
  static const page_link contents[] = {{"attention", "Attention"},
                                       {"maps", "Heat maps"},
                                       {"trends", "Trends"},
                                       {"common", "Common changes"},
                                       {"downloads", "Downloads"}};
  report *r = p->r;
  const rbv_history *h = p->h;
  rbv_page_head(r, p->in->type, "Fleet");
  rbv_page_html(r, "<strong class=\"headline\">");
  if (h->changed == 0)
    rbv_text_print(&r->html, "None of %d robots needs attention.", h->nrobot);
  else
    rbv_text_print(&r->html, "%d of %d robots need%s attention.", h->changed, h->nrobot,
                   h->changed == 1 ? "s" : "");
  rbv_page_print(r, "</strong>\n%d robots, %d periods (%s to %s), %d parameters, %d results",
                 h->nrobot, h->nperiod, p->in->period[0], p->in->period[h->nperiod - 1],
                 h->nparameter, p->in->nresult);
  rbv_page_contents(r, contents, RBV_COUNT(contents));
}

rbv_status rbv_fleet_page_write(report *r, const void *given) {
  const rbv_fleet_page *in = given;
  page p = {.r = r, .in = in, .h = in->history};
  write_top(&p);
  write_attention(&p);
  write_maps(&p);
  write_trends(&p);
  write_common(&p);
  rbv_page_figure_downloads(r);
  rbv_page_end(r, false);
  return r->html.failed ? RBV_EMEM : RBV_OK;
}
