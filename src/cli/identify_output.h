/* Output of `identify`: messages, the table of parameters, and the exit code. */
#ifndef CLI_IDENTIFY_OUTPUT_H
#define CLI_IDENTIFY_OUTPUT_H

#include <roberval/sys/friction.h>
#include <roberval/sys/identify.h>

#include "cli.h"

/* Describe on stderr where sigma comes from, and for what it holds. */
void cli_describe_sigma(const rbv_estimate *e, const rbv_model *m, const cli_common *common);

/* The table of a filter scan; nothing without one. */
void cli_print_scan(const rbv_filter_scan *scan, const cli_common *common);

/* Which ways to identify competed, with their errors; only where the user wants details. */
void cli_describe_pipelines(const rbv_cross_validation *cv, const cli_common *common);

/* Friction terms that were chosen, with what each one gains; nothing if friction is NULL. */
void cli_describe_friction(const rbv_friction_choice *friction, const rbv_model *m,
                           const cli_common *common);

/* Print the fit of each torque row and the diagnostics. validation (on other recordings) may be
 * NULL.
 */
void cli_describe_estimate(const rbv_estimate *estimate, const rbv_prediction *validation,
                           const rbv_model *model, const cli_common *common);

/* The answer in a few lines: errors, parameters by how well they are known, other motions. */
void cli_summarise(const rbv_result *result, const cli_common *common);

/* "identified", "weak" if sigma exceeds half of the value, "zero" if it exceeds the value. */
const char *cli_parameter_word(rbv_parameter_status status, double value, double sigma);

/* Print the base parameters with their sigma to stdout. */
void cli_print_estimate(const rbv_estimate *estimate, const rbv_model *model);

/* Print parameters that are not identifiable, and that the method did not converge. */
void cli_print_open(const rbv_estimate *estimate, const cli_common *common);

/* The verdict with its first reason and its cure, as the last line. */
void cli_print_verdict(const rbv_judgement *judgement, const cli_common *common);

#endif
