/* Jobs that are being run: what threads, and the members of a team, share. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/support.h"

struct rbv_bytes {
  rbv_text text;
};

enum { PLACE_NONE, PLACE_FOUND, PLACE_DONE };

/* jobs that were asked for have places 0 ... total - 1 */
typedef struct {
  const rbv_jobs *jobs;
  const rbv_jobs_options *options;
  const rbv_team *team;  // NULL: alone
  ptrdiff_t first, stride, total;
  rbv_bytes *result;  // total: each written by one worker
  char *state;        // total: found in the store, done, or neither
  ptrdiff_t *order;   // total: places as they are handed out; NULL: ascending
  atomic_ptrdiff_t next;
  atomic_ptrdiff_t done;
  atomic_bool over;      // a job failed
  pthread_mutex_t lock;  // of the store, the states and what follows
  pthread_cond_t moved;  // a state, or what follows
  ptrdiff_t window;      // places from the first one that was not taken on; 0: no limit
  ptrdiff_t taken;       // places whose results were taken on the way
  ptrdiff_t failed;      // lowest place that failed; total: none
  rbv_status status;
  char message[1024];
} queue;

/* Index of the job at a place. */
ptrdiff_t rbv_queue_index(const queue *q, ptrdiff_t place);

/* The next place that must be run and that the store still lacks; -1: none, or nothing new is to
 * begin. */
ptrdiff_t rbv_queue_next(queue *q);

/* The result at a place is there: keep it. tell: progress. */
void rbv_queue_done(queue *q, ptrdiff_t place, bool tell);

/* A failure at a place, or before any job (-1). */
void rbv_queue_fail(queue *q, ptrdiff_t place, rbv_status status, const char *message);

/* What is known of a place; false: nothing. */
bool rbv_queue_result(const queue *q, ptrdiff_t place, const void **data, size_t *size);

/* ---- teams ---- */

/* The team, if there is one whose members all come here; NULL inside of a job. */
const rbv_team *rbv_team_enter(void);
void rbv_team_exit(void);

/* Hand out all places to the members; here() does what is left when they have gone. */
rbv_status rbv_team_lead(queue *q, void (*here)(queue *q));

/* Do what the leader hands out, until it says that all is over. */
rbv_status rbv_team_serve(queue *q);

#endif
