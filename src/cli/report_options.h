/* A result as a page: what `report` and `identify --report` share. */
#ifndef CLI_REPORT_OPTIONS_H
#define CLI_REPORT_OPTIONS_H

#include <roberval/sys/report.h>

#include "cli.h"

typedef struct {
  const char *html, *plots;  // NULL: not wanted
} cli_report;

#define CLI_REPORT(r) \
  { "plots", 0, OPT_TEXT, &(r).plots, "DIR", "write every figure as SVG into this directory" }

/* Write what is wanted of a page. EXIT_DONE, or the code to exit with. */
int cli_write_page(const rbv_report *page, const cli_report *wanted, const cli_common *common);

/* Tell the reasons of a verdict that is not "usable". */
void cli_say_reasons(const rbv_report *page, const cli_common *common);

/*
 * Make the report of a result and write what is wanted of it. EXIT_DONE, also when nothing is
 * wanted, or the code to exit with.
 */
int cli_write_report(const cli_report *wanted, const rbv_report_input *input,
                     const cli_common *common);

#endif
