/* One body computed by hand, and the check of a robot. */
#include "base/support.h"
#include "consistency/consistency.h"
#include "motions.h"
#include "robots.h"

/* parameters at the origin of a body with mass m, centre c and central inertia diag(a, b, d) */
static void place(double phi[10], double m, const double c[3], double a, double b, double d) {
  const double own[10] = {a, 0, 0, b, 0, d, 0, 0, 0, 0};
  double shift[10] = {0};
  add_point(shift, m, c);
  for (int k = 0; k < 10; k++) phi[k] = own[k] + shift[k];
}

/* 2 kg, sides 1, 2, 3 m: I = m/12 (b^2 + c^2), ...; second moments m/12 (1, 4, 9) */
static void test_box(void **state) {
  (void)state;
  const double centre[3] = {0.5, -1, 2};
  double phi[10], P[16], back[10];
  place(phi, 2, centre, 13 / 6., 10 / 6., 5 / 6.);
  rbv_body body;
  assert_ok(rbv_body_check(&body, phi));
  assert_int_equal(body.fault, RBV_BODY_CONSISTENT);
  // the smallest of 1, 4, 9 divided by their mean; sums of terms up to 20, so 1e-13 is ample
  assert_near(body.margin, 1 / (14 / 3.), 1e-13, 0);
  for (int i = 0; i < 3; i++) assert_near(body.centre[i], centre[i], 1e-15, 0);
  assert_near(body.principal[0], 5 / 6., 1e-14, 0);
  assert_near(body.principal[1], 10 / 6., 1e-14, 0);
  assert_near(body.principal[2], 13 / 6., 1e-14, 0);
  rbv_body_pseudo(P, phi);
  // integral of x^2 = m (1/12 + 0.25), of x y = m (0.5)(-1)
  assert_near(P[0], 2 * (1 / 12. + 0.25), 1e-14, 0);
  assert_near(P[1], -1, 1e-14, 0);
  assert_near(P[12], 1, 0, 0);
  assert_near(P[15], 2, 0, 0);
  rbv_body_parameters(back, P);
  for (int k = 0; k < 10; k++) assert_near(back[k], phi[k], 1e-14, 0);
}

static rbv_body_fault fault_of(const double phi[10]) {
  rbv_body body;
  assert_ok(rbv_body_check(&body, phi));
  assert_true((body.margin > 0) == (body.fault == RBV_BODY_CONSISTENT));
  assert_true(strlen(rbv_body_fault_text(body.fault)) > 5);
  return body.fault;
}

/* point, rod and plate are on the boundary at any position */
static void test_flat_bodies(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    dice d = {seed, 0};
    for (int points = 1; points <= 3; points++) {
      double phi[10] = {0};
      for (int k = 0; k < points; k++)
        add_point(phi, between(&d, 0.1, 2),
                  (double[3]){between(&d, -1, 1), between(&d, -1, 1), between(&d, -1, 1)});
      assert_int_equal(fault_of(phi), RBV_BODY_FLAT);
    }
  }
}

/* positive definite, but not a body: 1 + 1 < 3. A check of definiteness alone accepts it. */
static void test_triangle(void **state) {
  (void)state;
  double phi[10];
  const double centre[3] = {0.3, 0, -0.2};
  place(phi, 5, centre, 1, 1, 3);
  assert_int_equal(fault_of(phi), RBV_BODY_TRIANGLE);
  rbv_body body;
  assert_ok(rbv_body_check(&body, phi));
  // second moments (1.5, 1.5, -0.5) over their mean size 3.5/3
  assert_near(body.margin, -0.5 / (3.5 / 3), 1e-13, 0);
  place(phi, 5, centre, 1, 1, 1.9);
  assert_int_equal(fault_of(phi), RBV_BODY_CONSISTENT);
}

static void test_other_faults(void **state) {
  (void)state;
  double phi[10];
  const double centre[3] = {0.3, 0, -0.2};
  place(phi, 5, centre, 1, 1, -0.1);
  assert_int_equal(fault_of(phi), RBV_BODY_INERTIA);
  // possible at the origin, but not about the centre of mass: the first moment is too large
  place(phi, 1, centre, 0.02, 0.02, 0.02);
  phi[6] = 1;
  assert_int_equal(fault_of(phi), RBV_BODY_INERTIA);
  // second moments used as an inertia: those of a rod, (0.1, 0.1, 5), violate the triangle
  // inequality
  place(phi, 1, centre, 0.1, 0.1, 5);
  assert_int_equal(fault_of(phi), RBV_BODY_TRIANGLE);
  place(phi, -1, centre, 1, 1, 1);
  assert_int_equal(fault_of(phi), RBV_BODY_MASS);
  memset(phi, 0, sizeof phi);
  assert_int_equal(fault_of(phi), RBV_BODY_MASS);
  phi[3] = NAN;
  assert_int_equal(fault_of(phi), RBV_BODY_NOT_FINITE);
}

/* margin and fault are the same in millimetres and grams */
static void test_units(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    dice d = {seed, 0};
    double phi[10], other[10];
    random_body(phi, &d, 2, 0.3);
    for (int k = 0; k < 10; k++) other[k] = 1e3 * phi[k] * (k < 6 ? 1e6 : k < 9 ? 1e3 : 1);
    rbv_body a, b;
    assert_ok(rbv_body_check(&a, phi));
    assert_ok(rbv_body_check(&b, other));
    assert_int_equal(a.fault, RBV_BODY_CONSISTENT);
    assert_int_equal(b.fault, RBV_BODY_CONSISTENT);
    assert_near(a.margin, b.margin, 0, 1e-10);
  }
}

static const rbv_drive *drive_of(const rbv_consistency *r, const rbv_model *m, const char *name) {
  for (int i = 0; i < r->ndrive; i++)
    if (r->drive[i].column == rbv_model_find(m, name)) return &r->drive[i];
  fail_msg("%s has no bound", name);
  return NULL;
}

/* motor 6 of the TX40 also turns joint 5: rotors [Ia5 Ia6; Ia6 Ia6], friction [Fv5
 * fvm6; fvm6 Fv6] */
static void test_robot(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, true);
  double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
  dice d = {3, 0};
  random_parameters(chi, m, &d);
  chi[rbv_model_find(m, "Ia5")] = 0.5;
  chi[rbv_model_find(m, "Ia6")] = 0.4;
  rbv_consistency *r;
  assert_ok(rbv_consistency_new(&r, m, chi));
  assert_int_equal(r->faults, 0);
  assert_int_equal(r->nbody, 7);
  // Ia, Fv, Fc of six joints, fvm6, fcm6; offsets have no bound
  assert_int_equal(r->ndrive, 20);
  assert_true(drive_of(r, m, "fvm6")->coupled);
  assert_false(drive_of(r, m, "fcm6")->coupled);
  rbv_consistency_free(r);

  chi[rbv_model_find(m, "Ia6")] = 0.6;
  chi[rbv_model_find(m, "fvm6")] = -5;
  chi[rbv_model_find(m, "Fc2")] = -1e-3;
  chi[rbv_model_find(m, "ML")] = -1;
  chi[rbv_model_find(m, "Fv1")] = 0;
  assert_ok(rbv_consistency_new(&r, m, chi));
  assert_int_equal(r->faults, 4);
  assert_false(drive_of(r, m, "Ia5")->consistent);
  assert_false(drive_of(r, m, "Fv6")->consistent);
  assert_false(drive_of(r, m, "Fc2")->consistent);
  assert_true(drive_of(r, m, "Fv1")->consistent);
  assert_int_equal(r->body[6].fault, RBV_BODY_MASS);
  rbv_consistency_free(r);
  free(chi);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box),      cmocka_unit_test(test_flat_bodies),
      cmocka_unit_test(test_triangle), cmocka_unit_test(test_other_faults),
      cmocka_unit_test(test_units),    cmocka_unit_test(test_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
