/* A robot that MuJoCo has loaded against ours: torques, mass matrices, what stands in its joints.
 */
#ifndef CROSS_SIMULATED_H
#define CROSS_SIMULATED_H

#include <math.h>
#include <stdio.h>

#include "../export/bodies.h"
#include "oracle.h"

static inline bool is_kind(const rbv_column *c, const char *prefix) {
  return strncmp(c->name, prefix, strlen(prefix)) == 0;
}

/* what MuJoCo's passive forces and inertia know: no Coulomb friction; URDF: no rotors, no offsets
 */
static inline void only_smooth(double *chi, const rbv_model *m, bool rotors) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis != RBV_BASIS_INERTIAL && !rbv_column_has_law(column, "Fv") &&
        !(rotors && (rbv_column_has_law(column, "Ia") || rbv_column_has_law(column, "off"))))
      chi[c] = 0;
  }
}

static inline void compare(const oracle *o, const rbv_model *m, const double *chi, double bound) {
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d;
  assert_int_equal(o->m->nv, n);
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, rbv_model_has_payload(m)));
  dice chance = {.seed = 8};
  for (int k = 0; k < 100; k++) {
    double q[JOINTS_MAX], dq[JOINTS_MAX], ddq[JOINTS_MAX], tau[JOINTS_MAX], want[JOINTS_MAX],
        M[JOINTS_MAX * JOINTS_MAX], W[JOINTS_MAX * JOINTS_MAX];
    random_state(q, dq, ddq, n, &chance);
    oracle_inverse(want, o, q, dq, ddq);
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    assert_agrees(tau, want, n, bound);
    oracle_forward(want, W, o, q, dq, tau);
    rbv_dynamics_mass(M, d, q);
    assert_agrees(M, W, n * n, bound);
  }
  rbv_dynamics_free(d);
}

/* Coulomb friction is a constraint in MuJoCo: switched off above, read here */
static inline void compare_friction(const oracle *o, const rbv_model *m, const double *chi) {
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    double sum = 0;
    for (int c = 0; c < rbv_model_column_count(m); c++) {
      const rbv_column *column = rbv_model_column(m, c);
      if (rbv_column_has_law(column, "Fc") && column->joint == j && is_kind(column, "F"))
        sum += chi[c];
    }
    assert_near(o->m->dof_frictionloss[j], sum, 0, 1e-15);
    const rbv_joint *joint = rbv_model_joint(m, j);
    assert_string_equal(mj_id2name(o->m, mjOBJ_JOINT, j), joint->name);
    assert_int_equal(o->m->jnt_limited[j], isfinite(joint->limits.lower));
    if (isfinite(joint->limits.lower)) {
      assert_true(o->m->jnt_range[2 * j] == joint->limits.lower);
      assert_true(o->m->jnt_range[2 * j + 1] == joint->limits.upper);
    }
  }
}

#endif
