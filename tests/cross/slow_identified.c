/*
 * Commercial arms, simulated by MuJoCo with rotors, damping and dry friction under a discrete
 * controller, recorded, and identified by methods that simulate the loop. The result must predict
 * the torques of another motion.
 *
 * MuJoCo's frictionloss is a soft constraint: within a band around zero speed the force grows
 * linearly, beyond it is constant. solref and solimp below make the band narrower than a joint
 * crosses in a time step, so that it is Coulomb's law with sticking; ours is
 * (2/pi) atan(GAMMA dq) in simulation and in regression. The error includes all samples after
 * decimation, slow ones too: no sample is masked.
 */
#include <roberval/sys/equations.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>

#include "oracle.h"
#include "trajectory/trajectory.h"

#define N 7
#define RATE 1000.0
#define SUBSTEPS 5
#define GAMMA 500
#define FRICTION 0.05  // fraction of the joint's force range
#define DECIMATE 20
#define CUTOFF_HZ 40

typedef struct {
  rbv_model *m;
  oracle o;
  int n;
  double chi[128];  // bodies of the file; drives and friction of this test
  double J[N];
  rbv_control *control;
} arm;

/* rotor inertia and damping by the size of the drive */
static double armature_of(double effort) { return effort > 50 ? 0.5 : 0.1; }
static double damping_of(double effort) { return effort / 50; }

static void arm_load(arm *a, const char *name) {
  char relative[64];
  rbv_model_options options = rbv_model_defaults();
  options.gamma = GAMMA;
  *a = (arm){0};
  snprintf(relative, sizeof relative, "models/%s.urdf", name);
  assert_ok(rbv_model_load(&a->m, recording(relative), &options));
  snprintf(relative, sizeof relative, "models/%s_meshless.xml", name);
  a->o = oracle_load(recording(relative));
  a->n = rbv_model_joint_count(a->m);
  assert_true(a->n <= N && a->o.m->nv == a->n);
  a->o.m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  a->o.m->opt.timestep = 1 / (RATE * SUBSTEPS);
  for (int j = 0; j < a->n; j++) {
    const double effort = rbv_model_joint(a->m, j)->limits.effort;
    a->o.m->dof_armature[j] = armature_of(effort);
    a->o.m->dof_damping[j] = damping_of(effort);
    a->o.m->dof_frictionloss[j] = FRICTION * effort;
    mjtNum *solref = a->o.m->dof_solref + mjNREF * j, *solimp = a->o.m->dof_solimp + mjNIMP * j;
    solref[0] = 2 / (RATE * SUBSTEPS);
    solref[1] = 1;
    solimp[0] = solimp[1] = 0.9999;
  }
  for (int c = 0; c < rbv_model_column_count(a->m); c++) {
    const rbv_column *column = rbv_model_column(a->m, c);
    a->chi[c] = rbv_model_parameters(a->m)[c];
    const double effort = rbv_model_joint(a->m, column->joint)->limits.effort;
    if (rbv_column_has_law(column, "Ia")) a->chi[c] = armature_of(effort);
    if (rbv_column_has_law(column, "Fv")) a->chi[c] = damping_of(effort);
    if (rbv_column_has_law(column, "Fc")) a->chi[c] = FRICTION * effort;
  }
}

static void arm_free(arm *a) {
  rbv_control_free(a->control);
  oracle_free(&a->o);
  rbv_model_free(a->m);
}

/* an exciting motion within the limits: 8 s, from rest to rest */
static double *design(const arm *a, uint64_t seed, ptrdiff_t *count) {
  rbv_excite_options o = rbv_excite_defaults();
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, a->m, &o));
  rbv_limits limits[N];
  for (int j = 0; j < a->n; j++) {
    limits[j] = rbv_model_joint(a->m, j)->limits;
    limits[j].lower = fmax(limits[j].lower, -2.5);
    limits[j].upper = fmin(limits[j].upper, 2.5);
    limits[j].acceleration = 8;
  }
  const rbv_constraints c = {.limits = limits, .prior = a->chi};
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = a->n;
  s.duration_s = 8;
  s.blend_s = 0.5;
  rbv_search_options find = rbv_search_defaults();
  find.seed = seed;
  find.threads = 2;
  find.starts = 2;
  find.iterations = 15;
  rbv_trajectory *t;
  rbv_search_info info;
  assert_ok(rbv_excite_search(&t, &info, e, &c, &s, &find));
  assert_true(info.feasible);
  *count = rbv_trajectory_samples(t, RATE);
  double *q = malloc((size_t)(*count * a->n) * sizeof *q);
  const rbv_samples out = {.ld = *count, .q = q};
  rbv_trajectory_sample(&out, t, 0, 1 / RATE, *count);
  rbv_trajectory_free(t);
  rbv_excite_free(e);
  return q;
}

static void tune(arm *a, const rbv_sim_reference *r) {
  rbv_control_joint joint[N];
  assert_ok(rbv_sim_inertia(a->J, a->m, a->chi, false, r, 20));
  for (int j = 0; j < a->n; j++) joint[j] = rbv_control_tune(a->J[j], 40, 0.2, 10);
  assert_ok(rbv_control_new(&a->control, NULL, RATE, RBV_FEEDFORWARD_NONE, joint, a->n));
}

/* MuJoCo under the controller; records positions and torques */
static rbv_motion *record(arm *a, const rbv_sim_reference *r) {
  static char text[1 + 2 * N][8];
  const char *names[1 + 2 * N] = {"t"};
  const ptrdiff_t T = r->count;
  double *A = malloc((size_t)(T * (1 + 2 * a->n)) * sizeof *A);
  double *q = A + T, *tau = A + T * (1 + a->n);
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, a->control, 1));
  mj_resetData(a->o.m, a->o.d);
  for (int j = 0; j < a->n; j++) {
    a->o.d->qpos[j] = r->q[j * r->ld];
    snprintf(text[j], sizeof text[j], "q%d", j + 1);
    snprintf(text[N + j], sizeof text[j], "tau%d", j + 1);
    names[1 + j] = text[j];
    names[1 + a->n + j] = text[N + j];
  }
  for (ptrdiff_t k = 0; k < T; k++) {
    double qr[N], qm[N], u[N];
    A[k] = (double)k / RATE;
    for (int j = 0; j < a->n; j++) {
      qr[j] = r->q[k + j * r->ld];
      qm[j] = q[k + j * T] = a->o.d->qpos[j];
    }
    const rbv_control_input in = {.qr = qr, .qm = qm};
    rbv_control_step(u, s, &in);
    for (int j = 0; j < a->n; j++) tau[k + j * T] = a->o.d->qfrc_applied[j] = u[j];
    for (int i = 0; i < SUBSTEPS; i++) mj_step(a->o.m, a->o.d);
  }
  rbv_control_state_free(s);
  rbv_log *log;
  rbv_motion *motion;
  const rbv_differentiate_options how = {.cutoff_hz = CUTOFF_HZ};
  assert_ok(rbv_log_new(&log, "mujoco", names, 1 + 2 * a->n, A, T, T));
  assert_ok(rbv_motion_from_log(&motion, a->m, log, &how));
  rbv_log_free(log);
  free(A);
  return motion;
}

/* largest relative error of a dry friction parameter */
static double friction_error(const arm *a, const rbv_estimate *e) {
  double worst = 0;
  for (int c = 0; c < rbv_model_column_count(a->m); c++)
    if (rbv_column_has_law(rbv_model_column(a->m, c), "Fc"))
      worst = fmax(worst, fabs(e->chi[c] / a->chi[c] - 1));
  return worst;
}

static void check(const char *name) {
  arm a;
  arm_load(&a, name);
  rbv_sim_reference r[2];
  rbv_motion *motion[2];
  double *q[2];
  for (int i = 0; i < 2; i++) {
    ptrdiff_t count;
    q[i] = design(&a, (uint64_t)i + 1, &count);
    r[i] = (rbv_sim_reference){.count = count, .ld = count, .q = q[i]};
    if (i == 0) tune(&a, &r[0]);
    motion[i] = record(&a, &r[i]);
  }
  static const char *const methods[] = {"didim", "iv"};
  for (int k = 0; k < 2; k++) {
    rbv_closed_loop loop = rbv_closed_loop_defaults();
    loop.control = a.control;
    loop.reference = &r[0];
    loop.inertia = a.J;
    rbv_identify_options how = rbv_identify_defaults();
    how.method = methods[k];
    how.filter.decimate = DECIMATE;
    how.loop = &loop;
    rbv_estimate *e;
    rbv_prediction *p;
    assert_ok(rbv_identify(&e, a.m, &motion[0], 1, &how));
    assert_ok(rbv_predict(&p, a.m, &motion[1], 1, e->chi, &how.filter));
    print_message(
        "%s by %s: %d iterations, converged %d, error %.2f %%; on a second motion %.2f %% "
        "(unfiltered %.2f %%), joints",
        name, methods[k], e->iterations, e->converged, 100 * e->fit.relative_error,
        100 * p->fit.relative_error, 100 * p->unfiltered);
    for (int j = 0; j < a.n; j++) print_message(" %.2f", 100 * p->fit.row[j].relative_error);
    print_message("; worst Fc %.2f %%\n", 100 * friction_error(&a, e));
    assert_true(e->converged);
    assert_true(p->fit.relative_error < 0.02);
    // the estimate of the noise-free method shows that MuJoCo's law is Coulomb's (1.8 to 2.8 %)
    if (k == 0) assert_true(friction_error(&a, e) < 0.04);
    rbv_prediction_free(p);
    rbv_estimate_free(e);
  }
  for (int i = 0; i < 2; i++) {
    rbv_motion_free(motion[i]);
    free(q[i]);
  }
  arm_free(&a);
}

static void test_panda(void **state) {
  (void)state;
  check("panda_nohand");
}

static void test_ur10e(void **state) {
  (void)state;
  check("ur10e");
}

static void test_iiwa(void **state) {
  (void)state;
  check("iiwa14");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_panda),
      cmocka_unit_test(test_ur10e),
      cmocka_unit_test(test_iiwa),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
