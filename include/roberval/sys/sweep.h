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

RBV_BEGIN_C

typedef struct rbv_sweep rbv_sweep;

/* Quantities of a run, per joint. */
typedef enum {
  RBV_SWEEP_TRACKING_RMS,
  RBV_SWEEP_TRACKING_MOST,
  RBV_SWEEP_TORQUE_RMS,
  RBV_SWEEP_TORQUE_MOST,
  RBV_SWEEP_QUANTITIES
} rbv_sweep_quantity;

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

RBV_END_C
#endif
