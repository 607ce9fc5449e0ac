/* Runs with a reference of its own for each lane. */
#ifndef SIM_SIM_EACH_H
#define SIM_SIM_EACH_H

#include <roberval/sys/sim.h>

/*
 * As rbv_sim_run, for the first `count` lanes of the simulation. The references have equal numbers
 * of samples and of guided ones, and either all or none have velocities, accelerations and a state
 * at the first tick.
 *
 *   reference, outcome, traces  count
 */
RBV_MUST_CHECK rbv_status rbv_sim_run_each(rbv_sim_outcome *outcome, rbv_sim *sim,
                                           const rbv_sim_reference *reference,
                                           const rbv_sim_trace *traces, int count);

#endif
