/* An arm of three joints with known friction along sums of sines, with noise in the torques. The
 * motion is exact, so that friction terms and their coefficients can be compared with the truth. */
#ifndef TESTS_FRICTION_GEARED_ARM_H
#define TESTS_FRICTION_GEARED_ARM_H

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/motion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "support.h"

#define ARM_JOINTS 3
#define ARM_RATE 200.0

static const char arm_text[] =
    "name: arm\n"
    "joints:\n"
    "  - {mdh: {}, friction: {smooth: 0.002}}\n"
    "  - {mdh: {alpha: -pi/2}, friction: {smooth: 0.002}}\n"
    "  - {mdh: {d: 0.4}, friction: {smooth: 0.002}}\n";

static inline rbv_model *arm_model(const char *friction) {
  rbv_model_options o = rbv_model_defaults();
  rbv_model *m;
  o.friction = friction;
  assert_ok(rbv_model_parse(&m, "arm", arm_text, sizeof arm_text - 1, &o));
  return m;
}

static inline void arm_set(double *chi, const rbv_model *m, const char *name, double value) {
  const int c = rbv_model_find(m, name);
  assert_true(c >= 0);
  chi[c] = value;
}

/* Rotors 1 and 2 cannot be distinguished from ZZ1 and ZZ2 and count as load, so they are zero:
 * rigid bodies, a rotor, viscous and Coulomb friction; other columns are zero */
static inline double *arm_parameters(const rbv_model *m) {
  static const struct {
    const char *name;
    double value;
  } truth[] = {{"ZZ1", 1.2}, {"XX2", 0.1}, {"YY2", 0.6}, {"ZZ2", 0.6}, {"MX2", 2},
               {"M2", 6},    {"ZZ3", 0.2}, {"YY3", 0.2}, {"MX3", 0.5}, {"MY3", 0.1},
               {"M3", 2},    {"Ia3", 0.1}, {"Fv1", 2},   {"Fv2", 3},   {"Fv3", 1},
               {"Fc1", 2},   {"Fc2", 3},   {"Fc3", 1.5}, {"off1", 0.1}};
  double *chi = calloc((size_t)m->ncolumn, sizeof *chi);
  for (int i = 0; i < RBV_COUNT(truth); i++) arm_set(chi, m, truth[i].name, truth[i].value);
  return chi;
}

/* position and derivatives of joint j; slow: its speed is a twentieth */
static inline void arm_state(double *q, double *dq, double *ddq, int j, double t, double phase,
                             bool slow) {
  static const double w[ARM_JOINTS][3] = {{0.7, 1.9, 3.7}, {0.9, 1.6, 4.1}, {0.8, 2.3, 4.9}};
  static const double a[3] = {0.8, 0.35, 0.12};
  *q = *dq = *ddq = 0;
  for (int i = 0; i < 3; i++) {
    const double x = w[j][i] * t + phase + i + j, size = slow ? a[i] / 20 : a[i];
    *q += size * sin(x);
    *dq += size * w[j][i] * cos(x);
    *ddq -= size * w[j][i] * w[j][i] * sin(x);
  }
}

/* states of the laws of the model, sample by sample */
static inline void arm_law_states(double *state, const rbv_model *m, const double *dq,
                                  ptrdiff_t n) {
  for (int i = 0; i < m->nterm; i++) {
    const drive_term *t = &m->term[i];
    if (t->state < 0) continue;
    double z = 0;
    for (ptrdiff_t k = 0; k < n; k++) {
      const rbv_law_input at = {.motion = dq[k + t->joint * n], .shape = t->shape};
      t->law->state_step(&z, &at, 1 / ARM_RATE);
      state[k + t->state * n] = z;
    }
  }
}

/*
 * A recording of `seconds` of the arm with parameters chi of the model m. noise: standard deviation
 * of the torques relative to their rms. slow: this joint hardly moves, -1: none.
 */
static inline rbv_motion *arm_motion(const rbv_model *m, const double *chi, double seconds,
                                     double noise, uint64_t seed, int slow) {
  const ptrdiff_t n = (ptrdiff_t)(seconds * ARM_RATE);
  double *q = calloc((size_t)(n * (4 * ARM_JOINTS + m->nstate + 1)), sizeof *q);
  double *dq = q + n * ARM_JOINTS, *ddq = dq + n * ARM_JOINTS, *tau = ddq + n * ARM_JOINTS;
  double *state = tau + n * ARM_JOINTS;
  const double phase = 6 * rbv_random_uniform(seed, 100, 0);
  for (ptrdiff_t k = 0; k < n; k++)
    for (int j = 0; j < ARM_JOINTS; j++)
      arm_state(&q[k + j * n], &dq[k + j * n], &ddq[k + j * n], j, (double)k / ARM_RATE, phase,
                j == slow);
  arm_law_states(state, m, dq, n);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  const rbv_states s = {
      .count = n, .ld = n, .q = q, .dq = dq, .ddq = ddq, .state = m->nstate > 0 ? state : NULL};
  rbv_dynamics_rows_batch(tau, n, d, &s);
  rbv_dynamics_free(d);
  for (int j = 0; j < ARM_JOINTS; j++) {
    double square = 0;
    for (ptrdiff_t k = 0; k < n; k++) square += tau[k + j * n] * tau[k + j * n];
    const double sigma = noise * sqrt(square / (double)n);
    for (ptrdiff_t k = 0; k < n; k++)
      tau[k + j * n] += sigma * rbv_random_normal(seed, (uint64_t)j, (uint64_t)k);
  }
  const rbv_motion_info info = {
      .name = "arm", .njoint = ARM_JOINTS, .ntorque = ARM_JOINTS, .count = n, .rate_hz = ARM_RATE};
  const rbv_samples samples = {.ld = n, .q = q, .dq = dq, .ddq = ddq, .torque = tau};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  free(q);
  return motion;
}

#endif
