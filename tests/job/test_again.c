/* identify --again: the run behind a result is repeated from its record, byte for byte. */
#include <roberval/sys/identification.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job_files.h"
#include "support.h"
#include "tool.h"

static int prepare(void **state) {
  (void)state;
  job_files_write();
  return 0;
}

/* identify, then again, with two threads the second time: the same bytes */
static void repeat(const char *arguments) {
  outcome o = tool("identify arm.yaml %s -q -o first.json", arguments);
  // 1: a result that leaves parameters open
  if (o.code > 1) fail_msg("identify arm.yaml %s: exit code %d: %s", arguments, o.code, o.err);
  outcome again = tool("identify --again first.json --threads 2 -q -o second.json");
  if (again.code != o.code)
    fail_msg("%s: exit code %d, again %d: %s", arguments, o.code, again.code, again.err);
  outcome_free(&o);
  outcome_free(&again);
  char *a = read_text("first.json", NULL), *b = read_text("second.json", NULL);
  if (strcmp(a, b) != 0) fail_msg("%s: another result", arguments);
  free(a);
  free(b);
}

static void test_every_method(void **state) {
  (void)state;
  for (int i = 0; rbv_identify_method(i); i++) {
    const char *method = rbv_identify_method(i);
    char arguments[256];
    const bool loop = rbv_method_find(method)->loop != RBV_LOOP_OPEN || strcmp(method, "auto") == 0;
    snprintf(arguments, sizeof arguments, "log.csv --method %s %s", method, loop ? JOB_LOOP : "");
    repeat(arguments);
  }
}

static const char *const cases[] = {
    "log.csv --prior prior.yaml --prior-weight 2 --map map.yaml",
    "log.csv --prior robot",  // its weight by cross-validation
    "log.csv --gains gains.yaml --weights weights.yaml",
    "sensed.csv --sensing motor --stiffness stiffness.yaml",
    "log.csv --gains 1.5,0.5 --weights 0.1,0.05 --essential --no-snap",
    "log.csv --back-emf open.csv --holdout 0.25 --validate other.csv",
    "log.csv --consistent --bounds bounds.yaml --known-total-mass 3",
    "log.csv --consistent --bounds robot --drop-bad-rows --unchecked",
    "empty.csv --payload --loaded loaded.csv --decimate 4 --mask 0.02",
    "empty.csv --payload --loaded loaded.csv --known-mass 1.5 --validate empty.csv",
    "log.csv other.csv --bootstrap 20 --seed 7 --gamma 30 --stribeck 0.1 --memory 300",
    "log.csv --differentiate spline --cutoff 20 --delay 0.002",
    "log.csv --differentiate fourier --period 2 --harmonics 7 --weights periods",
    "log.csv --method didim --controller auto --start regular --scaling always --stop printed",
    "log.csv --method iv --start start.yaml " JOB_LOOP,
    "log.csv --method iv --start robot --controller auto --map map.yaml --gains 1,1",
    "log.csv --method auto --controller auto",
    "log.csv --from 0.5 --to 2.5",
    "log.csv --decimate-by durbin-watson --filter-scan ols --scan-against robot",
    "log.csv --method iv --reference measured --reference-cutoff 5",
    "log.csv --gravity 0.1,0,-9.8",
    "log.csv --mount wall",
    "log.csv --only ZZ1R,Fv1,Fc1,off1,Fv2,Fc2,off2",
    "log.csv --differentiate spline --spline-variance 1e-8",
    "log.csv --method didim --controller auto --start regular --inertia 1,0.5 --stop-residual 0.1 "
    "--stop-step 2",
    "log.csv --log-rate 500",
    "log.csv --friction Fl2,Fd1=0.5",
    "log.csv --method cloe --unknown delay --observe both --actuator-delay 0.001 " JOB_LOOP,
    "log.csv --method cloe --known-links --starts 2 --segment 1.5 --limit-s 60 " JOB_LOOP,
    "log.csv --method cloe --known-links --joint-stiffness 3000,1500 --joint-damping 9,5 " JOB_LOOP,
    "log.csv --method cloe --search global --population 16 --generations 2 --device cpu " JOB_LOOP,
};

#define CASES ((int)(sizeof cases / sizeof *cases))

static void test_options(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++) repeat(cases[i]);
}

/* an option that no case sets could be missing in the record */
static void test_every_recorded_option_has_a_case(void **state) {
  (void)state;
  rbv_identification_options unused = rbv_identification_defaults();
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_groups(groups, &unused);
  for (int i = 0; rbv_identification_option_name(i); i++) {
    const char *name = rbv_identification_option_name(i);
    void *target;
    const rbv_option *row = rbv_option_find(&target, groups, name);
    // tip and root: test_urdf; free-base: cli/test_topologies; contacts: cross/test_free_sensors
    if (row->unrecorded || strcmp(name, "tip") == 0 || strcmp(name, "root") == 0 ||
        strcmp(name, "free-base") == 0 || strcmp(name, "contacts") == 0)
      continue;
    char given[64];
    snprintf(given, sizeof given, "--%s ", name);
    bool found = strcmp(name, "skip") == 0;  // in JOB_LOOP
    for (int k = 0; k < CASES && !found; k++) {
      char padded[512];
      snprintf(padded, sizeof padded, "%s ", cases[k]);
      found = strstr(padded, given) != NULL;
    }
    if (!found) fail_msg("no case sets %s", name);
  }
}

/* a URDF that a robot file names is an input, too */
static void test_urdf(void **state) {
  (void)state;
  static const char urdf[] =
      "<robot name=\"arm\"><link name=\"base\"/><link name=\"upper\"/><link name=\"lower\"/>"
      "<joint name=\"shoulder\" type=\"continuous\"><parent link=\"base\"/><child link=\"upper\"/>"
      "<axis xyz=\"0 1 0\"/></joint>"
      "<joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child link=\"lower\"/>"
      "<origin xyz=\"0.5 0 0\"/><axis xyz=\"0 1 0\"/></joint></robot>\n";
  temp_file("arm.urdf", urdf);
  temp_file("around.yaml", "urdf: arm.urdf\n");
  free(tool_text("identify around.yaml log.csv -q -o first.json"));
  free(tool_text("identify --again first.json -q -o second.json"));
  char *a = read_text("first.json", NULL), *b = read_text("second.json", NULL);
  assert_string_equal(a, b);
  free(a);
  free(b);
  job_file_change("arm.urdf");
  tool_refuses(3, "arm.urdf: the file has changed", "identify --again first.json");
  // parts of the arm; with a map, because the log has two joints
  temp_file("one.yaml", "{time: t, sensing: motor, joints: [{q: q1, tau: tau1}]}");
  static const char *const part[] = {"--tip upper", "--root upper"};
  for (int i = 0; i < 2; i++) {
    outcome o = tool("identify arm.urdf log.csv %s --map one.yaml -q -o first.json", part[i]);
    assert_true(o.code <= 1);
    outcome_free(&o);
    o = tool("identify --again first.json -q -o second.json");
    assert_true(o.code <= 1);
    outcome_free(&o);
    a = read_text("first.json", NULL);
    b = read_text("second.json", NULL);
    assert_string_equal(a, b);
    free(a);
    free(b);
  }
}

static void test_refusals(void **state) {
  (void)state;
  free(tool_text("identify arm.yaml log.csv -q -o first.json"));
  tool_refuses(2, "takes the robot and the logs from the result",
               "identify arm.yaml log.csv --again first.json");
  tool_refuses(2, "--again takes --method from the result",
               "identify --again first.json --method irls");
  tool_refuses(2, "--again takes --decimate from the result", "identify --again first.json -d 3");
  tool_refuses(3, "absent.json", "identify --again absent.json");
  tool_refuses(3, "arm.yaml:1:1: this is not a result", "identify --again arm.yaml");
  job_file_change("log.csv");
  tool_refuses(3, "log.csv: the file has changed", "identify --again first.json");
  job_file_restore("log.csv");
  // an option that this version does not have
  char *text = read_text("first.json", NULL), *at = strstr(text, "\"holdout\"");
  assert_non_null(at);
  memcpy(at, "\"hideout\"", 9);
  temp_file("other.json", text);
  free(text);
  tool_refuses(3, "an option 'hideout' that this version cannot repeat",
               "identify --again other.json");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_every_recorded_option_has_a_case),
      cmocka_unit_test(test_urdf),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
