/*
 * bench: the device library beside plain C, and its speed.
 *
 *   bench LIBRARY RECORDS check   agreement and repeatability, every number of joints
 *   bench LIBRARY RECORDS small   the same kernels on little work, for compute-sanitizer
 *   bench LIBRARY RECORDS time    speed: medians of several runs
 *   bench LIBRARY RECORDS loops   speed of closed loops alone, to compare builds
 *   bench LIBRARY RECORDS grams   speed of Gram matrices alone
 *   bench LIBRARY RECORDS repairs agreement and speed of repairs alone
 *   bench LIBRARY RECORDS once    one launch or two of each kernel, for a profiler
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/plain_device.h"
#include "device/point_math.h"

#define RATE 5000.0
#define TICKS 34500
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const device_table *device;
static int failures;

static void *need(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) {
    fprintf(stderr, "bench: out of memory\n");
    exit(4);
  }
  return p;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void verdict(const char *what, double error, double limit) {
  const bool good = error <= limit;
  printf("  %-64s %9.2e  limit %.0e  %s\n", what, error, limit, good ? "ok" : "WRONG");
  if (!good) failures++;
}

/* ---- records ---- */

typedef struct {
  char name[32];
  device_loop loop;
  double plant[DEVICE_PARAMETERS];
  device_gram gram;
  device_repair repair;
  double values[DEVICE_VALUES];
} robot;

static robot robots[8];
static int nrobot;

static robot *find(const char *name) {
  for (int i = 0; i < nrobot; i++)
    if (strcmp(robots[i].name, name) == 0) return &robots[i];
  if (nrobot == COUNT(robots)) exit(3);
  snprintf(robots[nrobot].name, sizeof robots[nrobot].name, "%s", name);
  return &robots[nrobot++];
}

static void load_records(const char *path) {
  FILE *in = fopen(path, "r");
  char name[32], what[32];
  size_t at;
  uint64_t word;
  if (!in) {
    fprintf(stderr, "bench: %s cannot be read\n", path);
    exit(3);
  }
  while (fscanf(in, "%31s %31s %zu %" SCNx64, name, what, &at, &word) == 4) {
    if (strcmp(name, "version") == 0) {
      if (word != DEVICE_VERSION) {
        fprintf(stderr, "bench: the records have another version: run make_records\n");
        exit(3);
      }
      continue;
    }
    robot *r = find(name);
    char *to = strcmp(what, "loop") == 0     ? (char *)&r->loop
               : strcmp(what, "plant") == 0  ? (char *)r->plant
               : strcmp(what, "repair") == 0 ? (char *)&r->repair
               : strcmp(what, "values") == 0 ? (char *)r->values
                                             : (char *)&r->gram;
    memcpy(to + 8 * at, &word, 8);
  }
  fclose(in);
}

/* ---- closed loops ---- */

typedef struct {
  device_loop loop;
  device_loop_arrays arrays;
  double *parameters, *qr, *recorded;
  uint64_t *seed;
  double *block;  // ntrace of each kind
  device_trace *trace;
  size_t nsum, ntrace;
} population;

/* plants whose parameters differ by 5 % */
static population make_population(const robot *r, int njoint, int64_t plants, int64_t ticks,
                                  int64_t every) {
  population p = {.loop = r->loop};
  p.loop.chain.njoint = njoint;
  p.loop.plants = plants;
  p.loop.ticks = ticks;
  p.loop.every = every;
  // a prefix of the chain has the directions of its own joints only
  if (njoint < r->loop.chain.njoint) p.loop.friction.ndirection = njoint;
  const size_t P = (size_t)plants, n = (size_t)njoint, size = (size_t)ticks * n;
  p.parameters = need(DEVICE_PARAMETERS * P * sizeof(double));
  p.seed = need(P * sizeof *p.seed);
  for (size_t i = 0; i < P; i++) {
    p.seed[i] = 1000 + i;
    for (size_t v = 0; v < DEVICE_PARAMETERS; v++) {
      uint64_t bits[2];
      philox_block(bits, 1, v, i);
      const bool varied = v < DEVICE_SCALE && i > 0;
      p.parameters[v * P + i] = r->plant[v] * (varied ? 1 + 0.1 * (unit_of(bits[0]) - 0.5) : 1);
    }
  }
  p.qr = need(size * sizeof(double));
  p.recorded = need(size * sizeof(double));
  for (int64_t k = 0; k < ticks; k++)
    for (int j = 0; j < njoint; j++) {
      const double s = (double)k / RATE, slow = 1 - exp(-3 * s);
      p.qr[k * njoint + j] =
          slow * (0.4 * sin((2 + 0.5 * j) * s) + 0.15 * sin((5 + 0.7 * j) * s + j));
      p.recorded[k * njoint + j] = p.qr[k * njoint + j] * 0.999;
    }
  p.nsum = DEVICE_SUMS * n * P;
  p.ntrace = every > 0 ? (size_t)((ticks - 1) / every + 1) * n * P : 0;
  p.arrays = (device_loop_arrays){.parameters = p.parameters,
                                  .seed = p.seed,
                                  .qr = p.qr,
                                  .recorded = every > 0 ? p.recorded : NULL,
                                  .sums = need(p.nsum * sizeof(double)),
                                  .outcome = need(P * sizeof(device_outcome))};
  if (every > 0) {
    p.block = need(DEVICE_TRACES * p.ntrace * sizeof(double));
    p.trace = need(P * sizeof(device_trace));
    for (size_t i = 0; i < P; i++)
      for (size_t k = 0; k < DEVICE_TRACES; k++)
        p.trace[i].of[k] = p.block + k * p.ntrace + i * (p.ntrace / P);
    p.arrays.trace = p.trace;
  }
  return p;
}

static void poison(population *p) {
  for (size_t i = 0; i < p->nsum; i++) p->arrays.sums[i] = NAN;
  for (size_t i = 0; i < DEVICE_TRACES * p->ntrace; i++) p->block[i] = NAN;
  memset(p->arrays.outcome, 0xff, (size_t)p->loop.plants * sizeof *p->arrays.outcome);
}

static void free_population(population *p) {
  free(p->parameters);
  free(p->seed);
  free(p->qr);
  free(p->recorded);
  free(p->arrays.sums);
  free(p->arrays.outcome);
  free(p->block);
  free(p->trace);
}

static void run_loop(const device_table *on, population *p) {
  char text[300] = "";
  poison(p);
  if (on->loop(&p->loop, &p->arrays, NULL, NULL, text, sizeof text) != 0) {
    printf("  the loop failed: %s\n", text);
    exit(4);
  }
}

static double difference(const double *a, const double *b, size_t count, double floor) {
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    if (isnan(a[i]) && isnan(b[i])) continue;
    const double e = fabs(a[i] - b[i]) / fmax(floor, floor > 1 ? fabs(b[i]) : floor);
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

static int stopped(const population *p) {
  int count = 0;
  for (int64_t i = 0; i < p->loop.plants; i++) count += p->arrays.outcome[i].verdict != DEVICE_DONE;
  return count;
}

typedef enum { PLAIN, DEFECTS, QUANTISED, TWO_EVALUATIONS } sensing;

/* the linearly implicit scheme of two evaluations */
static device_scheme two_evaluations(void) {
  const double gamma = 0.29289321881345254, b = 0.75;
  device_scheme s = {.stages = 2, .own_mass = 1, .gamma = gamma};
  s.a[1][0] = 1 / (2 * b);
  s.g[1][0] = -gamma / b;
  s.b[0] = 1 - b;
  s.b[1] = b;
  return s;
}

static void check_loop(const robot *r, int njoint, int64_t plants, int64_t ticks, int64_t every,
                       sensing how, double limit) {
  population a = make_population(r, njoint, plants, ticks, every);
  if (how == TWO_EVALUATIONS) a.loop.scheme = two_evaluations();
  if (how == DEFECTS || how == QUANTISED) {
    a.loop.sensors.position_noise = 1e-6;
    a.loop.sensors.disturbed = 1;
    a.loop.sensors.disturbance[0] = 0.5;
    a.loop.sensors.disturbance_pole = 0.97;
    a.loop.late = 6;
    a.loop.loop_delay = 1;
    a.loop.control[0].delay = 1;
    for (int j = 0; j < njoint; j++)
      for (int64_t i = 0; i < plants; i++)
        a.parameters[(DEVICE_DELAY + j) * plants + i] = 0.3 * (double)(i % 8);
    a.loop.own_gains = 1;
    for (int g = 0; g < DEVICE_GAINS * DEVICE_JOINTS; g++)
      for (int64_t i = 0; i < plants; i++)
        a.parameters[(DEVICE_GAIN + g) * plants + i] = 1 + 0.05 * (double)(i % 3);
  }
  if (how == QUANTISED)
    for (int j = 0; j < njoint; j++) a.loop.sensors.step[j] = a.loop.sensors.record_step[j] = 1e-5;
  population b = make_population(r, njoint, plants, ticks, every);
  b.loop = a.loop;
  memcpy(b.parameters, a.parameters, DEVICE_PARAMETERS * (size_t)plants * sizeof(double));
  run_loop(device, &a);
  run_loop(&rbv_plain_device, &b);
  char what[100];
  const char *kind[] = {"", ", noise and delays", ", quantised too", ", ros2"};
  snprintf(what, sizeof what, "%s, %d joints, %" PRId64 " plants, %" PRId64 " ticks%s: position",
           r->name, njoint, plants, ticks, kind[how]);
  verdict(what, difference(a.block, b.block, a.ntrace, 1), limit);
  static const char *const traces[] = {[DEVICE_TRACE_DQ] = "    speed",
                                       [DEVICE_TRACE_DDQ] = "    acceleration",
                                       [DEVICE_TRACE_TAU] = "    torque",
                                       [DEVICE_TRACE_MEASURED] = "    measured"};
  for (int k = DEVICE_TRACE_DQ; k < DEVICE_TRACES; k++)
    verdict(traces[k],
            difference(a.block + (size_t)k * a.ntrace, b.block + (size_t)k * a.ntrace, a.ntrace, 1),
            1e5 * limit);
  verdict("    sums", difference(a.arrays.sums, b.arrays.sums, a.nsum, 1), 1e5 * limit);
  int other = 0;
  for (int64_t i = 0; i < plants; i++)
    other += a.arrays.outcome[i].verdict != b.arrays.outcome[i].verdict ||
             a.arrays.outcome[i].ticks != b.arrays.outcome[i].ticks;
  verdict("    plants with another outcome", other, 0);
  if (stopped(&b)) printf("    (%d plants stopped)\n", stopped(&b));
  // again: the same bits
  const size_t bytes = DEVICE_TRACES * a.ntrace * sizeof(double);
  double *first = need(bytes);
  memcpy(first, a.block, bytes);
  run_loop(device, &a);
  verdict("    second run, bits that differ", memcmp(first, a.block, bytes) != 0, 0);
  free(first);
  free_population(&a);
  free_population(&b);
}

/* ---- Gram matrices ---- */

typedef struct {
  device_gram gram;
  device_gram_arrays arrays;
  double *basis, *x;
  size_t size;
} generation;

enum { HARMONICS = 5, TERMS = 2 * HARMONICS + 1 };

/* a mean and sums of sines of 10 s, with their derivatives */
static double *make_basis(int64_t samples, int orders) {
  double *basis = need((size_t)orders * TERMS * (size_t)samples * sizeof *basis);
  for (int64_t k = 0; k < samples; k++) {
    const double t = 10.0 * ((double)k + 0.5) / (double)samples;
    for (int p = 0; p < TERMS; p++) {
      const int h = (p + 1) / 2;
      const double w = 2 * M_PI * h / 10;
      for (int d = 0; d < orders; d++)
        basis[((int64_t)d * TERMS + p) * samples + k] =
            p == 0
                ? d == 0
                : pow(w, d - 1) * (p % 2 ? sin(w * t + d * M_PI / 2) : cos(w * t + d * M_PI / 2));
    }
  }
  return basis;
}

static generation make_generation(const robot *r, int njoint, int64_t individuals,
                                  int64_t samples) {
  generation g = {.gram = r->gram};
  g.gram.njoint = njoint;
  g.gram.terms = TERMS;
  g.gram.samples = samples;
  g.gram.individuals = individuals;
  device_find_zeros(&g.gram);
  g.basis = make_basis(samples, 3);
  const size_t count = (size_t)(individuals * njoint * TERMS);
  g.x = need(count * sizeof(double));
  for (size_t i = 0; i < count; i++) {
    uint64_t bits[2];
    philox_block(bits, 3, 1, i);
    g.x[i] = 2 * unit_of(bits[0]) - 1;
  }
  g.size = (size_t)individuals * (size_t)(g.gram.columns * g.gram.columns);
  g.arrays = (device_gram_arrays){g.basis, g.x, need(g.size * sizeof(double))};
  return g;
}

static void free_generation(generation *g) {
  free(g->basis);
  free(g->x);
  free(g->arrays.gram);
}

static void run_gram(const device_table *on, generation *g) {
  char text[300] = "";
  for (size_t i = 0; i < g->size; i++) g->arrays.gram[i] = NAN;
  if (on->gram(&g->gram, &g->arrays, NULL, NULL, text, sizeof text) != 0) {
    printf("  scoring failed: %s\n", text);
    exit(4);
  }
}

static void check_gram(const robot *r, int njoint, int64_t individuals, int64_t samples) {
  generation a = make_generation(r, njoint, individuals, samples);
  generation b = make_generation(r, njoint, individuals, samples);
  run_gram(device, &a);
  run_gram(&rbv_plain_device, &b);
  const int n = a.gram.columns;
  double worst = 0;
  for (int64_t i = 0; i < individuals; i++) {
    const double *G = a.arrays.gram + i * n * n, *H = b.arrays.gram + i * n * n;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        // relative to the norms of the two columns
        const double size = sqrt(H[j + j * n] * H[k + k * n]),
                     e = fabs(G[j + k * n] - H[j + k * n]);
        const double relative = size > 0 ? e / size : e;
        if (!(relative <= worst)) worst = relative;
      }
  }
  char what[100];
  snprintf(what, sizeof what, "%s, %d joints, %d columns, %" PRId64 " x %" PRId64 " samples: Gram",
           r->name, njoint, n, individuals, samples);
  verdict(what, worst, 1e-12);
  memcpy(b.arrays.gram, a.arrays.gram, a.size * sizeof(double));
  run_gram(device, &a);
  verdict("    second run, bits that differ",
          memcmp(a.arrays.gram, b.arrays.gram, a.size * sizeof(double)) != 0, 0);
  free_generation(&a);
  free_generation(&b);
}

/* ---- repair ---- */

typedef struct {
  device_repair repair;
  device_repair_arrays arrays;
  double *basis, *x;
} repairs;

/* the first joints of a robot, and the bodies on them */
static device_repair first_joints(const device_repair *of, int njoint) {
  device_repair r = *of;
  r.njoint = njoint;
  const int bodies = r.bodies_of[njoint + 1];
  r.pairs = r.plane_ends = 0;
  for (int i = 0; i < of->pairs; i++)
    if (of->pair[i].a < bodies && of->pair[i].b < bodies) r.pair[r.pairs++] = of->pair[i];
  for (int i = 0; i < of->plane_ends; i++)
    if (of->plane_end[i].end / 2 < bodies) r.plane_end[r.plane_ends++] = of->plane_end[i];
  return r;
}

/* motions around the centre, from small to large */
static repairs make_repairs(const robot *r, int njoint, int64_t individuals, int64_t samples) {
  repairs g = {.repair = first_joints(&r->repair, njoint)};
  g.repair.terms = TERMS;
  g.repair.samples = samples;
  g.repair.individuals = individuals;
  g.basis = make_basis(samples, 4);
  g.x = need((size_t)(individuals * njoint * TERMS) * sizeof(double));
  for (int64_t i = 0; i < individuals; i++)
    for (int j = 0; j < njoint; j++)
      for (int p = 0; p < TERMS; p++) {
        uint64_t bits[2];
        philox_block(bits, 4, (uint64_t)i, (uint64_t)(j * TERMS + p));
        const double u = 2 * unit_of(bits[0]) - 1, size = 0.1 * (double)(1 + i % 10);
        double x = p == 0 ? g.repair.center[j] + 0.3 * u : size * u;
        if (p == 0) x = fmin(fmax(x, g.repair.lower[j] + 0.05), g.repair.upper[j] - 0.05);
        g.x[(i * njoint + j) * TERMS + p] = x;
      }
  g.arrays = (device_repair_arrays){g.basis, g.x, r->values,
                                    need((size_t)individuals * sizeof(device_repaired))};
  return g;
}

static void free_repairs(repairs *g) {
  free(g->basis);
  free(g->x);
  free(g->arrays.repaired);
}

static void run_repairs(const device_table *on, repairs *g) {
  char text[300] = "";
  memset(g->arrays.repaired, 0xff, (size_t)g->repair.individuals * sizeof *g->arrays.repaired);
  if (on->repair(&g->repair, &g->arrays, NULL, NULL, text, sizeof text) != 0) {
    printf("  the repair failed: %s\n", text);
    exit(4);
  }
}

/* Shares may differ by a unit where rounding decides; one motion in 200 may then go another way. */
static void check_repairs(const robot *r, int njoint, int64_t individuals, int64_t samples) {
  repairs a = make_repairs(r, njoint, individuals, samples);
  repairs b = make_repairs(r, njoint, individuals, samples);
  run_repairs(device, &a);
  run_repairs(&rbv_plain_device, &b);
  double worst = 0;
  int off = 0, limited = 0, none = 0;
  for (int64_t i = 0; i < individuals; i++) {
    const device_repaired *x = &a.arrays.repaired[i], *y = &b.arrays.repaired[i];
    for (int j = 0; j < njoint; j++) {
      const double e = fabs(x->own[j] - y->own[j]);
      if (!(e <= worst)) worst = e;
    }
    limited += y->share < DEVICE_UNITS;
    none += y->share == 0;
    off += abs(x->share - y->share) > 1 || x->about_mean != y->about_mean;
  }
  char what[100];
  snprintf(what, sizeof what, "%s, %d joints, %" PRId64 " x %" PRId64 " samples: own factors",
           r->name, njoint, individuals, samples);
  verdict(what, worst, 1e-12);
  snprintf(what, sizeof what, "    other shares than plain C; %d limited, %d impossible", limited,
           none);
  verdict(what, off, (double)(individuals / 200));
  const size_t bytes = (size_t)individuals * sizeof *a.arrays.repaired;
  memcpy(b.arrays.repaired, a.arrays.repaired, bytes);
  run_repairs(device, &a);
  verdict("    second run, bits that differ",
          memcmp(a.arrays.repaired, b.arrays.repaired, bytes) != 0, 0);
  free_repairs(&a);
  free_repairs(&b);
}

/* every number of joints with these two, then whole robots */
static void check_all_repairs(const robot *const *of, int count, const robot *eight,
                              const robot *tilted) {
  for (int n = 1; n <= 8; n++) {
    check_repairs(eight, n, 200, 300);
    check_repairs(tilted, n, 200, 300);
  }
  for (int i = 0; i < count; i++) check_repairs(of[i], of[i]->repair.njoint, 300, 1001);
}

/* ---- speed ---- */

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#define RUNS 5

static void time_gram(const robot *r, int64_t individuals, int64_t samples) {
  generation g = make_generation(r, r->gram.njoint, individuals, samples);
  double host[RUNS], on[RUNS];
  run_gram(device, &g);
  for (int i = 0; i < RUNS; i++) {
    const double start = now();
    run_gram(device, &g);
    host[i] = now() - start;
    on[i] = device->seconds();
  }
  qsort(host, RUNS, sizeof *host, by_value);
  qsort(on, RUNS, sizeof *on, by_value);
  const double count = (double)individuals * (double)samples;
  printf("  gram %-8s %2d columns %6" PRId64 " x %6" PRId64
         ": device %.4f s (%.3f to %.3f), %.3f G samples/s; host %.4f s\n",
         r->name, g.gram.columns, individuals, samples, on[RUNS / 2], on[0], on[RUNS - 1],
         1e-9 * count / on[RUNS / 2], host[RUNS / 2]);
  free_generation(&g);
}

static void time_repairs(const robot *r, int64_t individuals, int64_t samples) {
  repairs g = make_repairs(r, r->repair.njoint, individuals, samples);
  double host[RUNS], on[RUNS];
  run_repairs(device, &g);
  for (int i = 0; i < RUNS; i++) {
    const double start = now();
    run_repairs(device, &g);
    host[i] = now() - start;
    on[i] = device->seconds();
  }
  qsort(host, RUNS, sizeof *host, by_value);
  qsort(on, RUNS, sizeof *on, by_value);
  printf("  repair %-6s %6" PRId64 " x %6" PRId64
         ": device %.5f s (%.5f to %.5f); host %.5f s; %.0f motions/s\n",
         r->name, individuals, samples, on[RUNS / 2], on[0], on[RUNS - 1], host[RUNS / 2],
         (double)individuals / host[RUNS / 2]);
  free_repairs(&g);
}

static void time_all_repairs(const robot *const *of, int count) {
  for (int i = 0; i < count; i++) {
    time_repairs(of[i], 150, 1001);
    time_repairs(of[i], 18000, 1001);
  }
}

/* all: gains of each plant, delays and recorded positions, as in a global search */
static void time_loop(const robot *r, bool two, bool all, int64_t plants, int64_t ticks, int runs) {
  population p = make_population(r, r->loop.chain.njoint, plants, ticks, 0);
  if (all) {
    p.arrays.recorded = p.recorded;
    p.loop.own_gains = 1;
    p.loop.late = 6;
  }
  if (two) p.loop.scheme = two_evaluations();
  double host[RUNS], on[RUNS];
  for (int i = 0; i < runs; i++) {
    const double start = now();
    run_loop(device, &p);
    host[i] = now() - start;
    on[i] = device->seconds();
  }
  qsort(host, (size_t)runs, sizeof *host, by_value);
  qsort(on, (size_t)runs, sizeof *on, by_value);
  printf("  loop %-8s %s %7" PRId64 " plants x %6" PRId64
         " ticks%s: device %.4f s (%.3f to %.3f), %.0f "
         "runs/s of 34500 ticks; host %.4f s; %d stopped\n",
         r->name, two ? "ros2" : "    ", plants, ticks, all ? ", global search" : "", on[runs / 2],
         on[0], on[runs - 1], (double)plants * (double)ticks / TICKS / on[runs / 2], host[runs / 2],
         stopped(&p));
  fflush(stdout);
  free_population(&p);
}

/* ---- all of it ---- */

int main(int count, char **word) {
  if (count != 4) {
    fprintf(stderr, "usage: bench LIBRARY RECORDS check|small|time|loops|grams|repairs|once\n");
    return 2;
  }
  load_records(word[2]);
  void *library = dlopen(word[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "bench: %s\n", dlerror());
    return 3;
  }
  device = dlsym(library, DEVICE_SYMBOL);
  char text[300];
  if (!device || device->version != DEVICE_VERSION) {
    fprintf(stderr, "bench: %s has another version\n", word[1]);
    return 3;
  }
  const double start = now();
  if (device->open(text, sizeof text) != 0) {
    fprintf(stderr, "bench: %s\n", text);
    return 1;
  }
  printf("device: %s; opened in %.2f s\n", text, now() - start);
  const robot *tx40 = find("tx40"), *tilted = find("tilted");
  const robot *eight = find("eight"), *eight_tilted = find("eight_tilted");
  const robot *const repaired[] = {find("ns16"), tx40, tilted};
  const bool small = strcmp(word[3], "small") == 0;
  if (small) {
    check_loop(tx40, 6, 40, 20, 1, QUANTISED, 1e-10);
    check_loop(tilted, 6, 40, 20, 1, DEFECTS, 1e-10);
    check_gram(tx40, 6, 3, 100);
    check_gram(tilted, 6, 3, 100);
    check_repairs(tx40, 6, 5, 300);
    check_repairs(tilted, 6, 5, 300);
  } else if (strcmp(word[3], "check") == 0) {
    for (int n = 1; n <= 8; n++) {
      check_loop(eight, n, 70, 300, 1, PLAIN, 1e-10);
      check_loop(eight_tilted, n, 70, 300, 1, PLAIN, 1e-10);
      check_gram(eight, n, 5, 1000);
      check_gram(eight_tilted, n, 5, 1000);
    }
    check_all_repairs(repaired, COUNT(repaired), eight, eight_tilted);
    check_gram(tx40, 6, 40, 3000);
    check_gram(tilted, 6, 40, 3000);
    // without traces and recorded positions: sums only
    check_loop(tx40, 6, 70, 3000, 0, PLAIN, 1e-10);
    check_loop(tilted, 6, 70, 3000, 0, TWO_EVALUATIONS, 1e-10);
    check_loop(tx40, 6, 8, TICKS, 15, PLAIN, 1e-10);
    check_loop(tilted, 6, 8, TICKS, 15, PLAIN, 1e-10);
    check_loop(tx40, 6, 8, TICKS, 15, DEFECTS, 1e-10);
    check_loop(tx40, 6, 8, TICKS, 15, TWO_EVALUATIONS, 1e-10);
    check_loop(tilted, 6, 8, TICKS, 15, TWO_EVALUATIONS, 1e-10);
    // a step of an encoder may be rounded to the other side: one step at most, for a few ticks
    check_loop(tx40, 6, 8, 5000, 1, QUANTISED, 1e-5);
  } else if (strcmp(word[3], "once") == 0) {
    generation g = make_generation(tx40, 6, 4000, 4000);
    run_gram(device, &g);
    free_generation(&g);
    time_loop(tx40, false, false, 33792, 60, 1);
    generation t = make_generation(tilted, 6, 4000, 4000);
    run_gram(device, &t);
    free_generation(&t);
    repairs p = make_repairs(tx40, 6, 150, 1001);
    run_repairs(device, &p);
    free_repairs(&p);
  } else if (strcmp(word[3], "grams") == 0) {
    time_gram(tx40, 18000, 16000);
    time_gram(tilted, 18000, 16000);
    time_gram(tx40, 150, 2000);
  } else if (strcmp(word[3], "repairs") == 0) {
    check_all_repairs(repaired, COUNT(repaired), eight, eight_tilted);
    time_all_repairs(repaired, COUNT(repaired));
  } else if (strcmp(word[3], "loops") == 0) {
    time_loop(tx40, false, false, 1000, TICKS / 10, 3);
    time_loop(tx40, false, false, 33792, TICKS / 10, 3);
    time_loop(tilted, false, false, 33792, TICKS / 10, 3);
    time_loop(tx40, true, false, 33792, TICKS / 10, 3);
    time_loop(tilted, true, false, 33792, TICKS / 10, 3);
    time_loop(tx40, true, true, 32768, TICKS / 10, 3);
  } else {
    time_gram(tx40, 18000, 16000);
    time_gram(tilted, 18000, 16000);
    time_gram(tx40, 150, 2000);
    time_all_repairs(repaired, COUNT(repaired));
    time_loop(tx40, false, false, 1000, TICKS, 3);
    time_loop(tx40, false, false, 33792, TICKS, 3);
    time_loop(tilted, false, false, 33792, TICKS, 3);
    time_loop(tx40, true, false, 33792, TICKS, 3);
    time_loop(tilted, true, false, 33792, TICKS, 3);
    time_loop(tx40, true, true, 32768, TICKS, 3);
    time_loop(tx40, false, false, 135168, TICKS / 4, 3);
    time_loop(tilted, false, false, 135168, TICKS / 4, 3);
  }
  if (failures) printf("%d comparisons are WRONG\n", failures);
  device->close();
  return failures ? 1 : 0;
}
