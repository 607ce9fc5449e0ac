/* The manifest of a fleet: each robot as the command line that identifies it. */
#ifndef CLI_MANIFEST_H
#define CLI_MANIFEST_H

#include "cli.h"

typedef struct {
  const char *name;
  char *robot;  // file, or the name of a built-in robot
  int nfile;    // logs, and the map if there is one
  const char **file;
  int argc;
  const char **argv;  // of `identify`, without a NULL at its end
} cli_manifest_robot;

typedef struct {
  int count;
  cli_manifest_robot *robot;
  rbv_document *doc;  // names and options point into it
  int nowned;
  char **owned;  // strings that were put together
} cli_manifest;

/*
 * Read one. Robot files, logs and maps are looked for beside it. Options of the manifest come
 * first, then the robot's own, then those of the command line (argv[1] to argv[argc - 1], which
 * must outlive the manifest), so that later ones win. -1 to go on.
 */
int cli_manifest_load(cli_manifest *out, const char *path, int argc, char **argv);
void cli_manifest_free(cli_manifest *manifest);

#endif
