/*
 * Coverage of sigma: the share of estimates within 1.96 sigma of the truth must be 95 %, whatever
 * the colour of the noise and the decimation. Simulated noise, and halves of real recordings.
 */
#include <math.h>
#include <roberval/identification.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define RUNS (getenv("RUNS") ? atoi(getenv("RUNS")) : 100)
#define RATE 2000.0

typedef struct {
  const char *name;
  double hertz;            // corner of the coloured noise
  double coloured, white;  // shares of the torque
} noise_kind;

static const noise_kind kinds[] = {
    {"AR noise of 5 Hz", 5, 0.03, 0},
    {"AR noise of 1 Hz", 1, 0.03, 0},
    {"mixed noise", 2, 0.02, 0.05},
    {"white noise", 1, 0, 0.05},
};

typedef struct {
  int inside, inside_white, count;
} coverage;

static void add(coverage *c, const rbv_estimate *e, const double *truth) {
  for (int k = 0; k < e->base->count; k++) {
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
    assert_true(isfinite(sigma) && sigma >= e->sigma_white[k]);
    c->inside += fabs(e->value[k] - truth[k]) < 1.96 * sigma;
    c->inside_white += fabs(e->value[k] - truth[k]) < 1.96 * e->sigma_white[k];
    c->count++;
  }
}

static void study(const rbv_model *m, const noise_kind *kind, double seconds) {
  static const int decimation[] = {1, 20, 100};
  coverage c[3] = {{0}};
  rbv_base *base;
  assert_ok(rbv_base_new(&base, m, NULL));
  double *chi = calloc((size_t)rbv_model_column_count(m), sizeof *chi);
  double *truth = calloc((size_t)base->count, sizeof *truth);
  for (int run = 0; run < RUNS; run++) {
    const uint64_t seed = (uint64_t)(1000 + run);
    random_columns(chi, m, seed);
    rbv_base_values(truth, base, chi);
    waves w;
    waves_new_within_limits(&w, m, chi, seed, (ptrdiff_t)(seconds * RATE), RATE, false, 1.5);
    waves_add_coloured(&w, m, seed, kind->hertz, kind->coloured, kind->coloured);
    if (kind->white > 0) waves_add_white(&w, seed + 7, kind->white);
    rbv_motion *motion = waves_motion(&w);
    for (int d = 0; d < 3; d++) {
      rbv_identify_options o = rbv_identify_defaults();
      o.filter.decimate = decimation[d];
      rbv_estimate *e;
      assert_ok(rbv_identify(&e, m, &motion, 1, &o));
      add(&c[d], e, truth);
      rbv_estimate_free(e);
    }
    rbv_motion_free(motion);
    waves_free(&w);
  }
  for (int d = 0; d < 3; d++) {
    const double share = (double)c[d].inside / c[d].count;
    print_message("%s, %g s, decimation %d: %.1f %% (white %.1f %%)\n", kind->name, seconds,
                  decimation[d], 100 * share, 100. * c[d].inside_white / c[d].count);
    assert_true(share >= 0.92 && share <= 0.98);
  }
  free(chi);
  free(truth);
  rbv_base_free(base);
}

static void test_simulated_noise(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  for (int i = 0; i < RBV_COUNT(kinds); i++) study(m, &kinds[i], 20);
  rbv_model_free(m);
}

/* a short recording has fewer blocks */
static void test_short_recording(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  study(m, &kinds[0], 8);
  study(m, &kinds[2], 8);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulated_noise),
      cmocka_unit_test(test_short_recording),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
