/*
 * A base that moves, simulated by MuJoCo: a quadruped thrown, on a rope whose wrench is measured,
 * and standing on feet whose forces are not.
 */
#include <roberval/sys/baseparam.h>
#include <roberval/sys/identify.h>

#include "equations/kept_rows.h"
#include "quadruped.h"

#define COLUMNS 260
#define JOINT_NOISE 0.15  // N m
#define WRENCH_NOISE 1.0  // N and N m

static const char feet[] = "FL_foot,FR_foot,RL_foot,RR_foot";

/* rms of what parameters leave of all rows */
static double left_over(const rbv_model *m, rbv_motion *motion, const double *chi, int first) {
  const ptrdiff_t count = rbv_motion_get_info(motion)->count;
  double sum = 0, *e = calloc((size_t)(count * COORDINATES), sizeof *e);
  assert_ok(rbv_equations_residuals(e, m, motion, chi, 1));
  for (ptrdiff_t k = first * count; k < count * COORDINATES; k++) sum += e[k] * e[k];
  free(e);
  return sqrt(sum);
}

typedef struct {
  int inside, all;  // parameters of the trunk within two sigma
  double z2;        // their mean square in sigmas
  double error;     // of another motion, largest
  int base;         // base parameters
} score;

/* the body of the base is the sixth one */
static bool of_trunk(const rbv_model *m, int column) {
  const rbv_column *c = rbv_model_column(m, column);
  return c->basis == RBV_BASIS_INERTIAL && c->joint == BASE - 1;
}

static void study(score *out, quadruped *r, scene kind, int runs, int motions, ptrdiff_t count) {
  double chi[COLUMNS];
  const bool contacts = kind == STANDING;
  quadruped_truth(chi, r);
  flight unseen = quadruped_move(r, kind, 999, count);
  add_noise(&unseen, kind == ROPE ? 0 : BASE, JOINT_NOISE, WRENCH_NOISE, 999);
  rbv_motion *other = flight_motion(&unseen, contacts);
  const double floor = left_over(r->m, other, chi, 0);
  for (int run = 0; run < runs; run++) {
    rbv_motion *motion[32];
    for (int i = 0; i < motions; i++) {
      const uint64_t seed = (uint64_t)(1 + run * motions + i);
      flight f = quadruped_move(r, kind, seed, count);
      add_noise(&f, kind == ROPE ? 0 : BASE, JOINT_NOISE, WRENCH_NOISE, seed);
      motion[i] = flight_motion(&f, contacts);
      flight_free(&f);
    }
    rbv_identify_options o = rbv_identify_defaults();
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, r->m, motion, motions, &o));
    double *truth = calloc((size_t)e->base->count, sizeof *truth);
    rbv_base_values(truth, e->base, chi);
    for (int k = 0; k < e->base->count; k++) {
      const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      if (!of_trunk(r->m, e->base->kept[k]) || !isfinite(sigma)) continue;
      const double z = (e->value[k] - truth[k]) / sigma;
      out->all++;
      out->inside += fabs(z) <= 2;
      out->z2 += z * z;
    }
    out->error = fmax(out->error, left_over(r->m, other, e->chi, 0) / floor);
    out->base = e->base->count;
    free(truth);
    rbv_estimate_free(e);
    for (int i = 0; i < motions; i++) rbv_motion_free(motion[i]);
  }
  rbv_motion_free(other);
  flight_free(&unseen);
  out->z2 /= out->all;
  print_message(
      "%d of %d parameters of the trunk within 2 sigma, mean square %.2f; error %.3f of "
      "the noise; %d base parameters\n",
      out->inside, out->all, out->z2, out->error, out->base);
}

/* our torques of the true parameters are those of MuJoCo */
static void test_agrees(void **state) {
  (void)state;
  for (int kind = THROWN; kind <= STANDING; kind++) {
    quadruped r = quadruped_load((scene)kind, kind == STANDING ? feet : NULL);
    double chi[COLUMNS];
    quadruped_truth(chi, &r);
    flight f = quadruped_move(&r, (scene)kind, 5, 400);
    rbv_motion *motion = flight_motion(&f, kind == STANDING);
    double size = 0;
    for (ptrdiff_t k = 0; k < f.count * COORDINATES; k++) size += f.tau[k] * f.tau[k];
    const double left = left_over(r.m, motion, chi, 0);
    print_message("scene %d: %.3g of %.3g\n", kind, left, sqrt(size));
    assert_true(left < 1e-6 * sqrt(size));
    rbv_motion_free(motion);
    flight_free(&f);
    quadruped_free(&r);
  }
}

static void run_scene(scene kind, int runs, int motions, ptrdiff_t count) {
  quadruped r = quadruped_load(kind, kind == STANDING ? feet : NULL);
  score o = {0};
  study(&o, &r, kind, runs, motions, count);
  // 95 % of 20 are expected
  assert_int_equal(o.all, 20);
  assert_true(o.inside >= 16);
  assert_true(o.error <= 1.3);
  quadruped_free(&r);
}

static void test_thrown(void **state) {
  (void)state;
  run_scene(THROWN, 2, 6, 160);
}

static void test_rope(void **state) {
  (void)state;
  run_scene(ROPE, 2, 1, 1500);
}

static void test_standing(void **state) {
  (void)state;
  run_scene(STANDING, 2, 1, 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_agrees), cmocka_unit_test(test_thrown),
                                     cmocka_unit_test(test_rope), cmocka_unit_test(test_standing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
