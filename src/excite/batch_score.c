#include "excite/batch_score.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "device/device_internal.h"
#include "excite/flat_gram.h"

struct batch_score {
  flat_gram flat;
  int terms;
  double *basis;
  double *G;             // n x n: of the motions added before
  double *coefficients;  // of the individuals that are scored
  double *gram;
  int *which;  // their numbers
  int room;    // individuals
};

void rbv_batch_free(batch_score *b) {
  if (!b) return;
  rbv_free(b->basis);
  rbv_free(b->G);
  rbv_free(b->coefficients);
  rbv_free(b->gram);
  rbv_free(b->which);
  rbv_free(b);
}

static rbv_status fill(batch_score *b, const search *s) {
  const rbv_excite *e = s->excite;
  RBV_TRY(rbv_flat_gram(&b->flat, e));
  RBV_TRY(rbv_flat_basis(&b->basis, &b->terms, s->t[0], s->samples));
  b->flat.gram.terms = b->terms;
  b->flat.gram.samples = s->samples;
  b->G = rbv_alloc((size_t)e->n * (size_t)e->n * sizeof *b->G);
  if (!b->G) return RBV_EMEM;
  if (e->samples0 > 0)
    rbv_gram_add(b->G, e->n, rbv_excite_weighted(e) ? e->R0 : e->plain0, e->n, e->n, e->n);
  return RBV_OK;
}

rbv_status rbv_batch_new(batch_score **out, const search *s) {
  *out = NULL;
  batch_score *b = rbv_alloc(sizeof *b);
  if (!b) return RBV_EMEM;
  const rbv_status status = fill(b, s);
  if (status == RBV_OK)
    *out = b;
  else
    rbv_batch_free(b);
  return status;
}

static rbv_status reserve(batch_score *b, const search *s, int count) {
  if (count <= b->room) return RBV_OK;
  const size_t n = (size_t)s->excite->n, each = (size_t)s->options->trajectories;
  rbv_free(b->coefficients);
  rbv_free(b->gram);
  rbv_free(b->which);
  b->room = 0;
  b->coefficients = rbv_alloc((size_t)count * (size_t)s->total * sizeof *b->coefficients);
  b->gram = rbv_alloc((size_t)count * each * n * n * sizeof *b->gram);
  b->which = rbv_alloc((size_t)count * sizeof *b->which);
  if (!b->coefficients || !b->gram || !b->which) return RBV_EMEM;
  b->room = count;
  return RBV_OK;
}

/* the sum over the trajectories of an individual, in the order of the base parameters */
static void add_up(double *G, const batch_score *b, const search *s, const double *gram) {
  const ptrdiff_t n = s->excite->n;
  memcpy(G, b->G, (size_t)(n * n) * sizeof *G);
  for (int t = 0; t < s->options->trajectories; t++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = j; i < n; i++)
        G[i + j * n] += gram[t * n * n + b->flat.place[i] + b->flat.place[j] * n];
}

/* ---- values of the Gram matrices: one job for a few individuals ---- */

#define PART 8  // individuals of a job

typedef struct {
  const batch_score *batch;
  search *search;
  int count;  // individuals
  double *value;
} scoring;

static rbv_status open_worker(void **mine, void *self, int thread) {
  const scoring *s = self;
  *mine = &s->search->worker[thread];
  return RBV_OK;
}

static double value_of(worker *w, const scoring *s, int individual) {
  const search *of = s->search;
  const ptrdiff_t n = of->excite->n;
  const int each = of->options->trajectories;
  double value;
  add_up(w->G, s->batch, of, s->batch->gram + (ptrdiff_t)individual * each * n * n);
  const rbv_status status = rbv_gram_value(&value, NULL, &w->gram, of->excite, w->G,
                                           each * of->samples + of->excite->samples0, false);
  return status == RBV_OK && !isnan(value) ? value : INFINITY;
}

static rbv_status score_part(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  const scoring *s = self;
  for (int i = (int)index * PART; i < s->count && i < ((int)index + 1) * PART; i++) {
    const double value = value_of(mine, s, i);
    rbv_bytes_add(out, &value, sizeof value);
  }
  return RBV_OK;
}

static rbv_status take_part(void *self, ptrdiff_t index, const void *data, size_t size) {
  const scoring *s = self;
  const double *value = data;
  for (size_t i = 0; i < size / sizeof *value; i++)
    s->value[s->batch->which[index * PART + (ptrdiff_t)i]] = value[i];
  return RBV_OK;
}

rbv_status rbv_batch_score(double *value, batch_score *b, search *s, const double *individual,
                           int count) {
  RBV_TRY(reserve(b, s, count));
  int chosen = 0;
  for (int i = 0; i < count; i++) {
    if (!isfinite(value[i])) continue;
    memcpy(b->coefficients + (ptrdiff_t)chosen * s->total, individual + (ptrdiff_t)i * s->total,
           (size_t)s->total * sizeof *individual);
    b->which[chosen++] = i;
  }
  if (chosen == 0) return RBV_OK;
  b->flat.gram.individuals = (int64_t)chosen * s->options->trajectories;
  const device_gram_arrays arrays = {
      .basis = b->basis, .coefficients = b->coefficients, .gram = b->gram};
  bool stopped;
  RBV_TRY(rbv_device_gram(&stopped, s->options->device, &b->flat.gram, &arrays, NULL));
  scoring scores = {.batch = b, .search = s, .count = chosen, .value = value};
  const rbv_jobs jobs = {.name = "score",
                         .self = &scores,
                         .open = open_worker,
                         .run = score_part,
                         .take = take_part,
                         .shared = true,
                         .count = (chosen + PART - 1) / PART};
  const rbv_jobs_options o = {.threads = s->nthread};
  return rbv_jobs_run(NULL, &jobs, &o);
}
