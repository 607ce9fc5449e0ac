/* The parts that all pages share: head and foot, sections, verdict, figures. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

/* ---- small things ---- */

void rbv_page_html(report *r, const char *text) { rbv_text_put(&r->html, text); }

/* size of the UTF-8 character at s in bytes; 0: it is invalid */
static size_t character_size(const unsigned char *s) {
  const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  if (s[0] > 0xf4) return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  return n;
}

void rbv_page_text(report *r, const char *text) {
  // a path can contain any bytes; the page must be UTF-8
  for (const char *c = text ? text : ""; *c;) {
    // a number and its sign stay on one line
    if (c[0] == ' ' && c[1] == '%') {
      rbv_text_put(&r->html, "&nbsp;");
      c++;
      continue;
    }
    const size_t n = character_size((const unsigned char *)c);
    char one[5] = {0};
    memcpy(one, n ? c : "\xef\xbf\xbd", n ? n : 3);
    rbv_text_escape(&r->html, one);
    c += n ? n : 1;
  }
}

void rbv_page_number(report *r, const char *format, double x) {
  if (isfinite(x))
    rbv_text_print(&r->html, format, x);
  else
    rbv_page_html(r, "–");
}

/* one conversion of a format, "%.3g", with its argument; returns what follows it */
static const char *put_conversion(report *r, const char *format, va_list *args) {
  const size_t n = strcspn(format + 1, "cdufegs") + 2;
  const char kind = format[n - 1];
  char one[24];
  snprintf(one, sizeof one, "%.*s", (int)n, format);
  if (kind == 's') {
    rbv_page_text(r, va_arg(*args, const char *));
  } else if (kind == 'd' && strchr(one, 't')) {
    rbv_text_print(&r->html, "%td", va_arg(*args, ptrdiff_t));
  } else if (kind == 'd') {
    rbv_text_print(&r->html, "%d", va_arg(*args, int));
  } else {
    const double x = va_arg(*args, double);
    rbv_page_number(r, one, x);
    // a dash has no sign of per cent
    if (!isfinite(x) && strncmp(format + n, " %%", 3) == 0) return format + n + 3;
  }
  return format + n;
}

void rbv_page_print(report *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  while (*format) {
    const size_t n = strcspn(format, "%");
    rbv_text_add(&r->html, format, n);
    format += n;
    if (format[0] == '%' && format[1] == '%') {
      rbv_text_put(&r->html, "%");
      format += 2;
    } else if (*format) {
      format = put_conversion(r, format, &args);
    }
  }
  va_end(args);
}

void rbv_page_paragraph(report *r, const char *text) {
  rbv_text_print(&r->html, "<p>%s</p>\n", text);
}
void rbv_page_missing(report *r, const char *text) {
  rbv_text_print(&r->html, "<p class=\"missing\">%s</p>\n", text);
}

/* escaped text with its line breaks */
static void put_lines(report *r, const char *text) {
  for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
    char *line = rbv_strndup(text, (size_t)(end - text));
    if (!line) r->html.failed = true;
    if (line) rbv_page_text(r, line);
    rbv_free(line);
    rbv_page_html(r, "\n");
  }
  rbv_page_text(r, text);
}

void rbv_page_settings(report *r, const rbv_setting *setting, int n) {
  for (int i = 0; i < n; i++) {
    const rbv_setting *s = &setting[i];
    rbv_page_html(r, "<div><dt>");
    rbv_page_text(r, s->key);
    rbv_page_html(r, "</dt><dd>");
    if (s->text)
      rbv_page_text(r, s->text);
    else
      rbv_page_number(r, "%.6g", s->number);
    rbv_page_html(r, "</dd></div>\n");
  }
}

void rbv_page_unit(report *r, const char *unit) {
  for (const char *c = unit; *c; c++) {
    const bool raised = *c == '^' && (c[1] == '2' || c[1] == '3');
    if (raised) rbv_page_html(r, c[1] == '2' ? "²" : "³");
    const char one[2] = {*c, 0};
    if (raised)
      c++;
    else
      rbv_page_text(r, one);
  }
}

/* ---- figures ---- */

static void keep_figure(report *r, const drawing *d) {
  rbv_figure *grown = rbv_grow(r->figure, r->nfigure, &r->mfigure, sizeof *grown);
  if (!grown) {
    r->html.failed = true;
    return;
  }
  r->figure = grown;
  rbv_text file = {0}, name = {0};
  rbv_plot_file(&file, d);
  rbv_text_print(&name, "%s.svg", d->name);
  if (file.failed || name.failed) {
    r->html.failed = true;
    rbv_text_free(&file);
    rbv_text_free(&name);
  } else {
    r->figure[r->nfigure++] = (rbv_figure){name.data, file.data, file.size};
  }
}

void rbv_page_figure(report *r, drawing *d, const char *attributes, const char *caption) {
  rbv_text_print(&r->html, "<figure id=\"figure-%s\"%s>\n<figcaption><span>", d->name,
                 attributes ? attributes : "");
  rbv_page_text(r, caption ? caption : d->title);
  rbv_text_print(&r->html,
                 "</span><button type=\"button\" class=\"save\" data-save=\"%s.svg\" "
                 "title=\"Save this figure as SVG\">SVG</button></figcaption>\n",
                 d->name);
  // on a narrow screen a wide figure scrolls, so that its labels stay readable
  const bool wide = d->width > DRAWING_WIDE / 2;
  if (wide) rbv_page_html(r, "<div class=\"pan\">");
  rbv_draw_inline(&r->html, d);
  rbv_page_html(r, wide ? "</div></figure>\n" : "</figure>\n");
  keep_figure(r, d);
  rbv_draw_free(d);
}

/* ---- sections ---- */

void rbv_page_open(report *r, const char *id, const char *title) {
  rbv_text_print(
      &r->html,
      r->fold ? "<section id=\"%s\" class=\"fold\">\n<details><summary><h2>%s</h2></summary>\n"
              : "<section id=\"%s\">\n<h2>%s</h2>\n",
      id, title);
}

void rbv_page_close(report *r) {
  rbv_page_html(r, r->fold ? "</details></section>\n" : "</section>\n");
}

void rbv_page_headline(report *r, const char *text) {
  if (*text) rbv_page_print(r, "<strong class=\"headline\">%s</strong>\n", text);
}

static rbv_verdict worst(const report *r) {
  rbv_verdict v = RBV_VERDICT_USABLE;
  for (int i = 0; i < r->nreason; i++)
    if (r->reason[i].level > v) v = r->reason[i].level;
  return v;
}

static void put_reason(report *r, const rbv_reason *reason, const char *class, const char *mark,
                       const char *name) {
  rbv_text_print(&r->html,
                 "<li class=\"%s\" data-rule=\"%s\"><span class=\"mark\" role=\"img\" "
                 "aria-label=\"%s\" title=\"%s\">%s</span><span>",
                 class, reason->rule, name, name, mark);
  rbv_page_print(r, "%s</span></li>\n", reason->text);
}

static const char *const level_class[] = {"good", "care", "bad"};
static const char *const level_mark[] = {"\xe2\x9c\x93", "!", "\xe2\x9c\x95"};

/* reasons in the order of the page: the worst first, information last */
static int order_reasons(const rbv_reason **order, const report *r) {
  int n = 0;
  for (int level = RBV_VERDICT_NO; level >= RBV_VERDICT_USABLE; level--)
    for (int i = 0; i < r->nreason; i++)
      if ((int)r->reason[i].level == level && (level > RBV_VERDICT_USABLE || r->reason[i].passed))
        order[n++] = &r->reason[i];
  for (int i = 0; i < r->nreason; i++)
    if (r->reason[i].level == RBV_VERDICT_USABLE && !r->reason[i].passed)
      order[n++] = &r->reason[i];
  return n;
}

/* length of the first sentence, or of its first part where a semicolon ends it */
static size_t first_sentence(const char *text) {
  for (const char *c = text; *c; c++)
    if ((*c == '.' || *c == ';') && c[1] == ' ') return (size_t)(c - text);
  const size_t n = strlen(text);
  return n > 0 && text[n - 1] == '.' ? n - 1 : n;
}

#define FIRST_REASONS 3

/* the first sentences of what decides */
static void put_first_reasons(report *r, const rbv_reason *const *order, int n) {
  rbv_page_html(r, "<ul>\n");
  for (int i = 0; i < n && i < FIRST_REASONS; i++) {
    const rbv_reason *reason = order[i];
    char *line = rbv_strndup(reason->text, first_sentence(reason->text));
    if (!line) r->html.failed = true;
    const bool note = reason->level == RBV_VERDICT_USABLE && !reason->passed;
    rbv_text_print(&r->html, "<li class=\"first %s\"><span class=\"mark\">%s</span><span>",
                   note ? "note" : level_class[reason->level],
                   note ? "i" : level_mark[reason->level]);
    if (line) rbv_page_print(r, "%s.</span></li>\n", line);
    rbv_free(line);
  }
  rbv_page_html(r, "</ul>\n");
}

void rbv_page_verdict(report *r) {
  static const char *const word[] = {"Usable", "Use with care", "Do not use"};
  const rbv_verdict v = worst(r);
  const rbv_reason **order = rbv_alloc((size_t)(r->nreason + 1) * sizeof *order);
  if (!order) {
    r->html.failed = true;
    return;
  }
  const int n = order_reasons(order, r);
  rbv_text_print(&r->html,
                 "<section id=\"verdict\" class=\"verdict %s\">\n<h2><span class=\"mark\">%s</span>"
                 "%s</h2>\n",
                 level_class[v], level_mark[v], r->word ? r->word : word[v]);
  put_first_reasons(r, order, n);
  if (n > 0)
    rbv_text_print(&r->html, "<details><summary>%d check%s in full</summary>\n<ul>\n", n,
                   n == 1 ? "" : "s");
  for (int i = 0; i < n; i++) {
    const bool note = order[i]->level == RBV_VERDICT_USABLE && !order[i]->passed;
    put_reason(r, order[i], note ? "note" : level_class[order[i]->level],
               note ? "i" : level_mark[order[i]->level],
               note ? "information" : rbv_verdict_name(order[i]->level));
  }
  rbv_page_html(r, n > 0 ? "</ul></details>\n</section>\n" : "</section>\n");
  rbv_free(order);
}

void rbv_page_figure_downloads(report *r) {
  rbv_page_open(r, "downloads", "Downloads");
  rbv_page_html(r,
                "<p class=\"buttons\"><button type=\"button\" class=\"button\" data-save-all>All "
                "figures (SVG)</button></p>\n");
  rbv_page_close(r);
}

/* ---- head and foot ---- */

void rbv_page_head(report *r, const char *robot, const char *kind) {
  rbv_page_print(r,
                 "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                 "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                 "'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:\">\n<meta "
                 "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                 "name=\"color-scheme\" content=\"light dark\">\n<title>%s – %s</title>\n<style>\n",
                 robot, kind);
  const char *light = rbv_report_asset("light.css"), *dark = rbv_report_asset("dark.css");
  rbv_text_print(&r->html,
                 ":root{%s}\n@media screen and (prefers-color-scheme: dark)"
                 "{:root:not([data-theme=light]){%s}}\n"
                 "@media screen{:root[data-theme=dark]{%s}}\n",
                 light, dark, dark);
  rbv_page_html(r, rbv_report_asset("report.css"));
  rbv_page_html(r, "</style>\n<style id=\"figure-style\">\n");
  rbv_page_html(r, rbv_report_asset("figure.css"));
  rbv_page_print(r,
                 "</style>\n</head>\n<body>\n<header>\n<div><p "
                 "class=\"kind\">%s</p>\n<h1>%s</h1>\n<p class=\"sub\">",
                 kind, robot);
}

void rbv_page_contents(report *r, const page_link *link, int n) {
  rbv_page_html(
      r,
      "</p></div>\n<button type=\"button\" id=\"theme\" class=\"button\">Light or dark</button>\n"
      "</header>\n<nav><ul>\n");
  for (int i = 0; i < n; i++)
    rbv_text_print(&r->html, "<li><a href=\"#%s\">%s</a></li>\n", link[i].id, link[i].name);
  rbv_page_html(r, "</ul></nav>\n<main>\n");
}

static void put_script(report *r, const char *asset) {
  rbv_text_print(&r->html, "<script>\n%s</script>\n", rbv_report_asset(asset));
}

void rbv_page_end(report *r, bool scene) {
  const bool moves = scene && rbv_report_interactive();
  rbv_text_print(&r->html, "</main>\n<footer><p>Written by roberval %s.</p>\n", rbv_version());
  if (moves) {
    rbv_page_html(
        r, "<details><summary>This page carries three.js under the MIT licence</summary><pre>");
    put_lines(r, rbv_report_asset("licences.txt"));
    rbv_page_html(r, "</pre></details>\n");
  }
  rbv_page_html(r, "</footer>\n");
  put_script(r, "page.js");
  put_script(r, "zoom.js");
  if (scene) {
    rbv_page_html(r, "<script type=\"application/json\" id=\"scene\">");
    if (rbv_scene_data(&r->html, r) != RBV_OK) r->html.failed = true;
    rbv_page_html(r, "</script>\n");
    if (moves) put_script(r, "bundle.js");
  }
  rbv_page_html(r, "</body>\n</html>\n");
}

void rbv_page_framed(rbv_text *out, const page_frame *frame) {
  report r = {0};
  rbv_page_head(&r, frame->title, frame->kind);
  rbv_page_headline(&r, frame->headline);
  rbv_page_text(&r, frame->sub);
  rbv_page_contents(&r, frame->link, frame->nlink);
  frame->write(&r.html, frame->self);
  rbv_page_end(&r, false);
  *out = r.html;
}
