/* Frames along the joint axes, base parameters, and the kernel of the plants against the dynamics
 * with the model's frames and parameters. */
#include "dynamics/axis_chain.h"

#include <stdio.h>

#include "dynamics/plant_kernel.h"
#include "robots.h"

/* a robot of its file, without friction */
static robot load_robot(const char *name, bool payload) {
  robot r = {0};
  rbv_model_options o = rbv_model_defaults();
  o.payload = payload;
  assert_ok(rbv_model_load(&r.m, name, &o));
  assert_ok(rbv_dynamics_new(&r.d, r.m));
  r.n = rbv_model_joint_count(r.m);
  r.nc = rbv_model_column_count(r.m);
  assert_true(r.n <= N_MAX && r.nc <= COLUMN_MAX);
  return r;
}

/* Joints in frames as a URDF has them. A third of them slide, half of the others are at quarter
 * turns, and a quarter begin at the origin of their parent. */
static robot random_robot(uint64_t seed) {
  char yaml[4096];
  uint64_t next = 0;
  const int n = 1 + (int)(seed % N_MAX);
  int at = snprintf(yaml, sizeof yaml, "gravity: [1.5, -2, -9]\njoints:\n");
  for (int j = 0; j < n; j++) {
    static const char *const axis[] = {"[1, 0, 0]", "[0, -1, 0]", "[0, 0, 1]"};
    const bool slides = uniform(seed, &next, 0, 3) < 1, meets = uniform(seed, &next, 0, 4) < 1;
    const bool quarter = uniform(seed, &next, 0, 2) < 1;
    double x[9];
    for (int i = 0; i < 9; i++) x[i] = uniform(seed, &next, -1, 1);
    at += snprintf(yaml + at, sizeof yaml - (size_t)at,
                   "  - {type: %s, origin: {xyz: [%g, %g, %g], ", slides ? "prismatic" : "revolute",
                   meets ? 0 : x[0], meets ? 0 : x[1], meets ? 0 : x[2]);
    if (quarter)
      at += snprintf(yaml + at, sizeof yaml - (size_t)at, "rpy: [0, %d*pi/2, 0]}, axis: %s}\n",
                     (int)(2 * x[3]), axis[(int)(1.5 * (x[4] + 1)) % 3]);
    else
      at +=
          snprintf(yaml + at, sizeof yaml - (size_t)at, "rpy: [%g, %g, %g]}, axis: [%g, %g, %g]}\n",
                   x[3], x[4], x[5], x[6], x[7], x[8]);
  }
  return make(yaml, NULL);
}

/* links in the frames of the chain, regrouped; the payload is part of the last one */
static void base_links(double *link, const axis_chain *chain, const robot *r, bool loaded) {
  for (int j = 0; j < r->n; j++) {
    double own[RBV_INERTIAL];
    for (int c = 0; c < RBV_INERTIAL; c++) {
      own[c] = r->chi[r->m->link_column[j] + c];
      if (loaded && j == r->n - 1) own[c] += r->chi[r->m->link_column[r->n] + c];
    }
    rbv_axis_link(link + j * RBV_INERTIAL, chain, j, own);
  }
  rbv_axis_regroup(link, chain);
}

static void check_zeros(const double *link, const axis_chain *chain) {
  for (int j = 0; j < chain->njoint; j++) {
    const double *own = link + j * RBV_INERTIAL;
    if (chain->joint[j].slides)
      for (int c = 0; c < 6; c++) assert_true(own[c] == 0);
    else
      assert_true(own[3] == 0 && own[8] == 0 && own[9] == 0);
  }
}

/* the torques of the base parameters, put back into the model's frames, are those of the robot */
static void check_torques(const double *link, axis_chain chain, robot *r, bool loaded) {
  double chi[COLUMN_MAX], want[2 * N_MAX], tau[2 * N_MAX], q[N_MAX], dq[N_MAX], ddq[N_MAX];
  axis_joint back[N_MAX];
  memcpy(chi, r->chi, sizeof chi);
  for (int j = 0; j < r->n; j++) {
    back[j] = chain.joint[j];
    for (int i = 0; i < 9; i++) back[j].turn[i] = chain.joint[j].turn[i % 3 * 3 + i / 3];
  }
  chain.joint = back;
  for (int j = 0; j < r->n; j++)
    rbv_axis_link(chi + r->m->link_column[j], &chain, j, link + j * RBV_INERTIAL);
  for (uint64_t k = 0; k < 10; k++) {
    random_motion(q, dq, ddq, r->n, k);
    assert_ok(rbv_dynamics_set(r->d, r->chi, loaded));
    rbv_dynamics_inverse(want, r->d, q, dq, ddq);
    assert_ok(rbv_dynamics_set(r->d, chi, false));
    rbv_dynamics_inverse(tau, r->d, q, dq, ddq);
    // masses move over up to eight joints, which enlarges moments and rounding
    for (int j = 0; j < r->n; j++) assert_near(tau[j], want[j], 1e-12 * (1 + norm(want, r->n)), 0);
  }
  assert_ok(rbv_dynamics_set(r->d, r->chi, loaded));
}

/* mass matrix and bias of every width; the drives have no friction and the rotors are subtracted */
static void check_kernels(const double *link, const axis_chain *chain, robot *r) {
  const int n = r->n;
  double zero[N_MAX] = {0}, lanes[N_MAX * RBV_INERTIAL * 8], M[N_MAX * N_MAX * 8], bias[N_MAX * 8];
  double scratch[N_MAX * PLANT_SCRATCH * 8], q[N_MAX * 8], dq[N_MAX * 8], ddq[N_MAX];
  double rotor[N_MAX * N_MAX], base[COLUMN_MAX];
  // rotors alone
  memcpy(base, r->chi, sizeof base);
  for (int c = 0; c < r->nc; c++)
    if (rbv_model_column(r->m, c)->basis == RBV_BASIS_INERTIAL) base[c] = 0;
  rbv_dynamics *drives;
  assert_ok(rbv_dynamics_new(&drives, r->m));
  assert_ok(rbv_dynamics_set(drives, base, false));
  rbv_dynamics_mass(rotor, drives, zero);
  rbv_dynamics_free(drives);
  for (int w = 1; w <= rbv_vector_width(8); w *= 2) {
    for (int i = 0; i < n * RBV_INERTIAL; i++)
      for (int k = 0; k < w; k++) lanes[i * w + k] = link[i];
    for (int k = 0; k < w; k++) {
      double own_q[N_MAX], own_dq[N_MAX];
      random_motion(own_q, own_dq, ddq, n, (uint64_t)k);
      // beyond 1e6 rad the kernels use the sine of libm
      if (k == 1 && !chain->joint[0].slides) own_q[0] = 2e6;
      for (int j = 0; j < n; j++) {
        q[j * w + k] = own_q[j];
        dq[j * w + k] = own_dq[j];
      }
    }
    rbv_plant_kernel(w)->system(M, bias, chain, scratch, lanes, q, dq);
    for (int k = 0; k < w; k++) {
      double own_q[N_MAX], own_dq[N_MAX], want[N_MAX * N_MAX], tau[2 * N_MAX];
      for (int j = 0; j < n; j++) {
        own_q[j] = q[j * w + k];
        own_dq[j] = dq[j * w + k];
      }
      rbv_dynamics_mass(want, r->d, own_q);
      rbv_dynamics_inverse(tau, r->d, own_q, own_dq, zero);
      // an angle of 2e6 rad has a rounding of 2e-10
      const double share = k == 1 ? 1e-9 : 1e-12;
      const double size = share * (1 + norm(want, n * n));
      for (int i = 0; i < n * n; i++) assert_near(M[i * w + k] + rotor[i], want[i], size, 0);
      for (int j = 0; j < n; j++)
        assert_near(bias[j * w + k], tau[j], share * (1 + norm(tau, n)), 0);
    }
  }
}

static void check(robot r, uint64_t seed, bool loaded) {
  double link[N_MAX * RBV_INERTIAL];
  axis_joint joint[N_MAX];
  axis_chain chain = {.joint = joint};
  random_parameters(&r, seed, false);
  assert_ok(rbv_dynamics_set(r.d, r.chi, loaded));
  rbv_axis_chain(&chain, r.m);
  base_links(link, &chain, &r, loaded);
  check_zeros(link, &chain);
  check_torques(link, chain, &r, loaded);
  check_kernels(link, &chain, &r);
  unmake(&r);
}

static void test_robots(void **state) {
  (void)state;
  check(load_robot("tx40", false), 1, false);
  check(load_robot("lwr4+", true), 2, true);
  check(load_robot("a460", false), 3, false);
  check(load_robot("ns16", false), 4, false);
  check(make(mixed, NULL), 5, false);
  check(make(hinges, NULL), 6, false);
  check(make(sensed, NULL), 7, true);
}

static void test_random_frames(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 80; seed++) check(random_robot(seed), seed, false);
}

/* the frames of the TX40: axes 2 and 3 are parallel, the wrist is spherical */
static void test_kinds_of_joints(void **state) {
  (void)state;
  const axis_kind want[6] = {AXIS_STRAIGHT, AXIS_TILTED, AXIS_STRAIGHT,
                             AXIS_TILTED,   AXIS_TILTED, AXIS_TILTED};
  robot r = load_robot("tx40", false);
  axis_joint joint[N_MAX];
  axis_chain chain = {.joint = joint};
  rbv_axis_chain(&chain, r.m);
  for (int j = 0; j < 6; j++) {
    assert_int_equal(joint[j].kind, want[j]);
    assert_int_equal(joint[j].meets, j != 2 && j != 3);
  }
  unmake(&r);
  // a joint that slides, and one that turns about an oblique axis
  r = make(mixed, NULL);
  rbv_axis_chain(&chain, r.m);
  assert_true(joint[1].slides && joint[1].kind == AXIS_FREE);
  assert_true(!joint[2].slides && joint[2].kind == AXIS_FREE);
  unmake(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_robots),
      cmocka_unit_test(test_random_frames),
      cmocka_unit_test(test_kinds_of_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
