/* Sections of the page of a result about parameters, links and the method. */
#include <math.h>

#include "report/report_internal.h"

/* ---- parameters ---- */

static void put_parameter(report *r, int k, double t) {
  const rbv_parameter *p = &r->result->estimate.item[k];
  const double share = isfinite(p->sigma) && p->value != 0 ? 100 * p->sigma / fabs(p->value) : NAN;
  rbv_text *out = &r->html;
  rbv_page_print(r, "<tr><th scope=\"row\">%s", p->name);
  rbv_text_print(out, "</th><td class=\"n\">%.5g</td><td class=\"n interval\">", p->value);
  if (isfinite(p->sigma))
    rbv_text_print(out, "%.4g … %.4g", p->value - t * p->sigma, p->value + t * p->sigma);
  else
    rbv_page_html(r, "–");
  rbv_page_print(r, "</td><td class=\"n\">%.2g</td><td class=\"n share\">", p->sigma);
  if (isfinite(share))
    rbv_text_print(out, "<i style=\"width:%.0f%%\"></i><b>%.3g</b>", fmin(share, 100), share);
  else
    rbv_page_html(r, "–");
  rbv_page_html(r, "</td><td class=\"unit\">");
  rbv_page_unit(r, r->result->unit[k]);
  rbv_text_print(out, "</td><td class=\"s%d\">%s</td>", (int)p->status,
                 rbv_parameter_status_name(p->status));
  if (r->in->prior) {
    rbv_page_print(r, "<td class=\"n\">%.4g", r->prior[k]);
    if (isfinite(r->prior_sigma[k])) rbv_text_print(out, " ± %.2g", r->prior_sigma[k]);
    rbv_page_html(r, "</td>");
  }
  if (r->result->bootstrap_sigma)
    rbv_page_print(r, "<td class=\"n\">%.2g</td>", r->result->bootstrap_sigma[k]);
  rbv_page_print(r, "<td class=\"meaning\">%s</td></tr>\n", r->result->meaning[k]);
}

void rbv_page_parameters(report *r) {
  const double t = rbv_page_student(r);
  rbv_page_open(r, "parameters", "Parameters");
  rbv_page_print(r, "<p>%d base parameters by %s, with 95 %% intervals.", r->result->estimate.count,
                 r->result->method);
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

/* what the friction terms of each joint add up to */
static void write_friction_speeds(report *r) {
  const rbv_result *x = r->result;
  if (x->nfriction_speeds == 0) return;
  rbv_page_html(
      r,
      "<div class=\"scroll\"><table><thead><tr><th>friction of</th><th class=\"n\">at 10 % "
      "of its speed</th><th class=\"n\">at 50 %</th><th class=\"n\">at 100 %</th><th "
      "class=\"n\">of the load</th></tr></thead><tbody>\n");
  for (int j = 0; j < x->nfriction_speeds; j++) {
    const rbv_result_friction_speeds *f = &x->friction_speeds[j];
    rbv_page_print(r, "<tr><th scope=\"row\">%s</th>", x->joint[f->joint]);
    for (int k = 0; k < RBV_FRICTION_SPEEDS; k++)
      rbv_page_print(r, "<td class=\"n\">%.4g ± %.2g %s</td>", f->torque[k], f->sigma[k], f->unit);
    rbv_page_print(r, "<td class=\"n\">%.1f %%</td></tr>\n",
                   100 * f->load[RBV_FRICTION_SPEEDS - 1]);
  }
  rbv_page_html(r, "</tbody></table></div>\n");
}

void rbv_page_structure(report *r) {
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
                     "load, and residual plus friction of the model as points. The table has the "
                     "sum of all terms without load (mean of both directions), and what the load "
                     "adds, as a share of it.");
  write_friction_speeds(r);
  rbv_page_html(r, "<div class=\"tiles\">\n");
  if (rbv_figures_friction(r) != RBV_OK) r->html.failed = true;
  rbv_page_html(r, "</div>\n");
  rbv_page_close(r);
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
  rbv_figure_consistency(r);
  rbv_page_html(r,
                "<div class=\"scroll\"><table><thead><tr><th>link of</th><th>state</th><th "
                "class=\"n\">margin</th>"
                "<th>constraint active</th><th>prior</th></tr></thead><tbody>\n");
  for (int b = 0; b < s->nbody; b++) {
    rbv_page_print(r, "<tr><td>%s</td><td>%s</td><td class=\"n\">%.3g", s->body[b].name,
                   s->body[b].state, s->body[b].margin);
    rbv_text_print(&r->html, "</td><td>%s</td><td>", s->body[b].active ? "yes" : "no");
    rbv_page_print(r, "%s</td></tr>\n", s->body[b].prior);
  }
  rbv_page_print(r,
                 "</tbody></table></div>\n<p>Consistency and the prior changed base parameters by "
                 "%.2g σ at most (χ² %.3g). The optimum is certified to %.1g after %d steps.</p>\n",
                 s->largest_move_sigma, s->chi2, s->gap, s->iterations);
  rbv_page_close(r);
}

void rbv_page_bodies(report *r) {
  rbv_page_open(r, "links", "Links");
  rbv_page_links(r);
  if (rbv_figure_links(r) != RBV_OK) r->html.failed = true;
  rbv_page_close(r);
  write_consistency(r);
}

static void put_instruments(report *r, const rbv_instruments *i) {
  if (!(i->strength > 0)) return;
  rbv_page_print(r,
                 "<p>The instruments explain at least %.1f %% of every column; the condition "
                 "number of Z'W is %.3g",
                 100 * i->strength, i->condition_number);
  rbv_page_html(r, i->biased ? ". Least squares is biased on these data: "
                             : ". Least squares is not noticeably biased on these data: ");
  rbv_page_print(r, "the largest difference is that of %s, %.1f σ of white noise.</p>\n", i->worst,
                 i->shift);
}

void rbv_page_method(report *r) {
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
