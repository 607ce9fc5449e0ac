/* What `excite` prints: a design, or the score of a motion. */
#ifndef CLI_EXCITE_OUTPUT_H
#define CLI_EXCITE_OUTPUT_H

#include <roberval/sys/design.h>

/* A table for people on stdout. */
void cli_print_design(const rbv_design *design);

#endif
