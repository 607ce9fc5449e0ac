/* What the files of the module job share; not installed. */
#ifndef JOB_JOB_INTERNAL_H
#define JOB_JOB_INTERNAL_H

#include <roberval/sys/identification.h>
#include <roberval/sys/recordings.h>
#include <roberval/sys/sim.h>
#include <roberval/sys/storage.h>

#include "base/support.h"
#include "log/log_input.h"

/* A row of an option table: kind without RBV_OPTION_, member of the structure, placeholder and text
 * of help; other members of the row may follow. */
#define RBV_ROW(structure, name_, kind_, member, value_, help_, ...)                    \
  {                                                                                     \
    .name = (name_), .kind = RBV_OPTION_##kind_, .offset = offsetof(structure, member), \
    .value = (value_), .help = (help_), __VA_ARGS__                                     \
  }

/* The files that options of kind OUTPUT name; borrowed. Returns their number, at most `most`. */
int rbv_option_outputs(rbv_output *out, int most, const rbv_option_group *groups);

/* Send a sentence to the listener, if there is one; option may be NULL. */
void rbv_tell(const rbv_notes *notes, const char *option, const char *format, ...) RBV_PRINTF(3, 4);

/* The robot of a path, or the variant of a given one (NULL: none) that the options ask for. Those
 * of its file (tip, root, no-snap) are not applied to it. */
RBV_MUST_CHECK rbv_status rbv_robot_open(rbv_model **out, const rbv_model *given, const char *path,
                                         const rbv_robot_options *options, const rbv_notes *notes);

/*
 * rbv_result_model_load from a robot alone: its own parameters (without those that it does not
 * give), every sample, and default options. `result` is NULL. Refused with RBV_EINPUT: a robot
 * without values.
 */
RBV_MUST_CHECK rbv_status rbv_result_model_of_robot(rbv_result_model *out, const rbv_model *given,
                                                    const char *path,
                                                    const rbv_robot_options *options,
                                                    const rbv_notes *notes);

/*
 * Read a recording as the options say, with its joints in the robot's order: with a map that is
 * guessed unless one is given, and only the part that is asked for.
 *
 *   map       in  NULL: it is guessed
 *   tolerant  in  rows that cannot be read become NaN
 */
RBV_MUST_CHECK rbv_status rbv_recordings_read(rbv_log **out, const rbv_model *model,
                                              const rbv_recording_options *options,
                                              const rbv_log_map *map, bool tolerant,
                                              const rbv_log_input *in, const rbv_notes *notes);

/*
 * Find the control law of every joint from recordings. Of the recording's options map, gains and
 * delay are used.
 *
 *   out    out  NULL when a joint has no linear law; rbv_control_free it
 *   found  out  one per joint of the robot; rbv_control_found_free it
 *   how    in   a rate_hz of 0 is taken from the time stamps; NULL: the defaults
 */
RBV_MUST_CHECK rbv_status rbv_controller_find(rbv_control **out, rbv_control_found **found,
                                              const rbv_model *model,
                                              const rbv_recording_options *options,
                                              const rbv_log_input *in, int count,
                                              const rbv_control_id_options *how);

/*
 * The same on recordings that are loaded already.
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

/* Replace the model by its variant in which signs that nothing else smooths are smoothed with 0.1 %
 * of the joint's typical top speed. */
RBV_MUST_CHECK rbv_status rbv_smoothing_choose(rbv_model **m, const double *top);

/* Smoothing that the log of a simulation records. */
typedef struct {
  int njoint;  // 0: the log records none
  rbv_smoothing joint[100];
} rbv_recorded_smoothing;

RBV_MUST_CHECK rbv_status rbv_smoothing_read(rbv_recorded_smoothing *out,
                                             const rbv_log_input *input);

/* Set gamma, if it is not given (negative or NaN), to the recorded one. */
void rbv_smoothing_gamma(double *gamma, const rbv_recorded_smoothing *recorded);

/*
 * One law for every use of recordings: signs of the speed that neither the robot file nor its
 * options smooth are smoothed as the first log records it, else with 0.1 % of the joint's typical
 * top speed. Tells what was chosen. The model is replaced by a variant.
 */
RBV_MUST_CHECK rbv_status rbv_recordings_smooth(rbv_model **model,
                                                const rbv_recorded_smoothing *recorded,
                                                const rbv_recordings *recordings, int threads,
                                                const rbv_notes *notes);

/* Text of the remark for the log of a simulation. */
void rbv_smoothing_remark(rbv_text *out, const rbv_sim *sim, int njoint);

/* Hold the bytes of a file that will be held whole. */
RBV_MUST_CHECK rbv_status rbv_recording_hold(rbv_log_input *in, const rbv_recording_options *r);

/* rbv_recordings_add with files and samples in memory. Bytes that the inputs hold are used, and
 * freed. The names and samples of the inputs are borrowed while the recordings live. */
RBV_MUST_CHECK rbv_status rbv_recordings_add_inputs(rbv_recordings *all, const rbv_model *model,
                                                    const rbv_recording_options *options,
                                                    const rbv_recording_use *use, rbv_log_input *in,
                                                    int count, const rbv_notes *notes);

/* Free the logs that were kept. */
void rbv_recordings_drop_logs(rbv_recordings *all);

/* Lower the decimation so that every torque row has enough equations for its base parameters;
 * share: of the rows that the fit uses. */
RBV_MUST_CHECK rbv_status rbv_filter_limit(rbv_row_filter *filter, const rbv_model *model,
                                           const rbv_recordings *recordings, double share);

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

/* Replace a model by the one with the gravity that the options give. */
rbv_status rbv_robot_turn(rbv_model **model, const rbv_robot_options *options);

#endif
