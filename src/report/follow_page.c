/* The page of an arm that was followed: residuals with limits, payload, drift over time. */
#include <stdio.h>

#include "report/report_internal.h"

/* one column of the history, as a line */
static void take(double *out, const rbv_follow_page *in, int column) {
  for (ptrdiff_t k = 0; k < in->count; k++) out[k] = in->row[k * in->stride + column];
}

/* value in the middle, an uncertainty of `factor` times the width around it */
typedef struct {
  double *t, *value, *low, *high;
} band;

static void draw(report *r, const rbv_follow_page *in, band *b, drawing *d, const char *name,
                 int value, int width, double factor, bool about_zero) {
  take(b->t, in, 0);
  take(b->value, in, value);
  take(b->high, in, width);
  for (ptrdiff_t k = 0; k < in->count; k++) {
    const double half = factor * b->high[k], middle = about_zero ? 0 : b->value[k];
    b->low[k] = middle - half;
    b->high[k] = middle + half;
  }
  d->width = DRAWING_WIDE;
  d->height = 180;
  const plot_time p = {.t = b->t,
                       .count = in->count,
                       .low = b->low,
                       .high = b->high,
                       .band_shown = true,
                       .ncurve = 1,
                       .curve = {{"c1", name, b->value}}};
  rbv_plot_time(d, &p);
  rbv_page_figure(r, d, " data-group=\"history\"", NULL);
}

static void write_residuals(report *r, const rbv_follow_page *in, band *b) {
  const int n = r->m->njoint;
  rbv_page_open(r, "residuals", "Residual and limit");
  rbv_page_print(
      r, "<p>The band is the limit for the chosen rate of false alarms, learnt from %s.</p>\n",
      in->limits);
  for (int j = 0; j < n; j++) {
    const bool slides = r->m->joint[j].type == RBV_JOINT_PRISMATIC;
    drawing d = {.ylabel = slides ? "residual [N]" : "residual [N m]"};
    snprintf(d.name, sizeof d.name, "residual-%d", j + 1);
    snprintf(d.title, sizeof d.title, "%s", r->m->joint[j].name);
    draw(r, in, b, &d, "residual", 1 + j, 1 + n + j, 1, true);
  }
  rbv_page_close(r);
}

static void write_payload(report *r, const rbv_follow_page *in, band *b) {
  const int n = r->m->njoint;
  rbv_page_open(r, "payload", "Payload");
  drawing d = {.name = "payload", .title = "mass with two sigma", .ylabel = "mass [kg]"};
  draw(r, in, b, &d, "mass", 1 + 2 * n, 2 + 2 * n, 2, false);
  rbv_page_close(r);
}

static void write_drift(report *r, const rbv_follow_page *in, band *b) {
  const int first = 3 + 2 * r->m->njoint;
  if (in->ndrift == 0) return;
  rbv_page_open(r, "drift", "Drift since the identification, with two sigma");
  for (int i = 0; i < in->ndrift; i++) {
    const rbv_column *c = &r->m->column[in->drift_column[i]];
    char label[96];
    snprintf(label, sizeof label, "change [%s]", c->unit);
    drawing d = {.ylabel = label};
    snprintf(d.name, sizeof d.name, "drift-%d", i + 1);
    snprintf(d.title, sizeof d.title, "%s", c->name);
    draw(r, in, b, &d, "change", first + i, first + in->ndrift + i, 2, false);
  }
  rbv_page_close(r);
}

/* a stream with an alarm deserves a look; others are as expected */
static rbv_status apply_rules(report *r, const rbv_follow_page *in) {
  rbv_text text = {0};
  const double seconds = in->row[(in->count - 1) * in->stride] - in->row[0];
  if (in->contacts + in->changes > 0)
    rbv_text_print(&text, "%d contact%s and %d change%s of the payload in %.1f s.", in->contacts,
                   in->contacts == 1 ? "" : "s", in->changes, in->changes == 1 ? "" : "s", seconds);
  else
    rbv_text_print(&text, "No contact and no change of the payload in %.1f s.", seconds);
  r->word = in->contacts + in->changes == 0 ? "No contact, no change of payload"
            : in->changes == 0              ? "Contact"
            : in->contacts == 0             ? "Change of payload"
                                            : "Contact and change of payload";
  RBV_TRY(rbv_report_add_reason(
      r, in->contacts + in->changes > 0 ? RBV_VERDICT_CARE : RBV_VERDICT_USABLE, "alarms", &text));
  text = (rbv_text){0};
  if (in->bad_rows == 0) return RBV_OK;
  rbv_text_print(&text, "%lld rows of the stream were not used.", in->bad_rows);
  return rbv_report_add_reason(r, RBV_VERDICT_CARE, "rows", &text);
}

rbv_status rbv_follow_page_write(report *r, const void *given) {
  const rbv_follow_page *in = given;
  static const page_link contents[] = {{"verdict", "Verdict"},
                                       {"residuals", "Residual"},
                                       {"payload", "Payload"},
                                       {"drift", "Drift"}};
  RBV_TRY(apply_rules(r, in));
  RBV_NEW(double, block, 4 * (size_t)in->count);
  band b = {block, block + in->count, block + 2 * in->count, block + 3 * in->count};
  rbv_page_head(r, rbv_model_name(in->model), "History");
  rbv_page_headline(r, r->reason[0].text);
  rbv_page_text(r, in->source);
  rbv_page_contents(r, contents, RBV_COUNT(contents) - (in->ndrift == 0));
  rbv_page_verdict(r);
  write_residuals(r, in, &b);
  write_payload(r, in, &b);
  write_drift(r, in, &b);
  rbv_page_end(r, false);
  rbv_free(block);
  return r->html.failed ? RBV_EMEM : RBV_OK;
}
