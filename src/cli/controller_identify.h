/* Control laws from recordings: what `controller` and `identify --controller auto` share. */
#ifndef CLI_CONTROLLER_IDENTIFY_H
#define CLI_CONTROLLER_IDENTIFY_H

#include <roberval/sys/control.h>

#include "recordings.h"

/*
 * Find the control law of every joint. Of the recording's options map, gains and delay are heeded.
 *
 *   out    out  NULL when a joint has none that is linear; rbv_control_free it
 *   found  out  one per joint of the robot; free() it
 *   how    in   a rate_hz of 0 is taken from the stamps
 *
 * -1 to go on, or an exit code.
 */
int cli_find_controller(rbv_control **out, rbv_control_found **found, const char *command,
                        const rbv_model *model, const cli_recording *recording,
                        const char *const *paths, int count, const rbv_control_id_options *how);

/* One line per joint on stderr, unless quiet. */
void cli_say_controller(const rbv_control_found *found, const rbv_model *model,
                        const cli_common *common);

/* Joints without a linear law, each with a sentence on stderr: how many there are. */
int cli_count_unexplained(const rbv_control_found *found, const rbv_model *model);

#endif
