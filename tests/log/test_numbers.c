#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "log/numbers.h"
#include "support.h"

#define SEED 20240611
#define STREAM 1

static uint64_t bits(double x) {
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static double from_bits(uint64_t b) {
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/* The text with the readable bytes that the parser needs after it. */
static double parsed(const char *text, size_t *used) {
  static char padded[8192];
  const size_t n = strlen(text);
  assert_true(n + RBV_NUMBER_SLACK < sizeof padded);
  memcpy(padded, text, n);
  memset(padded + n, 0, RBV_NUMBER_SLACK);
  double x = -1;
  const char *after = rbv_number_parse(&x, padded, '.');
  if (used) *used = after ? (size_t)(after - padded) : 0;
  return x;
}

/* Bit for bit the result of strtod (the test runs in the C locale). */
static void check(const char *text) {
  char *end;
  const double want = strtod(text, &end);
  size_t used;
  const double got = parsed(text, &used);
  if (bits(got) != bits(want) || used != (size_t)(end - text))
    fail_msg("%s: got %a after %zu characters, want %a after %zd", text, got, used, want,
             end - text);
}

static void test_by_hand(void **state) {
  (void)state;
  const char *const texts[] = {
      "0",
      "-0",
      "1",
      "-1",
      "+2.5",
      ".5",
      "5.",
      "0.1",
      "1e3",
      "1E+3",
      "1e-3",
      "-1.25e2",
      "9007199254740993",
      "9007199254740992.5",
      "1e22",
      "1e23",
      "8.5e22",
      "123456789012345678",
      "1234567890123456789",
      "12345678901234567890",
      "0.000000000000000000000000000001",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "1e309",
      "-1e400",
      "1e99999999999999999999",
      "1e-99999999999999999999",
      "0e99999999999",
      "2.2250738585072014e-308",
      "2.2250738585072011e-308",
      "4.9406564584124654e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "2e-324",
      "3e-324",
      "1e-323",
      "1e",
      "1e+",
      "1.5e-x",
      "1.2.3",
      "12abc",
      "0x10",
      "000000000000000000000000000001.5",
      "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000001"};
  for (int i = 0; i < (int)(sizeof texts / sizeof texts[0]); i++) {
    if (strcmp(texts[i], "0x10") == 0) {
      size_t used;
      assert_true(parsed("0x10", &used) == 0 && used == 1);  // no hexadecimal numbers
    } else {
      check(texts[i]);
    }
  }
  size_t used;
  const char *const none[] = {"", "-", "+", ".", "-.", "e5", ".e5", "nan", "inf", "abc", " 1"};
  for (int i = 0; i < (int)(sizeof none / sizeof none[0]); i++) {
    (void)parsed(none[i], &used);
    assert_int_equal(used, 0);
  }
}

static void test_decimal_comma(void **state) {
  (void)state;
  double x;
  const char text[32] = "-12,5e-1;";
  assert_ptr_equal(rbv_number_parse(&x, text, ','), text + 8);
  assert_true(x == -1.25);
  // more digits than 64 bits hold
  const char more[64] = "0,33333333333333333333333333333;";
  assert_non_null(rbv_number_parse(&x, more, ','));
  assert_true(x == 1.0 / 3);
}

/* Numbers in usual and in unusual notations. */
static void test_random_shapes_equal_strtod(void **state) {
  (void)state;
  char text[128];
  for (uint64_t i = 0; i < 3000000; i++) {
    const uint64_t r = rbv_random_bits(SEED, STREAM, 2 * i);
    const uint64_t s = rbv_random_bits(SEED, STREAM, 2 * i + 1);
    const double near = ((double)(int64_t)s) * 0x1p-60;
    switch (r % 10) {
      case 0: snprintf(text, sizeof text, "%.6f", near); break;
      case 1: snprintf(text, sizeof text, "%.9g", near); break;
      case 2: snprintf(text, sizeof text, "%.17g", near); break;
      case 3: snprintf(text, sizeof text, "%.*e", (int)(r / 16 % 25), near); break;
      case 4: snprintf(text, sizeof text, "%" PRIu64 "e%d", s, (int)(r / 16 % 700) - 350); break;
      case 5:  // any double, subnormals included
        snprintf(text, sizeof text, "%.17g", from_bits(s & ~((uint64_t)1 << 62)));
        break;
      case 6: snprintf(text, sizeof text, "%.*g", (int)(r / 16 % 21) + 1, from_bits(s)); break;
      case 7:  // subnormal
        snprintf(text, sizeof text, "%.*g", (int)(r / 16 % 30) + 1, from_bits(s >> 12));
        break;
      case 8:
        snprintf(text, sizeof text, "0.000%" PRIu64 "%" PRIu64 "e%d", s, r,
                 (int)(r / 16 % 640) - 320);
        break;
      default: snprintf(text, sizeof text, "%" PRId64, (int64_t)s >> (r / 16 % 64)); break;
    }
    if (text[0] == 'n' || text[0] == 'i' || text[1] == 'n' || text[1] == 'i') continue;
    check(text);
  }
}

/* The exact midpoint of two neighbouring doubles, and the numbers one digit above and below. */
static void test_midpoints_equal_strtod(void **state) {
  (void)state;
  char text[2048];
  for (uint64_t i = 0; i < 20000; i++) {
    // a midpoint has one bit more than a double: written exactly by its long double
    const double x = fabs(from_bits(rbv_random_bits(SEED, 2, i)));
    if (!isfinite(x) || !isfinite(nextafter(x, INFINITY))) continue;
    const long double middle = ((long double)x + (long double)nextafter(x, INFINITY)) / 2;
    const int n = snprintf(text, sizeof text - 8, "%.800Lg", middle);
    check(text);
    // above and below by less than any digit of it
    char *e = strchr(text, 'e');
    char tail[16] = "";
    if (e) strcpy(tail, e);
    char *end = e ? e : text + n;
    if (!strchr(text, '.')) *end++ = '.';
    strcpy(end, "0001");
    strcat(end, tail);
    check(text);
    // small exponents have no decimal point: change the last digit
    if (end[-1] >= '1' && end[-1] <= '9') {
      end[-1]--;
      strcpy(end, "9999");
      strcat(end, tail);
      check(text);
    }
  }
}

static void test_very_long_numbers(void **state) {
  (void)state;
  static char text[4000];
  for (int zeros = 0; zeros < 2000; zeros += 97) {
    memset(text, 0, sizeof text);
    strcpy(text, "0.");
    memset(text + 2, '0', (size_t)zeros);
    memset(text + 2 + zeros, '7', 1500);
    sprintf(text + 2 + zeros + 1500, "e%d", zeros - 3);
    check(text);
    memset(text, '9', 1900);
    sprintf(text + 1900, "e-%d", 1880 + zeros % 50);
    check(text);
  }
  // 2^53 + 1 is a midpoint; a digit after the 800th decides the rounding
  strcpy(text, "9007199254740993.");
  memset(text + 17, '0', 1000);
  strcpy(text + 1017, "1");
  check(text);
}

/* Known entries: Lemire's tables (fast_double_parser), first, middle and last row. */
static void test_powers(void **state) {
  (void)state;
  static const struct {
    int q;
    uint64_t high, low;
  } known[] = {{-342, 0xeef453d6923bd65a, 0x113faa2906a13b3f},
               {-1, 0xcccccccccccccccc, 0xcccccccccccccccd},
               {0, 0x8000000000000000, 0},
               {1, 0xa000000000000000, 0},
               {308, 0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648}};
  for (int i = 0; i < (int)(sizeof known / sizeof known[0]); i++) {
    uint64_t high, low;
    rbv_number_power(&high, &low, known[i].q);
    assert_true(high == known[i].high && low == known[i].low);
  }
}

static void check_format(double x) {
  char text[RBV_NUMBER_TEXT + RBV_NUMBER_SLACK] = "";
  const int n = rbv_number_format(text, x);
  assert_int_equal(n, strlen(text));
  if (bits(strtod(text, NULL)) != bits(x)) fail_msg("%a is written as %s", x, text);
  // never more digits than 17
  int digits = 0;
  for (const char *c = text; *c && *c != 'e'; c++) digits += *c >= '0' && *c <= '9';
  assert_in_range(digits, 1, 17 + 5);
}

static void test_format_by_hand(void **state) {
  (void)state;
  static const struct {
    double x;
    const char *text;
  } known[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {-1.5, "-1.5"},
               {0.1, "0.1"},
               {1e-4, "0.0001"},
               {1e-5, "1e-05"},
               {123456, "123456"},
               {1e14, "100000000000000"},
               {1e15, "1e+15"},
               {1e22, "1e+22"},
               {1e23, "1e+23"},
               {2.0 / 3, "0.6666666666666666"},
               {INFINITY, "inf"},
               {-INFINITY, "-inf"},
               {NAN, "nan"},
               {DBL_MAX, "1.7976931348623157e+308"},
               {0.3, "0.3"},
               {9.9999999999999995e22, "1e+23"},
               {0.0002, "0.0002"}};
  for (int i = 0; i < (int)(sizeof known / sizeof known[0]); i++) {
    char text[RBV_NUMBER_TEXT];
    assert_int_equal(rbv_number_format(text, known[i].x), strlen(known[i].text));
    assert_string_equal(text, known[i].text);
  }
}

static void test_format_reads_back(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 500000; i++) {
    const uint64_t r = rbv_random_bits(SEED, 3, i);
    const double any = from_bits(r);
    if (isfinite(any)) check_format(any);
    check_format((double)(int64_t)r * 0x1p-61);
    check_format((double)(r % 1000000) / 1000);
    check_format(from_bits(r >> 12));
  }
  for (int e = -1074; e < 1024; e++) {
    check_format(ldexp(1, e));
    check_format(nextafter(ldexp(1, e), 0));
  }
}

static int prepare(void **state) {
  (void)state;
  return rbv_number_prepare() == RBV_OK ? 0 : 1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_decimal_comma),
      cmocka_unit_test(test_random_shapes_equal_strtod),
      cmocka_unit_test(test_midpoints_equal_strtod),
      cmocka_unit_test(test_very_long_numbers),
      cmocka_unit_test(test_powers),
      cmocka_unit_test(test_format_by_hand),
      cmocka_unit_test(test_format_reads_back),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
