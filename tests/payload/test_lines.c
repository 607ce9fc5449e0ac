/* Lines with which controllers are told a payload, by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/payload.h>

#include "base/support.h"
#include "support.h"

static void expect(const rbv_payload *p, const char *key, const char *want) {
  char line[512];
  for (int i = 0; rbv_controller_line_at(i); i++) {
    if (strcmp(rbv_controller_line_at(i)->key, key) != 0) continue;
    assert_true(rbv_controller_line_write(line, sizeof line, i, p));
    assert_string_equal(line, want);
    return;
  }
  fail_msg("there is no line %s", key);
}

/* a body whose long axis is turned by 30 degrees about z: principal inertias 1, 3 and 4 g m^2 */
static void test_lines(void **state) {
  (void)state;
  const double c = cos(RBV_PI / 6), s = sin(RBV_PI / 6), a = 0.001, b = 0.003;
  const rbv_payload p = {
      .mass = 2.5049,
      .mass_sigma = 0.012,
      .centre = {0.01, 0, 0.0804},
      .centre_sigma = {0.002, 0.002, 0.001},
      .inertia = {a * c * c + b * s * s, (a - b) * c * s, 0, a * s * s + b * c * c, 0, 0.004},
      .inertia_sigma = {2e-4, 2e-4, 2e-4, 2e-4, 2e-4, 2e-4},
      .inertia_possible = true};
  // 12 g, 1 mm and 0.2 g m^2: three, four and five decimals
  expect(&p, "universal_robots",
         "set_target_payload(2.505, [0.0100, 0.0000, 0.0804], [0.00150, 0.00250, 0.00400, "
         "-0.00087, 0.00000, 0.00000])");
  expect(&p, "ur_rtde", "rtde_c.setPayload(2.505, [0.0100, 0.0000, 0.0804])");
  expect(&p, "franka",
         "robot.setLoad(2.505, {{0.0100, 0.0000, 0.0804}}, {{0.00150, -0.00087, 0.00000, "
         "-0.00087, 0.00250, 0.00000, 0.00000, 0.00000, 0.00400}});");
  expect(&p, "sdf",
         "<inertial><pose>0.0100 0.0000 0.0804 0 0 0</pose><mass>2.505</mass><inertia>"
         "<ixx>0.00150</ixx><ixy>-0.00087</ixy><ixz>0.00000</ixz><iyy>0.00250</iyy>"
         "<iyz>0.00000</iyz><izz>0.00400</izz></inertia></inertial>");
}

/* the axes of KRL: A turns about z; an axis may point either way, then A is 180 degrees more */
static void test_krl(void **state) {
  (void)state;
  const double c = cos(RBV_PI / 6), s = sin(RBV_PI / 6), a = 0.001, b = 0.003;
  const rbv_payload p = {
      .mass = 2.5049,
      .mass_sigma = 0.012,
      .centre = {0.01, 0, 0.0804},
      .centre_sigma = {0.002, 0.002, 0.001},
      .inertia = {a * c * c + b * s * s, (a - b) * c * s, 0, a * s * s + b * c * c, 0, 0.004},
      .inertia_sigma = {2e-4, 2e-4, 2e-4, 2e-4, 2e-4, 2e-4},
      .inertia_possible = true};
  char line[512];
  double m, x, y, z, A, B, C, J[3];
  for (int i = 0; rbv_controller_line_at(i); i++)
    if (strcmp(rbv_controller_line_at(i)->key, "kuka") == 0)
      assert_true(rbv_controller_line_write(line, sizeof line, i, &p));
  assert_int_equal(sscanf(line,
                          "LOAD_DATA[1]={M %lf,CM {X %lf,Y %lf,Z %lf,A %lf,B %lf,C %lf},J {X %lf,Y "
                          "%lf,Z %lf}}",
                          &m, &x, &y, &z, &A, &B, &C, J, J + 1, J + 2),
                   10);
  assert_near(m, 2.505, 1e-12, 0);
  assert_near(x, 10, 1e-12, 0);
  assert_near(z, 80.4, 1e-12, 0);
  // what the axes and principal inertias say is the inertia: five decimals, a tenth of a degree
  const double k = RBV_PI / 180;
  const double cA = cos(k * A), sA = sin(k * A), cB = cos(k * B), sB = sin(k * B), cC = cos(k * C),
               sC = sin(k * C);
  const double R[3][3] = {{cA * cB, cA * sB * sC - sA * cC, cA * sB * cC + sA * sC},
                          {sA * cB, sA * sB * sC + cA * cC, sA * sB * cC - cA * sC},
                          {-sB, cB * sC, cB * cC}};
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    double sum = 0;
    for (int l = 0; l < 3; l++) sum += R[row[i]][l] * J[l] * R[column[i]][l];
    // 5e-6 of the digits, and 0.05 degrees of a difference of 2e-3
    assert_near(sum, p.inertia[i], 1e-5, 0);
  }
}

/* without inertia and without a centre */
static void test_unknown(void **state) {
  (void)state;
  rbv_payload p = {.mass = 1, .mass_sigma = 0.01, .centre_sigma = {1e-3, 1e-3, 1e-3}};
  for (int i = 0; i < 6; i++) p.inertia_sigma[i] = INFINITY;
  expect(&p, "universal_robots", "set_payload(1.000, [0.0000, 0.0000, 0.0000])");
  expect(&p, "sdf",
         "<inertial><pose>0.0000 0.0000 0.0000 0 0 0</pose><mass>1.000</mass></inertial>");
  p.centre_sigma[1] = INFINITY;
  char line[512];
  assert_false(rbv_controller_line_write(line, sizeof line, 0, &p));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_krl),
      cmocka_unit_test(test_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
