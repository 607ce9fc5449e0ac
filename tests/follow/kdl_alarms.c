/*
 * False alarms of this library and of KDL's ChainExternalWrenchEstimator on the same stream:
 * simulated TX40 and LWR4+ with the model as identified. KDL gets the true velocities, a gain of 60
 * 1/s, and limits of 5 % of the rated torque, which is the contact that has to be found; without
 * friction, as it is, and with the identified friction taken off the torque before. It has no
 * limits of its own.
 *
 * kdl_alarms [SECONDS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kdl_estimator.h"
#include "model/model_internal.h"
#include "stream.h"
#include "support.h"

#define RATE 1000.0
#define CHOSEN 60.0   // false alarms per hour
#define RELEASE 0.5   // of its limit: a residual below ends an alarm, as in this library
#define SETTLED 1000  // samples until the estimators have started

static double seconds = 900;

/* the chain at q = 0, and the bodies as they were identified */
static void read_chain(kdl_joint *joint, const known_stream *k, rbv_dynamics *d) {
  const rbv_model *m = k->m;
  const double zero[STREAM_JOINTS] = {0}, origin[3] = {0};
  double parent[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, from[3] = {0};
  for (int j = 0; j < m->njoint; j++) {
    double R[9], p[3], J[6 * STREAM_JOINTS];  // R column-major, in the base
    joint[j] = (kdl_joint){.rotor = 0};
    rbv_dynamics_pose(R, p, d, zero, j);
    rbv_dynamics_jacobian(J, d, zero, j, origin);
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < 3; c++) {
        joint[j].p[i] += parent[c + 3 * i] * (p[c] - from[c]);
        joint[j].axis[i] += R[c + 3 * i] * J[6 * j + 3 + c];
        for (int l = 0; l < 3; l++) joint[j].R[3 * i + c] += parent[l + 3 * i] * R[l + 3 * c];
      }
    memcpy(parent, R, sizeof parent);
    memcpy(from, p, sizeof from);
  }
  for (int c = 0; c < m->ncolumn; c++) {
    const rbv_column *column = &m->column[c];
    if (column->basis == RBV_BASIS_INERTIAL)
      joint[column->joint].body[column->component] = k->chi[c];
    else if (rbv_column_has_law(column, "Ia"))
      joint[column->joint].rotor += k->chi[c];
  }
}

/* dynamics of the identified arm, of its links and rotors or of its friction alone */
static rbv_dynamics *part_of(const known_stream *k, bool friction) {
  double chi[STREAM_COLUMNS] = {0};
  rbv_dynamics *d;
  for (int c = 0; c < k->m->ncolumn; c++)
    if (rbv_is_friction(&k->m->column[c]) == friction) chi[c] = k->chi[c];
  assert_ok(rbv_dynamics_new(&d, k->m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  return d;
}

/* alarms of residuals against limits: a new one begins after all were well below */
static void count(int *alarms, long *time, bool *on, const double *residual, const rbv_model *m) {
  double most = 0;
  for (int j = 0; j < m->njoint; j++)
    most = fmax(most, fabs(residual[j]) / (0.05 * m->joint[j].limits.effort));
  *alarms += !*on && most > 1;
  *time += most > 1;
  *on = most > 1 || (*on && most > RELEASE);
}

static void compare(const char *robot) {
  known_stream k;
  known_new(&k, robot, strcmp(robot, "lwr4+") == 0 ? RBV_SENSING_JOINT : -1, RATE, 0.02, 60, 1);
  k.options.alarms_per_hour = CHOSEN;
  rbv_follow *f = known_follow(&k, 300, 1001);
  const rbv_follow_report *r = rbv_follow_get(f);
  stream s;
  stream_new(&s, k.m, k.truth, RATE, 0.02, 2, 2001);
  kdl_joint joint[STREAM_JOINTS];
  rbv_dynamics *rigid = part_of(&k, false), *friction = part_of(&k, true);
  read_chain(joint, &k, rigid);
  kdl_estimator *plain = kdl_estimator_new(joint, s.n, k.m->gravity, RATE, 60);
  kdl_estimator *helped = kdl_estimator_new(joint, s.n, k.m->gravity, RATE, 60);
  int ours = 0, kdl = 0, kdl_helped = 0;
  long beyond = 0, beyond_helped = 0;  // samples beyond a limit: an alarm may never end
  bool on = false, on_helped = false;
  const double still[STREAM_JOINTS] = {0};
  for (long i = 0; i < (long)(seconds * RATE); i++) {
    double external[STREAM_JOINTS], lost[STREAM_JOINTS], tau[STREAM_JOINTS];
    stream_next(&s);
    (void)rbv_follow_push(f, s.t, s.q, s.tau);
    ours += r->began;
    rbv_dynamics_rows(lost, friction, s.q, s.dq, still);
    for (int j = 0; j < s.n; j++) tau[j] = s.tau[j] - lost[j];
    kdl_estimator_push(external, plain, s.q, s.dq, s.tau);
    if (i > SETTLED) count(&kdl, &beyond, &on, external, k.m);
    kdl_estimator_push(external, helped, s.q, s.dq, tau);
    if (i > SETTLED) count(&kdl_helped, &beyond_helped, &on_helped, external, k.m);
  }
  const double chosen = CHOSEN * seconds / 3600;
  print_message(
      "%s, %g s: false alarms %d of %g chosen; KDL %d as it is (%.1f %% of the time), %d with "
      "the identified friction taken off (%.1f %%)\n",
      robot, seconds, ours, chosen, kdl, 100 * (double)beyond / (seconds * RATE), kdl_helped,
      100 * (double)beyond_helped / (seconds * RATE));
  // Poisson: two sigma of the expected number, and the factor of two of the limits
  assert_true(ours <= 2 * chosen + 2 * sqrt(2 * chosen));
  kdl_estimator_free(plain);
  kdl_estimator_free(helped);
  rbv_dynamics_free(rigid);
  rbv_dynamics_free(friction);
  stream_free(&s);
  rbv_follow_free(f);
  known_free(&k);
}

static void test_tx40(void **state) {
  (void)state;
  compare("tx40");
}

static void test_lwr4(void **state) {
  (void)state;
  compare("lwr4+");
}

int main(int argc, char **argv) {
  if (argc > 1) seconds = atof(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40),
      cmocka_unit_test(test_lwr4),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
