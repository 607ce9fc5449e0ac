/*
 * roberval identify --method cloe on the slide EMPS without its force, against the published values
 * (Janot, Gautier, Brunot 2019).
 */
#include <math.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tool.h"

/*
 * The drive computes the velocity as the difference over two samples (visible in its recorded
 * command): 1 ms late. Here it is a filtered difference that is late by the same time: 0.5 ms, and
 * p/(1 - p) ms with p = exp(-T/filter_s) = 1/3. Without this lag M would come out k_p times 0.5 ms
 * = 4.3 kg smaller: positions alone cannot tell the two apart.
 */
static void test_emps_without_force(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double value, bound;
  } published[] = {{"M1", 95.1089, 0.02}, {"Fv1", 203.5034, 0.02}, {"Fc1", 20.3935, 0.02}};
  char log[1024];
  strcpy(log, recording("emps/emps.csv"));
  temp_file("emps.yaml",
            "joints:\n"
            "  - {name: carriage, type: prismatic, origin: {xyz: [0, 0, 0], rpy: [0, pi/2, 0]},\n"
            "     axis: [0, 0, 1], drive: [Fv, Fc, off]}\n");
  temp_file("positions.yaml", "time: t\njoints: [{q: qm, qr: qg}]\n");
  temp_file("slide.yaml",
            "rate_hz: 1000\n"
            "joints: [{kind: cascade, k_x: 160.18, k_p: 8557.42620079109, "
            "reference_velocity: 0, filter_s: 0.91023922662683739e-3}]\n");
  outcome o = tool(
      "identify emps.yaml '%s' --map positions.yaml --controller slide.yaml -m cloe "
      "--holdout 0.2 -o emps.json",
      log);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "has no torques"));
  assert_non_null(strstr(o.err, "if only k_p is 10 % larger than given: M1 +10 %"));
  outcome_free(&o);
  rbv_result *r = tool_result("emps.json");
  for (int i = 0; i < 3; i++) {
    const rbv_parameter *p = parameter_of(r, published[i].name);
    print_message("%s %.4f +- %.3f, published %.4f\n", p->name, p->value, p->sigma,
                  published[i].value);
    assert_near(p->value, published[i].value, 0, published[i].bound);
    assert_true(p->sigma > 0 && p->sigma < 0.05 * p->value);
  }
  // the model of the loop explains positions that it did not see as well as those that it saw
  const rbv_output_fit *f = &r->loop.output[0];
  print_message("position error %.3g m, held out %.3g m, tracking error %.3g m\n", f->rms,
                f->held_out, f->tracking);
  assert_near(f->held_out, f->rms, 0, 0.3);
  assert_true(f->rms < 0.01 * f->tracking);
  rbv_result_free(r);
}

/* With the published gains alone M is 4 % too small: the drive's velocity is older than the law
 * says. The change that is printed for a velocity of one more sample contains the published mass.
 */
static void test_published_gains(void **state) {
  (void)state;
  char log[1024];
  strcpy(log, recording("emps/emps.csv"));
  temp_file("published.yaml",
            "rate_hz: 1000\n"
            "joints: [{kind: cascade, k_x: 160.18, k_p: 8557.42620079109, "
            "reference_velocity: 0}]\n");
  free(
      tool_text("identify emps.yaml '%s' --map positions.yaml --controller published.yaml -m cloe "
                "-o old.json -q",
                log));
  rbv_result *r = tool_result("old.json");
  const rbv_parameter *mass = parameter_of(r, "M1");
  const int k = (int)(mass - r->estimate.item);
  double shift = NAN;
  for (int i = 0; i < r->loop.ninfluence; i++)
    if (strcmp(r->loop.influence[i].gains, "older_velocity") == 0)
      shift = r->loop.influence[i].shift[k];
  print_message("M1 %.2f kg, %+.2f kg with an older velocity\n", mass->value, shift);
  assert_true(mass->value + 2 * mass->sigma < 95.1 && mass->value + shift > 95.1);
  rbv_result_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_emps_without_force),
      cmocka_unit_test(test_published_gains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
