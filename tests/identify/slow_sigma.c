/*
 * Coverage of sigma: the share of estimates within 1.96 sigma of the truth must be 95 %, whatever
 * the colour of the noise and the decimation. Simulated noise, and halves of real recordings.
 */
#include <math.h>
#include <roberval/result.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"
#include "tool.h"

#define RUNS (getenv("RUNS") ? atoi(getenv("RUNS")) : 100)
#define RATE 1000.0

typedef struct {
  const char *name;
  double hertz;            // corner of the coloured noise
  double coloured, white;  // shares of the torque
} noise_kind;

static const noise_kind kinds[] = {
    {"AR noise of 5 Hz", 5, 0.03, 0},
    {"AR noise of 1 Hz", 1, 0.03, 0},
    {"mixed noise", 2, 0.02, 0.05},
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
    fflush(stdout);
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
  study(m, &kinds[2], 8);
  rbv_model_free(m);
}

/* ---- real recordings ---- */

/* write lines first to last of a CSV file with its header */
static void write_part(const char *name, const char *text, long first, long last) {
  const char *path = temp_file(name, NULL);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  long line = -1;
  for (const char *at = text; *at; line++) {
    const char *end = strchr(at, '\n');
    const size_t length = end ? (size_t)(end - at) + 1 : strlen(at);
    if (line < 0 || (line >= first && line < last)) fwrite(at, 1, length, f);
    at += length;
  }
  fclose(f);
}

static rbv_result *identified(const char *robot, const char *log, const char *name) {
  free(tool_text("identify '%s' '%s' --sensing %s -q -o %s.json", robot, log,
                 strcmp(robot, "tx40") == 0 ? "motor" : "joint", name));
  char file[64];
  snprintf(file, sizeof file, "%s.json", name);
  rbv_result *r;
  assert_ok(rbv_result_load(&r, temp_file(file, NULL)));
  return r;
}

/* share of the parameters whose difference is within 1.96 of its sigma */
static coverage compare(rbv_result *a, rbv_result *b) {
  coverage c = {0};
  for (int i = 0; i < rbv_result_parameter_count(a); i++) {
    const int k = rbv_result_find(b, rbv_result_parameter_name(a, i));
    if (k < 0) continue;
    const double d = rbv_result_parameter_value(a, i) - rbv_result_parameter_value(b, k);
    const double sigma = hypot(rbv_result_parameter_sigma(a, i), rbv_result_parameter_sigma(b, k));
    const double white =
        hypot(rbv_result_parameter_sigma_white(a, i), rbv_result_parameter_sigma_white(b, k));
    if (!isfinite(sigma)) continue;
    c.inside += fabs(d) < 1.96 * sigma;
    c.inside_white += fabs(d) < 1.96 * white;
    c.count++;
  }
  rbv_result_free(a);
  rbv_result_free(b);
  return c;
}

static coverage halves(const char *robot, const char *file) {
  char *text = read_text(recording(file), NULL);
  long lines = -1;
  for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
  write_part("first.csv", text, 0, lines / 2);
  write_part("second.csv", text, lines / 2, lines);
  free(text);
  const coverage c =
      compare(identified(robot, "first.csv", "first"), identified(robot, "second.csv", "second"));
  print_message("halves of %s: %.1f %% (white %.1f %%)\n", file, 100. * c.inside / c.count,
                100. * c.inside_white / c.count);
  return c;
}

static void test_halves_of_recordings(void **state) {
  (void)state;
  char panda[1024], lwr[1024];
  snprintf(panda, sizeof panda, "%s", recording("models/panda_nohand.urdf"));
  snprintf(lwr, sizeof lwr, "%s", recording("kuka_lwr4/kuka_lwr4.urdf"));
  coverage c = halves("tx40", "staubli_tx40/tx40_joint.csv");
  assert_true(c.inside >= 0.9 * c.count);
  c = halves(panda, "panda/panda.csv");
  assert_true(c.inside >= 0.9 * c.count);
  coverage all = {0};
  for (int i = 1; i <= 3; i++) {
    char file[64];
    snprintf(file, sizeof file, "kuka_lwr4/lwr4_measurements_%d.csv", i);
    c = halves(lwr, file);
    all.inside += c.inside;
    all.count += c.count;
  }
  assert_true(all.inside >= 0.95 * all.count);
  // another motion of the same robot: sigma does not contain this, so nothing is required
  char first[1024], third[1024];
  snprintf(first, sizeof first, "%s", recording("kuka_lwr4/lwr4_measurements_1.csv"));
  snprintf(third, sizeof third, "%s", recording("kuka_lwr4/lwr4_measurements_3.csv"));
  c = compare(identified(lwr, first, "one"), identified(lwr, third, "three"));
  print_message("two motions of the LWR4+: %.1f %% (white %.1f %%)\n", 100. * c.inside / c.count,
                100. * c.inside_white / c.count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulated_noise),
      cmocka_unit_test(test_short_recording),
      cmocka_unit_test(test_halves_of_recordings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
