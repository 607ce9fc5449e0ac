/* Provenance of an output: the robot, the input files, and the values of the options. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include "cli.h"

#define CLI_SOURCES_MAX (CLI_LIST_MAX + 8)

typedef struct {
  const char *role, *path;
} cli_source;

typedef struct {
  const rbv_model *model;
  const char *robot;       // the file that the model was read from, or the name of a built-in one
  const cli_opt *options;  // the option table of the command; its targets hold the values
  int count;
  cli_source source[CLI_SOURCES_MAX];
} cli_provenance;

/* Add an input file; NULL is ignored. */
void cli_provenance_add(cli_provenance *provenance, const char *role, const char *path);

/* Write the key options with all values except the named ones; the names end with NULL. */
void cli_put_options(rbv_json *json, const cli_opt *table, const char *const *but);

/* Write the keys robot and inputs, each with its hash, and options into an open map. */
void cli_put_sources(rbv_json *json, const cli_provenance *provenance);
void cli_put_provenance(rbv_json *json, const cli_provenance *provenance);

#endif
