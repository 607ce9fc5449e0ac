/*
 * The table of a device in plain C: plants and lanes take turns. It computes with the sources of
 * the device library, so that tests check its formulas, tiles and records without a device.
 */
#include "device/plain_device.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/point_gram.h"
#include "device/point_loop.h"
#include "device/point_repair.h"

static int plain_open(char *text, size_t size) {
  snprintf(text, size, "plain C, one plant after the other");
  return 0;
}

static int fail(char *text, size_t size, const char *sentence) {
  snprintf(text, size, "%s", sentence);
  return 2;
}

/* ---- closed loops ---- */

static int longest_delay(const device_loop *l) {
  int longest = 0;
  for (int j = 0; j < l->chain.njoint; j++)
    if (l->control[j].delay > longest) longest = l->control[j].delay;
  return longest;
}

/* traces of all plants, without numbers at first; false: out of memory */
static bool take_traces(loop_memory *m, const device_loop *l, const device_loop_arrays *a) {
  const size_t size = (size_t)(device_samples(l) * l->chain.njoint * l->plants);
  for (int i = 0; i < DEVICE_TRACES; i++) {
    if (!device_wants(a->trace, l->plants, i)) continue;
    m->trace[i] = malloc(size * sizeof *m->trace[i]);
    if (!m->trace[i]) return false;
    for (size_t k = 0; k < size; k++) m->trace[i][k] = NAN;
  }
  return true;
}

static void give_traces(const loop_memory *m, const device_loop *l, const device_loop_arrays *a) {
  const size_t size = (size_t)(device_samples(l) * l->chain.njoint);
  for (int i = 0; i < DEVICE_TRACES; i++)
    for (int64_t p = 0; p < l->plants && m->trace[i]; p++)
      if (a->trace[p].of[i])
        memcpy(a->trace[p].of[i], m->trace[i] + (size_t)p * size, size * sizeof *m->trace[i]);
}

#define SLICE 2000  // ticks between two calls of `go`

static int plain_loop(const device_loop *l, const device_loop_arrays *a, device_continue *go,
                      void *self, char *text, size_t size) {
  const size_t P = (size_t)l->plants, n = (size_t)l->chain.njoint;
  const size_t late = (size_t)l->late * n, delay = (size_t)longest_delay(l) * n;
  const size_t read = (size_t)l->loop_delay * n;
  double *memory = calloc((LOOP_STATE + DEVICE_PARAMETERS + late + delay + read) * P + ROOM_SIZE(n),
                          sizeof *memory);
  if (!memory) return fail(text, size, "out of memory");
  double *rings = memory + (LOOP_STATE + DEVICE_PARAMETERS) * P;
  loop_memory m = {.parameters = a->parameters,
                   .seed = a->seed,
                   .qr = a->qr,
                   .ahead = a->ahead,
                   .model = a->model,
                   .recorded = a->recorded,
                   .q0 = a->q0,
                   .dq0 = a->dq0,
                   .values = memory,
                   .state = memory + DEVICE_PARAMETERS * P,
                   .ring_late = rings,
                   .ring_delay = rings + late * P,
                   .ring_read = rings + (late + delay) * P,
                   .sums = a->sums,
                   .outcome = a->outcome,
                   .samples = device_samples(l)};
  double *room = rings + (late + delay + read) * P;
  int result = take_traces(&m, l, a) ? 0 : fail(text, size, "out of memory");
  for (int64_t p = 0; p < l->plants; p++) begin_plant(l, &m, p);
  for (int64_t first = 0; first < l->ticks && result == 0; first += SLICE) {
    const int64_t last = first + SLICE < l->ticks ? first + SLICE : l->ticks;
    for (int64_t p = 0; p < l->plants; p++)
      loop_slice(room, l, &m, p, first, last, l->chain.njoint, chain_kind(&l->chain),
                 loop_extent(l, &m));
    if (go && !go(self)) result = 1;
  }
  if (result == 0) give_traces(&m, l, a);
  for (int i = 0; i < DEVICE_TRACES; i++) free(m.trace[i]);
  free(memory);
  return result;
}

/* ---- Gram matrices ---- */

/* what a lane keeps from step to step */
typedef struct {
  double sum[GRAM_TILES][4];
  gram_lane motion;
} team_lane;

static void plain_part(double *out, team_lane *team, double *block, const device_gram *g,
                       const gram_plan *plan, const device_gram_arrays *a, int64_t first,
                       int64_t last) {
  const int n = g->njoint;
  memset(team, 0, GRAM_LANES * sizeof *team);
  for (int64_t at = first; at < last; at += GRAM_LANES) {
    for (int lane = 0; lane < GRAM_LANES; lane++) {
      const int64_t k = at + lane < last ? at + lane : last - 1;
      gram_motion(&team[lane].motion, block, lane, g, a, k, n, plan->kind);
    }
    for (int i = 0; i < n; i++) {
      for (int lane = 0; lane < GRAM_LANES; lane++)
        gram_row(block, lane, &team[lane].motion, g, plan, i, at + lane < last, n, plan->kind);
      for (int lane = 0; lane < GRAM_LANES; lane++)
        gram_multiply(team[lane].sum, block, lane, g, i);
    }
  }
  for (int lane = 0; lane < GRAM_LANES; lane++) gram_store(out, team[lane].sum, lane, g->columns);
}

static int plain_gram(const device_gram *g, const device_gram_arrays *a, device_continue *go,
                      void *self, char *text, size_t size) {
  const size_t nn = (size_t)g->columns * (size_t)g->columns;
  const size_t room = (size_t)GRAM_ROOM(g->njoint, g->terms);
  double *block = calloc(room + nn, sizeof *block);
  team_lane *team = calloc(GRAM_LANES, sizeof *team);
  const gram_plan plan = plan_gram(g);
  const int parts = gram_parts(g);
  int result = block && team ? 0 : fail(text, size, "out of memory");
  for (int64_t i = 0; i < g->individuals && result == 0; i++) {
    double *out = a->gram + (size_t)i * nn, *part = block + room;
    memset(out, 0, nn * sizeof *out);
    for (int lane = 0; lane < GRAM_LANES; lane++)
      gram_coefficients(block, lane, g, a, i, g->njoint);
    for (int p = 0; p < parts; p++) {
      plain_part(part, team, block, g, &plan, a, gram_part(g, parts, p),
                 gram_part(g, parts, p + 1));
      for (size_t k = 0; k < nn; k++) out[k] += part[k];
    }
    if (go && !go(self)) result = 1;
  }
  free(block);
  free(team);
  return result;
}

/* ---- repair ---- */

static int plain_repair(const device_repair *r, const device_repair_arrays *a, device_continue *go,
                        void *self, char *text, size_t size) {
  double *room = calloc((size_t)REPAIR_ROOM(r->njoint, r->terms), sizeof *room);
  int result = room ? 0 : fail(text, size, "out of memory");
  const int kind = gram_kind(r->joint, r->njoint);
  for (int64_t i = 0; i < r->individuals && result == 0; i++) {
    a->repaired[i] = repair_individual(room, r, a, i, r->njoint, kind);
    if (go && !go(self)) result = 1;
  }
  free(room);
  return result;
}

static double plain_seconds(void) { return 0; }
static void plain_close(void) {}

#define PLAIN_TABLE                                                                        \
  {                                                                                        \
    .version = DEVICE_VERSION, .open = plain_open, .loop = plain_loop, .gram = plain_gram, \
    .repair = plain_repair, .seconds = plain_seconds, .close = plain_close                 \
  }

const device_table rbv_plain_device = PLAIN_TABLE;
