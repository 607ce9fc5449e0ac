/* The final table of the demo: true values and the estimates of each method. */
#ifndef CLI_DEMO_TABLE_H
#define CLI_DEMO_TABLE_H

#include <roberval/sys/baseparam.h>
#include <roberval/sys/result.h>

#include "cli.h"

#define CLI_METHODS 8

/* Initialise with zeros, free at the end. */
typedef struct {
  rbv_model *model;
  rbv_base *base;
  double *truth;  // base->count
  int count;
  const char *method[CLI_METHODS];
  rbv_result *result[CLI_METHODS];  // NULL: the method has no result
} cli_demonstrated;

/* The robot and its own values, which are the truth. -1 to go on. */
int cli_demonstrated_load(cli_demonstrated *out, const char *robot);
void cli_demonstrated_free(cli_demonstrated *d);

/* Add the result METHOD.json and print a line about it. A missing file gives a column without
 * numbers. -1 to go on. */
int cli_demonstrated_add(cli_demonstrated *d, const char *method, const cli_common *common);

/* To stdout; answer is EXIT_DONE or EXIT_NO. */
int cli_print_demonstrated(const cli_demonstrated *d);
int cli_write_demonstrated(const cli_demonstrated *d, const char *folder, uint64_t seed,
                           int answer);

#endif
