/* What the files of the module job share; not installed. */
#ifndef JOB_JOB_INTERNAL_H
#define JOB_JOB_INTERNAL_H

#include <roberval/sys/recordings.h>

#include <roberval/sys/sim.h>

#include "base/support.h"

/* Send a sentence to the listener, if there is one; option may be NULL. */
void rbv_tell(const rbv_notes *notes, const char *option, const char *format, ...) RBV_PRINTF(3, 4);

/*
 * rbv_controller_find on recordings that are loaded already.
 *
 *   log    in  count of them; their joints are put into the order of the robot's
 *   gains  in  njoint, on the torques; NULL: 1
 */
RBV_MUST_CHECK rbv_status rbv_controller_find_in(rbv_control **out, rbv_control_found **found,
                                                 const rbv_model *model, rbv_log *const *log,
                                                 int count, const double *gains, double delay_s,
                                                 const rbv_control_id_options *how);

/*
 * Add the torques of a control law (YAML) to a log that has none. A log with torques, without
 * reference or with irregular time stamps is not changed.
 */
RBV_MUST_CHECK rbv_status rbv_recording_add_torque(rbv_log **log, const rbv_model *model,
                                                   const char *controller, const rbv_notes *notes);

/*
 * Unknowns of a loop from a list of words: "delay,bias,k_d".
 *
 *   out      out  rbv_free it, also after a failure
 *   control  in   a law of the loop
 *   model    in   the robot, with its friction
 */
RBV_MUST_CHECK rbv_status rbv_unknowns_parse(rbv_unknown **out, int *count, const char *text,
                                             const rbv_control *control, const rbv_model *model);

/* ---- smoothing of friction near standstill ---- */

/* Typical top speed of each joint of a reference: 99 % of the samples are slower. */
RBV_MUST_CHECK rbv_status rbv_reference_speeds(double *top, const rbv_sim_reference *r, int njoint,
                                               double rate_hz);

/* Smooth signs that nothing smooths with 0.1 % of the joint's typical top speed. */
void rbv_smoothing_choose(rbv_model *m, const double *top);

/* Text of the remark for the log of a simulation. */
void rbv_smoothing_remark(rbv_text *out, const rbv_sim *sim, int njoint);

/* Free the logs that were kept. */
void rbv_recordings_drop_logs(rbv_recordings *all);

/* Is this the name of a built-in robot, which is not a file? */
bool rbv_robot_is_built_in(const char *name);

/* Copies of texts that were set by name. */
typedef struct {
  char **text;
  int count;
} text_pool;

/* A copy that lives until the pool is freed; NULL: out of memory. */
const char *rbv_pool_keep(text_pool *pool, const char *text);
void rbv_pool_free(text_pool *pool);

/* Row i over all groups, NULL past the last. */
const rbv_option *rbv_option_at(const rbv_option_group *groups, int i);

/* A number as the text that the option takes: "true" or "false" for a flag. */
void rbv_option_format(char text[32], const rbv_option_group *groups, const char *name,
                       double value);

#endif
