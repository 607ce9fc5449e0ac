/* roberval identify --filter-scan: every number is that of a run of its own, and what it shows. */
#include <math.h>
#include <roberval/sys/document.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "result/result.h"
#include "strip_columns.h"
#include "support.h"
#include "tool.h"

#define CUTOFFS 5

/* a pendulum whose controller sees 3600 counts: four seconds at 1 kHz */
static int record(void **state) {
  (void)state;
  temp_file("arm.yaml",
            "name: pendulum\njoints:\n  - name: hinge\n"
            "    mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}\n"
            "    limits: {lower: -2, upper: 2, velocity: 3, acceleration: 30, effort: 20}\n"
            "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, "
            "Fv1: 0.1, Fc1: 0.3}\n");
  free(tool_text(
      "excite arm.yaml --period 4 --rate 1000 --harmonics 5 --starts 1 --budget 0 --blend "
      "0 --tool-speed 3 -q -o traj.csv"));
  free(
      tool_text("simulate arm.yaml traj.csv --rate 1000 --loop-encoder 3600 --disturbance 2%% "
                "--bandwidth 4 --save-controller pid.yaml -q -o log.csv"));
  temp_file("bare.yaml",
            "joints: [{mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, off]}]\n");
  strip_columns("blind.csv", "log.csv", "qr");
  return 0;
}

static const rbv_scan_run *run_of(const rbv_filter_scan *scan, const char *method, int i) {
  for (int k = 0; k < scan->nrun; k++)
    if (strcmp(scan->run[k].method, method) == 0 && i-- == 0) return &scan->run[k];
  fail_msg("the scan has no such run of %s", method);
  return NULL;
}

/* ---- the numbers ---- */

static void same_as_a_run(const rbv_filter_scan *scan, const rbv_scan_run *run) {
  free(
      tool_text("identify arm.yaml log.csv --controller pid.yaml --friction plain -m %s --cutoff "
                "%.17g --decimate %d --differentiate bandpass --unchecked -q -o one.json",
                run->method, run->cutoff_hz, run->decimate));
  rbv_result *one = tool_result("one.json");
  assert_string_equal(one->method, run->used);
  assert_true(one->converged == run->converged);
  assert_int_equal(one->iterations, run->iterations);
  assert_true(one->fit.relative_error == run->error);
  for (int p = 0; p < scan->nparameter; p++) {
    assert_string_equal(one->estimate.item[p].name, scan->parameter[p].name);
    // to the last bit
    assert_true(one->estimate.item[p].value == run->value[p]);
    assert_true(one->estimate.item[p].sigma == run->sigma[p]);
  }
  rbv_result_free(one);
}

static void test_every_number_is_that_of_a_run(void **state) {
  (void)state;
  free(
      tool_text("identify arm.yaml log.csv --controller pid.yaml -m wls --friction plain "
                "--decimate 40 --filter-scan ols,iv,piv -q -o scan.json"));
  rbv_result *r = tool_result("scan.json");
  const rbv_filter_scan *scan = &r->filter_scan;
  assert_string_equal(scan->against, "middle");
  assert_int_equal(scan->nmethod, 3);
  assert_int_equal(scan->nrun, 3 * CUTOFFS * 2);
  assert_int_equal(scan->nparameter, r->estimate.count);
  static const char *const method[] = {"ols", "iv", "piv"};
  for (int m = 0; m < 3; m++) {
    // with the decimation of the run and without, at the fourth cut-off
    same_as_a_run(scan, run_of(scan, method[m], 6));
    same_as_a_run(scan, run_of(scan, method[m], 7));
    assert_int_equal(run_of(scan, method[m], 6)->decimate, 40);
    assert_int_equal(run_of(scan, method[m], 7)->decimate, 1);
  }
  // cut-offs are shares of that of the run
  const double centre = r->input[0].cutoff_hz;
  const double factor[CUTOFFS] = {0.3, 0.5, 1, 2, 3};
  for (int i = 0; i < CUTOFFS; i++)
    assert_near(run_of(scan, "ols", 2 * i)->cutoff_hz, factor[i] * centre, 0, 1e-15);
  rbv_result_free(r);
}

/* median of n numbers, which are sorted in place */
static double middle(double *x, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && x[k] < x[k - 1]; k--) {
      const double y = x[k];
      x[k] = x[k - 1];
      x[k - 1] = y;
    }
  return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

/* the summary, again from the values of the runs */
static void test_summary(void **state) {
  (void)state;
  rbv_result *r = tool_result("scan.json");
  const rbv_filter_scan *scan = &r->filter_scan;
  for (int m = 0; m < scan->nmethod; m++) {
    const rbv_scan_method *s = &scan->method[m];
    double list[2 * CUTOFFS], most = 0;
    int n, stable = 0, runs = 0;
    for (int p = 0; p < scan->nparameter; p++) {
      bool stays = scan->parameter[p].compared;
      n = 0;
      for (int i = 0; i < 2 * CUTOFFS; i++)
        if (run_of(scan, s->method, i)->value) list[n++] = run_of(scan, s->method, i)->value[p];
      assert_near(s->reference[p], middle(list, n), 0, 1e-15);
      for (int i = 0; i < 2 * CUTOFFS; i++) {
        const rbv_scan_run *run = run_of(scan, s->method, i);
        if (run->value && fabs(run->value[p] - s->reference[p]) > 1.96 * run->sigma[p])
          stays = false;
      }
      stable += stays;
    }
    for (int i = 0; i < 2 * CUTOFFS; i++) {
      const rbv_scan_run *run = run_of(scan, s->method, i);
      if (!run->value) continue;
      n = 0;
      runs++;
      for (int p = 0; p < scan->nparameter; p++)
        if (scan->parameter[p].compared) list[n++] = fabs(run->value[p] / s->reference[p] - 1);
      assert_int_equal(n, scan->compared);
      assert_near(run->change, middle(list, n), 0, 1e-14);
      most = fmax(most, run->change);
    }
    assert_int_equal(s->stable, stable);
    assert_int_equal(s->runs, runs);
    assert_true(s->most_change == most);
  }
  rbv_result_free(r);
}

/* a run without an estimate says why, and the result is the same as without the scan */
static void test_failures_are_part_of_it(void **state) {
  (void)state;
  rbv_result *r = tool_result("scan.json");
  const rbv_scan_run *run = run_of(&r->filter_scan, "piv", 0);
  assert_non_null(run->reason);
  assert_null(run->value);
  assert_non_null(strstr(run->reason, "samples are too few for AR order"));
  free(
      tool_text("identify arm.yaml log.csv --controller pid.yaml -m wls --friction plain "
                "--decimate 40 -q -o plain.json"));
  rbv_result *without = tool_result("plain.json");
  assert_int_equal(without->filter_scan.nrun, 0);
  for (int k = 0; k < r->estimate.count; k++) {
    assert_true(r->estimate.item[k].value == without->estimate.item[k].value);
    assert_true(r->estimate.item[k].sigma == without->estimate.item[k].sigma);
  }
  rbv_result_free(without);
  rbv_result_free(r);
}

/* the run is repeated with its scan, and the page has it */
static void test_again_and_page(void **state) {
  (void)state;
  free(tool_text("identify --again scan.json -q -o again.json"));
  char *a = read_text(temp_file("scan.json", NULL), NULL);
  char *b = read_text(temp_file("again.json", NULL), NULL);
  assert_string_equal(a, b);
  free(a);
  free(b);
  free(tool_text("report scan.json -o scan.html --plots figures -q"));
  char *page = read_text(temp_file("scan.html", NULL), NULL);
  assert_non_null(strstr(page, "Filter scan: which answers stay"));
  assert_non_null(strstr(page, "<td>piv</td>"));
  free(page);
  free(read_text(temp_file("figures/filter-scan-decimated.svg", NULL), NULL));
  free(read_text(temp_file("figures/filter-scan-full-rate.svg", NULL), NULL));
}

/*
 * The claim: with a coarse encoder in the loop least squares at the full rate goes with the filter.
 * Noise of q'' grows with the cut-off to the power 2.5, so that three times the cut-off has 15
 * times the noise of the run; instruments do not see it. Factor 2 leaves room for any processor.
 */
static void test_least_squares_goes_with_the_filter(void **state) {
  (void)state;
  outcome o = tool(
      "identify arm.yaml log.csv --controller pid.yaml --friction plain -m iv --cutoff 50 "
      "--filter-scan all --scan-against robot -o truth.json");
  assert_int_equal(o.code == 1 ? 0 : o.code, 0);
  assert_non_null(strstr(o.err, "identified parameters from the robot file\n"));
  assert_non_null(strstr(o.err, "how many stay in all; largest change"));
  outcome_free(&o);
  rbv_result *r = tool_result("truth.json");
  const rbv_filter_scan *scan = &r->filter_scan;
  assert_int_equal(scan->nmethod, 7);
  for (int p = 0; p < scan->nparameter; p++)
    if (strcmp(scan->parameter[p].name, "MX1") == 0)
      assert_near(scan->method[0].reference[p], 0.6, 0, 1e-12);
  const double ols = run_of(scan, "ols", 9)->change;
  assert_true(run_of(scan, "piv", 9)->change < ols / 2);
  assert_true(run_of(scan, "slide", 9)->change < ols / 2);
  rbv_result_free(r);
}

static void test_without_loop(void **state) {
  (void)state;
  rbv_document *doc = tool_json(
      "identify arm.yaml blind.csv --friction plain --filter-scan all --unchecked --json");
  static const char *const methods[] = {"ols", "wls", "irls", "tls"};
  for (int i = 0; i < 4; i++) {
    char path[48];
    snprintf(path, sizeof path, "filter_scan.methods.%d.method", i);
    text_at(rbv_document_root(doc), path, methods[i]);
  }
  rbv_document_free(doc);
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "there is no method 'magic'",
               "identify arm.yaml log.csv --filter-scan ols,magic");
  tool_refuses(2, "filter-scan needs methods with commas between them, or all",
               "identify arm.yaml log.csv --filter-scan ,");
  tool_refuses(2, "give its controller (--controller)",
               "identify arm.yaml log.csv --filter-scan iv");
  tool_refuses(2, "cannot try the method auto: it is a choice among others",
               "identify arm.yaml log.csv --controller pid.yaml --filter-scan auto");
  tool_refuses(2, "cannot try the method cloe: it does not filter torques",
               "identify arm.yaml log.csv --controller pid.yaml --filter-scan cloe");
  tool_refuses(2, "changes the cut-off, which differentiate irw does not have",
               "identify arm.yaml log.csv --differentiate irw --filter-scan ols");
  tool_refuses(2, "scan-against needs filter-scan",
               "identify arm.yaml log.csv --scan-against robot");
}

/* ---- the decimation by Durbin-Watson ---- */

/* decimation and |Durbin-Watson - 2| of a run */
static double whiteness(int *decimate, const char *options) {
  free(tool_text("identify arm.yaml blind.csv -m wls --friction plain --unchecked -q %s -o dw.json",
                 options));
  rbv_result *r = tool_result("dw.json");
  const double dw = r->fit.row[0].durbin_watson;
  *decimate = 0;
  for (int i = 0; i < r->nchosen; i++)
    if (strcmp(r->chosen[i].key, "decimate") == 0) *decimate = (int)r->chosen[i].number;
  rbv_result_free(r);
  return fabs(dw - 2);
}

/* the one that is chosen is the best of those that the tool says it tries */
static void test_decimation_by_durbin_watson(void **state) {
  (void)state;
  int usual, chosen, same;
  const double by_cutoff = whiteness(&usual, ""),
               by_rule = whiteness(&chosen, "--decimate-by durbin-watson");
  static const double factor[] = {0.25, 0.5, 2, 4, 8, 16};
  double best = by_cutoff;
  int at = usual;
  for (int i = 0; i < 6; i++) {
    char option[32];
    const int n = (int)fmax(1, rint(factor[i] * usual));
    // 4000 samples, six unknowns, three equations for each
    if (4000 / n < 3 * 6) break;
    snprintf(option, sizeof option, "--decimate %d", n);
    const double distance = whiteness(&same, option);
    assert_int_equal(same, n);
    if (distance < best) best = distance, at = n;
  }
  assert_int_equal(chosen, at);
  assert_true(by_rule == best);
  assert_true(by_rule <= by_cutoff);
  tool_refuses(2, "decimate and decimate-by cannot be combined",
               "identify arm.yaml blind.csv --decimate 5 --decimate-by durbin-watson");
}

/* ---- a loop without a recorded reference ---- */

/* values of the robot file for the base parameters of the pendulum */
static double truth_of(const char *name) {
  static const struct {
    const char *name;
    double value;
  } known[] = {{"ZZ1R", 0.2602}, {"MX1", 0.6}, {"MY1", 0}, {"Fv1", 0.1}, {"Fc1", 0.3}, {"off1", 0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) return known[i].value;
  fail_msg("the pendulum has no parameter %s", name);
  return NAN;
}

static void test_measured_reference(void **state) {
  (void)state;
  static const char *const methods[] = {"didim", "iv", "slide", "piv"};
  for (int m = 0; m < 4; m++) {
    outcome o = tool(
        "identify arm.yaml blind.csv --friction plain -m %s --reference measured --unchecked -o "
        "blind.json",
        methods[m]);
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.err, "the reference is the measured position below"));
    assert_non_null(strstr(o.err, "the controller is a virtual one"));
    outcome_free(&o);
    rbv_result *r = tool_result("blind.json");
    assert_true(r->converged);
    // six values, each within four sigma with probability 0.99994 if its sigma is right, and up to
    // half more for a disturbance that is not normal
    for (int k = 0; k < r->estimate.count; k++)
      assert_near(r->estimate.item[k].value, truth_of(r->estimate.item[k].name),
                  6 * r->estimate.item[k].sigma, 0);
    rbv_result_free(r);
  }
}

/* where the reference is recorded, both loops agree */
static void test_measured_and_recorded_agree(void **state) {
  (void)state;
  free(
      tool_text("identify arm.yaml log.csv --friction plain -m iv --controller pid.yaml -q "
                "--unchecked -o recorded.json"));
  free(tool_text(
      "identify arm.yaml log.csv --friction plain -m iv --controller pid.yaml --reference "
      "measured --reference-cutoff 10 -q --unchecked -o measured.json"));
  rbv_result *a = tool_result("recorded.json"), *b = tool_result("measured.json");
  for (int k = 0; k < a->estimate.count; k++)
    assert_near(b->estimate.item[k].value, a->estimate.item[k].value, 3 * a->estimate.item[k].sigma,
                0);
  assert_false(b->instruments.strength == a->instruments.strength);
  rbv_result_free(a);
  rbv_result_free(b);
}

static void test_reference_refusals(void **state) {
  (void)state;
  tool_refuses(3, "or use the measured positions as reference (see --reference)",
               "identify arm.yaml blind.csv -m iv --controller pid.yaml");
  tool_refuses(2, "fits the positions: they cannot be the reference as well",
               "identify arm.yaml blind.csv -m cloe --controller pid.yaml --reference measured");
  tool_refuses(2, "controller auto needs the recorded reference",
               "identify arm.yaml log.csv -m iv --controller auto --reference measured");
  tool_refuses(2, "reference-cutoff needs reference measured",
               "identify arm.yaml blind.csv --reference-cutoff 10");
  tool_refuses(3, "must be between 0 and half the sample rate",
               "identify arm.yaml blind.csv -m iv --reference measured --reference-cutoff 600");
  tool_refuses(2, "a law for the measured reference is tuned for values of the robot",
               "identify bare.yaml blind.csv -m iv --start regular --reference measured");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_number_is_that_of_a_run),
      cmocka_unit_test(test_summary),
      cmocka_unit_test(test_failures_are_part_of_it),
      cmocka_unit_test(test_again_and_page),
      cmocka_unit_test(test_least_squares_goes_with_the_filter),
      cmocka_unit_test(test_without_loop),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_decimation_by_durbin_watson),
      cmocka_unit_test(test_measured_reference),
      cmocka_unit_test(test_measured_and_recorded_agree),
      cmocka_unit_test(test_reference_refusals),
  };
  return cmocka_run_group_tests_name("cli.filter_scan", tests, record, NULL);
}
