/*
 * Drift of friction, found in recordings of a geared arm. Clean recordings have coloured noise, in
 * three of four cases a motion that becomes larger or smaller, and friction that the plain model
 * does not have: in proportion to the load, or with the root of the speed. False alarms: at most 2
 * %.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_internal.h"
#include "model/model_internal.h"
#include "support.h"

#define N 3
#define RATE 100.0
#define CLEAN 200
#define DRIFTING 40  // of each change

static const char text[] =
    "name: arm\n"
    "joints:\n"
    "  - {mdh: {}, drive: [Ia, Fv, Fc, off]}\n"
    "  - {mdh: {alpha: -pi/2}, drive: [Ia, Fv, Fc, off]}\n"
    "  - {mdh: {d: 0.4}, drive: [Ia, Fv, Fc, off]}\n"
    "friction: {smooth: 0.002}\n"
    "parameters: {ZZ1: 1.2, XX2: 0.1, YY2: 0.6, ZZ2: 0.6, MX2: 2, M2: 6, ZZ3: 0.2, YY3: 0.2,\n"
    "  MX3: 0.5, MY3: 0.1, M3: 2, Ia3: 0.1, Fv1: 2, Fv2: 3, Fv3: 1, Fc1: 4, Fc2: 6, Fc3: 3}\n";

static double uniform(uint64_t seed, int stream, int i, double low, double high) {
  return low + (high - low) * rbv_random_uniform(seed, (uint64_t)stream, (uint64_t)i);
}

/* five sines per joint whose size changes linearly by `grows` */
static void motion_at(double *q, double *dq, double *ddq, uint64_t seed, double t, double T,
                      double grows) {
  for (int j = 0; j < N; j++) {
    double x[3] = {0};
    for (int k = 0; k < 5; k++) {
      const double w = 2 * M_PI * uniform(seed, 1 + j, 3 * k, 0.08, 0.8);
      const double a = uniform(seed, 1 + j, 3 * k + 1, 0.2, 0.8) / (1 + w / 2);
      const double p = w * t + uniform(seed, 1 + j, 3 * k + 2, 0, 2 * M_PI);
      x[0] += a * sin(p);
      x[1] += a * w * cos(p);
      x[2] -= a * w * w * sin(p);
    }
    const double g = 1 + grows * t / T, rate = grows / T;
    q[j] = g * x[0];
    dq[j] = g * x[1] + rate * x[0];
    ddq[j] = g * x[2] + 2 * rate * x[1];
  }
}

/* a recording: friction changes by `change` with a time constant of half its length */
static rbv_log *record(const rbv_model *m, uint64_t seed, double change) {
  const int kind = (int)(seed % 4);
  const double T = seed % 3 == 0 ? 25 : seed % 3 == 1 ? 30 : 45;
  const double grows = kind == 0 ? 0 : uniform(seed, 20, 0, -0.5, 0.5);
  const double noise = uniform(seed, 20, 1, 0.05, 0.4), corner = uniform(seed, 20, 2, 1, 20);
  const double keep = exp(-2 * M_PI * corner / RATE);
  rbv_dynamics *links;
  double chi[64];
  for (int c = 0; c < m->ncolumn; c++)
    chi[c] = rbv_is_friction(&m->column[c]) ? 0 : m->parameters[c];
  assert_ok(rbv_dynamics_new(&links, m));
  assert_ok(rbv_dynamics_set(links, chi, false));
  rbv_text csv = {0};
  rbv_text_put(&csv, "t,q1,q2,q3,tau1,tau2,tau3\n");
  double state[N] = {0};
  for (int k = 0; k < (int)(T * RATE); k++) {
    const double t = k / RATE, warm = 1 + change * (1 - exp(-2 * t / T)) / (1 - exp(-2));
    double q[N], dq[N], ddq[N], tau[N];
    motion_at(q, dq, ddq, seed, t, T, grows);
    rbv_dynamics_inverse(tau, links, q, dq, ddq);
    for (int j = 0; j < N; j++) {
      static const char *const law[] = {"Fv", "Fc"};
      double f[2], slope;
      for (int i = 0; i < 2; i++) {
        char name[8];
        snprintf(name, sizeof name, "%s%d", law[i], j + 1);
        f[i] = m->parameters[rbv_model_find(m, name)];
      }
      const double sign = rbv_law_sign(&slope, dq[j], (rbv_smoothing){.speed = 0.002});
      double friction = f[0] * dq[j] + f[1] * sign;
      if (kind == 2) friction += 0.1 * fabs(tau[j]) * sign;
      if (kind == 3) friction += 0.5 * f[1] * sqrt(fabs(dq[j])) * sign;
      // coloured and white noise of the same size
      const int at = k * N + j;
      state[j] =
          keep * state[j] + sqrt(1 - keep * keep) * rbv_random_normal(seed, 30, (uint64_t)at);
      tau[j] += warm * friction + noise * (state[j] + rbv_random_normal(seed, 31, (uint64_t)at));
    }
    rbv_text_print(&csv, "%.3f,%.9g,%.9g,%.9g,%.7g,%.7g,%.7g\n", t, q[0], q[1], q[2], tau[0],
                   tau[1], tau[2]);
  }
  rbv_log *log;
  assert_false(csv.failed);
  assert_ok(rbv_log_parse(&log, "log", csv.data, csv.size, NULL));
  rbv_text_free(&csv);
  rbv_dynamics_free(links);
  return log;
}

static bool is_found(const rbv_model *m, uint64_t seed, double change) {
  rbv_log *log = record(m, seed, change);
  view v = {.log = log, .count = rbv_log_samples(log), .rate_hz = RATE, .njoint = N, .nrow = N};
  examination x = {.model = m, .nlog = 1, .view = &v};
  assert_ok(rbv_detect_friction_drift(&x, &v));
  const bool found = x.nfinding > 0;
  if (found && change == 0) print_message("seed %d: %s\n", (int)seed, x.finding[0].sentence);
  rbv_findings_free(x.finding, x.nfinding);
  rbv_log_free(log);
  return found;
}

static void test_rates(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm.yaml", text, sizeof text - 1, NULL));
  int alarms = 0, found[3] = {0};
  static const double change[3] = {-0.2, -0.3, 0.25};
  for (int s = 1; s <= CLEAN; s++) {
    alarms += is_found(m, (uint64_t)s, 0);
    if (s % 20 == 0) print_message("%d of %d clean recordings so far\n", alarms, s);
  }
  for (int i = 0; i < 3; i++)
    for (int s = 1; s <= DRIFTING; s++)
      found[i] += is_found(m, (uint64_t)(1000 * i + s), change[i]);
  print_message("%d of %d clean recordings; -20 %%: %d, -30 %%: %d, +25 %%: %d of %d\n", alarms,
                CLEAN, found[0], found[1], found[2], DRIFTING);
  assert_true(alarms <= 0.02 * CLEAN);
  for (int i = 0; i < 3; i++) assert_true(found[i] >= 0.9 * DRIFTING);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
