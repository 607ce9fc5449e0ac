/*
 * Functions of base for the other modules of the library; not installed.
 *
 * Memory: every allocation of the library goes through rbv_alloc, so that a test can make each one
 * fail. A work object is one block: a layout function takes its arrays from an arena, first to
 * measure the size, then to assign the addresses.
 */
#ifndef BASE_SUPPORT_H
#define BASE_SUPPORT_H

#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <roberval/sys/base.h>

/* Store the message of a failure and return the status, so that the caller can return it. */
rbv_status rbv_fail(rbv_status status, const char *format, ...) RBV_PRINTF(2, 3);

/*
 * The same, with the name of the option that the user can set to avoid the failure. The message
 * itself must not name it: each front end shows options in its own way.
 */
rbv_status rbv_fail_option(rbv_status status, const char *name, const char *format, ...)
    RBV_PRINTF(3, 4);

/* Zeroed memory, aligned to 64 bytes, or NULL with the message set. A size of 0 gives a valid
 * pointer. */
void *rbv_alloc(size_t bytes);
void rbv_free(void *block);

/* Grow or shrink a block; new bytes are zero. If NULL is returned, the old block stays valid. */
void *rbv_realloc(void *block, size_t old_bytes, size_t new_bytes);

/* Make room for one more item of a list that has `count` items of `size` bytes in room for `*room`:
 * the room doubles when it is full. Returns the list; NULL if memory runs out, then the old list is
 * still valid. New items are zero. */
void *rbv_grow(void *list, int count, int *room, size_t size);

/* Copy the first n bytes of s, or the whole string, with a closing 0. NULL if memory runs out. */
char *rbv_strndup(const char *s, size_t n);
char *rbv_strdup(const char *s);

/* Tests only: make the n-th allocation from now fail (0: none); number of allocations so far. */
void rbv_alloc_fail_after(long n);
long rbv_alloc_count(void);

/* Tests only: largest number of bytes allocated at one time since the reset; the reset returns the
 * number now. */
size_t rbv_alloc_peak(void);
size_t rbv_alloc_reset_peak(void);

/*
 * Tests only: guard the blocks that are allocated from now on. Freeing a block then counts it as
 * damaged if bytes behind its end were written, and overwrites its beginning. Switch it on before
 * the first allocation.
 */
void rbv_alloc_guard(bool on);
long rbv_alloc_damaged(void);

/*
 * Tests only: a function that is called for each input as it is read, NULL: none. What is "read" (a
 * file as a whole), "load" (a recording), "parse" (a document), "model" or "result".
 */
typedef void rbv_observer(const char *what, const char *name);
void rbv_set_observer(rbv_observer *observer);

/* Report an input to the observer, if there is one. */
void rbv_observe(const char *what, const char *name);

/*
 * Call the watcher of this thread (<roberval/watch.h>), if there is one and the last call is some
 * time ago. RBV_ECANCELLED if it wants to stop, now or at an earlier call. Cheap: call it in loops.
 *
 *   stage  in  what the loop does, in a few words
 *   done   in  share of it, 0 to 1; NaN: not known
 */
RBV_MUST_CHECK rbv_status rbv_go_on(const char *stage, double done);

/* While on, rbv_go_on of this thread does not ask the watcher: for jobs that must not stop in the
 * middle, because a failure is one of their results. */
void rbv_watch_hold(bool on);

/* Numbers of a vector, at most max, for which kernels are compiled and this processor has
 * instructions: 8, 4, 2 or 1. */
int rbv_vector_width(int max);

/* Start a thread with a stack of 1 MB, whatever the limits of the process. Returns 0 or an errno.
 */
int rbv_thread_start(pthread_t *id, void *(*body)(void *), void *argument);

typedef struct {
  char *base;   // NULL: only measure
  size_t used;  // bytes taken so far, padding included
} rbv_arena;

#define RBV_ARENA_ALIGN 64
#define RBV_TAKE(arena, count, type) \
  ((type *)rbv_arena_take((arena), (size_t)(count), sizeof(type)))

void *rbv_arena_take(rbv_arena *arena, size_t count, size_t size);

/* RBV_TAKE of several arrays of the same length, by the addresses of their pointers. */
#define RBV_TAKE_ALL(arena, count, type, ...)                                      \
  do {                                                                             \
    type **const take_all[] = {__VA_ARGS__};                                       \
    for (size_t take_i = 0; take_i < sizeof take_all / sizeof *take_all; take_i++) \
      *take_all[take_i] = RBV_TAKE(arena, count, type);                            \
  } while (0)

/* Between the two passes of a layout: allocate what the first one measured, and return true if the
 * second one can carve it. */
bool rbv_arena_next(rbv_arena *arena);

/* Run a layout twice: measure and carve. arena->base is NULL if there is no memory. */
#define RBV_CARVE(arena, layout) \
  do {                           \
    layout;                      \
  } while (rbv_arena_next(arena))

/* The same with the object itself first in the block; `arena` is the name of the pointer for the
 * layout. The object is NULL if there is no memory, and has the value 0 otherwise. */
#define RBV_CARVE_OBJECT(object, arena, layout)              \
  do {                                                       \
    rbv_arena arena[1] = {{0}};                              \
    do {                                                     \
      (object) = rbv_arena_take(arena, 1, sizeof *(object)); \
      layout;                                                \
    } while (rbv_arena_next(arena));                         \
  } while (0)

/* A string that grows. A failed append sets failed, which stays set: check it once, at the end. */
typedef struct {
  char *data;  // closed with 0 when not NULL
  size_t size;
  size_t capacity;
  bool failed;
} rbv_text;

void rbv_text_add(rbv_text *text, const char *s, size_t n);
void rbv_text_put(rbv_text *text, const char *s);
void rbv_text_print(rbv_text *text, const char *format, ...) RBV_PRINTF(2, 3);
void rbv_text_vprint(rbv_text *text, const char *format, va_list args) RBV_PRINTF(2, 0);
void rbv_text_free(rbv_text *text);

/*
 * Append s as a field of a CSV table: in quotation marks if it has delimiters, quotation marks,
 * blanks or line breaks. A field that a spreadsheet would take for a formula ("=...", "@...", or a
 * sign before something else than a number) begins with an apostrophe.
 */
void rbv_text_csv(rbv_text *text, const char *s);

/* Append s escaped for XML and HTML. Control characters, which XML cannot express, become spaces.
 */
void rbv_text_escape(rbv_text *text, const char *s);

/* The text as a string, "" if nothing was added; NULL after a failed append. */
const char *rbv_text_string(const rbv_text *text);

/* Shortest of "%.15g", "%.16g", "%.17g" that reads back as x. out: 32 characters. */
void rbv_format_double(char *out, double x);

/* The k-th smallest of x (n finite numbers), k from 0. It becomes x[k]; those before it are not
 * larger, those after it not smaller. */
double rbv_select(double *x, ptrdiff_t n, ptrdiff_t k);

/* The median; of an even number, the mean of the middle two. NaN: there are none. Reorders x. */
double rbv_median(double *x, ptrdiff_t n);

/* pi in double precision */
#define RBV_PI 3.14159265358979323846

#define RBV_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Return the status of a failed call unchanged; its message is already stored. */
#define RBV_TRY(call)                            \
  do {                                           \
    const rbv_status try_status = (call);        \
    if (try_status != RBV_OK) return try_status; \
  } while (0)

/* The same, after something was released. */
#define RBV_TRY_OR(call, release)         \
  do {                                    \
    const rbv_status try_status = (call); \
    if (try_status != RBV_OK) {           \
      release;                            \
      return try_status;                  \
    }                                     \
  } while (0)

/* The last call of a function that holds something: release it, and return the status of the call.
 */
#define RBV_FINISH(call, release)            \
  do {                                       \
    const rbv_status finish_status = (call); \
    release;                                 \
    return finish_status;                    \
  } while (0)

/* rbv_free of several blocks. */
#define RBV_FREE_ALL(...) \
  rbv_free_list((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void rbv_free_list(void *const *block, size_t count);

/* A variable with new memory of value 0 for count items; returns RBV_EMEM if there is none. */
#define RBV_NEW(type, name, count)                          \
  type *name = rbv_alloc((size_t)(count) * sizeof *(name)); \
  if (!(name)) return RBV_EMEM

/* The end of a function that makes an object: hand it over if the status (or the call that returns
 * it) is RBV_OK, otherwise release it. Returns the status. */
#define RBV_GIVE(out, object, status, release) \
  do {                                         \
    const rbv_status give_status = (status);   \
    if (give_status == RBV_OK)                 \
      *(out) = (object);                       \
    else                                       \
      release;                                 \
    return give_status;                        \
  } while (0)

/* Index of the first string of a list that is text; of the first row of an array whose member is
 * text; -1: there is none. */
#define RBV_FIND_TEXT(list, count, text) \
  rbv_find_text(RBV_STRINGS(list), sizeof *(list), (count), (text))
#define RBV_FIND(array, count, member, text)                                                      \
  ((count) > 0 ? rbv_find_text(RBV_STRINGS(&(array)[0].member), sizeof *(array), (count), (text)) \
               : -1)
#define RBV_STRINGS(place) \
  _Generic((place), char **: (place), const char **: (place), char *const *: (place), const char *const *: (place))
int rbv_find_text(const void *first, size_t stride, int count, const char *text);

/* False for NULL; see rbv_run_jobs. */
bool rbv_cancelled(const int *flag);

/* Open a library beside this one, in ../lib, or where the system looks; NULL: dlerror says why. It
 * is never unloaded. */
void *rbv_open_plugin(const char *name);

/*
 * Random bits that depend only on (seed, stream, index) (Philox 4x32, ten rounds). A simulation
 * study therefore has the same numbers in any order and on any number of threads.
 */
uint64_t rbv_random_bits(uint64_t seed, uint64_t stream, uint64_t index);

#endif
