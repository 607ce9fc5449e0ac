/*
 * The generator of manual pages and shell completion, a program that runs during the build. It gets
 * the option table of each command through the hook of --help.
 */
#ifndef CLI_PAGES_PAGES_H
#define CLI_PAGES_PAGES_H

#include <stdio.h>

#include "cli.h"

/* Write a man(7) page: of the tool, of one command. docs is the folder docs/cli, whose descriptions
 * and examples are copied. */
void man_of_tool(FILE *out);
void man_of_command(FILE *out, const cli_command *command, const cli_opt *options,
                    const char *docs);

/* The page of the file formats, from docs/files.md. */
void man_of_files(FILE *out, FILE *page);

/* Copy a page of the documentation without its first heading; one_paragraph: its first paragraph.
 */
void man_of_markdown(FILE *out, FILE *page, bool one_paragraph);

/* The values that an option accepts, from its table. */
void put_choices(FILE *out, const cli_opt *option, const char *separator);

/* Completion is one file per shell: call begin, then each command, then end. */
void bash_begin(FILE *out);
void bash_command(FILE *out, const cli_command *command, const cli_opt *options);
void bash_end(FILE *out);
void zsh_begin(FILE *out);
void zsh_command(FILE *out, const cli_command *command, const cli_opt *options);
void zsh_end(FILE *out);

#endif
