/* The page of a result, section by section. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

/* ---- small things ---- */

void rbv_row_label(char *out, size_t size, const report *r, int row) {
  const rbv_row *model = rbv_model_row(r->m, row);
  const char *name = rbv_model_joint(r->m, model->joint)->name;
  // leave space for the words around the name; do not cut a UTF-8 character
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

/* ---- sections ---- */

static void put_file_row(report *r, const char *role, const rbv_input *in) {
  rbv_text_print(&r->html, "<tr><td>%s</td><td class=\"path\">", role);
  rbv_page_text(r, in->path);
  rbv_page_html(r, "</td><td class=\"hash\">");
  rbv_page_text(r, in->sha256 && in->sha256[0] ? in->sha256 : "built in");
  rbv_page_html(r, "</td><td>");
  if (in->samples > 0)
    rbv_text_print(&r->html, "%td samples at %.6g Hz%s", in->samples, in->rate_hz,
                   in->loaded ? ", with payload" : "");
  if (in->differentiation) {
    rbv_page_html(r, ", ");
    rbv_page_text(r, in->differentiation);
    if (in->cutoff_hz > 0) rbv_text_print(&r->html, " %.4g Hz", in->cutoff_hz);
  }
  rbv_page_html(r, "</td></tr>\n");
}

static void put_findings(report *r, const rbv_result_finding *f, int count, const char *kind) {
  for (int i = 0; i < count; i++) {
    rbv_text_print(&r->html, "<li data-finding=\"%s\"><strong>", kind);
    rbv_page_text(r, f[i].code);
    rbv_page_html(r, "</strong>: ");
    rbv_page_text(r, f[i].sentence);
    if (f[i].option) {
      rbv_page_html(r, " (option <code>");
      rbv_page_text(r, f[i].option);
      rbv_page_html(r, "</code>)");
    }
    rbv_page_html(r, "</li>\n");
  }
}

/* errors of the recordings, then advice */
static void write_findings(report *r) {
  const rbv_result *e = r->result;
  rbv_page_open(r, "findings", "What the doctor found");
  if (e->nfinding + e->nadvice > 0) {
    rbv_page_html(r, "<ul>\n");
    put_findings(r, e->finding, e->nfinding, "error");
    put_findings(r, e->advice, e->nadvice, "advice");
    rbv_page_html(r, "</ul>\n");
  } else {
    rbv_page_paragraph(r, "The quick checks of the recordings and of the fit found nothing.");
  }
  rbv_page_close(r);
}

static void write_provenance(report *r) {
  const rbv_result *e = r->result;
  rbv_page_open(r, "provenance", "Provenance");
  rbv_page_html(r,
                "<div class=\"scroll\"><table class=\"files\"><thead><tr><th>role</th><th>file</th>"
                "<th>SHA-256</th><th>content</th></tr></thead><tbody>\n");
  put_file_row(r, "robot", &e->robot_file);
  for (int i = 0; i < e->ninput; i++) put_file_row(r, "fit", &e->input[i]);
  for (int i = 0; i < e->nvalidation_input; i++)
    put_file_row(r, "validation", &e->validation_input[i]);
  rbv_page_html(r, "</tbody></table></div>\n<dl class=\"settings\">\n");
  rbv_page_settings(r, e->setting, e->nsetting);
  rbv_text_print(&r->html,
                 "<div><dt>sensing</dt><dd>%s</dd></div>\n<div><dt>gamma</dt><dd>%.6g</dd></div>\n"
                 "<div><dt>equations</dt><dd>%td degrees of freedom, %.0f %% masked</dd></div>\n",
                 rbv_sensing_name(e->sensing), e->gamma, e->diagnostics.dof,
                 100 * e->masked_fraction);
  const char *version = e->version ? e->version : rbv_version();
  rbv_page_html(r, "<div><dt>identified by</dt><dd>roberval ");
  rbv_page_text(r, version[0] ? version : "?");
  rbv_text_print(&r->html,
                 "</dd></div>\n<div><dt>report by</dt><dd>roberval %s</dd></div>\n</dl>\n",
                 rbv_version());
  rbv_page_close(r);
}

static void write_torques(report *r) {
  rbv_page_open(r, "fit", "Torques of the fit");
  if (r->fit.count > 0) {
    if (rbv_report_from_reference(r))
      rbv_page_paragraph(
          r,
          "No positions were recorded, so torques are predicted along the reference. The robot "
          "follows it with a delay, so the errors here are larger than those of the fit, which "
          "simulated the motion.");
    rbv_page_paragraph(
        r,
        "Measured torque after the low-pass of the fit, and the torque that the parameters "
        "predict for the same motion<span class=\"live\">. The shaded area is the torque as "
        "recorded. Drag to zoom, double-click to show everything; all joints share one "
        "cursor</span>.");
    rbv_figures_torques(r, &r->fit, "fit");
  } else {
    rbv_page_missing(
        r, "The recordings of the fit are not available, so their torques cannot be shown.");
  }
  rbv_page_close(r);
  rbv_page_open(r, "validation", "Torques of the validation");
  const bool held_out = r->in->nvalidation == 0 && r->held.count > 0;
  if (held_out) rbv_page_paragraph(r, "The end of each recording, which was not used for the fit.");
  if (r->held.count > 0)
    rbv_figures_torques(r, &r->held, "validation");
  else if (r->result->validation.nrow > 0)
    rbv_page_missing(
        r, "The recordings of the validation are not available, so their torques cannot be shown.");
  else
    rbv_page_missing(r,
                     "There was no validation. Validate on another recording (option "
                     "<code>validate</code>), or hold out a share of the data (option "
                     "<code>holdout</code>).");
  rbv_page_close(r);
}

static void put_error_cells(report *r, const rbv_row_fit *f, const char *unit) {
  rbv_page_html(r, "<td class=\"n\">");
  rbv_page_number(r, "%.2f %%", 100 * f->relative_error);
  rbv_page_html(r, "</td><td class=\"n\">");
  rbv_page_number(r, "%.4g", f->rms);
  rbv_text_print(&r->html, " %s</td>", unit);
}

/* a row of errors of all joints, at the end of the table */
static void put_total(report *r, const char *what, double fit, double held, bool two) {
  rbv_text_print(&r->html, "<tr><td>%s</td><td></td><td class=\"n\">", what);
  rbv_page_number(r, "%.2f %%", 100 * fit);
  rbv_page_html(r, "</td><td></td>");
  if (two) {
    rbv_page_html(r, "<td class=\"n\">");
    rbv_page_number(r, "%.2f %%", 100 * held);
    rbv_page_html(r, "</td><td></td>");
  }
  rbv_page_html(r, "<td></td><td></td><td></td></tr>\n");
}

static void write_errors(report *r) {
  const rbv_fit *fit = &r->result->fit, *held = &r->result->validation;
  const bool two = held->nrow == fit->nrow;
  rbv_page_open(r, "errors", "Errors");
  rbv_figure_errors(r);
  rbv_page_html(
      r,
      "<div class=\"scroll\"><table><thead><tr><th>joint</th>"
      "<th class=\"n\">equations</th><th class=\"n\">fit</th><th class=\"n\">residual rms</th>");
  if (two) rbv_page_html(r, "<th class=\"n\">validation</th><th class=\"n\">residual rms</th>");
  rbv_page_html(
      r,
      "<th class=\"n\">Durbin–Watson</th><th class=\"n\">normality p</th><th>residual</th></tr>"
      "</thead><tbody>\n");
  for (int i = 0; i < fit->nrow; i++) {
    const rbv_row_fit *f = &fit->row[i];
    char label[128];
    rbv_row_label(label, sizeof label, r, i);
    rbv_page_html(r, "<tr><td>");
    rbv_page_text(r, label);
    rbv_text_print(&r->html, "</td><td class=\"n\">%td</td>", f->rows);
    put_error_cells(r, f, rbv_row_unit(r, i));
    if (two) put_error_cells(r, &held->row[i], rbv_row_unit(r, i));
    rbv_page_html(r, "<td class=\"n\">");
    rbv_page_number(r, "%.2f", f->durbin_watson);
    rbv_page_html(r, "</td><td class=\"n\">");
    rbv_page_number(r, "%.2g", f->ks_p);
    rbv_text_print(&r->html, "</td><td>%s</td></tr>\n", f->coloured ? "coloured" : "white");
  }
  rbv_page_html(r, "</tbody><tfoot>");
  put_total(r, "all", fit->relative_error, held->relative_error, two);
  if (isfinite(fit->comparable))
    put_total(r, "all, comparable error", fit->comparable, held->comparable, two);
  if (isfinite(fit->baseline))
    put_total(r, "all, comparable error of the robot file's parameters", fit->baseline,
              held->baseline, two);
  rbv_page_html(r, "</tfoot></table></div>\n");
  if (isfinite(fit->comparable))
    rbv_text_print(&r->html,
                   "<p>The comparable error is that of torques up to %d Hz, every row, at "
                   "standstill too. It is defined alike for all methods, filters and masks: "
                   "compare results by it.</p>\n",
                   RBV_COMPARABLE_HZ);
  rbv_page_close(r);
}

static void write_residuals(report *r) {
  rbv_page_open(r, "residuals", "Residuals");
  if (r->fit.count == 0)
    rbv_page_missing(r,
                     "The recordings of the fit are not available, so residuals cannot be shown.");
  rbv_page_html(r, "<div id=\"residuals-in-time\">\n<h3>Over time</h3>\n");
  if (r->fit.count > 0) rbv_figures_residuals_in_time(r, &r->fit, "fit");
  rbv_page_html(r,
                "</div>\n<div id=\"histogram\">\n<h3>Distribution</h3>\n<div class=\"tiles\">\n");
  rbv_figures_histograms(r);
  rbv_page_html(r,
                "</div></div>\n<div id=\"autocorrelation\">\n<h3>Autocorrelation</h3>\n"
                "<div class=\"tiles\">\n");
  rbv_figures_autocorrelation(r);
  rbv_page_html(
      r,
      "</div></div>\n<div id=\"velocity\">\n<h3>Against velocity</h3>\n<p>A visible curve in these "
      "points is friction that the model lacks.</p>\n<div class=\"tiles\">\n");
  if (r->fit.count > 0) rbv_figures_velocity(r);
  rbv_page_html(r, "</div></div>\n");
  rbv_page_close(r);
}

/* ---- parameters ---- */

static void put_parameter(report *r, int k, double t) {
  const rbv_parameter *p = &r->result->estimate.item[k];
  const double share = isfinite(p->sigma) && p->value != 0 ? 100 * p->sigma / fabs(p->value) : NAN;
  rbv_text *out = &r->html;
  rbv_page_html(r, "<tr><th scope=\"row\">");
  rbv_page_text(r, p->name);
  rbv_text_print(out, "</th><td class=\"n\">%.5g</td><td class=\"n interval\">", p->value);
  if (isfinite(p->sigma))
    rbv_text_print(out, "%.4g … %.4g", p->value - t * p->sigma, p->value + t * p->sigma);
  else
    rbv_page_html(r, "–");
  rbv_page_html(r, "</td><td class=\"n\">");
  rbv_page_number(r, "%.2g", p->sigma);
  rbv_page_html(r, "</td><td class=\"n share\">");
  if (isfinite(share))
    rbv_text_print(out, "<i style=\"width:%.0f%%\"></i><b>%.3g</b>", fmin(share, 100), share);
  else
    rbv_page_html(r, "–");
  rbv_page_html(r, "</td><td class=\"unit\">");
  rbv_page_unit(r, r->result->unit[k]);
  rbv_text_print(out, "</td><td class=\"s%d\">%s</td>", (int)p->status,
                 rbv_parameter_status_name(p->status));
  if (r->in->prior) {
    rbv_page_html(r, "<td class=\"n\">");
    rbv_page_number(r, "%.4g", r->prior[k]);
    if (isfinite(r->prior_sigma[k])) rbv_text_print(out, " ± %.2g", r->prior_sigma[k]);
    rbv_page_html(r, "</td>");
  }
  if (r->result->bootstrap_sigma) {
    rbv_page_html(r, "<td class=\"n\">");
    rbv_page_number(r, "%.2g", r->result->bootstrap_sigma[k]);
    rbv_page_html(r, "</td>");
  }
  rbv_page_html(r, "<td class=\"meaning\">");
  rbv_page_text(r, r->result->meaning[k]);
  rbv_page_html(r, "</td></tr>\n");
}

static void write_parameters(report *r) {
  const double t = rbv_page_student(r);
  rbv_page_open(r, "parameters", "Parameters");
  rbv_text_print(&r->html, "<p>%d base parameters by ", r->result->estimate.count);
  rbv_page_text(r, r->result->method);
  rbv_page_html(r, ", with 95 % intervals.");
  if (r->result->jackknife.nblock > 0)
    rbv_text_print(
        &r->html,
        " σ is the spread of the estimates without one of %d blocks of time, so it is "
        "valid for a coloured residual; it is typically %.1f times the σ of white noise. "
        "It holds for this kind of motion.",
        r->result->jackknife.nblock, r->result->diagnostics.sigma_inflation);
  rbv_page_html(
      r,
      "</p>\n<div class=\"scroll tall\"><table class=\"parameters\"><thead><tr><th>name</th>"
      "<th class=\"n\">value</th><th class=\"n\">95 % interval</th><th class=\"n\">σ</th>"
      "<th class=\"n\">σ [%]</th><th>unit</th><th>status</th>");
  if (r->in->prior) rbv_page_html(r, "<th class=\"n\">prior</th>");
  if (r->result->bootstrap_sigma) rbv_page_html(r, "<th class=\"n\">σ by bootstrap</th>");
  rbv_page_html(r, "<th>meaning</th></tr></thead><tbody>\n");
  for (int k = 0; k < r->result->estimate.count; k++) put_parameter(r, k, t);
  rbv_page_html(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

static void write_structure(report *r) {
  rbv_page_open(r, "correlation", "Correlation of the parameters");
  if (r->information.count > 0) {
    rbv_page_paragraph(
        r,
        "Correlation of the estimates and singular values of the weighted system, from the "
        "recordings of the fit without any prior. Two parameters with a correlation near 1 or "
        "−1 can replace each other.");
    rbv_figure_correlation(r);
    rbv_figure_singular(r);
  } else if (r->in->nfit == 0) {
    rbv_page_missing(
        r, "The recordings of the fit are not available, so correlations cannot be shown.");
  } else {
    rbv_page_missing(
        r, "The fit is exact or its system is singular, so correlations are not defined.");
  }
  rbv_page_close(r);
  rbv_page_open(r, "friction", "Friction");
  rbv_page_paragraph(r,
                     "Friction and offset of each joint over the velocities of the fit: the model "
                     "as a line, without "
                     "load, and residual plus friction of the model as points.");
  rbv_page_html(r, "<div class=\"tiles\">\n");
  if (rbv_figures_friction(r) != RBV_OK) r->html.failed = true;
  rbv_page_html(r, "</div>\n");
  rbv_page_close(r);
}

static void put_shares(report *r, const double *share, int n) {
  for (int i = 0; i < n; i++)
    rbv_text_print(&r->html, "%s%.0f", i ? ", " : "<td class=\"n\">", 100 * share[i]);
  rbv_page_html(r, " %</td>");
}

static void put_centre(report *r, const double x[3]) {
  for (int i = 0; i < 3; i++)
    rbv_text_print(&r->html, "%s%.1f", i ? ", " : "<td class=\"n\">", 1000 * x[i]);
  rbv_page_html(r, "</td>");
}

/* mass and centre of mass of every link, the share that the data know, and the prior */
static void put_bodies(report *r, const rbv_result_standard *s) {
  rbv_page_html(
      r,
      "<p>A motion determines combinations of masses and inertias. Where it leaves single values "
      "open, they follow the prior, usually the robot file. <em>Known</em> is the share of a value "
      "that the data determine, one minus the ratio of posterior and prior variance. A single mass "
      "is not a measurement, even if its share is high: the share assumes that the model is right."
      "</p>\n<div class=\"scroll\"><table><thead><tr><th>link of</th><th class=\"n\">mass "
      "[kg]</th><th class=\"n\">known</th><th class=\"n\">prior</th><th class=\"n\">centre of "
      "mass [mm]</th><th class=\"n\">known</th><th class=\"n\">prior</th><th>source of the "
      "prior</th></tr></thead><tbody>\n");
  for (int b = 0; b < s->nbody; b++) {
    const rbv_result_body *body = &s->body[b];
    rbv_page_html(r, "<tr><td>");
    rbv_page_text(r, body->name);
    rbv_page_html(r, "</td><td class=\"n\">");
    rbv_page_number(r, "%.3g", body->mass);
    rbv_page_html(r, " ± ");
    rbv_page_number(r, "%.2g", body->mass_sigma);
    rbv_page_html(r, "</td>");
    put_shares(r, &body->mass_known, 1);
    rbv_page_html(r, "<td class=\"n\">");
    rbv_page_number(r, "%.3g", body->prior_mass);
    rbv_page_html(r, "</td>");
    put_centre(r, body->centre);
    put_shares(r, body->centre_known, 3);
    put_centre(r, body->prior_centre);
    rbv_page_html(r, "<td>");
    rbv_page_text(r, body->prior);
    rbv_page_html(r, "</td></tr>\n");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
}

static void write_consistency(report *r) {
  const rbv_result_standard *s = &r->result->standard;
  rbv_page_open(r, "consistency", "Physical consistency");
  if (s->count == 0) {
    rbv_page_missing(
        r,
        "Base parameters do not determine single links. Estimate physically consistent standard "
        "parameters (option <code>consistent</code>) to see them here.");
    rbv_page_close(r);
    return;
  }
  put_bodies(r, s);
  rbv_figure_consistency(r);
  rbv_page_html(r,
                "<div class=\"scroll\"><table><thead><tr><th>link of</th><th>state</th><th "
                "class=\"n\">margin</th>"
                "<th>constraint active</th><th>prior</th></tr></thead><tbody>\n");
  for (int b = 0; b < s->nbody; b++) {
    rbv_page_html(r, "<tr><td>");
    rbv_page_text(r, s->body[b].name);
    rbv_page_html(r, "</td><td>");
    rbv_page_text(r, s->body[b].state);
    rbv_page_html(r, "</td><td class=\"n\">");
    rbv_page_number(r, "%.3g", s->body[b].margin);
    rbv_text_print(&r->html, "</td><td>%s</td><td>", s->body[b].active ? "yes" : "no");
    rbv_page_text(r, s->body[b].prior);
    rbv_page_html(r, "</td></tr>\n");
  }
  rbv_page_html(r,
                "</tbody></table></div>\n<p>Consistency and the prior changed base parameters by ");
  rbv_page_number(r, "%.2g", s->largest_move_sigma);
  rbv_page_html(r, " σ at most (χ² ");
  rbv_page_number(r, "%.3g", s->chi2);
  rbv_page_html(r, "). The optimum is certified to ");
  rbv_page_number(r, "%.1g", s->gap);
  rbv_text_print(&r->html, " after %d steps.</p>\n", s->iterations);
  rbv_page_close(r);
}

static void put_instruments(report *r, const rbv_instruments *i) {
  if (!(i->strength > 0)) return;
  rbv_text_print(&r->html, "<p>The instruments explain at least %.1f %% of every column; ",
                 100 * i->strength);
  rbv_page_html(r, "the condition number of Z'W is ");
  rbv_page_number(r, "%.3g", i->condition_number);
  rbv_page_html(r, i->biased ? ". Least squares is biased on these data: "
                             : ". Least squares is not noticeably biased on these data: ");
  rbv_page_html(r, "the largest difference is that of ");
  rbv_page_text(r, i->worst);
  rbv_text_print(&r->html, ", %.1f σ of white noise.</p>\n", i->shift);
}

static void write_method(report *r) {
  rbv_page_open(r, "iterations", "Iterations of the method");
  const int before = r->nfigure;
  rbv_page_html(r, "<div class=\"tiles\">\n");
  rbv_figure_iterations(r);
  rbv_page_html(r, "</div>\n");
  if (r->nfigure == before && r->result->iterations > 1)
    rbv_text_print(&r->html, "<p>%s in %d iterations.</p>\n",
                   r->result->converged ? "Converged" : "Not converged", r->result->iterations);
  else if (r->nfigure == before)
    rbv_page_missing(r, "This method does not iterate.");
  put_instruments(r, &r->result->instruments);
  rbv_page_close(r);
  rbv_page_open(r, "differentiator", "Differentiator");
  const int drawn = r->nfigure;
  if (rbv_figure_differentiator(r) != RBV_OK) r->html.failed = true;
  if (r->nfigure == drawn)
    rbv_page_missing(
        r, "Velocities were recorded, or computed by a method that has no transfer function.");
  rbv_page_close(r);
}

static void write_arm(report *r) {
  rbv_page_open(r, "arm", "The arm in motion");
  if (r->in->nfit + r->in->nvalidation == 0)
    rbv_page_missing(r, "No recording is available: the arm is shown at position zero.");
  if (rbv_figure_arm(r) != RBV_OK) r->html.failed = true;
  rbv_page_close(r);
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
  rbv_page_open(r, "downloads", "Downloads");
  rbv_text csv = {0};
  char *json = NULL;
  size_t json_size = 0;
  rbv_page_csv(&csv, r);
  if (csv.failed || rbv_result_write(&json, &json_size, r->result) != RBV_OK) r->html.failed = true;
  rbv_page_html(r, "<p class=\"buttons\">\n");
  put_download(r, "parameters.csv", "text/csv", "Parameters (CSV)", csv.data ? csv.data : "",
               csv.size);
  put_download(r, "result.json", "application/json", "Result (JSON)", json, json_size);
  rbv_page_html(
      r,
      "<button type=\"button\" class=\"button\" data-save-all>All figures (SVG)</button>\n</p>\n");
  rbv_text_release(json);
  rbv_text_free(&csv);
  rbv_page_close(r);
}

/* ---- the whole page ---- */

static const page_link contents[] = {{"verdict", "Verdict"},
                                     {"findings", "Findings"},
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

static void write_top(report *r) {
  const bool validated = r->result->validation.nrow > 0;
  char headline[RBV_HEADLINE_MAX];
  rbv_fit_headline(headline, validated ? &r->result->validation : &r->result->fit, validated);
  rbv_page_head(r, r->result->robot, "Identification report");
  if (*headline) {
    rbv_page_html(r, "<strong class=\"headline\">");
    rbv_page_text(r, headline);
    rbv_page_html(r, ".</strong>\n");
  }
  rbv_text_print(&r->html, "%d joints, %d base parameters by ", r->result->njoint,
                 r->result->estimate.count);
  rbv_page_text(r, r->result->method);
  rbv_page_html(r, ", fit error ");
  rbv_page_number(r, "%.2f %%", 100 * r->result->fit.relative_error);
  if (validated) {
    rbv_page_html(r, ", validation error ");
    rbv_page_number(r, "%.2f %%", 100 * r->result->validation.relative_error);
  }
  const double comparable =
      validated ? r->result->validation.comparable : r->result->fit.comparable;
  if (isfinite(comparable)) {
    rbv_page_html(r, ", comparable error ");
    rbv_page_number(r, "%.2f %%", 100 * comparable);
  }
  rbv_page_contents(r, contents, RBV_COUNT(contents));
}

void rbv_page_write(report *r) {
  write_top(r);
  rbv_page_verdict(r);
  write_findings(r);
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
  rbv_page_end(r, rbv_page_data, r);
}
