/*
 * Watching: show the progress of a long call, and stop it. Stable.
 *
 *     static bool show(void *self, const char *stage, double done) {
 *       printf("%s %.0f %%\n", stage, 100 * done);
 *       return !stop_was_pressed;
 *     }
 *     rbv_watch(show, NULL);
 *     status = rbv_identification_run(job);    RBV_ECANCELLED if show returned false
 *     rbv_watch(NULL, NULL);
 */
#ifndef ROBERVAL_WATCH_H
#define ROBERVAL_WATCH_H

#include <stdbool.h>

#include <roberval/status.h>

RBV_BEGIN_C

/*
 * Called in the thread that set it, some ten times per second at most, while a call of this thread
 * computes. False stops the call, which then returns RBV_ECANCELLED.
 *
 *   stage  in  what the call does now, in a few words: "recordings", "iterations", "search"
 *   done   in  finished share of this stage, 0 to 1; NaN: not known
 *
 * The function may not call the library for the object that is computed.
 */
typedef bool rbv_watcher(void *self, const char *stage, double done);

/* Set the watcher of this thread; NULL: none. Other threads are not concerned. */
RBV_API void rbv_watch(rbv_watcher *watcher, void *self);

RBV_END_C
#endif
