/* The tables and figures of several experiments as one HTML page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/papers_internal.h"
#include "report/plots.h"

static const char sheet[] =
    "*{box-sizing:border-box}\n"
    "body{font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;"
    "margin:0;color:var(--ink);background:var(--paper)}\n"
    "main{max-width:1180px;margin:0 auto;padding:1.5rem}\n"
    "h2{margin:2.4rem 0 .3rem}a{color:var(--c1)}\n"
    ".scroll{overflow-x:auto;margin:1rem 0;border:1px solid var(--rule);border-radius:10px}\n"
    "table{border-collapse:collapse;width:100%;font-size:.86rem}\n"
    "td,th{padding:.25em .7em;text-align:left;border-bottom:1px solid var(--grid);"
    "vertical-align:top}\n"
    "th{background:var(--wash);color:var(--muted);white-space:nowrap}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".u{white-space:nowrap}\n"
    ".agrees td:first-child{color:var(--good)}.recovered td:first-child{color:var(--c1)}\n"
    ".explained td:first-child{color:var(--care)}.cannot td:first-child{color:var(--muted)}\n"
    ".differs td{background:var(--bad-wash)}\n"
    ".figures{display:flex;flex-wrap:wrap;gap:1em}\n"
    "figure{margin:0;max-width:100%;overflow-x:auto;padding:.7rem;background:var(--raised);"
    "border:1px solid var(--rule);border-radius:10px;break-inside:avoid}\n"
    "figcaption{font-size:13px;max-width:44em}figcaption .printed{color:var(--muted)}\n"
    "svg.fig{max-width:100%;height:auto}\n"
    "@media screen and (max-width:760px){main{padding:.8rem}figure "
    "svg.fig{width:620px;max-width:none}}\n";

static void put_number(rbv_text *out, double x, bool known) {
  rbv_text_put(out, "<td class=\"n\">");
  if (known && isfinite(x)) rbv_text_print(out, "%.4g", x == 0 ? 0 : x);
  rbv_text_put(out, known && isfinite(x) ? "</td>" : "-</td>");
}

/* text that is not broken into lines */
static void put_word(rbv_text *out, const char *s) {
  rbv_text_put(out, "<td class=\"u\">");
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
  rbv_text_print(out, "<figure id=\"%s\" tabindex=\"0\" style=\"width:%.0fpx\">\n<figcaption>",
                 f->name, f->width);
  if (*f->where) rbv_text_print(out, "<b>%s</b> ", f->where);
  rbv_text_escape(out, f->title);
  if (*f->printed) {
    rbv_text_put(out, "<br><span class=\"printed\">In the paper: ");
    rbv_text_escape(out, f->printed);
    rbv_text_put(out, "</span>");
  }
  rbv_text_put(out, "</figcaption>\n");
  rbv_text_put(out, f->element);
  rbv_text_put(out, "</figure>\n");
}

static void put_experiment(rbv_text *out, const rbv_reproduction *r) {
  rbv_text_print(out, "<h2 id=\"%s\">", r->name);
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
      "tabindex=\"0\"><table>\n<tr><th>verdict</th><th>where</th><th>what</th><th>paper</th>"
      "<th>ours</th><th>tolerance</th><th>unit</th><th>%&sigma; paper</th>"
      "<th>%&sigma; ours</th><th>tolerance is</th><th>why</th><th>shown by</th></tr>\n");
  for (int i = 0; i < r->count; i++) put_row(out, &r->row[i]);
  rbv_text_put(out, "</table></div>\n");
}

/* all experiments with their numbers of verdicts, and a link to each */
static void put_summary(rbv_text *out, rbv_reproduction *const *done, int count, const int *sum,
                        int figures) {
  rbv_text_put(
      out, "<div class=\"scroll\" tabindex=\"0\"><table>\n<tr><th>experiment</th><th>paper</th>");
  for (rbv_match v = RBV_MATCH_AGREES; v < RBV_MATCH_COUNT; v++)
    rbv_text_print(out, "<th class=\"n\">%s</th>", rbv_match_name(v));
  rbv_text_put(out, "<th class=\"n\">figures</th></tr>\n");
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
      "</table></div>\n<p><b>agrees</b>: two independent numbers are within the tolerance. "
      "<b>recovered</b>: the printed value was the truth of a simulation, and its estimate is "
      "within the tolerance. <b>explained</b>: outside the tolerance for a reason that an "
      "experiment shows. <b>differs</b>: outside, and no experiment shows why. <b>cannot</b>: "
      "there is nothing to compare with.</p>\n");
}

rbv_status rbv_reproduce_page(char **text, size_t *size, rbv_reproduction *const *done, int count,
                              uint64_t seed) {
  rbv_text out = {0}, style = {0};
  int sum[RBV_MATCH_COUNT] = {0}, figures = 0;
  for (int i = 0; i < count; i++) {
    figures += done[i]->nfigure;
    for (int v = 0; v < RBV_MATCH_COUNT; v++) sum[v] += done[i]->verdicts[v];
  }
  rbv_plot_colours(&style);
  rbv_plot_style(&style, true);
  rbv_text_print(
      &out,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Experiments of the papers – Roberval</title>\n<style>\n%s%s</style>"
      "</head><body><main>\n<h1>Experiments of the papers</h1>\n<p>roberval %s, seed %llu: ",
      sheet, rbv_text_string(&style), rbv_version(), (unsigned long long)seed);
  put_counts(&out, sum);
  rbv_text_print(&out, "; %d figures.</p>\n", figures);
  put_summary(&out, done, count, sum, figures);
  for (int i = 0; i < count; i++) put_experiment(&out, done[i]);
  rbv_text_put(&out, "</main></body></html>\n");
  const bool failed = out.failed || style.failed;
  rbv_text_free(&style);
  if (failed) {
    rbv_text_free(&out);
    return RBV_EMEM;
  }
  *text = out.data;
  *size = out.size;
  return RBV_OK;
}

void rbv_reproduce_page_free(char *text) { rbv_free(text); }
