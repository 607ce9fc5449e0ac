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
  rbv_page_print(r, "%s</td><td class=\"hash\">%s</td><td>", in->path,
                 in->sha256 && in->sha256[0] ? in->sha256 : "built in");
  if (in->samples > 0)
    rbv_text_print(&r->html, "%td samples at %.6g Hz%s", in->samples, in->rate_hz,
                   in->loaded ? ", with payload" : "");
  if (in->differentiation) {
    rbv_page_print(r, ", %s", in->differentiation);
    if (in->cutoff_hz > 0) rbv_text_print(&r->html, " %.4g Hz", in->cutoff_hz);
  }
  rbv_page_html(r, "</td></tr>\n");
}

static void put_findings(report *r, const rbv_result_finding *f, int count, const char *kind) {
  for (int i = 0; i < count; i++) {
    rbv_text_print(&r->html, "<li data-finding=\"%s\"><strong>", kind);
    rbv_page_print(r, "%s</strong>: %s", f[i].code, f[i].sentence);
    if (f[i].option) rbv_page_print(r, " (option <code>%s</code>)", f[i].option);
    rbv_page_html(r, "</li>\n");
  }
}

/* errors of the recordings, then advice */
static void write_findings(report *r) {
  const rbv_result *e = r->result;
  rbv_page_open(r, "findings", "Checks of the recordings");
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

/* date, version and command of the run */
static void put_origin(report *r) {
  rbv_text command = {0};
  rbv_report_command(&command, r->result);
  rbv_page_html(r, "<p>");
  if (r->in->date) rbv_page_print(r, "Page of %s. ", r->in->date);
  const char *version = r->result->version ? r->result->version : rbv_version();
  rbv_page_print(r, "Identified by Roberval %s: <code>%s</code></p>\n", version[0] ? version : "?",
                 command.data);
  if (command.failed) r->html.failed = true;
  rbv_text_free(&command);
}

static void write_provenance(report *r) {
  const rbv_result *e = r->result;
  rbv_page_open(r, "provenance", "Provenance");
  put_origin(r);
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
  rbv_page_print(r, "<div><dt>identified by</dt><dd>roberval %s", version[0] ? version : "?");
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
        "Measured torque after the low-pass of the fit, and the torques that the identified "
        "parameters and those of the robot file predict for the same motion. The shaded area is "
        "the torque as recorded<span "
        "class=\"live\">. Drag to zoom, double-click to show everything; all joints share one "
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
  rbv_page_print(r, "<td class=\"n\">%.2f %%</td><td class=\"n\">%.4g", 100 * f->relative_error,
                 f->rms);
  rbv_text_print(&r->html, " %s</td>", unit);
}

/* a row of errors of all joints, at the end of the table */
static void put_total(report *r, const char *what, double fit, double held, bool two) {
  rbv_text_print(&r->html, "<tr><td>%s</td><td></td><td class=\"n\">", what);
  rbv_page_print(r, "%.2f %%</td><td></td>", 100 * fit);
  if (two) rbv_page_print(r, "<td class=\"n\">%.2f %%</td><td></td>", 100 * held);
  rbv_page_html(r, "<td></td><td></td><td></td></tr>\n");
}

/* before and after, per joint */
static void write_gain(report *r) {
  rbv_page_open(r, "gain", "Before and after, per joint");
  const int before = r->nfigure;
  rbv_figure_gain(r);
  if (r->nfigure == before)
    rbv_page_missing(r, "There is no recording with positions to compare the torques on.");
  else if (!rbv_model_parameters(r->m))
    rbv_page_missing(r, "The robot file gives no parameters, so only the result is shown.");
  else
    rbv_text_print(&r->html,
                   "<p>The torque that the parameters of the robot file and those of the result "
                   "predict wrong, up to %d Hz, on %s.</p>\n",
                   RBV_COMPARABLE_HZ,
                   r->result->validation.nrow > 0 ? "data that were not used for the fit"
                                                  : "the recordings of the fit");
  rbv_page_close(r);
}

static void write_split(report *r) {
  rbv_page_open(r, "split", "Parts of the torque");
  if (r->fit.count > 0) {
    rbv_page_paragraph(
        r,
        "What the torque of the fit is made of. Gravity includes everything that depends on "
        "positions alone, such as springs; inertia is what accelerations add, rotors included; "
        "friction includes offsets. With the unexplained part they add up to the measured torque.");
    rbv_figures_split(r);
  } else {
    rbv_page_missing(r, "The recordings of the fit are not available.");
  }
  rbv_page_close(r);
}

static void write_coverage(report *r) {
  rbv_page_open(r, "coverage", "What the motion visits");
  if (r->fit.count > 0) {
    rbv_page_paragraph(r,
                       "Positions, velocities and accelerations of the fit. The model is tested "
                       "only where the motion was; dashed lines are limits of the robot file.");
    rbv_page_coverage(r);
    rbv_page_html(r, "<div class=\"tiles\">\n");
    rbv_figures_coverage(r);
    rbv_page_html(r, "</div>\n");
  } else {
    rbv_page_missing(r, "The recordings of the fit are not available.");
  }
  rbv_page_close(r);
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
    rbv_page_print(r, "<tr><td>%s</td><td class=\"n\">%td</td>", label, f->rows);
    put_error_cells(r, f, rbv_row_unit(r, i));
    if (two) put_error_cells(r, &held->row[i], rbv_row_unit(r, i));
    rbv_page_print(r, "<td class=\"n\">%.2f</td><td class=\"n\">%.2g", f->durbin_watson, f->ks_p);
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
  rbv_page_html(
      r,
      "</div></div>\n<div id=\"spectrum\">\n<h3>Spectrum</h3>\n<p>The torque of the first "
      "recording as recorded, and what the model leaves of it. Where the two meet, the model "
      "explains nothing; a peak of the residual alone is a vibration or a ripple. The dashed line "
      "is the end of the band that the fit uses.</p>\n<div class=\"tiles\">\n");
  if (r->fit.count > 0 && rbv_figures_spectrum(r) != RBV_OK) r->html.failed = true;
  rbv_page_html(r, "</div></div>\n");
  rbv_page_close(r);
}

static void put_number(report *r, const char *what, double share) {
  if (!isfinite(share)) return;
  rbv_page_print(r, "<div><dt>%s</dt><dd>%.3g %%</dd></div>\n", what, 100 * share);
}

/* the first answers: three numbers, the arm and a torque */
static void write_first(report *r, const rbv_headline *gain) {
  char identified[96];
  snprintf(identified, sizeof identified, "identified, %s", gain->data);
  rbv_page_html(r,
                "<section id=\"numbers\" aria-label=\"Errors of the predicted torque\">\n<dl "
                "class=\"numbers\">\n");
  put_number(r, "error of the torque, robot file", gain->file);
  put_number(r, identified, gain->error);
  put_number(r, "uncertainty on other motions", r->result->diagnostics.predicted_error);
  rbv_page_html(r, "</dl>\n</section>\n<div class=\"beside\">\n");
}

static void write_first_torque(report *r) {
  rbv_page_open(r, "torque", "The torque that the robot file predicts worst");
  if (r->recorded.count > 0)
    rbv_figure_first_torque(r);
  else
    rbv_page_missing(r, "The recordings are not available, so no torque can be shown.");
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
  if (csv.failed || rbv_result_write(&json, &json_size, r->result) != RBV_OK) {
    r->html.failed = true;
    json_size = 0;
  }
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

static const page_link contents[] = {
    {"verdict", "Verdict"},        {"gain", "Joints"},           {"fit", "Torques"},
    {"errors", "Errors"},          {"residuals", "Residuals"},   {"coverage", "Motion"},
    {"parameters", "Parameters"},  {"links", "Links"},           {"friction", "Friction"},
    {"correlation", "Structure"},  {"provenance", "Provenance"}, {"downloads", "Downloads"},
    {"filter-scan", "Filter scan"}};  // the last one only where there is a scan

static void write_top(report *r, const rbv_headline *gain) {
  char headline[RBV_HEADLINE_MAX];
  rbv_headline_write(headline, gain);
  rbv_page_head(r, r->result->robot, "Identification report");
  rbv_page_headline(r, headline);
  rbv_page_print(r, "%d joints, %d base parameters by %s", r->result->njoint,
                 r->result->estimate.count, r->result->method);
  rbv_page_contents(r, contents, RBV_COUNT(contents) - (r->result->filter_scan.nrun == 0));
}

void rbv_page_write(report *r) {
  const rbv_headline gain = rbv_result_headline(r->result);
  write_top(r, &gain);
  rbv_page_verdict(r);
  write_first(r, &gain);
  write_arm(r);
  write_first_torque(r);
  rbv_page_html(r, "</div>\n");
  r->fold = true;
  write_gain(r);
  write_findings(r);
  write_torques(r);
  write_split(r);
  write_errors(r);
  if (rbv_page_horizon(r) != RBV_OK) r->html.failed = true;
  rbv_page_filter_scan(r);
  write_residuals(r);
  if (rbv_page_states(r) != RBV_OK) r->html.failed = true;
  write_coverage(r);
  rbv_page_parameters(r);
  rbv_page_bodies(r);
  rbv_page_structure(r);
  rbv_page_method(r);
  write_provenance(r);
  write_downloads(r);
  rbv_page_end(r, true);
}
