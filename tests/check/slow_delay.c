/*
 * Delay on 200 simulated closed loops: false alarms, detection, coverage of the interval, and what
 * the advice does to the error on held-out data. The clean logs also give the rates of all other
 * findings. A delay is found if it is reported, as advice or as a note with its interval; on clean
 * logs both are false alarms. Arguments: number of logs, first seed.
 */
#include "closed_loop.h"
#include "delay_study.h"

static int logs_wanted = 200;
static uint64_t first_seed = 1;

static const double delays_ms[] = {0, 3.2, 8};
#define DELAYS 3
#define CODES 64

typedef struct {
  int logs, advised, noted, covered;
  double worst;  // largest factor of the held-out error by following the advice
} row;

static void add(row *r, const verdict *v, double true_s) {
  r->logs++;
  r->advised += v->advised;
  r->noted += v->noted;
  r->covered += v->fit.known && fabs(v->fit.delay_s - true_s) <= 1.96 * v->fit.sigma_s;
  r->worst = fmax(r->worst, v->worse);
}

/* all findings on a clean log */
static void count_findings(int *codes, const rbv_model *m, rbv_log *log) {
  const rbv_log *logs[] = {log};
  rbv_check_result *result = NULL;
  bool seen[CODES] = {false};
  assert_ok(rbv_check(&result, m, logs, 1, NULL));
  for (int i = 0; i < result->nfinding; i++) {
    const rbv_finding *f = &result->finding[i];
    if (f->severity == RBV_SEVERITY_NOTE || seen[f->code]) continue;
    seen[f->code] = true;
    codes[f->code]++;
    if (f->code != RBV_FINDING_REST) print_message("   %s\n", f->sentence);
  }
  rbv_check_free(result);
}

static void test_simulated_logs(void **state) {
  (void)state;
  rbv_model *robots[2][ROBOTS];                    // with sign(), with the law of the simulation
  row all[DELAYS] = {{0}}, known[DELAYS] = {{0}};  // `known`: the model has the law of friction
  int codes[CODES] = {0};
  rbv_model_options smooth = rbv_model_defaults();
  smooth.gamma = GAMMA;
  for (int i = 0; i < ROBOTS; i++) {
    robots[0][i] = load_robot(i);
    robots[1][i] = load_robot_with(i, &smooth);
  }
  // every combination of the settings occurs
  const int per_setting = (logs_wanted + SETTINGS - 1) / SETTINGS;
  for (int i = 0; all[0].logs < logs_wanted; i++) {
    const setting s = setting_at(i);
    rbv_model *const m = robots[s.known_law][s.robot];
    record r[RUNS];
    const int n = run_setting(r, m, &s, 8, first_seed + (uint64_t)i);
    for (int k = 0; k < n && k < per_setting && all[0].logs < logs_wanted; k++) {
      for (int d = 0; d < DELAYS; d++) {
        record c = late_copy(&r[k], (ptrdiff_t)lrint(1e-3 * delays_ms[d] * s.rate_hz));
        rbv_log *log = to_log(&c);
        const verdict v = examine(m, log);
        // a torque that is held for a sample acts half a sample later than it is recorded
        const double true_s = 1e-3 * delays_ms[d] - 0.5 / s.rate_hz;
        if (d == 0) count_findings(codes, m, log);
        if (d == 0 && (v.advised || v.noted))
          print_message("clean log of setting %d: %.2f +- %.2f ms, gain %.3f, t %.1f\n", i,
                        1e3 * v.fit.delay_s, 1e3 * v.fit.sigma_s, v.fit.gain, v.fit.t);
        if (d > 0 && !v.advised && !v.noted)
          print_message(
              "setting %d, log %d: %.1f ms are missed: %.2f +- %.2f ms, gain %.3f, t %.1f\n", i, k,
              delays_ms[d], 1e3 * v.fit.delay_s, 1e3 * v.fit.sigma_s, v.fit.gain, v.fit.t);
        add(&all[d], &v, true_s);
        if (v.worse > 1.02)
          print_message("setting %d, log %d, %.1f ms: the advice raises the error by %.3f\n", i, k,
                        delays_ms[d], v.worse);
        if (s.known_law) add(&known[d], &v, true_s);
        rbv_log_free(log);
        free_record(&c);
      }
    }
    for (int k = 0; k < n; k++) free_record(&r[k]);
  }
  for (int d = 0; d < DELAYS; d++)
    print_message(
        "%.1f ms: %d logs, %d advised, %d noted, %d covered, advice changes the held-out "
        "error by a factor up to %.3f; law of friction known: %d of %d advised, %d noted, %d "
        "covered\n",
        delays_ms[d], all[d].logs, all[d].advised, all[d].noted, all[d].covered, all[d].worst,
        known[d].advised, known[d].logs, known[d].noted, known[d].covered);
  for (int c = 0; c < CODES; c++)
    if (codes[c]) print_message("clean logs with '%s': %d\n", rbv_finding_name(c), codes[c]);
  // one per cent of false alarms
  assert_true(all[0].advised + all[0].noted <= 0.01 * all[0].logs);
  assert_true(all[1].advised + all[1].noted >= 0.85 * all[1].logs);
  assert_true(all[2].advised + all[2].noted >= 0.98 * all[2].logs);
  for (int d = 0; d < DELAYS; d++) {
    assert_true(all[d].covered >= 0.88 * all[d].logs);
    assert_true(all[d].worst <= 1.02);
  }
  for (int i = 0; i < ROBOTS; i++) {
    rbv_model_free(robots[0][i]);
    rbv_model_free(robots[1][i]);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) logs_wanted = atoi(argv[1]);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_simulated_logs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
