/* Gram matrices by the sources of the device library, in plain C, beside those of the search. */
#include <math.h>
#include <roberval/sys/trajectory.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "device/plain_device.h"
#include "excite/flat_gram.h"
#include "odd_arm.h"
#include "support.h"

enum { INDIVIDUALS = 3, SAMPLES = 1000 };  // not a multiple of 32

static void compare(const rbv_model *m) {
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, m, NULL));
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.njoint = rbv_model_joint_count(m);
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, &shape, NULL));
  const int total = rbv_trajectory_coefficient_count(t), n = e->n;
  double *x = malloc((size_t)(INDIVIDUALS * total) * sizeof *x), *basis;
  for (int i = 0; i < INDIVIDUALS * total; i++)
    x[i] = rbv_random_normal(7, 1, (uint64_t)i) * (i % 11 ? 0.3 : 1);
  flat_gram f;
  assert_ok(rbv_flat_gram(&f, e));
  int terms;
  assert_ok(rbv_flat_basis(&basis, &terms, t, SAMPLES));
  f.gram.terms = terms;
  f.gram.samples = SAMPLES;
  f.gram.individuals = INDIVIDUALS;
  double *G = malloc((size_t)(INDIVIDUALS * n * n) * sizeof *G);
  const device_gram_arrays a = {basis, x, G};
  char text[200];
  assert_int_equal(rbv_plain_device.gram(&f.gram, &a, NULL, NULL, text, sizeof text), 0);
  worker w;
  assert_ok(rbv_worker_new(&w, e));
  for (int i = 0; i < INDIVIDUALS; i++) {
    assert_ok(rbv_trajectory_set(t, x + i * total));
    rbv_worker_gram(&w, &t, 1, SAMPLES);
    for (int r = 0; r < n; r++)
      for (int c = 0; c <= r; c++) {
        const double got = G[(ptrdiff_t)i * n * n + f.place[r] + f.place[c] * n];
        // sums of 6000 products: relative to the norms of the two columns
        const double size = sqrt(w.G[r + r * n] * w.G[c + c * n]);
        assert_near(got, w.G[r + c * n], 1e-12 * size, 0);
      }
  }
  rbv_worker_free(&w);
  rbv_trajectory_free(t);
  rbv_excite_free(e);
  rbv_free(basis);
  free(x);
  free(G);
}

static void test_built_in_robots(void **state) {
  (void)state;
  const char *const robots[] = {"tx40", "ns16", "a460"};
  for (int i = 0; i < RBV_COUNT(robots); i++) {
    rbv_model *m;
    assert_ok(rbv_model_load(&m, robots[i], NULL));
    compare(m);
    rbv_model_free(m);
  }
}

static void test_any_chain(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "odd", odd_arm, strlen(odd_arm), NULL));
  compare(m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_built_in_robots),
      cmocka_unit_test(test_any_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
