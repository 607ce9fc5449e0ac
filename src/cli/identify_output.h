/* An estimate in words, as a table, and as an exit code. */
#ifndef CLI_IDENTIFY_OUTPUT_H
#define CLI_IDENTIFY_OUTPUT_H

#include <roberval/sys/identify.h>

#include "cli.h"

/* How well it fits, row by row, and what it says of itself; validation on other recordings may be
 * NULL. */
void cli_say_estimate(const rbv_estimate *estimate, const rbv_prediction *validation,
                      const rbv_model *model, const cli_common *common);

/* The base parameters with their sigma, on stdout. */
void cli_print_estimate(const rbv_estimate *estimate, const rbv_model *model);

/* EXIT_NO, and why, when parameters are left open or the method did not come to rest. */
int cli_judge_estimate(const rbv_estimate *estimate, const cli_common *common);

#endif
