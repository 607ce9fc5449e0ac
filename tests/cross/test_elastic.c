/*
 * Output error of an arm with elastic joints that MuJoCo simulates, with two hinges in series for
 * each joint: the motor, with armature and friction, and a spring with damping. Positions of the
 * motors alone, the reference and the control law are used.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "oracle.h"
#include "output_robots.h"

#define N 2
#define RATE 500.0
#define COUNT 3000  // 6 s
#define STEP 2e-5   // of MuJoCo; see mujoco_plant.h for its errors
#define STEPS 100   // per tick
#define LATE 150    // steps: the torque acts 3 ms late, less half a step
#define DELAY ((LATE - 0.5) * STEP)

static const char arm[] = ELASTIC_ARM("0.0005");

/* the same; rotors have no inertia but the armature. Joints turn about -y. */
static const char mjcf[] =
    "<mujoco><compiler angle='radian'/><option gravity='0 0 -9.81'/><worldbody>"
    "<body><inertial pos='0 0 0' mass='1e-9' diaginertia='1e-9 1e-9 1e-9'/>"
    "<joint name='m1' type='hinge' axis='0 -1 0' armature='0.2' damping='0.6' frictionloss='0.5'/>"
    "<body><inertial pos='0.2 0 0' mass='4' diaginertia='0.01 0.14 0.14'/>"
    "<joint name='s1' type='hinge' axis='0 -1 0' stiffness='900' damping='1.2'/>"
    "<body pos='0.4 0 0'><inertial pos='0 0 0' mass='1e-9' diaginertia='1e-9 1e-9 1e-9'/>"
    "<joint name='m2' type='hinge' axis='0 -1 0' armature='0.05' damping='0.2' "
    "frictionloss='0.2'/>"
    "<body><inertial pos='0.2 0 0' mass='1.5' diaginertia='0.004 0.02 0.02'/>"
    "<joint name='s2' type='hinge' axis='0 -1 0' stiffness='250' damping='0.4'/>"
    "</body></body></body></body></worldbody></mujoco>";

static const known_value truth[] = ELASTIC_TRUTH(DELAY);

static oracle load(void) {
  oracle o = oracle_load(temp_file("elastic.xml", mjcf));
  o.m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  o.m->opt.timestep = STEP;
  o.m->opt.tolerance = 1e-12;
  for (int j = 0; j < 2 * N; j++) {
    o.m->dof_solref[mjNREF * j] = 2 * STEP;
    o.m->dof_solref[mjNREF * j + 1] = 1;
    o.m->dof_solimp[mjNIMP * j] = o.m->dof_solimp[mjNIMP * j + 1] = 0.9999;
  }
  return o;
}

/* springs at rest: deflections of both joints */
static void rest(double spring[N], const double theta[N]) {
  spring[0] = spring[1] = 0;
  for (int i = 0; i < 10; i++) {
    const double a = theta[0] + spring[0], b = a + theta[1] + spring[1];
    const double second = 0.3 * 9.81 * cos(b), first = (0.8 + 1.5 * 0.4) * 9.81 * cos(a) + second;
    spring[0] = -first / 900;
    spring[1] = -second / 250;
  }
}

static void record(double *q, const rbv_control *c, const double *reference) {
  static double tau[COUNT * N];
  oracle o = load();
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, c, 1));
  mj_resetData(o.m, o.d);
  double theta[N], spring[N];
  for (int j = 0; j < N; j++) theta[j] = reference[j * COUNT];
  rest(spring, theta);
  for (int j = 0; j < N; j++) {
    o.d->qpos[2 * j] = theta[j];
    o.d->qpos[2 * j + 1] = spring[j];
  }
  const double count = 2 * M_PI / 65536;
  for (ptrdiff_t k = 0; k < COUNT; k++) {
    double qr[N], qm[N];
    for (int j = 0; j < N; j++) {
      qr[j] = reference[k + j * COUNT];
      qm[j] = q[k + j * COUNT] = count * nearbyint(o.d->qpos[2 * j] / count);
    }
    const rbv_control_input in = {.qr = qr, .qm = qm};
    rbv_control_step(tau + k * N, s, &in);
    for (int i = 0; i < STEPS; i++) {
      const ptrdiff_t at = k * STEPS + i - LATE, tick = at > 0 ? at / STEPS : 0;
      for (int j = 0; j < N; j++) o.d->qfrc_applied[2 * j] = tau[tick * N + j];
      mj_step(o.m, o.d);
    }
  }
  rbv_control_state_free(s);
  oracle_free(&o);
}

static double value_of(double *sigma, const rbv_estimate *e, const char *name) {
  for (int i = 0; i < e->loop.nunknown; i++)
    if (strcmp(e->loop.unknown[i].name, name) == 0) {
      *sigma = e->loop.unknown[i].sigma;
      return e->loop.unknown[i].value;
    }
  for (int k = 0; k < e->base->count; k++)
    if (strcmp(e->base->name[k], name) == 0) {
      *sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      return e->value[k];
    }
  fail_msg("no %s", name);
  return NAN;
}

/* from springs 50 % too stiff, damping twice and drives 1.3 times the true ones: all within 2 %,
 * the damping within 5 % */
static void test_mujoco_arm(void **state) {
  (void)state;
  static const double k_p[N] = {300, 80}, k_d[N] = {25, 5};
  static double reference[N * COUNT], q[N * COUNT], zero[N * COUNT], start[64];
  rbv_model *m = load_robot(temp_file("arm.yaml", arm), -1, false);
  rbv_control_joint law[N];
  for (int j = 0; j < N; j++) {
    law[j] = rbv_control_joint_defaults();
    law[j].k_p = k_p[j];
    law[j].k_d = k_d[j];
    law[j].filter_s = 4e-3;
    // slow sines, and a chirp through the resonances
    for (int k = 0; k < COUNT; k++) {
      const double t = k / RATE, grown = 1 - exp(-2 * t);
      reference[k + j * COUNT] = 0.4 + grown * (0.3 * sin((3 + 2 * j) * t + j) +
                                                0.02 * sin(2 * M_PI * (2 + 1.8 * t) * t + 2 * j));
    }
  }
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", RATE, RBV_FEEDFORWARD_NONE, law, N));
  record(q, c, reference);
  const rbv_motion_info info = {
      .name = "mujoco", .njoint = N, .ntorque = N, .count = COUNT, .rate_hz = RATE};
  const rbv_samples samples = {.ld = COUNT, .q = q, .dq = zero, .ddq = zero, .torque = zero};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  for (int k = 0; k < rbv_model_column_count(m); k++) {
    const bool link = rbv_model_column(m, k)->basis == RBV_BASIS_INERTIAL;
    start[k] = (link ? 1 : 1.3) * rbv_model_parameters(m)[k];
  }
  const rbv_unknown u[] = {{.kind = RBV_UNKNOWN_STIFFNESS, .joint = 0},
                           {.kind = RBV_UNKNOWN_STIFFNESS, .joint = 1},
                           {.kind = RBV_UNKNOWN_DAMPING, .joint = 0},
                           {.kind = RBV_UNKNOWN_DAMPING, .joint = 1},
                           {.kind = RBV_UNKNOWN_DELAY, .joint = -1}};
  const double stiffness[N] = {1350, 375}, damping[N] = {2.4, 0.8};
  const rbv_sim_reference at = {.count = COUNT, .ld = COUNT, .q = reference};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = c;
  loop.reference = &at;
  loop.start = start;
  loop.known = rbv_model_parameters(m);
  loop.known_links = true;
  loop.skip = 100;
  loop.unknown = u;
  loop.nunknown = RBV_COUNT(u);
  loop.longest_delay_s = 0.02;
  loop.stiffness = stiffness;
  loop.damping = damping;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, m, &motion, 1, &how));
  bool good = e->converged;
  for (int i = 0; i < RBV_COUNT(truth); i++) {
    double sigma = NAN;
    const double value = value_of(&sigma, e, truth[i].name), off = fabs(value - truth[i].value);
    print_message("%-10s %.5f +- %.5f, true %.5f\n", truth[i].name, value, sigma, truth[i].value);
    const bool damps = strncmp(truth[i].name, "damping", 7) == 0;
    good = good && off <= (damps ? 0.05 : 0.02) * truth[i].value;
  }
  for (int j = 0; j < N; j++) print_message("error %.2e rad\n", e->loop.output[j].rms);
  assert_true(good);
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  rbv_control_free(c);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mujoco_arm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
