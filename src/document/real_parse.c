#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "document/document_internal.h"

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static const char *skip_digits(const char *s) {
  while (*s >= '0' && *s <= '9') s++;
  return s;
}

/* End of the decimal number at s; s itself if there is none. strtod alone accepts too much: leading
 * blanks, hexadecimal numbers, nan and inf. */
static const char *number_end(const char *s) {
  const char *whole = s + (*s == '+' || *s == '-');
  const char *end = skip_digits(whole);
  bool digits = end > whole;
  if (*end == '.') {
    const char *fraction = end + 1;
    end = skip_digits(fraction);
    digits = digits || end > fraction;
  }
  if (!digits) return s;
  if (*end == 'e' || *end == 'E') {
    const char *power = end + 1 + (end[1] == '+' || end[1] == '-');
    const char *behind = skip_digits(power);
    if (behind > power) end = behind;
  }
  return end;
}

bool rbv_real_scan(double *out, const char **text) {
  const char *end = number_end(*text);
  if (end == *text) return false;
  // strtod rounds correctly but depends on the locale: switch this thread to the C locale for the
  // call
  pthread_once(&c_locale_once, make_c_locale);
  const locale_t before = uselocale(c_locale);
  char *stop;
  const double value = strtod(*text, &stop);
  uselocale(before);
  // strtod reads further than number_end for hexadecimal numbers such as "0x1p3"
  if (stop != end || !isfinite(value)) return false;
  *out = value;
  *text = end;
  return true;
}

bool rbv_real_parse(double *out, const char *text) {
  double value;
  if (!out || !text || !rbv_real_scan(&value, &text) || *text) return false;
  *out = value;
  return true;
}

static const char *skip_blanks(const char *s) {
  while (*s == ' ') s++;
  return s;
}

/* [sign] [number *] pi [* number | / number], or number deg; blanks allowed around the operators */
bool rbv_angle_parse(double *out, const char *text) {
  if (rbv_real_parse(out, text)) return true;
  const char *s = text;
  double value = 1;
  if (rbv_real_scan(&value, &s)) {
    s = skip_blanks(s);
    if (strcmp(s, "deg") == 0) {
      *out = value * RBV_PI / 180;
      return isfinite(*out);
    }
    if (*s++ != '*') return false;
    s = skip_blanks(s);
  } else if (*s == '+' || *s == '-') {
    value = *s++ == '-' ? -1 : 1;
  }
  if (strncmp(s, "pi", 2) != 0) return false;
  value *= RBV_PI;
  s = skip_blanks(s + 2);
  if (*s) {
    const char sign = *s;
    double operand;
    s = skip_blanks(s + 1);
    if ((sign != '*' && sign != '/') || !rbv_real_scan(&operand, &s) || *s) return false;
    value = sign == '*' ? value * operand : value / operand;
  }
  if (!isfinite(value)) return false;
  *out = value;
  return true;
}
