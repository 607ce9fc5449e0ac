/*
 * Status codes, messages and version. Stable.
 *
 * A function that can fail returns rbv_status; rbv_message() is the sentence that belongs to the
 * last failure of this thread. An outcome such as "did not converge" is not a failure: the call
 * returns RBV_OK and the result says so.
 */
#ifndef ROBERVAL_STATUS_H
#define ROBERVAL_STATUS_H

#ifdef __cplusplus
#define RBV_BEGIN_C extern "C" {
#define RBV_END_C }
#else
#define RBV_BEGIN_C
#define RBV_END_C
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

RBV_BEGIN_C

/* Version of the headers; rbv_version() is that of the library in use. */
#define RBV_VERSION_MAJOR 0
#define RBV_VERSION_MINOR 2
#define RBV_VERSION_PATCH 0
#define RBV_VERSION_NUMBER (RBV_VERSION_MAJOR * 10000 + RBV_VERSION_MINOR * 100 + RBV_VERSION_PATCH)
#define RBV_VERSION_TEXT "0.2.0"

#define RBV_STATUS_LIST(X)                                                  \
  X(RBV_OK, 0, "success")                                                   \
  X(RBV_EARG, -1, "argument is NULL or out of range")                       \
  X(RBV_EDIM, -2, "dimensions do not agree")                                \
  X(RBV_EMEM, -3, "out of memory")                                          \
  X(RBV_EREAD, -4, "file cannot be read")                                   \
  X(RBV_EINPUT, -5, "input is malformed or contradicts itself")             \
  X(RBV_ENUM, -6, "numerical operation broke down")                         \
  X(RBV_EUNSUPPORTED, -7, "input is valid but not supported")               \
  X(RBV_EWRITE, -8, "output cannot be written")                             \
  X(RBV_EOPTION, -9, "option is unknown, malformed or contradicts another") \
  X(RBV_EDATA, -10, "the data do not contain what was asked for")           \
  X(RBV_ECANCELLED, -11, "the caller stopped the computation")

typedef enum {
#define X(name, value, text) name = value,
  RBV_STATUS_LIST(X)
#undef X
} rbv_status;

/* "RBV_EARG" for RBV_EARG; "RBV_?" for a number that is not a status. Static storage. */
RBV_API const char *rbv_status_name(rbv_status status);

/* What the code means in general, one line. Static storage. */
RBV_API const char *rbv_status_text(rbv_status status);

/* The sentence of this thread's last failure, "" before any. Valid until the thread's next one. */
RBV_API const char *rbv_message(void);

/*
 * Name of the option that the user can set to avoid this thread's last failure ("start"), NULL when
 * there is none. The tool shows it as "--start". Valid until the thread's next failure.
 */
RBV_API const char *rbv_message_option(void);

/* Version of the library in use, "0.2.0", and as a number like RBV_VERSION_NUMBER. */
RBV_API const char *rbv_version(void);
RBV_API int rbv_version_number(void);

RBV_END_C
#endif
