/*
 * Cost of identification with a simulated loop, in units of one simulation of that loop: the TX40
 * for 6.9 s at 5 kHz with encoders of 3600 counts and a disturbance that is not recorded, from
 * wrong inertias and zero friction to convergence. Once for the 28 parameters that are not zero,
 * once for all base parameters.
 */
#include <math.h>
#include <stdlib.h>

#include <roberval/sys/identify.h>
#include <roberval/sys/sim.h>

#include "arm.h"
#include "stopwatch.h"

#define JOINTS 6
#define ROUNDS 11  // a round takes seconds
#define GAMMA 150
#define DECIMATE 125
#define CUTOFF_HZ 50
#define DISTURBANCE 0.02  // relative to the torque
#define COUNTS 3600

static void check(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "bench: %s\n", rbv_message());
  exit(4);
}

typedef struct {
  rbv_model *model;
  rbv_sim_reference reference;
  rbv_control *control;
  rbv_sim *sim;  // configured as in the identification
  rbv_sim_trace trace;
  rbv_motion *recorded;
  double *q;      // reference positions
  double *start;  // ncolumn
  bool *nonzero;  // ncolumn
} bench;

typedef struct {
  const bench *b;
  const char *method;
  bool all;
  int iterations;
} job;

static void simulate(rbv_sim_outcome *outcome, const bench *b) {
  check(rbv_sim_run(outcome, b->sim, &b->reference, &b->trace));
  if (outcome->verdict == RBV_SIM_DONE) return;
  fprintf(stderr, "bench: the loop does not follow its reference\n");
  exit(4);
}

static void run_simulation(void *self) {
  rbv_sim_outcome outcome;
  simulate(&outcome, ((job *)self)->b);
}

static void run_identify(void *self) {
  job *j = self;
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = j->b->control;
  loop.reference = &j->b->reference;
  loop.start = j->b->start;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = j->method;
  how.filter.decimate = DECIMATE;
  how.columns = j->all ? NULL : j->b->nonzero;
  how.loop = &loop;
  rbv_estimate *e;
  rbv_motion *recorded = j->b->recorded;
  check(rbv_identify(&e, j->b->model, &recorded, 1, &how));
  if (!e->converged) {
    fprintf(stderr, "bench: %s did not converge; its time is not measured\n", j->method);
    exit(4);
  }
  j->iterations = e->iterations;
  rbv_estimate_free(e);
}

/* ---- set-up ---- */

static void tune(bench *b) {
  static const double hz[JOINTS] = {12, 12, 16, 24, 24, 40};
  double J[JOINTS];
  rbv_control_joint joint[JOINTS];
  check(rbv_sim_inertia(J, b->model, rbv_model_parameters(b->model), false, &b->reference, 50));
  for (int j = 0; j < JOINTS; j++) joint[j] = rbv_control_tune(J[j], 2 * M_PI * hz[j], 0.2, 10);
  check(rbv_control_new(&b->control, "bench", 5000, RBV_FEEDFORWARD_NONE, joint, JOINTS));
}

/* one recording; the disturbance is relative to the torque of an undisturbed run */
static void record(bench *b) {
  const rbv_sim_lane lane = {.chi = rbv_model_parameters(b->model), .seed = 1};
  rbv_sim_outcome outcome;
  check(rbv_sim_new(&b->sim, b->model, b->control, NULL, 1));
  check(rbv_sim_set(b->sim, 0, &lane));
  check(rbv_sim_trace_new(&b->trace, JOINTS, b->reference.count));
  simulate(&outcome, b);
  double disturbance[JOINTS];
  rbv_sim_deviation(disturbance, &b->trace, JOINTS, b->reference.count);
  for (int j = 0; j < JOINTS; j++) disturbance[j] *= DISTURBANCE;

  rbv_sim_options o = rbv_sim_defaults();
  o.defects.disturbance = disturbance;
  o.defects.disturbance_hz = 20;
  o.defects.record_counts = COUNTS;
  bench noisy = *b;
  check(rbv_sim_new(&noisy.sim, b->model, b->control, &o, 1));
  check(rbv_sim_set(noisy.sim, 0, &lane));
  simulate(&outcome, &noisy);
  rbv_log *log;
  rbv_differentiate_options d = rbv_differentiate_defaults();
  d.cutoff_hz = CUTOFF_HZ;
  check(rbv_sim_log(&log, noisy.sim, 0, &b->trace, &outcome, NULL));
  check(rbv_motion_from_log(&b->recorded, b->model, log, &d));
  rbv_log_free(log);
  rbv_sim_free(noisy.sim);
}

/* inertias wrong by -20 to +25 %, no friction */
static void choose_start(bench *b) {
  const int count = rbv_model_column_count(b->model);
  const double *chi = rbv_model_parameters(b->model);
  b->start = need((size_t)count, sizeof *b->start);
  b->nonzero = need((size_t)count, sizeof *b->nonzero);
  for (int c = 0; c < count; c++) {
    const rbv_column *column = rbv_model_column(b->model, c);
    const bool inertia = column->basis == RBV_BASIS_INERTIAL || rbv_column_has_law(column, "Ia");
    b->nonzero[c] = chi[c] != 0;
    b->start[c] = inertia ? chi[c] * (0.8 + 0.45 * rbv_random_uniform(1, 2, (uint64_t)c)) : 0;
  }
}

static void prepare(bench *b) {
  rbv_model_options o = rbv_model_defaults();
  double rate_hz;
  int n;
  ptrdiff_t count;
  o.gamma = GAMMA;
  check(rbv_model_load(&b->model, "tx40", &o));
  check(rbv_sim_reference_builtin(&b->q, &count, &n, &rate_hz, "tx40"));
  b->reference = (rbv_sim_reference){.count = count, .ld = count, .q = b->q};
  tune(b);
  record(b);
  choose_start(b);
}

static void finish(bench *b) {
  rbv_motion_free(b->recorded);
  rbv_sim_trace_free(&b->trace);
  rbv_sim_free(b->sim);
  rbv_control_free(b->control);
  rbv_sim_reference_release(b->q);
  rbv_model_free(b->model);
  free(b->start);
  free(b->nonzero);
}

enum { SIMULATION, DIDIM, IV, PIV, SLIDE, DIDIM_ALL, PIV_ALL, CONTESTANTS };

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  if (w.rounds > ROUNDS) w.rounds = ROUNDS;
  static bench b;
  prepare(&b);
  static contestant c[CONTESTANTS] = {{.name = "closed loop, default integrator"},
                                      {.name = "didim, 28 parameters"},
                                      {.name = "iv, 28 parameters"},
                                      {.name = "piv, 28 parameters"},
                                      {.name = "slide, 28 parameters"},
                                      {.name = "didim, all base parameters"},
                                      {.name = "piv, all base parameters"}};
  static job all[CONTESTANTS] = {
      [DIDIM] = {.method = "didim"},
      [IV] = {.method = "iv"},
      [PIV] = {.method = "piv"},
      [SLIDE] = {.method = "slide"},
      [DIDIM_ALL] = {.method = "didim", .all = true},
      [PIV_ALL] = {.method = "piv", .all = true},
  };
  for (int i = 0; i < CONTESTANTS; i++) {
    all[i].b = &b;
    c[i].self = &all[i];
    c[i].calls = 1;
    c[i].run = i == SIMULATION ? run_simulation : run_identify;
  }
  stopwatch_run(&w, c, CONTESTANTS);
  print_times(&w, "TX40, 6.9 s at 5 kHz, to convergence", c, CONTESTANTS);
  printf("  iterations: didim %d, iv %d, piv %d, slide %d; all base parameters: didim %d, piv %d\n",
         all[DIDIM].iterations, all[IV].iterations, all[PIV].iterations, all[SLIDE].iterations,
         all[DIDIM_ALL].iterations, all[PIV_ALL].iterations);
  print_ratio_head();
  print_ratio(&w, "didim : one simulation of the loop", &c[DIDIM], &c[SIMULATION], 8);
  print_ratio(&w, "didim, all base parameters : one simulation", &c[DIDIM_ALL], &c[SIMULATION], 8);
  print_ratio(&w, "piv : one simulation of the loop", &c[PIV], &c[SIMULATION], 20);
  print_ratio(&w, "piv, all base parameters : one simulation", &c[PIV_ALL], &c[SIMULATION], 20);
  finish(&b);
  stopwatch_close(&w);
  return 0;
}
