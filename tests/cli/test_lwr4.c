/* A recorded KUKA LWR4+: motions with little excitation, without and with the maker's prior. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static char robot[1024], first[1024], third[1024];

static int find_recordings(void **state) {
  (void)state;
  strcpy(robot, recording("kuka_lwr4/kuka_lwr4.urdf"));
  strcpy(first, recording("kuka_lwr4/lwr4_measurements_1.csv"));
  strcpy(third, recording("kuka_lwr4/lwr4_measurements_3.csv"));
  return 0;
}

/* Joints 1, 3, 4, 6, 7 have the same waveform, which free parameters do not survive: error 1.9 % in
 * the fit, 13.3 % on another motion */
static void test_without_prior_validation_fails(void **state) {
  (void)state;
  rbv_document *doc = tool_json(
      "identify '%s' '%s' --sensing joint --friction plain -q --json -o alone.json", robot, first);
  assert_true(real_at(rbv_document_root(doc), "fit.relative_error") < 0.03);
  rbv_document_free(doc);
  outcome o = tool("validate alone.json '%s' --max-error 6%% -q --json", third);
  assert_int_equal(o.code, 1);
  assert_ok(rbv_document_parse(&doc, "stdout", o.out, strlen(o.out)));
  const double error = real_at(rbv_document_root(doc), "validation.relative_error");
  assert_true(error > 0.10 && error < 0.16);
  text_at(rbv_document_root(doc), "validation.within_limit", "false");
  rbv_document_free(doc);
  outcome_free(&o);
}

/* prior with the masses of the URDF: 5.7 % when this was written */
static void test_with_prior_validation_passes(void **state) {
  (void)state;
  free(
      tool_text("identify '%s' '%s' --sensing joint --prior robot -q -o prior.json", robot, first));
  outcome o = tool("validate prior.json '%s' --max-error 6%%", third);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "within the limit of 6 %"));
  outcome_free(&o);
}

/* The file's values predict the torque of joint 7 worse than its mean does, with either sign: that
 * says nothing about the sign. Joint torques taken as motor torques are suggested instead: with the
 * accelerations up to 12 Hz three of five rotor inertias are negative, one of them by more than 3
 * sigma. */
static void test_wrong_prior_is_no_wrong_sign(void **state) {
  (void)state;
  outcome o = tool("identify '%s' '%s' --cutoff 12 -o motor.json", robot, third);
  assert_null(strstr(o.err, "the sign of"));
  assert_non_null(strstr(o.err, "sensing joint"));
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_without_prior_validation_fails),
      cmocka_unit_test(test_with_prior_validation_passes),
      cmocka_unit_test(test_wrong_prior_is_no_wrong_sign),
  };
  return cmocka_run_group_tests(tests, find_recordings, NULL);
}
