/*
 * Several pieces of work side by side that now and then need something which is cheaper for all of
 * them at once. Each is done by a hand of its own, a thread, but only one of them works at a time:
 * the one that holds the baton. When all that have begun wait, one of them does for all what they
 * wait for.
 */
#ifndef MONTECARLO_LANE_CREW_H
#define MONTECARLO_LANE_CREW_H

#include "base/support.h"

typedef struct rbv_crew rbv_crew;

/* What a crew does: piece k; and, once for all pieces that wait, what they wait for. */
typedef struct {
  rbv_status (*work)(void *self, int piece);
  rbv_status (*together)(void *self, const bool *waits); /* pieces */
  void *self;
} rbv_crew_task;

/*
 * For at most so many pieces. The caller's thread is one of the hands; where the system has no
 * threads left, or there are fewer hands than pieces, they meet in smaller numbers.
 */
RBV_MUST_CHECK rbv_status rbv_crew_new(rbv_crew **out, int pieces, int hands);
void rbv_crew_free(rbv_crew *crew);

/* Do the first count pieces. All come to an end; of those that fail, the first counts. */
RBV_MUST_CHECK rbv_status rbv_crew_run(rbv_crew *crew, int count, const rbv_crew_task *task);

/* Inside of a piece: wait until together() has been called for it, whose status this is. */
RBV_MUST_CHECK rbv_status rbv_crew_meet(rbv_crew *crew, int piece);

#endif
