/*
 * Fast conversion between decimal text and double, correctly rounded and independent of the locale.
 *
 * rbv_number_prepare computes the table of powers once; call it before the others, from any thread.
 */
#ifndef LOG_NUMBERS_H
#define LOG_NUMBERS_H

#include <roberval/sys/base.h>

/* Bytes that must be readable after the character that ends a number. */
#define RBV_NUMBER_SLACK 8

/* Bytes for any formatted number with its closing 0. */
#define RBV_NUMBER_TEXT 32

rbv_status rbv_number_prepare(void);

/*
 * Read the decimal number at text: [+-] digits [point digits] [e [+-] digits]. Returns the place
 * after it, NULL if there is no digit. A number that is too large becomes infinity, one that is too
 * small becomes zero.
 *
 *   text  in  ends with a character that cannot be part of a number; RBV_NUMBER_SLACK bytes after
 * it can be read
 */
const char *rbv_number_parse(double *out, const char *text, char point);

/* Write x with 15, 16 or 17 digits, the fewest that read back as x. Returns the length. */
int rbv_number_format(char out[RBV_NUMBER_TEXT], double x);

/* Tests only: one entry of the table, the top 128 bits of 5^q, -342 <= q <= 308. */
void rbv_number_power(uint64_t *high, uint64_t *low, int q);

#endif
