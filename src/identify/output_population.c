/*
 * Output error: a population of candidates for the start of the search. Each generation is one call
 * of the simulation, which gives the sum of squares of every joint. The candidates change by
 * differential evolution (Storn and Price 1997; Zhang and Sanderson 2009: towards one of the best).
 * The unknowns of a joint act on the error of that joint most. Therefore each joint follows a
 * candidate that is good in this joint; unknowns of all joints follow one that is good as a whole.
 */
#include <math.h>
#include <roberval/sys/population.h>
#include <string.h>

#include "identify/output_error.h"

#define CPU_POPULATION 256
#define DEVICE_POPULATION 32768
#define GENERATIONS 40
#define LONGEST_STEP_S 1e-3  // of the integration
#define SLICE 32             // candidates of one job on the CPU
#define DEVICE_SLICE 65536   // of one call of a device
#define STREAM (UINT64_C(1) << 60)
#define SPREAD_GAIN 1.0    // deviation of the logarithm of gains and drive parameters
#define SPREAD_LINK 0.3    // of parameters of links: many changes give no possible robot
#define SPREAD_BIAS 0.005  // [rad or m]
#define FARTHEST 5.0       // of a logarithm
#define BEST_SHARE 0.05    // of the population, from which the best ones are drawn
#define COPY_SHARE 0.15    // candidates that are put together from the best of each joint
#define STEP_LEAST 0.4     // factor on differences
#define STEP_MOST 0.9
#define DIVERGED 1e6  // cost above which a candidate did not reach the end
#define NEAR 0.05     // distance of two starts that are the same [deviations]
#define REST 1e-3     // spread of the costs of the best at which the population rests

/* how an unknown is stored in a candidate */
typedef enum { FIXED, LOGARITHM, SHARE, OFFSET } coordinate;

typedef struct {
  output_run *o;
  const double *first;  // p: start values
  int count;            // candidates
  int generation;
  int best;                    // number of candidates that count as best
  coordinate *kind;            // p
  int *owner;                  // p: joint whose error an unknown acts on; -1: all
  double *spread;              // p
  double *u, *next;            // candidate c: p numbers
  double *cost, *next_cost;    // candidates
  double *error, *next_error;  // candidate c: mean square of each joint
  int *order;            // (1 + joints) x best: candidates by cost, then by the error of a joint
  int *sorted;           // candidates
  double **recorded;     // per motion: recorded positions, NaN: not compared
  ptrdiff_t compared;    // samples of all segments
  const double *judged;  // the array that is judged: u or next
  double *judged_cost, *judged_error;
  // values of the candidates of a job
} generation;

/* ---- coordinates ---- */

static double uniform(const generation *g, int candidate, int number) {
  const uint64_t stream = STREAM + ((uint64_t)g->generation << 32) + (uint64_t)candidate;
  return rbv_random_uniform(g->o->r->options->seed, stream, (uint64_t)number);
}

static double normal(const generation *g, int candidate, int number) {
  const uint64_t stream = STREAM + ((uint64_t)g->generation << 32) + (uint64_t)candidate;
  return rbv_random_normal(g->o->r->options->seed, stream, (uint64_t)number);
}

static void set_coordinates(generation *g) {
  const output_run *o = g->o;
  for (int i = 0; i < o->p; i++) {
    const rbv_unknown *u = &o->unknown[i];
    const rbv_column *column = i >= o->extra ? rbv_model_column(o->r->model, u->column) : NULL;
    g->owner[i] = column ? column->joint : u->joint;
    g->kind[i] = o->known[i] > 0 || g->first[i] == 0 ? FIXED : LOGARITHM;
    g->spread[i] = column && column->basis == RBV_BASIS_INERTIAL ? SPREAD_LINK : SPREAD_GAIN;
    if (i < o->wanted && u->kind == RBV_UNKNOWN_DELAY) g->kind[i] = SHARE;
    if (i < o->wanted && u->kind == RBV_UNKNOWN_BIAS) {
      g->kind[i] = OFFSET;
      g->spread[i] = SPREAD_BIAS;
    }
    // integrals; and the candidates share one model with its shape parameters
    if (i >= o->wanted && i < o->extra) g->kind[i] = FIXED;
    if (i < o->wanted && u->kind == RBV_UNKNOWN_SHAPE) g->kind[i] = FIXED;
  }
}

static void to_values(double *x, const generation *g, const double *u) {
  const output_run *o = g->o;
  for (int i = 0; i < o->p; i++) {
    const double wide = fmin(fmax(u[i], -FARTHEST), FARTHEST);
    x[i] = g->kind[i] == LOGARITHM ? g->first[i] * exp(wide)
           : g->kind[i] == SHARE   ? o->longest_delay_s * fmin(fmax(u[i], 0), 1)
           : g->kind[i] == OFFSET  ? u[i]
                                   : g->first[i];
  }
  rbv_output_limit(o, x);
}

/* candidate 0 is the start; the others are drawn around it, delays over their range */
static void draw_first(generation *g) {
  const output_run *o = g->o;
  for (int c = 0; c < g->count; c++)
    for (int i = 0; i < o->p; i++) {
      double *u = &g->u[(ptrdiff_t)c * o->p + i];
      const double share = uniform(g, c, i);
      *u = 0;
      if (g->kind[i] == SHARE)
        *u = c == 0 ? g->first[i] / o->longest_delay_s : share * share;
      else if (c > 0 && g->kind[i] != FIXED)
        *u = g->spread[i] * normal(g, c, i);
    }
}

/* ---- judging ---- */

/* values of the plants of one call */
typedef struct {
  rbv_population **population;  // nsegment
  rbv_sim_lane *lane;           // size
  rbv_run_sums *sums;           // size x joints
  rbv_sim_outcome *outcome;     // size
  double *chi, *delay, *bias, *gain, *integral, *x;
  int size;
  void *memory;
} judge;

static void close_judge(void *mine, void *self) {
  const generation *g = self;
  judge *j = mine;
  if (!j) return;
  for (int i = 0; i < g->o->nsegment && j->population; i++) rbv_population_free(j->population[i]);
  rbv_free(j->memory);
  rbv_free(j);
}

static void layout_judge(judge *j, const generation *g, rbv_arena *a) {
  const output_run *o = g->o;
  const ptrdiff_t size = j->size, n = o->joints;
  j->population = RBV_TAKE(a, o->nsegment, rbv_population *);
  j->lane = RBV_TAKE(a, size, rbv_sim_lane);
  j->sums = RBV_TAKE(a, size * n, rbv_run_sums);
  j->outcome = RBV_TAKE(a, size, rbv_sim_outcome);
  j->chi = RBV_TAKE(a, size * rbv_model_column_count(o->r->model), double);
  j->delay = RBV_TAKE(a, size * n, double);
  j->bias = RBV_TAKE(a, size * n, double);
  j->gain = RBV_TAKE(a, size * n * RBV_GAIN_COUNT, double);
  j->integral = RBV_TAKE(a, size * n, double);
  j->x = RBV_TAKE(a, size * o->p, double);
}

static int slice_of(const generation *g) {
  const int most = g->o->loop->device ? DEVICE_SLICE : SLICE;
  return g->count < most ? g->count : most;
}

static rbv_status fill_judge(judge *j, const generation *g) {
  const output_run *o = g->o;
  rbv_arena a = {0};
  RBV_CARVE(&a, layout_judge(j, g, &a));
  j->memory = a.base;
  if (!j->memory) return RBV_EMEM;
  for (int i = 0; i < o->nsegment; i++) {
    rbv_sim_options options = rbv_output_sim_options(o, i);
    // the order of candidates needs no exact motion
    const double rate_hz = rbv_control_rate_hz(rbv_output_given_control(o, o->segment[i].motion));
    options.integrator = RBV_INTEGRATOR_ROS2;
    options.substeps = (int)ceil(1 / (LONGEST_STEP_S * rate_hz) - 1e-9);
    RBV_TRY(rbv_population_new(&j->population[i], o->r->model,
                               rbv_output_given_control(o, o->segment[i].motion), &options, 0,
                               o->loop->device));
  }
  return RBV_OK;
}

static rbv_status open_judge(void **mine, void *self, int thread) {
  (void)thread;
  RBV_NEW(judge, j, 1);
  j->size = slice_of(self);
  RBV_GIVE(mine, j, fill_judge(j, self), close_judge(j, self));
}

/* plant k of a call: values of a candidate */
static void set_plant(judge *j, const generation *g, int k, int candidate) {
  const output_run *o = g->o;
  const ptrdiff_t n = o->joints, columns = rbv_model_column_count(o->r->model);
  double *x = j->x + (ptrdiff_t)k * o->p, *gain = j->gain + k * n * RBV_GAIN_COUNT;
  to_values(x, g, g->judged + (ptrdiff_t)candidate * o->p);
  rbv_output_values(j->chi + k * columns, j->delay + k * n, j->bias + k * n, o, x);
  for (int i = 0; i < RBV_GAIN_COUNT; i++)
    for (int joint = 0; joint < n; joint++)
      gain[i * n + joint] = rbv_output_factor(o, x, joint, (rbv_gain)i);
  j->lane[k] = (rbv_sim_lane){.chi = j->chi + k * columns,
                              .delay = j->delay + k * n,
                              .bias = j->bias + k * n,
                              .gain = gain,
                              .integral = j->integral + k * n};
}

static void set_integrals(judge *j, const generation *g, int segment, int count) {
  const output_run *o = g->o;
  for (int k = 0; k < count; k++)
    rbv_output_integrals(j->integral + (ptrdiff_t)k * o->joints, o, j->x + (ptrdiff_t)k * o->p,
                         segment);
}

/* run all segments with the candidates of a slice: cost, then mean squares, of each */
static rbv_status run_slice(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  const generation *g = self;
  const output_run *o = g->o;
  judge *j = mine;
  const int first = (int)index * slice_of(g), n = o->joints;
  const int count = g->count - first < j->size ? g->count - first : j->size;
  double *result = rbv_alloc((size_t)(count * (n + 1)) * sizeof *result);
  double *start = rbv_alloc((size_t)n * sizeof *start);
  rbv_status status = result && start ? RBV_OK : RBV_EMEM;
  for (int k = 0; k < count && status == RBV_OK; k++) set_plant(j, g, k, first + k);
  for (int i = 0; i < o->nsegment && status == RBV_OK; i++) {
    const output_segment *s = &o->segment[i];
    bool stopped;
    rbv_population_run_plan plan = {.reference = rbv_output_reference(o, i, start),
                                    .known = o->loop->known,
                                    .recorded = g->recorded[s->motion] + s->first};
    // the bias of a candidate moves its start: this is over after the transient
    memcpy(start, s->q0, (size_t)n * sizeof *start);
    set_integrals(j, g, i, count);
    status =
        rbv_population_run(j->sums, j->outcome, &stopped, j->population[i], &plan, j->lane, count);
    for (int k = 0; k < count && status == RBV_OK; k++) {
      const rbv_sim_outcome *end = &j->outcome[k];
      double *to = result + k * (n + 1);
      // what did not reach the end is ordered by the time until then
      if (end->verdict != RBV_SIM_DONE)
        *to += DIVERGED * (2 - (double)end->samples / (double)s->count);
      for (int l = 0; l < n; l++)
        to[1 + l] += (double)s->count * pow(j->sums[k * n + l].difference_rms, 2);
    }
  }
  if (status == RBV_OK) rbv_bytes_add(out, result, (size_t)(count * (n + 1)) * sizeof *result);
  rbv_free(start);
  rbv_free(result);
  return status;
}

static rbv_status take_slice(void *self, ptrdiff_t index, const void *data, size_t size) {
  generation *g = self;
  const output_run *o = g->o;
  const int n = o->joints, first = (int)index * slice_of(g);
  const double *from = data;
  for (int k = 0; (size_t)(k * (n + 1)) * sizeof *from < size; k++, from += n + 1) {
    double *cost = &g->judged_cost[first + k];
    double *error = g->judged_error + (ptrdiff_t)(first + k) * n;
    *cost = from[0];
    for (int j = 0; j < n; j++) {
      const double floor = OUTPUT_FLOOR * OUTPUT_FLOOR * o->scale[j];
      error[j] = from[0] > 0 ? INFINITY : from[1 + j];
      if (from[0] == 0) *cost += log(from[1 + j] + floor);
    }
    if (isnan(*cost)) *cost = 3 * DIVERGED;
  }
  return RBV_OK;
}

/* costs and errors of all candidates in u */
static rbv_status judge_all(generation *g, double *u, double *cost, double *error) {
  const output_run *o = g->o;
  g->judged = u;
  g->judged_cost = cost;
  g->judged_error = error;
  const rbv_jobs jobs = {.name = "candidates",
                         .count = (g->count + slice_of(g) - 1) / slice_of(g),
                         .self = g,
                         .open = open_judge,
                         .close = close_judge,
                         .run = run_slice,
                         .take = take_slice,
                         .shared = true};
  const rbv_jobs_options options = {.threads = o->loop->device ? 1 : o->r->filter.threads};
  RBV_TRY(rbv_jobs_run(NULL, &jobs, &options));
  o->e->loop.simulations += g->count;
  return RBV_OK;
}

/* ---- order ---- */

/* the candidates with the smallest values of a key (stride apart), ties by their number */
static void find_best(int *best, int wanted, int *sorted, const double *key, int stride,
                      int count) {
  for (int i = 0; i < count; i++) sorted[i] = i;
  // a heap of the `wanted` smallest would do; a full sort is short beside the simulation
  for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (int i = gap; i < count; i++) {
      const int c = sorted[i];
      int k = i;
      for (; k >= gap; k -= gap) {
        const int other = sorted[k - gap];
        const double x = key[(ptrdiff_t)c * stride], y = key[(ptrdiff_t)other * stride];
        if (y < x || (y == x && other < c)) break;
        sorted[k] = other;
      }
      sorted[k] = c;
    }
  memcpy(best, sorted, (size_t)wanted * sizeof *best);
}

static void sort_all(generation *g) {
  find_best(g->order, g->best, g->sorted, g->cost, 1, g->count);
  for (int j = 0; j < g->o->joints; j++)
    find_best(g->order + (ptrdiff_t)(1 + j) * g->best, g->best, g->sorted, g->error + j,
              g->o->joints, g->count);
}

/* ---- the next generation ---- */

static int pick(const generation *g, int candidate, int number, int count) {
  const int k = (int)(uniform(g, candidate, number) * count);
  return k < count ? k : count - 1;
}

/* numbers of the draws of a candidate; those of a block follow */
enum { DRAW_COPY, DRAW_STEP, DRAW_BLOCKS };

/* the unknowns of one joint (-1: of all joints) of a candidate */
static void breed_block(const generation *g, int c, int joint, bool copy, double step) {
  const output_run *o = g->o;
  const int number = DRAW_BLOCKS + 4 * (joint + 1);
  const int *best = g->order + (ptrdiff_t)(joint + 1) * g->best;
  const double *own = g->u + (ptrdiff_t)c * o->p;
  const double *good = g->u + (ptrdiff_t)best[pick(g, c, number, g->best)] * o->p;
  const double *a = g->u + (ptrdiff_t)pick(g, c, number + 1, g->count) * o->p;
  const double *b = g->u + (ptrdiff_t)pick(g, c, number + 2, g->count) * o->p;
  double *to = g->next + (ptrdiff_t)c * o->p;
  for (int i = 0; i < o->p; i++) {
    if (g->owner[i] != joint) continue;
    to[i] = copy ? good[i] : own[i] + step * (good[i] - own[i]) + step * (a[i] - b[i]);
    // a delay that leaves its range goes half way to its end
    if (g->kind[i] == SHARE && to[i] < 0) to[i] = own[i] / 2;
    if (g->kind[i] == SHARE && to[i] > 1) to[i] = (1 + own[i]) / 2;
  }
}

static void breed(generation *g) {
  for (int c = 0; c < g->count; c++) {
    const bool copy = uniform(g, c, DRAW_COPY) < COPY_SHARE;
    const double step = STEP_LEAST + (STEP_MOST - STEP_LEAST) * uniform(g, c, DRAW_STEP);
    for (int j = -1; j < g->o->joints; j++) breed_block(g, c, j, copy, step);
  }
}

/* a candidate gives way to its successor if that one is not worse */
static void select_all(generation *g) {
  const output_run *o = g->o;
  const size_t p = (size_t)o->p, n = (size_t)o->joints;
  for (size_t c = 0; c < (size_t)g->count; c++) {
    if (!(g->next_cost[c] <= g->cost[c])) continue;
    memcpy(g->u + c * p, g->next + c * p, p * sizeof *g->u);
    memcpy(g->error + c * n, g->next_error + c * n, n * sizeof *g->error);
    g->cost[c] = g->next_cost[c];
  }
}

/* ---- the search ---- */

static void layout(generation *g, rbv_arena *a) {
  const output_run *o = g->o;
  const ptrdiff_t p = o->p, n = o->joints, count = g->count;
  g->kind = RBV_TAKE(a, p, coordinate);
  g->owner = RBV_TAKE(a, p, int);
  g->spread = RBV_TAKE(a, p, double);
  g->u = RBV_TAKE(a, count * p, double);
  g->next = RBV_TAKE(a, count * p, double);
  g->cost = RBV_TAKE(a, count, double);
  g->next_cost = RBV_TAKE(a, count, double);
  g->error = RBV_TAKE(a, count * n, double);
  g->next_error = RBV_TAKE(a, count * n, double);
  g->order = RBV_TAKE(a, (1 + n) * g->best, int);
  g->sorted = RBV_TAKE(a, count, int);
  g->recorded = RBV_TAKE(a, o->r->nmotion, double *);
  for (int i = 0; i < o->r->nmotion; i++) {
    double *recorded = RBV_TAKE(a, o->trace[i].ld * n, double);
    if (a->base) g->recorded[i] = recorded;
  }
}

/* positions to compare with: not those of the transient, of gaps, or that are held out; and the
 * scale of the errors */
static void set_recorded(generation *g) {
  output_run *o = g->o;
  for (int i = 0; i < o->r->nmotion; i++) {
    const ptrdiff_t count = o->trace[i].ld;
    for (ptrdiff_t k = 0; k < count * o->joints; k++) g->recorded[i][k] = NAN;
  }
  for (int j = 0; j < o->joints; j++) o->scale[j] = 0;
  for (int i = 0; i < o->nsegment; i++) {
    const output_segment *s = &o->segment[i];
    const rbv_sim_reference *r = &o->loop->reference[s->motion];
    const ptrdiff_t ld = o->trace[s->motion].ld;
    for (ptrdiff_t k = s->first + o->loop->skip; k < s->first + s->count; k++) {
      if (!o->valid[s->motion][k] || rbv_output_block(o, s->motion, k) < 0) continue;
      for (int j = 0; j < o->joints; j++) {
        const double q = o->q[s->motion][k + j * ld], away = q - r->q[k + j * r->ld];
        g->recorded[s->motion][k + j * ld] = q;
        o->scale[j] += away * away;
      }
    }
  }
}

/* the costs of the best ones agree: further generations change little */
static bool rests(const generation *g) {
  const double least = g->cost[g->order[0]], most = g->cost[g->order[g->best - 1]];
  return most < DIVERGED && most - least < REST * g->o->joints;
}

static rbv_status evolve(generation *g, int generations) {
  set_coordinates(g);
  set_recorded(g);
  draw_first(g);
  RBV_TRY(judge_all(g, g->u, g->cost, g->error));
  sort_all(g);
  for (g->generation = 1; g->generation < generations && !rests(g); g->generation++) {
    RBV_TRY(rbv_go_on("generations", (double)g->generation / generations));
    breed(g);
    RBV_TRY(judge_all(g, g->next, g->next_cost, g->next_error));
    select_all(g);
    sort_all(g);
  }
  return RBV_OK;
}

/* root mean square difference of two candidates, in deviations */
static double distance(const generation *g, int a, int b) {
  const int p = g->o->p;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < p; i++) {
    if (g->kind[i] == FIXED) continue;
    const double d = g->u[(ptrdiff_t)a * p + i] - g->u[(ptrdiff_t)b * p + i];
    sum += d * d / (g->kind[i] == SHARE ? 1 : g->spread[i] * g->spread[i]);
    count++;
  }
  return count > 0 ? sqrt(sum / count) : 0;
}

/* the best candidates that are apart from each other */
static int choose(double *x, const generation *g, int wanted) {
  int chosen[OUTPUT_BEST], count = 0;
  for (int i = 0; i < g->best && count < wanted && count < OUTPUT_BEST; i++) {
    const int c = g->order[i];
    bool apart = g->cost[c] < DIVERGED;
    for (int k = 0; k < count; k++) apart = apart && distance(g, c, chosen[k]) > NEAR;
    if (!apart) continue;
    to_values(x + (ptrdiff_t)count * g->o->p, g, g->u + (ptrdiff_t)c * g->o->p);
    chosen[count++] = c;
  }
  return count;
}

rbv_status rbv_output_population(double *x, int *found, output_run *o, const double *first,
                                 int wanted) {
  const rbv_closed_loop *loop = o->loop;
  generation g = {.o = o, .first = first};
  g.count = loop->population > 0 ? loop->population
            : loop->device       ? DEVICE_POPULATION
                                 : CPU_POPULATION;
  g.best = (int)ceil(BEST_SHARE * g.count);
  if (g.best < 4) g.best = g.count < 4 ? g.count : 4;
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(&g, &a));
  if (!a.base) return RBV_EMEM;
  const rbv_status status = evolve(&g, loop->generations > 0 ? loop->generations : GENERATIONS);
  *found = status == RBV_OK ? choose(x, &g, wanted) : 0;
  o->e->loop.candidates = g.count;
  o->e->loop.generations = g.generation;
  rbv_free(a.base);
  return status;
}
