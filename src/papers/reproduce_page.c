/* The tables and figures of several experiments as one HTML page. */
#include <math.h>
#include <stdio.h>

#include "papers/papers_internal.h"

static void put_number(rbv_text *out, double x, bool known) {
  rbv_text_put(out, "<td class=\"n\">");
  if (known && isfinite(x)) rbv_text_print(out, "%.4g", x == 0 ? 0 : x);
  rbv_text_put(out, known && isfinite(x) ? "</td>" : "-</td>");
}

/* text that is not broken into lines */
static void put_word(rbv_text *out, const char *s) {
  rbv_text_put(out, "<td class=\"unit\">");
  rbv_text_escape(out, s);
  rbv_text_put(out, "</td>");
}

static void put_cell(rbv_text *out, const char *s) {
  rbv_text_put(out, "<td>");
  rbv_text_escape(out, s ? s : "");
  rbv_text_put(out, "</td>");
}

static void put_row(rbv_text *out, const rbv_reproduced *row) {
  const char *verdict = rbv_match_name(row->verdict);
  const bool why = row->verdict != RBV_MATCH_AGREES && row->verdict != RBV_MATCH_RECOVERED;
  rbv_text_print(out, "<tr class=\"%s\">", verdict);
  put_cell(out, verdict);
  put_word(out, row->where);
  put_cell(out, row->what);
  put_number(out, row->paper, true);
  put_number(out, row->ours, true);
  put_number(out, row->tolerance, true);
  put_word(out, row->unit);
  put_number(out, row->paper_percent, row->paper_percent > 0);
  put_number(out, row->ours_percent, row->paper_percent > 0);
  put_cell(out, row->basis);
  put_cell(out, why ? row->why : "");
  put_cell(out, row->verdict == RBV_MATCH_EXPLAINED ? row->shown : "");
  rbv_text_put(out, "</tr>\n");
}

static void put_counts(rbv_text *out, const int *count) {
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++)
    rbv_text_print(out, "%s%s %d", v > 0 ? ", " : "", rbv_match_name(v), count[v]);
}

static void put_figure(rbv_text *out, const rbv_reproduced_figure *f) {
  rbv_text_print(out,
                 "<figure id=\"%s\" data-group=\"%s\" style=\"width:%.0fpx\">\n<figcaption><div>",
                 f->name, f->name, f->width);
  if (*f->where) rbv_text_print(out, "<b>%s</b> ", f->where);
  rbv_text_escape(out, f->title);
  if (*f->printed) {
    rbv_text_put(out, "<br><span class=\"printed\">In the paper: ");
    rbv_text_escape(out, f->printed);
    rbv_text_put(out, "</span>");
  }
  const bool wide = f->width > DRAWING_WIDE / 2;
  rbv_text_print(out, "</div></figcaption>\n%s%s%s</figure>\n", wide ? "<div class=\"pan\">" : "",
                 f->element, wide ? "</div>" : "");
}

static void put_experiment(rbv_text *out, const rbv_reproduction *r) {
  rbv_text_print(out, "<section id=\"%s\">\n<h2>", r->name);
  rbv_text_escape(out, r->paper);
  rbv_text_put(out, "</h2>\n<p>");
  rbv_text_escape(out, r->text);
  rbv_text_print(out, " (<code>roberval reproduce %s</code>).<br>", r->name);
  put_counts(out, r->verdicts);
  rbv_text_print(out, "; %d figures.</p>\n<div class=\"figures\">\n", r->nfigure);
  for (int i = 0; i < r->nfigure; i++) put_figure(out, &r->figure[i]);
  rbv_text_put(
      out,
      "</div>\n<div class=\"scroll\" "
      "tabindex=\"0\"><table "
      "class=\"compared\"><thead><tr><th>verdict</th><th>where</th><th>what</th><th>paper</th>"
      "<th>ours</th><th>tolerance</th><th>unit</th><th>%&sigma; paper</th>"
      "<th>%&sigma; ours</th><th>tolerance is</th><th>why</th><th>shown "
      "by</th></tr></thead><tbody>\n");
  for (int i = 0; i < r->count; i++) put_row(out, &r->row[i]);
  rbv_text_put(out, "</tbody></table></div>\n</section>\n");
}

typedef struct {
  rbv_reproduction *const *done;
  int count, figures, sum[RBV_MATCH_COUNT];
} whole_page;

/* all experiments with their numbers of verdicts, and a link to each */
static void put_summary(rbv_text *out, const whole_page *p) {
  const int count = p->count, *sum = p->sum, figures = p->figures;
  rbv_reproduction *const *done = p->done;
  rbv_text_put(
      out,
      "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>experiment</th><th>paper</th>");
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++)
    rbv_text_print(out, "<th class=\"n\">%s</th>", rbv_match_name(v));
  rbv_text_put(out, "<th class=\"n\">figures</th></tr></thead><tbody>\n");
  for (int i = 0; i <= count; i++) {
    const rbv_reproduction *r = i < count ? done[i] : NULL;
    if (r)
      rbv_text_print(out, "<tr><td><a href=\"#%s\">%s</a></td>", r->name, r->name);
    else
      rbv_text_put(out, "<tr><td>all</td>");
    put_cell(out, r ? r->paper : "");
    for (int v = 0; v < RBV_MATCH_COUNT; v++) put_number(out, (r ? r->verdicts : sum)[v], true);
    put_number(out, r ? r->nfigure : figures, true);
    rbv_text_put(out, "</tr>\n");
  }
  rbv_text_put(
      out,
      "</tbody></table></div>\n<p><b>agrees</b>: two independent numbers are within the tolerance. "
      "<b>recovered</b>: the printed value was the truth of a simulation, and its estimate is "
      "within the tolerance. <b>explained</b>: outside the tolerance for a reason that an "
      "experiment shows. <b>differs</b>: outside, and no experiment shows why. <b>cannot</b>: the "
      "printed number depends on what is not public. <b>remark</b>: the paper prints no such "
      "number.</p>\n");
}

static void put_all(rbv_text *out, const void *self) {
  const whole_page *p = self;
  rbv_text_print(out, "<section id=\"summary\">\n<p>%d figures.</p>\n", p->figures);
  put_summary(out, p);
  rbv_text_put(out, "</section>\n");
  for (int i = 0; i < p->count; i++) put_experiment(out, p->done[i]);
}

rbv_status rbv_reproduce_page(char **text, size_t *size, rbv_reproduction *const *done, int count,
                              uint64_t seed) {
  whole_page p = {.done = done, .count = count};
  RBV_NEW(page_link, link, count + 1);
  link[0] = (page_link){"summary", "Summary"};
  for (int i = 0; i < count; i++) {
    link[i + 1] = (page_link){done[i]->name, done[i]->name};
    p.figures += done[i]->nfigure;
    for (int v = 0; v < RBV_MATCH_COUNT; v++) p.sum[v] += done[i]->verdicts[v];
  }
  rbv_text headline = {0};
  put_counts(&headline, p.sum);
  if (headline.failed) {
    rbv_text_free(&headline);
    rbv_free(link);
    return RBV_EMEM;
  }
  char sub[96];
  snprintf(sub, sizeof sub, "roberval %s, seed %llu", rbv_version(), (unsigned long long)seed);
  const page_frame frame = {.title = "Experiments of the papers",
                            .kind = "Reproduction",
                            .headline = headline.data,
                            .sub = sub,
                            .link = link,
                            .nlink = count + 1,
                            .write = put_all,
                            .self = &p};
  rbv_text out = {0};
  rbv_page_framed(&out, &frame);
  rbv_text_free(&headline);
  rbv_free(link);
  if (out.failed) {
    rbv_text_free(&out);
    return RBV_EMEM;
  }
  *text = out.data;
  *size = out.size;
  return RBV_OK;
}

void rbv_reproduce_page_free(char *text) { rbv_free(text); }
