/*
 * Simulations of many workers on one device. A worker that needs simulations waits; all that wait
 * become one call of the device, because a call of few plants takes as long as one of many. The
 * call is put off as long as half of the workers are ready to compute, of which a given number
 * computes at a time.
 */
#ifndef MONTECARLO_DEVICE_QUEUE_H
#define MONTECARLO_DEVICE_QUEUE_H

#include <roberval/sys/population.h>

#include "base/support.h"

typedef struct rbv_device_queue rbv_device_queue;

/* computing: largest number of workers that compute at a time, of `workers` */
RBV_MUST_CHECK rbv_status rbv_device_queue_new(rbv_device_queue **out, int computing, int workers);
void rbv_device_queue_free(rbv_device_queue *queue);

/* Wait until this worker may compute; and let another one compute. NULL: nothing. */
void rbv_device_queue_enter(rbv_device_queue *queue);
void rbv_device_queue_leave(rbv_device_queue *queue);

/*
 * Simulate plants, for a worker that has entered; others compute meanwhile.
 *
 *   outcome     out  count
 *   population  in   of the device; calls with the same one are joined
 *   reference   in   the same for all calls with this population
 *   plants      in   count
 *   trace       in   count
 */
RBV_MUST_CHECK rbv_status rbv_device_queue_run(rbv_sim_outcome *outcome, rbv_device_queue *queue,
                                               rbv_population *population,
                                               const rbv_sim_reference *reference,
                                               const rbv_sim_lane *plants,
                                               const rbv_sim_trace *trace, int count);

#endif
