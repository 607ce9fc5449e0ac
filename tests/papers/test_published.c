/*
 * Published base parameters: Table 2 of Villagrossi 2014 (COMAU NS16), relations and values, and
 * Table II of Radkhah 2007 (CRS A460), which the built-in robot does not contain.
 */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/linalg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papers/printed_parameters.h"
#include "support.h"

static void random_state(double *x, int n, uint64_t seed, uint64_t k) {
  for (int i = 0; i < n; i++) x[i] = 6 * rbv_random_uniform(seed, (uint64_t)i, k) - 3;
}

static rbv_model *load(const char *robot) {
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, NULL));
  return m;
}

/* smallest eigenvalue of the mass matrix, lowest and highest over random poses */
static void smallest_inertia(double range[2], const rbv_model *m, const double *chi, int poses) {
  const int n = rbv_model_joint_count(m);
  double M[36], values[6], V[36], q[6];
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int k = 0; k < poses; k++) {
    random_state(q, n, 5, (uint64_t)k);
    rbv_dynamics_mass(M, d, q);
    assert_ok(rbv_eigen_symmetric(values, V, M, n, n));
    range[0] = fmin(range[0], values[0]);
    range[1] = fmax(range[1], values[0]);
  }
  rbv_dynamics_free(d);
}

/* ---- COMAU NS16, Villagrossi 2014 Table 2 ---- */

static rbv_base *table2_base(const rbv_model *m, int *from) {
  const printed_frames frames = rbv_printed_villagrossi_frames();
  rbv_base *b;
  assert_ok(rbv_printed_base(&b, from, m, &frames, RBV_COLUMNS_RIGID));
  return b;
}

static int find(const rbv_model *m, const char *name) {
  const int c = rbv_model_find(m, name);
  if (c < 0) fail_msg("no column %s", name);
  return c;
}

static void test_ns16_relations_of_table_2(void **state) {
  (void)state;
  rbv_model *m = load("ns16");
  int from[84], misprints = 0;
  rbv_base *b = table2_base(m, from);
  assert_int_equal(b->count, 40);
  assert_true(b->gap > 1e9);
  for (int i = 0; i < 40; i++) {
    const printed_relation *p = &rbv_printed_villagrossi[i];
    int terms, matching;
    assert_ok(rbv_printed_match(&terms, &matching, b, from, m, p));
    if (matching != (p->why ? p->matching : terms))
      fail_msg("row %d: %d of %d terms match", i + 1, matching, terms);
    misprints += matching != terms;
  }
  // the minus of row 29; row 32 truncates 0.4236 to 0.423
  assert_int_equal(misprints, 2);
  rbv_base_free(b);
  rbv_model_free(m);
}

/* a wrong relation is found */
static void test_wrong_relations_do_not_match(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int terms, matching;
  } cases[] = {{"MX2 + 0.700 M3 + 0.700 M4 + 0.700 M5 + 0.700 M6", 5, 5},
               {"MX2 + 0.701 M3 + 0.700 M4 + 0.700 M5 + 0.700 M6", 5, 4},
               {"MX2 - 0.700 M3 + 0.700 M4 + 0.700 M5 + 0.700 M6", 5, 4},
               {"MX2 + 0.700 M3", 2, -1},
               {"MX2 + 0.700 M3 + 0.700 M4 + 0.700 M5 + 0.700 M6 + XX6", 6, 5},
               {"M6 + MX2", 2, -1}};
  rbv_model *m = load("ns16");
  int from[84], terms, matching;
  rbv_base *b = table2_base(m, from);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const printed_relation p = {.text = cases[i].text};
    assert_ok(rbv_printed_match(&terms, &matching, b, from, m, &p));
    assert_int_equal(terms, cases[i].terms);
    assert_int_equal(matching, cases[i].matching);
  }
  rbv_base_free(b);
  rbv_model_free(m);
}

/* the built-in values in the frames of the table are those of the table */
static void test_ns16_values_of_table_2(void **state) {
  (void)state;
  rbv_model *m = load("ns16");
  const printed_frames frames = rbv_printed_villagrossi_frames();
  const double *chi = rbv_model_parameters(m);
  assert_non_null(chi);
  double turned[84], values[40];
  int from[84];
  rbv_printed_from_model(turned, chi, m, &frames);
  rbv_base *b = table2_base(m, from);
  rbv_base_values(values, b, turned);
  // sums of a few decimals up to 80
  for (int i = 0; i < 40; i++)
    assert_near(values[rbv_printed_find(b, from, m, &rbv_printed_villagrossi[i])],
                rbv_printed_villagrossi[i].value, 1e-12, 0);
  for (int j = 0; j < 6; j++) {
    char name[16];
    snprintf(name, sizeof name, "Fc%d", j + 1);
    assert_true(chi[find(m, name)] == rbv_printed_villagrossi_f0[j]);
    snprintf(name, sizeof name, "Fv%d", j + 1);
    assert_true(chi[find(m, name)] == rbv_printed_villagrossi_f1[j]);
    snprintf(name, sizeof name, "Fcu%d", j + 1);
    assert_true(chi[find(m, name)] == 0);
  }
  rbv_base_free(b);
  rbv_model_free(m);
}

static void test_ns16_mass_matrix_is_positive(void **state) {
  (void)state;
  rbv_model *m = load("ns16");
  double range[2];
  smallest_inertia(range, m, rbv_model_parameters(m), 10000);
  assert_true(range[0] > 0);
  rbv_model_free(m);
}

/* ---- CRS A460, Radkhah 2007 Table II ---- */

/* with three corrected labels the 32 are base parameters, and four are missing */
static void test_a460_table_ii_lacks_four(void **state) {
  (void)state;
  rbv_model *m = load("a460");
  const int nc = rbv_model_column_count(m);
  const printed_frames frames = rbv_printed_radkhah_frames();
  int from[84];
  rbv_base *b;
  assert_ok(rbv_printed_base(&b, from, m, &frames, RBV_COLUMNS_INERTIAL));
  assert_int_equal(b->count, 36);
  bool missing[84] = {false};
  for (int k = 0; k < b->count; k++) missing[from[b->kept[k]]] = true;
  for (int i = 0; i < 32; i++) {
    const int c = find(m, rbv_printed_radkhah[i].name);
    if (!missing[c]) fail_msg("%s is no base parameter, or twice", rbv_printed_radkhah[i].label);
    missing[c] = false;
  }
  int count = 0;
  for (int c = 0; c < nc; c++) count += missing[c];
  assert_int_equal(count, 4);
  assert_true(missing[find(m, "XY2")] && missing[find(m, "XY4")]);
  assert_true(missing[find(m, "XX5")] && missing[find(m, "XY5")]);
  rbv_base_free(b);
  rbv_model_free(m);
}

/* the mass matrix is not positive: the built-in robot has no values */
static void test_a460_table_ii_mass_matrix_is_not_positive(void **state) {
  (void)state;
  rbv_model *m = load("a460");
  assert_null(rbv_model_parameters(m));
  const printed_frames frames = rbv_printed_radkhah_frames();
  for (int sign = -1; sign <= 1; sign += 2) {
    double chi[84] = {0}, turned[84] = {0}, range[2];
    for (int i = 0; i < 32; i++) {
      const int c = find(m, rbv_printed_radkhah[i].name), k = rbv_model_column(m, c)->component;
      chi[c] = (k == 1 || k == 2 || k == 4 ? sign : 1) * rbv_printed_radkhah[i].value;
    }
    rbv_printed_to_model(turned, chi, m, &frames);
    // 17.319 * 0.3048^2 - 2 * 6.4811 * 0.3048
    assert_near(turned[find(m, "ZZ2")], -2.342, 1e-3, 0);
    smallest_inertia(range, m, turned, 1000);
    assert_true(range[1] < 0);
  }
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ns16_relations_of_table_2),
      cmocka_unit_test(test_wrong_relations_do_not_match),
      cmocka_unit_test(test_ns16_values_of_table_2),
      cmocka_unit_test(test_ns16_mass_matrix_is_positive),
      cmocka_unit_test(test_a460_table_ii_lacks_four),
      cmocka_unit_test(test_a460_table_ii_mass_matrix_is_not_positive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
