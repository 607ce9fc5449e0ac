#include <math.h>
#include <roberval/sys/baseparam.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "document/document.h"

#include "motions.h"
#include "support.h"

static rbv_document *reference(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, path));
  return doc;
}

static bool listed(const rbv_node *list, const char *name) {
  for (int i = 0; i < rbv_node_count(list); i++)
    if (strcmp(rbv_node_text(rbv_node_at(list, i)), name) == 0) return true;
  return false;
}

static rbv_model *load(const char *robot, int sensing, bool payload) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = sensing;
  o.payload = payload;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, &o));
  return m;
}

static int column_of(const rbv_model *m, const rbv_node *name) {
  const int c = rbv_model_find(m, rbv_node_text(name));
  assert_true(c >= 0);
  return c;
}

/* kept columns in order, zero columns, and the matrix beta: all equal to the reference */
static void compare_model(rbv_model *m, const char *file) {
  rbv_document *doc = reference(file);
  const rbv_node *root = rbv_document_root(doc);
  const rbv_node *kept = rbv_node_find(root, "kept"), *beta = rbv_node_find(root, "beta");
  const rbv_node *grouped = rbv_node_find(root, "regrouped"), *zero = rbv_node_find(root, "zero");
  const rbv_node *relations = rbv_node_find(root, "relations");
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  assert_int_equal(b->count, rbv_node_count(kept));
  assert_true(b->gap > 1e6);
  for (int k = 0; k < b->count; k++) {
    assert_int_equal(b->kept[k], column_of(m, rbv_node_at(kept, k)));
    // R exactly when something is regrouped
    const bool has_r = b->name[k][strlen(b->name[k]) - 1] == 'R';
    assert_true(has_r == (rbv_node_find(relations, b->name[k]) != NULL));
    for (int g = 0; g < rbv_node_count(grouped); g++) {
      double want;
      assert_ok(rbv_node_real(&want, rbv_node_at(rbv_node_at(beta, k), g)));
      const int c = column_of(m, rbv_node_at(grouped, g));
      // both sides solve a system of condition below 1e3 in double precision
      assert_near(b->relation[k + c * b->count], want, 1e-12, 1e-12);
    }
  }
  for (int c = 0; c < b->ncolumn; c++) {
    const char *name = rbv_model_column(m, c)->name;
    assert_true((b->category[c] == RBV_CATEGORY_UNIDENTIFIABLE) == listed(zero, name));
    assert_true((b->category[c] == RBV_CATEGORY_COMBINED) == listed(grouped, name));
  }
  rbv_base_free(b);
  rbv_document_free(doc);
  rbv_model_free(m);
}

static void compare(const char *robot, int sensing, bool payload, const char *file) {
  compare_model(load(robot, sensing, payload), file);
}

static void test_tx40_has_60(void **state) {
  (void)state;
  compare("tx40", -1, false, "base_tx40.json");
}

static void test_ns16_has_58(void **state) {
  (void)state;
  compare_model(load_default_drives("ns16", NULL), "base_ns16.json");
  // 40 of links and motors, 18 of friction
  rbv_model *m = load("ns16", -1, false);
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  assert_int_equal(b->count, 58);
  rbv_base_free(b);
  rbv_model_free(m);
}

static void test_a460_has_58(void **state) {
  (void)state;
  compare("a460", -1, false, "base_crs460.json");
}

static void test_lwr_models_a_to_d(void **state) {
  (void)state;
  compare("lwr4+", RBV_SENSING_MOTOR, true, "base_lwr_A.json");
  compare("lwr4+", RBV_SENSING_JOINT, true, "base_lwr_B.json");
  compare("lwr4+", RBV_SENSING_BOTH, true, "base_lwr_C.json");
  compare("lwr4+", RBV_SENSING_DIFFERENCE, true, "base_lwr_D.json");
}

static int count_of(const char *robot, rbv_columns columns) {
  rbv_model *m = load(robot, -1, false);
  rbv_base_options o = rbv_base_defaults();
  o.columns = columns;
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, &o));
  const int count = b->count;
  rbv_base_free(b);
  rbv_model_free(m);
  return count;
}

static void test_counts_of_rigid_and_inertial_columns(void **state) {
  (void)state;
  assert_int_equal(count_of("ns16", RBV_COLUMNS_RIGID), 40);
  assert_int_equal(count_of("a460", RBV_COLUMNS_RIGID), 40);
  assert_int_equal(count_of("a460", RBV_COLUMNS_INERTIAL), 36);
  assert_int_equal(count_of("tx40", RBV_COLUMNS_INERTIAL), 36);
}

/* motor torque minus sensor torque: rotors and their friction act, links do not */
static void test_difference_of_torques_does_not_see_links(void **state) {
  (void)state;
  static const int want[] = {28, 7, 0};
  rbv_model *m = load("lwr4+", RBV_SENSING_DIFFERENCE, true);
  for (int k = 0; k < 3; k++) {
    rbv_base_options o = rbv_base_defaults();
    o.columns = (rbv_columns)k;
    rbv_base *b;
    assert_ok(rbv_base_new(&b, m, &o));
    assert_int_equal(b->count, want[k]);
    rbv_base_free(b);
  }
  rbv_model_free(m);
}

static void compare_categories(const char *robot, bool distal, const char *key) {
  rbv_model *m = load(robot, -1, false);
  rbv_document *doc = reference("categorisation.json");
  const rbv_node *want = rbv_node_find(rbv_document_root(doc), key);
  rbv_base_options o = rbv_base_defaults();
  o.columns = RBV_COLUMNS_INERTIAL;
  o.distal = distal;
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, &o));
  static const char *const list[] = {"U", "S", NULL, "D"};
  for (int c = 0; c < b->ncolumn; c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis != RBV_BASIS_INERTIAL) continue;
    for (int k = 0; k < 4; k++)
      if (list[k])
        assert_true(listed(rbv_node_find(want, list[k]), column->name) ==
                    (b->category[c] == (rbv_category)k));
    const bool base = b->category[c] == RBV_CATEGORY_ALONE || b->category[c] == RBV_CATEGORY_BASE;
    assert_true(listed(rbv_node_find(want, "DBS"), column->name) == base);
  }
  rbv_base_free(b);
  rbv_document_free(doc);
  rbv_model_free(m);
}

static void test_categories_in_both_kinds_of_frame(void **state) {
  (void)state;
  compare_categories("a460", false, "CRS_MDH");
  compare_categories("a460", true, "CRS_distalDH");
  compare_categories("tx40", false, "TX40_MDH");
  compare_categories("tx40", true, "TX40_distalDH");
}

static rbv_model *parse(const char *text) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "test.yaml", text, strlen(text), NULL));
  return m;
}

static void test_tilted_gravity_adds_two(void **state) {
  (void)state;
  char *text = read_text(ROBERVAL_SOURCE "/robots/tx40.yaml", NULL);
  char *gravity = strstr(text, "gravity: [0, 0, -9.81]");
  assert_non_null(gravity);
  memcpy(gravity, "gravity: [3, 2,-8.000]", 22);
  rbv_model *m = parse(text);
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  assert_int_equal(b->count, 62);
  rbv_base_free(b);
  rbv_model_free(m);
  free(text);
}

/* a chain with offsets and a prismatic joint; lengths and gravity in another unit */
static rbv_model *scaled_chain(double unit) {
  char text[2048];
  snprintf(text, sizeof text,
           "name: scaled\ngravity: [0, 0, %.17g]\njoints:\n"
           "  - {mdh: {alpha: 0, d: 0, r: %.17g}}\n"
           "  - {mdh: {alpha: pi/2, d: %.17g, r: %.17g}}\n"
           "  - {type: prismatic, mdh: {alpha: pi/3, d: %.17g, theta: 0.3}}\n"
           "  - {mdh: {alpha: -pi/2, d: %.17g, r: 0}}\n",
           -9.81 * unit, 0.1 * unit, 0.3 * unit, 0.05 * unit, 0.2 * unit, 0.4 * unit);
  return parse(text);
}

static void test_unit_of_length_does_not_matter(void **state) {
  (void)state;
  rbv_model *metre = scaled_chain(1);
  rbv_base *want;
  assert_ok(rbv_base_new(&want, metre, NULL));
  for (int e = -6; e <= 6; e += 3) {
    rbv_model *m = scaled_chain(pow(10, e));
    rbv_base *got;
    assert_ok(rbv_base_new(&got, m, NULL));
    assert_int_equal(got->count, want->count);
    for (int k = 0; k < want->count; k++) assert_string_equal(got->name[k], want->name[k]);
    for (int c = 0; c < want->ncolumn; c++) assert_int_equal(got->category[c], want->category[c]);
    rbv_base_free(got);
    rbv_model_free(m);
  }
  rbv_base_free(want);
  rbv_model_free(metre);
}

/* 1.5708 for pi/2 gives one parameter too many unless it is snapped */
static void test_rounded_angles_are_taken_for_what_they_mean(void **state) {
  (void)state;
  char *text = read_text(ROBERVAL_SOURCE "/robots/tx40.yaml", NULL);
  char *rounded = malloc(2 * strlen(text) + 1), *to = rounded;
  for (const char *from = text; *from;) {
    if (strncmp(from, "pi/2", 4) == 0) {
      to += sprintf(to, "1.5708");
      from += 4;
    } else {
      *to++ = *from++;
    }
  }
  *to = 0;
  rbv_model *m = parse(rounded);
  assert_int_equal(rbv_model_snap_count(m), 4);
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  assert_int_equal(b->count, 60);
  rbv_base_free(b);
  rbv_model_free(m);

  rbv_model_options o = rbv_model_defaults();
  o.snap = false;
  assert_ok(rbv_model_parse(&m, "test.yaml", rounded, strlen(rounded), &o));
  b = NULL;
  const rbv_status status = rbv_base_new(&b, m, NULL);
  // either refused because there is no gap, or more than 60; never 60 without a warning
  assert_true(status == RBV_EINPUT || (status == RBV_OK && b->count > 60));
  rbv_base_free(b);
  rbv_model_free(m);
  free(rounded);
  free(text);
}

static void test_base_values_reproduce_the_standard_ones(void **state) {
  (void)state;
  rbv_model *m = load("tx40", -1, false);
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  double *chi = malloc((size_t)b->ncolumn * sizeof *chi);
  double *again = malloc((size_t)b->ncolumn * sizeof *again);
  double *v = malloc((size_t)b->count * sizeof *v), *w = malloc((size_t)b->count * sizeof *w);
  for (int c = 0; c < b->ncolumn; c++) chi[c] = rbv_random_uniform(1, 0, (uint64_t)c);
  rbv_base_values(v, b, chi);
  rbv_base_expand(again, b, v);
  rbv_base_values(w, b, again);
  for (int k = 0; k < b->count; k++) assert_near(w[k], v[k], 0, 0);
  free(chi);
  free(again);
  free(v);
  free(w);
  rbv_base_free(b);
  rbv_model_free(m);
}

static rbv_status base_of(void *model) {
  rbv_base *b;
  const rbv_status status = rbv_base_new(&b, model, NULL);
  rbv_base_free(b);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  rbv_model *m = load("tx40", -1, false);
  fail_each_allocation(base_of, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40_has_60),
      cmocka_unit_test(test_ns16_has_58),
      cmocka_unit_test(test_a460_has_58),
      cmocka_unit_test(test_lwr_models_a_to_d),
      cmocka_unit_test(test_counts_of_rigid_and_inertial_columns),
      cmocka_unit_test(test_difference_of_torques_does_not_see_links),
      cmocka_unit_test(test_categories_in_both_kinds_of_frame),
      cmocka_unit_test(test_tilted_gravity_adds_two),
      cmocka_unit_test(test_unit_of_length_does_not_matter),
      cmocka_unit_test(test_rounded_angles_are_taken_for_what_they_mean),
      cmocka_unit_test(test_base_values_reproduce_the_standard_ones),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
