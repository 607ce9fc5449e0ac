/* For searches that keep their best values when they are cancelled. */
#ifndef BASE_WATCH_IGNORE_H
#define BASE_WATCH_IGNORE_H

/* From now on rbv_go_on returns RBV_OK in this thread, until a watcher is set: to compute the
 * result from the best values so far. */
void rbv_ignore_watcher(void);

/* Seconds of the processor that this thread has used, and the end from which on rbv_go_on cancels
 * its computation; 0: no end. */
double rbv_used_time(void);
void rbv_limit_time(double end);

#endif
