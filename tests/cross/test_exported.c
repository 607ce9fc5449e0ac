/*
 * Commercial robots written by `export` and read by MuJoCo: the TX40 identified from its recording,
 * and the Panda, UR10e and iiwa with bodies of this test. Compares torques, mass matrices, joints.
 */
#include <roberval/sys/result.h>
#include <stdlib.h>

#include "simulated.h"
#include "tool.h"

#define AGREE 1e-8  // fraction of the largest torque

/* elements that MuJoCo cannot load: geometry with meshes */
static char *without_meshes(const char *text) {
  static const char *const tag[] = {"visual", "collision"};
  char *out = malloc(strlen(text) + 1);
  size_t n = 0;
  while (*text) {
    const char *end = NULL;
    for (int i = 0; i < 2 && !end; i++) {
      char close[16];
      const size_t length = strlen(tag[i]);
      snprintf(close, sizeof close, "</%s>", tag[i]);
      if (text[0] == '<' && strncmp(text + 1, tag[i], length) == 0 &&
          strchr(" >", text[1 + length]))
        end = strstr(text, close) + strlen(close);
    }
    if (end)
      text = end;
    else
      out[n++] = *text++;
  }
  out[n] = 0;
  return out;
}

/* compare the exported files in the temporary directory with chi, without unsupported parameters */
static void check_files(const rbv_model *m, const double *chi, const char *urdf, const char *mjcf) {
  static double smooth[COLUMNS_MAX];
  for (int i = 0; i < 2; i++) {
    char *whole = read_text(temp_file(i ? mjcf : urdf, NULL), NULL), *text = without_meshes(whole);
    oracle o = oracle_load(temp_file(i ? "plain.xml" : "plain.urdf", text));
    memcpy(smooth, chi, (size_t)rbv_model_column_count(m) * sizeof *chi);
    only_smooth(smooth, m, i);
    compare(&o, m, smooth, AGREE);
    compare_friction(&o, m, chi);
    oracle_free(&o);
    free(text);
    free(whole);
  }
}

/* according to diff, only lines within inertial or dynamics and their remarks differ */
static void check_difference(const char *before, const char *after) {
  char command[2048];
  snprintf(command, sizeof command, "cd '%s' && diff '%s' '%s' >changes", temp_directory(), before,
           after);
  assert_int_not_equal(system(command), 0);
  char *text = read_text(temp_file("changes", NULL), NULL);
  static const char *const ours[] = {"<inertial", "</inertial", "<origin",        "<mass",
                                     "<inertia",  "<dynamics",  "<!-- roberval: "};
  int changed = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (*line != '<' && *line != '>') continue;
    const char *word = line + 1 + strspn(line + 1, " \t");
    bool known = false;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
      known = known || strncmp(word, ours[i], strlen(ours[i])) == 0;
    if (!known) fail_msg("a line of another kind has changed: %s", line);
    changed++;
  }
  assert_true(changed > 0);
  free(text);
}

/* identify, export, load: all numbers go through files */
static void test_recorded_tx40(void **state) {
  (void)state;
  char log[1024], urdf[1024];
  strcpy(log, recording("staubli_tx40/tx40_joint.csv"));
  strcpy(urdf, recording("staubli_tx40/tx40_mdh_modified.urdf"));
  free(tool_text("identify '%s' '%s' --consistent -q -o r.json", urdf, log));
  free(tool_text("export r.json --format urdf -o r.urdf -q"));
  free(tool_text("export r.json --format mjcf -o r.xml -q"));
  free(tool_text("export r.json --format yaml -o r.yaml -q"));
  check_difference(urdf, "r.urdf");
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  rbv_result *r;
  assert_ok(rbv_model_load(&m, urdf, NULL));
  assert_ok(rbv_result_load(&r, temp_file("r.json", NULL)));
  assert_int_equal(r->standard.count, rbv_model_column_count(m));
  for (int i = 0; i < r->standard.count; i++)
    chi[rbv_model_find(m, r->standard.name[i])] = r->standard.value[i];
  check_files(m, chi, "r.urdf", "r.xml");
  rbv_result_free(r);
  rbv_model_free(m);
}

static void check_model(const char *name) {
  static double chi[COLUMNS_MAX];
  char relative[64], urdf[1024];
  rbv_model *m;
  snprintf(relative, sizeof relative, "models/%s.urdf", name);
  strcpy(urdf, recording(relative));
  assert_ok(rbv_model_load(&m, urdf, NULL));
  random_parameters(chi, m, 3);
  for (int f = 0; f < 2; f++) {
    rbv_export *e = export_as(f ? RBV_EXPORT_MJCF : RBV_EXPORT_URDF, m, chi, NULL);
    (void)temp_file(f ? "m.xml" : "m.urdf", e->text);
    rbv_export_free(e);
  }
  check_difference(urdf, "m.urdf");
  check_files(m, chi, "m.urdf", "m.xml");
  rbv_model_free(m);
}

static void test_panda(void **state) {
  (void)state;
  check_model("panda_nohand");
}

static void test_ur10e(void **state) {
  (void)state;
  check_model("ur10e");
}

static void test_iiwa(void **state) {
  (void)state;
  check_model("iiwa14");
}

int main(void) {
  (void)recording("models/iiwa14.urdf");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recorded_tx40),
      cmocka_unit_test(test_panda),
      cmocka_unit_test(test_ur10e),
      cmocka_unit_test(test_iiwa),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
