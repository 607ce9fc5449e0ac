/* roberval identify with methods that simulate the loop: messages, errors, results. */
#include <math.h>
#include <roberval/sys/control.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "strip_columns.h"
#include "support.h"
#include "tool.h"

/* four seconds of the TX40 in its loop at 1 kHz: log.csv and its controller pid.yaml */
static int record(void **state) {
  (void)state;
  save_tx40_waves(4000, 1000, "q");
  free(
      tool_text("simulate tx40 traj.csv -q -o log.csv --gamma 150 --encoder 65536 "
                "--bandwidth 12,12,16,24,24,40 --save-controller pid.yaml"));
  return 0;
}

/* torques and the reference are sufficient for didim; the result is the same as with positions */
static void test_didim_needs_no_positions(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "q");
  const char *how = "-d 20 --method didim --controller pid.yaml --skip 0.2";
  free(tool_text("identify tx40 log.csv %s -q -o with.json", how));
  outcome o = tool("identify tx40 bare.csv %s -v -o without.json", how);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "no positions: the motion is simulated"));
  outcome_free(&o);
  rbv_result *a = tool_result("with.json"), *b = tool_result("without.json");
  for (int k = 0; k < a->estimate.count; k++) {
    // the loop is exact: both converge to the same point from different starts
    const rbv_parameter *x = &a->estimate.item[k], *y = &b->estimate.item[k];
    assert_near(x->value, y->value, 1e-4, 1e-3);
  }
  rbv_result_free(a);
  rbv_result_free(b);
  tool_refuses(3, "sufficient for the method didim only (see --method)",
               "identify tx40 bare.csv --method iv --controller pid.yaml");
  tool_refuses(3, "sufficient for the method didim only (see --method)", "identify tx40 bare.csv");
}

/* the report exists, and `report` writes the same page from the result */
static char *page_of(const char *name) {
  char file[64], *pages[2];
  free(tool_text("report %s.json -o again.html -q", name));
  snprintf(file, sizeof file, "%s.html", name);
  pages[0] = read_text(temp_file(file, NULL), NULL);
  pages[1] = read_text(temp_file("again.html", NULL), NULL);
  assert_string_equal(pages[0], pages[1]);
  free(pages[1]);
  return pages[0];
}

static void test_report_without_positions(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "q");
  free(
      tool_text("identify tx40 bare.csv -d 20 --method didim --controller pid.yaml --skip 0.2 -q "
                "-o bare.json --report bare.html"));
  char *page = page_of("bare");
  assert_non_null(strstr(page, "data-rule=\"reference\""));
  assert_non_null(strstr(page, "No positions were recorded. didim simulated them"));
  assert_non_null(strstr(page, "id=\"figure-torque-fit-1\""));
  free(page);
}

/* Gautier 2011 section III.B: torques alone, no values in the robot file, the inertia that the
 * gains were tuned for from the gains, the transient from the slowest loop */
static void test_didim_without_values(void **state) {
  (void)state;
  strip_columns("bare.csv", "log.csv", "q");
  // the geometry of the robot without its values
  char *yaml = tool_text("export tx40 --format yaml"), *end = strstr(yaml, "\nparameters:");
  assert_non_null(end);
  end[1] = 0;
  temp_file("empty.yaml", yaml);
  free(yaml);
  const char *how = "-d 20 --method didim --controller pid.yaml --start regular";
  outcome o = tool("identify empty.yaml bare.csv --gamma 150 %s -v -o regular.json", how);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "the inertia of each joint follows from the gains"));
  assert_non_null(strstr(o.err, "the transient of the slowest loop (see --skip)"));
  outcome_free(&o);
  free(tool_text("identify tx40 bare.csv %s -q -o known.json", how));
  rbv_result *a = tool_result("regular.json"), *b = tool_result("known.json");
  assert_int_equal(a->estimate.count, b->estimate.count);
  for (int k = 0; k < a->estimate.count; k++)
    assert_near(a->estimate.item[k].value, b->estimate.item[k].value, 1e-3, 1e-2);
  rbv_result_free(a);
  rbv_result_free(b);
  tool_refuses(2, "inertia needs start regular",
               "identify tx40 log.csv --method didim --controller pid.yaml --inertia 1,1,1,1,1,1");
  tool_refuses(2, "inertia needs 6 numbers", "identify tx40 bare.csv %s --inertia 1,1", how);
}

static int count_of(const rbv_result *r, rbv_parameter_status status) {
  int count = 0;
  for (int k = 0; k < r->estimate.count; k++) count += r->estimate.item[k].status == status;
  return count;
}

static const rbv_parameter *parameter(const rbv_result *r, const char *name) {
  for (int k = 0; k < r->estimate.count; k++)
    if (strcmp(r->estimate.item[k].name, name) == 0) return &r->estimate.item[k];
  return NULL;
}

/* wls selects, iv estimates what is left; the same from a list of the names, or from a result */
static void test_iv_of_essential_parameters(void **state) {
  (void)state;
  const char *how = "-d 20 --skip 0.2 --controller pid.yaml";
  free(tool_text("identify tx40 log.csv %s --essential -q -o wls.json", how));
  outcome o = tool("identify tx40 log.csv %s --method iv --essential -v -o iv.json", how);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, " parameters left out"));
  assert_non_null(strstr(o.err, "torques are not normal (Kolmogorov-Smirnov"));
  outcome_free(&o);
  rbv_result *wls = tool_result("wls.json"), *iv = tool_result("iv.json");
  const int dropped = count_of(wls, RBV_STATUS_NOT_ESSENTIAL);
  assert_true(dropped > 20);
  assert_int_equal(iv->estimate.count, wls->estimate.count - dropped);
  for (int k = 0; k < wls->estimate.count; k++) {
    const rbv_parameter *p = &wls->estimate.item[k];
    assert_true((parameter(iv, p->name) == NULL) == (p->status == RBV_STATUS_NOT_ESSENTIAL));
  }
  // the survivors of a file are the same columns. The start differs (wls of all columns, or of
  // these), and the loop stops when no parameter moves by more than a tenth of its sigma.
  free(tool_text("identify tx40 log.csv %s --method iv --only wls.json -q -o only.json", how));
  rbv_result *only = tool_result("only.json");
  assert_int_equal(only->estimate.count, iv->estimate.count);
  for (int k = 0; k < iv->estimate.count; k++)
    assert_near(only->estimate.item[k].value, iv->estimate.item[k].value,
                0.1 * iv->estimate.item[k].sigma, 0);
  rbv_result_free(wls);
  rbv_result_free(iv);
  rbv_result_free(only);

  free(tool_text("identify tx40 log.csv -d 20 --only 'ZZ1R, MX2R,Ia3,Fv1' -q -o list.json"));
  rbv_result *list = tool_result("list.json");
  assert_int_equal(list->estimate.count, 4);
  assert_non_null(parameter(list, "MX2R"));
  rbv_result_free(list);
  tool_refuses(3, "has no parameter 'Fv9'", "identify tx40 log.csv --only ZZ1R,Fv9");
  tool_refuses(2, "M2 is no base parameter", "identify tx40 log.csv --only ZZ1R,M2");
  tool_refuses(2, "only needs names with commas", "identify tx40 log.csv --only 'ZZ1R;M2'");
  tool_refuses(3, "absent.json", "identify tx40 log.csv --only absent.json");
  tool_refuses(2, "consistent and only", "identify tx40 log.csv --only ZZ1R --consistent");
}

/* joints that stick near standstill: auto chooses slide, and the report has the reason */
static void test_report_of_auto(void **state) {
  (void)state;
  free(
      tool_text("identify tx40 log.csv -d 20 --method auto --controller pid.yaml --skip 0.2 "
                "--stribeck 0.1 -q -o auto.json --report auto.html"));
  rbv_result *r = tool_result("auto.json");
  char *page = page_of("auto");
  assert_non_null(strstr(page, "data-rule=\"choice\""));
  char so[64];
  snprintf(so, sizeof so, "; chosen method: %s.", r->method);
  assert_non_null(strstr(page, so));
  free(page);
  rbv_result_free(r);
  free(
      tool_text("identify tx40 log.csv -d 20 --method slide --controller pid.yaml --skip 0.2 -q "
                "-o slide.json --report slide.html"));
  page = page_of("slide");
  assert_null(strstr(page, "data-rule=\"choice\""));
  free(page);
}

static void test_piv_reports_its_noise(void **state) {
  (void)state;
  outcome o = tool(
      "identify tx40 log.csv -d 20 --method piv --controller pid.yaml --skip 0.2 "
      "-v -o piv.json");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "noise AR("));
  assert_null(strstr(o.err, "\r"));  // no terminal, no progress
  outcome_free(&o);
  rbv_result *r = tool_result("piv.json");
  assert_true(r->iterations >= 3);
  assert_true(isnan(r->iteration[0].change));
  assert_true(r->iteration[r->iterations - 1].change <= 0.1);
  // also the offsets, although the controllers have integral action
  for (int k = 0; k < r->estimate.count; k++)
    assert_int_not_equal(r->estimate.item[k].status, RBV_STATUS_MEAN_RESIDUAL);
  // derivatives of the method, recorded
  assert_string_equal(r->input[0].differentiation, "irw");
  bool recorded = false;
  for (int i = 0; i < r->nsetting; i++)
    recorded = recorded || (strcmp(r->setting[i].key, "differentiate") == 0 &&
                            strcmp(r->setting[i].text, "irw") == 0);
  assert_true(recorded);
  for (int i = 0; i < r->fit.nrow; i++) {
    assert_true(r->fit.row[i].noise_order > 0 && r->fit.row[i].noise_variance > 0);
    assert_near(r->fit.row[i].durbin_watson, 2, 0.1, 0);
  }
  rbv_result_free(r);
}

static void test_printed_rule_and_scaling(void **state) {
  (void)state;
  free(
      tool_text("identify tx40 log.csv -d 20 --method didim --controller pid.yaml --start regular "
                "--scaling always --stop printed -q -o printed.json"));
  rbv_result *r = tool_result("printed.json");
  assert_int_equal(r->iterations, 2);
  rbv_result_free(r);
  tool_refuses(2, "--stop cannot be 'soon' (choose from rest, printed)",
               "identify tx40 log.csv --method didim --controller pid.yaml --stop soon");
  tool_refuses(2, "--scaling cannot be 'never' (choose from start, always)",
               "identify tx40 log.csv --method didim --controller pid.yaml --scaling never");
}

/* messages that say what to do */
static void test_refusals(void **state) {
  (void)state;
  strip_columns("blind.csv", "log.csv", "qr");
  tool_refuses(3, "without its reference: record it as qr1",
               "identify tx40 blind.csv --method iv --controller pid.yaml");
  tool_refuses(2, "give its controller (--controller)", "identify tx40 log.csv --method piv");
  tool_refuses(2, "a prior needs least squares",
               "identify tx40 log.csv --method iv --controller pid.yaml --prior robot");

  // a zero outside the unit circle
  char text[1024] = "rate_hz: 1000\njoints:\n";
  for (int j = 0; j < 6; j++) strcat(text, "  - {kind: transfer, num: [100, -150], den: [1]}\n");
  temp_file("zero.yaml", text);
  tool_refuses(3, "use a method without prefilter (iv)",
               "identify tx40 log.csv --method piv --controller zero.yaml");

  // a loop that diverges
  strcpy(text, "rate_hz: 1000\njoints:\n");
  for (int j = 0; j < 6; j++) strcat(text, "  - {kind: pid, k_p: -3000}\n");
  temp_file("away.yaml", text);
  tool_refuses(3, "does not follow its reference",
               "identify tx40 log.csv --method iv --controller away.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_didim_needs_no_positions),
      cmocka_unit_test(test_report_without_positions),
      cmocka_unit_test(test_didim_without_values),
      cmocka_unit_test(test_iv_of_essential_parameters),
      cmocka_unit_test(test_report_of_auto),
      cmocka_unit_test(test_piv_reports_its_noise),
      cmocka_unit_test(test_printed_rule_and_scaling),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, record, NULL);
}
