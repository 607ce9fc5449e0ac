/* A result that was moved, or is used from another directory, finds its files by their hash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static void shell(const char *command) {
  char line[2048];
  snprintf(line, sizeof line, "cd '%s' && %s", temp_directory(), command);
  assert_int_equal(system(line), 0);
}

static void write_log(const char *name, uint64_t seed) {
  rbv_model *m = load_robot(temp_file("arm.yaml", NULL), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), seed, 3000, 500, false);
  waves_add_noise(&w, seed, 0.02);
  waves_save(&w, temp_file(name, NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
}

/* project/{arm.yaml, data/a.csv, data/b.csv, prior.yaml, out/r.json, out/s.json}, from project */
static int make_project(void **state) {
  (void)state;
  temp_file("arm.yaml", sound_arm);
  temp_file("prior.yaml", "{Fv1: {value: 1, sigma: 10}}\n");
  write_log("a.csv", 1);
  write_log("b.csv", 2);
  shell("mkdir -p data out && mv a.csv b.csv data");
  free(
      tool_text("identify arm.yaml data/a.csv --validate data/b.csv --prior prior.yaml -q "
                "--consistent -o out/r.json"));
  free(tool_text("identify arm.yaml data/b.csv -q -o out/s.json"));
  shell(
      "mkdir project && mv arm.yaml prior.yaml data out project && mkdir elsewhere && mv project "
      "elsewhere");
  return 0;
}

#define R "elsewhere/project/out/r.json"
#define S "elsewhere/project/out/s.json"

static void test_every_command_finds_them(void **state) {
  (void)state;
  rbv_document *doc = tool_json("validate " R " elsewhere/project/data/b.csv --json");
  assert_true(real_at(rbv_document_root(doc), "validation.relative_error") < 0.2);
  rbv_document_free(doc);
  outcome o = tool("export " R " --format urdf -o arm.urdf");
  if (o.code != 0) fail_msg("%s", o.err);
  outcome_free(&o);
  o = tool("compare " R " " S " --json");
  if (o.code > 1) fail_msg("%s", o.err);
  assert_null(strstr(o.err, "changed"));
  outcome_free(&o);
  // the report has all recordings and the prior
  o = tool("report " R " -o page.html");
  if (o.code > 1) fail_msg("%s", o.err);
  assert_null(strstr(o.err, "not found"));
  assert_null(strstr(o.err, "cannot be read"));
  outcome_free(&o);
  o = tool("identify --again " R " -q -o again.json");
  if (o.code > 1) fail_msg("%s", o.err);
  outcome_free(&o);
}

/* another file of the same name in the current directory is not taken for the right one */
static void test_another_file_of_the_same_name(void **state) {
  (void)state;
  shell(
      "mkdir data && cp elsewhere/project/data/b.csv data/a.csv && "
      "sed 's/name:/name:  /' elsewhere/project/arm.yaml > arm.yaml");
  outcome o = tool("compare " R " " S);
  if (o.code > 1) fail_msg("%s", o.err);
  assert_null(strstr(o.err, "changed"));
  outcome_free(&o);
  shell("rm -r data arm.yaml");
}

static void test_changed_and_missing_files(void **state) {
  (void)state;
  shell("cp -r elsewhere/project changed && echo >> changed/data/a.csv");
  shell("cp -r elsewhere/project bare && rm bare/arm.yaml && cp -r changed/data data");
  outcome o = tool("compare changed/out/r.json changed/out/s.json");
  assert_non_null(strstr(o.err,
                         "data/a.csv: the recording has changed since changed/out/r.json "
                         "was made"));
  outcome_free(&o);
  tool_refuses(3,
               "arm.yaml: the robot file of the result bare/out/r.json is neither here nor "
               "beside the result",
               "export bare/out/r.json --format urdf -o x.urdf");
  shell("rm -r data changed");
  o = tool("compare bare/out/r.json bare/out/s.json --no-logs");
  assert_int_equal(o.code, 3);
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_command_finds_them),
      cmocka_unit_test(test_another_file_of_the_same_name),
      cmocka_unit_test(test_changed_and_missing_files),
  };
  return cmocka_run_group_tests(tests, make_project, NULL);
}
