/* The links as bodies: of the robot file, as identified, and what the data know of them. */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <roberval/sys/model.h>
#include <string.h>

#include "model/geometry.h"
#include "report/report_internal.h"

static int link_count(const report *r) { return r->m->nbody + (r->result && r->result->payload); }

/* the body of ten parameters; exists is false unless its mass is positive */
static rbv_status make_body(link_body *out, const double phi[RBV_INERTIAL]) {
  *out = (link_body){0};
  for (int i = 0; i < RBV_INERTIAL; i++)
    if (!isfinite(phi[i])) return RBV_OK;
  if (!(phi[9] > 0)) return RBV_OK;
  double s[RBV_INERTIAL];
  rbv_inertial_split(s, phi);
  const double I[9] = {s[4], s[5], s[6], s[5], s[7], s[8], s[6], s[8], s[9]};
  out->exists = true;
  out->mass = s[0];
  memcpy(out->centre, s + 1, sizeof out->centre);
  RBV_TRY(rbv_eigen_symmetric(out->principal, out->axes, I, 3, 3));
  // a solid ellipsoid of constant density: I1 = m (b^2 + c^2) / 5, and so on
  const double sum = out->principal[0] + out->principal[1] + out->principal[2];
  for (int i = 0; i < 3; i++) {
    const double square = 2.5 / out->mass * (sum - 2 * out->principal[i]);
    out->semi[i] = square > 0 ? sqrt(square) : 0;
    out->possible = (i == 0 || out->possible) && square >= 0 && out->principal[i] >= 0;
  }
  return RBV_OK;
}

/* the ten parameters of link b in values of all columns; false: it has none */
static bool collect(double phi[RBV_INERTIAL], const rbv_model *m, const double *value, int b) {
  int found = 0;
  memset(phi, 0, RBV_INERTIAL * sizeof *phi);
  for (int c = 0; c < m->ncolumn && value; c++) {
    if (m->column[c].basis != RBV_BASIS_INERTIAL || m->column[c].joint != b) continue;
    phi[m->column[c].component] = value[c];
    found++;
  }
  return found > 0;
}

/* values of the standard parameters, and the share that the data know, by column */
static rbv_status standard_values(double *value, double *known, const report *r) {
  const rbv_result_standard *s = &r->result->standard;
  for (int c = 0; c < r->m->ncolumn; c++) value[c] = known[c] = NAN;
  for (int k = 0; k < s->count; k++) {
    const int c = rbv_model_find(r->m, s->name[k]);
    if (c < 0) continue;
    value[c] = s->value[k];
    known[c] = s->known ? s->known[k] : NAN;
  }
  return RBV_OK;
}

/* the smallest and the largest share that the data know of the six inertias of link b */
static void inertia_known(link_row *row, const rbv_model *m, const double *known, int b) {
  row->inertia_known[0] = row->inertia_known[1] = NAN;
  for (int c = 0; c < m->ncolumn; c++) {
    if (m->column[c].basis != RBV_BASIS_INERTIAL || m->column[c].joint != b) continue;
    if (m->column[c].component > 5 || !isfinite(known[c])) continue;
    row->inertia_known[0] = fmin(row->inertia_known[0], known[c]);
    row->inertia_known[1] = fmax(row->inertia_known[1], known[c]);
  }
}

void rbv_links_free(report_links *links) {
  rbv_free(links->row);
  *links = (report_links){0};
}

rbv_status rbv_links_new(report_links *out, const report *r) {
  *out = (report_links){0};
  const int n = link_count(r);
  const size_t columns = (size_t)r->m->ncolumn;
  out->row = rbv_alloc((size_t)n * sizeof *out->row);
  double *value = rbv_alloc(2 * columns * sizeof *value), *known = value + columns;
  rbv_status status = out->row && value ? RBV_OK : RBV_EMEM;
  const rbv_result_standard *s = r->result ? &r->result->standard : NULL;
  if (status == RBV_OK && s) status = standard_values(value, known, r);
  for (int b = 0; b < n && status == RBV_OK; b++) {
    double phi[RBV_INERTIAL];
    link_row *row = &out->row[b];
    // a payload is part of the last link's frame
    row->frame = b < r->m->nbody ? b : r->m->carrier;
    row->name = b < r->m->nbody ? rbv_model_body_joint(r->m, b) : "payload";
    if (collect(phi, r->m, rbv_model_parameters(r->m), b)) status = make_body(&row->file, phi);
    if (status != RBV_OK || !s || s->count == 0) continue;
    if (collect(phi, r->m, value, b)) status = make_body(&row->identified, phi);
    inertia_known(row, r->m, known, b);
    const int known_body = inertial_place(r->m, b);
    row->known = has_parameters(r->m, b) && known_body < s->nbody ? &s->body[known_body] : NULL;
  }
  rbv_free(value);
  if (status != RBV_OK) {
    rbv_links_free(out);
    return status;
  }
  out->count = n;
  return RBV_OK;
}

/* ---- the table ---- */

static void put_cell(report *r, const link_body *body, const double *x, int n, double scale,
                     const char *format) {
  rbv_page_html(r, "<td class=\"n\">");
  for (int i = 0; body->exists && i < n; i++) {
    if (i > 0) rbv_page_html(r, ", ");
    rbv_text_print(&r->html, format, scale * x[i] + 0.0);
  }
  rbv_page_html(r, body->exists ? "</td>" : "–</td>");
}

/* "40 %", "0 to 40 %" */
static void put_known(report *r, const double *share, int n) {
  double low = NAN, high = NAN;
  for (int i = 0; i < n; i++) {
    low = fmin(low, share[i]);
    high = fmax(high, share[i]);
  }
  rbv_page_html(r, "<td class=\"n\">");
  if (!isfinite(low))
    rbv_page_html(r, "–");
  else if (100 * (high - low) < 1)
    rbv_text_print(&r->html, "%.0f %%", 100 * high);
  else
    rbv_text_print(&r->html, "%.0f to %.0f %%", 100 * low, 100 * high);
  rbv_page_html(r, "</td>");
}

static void put_mass(report *r, const link_row *row) {
  put_cell(r, &row->file, &row->file.mass, 1, 1, "%.3g");
  rbv_page_print(r, "<td class=\"n\">%.3g", row->identified.exists ? row->identified.mass : NAN);
  if (row->identified.exists && row->known && isfinite(row->known->mass_sigma))
    rbv_text_print(&r->html, " ± %.2g", row->known->mass_sigma);
  rbv_page_html(r, "</td>");
  put_known(r, row->known ? &row->known->mass_known : NULL, row->known ? 1 : 0);
}

static void put_row(report *r, const link_row *row) {
  rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", row->name);
  put_mass(r, row);
  put_cell(r, &row->file, row->file.centre, 3, 1e3, "%.0f");
  put_cell(r, &row->identified, row->identified.centre, 3, 1e3, "%.0f");
  put_known(r, row->known ? row->known->centre_known : NULL, row->known ? 3 : 0);
  put_cell(r, &row->file, row->file.principal, 3, 1, "%.3g");
  put_cell(r, &row->identified, row->identified.principal, 3, 1, "%.3g");
  put_known(r, row->inertia_known, row->known ? 2 : 0);
  rbv_page_html(r, "</tr>\n");
}

void rbv_page_links(report *r) {
  const report_links *l = &r->links;
  bool file = false, identified = false;
  for (int b = 0; b < l->count; b++) {
    file = file || l->row[b].file.exists;
    identified = identified || l->row[b].identified.exists;
  }
  rbv_page_html(
      r,
      "<p>A motion determines combinations of masses and inertias. Where it leaves single values "
      "open, they follow the prior, usually the robot file. <em>Known</em> is the share of a value "
      "that the data determine, one minus the ratio of posterior and prior variance. A single mass "
      "is not a measurement, even if its share is high: the share assumes that the model is right."
      "</p>\n");
  if (!file)
    rbv_page_missing(r, "The robot file gives no masses, so there is nothing to compare with.");
  if (!identified)
    rbv_page_missing(
        r,
        "Base parameters do not determine single links. Estimate physically consistent standard "
        "parameters (option <code>consistent</code>) to see identified links here.");
  if (!file && !identified) return;
  rbv_page_html(
      r,
      "<div class=\"scroll\"><table class=\"links\"><thead><tr><th rowspan=\"2\">"
      "link of</th><th colspan=\"3\">mass [kg]</th><th colspan=\"3\">centre of mass [mm]</th>"
      "<th colspan=\"3\">principal inertia about the centre of mass [kg m²]</th></tr>\n<tr>");
  for (int i = 0; i < 3; i++)
    rbv_page_html(r,
                  "<th class=\"n\">robot file</th><th class=\"n\">identified</th>"
                  "<th class=\"n\">known</th>");
  rbv_page_html(r, "</tr></thead><tbody>\n");
  for (int b = 0; b < l->count; b++) put_row(r, &l->row[b]);
  rbv_page_html(r, "</tbody></table></div>\n");
}
