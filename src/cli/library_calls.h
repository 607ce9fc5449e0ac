/* Library calls that several commands use, with the exit codes of the tool. */
#ifndef CLI_LIBRARY_CALLS_H
#define CLI_LIBRARY_CALLS_H

#include <math.h>
#include <roberval/sys/identification.h>

#include "cli.h"

/*
 * Load logs and add them to all; ask the quick questions; print the notes of the reader. Paths are
 * borrowed. Returns -1 to continue, or an exit code.
 *
 *   use  in  may be NULL; threads is taken from common
 */
int cli_recordings_add(rbv_recordings *all, const char *command, const rbv_model *model,
                       const rbv_recording_options *options, const rbv_recording_use *use,
                       const char *const *paths, int count, const cli_common *common);

/* Print what is wrong with the recordings. Returns the exit code: EXIT_NO instead of EXIT_DONE if
 * something is. */
int cli_doubt_recordings(const rbv_recordings *all, const cli_common *common, int code);

/* Load a result and its robot, or another file of that robot. Returns -1 to continue. */
int cli_load_result(rbv_result_model *out, const char *path, const char *robot,
                    const cli_common *common);

/* Check the name of an identification method. Returns -1 if it exists. */
int cli_check_method(const char *command, const char *method);

#endif
