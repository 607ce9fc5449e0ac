/* File access that storage shares with the modules above it; not installed. */
#ifndef STORAGE_STORAGE_INTERNAL_H
#define STORAGE_STORAGE_INTERNAL_H

#include <roberval/sys/storage.h>

#include "base/support.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)  // of a file that is read whole

/* Open a regular file for reading; what is none (a directory, a pipe) is refused by name. */
rbv_status rbv_file_open(int *descriptor, size_t *size, const char *path);

/* Write all of it at the descriptor's place; wait until it is on the disk. 0 or an errno. */
int rbv_file_append(int descriptor, const char *data, size_t size);
int rbv_file_flush(int descriptor);

/* "path: cannot be written: reason", with RBV_EWRITE. */
rbv_status rbv_file_refuse(const char *path, int reason);

#endif
