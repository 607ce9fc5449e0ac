/*
 * The experiment of Brunot 2018: recordings of a simulated TX40 with the values of a column of
 * Table 1, and their estimates.
 */
#ifndef PAPERS_PIV_EXPERIMENT_H
#define PAPERS_PIV_EXPERIMENT_H

#include "papers/tx40_loop.h"

#define PIV_DECIMATE 125  // 276 rows per joint
#define PIV_CUTOFF_HZ 50
#define PIV_COUNTS 3600

/* "LS", "IV", "PIV", "PIV, controller found": the columns of Table 1 */
extern const char *const rbv_piv_name[BRUNOT_COLUMNS];

typedef struct {
  tx40_setup b;
  rbv_motion *filtered, *smoothed, *exact;
  rbv_control *found;
  int pids, by_sriv;  // control laws that were found
  double start[TX40_COLUMNS];
  bool columns[TX40_COLUMNS];
  rbv_estimate *e[BRUNOT_COLUMNS];
  rbv_estimate *exact_ls, *measured_ls;  // with exact velocities, and with those of the method
} piv_experiment;

/* Simulate a robot with the values of a column. Free it also after a failure. */
rbv_status rbv_piv_simulate(piv_experiment *x, int which, const tx40_mode *mode);
void rbv_piv_free(piv_experiment *x);

/* The recording with derivatives: of a band-pass (LS, IV), of the smoother (PIV), exact. */
rbv_status rbv_piv_motions(piv_experiment *x);
rbv_motion *rbv_piv_motion_of(const piv_experiment *x, int which);

/* "ols", "iv", "piv" */
const char *rbv_piv_method_of(int which);

rbv_status rbv_piv_estimate(rbv_estimate **out, const piv_experiment *x, const char *method,
                            rbv_motion *motion, const rbv_control *control, int decimate,
                            double holdout);

/* e[which] with the settings of the paper */
rbv_status rbv_piv_estimate_one(piv_experiment *x, int which);

/* Identify the control law of every joint. */
rbv_status rbv_piv_find_controller(piv_experiment *x);

/* Numbers that need the encoder in the loop: iterations, and the column LS of Table 1. */
rbv_status rbv_reproduce_piv_loop(rbv_reproduction *r, const tx40_mode *mode);

#endif
