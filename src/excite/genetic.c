/*
 * The genetic algorithm of 001: individuals are coefficients, pairs cross with a probability, genes
 * mutate with another, the best go on as they are. Every individual is repaired before it is
 * judged, and lives on repaired.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "excite/inside.h"

#define TOURNAMENT 3
#define BLEND 0.25  // children lie between their parents, and so much beyond

typedef struct {
  int thread;
  double *x;  // total
} judge;

typedef struct {
  search *search;
  double *now, *next;  // population x total
  double *value;       // population
  int *order;
  int fresh;      // the first individual that was not judged yet
  judge *judges;  // one per thread
} herd;

/* ---- judging: a job per individual gives its value, and what the repair made of it ---- */

static rbv_status open_judge(void **mine, void *self, int thread) {
  const herd *h = self;
  *mine = &h->judges[thread];
  return RBV_OK;
}

static rbv_status try_one(rbv_bytes *out, void *mine, void *self, ptrdiff_t i) {
  const herd *h = self;
  const judge *j = mine;
  search *s = h->search;
  // out of time: it is not judged
  if (i > 0 && rbv_search_over(s, j->thread == 0)) return RBV_OK;
  const size_t bytes = (size_t)s->total * sizeof *j->x;
  memcpy(j->x, h->now + (h->fresh + i) * s->total, bytes);
  const double value = rbv_search_try(s, j->thread, j->x, false);
  rbv_bytes_add(out, &value, sizeof value);
  rbv_bytes_add(out, j->x, bytes);
  return RBV_OK;
}

static rbv_status take_one(void *self, ptrdiff_t i, const void *data, size_t size) {
  herd *h = self;
  if (size == 0) return RBV_OK;
  const char *bytes = data;
  memcpy(&h->value[h->fresh + i], bytes, sizeof *h->value);
  memcpy(h->now + (h->fresh + i) * h->search->total, bytes + sizeof *h->value,
         size - sizeof *h->value);
  return RBV_OK;
}

static rbv_status judge_fresh(herd *h) {
  const rbv_jobs jobs = {.name = "genetic",
                         .count = h->search->options->population - h->fresh,
                         .self = h,
                         .open = open_judge,
                         .run = try_one,
                         .take = take_one};
  const rbv_jobs_options o = {.threads = h->search->nthread};
  return rbv_jobs_run(NULL, &jobs, &o);
}

/* ---- breeding ---- */

static void sort(herd *h, int count) {
  for (int i = 0; i < count; i++) h->order[i] = i;
  for (int i = 1; i < count; i++) {
    const int x = h->order[i];
    int k = i;
    for (; k > 0 && h->value[h->order[k - 1]] > h->value[x]; k--) h->order[k] = h->order[k - 1];
    h->order[k] = x;
  }
}

typedef struct {
  uint64_t seed, stream, index;
} dice;

static double roll(dice *d) { return rbv_random_uniform(d->seed, d->stream, d->index++); }

static const double *choose(const herd *h, int count, dice *d) {
  int best = count;
  for (int i = 0; i < TOURNAMENT; i++) {
    const int x = (int)(roll(d) * count);
    if (x < best) best = x;
  }
  return h->now + (ptrdiff_t)h->order[best] * h->search->total;
}

static void breed(double *child, const herd *h, int count, double spread, dice *d) {
  const search *s = h->search;
  const double *a = choose(h, count, d), *b = choose(h, count, d);
  const bool cross = roll(d) < s->options->crossover;
  for (int g = 0; g < s->total; g++) {
    const double range = s->high[g] - s->low[g];
    double x = a[g];
    if (cross) {
      const double u = roll(d);
      // a gene of either parent, or one in between
      x = u < 0.3   ? a[g]
          : u < 0.6 ? b[g]
                    : a[g] + (b[g] - a[g]) * ((1 + 2 * BLEND) * (u - 0.6) / 0.4 - BLEND);
    }
    if (roll(d) < s->options->mutation) {
      const double u = roll(d);
      x = u < 0.3
              ? s->low[g] + range * u / 0.3
              : x + spread * range * rbv_random_normal(d->seed, d->stream, 1u << 30 | d->index++);
    }
    child[g] = fmin(s->high[g], fmax(s->low[g], x));
  }
}

static rbv_status evolve(herd *h) {
  search *s = h->search;
  const rbv_search_options *o = s->options;
  const int P = o->population;
  for (int i = 0; i < P; i++) {
    rbv_search_draw(h->now + (ptrdiff_t)i * s->total, s, (uint64_t)i);
    h->value[i] = INFINITY;
  }
  // what was seen before takes the first place
  if (isfinite(s->best_value)) memcpy(h->now, s->best, (size_t)s->total * sizeof *h->now);
  h->fresh = 0;
  for (int generation = 0;; generation++) {
    RBV_TRY(judge_fresh(h));
    sort(h, P);
    const int best = h->order[0];
    rbv_search_note(s, h->now + (ptrdiff_t)best * s->total, h->value[best]);
    if (generation >= o->generations || rbv_search_over(s, true)) return RBV_OK;

    // the elite first, then children; steps shrink as generations pass
    const double spread = 0.15 * (1 - 0.9 * generation / o->generations);
    double kept[64];
    const int elite = o->elite < 64 ? o->elite : 64;
    for (int i = 0; i < P; i++) {
      double *to = h->next + (ptrdiff_t)i * s->total;
      if (i < elite) {
        memcpy(to, h->now + (ptrdiff_t)h->order[i] * s->total, (size_t)s->total * sizeof *to);
        kept[i] = h->value[h->order[i]];
      } else {
        dice d = {o->seed, 0x10000000u + (uint64_t)generation * (uint64_t)P + (uint64_t)i, 0};
        breed(to, h, P, spread, &d);
      }
    }
    double *old = h->now;
    h->now = h->next;
    h->next = old;
    for (int i = 0; i < P; i++) h->value[i] = i < elite ? kept[i] : INFINITY;
    h->fresh = elite;
  }
}

rbv_status rbv_search_genetic(search *s) {
  const size_t P = (size_t)s->options->population, n = (size_t)s->total;
  const size_t threads = (size_t)s->nthread;
  herd h = {.search = s};
  double *memory = rbv_alloc((2 * P * n + P + threads * n) * sizeof *memory);
  h.order = rbv_alloc(P * sizeof *h.order);
  h.judges = rbv_alloc(threads * sizeof *h.judges);
  rbv_status status = memory && h.order && h.judges ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    h.now = memory;
    h.next = memory + P * n;
    h.value = memory + 2 * P * n;
    for (size_t i = 0; i < threads; i++) h.judges[i] = (judge){(int)i, h.value + P + i * n};
    status = evolve(&h);
  }
  rbv_free(memory);
  rbv_free(h.order);
  rbv_free(h.judges);
  if (!s->options->polish || s->shape->kind == RBV_TRAJECTORY_VIA) return status;
  // gradients from the best, as long as they find something
  for (double before = INFINITY; status == RBV_OK && isfinite(s->best_value);) {
    if (!(s->best_value < before - 1e-3 * fabs(before)) && isfinite(before)) break;
    if (rbv_search_over(s, true)) break;
    // the first time from elsewhere as well
    const int starts = isfinite(before) ? 1 : s->options->starts;
    before = s->best_value;
    status = rbv_search_gradient(s, starts, s->best);
  }
  return status;
}
