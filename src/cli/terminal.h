/*
 * Output for people. On a terminal, lines are broken between words at its width and continued with
 * an indent. Into a file or a pipe, every line stays one line.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdio.h>

/* From now on stdout and stderr fit their terminals. Call it once, before any output. */
void cli_fit_terminals(void);

typedef enum { CLI_USUAL, CLI_ERROR, CLI_WARNING, CLI_NOTE, CLI_GOOD } cli_style;

/*
 * Escape sequence that begins a style; CLI_USUAL ends it. Empty if the stream is not a terminal, if
 * the terminal has no colours (TERM is dumb), or if NO_COLOR is set.
 */
const char *cli_colour(FILE *to, cli_style style);

#endif
