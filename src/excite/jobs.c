#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "excite/inside.h"

#define THREADS_MAX 64

typedef struct {
  void (*run)(void *self, int thread, int i);
  void *self;
  atomic_int next;
  int count;
} queue;

typedef struct {
  queue *queue;
  int thread;
} hand;

static void *work(void *argument) {
  const hand *h = argument;
  queue *q = h->queue;
  for (int i = atomic_fetch_add(&q->next, 1); i < q->count; i = atomic_fetch_add(&q->next, 1))
    q->run(q->self, h->thread, i);
  return NULL;
}

void rbv_jobs(int nthread, int count, void (*run)(void *self, int thread, int i), void *self) {
  queue q = {.run = run, .self = self, .count = count};
  pthread_t id[THREADS_MAX];
  hand h[THREADS_MAX];
  int started = 0;
  if (nthread > THREADS_MAX) nthread = THREADS_MAX;
  for (int i = 0; i < nthread; i++) h[i] = (hand){&q, i};
  // this thread is number 0; one that cannot be started is not missed
  for (int i = 1; i < nthread; i++, started++)
    if (pthread_create(&id[i], NULL, work, &h[i]) != 0) break;
  work(&h[0]);
  for (int i = 1; i <= started; i++) pthread_join(id[i], NULL);
}

double rbv_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
