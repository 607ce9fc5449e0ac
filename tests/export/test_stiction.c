/*
 * Compensation of dry friction in the generated code, in a loop with a plant that sticks: friction
 * is a set of forces at rest, solved by projection. Its breaking away is 1.5 times its Coulomb
 * friction. Compared with the compensation of Coulomb friction in the direction of the wanted
 * speed, both under the same PD law, at slow reversals.
 */
#include <stdio.h>
#include <stdlib.h>

#include "support.h"
#include "tool.h"

static const char driver[] =
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include \"arm.h\"\n"
    "#define N ARM_JOINTS\n#define H 1e-4\n"
    "static const double coulomb[N] = COULOMB, excess[N] = EXCESS;\n"
    "static double q[N], dq[N], taken; /* taken: energy of friction and compensation together */\n"
    "/* what friction can be at a speed */\n"
    "static double dry(int j, double v) {\n"
    "  return coulomb[j] + excess[j] * exp(-v * v / (0.05 * 0.05));\n"
    "}\n"
    "/* a step of the plant with this torque and this compensation */\n"
    "static void step(const double *tau, const double *help) {\n"
    "  double M[N * N], bias[N], f[N], zero[N] = {0}, p[N] = {0}, v[N], room[N];\n"
    "  arm_mass_matrix(M, q);\n"
    "  arm_inverse_dynamics(bias, q, dq, zero);\n"
    "  arm_friction(f, dq);\n"
    "  double L[N * N], b[N];\n"
    "  if (!arm_mass_cholesky(L, q)) exit(2);\n"
    "  /* columns of the inverse, by substitution */\n"
    "  double inverse[N * N];\n"
    "  for (int c = 0; c < N; c++) {\n"
    "    for (int i = 0; i < N; i++) b[i] = i == c;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      for (int k = 0; k < i; k++) b[i] -= L[i + N * k] * b[k];\n"
    "      b[i] /= L[i + N * i];\n"
    "    }\n"
    "    for (int i = N - 1; i >= 0; i--) {\n"
    "      for (int k = i + 1; k < N; k++) b[i] -= L[k + N * i] * b[k];\n"
    "      b[i] /= L[i + N * i];\n"
    "    }\n"
    "    for (int i = 0; i < N; i++) inverse[i + N * c] = b[i];\n"
    "  }\n"
    "  for (int i = 0; i < N; i++) {\n"
    "    v[i] = dq[i];\n"
    "    room[i] = H * dry(i, dq[i]);\n"
    "    for (int k = 0; k < N; k++)\n"
    "      v[i] += H * inverse[i + N * k] * (tau[k] + help[k] - (bias[k] - f[k]));\n"
    "  }\n"
    "  /* impulses of friction within their room that bring the joints to rest */\n"
    "  for (int pass = 0; pass < 60; pass++)\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      const double before = p[i];\n"
    "      p[i] = fmin(room[i], fmax(-room[i], p[i] - v[i] / inverse[i + N * i]));\n"
    "      for (int k = 0; k < N; k++) v[k] += inverse[k + N * i] * (p[i] - before);\n"
    "    }\n"
    "  for (int i = 0; i < N; i++) {\n"
    "    taken += (p[i] + H * help[i]) * v[i];\n"
    "    dq[i] = v[i];\n"
    "    q[i] += H * v[i];\n"
    "  }\n"
    "}\n"
    "/* slow reversals, then rest; how: 0 Coulomb, 1 the generated code. rms error */\n"
    "static double run(int how, double *rest) {\n"
    "  double sum = 0, M[N * N], tau[N], help[N], want[N], speed[N], up[N], at[N];\n"
    "  long count = 0;\n"
    "  taken = 0;\n"
    "  for (int j = 0; j < N; j++) q[j] = 0.4 + 0.1 * j, dq[j] = 0;\n"
    "  for (long k = 0; k < 260000; k++) {\n"
    "    const double t = fmin(H * (double)k, 20), w = 2 * 3.14159265358979 / 10;\n"
    "    for (int j = 0; j < N; j++) {\n"
    "      /* 0.05 rad/s at most, in the last 6 s at rest */\n"
    "      const double moving = H * (double)k < 20;\n"
    "      at[j] = 0.4 + 0.1 * j + 0.05 / w * (1 - cos(w * t));\n"
    "      speed[j] = moving * 0.05 * sin(w * t);\n"
    "      up[j] = moving * 0.05 * w * cos(w * t);\n"
    "    }\n"
    "    if (k % 10 == 0) {\n"
    "      double f[N];\n"
    "      arm_inverse_dynamics(want, at, speed, up);\n"
    "      arm_friction(f, speed);\n"
    "      arm_mass_matrix(M, q);\n"
    "      for (int j = 0; j < N; j++) {\n"
    "        /* poles of the loop at 15 1/s */\n"
    "        tau[j] = want[j] - f[j] +\n"
    "                 M[j + N * j] * (225 * (at[j] - q[j]) + 30 * (speed[j] - dq[j]));\n"
    "        help[j] = coulomb[j] * speed[j] / sqrt(speed[j] * speed[j] + 1e-6);\n"
    "      }\n"
    "      if (how && arm_stiction(help, speed, dq) != 0) exit(3);\n"
    "    }\n"
    "    step(tau, help);\n"
    "    for (int j = 0; j < N && t < 20; j++) {\n"
    "      sum += (at[j] - q[j]) * (at[j] - q[j]);\n"
    "      count++;\n"
    "    }\n"
    "  }\n"
    "  *rest = 0;\n"
    "  for (int j = 0; j < N; j++) *rest = fmax(*rest, fabs(dq[j]));\n"
    "  return sqrt(sum / (double)count);\n"
    "}\n"
    "int main(void) {\n"
    "  int failed = 0;\n"
    "  double rest[2], error[2];\n"
    "  for (int how = 0; how < 2; how++) error[how] = run(how, &rest[how]);\n"
    "  printf(\"rms error %.3g rad with Coulomb friction, %.3g with stiction: %.0f %% "
    "smaller\\n\",\n"
    "         error[0], error[1], 100 * (1 - error[1] / error[0]));\n"
    "  failed += !(error[1] <= 0.5 * error[0]);\n"
    "  /* no limit cycle: the joints stick */\n"
    "  failed += !(rest[1] <= 1e-12);\n"
    "  /* friction and compensation together took energy */\n"
    "  failed += !(taken < 0);\n"
    "  /* bounded, smooth and passive, at any speeds */\n"
    "  double wanted[N], v[N], tau[N], more[N];\n"
    "  srand(1);\n"
    "  for (int k = 0; k < 20000; k++) {\n"
    "    for (int j = 0; j < N; j++) {\n"
    "      const double size = pow(10, -5 + 6.0 * rand() / RAND_MAX);\n"
    "      wanted[j] = size * (2.0 * rand() / RAND_MAX - 1);\n"
    "      v[j] = size * (2.0 * rand() / RAND_MAX - 1) * 0.1;\n"
    "    }\n"
    "    failed += arm_stiction(tau, wanted, v) != 0;\n"
    "    for (int j = 0; j < N; j++) {\n"
    "      /* with what friction takes at this speed, power is lost */\n"
    "      failed += !(tau[j] * v[j] - dry(j, v[j]) * fabs(v[j]) <= 0);\n"
    "      failed += !(fabs(tau[j]) <= 0.95 * dry(j, v[j]) * (1 + 1e-12));\n"
    "      wanted[j] += 1e-7;\n"
    "    }\n"
    "    failed += arm_stiction(more, wanted, v) != 0;\n"
    "    /* the slope of the smoothed sign is at most one over its speed, 1e-4 rad/s or more */\n"
    "    for (int j = 0; j < N; j++)\n"
    "      failed += !(fabs(more[j] - tau[j]) <= 1e-7 * dry(j, 0) / 1e-4);\n"
    "  }\n"
    "  wanted[0] = NAN;\n"
    "  failed += arm_stiction(tau, wanted, v) != ARM_REFUSED || tau[0] != 0;\n"
    "  return failed > 0;\n"
    "}\n";

/* text: the loop of the generated code compiled and run; its line is shown */
static void run_driver(const char *coulomb, const char *excess) {
  char command[1024];
  temp_file("driver.c", driver);
  snprintf(command, sizeof command,
           "cc -std=c99 -D_GNU_SOURCE -O2 -Wall -Werror '-DCOULOMB={%s}' '-DEXCESS={%s}' driver.c "
           "arm.c -lm -o driver && ./driver",
           coulomb, excess);
  assert_int_equal(run_in_temp(command), 0);
}

static void test_tx40(void **state) {
  (void)state;
  assert_int_equal(
      run_in_temp("sed 's/Fc1: 8.33/Fc1: 8.33, Fs1: 4.165/; s/Fc2: 8.99/Fc2: 8.99, Fs2: 4.495/; "
                  "s/Fc3: 7.60/Fc3: 7.60, Fs3: 3.8/; s/Fc4: 3.55/Fc4: 3.55, Fs4: 1.775/; "
                  "s/Fc5: 3.71/Fc5: 3.71, Fs5: 1.855/; s/Fc6: 0.26/Fc6: 0.26, Fs6: 0.13/; "
                  "s/, fcm6: 2.61//' '" ROBERVAL_SOURCE "/robots/tx40.yaml' > arm.yaml"),
      0);
  free(tool_text("export arm.yaml --stribeck 0.05 --format c -o arm.c -q"));
  run_driver("8.33,8.99,7.60,3.55,3.71,0.26", "4.165,4.495,3.8,1.775,1.855,0.13");
}

static void test_two_joints(void **state) {
  (void)state;
  temp_file(
      "arm.yaml",
      "name: arm\ngravity: [0, 0, -9.81]\njoints:\n"
      "  - {name: shoulder, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, limits: {lower: -3, "
      "upper: 3, velocity: 3}}\n"
      "  - {name: elbow, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, limits: {lower: -3, upper: "
      "3, velocity: 3}}\n"
      "parameters: {M1: 3, MX1: 0.6, ZZ1: 0.2, M2: 2, MX2: 0.3, ZZ2: 0.1, Ia1: 0.3, Ia2: 0.1, "
      "Fv1: 2, Fc1: 4, Fs1: 2, Fv2: 1, Fc2: 2, Fs2: 1}\n");
  free(tool_text("export arm.yaml --stribeck 0.05 --format c -o arm.c -q"));
  run_driver("4,2", "2,1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40),
      cmocka_unit_test(test_two_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
