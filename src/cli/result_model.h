/* A result put to work on recordings: what `validate` and `compare` share. */
#ifndef CLI_RESULT_MODEL_H
#define CLI_RESULT_MODEL_H

#include <roberval/sys/identify.h>

#include "recordings.h"

/* A result with its robot and everything that is needed to predict with it. */
typedef struct {
  rbv_result *result;
  rbv_model *model;
  double *chi;            // all columns of the model
  rbv_row_filter filter;  // its own
} cli_judged;

/* Load a result and the robot that it names (or another file of it). -1 to go on. */
int cli_judged_load(cli_judged *out, const char *path, const char *robot, const cli_common *common);
void cli_judged_free(cli_judged *judged);

/* How the result's own recordings were turned into motions. Points into the result. */
cli_recording cli_judged_recording(const cli_judged *judged, const char *map);

#endif
