/* Commercial arms, exported with their own parameters and with other parameters. */
#include "simulated.h"

/* lines of b that differ from the line of a at the same place; each must have one of these words */
static void assert_lines(const char *a, const char *b, const char *const *words) {
  while (*a && *b) {
    const size_t na = strcspn(a, "\n"), nb = strcspn(b, "\n");
    if (na == nb && memcmp(a, b, na) == 0) {
      a += na + (a[na] != 0);
      b += nb + (b[nb] != 0);
      continue;
    }
    char line[1024];
    snprintf(line, sizeof line, "%.*s", (int)nb, b);
    bool allowed = false;
    for (int i = 0; words[i]; i++) allowed = allowed || strstr(line, words[i]);
    if (!allowed) fail_msg("changed: %s", line);
    // a new line has no counterpart
    if (!strstr(line, "<dynamics")) a += na + (a[na] != 0);
    b += nb + (b[nb] != 0);
  }
  assert_int_equal(*a, *b);
}

static void check(const char *name) {
  static double chi[COLUMNS_MAX];
  static const char *const words[] = {"<origin", "<mass", "<inertia ", "<dynamics", NULL};
  char relative[64];
  snprintf(relative, sizeof relative, "models/%s.urdf", name);
  rbv_export_options x = rbv_export_defaults();
  x.loaded.snap = false;
  size_t size;
  char *before = read_text(recording(relative), &size);
  rbv_model *m;
  assert_ok(rbv_model_load(&m, recording(relative), &x.loaded));

  // own parameters: the file does not change, and MuJoCo loads the MJCF
  rbv_export *e;
  assert_ok(rbv_export_new(&e, m, rbv_model_parameters(m), &x));
  assert_int_equal(e->size, size);
  assert_memory_equal(e->text, before, size);
  rbv_export_free(e);
  e = export_as(RBV_EXPORT_MJCF, m, rbv_model_parameters(m), NULL);
  oracle o = oracle_load(temp_file("own.xml", e->text));
  compare(&o, m, rbv_model_parameters(m), 1e-8);
  oracle_free(&o);
  rbv_export_free(e);

  // other parameters, with friction
  random_parameters(chi, m, 2);
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (rbv_column_has_law(rbv_model_column(m, c), "off")) chi[c] = 0;
  assert_ok(rbv_export_new(&e, m, chi, &x));
  assert_false(e->refused);
  assert_lines(before, e->text, words);
  rbv_model *back;
  assert_ok(rbv_model_parse(&back, "back.urdf", e->text, e->size, &x.loaded));
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (!rbv_column_has_law(rbv_model_column(m, c), "Ia"))
      assert_near(rbv_model_parameters(back)[c], chi[c], 1e-14, 1e-13);
  rbv_model_free(back);
  rbv_export_free(e);
  for (int f = 0; rbv_export_format_at(f); f++)
    if (!rbv_export_format_of_result((rbv_export_format)f))
      rbv_export_free(export_as((rbv_export_format)f, m, chi, "arm"));
  rbv_model_free(m);
  free(before);
}

static void test_panda(void **state) {
  (void)state;
  check("panda_nohand");
}

static void test_ur10e(void **state) {
  (void)state;
  check("ur10e");
}

static void test_iiwa14(void **state) {
  (void)state;
  check("iiwa14");
}

int main(void) {
  (void)recording("models/iiwa14.urdf");  // skip before cmocka begins
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_panda),
      cmocka_unit_test(test_ur10e),
      cmocka_unit_test(test_iiwa14),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
