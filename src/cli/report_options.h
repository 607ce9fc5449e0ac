/* HTML reports: declarations that `report` and `identify --report` share. */
#ifndef CLI_REPORT_OPTIONS_H
#define CLI_REPORT_OPTIONS_H

#include <roberval/sys/report.h>

#include "cli.h"

typedef struct {
  const char *html, *plots;  // NULL: not written
} cli_report;

#define CLI_REPORT(r)                                                                           \
  {                                                                                             \
    "plots", 0, OPT_OUTPUT, &(r).plots, "DIR", "write every figure as SVG into this directory", \
        .topic = CLI_FILES                                                                      \
  }

/* Write the requested files of a report. Returns EXIT_DONE or another exit code. */
int cli_write_page(const rbv_report *page, const cli_report *wanted, const cli_common *common);

#endif
