/* The page: sections in the order in which a reader asks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/inside.h"

/* ---- small things ---- */

static void put(report *r, const char *text) { rbv_text_put(&r->html, text); }
static void put_safe(report *r, const char *text) { rbv_text_escape(&r->html, text); }

/* the same with its line ends */
static void put_lines(report *r, const char *text) {
  for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
    char *line = rbv_strndup(text, (size_t)(end - text));
    if (!line) r->html.failed = true;
    if (line) put_safe(r, line);
    rbv_free(line);
    put(r, "\n");
  }
  put_safe(r, text);
}

/* a paragraph of our own words */
static void say(report *r, const char *text) { rbv_text_print(&r->html, "<p>%s</p>\n", text); }
static void lack(report *r, const char *text) {
  rbv_text_print(&r->html, "<p class=\"lack\">%s</p>\n", text);
}

void rbv_row_label(char *out, size_t size, const report *r, int row) {
  const rbv_row *model = rbv_model_row(r->m, row);
  const char *name = rbv_model_joint(r->m, model->joint)->name;
  // room for the longest words around it; characters stay whole
  size_t n = strlen(name);
  if (n > 48)
    for (n = 48; n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80;) n--;
  if (r->nrow > r->m->njoint)
    snprintf(out, size, "%.*s, %s torque", (int)n, name, rbv_torque_name(model->torque));
  else
    snprintf(out, size, "%.*s", (int)n, name);
}

const char *rbv_row_unit(const report *r, int row) {
  const int joint = rbv_model_row(r->m, row)->joint;
  return rbv_model_joint(r->m, joint)->type == RBV_JOINT_PRISMATIC ? "N" : "N m";
}

/* ---- figures ---- */

/* what a figure needs when it stands alone: colours of its own, for light and dark */
static void put_figure_style(rbv_text *out) {
  rbv_text_print(out, "svg.fig{%s}\n@media (prefers-color-scheme: dark){svg.fig{%s}}\n%s",
                 rbv_report_asset("light.css"), rbv_report_asset("dark.css"),
                 rbv_report_asset("figure.css"));
}

static void keep_figure(report *r, const drawing *d) {
  if (r->nfigure == r->mfigure) {
    const int more = r->mfigure ? 2 * r->mfigure : 32;
    rbv_figure *grown =
        rbv_realloc(r->figure, (size_t)r->mfigure * sizeof *grown, (size_t)more * sizeof *grown);
    if (!grown) {
      r->html.failed = true;
      return;
    }
    r->figure = grown;
    r->mfigure = more;
  }
  rbv_text style = {0}, file = {0}, name = {0};
  put_figure_style(&style);
  rbv_draw_file(&file, d, style.data ? style.data : "");
  rbv_text_print(&name, "%s.svg", d->name);
  if (style.failed || file.failed || name.failed) {
    r->html.failed = true;
    rbv_text_free(&file);
    rbv_text_free(&name);
  } else {
    r->figure[r->nfigure++] = (rbv_figure){name.data, file.data, file.size};
  }
  rbv_text_free(&style);
}

void rbv_page_figure(report *r, drawing *d, const char *attributes, const char *caption) {
  rbv_text_print(&r->html, "<figure id=\"figure-%s\"%s>\n<figcaption><span>", d->name,
                 attributes ? attributes : "");
  put_safe(r, caption ? caption : d->title);
  rbv_text_print(&r->html,
                 "</span><button type=\"button\" class=\"save\" data-save=\"%s.svg\" "
                 "title=\"Save this figure as SVG\">SVG</button></figcaption>\n",
                 d->name);
  rbv_draw_inline(&r->html, d);
  put(r, "</figure>\n");
  keep_figure(r, d);
  rbv_draw_free(d);
}

/* ---- sections ---- */

static void open_section(report *r, const char *id, const char *title) {
  rbv_text_print(&r->html, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

static void close_section(report *r) { put(r, "</section>\n"); }

static rbv_verdict worst(const report *r) {
  rbv_verdict v = RBV_VERDICT_USABLE;
  for (int i = 0; i < r->nreason; i++)
    if (r->reason[i].level > v) v = r->reason[i].level;
  return v;
}

static void write_verdict(report *r) {
  static const char *const class[] = {"good", "care", "bad"};
  static const char *const mark[] = {"\xe2\x9c\x93", "!", "\xe2\x9c\x95"};
  const rbv_verdict v = worst(r);
  rbv_text_print(&r->html,
                 "<section id=\"verdict\" class=\"verdict %s\">\n<h2><span class=\"mark\">%s</span>"
                 "%s</h2>\n<ul>\n",
                 class[v], mark[v],
                 v == RBV_VERDICT_USABLE ? "Usable"
                 : v == RBV_VERDICT_CARE ? "Use with care"
                                         : "Do not use");
  for (int level = RBV_VERDICT_NO; level >= RBV_VERDICT_USABLE; level--)
    for (int i = 0; i < r->nreason; i++) {
      if ((int)r->reason[i].level != level) continue;
      rbv_text_print(&r->html,
                     "<li class=\"%s\" data-rule=\"%s\"><span class=\"mark\" title=\"%s\">%s</span>"
                     "<span>",
                     class[level], r -> reason[i].rule, rbv_verdict_name(r->reason[i].level),
                     mark[level]);
      put_safe(r, r->reason[i].text);
      put(r, "</span></li>\n");
    }
  put(r, "</ul>\n</section>\n");
}

static void put_file_row(report *r, const char *role, const rbv_input *in) {
  rbv_text_print(&r->html, "<tr><td>%s</td><td class=\"path\">", role);
  put_safe(r, in->path);
  put(r, "</td><td class=\"hash\">");
  put_safe(r, in->sha256[0] ? in->sha256 : "built in");
  put(r, "</td><td>");
  if (in->samples > 0)
    rbv_text_print(&r->html, "%td samples at %.6g Hz%s", in->samples, in->rate_hz,
                   in->loaded ? ", with payload" : "");
  if (in->differentiation) {
    put(r, ", ");
    put_safe(r, in->differentiation);
    if (in->cutoff_hz > 0) rbv_text_print(&r->html, " %.4g Hz", in->cutoff_hz);
  }
  put(r, "</td></tr>\n");
}

static void write_provenance(report *r) {
  const rbv_result *e = r->result;
  open_section(r, "provenance", "Where it comes from");
  put(r,
      "<div class=\"scroll\"><table class=\"files\"><thead><tr><th>role</th><th>file</th>"
      "<th>SHA-256</th><th>what it is</th></tr></thead><tbody>\n");
  put_file_row(r, "robot", &e->robot_file);
  for (int i = 0; i < e->ninput; i++) put_file_row(r, "fit", &e->input[i]);
  for (int i = 0; i < e->nvalidation_input; i++)
    put_file_row(r, "validation", &e->validation_input[i]);
  put(r, "</tbody></table></div>\n<dl class=\"settings\">\n");
  for (int i = 0; i < e->nsetting; i++) {
    const rbv_setting *s = &e->setting[i];
    put(r, "<div><dt>");
    put_safe(r, s->key);
    put(r, "</dt><dd>");
    if (s->text)
      put_safe(r, s->text);
    else
      rbv_text_print(&r->html, "%.6g", s->number);
    put(r, "</dd></div>\n");
  }
  rbv_text_print(&r->html,
                 "<div><dt>sensing</dt><dd>%s</dd></div>\n<div><dt>gamma</dt><dd>%.6g</dd></div>\n"
                 "<div><dt>equations</dt><dd>%td degrees of freedom, %.0f %% masked</dd></div>\n",
                 rbv_sensing_name(e->sensing), e->gamma, e->diagnostics.dof,
                 100 * e->masked_fraction);
  const rbv_node *version = rbv_node_find(rbv_doc_root(r->doc), "version");
  put(r, "<div><dt>identified by</dt><dd>roberval ");
  put_safe(r, version && rbv_node_text(version) ? rbv_node_text(version) : "?");
  rbv_text_print(&r->html,
                 "</dd></div>\n<div><dt>report by</dt><dd>roberval %s</dd></div>\n</dl>\n",
                 rbv_version());
  close_section(r);
}

static void write_torques(report *r) {
  open_section(r, "fit", "Torques of the fit");
  if (r->fit.count > 0) {
    if (rbv_report_from_reference(r))
      say(r,
          "No positions were recorded: what is predicted here is predicted along the reference, "
          "which the robot follows with a delay, so it fits less well than in the fit itself, "
          "which simulated the motion.");
    say(r,
        "Measured torque through the low-pass of the fit, and what the parameters predict for "
        "the same motion<span class=\"live\">; shaded, the torque as recorded. Drag to zoom, "
        "double-click to see all; the cursor is the same in all joints</span>.");
    rbv_figures_torques(r, &r->fit, "fit");
  } else {
    lack(r, "The recordings of the fit are not at hand, so their torques cannot be shown.");
  }
  close_section(r);
  open_section(r, "validation", "Torques of the validation");
  const bool held_out = r->in->nvalidation == 0 && r->held.count > 0;
  if (held_out) say(r, "The end of each recording, which was held out of the fit.");
  if (r->held.count > 0)
    rbv_figures_torques(r, &r->held, "validation");
  else if (r->result->validation.nrow > 0)
    lack(r, "The recordings of the validation are not at hand, so their torques cannot be shown.");
  else
    lack(r,
         "There was no validation. <code>identify --validate LOG</code> or "
         "<code>--holdout 0.3</code> makes one.");
  close_section(r);
}

static void put_error_cells(report *r, const rbv_row_fit *f, const char *unit) {
  rbv_text_print(&r->html, "<td class=\"n\">%.2f %%</td><td class=\"n\">%.4g %s</td>",
                 100 * f->relative_error, f->rms, unit);
}

static void write_errors(report *r) {
  const rbv_fit *fit = &r->result->fit, *held = &r->result->validation;
  const bool two = held->nrow == fit->nrow;
  open_section(r, "errors", "Errors");
  rbv_figure_errors(r);
  put(r,
      "<div class=\"scroll\"><table><thead><tr><th>joint</th>"
      "<th class=\"n\">equations</th><th class=\"n\">fit</th><th class=\"n\">residual rms</th>");
  if (two) put(r, "<th class=\"n\">validation</th><th class=\"n\">residual rms</th>");
  put(r,
      "<th class=\"n\">Durbin–Watson</th><th class=\"n\">normality p</th><th>residual</th></tr>"
      "</thead><tbody>\n");
  for (int i = 0; i < fit->nrow; i++) {
    const rbv_row_fit *f = &fit->row[i];
    char label[128];
    rbv_row_label(label, sizeof label, r, i);
    put(r, "<tr><td>");
    put_safe(r, label);
    rbv_text_print(&r->html, "</td><td class=\"n\">%td</td>", f->rows);
    put_error_cells(r, f, rbv_row_unit(r, i));
    if (two) put_error_cells(r, &held->row[i], rbv_row_unit(r, i));
    rbv_text_print(&r->html, "<td class=\"n\">%.2f</td><td class=\"n\">%.2g</td><td>%s</td></tr>\n",
                   f->durbin_watson, f->ks_p, f->coloured ? "coloured" : "white");
  }
  rbv_text_print(&r->html,
                 "</tbody><tfoot><tr><td>all</td><td></td><td class=\"n\">%.2f %%</td><td></td>",
                 100 * fit->relative_error);
  if (two)
    rbv_text_print(&r->html, "<td class=\"n\">%.2f %%</td><td></td>", 100 * held->relative_error);
  put(r, "<td></td><td></td><td></td></tr></tfoot></table></div>\n");
  close_section(r);
}

static void write_residuals(report *r) {
  open_section(r, "residuals", "Residuals");
  if (r->fit.count == 0)
    lack(r, "The recordings of the fit are not at hand, so there are no residuals to show.");
  put(r, "<div id=\"residuals-in-time\">\n<h3>Over time</h3>\n");
  if (r->fit.count > 0) rbv_figures_residuals_in_time(r, &r->fit, "fit");
  put(r, "</div>\n<div id=\"histogram\">\n<h3>Distribution</h3>\n<div class=\"tiles\">\n");
  rbv_figures_histograms(r);
  put(r,
      "</div></div>\n<div id=\"autocorrelation\">\n<h3>Autocorrelation</h3>\n"
      "<div class=\"tiles\">\n");
  rbv_figures_autocorrelation(r);
  put(r,
      "</div></div>\n<div id=\"velocity\">\n<h3>Against velocity</h3>\n<p>A shape in these "
      "clouds is friction that the model does not have.</p>\n<div class=\"tiles\">\n");
  if (r->fit.count > 0) rbv_figures_velocity(r);
  put(r, "</div></div>\n");
  close_section(r);
}

/* ---- parameters ---- */

static void put_value(rbv_text *out, double x, const char *format) {
  if (isfinite(x))
    rbv_text_print(out, format, x);
  else
    rbv_text_put(out, "–");
}

/* "kg m^2" as it is written by hand */
static void put_unit(report *r, const char *unit) {
  for (const char *c = unit; *c; c++) {
    const bool raised = *c == '^' && (c[1] == '2' || c[1] == '3');
    if (raised) put(r, c[1] == '2' ? "²" : "³");
    const char one[2] = {*c, 0};
    if (raised)
      c++;
    else
      put_safe(r, one);
  }
}

static void put_parameter(report *r, int k, double t) {
  const rbv_parameter *p = &r->result->estimate.item[k];
  const double share = isfinite(p->sigma) && p->value != 0 ? 100 * p->sigma / fabs(p->value) : NAN;
  rbv_text *out = &r->html;
  put(r, "<tr><th scope=\"row\">");
  put_safe(r, p->name);
  rbv_text_print(out, "</th><td class=\"n\">%.5g</td><td class=\"n interval\">", p->value);
  if (isfinite(p->sigma))
    rbv_text_print(out, "%.4g … %.4g", p->value - t * p->sigma, p->value + t * p->sigma);
  else
    put(r, "–");
  put(r, "</td><td class=\"n\">");
  put_value(out, p->sigma, "%.2g");
  put(r, "</td><td class=\"n share\">");
  if (isfinite(share))
    rbv_text_print(out, "<i style=\"width:%.0f%%\"></i><b>%.3g</b>", fmin(share, 100), share);
  else
    put(r, "–");
  put(r, "</td><td class=\"unit\">");
  put_unit(r, r->result->unit[k]);
  rbv_text_print(out, "</td><td class=\"s%d\">%s</td>", (int)p->status,
                 rbv_parameter_status_name(p->status));
  if (r->in->prior) {
    put(r, "<td class=\"n\">");
    put_value(out, r->prior[k], "%.4g");
    if (isfinite(r->prior_sigma[k])) rbv_text_print(out, " ± %.2g", r->prior_sigma[k]);
    put(r, "</td>");
  }
  if (r->result->bootstrap_sigma) {
    put(r, "<td class=\"n\">");
    put_value(out, r->result->bootstrap_sigma[k], "%.2g");
    put(r, "</td>");
  }
  put(r, "<td class=\"meaning\">");
  put_safe(r, r->result->meaning[k]);
  put(r, "</td></tr>\n");
}

static void write_parameters(report *r) {
  const double t = rbv_page_student(r);
  open_section(r, "parameters", "Parameters");
  rbv_text_print(&r->html, "<p>%d base parameters by ", r->result->estimate.count);
  put_safe(r, r->result->method);
  put(r, ", with 95 % intervals.");
  if (r->result->diagnostics.sigma_inflation > 1)
    rbv_text_print(&r->html, " The residual is coloured: take the intervals %.1f times as wide.",
                   r->result->diagnostics.sigma_inflation);
  put(r,
      "</p>\n<div class=\"scroll tall\"><table class=\"parameters\"><thead><tr><th>name</th>"
      "<th class=\"n\">value</th><th class=\"n\">95 % interval</th><th class=\"n\">σ</th>"
      "<th class=\"n\">σ [%]</th><th>unit</th><th>status</th>");
  if (r->in->prior) put(r, "<th class=\"n\">prior</th>");
  if (r->result->bootstrap_sigma) put(r, "<th class=\"n\">σ by bootstrap</th>");
  put(r, "<th>stands for</th></tr></thead><tbody>\n");
  for (int k = 0; k < r->result->estimate.count; k++) put_parameter(r, k, t);
  put(r, "</tbody></table></div>\n");
  close_section(r);
}

static void write_structure(report *r) {
  open_section(r, "correlation", "How the motion tells parameters apart");
  if (r->information.count > 0) {
    say(r,
        "Correlation of the estimates and singular values of the weighted system, from the "
        "recordings of the fit without any prior. Two parameters with a correlation near 1 or "
        "−1 can take each other's part.");
    rbv_figure_correlation(r);
    rbv_figure_singular(r);
  } else if (r->in->nfit == 0) {
    lack(r, "The recordings of the fit are not at hand, so correlations cannot be shown.");
  } else {
    lack(r, "The fit is exact or its system singular, so correlations say nothing.");
  }
  close_section(r);
  open_section(r, "friction", "Friction");
  say(r, "Friction and offset of each joint over the velocities of the fit.");
  put(r, "<div class=\"tiles\">\n");
  if (rbv_figures_friction(r) != RBV_OK) r->html.failed = true;
  put(r, "</div>\n");
  close_section(r);
}

static void write_consistency(report *r) {
  const rbv_result_standard *s = &r->result->standard;
  open_section(r, "consistency", "Can such bodies exist?");
  if (s->count == 0) {
    lack(r,
         "Base parameters do not tell bodies apart. <code>identify --consistent</code> finds "
         "standard parameters of bodies that can exist.");
    close_section(r);
    return;
  }
  rbv_figure_consistency(r);
  put(r,
      "<div class=\"scroll\"><table><thead><tr><th>link of</th><th>state</th><th "
      "class=\"n\">margin</th>"
      "<th>held back by consistency</th><th>prior</th></tr></thead><tbody>\n");
  for (int b = 0; b < s->nbody; b++) {
    put(r, "<tr><td>");
    put_safe(r, s->body[b].name);
    put(r, "</td><td>");
    put_safe(r, s->body[b].state);
    put(r, "</td><td class=\"n\">");
    put_value(&r->html, s->body[b].margin, "%.3g");
    rbv_text_print(&r->html, "</td><td>%s</td><td>", s->body[b].active ? "yes" : "no");
    put_safe(r, s->body[b].prior);
    put(r, "</td></tr>\n");
  }
  rbv_text_print(&r->html,
                 "</tbody></table></div>\n<p>Base parameters moved by %.2g σ at most (χ² %.3g), "
                 "certified to %.1g of the optimum in %d steps.</p>\n",
                 s->largest_move_sigma, s->chi2, s->gap, s->iterations);
  close_section(r);
}

static void write_method(report *r) {
  open_section(r, "iterations", "Iterations of the method");
  const int before = r->nfigure;
  put(r, "<div class=\"tiles\">\n");
  rbv_figure_iterations(r);
  put(r, "</div>\n");
  if (r->nfigure == before && r->result->iterations > 1)
    rbv_text_print(&r->html, "<p>%s in %d iterations.</p>\n",
                   r->result->converged ? "Converged" : "Not converged", r->result->iterations);
  else if (r->nfigure == before)
    lack(r, "This method does not repeat.");
  if (r->result->instruments.strength > 0)
    rbv_text_print(
        &r->html,
        "<p>Instruments explain at least %.1f %% of every column; condition of Z'W %.3g. "
        "Least squares is %s on these data (p = %.2g).</p>\n",
        100 * r->result->instruments.strength, r->result->instruments.condition_number,
        r->result->instruments.biased ? "biased" : "fine", r->result->instruments.hausman_p);
  close_section(r);
  open_section(r, "differentiator", "Differentiator");
  const int drawn = r->nfigure;
  if (rbv_figure_differentiator(r) != RBV_OK) r->html.failed = true;
  if (r->nfigure == drawn)
    lack(r, "Velocities were recorded, or had by a method without one transfer function.");
  close_section(r);
}

static void write_arm(report *r) {
  open_section(r, "arm", "The arm in motion");
  if (r->in->nfit + r->in->nvalidation == 0)
    lack(r, "No recording is at hand: the arm stands at its zero.");
  if (rbv_figure_arm(r) != RBV_OK) r->html.failed = true;
  close_section(r);
}

/* ---- downloads ---- */

static void put_download(report *r, const char *name, const char *type, const char *words,
                         const char *data, size_t size) {
  rbv_text_print(&r->html, "<a class=\"button\" download=\"%s\" href=\"data:%s;base64,", name,
                 type);
  rbv_put_base64(&r->html, data, size);
  rbv_text_print(&r->html, "\">%s</a>\n", words);
}

static void write_downloads(report *r) {
  open_section(r, "downloads", "Take it with you");
  rbv_text csv = {0};
  rbv_page_csv(&csv, r);
  if (csv.failed) r->html.failed = true;
  put(r, "<p class=\"buttons\">\n");
  put_download(r, "parameters.csv", "text/csv", "Parameters (CSV)", csv.data ? csv.data : "",
               csv.size);
  put_download(r, "result.json", "application/json", "Result (JSON)", r->in->json,
               r->in->json_size);
  put(r,
      "<button type=\"button\" class=\"button\" data-save-all>All figures (SVG)</button>\n</p>\n");
  rbv_text_free(&csv);
  close_section(r);
}

/* ---- all of it ---- */

static const struct {
  const char *id, *name;
} contents[] = {{"verdict", "Verdict"},
                {"provenance", "Provenance"},
                {"arm", "Arm"},
                {"fit", "Fit"},
                {"validation", "Validation"},
                {"errors", "Errors"},
                {"residuals", "Residuals"},
                {"parameters", "Parameters"},
                {"correlation", "Correlation"},
                {"friction", "Friction"},
                {"consistency", "Consistency"},
                {"iterations", "Iterations"},
                {"differentiator", "Differentiator"},
                {"downloads", "Downloads"}};

static void write_head(report *r) {
  put(r,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
  put_safe(r, r->result->robot);
  put(r, " – identification report</title>\n<style>\n");
  const char *light = rbv_report_asset("light.css"), *dark = rbv_report_asset("dark.css");
  rbv_text_print(&r->html,
                 ":root{%s}\n@media (prefers-color-scheme: dark){:root:not([data-theme=light]){%s}}"
                 "\n:root[data-theme=dark]{%s}\n",
                 light, dark, dark);
  put(r, rbv_report_asset("report.css"));
  put(r, "</style>\n<style id=\"figure-style\">\n");
  put(r, rbv_report_asset("figure.css"));
  put(r, "</style>\n</head>\n<body>\n");
}

static void write_top(report *r) {
  put(r, "<header>\n<div><p class=\"kind\">Identification report</p>\n<h1>");
  put_safe(r, r->result->robot);
  rbv_text_print(&r->html, "</h1>\n<p class=\"sub\">%d joints, %d base parameters by ",
                 r->result->njoint, r->result->estimate.count);
  put_safe(r, r->result->method);
  rbv_text_print(&r->html, ", fit error %.2f %%", 100 * r->result->fit.relative_error);
  if (r->result->validation.nrow > 0)
    rbv_text_print(&r->html, ", validation error %.2f %%",
                   100 * r->result->validation.relative_error);
  put(r,
      "</p></div>\n<button type=\"button\" id=\"theme\" class=\"button\">Light or dark</button>\n"
      "</header>\n<nav><ul>\n");
  for (int i = 0; i < RBV_COUNT(contents); i++)
    rbv_text_print(&r->html, "<li><a href=\"#%s\">%s</a></li>\n", contents[i].id, contents[i].name);
  put(r, "</ul></nav>\n<main>\n");
}

static void write_scripts(report *r) {
  const char *bundle = rbv_report_asset("bundle.js");
  rbv_page_data(r);
  put(r, "<script>\n");
  put(r, rbv_report_asset("page.js"));
  put(r, "</script>\n");
  if (bundle[0] == 0) return;
  put(r, "<script>\n");
  put(r, bundle);
  put(r, "</script>\n");
}

static void write_footer(report *r) {
  rbv_text_print(&r->html, "</main>\n<footer><p>Written by roberval %s.</p>\n", rbv_version());
  if (rbv_report_interactive()) {
    put(r,
        "<details><summary>This page carries uPlot and three.js under the MIT licence</summary>"
        "<pre>");
    put_lines(r, rbv_report_asset("licences.txt"));
    put(r, "</pre></details>\n");
  }
  put(r, "</footer>\n");
}

void rbv_page_write(report *r) {
  write_head(r);
  write_top(r);
  write_verdict(r);
  write_provenance(r);
  write_arm(r);
  write_torques(r);
  write_errors(r);
  write_residuals(r);
  write_parameters(r);
  write_structure(r);
  write_consistency(r);
  write_method(r);
  write_downloads(r);
  write_footer(r);
  write_scripts(r);
  put(r, "</body>\n</html>\n");
}
