/*
 * base: what every room stands on. Status codes and their sentence, version, random numbers.
 *
 * A function that can fail returns rbv_status; the sentence that belongs to the last failure of
 * this thread is rbv_message(). What an algorithm found out ("did not converge") is a result and
 * comes back with RBV_OK in an info structure.
 */
#ifndef ROBERVAL_BASE_H
#define ROBERVAL_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RBV_API __attribute__((visibility("default")))
#define RBV_MUST_CHECK __attribute__((warn_unused_result))
#define RBV_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define RBV_API
#define RBV_MUST_CHECK
#define RBV_PRINTF(fmt, first)
#endif

#define RBV_STATUS_LIST(X)                                                 \
  X(RBV_OK, 0, "success")                                                  \
  X(RBV_EARG, -1, "argument is NULL or out of range")                      \
  X(RBV_EDIM, -2, "dimensions do not agree")                               \
  X(RBV_EMEM, -3, "out of memory")                                         \
  X(RBV_EREAD, -4, "file cannot be read")                                  \
  X(RBV_EINPUT, -5, "input is malformed or contradicts itself")            \
  X(RBV_ENUM, -6, "numerical operation broke down")                        \
  X(RBV_EUNSUPPORTED, -7, "input is well formed but outside what is done") \
  X(RBV_EWRITE, -8, "output cannot be written")

typedef enum {
#define X(name, value, text) name = value,
  RBV_STATUS_LIST(X)
#undef X
} rbv_status;

/* "RBV_EARG" for RBV_EARG; "RBV_?" for a number that is no status. Static storage. */
RBV_API const char *rbv_status_name(rbv_status status);

/* What the code means in general, one line. Static storage. */
RBV_API const char *rbv_status_text(rbv_status status);

/* The sentence of this thread's last failure, "" before any. Valid until the thread's next one. */
RBV_API const char *rbv_message(void);

/* "0.1.0" */
RBV_API const char *rbv_version(void);

/*
 * Random numbers that depend on (seed, stream, index) alone (Philox 4x32, ten rounds), so that a
 * study gives the same numbers in any order and on any number of threads.
 */
RBV_API uint64_t rbv_random_bits(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in the open interval (0, 1). */
RBV_API double rbv_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);

/* Standard normal. */
RBV_API double rbv_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

#ifdef __cplusplus
}
#endif
#endif
