/*
 * Decimal text to double and back, correctly rounded, free of the locale, fast.
 *
 * rbv_number_prepare computes the table of powers once; call it before the others, from any thread.
 */
#ifndef LOG_NUMBERS_H
#define LOG_NUMBERS_H

#include <stdbool.h>

#include <roberval/sys/base.h>

/* Bytes that must be readable after the character that ends a number. */
#define RBV_NUMBER_SLACK 8

/* Room for any formatted number with its closing 0. */
#define RBV_NUMBER_TEXT 32

rbv_status rbv_number_prepare(void);

/*
 * The decimal number at text: [+-] digits [point digits] [e [+-] digits], as long as it goes on.
 * Returns what follows it, NULL when no digit is there. Too large is infinity, too small is zero.
 *
 *   text  in  ends with a character that belongs to no number, RBV_NUMBER_SLACK readable behind it
 */
const char *rbv_number_parse(double *out, const char *text, char point);

/* Shortest of 15, 16 and 17 digits that reads back as x, closed with 0; returns its length. */
int rbv_number_format(char out[RBV_NUMBER_TEXT], double x);

/* One entry of the table, for the test: top 128 bits of 5^q, -342 <= q <= 308. */
void rbv_number_power(uint64_t *high, uint64_t *low, int q);

#endif
