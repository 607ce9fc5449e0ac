/*
 * Searches for exciting trajectories, on two threads: the fitness of individuals of the genetic
 * algorithm from 16,000 samples each (NS16, six via points, Villagrossi 2014), and a D-optimal
 * design by gradients for seven axes with five harmonics from twenty starts.
 */
#include <math.h>
#include <stdlib.h>

#include <roberval/sys/excite.h>

#include "stopwatch.h"

#define THREADS 2
#define ROUNDS 5  // a round takes almost a minute
#define INDIVIDUALS_PER_S 120
#define DESIGN_S 60

typedef struct {
  rbv_model *model;
  rbv_excite *excite;
  rbv_limits limits[7];
  rbv_trajectory_shape shape;
  rbv_search_options find;
  rbv_search_info info;
} job;

static void check(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "bench: %s\n", rbv_message());
  exit(4);
}

static void run(void *self) {
  job *j = self;
  const rbv_constraints c = {.limits = j->limits};
  rbv_trajectory *t;
  check(rbv_excite_search(&t, &j->info, j->excite, &c, &j->shape, &j->find));
  if (!j->info.feasible) {
    fprintf(stderr, "bench: %s\n", j->info.reason);
    exit(4);
  }
  rbv_trajectory_free(t);
}

static job job_new(const char *robot, rbv_criterion criterion) {
  job j = {.shape = rbv_trajectory_defaults(), .find = rbv_search_defaults()};
  check(rbv_model_load(&j.model, robot, NULL));
  rbv_excite_options o = rbv_excite_defaults();
  o.criterion = criterion;
  check(rbv_excite_new(&j.excite, j.model, &o));
  j.shape.njoint = rbv_model_joint_count(j.model);
  j.find.threads = THREADS;
  for (int i = 0; i < j.shape.njoint; i++) {
    rbv_limits *l = &j.limits[i];
    *l = rbv_model_joint(j.model, i)->limits;
    if (!isfinite(l->lower)) l->lower = -2, l->upper = 2;
    if (!isfinite(l->velocity)) l->velocity = 2;
    if (!isfinite(l->acceleration)) l->acceleration = 10;
  }
  return j;
}

static void job_free(job *j) {
  rbv_excite_free(j->excite);
  rbv_model_free(j->model);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  w.wall = true;
  if (w.rounds > ROUNDS) w.rounds = ROUNDS;
  job fitness = job_new("ns16", RBV_CRITERION_COUPLING);
  fitness.shape.kind = RBV_TRAJECTORY_VIA;
  fitness.shape.count = 6;
  fitness.shape.duration_s = 16;
  fitness.find.search = RBV_SEARCH_GA;
  fitness.find.samples = 16000;
  fitness.find.generations = 3;
  job design = job_new("lwr4+", RBV_CRITERION_DOPT);

  // with the same seed every run evaluates the same individuals
  run(&fitness);
  static contestant field[2] = {{.name = "fitness of an individual, 16,000 samples"},
                                {.name = "D-optimal design, 7 axes, 20 starts"}};
  field[0].self = &fitness;
  field[0].calls = (double)fitness.info.evaluations;
  field[1].self = &design;
  field[1].calls = 1;
  for (int i = 0; i < 2; i++) field[i].run = run;
  stopwatch_run(&w, field, 2);
  print_times(&w, "searches on two threads", field, 2);
  printf("  %-52s %10.0f   at least %d\n", "individuals per second",
         1e9 / time_of(&w, &field[0]).middle, INDIVIDUALS_PER_S);
  printf("  %-52s %10.1f   at most %d\n", "seconds of the design",
         1e-9 * time_of(&w, &field[1]).middle, DESIGN_S);
  job_free(&fitness);
  job_free(&design);
  stopwatch_close(&w);
  return 0;
}
