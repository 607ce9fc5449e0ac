/*
 * The part of the C code that is the same for all robots: Cholesky, forward dynamics, momentum
 * observer, wrench at the tool, checksum of the table; and the single-precision form of the code.
 * Loops have fixed bounds, nothing allocates, nothing recurses.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "export/export_control.h"
#include "export/graph.h"

/* Text in which $n is the prefix, $U the prefix in capitals, $j the number of joints. */
static void put(rbv_text *t, const control_code *c, const char *text) {
  for (const char *s = text; *s; s++) {
    if (*s != '$') {
      rbv_text_add(t, s, 1);
      continue;
    }
    s++;
    if (*s == 'n') rbv_text_put(t, c->name);
    if (*s == 'U') rbv_text_put(t, c->upper);
    if (*s == 'j') rbv_text_print(t, "%d", c->njoint);
  }
}

/* ---- solving ---- */

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
    "        if (!(sum > 0.0)) return 0;\n"
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
    "matrix "
    "is\n * not positive definite. */\n"
    "int $n_mass_cholesky(double L[$j * $j], const double q[$j]);\n\n"
    "/* Acceleration of a torque. 0: the mass matrix is not positive definite; ddq is not set. */\n"
    "int $n_forward_dynamics(double ddq[$j], const double q[$j], const double dq[$j],\n"
    "                        const double tau[$j]);\n\n";

static const char forward[] =
    "int $n_mass_cholesky(double L[$j * $j], const double q[$j]) {\n"
    "  $n_mass_matrix(L, q);\n"
    "  const int good = $n_factor(L, $j);\n"
    "  for (int j = 1; j < $j; j++)\n"
    "    for (int i = 0; i < j; i++) L[i + $j * j] = 0.0;\n"
    "  return good;\n"
    "}\n\n"
    "int $n_forward_dynamics(double ddq[$j], const double q[$j], const double dq[$j],\n"
    "                        const double tau[$j]) {\n"
    "  double M[$j * $j], bias[$j];\n"
    "  const double still[$j] = {0.0};\n"
    "  $n_mass_matrix(M, q);\n"
    "  if (!$n_factor(M, $j)) return 0;\n"
    "  $n_inverse_dynamics(bias, q, dq, still);\n"
    "  for (int i = 0; i < $j; i++) ddq[i] = tau[i] - bias[i];\n"
    "  $n_substitute(ddq, M, $j);\n"
    "  return 1;\n"
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
    " * Set gain and limit, and started to 0; then call $n_observe in every cycle.\n"
    " */\n"
    "typedef struct {\n"
    "  double gain[$j], limit[$j];\n"
    "  double residual[$j]; /* torque from outside [N m or N] */\n"
    "  double momentum[$j], rate[$j];\n"
    "  int started;\n"
    "} $n_observer;\n\n"
    "/* Set the default gain and limits. */\n"
    "void $n_observer_start($n_observer *o);\n\n"
    "/*\n"
    " * One cycle of dt seconds. q, dq: measured, tau: torque of the drives as they were commanded "
    "or\n"
    " * measured. Returns the joint with a contact, the worst one; -1: none.\n"
    " */\n"
    "int $n_observe($n_observer *o, const double q[$j], const double dq[$j], const double "
    "tau[$j],\n"
    "               double dt);\n\n"
    "/* Force and torque at the tool, in base axes, that cause this residual. 0: singular pose, or "
    "fewer\n * than six joints; the wrench is not set. */\n"
    "int $n_tool_wrench(double wrench[6], const double q[$j], const double residual[$j]);\n\n";

static const char observer[] =
    "void $n_observer_start($n_observer *o) {\n"
    "  static const double limit[$j] = $U_LIMIT;\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    o->gain[i] = $U_GAIN;\n"
    "    o->limit[i] = limit[i];\n"
    "    o->residual[i] = 0.0;\n"
    "  }\n"
    "  o->started = 0;\n"
    "}\n\n"
    "int $n_observe($n_observer *o, const double q[$j], const double dq[$j], const double "
    "tau[$j],\n"
    "               double dt) {\n"
    "  double m[2 * $j], f[$j], worst = 1.0;\n"
    "  int contact = -1;\n"
    "  $n_momentum(m, q, dq);\n"
    "  $n_friction(f, dq);\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    const double rate = tau[i] - f[i] + m[$j + i];\n"
    "    const double before = o->started ? o->rate[i] : rate;\n"
    "    const double last = o->started ? o->momentum[i] : m[i];\n"
    "    /* momentum that nothing explains, over the cycle */\n"
    "    const double push = (m[i] - last) / dt - 0.5 * (rate + before);\n"
    "    const double step = o->gain[i] * dt / (1.0 + o->gain[i] * dt);\n"
    "    o->residual[i] += step * (push - o->residual[i]);\n"
    "    o->momentum[i] = m[i];\n"
    "    o->rate[i] = rate;\n"
    "    const double ratio = fabs(o->residual[i]) / o->limit[i];\n"
    "    if (ratio > worst) {\n"
    "      worst = ratio;\n"
    "      contact = i;\n"
    "    }\n"
    "  }\n"
    "  o->started = 1;\n"
    "  return contact;\n"
    "}\n\n"
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
  if (!c->mass) return;
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
}

void rbv_control_write(rbv_text *source, const control_code *c) {
  put(source, c, checksum_code);
  if (!c->mass) return;
  put(source, c, cholesky);
  put(source, c, forward);
  rbv_text_print(source, "#define %s_SINGULAR %s /* of the Jacobian */\n\n", c->upper, "1e-4");
  put(source, c, observer);
}

/* forward dynamics undoes inverse dynamics; the observer finds a torque; the table is intact */
void rbv_control_test(rbv_text *source, const control_code *c) {
  put(source, c, "    if ($n_table_crc() != $U_TABLE_CRC) failed++;\n");
  if (!c->mass) return;
  put(source, c,
      "    {\n"
      "      double tau[$j], ddq[$j], back[$j];\n"
      "      $n_inverse_dynamics(tau, s, s + $j, s + 2 * $j);\n"
      "      if ($n_forward_dynamics(ddq, s, s + $j, tau)) {\n"
      "        $n_inverse_dynamics(back, s, s + $j, ddq);\n"
      "        failed += test_differs(back, tau, $j);\n"
      "      }\n"
      "    }\n"
      "    {\n"
      "      /* at rest, with gravity and 1 N m from outside on the first joint */\n"
      "      $n_observer o;\n"
      "      double tau[$j], f[$j], want[$j] = {1.0};\n"
      "      const double still[$j] = {0.0};\n"
      "      $n_gravity(tau, s);\n"
      "      $n_friction(f, still);\n"
      "      for (int i = 0; i < $j; i++) tau[i] += f[i];\n"
      "      tau[0] -= 1.0;\n"
      "      $n_observer_start(&o);\n"
      "      for (int i = 0; i < 1000; i++) (void)$n_observe(&o, s, still, tau, 0.01);\n"
      "      failed += test_differs(o.residual, want, $j);\n"
      "    }\n");
}

/* ---- sine and cosine ---- */

/*
 * Without branches, so that every call takes the same time: x = k pi/2 + r (Cody and Waite 1980)
 * and Taylor's series, whose first neglected terms are below 1e-16 (1e-9 in single precision).
 */
static const char turn_head[] =
    "/* sine of x + quarter * pi / 2, in the same time for every x below 1e6 */\n"
    "static double $n_turn(double x, unsigned quarter) {\n"
    "  const double y = x * 0.63661977236758134308;\n"
    "  const int k = (int)(y + (y < 0.0 ? -0.5 : 0.5));\n";
static const char turn_double[] =
    "  const double r = ((x - (double)k * 1.57079632673412561417) -\n"
    "                    (double)k * 6.07710050630396597660e-11) -\n"
    "                   (double)k * 2.02226624879595063154e-21;\n"
    "  const double z = r * r;\n"
    "  const double s = r + r * z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (\n"
    "      1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0 -\n"
    "      z / 1307674368000.0))))));\n"
    "  const double c = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 "
    "+\n"
    "      z * (-1.0 / 3628800.0 + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 +\n"
    "      z / 20922789888000.0)))))));\n";
static const char turn_single[] =
    "  const double r = ((x - (double)k * 1.5703125) - (double)k * 4.8351287841796875e-4) -\n"
    "                   (double)k * 3.1385570764541626e-7;\n"
    "  const double z = r * r;\n"
    "  const double s = r + r * z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 +\n"
    "      z / 362880.0)));\n"
    "  const double c = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z / 40320.0)));\n";
static const char turn_end[] =
    "  const unsigned at = (unsigned)k + quarter;\n"
    "  const double v = (at & 1u) ? c : s;\n"
    "  return (at & 2u) ? -v : v;\n"
    "}\n"
    "#define $n_sin(x) $n_turn((x), 0u)\n"
    "#define $n_cos(x) $n_turn((x), 1u)\n\n";

/* ---- words of the code ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* functions of libm that the code calls */
static const char *const maths[] = {"sin",  "cos",  "tan",  "asin",  "acos", "atan", "atan2",
                                    "sqrt", "fabs", "exp",  "log",   "tanh", "pow",  "fmin",
                                    "fmax", "sinh", "cosh", "floor", "cbrt", "hypot"};

static bool same_word(const char *word, size_t n, const char *other) {
  return strlen(other) == n && strncmp(word, other, n) == 0;
}

/* a word of single-precision code */
static void put_single(rbv_text *out, const char *word, size_t n, const control_code *c) {
  (void)c;
  if (same_word(word, n, "double")) {
    rbv_text_put(out, "float");
    return;
  }
  rbv_text_add(out, word, n);
  for (int i = 0; i < RBV_COUNT(maths); i++)
    if (same_word(word, n, maths[i])) rbv_text_put(out, "f");
}

/* sine and cosine become those of the code */
static void put_own(rbv_text *out, const char *word, size_t n, const control_code *c) {
  if (same_word(word, n, "sin") || same_word(word, n, "cos")) rbv_text_print(out, "%s_", c->name);
  rbv_text_add(out, word, n);
}

/* the length of a floating number at s; 0: there is none */
static size_t number_length(const char *s) {
  size_t n = 0;
  bool real = false;
  while (isdigit((unsigned char)s[n])) n++;
  if (n == 0) return 0;
  if (s[n] == '.') {
    real = true;
    for (n++; isdigit((unsigned char)s[n]); n++) continue;
  }
  if ((s[n] == 'e' || s[n] == 'E') &&
      (isdigit((unsigned char)s[n + 1]) ||
       ((s[n + 1] == '-' || s[n + 1] == '+') && isdigit((unsigned char)s[n + 2])))) {
    real = true;
    for (n += 2; isdigit((unsigned char)s[n]); n++) continue;
  }
  return real ? n : 0;
}

/* skip a comment or a string: its length; 0: there is none */
static size_t quoted_length(const char *s) {
  if (s[0] == '/' && s[1] == '*') {
    const char *end = strstr(s + 2, "*/");
    return end ? (size_t)(end - s) + 2 : strlen(s);
  }
  if (s[0] != '"') return 0;
  size_t n = 1;
  while (s[n] && s[n] != '"') n += s[n] == '\\' ? 2 : 1;
  return n + 1;
}

/* copy the text; words by `put_word`, numbers with an f if they are single */
static rbv_status change_words(rbv_text *text, const control_code *c,
                               void (*put_word)(rbv_text *, const char *, size_t,
                                                const control_code *),
                               bool single) {
  rbv_text out = {0};
  for (const char *s = rbv_text_string(text); s && *s;) {
    size_t n = quoted_length(s);
    if (n > 0) {
      rbv_text_add(&out, s, n);
    } else if (isalpha((unsigned char)*s) || *s == '_') {
      while (is_word(s[n])) n++;
      put_word(&out, s, n, c);
    } else if ((n = number_length(s)) > 0) {
      rbv_text_add(&out, s, n);
      if (single) rbv_text_put(&out, "f");
    } else if (isdigit((unsigned char)*s)) {
      while (is_word(s[n])) n++;
      rbv_text_add(&out, s, n);
    } else {
      n = 1;
      rbv_text_add(&out, s, 1);
    }
    s += n;
  }
  if (out.failed || text->failed) {
    rbv_text_free(&out);
    return RBV_EMEM;
  }
  rbv_text_free(text);
  *text = out;
  return RBV_OK;
}

rbv_status rbv_control_single(rbv_text *text) { return change_words(text, NULL, put_single, true); }

rbv_status rbv_control_own(rbv_text *text, size_t before, const control_code *c) {
  if (text->failed) return RBV_EMEM;
  rbv_text head = {0}, rest = {0};
  rbv_text_add(&head, text->data, before);
  rbv_text_put(&rest, text->data + before);
  const size_t size = rest.size;
  rbv_status status = change_words(&rest, c, put_own, false);
  if (status == RBV_OK && rest.size > size) {
    put(&head, c, turn_head);
    put(&head, c, c->single ? turn_single : turn_double);
    put(&head, c, turn_end);
  }
  if (status == RBV_OK) rbv_text_add(&head, rest.data, rest.size);
  if (status == RBV_OK && head.failed) status = RBV_EMEM;
  rbv_text_free(&rest);
  if (status != RBV_OK) {
    rbv_text_free(&head);
    return status;
  }
  rbv_text_free(text);
  *text = head;
  return RBV_OK;
}
