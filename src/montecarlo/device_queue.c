#include "montecarlo/device_queue.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
  rbv_population *population;
  const rbv_sim_reference *reference;
  const rbv_sim_lane *plants;
  const rbv_sim_trace *trace;
  rbv_sim_outcome *outcome;
  int count;
  bool done;
  rbv_status status;
  char message[1024];
  struct request *next;
} request;

struct rbv_device_queue {
  pthread_mutex_t mutex;     // protects all fields
  pthread_cond_t may_enter;  // `places` has changed
  pthread_cond_t changed;    // a request is done, the device is free, or few are ready
  int places;                // workers that may still enter
  int ready;                 // workers that wait to enter
  int enough;                // of them, to put off a call
  bool busy;                 // the device computes
  request *first, *last;     // requests that wait
};

rbv_status rbv_device_queue_new(rbv_device_queue **out, int computing, int workers) {
  rbv_device_queue *q = *out = rbv_alloc(sizeof *q);
  if (!q) return RBV_EMEM;
  pthread_mutex_init(&q->mutex, NULL);
  pthread_cond_init(&q->may_enter, NULL);
  pthread_cond_init(&q->changed, NULL);
  q->places = computing > 1 ? computing : 1;
  q->enough = workers > 2 ? workers / 2 : 1;  // a worker that is alone must not wait for others
  return RBV_OK;
}

void rbv_device_queue_free(rbv_device_queue *q) {
  if (!q) return;
  pthread_cond_destroy(&q->changed);
  pthread_cond_destroy(&q->may_enter);
  pthread_mutex_destroy(&q->mutex);
  rbv_free(q);
}

/* with the mutex */
static void enter(rbv_device_queue *q) {
  q->ready++;
  while (q->places == 0) pthread_cond_wait(&q->may_enter, &q->mutex);
  q->ready--;
  q->places--;
  if (q->ready == q->enough - 1) pthread_cond_broadcast(&q->changed);
}

static void leave(rbv_device_queue *q) {
  q->places++;
  pthread_cond_signal(&q->may_enter);
}

void rbv_device_queue_enter(rbv_device_queue *q) {
  if (!q) return;
  pthread_mutex_lock(&q->mutex);
  enter(q);
  pthread_mutex_unlock(&q->mutex);
}

void rbv_device_queue_leave(rbv_device_queue *q) {
  if (!q) return;
  pthread_mutex_lock(&q->mutex);
  leave(q);
  pthread_mutex_unlock(&q->mutex);
}

/* ---- one call for all that wait ---- */

/* all requests with the population of the first one, in the order of their arrival */
static request *take_requests(rbv_device_queue *q) {
  const rbv_population *population = q->first->population;
  request *taken = NULL, **end = &taken, **at = &q->first;
  q->last = NULL;
  while (*at) {
    request *r = *at;
    if (r->population == population) {
      *at = r->next;
      r->next = NULL;
      *end = r;
      end = &r->next;
    } else {
      q->last = r;
      at = &r->next;
    }
  }
  return taken;
}

static rbv_status simulate(request *all) {
  size_t count = 0;
  for (const request *r = all; r; r = r->next) count += (size_t)r->count;
  rbv_sim_lane *plants = rbv_alloc(count * sizeof *plants);
  rbv_sim_trace *trace = rbv_alloc(count * sizeof *trace);
  rbv_sim_outcome *outcome = rbv_alloc(count * sizeof *outcome);
  rbv_status status = plants && trace && outcome ? RBV_OK : RBV_EMEM;
  size_t at = 0;
  for (const request *r = all; r && status == RBV_OK; at += (size_t)r->count, r = r->next) {
    memcpy(plants + at, r->plants, (size_t)r->count * sizeof *plants);
    memcpy(trace + at, r->trace, (size_t)r->count * sizeof *trace);
  }
  if (status == RBV_OK) {
    const rbv_population_run_plan plan = {.reference = *all->reference, .trace = trace};
    bool stopped;
    status =
        rbv_population_run(NULL, outcome, &stopped, all->population, &plan, plants, (int)count);
  }
  at = 0;
  for (const request *r = all; r && status == RBV_OK; at += (size_t)r->count, r = r->next)
    memcpy(r->outcome, outcome + at, (size_t)r->count * sizeof *outcome);
  RBV_FREE_ALL(plants, trace, outcome);
  return status;
}

/* with the mutex, which is free during the call */
static void serve(rbv_device_queue *q) {
  request *all = take_requests(q);
  q->busy = true;
  pthread_mutex_unlock(&q->mutex);
  const rbv_status status = simulate(all);
  pthread_mutex_lock(&q->mutex);
  q->busy = false;
  for (request *r = all, *next; r; r = next) {
    next = r->next;
    r->status = status;
    if (status != RBV_OK) snprintf(r->message, sizeof r->message, "%s", rbv_message());
    r->done = true;  // from now on it belongs to its worker
  }
  pthread_cond_broadcast(&q->changed);
}

rbv_status rbv_device_queue_run(rbv_sim_outcome *outcome, rbv_device_queue *q,
                                rbv_population *population, const rbv_sim_reference *reference,
                                const rbv_sim_lane *plants, const rbv_sim_trace *trace, int count) {
  request own = {.population = population,
                 .reference = reference,
                 .plants = plants,
                 .trace = trace,
                 .outcome = outcome,
                 .count = count};
  pthread_mutex_lock(&q->mutex);
  if (q->last)
    q->last->next = &own;
  else
    q->first = &own;
  q->last = &own;
  leave(q);
  while (!own.done)
    if (!q->busy && q->first && q->ready < q->enough)
      serve(q);
    else
      pthread_cond_wait(&q->changed, &q->mutex);
  enter(q);
  pthread_mutex_unlock(&q->mutex);
  return own.status == RBV_OK ? RBV_OK : rbv_fail(own.status, "%s", own.message);
}
