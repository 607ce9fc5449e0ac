/*
 * Bad cycles in the generated code: 200 of 12 kinds go into observer, payload estimator and states
 * of friction, under UBSan and ASan. Refused cycles change no byte, spoiled states start again, and
 * a contact of 20 N m is found afterwards. `real` is float or double.
 */
#include <stdio.h>
#include <stdlib.h>

#include "support.h"
#include "tool.h"

static const char driver[] =
    "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
    "#include \"arm.h\"\n"
    "#define N ARM_JOINTS\n"
    "static uint64_t seed = 1;\n"
    "static uint64_t next(void) {\n"
    "  seed ^= seed << 13;\n"
    "  seed ^= seed >> 7;\n"
    "  return seed ^= seed << 17;\n"
    "}\n"
    "static void bits(void *to, size_t size) {\n"
    "  unsigned char *b = to;\n"
    "  for (size_t i = 0; i < size; i++) b[i] = (unsigned char)(next() >> 24);\n"
    "}\n"
    "static arm_observer o;\n"
    "static arm_payload p;\n"
    "static real q[N], dq[N], ddq[N], tau[N], z[STATES + 1], dt;\n"
    "static double now;\n"
    "/* one good cycle, with a push on joint 2; returns the answer of the observer */\n"
    "static int good(real push, int *load) {\n"
    "  now += 1e-3;\n"
    "  for (int j = 0; j < N; j++) {\n"
    "    const double w = 2 + 0.3 * j;\n"
    "    q[j] = (real)(0.4 + 0.6 * sin(w * now + j));\n"
    "    dq[j] = (real)(0.6 * w * cos(w * now + j));\n"
    "    ddq[j] = (real)(-0.6 * w * w * sin(w * now + j));\n"
    "  }\n"
    "  INVERSE;\n"
    "  tau[1] -= push;\n"
    "  dt = (real)1e-3;\n"
    "  const int contact = arm_observe(&o, q, dq, tau, dt);\n"
    "  *load = arm_payload_tick(&p, &o, q, dq, dt);\n"
    "  (void)(TICK);\n"
    "  return contact;\n"
    "}\n"
    "/* a bad cycle; 1: it was not refused although it had to be, or changed something */\n"
    "static int spoil(int kind) {\n"
    "  const arm_observer before = o;\n"
    "  const arm_payload load = p;\n"
    "  const int j = (int)(next() % N);\n"
    "  int load_known;\n"
    "  (void)good(0, &load_known);\n"
    "  o = before;\n"
    "  p = load;\n"
    "  switch (kind) {\n"
    "    case 0: q[j] = (real)NAN; break;\n"
    "    case 1: q[j] = (real)INFINITY; break;\n"
    "    case 2: q[j] = (real)-1e7; break;\n"
    "    case 3: dq[j] = (real)NAN; break;\n"
    "    case 4: dq[j] = (real)-INFINITY; break;\n"
    "    case 5: tau[j] = (real)NAN; break;\n"
    "    case 6: tau[j] = (real)INFINITY; break;\n"
    "    case 7: dt = 0; break;\n"
    "    case 8: dt = (real)-1e-3; break;\n"
    "    case 9: dt = (real)NAN; break;\n"
    "    case 10: bits(q, sizeof q), bits(dq, sizeof dq), bits(tau, sizeof tau), bits(&dt, sizeof "
    "dt);\n"
    "      break;\n"
    "    default:\n"
    "      bits(o.residual, sizeof o - (size_t)((char *)o.residual - (char *)&o));\n"
    "      bits(&p.mass, sizeof p - (size_t)((char *)&p.mass - (char *)&p));\n"
    "      bits(z, sizeof z);\n"
    "  }\n"
    "  const int seen = arm_observe(&o, q, dq, tau, dt);\n"
    "  const int tick = arm_payload_tick(&p, &o, q, dq, dt);\n"
    "  real out[N * N], more[2 * N], wrench[6], sine[N], cosine[N];\n"
    "  arm_angles(sine, cosine, q);\n"
    "  arm_momentum(more, q, dq, sine, cosine);\n"
    "  arm_mass_matrix(out, q);\n"
    "  arm_gravity(more, q);\n"
    "  INVERSE;\n"
    "  (void)arm_mass_cholesky(out, q);\n"
    "  const int moved = FORWARD, pushed = arm_tool_wrench(wrench, q, tau);\n"
    "  for (int i = 0; i < N && moved; i++)\n"
    "    if (!isfinite(more[i])) return printf(\"acceleration\\n\"), 1;\n"
    "  for (int i = 0; i < 6 && pushed; i++)\n"
    "    if (!isfinite(wrench[i])) return printf(\"wrench\\n\"), 1;\n"
    "  const int ticked = TICK;\n"
    "  if (kind >= 10) return 0;\n"
    "  if (seen != ARM_REFUSED) return printf(\"kind %d: observer %d\\n\", kind, seen), 1;\n"
    "  if (memcmp(&before, &o, sizeof o)) return printf(\"the observer changed\\n\"), 1;\n"
    "  if (kind == 5 || kind == 6) return p = load, 0; /* the payload takes no torque */\n"
    "  if (tick != ARM_REFUSED) return printf(\"kind %d: payload %d\\n\", kind, tick), 1;\n"
    "  if (memcmp(&load, &p, sizeof p)) return printf(\"the payload changed\\n\"), 1;\n"
    "  if (STATES && kind > 2 && ticked != ARM_REFUSED) return printf(\"states %d\\n\", ticked), "
    "1;\n"
    "  return 0;\n"
    "}\n"
    "int main(void) {\n"
    "  real sigma[N];\n"
    "  int failed = 0, load;\n"
    "  for (int j = 0; j < N; j++) sigma[j] = (real)0.2;\n"
    "  for (int k = 0; k < 204; k++) {\n"
    "    arm_observer_start(&o);\n"
    "    arm_payload_start(&p, sigma, 10);\n"
    "    for (int j = 0; j < N; j++) o.limit[j] = 5;\n"
    "    for (int i = 0; i < 50; i++) (void)good(0, &load);\n"
    "    failed += spoil(k % 12);\n"
    "    /* a state of random bits may be large: its rest is gone after 2 s */\n"
    "    for (int i = 0; i < (k % 12 < 10 ? 100 : 2000); i++) failed += good(0, &load) < -1 && k % "
    "12 < 10;\n"
    "    int contact = -1;\n"
    "    for (int i = 0; i < 60; i++) contact = good(20, &load);\n"
    "    if (contact != 1) failed++, printf(\"kind %d: no contact (%d)\\n\", k % 12, contact);\n"
    "    for (int j = 0; j < N; j++) failed += !isfinite(o.residual[j]);\n"
    "    if (!isfinite(p.mass) || !isfinite(p.centre[0]) || load < 0) failed++, printf(\"payload "
    "%d\\n\", load);\n"
    "    for (int i = 0; i < STATES; i++) failed += !isfinite(z[i]);\n"
    "  }\n"
    "  return failed ? 1 : 0;\n"
    "}\n";

#define STRICT                                                       \
  "cc -std=c99 -Wall -Wextra -Werror -O1 -fno-sanitize-recover=all " \
  "-fsanitize=address,undefined,float-cast-overflow,bounds-strict arm.c -lm -o self "

/* states: the code has states of friction */
static void check(const char *robot, bool states) {
  temp_file("driver.c", driver);
  for (int single = 0; single < 2; single++) {
    free(tool_text("export %s --format c -o arm.c -q %s", robot, single ? "--float" : ""));
    char command[1024];
    snprintf(command, sizeof command,
             STRICT
             "-Wno-pedantic driver.c -Dreal=%s -DSTATES=%d '-DINVERSE=arm_inverse_dynamics(tau, q, "
             "dq, ddq%s)' '-DFORWARD=arm_forward_dynamics(more, q, dq, tau%s)' '-DTICK=%s' && "
             "./self",
             single ? "float" : "double", states ? 2 : 0, states ? ", z" : "", states ? ", z" : "",
             states ? "arm_tick(z, dq, dt)" : "0");
    if (run_in_temp(command) != 0) fail_msg("%s%s", robot, single ? ", single precision" : "");
  }
}

static void test_tx40(void **state) {
  (void)state;
  check("tx40", false);
}

/* friction with states and with the load of the gears: forward dynamics has many passes */
static const char geared[] =
    "name: geared\ngravity: [0, 0, -9.81]\njoints:\n"
    "  - {name: shoulder, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fl, Fp]}\n"
    "  - {name: elbow, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, drive: [Ia, Fv, Fc, Fl, Fp]}\n"
    "friction: {presliding: 0.05}\n"
    "parameters: {M1: 4, MX1: 0.8, ZZ1: 0.3, M2: 2, MX2: 0.3, ZZ2: 0.1, Ia1: 0.4, Ia2: 0.2, Fv1: "
    "3,\n"
    "  Fv2: 2, Fc1: 2, Fc2: 1, Fl1: 0.05, Fl2: 0.05, Fp1: 2, Fp2: 1}\n";

static void test_friction_with_states_and_load(void **state) {
  (void)state;
  temp_file("geared.yaml", geared);
  check("geared.yaml", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tx40),
      cmocka_unit_test(test_friction_with_states_and_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
