/*
 * The generator of manual pages and completion: a program of the build that asks every command for
 * its table, by the road that --help takes, and writes what follows from it.
 */
#ifndef CLI_PAGES_PAGES_H
#define CLI_PAGES_PAGES_H

#include <stdio.h>

#include "cli.h"

/* A page in the language of man(7): of the tool, of one command. docs: folder of docs/cli, whose
 * examples are shown. */
void man_of_tool(FILE *out);
void man_of_command(FILE *out, const cli_command *command, const cli_opt *options,
                    const char *docs);

/* The words that an option accepts, from its table. */
void put_choices(FILE *out, const cli_opt *option, const char *separator);

/* Completion is one file per shell: its beginning, each command, its end. */
void bash_begin(FILE *out);
void bash_command(FILE *out, const cli_command *command, const cli_opt *options);
void bash_end(FILE *out);
void zsh_begin(FILE *out);
void zsh_command(FILE *out, const cli_command *command, const cli_opt *options);
void zsh_end(FILE *out);

#endif
