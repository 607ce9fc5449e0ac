/* Friction that depends on the torque through the gears: inverse and forward dynamics agree. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>

#include "dynamics/lanes.h"
#include "model/model_internal.h"
#include "support.h"

/* the TX40, whose joints 5 and 6 share a rotor, with load friction in every joint */
static rbv_model *geared(double **chi) {
  rbv_model_options o = rbv_model_defaults();
  rbv_model *m;
  o.friction = "Fl,Flb,Flv";
  o.gamma = 150;
  assert_ok(rbv_model_load(&m, "tx40", &o));
  *chi = calloc((size_t)m->ncolumn, sizeof **chi);
  const double *known = rbv_model_parameters(m);
  for (int c = 0; c < m->ncolumn; c++) {
    const rbv_column *column = &m->column[c];
    (*chi)[c] = known ? known[c] : 0;
    if (column->basis == RBV_BASIS_INERTIAL && (*chi)[c] == 0)
      (*chi)[c] = column->component == 9 ? 2 : column->component == 6 ? 0.1 : 0;
    if (column->basis == RBV_BASIS_INERTIAL &&
        (column->component == 0 || column->component == 3 || column->component == 5))
      (*chi)[c] = 0.3;
    if (rbv_column_has_law(column, "Ia")) (*chi)[c] = column->joint == 4 ? 0.3 : 0.2;
    if (rbv_column_has_law(column, "Fl")) (*chi)[c] = 0.1 + 0.01 * column->joint;
    if (rbv_column_has_law(column, "Flb")) (*chi)[c] = 0.05;
    if (rbv_column_has_law(column, "Flv")) (*chi)[c] = 0.02;
  }
  return m;
}

/* regressor times parameters is the torque, and the law by hand: tau = L + mu |L| s at ddq */
static void test_regressor_and_inverse_agree(void **state) {
  (void)state;
  double *chi;
  rbv_model *m = geared(&chi);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  double *W = calloc((size_t)(m->nrow * m->ncolumn), sizeof *W);
  for (int k = 0; k < 50; k++) {
    double x[18], tau[6], load[6];
    for (int i = 0; i < 18; i++) x[i] = 2 * rbv_random_uniform(1, (uint64_t)i, (uint64_t)k) - 1;
    const rbv_states s = {.count = 1, .ld = 1, .q = x, .dq = x + 6, .ddq = x + 12};
    rbv_dynamics_inverse(tau, d, x, x + 6, x + 12);
    rbv_dynamics_load_batch(load, 1, d, &s);
    rbv_regressor_eval(W, d, x, x + 6, x + 12, false);
    for (int j = 0; j < 6; j++) {
      double sum = 0, column;
      for (int c = 0; c < m->ncolumn; c++) sum += W[j + c * m->nrow] * chi[c];
      // sums of 30 terms up to 1e2
      assert_near(sum, tau[j], 1e-12, 1e-12);
      char name[8];
      snprintf(name, sizeof name, "Fl%d", j + 1);
      column = W[j + rbv_model_find(m, name) * m->nrow];
      assert_near(column, fabs(load[j]) * 2 / M_PI * atan(150 * x[6 + j]), 1e-13, 1e-13);
    }
  }
  free(W);
  rbv_dynamics_free(d);
  rbv_model_free(m);
  free(chi);
}

/* a torque moves the robot so that the inverse dynamics of this motion need the same torque */
static void test_forward_is_the_inverse(void **state) {
  (void)state;
  double *chi;
  rbv_model *m = geared(&chi);
  rbv_dynamics *d;
  rbv_lanes *l;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  assert_ok(rbv_lanes_new(&l, m, 1, 150));
  assert_int_equal(rbv_lanes_width(l), 1);
  assert_ok(rbv_lanes_set(l, 0, chi, false));
  rbv_lanes_reset(l);
  for (int k = 0; k < 200; k++) {
    double x[18], tau[6], ddq[6], back[6];
    bool regular;
    for (int i = 0; i < 18; i++) x[i] = 2 * rbv_random_uniform(2, (uint64_t)i, (uint64_t)k) - 1;
    for (int j = 0; j < 6; j++) tau[j] = 20 * x[12 + j];
    rbv_lanes_forward(ddq, &regular, l, x, x + 6, tau);
    assert_true(regular);
    rbv_dynamics_inverse(back, d, x, x + 6, ddq);
    // joints 5 and 6 share a rotor: ddq rests at 1e-10 of some 100 rad/s^2, times inertias below 1
    for (int j = 0; j < 6; j++) assert_near(back[j], tau[j], 1e-7, 0);
    rbv_dynamics_forward(ddq, &regular, d, x, x + 6, tau);
    assert_true(regular);
    rbv_dynamics_inverse(back, d, x, x + 6, ddq);
    // rounding of a solution with a condition of some 1e3
    for (int j = 0; j < 6; j++) assert_near(back[j], tau[j], 1e-11, 1e-11);
  }
  rbv_lanes_free(l);
  rbv_dynamics_free(d);
  rbv_model_free(m);
  free(chi);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_regressor_and_inverse_agree),
      cmocka_unit_test(test_forward_is_the_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
