/* The section of a filter scan: changes of the estimates over the cut-off, and what stays. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

#define METHODS_MOST 16
#define HEIGHT 260
#define LEAST_CHANGE 1e-4  // bottom of the axis [%]: changes may be zero

static const char *const class[] = {
    "c1", "c2", "c3", "c4", "c5", "c1 dashed", "c2 dashed", "c3 dashed", "c4 dashed", "c5 dashed"};

/* what the changes refer to */
static void put_against(report *r, const rbv_filter_scan *scan) {
  if (strcmp(scan->against, "middle") == 0)
    rbv_page_html(r, "the middle of its method over all filters");
  else if (strcmp(scan->against, "robot") == 0)
    rbv_page_html(r, "the value of the robot file");
  else
    rbv_page_print(r, "the value in %s", scan->against);
}

/* the decades of all changes [%], so that both figures have the same axis */
static void find_decades(double range[2], const rbv_filter_scan *scan) {
  range[0] = INFINITY;
  range[1] = 0;
  for (int i = 0; i < scan->nrun; i++) {
    const double y = fmax(100 * scan->run[i].change, LEAST_CHANGE);
    if (!isfinite(scan->run[i].change)) continue;
    range[0] = fmin(range[0], y);
    range[1] = fmax(range[1], y);
  }
  range[0] = pow(10, floor(log10(range[0])));
  range[1] = pow(10, ceil(log10(range[1])));
}

/* median changes of all methods over the cut-off, with the decimation of the run or without */
static void draw_changes(report *r, const rbv_filter_scan *scan, bool from_data) {
  plot_curve curve[METHODS_MOST];
  const int methods = scan->nmethod < METHODS_MOST ? scan->nmethod : METHODS_MOST;
  double *x = rbv_alloc(2 * (size_t)methods * (size_t)scan->nrun * sizeof *x), *next = x;
  if (!x) {
    r->html.failed = true;
    return;
  }
  int count = 0;
  for (int m = 0; m < methods; m++) {
    const char *name = scan->method[m].method;
    int n = 0;
    double *const at = next, *const y = at + scan->nrun;
    for (int i = 0; i < scan->nrun; i++) {
      const rbv_scan_run *run = &scan->run[i];
      if (strcmp(run->method, name) != 0 || run->from_data != from_data) continue;
      at[n] = run->cutoff_hz;
      y[n++] = isfinite(run->change) ? fmax(100 * run->change, LEAST_CHANGE) : NAN;
    }
    next += 2 * scan->nrun;
    if (n > 0) curve[count++] = (plot_curve){class[m % RBV_COUNT(class)], name, at, y, n};
  }
  drawing d = rbv_drawing(DRAWING_WIDE / 2, HEIGHT, "cut-off [Hz]", "median change [%]");
  double decades[2];
  find_decades(decades, scan);
  d.ylog = true;
  d.ymin = decades[0];
  d.ymax = decades[1];
  snprintf(d.name, sizeof d.name, "filter-scan-%s", from_data ? "decimated" : "full-rate");
  snprintf(d.title, sizeof d.title, "Change of the parameters with the cut-off, %s",
           from_data ? "torques low-passed and decimated" : "without decimation");
  if (count > 0) {
    rbv_plot_curves(&d, curve, count);
    for (int c = 0; c < count; c++)
      rbv_draw_dots(&d, curve[c].class, curve[c].x, curve[c].y, curve[c].count);
    rbv_page_figure(r, &d, NULL, NULL);
  }
  rbv_free(x);
}

/* smallest and largest value of a parameter over the runs of a method; false: no run has one */
static bool find_range(double range[2], const rbv_filter_scan *scan, const char *method, int p) {
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int i = 0; i < scan->nrun; i++) {
    const rbv_scan_run *run = &scan->run[i];
    if (!run->value || strcmp(run->method, method) != 0 || !isfinite(run->value[p])) continue;
    range[0] = fmin(range[0], run->value[p]);
    range[1] = fmax(range[1], run->value[p]);
  }
  return range[0] <= range[1];
}

static void put_methods(report *r, const rbv_filter_scan *scan) {
  rbv_page_html(
      r,
      "<div class=\"scroll\"><table><thead><tr><th>method</th><th class=\"n\">runs</th>"
      "<th class=\"n\">parameters that stay</th><th class=\"n\">largest median change</th>"
      "<th class=\"n\">largest change</th><th>of</th></tr></thead><tbody>\n");
  for (int m = 0; m < scan->nmethod; m++) {
    const rbv_scan_method *s = &scan->method[m];
    rbv_page_print(r, "<tr><td>%s</td><td class=\"n\">%d</td>", s->method, s->runs);
    rbv_page_print(r, "<td class=\"n\">%d of %d</td><td class=\"n\">%.2f %%</td>", s->stable,
                   scan->compared, 100 * s->most_change);
    rbv_page_print(r, "<td class=\"n\">%.3g %%</td><td>%s</td></tr>\n", 100 * s->largest,
                   s->worst ? s->worst : "");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
}

static void put_parameters(report *r, const rbv_filter_scan *scan) {
  rbv_page_html(
      r,
      "<h3>Smallest and largest value over all filters</h3>\n<div class=\"scroll\"><table>"
      "<thead><tr><th>parameter</th>");
  for (int m = 0; m < scan->nmethod; m++)
    rbv_page_print(r, "<th class=\"n\">%s</th>", scan->method[m].method);
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int p = 0; p < scan->nparameter; p++) {
    if (!scan->parameter[p].compared) continue;
    rbv_page_print(r, "<tr><td>%s</td>", scan->parameter[p].name);
    for (int m = 0; m < scan->nmethod; m++) {
      double range[2];
      if (find_range(range, scan, scan->method[m].method, p))
        rbv_page_print(r, "<td class=\"n\">%.4g to %.4g</td>", range[0], range[1]);
      else
        rbv_page_html(r, "<td class=\"n\">–</td>");
    }
    rbv_page_html(r, "</tr>\n");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
}

/* runs without an estimate, and those that are not what was asked for */
static void put_exceptions(report *r, const rbv_filter_scan *scan) {
  for (int i = 0; i < scan->nrun; i++) {
    const rbv_scan_run *run = &scan->run[i];
    if (!run->reason && run->converged && strcmp(run->used, run->method) == 0) continue;
    rbv_page_print(r, "<p>%s, %.3g Hz, decimation %d: ", run->method, run->cutoff_hz,
                   run->decimate);
    if (run->reason)
      rbv_page_text(r, run->reason);
    else if (!run->converged)
      rbv_page_html(r, "not converged");
    else
      rbv_page_print(r, "its noise model fails, so this is %s", run->used);
    rbv_page_html(r, ".</p>\n");
  }
}

void rbv_page_filter_scan(report *r) {
  const rbv_filter_scan *scan = &r->result->filter_scan;
  if (scan->nrun == 0) return;
  rbv_page_open(r, "filter-scan", "Filter scan: which answers stay");
  rbv_text_print(
      &r->html,
      "<p>The same recordings by %d methods with %d filters. A change is the median, over "
      "the %d parameters that were identified, of the relative distance from ",
      scan->nmethod, scan->nmethod > 0 ? scan->nrun / scan->nmethod : 0, scan->compared);
  put_against(r, scan);
  rbv_page_html(
      r,
      ". A parameter stays if every run has it within 1.96 of its own σ of the middle of "
      "the method. A method whose answers depend on the filter describes the filter.</p>\n"
      "<div class=\"tiles\">\n");
  draw_changes(r, scan, true);
  draw_changes(r, scan, false);
  rbv_page_html(r, "</div>\n");
  put_methods(r, scan);
  put_parameters(r, scan);
  put_exceptions(r, scan);
  rbv_page_close(r);
}
