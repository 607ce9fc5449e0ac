/*
 * Worker threads that share one vectorised simulation. Each lane of the simulation has a task.
 * Tasks run in threads, but only one at a time. A task that needs a simulation waits. When all
 * started tasks wait, one thread runs the simulation for all of them.
 */
#ifndef MONTECARLO_LANE_WORKERS_H
#define MONTECARLO_LANE_WORKERS_H

#include "base/support.h"

typedef struct rbv_lane_workers rbv_lane_workers;

/* The task of a lane; and the simulation, called once for all lanes that wait. */
typedef struct {
  rbv_status (*work)(void *self, int lane);
  rbv_status (*simulate)(void *self, const bool *waiting); /* lanes */
  void *self;
} rbv_lane_task;

/*
 * For at most `lanes` lanes. The caller's thread is one of the `threads`. With fewer threads than
 * lanes, or if the system cannot start threads, each simulation serves fewer lanes.
 */
RBV_MUST_CHECK rbv_status rbv_lane_workers_new(rbv_lane_workers **out, int lanes, int threads);
void rbv_lane_workers_free(rbv_lane_workers *workers);

/* Run the tasks of the first count lanes to their end. Returns the first failure by lane. */
RBV_MUST_CHECK rbv_status rbv_lane_workers_run(rbv_lane_workers *workers, int count,
                                               const rbv_lane_task *task);

/* Called by the task of a lane: wait for the next simulation; returns its status. */
RBV_MUST_CHECK rbv_status rbv_lane_workers_wait(rbv_lane_workers *workers, int lane);

#endif
