/*
 * The jobs of a search: their results, the store that keeps them, and the decision to end the
 * search. Jobs are numbered: first all generations of the genetic algorithm, then the rounds of
 * gradients.
 */
#include <math.h>
#include <string.h>

#include "excite/excite_internal.h"

#define ROUNDS 50  // of gradients whose results are kept; usually there are two or three

/* ---- numbers ---- */

static ptrdiff_t genetic_jobs(const rbv_search_options *o) {
  return o->search == RBV_SEARCH_GA ? ((ptrdiff_t)o->generations + 1) * o->population : 0;
}

ptrdiff_t rbv_search_jobs(const rbv_search_options *o) {
  return genetic_jobs(o) + (ptrdiff_t)ROUNDS * o->starts;
}

ptrdiff_t rbv_search_gradient_first(const search *s, int round) {
  return round < ROUNDS ? genetic_jobs(s->options) + (ptrdiff_t)round * s->options->starts : -1;
}

/* ---- findings ---- */

void rbv_search_count(search *s, int thread) {
  s->counted[thread]++;
  atomic_fetch_add(&s->tried, 1);
}

finding rbv_finding_begin(const search *s, int thread) {
  return (finding){.evaluations = s->counted[thread]};
}

void rbv_finding_end(rbv_bytes *out, finding f, const search *s, int thread, const double *x,
                     double value) {
  f.value = value;
  f.evaluations = s->counted[thread] - f.evaluations;
  rbv_bytes_add(out, &f, sizeof f);
  rbv_bytes_add(out, x, (size_t)s->total * sizeof *x);
}

#define EVALUATIONS_MAX 1000000000  // of one job

rbv_status rbv_finding_take(finding *f, bool *found, double *x, search *s, const void *data,
                            size_t size) {
  const size_t bytes = (size_t)s->total * sizeof *x;
  *found = size == sizeof *f + bytes;
  if (!*found) return RBV_OK;
  memcpy(f, data, sizeof *f);
  memcpy(x, (const char *)data + sizeof *f, bytes);
  bool sound = !isnan(f->value) && f->evaluations >= 0 && f->evaluations <= EVALUATIONS_MAX;
  for (int i = 0; i < s->total; i++) sound = sound && isfinite(x[i]);
  if (!sound)
    return rbv_fail(RBV_EINPUT,
                    "a stored candidate has numbers that no search writes: the journal is damaged");
  s->evaluations += f->evaluations;
  if (f->kept) atomic_store(&s->kept, true);
  return RBV_OK;
}

/* ---- running, with the store of the search ---- */

static bool find(void *self, ptrdiff_t index, const void **data, size_t *size) {
  const rbv_jobs_store *store = self;
  return store->find(store->self, index, data, size);
}

static rbv_status look(void *self) {
  const rbv_jobs_store *store = self;
  return store->look(store->self);
}

/* results of jobs that ran out of time are not kept: a resumed search runs them again */
static rbv_status keep(void *self, ptrdiff_t index, const void *data, size_t size) {
  const rbv_jobs_store *store = self;
  finding f = {.cut = true};
  if (size >= sizeof f) memcpy(&f, data, sizeof f);
  return f.cut ? RBV_OK : store->keep(store->self, index, data, size);
}

rbv_status rbv_search_run(search *s, rbv_jobs jobs, ptrdiff_t first, ptrdiff_t count) {
  rbv_jobs_store given = {0}, store = {.self = &given, .find = find, .keep = keep};
  rbv_jobs_options o = {.threads = s->nthread, .first = first > 0 ? first : 0};
  if (s->options->store && first >= 0) {
    given = *s->options->store;
    if (given.look) store.look = look;
    o.store = &store;
    o.share = s->options->share;
    o.shares = s->options->shares;
  }
  jobs.count = o.first + count;
  jobs.shared = true;
  return rbv_jobs_run(NULL, &jobs, &o);
}

/* ---- the leader's decision, sent as a result that exists already ---- */

static bool find_word(void *self, ptrdiff_t index, const void **data, size_t *size) {
  (void)index;
  *data = self;
  *size = 1;
  return true;
}

static rbv_status say_nothing(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  (void)out, (void)mine, (void)self, (void)index;
  return RBV_OK;
}

static rbv_status take_word(void *self, ptrdiff_t index, const void *data, size_t size) {
  (void)index;
  if (size == 1) memcpy(self, data, 1);
  return RBV_OK;
}

rbv_status rbv_search_agree(bool *over, search *s) {
  char word = rbv_search_over(s, true);
  const rbv_jobs_store store = {.self = &word, .find = find_word};
  const rbv_jobs jobs = {.name = "agree",
                         .count = 1,
                         .self = &word,
                         .run = say_nothing,
                         .take = take_word,
                         .shared = true};
  const rbv_jobs_options o = {.store = rbv_team_leads() ? &store : NULL};
  const rbv_status status = rbv_jobs_run(NULL, &jobs, &o);
  *over = word;
  return status;
}
