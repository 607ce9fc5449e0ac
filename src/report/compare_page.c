/* The page of a comparison: several results of one robot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

#define RUNS_DRAWN 5    // colours of bars
#define SIGMA_FULL 6.0  // difference with the extreme shade [sigma]

/* the page while it is written */
typedef struct {
  report *r;
  const rbv_compare_page *in;
  char (*name)[64];  // short names of the runs
  const char **short_name;
} page;

/* "wls" of "results/wls.json"; whole characters only */
static void shorten(char out[64], const char *path) {
  const char *slash = strrchr(path, '/');
  const char *from = slash ? slash + 1 : path;
  size_t n = strlen(from);
  if (n > 5 && strcmp(from + n - 5, ".json") == 0) n -= 5;
  if (n > 40)
    for (n = 40; n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80;) n--;
  snprintf(out, 64, "%.*s", (int)n, from);
}

static rbv_status name_runs(page *p) {
  const int n = p->in->count;
  p->name = rbv_alloc((size_t)n * sizeof *p->name);
  p->short_name = rbv_alloc((size_t)n * sizeof *p->short_name);
  if (!p->name || !p->short_name) return RBV_EMEM;
  for (int i = 0; i < n; i++) {
    shorten(p->name[i], p->in->name[i]);
    // the same file name in several folders: a number makes the difference
    for (int k = 0; k < i; k++)
      if (strcmp(p->name[i], p->name[k]) == 0) {
        char own[64];
        shorten(own, p->in->name[i]);
        snprintf(p->name[i], sizeof *p->name, "%.48s (%d)", own, i + 1);
      }
    p->short_name[i] = p->name[i];
  }
  return RBV_OK;
}

/* ---- overview ---- */

static const rbv_fit *judged(const rbv_result *e) {
  return e->validation.nrow > 0 ? &e->validation : &e->fit;
}

static void put_percent(report *r, double share) {
  rbv_page_print(r, "<td class=\"n\">%.2f %%</td>", 100 * share);
}

static void put_run(page *p, int i) {
  report *r = p->r;
  const rbv_result *e = p->in->result[i];
  const rbv_comparison *c = p->in->comparison;
  rbv_page_print(r, "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"n\">%d</td>", p->name[i],
                 e->method, e->estimate.count);
  put_percent(r, e->fit.relative_error);
  put_percent(r, e->validation.nrow > 0 ? e->validation.relative_error : NAN);
  put_percent(r, judged(e)->baseline);
  put_percent(r, judged(e)->comparable);
  if (p->in->others) put_percent(r, p->in->others[i]);
  rbv_page_print(r, "<td class=\"n\">%.2f", c->distance[i]);
  rbv_text_print(&r->html, "</td><td>%s</td></tr>\n",
                 i == c->outlier    ? "<strong class=\"s3\">outlier</strong>"
                 : i == p->in->best ? "<strong>best</strong>"
                                    : "");
}

static void write_overview(page *p) {
  report *r = p->r;
  rbv_page_open(r, "overview", "Results");
  rbv_page_print(r,
                 "<div class=\"scroll\"><table><thead><tr><th rowspan=\"2\">result</th><th "
                 "rowspan=\"2\">method</th><th class=\"n\" rowspan=\"2\">parameters</th><th "
                 "class=\"n\" rowspan=\"2\">fit</th><th class=\"n\" "
                 "rowspan=\"2\">validation</th><th colspan=\"%d\">comparable error</th><th "
                 "class=\"n\" rowspan=\"2\">distance</th><th rowspan=\"2\">note</th></tr>\n<tr><th "
                 "class=\"n\">robot file</th><th class=\"n\">result</th>",
                 p->in->others ? 3 : 2);
  if (p->in->others) rbv_page_html(r, "<th class=\"n\">others’ data</th>");
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int i = 0; i < p->in->count; i++) put_run(p, i);
  rbv_page_print(r,
                 "</tbody></table></div>\n<p>Errors are shares of the torque norm. The comparable "
                 "error is defined alike for all methods (torques up to %d Hz, every row), of the "
                 "validation where there was one. The distance is the median difference from the "
                 "other results, in sigma: near 1 if they differ as their sigmas say. Best is the "
                 "result that predicts the others’ recordings best.</p>\n",
                 RBV_COMPARABLE_HZ);
  rbv_page_close(r);
}

/* ---- errors per joint ---- */

static void draw_errors(page *p) {
  static const char *const class[RUNS_DRAWN] = {"f1", "f2", "f3", "f5", "f6"};
  report *r = p->r;
  const rbv_result *first = p->in->result[0];
  const int nrow = judged(first)->nrow;
  const int runs = p->in->count < RUNS_DRAWN ? p->in->count : RUNS_DRAWN;
  const char **name = rbv_alloc((size_t)nrow * sizeof *name);
  double *percent = rbv_alloc((size_t)nrow * RUNS_DRAWN * sizeof *percent);
  plot_bars bars[RUNS_DRAWN];
  if (!name || !percent) {
    r->html.failed = true;
    goto done;
  }
  for (int j = 0; j < nrow; j++) name[j] = first->joint[judged(first)->row[j].joint];
  for (int i = 0; i < runs; i++) {
    const rbv_fit *fit = judged(p->in->result[i]);
    double *own = percent + (ptrdiff_t)i * nrow;
    for (int j = 0; j < nrow; j++)
      own[j] = fit->nrow == nrow ? 100 * fit->row[j].relative_error : NAN;
    bars[i] = (plot_bars){class[i], p -> name[i], own};
  }
  drawing d = rbv_drawing(DRAWING_WIDE, 280, "joint", "error [% of the torque norm]");
  snprintf(d.name, sizeof d.name, "errors");
  snprintf(d.title, sizeof d.title, "Relative error of the predicted torque of every joint");
  rbv_plot_bars(&d, name, nrow, bars, runs);
  rbv_page_figure(r, &d, NULL, NULL);
done:
  rbv_free(name);
  rbv_free(percent);
}

static void write_errors(page *p) {
  report *r = p->r;
  rbv_page_open(r, "errors", "Errors per joint");
  rbv_page_paragraph(
      r, "Of the validation where there was one, else of the fit, with the filter of each result.");
  if (p->in->count > RUNS_DRAWN)
    rbv_text_print(&r->html, "<p>The first %d results are shown.</p>\n", RUNS_DRAWN);
  draw_errors(p);
  rbv_page_close(r);
}

/* ---- predictions of the others' recordings ---- */

static void write_cross(page *p) {
  report *r = p->r;
  const int n = p->in->count;
  if (!p->in->cross) return;
  rbv_page_open(r, "cross", "Every result on every recording");
  rbv_page_paragraph(
      r, "Comparable error of the result of a row on the recordings that a column was made from.");
  rbv_page_html(r, "<div class=\"scroll\"><table><thead><tr><th>result</th>");
  for (int k = 0; k < n; k++) rbv_page_print(r, "<th class=\"n\">%s</th>", p->name[k]);
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int i = 0; i < n; i++) {
    rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", p->name[i]);
    for (int k = 0; k < n; k++) put_percent(r, p->in->cross[i + (ptrdiff_t)k * n]);
    rbv_page_html(r, "</tr>\n");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

/* ---- parameters ---- */

static void draw_differences(page *p) {
  static const char *const key[RBV_PLOT_SHADES] = {"below -6", "-5.1", "-3.4", "-1.7",   "0",
                                                   "1.7",      "3.4",  "5.1",  "above 6"};
  report *r = p->r;
  const rbv_comparison *c = p->in->comparison;
  const int n = p->in->count;
  double *A = rbv_alloc((size_t)n * (size_t)c->nparameter * sizeof *A);
  const char **name = rbv_alloc((size_t)c->nparameter * sizeof *name);
  if (A && name) {
    for (int k = 0; k < c->nparameter; k++) {
      name[k] = c->parameter[k].name;
      for (int i = 0; i < n; i++) {
        const double z = c->parameter[k].z[i] / SIGMA_FULL * 7 / 9;
        A[i + (ptrdiff_t)k * n] = isfinite(z) ? fmax(-1, fmin(1, z)) : NAN;
      }
    }
    drawing d = rbv_drawing(DRAWING_WIDE, 90.0 + 22 * fmax(n, 6), "parameter", "result");
    snprintf(d.name, sizeof d.name, "differences");
    snprintf(d.title, sizeof d.title,
             "Difference of every parameter from the mean of the other results");
    const plot_grid grid = {.A = A,
                            .nrow = n,
                            .ncol = c->nparameter,
                            .row = p->short_name,
                            .col = name,
                            .title = "difference [sigma]",
                            .key = key};
    rbv_plot_grid(&d, &grid);
    rbv_page_figure(r, &d, NULL, NULL);
  } else {
    r->html.failed = true;
  }
  rbv_free(A);
  rbv_free(name);
}

static double sigma_of(const rbv_result *e, const char *name) {
  for (int k = 0; k < e->estimate.count; k++)
    if (strcmp(e->estimate.item[k].name, name) == 0) return e->estimate.item[k].sigma;
  return NAN;
}

static void put_parameter(page *p, const rbv_agreement *a) {
  report *r = p->r;
  const bool differs = a->agreement_p < 0.01 / p->in->comparison->nparameter;
  rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", a->name);
  for (int i = 0; i < p->in->count; i++) {
    const double sigma = sigma_of(p->in->result[i], a->name);
    rbv_page_print(r, "<td class=\"n\">%.4g", a->value[i]);
    if (isfinite(a->value[i]) && isfinite(sigma)) rbv_text_print(&r->html, " ± %.2g", sigma);
    rbv_page_html(r, "</td>");
  }
  rbv_page_html(r, "<td class=\"unit\">");
  rbv_page_unit(r, a->unit);
  rbv_text_print(&r->html, "</td><td>%s</td></tr>\n",
                 a->mixed  ? "combined differently"
                 : differs ? "<strong class=\"s2\">disagree</strong>"
                           : "");
}

static void write_parameters(page *p) {
  report *r = p->r;
  const rbv_comparison *c = p->in->comparison;
  rbv_page_open(r, "parameters", "Parameters");
  rbv_text_print(&r->html,
                 "<p>%d of %d parameters disagree beyond their sigma: chance explains such a "
                 "difference with less than 1 %% for all parameters together.</p>\n",
                 c->disagreeing, c->nparameter);
  draw_differences(p);
  rbv_page_html(r, "<div class=\"scroll tall\"><table><thead><tr><th>name</th>");
  for (int i = 0; i < p->in->count; i++) rbv_page_print(r, "<th class=\"n\">%s</th>", p->name[i]);
  rbv_page_html(r, "<th>unit</th><th>note</th></tr></thead><tbody>\n");
  for (int k = 0; k < c->nparameter; k++) put_parameter(p, &c->parameter[k]);
  rbv_page_html(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

/* ---- options that differ ---- */

static const rbv_setting *setting_of(const rbv_result *e, const char *key) {
  for (int i = 0; i < e->nsetting; i++)
    if (strcmp(e->setting[i].key, key) == 0) return &e->setting[i];
  return NULL;
}

static bool same_setting(const rbv_setting *a, const rbv_setting *b) {
  if (!a || !b) return a == b;
  if (a->text || b->text) return a->text && b->text && strcmp(a->text, b->text) == 0;
  return a->number == b->number || (isnan(a->number) && isnan(b->number));
}

static void put_setting(report *r, const rbv_setting *s) {
  rbv_page_html(r, "<td>");
  if (s && s->text)
    rbv_page_text(r, s->text);
  else
    rbv_page_number(r, "%.6g", s ? s->number : NAN);
  rbv_page_html(r, "</td>");
}

static void write_options(page *p) {
  report *r = p->r;
  const rbv_result *first = p->in->result[0];
  int rows = 0;
  rbv_page_open(r, "options", "Options and recordings that differ");
  rbv_page_html(r, "<div class=\"scroll\"><table><thead><tr><th>option</th>");
  for (int i = 0; i < p->in->count; i++) rbv_page_print(r, "<th>%s</th>", p->name[i]);
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int k = 0; k < first->nsetting; k++) {
    bool same = true;
    for (int i = 1; i < p->in->count; i++)
      same = same &&
             same_setting(&first->setting[k], setting_of(p->in->result[i], first->setting[k].key));
    if (same) continue;
    rows++;
    rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", first->setting[k].key);
    for (int i = 0; i < p->in->count; i++)
      put_setting(r, setting_of(p->in->result[i], first->setting[k].key));
    rbv_page_html(r, "</tr>\n");
  }
  rbv_page_html(r, "<tr><th scope=\"row\">recordings</th>");
  for (int i = 0; i < p->in->count; i++) {
    const rbv_result *e = p->in->result[i];
    rbv_page_html(r, "<td class=\"path\">");
    for (int k = 0; k < e->ninput; k++) {
      if (k > 0) rbv_page_html(r, ", ");
      rbv_page_text(r, e->input[k].path);
    }
    rbv_page_html(r, "</td>");
  }
  rbv_page_html(r, "</tr>\n</tbody></table></div>\n");
  if (rows == 0) rbv_page_missing(r, "All options are equal.");
  rbv_page_close(r);
}

/* ---- the whole page ---- */

static void write_top(page *p) {
  static const page_link contents[] = {{"overview", "Results"}, {"errors", "Errors"},
                                       {"cross", "Recordings"}, {"parameters", "Parameters"},
                                       {"options", "Options"},  {"downloads", "Downloads"}};
  report *r = p->r;
  const rbv_comparison *c = p->in->comparison;
  rbv_page_head(r, p->in->result[0]->robot, "Comparison");
  rbv_page_html(r, "<strong class=\"headline\">");
  if (c->outlier >= 0) {
    rbv_page_print(r, "%s is an outlier", p->name[c->outlier]);
    rbv_page_html(r, c->outlier_residual
                         ? ": its fit leaves a much larger residual than those of the others."
                         : ": its parameters differ from the others far beyond their sigma.");
  } else if (p->in->best >= 0) {
    rbv_page_print(r, "%s predicts the others’ recordings best.", p->name[p->in->best]);
  } else {
    rbv_text_print(&r->html, "%d of %d parameters disagree beyond their sigma.", c->disagreeing,
                   c->nparameter);
  }
  rbv_text_print(&r->html, "</strong>\n%d results, %d parameters, %d of them disagree",
                 p->in->count, c->nparameter, c->disagreeing);
  // the section of the recordings is there only if they were read
  page_link shown[RBV_COUNT(contents)];
  int n = 0;
  for (int i = 0; i < RBV_COUNT(contents); i++)
    if (p->in->cross || strcmp(contents[i].id, "cross") != 0) shown[n++] = contents[i];
  rbv_page_contents(r, shown, n);
}

rbv_status rbv_compare_page_write(report *r, const void *given) {
  const rbv_compare_page *in = given;
  page p = {.r = r, .in = in};
  const rbv_status status = name_runs(&p);
  if (status == RBV_OK) {
    write_top(&p);
    write_overview(&p);
    write_errors(&p);
    write_cross(&p);
    write_parameters(&p);
    write_options(&p);
    rbv_page_figure_downloads(r);
    rbv_page_end(r, false);
  }
  rbv_free(p.name);
  rbv_free(p.short_name);
  return status != RBV_OK ? status : r->html.failed ? RBV_EMEM : RBV_OK;
}
