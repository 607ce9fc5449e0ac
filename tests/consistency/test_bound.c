/* Ellipsoids that contain a link: around capsules, and from files. */
#include <roberval/sys/document.h>

#include "consistency/consistency.h"
#include "robots.h"

static const char arm[] =
    "name: arm\n"
    "joints:\n"
    "  - {name: a, mdh: {alpha: 0, d: 0, theta: 0, r: 0}}\n"
    "  - {name: b, mdh: {alpha: 0, d: 0.5, theta: 0, r: 0}}\n"
    "collision:\n"
    "  - {link: 0, from: [0, 0, 0], to: [0, 0, 1], radius: 1}\n"
    "  - {link: 1, from: [0.1, 0.2, 0], to: [0.4, -0.3, 0.5], radius: 0.05}\n"
    "  - {link: 1, from: [0, 0, 0], to: [0, 0, 0], radius: 0.15}\n";

static rbv_model *load(void) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.yaml", arm, strlen(arm), NULL));
  return m;
}

/* (x - c)' inv(A A') (x - c) for orthogonal axes A */
static double place(const rbv_ellipsoid *e, const double x[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double along = 0, square = 0;
    for (int i = 0; i < 3; i++) {
      along += e->axes[i + 3 * k] * (x[i] - e->centre[i]);
      square += e->axes[i + 3 * k] * e->axes[i + 3 * k];
    }
    sum += along * along / (square * square);
  }
  return sum;
}

/* points on the surface of the capsules are inside, and some of them near the boundary */
static void test_capsules_are_contained(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_ellipsoid e[2];
  rbv_consistency_bounds(e, m);
  double furthest = 0;
  dice d = {1, 0};
  for (int c = 1; c < 3; c++) {
    const rbv_capsule *capsule = rbv_model_capsule(m, c);
    for (int k = 0; k < 4000; k++) {
      double u[3], norm = 0, x[3];
      const double along = between(&d, 0, 1);
      for (int i = 0; i < 3; i++) norm = hypot(norm, u[i] = normal(&d));
      for (int i = 0; i < 3; i++)
        x[i] = capsule->from[i] + along * (capsule->to[i] - capsule->from[i]) +
               capsule->radius * u[i] / norm;
      furthest = fmax(furthest, place(&e[0], x));
    }
  }
  assert_true(furthest <= 1 && furthest > 0.4);
  for (int i = 0; i < 9; i++) assert_true(e[1].axes[i] == 0);  // a link without capsules
  rbv_model_free(m);
}

/* one capsule along x, by hand: a box of 0.5 x 0.2 x 0.2 */
static void test_by_hand(void **state) {
  (void)state;
  static const char one[] =
      "name: arm\njoints:\n  - {name: a, mdh: {alpha: 0, d: 0, theta: 0, r: 0}}\n"
      "collision:\n  - {link: 1, from: [0.1, 0, 0], to: [0.4, 0, 0], radius: 0.1}\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.yaml", one, strlen(one), NULL));
  rbv_ellipsoid e;
  rbv_consistency_bounds(&e, m);
  assert_near(e.centre[0], 0.25, 1e-15, 0);
  assert_near(e.centre[1], 0, 1e-15, 0);
  assert_near(e.axes[0], sqrt(3) * 0.25, 1e-15, 0);
  const double corner[3] = {0.5, 0.1, -0.1};
  assert_near(place(&e, corner), 1, 1e-14, 0);
  rbv_model_free(m);
}

static void test_files(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_ellipsoid e[2];
  const char *path = temp_file(
      "b.yaml", "bounds:\n  - {link: 2, centre: [0.1, 0, 0], half_axes: [0.3, 0.2, 0.1]}\n");
  assert_ok(rbv_consistency_load_bounds(e, m, path));
  assert_true(e[0].axes[0] == 0 && e[1].centre[0] == 0.1);
  assert_true(e[1].axes[0] == 0.3 && e[1].axes[4] == 0.2 && e[1].axes[8] == 0.1);
  static const struct {
    const char *text, *words;
  } wrong[] = {
      {"bounds: 3\n", "a list of ellipsoids is missing"},
      {"[]\n", ""},
      {"bounds:\n  - {link: 3, centre: [0, 0, 0], half_axes: [1, 1, 1]}\n", "the links are 1 to 2"},
      {"bounds:\n  - {link: 1, centre: [0, 0, 0], half_axes: [1, 0, 1]}\n", "must be positive"},
      {"bounds:\n  - {link: 1, centre: [0, 0, 0]}\n", "needs 'half_axes'"},
      {"bounds:\n  - {link: 1, centre: [0, 0], half_axes: [1, 1, 1]}\n", ""},
      {"bounds:\n  - {link: 1, centre: [0, 0, 0], half_axes: [1, 1, 1]}\n"
       "  - {link: 1, centre: [0, 0, 0], half_axes: [1, 1, 1]}\n",
       "has two ellipsoids"},
      {"bounds:\n  - {links: 1}\n", "links"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_refused(rbv_consistency_load_bounds(e, m, temp_file("w.yaml", wrong[i].text)),
                   RBV_EINPUT, wrong[i].words);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_capsules_are_contained),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
