/* Generated C for controllers: a driver is compiled with it and run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "motions.h"
#include "support.h"
#include "tool.h"

/* d: double, f: the same code in single precision */
static const char driver[] =
    "#include <math.h>\n#include <stdio.h>\n#include \"d.h\"\n#include \"f.h\"\n"
    "#define N D_JOINTS\n"
    "static void state(double t, double *q, double *dq, double *ddq) {\n"
    "  for (int j = 0; j < N; j++) {\n"
    "    const double w = 2 + 0.3 * j;\n"
    "    q[j] = 0.4 + 0.6 * sin(w * t + j);\n"
    "    dq[j] = 0.6 * w * cos(w * t + j);\n"
    "    ddq[j] = -0.6 * w * w * sin(w * t + j);\n"
    "  }\n"
    "}\n"
    "static int wrong(const char *what, double got, double want, double bound) {\n"
    "  if (fabs(got - want) <= bound) return 0;\n"
    "  printf(\"%s: %.12g, not %.12g\\n\", what, got, want);\n"
    "  return 1;\n"
    "}\n"
    "int main(void) {\n"
    "  double q[N], dq[N], ddq[N], tau[N], L[N * N], M[N * N], m[2 * N], got[N];\n"
    "  double sine[N], cosine[N];\n"
    "  int failed = 0;\n"
    "  /* the factor, the momentum, and forward after inverse dynamics */\n"
    "  for (int k = 0; k < 20; k++) {\n"
    "    state(0.37 * k, q, dq, ddq);\n"
    "    d_mass_matrix(M, q);\n"
    "    if (!d_mass_cholesky(L, q)) return 2;\n"
    "    d_angles(sine, cosine, q);\n"
    "    d_momentum(m, q, dq, sine, cosine);\n"
    "    d_inverse_dynamics(tau, q, dq, ddq);\n"
    "    if (!d_forward_dynamics(got, q, dq, tau)) return 3;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      double p = 0;\n"
    "      for (int j = 0; j < N; j++) {\n"
    "        double sum = 0;\n"
    "        for (int l = 0; l < N; l++) sum += L[i + N * l] * L[j + N * l];\n"
    "        failed += wrong(\"L L'\", sum, M[i + N * j], 1e-12);\n"
    "        p += M[i + N * j] * dq[j];\n"
    "      }\n"
    "      failed += wrong(\"momentum\", m[i], p, 1e-12);\n"
    "      failed += wrong(\"sine\", sine[i], sin(q[i]), 3e-16);\n"
    "      failed += wrong(\"cosine\", cosine[i], cos(q[i]), 3e-16);\n"
    "      failed += wrong(\"forward\", got[i], ddq[i], 1e-8 * (1 + fabs(ddq[i])));\n"
    "    }\n"
    "  }\n"
    "  /* the observer along a motion at 1 kHz, pushed at joint 2 from 0.5 s on */\n"
    "  d_observer o;\n"
    "  d_observer_start(&o);\n"
    "  for (int j = 0; j < N; j++) o.limit[j] = 1;\n"
    "  double found = -1, quiet = 0, size = 0;\n"
    "  for (int k = 0; k < 1500; k++) {\n"
    "    const double t = 1e-3 * k;\n"
    "    state(t, q, dq, ddq);\n"
    "    d_inverse_dynamics(tau, q, dq, ddq);\n"
    "    if (t >= 0.5) tau[1] -= 5;\n"
    "    const int contact = d_observe(&o, q, dq, tau, 1e-3);\n"
    "    if (t < 0.5 && contact >= 0) return 4;\n"
    "    if (contact == 1 && found < 0) found = t - 0.5;\n"
    "    for (int j = 0; j < N; j++) {\n"
    "      if (t < 0.5) quiet = fmax(quiet, fabs(o.residual[j]));\n"
    "      size = fmax(size, fabs(tau[j]));\n"
    "    }\n"
    "  }\n"
    "  /* the trapezoidal rule at 1 kHz: friction may reverse within a cycle */\n"
    "  failed += wrong(\"quiet residual\", quiet, 0, 0.9);\n"
    "  failed += wrong(\"residual\", o.residual[1], 5, 0.05 + 0.001 * size);\n"
    "  /* 1 of 5 N m with a gain of 60 / s: after log(1.25) / 60 s = 3.7 ms */\n"
    "  failed += wrong(\"time\", found, 0.0037, 0.002);\n"
    "  /* a wrench gives torques that give the wrench */\n"
    "  double J[6 * N], torque[N] = {0}, back[6];\n"
    "  const double wrench[6] = {10, -5, 3, 0.5, -0.2, 0.1};\n"
    "  state(0.2, q, dq, ddq);\n"
    "  d_tool_jacobian(J, q);\n"
    "  for (int j = 0; j < N; j++)\n"
    "    for (int i = 0; i < 6; i++) torque[j] += J[i + 6 * j] * wrench[i];\n"
    "  if (d_tool_wrench(back, q, torque))\n"
    "    for (int i = 0; i < 6; i++) failed += wrong(\"wrench\", back[i], wrench[i], 1e-8);\n"
    "  else if (N >= 6) failed++;\n"
    "  /* single precision within 1e-4 of the largest torque */\n"
    "  double worst = 0;\n"
    "  for (int k = 0; k < 200; k++) {\n"
    "    float qf[N], dqf[N], ddqf[N], tf[N];\n"
    "    double largest = 1;\n"
    "    state(0.05 * k, q, dq, ddq);\n"
    "    for (int j = 0; j < N; j++) {\n"
    "      q[j] = qf[j] = (float)q[j];\n"
    "      dq[j] = dqf[j] = (float)dq[j];\n"
    "      ddq[j] = ddqf[j] = (float)ddq[j];\n"
    "    }\n"
    "    d_inverse_dynamics(tau, q, dq, ddq);\n"
    "    f_inverse_dynamics(tf, qf, dqf, ddqf);\n"
    "    for (int j = 0; j < N; j++) largest = fmax(largest, fabs(tau[j]));\n"
    "    for (int j = 0; j < N; j++) worst = fmax(worst, fabs(tf[j] - tau[j]) / largest);\n"
    "  }\n"
    "  failed += wrong(\"float\", worst, 0, 1e-4);\n"
    "  /* a body is picked up at 2 s and dropped at 4 s: momentum gives its torque */\n"
    "  d_payload load;\n"
    "  double sigma[N], P[8 * N], before[8 * N], after[8 * N], at_pick = 0;\n"
    "  /* a point mass of 2 kg; the estimator expects it 3 cm away */\n"
    "  const double at[3] = {0.02, -0.03, 0.08}, body[4] = {0, 0, 0, 2};\n"
    "  int picked = 0;\n"
    "  for (int j = 0; j < N; j++) sigma[j] = 0.2;\n"
    "  d_observer_start(&o);\n"
    "  d_payload_start(&load, sigma, 10);\n"
    "  load.point[0] = 0;\n"
    "  load.point[1] = 0;\n"
    "  load.point[2] = 0.08;\n"
    "  for (int k = 0; k < 4300; k++) {\n"
    "    const double t = 1e-3 * k, h = 1e-5;\n"
    "    state(t + h, q, dq, ddq);\n"
    "    d_angles(sine, cosine, q);\n"
    "    d_payload_momentum(after, q, dq, sine, cosine, at);\n"
    "    state(t - h, q, dq, ddq);\n"
    "    d_angles(sine, cosine, q);\n"
    "    d_payload_momentum(before, q, dq, sine, cosine, at);\n"
    "    state(t, q, dq, ddq);\n"
    "    d_angles(sine, cosine, q);\n"
    "    d_payload_momentum(P, q, dq, sine, cosine, at);\n"
    "    d_inverse_dynamics(tau, q, dq, ddq);\n"
    "    for (int c = 0; c < 4 && t >= 2 && t < 4; c++)\n"
    "      for (int j = 0; j < N; j++) {\n"
    "        const int i = 4 * j + c;\n"
    "        tau[j] += body[c] * ((after[i] - before[i]) / (2 * h) - P[i + 4 * N]);\n"
    "      }\n"
    "    (void)d_observe(&o, q, dq, tau, 1e-3);\n"
    "    const int known = d_payload_tick(&load, &o, q, dq, 1e-3);\n"
    "    if (t < 2 && known) return 5;\n"
    "    if (k == 2300) picked = load.changes;\n"
    "    if (k != 3000) continue;\n"
    "    at_pick = load.mass;\n"
    "    failed += wrong(\"payload\", known, 1, 0);\n"
    "    failed += wrong(\"mass\", load.mass, 2, 0.06);\n"
    "    failed += wrong(\"mass in sigma\", (load.mass - 2) / load.mass_sigma, 0, 3);\n"
    "    for (int c = 0; c < 3; c++)\n"
    "      failed += wrong(\"centre\", load.centre[c], at[c], 0.01);\n"
    "  }\n"
    "  failed += wrong(\"picked\", picked, 1, 0);\n"
    "  failed += wrong(\"dropped\", load.changes, 2, 0);\n"
    "  if (at_pick == 0 || load.known) failed++;\n"
    "  if (d_table_crc() != D_TABLE_CRC || f_table_crc() != F_TABLE_CRC) failed++;\n"
    "  printf(\"float differs by %.2g\\n\", worst);\n"
    "  return failed ? 1 : 0;\n"
    "}\n";

static void check(const char *robot) {
  temp_file("driver.c", driver);
  free(tool_text("export %s --format c -o d.c -q", robot));
  free(tool_text("export %s --format c -o f.c -q --float", robot));
  // no conversions that lose digits silently, nothing but C99 and libm
  assert_int_equal(run_in_temp("cc -std=c99 -pedantic -Wall -Wextra -Werror -Wconversion "
                               "-Wdouble-promotion -O2 -c f.c"),
                   0);
  assert_int_equal(
      run_in_temp("cc -std=c99 -Wall -Wextra -Werror -O2 driver.c d.c f.c -lm -o driver"), 0);
  if (run_in_temp("./driver") != 0) fail_msg("%s: see above", robot);
  // nothing is allocated: the objects need libm alone
  assert_int_equal(run_in_temp("nm -u f.o | grep -E 'malloc|free|calloc'"), 1);
  assert_int_equal(
      run_in_temp(
          "for f in d f; do U=$(echo $f | tr df DF); cc -std=c99 -O1 -D${U}_SELFTEST_MAIN $f.c "
          "-lm -o self && ./self || exit 1; done"),
      0);
}

/* derivatives against differences; equal to those of the library: the export compares them */
static const char slopes[] =
    "#include <math.h>\n#include <stdio.h>\n#include \"d.h\"\n#define N D_JOINTS\n"
    "int main(void) {\n"
    "  double x[3 * N], D[2 * N * N], up[N], down[N], worst = 0, size = 1;\n"
    "  for (int i = 0; i < 3 * N; i++) x[i] = 0.3 + 0.5 * sin(i);\n"
    "  d_derivatives(D, x, x + N, x + 2 * N);\n"
    "  for (int k = 0; k < 2 * N; k++) {\n"
    "    const double h = 1e-5, at = x[k];\n"
    "    x[k] = at + h;\n"
    "    d_inverse_dynamics(up, x, x + N, x + 2 * N);\n"
    "    x[k] = at - h;\n"
    "    d_inverse_dynamics(down, x, x + N, x + 2 * N);\n"
    "    x[k] = at;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      worst = fmax(worst, fabs((up[i] - down[i]) / (2 * h) - D[i + N * k]));\n"
    "      size = fmax(size, fabs(D[i + N * k]));\n"
    "    }\n"
    "  }\n"
    "  printf(\"derivatives differ by %.2g of %.3g\\n\", worst, size);\n"
    "  return worst < 1e-6 * size ? 0 : 1;\n"
    "}\n";

static void test_derivatives(void **state) {
  (void)state;
  temp_file("slopes.c", slopes);
  free(tool_text("export tx40 --format c -o d.c -q --derivatives"));
  assert_int_equal(run_in_temp("cc -std=c99 -Wall -Wextra -Werror -O1 slopes.c d.c -lm -o slopes"),
                   0);
  assert_int_equal(run_in_temp("./slopes"), 0);
  assert_int_equal(run_in_temp("cc -std=c99 -O0 -DD_SELFTEST_MAIN d.c -lm -o self && ./self"), 0);
  // without the option they are not there
  free(tool_text("export tx40 --format c -o d.c -q"));
  assert_int_equal(run_in_temp("grep -q d_derivatives d.h"), 1);
}

static void test_tx40(void **state) {
  (void)state;
  check("tx40");
}

static void test_lwr4(void **state) {
  (void)state;
  check("lwr4+");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40),
      cmocka_unit_test(test_lwr4),
      cmocka_unit_test(test_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
