/*
 * States of friction laws along a motion, at every sample. A state depends on all samples before.
 * One pass over the motion stores the states at regular intervals, so that any range can be read
 * afterwards, by several threads.
 */
#ifndef EQUATIONS_STATE_TRACK_H
#define EQUATIONS_STATE_TRACK_H

#include <roberval/sys/motion.h>

#include "model/model_internal.h"

/* A law with a state, at a joint. */
typedef struct {
  const rbv_law *law;
  int joint;
  double shape[LAW_SHAPES];
} state_law;

typedef struct state_track state_track;

/*
 * Read the velocities of a long motion once. Motion and laws are borrowed. The states start as the
 * time since the start of the robot says. Refused: laws of temperature, and a motion without
 * temperatures.
 */
RBV_MUST_CHECK rbv_status rbv_state_track_new(state_track **out, rbv_motion *motion,
                                              const state_law *laws, int count);
void rbv_state_track_free(state_track *track);

/* The laws of a model that have a state, in the order of the states; m->nstate of them. */
void rbv_state_laws(state_law *out, const rbv_model *model);

/*
 * States of the model's laws along a motion, at all samples.
 *
 *   state  out  state i of sample k at [k + i * ld], ld at least the number of samples; m->nstate
 * of them
 */
RBV_MUST_CHECK rbv_status rbv_states_along(double *state, ptrdiff_t ld, const rbv_model *model,
                                           rbv_motion *motion);

/* A place in the motion, for one thread. */
typedef struct {
  const state_track *track;
  ptrdiff_t next;  // sample that comes next, -1: none was read
  double *now;     // states before that sample
  double *dq;      // working memory, also for temperatures
} state_cursor;

/* NULL track: the cursor of a motion without states; all functions then do nothing. */
RBV_MUST_CHECK rbv_status rbv_state_cursor_open(state_cursor *out, const state_track *track);
void rbv_state_cursor_close(state_cursor *cursor);

/*
 * States at samples first to first + count - 1. Fast if first follows the last call's samples.
 *
 *   state  out  state i of sample k at [k + i * ld]
 *   dq     in   velocities of these samples, joint j of sample k at [k + j * ld]
 */
RBV_MUST_CHECK rbv_status rbv_state_cursor_read(double *state, ptrdiff_t ld, state_cursor *cursor,
                                                ptrdiff_t first, ptrdiff_t count, const double *dq);

#endif
