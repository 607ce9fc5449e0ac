/* What a job of the library tells, as words on stderr. */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "cli.h"

/* A listener that prints to stderr, unless quiet. */
rbv_notes cli_notes(const cli_common *common);

#endif
