/*
 * base: what every room stands on. Status codes and their sentence, version, random numbers,
 * jobs.
 *
 * A function that can fail returns rbv_status; the sentence that belongs to the last failure of
 * this thread is rbv_message(). What an algorithm found out ("did not converge") is a result and
 * comes back with RBV_OK in an info structure.
 */
#ifndef ROBERVAL_SYS_BASE_H
#define ROBERVAL_SYS_BASE_H

#include <stdbool.h>
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
  X(RBV_EWRITE, -8, "output cannot be written")                            \
  X(RBV_EOPTION, -9, "option is unknown, malformed or contradicts another")

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

/*
 * Name of the option that the user can set to avoid this thread's last failure ("start"), NULL when
 * there is none. The tool shows it as "--start". Valid until the thread's next failure.
 */
RBV_API const char *rbv_message_option(void);

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

/* ---- jobs: the same work for many indices ---- */

/* Bytes that a job hands back, growing as they are added. */
typedef struct rbv_bytes rbv_bytes;
RBV_API void rbv_bytes_add(rbv_bytes *bytes, const void *data, size_t size);

/*
 * A kind of work that falls into jobs 0 ... count - 1, each of which gives bytes that depend on its
 * index alone, and what becomes of them in the order of the indices. Whoever runs the jobs (this
 * thread, several, several machines) calls these and nothing else, so that the whole does not
 * depend on who did.
 */
typedef struct {
  const char *name;        /* of the kind: "montecarlo" */
  const char *description; /* text: all that the results depend on; a journal of another is refused.
                              NULL where nothing is kept */
  ptrdiff_t count;
  void *self; /* handed to all of the following */

  /* State of a worker, made and freed in its own thread (0: the calling one); NULL: none. */
  rbv_status (*open)(void **worker, void *self, int thread);
  void (*close)(void *worker, void *self);

  /* Job index; several at once, each with its worker. */
  rbv_status (*run)(rbv_bytes *out, void *worker, void *self, ptrdiff_t index);

  /* Its result, in the calling thread, ascending; jobs that were not done are left out. NULL: not
   * wanted. */
  rbv_status (*take)(void *self, ptrdiff_t index, const void *data, size_t size);

  bool shared; /* in a team every member takes the results, not the leader alone */

  /* Results per thread that may wait for their turn: then they are taken while others are made, and
   * memory does not grow with count. 0: all wait until the last one is there, and none is taken
   * after a failure; so it is in a team, and among shares, in any case. */
  ptrdiff_t window;
} rbv_jobs;

/* Where results outlive the process; called for one job at a time. */
typedef struct {
  void *self;
  /* The result of a job that is there already (borrowed); false: it must be run. */
  bool (*find)(void *self, ptrdiff_t index, const void **data, size_t *size);
  rbv_status (*keep)(void *self, ptrdiff_t index, const void *data, size_t size);
  /* Bring in what other processes have kept meanwhile, for find; called before every job that is
   * missing. NULL: there are no others. */
  rbv_status (*look)(void *self);
} rbv_jobs_store;

typedef struct {
  int threads;                 /* the calling one among them; 0: 1 */
  ptrdiff_t first, stride;     /* only jobs first, first + stride, ...; stride 0: all */
  const rbv_jobs_store *store; /* NULL: nothing is kept */
  /* Processes that look into each other's stores share the jobs: this one does all of them, but
   * first its own part, every shares-th from number share (0 ... shares - 1) on, and then what the
   * store still lacks, in an order of its own, so that helpers seldom meet. shares 0: alone. */
  ptrdiff_t share, shares;
  int *cancel; /* rbv_cancel sets it; NULL: nobody does */
  /* In the calling thread, whenever it finished a job. NULL: silence. */
  void (*progress)(void *payload, ptrdiff_t done, ptrdiff_t total);
  void *payload;
} rbv_jobs_options;

typedef struct {
  ptrdiff_t total; /* jobs that were asked for */
  ptrdiff_t done;  /* those that have a result; less when cancelled */
  ptrdiff_t found; /* of them, in the store, before or meanwhile */
} rbv_jobs_info;

/*
 * Run the jobs and take their results. A worker that is done with one gets the next, so that long
 * jobs do not hold short ones up. Nothing new is begun after a failure; the status and sentence are
 * those of the failing job with the lowest index, which does not depend on the number of threads
 * (among shares: the lowest of those that were begun).
 *
 *   info     out  may be NULL
 *   options  in   NULL: one thread, all jobs
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_jobs_run(rbv_jobs_info *info, const rbv_jobs *jobs,
                                               const rbv_jobs_options *options);

/* Let no further job begin. May be called from a signal handler. */
RBV_API void rbv_cancel(int *flag);
RBV_API bool rbv_cancelled(const int *flag); /* false for NULL */

/* ---- teams: jobs on several processes ---- */

/*
 * Processes that run the same program on the same input, so that whoever runs jobs in one of them
 * runs the same jobs in all. Number 0 leads: it hands out indices one by one, has the store and
 * takes the results; the others do the work, each with one thread. Messages are bytes and keep
 * their order between two members; what carries them (MPI, say) is behind these two functions.
 */
typedef struct {
  void *self;
  int rank, size; /* this one, and how many there are */
  rbv_status (*send)(void *self, int to, const void *data, size_t size);
  /* Wait for a message from anybody, without keeping a core busy, and append it. */
  rbv_status (*receive)(void *self, int *from, rbv_bytes *out);
} rbv_team;

/*
 * From now on rbv_jobs_run works in a team; NULL: alone. Not while jobs run, and by one thread. A
 * member that cannot go on while jobs run ends them all, by the transport's own means.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_team_join(const rbv_team *team);

/* Without a team, or as its leader: what is done once for all (files, words) is done here. */
RBV_API bool rbv_team_leads(void);

/*
 * Leave the team. A member tells the leader why it ends, "" for no reason; the leader waits until
 * all have gone, turning away those that wait for jobs, and passes on what they said.
 *
 *   hear  in  of the leader: called for each member that gave a reason; may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_team_leave(
    const char *reason, void (*hear)(void *payload, int member, const char *reason), void *payload);

#ifdef __cplusplus
}
#endif
#endif
