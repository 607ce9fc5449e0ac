/* An arm under a discrete controller: Roberval and MuJoCo simulate the same motion. */
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/support.h"
#include "oracle.h"

#define N 6
#define RATE 1000.0
#define TICKS 2000
#define ARMATURE 0.05

/* six links, each rotated and translated relative to the previous one */
typedef struct {
  double xyz[3], rpy[3], axis[3], mass, com[3], moments[3];
} part;

static const part arm[N] = {
    {{0, 0, 0.3}, {0, 0, 0.2}, {0, 0, 1}, 6, {0.01, 0.02, -0.1}, {0.08, 0.07, 0.03}},
    {{0.05, 0, 0.1}, {-1.5, 0.1, 0}, {0, 1, 0}, 5, {0.15, 0, 0.02}, {0.02, 0.09, 0.08}},
    {{0.3, 0.02, 0}, {0, 0, 0.3}, {0, 1, 0}, 3, {0.05, 0.02, 0}, {0.02, 0.02, 0.015}},
    {{0.1, 0, 0.1}, {1.2, 0, 0}, {0, 0, 1}, 1.5, {0, 0.01, 0.06}, {0.006, 0.006, 0.002}},
    {{0, 0, 0.2}, {0, 0.3, 0}, {0.6, 0.8, 0}, 1, {0, 0.02, 0.01}, {0.002, 0.002, 0.0015}},
    {{0, 0.05, 0}, {0.4, 0, 0.5}, {0, 0, 1}, 0.5, {0.01, 0, 0.03}, {0.0006, 0.0007, 0.0004}},
};

static const char *write_urdf(void) {
  static char text[8192];
  int at = snprintf(text, sizeof text, "<robot name='arm'><link name='l0'/>");
  for (int j = 0; j < N; j++) {
    const part *p = &arm[j];
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "<link name='l%d'><inertial><origin xyz='%.17g %.17g %.17g'/><mass "
                   "value='%.17g'/><inertia ixx='%.17g' iyy='%.17g' izz='%.17g' ixy='0' ixz='0' "
                   "iyz='0'/></inertial></link><joint name='j%d' type='continuous'><parent "
                   "link='l%d'/><child link='l%d'/><origin xyz='%.17g %.17g %.17g' rpy='%.17g "
                   "%.17g %.17g'/><axis xyz='%.17g %.17g %.17g'/></joint>",
                   j + 1, p->com[0], p->com[1], p->com[2], p->mass, p->moments[0], p->moments[1],
                   p->moments[2], j + 1, j, j + 1, p->xyz[0], p->xyz[1], p->xyz[2], p->rpy[0],
                   p->rpy[1], p->rpy[2], p->axis[0], p->axis[1], p->axis[2]);
  }
  snprintf(text + at, sizeof text - (size_t)at, "</robot>");
  return temp_file("arm.urdf", text);
}

static const char *write_mjcf(void) {
  static char text[8192];
  int at = snprintf(text, sizeof text,
                    "<mujoco><compiler angle='radian' eulerseq='XYZ'/><option gravity='0 0 -9.81' "
                    "integrator='RK4'/><worldbody>");
  for (int j = 0; j < N; j++) {
    const part *p = &arm[j];
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "<body pos='%.17g %.17g %.17g' euler='%.17g %.17g %.17g'><joint type='hinge' "
                   "axis='%.17g %.17g %.17g' armature='%.17g'/><inertial pos='%.17g %.17g %.17g' "
                   "mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
                   p->xyz[0], p->xyz[1], p->xyz[2], p->rpy[0], p->rpy[1], p->rpy[2], p->axis[0],
                   p->axis[1], p->axis[2], ARMATURE, p->com[0], p->com[1], p->com[2], p->mass,
                   p->moments[0], p->moments[1], p->moments[2]);
  }
  for (int j = 0; j < N; j++) at += snprintf(text + at, sizeof text - (size_t)at, "</body>");
  snprintf(text + at, sizeof text - (size_t)at, "</worldbody></mujoco>");
  return temp_file("arm.xml", text);
}

static void theirs(double *q, const oracle *o, const rbv_control *c, const double *reference,
                   int substeps) {
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, c, 1));
  mj_resetData(o->m, o->d);
  o->m->opt.timestep = 1 / (RATE * substeps);
  for (int j = 0; j < N; j++) o->d->qpos[j] = reference[j * TICKS];
  for (int k = 0; k < TICKS; k++) {
    double qr[N], qm[N], tau[N];
    for (int j = 0; j < N; j++) {
      qr[j] = reference[k + j * TICKS];
      qm[j] = q[k + j * TICKS] = o->d->qpos[j];
    }
    const rbv_control_input in = {.qr = qr, .qm = qm};
    rbv_control_step(tau, s, &in);
    for (int j = 0; j < N; j++) o->d->qfrc_applied[j] = tau[j];
    for (int i = 0; i < substeps; i++) mj_step(o->m, o->d);
  }
  rbv_control_state_free(s);
}

static void test_same_loop_in_both_programs(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, write_urdf(), NULL));
  oracle o = oracle_load(write_mjcf());
  assert_int_equal(o.m->nv, N);

  // bodies of the file and rotors, without friction
  double chi[128] = {0}, J[N];
  const int ncol = rbv_model_column_count(m);
  for (int i = 0; i < ncol; i++) {
    const rbv_column *column = rbv_model_column(m, i);
    if (column->basis == RBV_BASIS_INERTIAL) chi[i] = rbv_model_parameters(m)[i];
    if (rbv_column_has_law(column, "Ia")) chi[i] = ARMATURE;
  }
  double *reference = malloc(TICKS * N * sizeof *reference), *q = malloc(TICKS * N * sizeof *q);
  for (int j = 0; j < N; j++)
    for (int k = 0; k < TICKS; k++)
      reference[k + j * TICKS] = 0.1 * j + 0.7 * (1 - cos((2 + 0.7 * j) * k / RATE));
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = reference};
  assert_ok(rbv_sim_inertia(J, m, chi, false, &r, 10));
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++) joint[j] = rbv_control_tune(J[j], 40, 0.2, 10);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, N));
  theirs(q, &o, c, reference, 8);

  for (int integrator = 0; integrator < 3; integrator++) {
    rbv_sim_options options = rbv_sim_defaults();
    options.integrator = (rbv_integrator)integrator;
    options.substeps = 8;
    rbv_sim *s;
    rbv_sim_trace t;
    rbv_sim_outcome outcome;
    const rbv_sim_lane lane = {.chi = chi};
    assert_ok(rbv_sim_new(&s, m, c, &options, 1));
    assert_ok(rbv_sim_set(s, 0, &lane));
    assert_ok(rbv_sim_trace_new(&t, N, TICKS));
    assert_ok(rbv_sim_run(&outcome, s, &r, &t));
    assert_int_equal(outcome.verdict, RBV_SIM_DONE);
    double worst = 0, far = 0;
    for (int i = 0; i < TICKS * N; i++) {
      worst = fmax(worst, fabs(t.q[i] - q[i]));
      far = fmax(far, fabs(t.q[i] - t.q[i % TICKS ? i - 1 : i]) * RATE);
    }
    assert_true(far > 1);  // the arm moves
    // 1e-8 with the same scheme and steps: MuJoCo converts inertias to quaternions. 1e-6 with the
    // implicit schemes of Roberval, which have order 3 and 2
    assert_near(worst, 0, integrator == RBV_INTEGRATOR_RK4 ? 1e-8 : 1e-6, 0);
    rbv_sim_trace_free(&t);
    rbv_sim_free(s);
  }
  free(reference);
  free(q);
  rbv_control_free(c);
  oracle_free(&o);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_loop_in_both_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
