/*
 * following: a result at work (module job). Makes an rbv_follow from a result, learns its limits
 * from recordings, and keeps its state in a file.
 */
#ifndef ROBERVAL_SYS_FOLLOWING_H
#define ROBERVAL_SYS_FOLLOWING_H

#include <roberval/sys/follow.h>
#include <roberval/sys/identification.h>

#ifdef __cplusplus
extern "C" {
#endif

RBV_API const rbv_option *rbv_follow_rows(void); /* table over rbv_follow_options */

/* What the limits were learnt from. */
#define RBV_LIMITS_LIST(X)                                                                        \
  X(RBV_LIMITS_CLEAN, "clean", "recordings without contact that were given")                      \
  X(RBV_LIMITS_PARTS, "parts",                                                                    \
    "the recording of the identification, each part judged by the parameters found without it")   \
  X(RBV_LIMITS_RECORDINGS, "recordings",                                                          \
    "the recordings of the identification, each judged by the parameters found without it")       \
  X(RBV_LIMITS_FITTED, "fitted",                                                                  \
    "the recordings of the identification, which fit better than others: give recordings of the " \
    "work without contact")                                                                       \
  X(RBV_LIMITS_ASSUMED, "assumed",                                                                \
    "normal noise of the size that the fit left, because no recording without contact was found")

typedef enum {
#define X(name, key, text) name,
  RBV_LIMITS_LIST(X)
#undef X
      RBV_LIMITS_SOURCES
} rbv_limits_source;
RBV_API const char *rbv_limits_name(rbv_limits_source source); /* "parts" */
RBV_API const char *rbv_limits_text(rbv_limits_source source); /* a phrase for messages */

/*
 * Follow the arm of a result. The mask is that of its fit.
 *
 *   clean   in   recordings without contact and payload that the limits are learnt from; none:
 * those of the result, if they are found. Without any recording, the residual of the fit counts as
 * normal noise map     in   column map of these recordings; NULL: that of the result source  out
 * what the limits were learnt from; a note tells it, too
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_following_new(rbv_follow **out, rbv_limits_source *source,
                                                    rbv_result_model *fitted,
                                                    const rbv_follow_options *options,
                                                    const rbv_files *clean, const char *map,
                                                    const rbv_notes *notes);

/* Where a stream was interrupted. */
typedef struct {
  long long line;   /* lines of the input that were used */
  long long output; /* bytes of the history that were written */
  double rate_hz;   /* of the stream */
  double t;         /* stamp of the last sample */
  double next;      /* stamp of the next row of the history */
} rbv_follow_place;

/*
 * Write the state, completely or not at all; read it back. The key identifies result, robot and
 * options: a state of another one is refused with RBV_EINPUT.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_following_save(const char *path, const rbv_follow *follow,
                                                     const rbv_follow_place *place,
                                                     const char *key);
RBV_API RBV_MUST_CHECK rbv_status rbv_following_place(rbv_follow_place *place, const char *path,
                                                      const char *key);
RBV_API RBV_MUST_CHECK rbv_status rbv_following_load(rbv_follow *follow, const char *path,
                                                     const char *key);

/* The key of a result with these options: 64 hexadecimal digits. */
RBV_API RBV_MUST_CHECK rbv_status rbv_following_key(char out[65], const rbv_result_model *fitted,
                                                    const rbv_follow_options *options);

#ifdef __cplusplus
}
#endif
#endif
