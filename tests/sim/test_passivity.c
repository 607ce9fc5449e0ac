/*
 * Friction never creates energy: an arm in a closed loop, once with each law of the table. The
 * torque is constant between ticks, so that its work is tau (q_next - q) exactly, and the energy of
 * the arm never grows by more than that.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "laws.h"
#include "model/law.h"
#include "support.h"

#define RATE 1000.0
#define SAMPLES 4000
#define N 2

/* the parameters of an arm with little viscous friction and one law */
static void arm_parameters(double *chi, const rbv_model *m, const rbv_law *law) {
  static const double body[] = {0.05, 0.01, 0, 0.06, 0, 0.04, 0.02, 0.03, 0.01, 1.5};
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    chi[c] = column->basis == RBV_BASIS_INERTIAL ? body[column->component]
             : rbv_column_has_law(column, "Ia")  ? 0.3
             : rbv_column_has_law(column, "Fv")  ? 0.05
                                                 : 0;
    // a half alone, smoothed, is a constant torque near standstill: both halves are tested together
    const bool half = column->law && column->law->part.of && law->part.of;
    // springs are tested beside motors: sim.elastic
    if ((column->law != law && !half) || rbv_column_is_spring(column)) continue;
    // a tenth of the load; uneven friction below the viscous one: the sum opposes the motion
    const bool uneven = strcmp(rbv_law_name(law), "Fva") == 0;
    chi[c] += rbv_law_uses_torque(law) ? 0.1 : uneven ? 0.04 : 0.4;
  }
}

/* energy with that of the conservative laws: a constant torque and ripple */
static double energy(rbv_dynamics *d, const rbv_model *m, const double *chi, const double *q,
                     const double *dq) {
  double kinetic, potential;
  rbv_dynamics_energy(&kinetic, &potential, d, q, dq);
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    const double at = q[column->joint < 0 ? 0 : column->joint];
    const double n = column->joint < 0 ? 1 : rbv_model_shape(m, column->joint, "ripple");
    if (rbv_column_has_law(column, "off")) potential += chi[c] * at;
    if (rbv_column_has_law(column, "Frs")) potential -= chi[c] / n * cos(n * at);
    if (rbv_column_has_law(column, "Frc")) potential += chi[c] / n * sin(n * at);
  }
  return kinetic + potential;
}

static rbv_control *controller(void) {
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++) joint[j] = rbv_control_tune(0.5, 2 * M_PI * 8, 0.2, 10);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "loop", RATE, RBV_FEEDFORWARD_NONE, joint, N));
  return c;
}

/* Energy that a presliding state can return: Dahl's law stores f h (1 - ln 2) at z = 1. */
static double stored(const rbv_model *m, const double *chi) {
  double sum = 0;
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (rbv_column_has_law(column, "Fp"))
      sum += chi[c] * rbv_model_shape(m, column->joint, "presliding");
    if (rbv_column_has_law(column, "Fch"))
      sum += chi[c] * rbv_model_shape(m, column->joint, "reversal");
  }
  return (1 - log(2)) * sum;
}

/* energy minus work at each tick never rises above its lowest value before */
static void check_trace(const rbv_model *m, const double *chi, const rbv_law *law,
                        const rbv_sim_trace *t, double share) {
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  double work = 0, brought = 0, lowest = INFINITY, first = 0, rise = 0;
  for (int k = 0; k < SAMPLES; k++) {
    double q[N], dq[N], gain = 0;
    for (int j = 0; j < N; j++) {
      q[j] = t->q[k + j * t->ld];
      dq[j] = t->dq[k + j * t->ld];
      if (k > 0) gain += t->tau[k - 1 + j * t->ld] * (q[j] - t->q[k - 1 + j * t->ld]);
    }
    work += gain;
    brought += fabs(gain);
    const double rest = energy(d, m, chi, q, dq) - work;
    if (k == 0) first = rest;
    lowest = fmin(lowest, rest);
    rise = fmax(rise, rest - lowest);
  }
  print_message("%-4s %7.3f J brought in, %7.3f J lost, largest rise %.1e J\n", rbv_law_name(law),
                brought, first - lowest, rise);
  assert_true(rise <= stored(m, chi) + share * brought);
  rbv_dynamics_free(d);
}

static void check_law(const rbv_model *m, const rbv_law *law, const rbv_control *control,
                      const rbv_sim_reference *reference, rbv_integrator integrator) {
  double chi[200];
  assert_true(rbv_model_column_count(m) <= 200);
  arm_parameters(chi, m, law);
  rbv_sim *sim;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  rbv_sim_options o = rbv_sim_defaults();
  o.integrator = integrator;
  assert_ok(rbv_sim_new(&sim, m, control, &o, 1));
  assert_ok(rbv_sim_set(sim, 0, &(rbv_sim_lane){.chi = chi}));
  assert_ok(rbv_sim_trace_new(&t, N, SAMPLES));
  assert_ok(rbv_sim_run(&outcome, sim, reference, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  // errors of the integrator, with steps of 0.25 ms in a loop of 8 Hz: (w h)^3 is 2e-6. ros2 has
  // order 2, but all terms of order 3 of the conservative forces
  check_trace(m, chi, law, &t, 2e-6);
  rbv_sim_trace_free(&t);
  rbv_sim_free(sim);
}

static void test_energy_is_never_created(void **state) {
  (void)state;
  rbv_model *m = robot_with_every_law(60);
  rbv_control *control = controller();
  static double q[N * SAMPLES];
  for (int k = 0; k < SAMPLES; k++)
    for (int j = 0; j < N; j++)
      // reversals with rests between them
      q[k + j * SAMPLES] = (j ? 0.2 : 0.5) * pow(sin((3 + j) * k / RATE), 3);
  const rbv_sim_reference reference = {.count = SAMPLES, .ld = SAMPLES, .q = q};
  for (int i = 0; i < rbv_law_count(); i++) {
    check_law(m, rbv_law_at(i), control, &reference, RBV_INTEGRATOR_ROSENBROCK);
    check_law(m, rbv_law_at(i), control, &reference, RBV_INTEGRATOR_ROS2);
  }
  rbv_control_free(control);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_energy_is_never_created),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
