/* Monte Carlo internals: the study, the bytes of a run, and its statistics. */
#ifndef MONTECARLO_MONTECARLO_INTERNAL_H
#define MONTECARLO_MONTECARLO_INTERNAL_H

#include <roberval/sys/document.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/population.h>
#include "montecarlo/montecarlo.h"

#include "base/support.h"
#include "montecarlo/device_queue.h"

#define RUNS_MAX 100000000
#define LANES 4            // runs of a job, simulated together in vector lanes
#define DEVICE_WORKERS 96  // jobs at a time with a device: a call of it takes as long as many fits
#define REASON 160

/* ---- bytes of a run: run_head, then for each method method_head, values, sigmas, bounds ---- */

typedef struct {
  double diverged;  // 0 or 1
  char reason[REASON];
} run_head;

enum { OUTCOME_CONVERGED, OUTCOME_NOT_CONVERGED, OUTCOME_FAILED };

typedef struct {
  double outcome, iterations, fit_error, second_error;
  char reason[REASON];
} method_head;

struct rbv_montecarlo {
  rbv_jobs jobs;
  char *description;
  rbv_document *doc;  // parsed description; names point into it
  int runs, nparameter, nmethod;
  const char **name, **unit;  // nparameter
  double *truth;              // nparameter
  const char *method[RBV_MONTECARLO_METHODS];
  size_t method_bytes, run_bytes;
  char *result;      // runs x run_bytes
  bool *has_result;  // runs: the result exists

  // for computing results; NULL and empty for a study from a description
  const rbv_montecarlo_plan *plan;
  rbv_montecarlo_plan own;
  rbv_control *assumed;
  const char *base_method[RBV_MONTECARLO_METHODS];  // names of rbv_identify_method
  bool stribeck[RBV_MONTECARLO_METHODS];            // uses columns of Stribeck friction
  bool *columns;                // ncolumn without Stribeck, then ncolumn with it
  int *parameter;               // ncolumn: index of the parameter, -1: none
  rbv_sim_options assumed_sim;  // of the loop that methods simulate
  rbv_device_queue *queue;      // with a device; the populations of all workers
  rbv_population *recordings, *fits;
  rbv_sim *second_sim;
  rbv_sim_trace second_trace;
  rbv_sim_outcome second_outcome;
  rbv_equations *second;  // of all columns; NULL: its columns depend on the parameters
};

static inline const run_head *run_of(const rbv_montecarlo *s, int run) {
  return (const run_head *)(const void *)(s->result + (size_t)run * s->run_bytes);
}

static inline size_t method_at(const rbv_montecarlo *s, int method) {
  return sizeof(run_head) + (size_t)method * s->method_bytes;
}

static inline const method_head *method_of(const rbv_montecarlo *s, int run, int method) {
  const char *at = s->result + (size_t)run * s->run_bytes + method_at(s, method);
  return (const method_head *)(const void *)at;
}

static inline const double *values_of(const method_head *m) { return (const double *)(m + 1); }

/* ---- callbacks of the jobs ---- */

rbv_status rbv_runs_open(void **worker, void *self, int thread);
void rbv_runs_close(void *worker, void *self);
rbv_status rbv_runs_run(rbv_bytes *out, void *worker, void *self, ptrdiff_t index);

/* The populations of a device that all workers share. Fails if it cannot simulate the loop. */
rbv_status rbv_runs_device(rbv_montecarlo *s);

/* Simulate the motion of the validation. Fails if the simulation diverges. */
rbv_status rbv_runs_second(rbv_montecarlo *s);

/* The method without suffix, and whether it uses columns of Stribeck friction. */
rbv_status rbv_runs_method(const char **base_method, bool *stribeck, const char *method);

/* Set the methods and the columns that they estimate. */
rbv_status rbv_runs_unknowns(rbv_montecarlo *s);

/* The controller with relative gain errors of alternating sign. */
rbv_status rbv_runs_assumed_control(rbv_control **out, const rbv_control *control, double error);

/* ---- statistics ---- */

/* Statistics of a parameter from n runs. */
rbv_montecarlo_parameter rbv_summarise_parameter(const double *value, const double *sigma,
                                                 const double *bound, int n, double truth);

/* Medians over the parameters; work: nparameter. */
rbv_status rbv_summarise_method(rbv_montecarlo_method *m, const double *truth, int nparameter,
                                double *work);

#endif
