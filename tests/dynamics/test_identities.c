/* Identities between the functions of the module, for any robot. */
#include <stdio.h>
#include <stdlib.h>

#include "base/support.h"
#include "dynamics/dynamics.h"
#include "laws.h"
#include "model/model_internal.h"
#include "robots.h"

/* ---- by hand ---- */

/* two links in a vertical plane, Craig's closed form with first moments */
static void test_planar_arm_by_hand(void **state) {
  (void)state;
  robot r = make(
      "gravity: [0, -9.81, 0]\n"
      "joints: [{mdh: {}}, {mdh: {d: 0.5}}]\n",
      NULL);
  const double L = 0.5, g = 9.81, ZZ1 = 0.7, MX1 = 0.9, ZZ2 = 0.3, MX2 = 0.4, MY2 = 0.1, M2 = 1.7;
  r.chi[rbv_model_find(r.m, "ZZ1")] = ZZ1;
  r.chi[rbv_model_find(r.m, "MX1")] = MX1;
  r.chi[rbv_model_find(r.m, "ZZ2")] = ZZ2;
  r.chi[rbv_model_find(r.m, "MX2")] = MX2;
  r.chi[rbv_model_find(r.m, "MY2")] = MY2;
  r.chi[rbv_model_find(r.m, "M2")] = M2;
  assert_ok(rbv_dynamics_set(r.d, r.chi, false));
  for (uint64_t k = 0; k < 20; k++) {
    double q[2], v[2], a[2], tau[2];
    random_motion(q, v, a, 2, k);
    rbv_dynamics_inverse(tau, r.d, q, v, a);
    const double c = cos(q[1]), s = sin(q[1]), hx = L * (MX2 * c - MY2 * s),
                 hy = L * (MX2 * s + MY2 * c);
    const double g2 = g * (MX2 * cos(q[0] + q[1]) - MY2 * sin(q[0] + q[1]));
    const double want[2] = {(ZZ1 + M2 * L * L + ZZ2 + 2 * hx) * a[0] + (ZZ2 + hx) * a[1] -
                                hy * v[1] * (2 * v[0] + v[1]) + g * (MX1 + M2 * L) * cos(q[0]) + g2,
                            (ZZ2 + hx) * a[0] + ZZ2 * a[1] + hy * v[0] * v[0] + g2};
    // a dozen terms up to 30
    for (int j = 0; j < 2; j++) assert_near(tau[j], want[j], 12 * 30 * EPS, 0);
  }
  unmake(&r);
}

/* ---- two computations of the same torque ---- */

/* W chi against the torques of all rows; the sum of |W chi| bounds the rounding */
static void check_rows(robot *r, bool loaded) {
  const int rows = rbv_model_row_count(r->m);
  double W[2 * N_MAX * COLUMN_MAX], tau[2 * N_MAX], q[N_MAX], dq[N_MAX], ddq[N_MAX];
  assert_ok(rbv_dynamics_set(r->d, r->chi, loaded));
  for (uint64_t k = 0; k < 50; k++) {
    random_motion(q, dq, ddq, r->n, k);
    rbv_regressor_eval(W, r->d, q, dq, ddq, loaded);
    rbv_dynamics_rows(tau, r->d, q, dq, ddq);
    for (int i = 0; i < rows; i++) {
      double sum = 0, size = 0;
      for (int c = 0; c < r->nc; c++) {
        sum += W[i + c * rows] * r->chi[c];
        size += fabs(W[i + c * rows] * r->chi[c]);
      }
      // each product has about 20 roundings of the recursion
      assert_near(tau[i], sum, 20 * EPS * size, 0);
    }
    if (!loaded && rbv_model_has_payload(r->m))
      for (int c = r->nc - RBV_INERTIAL; c < r->nc; c++)
        for (int i = 0; i < rows; i++) assert_true(W[i + c * rows] == 0);
  }
}

static void test_regressor_reproduces_inverse_dynamics(void **state) {
  (void)state;
  for (int sensing = RBV_SENSING_MOTOR; sensing <= RBV_SENSING_DIFFERENCE; sensing++)
    for (int loaded = 0; loaded < 2; loaded++)
      for (int which = 0; which < 3; which++) {
        const char *const robots[] = {mixed, sensed, hinges};
        rbv_model_options options = rbv_model_defaults();
        options.sensing = sensing;
        options.payload = true;
        robot r = make(robots[which], &options);
        random_parameters(&r, 3, true);
        check_rows(&r, loaded);
        unmake(&r);
      }
}

/* motor channel - joint channel = difference channel, and the payload is part of the last link */
static void test_channels_and_payload(void **state) {
  (void)state;
  robot r = make(sensed, NULL);
  rbv_model_options options = rbv_model_defaults();
  options.sensing = RBV_SENSING_DIFFERENCE;
  robot difference = make(sensed, &options);
  random_parameters(&r, 5, true);
  random_parameters(&difference, 5, true);
  double q[N_MAX], dq[N_MAX], ddq[N_MAX], both[2 * N_MAX], motor[N_MAX], diff[N_MAX];
  for (uint64_t k = 0; k < 20; k++) {
    random_motion(q, dq, ddq, r.n, k);
    assert_ok(rbv_dynamics_set(r.d, r.chi, false));
    rbv_dynamics_rows(both, r.d, q, dq, ddq);
    rbv_dynamics_rows(diff, difference.d, q, dq, ddq);
    rbv_dynamics_inverse(motor, r.d, q, dq, ddq);
    for (int j = 0; j < r.n; j++) {
      assert_true(motor[j] == both[j]);
      // a difference of torques up to 100
      assert_near(both[j] - both[r.n + j], diff[j], 10 * 100 * EPS, 0);
    }

    // loaded is the same as the sum in the last link
    double sum[COLUMN_MAX], loaded[N_MAX], merged[N_MAX];
    memcpy(sum, r.chi, sizeof sum);
    const int last = rbv_model_find(r.m, "XX3"), payload = rbv_model_find(r.m, "XXL");
    for (int c = 0; c < RBV_INERTIAL; c++) sum[last + c] += r.chi[payload + c];
    assert_ok(rbv_dynamics_set(r.d, r.chi, true));
    rbv_dynamics_inverse(loaded, r.d, q, dq, ddq);
    assert_ok(rbv_dynamics_set(r.d, sum, false));
    rbv_dynamics_inverse(merged, r.d, q, dq, ddq);
    assert_memory_equal(loaded, merged, sizeof(double) * (size_t)r.n);
  }
  unmake(&r);
  unmake(&difference);
}

static void test_parameters_that_are_no_numbers_are_refused(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, true);
  r.chi[rbv_model_find(r.m, "MX2")] = NAN;
  assert_refused(rbv_dynamics_set(r.d, r.chi, false), RBV_EARG, "parameter MX2 is not a finite");
  unmake(&r);
}

/* ---- mass matrix, bias, forward dynamics ---- */

/* smallest pivot of the Cholesky factor, negative if M is not positive; M is overwritten */
static double smallest_pivot(double *M, int n) {
  double least = INFINITY;
  for (int j = 0; j < n; j++) {
    const double d = M[j + j * n];
    least = fmin(least, d);
    for (int i = j + 1; i < n; i++)
      for (int k = i; k < n; k++) M[k + i * n] -= M[k + j * n] * M[i + j * n] / d;
  }
  return least;
}

static void test_mass_matrix_is_what_acceleration_costs(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, true);
  double q[N_MAX], dq[N_MAX], ddq[N_MAX], M[N_MAX * N_MAX], N[N_MAX], tau[N_MAX];
  const double rest[N_MAX] = {0};
  for (uint64_t k = 0; k < 100; k++) {
    random_motion(q, dq, ddq, r.n, k);
    rbv_dynamics_mass(M, r.d, q);
    rbv_dynamics_bias(N, r.d, q, dq);
    rbv_dynamics_inverse(tau, r.d, q, dq, rest);
    for (int i = 0; i < r.n; i++) assert_true(N[i] == tau[i]);
    rbv_dynamics_inverse(tau, r.d, q, dq, ddq);
    for (int i = 0; i < r.n; i++) {
      double sum = N[i], size = fabs(N[i]);
      for (int j = 0; j < r.n; j++) {
        assert_near(M[i + j * r.n], M[j + i * r.n], 0, 0);
        sum += M[i + j * r.n] * ddq[j];
        size += fabs(M[i + j * r.n] * ddq[j]);
      }
      // sums over 5 links of some 30 terms, none larger than a few times the result's parts
      assert_near(sum, tau[i], 150 * EPS * fmax(size, norm(tau, r.n)), 0);
    }
    // the rotors alone give 0.05, less the rounding
    assert_true(smallest_pivot(M, r.n) > 0.04);
  }
  unmake(&r);
}

static void test_forward_undoes_inverse(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, true);
  double q[N_MAX], dq[N_MAX], ddq[N_MAX], tau[N_MAX], got[N_MAX];
  for (uint64_t k = 0; k < 200; k++) {
    random_motion(q, dq, ddq, r.n, k);
    rbv_dynamics_inverse(tau, r.d, q, dq, ddq);
    bool regular = false;
    rbv_dynamics_forward(got, &regular, r.d, q, dq, tau);
    assert_true(regular);
    // torques of 1e2 are good to 1e-14 of it, the smallest pivot is 0.05: 1e2 * 1e-14 / 0.05
    for (int j = 0; j < r.n; j++) assert_near(got[j], ddq[j], 2e-11, 0);
  }
  unmake(&r);
}

/* a mass matrix that is indefinite at some positions only, and one that is zero */
static void test_irregular_mass_matrix_is_reported(void **state) {
  (void)state;
  robot r = make("joints: [{mdh: {}}, {mdh: {d: 1}}]", NULL);
  double q[2 * 64], dq[2 * 64] = {0}, tau[2 * 64] = {0}, ddq[2 * 64], M[4];
  bool regular[64];
  r.chi[rbv_model_find(r.m, "ZZ1")] = 1;
  r.chi[rbv_model_find(r.m, "ZZ2")] = 1;
  r.chi[rbv_model_find(r.m, "MX2")] = 1.2;
  assert_ok(rbv_dynamics_set(r.d, r.chi, false));
  for (int k = 0; k < 64; k++) {
    q[k] = 0.1 * k;
    q[64 + k] = 0.1 * k + 0.03;
  }
  const rbv_states s = {.count = 64, .ld = 64, .q = q, .dq = dq};
  for (int width = 1; width <= 8; width *= 2) {
    rbv_dynamics_limit_width(r.d, width);
    rbv_dynamics_forward_batch(ddq, 64, regular, r.d, &s, tau, 64);
    int good = 0;
    for (int k = 0; k < 64; k++) {
      const double at[2] = {q[k], q[64 + k]}, zero[2] = {0}, one[2] = {1, 1};
      double single[2];
      bool ok = false;
      rbv_dynamics_mass(M, r.d, at);
      rbv_dynamics_forward(single, &ok, r.d, at, zero, one);
      // M = [2 + 2 h, 1 + h; 1 + h, 1] with h = 1.2 cos q2: definite when 2 + 2h > (1 + h)^2
      const double h = 1.2 * cos(at[1]);
      assert_near(M[0], 2 + 2 * h, 20 * EPS, 0);
      assert_int_equal(regular[k], 2 + 2 * h > 0 && 2 + 2 * h - (1 + h) * (1 + h) > 0);
      assert_int_equal(regular[k], ok);
      good += regular[k];
    }
    assert_in_range(good, 10, 54);
  }
  memset(r.chi, 0, sizeof r.chi);
  assert_ok(rbv_dynamics_set(r.d, r.chi, false));
  bool ok = true;
  rbv_dynamics_forward(ddq, &ok, r.d, q, dq, tau);
  assert_false(ok);
  unmake(&r);
}

/* ---- energy ---- */

static double energy(robot *r, const double *q, const double *dq) {
  double kinetic, potential;
  rbv_dynamics_energy(&kinetic, &potential, r->d, q, dq);
  return kinetic + potential;
}

#define STEP 1e-5  // of central differences: truncation 1e-10, rounding eps/STEP = 2e-11

/* dq' tau is the rate of the energy, and gravity the gradient of its potential part */
static void test_power_is_the_rate_of_energy(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, false);
  double q[N_MAX], dq[N_MAX], ddq[N_MAX], tau[N_MAX], E[2];
  const double rest[N_MAX] = {0};
  for (uint64_t k = 0; k < 50; k++) {
    random_motion(q, dq, ddq, r.n, k);
    rbv_dynamics_inverse(tau, r.d, q, dq, ddq);
    double size = 0;
    for (int j = 0; j < r.n; j++) size += fabs(dq[j] * tau[j]);
    for (int side = 0; side < 2; side++) {
      const double h = side ? STEP : -STEP;
      double qh[N_MAX], dqh[N_MAX];
      for (int j = 0; j < r.n; j++) {
        qh[j] = q[j] + h * dq[j] + h * h / 2 * ddq[j];
        dqh[j] = dq[j] + h * ddq[j];
      }
      E[side] = energy(&r, qh, dqh);
    }
    // third derivatives of the energy are some 1e3: 1e3 h^2, and eps |E| / h
    assert_near((E[1] - E[0]) / (2 * STEP), dot(dq, tau, r.n), 1e-9 * fmax(size, 100), 0);

    rbv_dynamics_bias(tau, r.d, q, rest);
    for (int j = 0; j < r.n; j++) {
      for (int side = 0; side < 2; side++) {
        double qh[N_MAX];
        memcpy(qh, q, sizeof qh);
        qh[j] += side ? STEP : -STEP;
        E[side] = energy(&r, qh, rest);
      }
      assert_near((E[1] - E[0]) / (2 * STEP), tau[j], 1e-9 * 100, 0);
    }
  }
  unmake(&r);
}

/* the quadratic part of the bias: b(v) = bias at v - bias at rest, in zero friction */
static void coriolis(double *c, robot *r, const double *q, const double *v) {
  double gravity[N_MAX];
  const double rest[N_MAX] = {0};
  rbv_dynamics_bias(gravity, r->d, q, rest);
  rbv_dynamics_bias(c, r->d, q, v);
  for (int i = 0; i < r->n; i++) c[i] -= gravity[i];
}

/*
 * With C from Christoffel symbols, C(q, v) u is the symmetric bilinear form whose quadratic one is
 * the Coriolis torque: polarisation gives its columns. dM/dt - 2 C must be skew, and C must agree
 * with the derivatives of M.
 */
static void test_christoffel(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, false);
  const int n = r.n;
  for (uint64_t k = 0; k < 20; k++) {
    double q[N_MAX], v[N_MAX], a[N_MAX], C[N_MAX][N_MAX], cv[N_MAX], dM[N_MAX][N_MAX * N_MAX];
    random_motion(q, v, a, n, k);
    coriolis(cv, &r, q, v);
    for (int j = 0; j < n; j++) {
      double e[N_MAX] = {0}, sum[N_MAX], ce[N_MAX], cs[N_MAX], M[2][N_MAX * N_MAX];
      e[j] = 1;
      memcpy(sum, v, sizeof sum);
      sum[j] += 1;
      coriolis(ce, &r, q, e);
      coriolis(cs, &r, q, sum);
      for (int i = 0; i < n; i++) C[i][j] = (cs[i] - cv[i] - ce[i]) / 2;
      for (int side = 0; side < 2; side++) {
        double qh[N_MAX];
        memcpy(qh, q, sizeof qh);
        qh[j] += side ? STEP : -STEP;
        rbv_dynamics_mass(M[side], r.d, qh);
      }
      for (int i = 0; i < n * n; i++) dM[j][i] = (M[1][i] - M[0][i]) / (2 * STEP);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double rate_ij = 0, rate_ji = 0, christoffel = 0;
        for (int l = 0; l < n; l++) {
          rate_ij += dM[l][i + j * n] * v[l];
          rate_ji += dM[l][j + i * n] * v[l];
          christoffel += (dM[l][i + j * n] + dM[j][i + l * n] - dM[i][j + l * n]) / 2 * v[l];
        }
        // entries up to 50: derivatives of M to 1e-9 of that
        assert_near(rate_ij - 2 * C[i][j], -(rate_ji - 2 * C[j][i]), 2e-7, 0);
        assert_near(C[i][j], christoffel, 1e-7, 0);
      }
  }
  unmake(&r);
}

static void rate(double *out, robot *r, const double *x) {
  const double none[N_MAX] = {0};
  bool regular = false;
  memcpy(out, x + r->n, (size_t)r->n * sizeof *out);
  rbv_dynamics_forward(out + r->n, &regular, r->d, x, x + r->n, none);
  assert_true(regular);
}

static void runge_kutta(double *x, robot *r, double h, int steps) {
  const int n = 2 * r->n;
  double k[4][2 * N_MAX], at[2 * N_MAX];
  for (int s = 0; s < steps; s++) {
    rate(k[0], r, x);
    for (int stage = 1; stage < 4; stage++) {
      for (int i = 0; i < n; i++) at[i] = x[i] + (stage == 3 ? h : h / 2) * k[stage - 1][i];
      rate(k[stage], r, at);
    }
    for (int i = 0; i < n; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

/* half a second of free motion; halving the step of a fourth-order method divides the error by 16
 */
static void test_free_robot_keeps_its_energy(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, false);
  double start[2 * N_MAX], acc[N_MAX], error[3];
  random_motion(start, start + r.n, acc, r.n, 4);
  const double before = energy(&r, start, start + r.n);
  for (int i = 0; i < 3; i++) {
    double x[2 * N_MAX];
    memcpy(x, start, sizeof x);
    runge_kutta(x, &r, 0.5 / (100 << i), 100 << i);
    error[i] = fabs(energy(&r, x, x + r.n) - before);
  }
  // the next order adds a term with factor h: the ratio may differ from 16 by a third
  assert_near(error[0] / error[1], 16, 5, 0);
  assert_near(error[1] / error[2], 16, 3, 0);
  // and the remaining error is small against the exchanged energy
  assert_near(error[2], 0, 1e-7 * fabs(before), 0);
  unmake(&r);
}

/* ---- frames ---- */

static void point_in_base(double *out, robot *r, const double *q, int joint, const double *point) {
  double R[9];
  rbv_dynamics_pose(R, out, r->d, q, joint);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[i] += R[i + 3 * k] * point[k];
}

static void test_jacobian_is_the_derivative_of_the_pose(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  const double point[3] = {0.1, -0.2, 0.3};
  for (uint64_t k = 0; k < 20; k++)
    for (int joint = 0; joint < r.n; joint++) {
      double q[N_MAX], dq[N_MAX], ddq[N_MAX], J[6 * N_MAX], R[9], p[3];
      random_motion(q, dq, ddq, r.n, k);
      rbv_dynamics_jacobian(J, r.d, q, joint, point);
      rbv_dynamics_pose(R, p, r.d, q, joint);
      // a rotation: orthonormal, right-handed
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) assert_near(dot(R + 3 * a, R + 3 * b, 3), a == b, 50 * EPS, 0);
      for (int j = 0; j < r.n; j++) {
        double x[2][3], Rh[2][9], w[9] = {0};
        for (int side = 0; side < 2; side++) {
          double qh[N_MAX];
          memcpy(qh, q, sizeof qh);
          qh[j] += side ? STEP : -STEP;
          point_in_base(x[side], &r, qh, joint, point);
          rbv_dynamics_pose(Rh[side], p, r.d, qh, joint);
        }
        // dR R' is [w]x
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++)
              w[a + 3 * b] += (Rh[1][a + 3 * c] - Rh[0][a + 3 * c]) / (2 * STEP) * R[b + 3 * c];
        const double angular[3] = {w[2 + 3], w[0 + 6], w[1]};
        for (int i = 0; i < 3; i++) {
          // arms of up to 7 m (slides reach 3 m): 7 h^2 / 6 and 7 eps / h, together 3e-10
          assert_near(J[i + 6 * j], (x[1][i] - x[0][i]) / (2 * STEP), 5e-10, 0);
          assert_near(J[3 + i + 6 * j], angular[i], 1e-10, 0);
        }
      }
    }
  unmake(&r);
}

/* against the Jacobians of all origins and of the point */
static void test_top_speed(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  const double point[3] = {0.1, -0.2, 0.3}, origin[3] = {0};
  for (uint64_t k = 0; k < 50; k++) {
    double q[N_MAX], dq[N_MAX], ddq[N_MAX], J[6 * N_MAX], most = 0;
    random_motion(q, dq, ddq, r.n, k);
    for (int joint = 0; joint <= r.n; joint++) {
      double v[3] = {0};
      const bool last = joint == r.n;
      rbv_dynamics_jacobian(J, r.d, q, last ? r.n - 1 : joint, last ? point : origin);
      for (int i = 0; i < 3 * r.n; i++) v[i % 3] += J[i % 3 + 6 * (i / 3)] * dq[i / 3];
      most = fmax(most, sqrt(dot(v, v, 3)));
    }
    // two orders of the same sums, of up to 8 joints and 7 m
    assert_near(rbv_dynamics_top_speed(r.d, q, dq, point), most, 0, 200 * EPS);
  }
  unmake(&r);
}

/* ---- drives ---- */

/* the formula of the table, which is written apart from the functions that the library calls */
static double law_by_formula(const rbv_law *law, const rbv_model *m, double q, double v, double a,
                             double s) {
  expression e;
  double shape[LAW_SHAPES], scratch[EXPRESSION_REGISTERS * EXPRESSION_CHUNK], out;
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    shape[k] = rbv_model_shape(m, 0, law->shape[k].name);
  assert_ok(rbv_law_compile(&e, law, shape));
  // without links there is no load; a state is that of steady motion
  double z = 0, slope;
  if (law->state_count > 0)
    law->state_steady(&z, &slope, &(rbv_law_input){.sign = s, .shape = shape});
  const double time_and_position[2] = {0, q}, dq[4] = {v, s, 0, z};
  rbv_expression_eval(&out, &e, scratch, time_and_position, dq, &a, 1, 1);
  rbv_expression_free(&e);
  return out;
}

/* laws with a formula by hand; NaN: a law that was added later */
static double law_by_hand(const char *name, double v, double a, double s, double knee) {
  if (strcmp(name, "Ia") == 0) return a;
  if (strcmp(name, "Fv") == 0) return v;
  if (strcmp(name, "Fc") == 0) return s;
  if (strcmp(name, "Fcp") == 0) return (1 + s) / 2;
  if (strcmp(name, "Fcn") == 0) return (s - 1) / 2;
  if (strcmp(name, "Fsq") == 0)
    return fabs(v) < knee ? v * fabs(v) : copysign(2 * knee * fabs(v) - knee * knee, v);
  if (strcmp(name, "Fcu") == 0) return v * v * v;
  if (strcmp(name, "Fs") == 0) return s * exp(-pow(v / 0.7, 2));
  return strcmp(name, "off") == 0 ? 1 : NAN;
}

/* the sign of a speed: its step, the arc tangent, the root with the speed of every_shape */
static double sign_by_hand(int kind, double v) {
  const double step = v > 0 ? 1 : v < 0 ? -1 : 0;
  return kind == 0 ? step : kind == 1 ? 2 / acos(-1) * atan(150 * v) : v / hypot(v, 0.02);
}

/* each law of the table alone, with and without smoothing, both directions and rest; asymmetric
 * friction that is equal on both sides is the symmetric one */
static void test_friction_columns_by_hand(void **state) {
  (void)state;
  const double speeds[] = {-1.7, -1e-3, 0, 1e-3, 2.5}, q = 0.3, a = 1.4;
  for (int kind = 0; kind < 3; kind++) {
    rbv_model_options options = rbv_model_defaults();
    options.gamma = kind == 1 ? 150 : 0;
    options.stribeck = 0.7;
    char laws[512], shape[256], yaml[1024], name[16];
    every_law(laws, sizeof laws);
    every_shape(shape, sizeof shape, 0, 1);
    if (kind == 0) memcpy(strstr(shape, "smooth: 0.02"), "smooth: 0.00", 12);  // the sign itself
    snprintf(yaml, sizeof yaml, "joints: [{mdh: {}, drive: [%s]}]\nfriction: %s\n", laws, shape);
    robot r = make(yaml, &options);
    for (int i = 0; i < rbv_law_count(); i++)
      for (int k = 0; k < RBV_COUNT(speeds); k++) {
        memset(r.chi, 0, sizeof r.chi);
        snprintf(name, sizeof name, "%s1", rbv_law_name(rbv_law_at(i)));
        r.chi[rbv_model_find(r.m, name)] = 3;
        assert_ok(rbv_dynamics_set(r.d, r.chi, false));
        double tau;
        rbv_dynamics_inverse(&tau, r.d, &q, &speeds[k], &a);
        const double s = sign_by_hand(kind, speeds[k]);
        const double hand = law_by_hand(rbv_law_name(rbv_law_at(i)), speeds[k], a, s,
                                        rbv_model_shape(r.m, 0, "knee"));
        // 1 + s is small where s is close to -1: it keeps the rounding of s
        if (!isnan(hand)) assert_near(tau, 3 * hand, 3 * EPS, 4 * EPS);
        // exp(-(v/v_s)^2) at v/v_s = 3.6 multiplies the rounding of its argument by 2 * 13
        // springs have no deflection here
        const double want = rbv_column_is_spring(rbv_model_column(r.m, rbv_model_find(r.m, name)))
                                ? 0
                                : law_by_formula(rbv_law_at(i), r.m, q, speeds[k], a, s);
        assert_near(tau, 3 * want, 3 * EPS, 32 * EPS);
      }
    for (int k = 0; k < RBV_COUNT(speeds); k++) {
      double asymmetric, symmetric;
      memset(r.chi, 0, sizeof r.chi);
      r.chi[rbv_model_find(r.m, "Fcp1")] = r.chi[rbv_model_find(r.m, "Fcn1")] = 2;
      assert_ok(rbv_dynamics_set(r.d, r.chi, false));
      rbv_dynamics_inverse(&asymmetric, r.d, &q, &speeds[k], &a);
      memset(r.chi, 0, sizeof r.chi);
      r.chi[rbv_model_find(r.m, "Fc1")] = 2;
      assert_ok(rbv_dynamics_set(r.d, r.chi, false));
      rbv_dynamics_inverse(&symmetric, r.d, &q, &speeds[k], &a);
      assert_near(asymmetric, symmetric, 4 * EPS, 4 * EPS);
    }
    unmake(&r);
  }
}

static double *column(robot *r, const char *name) { return &r->chi[rbv_model_find(r->m, name)]; }

static const char coupled[] =
    "joints: [{mdh: {}}, {mdh: {alpha: pi/2}}, {mdh: {alpha: -pi/2, d: 0.3}}]\n"
    "transmission:\n"
    "  matrix: [[50, 0, 0], [0, -40, 0], [0, 24, 32]]\n"
    "  parametrisation: %s\n";

/* K' diag K itself: rotor 3 turns with qm3 = 24 q2 + 32 q3, its torque acts through K' */
static void test_motor_parametrisation_is_the_transposed_transmission(void **state) {
  (void)state;
  char yaml[512];
  snprintf(yaml, sizeof yaml, coupled, "motor");
  robot r = make(yaml, NULL);
  *column(&r, "Ia3") = 0.4;
  *column(&r, "fvm3") = 2;
  *column(&r, "fcm3") = 3;
  assert_ok(rbv_dynamics_set(r.d, r.chi, false));
  for (uint64_t k = 0; k < 20; k++) {
    double q[3], v[3], a[3], tau[3], M[9];
    random_motion(q, v, a, 3, k);
    rbv_dynamics_inverse(tau, r.d, q, v, a);
    // joint-side units of motor 3: divided by its own ratio 32
    const double w = 24.0 / 32, vm = w * v[1] + v[2], am = w * a[1] + a[2];
    const double motor = 0.4 * am + 2 * vm + 3 * ((vm > 0) - (vm < 0));
    assert_near(tau[0], 0, 0, 0);
    assert_near(tau[1], w * motor, 100 * EPS, 0);
    assert_near(tau[2], motor, 100 * EPS, 0);
    rbv_dynamics_mass(M, r.d, q);
    assert_near(M[1 + 3 * 1], 0.4 * w * w, 0, 4 * EPS);
    assert_near(M[1 + 3 * 2], 0.4 * w, 0, 4 * EPS);
  }
  unmake(&r);
}

/*
 * Columns of Gautier 2011: Ia of a joint contains the part of other motors in its own acceleration,
 * Fv of every joint of a coupled motor contains its fvm. With w = K_mk / K_mm: Ia2' = Ia2 + w2^2
 * Ia3,  Fv2' = Fv2 + w2^2 fvm3,  Fv3' = Fv3 + fvm3, the rest the same.
 */
static void test_parametrisations_differ_by_a_linear_change(void **state) {
  (void)state;
  char yaml[512];
  snprintf(yaml, sizeof yaml, coupled, "motor");
  robot motor = make(yaml, NULL);
  snprintf(yaml, sizeof yaml, coupled, "joint");
  robot joint = make(yaml, NULL);
  random_parameters(&motor, 8, true);
  assert_int_equal(motor.nc, joint.nc);
  memcpy(joint.chi, motor.chi, sizeof joint.chi);
  const double w = 24.0 / 32;
  *column(&joint, "Ia2") += w * w * *column(&motor, "Ia3");
  *column(&joint, "Fv2") += w * w * *column(&motor, "fvm3");
  *column(&joint, "Fv3") += *column(&motor, "fvm3");
  assert_ok(rbv_dynamics_set(joint.d, joint.chi, false));
  for (uint64_t k = 0; k < 50; k++) {
    double q[3], v[3], a[3], got[3], want[3], Mj[9], Mm[9];
    random_motion(q, v, a, 3, k);
    rbv_dynamics_inverse(got, joint.d, q, v, a);
    rbv_dynamics_inverse(want, motor.d, q, v, a);
    // a dozen terms up to 50
    for (int j = 0; j < 3; j++) assert_near(got[j], want[j], 600 * EPS, 0);
    rbv_dynamics_mass(Mj, joint.d, q);
    rbv_dynamics_mass(Mm, motor.d, q);
    for (int i = 0; i < 9; i++) assert_near(Mj[i], Mm[i], 10 * EPS, 10 * EPS);
  }
  unmake(&motor);
  unmake(&joint);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_planar_arm_by_hand),
      cmocka_unit_test(test_regressor_reproduces_inverse_dynamics),
      cmocka_unit_test(test_channels_and_payload),
      cmocka_unit_test(test_parameters_that_are_no_numbers_are_refused),
      cmocka_unit_test(test_mass_matrix_is_what_acceleration_costs),
      cmocka_unit_test(test_forward_undoes_inverse),
      cmocka_unit_test(test_irregular_mass_matrix_is_reported),
      cmocka_unit_test(test_power_is_the_rate_of_energy),
      cmocka_unit_test(test_christoffel),
      cmocka_unit_test(test_free_robot_keeps_its_energy),
      cmocka_unit_test(test_jacobian_is_the_derivative_of_the_pose),
      cmocka_unit_test(test_top_speed),
      cmocka_unit_test(test_friction_columns_by_hand),
      cmocka_unit_test(test_motor_parametrisation_is_the_transposed_transmission),
      cmocka_unit_test(test_parametrisations_differ_by_a_linear_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
