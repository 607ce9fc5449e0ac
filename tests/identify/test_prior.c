/* Priors: they help if the motion gives little information, and have no effect if it gives much. */
#include <math.h>
#include <roberval/sys/identify.h>

#include "motions.h"
#include "support.h"

#define COLUMNS 128

typedef struct {
  rbv_model *m;
  double chi[COLUMNS];
  waves other;  // rich motion without noise, to test the parameters
} scene;

static void open_scene(scene *s) {
  s->m = load_robot("tx40", -1, false);
  random_columns(s->chi, s->m, 1);
  waves_new(&s->other, s->m, s->chi, 99, 2000, 100, false);
}

static void close_scene(scene *s) {
  waves_free(&s->other);
  rbv_model_free(s->m);
}

/* parameters of the links as from CAD, with errors of about this share; friction unknown */
static void draw_prior(double *prior, const scene *s, double error, uint64_t seed) {
  for (int c = 0; c < rbv_model_column_count(s->m); c++) {
    const bool of_link = rbv_model_column(s->m, c)->basis == RBV_BASIS_INERTIAL;
    prior[c] = of_link ? s->chi[c] * (1 + error * rbv_random_normal(seed, 3, (uint64_t)c)) : 0;
  }
}

/* sines of this size; noise: share of the torque of full-size ones */
static rbv_motion *record(const scene *s, uint64_t seed, double size, double seconds,
                          double noise) {
  waves w;
  const ptrdiff_t count = (ptrdiff_t)(seconds * 100);
  waves_new(&w, s->m, NULL, seed, count, 100, false);
  for (ptrdiff_t k = 0; k < count * w.njoint; k++) {
    w.q[k] *= size;
    w.dq[k] *= size;
    w.ddq[k] *= size;
  }
  waves_set_torque(&w, s->m, s->chi);
  for (int r = 0; r < w.nrow; r++) {
    const double sigma = noise * waves_deviation(&s->other, r);
    for (ptrdiff_t k = 0; k < count; k++)
      w.torque[k + r * count] += sigma * rbv_random_normal(seed, (uint64_t)(200 + r), (uint64_t)k);
  }
  rbv_motion *motion = waves_motion(&w);
  waves_free(&w);
  return motion;
}

static rbv_estimate *identify(const scene *s, rbv_motion *motion, const double *prior,
                              const char *method) {
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  o.prior = prior;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, s->m, &motion, 1, &o));
  return e;
}

/* relative error on the other motion */
static double error_on_other_motion(const scene *s, const rbv_estimate *e) {
  rbv_motion *motion = waves_motion(&s->other);
  const rbv_row_filter filter = {.decimate = 1};
  rbv_prediction *p;
  assert_ok(rbv_predict(&p, s->m, &motion, 1, e->chi, &filter));
  const double error = p->fit.relative_error;
  rbv_prediction_free(p);
  rbv_motion_free(motion);
  return error;
}

typedef struct {
  double without, with;  // relative error on the other motion
  double weight;
  double moved;  // rms change of the parameters by the prior, in sigma of the fit without it
  int held;      // parameters with the status prior
} outcome;

/* size of the motion, and error of the prior */
static outcome use_prior(const scene *s, const char *method, double size, double seconds,
                         double error, uint64_t seed) {
  double prior[COLUMNS];
  draw_prior(prior, s, error, seed);
  rbv_motion *motion = record(s, seed, size, seconds, 0.05);
  rbv_estimate *e = identify(s, motion, NULL, method), *p = identify(s, motion, prior, method);
  outcome o = {error_on_other_motion(s, e), error_on_other_motion(s, p), p->prior_weight, 0, 0};
  const int n = e->base->count;
  for (int k = 0; k < n; k++) {
    const double step = e->value[k] - p->value[k];
    o.moved += step * step / e->covariance[k + k * n] / n;
    o.held += p->status[k] == RBV_STATUS_PRIOR;
  }
  o.moved = sqrt(o.moved);
  rbv_estimate_free(e);
  rbv_estimate_free(p);
  rbv_motion_free(motion);
  return o;
}

static void print(double error, const outcome *o) {
  print_message(
      "prior wrong by %g: error on the other motion %.4f, without prior %.4f; weight %g, moved by "
      "%.2f sigma, %d held\n",
      error, o->with, o->without, o->weight, o->moved, o->held);
}

/* a motion of a tenth of the size, with noise of full size: without prior the parameters are
 * useless */
static void test_poor_motion(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const outcome o = use_prior(&s, "wls", 0.1, 10, 0.1, seed);
    print(0.1, &o);
    assert_true(o.without > 0.5);
    assert_true(o.with < 0.2);
    // 1 / 0.1, to half a decade
    assert_true(o.weight > 3 && o.weight < 33);
    assert_in_range(o.held, 20, 40);
  }
  close_scene(&s);
}

/* the weight found is the inverse of the error of the prior, within a decade */
static void test_weight_fits_the_prior(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  static const double error[] = {0.1, 0.3, 1};
  for (int i = 0; i < 3; i++) {
    const outcome o = use_prior(&s, "wls", 0.1, 10, error[i], 1);
    print(error[i], &o);
    assert_true(o.weight * error[i] > 0.3 && o.weight * error[i] < 3.3);
    assert_true(o.with < o.without);
  }
  close_scene(&s);
}

/* a full motion needs no prior, and a wrong one does not harm */
static void test_rich_motion(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  static const double error[] = {0.1, 1, 3};
  for (int i = 0; i < 3; i++) {
    const outcome o = use_prior(&s, "wls", 1, 40, error[i], (uint64_t)(1 + i));
    print(error[i], &o);
    assert_true(o.with < 1.1 * o.without);
    assert_true(o.moved < 0.3);
    assert_in_range(o.held, 0, 2);
  }
  close_scene(&s);
}

/* rows that are not divided by their sigma have residuals of some newton metres; the prior is
 * scaled alike */
static void test_unweighted_rows(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const outcome o = use_prior(&s, "ols", 0.1, 10, 0.1, seed);
    print(0.1, &o);
    assert_true(o.with < 0.2);
    assert_true(o.weight > 3 && o.weight < 33);
    assert_in_range(o.held, 20, 40);
  }
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_poor_motion),
      cmocka_unit_test(test_weight_fits_the_prior),
      cmocka_unit_test(test_rich_motion),
      cmocka_unit_test(test_unweighted_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
