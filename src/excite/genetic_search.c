/*
 * The genetic algorithm of Villagrossi 2014: individuals are coefficients, pairs cross with a
 * probability, genes mutate with another. Every individual is repaired before it is evaluated, and
 * keeps the repaired coefficients.
 *
 * Two rules avoid early convergence to a local optimum. The coefficients of a joint are inherited
 * together, because together they are its motion. A child replaces the most similar of a few
 * individuals, and only if it is better: good solutions are kept, and different ones coexist.
 *
 * A device repairs individuals on a grid of samples. Whenever such an individual becomes the best,
 * it is repaired and scored once more on the CPU, as all are without a device: the best one keeps
 * its constraints at all times.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "excite/batch_repair.h"
#include "excite/batch_score.h"
#include "excite/excite_internal.h"

#define TOURNAMENT 3
#define RIVALS 10   // individuals that a child is compared with
#define BLEND 0.25  // children lie between their parents, and up to this share outside

typedef struct {
  int thread;
  double *x;  // total
} judge;

typedef struct {
  search *search;
  int count;           // of individuals, and of children
  double *now, *next;  // count x total: individuals, their children
  double *value, *born;
  bool *exact;  // count: individuals that the CPU repaired
  bool *kept;   // count: children that a device could repair
  int *order;
  ptrdiff_t first;  // number of this generation's first job
  judge *judges;    // one per thread
} herd;

/* ---- evaluation: one job per child returns its value and its repaired coefficients ---- */

static rbv_status open_judge(void **mine, void *self, int thread) {
  const herd *h = self;
  *mine = &h->judges[thread];
  return RBV_OK;
}

/* Repair child i in x and return its value. A batch is scored after all of its individuals are
 * repaired; until then feasible ones have 0. */
static double try_child(const herd *h, const judge *j, ptrdiff_t i, finding *f) {
  search *s = h->search;
  if (!s->batch) return rbv_search_try(s, j->thread, j->x, false, f);
  if (!s->repairs) return rbv_search_repair(s, j->thread, j->x, f) ? 0 : INFINITY;
  rbv_search_count(s, j->thread);
  f->kept = h->kept[i];
  return h->kept[i] ? 0 : INFINITY;
}

static rbv_status try_one(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  const herd *h = self;
  const judge *j = mine;
  search *s = h->search;
  const ptrdiff_t i = index - h->first;
  // out of time: not evaluated
  if (i > 0 && rbv_search_over(s, j->thread == 0)) return RBV_OK;
  finding f = rbv_finding_begin(s, j->thread);
  memcpy(j->x, h->next + i * s->total, (size_t)s->total * sizeof *j->x);
  const double value = try_child(h, j, i, &f);
  rbv_finding_end(out, f, s, j->thread, j->x, value);
  return RBV_OK;
}

static rbv_status take_one(void *self, ptrdiff_t index, const void *data, size_t size) {
  herd *h = self;
  const ptrdiff_t i = index - h->first;
  finding f;
  bool found;
  RBV_TRY(rbv_finding_take(&f, &found, h->next + i * h->search->total, h->search, data, size));
  if (found) h->born[i] = f.value;
  return RBV_OK;
}

/* individuals of the first generation (0), then children */
static rbv_status judge_children(herd *h, int generation) {
  for (int i = 0; i < h->count; i++) h->born[i] = INFINITY;
  h->first = (ptrdiff_t)generation * h->count;
  if (h->search->repairs)
    RBV_TRY(rbv_batch_repair(h->next, h->kept, h->search->repairs, h->search, h->count));
  const rbv_jobs jobs = {
      .name = "genetic", .self = h, .open = open_judge, .run = try_one, .take = take_one};
  RBV_TRY(rbv_search_run(h->search, jobs, h->first, h->count));
  return h->search->batch ? rbv_batch_score(h->born, h->search->batch, h->search, h->next, h->count)
                          : RBV_OK;
}

/* ---- breeding ---- */

static void sort(herd *h) {
  for (int i = 0; i < h->count; i++) h->order[i] = i;
  for (int i = 1; i < h->count; i++) {
    const int x = h->order[i];
    int k = i;
    for (; k > 0 && h->value[h->order[k - 1]] > h->value[x]; k--) h->order[k] = h->order[k - 1];
    h->order[k] = x;
  }
}

/* sort, so that the best individual is one that the CPU has repaired and scored */
static void find_best(herd *h) {
  search *s = h->search;
  for (sort(h);; sort(h)) {
    const int best = h->order[0];
    if (h->exact[best] || !isfinite(h->value[best])) return;
    h->value[best] = rbv_search_try(s, 0, h->now + (ptrdiff_t)best * s->total, false, NULL);
    h->exact[best] = true;
  }
}

typedef struct {
  uint64_t seed, stream, index;
} dice;

static double roll(dice *d) { return rbv_random_uniform(d->seed, d->stream, d->index++); }

static const double *choose(const herd *h, dice *d) {
  int best = h->count;
  for (int i = 0; i < TOURNAMENT; i++) {
    const int x = (int)(roll(d) * h->count);
    if (x < best) best = x;
  }
  return h->now + (ptrdiff_t)h->order[best] * h->search->total;
}

/* share of parent b in a joint: none, all, or in between */
static double share_of(dice *d) {
  const double u = roll(d);
  return u < 0.3 ? 0 : u < 0.6 ? 1 : (1 + 2 * BLEND) * (u - 0.6) / 0.4 - BLEND;
}

static double mutate(double x, const search *s, int g, double spread, dice *d) {
  const double range = s->high[g] - s->low[g], u = roll(d);
  if (u < 0.3) return s->low[g] + range * u / 0.3;
  return x + spread * range * rbv_random_normal(d->seed, d->stream, 1u << 30 | d->index++);
}

static void breed(double *child, const herd *h, double spread, dice *d) {
  const search *s = h->search;
  const double *a = choose(h, d), *b = choose(h, d);
  const bool cross = roll(d) < s->options->crossover;
  for (int t = 0; t < s->options->trajectories; t++)
    for (int j = 0; j < s->shape->njoint; j++) {
      int count;
      const int first = t * s->n + rbv_trajectory_first(s->t[0], j, &count);
      const double share = cross ? share_of(d) : 0;
      for (int g = first; g < first + count; g++) {
        double x = a[g] + share * (b[g] - a[g]);
        if (roll(d) < s->options->mutation) x = mutate(x, s, g, spread, d);
        child[g] = fmin(s->high[g], fmax(s->low[g], x));
      }
    }
}

static double distance(const double *x, const double *y, const search *s) {
  double sum = 0;
  for (int g = 0; g < s->total; g++) {
    const double range = s->high[g] - s->low[g], step = range > 0 ? (x[g] - y[g]) / range : 0;
    sum += step * step;
  }
  return sum;
}

/* a child replaces the most similar individual if it is better */
static void settle(herd *h, int child, dice *d) {
  const search *s = h->search;
  const double *x = h->next + (ptrdiff_t)child * s->total;
  int rival = 0;
  double nearest = INFINITY;
  for (int i = 0; i < RIVALS; i++) {
    const int k = (int)(roll(d) * h->count);
    const double far = distance(x, h->now + (ptrdiff_t)k * s->total, s);
    if (far < nearest) {
      nearest = far;
      rival = k;
    }
  }
  if (!(h->born[child] < h->value[rival])) return;
  h->value[rival] = h->born[child];
  h->exact[rival] = !s->repairs;
  memcpy(h->now + (ptrdiff_t)rival * s->total, x, (size_t)s->total * sizeof *x);
}

static rbv_status begin(herd *h) {
  search *s = h->search;
  for (int i = 0; i < h->count; i++)
    rbv_search_draw(h->next + (ptrdiff_t)i * s->total, s, (uint64_t)i);
  // the best candidate so far takes the first place
  if (isfinite(s->best_value)) memcpy(h->next, s->best, (size_t)s->total * sizeof *h->next);
  RBV_TRY(judge_children(h, 0));
  memcpy(h->now, h->next, (size_t)h->count * (size_t)s->total * sizeof *h->now);
  memcpy(h->value, h->born, (size_t)h->count * sizeof *h->value);
  for (int i = 0; i < h->count; i++) h->exact[i] = !s->repairs;
  return RBV_OK;
}

static rbv_status evolve(herd *h) {
  search *s = h->search;
  const rbv_search_options *o = s->options;
  const int P = h->count;
  RBV_TRY(begin(h));
  for (int generation = 0;; generation++) {
    find_best(h);
    const int best = h->order[0];
    rbv_search_note(s, h->now + (ptrdiff_t)best * s->total, h->value[best]);
    bool over;
    RBV_TRY(rbv_search_agree(&over, s));
    if (generation >= o->generations || over) return RBV_OK;

    // steps become smaller with each generation
    const double spread = 0.15 * (1 - 0.9 * generation / o->generations);
    dice d = {.seed = o->seed};
    for (int i = 0; i < P; i++) {
      d.stream = 0x10000000u + (uint64_t)generation * (uint64_t)P + (uint64_t)i;
      d.index = 0;
      breed(h->next + (ptrdiff_t)i * s->total, h, spread, &d);
    }
    RBV_TRY(judge_children(h, generation + 1));
    d = (dice){o->seed, 0x8000000000000000u + (uint64_t)generation, 0};
    for (int i = 0; i < P; i++) settle(h, i, &d);
  }
}

/* device: scores; repairs too, if it can */
static rbv_status open_device(search *s) {
  if (!s->options->device) return RBV_OK;
  RBV_TRY(rbv_batch_new(&s->batch, s));
  const rbv_status status = rbv_batch_repair_new(&s->repairs, s, s->options->population);
  return status == RBV_EUNSUPPORTED ? RBV_OK : status;
}

static void close_device(search *s) {
  rbv_batch_free(s->batch);
  rbv_batch_repair_free(s->repairs);
  s->batch = NULL;
  s->repairs = NULL;
}

rbv_status rbv_search_genetic(search *s) {
  const size_t P = (size_t)s->options->population, n = (size_t)s->total;
  herd h = {.search = s, .count = s->options->population};
  const size_t threads = (size_t)s->nthread;
  double *memory = rbv_alloc((2 * P * n + 2 * P + threads * n) * sizeof *memory);
  h.order = rbv_alloc(P * sizeof *h.order);
  h.exact = rbv_alloc(2 * P * sizeof *h.exact);
  h.judges = rbv_alloc(threads * sizeof *h.judges);
  rbv_status status = memory && h.order && h.exact && h.judges ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    h.kept = h.exact + P;
    h.now = memory;
    h.next = memory + P * n;
    h.value = memory + 2 * P * n;
    h.born = h.value + P;
    for (size_t i = 0; i < threads; i++) h.judges[i] = (judge){(int)i, h.born + P + i * n};
    status = open_device(s);
  }
  if (status == RBV_OK) status = evolve(&h);
  close_device(s);
  rbv_free(memory);
  rbv_free(h.order);
  rbv_free(h.exact);
  rbv_free(h.judges);
  if (!s->options->polish || !rbv_trajectory_class_smooth(s->shape->kind)) return status;
  // gradients from the best individual, as long as they improve it
  double before = INFINITY;
  for (int round = 0; status == RBV_OK && isfinite(s->best_value); round++) {
    if (!(s->best_value < before - 1e-3 * fabs(before)) && isfinite(before)) break;
    bool over;
    RBV_TRY(rbv_search_agree(&over, s));
    if (over) break;
    // the first round uses other starts as well
    const int starts = round > 0 ? 1 : s->options->starts;
    before = s->best_value;
    status = rbv_search_gradient(s, starts, s->best, rbv_search_gradient_first(s, round));
  }
  return status;
}
