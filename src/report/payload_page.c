/* The page of a payload: verdict, values with sigma, sensor, lines for controllers. */
#include <math.h>

#include "report/report_internal.h"

#define GOOD_MASS 0.02     // sigma of the mass, relative
#define GOOD_CENTRE 0.005  // sigma of the centre [m]
#define GOOD_FIT 0.1       // relative error of the fit

/* ---- verdict ---- */

static rbv_status apply_rules(report *r, const rbv_payload_page *in) {
  const rbv_payload *p = &in->payload;
  rbv_text text = {0};
  if (!isfinite(p->mass_sigma)) {
    rbv_text_put(&text, "The mass is not identifiable from this recording.");
    return rbv_report_add_reason(r, RBV_VERDICT_NO, "mass", &text);
  }
  const double share = p->mass_sigma / fabs(p->mass);
  rbv_text_print(&text, "The mass is known to %.2g %%.", 100 * share);
  RBV_TRY(rbv_report_add_reason(r, share < GOOD_MASS ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE,
                                "mass", &text));
  double worst = 0;
  for (int i = 0; i < 3; i++) worst = fmax(worst, p->centre_sigma[i]);
  text = (rbv_text){0};
  if (isfinite(worst))
    rbv_text_print(&text, "The centre of mass is known to %.2g mm.", 1000 * worst);
  else
    rbv_text_put(&text, "A coordinate of the centre of mass is not identifiable.");
  RBV_TRY(rbv_report_add_reason(r, worst < GOOD_CENTRE ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE,
                                "centre", &text));
  text = (rbv_text){0};
  const bool fits = in->relative_error < GOOD_FIT;
  rbv_text_print(&text, "The payload explains what it adds to the torque up to %.2g %%%s",
                 100 * in->relative_error,
                 fits ? "." : ": friction or the model of the arm is in the rest.");
  RBV_TRY(rbv_report_add_reason(r, fits ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE, "fit", &text));
  if (in->poses || p->inertia_possible) return RBV_OK;
  text = (rbv_text){0};
  rbv_text_put(&text, "No body has the estimated inertia: move the last joints faster.");
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "inertia", &text);
}

/* ---- sections ---- */

static void put_row(report *r, const char *name, double value, double sigma, const char *unit) {
  const bool known = isfinite(sigma);
  rbv_text_print(&r->html, "<tr><th scope=\"row\">%s</th><td>", name);
  rbv_page_print(r, "%.6g</td><td>%.2g</td><td>", known ? value : NAN, known ? sigma : NAN);
  rbv_page_unit(r, unit);
  rbv_page_html(r, "</td></tr>\n");
}

static void open_table(report *r) {
  rbv_page_html(r,
                "<table><thead><tr><th scope=\"col\">quantity</th><th scope=\"col\">value</th>"
                "<th scope=\"col\">σ</th><th scope=\"col\">unit</th></tr></thead><tbody>\n");
}

static void write_values(report *r, const rbv_payload_page *in) {
  static const char *const axis[3] = {"centre x", "centre y", "centre z"};
  static const char *const inertia[6] = {"inertia xx", "inertia xy", "inertia xz",
                                         "inertia yy", "inertia yz", "inertia zz"};
  const rbv_payload *p = &in->payload;
  rbv_page_open(r, "values", "Payload");
  rbv_page_print(r, "<p>Frame: %s. Inertia is about the centre of mass.</p>\n", in->frame);
  open_table(r);
  put_row(r, "mass", p->mass, p->mass_sigma, "kg");
  for (int i = 0; i < 3; i++) put_row(r, axis[i], p->centre[i], p->centre_sigma[i], "m");
  for (int i = 0; i < 6 && !in->poses; i++)
    put_row(r, inertia[i], p->inertia[i], p->inertia_possible ? p->inertia_sigma[i] : INFINITY,
            "kg m^2");
  rbv_page_html(r, "</tbody></table>\n");
  rbv_page_close(r);
}

static void write_sensor(report *r, const rbv_wrist_estimate *w) {
  static const char *const name[6] = {"bias force x",  "bias force y",  "bias force z",
                                      "bias torque x", "bias torque y", "bias torque z"};
  rbv_page_open(r, "sensor", "Force/torque sensor");
  open_table(r);
  for (int i = 0; i < 6; i++)
    put_row(r, name[i], w->bias[i], w->bias_sigma[i], i < 3 ? "N" : "N m");
  if (w->tilt > 0) put_row(r, "tilt of the base", w->tilt, w->tilt_sigma, "rad");
  rbv_page_html(r, "</tbody></table>\n");
  rbv_page_close(r);
}

static void write_lines(report *r, const rbv_payload_page *in) {
  char line[512];
  rbv_page_open(r, "controllers", "Lines for controllers");
  rbv_page_paragraph(r, "Controllers expect the frame of the flange.");
  for (int i = 0; rbv_controller_line_at(i); i++) {
    if (!rbv_controller_line_write(line, sizeof line, i, &in->payload)) continue;
    rbv_page_print(r, "<p>%s</p>\n<pre>%s</pre>\n", rbv_controller_line_at(i)->title, line);
  }
  rbv_page_close(r);
}

static void write_headline(report *r, const rbv_payload *p) {
  if (!isfinite(p->mass_sigma)) return;
  rbv_page_print(r, "<strong class=\"headline\">%.4g ± %.2g kg</strong>\n", p->mass, p->mass_sigma);
}

rbv_status rbv_payload_page_write(report *r, const void *given) {
  const rbv_payload_page *in = given;
  static const page_link contents[] = {
      {"verdict", "Verdict"}, {"values", "Payload"}, {"controllers", "Controllers"}};
  RBV_TRY(apply_rules(r, in));
  rbv_page_head(r, rbv_model_name(in->model), "Payload");
  write_headline(r, &in->payload);
  rbv_page_text(r, in->source);
  if (in->poses) rbv_text_print(&r->html, ", %d poses", in->poses);
  rbv_page_contents(r, contents, RBV_COUNT(contents));
  rbv_page_verdict(r);
  write_values(r, in);
  if (in->wrist) write_sensor(r, in->wrist);
  write_lines(r, in);
  rbv_page_end(r, false);
  return r->html.failed ? RBV_EMEM : RBV_OK;
}
