/*
 * What the path of a recording stands for: a file, a folder, standard input ("-"), or several files
 * of one recording ("positions.csv+currents.csv").
 */
#ifndef LOG_LOG_SOURCE_H
#define LOG_LOG_SOURCE_H

#include "log/table.h"

/*
 * The path to open: that of a copy in memory for standard input ("-", "/dev/stdin", "/dev/fd/N"),
 * which can be read only once; the path itself otherwise. The copy lives as long as the process.
 */
rbv_status log_real_path(const char **out, const char *path);

/* A failure that names the copy names the path again. */
rbv_status log_real_status(rbv_status status, const char *real, const char *path);

/*
 * The files of a path "A+B+...": n of them, each exists, and there is no file of the whole name.
 * n is 0 for another path. The caller frees the list.
 */
rbv_status log_parts(char ***out, int *n, const char *path);

#endif
