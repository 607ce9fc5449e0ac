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
} cli_demo_table;

/* Load the robot; its own parameter values are the truth. Returns -1 to continue. */
int cli_demo_table_load(cli_demo_table *out, const char *robot);
void cli_demo_table_free(cli_demo_table *d);

/* Add the result METHOD.json and print a line about it. A missing file gives a column without
 * numbers. Returns -1 to continue. */
int cli_demo_table_add(cli_demo_table *d, const char *method, const cli_common *common);

/* Print the table to stdout. answer is EXIT_DONE or EXIT_NO. */
int cli_demo_table_print(const cli_demo_table *d);
int cli_demo_table_write(const cli_demo_table *d, const char *folder, uint64_t seed, int answer);

#endif
