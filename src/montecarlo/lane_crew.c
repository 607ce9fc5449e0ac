#include "montecarlo/lane_crew.h"

#include <pthread.h>
#include <stdio.h>

/* a status with its sentence, which belongs to a thread: how it gets to another one */
typedef struct {
  rbv_status status;
  char sentence[1024];
} verdict;

struct rbv_crew {
  pthread_mutex_t baton;  // held by who works, and with it all that follows
  pthread_cond_t news;
  pthread_t *thread;  // hands beside the caller's
  int nthread;
  bool over;  // no task will come any more

  const rbv_crew_task *task;
  int count, next;  // pieces; the first that nobody has begun
  int busy;         // pieces that have begun and not ended
  int waiting;      // of them
  bool *waits;      // pieces
  long meetings;    // that there were
  verdict met;      // of the last one
  verdict worst;    // of the first piece that failed
  int failed;       // which that is
};

static void note(verdict *v, rbv_status status) {
  v->status = status;
  if (status != RBV_OK) snprintf(v->sentence, sizeof v->sentence, "%s", rbv_message());
}

static rbv_status tell(const verdict *v) {
  return v->status == RBV_OK ? RBV_OK : rbv_fail(v->status, "%s", v->sentence);
}

/* ---- meeting ---- */

/* a hand that is free will begin what is left, and may come to wait too */
static bool all_wait(const rbv_crew *c) {
  const bool free_hand = c->busy < c->nthread + 1;
  return c->waiting > 0 && c->waiting == c->busy && !(free_hand && c->next < c->count);
}

static void hold_meeting(rbv_crew *c) {
  note(&c->met, c->task->together(c->task->self, c->waits));
  for (int k = 0; k < c->count; k++) c->waits[k] = false;
  c->waiting = 0;
  c->meetings++;
  pthread_cond_broadcast(&c->news);
}

rbv_status rbv_crew_meet(rbv_crew *c, int piece) {
  const long before = c->meetings;
  c->waits[piece] = true;
  c->waiting++;
  if (all_wait(c)) hold_meeting(c);
  while (c->meetings == before) pthread_cond_wait(&c->news, &c->baton);
  // the next meeting needs this piece too, so the last one is still the one it came to
  return tell(&c->met);
}

/* ---- hands ---- */

static void work_off(rbv_crew *c) {
  while (c->next < c->count) {
    const int piece = c->next++;
    c->busy++;
    const rbv_status status = c->task->work(c->task->self, piece);
    if (status != RBV_OK && piece < c->failed) {
      note(&c->worst, status);
      c->failed = piece;
    }
    c->busy--;
    if (all_wait(c)) hold_meeting(c);
  }
  pthread_cond_broadcast(&c->news);
}

static void *lend_a_hand(void *argument) {
  rbv_crew *c = argument;
  pthread_mutex_lock(&c->baton);
  while (!c->over) {
    work_off(c);
    while (!c->over && c->next >= c->count) pthread_cond_wait(&c->news, &c->baton);
  }
  pthread_mutex_unlock(&c->baton);
  return NULL;
}

rbv_status rbv_crew_run(rbv_crew *c, int count, const rbv_crew_task *task) {
  pthread_mutex_lock(&c->baton);
  c->task = task;
  c->count = c->failed = count;
  c->next = 0;
  c->worst.status = RBV_OK;
  pthread_cond_broadcast(&c->news);
  work_off(c);
  while (c->busy > 0) pthread_cond_wait(&c->news, &c->baton);
  pthread_mutex_unlock(&c->baton);
  return tell(&c->worst);
}

/* ---- the object ---- */

void rbv_crew_free(rbv_crew *c) {
  if (!c) return;
  pthread_mutex_lock(&c->baton);
  c->over = true;
  pthread_cond_broadcast(&c->news);
  pthread_mutex_unlock(&c->baton);
  for (int i = 0; i < c->nthread; i++) pthread_join(c->thread[i], NULL);
  pthread_cond_destroy(&c->news);
  pthread_mutex_destroy(&c->baton);
  rbv_free(c);
}

static void layout(rbv_crew *c, int pieces, int hands, rbv_arena *a) {
  c->waits = RBV_TAKE(a, pieces, bool);
  c->thread = RBV_TAKE(a, hands, pthread_t);
}

rbv_status rbv_crew_new(rbv_crew **out, int pieces, int hands) {
  *out = NULL;
  rbv_crew sizes;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_crew);
  layout(&sizes, pieces, hands, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_crew *c = RBV_TAKE(&carve, 1, rbv_crew);
  layout(c, pieces, hands, &carve);
  pthread_mutex_init(&c->baton, NULL);
  pthread_cond_init(&c->news, NULL);
  pthread_mutex_lock(&c->baton);
  while (c->nthread < hands - 1 &&
         pthread_create(&c->thread[c->nthread], NULL, lend_a_hand, c) == 0)
    c->nthread++;
  pthread_mutex_unlock(&c->baton);
  *out = c;
  return RBV_OK;
}
