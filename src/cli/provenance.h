/* Where an output comes from: the robot, the files that went in, and the options in force. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include "cli.h"

#define CLI_SOURCES_MAX (CLI_LIST_MAX + 8)

typedef struct {
  const char *role, *path;
} cli_source;

typedef struct {
  const char *name, *robot;  // the robot's name and the file it was read from
  const cli_opt *options;    // the command's table, with the values in force at its targets
  int count;
  cli_source source[CLI_SOURCES_MAX];
} cli_provenance;

/* A file that went in; NULL is none. */
void cli_provenance_add(cli_provenance *provenance, const char *role, const char *path);

/* The keys path and sha256 of a file, in a map that is open; "" where there is no such file. */
void cli_put_file(rbv_json *json, const char *path);

/* The key options with the values in force, but for those named; the names end with NULL. */
void cli_put_options(rbv_json *json, const cli_opt *table, const char *const *but);

/* The keys robot and inputs, each with its hash, in a map that is open; and options besides. */
void cli_put_sources(rbv_json *json, const cli_provenance *provenance);
void cli_put_provenance(rbv_json *json, const cli_provenance *provenance);

#endif
