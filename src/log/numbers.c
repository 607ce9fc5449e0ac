// strtod_l
#define _GNU_SOURCE

#include "log/numbers.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

#define SMALLEST_POWER (-342)  // 10^q times any 64-bit number is below half the least double
#define LARGEST_POWER 308      // 10^(q+1) is infinite
#define POWER_COUNT (LARGEST_POWER - SMALLEST_POWER + 1)
#define EXACT_DIGITS 19      // these always fit into 64 bits
#define DECISIVE_DIGITS 800  // no double and no midpoint of two has more than 768

__extension__ typedef unsigned __int128 wide;

typedef struct {
  uint64_t high, low;
} power;

static power powers[POWER_COUNT];
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const double exact_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- the table: top 128 bits of 5^q ---- */

#define LIMBS 16  // 1024 bits: 5^308 has 716, and 2^1023 / 5^342 still has 229

/* The top 128 bits, truncated. */
static power leading_bits(const uint64_t x[LIMBS]) {
  int top = LIMBS - 1;
  while (x[top] == 0) top--;
  const int shift = __builtin_clzll(x[top]);
  uint64_t part[3] = {x[top], top > 0 ? x[top - 1] : 0, top > 1 ? x[top - 2] : 0};
  if (shift == 0) return (power){part[0], part[1]};
  return (power){part[0] << shift | part[1] >> (64 - shift),
                 part[1] << shift | part[2] >> (64 - shift)};
}

static void fill_powers(void) {
  // 5^q, exact
  uint64_t x[LIMBS] = {1};
  for (int q = 0; q <= LARGEST_POWER; q++) {
    powers[q - SMALLEST_POWER] = leading_bits(x);
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
      const wide product = (wide)x[i] * 5 + carry;
      x[i] = (uint64_t)product;
      carry = (uint64_t)(product >> 64);
    }
  }

  // floor(2^1023 / 5^n): dividing the floor by 5 again loses nothing
  memset(x, 0, sizeof x);
  x[LIMBS - 1] = (uint64_t)1 << 63;
  for (int q = -1; q >= SMALLEST_POWER; q--) {
    uint64_t rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
      const wide part = (wide)rest << 64 | x[i];
      x[i] = (uint64_t)(part / 5);
      rest = (uint64_t)(part % 5);
    }
    power p = leading_bits(x);
    // where 5^n fits into 64 bits, the reciprocal is rounded up (Lemire 2021, section 5)
    if (q >= -27 && ++p.low == 0) p.high++;
    powers[q - SMALLEST_POWER] = p;
  }
}

static void prepare(void) {
  fill_powers();
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

rbv_status rbv_number_prepare(void) {
  pthread_once(&once, prepare);
  return c_locale ? RBV_OK : rbv_fail(RBV_EMEM, "out of memory: no C locale");
}

void rbv_number_power(uint64_t *high, uint64_t *low, int q) {
  *high = powers[q - SMALLEST_POWER].high;
  *low = powers[q - SMALLEST_POWER].low;
}

/* ---- decimal to binary ---- */

/* floor(log2(10^q)), right for |q| <= 350 */
static int log2_of_ten(int q) { return (217706 * q) >> 16; }

static double assemble(uint64_t fraction, int exponent) {
  const uint64_t bits = fraction | (uint64_t)exponent << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/*
 * w * 10^q, correctly rounded (Lemire, Number parsing at a gigabyte per second, 2021, algorithm 1):
 * w times 128 bits of 5^q decides the rounding but for a few cases. false: this is one of them.
 */
static bool scale(double *out, uint64_t w, int64_t q) {
  if (w == 0 || q < SMALLEST_POWER) return *out = 0, true;
  if (q > LARGEST_POWER) return *out = INFINITY, true;

  // product of the normalised number and the power; the second half only when the first may round
  const int zeros = __builtin_clzll(w);
  w <<= zeros;
  const power p = powers[q - SMALLEST_POWER];
  wide product = (wide)w * p.high;
  if (((uint64_t)(product >> 64) & 0x1FF) == 0x1FF) product += (wide)w * p.low >> 64;
  const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
  if (low == UINT64_MAX && !(q >= -27 && q <= 55)) return false;

  // 54 bits: the 53 of a double and one to round by
  const int upper = (int)(high >> 63);
  uint64_t m = high >> (upper + 9);
  int exponent = log2_of_ten((int)q) + 63 + upper - zeros + 1023;

  // subnormal
  if (exponent <= 0) {
    if (1 - exponent >= 64) return *out = 0, true;
    m >>= 1 - exponent;
    m = (m + (m & 1)) >> 1;
    *out = assemble(m, 0);  // a carry into bit 52 makes it the least normal number
    return true;
  }

  // exactly halfway: to even
  if (low <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 && m << (upper + 9) == high) m &= ~(uint64_t)1;
  m = (m + (m & 1)) >> 1;
  if (m >> 53) {
    m >>= 1;
    exponent++;
  }
  *out = exponent >= 0x7FF ? INFINITY : assemble(m & ~((uint64_t)1 << 52), exponent);
  return true;
}

/* The same. If number and power of ten are both exact, one operation is correctly rounded. */
static inline bool scale_quick(double *out, uint64_t w, int64_t q) {
  if (w <= (uint64_t)1 << 53 && q >= -22 && q <= 22) {
    *out = q < 0 ? (double)w / exact_ten[-q] : (double)w * exact_ten[q];
    return true;
  }
  return scale(out, w, q);
}

static inline bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Read up to eight digits at p, and count them, without a loop and its branch mispredictions. */
static inline int some_digits(uint64_t *out, const char *p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  v ^= 0x3030303030303030;
  // set the highest bit of every byte that is not a digit; 0x7F prevents a carry into the next byte
  const uint64_t other = (((v & 0x7F7F7F7F7F7F7F7F) + 0x7676767676767676) | v) & 0x8080808080808080;
  const int n = other ? __builtin_ctzll(other) >> 3 : 8;
  // pad with leading zeros to eight digits; then combine pairs, fours and eights by multiplication
  v = n > 0 ? v << (64 - 8 * n) : 0;
  v = v * 10 + (v >> 8);
  *out = ((v & 0x000000FF000000FF) * 0x000F424000000064 +
          (v >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >>
         32;
  return n;
}
#else
static inline int some_digits(uint64_t *out, const char *p) {
  int n = 0;
  for (*out = 0; n < 8 && is_digit(p[n]); n++) *out = 10 * *out + (uint64_t)(p[n] - '0');
  return n;
}
#endif

/* Append the digits at p to w. Returns the place after them. */
static inline const char *append_digits(uint64_t *w, const char *p) {
  static const uint64_t ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  uint64_t part;
  int n;
  do {
    n = some_digits(&part, p);
    *w = *w * ten[n] + part;
    p += n;
  } while (n == 8);
  return p;
}

/* Numbers with more digits than fit into 64 bits, and those that 128 bits of a power do not decide.
 */
static double parse_long(const char *p, char point, int64_t exponent) {
  // digits without leading zeros; exponent is that of the last digit before the point
  char text[DECISIVE_DIGITS + 32];
  int n = 0;
  uint64_t w = 0;
  bool after_point = false, cut = false, nonzero_cut = false;
  for (; is_digit(*p) || (*p == point && !after_point); p++) {
    if (*p == point) {
      after_point = true;
      continue;
    }
    if (n == 0 && *p == '0') {
      exponent -= after_point;
    } else if (n < DECISIVE_DIGITS) {
      if (n < EXACT_DIGITS) w = 10 * w + (uint64_t)(*p - '0');
      text[n++] = *p;
      exponent -= after_point;
    } else {
      cut = true;
      nonzero_cut |= *p != '0';
      exponent += !after_point;
    }
  }

  // nineteen digits often decide: the number lies between them and the next nineteen digits
  double low, up;
  const int64_t rest = n > EXACT_DIGITS ? n - EXACT_DIGITS : 0;
  if (scale(&low, w, exponent + rest) &&
      (rest == 0 || (scale(&up, w + 1, exponent + rest) && low == up)))
    return low;

  // the remaining cases; one digit represents all digits that were cut off
  if (cut && nonzero_cut) {
    text[n++] = '1';
    exponent--;
  }
  if (exponent > 100000) exponent = 100000;
  if (exponent < -100000) exponent = -100000;
  snprintf(text + n, sizeof text - (size_t)n, "e%d", (int)exponent);
  return strtod_l(text, NULL, c_locale);
}

const char *rbv_number_parse(double *out, const char *p, char point) {
  // sign
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;

  // digits before and after the point
  const char *const digits = p;
  uint64_t w = 0;
  while (is_digit(*p)) w = 10 * w + (uint64_t)(*p++ - '0');
  ptrdiff_t count = p - digits;
  int64_t q = 0;
  if (*p == point) {
    const char *const fraction = ++p;
    p = append_digits(&w, p);
    q = fraction - p;
    count -= q;
  }
  if (count == 0) return NULL;

  // exponent, if digits follow the e; beyond a billion they have no effect
  int64_t e = 0;
  if (*p == 'e' || *p == 'E') {
    const char *s = p + 1;
    const bool minus = *s == '-';
    if (*s == '-' || *s == '+') s++;
    if (is_digit(*s)) {
      for (; is_digit(*s); s++)
        if (e < 1000000000) e = 10 * e + (*s - '0');
      if (minus) e = -e;
      p = s;
    }
  }

  double x;
  if (count > EXACT_DIGITS || !scale_quick(&x, w, q + e)) x = parse_long(digits, point, e);
  *out = negative ? -x : x;
  return p;
}

/* ---- binary to decimal ---- */

/*
 * x > 0 as d * 10^(k-16) with seventeen digits, correctly rounded. false: too close to halfway for
 * 128 bits of the power, or outside the table.
 */
static bool seventeen_digits(uint64_t *digits, int *decade, double x) {
  // x = w * 2^e with the highest bit of w set
  int e;
  uint64_t w = (uint64_t)(frexp(x, &e) * 0x1p53) << 11;
  e -= 64;

  // the decade from the exponent, one too low at most
  int k = (int)floor((e + 63) * 0.30102999566398114);
  for (;; k++) {
    const int q = 16 - k;
    if (q < SMALLEST_POWER || q > LARGEST_POWER) return false;
    const power p = powers[q - SMALLEST_POWER];

    // x * 10^q = (top:low) / 2^shift; top and low are 64 and 128 bits of the product
    const wide first = (wide)w * p.high, second = (wide)w * p.low;
    const wide product = first + (second >> 64);
    const int shift = -(e + log2_of_ten(q) - 127) - 64;
    if (shift < 65 || shift > 127) return false;
    uint64_t d = (uint64_t)(product >> shift);
    if (d >= 100000000000000000) continue;

    // the power is exact to one unit in its last place, the product to two
    const wide half = (wide)1 << (shift - 1), rest = product & (((wide)1 << shift) - 1);
    if (rest + 4 >= half && rest <= half + 4) return false;
    d += rest > half;
    if (d == 100000000000000000) {
      d /= 10;
      k++;
    }
    *digits = d;
    *decade = k;
    return d >= 10000000000000000;
  }
}

/* d with n digits, times 10^(k-n+1), as %g prints it with 15 digits */
static int print(char *out, uint64_t d, int n, int k) {
  char text[20];
  while (n > 1 && d % 10 == 0) {
    d /= 10;
    n--;
  }
  for (int i = n - 1; i >= 0; i--, d /= 10) text[i] = (char)('0' + d % 10);

  char *p = out;
  if (k >= 0 && k < 15) {
    // digits, zeros up to the point, the rest
    for (int i = 0; i <= k; i++) *p++ = i < n ? text[i] : '0';
    if (n > k + 1) {
      *p++ = '.';
      for (int i = k + 1; i < n; i++) *p++ = text[i];
    }
  } else if (k < 0 && k >= -4) {
    *p++ = '0';
    *p++ = '.';
    for (int i = -1; i > k; i--) *p++ = '0';
    for (int i = 0; i < n; i++) *p++ = text[i];
  } else {
    *p++ = text[0];
    if (n > 1) *p++ = '.';
    for (int i = 1; i < n; i++) *p++ = text[i];
    *p++ = 'e';
    *p++ = k < 0 ? '-' : '+';
    const int size = k < 0 ? -k : k;
    if (size >= 100) *p++ = (char)('0' + size / 100);
    *p++ = (char)('0' + size / 10 % 10);
    *p++ = (char)('0' + size % 10);
  }
  *p = 0;
  return (int)(p - out);
}

int rbv_number_format(char out[RBV_NUMBER_TEXT], double x) {
  if (x != x) return memcpy(out, "nan", 4), 3;
  const int sign = signbit(x) != 0;
  if (sign) *out++ = '-';
  x = fabs(x);
  if (x > 1.7976931348623157e308) return memcpy(out, "inf", 4), sign + 3;
  if (x == 0) return memcpy(out, "0", 2), sign + 1;

  uint64_t d;
  int k;
  if (!seventeen_digits(&d, &k, x)) {
    rbv_format_double(out, x);
    return sign + (int)strlen(out);
  }

  // use fewer digits if they read back
  for (int n = 15; n < 17; n++) {
    const uint64_t unit = n == 15 ? 100 : 10;
    const uint64_t shorter = (d + unit / 2) / unit;
    double back;
    if (scale_quick(&back, shorter, k - n + 1) && back == x) {
      // 9.99... may have become 10.0
      const bool carried = shorter == (n == 15 ? 1000000000000000u : 10000000000000000u);
      return sign + print(out, carried ? shorter / 10 : shorter, n, k + carried);
    }
  }
  return sign + print(out, d, 17, k);
}
