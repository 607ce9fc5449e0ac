/*
 * Friction of gears, load and presliding at every joint, against viscous and Coulomb friction, on
 * the TX40: generated C code of the inverse dynamics with the step of its states, and a simulated
 * closed loop. The code is compared with the library before the timing.
 */
#include <dlfcn.h>
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/export.h>
#include <roberval/sys/plant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generated.h"
#include "stopwatch.h"

#define N 6
#define SAMPLES 4096
#define COLUMNS 256
#define DT 1e-3

typedef void plain_inverse(double *tau, const double *q, const double *dq, const double *ddq);
typedef void geared_inverse(double *tau, const double *q, const double *dq, const double *ddq,
                            const double *z);
typedef void geared_step(double *next, const double *dq, const double *z, double dt);

typedef struct {
  bool geared;
  rbv_model *model;
  double chi[COLUMNS];
  void *library;
  plain_inverse *plain;
  geared_inverse *inverse;
  geared_step *step;
  rbv_plant *plant;
  double z[N], tau[N * SAMPLES];
} job;

static double q[N * SAMPLES], dq[N * SAMPLES], ddq[N * SAMPLES];

static void leave(const char *why) {
  fprintf(stderr, "bench: friction: %s\n", why);
  exit(4);
}

static void check(rbv_status status) {
  if (status != RBV_OK) leave(rbv_message());
}

/* a tenth of the load, and half of the Coulomb friction as presliding */
static void load(job *j, bool geared) {
  rbv_model_options o = rbv_model_defaults();
  *j = (job){.geared = geared};
  o.gamma = 150;
  o.friction = geared ? "Fl,Fp=0.01" : NULL;
  check(rbv_model_load(&j->model, "tx40", &o));
  memcpy(j->chi, rbv_model_parameters(j->model),
         (size_t)rbv_model_column_count(j->model) * sizeof *j->chi);
  for (int i = 1; i <= N && geared; i++) {
    char load[8], coulomb[8], presliding[8];
    snprintf(load, sizeof load, "Fl%d", i);
    snprintf(coulomb, sizeof coulomb, "Fc%d", i);
    snprintf(presliding, sizeof presliding, "Fp%d", i);
    double *fc = &j->chi[rbv_model_find(j->model, coulomb)];
    j->chi[rbv_model_find(j->model, load)] = 0.1;
    j->chi[rbv_model_find(j->model, presliding)] = *fc / 2;
    *fc /= 2;
  }
}

static void *find(const job *j, const char *name) {
  void *found = dlsym(j->library, name);
  if (!found) leave(dlerror());
  return found;
}

/* as a user would compile it */
static void compile(job *j) {
  rbv_export_options o = rbv_export_defaults();
  rbv_export *e;
  o.format = RBV_EXPORT_C;
  o.name = "arm";
  check(rbv_export_new(&e, j->model, j->chi, &o));
  if (e->refused) leave(e->reason);
  j->library = generated_library(e);
  rbv_export_free(e);
  // ISO C does not convert object pointers to function pointers
  void *inverse = find(j, "arm_inverse_dynamics"), *step = j->geared ? find(j, "arm_step") : NULL;
  if (j->geared) {
    memcpy(&j->inverse, &inverse, sizeof inverse);
    memcpy(&j->step, &step, sizeof step);
  } else {
    memcpy(&j->plain, &inverse, sizeof inverse);
  }
}

static void make_states(void) {
  for (int k = 0; k < SAMPLES; k++)
    for (int i = 0; i < N; i++) {
      const double w = 2 + i, t = DT * k;
      q[k * N + i] = sin(w * t);
      dq[k * N + i] = w * cos(w * t);
      ddq[k * N + i] = -w * w * sin(w * t);
    }
}

static void run_code(void *self) {
  job *j = self;
  memset(j->z, 0, sizeof j->z);
  for (int k = 0; k < SAMPLES * N; k += N)
    if (j->geared) {
      j->step(j->z, dq + k, j->z, DT);
      j->inverse(j->tau + k, q + k, dq + k, ddq + k, j->z);
    } else {
      j->plain(j->tau + k, q + k, dq + k, ddq + k);
    }
}

/* the library along the same motion, with states of its own */
static void agree(const job *j) {
  rbv_dynamics *d;
  double z[N] = {0}, want[N], error = 0, size = 0;
  check(rbv_dynamics_new(&d, j->model));
  check(rbv_dynamics_set(d, j->chi, false));
  for (int k = 0; k < SAMPLES * N; k += N) {
    for (int i = 0; i < N; i++) {
      const double s = (dq[k + i] > 0) - (dq[k + i] < 0);
      z[i] = s + (z[i] - s) * exp(-fabs(dq[k + i]) * DT / 0.01);
    }
    const rbv_states at = {.count = 1,
                           .ld = 1,
                           .q = q + k,
                           .dq = dq + k,
                           .ddq = ddq + k,
                           .state = j->geared ? z : NULL};
    rbv_dynamics_inverse_batch(want, 1, d, &at);
    for (int i = 0; i < N; i++) {
      error = fmax(error, fabs(want[i] - j->tau[k + i]));
      size = fmax(size, fabs(want[i]));
    }
  }
  rbv_dynamics_free(d);
  if (!(error <= 1e-12 * size)) leave("the code differs from the library");
}

static void make_loop(job *j) {
  rbv_plant_options how = rbv_plant_defaults();
  how.bandwidth = "12,12,16,24,24,40";
  how.sim.defects.record_counts = 36000;
  check(rbv_plant_new(&j->plant, j->model, NULL, &how, NULL));
  check(rbv_plant_run(j->plant, NULL));
  check(rbv_sim_set(j->plant->last, 0, &(rbv_sim_lane){.chi = j->chi}));
}

static void run_loop(void *self) {
  job *j = self;
  rbv_sim_outcome outcome;
  check(rbv_sim_run(&outcome, j->plant->last, &j->plant->reference, &j->plant->trace));
  if (outcome.verdict != RBV_SIM_DONE) leave("the simulation was lost");
}

int main(int argc, char **argv) {
  static job job_of[2];
  stopwatch w = stopwatch_new(argc, argv);
  make_states();
  for (int i = 0; i < 2; i++) {
    load(&job_of[i], i == 1);
    compile(&job_of[i]);
    run_code(&job_of[i]);
    agree(&job_of[i]);
    make_loop(&job_of[i]);
  }
  contestant field[] = {
      {.name = "generated C, Fv + Fc", .run = run_code, .self = &job_of[0], .calls = SAMPLES},
      {.name = "generated C, load, presliding",
       .run = run_code,
       .self = &job_of[1],
       .calls = SAMPLES},
      {.name = "simulation, Fv + Fc", .run = run_loop, .self = &job_of[0], .calls = 1},
      {.name = "simulation, load, presliding", .run = run_loop, .self = &job_of[1], .calls = 1}};
  stopwatch_run(&w, field, 4);
  print_times(&w, "TX40, friction of gears", field, 4);
  print_ratio_head();
  print_ratio(&w, "generated C, load and presliding with step : Fv + Fc", &field[1], &field[0],
              1.5);
  print_ratio(&w, "simulation, load and presliding : Fv + Fc", &field[3], &field[2], 1.6);
  for (int i = 0; i < 2; i++) {
    rbv_plant_free(job_of[i].plant);
    rbv_model_free(job_of[i].model);
    dlclose(job_of[i].library);
  }
  stopwatch_close(&w);
  return 0;
}
