/* The files of a bag that is a folder. */
#ifndef LOG_BAG_FILES_H
#define LOG_BAG_FILES_H

#include <stdbool.h>

#include <roberval/sys/base.h>

/* True if the folder has a file with this ending (".db3", ".mcap"). */
bool folder_has(const char *path, const char *ending);

/*
 * The files of a folder in their order: as metadata.yaml lists them, or else by their names, with
 * numbers in them compared as numbers. The caller frees the paths and the list.
 *
 * Refused: a folder without such files; files that are compressed as a whole.
 */
rbv_status bag_files(char ***out, int *count, const char *path);

#endif
