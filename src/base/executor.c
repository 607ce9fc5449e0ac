/* Indexed jobs on this thread and others; results are taken in the order of the indices. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

#define THREADS_MAX 256

struct rbv_bytes {
  rbv_text text;
};

void rbv_bytes_add(rbv_bytes *bytes, const void *data, size_t size) {
  rbv_text_add(&bytes->text, data, size);
}

void rbv_cancel(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

bool rbv_cancelled(const int *flag) { return flag && __atomic_load_n(flag, __ATOMIC_RELAXED); }

/* ---- what the workers share ---- */

typedef struct {
  const rbv_jobs *jobs;
  const rbv_jobs_options *options;
  ptrdiff_t first, stride, total;
  rbv_bytes *result;  // total: each written by one worker
  char *state;        // total: NONE, FOUND, or DONE
  atomic_ptrdiff_t next;
  atomic_ptrdiff_t done;
  atomic_bool over;      // a job failed
  pthread_mutex_t lock;  // of the store and of what follows
  ptrdiff_t failed;      // lowest place that failed; total: none
  rbv_status status;
  char message[1024];
} queue;

enum { NONE, FOUND, DONE };

static ptrdiff_t index_of(const queue *q, ptrdiff_t place) { return q->first + place * q->stride; }

/* a failure at a place, or before any job (-1); the sentence is this thread's own */
static void note_failure(queue *q, ptrdiff_t place, rbv_status status) {
  pthread_mutex_lock(&q->lock);
  if (place < q->failed) {
    q->failed = place;
    q->status = status;
    snprintf(q->message, sizeof q->message, "%s", rbv_message());
  }
  pthread_mutex_unlock(&q->lock);
  atomic_store(&q->over, true);
}

static rbv_status keep(queue *q, ptrdiff_t place) {
  const rbv_jobs_store *store = q->options->store;
  const rbv_text *text = &q->result[place].text;
  if (text->failed) return RBV_EMEM;
  if (!store) return RBV_OK;
  pthread_mutex_lock(&q->lock);
  const rbv_status status = store->keep(store->self, index_of(q, place), text->data, text->size);
  pthread_mutex_unlock(&q->lock);
  return status;
}

static void run_one(queue *q, void *worker, int thread, ptrdiff_t place) {
  rbv_status status = q->jobs->run(&q->result[place], worker, q->jobs->self, index_of(q, place));
  if (status == RBV_OK) status = keep(q, place);
  if (status != RBV_OK) {
    note_failure(q, place, status);
    return;
  }
  q->state[place] = DONE;
  const ptrdiff_t done = atomic_fetch_add(&q->done, 1) + 1;
  if (thread == 0 && q->options->progress)
    q->options->progress(q->options->payload, done, q->total);
}

/*
 * Places are handed out ascending, so when one fails all before it have been begun and will be
 * finished: the lowest failure is found on any number of threads.
 */
static void work(queue *q, int thread) {
  void *worker = NULL;
  if (q->jobs->open) {
    const rbv_status status = q->jobs->open(&worker, q->jobs->self, thread);
    if (status != RBV_OK) {
      note_failure(q, -1, status);
      return;
    }
  }
  while (!atomic_load(&q->over) && !rbv_cancelled(q->options->cancel)) {
    const ptrdiff_t place = atomic_fetch_add(&q->next, 1);
    if (place >= q->total) break;
    if (q->state[place] == NONE) run_one(q, worker, thread, place);
  }
  if (q->jobs->close) q->jobs->close(worker, q->jobs->self);
}

typedef struct {
  queue *queue;
  int thread;
} hand;

static void *work_in_thread(void *argument) {
  const hand *h = argument;
  work(h->queue, h->thread);
  return NULL;
}

/* ---- before and after ---- */

static ptrdiff_t find_stored(queue *q) {
  const rbv_jobs_store *store = q->options->store;
  ptrdiff_t found = 0;
  for (ptrdiff_t place = 0; store && place < q->total; place++) {
    const void *data;
    size_t size;
    if (!store->find(store->self, index_of(q, place), &data, &size)) continue;
    q->state[place] = FOUND;
    found++;
  }
  atomic_store(&q->done, found);
  return found;
}

static void run_threads(queue *q, ptrdiff_t left) {
  pthread_t id[THREADS_MAX];
  hand h[THREADS_MAX];
  ptrdiff_t nthread = q->options->threads;
  if (nthread > THREADS_MAX) nthread = THREADS_MAX;
  if (nthread > left) nthread = left;
  int started = 0;
  // this thread is number 0; one that cannot be started is not missed
  for (int i = 1; i < nthread; i++, started++) {
    h[i] = (hand){q, i};
    if (pthread_create(&id[i], NULL, work_in_thread, &h[i]) != 0) break;
  }
  if (left > 0) work(q, 0);
  for (int i = 1; i <= started; i++) pthread_join(id[i], NULL);
}

static rbv_status take_all(const queue *q) {
  const rbv_jobs_store *store = q->options->store;
  for (ptrdiff_t place = 0; q->jobs->take && place < q->total; place++) {
    const void *data = q->result[place].text.data;
    size_t size = q->result[place].text.size;
    if (q->state[place] == NONE) continue;
    if (q->state[place] == FOUND && !store->find(store->self, index_of(q, place), &data, &size))
      return rbv_fail(RBV_EREAD, "job %td is no longer in its store", index_of(q, place));
    RBV_TRY(q->jobs->take(q->jobs->self, index_of(q, place), data, size));
  }
  return RBV_OK;
}

static rbv_status run_queue(rbv_jobs_info *info, queue *q) {
  q->result = rbv_alloc((size_t)q->total * sizeof *q->result);
  q->state = rbv_alloc((size_t)q->total);
  if (!q->result || !q->state) return RBV_EMEM;
  info->total = q->total;
  info->found = find_stored(q);
  run_threads(q, q->total - info->found);
  info->done = atomic_load(&q->done);
  if (q->failed < q->total) return rbv_fail(q->status, "%s", q->message);
  return take_all(q);
}

rbv_status rbv_jobs_run(rbv_jobs_info *info, const rbv_jobs *jobs,
                        const rbv_jobs_options *options) {
  rbv_jobs_info own;
  if (!info) info = &own;
  *info = (rbv_jobs_info){0};
  const rbv_jobs_options o = options ? *options : (rbv_jobs_options){0};
  options = NULL;
  const ptrdiff_t stride = o.stride > 0 ? o.stride : 1;
  if (!jobs->run || jobs->count < 0 || o.first < 0 || o.stride < 0 || o.threads < 0)
    return rbv_fail(RBV_EARG, "jobs need something to run, and counts that are not negative");
  queue q = {.jobs = jobs,
             .options = &o,
             .first = o.first,
             .stride = stride,
             .total = jobs->count > o.first ? (jobs->count - o.first + stride - 1) / stride : 0};
  q.failed = q.total;
  pthread_mutex_init(&q.lock, NULL);
  const rbv_status status = run_queue(info, &q);
  pthread_mutex_destroy(&q.lock);
  for (ptrdiff_t i = 0; q.result && i < q.total; i++) rbv_text_free(&q.result[i].text);
  rbv_free(q.result);
  rbv_free(q.state);
  return status;
}
