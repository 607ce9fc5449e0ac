/* Calls of the library that several commands make, with the exit codes of the tool. */
#ifndef CLI_LIBRARY_CALLS_H
#define CLI_LIBRARY_CALLS_H

#include <math.h>
#include <roberval/sys/identification.h>

#include "cli.h"

/*
 * Load logs and add them, and tell what was done to them. Paths are borrowed. -1 to go on, or an
 * exit code.
 *
 *   use  in  NULL: nothing special; its threads are those of common
 */
int cli_recordings_add(rbv_recordings *all, const char *command, const rbv_model *model,
                       const rbv_recording_options *options, const rbv_recording_use *use,
                       const char *const *paths, int count, const cli_common *common);

/* Load a result and the robot that it names, or another file of that robot. -1 to go on. */
int cli_load_result(rbv_result_model *out, const char *path, const char *robot,
                    const cli_common *common);

/* Is there such a method of identification? -1 to go on. */
int cli_check_method(const char *command, const char *method);

#endif
