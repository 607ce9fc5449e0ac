/* Text output of `excite`: a design, or the score of a motion. */
#ifndef CLI_EXCITE_OUTPUT_H
#define CLI_EXCITE_OUTPUT_H

#include <roberval/sys/design.h>

/* Print the text output to stdout. */
void cli_print_design(const rbv_design *design);

#endif
