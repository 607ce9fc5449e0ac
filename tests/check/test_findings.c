/* One case for each further finding; contents of the result; refusals and memory. */
#include "simulate.h"

#include "base/support.h"
#include "log/log.h"

static rbv_model *robots[ROBOTS];

static int set_up(void **state) {
  (void)state;
  for (int i = 0; i < ROBOTS; i++) robots[i] = load_robot(i);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  for (int i = 0; i < ROBOTS; i++) rbv_model_free(robots[i]);
  return 0;
}

/* a clean recording, to be modified by the test */
static record simulate(int robot, uint64_t seed) {
  dice d = {seed, 900, 0};
  path p = {.stop = INFINITY};
  record r;
  plan_sines(&p, robots[robot], &d, 0.15, 1.2);
  choose_times(&r, 250, 8, 0, &d);
  run_robot(&r, robots[robot], &p, &d);
  return r;
}

static rbv_check_result *examine(int robot, record *r) {
  rbv_log *log = to_log(r);
  const rbv_log *logs[] = {log};
  rbv_check_result *result = NULL;
  assert_ok(rbv_check(&result, robots[robot], logs, 1, NULL));
  rbv_log_free(log);
  free_record(r);
  return result;
}

static const rbv_finding *find(const rbv_check_result *r, rbv_finding_code code, int joint) {
  for (int i = 0; i < r->nfinding; i++)
    if (r->finding[i].code == code && r->finding[i].joint == joint) return &r->finding[i];
  for (int i = 0; i < r->nfinding; i++) print_message("%s\n", r->finding[i].sentence);
  fail_msg("no finding '%s' of joint %d", rbv_finding_name(code), joint + 1);
  return NULL;
}

static void test_identifiability_of_a_clean_log(void **state) {
  (void)state;
  record r = simulate(0, 3);
  rbv_check_result *result = examine(0, &r);
  const rbv_identifiability *i = &result->identifiability;
  assert_false(result->has_errors);
  assert_true(i->known);
  // the TX40 has 60 base parameters
  assert_int_equal(i->structure->count, 60);
  assert_int_equal(i->base->count, 60);
  assert_true(i->condition_scaled > 1 && i->condition_scaled < 200);
  for (int k = 0; k < i->base->count; k++) assert_true(i->sigma[k] > 0);
  // if everything is excited, the relations are those of the structure
  for (int k = 0; k < 60 * i->base->ncolumn; k++)
    assert_near(i->base->relation[k], i->structure->relation[k], 1e-6, 1e-6);
  // ZZ1R has a prior; XY2 has none
  for (int k = 0; k < i->base->count; k++) {
    if (strcmp(i->base->name[k], "ZZ1R") == 0) {
      // 1.25 kg m^2 is well excited: between 0.1 and 20 %
      assert_true(i->relative[k] > 1e-3 && i->relative[k] < 0.2);
    }
    if (strcmp(i->base->name[k], "XY2") == 0) assert_true(isnan(i->relative[k]));
  }
  rbv_check_free(result);
}

/* torques divided by gear ratio and torque constant: currents */
static void test_currents(void **state) {
  (void)state;
  record r = simulate(1, 4);
  for (int j = 0; j < JOINTS; j++) scale_column(r.tau, r.count, j, 1 / (8.0 + j));
  rbv_check_result *result = examine(1, &r);
  const rbv_finding *f = find(result, RBV_FINDING_TORQUE_UNIT, -1);
  // geometric mean of the extremes of 1/8 ... 1/13, priors off by 20 %
  assert_near(f->value, 0.098, 0.03, 0);
  assert_true(result->has_errors);
  assert_false(result->identifiability.known);
  assert_non_null(strstr(f->sentence, "a current"));
  rbv_check_free(result);
}

static void test_sign(void **state) {
  (void)state;
  record r = simulate(2, 5);
  scale_column(r.tau, r.count, 2, -1);
  rbv_check_result *result = examine(2, &r);
  const rbv_finding *f = find(result, RBV_FINDING_SIGN, 2);
  assert_int_equal(f->severity, RBV_SEVERITY_ERROR);
  assert_non_null(strstr(f->sentence, "joint 3 (elbow_3)"));
  assert_non_null(strstr(f->sentence, "sign: -1"));
  assert_string_equal(f->option, "map");
  rbv_check_free(result);
}

/* two mistakes in one log give two findings */
static void test_two_mistakes(void **state) {
  (void)state;
  record r = simulate(2, 6);
  scale_column(r.tau, r.count, 1, -1);
  scale_column(r.tau, r.count, 4, -1);
  rbv_check_result *result = examine(2, &r);
  find(result, RBV_FINDING_SIGN, 1);
  find(result, RBV_FINDING_SIGN, 4);
  rbv_check_free(result);
}

static void test_order(void **state) {
  (void)state;
  record r = simulate(1, 7);
  swap_columns(r.q, r.count, 1, 2);
  swap_columns(r.tau, r.count, 1, 2);
  rbv_check_result *result = examine(1, &r);
  const rbv_finding *f = find(result, RBV_FINDING_ORDER, 1);
  assert_int_equal(f->other, 2);
  rbv_check_free(result);
}

static void test_slow_one_way_and_shared_waveform(void **state) {
  (void)state;
  record r = simulate(0, 8);
  const ptrdiff_t n = r.count;
  for (ptrdiff_t k = 0; k < n; k++) {
    r.q[k + 4 * n] = 0.01 * sin(2 * r.t[k]);       // 0.02 rad/s
    r.q[k + 3 * n] = 0.3 * r.t[k] - 1;             // always upwards
    r.q[k + 5 * n] = -0.5 * r.q[k + 0 * n] + 0.3;  // follows joint 1
  }
  rbv_log *log = to_log(&r);
  const rbv_log *logs[] = {log};
  rbv_check_result *result = NULL;
  // a robot without prior, because the torques do not belong to this motion any more
  rbv_model *m = NULL;
  assert_ok(rbv_model_load(&m, "a460", NULL));
  assert_ok(rbv_check(&result, m, logs, 1, NULL));
  const rbv_finding *slow = find(result, RBV_FINDING_SLOW, 4);
  assert_near(slow->value, 0.02, 0.002, 0);
  assert_non_null(strstr(slow->sentence, "never exceeds"));
  assert_true(find(result, RBV_FINDING_ONE_WAY, 3)->value < 0.05);
  const rbv_finding *f = find(result, RBV_FINDING_WAVEFORM, 0);
  assert_int_equal(f->other, 5);
  find(result, RBV_FINDING_NO_PRIOR, -1);
  rbv_check_free(result);
  rbv_model_free(m);
  rbv_log_free(log);
  free_record(&r);
}

static void test_repeated_trajectory_after_a_shift(void **state) {
  (void)state;
  record r = simulate(1, 9), other = simulate(1, 10);
  rbv_log *first = to_log(&r), *third = to_log(&other);
  cut(&r, 0, 100);  // recorded 0.4 s later
  for (ptrdiff_t k = 0; k < r.count; k++) r.t[k] -= 0.4;
  rbv_log *second = to_log(&r);
  const rbv_log *logs[] = {first, third, second};
  rbv_check_result *result = NULL;
  assert_ok(rbv_check(&result, robots[1], logs, 3, NULL));
  int repeated = 0;
  for (int i = 0; i < result->nfinding; i++) {
    const rbv_finding *f = &result->finding[i];
    if (f->code != RBV_FINDING_REPEATED) continue;
    repeated++;
    assert_int_equal(f->log, 2);
    assert_int_equal(f->other, 0);
  }
  assert_int_equal(repeated, 1);
  rbv_check_free(result);
  rbv_log_free(first);
  rbv_log_free(second);
  rbv_log_free(third);
  free_record(&r);
  free_record(&other);
}

/* the first sample of repeated stamps and of missing values */
static void test_sample_of_file_defects(void **state) {
  (void)state;
  record r = simulate(0, 11);
  r.t[700] = r.t[699];
  r.tau[300 + 2 * r.count] = NAN;
  r.tau[301 + 2 * r.count] = INFINITY;
  rbv_check_result *result = examine(0, &r);
  assert_int_equal(find(result, RBV_FINDING_TIME, -1)->sample, 700);
  assert_int_equal(find(result, RBV_FINDING_MISSING, 2)->sample, 300);
  assert_true(result->has_errors);
  rbv_check_free(result);
}

static rbv_log *small_log(const char *const *names, int ncol, ptrdiff_t n) {
  double *A = calloc((size_t)n * (size_t)ncol, sizeof *A);
  for (ptrdiff_t k = 0; k < n; k++)
    for (int c = 0; c < ncol; c++)
      A[k + c * n] = c ? sin(0.01 * (double)(k * c)) : 0.004 * (double)k;
  rbv_log *log = NULL;
  assert_ok(rbv_log_new(&log, "small", names, ncol, A, n, n));
  free(A);
  return log;
}

static void test_missing_channels_and_short_logs(void **state) {
  (void)state;
  const char *names[] = {"t", "q1", "q2", "tau1", "tau2"};
  rbv_log *log = small_log(names, 5, 50);
  const rbv_log *logs[] = {log};
  rbv_check_result *result = NULL;
  assert_ok(rbv_check(&result, robots[0], logs, 1, NULL));
  assert_true(result->has_errors);
  find(result, RBV_FINDING_CHANNEL, -1);
  find(result, RBV_FINDING_SHORT, -1);
  assert_false(result->identifiability.known);
  assert_non_null(strstr(result->identifiability.reason, "no recording"));
  rbv_check_free(result);
  rbv_log_free(log);
}

static void test_findings_are_sorted_and_named(void **state) {
  (void)state;
  record r = simulate(0, 12);
  r.tau[5] = NAN;
  clip(&r, 1, 0.6);
  rbv_check_result *result = examine(0, &r);
  for (int i = 0; i < result->nfinding; i++) {
    const rbv_finding *f = &result->finding[i];
    assert_true(i == 0 || f->severity <= result->finding[i - 1].severity);
    assert_true(strlen(f->sentence) > 20);
    assert_string_not_equal(rbv_finding_name(f->code), "?");
    assert_string_not_equal(rbv_finding_text(f->code), "?");
  }
  assert_string_equal(rbv_finding_name(RBV_FINDING_ONE_WAY), "one-way");
  assert_string_equal(rbv_finding_unit(RBV_FINDING_GAP), "s");
  assert_string_equal(rbv_severity_name(RBV_SEVERITY_WARNING), "warning");
  rbv_check_free(result);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_check_result *result = NULL;
  const rbv_log *none[] = {NULL};
  assert_refused(rbv_check(NULL, robots[0], none, 1, NULL), RBV_EARG, "no place");
  assert_refused(rbv_check(&result, NULL, none, 1, NULL), RBV_EARG, "robot");
  assert_refused(rbv_check(&result, robots[0], none, 1, NULL), RBV_EARG, "recording 1 of 1");
  const char *names[] = {"t", "q1", "tau1"};
  rbv_log *log = small_log(names, 3, 20);
  const rbv_log *logs[] = {log};
  const rbv_check_options bad = {.tolerance = 1};
  assert_refused(rbv_check(&result, robots[0], logs, 1, &bad), RBV_EARG, "tolerance");
  assert_null(result);
  rbv_log_free(log);
  rbv_check_free(NULL);
}

static const rbv_finding *maybe(const rbv_check_result *r, rbv_finding_code code) {
  for (int i = 0; i < r->nfinding; i++)
    if (r->finding[i].code == code) return &r->finding[i];
  return NULL;
}

/* the true delay is within 95 % of the stated interval, and a clean log has none */
static void test_delay(void **state) {
  (void)state;
  for (int late = 0; late < 2; late++) {
    record r = simulate(1, 14);
    if (late) delay_torque(&r, 5);  // 20 ms at 250 Hz
    rbv_check_result *result = examine(1, &r);
    const rbv_finding *f = maybe(result, RBV_FINDING_DELAY);
    assert_int_equal(f != NULL, late);
    if (f) {
      assert_int_equal(f->severity, RBV_SEVERITY_WARNING);
      assert_true(f->sigma > 0 && fabs(f->value - 0.02) < 1.96 * f->sigma);
      assert_near(strtod(f->option_value, NULL), f->value, 0, 1e-3);
      assert_string_equal(f->option, "delay");
    }
    rbv_check_free(result);
  }
}

/* every unit of time that a recorder may use, at rates from 100 Hz to 5 kHz */
static void test_units_of_time(void **state) {
  (void)state;
  static const struct {
    double factor;
    const char *unit;
  } cases[] = {{1, NULL}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (double rate = 100; rate < 1e4; rate *= 7) {
      // 4900 Hz in ms is 0.2 s: only the motion shows it
      const char *unit = rbv_log_time_unit(cases[i].factor / rate);
      if (i == 1 && rate > 2000) continue;
      if (cases[i].unit)
        assert_string_equal(unit, cases[i].unit);
      else
        assert_null(unit);
    }
    record r = simulate(0, 15);
    for (ptrdiff_t k = 0; k < r.count; k++)
      r.t[k] = (r.t[k] + 1.7e9 * (double)(i == 3)) * cases[i].factor;
    rbv_check_result *result = examine(0, &r);
    const rbv_finding *f = maybe(result, RBV_FINDING_TIME);
    assert_int_equal(f != NULL, cases[i].unit != NULL);
    char words[64];
    snprintf(words, sizeof words, "time looks like %s", cases[i].unit ? cases[i].unit : "");
    if (f) assert_non_null(strstr(f->sentence, words));
    rbv_check_free(result);
  }
  assert_string_equal(rbv_log_time_unit(1e-8), "");
}

/* static poses one after the other: no word about degrees or aliasing */
static void test_poses(void **state) {
  (void)state;
  record r = simulate(1, 16);
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < r.count; k++) r.q[k + j * r.count] = r.q[k / 100 * 100 + j * r.count];
  rbv_check_result *result = examine(1, &r);
  const rbv_finding *f = find(result, RBV_FINDING_LIMITS, -1);
  assert_non_null(strstr(f->sentence, "pose to pose"));
  assert_null(maybe(result, RBV_FINDING_DEGREES));
  assert_null(maybe(result, RBV_FINDING_ALIASING));
  rbv_check_free(result);
}

/* more Coulomb friction, in multiples of the rms torque */
static void add_friction(record *r, int j, double factor) {
  double *tau = r->tau + j * r->count, *q = r->q + j * r->count, sum = 0;
  for (ptrdiff_t k = 0; k < r->count; k++) sum += tau[k] * tau[k];
  const double size = factor * sqrt(sum / (double)r->count);
  for (ptrdiff_t k = 2; k + 2 < r->count; k++)
    tau[k] += size * ((q[k + 2] > q[k - 2]) - (q[k + 2] < q[k - 2]));
}

/* A wrist whose moments are wrong in the robot file, as in a published URDF: friction explains most
 * of its torque, and a factor of the rest is no error. A factor of a whole torque is found. */
static void test_wrong_prior_is_no_wrong_gear(void **state) {
  (void)state;
  for (int gear = 0; gear < 2; gear++) {
    body wrong[JOINTS];
    memcpy(wrong, cobot, sizeof wrong);
    for (int k = 0; k < 3; k++) wrong[4].com[k] /= 4, wrong[5].com[k] /= 4;
    rbv_model *m = build_urdf("wrong", wrong, NULL);
    record r = simulate(1, 17);
    for (int j = 4; j < JOINTS; j++) add_friction(&r, j, 8);
    if (gear) scale_column(r.tau, r.count, 1, 3);
    rbv_log *log = to_log(&r);
    const rbv_log *logs[] = {log};
    rbv_check_result *result = NULL;
    assert_ok(rbv_check(&result, m, logs, 1, NULL));
    for (int i = 0; i < result->nfinding; i++)
      if (result->finding[i].joint >= 4)
        assert_true(result->finding[i].severity < RBV_SEVERITY_ERROR);
    if (gear) {
      const rbv_finding *f = find(result, RBV_FINDING_GEAR, 1);
      assert_true(f->severity >= RBV_SEVERITY_WARNING);
      assert_non_null(strstr(f->sentence, "of the torque stay unexplained"));
      assert_non_null(strstr(f->sentence, "robot file"));
    } else {
      assert_false(result->has_errors);
    }
    rbv_check_free(result);
    rbv_log_free(log);
    free_record(&r);
    rbv_model_free(m);
  }
}

/* the peak of a quantised torque is flat, but not clipped; a coarse encoder is not aliased */
static void test_rounding(void **state) {
  (void)state;
  record r = simulate(0, 18);
  for (int j = 0; j < JOINTS; j++) {
    double *tau = r.tau + j * r.count, most = 0, mean = 0;
    for (ptrdiff_t k = 0; k < r.count; k++) most = fmax(most, fabs(tau[k]));
    // a smooth torque with 40 levels
    for (ptrdiff_t k = 0; k < r.count; k++) {
      mean += 0.05 * (tau[k] - mean);
      tau[k] = most / 20 * rint(20 * mean / most);
      r.q[k + j * r.count] = 0.01 * rint(r.q[k + j * r.count] / 0.01);
    }
  }
  rbv_check_result *result = examine(0, &r);
  assert_null(maybe(result, RBV_FINDING_SATURATED));
  assert_null(maybe(result, RBV_FINDING_ALIASING));
  rbv_check_free(result);
  // At a constant speed the counts have one frequency. Rows that are filled are between the counts.
  r = simulate(0, 18);
  for (ptrdiff_t k = 0; k < r.count; k++) {
    const double way = fabs((double)(k % 1200 - 600)) / 3.1;
    r.q[k] = k % 200 == 50 ? 253 : 1e-3 * rint(way);
  }
  result = examine(0, &r);
  find(result, RBV_FINDING_GLITCH, 0);
  assert_null(maybe(result, RBV_FINDING_ALIASING));
  rbv_check_free(result);
}

/* Ten corrupt rows are too many to be filled and are removed: they are no gap, missing rows beside
 * them are one. */
static void test_removed_rows_are_no_gap(void **state) {
  (void)state;
  for (int missing = 0; missing <= 20; missing += 20) {
    record r = simulate(0, 20);
    for (ptrdiff_t k = 500; k < 510; k++) r.q[k + 3 * r.count] = 253;
    for (ptrdiff_t k = 510; k < r.count; k++) r.t[k] += missing * 0.004;
    rbv_check_result *result = examine(0, &r);
    assert_int_equal(find(result, RBV_FINDING_GLITCH, 3)->sample, 500);
    const rbv_finding *gap = maybe(result, RBV_FINDING_GAP);
    if (missing)
      assert_near(gap->value, 21 * 0.004, 1e-9, 0);
    else
      assert_null(gap);
    rbv_check_free(result);
  }
}

/* one value is a corrupt row; a whole column is not physical */
static void test_huge_values(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    record r = simulate(0, 19);
    double *column = (k % 2 ? r.tau : r.q) + 3 * r.count;
    if (k < 2) column[500] = 1e200;
    for (ptrdiff_t i = 0; i < r.count && k >= 2; i++) column[i] *= 1e200;
    rbv_check_result *result = examine(0, &r);
    if (k < 2)
      assert_int_equal(find(result, RBV_FINDING_GLITCH, 3)->sample, 500);
    else
      find(result, RBV_FINDING_MISSING, 3);
    // one sample is left out
    assert_int_equal(result->has_errors, k >= 2);
    rbv_check_free(result);
  }
}

static rbv_status run_check(void *state) {
  rbv_check_result *result = NULL;
  const rbv_log *logs[] = {state};
  const rbv_status status = rbv_check(&result, robots[0], logs, 1, NULL);
  if (status != RBV_OK) assert_null(result);
  rbv_check_free(result);
  return status;
}

/* a log that uses many detectors: irregular stamps, a wrong sign */
static void test_failing_allocations(void **state) {
  (void)state;
  record r = simulate(0, 13);
  cut(&r, 400, r.count);
  r.t[100] += 1e-3;
  scale_column(r.tau, r.count, 1, -1);
  rbv_log *log = to_log(&r);
  fail_each_allocation(run_check, log);
  rbv_log_free(log);
  free_record(&r);
}

/* Without masses in the file: gravity turned by 30 degrees is found, the file's is not reported. */
static void test_gravity_without_masses(void **state) {
  (void)state;
  body light[JOINTS];
  memcpy(light, cobot, sizeof light);
  for (int j = 0; j < JOINTS; j++) {
    light[j].mass = 0;
    memset(light[j].com, 0, sizeof light[j].com);
    memset(light[j].inertia, 0, sizeof light[j].inertia);
  }
  rbv_model *const kept = robots[1], *bare = build_urdf("cobot", light, NULL), *turned;
  const double g[3] = {9.81 * 0.5, 0, -9.81 * sqrt(0.75)};
  rbv_model_terms terms = rbv_model_get_terms(kept);
  terms.gravity = g;
  assert_ok(rbv_model_variant(&turned, kept, &terms));
  for (int k = 0; k < 2; k++) {
    robots[1] = k ? turned : kept;
    record r = simulate(1, 11);
    robots[1] = bare;
    rbv_check_result *result = examine(1, &r);
    const rbv_finding *f = NULL;
    for (int i = 0; i < result->nfinding; i++)
      if (result->finding[i].code == RBV_FINDING_GRAVITY) f = &result->finding[i];
    assert_true((f != NULL) == (k == 1));
    // all joints move: within 3 degrees
    if (f) assert_near(f->value, 30, 3, 0);
    if (f) assert_string_equal(f->option, "gravity");
    rbv_check_free(result);
  }
  robots[1] = kept;
  rbv_model_free(turned);
  rbv_model_free(bare);
}

/* Without masses in the file: the sign of one torque, which friction shows. */
static void test_sign_without_masses(void **state) {
  (void)state;
  body light[JOINTS];
  memcpy(light, elbow, sizeof light);
  for (int j = 0; j < JOINTS; j++) light[j].mass = light[j].inertia[0] = 0;
  for (int j = 0; j < JOINTS; j++) light[j].inertia[1] = light[j].inertia[2] = 0;
  rbv_model *const kept = robots[2], *bare = build_urdf("elbow", light, NULL);
  for (int turned = -1; turned < JOINTS; turned++) {
    record r = simulate(2, 14);
    if (turned >= 0) scale_column(r.tau, r.count, turned, -1);
    robots[2] = bare;
    rbv_check_result *result = examine(2, &r);
    robots[2] = kept;
    for (int i = 0; i < result->nfinding; i++)
      if (result->finding[i].code == RBV_FINDING_SIGN)
        assert_int_equal(result->finding[i].joint, turned);
    if (turned >= 0) assert_true(find(result, RBV_FINDING_SIGN, turned)->severity > 0);
    rbv_check_free(result);
  }
  rbv_model_free(bare);
}

/* A link that is heavier in the file than on the robot is no wrong unit of all torques. */
static void test_tool_that_was_not_mounted(void **state) {
  (void)state;
  body heavy[JOINTS];
  memcpy(heavy, cobot, sizeof heavy);
  heavy[JOINTS - 1].mass += 8;
  heavy[JOINTS - 1].com[2] += 0.1;
  rbv_model *const kept = robots[1], *tool = build_urdf("cobot", heavy, NULL);
  record r = simulate(1, 15);
  robots[1] = tool;
  rbv_check_result *result = examine(1, &r);
  robots[1] = kept;
  // links of the simulated robot are wrong by up to 20 %: a kilogram or two at the tool
  assert_near(find(result, RBV_FINDING_PAYLOAD, -1)->value, -8, 3, 0);
  assert_false(result->has_errors);
  rbv_check_free(result);
  rbv_model_free(tool);
}

/* Joints that rest have no sign; a pose has no motion. */
static void test_rest(void **state) {
  (void)state;
  for (int moving = 0; moving < 2; moving++) {
    dice d = {16, 900, 0};
    path p = {.stop = INFINITY};
    record r;
    plan_sines(&p, robots[1], &d, 0.15, 1.2);
    for (int j = moving; j < JOINTS; j++) memset(p.sine[j], 0, sizeof p.sine[j]);
    choose_times(&r, 250, 8, 0, &d);
    run_robot(&r, robots[1], &p, &d);
    for (ptrdiff_t k = 0; k < r.count * JOINTS; k++) r.q[k] += 1e-5 * normal(&d);
    rbv_check_result *result = examine(1, &r);
    for (int i = 0; i < result->nfinding; i++)
      if (result->finding[i].code == RBV_FINDING_SIGN) fail_msg("%s", result->finding[i].sentence);
    if (!moving) assert_true(find(result, RBV_FINDING_CONSTANT, -1)->severity > 1);
    assert_true(result->verdict.level > (moving ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE));
    rbv_check_free(result);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_identifiability_of_a_clean_log),
      cmocka_unit_test(test_sign_without_masses),
      cmocka_unit_test(test_tool_that_was_not_mounted),
      cmocka_unit_test(test_rest),
      cmocka_unit_test(test_gravity_without_masses),
      cmocka_unit_test(test_currents),
      cmocka_unit_test(test_sign),
      cmocka_unit_test(test_two_mistakes),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_slow_one_way_and_shared_waveform),
      cmocka_unit_test(test_repeated_trajectory_after_a_shift),
      cmocka_unit_test(test_sample_of_file_defects),
      cmocka_unit_test(test_missing_channels_and_short_logs),
      cmocka_unit_test(test_findings_are_sorted_and_named),
      cmocka_unit_test(test_delay),
      cmocka_unit_test(test_units_of_time),
      cmocka_unit_test(test_poses),
      cmocka_unit_test(test_wrong_prior_is_no_wrong_gear),
      cmocka_unit_test(test_rounding),
      cmocka_unit_test(test_removed_rows_are_no_gap),
      cmocka_unit_test(test_huge_values),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
