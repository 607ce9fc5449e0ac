/* For searches that keep their best values when they are cancelled. */
#ifndef BASE_WATCH_IGNORE_H
#define BASE_WATCH_IGNORE_H

/* From now on rbv_go_on returns RBV_OK in this thread, until a watcher is set: to compute the
 * result from the best values so far. */
void rbv_ignore_watcher(void);

/* After this time rbv_go_on of this thread cancels the computation; 0: no limit. */
void rbv_limit_time(double seconds);

#endif
