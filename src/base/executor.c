/* Jobs on several threads. Results are processed in the order of the indices. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/queue.h"

#define THREADS_MAX 256

void rbv_bytes_add(rbv_bytes *bytes, const void *data, size_t size) {
  rbv_text_add(&bytes->text, data, size);
}

void rbv_cancel(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

bool rbv_cancelled(const int *flag) { return flag && __atomic_load_n(flag, __ATOMIC_RELAXED); }

/* ---- the queue ---- */

ptrdiff_t rbv_queue_index(const queue *q, ptrdiff_t place) { return q->first + place * q->stride; }

void rbv_queue_fail(queue *q, ptrdiff_t place, rbv_status status, const char *message) {
  pthread_mutex_lock(&q->lock);
  if (place < q->failed) {
    q->failed = place;
    q->status = status;
    snprintf(q->message, sizeof q->message, "%s", message);
  }
  atomic_store(&q->over, true);
  pthread_cond_broadcast(&q->moved);
  pthread_mutex_unlock(&q->lock);
}

static void set_state(queue *q, ptrdiff_t place, char state) {
  pthread_mutex_lock(&q->lock);
  q->state[place] = state;
  pthread_cond_broadcast(&q->moved);
  pthread_mutex_unlock(&q->lock);
}

static bool is_stored(const queue *q, ptrdiff_t place) {
  const rbv_jobs_store *store = q->options->store;
  const void *data;
  size_t size;
  return store->find(store->self, rbv_queue_index(q, place), &data, &size);
}

/* True if another process has stored this job's result, or if that cannot be determined. */
static bool done_elsewhere(queue *q, ptrdiff_t place) {
  const rbv_jobs_store *store = q->options->store;
  if (!store || !store->look) return false;
  pthread_mutex_lock(&q->lock);
  rbv_status status = RBV_OK;
  bool found = is_stored(q, place);
  if (!found) {
    status = store->look(store->self);
    found = status == RBV_OK && is_stored(q, place);
  }
  pthread_mutex_unlock(&q->lock);
  if (status != RBV_OK) rbv_queue_fail(q, place, status, rbv_message());
  if (found) {
    set_state(q, place, PLACE_FOUND);
    atomic_fetch_add(&q->done, 1);
  }
  return found || status != RBV_OK;
}

static ptrdiff_t place_of(const queue *q, ptrdiff_t turn) {
  return q->order ? q->order[turn] : turn;
}

/* True if no new job may start. */
static bool is_ending(const queue *q) {
  return atomic_load(&q->over) || rbv_cancelled(q->options->cancel);
}

ptrdiff_t rbv_queue_next(queue *q) {
  while (!is_ending(q)) {
    const ptrdiff_t turn = atomic_fetch_add(&q->next, 1);
    if (turn >= q->total) break;
    const ptrdiff_t place = place_of(q, turn);
    if (q->state[place] == PLACE_NONE && !done_elsewhere(q, place)) return place;
  }
  return -1;
}

static rbv_status keep(queue *q, ptrdiff_t place) {
  const rbv_jobs_store *store = q->options->store;
  const rbv_text *text = &q->result[place].text;
  if (text->failed) return RBV_EMEM;
  if (!store) return RBV_OK;
  pthread_mutex_lock(&q->lock);
  RBV_FINISH(store->keep(store->self, rbv_queue_index(q, place), text->data, text->size),
             pthread_mutex_unlock(&q->lock));
}

void rbv_queue_done(queue *q, ptrdiff_t place, bool tell) {
  const rbv_status status = keep(q, place);
  if (status != RBV_OK) {
    rbv_queue_fail(q, place, status, rbv_message());
    return;
  }
  set_state(q, place, PLACE_DONE);
  const ptrdiff_t done = atomic_fetch_add(&q->done, 1) + 1;
  if (tell && q->options->progress) q->options->progress(q->options->payload, done, q->total);
}

bool rbv_queue_result(const queue *q, ptrdiff_t place, const void **data, size_t *size) {
  const rbv_jobs_store *store = q->options->store;
  *data = q->result[place].text.data;
  *size = q->result[place].text.size;
  if (q->state[place] != PLACE_FOUND) return q->state[place] == PLACE_DONE;
  return store->find(store->self, rbv_queue_index(q, place), data, size);
}

/* ---- processing of results ---- */

static rbv_status take_one(const queue *q, ptrdiff_t place) {
  const void *data;
  size_t size;
  if (!rbv_queue_result(q, place, &data, &size))
    return rbv_fail(RBV_EREAD, "job %td is no longer in its store", rbv_queue_index(q, place));
  return q->jobs->take(q->jobs->self, rbv_queue_index(q, place), data, size);
}

static rbv_status take_all(const queue *q) {
  for (ptrdiff_t place = q->taken; q->jobs->take && place < q->total; place++)
    if (q->state[place] != PLACE_NONE) RBV_TRY(take_one(q, place));
  return RBV_OK;
}

/* Process the results that are next in order. Called by thread 0. While the place is outside of the
 * window, wait for more results. */
static void take_ready(queue *q, ptrdiff_t place) {
  pthread_mutex_lock(&q->lock);
  while (q->taken < q->total && !is_ending(q)) {
    if (q->state[q->taken] == PLACE_NONE) {
      if (place < q->taken + q->window) break;
      pthread_cond_wait(&q->moved, &q->lock);
      continue;
    }
    pthread_mutex_unlock(&q->lock);
    const rbv_status status = take_one(q, q->taken);
    if (status != RBV_OK) rbv_queue_fail(q, q->taken, status, rbv_message());
    rbv_text_free(&q->result[q->taken].text);
    pthread_mutex_lock(&q->lock);
    q->taken++;
    pthread_cond_broadcast(&q->moved);
  }
  pthread_mutex_unlock(&q->lock);
}

/*
 * Wait until a place is in the window; false: no new job may start. A place in the window is run
 * even after a failure elsewhere: other threads may wait for it, and its own failure may be the
 * lowest.
 */
static bool await_window(queue *q, ptrdiff_t place, int thread) {
  if (q->window == 0) return true;
  if (thread == 0) take_ready(q, place);
  pthread_mutex_lock(&q->lock);
  while (place >= q->taken + q->window && !is_ending(q)) pthread_cond_wait(&q->moved, &q->lock);
  const bool inside = place < q->taken + q->window;
  pthread_mutex_unlock(&q->lock);
  return inside;
}

/* ---- this process ---- */

static void run_one(queue *q, void *worker, int thread, ptrdiff_t place) {
  const double done = (double)atomic_load(&q->done) / (double)q->total;
  rbv_status status =
      thread == 0 ? rbv_go_on(q->jobs->name ? q->jobs->name : "jobs", done) : RBV_OK;
  if (status == RBV_OK)
    status = q->jobs->run(&q->result[place], worker, q->jobs->self, rbv_queue_index(q, place));
  if (status == RBV_OK)
    rbv_queue_done(q, place, thread == 0);
  else
    rbv_queue_fail(q, place, status, rbv_message());
}

/*
 * Without shares, places are distributed in ascending order. When one fails, all before it have
 * been started and will finish. The lowest failure is therefore found on any number of threads.
 */
static void work(queue *q, int thread) {
  void *worker = NULL;
  if (q->jobs->open) {
    const rbv_status status = q->jobs->open(&worker, q->jobs->self, thread);
    if (status != RBV_OK) {
      rbv_queue_fail(q, -1, status, rbv_message());
      return;
    }
  }
  for (ptrdiff_t place; (place = rbv_queue_next(q)) >= 0 && await_window(q, place, thread);)
    run_one(q, worker, thread, place);
  if (q->window > 0 && thread == 0) take_ready(q, q->total + q->window);
  if (q->jobs->close) q->jobs->close(worker, q->jobs->self);
}

typedef struct {
  queue *queue;
  int thread;
} thread_start;

static void *work_in_thread(void *argument) {
  const thread_start *h = argument;
  work(h->queue, h->thread);
  return NULL;
}

/* ---- a run ---- */

static void find_stored(queue *q) {
  for (ptrdiff_t place = 0; q->options->store && place < q->total; place++) {
    if (!is_stored(q, place)) continue;
    q->state[place] = PLACE_FOUND;
    atomic_fetch_add(&q->done, 1);
  }
}

static ptrdiff_t count_found(const queue *q) {
  ptrdiff_t count = 0;
  for (ptrdiff_t place = 0; place < q->total; place++) count += q->state[place] == PLACE_FOUND;
  return count;
}

/* Own places in ascending order, then all others in random order. */
static void put_order(ptrdiff_t *order, const queue *q) {
  const rbv_jobs_options *o = q->options;
  ptrdiff_t count = 0;
  for (ptrdiff_t place = o->share; place < q->total; place += o->shares) order[count++] = place;
  const ptrdiff_t own = count;
  for (ptrdiff_t place = 0; place < q->total; place++) {
    if (place % o->shares == o->share) continue;
    const double u = rbv_random_uniform((uint64_t)o->share, 0, (uint64_t)place);
    const ptrdiff_t at = own + (ptrdiff_t)(u * (double)(count + 1 - own));
    order[count++] = order[at];
    order[at] = place;
  }
}

static void run_threads(queue *q, ptrdiff_t left) {
  pthread_t id[THREADS_MAX];
  thread_start h[THREADS_MAX];
  ptrdiff_t nthread = q->options->threads;
  if (nthread > THREADS_MAX) nthread = THREADS_MAX;
  if (nthread > left) nthread = left;
  int started = 0;
  // This thread is number 0. If a thread cannot be started, the others do its work.
  for (int i = 1; i < nthread; i++, started++) {
    h[i] = (thread_start){q, i};
    if (rbv_thread_start(&id[i], work_in_thread, &h[i]) != 0) break;
  }
  if (left > 0) work(q, 0);
  for (int i = 1; i <= started; i++) pthread_join(id[i], NULL);
}

/* Run all places, or those that are left when members have left the team. */
static void run_here(queue *q) {
  ptrdiff_t left = 0;
  for (ptrdiff_t turn = atomic_load(&q->next); turn < q->total; turn++)
    left += q->state[place_of(q, turn)] == PLACE_NONE;
  run_threads(q, left);
}

static rbv_status run_queue(rbv_jobs_info *info, queue *q) {
  const bool leads = !q->team || q->team->rank == 0;
  q->result = rbv_alloc((size_t)q->total * sizeof *q->result);
  q->state = rbv_alloc((size_t)q->total);
  if (!q->result || !q->state) return RBV_EMEM;
  if (q->options->shares > 0) {
    q->order = rbv_alloc((size_t)q->total * sizeof *q->order);
    if (!q->order) return RBV_EMEM;
    put_order(q->order, q);
  }
  info->total = q->total;
  if (leads) find_stored(q);
  rbv_status status = q->team ? leads ? rbv_team_lead(q, run_here) : rbv_team_serve(q) : RBV_OK;
  if (!q->team) run_here(q);
  info->done = atomic_load(&q->done);
  info->found = count_found(q);
  if (status == RBV_OK && q->failed < q->total) status = rbv_fail(q->status, "%s", q->message);
  if (status != RBV_OK || !(leads || q->jobs->shared)) return status;
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
    return rbv_fail(RBV_EARG, "jobs need a function to run, and no count may be negative");
  if (o.shares < 0 || o.share < 0 || (o.shares > 0 && o.share >= o.shares))
    return rbv_fail(RBV_EARG, "share %td of %td does not exist: shares count from 0", o.share,
                    o.shares);
  queue q = {.jobs = jobs,
             .options = &o,
             .team = rbv_team_enter(),
             .first = o.first,
             .stride = stride,
             .total = jobs->count > o.first ? (jobs->count - o.first + stride - 1) / stride : 0};
  q.failed = q.total;
  if (jobs->take && !q.team && o.shares == 0)
    q.window = jobs->window * (o.threads > 1 ? o.threads : 1);
  pthread_mutex_init(&q.lock, NULL);
  pthread_cond_init(&q.moved, NULL);
  const rbv_status status = run_queue(info, &q);
  pthread_cond_destroy(&q.moved);
  pthread_mutex_destroy(&q.lock);
  if (q.team) rbv_team_exit();
  for (ptrdiff_t i = 0; q.result && i < q.total; i++) rbv_text_free(&q.result[i].text);
  RBV_FREE_ALL(q.result, q.state, q.order);
  return status;
}
