/* roberval export: files, errors, exit codes. */
#include <roberval/sys/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

/* two consistent links with every kind of drive parameter */
static const char arm[] =
    "name: arm\n"
    "joints:\n"
    "  - {name: shoulder, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, limits: {lower: -2, upper: "
    "2}}\n"
    "  - {name: elbow, mdh: {alpha: 0, d: 0.5, theta: 0, r: 0}}\n"
    "parameters: {XX1: 0.1, YY1: 0.3, ZZ1: 0.3, MX1: 0.5, M1: 2, XX2: 0.05, YY2: 0.1, ZZ2: 0.1,\n"
    "             MX2: 0.2, M2: 1, Ia1: 0.1, Fv1: 1, Fc2: 0.5}\n";

static bool exists(const char *name) { return access(temp_file(name, NULL), F_OK) == 0; }

static void test_documents(void **state) {
  (void)state;
  (void)temp_file("arm.yaml", arm);
  rbv_document *doc = tool_json("export arm.yaml --format urdf -o arm.urdf --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.export/1");
  text_at(root, "written", "true");
  text_at(root, "files.0.file", "arm.urdf");
  assert_non_null(strstr(rbv_node_text(node_at(root, "notes.0")), "Ia1"));
  assert_true(real_at(root, "states_compared") == 100);
  assert_true(real_at(root, "largest_difference_Nm") < 1e-12);
  char hash[65];
  assert_ok(rbv_hash_file(hash, temp_file("arm.urdf", NULL)));
  text_at(root, "files.0.sha256", hash);
  rbv_document_free(doc);

  // the URDF is a robot; its export is the same file
  free(tool_text("export arm.urdf --format urdf -o again.urdf"));
  char *a = read_text(temp_file("arm.urdf", NULL), NULL);
  char *b = read_text(temp_file("again.urdf", NULL), NULL);
  assert_string_equal(a, b);
  free(b);
  // without -o to stdout
  b = tool_text("export arm.yaml -f urdf");
  assert_string_equal(a, b);
  free(a);
  free(b);

  // with parameters from a file
  (void)temp_file("p.yaml", "{M1: 3, XX1: 1, YY1: 1, ZZ1: 1, M2: 1, XX2: 1, YY2: 1, ZZ2: 1}\n");
  a = tool_text("export arm.yaml -f mjcf -p p.yaml");
  assert_non_null(strstr(a, "mass=\"3\" diaginertia=\"1 1 1\""));
  free(a);
}

static void test_code(void **state) {
  (void)state;
  outcome o = tool("export tx40 --format c -o my-tx40.c");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "inverse_dynamics: 152 multiplications, 116 additions"));
  assert_non_null(strstr(o.err, "written: my-tx40.c, my-tx40.h"));
  outcome_free(&o);
  char command[512];
  snprintf(
      command, sizeof command,
      "cd '%s' && cc -std=c99 -Wall -Wextra -Werror -pedantic -DMY_TX40_SELFTEST_MAIN my-tx40.c "
      "-o test -lm && ./test",
      temp_directory());
  assert_int_equal(system(command), 0);
  rbv_document *doc = tool_json("export tx40 --format c -o tx40.c --json");
  text_at(rbv_document_root(doc), "files.1.file", "tx40.h");
  text_at(rbv_document_root(doc), "functions.3.name", "mass_matrix");
  assert_true(real_at(rbv_document_root(doc), "functions.3.multiplications") <
              0.2 * real_at(rbv_document_root(doc), "functions.3.generic_multiplications"));
  rbv_document_free(doc);
}

/* a result has base parameters: YAML and C can use them, simulators cannot */
static void test_result(void **state) {
  (void)state;
  (void)temp_file("arm.yaml", arm);
  rbv_model *m = load_robot(temp_file("arm.yaml", NULL), -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 1, 2000, 500, false);
  waves_save(&w, temp_file("log.csv", NULL), "q dq ddq tau");
  waves_save(&w, temp_file("motion.csv", NULL), "q dq ddq");
  waves_free(&w);
  rbv_model_free(m);
  free(tool_text("identify arm.yaml log.csv --gamma 0 --friction plain -q -o result.json"));
  free(tool_text("dynamics arm.yaml motion.csv --parameters result.json -o torque.csv"));
  free(tool_text("export result.json -f yaml -o identified.yaml"));
  free(tool_text("export result.json -f c -o identified.c"));
  free(tool_text("dynamics identified.yaml motion.csv -o back.csv"));
  size_t n;
  csv a = csv_parse(read_text(temp_file("torque.csv", NULL), &n));
  csv b = csv_parse(read_text(temp_file("back.csv", NULL), &n));
  assert_int_equal(a.nrow, 2000);
  // the file has all digits; its angles are those of the robot
  for (int i = 0; i < a.nrow * a.ncolumn; i++) assert_near(b.value[i], a.value[i], 1e-12, 0);
  csv_free(&a);
  csv_free(&b);
  tool_refuses(1, "Identify physically consistent links", "export result.json -f urdf -o r.urdf");
  assert_false(exists("r.urdf"));
  // with standard parameters
  free(tool_text("export result.json -f urdf -p arm.yaml -o r.urdf"));
  assert_true(exists("r.urdf"));
}

static void test_refusals(void **state) {
  (void)state;
  (void)temp_file("arm.yaml", arm);
  for (int i = 0; rbv_export_format_at(i); i++) {
    tool_refuses(2, rbv_export_format_at(i), "export tx40");
    tool_refuses(2, rbv_export_format_at(i), "export tx40 --format sdf");
  }
  tool_refuses(2, "--format is missing (choose from urdf, mjcf", "export tx40");
  tool_refuses(2, "--format is missing", "export tx40 -o tx40.txt");
  // the name of the output gives the format
  free(tool_text("export tx40 -o named.yml -q"));
  char *named = read_text(temp_file("named.yml", NULL), NULL);
  assert_non_null(strstr(named, "joints:"));
  free(named);
  tool_refuses(2, "--format cannot be 'sdf' (choose from urdf, mjcf", "export tx40 --format sdf");
  tool_refuses(2, "must be NAME.c (--output)", "export tx40 --format c");
  tool_refuses(2, "must be NAME.c (--output)", "export tx40 --format c -o tx40.h");
  tool_refuses(2, "bands needs the file of a motion (--motion)", "export tx40 --format bands");
  tool_refuses(2, "--json needs -o FILE", "export tx40 --format yaml --json");
  tool_refuses(2, "missing", "export --format yaml");
  tool_refuses(3, "no built-in robot", "export unknown --format yaml");
  tool_refuses(3, "no parameter values", "export a460 --format yaml");
  tool_refuses(3, "has no parameter 'ZZ9'", "export arm.yaml -f yaml -p %s",
               temp_file("wrong.yaml", "{ZZ9: 1}\n"));
  tool_refuses(1, "no centre of mass to write", "export tx40 -f urdf -o tx40.urdf");
  tool_refuses(1, "no centre of mass to write", "export tx40 -f mjcf --force -o tx40.urdf");
  (void)temp_file("flat.yaml", "{M1: 1, M2: 1}\n");
  tool_refuses(1, "'shoulder' cannot exist", "export arm.yaml -f urdf -p flat.yaml -o flat.urdf");
  assert_false(exists("tx40.urdf") || exists("flat.urdf"));
  outcome o = tool("export arm.yaml -f urdf -p flat.yaml --force -o flat.urdf");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "note: written although"));
  outcome_free(&o);
  // JSON has the error, too
  o = tool("export tx40 -f urdf -o tx40.urdf --json");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.out, "\"written\": false"));
  assert_non_null(strstr(o.out, "\"reason\": \"the link moved by joint 'joint2'"));
  outcome_free(&o);
}

/* an existing file stays if the export fails */
static void test_output_is_whole_or_not_at_all(void **state) {
  (void)state;
  (void)temp_file("arm.yaml", arm);
  (void)temp_file("kept.urdf", "old");
  tool_refuses(1, "no centre of mass", "export tx40 -f urdf -o kept.urdf");
  char *text = read_text(temp_file("kept.urdf", NULL), NULL);
  assert_string_equal(text, "old");
  free(text);
  tool_refuses(4, "cannot be written", "export arm.yaml -f urdf -o nowhere/arm.urdf");
  tool_refuses(4, "cannot be written", "export arm.yaml -f c -o nowhere/arm.c");
  outcome o = tool("export arm.yaml -f yaml >/dev/full");
  assert_int_equal(o.code, 4);
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_documents),
      cmocka_unit_test(test_code),
      cmocka_unit_test(test_result),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_output_is_whole_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
