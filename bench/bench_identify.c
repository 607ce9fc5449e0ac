/*
 * From a recording to parameters: the whole tool against a pipeline in NumPy and SciPy, the stages
 * of the tool, and reading of numbers against strtod. The recording is that of the TX40 under
 * ROBERVAL_DATA; without it, a recording of the same size is simulated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <roberval/sys/baseparam.h>
#include <roberval/sys/document.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/log.h>
#include <roberval/sys/prepare.h>

#include "arm.h"
#include "program.h"
#include "stopwatch.h"

#define SAMPLES 45000
#define RATE_HZ 5000
#define JOINTS 6
#define COLUMNS (1 + 2 * JOINTS)
#define DECIMATE "100"
#define CUTOFF "50"
#define SAME_FRICTION "--friction", "plain", "--gamma", "0"  // sign(dq), as the yardstick
#define MOST_ROUNDS 11                                       // a run of the yardstick takes seconds

static void check(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "bench: %s\n", rbv_message());
  exit(4);
}

/* ---- the recording ---- */

/* encoder steps and torque noise as in the real recording */
static void simulate(double *A, const rbv_model *m) {
  rbv_dynamics *d;
  check(rbv_dynamics_new(&d, m));
  check(rbv_dynamics_set(d, rbv_model_parameters(m), false));
  for (int k = 0; k < SAMPLES; k++) {
    const double t = (double)k / RATE_HZ;
    double q[JOINTS], dq[JOINTS], ddq[JOINTS], tau[JOINTS];
    for (int j = 0; j < JOINTS; j++) {
      q[j] = dq[j] = ddq[j] = 0;
      for (int h = 1; h <= 5; h++) {
        const double w = 2 * M_PI * 0.11 * h * (1 + 0.07 * j), a = 0.6 / h, at = w * t + j + h;
        q[j] += a * sin(at);
        dq[j] += a * w * cos(at);
        ddq[j] -= a * w * w * sin(at);
      }
    }
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    A[k] = t;
    for (int j = 0; j < JOINTS; j++) {
      A[k + (1 + j) * SAMPLES] = 9.587e-5 * rint(q[j] / 9.587e-5);
      A[k + (1 + JOINTS + j) * SAMPLES] =
          tau[j] + 0.5 * rbv_random_normal(1, (uint64_t)j, (uint64_t)k);
    }
  }
  rbv_dynamics_free(d);
}

static void write_simulated(const char *path) {
  static const char *const names[COLUMNS] = {"t",    "q1",   "q2",   "q3",   "q4",   "q5",  "q6",
                                             "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  double *A = need((size_t)SAMPLES * COLUMNS, sizeof *A);
  rbv_model *m;
  rbv_csv_writer *writer;
  check(rbv_model_load(&m, "tx40", NULL));
  simulate(A, m);
  check(rbv_csv_create(&writer, path, names, COLUMNS));
  check(rbv_csv_rows(writer, A, SAMPLES, SAMPLES));
  check(rbv_csv_finish(writer));
  rbv_csv_free(writer);
  rbv_model_free(m);
  free(A);
}

/* true if the recording was simulated and must be removed */
static bool find_recording(char *path, size_t size) {
  const char *data = getenv("ROBERVAL_DATA");
  snprintf(path, size, "%s/staubli_tx40/tx40_joint.csv",
           data ? data : BENCH_SOURCE "/../shared/data");
  if (access(path, R_OK) == 0) return false;
  snprintf(path, size, "/tmp/roberval_bench_%d.csv", (int)getpid());
  write_simulated(path);
  return true;
}

/* ---- stages ---- */

typedef struct {
  const char *path;
  char *text;
  size_t size;
  rbv_model *model;
  rbv_log *log;
  rbv_motion *motion;
  rbv_base *base;
  rbv_row_filter filter;
  double *chi;
  double sum;
} stages;

static void run_hash(void *self) {
  char hash[65];
  check(rbv_hash_file(hash, ((stages *)self)->path));
}

static void run_load(void *self) {
  rbv_log *log;
  check(rbv_log_load(&log, ((stages *)self)->path, NULL));
  rbv_log_free(log);
}

static void run_parse(void *self) {
  const stages *s = self;
  rbv_log *log;
  check(rbv_log_parse(&log, "text", s->text, s->size, NULL));
  rbv_log_free(log);
}

/* parse every number of the text without storing it */
static void run_strtod(void *self) {
  stages *s = self;
  const char *p = strchr(s->text, '\n');
  double sum = 0;
  while (*p) {
    char *end;
    const double x = strtod(p + 1, &end);
    if (end == p + 1) break;
    sum += x;
    p = end;
  }
  s->sum = sum;
}

static void run_motion(void *self) {
  const stages *s = self;
  rbv_motion *motion;
  check(rbv_motion_from_log(&motion, s->model, s->log, NULL));
  rbv_motion_free(motion);
}

static void run_suggest(void *self) {
  stages *s = self;
  rbv_row_filter f;
  check(rbv_row_filter_suggest(&f, s->model, &s->motion, 1, 1));
}

static void run_base(void *self) {
  rbv_base *base;
  check(rbv_base_new(&base, ((stages *)self)->model, NULL));
  rbv_base_free(base);
}

static void run_compress(void *self) {
  const stages *s = self;
  rbv_equations *system;
  check(rbv_equations_new(&system, s->model, s->base->kept, s->base->count, &s->filter));
  check(rbv_equations_add(system, s->motion));
  rbv_equations_free(system);
}

static void see(void *self, int row, int fold, const double *measured, const double *predicted,
                ptrdiff_t count) {
  (void)fold;
  (void)row;
  for (ptrdiff_t k = 0; k < count; k++) ((stages *)self)->sum += measured[k] - predicted[k];
}

static void run_replay(void *self) {
  stages *s = self;
  check(rbv_equations_replay(s->model, &s->filter, s->motion, s->chi, see, s));
}

static void run_method(const stages *s, const char *method) {
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  o.filter = s->filter;
  rbv_estimate *e;
  check(rbv_identify(&e, s->model, &s->motion, 1, &o));
  rbv_estimate_free(e);
}

static void run_identify(void *self) { run_method(self, "wls"); }
static void run_irls(void *self) { run_method(self, "irls"); }

static void prepare(stages *s, const char *path) {
  s->path = path;
  check(rbv_file_read(&s->text, &s->size, path));
  check(rbv_model_load(&s->model, "tx40", NULL));
  check(rbv_log_load(&s->log, path, NULL));
  check(rbv_motion_from_log(&s->motion, s->model, s->log, NULL));
  check(rbv_base_new(&s->base, s->model, NULL));
  check(rbv_row_filter_suggest(&s->filter, s->model, &s->motion, 1, 1));
  s->filter.decimate = atoi(DECIMATE);
  s->chi = need((size_t)rbv_model_column_count(s->model), sizeof *s->chi);
}

static void finish(stages *s) {
  rbv_base_free(s->base);
  rbv_motion_free(s->motion);
  rbv_log_free(s->log);
  rbv_model_free(s->model);
  rbv_file_free(s->text);
  free(s->chi);
}

/* ---- from positions to triangles, as in the yardstick ---- */

/* differentiate, compute base parameters, then regressor, decimation and QR in one pass */
static void run_triangles(void *self) {
  const stages *s = self;
  rbv_differentiate_options d = rbv_differentiate_defaults();
  d.cutoff_hz = atof(CUTOFF);
  rbv_motion *motion;
  rbv_base *base;
  rbv_equations *system;
  check(rbv_motion_from_log(&motion, s->model, s->log, &d));
  check(rbv_base_new(&base, s->model, NULL));
  check(rbv_equations_new(&system, s->model, base->kept, base->count, &s->filter));
  check(rbv_equations_add(system, motion));
  rbv_equations_free(system);
  rbv_base_free(base);
  rbv_motion_free(motion);
}

/* time of the yardstick between parsing and solution: the same stages except QR, which is part of
 * its solution */
static void run_yardstick_stages(void *self) {
  program *p = self;
  run_program(p);
  p->seconds = number_of(p, "\"regressor\"") + number_of(p, "\"decimate\"");
  if (!(p->seconds > 0)) give_up("the yardstick does not print its time");
}

static void race_stages(const stopwatch *w, const char *path) {
  static const char *const decimate[] = {"10", "50"};
  static stages s[2];
  static program yardstick[2];
  static contestant c[] = {{.name = "motion, base, regressor, decimation by 10, QR"},
                           {.name = "NumPy and SciPy, the same without QR"},
                           {.name = "motion, base, regressor, decimation by 50, QR"},
                           {.name = "NumPy and SciPy, the same without QR"}};
  for (int i = 0; i < 2; i++) {
    check(rbv_model_load(&s[i].model, BENCH_SOURCE "/bench/robots/tx40_uncoupled.yaml", NULL));
    check(rbv_log_load(&s[i].log, path, NULL));
    s[i].filter = (rbv_row_filter){.decimate = atoi(decimate[i])};
    yardstick[i] =
        (program){.argv = {"/usr/bin/python3", BENCH_SOURCE "/bench/yardstick/pipeline.py",
                           BENCH_SOURCE "/bench/yardstick/tx40.json", path, "--decimate",
                           decimate[i], "--cutoff", CUTOFF}};
    c[2 * i].run = run_triangles;
    c[2 * i].self = &s[i];
    c[2 * i + 1].run = run_yardstick_stages;
    c[2 * i + 1].self = &yardstick[i];
    c[2 * i + 1].seconds = &yardstick[i].seconds;
    c[2 * i].calls = c[2 * i + 1].calls = SAMPLES;
  }
  stopwatch_run(w, c, 4);
  print_times(w, "positions to triangles, per sample", c, 4);
  print_ratio_head();
  print_ratio(w, "regressor, decimation by 10, QR : NumPy and SciPy", &c[0], &c[1], 1.0 / 5);
  print_ratio(w, "regressor, decimation by 50, QR : NumPy and SciPy", &c[2], &c[3], 1.0 / 5);
  for (int i = 0; i < 2; i++) {
    rbv_log_free(s[i].log);
    rbv_model_free(s[i].model);
  }
}

/* ---- comparison and stages ---- */

static void race(const stopwatch *w, const char *path, const char *result) {
  static program uncoupled, coupled, yardstick;
  uncoupled = (program){.argv = {BENCH_ROBERVAL, "identify",
                                 BENCH_SOURCE "/bench/robots/tx40_uncoupled.yaml", path, "--method",
                                 "wls", "--decimate", DECIMATE, "--cutoff", CUTOFF, "--mask", "0",
                                 SAME_FRICTION, "-o", result}};
  coupled = (program){.argv = {BENCH_ROBERVAL, "identify", "tx40", path, "--method", "wls",
                               "--decimate", DECIMATE, "--friction", "plain", "-o", result}};
  yardstick = (program){.argv = {"/usr/bin/python3", BENCH_SOURCE "/bench/yardstick/pipeline.py",
                                 BENCH_SOURCE "/bench/yardstick/tx40.json", path, "--decimate",
                                 DECIMATE, "--cutoff", CUTOFF}};
  compare_answers(&uncoupled, &yardstick, result);
  static contestant c[] = {
      {.name = "identify tx40, cut-off and mask from the data", .self = &coupled},
      {.name = "identify, robot and settings of the yardstick", .self = &uncoupled},
      {.name = "NumPy and SciPy without their imports", .self = &yardstick}};
  for (int i = 0; i < 3; i++) {
    c[i].run = i < 2 ? run_program : run_yardstick;
    c[i].calls = SAMPLES;
  }
  c[2].seconds = &yardstick.seconds;
  stopwatch_run(w, c, 3);
  print_times(w, "whole process, file to result, per sample", c, 3);
  print_ratio_head();
  print_ratio(w, "identify tx40, all from the data : NumPy and SciPy", &c[0], &c[2], 0.1);
  print_ratio(w, "identify, like for like : NumPy and SciPy", &c[1], &c[2], 0.1);
}

static void walk(const stopwatch *w, const char *path) {
  static stages s;
  static program start = {.argv = {BENCH_ROBERVAL, "version"}};
  prepare(&s, path);
  static contestant c[] = {{.name = "start of the process", .run = run_program, .self = &start},
                           {.name = "hash of the file", .run = run_hash},
                           {.name = "parse", .run = run_load},
                           {.name = "motion, cut-off from the data", .run = run_motion},
                           {.name = "suggested filter", .run = run_suggest},
                           {.name = "base parameters", .run = run_base},
                           {.name = "regressor, decimation, QR", .run = run_compress},
                           {.name = "replay", .run = run_replay},
                           {.name = "these three, solve and judge", .run = run_identify},
                           {.name = "the same with irls", .run = run_irls}};
  const int count = (int)(sizeof c / sizeof c[0]);
  for (int i = 0; i < count; i++) {
    if (!c[i].self) c[i].self = &s;
    c[i].calls = SAMPLES;
  }
  stopwatch_run(w, c, count);
  print_times(w, "stages of identify tx40, per sample", c, count);
  print_ratio_head();
  print_ratio(w, "irls : wls, from motion to estimate", &c[count - 1], &c[count - 2], 28.0 / 3);

  static contestant text[] = {{.name = "our log from text", .run = run_parse},
                              {.name = "strtod, nothing kept", .run = run_strtod}};
  for (int i = 0; i < 2; i++) {
    text[i].self = &s;
    text[i].calls = (double)s.size;
  }
  stopwatch_run(w, text, 2);
  print_times(w, "CSV, per byte", text, 2);
  printf("  %.0f and %.0f MB/s\n", 1e3 / time_of(w, &text[0]).middle,
         1e3 / time_of(w, &text[1]).middle);
  print_ratio_head();
  print_ratio(w, "CSV to log : strtod", &text[0], &text[1], 0);
  finish(&s);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  w.wall = true;
  char path[4096], result[64];
  const bool made = find_recording(path, sizeof path);
  snprintf(result, sizeof result, "/tmp/roberval_bench_%d.json", (int)getpid());
  printf("\nrecording: %s\n", made ? "simulated, because ROBERVAL_DATA has none" : path);
  walk(&w, path);
  fflush(stdout);
  stopwatch few = w;
  if (few.rounds > MOST_ROUNDS) few.rounds = MOST_ROUNDS;
  race_stages(&few, path);
  race(&few, path, result);
  if (made) unlink(path);
  unlink(result);
  stopwatch_close(&w);
  return 0;
}
