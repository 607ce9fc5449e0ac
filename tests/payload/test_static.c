/*
 * Payload from poses at rest and from a force/torque sensor, with noise of 0.5 %: mass within 1 %,
 * centre within 2 mm, and honest sigmas.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/dynamics.h>
#include "payload/payload.h"

#include "motions.h"
#include "support.h"

#define POSES 12
#define N 7
#define COLUMNS 200
#define RUNS 200

static const double mass = 3.2, centre[3] = {0.04, -0.03, 0.12},
                    inertia[6] = {0.05, -0.004, 0.006, 0.04, 0.003, 0.03};

typedef struct {
  rbv_model *m;
  rbv_dynamics *d;
  double chi[COLUMNS], with[COLUMNS];  // the arm; with the payload in the last link
  double q[N * POSES];
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  rbv_model_options options = rbv_model_defaults();
  options.sensing = RBV_SENSING_JOINT;
  assert_ok(rbv_model_load(&f->m, "lwr4+", &options));
  assert_ok(rbv_dynamics_new(&f->d, f->m));
  random_columns(f->chi, f->m, 5);
  memcpy(f->with, f->chi, sizeof f->chi);
  const double x = centre[0], y = centre[1], z = centre[2];
  const double shift[6] = {y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y};
  const int first = rbv_model_find(f->m, "XX7");
  for (int i = 0; i < 10; i++)
    f->with[first + i] += i < 6   ? inertia[i] + mass * shift[i]
                          : i < 9 ? mass * centre[i - 6]
                                  : mass;
  double sigma[4];
  assert_ok(rbv_poses_choose(f->q, sigma, f->m, NULL, POSES, false, 1));
  for (int i = 0; i < 4; i++) assert_true(isfinite(sigma[i]) && sigma[i] > 0);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  rbv_dynamics_free(f->d);
  rbv_model_free(f->m);
  free(f);
  return 0;
}

/* torques at rest in the poses */
static void hold(double *torque, fixture *f, const double *chi) {
  const double zero[N] = {0};
  assert_ok(rbv_dynamics_set(f->d, chi, false));
  for (int k = 0; k < POSES; k++) {
    double q[N], tau[N];
    for (int j = 0; j < N; j++) q[j] = f->q[k + j * POSES];
    rbv_dynamics_rows(tau, f->d, q, zero, zero);
    for (int j = 0; j < N; j++) torque[k + j * POSES] = tau[j];
  }
}

/* noise of 0.5 % of the rms of each channel */
static void add_noise(double *x, const double *exact, int channels, uint64_t run) {
  for (int j = 0; j < channels; j++) {
    double sum = 0;
    for (int k = 0; k < POSES; k++) sum += exact[k + j * POSES] * exact[k + j * POSES];
    const double sigma = 0.005 * sqrt(sum / POSES);
    for (int k = 0; k < POSES; k++)
      x[k + j * POSES] =
          exact[k + j * POSES] + sigma * rbv_random_normal(run, (uint64_t)j, (uint64_t)k);
  }
}

typedef struct {
  int good, covered, values;
} score;

static void judge(score *s, const rbv_payload *p, const double at[3]) {
  bool good = fabs(p->mass - mass) < 0.01 * mass;
  s->covered += fabs(p->mass - mass) < 1.96 * p->mass_sigma;
  for (int i = 0; i < 3; i++) {
    good = good && fabs(p->centre[i] - at[i]) < 0.002;
    s->covered += fabs(p->centre[i] - at[i]) < 1.96 * p->centre_sigma[i];
  }
  s->values += 4;
  s->good += good;
}

/* 800 values that are covered with 95 %: 3 sigma of a binomial is 2.3 %; runs are dependent in
 * their four values, so twice that; sigmas of twelve poses may be larger, not smaller */
static void assert_honest(const score *s) {
  const double share = (double)s->covered / s->values;
  if (!(share > 0.90)) fail_msg("1.96 sigma cover %.3f", share);
  if (s->good < 0.99 * RUNS) fail_msg("%d of %d runs within 1 %% and 2 mm", s->good, RUNS);
}

static void test_arm(void **state) {
  fixture *f = *state;
  double exact[N * POSES], torque[N * POSES];
  score s = {0};
  hold(exact, f, f->with);
  for (int run = 0; run < RUNS; run++) {
    add_noise(torque, exact, N, (uint64_t)run + 1);
    const rbv_poses poses = {.count = POSES, .njoint = N, .nrow = N, .q = f->q, .torque = torque};
    const rbv_known_arm arm = {.model = f->m, .chi = f->chi};
    rbv_body_estimate body;
    rbv_payload p;
    assert_ok(rbv_payload_from_poses(&body, &arm, &poses, NULL));
    assert_ok(rbv_body_payload(&p, &body, NULL, NULL));
    judge(&s, &p, centre);
    for (int i = 0; i < 6; i++) assert_true(isinf(p.inertia_sigma[i]));
    rbv_body_estimate_free(&body);
  }
  assert_honest(&s);
}

/* against the same poses without the payload, whose noise counts as well */
static void test_two_sets_of_poses(void **state) {
  fixture *f = *state;
  double exact[N * POSES], bare[N * POSES], torque[N * POSES], empty[N * POSES];
  score s = {0};
  hold(exact, f, f->with);
  hold(bare, f, f->chi);
  for (int run = 0; run < RUNS; run++) {
    add_noise(torque, exact, N, (uint64_t)run + 1);
    add_noise(empty, bare, N, (uint64_t)run + 1001);
    const rbv_poses with = {.count = POSES, .njoint = N, .nrow = N, .q = f->q, .torque = torque};
    const rbv_poses without = {.count = POSES, .njoint = N, .nrow = N, .q = f->q, .torque = empty};
    const rbv_known_arm arm = {.model = f->m};
    rbv_body_estimate body;
    rbv_payload p;
    assert_ok(rbv_payload_from_poses(&body, &arm, &with, &without));
    assert_ok(rbv_body_payload(&p, &body, NULL, NULL));
    judge(&s, &p, centre);
    rbv_body_estimate_free(&body);
  }
  if (!((double)s.covered / s.values > 0.90)) fail_msg("%d of %d", s.covered, s.values);
}

/* values in another frame: turned about z by a quarter, 0.1 m further */
static void test_frame(void **state) {
  fixture *f = *state;
  double torque[N * POSES];
  hold(torque, f, f->with);
  const rbv_poses poses = {.count = POSES, .njoint = N, .nrow = N, .q = f->q, .torque = torque};
  const rbv_known_arm arm = {.model = f->m, .chi = f->chi};
  const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, p[3] = {0, 0, 0.1};
  rbv_body_estimate body;
  rbv_payload load;
  assert_ok(rbv_payload_from_poses(&body, &arm, &poses, NULL));
  assert_ok(rbv_body_payload(&load, &body, R, p));
  assert_near(load.mass, mass, 1e-9, 0);
  assert_near(load.centre[0], centre[1], 1e-9, 0);
  assert_near(load.centre[1], -centre[0], 1e-9, 0);
  assert_near(load.centre[2], centre[2] - 0.1, 1e-9, 0);
  rbv_body_estimate_free(&body);
}

/* ---- wrist sensor ---- */

static const double bias[6] = {4, -7, 12, 0.5, -0.3, 0.2};

/* wrench of the payload's weight at the sensor, in its axes; g: gravity in the base */
static void weigh(double *wrench, fixture *f, const double R[9], const double g[3], double sign) {
  for (int k = 0; k < POSES; k++) {
    double q[N], C[9], p[3], axes[9] = {0}, force[3] = {0};
    for (int j = 0; j < N; j++) q[j] = f->q[k + j * POSES];
    rbv_dynamics_pose(C, p, f->d, q, N - 1);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++) axes[3 * i + j] += C[i + 3 * l] * R[3 * l + j];
    // what holds the body: against gravity
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) force[i] -= sign * mass * axes[3 * j + i] * g[j];
    for (int i = 0; i < 3; i++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      wrench[k + i * POSES] = force[i] + bias[i];
      wrench[k + (3 + i) * POSES] = centre[a] * force[b] - centre[b] * force[a] + bias[3 + i];
    }
  }
}

static void check_wrist(fixture *f, const double g[3], bool level, double sign) {
  const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, p[3] = {0, 0, 0.05};
  double exact[6 * POSES], wrench[6 * POSES];
  score s = {0};
  weigh(exact, f, R, g, sign);
  for (int run = 0; run < RUNS; run++) {
    add_noise(wrench, exact, 6, (uint64_t)run + 1);
    const rbv_poses poses = {.count = POSES, .njoint = N, .q = f->q, .wrench = wrench};
    rbv_wrist_estimate e;
    rbv_payload load;
    assert_ok(rbv_payload_from_wrist(&e, f->m, &poses, R, p, level));
    assert_ok(rbv_body_payload(&load, &e.body, NULL, NULL));
    judge(&s, &load, centre);
    assert_int_equal(e.reversed, sign < 0);
    // 0.5 % of some tens of N
    for (int i = 0; i < 6; i++) assert_near(e.bias[i], bias[i], i < 3 ? 0.5 : 0.05, 0);
    double tilt = 0;
    for (int i = 0; i < 3; i++) tilt = fmax(tilt, fabs(e.gravity[i] - g[i]));
    assert_true(tilt < 0.1);
    rbv_wrist_estimate_free(&e);
  }
  assert_honest(&s);
}

static void test_wrist(void **state) {
  const double g[3] = {0, 0, -9.81};
  check_wrist(*state, g, true, 1);
}

static void test_wrist_with_other_sign(void **state) {
  const double g[3] = {0, 0, -9.81};
  check_wrist(*state, g, true, -1);
}

/* a base that is tilted by 10 and 5 degrees */
static void test_wrist_on_a_tilted_base(void **state) {
  const double a = 0.1745, b = 0.0873;
  const double g[3] = {9.81 * sin(a), 9.81 * cos(a) * sin(b), -9.81 * cos(a) * cos(b)};
  check_wrist(*state, g, false, 1);
}

static void test_refusals(void **state) {
  fixture *f = *state;
  double torque[N * POSES] = {0};
  const rbv_poses few = {.count = 3, .njoint = N, .nrow = N, .q = f->q, .torque = torque};
  const rbv_known_arm arm = {.model = f->m, .chi = f->chi};
  rbv_body_estimate body;
  assert_refused(rbv_payload_from_poses(&body, &arm, &few, NULL), RBV_EINPUT,
                 "3 poses are too few");
  double other[N * POSES];
  for (int i = 0; i < N * POSES; i++) other[i] = f->q[i] + 0.1;
  const rbv_poses loaded = {.count = POSES, .njoint = N, .nrow = N, .q = f->q, .torque = torque};
  const rbv_poses elsewhere = {
      .count = POSES, .njoint = N, .nrow = N, .q = other, .torque = torque};
  assert_refused(rbv_payload_from_poses(&body, &arm, &loaded, &elsewhere), RBV_EINPUT,
                 "hold the same poses in both recordings");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arm),
      cmocka_unit_test(test_two_sets_of_poses),
      cmocka_unit_test(test_frame),
      cmocka_unit_test(test_wrist),
      cmocka_unit_test(test_wrist_with_other_sign),
      cmocka_unit_test(test_wrist_on_a_tilted_base),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
