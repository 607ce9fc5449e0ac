/*
 * base: what every module builds on. Status codes and messages (<roberval/status.h>), random
 * numbers, jobs.
 */
#ifndef ROBERVAL_SYS_BASE_H
#define ROBERVAL_SYS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <roberval/status.h>

RBV_BEGIN_C

/*
 * Make a text safe to show, in place: one line, without characters that control a terminal or the
 * direction of writing. Tabs and line breaks become spaces; other control characters, marks of
 * direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line separators and bytes
 * that are not UTF-8 become question marks. Strings of documents, names of columns and joints, and
 * all messages have passed this function.
 */
RBV_API void rbv_clean(char *text);

/* The known word that was probably meant: at least half of its characters agree; NULL: none. The
 * list ends with NULL. */
RBV_API const char *rbv_nearest_word(const char *word, const char *const *known);

/*
 * Random numbers that depend only on (seed, stream, index), in any order and on any number of
 * threads: uniform in the open interval (0, 1).
 */
RBV_API double rbv_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);

/* Standard normal. */
RBV_API double rbv_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

/* ---- jobs: the same work for many indices ---- */

/* The result of a job: bytes, to which the job appends. */
typedef struct rbv_bytes rbv_bytes;
RBV_API void rbv_bytes_add(rbv_bytes *bytes, const void *data, size_t size);

/*
 * Work that consists of jobs 0 ... count - 1. The result of a job depends only on its index.
 * Results are processed in the order of the indices. The total result is therefore the same on one
 * thread, on several threads and on several machines.
 */
typedef struct {
  const char *name;        /* of the kind: "montecarlo" */
  const char *description; /* text with everything that the results depend on; a journal with
                              another description is refused. NULL if results are not stored */
  ptrdiff_t count;
  void *self; /* passed to all functions below */

  /* Create and free the state of a worker, in its own thread (0: the calling one). NULL: none. */
  rbv_status (*open)(void **worker, void *self, int thread);
  void (*close)(void *worker, void *self);

  /* Run job index. Several run at the same time, each with its own worker. */
  rbv_status (*run)(rbv_bytes *out, void *worker, void *self, ptrdiff_t index);

  /* Process a result, in the calling thread and in ascending order; jobs without a result are left
   * out. NULL: results are not processed. */
  rbv_status (*take)(void *self, ptrdiff_t index, const void *data, size_t size);

  bool shared; /* in a team every member processes the results, not only the leader */

  /* How many results per thread may wait to be processed. Results are then processed while other
   * jobs run, and memory does not grow with count. 0: results are processed after the last job, and
   * none after a failure. A team, and processes that share jobs, always use 0. */
  ptrdiff_t window;
} rbv_jobs;

/* Storage for results beyond the life of the process. Its functions are called for one job at a
 * time. */
typedef struct {
  void *self;
  /* The stored result of a job (borrowed); false: the job must be run. */
  bool (*find)(void *self, ptrdiff_t index, const void **data, size_t *size);
  rbv_status (*keep)(void *self, ptrdiff_t index, const void *data, size_t size);
  /* Read results that other processes have stored since the last call, so that find knows them.
   * Called before each job without a result. NULL: no other processes. */
  rbv_status (*look)(void *self);
} rbv_jobs_store;

typedef struct {
  int threads;                 /* including the calling one; 0 means 1 */
  ptrdiff_t first, stride;     /* only jobs first, first + stride, ...; stride 0: all */
  const rbv_jobs_store *store; /* NULL: results are not stored */
  /* Processes that read each other's stores can share the jobs. This one first runs its own part:
   * every shares-th job, starting with number share (0 ... shares - 1). Then it runs the jobs whose
   * results are still missing, in a random order, so that two processes seldom run the same job.
   * shares 0: no sharing. */
  ptrdiff_t share, shares;
  int *cancel; /* set by rbv_cancel; NULL: jobs cannot be cancelled */
  /* Called in the calling thread after each of its jobs. NULL: not called. */
  void (*progress)(void *payload, ptrdiff_t done, ptrdiff_t total);
  void *payload;
} rbv_jobs_options;

typedef struct {
  ptrdiff_t total; /* jobs in this run */
  ptrdiff_t done;  /* jobs with a result; fewer than total if cancelled */
  ptrdiff_t found; /* of these, jobs whose result came from the store */
} rbv_jobs_info;

/*
 * Run the jobs and process their results. A worker that has finished a job gets the next one, so
 * that long jobs do not delay short ones. After a failure no new job starts. Status and message are
 * those of the failed job with the lowest index, for any number of threads (with shares: the lowest
 * of the jobs that were started).
 *
 *   info     out  may be NULL
 *   options  in   NULL: one thread, all jobs
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_jobs_run(rbv_jobs_info *info, const rbv_jobs *jobs,
                                               const rbv_jobs_options *options);

/* Start no further job. May be called from a signal handler. */
RBV_API void rbv_cancel(int *flag);

/* ---- teams: jobs on several processes ---- */

/*
 * Processes that run the same program with the same input, so that all of them reach the same call
 * of rbv_jobs_run. Member 0 is the leader: it distributes the indices one by one, has the store and
 * processes the results. The other members run the jobs, each with one thread. Messages are bytes
 * and keep their order between two members. The transport (for example MPI) is behind these
 * functions.
 */
typedef struct {
  void *self;
  int rank, size; /* number of this member; number of members */
  rbv_status (*send)(void *self, int to, const void *data, size_t size);
  /* Wait for a message from any member, without keeping a core busy, and append it to out. */
  rbv_status (*receive)(void *self, int *from, rbv_bytes *out);
} rbv_team;

/*
 * From now on rbv_jobs_run works in a team; NULL: without one. Call this from one thread, while no
 * jobs run. A member that fails while jobs run must end all members, by means of the transport.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_team_join(const rbv_team *team);

/* True without a team and in its leader: the process that writes files and messages. */
RBV_API bool rbv_team_leads(void);

/*
 * Leave the team. A member sends the leader the reason, "" for none. The leader waits until all
 * members have left, dismisses those that wait for jobs, and reports their reasons.
 *
 *   hear  in  leader: called for each member that gave a reason; may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_team_leave(
    const char *reason, void (*hear)(void *payload, int member, const char *reason), void *payload);

RBV_END_C
#endif
