/* Words of generated C code: its own sine and cosine, and its single-precision form. */
#include <ctype.h>
#include <string.h>

#include "export/export_control.h"

/* ---- sine and cosine ---- */

/*
 * Without branches, so that every call takes the same time: x = k pi/2 + r (Cody and Waite 1980)
 * and Taylor's series, whose first neglected terms are below 1e-16 (1e-9 in single precision).
 */
static const char series_head[] =
    "/* sine and cosine of x - k pi / 2, where k is returned; in the same time for every x up to "
    "1e6,\n * NaN beyond */\n"
    "static inline unsigned $n_series(double *sine, double *cosine, double x) {\n"
    "  const double y = fabs(x) <= 1e6 ? x * 0.63661977236758134308 : 0.0;\n"
    "  const int k = (int)(y + (y < 0.0 ? -0.5 : 0.5));\n";
static const char series_double[] =
    "  const double r = ((x - (double)k * 1.57079632673412561417) -\n"
    "                    (double)k * 6.07710050630396597660e-11) -\n"
    "                   (double)k * 2.02226624879595063154e-21;\n"
    "  const double z = r * r + (fabs(x) <= 1e6 ? 0.0 : NAN);\n"
    "  *sine = r + r * z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (\n"
    "      1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0 -\n"
    "      z / 1307674368000.0))))));\n"
    "  *cosine = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 +\n"
    "      z * (-1.0 / 3628800.0 + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 +\n"
    "      z / 20922789888000.0)))))));\n";
static const char series_single[] =
    "  const double r = ((x - (double)k * 1.5703125) - (double)k * 4.8351287841796875e-4) -\n"
    "                   (double)k * 3.1385570764541626e-7;\n"
    "  const double z = r * r + (fabs(x) <= 1e6 ? 0.0 : NAN);\n"
    "  *sine = r + r * z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 +\n"
    "      z / 362880.0)));\n"
    "  *cosine = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z / 40320.0)));\n";
static const char series_end[] =
    "  return (unsigned)k;\n"
    "}\n\n";
static const char turn[] =
    "/* sine of x + quarter * pi / 2 */\n"
    "static double $n_turn(double x, unsigned quarter) {\n"
    "  double s, c;\n"
    "  const unsigned at = $n_series(&s, &c, x) + quarter;\n"
    "  const double v = (at & 1u) ? c : s;\n"
    "  return (at & 2u) ? -v : v;\n"
    "}\n"
    "#define $n_sin(x) $n_turn((x), 0u)\n"
    "#define $n_cos(x) $n_turn((x), 1u)\n\n";
static const char angles[] =
    "void $n_angles(double sine[$j], double cosine[$j], const double q[$j]) {\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    double s, c;\n"
    "    const unsigned at = $n_series(&s, &c, q[i]);\n"
    "    const double u = (at & 1u) ? c : s, v = (at & 1u) ? s : c;\n"
    "    sine[i] = (at & 2u) ? -u : u;\n"
    "    cosine[i] = ((at + 1u) & 2u) ? -v : v;\n"
    "  }\n"
    "}\n\n";

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
  const bool used = rest.size > size;
  if (status == RBV_OK && (used || c->mass)) {
    rbv_control_put(&head, c, series_head);
    rbv_control_put(&head, c, c->single ? series_single : series_double);
    rbv_control_put(&head, c, series_end);
    if (used) rbv_control_put(&head, c, turn);
    if (c->mass) rbv_control_put(&head, c, angles);
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
