/*
 * sweep: robustness of a closed loop over plants that the uncertainty of a result allows (module
 * montecarlo). Each plant has parameters that are drawn from the covariance of the estimate; the
 * controller stays the same.
 */
#ifndef ROBERVAL_SYS_SWEEP_H
#define ROBERVAL_SYS_SWEEP_H

#include <stdbool.h>

#include <roberval/sys/population.h>
#include <roberval/sys/result.h>

#ifdef __cplusplus
extern "C" {
#endif

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

typedef struct rbv_sweep rbv_sweep;

/* Prepare a sweep, and simulate the plant with the estimated parameters. Refused with RBV_EINPUT: a
 * result without sigmas, and a loop that diverges with the estimated parameters. */
RBV_API RBV_MUST_CHECK rbv_status rbv_sweep_new(rbv_sweep **out, const rbv_sweep_plan *plan);
RBV_API void rbv_sweep_free(rbv_sweep *sweep);

/* Its jobs. The description names the device: a journal of another device is refused. */
RBV_API const rbv_jobs *rbv_sweep_jobs(const rbv_sweep *sweep);

/* Quantities of a run, per joint. */
typedef enum {
  RBV_SWEEP_TRACKING_RMS,
  RBV_SWEEP_TRACKING_MOST,
  RBV_SWEEP_TORQUE_RMS,
  RBV_SWEEP_TORQUE_MOST,
  RBV_SWEEP_QUANTITIES
} rbv_sweep_quantity;
RBV_API const char *rbv_sweep_quantity_name(int quantity); /* "tracking_rms"; NULL past the last */

/* Quantiles that are reported; the last one is the largest value. */
#define RBV_SWEEP_LEVELS 5
RBV_API double rbv_sweep_level(int i); /* 0.05 0.5 0.95 0.99 1; NaN past the last */

/* A bad plant. */
typedef struct {
  int plant;               /* number, from 0 */
  rbv_sim_outcome outcome; /* of its run */
  int joint;               /* with the largest ratio; that diverged; -1: all */
  double ratio;            /* tracking rms over that of the estimated plant; infinite: diverged */
  const double *value;     /* result->estimate.count: its parameters */
} rbv_sweep_case;

typedef struct {
  int plants;   /* with a result */
  int done;     /* whose run reached the end */
  int diverged; /* whose loop diverged */
  int rejected; /* whose mass matrix was not positive definite on the way: no robot is like this */
  int njoint;
  int parameters;          /* of the result that were drawn */
  bool correlated;         /* with the correlation of the estimate */
  const rbv_run_sums *own; /* njoint: with the estimated parameters */
  const double *quantile;  /* quantity u, joint j, level l at [(u * njoint + j) * LEVELS + l];
                              over runs that reached the end; NaN: none did */
  const double *value;     /* quantity u, joint j at [(u * njoint + j) * done]: sorted, done each */
  int nworst;
  const rbv_sweep_case *worst; /* the worst first */
} rbv_sweep_summary;

/* After the jobs; the summary belongs to the sweep. */
RBV_API RBV_MUST_CHECK rbv_status rbv_sweep_summarise(const rbv_sweep_summary **out,
                                                      rbv_sweep *sweep);

/*
 * Parameters of a plant.
 *
 *   value  out  result->estimate.count
 */
RBV_API void rbv_sweep_draw(double *value, const rbv_sweep *sweep, int plant);

#ifdef __cplusplus
}
#endif
#endif
