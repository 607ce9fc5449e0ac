/* The queue of running jobs that threads, and the members of a team, share. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/support.h"

struct rbv_bytes {
  rbv_text text;
};

enum { PLACE_NONE, PLACE_FOUND, PLACE_DONE };

/* The jobs of this run have the places 0 ... total - 1. */
typedef struct {
  const rbv_jobs *jobs;
  const rbv_jobs_options *options;
  const rbv_team *team;  // NULL: no team
  ptrdiff_t first, stride, total;
  rbv_bytes *result;  // total: each written by one worker
  char *state;        // total: PLACE_NONE, PLACE_FOUND (in the store) or PLACE_DONE
  ptrdiff_t *order;   // total: places in the order of distribution; NULL: ascending
  atomic_ptrdiff_t next;
  atomic_ptrdiff_t done;
  atomic_bool over;      // a job failed
  pthread_mutex_t lock;  // protects the store, the states and the fields below
  pthread_cond_t moved;  // signalled when a state or a field below changes
  ptrdiff_t window;      // places after the first unprocessed one that may run; 0: no limit
  ptrdiff_t taken;       // places whose results have been processed
  ptrdiff_t failed;      // lowest place that failed; total: none
  rbv_status status;
  char message[1024];
} queue;

/* Index of the job at a place. */
ptrdiff_t rbv_queue_index(const queue *q, ptrdiff_t place);

/* The next place that must be run and has no stored result; -1: none left, or no job may start. */
ptrdiff_t rbv_queue_next(queue *q);

/* Store the result at a place. tell: report progress. */
void rbv_queue_done(queue *q, ptrdiff_t place, bool tell);

/* Record a failure at a place, or before any job (-1). */
void rbv_queue_fail(queue *q, ptrdiff_t place, rbv_status status, const char *message);

/* The result at a place; false: there is none. */
bool rbv_queue_result(const queue *q, ptrdiff_t place, const void **data, size_t *size);

/* ---- teams ---- */

/* The team, if there is one; NULL inside of a job, which belongs to one member. */
const rbv_team *rbv_team_enter(void);
void rbv_team_exit(void);

/* Distribute all places to the members. here() runs what is left if members have left the team. */
rbv_status rbv_team_lead(queue *q, void (*here)(queue *q));

/* Run the jobs that the leader sends, until it ends the run. */
rbv_status rbv_team_serve(queue *q);

#endif
