/* The page as a document: sections, escaping, size, valid SVG, reproducible bytes. */
#include <stdio.h>

#include "cases.h"
#include "document/document.h"

static const char *const sections[] = {"verdict",
                                       "provenance",
                                       "arm",
                                       "fit",
                                       "validation",
                                       "errors",
                                       "residuals",
                                       "histogram",
                                       "residuals-in-time",
                                       "autocorrelation",
                                       "velocity",
                                       "parameters",
                                       "correlation",
                                       "friction",
                                       "consistency",
                                       "iterations",
                                       "differentiator",
                                       "downloads",
                                       "findings",
                                       "gain",
                                       "split",
                                       "spectrum",
                                       "coverage",
                                       "links"};

static void assert_sections(const rbv_report *page) {
  char id[64];
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    snprintf(id, sizeof id, " id=\"%s\"", sections[i]);
    if (!strstr(page->html, id)) fail_msg("no section %s", sections[i]);
  }
}

/* nothing that a browser would load from a network */
static void assert_self_contained(const rbv_report *page) {
  static const char *const forbidden[] = {"src=\"http", "href=\"http", "src=\"//",
                                          "href=\"//",  "url(http",    "@import",
                                          "<link",      "<iframe",     "<script src"};
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
    if (strstr(page->html, forbidden[i])) fail_msg("the page has %s", forbidden[i]);
  assert_non_null(strstr(page->html, "default-src 'none'"));
}

static void test_structure(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  assert_int_equal(strlen(page->html), page->size);
  assert_sections(page);
  assert_self_contained(page);
  // the verdict is the first thing in the page
  const char *first = strstr(page->html, "<section id=");
  assert_int_equal(strncmp(first, "<section id=\"verdict\"", 21), 0);
  // two joints: torques, parts and residuals over time of fit, torques of validation; histogram,
  // autocorrelation, velocity, spectrum, friction, two kinds of coverage; before and after, links,
  // predicted motion, the torque of the first screen and six others
  assert_int_equal(page->nfigure, 4 * 2 + 7 * 2 + 3 + 1 + 6);
  assert_non_null(strstr(page->html, "download=\"parameters.csv\""));
  assert_non_null(strstr(page->html, "download=\"result.json\""));
  rbv_report_free(page);
  case_free(&c);
}

static int count_of(const char *html, const char *what) {
  int n = 0;
  for (const char *at = html; (at = strstr(at, what)); at++) n++;
  return n;
}

/* the first screen: at most three reasons, numbers, arm and one torque with the robot file's line;
 * all other sections are folded */
static void test_first_screen(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  const char *fold = strstr(page->html, "class=\"fold\"");
  assert_non_null(fold);
  int figures = 0;
  for (const char *at = page->html; (at = strstr(at, "<figure id=")) && at < fold; at++) figures++;
  assert_int_equal(figures, 2);
  const int reasons = count_of(page->html, "<li class=\"first ");
  assert_in_range(reasons, 1, 3);
  assert_int_equal(count_of(page->html, "<details>"), count_of(page->html, "</details>"));
  const char *torque = strstr(page->html, "id=\"figure-first-first-");
  assert_true(torque && torque < fold);
  static const char *const line[] = {"measured", "robot file", "identified"};
  for (int i = 0; i < 3; i++) {
    char name[48];
    snprintf(name, sizeof name, "data-name=\"%s\"", line[i]);
    const char *at = strstr(torque, name);
    if (!at || at > strstr(torque, "</figure>")) fail_msg("no line %s", line[i]);
  }
  rbv_report_free(page);
  case_free(&c);
}

/* names from files are escaped in the page and in figures */
static void test_escaping(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  assert_null(strstr(page->html, "<script>alert"));
  assert_null(strstr(page->html, "</script> &"));
  assert_non_null(strstr(page->html,
                         "<h1>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; "
                         "&quot;quoted&quot;</h1>"));
  rbv_report_free(page);
  case_free(&c);
}

/* bodies of the robot file: YY1 = ZZ1 = 0.3, XX1 = 0.1 about the joint, MX1 = 0.5, M1 = 2, so the
 * centre is at 250 mm and the inertia about it 0.3 - 0.5^2 / 2 */
static void test_link_table(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  const char *links = strstr(page->html, "<section id=\"links\"");
  assert_non_null(links);
  assert_non_null(strstr(links, "<td class=\"n\">2</td><td class=\"n\">–</td>"));
  assert_non_null(strstr(links, "250, 0, 0"));
  assert_non_null(strstr(links, "0.1, 0.175, 0.175"));
  // base parameters alone: the page says why there is no identified link
  assert_non_null(strstr(links, "Base parameters do not determine single links"));
  assert_null(strstr(links, "The robot file gives no masses"));
  rbv_report_free(page);
  case_free(&c);
}

/* a tick for what passed; information has none */
static void test_ticks(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  int passed = 0, notes = 0;
  for (int i = 0; i < page->nreason; i++) {
    const rbv_reason *reason = &page->reason[i];
    if (reason->level != RBV_VERDICT_USABLE) continue;
    passed += reason->passed;
    notes += !reason->passed;
    // one motion, and consistency that was not checked
    const bool information =
        strcmp(reason->rule, "motions") == 0 || strcmp(reason->rule, "consistency") == 0;
    if (information) assert_false(reason->passed);
  }
  assert_true(notes >= 2);
  assert_int_equal(count_of(page->html, "<li class=\"good\""), passed);
  assert_int_equal(count_of(page->html, "<li class=\"note\""), notes);
  rbv_report_free(page);
  case_free(&c);
}

/* every axis label ends with its unit, "torque [N m]", or is the word for names or for numbers that
 * have no unit */
static void assert_axes(const rbv_figure *f, const rbv_element *svg) {
  int axes = 0;
  for (const rbv_element *e = rbv_element_child(svg, "text"); e; e = rbv_element_next(e, "text"))
    axes += rbv_element_attribute(e, "data-axis") != NULL;
  if (axes < 2) fail_msg("%s has %d axes", f->name, axes);
  const char *at = f->text;
  while ((at = strstr(at, "data-axis="))) {
    const char *end = strstr(at, "</text>");
    assert_non_null(end);
    static const char *const plain[] = {
        "joint",          "parameter", "iteration",       "number of the singular value",
        "singular value", "margin",    "autocorrelation", "relative residual",
        "correlation"};
    const char *from = strchr(at, '>') + 1;
    bool known = end[-1] == ']';
    for (int i = 0; i < (int)(sizeof plain / sizeof *plain); i++)
      known = known || ((size_t)(end - from) == strlen(plain[i]) &&
                        strncmp(from, plain[i], strlen(plain[i])) == 0);
    if (!known) fail_msg("%s: the axis '%.*s' has no unit", f->name, (int)(end - from), from);
    at = end;
  }
}

static void test_figures_are_documents(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page = case_report(&c);
  for (int i = 0; i < page->nfigure; i++) {
    const rbv_figure *f = &page->figure[i];
    rbv_xml *xml;
    assert_ok(rbv_xml_parse(&xml, f->name, f->text, f->size));
    assert_string_equal(rbv_element_tag(rbv_xml_root(xml)), "svg");
    assert_non_null(rbv_element_child(rbv_xml_root(xml), "title"));
    assert_axes(f, rbv_xml_root(xml));
    assert_null(strstr(f->text, "nan"));
    assert_null(strstr(f->text, "inf"));
    rbv_xml_free(xml);
    for (int k = 0; k < i; k++) assert_string_not_equal(f->name, page->figure[k].name);
  }
  rbv_report_free(page);
  case_free(&c);
}

static void test_same_bytes_twice(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *a = case_report(&c);
  comma_locale_begin();
  rbv_report *b = case_report(&c);
  comma_locale_end();
  assert_int_equal(a->size, b->size);
  assert_memory_equal(a->html, b->html, a->size);
  for (int i = 0; i < a->nfigure; i++) assert_string_equal(a->figure[i].text, b->figure[i].text);
  rbv_report_free(a);
  rbv_report_free(b);
  case_free(&c);
}

/* one figure for the residual and one for the change of the parameters */
static void test_iterations(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  // the first iteration has no change
  rbv_iteration rounds[] = {{.residual = 0.3, .change = NAN}, {.residual = 0.2, .change = 0.1}};
  c.result.iterations = 2;
  c.result.iteration = rounds;
  rbv_report *page = case_report(&c);
  int found = 0;
  for (int i = 0; i < page->nfigure; i++)
    found += strncmp(page->figure[i].name, "iterations-", 11) == 0;
  assert_int_equal(found, 2);
  assert_non_null(strstr(page->html, "Largest change of a parameter over the iterations"));
  assert_non_null(strstr(page->html, "relative residual"));
  rbv_report_free(page);
  case_free(&c);
}

/* a result and its copy from JSON give the same page */
static void test_result_from_its_file(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  // numbers that JSON cannot store
  c.result.estimate.item[0].sigma = INFINITY;
  c.result.fit.row[0].durbin_watson = -NAN;
  c.result.fit.row[1].ks_p = INFINITY;
  c.result.validation.row[1].relative_error = INFINITY;
  c.setting[2].number = -NAN;
  c.result.version = "0.0.1";
  rbv_report *direct = case_report(&c);
  char *json;
  size_t size;
  assert_ok(rbv_result_write(&json, &size, &c.result));
  rbv_result *loaded;
  assert_ok(rbv_result_parse(&loaded, "result.json", json, size));
  const rbv_result kept = c.result;
  c.result = *loaded;
  rbv_report *again = case_report(&c);
  assert_string_equal(direct->html, again->html);
  assert_non_null(strstr(again->html, "<dd>roberval 0.0.1</dd>"));
  c.result = kept;
  rbv_result_free(loaded);
  rbv_text_release(json);
  rbv_report_free(direct);
  rbv_report_free(again);
  case_free(&c);
}

/* bytes of a path that are not UTF-8 are replaced */
static void test_path_that_is_not_utf8(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  c.input[0].path = "caf\xc3\xa9 \xe9\xff.csv";
  c.result.robot_file = (rbv_input){0};
  rbv_report *page = case_report(&c);
  assert_non_null(strstr(page->html, "caf\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd.csv"));
  rbv_report_free(page);
  case_free(&c);
}

/* ten minutes of six joints at 200 Hz, as fit and as validation */
static void test_size(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 3, 120000, 200, false);
  waves_add_white(&w, 4, 0.05);
  rbv_motion *motion = waves_motion(&w);
  waves_free(&w);
  rbv_identify_options o = rbv_identify_defaults();
  o.filter = (rbv_row_filter){.decimate = 1};
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &o));
  rbv_result result = {0};
  assert_ok(rbv_estimate_report(&result, e, m));
  result.robot_file = (rbv_input){.path = "tx40", .sha256 = ""};
  rbv_report_input in = {.result = &result,
                         .model = m,
                         .nfit = 1,
                         .fit = &motion,
                         .nvalidation = 1,
                         .validation = &motion,
                         .filter = o.filter};
  rbv_report *page;
  assert_ok(rbv_report_new(&page, &in));
  if (page->size >= 1500000) fail_msg("the page has %zu bytes", page->size);
  rbv_report_free(page);
  rbv_estimate_unreport(&result);
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  rbv_model_free(m);
}

static rbv_status make_once(void *state) {
  rbv_report *page;
  const rbv_status status = case_try(&page, state);
  rbv_report_free(page);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  report_case c;
  static const char pendulum[] =
      "name: p\njoints:\n  - {name: j, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}}\n"
      "parameters: {ZZ1: 1, MX1: 1, Fv1: 1, Fc1: 1}\n";
  case_new_of(&c, pendulum);
  c.extra.prior = rbv_model_parameters(c.model);
  fail_each_allocation(make_once, &c);
  case_free(&c);
}

static void test_refusals(void **state) {
  (void)state;
  report_case c;
  case_new(&c);
  rbv_report *page;
  rbv_report_input in = {.result = NULL, .model = c.model};
  assert_refused(rbv_report_new(&page, &in), RBV_EARG, "a result");
  assert_null(page);
  in = (rbv_report_input){.result = &c.result};
  assert_refused(rbv_report_new(&page, &in), RBV_EARG, "its robot");
  assert_refused(rbv_report_new(&page, NULL), RBV_EARG, "a result");
  assert_refused(rbv_report_verdict(&page, NULL), RBV_EARG, "a result");
  assert_refused(rbv_report_design(&page, NULL), RBV_EARG, "a motion");
  // a result of another robot
  rbv_model *other = load_robot("tx40", -1, false);
  in = (rbv_report_input){.result = &c.result, .model = other};
  assert_refused(rbv_report_new(&page, &in), RBV_EDIM, "2 joints and 2 torques");
  rbv_model_free(other);
  case_free(&c);
}

/* the friction curve shows the bend of the Stribeck law */
static void test_stribeck(void **state) {
  (void)state;
  static const char text[] =
      "name: arm\n"
      "friction: {stribeck: 0.1}\n"
      "joints:\n"
      "  - {name: a, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}}\n"
      "  - {name: b, mdh: {alpha: 0, d: 0.5, theta: 0, r: 0}}\n"
      "parameters: {XX1: 0.1, YY1: 0.3, ZZ1: 0.3, MX1: 0.5, M1: 2, XX2: 0.05, YY2: 0.1, ZZ2: 0.1,\n"
      "             MX2: 0.2, M2: 1, Ia1: 0.1, Ia2: 0.05, Fv1: 0.1, Fc1: 0.7, Fs1: 3, Fc2: 0.5}\n";
  report_case c;
  case_new_of(&c, text);
  rbv_report *page = case_report(&c);
  const char *svg = NULL;
  for (int i = 0; i < page->nfigure; i++)
    if (strcmp(page->figure[i].name, "friction-1.svg") == 0) svg = page->figure[i].text;
  assert_non_null(svg);
  const char *at = strstr(svg, "<path class=\"line c2\" d=\"");
  assert_non_null(at);
  at += strlen("<path class=\"line c2\" d=\"");
  double x[200], y[200];
  int n = 0;
  // the first point, then steps from point to point; "l" is left out where a point separates
  while (n < 200 && *at != '"') {
    char *end;
    x[n] = strtod(at + strspn(at, "Ml"), &end);
    y[n] = strtod(end, &end);
    if (n > 0) x[n] += x[n - 1], y[n] += y[n - 1];
    at = end, n++;
  }
  assert_true(n > 100);
  // y grows downwards in SVG: the largest friction is just right of zero, not at the end
  int top = 0, bend = 0;
  for (int k = 0; k < n; k++)
    if (y[k] < y[top]) top = k;
  assert_near(x[top], (x[0] + x[n - 1]) / 2, 0.02 * (x[n - 1] - x[0]), 0);
  const double bottom = y[n - 1];
  for (int k = top; k < n; k++)
    bend += y[k] > y[top] + 0.05 * (bottom - y[top]) && y[k] < bottom - 0.05 * (bottom - y[top]);
  assert_true(bend >= 5);
  rbv_report_free(page);
  case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_structure),
      cmocka_unit_test(test_first_screen),
      cmocka_unit_test(test_link_table),
      cmocka_unit_test(test_ticks),
      cmocka_unit_test(test_stribeck),
      cmocka_unit_test(test_escaping),
      cmocka_unit_test(test_figures_are_documents),
      cmocka_unit_test(test_same_bytes_twice),
      cmocka_unit_test(test_iterations),
      cmocka_unit_test(test_result_from_its_file),
      cmocka_unit_test(test_path_that_is_not_utf8),
      cmocka_unit_test(test_size),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
