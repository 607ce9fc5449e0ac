/* What other modules of the library use of montecarlo, beside its public header. */
#ifndef MONTECARLO_MONTECARLO_H
#define MONTECARLO_MONTECARLO_H

#include <roberval/sys/montecarlo.h>
#include <roberval/sys/sweep.h>

/* See <roberval/sys/montecarlo.h>. */
#define RBV_MONTECARLO_STRIBECK "+Fs"

/*
 * A study of a plan. Simulating methods start with inertias that are wrong by -20 to +25 %, without
 * friction. Random numbers depend on (seed, stream, run).
 */
RBV_MUST_CHECK rbv_status rbv_montecarlo_new(rbv_montecarlo **out, const rbv_montecarlo_plan *plan);

/*
 * A study from the description that is stored with its jobs: it can take results, not compute them.
 *
 *   njob  in  number of jobs stored with the description; negative: not known
 *
 * Refused: a description that is damaged, or of another number of jobs.
 */
RBV_MUST_CHECK rbv_status rbv_montecarlo_recall(rbv_montecarlo **out, const char *description,
                                                ptrdiff_t njob);
void rbv_montecarlo_free(rbv_montecarlo *study);

/* Name of the jobs. */
#define RBV_MONTECARLO_KIND "montecarlo"

/* Statistics of the results so far. The summary borrows from the study. */
RBV_MUST_CHECK rbv_status rbv_montecarlo_summarise(rbv_montecarlo_summary **out,
                                                   const rbv_montecarlo *study);
void rbv_montecarlo_summary_free(rbv_montecarlo_summary *summary);

/*
 * Parameters of a plant.
 *
 *   value  out  result->estimate.count
 */
void rbv_sweep_draw(double *value, const rbv_sweep *sweep, int plant);

/* The runs as jobs, several runs per job; the description is JSON. See rbv_jobs_run. */
const rbv_jobs *rbv_montecarlo_jobs(const rbv_montecarlo *study);

/* Threads for rbv_jobs_run, of `threads` that may compute: with a device most of them wait. */
int rbv_montecarlo_workers(const rbv_montecarlo *study, int threads);

/* All pointers are borrowed until the sweep is freed. */
typedef struct {
  const rbv_model *model;
  const char *robot;        /* identifies the robot: a hash of its file */
  const rbv_result *result; /* of this robot */
  const rbv_control *control;
  rbv_sim_reference reference;
  rbv_sim_options sim;
  int plants;
  double spread;      /* factor on sigma; 1: as estimated */
  int worst;          /* plants to name */
  rbv_device *device; /* NULL: the CPU */
  uint64_t seed;
} rbv_sweep_plan;

/* Prepare a sweep, and simulate the plant with the estimated parameters. Refused with RBV_EINPUT: a
 * result without sigmas, and a loop that diverges with the estimated parameters. */
RBV_MUST_CHECK rbv_status rbv_sweep_new(rbv_sweep **out, const rbv_sweep_plan *plan);
void rbv_sweep_free(rbv_sweep *sweep);

/* Its jobs. The description names the device: a journal of another device is refused. */
const rbv_jobs *rbv_sweep_jobs(const rbv_sweep *sweep);

/* See <roberval/sys/sweep.h>. */
const char *rbv_sweep_quantity_name(int quantity); /* "tracking_rms"; NULL past the last */

/* After the jobs; the summary belongs to the sweep. */
RBV_MUST_CHECK rbv_status rbv_sweep_summarise(const rbv_sweep_summary **out, rbv_sweep *sweep);

#endif
