/*
 * bench_steps [NAME ...] [--rounds N] [--threads N] [--seed N] [--json]: times of the main
 * computations on this machine, for the built-in TX40.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/plant.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N 6
#define CHUNK 504
#define DECIMATION 125
#define CUTOFF_HZ 50
#define ENTRIES 1024  // upper bound for the TX40's regressor
#define GENERATIONS 3
#define STARTS 2
#define ROUNDS_MOST 1000

#define TRY(call)                                \
  do {                                           \
    const rbv_status try_status = (call);        \
    if (try_status != RBV_OK) return try_status; \
  } while (0)

#define BANDWIDTH_HZ "12,12,16,24,24,40"  // stiff: docs/cli/montecarlo.md

/* the recording that all cases use, and the objects it was made with */
typedef struct {
  rbv_model *model;
  rbv_plant *plant;
  rbv_model *geared;  // with friction of load and of presliding
  rbv_plant *geared_plant;
  rbv_log *log;
  rbv_motion *motion;
  rbv_dynamics *dynamics;
  double *states, *W;  // of one chunk of samples
  char *csv;
  size_t size;
  rbv_excite *excite;
  rbv_limits limits[N];
  int threads;
  uint64_t seed;
} stage;

/* ---- set-up ---- */

/* the loop of both kinds of friction */
static rbv_status run_plant(rbv_plant **out, rbv_model *model) {
  rbv_plant_options how = rbv_plant_defaults();
  how.bandwidth = BANDWIDTH_HZ;
  how.sim.defects.record_counts = 36000;
  TRY(rbv_plant_new(out, model, NULL, &how, NULL));
  return rbv_plant_run(*out, NULL);
}

static rbv_status make_recording(stage *s) {
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 150;
  TRY(rbv_model_load(&s->model, "tx40", &o));
  TRY(run_plant(&s->plant, s->model));
  const rbv_plant *p = s->plant;
  const rbv_sim_columns columns = {.reference = true};
  TRY(rbv_sim_log(&s->log, p->last, 0, &p->trace, &p->outcome, &columns));
  FILE *stream = open_memstream(&s->csv, &s->size);
  if (!stream) return RBV_EMEM;
  const rbv_status status = rbv_plant_write_log(p, NULL, stream, &columns);
  if (fclose(stream) != 0) return RBV_EMEM;
  return status;
}

#define LOAD_SHARE 0.1   // of the load that the gears lose
#define PRESLIDING 0.01  // travel of presliding [rad]

/* the same loop; a part of the Coulomb friction becomes presliding */
static rbv_status make_geared(stage *s) {
  char friction[64];
  snprintf(friction, sizeof friction, "Fl,Fp=%g", PRESLIDING);
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 150;
  o.friction = friction;
  TRY(rbv_model_load(&s->geared, "tx40", &o));
  TRY(run_plant(&s->geared_plant, s->geared));
  double chi[ENTRIES];
  memcpy(chi, rbv_model_parameters(s->geared),
         (size_t)rbv_model_column_count(s->geared) * sizeof *chi);
  for (int j = 0; j < N; j++) {
    char load[8], coulomb[8], presliding[8];
    snprintf(load, sizeof load, "Fl%d", j + 1);
    snprintf(coulomb, sizeof coulomb, "Fc%d", j + 1);
    snprintf(presliding, sizeof presliding, "Fp%d", j + 1);
    const double half = chi[rbv_model_find(s->geared, coulomb)] / 2;
    chi[rbv_model_find(s->geared, load)] = LOAD_SHARE;
    chi[rbv_model_find(s->geared, coulomb)] = chi[rbv_model_find(s->geared, presliding)] = half;
  }
  return rbv_sim_set(s->geared_plant->last, 0, &(rbv_sim_lane){.chi = chi});
}

static rbv_status make_motion(stage *s) {
  const rbv_differentiate_options how = {.cutoff_hz = CUTOFF_HZ};
  TRY(rbv_motion_from_log(&s->motion, s->model, s->log, &how));
  TRY(rbv_dynamics_new(&s->dynamics, s->model));
  // lanes of 64 bytes: a row that begins between two lines of the cache takes 12 % longer
  s->states = aligned_alloc(64, (size_t)3 * N * CHUNK * sizeof *s->states);
  s->W = aligned_alloc(64, (size_t)ENTRIES * CHUNK * sizeof *s->W);
  if (!s->states || !s->W || rbv_model_entry_count(s->model) > ENTRIES) return RBV_EMEM;
  const rbv_samples samples = {
      .ld = CHUNK, .q = s->states, .dq = s->states + N * CHUNK, .ddq = s->states + 2 * N * CHUNK};
  return rbv_motion_read(s->motion, &samples, s->plant->reference.count / 2, CHUNK);
}

static rbv_status make_search(stage *s) {
  rbv_excite_options o = rbv_excite_defaults();
  o.criterion = RBV_CRITERION_DOPT;
  TRY(rbv_excite_new(&s->excite, s->model, &o));
  for (int j = 0; j < N; j++) {
    s->limits[j] = rbv_model_joint(s->model, j)->limits;
    if (!isfinite(s->limits[j].acceleration)) s->limits[j].acceleration = 20;
  }
  return RBV_OK;
}

static rbv_status make_stage(stage *s) {
  TRY(make_recording(s));
  TRY(make_geared(s));
  TRY(make_motion(s));
  return make_search(s);
}

static void free_stage(stage *s) {
  rbv_excite_free(s->excite);
  rbv_dynamics_free(s->dynamics);
  rbv_motion_free(s->motion);
  rbv_log_free(s->log);
  rbv_plant_free(s->plant);
  rbv_model_free(s->model);
  rbv_plant_free(s->geared_plant);
  rbv_model_free(s->geared);
  free(s->states);
  free(s->W);
  free(s->csv);
}

/* ---- cases ---- */

static rbv_states states_of(const stage *s) {
  return (rbv_states){.count = CHUNK,
                      .ld = CHUNK,
                      .q = s->states,
                      .dq = s->states + N * CHUNK,
                      .ddq = s->states + 2 * N * CHUNK};
}

static rbv_status run_regressor(stage *s, const char *what) {
  (void)what;
  const rbv_states x = states_of(s);
  rbv_regressor_batch(s->W, CHUNK, s->dynamics, &x, false);
  return RBV_OK;
}

static rbv_status run_inverse(stage *s, const char *what) {
  (void)what;
  const rbv_states x = states_of(s);
  rbv_dynamics_inverse_batch(s->W, CHUNK, s->dynamics, &x);
  return RBV_OK;
}

static rbv_status run_parse(stage *s, const char *what) {
  (void)what;
  rbv_log *log;
  TRY(rbv_log_parse(&log, "bench", s->csv, s->size, NULL));
  rbv_log_free(log);
  return RBV_OK;
}

static rbv_status run_derivatives(stage *s, const char *method) {
  rbv_differentiate_options how = {.cutoff_hz = CUTOFF_HZ};
  (void)rbv_differentiation_parse(&how.method, method);
  rbv_motion *motion;
  TRY(rbv_motion_from_log(&motion, s->model, s->log, &how));
  rbv_motion_free(motion);
  return RBV_OK;
}

/* regressor, row filter and QR triangles of all rows */
static rbv_status run_compression(stage *s, const char *decimation) {
  int columns[ENTRIES];
  const int nc = rbv_model_column_count(s->model);
  for (int c = 0; c < nc; c++) columns[c] = c;
  const rbv_row_filter filter = {.decimate = atoi(decimation), .threads = s->threads};
  rbv_equations *system;
  TRY(rbv_equations_new(&system, s->model, columns, nc, &filter));
  const rbv_status status = rbv_equations_add(system, s->motion);
  rbv_equations_free(system);
  return status;
}

static rbv_status run_simulation(stage *s, const char *what) {
  rbv_plant *p = strcmp(what, "geared") == 0 ? s->geared_plant : s->plant;
  rbv_sim_outcome outcome;
  return rbv_sim_run(&outcome, p->last, &p->reference, &p->trace);
}

static rbv_status run_identify(stage *s, const char *method) {
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = s->plant->control;
  loop.reference = &s->plant->reference;
  loop.start = rbv_model_parameters(s->model);
  rbv_identify_options how = rbv_identify_defaults();
  how.method = method;
  how.filter.decimate = DECIMATION;
  how.filter.threads = s->threads;
  how.loop = rbv_method_find(method)->loop != RBV_LOOP_OPEN ? &loop : NULL;
  rbv_estimate *e;
  TRY(rbv_identify(&e, s->model, &s->motion, 1, &how));
  rbv_estimate_free(e);
  return RBV_OK;
}

static rbv_status run_search(stage *s, const char *search) {
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.njoint = N;
  rbv_search_options find = rbv_search_defaults();
  (void)rbv_search_parse(&find.search, search);
  find.generations = GENERATIONS;
  find.starts = STARTS;
  find.polish = false;
  find.budget_s = 0;
  find.threads = s->threads;
  find.seed = s->seed;
  const rbv_constraints constraints = {.limits = s->limits};
  rbv_search_info info;
  rbv_trajectory *t;
  TRY(rbv_excite_search(&t, &info, s->excite, &constraints, &shape, &find));
  rbv_trajectory_free(t);
  return RBV_OK;
}

static const struct {
  const char *name, *what, *unit;
  rbv_status (*run)(stage *s, const char *what);
  const char *argument;
  bool per_sample;  // the time is per sample of a chunk; otherwise for the whole recording
} cases[] = {
    {"regressor", "regressor of 504 samples", "ns/sample", run_regressor, "", true},
    {"inverse", "inverse dynamics of 504 samples", "ns/sample", run_inverse, "", true},
    {"csv", "parse the recording", "ms", run_parse, "", false},
    {"bandpass", "derivatives by band-pass", "ms", run_derivatives, "bandpass", false},
    {"irw", "derivatives by the smoother", "ms", run_derivatives, "irw", false},
    {"compress", "regressor and QR triangles, every sample", "ms", run_compression, "1", false},
    {"decimate", "the same, decimated by 125", "ms", run_compression, "125", false},
    {"simulate", "simulate the closed loop once", "ms", run_simulation, "", false},
    {"geared", "the same, friction of load and presliding", "ms", run_simulation, "geared", false},
    {"wls", "identify", "ms", run_identify, "wls", false},
    {"irls", "identify", "ms", run_identify, "irls", false},
    {"didim", "identify", "ms", run_identify, "didim", false},
    {"iv", "identify", "ms", run_identify, "iv", false},
    {"piv", "identify", "ms", run_identify, "piv", false},
    {"slide", "identify", "ms", run_identify, "slide", false},
    {"ga", "design: three generations", "ms", run_search, "ga", false},
    {"slsqp", "design: two starts", "ms", run_search, "slsqp", false},
};

#define CASES ((int)(sizeof cases / sizeof *cases))

/* ---- times ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  double low, middle, high;  // quartiles
} spread;

static rbv_status measure(spread *out, stage *s, int i, int rounds) {
  double time[ROUNDS_MOST], quartile[3];
  const int repeat = cases[i].per_sample ? 20 : 1;
  TRY(cases[i].run(s, cases[i].argument));  // warm-up
  for (int k = 0; k < rounds; k++) {
    const double start = now();
    for (int r = 0; r < repeat; r++) TRY(cases[i].run(s, cases[i].argument));
    time[k] = (now() - start) / repeat * (cases[i].per_sample ? 1e9 / CHUNK : 1e3);
  }
  const double p[3] = {0.25, 0.5, 0.75};
  TRY(rbv_stats_quantiles(quartile, time, time, rounds, p, 3));
  *out = (spread){quartile[0], quartile[1], quartile[2]};
  return RBV_OK;
}

static void print_case(int i, const spread *t, const stage *s, int rounds, bool json) {
  if (!json) {
    printf("%-10s %-40s %9.4g %-10s %9.4g to %.4g\n", cases[i].name, cases[i].what, t->middle,
           cases[i].unit, t->low, t->high);
    fflush(stdout);
    return;
  }
  printf(
      "{\"schema\": \"roberval.bench/1\", \"name\": \"%s\", \"unit\": \"%s\", \"median\": %.6g, "
      "\"lower_quartile\": %.6g, \"upper_quartile\": %.6g, \"rounds\": %d, \"threads\": %d}\n",
      cases[i].name, cases[i].unit, t->middle, t->low, t->high, rounds, s->threads);
  fflush(stdout);
}

static int find_case(const char *name) {
  for (int i = 0; i < CASES; i++)
    if (strcmp(cases[i].name, name) == 0) return i;
  return -1;
}

/* the number after option i; exits if there is none in the range */
static int number(int argc, char **argv, int i, int most) {
  const int value = i + 1 < argc ? atoi(argv[i + 1]) : 0;
  if (value >= 1 && value <= most) return value;
  fprintf(stderr, "bench_steps: %s needs a number from 1 to %d\n", argv[i], most);
  exit(2);
}

static rbv_status run_cases(stage *s, const bool *wanted, int rounds, bool json) {
  TRY(make_stage(s));
  if (!json)
    fprintf(stderr, "TX40, %td samples at %g Hz, six joints; medians and quartiles of %d rounds\n",
            s->plant->reference.count, rbv_control_rate_hz(s->plant->control), rounds);
  for (int i = 0; i < CASES; i++) {
    spread t;
    if (!wanted[i]) continue;
    TRY(measure(&t, s, i, rounds));
    print_case(i, &t, s, rounds, json);
  }
  return RBV_OK;
}

int main(int argc, char **argv) {
  stage s = {.threads = 1, .seed = 1};
  bool wanted[CASES] = {false}, any = false, json = false;
  int rounds = 7;
  for (int i = 1; i < argc; i++) {
    const int found = find_case(argv[i]);
    if (found >= 0) {
      wanted[found] = any = true;
    } else if (strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (strcmp(argv[i], "--rounds") == 0) {
      rounds = number(argc, argv, i++, ROUNDS_MOST);
    } else if (strcmp(argv[i], "--threads") == 0) {
      s.threads = number(argc, argv, i++, 1024);
    } else if (strcmp(argv[i], "--seed") == 0) {
      s.seed = (uint64_t)number(argc, argv, i++, 1 << 30);
    } else {
      fprintf(stderr, "bench_steps: there is no case '%s'\n", argv[i]);
      return 2;
    }
  }
  for (int i = 0; i < CASES && !any; i++) wanted[i] = true;
  const rbv_status status = run_cases(&s, wanted, rounds, json);
  if (status != RBV_OK) fprintf(stderr, "bench_steps: %s\n", rbv_message());
  free_stage(&s);
  return status == RBV_OK ? 0 : 4;
}
