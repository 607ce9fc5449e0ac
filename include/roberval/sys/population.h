/*
 * population: many plants under one controller and reference (module sim). One call simulates all
 * of them, in vector lanes of the CPU or on a device.
 */
#ifndef ROBERVAL_SYS_POPULATION_H
#define ROBERVAL_SYS_POPULATION_H

#include <roberval/sys/device.h>
#include <roberval/sys/sim.h>

RBV_BEGIN_C

typedef struct rbv_population rbv_population;

/*
 *   model, control, device  in  borrowed, must outlive the object. device NULL: the CPU
 *   lanes                   in  plants that the CPU simulates together; 0: 16
 *   options                 in  copied; NULL: the defaults
 *
 * RBV_EUNSUPPORTED, with a sentence: the device cannot simulate this robot, controller or defect.
 * One object per thread.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_population_new(rbv_population **out, const rbv_model *model,
                                                     const rbv_control *control,
                                                     const rbv_sim_options *options, int lanes,
                                                     rbv_device *device);
RBV_API void rbv_population_free(rbv_population *p);

/* Fails, with a sentence, if this plant cannot be simulated. */
RBV_API RBV_MUST_CHECK rbv_status rbv_population_check(const rbv_population *p,
                                                       const rbv_sim_lane *plant);

/* Over the good samples of a run, of one joint. */
typedef struct {
  double tracking_rms, tracking_most; /* |q - q_r| [rad or m] */
  double torque_rms, torque_most;     /* of the controller [N m or N] */
  double difference_rms; /* recorded position - `recorded` where that is a number; 0 without */
} rbv_run_sums;

/*
 * What is known about all plants, and what is wanted.
 *
 *   reference  in   as for rbv_sim_run
 *   known      in   parameters that the controller's model uses where a plant has none of its own;
 *                   NULL: those of the robot file
 *   recorded   in   sample k of joint j at [k + j * ld] of the reference; NaN: not compared; NULL:
 *                   none
 *   every      in   ticks between two samples of the traces
 *   q, tau     out  or NULL: sample s of joint j of plant p at [(p * njoint + j) * samples + s],
 *                   samples = (count - 1) / every + 1; NaN after the end of a run
 *   trace      in   count of rbv_sim_trace, or NULL: whole traces as rbv_sim_run gives them, with
 *                   ld = count of the reference, in place of sums. A device: without `applied` and
 *                   `seen`, and recorded_tau needs q and tau
 *   cancel     in   set by rbv_cancel; NULL: never
 */
typedef struct {
  rbv_sim_reference reference;
  const double *known, *recorded;
  ptrdiff_t every;
  double *q, *tau;
  const rbv_sim_trace *trace;
  const int *cancel;
} rbv_population_run_plan;

/*
 * Simulate plants. A device refuses `known` of a plant if the controller feeds torques forward.
 *
 *   sums     out  count x njoint: joint j of plant p at [p * njoint + j]; not used with `trace`
 *   outcome  out  count
 *   stopped  out  true: cancelled, the other outputs are not complete
 *
 * The result of a plant does not depend on the other plants.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_population_run(rbv_run_sums *sums, rbv_sim_outcome *outcome,
                                                     bool *stopped, rbv_population *p,
                                                     const rbv_population_run_plan *plan,
                                                     const rbv_sim_lane *plants, int count);

RBV_END_C
#endif
