/* Pages of several results: a comparison, and a fleet over months. */
#include <stdio.h>

#include "cases.h"
#include "compare/compare.h"
#include "document/document.h"
#include "roberval/sys/compare.h"

#define RUNS 3
#define ROBOTS 6
#define MONTHS 8

/* results that differ from that of the case by the given number of sigmas in every parameter */
typedef struct {
  report_case base;
  rbv_result result[ROBOTS * MONTHS];
  rbv_parameter *item[ROBOTS * MONTHS];
  const rbv_result *list[ROBOTS * MONTHS];
} several;

static void several_new(several *s, int count) {
  case_new(&s->base);
  const rbv_parameters *e = &s->base.result.estimate;
  for (int i = 0; i < count; i++) {
    s->result[i] = s->base.result;
    s->item[i] = malloc((size_t)e->count * sizeof *s->item[i]);
    for (int k = 0; k < e->count; k++) {
      s->item[i][k] = e->item[k];
      s->item[i][k].sigma = 0.01 * (1 + k);
      s->item[i][k].value += s->item[i][k].sigma * rbv_random_normal(4, (uint64_t)i, (uint64_t)k);
    }
    s->result[i].estimate.item = s->item[i];
    s->list[i] = &s->result[i];
  }
}

static void several_free(several *s, int count) {
  for (int i = 0; i < count; i++) free(s->item[i]);
  case_free(&s->base);
}

static void assert_sections(const rbv_report *page, const char *const *id) {
  for (; *id; id++) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "<section id=\"%s\"", *id);
    if (!strstr(page->html, wanted)) fail_msg("no section %s", *id);
  }
  assert_int_equal(strlen(page->html), page->size);
  // names come from files
  assert_null(strstr(page->html, "<script>alert"));
  assert_non_null(strstr(page->html, "&lt;script&gt;alert"));
  for (int i = 0; i < page->nfigure; i++) {
    rbv_xml *xml;
    assert_ok(
        rbv_xml_parse(&xml, page->figure[i].name, page->figure[i].text, page->figure[i].size));
    assert_null(strstr(page->figure[i].text, "nan"));
    rbv_xml_free(xml);
  }
}

static void test_comparison(void **state) {
  (void)state;
  static const char *const name[RUNS] = {"results/wls.json", "other/wls.json",
                                         "<script>alert('x')</script>.json"};
  static const char *const sections[] = {"overview", "errors",    "cross", "parameters",
                                         "options",  "downloads", NULL};
  several s;
  several_new(&s, RUNS);
  // the first parameter of the third result is 8 sigmas away: no outlier in the mean of all
  s.item[2][0].value += 8 * s.item[2][0].sigma;
  rbv_setting other[1] = {{.key = "decimate", .number = 7}};
  s.result[1].setting = other;
  s.result[1].nsetting = 1;
  rbv_comparison *c;
  assert_ok(rbv_compare_results(&c, s.list, RUNS));
  const double cross[RUNS * RUNS] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.0678, 0.07, 0.08, NAN},
                            others[RUNS] = {0.01, 0.02, 0.03};
  const rbv_compare_page in = {RUNS, name, s.list, c, cross, others, 0};
  rbv_report *page;
  assert_ok(rbv_report_compare(&page, &in));
  assert_sections(page, sections);
  assert_int_equal(page->nfigure, 2);
  // results of the same file name have a number
  assert_non_null(strstr(page->html, "<th scope=\"row\">wls</th>"));
  assert_non_null(strstr(page->html, "<th scope=\"row\">wls (2)</th>"));
  assert_non_null(strstr(page->html, "wls predicts the others’ recordings best."));
  assert_non_null(strstr(page->html, "6.78 %"));
  assert_non_null(strstr(page->html, "disagree</strong>"));
  // the option that differs, with both values
  assert_non_null(strstr(page->html, "<th scope=\"row\">decimate</th><td>1</td><td>7</td>"));
  rbv_report_free(page);
  // without recordings there is no section of them
  const rbv_compare_page bare = {RUNS, name, s.list, c, NULL, NULL, -1};
  assert_ok(rbv_report_compare(&page, &bare));
  assert_null(strstr(page->html, "id=\"cross\""));
  assert_null(strstr(page->html, "#cross"));
  rbv_report_free(page);
  assert_refused(rbv_report_compare(&page, &(rbv_compare_page){.count = 1}), RBV_EARG,
                 "two or more results");
  rbv_comparison_free(c);
  several_free(&s, RUNS);
}

static void test_fleet(void **state) {
  (void)state;
  static const char *const robot[ROBOTS] = {"arm1", "arm2", "<script>alert('x')</script>",
                                            "arm4", "arm5", "arm6"};
  static const char *const month[MONTHS] = {"2026-01", "2026-02", "2026-03", "2026-04",
                                            "2026-05", "2026-06", "2026-07", "2026-08"};
  static const char *const sections[] = {"attention", "maps",      "trends",
                                         "common",    "downloads", NULL};
  several s;
  several_new(&s, ROBOTS * MONTHS);
  // the third robot changes by 60 sigma in June
  for (int t = 5; t < MONTHS; t++)
    s.item[2 + t * ROBOTS][1].value += 60 * s.item[2 + t * ROBOTS][1].sigma;
  rbv_history *h;
  assert_ok(rbv_compare_history(&h, s.list, ROBOTS, MONTHS, 0.01));
  const rbv_fleet_page in = {.type = "arm",
                             .robot = robot,
                             .period = month,
                             .history = h,
                             .alarm = 0.01,
                             .nresult = ROBOTS * MONTHS};
  rbv_report *page;
  assert_ok(rbv_report_fleet(&page, &in));
  assert_sections(page, sections);
  assert_int_equal(page->nfigure, 3);  // two maps, one trend
  assert_non_null(strstr(page->html, "1 of 6 robots needs attention."));
  assert_non_null(strstr(page->html,
                         "<li><strong>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</strong>, "
                         "marked from 2026-06 on: "));
  rbv_report_free(page);
  rbv_history_free(h);
  // no robot changed
  for (int t = 5; t < MONTHS; t++)
    s.item[2 + t * ROBOTS][1].value -= 60 * s.item[2 + t * ROBOTS][1].sigma;
  assert_ok(rbv_compare_history(&h, s.list, ROBOTS, MONTHS, 0.01));
  const rbv_fleet_page quiet = {
      .type = "arm", .robot = robot, .period = month, .history = h, .alarm = 0.01};
  assert_ok(rbv_report_fleet(&page, &quiet));
  assert_int_equal(page->nfigure, 2);
  assert_non_null(strstr(page->html, "None of 6 robots needs attention."));
  rbv_report_free(page);
  rbv_history_free(h);
  assert_refused(rbv_report_fleet(&page, &(rbv_fleet_page){0}), RBV_EARG, "needs a history");
  several_free(&s, ROBOTS * MONTHS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_comparison),
                                     cmocka_unit_test(test_fleet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
