/*
 * Simulated robots with closed loops: a minute without drift, the energy, and accelerations of
 * Lagrange multipliers along the motion (support/mechanism.h).
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/sim.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism.h"
#include "support.h"

#define RATE 500.0
#define SECONDS (SANITIZED ? 3 : 60)

typedef struct {
  mechanism m;
  rbv_model *model;
  rbv_dynamics *d;
  int n, driven[MECHANISM_JOINTS];
  double chi[MECHANISM_JOINTS * 14];
} robot;

static robot load(mechanism m) {
  robot r = {.m = m};
  rbv_model_options o = rbv_model_defaults();
  o.snap = false;
  assert_ok(rbv_model_load(&r.model, mechanism_write(&m), &o));
  assert_ok(rbv_dynamics_new(&r.d, r.model));
  r.n = rbv_model_joint_count(r.model);
  for (int i = 0, k = 0; i < m.n; i++)
    if (m.joint[i].driven) r.driven[k++] = i;
  mechanism_parameters(r.chi, &m, r.model);
  assert_ok(rbv_dynamics_set(r.d, r.chi, false));
  return r;
}

static void unload(robot *r) {
  rbv_dynamics_free(r->d);
  rbv_model_free(r->model);
}

/* drives pull the joints along sums of sines */
static rbv_sim_trace run(const robot *r, ptrdiff_t count, double reach, rbv_integrator integrator) {
  rbv_sim *s;
  rbv_control *c;
  rbv_sim_outcome outcome;
  rbv_sim_trace t;
  rbv_sim_options o = rbv_sim_defaults();
  rbv_control_joint law[MECHANISM_JOINTS];
  double *reference = calloc((size_t)(count * r->n), sizeof *reference);
  double still[MECHANISM_JOINTS] = {0}, home[MECHANISM_JOINTS],
         M[MECHANISM_JOINTS * MECHANISM_JOINTS];
  for (int k = 0; k < r->n; k++) home[k] = r->m.joint[r->driven[k]].home;
  rbv_dynamics_mass(M, r->d, home);
  for (int k = 0; k < r->n; k++) law[k] = rbv_control_tune(M[k + k * r->n], 30, 0, 10);
  for (int k = 0; k < r->n; k++)
    for (ptrdiff_t i = 0; i < count; i++)
      reference[i + k * count] =
          home[k] + reach * (sin((2 + 0.3 * k) * (double)i / RATE) * 0.7 +
                             0.3 * (1 - cos((5 + 0.4 * k) * (double)i / RATE)));
  const rbv_sim_reference path = {
      .count = count, .ld = count, .q = reference, .q0 = home, .dq0 = still};
  o.integrator = integrator;
  o.substeps = integrator == RBV_INTEGRATOR_RK4 ? 2 : 0;
  assert_ok(rbv_control_new(&c, "drives", RATE, RBV_FEEDFORWARD_NONE, law, r->n));
  assert_ok(rbv_sim_new(&s, r->model, c, &o, 1));
  const rbv_sim_lane lane = {.chi = r->chi};
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&t, r->n, count));
  assert_ok(rbv_sim_run(&outcome, s, &path, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_sim_free(s);
  rbv_control_free(c);
  free(reference);
  return t;
}

static void take(double *to, const double *from, const robot *r, const rbv_sim_trace *t,
                 ptrdiff_t k) {
  for (int j = 0; j < r->n; j++) to[j] = from[k + j * t->ld];
}

/* the closure of every sample, and at some of them the accelerations by multipliers */
static void check_closure(robot *r, const rbv_sim_trace *t, ptrdiff_t count) {
  double gap = 0, off = 0, size = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    double q[MECHANISM_JOINTS], dq[MECHANISM_JOINTS], tau[MECHANISM_JOINTS] = {0};
    double all[2][MECHANISM_JOINTS], ddq[MECHANISM_JOINTS];
    rbv_loop_pose pose;
    take(q, t->q, r, t, k);
    take(dq, t->dq, r, t, k);
    assert_true(rbv_dynamics_loops(&pose, all[0], all[1], NULL, r->d, q, dq, NULL));
    gap = fmax(gap, mechanism_gap(&r->m, all[0]));
    if (k % 50) continue;
    for (int j = 0; j < r->n; j++) tau[r->driven[j]] = t->applied[k + j * t->ld];
    mechanism_accelerate(ddq, NULL, &r->m, all[0], all[1], tau);
    for (int j = 0; j < r->n; j++) {
      off = fmax(off, fabs(ddq[r->driven[j]] - t->ddq[k + j * t->ld]));
      size = fmax(size, fabs(ddq[r->driven[j]]));
    }
  }
  print_message("%s: gap %.1e m, accelerations off by %.1e of %.3g\n", r->m.name, gap, off, size);
  assert_true(gap <= 1e-9);
  assert_true(off <= 1e-8 * size);
}

/* torque is constant between two ticks: its work is exact */
static void check_energy(robot *r, const rbv_sim_trace *t, ptrdiff_t count) {
  double work = 0, transferred = 0, energy[2] = {0};
  for (ptrdiff_t k = 0; k + 1 < count; k++)
    for (int j = 0; j < r->n; j++) {
      const ptrdiff_t at = k + j * t->ld;
      const double part = t->applied[at] * (t->q[at + 1] - t->q[at]);
      work += part;
      transferred += fabs(part);
    }
  for (int end = 0; end < 2; end++) {
    double q[MECHANISM_JOINTS], dq[MECHANISM_JOINTS], kinetic, potential;
    take(q, t->q, r, t, end ? count - 1 : 0);
    take(dq, t->dq, r, t, end ? count - 1 : 0);
    rbv_dynamics_energy(&kinetic, &potential, r->d, q, dq);
    energy[end] = kinetic + potential;
  }
  const double balance = energy[1] - energy[0] - work;
  print_message("%s: balance %.1e J of %.3g J\n", r->m.name, balance, transferred);
  assert_near(balance, 0, 1e-6 * transferred, 0);
}

static void check(mechanism m, double reach) {
  for (int i = 0; i < m.n; i++) m.joint[i].viscous = m.joint[i].coulomb = 0;
  robot r = load(m);
  const ptrdiff_t count = (ptrdiff_t)(SECONDS * RATE);
  rbv_sim_trace t = run(&r, count, reach, RBV_INTEGRATOR_RK4);
  check_closure(&r, &t, count);
  check_energy(&r, &t, count);
  rbv_sim_trace_free(&t);
  unload(&r);
}

static void test_minute(void **state) {
  (void)state;
  check(mechanism_parallelogram(), 0.5);
  check(mechanism_random_planar(2), 0.3);
  check(mechanism_delta(), 0.4);
}

/* largest difference to the multipliers, which have the torques of the run */
static double off_by_multipliers(const robot *r, const rbv_sim_trace *t, ptrdiff_t count) {
  double q[MECHANISM_JOINTS] = {0}, dq[MECHANISM_JOINTS] = {0}, worst = 0;
  for (int i = 0; i < r->m.n; i++) q[i] = r->m.joint[i].home;
  for (ptrdiff_t k = 0; k < count; k++) {
    double tau[MECHANISM_JOINTS] = {0};
    for (int j = 0; j < r->n; j++) {
      tau[r->driven[j]] = t->applied[k + j * t->ld];
      worst = fmax(worst, fabs(q[r->driven[j]] - t->q[k + j * t->ld]));
    }
    for (int i = 0; i < 4; i++) mechanism_step(q, dq, &r->m, tau, 1 / RATE / 4);
  }
  return worst;
}

/* friction of driven and passive joints, explicit and implicit */
static void test_friction(void **state) {
  (void)state;
  static const rbv_integrator integrator[] = {RBV_INTEGRATOR_RK4, RBV_INTEGRATOR_ROSENBROCK};
  // steps of 1 and 0.5 ms of order 4; of order 3
  static const double bound[] = {1e-8, 1e-6};
  mechanism m = mechanism_random_planar(3);
  m.gamma = 30;
  for (int i = 0; i < m.n; i++) {
    m.joint[i].viscous = 0.4 + 0.1 * i;
    m.joint[i].coulomb = 0.8;
  }
  robot r = load(m);
  for (int i = 0; i < 2; i++) {
    rbv_sim_trace t = run(&r, 250, 0.3, integrator[i]);
    const double worst = off_by_multipliers(&r, &t, 250);
    print_message("%s: positions within %.1e rad\n", rbv_integrator_name(integrator[i]), worst);
    assert_true(worst <= bound[i]);
    rbv_sim_trace_free(&t);
  }
  unload(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_minute),
                                     cmocka_unit_test(test_friction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
