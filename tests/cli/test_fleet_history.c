/* roberval fleet: a small fleet over some months, and folders that are refused. */
#include <roberval/sys/model.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "document/document.h"
#include "fleet_months.h"
#include "motions.h"
#include "support.h"
#include "tool.h"

static void test_small_fleet(void **state) {
  (void)state;
  const fleet_months o = {.robots = 8,
                          .months = 6,
                          .seed = 3,
                          .worn = 2,
                          .wears_from = 3,
                          .growth = 0.15,
                          .loaded = 5,
                          .loaded_from = 4,
                          .mass = 1.5,
                          .season = 0.1};
  fleet_months_make(&o);
  fleet_months_check(&o);
  // text: the table, then exit code 1
  outcome text = tool("fleet history");
  assert_int_equal(text.code, 1);
  assert_non_null(strstr(text.out, "8 robots, 6 periods, 60 parameters: 2 need attention"));
  assert_non_null(strstr(text.out, "arm02"));
  outcome_free(&text);
  tool_refuses(2, "--alarm needs a probability", "fleet history --alarm 2");
}

/*
 * Wear that shows in the load friction of one gear: from the third month on it loses 3 % more of
 * its load every month. The robot file lists Fl, and the fleet marks it like any other parameter.
 */
static void test_wear_in_load_friction(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n"
      "  - {mdh: {}, drive: [Fv, Fc, Fl]}\n"
      "  - {mdh: {alpha: -pi/2}, drive: [Fv, Fc, Fl]}\n"
      "friction: {gamma: 20}\n"
      "parameters: {ZZ1: 1.2, XX2: 0.1, YY2: 0.6, ZZ2: 0.6, MX2: 2, M2: 6, Fv1: 2, Fv2: 3, Fc1: "
      "2,\n"
      "  Fc2: 3, Fl1: 0.1, Fl2: 0.1}\n";
  static const char fleet[] =
      "robot: gears.yaml\nrobots:\n  - {name: a1, logs: [a1.csv]}\n  - {name: a2, logs: [a2.csv]}\n"
      "  - {name: a3, logs: [a3.csv]}\n  - {name: a4, logs: [a4.csv]}\n"
      "  - {name: a5, logs: [a5.csv]}\n  - {name: a6, logs: [a6.csv]}\n";
  enum { ROBOTS = 6, MONTHS = 5, WORN = 4, FROM = 3 };
  temp_file("gears.yaml", text);
  temp_file("gears_fleet.yaml", fleet);
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "gears", text, sizeof text - 1, NULL));
  const int ncolumn = rbv_model_column_count(m), load = rbv_model_find(m, "Fl2");
  double chi[64];
  assert_true(ncolumn <= 64 && load >= 0);
  assert_int_equal(mkdir(temp_file("gears", NULL), 0700), 0);
  for (int month = 1; month <= MONTHS; month++) {
    char folder[32], name[32];
    for (int r = 1; r <= ROBOTS; r++) {
      for (int c = 0; c < ncolumn; c++)
        chi[c] = rbv_model_parameters(m)[c] *
                 (1 + 0.01 * rbv_random_normal(7, (uint64_t)r, (uint64_t)c));
      if (r == WORN && month >= FROM) chi[load] += 0.03 * (month - FROM + 1);
      waves w;
      snprintf(name, sizeof name, "a%d.csv", r);
      const uint64_t seed = (uint64_t)(100 * month + r);
      waves_new(&w, m, chi, seed, 3000, 200, false);
      waves_add_white(&w, seed, 0.1);
      waves_save(&w, temp_file(name, NULL), "q tau");
      waves_free(&w);
    }
    snprintf(folder, sizeof folder, "gears/2026-%02d", month);
    assert_int_equal(mkdir(temp_file(folder, NULL), 0700), 0);
    outcome done = tool("identify --fleet gears_fleet.yaml --unchecked -q -o %s", folder);
    assert_true(done.code == 0 || done.code == 1);
    outcome_free(&done);
  }
  rbv_model_free(m);
  outcome found = tool("fleet gears --json");
  assert_int_equal(found.code, 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", found.out, strlen(found.out)));
  const rbv_node *list = rbv_node_find(rbv_document_root(doc), "changes");
  bool seen = false;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *item = rbv_node_at(list, i);
    const char *robot = rbv_node_text(rbv_node_find(item, "robot"));
    const char *parameter = rbv_node_text(rbv_node_find(item, "parameter"));
    const char *since = rbv_node_text(rbv_node_find(item, "marked_from"));
    print_message("%s %s marked from %s\n", robot, parameter, since);
    assert_string_equal(robot, "a4");
    if (strcmp(parameter, "Fl2") == 0) seen = strcmp(since, "2026-03") >= 0;
  }
  assert_true(seen);
  rbv_document_free(doc);
  outcome_free(&found);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(3, "the folder 'nothing' cannot be read", "fleet nothing");
  assert_int_equal(mkdir(temp_file("single", NULL), 0700), 0);
  assert_int_equal(mkdir(temp_file("single/2026-01", NULL), 0700), 0);
  tool_refuses(3, "needs two or more folders, one per period", "fleet single");
  assert_int_equal(mkdir(temp_file("single/2026-02", NULL), 0700), 0);
  tool_refuses(3, "it has 2 folders and 0 robots", "fleet single");
  temp_file("single/2026-02/arm.json", "{}");
  tool_refuses(3, "single/2026-02/arm.json", "fleet single");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_fleet),
                                     cmocka_unit_test(test_wear_in_load_friction),
                                     cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
