/* Columns that the robot file defines, in torques, regressors, bias and forward dynamics. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "support.h"

#define PI 3.14159265358979323846
#define EPS DBL_EPSILON
#define N 3
#define NC 128
#define SAMPLES 150  // more than two chunks of 64

/* the published counterbalance of a KUKA KR300 on joint 2, and a spring between two joints */
static const char robot[] =
    "joints: [{mdh: {}}, {mdh: {alpha: pi/2, d: 0.35}}, {mdh: {d: 1.15}}]\n"
    "columns:\n"
    "  - name: kcb\n"
    "    unit: \"1\"\n"
    "    joint: 2\n"
    "    constants:\n"
    "      D: 0.8\n"
    "      k: 0.2\n"
    "      A: pi/4*(0.055^2 - 0.03^2)\n"
    "      pV: 1.01*296.8*328*2*0.0795\n"
    "      V: 2*0.00048\n"
    "    let:\n"
    "      delta: q2 - pi/2 + 95*pi/180\n"
    "      dl: sqrt(D^2 + k^2 - 2*D*k*cos(delta)) - (D - k)\n"
    "      h: D*k*sin(delta)/(dl + D - k)\n"
    "      p: pV/(V - dl*A)\n"
    "    expression: h*p*A\n"
    "  - {name: spring, unit: N m/rad, side: motor, terms: [{joint: 1, expression: q1-q3},\n"
    "     {joint: 3, expression: q3-q1}]}\n"
    "sensing: both\n";

static const char *const accelerated =
    "joints: [{mdh: {}}, {mdh: {alpha: pi/2, d: 0.35}}, {mdh: {d: 1.15}}]\n"
    "columns:\n"
    "  - {name: belt, unit: kg m^2, joint: 1, expression: ddq1 + dq2*abs(dq2)*ddq3}\n"
    "  - {name: stop, unit: N m, joint: 3, expression: exp(20*(q3-1))}\n";

static double counterbalance(double q2) {
  const double D = 0.8, k = 0.2, A = PI / 4 * (0.055 * 0.055 - 0.03 * 0.03);
  const double delta = q2 - 90 * PI / 180 + 95 * PI / 180;
  const double dl = sqrt(D * D + k * k - 2 * D * k * cos(delta)) - (D - k);
  const double h = D * k * sin(delta) / (dl + D - k);
  const double p = 1.01 * 296.8 * 328 * 2 * 0.0795 / (2 * 0.00048 - dl * A);
  return h * p * A;
}

typedef struct {
  rbv_model *m;
  rbv_dynamics *d;
  int nc;
  double chi[NC];
} fixture;

static fixture make(const char *yaml) {
  fixture f = {0};
  assert_ok(rbv_model_parse(&f.m, "test.yaml", yaml, strlen(yaml), NULL));
  assert_ok(rbv_dynamics_new(&f.d, f.m));
  f.nc = rbv_model_column_count(f.m);
  assert_true(f.nc <= NC && rbv_model_joint_count(f.m) == N);
  return f;
}

static void unmake(fixture *f) {
  rbv_dynamics_free(f->d);
  rbv_model_free(f->m);
}

static double *parameter(fixture *f, const char *name) {
  const int c = rbv_model_find(f->m, name);
  assert_true(c >= 0);
  return &f->chi[c];
}

/* uniform numbers everywhere, masses such that the mass matrix is positive */
static void random_parameters(fixture *f) {
  for (int c = 0; c < f->nc; c++) f->chi[c] = rbv_random_uniform(5, 0, (uint64_t)c) - 0.5;
  for (int j = 1; j <= N; j++) {
    char name[16];
    snprintf(name, sizeof name, "Ia%d", j);
    *parameter(f, name) = 100;
  }
  assert_ok(rbv_dynamics_set(f->d, f->chi, false));
}

typedef struct {
  double q[N * SAMPLES], dq[N * SAMPLES], ddq[N * SAMPLES], tau[N * SAMPLES];
} motions;

static void fill(motions *s) {
  double *const x[4] = {s->q, s->dq, s->ddq, s->tau};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < N * SAMPLES; k++)
      x[i][k] = 3 * (2 * rbv_random_uniform(6, (uint64_t)i, (uint64_t)k) - 1);
}

static rbv_states states(const motions *s, int first, int count) {
  return (rbv_states){
      .count = count, .ld = SAMPLES, .q = s->q + first, .dq = s->dq + first, .ddq = s->ddq + first};
}

static void test_counterbalance_by_hand(void **state) {
  (void)state;
  static motions s;
  fixture f = make(robot);
  fill(&s);
  *parameter(&f, "kcb") = 1.25;
  *parameter(&f, "spring") = 40;
  assert_ok(rbv_dynamics_set(f.d, f.chi, false));
  for (int k = 0; k < SAMPLES; k++) {
    double q[N], tau[2 * N], W[2 * N * NC];
    for (int j = 0; j < N; j++) q[j] = s.q[k + j * SAMPLES];
    const double kcb = counterbalance(q[1]), pull = q[0] - q[2];
    // the joint sensor does not see what acts on the motor's side
    const double want[2 * N] = {40 * pull, 1.25 * kcb, -40 * pull, 0, 1.25 * kcb, 0};
    const double zero[N] = {0};
    rbv_dynamics_rows(tau, f.d, q, zero, zero);
    rbv_regressor_eval(W, f.d, q, zero, zero, false);
    const int c = rbv_model_find(f.m, "kcb"), w = rbv_model_find(f.m, "spring");
    // delta is rounded to half an eps of 3, and 5e3 N m/rad go with it; and about 20 roundings
    const double bound = 5e3 * 4 * EPS;
    for (int r = 0; r < 2 * N; r++) assert_near(tau[r], want[r], 1.25 * bound, 20 * EPS);
    for (int r = 0; r < 2 * N; r++) {
      assert_near(W[r + c * 2 * N], r % N == 1 ? kcb : 0, bound, 20 * EPS);
      assert_true(W[r + w * 2 * N] == (r == 0 ? pull : r == 2 ? -pull : 0));
    }
  }
  unmake(&f);
}

/* formulas give the same bits at every width and place: one sample, a batch, part of a batch */
static void test_widths_and_places_agree(void **state) {
  (void)state;
  static motions s;
  static double whole[NC * 2 * N * SAMPLES], part[NC * 2 * N * SAMPLES], tau[N * SAMPLES],
      rows[2 * N * SAMPLES];
  const char *const robots[2] = {robot, accelerated};
  fill(&s);
  for (int i = 0; i < 2; i++) {
    fixture f = make(robots[i]);
    random_parameters(&f);
    const int ne = rbv_model_entry_count(f.m), nrow = rbv_model_row_count(f.m);
    for (int width = 1; width <= 8; width *= 2) {
      rbv_dynamics_limit_width(f.d, width);
      const rbv_states all = states(&s, 0, SAMPLES);
      rbv_regressor_batch(whole, SAMPLES, f.d, &all, false);
      rbv_dynamics_inverse_batch(tau, SAMPLES, f.d, &all);
      rbv_dynamics_rows_batch(rows, SAMPLES, f.d, &all);
      const int counts[] = {1, 3, 63, 64, 65, 129};
      for (int n = 0; n < RBV_COUNT(counts); n++) {
        const rbv_states some = states(&s, 5, counts[n]);
        rbv_regressor_batch(part, SAMPLES, f.d, &some, false);
        for (int e = 0; e < ne; e++)
          assert_memory_equal(part + e * SAMPLES, whole + e * SAMPLES + 5,
                              (size_t)counts[n] * sizeof *part);
      }
      for (int k = 0; k < SAMPLES; k++) {
        double q[N], dq[N], ddq[N], W[2 * N * NC], one[2 * N];
        for (int j = 0; j < N; j++) {
          q[j] = s.q[k + j * SAMPLES];
          dq[j] = s.dq[k + j * SAMPLES];
          ddq[j] = s.ddq[k + j * SAMPLES];
        }
        rbv_regressor_eval(W, f.d, q, dq, ddq, false);
        for (int r = 0; r < nrow; r++) {
          const rbv_row *row = rbv_model_row(f.m, r);
          for (int e = 0; e < row->count; e++)
            if (rbv_model_column(f.m, row->columns[e])->basis == RBV_BASIS_EXPRESSION)
              assert_true(W[r + row->columns[e] * nrow] == whole[k + (row->first + e) * SAMPLES]);
        }
        // torques are W chi in every computation
        rbv_dynamics_rows(one, f.d, q, dq, ddq);
        for (int r = 0; r < nrow; r++) {
          double sum = 0, size = 0;
          for (int c = 0; c < f.nc; c++) {
            sum += W[r + c * nrow] * f.chi[c];
            size += fabs(W[r + c * nrow] * f.chi[c]);
          }
          // each product has about 20 roundings of the recursion
          assert_near(one[r], sum, 20 * EPS * size, 0);
          assert_near(rows[k + r * SAMPLES], sum, 20 * EPS * size, 0);
          if (r < N) assert_near(tau[k + r * SAMPLES], sum, 20 * EPS * size, 0);
        }
      }
    }
    unmake(&f);
  }
}

/* forward dynamics inverts inverse dynamics with a spring and a counterbalance */
static void test_forward_undoes_inverse(void **state) {
  (void)state;
  static motions s;
  static double tau[N * SAMPLES], ddq[N * SAMPLES];
  bool regular[SAMPLES];
  fixture f = make(robot);
  fill(&s);
  random_parameters(&f);
  assert_ok(rbv_dynamics_check_forward(f.d));
  const rbv_states all = states(&s, 0, SAMPLES);
  rbv_dynamics_inverse_batch(tau, SAMPLES, f.d, &all);
  rbv_dynamics_forward_batch(ddq, SAMPLES, regular, f.d, &all, tau, SAMPLES);
  for (int k = 0; k < SAMPLES; k++) {
    double q[N], dq[N], t[N], a[N], bias[N], still[N];
    bool ok;
    for (int j = 0; j < N; j++) {
      q[j] = s.q[k + j * SAMPLES];
      dq[j] = s.dq[k + j * SAMPLES];
      t[j] = tau[k + j * SAMPLES];
    }
    rbv_dynamics_forward(a, &ok, f.d, q, dq, t);
    assert_true(ok && regular[k]);
    // torques up to 3e3 N m over rotors of 100 kg m^2: some 50 roundings of 30
    for (int j = 0; j < N; j++) {
      assert_near(a[j], s.ddq[k + j * SAMPLES], 50 * 30 * EPS, 0);
      assert_near(ddq[k + j * SAMPLES], s.ddq[k + j * SAMPLES], 50 * 30 * EPS, 0);
    }
    const double zero[N] = {0};
    rbv_dynamics_bias(bias, f.d, q, dq);
    rbv_dynamics_inverse(still, f.d, q, dq, zero);
    for (int j = 0; j < N; j++) assert_near(bias[j], still[j], 3e3 * 20 * EPS, 0);
  }
  unmake(&f);
}

/* ddq in a formula: torques are computed, the mass matrix is refused */
static void test_accelerations_in_a_formula(void **state) {
  (void)state;
  fixture f = make(accelerated);
  random_parameters(&f);
  const double q[N] = {0.1, 0.2, 0.3}, dq[N] = {1, -2, 3}, ddq[N] = {4, 5, -6}, zero[N] = {0};
  double tau[N], without[N], M[N * N], a[N] = {7, 8, 9}, kinetic, potential;
  bool regular = true;
  assert_refused(rbv_dynamics_check_forward(f.d), RBV_EUNSUPPORTED,
                 "column 'belt' has ddq in its expression");
  rbv_dynamics_forward(a, &regular, f.d, q, dq, ddq);
  assert_true(!regular && a[0] == 7 && a[1] == 8 && a[2] == 9);
  regular = true;
  const rbv_states one = {.count = 1, .ld = 1, .q = q, .dq = dq};
  rbv_dynamics_forward_batch(a, 1, &regular, f.d, &one, ddq, 1);
  assert_true(!regular && a[0] == 7 && a[1] == 8 && a[2] == 9);
  rbv_dynamics_mass(M, f.d, q);
  for (int i = 0; i < N * N; i++) assert_true(isnan(M[i]));
  rbv_dynamics_energy(&kinetic, &potential, f.d, q, dq);
  assert_true(isnan(kinetic) && isfinite(potential));
  // bias is the torque at ddq = 0
  double bias[N];
  rbv_dynamics_bias(bias, f.d, q, dq);
  rbv_dynamics_inverse(tau, f.d, q, dq, zero);
  for (int j = 0; j < N; j++) assert_near(bias[j], tau[j], 1e3 * EPS, 0);
  rbv_dynamics_inverse(tau, f.d, q, dq, ddq);

  // with that parameter at zero the mass matrix exists, and the torque differs by its term
  const double belt = *parameter(&f, "belt");
  *parameter(&f, "belt") = 0;
  assert_ok(rbv_dynamics_set(f.d, f.chi, false));
  assert_ok(rbv_dynamics_check_forward(f.d));
  rbv_dynamics_mass(M, f.d, q);
  for (int i = 0; i < N * N; i++) assert_true(isfinite(M[i]));
  rbv_dynamics_inverse(without, f.d, q, dq, ddq);
  // dq2 |dq2| = -4, times ddq3 = -6
  assert_near(tau[0] - without[0], belt * (4 + -4 * -6), 1e3 * EPS, 0);
  assert_true(tau[1] == without[1] && tau[2] == without[2]);
  rbv_dynamics_forward(a, &regular, f.d, q, dq, without);
  assert_true(regular);
  for (int j = 0; j < N; j++) assert_near(a[j], ddq[j], 1e3 * EPS, 0);
  unmake(&f);
}

/* a formula without a value is NaN in its row, unless its parameter is zero */
static void test_no_value(void **state) {
  (void)state;
  fixture f = make(
      "joints: [{mdh: {}}, {mdh: {}}, {mdh: {}}]\n"
      "columns: [{name: root, unit: N m, joint: 2, expression: sqrt(q1)}]\n");
  const double q[N] = {-1, 0, 0}, zero[N] = {0};
  double tau[N];
  *parameter(&f, "root") = 1;
  assert_ok(rbv_dynamics_set(f.d, f.chi, false));
  rbv_dynamics_inverse(tau, f.d, q, zero, zero);
  assert_true(tau[0] == 0 && isnan(tau[1]) && tau[2] == 0);
  *parameter(&f, "root") = 0;
  assert_ok(rbv_dynamics_set(f.d, f.chi, false));
  rbv_dynamics_inverse(tau, f.d, q, zero, zero);
  assert_true(tau[1] == 0);
  unmake(&f);
}

static void test_computing_allocates_nothing(void **state) {
  (void)state;
  static motions s;
  static double W[NC * 2 * N * SAMPLES], tau[2 * N * SAMPLES];
  bool regular[SAMPLES];
  fixture f = make(robot);
  fill(&s);
  const rbv_states all = states(&s, 0, SAMPLES);
  const double x[N] = {0.1, 0.2, 0.3};
  const long before = rbv_alloc_count();
  random_parameters(&f);
  rbv_regressor_batch(W, SAMPLES, f.d, &all, false);
  rbv_dynamics_inverse_batch(tau, SAMPLES, f.d, &all);
  rbv_dynamics_rows_batch(tau, SAMPLES, f.d, &all);
  rbv_dynamics_forward_batch(tau, SAMPLES, regular, f.d, &all, s.tau, SAMPLES);
  rbv_regressor_eval(W, f.d, x, x, x, false);
  rbv_dynamics_inverse(tau, f.d, x, x, x);
  rbv_dynamics_rows(tau, f.d, x, x, x);
  rbv_dynamics_bias(tau, f.d, x, x);
  rbv_dynamics_forward(tau, regular, f.d, x, x, x);
  assert_ok(rbv_dynamics_check_forward(f.d));
  assert_int_equal(rbv_alloc_count(), before);
  unmake(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counterbalance_by_hand),
      cmocka_unit_test(test_widths_and_places_agree),
      cmocka_unit_test(test_forward_undoes_inverse),
      cmocka_unit_test(test_accelerations_in_a_formula),
      cmocka_unit_test(test_no_value),
      cmocka_unit_test(test_computing_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
