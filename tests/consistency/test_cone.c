/* Matrix operations of one cone. */
#include "consistency/cone.h"
#include "motions.h"
#include "robots.h"

/* S S' + 1: symmetric and positive definite */
static void random_positive(double *X, dice *d, int s) {
  double S[64];
  for (int e = 0; e < s * s; e++) S[e] = between(d, -1, 1);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) {
      X[i + j * s] = i == j;
      for (int k = 0; k < s; k++) X[i + j * s] += S[i + k * s] * S[j + k * s];
    }
}

static double trace_of_product(const double *A, const double *B, int s) {
  double sum = 0;
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) sum += A[i + j * s] * B[j + i * s];
  return sum;
}

/* X = L L', inv(L) L = 1, log det from the diagonal; an indefinite matrix is detected */
static void test_factor(void **state) {
  (void)state;
  dice d = {3, 0};
  for (int s = 1; s <= 8; s++) {
    double X[64], L[64], Linv[64], log_det, diagonal = 0;
    random_positive(X, &d, s);
    memcpy(L, X, sizeof L);
    assert_true(rbv_cone_factor(L, Linv, &log_det, s));
    for (int i = 0; i < s; i++) {
      diagonal += log(L[i + i * s]);
      for (int j = 0; j < s; j++) {
        double product = 0, one = 0;
        for (int k = 0; k < s; k++) {
          product += L[i + k * s] * L[j + k * s];
          one += Linv[i + k * s] * L[k + j * s];
        }
        // entries up to 10, s terms
        assert_near(product, X[i + j * s], 1e-14, 1e-14);
        assert_near(one, i == j, 1e-13, 0);
      }
    }
    assert_near(log_det, 2 * diagonal, 1e-13, 0);
    // one eigenvalue negative, and a NaN
    memcpy(L, X, sizeof L);
    L[s * s - 1] = -1;
    assert_false(rbv_cone_factor(L, NULL, NULL, s));
    L[0] = NAN;
    assert_false(rbv_cone_factor(L, NULL, NULL, s));
  }
  // by hand: det of [4 2; 2 3] is 8
  double L[4] = {4, 2, 2, 3}, log_det;
  assert_true(rbv_cone_factor(L, NULL, &log_det, 2));
  assert_near(log_det, log(8), 1e-15, 0);
}

/* the product of packed vectors is the trace of the product of the matrices; unpacking restores
 * them */
static void test_pack(void **state) {
  (void)state;
  dice d = {4, 0};
  for (int s = 1; s <= 8; s++) {
    double A[64], B[64], back[64], a[36], b[36], product = 0;
    random_positive(A, &d, s);
    random_positive(B, &d, s);
    rbv_cone_pack(a, A, s);
    rbv_cone_pack(b, B, s);
    for (int i = 0; i < rbv_packed_length(s); i++) product += a[i] * b[i];
    assert_near(product, trace_of_product(A, B, s), 0, 1e-14);
    rbv_cone_unpack(back, a, s);
    for (int e = 0; e < s * s; e++) assert_near(back[e], A[e], 0, 1e-15);
  }
}

/* column k of K is S map_k S', for bodies, ellipsoids, and drives alone and coupled */
static void test_congruence(void **state) {
  (void)state;
  dice d = {5, 0};
  rbv_model *m = load_robot("tx40", -1, false);
  rbv_ellipsoid bound[6] = {0};
  bound[2] = (rbv_ellipsoid){{0.1, 0, 0.05}, {0.5, 0.1, 0, 0, 0.6, 0, 0, 0, 0.7}};
  cone_set set;
  char *memory;
  assert_ok(rbv_cones_new(&set, &memory, m, &(cone_choice){.bound = bound}));
  int columns = 0, rows = 0, coupled = 0;
  for (int i = 0; i < set.count; i++) {
    const cone *c = &set.cone[i];
    const int s = c->size, length = rbv_packed_length(s);
    assert_true(s <= 4);
    coupled += c->kind == CONE_DRIVE && s > 1;
    assert_int_equal(c->first, columns);
    assert_int_equal(c->row, rows);
    columns += c->count;
    rows += length;
    double S[16], K[10 * 16];
    for (int e = 0; e < s * s; e++) S[e] = between(&d, -1, 1);
    assert_true(c->count <= 16);
    rbv_cone_congruence(K, c, S);
    for (int k = 0; k < c->count; k++) {
      const double *A = c->map + k * s * s;
      double B[16] = {0}, want[10];
      for (int a = 0; a < s; a++)
        for (int b = 0; b < s; b++)
          for (int x = 0; x < s; x++)
            for (int y = 0; y < s; y++) B[a + b * s] += S[a + x * s] * A[x + y * s] * S[b + y * s];
      rbv_cone_pack(want, B, s);
      for (int e = 0; e < length; e++) assert_near(K[e + k * length], want[e], 1e-14, 1e-14);
    }
  }
  assert_int_equal(set.columns, columns);
  assert_int_equal(set.rows, rows);
  assert_int_equal(coupled, 2);
  rbv_free(memory);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_factor),
      cmocka_unit_test(test_pack),
      cmocka_unit_test(test_congruence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
