/*
 * The part of the C code that is the same for all robots: Cholesky, forward dynamics, momentum
 * observer, wrench at the tool, checksum of the table. Loops have fixed bounds, nothing allocates,
 * nothing recurses.
 */
#include <string.h>

#include "export/export_control.h"
#include "export/graph.h"

/* Passes of forward dynamics. Each one reduces the error by the coefficient of load friction. */
#define LOAD_PASSES 30

/* what friction needs beside the velocities */
static void put_friction(rbv_text *t, const control_code *c, const char *q, const char *dq,
                         const char *ddq, const char *z) {
  if (c->load || c->position) rbv_text_print(t, "%s, ", q);
  rbv_text_put(t, dq);
  if (c->load) rbv_text_print(t, ", %s", ddq);
  if (c->nstate > 0) rbv_text_print(t, ", %s", z);
}

/*
 * Text with words that depend on the robot: $n the prefix, $U the prefix in capitals, $j the number
 * of joints, $p passes of forward dynamics; for laws with states: $Z their parameter, $z and $s
 * arguments in functions and in the self-test; $o and $t arguments of friction in the observer and
 * in the self-test; $0, $1 and $2 the point of the tool; $? begins a line of robots with one tip,
 * $~ one of robots with several.
 */
void rbv_control_put(rbv_text *t, const control_code *c, const char *text) {
  for (const char *s = text; *s; s++) {
    if (*s != '$') {
      rbv_text_add(t, s, 1);
      continue;
    }
    s++;
    if ((*s == '?' && !c->tool) || (*s == '~' && c->tool)) s = strchr(s, '\n');
    if (*s == 'n') rbv_text_put(t, c->name);
    if (*s == 'U') rbv_text_put(t, c->upper);
    if (*s == 'j') rbv_text_print(t, "%d", c->njoint);
    if (*s == 'p') rbv_text_print(t, "%d", c->load ? LOAD_PASSES : 1);
    if (*s == 'Z' && c->nstate > 0) rbv_text_print(t, ",\n    const double z[%d]", c->nstate);
    if (*s == 'z' && c->nstate > 0) rbv_text_put(t, ", z");
    if (*s == 'y' && c->nstate > 0) rbv_text_put(t, ", o->z");
    if (*s == 's' && c->nstate > 0) rbv_text_print(t, ", s + %d", 3 * c->njoint);
    if (*s >= '0' && *s <= '2') rbv_put_number(t, c->tip[*s - '0']);
    if (*s == 'o') put_friction(t, c, "q", "dq", "ddq", "o->z");
    if (*s == 't') put_friction(t, c, "s", "still", "still", "o.z");
  }
}

static void put(rbv_text *t, const control_code *c, const char *text) {
  rbv_control_put(t, c, text);
}

/* ---- solving ---- */

static const char usable[] =
    "/* every number is finite, and their sizes add up to at most `most` */\n"
    "static inline int $n_usable(const double *x, double most, int n) {\n"
    "  double sum = 0.0;\n"
    "  for (int i = 0; i < n; i++) sum += fabs(x[i]);\n"
    "  return sum <= most;\n"
    "}\n\n";

static const char cycle[] =
    "static inline int $n_cycle(const double q[$j], const double dq[$j], double dt) {\n"
    "  return (dt >= 1e-6) & (dt <= 1.0) & $n_usable(q, $U_ANGLE, $j) &\n"
    "         $n_usable(dq, $U_ANGLE, $j);\n"
    "}\n\n";

static const char codes[] =
    "/*\n"
    " * Codes of $n_observe and of the other functions of one cycle:\n"
    " *\n"
    " *   $U_REFUSED    an input is not finite, a position or velocity is beyond $U_ANGLE, a "
    "torque\n"
    " *                 is beyond 1e9, or dt is not between 1e-6 and 1 s: the state is as before.\n"
    " *                 Call the next cycle with the time since the last one that was accepted\n"
    " *   $U_RESTARTED  the state was not finite, and is that of a start again\n"
    " *\n"
    " * Beyond $U_ANGLE sines and cosines, and all that is computed from them, are NaN.\n"
    " */\n"
    "#define $U_REFUSED (-2)\n"
    "#define $U_RESTARTED (-3)\n"
    "#define $U_ANGLE 1e6\n\n";

static const char cholesky[] =
    "/* A = L L', in place of the lower triangle of A (n x n, column-major). 0: not positive "
    "definite "
    "*/\n"
    "static int $n_factor(double *A, int n) {\n"
    "  for (int j = 0; j < n; j++) {\n"
    "    for (int i = j; i < n; i++) {\n"
    "      double sum = A[i + n * j];\n"
    "      for (int k = 0; k < j; k++) sum -= A[i + n * k] * A[j + n * k];\n"
    "      if (i > j) {\n"
    "        A[i + n * j] = sum / A[j + n * j];\n"
    "      } else {\n"
    "        if (!(sum > 0.0 && sum <= $U_MOST)) return 0;\n"
    "        A[j + n * j] = sqrt(sum);\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n"
    "static void $n_substitute(double *x, const double *L, int n) {\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    for (int k = 0; k < i; k++) x[i] -= L[i + n * k] * x[k];\n"
    "    x[i] /= L[i + n * i];\n"
    "  }\n"
    "  for (int i = n - 1; i >= 0; i--) {\n"
    "    for (int k = i + 1; k < n; k++) x[i] -= L[k + n * i] * x[k];\n"
    "    x[i] /= L[i + n * i];\n"
    "  }\n"
    "}\n\n";

static const char cholesky_declared[] =
    "/* Cholesky factor of the mass matrix, lower triangle, column-major; zeros above. 0: the "
    "matrix is\n * not positive definite. */\n"
    "int $n_mass_cholesky(double L[$j * $j], const double q[$j]);\n\n"
    "/* Acceleration of a torque. 0: the mass matrix is not positive definite, friction of load is "
    "so\n * large that no acceleration was found, or an input is not finite; do not use ddq. */\n"
    "int $n_forward_dynamics(double ddq[$j], const double q[$j], const double dq[$j],\n"
    "                        const double tau[$j]$Z);\n\n";

static const char forward[] =
    "int $n_mass_cholesky(double L[$j * $j], const double q[$j]) {\n"
    "  $n_mass_matrix(L, q);\n"
    "  const int good = $n_factor(L, $j);\n"
    "  for (int j = 1; j < $j; j++)\n"
    "    for (int i = 0; i < j; i++) L[i + $j * j] = 0.0;\n"
    "  return good;\n"
    "}\n\n"
    "int $n_forward_dynamics(double ddq[$j], const double q[$j], const double dq[$j],\n"
    "                        const double tau[$j]$Z) {\n"
    "  double M[$j * $j], left[$j], most = 0.0, size = 1.0;\n"
    "  $n_mass_matrix(M, q);\n"
    "  if (!$n_factor(M, $j)) return 0;\n"
    "  for (int i = 0; i < $j; i++) ddq[i] = 0.0;\n"
    "  /* one pass is exact, unless friction depends on the load */\n"
    "  for (int pass = 0; pass < $p; pass++) {\n"
    "    $n_inverse_dynamics(left, q, dq, ddq$z);\n"
    "    for (int i = 0; i < $j; i++) left[i] = tau[i] - left[i];\n"
    "    $n_substitute(left, M, $j);\n"
    "    for (int i = 0; i < $j; i++) ddq[i] += left[i];\n"
    "  }\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    most = fabs(left[i]) > most ? fabs(left[i]) : most;\n"
    "    size = fabs(ddq[i]) > size ? fabs(ddq[i]) : size;\n"
    "  }\n"
    "  return $n_usable(ddq, $U_MOST, $j) && ($p == 1 || most < $U_CONVERGED * size);\n"
    "}\n\n";

/* ---- the observer ---- */

static const char observer_declared[] =
    "/*\n"
    " * Momentum observer: the torque from outside on every joint, first order, gain per joint.\n"
    " *\n"
    " *   gain   [1/s]: 1 / gain is the time after which 63 % of a step are seen\n"
    " *   limit  [N m or N]: a contact is a residual beyond it; $U_LIMIT is that of normal noise "
    "with\n"
    " *          one false alarm per hour, for the gain $U_GAIN\n"
    " *\n"
    " * Set gain and limit, and started to 0; then call $n_observe in every cycle. Friction of "
    "load "
    "is\n * that of the torque without contact.\n"
    " */\n"
    "typedef struct {\n"
    "  double gain[$j], limit[$j];\n"
    "  double residual[$j]; /* torque from outside [N m or N] */\n"
    "  double momentum[$j], rate[$j], sine[$j], cosine[$j], step[$j];\n";

/* z: states of laws */
static const char observer_functions[] =
    "  int started;\n"
    "} $n_observer;\n\n"
    "/* Set the default gain and limits. */\n"
    "void $n_observer_start($n_observer *o);\n\n"
    "/*\n"
    " * One cycle of dt seconds. q, dq: measured, tau: torque of the drives as they were commanded "
    "or\n"
    " * measured. Returns the joint with a contact, the worst one; -1: none; $U_REFUSED or "
    "$U_RESTARTED:\n * not known.\n"
    " * Beside $n_angles, $n_momentum and $n_friction: 13 multiplications and additions and 2 "
    "divisions "
    "per\n * joint; stack: 3 numbers per joint, and temporaries of the largest of the three.\n"
    " */\n"
    "int $n_observe($n_observer *o, const double q[$j], const double dq[$j], const double "
    "tau[$j],\n"
    "               double dt);\n\n";

static const char wrench_declared[] =
    "/* Force and torque at the tool, in base axes, that cause this residual. 0: singular pose, "
    "fewer\n * than six joints, or an input that is not finite; the wrench is not set. */\n"
    "int $n_tool_wrench(double wrench[6], const double q[$j], const double residual[$j]);\n\n";

static const char observer[] =
    "static void $n_observer_restart($n_observer *o) {\n"
    "  for (int i = 0; i < $j; i++) o->residual[i] = o->step[i] = 0.0;\n"
    "  o->started = 0;\n";

static const char observer_start[] =
    "}\n\n"
    "void $n_observer_start($n_observer *o) {\n"
    "  static const double limit[$j] = $U_LIMIT;\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    o->gain[i] = $U_GAIN;\n"
    "    o->limit[i] = limit[i];\n"
    "  }\n"
    "  $n_observer_restart(o);\n"
    "}\n\n";

static const char observe[] =
    "int $n_observe($n_observer *o, const double q[$j], const double dq[$j], const double "
    "tau[$j],\n"
    "               double dt) {\n"
    "  double m[2 * $j], f[$j], worst = 1.0, total = 0.0;\n"
    "  if (!$n_cycle(q, dq, dt) || !$n_usable(tau, 1e9, $j)) return $U_REFUSED;\n"
    "  const double per_s = 1.0 / dt;\n"
    "  int contact = -1;\n"
    "  $n_angles(o->sine, o->cosine, q);\n"
    "  $n_momentum(m, q, dq, o->sine, o->cosine);\n";

static const char observer_load[] =
    "  double ddq[$j];\n"
    "  if (!$n_forward_dynamics(ddq, q, dq, tau$y))\n"
    "    for (int i = 0; i < $j; i++) ddq[i] = 0.0;\n";

static const char observer_rest[] =
    "  $n_friction(f, $o);\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    const double rate = tau[i] - f[i] + m[$j + i];\n"
    "    const double before = o->started ? o->rate[i] : rate;\n"
    "    const double last = o->started ? o->momentum[i] : m[i];\n"
    "    /* momentum that nothing explains, over the cycle */\n"
    "    const double push = (m[i] - last) * per_s - 0.5 * (rate + before);\n"
    "    o->step[i] = o->gain[i] * dt / (1.0 + o->gain[i] * dt);\n"
    "    o->residual[i] += o->step[i] * (push - o->residual[i]);\n"
    "    o->momentum[i] = m[i];\n"
    "    o->rate[i] = rate;\n"
    "    const double size = fabs(o->residual[i]);\n"
    "    total += size;\n"
    "    if (!(size <= worst * o->limit[i])) {\n"
    "      worst = size / o->limit[i];\n"
    "      contact = i;\n"
    "    }\n"
    "  }\n"
    "  o->started = 1;\n";

static const char observed[] =
    "  if (!(total <= $U_MOST)) {\n"
    "    $n_observer_restart(o);\n"
    "    return $U_RESTARTED;\n"
    "  }\n"
    "  return contact;\n"
    "}\n\n";

static const char observer_step[] = "  if ($n_tick(o->z, dq, dt) != 0) total = NAN;\n";

/* states of friction in a loop of the user, who may pass anything */
static const char tick_declared[] =
    "/* $n_step of the states z for one cycle: 0, $U_REFUSED or $U_RESTARTED (with zeros). */\n"
    "int $n_tick(double z[$U_STATES], const double dq[$j], double dt);\n\n";

static const char tick[] =
    "int $n_tick(double z[$U_STATES], const double dq[$j], double dt) {\n"
    "  if (!$n_cycle(dq, dq, dt)) return $U_REFUSED;\n"
    "  $n_step(z, dq, z, dt);\n"
    "  if ($n_usable(z, $U_ANGLE, $U_STATES)) return 0;\n"
    "  for (int i = 0; i < $U_STATES; i++) z[i] = 0.0;\n"
    "  return $U_RESTARTED;\n"
    "}\n\n";

static const char wrench[] =
    "int $n_tool_wrench(double wrench[6], const double q[$j], const double residual[$j]) {\n"
    "  double J[6 * $j], A[36], b[6];\n"
    "  $n_tool_jacobian(J, q);\n"
    "  /* residual = J' wrench, by least squares */\n"
    "  for (int i = 0; i < 6; i++) {\n"
    "    b[i] = 0.0;\n"
    "    for (int j = 0; j < $j; j++) b[i] += J[i + 6 * j] * residual[j];\n"
    "    for (int k = 0; k < 6; k++) {\n"
    "      A[i + 6 * k] = 0.0;\n"
    "      for (int j = 0; j < $j; j++) A[i + 6 * k] += J[i + 6 * j] * J[k + 6 * j];\n"
    "    }\n"
    "  }\n"
    "  if (!$n_factor(A, 6)) return 0;\n"
    "  for (int i = 0; i < 6; i++)\n"
    "    if (!(A[i + 6 * i] > $U_SINGULAR)) return 0;\n"
    "  $n_substitute(b, A, 6);\n"
    "  if (!$n_usable(b, $U_MOST, 6)) return 0;\n"
    "  for (int i = 0; i < 6; i++) wrench[i] = b[i];\n"
    "  return 1;\n"
    "}\n\n";

/* ---- checksum of the table ---- */

static const char checksum_code[] =
    "unsigned long $n_table_crc(void) {\n"
    "  unsigned long crc = 0xFFFFFFFFUL;\n"
    "  for (unsigned long i = 0; i < sizeof $n_base; i++) {\n"
    "    crc ^= ((const unsigned char *)$n_base)[i];\n"
    "    for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ ((crc & 1UL) ? 0xEDB88320UL : 0UL);\n"
    "  }\n"
    "  return crc ^ 0xFFFFFFFFUL;\n"
    "}\n\n";

static uint32_t crc_of(const void *data, size_t size) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < size; i++) {
    crc ^= ((const unsigned char *)data)[i];
    for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ ((crc & 1) ? 0xEDB88320u : 0);
  }
  return crc ^ 0xFFFFFFFFu;
}

static uint32_t table_crc(const control_code *c) {
  if (!c->single) return crc_of(c->base, (size_t)c->nbase * sizeof *c->base);
  uint32_t crc = 0xFFFFFFFFu;
  for (int i = 0; i < c->nbase; i++) {
    const float x = (float)c->base[i];
    for (size_t b = 0; b < sizeof x; b++) {
      crc ^= ((const unsigned char *)&x)[b];
      for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ ((crc & 1) ? 0xEDB88320u : 0);
    }
  }
  return crc ^ 0xFFFFFFFFu;
}

/* ---- the two files ---- */

void rbv_control_declare(rbv_text *header, const control_code *c) {
  rbv_text_print(header,
                 "#define %s_TABLE_CRC 0x%08lXUL /* CRC-32 of %s_base, little-endian */\n\n",
                 c->upper, (unsigned long)table_crc(c), c->name);
  put(header, c,
      "/* CRC-32 of the table in memory: compare with $U_TABLE_CRC. */\n"
      "unsigned long $n_table_crc(void);\n\n");
  if (c->mass || c->nstate > 0) put(header, c, codes);
  if (c->nstate > 0) put(header, c, tick_declared);
  if (!c->mass) return;
  put(header, c,
      "/* Sines and cosines of all positions, which some functions take. */\n"
      "void $n_angles(double sine[$j], double cosine[$j], const double q[$j]);\n\n");
  put(header, c, cholesky_declared);
  rbv_text_print(header, "#define %s_GAIN ", c->upper);
  rbv_put_number(header, CONTROL_GAIN);
  rbv_text_print(header, "\n#define %s_LIMIT {", c->upper);
  for (int j = 0; j < c->njoint; j++) {
    if (j) rbv_text_put(header, ", ");
    rbv_put_number(header, c->limit ? c->limit[j] : HUGE_LIMIT);
  }
  rbv_text_print(header, "}%s\n\n", c->limit ? "" : " /* not known: set your own */");
  put(header, c, observer_declared);
  if (c->nstate > 0)
    rbv_text_print(header, "  double z[%d]; /* states of friction */\n", c->nstate);
  put(header, c, observer_functions);
  rbv_stiction_declare(header, c);
  if (!c->tool) return;
  put(header, c, wrench_declared);
  rbv_payload_declare(header, c);
}

void rbv_control_write(rbv_text *source, const control_code *c) {
  put(source, c, checksum_code);
  if (c->mass || c->nstate > 0) {
    put(source, c, "#define $U_MOST 1e30 /* of numbers that are computed */\n\n");
    put(source, c, usable);
    put(source, c, cycle);
  }
  if (c->nstate > 0) put(source, c, tick);
  if (!c->mass) return;
  put(source, c, cholesky);
  rbv_text_print(source, "#define %s_CONVERGED %s /* last change of an acceleration */\n\n",
                 c->upper, c->single ? "1e-3" : "1e-8");
  put(source, c, forward);
  if (c->tool)
    rbv_text_print(source, "#define %s_SINGULAR %s /* of the Jacobian */\n\n", c->upper, "1e-4");
  put(source, c, observer);
  if (c->nstate > 0)
    rbv_text_print(source, "  for (int i = 0; i < %d; i++) o->z[i] = 0.0;\n", c->nstate);
  put(source, c, observer_start);
  put(source, c, observe);
  if (c->load) put(source, c, observer_load);
  put(source, c, observer_rest);
  if (c->nstate > 0) put(source, c, observer_step);
  put(source, c, observed);
  rbv_stiction_write(source, c);
  if (!c->tool) return;
  put(source, c, wrench);
  rbv_payload_write(source, c);
}

/* forward dynamics undoes inverse dynamics; the observer finds a torque; the table is intact */
void rbv_control_test(rbv_text *source, const control_code *c) {
  put(source, c, "    if ($n_table_crc() != $U_TABLE_CRC) failed++;\n");
  if (!c->mass) return;
  put(source, c,
      "    {\n"
      "      double tau[$j], ddq[$j], back[$j];\n"
      "      $n_inverse_dynamics(tau, s, s + $j, s + 2 * $j$s);\n"
      "      if ($n_forward_dynamics(ddq, s, s + $j, tau$s)) {\n"
      "        $n_inverse_dynamics(back, s, s + $j, ddq$s);\n"
      "        failed += test_differs(back, tau, $j);\n"
      "      }\n"
      "    }\n"
      "    {\n"
      "      /* at rest, with gravity and 1 N m from outside on the first joint */\n"
      "      $n_observer o;\n"
      "      double tau[$j], f[$j], want[$j] = {1.0};\n"
      "      const double still[$j] = {0.0};\n"
      "      $n_observer_start(&o);\n"
      "      $n_gravity(tau, s);\n"
      "      $n_friction(f, $t);\n"
      "      for (int i = 0; i < $j; i++) tau[i] += f[i];\n"
      "      tau[0] -= 1.0;\n"
      "      for (int i = 0; i < 1000; i++) (void)$n_observe(&o, s, still, tau, 0.01);\n"
      "      failed += test_differs(o.residual, want, $j);\n"
      "      /* bad cycles are refused, and a state that is not finite starts again */\n"
      "      const double bad[4] = {NAN, INFINITY, -INFINITY, 1e10};\n"
      "      double wrong[$j], sigma[$j];\n"
      "$?      $n_payload p;\n"
      "      for (int i = 0; i < $j; i++) wrong[i] = sigma[i] = 1.0;\n"
      "$~      (void)sigma;\n"
      "$?      $n_payload_start(&p, sigma, 10.0);\n"
      "      for (int i = 0; i < 4; i++) {\n"
      "        wrong[$j - 1] = bad[i];\n"
      "        failed += $n_observe(&o, wrong, still, tau, 0.01) != $U_REFUSED;\n"
      "        failed += $n_observe(&o, s, wrong, tau, 0.01) != $U_REFUSED;\n"
      "        failed += $n_observe(&o, s, still, wrong, 0.01) != $U_REFUSED;\n"
      "        failed += $n_observe(&o, s, still, tau, bad[i]) != $U_REFUSED;\n"
      "$?        failed += $n_payload_tick(&p, &o, wrong, still, 0.01) != $U_REFUSED;\n"
      "$?        failed += $n_payload_tick(&p, &o, s, wrong, 0.01) != $U_REFUSED;\n"
      "$?        failed += $n_payload_tick(&p, &o, s, still, bad[i]) != $U_REFUSED;\n"
      "      }\n"
      "      failed += $n_observe(&o, s, still, tau, 0.0) != $U_REFUSED;\n"
      "      failed += $n_stiction(f, wrong, still) != $U_REFUSED || f[0] != 0.0;\n"
      "      failed += $n_stiction(f, still, still) != 0 || f[0] != 0.0;\n"
      "      failed += test_differs(o.residual, want, $j);\n"
      "      o.residual[$j - 1] = NAN;\n"
      "      failed += $n_observe(&o, s, still, tau, 0.01) != $U_RESTARTED;\n"
      "      for (int i = 0; i < 1000; i++) (void)$n_observe(&o, s, still, tau, 0.01);\n"
      "      failed += test_differs(o.residual, want, $j);\n"
      "$?      p.z[3] = NAN;\n"
      "$?      failed += $n_payload_tick(&p, &o, s, still, 0.01) != $U_RESTARTED;\n"
      "$?      failed += $n_payload_tick(&p, &o, s, still, 0.01) < 0;\n"
      "    }\n");
}
